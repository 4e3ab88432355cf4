/* The line that starts one replica: argument names from data/workload_args.csv, what the vendor
   advises for the part from data/env_advice.csv. */
#include <stdio.h>
#include <string.h>

#include "decide/decision.h"

#include "base/banned.h"

/* How an engine is started; the model follows where it takes it as a word of its own. */
static const struct {
    const char *engine, *command;
    bool model_is_word;
} starts[] = {{"vllm", "vllm serve", true},
              {"sglang", "python3 -m sglang.launch_server", false},
              {"trtllm", "trtllm-serve", true}};

static const char *cell(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

/* A word of a shell, quoted where it needs to be. */
static void add_word(assay_buf_t *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-/:=+@%,";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        assay_buf_puts(out, word);
        return;
    }
    assay_buf_puts(out, "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            assay_buf_puts(out, "'\\''");
        } else {
            assay_buf_add(out, c, 1);
        }
    }
    assay_buf_puts(out, "'");
}

/* The first long name that means a key, " NAME VALUE". Nothing when the engine has none. */
static void add_argument(const assay_csv_t *args, const char *engine, const char *key,
                         const char *value, assay_buf_t *out) {
    for (uint32_t row = 0; row < args->n_rows; row++) {
        const char *name = cell(args, row, "argument");
        if (strcmp(cell(args, row, "tool"), engine) == 0 &&
            strcmp(cell(args, row, "key"), key) == 0 && strncmp(name, "--", 2) == 0) {
            assay_buf_puts(out, " ");
            assay_buf_puts(out, name);
            assay_buf_puts(out, " ");
            add_word(out, value);
            return;
        }
    }
}

static void add_advice(const assay_csv_t *advice, const char *engine, const char *target,
                       assay_buf_t *out) {
    for (uint32_t row = 0; row < advice->n_rows; row++) {
        const char *of = cell(advice, row, "engine"), *value = cell(advice, row, "advice");
        if (strcmp(cell(advice, row, "target"), target) == 0 && strcmp(of, engine) == 0 &&
            strcmp(value, "unset") != 0) {
            assay_buf_puts(out, cell(advice, row, "name"));
            assay_buf_puts(out, "=");
            add_word(out, value);
            assay_buf_puts(out, " ");
        }
    }
}

static void add_count(const assay_csv_t *args, const char *engine, const char *key, double value,
                      assay_buf_t *out) {
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    add_argument(args, engine, key, text, out);
}

assay_status_t assay_decide_launch(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                   const assay_serving_candidate_t *candidate,
                                   const char **out_line, assay_error_t *err) {
    const assay_serving_t *serving = candidate->serving;
    const size_t n_name = strcspn(serving->engine, " ");
    const char *engine = assay_arena_strndup(arena, serving->engine, n_name);
    assay_csv_t args, advice;
    assay_status_t status =
        engine ? assay_data_table(arena, "workload_args.csv", dir, n_dir, &args, err)
               : assay_error_memory(err, NULL);
    status = status ? status : assay_data_table(arena, "env_advice.csv", dir, n_dir, &advice, err);
    if (status) {
        return status;
    }
    size_t start = 0;
    while (start < sizeof starts / sizeof starts[0] && strcmp(starts[start].engine, engine) != 0) {
        start++;
    }
    *out_line = NULL;
    if (start == sizeof starts / sizeof starts[0]) {
        return ASSAY_OK;
    }
    const assay_model_t *model = &serving->model;
    const char *name = model->hf_id && model->hf_id[0] ? model->hf_id : model->id;
    assay_buf_t out;
    assay_buf_init(&out, 1u << 16);
    add_advice(&advice, engine, candidate->machine->accelerator->target, &out);
    assay_buf_puts(&out, starts[start].command);
    if (starts[start].model_is_word) {
        assay_buf_puts(&out, " ");
        add_word(&out, name);
    } else {
        add_argument(&args, engine, "work.model", name, &out);
    }
    char share[32];
    snprintf(share, sizeof share, "%.4g", serving->utilisation);
    add_count(&args, engine, "layout.tp", candidate->fleet->layout.tp, &out);
    if (candidate->fleet->layout.pp > 1) {
        add_count(&args, engine, "layout.pp", candidate->fleet->layout.pp, &out);
    }
    add_count(&args, engine, "work.max_model_len", serving->max_model_len, &out);
    add_count(&args, engine, "work.max_num_seqs", serving->max_num_seqs, &out);
    add_count(&args, engine, "work.max_batch_tokens", serving->max_batch_tokens, &out);
    add_argument(&args, engine, "work.gpu_memory_utilization", share, &out);
    if (serving->kv_bytes_each < 2) {
        add_argument(&args, engine, "work.kv_precision", "fp8", &out);
    }
    *out_line = out.failed ? NULL : assay_arena_strndup(arena, out.n ? out.data : "", out.n);
    assay_buf_done(&out);
    return *out_line ? ASSAY_OK : assay_error_memory(err, NULL);
}
