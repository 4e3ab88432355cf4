/* Search: the same as trying every layout by hand, on any number of threads, nothing uncounted. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/plan.h"
#include "assay/train.h"
#include "machine_fixture.h"

static assay_plan_t search(assay_arena_t *arena, const assay_machine_t *machine,
                           const assay_workload_t *work, const assay_plan_options_t *options) {
    assay_plan_t plan;
    assay_error_t err;
    assert_int_equal(assay_plan_search(arena, machine, work, options, &plan, &err), ASSAY_OK);
    return plan;
}

static bool same_layout(const assay_layout_t *a, const assay_layout_t *b) {
    return a->tp == b->tp && a->pp == b->pp && a->vpp == b->vpp && a->dp == b->dp &&
           a->micro_batch == b->micro_batch && a->n_micro == b->n_micro && a->zero == b->zero &&
           a->recompute == b->recompute && a->sequence_parallel == b->sequence_parallel;
}

/* The space as the header promises it, with no help from the search: every integer is tried and
   kept if it divides. Fills out; returns the number. */
static uint32_t brute_force(const assay_machine_t *machine, const assay_workload_t *work,
                            assay_estimate_t *out) {
    const uint32_t devices = machine->devices;
    uint32_t n = 0;
    for (uint32_t tp = 1; tp <= devices; tp++) {
        for (uint32_t pp = 1; pp <= devices; pp++) {
            for (uint32_t vpp = 1; vpp <= work->model.layers; vpp++) {
                for (uint32_t b = 1; b <= 64; b++) {
                    if (work->model.heads % tp || work->model.layers % (pp * vpp) ||
                        (vpp > 1 && pp == 1) || work->global_batch % b) {
                        continue;
                    }
                    for (uint8_t zero = 0; zero <= (pp == 1 ? 3 : 1); zero++) {
                        for (uint8_t r = 0; r < ASSAY_RECOMPUTE_N; r++) {
                            for (int sp = 0; sp <= (tp > 1); sp++) {
                                const assay_layout_t l = {.tp = (uint16_t)tp,
                                                          .pp = (uint16_t)pp,
                                                          .vpp = (uint16_t)vpp,
                                                          .dp = (devices + tp * pp - 1) / (tp * pp),
                                                          .micro_batch = b,
                                                          .zero = zero,
                                                          .recompute = r,
                                                          .sequence_parallel = sp};
                                assay_train_estimate(machine, work, &l, &out[n++]);
                            }
                        }
                    }
                }
            }
        }
    }
    return n;
}

static bool faster(const assay_estimate_t *a, const assay_estimate_t *b) {
    return a->step_s < b->step_s ||
           (a->step_s <= b->step_s && a->peak_total_bytes < b->peak_total_bytes);
}

static bool dominated(const assay_estimate_t *e, const assay_estimate_t *all, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (all[i].reject == ASSAY_REJECT_NONE && all[i].step_s <= e->step_s &&
            all[i].peak_total_bytes <= e->peak_total_bytes &&
            (all[i].step_s < e->step_s || all[i].peak_total_bytes < e->peak_total_bytes)) {
            return true;
        }
    }
    return false;
}

static void compare_with_brute_force(const assay_machine_t *machine, const assay_workload_t *work) {
    assay_arena_t *arena = assay_arena_create(64u << 20);
    assay_estimate_t *all = assay_arena_array(arena, 40000, sizeof(*all));
    const assay_plan_options_t options = assay_plan_defaults();
    const uint32_t n = brute_force(machine, work, all);
    const assay_plan_t plan = search(arena, machine, work, &options);

    assert_int_equal(plan.visited, n);
    uint64_t count[ASSAY_REJECT_N] = {0};
    double nearest[ASSAY_REJECT_N];
    const assay_estimate_t *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t r = all[i].reject;
        const double ratio = r ? all[i].need / all[i].have : 0;
        nearest[r] = count[r] && nearest[r] < ratio ? nearest[r] : ratio;
        count[r]++;
        if (r == ASSAY_REJECT_NONE && (!best || faster(&all[i], best))) {
            best = &all[i];
        }
    }
    assert_int_equal(plan.legal, count[ASSAY_REJECT_NONE]);
    uint64_t refused = 0;
    for (int r = 1; r < ASSAY_REJECT_N; r++) {
        assert_int_equal(plan.refused[r].count, count[r]);
        refused += plan.refused[r].count;
        if (count[r]) {
            const assay_estimate_t *e = &plan.refused[r].nearest;
            assert_int_equal(e->reject, r);
            assay_test_close(e->need / e->have, nearest[r], 0, 0, "nearest");
        }
    }
    assert_int_equal(plan.visited, plan.legal + refused);
    assert_true(plan.found == (best != NULL));
    if (best) {
        assert_true(same_layout(&plan.best.layout, &best->layout));
        assert_true(plan.best.step_s == best->step_s);
    }
    for (uint32_t i = 0; i < plan.n_pareto; i++) {
        assert_false(dominated(&plan.pareto[i], all, n));
        assert_true(i == 0 ||
                    (plan.pareto[i].step_s > plan.pareto[i - 1].step_s &&
                     plan.pareto[i].peak_total_bytes < plan.pareto[i - 1].peak_total_bytes));
    }
    uint32_t n_front = 0; /* distinct points that nothing beats */
    for (uint32_t i = 0; i < n; i++) {
        bool seen = all[i].reject != ASSAY_REJECT_NONE || dominated(&all[i], all, n);
        for (uint32_t j = 0; j < i && !seen; j++) {
            seen = all[j].reject == ASSAY_REJECT_NONE && all[j].step_s == all[i].step_s &&
                   all[j].peak_total_bytes == all[i].peak_total_bytes;
        }
        n_front += !seen;
    }
    assert_int_equal(plan.n_pareto, n_front);
    assay_arena_destroy(arena);
}

static void search_is_brute_force(void **state) {
    (void)state;
    const assay_machine_t a100 = fixture_a100(2), mi250x = fixture_mi250x(1);
    assay_machine_t odd = fixture_a100(2);
    odd.devices = 12; /* not every shape divides the devices */
    const assay_workload_t gpt = fixture_gpt(12, 96), llama = fixture_llama_65b(32);
    compare_with_brute_force(&a100, &gpt);
    compare_with_brute_force(&mi250x, &gpt);
    compare_with_brute_force(&odd, &gpt);
    compare_with_brute_force(&a100, &llama); /* fits nowhere or hardly */
}

static void threads_do_not_matter(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(16);
    const assay_workload_t work = fixture_llama_65b(1024);
    assay_arena_t *arena = assay_arena_create(64u << 20);
    assay_plan_options_t options = assay_plan_defaults();
    options.threads = 1;
    const assay_plan_t one = search(arena, &machine, &work, &options);
    assert_true(one.found && one.n_pareto > 1);
    for (uint32_t threads = 2; threads <= 4; threads++) {
        options.threads = threads;
        const assay_plan_t many = search(arena, &machine, &work, &options);
        assert_int_equal(many.visited, one.visited);
        assert_int_equal(many.legal, one.legal);
        assert_int_equal(many.n_pareto, one.n_pareto);
        for (uint32_t i = 0; i < one.n_pareto; i++) {
            assert_true(same_layout(&many.pareto[i].layout, &one.pareto[i].layout));
            assert_true(many.pareto[i].step_s == one.pareto[i].step_s);
        }
        for (int r = 0; r < ASSAY_REJECT_N; r++) {
            assert_int_equal(many.refused[r].count, one.refused[r].count);
            assert_true(
                same_layout(&many.refused[r].nearest.layout, &one.refused[r].nearest.layout));
        }
    }
    assay_arena_destroy(arena);
}

static void pins_leave_one_layout(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_llama_65b(64);
    assay_arena_t *arena = assay_arena_create(1u << 20);
    assay_plan_options_t options = assay_plan_defaults();
    options.pin = (assay_layout_pin_t){.tp = 8,
                                       .pp = 8,
                                       .vpp = 2,
                                       .dp = 1,
                                       .micro_batch = 1,
                                       .zero = 0,
                                       .recompute = ASSAY_RECOMPUTE_FULL,
                                       .sequence_parallel = 1};
    const assay_plan_t plan = search(arena, &machine, &work, &options);
    assert_int_equal(plan.visited, 1);
    assert_true(plan.found);
    assert_int_equal(plan.best.layout.vpp, 2);
    assert_int_equal(plan.best.layout.n_micro, 64);

    /* A pin that cannot be is refused, counted and explained, not ignored. */
    options.pin.dp = 3;
    const assay_plan_t none = search(arena, &machine, &work, &options);
    assert_false(none.found);
    assert_int_equal(none.visited, 1);
    assert_int_equal(none.refused[ASSAY_REJECT_DEVICES].count, 1);
    assay_test_close(none.refused[ASSAY_REJECT_DEVICES].nearest.need, 192, 0, 0, "need");
    options.pin = assay_plan_defaults().pin;
    options.pin.tp = 5;
    const assay_plan_t five = search(arena, &machine, &work, &options);
    assert_false(five.found);
    assert_int_equal(five.refused[ASSAY_REJECT_HEADS].count, five.visited);
    assay_arena_destroy(arena);
}

typedef struct {
    uint64_t n, n_legal, n_progress, last_done, total;
    bool stop;
} seen_t;

static void count_visit(void *ctx, const assay_estimate_t *estimate) {
    seen_t *seen = ctx;
    seen->n++;
    seen->n_legal += estimate->reject == ASSAY_REJECT_NONE;
}

static void count_progress(void *ctx, const char *step, uint64_t done, uint64_t total) {
    seen_t *seen = ctx;
    assert_string_equal(step, "search");
    assert_true(done == seen->last_done + 1);
    seen->last_done = done;
    seen->total = total;
}

static bool stop(void *ctx) {
    return ((seen_t *)ctx)->stop;
}

static void visitor_and_hooks_see_everything(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_workload_t work = fixture_llama_65b(64);
    assay_arena_t *arena = assay_arena_create(16u << 20);
    seen_t seen = {0};
    const assay_hooks_t hooks = {&seen, count_progress, stop};
    assay_plan_options_t options = assay_plan_defaults();
    options.threads = 2;
    options.hooks = &hooks;
    options.visit = count_visit;
    options.visit_ctx = &seen;
    const assay_plan_t plan = search(arena, &machine, &work, &options);
    assert_int_equal(seen.n, plan.visited);
    assert_int_equal(seen.n_legal, plan.legal);
    assert_true(seen.last_done == seen.total && seen.total > 0);

    /* Without a visitor whole keys are refused at once; the result is the same. */
    const assay_plan_options_t alone = assay_plan_defaults();
    const assay_plan_t same = search(arena, &machine, &work, &alone);
    assert_int_equal(same.visited, plan.visited);
    assert_true(plan.refused[ASSAY_REJECT_TP_NODE].count > 0);
    for (int r = 0; r < ASSAY_REJECT_N; r++) {
        assert_int_equal(same.refused[r].count, plan.refused[r].count);
        assert_true(same_layout(&same.refused[r].nearest.layout, &plan.refused[r].nearest.layout));
    }

    seen = (seen_t){.stop = true};
    assay_plan_t stopped = {.visited = 7};
    assay_error_t err;
    assert_int_equal(assay_plan_search(arena, &machine, &work, &options, &stopped, &err),
                     ASSAY_CANCELLED);
    assert_int_equal(err.status, ASSAY_CANCELLED);
    assert_int_equal(stopped.visited, 7); /* outputs are written on success only */
    assay_arena_destroy(arena);
}

static void small_arena_is_an_error(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_workload_t work = fixture_llama_65b(64);
    for (size_t limit = 16; limit <= 1u << 14; limit *= 2) {
        assay_arena_t *arena = assay_arena_create(limit);
        const assay_plan_options_t options = assay_plan_defaults();
        assay_plan_t plan;
        assay_error_t err;
        assert_int_equal(assay_plan_search(arena, &machine, &work, &options, &plan, &err),
                         ASSAY_MEMORY);
        assert_int_equal(err.status, ASSAY_MEMORY);
        assay_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_is_brute_force),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(pins_leave_one_layout),
        cmocka_unit_test(visitor_and_hooks_see_everything),
        cmocka_unit_test(small_arena_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
