/* The binary table of counters. */
#include <stdint.h>

#include "host/host_metrics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    host_metrics_t metrics;
    (void)host_metrics_decode((host_span_t){(const char *)data, size}, &metrics);
    return 0;
}
