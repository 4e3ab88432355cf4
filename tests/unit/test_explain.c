/* Every number of the JSON of decisions of every kind is explained: formulas give it again from
   their parts, the other nodes say what repeats them; and how paths are written. */
#include "resolve_fixture.h"

#include <glob.h>
#include <math.h>
#include <string.h>

#include "assay/report_explain.h"
#include "assay/why_not.h"

#define SAMPLES 200u

/* ---- decisions ---- */

typedef struct {
    assay_resolved_t *resolved;
    assay_explain_of_t of;
} world_t;

static void decide(world_t *w) {
    assay_decision_t *training = NULL;
    assay_serving_decision_t *serving = NULL;
    assay_image_decision_t *images = NULL;
    assay_error_t err = {0};
    w->resolved->samples = SAMPLES;
    const assay_status_t status =
        w->resolved->kind == ASSAY_WORK_SERVE
            ? assay_decide_serving(arena, w->resolved, NULL, 0, NULL, &serving, &err)
        : w->resolved->kind == ASSAY_WORK_IMAGE
            ? assay_decide_images(arena, w->resolved, NULL, 0, NULL, &images, &err)
            : assay_decide(arena, w->resolved, NULL, 0, NULL, &training, &err);
    if (status) {
        fail_msg("%s", err.what);
    }
    w->of = (assay_explain_of_t){training, serving, images};
}

static void resolve_file(world_t *w, const char *path) {
    char *text;
    size_t size;
    assay_job_t *job;
    assay_error_t err = {0};
    assay_status_t status = assay_file_read(arena, path, (size_t)1 << 20, &text, &size, &err);
    status = status ? status : assay_job_read(arena, path, text, size, NULL, 0, &job, &err);
    status = status ? status : assay_resolve(arena, job, catalog, calibration, &w->resolved, &err);
    if (status) {
        fail_msg("%s: %s", path, err.what);
    }
}

static void decide_file(world_t *w, const char *path) {
    resolve_file(w, assay_arena_printf(arena, "%s/%s", ASSAY_SOURCE_DIR, path));
    decide(w);
}

static void decide_text(world_t *w, const char *text) {
    w->resolved = resolve_ok(text);
    decide(w);
}

/* ---- nodes ---- */

/* All that is wrong is told, and then the test fails. */
static uint32_t n_bad;
#define BAD(...)                  \
    do {                          \
        n_bad++;                  \
        print_error(__VA_ARGS__); \
        print_error("\n");        \
    } while (0)

static const assay_explain_detail_t *detail(const assay_explained_t *node, const char *key) {
    for (uint32_t k = 0; k < node->n_detail; k++) {
        if (strcmp(node->detail[k].key, key) == 0) {
            return &node->detail[k];
        }
    }
    return NULL;
}

/* What a node of each kind has to say. */
static void check_node(const assay_explained_t *node, const char *path) {
    static const char *const has[ASSAY_EXPLAIN_N][6] = {
        [ASSAY_EXPLAIN_DRAWN] = {"distribution", "p10", "p90"},
        [ASSAY_EXPLAIN_SAMPLE] = {"statistic", "of", "points", "sequence", "seed", "command"},
        [ASSAY_EXPLAIN_ROOT] = {"function", "variable", "low", "high"},
        [ASSAY_EXPLAIN_SEARCH] = {"rule"}};
    if (!node->name || !node->unit || !isfinite(node->value) ||
        (node->op <= ASSAY_EXPLAIN_MODEL && !node->source)) {
        BAD("%s: %s lacks a name, unit, value or source", path, node->name ? node->name : "a node");
    }
    for (int k = 0; k < 6 && has[node->op][k]; k++) {
        if (!detail(node, has[node->op][k])) {
            BAD("%s: %s does not say %s", path, node->name, has[node->op][k]);
        }
    }
    if ((assay_explain_is_formula(node->op) || node->op == ASSAY_EXPLAIN_SEARCH) &&
        node->n_part == 0) {
        BAD("%s: %s has no parts", path, node->name);
    }
}

/* Each node from what its parts are, and from what is no formula all the way down. */
static void replay(const assay_explained_t *node, const char *path) {
    const double value = assay_explain_replay(node);
    if (fabs(value - node->value) > 1e-9 * fabs(node->value) + 1e-12) {
        BAD("%s: %s is %.17g, of its parts %.17g", path, node->name, node->value, value);
    }
    check_node(node, path);
    for (uint32_t i = 0; i < node->n_part; i++) {
        replay(node->part[i], path);
    }
}

/* Every number of the decision's JSON; its path finds it again. */
static void replay_all(const world_t *w) {
    assay_explain_number_t *number;
    assay_explainer_t *explainer;
    assay_error_t err = {0};
    uint32_t n;
    assert_int_equal(assay_explain_numbers(arena, &w->of, &number, &n, &err), ASSAY_OK);
    assert_int_equal(assay_explainer_create(arena, &w->of, NULL, 0, &explainer, &err), ASSAY_OK);
    assert_true(n > 100);
    assay_arena_t *scratch = assay_arena_create((size_t)1 << 28);
    for (uint32_t i = 0; i < n; i++) {
        const assay_explained_t *node;
        if (assay_explain(explainer, scratch, &number[i].at, &node, &err)) {
            BAD("%s: %s", number[i].path, err.what);
            continue;
        }
        if (fabs(node->value - number[i].at.value) > 1e-9 * fabs(node->value)) {
            BAD("%s is %.17g, explained is %.17g", number[i].path, number[i].at.value, node->value);
        }
        replay(node, number[i].path);
        assay_arena_reset(scratch);
    }
    assay_arena_destroy(scratch);
    assert_int_equal(n_bad, 0);
}

/* ---- all numbers ---- */

static void test_examples(void **state) {
    static const char *const pattern[] = {ASSAY_SOURCE_DIR "/examples/*.yaml",
                                          ASSAY_SOURCE_DIR "/tests/golden/decide_*/job.yaml"};
    size_t n = 0;
    (void)state;
    for (int k = 0; k < 2; k++) {
        glob_t found;
        assert_int_equal(glob(pattern[k], 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            world_t w;
            resolve_file(&w, found.gl_pathv[i]);
            decide(&w);
            replay_all(&w);
            n++;
        }
        globfree(&found);
    }
    assert_true(n >= 15);
}

/* Every term, measured steps, stops, spot machines, a map of what one candidate pays. */
static void test_terms(void **state) {
    world_t w;
    (void)state;
    decide_text(&w,
                "workload: {train: {model: llama-2-7b, dataset_tokens: 1e12, epochs: 2}}\n"
                "candidates:\n"
                "  - {system: hgx-h100-8, id: spot, nodes: 8, usd_per_h: 12, pricing: spot,\n"
                "     measured: {step_time: 7 s}}\n"
                "  - {system: hgx-h100-8, nodes: 8, usd_per_h: 22, committed: 0.6}\n"
                "  - {system: 8x-mi300x-oam, nodes: 8, buy_usd: 210000, nodes_per_rack: 2,\n"
                "     retrofit_usd_per_rack: 9000, measured: {node_power_w: 7000}}\n"
                "  - {system: 8x-mi250x-oam, nodes: 8, buy_usd: 90000, needs_migration: true,\n"
                "     layout: {recompute: full}}\n"
                "migration: {machines_wait: true, engineers: 3, hip_fit: 0.8}\n"
                "team: {rocm_debuggers: 1, hardware_budget_usd: 5e6}\n"
                "money:\n"
                "  tco_formula: article\n"
                "  terms: [ports, storage, rack, colocation, demand, support, spares, licence,\n"
                "          duty, property_tax, goodput, carbon, inflation, tax]\n"
                "  rack_usd: 8000\n"
                "  network_usd_per_port: 1500\n"
                "  network_usd_per_switch_port: 700\n"
                "  network_switch_ports: 64\n"
                "  property_tax_share: 0.01\n"
                "  duty_share: 0.05\n"
                "  income_tax: 0.25\n"
                "  demand_usd_per_kw_month: 12\n"
                "  licence_usd_per_gpu_year: 900\n"
                "  debt_share: 0.2\n"
                "  review_wait_days: 10\n"
                "  carbon_usd_per_t: 50\n"
                "  g_co2_per_kwh: 380\n"
                "  embodied_kg_per_node: 2500\n"
                "  egress_usd_per_gb: 0.05\n"
                "  egress_bytes: 20 TB\n"
                "  gpu_hours_per_stop: 20000\n"
                "  checkpoint_s: 60\n"
                "  restart_s: 300\n"
                "  preemptions_per_h: 0.05\n"
                "  spot_wait_share: 0.1\n"
                "  workload_growth: 0.1\n"
                "  price_decline: 0.1\n"
                "  storage_bytes: 1 PB\n"
                "analysis: {map: [run_days, hip_fit]}\n");
    const assay_candidate_t *mover = &w.of.training->candidate[3];
    assert_true(mover->point.stops > 0.0 && mover->point.carbon_kg > 0.0);
    assert_true(mover->point.job_term_usd[ASSAY_TERM_WAIT] > 0.0);
    assert_true(mover->point.job_term_usd[ASSAY_TERM_TAX] < 0.0);
    replay_all(&w);
}

static void test_networks_and_adapters(void **state) {
    static const char *const job[] = {
        "workload: {train: {model: resnet-50, dataset_samples: 1281167, epochs: 90}}\n"
        "candidates:\n"
        "  - {system: dgx-a100-80g, usd_per_h: 20}\n"
        "  - {system: 8x-mi300x-oam, usd_per_h: 22, needs_migration: true}\n",
        "workload: {finetune: {model: llama-2-70b, method: lora, dataset_tokens: 1e10, precision: "
        "fp16}}\n"
        "candidates:\n"
        "  - {system: dgx-a100-80g, nodes: 2, usd_per_h: 20, layout: {recompute: full}}\n"
        "  - {system: gh200-1, usd_per_h: 10}\n"};
    (void)state;
    for (size_t k = 0; k < sizeof job / sizeof job[0]; k++) {
        world_t w;
        decide_text(&w, job[k]);
        replay_all(&w);
    }
}

static void test_fleets(void **state) {
    static const char *const job[] = {
        /* owned, moved to, prompts on replicas of their own, a map */
        "workload:\n"
        "  serve: {model: llama-3.1-8b, input_tokens: 3000, output_tokens: 300, rate: 40,\n"
        "          disaggregate: true, prefix_share: 0.3, max_model_len: 8192,\n"
        "          slo: {ttft_p99: 2 s, tpot_p99: 60 ms}}\n"
        "candidates:\n"
        "  - {system: hgx-h100-8, buy_usd: 250000}\n"
        "  - {system: 8x-mi300x-oam, buy_usd: 200000, needs_migration: true}\n"
        "analysis: {map: [utilisation, rate]}\n",
        /* images in turn; nothing but one of them fits */
        "workload: {image: {model: sdxl, concurrency: 12, images: 2, slo: {latency_p99: 60 s}}}\n"
        "candidates:\n"
        "  - {system: hgx-h100-8, buy_usd: 250000}\n"
        "  - {system: 8x-mi300x-oam, usd_per_h: 20}\n",
        "workload: {image: {model: sdxl, rate: 3}}\n"
        "candidates:\n"
        "  - {system: hgx-h100-8, usd_per_h: 24}\n"};
    (void)state;
    for (size_t k = 0; k < sizeof job / sizeof job[0]; k++) {
        world_t w;
        decide_text(&w, job[k]);
        replay_all(&w);
    }
}

/* ---- nodes that are no formula, repeated ---- */

static const assay_explained_t *explain(const world_t *w, const char *path) {
    assay_explain_number_t number;
    assay_explainer_t *explainer;
    const assay_explained_t *node = NULL;
    assay_error_t err = {0};
    if (assay_explain_number(arena, &w->of, path, &number, &err) ||
        assay_explainer_create(arena, &w->of, NULL, 0, &explainer, &err) ||
        assay_explain(explainer, arena, &number.at, &node, &err)) {
        fail_msg("%s: %s", path, err.what);
    }
    return node;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Points that the node says, drawn one by one as the contract of assay_decide_draw has it. */
static void test_a_sample_is_what_its_points_say(void **state) {
    world_t w;
    double usd[2][SAMPLES], won = 0.0;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    const assay_explained_t *p90 = explain(&w, "candidates[1].cost_p90_usd");
    assert_int_equal(p90->op, ASSAY_EXPLAIN_SAMPLE);
    assert_true(detail(p90, "points")->number == SAMPLES); /* a whole number */
    assert_string_equal(detail(p90, "statistic")->text, "quantile 0.9");
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < SAMPLES; i++) {
            double u[ASSAY_DRAW_N];
            assay_money_result_t result;
            assay_decide_draw((uint64_t)detail(p90, "seed")->number, NULL, c, i, u);
            assay_money_eval(&w.of.training->candidate[c].money_case, u, &result);
            usd[c][i] = result.job_usd;
        }
    }
    for (uint32_t i = 0; i < SAMPLES; i++) {
        won += usd[1][i] < usd[0][i] ? 1.0 / SAMPLES : 0.0;
    }
    assay_test_close(explain(&w, "verdict.probability")->value, won, 1e-9, 0.0, "probability");
    qsort(usd[1], SAMPLES, sizeof usd[1][0], by_size);
    const double at = 0.9 * (SAMPLES - 1);
    const uint32_t k = (uint32_t)at;
    assay_test_close(p90->value, usd[1][k] + (at - k) * (usd[1][k + 1] - usd[1][k]), 1e-9, 0.0,
                     "quantile 0.9");
}

/* The price at which two candidates cost the same: the difference there is nothing, and the flip
   that is asked for by its variable is the same one. */
static void test_a_root_is_where_its_function_is_nothing(void **state) {
    world_t w;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    const assay_explained_t *root = explain(&w, "flips[buy_usd:8x-a100-pcie-80g].flip");
    assert_int_equal(root->op, ASSAY_EXPLAIN_ROOT);
    assert_int_equal(root->n_part, 3);
    assay_test_close(root->part[1]->value, root->part[2]->value, 1e-9, 0.0, "costs at the root");
    assay_test_close(detail(root, "at_root")->number, 0.0, 0.0, 1e-9 * root->part[1]->value,
                     "difference at the root");
    assert_true(detail(root, "low")->number < root->value &&
                root->value < detail(root, "high")->number);
}

static void test_a_search_names_the_two_that_came_first(void **state) {
    world_t w;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    const assay_explained_t *node = explain(&w, "candidates[8x-mi250x-oam].layout.tp");
    assert_int_equal(node->op, ASSAY_EXPLAIN_SEARCH);
    assert_int_equal(node->n_part, 2);
    assert_true(node->part[0]->value <= node->part[1]->value); /* least step time */
    assert_string_not_equal(detail(node->part[0], "layout")->text,
                            detail(node->part[1], "layout")->text);
    assert_true(detail(node, "compared")->number > 1.0);
}

/* ---- as it is printed ---- */

static double printed(const assay_node_t *node) {
    double value;
    assert_true(assay_text_to_double(node->text, node->n_text, &value));
    return value;
}

/* A tree of JSON, from the texts of its leaves. */
static double replay_printed(const assay_node_t *node) {
    const char *op = assay_node_find(node, "operation")->text;
    const assay_node_t *part = assay_node_find(node, "parts")->child;
    const double stands = printed(assay_node_find(node, "value"));
    static const char *const formula[] = {"sum", "product", "quotient", "max"};
    bool is_formula = false;
    for (size_t k = 0; k < sizeof formula / sizeof formula[0]; k++) {
        is_formula |= strcmp(op, formula[k]) == 0;
    }
    if (!is_formula) {
        return stands;
    }
    double value = replay_printed(part);
    for (part = part->next; part; part = part->next) {
        const double next = replay_printed(part);
        value = *op == 's'   ? value + next
                : *op == 'p' ? value * next
                : *op == 'q' ? value / next
                             : fmax(value, next);
    }
    assay_test_close(value, stands, 1e-9, 1e-12, assay_node_find(node, "operation")->text);
    return value;
}

static void test_what_is_printed_replays(void **state) {
    static const char *const path[] = {"candidates[0].cost_total_usd", "candidates[1].tco_usd",
                                       "candidates[1].mfu", "verdict.break_even_tokens"};
    world_t w;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    for (size_t k = 0; k < sizeof path / sizeof path[0]; k++) {
        const assay_explanation_t explanation = {path[k], explain(&w, path[k])};
        assay_buf_t out;
        assay_node_t *root;
        assay_buf_init(&out, (size_t)1 << 22);
        assert_int_equal(
            assay_report_explanation(&explanation, ASSAY_REPORT_JSON, NULL, &out, NULL), ASSAY_OK);
        assert_int_equal(assay_node_parse(arena, "tree", out.data, out.n, &root, NULL), ASSAY_OK);
        assay_test_close(replay_printed(assay_node_find(root, "explain")), explanation.node->value,
                         1e-9, 0.0, path[k]);
        assay_buf_done(&out);
    }
}

/* ---- paths ---- */

static void test_an_element_is_named_or_numbered(void **state) {
    static const char *const same[][2] = {
        {"candidates[8x-mi250x-oam].cost_terms_usd.energy",
         "candidates[1][cost_terms_usd][energy]"},
        {"rules[compute_dense].threshold", "rules[0].threshold"},
        {"flips[buy_usd:8x-a100-pcie-80g].now", "flips[0].now"},
        {"sensitivity.paid_by_month[8x-a100-pcie-80g].p50_usd[12]",
         "sensitivity.paid_by_month[0].p50_usd[12]"}};
    world_t w;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    for (size_t k = 0; k < sizeof same / sizeof same[0]; k++) {
        const assay_explained_t *a = explain(&w, same[k][0]), *b = explain(&w, same[k][1]);
        assay_test_close(a->value, b->value, 0.0, 0.0, same[k][0]);
        assert_string_equal(a->name, b->name);
    }
}

static void test_a_wrong_path_is_one_error(void **state) {
    static const struct {
        const char *path, *what, *next;
    } row[] = {
        {"candidates[8x-mi250x-oam].cost_totl_usd", "there is no number", "cost_total_usd"},
        {"candidates[8x-mi250x].mfu", "there is no number", "candidates[8x-mi250x-oam].mfu"},
        {"candidates[2].mfu", "there is no number", "candidates["},
        {"candidates[1].cost_totl_usd", "there is no number", "[8x-mi250x-oam].cost_total_usd"},
        {"candidates[1].cost_terms_usd", "holds some", "[8x-mi250x-oam].cost_terms_usd.capex"},
        {"verdict.sentence", "it is text", "--explain list"},
        {"candidates[1].fits", "is no number: true", "--explain list"},
        {"candidates[0].move_calendar_days", "is no number: null", "--explain list"},
        {"verdict.probability.x", "there is no number", "verdict.probability"},
        {"", "holds some", "verdict.probability"},
        {"[", "there is no number", "--explain list"}};
    world_t w;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        assay_explain_number_t number;
        assay_error_t err = {0};
        assert_int_equal(assay_explain_number(arena, &w.of, row[k].path, &number, &err),
                         ASSAY_NOT_FOUND);
        if (!strstr(err.what, row[k].what) || !strstr(err.next, row[k].next)) {
            fail_msg("%s: %s; %s", row[k].path, err.what, err.next);
        }
    }
}

/* Terms add up to the difference that --why-not states, and the price at which it is even is the
   decision's. */
static void test_why_not_says_the_same(void **state) {
    world_t w;
    assay_why_not_t why;
    (void)state;
    decide_file(&w, "examples/seed-a-65b-training.yaml");
    const assay_decision_t *decision = w.of.training;
    const char *other = decision->candidate[decision->runner_up].machine->id;
    assert_int_equal(assay_why_not(arena, decision, other, NULL, 0, &why, NULL), ASSAY_OK);
    assert_int_equal(why.reason, ASSAY_WHY_DEARER);
    double sum = 0.0;
    for (uint32_t k = 0; k < why.n_term; k++) {
        sum += why.term[k].usd - why.term[k].choice_usd;
    }
    assay_test_close(sum, why.usd - why.choice_usd, 1e-6, 0.0, "difference");
    assay_test_close(why.flip[0].flip,
                     explain(&w, assay_arena_printf(arena, "flips[buy_usd:%s].flip", other))->value,
                     1e-9, 0.0, "price");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_networks_and_adapters),
        cmocka_unit_test(test_fleets),
        cmocka_unit_test(test_a_sample_is_what_its_points_say),
        cmocka_unit_test(test_a_root_is_where_its_function_is_nothing),
        cmocka_unit_test(test_a_search_names_the_two_that_came_first),
        cmocka_unit_test(test_what_is_printed_replays),
        cmocka_unit_test(test_an_element_is_named_or_numbered),
        cmocka_unit_test(test_a_wrong_path_is_one_error),
        cmocka_unit_test(test_why_not_says_the_same)};
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
