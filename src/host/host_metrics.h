/** gpu_metrics of the amdgpu driver: a binary table that says its revision and its size. */
#ifndef HOST_METRICS_H
#define HOST_METRICS_H

#include "host/host_parse.h"

/* What is read of it; units as in the table's text. X(field, scale to SI) */
#define HOST_METRIC_LIST(X)                  \
    X(edge, 1)                               \
    X(hotspot, 1)                            \
    X(mem, 1)                                \
    X(power_average, 1)                      \
    X(power_now, 1)                          \
    X(gfx_busy, 0.01)                        \
    X(mem_busy, 0.01)                        \
    X(energy, 1.0 / 65536) /* 2^-16 J */     \
    X(gfx_clock, 1e6)                        \
    X(mem_clock, 1e6)                        \
    X(throttle, 1)                           \
    X(pcie_width, 1)                         \
    X(pcie_speed, 0.1) /* GT/s */            \
    X(xgmi_width, 1)                         \
    X(xgmi_speed, 1)                         \
    X(recoveries, 1)                         \
    X(replays, 1)                            \
    X(naks_sent, 1)                          \
    X(naks_received, 1)                      \
    X(accumulation, 1)                       \
    X(prochot, 1)                            \
    X(ppt, 1)                                \
    X(socket_thermal, 1)                     \
    X(vr_thermal, 1)                         \
    X(hbm_thermal, 1)                        \
    X(links_up, 1) /* of the 8 XGMI links */ \
    X(links_down, 1)                         \
    X(partitions, 1)

typedef enum {
#define HOST_METRIC_ID(field, scale) HOST_METRIC_##field,
    HOST_METRIC_LIST(HOST_METRIC_ID)
#undef HOST_METRIC_ID
        HOST_METRIC_N
} host_metric_t;

typedef struct {
    uint8_t format, content;     /* revision */
    double value[HOST_METRIC_N]; /* SI; NAN: not supported, or not in this revision */
} host_metrics_t;

/** false: no table, or one of a revision and size that is not known. */
bool host_metrics_decode(host_span_t bytes, host_metrics_t *out_metrics);
/** The bytes begin as a table does: its size is theirs. */
bool host_metrics_is(host_span_t bytes);
/** Facts of one sample. */
void host_metrics_set(host_parse_t *parse, const host_metrics_t *metrics, assay_host_gpu_t *gpu);
/** Facts of two samples, seconds apart: the counters alone mean nothing. */
void host_metrics_set_delta(host_parse_t *parse, const host_metrics_t *before,
                            const host_metrics_t *after, double seconds, assay_host_gpu_t *gpu);

#endif
