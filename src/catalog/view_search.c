#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "catalog/catalog_columns.h"

#include "base/banned.h"

/* What a word is worth by the place where it stands. */
enum { IN_TEXT = 1, IN_NAME = 10, IN_ID = 100 };

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Case and the separators of ids do not count: "MI 300X" stands in amd-mi300x-192g. */
static bool stands_in(const char *text, const char *word) {
    for (; *text; text++) {
        const char *t = text, *w = word;
        while (*w && *t) {
            if (strchr("-_ ", *w)) {
                w++;
            } else if (strchr("-_ ", *t)) {
                t++;
            } else if (fold(*w) == fold(*t)) {
                w++;
                t++;
            } else {
                break;
            }
        }
        if (!*w) {
            return true;
        }
    }
    return false;
}

static uint32_t weight_of(const assay_column_t *column, uint32_t at) {
    static const char *const names[] = {"name",     "family",   "hf_id", "arch",     "target",
                                        "provider", "sku",      "kind",  "alias_of", "accelerator",
                                        "subject",  "quantity", "code",  "vendor"};
    if (at == 0) {
        return IN_ID;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(column->key, names[i]) == 0) {
            return IN_NAME;
        }
    }
    return IN_TEXT;
}

/* The best place of each word added up; 0 when one of them is nowhere. */
static uint32_t score_row(const assay_catalog_view_t *view, const void *row,
                          const char *const *word, uint32_t n_word, const char **out_text) {
    uint32_t score = 0, best_text = 0;
    *out_text = "";
    for (uint32_t w = 0; w < n_word; w++) {
        uint32_t best = 0;
        for (uint32_t i = 0; i < view->n_column; i++) {
            const assay_cell_t cell = assay_catalog_view_cell(&view->column[i], row);
            const uint32_t weight = weight_of(&view->column[i], i);
            if (!cell.known || !cell.text || weight < best || !stands_in(cell.text, word[w])) {
                continue;
            }
            best = weight;
            if (i > 0 && weight > best_text) {
                best_text = weight;
                *out_text = cell.text;
            }
        }
        if (best == 0) {
            return 0;
        }
        score +=
            best +
            (best == IN_ID && strcmp(assay_catalog_view_id(view, row), word[w]) == 0 ? IN_ID : 0);
    }
    return score;
}

static int compare_hits(const void *a, const void *b) {
    const assay_hit_t *left = a, *right = b;
    if (left->score != right->score) {
        return left->score > right->score ? -1 : 1;
    }
    const int order = strcmp(left->table, right->table);
    return order != 0 ? order : assay_text_order(left->id, right->id);
}

assay_status_t assay_catalog_view_search(assay_arena_t *arena, const assay_catalog_t *catalog,
                                         const char *const *word, uint32_t n_word,
                                         assay_hit_t **out_hit, uint32_t *out_n,
                                         assay_error_t *err) {
    size_t n_most = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < catalog_n_main_tables; i++) {
        assay_catalog_view_t view;
        (void)assay_catalog_view_open(arena, catalog, catalog_main_tables[i].name, &view, NULL);
        n_most += view.n_rows;
    }
    assay_hit_t *hit = assay_arena_array(arena, n_most, sizeof *hit);
    if (!hit) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < catalog_n_main_tables; i++) {
        assay_catalog_view_t view;
        (void)assay_catalog_view_open(arena, catalog, catalog_main_tables[i].name, &view, NULL);
        for (uint32_t j = 0; j < view.n_rows; j++) {
            const void *row = assay_catalog_view_row(&view, j);
            assay_hit_t found = {.table = view.name, .id = assay_catalog_view_id(&view, row)};
            found.score = score_row(&view, row, word, n_word, &found.text);
            if (found.score > 0) {
                const assay_column_t *name = assay_catalog_view_column(&view, "name");
                const assay_cell_t cell =
                    name ? assay_catalog_view_cell(name, row) : (assay_cell_t){0};
                found.text =
                    cell.known && cell.text && found.score >= IN_NAME ? cell.text : found.text;
                hit[n++] = found;
            }
        }
    }
    qsort(hit, n, sizeof *hit, compare_hits);
    *out_hit = hit;
    *out_n = n;
    return ASSAY_OK;
}

assay_status_t assay_catalog_view_find(assay_arena_t *arena, const assay_catalog_t *catalog,
                                       const char *id, assay_catalog_view_t *out_view,
                                       const void **out_row, assay_error_t *err) {
    const assay_accelerator_t *part;
    const assay_system_t *system;
    const assay_model_t *model;
    const char *table = NULL;
    *out_row = NULL;
    for (uint32_t i = 0; i < catalog_n_main_tables; i++) {
        (void)assay_catalog_view_open(arena, catalog, catalog_main_tables[i].name, out_view, NULL);
        for (uint32_t j = 0; strcmp(out_view->name, "aliases") != 0 && j < out_view->n_rows; j++) {
            const void *row = assay_catalog_view_row(out_view, j);
            if (strcmp(assay_catalog_view_id(out_view, row), id) == 0) {
                *out_row = row;
                return ASSAY_OK;
            }
        }
    }
    if (assay_catalog_accelerator(catalog, id, NULL, &part, NULL) == ASSAY_OK) {
        *out_row = part;
        table = "accelerators";
    } else if (assay_catalog_system(catalog, id, NULL, &system, NULL) == ASSAY_OK) {
        *out_row = system;
        table = "systems";
    } else if (assay_catalog_model(catalog, id, NULL, &model, NULL) == ASSAY_OK) {
        *out_row = model;
        table = "models";
    }
    return table ? assay_catalog_view_open(arena, catalog, table, out_view, err) : ASSAY_OK;
}
