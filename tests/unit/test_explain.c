/* Every number that can be explained, of the example jobs: its parts give it again. */
#include "assay_test.h"

#include "assay/explain.h"
#include "assay/text.h"
#include "assay/why_not.h"

#include <string.h>

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

/* From the inputs alone, and each node from what its parts say they are. */
static void replay(const assay_explained_t *node, uint32_t *io_n) {
    assay_test_close(assay_explain_replay(node), node->value, 1e-9, 1e-12, node->name);
    if (node->op == ASSAY_EXPLAIN_INPUT) {
        assert_non_null(node->source);
        assert_int_equal(node->n_part, 0);
    } else {
        assert_true(node->n_part > 0 && node->n_part < ASSAY_EXPLAIN_PARTS);
    }
    for (uint32_t i = 0; i < node->n_part; i++) {
        replay(node->part[i], io_n);
    }
    ++*io_n;
}

static void replay_all(world_t *w, uint32_t least) {
    const char *const *path;
    uint32_t n, n_node = 0;
    assert_int_equal(assay_explain_paths(w->arena, &w->of, &path, &n, NULL), ASSAY_OK);
    assert_true(n >= least);
    for (uint32_t i = 0; i < n; i++) {
        const assay_explained_t *node;
        assert_int_equal(assay_explain(w->arena, &w->of, path[i], &node, NULL), ASSAY_OK);
        replay(node, &n_node);
    }
    assert_true(n_node > 3 * n);
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

static void test_serving(void **state) {
    world_t *w = *state;
    assay_serving_decision_t *decision;
    decide_example(w, "seed-b-llama3-8b-serving");
    assert_int_equal(assay_decide_serving(w->arena, w->resolved, NULL, 0, NULL, &decision, NULL),
                     ASSAY_OK);
    w->of.serving = decision;
    replay_all(w, 8);
}

static void test_images(void **state) {
    world_t *w = *state;
    assay_image_decision_t *decision;
    decide_example(w, "seed-b-sdxl");
    assert_int_equal(assay_decide_images(w->arena, w->resolved, NULL, 0, NULL, &decision, NULL),
                     ASSAY_OK);
    w->of.images = decision;
    replay_all(w, 8);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {TEST(test_training),
                                       TEST(test_training_with_tax_by_the_article),
                                       TEST(test_serving), TEST(test_images)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
