#include <string.h>

#include "catalog/catalog_table.h"

#include "base/banned.h"

static const char *const kinds[] = {"accelerator", "system", "model", NULL};

#define OFFSET(field) offsetof(assay_alias_t, field)

static const catalog_column_t columns[] = {
    {.name = "id", .offset = OFFSET(id), .required = true},
    {"kind", COLUMN_CHOICE, true, OFFSET(kind), 0, 0, 0, kinds},
    {.name = "alias_of", .offset = OFFSET(alias_of)},
    {.name = "note", .offset = OFFSET(note)},
};

/* Systems and models load later: catalog_check_aliases looks at what aliases lead to. */
assay_status_t catalog_load_aliases(catalog_load_t *load) {
    void *rows;
    const assay_status_t status =
        catalog_load_rows(load, "aliases.csv", 2, columns, sizeof columns / sizeof columns[0],
                          sizeof(assay_alias_t), &load->alias_csv, &rows);
    if (status == ASSAY_OK) {
        load->catalog->alias = rows;
        load->catalog->n_alias = load->alias_csv.n_rows;
    }
    return status;
}

static bool leads_somewhere(const assay_catalog_t *catalog, const assay_alias_t *alias) {
    switch (alias->kind[0]) {
    case 'a':
        return catalog_find(catalog, "accelerator", alias->alias_of) != NULL;
    case 's':
        return catalog_find(catalog, "system", alias->alias_of) != NULL;
    default:
        return catalog_find(catalog, "model", alias->alias_of) != NULL;
    }
}

assay_status_t catalog_check_aliases(catalog_load_t *load) {
    for (uint32_t i = 0; i < load->catalog->n_alias; i++) {
        const assay_alias_t *alias = &load->catalog->alias[i];
        if (alias->alias_of[0] != '\0' && !leads_somewhere(load->catalog, alias)) {
            const assay_place_t at = assay_csv_place(&load->alias_csv, i);
            return catalog_refuse_id(load, &at, alias->kind, alias->alias_of);
        }
    }
    return ASSAY_OK;
}
