/* Score: the figures drawn from predictions and measurements. */
#include "resolve_fixture.h"
#include "score/score_parts.h"

static assay_score_item_t item_of(const char *source, const char *part, const char *work,
                                  double measured, double predicted) {
    return (assay_score_item_t){
        .source = source,
        .group_accelerator = part,
        .model_family = "f",
        .precision = "bf16",
        .stack = "s",
        .devices = 8,
        .measured = measured,
        .predicted = predicted,
        .p10 = predicted / 1.25,
        .p90 = predicted * 1.25,
        .rel_error = predicted / measured - 1,
        .work_key = work,
        .tokens_per_s_per_device = measured,
        .predicted_tokens_per_s_per_device = predicted,
    };
}

static const assay_score_group_t *group_of(const assay_score_t *score, const char *by,
                                           const char *key) {
    for (uint32_t i = 0; i < score->n_group; i++) {
        if (strcmp(score->group[i].by, by) == 0 && strcmp(score->group[i].key, key) == 0) {
            return &score->group[i];
        }
    }
    fail_msg("no group %s=%s", by, key);
    return NULL;
}

static void test_figures(void **state) {
    (void)state;
    assay_score_item_t item[] = {
        item_of("A", "p", "w", 100, 110), /* + .1  */
        item_of("A", "p", "w", 100, 80),  /* - .2  */
        item_of("B", "p", "w", 100, 150), /* + .5, outside: 120 to 187.5 */
        item_of("B", "q", "w", 100, 100), /*   0   */
        item_of("B", "q", "w", 100, 100),
    };
    item[4].skipped = score_reason_sentence(SCORE_REASON_BATCH);
    assay_score_t score = {.item = item, .n_item = 5, .rows = 5};
    assert_int_equal(score_summarise(arena, &score, NULL), ASSAY_OK);
    assert_int_equal(score.predicted, 4);
    assert_int_equal(score.skipped, 1);
    /* |errors| 0 .1 .2 .5: the median lies between .1 and .2; 0.9 x 3 = 2.7: .2 + .7 x .3 */
    assay_test_close(score.median_abs_rel_error, .15, 1e-12, 0, "median");
    assay_test_close(score.p90_abs_rel_error, .41, 1e-12, 0, "p90");
    /* sources: A .15, B (0, .5) .25 */
    assay_test_close(score.macro_median_by_source, .2, 1e-12, 0, "macro");
    /* ln: log .8, 0, log 1.1, log 1.5: between 0 and log 1.1 */
    assay_test_close(score.bias, log(1.1) / 2, 1e-12, 0, "bias");
    assay_test_close(score.interval_coverage, .75, 1e-12, 0, "coverage");
    /* width 2 log 1.25 each; the third misses its low end 120 by log 1.2, times 2/.2, over 4 */
    assay_test_close(score.interval_score, 2 * log(1.25) + 10 * log(1.2) / 4, 1e-12, 0, "score");
    assert_int_equal(group_of(&score, "source", "B")->n, 2);
    assay_test_close(group_of(&score, "source", "B")->interval_coverage, .5, 0, 0, "B");
    assert_int_equal(group_of(&score, "accelerator", "p")->n, 3);
    assay_test_close(group_of(&score, "accelerator", "p")->median_abs_rel_error, .2, 1e-12, 0, "p");
    assert_int_equal(group_of(&score, "devices", "2-8")->n, 4);
    assert_int_equal(score.n_skip, 1);
    assert_string_equal(score.skip[0].reason, item[4].skipped);
}

static void test_ranking(void **state) {
    (void)state;
    assay_score_item_t item[] = {
        item_of("A", "amd", "w", 100, 90),  /* slower than nv: right */
        item_of("A", "nv", "w", 150, 100),  /* */
        item_of("A", "nv2", "w", 120, 200), /* faster than amd: right; than nv: wrong */
        item_of("A", "amd", "v", 100, 80),  /* other work, too far apart: no test */
        item_of("A", "nv", "v", 201, 90),
        item_of("A", "nv", "u", 100, 90), /* the same part twice: no test */
        item_of("A", "nv", "u", 110, 80),
        item_of("A", "amd", "u", 90, 85), /* right against the first, wrong against the second */
    };
    for (size_t i = 0; i < sizeof item / sizeof item[0]; i++) {
        const bool amd = item[i].group_accelerator[0] == 'a';
        item[i].is_amd = amd;
        item[i].is_nvidia = !amd;
        /* by peak amd always wins, nv ties with nv2 */
        item[i].peak_bf16_flops = amd ? 2 : 1;
    }
    assay_score_t score = {.item = item, .n_item = 8, .rows = 8, .predicted = 8};
    assert_int_equal(score_rank(arena, &score, NULL), ASSAY_OK);
    /* amd/nv: w right, u right and wrong = 2 of 3; amd/nv2: 1 of 1; nv/nv2: 0 of 1 */
    assert_int_equal(score.n_ranking_pair, 3);
    assert_int_equal(score.ranking.pairs, 5);
    assay_test_close(score.ranking.accuracy, (2. / 3 + 1 + 0) / 3, 1e-12, 0, "accuracy");
    assay_test_close(score.ranking.baseline_accuracy, (0 + 0 + .5) / 3, 1e-12, 0, "baseline");
    assert_int_equal(score.ranking_amd_nvidia.pairs, 4);
    assay_test_close(score.ranking_amd_nvidia.accuracy, (2. / 3 + 1) / 2, 1e-12, 0, "AMD-NVIDIA");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_ranking),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
