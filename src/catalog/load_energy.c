#include "catalog/catalog_table.h"

#include "base/banned.h"

static const char *const kinds[] = {"country",
                                    "continent",
                                    "us_state",
                                    "us_state_carbon_2016",
                                    "us_industrial_history",
                                    "cloud_region",
                                    "cloud_region_old",
                                    "pue",
                                    NULL};

#define OFFSET(field) offsetof(assay_energy_t, field)

static const catalog_column_t columns[] = {
    {.name = "id", .offset = OFFSET(id), .required = true},
    {"kind", COLUMN_CHOICE, true, OFFSET(kind), 0, 0, 0, kinds},
    {.name = "code", .offset = OFFSET(code)},
    {.name = "name", .offset = OFFSET(name)},
    {"usd_per_kwh", COLUMN_FACT, false, OFFSET(usd_per_kwh), 1, 1e-3, 2, NULL},
    {"g_co2_per_kwh", COLUMN_FACT, false, OFFSET(carbon_g_per_kwh), 1, 0, 3000, NULL},
    {"pue", COLUMN_FACT, false, OFFSET(pue), 1, 1, 5, NULL},
    {"year", COLUMN_COUNT, false, OFFSET(year), 1, 1990, 2100, NULL},
    {.name = "source", .offset = OFFSET(source), .required = true},
};

assay_status_t catalog_load_energy(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    const assay_status_t status =
        catalog_load_rows(load, "energy.csv", 1, columns, sizeof columns / sizeof columns[0],
                          sizeof(assay_energy_t), &csv, &rows);
    if (status == ASSAY_OK) {
        load->catalog->energy = rows;
        load->catalog->n_energy = csv.n_rows;
    }
    return status;
}
