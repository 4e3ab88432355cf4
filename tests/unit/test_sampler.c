/* Samples of several candidates: shared causes, closed forms, blocks. */
#include "assay_test.h"

#include "decide/sampler.h"

#define N 4096u

/* Owned, nothing but servers: 1000 h of a year's 8766 at straight line, so the job costs 1000/8766
   of the price, times the step's factors. */
static assay_money_case_t servers(double capex_usd) {
    assay_money_case_t c = {.owned = true,
                            .nodes = 1,
                            .racks = 1,
                            .job_h = 1000,
                            .epochs = 1,
                            .capex_usd = capex_usd,
                            .years = 1,
                            .utilisation = 1};
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c.central[d] = d <= ASSAY_DRAW_RESIDUAL ? 1.0 : 0.0;
        c.draw[d] = assay_dist_fixed(c.central[d]);
    }
    return c;
}

/* One group with one correlation between each two of its n inputs. */
static assay_correlations_t together(const assay_draw_member_t *member, uint32_t n, double rho) {
    double matrix[ASSAY_COPULA_MAX][ASSAY_COPULA_MAX];
    assay_correlations_t out = {.n = 1};
    for (uint32_t i = 0; i < n; i++) {
        out.group[0].member[i] = member[i];
        for (uint32_t j = 0; j < n; j++) {
            matrix[i][j] = i == j ? 1.0 : rho;
        }
    }
    assert_true(assay_copula_set(&out.group[0].copula, n, matrix));
    return out;
}

static double p_first_cheaper(const assay_money_case_t pair[2],
                              const assay_correlations_t *correlations, double *out_mean) {
    const assay_money_case_t *const money_case[2] = {&pair[0], &pair[1]};
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    sampler_t *sampler;
    sampler_block_t *block = assay_arena_alloc(arena, sizeof *block);
    double job[2][ASSAY_BATCH], tco[ASSAY_BATCH], hours[ASSAY_BATCH], p = 0.0, mean = 0.0;
    assert_int_equal(sampler_create(arena, money_case, 2, 1, correlations, &sampler, NULL),
                     ASSAY_OK);
    for (uint32_t first = 0; first < N; first += ASSAY_BATCH) {
        sampler_common(sampler, first, ASSAY_BATCH, block);
        for (uint32_t c = 0; c < 2; c++) {
            sampler_evaluate(sampler, c, first, ASSAY_BATCH, block, job[c], tco, hours);
        }
        for (uint32_t i = 0; i < ASSAY_BATCH; i++) {
            p += job[0][i] < job[1][i] ? 1.0 / N : 0.0;
            mean += job[0][i] / N;
        }
    }
    if (out_mean) {
        *out_mean = mean;
    }
    assay_arena_destroy(arena);
    return p;
}

/* A is 5 % cheaper, each step's error has sigma 0.2. Apart: ln(A/B) is normal with mean ln 0.95 and
   sigma 0.2 sqrt 2, so P = Phi(0.05129/0.28284) = Phi(0.18135) = 0.5720. Shared: it cancels, P = 1.
   Half of the variance shared: sigma 0.2, Phi(0.25647) = 0.6012. */
static void test_shared_errors_cancel(void **state) {
    (void)state;
    assay_money_case_t pair[2] = {servers(95000), servers(100000)};
    for (int c = 0; c < 2; c++) {
        pair[c].draw[ASSAY_DRAW_STEP_OWN] = assay_dist_lognormal(1.0, 0.2);
    }
    assay_test_close(p_first_cheaper(pair, NULL, NULL), 0.5720, 0.0, 0.005, "apart");
    for (int c = 0; c < 2; c++) {
        pair[c].draw[ASSAY_DRAW_STEP_OWN] = assay_dist_fixed(1.0);
        pair[c].draw[ASSAY_DRAW_STEP_COMMON] = assay_dist_lognormal(1.0, 0.2);
    }
    assay_test_close(p_first_cheaper(pair, NULL, NULL), 1.0, 0.0, 1e-12, "shared");
    for (int c = 0; c < 2; c++) {
        pair[c].draw[ASSAY_DRAW_STEP_OWN] = assay_dist_lognormal(1.0, 0.2 * sqrt(0.5));
        pair[c].draw[ASSAY_DRAW_STEP_COMMON] = assay_dist_lognormal(1.0, 0.2 * sqrt(0.5));
    }
    assay_test_close(p_first_cheaper(pair, NULL, NULL), 0.6012, 0.0, 0.005, "half of each");
}

/* E[price] E[step] of independent lognormals: exp(sigma^2/2) each; price 0.3, step 0.2: 95,000 x
   1000/8766 x exp(0.045 + 0.02) = 11,565.1. Quasi-random points come within 0.1 %. */
static void test_mean_by_closed_form(void **state) {
    (void)state;
    assay_money_case_t pair[2] = {servers(95000), servers(100000)};
    double mean;
    pair[0].draw[ASSAY_DRAW_PRICE] = assay_dist_lognormal(1.0, 0.3);
    pair[0].draw[ASSAY_DRAW_STEP_OWN] = assay_dist_lognormal(1.0, 0.2);
    (void)p_first_cheaper(pair, NULL, &mean);
    assay_test_close(mean, 95000 * 1000 / 8766.0 * exp(0.065), 1e-3, 0.0, "mean");
}

/* ln of the prices of A (0.95 of B, sigma 0.3) and B (sigma 0.2), correlated by 0.8: ln(A/B) is
   normal with mean ln 0.95 and variance 0.09 + 0.04 - 2 x 0.8 x 0.06 = 0.034, so P(A cheaper) =
   Phi(0.051293/0.184391) = Phi(0.27818) = 0.6096; apart Phi(0.051293/0.360555) = 0.5566. */
static void test_prices_that_move_together(void **state) {
    (void)state;
    const assay_draw_member_t price[2] = {{ASSAY_DRAW_PRICE, 0}, {ASSAY_DRAW_PRICE, 1}};
    const assay_correlations_t correlations = together(price, 2, 0.8);
    assay_money_case_t pair[2] = {servers(95000), servers(100000)};
    pair[0].draw[ASSAY_DRAW_PRICE] = assay_dist_lognormal(1.0, 0.3);
    pair[1].draw[ASSAY_DRAW_PRICE] = assay_dist_lognormal(1.0, 0.2);
    assay_test_close(p_first_cheaper(pair, NULL, NULL), 0.5566, 0.0, 0.005, "apart");
    assay_test_close(p_first_cheaper(pair, &correlations, NULL), 0.6096, 0.0, 0.005, "together");
}

/* E of a product of lognormals: exp((0.3^2 + 0.2^2 + 2 x 0.5 x 0.3 x 0.2)/2) = exp(0.095). */
static void test_mean_of_correlated(void **state) {
    (void)state;
    const assay_draw_member_t input[2] = {{ASSAY_DRAW_PRICE, 0}, {ASSAY_DRAW_STEP_COMMON, -1}};
    const assay_correlations_t correlations = together(input, 2, 0.5);
    assay_money_case_t pair[2] = {servers(95000), servers(100000)};
    double mean;
    pair[0].draw[ASSAY_DRAW_PRICE] = assay_dist_lognormal(1.0, 0.3);
    pair[0].draw[ASSAY_DRAW_STEP_COMMON] = assay_dist_lognormal(1.0, 0.2);
    (void)p_first_cheaper(pair, &correlations, &mean);
    assay_test_close(mean, 95000 * 1000 / 8766.0 * exp(0.095), 2e-3, 0.0, "mean");
}

/* Margins stay uniform: mean 1/2, variance 1/12. The rank correlation of a Gaussian copula is 6/pi
   asin(rho/2): 0.5819 at 0.6; -0.4826 at -0.5. Whatever is in no group stays apart. */
static void test_rank_correlation(void **state) {
    (void)state;
    const double rho[] = {0.6, -0.5}, rank[] = {0.5819, -0.4826};
    for (int t = 0; t < 2; t++) {
        const assay_draw_member_t input[2] = {{ASSAY_DRAW_ELECTRICITY, -1},
                                              {ASSAY_DRAW_OF(CARBON_PRICE), -1}};
        const assay_correlations_t correlations = together(input, 2, rho[t]);
        double mean = 0.0, variance = 0.0, product = 0.0, apart = 0.0;
        assay_draws_t draws;
        assay_decide_draws(7, &correlations, 0, &draws);
        for (uint32_t i = 0; i < N; i++) {
            double u[ASSAY_DRAW_N];
            assay_decide_draw_of(&draws, i, u);
            const double a = u[ASSAY_DRAW_ELECTRICITY] - 0.5;
            const double b = u[ASSAY_DRAW_OF(CARBON_PRICE)] - 0.5;
            mean += b / N;
            variance += b * b / N;
            product += 12.0 * a * b / N;
            apart += 12.0 * a * (u[ASSAY_DRAW_LABOUR] - 0.5) / N;
        }
        assay_test_close(mean, 0.0, 0.0, 0.002, "mean");
        assay_test_close(variance, 1.0 / 12.0, 0.01, 0.0, "variance");
        assay_test_close(product, rank[t], 0.0, 0.01, "rank correlation");
        assay_test_close(apart, 0.0, 0.0, 0.02, "apart");
    }
}

/* Dearer in every sample, whatever the distribution and whatever it moves with. */
static void test_dearer_is_dearer_in_every_sample(void **state) {
    (void)state;
    static const double quote[5] = {0.7, 0.9, 1.0, 1.4, 2.0};
    const assay_draw_member_t input[2] = {{ASSAY_DRAW_PRICE, 0}, {ASSAY_DRAW_LABOUR, -1}};
    const assay_correlations_t correlations = together(input, 2, -0.9);
    assay_money_case_t cheap = servers(95000), dear = servers(96000);
    cheap.draw[ASSAY_DRAW_PRICE] =
        (assay_dist_t){.kind = ASSAY_DIST_EMPIRICAL, .sample = quote, .n = 5};
    dear.draw[ASSAY_DRAW_PRICE] = assay_dist_scaled(&cheap.draw[ASSAY_DRAW_PRICE], 1.1);
    for (uint32_t i = 0; i < N; i++) {
        double u[ASSAY_DRAW_N];
        assay_money_result_t a, b;
        assay_decide_draw(3, &correlations, 0, i, u);
        assay_money_eval(&cheap, u, &a);
        assay_money_eval(&dear, u, &b);
        assert_true(a.job_usd < b.job_usd);
    }
}

/* Three inputs cannot all oppose each other by more than 1/2. */
static void test_correlations_that_cannot_be(void **state) {
    (void)state;
    double matrix[ASSAY_COPULA_MAX][ASSAY_COPULA_MAX];
    assay_copula_t copula;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix[i][j] = i == j ? 1.0 : -0.6;
        }
    }
    assert_false(assay_copula_set(&copula, 3, matrix));
}

/* A block's values are those of each sample alone, wherever the block begins. */
static void test_blocks_are_the_samples(void **state) {
    (void)state;
    assay_money_case_t c = servers(95000);
    const assay_money_case_t *const money_case[1] = {&c};
    const assay_draw_member_t level[3] = {
        {ASSAY_DRAW_LEVEL_1, -1}, {ASSAY_DRAW_LEVEL_2, -1}, {ASSAY_DRAW_LEVEL_3, -1}};
    assay_correlations_t correlations = together(level, 3, 0.5);
    c.moves = true;
    c.labour_usd_per_day = 800;
    const assay_draw_member_t own[4] = {{ASSAY_DRAW_PRICE, 1},
                                        {ASSAY_DRAW_LABOUR, -1},
                                        {ASSAY_DRAW_PRICE, 0},
                                        {ASSAY_DRAW_POWER, 0}};
    const assay_correlations_t second = together(own, 4, 0.3);
    correlations.group[correlations.n++] = second.group[0];
    c.draw[ASSAY_DRAW_PRICE] = assay_dist_lognormal(1.0, 0.3);
    c.draw[ASSAY_DRAW_LABOUR] = assay_dist_uniform(0.5, 1.5);
    for (int k = 0; k < 3; k++) {
        c.central[ASSAY_DRAW_LEVEL_1 + k] = 10;
        c.draw[ASSAY_DRAW_LEVEL_1 + k] = assay_dist_triangular(5, 10, 30);
    }
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    sampler_t *sampler;
    sampler_block_t *block = assay_arena_alloc(arena, sizeof *block);
    double job[ASSAY_BATCH], tco[ASSAY_BATCH], hours[ASSAY_BATCH];
    assert_int_equal(sampler_create(arena, money_case, 1, 9, &correlations, &sampler, NULL),
                     ASSAY_OK);
    const uint32_t start[] = {0, 37, 1000};
    for (size_t s = 0; s < sizeof start / sizeof *start; s++) {
        sampler_common(sampler, start[s], 100, block);
        sampler_evaluate(sampler, 0, start[s], 100, block, job, tco, hours);
        for (uint32_t i = 0; i < 100; i++) {
            double u[ASSAY_DRAW_N];
            assay_money_result_t r;
            assay_decide_draw(9, &correlations, 0, start[s] + i, u);
            assay_money_eval(&c, u, &r);
            assay_test_close(job[i], r.job_usd, 1e-9, 0.0, "job");
            assay_test_close(tco[i], r.tco_usd, 1e-9, 0.0, "tco");
        }
    }
    assay_arena_destroy(arena);
}

/* Beyond the Sobol table candidates still draw, each its own numbers. */
static void test_many_candidates(void **state) {
    (void)state;
    double a[ASSAY_DRAW_N], b[ASSAY_DRAW_N];
    assay_decide_draw(1, NULL, 500, 3, a);
    assay_decide_draw(1, NULL, 501, 3, b);
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        const bool same = fabs(a[d] - b[d]) < 1e-15;
        assert_true(a[d] > 0.0 && a[d] < 1.0);
        assert_int_equal(same, assay_draw_is_common((assay_draw_t)d));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_errors_cancel),
        cmocka_unit_test(test_mean_by_closed_form),
        cmocka_unit_test(test_prices_that_move_together),
        cmocka_unit_test(test_mean_of_correlated),
        cmocka_unit_test(test_rank_correlation),
        cmocka_unit_test(test_dearer_is_dearer_in_every_sample),
        cmocka_unit_test(test_correlations_that_cannot_be),
        cmocka_unit_test(test_blocks_are_the_samples),
        cmocka_unit_test(test_many_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
