/* How words of a row are read: data/score_rules.csv, score_serving_rules.csv,
 * score_image_rules.csv.
 */
#include <string.h>

#include "assay/job.h" /* assay_recompute_t */
#include "assay/text.h"
#include "score/score_parts.h"

#include "base/banned.h"

#define AND " & " /* between two columns, and their patterns */

enum { DECIDES, COLUMN, PATTERN, VALUE, NOTE, N_COLUMN };
static const char *const table_column[N_COLUMN] = {"decides", "column", "pattern", "value", "note"};

static const char *const rule_name[SCORE_RULE_N] = {
#define NAME(code, name) name,
    SCORE_RULE_LIST(NAME)
#undef NAME
};

/* pattern is all of text; '*' stands for any text, also none. */
static bool matches(const char *pattern, const char *text) {
    const char *star = NULL, *from = NULL; /* after the last '*', and what it has taken so far */
    while (*text != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

static int index_of(const char *text, const char *(*name)(int), int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(text, name(i)) == 0) {
            return i;
        }
    }
    return -1;
}

static const char *name_of_rule(int i) {
    return rule_name[i];
}

static const char *name_of_column(int i) {
    return score_column_name((score_column_t)i);
}

/* Rules whose value is a choice. */
static const struct {
    score_rule_id_t id;
    const char *word;
    uint32_t code;
} choice[] = {
    {SCORE_RULE_SKIP, "model", SCORE_REASON_MODEL},
    {SCORE_RULE_SKIP, "sequence", SCORE_REASON_BATCH},
    {SCORE_RULE_ZERO, "0", 0},
    {SCORE_RULE_ZERO, "1", 1},
    {SCORE_RULE_ZERO, "2", 2},
    {SCORE_RULE_ZERO, "3", 3},
    {SCORE_RULE_SHARD, "4", 4},
    {SCORE_RULE_SHARD, "8", 8},
    {SCORE_RULE_RECOMPUTE, "none", ASSAY_RECOMPUTE_NONE},
    {SCORE_RULE_RECOMPUTE, "selective", ASSAY_RECOMPUTE_SELECTIVE},
    {SCORE_RULE_RECOMPUTE, "full", ASSAY_RECOMPUTE_FULL},
    {SCORE_RULE_VPP, "1", 1},
    {SCORE_RULE_SEQUENCE_PARALLEL, "no", 0},
    {SCORE_RULE_SEQUENCE_PARALLEL, "yes", 1},
    {SCORE_RULE_FUSED, "no", 0},
    {SCORE_RULE_FUSED, "yes", 1},
    {SCORE_RULE_LOSS, "fused", ASSAY_LOSS_FUSED},
    {SCORE_RULE_REDUCE, "fp32", SCORE_REDUCE_FP32},
    {SCORE_RULE_REDUCE, "16-bit", SCORE_REDUCE_NARROW},
    {SCORE_RULE_REDUCE, "16-bit kept", SCORE_REDUCE_NARROW_KEPT},
    {SCORE_RULE_EXPERT_ONCE, "no", 0},
    {SCORE_RULE_EXPERT_ONCE, "yes", 1},
    {SCORE_RULE_EXPERT_OVERLAP, "no", 0},
    {SCORE_RULE_EXPERT_OVERLAP, "yes", 1},
    {SCORE_RULE_RECOMPUTE_STOPS, "no", 0},
    {SCORE_RULE_RECOMPUTE_STOPS, "yes", 1},
    {SCORE_RULE_METHOD, "full", ASSAY_METHOD_FULL},
    {SCORE_RULE_METHOD, "lora", ASSAY_METHOD_LORA},
    {SCORE_RULE_METHOD, "qlora", ASSAY_METHOD_QLORA},
    {SCORE_RULE_SUSPECT, "yes", SCORE_REASON_SUSPECT},
    {SCORE_RULE_MEASURE, "tokens_per_device", SCORE_MEASURE_TOKENS_PER_DEVICE},
    {SCORE_RULE_MEASURE, "tokens", SCORE_MEASURE_TOKENS},
    {SCORE_RULE_MEASURE, "sequences", SCORE_MEASURE_SEQUENCES},
    {SCORE_RULE_MEASURE, "images", SCORE_MEASURE_IMAGES},
    {SCORE_RULE_MEASURE, "seconds", SCORE_MEASURE_SECONDS},
    {SCORE_RULE_MEASURE, "milliseconds", SCORE_MEASURE_MILLISECONDS},
    {SCORE_RULE_MEASURE, "tflops_per_device", SCORE_MEASURE_TFLOPS},
    {SCORE_RULE_MEASURE, "-", SCORE_MEASURE_NONE},
    {SCORE_RULE_MEASURE, "output_tokens", SCORE_MEASURE_OUTPUT},
    {SCORE_RULE_MEASURE, "latency", SCORE_MEASURE_LATENCY},
    {SCORE_RULE_MEASURE, "ttft", SCORE_MEASURE_TTFT},
    {SCORE_RULE_REGIME, "static", SCORE_REGIME_STATIC},
    {SCORE_RULE_REGIME, "saturated", SCORE_REGIME_SATURATED},
    {SCORE_RULE_REGIME, "open", SCORE_REGIME_OPEN},
    {SCORE_RULE_MEASURE, "tokens_served", SCORE_MEASURE_TOKENS_SERVED},
    {SCORE_RULE_MEASURE, "requests", SCORE_MEASURE_REQUESTS},
    {SCORE_RULE_MEASURE, "ttft_mean", SCORE_MEASURE_TTFT_MEAN},
    {SCORE_RULE_MEASURE, "itl_mean", SCORE_MEASURE_ITL_MEAN},
    {SCORE_RULE_COUNTS, "packages", 1},
    {SCORE_RULE_ROUTING, "same", 1},
    {SCORE_RULE_ATTENTION_DP, "yes", 1},
    {SCORE_RULE_SPLIT, "layers", 1},
    {SCORE_RULE_LIMITS, "trtllm-bench", 1},
    {SCORE_RULE_FLOPS, "full", SCORE_FLOPS_FULL},
    {SCORE_RULE_FLOPS, "causal", SCORE_FLOPS_CAUSAL},
};

/* "roce 200 8": kind, Gbit/s of one NIC, NICs of a node. */
static bool read_network(assay_arena_t *arena, const char *text, score_rule_t *out) {
    const size_t n_kind = strcspn(text, " ");
    const char *rate = text + n_kind + (text[n_kind] != '\0');
    const size_t n_rate = strcspn(rate, " ");
    const char *nics = rate + n_rate + (rate[n_rate] != '\0');
    double gbit_per_s;
    uint64_t n_nics;
    if (n_kind == 0 || !assay_text_to_double(rate, n_rate, &gbit_per_s) || !(gbit_per_s > 0) ||
        !assay_text_to_u64(nics, strlen(nics), &n_nics) || n_nics == 0 || n_nics > 1024) {
        return false;
    }
    out->network.kind = assay_arena_strndup(arena, text, n_kind);
    out->network.bits_per_s = 1e9 * gbit_per_s;
    out->network.nics = (uint32_t)n_nics;
    return out->network.kind != NULL;
}

/* "bert-large@128x1", "bert-large@384x1 tuned": a network of that size, as it is trained. */
static const assay_train_net_t *read_net(assay_arena_t *arena, const assay_catalog_t *catalog,
                                         const char *text) {
    const size_t n = strcspn(text, " ");
    assay_train_net_t *net = assay_arena_alloc(arena, sizeof *net);
    const assay_train_net_ask_t ask = {.model = assay_arena_strndup(arena, text, n),
                                       .tunes = strcmp(text + n, " tuned") == 0};
    assay_error_t err;
    return net && ask.model && (text[n] == '\0' || ask.tunes) &&
                   assay_train_net_make(arena, catalog, &ask, net, &err) == ASSAY_OK
               ? net
               : NULL;
}

static const assay_fabric_t *find_fabric(const assay_catalog_t *catalog, const char *id) {
    for (uint32_t i = 0; i < catalog->n_fabric; i++) {
        if (strcmp(catalog->fabric[i].id, id) == 0) {
            return &catalog->fabric[i];
        }
    }
    return NULL;
}

static bool read_choice(score_rule_id_t id, score_rule_t *io_rule) {
    for (size_t i = 0; i < sizeof choice / sizeof choice[0]; i++) {
        if (choice[i].id == id && strcmp(choice[i].word, io_rule->value) == 0) {
            io_rule->code = choice[i].code;
            return true;
        }
    }
    return false;
}

/* What io_rule->value means. NULL, or what was expected instead. */
static const char *read_value(assay_arena_t *arena, const assay_catalog_t *catalog,
                              score_rule_id_t id, score_rule_t *io_rule) {
    const char *value = io_rule->value;
    assay_dtype_t dtype;
    uint64_t count;
    switch (id) {
    case SCORE_RULE_PART:
        io_rule->part = NULL;
        return strcmp(value, "-") == 0 ||
                       !assay_catalog_accelerator(catalog, value, NULL, &io_rule->part, NULL)
                   ? NULL
                   : "an accelerator of the catalog, or -";
    case SCORE_RULE_FABRIC:
        io_rule->fabric = find_fabric(catalog, value);
        return io_rule->fabric ? NULL : "a fabric of the catalog";
    case SCORE_RULE_MODEL:
    case SCORE_RULE_SHAPE:
        return assay_catalog_model(catalog, value, NULL, &io_rule->model, NULL)
                   ? "a model of the catalog"
                   : NULL;
    case SCORE_RULE_NETWORK_OF:
        io_rule->net = read_net(arena, catalog, value);
        return io_rule->net ? NULL
                            : "a network of image_models.csv, as NAME@SIZE or NAME@SIZE tuned";
    case SCORE_RULE_NETWORK:
        return read_network(arena, value, io_rule) ? NULL : "KIND GBIT_S NICS, such as roce 200 8";
    case SCORE_RULE_DTYPE:
        if (!assay_dtype_parse(value, &dtype)) {
            return "a dtype such as bf16";
        }
        io_rule->code = dtype;
        return NULL;
    case SCORE_RULE_REQUESTS:
    case SCORE_RULE_RECOMPUTE_LAYERS:
    case SCORE_RULE_SAMPLE:
    case SCORE_RULE_STEPS:
    case SCORE_RULE_IMAGES:
        if (!assay_text_to_u64(value, strlen(value), &count) || count == 0 || count > UINT32_MAX) {
            return "a whole number";
        }
        io_rule->code = (uint32_t)count;
        return NULL;
    case SCORE_RULE_IMAGE:
    case SCORE_RULE_STACK:
    case SCORE_RULE_SOFTWARE:
    case SCORE_RULE_ENGINE:
    case SCORE_RULE_WEIGHTS:
    case SCORE_RULE_KV:
        return NULL;
    default:
        return read_choice(id, io_rule) ? NULL : "one of the values that data/README.md names";
    }
}

/* The next of some texts that are joined by AND; NULL: no memory. *io_rest is "" after the last. */
static const char *next_of(assay_arena_t *arena, const char **io_rest) {
    const char *from = *io_rest, *and = strstr(from, AND);
    *io_rest = and? and+strlen(AND) : from + strlen(from);
    return and? assay_arena_strndup(arena, from, (size_t)(and-from)) : from;
}

/* "engine" or "id & engine", and as many patterns. */
static bool read_condition(assay_arena_t *arena, const char *columns, const char *patterns,
                           int visible, score_rule_t *out) {
    while (out->n_condition < SCORE_CONDITION_MAX) {
        const char *name = next_of(arena, &columns);
        const bool more = strstr(patterns, AND) != NULL;
        const char *pattern = next_of(arena, &patterns);
        const int column = name ? index_of(name, name_of_column, visible) : -1;
        if (column < 0 || !pattern) {
            return false;
        }
        out->pattern[out->n_condition] = pattern;
        out->column[out->n_condition++] = (uint8_t)column;
        if (*columns == '\0') {
            return !more;
        }
    }
    return false;
}

assay_status_t score_rules_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                const char *table, score_rules_t *out, assay_error_t *err) {
    assay_csv_t csv;
    const assay_status_t status =
        assay_data_table(arena, table, catalog->dir, catalog->n_dir, &csv, err);
    if (status) {
        return status;
    }
    int at[N_COLUMN];
    for (int i = 0; i < N_COLUMN; i++) {
        at[i] = assay_csv_column(&csv, table_column[i]);
    }
    score_rule_t *rule = assay_arena_array(arena, csv.n_rows, sizeof *rule);
    if (!rule) {
        return assay_error_memory(err, NULL);
    }
    uint32_t n = 0;
    for (int id = 0; id < SCORE_RULE_N; id++) {
        /* Rules of a prediction see the layout only. */
        const int visible = id < SCORE_RULE_SUSPECT ? SCORE_COLUMN_N : SCORE_ALL_N;
        out->first[id] = n;
        for (uint32_t row = 0; row < csv.n_rows; row++) {
            const char *decides = assay_csv_cell(&csv, row, at[DECIDES]);
            if (index_of(decides, name_of_rule, SCORE_RULE_N) < 0) {
                return assay_csv_refuse(&csv, row, csv.header[at[DECIDES]],
                                        "something that rules decide", err);
            }
            if (strcmp(decides, rule_name[id]) != 0) {
                continue;
            }
            rule[n] = (score_rule_t){.value = assay_csv_cell(&csv, row, at[VALUE]),
                                     .note = assay_csv_cell(&csv, row, at[NOTE])};
            if (!read_condition(arena, assay_csv_cell(&csv, row, at[COLUMN]),
                                assay_csv_cell(&csv, row, at[PATTERN]), visible, &rule[n])) {
                return assay_csv_refuse(
                    &csv, row, csv.header[at[COLUMN]],
                    "a column that this rule may look at, or COLUMN & COLUMN with as "
                    "many patterns",
                    err);
            }
            const char *expected = read_value(arena, catalog, (score_rule_id_t)id, &rule[n]);
            if (expected) {
                return assay_csv_refuse(&csv, row, csv.header[at[VALUE]], expected, err);
            }
            n++;
        }
    }
    out->first[SCORE_RULE_N] = n;
    out->rule = rule;
    return ASSAY_OK;
}

static const char *text_of(uint8_t column, const score_row_t *row,
                           const score_measured_t *measured) {
    return column < SCORE_COLUMN_N ? row->text[column] : measured->text[column - SCORE_COLUMN_N];
}

const score_rule_t *score_rule_find(const score_rules_t *rules, score_rule_id_t id,
                                    const score_row_t *row, const score_measured_t *measured) {
    for (uint32_t i = rules->first[id]; i < rules->first[id + 1]; i++) {
        const score_rule_t *rule = &rules->rule[i];
        uint8_t k = 0;
        while (k < rule->n_condition &&
               matches(rule->pattern[k], text_of(rule->column[k], row, measured))) {
            k++;
        }
        if (k == rule->n_condition) {
            return rule;
        }
    }
    return NULL;
}
