/** Whether an accelerator's figures fit together: what every load of the table asks. Private. */
#ifndef CATALOG_CHECK_FIGURES_H
#define CATALOG_CHECK_FIGURES_H

#include "catalog/catalog_table.h"

typedef struct catalog_figures catalog_figures_t;

/** The rules that are data: arch_rates.csv, memory_types.csv, known_errors.csv. */
assay_status_t catalog_figures_load(catalog_load_t *load, catalog_figures_t **out_figures);

/** A row with its figures of the whole package. */
typedef struct {
    const assay_accelerator_t *part;
    const char *mem_type;
    uint32_t hbm_stacks; /* 0 unknown */
} catalog_package_t;
/**
 * Refuses a figure that circulates and is wrong, a peak above units x clock x operations a clock
 * (what a rate with sparsity is), a bandwidth that the pins of the stacks cannot carry, and a size
 * of memory that is not the id's. Errors: ASSAY_INPUT at the row.
 */
assay_status_t catalog_figures_check(const catalog_figures_t *figures, const assay_csv_t *csv,
                                     uint32_t row, const catalog_package_t *package,
                                     assay_error_t *err);
/** Units x clock x operations a clock of the package; 0: one of them is not known. */
double catalog_figures_peak(const catalog_figures_t *figures, const assay_accelerator_t *package,
                            assay_dtype_t dtype);

#endif
