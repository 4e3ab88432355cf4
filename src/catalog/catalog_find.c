#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "catalog/catalog_index.h"
#include "catalog/catalog_table.h"

#include "base/banned.h"

/* Rows of a kind, and how they are found. */
typedef struct {
    const char *kind;
    const catalog_ids_index_t *index;
} rows_t;

static const char *row_id(const rows_t *rows, uint32_t i) {
    const catalog_ids_t *ids = &rows->index->ids;
    const char *at = (const char *)ids->row + i * ids->stride + ids->id;
    return *(const char *const *)(const void *)at;
}

static rows_t rows_of(const assay_catalog_t *catalog, const char *kind) {
    const struct catalog_index *index = catalog->index;
    const rows_t rows[] = {{"accelerator", &index->accelerator},
                           {"fabric", &index->fabric},
                           {"system", &index->system},
                           {"model", &index->model}};
    size_t i = 0;
    while (strcmp(rows[i].kind, kind) != 0) {
        i++;
        assert(i < sizeof rows / sizeof rows[0]);
    }
    return rows[i];
}

static const void *find_exact(const rows_t *rows, const char *id) {
    const void *row;
    for (uint32_t step = 0; (row = catalog_index_next(rows->index, id, &step));) {
        const char *at = (const char *)row + rows->index->ids.id;
        if (strcmp(*(const char *const *)(const void *)at, id) == 0) {
            return row;
        }
    }
    return NULL;
}

static const void *find_spelling(const rows_t *rows, const char *id) {
    uint32_t step = 0;
    return catalog_index_next(rows->index, id, &step);
}

const void *catalog_find(const assay_catalog_t *catalog, const char *kind, const char *id) {
    const rows_t rows = rows_of(catalog, kind);
    return find_exact(&rows, id);
}

const assay_alias_t *catalog_find_alias(const assay_catalog_t *catalog, const char *kind,
                                        const char *id) {
    const assay_alias_t *alias;
    for (uint32_t step = 0; (alias = catalog_index_next(&catalog->index->alias, id, &step));) {
        if (strcmp(alias->kind, kind) == 0) {
            return alias;
        }
    }
    return NULL;
}

/* The i-th of a kind's ids, aliases after rows; NULL for one that leads nowhere. */
static const char *name_of(const assay_catalog_t *catalog, const rows_t *rows, uint32_t i) {
    if (i < rows->index->ids.n) {
        return row_id(rows, i);
    }
    const assay_alias_t *alias = &catalog->alias[i - rows->index->ids.n];
    return strcmp(alias->kind, rows->kind) == 0 && alias->alias_of[0] != '\0' ? alias->id : NULL;
}

/* An id that begins like this one, else the nearest by edits, or NULL. */
static const char *nearest(const assay_catalog_t *catalog, const rows_t *rows, const char *id) {
    const char *best = NULL;
    const uint32_t n = rows->index->ids.n + catalog->n_alias;
    for (uint32_t i = 0; id[0] != '\0' && i < n; i++) {
        const char *name = name_of(catalog, rows, i);
        if (name && catalog_spelled_like(name, id, false)) {
            return name;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const char *const pair[] = {best, name_of(catalog, rows, i)};
        best = assay_text_nearest(id, pair, 2);
    }
    return best;
}

/* Servers with an accelerator, separated by commas, as many as fit. */
static void list_servers(const assay_catalog_t *catalog, const assay_accelerator_t *part, char *out,
                         size_t n_out) {
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < catalog->n_system; i++) {
        const assay_system_t *system = &catalog->system[i];
        if (system->accelerator != part || system->is_claim ||
            (strcmp(system->kind, "server") != 0 && strcmp(system->kind, "hpc-node") != 0)) {
            continue;
        }
        const int n = snprintf(out + used, n_out - used, "%s%s", used > 0 ? ", " : "", system->id);
        if (n < 0 || (size_t)n >= n_out - used) {
            out[used] = '\0';
            return;
        }
        used += (size_t)n;
    }
}

static assay_status_t refuse(const assay_catalog_t *catalog, const char *kind, const char *id,
                             const assay_place_t *at, assay_status_t status, assay_error_t *err) {
    const rows_t rows = rows_of(catalog, kind);
    const char *near = nearest(catalog, &rows, id);
    assay_error_set(err, status, at, "unknown %s '%s'", kind, id);
    if (near) {
        assay_error_next(err, "did you mean '%s'?", near);
    } else if (strcmp(kind, "model") == 0) {
        assay_error_next(err, "give a catalog id or the path of a config.json; "
                              "'assay catalog list models' shows the ids");
    } else {
        assay_error_next(err, "'assay catalog list %ss' shows the ids", kind);
    }
    return status;
}

assay_status_t catalog_refuse_id(const catalog_load_t *load, const assay_place_t *at,
                                 const char *kind, const char *id) {
    return refuse(load->catalog, kind, id, at, ASSAY_INPUT, load->err);
}

static const void *find_row(const assay_catalog_t *catalog, const char *kind, const char *id) {
    const rows_t rows = rows_of(catalog, kind);
    const void *row = find_exact(&rows, id);
    row = row ? row : find_spelling(&rows, id);
    if (!row) {
        const assay_alias_t *alias = catalog_find_alias(catalog, kind, id);
        row = alias ? find_exact(&rows, alias->alias_of) : NULL;
    }
    return row;
}

assay_status_t assay_catalog_accelerator(const assay_catalog_t *catalog, const char *id,
                                         const assay_place_t *at, const assay_accelerator_t **out,
                                         assay_error_t *err) {
    const assay_accelerator_t *part = find_row(catalog, "accelerator", id);
    if (!part) {
        const assay_alias_t *alias = catalog_find_alias(catalog, "accelerator", id);
        if (!alias) {
            return refuse(catalog, "accelerator", id, at, ASSAY_NOT_FOUND, err);
        }
        assay_error_set(err, ASSAY_NOT_FOUND, at,
                        "of accelerator '%s' only prices are known, no figures", id);
        assay_error_next(err, "add its row in an accelerators.csv of a --data directory");
        return ASSAY_NOT_FOUND;
    }
    *out = part;
    return ASSAY_OK;
}

assay_status_t assay_catalog_system(const assay_catalog_t *catalog, const char *id,
                                    const assay_place_t *at, const assay_system_t **out,
                                    assay_error_t *err) {
    const assay_system_t *system = find_row(catalog, "system", id);
    if (!system) {
        char list[200] = "";
        const assay_accelerator_t *part = find_row(catalog, "accelerator", id);
        if (part) {
            list_servers(catalog, part, list, sizeof list);
        }
        if (list[0] == '\0') {
            return refuse(catalog, "system", id, at, ASSAY_NOT_FOUND, err);
        }
        assay_error_set(err, ASSAY_NOT_FOUND, at, "'%s' is an accelerator, expected a system", id);
        assay_error_next(err, "servers with it: %s", list);
        return ASSAY_NOT_FOUND;
    }
    *out = system;
    return ASSAY_OK;
}

assay_status_t assay_catalog_model(const assay_catalog_t *catalog, const char *id,
                                   const assay_place_t *at, const assay_model_t **out,
                                   assay_error_t *err) {
    const assay_model_t *model = find_row(catalog, "model", id);
    for (uint32_t step = 0; !model && id[0] != '\0';) {
        const assay_model_t *named = catalog_index_next(&catalog->index->model_hf, id, &step);
        if (!named) {
            break;
        }
        model = assay_text_equal_fold(named->hf_id, id) ? named : NULL;
    }
    if (!model) {
        return refuse(catalog, "model", id, at, ASSAY_NOT_FOUND, err);
    }
    *out = model;
    return ASSAY_OK;
}

const char *assay_catalog_note(const assay_catalog_t *catalog, const char *kind, const char *id) {
    const rows_t rows = rows_of(catalog, kind);
    if (find_exact(&rows, id) || find_spelling(&rows, id)) {
        return NULL;
    }
    const assay_alias_t *alias = catalog_find_alias(catalog, kind, id);
    return alias && alias->note[0] != '\0' ? alias->note : NULL;
}

const char *assay_catalog_price_name(const assay_catalog_t *catalog, const char *name) {
    const rows_t rows = rows_of(catalog, "accelerator");
    const assay_accelerator_t *part = find_exact(&rows, name);
    part = part ? part : find_spelling(&rows, name);
    if (part) {
        return part->id;
    }
    const assay_alias_t *alias = catalog_find_alias(catalog, "accelerator", name);
    return !alias ? NULL : alias->note[0] == '\0' ? alias->alias_of : alias->id;
}

const assay_claim_t *assay_catalog_claim(const assay_catalog_t *catalog, const char *set,
                                         const char *id) {
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *claim = &catalog->claim[i];
        if (strcmp(claim->set, set) == 0 && strcmp(claim->id, id) == 0) {
            return claim;
        }
    }
    return NULL;
}

const assay_claim_t *assay_catalog_claim_about(const assay_catalog_t *catalog, const char *set,
                                               const char *field) {
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *claim = &catalog->claim[i];
        if (strcmp(claim->set, set) == 0 && strcmp(claim->field, field) == 0) {
            return claim;
        }
    }
    return NULL;
}
