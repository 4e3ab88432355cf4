#include "assay/text.h"
#include "catalog/catalog_table.h"

#include "base/banned.h"

assay_status_t catalog_load_rows(catalog_load_t *load, const char *name, uint32_t n_key,
                                 const catalog_column_t *column, uint32_t n_column, size_t row_size,
                                 assay_csv_t *out_csv, void **out_rows) {
    assay_status_t status = catalog_table_join(load->arena, name, n_key, load->dir, load->n_dir,
                                               &load->overlay, out_csv, load->err);
    if (status == ASSAY_OK) {
        status = catalog_table_check_keys(load->arena, out_csv, n_key, load->err);
    }
    if (status == ASSAY_OK) {
        status = catalog_table_read(load->arena, out_csv, column, n_column, row_size, out_rows,
                                    load->err);
    }
    return status;
}

/* Each step may look at what the ones before it have filled. */
static assay_status_t (*const steps[])(catalog_load_t *) = {
    catalog_load_accelerators, catalog_load_aliases, catalog_load_fabrics,
    catalog_load_systems,      catalog_load_prices,  catalog_load_energy,
    catalog_load_models,       catalog_load_claims,  catalog_check_aliases,
};

assay_status_t assay_catalog_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                  assay_catalog_t **out_catalog, assay_error_t *err) {
    assay_catalog_t *catalog = assay_arena_alloc(arena, sizeof *catalog);
    const char **dirs = assay_arena_array(arena, n_dir, sizeof *dirs);
    if (!catalog || !dirs) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n_dir; i++) {
        dirs[i] = assay_arena_strdup(arena, dir[i]);
        if (!dirs[i]) {
            return assay_error_memory(err, NULL);
        }
    }
    catalog->dir = dirs;
    catalog->n_dir = n_dir;
    catalog_load_t load = {.arena = arena, .catalog = catalog, .dir = dirs, .n_dir = n_dir};
    load.err = err;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const assay_status_t status = steps[i](&load);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    catalog->overlay = load.overlay.item;
    catalog->n_overlay = load.overlay.n;
    catalog->warning = load.warning.item;
    catalog->n_warning = load.warning.n;
    *out_catalog = catalog;
    return ASSAY_OK;
}
