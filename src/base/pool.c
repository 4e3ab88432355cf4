#include "assay/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define MAX_THREADS 1024u

uint32_t assay_pool_threads(void) {
    const char *text = getenv("ASSAY_THREADS");
    uint64_t wanted;
    if (text && assay_text_to_u64(text, strlen(text), &wanted) && wanted > 0) {
        return wanted < MAX_THREADS ? (uint32_t)wanted : MAX_THREADS;
    }
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) { /* more cores than cpu_set_t holds */
        return MAX_THREADS;
    }
    return (uint32_t)CPU_COUNT(&usable);
}

typedef struct {
    void (*run)(void *ctx, size_t item, uint32_t worker);
    void *ctx;
    const assay_hooks_t *hooks;
    size_t n, chunk;
    atomic_size_t next;
    atomic_bool stopped;
} loop_t;

typedef struct {
    loop_t *loop;
    uint32_t worker;
    pthread_t thread;
} worker_t;

static bool is_stopped(loop_t *loop) {
    if (atomic_load_explicit(&loop->stopped, memory_order_relaxed)) {
        return true;
    }
    if (!loop->hooks || !loop->hooks->cancelled || !loop->hooks->cancelled(loop->hooks->ctx)) {
        return false;
    }
    atomic_store_explicit(&loop->stopped, true, memory_order_relaxed);
    return true;
}

/* Takes chunks until there are none. Relaxed is enough: items share nothing, and the join orders
   their results before the caller. */
static void work(loop_t *loop, uint32_t worker) {
    for (;;) {
        const size_t first =
            atomic_fetch_add_explicit(&loop->next, loop->chunk, memory_order_relaxed);
        if (first >= loop->n) {
            return;
        }
        const size_t left = loop->n - first;
        const size_t end = first + (left < loop->chunk ? left : loop->chunk);
        for (size_t item = first; item < end; item++) {
            if (is_stopped(loop)) {
                return;
            }
            loop->run(loop->ctx, item, worker);
        }
    }
}

static void *work_on_thread(void *argument) {
    const worker_t *worker = argument;
    work(worker->loop, worker->worker);
    return NULL;
}

/* Starts workers 1..threads-1 and returns how many there are. One that cannot be started is not an
   error: the others do its share. Signals stay with the caller's threads. */
static uint32_t start_workers(loop_t *loop, uint32_t threads, worker_t *worker) {
    sigset_t all, before;
    uint32_t n = 1;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; n < threads; n++) {
        worker[n] = (worker_t){.loop = loop, .worker = n};
        if (pthread_create(&worker[n].thread, NULL, work_on_thread, &worker[n]) != 0) {
            break;
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

assay_status_t assay_pool_for(uint32_t threads, size_t n,
                              void (*run)(void *ctx, size_t item, uint32_t worker), void *ctx,
                              const assay_hooks_t *hooks) {
    assert(n <= SIZE_MAX / 2); /* so that the counter cannot wrap */
    worker_t worker[MAX_THREADS];
    threads = threads ? threads : assay_pool_threads();
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    threads = threads < n ? threads : (uint32_t)n;
    /* Chunks keep threads off the counter; 32 a thread keep the last ones from idling. */
    const size_t share = threads ? n / threads / 32 : 0;
    loop_t loop = {.run = run,
                   .ctx = ctx,
                   .hooks = hooks,
                   .n = n,
                   .chunk = share < 1      ? 1
                            : share > 1024 ? 1024
                                           : share};
    const uint32_t n_started = threads > 1 ? start_workers(&loop, threads, worker) : 1;
    work(&loop, 0);
    for (uint32_t i = 1; i < n_started; i++) {
        (void)pthread_join(worker[i].thread, NULL);
    }
    return atomic_load_explicit(&loop.stopped, memory_order_relaxed) ? ASSAY_CANCELLED : ASSAY_OK;
}
