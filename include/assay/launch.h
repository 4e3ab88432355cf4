/**
 * What people start their work with, read into a job: launch lines and scripts (Megatron-LM, vLLM,
 * SGLang, TensorRT-LLM, torchrun, DeepSpeed, accelerate, Hugging Face's trainer), sbatch headers,
 * Kubernetes resources, DeepSpeed JSON, accelerate YAML, torchtitan in TOML and Python, options of
 * TensorRT-LLM, a model's config.json. Several files join into one job.
 *
 * Which argument means which key is data (data/workload_args.csv). Nothing is dropped in silence:
 * each argument is taken, known not to matter, known and not carried, or unknown. Nothing is run:
 * of a shell script only assignments are followed.
 *
 * Test: tests/unit/test_launch.c. Fuzz: tests/fuzz/fuzz_launch.c. Thread-safe: yes.
 */
#ifndef ASSAY_LAUNCH_H
#define ASSAY_LAUNCH_H

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name, *data; /* name as given: a model's file is named so in the job */
    size_t size;
} assay_launch_file_t;
#define ASSAY_LAUNCH_FILES_MAX 64

typedef enum {
    ASSAY_LAUNCH_TAKEN,    /* key and value are in the job */
    ASSAY_LAUNCH_ASSUMED,  /* in the job; text says why */
    ASSAY_LAUNCH_REPLACED, /* another argument says the same key; text says which */
    ASSAY_LAUNCH_LEFT,     /* known and matters, but a job cannot say it; text says what */
    ASSAY_LAUNCH_MISSING,  /* the job needs it and no file says it */
    ASSAY_LAUNCH_UNKNOWN,  /* not in the table */
    ASSAY_LAUNCH_UNUSED,   /* known not to matter */
    ASSAY_LAUNCH_STATE_N
} assay_launch_state_t;
const char *assay_launch_state_name(assay_launch_state_t state);

typedef struct {
    uint8_t state;
    const char *key, *value; /* of the job: "layout.tp"; NULL where it has none */
    const char *argument;    /* "--tensor-parallel-size", "zero_optimization.stage" */
    const char *file;
    uint32_t line;    /* 0 unknown */
    const char *text; /* NULL: none */
} assay_launch_item_t;

typedef struct {
    const char *kind; /* "train", "finetune", "serve" */
    assay_launch_item_t *item;
    uint32_t n_item;
} assay_launch_t;

/**
 * on: systems that the job compares, NULL: those the files name, else a pattern for --on.
 * dir: folders with a user's tables. Errors: ASSAY_INPUT (a file that is none of these, or broken),
 * ASSAY_LIMIT.
 */
assay_status_t assay_launch_read(assay_arena_t *arena, const assay_launch_file_t *file, uint32_t n,
                                 const char *on, const char *const *dir, uint32_t n_dir,
                                 assay_launch_t **out_launch, assay_error_t *err);
/** The job file: YAML with a comment beside each value that says where it is from. */
void assay_launch_yaml(const assay_launch_t *launch, assay_buf_t *out);

#ifdef __cplusplus
}
#endif
#endif
