#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "assay/units.h"
#include "catalog/catalog_index.h"
#include "catalog/check_figures.h"

#include "base/banned.h"

#define PEAK_SLACK 1.02   /* published peaks are rounded */
#define MEMORY_SLACK 0.10 /* "24 GB" is 22.06 GiB where ECC takes its share */

/* arch_rates.csv: what one compute unit can do in a clock, and the highest clock of a part. */
typedef struct {
    const char *arch, *dtype;
    double flops_per_clock, clock_hz;
} rate_t;
#define RATE(field) offsetof(rate_t, field)
static const catalog_column_t rate_columns[] = {
    {.name = "arch", .offset = RATE(arch), .required = true},
    {.name = "dtype", .offset = RATE(dtype), .required = true},
    {"flops_per_clock", COLUMN_NUMBER, true, RATE(flops_per_clock), 1, 1, 1e7, NULL},
    {"clock_mhz", COLUMN_NUMBER, true, RATE(clock_hz), 1e6, 100, 1e4, NULL},
};

/* memory_types.csv: width of a stack and what one pin carries. */
typedef struct {
    const char *type;
    double bits, min_bits_per_s, max_bits_per_s;
} memory_t;
#define MEMORY(field) offsetof(memory_t, field)
static const catalog_column_t memory_columns[] = {
    {.name = "type", .offset = MEMORY(type), .required = true},
    {"bits_per_stack", COLUMN_NUMBER, true, MEMORY(bits), 1, 1, 65536, NULL},
    {"min_gbit_s", COLUMN_NUMBER, true, MEMORY(min_bits_per_s), 1e9, 0.01, 1000, NULL},
    {"max_gbit_s", COLUMN_NUMBER, true, MEMORY(max_bits_per_s), 1e9, 0.01, 1000, NULL},
};

/* known_errors.csv: figures that circulate and are wrong. */
typedef struct {
    const char *id, *table, *part, *column, *right, *why;
    double low, high;
} known_error_t;
#define KNOWN(field) offsetof(known_error_t, field)
static const catalog_column_t known_columns[] = {
    {.name = "id", .offset = KNOWN(id), .required = true},
    {.name = "table", .offset = KNOWN(table), .required = true},
    {.name = "part", .offset = KNOWN(part), .required = true},
    {.name = "column", .offset = KNOWN(column), .required = true},
    {"low", COLUMN_NUMBER, true, KNOWN(low), 1, -1e15, 1e15, NULL},
    {"high", COLUMN_NUMBER, true, KNOWN(high), 1, -1e15, 1e15, NULL},
    {.name = "right", .offset = KNOWN(right), .required = true},
    {.name = "why", .offset = KNOWN(why), .required = true},
};

struct catalog_figures {
    const rate_t *rate;
    const memory_t *memory;
    const known_error_t *known;
    uint32_t n_rate, n_memory, n_known;
};

#define LOAD(name, n_key, columns, row_t, member, n_member)                                   \
    do {                                                                                      \
        assay_csv_t csv;                                                                      \
        void *rows;                                                                           \
        const assay_status_t loaded =                                                         \
            catalog_load_rows(load, name, n_key, columns, sizeof columns / sizeof columns[0], \
                              sizeof(row_t), &csv, &rows);                                    \
        if (loaded != ASSAY_OK) {                                                             \
            return loaded;                                                                    \
        }                                                                                     \
        figures->member = rows;                                                               \
        figures->n_member = csv.n_rows;                                                       \
    } while (0)

assay_status_t catalog_figures_load(catalog_load_t *load, catalog_figures_t **out_figures) {
    catalog_figures_t *figures = assay_arena_alloc(load->arena, sizeof *figures);
    if (!figures) {
        return assay_error_memory(load->err, NULL);
    }
    LOAD("arch_rates.csv", 2, rate_columns, rate_t, rate, n_rate);
    LOAD("memory_types.csv", 1, memory_columns, memory_t, memory, n_memory);
    LOAD("known_errors.csv", 1, known_columns, known_error_t, known, n_known);
    *out_figures = figures;
    return ASSAY_OK;
}

/* A part's name stands somewhere in an id or a name, whatever the separators. */
static bool names_part(const char *text, const char *part) {
    for (; *text; text++) {
        if (catalog_spelled_like(text, part, false)) {
            return true;
        }
    }
    return false;
}

static assay_status_t check_known(const catalog_figures_t *figures, const assay_csv_t *csv,
                                  uint32_t row, const assay_accelerator_t *part,
                                  const assay_place_t *at, assay_error_t *err) {
    for (uint32_t i = 0; i < figures->n_known; i++) {
        const known_error_t *known = &figures->known[i];
        const char *cell = assay_csv_cell(csv, row, assay_csv_column(csv, known->column));
        double value;
        if (strcmp(known->table, "accelerators.csv") != 0 ||
            !(names_part(part->id, known->part) || names_part(part->name, known->part)) ||
            !assay_text_to_double(cell, strlen(cell), &value) || value < known->low ||
            value > known->high) {
            continue;
        }
        assay_error_set(err, ASSAY_INPUT, at, "'%s': %s is %s, a known error: %s", part->id,
                        known->column, cell, known->why);
        assay_error_next(err, "write %s, or leave the cell empty", known->right);
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static const rate_t *find_rate(const catalog_figures_t *figures, const char *arch,
                               const char *dtype) {
    for (uint32_t i = 0; i < figures->n_rate; i++) {
        if (strcmp(figures->rate[i].arch, arch) == 0 &&
            strcmp(figures->rate[i].dtype, dtype) == 0) {
            return &figures->rate[i];
        }
    }
    return NULL;
}

double catalog_figures_peak(const catalog_figures_t *figures, const assay_accelerator_t *part,
                            assay_dtype_t dtype) {
    const rate_t *rate = find_rate(figures, part->arch, assay_dtype_name(dtype));
    if (!rate || part->compute_units == 0) {
        return 0.0;
    }
    return part->compute_units * (part->clock_hz.known ? part->clock_hz.v : rate->clock_hz) *
           rate->flops_per_clock;
}

static assay_status_t check_peaks(const catalog_figures_t *figures, const assay_accelerator_t *part,
                                  const assay_place_t *at, assay_error_t *err) {
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        const assay_fact_t *peak = &part->peak_flops[dtype];
        const double most = catalog_figures_peak(figures, part, (assay_dtype_t)dtype);
        if (!peak->known || !(most > 0.0) || peak->v <= PEAK_SLACK * most) {
            continue;
        }
        assay_error_set(err, ASSAY_INPUT, at,
                        "'%s': %s at %.4g TFLOPS is %.2f times what %u units of %s can do",
                        part->id, assay_dtype_name((assay_dtype_t)dtype), peak->v / 1e12,
                        peak->v / most, part->compute_units, part->arch);
        assay_error_next(err, "rates are dense: halve one that counts 2:4 sparsity");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

/* The size that an id ends in: "-288g" is 288, 0 when it names none. */
static double size_in_id(const char *id) {
    const char *last = strrchr(id, '-');
    const size_t n = last ? strlen(last + 1) : 0;
    double size;
    return n > 1 && last[n] == 'g' && assay_text_to_double(last + 1, n - 1, &size) ? size : 0.0;
}

static assay_status_t check_memory(const catalog_figures_t *figures,
                                   const catalog_package_t *package, const assay_place_t *at,
                                   assay_error_t *err) {
    const assay_accelerator_t *part = package->part;
    const double named = size_in_id(part->id), gib = part->hbm_bytes.v / ASSAY_GIB_BYTES;
    if (part->hbm_bytes.known && named > 0.0 && fabs(gib / named - 1.0) > MEMORY_SLACK) {
        assay_error_set(err, ASSAY_INPUT, at, "'%s' has mem_gib %.4g, its id says %g", part->id,
                        gib, named);
        assay_error_next(err, "correct the one that is wrong; another size is another part");
        return ASSAY_INPUT;
    }
    const size_t n_type = strcspn(package->mem_type, " ");
    for (uint32_t i = 0; i < figures->n_memory; i++) {
        const memory_t *memory = &figures->memory[i];
        if (strlen(memory->type) != n_type ||
            memcmp(memory->type, package->mem_type, n_type) != 0 || package->hbm_stacks == 0 ||
            !part->hbm_bytes_per_s.known) {
            continue;
        }
        const double pin = 8.0 * part->hbm_bytes_per_s.v / (package->hbm_stacks * memory->bits);
        if (pin < memory->min_bits_per_s || pin > memory->max_bits_per_s) {
            assay_error_set(err, ASSAY_INPUT, at,
                            "'%s': %.4g GB/s over %u stacks of %s is %.3g Gbit/s a pin, "
                            "expected %.3g to %.3g",
                            part->id, part->hbm_bytes_per_s.v / 1e9, package->hbm_stacks,
                            memory->type, pin / 1e9, memory->min_bits_per_s / 1e9,
                            memory->max_bits_per_s / 1e9);
            assay_error_next(err,
                             "check mem_gb_s, hbm_stacks and mem_type: all are of the package");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

assay_status_t catalog_figures_check(const catalog_figures_t *figures, const assay_csv_t *csv,
                                     uint32_t row, const catalog_package_t *package,
                                     assay_error_t *err) {
    const assay_place_t at = assay_csv_place(csv, row);
    assay_status_t status = check_known(figures, csv, row, package->part, &at, err);
    status = status ? status : check_peaks(figures, package->part, &at, err);
    return status ? status : check_memory(figures, package, &at, err);
}
