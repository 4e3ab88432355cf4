/* Reads engines.csv. */
#include "assay/serve_engine.h"

#include <stddef.h>
#include <string.h>

#include "assay/csv.h"
#include "assay/text.h"

#include "base/banned.h"

#define TABLE "engines.csv"

static const struct {
    const char *name;
    size_t offset;
    bool may_be_empty;
} text_columns[] = {
#define TEXT(name, field, may_be_empty) \
    { name, offsetof(assay_serve_engine_t, field), may_be_empty }
    TEXT("id", id, false),
    TEXT("name", name, false),
    TEXT("from_version", from_version, true),
    TEXT("to_version", to_version, true),
    TEXT("vendor", vendor, false),
    TEXT("source", source, false),
    TEXT("note", note, true),
#undef TEXT
};

static const struct {
    const char *name;
    double min, max;
} number_columns[] = {
    {"memory_share", 0.01, 1}, {"block_tokens", 1, 1 << 20},  {"max_sequences", 1, 1 << 20},
    {"token_budget", 1, 1e8},  {"head_stream_above", 0, 1e9},
};
enum { MEMORY_SHARE, BLOCK_TOKENS, MAX_SEQUENCES, TOKEN_BUDGET, HEAD_STREAM_ABOVE, N_NUMBER };

static assay_status_t read_row(const assay_csv_t *csv, uint32_t row, assay_serve_engine_t *out,
                               assay_error_t *err) {
    double number[N_NUMBER];
    for (size_t i = 0; i < sizeof text_columns / sizeof text_columns[0]; i++) {
        const char *text = assay_csv_cell(csv, row, assay_csv_column(csv, text_columns[i].name));
        if (text[0] == '\0' && !text_columns[i].may_be_empty) {
            return assay_csv_refuse(csv, row, text_columns[i].name, "a text", err);
        }
        *(const char **)((char *)out + text_columns[i].offset) = text;
    }
    for (int i = 0; i < N_NUMBER; i++) {
        const char *name = number_columns[i].name;
        const char *text = assay_csv_cell(csv, row, assay_csv_column(csv, name));
        if (!assay_text_to_double(text, strlen(text), &number[i]) ||
            !(number[i] >= number_columns[i].min && number[i] <= number_columns[i].max)) {
            return assay_csv_refuse(csv, row, name, "a number within its limits", err);
        }
    }
    const char *of = assay_csv_cell(csv, row, assay_csv_column(csv, "memory_share_of"));
    out->share_of_free = strcmp(of, "free") == 0;
    if (!out->share_of_free && strcmp(of, "total") != 0) {
        return assay_csv_refuse(csv, row, "memory_share_of", "total or free", err);
    }
    static const struct {
        const char *column, *no, *yes, *expected;
        size_t offset;
    } word[] = {
        {"head_stream", "", "grouped", "grouped, or nothing",
         offsetof(assay_serve_engine_t, head_stream_grouped)},
        {"attention", "ranks", "main", "ranks or main",
         offsetof(assay_serve_engine_t, attention_on_one)},
        {"reserves", "prompt", "whole", "prompt or whole",
         offsetof(assay_serve_engine_t, reserves_whole)},
    };
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++) {
        const char *text = assay_csv_cell(csv, row, assay_csv_column(csv, word[i].column));
        const bool yes = strcmp(text, word[i].yes) == 0;
        if (!yes && strcmp(text, word[i].no) != 0) {
            return assay_csv_refuse(csv, row, word[i].column, word[i].expected, err);
        }
        *(bool *)((char *)out + word[i].offset) = yes;
    }
    out->memory_share = number[MEMORY_SHARE];
    out->block_tokens = (uint32_t)number[BLOCK_TOKENS];
    out->max_sequences = (uint32_t)number[MAX_SEQUENCES];
    out->token_budget = (uint32_t)number[TOKEN_BUDGET];
    out->head_stream_above = number[HEAD_STREAM_ABOVE];
    return ASSAY_OK;
}

assay_status_t assay_serve_engines_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                        const assay_serve_engine_t **out_engine,
                                        uint32_t *out_n_engine, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status =
        assay_data_table_keyed(arena, TABLE, catalog->dir, catalog->n_dir, &csv, err);
    if (status) {
        return status;
    }
    assay_serve_engine_t *engine = assay_arena_array(arena, csv.n_rows, sizeof *engine);
    if (!engine) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv.n_rows && !status; row++) {
        status = read_row(&csv, row, &engine[row], err);
    }
    *out_engine = engine;
    *out_n_engine = csv.n_rows;
    return status;
}

const assay_serve_engine_t *assay_serve_engine_find(const assay_serve_engine_t *engine,
                                                    uint32_t n_engine, const char *id) {
    for (uint32_t i = 0; i < n_engine; i++) {
        if (strcmp(engine[i].id, id) == 0) {
            return &engine[i];
        }
    }
    return NULL;
}
