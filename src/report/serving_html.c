/* One self-contained page about a service: no script, no network. */
#include <math.h>

#include "assay/run.h"
#include "report/charts.h"
#include "report/decision_page.h"
#include "report/serving_view.h"
#include "report/write.h"

#include "base/banned.h"

#define MESSAGE(id) assay_view_message(view, ASSAY_MSG_##id)
#define MONTHS_MAX 61u

static void put_heading(assay_view_t *view, const char *text) {
    assay_html_printf(view->out, "<h2>%s</h2>\n", text);
}

static void put_tile(assay_view_t *view, const char *css, const char *term, const char *value,
                     const char *more) {
    assay_html_printf(view->out,
                      "<div><dt>%s</dt><dd class=\"%s\">%s</dd><dd class=\"sub\">%s</dd></div>\n",
                      term, css, value, more);
}

static void write_tiles(assay_view_t *view, const assay_serving_decision_t *decision) {
    if (decision->choice < 0) {
        return;
    }
    const assay_serving_candidate_t *c = &decision->candidate[decision->choice];
    assay_buf_puts(view->out, "<dl class=\"tiles\">\n");
    put_tile(view, "id", MESSAGE(REPORT_TILE_CHOICE), c->machine->id,
             SAY(view, REPORT_TILE_MACHINES, assay_view_count(view, c->fleet->nodes),
                 assay_view_count(view, c->fleet->devices)));
    if (decision->runner_up >= 0) {
        put_tile(view, "", MESSAGE(REPORT_TILE_CHANCE),
                 assay_view_chance(view, decision->probability), MESSAGE(REPORT_TILE_CHANCE_MORE));
    }
    put_tile(view, "", MESSAGE(SERVING_COLUMN_MONTH),
             assay_view_quantity(view, c->month_usd, ASSAY_DIM_MONEY), "");
    put_tile(view, "", assay_view_priced(view, ASSAY_MSG_SERVING_COLUMN_OUTPUT),
             assay_view_amount(view, c->usd_per_million_output), "");
    put_tile(view, "", MESSAGE(SERVING_COLUMN_TTFT_99),
             assay_view_quantity(view, c->fleet->ttft.p99_s, ASSAY_DIM_TIME), "");
    put_tile(view, "", MESSAGE(SERVING_COLUMN_TPOT_99),
             assay_view_quantity(view, c->fleet->tpot.p99_s, ASSAY_DIM_TIME), "");
    assay_buf_puts(view->out, "</dl>\n");
}

/* Candidates that serve, the choice among them, as many as have a colour. */
static uint32_t charted(const assay_serving_decision_t *decision,
                        uint32_t out_index[ASSAY_CHART_SERIES]) {
    uint32_t others = ASSAY_CHART_SERIES - (decision->choice >= 0 ? 1 : 0), n = 0;
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const bool must = (int32_t)i == decision->choice;
        if (decision->candidate[i].fleet && (must || others > 0)) {
            others -= must ? 0 : 1;
            out_index[n++] = i;
        }
    }
    return n;
}

static void draw_pareto(assay_view_t *view, const assay_serving_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES], n_point = 0;
    const uint32_t n = charted(decision, index);
    assay_chart_point_t *point =
        assay_arena_array(view->arena, (size_t)n * ASSAY_SERVE_PARETO + 1, sizeof *point);
    const char *name[ASSAY_CHART_SERIES];
    if (!point) {
        view->failed = true;
        return;
    }
    for (uint32_t c = 0; c < n; c++) {
        const assay_serve_fleets_t *fleets = &decision->candidate[index[c]].fleets;
        name[c] = decision->candidate[index[c]].machine->id;
        for (uint32_t i = 0; i < fleets->n_pareto; i++) {
            const assay_serve_pareto_t *p = &fleets->pareto[i];
            const assay_serve_fleet_t fleet = {.way = p->way, .replicas = 1};
            point[n_point++] = (assay_chart_point_t){
                .name = SAY(view, SERVING_POINT, assay_serving_fleet(view, &fleet),
                            assay_view_number(view, p->running)),
                .x = p->tokens_per_s_per_user,
                .y = p->tokens_per_s_per_device,
                .series = c,
                .front = true};
        }
    }
    const assay_chart_points_t points = {
        .chart = {"chart-pareto", MESSAGE(SERVING_CHART_PARETO),
                  MESSAGE(SERVING_CHART_PARETO_SAYS)},
        .x = {MESSAGE(SERVING_COLUMN_PER_USER), ASSAY_SCALE_PLAIN, "tokens/s", true},
        .y = {MESSAGE(SERVING_COLUMN_PER_DEVICE), ASSAY_SCALE_PLAIN, "tokens/s", true},
        .series = name,
        .n_series = n,
        .point = point,
        .n_point = n_point};
    if (n_point > 0) {
        assay_chart_points(view, &points);
    }
}

typedef enum { BARS_MONTH, BARS_TTFT, BARS_TPOT, BARS_N } bars_kind_t;

static void draw_bars(assay_view_t *view, const assay_serving_decision_t *decision,
                      bars_kind_t kind) {
    static const struct {
        const char *id;
        assay_message_t title, says, axis;
        assay_scale_kind_t scale;
    } row[BARS_N] = {[BARS_MONTH] = {"chart-month", ASSAY_MSG_SERVING_CHART_MONTH,
                                     ASSAY_MSG_SERVING_CHART_MONTH_SAYS, ASSAY_MSG_REPORT_AXIS_COST,
                                     ASSAY_SCALE_MONEY},
                     [BARS_TTFT] = {"chart-ttft", ASSAY_MSG_SERVING_CHART_TTFT,
                                    ASSAY_MSG_SERVING_CHART_LATENCY_SAYS,
                                    ASSAY_MSG_SERVING_COLUMN_TTFT_99, ASSAY_SCALE_TIME},
                     [BARS_TPOT] = {"chart-tpot", ASSAY_MSG_SERVING_CHART_TPOT,
                                    ASSAY_MSG_SERVING_CHART_LATENCY_SAYS,
                                    ASSAY_MSG_SERVING_COLUMN_TPOT_99, ASSAY_SCALE_TIME}};
    uint32_t index[ASSAY_CHART_SERIES];
    const uint32_t n = charted(decision, index);
    assay_chart_bar_t bar[ASSAY_CHART_SERIES];
    double value[ASSAY_CHART_SERIES];
    const char *const part[] = {assay_view_message(view, row[kind].axis)};
    for (uint32_t i = 0; i < n; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[index[i]];
        const assay_percentiles_t *p = kind == BARS_TTFT ? &c->fleet->ttft : &c->fleet->tpot;
        const double limit_s = kind == BARS_TTFT ? c->serving->ttft_p99_s : c->serving->tpot_p99_s;
        value[i] = kind == BARS_MONTH ? c->month_usd : p->p99_s;
        bar[i] =
            (assay_chart_bar_t){.name = c->machine->id,
                                .part = &value[i],
                                .low = kind == BARS_MONTH ? c->month_usd_spread.p10 : p->p50_s,
                                .high = kind == BARS_MONTH ? c->month_usd_spread.p90 : p->p99_s,
                                .limit = kind != BARS_MONTH && limit_s > 0 ? limit_s : (double)NAN};
    }
    const assay_chart_bars_t bars = {.chart = {row[kind].id,
                                               assay_view_message(view, row[kind].title),
                                               assay_view_message(view, row[kind].says)},
                                     .axis = {part[0], row[kind].scale, NULL, false},
                                     .part_name = part,
                                     .n_part = 1,
                                     .bar = bar,
                                     .n_bar = n};
    if (n > 0) {
        assay_chart_bars(view, &bars);
    }
}

/* What has been paid after so many months: moving at once, the bill every month. */
static void draw_cumulative(assay_view_t *view, const assay_serving_decision_t *decision) {
    uint32_t index[ASSAY_CHART_SERIES];
    const uint32_t n = charted(decision, index);
    const double months = 12 * decision->resolved->money.years;
    const uint32_t n_point = months < MONTHS_MAX - 1 ? (uint32_t)ceil(months) + 1 : MONTHS_MAX;
    double *x = assay_arena_array(view->arena, n_point, sizeof *x);
    double *y = assay_arena_array(view->arena, (size_t)n_point * (n + 1), sizeof *y);
    assay_chart_line_t line[ASSAY_CHART_SERIES];
    if (!x || !y) {
        view->failed = true;
        return;
    }
    for (uint32_t k = 0; k < n_point; k++) {
        x[k] = months * k / (n_point - 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[index[i]];
        line[i] = (assay_chart_line_t){
            .name = c->machine->id, .x = x, .y = &y[(size_t)i * n_point], .n = n_point};
        for (uint32_t k = 0; k < n_point; k++) {
            y[(size_t)i * n_point + k] = c->point.one_time_usd + c->month_usd * x[k];
        }
    }
    const assay_chart_lines_t lines = {
        .chart = {"chart-spent", MESSAGE(SERVING_CHART_SPENT), MESSAGE(SERVING_CHART_SPENT_SAYS)},
        .x = {MESSAGE(SERVING_AXIS_TIME), ASSAY_SCALE_PLAIN, MESSAGE(SERVING_AXIS_MONTHS), false},
        .y = {MESSAGE(REPORT_AXIS_COST), ASSAY_SCALE_MONEY, NULL, false},
        .line = line,
        .n_line = n};
    if (n > 0) {
        assay_chart_lines(view, &lines);
    }
}

/* ---- tables ---- */

static void put_cells(assay_view_t *view, const char *const *cell, uint32_t n, bool head) {
    assay_buf_puts(view->out, "<tr>");
    for (uint32_t i = 0; i < n; i++) {
        if (head || i == 0) {
            assay_html_printf(view->out, "<th scope=\"%s\"%s>%s</th>", head ? "col" : "row",
                              head && i > 0 ? " class=\"n\"" : "", cell[i]);
        } else {
            assay_html_printf(view->out, "<td class=\"n\">%s</td>", cell[i]);
        }
    }
    assay_buf_puts(view->out, "</tr>\n");
}

static void write_candidates(assay_view_t *view, const assay_serving_decision_t *decision) {
    const char *const head[] = {MESSAGE(REPORT_COLUMN_CANDIDATE),
                                MESSAGE(SERVING_COLUMN_FLEET),
                                MESSAGE(SERVING_COLUMN_MONTH),
                                MESSAGE(SERVING_COLUMN_TCO),
                                assay_view_priced(view, ASSAY_MSG_SERVING_COLUMN_OUTPUT),
                                MESSAGE(SERVING_COLUMN_INPUT),
                                MESSAGE(SERVING_COLUMN_CACHED),
                                MESSAGE(SERVING_COLUMN_APART),
                                MESSAGE(SERVING_COLUMN_PER_W),
                                MESSAGE(SERVING_COLUMN_TTFT),
                                MESSAGE(SERVING_COLUMN_TPOT)};
    enum { N = sizeof head / sizeof head[0] };
    put_heading(view, MESSAGE(REPORT_HEADING_CANDIDATES));
    assay_html_printf(view->out,
                      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                      "<table class=\"candidates\">\n<thead>",
                      MESSAGE(REPORT_HEADING_CANDIDATES));
    put_cells(view, head, N, true);
    assay_buf_puts(view->out, "</thead>\n<tbody>\n");
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        if (!c->fleet) {
            assay_html_printf(
                view->out,
                "<tr class=\"out\"><th scope=\"row\">%s</th>"
                "<td class=\"why\" colspan=\"10\">%s</td></tr>\n",
                c->machine->id,
                c->fleets.n_fleet > 0 ? assay_serving_verdict(view, &c->fleets.fleet[0]) : "");
            continue;
        }
        const assay_serve_fleet_t *f = c->fleet;
        const char *const cell[N] = {
            c->machine->id,
            assay_serving_fleet(view, f),
            assay_view_quantity(view, c->month_usd, ASSAY_DIM_MONEY),
            SAY(view, DECIDE_RANGE, assay_view_quantity(view, c->tco_usd.p10, ASSAY_DIM_MONEY),
                assay_view_quantity(view, c->tco_usd.p90, ASSAY_DIM_MONEY)),
            assay_view_amount(view, c->usd_per_million_output),
            assay_view_amount(view, c->usd_per_million_input_apart),
            c->has_cached ? assay_view_amount(view, c->usd_per_million_cached_apart) : "-",
            assay_view_amount(view, c->usd_per_million_output_apart),
            assay_view_cell(view, c->tokens_per_s_per_w),
            assay_view_format(view, "%s / %s",
                              assay_view_quantity(view, f->ttft.p50_s, ASSAY_DIM_TIME),
                              assay_view_quantity(view, f->ttft.p99_s, ASSAY_DIM_TIME)),
            assay_view_format(view, "%s / %s",
                              assay_view_quantity(view, f->tpot.p50_s, ASSAY_DIM_TIME),
                              assay_view_quantity(view, f->tpot.p99_s, ASSAY_DIM_TIME))};
        put_cells(view, cell, N, false);
    }
    assay_buf_puts(view->out, "</tbody></table></div>\n");
}

static void write_claims(assay_view_t *view, const assay_serving_decision_t *decision) {
    const char *const head[] = {MESSAGE(SERVING_COLUMN_CLAIM), MESSAGE(SERVING_COLUMN_ARTICLE),
                                MESSAGE(SERVING_COLUMN_HERE), MESSAGE(SERVING_COLUMN_UNIT),
                                MESSAGE(SERVING_COLUMN_FACTOR)};
    enum { N = sizeof head / sizeof head[0] };
    if (decision->n_claim == 0) {
        return;
    }
    put_heading(view, MESSAGE(SERVING_HEADING_CLAIMS));
    assay_html_printf(view->out,
                      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                      "<table>\n<thead>",
                      MESSAGE(SERVING_HEADING_CLAIMS));
    put_cells(view, head, N, true);
    assay_buf_puts(view->out, "</thead>\n<tbody>\n");
    for (uint32_t i = 0; i < decision->n_claim; i++) {
        const assay_serving_claim_t *claim = &decision->claim[i];
        const char *const cell[N] = {SAY(view, SERVING_CLAIM, claim->claim->id,
                                         assay_view_phrase(view, claim->claim->subject),
                                         assay_view_phrase(view, claim->claim->quantity)),
                                     assay_view_number(view, claim->claim->v),
                                     assay_view_number(view, claim->predicted), claim->claim->unit,
                                     assay_view_number(view, claim->factor)};
        put_cells(view, cell, N, false);
    }
    assay_html_printf(view->out, "</tbody></table></div>\n<p class=\"sub\">%s</p>\n",
                      SAY(view, SERVING_CLAIMS_MORE, decision->claim[0].claim->set));
}

static void write_list(assay_view_t *view, const assay_serving_decision_t *decision) {
    if (decision->n_flip > 0) {
        put_heading(view, MESSAGE(REPORT_HEADING_FLIPS));
        assay_buf_puts(view->out, "<ul>\n");
        for (uint32_t i = 0; i < decision->n_flip; i++) {
            assay_html_printf(view->out, "<li>%s</li>\n", decision->flip[i].sentence);
        }
        const assay_study_t study = assay_study_of_serving(decision);
        assay_page_investment(view, &study);
        assay_buf_puts(view->out, "</ul>\n");
    }
    put_heading(view, MESSAGE(SERVING_HEADING_LAUNCH));
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        if (c->launch) {
            assay_html_printf(view->out, "<p>%s: <code>%s</code></p>\n", c->machine->id, c->launch);
        }
    }
}

static void write_notes(assay_view_t *view, const assay_serving_decision_t *decision,
                        assay_note_kind_t kind, assay_message_t heading) {
    bool any = false;
    for (uint32_t i = 0; i < decision->n_note; i++) {
        if (decision->note[i].kind == kind) {
            if (!any) {
                put_heading(view, assay_view_message(view, heading));
                assay_buf_puts(view->out,
                               kind == ASSAY_NOTE_WARNING ? "<ul class=\"warn\">\n" : "<ul>\n");
            }
            any = true;
            assay_html_printf(view->out, "<li>%s</li>\n",
                              assay_view_note_sourced(view, &decision->note[i]));
        }
    }
    assay_buf_puts(view->out, any ? "</ul>\n" : "");
}

void assay_serving_write_html(assay_view_t *view, const assay_serving_decision_t *decision) {
    const assay_resolved_t *resolved = decision->resolved;
    const char *title = resolved->name ? resolved->name : MESSAGE(REPORT_TITLE);
    assay_page_head(view->out, view->lang, title);
    assay_html_printf(view->out,
                      "<header>\n<h1>%s</h1>\n<p class=\"verdict\">%s</p>\n</header>\n<main>\n",
                      title, decision->sentence);
    const assay_study_t study = assay_study_of_serving(decision);
    write_tiles(view, decision);
    write_candidates(view, decision);
    assay_buf_puts(view->out, "<div class=\"figures\">\n<div>\n");
    draw_bars(view, decision, BARS_MONTH);
    assay_study_chart_tornado(view, &study);
    draw_bars(view, decision, BARS_TTFT);
    draw_bars(view, decision, BARS_TPOT);
    assay_buf_puts(view->out, "</div>\n<div>\n");
    draw_pareto(view, decision);
    draw_cumulative(view, decision);
    assay_buf_puts(view->out, "</div>\n</div>\n");
    write_claims(view, decision);
    write_list(view, decision);
    assay_page_study(view, &study);
    write_notes(view, decision, ASSAY_NOTE_WARNING, ASSAY_MSG_REPORT_HEADING_WARNINGS);
    write_notes(view, decision, ASSAY_NOTE_ASSUMPTION, ASSAY_MSG_REPORT_HEADING_ASSUMPTIONS);
    assay_buf_puts(view->out, "</main>\n<footer>\n");
    put_heading(view, MESSAGE(REPORT_HEADING_REPRODUCE));
    assay_html_printf(view->out, "<p><code>assay decide FILE --html report.html</code> %s</p>\n",
                      SAY(view, REPORT_REPRODUCE, assay_version(),
                          assay_view_count(view, resolved->samples),
                          assay_view_count(view, (double)resolved->seed)));
    assay_buf_puts(view->out, "</footer>\n");
    assay_page_end(view->out);
}
