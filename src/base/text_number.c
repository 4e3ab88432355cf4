/**
 * Decimal text to double and back, the same in every locale. strtod and printf do the exact work,
 * but only ever see and give digits without a decimal point, which is all that a locale changes.
 */
#include "assay/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

/* Correct rounding to double needs at most 767 significant digits, and whether any follow. */
#define DIGITS_MAX 768

typedef struct {
    bool negative;
    char digit[DIGITS_MAX + 1]; /* significant ones, not NUL-terminated */
    int n;
    int64_t exponent; /* value = digits as an integer * 10^exponent */
} decimal_t;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void decimal_add(decimal_t *decimal, char c, bool after_point) {
    if (decimal->n == 0 && c == '0') { /* leading zero */
        decimal->exponent -= after_point;
    } else if (decimal->n < DIGITS_MAX) {
        decimal->digit[decimal->n++] = c;
        decimal->exponent -= after_point;
    } else {
        if (c != '0') { /* keep that something follows: it decides a tie */
            decimal->digit[DIGITS_MAX] = '1';
        }
        decimal->exponent += !after_point;
    }
}

/* [sign] digits [. digits] [e [sign] digits], at least one digit before the e. */
static bool decimal_scan(const char *text, size_t n, decimal_t *out) {
    size_t i = 0;
    bool any = false;
    out->negative = false;
    out->digit[DIGITS_MAX] = '0'; /* the others are set when they count */
    out->n = 0;
    out->exponent = 0;
    if (i < n && (text[i] == '+' || text[i] == '-')) {
        out->negative = text[i++] == '-';
    }
    for (; i < n && is_digit(text[i]); i++, any = true) {
        decimal_add(out, text[i], false);
    }
    if (i < n && text[i] == '.') {
        for (i++; i < n && is_digit(text[i]); i++, any = true) {
            decimal_add(out, text[i], true);
        }
    }
    if (!any) {
        return false;
    }
    if (i < n && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        const bool down = i < n && text[i] == '-';
        i += i < n && (text[i] == '+' || text[i] == '-');
        const size_t first = i;
        int64_t power = 0;
        for (; i < n && is_digit(text[i]); i++) {
            power = power < INT64_C(1000000000000) ? power * 10 + (text[i] - '0') : power;
        }
        if (i == first) {
            return false;
        }
        out->exponent += down ? -power : power;
    }
    return i == n;
}

/* Up to 15 digits and 10^22 are exact doubles, so one operation rounds once (Clinger 1990). */
static bool decimal_fast(const decimal_t *decimal, double *out_value) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->n > 15 || decimal->exponent > 22 || decimal->exponent < -22) {
        return false;
    }
    uint64_t whole = 0;
    for (int i = 0; i < decimal->n; i++) {
        whole = whole * 10 + (uint64_t)(decimal->digit[i] - '0');
    }
    *out_value = decimal->exponent < 0 ? (double)whole / power[-decimal->exponent]
                                       : (double)whole * power[decimal->exponent];
    return true;
}

static double decimal_slow(const decimal_t *decimal) {
    char digits[DIGITS_MAX + 32];
    int n = decimal->n;
    int64_t exponent = decimal->exponent;
    memcpy(digits, decimal->digit, (size_t)n);
    if (n == DIGITS_MAX && decimal->digit[DIGITS_MAX] != '0') {
        digits[n++] = '1';
        exponent--;
    }
    /* Far outside the range of double it does not matter how far. */
    exponent = exponent > 99999 ? 99999 : exponent < -99999 ? -99999 : exponent;
    (void)snprintf(digits + n, sizeof digits - (size_t)n, "e%d", (int)exponent);
    return strtod(digits, NULL);
}

bool assay_text_to_double(const char *text, size_t n, double *out_value) {
    decimal_t decimal;
    double value = 0;
    if (!decimal_scan(text, n, &decimal)) {
        return false;
    }
    if (decimal.n && !decimal_fast(&decimal, &value)) {
        value = decimal_slow(&decimal);
    }
    if (!isfinite(value)) {
        return false;
    }
    *out_value = decimal.negative ? -value : value;
    return true;
}

bool assay_text_to_u64(const char *text, size_t n, uint64_t *out_value) {
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(text[i]) || __builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value)) {
            return false;
        }
    }
    if (n == 0) {
        return false;
    }
    *out_value = value;
    return true;
}

/* The digits of %.{n-1}e without trailing zeros, and the power of ten of the first one. */
typedef struct {
    char digit[17];
    int n, power;
} rounded_t;

static rounded_t round_to(double magnitude, int digits) {
    char text[48];
    rounded_t out = {0};
    (void)snprintf(text, sizeof text, "%.*e", digits - 1, magnitude);
    const char *c = text;
    for (; *c && *c != 'e'; c++) { /* skips the decimal point, whatever its bytes */
        if (is_digit(*c) && out.n < (int)sizeof out.digit) {
            out.digit[out.n++] = *c;
        }
    }
    out.power = (int)strtol(c + 1, NULL, 10);
    while (out.n > 1 && out.digit[out.n - 1] == '0') {
        out.n--;
    }
    return out;
}

/* Plain notation between 1e-4 and 1e15, else d.ddde-dd. At most 1 + 6 + 17 characters. */
static size_t write_rounded(char out[32], bool negative, const rounded_t *rounded) {
    const bool plain = rounded->power >= -4 && rounded->power < 15;
    const int point = plain ? rounded->power + 1 : 1; /* digits before the point */
    size_t n = 0;
    if (negative) {
        out[n++] = '-';
    }
    if (point <= 0) {
        out[n++] = '0';
        out[n++] = '.';
        for (int i = point; i < 0; i++) {
            out[n++] = '0';
        }
    }
    for (int i = 0; i < rounded->n || i < point; i++) {
        if (i == point && point > 0) {
            out[n++] = '.';
        }
        out[n++] = '0';
        if (i < rounded->n) {
            out[n - 1] = rounded->digit[i];
        }
    }
    out[n] = '\0';
    if (!plain) {
        n += (size_t)snprintf(out + n, 32 - n, "e%d", rounded->power);
    }
    return n;
}

static size_t write_special(char out[32], double value) {
    const char *name = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return (size_t)snprintf(out, 32, "%s", name);
}

size_t assay_text_from_double(char out[32], double value) {
    if (!isfinite(value)) {
        return write_special(out, value);
    }
    /* A normal double that has a short form of up to 15 digits is that form at 15 digits; only
       subnormals can have a shorter one than their 15 digits. */
    size_t n = 0;
    for (int digits = isnormal(value) ? 15 : 1; digits <= 17; digits++) {
        const rounded_t rounded = round_to(fabs(value), digits);
        double back = 0;
        n = write_rounded(out, signbit(value) != 0, &rounded);
        if (assay_text_to_double(out, n, &back) && memcmp(&back, &value, sizeof back) == 0) {
            break;
        }
    }
    return n;
}

size_t assay_text_from_double_short(char out[32], double value, int digits) {
    if (!isfinite(value)) {
        return write_special(out, value);
    }
    const rounded_t rounded = round_to(fabs(value), digits < 1 ? 1 : digits > 17 ? 17 : digits);
    return write_rounded(out, value < 0, &rounded);
}
