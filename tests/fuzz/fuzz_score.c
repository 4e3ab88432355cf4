/* Measurement tables: whatever a row says, it becomes a case or a reason. The search is left out;
   it sees only what the case allows. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "score/score_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static assay_arena_t *tables;
static score_context_t context, serving;
static assay_arena_t *scratch;

static void load(void) {
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    tables = assay_arena_create((size_t)64 << 20);
    scratch = assay_arena_create((size_t)16 << 20);
    if (assay_catalog_load(tables, NULL, 0, &catalog, NULL) ||
        assay_calibration_load(tables, NULL, 0, &calibration, NULL) ||
        score_rules_load(tables, catalog, SCORE_TRAINING_RULES, &context.rules, NULL) ||
        score_rules_load(tables, catalog, SCORE_SERVING_RULES, &serving.rules, NULL) ||
        assay_serve_engines_load(tables, catalog, &serving.engine, &serving.n_engine, NULL)) {
        abort();
    }
    context.catalog = serving.catalog = catalog;
    context.calibration = serving.calibration = calibration;
}

static void try_row(const assay_csv_t *csv, const score_columns_t *columns, uint32_t index) {
    score_row_t row;
    score_measured_t measured;
    score_case_t of = {0};
    score_skip_t skip = {0}, no_score = {0};
    assay_score_item_t item = {0};
    score_row_read(csv, columns, index, &row);
    score_measured_read(csv, columns, index, &measured);
    if (score_case_make(NULL, &context, &row, &of, &skip)) {
        if (of.machine.devices == 0 || of.work.sequence == 0 || of.work.global_batch == 0 ||
            !(of.work.causal_flops_per_token > 0) || !isfinite(of.work.model_flops_per_token)) {
            abort();
        }
    } else if (!score_reason_sentence((score_reason_t)skip.reason)) {
        abort();
    }
    if (score_join(&context, &row, &measured, &of, NULL, &item, &no_score) &&
        !(item.measured > 0)) {
        abort();
    }
}

static void try_serving_row(const assay_csv_t *csv, const score_columns_t *columns,
                            uint32_t index) {
    score_row_t row;
    score_measured_t measured;
    score_serving_t of = {0};
    score_skip_t skip = {0}, no_score = {0};
    assay_score_item_t item = {0};
    score_row_read(csv, columns, index, &row);
    score_measured_read(csv, columns, index, &measured);
    assay_arena_reset(scratch);
    const bool made = score_serving_make(&serving, &row, &of, &skip);
    if (!made && !score_reason_sentence((score_reason_t)skip.reason)) {
        abort();
    }
    if (score_serving_join(scratch, &serving, &row, &measured, made ? &of : NULL, &item,
                           &no_score) &&
        made && !(item.predicted > 0 && isfinite(item.predicted))) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
    assay_csv_t csv;
    score_columns_t columns;
    if (!tables) {
        load();
    }
    if (assay_csv_parse(arena, "fuzz.csv", (const char *)data, size, &csv, NULL) == ASSAY_OK &&
        score_columns_find(&csv, &columns, NULL) == ASSAY_OK) {
        for (uint32_t i = 0; i < csv.n_rows; i++) {
            if (score_is_serving(&columns)) {
                try_serving_row(&csv, &columns, i);
            } else {
                try_row(&csv, &columns, i);
            }
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
