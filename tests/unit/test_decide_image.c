#include "assay_test.h"

#include "assay/decide_image.h"

#define ARENA_BYTES ((size_t)512 << 20)

static assay_arena_t *arena;
static assay_catalog_t *catalog;
static assay_calibration_t *calibration;
static assay_error_t err;

static int set_up(void **state) {
    (void)state;
    arena = assay_arena_create(ARENA_BYTES);
    return !arena || assay_catalog_load(arena, NULL, 0, &catalog, &err) != ASSAY_OK ||
           assay_calibration_load(arena, NULL, 0, &calibration, &err) != ASSAY_OK;
}

static int tear_down(void **state) {
    (void)state;
    assay_arena_destroy(arena);
    return 0;
}

static assay_status_t resolve(const char *image, double a100_usd_per_h,
                              const assay_resolved_t **out) {
    assay_job_t *job;
    assay_resolved_t *resolved = NULL;
    char *text =
        assay_arena_printf(arena,
                           "workload: {image: %s}\n"
                           "candidates:\n"
                           "  - {system: gcp-a2-ultragpu-8g, id: a100, usd_per_h: %.17g}\n"
                           "  - {system: asus-esc8000a-e12-8x-h100-pcie, id: h100, usd_per_h: 50}\n"
                           "money: {years: 2}\n"
                           "analysis: {samples: 256}\n",
                           image, a100_usd_per_h);
    assay_status_t status =
        assay_job_read(arena, "job.yaml", text, strlen(text), NULL, 0, &job, &err);
    status = status ? status : assay_resolve(arena, job, catalog, calibration, &resolved, &err);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_are_nodes_times_hours),
        cmocka_unit_test(the_price_flips_where_it_says),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
        cmocka_unit_test(nothing_fits_is_no_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
