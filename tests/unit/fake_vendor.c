/* Two devices of each vendor's library, and a topology of hwloc: what live_vendor.c asks. The
   environment makes NVML refuse, hang or crash. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static int device[2];

/* --- NVML ------------------------------------------------------------------------------------ */

EXPORT int nvmlInit_v2(void);
EXPORT const char *nvmlErrorString(int status);
EXPORT int nvmlSystemGetNVMLVersion(char *text, unsigned n);
EXPORT int nvmlDeviceGetCount_v2(unsigned *n);
EXPORT int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out);
EXPORT int nvmlDeviceGetPciInfo_v3(void *handle, char *pci);
EXPORT int nvmlDeviceGetName(void *handle, char *name, unsigned n);
EXPORT int nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatt);
EXPORT int nvmlDeviceGetTemperature(void *handle, int sensor, unsigned *celsius);
EXPORT int nvmlDeviceGetUtilizationRates(void *handle, unsigned *rate);
EXPORT int nvmlDeviceGetMemoryInfo(void *handle, uint64_t *bytes);

int nvmlInit_v2(void) {
    const char *how = getenv("FAKE_NVML");
    if (how && strcmp(how, "hangs") == 0) {
        for (;;) {
            (void)pause();
        }
    }
    if (how && strcmp(how, "crashes") == 0) {
        abort();
    }
    return how && strcmp(how, "refuses") == 0 ? 18 : 0;
}

const char *nvmlErrorString(int status) {
    return status == 18 ? "Driver/library version mismatch" : "unknown";
}

int nvmlSystemGetNVMLVersion(char *text, unsigned n) {
    (void)snprintf(text, n, "580.173");
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned *n) {
    *n = 2;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out) {
    *out = &device[index];
    return 0;
}

int nvmlDeviceGetPciInfo_v3(void *handle, char *pci) {
    (void)snprintf(pci + 36, 32, "00000000:%02X:00.0", handle == &device[0] ? 7 : 0x0f);
    return 0;
}

int nvmlDeviceGetName(void *handle, char *name, unsigned n) {
    (void)handle;
    (void)snprintf(name, n, "NVIDIA H100 80GB HBM3");
    return 0;
}

int nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatt) {
    *milliwatt = 123456;
    return handle == &device[0] ? 0 : 3; /* not supported on the second */
}

int nvmlDeviceGetTemperature(void *handle, int sensor, unsigned *celsius) {
    (void)handle;
    (void)sensor;
    *celsius = 41;
    return 0;
}

int nvmlDeviceGetUtilizationRates(void *handle, unsigned *rate) {
    (void)handle;
    rate[0] = 97;
    rate[1] = 12;
    return 0;
}

int nvmlDeviceGetMemoryInfo(void *handle, uint64_t *bytes) {
    (void)handle;
    bytes[0] = UINT64_C(85899345920); /* 80 GiB */
    bytes[1] = UINT64_C(84825604096);
    bytes[2] = UINT64_C(1073741824);
    return 0;
}

/* --- AMD SMI --------------------------------------------------------------------------------- */

EXPORT int amdsmi_init(uint64_t flags);
EXPORT int amdsmi_get_socket_handles(uint32_t *n, void **handle);
EXPORT int amdsmi_get_processor_handles(void *socket, uint32_t *n, void **handle);
EXPORT int amdsmi_get_gpu_device_bdf(void *handle, uint64_t *bdf);
EXPORT int amdsmi_get_gpu_memory_total(void *handle, int type, uint64_t *bytes);
EXPORT int amdsmi_get_temp_metric(void *handle, int sensor, int metric, int64_t *celsius);

int amdsmi_init(uint64_t flags) {
    return flags == 2 ? 0 : 1;
}

int amdsmi_get_socket_handles(uint32_t *n, void **handle) {
    *n = 2;
    handle[0] = &device[0];
    handle[1] = &device[1];
    return 0;
}

int amdsmi_get_processor_handles(void *socket, uint32_t *n, void **handle) {
    *n = 1;
    handle[0] = socket;
    return 0;
}

int amdsmi_get_gpu_device_bdf(void *handle, uint64_t *bdf) {
    *bdf = handle == &device[0] ? UINT64_C(0x14700) : UINT64_C(0x14808); /* 1:47:00.0, 1:48:01.0 */
    return 0;
}

int amdsmi_get_gpu_memory_total(void *handle, int type, uint64_t *bytes) {
    (void)handle;
    *bytes = UINT64_C(206141652992);
    return type == 0 ? 0 : 2;
}

int amdsmi_get_temp_metric(void *handle, int sensor, int metric, int64_t *celsius) {
    (void)handle;
    (void)metric;
    *celsius = 52;
    return sensor == 1 ? 0 : 2; /* a hotspot, no edge */
}

/* --- ROCm SMI -------------------------------------------------------------------------------- */

EXPORT int rsmi_init(uint64_t flags);
EXPORT int rsmi_num_monitor_devices(uint32_t *n);
EXPORT int rsmi_dev_pci_id_get(uint32_t index, uint64_t *bdf);
EXPORT int rsmi_dev_temp_metric_get(uint32_t index, uint32_t sensor, int metric, int64_t *milli);
EXPORT int rsmi_topo_numa_affinity_get(uint32_t index, int32_t *node);

int rsmi_init(uint64_t flags) {
    return flags ? 1 : 0;
}

int rsmi_num_monitor_devices(uint32_t *n) {
    *n = 1;
    return 0;
}

int rsmi_dev_pci_id_get(uint32_t index, uint64_t *bdf) {
    *bdf = UINT64_C(0x100000000) | UINT64_C(0xc100) | index;
    return 0;
}

int rsmi_dev_temp_metric_get(uint32_t index, uint32_t sensor, int metric, int64_t *milli) {
    (void)index;
    (void)sensor;
    (void)metric;
    *milli = 38500;
    return 0;
}

int rsmi_topo_numa_affinity_get(uint32_t index, int32_t *node) {
    (void)index;
    *node = 1;
    return 0;
}

/* --- hwloc ----------------------------------------------------------------------------------- */

EXPORT unsigned hwloc_get_api_version(void);
EXPORT int hwloc_topology_init(void **topology);
EXPORT int hwloc_topology_set_io_types_filter(void *topology, int filter);
EXPORT int hwloc_topology_load(void *topology);
EXPORT int hwloc_topology_export_xmlbuffer(void *topology, char **xml, int *n, unsigned long flags);

unsigned hwloc_get_api_version(void) {
    return 0x20800;
}

int hwloc_topology_init(void **topology) {
    *topology = device;
    return 0;
}

int hwloc_topology_set_io_types_filter(void *topology, int filter) {
    (void)topology;
    return filter == 3 ? 0 : -1;
}

int hwloc_topology_load(void *topology) {
    (void)topology;
    return 0;
}

int hwloc_topology_export_xmlbuffer(void *topology, char **xml, int *n, unsigned long flags) {
    static char text[] = "<topology version=\"2.0\"><object type=\"Machine\"><object "
                         "type=\"Package\"/><object type=\"Package\"/></object></topology>";
    (void)topology;
    *xml = text;
    *n = (int)sizeof text;
    return flags ? -1 : 0;
}
