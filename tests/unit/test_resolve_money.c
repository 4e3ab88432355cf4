/* Resolve: which terms of cost count, at which figure of which place; distributions and what moves
   together. */
#include "resolve_fixture.h"

#define JOB(candidates, rest)                                                                  \
    "assay: 1\n"                                                                               \
    "workload:\n"                                                                              \
    "  train: {model: llama-65b, dataset_tokens: 1.4e12, sequence: 2048, global_batch: 2048, " \
    "precision: bf16}\n"                                                                       \
    "candidates: [" candidates "]\n" rest
#define OWNED "{system: 8x-a100-pcie-80g, nodes: 256}"
#define RENTED "{system: hgx-h100-8, nodes: 256, pricing: on-demand}"

static const assay_fact_t *option(const assay_resolved_t *resolved, assay_option_t which) {
    return &resolved->money.option[which];
}

/* Owners pay for the network, space, support, spares; what is rented has none of it. */
static void test_usual_terms(void **state) {
    (void)state;
    const assay_resolved_t *owned = resolve_ok(JOB(OWNED, "")),
                           *rented = resolve_ok(JOB(RENTED, ""));
    static const assay_option_t usual[] = {ASSAY_OPTION_NETWORK_SHARE, ASSAY_OPTION_COLOCATION,
                                           ASSAY_OPTION_SUPPORT, ASSAY_OPTION_FAILURES,
                                           ASSAY_OPTION_DUTY};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        assert_true(option(owned, usual[i])->known);
        assert_false(option(rented, usual[i])->known);
    }
    assay_test_close(option(owned, ASSAY_OPTION_NETWORK_SHARE)->v, 0.19, 0, 0, "Epoch's share");
    assert_false(option(owned, ASSAY_OPTION_FACILITY)->known);
    assert_false(option(owned, ASSAY_OPTION_STORAGE)->known);
    assert_string_equal(find_note(owned, "money.terms.rack")->value, "not counted");
    assert_non_null(find_note(owned, "money.support_share"));
    assert_null(find_note(owned, "money.terms.egress"));
    assert_null(find_note(rented, "money.terms.rack"));
    assert_non_null(find_note(rented, "money.terms.egress"));
}

/* The job's word wins: sets of terms, one term in place of another, and nothing by 0. */
static void test_word_of_the_job(void **state) {
    (void)state;
    const assay_resolved_t *r = resolve_ok(JOB(OWNED, "money: {terms: article}\n"));
    for (int k = 0; k < ASSAY_OPTION_N; k++) {
        assert_false(option(r, (assay_option_t)k)->known);
    }
    assert_non_null(strstr(find_note(r, "money.terms.support")->source, "article"));
    r = resolve_ok(JOB(OWNED, "money: {terms: [none, support]}\n"));
    assert_true(option(r, ASSAY_OPTION_SUPPORT)->known);
    assert_false(option(r, ASSAY_OPTION_COLOCATION)->known);
    r = resolve_ok(JOB(OWNED, "money: {terms: facility}\n"));
    assert_true(option(r, ASSAY_OPTION_FACILITY)->known);
    assert_false(option(r, ASSAY_OPTION_COLOCATION)->known);
    r = resolve_ok(JOB(OWNED, "money: {terms: ports}\n"));
    assert_true(option(r, ASSAY_OPTION_NETWORK_PORT)->known);
    assert_true(option(r, ASSAY_OPTION_SWITCH_PORT)->known);
    assert_false(option(r, ASSAY_OPTION_NETWORK_SHARE)->known);
    r = resolve_ok(JOB(OWNED, "money: {colocation_usd_per_kw_month: 0}\n"));
    assay_test_close(option(r, ASSAY_OPTION_COLOCATION)->v, 0, 0, 0, "switched off");
    r = resolve_ok(JOB(OWNED, "data: {raw_bytes: 10 TB}\n"));
    assert_true(option(r, ASSAY_OPTION_STORAGE)->known);
    r = resolve_ok(JOB(RENTED, "money: {egress_bytes: 1 TB}\n"));
    assert_true(option(r, ASSAY_OPTION_EGRESS)->known);
}

/* Figures of the site's country: EU ETS in France, nothing in the United States, the national
   market in China; of a place that no figure is of, the job must say. */
static void test_figures_of_a_place(void **state) {
    (void)state;
    const struct {
        const char *job;
        assay_option_t option;
        double v;
    } row[] = {
        {JOB(OWNED, "money: {terms: carbon}\n"), ASSAY_OPTION_CARBON_PRICE, 0},
        {JOB(OWNED, "money: {terms: carbon, site: us-state-us-oh}\n"), ASSAY_OPTION_CARBON_PRICE,
         0},
        {JOB(OWNED, "money: {terms: carbon, site: country-fra}\n"), ASSAY_OPTION_CARBON_PRICE,
         77.15},
        {JOB(OWNED, "money: {terms: carbon, site: country-chn}\n"), ASSAY_OPTION_CARBON_PRICE,
         13.33},
        {JOB(OWNED, "money: {terms: facility, site: country-jpn}\n"), ASSAY_OPTION_FACILITY, 15200},
        {JOB(OWNED, "money: {terms: facility, site: country-fra}\n"), ASSAY_OPTION_FACILITY, 11700},
        {JOB(OWNED, "money: {terms: demand}\n"), ASSAY_OPTION_DEMAND, 15},
        {JOB(OWNED, "money: {terms: demand, site: country-deu}\n"), ASSAY_OPTION_DEMAND, 11.43},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const assay_resolved_t *r = resolve_ok(row[i].job);
        assert_true(option(r, row[i].option)->known);
        assay_test_close(option(r, row[i].option)->v, row[i].v, 1e-15, 0, row[i].job);
    }
    const assay_error_t err = resolve_refused(
        JOB(OWNED, "money: {terms: demand, site: country-jpn}\n"), ASSAY_INPUT, 5, "");
    assert_string_equal(err.next, "give money.demand_usd_per_kw_month");
}

/* Median of a triangle of 0.06, 0.10, 0.25: 0.25 - sqrt(0.5 x 0.19 x 0.15) = 0.1306266; of 1, 2, 4,
   8: 3; a price in another unit has the distribution of its own figures. */
static void test_distributions(void **state) {
    (void)state;
    const assay_resolved_t *r = resolve_ok(
        JOB("{system: 8x-a100-pcie-80g, nodes: 256, buy_usd: [4 kUSD, 1 kUSD, 2000, 8000]}",
            "money:\n"
            "  electricity_usd_kwh: {dist: triangular, low: 0.06, mode: 0.10 USD/kWh, high: 0.25}\n"
            "  support_share: {dist: range, low: 2 %, high: 0.1}\n"
            "  pue: {dist: lognormal, p10: 1.1, p90: 1.6}\n"
            "migration: {labour_usd_per_week: {dist: fixed, value: 4000}}\n"));
    assay_test_close(r->money.electricity_usd_per_kwh.v, 0.1306266, 1e-6, 0, "median");
    assay_test_close(r->machine[0].capex_usd.v, 3000, 1e-15, 0, "quotes");
    assert_int_equal(r->machine[0].capex_usd.dist->kind, ASSAY_DIST_EMPIRICAL);
    assay_test_close(option(r, ASSAY_OPTION_SUPPORT)->p90, 0.092, 1e-12, 0, "0.02 + 0.9 x 0.08");
    assay_test_close(r->money.pue.v, 1.3266499, 1e-7, 0, "sqrt(1.1 x 1.6)");
    assay_test_close(r->money.labour_usd_per_day, 800, 1e-15, 0, "a fifth of a week");
}

/* What providers ask, each once: as many samples as there are providers of such offers. */
static void test_empirical_rent(void **state) {
    (void)state;
    const assay_resolved_t *r = resolve_ok(JOB(RENTED, ""));
    const assay_fact_t *rent = &r->machine[0].usd_per_h;
    uint32_t providers = 0;
    for (uint32_t i = 0; i < catalog->n_price; i++) {
        const assay_price_t *row = &catalog->price[i];
        bool first = row->accelerator == r->machine[0].accelerator && row->count > 0 &&
                     row->on_demand_usd_per_h.known;
        for (uint32_t j = 0; j < i && first; j++) {
            const assay_price_t *other = &catalog->price[j];
            first =
                !(other->accelerator == row->accelerator && other->count > 0 &&
                  other->on_demand_usd_per_h.known && strcmp(other->provider, row->provider) == 0);
        }
        providers += first;
    }
    assert_true(providers >= 5);
    assert_non_null(rent->dist);
    assert_int_equal(rent->dist->kind, ASSAY_DIST_EMPIRICAL);
    assert_int_equal(rent->dist->n, providers);
    assay_test_close(rent->v, assay_dist_quantile(rent->dist, 0.5), 1e-15, 0, "median");
    assert_true(rent->p10 < rent->v && rent->v < rent->p90);
}

/* The three levels move together by the table; a pair of the job's joins them, another stands by
   itself. */
static void test_groups_of_correlations(void **state) {
    (void)state;
    const assay_correlations_t *c = resolve_ok(JOB(OWNED, ""))->money.correlations;
    assert_int_equal(c->n, 1);
    assert_int_equal(c->group[0].copula.n, 3);
    assay_test_close(c->group[0].copula.factor[1][0], 0.5, 1e-15, 0, "of the table");
    c = resolve_ok(JOB(OWNED, "analysis:\n  correlations:\n"
                              "    - {of: labour_usd_per_week, with: level3, rho: 0.2}\n"
                              "    - {of: level2, with: level1, rho: 0.9}\n"
                              "    - {of: 'price:8x-a100-pcie-80g', with: pue, rho: -0.3}\n"))
            ->money.correlations;
    assert_int_equal(c->n, 2);
    assert_int_equal(c->group[0].copula.n, 4);
    assay_test_close(c->group[0].copula.factor[1][0], 0.9, 1e-15, 0, "the job's word");
    assert_int_equal(c->group[1].member[0].draw, ASSAY_DRAW_PRICE);
    assert_int_equal(c->group[1].member[0].candidate, 0);
    assert_int_equal(c->group[1].member[1].candidate, -1);
    assay_test_close(c->group[1].copula.factor[1][0], -0.3, 1e-15, 0, "of two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual_terms),        cmocka_unit_test(test_word_of_the_job),
        cmocka_unit_test(test_figures_of_a_place), cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_empirical_rent),     cmocka_unit_test(test_groups_of_correlations),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
