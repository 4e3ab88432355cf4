#include "audit/relations.h"

#include <string.h>

#include "assay/csv.h"
#include "assay/text.h"

#include "base/banned.h"

#define RELATION_MAX 256

static assay_status_t read_bound(const char *cell, const assay_place_t *at, bool *out_has,
                                 double *out, assay_error_t *err) {
    *out_has = cell[0] != '\0';
    if (*out_has && !assay_text_to_double(cell, strlen(cell), out)) {
        return assay_error_set(err, ASSAY_INPUT, at, "'%s' is no number", cell);
    }
    return ASSAY_OK;
}

assay_status_t audit_relations_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                    audit_relations_t *out, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status =
        assay_data_table_keyed(arena, "audit_relations.csv", dir, n_dir, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (csv.n_rows > RELATION_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "more than %d relations", RELATION_MAX);
    }
    *out = (audit_relations_t){assay_arena_array(arena, csv.n_rows, sizeof *out->row), csv.n_rows};
    if (!out->row) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows && status == ASSAY_OK; i++) {
        audit_relation_t *row = &out->row[i];
        *row = (audit_relation_t){.id = csv.cell[(size_t)i * csv.n_columns],
                                  .at = assay_csv_place(&csv, i)};
        row->formula = assay_csv_cell(&csv, i, assay_csv_column(&csv, "formula"));
        row->needs = assay_csv_cell(&csv, i, assay_csv_column(&csv, "needs"));
        row->about = assay_csv_cell(&csv, i, assay_csv_column(&csv, "about"));
        const char *least = assay_csv_cell(&csv, i, assay_csv_column(&csv, "least"));
        const char *most = assay_csv_cell(&csv, i, assay_csv_column(&csv, "most"));
        status = read_bound(least, &row->at, &row->has_least, &row->least, err);
        if (status == ASSAY_OK) {
            status = read_bound(most, &row->at, &row->has_most, &row->most, err);
        }
    }
    return status;
}

assay_status_t audit_relation_find(const audit_relations_t *relations, assay_arena_t *arena,
                                   const char *id, const assay_place_t *at,
                                   const audit_relation_t **out, assay_error_t *err) {
    const char **name = assay_arena_array(arena, relations->n, sizeof *name);
    if (!name) {
        return assay_error_memory(err, at);
    }
    for (uint32_t i = 0; i < relations->n; i++) {
        name[i] = relations->row[i].id;
        if (strcmp(name[i], id) == 0) {
            *out = &relations->row[i];
            return ASSAY_OK;
        }
    }
    const char *near = assay_text_nearest(id, name, relations->n);
    assay_error_set(err, ASSAY_NOT_FOUND, at, "no relation '%s'", id);
    if (near) {
        assay_error_next(err, "did you mean '%s'?", near);
    } else {
        assay_error_next(err, "docs/audit.md lists them; a formula says anything else");
    }
    return ASSAY_NOT_FOUND;
}

const char *audit_relation_need(const audit_relation_t *relation, assay_arena_t *arena,
                                const char *name) {
    const size_t n = strlen(name);
    for (const char *at = relation->needs; *at;) {
        const size_t length = strcspn(at, ";");
        if (length > n + 1 && strncmp(at, name, n) == 0 && at[n] == ':') {
            return assay_arena_printf(arena, "%s (%.*s)", name, (int)(length - n - 2), at + n + 2);
        }
        at += length;
        at += *at == ';';
        at += *at == ' ';
    }
    return NULL;
}
