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

/* "since 0.8", "up to 0.8", "after 0.11"; without a version the newest. */
static bool in_versions(const char *range, const char *version) {
    static const struct {
        const char *word;
        int least, most; /* of the order of version and bound */
    } bound[] = {{"since ", 0, 1}, {"after ", 1, 1}, {"up to ", -1, 0}};
    for (size_t i = 0; i < sizeof bound / sizeof bound[0]; i++) {
        const size_t n = strlen(bound[i].word);
        if (strncmp(range, bound[i].word, n) == 0) {
            const int order = version[0] ? assay_text_version_order(version, range + n) : 1;
            const int sign = (order > 0) - (order < 0);
            return sign >= bound[i].least && sign <= bound[i].most;
        }
    }
    return true;
}

typedef struct {
    const assay_csv_t *csv; /* data/workload_args.csv */
    const char *engine, *version;
    assay_buf_t *out;
} line_t;

/* The row of the first long name that means a key in this version; -1: none. */
static int64_t find_argument(const line_t *line, const char *key, int64_t after) {
    for (uint32_t row = (uint32_t)(after + 1); row < line->csv->n_rows; row++) {
        if (strcmp(cell(line->csv, row, "tool"), line->engine) == 0 &&
            strcmp(cell(line->csv, row, "key"), key) == 0 &&
            strncmp(cell(line->csv, row, "argument"), "--", 2) == 0 &&
            in_versions(cell(line->csv, row, "versions"), line->version)) {
            return row;
        }
    }
    return -1;
}

/* " NAME VALUE", or " NAME" with value NULL. False: the engine has none. */
static bool add_argument(const line_t *line, const char *key, const char *value) {
    const int64_t row = find_argument(line, key, -1);
    if (row >= 0) {
        assay_buf_puts(line->out, " ");
        assay_buf_puts(line->out, cell(line->csv, (uint32_t)row, "argument"));
        if (value) {
            assay_buf_puts(line->out, " ");
            assay_buf_shell_word(line->out, value);
        }
    }
    return row >= 0;
}

/* The engine's own word for a value: of "fp8=fp8|awq=int4" the one on the left. */
static void add_translated(const line_t *line, const char *key, const char *value) {
    for (int64_t row = find_argument(line, key, -1); row >= 0;
         row = find_argument(line, key, row)) {
        const char *words = cell(line->csv, (uint32_t)row, "value");
        while (*words) {
            const size_t n = strcspn(words, "|"), n_name = strcspn(words, "=");
            if (n_name < n && strlen(value) == n - n_name - 1 &&
                strncmp(words + n_name + 1, value, n - n_name - 1) == 0) {
                assay_buf_puts(line->out, " ");
                assay_buf_puts(line->out, cell(line->csv, (uint32_t)row, "argument"));
                assay_buf_puts(line->out, " ");
                assay_buf_add(line->out, words, n_name);
                return;
            }
            words += n + (words[n] == '|');
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
            assay_buf_shell_word(out, value);
            assay_buf_puts(out, " ");
        }
    }
}

static bool add_count(const line_t *line, const char *key, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.0f", value);
    return add_argument(line, key, text);
}

/* Ranks of one replica. False: the engine's command line cannot say it. */
static bool add_ranks(const line_t *line, const assay_serve_way_t *way) {
    if (!way->attention_dp) {
        (void)add_count(line, "layout.tp", way->layout.tp);
        return way->layout.pp <= 1 || add_count(line, "layout.pp", way->layout.pp);
    }
    /* Attention on every rank: one engine counts them as its ranks and is told what they do, the
       other as replicas that share experts. */
    if (find_argument(line, "@dp_attention", -1) >= 0) {
        return add_count(line, "layout.tp", way->layout.tp) &&
               add_count(line, "layout.dp", way->layout.tp) &&
               add_argument(line, "@dp_attention", NULL);
    }
    return add_count(line, "layout.tp", 1) && add_count(line, "layout.dp", way->layout.tp) &&
           add_argument(line, "@ep_all", NULL);
}

static bool add_limits(const line_t *line, const assay_serving_t *serving,
                       const assay_serve_way_t *way) {
    char share[32];
    snprintf(share, sizeof share, "%.4g", serving->utilisation);
    bool known = add_count(line, "work.max_model_len", serving->max_model_len);
    known = add_count(line, "work.max_num_seqs", way->max_sequences) && known;
    known = add_count(line, "work.max_batch_tokens", way->token_budget) && known;
    known = add_argument(line, "work.gpu_memory_utilization", share) && known;
    if (way->format < serving->n_format) {
        const assay_serve_format_t *format = &serving->format[way->format];
        if (strcmp(format->checkpoint.source, "given") == 0) {
            add_translated(line, "work.precision", format->weights);
        }
        if (format->kv_bytes_each < 2) {
            add_translated(line, "work.kv_precision", format->kv);
        }
    }
    if (serving->issue_s > 0) {
        (void)add_argument(line, "work.eager", NULL);
    }
    return known;
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
    const char *version = serving->engine + n_name + strspn(serving->engine + n_name, " ");
    assay_buf_t out;
    assay_buf_init(&out, 1u << 16);
    const line_t line = {&args, engine, version, &out};
    add_advice(&advice, engine, candidate->machine->accelerator->target, &out);
    assay_buf_puts(&out, starts[start].command);
    if (starts[start].model_is_word) {
        assay_buf_puts(&out, " ");
        assay_buf_shell_word(&out, name);
    } else {
        (void)add_argument(&line, "work.model", name);
    }
    const bool known = add_ranks(&line, &candidate->fleet->way) &&
                       add_limits(&line, serving, &candidate->fleet->way);
    const char *text = out.failed ? NULL : assay_arena_strndup(arena, out.n ? out.data : "", out.n);
    assay_buf_done(&out);
    *out_line = known ? text : NULL;
    return text ? ASSAY_OK : assay_error_memory(err, NULL);
}
