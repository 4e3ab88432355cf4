#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#include "base/banned.h"

#define QUIET_S 2.0    /* nothing is shown before */
#define INTERVAL_S 0.1 /* between two updates */

/* Set by the signal handler, which nothing else reaches, and read by every worker: a lock-free
   atomic is safe in both. */
static atomic_bool stop;
_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler may not take a lock");

static void on_signal(int signal_number) {
    (void)signal_number;
    atomic_store(&stop, true);
}

static bool cancelled(void *ctx) {
    (void)ctx;
    return atomic_load(&stop);
}

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show(void *ctx, const char *step, uint64_t done, uint64_t total) {
    cli_progress_t *progress = ctx;
    double t = now_s();
    if (t < progress->next_s) {
        return;
    }
    progress->next_s = t + INTERVAL_S;
    progress->shown = true;
    if (total) {
        fprintf(stderr, "\r\033[K%s %.0f %%", step, 100.0 * (double)done / (double)total);
    } else {
        fprintf(stderr, "\r\033[K%s %" PRIu64, step, done);
    }
    fflush(stderr);
}

void cli_progress_start(cli_t *cli) {
    /* A second signal ends the program at once. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    cli->hooks = (assay_hooks_t){.ctx = &cli->progress, .cancelled = cancelled};
    if (isatty(STDERR_FILENO) && !cli_has(cli, CLI_QUIET)) {
        cli->progress.next_s = now_s() + QUIET_S;
        cli->hooks.progress = show;
    }
}

void cli_progress_stop(cli_t *cli) {
    if (cli->progress.shown) {
        fputs("\r\033[K", stderr);
        cli->progress.shown = false;
    }
}
