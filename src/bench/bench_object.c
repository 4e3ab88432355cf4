/* One JSON object of a load generator. */
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

/* The value at "a.b.c", or NULL. */
static const json_t *at_path(const json_t *object, const char *path) {
    char name[64];
    while (object && *path) {
        const size_t n = strcspn(path, ".");
        if (n == 0 || n >= sizeof name) {
            return NULL;
        }
        memcpy(name, path, n);
        name[n] = '\0';
        object = json_object_get(object, name);
        path += n + (path[n] == '.');
    }
    return object;
}

static void set_model(const bench_t *bench, assay_bench_result_t *result, const json_t *object,
                      const char *path) {
    const char *text = json_string_value(at_path(object, path));
    const char *model = text ? assay_arena_strdup(bench->arena, text) : NULL;
    result->model = model ? model : result->model;
}

/* A statistic of the latency at key: a member there, one of its percentiles (GuideLLM), or a member
   "STATISTIC_KEY" of the object itself. NULL: none. */
static const json_t *statistic(const json_t *object, const char *key, const char *word) {
    char flat[96];
    const json_t *of = at_path(object, key);
    const json_t *value = json_object_get(of, word);
    value = value ? value : json_object_get(json_object_get(of, "percentiles"), word);
    const int n = snprintf(flat, sizeof flat, "%s_%s", word, key);
    return !value && n > 0 && (size_t)n < sizeof flat ? json_object_get(object, flat) : value;
}

static void read_keys(const bench_t *bench, assay_bench_result_t *result, const json_t *object,
                      const char *tool) {
    static const char *const word[] = {"mean", "avg", "median", "p50", "p90",
                                       "p95",  "p99", "min",    "max"};
    for (uint32_t i = 0; i < bench->n_key; i++) {
        const bench_key_t *key = &bench->key[i];
        if (strcmp(key->tool, tool) != 0) {
            continue;
        }
        if (key->figure >= 0) {
            const json_t *value = at_path(object, key->key);
            if (json_is_number(value)) {
                bench_set(&result->figure[key->figure], json_number_value(value) * key->scale);
            }
            continue;
        }
        for (size_t s = 0; s < sizeof word / sizeof word[0]; s++) {
            const json_t *value = statistic(object, key->key, word[s]);
            if (json_is_number(value)) {
                const int stat = bench_stat(word[s], strlen(word[s]));
                bench_set(&result->latency_s[key->metric][stat],
                          json_number_value(value) * key->scale);
            }
        }
    }
}

static assay_status_t read_llama(bench_t *bench, const json_t *object, uint32_t line) {
    const double prompt = json_number_value(json_object_get(object, "n_prompt"));
    const double gen = json_number_value(json_object_get(object, "n_gen"));
    assay_bench_result_t *result = bench_add(bench, ASSAY_BENCH_LLAMA, line);
    if (!result) {
        return ASSAY_LIMIT;
    }
    set_model(bench, result, object, "model_type");
    bench_llama(bench, result, prompt, gen, json_number_value(json_object_get(object, "avg_ts")));
    return ASSAY_OK;
}

static assay_status_t read_guidellm(bench_t *bench, const json_t *list, uint32_t line) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        assay_bench_result_t *result = bench_add(bench, ASSAY_BENCH_GUIDELLM, line);
        if (!result) {
            return ASSAY_LIMIT;
        }
        read_keys(bench, result, json_array_get(list, i), "guidellm");
    }
    return ASSAY_OK;
}

assay_status_t bench_read_object(bench_t *bench, const json_t *object, uint32_t line) {
    const json_t *list = json_object_get(object, "benchmarks");
    if (json_object_get(object, "avg_ts")) {
        return read_llama(bench, object, line);
    }
    if (json_is_array(list)) {
        return read_guidellm(bench, list, line);
    }
    const bool aiperf = json_is_object(json_object_get(object, "time_to_first_token")) ||
                        json_is_object(json_object_get(object, "request_latency"));
    if (!aiperf && !json_object_get(object, "total_output_tokens") &&
        !json_object_get(object, "output_throughput")) {
        return ASSAY_OK; /* of something else */
    }
    const bool sglang = json_object_get(object, "total_output_tokens_retokenized") ||
                        json_object_get(object, "mean_e2e_latency_ms");
    assay_bench_result_t *result = bench_add(bench,
                                             aiperf   ? ASSAY_BENCH_AIPERF
                                             : sglang ? ASSAY_BENCH_SGLANG
                                                      : ASSAY_BENCH_VLLM,
                                             line);
    if (!result) {
        return ASSAY_LIMIT;
    }
    set_model(bench, result, object, "model_id");
    read_keys(bench, result, object, aiperf ? "aiperf" : "json");
    return ASSAY_OK;
}
