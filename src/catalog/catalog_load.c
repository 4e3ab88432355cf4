#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/text.h"
#include "catalog/catalog_index.h"
#include "catalog/catalog_table.h"

#include "base/banned.h"

#define MAX_REFUSED 200u
#define TRY_BYTES ((size_t)256 << 20)

assay_status_t catalog_load_rows(catalog_load_t *load, const char *name, uint32_t n_key,
                                 const catalog_column_t *column, uint32_t n_column, size_t row_size,
                                 assay_csv_t *out_csv, void **out_rows) {
    assay_status_t status = catalog_table_join(load->arena, name, n_key, load->dir, load->n_dir,
                                               &load->overlay, out_csv, load->err);
    if (status == ASSAY_OK) {
        status = catalog_table_check_keys(load->arena, out_csv, n_key, load->err);
    }
    if (status == ASSAY_OK) {
        status = catalog_table_read(load->arena, out_csv, column, n_column, row_size, load->today,
                                    out_rows, load->err);
    }
    return status;
}

/* The tables that are loaded and not yet indexed. */
static bool build_indexes(catalog_load_t *load) {
    const assay_catalog_t *catalog = load->catalog;
    struct catalog_index *index = load->index;
    const struct {
        const void *row;
        uint32_t n;
        size_t stride, id;
        catalog_ids_index_t *index;
    } table[] = {
        {catalog->accelerator, catalog->n_accelerator, sizeof(assay_accelerator_t),
         offsetof(assay_accelerator_t, id), &index->accelerator},
        {catalog->fabric, catalog->n_fabric, sizeof(assay_fabric_t), offsetof(assay_fabric_t, id),
         &index->fabric},
        {catalog->system, catalog->n_system, sizeof(assay_system_t), offsetof(assay_system_t, id),
         &index->system},
        {catalog->model, catalog->n_model, sizeof(assay_model_t), offsetof(assay_model_t, id),
         &index->model},
        {catalog->model, catalog->n_model, sizeof(assay_model_t), offsetof(assay_model_t, hf_id),
         &index->model_hf},
        {catalog->alias, catalog->n_alias, sizeof(assay_alias_t), offsetof(assay_alias_t, id),
         &index->alias},
    };
    bool fine = true;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const catalog_ids_t ids = {table[i].row, table[i].n, table[i].stride, table[i].id};
        if (ids.n > 0 && table[i].index->n_slot == 0) {
            fine = fine && catalog_index_build(load->arena, &ids, table[i].index);
        }
    }
    return fine;
}

/* Each step may look at what the ones before it have filled. */
static assay_status_t (*const steps[])(catalog_load_t *) = {
    catalog_load_accelerators, catalog_load_aliases, catalog_load_fabrics,
    catalog_load_fabric_pairs, catalog_load_systems, catalog_load_prices,
    catalog_load_energy,       catalog_load_models,  catalog_load_claims,
    catalog_check_aliases,
};

/* Today in UTC, or what SOURCE_DATE_EPOCH says instead, so that a run can be repeated. A clock that
   stands before the newest of the built-in data is wrong. */
static void find_today(char *out) {
    static const char newest[] = "2026-11-30";
    const char *fixed = getenv("SOURCE_DATE_EPOCH");
    time_t now = time(NULL);
    uint64_t epoch;
    struct tm tm;
    if (fixed && assay_text_to_u64(fixed, strlen(fixed), &epoch) && epoch < UINT32_MAX) {
        now = (time_t)epoch;
    }
    if (!gmtime_r(&now, &tm) || strftime(out, 11, "%Y-%m-%d", &tm) != 10 ||
        strcmp(out, newest) < 0) {
        memcpy(out, newest, sizeof newest);
    }
}

static assay_status_t load_all(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                               const catalog_overlay_t *overlay, assay_catalog_t **out_catalog,
                               assay_error_t *err) {
    assay_catalog_t *catalog = assay_arena_alloc(arena, sizeof *catalog);
    const char **dirs = assay_arena_array(arena, n_dir, sizeof *dirs);
    char *today = assay_arena_alloc(arena, 11);
    struct catalog_index *index = assay_arena_alloc(arena, sizeof *index);
    if (!catalog || !dirs || !index || !today) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n_dir; i++) {
        dirs[i] = assay_arena_strdup(arena, dir[i]);
        if (!dirs[i]) {
            return assay_error_memory(err, NULL);
        }
    }
    find_today(today);
    catalog->dir = dirs;
    catalog->n_dir = n_dir;
    catalog->index = index;
    catalog->today = today;
    catalog_load_t load = {.arena = arena,
                           .catalog = catalog,
                           .index = index,
                           .dir = dirs,
                           .n_dir = n_dir,
                           .overlay = *overlay,
                           .today = today,
                           .err = err};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const assay_status_t status = steps[i](&load);
        if (status != ASSAY_OK) {
            return status;
        }
        if (!build_indexes(&load)) {
            return assay_error_memory(err, NULL);
        }
    }
    catalog->overlay = load.overlay.log.item;
    catalog->n_overlay = load.overlay.log.n;
    catalog->warning = load.warning.item;
    catalog->n_warning = load.warning.n;
    *out_catalog = catalog;
    return ASSAY_OK;
}

assay_status_t assay_catalog_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                  assay_catalog_t **out_catalog, assay_error_t *err) {
    return assay_catalog_load_extra(arena, dir, n_dir, NULL, 0, out_catalog, err);
}

assay_status_t assay_catalog_load_extra(assay_arena_t *arena, const char *const *dir,
                                        uint32_t n_dir, const assay_catalog_extra_t *extra,
                                        uint32_t n_extra, assay_catalog_t **out_catalog,
                                        assay_error_t *err) {
    const catalog_overlay_t overlay = {.extra = extra, .n_extra = n_extra};
    return load_all(arena, dir, n_dir, &overlay, out_catalog, err);
}

/* Whether leaving out the row, or else the file, that an error names can help. */
static bool add_skip(assay_arena_t *arena, const assay_error_t *found, assay_place_t *skip,
                     uint32_t *inout_n) {
    assay_place_t place = {assay_arena_strdup(arena, found->file), found->line, 0};
    if (!place.file || found->file[0] == '\0' || strncmp(found->file, "data/", 5) == 0) {
        return false;
    }
    if (place.line <= 1) {
        place.line = 0; /* the header is wrong, so all of the file */
    }
    for (uint32_t i = 0; i < *inout_n; i++) {
        if (strcmp(skip[i].file, place.file) == 0 && skip[i].line == place.line) {
            if (place.line == 0) {
                return false;
            }
            place.line = 0; /* leaving the row out did not help: it cannot be told from others */
        }
    }
    skip[(*inout_n)++] = place;
    return true;
}

assay_status_t assay_catalog_check(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                   const assay_catalog_extra_t *extra, uint32_t n_extra,
                                   assay_catalog_check_t *out, assay_error_t *err) {
    assay_place_t *skip = assay_arena_array(arena, MAX_REFUSED, sizeof *skip);
    const char **refused = assay_arena_array(arena, MAX_REFUSED, sizeof *refused);
    assay_arena_t *tried = assay_arena_create(TRY_BYTES); /* what a failed try leaves behind */
    assay_status_t status = ASSAY_OK;
    catalog_overlay_t overlay = {.skip = skip, .extra = extra, .n_extra = n_extra};
    *out = (assay_catalog_check_t){.refused = refused, .refused_at = skip};
    if (!skip || !refused || !tried) {
        status = assay_error_memory(err, NULL);
    }
    while (!status) {
        assay_error_t found = {0};
        assay_catalog_t *catalog;
        const assay_status_t loaded = load_all(tried, dir, n_dir, &overlay, &catalog, &found);
        if (loaded == ASSAY_OK) {
            break;
        }
        char line[1024];
        if ((loaded != ASSAY_INPUT && loaded != ASSAY_NOT_FOUND) || overlay.n_skip == MAX_REFUSED ||
            !add_skip(arena, &found, skip, &overlay.n_skip)) {
            if (err) {
                *err = found;
            }
            status = loaded;
            break;
        }
        refused[out->n_refused] =
            assay_arena_strdup(arena, assay_error_line(&found, line, sizeof line));
        status = refused[out->n_refused++] ? ASSAY_OK : assay_error_memory(err, NULL);
        assay_arena_reset(tried);
    }
    assay_arena_destroy(tried);
    return status ? status : load_all(arena, dir, n_dir, &overlay, &out->catalog, err);
}
