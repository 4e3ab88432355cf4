#include "decide/decision.h"

#include "assay/catalog.h"
#include "assay/text.h"

#include <stddef.h>
#include <string.h>

#include "base/banned.h"

static const struct {
    const char *key;
    size_t offset;
    double min, max;
} setting[] = {
#define SETTING(key, min, max) \
    { #key, offsetof(assay_decide_settings_t, key), min, max }
    SETTING(common_share, 0.0, 1.0),
    SETTING(power_p10, 0.01, 1.0),
    SETTING(power_p90, 1.0, 100.0),
    SETTING(close_call, 0.0, 1.0),
    SETTING(flip_factor, 1.01, 1e6),
    SETTING(flip_factor_wide, 1.01, 1e6),
    SETTING(flip_zero_usd_per_kwh, 1e-6, 1e6),
    SETTING(flip_zero_days, 1e-6, 1e9),
#undef SETTING
};

assay_status_t assay_decide_settings(assay_arena_t *arena, const char *const *data_dir,
                                     uint32_t n_data_dir, assay_decide_settings_t *out,
                                     assay_error_t *err) {
    assay_csv_t table;
    assay_status_t status =
        assay_data_table_keyed(arena, "decide.csv", data_dir, n_data_dir, &table, err);
    if (status) {
        return status;
    }
    const int key_column = assay_csv_column(&table, "key");
    const int value_column = assay_csv_column(&table, "value");
    const int source_column = assay_csv_column(&table, "source");
    for (size_t k = 0; k < sizeof setting / sizeof *setting; k++) {
        uint32_t row = 0;
        while (row < table.n_rows &&
               strcmp(assay_csv_cell(&table, row, key_column), setting[k].key) != 0) {
            row++;
        }
        if (row == table.n_rows) {
            return assay_error_set(err, ASSAY_INPUT, &(assay_place_t){table.file, 0, 0},
                                   "no row with key %s", setting[k].key);
        }
        const assay_place_t at = assay_csv_place(&table, row);
        const char *text = assay_csv_cell(&table, row, value_column);
        assay_decide_setting_t value = {.source = assay_csv_cell(&table, row, source_column)};
        if (!assay_text_to_double(text, strlen(text), &value.v) || value.v < setting[k].min ||
            value.v > setting[k].max) {
            return assay_error_set(err, ASSAY_INPUT, &at,
                                   "%s is \"%s\", expected a number from %g to %g", setting[k].key,
                                   text, setting[k].min, setting[k].max);
        }
        memcpy((char *)out + setting[k].offset, &value, sizeof value);
    }
    return ASSAY_OK;
}
