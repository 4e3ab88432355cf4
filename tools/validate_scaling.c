/*
 * Does a run keep its efficiency on more devices? Published against predicted, MI250X.
 * usage: validate_scaling POINTS.csv
 *
 * Efficiency is tokens a second and device on the larger size over those on the smaller one. No
 * constant that was fitted to a run on the part is used: those of GEMM, links and network come from
 * measurements of their own, those of a long run are everybody's. What scaling costs then follows
 * from the bubble of the pipeline and from traffic that does not hide. The interval is that of the
 * network: its rate, its latency and how much of the window hides traffic, each at p10 and p90.
 * Exit: 0 every point with a ceiling holds it, 1 one does not, 2 input.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/csv.h"
#include "assay/resolve.h"
#include "assay/text.h"
#include "assay/train.h"

#define TABLE_BYTES ((size_t)1 << 20)
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PART "amd-mi250x-128g"
#define FABRIC "frontier-node"
#define NETWORK "slingshot"

typedef struct {
    const assay_catalog_t *catalog;
    const assay_calibration_t *calibration;
    const assay_accelerator_t *part;
    const assay_fabric_t *fabric;
    assay_error_t err;
} tool_t;

static const char *cell(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

/* NAN: empty. */
static double number(const assay_csv_t *csv, uint32_t row, const char *column) {
    const char *text = cell(csv, row, column);
    double value;
    return assay_text_to_double(text, strlen(text), &value) ? value : (double)NAN;
}

static void set(assay_device_t *device, assay_calib_id_t id, double value) {
    for (int type = 0; type < ASSAY_DT_N; type++) {
        device->calib[id][type] = value;
    }
}

/* Constants of long runs are those of everybody. */
static void forget_runs(const tool_t *tool, assay_device_t *device) {
    static const char *const everybody[] = {"*", NULL};
    static const assay_calib_id_t id[] = {ASSAY_CALIB_RUN_GEMM,   ASSAY_CALIB_RUN_ATTENTION,
                                          ASSAY_CALIB_RUN_STREAM, ASSAY_CALIB_RUN_HOST_S,
                                          ASSAY_CALIB_STEP_LOSS,  ASSAY_CALIB_OVERLAP_COST};
    for (size_t i = 0; i < COUNT(id); i++) {
        set(device, id[i],
            assay_calibration_get(tool->calibration, id[i], everybody, ASSAY_DT_BF16).v);
    }
}

/* What of the network is not known well: each between p10 and p90 of the calibration. */
static const assay_calib_id_t uncertain[] = {ASSAY_CALIB_NETWORK_EFFICIENCY,
                                             ASSAY_CALIB_NETWORK_HOP, ASSAY_CALIB_OVERLAP_DP};

/* Bit i of corner picks the end of uncertain[i]. */
static void take_ends(const tool_t *tool, int corner, assay_device_t *device) {
    static const char *const scope[] = {NETWORK, "*", NULL};
    for (size_t i = 0; i < COUNT(uncertain); i++) {
        const assay_fact_t fact =
            assay_calibration_get(tool->calibration, uncertain[i], scope, ASSAY_DT_BF16);
        set(device, uncertain[i], corner >> i & 1 ? fact.p90 : fact.p10);
    }
}

/* Tokens a second and device; NAN with err filled. corner -1: with the central values. */
static double rate(tool_t *tool, const assay_csv_t *csv, uint32_t row, const char *devices,
                   const char *batch, int corner) {
    assay_machine_t machine;
    if (assay_resolve_machine(NULL, tool->catalog, tool->calibration, tool->part, tool->fabric,
                              NETWORK, 200e9, 4, (uint32_t)number(csv, row, devices), ASSAY_DT_BF16,
                              &machine, &tool->err) != ASSAY_OK) {
        return NAN;
    }
    forget_runs(tool, &machine.device);
    if (corner >= 0) {
        take_ends(tool, corner, &machine.device);
    }
    const uint32_t hidden = (uint32_t)number(csv, row, "hidden");
    const uint32_t heads = (uint32_t)number(csv, row, "heads");
    assay_workload_t work = {.model = {.id = cell(csv, row, "id"),
                                       .kind = "decoder-LLM",
                                       .layers = (uint32_t)number(csv, row, "layers"),
                                       .hidden = hidden,
                                       .heads = heads,
                                       .kv_heads = heads,
                                       .head_dim = hidden / heads,
                                       .ffn = 4 * hidden,
                                       .vocab = (uint32_t)number(csv, row, "vocab"),
                                       .layer_norm = true,
                                       .max_position = (uint32_t)number(csv, row, "sequence")},
                             .sequence = (uint32_t)number(csv, row, "sequence"),
                             .global_batch = (uint32_t)number(csv, row, batch),
                             .dtype = ASSAY_DT_BF16,
                             .unfused_attention =
                                 strcmp(cell(csv, row, "fused_attention"), "no") == 0};
    assay_model_count(&work.model, &work.count);
    work.model_flops_per_token =
        assay_model_train_flops_per_token(&work.model, work.sequence, false);
    work.causal_flops_per_token =
        assay_model_train_flops_per_token(&work.model, work.sequence, true);
    assay_layout_t layout = {.tp = (uint16_t)number(csv, row, "tp"),
                             .pp = (uint16_t)number(csv, row, "pp"),
                             .vpp = 1,
                             .cp = 1,
                             .micro_batch = (uint32_t)number(csv, row, "micro_batch"),
                             .zero = (uint8_t)number(csv, row, "zero"),
                             .recompute = ASSAY_RECOMPUTE_FULL};
    layout.dp = machine.devices / layout.tp / layout.pp;
    assay_estimate_t estimate;
    assay_train_estimate(&machine, &work, &layout, &estimate);
    if (estimate.reject != ASSAY_REJECT_NONE && estimate.reject != ASSAY_REJECT_MEMORY) {
        const assay_place_t at = assay_csv_place(csv, row);
        (void)assay_error_set(&tool->err, ASSAY_INPUT, &at, "%s on %s devices: %s",
                              cell(csv, row, "id"), cell(csv, row, devices),
                              assay_reject_sentence((assay_reject_t)estimate.reject));
        return NAN;
    }
    return estimate.tokens_per_s / machine.devices;
}

/* Prints one point; false: no prediction. */
static bool point(tool_t *tool, const assay_csv_t *csv, uint32_t row, bool *out_above) {
    double predicted = NAN, low = INFINITY, high = 0;
    for (int corner = -1; corner < 1 << COUNT(uncertain); corner++) {
        const double small = rate(tool, csv, row, "from_devices", "from_batch", corner);
        const double large = rate(tool, csv, row, "to_devices", "to_batch", corner);
        if (!isfinite(small) || !isfinite(large)) {
            return false;
        }
        const double efficiency = large / small;
        predicted = corner < 0 ? efficiency : predicted;
        low = fmin(low, efficiency);
        high = fmax(high, efficiency);
    }
    const double published = number(csv, row, "efficiency");
    const double ceiling = number(csv, row, "ceiling");
    const double error = fabs(log(predicted / published));
    const bool above = isfinite(ceiling) && !(error <= ceiling);
    *out_above |= above;
    printf("| %s | %s to %s | %.2f | %.2f | %.2f to %.2f | %s | %.1f %%%s | %s |\n",
           cell(csv, row, "id"), cell(csv, row, "from_devices"), cell(csv, row, "to_devices"),
           published, predicted, low, high,
           published >= low - 0.005 && published <= high + 0.005 ? "yes" : "no", 100 * error,
           above               ? " ABOVE"
           : isfinite(ceiling) ? ""
                               : " (no ceiling)",
           cell(csv, row, "layout"));
    return true;
}

int main(int argc, char **argv) {
    assay_arena_t *arena = assay_arena_create((size_t)1 << 30);
    tool_t tool = {0};
    assay_catalog_t *catalog = NULL;
    assay_calibration_t *calibration = NULL;
    assay_csv_t csv;
    char *data;
    size_t size;
    bool above = false;
    if (argc != 2 || !arena) {
        fputs("usage: validate_scaling POINTS.csv\n", stderr);
        return 2;
    }
    assay_status_t status = assay_file_read(arena, argv[1], TABLE_BYTES, &data, &size, &tool.err);
    status = status ? status : assay_csv_parse(arena, argv[1], data, size, &csv, &tool.err);
    status = status ? status : assay_catalog_load(arena, NULL, 0, &catalog, &tool.err);
    status = status ? status : assay_calibration_load(arena, NULL, 0, &calibration, &tool.err);
    status =
        status ? status : assay_catalog_accelerator(catalog, PART, NULL, &tool.part, &tool.err);
    if (!status) {
        tool.catalog = catalog;
        tool.calibration = calibration;
        for (uint32_t i = 0; i < catalog->n_fabric; i++) {
            tool.fabric = strcmp(catalog->fabric[i].id, FABRIC) ? tool.fabric : &catalog->fabric[i];
        }
        puts("| run | dies | published | predicted | interval | holds | error | layout |\n"
             "| --- | --- | --- | --- | --- | --- | --- | --- |");
        for (uint32_t i = 0; i < csv.n_rows && !status; i++) {
            status = point(&tool, &csv, i, &above) ? ASSAY_OK : ASSAY_INPUT;
        }
    }
    if (status) {
        char line[1024];
        fprintf(stderr, "validate_scaling: %s\n", assay_error_line(&tool.err, line, sizeof line));
    }
    assay_arena_destroy(arena);
    return status ? 2 : above;
}
