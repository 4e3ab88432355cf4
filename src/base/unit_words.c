#include "base/unit_words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

/* What a unit word measures. A dimension is one kind, or one kind per another. */
typedef enum {
    KIND_NONE,
    KIND_COUNT,
    KIND_PART,
    KIND_BYTE,
    KIND_BYTE_RATE,
    KIND_BIT,
    KIND_BIT_RATE,
    KIND_FLOP,
    KIND_FLOP_RATE,
    KIND_TIME,
    KIND_MONEY,
    KIND_ENERGY,
    KIND_POWER,
    KIND_LABOUR,
    KIND_WORKING_TIME, /* calendar words where somebody is paid for them */
} kind_t;

/* Sets of prefixes. */
#define SMALL 1u
#define SI 2u
#define IEC 4u
#define FINANCE 8u
#define TALLY 16u

typedef struct {
    const char *text;
    double times, over; /* both exact, so that 35 % is 35/100 and not 35 * 0.01 */
    unsigned sets;
} prefix_t;

static const prefix_t prefix_row[] = {
    {"", 1, 1, ~0u},
    {"n", 1, 1e9, SMALL},
    {"u", 1, 1e6, SMALL},
    {"m", 1, 1e3, SMALL},
    {"k", 1e3, 1, SI | FINANCE | TALLY},
    {"K", 1e3, 1, FINANCE | TALLY},
    {"M", 1e6, 1, SI | FINANCE | TALLY},
    {"G", 1e9, 1, SI | TALLY},
    {"B", 1e9, 1, FINANCE | TALLY},
    {"T", 1e12, 1, SI | TALLY},
    {"P", 1e15, 1, SI},
    {"E", 1e18, 1, SI},
    {"Ki", 0x1p10, 1, IEC},
    {"Mi", 0x1p20, 1, IEC},
    {"Gi", 0x1p30, 1, IEC},
    {"Ti", 0x1p40, 1, IEC},
    {"Pi", 0x1p50, 1, IEC},
    {"Ei", 0x1p60, 1, IEC},
};

#define DAY_S 86400.0
#define MONTH_S (365.25 / 12 * DAY_S)
#define YEAR_S (365.25 * DAY_S)
#define WEEK_PD 5.0
#define MONTHS_PER_YEAR 12.0
#define WEEKS_PER_YEAR 52.0

typedef struct {
    const char *word; /* without spaces and hyphens */
    uint8_t kind;
    bool exact; /* case matters: B bytes, b bits */
    double times, over;
    unsigned prefixes;
} word_t;

/* In SI units of the kind; the first word of a kind is the one to suggest. */
static const word_t word_row[] = {
    {"", KIND_COUNT, true, 1, 1, TALLY},
    {"tokens", KIND_COUNT, false, 1, 1, TALLY},
    {"token", KIND_COUNT, false, 1, 1, TALLY},
    {"thousand", KIND_COUNT, false, 1e3, 1, 0},
    {"million", KIND_COUNT, false, 1e6, 1, 0},
    {"billion", KIND_COUNT, false, 1e9, 1, 0},
    {"trillion", KIND_COUNT, false, 1e12, 1, 0},
    {"%", KIND_PART, true, 1, 100, 0},
    {"percent", KIND_PART, false, 1, 100, 0},
    {"B", KIND_BYTE, true, 1, 1, SI | IEC},
    {"bytes", KIND_BYTE, false, 1, 1, 0},
    {"byte", KIND_BYTE, false, 1, 1, 0},
    {"Bps", KIND_BYTE_RATE, true, 1, 1, SI | IEC},
    {"bit", KIND_BIT, false, 1, 1, SI},
    {"bits", KIND_BIT, false, 1, 1, SI},
    {"b", KIND_BIT, true, 1, 1, SI},
    {"bps", KIND_BIT_RATE, true, 1, 1, SI},
    {"FLOP", KIND_FLOP, false, 1, 1, SI},
    {"FLOPs", KIND_FLOP, false, 1, 1, SI},
    {"FLOPS", KIND_FLOP_RATE, false, 1, 1, SI},
    {"s", KIND_TIME, false, 1, 1, SMALL},
    {"sec", KIND_TIME, false, 1, 1, 0},
    {"secs", KIND_TIME, false, 1, 1, 0},
    {"second", KIND_TIME, false, 1, 1, 0},
    {"seconds", KIND_TIME, false, 1, 1, 0},
    {"min", KIND_TIME, false, 60, 1, 0},
    {"mins", KIND_TIME, false, 60, 1, 0},
    {"minute", KIND_TIME, false, 60, 1, 0},
    {"minutes", KIND_TIME, false, 60, 1, 0},
    {"h", KIND_TIME, false, 3600, 1, 0},
    {"hr", KIND_TIME, false, 3600, 1, 0},
    {"hrs", KIND_TIME, false, 3600, 1, 0},
    {"hour", KIND_TIME, false, 3600, 1, 0},
    {"hours", KIND_TIME, false, 3600, 1, 0},
    {"d", KIND_TIME, false, DAY_S, 1, 0},
    {"day", KIND_TIME, false, DAY_S, 1, 0},
    {"days", KIND_TIME, false, DAY_S, 1, 0},
    {"w", KIND_TIME, false, 7 * DAY_S, 1, 0},
    {"wk", KIND_TIME, false, 7 * DAY_S, 1, 0},
    {"week", KIND_TIME, false, 7 * DAY_S, 1, 0},
    {"weeks", KIND_TIME, false, 7 * DAY_S, 1, 0},
    {"month", KIND_TIME, false, MONTH_S, 1, 0},
    {"months", KIND_TIME, false, MONTH_S, 1, 0},
    {"y", KIND_TIME, false, YEAR_S, 1, 0},
    {"yr", KIND_TIME, false, YEAR_S, 1, 0},
    {"year", KIND_TIME, false, YEAR_S, 1, 0},
    {"years", KIND_TIME, false, YEAR_S, 1, 0},
    {"USD", KIND_MONEY, false, 1, 1, FINANCE},
    {"$", KIND_MONEY, true, 1, 1, FINANCE},
    {"US$", KIND_MONEY, false, 1, 1, FINANCE},
    {"dollar", KIND_MONEY, false, 1, 1, 0},
    {"dollars", KIND_MONEY, false, 1, 1, 0},
    {"ct", KIND_MONEY, false, 1, 100, 0},
    {"cent", KIND_MONEY, false, 1, 100, 0},
    {"cents", KIND_MONEY, false, 1, 100, 0},
    {"kWh", KIND_ENERGY, false, 1, 1, 0},
    {"MWh", KIND_ENERGY, true, 1e3, 1, 0},
    {"Wh", KIND_ENERGY, false, 1, 1e3, 0},
    {"J", KIND_ENERGY, true, 1, 3.6e6, SI},
    {"joule", KIND_ENERGY, false, 1, 3.6e6, 0},
    {"joules", KIND_ENERGY, false, 1, 3.6e6, 0},
    {"W", KIND_POWER, false, 1, 1, SI},
    {"watt", KIND_POWER, false, 1, 1, 0},
    {"watts", KIND_POWER, false, 1, 1, 0},
    {"pw", KIND_LABOUR, false, WEEK_PD, 1, 0},
    {"personweek", KIND_LABOUR, false, WEEK_PD, 1, 0},
    {"personweeks", KIND_LABOUR, false, WEEK_PD, 1, 0},
    {"pd", KIND_LABOUR, false, 1, 1, 0},
    {"personday", KIND_LABOUR, false, 1, 1, 0},
    {"persondays", KIND_LABOUR, false, 1, 1, 0},
    {"pm", KIND_LABOUR, false, WEEKS_PER_YEAR *WEEK_PD, MONTHS_PER_YEAR, 0},
    {"personmonth", KIND_LABOUR, false, WEEKS_PER_YEAR *WEEK_PD, MONTHS_PER_YEAR, 0},
    {"personmonths", KIND_LABOUR, false, WEEKS_PER_YEAR *WEEK_PD, MONTHS_PER_YEAR, 0},
    {"py", KIND_LABOUR, false, WEEKS_PER_YEAR *WEEK_PD, 1, 0},
    {"personyear", KIND_LABOUR, false, WEEKS_PER_YEAR *WEEK_PD, 1, 0},
    {"personyears", KIND_LABOUR, false, WEEKS_PER_YEAR *WEEK_PD, 1, 0},
    {"week", KIND_WORKING_TIME, false, WEEK_PD, 1, 0},
    {"wk", KIND_WORKING_TIME, false, WEEK_PD, 1, 0},
    {"w", KIND_WORKING_TIME, false, WEEK_PD, 1, 0},
    {"month", KIND_WORKING_TIME, false, WEEKS_PER_YEAR *WEEK_PD, MONTHS_PER_YEAR, 0},
    {"year", KIND_WORKING_TIME, false, WEEKS_PER_YEAR *WEEK_PD, 1, 0},
};

/* How each dimension may be written. scale: what one of the dimension's denominator is in the SI
   unit of the kind (an hour is 3600 s). */
static const struct {
    uint8_t dim, kind, per;
    double scale;
} form_row[] = {
    {ASSAY_DIM_COUNT, KIND_COUNT, KIND_NONE, 1},
    {ASSAY_DIM_FRACTION, KIND_PART, KIND_NONE, 1},
    {ASSAY_DIM_BYTES, KIND_BYTE, KIND_NONE, 1},
    {ASSAY_DIM_BYTES_PER_S, KIND_BYTE, KIND_TIME, 1},
    {ASSAY_DIM_BYTES_PER_S, KIND_BYTE_RATE, KIND_NONE, 1},
    {ASSAY_DIM_BITS_PER_S, KIND_BIT, KIND_TIME, 1},
    {ASSAY_DIM_BITS_PER_S, KIND_BIT_RATE, KIND_NONE, 1},
    {ASSAY_DIM_FLOPS, KIND_FLOP_RATE, KIND_NONE, 1},
    {ASSAY_DIM_FLOPS, KIND_FLOP, KIND_TIME, 1},
    {ASSAY_DIM_TIME, KIND_TIME, KIND_NONE, 1},
    {ASSAY_DIM_MONEY, KIND_MONEY, KIND_NONE, 1},
    {ASSAY_DIM_MONEY_PER_HOUR, KIND_MONEY, KIND_TIME, 3600},
    {ASSAY_DIM_MONEY_PER_KWH, KIND_MONEY, KIND_ENERGY, 1},
    {ASSAY_DIM_MONEY_PER_WEEK, KIND_MONEY, KIND_WORKING_TIME, WEEK_PD},
    {ASSAY_DIM_MONEY_PER_WEEK, KIND_MONEY, KIND_LABOUR, WEEK_PD},
    {ASSAY_DIM_POWER, KIND_POWER, KIND_NONE, 1},
    {ASSAY_DIM_LABOUR, KIND_LABOUR, KIND_NONE, 1},
};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Factor of text[0..n) as a prefix and a word of this kind; exact: letters as in the table. */
static bool find_unit_as(kind_t kind, const char *text, size_t n, bool exact, double *out_times,
                         double *out_over) {
    char rest[ASSAY_UNIT_MAX];
    for (size_t p = 0; p < COUNT_OF(prefix_row); p++) {
        const prefix_t *prefix = &prefix_row[p];
        const size_t skip = strlen(prefix->text);
        if (skip > n || strncmp(text, prefix->text, skip) != 0) {
            continue;
        }
        memcpy(rest, text + skip, n - skip);
        rest[n - skip] = '\0';
        for (size_t w = 0; w < COUNT_OF(word_row); w++) {
            const word_t *word = &word_row[w];
            const bool fits = word->kind == kind && (p == 0 || (prefix->sets & word->prefixes));
            if (fits && (exact || word->exact ? strcmp(rest, word->word) == 0
                                              : assay_text_equal_fold(rest, word->word))) {
                *out_times = prefix->times * word->times;
                *out_over = prefix->over * word->over;
                return true;
            }
        }
    }
    return false;
}

static bool find_unit(kind_t kind, const char *text, size_t n, double *out_times,
                      double *out_over) {
    return find_unit_as(kind, text, n, false, out_times, out_over);
}

/* What a kind is in powers of the bases, and the SI size of the kind's own unit. */
static const struct {
    uint8_t kind;
    int8_t power[ASSAY_BASE_N]; /* TIME DATA WORK MONEY ENERGY LABOUR */
    double times, over;
} base_row[] = {
    {KIND_PART, {0}, 1, 1},
    {KIND_BYTE, {[ASSAY_BASE_DATA] = 1}, 1, 1},
    {KIND_BYTE_RATE, {[ASSAY_BASE_DATA] = 1, [ASSAY_BASE_TIME] = -1}, 1, 1},
    {KIND_BIT, {[ASSAY_BASE_DATA] = 1}, 1, 8},
    {KIND_BIT_RATE, {[ASSAY_BASE_DATA] = 1, [ASSAY_BASE_TIME] = -1}, 1, 8},
    {KIND_FLOP, {[ASSAY_BASE_WORK] = 1}, 1, 1},
    {KIND_FLOP_RATE, {[ASSAY_BASE_WORK] = 1, [ASSAY_BASE_TIME] = -1}, 1, 1},
    {KIND_TIME, {[ASSAY_BASE_TIME] = 1}, 1, 1},
    {KIND_MONEY, {[ASSAY_BASE_MONEY] = 1}, 1, 1},
    {KIND_ENERGY, {[ASSAY_BASE_ENERGY] = 1}, 3.6e6, 1},
    {KIND_POWER, {[ASSAY_BASE_ENERGY] = 1, [ASSAY_BASE_TIME] = -1}, 1, 1},
    {KIND_LABOUR, {[ASSAY_BASE_LABOUR] = 1}, 1, 1},
    {KIND_COUNT, {0}, 1, 1}, /* last: "B" alone is a byte, not a billion */
};

bool assay_units_word(const char *word, size_t n, int8_t out_power[ASSAY_BASE_N], double *out_times,
                      double *out_over) {
    if (n == 0 || n >= ASSAY_UNIT_MAX) {
        return false;
    }
    for (int exact = 1; exact >= 0; exact--) {
        for (size_t i = 0; i < COUNT_OF(base_row); i++) {
            if (find_unit_as((kind_t)base_row[i].kind, word, n, exact == 1, out_times, out_over)) {
                memcpy(out_power, base_row[i].power, sizeof base_row[i].power);
                *out_times *= base_row[i].times;
                *out_over *= base_row[i].over;
                return true;
            }
        }
    }
    return false;
}

bool assay_unit_find(assay_dim_t dim, const char *unit, double *out_times, double *out_over) {
    const char *slash = strchr(unit, '/');
    const size_t n = slash ? (size_t)(slash - unit) : strlen(unit);
    for (size_t i = 0; i < COUNT_OF(form_row); i++) {
        double times, over, per_times = 1, per_over = 1;
        if (form_row[i].dim == dim && (form_row[i].per != KIND_NONE) == (slash != NULL) &&
            find_unit((kind_t)form_row[i].kind, unit, n, &times, &over) &&
            (!slash || find_unit((kind_t)form_row[i].per, slash + 1, strlen(slash + 1), &per_times,
                                 &per_over))) {
            *out_times = times * per_over * form_row[i].scale;
            *out_over = over * per_times;
            return true;
        }
    }
    return false;
}

bool assay_unit_is_bits(const char *unit) {
    double times, over;
    return find_unit(KIND_BIT, unit, strlen(unit), &times, &over);
}

void assay_unit_nearest(assay_dim_t dim, const char *unit, char out[ASSAY_UNIT_MAX]) {
    uint32_t limit = (uint32_t)strlen(unit) / 3 + 1;
    out[0] = '\0';
    for (size_t f = 0; f < COUNT_OF(form_row); f++) {
        const char *per = "";
        for (size_t w = COUNT_OF(word_row); w-- > 0;) {
            per = word_row[w].kind == form_row[f].per ? word_row[w].word : per;
        }
        for (size_t w = 0; form_row[f].dim == dim && w < COUNT_OF(word_row); w++) {
            for (size_t p = 0; word_row[w].kind == form_row[f].kind && p < COUNT_OF(prefix_row);
                 p++) {
                if (p && !(prefix_row[p].sets & word_row[w].prefixes)) {
                    continue;
                }
                char candidate[ASSAY_UNIT_MAX];
                (void)snprintf(candidate, sizeof candidate, "%s%s%s%s", prefix_row[p].text,
                               word_row[w].word, per[0] ? "/" : "", per);
                const uint32_t distance = assay_text_distance(unit, candidate, limit);
                if (distance < limit) {
                    limit = distance;
                    memcpy(out, candidate, sizeof candidate);
                }
            }
        }
    }
}
