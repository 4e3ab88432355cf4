/* What holds for every legal layout of every model, tried on random ones. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/rng.h"
#include "assay/train.h"
#include "machine_fixture.h"

#define N_CASES 4000

static uint64_t counter;

static uint32_t draw(uint32_t n) {
    return (uint32_t)(n * assay_rng_uniform(11, 0, counter++));
}

static assay_workload_t random_work(void) {
    assay_model_t model = {.id = "random",
                           .kind = "decoder-LLM",
                           .layers = 4u << draw(3),
                           .heads = 16,
                           .kv_heads = 4u << draw(3),
                           .head_dim = 64,
                           .hidden = 1024,
                           .ffn = 4096,
                           .vocab = 32000,
                           .gated = draw(2)};
    if (draw(2)) {
        model.experts = 8u << draw(3);
        model.top_k = 1 + draw(4);
        model.expert_ffn = 512u << draw(2);
        model.shared_experts = draw(2);
        model.first_dense_layers = draw(2);
    }
    if (draw(3) == 0) {
        model.kv_heads = 16;
        model.q_lora = 256 * draw(2);
        model.kv_lora = 128;
        model.qk_nope = 64;
        model.v_head_dim = 64;
        model.qk_rope = 32;
    } else if (draw(3) == 0) {
        model.sliding_window = 256;
        model.full_layers = 2 * draw(2);
    }
    assay_workload_t work = fixture_work(&model, 2048u << draw(3), 64);
    work.sample = draw(4) ? 0 : 512;
    work.expert_overload = .25 * draw(3);
    work.expert_once = draw(2);
    work.expert_overlap = draw(2);
    if (draw(3) == 0) {
        work.recipe.method = (uint8_t)(1 + draw(2));
        work.recipe.lora_rank = 16;
        work.recipe.lora_attention = true;
        work.recipe.lora_mlp = draw(2);
        work.causal_flops_per_token -=
            assay_model_train_flops_per_token(&model, 0, true) / 3; /* no gradients of weights */
    }
    return work;
}

static assay_layout_t random_layout(const assay_machine_t *machine) {
    assay_layout_t l = {.tp = (uint16_t)(1u << draw(4)),
                        .pp = (uint16_t)(1u << draw(4)),
                        .vpp = (uint16_t)(1u << draw(2)),
                        .cp = (uint16_t)(1u << draw(3)),
                        .ep = (uint16_t)(1u << draw(4)),
                        .micro_batch = 1u << draw(2),
                        .shard = draw(3) ? 0 : 1u << draw(4),
                        .zero = (uint8_t)draw(4),
                        .recompute = (uint8_t)draw(ASSAY_RECOMPUTE_N),
                        .cp_comm = (uint8_t)draw(ASSAY_CP_COMM_N),
                        .schedule = (uint8_t)(draw(2) ? 0 : draw(ASSAY_SCHEDULE_N))};
    l.etp = (uint16_t)(draw(2) ? l.tp : 1);
    l.sequence_parallel = l.tp > 1 && draw(4);
    const uint32_t ways = (uint32_t)l.tp * l.pp * l.cp;
    l.dp = machine->devices > ways ? machine->devices / ways : 1;
    return l;
}

/* The next random case whose layout is legal. */
static void next_case(const assay_machine_t *machine, assay_workload_t *out_work,
                      assay_layout_t *out_layout) {
    double need, have;
    do {
        *out_work = random_work();
        *out_layout = random_layout(machine);
    } while (assay_train_check(machine, out_work, out_layout, &need, &have) != ASSAY_REJECT_NONE);
}

static double sum(const double *part, int n) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += part[i];
    }
    return total;
}

static void parts_make_the_whole(void **state) {
    (void)state;
    const assay_machine_t machine[2] = {fixture_a100(8), fixture_mi250x(8)};
    for (int i = 0; i < N_CASES; i++) {
        const assay_machine_t *m = &machine[i % 2];
        assay_workload_t work;
        assay_layout_t l;
        assay_estimate_t e;
        next_case(m, &work, &l);
        assay_train_estimate(m, &work, &l, &e);
        assert_int_equal((uint32_t)l.tp * l.cp * l.pp * l.dp, m->devices);
        assay_test_close(sum(e.time_s, ASSAY_TIME_N), e.step_s, 1e-12, 0, "step");
        assay_test_close(sum(e.peak_bytes, ASSAY_MEMORY_N), e.peak_total_bytes, 1e-12, 0, "peak");
        assay_test_close(sum(e.steady_bytes, ASSAY_MEMORY_N), e.steady_total_bytes, 1e-12, 0,
                         "steady");
        for (int j = 0; j < ASSAY_TIME_N; j++) {
            assert_true(e.time_s[j] >= 0);
        }
        for (int j = 0; j < ASSAY_MEMORY_N; j++) {
            assert_true(e.steady_bytes[j] >= 0 &&
                        e.peak_bytes[j] >= e.steady_bytes[j] * (1 - 1e-12));
        }
        assert_true(e.mfu > 0 && e.mfu <= e.hfu && e.hfu <= 1);
        assert_true(e.compute_share > 0 && e.compute_share < 1);
    }
}

/* A lower cap never makes a step faster, nor draws more; the cap that a package is built for
   changes nothing at all. */
static void a_lower_cap_is_never_faster(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(8);
    machine.clock_exponent =
        (assay_fact_t){.v = 2.5, .p10 = 2, .p90 = 3, .known = true, .source = "test"};
    for (int i = 0; i < N_CASES / 20; i++) {
        assay_workload_t work;
        assay_layout_t l;
        assay_estimate_t free, before, e;
        next_case(&machine, &work, &l);
        machine.package_limit_w = 0;
        assay_train_estimate(&machine, &work, &l, &free);
        before = free;
        machine.package_limit_w = 400;
        assay_train_estimate(&machine, &work, &l, &e);
        assert_memory_equal(&e, &free, sizeof(e));
        for (double limit_w = 350; limit_w > 90; limit_w -= 50) {
            machine.package_limit_w = limit_w;
            assay_train_estimate(&machine, &work, &l, &e);
            assert_true(e.step_s >= before.step_s * (1 - 1e-6));
            assert_true(e.device_w <= fmin(limit_w, before.device_w * (1 + 1e-6)));
            assert_true(e.device_w >= fmin(limit_w, free.device_w) * (1 - 1e-6));
            assert_true(e.clock > 0 && e.clock <= 1 && e.rel_p10 <= free.rel_p10 &&
                        e.rel_p90 >= free.rel_p90);
            assay_test_close(sum(e.time_s, ASSAY_TIME_N), e.step_s, 1e-12, 0, "step");
            before = e;
        }
    }
}

/* A faster link or memory of the host never makes a step slower; state in the host never makes it
   faster than the same work of the device would be, and leaves the rest of the step as it is. */
static void a_faster_host_is_never_slower(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(8);
    for (int i = 0; i < N_CASES; i++) {
        assay_workload_t work;
        assay_layout_t l;
        assay_estimate_t here, e, link, memory;
        next_case(&machine, &work, &l);
        assay_train_estimate(&machine, &work, &l, &here);
        assay_test_close(here.time_s[ASSAY_TIME_OFFLOAD], 0, 0, 0, "nothing in the host");
        work.recipe.offload = (uint8_t)(1 + i % 2);
        machine.host_link_bytes_per_s = assay_fact_exact(25e9, "test");
        machine.host_update_bytes_per_s = assay_fact_exact(100e9, "test");
        assay_train_estimate(&machine, &work, &l, &e);
        machine.host_link_bytes_per_s = assay_fact_exact(50e9, "test");
        assay_train_estimate(&machine, &work, &l, &link);
        machine.host_link_bytes_per_s = assay_fact_exact(25e9, "test");
        machine.host_update_bytes_per_s = assay_fact_exact(200e9, "test");
        assay_train_estimate(&machine, &work, &l, &memory);
        assert_true(e.time_s[ASSAY_TIME_OFFLOAD] > 0);
        assert_true(link.step_s <= e.step_s && memory.step_s <= e.step_s);
        for (int j = 0; j < ASSAY_TIME_OPTIMIZER; j++) {
            assay_test_close(e.time_s[j], here.time_s[j], 0, 0, "the rest");
        }
        assay_test_close(sum(e.time_s, ASSAY_TIME_N), e.step_s, 1e-12, 0, "step");
        assert_true(e.basis == ASSAY_BASIS_EXTRAPOLATED && e.device_w <= here.device_w);
    }
}

static void a_better_machine_is_never_slower(void **state) {
    (void)state;
    const assay_machine_t base = fixture_a100(8);
    assay_machine_t better[4] = {base, base, base, base};
    better[0].device.hbm_bytes_per_s *= 1.5;
    better[1].device.peak_flops[ASSAY_DT_BF16] *= 1.5;
    better[2].links.nic_bytes_per_s *= 1.5;
    better[3].links.device_bytes_per_s *= 1.5;
    better[3].links.pair_bytes_per_s *= 1.5;
    for (int i = 0; i < N_CASES; i++) {
        assay_workload_t work;
        assay_layout_t l;
        assay_estimate_t e, b;
        next_case(&base, &work, &l);
        assay_train_estimate(&base, &work, &l, &e);
        for (int j = 0; j < 4; j++) {
            assay_train_estimate(&better[j], &work, &l, &b);
            if (b.step_s > e.step_s * (1 + 1e-12)) {
                fail_msg("case %d, change %d: %.17g s became %.17g s", i, j, e.step_s, b.step_s);
            }
        }
    }
}

/* Memory alone and memory in the step are one figure; so are layer times at hand and afresh. */
static void every_way_gives_the_same(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_mi250x(8);
    for (int i = 0; i < N_CASES; i++) {
        assay_workload_t work;
        assay_layout_t l;
        assay_estimate_t e, memory, warm;
        assay_train_layer_t layer;
        next_case(&machine, &work, &l);
        assay_train_estimate(&machine, &work, &l, &e);
        assay_train_memory(&machine, &work, &l, &memory);
        assert_true(memory.peak_total_bytes == e.peak_total_bytes);
        assert_memory_equal(memory.peak_bytes, e.peak_bytes, sizeof e.peak_bytes);
        assay_train_layer(&machine, &work, &l, &layer);
        assay_train_estimate_with(&machine, &work, &l, &layer, &warm);
        assert_true(warm.step_s == e.step_s);
    }
}

/* Twice the batch, as many more micro-batches: never less time, never more than twice. */
static void more_work_takes_longer(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    for (int i = 0; i < N_CASES; i++) {
        assay_workload_t work;
        assay_layout_t l;
        assay_estimate_t e, twice;
        next_case(&machine, &work, &l);
        assay_train_estimate(&machine, &work, &l, &e);
        work.global_batch *= 2;
        assay_train_estimate(&machine, &work, &l, &twice);
        assert_true(twice.step_s >= e.step_s && twice.step_s <= 2 * e.step_s * (1 + 1e-12));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_make_the_whole),
        cmocka_unit_test(a_lower_cap_is_never_faster),
        cmocka_unit_test(a_faster_host_is_never_slower),
        cmocka_unit_test(a_better_machine_is_never_slower),
        cmocka_unit_test(every_way_gives_the_same),
        cmocka_unit_test(more_work_takes_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
