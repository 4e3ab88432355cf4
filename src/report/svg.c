#include "report/svg.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

void assay_html_escape(assay_buf_t *out, const char *text) {
    static const char *const entity[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    const size_t n = text ? strlen(text) : 0;
    size_t from = 0, length;
    for (size_t at = 0; at < n; at += length) {
        uint32_t code;
        bool printable;
        length = assay_text_character(text + at, n - at, &code, &printable);
        const char *instead = !printable                                ? code < 0x20 ? " " : "?"
                              : code < sizeof entity / sizeof entity[0] ? entity[code]
                                                                        : NULL;
        if (instead) {
            assay_buf_add(out, text + from, at - from);
            assay_buf_puts(out, instead);
            from = at + length;
        }
    }
    if (n > from) {
        assay_buf_add(out, text + from, n - from);
    }
}

void assay_html_printf(assay_buf_t *out, const char *format, ...) {
    va_list arg;
    va_start(arg, format);
    for (size_t n; *format; format += n) {
        n = strcspn(format, "%");
        assay_buf_add(out, format, n);
        if (format[n] == '%') {
            assert(format[n + 1] == 's' || format[n + 1] == '%');
            if (format[n + 1] == 's') {
                assay_html_escape(out, va_arg(arg, const char *));
            } else {
                assay_buf_add(out, "%", 1);
            }
            n += 2;
        }
    }
    va_end(arg);
}

double assay_svg_map(const assay_svg_scale_t *scale, double value) {
    const double at = scale->log ? log(value / scale->min) / log(scale->max / scale->min)
                                 : (value - scale->min) / (scale->max - scale->min);
    return scale->from + at * (scale->to - scale->from);
}

/** The step of about `want` round ticks over span > 0: 1, 2 or 5 times a power of ten. */
static double tick_step(double span, uint32_t want) {
    const double raw = span / want;
    const double power = pow(10.0, floor(log10(raw)));
    static const double factor[] = {1.0, 2.0, 5.0};
    for (size_t i = 0; i < sizeof factor / sizeof factor[0]; i++) {
        if (raw <= factor[i] * power * (1.0 + 1e-9)) {
            return factor[i] * power;
        }
    }
    return 10.0 * power;
}

static uint32_t ticks_linear(double min, double max, uint32_t want,
                             double out_tick[ASSAY_SVG_TICKS]) {
    const double step = tick_step(max - min, want), slack = 1e-9 * step;
    uint32_t n = 0;
    for (double i = ceil((min - slack) / step); i * step <= max + slack && n < ASSAY_SVG_TICKS;
         i += 1.0) {
        out_tick[n++] = i * step;
    }
    return n;
}

static uint32_t ticks_log(double min, double max, double out_tick[ASSAY_SVG_TICKS]) {
    const double low = min * (1.0 - 1e-9), high = max * (1.0 + 1e-9);
    const double first = floor(log10(low)), last = ceil(log10(high));
    static const double fine[] = {1.0, 2.0, 5.0};
    const double powers = floor(log10(high)) - ceil(log10(low)) + 1.0;
    const size_t n_fine = powers < 3.0 ? 3 : 1;
    const double stride = ceil((last - first + 1.0) / ASSAY_SVG_TICKS); /* beyond 24 decades */
    uint32_t n = 0;
    for (double power = first; power <= last; power += stride) {
        for (size_t i = 0; i < n_fine && n < ASSAY_SVG_TICKS; i++) {
            const double tick = fine[i] * pow(10.0, power);
            if (tick >= low && tick <= high) {
                out_tick[n++] = tick;
            }
        }
    }
    return n;
}

uint32_t assay_svg_ticks(double min, double max, bool log_scale, uint32_t want,
                         double out_tick[ASSAY_SVG_TICKS]) {
    assert(isfinite(min) && isfinite(max) && min < max && want > 0 && (!log_scale || min > 0.0));
    return log_scale ? ticks_log(min, max, out_tick) : ticks_linear(min, max, want, out_tick);
}

void assay_svg_nice(double *min, double *max, bool log_scale, uint32_t want) {
    if (log_scale) {
        *min = pow(10.0, floor(log10(*min) + 1e-9));
        *max = pow(10.0, ceil(log10(*max) - 1e-9));
        return;
    }
    const double step = tick_step(*max - *min, want);
    *min = floor(*min / step + 1e-9) * step;
    *max = ceil(*max / step - 1e-9) * step;
}

/** A coordinate: a tenth of a pixel is enough. */
static void put_number(assay_buf_t *out, double value) {
    char text[32];
    const double rounded = round(10.0 * value) / 10.0;
    assay_buf_add(out, text, assay_text_from_double(text, rounded == 0.0 ? 0.0 : rounded));
}

static void put_attribute(assay_buf_t *out, const char *name, double value) {
    assay_html_printf(out, " %s=\"", name);
    put_number(out, value);
    assay_buf_add(out, "\"", 1);
}

static void put_class(assay_buf_t *out, const char *css) {
    assay_html_printf(out, " class=\"%s\"", css);
}

static void close_shape(assay_buf_t *out, const char *name, const char *tooltip) {
    if (tooltip) {
        assay_html_printf(out, "><title>%s</title></%s>\n", tooltip, name);
    } else {
        assay_buf_puts(out, "/>\n");
    }
}

void assay_svg_begin(assay_svg_t *svg, assay_buf_t *out, const char *id, double width,
                     double height, const char *title, const char *desc) {
    svg->out = out;
    svg->width = width;
    svg->height = height;
    svg->n_box = 0;
    assay_buf_puts(out, "<svg class=\"chart\" viewBox=\"0 0 ");
    put_number(out, width);
    assay_buf_add(out, " ", 1);
    put_number(out, height);
    assay_html_printf(out,
                      "\" role=\"img\" aria-labelledby=\"%s-title %s-desc\">\n"
                      "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n",
                      id, id, id, title, id, desc);
}

void assay_svg_end(assay_svg_t *svg) {
    assay_buf_puts(svg->out, "</svg>\n");
}

static void take_box(assay_svg_t *svg, assay_svg_box_t box) {
    if (svg->n_box < ASSAY_SVG_BOXES) {
        svg->box[svg->n_box++] = box;
    }
}

void assay_svg_rect(assay_svg_t *svg, double x, double y, double width, double height,
                    const char *css, const char *tooltip) {
    assay_buf_puts(svg->out, "<rect");
    put_attribute(svg->out, "x", x);
    put_attribute(svg->out, "y", y);
    put_attribute(svg->out, "width", width);
    put_attribute(svg->out, "height", height);
    put_class(svg->out, css);
    close_shape(svg->out, "rect", tooltip);
}

void assay_svg_line(assay_svg_t *svg, double x0, double y0, double x1, double y1, const char *css) {
    assay_buf_puts(svg->out, "<line");
    put_attribute(svg->out, "x1", x0);
    put_attribute(svg->out, "y1", y0);
    put_attribute(svg->out, "x2", x1);
    put_attribute(svg->out, "y2", y1);
    put_class(svg->out, css);
    close_shape(svg->out, "line", NULL);
}

void assay_svg_path(assay_svg_t *svg, const double *x, const double *y, uint32_t n, bool closed,
                    const char *css) {
    assay_buf_puts(svg->out, "<path d=\"");
    for (uint32_t i = 0; i < n; i++) {
        assay_buf_puts(svg->out, i ? " L" : "M");
        put_number(svg->out, x[i]);
        assay_buf_add(svg->out, " ", 1);
        put_number(svg->out, y[i]);
    }
    assay_buf_puts(svg->out, closed ? " Z\"" : "\"");
    put_class(svg->out, css);
    close_shape(svg->out, "path", NULL);
}

void assay_svg_mark(assay_svg_t *svg, double x, double y, uint32_t shape, const char *css,
                    const char *tooltip) {
    /* corners around the centre, sized so that the areas look alike */
    static const struct {
        uint32_t n;
        double x[4], y[4];
    } corner[] = {{4, {-3.5, 3.5, 3.5, -3.5}, {-3.5, -3.5, 3.5, 3.5}},
                  {4, {0, 4.8, 0, -4.8}, {-4.8, 0, 4.8, 0}},
                  {3, {0, 4.6, -4.6}, {-5, 3.6, 3.6}}};
    assay_buf_t *out = svg->out;
    take_box(svg, (assay_svg_box_t){x - 5.0, y - 5.0, x + 5.0, y + 5.0});
    shape %= 4;
    if (shape == 0) {
        assay_buf_puts(out, "<circle");
        put_attribute(out, "cx", x);
        put_attribute(out, "cy", y);
        put_attribute(out, "r", 4.0);
        put_class(out, css);
        close_shape(out, "circle", tooltip);
        return;
    }
    assay_buf_puts(out, "<polygon points=\"");
    for (uint32_t i = 0; i < corner[shape - 1].n; i++) {
        assay_buf_puts(out, i ? " " : "");
        put_number(out, x + corner[shape - 1].x[i]);
        assay_buf_add(out, ",", 1);
        put_number(out, y + corner[shape - 1].y[i]);
    }
    assay_buf_add(out, "\"", 1);
    put_class(out, css);
    close_shape(out, "polygon", tooltip);
}

void assay_svg_text(assay_svg_t *svg, double x, double y, assay_svg_anchor_t anchor,
                    const char *css, const char *text) {
    static const char *const name[] = {"start", "middle", "end"};
    assay_buf_puts(svg->out, "<text");
    put_attribute(svg->out, "x", x);
    put_attribute(svg->out, "y", y);
    assay_html_printf(svg->out, " text-anchor=\"%s\" class=\"%s\">%s</text>\n", name[anchor], css,
                      text);
}

double assay_svg_text_width(const char *text) {
    return 6.6 * (double)assay_text_columns(text);
}

void assay_svg_block(assay_svg_t *svg, double x0, double y0, double x1, double y1) {
    const double half = 2.0, steps = ceil(hypot(x1 - x0, y1 - y0) / (2.0 * half));
    for (double i = 0.0; i <= steps; i += 1.0) {
        const double x = x0 + (x1 - x0) * i / fmax(steps, 1.0);
        const double y = y0 + (y1 - y0) * i / fmax(steps, 1.0);
        take_box(svg, (assay_svg_box_t){x - half, y - half, x + half, y + half});
    }
}

static bool is_free(const assay_svg_t *svg, assay_svg_box_t box) {
    if (box.x0 < 0.0 || box.y0 < 0.0 || box.x1 > svg->width || box.y1 > svg->height) {
        return false;
    }
    for (uint32_t i = 0; i < svg->n_box; i++) {
        const assay_svg_box_t *taken = &svg->box[i];
        if (box.x0 < taken->x1 && taken->x0 < box.x1 && box.y0 < taken->y1 && taken->y0 < box.y1) {
            return false;
        }
    }
    return true;
}

bool assay_svg_label(assay_svg_t *svg, double x, double y, const char *css, const char *text) {
    const double width = assay_svg_text_width(text), gap = 7.0, half = 6.0;
    const struct {
        double x, y; /* of the box's left edge and middle */
    } side[] = {{x + gap, y},
                {x - gap - width, y},
                {x - width / 2.0, y - gap - half},
                {x - width / 2.0, y + gap + half},
                {x + gap, y + gap + half},
                {x - gap - width, y + gap + half},
                {x + gap, y - gap - half},
                {x - gap - width, y - gap - half}};
    for (size_t i = 0; i < sizeof side / sizeof side[0]; i++) {
        const assay_svg_box_t box = {side[i].x, side[i].y - half, side[i].x + width,
                                     side[i].y + half};
        if (is_free(svg, box)) {
            take_box(svg, box);
            assay_svg_text(svg, side[i].x, side[i].y + 4.0, ASSAY_SVG_START, css, text);
            return true;
        }
    }
    return false;
}

static const char *tick_text(char out[32], double value) {
    out[assay_text_from_double_short(out, value, 3)] = '\0';
    return out;
}

void assay_svg_axis_x(assay_svg_t *svg, const assay_svg_scale_t *scale, double y, double grid_to,
                      const char *title) {
    double tick[ASSAY_SVG_TICKS];
    const uint32_t n = assay_svg_ticks(scale->min, scale->max, scale->log, 5, tick);
    char text[32];
    for (uint32_t i = 0; i < n; i++) {
        const double x = assay_svg_map(scale, tick[i]);
        assay_svg_line(svg, x, y, x, grid_to, "grid");
        assay_svg_text(svg, x, y + 14.0, ASSAY_SVG_MIDDLE, "tick", tick_text(text, tick[i]));
    }
    take_box(svg, (assay_svg_box_t){0.0, y, svg->width, svg->height});
    assay_svg_line(svg, scale->from, y, scale->to, y, "axis");
    assay_svg_text(svg, (scale->from + scale->to) / 2.0, y + 30.0, ASSAY_SVG_MIDDLE, "title",
                   title);
}

void assay_svg_axis_y(assay_svg_t *svg, const assay_svg_scale_t *scale, double x, double grid_to,
                      const char *title) {
    double tick[ASSAY_SVG_TICKS];
    const uint32_t n = assay_svg_ticks(scale->min, scale->max, scale->log, 5, tick);
    char text[32];
    for (uint32_t i = 0; i < n; i++) {
        const double y = assay_svg_map(scale, tick[i]);
        assay_svg_line(svg, x, y, grid_to, y, "grid");
        assay_svg_text(svg, x - 5.0, y + 4.0, ASSAY_SVG_END, "tick", tick_text(text, tick[i]));
    }
    take_box(svg, (assay_svg_box_t){0.0, 0.0, x, svg->height});
    assay_svg_line(svg, x, scale->from, x, scale->to, "axis");
    assay_svg_text(svg, 2.0, scale->to - 10.0, ASSAY_SVG_START, "title", title);
}

void assay_svg_hatch(assay_svg_t *svg, double x, double y, double width, double height) {
    assay_svg_line(svg, x, y + height, x + width, y, "hatch");
}

double assay_svg_legend(assay_svg_t *svg, double x, double y, double width,
                        const assay_svg_key_t *key, uint32_t n) {
    const double row = 16.0;
    double at = x, top = y;
    for (uint32_t i = 0; i < n; i++) {
        const bool square = key[i].shape <= ASSAY_SVG_KEY_SQUARE;
        const double swatch = square ? 14.0 : 28.0;
        const double need = swatch + assay_svg_text_width(key[i].label) + 12.0;
        if (at > x && at + need > x + width) {
            at = x;
            top += row;
        }
        char css[48];
        if (svg && square) {
            snprintf(css, sizeof css, "bar %s", key[i].css);
            assay_svg_rect(svg, at, top, 10.0, 10.0, css, NULL);
            if (key[i].shape == ASSAY_SVG_KEY_HATCH) {
                assay_svg_hatch(svg, at, top, 10.0, 10.0);
            }
        } else if (svg) {
            snprintf(css, sizeof css, "line %s", key[i].css);
            assay_svg_line(svg, at, top + 5.0, at + 24.0, top + 5.0, css);
        }
        if (svg && key[i].shape >= 0) {
            snprintf(css, sizeof css, "mark %s", key[i].css);
            assay_svg_mark(svg, at + 12.0, top + 5.0, (uint32_t)key[i].shape, css, NULL);
        }
        if (svg) {
            assay_svg_text(svg, at + swatch, top + 9.0, ASSAY_SVG_START, "key", key[i].label);
        }
        at += need;
    }
    return n ? top + row - y : 0.0;
}
