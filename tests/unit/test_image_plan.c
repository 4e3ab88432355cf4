#include "resolve_fixture.h"

#include "assay/image_plan.h"
#include "machine_fixture.h"

static assay_error_t err;
static assay_machine_t machine;

static int set_up(void **state) {
    machine = fixture_a100(4);
    fixture_set(&machine.device, ASSAY_CALIB_IMAGE_GEMM, .8);
    fixture_set(&machine.device, ASSAY_CALIB_IMAGE_STREAM, 1);
    fixture_set(&machine.device, ASSAY_CALIB_IMAGE_OP_S, 1e-6);
    fixture_set(&machine.device, ASSAY_CALIB_IMAGE_SIGMA, .2);
    return tables_set_up(state);
}

static assay_image_demand_t demand_of(const char *model, double images) {
    const assay_image_ask_t ask = {.model = model, .guided = -1, .dtype = ASSAY_DT_FP16};
    assay_image_demand_t demand = {.images = images};
    if (assay_image_work_make(arena, catalog, &ask, &demand.work, &demand.taken, &err)) {
        fail_msg("%s", err.what);
    }
    return demand;
}

static assay_image_fleet_t fleet_of(const assay_image_demand_t *demand) {
    assay_image_fleet_t fleet;
    assert_int_equal(assay_image_fleet(arena, &machine, demand, &fleet, &err), ASSAY_OK);
    return fleet;
}

/* A device is busy rate x request of the time; .8 of it is usual: n = ceil(rate x request / .8). */
static void a_rate_gets_devices_that_are_busy_as_usual(void **state) {
    (void)state;
    assay_image_demand_t demand = demand_of("sd-1.5", 1);
    demand.concurrency = 1;
    const double request_s = fleet_of(&demand).request_s;
    demand.concurrency = 0;
    demand.rate_per_s = 9.5 * .8 / request_s; /* 9.5 devices: 10, on two nodes of 8 */
    const assay_image_fleet_t fleet = fleet_of(&demand);
    assert_int_equal(fleet.verdict, ASSAY_IMAGE_FLEET_FITS);
    assert_int_equal(fleet.needed, 10);
    assert_int_equal(fleet.nodes, 2);
    assert_int_equal(fleet.devices, 16);
    assay_test_close(fleet.load, 9.5 * .8 / 16, 1e-9, 0, "load");
    assay_test_close(fleet.images_per_s, demand.rate_per_s, 1e-12, 0, "images/s");
    assay_test_close(fleet.images_per_s_per_device, 1 / request_s, 1e-12, 0, "per device");
}

/* Sixteen at a time within twice the time of one: 8 devices, each works on two in turn. */
static void a_closed_loop_waits_in_turn(void **state) {
    (void)state;
    assay_image_demand_t demand = demand_of("sd-1.5", 1);
    demand.concurrency = 16;
    const assay_image_fleet_t each = fleet_of(&demand);
    assert_int_equal(each.needed, 16); /* no limit: nobody waits */
    assay_test_close(each.latency.p99_s, each.request_s, 1e-12, 0, "alone");
    demand.latency_p99_s = 2 * each.request_s;
    const assay_image_fleet_t two = fleet_of(&demand);
    assert_int_equal(two.needed, 8);
    assay_test_close(two.latency.p99_s, 2 * each.request_s, 1e-12, 0, "in turn");
    assay_test_close(two.load, 1, 1e-12, 0, "busy");
    assay_test_close(two.images_per_s, 8 / each.request_s, 1e-12, 0, "images/s");
}

/* The fewest devices that keep the limit: one fewer would not. */
static void a_limit_is_kept_by_the_fewest(void **state) {
    (void)state;
    assay_image_demand_t demand = demand_of("sd-1.5", 1);
    demand.concurrency = 1;
    const double request_s = fleet_of(&demand).request_s;
    machine.devices_per_node = 1;
    demand.concurrency = 0;
    demand.open_nodes = true;
    demand.rate_per_s = 12 / request_s;
    for (double times = 1.1; times < 3; times += .6) {
        assay_queue_t fewer;
        demand.latency_p99_s = times * request_s;
        const assay_image_fleet_t fleet = fleet_of(&demand);
        assert_true(fleet.latency.p99_s <= demand.latency_p99_s);
        assert_true(fleet.needed >= 13);
        assert_int_equal(
            assay_queue(arena, demand.rate_per_s, request_s, fleet.needed - 1, 1, &fewer),
            ASSAY_OK);
        assert_true(fleet.needed == 13 || fewer.p99_s > demand.latency_p99_s);
    }
    machine.devices_per_node = 8;
}

static void what_does_not_fit_says_why(void **state) {
    (void)state;
    assay_image_demand_t demand = demand_of("flux.1-dev", 1);
    demand.concurrency = 1;
    /* 11.90 + 4.76 + .12 + .05 billion parameters of 2 bytes: 33.7 GB */
    assay_image_fleet_t fleet = fleet_of(&demand);
    assert_int_equal(fleet.verdict, ASSAY_IMAGE_FLEET_FITS);
    assay_test_close(fleet.weight_bytes, 33.67e9, 1e-3, 0, "weights");
    machine.device.hbm_bytes = 24e9;
    fleet = fleet_of(&demand);
    assert_int_equal(fleet.verdict, ASSAY_IMAGE_FLEET_MEMORY);
    machine.device.hbm_bytes = 80e9;
    demand.latency_p99_s = 1e-3;
    fleet = fleet_of(&demand);
    assert_int_equal(fleet.verdict, ASSAY_IMAGE_FLEET_LIMITS);
    demand.latency_p99_s = 0;
    demand.concurrency = 33; /* four nodes have 32 */
    fleet = fleet_of(&demand);
    assert_int_equal(fleet.verdict, ASSAY_IMAGE_FLEET_NODES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_gets_devices_that_are_busy_as_usual),
        cmocka_unit_test(a_closed_loop_waits_in_turn),
        cmocka_unit_test(a_limit_is_kept_by_the_fewest),
        cmocka_unit_test(what_does_not_fit_says_why),
    };
    return cmocka_run_group_tests(tests, set_up, arena_tear_down);
}
