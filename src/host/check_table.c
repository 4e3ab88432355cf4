/* All groups of checks. */
#include "host/host_check.h"

#include "base/banned.h"

const host_check_group_t *const host_check_group[] = {
    &host_checks_kernel,    &host_checks_device,      &host_checks_pci,       &host_checks_topology,
    &host_checks_power,     &host_checks_reliability, &host_checks_software,  &host_checks_network,
    &host_checks_nvidia,    &host_checks_environment, &host_checks_settings,  &host_checks_versions,
    &host_checks_processor, &host_checks_link,        &host_checks_clock,     &host_checks_fabric,
    &host_checks_memory,    &host_checks_masks,       &host_checks_container,
};
const uint32_t host_check_group_n = sizeof host_check_group / sizeof host_check_group[0];
