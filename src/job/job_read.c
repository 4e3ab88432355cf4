#include "assay/job.h"
#include "job/job_schema.h"

#include <string.h>

/* A copy of from's children at the end of to. */
static assay_status_t copy_children(assay_arena_t *arena, const assay_node_t *from,
                                    assay_node_t *to, assay_error_t *err) {
    for (const assay_node_t *child = from->child; child; child = child->next) {
        assay_node_t *copy =
            assay_node_add(arena, to, child->key, (assay_node_kind_t)child->kind, &child->at);
        if (!copy) {
            return assay_error_memory(err, &child->at);
        }
        copy->quoted = child->quoted;
        copy->key_at = child->key_at;
        copy->text = child->text;
        copy->n_text = child->n_text;
        const assay_status_t status = copy_children(arena, child, copy, err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    return ASSAY_OK;
}

/* The file's only candidate when it names no system: the pattern of those that a flag names. */
static const assay_node_t *find_pattern(const assay_node_t *root, const char *path) {
    const assay_node_t *list = assay_node_find(root, path);
    const assay_node_t *only =
        list && list->kind == ASSAY_NODE_SEQUENCE && list->n == 1 ? list->child : NULL;
    const bool pattern =
        only && only->kind == ASSAY_NODE_MAPPING && !assay_node_find(only, "system");
    return pattern ? only : NULL;
}

/* Replaces the candidates by one for each id of a comma list. */
static assay_status_t set_candidates(assay_arena_t *arena, assay_node_t *root,
                                     const assay_job_flag_t *flag, const assay_place_t *at,
                                     assay_error_t *err) {
    const assay_node_t *pattern = find_pattern(root, flag->path);
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
        status = pattern ? copy_children(arena, pattern, item, err) : ASSAY_OK;
        if (status != ASSAY_OK) {
            return status;
        }
    }
    return ASSAY_OK;
}

#define TRAIN_PATH "workload.train."
#define SERVE_PATH "workload.serve."

/* The kind of work that the file speaks of, else the flags. */
static const char *find_kind(const assay_node_t *root, const assay_job_flag_t *flag,
                             uint32_t n_flag) {
    static const char *const kind[] = {"image", "serve", "finetune", "train"};
    const size_t n_kind = sizeof kind / sizeof kind[0];
    const assay_node_t *work =
        root->kind == ASSAY_NODE_MAPPING ? assay_node_find(root, "workload") : NULL;
    for (size_t i = 0; work && work->kind == ASSAY_NODE_MAPPING && i < n_kind; i++) {
        if (assay_node_find(work, kind[i])) {
            return kind[i];
        }
    }
    for (size_t i = 0; i < n_kind; i++) {
        const size_t n = strlen(kind[i]);
        for (uint32_t j = 0; j < n_flag; j++) {
            if (strncmp(flag[j].path, "workload.", 9) == 0 &&
                strncmp(flag[j].path + 9, kind[i], n) == 0 && flag[j].path[9 + n] == '.') {
                return kind[i];
            }
        }
    }
    return "train";
}

/* Flags of training stand for the same key of any kind of work, those of serving for that of images
   too. */
static const char *meant_path(assay_arena_t *arena, const char *path, const char *kind) {
    const size_t n = strlen(TRAIN_PATH), n_serve = strlen(SERVE_PATH);
    if (strcmp(kind, "image") == 0 && strncmp(path, SERVE_PATH, n_serve) == 0) {
        return assay_arena_printf(arena, "workload.image.%s", path + n_serve);
    }
    return strncmp(path, TRAIN_PATH, n) == 0
               ? assay_arena_printf(arena, "workload.%s.%s", kind, path + n)
               : path;
}

static bool is_candidates(const assay_job_flag_t *flag) {
    return strcmp(flag->path, "candidates") == 0;
}

/* Candidates first: other flags reach into them, wherever they stand on the command line. */
static assay_status_t apply_flags(assay_arena_t *arena, assay_node_t *root,
                                  const assay_job_flag_t *flag, uint32_t n_flag,
                                  assay_error_t *err) {
    const char *kind = find_kind(root, flag, n_flag);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < n_flag; i++) {
            if (is_candidates(&flag[i]) != (pass == 0)) {
                continue;
            }
            const assay_place_t at = {.file = assay_arena_strdup(arena, flag[i].flag)};
            const char *path = meant_path(arena, flag[i].path, kind);
            if (!at.file || !path) {
                return assay_error_memory(err, NULL);
            }
            const assay_status_t status =
                pass == 0 ? set_candidates(arena, root, &flag[i], &at, err)
                          : assay_node_set(arena, root, path, flag[i].value, &at, err);
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
        status = assay_job_take_measured(arena, job, err);
    }
    if (status == ASSAY_OK) {
        job->file = data ? root->at.file : NULL;
        job->at = root->at;
        job->document = root;
        *out_job = job;
    }
    return status;
}
