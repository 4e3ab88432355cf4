/* Which tool a file is from, and what all readers share. */
#include <math.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"
#include "bench/bench_parts.h"

#include "base/banned.h"

const char *assay_bench_tool_name(assay_bench_tool_t tool) {
    static const char *const name[ASSAY_BENCH_TOOL_N] = {
#define TOOL_NAME(code, text) [ASSAY_BENCH_##code] = text,
        ASSAY_BENCH_TOOL_LIST(TOOL_NAME)
#undef TOOL_NAME
    };
    return (unsigned)tool < ASSAY_BENCH_TOOL_N ? name[tool] : "unknown";
}

static const char *const figure_name[ASSAY_BENCH_FIGURE_N] = {
#define FIGURE_NAME(code, text) [ASSAY_BENCH_##code] = text,
    ASSAY_BENCH_FIGURE_LIST(FIGURE_NAME)
#undef FIGURE_NAME
};
static const char *const metric_name[ASSAY_BENCH_METRIC_N] = {
#define METRIC_NAME(code, text) [ASSAY_BENCH_##code] = text,
    ASSAY_BENCH_METRIC_LIST(METRIC_NAME)
#undef METRIC_NAME
};

static int find_name(const char *const *name, int n, const char *text) {
    for (int i = 0; i < n; i++) {
        if (strcmp(name[i], text) == 0) {
            return i;
        }
    }
    return -1;
}

int bench_stat(const char *word, size_t n) {
    static const struct {
        const char *word;
        int stat;
    } row[] = {
        {"mean", ASSAY_BENCH_MEAN}, {"avg", ASSAY_BENCH_MEAN}, {"median", ASSAY_BENCH_P50},
        {"p50", ASSAY_BENCH_P50},   {"p90", ASSAY_BENCH_P90},  {"p95", ASSAY_BENCH_P95},
        {"p99", ASSAY_BENCH_P99},   {"min", ASSAY_BENCH_MIN},  {"max", ASSAY_BENCH_MAX},
    };
    char text[8];
    if (n == 0 || n >= sizeof text) {
        return -1;
    }
    memcpy(text, word, n);
    text[n] = '\0';
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (assay_text_equal_fold(text, row[i].word)) {
            return row[i].stat;
        }
    }
    return -1;
}

void bench_set(assay_bench_figure_t *figure, double value) {
    if (isfinite(value) && value >= 0) {
        *figure = (assay_bench_figure_t){.v = value, .known = true};
    }
}

assay_bench_result_t *bench_add(bench_t *bench, assay_bench_tool_t tool, uint32_t line) {
    if (bench->n_result == ASSAY_BENCH_RESULTS) {
        (void)assay_error_set(bench->err, ASSAY_LIMIT, NULL, "%s holds more than %d results",
                              bench->file, ASSAY_BENCH_RESULTS);
        return NULL;
    }
    if (bench->n_result == bench->capacity) {
        const uint32_t capacity = bench->capacity ? 2 * bench->capacity : 16;
        assay_bench_result_t *more =
            assay_arena_array(bench->arena, capacity, sizeof *bench->result);
        if (!more) {
            (void)assay_error_memory(bench->err, NULL);
            return NULL;
        }
        if (bench->n_result > 0) {
            memcpy(more, bench->result, bench->n_result * sizeof *more);
        }
        bench->result = more;
        bench->capacity = capacity;
    }
    assay_bench_result_t *result = &bench->result[bench->n_result++];
    *result = (assay_bench_result_t){
        .tool = (uint8_t)tool, .model = "", .test = "", .at = {bench->file, line, 0}};
    return result;
}

static assay_status_t load_table(bench_t *bench, const char *table, const char *column,
                                 const char *const *dir, uint32_t n_dir) {
    assay_csv_t csv;
    const assay_status_t status =
        assay_data_table(bench->arena, table, dir, n_dir, &csv, bench->err);
    if (status != ASSAY_OK) {
        return status;
    }
    bench_key_t *key =
        assay_arena_array(bench->arena, (size_t)bench->n_key + csv.n_rows, sizeof *key);
    if (!key) {
        return assay_error_memory(bench->err, NULL);
    }
    if (bench->n_key > 0) {
        memcpy(key, bench->key, bench->n_key * sizeof *key);
    }
    bench->key = key;
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        const assay_place_t at = assay_csv_place(&csv, row);
        const char *name = assay_csv_cell(&csv, row, assay_csv_column(&csv, column));
        const char *scale = assay_csv_cell(&csv, row, assay_csv_column(&csv, "scale"));
        bench_key_t *one = &key[bench->n_key++];
        *one = (bench_key_t){.tool = assay_csv_cell(&csv, row, assay_csv_column(&csv, "tool")),
                             .key = assay_csv_cell(&csv, row, assay_csv_column(&csv, "key")),
                             .figure = find_name(figure_name, ASSAY_BENCH_FIGURE_N, name),
                             .metric = find_name(metric_name, ASSAY_BENCH_METRIC_N, name)};
        if ((one->figure < 0 && one->metric < 0) ||
            !assay_text_to_double(scale, strlen(scale), &one->scale)) {
            return assay_error_set(bench->err, ASSAY_INPUT, &at,
                                   "'%s' times '%s' is no figure of a benchmark", name, scale);
        }
    }
    return ASSAY_OK;
}

assay_status_t bench_keys_load(bench_t *bench, const char *const *dir, uint32_t n_dir) {
    const assay_status_t status = load_table(bench, "bench_keys.csv", "figure", dir, n_dir);
    return status == ASSAY_OK ? load_table(bench, "bench_latencies.csv", "metric", dir, n_dir)
                              : status;
}

bool bench_line(const char **io_text, size_t *io_n, const char **out_line, size_t *out_n) {
    if (*io_n == 0) {
        return false;
    }
    const char *end = memchr(*io_text, '\n', *io_n);
    const size_t n = end ? (size_t)(end - *io_text) : *io_n;
    *out_line = *io_text;
    *out_n = n > 0 && (*io_text)[n - 1] == '\r' ? n - 1 : n;
    *io_text += n + (end != NULL);
    *io_n -= n + (end != NULL);
    return true;
}

/* ---- by content ---- */

static bool holds(const bench_t *bench, const char *text) {
    return memmem(bench->data, bench->size, text, strlen(text)) != NULL;
}

bool assay_bench_is_collective(const char *data, size_t size) {
    return memmem(data, size, "busbw", 5) != NULL && memmem(data, size, "algbw", 5) != NULL;
}

static assay_status_t refuse_json(const bench_t *bench, const json_error_t *error, uint32_t line) {
    const assay_place_t at = {bench->file, line + (uint32_t)(error->line > 0 ? error->line - 1 : 0),
                              error->column > 0 ? (uint32_t)error->column : 0};
    return assay_error_set(bench->err, ASSAY_INPUT, &at, "broken JSON: %s", error->text);
}

/* One object, or an array of them. */
static assay_status_t read_value(bench_t *bench, const json_t *value, uint32_t line) {
    assay_status_t status = ASSAY_OK;
    if (json_is_object(value)) {
        return bench_read_object(bench, value, line);
    }
    for (size_t i = 0; i < json_array_size(value) && status == ASSAY_OK; i++) {
        const json_t *one = json_array_get(value, i);
        status = json_is_object(one) ? bench_read_object(bench, one, line) : ASSAY_OK;
    }
    return status;
}

#define JSON_FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL)

/* The whole is JSON, or every line is. */
static assay_status_t read_json(bench_t *bench) {
    json_error_t error;
    json_t *root = json_loadb(bench->data, bench->size, JSON_FLAGS, &error);
    if (root) {
        const assay_status_t status = read_value(bench, root, 1);
        json_decref(root);
        return status;
    }
    const json_error_t first = error;
    const char *text = bench->data, *line;
    size_t left = bench->size, n;
    assay_status_t status = ASSAY_OK;
    for (uint32_t at = 1; bench_line(&text, &left, &line, &n) && status == ASSAY_OK; at++) {
        if (n == 0) {
            continue;
        }
        root = json_loadb(line, n, JSON_FLAGS, &error);
        if (!root) {
            return at == 1 ? refuse_json(bench, &first, 1) : refuse_json(bench, &error, at);
        }
        status = read_value(bench, root, at);
        json_decref(root);
    }
    return status;
}

static bool is_json(const bench_t *bench) {
    size_t i = 0;
    while (i < bench->size && strchr(" \t\r\n", bench->data[i]) && bench->data[i]) {
        i++;
    }
    return i < bench->size && (bench->data[i] == '{' || bench->data[i] == '[');
}

static assay_status_t read_any(bench_t *bench) {
    if (is_json(bench)) {
        const bool streamed = holds(bench, "\"delta\"") || holds(bench, "\"choices\"");
        return streamed ? bench_read_stream(bench) : read_json(bench);
    }
    if (holds(bench, "Benchmark duration") || holds(bench, "Successful requests:")) {
        return bench_read_text(bench);
    }
    if (holds(bench, "_bucket{") || holds(bench, "# TYPE ")) {
        return bench_read_prometheus(bench);
    }
    if (holds(bench, "avg_ts")) {
        return bench_read_llama_csv(bench);
    }
    return holds(bench, "t/s |") ? bench_read_llama_markdown(bench) : ASSAY_OK;
}

assay_status_t assay_bench_read(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                const char *file, const char *data, size_t size, assay_bench_t *out,
                                assay_error_t *err) {
    bench_t bench = {.arena = arena, .file = file, .data = data, .size = size, .err = err};
    assay_status_t status = bench_keys_load(&bench, dir, n_dir);
    if (status == ASSAY_OK && size > ASSAY_BENCH_BYTES) {
        status = assay_error_set(err, ASSAY_LIMIT, NULL, "%s is larger than %zu MiB", file,
                                 ASSAY_BENCH_BYTES >> 20);
    }
    if (status == ASSAY_OK) {
        status = read_any(&bench);
    }
    if (status == ASSAY_OK && bench.n_result == 0) {
        const assay_place_t at = {file, 0, 0};
        assay_error_set(err, ASSAY_INPUT, &at, "no result of a load generator that is known");
        assay_error_next(err, "give what vLLM, SGLang, AIPerf, GuideLLM, llama-bench or nccl-tests "
                              "print, a stream of chunks, or Prometheus text");
        return ASSAY_INPUT;
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < bench.n_result; i++) {
        bench_judge(arena, &bench.result[i]);
    }
    *out = (assay_bench_t){.result = bench.result, .n_result = bench.n_result};
    return status;
}
