/**
 * What a simulation did, step by step and request by request, as a file of Chrome's Trace Event
 * Format, which Perfetto and chrome://tracing load: a process a replica, a slice for steps that
 * were taken at once, counters of waiting requests and blocks in use, an asynchronous span a
 * request from its arrival, with its wait, prompt and answer. Bounded: what comes after the first
 * ASSAY_CHROME_TRACE_EVENTS is counted and left out.
 *
 * Test: tests/unit/test_simulate_trace.c. Thread-safe: one file per thread.
 */
#ifndef ASSAY_REPORT_SIMULATE_H
#define ASSAY_REPORT_SIMULATE_H

#include "assay/simulate.h"
#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_CHROME_TRACE_EVENTS 200000u

typedef struct {
    assay_buf_t *out;
    uint32_t first_process, n_process; /* of the fleet that is written now */
    uint64_t events, left_out;
} assay_chrome_trace_t;

void assay_chrome_trace_begin(assay_chrome_trace_t *trace, assay_buf_t *out);
/** The replicas of a fleet: those that decode, then those of prefill alone. */
void assay_chrome_trace_fleet(assay_chrome_trace_t *trace, const char *name, uint32_t replicas);
/** As options.stepped and options.finished take them; ctx: the trace. */
void assay_chrome_trace_stepped(void *ctx, const assay_sim_event_t *event);
void assay_chrome_trace_finished(void *ctx, const assay_sim_done_t *done);
void assay_chrome_trace_end(assay_chrome_trace_t *trace);

#ifdef __cplusplus
}
#endif
#endif
