/* The effort model against hand calculations; findings and counts are made up. */
#include <math.h>
#include <string.h>

#include "assay_test.h"

#include "port/effort.h"

static int make_arena(void **state) {
    *state = assay_arena_create((size_t)32 << 20);
    return *state ? 0 : -1;
}
static int drop_arena(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_port_finding_t finding(const char *file, uint32_t line, const char *rule, int effect,
                                    int level, const char *api, const char *status,
                                    const char *replacement) {
    return (assay_port_finding_t){.rule = rule,
                                  .api = api,
                                  .replacement = replacement,
                                  .status = status,
                                  .message = "",
                                  .source = "",
                                  .at = {file, line, 1},
                                  .effect = (uint8_t)effect,
                                  .level = (uint8_t)level};
}

/* 3,000 lines of CUDA with three kernels, one of them flagged twice within ten lines; one missing
   API; a build file; a package without a known replacement. */
typedef struct {
    assay_port_file_t file[3];
    assay_port_finding_t finding[5];
    assay_port_scan_t scan;
} tree_t;
static void make_tree(tree_t *tree) {
    *tree = (tree_t){
        .file = {{.path = "Makefile",
                  .language = ASSAY_PORT_MAKE,
                  .lines = 20,
                  .references = {[ASSAY_PORT_REFERENCE_API] = {.all = 1}}},
                 {.path = "a.cu",
                  .language = ASSAY_PORT_CUDA,
                  .lines = 3000,
                  .kernels = 3,
                  .references = {[ASSAY_PORT_REFERENCE_API] = {15, 13, 0, 2},
                                 [ASSAY_PORT_REFERENCE_KERNEL] = {3, 2, 0, 0}}},
                 {.path = "requirements.txt",
                  .language = ASSAY_PORT_REQUIREMENTS,
                  .lines = 4,
                  .references = {[ASSAY_PORT_REFERENCE_PACKAGE] = {.all = 1}}}},
        .finding = {finding("a.cu", 100, "zz-any", ASSAY_EFFECT_SILENT, 2, "", "", ""),
                    finding("a.cu", 100, "zz-other", ASSAY_EFFECT_SLOW, 2, "", "", ""),
                    finding("a.cu", 110, "zz-any", ASSAY_EFFECT_NOTE, 2, "", "", ""),
                    finding("a.cu", 200, "zz-api", ASSAY_EFFECT_COMPILE, 1, "cuFoo", "unsupported",
                            ""),
                    finding("requirements.txt", 1, "zz-package", ASSAY_EFFECT_COMPILE, 3, "foo",
                            "unsupported", "")},
    };
    tree->scan = (assay_port_scan_t){
        .file = tree->file, .n_file = 3, .finding = tree->finding, .n_finding = 5};
}

static void test_nothing_to_port_costs_nothing(void **state) {
    assay_port_file_t file = {.path = "README", .language = ASSAY_PORT_OTHER, .lines = 10};
    assay_port_scan_t scan = {.file = &file, .n_file = 1};
    assert_int_equal(port_effort(*state, &scan, NULL), ASSAY_OK);
    assert_true(scan.effort.hip_fit < 0.0 && scan.effort.cuda_only_share < 0.0);
    assay_test_close(scan.effort.total.p90_days, 0.0, 0.0, 0.0, "total");
    assay_test_close(scan.effort.debt_days_per_year, 0.0, 0.0, 0.0, "debt");
}

static void test_features_of_a_small_tree(void **state) {
    tree_t tree;
    effort_table_t table;
    effort_features_t f;
    make_tree(&tree);
    assert_int_equal(port_effort_table(*state, &table, NULL), ASSAY_OK);
    assert_int_equal(port_effort_features(*state, &table, &tree.scan, &f, NULL), ASSAY_OK);
    assert_int_equal(f.cuda_lines, 3000);
    assert_int_equal(f.kernels, 3);
    assert_int_equal(f.flagged, 1);
    assert_int_equal(f.build_files, 1);
    assert_int_equal(f.unsupported, 1);
    assert_int_equal(f.packages, 1);
    /* lines 100 and 200; the note and the package ask for no edit of a source line */
    assay_test_close(tree.file[1].residual_lines, 2.0, 0.0, 0.0, "lines of a.cu");
    /* 5 fixed + 2/60 lines + 1 missing name + 0.25 build file */
    assay_test_close(f.level_days[0], 5.0 + 2.0 / 60.0 + 1.0 + 0.25, 1e-12, 0.0, "level 1");
    /* one kernel at 1 day; two without findings at 0.1 x 2^0.7 = 0.162450 */
    assay_test_close(f.level_days[1], 1.162450479, 1e-9, 0.0, "level 2");
    /* 10 fixed + 15 for a package that nothing replaces */
    assay_test_close(f.level_days[2], 25.0, 1e-12, 0.0, "level 3");
}

/* Level 1: prior ln 8.66025 = 2.158744, sigma ln 3 / 2.563103 = 0.428626; scan ln 6.283333 =
   1.837901, sigma 0.6: weights 5.443062 and 2.777778, so the median is
   exp((5.443062 x 2.158744 + 2.777778 x 1.837901) / 8.220840) = 7.770486, sigma 0.348772. */
static void test_levels_combine_prior_and_scan(void **state) {
    tree_t tree;
    make_tree(&tree);
    assert_int_equal(port_effort(*state, &tree.scan, NULL), ASSAY_OK);
    const assay_port_effort_t *e = &tree.scan.effort;
    assay_test_close(e->level[0].p50_days, 7.770486, 1e-5, 0.0, "level 1 median");
    assay_test_close(e->level[0].p90_days / e->level[0].p50_days, exp(1.2815516 * 0.348772), 1e-5,
                     0.0, "level 1 spread");
    assay_test_close(e->level[0].p10_days * e->level[0].p90_days,
                     e->level[0].p50_days * e->level[0].p50_days, 1e-12, 0.0, "level 1 symmetry");
    /* weights 1, 20 and 1: 16 API uses, 3 kernels and a package are 16 + 60 + 1 = 77; ready are
       13 + 2 x 20 = 53 of them, without any form 2 */
    assay_test_close(e->hip_fit, 53.0 / 77.0, 1e-12, 0.0, "fit");
    assay_test_close(e->cuda_only_share, 2.0 / 77.0, 1e-12, 0.0, "CUDA only");
    assay_test_close(e->ported_share, 0.0, 0.0, 0.0, "ported");
    /* one junior of the default team of two: 80 h = 10 days */
    assay_test_close(e->training.p50_days, 10.0, 0.01, 0.0, "training");
    const double sum =
        e->level[0].p50_days + e->level[1].p50_days + e->level[2].p50_days + e->training.p50_days;
    assert_true(e->total.p50_days > sum && e->total.p50_days < 1.25 * sum);
    assay_test_close(e->contingency.p50_days, 0.065 * e->total.p50_days / 1.065, 0.05, 0.0,
                     "contingency");
    /* two people, 0.7 of their time, seven days for five */
    assay_test_close(e->calendar.p50_days, e->total.p50_days * 1.4 / (2 * 0.7), 1e-12, 0.0,
                     "calendar");
    assert_true(e->total.p90_days < e->tail_p95_days * 1.08 && e->tail_p95_days < e->tail_p99_days);
    assert_true(e->covered_share > 0.5 && e->covered_share < 0.9);
    assay_test_close(e->debt_days_per_year, 15.0, 1e-12, 0.0, "debt");
    assert_true(e->n_assumption > 0 && e->assumption[0][0] != '\0');
}

static void test_a_small_tree_is_at_the_low_end(void **state) {
    tree_t tree;
    make_tree(&tree);
    tree.file[1].lines = 1999;
    assert_int_equal(port_effort(*state, &tree.scan, NULL), ASSAY_OK);
    assay_test_close(tree.scan.effort.level[0].p50_days, 5.0, 1e-9, 0.0, "1 person-week");
    assay_test_close(tree.scan.effort.level[1].p50_days, 1.162450479, 1e-9, 0.0, "as scanned");
    assay_test_close(tree.scan.effort.level[2].p50_days, 65.0 / 3.0, 1e-3, 0.0, "1 person-month");
}

static void test_a_large_tree_is_not_held_down(void **state) {
    tree_t tree;
    effort_table_t table;
    effort_features_t f;
    make_tree(&tree);
    tree.file[1].lines = 200000;
    assert_int_equal(port_effort_table(*state, &table, NULL), ASSAY_OK);
    assay_port_finding_t *many = assay_arena_array(*state, 3000, sizeof *many);
    for (uint32_t i = 0; i < 3000; i++) {
        many[i] = finding("a.cu", 1 + 50 * i, "zz-any", ASSAY_EFFECT_SILENT, 2, "", "", "");
    }
    tree.file[1].kernels = 3000;
    tree.scan.finding = many;
    tree.scan.n_finding = 3000;
    assert_int_equal(port_effort_features(*state, &table, &tree.scan, &f, NULL), ASSAY_OK);
    assert_int_equal(f.flagged, 3000);
    assert_int_equal(port_effort(*state, &tree.scan, NULL), ASSAY_OK);
    /* 3000^0.7 = 271.634 days, above the prior's 14.14: the scan alone speaks */
    assay_test_close(tree.scan.effort.level[1].p50_days, 271.634, 1e-4, 0.0, "level 2");
    assay_test_close(f.residual_lines, 3000.0, 0.0, 0.0, "lines");
}

/* Ported code is a tenth of the fixed work and of the prior. */
static void test_ported_code_is_credited(void **state) {
    tree_t tree;
    make_tree(&tree);
    tree.scan.n_finding = 0;
    for (int i = 0; i < 3; i++) {
        memset(tree.file[i].references, 0, sizeof tree.file[i].references);
    }
    tree.file[1].references[ASSAY_PORT_REFERENCE_API] =
        (assay_port_references_t){.all = 19, .ported = 19};
    tree.file[1].lines = 50000;
    assert_int_equal(port_effort(*state, &tree.scan, NULL), ASSAY_OK);
    /* prior 0.1 x 8.66025, scan 0.1 x 5: exp((5.443062 ln 0.866025 + 2.777778 ln 0.5) / 8.220840)
     */
    assay_test_close(tree.scan.effort.level[0].p50_days, 0.719318, 1e-5, 0.0, "level 1");
}

/* Half of the days of each level, whatever the tree. */
static void test_experience_halves_the_levels(void **state) {
    tree_t first, again;
    make_tree(&first);
    make_tree(&again);
    again.scan.options.experienced = true;
    assert_int_equal(port_effort(*state, &first.scan, NULL), ASSAY_OK);
    assert_int_equal(port_effort(*state, &again.scan, NULL), ASSAY_OK);
    const assay_port_effort_t *a = &first.scan.effort, *b = &again.scan.effort;
    for (int k = 0; k < 3; k++) {
        assay_test_close(b->level[k].p50_days, 0.5 * a->level[k].p50_days, 1e-12, 0.0, "median");
        assay_test_close(b->level[k].p90_days, 0.5 * a->level[k].p90_days, 1e-12, 0.0, "p90");
    }
    assay_test_close(b->training.p50_days, a->training.p50_days, 0.0, 0.0, "training");
    assert_true(b->total.p50_days < a->total.p50_days);
    assay_test_close(a->experience, 1.0, 0.0, 0.0, "none");
}

/* Two CUTLASS kernels: 20 x 2^0.7 days of someone's own kernels; where ROCm has the package they
   are calls of it, 3 x 2^0.7; one quiet kernel is checked in 0.1. */
static void test_a_package_that_rocm_has_replaces_kernels(void **state) {
    tree_t tree;
    effort_table_t table;
    effort_features_t f;
    make_tree(&tree);
    tree.finding[0] = finding("a.cu", 100, "cutlass", ASSAY_EFFECT_COMPILE, 2, "cute", "", "");
    tree.finding[1] = finding("a.cu", 900, "cutlass", ASSAY_EFFECT_COMPILE, 2, "cute", "", "");
    tree.scan.n_finding = 2;
    assert_int_equal(port_effort_table(*state, &table, NULL), ASSAY_OK);
    assert_int_equal(port_effort_features(*state, &table, &tree.scan, &f, NULL), ASSAY_OK);
    assay_test_close(f.level_days[1], 20.0 * 1.6245048 + 0.1, 1e-7, 0.0, "own kernels");
    port_effort_replace(&table);
    assert_int_equal(port_effort_features(*state, &table, &tree.scan, &f, NULL), ASSAY_OK);
    assay_test_close(f.level_days[1], 3.0 * 1.6245048 + 0.1, 1e-7, 0.0, "calls");
}

/* Total: three log-normals that share half of the variance of their logarithms, training and the
   contingency. Mean and standard deviation of ln(sum) by the moments of the sum, as a check that
   is independent of the sampling. */
static void test_the_total_has_the_moments_of_its_parts(void **state) {
    tree_t tree;
    make_tree(&tree);
    assert_int_equal(port_effort(*state, &tree.scan, NULL), ASSAY_OK);
    const assay_port_effort_t *e = &tree.scan.effort;
    double mean[3], sigma[3], m = 0.0, v = 0.0;
    for (int k = 0; k < 3; k++) {
        sigma[k] = log(e->level[k].p90_days / e->level[k].p50_days) / 1.2815516;
        mean[k] = e->level[k].p50_days * exp(0.5 * sigma[k] * sigma[k]);
        m += mean[k];
    }
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            const double correlation = j == k ? 1.0 : 0.5;
            v += mean[j] * mean[k] * (exp(correlation * sigma[j] * sigma[k]) - 1.0);
        }
    }
    m += 10.0; /* training, narrow */
    v += 1.6 * 1.6;
    const double s2 = log(1.0 + v / (m * m));
    const double median = m * exp(-0.5 * s2), p90 = median * exp(1.2815516 * sqrt(s2));
    assay_test_close(e->total.p50_days, 1.065 * median, 0.02, 0.0, "median");
    assay_test_close(e->total.p90_days, 1.065 * p90, 0.03, 0.0, "p90");
}

static void test_more_kernels_places_than_kernels(void **state) {
    tree_t tree;
    effort_table_t table;
    effort_features_t f;
    make_tree(&tree);
    assert_int_equal(port_effort_table(*state, &table, NULL), ASSAY_OK);
    tree.file[1].kernels = 1;
    tree.finding[1].at.line = 500; /* a second place, but the file has one kernel */
    const assay_port_finding_t moved = tree.finding[1];
    tree.finding[1] = tree.finding[2];
    tree.finding[2] = tree.finding[3];
    tree.finding[3] = moved;
    assert_int_equal(port_effort_features(*state, &table, &tree.scan, &f, NULL), ASSAY_OK);
    assert_int_equal(f.flagged, 1);
}

/* Another finding of any kind never makes the port cheaper. */
static void test_more_findings_never_cost_less(void **state) {
    static const char *const rule[] = {"zz-any", "warp-mask-32bit", "ptx-scalar", "wmma",
                                       "cutlass"};
    assay_port_finding_t *many = assay_arena_array(*state, 400, sizeof *many);
    tree_t tree;
    effort_table_t table;
    effort_features_t f;
    make_tree(&tree);
    assert_int_equal(port_effort_table(*state, &table, NULL), ASSAY_OK);
    tree.file[1].kernels = 50;
    tree.scan.finding = many;
    double before[3] = {0.0, 0.0, 0.0}, lines = 0.0;
    for (uint32_t n = 1; n <= 400; n++) {
        many[n - 1] = finding("a.cu", 7 * n, rule[n % 5], (int)(n % 3), 1 + (int)(n % 2), "cuX",
                              "unsupported", "");
        tree.scan.n_finding = n;
        assert_int_equal(port_effort_features(*state, &table, &tree.scan, &f, NULL), ASSAY_OK);
        for (int k = 0; k < 3; k++) {
            assert_true(f.level_days[k] >= before[k] - 1e-9);
            before[k] = f.level_days[k];
        }
        assert_true(f.residual_lines >= lines);
        lines = f.residual_lines;
    }
}

static void test_results_repeat(void **state) {
    tree_t one, two;
    make_tree(&one);
    make_tree(&two);
    assert_int_equal(port_effort(*state, &one.scan, NULL), ASSAY_OK);
    assert_int_equal(port_effort(*state, &two.scan, NULL), ASSAY_OK);
    assert_memory_equal(&one.scan.effort.total, &two.scan.effort.total,
                        sizeof one.scan.effort.total);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_to_port_costs_nothing),
        cmocka_unit_test(test_features_of_a_small_tree),
        cmocka_unit_test(test_levels_combine_prior_and_scan),
        cmocka_unit_test(test_a_small_tree_is_at_the_low_end),
        cmocka_unit_test(test_a_large_tree_is_not_held_down),
        cmocka_unit_test(test_ported_code_is_credited),
        cmocka_unit_test(test_experience_halves_the_levels),
        cmocka_unit_test(test_a_package_that_rocm_has_replaces_kernels),
        cmocka_unit_test(test_the_total_has_the_moments_of_its_parts),
        cmocka_unit_test(test_more_kernels_places_than_kernels),
        cmocka_unit_test(test_more_findings_never_cost_less),
        cmocka_unit_test(test_results_repeat),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
