/**
 * Figures of a page: caption with what to see, drawing, and the numbers behind it as a table. What
 * they show is given as plain numbers in SI (money in USD), so that every report draws with them;
 * the unit of an axis follows from its largest value. Text is in the report's language already.
 * Ids are unique on the page. NAN is a value that is not there.
 */
#ifndef ASSAY_REPORT_CHARTS_H
#define ASSAY_REPORT_CHARTS_H

#include "report/svg.h"
#include "report/view.h"

#define ASSAY_CHART_SERIES 8 /* that have a colour of their own (k0..k7) */
#define ASSAY_CHART_PARTS 32 /* of a stacked bar; the colours p0..p11 repeat */
#define ASSAY_CHART_WIDTH 470.0
#define ASSAY_CHART_NAME 44 /* columns of a name in a legend */

typedef struct {
    const char *id, *title, *takeaway;
} assay_chart_t;

typedef struct {
    const char *title; /* without unit */
    assay_scale_kind_t kind;
    const char *unit; /* of PLAIN: "%", "tokens/s"; NULL = none */
    bool log;
} assay_chart_axis_t;

/* ---- stacked bars, one a candidate ---- */

typedef struct {
    const char *name;
    const double *part;   /* (n_part) as drawn; negative ones to the left of 0 */
    const double *listed; /* (n_part) as in the table; NULL = part */
    double low, high;     /* whisker: p10, p90 of the whole; NAN = none */
    double limit;         /* dashed; NAN = none */
} assay_chart_bar_t;

typedef struct {
    assay_chart_t chart;
    assay_chart_axis_t axis;
    const char *const *part_name;   /* (n_part) */
    const char *const *listed_name; /* (n_part); NULL = part_name */
    uint32_t n_part;                /* 1: one colour a bar and no legend */
    const assay_chart_bar_t *bar;
    uint32_t n_bar;
} assay_chart_bars_t;
void assay_chart_bars(assay_view_t *view, const assay_chart_bars_t *bars);

/* ---- lines with bands; a distribution is one too ---- */

typedef struct {
    const char *name;
    const double *x, *y;      /* (n), x ascending */
    const double *low, *high; /* (n) band around y; NULL = none */
    uint32_t n;
} assay_chart_line_t;

/** A point with a label; with y NAN a dashed line at x. */
typedef struct {
    const char *label;
    double x, y;
} assay_chart_mark_t;

typedef struct {
    assay_chart_t chart;
    assay_chart_axis_t x, y;
    double y_max; /* 0: the largest value */
    const assay_chart_line_t *line;
    uint32_t n_line; /* at most ASSAY_CHART_SERIES; more are left out */
    const assay_chart_mark_t *mark;
    uint32_t n_mark;
} assay_chart_lines_t;
void assay_chart_lines(assay_view_t *view, const assay_chart_lines_t *lines);

/* ---- points, such as layouts, with the front that nothing beats ---- */

typedef struct {
    const char *name;
    double x, y;
    uint32_t series;
    bool front; /* joined with the others of its series, in the order of x */
    bool label; /* named in the drawing where there is room */
} assay_chart_point_t;

typedef struct {
    assay_chart_t chart;
    assay_chart_axis_t x, y;
    const char *const *series; /* (n_series) names */
    uint32_t n_series;
    const assay_chart_point_t *point;
    uint32_t n_point;
} assay_chart_points_t;
void assay_chart_points(assay_view_t *view, const assay_chart_points_t *points);

/* ---- tornado: what each input moves, in the caller's order, the largest first ---- */

typedef struct {
    const char *name;
    const char *low_text, *high_text; /* the input's p10 and p90, as printed */
    double low, high;                 /* the result there */
} assay_chart_swing_t;

typedef struct {
    assay_chart_t chart;
    assay_chart_axis_t axis;
    double base; /* the result at central values */
    const assay_chart_swing_t *swing;
    uint32_t n_swing;
} assay_chart_tornado_t;
void assay_chart_tornado(assay_view_t *view, const assay_chart_tornado_t *tornado);

/* ---- map of two variables: who wins where, and the boundary ---- */

#define ASSAY_CHART_MAP 24 /* values of an axis */
typedef struct {
    assay_chart_t chart;
    assay_chart_axis_t x, y, value;
    uint32_t n_x, n_y;               /* at most ASSAY_CHART_MAP each, at least 2 */
    const double *x_value, *y_value; /* (n_x), (n_y) ascending: middles of the cells */
    const double *cell; /* (n_y, n_x) positive wins above 0; infinite: alone, NAN: neither can */
    const char *positive, *negative;             /* names of who wins */
    const char *positive_alone, *negative_alone; /* of who alone can do it */
    const char *neither;
    const double *edge, *edge_low, *edge_high; /* (n_x) y of the boundary, its band; NULL = none */
    double now_x, now_y;                       /* where the job stands; NAN = nowhere */
} assay_chart_map_t;
void assay_chart_map(assay_view_t *view, const assay_chart_map_t *map);

/* ---- roofline (Williams, Waterman, Patterson, CACM 2009) ---- */

typedef struct {
    const char *name;
    double peak_flops, bytes_per_s;
} assay_chart_roof_t;

typedef struct {
    const char *name;
    uint32_t roof;
    double flops_per_byte, flops; /* flops: a second */
    bool label;                   /* named in the drawing where there is room */
    const char *basis;            /* what its time rests on */
} assay_chart_op_t;

typedef struct {
    assay_chart_t chart;
    const assay_chart_roof_t *roof;
    uint32_t n_roof; /* at most ASSAY_CHART_SERIES */
    const assay_chart_op_t *op;
    uint32_t n_op;
} assay_chart_roofline_t;
void assay_chart_roofline(assay_view_t *view, const assay_chart_roofline_t *roofline);

/* ---- what the drawings share ---- */

void assay_figure_begin(assay_view_t *view, const assay_chart_t *chart);
void assay_figure_table_begin(assay_view_t *view);
void assay_figure_end(assay_view_t *view); /* ends the table as well */
/** Unit of an axis whose largest value is max, and its title with it: "cost [MUSD]". */
assay_scale_t assay_chart_unit(assay_view_t *view, const assay_chart_axis_t *axis, double max,
                               const char **out_title);
/** Legend entries k0.. of series names, cut to their width; shape as in assay_svg_key_t, or the
 * series' own marks when it is 0. */
void assay_chart_keys(assay_view_t *view, const char *const *name, uint32_t n, int shape,
                      assay_svg_key_t *out_key);

#endif
