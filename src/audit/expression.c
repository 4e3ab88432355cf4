#include "audit/expression.h"

#include <math.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

typedef struct {
    audit_scope_t *scope;
    const char *text, *at, *end;
    const assay_place_t *place;
    uint32_t depth;
    bool known;
    assay_error_t *err;
} parser_t;

static assay_place_t place_of(const parser_t *parser, const char *at) {
    assay_place_t place = parser->place ? *parser->place : (assay_place_t){NULL, 0, 0};
    if (place.column > 0) {
        place.column += (uint32_t)(at - parser->text);
    }
    return place;
}

static assay_status_t fail(parser_t *parser, const char *at, const char *what, const char *next) {
    const assay_place_t place = place_of(parser, at);
    const size_t left = (size_t)(parser->end - at);
    const int shown = (int)(left < 24 ? left : 24);
    assay_error_set(parser->err, ASSAY_INPUT, &place, "%s, at \"%.*s\"", what, shown, at);
    assay_error_next(parser->err, "%s", next);
    return ASSAY_INPUT;
}

static void skip_space(parser_t *parser) {
    while (parser->at < parser->end && strchr(" \t\n", *parser->at)) {
        parser->at++;
    }
}

static bool take(parser_t *parser, char c) {
    skip_space(parser);
    if (parser->at < parser->end && *parser->at == c) {
        parser->at++;
        return true;
    }
    return false;
}

/* ---- arithmetic of ranges ---- */

static void set_range(audit_value_t *value, const double *of, uint32_t n) {
    value->low = value->high = of[0];
    for (uint32_t i = 1; i < n; i++) {
        value->low = fmin(value->low, of[i]);
        value->high = fmax(value->high, of[i]);
    }
}

static assay_status_t check_finite(parser_t *parser, const char *at, const audit_value_t *value) {
    return isfinite(value->low) && isfinite(value->high)
               ? ASSAY_OK
               : fail(parser, at, "the result is beyond every number", "check the figures");
}

static assay_status_t add(parser_t *parser, const char *at, audit_value_t *io,
                          const audit_value_t *by, double sign) {
    if (!parser->known) { /* and so is the dimension */
        return ASSAY_OK;
    }
    if (!audit_dim_equal(&io->dim, &by->dim)) {
        const char *a = audit_dim_text(parser->scope->arena, &io->dim);
        const char *b = audit_dim_text(parser->scope->arena, &by->dim);
        const char *what =
            assay_arena_printf(parser->scope->arena, "%s and %s cannot be %s", a ? a : "?",
                               b ? b : "?", sign > 0 ? "added" : "subtracted");
        return what ? fail(parser, at, what, "bring both to the same unit")
                    : assay_error_memory(parser->err, NULL);
    }
    const double low = sign > 0 ? by->low : -by->high, high = sign > 0 ? by->high : -by->low;
    io->low += low;
    io->high += high;
    io->saw |= by->saw;
    return check_finite(parser, at, io);
}

static assay_status_t multiply(parser_t *parser, const char *at, audit_value_t *io,
                               const audit_value_t *by, int sign) {
    audit_value_t other = *by;
    if (!parser->known) {
        return ASSAY_OK;
    }
    if (!audit_dim_multiply(&io->dim, &by->dim, sign, &io->dim)) {
        return fail(parser, at, "a power of a unit is too high", "check the formula");
    }
    io->saw |= by->saw;
    if (sign < 0) {
        if (by->low <= 0 && by->high >= 0) {
            return fail(parser, at, "division by what is or may be zero", "check the figures");
        }
        other.low = 1 / by->high;
        other.high = 1 / by->low;
    }
    const double corner[] = {io->low * other.low, io->low * other.high, io->high * other.low,
                             io->high * other.high};
    set_range(io, corner, 4);
    return check_finite(parser, at, io);
}

/* ---- grammar ---- */

static assay_status_t read_sum(parser_t *parser, audit_value_t *out);

static size_t number_length(const char *text, size_t n) {
    size_t i = 0, digits = 0;
    for (bool point = false; i < n; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            digits++;
        } else if (text[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (digits == 0) {
        return 0;
    }
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        size_t k = i + 1;
        k += k < n && (text[k] == '+' || text[k] == '-');
        if (k < n && text[k] >= '0' && text[k] <= '9') {
            while (k < n && text[k] >= '0' && text[k] <= '9') {
                k++;
            }
            i = k;
        }
    }
    return i;
}

size_t audit_name_length(const char *text, size_t n) {
    size_t i = 0;
    for (; i < n; i++) {
        const char c = text[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '.'))) {
            break;
        }
    }
    return i;
}

/* A number and the unit behind it. */
static assay_status_t read_number(parser_t *parser, audit_value_t *out) {
    const char *begin = parser->at;
    const size_t n = number_length(begin, (size_t)(parser->end - begin));
    double value;
    if (!assay_text_to_double(begin, n, &value)) {
        return fail(parser, begin, "this is no number", "write 0.5, 780 or 1.4e12");
    }
    parser->at += n;
    skip_space(parser);
    audit_unit_t unit;
    const size_t n_unit = audit_unit_read(parser->at, (size_t)(parser->end - parser->at), &unit);
    parser->at += n_unit;
    const double si = value * unit.times / unit.over;
    *out = (audit_value_t){.low = si, .high = si, .dim = unit.dim, .saw = unit.saw};
    if (unit.devices > 0) {
        parser->scope->devices = value * unit.devices;
    }
    return check_finite(parser, begin, out);
}

static assay_status_t read_prediction(parser_t *parser, const char *text,
                                      const assay_place_t *place, audit_value_t *out) {
    const char *missing;
    *out = (audit_value_t){0};
    const assay_status_t status = audit_prediction(parser->scope->predictions, text, place,
                                                   &out->low, &out->high, &missing, parser->err);
    if (status == ASSAY_OK && missing) {
        parser->known = false;
        audit_scope_missing(parser->scope, missing);
    }
    return status;
}

/* 'accelerator:ID:FIGURE' */
static assay_status_t read_figure(parser_t *parser, audit_value_t *out) {
    const char *begin = parser->at + 1;
    const char *end = memchr(begin, '\'', (size_t)(parser->end - begin));
    if (!end) {
        return fail(parser, parser->at, "a quote that is never closed", "close it with '");
    }
    const char *text = assay_arena_strndup(parser->scope->arena, begin, (size_t)(end - begin));
    const assay_place_t place = place_of(parser, begin);
    assay_figure_t figure;
    if (!text) {
        return assay_error_memory(parser->err, NULL);
    }
    parser->at = end + 1;
    if (audit_prediction_is(text)) {
        return read_prediction(parser, text, &place, out);
    }
    const assay_status_t status =
        assay_catalog_figure(parser->scope->catalog, text, &place, &figure, parser->err);
    if (status != ASSAY_OK) {
        return status;
    }
    double scale;
    *out = (audit_value_t){.dim = audit_dim_of(figure.dim, &scale)};
    out->low = out->high = figure.fact.v * scale;
    out->saw = out->dim.power[ASSAY_BASE_WORK] ? AUDIT_SAW_WORK : 0;
    if (!figure.fact.known) {
        parser->known = false;
        audit_scope_missing(parser->scope, text);
    }
    return ASSAY_OK;
}

typedef enum { MIN, MAX, RANGE, ABS, SQRT, CEIL, LOW, MID, HIGH, FUNCTION_N } function_t;
static const char *const function_name[FUNCTION_N] = {"min",  "max", "range", "abs", "sqrt",
                                                      "ceil", "low", "mid",   "high"};

static assay_status_t apply(parser_t *parser, const char *at, function_t function,
                            audit_value_t *io) {
    const double low = io->low, high = io->high;
    if (function == ABS) {
        io->low = low > 0 || high < 0 ? fmin(fabs(low), fabs(high)) : 0;
        io->high = fmax(fabs(low), fabs(high));
    } else if (function == SQRT && parser->known) {
        for (int i = 0; i < AUDIT_DIM_N; i++) {
            if (io->dim.power[i] % 2 != 0) {
                return fail(parser, at, "no root of this unit", "check the formula");
            }
            io->dim.power[i] = (int8_t)(io->dim.power[i] / 2);
        }
        if (low < 0) {
            return fail(parser, at, "no root of a negative number", "check the figures");
        }
        io->low = sqrt(low);
        io->high = sqrt(high);
    } else if (function == CEIL) {
        const audit_dim_t none = {{0}};
        if (!audit_dim_equal(&io->dim, &none)) {
            return fail(parser, at, "only what is counted is rounded up", "divide by one of it");
        }
        io->low = ceil(low);
        io->high = ceil(high);
    } else if (function >= LOW) {
        io->low = io->high = function == LOW    ? low
                             : function == HIGH ? high
                                                : low + 0.5 * (high - low);
    }
    return ASSAY_OK;
}

static assay_status_t read_call(parser_t *parser, function_t function, audit_value_t *out) {
    const char *begin = parser->at;
    assay_status_t status = read_sum(parser, out);
    while (status == ASSAY_OK && function <= RANGE && take(parser, ',')) {
        audit_value_t next;
        const char *at = parser->at;
        status = read_sum(parser, &next);
        if (status == ASSAY_OK && parser->known && !audit_dim_equal(&out->dim, &next.dim)) {
            return fail(parser, at, "min, max and range take like with like",
                        "bring all to one unit");
        }
        if (status == ASSAY_OK) {
            out->low = function == MAX ? fmax(out->low, next.low) : fmin(out->low, next.low);
            out->high = function == MIN ? fmin(out->high, next.high) : fmax(out->high, next.high);
            out->saw |= next.saw;
        }
    }
    if (status == ASSAY_OK && !take(parser, ')')) {
        return fail(parser, parser->at, "a bracket that is never closed", "close it with )");
    }
    return status == ASSAY_OK ? apply(parser, begin, function, out) : status;
}

static assay_status_t read_name(parser_t *parser, audit_value_t *out) {
    const char *begin = parser->at, *missing = NULL;
    const size_t n = audit_name_length(begin, (size_t)(parser->end - begin));
    const assay_place_t place = place_of(parser, begin);
    audit_scope_t *scope = parser->scope;
    bool known = true;
    char *name = assay_arena_strndup(scope->arena, begin, n);
    if (!name) {
        return assay_error_memory(parser->err, NULL);
    }
    parser->at += n;
    for (int i = 0; i < FUNCTION_N; i++) {
        if (strcmp(name, function_name[i]) == 0 && take(parser, '(')) {
            return read_call(parser, (function_t)i, out);
        }
    }
    if (scope->depth >= AUDIT_NAME_DEPTH) {
        assay_error_set(parser->err, ASSAY_INPUT, &place, "'%s' stands on itself, or on too many",
                        name);
        assay_error_next(parser->err, "write its value");
        return ASSAY_INPUT;
    }
    scope->depth++;
    const assay_status_t status =
        scope->find(scope->ctx, scope, name, &place, out, &known, &missing, parser->err);
    scope->depth--;
    if (status == ASSAY_OK && !known) {
        parser->known = false;
        if (missing) {
            audit_scope_missing(scope, missing);
        }
    }
    return status;
}

static assay_status_t read_item(parser_t *parser, audit_value_t *out) {
    skip_space(parser);
    const char c = parser->at < parser->end ? *parser->at : '\0';
    if (c == '(') {
        parser->at++;
        const assay_status_t status = read_sum(parser, out);
        return status != ASSAY_OK ? status
               : take(parser, ')')
                   ? ASSAY_OK
                   : fail(parser, parser->at, "a bracket that is never closed", "close it with )");
    }
    if (c == '\'') {
        return read_figure(parser, out);
    }
    if ((c >= '0' && c <= '9') || c == '.') {
        return read_number(parser, out);
    }
    if (audit_name_length(parser->at, (size_t)(parser->end - parser->at)) > 0) {
        return read_name(parser, out);
    }
    return fail(parser, parser->at, "expected a number, a name or a bracket",
                "such as price / (780 token/s)");
}

static assay_status_t read_power(parser_t *parser, audit_value_t *out) {
    const bool minus = take(parser, '-');
    assay_status_t status = read_item(parser, out);
    const char *at = parser->at;
    if (status == ASSAY_OK && take(parser, '^')) {
        const char digit = parser->at < parser->end ? *parser->at : '\0';
        if (digit < '1' || digit > '9') {
            return fail(parser, at, "a power is a digit from 1 to 9", "such as x^2");
        }
        parser->at++;
        const audit_value_t base = *out;
        for (int i = 1; i < digit - '0' && status == ASSAY_OK; i++) {
            status = multiply(parser, at, out, &base, 1);
        }
    }
    if (status == ASSAY_OK && minus) {
        const double low = out->low;
        out->low = -out->high;
        out->high = -low;
    }
    return status;
}

static assay_status_t read_product(parser_t *parser, audit_value_t *out) {
    assay_status_t status = read_power(parser, out);
    while (status == ASSAY_OK) {
        const int sign = take(parser, '*') ? 1 : take(parser, '/') ? -1 : 0;
        if (sign == 0) {
            break;
        }
        const char *at = parser->at;
        audit_value_t next;
        status = read_power(parser, &next);
        if (status == ASSAY_OK) {
            status = multiply(parser, at, out, &next, sign);
        }
    }
    return status;
}

static assay_status_t read_sum(parser_t *parser, audit_value_t *out) {
    if (parser->depth >= AUDIT_EXPRESSION_DEPTH) {
        const assay_place_t place = place_of(parser, parser->at);
        assay_error_set(parser->err, ASSAY_LIMIT, &place, "more than %d brackets within brackets",
                        AUDIT_EXPRESSION_DEPTH);
        assay_error_next(parser->err, "give parts a name of their own");
        return ASSAY_LIMIT;
    }
    parser->depth++;
    assay_status_t status = read_product(parser, out);
    while (status == ASSAY_OK) {
        const double sign = take(parser, '+') ? 1 : take(parser, '-') ? -1 : 0;
        if (!(sign > 0) && !(sign < 0)) {
            break;
        }
        const char *at = parser->at;
        audit_value_t next;
        status = read_product(parser, &next);
        if (status == ASSAY_OK) {
            status = add(parser, at, out, &next, sign);
        }
    }
    parser->depth--;
    return status;
}

assay_status_t audit_expression(audit_scope_t *scope, const char *text, const assay_place_t *at,
                                audit_value_t *out, bool *out_known, assay_error_t *err) {
    const size_t n = strlen(text);
    parser_t parser = {.scope = scope,
                       .text = text,
                       .at = text,
                       .end = text + n,
                       .place = at,
                       .known = true,
                       .err = err};
    *out = (audit_value_t){0};
    *out_known = false;
    if (n > AUDIT_EXPRESSION_BYTES) {
        assay_error_set(err, ASSAY_LIMIT, at, "a formula of more than %d bytes",
                        AUDIT_EXPRESSION_BYTES);
        assay_error_next(err, "give parts a name of their own");
        return ASSAY_LIMIT;
    }
    assay_status_t status = read_sum(&parser, out);
    skip_space(&parser);
    if (status == ASSAY_OK && parser.at < parser.end) {
        status = fail(&parser, parser.at, "expected an operator or the end",
                      "units follow their number, names do not follow names");
    }
    *out_known = status == ASSAY_OK && parser.known;
    return status;
}

void audit_scope_missing(audit_scope_t *scope, const char *what) {
    for (uint32_t i = 0; i < scope->n_missing; i++) {
        if (strcmp(scope->missing[i], what) == 0) {
            return;
        }
    }
    if (scope->n_missing < sizeof scope->missing / sizeof scope->missing[0]) {
        scope->missing[scope->n_missing++] = what;
    }
}

/* Half a unit of the last digit that text[0..n) shows, over the number. Zeros at the end of a whole
   number are taken for digits. */
static double rounding_of(const char *text, size_t n, double value) {
    double one = 0.5;
    const char *point = memchr(text, '.', n);
    const size_t from = point ? (size_t)(point - text) + 1 : n;
    for (size_t i = from; i < n && text[i] >= '0' && text[i] <= '9'; i++) {
        one /= 10;
    }
    for (size_t i = 0; i < n; i++) {
        double exponent;
        if ((text[i] == 'e' || text[i] == 'E') &&
            assay_text_to_double(text + i + 1, n - i - 1, &exponent) && fabs(exponent) < 300) {
            one *= pow(10, exponent);
        }
    }
    return fabs(value) > 0 ? one / fabs(value) : 0;
}

assay_status_t audit_literal(assay_arena_t *arena, const char *text, const assay_place_t *at,
                             audit_value_t *out, audit_unit_t *out_unit, const char **out_text,
                             double *out_rounding, assay_error_t *err) {
    const size_t n = strlen(text), sign = text[0] == '-' || text[0] == '+';
    const size_t n_number = sign + number_length(text + sign, n - sign);
    size_t begin = n_number;
    double value;
    while (text[begin] == ' ') {
        begin++;
    }
    size_t n_unit = audit_unit_read(text + begin, n - begin, out_unit);
    if (n_number == sign || !assay_text_to_double(text, n_number, &value) || begin + n_unit != n) {
        assay_error_set(err, ASSAY_INPUT, at, "\"%.60s\" is no figure with a unit", text);
        assay_error_next(err, "write a number and its unit, such as 0.5, 21 %% or 3.2 USD/h");
        return ASSAY_INPUT;
    }
    const double si = value * out_unit->times / out_unit->over;
    if (!isfinite(si)) {
        return assay_error_set(err, ASSAY_INPUT, at, "\"%.60s\" is beyond every number", text);
    }
    *out = (audit_value_t){.low = si, .high = si, .dim = out_unit->dim, .saw = out_unit->saw};
    *out_rounding = rounding_of(text, n_number, value);
    *out_text = n_unit > 0 ? assay_arena_strndup(arena, text + begin, n_unit) : "1";
    return *out_text ? ASSAY_OK : assay_error_memory(err, NULL);
}
