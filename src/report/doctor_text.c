#include <string.h>

#include "report/doctor_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_DOCTOR_##id)

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
            const char *n = assay_view_count(view, diagnosis->n_severity[s]);
            const char *part =
                assay_view_sentence(view, diagnosis->n_severity[s] == 1 ? one[s] : many[s], &n, 1);
            bad = assay_view_format(view, "%s%s%s", bad, *bad ? ", " : "", part);
        }
    }
    const char *good = assay_view_count(view, diagnosis->n_status[ASSAY_CHECK_GOOD]);
    const char *unknown = assay_view_count(view, diagnosis->n_status[ASSAY_CHECK_NOT_CHECKED]);
    const char *none = assay_view_count(view, diagnosis->n_status[ASSAY_CHECK_NOT_APPLICABLE]);
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

void assay_doctor_write_text(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", assay_doctor_sentence(view, diagnosis));
    if (diagnosis->first >= 0) {
        const assay_doctor_finding_t *first = &diagnosis->finding[diagnosis->first];
        assay_text_wrap(view, ASSAY_STYLE_BOLD, "",
                        SAY(view, DOCTOR_FIRST, first->check->id, first->check->title));
    }
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
    } row[] = {{TEXT(WHY), check->cause},     {TEXT(READS), check->reads},
               {TEXT(DO), check->fix},        {TEXT(CHECK), check->verify},
               {TEXT(SOURCE), check->source}, {TEXT(MORE), check->reference}};
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
}
