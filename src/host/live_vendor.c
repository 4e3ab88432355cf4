/* Libraries of this machine, when they are there: NVML, AMD SMI, ROCm SMI, hwloc. They are loaded
   in a child, which prints what they say as the vendors' tools do; so the same parsers read it, and
   a library that hangs or crashes takes only the child with it. */
#include "host/live_vendor.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define ANSWER_BYTES ((size_t)4 << 20)
#define LIBRARY_LIMIT_S 2.0
#define DEVICES_MAX 256u

/* --- in the child ---------------------------------------------------------------------------- */

typedef struct {
    char *text;
    size_t n, most;
} answer_t;

__attribute__((format(printf, 2, 3))) static void say(answer_t *answer, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(answer->text + answer->n, answer->most - answer->n, format, args);
    va_end(args);
    if (n > 0 && (size_t)n < answer->most - answer->n) {
        answer->n += (size_t)n;
    }
}

/* Sets a function pointer by its name; NULL: the library has none. A function's address is a plain
   one here, as dlsym has it. */
static void find(void *library, const char *name, void *out_function, size_t size) {
    void *found = dlsym(library, name);
    memcpy(out_function, &found, size);
}
#define FIND(function, name) find(library, name, &(function), sizeof(function))

/* NVML, as nvml.h declares it: 0 is success, units are mW, MHz, bytes. */
typedef void *nvml_device_t;
typedef int (*nvml_number_t)(nvml_device_t, unsigned *);
typedef struct {
    char legacy[16];
    unsigned domain, bus, device, device_id, subsystem_id;
    char bus_id[32];
} nvml_pci_t;

static const struct {
    const char *column, *function;
    double scale;
} nvml_number[] = {
    {"persistence_mode", "nvmlDeviceGetPersistenceMode", 1},
    {"power.draw", "nvmlDeviceGetPowerUsage", 1e-3},
    {"power.limit", "nvmlDeviceGetEnforcedPowerLimit", 1e-3},
    {"power.default_limit", "nvmlDeviceGetPowerManagementDefaultLimit", 1e-3},
    {"pcie.link.width.current", "nvmlDeviceGetCurrPcieLinkWidth", 1},
    {"pcie.link.width.max", "nvmlDeviceGetMaxPcieLinkWidth", 1},
};
#define NVML_NUMBERS (sizeof nvml_number / sizeof nvml_number[0])

static void say_optional(answer_t *answer, int status, double value) {
    if (status == 0) {
        say(answer, ", %.9g", value);
    } else {
        say(answer, ", [N/A]");
    }
}

static void nvml_device(void *library, nvml_device_t device, unsigned index, answer_t *answer) {
    int (*pci_info)(nvml_device_t, nvml_pci_t *) = NULL;
    int (*name_of)(nvml_device_t, char *, unsigned) = NULL;
    int (*temperature)(nvml_device_t, int, unsigned *) = NULL;
    int (*use)(nvml_device_t, unsigned *) = NULL;
    int (*memory)(nvml_device_t, uint64_t *) = NULL;
    int (*clock)(nvml_device_t, int, unsigned *) = NULL;
    int (*clock_max)(nvml_device_t, int, unsigned *) = NULL;
    int (*mig)(nvml_device_t, unsigned *, unsigned *) = NULL;
    nvml_pci_t pci = {.bus_id = ""};
    char name[96] = "";
    unsigned value = 0, rates[2] = {0}, modes[2] = {0};
    uint64_t bytes[3] = {0}; /* total, free, used */
    enum { SM = 1 };
    FIND(pci_info, "nvmlDeviceGetPciInfo_v3");
    FIND(name_of, "nvmlDeviceGetName");
    FIND(temperature, "nvmlDeviceGetTemperature");
    FIND(use, "nvmlDeviceGetUtilizationRates");
    FIND(memory, "nvmlDeviceGetMemoryInfo");
    FIND(clock, "nvmlDeviceGetClockInfo");
    FIND(clock_max, "nvmlDeviceGetMaxClockInfo");
    FIND(mig, "nvmlDeviceGetMigMode");
    const bool have_pci = pci_info && pci_info(device, &pci) == 0;
    if (!name_of || name_of(device, name, sizeof name) != 0) {
        name[0] = '\0';
    }
    pci.bus_id[sizeof pci.bus_id - 1] = '\0';
    name[sizeof name - 1] = '\0';
    say(answer, "%u, %s, %s", index, have_pci ? pci.bus_id : "", name);
    int status = temperature ? temperature(device, 0, &value) : 1;
    say_optional(answer, status, value);
    status = use ? use(device, rates) : 1;
    say_optional(answer, status, rates[0]);
    say_optional(answer, status, rates[1]);
    status = memory ? memory(device, bytes) : 1;
    say_optional(answer, status, (double)bytes[0] / 1048576);
    say_optional(answer, status, (double)bytes[2] / 1048576);
    status = clock ? clock(device, SM, &value) : 1;
    say_optional(answer, status, value);
    status = clock_max ? clock_max(device, SM, &value) : 1;
    say_optional(answer, status, value);
    status = mig ? mig(device, &modes[0], &modes[1]) : 1;
    say_optional(answer, status, modes[0]);
    say_optional(answer, status, modes[1]);
    for (size_t i = 0; i < NVML_NUMBERS; i++) {
        nvml_number_t get = NULL;
        FIND(get, nvml_number[i].function);
        status = get ? get(device, &value) : 1;
        say_optional(answer, status, value * nvml_number[i].scale);
    }
    say(answer, "\n");
}

/* nvidia-smi --query-gpu, or what nvidia-smi says when the library does not start. */
static bool ask_nvml(void *library, answer_t *answer) {
    int (*init)(void) = NULL;
    int (*count)(unsigned *) = NULL;
    int (*handle)(unsigned, nvml_device_t *) = NULL;
    int (*version)(char *, unsigned) = NULL;
    const char *(*error)(int) = NULL;
    unsigned n = 0;
    char text[96] = "";
    FIND(init, "nvmlInit_v2");
    FIND(count, "nvmlDeviceGetCount_v2");
    FIND(handle, "nvmlDeviceGetHandleByIndex_v2");
    FIND(version, "nvmlSystemGetNVMLVersion");
    FIND(error, "nvmlErrorString");
    if (!init || !count || !handle) {
        return false;
    }
    const int status = init();
    if (status != 0) {
        say(answer, "Failed to initialize NVML: %s\n",
            error ? error(status) : "no reason is given");
        if (version && version(text, sizeof text) == 0) {
            say(answer, "NVML library version: %.80s\n", text);
        }
        return true;
    }
    say(answer, "index, pci.bus_id, name, temperature.gpu, utilization.gpu, utilization.memory, "
                "memory.total, memory.used, clocks.sm, clocks.max.sm, mig.mode.current, "
                "mig.mode.pending");
    for (size_t i = 0; i < NVML_NUMBERS; i++) {
        say(answer, ", %s", nvml_number[i].column);
    }
    say(answer, "\n");
    for (unsigned i = 0; count(&n) == 0 && i < n && i < DEVICES_MAX; i++) {
        nvml_device_t device = NULL;
        if (handle(i, &device) == 0) {
            nvml_device(library, device, i, answer);
        }
    }
    return true;
}

/* --- AMD SMI, ROCm SMI ----------------------------------------------------------------------- */

/* What both libraries give, as a table of rocm-smi's keys. A NAN is printed as N/A. */
enum { AMD_MEMORY, AMD_USED, AMD_HOTSPOT, AMD_EDGE, AMD_NUMA, AMD_N };

static void say_amd_heading(answer_t *answer) {
    say(answer, "device,PCI Bus,VRAM Total Memory (B),VRAM Total Used Memory (B),"
                "Temperature (Sensor junction) (C),Temperature (Sensor edge) (C),"
                "(Topology) Numa Node\n");
}

static void say_amd(answer_t *answer, unsigned index, unsigned domain, unsigned bdf,
                    const double value[AMD_N]) {
    say(answer, "card%u,%04x:%02x:%02x.%x", index, domain, bdf >> 8 & 0xff, bdf >> 3 & 0x1f,
        bdf & 7);
    for (size_t i = 0; i < AMD_N; i++) {
        if (isnan(value[i])) {
            say(answer, ",N/A");
        } else {
            say(answer, ",%.15g", value[i]);
        }
    }
    say(answer, "\n");
}

/* A value that a library gave, or none. */
static double given(int status, double value) {
    return status == 0 ? value : (double)NAN;
}

typedef void *amdsmi_handle_t;

static void amdsmi_device(void *library, amdsmi_handle_t device, unsigned index, answer_t *answer) {
    enum { VRAM = 0, EDGE = 0, HOTSPOT = 1, CURRENT = 0 };
    int (*address)(amdsmi_handle_t, uint64_t *) = NULL;
    int (*total)(amdsmi_handle_t, int, uint64_t *) = NULL;
    int (*used)(amdsmi_handle_t, int, uint64_t *) = NULL;
    int (*temperature)(amdsmi_handle_t, int, int, int64_t *) = NULL;
    int (*numa)(amdsmi_handle_t, int32_t *) = NULL;
    uint64_t bdf = 0, bytes[2] = {0};
    int64_t celsius[2] = {0};
    int32_t node = 0;
    FIND(address, "amdsmi_get_gpu_device_bdf");
    FIND(total, "amdsmi_get_gpu_memory_total");
    FIND(used, "amdsmi_get_gpu_memory_usage");
    FIND(temperature, "amdsmi_get_temp_metric");
    FIND(numa, "amdsmi_get_gpu_topo_numa_affinity");
    if (!address || address(device, &bdf) != 0) {
        return;
    }
    double value[AMD_N];
    int status = total ? total(device, VRAM, &bytes[0]) : 1;
    value[AMD_MEMORY] = given(status, (double)bytes[0]);
    status = used ? used(device, VRAM, &bytes[1]) : 1;
    value[AMD_USED] = given(status, (double)bytes[1]);
    status = temperature ? temperature(device, HOTSPOT, CURRENT, &celsius[0]) : 1;
    value[AMD_HOTSPOT] = given(status, (double)celsius[0]);
    status = temperature ? temperature(device, EDGE, CURRENT, &celsius[1]) : 1;
    value[AMD_EDGE] = given(status, (double)celsius[1]);
    status = numa ? numa(device, &node) : 1;
    value[AMD_NUMA] = given(status, node);
    say_amd(answer, index, (unsigned)(bdf >> 16 & 0xffff), (unsigned)(bdf & 0xffff), value);
}

static bool ask_amdsmi(void *library, answer_t *answer) {
    enum { GPUS = 2 };
    int (*init)(uint64_t) = NULL;
    int (*sockets)(uint32_t *, amdsmi_handle_t *) = NULL;
    int (*processors)(amdsmi_handle_t, uint32_t *, amdsmi_handle_t *) = NULL;
    amdsmi_handle_t socket[DEVICES_MAX], device[DEVICES_MAX];
    uint32_t n_socket = DEVICES_MAX;
    unsigned index = 0;
    FIND(init, "amdsmi_init");
    FIND(sockets, "amdsmi_get_socket_handles");
    FIND(processors, "amdsmi_get_processor_handles");
    if (!init || !sockets || !processors || init(GPUS) != 0 || sockets(&n_socket, socket) != 0) {
        return false;
    }
    say_amd_heading(answer);
    for (uint32_t s = 0; s < n_socket && s < DEVICES_MAX; s++) {
        uint32_t n = DEVICES_MAX;
        if (processors(socket[s], &n, device) != 0) {
            continue;
        }
        for (uint32_t i = 0; i < n && i < DEVICES_MAX; i++) {
            amdsmi_device(library, device[i], index++, answer);
        }
    }
    return true;
}

static bool ask_rocmsmi(void *library, answer_t *answer) {
    enum { VRAM = 0, EDGE = 0, JUNCTION = 1, CURRENT = 0 };
    int (*init)(uint64_t) = NULL;
    int (*count)(uint32_t *) = NULL;
    int (*address)(uint32_t, uint64_t *) = NULL;
    int (*total)(uint32_t, int, uint64_t *) = NULL;
    int (*used)(uint32_t, int, uint64_t *) = NULL;
    int (*temperature)(uint32_t, uint32_t, int, int64_t *) = NULL;
    int (*numa)(uint32_t, int32_t *) = NULL;
    uint32_t n = 0;
    FIND(init, "rsmi_init");
    FIND(count, "rsmi_num_monitor_devices");
    FIND(address, "rsmi_dev_pci_id_get");
    FIND(total, "rsmi_dev_memory_total_get");
    FIND(used, "rsmi_dev_memory_usage_get");
    FIND(temperature, "rsmi_dev_temp_metric_get");
    FIND(numa, "rsmi_topo_numa_affinity_get");
    if (!init || !count || !address || init(0) != 0 || count(&n) != 0) {
        return false;
    }
    say_amd_heading(answer);
    for (uint32_t i = 0; i < n && i < DEVICES_MAX; i++) {
        uint64_t bdf = 0, bytes[2] = {0};
        int64_t milli[2] = {0};
        int32_t node = 0;
        if (address(i, &bdf) != 0) {
            continue;
        }
        double value[AMD_N];
        int status = total ? total(i, VRAM, &bytes[0]) : 1;
        value[AMD_MEMORY] = given(status, (double)bytes[0]);
        status = used ? used(i, VRAM, &bytes[1]) : 1;
        value[AMD_USED] = given(status, (double)bytes[1]);
        status = temperature ? temperature(i, JUNCTION, CURRENT, &milli[0]) : 1;
        value[AMD_HOTSPOT] = given(status, (double)milli[0] * 1e-3);
        status = temperature ? temperature(i, EDGE, CURRENT, &milli[1]) : 1;
        value[AMD_EDGE] = given(status, (double)milli[1] * 1e-3);
        status = numa ? numa(i, &node) : 1;
        value[AMD_NUMA] = given(status, node);
        say_amd(answer, i, (unsigned)(bdf >> 32 & 0xffff), (unsigned)(bdf & 0xffff), value);
    }
    return true;
}

/* --- hwloc ----------------------------------------------------------------------------------- */

static bool ask_hwloc(void *library, answer_t *answer) {
    enum { VERSION_2 = 0x20000, KEEP_IMPORTANT = 3 };
    unsigned (*version)(void) = NULL;
    int (*init)(void **) = NULL;
    int (*filter)(void *, int) = NULL;
    int (*load)(void *) = NULL;
    int (*export)(void *, char **, int *, unsigned long) = NULL;
    void *topology = NULL;
    char *xml = NULL;
    int n = 0;
    FIND(version, "hwloc_get_api_version");
    FIND(init, "hwloc_topology_init");
    FIND(filter, "hwloc_topology_set_io_types_filter");
    FIND(load, "hwloc_topology_load");
    FIND(export, "hwloc_topology_export_xmlbuffer");
    if (!version || version() < VERSION_2 || !init || !filter || !load || !export) {
        return false;
    }
    /* What it would load for its own view of accelerators is asked above. */
    (void)setenv("HWLOC_COMPONENTS", "-gl,-opencl,-cuda,-nvml,-rsmi,-levelzero", 1);
    if (init(&topology) != 0 || filter(topology, KEEP_IMPORTANT) != 0 || load(topology) != 0 ||
        export(topology, &xml, &n, 0) != 0 || n <= 1 || (size_t)n > answer->most) {
        return false;
    }
    memcpy(answer->text, xml, (size_t)n - 1); /* without its NUL */
    answer->n = (size_t)n - 1;
    return true;
}

static bool (*const ask_library[])(void *, answer_t *) = {[HOST_NVML] = ask_nvml,
                                                          [HOST_AMD_SMI] = ask_amdsmi,
                                                          [HOST_ROCM_SMI] = ask_rocmsmi,
                                                          [HOST_HWLOC] = ask_hwloc};

static void serve(int fd, const host_request_t *request, host_reply_t *reply, char *data) {
    (void)fd;
    answer_t answer = {.text = data, .most = request->most};
    void *library = dlopen(request->path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        reply->error = ENOENT;
    } else if (!ask_library[request->kind](library, &answer)) {
        reply->error = ENOTSUP; /* another version, or no device that it can speak of */
    }
    reply->n = reply->error ? 0 : answer.n; /* it stays loaded: the child ends soon */
}

/* --- in the parent --------------------------------------------------------------------------- */

static const char *const shown_name[] = {[HOST_NVML] = "NVML",
                                         [HOST_AMD_SMI] = "AMD SMI",
                                         [HOST_ROCM_SMI] = "ROCm SMI",
                                         [HOST_HWLOC] = "hwloc"};

/* A text in the form of the tools' own. */
static void read_answer(host_parse_t *parse, host_vendor_t vendor, assay_host_source_t *source,
                        host_span_t text) {
    parse->source = source;
    parse->file = parse->name = shown_name[vendor];
    parse->first = parse->line = 0;
    parse->rest = text;
    const host_parse_row_t *row = host_parse_select(parse->rules, "", parse->rest);
    if (row) {
        row->parse(parse);
    }
}

/* Where a tape keeps what a library answered; in scratch. */
static const char *tape_path(host_parse_t *parse, host_vendor_t vendor) {
    const char *path = assay_arena_printf(parse->scratch, "library/%s", shown_name[vendor]);
    return path ? path : "";
}

static bool ask_vendor(host_parse_t *parse, host_tape_t *record, host_vendor_t vendor,
                       const char *library, int fd) {
    host_request_t request = {.kind = vendor, .most = ANSWER_BYTES};
    host_reply_t reply;
    const char *data;
    host_worker_t *worker = host_worker_create(serve, fd, ANSWER_BYTES);
    if (!worker || strlen(library) >= sizeof request.path) {
        host_worker_destroy(worker);
        return false;
    }
    memcpy(request.path, library, strlen(library) + 1);
    host_worker_call(worker, &request, LIBRARY_LIMIT_S, &reply, &data);
    const bool hung = reply.error == ETIMEDOUT, died = reply.error == EPIPE;
    size_t n = 0;
    const char *text = reply.error ? NULL : host_clean(parse->scratch, data, reply.n, &n);
    host_worker_destroy(worker);
    assay_host_source_t *source = text || hung || died ? host_add(parse, source) : NULL;
    if (!source) {
        return false;
    }
    *source = (assay_host_source_t){.file = shown_name[vendor],
                                    .parser = text ? shown_name[vendor] : NULL,
                                    .reason = hung   ? assay_host_state_name(ASSAY_HOST_TIMED_OUT)
                                              : died ? "it crashed"
                                                     : NULL,
                                    .bytes = n};
    if (text) {
        if (record) {
            host_tape_record(record, HOST_READ_FILE, tape_path(parse, vendor),
                             &(host_reply_t){.n = n}, text);
        }
        read_answer(parse, vendor, source, (host_span_t){text, n});
    }
    return text != NULL;
}

bool host_vendor_read(host_parse_t *parse, host_vendor_t vendor, const char *library, int fd) {
    return ask_vendor(parse, NULL, vendor, library, fd);
}

static void play(host_live_t *live) {
    for (size_t i = 0; i < sizeof shown_name / sizeof shown_name[0]; i++) {
        const char *data;
        const host_reply_t reply = host_tape_play(live->play, HOST_READ_FILE,
                                                  tape_path(live->parse, (host_vendor_t)i), &data);
        size_t n = 0;
        const char *text = reply.error ? NULL : host_clean(live->parse->scratch, data, reply.n, &n);
        assay_host_source_t *source = text ? host_add(live->parse, source) : NULL;
        if (source) {
            *source =
                (assay_host_source_t){.file = shown_name[i], .parser = shown_name[i], .bytes = n};
            read_answer(live->parse, (host_vendor_t)i, source, (host_span_t){text, n});
        }
    }
}

/* A library that hangs takes no more than all reading may. */
static bool ask(host_live_t *live, host_vendor_t vendor, const char *library) {
    return host_live_now_s() + LIBRARY_LIMIT_S < live->deadline_s &&
           ask_vendor(live->parse, live->record, vendor, library, live->root);
}

void host_live_vendor(host_live_t *live) {
    const assay_host_t *host = live->parse->host;
    if (live->play) {
        play(live);
    }
    if (live->kind != HOST_ROOT_OWN) {
        return;
    }
    if (host_live_exists(live, "proc/driver/nvidia/version") ||
        host_live_exists(live, "dev/nvidiactl")) {
        (void)ask(live, HOST_NVML, "libnvidia-ml.so.1");
    }
    if (host->amdgpu_live.v > 0 && !ask(live, HOST_AMD_SMI, "libamd_smi.so")) {
        (void)(ask(live, HOST_ROCM_SMI, "librocm_smi64.so") ||
               ask(live, HOST_ROCM_SMI, "/opt/rocm/lib/librocm_smi64.so"));
    }
    (void)ask(live, HOST_HWLOC, "libhwloc.so.15");
}
