#include <string.h>

#include "report/scan_view.h"

#include "base/banned.h"

#define N_GROUPS 12u
#define N_RULES 20u

#define TEXT(id) assay_view_message(view, ASSAY_MSG_SCAN_##id)

static void write_effort(assay_view_t *view, const assay_scan_view_t *s) {
    static const char *const column[] = {"", "p10", "p50", "p90"};
    assay_scan_effort_row_t row[ASSAY_SCAN_EFFORT_ROWS];
    const char *note[ASSAY_SCAN_NOTES];
    assay_table_t *table = assay_view_table(view, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assay_table_column(table, i, column[i], "", i > 0);
    }
    assay_scan_effort_rows(s->scan, row);
    for (uint32_t i = 0; i < ASSAY_SCAN_EFFORT_ROWS; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_message(view, row[i].name));
        assay_table_cell(table, 1, assay_view_cell(view, row[i].days->p10_days));
        assay_table_cell(table, 2, assay_view_cell(view, row[i].days->p50_days));
        assay_table_cell(table, 3, assay_view_cell(view, row[i].days->p90_days));
    }
    assay_text_heading(view, TEXT(HEADING_EFFORT));
    assay_text_table(view, table, 0);
    const uint32_t n = assay_scan_effort_notes(view, s->scan, note);
    for (uint32_t i = 0; i < n; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", note[i]);
    }
}

static void write_frameworks(assay_view_t *view, const assay_scan_view_t *s) {
    const assay_port_scan_t *scan = s->scan;
    if (scan->n_framework == 0) {
        return;
    }
    assay_table_t *table = assay_view_table(view, 4);
    assay_table_column(table, 0, TEXT(COLUMN_FRAMEWORK), "", false);
    assay_table_column(table, 1, TEXT(COLUMN_FILES), "", true);
    assay_table_column(table, 2, TEXT(COLUMN_VERSIONS), "", false);
    assay_table_column(table, 3, TEXT(COLUMN_HOW), "", false);
    for (uint32_t i = 0; i < scan->n_framework; i++) {
        const assay_port_framework_t *f = &scan->framework[i];
        assay_table_row(table);
        assay_table_cell(table, 0, f->name);
        assay_table_cellf(table, 1, "%u", f->files);
        assay_table_cell(table, 2,
                         assay_view_cut(view, f->listed ? f->versions : TEXT(NOT_LISTED), 24));
        assay_table_cell(table, 3, assay_view_cut(view, f->how, 50));
    }
    assay_text_heading(view, SAY(view, SCAN_HEADING_FRAMEWORKS, assay_scan_rocm(view, scan),
                                 assay_view_or_empty(scan->options.target)));
    assay_text_table(view, table, 0);
}

static void write_levels(assay_view_t *view, const assay_scan_view_t *s) {
    assay_text_heading(view, TEXT(HEADING_FINDINGS));
    if (s->n_new == 0) {
        assay_text_wrap(view, ASSAY_STYLE_GOOD, "  ", TEXT(NONE));
    } else {
        assay_table_t *table = assay_view_table(view, 5);
        assay_table_column(table, 0, TEXT(COLUMN_EFFECT), "", false);
        for (uint32_t level = 1; level <= 3; level++) {
            assay_table_column(table, level,
                               SAY(view, SCAN_COLUMN_LEVEL, assay_view_count(view, level)), "",
                               true);
        }
        assay_table_column(table, 4, TEXT(COLUMN_ALL), "", true);
        for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
            assay_table_row(table);
            assay_table_cell(table, 0, assay_effect_name((assay_effect_t)e));
            for (uint32_t level = 1; level <= 4; level++) {
                assay_table_cellf(table, level, "%u", s->by_level[e][level % 4]);
            }
        }
        assay_text_table(view, table, 0);
    }
    if (s->n_known > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SCAN_KNOWN, assay_view_count(view, s->n_known)));
    }
}

static void write_more(assay_view_t *view, uint32_t n, uint32_t shown) {
    if (n > shown) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SCAN_MORE, assay_view_count(view, n - shown)));
    }
}

typedef enum { OF_FILES, OF_LIBRARIES, OF_DIRECTORIES } groups_t;

/* Only those with a finding. */
static void write_groups(assay_view_t *view, const char *heading, const char *name,
                         const assay_scan_group_t *group, uint32_t n, groups_t of) {
    const bool directories = of == OF_DIRECTORIES;
    uint32_t with = 0;
    while (with < n && group[with].all > 0) {
        with++;
    }
    if (with == 0) {
        return;
    }
    const uint32_t shown = with < N_GROUPS ? with : N_GROUPS;
    const uint32_t first = directories ? 4 : of == OF_LIBRARIES ? 2 : 1;
    assay_table_t *table = assay_view_table(view, first + ASSAY_EFFECT_N);
    assay_table_column(table, 0, name, "", false);
    if (of != OF_FILES) {
        assay_table_column(table, 1, TEXT(COLUMN_FILES), "", true);
    }
    if (directories) {
        assay_table_column(table, 2, TEXT(COLUMN_LINES), "", true);
        assay_table_column(table, 3, TEXT(COLUMN_RESIDUAL), "", true);
    }
    for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
        assay_table_column(table, first + e, assay_effect_name((assay_effect_t)e), "", true);
    }
    for (uint32_t i = 0; i < shown; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_cut(view, group[i].name, of == OF_FILES ? 60 : 40));
        if (of != OF_FILES) {
            assay_table_cellf(table, 1, "%u", group[i].files);
        }
        if (directories) {
            assay_table_cellf(table, 2, "%llu", (unsigned long long)group[i].lines);
            assay_table_cellf(table, 3, "%.0f", group[i].residual_lines);
        }
        for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
            assay_table_cellf(table, first + e, "%u", group[i].finding[e]);
        }
    }
    assay_text_heading(view, heading);
    assay_text_table(view, table, 0);
    write_more(view, with, shown);
}

static void write_rules(assay_view_t *view, const assay_scan_view_t *s) {
    const uint32_t shown = s->n_rule < N_RULES ? s->n_rule : N_RULES;
    if (shown == 0) {
        return;
    }
    assay_text_heading(view, TEXT(HEADING_RULES));
    for (uint32_t i = 0; i < shown; i++) {
        const assay_scan_group_t *rule = &s->rule[i];
        const assay_port_finding_t *f = rule->first;
        const assay_style_t style =
            rule->worst == ASSAY_EFFECT_SILENT ? ASSAY_STYLE_WARN : ASSAY_STYLE_PLAIN;
        const char *message = assay_scan_message(view, f);
        assay_text_wrap(
            view, style,
            assay_view_format(view, "  %-8s", assay_effect_name((assay_effect_t)f->effect)),
            assay_view_format(view, "%s x%u: %s:%u:%u%s%s", rule->name, rule->all, f->at.file,
                              f->at.line, f->at.column, f->api && f->api[0] ? " " : "",
                              assay_view_or_empty(f->api)));
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "          ", message);
        if (f->replacement && f->replacement[0]) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "          ",
                            SAY(view, SCAN_INSTEAD, f->replacement));
        }
    }
    write_more(view, s->n_rule, shown);
}

static void write_skipped(assay_view_t *view, const assay_scan_view_t *s) {
    uint32_t shown = 0;
    if (s->n_skipped == 0) {
        return;
    }
    assay_text_heading(view, TEXT(HEADING_SKIPPED));
    for (uint32_t i = 0; i < s->scan->n_file && shown < N_GROUPS; i++) {
        const assay_port_file_t *file = &s->scan->file[i];
        if (file->skipped && strcmp(file->skipped, ASSAY_PORT_OTHER_KIND) != 0) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                            assay_view_format(view, "%s: %s", file->path, file->skipped));
            shown++;
        }
    }
    write_more(view, s->n_skipped - s->n_other, shown);
    if (s->n_other > 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SCAN_OTHER_KINDS, assay_view_count(view, s->n_other)));
    }
}

void assay_scan_write_text(assay_view_t *view, const assay_scan_view_t *s) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", assay_scan_sentence(view, s));
    if (s->scan->effort.hip_fit >= 0.0 || s->n_new > 0) {
        write_effort(view, s);
        write_frameworks(view, s);
    }
    write_levels(view, s);
    write_rules(view, s);
    write_groups(view, TEXT(HEADING_DIRECTORIES), TEXT(COLUMN_DIRECTORY), s->directory,
                 s->n_directory, OF_DIRECTORIES);
    if (s->n_file > 1) {
        write_groups(view, TEXT(HEADING_FILES), TEXT(COLUMN_FILE), s->file, s->n_file, OF_FILES);
    }
    write_groups(view, TEXT(HEADING_LIBRARIES), TEXT(COLUMN_LIBRARY), s->library, s->n_library,
                 OF_LIBRARIES);
    write_skipped(view, s);
}
