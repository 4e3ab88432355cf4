/* The phases over time: a bar from start to end at p50, a whisker to p90, what it costs, one line a
   phase. Stands alone: its style is in the file, light and dark. */
#include <math.h>

#include "report/roadmap_view.h"
#include "report/svg.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_##id)

#define WIDTH 900.0
#define LEFT 260.0
#define RIGHT 120.0
#define TOP 60.0
#define ROW 34.0
#define BOTTOM 52.0

static const char style[] =
    "<style>svg{color-scheme:light dark;font:11px system-ui,\"Noto Sans\",\"Noto Sans "
    "CJK SC\",sans-serif}"
    "text{fill:#1b1f24}.head{font-size:14px;font-weight:600}.bar{fill:#0072b2}"
    ".endless{fill:#0072b2;opacity:.45}.whisker,.axis{stroke:#57606a;fill:none}.grid{stroke:"
    "#e7ebef}.back{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e9ed}.back{fill:#12161b}.bar,.endless{fill:"
    "#56a9e0}.grid{stroke:#262d35}.whisker,.axis{stroke:#9aa5b1}}</style>\n";

static const char *tooltip(assay_view_t *view, const assay_roadmap_t *map,
                           const assay_phase_t *phase) {
    return assay_view_format(view, "%s: %s - %s", assay_view_phrase(view, phase->name),
                             assay_roadmap_date(view, map, phase->start),
                             phase->endless ? "..."
                                            : assay_roadmap_date(view, map, phase->end.p50));
}

static void put_phase(assay_view_t *view, const assay_roadmap_t *map, uint32_t i,
                      const assay_svg_scale_t *weeks, assay_svg_t *svg) {
    const assay_phase_t *phase = &map->phase[i];
    const double y = TOP + ROW * i, middle = y + ROW / 2;
    const double x0 = assay_svg_map(weeks, phase->start / 7);
    const double x1 = phase->endless ? weeks->to : assay_svg_map(weeks, phase->end.p50 / 7);
    assay_svg_text(svg, LEFT - 10, middle + 4, ASSAY_SVG_END, "name",
                   assay_view_cut(view, assay_view_phrase(view, phase->name), 40));
    assay_svg_rect(svg, x0, y + 9, fmax(1, x1 - x0), ROW - 18, phase->endless ? "endless" : "bar",
                   tooltip(view, map, phase));
    if (!phase->endless) {
        const double late = assay_svg_map(weeks, phase->end.p90 / 7);
        assay_svg_line(svg, x1, middle, late, middle, "whisker");
        assay_svg_line(svg, late, middle - 5, late, middle + 5, "whisker");
    }
    assay_svg_text(svg, WIDTH - RIGHT + 12, middle + 4, ASSAY_SVG_START, "cost",
                   assay_view_quantity(view, phase->usd, ASSAY_DIM_MONEY));
}

void assay_roadmap_write_svg(assay_view_t *view, const assay_roadmap_t *map) {
    const double height = TOP + ROW * map->n_phase + BOTTOM;
    double last = 1;
    for (uint32_t i = 0; i < map->n_phase; i++) {
        last = fmax(last, map->phase[i].end.p90 / 7);
    }
    const assay_svg_scale_t weeks = {
        .min = 0, .max = ceil(last * 1.08), .from = LEFT, .to = WIDTH - RIGHT};
    const char *title = SAY(view, ROADMAP_TITLE, map->of.target->id);
    assay_svg_t svg = {.out = view->out, .width = WIDTH, .height = height};
    assay_html_printf(view->out,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" "
                      "role=\"img\">\n<title>%s</title>\n<desc>%s</desc>\n",
                      assay_view_format(view, "%.0f", WIDTH),
                      assay_view_format(view, "%.0f", height), title, TEXT(ROADMAP_ALT));
    assay_buf_puts(view->out, style);
    assay_svg_rect(&svg, 0, 0, WIDTH, height, "back", NULL);
    assay_svg_text(&svg, 16, 26, ASSAY_SVG_START, "head", title);
    assay_svg_axis_x(&svg, &weeks, TOP + ROW * map->n_phase, TOP,
                     SAY(view, ROADMAP_AXIS, assay_roadmap_date(view, map, 0)));
    for (uint32_t i = 0; i < map->n_phase; i++) {
        put_phase(view, map, i, &weeks, &svg);
    }
    assay_buf_puts(view->out, "</svg>\n");
}
