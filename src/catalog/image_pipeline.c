/* data/image_pipelines.csv: which networks make an image out of words, and how often. */
#include <string.h>

#include "assay/catalog.h"
#include "assay/image_ops.h"
#include "assay/text.h"
#include "catalog/image_build.h"

#include "base/banned.h"

#define TABLE "image_pipelines.csv"

typedef struct {
    assay_arena_t *arena;
    const assay_csv_t *csv;
    uint32_t row;
    assay_error_t *err;
} pipeline_row_t;

static const char *cell_of(const pipeline_row_t *row, const char *column) {
    return assay_csv_cell(row->csv, row->row, assay_csv_column(row->csv, column));
}

static assay_status_t refuse(const pipeline_row_t *row, const char *column, const char *expected) {
    const assay_place_t at = assay_csv_place(row->csv, row->row);
    return assay_error_set(row->err, ASSAY_INPUT, &at, "%s is '%s', expected %s", column,
                           cell_of(row, column), expected);
}

static assay_status_t read_text(const pipeline_row_t *row, const char *column, const char **out) {
    *out = cell_of(row, column);
    return **out ? ASSAY_OK : refuse(row, column, "a text");
}

static assay_status_t read_count(const pipeline_row_t *row, const char *column, uint32_t *out) {
    const char *text = cell_of(row, column);
    uint64_t value;
    if (!assay_text_to_u64(text, strlen(text), &value) || value == 0 || value > 1 << 16) {
        return refuse(row, column, "a whole number from 1 to 65536");
    }
    *out = (uint32_t)value;
    return ASSAY_OK;
}

/* "clip-l-text|t5-xxl-encoder" */
static assay_status_t read_encoders(const pipeline_row_t *row, assay_image_pipeline_t *out) {
    const char *text = cell_of(row, "encoders");
    for (size_t n; *text; text += n + (text[n] == '|')) {
        n = strcspn(text, "|");
        if (out->n_encoder == ASSAY_IMAGE_ENCODER_MAX || n == 0) {
            return refuse(row, "encoders", "at most 4 networks joined by '|'");
        }
        out->encoder[out->n_encoder] = assay_arena_strndup(row->arena, text, n);
        if (!out->encoder[out->n_encoder++]) {
            return assay_error_memory(row->err, NULL);
        }
    }
    return ASSAY_OK;
}

static assay_status_t read_row(const pipeline_row_t *row, assay_image_pipeline_t *out) {
    const struct {
        const char *column, **text;
    } texts[] = {{"id", &out->id},
                 {"name", &out->name},
                 {"denoiser", &out->denoiser},
                 {"decoder", &out->decoder},
                 {"source", &out->source}};
    const struct {
        const char *column;
        uint32_t *count;
    } counts[] = {{"width", &out->width}, {"height", &out->height}, {"steps", &out->steps}};
    const char *guidance = cell_of(row, "guidance");
    assay_status_t status = ASSAY_OK;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !status; i++) {
        status = read_text(row, texts[i].column, texts[i].text);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && !status; i++) {
        status = read_count(row, counts[i].column, counts[i].count);
    }
    out->guided = strcmp(guidance, "yes") == 0;
    if (!status && !out->guided && strcmp(guidance, "no") != 0) {
        status = refuse(row, "guidance", "yes or no");
    }
    return status ? status : read_encoders(row, out);
}

assay_status_t assay_image_pipeline_find(assay_arena_t *arena, const char *const *dir,
                                         uint32_t n_dir, const char *id,
                                         assay_image_pipeline_t *out, assay_error_t *err) {
    assay_csv_t csv;
    const assay_status_t status = assay_data_table_keyed(arena, TABLE, dir, n_dir, &csv, err);
    if (status) {
        return status;
    }
    const size_t n = strcspn(id, "@");
    const char **names = assay_arena_array(arena, csv.n_rows + 1, sizeof *names);
    if (!names) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        names[row] = assay_csv_cell(&csv, row, 0);
        if (strlen(names[row]) == n && memcmp(names[row], id, n) == 0) {
            const pipeline_row_t found = {arena, &csv, row, err};
            *out = (assay_image_pipeline_t){0};
            const assay_status_t read = read_row(&found, out);
            if (read || id[n] != '@' || image_size_parse(id + n + 1, &out->width, &out->height)) {
                return read;
            }
        }
    }
    const char *near = assay_text_nearest(id, names, csv.n_rows);
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no pipeline on images is called '%s'", id);
    if (near) {
        assay_error_next(err, "did you mean '%s'?", near);
    } else {
        assay_error_next(err, "'assay catalog list image_pipelines' shows them");
    }
    return ASSAY_NOT_FOUND;
}
