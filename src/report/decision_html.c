/* One self-contained page for whoever has to defend the choice: no script, no network. The sheet
   for finance, then the appendix for engineers. */
#include <math.h>

#include "assay/run.h"
#include "report/decision_page.h"
#include "report/write.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_REPORT_##id)

static void put_item(assay_view_t *view, const char *text) {
    assay_html_printf(view->out, "<li>%s</li>\n", text);
}

/** How fast, in which layout, and how well known. */
static void write_machines(assay_view_t *view, const assay_decision_t *decision) {
    double step = 0.0, memory = 0.0, rate = 0.0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) { /* fmax ignores unknowns */
        const assay_figures_t f = assay_view_figures(decision, &decision->candidate[i]);
        step = fmax(step, f.step_s);
        rate = fmax(rate, f.tokens_per_s);
        memory = fmax(memory, f.memory_has_bytes);
    }
    const assay_scale_t time = assay_view_scale(view, ASSAY_SCALE_TIME, step);
    const assay_scale_t tokens = assay_view_scale(view, ASSAY_SCALE_COUNT, rate);
    const assay_scale_t bytes = assay_view_scale(view, ASSAY_SCALE_BYTES, memory);
    const assay_page_column_t column[] = {
        {ASSAY_MSG_REPORT_COLUMN_STEP, time.unit, false},
        {assay_view_rate_column(decision->resolved->workload.net.sample), tokens.unit, false},
        {ASSAY_MSG_REPORT_COLUMN_MFU, "%", false},
        {ASSAY_MSG_REPORT_COLUMN_POWER, "W", false},
        {ASSAY_MSG_REPORT_COLUMN_MEMORY, bytes.unit, false},
        {ASSAY_MSG_REPORT_COLUMN_BASIS, "", false}};
    assay_page_columns(view, TEXT(HEADING_SPEED), column, sizeof column / sizeof column[0]);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_candidate_t *candidate = &decision->candidate[i];
        const assay_figures_t f = assay_view_figures(decision, candidate);
        assay_page_candidate(view, decision, i);
        if (!candidate->fits) {
            assay_html_printf(view->out, "</th><td class=\"why\" colspan=\"6\">%s</td></tr>\n",
                              assay_view_why_not(view, decision, candidate));
            continue;
        }
        assay_html_printf(view->out, "<span class=\"sub\">%s</span></th>",
                          assay_view_layout(view, &candidate->plan.best.layout));
        assay_page_number(view, assay_view_cell(view, f.step_s / time.one), "");
        assay_page_number(view, assay_view_cell(view, f.tokens_per_s / tokens.one), "");
        assay_page_number(view, assay_view_cell(view, 100.0 * f.mfu), "");
        assay_page_number(view, assay_view_cell(view, f.device_w), "");
        assay_page_number(
            view, assay_view_cell(view, f.memory_bytes / bytes.one),
            SAY(view, REPORT_OF, assay_view_number(view, f.memory_has_bytes / bytes.one)));
        assay_html_printf(view->out, "<td class=\"n key\">%s</td></tr>\n",
                          assay_view_basis(view, candidate->plan.best.basis));
    }
    assay_html_printf(view->out, "</tbody></table></div>\n<p class=\"sub\">%s</p>\n",
                      TEXT(MACHINES_FOOT));
}

/** The table of terms, of inputs, and what measuring is worth. */
static void write_money(assay_view_t *view, const assay_decision_t *decision) {
    const assay_study_t study = assay_study_of_decision(decision);
    assay_page_table(view, TEXT(HEADING_TERMS), assay_decision_terms_table(view, decision));
    assay_page_study(view, &study);
}

static void write_why(assay_view_t *view, const assay_decision_t *decision) {
    assay_buf_puts(view->out, "<div class=\"two\">\n<section>\n");
    assay_page_heading(view, TEXT(HEADING_WHY));
    assay_buf_puts(view->out, "<ul>\n");
    for (uint32_t i = 0; i < decision->n_reason; i++) {
        put_item(view, decision->reason[i].text);
    }
    assay_buf_puts(view->out, "</ul>\n</section>\n");
    if (decision->n_flip > 0) {
        assay_buf_puts(view->out, "<section>\n");
        assay_page_heading(view, TEXT(HEADING_FLIPS));
        assay_buf_puts(view->out, "<ul>\n");
        for (uint32_t i = 0; i < decision->n_flip; i++) {
            put_item(view, decision->flip[i].sentence);
        }
        assay_buf_puts(view->out, "</ul>\n</section>\n");
    }
    assay_buf_puts(view->out, "</div>\n");
}

void assay_page_source(assay_view_t *view, const char *source, const char *css) {
    bool own = view->lang == ASSAY_LANG_EN;
    for (const char *c = source; *c && !own; c++) {
        own = (unsigned char)*c >= 0xe3; /* a Chinese character begins */
    }
    assay_html_printf(view->out, "<span class=\"%s\"", css);
    assay_buf_puts(view->out, own ? ">" : " lang=\"en\">");
    assay_html_printf(view->out, "%s</span>", source);
}

static void write_rules(assay_view_t *view, const assay_decision_t *decision) {
    static const struct {
        const char *css;
        assay_message_t word;
    } state[] = {[ASSAY_RULE_YES] = {"key yes", ASSAY_MSG_REPORT_YES},
                 [ASSAY_RULE_NO] = {"key no", ASSAY_MSG_REPORT_NO},
                 [ASSAY_RULE_UNKNOWN] = {"key unknown", ASSAY_MSG_REPORT_UNKNOWN}};
    if (decision->n_rule == 0) {
        return;
    }
    assay_page_heading(view, TEXT(HEADING_RULES));
    assay_html_printf(view->out, "<p>%s</p>\n", decision->rules_sentence);
    if (!assay_view_any_moves(decision)) {
        return;
    }
    assay_html_printf(view->out,
                      "<table class=\"rules\">\n<thead><tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
                      TEXT(COLUMN_STATE), TEXT(COLUMN_RULE), TEXT(COLUMN_EVIDENCE),
                      TEXT(COLUMN_SOURCE));
    for (uint32_t i = 0; i < decision->n_rule; i++) {
        const assay_rule_t *rule = &decision->rule[i];
        assay_html_printf(view->out, "<tr><td class=\"%s\">%s</td><td>%s</td><td>%s</td><td>",
                          state[rule->state].css, assay_view_message(view, state[rule->state].word),
                          rule->text, rule->evidence);
        assay_page_source(view, rule->source, "");
        assay_buf_puts(view->out, "</td></tr>\n");
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
}

static void write_warnings(assay_view_t *view, const assay_decision_t *decision) {
    bool any = false;
    for (uint32_t i = 0; i < decision->n_note; i++) {
        if (decision->note[i].kind != ASSAY_NOTE_WARNING) {
            continue;
        }
        if (!any) {
            assay_page_heading(view, TEXT(HEADING_WARNINGS));
            assay_buf_puts(view->out, "<ul class=\"warn\">\n");
            any = true;
        }
        const assay_note_t *note = &decision->note[i];
        assay_html_printf(view->out, "<li>%s", assay_view_note(view, note));
        if (note->source) {
            assay_page_source(view, note->source, "sub");
        }
        assay_buf_puts(view->out, "</li>\n");
    }
    assay_buf_puts(view->out, any ? "</ul>\n" : "");
}

static void write_assumptions(assay_view_t *view, const assay_decision_t *decision) {
    assay_page_heading(view, TEXT(HEADING_ASSUMPTIONS));
    assay_html_printf(view->out,
                      "<table class=\"assumptions\">\n<thead><tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
                      TEXT(COLUMN_SUBJECT), TEXT(COLUMN_VALUE), TEXT(COLUMN_SOURCE));
    for (uint32_t i = 0; i < decision->n_note; i++) {
        const assay_note_t *note = &decision->note[i];
        if (note->kind == ASSAY_NOTE_ASSUMPTION) {
            assay_html_printf(view->out, "<tr><td>%s</td><td>%s</td><td>", note->subject,
                              assay_view_or_empty(note->value));
            if (note->text) {
                assay_html_printf(view->out, "%s", note->text);
            }
            if (note->source) {
                assay_page_source(view, note->source, note->text ? "sub" : "");
            }
            assay_buf_puts(view->out, "</td></tr>\n");
        }
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
}

static void write_footer(assay_view_t *view, const assay_resolved_t *resolved) {
    assay_buf_puts(view->out, "<footer>\n");
    assay_page_heading(view, TEXT(HEADING_REPRODUCE));
    assay_html_printf(view->out, "<p><code>%s</code> %s</p>\n",
                      view->command ? view->command : "assay decide FILE --html report.html",
                      SAY(view, REPORT_REPRODUCE, assay_version(),
                          assay_view_count(view, resolved->samples),
                          assay_view_count(view, (double)resolved->seed)));
    if (view->data_hash) {
        assay_html_printf(view->out, "<p>%s</p>\n",
                          SAY(view, REPORT_REPRODUCE_DATA, view->data_hash));
    }
    assay_buf_puts(view->out, "</footer>\n");
    assay_page_end(view->out);
}

void assay_decision_write_html(assay_view_t *view, const assay_decision_t *decision) {
    const assay_resolved_t *resolved = decision->resolved;
    const char *title = resolved->name ? resolved->name : TEXT(TITLE);
    assay_page_head(view->out, view->lang, title);
    assay_buf_puts(view->out, "<main>\n");
    assay_decision_write_sheet(view, decision, title);
    assay_html_printf(view->out, "<h1 class=\"appendix\">%s</h1>\n", TEXT(APPENDIX));
    write_why(view, decision);
    write_money(view, decision);
    write_machines(view, decision);
    assay_page_heading(view, TEXT(HEADING_BEHIND));
    assay_buf_puts(view->out, "<div class=\"figures\">\n<div>\n");
    assay_decision_chart_step(view, decision);
    assay_decision_chart_memory(view, decision);
    assay_decision_chart_tco(view, decision);
    assay_buf_puts(view->out, "</div>\n<div>\n");
    assay_decision_chart_roofline(view, decision);
    assay_decision_chart_pareto(view, decision);
    assay_buf_puts(view->out, "</div>\n</div>\n");
    write_rules(view, decision);
    write_warnings(view, decision);
    write_assumptions(view, decision);
    assay_buf_puts(view->out, "</main>\n");
    write_footer(view, resolved);
}
