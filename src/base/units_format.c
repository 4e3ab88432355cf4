#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "assay/text.h"
#include "assay/units.h"

#include "base/banned.h"

/* Largest first within a dimension. least: magnitude from which the unit is used; a last row of 0
   takes what is smaller, and 0 itself. */
static const struct {
    uint8_t dim;
    double least, size;
    const char *unit;
} unit_row[] = {
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
    {ASSAY_DIM_MONEY, 1e6, 1e6, " MUSD"},
    {ASSAY_DIM_MONEY, 1e4, 1e3, " kUSD"},
    {ASSAY_DIM_MONEY, 0, 1, " USD"},
    {ASSAY_DIM_MONEY_PER_HOUR, 0, 1, " USD/h"},
    {ASSAY_DIM_MONEY_PER_KWH, 0, 1, " USD/kWh"},
    {ASSAY_DIM_MONEY_PER_WEEK, 0, 1, " USD/week"},
    {ASSAY_DIM_POWER, 1e6, 1e6, " MW"},
    {ASSAY_DIM_POWER, 1e3, 1e3, " kW"},
    {ASSAY_DIM_POWER, 0, 1, " W"},
    {ASSAY_DIM_LABOUR, 5, 5, " pw"},
    {ASSAY_DIM_LABOUR, 0, 1, " pd"},
};

static double round_to_3(double value) {
    char number[32];
    double rounded = value;
    (void)assay_text_to_double(number, assay_text_from_double_short(number, value, 3), &rounded);
    return rounded;
}

char *assay_units_format(double value, assay_dim_t dim, char out[48]) {
    if (isnan(value)) {
        (void)snprintf(out, 48, "unknown");
        return out;
    }
    size_t row = 0;
    while (unit_row[row].dim != (uint8_t)dim) {
        row++;
    }
    const size_t first = row;
    while (fabs(value) < unit_row[row].least) {
        row++;
    }
    /* 999.9 GB is 1 TB, not 1000 GB. */
    const double rounded = round_to_3(value / unit_row[row].size) * unit_row[row].size;
    if (row > first && fabs(rounded) >= unit_row[row - 1].least) {
        row--;
        value = rounded;
    }
    /* Counts below a million are exact: a sequence of 2048 is not 2050. */
    const int digits = dim == ASSAY_DIM_COUNT && unit_row[row].size < 1e6 ? 6 : 3;
    char number[32];
    (void)assay_text_from_double_short(number, value / unit_row[row].size, digits);
    (void)snprintf(out, 48, "%s%s", number, unit_row[row].unit);
    return out;
}
