/**
 * Quantities: "30 d", "80 GB" (1e9) and "80 GiB" (2^30), "1.4e12", "1.4 T", "0.10 USD/kWh", "2 pw".
 * SI inside: bytes, seconds, watts, USD, flops/s, person-days.
 */
#ifndef ASSAY_UNITS_H
#define ASSAY_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Binary sizes, in bytes; GB and MB are 1e9 and 1e6. */
#define ASSAY_MIB_BYTES 1048576.0
#define ASSAY_GIB_BYTES 1073741824.0

/* dimension, name for messages, example for messages */
#define ASSAY_DIM_LIST(X)                                    \
    X(NUMBER, "a number", "0.5")                             \
    X(COUNT, "a whole number", "256 or 1.4e12 or 1.4 T")     \
    X(FRACTION, "a fraction", "0.75 or 75 %")                \
    X(BYTES, "a size", "80 GB or 80 GiB")                    \
    X(MEMORY, "a memory size", "80 GiB")                     \
    X(BYTES_PER_S, "a bandwidth", "2 TB/s")                  \
    X(BITS_PER_S, "a network rate", "200 Gbit/s")            \
    X(FLOPS, "a compute rate", "312 TFLOPS")                 \
    X(TIME, "a time", "30 d, 12 h or 85 ms")                 \
    X(MONEY, "an amount of money", "128000 USD or 128 kUSD") \
    X(MONEY_PER_HOUR, "a price per hour", "2.10 USD/h")      \
    X(MONEY_PER_KWH, "an electricity price", "0.10 USD/kWh") \
    X(MONEY_PER_WEEK, "a labour price", "4000 USD/week")     \
    X(POWER, "a power", "3.6 kW or 3600 W")                  \
    X(LABOUR, "an amount of work", "2 pw (person-weeks), 10 pd or 1.5 pm")

typedef enum {
#define ASSAY_DIM_ENUM(code, name, example) ASSAY_DIM_##code,
    ASSAY_DIM_LIST(ASSAY_DIM_ENUM)
#undef ASSAY_DIM_ENUM
        ASSAY_DIM_N
} assay_dim_t;

/**
 * Parses text[0..n) as one quantity of dimension dim. MEMORY reads as BYTES; it differs in print,
 * where sizes of memory are binary.
 *
 * bare_scale   what a number without unit is multiplied by; 0 = the unit is required
 *              (always 1 for NUMBER, COUNT, FRACTION)
 * out_value    SI value; FRACTION is not limited to 0..1 here; COUNT is checked to be whole
 * Errors: ASSAY_INPUT with "expected <dim>, such as <example>"; unit of another dimension named;
 *         nan, inf, overflow refused. 1 pw = 5 pd, 1 pm = 52/12 pw.
 * Case: prefixes are case-sensitive (m milli, M mega), unit words are not ("usd", "Days").
 */
assay_status_t assay_units_parse(const char *text, size_t n, assay_dim_t dim, double bare_scale,
                                 const assay_place_t *at, double *out_value, assay_error_t *err);
/**
 * For people: 3 significant digits and the fitting unit ("80 GB", "21.3 d", "1.4 T"). Returns out.
 */
char *assay_units_format(double value, assay_dim_t dim, char out[48]);

/** How amounts read: the language, and the currency that money is shown in. */
typedef struct {
    assay_lang_t lang;
    const char *currency; /* "USD", "EUR", "CNY"; NULL = USD */
    double per_usd;       /* of that currency for one USD; 0 = 1 */
} assay_locale_t;
/** The same in a language ("30天", "191万元"). NULL: English and USD. value stays in USD. */
char *assay_units_format_in(double value, assay_dim_t dim, const assay_locale_t *locale,
                            char out[48]);
/** "USD", and in Chinese "美元". */
const char *assay_currency_name(const assay_locale_t *locale);

/* What quantities are products of. X(code, SI unit) */
#define ASSAY_BASE_LIST(X) \
    X(TIME, "s")           \
    X(DATA, "B")           \
    X(WORK, "FLOP")        \
    X(MONEY, "USD")        \
    X(ENERGY, "J")         \
    X(LABOUR, "pd")

typedef enum {
#define ASSAY_BASE_ENUM(code, unit) ASSAY_BASE_##code,
    ASSAY_BASE_LIST(ASSAY_BASE_ENUM)
#undef ASSAY_BASE_ENUM
        ASSAY_BASE_N
} assay_base_t;

/**
 * One unit word with its prefix, as a product of powers: "TFLOPS" is FLOP^1 s^-1, "kW" J^1 s^-1,
 * "Gbit" B^1. Written as it is or in another case ("usd"), but W is always a watt and w a week.
 * *out_times / *out_over: its size in SI, as two exact factors. false: no such word.
 */
bool assay_units_word(const char *word, size_t n, int8_t out_power[ASSAY_BASE_N], double *out_times,
                      double *out_over);
const char *assay_dim_name(assay_dim_t dim);
/** The unit of a value in SI: "B/s", "USD/kWh"; "1" = none. */
const char *assay_dim_unit(assay_dim_t dim);
const char *assay_dim_example(assay_dim_t dim);

#ifdef __cplusplus
}
#endif
#endif
