#include "assay/job.h"

#include <string.h>

/* Replaces the candidates by one for each id of a comma list. */
static assay_status_t set_candidates(assay_arena_t *arena, assay_node_t *root,
                                     const assay_job_flag_t *flag, const assay_place_t *at,
                                     assay_error_t *err) {
    assay_status_t status = assay_node_set(arena, root, flag->path, flag->value, at, err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_node_t *candidates = assay_node_find(root, flag->path), *ids = NULL;
    status = assay_node_split(arena, candidates, &ids, err);
    if (status != ASSAY_OK) {
        return status;
    }
    candidates->kind = ASSAY_NODE_SEQUENCE;
    for (const assay_node_t *id = ids->child; id; id = id->next) {
        assay_node_t *item = assay_node_add(arena, candidates, NULL, ASSAY_NODE_MAPPING, at);
        assay_node_t *system =
            item ? assay_node_add(arena, item, "system", ASSAY_NODE_SCALAR, at) : NULL;
        if (!system) {
            return assay_error_memory(err, at);
        }
        system->text = id->text;
        system->n_text = id->n_text;
    }
    return ASSAY_OK;
}

static bool is_candidates(const assay_job_flag_t *flag) {
    return strcmp(flag->path, "candidates") == 0;
}

/* Candidates first: other flags reach into them, wherever they stand on the command line. */
static assay_status_t apply_flags(assay_arena_t *arena, assay_node_t *root,
                                  const assay_job_flag_t *flag, uint32_t n_flag,
                                  assay_error_t *err) {
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n_flag; i++) {
            if (is_candidates(&flag[i]) != (pass == 0)) {
                continue;
            }
            const assay_place_t at = {.file = assay_arena_strdup(arena, flag[i].flag)};
            if (!at.file) {
                return assay_error_memory(err, NULL);
            }
            const assay_status_t status =
                pass == 0 ? set_candidates(arena, root, &flag[i], &at, err)
                          : assay_node_set(arena, root, flag[i].path, flag[i].value, &at, err);
            if (status != ASSAY_OK) {
                return status;
            }
        }
    }
    return ASSAY_OK;
}

assay_status_t assay_job_read(assay_arena_t *arena, const char *file, const char *data, size_t size,
                              const assay_job_flag_t *flag, uint32_t n_flag, assay_job_t **out_job,
                              assay_error_t *err) {
    assay_node_t *root = NULL;
    assay_status_t status = ASSAY_OK;
    if (data) {
        status = assay_node_parse(arena, file, data, size, &root, err);
    } else {
        root = assay_node_create(arena, "command line");
        status = root ? ASSAY_OK : assay_error_memory(err, NULL);
    }
    if (status == ASSAY_OK) {
        status = apply_flags(arena, root, flag, n_flag, err);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    assay_job_t *job = assay_arena_alloc(arena, sizeof *job);
    if (!job) {
        return assay_error_memory(err, NULL);
    }
    status = assay_schema_read(arena, &assay_job_schema, root, job, err);
    if (status == ASSAY_OK) {
        job->file = data ? root->at.file : NULL;
        *out_job = job;
    }
    return status;
}
