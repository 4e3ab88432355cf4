/* For a pull request or a wiki: the terminal's order, as Markdown. */
#include <string.h>

#include "report/study_view.h"

#include "base/banned.h"

void assay_markdown_text(assay_view_t *view, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, "<&\\`*[]|\t\r\n");
        assay_buf_printable(view->out, text, n);
        text += n;
        if (*text == '<' || *text == '&') {
            assay_buf_puts(view->out, *text == '<' ? "&lt;" : "&amp;");
        } else if ((unsigned char)*text < 0x20) {
            assay_buf_puts(view->out, *text ? " " : "");
        } else {
            assay_buf_printf(view->out, "\\%c", *text);
        }
        text += *text != '\0';
    }
}

static void put_heading(assay_view_t *view, const char *text) {
    assay_buf_puts(view->out, "\n## ");
    assay_markdown_text(view, text);
    assay_buf_puts(view->out, "\n\n");
}

static void put_item(assay_view_t *view, const char *text) {
    assay_buf_puts(view->out, "- ");
    assay_markdown_text(view, text);
    assay_buf_add(view->out, "\n", 1);
}

static void put_table(assay_view_t *view, const char *heading, const assay_table_t *table) {
    put_heading(view, heading);
    assay_table_print(table, ASSAY_TABLE_MARKDOWN, 0, view->out);
}

static void write_candidates(assay_view_t *view, const assay_decision_t *decision) {
    put_table(view, assay_decision_cost_heading(view, decision),
              assay_decision_cost_table(view, decision));
    put_table(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_SPEED),
              assay_decision_speed_table(view, decision));
    put_table(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_LAYOUT),
              assay_decision_layout_table(view, decision));
    bool any = false;
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const char *why = assay_view_why_not(view, decision, &decision->candidate[i]);
        if (why) {
            assay_buf_puts(view->out, any ? "" : "\n");
            put_item(view, why);
            any = true;
        }
    }
}

static void write_rules(assay_view_t *view, const assay_decision_t *decision) {
    static const assay_message_t state[] = {[ASSAY_RULE_YES] = ASSAY_MSG_REPORT_YES,
                                            [ASSAY_RULE_NO] = ASSAY_MSG_REPORT_NO,
                                            [ASSAY_RULE_UNKNOWN] = ASSAY_MSG_REPORT_UNKNOWN};
    assay_table_t *table = assay_view_table(view, 4);
    if (decision->n_rule == 0) {
        return;
    }
    static const assay_message_t name[] = {
        ASSAY_MSG_REPORT_COLUMN_STATE, ASSAY_MSG_REPORT_COLUMN_RULE,
        ASSAY_MSG_REPORT_COLUMN_EVIDENCE, ASSAY_MSG_REPORT_COLUMN_SOURCE};
    for (uint32_t c = 0; c < 4; c++) {
        assay_table_column(table, c, assay_view_message(view, name[c]), "", false);
    }
    for (uint32_t i = 0; i < decision->n_rule; i++) {
        const assay_rule_t *rule = &decision->rule[i];
        assay_table_row(table);
        assay_table_cell(table, 0, assay_view_message(view, state[rule->state]));
        assay_table_cell(table, 1, rule->text);
        assay_table_cell(table, 2, rule->evidence);
        assay_table_cell(table, 3, rule->source);
    }
    if (assay_view_any_moves(decision)) {
        put_table(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_RULES), table);
        assay_buf_add(view->out, "\n", 1);
    } else {
        put_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_RULES));
    }
    assay_markdown_text(view, decision->rules_sentence);
    assay_buf_add(view->out, "\n", 1);
}

static void write_warnings(assay_view_t *view, const assay_decision_t *decision) {
    bool any = false;
    for (uint32_t i = 0; i < decision->n_note; i++) {
        if (decision->note[i].kind == ASSAY_NOTE_WARNING) {
            if (!any) {
                put_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_WARNINGS));
                any = true;
            }
            put_item(view, assay_view_note_sourced(view, &decision->note[i]));
        }
    }
}

static void write_assumptions(assay_view_t *view, const assay_decision_t *decision) {
    static const assay_message_t name[] = {ASSAY_MSG_REPORT_COLUMN_SUBJECT,
                                           ASSAY_MSG_REPORT_COLUMN_VALUE,
                                           ASSAY_MSG_REPORT_COLUMN_SOURCE};
    assay_table_t *table = assay_view_table(view, 3);
    for (uint32_t c = 0; c < 3; c++) {
        assay_table_column(table, c, assay_view_message(view, name[c]), "", false);
    }
    for (uint32_t i = 0; i < decision->n_note; i++) {
        const assay_note_t *note = &decision->note[i];
        if (note->kind == ASSAY_NOTE_ASSUMPTION) {
            assay_table_row(table);
            assay_table_cell(table, 0, note->subject);
            assay_table_cell(table, 1, assay_view_or_empty(note->value));
            assay_table_cell(table, 2, assay_view_note_basis(view, note));
        }
    }
    put_table(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_ASSUMPTIONS), table);
}

void assay_decision_write_markdown(assay_view_t *view, const assay_decision_t *decision) {
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, decision->resolved->name
                                  ? decision->resolved->name
                                  : assay_view_message(view, ASSAY_MSG_REPORT_TITLE));
    assay_buf_puts(view->out, "\n\n**");
    assay_markdown_text(view, decision->sentence);
    assay_buf_puts(view->out, "**\n");
    write_candidates(view, decision);
    put_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_WHY));
    for (uint32_t i = 0; i < decision->n_reason; i++) {
        put_item(view, decision->reason[i].text);
    }
    double share;
    if (assay_view_break_even(decision, &share) != ASSAY_EVEN_NONE) {
        put_item(view, assay_view_break_even_sentence(view, decision));
    }
    const char *tco = assay_view_tco_sentence(view, decision);
    if (tco) {
        put_item(view, tco);
    }
    if (decision->n_flip > 0) {
        put_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_FLIPS));
    }
    for (uint32_t i = 0; i < decision->n_flip; i++) {
        put_item(view, decision->flip[i].sentence);
    }
    const assay_study_t study = assay_study_of_decision(decision);
    assay_study_write_markdown(view, &study);
    write_rules(view, decision);
    write_warnings(view, decision);
    write_assumptions(view, decision);
}
