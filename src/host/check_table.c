/* All groups of checks. */
#include "host/host_check.h"

#include "base/banned.h"

const host_check_group_t *const host_check_group[] = {
    &host_checks_kernel,
};
const uint32_t host_check_group_n = sizeof host_check_group / sizeof host_check_group[0];
