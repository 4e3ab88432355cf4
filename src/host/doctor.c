/* Runs the checks, gathers what each says into findings, folds what follows from another finding
   under it, and puts first what to do first. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/text.h"
#include "host/host_check.h"
#include "host/host_rules.h"

#include "base/banned.h"

#define REPORTS_MAX 4096 /* of one check */
#define EVIDENCE_MAX 8   /* sentences of one finding; the others are counted */
#define FILLS_MAX 8
#define TEXT_BYTES_MAX 16384 /* of one evidence or fix */

typedef struct {
    const char *name, *text;
} fill_t;

typedef struct {
    uint8_t status, severity;
    bool stated;
    assay_place_t at;
    const char *device, *sentence, *fix;
    fill_t fill[FILLS_MAX];
    uint32_t n_fill;
} report_t;

struct host_check {
    assay_arena_t *arena;
    const assay_host_rules_t *rules;
    const assay_host_t *host;
    const assay_check_t *row;
    report_t *report; /* (REPORTS_MAX) */
    uint32_t n_report;
    fill_t fill[FILLS_MAX];
    uint32_t n_fill;
    bool stated, full;
};

const char *assay_check_status_name(assay_check_status_t status) {
    static const char *const name[ASSAY_CHECK_STATUS_N] = {
        [ASSAY_CHECK_BAD] = "bad",
        [ASSAY_CHECK_GOOD] = "good",
        [ASSAY_CHECK_NOT_APPLICABLE] = "not_applicable",
        [ASSAY_CHECK_NOT_CHECKED] = "not_checked",
    };
    assert((unsigned)status < ASSAY_CHECK_STATUS_N);
    return name[status];
}

/* --- what a check function says -------------------------------------------------------------- */

const assay_host_t *host_check_host(const host_check_t *check) {
    return check->host;
}

const assay_host_rules_t *host_check_rules(const host_check_t *check) {
    return check->rules;
}

const char *host_check_id(const host_check_t *check) {
    return check->row->id;
}

double host_check_threshold(const host_check_t *check, const char *name) {
    char id[64];
    const int n = snprintf(id, sizeof id, "%s.%s", check->row->id, name);
    assert(n > 0 && (size_t)n < sizeof id);
    (void)n;
    return host_threshold_find(check->rules, id);
}

static const char *keep(host_check_t *check, const char *text) {
    check->full |= text == NULL;
    return text ? text : "";
}

const char *host_check_said(const host_check_t *check, const char *english) {
    return assay_phrase(check->rules->lang, english);
}

/* The format in English: its phrase takes the same arguments (test_message.c). */
__attribute__((format(printf, 2, 0))) static const char *say(host_check_t *check,
                                                             const char *format, va_list args) {
    return keep(check, assay_arena_vprintf(check->arena, host_check_said(check, format), args));
}

const char *host_check_printf(host_check_t *check, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = say(check, format, args);
    va_end(args);
    return text;
}

void host_check_fill(host_check_t *check, const char *name, const char *format, ...) {
    assert(check->n_fill < FILLS_MAX);
    va_list args;
    va_start(args, format);
    const char *text = say(check, format, args);
    va_end(args);
    check->fill[check->n_fill++] = (fill_t){name, text};
}

void host_check_rests_on(host_check_t *check, uint8_t state) {
    check->stated |= state == ASSAY_HOST_STATED;
}

/* What stands in the sender's note is stated, whatever the check thinks of it. */
static bool in_note(const assay_host_t *host, const assay_place_t *at) {
    for (uint32_t i = 0; at && at->file && i < host->n_source; i++) {
        if (host->source[i].stated && strcmp(host->source[i].file, at->file) == 0) {
            return true;
        }
    }
    return false;
}

__attribute__((format(printf, 6, 0))) static void
add(host_check_t *check, assay_check_status_t status, assay_severity_t severity,
    const assay_place_t *at, const char *device, const char *format, va_list args) {
    if (check->n_report < REPORTS_MAX) {
        report_t *report = &check->report[check->n_report++];
        *report = (report_t){
            .status = (uint8_t)status,
            .severity = (uint8_t)severity,
            .stated = check->stated || in_note(check->host, at),
            .device = device ? device : "",
            .sentence = say(check, format, args),
            .n_fill = check->n_fill,
        };
        if (at) {
            report->at = *at;
        }
        memcpy(report->fill, check->fill, sizeof report->fill);
    }
    check->n_fill = 0;
    check->stated = false;
}

void host_check_bad_as(host_check_t *check, assay_severity_t severity, const assay_place_t *at,
                       const char *device, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(check, ASSAY_CHECK_BAD, severity, at, device, format, args);
    va_end(args);
}

void host_check_bad(host_check_t *check, const assay_place_t *at, const char *device,
                    const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(check, ASSAY_CHECK_BAD, (assay_severity_t)check->row->severity, at, device, format, args);
    va_end(args);
}

void host_check_good(host_check_t *check, const assay_place_t *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(check, ASSAY_CHECK_GOOD, ASSAY_SEVERITY_INFO, at, NULL, format, args);
    va_end(args);
}

void host_check_none(host_check_t *check, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(check, ASSAY_CHECK_NOT_APPLICABLE, ASSAY_SEVERITY_INFO, NULL, NULL, format, args);
    va_end(args);
}

void host_check_unknown(host_check_t *check, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(check, ASSAY_CHECK_NOT_CHECKED, ASSAY_SEVERITY_INFO, NULL, NULL, format, args);
    va_end(args);
}

/* --- from what was said to findings ---------------------------------------------------------- */

/* A text of the check with {name} and {name|default} replaced. */
static const char *filled(host_check_t *check, const char *text, const report_t *report) {
    if (!strchr(text, '{')) {
        return text;
    }
    assay_buf_t out;
    assay_buf_init(&out, TEXT_BYTES_MAX);
    for (const char *from = text; *from;) {
        const size_t plain = strcspn(from, "{");
        assay_buf_add(&out, from, plain);
        from += plain;
        const char *end = strchr(from, '}');
        if (!end) {
            assay_buf_puts(&out, from);
            break;
        }
        const char *name = from + 1;
        const size_t n_name = strcspn(name, "|}");
        const char *value = NULL;
        for (uint32_t i = 0; report && i < report->n_fill; i++) {
            if (strlen(report->fill[i].name) == n_name &&
                memcmp(report->fill[i].name, name, n_name) == 0) {
                value = report->fill[i].text;
            }
        }
        if (value) {
            assay_buf_puts(&out, value);
        } else if (name[n_name] == '|') {
            assay_buf_add(&out, name + n_name + 1, (size_t)(end - name) - n_name - 1);
        } else {
            assay_buf_add(&out, from, (size_t)(end - from) + 1);
        }
        from = end + 1;
    }
    const char *result =
        keep(check, assay_arena_strndup(check->arena, out.n ? out.data : "", out.n));
    assay_buf_done(&out);
    return result;
}

static bool same_finding(const report_t *a, const report_t *b) {
    return a->status == b->status && (a->status != ASSAY_CHECK_BAD ||
                                      (a->severity == b->severity && strcmp(a->fix, b->fix) == 0));
}

/* The sentences of all reports like report[first], each with its place. */
static const char *evidence_of(host_check_t *check, uint32_t first) {
    assay_buf_t out;
    assay_buf_init(&out, TEXT_BYTES_MAX);
    uint32_t n = 0;
    for (uint32_t i = first; i < check->n_report; i++) {
        const report_t *report = &check->report[i];
        if (!same_finding(&check->report[first], report)) {
            continue;
        }
        if (n++ < EVIDENCE_MAX) {
            assay_buf_puts(&out, n > 1 ? "; " : "");
            if (report->at.file && report->at.line > 0) {
                assay_buf_printf(&out, "%s:%u: ", report->at.file, report->at.line);
            } else if (report->at.file) {
                assay_buf_printf(&out, "%s: ", report->at.file);
            }
            assay_buf_puts(&out, report->sentence);
        }
    }
    if (n > EVIDENCE_MAX) {
        assay_buf_puts(&out, host_check_printf(check, "; and %u more", n - EVIDENCE_MAX));
    }
    const char *text = keep(check, assay_arena_strndup(check->arena, out.n ? out.data : "", out.n));
    assay_buf_done(&out);
    return text;
}

static void devices_of(host_check_t *check, uint32_t first, assay_doctor_finding_t *finding) {
    const char **device = assay_arena_array(check->arena, check->n_report, sizeof *device);
    uint32_t n = 0;
    for (uint32_t i = first; device && i < check->n_report; i++) {
        const report_t *report = &check->report[i];
        if (!*report->device || !same_finding(&check->report[first], report)) {
            continue;
        }
        bool known = false;
        for (uint32_t k = 0; k < n && !known; k++) {
            known = strcmp(device[k], report->device) == 0;
        }
        if (!known) {
            device[n++] = report->device;
        }
    }
    check->full |= device == NULL;
    finding->device = device;
    finding->n_device = n;
}

static assay_doctor_finding_t finding_of(host_check_t *check, uint32_t first) {
    const report_t *report = &check->report[first];
    const bool bad = report->status == ASSAY_CHECK_BAD;
    assay_doctor_finding_t finding = {
        .check = check->row,
        .severity = bad ? report->severity : check->row->severity,
        .status = report->status,
        .evidence = evidence_of(check, first),
        .cause = filled(check, check->row->cause, report),
        .fix = report->fix,
        .verify = filled(check, check->row->verify, report),
        .at = report->at,
        .stated = report->stated,
        .root = -1,
    };
    for (uint32_t i = first; i < check->n_report; i++) {
        if (same_finding(report, &check->report[i])) {
            finding.stated &= check->report[i].stated;
        }
    }
    devices_of(check, first, &finding);
    return finding;
}

typedef struct {
    assay_doctor_finding_t *finding;
    uint32_t n, capacity;
} findings_t;

static bool push(assay_arena_t *arena, findings_t *list, const assay_doctor_finding_t *finding) {
    if (list->n == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 128;
        assay_doctor_finding_t *more = assay_arena_array(arena, capacity, sizeof *more);
        if (!more) {
            return false;
        }
        if (list->n > 0) {
            memcpy(more, list->finding, list->n * sizeof *more);
        }
        list->finding = more;
        list->capacity = capacity;
    }
    list->finding[list->n++] = *finding;
    return true;
}

/* Bad ones, each kind once; when there is none, the best that is known. */
static void gather(host_check_t *check, findings_t *list) {
    static const uint8_t order[] = {ASSAY_CHECK_BAD, ASSAY_CHECK_GOOD, ASSAY_CHECK_NOT_CHECKED,
                                    ASSAY_CHECK_NOT_APPLICABLE};
    if (check->n_report == 0) {
        host_check_unknown(check, "nothing that was given says so; read %s", check->row->reads);
    }
    for (uint32_t i = 0; i < check->n_report; i++) {
        check->report[i].fix = filled(check, check->row->fix, &check->report[i]);
    }
    for (size_t s = 0, n = list->n; s < sizeof order && list->n == n; s++) {
        for (uint32_t i = 0; i < check->n_report; i++) {
            bool first = check->report[i].status == order[s];
            for (uint32_t k = 0; k < i && first; k++) {
                first = !same_finding(&check->report[k], &check->report[i]);
            }
            if (first) {
                const assay_doctor_finding_t finding = finding_of(check, i);
                check->full |= !push(check->arena, list, &finding);
            }
        }
    }
}

/* --- which checks ---------------------------------------------------------------------------- */

/* "NET-001" or "NET", in any case. */
static bool selects(const char *word, const char *id) {
    const size_t n = strlen(word);
    return strncasecmp(word, id, n) == 0 && (id[n] == '\0' || id[n] == '-');
}

static bool selected(const assay_doctor_options_t *options, const char *id) {
    bool in = options->n_only == 0;
    for (uint32_t i = 0; i < options->n_only; i++) {
        in |= selects(options->only[i], id);
    }
    for (uint32_t i = 0; i < options->n_skip; i++) {
        in &= !selects(options->skip[i], id);
    }
    return in;
}

#define CHECKS_MAX 1024u

assay_status_t assay_check_not_found(const assay_host_rules_t *rules, const char *word,
                                     assay_error_t *err) {
    const char *name[CHECKS_MAX];
    uint32_t n = 0;
    for (; n < rules->n_check && n < CHECKS_MAX; n++) {
        name[n] = rules->check[n].id;
    }
    const char *near = assay_text_nearest(word, name, n);
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no check is called '%s'", word);
    if (near) {
        assay_error_next(err, "did you mean '%s'? assay doctor --list has them all", near);
    } else {
        assay_error_next(err, "list them with assay doctor --list");
    }
    return ASSAY_NOT_FOUND;
}

static assay_status_t check_words(const assay_host_rules_t *rules, const char *const *word,
                                  uint32_t n, assay_error_t *err) {
    for (uint32_t i = 0; i < n; i++) {
        bool known = false;
        for (uint32_t k = 0; k < rules->n_check && !known; k++) {
            known = *word[i] && selects(word[i], rules->check[k].id);
        }
        if (!known) {
            return assay_check_not_found(rules, word[i], err);
        }
    }
    return ASSAY_OK;
}

/* --- what follows from what ------------------------------------------------------------------ */

static bool share_device(const assay_doctor_finding_t *a, const assay_doctor_finding_t *b) {
    if (a->n_device == 0 || b->n_device == 0) {
        return true;
    }
    for (uint32_t i = 0; i < a->n_device; i++) {
        for (uint32_t k = 0; k < b->n_device; k++) {
            if (strcmp(a->device[i], b->device[k]) == 0) {
                return true;
            }
        }
    }
    return false;
}

static int32_t find_cause(const assay_host_rules_t *rules, const findings_t *list, uint32_t of) {
    const assay_doctor_finding_t *finding = &list->finding[of];
    for (uint32_t r = 0; r < rules->n_cause; r++) {
        if (strcmp(rules->cause[r].consequence, finding->check->id) != 0) {
            continue;
        }
        for (uint32_t i = 0; i < list->n; i++) {
            const assay_doctor_finding_t *cause = &list->finding[i];
            if (i != of && cause->status == ASSAY_CHECK_BAD &&
                strcmp(cause->check->id, rules->cause[r].cause) == 0 &&
                cause->severity <= ASSAY_SEVERITY_WARNING && share_device(finding, cause)) {
                return (int32_t)i;
            }
        }
    }
    return -1;
}

/* The one at the end of the chain of causes; the table has no circles (the tests look). */
static uint32_t root_of(const findings_t *list, uint32_t i) {
    for (uint32_t step = 0; list->finding[i].root >= 0 && step < list->n; step++) {
        i = (uint32_t)list->finding[i].root;
    }
    return i;
}

typedef struct {
    uint32_t at, root, depth;
    uint8_t status, severity, worst; /* worst: of everything that has the same root */
    const char *id, *root_id;
} order_t;

static int compare_order(const void *a, const void *b) {
    const order_t *x = a, *y = b;
#define BY(field)                            \
    if (x->field != y->field) {              \
        return x->field < y->field ? -1 : 1; \
    }
    BY(status)
    if (x->status == ASSAY_CHECK_BAD) {
        BY(worst)
        const int root = strcmp(x->root_id, y->root_id);
        if (root != 0) {
            return root;
        }
        BY(root)
        BY(depth)
        BY(severity)
    }
    const int id = strcmp(x->id, y->id);
    if (id != 0) {
        return id;
    }
    BY(at)
#undef BY
    return 0;
}

/* Sorts the findings and moves the indices of causes with them. */
static bool arrange(assay_arena_t *arena, const assay_host_rules_t *rules, findings_t *list) {
    order_t *order = assay_arena_array(arena, list->n, sizeof *order);
    int32_t *moved = assay_arena_array(arena, list->n, sizeof *moved);
    assay_doctor_finding_t *sorted = assay_arena_array(arena, list->n, sizeof *sorted);
    if (!order || !moved || !sorted) {
        return false;
    }
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->finding[i].status == ASSAY_CHECK_BAD) {
            list->finding[i].root = find_cause(rules, list, i);
        }
    }
    for (uint32_t i = 0; i < list->n; i++) {
        const assay_doctor_finding_t *finding = &list->finding[i];
        const uint32_t root = root_of(list, i);
        uint32_t depth = 0;
        for (int32_t k = finding->root; k >= 0 && depth < list->n; depth++) {
            k = list->finding[k].root;
        }
        order[i] = (order_t){.at = i,
                             .root = root,
                             .depth = depth,
                             .status = finding->status,
                             .severity = finding->severity,
                             .worst = finding->severity,
                             .id = finding->check->id,
                             .root_id = list->finding[root].check->id};
    }
    for (uint32_t i = 0; i < list->n; i++) {
        for (uint32_t k = 0; k < list->n; k++) {
            if (order[i].root == order[k].root && order[k].severity < order[i].worst) {
                order[i].worst = order[k].severity;
            }
        }
    }
    qsort(order, list->n, sizeof *order, compare_order);
    for (uint32_t i = 0; i < list->n; i++) {
        moved[order[i].at] = (int32_t)i;
        sorted[i] = list->finding[order[i].at];
    }
    for (uint32_t i = 0; i < list->n; i++) {
        sorted[i].root = sorted[i].root >= 0 ? moved[sorted[i].root] : -1;
    }
    list->finding = sorted;
    return true;
}

/* --- all of it ------------------------------------------------------------------------------- */

static void run(host_check_t *check, const host_check_row_t *row, findings_t *list) {
    check->row = assay_host_rules_check(check->rules, row->id);
    assert(check->row && "every check has a row of data/checks.csv"); /* with a known condition */
    check->n_report = check->n_fill = 0;
    check->stated = false;
    const host_condition_t *applies = host_condition_find(check->row->applies);
    if (applies->ask && applies->ask(check->host) == HOST_NO) {
        host_check_none(check, "%s", host_check_said(check, applies->otherwise));
    } else {
        row->evaluate(check);
    }
    gather(check, list);
}

static void summarise(const findings_t *list, assay_diagnosis_t *out) {
    for (uint32_t i = 0; i < list->n; i++) {
        const assay_doctor_finding_t *finding = &list->finding[i];
        out->n_status[finding->status]++;
        if (finding->status == ASSAY_CHECK_BAD) {
            out->n_severity[finding->severity]++;
            out->reached |= finding->severity <= out->threshold;
        }
    }
    bool worse_than_info = false;
    for (int s = 0; s < ASSAY_SEVERITY_INFO; s++) {
        worse_than_info |= out->n_severity[s] > 0;
    }
    out->first = worse_than_info ? 0 : -1;
    out->finding = list->finding;
    out->n_finding = list->n;
}

assay_status_t assay_doctor(assay_arena_t *arena, const assay_host_rules_t *rules,
                            const assay_host_t *host, const assay_doctor_options_t *options,
                            assay_diagnosis_t **out_diagnosis, assay_error_t *err) {
    assay_status_t status = check_words(rules, options->only, options->n_only, err);
    if (status == ASSAY_OK) {
        status = check_words(rules, options->skip, options->n_skip, err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    assay_diagnosis_t *diagnosis = assay_arena_alloc(arena, sizeof *diagnosis);
    host_check_t check = {.arena = arena,
                          .rules = rules,
                          .host = host,
                          .report = assay_arena_array(arena, REPORTS_MAX, sizeof(report_t))};
    findings_t list = {0};
    if (!diagnosis || !check.report) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t g = 0; g < host_check_group_n; g++) {
        for (uint32_t i = 0; i < host_check_group[g]->n; i++) {
            if (selected(options, host_check_group[g]->row[i].id)) {
                run(&check, &host_check_group[g]->row[i], &list);
            }
        }
    }
    if (check.full || !arrange(arena, rules, &list)) {
        return assay_error_memory(err, NULL);
    }
    *diagnosis = (assay_diagnosis_t){.host = host, .threshold = options->threshold};
    summarise(&list, diagnosis);
    if (!host_visible_report(arena, rules, host, diagnosis) ||
        !host_partition_report(arena, rules, host, diagnosis)) {
        return assay_error_memory(err, NULL);
    }
    *out_diagnosis = diagnosis;
    return ASSAY_OK;
}
