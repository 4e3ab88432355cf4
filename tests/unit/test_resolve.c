/* Resolve: what a job becomes. Expected figures are the catalog's own, by hand in the comments. */
#include "resolve_fixture.h"

#define TRAIN                                                                                  \
    "assay: 1\n"                                                                               \
    "workload:\n"                                                                              \
    "  train: {model: llama-65b, dataset_tokens: 1.4e12, sequence: 2048, global_batch: 2048, " \
    "precision: bf16}\n"
#define SEED                                                                                    \
    TRAIN                                                                                       \
    "candidates:\n"                                                                             \
    "  - {system: 8x-a100-pcie-80g, nodes: 256, buy_usd: 128000, node_power_w: 3600, network: " \
    "{kind: ib, gbit_s: 200, nics: 4}}\n"                                                       \
    "  - {system: 8x-mi250x-oam, nodes: 256, buy_usd: 93000, node_power_w: 5700, network: "     \
    "{kind: ib, gbit_s: 200, nics: 8}, nodes_per_rack: 3, retrofit_usd_per_rack: 6500}\n"

static void test_seed_machines(void **state) {
    (void)state;
    const assay_resolved_t *resolved = resolve_ok(SEED);
    assert_int_equal(resolved->n_machine, 2);
    const assay_machine_t *a100 = &resolved->machine[0], *mi250x = &resolved->machine[1];
    assert_int_equal(a100->devices, 2048);   /* 256 x 8 */
    assert_int_equal(mi250x->devices, 4096); /* 256 x 8 modules x 2 devices */
    assert_int_equal(mi250x->devices_per_package, 2);
    assay_test_close(a100->device.peak_flops[ASSAY_DT_BF16], 312e12, 1e-9, 0, "A100 bf16 dense");
    assay_test_close(mi250x->device.peak_flops[ASSAY_DT_BF16], 191.5e12, 1e-9, 0,
                     "half of the module's 383");
    assay_test_close(mi250x->device.hbm_bytes, 64 * 1073741824.0, 1e-9, 0, "half of 128 GiB");
    assay_test_close(mi250x->device.hbm_bytes_per_s, 1638.4e9, 1e-9, 0, "half of 3276.8 GB/s");
    assert_int_equal(mi250x->device.compute_units, 110);
    assay_test_close(a100->links.nic_bytes_per_s, 4 * 25e9, 1e-9, 0, "four 200 Gbit/s ports");
    assay_test_close(a100->host_w.v, 3600.0 - 8 * 300.0, 1e-9, 0, "nameplate less 8 x 300 W");
    assay_test_close(mi250x->host_w.v, 5700.0 - 8 * 560.0, 1e-9, 0, "nameplate less 8 x 560 W");
    assay_test_close(mi250x->retrofit_usd_per_rack.v, 6500.0, 0, 0, "given");
    assert_false(a100->needs_migration);
    assert_true(mi250x->needs_migration);
    assert_true(a100->capex_usd.known && !a100->usd_per_h.known);
}

/* systems.csv: p4d has 4 x 100G EFA although an HGX A100 usually has 8 x 200 Gbit/s; Frontier's
   nodes 4 x 200 Gbit/s of Slingshot. What the job says counts more. */
static void test_network_of_the_system(void **state) {
    (void)state;
    const assay_resolved_t *resolved = resolve_ok(
        TRAIN
        "candidates:\n"
        "  - {system: aws-p4d.24xlarge, nodes: 2, usd_per_h: 20}\n"
        "  - {system: frontier-node, nodes: 2, buy_usd: 1}\n"
        "  - {system: aws-p4d.24xlarge, id: other, nodes: 2, usd_per_h: 20, network: {kind: ib, "
        "gbit_s: 200, nics: 8}}\n");
    assay_test_close(resolved->machine[0].links.nic_bytes_per_s, 4 * 12.5e9, 1e-12, 0, "p4d");
    assay_test_close(resolved->machine[1].links.nic_bytes_per_s, 4 * 25e9, 1e-12, 0, "Frontier");
    assay_test_close(resolved->machine[2].links.nic_bytes_per_s, 8 * 25e9, 1e-12, 0, "as written");
    const char *const kind[] = {"efa", "slingshot", "ib"};
    for (int i = 0; i < 3; i++) {
        const char *const scope[] = {kind[i], NULL};
        assay_test_close(
            resolved->machine[i].device.calib[ASSAY_CALIB_NETWORK_EFFICIENCY][ASSAY_DT_BF16],
            assay_calibration_get(calibration, ASSAY_CALIB_NETWORK_EFFICIENCY, scope, ASSAY_DT_N).v,
            1e-15, 0, kind[i]);
    }
    assert_string_equal(find_note(resolved, "aws-p4d.24xlarge network")->value,
                        "4 x 100 Gbit/s, efa");
}

static void test_seed_workload(void **state) {
    (void)state;
    const assay_resolved_t *resolved = resolve_ok(SEED);
    assert_int_equal(resolved->workload.sequence, 2048);
    assert_int_equal(resolved->workload.global_batch, 2048);
    assay_test_close(resolved->workload.tokens, 1.4e12, 0, 0.5, "one epoch");
    /* LLaMA paper, table 2: 65.2 B parameters. */
    assay_test_close(resolved->workload.count.total, 65.2e9, 2e-3, 0, "parameters");
}

static void test_every_default_is_an_assumption_with_source(void **state) {
    (void)state;
    const assay_resolved_t *resolved = resolve_ok(SEED);
    static const char *const key[] = {
        "money.years",       "money.discount_rate", "money.electricity_usd_kwh",
        "money.pue",         "money.utilisation",   "money.residual",
        "money.contingency", "migration.level1",    "migration.level2",
        "migration.level3",  "migration.from"};
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
        const assay_note_t *note = find_note(resolved, key[i]);
        if (!note || !note->value || !note->source || !note->source[0]) {
            fail_msg("no assumption with value and source for %s", key[i]);
        }
        assert_int_equal(note->kind, ASSAY_NOTE_ASSUMPTION);
    }
    assert_null(find_note(resolved, "train.sequence")); /* given */
}

static void test_absent_batch_and_sequence(void **state) {
    (void)state;
    const assay_resolved_t *resolved =
        resolve_ok("assay: 1\nworkload: {train: {model: llama-65b, dataset_tokens: 1e9}}\n"
                   "candidates: [{system: 8x-a100-pcie-80g}]\n");
    assert_int_equal(resolved->workload.sequence, 2048);     /* the model's own positions */
    assert_int_equal(resolved->workload.global_batch, 2048); /* 4 Mi tokens / 2048 */
    assert_non_null(find_note(resolved, "train.sequence"));
    assert_non_null(find_note(resolved, "train.global_batch_tokens"));
    assert_int_equal(resolved->machine[0].nodes, 1);
}

static void test_claims_disagree(void **state) {
    (void)state;
    const assay_resolved_t *resolved = resolve_ok(SEED "claims: [seed-a]\n");
    /* A3: 5.0 PFLOPS; eight A100 are 8 x 312 TFLOPS dense = 2.496. */
    const assay_note_t *fp16 = find_note(resolved, "seed-a a3.a100.fp16");
    assert_non_null(fp16);
    assert_int_equal(fp16->kind, ASSAY_NOTE_WARNING);
    assert_non_null(strstr(fp16->text, "2.5"));
    assert_non_null(strstr(fp16->text, "sparsity"));
    assert_non_null(find_note(resolved, "seed-a a3.mi250x.fp16"));  /* 7.8 against 3.06 */
    assert_non_null(find_note(resolved, "seed-a a3.mi250x.capex")); /* 93,000 against 192,560 */
    assert_null(find_note(resolved, "seed-a a3.mi250x.memory"));    /* 1024 GB agrees */
    assert_null(find_note(resolved, "seed-a a3.a100.bandwidth"));   /* 2.0 is 1.935 rounded */
}

static void test_claimed_prices(void **state) {
    (void)state;
    const assay_resolved_t *resolved =
        resolve_ok(TRAIN "prices: seed-a\ncandidates: [{system: 8x-mi250x-oam, nodes: 2}]\n");
    assay_test_close(resolved->machine[0].capex_usd.v, 93000.0, 0, 0, "the article's price");
    resolved = resolve_ok(TRAIN "candidates: [{system: 8x-mi250x-oam, nodes: 2}]\n");
    assay_test_close(resolved->machine[0].capex_usd.v, 8 * 14500 * 1.66, 1e-9, 0,
                     "public estimate");
}

/* prices.csv: p4d 21.957642 USD/h (2026-07-20) and 32.77 (2025-03), a2-highgpu-8g 29.38708
   and 29.36; p5e has no row, so that what others ask for H200 counts. */
static void test_rent_of_a_named_instance(void **state) {
    (void)state;
    const assay_resolved_t *resolved =
        resolve_ok(TRAIN "candidates: [{system: aws-p4d.24xlarge}, {system: "
                         "gcp-a2-highgpu-8g}, {system: aws-p5e.48xlarge}]\n");
    assay_test_close(resolved->machine[0].usd_per_h.v, 21.957642, 1e-12, 0, "p4d");
    assay_test_close(resolved->machine[1].usd_per_h.v, 29.38708, 1e-12, 0, "a2-highgpu-8g");
    assert_string_equal(find_note(resolved, "aws-p4d.24xlarge rent")->source,
                        "prices.csv aws-p4d.24xlarge-us-east-1, 2026-07-20");
    assert_non_null(
        strstr(find_note(resolved, "aws-p5e.48xlarge rent")->source, "providers ask in "));
}

/* defaults.csv: 25 % (10 % to 35 %) after 3 years; a quarter in 3 years is half in 1.5 and a
   sixteenth in 6. A share that the job gives stays. */
static void test_residual_follows_the_years(void **state) {
    (void)state;
    static const struct {
        const char *money;
        double residual;
    } row[] = {{"", 0.25},
               {"money: {years: 3}\n", 0.25},
               {"money: {years: 1.5}\n", 0.5},
               {"money: {years: 6}\n", 0.0625},
               {"money: {years: 6, residual: 0.2}\n", 0.2}};
    char text[1024];
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        snprintf(text, sizeof text, TRAIN "candidates: [{system: 8x-a100-pcie-80g}]\n%s",
                 row[i].money);
        const assay_resolved_t *resolved = resolve_ok(text);
        assay_test_close(resolved->money.residual, row[i].residual, 1e-14, 0, row[i].money);
    }
    const assay_resolved_t *resolved =
        resolve_ok(TRAIN "candidates: [{system: 8x-a100-pcie-80g}]\nmoney: {years: 6}\n");
    const assay_note_t *note = find_note(resolved, "money.residual");
    /* 0.1^2 to 0.35^2 */
    assert_string_equal(note->value, "6.25 % (1 to 12.2 %)");
    assert_non_null(strstr(note->text, "after 3 years"));
}

static void test_bad_inputs(void **state) {
    (void)state;
    static const struct {
        const char *text;
        assay_status_t status;
        uint32_t line;
        const char *what;
    } bad[] = {
        {TRAIN "candidates: [{system: 8x-mi250x-omm}]\n", ASSAY_NOT_FOUND, 4, "8x-mi250x-omm"},
        {"assay: 1\nworkload:\n  train: {model: llama-66b, dataset_tokens: 1e9}\n"
         "candidates: [{system: 8x-mi250x-oam}]\n",
         ASSAY_NOT_FOUND, 3, "llama-66b"},
        {"assay: 1\nworkload:\n  train: {model: llama-65b, dataset_tokens: 1e9, precision: fp8}\n"
         "candidates: [{system: 8x-a100-pcie-80g}]\n",
         ASSAY_INPUT, 4, "it has"},
        {"assay: 1\nworkload:\n  train: {model: llama-65b, dataset_tokens: 1e9, precision: bf17}\n"
         "candidates: [{system: 8x-a100-pcie-80g}]\n",
         ASSAY_INPUT, 3, "bf17"},
        /* the format by its name, not the type at whose rate it would run */
        {"assay: 1\nworkload:\n  train: {model: llama-65b, dataset_tokens: 1e9, precision: mxfp4}\n"
         "candidates: [{system: dgx-h100}]\n",
         ASSAY_INPUT, 4, "has no mxfp4"},
        {"assay: 1\nworkload:\n  train: {model: llama-65b, offload: optimizer}\n"
         "candidates: [{system: 8x-a100-pcie-80g}]\n",
         ASSAY_INPUT, 4, "needs the memory rate of 8x-a100-pcie-80g"},
        {"assay: 1\nworkload:\n  train: {model: llama-65b, offload: optimizer}\n"
         "candidates: [{system: 8x-mi250x-oam, host_memory_gb_s: 400}]\n",
         ASSAY_INPUT, 4, "needs the rate between host and device of 8x-mi250x-oam"},
        {TRAIN "candidates: [{system: 8x-a100-pcie-80g, power_cap_w: 301}]\n", ASSAY_INPUT, 4,
         "to 300 W"},
        /* idle .15 x 300 W = 45 W, and .05 of the 255 W above it */
        {TRAIN "candidates: [{system: 8x-a100-pcie-80g, power_cap_w: 57}]\n", ASSAY_INPUT, 4,
         "expected 58 W"},
        {"assay: 1\nworkload:\n  image: {model: sdxl, rate: 1}\n"
         "candidates: [{system: 8x-a100-pcie-80g, power_cap_w: 200}]\n",
         ASSAY_UNAVAILABLE, 4, "lower cap"},
        {TRAIN "candidates: [{system: 8x-a100-pcie-80g}, {system: 8x-a100-pcie-80g}]\n",
         ASSAY_INPUT, 4, "two candidates"},
        /* 4.9e9 sequences are more than 32 bits hold */
        {"assay: 1\nworkload:\n  train: {model: llama-65b, sequence: 2048, global_batch_tokens: "
         "1e13}\ncandidates: [{system: 8x-a100-pcie-80g}]\n",
         ASSAY_INPUT, 3, "1 to 1e9 sequences"},
        {TRAIN "candidates: [{system: frontier-node, nodes: 2}]\n", ASSAY_INPUT, 4, "no price"},
        {TRAIN "prices: seed-z\ncandidates: [{system: 8x-a100-pcie-80g}]\n", ASSAY_NOT_FOUND, 4,
         "seed-z"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)resolve_refused(bad[i].text, bad[i].status, bad[i].line, bad[i].what);
    }
}

/* Fine-tuning has its own batch; experts, where nothing is said, a busiest device; weights that
   stand still cost two of three products: 4/6 of what training them takes, attention aside. */
static void test_fine_tuning(void **state) {
    (void)state;
    const assay_resolved_t *lora = resolve_ok(
        "assay: 1\nworkload: {finetune: {model: llama-2-7b, method: lora, sequence: 4096}}\n"
        "candidates: [{system: 8x-a100-pcie-80g}]\n");
    const assay_resolved_t *full =
        resolve_ok("assay: 1\nworkload: {finetune: {model: llama-2-7b, sequence: 4096}}\n"
                   "candidates: [{system: 8x-a100-pcie-80g}]\n");
    assert_int_equal(lora->kind, ASSAY_WORK_FINETUNE);
    assert_int_equal(lora->workload.global_batch, 64);
    assert_non_null(find_note(lora, "finetune.global_batch"));
    const assay_workload_t *work = &full->workload;
    const double attention = 2 * (work->model_flops_per_token - work->causal_flops_per_token);
    const double matrices = work->model_flops_per_token - attention;
    assay_test_close(lora->workload.causal_flops_per_token, matrices * 4 / 6 + attention / 2, 1e-9,
                     0, "FLOPs");
    const assay_resolved_t *moe =
        resolve_ok("assay: 1\nworkload: {train: {model: mixtral-8x7b, sequence: 4096, "
                   "sample_tokens: 512}}\ncandidates: [{system: 8x-a100-pcie-80g, layout: {ep: 8, "
                   "schedule: any, cp_comm: a2a}}]\n");
    assay_test_close(moe->workload.expert_overload, .25, 1e-12, 0, "defaults.csv");
    assert_non_null(find_note(moe, "train.expert_imbalance"));
    assay_test_close(moe->workload.sample, 512, 0, 0, "sample");
    assert_int_equal(moe->pin[0].ep, 8);
    assert_int_equal(moe->pin[0].schedule, -1);
    assert_int_equal(moe->pin[0].cp_comm, ASSAY_CP_ALL_TO_ALL);
}

/* Where no sequence is longer than the window, attention is full attention. */
static void test_window_that_cuts_nothing(void **state) {
    (void)state;
    const assay_resolved_t *resolved =
        resolve_ok("assay: 1\nworkload: {train: {model: mistral-7b-v0.1, sequence: 4096}}\n"
                   "candidates: [{system: 8x-a100-pcie-80g}]\n");
    assert_int_equal(resolved->workload.model.sliding_window, 0);
    assert_int_equal(resolved->workload.sequence, 4096);
}

static void test_inline_shape_equals_catalog(void **state) {
    (void)state;
    const assay_resolved_t *resolved =
        resolve_ok("assay: 1\nworkload: {train: {model: {layers: 80, hidden: 8192, heads: 64, ffn: "
                   "22016, vocab: 32000}, dataset_tokens: 1e9, sequence: 2048}}\n"
                   "candidates: [{system: 8x-a100-pcie-80g}]\n");
    const assay_resolved_t *named = resolve_ok(SEED);
    assay_test_close(resolved->workload.count.total, named->workload.count.total, 1e-12, 0,
                     "same shape, same parameters");
}

static void test_pins(void **state) {
    (void)state;
    const assay_resolved_t *resolved = resolve_ok(
        TRAIN "candidates: [{system: 8x-a100-pcie-80g, nodes: 2, layout: {tp: 4, zero: 0, "
              "recompute: full}}]\n");
    assert_int_equal(resolved->pin[0].tp, 4);
    assert_int_equal(resolved->pin[0].pp, 0);
    assert_int_equal(resolved->pin[0].zero, 0);
    assert_int_equal(resolved->pin[0].recompute, ASSAY_RECOMPUTE_FULL);
    assert_int_equal(resolved->pin[0].sequence_parallel, -1);
}

/* OCP Microscaling 1.0: 8 bit and an 8-bit scale for each 32 values; plain types: none of theirs.
 */
static void test_operands_of_formats(void **state) {
    (void)state;
    const assay_resolved_t *format =
        resolve_ok("assay: 1\nworkload: {train: {model: llama-65b, dataset_tokens: 1e9, precision: "
                   "mxfp8}}\ncandidates: [{system: dgx-b200}]\n");
    assert_int_equal(format->workload.dtype, ASSAY_DT_FP8);
    assay_test_close(format->workload.recipe.operand_bytes, 1 + 1 / 32.0, 1e-12, 0, "mxfp8");
    const assay_resolved_t *plain = resolve_ok(SEED);
    assert_true(plain->workload.recipe.operand_bytes == 0);
}

static void test_machine_without_job(void **state) {
    (void)state;
    const assay_accelerator_t *part = part_of("amd-mi300x-192g");
    assay_error_t err;
    assay_machine_t machine;
    assert_int_equal(assay_resolve_machine(NULL, catalog, calibration, part, NULL, "roce", 400e9, 8,
                                           64, ASSAY_DT_BF16, &machine, &err),
                     ASSAY_OK);
    assert_int_equal(machine.nodes, 8);
    assert_int_equal(machine.devices_per_node, 8);
    assay_test_close(machine.links.nic_bytes_per_s, 8 * 50e9, 1e-12, 0, "8 x 400 Gbit/s");
    assert_int_equal(assay_resolve_machine(NULL, catalog, calibration, part, NULL, "roce", 400e9, 8,
                                           12, ASSAY_DT_BF16, &machine, &err),
                     ASSAY_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed_machines),
        cmocka_unit_test(test_network_of_the_system),
        cmocka_unit_test(test_seed_workload),
        cmocka_unit_test(test_every_default_is_an_assumption_with_source),
        cmocka_unit_test(test_absent_batch_and_sequence),
        cmocka_unit_test(test_claims_disagree),
        cmocka_unit_test(test_claimed_prices),
        cmocka_unit_test(test_rent_of_a_named_instance),
        cmocka_unit_test(test_residual_follows_the_years),
        cmocka_unit_test(test_bad_inputs),
        cmocka_unit_test(test_window_that_cuts_nothing),
        cmocka_unit_test(test_fine_tuning),
        cmocka_unit_test(test_inline_shape_equals_catalog),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_operands_of_formats),
        cmocka_unit_test(test_machine_without_job),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
