#include "assay_test.h"

#include "assay/queue.h"
#include "base/det_math.h"

#define ARENA_BYTES ((size_t)64 << 20)

static int set_up(void **state) {
    *state = assay_arena_create(ARENA_BYTES);
    return *state == NULL;
}

static int tear_down(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_queue_t queue(void **state, double rate, double service_s, uint32_t servers) {
    assay_queue_t out;
    assert_int_equal(assay_queue(*state, rate, service_s, servers, 1, &out), ASSAY_OK);
    return out;
}

/* Pollaczek and Khinchine: the mean wait of M/D/1 is rho/(2 (1 - rho)) services. */
static void one_server_waits_as_long_as_known(void **state) {
    for (double load = .2; load < .85; load += .2) {
        const assay_queue_t out = queue(state, load / 3, 3, 1);
        assay_test_close(out.mean_s, 3 * (1 + load / (2 * (1 - load))), .04, 0, "mean");
    }
}

/* Erlang 1909: P(wait <= t services) of M/D/1 = (1 - rho) sum over k <= t of
   e^(rho (t - k)) (rho (k - t))^k / k! */
static double erlang(double load, double t) {
    double sum = 0, factorial = 1;
    for (int k = 0; k <= (int)t; k++) {
        double power = 1;
        for (int i = 0; i < k; i++) {
            power *= load * (k - t);
        }
        factorial *= k > 0 ? k : 1;
        sum += assay_det_exp(load * (t - k)) * power / factorial;
    }
    return (1 - load) * sum;
}

static void one_server_has_erlangs_percentiles(void **state) {
    for (double load = .3; load < .75; load += .2) {
        const assay_queue_t out = queue(state, load, 1, 1);
        assay_test_close(erlang(load, out.p90_s - 1), .9, .012, 0, "p90");
        assay_test_close(erlang(load, out.p99_s - 1), .99, .004, 0, "p99");
    }
}

/* Nobody waits at a low load; the median at load .4 of one server does not either: P(0) = .6. */
static void who_does_not_wait_takes_the_service(void **state) {
    const assay_queue_t idle = queue(state, .001, 2, 4), some = queue(state, .4, 1, 1);
    assay_test_close(idle.p99_s, 2, 1e-12, 0, "idle");
    assay_test_close(idle.mean_s, 2, 1e-3, 0, "idle");
    assay_test_close(some.p50_s, 1, 1e-12, 0, "median");
}

static void more_servers_and_fewer_requests_are_never_slower(void **state) {
    double before_s = 1e9;
    for (uint32_t servers = 9; servers < 20; servers++) {
        const assay_queue_t out = queue(state, 8, 1, servers);
        assert_true(out.p99_s <= before_s && out.p50_s <= out.p90_s && out.p90_s <= out.p99_s);
        before_s = out.p99_s;
    }
    for (double rate = 7.5; rate > 1; rate -= .5) {
        const assay_queue_t out = queue(state, rate, 1, 9);
        assert_true(out.p99_s <= queue(state, rate + .5, 1, 9).p99_s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_server_waits_as_long_as_known),
        cmocka_unit_test(one_server_has_erlangs_percentiles),
        cmocka_unit_test(who_does_not_wait_takes_the_service),
        cmocka_unit_test(more_servers_and_fewer_requests_are_never_slower),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
