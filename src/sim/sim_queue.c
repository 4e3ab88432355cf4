/* M/D/c by recursion. */
#include "assay/queue.h"

#include <string.h>

#include "assay/rng.h"
#include "base/det_math.h"

#define WARM_UP 5000u        /* requests before; and all servers have been used 4 times */
#define BINS_PER_SERVICE 256 /* of the waiting time */
#define BINS (64 * BINS_PER_SERVICE)
enum { STREAM_QUEUE = 17 };

/* Service times until `share` of the requests have ended. */
static double quantile(const uint32_t *bin, uint32_t n, double share) {
    const double wanted = share * n;
    double seen = 0;
    for (uint32_t i = 0; i <= BINS; i++) {
        if (seen + bin[i] >= wanted) {
            /* those who did not wait are all in the first bin, at no time */
            const double inside = bin[i] > 0 ? (wanted - seen) / bin[i] : 0;
            return 1 + (i == 0 ? 0 : (i - 1 + inside) / BINS_PER_SERVICE);
        }
        seen += bin[i];
    }
    return 1 + (double)BINS / BINS_PER_SERVICE;
}

assay_status_t assay_queue(assay_arena_t *arena, double rate_per_s, double service_s,
                           uint32_t servers, uint64_t seed, assay_queue_t *out) {
    double *start = assay_arena_array(arena, servers, sizeof *start); /* of the last c, in turn */
    uint32_t *bin = assay_arena_array(arena, BINS + 1, sizeof *bin);
    if (!start || !bin) {
        return ASSAY_MEMORY;
    }
    memset(bin, 0, (BINS + 1) * sizeof *bin);
    for (uint32_t i = 0; i < servers; i++) {
        start[i] = -1;
    }
    /* times in services; a server is free one service after its last start */
    const double gap = 1 / (rate_per_s * service_s);
    const uint32_t warm_up = WARM_UP > 4 * servers ? WARM_UP : 4 * servers;
    double now = 0, waited = 0;
    for (uint32_t i = 0, turn = 0; i < warm_up + ASSAY_QUEUE_REQUESTS; i++) {
        now -= gap * assay_det_log(assay_rng_uniform(seed, STREAM_QUEUE, i));
        const double free = start[turn] + 1;
        start[turn] = free > now ? free : now;
        if (i >= warm_up) {
            const double wait = start[turn] - now;
            const double at = wait * BINS_PER_SERVICE;
            waited += wait;
            bin[wait > 0 ? (at < BINS - 1 ? (uint32_t)at + 1 : BINS) : 0]++;
        }
        turn = turn + 1 < servers ? turn + 1 : 0;
    }
    *out = (assay_queue_t){.p50_s = service_s * quantile(bin, ASSAY_QUEUE_REQUESTS, .5),
                           .p90_s = service_s * quantile(bin, ASSAY_QUEUE_REQUESTS, .9),
                           .p99_s = service_s * quantile(bin, ASSAY_QUEUE_REQUESTS, .99),
                           .mean_s = service_s * (1 + waited / ASSAY_QUEUE_REQUESTS)};
    return ASSAY_OK;
}
