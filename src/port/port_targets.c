/* What a block and a lane have on a chip: data/port_targets.csv. */
#include <string.h>

#include "assay/catalog.h"
#include "assay/csv.h"
#include "port/port_tables.h"

#include "base/banned.h"

#define FIGURE_MAX (1u << 20)

static assay_status_t read_figure(const assay_csv_t *csv, uint32_t row, const char *column,
                                  uint32_t *out, assay_error_t *err) {
    const char *cell = assay_csv_cell(csv, row, assay_csv_column(csv, column));
    uint64_t value;
    if (!assay_text_to_u64(cell, strlen(cell), &value) || value == 0 || value > FIGURE_MAX) {
        const assay_place_t at = assay_csv_place(csv, row);
        assay_error_set(err, ASSAY_INPUT, &at, "column '%s': '%s' is no figure of a chip", column,
                        cell);
        assay_error_next(err, "write a number from 1 to %u", FIGURE_MAX);
        return ASSAY_INPUT;
    }
    *out = (uint32_t)value;
    return ASSAY_OK;
}

static assay_status_t read_row(const assay_csv_t *csv, uint32_t row, port_target_t *target,
                               assay_error_t *err) {
    const struct {
        const char *column;
        uint32_t *out;
    } figures[] = {
        {"wave", &target->wave},           {"lds_bytes", &target->lds_bytes},
        {"lds_banks", &target->lds_banks}, {"registers", &target->registers},
        {"waves", &target->waves},         {"registers_max", &target->registers_max},
    };
    assay_status_t status = ASSAY_OK;
    target->target = assay_csv_cell(csv, row, assay_csv_column(csv, "target"));
    for (size_t i = 0; i < sizeof figures / sizeof *figures && status == ASSAY_OK; i++) {
        status = read_figure(csv, row, figures[i].column, figures[i].out, err);
    }
    return status;
}

assay_status_t port_targets_load(assay_arena_t *arena, const port_target_t **out_target,
                                 uint32_t *out_n, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status = assay_data_table(arena, "port_targets.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (csv.n_rows == 0) {
        const assay_place_t at = {csv.file, 0, 0};
        return assay_error_set(err, ASSAY_INPUT, &at, "has no rows: no chip is known");
    }
    port_target_t *target = assay_arena_array(arena, csv.n_rows, sizeof *target);
    if (!target) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        status = read_row(&csv, i, &target[i], err);
    }
    *out_target = target;
    *out_n = csv.n_rows;
    return status;
}

const port_target_t *port_target_find(const port_target_t *target, uint32_t n, const char *name) {
    const port_target_t *best = target;
    size_t longest = 0;
    for (uint32_t i = 0; i < n; i++) {
        const size_t length = strlen(target[i].target);
        if (strncmp(name, target[i].target, length) == 0 && length > longest) {
            best = &target[i];
            longest = length;
        }
    }
    return best;
}
