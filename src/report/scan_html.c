/* One self-contained page: where the work is, what it is, and the lines. */
#include <math.h>
#include <string.h>

#include "report/page.h"
#include "report/scan_view.h"
#include "report/svg.h"

#include "base/banned.h"

#define N_DIRECTORIES 60u
#define N_PLACES 2000u

#define TEXT(id) assay_view_message(view, ASSAY_MSG_SCAN_##id)

static void put_heading(assay_view_t *view, const char *text) {
    assay_html_printf(view->out, "<h2>%s</h2>\n", text);
}

static void put_effects_head(assay_view_t *view) {
    for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
        assay_html_printf(view->out, "<th scope=\"col\" class=\"n\">%s</th>",
                          assay_effect_name((assay_effect_t)e));
    }
}

/* Median as a bar, p10 to p90 as a whisker. */
static void write_chart(assay_view_t *view, const assay_scan_view_t *s) {
    enum { ROW = 26, LEFT = 130, WIDTH = 500, BOTTOM = 40 };
    assay_scan_effort_row_t row[ASSAY_SCAN_EFFORT_ROWS];
    assay_svg_t svg;
    double min = 0.0, max = s->scan->effort.total.p90_days;
    if (max <= 0.0) {
        return;
    }
    assay_svg_nice(&min, &max, false, 5);
    const assay_svg_scale_t x = {false, min, max, LEFT, WIDTH - 14.0};
    const double bottom = ROW * ASSAY_SCAN_EFFORT_ROWS + 6.0;
    assay_scan_effort_rows(s->scan, row);
    assay_html_printf(view->out, "<figure>\n<figcaption><b>%s</b>%s</figcaption>\n",
                      TEXT(FIGURE_EFFORT), TEXT(FIGURE_EFFORT_MORE));
    assay_svg_begin(&svg, view->out, "effort", WIDTH, bottom + BOTTOM, TEXT(FIGURE_EFFORT),
                    TEXT(FIGURE_EFFORT_MORE));
    assay_svg_axis_x(&svg, &x, bottom, 4.0, TEXT(AXIS_DAYS));
    for (uint32_t i = 0; i < ASSAY_SCAN_EFFORT_ROWS; i++) {
        const double y = 6.0 + ROW * i;
        const assay_port_days_t *days = row[i].days;
        const double from = assay_svg_map(&x, days->p10_days),
                     to = assay_svg_map(&x, days->p90_days);
        assay_svg_text(&svg, LEFT - 8.0, y + 14.0, ASSAY_SVG_END, "name",
                       assay_view_message(view, row[i].name));
        assay_svg_rect(&svg, LEFT, y + 3.0, assay_svg_map(&x, days->p50_days) - LEFT, 14.0,
                       i + 1 == ASSAY_SCAN_EFFORT_ROWS ? "bar k1" : "bar k0",
                       assay_view_format(view, "%s: %s (%s - %s)",
                                         assay_view_message(view, row[i].name),
                                         assay_view_number(view, days->p50_days),
                                         assay_view_number(view, days->p10_days),
                                         assay_view_number(view, days->p90_days)));
        assay_svg_line(&svg, from, y + 10.0, to, y + 10.0, "whisker");
        assay_svg_line(&svg, from, y + 6.0, from, y + 14.0, "whisker");
        assay_svg_line(&svg, to, y + 6.0, to, y + 14.0, "whisker");
    }
    assay_svg_end(&svg);
    assay_buf_puts(view->out, "</figure>\n");
}

static void write_effort(assay_view_t *view, const assay_scan_view_t *s) {
    assay_scan_effort_row_t row[ASSAY_SCAN_EFFORT_ROWS];
    const char *note[ASSAY_SCAN_NOTES];
    put_heading(view, TEXT(HEADING_EFFORT));
    assay_buf_puts(view->out, "<div class=\"figures\">\n");
    write_chart(view, s);
    assay_buf_puts(view->out, "<div>\n<table><thead><tr><td></td><th class=\"n\">p10</th>"
                              "<th class=\"n\">p50</th><th class=\"n\">p90</th></tr></thead>\n"
                              "<tbody>\n");
    assay_scan_effort_rows(s->scan, row);
    for (uint32_t i = 0; i < ASSAY_SCAN_EFFORT_ROWS; i++) {
        assay_html_printf(view->out,
                          "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>"
                          "<td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n",
                          assay_view_message(view, row[i].name),
                          assay_view_cell(view, row[i].days->p10_days),
                          assay_view_cell(view, row[i].days->p50_days),
                          assay_view_cell(view, row[i].days->p90_days));
    }
    assay_buf_puts(view->out, "</tbody></table>\n<ul>\n");
    const uint32_t n = assay_scan_effort_notes(view, s->scan, note);
    for (uint32_t i = 0; i < n; i++) {
        assay_html_printf(view->out, "<li>%s</li>\n", note[i]);
    }
    assay_buf_puts(view->out, "</ul>\n</div>\n</div>\n");
}

/* Shade by findings per thousand lines: 0, up to 1, 5, 20, more. */
static uint32_t shade(uint32_t findings, uint64_t lines) {
    static const double limit[] = {1.0, 5.0, 20.0};
    const double density = lines > 0 ? 1000.0 * findings / (double)lines : findings;
    uint32_t step = findings > 0 ? 1 : 0;
    for (uint32_t i = 0; i < 3 && findings > 0; i++) {
        step += density > limit[i];
    }
    return step;
}

static void write_frameworks(assay_view_t *view, const assay_scan_view_t *s) {
    const assay_port_scan_t *scan = s->scan;
    if (scan->n_framework == 0) {
        return;
    }
    put_heading(view, SAY(view, SCAN_HEADING_FRAMEWORKS, assay_scan_rocm(view, scan),
                          assay_view_or_empty(scan->options.target)));
    assay_html_printf(view->out,
                      "<table><thead><tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\" class=\"n\">%s</th><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
                      TEXT(COLUMN_FRAMEWORK), TEXT(COLUMN_FILES), TEXT(COLUMN_VERSIONS),
                      TEXT(COLUMN_HOW));
    for (uint32_t i = 0; i < scan->n_framework; i++) {
        const assay_port_framework_t *f = &scan->framework[i];
        assay_html_printf(view->out,
                          "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td><td>%s</td>"
                          "<td>%s",
                          f->name, assay_view_format(view, "%u", f->files),
                          f->listed ? f->versions : TEXT(NOT_LISTED), f->how);
        if (f->note[0] || f->source[0]) {
            assay_html_printf(view->out, "<span class=\"sub\">%s%s%s</span>", f->note,
                              f->note[0] ? "; " : "", f->source);
        }
        assay_buf_puts(view->out, "</td></tr>\n");
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
}

static void write_more(assay_view_t *view, uint32_t n, uint32_t shown) {
    if (n > shown) {
        assay_html_printf(view->out, "<p>%s</p>\n",
                          SAY(view, SCAN_MORE, assay_view_count(view, n - shown)));
    }
}

static void write_heat(assay_view_t *view, const assay_scan_view_t *s) {
    uint32_t with = 0;
    while (with < s->n_directory && s->directory[with].all > 0) {
        with++;
    }
    const uint32_t shown = with < N_DIRECTORIES ? with : N_DIRECTORIES;
    if (shown == 0) {
        return;
    }
    put_heading(view, TEXT(HEADING_DIRECTORIES));
    assay_html_printf(view->out,
                      "<p class=\"job\">%s</p>\n<table><thead><tr>"
                      "<th scope=\"col\">%s</th><th scope=\"col\" class=\"n\">%s</th>"
                      "<th scope=\"col\" class=\"n\">%s</th><th scope=\"col\" class=\"n\">%s</th>",
                      TEXT(HEAT_MORE), TEXT(COLUMN_DIRECTORY), TEXT(COLUMN_FILES),
                      TEXT(COLUMN_LINES), TEXT(COLUMN_RESIDUAL));
    put_effects_head(view);
    assay_buf_puts(view->out, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < shown; i++) {
        const assay_scan_group_t *d = &s->directory[i];
        assay_html_printf(view->out,
                          "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>"
                          "<td class=\"n\">%s</td><td class=\"n\">%s</td>",
                          d->name, assay_view_format(view, "%u", d->files),
                          assay_view_format(view, "%llu", (unsigned long long)d->lines),
                          assay_view_format(view, "%.0f", d->residual_lines));
        for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
            assay_html_printf(view->out, "<td class=\"heat h%s\">%s</td>",
                              assay_view_format(view, "%u", shade(d->finding[e], d->lines)),
                              assay_view_format(view, "%u", d->finding[e]));
        }
        assay_buf_puts(view->out, "</tr>\n");
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
    write_more(view, with, shown);
}

static void write_groups(assay_view_t *view, const char *heading, const char *name,
                         const assay_scan_group_t *group, uint32_t n) {
    if (n == 0) {
        return;
    }
    put_heading(view, heading);
    assay_html_printf(view->out,
                      "<table><thead><tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\" class=\"n\">%s</th>",
                      name, TEXT(COLUMN_FILES));
    put_effects_head(view);
    assay_buf_puts(view->out, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < n; i++) {
        assay_html_printf(view->out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>",
                          group[i].name, assay_view_format(view, "%u", group[i].files));
        for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
            assay_html_printf(view->out, "<td class=\"n\">%s</td>",
                              assay_view_format(view, "%u", group[i].finding[e]));
        }
        assay_buf_puts(view->out, "</tr>\n");
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
}

/* The line, with what was found marked in it. */
static void put_excerpt(assay_view_t *view, const assay_port_finding_t *f) {
    const char *text = assay_view_or_empty(f->text);
    const size_t n = strlen(text);
    size_t from = f->at.column > f->text_column ? f->at.column - f->text_column : 0;
    from = from < n ? from : n;
    const size_t to = f->length < n - from ? from + f->length : n;
    if (n == 0) {
        return;
    }
    assay_html_printf(view->out, "<pre>%s<mark>%s</mark>%s</pre>",
                      assay_view_format(view, "%.*s", (int)from, text),
                      assay_view_format(view, "%.*s", (int)(to - from), text + from), text + to);
}

static void put_place(assay_view_t *view, const assay_port_finding_t *f) {
    assay_html_printf(view->out,
                      "<tr><td>%s</td><td><b>%s</b><span class=\"sub\">%s</span></td><td>",
                      assay_effect_name((assay_effect_t)f->effect), f->rule,
                      assay_view_format(view, "%s:%u:%u", f->at.file, f->at.line, f->at.column));
    assay_html_printf(view->out, "%s", assay_scan_message(view, f));
    if (f->replacement && f->replacement[0]) {
        assay_html_printf(view->out, "<br>%s", SAY(view, SCAN_INSTEAD, f->replacement));
    }
    put_excerpt(view, f);
    assay_buf_puts(view->out, "</td></tr>\n");
}

static void write_places(assay_view_t *view, const assay_scan_view_t *s) {
    uint32_t shown = 0;
    if (s->n_new == 0) {
        return;
    }
    put_heading(view, TEXT(HEADING_PLACES));
    assay_html_printf(view->out,
                      "<table class=\"places\"><thead><tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th><td></td></tr></thead>\n<tbody>\n",
                      TEXT(COLUMN_EFFECT), TEXT(COLUMN_RULE));
    for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
        for (uint32_t i = 0; i < s->scan->n_finding && shown < N_PLACES; i++) {
            const assay_port_finding_t *f = &s->scan->finding[i];
            if (f->effect == e && !f->known) {
                put_place(view, f);
                shown++;
            }
        }
    }
    assay_buf_puts(view->out, "</tbody></table>\n");
    write_more(view, s->n_new, shown);
}

void assay_scan_write_html(assay_view_t *view, const assay_scan_view_t *s) {
    assay_page_head(view->out, view->lang, TEXT(TITLE));
    assay_html_printf(view->out,
                      "<header>\n<h1>%s</h1>\n<p class=\"verdict\">%s</p>\n</header>\n<main>\n",
                      TEXT(TITLE), assay_scan_sentence(view, s));
    write_effort(view, s);
    write_frameworks(view, s);
    write_heat(view, s);
    write_groups(view, TEXT(HEADING_RULES), TEXT(COLUMN_RULE), s->rule, s->n_rule);
    write_groups(view, TEXT(HEADING_LIBRARIES), TEXT(COLUMN_LIBRARY), s->library, s->n_library);
    write_places(view, s);
    put_heading(view, TEXT(HEADING_ASSUMPTIONS));
    assay_buf_puts(view->out, "<ul>\n");
    for (uint32_t i = 0; i < s->scan->effort.n_assumption; i++) {
        assay_html_printf(view->out, "<li>%s</li>\n", s->scan->effort.assumption[i]);
    }
    assay_buf_puts(view->out, "</ul>\n</main>\n");
    assay_page_end(view->out);
}
