/**
 * Runnable configurations of a layout: Megatron-LM's flags, torchtitan's TOML, DeepSpeed's JSON,
 * accelerate's YAML for FSDP, a batch script for Slurm that binds devices to their CPUs.
 *
 * What is written is data (data/emit.csv): one row an argument of a tool, when it is needed, its
 * value with {names} of the layout, the model and the machine, and why. A row with the argument "!"
 * says that the tool cannot run such a layout. Arguments are those of data/workload_args.csv, so
 * that `assay job from` reads back what is written here.
 *
 * Test: tests/unit/test_emit.c. Thread-safe: yes.
 */
#ifndef ASSAY_EMIT_H
#define ASSAY_EMIT_H

#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/text.h"
#include "assay/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_EMIT_LIST(X)      \
    X(MEGATRON, "megatron")     \
    X(TORCHTITAN, "torchtitan") \
    X(DEEPSPEED, "deepspeed")   \
    X(ACCELERATE, "accelerate") \
    X(SBATCH, "sbatch")
typedef enum {
#define ASSAY_EMIT_ENUM(code, name) ASSAY_EMIT_##code,
    ASSAY_EMIT_LIST(ASSAY_EMIT_ENUM)
#undef ASSAY_EMIT_ENUM
        ASSAY_EMIT_N
} assay_emit_tool_t;
const char *assay_emit_name(assay_emit_tool_t tool);
/** false: no such tool. */
bool assay_emit_parse(const char *name, assay_emit_tool_t *out);

typedef struct {
    const char *argument; /* "--pipeline-model-parallel-size", "zero_optimization.stage" */
    const char *value;    /* "" for a flag */
    const char *why, *source;
    bool environment; /* a variable of the environment */
} assay_emit_setting_t;

typedef struct {
    assay_emit_tool_t tool;
    assay_emit_setting_t *setting; /* in the order of the table */
    uint32_t n_setting;
    const char *text; /* the file */
} assay_emit_t;

typedef struct {
    const assay_machine_t *machine;
    const assay_workload_t *work;
    const assay_estimate_t *estimate; /* layout, and what was predicted for it */
    const char *job;                  /* name of the job; NULL: none */
} assay_emit_case_t;

/**
 * dir: folders with a user's tables. Errors: ASSAY_UNAVAILABLE when the tool cannot run the layout,
 * with what to pin instead; ASSAY_INPUT (a user's table, with file:line).
 */
assay_status_t assay_emit(assay_arena_t *arena, assay_emit_tool_t tool, const assay_emit_case_t *of,
                          const char *const *dir, uint32_t n_dir, assay_emit_t **out,
                          assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
