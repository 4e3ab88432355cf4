/** Libraries of vendors and hwloc, loaded in a child; see live_vendor.c. */
#ifndef LIVE_VENDOR_H
#define LIVE_VENDOR_H

#include "host/host_live.h"

typedef enum { HOST_NVML, HOST_AMD_SMI, HOST_ROCM_SMI, HOST_HWLOC } host_vendor_t;

/** Facts of what one library says, as a source of its name; fd stays open in the child. false: it
 * is not there, or says nothing. */
bool host_vendor_read(host_parse_t *parse, host_vendor_t vendor, const char *library, int fd);
/** All that this machine has, for its own root only. */
void host_live_vendor(host_live_t *live);

#endif
