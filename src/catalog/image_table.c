/* data/image_models.csv: networks on images by their hyper-parameters. */
#include <stdio.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/image_ops.h"
#include "assay/text.h"
#include "catalog/image_build.h"

#include "base/banned.h"

typedef enum { ONE, EACH_LEVEL, YES } cell_kind_t;

static const struct {
    const char *name;
    size_t offset;
    cell_kind_t kind;
    uint32_t max;
} columns[] = {
#define COLUMN(field, kind, max) \
    { #field, offsetof(assay_image_shape_t, field), kind, max }
    COLUMN(width, ONE, 1 << 16),
    COLUMN(height, ONE, 1 << 16),
    COLUMN(reduction, ONE, 64),
    COLUMN(in_channels, ONE, 4096),
    COLUMN(out_channels, ONE, 4096),
    COLUMN(channels, EACH_LEVEL, 1 << 16), /* first of its kind: says how many levels there are */
    COLUMN(blocks, EACH_LEVEL, 64),
    COLUMN(depth_down, EACH_LEVEL, 64),
    COLUMN(depth_middle, ONE, 64),
    COLUMN(depth_up, EACH_LEVEL, 64),
    COLUMN(head_dim, EACH_LEVEL, 1024),
    COLUMN(linear_projection, YES, 1),
    COLUMN(added_dim, ONE, 1 << 16),
    COLUMN(text_dim, ONE, 1 << 16),
    COLUMN(text_tokens, ONE, 1 << 16),
    COLUMN(pooled_dim, ONE, 1 << 16),
    COLUMN(layers, ONE, 512),
    COLUMN(single_layers, ONE, 512),
    COLUMN(hidden, ONE, 1 << 16),
    COLUMN(heads, ONE, 1024),
    COLUMN(ffn, ONE, 1 << 20),
    COLUMN(patch, ONE, 1024),
    COLUMN(classes, ONE, 1 << 20),
    COLUMN(vocab, ONE, 1 << 24),
    COLUMN(max_position, ONE, 1 << 20),
    COLUMN(guidance, YES, 1),
#undef COLUMN
};

typedef struct {
    const assay_csv_t *csv;
    uint32_t row;
    assay_error_t *err;
} image_row_t;

static assay_status_t refuse(const image_row_t *row, const char *column, const char *expected) {
    const assay_place_t at = assay_csv_place(row->csv, row->row);
    return assay_error_set(row->err, ASSAY_INPUT, &at, "column '%s': expected %s", column,
                           expected);
}

/* "64|128|256": one number for each level. */
static assay_status_t read_levels(const image_row_t *row, size_t i, const char *cell,
                                  uint32_t *levels, uint32_t *out) {
    uint32_t n = 0;
    for (size_t used; *cell; cell += used + (cell[used] == '|')) {
        uint64_t value;
        used = strcspn(cell, "|");
        if (n == ASSAY_LEVEL_MAX || !assay_text_to_u64(cell, used, &value) ||
            value > columns[i].max) {
            return refuse(row, columns[i].name, "whole numbers joined by '|', at most 8");
        }
        out[n++] = (uint32_t)value;
    }
    if (*levels > 0 && n > 0 && n != *levels) {
        return refuse(row, columns[i].name, "as many numbers as there are channels");
    }
    *levels = *levels > 0 ? *levels : n;
    return ASSAY_OK;
}

static assay_status_t read_row(const image_row_t *row, assay_image_shape_t *shape) {
    assay_status_t status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < sizeof columns / sizeof columns[0]; i++) {
        const char *cell =
            assay_csv_cell(row->csv, row->row, assay_csv_column(row->csv, columns[i].name));
        void *out = (char *)shape + columns[i].offset;
        uint64_t value = 0;
        if (columns[i].kind == YES) {
            *(bool *)out = strcmp(cell, "yes") == 0;
        } else if (columns[i].kind == EACH_LEVEL) {
            status = read_levels(row, i, cell, &shape->levels, out);
        } else if (*cell &&
                   (!assay_text_to_u64(cell, strlen(cell), &value) || value > columns[i].max)) {
            status = refuse(row, columns[i].name, "a whole number");
        } else {
            *(uint32_t *)out = (uint32_t)value;
        }
    }
    return status;
}

/* What a kind of network cannot be laid out without; NULL: all is there. */
static const char *missing(const assay_image_shape_t *shape) {
    const bool levels = shape->net == ASSAY_NET_UNET || shape->net == ASSAY_NET_VAE ||
                        shape->net == ASSAY_NET_RESNET;
    const bool patches = shape->net == ASSAY_NET_VIT || shape->net == ASSAY_NET_FLUX;
    for (uint32_t i = 0; i < shape->levels; i++) {
        if (shape->channels[i] == 0 || shape->blocks[i] == 0) {
            return "channels and blocks";
        }
    }
    return shape->width == 0 || shape->height == 0 || shape->reduction == 0
               ? "width, height and reduction"
           : levels && shape->levels == 0 ? "channels"
           : !levels && (shape->hidden == 0 || shape->heads == 0 || shape->layers == 0)
               ? "layers, hidden and heads"
           : patches && (shape->patch == 0 || shape->patch > shape->width) ? "patch"
                                                                           : NULL;
}

bool image_size_parse(const char *at, uint32_t *out_width, uint32_t *out_height) {
    const char *x = strchr(at, 'x');
    uint64_t width, height;
    if (!x || !assay_text_to_u64(at, (size_t)(x - at), &width) ||
        !assay_text_to_u64(x + 1, strlen(x + 1), &height) || width == 0 || height == 0 ||
        width > 1 << 16 || height > 1 << 16) {
        return false;
    }
    *out_width = (uint32_t)width;
    *out_height = (uint32_t)height;
    return true;
}

static bool net_of(const char *name, uint8_t *out) {
    static const char *const names[ASSAY_NET_N] = {
        [ASSAY_NET_UNET] = "unet",     [ASSAY_NET_FLUX] = "flux", [ASSAY_NET_VAE] = "vae",
        [ASSAY_NET_RESNET] = "resnet", [ASSAY_NET_VIT] = "vit",   [ASSAY_NET_BERT] = "bert",
        [ASSAY_NET_CLIP] = "clip",     [ASSAY_NET_T5] = "t5"};
    for (uint8_t i = 0; i < ASSAY_NET_N; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static assay_status_t refuse_id(assay_arena_t *arena, const assay_csv_t *csv, const char *id,
                                assay_error_t *err) {
    const char **names = assay_arena_array(arena, csv->n_rows + 1, sizeof *names);
    if (!names) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        names[row] = assay_csv_cell(csv, row, 0);
    }
    const char *near = assay_text_nearest(id, names, csv->n_rows);
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "no network on images is called '%s'", id);
    if (near) {
        assay_error_next(err, "did you mean '%s'?", near);
    } else {
        assay_error_next(err, "'assay catalog list image_models' shows them");
    }
    return ASSAY_NOT_FOUND;
}

assay_status_t assay_image_find(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                const char *id, assay_image_shape_t *out_shape,
                                assay_error_t *err) {
    assay_csv_t csv;
    assay_image_shape_t shape = {0};
    const size_t n = strcspn(id, "@");
    assay_status_t status =
        assay_data_table_keyed(arena, "image_models.csv", dir, n_dir, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    image_row_t row = {&csv, 0, err};
    for (; row.row < csv.n_rows; row.row++) {
        const char *name = assay_csv_cell(&csv, row.row, 0);
        if (strlen(name) == n && memcmp(name, id, n) == 0) {
            break;
        }
    }
    if (row.row == csv.n_rows) {
        return refuse_id(arena, &csv, id, err);
    }
    if (!net_of(assay_csv_cell(&csv, row.row, assay_csv_column(&csv, "net")), &shape.net)) {
        return refuse(&row, "net", "unet, flux, vae, resnet, vit, bert, clip or t5");
    }
    status = read_row(&row, &shape);
    const char *what = status == ASSAY_OK ? missing(&shape) : NULL;
    if (what) {
        return refuse(&row, what, "a number");
    }
    if (status == ASSAY_OK && id[n] == '@' &&
        !image_size_parse(id + n + 1, &shape.width, &shape.height)) {
        return refuse_id(arena, &csv, id, err);
    }
    shape.id = assay_arena_strdup(arena, id);
    shape.source = assay_csv_cell(&csv, row.row, assay_csv_column(&csv, "source"));
    if (status == ASSAY_OK && !shape.id) {
        status = assay_error_memory(err, NULL);
    }
    if (status == ASSAY_OK) {
        *out_shape = shape;
    }
    return status;
}
