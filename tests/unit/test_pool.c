#include "assay/pool.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "assay_test.h"

enum { N = 10000, THREADS = 4 };

typedef struct {
    atomic_uint times[N];
    atomic_uint worker_seen[THREADS];
    atomic_uint bad_worker, n_run;
    uint32_t cancel_at, threads;
} work_t;

static void count(void *ctx, size_t item, uint32_t worker) {
    work_t *work = ctx;
    atomic_fetch_add(&work->times[item], 1);
    atomic_fetch_add(&work->n_run, 1);
    if (worker < work->threads) {
        atomic_fetch_add(&work->worker_seen[worker], 1);
    } else {
        atomic_fetch_add(&work->bad_worker, 1);
    }
}

static bool cancel_after(void *ctx) {
    work_t *work = ctx;
    return atomic_load(&work->n_run) >= work->cancel_at;
}

static void test_every_item_runs_once(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        for (size_t n = 0; n <= N; n = n * 9 + 1) {
            work_t *work = test_calloc(1, sizeof *work);
            work->threads = threads;
            assert_int_equal(assay_pool_for(threads, n, count, work, NULL), ASSAY_OK);
            for (size_t i = 0; i < N; i++) {
                assert_int_equal(work->times[i], i < n);
            }
            assert_int_equal(work->bad_worker, 0);
            test_free(work);
        }
    }
}

/* Each thread writes its own slots; the caller reads them after: the join must order that. */
static void square(void *ctx, size_t item, uint32_t worker) {
    (void)worker;
    ((double *)ctx)[item] = (double)item * (double)item;
}

static void test_results_do_not_depend_on_threads(void **state) {
    (void)state;
    static double one[N], many[N];
    assert_int_equal(assay_pool_for(1, N, square, one, NULL), ASSAY_OK);
    assert_int_equal(assay_pool_for(THREADS, N, square, many, NULL), ASSAY_OK);
    assert_memory_equal(one, many, sizeof one);
    assay_test_close(one[N - 1], 9999.0 * 9999.0, 0, 0, "last");
}

static void test_one_thread_runs_in_order_on_the_caller(void **state) {
    (void)state;
    work_t *work = test_calloc(1, sizeof *work);
    work->threads = 1;
    work->cancel_at = 100;
    const assay_hooks_t hooks = {.ctx = work, .cancelled = cancel_after};
    assert_int_equal(assay_pool_for(1, N, count, work, &hooks), ASSAY_CANCELLED);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(work->times[i], i < 100);
    }
    test_free(work);
}

static void test_cancel_stops_all_threads(void **state) {
    (void)state;
    work_t *work = test_calloc(1, sizeof *work);
    work->threads = THREADS;
    work->cancel_at = 50;
    const assay_hooks_t hooks = {.ctx = work, .cancelled = cancel_after};
    assert_int_equal(assay_pool_for(THREADS, N, count, work, &hooks), ASSAY_CANCELLED);
    /* each thread may have been within one item when the 50th ended */
    assert_in_range(work->n_run, 50, 50 + THREADS - 1);
    test_free(work);
}

static void test_hooks_without_cancel(void **state) {
    (void)state;
    work_t *work = test_calloc(1, sizeof *work);
    work->threads = THREADS;
    const assay_hooks_t hooks = {0};
    assert_int_equal(assay_pool_for(THREADS, N, count, work, &hooks), ASSAY_OK);
    assert_int_equal(work->n_run, N);
    test_free(work);
}

static void test_signals_are_left_as_they_were(void **state) {
    (void)state;
    sigset_t before, after;
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &before), 0);
    static double out[N];
    assert_int_equal(assay_pool_for(THREADS, N, square, out, NULL), ASSAY_OK);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
    for (int i = 1; i < NSIG; i++) {
        assert_int_equal(sigismember(&before, i), sigismember(&after, i));
    }
}

static void test_number_of_threads(void **state) {
    (void)state;
    cpu_set_t usable;
    assert_int_equal(sched_getaffinity(0, sizeof usable, &usable), 0);
    assert_int_equal(unsetenv("ASSAY_THREADS"), 0);
    assert_int_equal(assay_pool_threads(), CPU_COUNT(&usable));
    static const struct {
        const char *text;
        uint32_t expected; /* 0 = ignored */
    } row[] = {{"3", 3}, {"99999999", 1024}, {"0", 0}, {"-1", 0}, {"two", 0}, {"", 0}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_int_equal(setenv("ASSAY_THREADS", row[i].text, 1), 0);
        assert_int_equal(assay_pool_threads(),
                         row[i].expected ? row[i].expected : (uint32_t)CPU_COUNT(&usable));
    }
    assert_int_equal(setenv("ASSAY_THREADS", "2", 1), 0);
    work_t *work = test_calloc(1, sizeof *work);
    work->threads = 2;
    assert_int_equal(assay_pool_for(0, N, count, work, NULL), ASSAY_OK);
    assert_int_equal(work->bad_worker, 0);
    assert_int_equal(work->n_run, N);
    test_free(work);
    assert_int_equal(unsetenv("ASSAY_THREADS"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_item_runs_once),
        cmocka_unit_test(test_results_do_not_depend_on_threads),
        cmocka_unit_test(test_one_thread_runs_in_order_on_the_caller),
        cmocka_unit_test(test_cancel_stops_all_threads),
        cmocka_unit_test(test_hooks_without_cancel),
        cmocka_unit_test(test_signals_are_left_as_they_were),
        cmocka_unit_test(test_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
