/* Page one of the report, for whoever signs: verdict, figures, table, charts, where it flips. It
   fits on one printed sheet; what stands behind it is in the appendix. */
#include <math.h>

#include "report/decision_page.h"
#include "report/write.h"

#include "base/banned.h"

#define FLIPS_SHOWN 5 /* on the sheet; the appendix has all */

#define TEXT(id) assay_view_message(view, ASSAY_MSG_REPORT_##id)

void assay_page_heading(assay_view_t *view, const char *text) {
    assay_html_printf(view->out, "<h2>%s</h2>\n", text);
}

static const char *job_line(assay_view_t *view, const assay_resolved_t *resolved) {
    const assay_workload_t *work = &resolved->workload;
    const assay_train_net_t *net = &work->net;
    const bool images = net->sample && net->height > 1;
    const char *const arg[] = {
        work->model.id ? work->model.id : "",
        assay_view_quantity(view, work->count.total, ASSAY_DIM_COUNT),
        work->tokens > 0.0 ? assay_view_quantity(view, work->tokens, ASSAY_DIM_COUNT)
                           : TEXT(UNKNOWN),
        images ? assay_view_format(view, "%u x %u", net->width, net->height)
               : assay_view_count(view, net->sample ? net->width : work->sequence),
        assay_view_count(view, work->global_batch),
        assay_dtype_name(work->dtype),
        assay_view_phrase(view, resolved->prices),
        assay_view_number(view, resolved->money.years),
        assay_view_percent(view, resolved->money.discount_rate)};
    const assay_message_t sentence = !net->sample ? ASSAY_MSG_REPORT_JOB
                                     : images     ? ASSAY_MSG_REPORT_JOB_IMAGES
                                                  : ASSAY_MSG_REPORT_JOB_SEQUENCES;
    return assay_view_sentence(view, sentence, arg, sizeof arg / sizeof arg[0]);
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
        put_tile(view, "", TEXT(TILE_CHANCE), assay_view_chance(view, decision->probability),
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

/** A number with the range below it. */
static void put_range_cell(assay_view_t *view, double value, double low, double high, double one) {
    assay_html_printf(view->out, "<td class=\"n\">%s", assay_view_cell(view, value / one));
    if (isfinite(low)) {
        assay_html_printf(view->out, "<span class=\"sub\">%s</span>",
                          assay_view_range(view, low, high, one));
    }
    assay_buf_puts(view->out, "</td>");
}

void assay_page_number(assay_view_t *view, const char *value, const char *more) {
    assay_html_printf(view->out, "<td class=\"n\">%s", value);
    if (*more) {
        assay_html_printf(view->out, "<span class=\"sub\">%s</span>", more);
    }
    assay_buf_puts(view->out, "</td>");
}

void assay_page_candidate(assay_view_t *view, const assay_decision_t *decision, uint32_t i) {
    const assay_candidate_t *candidate = &decision->candidate[i];
    assay_buf_t *out = view->out;
    assay_html_printf(out, "<tr class=\"%s\"><th scope=\"row\">%s",
                      decision->choice == (int32_t)i ? "choice"
                      : candidate->eligible          ? ""
                                                     : "out",
                      candidate->machine->id);
    if (decision->choice == (int32_t)i) {
        assay_html_printf(out, "<span class=\"tag\">%s</span>", TEXT(TAG_CHOICE));
    }
    assay_html_printf(out, "<span class=\"sub\">%s</span>",
                      SAY(view, REPORT_TILE_MACHINES,
                          assay_view_count(view, candidate->machine->nodes),
                          assay_view_count(view, candidate->machine->devices)));
}

void assay_page_columns(assay_view_t *view, const char *heading, const assay_page_column_t *column,
                        uint32_t n) {
    assay_page_heading(view, heading);
    assay_html_printf(view->out,
                      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                      "<table class=\"candidates\">\n<thead><tr><th scope=\"col\">%s</th>",
                      heading, TEXT(COLUMN_CANDIDATE));
    for (uint32_t i = 0; i < n; i++) {
        if (!column[i].hidden) {
            assay_html_printf(view->out, "<th scope=\"col\" class=\"n\">%s",
                              assay_view_message(view, column[i].name));
            if (*column[i].unit) {
                assay_html_printf(view->out, "<br>[%s]", column[i].unit);
            }
            assay_buf_puts(view->out, "</th>");
        }
    }
    assay_buf_puts(view->out, "</tr></thead>\n<tbody>\n");
}

static void write_candidate(assay_view_t *view, const assay_decision_t *decision, uint32_t i,
                            const assay_scale_t scale[4]) {
    const assay_candidate_t *candidate = &decision->candidate[i];
    const assay_figures_t f = assay_view_figures(decision, candidate);
    const char *why = assay_view_why_not(view, decision, candidate);
    const bool epochs = assay_view_has_epochs(decision);
    assay_page_candidate(view, decision, i);
    if (candidate->fits && why) {
        assay_html_printf(view->out, "<span class=\"sub why\">%s</span>", why);
    }
    assay_buf_puts(view->out, "</th>");
    if (!candidate->fits) {
        assay_html_printf(view->out, "<td class=\"why\" colspan=\"%s\">%s</td></tr>\n",
                          epochs ? "6" : "5", why);
        return;
    }
    put_range_cell(view, f.job_usd, f.job_p10_usd, f.job_p90_usd, scale[0].one);
    if (epochs) {
        assay_page_number(view, assay_view_cell(view, f.epoch_usd / scale[1].one), "");
    }
    put_range_cell(view, f.tco_usd, f.tco_p10_usd, f.tco_p90_usd, scale[2].one);
    assay_page_number(view, assay_view_p_best(view, decision, f.p_best), "");
    assay_page_number(view, assay_view_cell(view, f.days), "");
    assay_page_number(view, assay_view_cell(view, f.energy_kwh / scale[3].one), "");
    assay_buf_puts(view->out, "</tr>\n");
}

static void write_candidates(assay_view_t *view, const assay_decision_t *decision) {
    double job = 0.0, epoch = 0.0, tco = 0.0, energy = 0.0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) { /* fmax ignores unknowns */
        const assay_figures_t f = assay_view_figures(decision, &decision->candidate[i]);
        job = fmax(job, f.job_usd);
        epoch = fmax(epoch, f.epoch_usd);
        tco = fmax(tco, f.tco_usd);
        energy = fmax(energy, f.energy_kwh);
    }
    const assay_scale_t scale[] = {assay_view_scale(view, ASSAY_SCALE_MONEY, job),
                                   assay_view_scale(view, ASSAY_SCALE_MONEY, epoch),
                                   assay_view_scale(view, ASSAY_SCALE_MONEY, tco),
                                   assay_view_scale(view, ASSAY_SCALE_ENERGY, energy)};
    const assay_page_column_t column[] = {
        {ASSAY_MSG_REPORT_COLUMN_JOB, scale[0].unit, false},
        {ASSAY_MSG_REPORT_COLUMN_EPOCH, scale[1].unit, !assay_view_has_epochs(decision)},
        {ASSAY_MSG_REPORT_COLUMN_TCO, scale[2].unit, false},
        {ASSAY_MSG_REPORT_COLUMN_BEST, "%", false},
        {ASSAY_MSG_REPORT_COLUMN_DAYS, assay_view_phrase(view, "d"), false},
        {ASSAY_MSG_REPORT_COLUMN_ENERGY, scale[3].unit, false}};
    assay_page_columns(view, TEXT(HEADING_CANDIDATES), column, sizeof column / sizeof column[0]);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_candidate(view, decision, i, scale);
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

/** Flips, those that there are first. */
static void write_flips(assay_view_t *view, const assay_decision_t *decision) {
    uint32_t shown = 0;
    if (decision->n_flip == 0) {
        return;
    }
    assay_page_heading(view, TEXT(HEADING_FLIPS));
    assay_buf_puts(view->out, "<ul>\n");
    for (int has = 1; has >= 0; has--) {
        for (uint32_t i = 0; i < decision->n_flip && shown < FLIPS_SHOWN; i++) {
            if (decision->flip[i].has_flip == (has == 1)) {
                assay_html_printf(view->out, "<li>%s</li>\n", decision->flip[i].sentence);
                shown++;
            }
        }
    }
    const assay_study_t study = assay_study_of_decision(decision);
    assay_page_investment(view, &study);
    const char *tco = assay_view_tco_sentence(view, decision);
    if (tco) {
        assay_html_printf(view->out, "<li>%s</li>\n", tco);
    }
    assay_buf_puts(view->out, "</ul>\n");
}

void assay_decision_write_sheet(assay_view_t *view, const assay_decision_t *decision,
                                const char *title) {
    assay_html_printf(view->out,
                      "<div class=\"sheet\">\n<header>\n<h1>%s</h1>\n<p class=\"job\">%s</p>\n"
                      "<p class=\"verdict\">%s</p>\n</header>\n",
                      title, job_line(view, decision->resolved), decision->sentence);
    write_tiles(view, decision);
    write_candidates(view, decision);
    write_charts_note(view, decision);
    assay_buf_puts(view->out, "<div class=\"figures\">\n<div>\n");
    assay_decision_chart_job(view, decision);
    assay_decision_chart_chance(view, decision);
    assay_buf_puts(view->out, "</div>\n<div>\n");
    assay_decision_chart_spent(view, decision);
    const assay_study_t study = assay_study_of_decision(decision);
    assay_study_chart_tornado(view, &study);
    assay_buf_puts(view->out, "</div>\n</div>\n");
    write_flips(view, decision);
    assay_buf_puts(view->out, "</div>\n");
}
