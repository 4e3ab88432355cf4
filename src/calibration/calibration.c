/* Reads calibration.csv: built in, then the same file in each directory. A row replaces one of the
   same constant, scope and dtype; so a user can change one constant and keep the rest. */
#include "assay/calibration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"
#include "calibration/protocols.h"

#include "base/banned.h"

#define TABLE "calibration.csv"
#define TABLE_MAX_BYTES ((size_t)16 << 20)

typedef struct {
    const char *scope;
    uint8_t constant; /* assay_calib_id_t */
    uint8_t dtype;    /* assay_dtype_t; ASSAY_DT_N = any */
    uint32_t table;   /* 0 = built in; a later one wins */
    assay_place_t at;
    assay_fact_t fact;
} row_t;

struct assay_calibration {
    protocols_t protocols;
    row_t *row; /* by constant, scope, dtype; one of each */
    uint32_t n;
    uint32_t first[ASSAY_CALIB_N + 1]; /* rows of a constant: first[id] up to first[id + 1] */
    const assay_gemm_shapes_t *gemm;
    uint32_t n_gemm;
};

/* Unit, and what a machine can be: outside of it the row is a slip. What is divided by is above 0.
 */
static const struct {
    const char *unit;
    double min, max;
} limit[ASSAY_CALIB_N] = {
    [ASSAY_CALIB_GEMM_EFFICIENCY] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_GEMM_K0] = {"elements", 0.0, 1e5},
    [ASSAY_CALIB_GEMM_SERIAL] = {"1", 0.0, 1.0},
    [ASSAY_CALIB_ATTENTION_FORWARD] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_ATTENTION_BACKWARD] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_ATTENTION_S_HALF] = {"elements", 0.0, 1e5},
    [ASSAY_CALIB_HBM_EFFICIENCY] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_HBM_HALF_BYTES] = {"B", 0.0, 1e9},
    [ASSAY_CALIB_LAUNCH_S] = {"s", 0.0, 1e-2},
    [ASSAY_CALIB_FABRIC_EFFICIENCY] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_FABRIC_SWITCH_GAIN] = {"1", 0.1, 4.0},
    [ASSAY_CALIB_FABRIC_OWN_SHARE] = {"1", 0.0, 2.0},
    [ASSAY_CALIB_FABRIC_RAMP] = {"1", 0.0, 2.0},
    [ASSAY_CALIB_FABRIC_START] = {"1", 0.0, 10.0},
    [ASSAY_CALIB_FABRIC_HOP] = {"1", 0.0, 20.0},
    [ASSAY_CALIB_NETWORK_EFFICIENCY] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_NETWORK_HOP] = {"1", 0.0, 100.0},
    [ASSAY_CALIB_OVERLAP_DP] = {"1", 0.0, 1.0},
    [ASSAY_CALIB_OVERLAP_TP] = {"1", 0.0, 1.0},
    [ASSAY_CALIB_OVERLAP_COST] = {"1", 0.0, 1.0},
    [ASSAY_CALIB_RUN_GEMM] = {"1", -0.5, 4.0},
    [ASSAY_CALIB_RUN_ATTENTION] = {"1", -0.8, 9.0},
    [ASSAY_CALIB_RUN_STREAM] = {"1", -0.8, 9.0},
    [ASSAY_CALIB_RUN_HOST_S] = {"s", 0.0, 1e-1},
    [ASSAY_CALIB_STEP_LOSS] = {"1", -0.9, 10.0},
    [ASSAY_CALIB_MEMORY_CONTEXT_BYTES] = {"B", 0.0, 1e11},
    [ASSAY_CALIB_MEMORY_FRAGMENTATION] = {"1", 0.0, 1.0},
    [ASSAY_CALIB_POWER_COMPUTE] = {"1", 0.0, 2.0},
    [ASSAY_CALIB_POWER_MEMORY] = {"1", 0.0, 2.0},
    [ASSAY_CALIB_IDLE_SHARE] = {"1", 0.0, 1.0},
    [ASSAY_CALIB_STEP_SIGMA] = {"1", 0.001, 2.0},
    [ASSAY_CALIB_STEP_SIGMA_OPEN] = {"1", 0.0, 2.0},
    [ASSAY_CALIB_POWER_EXPONENT] = {"1", 1.0, 3.0},
    [ASSAY_CALIB_POWER_KNEE] = {"1", 0.1, 1.0},
    [ASSAY_CALIB_HOST_LINK] = {"1", 0.01, 1.0},
    [ASSAY_CALIB_HOST_UPDATE] = {"1", 0.01, 1.0},
    [ASSAY_CALIB_SERVE_GEMM] = {"1", 0.01, 1.2},
    [ASSAY_CALIB_SERVE_EXPERT] = {"1", 0.05, 1.5},
    [ASSAY_CALIB_SERVE_WEIGHT_STREAM] = {"1", 0.05, 1.5},
    [ASSAY_CALIB_SERVE_KV_STREAM] = {"1", 0.01, 1.5},
    [ASSAY_CALIB_SERVE_HEAD_STREAM] = {"1", 0.01, 10.0},
    [ASSAY_CALIB_SERVE_LAYER_S] = {"s", 0.0, 1e-2},
    [ASSAY_CALIB_SERVE_MOE_LAYER_S] = {"s", 0.0, 1e-2},
    [ASSAY_CALIB_SERVE_SEQUENCE_S] = {"s", 0.0, 1e-2},
    [ASSAY_CALIB_SERVE_REDUCE_S] = {"s", 0.0, 1e-2},
    [ASSAY_CALIB_SERVE_SIGMA] = {"1", 0.001, 2.0},
    [ASSAY_CALIB_IMAGE_GEMM] = {"1", 0.02, 3.0},
    [ASSAY_CALIB_IMAGE_STREAM] = {"1", 0.05, 20.0},
    [ASSAY_CALIB_IMAGE_OP_S] = {"s", 0.0, 1e-2},
    [ASSAY_CALIB_IMAGE_SIGMA] = {"1", 0.001, 2.0},
};

static const char *const constant_name[ASSAY_CALIB_N] = {
#define NAME(code, name, what) name,
    ASSAY_CALIB_LIST(NAME)
#undef NAME
};

const char *assay_calib_name(assay_calib_id_t id) {
    return constant_name[id];
}

const char *assay_calib_unit(assay_calib_id_t id) {
    return limit[id].unit;
}

enum column { SCOPE, DTYPE, CONSTANT, VALUE, P10, P90, BASIS, UNIT, SOURCE, METHOD, N_COLUMN };
static const char *const column_name[N_COLUMN] = {"scope", "dtype", "constant", "value",  "p10",
                                                  "p90",   "basis", "unit",     "source", "method"};

static assay_status_t refuse(const row_t *row, const char *const *cell, enum column column,
                             const char *expected, assay_error_t *err) {
    (void)assay_error_set(err, ASSAY_INPUT, &row->at, "%s is '%s', expected %s",
                          column_name[column], cell[column], expected);
    assay_error_next(err, "correct the row; data/README.md describes the table");
    return ASSAY_INPUT;
}

static assay_status_t read_constant(const char *const *cell, row_t *row, assay_error_t *err) {
    for (uint32_t id = 0; id < ASSAY_CALIB_N; id++) {
        if (strcmp(cell[CONSTANT], constant_name[id]) == 0) {
            row->constant = (uint8_t)id;
            if (strcmp(cell[UNIT], limit[id].unit) != 0) {
                return refuse(row, cell, UNIT, limit[id].unit, err);
            }
            return ASSAY_OK;
        }
    }
    const char *near = assay_text_nearest(cell[CONSTANT], constant_name, ASSAY_CALIB_N);
    (void)assay_error_set(err, ASSAY_INPUT, &row->at, "no constant is called '%s'", cell[CONSTANT]);
    if (near != NULL) {
        assay_error_next(err, "did you mean %s?", near);
    }
    return ASSAY_INPUT;
}

static assay_status_t read_values(const char *const *cell, row_t *row, assay_error_t *err) {
    double *const value[] = {&row->fact.v, &row->fact.p10, &row->fact.p90};
    for (uint32_t i = 0; i < sizeof value / sizeof *value; i++) {
        const enum column column = (enum column)(VALUE + i);
        if (!assay_text_to_double(cell[column], strlen(cell[column]), value[i])) {
            return refuse(row, cell, column, "a number", err);
        }
    }
    const double min = limit[row->constant].min, max = limit[row->constant].max;
    if (!(row->fact.p10 >= min && row->fact.p90 <= max)) {
        (void)assay_error_set(err, ASSAY_INPUT, &row->at,
                              "%s reaches from %s to %s, expected %g..%g", cell[CONSTANT],
                              cell[P10], cell[P90], min, max);
        assay_error_next(err, "check the unit: it is %s", limit[row->constant].unit);
        return ASSAY_INPUT;
    }
    if (!(row->fact.p10 <= row->fact.v && row->fact.v <= row->fact.p90)) {
        return refuse(row, cell, VALUE, "p10 <= value <= p90", err);
    }
    return ASSAY_OK;
}

static assay_status_t read_row(const char *const *cell, row_t *row, assay_error_t *err) {
    assay_dtype_t dtype = ASSAY_DT_N;
    if (cell[SCOPE][0] == '\0') {
        return refuse(row, cell, SCOPE,
                      "an accelerator, architecture, fabric, network, vendor or *", err);
    }
    if (strcmp(cell[DTYPE], "*") != 0 && !assay_dtype_parse(cell[DTYPE], &dtype)) {
        return refuse(row, cell, DTYPE, "a dtype such as bf16, or * for any", err);
    }
    uint32_t basis = 0;
    while (basis < ASSAY_BASIS_N &&
           strcmp(cell[BASIS], assay_basis_name((assay_basis_t)basis)) != 0) {
        basis++;
    }
    if (basis == ASSAY_BASIS_N) {
        return refuse(row, cell, BASIS, "measured, calibrated, transferred or extrapolated", err);
    }
    if (cell[SOURCE][0] == '\0' || cell[METHOD][0] == '\0') {
        return refuse(row, cell, cell[SOURCE][0] == '\0' ? SOURCE : METHOD,
                      "where the figure is from and how it was derived", err);
    }
    row->scope = cell[SCOPE];
    row->dtype = (uint8_t)dtype;
    row->fact.basis = (uint8_t)basis;
    row->fact.source = cell[SOURCE];
    row->fact.known = true;
    const assay_status_t status = read_constant(cell, row, err);
    return status == ASSAY_OK ? read_values(cell, row, err) : status;
}

/* Appends the rows of one table to *calibration. */
static assay_status_t read_table(assay_arena_t *arena, const char *file, const char *data,
                                 size_t size, uint32_t table, assay_calibration_t *calibration,
                                 assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status = assay_csv_parse(arena, file, data, size, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    int column[N_COLUMN];
    for (uint32_t i = 0; i < N_COLUMN; i++) {
        column[i] = assay_csv_column(&csv, column_name[i]);
        if (column[i] < 0) {
            const assay_place_t at = {file, 1, 0};
            (void)assay_error_set(err, ASSAY_INPUT, &at, "the column '%s' is missing",
                                  column_name[i]);
            assay_error_next(err, "data/README.md describes the table");
            return ASSAY_INPUT;
        }
    }
    const uint32_t before = calibration->n;
    row_t *row = assay_arena_array(arena, (size_t)before + csv.n_rows, sizeof *row);
    if (row == NULL) {
        return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for the calibration");
    }
    if (before > 0) {
        memcpy(row, calibration->row, before * sizeof *row);
    }
    for (uint32_t r = 0; r < csv.n_rows; r++) {
        const char *cell[N_COLUMN];
        for (uint32_t i = 0; i < N_COLUMN; i++) {
            cell[i] = assay_csv_cell(&csv, r, column[i]);
        }
        row[before + r].at = assay_csv_place(&csv, r);
        row[before + r].table = table;
        status = read_row(cell, &row[before + r], err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    calibration->row = row;
    calibration->n = before + csv.n_rows;
    return ASSAY_OK;
}

static int by_key(const row_t *a, const row_t *b) {
    if (a->constant != b->constant) {
        return a->constant < b->constant ? -1 : 1;
    }
    const int scope = strcmp(a->scope, b->scope);
    return scope != 0 ? scope : (int)a->dtype - (int)b->dtype;
}

static int by_key_then_table(const void *a, const void *b) {
    const row_t *x = a, *y = b;
    const int key = by_key(x, y);
    return key != 0 ? key : (x->table < y->table) - (x->table > y->table);
}

/* Sorts, keeps the last table's row of each key, indexes by constant, and checks that nothing can
   stay unknown. */
static assay_status_t settle(assay_calibration_t *calibration, assay_error_t *err) {
    row_t *row = calibration->row;
    qsort(row, calibration->n, sizeof *row, by_key_then_table);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < calibration->n; i++) {
        if (kept > 0 && by_key(&row[kept - 1], &row[i]) == 0) {
            if (row[kept - 1].table == row[i].table) {
                (void)assay_error_set(
                    err, ASSAY_INPUT, &row[i].at, "%s of %s is given twice, also in line %u",
                    constant_name[row[i].constant], row[i].scope, row[kept - 1].at.line);
                assay_error_next(err, "keep one of the two rows");
                return ASSAY_INPUT;
            }
            continue;
        }
        row[kept++] = row[i];
    }
    calibration->n = kept;
    uint32_t next = 0;
    for (uint32_t id = 0; id < ASSAY_CALIB_N; id++) {
        bool general = false;
        calibration->first[id] = next;
        for (; next < kept && row[next].constant == id; next++) {
            general |= strcmp(row[next].scope, "*") == 0 && row[next].dtype == ASSAY_DT_N;
        }
        if (!general) {
            const assay_place_t at = {TABLE, 0, 0};
            return assay_error_set(err, ASSAY_INPUT, &at, "%s has no row of scope * and dtype *",
                                   constant_name[id]);
        }
    }
    calibration->first[ASSAY_CALIB_N] = next;
    return ASSAY_OK;
}

assay_status_t assay_calibration_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                      assay_calibration_t **out, assay_error_t *err) {
    assay_calibration_t *calibration = assay_arena_alloc(arena, sizeof *calibration);
    if (calibration == NULL) {
        return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for the calibration");
    }
    size_t size = 0;
    const char *builtin = assay_data_builtin(TABLE, &size);
    if (builtin == NULL) {
        return assay_error_set(err, ASSAY_INTERNAL, NULL, TABLE " was not built in");
    }
    assay_status_t status = read_table(arena, TABLE, builtin, size, 0, calibration, err);
    for (uint32_t i = 0; i < n_dir && status == ASSAY_OK; i++) {
        char *data = NULL;
        const char *path = assay_arena_printf(arena, "%s/%s", dir[i], TABLE);
        if (path == NULL) {
            return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for the calibration");
        }
        struct stat st;
        if (lstat(path, &st) != 0 && errno == ENOENT) {
            continue; /* a directory may hold any of the tables */
        }
        status = assay_file_read(arena, path, TABLE_MAX_BYTES, &data, &size, err);
        if (status == ASSAY_OK) {
            status = read_table(arena, path, data, size, i + 1, calibration, err);
        }
    }
    if (status == ASSAY_OK) {
        status = settle(calibration, err);
    }
    if (status == ASSAY_OK) {
        status = protocols_load(arena, dir, n_dir, &calibration->protocols, err);
    }
    if (status == ASSAY_OK) {
        status = assay_gemm_shapes_load(arena, dir, n_dir, &calibration->gemm, &calibration->n_gemm,
                                        err);
    }
    if (status == ASSAY_OK) {
        *out = calibration;
    }
    return status;
}

/* The row of a scope: of that dtype, else of any. NULL when there is none. */
static const row_t *row_of(const assay_calibration_t *calibration, assay_calib_id_t id,
                           const char *scope, assay_dtype_t dtype) {
    const row_t *any = NULL;
    for (uint32_t i = calibration->first[id]; i < calibration->first[id + 1]; i++) {
        const row_t *row = &calibration->row[i];
        if ((row->dtype == dtype || row->dtype == ASSAY_DT_N) && strcmp(row->scope, scope) == 0) {
            if (row->dtype == dtype) {
                return row;
            }
            any = row;
        }
    }
    return any;
}

assay_fact_t assay_calibration_get(const assay_calibration_t *calibration, assay_calib_id_t id,
                                   const char *const *scope_list, assay_dtype_t dtype) {
    for (uint32_t i = 0; scope_list[i] != NULL; i++) {
        const row_t *row = row_of(calibration, id, scope_list[i], dtype);
        if (row != NULL) {
            assay_fact_t fact = row->fact;
            if (i > 0 && fact.basis + 1 < ASSAY_BASIS_N) {
                fact.basis++;
            }
            return fact;
        }
    }
    assay_fact_t fact = row_of(calibration, id, "*", dtype)->fact;
    if (scope_list[0] != NULL && fact.basis + 1 < ASSAY_BASIS_N) {
        fact.basis++;
    }
    return fact;
}

uint32_t assay_calibration_ways(const assay_calibration_t *calibration, const char *vendor,
                                const char *arch, const char *fabric_kind,
                                assay_way_t out_way[ASSAY_WAYS_MAX]) {
    return protocols_select(&calibration->protocols, vendor, arch, fabric_kind, out_way);
}

const char *assay_calibration_library(const assay_calibration_t *calibration, const char *vendor) {
    return protocols_library(&calibration->protocols, vendor);
}

const assay_gemm_shapes_t *assay_calibration_gemm_shapes(const assay_calibration_t *calibration,
                                                         const char *accelerator,
                                                         assay_dtype_t dtype) {
    for (uint32_t i = 0; i < calibration->n_gemm; i++) {
        const assay_gemm_shapes_t *group = &calibration->gemm[i];
        if (group->dtype == dtype && strcmp(group->accelerator, accelerator) == 0) {
            return group;
        }
    }
    return NULL;
}
