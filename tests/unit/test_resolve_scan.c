/* What a scan says of a port arrives in the money: levels with their spread, fit and share. */
#include "assay/dist.h"
#include "assay/money.h"
#include "assay/train.h"
#include "resolve_fixture.h"

#define SCAN                                                                \
    "{\"findings\": [], \"effort\": {"                                      \
    "\"level1\": {\"p10_days\": 4, \"p50_days\": 8, \"p90_days\": 20},"     \
    "\"level2\": {\"p10_days\": 10, \"p50_days\": 15, \"p90_days\": 22.5}," \
    "\"level3\": {\"p10_days\": 0, \"p50_days\": 0, \"p90_days\": 0},"      \
    "\"debt_days_per_year\": 40, \"hip_fit\": 0.83, \"cuda_only_share\": 0.04, \"more\": 1}}"
#define JOB                                                                                    \
    "assay: 1\n"                                                                               \
    "workload:\n"                                                                              \
    "  train: {model: llama-65b, dataset_tokens: 1.4e12, sequence: 2048, global_batch: 2048, " \
    "precision: bf16}\n"                                                                       \
    "candidates:\n"                                                                            \
    "  - {system: 8x-mi250x-oam, nodes: 64, buy_usd: 93000, network: {kind: ib, gbit_s: 200, " \
    "nics: 8}}\n"

static assay_status_t resolve_with(const char *scan, const char *more, assay_resolved_t **out,
                                   assay_error_t *err) {
    const char *dir = overlay_make("scan.json", scan);
    const assay_status_t status = resolve_text(
        assay_arena_printf(arena, JOB "migration: {scan: %s/scan.json%s}\n", dir, more), out, err);
    overlay_remove(dir, "scan.json");
    return status;
}

static void test_levels_fit_and_share_arrive(void **state) {
    (void)state;
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(resolve_with(SCAN, "", &resolved, &err), ASSAY_OK);
    const assay_fact_t *days = resolved->money.level_days;
    assay_test_close(days[0].p10, 4.0, 0.0, 0.0, "p10 of level 1");
    assay_test_close(days[0].v, 8.0, 0.0, 0.0, "median of level 1");
    assay_test_close(days[0].p90, 20.0, 0.0, 0.0, "p90 of level 1");
    assay_test_close(days[1].v, 15.0, 0.0, 0.0, "level 2");
    assay_test_close(days[2].p90, 0.0, 0.0, 0.0, "level 3");
    assay_test_close(resolved->money.debt_days_per_year, 40.0, 0.0, 0.0, "debt");
    const assay_answer_t *a = resolved->answers.a;
    assert_true(a[ASSAY_ANSWER_HIP_FIT].known && a[ASSAY_ANSWER_CUDA_ONLY_SHARE].known);
    assay_test_close(a[ASSAY_ANSWER_HIP_FIT].v, 0.83, 0.0, 0.0, "fit");
    assay_test_close(a[ASSAY_ANSWER_CUDA_ONLY_SHARE].v, 0.04, 0.0, 0.0, "share");
    assert_null(find_note(resolved, "migration.level1")); /* no default stands for what was read */
    assert_null(find_note(resolved, "migration.debt_days_per_year"));
}

/* The three levels are drawn: a tenth of the outcomes below p10, half below the median, nine tenths
   below p90, in money at 5 days a week of 4,000 USD: 800 USD a day. */
static void test_money_draws_the_spread(void **state) {
    (void)state;
    static const double days[] = {4.0, 8.0, 20.0}, chance[] = {0.1, 0.5, 0.9};
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assay_money_case_t c;
    assay_money_result_t result;
    assert_int_equal(resolve_with(SCAN, ", labour_usd_per_week: 4000", &resolved, &err), ASSAY_OK);
    const assay_money_spread_t spread = {.common_share = 0.5, .power_p10 = 0.9, .power_p90 = 1.1};
    const assay_estimate_t estimate = {
        .step_s = 6.0, .tokens_per_s = 7e5, .rel_p10 = 0.8, .rel_p90 = 1.25, .device_w = 220.0};
    assay_money_case(&resolved->money, &resolved->machine[0], &resolved->workload, &estimate,
                     &spread, &c);
    assert_true(c.moves);
    for (int i = 0; i < 3; i++) {
        double u[ASSAY_DRAW_N];
        for (int k = 0; k < ASSAY_DRAW_N; k++) {
            u[k] = 0.5;
        }
        u[ASSAY_DRAW_LEVEL_1] = chance[i];
        assay_money_eval(&c, u, &result);
        assay_test_close(result.job_term_usd[ASSAY_TERM_MIGRATION_1], 800.0 * days[i], 1e-9, 0.0,
                         "level 1");
        assay_test_close(result.job_term_usd[ASSAY_TERM_MIGRATION_2], 800.0 * 15.0, 1e-9, 0.0,
                         "level 2");
        assay_test_close(result.job_term_usd[ASSAY_TERM_MIGRATION_3], 0.0, 0.0, 0.0, "level 3");
    }
}

static void test_what_the_job_says_of_debt_counts_more(void **state) {
    (void)state;
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(resolve_with(SCAN, ", debt_days_per_year: 2 pw", &resolved, &err), ASSAY_OK);
    assay_test_close(resolved->money.debt_days_per_year, 10.0, 1e-12, 0.0, "debt");
}

static void test_a_scan_of_nothing_leaves_fit_unknown(void **state) {
    (void)state;
    static const char nothing[] =
        "{\"effort\": {"
        "\"level1\": {\"p10_days\": 0, \"p50_days\": 0, \"p90_days\": 0},"
        "\"level2\": {\"p10_days\": 0, \"p50_days\": 0, \"p90_days\": 0},"
        "\"level3\": {\"p10_days\": 0, \"p50_days\": 0, \"p90_days\": 0}}}";
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(resolve_with(nothing, "", &resolved, &err), ASSAY_OK);
    assert_false(resolved->answers.a[ASSAY_ANSWER_HIP_FIT].known);
    assert_non_null(find_note(resolved, "migration.debt_days_per_year")); /* the default */
}

static void test_what_is_no_scan_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *scan, *what;
    } bad[] = {
        {"", "JSON"},
        {"[]", "level1"},
        {"{\"effort\": {\"level1\": {\"p10_days\": 3, \"p50_days\": 2, \"p90_days\": 4}}}",
         "level1"},
        {"{\"effort\": {\"level1\": {\"p10_days\": -1, \"p50_days\": 2, \"p90_days\": 4}}}",
         "level1"},
    };
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(resolve_with(bad[i].scan, "", &resolved, &err), ASSAY_INPUT);
        assert_non_null(strstr(err.what, bad[i].what));
    }
    char fit[sizeof SCAN];
    memcpy(fit, SCAN, sizeof fit);
    memcpy(strstr(fit, "0.83"), "1.83", 4);
    assert_int_equal(resolve_with(fit, "", &resolved, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "hip_fit"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_fit_and_share_arrive),
        cmocka_unit_test(test_money_draws_the_spread),
        cmocka_unit_test(test_what_the_job_says_of_debt_counts_more),
        cmocka_unit_test(test_a_scan_of_nothing_leaves_fit_unknown),
        cmocka_unit_test(test_what_is_no_scan_is_refused),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
