#include "report/scan_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

typedef struct {
    const char *name;
    size_t n;                            /* bytes of it */
    const assay_port_finding_t *finding; /* NULL: a file without */
    const assay_port_file_t *file;
} item_t;

static int compare_items(const void *a, const void *b) {
    const item_t *left = a, *right = b;
    const size_t n = left->n < right->n ? left->n : right->n;
    const int order = memcmp(left->name, right->name, n);
    if (order || left->n != right->n) {
        return order ? order : (left->n > right->n) - (left->n < right->n);
    }
    if (!left->finding || !right->finding) { /* files first; their order does not matter */
        return (left->finding != NULL) - (right->finding != NULL);
    }
    return (left->finding > right->finding) - (left->finding < right->finding);
}

/* More severe first, then more of it, then by name. */
static int compare_groups(const void *a, const void *b) {
    const assay_scan_group_t *left = a, *right = b;
    for (int e = 0; e < ASSAY_EFFECT_N; e++) {
        if (left->finding[e] != right->finding[e]) {
            return left->finding[e] < right->finding[e] ? 1 : -1;
        }
    }
    return strcmp(left->name, right->name);
}

static void add_item(assay_scan_group_t *group, const item_t *item, const char **last_file) {
    const assay_port_finding_t *f = item->finding;
    if (!f) {
        group->files++;
        group->lines += item->file->lines;
        group->residual_lines += item->file->residual_lines;
        return;
    }
    if (!group->first || f->effect < group->first->effect) {
        group->first = f;
    }
    group->finding[f->effect]++;
    group->all++;
    if (!item->file && (!*last_file || strcmp(*last_file, f->at.file) != 0)) {
        group->files++;
        *last_file = f->at.file;
    }
}

static bool starts_group(const item_t *item, uint32_t i) {
    return i == 0 || item[i].n != item[i - 1].n ||
           memcmp(item[i].name, item[i - 1].name, item[i].n) != 0;
}

/* Sorts the items and makes one group of each name. */
static assay_scan_group_t *make_groups(assay_view_t *view, item_t *item, uint32_t n,
                                       uint32_t *out_n) {
    uint32_t n_group = 0;
    qsort(item, n, sizeof *item, compare_items);
    for (uint32_t i = 0; i < n; i++) {
        n_group += starts_group(item, i);
    }
    *out_n = 0;
    assay_scan_group_t *group = assay_arena_array(view->arena, n_group, sizeof *group);
    if (!group) {
        view->failed = true;
        return NULL;
    }
    const char *last_file = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (starts_group(item, i)) {
            group[(*out_n)++] = (assay_scan_group_t){
                .name = assay_view_format(view, "%.*s", (int)item[i].n, item[i].name)};
            last_file = NULL;
        }
        add_item(&group[*out_n - 1], &item[i], &last_file);
    }
    for (uint32_t i = 0; i < *out_n; i++) {
        while (group[i].worst < ASSAY_EFFECT_N && group[i].finding[group[i].worst] == 0) {
            group[i].worst++;
        }
    }
    qsort(group, *out_n, sizeof *group, compare_groups);
    return group;
}

static item_t directory_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (item_t){.name = path, .n = (size_t)(slash - path)}
                 : (item_t){.name = ".", .n = 1};
}

static void group_directories(assay_view_t *view, assay_scan_view_t *s, item_t *item) {
    static const assay_port_file_t in_file = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->scan->n_file; i++) {
        const assay_port_file_t *file = &s->scan->file[i];
        if (!file->skipped) {
            item[n] = directory_of(file->path);
            item[n++].file = file;
        }
    }
    for (uint32_t i = 0; i < s->scan->n_finding; i++) {
        const assay_port_finding_t *f = &s->scan->finding[i];
        if (!f->known) {
            item[n] = directory_of(f->at.file);
            item[n].file = &in_file; /* its file is counted already */
            item[n++].finding = f;
        }
    }
    s->directory = make_groups(view, item, n, &s->n_directory);
}

static const char *rule_of(const assay_port_finding_t *f) {
    return f->rule;
}
static const char *file_of(const assay_port_finding_t *f) {
    return f->at.file;
}
static const char *library_of(const assay_port_finding_t *f) {
    return assay_view_or_empty(f->library);
}

static assay_scan_group_t *group_names(assay_view_t *view, const assay_scan_view_t *s, item_t *item,
                                       const char *(*name_of)(const assay_port_finding_t *f),
                                       uint32_t *out_n) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->scan->n_finding; i++) {
        const assay_port_finding_t *f = &s->scan->finding[i];
        const char *name = name_of(f);
        if (!f->known && name[0]) {
            item[n] = (item_t){.name = name, .n = strlen(name), .finding = f};
            n++;
        }
    }
    return make_groups(view, item, n, out_n);
}

static void count(assay_scan_view_t *s) {
    for (uint32_t i = 0; i < s->scan->n_file; i++) {
        const assay_port_file_t *file = &s->scan->file[i];
        s->n_skipped += file->skipped != NULL;
        s->n_other += file->skipped && strcmp(file->skipped, ASSAY_PORT_OTHER_KIND) == 0;
        s->kernels += file->kernels;
        s->launches += file->launches;
        for (uint32_t k = 0; k < ASSAY_PORT_REFERENCE_N; k++) {
            s->references[k].all += file->references[k].all;
            s->references[k].ready += file->references[k].ready;
            s->references[k].ported += file->references[k].ported;
            s->references[k].cuda_only += file->references[k].cuda_only;
        }
    }
    for (uint32_t i = 0; i < s->scan->n_finding; i++) {
        const assay_port_finding_t *f = &s->scan->finding[i];
        if (f->known) {
            s->n_known++;
            continue;
        }
        s->n_new++;
        s->by_level[f->effect][0]++;
        if (f->level >= 1 && f->level <= 3) {
            s->by_level[f->effect][f->level]++;
        }
    }
}

const assay_scan_view_t *assay_scan_view(assay_view_t *view, const assay_port_scan_t *scan,
                                         const uint64_t *fingerprint) {
    assay_scan_view_t *s = assay_arena_array(view->arena, 1, sizeof *s);
    item_t *item =
        assay_arena_array(view->arena, (size_t)scan->n_file + scan->n_finding, sizeof *item);
    if (!s || !item) {
        view->failed = true;
        return NULL;
    }
    *s = (assay_scan_view_t){.scan = scan, .fingerprint = fingerprint};
    count(s);
    group_directories(view, s, item);
    s->file = group_names(view, s, item, file_of, &s->n_file);
    s->rule = group_names(view, s, item, rule_of, &s->n_rule);
    s->library = group_names(view, s, item, library_of, &s->n_library);
    return view->failed ? NULL : s;
}

const char *assay_scan_rocm(assay_view_t *view, const assay_port_scan_t *scan) {
    return assay_view_format(view, "%u.%u", scan->options.rocm / 100, scan->options.rocm % 100);
}

const char *assay_scan_sentence(assay_view_t *view, const assay_scan_view_t *s) {
    const assay_port_effort_t *effort = &s->scan->effort;
    const char *read =
        SAY(view, SCAN_READ, s->scan->root, assay_view_count(view, s->scan->n_file - s->n_skipped),
            assay_view_count(view, (double)effort->cuda_lines),
            assay_view_count(view, (double)s->kernels));
    if (effort->hip_fit < 0.0) {
        return SAY(view, SCAN_TWO, read, assay_view_message(view, ASSAY_MSG_SCAN_NO_DEVICE));
    }
    uint64_t references = 0;
    for (uint32_t k = 0; k < ASSAY_PORT_REFERENCE_N; k++) {
        references += s->references[k].all;
    }
    const char *fit =
        SAY(view, SCAN_FIT, assay_view_percent(view, effort->hip_fit),
            assay_view_count(view, (double)references), assay_scan_rocm(view, s->scan),
            assay_view_or_empty(s->scan->options.target),
            assay_view_percent(view, effort->cuda_only_share),
            assay_view_percent(view, effort->ported_share));
    return SAY(view, SCAN_TWO, read, fit);
}

void assay_scan_effort_rows(const assay_port_scan_t *scan,
                            assay_scan_effort_row_t out[ASSAY_SCAN_EFFORT_ROWS]) {
    const assay_port_effort_t *e = &scan->effort;
    const assay_scan_effort_row_t row[ASSAY_SCAN_EFFORT_ROWS] = {
        {ASSAY_MSG_SCAN_LEVEL1, &e->level[0]},         {ASSAY_MSG_SCAN_LEVEL2, &e->level[1]},
        {ASSAY_MSG_SCAN_LEVEL3, &e->level[2]},         {ASSAY_MSG_SCAN_TRAINING, &e->training},
        {ASSAY_MSG_SCAN_CONTINGENCY, &e->contingency}, {ASSAY_MSG_SCAN_TOTAL, &e->total}};
    memcpy(out, row, sizeof row);
}

uint32_t assay_scan_effort_notes(assay_view_t *view, const assay_port_scan_t *scan,
                                 const char *out[ASSAY_SCAN_NOTES]) {
    const assay_port_effort_t *e = &scan->effort;
    if (e->total.p50_days <= 0.0) {
        return 0;
    }
    out[0] = SAY(view, SCAN_CALENDAR, assay_view_number(view, e->calendar.p10_days),
                 assay_view_number(view, e->calendar.p90_days));
    out[1] = SAY(view, SCAN_WAIT, assay_view_number(view, e->review_wait.p50_days),
                 assay_view_number(view, e->review_wait.p10_days),
                 assay_view_number(view, e->review_wait.p90_days));
    out[2] =
        SAY(view, SCAN_TAIL, assay_view_percent(view, e->covered_share),
            assay_view_number(view, e->tail_p95_days), assay_view_number(view, e->tail_p99_days));
    out[3] = SAY(view, SCAN_DEBT, assay_view_number(view, e->debt_days_per_year),
                 assay_view_number(view, e->debt_fork_days_per_year));
    uint32_t n = 4;
    if (scan->options.experienced) {
        out[n++] = SAY(view, SCAN_EXPERIENCED, assay_view_percent(view, e->experience));
    }
    if (scan->replaced_by) {
        out[n++] = SAY(view, SCAN_REPLACED, scan->replaced_by);
    }
    return n;
}

const char *assay_scan_message(assay_view_t *view, const assay_port_finding_t *f) {
    const char *message = f->heuristic ? SAY(view, SCAN_HEURISTIC, f->message) : f->message;
    return f->deep ? SAY(view, SCAN_DEEP, message) : message;
}
