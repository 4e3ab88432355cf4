/* One self-contained page for whoever has to defend the choice: no script, no network. */
#include <math.h>

#include "assay/run.h"
#include "report/decision_charts.h"
#include "report/page.h"
#include "report/write.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_REPORT_##id)

static const char *job_line(assay_view_t *view, const assay_resolved_t *resolved) {
    const assay_workload_t *work = &resolved->workload;
    return SAY(view, REPORT_JOB, work->model.id ? work->model.id : "",
               assay_view_quantity(view, work->count.total, ASSAY_DIM_COUNT),
               work->tokens > 0.0 ? assay_view_quantity(view, work->tokens, ASSAY_DIM_COUNT)
                                  : TEXT(UNKNOWN),
               assay_view_count(view, work->sequence), assay_view_count(view, work->global_batch),
               assay_dtype_name(work->dtype), assay_view_or_empty(resolved->prices),
               assay_view_number(view, resolved->money.years),
               assay_view_percent(view, resolved->money.discount_rate));
}

static void put_tile(assay_view_t *view, const char *css, const char *term, const char *value,
                     const char *more) {
    assay_html_printf(view->out,
                      "<div><dt>%s</dt><dd class=\"%s\">%s</dd><dd class=\"sub\">%s</dd></div>\n",
                      term, css, value, more);
}

/** The six figures that a meeting asks for. */
static void write_tiles(assay_view_t *view, const assay_decision_t *decision) {
    if (decision->choice < 0) {
        return;
    }
    const assay_candidate_t *choice = &decision->candidate[decision->choice];
    const assay_figures_t f = assay_view_figures(decision, choice);
    const assay_scale_t money = assay_view_scale(view, ASSAY_SCALE_MONEY, f.job_usd);
    const double deadline_s = decision->resolved->workload.deadline_s;
    assay_buf_puts(view->out, "<dl class=\"tiles\">\n");
    put_tile(view, "id", TEXT(TILE_CHOICE), choice->machine->id,
             SAY(view, REPORT_TILE_MACHINES, assay_view_count(view, choice->machine->nodes),
                 assay_view_count(view, choice->machine->devices)));
    const bool compared = decision->runner_up >= 0;
    if (compared) {
        put_tile(view, "", TEXT(TILE_CHANCE), assay_view_percent(view, decision->probability),
                 TEXT(TILE_CHANCE_MORE));
    }
    put_tile(view, "", TEXT(TILE_COST), assay_view_quantity(view, f.job_usd, ASSAY_DIM_MONEY),
             SAY(view, REPORT_TILE_RANGE,
                 assay_view_range(view, f.job_p10_usd, f.job_p90_usd, money.one), money.unit));
    if (compared && isfinite(f.job_usd)) {
        const assay_candidate_t *other = &decision->candidate[decision->runner_up];
        const double saved = other->point.job_usd - choice->point.job_usd;
        put_tile(view, "", TEXT(TILE_SAVED), assay_view_quantity(view, saved, ASSAY_DIM_MONEY),
                 SAY(view, REPORT_TILE_SAVED_MORE,
                     assay_view_percent(view, saved / other->point.job_usd), other->machine->id));
    }
    put_tile(view, "", TEXT(TILE_TIME), assay_view_quantity(view, f.days * 86400.0, ASSAY_DIM_TIME),
             deadline_s > 0.0 ? SAY(view, REPORT_TILE_DEADLINE,
                                    assay_view_quantity(view, deadline_s, ASSAY_DIM_TIME),
                                    assay_view_percent(view, choice->p_deadline))
                              : TEXT(TILE_NO_DEADLINE));
    if (compared) {
        put_tile(view, "", TEXT(TILE_REGRET),
                 assay_view_quantity(view, decision->regret_usd, ASSAY_DIM_MONEY),
                 TEXT(TILE_REGRET_MORE));
    }
    assay_buf_puts(view->out, "</dl>\n");
}

static void put_heading(assay_view_t *view, const char *text) {
    assay_html_printf(view->out, "<h2>%s</h2>\n", text);
}

/** A number with the range below it. */
static void put_range_cell(assay_view_t *view, double value, double low, double high, double one) {
    assay_html_printf(view->out, "<td class=\"n\">%s", assay_view_cell(view, value / one));
    if (isfinite(low)) {
        assay_html_printf(view->out, "<span class=\"sub\">%s</span>",
                          assay_view_range(view, low, high, one));
    }
    assay_buf_puts(view->out, "</td>");
}

static void put_cell(assay_view_t *view, const char *value, const char *more) {
    assay_html_printf(view->out, "<td class=\"n\">%s<span class=\"sub\">%s</span></td>", value,
                      more);
}

typedef struct {
    assay_scale_t job, epoch, tco, energy, step, memory;
} scales_t;

static scales_t find_scales(assay_view_t *view, const assay_decision_t *decision) {
    double job = 0.0, epoch = 0.0, tco = 0.0, energy = 0.0, step = 0.0, memory = 0.0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) { /* fmax ignores unknowns */
        const assay_figures_t f = assay_view_figures(decision, &decision->candidate[i]);
        job = fmax(job, f.job_usd);
        epoch = fmax(epoch, f.epoch_usd);
        tco = fmax(tco, f.tco_usd);
        energy = fmax(energy, f.energy_kwh);
        step = fmax(step, f.step_s);
        memory = fmax(memory, f.memory_has_bytes);
    }
    return (scales_t){assay_view_scale(view, ASSAY_SCALE_MONEY, job),
                      assay_view_scale(view, ASSAY_SCALE_MONEY, epoch),
                      assay_view_scale(view, ASSAY_SCALE_MONEY, tco),
                      assay_view_scale(view, ASSAY_SCALE_ENERGY, energy),
                      assay_view_scale(view, ASSAY_SCALE_TIME, step),
                      assay_view_scale(view, ASSAY_SCALE_BYTES, memory)};
}

static void put_name(assay_view_t *view, const assay_candidate_t *candidate, bool chosen) {
    assay_buf_t *out = view->out;
    assay_html_printf(out, "<th scope=\"row\">%s", candidate->machine->id);
    if (chosen) {
        assay_html_printf(out, "<span class=\"tag\">%s</span>", TEXT(TAG_CHOICE));
    }
    assay_html_printf(out, "<span class=\"sub\">%s</span>",
                      SAY(view, REPORT_TILE_MACHINES,
                          assay_view_count(view, candidate->machine->nodes),
                          assay_view_count(view, candidate->machine->devices)));
    if (candidate->fits) {
        assay_html_printf(out, "<span class=\"sub\">%s</span>",
                          assay_view_layout(view, &candidate->plan.best.layout));
    }
    assay_buf_puts(out, "</th>");
}

static void write_candidate(assay_view_t *view, const assay_decision_t *decision, uint32_t i,
                            const scales_t *scale) {
    const assay_candidate_t *candidate = &decision->candidate[i];
    const assay_figures_t f = assay_view_figures(decision, candidate);
    const char *why = assay_view_why_not(view, decision, candidate);
    const bool chosen = decision->choice == (int32_t)i;
    assay_buf_t *out = view->out;
    assay_html_printf(out, "<tr class=\"%s\">", chosen ? "choice" : why ? "out" : "");
    put_name(view, candidate, chosen);
    if (candidate->fits) {
        put_range_cell(view, f.job_usd, f.job_p10_usd, f.job_p90_usd, scale->job.one);
        if (assay_view_has_epochs(decision)) {
            put_cell(view, assay_view_cell(view, f.epoch_usd / scale->epoch.one), "");
        }
        put_range_cell(view, f.tco_usd, f.tco_p10_usd, f.tco_p90_usd, scale->tco.one);
        put_cell(view, assay_view_p_best(view, decision, f.p_best), "");
        put_cell(view, assay_view_cell(view, f.days), "");
        put_cell(view, assay_view_cell(view, f.energy_kwh / scale->energy.one), "");
        put_cell(view, assay_view_cell(view, f.step_s / scale->step.one), "");
        put_cell(view, assay_view_cell(view, 100.0 * f.mfu), "");
        put_cell(
            view, assay_view_cell(view, f.memory_bytes / scale->memory.one),
            SAY(view, REPORT_OF, assay_view_number(view, f.memory_has_bytes / scale->memory.one)));
        assay_html_printf(out, "<td class=\"key\">%s</td>",
                          assay_view_basis(view, candidate->plan.best.basis));
    } else {
        assay_html_printf(out, "<td class=\"why\" colspan=\"%s\">%s</td>",
                          assay_view_has_epochs(decision) ? "10" : "9", why);
    }
    assay_buf_puts(out, "</tr>\n");
    if (candidate->fits && why) {
        assay_html_printf(out, "<tr><td class=\"why\" colspan=\"%s\">%s</td></tr>\n",
                          assay_view_has_epochs(decision) ? "11" : "10", why);
    }
}

static void write_candidates(assay_view_t *view, const assay_decision_t *decision) {
    const scales_t scale = find_scales(view, decision);
    const struct {
        assay_message_t name;
        const char *unit;
        bool hidden;
    } column[] = {
        {ASSAY_MSG_REPORT_COLUMN_JOB, scale.job.unit, false},
        {ASSAY_MSG_REPORT_COLUMN_EPOCH, scale.epoch.unit, !assay_view_has_epochs(decision)},
        {ASSAY_MSG_REPORT_COLUMN_TCO, scale.tco.unit, false},
        {ASSAY_MSG_REPORT_COLUMN_BEST, "%", false},
        {ASSAY_MSG_REPORT_COLUMN_DAYS, assay_view_phrase(view, "d"), false},
        {ASSAY_MSG_REPORT_COLUMN_ENERGY, scale.energy.unit, false},
        {ASSAY_MSG_REPORT_COLUMN_STEP, scale.step.unit, false},
        {ASSAY_MSG_REPORT_COLUMN_MFU, "%", false},
        {ASSAY_MSG_REPORT_COLUMN_MEMORY, scale.memory.unit, false}};
    put_heading(view, TEXT(HEADING_CANDIDATES));
    assay_html_printf(
        view->out,
        "<div class=\"wide\"><table class=\"candidates\">\n<thead><tr><th scope=\"col\">%s</th>",
        TEXT(COLUMN_CANDIDATE));
    for (size_t i = 0; i < sizeof column / sizeof column[0]; i++) {
        if (!column[i].hidden) {
            assay_html_printf(view->out, "<th scope=\"col\" class=\"n\">%s<br>[%s]</th>",
                              assay_view_message(view, column[i].name), column[i].unit);
        }
    }
    assay_html_printf(view->out, "<th scope=\"col\" class=\"key\">%s</th></tr></thead>\n<tbody>\n",
                      TEXT(COLUMN_BASIS));
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_candidate(view, decision, i, &scale);
    }
    assay_html_printf(view->out, "</tbody></table></div>\n<p class=\"sub\">%s</p>\n",
                      TEXT(CANDIDATES_FOOT));
}

/** When the charts leave some out. */
static void write_charts_note(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES], n_fit = 0;
    const uint32_t n = assay_decision_chart_candidates(decision, index);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        n_fit += decision->candidate[i].fits;
    }
    if (n < n_fit) {
        assay_html_printf(view->out, "<p class=\"sub\">%s</p>\n",
                          SAY(view, REPORT_CHARTS_SOME, assay_view_count(view, n),
                              assay_view_count(view, n_fit)));
    }
}

static void put_item(assay_view_t *view, const char *text) {
    assay_html_printf(view->out, "<li>%s</li>\n", text);
}

static void write_why_and_flips(assay_view_t *view, const assay_decision_t *decision) {
    assay_buf_puts(view->out, "<div class=\"two\">\n<section>\n");
    put_heading(view, TEXT(HEADING_WHY));
    assay_buf_puts(view->out, "<ul>\n");
    for (uint32_t i = 0; i < decision->n_reason; i++) {
        put_item(view, decision->reason[i].text);
    }
    const char *tco = assay_view_tco_sentence(view, decision);
    if (tco) {
        put_item(view, tco);
    }
    assay_buf_puts(view->out, "</ul>\n</section>\n");
    if (decision->n_flip == 0) {
        assay_buf_puts(view->out, "</div>\n");
        return;
    }
    assay_buf_puts(view->out, "<section>\n");
    put_heading(view, TEXT(HEADING_FLIPS));
    assay_buf_puts(view->out, "<ul>\n");
    for (uint32_t i = 0; i < decision->n_flip; i++) {
        put_item(view, decision->flip[i].sentence);
    }
    assay_buf_puts(view->out, "</ul>\n</section>\n</div>\n");
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
    put_heading(view, TEXT(HEADING_RULES));
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
        assay_html_printf(view->out,
                          "<tr><td class=\"%s\">%s</td><td>%s</td><td>%s</td>"
                          "<td>%s</td></tr>\n",
                          state[rule->state].css, assay_view_message(view, state[rule->state].word),
                          rule->text, rule->evidence, rule->source);
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
            put_heading(view, TEXT(HEADING_WARNINGS));
            assay_buf_puts(view->out, "<ul class=\"warn\">\n");
            any = true;
        }
        put_item(view, assay_view_note_sourced(view, &decision->note[i]));
    }
    assay_buf_puts(view->out, any ? "</ul>\n" : "");
}

static void write_assumptions(assay_view_t *view, const assay_decision_t *decision) {
    put_heading(view, TEXT(HEADING_ASSUMPTIONS));
    assay_html_printf(view->out,
                      "<table class=\"assumptions\">\n<thead><tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
                      TEXT(COLUMN_SUBJECT), TEXT(COLUMN_VALUE), TEXT(COLUMN_SOURCE));
    for (uint32_t i = 0; i < decision->n_note; i++) {
        const assay_note_t *note = &decision->note[i];
        if (note->kind == ASSAY_NOTE_ASSUMPTION) {
            assay_html_printf(view->out, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n",
                              note->subject, assay_view_or_empty(note->value),
                              assay_view_note_basis(view, note));
        }
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
}

static void write_footer(assay_view_t *view, const assay_resolved_t *resolved) {
    assay_buf_puts(view->out, "<footer>\n");
    put_heading(view, TEXT(HEADING_REPRODUCE));
    assay_html_printf(view->out, "<p><code>assay decide FILE --html report.html</code> %s</p>\n",
                      SAY(view, REPORT_REPRODUCE, assay_version(),
                          assay_view_count(view, resolved->samples),
                          assay_view_count(view, (double)resolved->seed)));
    assay_buf_puts(view->out, "</footer>\n");
    assay_page_end(view->out);
}

void assay_decision_write_html(assay_view_t *view, const assay_decision_t *decision) {
    const assay_resolved_t *resolved = decision->resolved;
    const char *title = resolved->name ? resolved->name : TEXT(TITLE);
    assay_page_head(view->out, view->lang, title);
    assay_html_printf(view->out,
                      "<header>\n<h1>%s</h1>\n<p class=\"job\">%s</p>\n"
                      "<p class=\"verdict\">%s</p>\n</header>\n<main>\n",
                      title, job_line(view, resolved), decision->sentence);
    write_tiles(view, decision);
    write_candidates(view, decision);
    write_charts_note(view, decision);
    assay_buf_puts(view->out, "<div class=\"figures\">\n<div>\n");
    assay_decision_chart_job(view, decision);
    assay_decision_chart_tco(view, decision);
    assay_buf_puts(view->out, "</div>\n<div>\n");
    assay_decision_chart_spent(view, decision);
    assay_buf_puts(view->out, "</div>\n</div>\n");
    write_why_and_flips(view, decision);
    put_heading(view, TEXT(HEADING_BEHIND));
    assay_buf_puts(view->out, "<div class=\"figures\">\n<div>\n");
    assay_decision_chart_step(view, decision);
    assay_decision_chart_memory(view, decision);
    assay_buf_puts(view->out, "</div>\n<div>\n");
    assay_decision_chart_roofline(view, decision);
    assay_buf_puts(view->out, "</div>\n</div>\n");
    write_rules(view, decision);
    write_warnings(view, decision);
    write_assumptions(view, decision);
    assay_buf_puts(view->out, "</main>\n");
    write_footer(view, resolved);
}
