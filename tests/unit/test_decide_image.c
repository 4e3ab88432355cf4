#include "resolve_fixture.h"

#include "assay/decide_image.h"
#include "assay/flip.h"

#include <math.h>

static assay_error_t err;

static assay_status_t resolve(const char *image, double a100_usd_per_h,
                              const assay_resolved_t **out) {
    assay_resolved_t *resolved = NULL;
    const char *text =
        assay_arena_printf(arena,
                           "workload: {image: %s}\n"
                           "candidates:\n"
                           "  - {system: gcp-a2-ultragpu-8g, id: a100, usd_per_h: %.17g}\n"
                           "  - {system: asus-esc8000a-e12-8x-h100-pcie, id: h100, usd_per_h: 50}\n"
                           "money: {years: 2}\n"
                           "analysis: {samples: 256}\n",
                           image, a100_usd_per_h);
    const assay_status_t status = resolve_text(text, &resolved, &err);
    *out = resolved;
    return status;
}

static assay_image_decision_t *decide(const char *image, double a100_usd_per_h) {
    const assay_resolved_t *resolved;
    assay_image_decision_t *decision;
    if (resolve(image, a100_usd_per_h, &resolved) ||
        assay_decide_images(arena, resolved, NULL, 0, NULL, &decision, &err)) {
        fail_msg("%s", err.what);
    }
    return decision;
}

#define SDXL "{model: sdxl, steps: 20, images: 4, rate: 2}"

/* A node-hour of 40 USD, n nodes and r images/s: 1000 images cost 1000 x 40 n /
   (3600 r), a month of 8766/12 hours 40 n x 730.5. */
static void costs_are_nodes_times_hours(void **state) {
    (void)state;
    const assay_image_decision_t *decision = decide(SDXL, 40);
    const assay_image_candidate_t *a100 = &decision->candidate[0];
    const double node_h = 40.0 * a100->fleet.nodes;
    assert_true(a100->fits);
    assay_test_close(a100->fleet.images_per_s, 8, 1e-12, 0, "images/s");
    assay_test_close(a100->month_usd, node_h * 730.5, 1e-9, 0, "month");
    assay_test_close(a100->usd_per_1000, 1000 * node_h / 3600 / 8, 1e-9, 0, "1,000 images");
    assay_test_close(a100->usd_per_1000_busy,
                     1000 * node_h / 3600 /
                         (a100->fleet.images_per_s_per_device * a100->fleet.devices),
                     1e-9, 0, "never idle");
    assay_test_close(decision->candidate[0].p_best + decision->candidate[1].p_best, 1, 1e-9, 0,
                     "somebody is cheapest");
}

/* At the price of the first flip both cost the same, a cent beyond it the other
 * is chosen. */
static void the_price_flips_where_it_says(void **state) {
    (void)state;
    const assay_image_decision_t *decision = decide(SDXL, 20);
    assert_int_equal(decision->choice, 0);
    assert_true(decision->flip[0].has_flip);
    const double flip = decision->flip[0].flip;
    assay_test_close(decision->flip[0].now, 20, 1e-12, 0, "now");
    const assay_image_decision_t *at = decide(SDXL, flip), *beyond = decide(SDXL, flip + .01);
    assay_test_close(at->candidate[0].point.tco_usd, at->candidate[1].point.tco_usd, 1e-9, 0,
                     "equal");
    assert_int_equal(beyond->choice, 1);
}

static void what_cannot_be_asked_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *image, *what;
        uint32_t column;
    } refused[] = {
        {"{model: sdlx}", "no pipeline on images is called 'sdlx'", 27},
        {"{model: sdxl, width: 1000}", "divide by 32", 27},
        {"{model: resnet-50, steps: 4}", "looks once", 27},
        {"{model: sdxl, precision: fp99}", "unknown precision 'fp99'", 44},
        {"{model: sdxl, precision: fp8}", "has no known fp8 rate", 0},
        {"{model: sdxl, engine: shark}", "runs no images on NVIDIA", 41},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const assay_resolved_t *resolved;
        assert_int_not_equal(resolve(refused[i].image, 40, &resolved), ASSAY_OK);
        if (!strstr(err.what, refused[i].what) ||
            (refused[i].column && err.column != refused[i].column)) {
            fail_msg("%s: column %u: %s", refused[i].image, err.column, err.what);
        }
    }
}

static void nothing_fits_is_no_error(void **state) {
    (void)state;
    const assay_image_decision_t *decision =
        decide("{model: sdxl, concurrency: 1, slo: {latency_p99: 1 ms}}", 40);
    assert_int_equal(decision->choice, -1);
    assert_int_equal(decision->n_flip, 0);
    assert_int_equal(decision->candidate[0].fleet.verdict, ASSAY_IMAGE_FLEET_LIMITS);
}

/* Nodes bought for C at once against nodes rented for Y a year, nothing else paid, for two years:
   C = Y v + Y v^2 gives v = 1/(1 + IRR); C/Y years pay it back; discounted at 8 %, the first year
   brings Y/1.08 and the second Y/1.08^2. */
static void owning_is_an_investment_against_renting(void **state) {
    (void)state;
    static const char job[] =
        "workload: {image: {model: sdxl, steps: 20, images: 4, rate: 2}}\n"
        "candidates:\n"
        "  - {system: gcp-a2-ultragpu-8g, id: own, buy_usd: 150000, needs_migration: false}\n"
        "  - {system: asus-esc8000a-e12-8x-h100-pcie, id: rent, usd_per_h: 40}\n"
        "money: {years: 2, discount_rate: 0.08, residual: 0, electricity_usd_kwh: 0,\n"
        "        ops_usd_per_year: 0, terms: none}\n"
        "analysis: {samples: 512}\n";
    assay_job_t *given;
    assay_resolved_t *resolved;
    assay_image_decision_t *decision;
    assert_int_equal(assay_job_read(arena, "job", job, sizeof job - 1, NULL, 0, &given, &err), 0);
    assert_int_equal(assay_resolve(arena, given, catalog, calibration, &resolved, &err), 0);
    assert_int_equal(assay_decide_images(arena, resolved, NULL, 0, NULL, &decision, &err), 0);
    assert_int_equal(decision->choice, 0);
    const assay_sensitivity_t *s = decision->sensitivity;
    const assay_investment_t *i = &s->investment;
    const double buy = 150000.0 * decision->candidate[0].fleet.nodes;
    const double rent = 40.0 * 8766.0 * decision->candidate[1].fleet.nodes;
    const double v = (sqrt(1.0 + 4.0 * buy / rent) - 1.0) / 2.0;
    const double left = buy - rent / 1.08, second = rent / 1.08 / 1.08;
    assert_true(s->has_investment && i->has_payback && i->has_discounted_payback && i->has_irr);
    assay_test_close(i->more_at_start_usd, buy, 1e-9, 0, "at the start");
    assay_test_close(i->npv_usd, rent / 1.08 + second - buy, 1e-9, 0, "net present value");
    assay_test_close(i->irr, 1.0 / v - 1.0, 1e-9, 0, "rate of return");
    assay_test_close(i->payback_years, buy / rent, 1e-9, 0, "payback");
    assay_test_close(i->discounted_payback_years,
                     left > 0.0 ? 1.0 + left / second : buy / (rent / 1.08), 1e-9, 0,
                     "discounted payback");
    assert_int_equal(s->n_month, 24);
    assert_true(s->p_crossed[0] < 0.5 && s->p_crossed[24] > 0.5);
    /* what everybody draws alone explains at most everything; knowing is worth what is regretted */
    double alone = s->interaction;
    for (uint32_t k = 0; k < s->n_input; k++) {
        alone += s->input[k].first_order;
        assert_true(s->input[k].draw != ASSAY_DRAW_ELECTRICITY); /* it costs nothing */
    }
    assert_true(s->n_input > 0 && alone > 0.99 && alone < 1.05);
    assert_true(s->perfect_usd <= decision->regret_usd * (1.0 + 1e-9) + 1e-6);
    /* no steps of another job are measured */
    for (uint32_t k = 0; k < s->n_measurement; k++) {
        assert_string_not_equal(s->measurement[k].id, "step_time");
    }
}

/* Rented nodes of one price on both sides: the one that needs n times the nodes is as cheap at a
   price of 1/n. Asked for by name, it is the flip that is listed. */
static void a_flip_is_found_by_name(void **state) {
    (void)state;
    const assay_image_decision_t *decision = decide(SDXL, 20);
    const assay_explain_of_t of = {.images = decision};
    assay_flip_t flip;
    assert_int_equal(assay_flip_of(arena, &of, "usd_per_h:h100", NULL, 0, &flip, &err), 0);
    const double nodes[2] = {decision->candidate[0].fleet.nodes,
                             decision->candidate[1].fleet.nodes};
    assert_true(flip.has_flip);
    assay_test_close(flip.flip, 20.0 * nodes[0] / nodes[1], 1e-6, 0, "price");
    for (uint32_t k = 0; k < decision->n_flip; k++) {
        const assay_flip_t *listed = &decision->flip[k];
        if (listed->candidate && strcmp(listed->candidate, "h100") == 0) {
            assay_test_close(listed->flip, flip.flip, 1e-12, 0, "listed");
        }
    }
    assert_int_equal(assay_flip_of(arena, &of, "usd_per_hour", NULL, 0, &flip, &err),
                     ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.next, "usd_per_h"));
    assert_int_equal(assay_flip_of(arena, &of, "usd_per_h:h10", NULL, 0, &flip, &err),
                     ASSAY_NOT_FOUND);
    assert_int_equal(assay_flip_of(arena, &of, "utilisation", NULL, 0, &flip, &err), ASSAY_INPUT);
    assert_int_equal(assay_flip_of(arena, &of, "run_days", NULL, 0, &flip, &err), ASSAY_NOT_FOUND);
}

static assay_image_decision_t *decide_years(double years, const char *money) {
    assay_job_t *job;
    assay_resolved_t *resolved;
    assay_image_decision_t *decision;
    char *text = assay_arena_printf(
        arena,
        "workload: {image: {model: sdxl, steps: 20, images: 4, rate: 2}}\n"
        "candidates:\n"
        "  - {system: gcp-a2-ultragpu-8g, id: own, buy_usd: 150000, node_power_w: 6500, "
        "needs_migration: false}\n"
        "  - {system: asus-esc8000a-e12-8x-h100-pcie, id: rent, usd_per_h: 40}\n"
        "money: {years: %.17g%s}\n"
        "analysis: {samples: 64}\n",
        years, money);
    if (assay_job_read(arena, "job", text, strlen(text), NULL, 0, &job, &err) ||
        assay_resolve(arena, job, catalog, calibration, &resolved, &err) ||
        assay_decide_images(arena, resolved, NULL, 0, NULL, &decision, &err)) {
        fail_msg("%s: %s", money, err.what);
    }
    return decision;
}

/* However machines lose their value: the same service over the years at which it flips costs the
   same bought as rented, and a little beyond the other is chosen. */
static void the_years_flip_where_a_job_of_so_many_does(void **state) {
    (void)state;
    static const char *const money[] = {"",
                                        ", residual: 0.3",
                                        ", depreciation: straight",
                                        ", depreciation: market",
                                        ", depreciation: plateau, terms: [tax]",
                                        ", terms: [tax], income_tax: 0.25",
                                        ", inflation: 0.03, price_decline: 0.1"};
    for (size_t k = 0; k < sizeof money / sizeof money[0]; k++) {
        const assay_image_decision_t *now = decide_years(0.5, money[k]);
        const assay_explain_of_t of = {.images = now};
        assay_flip_t flip;
        assert_int_equal(assay_flip_of(arena, &of, "years", NULL, 0, &flip, &err), 0);
        assay_test_close(flip.now, 0.5, 1e-12, 0, "now");
        if (!flip.has_flip) {
            fail_msg("%s: no flip: %s", money[k], flip.sentence);
        }
        const assay_image_decision_t *at = decide_years(flip.flip, money[k]);
        const assay_image_decision_t *beyond =
            decide_years(flip.flip * (flip.flip > 0.5 ? 1.001 : 0.999), money[k]);
        assay_test_close(at->candidate[0].point.tco_usd, at->candidate[1].point.tco_usd, 1e-6, 0,
                         money[k]);
        assert_int_not_equal(beyond->choice, now->choice);
        bool listed = false;
        for (uint32_t i = 0; i < now->n_flip; i++) {
            listed |= strcmp(now->flip[i].variable, "years") == 0 && now->flip[i].has_flip;
        }
        assert_true(listed);
    }
}

/* 2 requests/s that take 3 s keep 6 devices busy: at a load of 0.8 they are 7.5, so 8. */
static void a_measured_request_replaces_the_prediction(void **state) {
    (void)state;
    const assay_image_decision_t *now = decide(SDXL, 20);
    const assay_resolved_t *resolved;
    assay_image_decision_t *decision;
    assert_int_equal(resolve(SDXL, 20, &resolved), 0);
    assay_machine_t machine[2] = {resolved->machine[0], resolved->machine[1]};
    machine[0].measured_request_s = assay_fact_exact(3, "test");
    assay_resolved_t with = *resolved;
    with.machine = machine;
    assert_int_equal(assay_decide_images(arena, &with, NULL, 0, NULL, &decision, &err), 0);
    const assay_image_fleet_t *fleet = &decision->candidate[0].fleet;
    assay_test_close(fleet->request_s, 3, 1e-12, 0, "request");
    double parts = 0;
    for (int k = 0; k < ASSAY_IMAGE_PART_N; k++) {
        parts += fleet->part_s[k];
    }
    assay_test_close(parts, 3, 1e-9, 0, "parts");
    assert_int_equal(fleet->needed, 8);
    assay_test_close(fleet->rel_p90, 1, 1e-12, 0, "known");
    assay_test_close(decision->candidate[1].month_usd, now->candidate[1].month_usd, 1e-12, 0,
                     "the other");
}

/* A map of a service: both prices, the diagonal is where they are equal. */
static void a_map_compares_the_choice_with_the_next(void **state) {
    (void)state;
    const assay_resolved_t *resolved;
    assay_image_decision_t *decision;
    assert_int_equal(resolve(SDXL, 20, &resolved), 0);
    assay_resolved_t with = *resolved;
    with.map[0] = "usd_per_h:a100=10:30";
    with.map[1] = "rate=1:2";
    assert_int_equal(assay_decide_images(arena, &with, NULL, 0, NULL, &decision, &err), 0);
    const assay_map_t *map = decision->sensitivity->map;
    assert_int_equal(decision->sensitivity->n_map, 1);
    assay_test_close(map->x.now, 20, 1e-12, 0, "now");
    /* the last row is the rate of the job: lead = what the TCOs say, affine in the price */
    const size_t last = (size_t)(map->y.n - 1) * map->x.n;
    const double nodes = decision->candidate[0].fleet.nodes;
    const double tco[2] = {decision->candidate[0].point.tco_usd,
                           decision->candidate[1].point.tco_usd};
    const double per_usd = tco[0] / 20.0; /* rent alone */
    const double sign = strcmp(map->mover, "a100") == 0 ? 1.0 : -1.0;
    assert_true(nodes > 0);
    for (uint32_t k = 0; k < map->x.n; k++) {
        assay_test_close(map->delta_usd[last + k], sign * (tco[1] - per_usd * map->x.value[k]),
                         1e-9, 1e-6, "lead");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_nodes_times_hours),
        cmocka_unit_test(the_price_flips_where_it_says),
        cmocka_unit_test(owning_is_an_investment_against_renting),
        cmocka_unit_test(a_flip_is_found_by_name),
        cmocka_unit_test(the_years_flip_where_a_job_of_so_many_does),
        cmocka_unit_test(a_measured_request_replaces_the_prediction),
        cmocka_unit_test(a_map_compares_the_choice_with_the_next),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
        cmocka_unit_test(nothing_fits_is_no_error),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
