/* Score: which rows are predicted, and why others are not. */
#include "assay/calibrate.h"
#include "assay/job.h" /* assay_recompute_t */
#include "assay/text.h"
#include "assay/train.h"
#include "resolve_fixture.h"
#include "score/score_parts.h"

#define TRAINING ASSAY_SOURCE_DIR "/data/measured/training.csv"

/* ---- tables of one row ---- */

typedef struct {
    const char *column, *value;
} cell_t;

/* A row that is predicted: Llama 2 7B on one node of eight A100. */
static const cell_t base[] = {
    {"id", "TEST-0001"},
    {"accelerator", "A100"},
    {"accel_variant", "SXM4 80GB"},
    {"count", "8"},
    {"interconnect_note", ""},
    {"model", "Llama 2 7B"},
    {"arch_family", "dense-llama"},
    {"n_layers", "32"},
    {"hidden", "4096"},
    {"heads", "32"},
    {"kv_heads", "32"},
    {"ffn", "11008"},
    {"vocab", "32000"},
    {"moe_experts", ""},
    {"seq_len", "4096"},
    {"global_batch", "64"},
    {"micro_batch", "1"},
    {"tp", "1"},
    {"pp", "1"},
    {"vpp", ""},
    {"cp", "1"},
    {"dp", "8"},
    {"zero_or_fsdp", "FSDP"},
    {"recompute", "full"},
    {"precision", "bf16"},
    {"framework", "test"},
    {"metric_name", "throughput_tokens_per_s_per_gpu"},
    {"metric_value", "3000"},
    {"metric_unit", "tokens/s/GPU"},
    {"tokens_per_s_per_gpu", "3000"},
    {"tflops_per_gpu", ""},
    {"notes", ""},
};
#define N_BASE (sizeof base / sizeof base[0])

static const char *value_of(const cell_t *change, size_t n_change, const cell_t *cell) {
    const char *value = cell->value;
    for (size_t i = 0; i < n_change; i++) {
        if (strcmp(change[i].column, cell->column) == 0) {
            value = change[i].value;
        }
    }
    return value;
}

/* One table of n rows, each the base with its changes. */
static assay_csv_t table_of(const cell_t *const *change, const size_t *n_change, size_t n) {
    assay_buf_t text;
    assay_csv_t csv;
    assay_error_t err;
    assay_buf_init(&text, 1u << 20);
    for (size_t i = 0; i < N_BASE; i++) {
        assay_buf_printf(&text, "%s%s", i ? "," : "", base[i].column);
    }
    for (size_t row = 0; row < n; row++) {
        for (size_t i = 0; i < N_BASE; i++) {
            assay_buf_printf(&text, "%s\"%s\"", i ? "," : "\n",
                             value_of(change[row], n_change[row], &base[i]));
        }
    }
    assay_buf_puts(&text, "\n");
    char *copy = assay_arena_strndup(arena, text.data, text.n);
    assert_non_null(copy);
    assert_int_equal(assay_csv_parse(arena, "test.csv", copy, text.n, &csv, &err), ASSAY_OK);
    assay_buf_done(&text);
    return csv;
}

static assay_score_t *score_table(const assay_csv_t *csv) {
    assay_score_t *score = NULL;
    assay_error_t err = {0};
    if (assay_score(arena, catalog, calibration, csv, NULL, &score, &err)) {
        fail_msg("%s:%u: %s; %s", err.file, err.line, err.what, err.next);
    }
    return score;
}

static const assay_score_item_t *score_row(const cell_t *change, size_t n_change) {
    const assay_csv_t csv = table_of(&change, &n_change, 1);
    return score_table(&csv)->item;
}
#define SCORE(...) \
    score_row((const cell_t[]){__VA_ARGS__}, sizeof((const cell_t[]){__VA_ARGS__}) / sizeof(cell_t))

static void make_case(const cell_t *change, size_t n_change, score_case_t *out) {
    const assay_csv_t csv = table_of(&change, &n_change, 1);
    score_context_t context = {.catalog = catalog, .calibration = calibration};
    score_columns_t columns;
    score_row_t row;
    score_skip_t skip = {0};
    assert_int_equal(score_columns_find(&csv, &columns, NULL), ASSAY_OK);
    assert_int_equal(score_rules_load(arena, catalog, SCORE_TRAINING_RULES, &context.rules, NULL),
                     ASSAY_OK);
    score_row_read(&csv, &columns, 0, &row);
    *out = (score_case_t){0};
    if (!score_case_make(arena, &context, &row, out, &skip)) {
        fail_msg("skipped: %s: %s", score_reason_sentence((score_reason_t)skip.reason),
                 skip.detail);
    }
}
#define CASE(out, ...)                       \
    make_case((const cell_t[]){__VA_ARGS__}, \
              sizeof((const cell_t[]){__VA_ARGS__}) / sizeof(cell_t), out)

/* ---- which rows are predicted ---- */

static void test_predicts_row(void **state) {
    (void)state;
    const assay_score_item_t *item = SCORE({"id", "TEST-0001"});
    assert_null(item->skipped);
    assert_string_equal(item->source, "TEST");
    assert_string_equal(item->group_accelerator, "nvidia-a100-sxm4-80g");
    assert_string_equal(item->precision, "bf16");
    assert_string_equal(item->unit, "tokens/s/device");
    assert_true(item->is_nvidia && !item->is_amd && !item->searched);
    assert_int_equal(item->devices, 8);
    assay_test_close(item->measured, 3000, 0, 0, "measured");
    assay_test_close(item->rel_error, item->predicted / 3000 - 1, 1e-12, 0, "error");
    /* 6.74e9 parameters take 4.5e10 FLOPs a token and a third more with recompute: 312e12 allow
       less than 5200 tokens/s. */
    assert_true(item->predicted > 1000 && item->predicted < 5200);
    assert_true(item->p10 < item->predicted && item->predicted < item->p90);
}

/* The layout of the row is what is estimated: the same as by hand. */
static void test_pins_layout(void **state) {
    (void)state;
    score_case_t of;
    CASE(&of, {"id", "TEST-0001"});
    const assay_layout_t layout = {.tp = 1,
                                   .pp = 1,
                                   .vpp = 1,
                                   .dp = 8,
                                   .micro_batch = 1,
                                   .zero = 3,
                                   .recompute = ASSAY_RECOMPUTE_FULL};
    assay_estimate_t estimate;
    assay_train_estimate(&of.machine, &of.work, &layout, &estimate);
    const assay_score_item_t *item = SCORE({"id", "TEST-0001"});
    assay_test_close(item->predicted, estimate.tokens_per_s / 8, 1e-12, 0, "tokens/s");
    assay_test_close(item->p10, item->predicted / estimate.rel_p90, 1e-12, 0, "p10");
    assay_test_close(item->p90, item->predicted / estimate.rel_p10, 1e-12, 0, "p90");
}

static void test_reasons(void **state) {
    (void)state;
    static const struct {
        cell_t change[3];
        score_reason_t reason;
        const char *detail; /* begins so */
    } row[] = {
        {{{"accelerator", "TPU v5p"}}, SCORE_REASON_ACCELERATOR, "TPU v5p"},
        {{{"accelerator", "Gaudi2"}}, SCORE_REASON_ACCELERATOR, "Gaudi2"},
        {{{"accelerator", "Zeta 9"}}, SCORE_REASON_ACCELERATOR, "Zeta 9"},
        {{{"arch_family", "moe-hybrid-mamba"}}, SCORE_REASON_MODEL, "moe-hybrid-mamba"},
        {{{"arch_family", "moe-hybrid-mamba"}}, SCORE_REASON_MODEL, "moe-hybrid-mamba"},
        {{{"arch_family", "odd"}, {"model", "odd"}}, SCORE_REASON_MODEL, "odd"},
        {{{"moe_experts", "8"}}, SCORE_REASON_SHAPE, "8 experts"},
        {{{"cp", "2"}, {"dp", "8"}, {"zero_or_fsdp", "DDP"}},
         SCORE_REASON_DEVICES,
         "tp 1 x pp 1 x cp 2 x dp 8 is not 8"},
        {{{"count", ""}}, SCORE_REASON_COUNT, ""},
        {{{"count", "twelve"}}, SCORE_REASON_COUNT, "twelve"},
        {{{"count", "12"}}, SCORE_REASON_MACHINE, "12 devices do not fill nodes of 8"},
        {{{"model", "nameless"}, {"n_layers", ""}}, SCORE_REASON_SHAPE, "n_layers"},
        {{{"model", "nameless"}, {"heads", ""}}, SCORE_REASON_SHAPE, "heads"},
        {{{"model", "nameless"}, {"ffn", ""}}, SCORE_REASON_SHAPE, "ffn"},
        {{{"heads", "48"}}, SCORE_REASON_SHAPE, "hidden 4096 does not divide by heads 48"},
        {{{"model", "nameless"}, {"vocab", ""}}, SCORE_REASON_SHAPE, "vocab"},
        {{{"seq_len", ""}}, SCORE_REASON_BATCH, "seq_len"},
        {{{"global_batch", ""}}, SCORE_REASON_BATCH, "global_batch"},
        {{{"global_batch", "-4"}}, SCORE_REASON_BATCH, "global_batch"},
        {{{"precision", ""}}, SCORE_REASON_PRECISION, ""},
        {{{"precision", "NVFP4"}}, SCORE_REASON_MACHINE, "nvidia-a100-sxm4-80g has no known fp4"},
        {{{"dp", "4"}, {"zero_or_fsdp", "DDP"}}, SCORE_REASON_DEVICES, "tp 1 x pp 1 x cp 1 x dp 4"},
        {{{"pp", "20"}, {"dp", ""}, {"count", "160"}}, SCORE_REASON_REFUSED, "pp x interleave"},
        {{{"metric_name", "gpu_hours_total"}}, SCORE_REASON_METRIC, "gpu_hours_total"},
        {{{"metric_name", "odd"}, {"tokens_per_s_per_gpu", ""}}, SCORE_REASON_METRIC, "odd"},
        {{{"metric_name", "tflops_per_gpu"}, {"tokens_per_s_per_gpu", ""}},
         SCORE_REASON_FORMULA,
         "tflops_per_gpu"},
        {{{"tokens_per_s_per_gpu", "fast"}}, SCORE_REASON_VALUE, "fast"},
        {{{"tokens_per_s_per_gpu", "-1"}}, SCORE_REASON_VALUE, "-1"},
        /* 6 x 6.7e9 x 1e4 = 4.0e14 and causal attention 1.3e13 over 3.12e14 */
        {{{"tokens_per_s_per_gpu", "10000"}}, SCORE_REASON_IMPOSSIBLE, "13"},
        {{{"notes", "SUSPECT: half the depth"}}, SCORE_REASON_SUSPECT, "marked SUSPECT"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        size_t n = 0;
        while (n < 3 && row[i].change[n].column) {
            n++;
        }
        const assay_score_item_t *item = score_row(row[i].change, n);
        const char *reason = score_reason_sentence(row[i].reason);
        if (!item->skipped || strcmp(item->skipped, reason) != 0 ||
            strncmp(item->skip_detail, row[i].detail, strlen(row[i].detail)) != 0) {
            fail_msg("%s=%s: got \"%s\" (%s), expected \"%s\" (%s)", row[i].change[0].column,
                     row[i].change[0].value, item->skipped ? item->skipped : "predicted",
                     item->skip_detail, reason, row[i].detail);
        }
        assert_true(item->predicted <= 0);
    }
}

/* Two machines whose counts are dies: eight to a node of LUMI, with four ports of 200 Gbit/s. */
static void test_reads_machine(void **state) {
    (void)state;
    score_case_t of;
    CASE(&of, {"accelerator", "MI250X"}, {"count", "64"}, {"dp", "64"},
         {"interconnect_note",
          "LUMI-G: 8 GCDs per node, Infinity Fabric in node, 4x200 Gb/s Slingshot-11, "
          "aws-ofi-rccl"});
    assert_int_equal(of.machine.devices, 64);
    assert_int_equal(of.machine.nodes, 8);
    assert_int_equal(of.machine.packages_per_node, 4);
    assay_test_close(of.machine.links.nic_bytes_per_s, 4 * 25e9, 1e-12, 0, "ports");
    assay_test_close(of.machine.device.hbm_bytes, 64 * 1073741824.0, .08, 0, "memory of a die");

    CASE(&of, {"accelerator", "GB200"}, {"count", "64"}, {"dp", "64"});
    assert_int_equal(of.machine.links.domain, 72);
    assert_int_equal(of.machine.devices_per_node, 4);

    CASE(&of, {"count", "16"}, {"dp", "16"}, {"interconnect_note", "4x100Gb RoCE per node"});
    assay_test_close(of.machine.links.nic_bytes_per_s, 4 * 12.5e9, 1e-12, 0, "ports");
}

static void test_reads_work(void **state) {
    (void)state;
    score_case_t of;
    /* 0.5 M tokens are 2^19: 256 sequences of 2048 */
    CASE(&of, {"global_batch", "0.5M tokens"}, {"seq_len", "2048"});
    assert_int_equal(of.work.global_batch, 256);

    /* GPT's rules: 4 h wide, as many KV heads as heads, its vocabulary */
    CASE(&of, {"model", "GPT 33B"}, {"arch_family", "dense-gpt"}, {"hidden", "6656"},
         {"heads", "52"}, {"kv_heads", ""}, {"ffn", ""}, {"vocab", ""});
    assert_int_equal(of.work.model.ffn, 4 * 6656);
    assert_int_equal(of.work.model.kv_heads, 52);
    assert_int_equal(of.work.model.head_dim, 128);
    assert_int_equal(of.work.model.vocab, 50257);
    assert_false(of.work.model.gated);

    /* A name of the catalog gives what the row leaves out; what the row says wins. */
    CASE(&of, {"model", "GPT-3 175B"}, {"n_layers", "48"}, {"hidden", ""}, {"heads", ""},
         {"kv_heads", ""}, {"ffn", ""}, {"vocab", ""});
    assert_int_equal(of.work.model.layers, 48);
    assert_int_equal(of.work.model.hidden, 12288);
    assert_int_equal(of.work.model.vocab, 50257);

    CASE(&of, {"precision", "16-bit (not stated which)"});
    assert_int_equal(of.work.dtype, ASSAY_DT_BF16);
    CASE(&of, {"precision", "MXFP8"}, {"accelerator", "B200"});
    assert_int_equal(of.work.dtype, ASSAY_DT_FP8);
    assert_false(of.work.unfused_attention);
    CASE(&of, {"id", "TLUMI-0001"}); /* of 2023, on AMD */
    assert_true(of.work.unfused_attention);
}

static void test_reads_layout_words(void **state) {
    (void)state;
    static const struct {
        const char *sharding, *recompute, *framework;
        int zero, recomputed, sequence_parallel, vpp;
    } row[] = {
        {"FSDP FULL_SHARD mixed_precision=DEFAULT", "none", "x", 3, 0, -1, 0},
        {"FSDP SHARD_GRAD_OP mixed_precision=DEFAULT", "full", "x", 2, 2, -1, 0},
        {"DDP + distributed optimizer (FSDP=0)", "", "Megatron-Bridge (Megatron-Core)", 1, -1, 1,
         0},
        {"FSDP shard=64", "selective", "NeMo/Megatron-Core", 3, 1, 1, 0},
        {"ZeRO-1", "full", "Megatron-DeepSpeed", 1, 2, 0, 1},
        {"DDP", "", "", 0, -1, -1, 0},
        {"", "", "", -1, -1, -1, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        score_case_t of;
        CASE(&of, {"zero_or_fsdp", row[i].sharding}, {"recompute", row[i].recompute},
             {"framework", row[i].framework}, {"tp", "2"}, {"pp", "2"}, {"dp", "2"});
        assert_int_equal(of.pin.zero, row[i].zero);
        assert_int_equal(of.pin.recompute, row[i].recomputed);
        assert_int_equal(of.pin.sequence_parallel, row[i].sequence_parallel);
        assert_int_equal(of.pin.vpp, row[i].vpp);
    }
}

static void test_searches_what_is_open(void **state) {
    (void)state;
    const assay_score_item_t *given = SCORE({"id", "TEST-0001"});
    const assay_score_item_t *open = SCORE({"tp", ""}, {"pp", ""}, {"dp", ""}, {"micro_batch", ""},
                                           {"zero_or_fsdp", ""}, {"recompute", ""});
    assert_null(open->skipped);
    assert_true(open->searched);
    assert_true(open->predicted >= given->predicted);
}

static assay_calibrate_t *fit_table(const assay_calibration_t *by, const assay_csv_t *csv) {
    assay_calibrate_t *fit = NULL;
    assay_error_t err = {0};
    if (assay_calibrate_training(arena, catalog, by, csv, NULL, &fit, &err)) {
        fail_msg("%s:%u: %s; %s", err.file, err.line, err.what, err.next);
    }
    return fit;
}

/* The constants at hand decide nothing of a fit, not even the layouts that rows leave open. */
static void test_fit_depends_on_rows_alone(void **state) {
    (void)state;
    static const cell_t open[] = {{"tp", ""},
                                  {"pp", ""},
                                  {"dp", ""},
                                  {"micro_batch", ""},
                                  {"recompute", ""},
                                  {"zero_or_fsdp", ""},
                                  {"global_batch", "256"}};
    const cell_t *const change[] = {open, open, open};
    const size_t n_change[] = {5, 6, 7};
    const assay_csv_t csv = table_of(change, n_change, 3);
    static const char slow[] = "scope,dtype,constant,value,p10,p90,basis,rows,unit,source,method\n"
                               "nvidia-a100-sxm4-80g,*,run_gemm,4,4,4,calibrated,1,1,test,test\n";
    assay_calibration_t *other;
    assay_error_t err;
    assert_int_equal(calibration_over("calibration.csv", slow, &other, &err), ASSAY_OK);
    const assay_calibrate_t *a = fit_table(calibration, &csv);
    const assay_calibrate_t *b = fit_table(other, &csv);
    assert_int_equal(a->n_row, b->n_row);
    for (uint32_t i = 0; i < a->n_row; i++) {
        assay_test_close(b->row[i].value, a->row[i].value, 0, 0, a->row[i].scope);
    }
}

/* What ran did fit: 70 B parameters on two devices are predicted, and counted. */
static void test_predicts_what_does_not_fit(void **state) {
    (void)state;
    const cell_t change[] = {
        {"model", "Llama 2 70B"}, {"n_layers", "80"}, {"hidden", "8192"},
        {"heads", "64"},          {"kv_heads", "8"},  {"ffn", "28672"},
        {"count", "2"},           {"dp", "2"},        {"tokens_per_s_per_gpu", "400"}};
    const cell_t *changes[] = {change};
    const size_t n[] = {sizeof change / sizeof change[0]};
    const assay_csv_t csv = table_of(changes, n, 1);
    const assay_score_t *score = score_table(&csv);
    assert_null(score->item[0].skipped);
    assert_true(score->item[0].does_not_fit);
    assert_true(score->item[0].predicted > 0);
    assert_int_equal(score->does_not_fit, 1);
}

/* ---- what was measured ---- */

/* The same run, told in other metrics: the prediction is the same, in another unit. */
static void test_metrics(void **state) {
    (void)state;
    const assay_score_item_t *tokens = SCORE({"id", "TLLMF-0001"});
    /* A step is 64 x 4096 tokens on 8 devices. */
    const double rate = tokens->predicted, step_tokens = 64.0 * 4096 / 8;
    /* 6 (N without embedding) + 6 H V + 12 L H s, N by hand: 32 (4 x 4096^2 + 3 x 4096 x 11008 +
       2 x 4096) + 4096 */
    const double body = 32 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 11008 + 2 * 4096) + 4096;
    const double flops = 6 * body + 6 * 4096.0 * 32000 + 12 * 32 * 4096.0 * 4096;
    const struct {
        const char *metric, *value;
        double predicted, tokens_per_s_per_device;
    } row[] = {
        {"throughput_tokens_per_s", "24000", 8 * rate, 3000},
        {"throughput_samples_per_s", "6", 8 * rate / 4096, 6 * 4096.0 / 8},
        {"seconds_per_iteration", "10", step_tokens / rate, step_tokens / 10},
        {"ms_per_iteration", "10000", 1e3 * step_tokens / rate, step_tokens / 10},
        {"model_tflops_per_gpu", "150", flops * rate / 1e12, 150e12 / flops},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_score_item_t *item =
            SCORE({"id", "TLLMF-0001"}, {"metric_name", row[i].metric},
                  {"metric_value", row[i].value}, {"tokens_per_s_per_gpu", ""});
        assert_null(item->skipped);
        assert_string_equal(item->metric, row[i].metric);
        assay_test_close(item->predicted, row[i].predicted, 1e-9, 0, row[i].metric);
        assay_test_close(item->tokens_per_s_per_device, row[i].tokens_per_s_per_device, 1e-9, 0,
                         row[i].metric);
        assert_true(item->p10 < item->predicted && item->predicted < item->p90);
    }
}

static assay_csv_t published(void) {
    char *text;
    size_t size;
    assay_csv_t csv;
    assay_error_t err;
    assert_int_equal(assay_file_read(arena, TRAINING, 64u << 20, &text, &size, &err), ASSAY_OK);
    assert_int_equal(assay_csv_parse(arena, TRAINING, text, size, &csv, &err), ASSAY_OK);
    return csv;
}

/* Of the whole table: other measured values, the same predictions. */
static void test_never_looks(void **state) {
    (void)state;
    static const char *const measured[] = {"metric_value", "tokens_per_s_per_gpu", "tflops_per_gpu",
                                           "mfu_or_hfu"};
    const assay_csv_t csv = published();
    const assay_score_t *before = score_table(&csv);
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const int column = assay_csv_column(&csv, measured[i]);
        assert_true(column >= 0);
        for (uint32_t row = 0; row < csv.n_rows; row++) {
            const char **cell = &csv.cell[row * csv.n_columns + (uint32_t)column];
            *cell = **cell ? "17" : "";
        }
    }
    const assay_score_t *after = score_table(&csv);
    assert_int_equal(after->predicted, before->predicted);
    for (uint32_t i = 0; i < before->n_item; i++) {
        assert_int_equal(before->item[i].skipped == NULL, after->item[i].skipped == NULL);
        assay_test_close(after->item[i].predicted, before->item[i].predicted, 0, 0,
                         before->item[i].id);
        assay_test_close(after->item[i].p10, before->item[i].p10, 0, 0, before->item[i].id);
        assay_test_close(after->item[i].p90, before->item[i].p90, 0, 0, before->item[i].id);
        if (!after->item[i].skipped) {
            assay_test_close(after->item[i].measured, 17, 0, 0, "measured");
        }
    }
}

/* ---- the published table ---- */

static void test_published_table(void **state) {
    (void)state;
    const assay_csv_t csv = published();
    assert_int_equal(setenv("ASSAY_THREADS", "1", 1), 0);
    const assay_score_t *score = score_table(&csv);
    assert_int_equal(setenv("ASSAY_THREADS", "3", 1), 0);
    const assay_score_t *threaded = score_table(&csv);
    assert_int_equal(unsetenv("ASSAY_THREADS"), 0);

    assert_int_equal(score->rows, 1033);
    assert_int_equal(score->n_item, score->rows);
    assert_int_equal(score->rows, score->predicted + score->skipped);
    assert_true(score->predicted >= 300);
    uint32_t n_reason = 0;
    for (uint32_t i = 0; i < score->n_skip; i++) {
        n_reason += score->skip[i].n;
    }
    assert_int_equal(n_reason, score->skipped);
    for (uint32_t i = 0; i < score->n_item; i++) {
        const assay_score_item_t *item = &score->item[i];
        assert_non_null(item->id);
        assert_non_null(item->metric);
        assert_memory_equal(&item->predicted, &threaded->item[i].predicted, sizeof(double));
        if (item->skipped) {
            assert_true(item->skipped[0] != '\0');
            continue;
        }
        const double value[] = {item->measured,
                                item->predicted,
                                item->p10,
                                item->p90,
                                item->tokens_per_s_per_device,
                                item->predicted_tokens_per_s_per_device};
        for (size_t k = 0; k < sizeof value / sizeof value[0]; k++) {
            assert_true(isfinite(value[k]) && value[k] > 0);
        }
        assert_true(isfinite(item->rel_error));
        assert_true(item->p10 < item->predicted && item->predicted < item->p90);
        assert_non_null(item->work_key);
    }
    const double total[] = {score->median_abs_rel_error,   score->p90_abs_rel_error,
                            score->macro_median_by_source, score->bias,
                            score->interval_coverage,      score->interval_score,
                            score->ranking.accuracy,       score->ranking.baseline_accuracy};
    for (size_t i = 0; i < sizeof total / sizeof total[0]; i++) {
        assert_true(isfinite(total[i]));
    }
    for (uint32_t i = 0; i < score->n_group; i++) {
        assert_true(score->group[i].n > 0 && isfinite(score->group[i].bias));
    }
}

static void test_nothing_predicted(void **state) {
    (void)state;
    const cell_t change[] = {{"precision", ""}};
    const cell_t *changes[] = {change};
    const size_t n[] = {1};
    const assay_csv_t csv = table_of(changes, n, 1);
    const assay_score_t *score = score_table(&csv);
    assert_int_equal(score->predicted, 0);
    assert_int_equal(score->n_group, 0);
    assert_int_equal(score->ranking.pairs, 0);
    assert_true(isfinite(score->median_abs_rel_error) && isfinite(score->interval_score));
}

/* Rows of one model, sequence, precision class and batch regime are equal work. */
static void test_equal_work(void **state) {
    (void)state;
    const assay_score_item_t *a = SCORE({"id", "TEST-0001"});
    const assay_score_item_t *h =
        SCORE({"accelerator", "H100"}, {"precision", "fp16"}, {"micro_batch", "2"});
    assert_string_equal(a->work_key, h->work_key);
    const assay_score_item_t *other[] = {
        SCORE({"seq_len", "2048"}),
        SCORE({"accelerator", "H100"}, {"precision", "fp8"}),
        SCORE({"n_layers", "16"}),
        SCORE({"global_batch", "1024"}),
    };
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        assert_string_not_equal(a->work_key, other[i]->work_key);
    }
}

/* ---- errors ---- */

static void test_not_a_measurement_table(void **state) {
    (void)state;
    static const char text[] = "id,accelerator,count,model,metric_name\nx,A100,8,m,y\n";
    assay_csv_t csv;
    assay_score_t *score = NULL;
    assay_error_t err;
    assert_int_equal(assay_csv_parse(arena, "odd.csv", text, sizeof text - 1, &csv, &err),
                     ASSAY_OK);
    assert_int_equal(assay_score(arena, catalog, calibration, &csv, NULL, &score, &err),
                     ASSAY_INPUT);
    assert_null(score);
    assert_string_equal(err.file, "odd.csv");
    assert_int_equal(err.line, 1);
    assert_non_null(strstr(err.what, "metric_value"));
}

static bool always(void *ctx) {
    (void)ctx;
    return true;
}

static void count_progress(void *ctx, const char *step, uint64_t done, uint64_t total) {
    uint64_t *last = ctx;
    assert_string_equal(step, "score");
    assert_true(done == *last + 1 && done <= total);
    *last = done;
}

static void test_hooks(void **state) {
    (void)state;
    const cell_t change[] = {{"precision", ""}};
    const cell_t *changes[] = {change, change, change};
    const size_t n[] = {1, 1, 1};
    const assay_csv_t csv = table_of(changes, n, 3);
    const assay_hooks_t stop = {.cancelled = always};
    uint64_t last = 0;
    const assay_hooks_t watch = {.ctx = &last, .progress = count_progress};
    assay_score_t *score = NULL;
    assay_error_t err;
    assert_int_equal(assay_score(arena, catalog, calibration, &csv, &stop, &score, &err),
                     ASSAY_CANCELLED);
    assert_null(score);
    assert_int_equal(assay_score(arena, catalog, calibration, &csv, &watch, &score, &err),
                     ASSAY_OK);
    assert_int_equal(last, 3);
}

/* A user's rules replace all rules about the same thing; one that cannot be read is an error. */
static void test_overlaid_rules(void **state) {
    (void)state;
    static const struct {
        const char *rule, *error; /* error NULL: read, and H100 is an H200 */
    } table[] = {
        {"accelerator,accelerator,A100,h200,test", NULL},
        {"accelerator,accelerator,A100,nothing,test", "an accelerator of the catalog"},
        {"accelerator,metric_value,3000,h200,test", "a column that this rule may look at"},
        {"colour,model,*,red,test", "something that rules decide"},
        {"zero,zero_or_fsdp,DDP,4,test", "one of the values"},
        {"network,interconnect_note,*,roce 200,test", "KIND GBIT_S NICS"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assay_catalog_t *over;
        score_rules_t rules;
        assay_error_t err = {0};
        const char *const dir[] = {overlay_make(
            "score_rules.csv",
            assay_arena_printf(arena, "decides,column,pattern,value,note\n%s\n", table[i].rule))};
        assert_int_equal(assay_catalog_load(arena, dir, 1, &over, &err), ASSAY_OK);
        const assay_status_t status =
            score_rules_load(arena, over, SCORE_TRAINING_RULES, &rules, &err);
        overlay_remove(dir[0], "score_rules.csv");
        if (table[i].error) {
            assert_int_equal(status, ASSAY_INPUT);
            assert_non_null(strstr(err.file, "score_rules.csv"));
            assert_int_equal(err.line, 2);
            if (!strstr(err.what, table[i].error)) {
                fail_msg("%s: got \"%s\"", table[i].rule, err.what);
            }
        } else {
            assert_int_equal(status, ASSAY_OK);
            score_row_t row = {.text = {[SCORE_COLUMN_ACCELERATOR] = "A100"}};
            const score_rule_t *rule = score_rule_find(&rules, SCORE_RULE_PART, &row, NULL);
            assert_string_equal(rule->part->id, "nvidia-h200-sxm-141g");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predicts_row),
        cmocka_unit_test(test_pins_layout),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_reads_machine),
        cmocka_unit_test(test_reads_work),
        cmocka_unit_test(test_reads_layout_words),
        cmocka_unit_test(test_searches_what_is_open),
        cmocka_unit_test(test_fit_depends_on_rows_alone),
        cmocka_unit_test(test_predicts_what_does_not_fit),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_never_looks),
        cmocka_unit_test(test_published_table),
        cmocka_unit_test(test_nothing_predicted),
        cmocka_unit_test(test_equal_work),
        cmocka_unit_test(test_not_a_measurement_table),
        cmocka_unit_test(test_hooks),
        cmocka_unit_test(test_overlaid_rules),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
