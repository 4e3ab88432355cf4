#include "catalog/catalog_table.h"
#include "catalog/check_figures.h"

#include "assay/units.h"

#include "base/banned.h"

#define ROW_OFFSET(field) offsetof(accelerator_row_t, field)
#define PART_OFFSET(field) offsetof(accelerator_row_t, part.field)
#define PEAK(dtype) offsetof(accelerator_row_t, part.peak_flops[ASSAY_DT_##dtype])
#define TERA 1e12

/* As in the table: figures of the whole package, vector and matrix rates apart. */
typedef struct {
    assay_accelerator_t part;
    assay_fact_t fp64_vector_flops, l2_bytes;
    const char *price_source, *mem_type;
    uint32_t hbm_stacks;
} accelerator_row_t;

static const catalog_column_t columns[] = {
    {.name = "id", .offset = PART_OFFSET(id), .required = true},
    {.name = "vendor", .offset = PART_OFFSET(vendor), .required = true},
    {.name = "name", .offset = PART_OFFSET(name), .required = true},
    {.name = "form_factor", .offset = PART_OFFSET(form_factor)},
    {.name = "arch", .offset = PART_OFFSET(arch), .required = true},
    {.name = "target", .offset = PART_OFFSET(target)},
    {.name = "matrix_dtypes", .offset = PART_OFFSET(matrix_formats)},
    {"devices", COLUMN_COUNT, true, PART_OFFSET(devices), 1, 1, 64, NULL},
    {"compute_units", COLUMN_COUNT, false, PART_OFFSET(compute_units), 1, 1, 4096, NULL},
    {"clock_mhz", COLUMN_FACT, false, PART_OFFSET(clock_hz), 1e6, 100, 1e4, NULL},
    {"fp64_tflops", COLUMN_FACT, false, ROW_OFFSET(fp64_vector_flops), TERA, 1e-3, 1e6, NULL},
    {"fp64_matrix_tflops", COLUMN_FACT, false, PEAK(FP64), TERA, 1e-3, 1e6, NULL},
    {"fp32_tflops", COLUMN_FACT, false, PART_OFFSET(vector_fp32_flops), TERA, 1e-3, 1e6, NULL},
    {"fp32_matrix_tflops", COLUMN_FACT, false, PEAK(FP32), TERA, 1e-3, 1e6, NULL},
    {"tf32_tflops", COLUMN_FACT, false, PEAK(TF32), TERA, 1e-3, 1e6, NULL},
    {"fp16_tflops", COLUMN_FACT, false, PEAK(FP16), TERA, 1e-3, 1e6, NULL},
    {"bf16_tflops", COLUMN_FACT, false, PEAK(BF16), TERA, 1e-3, 1e6, NULL},
    {"fp8_tflops", COLUMN_FACT, false, PEAK(FP8), TERA, 1e-3, 1e6, NULL},
    {"fp6_tflops", COLUMN_FACT, false, PEAK(FP6), TERA, 1e-3, 1e6, NULL},
    {"fp4_tflops", COLUMN_FACT, false, PEAK(FP4), TERA, 1e-3, 1e6, NULL},
    {"int8_tops", COLUMN_FACT, false, PEAK(INT8), TERA, 1e-3, 1e6, NULL},
    {"mem_gib", COLUMN_FACT, false, PART_OFFSET(hbm_bytes), ASSAY_GIB_BYTES, 1, 1e5, NULL},
    {.name = "mem_type", .offset = ROW_OFFSET(mem_type)},
    {"hbm_stacks", COLUMN_COUNT, false, ROW_OFFSET(hbm_stacks), 1, 1, 64, NULL},
    {"mem_gb_s", COLUMN_FACT, false, PART_OFFSET(hbm_bytes_per_s), 1e9, 10, 1e6, NULL},
    {"l2_mb", COLUMN_FACT, false, ROW_OFFSET(l2_bytes), 1e6, 0.1, 1e4, NULL},
    {"llc_mb", COLUMN_FACT, false, PART_OFFSET(llc_bytes), 1e6, 0.1, 1e5, NULL},
    {"tdp_w", COLUMN_FACT, false, PART_OFFSET(tdp_w), 1, 1, 1e5, NULL},
    {"idle_w", COLUMN_FACT, false, PART_OFFSET(idle_w), 1, 0.1, 1e5, NULL},
    {"launch_date", COLUMN_DATE_AHEAD, false, PART_OFFSET(launch_date), 0, 0, 0, NULL},
    {"price_usd", COLUMN_FACT, false, PART_OFFSET(price_usd), 1, 10, 1e7, NULL},
    {.name = "price_source", .offset = ROW_OFFSET(price_source)},
    {.name = "source", .offset = PART_OFFSET(source), .required = true},
    {"confidence", COLUMN_CONFIDENCE, true, PART_OFFSET(confidence), 0, 0, 0, NULL},
    {.name = "note", .offset = PART_OFFSET(note)},
};

static void divide(assay_fact_t *fact, double n) {
    fact->v /= n;
    fact->p10 /= n;
    fact->p90 /= n;
}

static void take_larger(assay_fact_t *fact, const assay_fact_t *other) {
    if (other->known && !(fact->known && fact->v >= other->v)) {
        *fact = *other;
    }
}

/* Package figures become what one device has as software sees it; watts and price stay. The peak
   of a type is its faster path: matrix units where the part has them for that type. */
static void split_package(accelerator_row_t *row) {
    assay_accelerator_t *part = &row->part;
    take_larger(&part->peak_flops[ASSAY_DT_FP64], &row->fp64_vector_flops);
    take_larger(&part->peak_flops[ASSAY_DT_FP32], &part->vector_fp32_flops);
    take_larger(&part->llc_bytes, &row->l2_bytes);
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        divide(&part->peak_flops[dtype], part->devices);
    }
    divide(&part->vector_fp32_flops, part->devices);
    divide(&part->hbm_bytes, part->devices);
    divide(&part->hbm_bytes_per_s, part->devices);
    divide(&part->llc_bytes, part->devices);
    part->compute_units /= part->devices;
    if (part->price_usd.known) {
        part->price_usd.source = row->price_source;
    }
}

static assay_status_t check_row(const accelerator_row_t *row, const assay_place_t *at,
                                assay_error_t *err) {
    const assay_accelerator_t *part = &row->part;
    if (part->compute_units % part->devices != 0) {
        return assay_error_set(err, ASSAY_INPUT, at,
                               "'%s': %u compute units do not divide among %u devices", part->id,
                               part->compute_units, part->devices);
    }
    if (part->price_usd.known && row->price_source[0] == '\0') {
        assay_error_set(err, ASSAY_INPUT, at, "'%s' has price_usd but no price_source", part->id);
        assay_error_next(err, "say where and when the price was seen");
        return ASSAY_INPUT;
    }
    if (part->idle_w.known && part->tdp_w.known && part->idle_w.v >= part->tdp_w.v) {
        return assay_error_set(err, ASSAY_INPUT, at, "'%s': idle_w is not below tdp_w", part->id);
    }
    return ASSAY_OK;
}

assay_status_t catalog_load_accelerators(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    catalog_figures_t *figures;
    assay_status_t status = catalog_figures_load(load, &figures);
    if (status != ASSAY_OK) {
        return status;
    }
    status =
        catalog_load_rows(load, "accelerators.csv", 1, columns, sizeof columns / sizeof columns[0],
                          sizeof(accelerator_row_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    accelerator_row_t *row = rows;
    assay_accelerator_t *part = assay_arena_array(load->arena, csv.n_rows, sizeof *part);
    if (!part) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        const catalog_package_t package = {&row[i].part, row[i].mem_type, row[i].hbm_stacks};
        status = check_row(&row[i], &at, load->err);
        status = status ? status : catalog_figures_check(figures, &csv, i, &package, load->err);
        if (status != ASSAY_OK) {
            return status;
        }
        split_package(&row[i]);
        part[i] = row[i].part;
    }
    load->catalog->accelerator = part;
    load->catalog->n_accelerator = csv.n_rows;
    return ASSAY_OK;
}
