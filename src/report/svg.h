/**
 * Inline SVG for the report page: scales, ticks, axes, marks, labels that do not overlap, a legend.
 * Colours and fonts are the page's: a shape carries two CSS classes, what it is (bar, line, band,
 * mark) and whose it is (k0.. a candidate, p0.. a part), so that one style sheet serves light, dark
 * and print. All text is escaped. Coordinates are pixels of the viewBox, y downwards.
 */
#ifndef ASSAY_REPORT_SVG_H
#define ASSAY_REPORT_SVG_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/text.h"

/** Text with & < > " ' as entities, for content and attributes; control characters as spaces. NULL
 * = "". */
void assay_html_escape(assay_buf_t *out, const char *text);
/** Like printf with %s (escaped) and %% only: markup is the format, data the arguments. */
void assay_html_printf(assay_buf_t *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Maps [min, max] (0 < min when log) to pixels [from, to]. */
typedef struct {
    bool log;
    double min, max, from, to;
} assay_svg_scale_t;
double assay_svg_map(const assay_svg_scale_t *scale, double value);

#define ASSAY_SVG_TICKS 24
/**
 * Round numbers in [min, max], ascending. Linear: steps of 1, 2 or 5 times a power of ten, about
 * `want` of them. Log: powers of ten; with fewer than three of them 2 and 5 in between as well.
 * Returns the number written.
 */
uint32_t assay_svg_ticks(double min, double max, bool log, uint32_t want,
                         double out_tick[ASSAY_SVG_TICKS]);
/** [min, max] widened to the next ticks' step, so that no mark lies on the edge without a tick. */
void assay_svg_nice(double *min, double *max, bool log, uint32_t want);

#define ASSAY_SVG_BOXES 1024
typedef struct {
    double x0, y0, x1, y1;
} assay_svg_box_t;

typedef struct {
    assay_buf_t *out;
    double width, height;
    assay_svg_box_t box[ASSAY_SVG_BOXES]; /* taken by marks and labels */
    uint32_t n_box;
} assay_svg_t;

/** id: unique on the page, for aria-labelledby. */
void assay_svg_begin(assay_svg_t *svg, assay_buf_t *out, const char *id, double width,
                     double height, const char *title, const char *desc);
void assay_svg_end(assay_svg_t *svg);
/** tooltip NULL = none. */
void assay_svg_rect(assay_svg_t *svg, double x, double y, double width, double height,
                    const char *css, const char *tooltip);
void assay_svg_line(assay_svg_t *svg, double x0, double y0, double x1, double y1, const char *css);
/** A line across, from corner to corner, of a rectangle that is there. */
void assay_svg_hatch(assay_svg_t *svg, double x, double y, double width, double height);
/** x, y: (n). closed: an area. */
void assay_svg_path(assay_svg_t *svg, const double *x, const double *y, uint32_t n, bool closed,
                    const char *css);
/** shape: 0 circle, 1 square, 2 diamond, 3 triangle; beyond that it repeats. Takes its box. */
void assay_svg_mark(assay_svg_t *svg, double x, double y, uint32_t shape, const char *css,
                    const char *tooltip);

typedef enum { ASSAY_SVG_START, ASSAY_SVG_MIDDLE, ASSAY_SVG_END } assay_svg_anchor_t;
void assay_svg_text(assay_svg_t *svg, double x, double y, assay_svg_anchor_t anchor,
                    const char *css, const char *text);
/** Keeps labels off the straight line. */
void assay_svg_block(assay_svg_t *svg, double x0, double y0, double x1, double y1);
/** Text next to (x, y) on the first of eight sides that is free. false: none is, and nothing is
 * drawn. */
bool assay_svg_label(assay_svg_t *svg, double x, double y, const char *css, const char *text);
/** Estimated width of 11 px text. */
double assay_svg_text_width(const char *text);

/** Axis line, ticks, numbers, grid across to grid_to, title with unit. x axis at height y. */
void assay_svg_axis_x(assay_svg_t *svg, const assay_svg_scale_t *scale, double y, double grid_to,
                      const char *title);
void assay_svg_axis_y(assay_svg_t *svg, const assay_svg_scale_t *scale, double x, double grid_to,
                      const char *title);

#define ASSAY_SVG_KEY_LINE (-1)   /* a line without mark */
#define ASSAY_SVG_KEY_SQUARE (-2) /* a filled square */
#define ASSAY_SVG_KEY_HATCH (-3)  /* one with a line across */
typedef struct {
    const char *label;
    const char *css; /* whose: "k0", "p3" */
    int shape;       /* of the mark on a line, or one of the above */
} assay_svg_key_t;
/** Height that a legend of that width needs; draws it when svg is not NULL. */
double assay_svg_legend(assay_svg_t *svg, double x, double y, double width,
                        const assay_svg_key_t *key, uint32_t n);

#endif
