/* Goodput: Young's and Daly's figures, limits, and a run that is played failure by failure. */
#include <math.h>

#include "assay/physics.h"
#include "assay/rng.h"
#include "assay_test.h"

/* Young: sqrt(2 delta M) = sqrt(2 x 60 x 36000) = 2078.5 s; Daly takes delta off and adds a little:
   x = sqrt(60/72000) = .028868, 2078.5 (1 + .009623 + .0000926) - 60 = 2038.7 s. */
static void test_interval(void **state) {
    (void)state;
    assay_test_close(assay_checkpoint_interval_s(60, 36000), 2038.65, 1e-4, 0, "Daly");
    assay_test_close(assay_checkpoint_interval_s(0, 36000), 0, 0, 0, "free");
    assay_test_close(assay_checkpoint_interval_s(1e6, 36000), 36000, 0, 0, "beyond twice the MTBF");
}

/* Llama 3 405B: 466 interruptions in 54 days on 16,384 GPUs, 419 of them unexpected, and more than
   90 % effective training time (arXiv 2407.21783, section 3.3.4). MTBF 54 x 24 h / 419 = 3.09 h;
   with checkpoints of 30 s and restarts of 5 min: 30 of 817 s are written (3.7 %), half an interval
   (3.5 %) and a restart (2.7 %) are lost each time, .90 stays. */
static void test_published_run(void **state) {
    (void)state;
    const assay_reliability_t run = {.devices = 16384,
                                     .failures_per_device_s = 419 / (54 * 86400.0) / 16384,
                                     .write_s = 30,
                                     .restart_s = 300};
    const double share = assay_goodput_share(&run);
    assert_true(share > 0.89 && share < 0.92);
}

static void test_limits(void **state) {
    (void)state;
    assay_reliability_t run = {.devices = 8};
    assay_test_close(assay_goodput_share(&run), 1, 0, 0, "no failures, no checkpoints");
    run.write_s = 10;
    run.interval_s = 90;
    assay_test_close(assay_goodput_share(&run), 0.9, 1e-12, 0, "10 of 100 s are written");
    run.interval_s = 0;
    run.restart_s = 300;
    double last = 1;
    for (double rate = 1e-9; rate < 1e-4; rate *= 10) {
        run.failures_per_device_s = rate;
        const double share = assay_goodput_share(&run);
        assert_true(share > 0 && share < last); /* more failures, less work */
        last = share;
    }
    /* no interval beats the best one by more than its approximation errs */
    run.failures_per_device_s = 1e-6;
    const double best = assay_goodput_share(&run);
    for (double interval_s = 10; interval_s < 1e6; interval_s *= 1.3) {
        run.interval_s = interval_s;
        assert_true(assay_goodput_share(&run) <= best * (1 + 1e-3));
    }
}

/* 200,000 pieces of work, each done again until no failure comes while it and its checkpoint run;
   a failure costs what was done of it and a restart, which can fail as well. */
static void test_played(void **state) {
    (void)state;
    const assay_reliability_t run = {.devices = 1000,
                                     .failures_per_device_s = 1e-7,
                                     .write_s = 60,
                                     .restart_s = 900,
                                     .interval_s = 1800};
    const double rate = run.devices * run.failures_per_device_s;
    uint64_t draws = 0;
    double elapsed_s = 0;
    const int pieces = 200000;
    for (int i = 0; i < pieces; i++) {
        for (double need_s = run.interval_s + run.write_s;;) {
            const double until_s = -log(assay_rng_uniform(7, 0, draws++)) / rate;
            if (until_s >= need_s) {
                elapsed_s += need_s;
                break;
            }
            elapsed_s += until_s;
            need_s = run.restart_s + run.interval_s + run.write_s;
        }
    }
    const double played = pieces * run.interval_s / elapsed_s;
    assert_true(fabs(assay_goodput_share(&run) / played - 1) < 0.005);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_published_run),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
