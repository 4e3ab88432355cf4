/* A decision about images as a page. */
#include <math.h>

#include "assay/run.h" /* assay_version */
#include "report/charts.h"
#include "report/decision_page.h"
#include "report/image_view.h"
#include "report/page.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_##id)

static void write_table(assay_view_t *view, const assay_image_decision_t *decision,
                        const char *label, image_columns_t columns) {
    assay_html_printf(view->out,
                      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                      "<table class=\"candidates\">\n<thead><tr>",
                      label);
    for (uint32_t c = 0; c < columns.n; c++) {
        assay_html_printf(view->out, "<th scope=\"col\" class=\"%s\">%s</th>", c > 0 ? "n" : "",
                          assay_view_priced(view, columns.column[c].name));
    }
    assay_buf_puts(view->out, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_image_candidate_t *candidate = &decision->candidate[i];
        assay_html_printf(view->out, "<tr class=\"%s\">",
                          decision->choice == (int32_t)i ? "choice"
                          : candidate->fits              ? ""
                                                         : "out");
        assay_html_printf(view->out, "<th scope=\"row\">%s</th>",
                          columns.column[0].cell(view, candidate));
        for (uint32_t c = 1; candidate->fits && c < columns.n; c++) {
            assay_html_printf(view->out, "<td class=\"n\">%s</td>",
                              columns.column[c].cell(view, candidate));
        }
        if (!candidate->fits) {
            assay_html_printf(view->out, "<td class=\"why\" colspan=\"%s\">%s</td>",
                              assay_view_count(view, columns.n - 1),
                              image_why_not(view, candidate));
        }
        assay_buf_puts(view->out, "</tr>\n");
    }
    assay_buf_puts(view->out, "</tbody></table></div>\n");
}

/* Where the time of a request goes, one bar a candidate. */
static void write_chart(assay_view_t *view, const assay_image_decision_t *decision) {
    static const assay_message_t part[ASSAY_IMAGE_PART_N] = {
        ASSAY_MSG_IMAGE_PART_MATRIX, ASSAY_MSG_IMAGE_PART_ATTENTION, ASSAY_MSG_IMAGE_PART_STREAM,
        ASSAY_MSG_IMAGE_PART_LAUNCH, ASSAY_MSG_IMAGE_PART_HOST};
    const char *name[ASSAY_IMAGE_PART_N];
    assay_chart_bar_t *bar = assay_arena_array(view->arena, decision->n_candidate, sizeof *bar);
    if (!bar) {
        view->failed = true;
        return;
    }
    for (int p = 0; p < ASSAY_IMAGE_PART_N; p++) {
        name[p] = assay_view_message(view, part[p]);
    }
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_image_fleet_t *fleet = &decision->candidate[i].fleet;
        bar[i] = (assay_chart_bar_t){.name = decision->candidate[i].machine->id,
                                     .part = fleet->part_s,
                                     .low = fleet->request_s * fleet->rel_p10,
                                     .high = fleet->request_s * fleet->rel_p90,
                                     .limit = (double)NAN};
    }
    const assay_chart_bars_t bars = {
        .chart = {"request", TEXT(IMAGE_CHART_TITLE), TEXT(IMAGE_CHART_TAKEAWAY)},
        .axis = {.title = TEXT(IMAGE_COLUMN_REQUEST), .kind = ASSAY_SCALE_TIME},
        .part_name = name,
        .n_part = ASSAY_IMAGE_PART_N,
        .bar = bar,
        .n_bar = decision->n_candidate};
    assay_buf_puts(view->out, "<div class=\"figures\">\n<div>\n");
    const assay_study_t study = assay_study_of_images(decision);
    assay_chart_bars(view, &bars);
    assay_buf_puts(view->out, "</div>\n<div>\n");
    assay_study_chart_tornado(view, &study);
    assay_buf_puts(view->out, "</div>\n</div>\n");
}

static void write_list(assay_view_t *view, const assay_image_decision_t *decision,
                       assay_note_kind_t kind, const char *heading, const char *class) {
    bool any = false;
    for (uint32_t i = 0; i < decision->n_note; i++) {
        if (decision->note[i].kind != kind) {
            continue;
        }
        if (!any) {
            assay_page_heading(view, heading);
            assay_html_printf(view->out, "<ul class=\"%s\">\n", class);
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

void assay_images_write_html(assay_view_t *view, const assay_image_decision_t *decision) {
    const assay_resolved_t *resolved = decision->resolved;
    const char *title = resolved->name ? resolved->name : TEXT(REPORT_TITLE);
    assay_page_head(view->out, view->lang, title);
    assay_html_printf(view->out,
                      "<header>\n<h1>%s</h1>\n<p class=\"job\">%s</p>\n"
                      "<p class=\"verdict\">%s</p>\n</header>\n<main>\n",
                      title, image_job_line(view, decision), decision->sentence);
    assay_page_heading(view, image_cost_heading(view, decision));
    write_table(view, decision, TEXT(REPORT_HEADING_CANDIDATES), image_cost_columns());
    assay_page_heading(view, TEXT(IMAGE_HEADING_SPEED));
    write_table(view, decision, TEXT(IMAGE_HEADING_SPEED), image_speed_columns());
    write_chart(view, decision);
    const assay_study_t study = assay_study_of_images(decision);
    if (decision->n_flip > 0) {
        assay_page_heading(view, TEXT(REPORT_HEADING_FLIPS));
        assay_buf_puts(view->out, "<ul>\n");
        for (uint32_t i = 0; i < decision->n_flip; i++) {
            assay_html_printf(view->out, "<li>%s</li>\n", decision->flip[i].sentence);
        }
        assay_page_investment(view, &study);
        assay_buf_puts(view->out, "</ul>\n");
    }
    assay_page_study(view, &study);
    write_list(view, decision, ASSAY_NOTE_WARNING, TEXT(REPORT_HEADING_WARNINGS), "warn");
    write_list(view, decision, ASSAY_NOTE_ASSUMPTION, TEXT(REPORT_HEADING_ASSUMPTIONS), "");
    assay_buf_puts(view->out, "</main>\n<footer>\n");
    assay_page_heading(view, TEXT(REPORT_HEADING_REPRODUCE));
    assay_html_printf(view->out, "<p><code>assay decide FILE --html report.html</code> %s</p>\n",
                      SAY(view, REPORT_REPRODUCE, assay_version(),
                          assay_view_count(view, resolved->samples),
                          assay_view_count(view, (double)resolved->seed)));
    assay_buf_puts(view->out, "</footer>\n");
    assay_page_end(view->out);
}
