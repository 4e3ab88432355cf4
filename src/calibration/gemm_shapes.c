/* Reads gemm_shapes.csv and cuts the space of shapes into cubes that know what is near. */
#include "assay/gemm_shapes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"

#include "base/banned.h"

#define TABLE "gemm_shapes.csv"
#define SHAPES_MAX 65536u /* of one part in one dtype */
#define SIZE_MAX_LOG2 40  /* of M, N and K */

enum { ID, TIME_US, BYTES_IN, BYTES_OUT, ROWS, SOURCE, N_COLUMN };
static const char *const column_name[N_COLUMN] = {"id",        "time_us", "bytes_in",
                                                  "bytes_out", "rows",    "source"};

typedef struct {
    const char *accelerator;
    assay_dtype_t dtype;
    assay_gemm_shape_t shape;
} row_t;

/* "4096x8192x2048" */
static bool read_size(const char *text, double out[3]) {
    for (int i = 0; i < 3; i++) {
        const size_t n = strcspn(text, "x");
        if (!assay_text_to_double(text, n, &out[i]) || !(out[i] >= 1) ||
            out[i] > (double)(1ull << SIZE_MAX_LOG2) || (text[n] == '\0') != (i == 2)) {
            return false;
        }
        text += n + 1;
    }
    return true;
}

/* "PART/DTYPE/MxNxK" */
static bool read_id(assay_arena_t *arena, const char *id, row_t *row) {
    const char *part_end = strchr(id, '/');
    const char *dtype_end = part_end ? strchr(part_end + 1, '/') : NULL;
    double size[3];
    if (!dtype_end || part_end == id || !read_size(dtype_end + 1, size)) {
        return false;
    }
    char dtype[16];
    const size_t n = (size_t)(dtype_end - part_end - 1);
    if (n >= sizeof dtype) {
        return false;
    }
    memcpy(dtype, part_end + 1, n);
    dtype[n] = '\0';
    row->accelerator = assay_arena_strndup(arena, id, (size_t)(part_end - id));
    row->shape.m = size[0];
    row->shape.n = size[1];
    row->shape.k = size[2];
    return row->accelerator && assay_dtype_parse(dtype, &row->dtype);
}

static assay_status_t read_row(assay_arena_t *arena, const assay_csv_t *csv, uint32_t r,
                               const int column[N_COLUMN], row_t *row, assay_error_t *err) {
    static const struct {
        int column;
        double least, most;
        const char *expected;
    } number[] = {{TIME_US, 1e-3, 1e9, "microseconds of one product"},
                  {BYTES_IN, .125, 16, "bytes of an element of A and B"},
                  {BYTES_OUT, .125, 16, "bytes of an element of C"},
                  {ROWS, 1, 1e6, "how many measurements"}};
    double value[sizeof number / sizeof *number];
    if (!read_id(arena, assay_csv_cell(csv, r, column[ID]), row)) {
        return assay_csv_refuse(csv, r, column_name[ID], "PART/DTYPE/MxNxK", err);
    }
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        const char *cell = assay_csv_cell(csv, r, column[number[i].column]);
        if (!assay_text_to_double(cell, strlen(cell), &value[i]) ||
            !(value[i] >= number[i].least) || !(value[i] <= number[i].most)) {
            return assay_csv_refuse(csv, r, column_name[number[i].column], number[i].expected, err);
        }
    }
    row->shape.elapsed_s = value[0] * 1e-6;
    row->shape.bytes_in = value[1];
    row->shape.bytes_out = value[2];
    row->shape.rows = (uint32_t)value[3];
    row->shape.source = assay_csv_cell(csv, r, column[SOURCE]);
    row->shape.at = assay_csv_place(csv, r);
    return row->shape.source[0] ? ASSAY_OK
                                : assay_csv_refuse(csv, r, column_name[SOURCE],
                                                   "where the measurement is from", err);
}

/* Part, dtype, M, N, K. */
static int by_shape(const void *a, const void *b) {
    const row_t *x = a, *y = b;
    const int part = strcmp(x->accelerator, y->accelerator);
    if (part != 0 || x->dtype != y->dtype) {
        return part != 0 ? part : (x->dtype > y->dtype) - (x->dtype < y->dtype);
    }
    const double left[] = {x->shape.m, x->shape.n, x->shape.k};
    const double right[] = {y->shape.m, y->shape.n, y->shape.k};
    for (int i = 0; i < 3; i++) {
        if (left[i] < right[i] || left[i] > right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

/* --- cubes ------------------------------------------------------------------------------------ */

/* Cube of a coordinate that is 0 or more; one below the first is below 0. */
static int32_t cube_of(double at, int32_t low) {
    return (int32_t)(at * ASSAY_GEMM_CUBES) - low;
}

/* Cubes of one axis. */
typedef struct {
    uint32_t from, to;
} run_t;

/* Those within so far of a coordinate, as far as there are any. */
static run_t reached(const assay_gemm_shapes_t *group, int axis, double at, double reach) {
    const int32_t low = cube_of(at > reach ? at - reach : 0, group->low[axis]);
    const uint32_t high = (uint32_t)cube_of(at + reach, group->low[axis]);
    const uint32_t last = group->n_cube[axis] - 1;
    return (run_t){low > 0 ? (uint32_t)low : 0, high < last ? high : last};
}

/* What is left of a reach, squared, beyond the nearest side of a cube. */
static double left_of(const assay_gemm_shapes_t *group, int axis, double at, uint32_t cube,
                      double reach2) {
    const double from = (group->low[axis] + (double)cube) / ASSAY_GEMM_CUBES;
    const double to = from + 1.0 / ASSAY_GEMM_CUBES;
    const double gap = at < from ? from - at : at > to ? at - to : 0;
    return reach2 - gap * gap;
}

#define FAR 1e9f

static void put(const assay_gemm_shapes_t *group, uint32_t shape, uint32_t at,
                assay_gemm_block_t *near) {
    assay_gemm_block_t *block = &near[at / ASSAY_GEMM_BLOCK];
    const uint32_t i = at % ASSAY_GEMM_BLOCK;
    block->m[i] = (float)group->at[shape][0];
    block->n[i] = (float)group->at[shape][1];
    block->k[i] = (float)group->at[shape][2];
    block->shape[i] = shape;
}

/* Every cube that a shape reaches into has one entry more; near: and there the shape is put. */
static void visit(const assay_gemm_shapes_t *group, uint32_t shape, assay_gemm_block_t *near,
                  uint32_t *entry) {
    const double *at = group->at[shape];
    const run_t m = reached(group, 0, at[0], ASSAY_GEMM_REACH);
    for (uint32_t i = m.from; i <= m.to; i++) {
        const double left_m = left_of(group, 0, at[0], i, ASSAY_GEMM_REACH * ASSAY_GEMM_REACH);
        const run_t n = reached(group, 1, at[1], left_m > 0 ? sqrt(left_m) : 0);
        for (uint32_t j = n.from; j <= n.to; j++) {
            const double left_n = left_of(group, 1, at[1], j, left_m);
            const run_t k = reached(group, 2, at[2], left_n > 0 ? sqrt(left_n) : 0);
            uint32_t *row = entry + (i * (size_t)group->n_cube[1] + j) * group->n_cube[2];
            for (uint32_t c = k.from; c <= k.to; c++) {
                if (near) {
                    put(group, shape, row[c], near);
                }
                row[c]++;
            }
        }
    }
}

/* The grid from the least to the largest shape with what they reach, from size 1 on. */
static void lay_grid(assay_gemm_shapes_t *group) {
    for (int i = 0; i < 3; i++) {
        double least = group->at[0][i], most = least;
        for (uint32_t s = 1; s < group->n_shape; s++) {
            least = group->at[s][i] < least ? group->at[s][i] : least;
            most = group->at[s][i] > most ? group->at[s][i] : most;
        }
        least -= ASSAY_GEMM_REACH;
        group->low[i] = cube_of(least > 0 ? least : 0, 0);
        group->n_cube[i] = (uint32_t)cube_of(most + ASSAY_GEMM_REACH, group->low[i]) + 1;
    }
}

assay_status_t assay_gemm_shapes_index(assay_arena_t *arena, assay_gemm_shapes_t *io,
                                       assay_error_t *err) {
    const uint32_t n = io->n_shape;
    const assay_place_t *place = &io->shape[0].at;
    if (n > SHAPES_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, place, "more than %u shapes of %s", SHAPES_MAX,
                               io->accelerator);
    }
    double(*at)[3] = assay_arena_array(arena, n, sizeof *at);
    if (!at) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t s = 0; s < n; s++) {
        at[s][0] = assay_gemm_log2(io->shape[s].m);
        at[s][1] = assay_gemm_log2(io->shape[s].n);
        at[s][2] = assay_gemm_log2(io->shape[s].k);
    }
    io->at = (const double(*)[3])at;
    lay_grid(io);
    /* counted, summed in whole blocks, and each place moved on by what is put: a counting sort */
    const uint32_t cubes = io->n_cube[0] * io->n_cube[1] * io->n_cube[2];
    uint32_t *first = assay_arena_array(arena, (size_t)cubes + 1, sizeof *first);
    uint32_t *entry = assay_arena_array(arena, cubes, sizeof *entry);
    if (!first || !entry) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t s = 0; s < n; s++) {
        visit(io, s, NULL, entry);
    }
    for (uint32_t c = 0; c < cubes; c++) {
        first[c + 1] = first[c] + (entry[c] + ASSAY_GEMM_BLOCK - 1) / ASSAY_GEMM_BLOCK;
        entry[c] = first[c] * ASSAY_GEMM_BLOCK;
    }
    assay_gemm_block_t *near = assay_arena_array(arena, first[cubes], sizeof *near);
    if (!near) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t b = 0; b < first[cubes]; b++) {
        for (uint32_t i = 0; i < ASSAY_GEMM_BLOCK; i++) {
            near[b].m[i] = FAR;
        }
    }
    for (uint32_t s = 0; s < n; s++) {
        visit(io, s, near, entry);
    }
    io->first = first;
    io->near = near;
    return ASSAY_OK;
}

static assay_status_t read_rows(assay_arena_t *arena, const assay_csv_t *csv, row_t *row,
                                assay_error_t *err) {
    int column[N_COLUMN];
    for (int i = 0; i < N_COLUMN; i++) {
        column[i] = assay_csv_column(csv, column_name[i]);
    }
    for (uint32_t r = 0; r < csv->n_rows; r++) {
        const assay_status_t status = read_row(arena, csv, r, column, &row[r], err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    qsort(row, csv->n_rows, sizeof *row, by_shape);
    return ASSAY_OK;
}

/* The rows from *io on that are of the group. */
static assay_status_t read_group(assay_arena_t *arena, const row_t *row, uint32_t n_rows,
                                 uint32_t *io, assay_gemm_shapes_t *group, assay_error_t *err) {
    const uint32_t start = *io;
    uint32_t end = start;
    while (end < n_rows && row[end].dtype == group->dtype &&
           strcmp(row[end].accelerator, group->accelerator) == 0) {
        end++;
    }
    assay_gemm_shape_t *shape = assay_arena_array(arena, end - start, sizeof *shape);
    if (!shape) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = start; i < end; i++) {
        if (i > start && by_shape(&row[i - 1], &row[i]) == 0) {
            return assay_error_set(err, ASSAY_INPUT, &row[i].shape.at,
                                   "the same shape as in line %u, written in another way",
                                   row[i - 1].shape.at.line);
        }
        shape[i - start] = row[i].shape;
    }
    group->shape = shape;
    group->n_shape = end - start;
    *io = end;
    return assay_gemm_shapes_index(arena, group, err);
}

assay_status_t assay_gemm_shapes_read(assay_arena_t *arena, const assay_csv_t *csv,
                                      const assay_gemm_shapes_t **out, uint32_t *out_n,
                                      assay_error_t *err) {
    row_t *row = assay_arena_array(arena, csv->n_rows, sizeof *row);
    assay_gemm_shapes_t *group = assay_arena_array(arena, csv->n_rows, sizeof *group);
    if (!row || !group) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = read_rows(arena, csv, row, err);
    uint32_t n_group = 0;
    for (uint32_t i = 0; status == ASSAY_OK && i < csv->n_rows; n_group++) {
        group[n_group] =
            (assay_gemm_shapes_t){.accelerator = row[i].accelerator, .dtype = row[i].dtype};
        status = read_group(arena, row, csv->n_rows, &i, &group[n_group], err);
    }
    if (status == ASSAY_OK) {
        *out = group;
        *out_n = n_group;
    }
    return status;
}

assay_status_t assay_gemm_shapes_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                      const assay_gemm_shapes_t **out, uint32_t *out_n,
                                      assay_error_t *err) {
    const char **with = assay_arena_array(arena, n_dir, sizeof *with);
    uint32_t n_with = 0;
    assay_csv_t csv;
    for (uint32_t i = 0; i < n_dir && with; i++) { /* a directory may hold any of the tables */
        const char *path = assay_arena_printf(arena, "%s/%s", dir[i], TABLE);
        struct stat st;
        if (path && (lstat(path, &st) == 0 || errno != ENOENT)) {
            with[n_with++] = dir[i];
        }
    }
    if (!with) {
        return assay_error_memory(err, NULL);
    }
    const assay_status_t status = assay_data_table_keyed(arena, TABLE, with, n_with, &csv, err);
    return status == ASSAY_OK ? assay_gemm_shapes_read(arena, &csv, out, out_n, err) : status;
}
