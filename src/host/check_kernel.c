/* Kernel, modules, boot line, IOMMU. */
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "base/banned.h"

static void numa_balancing(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *fact = &host->numa_balancing;
    uint32_t i = 0;
    const assay_host_event_t *event = host_check_event(check, "numa-balancing", &i);
    if (assay_host_known(fact->state)) {
        host_check_rests_on(check, fact->state);
        if (fact->v > 0) {
            host_check_bad(check, &fact->at, NULL, "kernel.numa_balancing = %.0f", fact->v);
        } else {
            host_check_good(check, &fact->at, "kernel.numa_balancing = 0");
        }
    } else if (event) {
        host_check_bad(check, &event->at, NULL, "%s", event->text);
    }
}

static const host_check_row_t row[] = {
    {"KRN-006", &host_if_gpu, numa_balancing},
};
const host_check_group_t host_checks_kernel = {row, sizeof row / sizeof row[0]};
