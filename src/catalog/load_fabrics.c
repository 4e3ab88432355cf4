#include <string.h>

#include "catalog/catalog_table.h"

#include "base/banned.h"

#define PAIR_DEVICES_MAX 128

static const char *const kinds[] = {"switch",    "full-mesh", "partial-mesh",
                                    "pcie-tree", "none",      NULL};
static const char *const between[] = {"device", "package", NULL};

typedef struct {
    assay_fabric_t fabric;
    const char *accelerator;
    uint32_t packages;
} fabric_row_t;

#define ROW_OFFSET(field) offsetof(fabric_row_t, field)
#define FABRIC_OFFSET(field) offsetof(fabric_row_t, fabric.field)

static const catalog_column_t columns[] = {
    {.name = "id", .offset = FABRIC_OFFSET(id), .required = true},
    {.name = "name", .offset = FABRIC_OFFSET(name), .required = true},
    {.name = "accelerator", .offset = ROW_OFFSET(accelerator), .required = true},
    {"packages", COLUMN_COUNT, true, ROW_OFFSET(packages), 1, 1, 1024, NULL},
    {"devices", COLUMN_COUNT, true, FABRIC_OFFSET(devices), 1, 1, 4096, NULL},
    {"kind", COLUMN_CHOICE, true, FABRIC_OFFSET(kind), 0, 0, 0, kinds},
    {"pair_gb_s", COLUMN_FACT, false, FABRIC_OFFSET(pair_bytes_per_s), 1e9, 0.1, 1e5, NULL},
    {"device_gb_s", COLUMN_FACT, false, FABRIC_OFFSET(device_bytes_per_s), 1e9, 0.1, 1e5, NULL},
    {"package_gb_s", COLUMN_FACT, false, FABRIC_OFFSET(package_bytes_per_s), 1e9, 0.1, 1e5, NULL},
    {"scaleup_devices", COLUMN_COUNT, true, FABRIC_OFFSET(scaleup_devices), 1, 1, 1e6, NULL},
    {"links", COLUMN_COUNT, false, FABRIC_OFFSET(links), 1, 0, 256, NULL},
    {"nics", COLUMN_COUNT, false, FABRIC_OFFSET(nics), 1, 1, 256, NULL},
    {"nic_gbit_s", COLUMN_FACT, false, FABRIC_OFFSET(nic_bits_per_s), 1e9, 1, 1e4, NULL},
    {"host_gb_s", COLUMN_FACT, false, FABRIC_OFFSET(host_bytes_per_s), 1e9, 0.1, 1e4, NULL},
    {.name = "source", .offset = FABRIC_OFFSET(source), .required = true},
    {.name = "note", .offset = FABRIC_OFFSET(note)},
};

typedef struct {
    const char *fabric, *between;
    uint32_t i, j;
    assay_fact_t bytes_per_s;
} pair_row_t;

static const catalog_column_t pair_columns[] = {
    {.name = "fabric", .offset = offsetof(pair_row_t, fabric), .required = true},
    {"between", COLUMN_CHOICE, true, offsetof(pair_row_t, between), 0, 0, 0, between},
    {"i", COLUMN_COUNT, true, offsetof(pair_row_t, i), 1, 0, PAIR_DEVICES_MAX - 1, NULL},
    {"j", COLUMN_COUNT, true, offsetof(pair_row_t, j), 1, 0, PAIR_DEVICES_MAX - 1, NULL},
    {"gb_s", COLUMN_FACT, true, offsetof(pair_row_t, bytes_per_s), 1e9, 0, 1e5, NULL},
};

/* Puts one row into its fabric's matrix, which the fabric's first row creates filled with -1 (not
   yet given). Rows between packages say nothing about devices and are only checked. */
static assay_status_t add_pair(catalog_load_t *load, const assay_fabric_t *fabric,
                               const pair_row_t *pair, const assay_place_t *at,
                               double **inout_matrix) {
    const size_t n = fabric->devices;
    const bool packages = strcmp(pair->between, "package") == 0;
    const size_t n_ends = packages ? n / fabric->accelerator->devices : n;
    if (pair->i == pair->j || pair->i >= n_ends || pair->j >= n_ends) {
        return assay_error_set(load->err, ASSAY_INPUT, at,
                               "'%s': %u and %u are not two of its %zu %ss", fabric->id, pair->i,
                               pair->j, n_ends, pair->between);
    }
    if (packages) {
        return ASSAY_OK;
    }
    if (!*inout_matrix) {
        *inout_matrix = assay_arena_array(load->arena, n * n, sizeof **inout_matrix);
        if (!*inout_matrix) {
            return assay_error_memory(load->err, at);
        }
        for (size_t i = 0; i < n * n; i++) {
            (*inout_matrix)[i] = -1.0;
        }
    }
    double *there = &(*inout_matrix)[pair->i * n + pair->j];
    double *back = &(*inout_matrix)[pair->j * n + pair->i];
    if (*there >= 0.0) {
        return assay_error_set(load->err, ASSAY_INPUT, at, "'%s': the pair %u, %u is given twice",
                               fabric->id, pair->i, pair->j);
    }
    *there = *back = pair->bytes_per_s.v;
    return ASSAY_OK;
}

assay_status_t catalog_load_fabric_pairs(catalog_load_t *load) {
    assay_fabric_t *fabric = load->catalog->fabric;
    const uint32_t n_fabric = load->catalog->n_fabric;
    assay_csv_t csv;
    void *rows;
    assay_status_t status = catalog_table_join(load->arena, "fabric_pairs.csv", 1, load->dir,
                                               load->n_dir, &load->overlay, &csv, load->err);
    if (status == ASSAY_OK) {
        status = catalog_table_read(load->arena, &csv, pair_columns,
                                    sizeof pair_columns / sizeof pair_columns[0],
                                    sizeof(pair_row_t), load->today, &rows, load->err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    const pair_row_t *pair = rows;
    double **matrix = assay_arena_array(load->arena, n_fabric, sizeof *matrix);
    if (!matrix) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        const assay_fabric_t *of = catalog_find(load->catalog, "fabric", pair[i].fabric);
        if (!of) {
            return catalog_refuse_id(load, &at, "fabric", pair[i].fabric);
        }
        status = add_pair(load, of, &pair[i], &at, &matrix[of - fabric]);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    for (uint32_t i = 0; i < n_fabric; i++) {
        const size_t n = fabric[i].devices;
        for (size_t at = 0; matrix[i] && at < n * n; at++) {
            matrix[i][at] = matrix[i][at] < 0.0 ? 0.0 : matrix[i][at]; /* not given: no link */
        }
        fabric[i].pair = matrix[i];
    }
    return ASSAY_OK;
}

assay_status_t catalog_load_fabrics(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    const assay_status_t status =
        catalog_load_rows(load, "fabrics.csv", 1, columns, sizeof columns / sizeof columns[0],
                          sizeof(fabric_row_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    const fabric_row_t *row = rows;
    assay_fabric_t *fabric = assay_arena_array(load->arena, csv.n_rows, sizeof *fabric);
    if (!fabric) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        fabric[i] = row[i].fabric;
        fabric[i].accelerator = catalog_find(load->catalog, "accelerator", row[i].accelerator);
        if (!fabric[i].accelerator) {
            return catalog_refuse_id(load, &at, "accelerator", row[i].accelerator);
        }
        if (fabric[i].devices != row[i].packages * fabric[i].accelerator->devices) {
            return assay_error_set(
                load->err, ASSAY_INPUT, &at, "'%s': %u packages of %u devices are not %u devices",
                fabric[i].id, row[i].packages, fabric[i].accelerator->devices, fabric[i].devices);
        }
    }
    load->catalog->fabric = fabric;
    load->catalog->n_fabric = csv.n_rows;
    return ASSAY_OK;
}
