#include "assay/units.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "base/unit_words.h"

#include "base/banned.h"

static const struct {
    const char *name, *example;
} dim_row[ASSAY_DIM_N] = {
#define DIM_ROW(code, name, example) {name, example},
    ASSAY_DIM_LIST(DIM_ROW)
#undef DIM_ROW
};

const char *assay_dim_name(assay_dim_t dim) {
    return (unsigned)dim < ASSAY_DIM_N ? dim_row[dim].name : "unknown";
}

const char *assay_dim_unit(assay_dim_t dim) {
    static const char *const unit[ASSAY_DIM_N] = {[ASSAY_DIM_NUMBER] = "1",
                                                  [ASSAY_DIM_COUNT] = "1",
                                                  [ASSAY_DIM_FRACTION] = "1",
                                                  [ASSAY_DIM_BYTES] = "B",
                                                  [ASSAY_DIM_MEMORY] = "B",
                                                  [ASSAY_DIM_BYTES_PER_S] = "B/s",
                                                  [ASSAY_DIM_BITS_PER_S] = "bit/s",
                                                  [ASSAY_DIM_FLOPS] = "FLOP/s",
                                                  [ASSAY_DIM_TIME] = "s",
                                                  [ASSAY_DIM_MONEY] = "USD",
                                                  [ASSAY_DIM_MONEY_PER_HOUR] = "USD/h",
                                                  [ASSAY_DIM_MONEY_PER_KWH] = "USD/kWh",
                                                  [ASSAY_DIM_MONEY_PER_WEEK] = "USD/week",
                                                  [ASSAY_DIM_POWER] = "W",
                                                  [ASSAY_DIM_LABOUR] = "person-day"};
    return (unsigned)dim < ASSAY_DIM_N ? unit[dim] : "1";
}

const char *assay_dim_example(assay_dim_t dim) {
    return (unsigned)dim < ASSAY_DIM_N ? dim_row[dim].example : "";
}

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define TEXT_MAX 1000 /* no quantity is longer; a number of many digits still fits */

/* One quantity while it is read. */
typedef struct {
    const char *text; /* trimmed */
    int n;
    assay_dim_t dim;
    char unit[ASSAY_UNIT_MAX]; /* without spaces and hyphens, "per" as '/', micro as 'u' */
    const assay_place_t *at;
    assay_error_t *err;
} quantity_t;

static assay_status_t refuse(const quantity_t *quantity, const char *reason, const char *next) {
    const bool is_long = quantity->n > 40;
    (void)assay_error_set(quantity->err, ASSAY_INPUT, quantity->at,
                          "\"%.*s%s\": %s, expected %s, such as %s", is_long ? 40 : quantity->n,
                          quantity->text, is_long ? "..." : "", reason,
                          assay_dim_name(quantity->dim), assay_dim_example(quantity->dim));
    assay_error_next(quantity->err, "%s", next);
    return ASSAY_INPUT;
}

/* Length of the number that text[0..n) starts with; 0 when there is none. */
static size_t number_length(const char *text, size_t n) {
    size_t i = 0;
    bool any = false;
    if (i < n && (text[i] == '+' || text[i] == '-')) {
        i++;
    }
    for (bool point = false; i < n; i++) {
        if (text[i] >= '0' && text[i] <= '9') {
            any = true;
        } else if (text[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    if (!any) {
        return 0;
    }
    /* "1e12", but not the E of "5 EB" or "5EB" */
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

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A separator and a digit right after the number: "128,000", "128_000", "128 000", "1'000". */
static bool has_separator(const char *rest, size_t n) {
    return n >= 2 && strchr(",_'. ", rest[0]) && is_digit(rest[1]);
}

/* Says what to write instead: the digits joined if they are groups of three, else in words. */
static assay_status_t refuse_separator(const quantity_t *quantity, const char *text,
                                       size_t n_number) {
    char joined[32];
    size_t n = 0, i = 0;
    const size_t n_text = (size_t)(quantity->text + quantity->n - text);
    for (; i < n_number && n + 4 < sizeof joined && is_digit(text[i]); i++) {
        joined[n++] = text[i];
    }
    const char separator = text[n_number];
    bool grouped = i == n_number && n >= 1 && n <= 3;
    while (grouped && n + 4 < sizeof joined && n_text - i >= 2 && text[i] == separator &&
           is_digit(text[i + 1])) {
        grouped = n_text - i >= 4 && is_digit(text[i + 1]) && is_digit(text[i + 2]) &&
                  is_digit(text[i + 3]) && (n_text - i == 4 || !is_digit(text[i + 4]));
        if (grouped) {
            memcpy(joined + n, text + i + 1, 3);
            n += 3;
            i += 4;
        }
    }
    char next[96];
    if (grouped) {
        (void)snprintf(next, sizeof next, "write %.*s", (int)n, joined);
    } else {
        (void)snprintf(next, sizeof next, "write the digits together, with . as the decimal point");
    }
    return refuse(quantity, "digits are separated", next);
}

/* Copies the unit without spaces and hyphens; false when it is longer than any unit. */
static bool read_unit(const char *text, size_t n, char out[ASSAY_UNIT_MAX]) {
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        const bool starts = i > 0 && text[i - 1] == ' ';
        if (starts && n - i > 4 && memcmp(text + i, "per ", 4) == 0) {
            out[to++] = '/';
            i += 3;
        } else if (n - i >= 2 && (memcmp(text + i, "\xc2\xb5", 2) == 0 ||
                                  memcmp(text + i, "\xce\xbc", 2) == 0)) { /* two micro signs */
            out[to++] = 'u';
            i++;
        } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '-') {
            out[to++] = text[i];
        }
        if (to == ASSAY_UNIT_MAX - 1) {
            return false;
        }
    }
    out[to] = '\0';
    return true;
}

/* "$128k/h": the currency that stands before the number goes where the unit has it. */
static size_t leading_currency(const char *text, size_t n) {
    static const char *const sign[] = {"$", "US$", "USD"};
    for (size_t i = 0; i < COUNT_OF(sign); i++) {
        const size_t length = strlen(sign[i]);
        if (n >= length && memcmp(text, sign[i], length) == 0) {
            return length;
        }
    }
    return 0;
}

static bool insert_currency(char unit[ASSAY_UNIT_MAX]) {
    const size_t n = strlen(unit), at = strcspn(unit, "/");
    if (n + 2 > ASSAY_UNIT_MAX) {
        return false;
    }
    memmove(unit + at + 1, unit + at, n - at + 1);
    unit[at] = '$';
    return true;
}

static bool is_money(assay_dim_t dim) {
    return dim == ASSAY_DIM_MONEY || dim == ASSAY_DIM_MONEY_PER_HOUR ||
           dim == ASSAY_DIM_MONEY_PER_KWH || dim == ASSAY_DIM_MONEY_PER_WEEK;
}

/* Another currency's name anywhere in text[0..n), or NULL. */
static const char *other_currency(const char *text, size_t n) {
    static const char *const name[] = {
        "EUR", "\xe2\x82\xac", "GBP",          "\xc2\xa3", "CNY", "RMB", "JPY", "\xc2\xa5",
        "CHF", "INR",          "\xe2\x82\xb9", "KRW",      "CAD", "AUD", "SEK", "SGD"};
    for (size_t i = 0; i < COUNT_OF(name); i++) {
        const size_t length = strlen(name[i]);
        for (size_t at = 0; at + length <= n; at++) {
            char part[4] = "";
            memcpy(part, text + at, length);
            if (assay_text_equal_fold(part, name[i])) {
                return name[i];
            }
        }
    }
    return NULL;
}

/* Units that look right and are not, or could be two things. */
static const struct {
    uint8_t dim;
    const char *unit, *reason, *next;
} trap_row[] = {
    {ASSAY_DIM_TIME, "m", "m is minutes or months", "write min or months"},
    {ASSAY_DIM_TIME, "M", "M is minutes or months", "write min or months"},
    {ASSAY_DIM_BYTES, "KB", "KB is 1000 or 1024 bytes",
     "write kB (1000 bytes) or KiB (1024 bytes)"},
    {ASSAY_DIM_COUNT, "m", "m is milli", "write M (1e6)"},
    {ASSAY_DIM_COUNT, "b", "b is not a number", "write B (1e9)"},
    {ASSAY_DIM_COUNT, "t", "t is not a number", "write T (1e12)"},
};

/* "80 Gb" and "80 G" as a size. */
static bool refuse_bits(const quantity_t *quantity) {
    static const struct {
        char letter;
        const char *name, *decimal, *binary;
    } size[] = {
        {'k', "kilo", "1e3", "2^10"},  {'M', "mega", "1e6", "2^20"},  {'G', "giga", "1e9", "2^30"},
        {'T', "tera", "1e12", "2^40"}, {'P', "peta", "1e15", "2^50"}, {'E', "exa", "1e18", "2^60"},
    };
    const char *unit = quantity->unit;
    const bool is_bits = assay_unit_is_bits(unit);
    for (size_t i = 0; i < COUNT_OF(size); i++) {
        const char letter = size[i].letter;
        if (unit[0] != letter || !(is_bits || unit[1] == '\0')) {
            continue;
        }
        char reason[96], next[96];
        if (is_bits) {
            (void)snprintf(reason, sizeof reason, "%s is %sbits", unit, size[i].name);
        } else {
            (void)snprintf(reason, sizeof reason, "%s alone is no unit", unit);
        }
        (void)snprintf(next, sizeof next, "write %cB (%s bytes) or %ciB (%s bytes)", letter,
                       size[i].decimal, letter == 'k' ? 'K' : letter, size[i].binary);
        (void)refuse(quantity, reason, next);
        return true;
    }
    return false;
}

/* Why this unit is not one of the dimension. */
static assay_status_t refuse_unit(const quantity_t *quantity) {
    const char *unit = quantity->unit;
    char reason[160], next[96] = "";
    double times, over;
    for (size_t i = 0; i < COUNT_OF(trap_row); i++) {
        if (trap_row[i].dim == quantity->dim && strcmp(trap_row[i].unit, unit) == 0) {
            return refuse(quantity, trap_row[i].reason, trap_row[i].next);
        }
    }
    if (quantity->dim == ASSAY_DIM_BYTES && refuse_bits(quantity)) {
        return ASSAY_INPUT;
    }
    /* COUNT's letters (k, M, B) would explain nothing. */
    for (int other = 0; other < ASSAY_DIM_N; other++) {
        if (other != ASSAY_DIM_COUNT && assay_unit_find((assay_dim_t)other, unit, &times, &over)) {
            (void)snprintf(reason, sizeof reason, "%s is the unit of %s", unit,
                           assay_dim_name((assay_dim_t)other));
            return refuse(quantity, reason, next);
        }
    }
    char near[ASSAY_UNIT_MAX];
    assay_unit_nearest(quantity->dim, unit, near);
    if (near[0]) {
        (void)snprintf(next, sizeof next, "did you mean %s", near);
    }
    (void)snprintf(reason, sizeof reason, "unknown unit %s", unit);
    return refuse(quantity, reason, next);
}

static assay_status_t refuse_number(const quantity_t *quantity) {
    const char *other =
        is_money(quantity->dim) ? other_currency(quantity->text, (size_t)quantity->n) : NULL;
    return other ? refuse(quantity, "only USD is supported", "convert it to USD")
                 : refuse(quantity, "this is not a number", "");
}

/* Splits text into number and unit; *out_number is its length, *out_skip what stands before it. */
static assay_status_t split(quantity_t *quantity, size_t *out_skip, size_t *out_number) {
    const size_t n = (size_t)quantity->n;
    const size_t currency = is_money(quantity->dim) ? leading_currency(quantity->text, n) : 0;
    size_t skip = currency;
    while (currency && skip < n && quantity->text[skip] == ' ') {
        skip++;
    }
    const char *number = quantity->text + skip;
    const size_t n_number = number_length(number, n - skip);
    if (n_number == 0) {
        return refuse_number(quantity);
    }
    const char *rest = number + n_number;
    const size_t n_rest = n - skip - n_number;
    if (has_separator(rest, n_rest)) {
        return refuse_separator(quantity, number, n_number);
    }
    if (is_money(quantity->dim) && other_currency(rest, n_rest)) {
        return refuse(quantity, "only USD is supported", "convert it to USD");
    }
    if (!read_unit(rest, n_rest, quantity->unit) ||
        (currency && !insert_currency(quantity->unit))) {
        return refuse(quantity, "this is no unit", "");
    }
    *out_skip = skip;
    *out_number = n_number;
    return ASSAY_OK;
}

/* A product may be off by a rounding error: 65.2 B is whole. */
static bool make_whole(double *value) {
    const double whole = nearbyint(*value);
    if (!(fabs(*value - whole) <= 4 * DBL_EPSILON * fabs(whole))) {
        return false;
    }
    *value = whole;
    return true;
}

assay_status_t assay_units_parse(const char *text, size_t n, assay_dim_t dim, double bare_scale,
                                 const assay_place_t *at, double *out_value, assay_error_t *err) {
    if (dim == ASSAY_DIM_MEMORY) {
        dim = ASSAY_DIM_BYTES;
    }
    while (n && (text[0] == ' ' || text[0] == '\t')) {
        text++, n--;
    }
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t')) {
        n--;
    }
    quantity_t quantity = {
        .text = text, .n = n < TEXT_MAX ? (int)n : TEXT_MAX, .dim = dim, .at = at, .err = err};
    if (n > TEXT_MAX) {
        return refuse(&quantity, "this is too long for a quantity", "");
    }
    size_t skip = 0, n_number = 0;
    const assay_status_t status = split(&quantity, &skip, &n_number);
    if (status != ASSAY_OK) {
        return status;
    }
    double value = 0, times = 1, over = 1;
    if (quantity.unit[0] == '\0') {
        const bool plain =
            dim == ASSAY_DIM_NUMBER || dim == ASSAY_DIM_COUNT || dim == ASSAY_DIM_FRACTION;
        times = plain ? 1 : bare_scale;
        if (!(times > 0)) {
            return refuse(&quantity, "the unit is missing", "add it");
        }
    } else if (!assay_unit_find(dim, quantity.unit, &times, &over)) {
        return refuse_unit(&quantity);
    }
    if (assay_text_to_double(text + skip, n_number, &value)) {
        value = times >= over ? value * (times / over) : value / (over / times);
    } else {
        value = (double)INFINITY;
    }
    if (!isfinite(value)) {
        return refuse(&quantity, "this is too large", "");
    }
    if (dim == ASSAY_DIM_COUNT && !make_whole(&value)) {
        return refuse(&quantity, "this is not whole", "");
    }
    *out_value = value;
    return ASSAY_OK;
}
