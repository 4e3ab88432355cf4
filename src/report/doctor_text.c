#include <string.h>

#include "assay/text.h"
#include "report/doctor_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_DOCTOR_##id)

static const char *counted(assay_view_t *view, uint32_t n, assay_message_t one,
                           assay_message_t many) {
    const char *text = assay_view_count(view, n);
    return assay_view_sentence(view, n == 1 ? one : many, &text, 1);
}

const char *assay_doctor_sentence(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    const uint32_t n_checks = diagnosis->n_status[ASSAY_CHECK_GOOD] +
                              diagnosis->n_status[ASSAY_CHECK_NOT_APPLICABLE] +
                              diagnosis->n_status[ASSAY_CHECK_NOT_CHECKED];
    static const assay_message_t one[ASSAY_SEVERITY_N] = {
        [ASSAY_SEVERITY_CRITICAL] = ASSAY_MSG_DOCTOR_CRITICAL,
        [ASSAY_SEVERITY_ERROR] = ASSAY_MSG_DOCTOR_ERROR,
        [ASSAY_SEVERITY_WARNING] = ASSAY_MSG_DOCTOR_WARNING,
        [ASSAY_SEVERITY_INFO] = ASSAY_MSG_DOCTOR_INFO};
    static const assay_message_t many[ASSAY_SEVERITY_N] = {
        [ASSAY_SEVERITY_CRITICAL] = ASSAY_MSG_DOCTOR_CRITICALS,
        [ASSAY_SEVERITY_ERROR] = ASSAY_MSG_DOCTOR_ERRORS,
        [ASSAY_SEVERITY_WARNING] = ASSAY_MSG_DOCTOR_WARNINGS,
        [ASSAY_SEVERITY_INFO] = ASSAY_MSG_DOCTOR_INFOS};
    const char *bad = "";
    for (int s = 0; s < ASSAY_SEVERITY_N; s++) {
        if (diagnosis->n_severity[s] > 0) {
            const char *part = counted(view, diagnosis->n_severity[s], one[s], many[s]);
            bad = assay_view_format(view, "%s%s%s", bad, *bad ? ", " : "", part);
        }
    }
    const char *good = counted(view, diagnosis->n_status[ASSAY_CHECK_GOOD],
                               ASSAY_MSG_DOCTOR_ONE_GOOD, ASSAY_MSG_DOCTOR_N_GOOD);
    const char *unknown = counted(view, diagnosis->n_status[ASSAY_CHECK_NOT_CHECKED],
                                  ASSAY_MSG_DOCTOR_ONE_UNKNOWN, ASSAY_MSG_DOCTOR_N_UNKNOWN);
    const char *none = counted(view, diagnosis->n_status[ASSAY_CHECK_NOT_APPLICABLE],
                               ASSAY_MSG_DOCTOR_ONE_NONE, ASSAY_MSG_DOCTOR_N_NONE);
    return *bad           ? SAY(view, DOCTOR_BAD, diagnosis->host->name, bad, good, unknown, none)
           : n_checks > 0 ? SAY(view, DOCTOR_NONE_BAD, diagnosis->host->name, good, unknown, none)
                          : SAY(view, DOCTOR_NO_CHECKS, diagnosis->host->name);
}

const char *assay_doctor_ids(assay_view_t *view, const assay_diagnosis_t *diagnosis,
                             assay_check_status_t status) {
    const char *ids = "";
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        if (finding->status == status) {
            ids = assay_view_format(view, "%s%s%s", ids, *ids ? " " : "", finding->check->id);
        }
    }
    return ids;
}

const char *assay_doctor_plain(assay_view_t *view, const char *text) {
    const char *result = "";
    while (*text) {
        const size_t n = strcspn(text, "{");
        const char *end = strchr(text + n, '}');
        if (!end) {
            return assay_view_join(view, result, text);
        }
        const char *name = text + n + 1;
        const size_t n_name = strcspn(name, "|}");
        const char *shown = name[n_name] == '|' ? name + n_name + 1 : name;
        result =
            assay_view_format(view, "%s%.*s%.*s", result, (int)n, text, (int)(end - shown), shown);
        text = end + 1;
    }
    return result;
}

static void write_part(assay_view_t *view, const char *indent, const char *word, const char *text) {
    if (*text) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN,
                        assay_view_format(view, "%s          %-8s ", indent, word), text);
    }
}

/* A consequence stands under its cause, shorter: what to do is with the cause. */
static void write_finding(assay_view_t *view, const assay_doctor_finding_t *finding) {
    const bool folded = finding->root >= 0;
    const char *indent = folded ? "    " : "";
    const char *severity = assay_severity_name((assay_severity_t)finding->severity);
    const char *title =
        folded ? SAY(view, DOCTOR_FOLLOWS, finding->check->title) : finding->check->title;
    assay_text_line(view);
    assay_text_wrap(view,
                    finding->severity <= ASSAY_SEVERITY_WARNING && !folded ? ASSAY_STYLE_WARN
                                                                           : ASSAY_STYLE_PLAIN,
                    assay_view_format(view, "%s%-9s %-8s ", indent, severity, finding->check->id),
                    title);
    write_part(view, indent, TEXT(SEEN),
               finding->stated ? SAY(view, DOCTOR_STATED, finding->evidence) : finding->evidence);
    if (!folded) {
        write_part(view, indent, TEXT(WHY), finding->cause);
        write_part(view, indent, TEXT(DO), finding->fix);
        write_part(view, indent, TEXT(CHECK), finding->verify);
    }
}

static void write_unread(assay_view_t *view, const assay_host_t *host) {
    bool any = false;
    for (uint32_t i = 0; i < host->n_source; i++) {
        const assay_host_source_t *source = &host->source[i];
        if (!source->reason) {
            continue;
        }
        if (!any) {
            assay_text_heading(view, TEXT(HEADING_UNREAD));
        }
        any = true;
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        assay_view_format(view, "%s: %s", source->file, source->reason));
    }
}

/* "This process sees 2 devices: 2, 3." */
static const char *devices_of(assay_view_t *view, const assay_visible_t *visible) {
    const char *text = "";
    for (uint32_t i = 0; visible->named && i < visible->n_device; i++) {
        text = assay_view_format(view, "%s%s%u", text, i > 0 ? ", " : ": ", visible->device[i]);
    }
    return text;
}

const char *assay_doctor_visible(assay_view_t *view, const assay_visible_t *visible) {
    const char *n = assay_view_count(view, visible->n_device), *which = devices_of(view, visible);
    const bool one = visible->n_device == 1;
    if (!visible->known) {
        return SAY(view, DOCTOR_CASE_UNKNOWN, visible->name);
    }
    if (*visible->name) {
        return one ? SAY(view, DOCTOR_CASE_SEES_ONE, visible->name, n, which)
                   : SAY(view, DOCTOR_CASE_SEES, visible->name, n, which);
    }
    return one ? SAY(view, DOCTOR_SEES_ONE, n, which) : SAY(view, DOCTOR_SEES, n, which);
}

const char *assay_doctor_partition(assay_view_t *view, const assay_partition_answer_t *answer) {
    const char *n = assay_view_count(view, answer->devices);
    return !answer->known  ? SAY(view, DOCTOR_MODES_UNKNOWN, answer->compute, answer->memory)
           : answer->legal ? SAY(view, DOCTOR_MODES_LEGAL, answer->compute, answer->memory, n)
                           : SAY(view, DOCTOR_MODES_ILLEGAL, answer->compute, answer->memory);
}

static void write_answers(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    for (uint32_t i = 0; i < diagnosis->n_visible; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        assay_doctor_visible(view, &diagnosis->visible[i]));
    }
    for (uint32_t i = 0; i < diagnosis->n_partition; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        assay_doctor_partition(view, &diagnosis->partition[i]));
    }
}

void assay_doctor_write_text(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", assay_doctor_sentence(view, diagnosis));
    if (diagnosis->first >= 0) {
        const assay_doctor_finding_t *first = &diagnosis->finding[diagnosis->first];
        assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                        SAY(view, DOCTOR_FIRST, first->check->id, first->check->title));
    }
    write_answers(view, diagnosis);
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        if (diagnosis->finding[i].status == ASSAY_CHECK_BAD) {
            write_finding(view, &diagnosis->finding[i]);
        }
    }
    const char *good = assay_doctor_ids(view, diagnosis, ASSAY_CHECK_GOOD),
               *unknown = assay_doctor_ids(view, diagnosis, ASSAY_CHECK_NOT_CHECKED);
    if (*good) {
        assay_text_heading(view, TEXT(HEADING_GOOD));
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", good);
    }
    if (*unknown) {
        assay_text_heading(view, TEXT(HEADING_UNKNOWN));
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", unknown);
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", TEXT(UNKNOWN_HOW));
    }
    write_unread(view, diagnosis->host);
}

/* --- checks ---------------------------------------------------------------------------------- */

/* wide: with what a check reads and where it is from. */
static assay_table_t *checks_table(assay_view_t *view, const assay_checks_t *checks, bool wide) {
    assay_table_t *table = assay_view_table(view, wide ? 5 : 3);
    assay_table_column(table, 0, TEXT(COLUMN_CHECK), "", false);
    assay_table_column(table, 1, TEXT(COLUMN_SEVERITY), "", false);
    assay_table_column(table, 2, TEXT(COLUMN_TITLE), "", false);
    if (wide) {
        assay_table_column(table, 3, TEXT(READS), "", false);
        assay_table_column(table, 4, TEXT(SOURCE), "", false);
    }
    for (uint32_t i = 0; i < checks->n; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, checks->check[i].id);
        assay_table_cell(table, 1,
                         assay_severity_name((assay_severity_t)checks->check[i].severity));
        assay_table_cell(table, 2, checks->check[i].title);
        if (wide) {
            assay_table_cell(table, 3, checks->check[i].reads);
            assay_table_cell(table, 4, checks->check[i].source);
        }
    }
    return table;
}

void assay_checks_write_text(assay_view_t *view, const assay_checks_t *checks) {
    assay_table_print(checks_table(view, checks, false), ASSAY_TABLE_TEXT, view->width, view->out);
}

void assay_checks_write_csv(assay_view_t *view, const assay_checks_t *checks) {
    assay_table_print(checks_table(view, checks, true), ASSAY_TABLE_CSV, 0, view->out);
}

void assay_checks_write_markdown(assay_view_t *view, const assay_checks_t *checks) {
    assay_table_print(checks_table(view, checks, true), ASSAY_TABLE_MARKDOWN, 0, view->out);
}

void assay_check_write_text(assay_view_t *view, const assay_checks_t *checks) {
    const assay_check_t *check = checks->check;
    const struct {
        const char *word, *text;
    } row[] = {{TEXT(APPLIES), assay_view_phrase(view, check->applies)},
               {TEXT(CONDITION), check->condition},
               {TEXT(WHY), check->cause},
               {TEXT(READS), check->reads},
               {TEXT(DO), check->fix},
               {TEXT(CHECK), check->verify},
               {TEXT(SOURCE), check->source},
               {TEXT(MORE), check->reference}};
    assay_text_wrap(view, ASSAY_STYLE_BOLD,
                    assay_view_format(view, "%s %s: ", check->id,
                                      assay_severity_name((assay_severity_t)check->severity)),
                    check->title);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (*row[i].text) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN,
                            assay_view_format(view, "  %-8s ", row[i].word),
                            assay_doctor_plain(view, row[i].text));
        }
    }
    for (uint32_t i = 0; i < check->n_threshold; i++) {
        const assay_check_threshold_t *threshold = &check->threshold[i];
        char value[32];
        assay_text_from_double(value, threshold->value);
        assay_text_wrap(
            view, ASSAY_STYLE_PLAIN, assay_view_format(view, "  %-8s ", i == 0 ? TEXT(LIMIT) : ""),
            SAY(view, DOCTOR_LIMIT_FROM, threshold->id, value,
                strcmp(threshold->unit, "1") == 0 ? "" : " ",
                strcmp(threshold->unit, "1") == 0 ? "" : threshold->unit, threshold->source));
    }
}
