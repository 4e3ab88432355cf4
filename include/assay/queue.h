/**
 * Requests that arrive as a Poisson process at servers which all take the same time, first come
 * first served: M/D/c.
 *
 * Served in turn, request n begins when it arrives or when the one c places before it ends,
 * whichever is later; that recursion is exact, and the arrivals are drawn (the same for every rate
 * and number of servers, so that more servers or fewer requests never look slower).
 *
 * Source: Lindley's recursion over c servers that are alike (Kiefer and Wolfowitz 1955 for equal
 * service). Test: tests/unit/test_queue.c, against Erlang's exact M/D/1. Thread-safe: yes.
 */
#ifndef ASSAY_QUEUE_H
#define ASSAY_QUEUE_H

#include <stdint.h>

#include "assay/arena.h"
#include "assay/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Time from arrival to the end. */
typedef struct {
    double p50_s, p90_s, p99_s, mean_s;
} assay_queue_t;

#define ASSAY_QUEUE_REQUESTS 120000u /* that the quantiles are of */

/**
 * rate_per_s of all servers together; below servers / service_s, or the queue only grows.
 * Errors: ASSAY_MEMORY.
 */
assay_status_t assay_queue(assay_arena_t *arena, double rate_per_s, double service_s,
                           uint32_t servers, uint64_t seed, assay_queue_t *out);

#ifdef __cplusplus
}
#endif
#endif
