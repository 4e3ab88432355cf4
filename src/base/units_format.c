#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "assay/units.h"

#include "base/banned.h"

/* Largest first within a dimension. least: magnitude from which the unit is used; a last row of 0
   takes what is smaller, and 0 itself. $ in a unit is the currency. */
typedef struct {
    uint8_t dim;
    double least, size;
    const char *unit;
} unit_row_t;

static const unit_row_t english_row[] = {
    {ASSAY_DIM_NUMBER, 0, 1, ""},
    {ASSAY_DIM_COUNT, 1e12, 1e12, " T"},
    {ASSAY_DIM_COUNT, 1e9, 1e9, " B"},
    {ASSAY_DIM_COUNT, 1e6, 1e6, " M"},
    {ASSAY_DIM_COUNT, 0, 1, ""},
    {ASSAY_DIM_FRACTION, 0, 0.01, " %"},
    {ASSAY_DIM_BYTES, 1e18, 1e18, " EB"},
    {ASSAY_DIM_BYTES, 1e15, 1e15, " PB"},
    {ASSAY_DIM_BYTES, 1e12, 1e12, " TB"},
    {ASSAY_DIM_BYTES, 1e9, 1e9, " GB"},
    {ASSAY_DIM_BYTES, 1e6, 1e6, " MB"},
    {ASSAY_DIM_BYTES, 1e3, 1e3, " kB"},
    {ASSAY_DIM_BYTES, 0, 1, " B"},
    {ASSAY_DIM_MEMORY, 0x1p40, 0x1p40, " TiB"},
    {ASSAY_DIM_MEMORY, 0x1p30, 0x1p30, " GiB"},
    {ASSAY_DIM_MEMORY, 0x1p20, 0x1p20, " MiB"},
    {ASSAY_DIM_MEMORY, 0x1p10, 0x1p10, " KiB"},
    {ASSAY_DIM_MEMORY, 0, 1, " B"},
    {ASSAY_DIM_BYTES_PER_S, 1e15, 1e15, " PB/s"},
    {ASSAY_DIM_BYTES_PER_S, 1e12, 1e12, " TB/s"},
    {ASSAY_DIM_BYTES_PER_S, 1e9, 1e9, " GB/s"},
    {ASSAY_DIM_BYTES_PER_S, 1e6, 1e6, " MB/s"},
    {ASSAY_DIM_BYTES_PER_S, 1e3, 1e3, " kB/s"},
    {ASSAY_DIM_BYTES_PER_S, 0, 1, " B/s"},
    {ASSAY_DIM_BITS_PER_S, 1e12, 1e12, " Tbit/s"},
    {ASSAY_DIM_BITS_PER_S, 1e9, 1e9, " Gbit/s"},
    {ASSAY_DIM_BITS_PER_S, 1e6, 1e6, " Mbit/s"},
    {ASSAY_DIM_BITS_PER_S, 1e3, 1e3, " kbit/s"},
    {ASSAY_DIM_BITS_PER_S, 0, 1, " bit/s"},
    {ASSAY_DIM_FLOPS, 1e18, 1e18, " EFLOPS"},
    {ASSAY_DIM_FLOPS, 1e15, 1e15, " PFLOPS"},
    {ASSAY_DIM_FLOPS, 1e12, 1e12, " TFLOPS"},
    {ASSAY_DIM_FLOPS, 1e9, 1e9, " GFLOPS"},
    {ASSAY_DIM_FLOPS, 1e6, 1e6, " MFLOPS"},
    {ASSAY_DIM_FLOPS, 0, 1, " FLOPS"},
    {ASSAY_DIM_TIME, 2 * 365.25 * 86400, 365.25 * 86400, " years"},
    {ASSAY_DIM_TIME, 86400, 86400, " d"},
    {ASSAY_DIM_TIME, 3600, 3600, " h"},
    {ASSAY_DIM_TIME, 60, 60, " min"},
    {ASSAY_DIM_TIME, 1, 1, " s"},
    {ASSAY_DIM_TIME, 1e-3, 1e-3, " ms"},
    {ASSAY_DIM_TIME, 1e-6, 1e-6, " us"},
    {ASSAY_DIM_TIME, 1e-12, 1e-9, " ns"},
    {ASSAY_DIM_TIME, 0, 1, " s"},
    {ASSAY_DIM_MONEY, 1e6, 1e6, " M$"},
    {ASSAY_DIM_MONEY, 1e4, 1e3, " k$"},
    {ASSAY_DIM_MONEY, 0, 1, " $"},
    {ASSAY_DIM_MONEY_PER_HOUR, 0, 1, " $/h"},
    {ASSAY_DIM_MONEY_PER_KWH, 0, 1, " $/kWh"},
    {ASSAY_DIM_MONEY_PER_WEEK, 0, 1, " $/week"},
    {ASSAY_DIM_POWER, 1e6, 1e6, " MW"},
    {ASSAY_DIM_POWER, 1e3, 1e3, " kW"},
    {ASSAY_DIM_POWER, 0, 1, " W"},
    {ASSAY_DIM_LABOUR, 5, 5, " pw"},
    {ASSAY_DIM_LABOUR, 0, 1, " pd"},
};

/* Counts and money by ten thousands, as they are spoken; symbols of SI as everywhere. */
static const unit_row_t chinese_row[] = {
    {ASSAY_DIM_NUMBER, 0, 1, ""},
    {ASSAY_DIM_COUNT, 1e12, 1e12, "万亿"},
    {ASSAY_DIM_COUNT, 1e8, 1e8, "亿"},
    {ASSAY_DIM_COUNT, 1e6, 1e4, "万"},
    {ASSAY_DIM_COUNT, 0, 1, ""},
    {ASSAY_DIM_FRACTION, 0, 0.01, "%"},
    {ASSAY_DIM_TIME, 2 * 365.25 * 86400, 365.25 * 86400, "年"},
    {ASSAY_DIM_TIME, 86400, 86400, "天"},
    {ASSAY_DIM_TIME, 3600, 3600, "小时"},
    {ASSAY_DIM_TIME, 60, 60, "分钟"},
    {ASSAY_DIM_TIME, 1, 1, "秒"},
    {ASSAY_DIM_TIME, 1e-3, 1e-3, " ms"},
    {ASSAY_DIM_TIME, 1e-6, 1e-6, " us"},
    {ASSAY_DIM_TIME, 1e-12, 1e-9, " ns"},
    {ASSAY_DIM_TIME, 0, 1, "秒"},
    {ASSAY_DIM_MONEY, 1e8, 1e8, "亿$"},
    {ASSAY_DIM_MONEY, 1e4, 1e4, "万$"},
    {ASSAY_DIM_MONEY, 0, 1, "$"},
    {ASSAY_DIM_MONEY_PER_HOUR, 0, 1, "$/小时"},
    {ASSAY_DIM_MONEY_PER_KWH, 0, 1, "$/kWh"},
    {ASSAY_DIM_MONEY_PER_WEEK, 0, 1, "$/周"},
    {ASSAY_DIM_LABOUR, 5, 5, "人周"},
    {ASSAY_DIM_LABOUR, 0, 1, "人日"},
};

static const struct {
    const unit_row_t *row;
    size_t n;
    const char *unknown;
} units_of[ASSAY_LANG_N] = {
    [ASSAY_LANG_EN] = {english_row, sizeof english_row / sizeof english_row[0], "unknown"},
    [ASSAY_LANG_ZH] = {chinese_row, sizeof chinese_row / sizeof chinese_row[0], "未知"}};

const char *assay_currency_name(const assay_locale_t *locale) {
    static const struct {
        const char *code, *chinese;
    } currency[] = {{"USD", "美元"}, {"CNY", "元"}, {"EUR", "欧元"}};
    const char *code = locale && locale->currency ? locale->currency : "USD";
    for (size_t i = 0; i < sizeof currency / sizeof currency[0]; i++) {
        if (locale && locale->lang == ASSAY_LANG_ZH && strcmp(code, currency[i].code) == 0) {
            return currency[i].chinese;
        }
    }
    return code;
}

static bool is_money(assay_dim_t dim) {
    return dim == ASSAY_DIM_MONEY || dim == ASSAY_DIM_MONEY_PER_HOUR ||
           dim == ASSAY_DIM_MONEY_PER_KWH || dim == ASSAY_DIM_MONEY_PER_WEEK;
}

static double round_to_3(double value) {
    char number[32];
    double rounded = value;
    (void)assay_text_to_double(number, assay_text_from_double_short(number, value, 3), &rounded);
    return rounded;
}

/** The first row of the dimension: the language's own, else the English one, of symbols. */
static const unit_row_t *first_row(assay_lang_t lang, assay_dim_t dim) {
    for (size_t i = 0; i < units_of[lang].n; i++) {
        if (units_of[lang].row[i].dim == (uint8_t)dim) {
            return &units_of[lang].row[i];
        }
    }
    return first_row(ASSAY_LANG_EN, dim);
}

char *assay_units_format_in(double value, assay_dim_t dim, const assay_locale_t *locale,
                            char out[48]) {
    const assay_lang_t lang = locale ? locale->lang : ASSAY_LANG_EN;
    if (isnan(value)) {
        (void)snprintf(out, 48, "%s", units_of[lang].unknown);
        return out;
    }
    if (locale && is_money(dim) && locale->per_usd > 0.0) {
        value *= locale->per_usd;
    }
    const unit_row_t *const first = first_row(lang, dim), *row = first;
    while (fabs(value) < row->least) {
        row++;
    }
    /* 999.9 GB is 1 TB, not 1000 GB. */
    const double rounded = round_to_3(value / row->size) * row->size;
    if (row > first && fabs(rounded) >= row[-1].least) {
        row--;
        value = rounded;
    }
    /* Counts below a million are exact: a sequence of 2048 is not 2050. */
    const int digits = dim == ASSAY_DIM_COUNT && row->size < 1e4 ? 6 : 3;
    char number[32];
    (void)assay_text_from_double_short(number, value / row->size, digits);
    const char *currency = strchr(row->unit, '$');
    if (currency) {
        (void)snprintf(out, 48, "%s%.*s%s%s", number, (int)(currency - row->unit), row->unit,
                       assay_currency_name(locale), currency + 1);
    } else {
        (void)snprintf(out, 48, "%s%s", number, row->unit);
    }
    return out;
}

char *assay_units_format(double value, assay_dim_t dim, char out[48]) {
    return assay_units_format_in(value, dim, NULL, out);
}
