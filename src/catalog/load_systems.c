#include "catalog/catalog_table.h"

#include "base/banned.h"

static const char *const kinds[] = {"server",    "server-mlperf", "cloud", "hpc-node",
                                    "baseboard", "rack",          NULL};

typedef struct {
    assay_system_t system;
    const char *accelerator, *fabric;
    assay_fact_t capex_p10_usd, capex_p90_usd;
} system_row_t;

#define ROW_OFFSET(field) offsetof(system_row_t, field)
#define SYSTEM_OFFSET(field) offsetof(system_row_t, system.field)

static const catalog_column_t columns[] = {
    {.name = "id", .offset = SYSTEM_OFFSET(id), .required = true},
    {"kind", COLUMN_CHOICE, true, SYSTEM_OFFSET(kind), 0, 0, 0, kinds},
    {.name = "vendor", .offset = SYSTEM_OFFSET(vendor)},
    {.name = "name", .offset = SYSTEM_OFFSET(name), .required = true},
    {.name = "accelerator", .offset = ROW_OFFSET(accelerator), .required = true},
    {"packages", COLUMN_COUNT, true, SYSTEM_OFFSET(packages), 1, 1, 1024, NULL},
    {.name = "fabric", .offset = ROW_OFFSET(fabric)},
    {.name = "cpu", .offset = SYSTEM_OFFSET(cpu)},
    {"cpu_sockets", COLUMN_COUNT, false, SYSTEM_OFFSET(cpu_sockets), 1, 1, 64, NULL},
    {"ram_gb", COLUMN_FACT, false, SYSTEM_OFFSET(ram_bytes), 1e9, 1, 1e6, NULL},
    {"nics", COLUMN_COUNT, false, SYSTEM_OFFSET(nics), 1, 1, 1024, NULL},
    {.name = "network_kind", .offset = SYSTEM_OFFSET(network_kind)},
    {"network_gbit_s", COLUMN_FACT, false, SYSTEM_OFFSET(network_bits_per_s), 1e9, 1, 1e5, NULL},
    {"node_w", COLUMN_FACT, false, SYSTEM_OFFSET(node_w), 1, 50, 1e6, NULL},
    {.name = "power_basis", .offset = SYSTEM_OFFSET(power_basis)},
    {"capex_usd", COLUMN_FACT, false, SYSTEM_OFFSET(capex_usd), 1, 500, 1e8, NULL},
    {"capex_p10_usd", COLUMN_FACT, false, ROW_OFFSET(capex_p10_usd), 1, 500, 1e8, NULL},
    {"capex_p90_usd", COLUMN_FACT, false, ROW_OFFSET(capex_p90_usd), 1, 500, 1e8, NULL},
    {.name = "capex_basis", .offset = SYSTEM_OFFSET(capex_basis)},
    {"capex_date", COLUMN_DATE, false, SYSTEM_OFFSET(capex_date), 0, 0, 0, NULL},
    {.name = "claim_set", .offset = SYSTEM_OFFSET(claim_set)},
    {.name = "source", .offset = SYSTEM_OFFSET(source), .required = true},
    {"confidence", COLUMN_CONFIDENCE, true, SYSTEM_OFFSET(confidence), 0, 0, 0, NULL},
    {.name = "note", .offset = SYSTEM_OFFSET(note)},
};

/* A price without date or explanation, or a range that does not hold it, cannot be used. */
static assay_status_t check_capex(const system_row_t *row, const assay_place_t *at,
                                  assay_error_t *err) {
    const assay_system_t *system = &row->system;
    const bool ranged = row->capex_p10_usd.known || row->capex_p90_usd.known;
    if (ranged && !(row->capex_p10_usd.known && row->capex_p90_usd.known &&
                    system->capex_usd.known && row->capex_p10_usd.v <= system->capex_usd.v &&
                    system->capex_usd.v <= row->capex_p90_usd.v)) {
        assay_error_set(err, ASSAY_INPUT, at,
                        "'%s': capex_usd must lie between capex_p10_usd and capex_p90_usd",
                        system->id);
        assay_error_next(err, "give all three in ascending order, or capex_usd alone");
        return ASSAY_INPUT;
    }
    if (system->capex_usd.known &&
        (system->capex_date[0] == '\0' || system->capex_basis[0] == '\0')) {
        assay_error_set(err, ASSAY_INPUT, at, "'%s' has capex_usd but no capex_date or capex_basis",
                        system->id);
        assay_error_next(err, "say when the price was seen and what it covers");
        return ASSAY_INPUT;
    }
    if (system->node_w.known && system->power_basis[0] == '\0') {
        assay_error_set(err, ASSAY_INPUT, at, "'%s' has node_w but no power_basis", system->id);
        assay_error_next(err, "say whether it is a nameplate, a measurement or an estimate");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static assay_status_t fill(const catalog_load_t *load, const system_row_t *row,
                           const assay_place_t *at, assay_system_t *out) {
    const assay_status_t status = check_capex(row, at, load->err);
    if (status != ASSAY_OK) {
        return status;
    }
    *out = row->system;
    out->is_claim = out->claim_set[0] != '\0';
    if (row->capex_p10_usd.known) {
        out->capex_usd.p10 = row->capex_p10_usd.v;
        out->capex_usd.p90 = row->capex_p90_usd.v;
    }
    out->accelerator = catalog_find(load->catalog, "accelerator", row->accelerator);
    if (!out->accelerator) {
        return catalog_refuse_id(load, at, "accelerator", row->accelerator);
    }
    if (row->fabric[0] != '\0') {
        out->fabric = catalog_find(load->catalog, "fabric", row->fabric);
        if (!out->fabric) {
            return catalog_refuse_id(load, at, "fabric", row->fabric);
        }
    }
    return ASSAY_OK;
}

assay_status_t catalog_load_systems(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        catalog_load_rows(load, "systems.csv", 1, columns, sizeof columns / sizeof columns[0],
                          sizeof(system_row_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    const system_row_t *row = rows;
    assay_system_t *system = assay_arena_array(load->arena, csv.n_rows, sizeof *system);
    if (!system) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        status = fill(load, &row[i], &at, &system[i]);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    load->catalog->system = system;
    load->catalog->n_system = csv.n_rows;
    return ASSAY_OK;
}
