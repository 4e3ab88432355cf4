#include <string.h>

#include "catalog/catalog_table.h"

#include "base/banned.h"

typedef struct {
    assay_claim_t claim;
    assay_fact_t value;
} claim_row_t;

#define CLAIM_OFFSET(field) offsetof(claim_row_t, claim.field)

static const catalog_column_t columns[] = {
    {.name = "set", .offset = CLAIM_OFFSET(set), .required = true},
    {.name = "id", .offset = CLAIM_OFFSET(id), .required = true},
    {.name = "subject", .offset = CLAIM_OFFSET(subject), .required = true},
    {.name = "quantity", .offset = CLAIM_OFFSET(quantity), .required = true},
    {"value", COLUMN_FACT, false, offsetof(claim_row_t, value), 1, -1e15, 1e15, NULL},
    {.name = "unit", .offset = CLAIM_OFFSET(unit)},
    {.name = "field", .offset = CLAIM_OFFSET(field)},
    {.name = "text", .offset = CLAIM_OFFSET(text), .required = true},
    {.name = "source", .offset = CLAIM_OFFSET(source), .required = true},
};

assay_status_t catalog_load_claims(catalog_load_t *load) {
    assay_csv_t csv;
    void *rows;
    assay_status_t status =
        catalog_load_rows(load, "claims.csv", 2, columns, sizeof columns / sizeof columns[0],
                          sizeof(claim_row_t), &csv, &rows);
    if (status != ASSAY_OK) {
        return status;
    }
    const claim_row_t *row = rows;
    assay_claim_t *claim = assay_arena_array(load->arena, csv.n_rows, sizeof *claim);
    if (!claim) {
        return assay_error_memory(load->err, NULL);
    }
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const assay_place_t at = assay_csv_place(&csv, i);
        claim[i] = row[i].claim;
        claim[i].has_value = row[i].value.known;
        claim[i].v = row[i].value.v;
        if (claim[i].has_value && claim[i].unit[0] == '\0') {
            assay_error_set(load->err, ASSAY_INPUT, &at, "'%s' has a value but no unit",
                            claim[i].id);
            assay_error_next(load->err, "write 1 for a plain number or a fraction");
            return ASSAY_INPUT;
        }
        status = catalog_claim_check_field(load, &claim[i], &at);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    load->catalog->claim = claim;
    load->catalog->n_claim = csv.n_rows;
    return ASSAY_OK;
}
