/* Every number that can be explained, of the example jobs: its parts give it again. */
#include "assay_test.h"

#include "assay/report_explain.h"
#include "assay/text.h"
#include "assay/why_not.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

/* All that is wrong is told, and then the test fails. */
static uint32_t bad;
#define BAD(...)                  \
    do {                          \
        bad++;                    \
        print_error(__VA_ARGS__); \
        print_error("\n");        \
    } while (0)

typedef struct {
    assay_arena_t *arena;
    assay_resolved_t *resolved;
    assay_explain_of_t of;
} world_t;

static int teardown(void **state) {
    world_t *w = *state;
    assay_arena_destroy(w->arena);
    test_free(w);
    return 0;
}

static void decide_example(world_t *w, const char *name) {
    assay_error_t err = {0};
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    assay_job_t *job;
    const char *path = assay_arena_printf(w->arena, "%s/examples/%s.yaml", ASSAY_SOURCE_DIR, name);
    assay_status_t status = assay_catalog_load(w->arena, NULL, 0, &catalog, &err);
    status = status ? status : assay_calibration_load(w->arena, NULL, 0, &calibration, &err);
    char *text;
    size_t size;
    status = status ? status : assay_file_read(w->arena, path, (size_t)1 << 20, &text, &size, &err);
    status = status ? status : assay_job_read(w->arena, path, text, size, NULL, 0, &job, &err);
    status =
        status ? status : assay_resolve(w->arena, job, catalog, calibration, &w->resolved, &err);
    assert_int_equal(status, ASSAY_OK);
    w->resolved->samples = 200;
}

static const char *detail(const assay_explained_t *node, const char *key) {
    for (uint32_t k = 0; k < node->n_detail; k++) {
        if (strcmp(node->detail[k].key, key) == 0) {
            return node->detail[k].text ? node->detail[k].text : "number";
        }
    }
    return NULL;
}

/* What a node of each kind has to say. */
static void check_node(const assay_explained_t *node) {
    static const char *const has[ASSAY_EXPLAIN_N][4] = {
        [ASSAY_EXPLAIN_DRAWN] = {"distribution", "p10", "p90"},
        [ASSAY_EXPLAIN_SAMPLE] = {"statistic", "points", "sequence", "command"},
        [ASSAY_EXPLAIN_ROOT] = {"function", "variable"},
        [ASSAY_EXPLAIN_SEARCH] = {"rule"}};
    if (!node->name || !node->unit || !isfinite(node->value) ||
        (node->op <= ASSAY_EXPLAIN_MODEL && !node->source)) {
        BAD("%s lacks a name, unit, value or source", node->name ? node->name : "a node");
    }
    for (int k = 0; k < 4 && has[node->op][k]; k++) {
        if (!detail(node, has[node->op][k])) {
            BAD("%s does not say %s", node->name, has[node->op][k]);
        }
    }
    if (assay_explain_is_formula(node->op) && node->n_part == 0) {
        BAD("%s has no parts", node->name);
    }
}

/* Each node from what its parts are, and from what its inputs are all the way down. */
static void replay(const assay_explained_t *node, const char *path, uint32_t *io_n) {
    const double value = assay_explain_replay(node);
    if (fabs(value - node->value) > 1e-9 * fabs(node->value) + 1e-12) {
        BAD("%s: %s is %.17g, of its parts %.17g", path, node->name, node->value, value);
    }
    check_node(node);
    for (uint32_t i = 0; i < node->n_part; i++) {
        replay(node->part[i], path, io_n);
    }
    ++*io_n;
}

/* Every number of the decision's JSON. */
static void replay_all(world_t *w, uint32_t least) {
    assay_explain_number_t *number;
    assay_explainer_t *explainer;
    assay_error_t err = {0};
    uint32_t n, n_node = 0;
    assert_int_equal(assay_explain_numbers(w->arena, &w->of, &number, &n, &err), ASSAY_OK);
    assert_int_equal(assay_explainer_create(w->arena, &w->of, NULL, 0, &explainer, &err), ASSAY_OK);
    assert_true(n >= least);
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
        replay(node, number[i].path, &n_node);
        assay_arena_reset(scratch);
    }
    assay_arena_destroy(scratch);
    assert_int_equal(bad, 0);
    assert_true(n_node > n);
}

static int setup(void **state) {
    world_t *w = test_calloc(1, sizeof *w);
    w->arena = assay_arena_create((size_t)1 << 30);
    *state = w;
    return 0;
}

static void test_training(void **state) {
    world_t *w = *state;
    assay_decision_t *decision;
    assay_why_not_t why;
    decide_example(w, "seed-a-65b-training");
    assert_int_equal(assay_decide(w->arena, w->resolved, NULL, 0, NULL, &decision, NULL), ASSAY_OK);
    w->of.training = decision;
    replay_all(w, 40);
    /* terms add up to the difference, and the price at which it is even is the decision's */
    const assay_candidate_t *other = &decision->candidate[decision->runner_up];
    assert_int_equal(assay_why_not(w->arena, decision, other->machine->id, NULL, 0, &why, NULL),
                     ASSAY_OK);
    assert_int_equal(why.reason, ASSAY_WHY_DEARER);
    double sum = 0.0;
    for (uint32_t k = 0; k < why.n_term; k++) {
        sum += why.term[k].usd - why.term[k].choice_usd;
    }
    assay_test_close(sum, why.usd - why.choice_usd, 1e-6, 0.0, "difference");
    for (uint32_t k = 0; k < decision->n_flip; k++) {
        const assay_flip_t *flip = &decision->flip[k];
        if (flip->candidate && strcmp(flip->candidate, other->machine->id) == 0 &&
            strcmp(flip->variable, "buy_usd") == 0) {
            assay_test_close(why.flip[0].flip, flip->flip, 1e-9, 0.0, "price");
        }
    }
}

static void test_training_with_tax_by_the_article(void **state) {
    world_t *w = *state;
    assay_decision_t *decision;
    decide_example(w, "seed-a-65b-training");
    assay_money_input_t *money = &w->resolved->money;
    money->tco_formula = ASSAY_TCO_ARTICLE;
    money->option[ASSAY_OPTION_INCOME_TAX] = assay_fact_exact(0.25, "test");
    money->option[ASSAY_OPTION_MTBF] = assay_fact_exact(50000.0, "test");
    money->option[ASSAY_OPTION_CHECKPOINT] = assay_fact_exact(60.0, "test");
    money->option[ASSAY_OPTION_SUPPORT] = assay_fact_exact(0.03, "test");
    assert_int_equal(assay_decide(w->arena, w->resolved, NULL, 0, NULL, &decision, NULL), ASSAY_OK);
    assert_true(decision->candidate[0].point.job_term_usd[ASSAY_TERM_TAX] < 0.0);
    assert_true(decision->candidate[0].point.goodput < 1.0);
    w->of.training = decision;
    replay_all(w, 44);
}

/* Every number of the decision about every example. */
static void test_examples(void **state) {
    world_t *w = *state;
    const char *path = assay_arena_printf(w->arena, "%s/examples", ASSAY_SOURCE_DIR);
    DIR *dir = opendir(path);
    uint32_t n = 0;
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const char *end = strstr(entry->d_name, ".yaml");
        if (!end) {
            continue;
        }
        const char *name =
            assay_arena_strndup(w->arena, entry->d_name, (size_t)(end - entry->d_name));
        assay_decision_t *training = NULL;
        assay_serving_decision_t *serving = NULL;
        assay_image_decision_t *images = NULL;
        decide_example(w, name);
        const assay_status_t status =
            w->resolved->kind == ASSAY_WORK_SERVE
                ? assay_decide_serving(w->arena, w->resolved, NULL, 0, NULL, &serving, NULL)
            : w->resolved->kind == ASSAY_WORK_IMAGE
                ? assay_decide_images(w->arena, w->resolved, NULL, 0, NULL, &images, NULL)
                : assay_decide(w->arena, w->resolved, NULL, 0, NULL, &training, NULL);
        assert_int_equal(status, ASSAY_OK);
        w->of = (assay_explain_of_t){training, serving, images};
        replay_all(w, 300);
        n++;
    }
    closedir(dir);
    assert_true(n >= 10);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_training), TEST(test_training_with_tax_by_the_article), TEST(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
