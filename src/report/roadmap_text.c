/* The plan of a move as text, Markdown and CSV. */
#include <math.h>
#include <string.h>

#include "report/roadmap_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_##id)

const char *assay_roadmap_date(assay_view_t *view, const assay_roadmap_t *map, double days) {
    char text[11];
    assay_day_format(map->of.start + (assay_day_t)lround(days), text);
    return assay_view_format(view, "%s", text);
}

static bool is_speed(const assay_gate_t *gate) {
    return gate->value > 1; /* a share is at most 1 */
}

const char *assay_roadmap_gate(assay_view_t *view, const assay_roadmap_t *map,
                               const assay_gate_t *gate) {
    const char *text = assay_view_phrase(view, gate->text);
    const char *at = strstr(text, "{value}");
    if (!at) {
        return text;
    }
    const char *value =
        !gate->has_value ? TEXT(ROADMAP_NOT_KNOWN)
        : is_speed(gate)
            ? assay_view_format(view, "%s %s", assay_view_number(view, gate->value), map->of.unit)
            : assay_view_percent(view, gate->value);
    return assay_view_format(view, "%.*s%s%s", (int)(at - text), text, value,
                             at + strlen("{value}"));
}

static const char *days_text(assay_view_t *view, assay_range_t range) {
    return !(range.p90 > 0) ? ""
           : range.p90 - range.p10 < 0.5
               ? assay_view_format(view, "%.0f", range.p50)
               : assay_view_format(view, "%.0f (%.0f-%.0f)", range.p50, range.p10, range.p90);
}

static assay_table_t *phases(assay_view_t *view, const assay_roadmap_t *map) {
    static const assay_view_column_t column[] = {
        {ASSAY_MSG_ROADMAP_COLUMN_PHASE, "", false},  {ASSAY_MSG_ROADMAP_COLUMN_WEEKS, "", true},
        {ASSAY_MSG_ROADMAP_COLUMN_FROM, "", false},   {ASSAY_MSG_ROADMAP_COLUMN_TO, "", false},
        {ASSAY_MSG_ROADMAP_COLUMN_LATEST, "", false}, {ASSAY_MSG_ROADMAP_COLUMN_DAYS, "", true},
        {ASSAY_MSG_ROADMAP_COLUMN_COST, "", true}};
    assay_table_t *table = assay_view_table_of(view, column, sizeof column / sizeof column[0]);
    assay_table_whole(table, 0);
    for (uint32_t i = 0; i < map->n_phase; i++) {
        const assay_phase_t *phase = &map->phase[i];
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_phrase(view, phase->name));
        assay_table_cell(table, 2, assay_roadmap_date(view, map, phase->start));
        assay_table_cell(table, 5, days_text(view, phase->total_days));
        assay_table_cell(table, 6, assay_view_quantity(view, phase->usd, ASSAY_DIM_MONEY));
        if (phase->endless) {
            assay_table_cell(table, 3, TEXT(ROADMAP_A_YEAR));
            continue;
        }
        assay_table_cellf(table, 1, "%.1f (%.1f-%.1f)", phase->weeks.p50, phase->weeks.p10,
                          phase->weeks.p90);
        assay_table_cell(table, 3, assay_roadmap_date(view, map, phase->end.p50));
        assay_table_cell(table, 4, assay_roadmap_date(view, map, phase->end.p90));
    }
    return table;
}

static assay_table_t *roles(assay_view_t *view, const assay_roadmap_t *map) {
    static const assay_view_column_t column[] = {{ASSAY_MSG_ROADMAP_COLUMN_PHASE, "", false},
                                                 {ASSAY_MSG_ROADMAP_ROLE_APPLICATION, "", true},
                                                 {ASSAY_MSG_ROADMAP_ROLE_KERNELS, "", true},
                                                 {ASSAY_MSG_ROADMAP_ROLE_PLATFORM, "", true},
                                                 {ASSAY_MSG_ROADMAP_ROLE_ALL, "", true}};
    assay_table_t *table = assay_view_table_of(view, column, sizeof column / sizeof column[0]);
    assay_table_whole(table, 0);
    for (uint32_t i = 0; i < map->n_phase; i++) {
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_phrase(view, map->phase[i].name));
        for (int k = 0; k < ASSAY_ROLE_N; k++) {
            assay_table_cell(table, 1 + (uint32_t)k, days_text(view, map->phase[i].days[k]));
        }
    }
    return table;
}

static const char *summary(assay_view_t *view, const assay_roadmap_t *map) {
    return SAY(view, ROADMAP_SUMMARY, map->of.target->id,
               assay_view_format(view, "%.0f", map->weeks.p50),
               assay_view_format(view, "%.0f", map->weeks.p10),
               assay_view_format(view, "%.0f", map->weeks.p90),
               assay_roadmap_date(view, map, 7 * map->weeks.p50),
               assay_view_count(view, map->of.team), days_text(view, map->days),
               assay_view_quantity(view, map->usd + map->contingency_usd, ASSAY_DIM_MONEY),
               assay_view_quantity(view, map->contingency_usd, ASSAY_DIM_MONEY),
               assay_view_quantity(view, map->debt_usd_per_year, ASSAY_DIM_MONEY));
}

/* What is measured against what. */
static const char *against(assay_view_t *view, const assay_roadmap_t *map) {
    const assay_roadmap_case_t *of = &map->of;
    if (!of->reference || !(of->reference_per_s > 0)) {
        return SAY(view, ROADMAP_NO_REFERENCE, of->target->id);
    }
    return SAY(view, ROADMAP_REFERENCE, of->reference->id,
               assay_view_number(view, of->reference_per_s), of->unit, of->target->id,
               assay_view_number(view, of->target_per_s),
               assay_view_percent(view, of->target_per_s / of->reference_per_s));
}

void assay_roadmap_write_text(assay_view_t *view, const assay_roadmap_t *map) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", summary(view, map));
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "", against(view, map));
    assay_text_heading(view, TEXT(ROADMAP_HEADING_PHASES));
    assay_text_table(view, phases(view, map), 0);
    assay_text_heading(view, TEXT(ROADMAP_HEADING_ROLES));
    assay_text_table(view, roles(view, map), 0);
    assay_text_heading(view, TEXT(ROADMAP_HEADING_GATES));
    for (uint32_t i = 0; i < map->n_phase; i++) {
        const assay_phase_t *phase = &map->phase[i];
        assay_text_wrap(view, ASSAY_STYLE_BOLD, "  ", assay_view_phrase(view, phase->name));
        for (uint32_t k = 0; k < phase->n_gate; k++) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "    [ ] ",
                            assay_roadmap_gate(view, map, &phase->gate[k]));
        }
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "    ",
                        SAY(view, ROADMAP_ROLLBACK, assay_view_phrase(view, phase->rollback)));
    }
}

void assay_roadmap_write_markdown(assay_view_t *view, const assay_roadmap_t *map) {
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, SAY(view, ROADMAP_TITLE, map->of.target->id));
    assay_buf_puts(view->out, "\n\n");
    assay_markdown_text(view, summary(view, map));
    assay_buf_puts(view->out, "\n\n");
    assay_markdown_text(view, against(view, map));
    const assay_table_t *const table[] = {phases(view, map), roles(view, map)};
    const char *const heading[] = {TEXT(ROADMAP_HEADING_PHASES), TEXT(ROADMAP_HEADING_ROLES)};
    for (int i = 0; i < 2; i++) {
        assay_buf_puts(view->out, "\n\n## ");
        assay_markdown_text(view, heading[i]);
        assay_buf_puts(view->out, "\n\n");
        assay_table_print(table[i], ASSAY_TABLE_MARKDOWN, 0, view->out);
    }
    assay_buf_puts(view->out, "\n## ");
    assay_markdown_text(view, TEXT(ROADMAP_HEADING_GATES));
    assay_buf_puts(view->out, "\n");
    for (uint32_t i = 0; i < map->n_phase; i++) {
        const assay_phase_t *phase = &map->phase[i];
        assay_buf_puts(view->out, "\n### ");
        assay_markdown_text(view, assay_view_phrase(view, phase->name));
        assay_buf_puts(view->out, "\n\n");
        for (uint32_t k = 0; k < phase->n_gate; k++) {
            assay_buf_puts(view->out, "- [ ] ");
            assay_markdown_text(view, assay_roadmap_gate(view, map, &phase->gate[k]));
            assay_buf_puts(view->out, "\n");
        }
        assay_buf_puts(view->out, "\n");
        assay_markdown_text(view,
                            SAY(view, ROADMAP_ROLLBACK, assay_view_phrase(view, phase->rollback)));
        assay_buf_puts(view->out, "\n");
    }
}

void assay_roadmap_write_csv(assay_view_t *view, const assay_roadmap_t *map) {
    static const char *const column[] = {
        "phase",     "name",      "start",     "end_p10",          "end_p50",      "end_p90",
        "weeks_p10", "weeks_p50", "weeks_p90", "application_days", "kernels_days", "platform_days",
        "all_days",  "usd",       "gates",     "rollback",         "source"};
    enum { N = sizeof column / sizeof column[0] };
    assay_table_t *table = assay_view_table(view, N);
    for (uint32_t i = 0; i < N; i++) {
        assay_table_column(table, i, column[i], "", false);
    }
    for (uint32_t i = 0; i < map->n_phase; i++) {
        const assay_phase_t *phase = &map->phase[i];
        const char *gates = "";
        for (uint32_t k = 0; k < phase->n_gate; k++) {
            gates = assay_view_format(view, "%s%s%s", gates, k ? "; " : "",
                                      assay_roadmap_gate(view, map, &phase->gate[k]));
        }
        uint32_t at = 0;
        assay_table_row(table);
        assay_table_cell(table, at++, phase->id);
        assay_table_cell(table, at++, assay_view_phrase(view, phase->name));
        assay_table_cell(table, at++, assay_roadmap_date(view, map, phase->start));
        const double end[] = {phase->end.p10, phase->end.p50, phase->end.p90};
        for (int k = 0; k < 3; k++) {
            assay_table_cell(table, at++,
                             phase->endless ? "" : assay_roadmap_date(view, map, end[k]));
        }
        const double weeks[] = {phase->weeks.p10, phase->weeks.p50, phase->weeks.p90};
        for (int k = 0; k < 3; k++) {
            assay_table_cell(table, at++,
                             phase->endless ? "" : assay_view_format(view, "%.2f", weeks[k]));
        }
        for (int k = 0; k < ASSAY_ROLE_N; k++) {
            assay_table_cellf(table, at++, "%.1f", phase->days[k].p50);
        }
        assay_table_cellf(table, at++, "%.0f", phase->usd);
        assay_table_cell(table, at++, gates);
        assay_table_cell(table, at++, assay_view_phrase(view, phase->rollback));
        assay_table_cell(table, at, phase->source);
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
