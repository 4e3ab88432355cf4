#include "port/effort.h"

#include <stdlib.h>
#include <string.h>

#include "base/det_math.h"

#include "base/banned.h"

/* Distinct names of one kind over the whole tree. */
typedef struct {
    const assay_port_finding_t **item;
    uint32_t n;
} name_set_t;

typedef struct {
    const effort_table_t *table;
    effort_features_t *out;
    double *kernels, *in_file; /* (n_rule): kernels whose worst finding is of the rule */
    name_set_t unsupported, package, opcode;
} reading_t;

static size_t match(const char *prefix, const char *rule) {
    const size_t n = strlen(prefix);
    return strncmp(prefix, rule, n) == 0 ? n + 1 : 0;
}

static const effort_rule_t *rule_of(const effort_table_t *table, const char *id) {
    const effort_rule_t *best = NULL;
    size_t best_n = 0;
    for (uint32_t i = 0; i < table->n_rule; i++) {
        const size_t n = match(table->rule[i].prefix, id);
        if (n > best_n) {
            best_n = n;
            best = &table->rule[i];
        }
    }
    return best;
}

/* Lines that a person edits for one line with this finding: as its rule says; one where it is wrong
   as it stands; else, of a name that is only renamed, as its header or library says. */
static double lines_of(const effort_table_t *table, const assay_port_finding_t *finding) {
    const bool must = finding->effect <= ASSAY_EFFECT_COMPILE && finding->level <= 2;
    const char *api = finding->api ? finding->api : "";
    const char *library = finding->library ? finding->library : "";
    const effort_lines_t *by_rule = NULL, *by_name = NULL;
    size_t best_n = 0;
    for (uint32_t i = 0; i < table->n_line; i++) {
        const effort_lines_t *row = &table->line[i];
        const size_t n = row->renamed ? 0 : match(row->name, finding->rule);
        if (n > best_n) {
            best_n = n;
            by_rule = row;
        } else if (row->renamed && strcmp(row->name, api) == 0) {
            by_name = row;
        } else if (row->renamed && !by_name && assay_text_equal_fold(row->name, library)) {
            by_name = row;
        }
    }
    if (by_rule) {
        return by_rule->lines;
    }
    return must ? 1.0 : by_name && finding->effect == ASSAY_EFFECT_NOTE ? by_name->lines : 0.0;
}

static double residual_of(const effort_table_t *table, const assay_port_finding_t *finding,
                          uint32_t n) {
    double sum = 0.0;
    for (uint32_t i = 0; i < n;) {
        double most = 0.0;
        const uint32_t line = finding[i].at.line;
        for (; i < n && finding[i].at.line == line; i++) {
            const double lines = lines_of(table, &finding[i]);
            most = lines > most ? lines : most;
        }
        sum += most;
    }
    return sum;
}

/* Findings close to each other belong to one kernel, which costs what its worst finding costs. */
static void count_kernels(reading_t *r, const assay_port_file_t *file,
                          const assay_port_finding_t *finding, uint32_t n) {
    const effort_table_t *table = r->table;
    double n_kernels = 0.0, limit = file->kernels > 0 ? file->kernels : 1.0;
    const effort_rule_t *worst = NULL;
    uint32_t last_line = 0;
    memset(r->in_file, 0, table->n_rule * sizeof *r->in_file);
    for (uint32_t i = 0; i <= n; i++) {
        const effort_rule_t *rule = i < n ? rule_of(table, finding[i].rule) : NULL;
        if (i < n && (finding[i].level != 2 || finding[i].effect == ASSAY_EFFECT_NOTE || !rule ||
                      rule->per != EFFORT_PER_KERNEL || rule->days <= 0.0)) {
            continue;
        }
        if (worst && (i == n || finding[i].at.line - last_line > table->level2_span_lines)) {
            r->in_file[worst - table->rule] += 1.0;
            n_kernels += 1.0;
            worst = NULL;
        }
        if (i < n) {
            worst = !worst || rule->days > worst->days ? rule : worst;
            last_line = finding[i].at.line;
        }
    }
    while (n_kernels > limit) { /* more places than kernels: the cheapest are parts of others */
        uint32_t cheapest = table->n_rule;
        for (uint32_t k = 0; k < table->n_rule; k++) {
            if (r->in_file[k] > 0.0 &&
                (cheapest == table->n_rule || table->rule[k].days < table->rule[cheapest].days)) {
                cheapest = k;
            }
        }
        r->in_file[cheapest] -= 1.0;
        n_kernels -= 1.0;
    }
    for (uint32_t k = 0; k < table->n_rule; k++) {
        r->kernels[k] += r->in_file[k];
    }
    r->out->kernels += file->kernels;
    r->out->flagged += (uint32_t)n_kernels;
}

static void collect_names(reading_t *r, const assay_port_finding_t *finding, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        const assay_port_finding_t *f = &finding[i];
        if (f->level == 1 && f->effect <= ASSAY_EFFECT_COMPILE && f->api[0] &&
            strcmp(f->status, "unsupported") == 0) {
            r->unsupported.item[r->unsupported.n++] = f;
        } else if (f->level == 3 && f->api[0]) {
            r->package.item[r->package.n++] = f;
        } else if (f->level == 2 && f->effect != ASSAY_EFFECT_NOTE) {
            const effort_rule_t *rule = rule_of(r->table, f->rule);
            if (rule && rule->per == EFFORT_PER_API) {
                r->opcode.item[r->opcode.n++] = f;
            }
        }
    }
}

static int compare_names(const void *a, const void *b) {
    const assay_port_finding_t *const *left = a, *const *right = b;
    const int order = strcmp((*left)->api, (*right)->api);
    return order ? order : strcmp((*left)->rule, (*right)->rule);
}

/* Sorts by name and keeps the first of each. */
static void make_distinct(name_set_t *set) {
    qsort(set->item, set->n, sizeof *set->item, compare_names);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        if (kept == 0 || strcmp(set->item[kept - 1]->api, set->item[i]->api) != 0) {
            set->item[kept++] = set->item[i];
        }
    }
    set->n = kept;
}

static double package_days(const effort_table_t *table, const assay_port_finding_t *finding) {
    static const char *const name[] = {
        [PORT_SUPPORTED] = "supported",
        [PORT_DEPRECATED] = "deprecated",
        [PORT_EXPERIMENTAL] = "experimental",
        [PORT_UNSUPPORTED] = "unsupported",
    };
    if (strcmp(finding->status, name[PORT_UNSUPPORTED]) == 0 && !finding->replacement[0]) {
        return table->package_none_days;
    }
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (strcmp(finding->status, name[i]) == 0) {
            return table->package_days[i];
        }
    }
    return table->package_days[PORT_SUPPORTED];
}

static bool is_build_file(const assay_port_file_t *file) {
    const char *slash = strrchr(file->path, '/');
    const char *name = slash ? slash + 1 : file->path;
    return file->language == ASSAY_PORT_CMAKE || file->language == ASSAY_PORT_MAKE ||
           file->language == ASSAY_PORT_PYPROJECT || strcmp(name, "setup.py") == 0;
}

static void add_references(reading_t *r, const assay_port_file_t *file) {
    const double weight[ASSAY_PORT_REFERENCE_N] = {
        [ASSAY_PORT_REFERENCE_API] = r->table->fit_api,
        [ASSAY_PORT_REFERENCE_KERNEL] = r->table->fit_kernel,
        [ASSAY_PORT_REFERENCE_PACKAGE] = r->table->fit_package,
    };
    for (uint32_t kind = 0; kind < ASSAY_PORT_REFERENCE_N; kind++) {
        const assay_port_references_t *count = &file->references[kind];
        r->out->references += weight[kind] * count->all;
        r->out->ready += weight[kind] * count->ready;
        r->out->ported += weight[kind] * count->ported;
        r->out->cuda_only += weight[kind] * count->cuda_only;
        r->out->names += kind == ASSAY_PORT_REFERENCE_KERNEL ? 0 : count->all;
        r->out->names_ported += kind == ASSAY_PORT_REFERENCE_KERNEL ? 0 : count->ported;
    }
}

static void read_file(reading_t *r, assay_port_file_t *file, const assay_port_finding_t *finding,
                      uint32_t n) {
    effort_features_t *out = r->out;
    const bool c_like = file->language == ASSAY_PORT_C || file->language == ASSAY_PORT_CPP;
    const uint32_t references = assay_port_file_references(file).all;
    add_references(r, file);
    if (file->language == ASSAY_PORT_CUDA || file->language == ASSAY_PORT_PTX ||
        (c_like && references > 0)) {
        out->cuda_lines += file->lines;
    }
    out->build_files += is_build_file(file) && (references > 0 || n > 0);
    file->residual_lines = residual_of(r->table, finding, n);
    out->residual_lines += file->residual_lines;
    out->edited_lines += is_build_file(file) ? 0.0 : file->residual_lines;
    count_kernels(r, file, finding, n);
    collect_names(r, finding, n);
}

/* days * n^exponent; 0 for n = 0. */
static double repeated(double days, double n, double exponent) {
    return n > 0.0 ? days * assay_det_exp(exponent * assay_det_log(n)) : 0.0;
}

static void sum_levels(const reading_t *r) {
    const effort_table_t *t = r->table;
    effort_features_t *out = r->out;
    const double ported = out->names > 0.0 ? out->names_ported / out->names : 0.0;
    const double credit = 1.0 - (1.0 - t->credit_ported) * (ported < 1.0 ? ported : 1.0);
    out->level_days[0] = credit * t->level1_fixed_days +
                         out->edited_lines / t->level1_lines_per_day +
                         out->unsupported * t->level1_unsupported_days +
                         out->build_files * t->level1_build_file_days;
    for (uint32_t k = 0; k < t->n_rule; k++) {
        out->level_days[1] += repeated(t->rule[k].days, r->kernels[k], t->level2_repeat_exponent);
    }
    for (uint32_t i = 0; i < r->opcode.n; i++) {
        out->level_days[1] += rule_of(t, r->opcode.item[i]->rule)->days;
    }
    const uint32_t quiet = out->kernels > out->flagged ? out->kernels - out->flagged : 0;
    out->level_days[1] += credit * repeated(t->level2_check_days, quiet, t->level2_repeat_exponent);
    out->level_days[2] = credit * t->level3_fixed_days;
    for (uint32_t i = 0; i < r->package.n; i++) {
        out->level_days[2] += package_days(t, r->package.item[i]);
    }
    out->credit = credit;
}

assay_status_t port_effort_features(assay_arena_t *arena, const effort_table_t *table,
                                    assay_port_scan_t *scan, effort_features_t *out,
                                    assay_error_t *err) {
    reading_t r = {.table = table, .out = out};
    name_set_t *const set[] = {&r.unsupported, &r.package, &r.opcode};
    *out = (effort_features_t){0};
    r.kernels = assay_arena_array(arena, table->n_rule, sizeof *r.kernels);
    r.in_file = assay_arena_array(arena, table->n_rule, sizeof *r.in_file);
    if (!r.kernels || !r.in_file) {
        return assay_error_memory(err, NULL);
    }
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        set[i]->item = assay_arena_array(arena, scan->n_finding, sizeof *set[i]->item);
        if (!set[i]->item) {
            return assay_error_memory(err, NULL);
        }
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < scan->n_file; i++) {
        uint32_t end = first;
        while (end < scan->n_finding &&
               strcmp(scan->finding[end].at.file, scan->file[i].path) == 0) {
            end++;
        }
        read_file(&r, &scan->file[i], scan->finding + first, end - first);
        first = end;
    }
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        make_distinct(set[i]);
    }
    out->unsupported = r.unsupported.n;
    out->packages = r.package.n;
    if (out->references > 0.0 || scan->n_finding > 0) {
        sum_levels(&r);
    }
    return ASSAY_OK;
}
