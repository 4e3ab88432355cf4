/* Search: the same as trying every layout by hand, on any number of threads, nothing uncounted. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/plan.h"
#include "assay/rng.h"
#include "assay/train.h"
#include "machine_fixture.h"

static assay_plan_t search(assay_arena_t *arena, const assay_machine_t *machine,
                           const assay_workload_t *work, const assay_plan_options_t *options) {
    assay_plan_t plan;
    assay_error_t err;
    assert_int_equal(assay_plan_search(arena, machine, work, options, &plan, &err), ASSAY_OK);
    return plan;
}

static uint32_t ways(uint32_t degree) {
    return degree > 1 ? degree : 1;
}

static bool same_layout(const assay_layout_t *a, const assay_layout_t *b) {
    return a->tp == b->tp && a->pp == b->pp && a->vpp == b->vpp && a->dp == b->dp &&
           a->micro_batch == b->micro_batch && a->n_micro == b->n_micro && a->zero == b->zero &&
           a->recompute == b->recompute && a->sequence_parallel == b->sequence_parallel &&
           ways(a->cp) == ways(b->cp) && ways(a->ep) == ways(b->ep) &&
           (a->etp ? a->etp : a->tp) == (b->etp ? b->etp : b->tp) && a->cp_comm == b->cp_comm &&
           a->shard == b->shard && a->schedule == b->schedule;
}

/* Does a search try so many pieces of so many stages? Those that the layers divide by, or two more
   than them, embedding and head as a layer each; where the devices divide by stages and the layers
   do not, those whose first and last piece alone are short. */
static bool is_cut(const assay_model_t *model, uint32_t devices, uint32_t pp, uint32_t vpp) {
    const uint32_t layers = model->layers, pieces = pp * vpp;
    if (pp == 1 || layers % pp == 0) {
        return vpp == 1 || layers % pieces == 0;
    }
    if ((layers + 2) % pp == 0) {
        return (layers + 2) % pieces == 0;
    }
    const uint32_t one = (layers + pp - 1) / pp, each = (layers + pieces - 1) / pieces;
    return devices % pp == 0 && one * pp - layers < 2 * one &&
           (vpp == 1 || (layers + 2) % pieces == 0 || each * pieces - layers < 2 * each);
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
                    if (work->model.heads % tp || !is_cut(&work->model, devices, pp, vpp) ||
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

/* ---- random small cases ---- */

static uint64_t draw_counter;

static uint32_t draw(uint32_t n) {
    return (uint32_t)(n * assay_rng_uniform(7, 0, draw_counter++));
}

static assay_workload_t random_work(void) {
    static const uint32_t heads[] = {2, 4, 6, 8}, experts[] = {0, 0, 2, 4, 6};
    assay_model_t model = {.id = "random",
                           .kind = "decoder-LLM",
                           .layers = 1 + draw(6),
                           .heads = heads[draw(4)],
                           .head_dim = 64,
                           .vocab = 1024 * (1 + draw(128)),
                           .gated = draw(2),
                           .experts = experts[draw(5)]};
    model.kv_heads = draw(2) ? model.heads : model.heads / 2;
    model.hidden = model.heads * 64 * (1 + draw(8));
    model.ffn = model.hidden * 4;
    if (model.experts) {
        model.top_k = 1 + draw(2);
        model.expert_ffn = model.hidden;
        model.first_dense_layers = draw(2);
    }
    if (draw(4) == 0) {
        model.sliding_window = 128;
    }
    assay_workload_t work = fixture_work(&model, 512u << draw(3), 1 + draw(8));
    work.recipe.method = draw(4) == 0 ? ASSAY_METHOD_LORA : ASSAY_METHOD_FULL;
    work.recipe.lora_rank = 8;
    work.recipe.lora_attention = true;
    return work;
}

/* The fastest of what fits, by trying everything: legal is what assay_train_check lets through. */
static bool brute_best(const assay_machine_t *machine, const assay_workload_t *work,
                       assay_estimate_t *out) {
    const uint32_t n = machine->devices;
    bool found = false;
    for (uint32_t tp = 1; tp <= n; tp++) {
        for (uint32_t cp = 1; cp <= n; cp *= 2) {
            for (uint32_t pp = 1; pp <= n; pp++) {
                if (n % (tp * cp * pp) || cp * 256 > work->sequence) {
                    continue;
                }
                const uint32_t dp = n / (tp * cp * pp);
                const uint32_t n_ep = work->model.experts ? work->model.experts : 1;
                for (uint32_t i = 0; i < n_ep * 2 * 8 * 8 * 4 * 3 * 2 * 2 * 5 * 4; i++) {
                    uint32_t rest = i;
#define DIGIT(base)  \
    (rest % (base)); \
    rest /= (base)
                    const uint32_t ep = 1 + DIGIT(n_ep);
                    const bool whole = DIGIT(2);
                    const uint32_t vpp = 1 + DIGIT(8);
                    const uint32_t micro_batch = 1 + DIGIT(8);
                    const uint32_t zero = DIGIT(4);
                    const uint32_t recompute = DIGIT(3);
                    const bool sequence_parallel = DIGIT(2);
                    const uint32_t comm = DIGIT(2);
                    const uint32_t schedule = DIGIT(5);
                    const uint32_t groups = 1u << rest;
#undef DIGIT
                    /* the same layout under another name, or none */
                    if ((work->model.experts == 0 || tp == 1) && whole) {
                        continue;
                    }
                    if ((cp == 1 && comm) || !is_cut(&work->model, n, pp, vpp) ||
                        micro_batch > work->global_batch || (zero == 0 && groups > 1) ||
                        dp * cp % groups || (groups > 1 && dp * cp / groups == 0)) {
                        continue;
                    }
                    const assay_layout_t l = {.tp = (uint16_t)tp,
                                              .pp = (uint16_t)pp,
                                              .vpp = (uint16_t)vpp,
                                              .cp = (uint16_t)cp,
                                              .ep = (uint16_t)ep,
                                              .etp = whole ? 1 : (uint16_t)tp,
                                              .dp = dp,
                                              .micro_batch = micro_batch,
                                              .shard = groups > 1 ? dp * cp / groups : 0,
                                              .zero = (uint8_t)zero,
                                              .recompute = (uint8_t)recompute,
                                              .cp_comm = (uint8_t)comm,
                                              .schedule = (uint8_t)schedule,
                                              .sequence_parallel = sequence_parallel};
                    double need, have;
                    assay_estimate_t e;
                    if (assay_train_check(machine, work, &l, &need, &have) != ASSAY_REJECT_NONE) {
                        continue;
                    }
                    assay_train_estimate(machine, work, &l, &e);
                    if (e.reject == ASSAY_REJECT_NONE && (!found || faster(&e, out))) {
                        *out = e;
                        found = true;
                    }
                }
            }
        }
    }
    return found;
}

/* Bounds leave out nothing that is best: against everything tried one by one, and against the
   search without bounds. */
static void bounds_keep_the_best(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(64u << 20);
    uint32_t found = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        assay_machine_t machine = draw(2) ? fixture_a100(1) : fixture_mi250x(1);
        machine.devices = 1 + draw(8);
        machine.device.hbm_bytes = 3e9 + 1e9 * draw(20);
        const assay_workload_t work = random_work();
        assay_plan_options_t options = assay_plan_defaults();
        options.whole = true;
        options.threads = 1;
        options.pin.schedule = -1;
        const bool slowly = i % 500 == 0; /* nothing pinned, and tried one by one */
        if (!slowly) {
            options.pin.recompute = (int8_t)draw(ASSAY_RECOMPUTE_N);
            options.pin.zero = (int8_t)((int)draw(5) - 1);
            options.pin.cp = (uint16_t)draw(3);
        }
        const assay_plan_t all = search(arena, &machine, &work, &options);
        options.best_only = true;
        const assay_plan_t best = search(arena, &machine, &work, &options);
        assert_true(all.found == best.found);
        assert_int_equal(all.visited, best.visited);
        if (all.found) {
            assert_true(same_layout(&all.best.layout, &best.best.layout));
            assert_true(all.best.step_s == best.best.step_s);
        }
        if (slowly) {
            assay_estimate_t tried;
            assert_true(brute_best(&machine, &work, &tried) == best.found);
            if (best.found) {
                assert_true(tried.step_s == best.best.step_s);
                assert_true(tried.peak_total_bytes == best.best.peak_total_bytes);
            }
        }
        found += best.found;
        assay_arena_reset(arena);
    }
    assert_true(found > 500 && found < 2000);
    assay_arena_destroy(arena);
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
        cmocka_unit_test(bounds_keep_the_best),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(pins_leave_one_layout),
        cmocka_unit_test(visitor_and_hooks_see_everything),
        cmocka_unit_test(small_arena_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
