#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/text.h"
#include "catalog/builtin.h"
#include "catalog/catalog_table.h"

#include "base/banned.h"

#define TABLE_BYTES_MAX ((size_t)64 << 20)

const char *assay_data_builtin(const char *name, size_t *out_size) {
    for (const assay_builtin_t *table = assay_builtin; table->name; table++) {
        if (strcmp(table->name, name) == 0) {
            *out_size = (size_t)(table->end - table->data);
            return table->data;
        }
    }
    return NULL;
}

static uint64_t hash_bytes(uint64_t hash, const char *data, size_t n) {
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)data[i]) * 1099511628211u;
    }
    return hash;
}

assay_status_t assay_data_hash(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                               char out_text[ASSAY_DATA_HASH_BYTES], assay_error_t *err) {
    uint64_t hash = 14695981039346656037u;
    for (const assay_builtin_t *table = assay_builtin; table->name; table++) {
        hash = hash_bytes(hash, table->name, strlen(table->name) + 1);
        hash = hash_bytes(hash, table->data, (size_t)(table->end - table->data));
        for (uint32_t i = 0; i < n_dir; i++) {
            const char *path = assay_arena_printf(arena, "%s/%s", dir[i], table->name);
            struct stat st;
            char *data;
            size_t n;
            if (!path) {
                return assay_error_memory(err, NULL);
            }
            if (stat(path, &st) != 0) {
                continue; /* the folder has no such table */
            }
            const assay_status_t status =
                assay_file_read(arena, path, TABLE_BYTES_MAX, &data, &n, err);
            if (status != ASSAY_OK) {
                return status;
            }
            hash = hash_bytes(hash, data, n);
        }
    }
    (void)snprintf(out_text, ASSAY_DATA_HASH_BYTES, "%016" PRIx64, hash);
    return ASSAY_OK;
}

/* A row of one of two tables, with what is needed to order it by its key. */
typedef struct {
    const assay_csv_t *csv;
    uint32_t row, n_key;
} row_key_t;

static const char *key_cell(const row_key_t *key, uint32_t column) {
    return key->csv->cell[(size_t)key->row * key->csv->n_columns + column];
}

static int compare_keys(const void *a, const void *b) {
    const row_key_t *left = a, *right = b;
    for (uint32_t i = 0; i < left->n_key; i++) {
        const int order = strcmp(key_cell(left, i), key_cell(right, i));
        if (order != 0) {
            return order;
        }
    }
    return 0;
}

/* Equal keys in the order of the file, so that messages name the first line. */
static int compare_keys_rows(const void *a, const void *b) {
    const int order = compare_keys(a, b);
    const uint32_t left = ((const row_key_t *)a)->row, right = ((const row_key_t *)b)->row;
    return order != 0 ? order : (left > right) - (left < right);
}

static row_key_t *sorted_keys(assay_arena_t *arena, const assay_csv_t *csv, uint32_t n_key,
                              assay_error_t *err) {
    row_key_t *key = assay_arena_array(arena, csv->n_rows, sizeof *key);
    if (!key) {
        assay_error_memory(err, NULL);
        return NULL;
    }
    for (uint32_t i = 0; i < csv->n_rows; i++) {
        key[i] = (row_key_t){csv, i, n_key};
    }
    qsort(key, csv->n_rows, sizeof *key, compare_keys_rows);
    return key;
}

assay_status_t catalog_table_check_keys(assay_arena_t *arena, const assay_csv_t *csv,
                                        uint32_t n_key, assay_error_t *err) {
    const row_key_t *key = sorted_keys(arena, csv, n_key, err);
    if (!key) {
        return ASSAY_LIMIT;
    }
    for (uint32_t i = 0; i < csv->n_rows; i++) {
        const assay_place_t at = assay_csv_place(csv, key[i].row);
        if (key_cell(&key[i], 0)[0] == '\0') {
            return assay_error_set(err, ASSAY_INPUT, &at, "column '%s' is empty", csv->header[0]);
        }
        if (i > 0 && compare_keys(&key[i - 1], &key[i]) == 0) {
            const assay_place_t first = assay_csv_place(csv, key[i - 1].row);
            assay_error_set(err, ASSAY_INPUT, &at, "'%s' is given twice, first in line %u",
                            key_cell(&key[i], n_key - 1), first.line);
            assay_error_next(err, "keep one of the two rows");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

assay_status_t catalog_log_add(assay_arena_t *arena, catalog_log_t *log, const char *text,
                               assay_error_t *err) {
    if (!text) {
        return assay_error_memory(err, NULL);
    }
    if (log->n == log->capacity) {
        const uint32_t capacity = log->capacity ? 2 * log->capacity : 16;
        const char **item = assay_arena_array(arena, capacity, sizeof *item);
        if (!item) {
            return assay_error_memory(err, NULL);
        }
        if (log->n > 0) {
            memcpy(item, log->item, log->n * sizeof *item);
        }
        log->item = item;
        log->capacity = capacity;
    }
    log->item[log->n++] = text;
    return ASSAY_OK;
}

/* Says for each key of the overlay (sorted) what it did. */
static assay_status_t record(assay_arena_t *arena, const char *name, const assay_csv_t *base,
                             const row_key_t *key, uint32_t n, catalog_log_t *log,
                             assay_error_t *err) {
    if (!log) {
        return ASSAY_OK;
    }
    const row_key_t *base_key = sorted_keys(arena, base, key[0].n_key, err);
    if (!base_key) {
        return ASSAY_LIMIT;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && compare_keys(&key[i - 1], &key[i]) == 0) {
            continue;
        }
        const bool known =
            bsearch(&key[i], base_key, base->n_rows, sizeof *base_key, compare_keys) != NULL;
        const assay_place_t at = assay_csv_place(key[i].csv, key[i].row);
        const assay_status_t status = catalog_log_add(
            arena, log,
            assay_arena_printf(arena, "%s: %s %s %s:%u", name, key_cell(&key[i], key[i].n_key - 1),
                               known ? "replaced by" : "added from", at.file, at.line),
            err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    return ASSAY_OK;
}

/* to[i]: column of base that column i of over fills. */
static assay_status_t map_columns(const assay_csv_t *base, const assay_csv_t *over, uint32_t n_key,
                                  uint32_t *to, assay_error_t *err) {
    const assay_place_t at = {over->file, 1, 0};
    for (uint32_t i = 0; i < over->n_columns; i++) {
        const int column = assay_csv_column(base, over->header[i]);
        if (column < 0) {
            const char *near = assay_text_nearest(over->header[i], base->header, base->n_columns);
            assay_error_set(err, ASSAY_INPUT, &at, "unknown column '%s'", over->header[i]);
            assay_error_next(err, near ? "did you mean '%s'?" : "the columns begin with '%s'",
                             near ? near : base->header[0]);
            return ASSAY_INPUT;
        }
        to[i] = (uint32_t)column;
    }
    for (uint32_t i = 0; i < n_key; i++) {
        if (assay_csv_column(over, base->header[i]) < 0) {
            assay_error_set(err, ASSAY_INPUT, &at, "column '%s' is missing", base->header[i]);
            assay_error_next(err, "it says which row is replaced");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

static void copy_row(assay_csv_t *out, const assay_csv_t *from, uint32_t row) {
    const size_t n = out->n_columns;
    memcpy(out->cell + out->n_rows * n, from->cell + row * n, n * sizeof *out->cell);
    const assay_place_t at = assay_csv_place(from, row);
    out->line[out->n_rows] = at.line;
    out->row_file[out->n_rows] = at.file;
    out->n_rows++;
}

/* over's rows in base's columns; what over leaves out is "". */
static assay_status_t widen(assay_arena_t *arena, const assay_csv_t *base, uint32_t n_key,
                            assay_csv_t *over, assay_error_t *err) {
    uint32_t *to = assay_arena_array(arena, over->n_columns, sizeof *to);
    const char **cell =
        assay_arena_array(arena, over->n_rows, base->n_columns * sizeof *over->cell);
    if (!to || !cell) {
        return assay_error_memory(err, NULL);
    }
    const assay_status_t status = map_columns(base, over, n_key, to, err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (size_t i = 0; i < (size_t)over->n_rows * base->n_columns; i++) {
        cell[i] = "";
    }
    for (uint32_t row = 0; row < over->n_rows; row++) {
        for (uint32_t i = 0; i < over->n_columns; i++) {
            cell[(size_t)row * base->n_columns + to[i]] =
                over->cell[(size_t)row * over->n_columns + i];
        }
    }
    over->cell = cell;
    over->header = base->header;
    over->n_columns = base->n_columns;
    return ASSAY_OK;
}

static bool is_left_out(const catalog_overlay_t *overlay, const char *file, uint32_t line) {
    for (uint32_t i = 0; overlay && i < overlay->n_skip; i++) {
        if (overlay->skip[i].line == line && strcmp(overlay->skip[i].file, file) == 0) {
            return true;
        }
    }
    return false;
}

/* Without the rows that are left out. */
static void leave_out(const catalog_overlay_t *overlay, assay_csv_t *over) {
    uint32_t n = 0;
    for (uint32_t row = 0; row < over->n_rows; row++) {
        if (!is_left_out(overlay, over->file, over->line[row])) {
            const size_t width = over->n_columns;
            memmove(over->cell + n * width, over->cell + row * width, width * sizeof *over->cell);
            over->line[n++] = over->line[row];
        }
    }
    over->n_rows = n;
}

/* Rows of base whose key over does not have, then over's rows. */
static assay_status_t lay_over(assay_arena_t *arena, const char *name, uint32_t n_key,
                               assay_csv_t *over, catalog_overlay_t *overlay, assay_csv_t *base,
                               assay_error_t *err) {
    leave_out(overlay, over);
    assay_status_t status = widen(arena, base, n_key, over, err);
    if (status != ASSAY_OK || over->n_rows == 0) {
        return status;
    }
    const row_key_t *key = sorted_keys(arena, over, n_key, err);
    if (!key) {
        return ASSAY_LIMIT;
    }
    status = record(arena, name, base, key, over->n_rows,
                    overlay && !overlay->quiet ? &overlay->log : NULL, err);
    if (status != ASSAY_OK) {
        return status;
    }
    const size_t n_most = (size_t)base->n_rows + over->n_rows;
    assay_csv_t out = *base;
    out.n_rows = 0;
    out.cell = assay_arena_array(arena, n_most, out.n_columns * sizeof *out.cell);
    out.line = assay_arena_array(arena, n_most, sizeof *out.line);
    out.row_file = assay_arena_array(arena, n_most, sizeof *out.row_file);
    if (!out.cell || !out.line || !out.row_file) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < base->n_rows; row++) {
        const row_key_t wanted = {base, row, n_key};
        if (!bsearch(&wanted, key, over->n_rows, sizeof *key, compare_keys)) {
            copy_row(&out, base, row);
        }
    }
    for (uint32_t row = 0; row < over->n_rows; row++) {
        copy_row(&out, over, row);
    }
    *base = out;
    return ASSAY_OK;
}

/* Rows that are no file of a directory; one line tells of all of them. */
static assay_status_t lay_extra(assay_arena_t *arena, const char *name, uint32_t n_key,
                                catalog_overlay_t *overlay, assay_csv_t *base, assay_error_t *err) {
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; status == ASSAY_OK && i < overlay->n_extra; i++) {
        const assay_catalog_extra_t *extra = &overlay->extra[i];
        if (strcmp(extra->table, name) != 0) {
            continue;
        }
        assay_csv_t over = extra->csv; /* the original stays as it is, for another try */
        const size_t n_cells = (size_t)over.n_rows * over.n_columns;
        over.cell = assay_arena_array(arena, n_cells, sizeof *over.cell);
        over.line = assay_arena_array(arena, over.n_rows, sizeof *over.line);
        if (!over.cell || !over.line) {
            return assay_error_memory(err, NULL);
        }
        if (over.n_rows > 0) {
            memcpy(over.cell, extra->csv.cell, n_cells * sizeof *over.cell);
            memcpy(over.line, extra->csv.line, over.n_rows * sizeof *over.line);
        }
        catalog_overlay_t quiet = {.skip = overlay->skip, .n_skip = overlay->n_skip, .quiet = true};
        status = lay_over(arena, name, n_key, &over, &quiet, base, err);
        if (status == ASSAY_OK) {
            status =
                catalog_log_add(arena, &overlay->log, assay_arena_strdup(arena, extra->what), err);
        }
    }
    return status;
}

/* *out_path: the table's file in dir, NULL when dir holds none. */
static assay_status_t find_file(assay_arena_t *arena, const char *dir, const char *name,
                                const char **out_path, assay_error_t *err) {
    struct stat st;
    const assay_place_t at = {dir, 0, 0};
    *out_path = NULL;
    if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
        assay_error_set(err, ASSAY_IO, &at, "is not a directory that can be read");
        assay_error_next(err, "name a directory that holds tables such as %s", name);
        return ASSAY_IO;
    }
    char *path = assay_arena_printf(arena, "%s/%s", dir, name);
    if (!path) {
        return assay_error_memory(err, &at);
    }
    if (lstat(path, &st) == 0 || errno != ENOENT) { /* a link that leads nowhere is one */
        *out_path = path;                           /* the reader says what is wrong with it */
    }
    return ASSAY_OK;
}

/* The built-in table that name is a slip of, or NULL: "price.csv", "Prices.CSV". */
static const char *meant_table(const char *name) {
    for (const assay_builtin_t *table = assay_builtin; table->name; table++) {
        if (assay_text_distance(name, table->name, 3) < 3) {
            return table->name;
        }
    }
    return NULL;
}

assay_status_t assay_data_folder_check(const char *dir, assay_error_t *err) {
    DIR *folder = opendir(dir);
    bool any = false;
    assay_status_t status = ASSAY_OK;
    for (const struct dirent *entry; folder && !status && (entry = readdir(folder));) {
        size_t size;
        const char *meant = meant_table(entry->d_name);
        if (assay_data_builtin(entry->d_name, &size)) {
            any = true;
        } else if (meant) {
            const assay_place_t at = {dir, 0, 0};
            status = assay_error_set(err, ASSAY_INPUT, &at, "'%s' is no table", entry->d_name);
            assay_error_next(err, "did you mean '%s'?", meant);
        }
    }
    if (folder && !status && !any) {
        const assay_place_t at = {dir, 0, 0};
        status = assay_error_set(err, ASSAY_INPUT, &at, "holds no table");
        assay_error_next(err, "a table is called accelerators.csv, prices.csv, ...; "
                              "data/README.md lists them");
    }
    if (folder) {
        (void)closedir(folder);
    }
    return status; /* one that cannot be opened is refused by who reads its tables */
}

assay_status_t catalog_table_join(assay_arena_t *arena, const char *name, uint32_t n_key,
                                  const char *const *dir, uint32_t n_dir,
                                  catalog_overlay_t *overlay, assay_csv_t *out_csv,
                                  assay_error_t *err) {
    size_t size;
    const char *data = assay_data_builtin(name, &size);
    if (!data) {
        return assay_error_set(err, ASSAY_INTERNAL, NULL, "there is no built-in table '%s'", name);
    }
    const char *file = assay_arena_printf(arena, "data/%s", name);
    if (!file) {
        return assay_error_memory(err, NULL);
    }
    assay_csv_t base;
    assay_status_t status = assay_csv_parse(arena, file, data, size, &base, err);
    if (status == ASSAY_OK && overlay) {
        status = lay_extra(arena, name, n_key, overlay, &base, err);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < n_dir; i++) {
        const char *path;
        char *text;
        assay_csv_t over;
        status = find_file(arena, dir[i], name, &path, err);
        if (status != ASSAY_OK || !path || is_left_out(overlay, path, 0)) {
            continue;
        }
        status = assay_file_read(arena, path, TABLE_BYTES_MAX, &text, &size, err);
        if (status == ASSAY_OK) {
            status = assay_csv_parse(arena, path, text, size, &over, err);
        }
        if (status == ASSAY_OK) {
            status = lay_over(arena, name, n_key, &over, overlay, &base, err);
        }
    }
    if (status == ASSAY_OK) {
        *out_csv = base;
    }
    return status;
}

assay_status_t assay_data_table(assay_arena_t *arena, const char *name, const char *const *dir,
                                uint32_t n_dir, assay_csv_t *out_csv, assay_error_t *err) {
    return catalog_table_join(arena, name, 1, dir, n_dir, NULL, out_csv, err);
}

/* Cells of words under the same heading, for our rows of the same first cell: what a user laid over
   them stays as it is written. */
static void lay_words(assay_csv_t *io, const assay_csv_t *words) {
    for (uint32_t c = 1; c < words->n_columns; c++) {
        const int column =
            strcmp(words->header[c], "source") == 0 ? -1 : assay_csv_column(io, words->header[c]);
        for (uint32_t row = 0; column >= 0 && row < io->n_rows; row++) {
            if (io->row_file && strcmp(io->row_file[row], io->file) != 0) {
                continue;
            }
            const char **cell = &io->cell[(size_t)row * io->n_columns];
            for (uint32_t w = 0; w < words->n_rows; w++) {
                const char *const *own = &words->cell[(size_t)w * words->n_columns];
                if (strcmp(own[0], cell[0]) == 0 && *own[c]) {
                    cell[column] = own[c];
                    break;
                }
            }
        }
    }
}

assay_status_t assay_data_table_said(assay_arena_t *arena, assay_lang_t lang, const char *name,
                                     const char *const *dir, uint32_t n_dir, assay_csv_t *out_csv,
                                     assay_error_t *err) {
    assay_status_t status = assay_data_table(arena, name, dir, n_dir, out_csv, err);
    const char *point = strrchr(name, '.');
    if (status != ASSAY_OK || lang != ASSAY_LANG_ZH || !point) {
        return status;
    }
    size_t size;
    assay_csv_t words;
    const char *zh = assay_arena_printf(arena, "%.*s_zh.csv", (int)(point - name), name);
    if (!zh) {
        return assay_error_memory(err, NULL);
    }
    if (assay_data_builtin(zh, &size)) {
        status = assay_data_table(arena, zh, dir, n_dir, &words, err);
        if (status == ASSAY_OK) {
            lay_words(out_csv, &words);
        }
    }
    return status;
}

assay_status_t assay_data_table_keyed(assay_arena_t *arena, const char *name,
                                      const char *const *dir, uint32_t n_dir, assay_csv_t *out_csv,
                                      assay_error_t *err) {
    const assay_status_t status = assay_data_table(arena, name, dir, n_dir, out_csv, err);
    return status == ASSAY_OK ? catalog_table_check_keys(arena, out_csv, 1, err) : status;
}
