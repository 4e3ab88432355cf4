/**
 * What one machine says about itself: accelerators, links, settings, logs, as facts. Every fact is
 * known, with the file and line that said it, or unknown, with the reason. Live reading and files
 * that somebody sent fill the same model. Reads only; no shell. Stands on base and catalog.
 *
 * SI units: hertz, bytes, bytes/s, watts, seconds; temperatures in degrees Celsius; shares 0..1.
 */
#ifndef ASSAY_HOST_H
#define ASSAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a fact is not known, or how it is. From STATED on it is known. */
typedef enum {
    ASSAY_HOST_UNSEEN,      /* nothing that was given says so */
    ASSAY_HOST_DENIED,      /* it is there, and needs a permission that we lack */
    ASSAY_HOST_UNSUPPORTED, /* the source says N/A */
    ASSAY_HOST_UNREADABLE,  /* input error, or a value that makes no sense */
    ASSAY_HOST_TIMED_OUT,   /* it did not answer in time */
    ASSAY_HOST_STATED,      /* the sender's note says so: not measured */
    ASSAY_HOST_MEASURED
} assay_host_state_t;

typedef struct {
    double v;
    assay_place_t at;
    uint8_t state;
} assay_host_number_t;
typedef struct {
    const char *s; /* NULL unless known */
    assay_place_t at;
    uint8_t state;
} assay_host_text_t;

static inline bool assay_host_known(uint8_t state) {
    return state >= ASSAY_HOST_STATED;
}

typedef enum {
    ASSAY_VENDOR_UNKNOWN,
    ASSAY_VENDOR_AMD,
    ASSAY_VENDOR_NVIDIA,
    ASSAY_VENDOR_OTHER
} assay_vendor_t;

/* One accelerator as software sees it: a GCD, or a partition. X(field, what it is) */
#define ASSAY_HOST_GPU_NUMBER_LIST(X)                                           \
    X(index, "number that its vendor's tools give it")                          \
    X(vendor_id, "PCI vendor")                                                  \
    X(device_id, "PCI device")                                                  \
    X(kfd_node, "KFD topology node")                                            \
    X(kfd_gpu_id, "gpu_id of the KFD topology node")                            \
    X(partition, "number of the partition of its package")                      \
    X(render_minor, "DRM render minor")                                         \
    X(numa_node, "NUMA node; -1: the firmware gives none")                      \
    X(compute_units, "compute units or multiprocessors")                        \
    X(xcc, "compute dies")                                                      \
    X(hive, "XGMI hive")                                                        \
    X(vram_bytes, "device memory")                                              \
    X(vram_used_bytes, "device memory in use")                                  \
    X(vram_process_bytes, "sum over the processes that are known")              \
    X(l2_bytes, "second-level cache, all of it")                                \
    X(l3_bytes, "third-level cache, all of it")                                 \
    X(bar_bytes, "size of the largest BAR")                                     \
    X(pcie_width, "lanes now")                                                  \
    X(pcie_width_max, "lanes at most")                                          \
    X(pcie_gt_s, "GT/s now")                                                    \
    X(pcie_gt_s_max, "GT/s at most")                                            \
    X(pcie_replays, "replay counter")                                           \
    X(pcie_naks, "NAKs sent and received")                                      \
    X(pcie_replays_new, "replays between the two samples")                      \
    X(aer_correctable, "correctable PCIe errors since boot")                    \
    X(aer_uncorrectable, "uncorrectable PCIe errors since boot")                \
    X(pcie_recoveries, "L0 to recovery counter")                                \
    X(gfx_busy, "compute activity, 0..1")                                       \
    X(mem_busy, "memory activity, 0..1")                                        \
    X(gfx_hz, "compute clock now")                                              \
    X(gfx_hz_max, "compute clock at most")                                      \
    X(mem_hz, "memory clock now")                                               \
    X(mem_hz_max, "memory clock at most")                                       \
    X(gfx_hz_lock, "compute clock that was locked or set for applications")     \
    X(gfx_hz_default, "compute clock for applications by default")              \
    X(gfx_levels, "levels of the compute clock that may be used")               \
    X(mem_levels, "levels of the memory clock that may be used")                \
    X(clock_locked, "1: the tool says that its clock is locked")                \
    X(slow_thermal, "1: temperature slows its clock at this moment")            \
    X(slow_thermal_soft, "1: the driver slows its clock for a temperature")     \
    X(slow_brake, "1: the board's power brake slows its clock")                 \
    X(slow_power, "1: the power cap slows its clock")                           \
    X(fabric_hz, "data fabric clock now")                                       \
    X(fabric_hz_max, "data fabric clock at most")                               \
    X(power_w, "power now, of the package")                                     \
    X(power_cap_w, "power cap")                                                 \
    X(power_cap_default_w, "power cap by default")                              \
    X(power_cap_max_w, "largest power cap")                                     \
    X(power_cap_min_w, "smallest power cap")                                    \
    X(edge_c, "edge temperature")                                               \
    X(hotspot_c, "junction temperature")                                        \
    X(hotspot_limit_c, "junction temperature that slows down")                  \
    X(mem_c, "memory temperature")                                              \
    X(mem_limit_c, "memory temperature that slows down")                        \
    X(fan, "fan, 0..1")                                                         \
    X(throttle_bits, "throttle status word")                                    \
    X(sample_ticks, "accumulation counter, difference between two samples")     \
    X(prochot_ticks, "ticks limited by PROCHOT between the samples")            \
    X(power_ticks, "ticks limited by power between the samples")                \
    X(thermal_ticks, "ticks limited by socket temperature between the samples") \
    X(vr_ticks, "ticks limited by regulator temperature between the samples")   \
    X(hbm_ticks, "ticks limited by memory temperature between the samples")     \
    X(sample_s, "time between the two samples")                                 \
    X(energy_j, "energy counter")                                               \
    X(ras_uncorrectable, "uncorrectable errors")                                \
    X(ras_correctable, "correctable errors")                                    \
    X(bad_pages, "retired memory pages")                                        \
    X(ecc_umc, "1: ECC of the memory controller is on")                         \
    X(poison, "1: poison handling is on")                                       \
    X(retired_single, "pages retired for single-bit errors")                    \
    X(retired_double, "pages retired for double-bit errors")                    \
    X(retired_pending, "1: a page retirement waits for a reset")                \
    X(remapped_correctable, "rows remapped for correctable errors")             \
    X(remapped_uncorrectable, "rows remapped for uncorrectable errors")         \
    X(remapped_pending, "1: a row remapping waits for a reset")                 \
    X(remapped_failed, "1: a row remapping failed")                             \
    X(persistence, "1: persistence mode")                                       \
    X(mig, "1: MIG mode now")                                                   \
    X(mig_pending, "1: MIG mode after a reset")                                 \
    X(nvlinks_up, "NVLinks that are up")                                        \
    X(nvlinks_down, "NVLinks that are down")                                    \
    X(nvlink_bytes_per_s, "rate of one NVLink, the slowest")                    \
    X(xgmi_links_up, "XGMI links that are up")                                  \
    X(xgmi_links_down, "XGMI links that are down")                              \
    X(xgmi_errors, "errors of its XGMI links")                                  \
    X(xgmi_gt_s, "GT/s of one XGMI link")                                       \
    X(xgmi_width, "lanes of one XGMI link")

#define ASSAY_HOST_GPU_TEXT_LIST(X)                     \
    X(bdf, "PCI address, as 0000:c1:00.0")              \
    X(name, "marketing name")                           \
    X(target, "code target: gfx942, sm_90")             \
    X(driver, "kernel driver that is bound")            \
    X(compute_partition, "SPX, DPX, QPX, CPX")          \
    X(memory_partition, "NPS1, NPS4")                   \
    X(perf_level, "auto, manual, low, high")            \
    X(throttle, "what throttles, as the tool says")     \
    X(fabric_state, "state of the NVSwitch fabric")     \
    X(firmware, "version of the power firmware")        \
    X(vbios, "version of the VBIOS or IFWI")            \
    X(local_cpus, "CPUs that are near, as 0-47,96-143") \
    X(runtime, "state of run-time power management: active, suspended")

typedef struct {
    uint8_t vendor; /* assay_vendor_t */
#define ASSAY_HOST_NUMBER(field, what) assay_host_number_t field;
#define ASSAY_HOST_TEXT(field, what) assay_host_text_t field;
    ASSAY_HOST_GPU_NUMBER_LIST(ASSAY_HOST_NUMBER)
    ASSAY_HOST_GPU_TEXT_LIST(ASSAY_HOST_TEXT)
} assay_host_gpu_t;

/* Of the machine as a whole. */
#define ASSAY_HOST_NUMBER_LIST(X)                                                  \
    X(sockets, "CPU sockets")                                                      \
    X(threads, "CPU threads")                                                      \
    X(smt, "1: more than one thread a core")                                       \
    X(numa_nodes, "NUMA nodes with processors")                                    \
    X(numa_balancing, "kernel.numa_balancing")                                     \
    X(uptime_s, "time since boot")                                                 \
    X(iommu_groups, "IOMMU groups; 0: the IOMMU is off")                           \
    X(x2apic, "1: x2APIC mode is on")                                              \
    X(governor_others, "CPUs whose governor is not performance")                   \
    X(idle_exit_s, "exit latency of the deepest idle state that is enabled")       \
    X(ram_bytes, "main memory")                                                    \
    X(ram_free_bytes, "main memory available")                                     \
    X(ram_pinned_bytes, "main memory that cannot be swapped or moved")             \
    X(huge_pages, "huge pages that are set aside")                                 \
    X(huge_pages_free, "of these, not in use")                                     \
    X(huge_page_bytes, "size of a huge page")                                      \
    X(memory_limit_bytes, "limit of the control group; HUGE_VAL: none")            \
    X(memory_used_bytes, "memory of the control group in use")                     \
    X(cpu_limit, "CPUs that the control group's quota is worth; HUGE_VAL: none")   \
    X(files_limit, "open files a process may have; HUGE_VAL: none")                \
    X(processes_limit, "processes that a user may have; HUGE_VAL: none")           \
    X(seccomp, "0: no filter of system calls, 1: strict, 2: a filter")             \
    X(ptrace_scope, "kernel.yama.ptrace_scope")                                    \
    X(privileged, "1: the container is privileged")                                \
    X(locked_bytes, "limit of locked memory; HUGE_VAL: none")                      \
    X(shm_bytes, "size of /dev/shm")                                               \
    X(shm_free_bytes, "free in /dev/shm")                                          \
    X(steal, "share of CPU time stolen by the hypervisor")                         \
    X(kfd_errno, "errno of opening /dev/kfd for reading and writing; 0: it opens") \
    X(amdgpu_live, "1: the amdgpu module is loaded")                               \
    X(gpus_expected, "accelerators that should be there, as the sender says")      \
    X(gpus_listed, "accelerators that a tool lists")                               \
    X(gpus_requested, "accelerators that the job or the container asks for")       \
    X(kfd_gpus, "accelerators of the KFD topology")                                \
    X(render_nodes, "DRM render nodes")                                            \
    X(imex_channels, "IMEX channels in /dev")                                      \
    X(power_cap_asked_w, "power cap that a command asks for")                      \
    X(page_table_bytes, "memory that page tables take")                            \
    X(memory_peers, "1: /sys/kernel/mm/memory_peers holds a client")               \
    X(cuda_error, "error of the first CUDA call")                                  \
    X(tensor_parallel, "devices that the job's tensor parallelism takes")

#define ASSAY_HOST_TEXT_LIST(X)                                                 \
    X(kernel, "release of the kernel")                                          \
    X(os, "ID of os-release")                                                   \
    X(os_version, "VERSION_ID of os-release")                                   \
    X(cmdline, "boot command line")                                             \
    X(cpu, "model of the CPU")                                                  \
    X(container, "docker, podman, apptainer, kubernetes; none: not in one")     \
    X(hypervisor, "of a virtual machine")                                       \
    X(thp, "transparent huge pages: always, madvise, never")                    \
    X(governor, "frequency governor; of several, one that is not performance")  \
    X(idle_state, "deepest idle state that is enabled")                         \
    X(cpus_allowed, "CPUs that the process may run on, as 0-47")                \
    X(cgroup_cpus, "CPUs of the control group")                                 \
    X(cgroup_mems, "NUMA nodes of the control group")                           \
    X(numa_policy, "memory policy of the process: default, interleave, bind")   \
    X(ipc, "IPC namespace of the container: host, private")                     \
    X(scheduler, "slurm, kubernetes")                                           \
    X(scheduler_state, "what the scheduler says of the node or job")            \
    X(scheduler_gpus, "accelerators as the scheduler names them: gpu:mi300x:8") \
    X(iommu, "type of the accelerators' IOMMU groups: identity, DMA")           \
    X(amdgpu_file, "file of the amdgpu module")                                 \
    X(amdgpu_version, "version of the amdgpu module")                           \
    X(nvidia_module, "version of the loaded NVIDIA module")                     \
    X(nvml, "version of the NVML library")                                      \
    X(nvidia_smi_error, "why nvidia-smi could not answer")                      \
    X(cuda_driver, "largest CUDA version of the driver")                        \
    X(cuda_toolkit, "version of the CUDA toolkit")                              \
    X(rocm, "version of ROCm")                                                  \
    X(ofed, "version of the RDMA stack")                                        \
    X(fabric_manager, "state of the fabric manager service")                    \
    X(fabric_manager_version, "version of the fabric manager")                  \
    X(collective_library, "version of NCCL or RCCL")                            \
    X(collective_transport, "IB, Socket, or the plugin that the log names")     \
    X(collective_interface, "network interface that the log names")             \
    X(net_plugin, "network plugin that was loaded; none: none was found")       \
    X(framework, "framework and its version: torch 2.4.1+rocm6.1")              \
    X(build_targets, "targets that the framework or library is built for, separated by spaces")

typedef struct {
    const char *name;
    assay_place_t at;
    bool stated;
} assay_host_name_t; /* a module that is loaded */
typedef struct {
    const char *path, *owner, *group; /* names or numbers, as printed; NULL: not known */
    uint32_t mode;                    /* permission bits */
    int64_t gid;                      /* -1: not known */
    bool missing;                     /* the source says that it is not there */
    assay_place_t at;
} assay_host_node_t;
typedef struct {
    const char *name; /* NULL: not known */
    int64_t gid;      /* -1: not known */
    assay_place_t at;
} assay_host_group_t; /* a group of the process */
typedef struct {
    const char *name, *value;
    assay_place_t at;
} assay_host_setting_t; /* environment variable, kernel configuration, package version */
typedef struct {
    const char *name, *state, *version; /* NULL: not known */
    assay_place_t at;
} assay_host_service_t;

typedef struct {
    const char *bdf, *name, *driver;                      /* NULL: not known */
    uint32_t vendor_id, device_id, subclass;              /* 0: not known; subclass 0x0302 */
    assay_host_number_t width, width_max, gt_s, gt_s_max; /* link */
    assay_host_number_t acs_valid, acs_request,
        acs_complete; /* 1: SrcValid+, ReqRedir+, CmpltRedir+ */
    assay_host_number_t read_request_bytes, atomics, ats, relaxed; /* relaxed: ordering */
    assay_host_number_t aer_correctable, aer_uncorrectable;        /* errors since boot */
    assay_host_number_t bar_bytes;                                 /* the largest */
    assay_host_number_t numa_node;
    const char *parent;           /* bridge above; NULL: not known, or none */
    const char *iommu;            /* type of its IOMMU group */
    uint32_t bus_first, bus_last; /* of a bridge: buses below; 0, 0: not known */
    bool bridge;
    assay_place_t at;
} assay_host_pci_t;

/* A pair of accelerators, or accelerator and NIC, as a tool's matrix shows it. */
typedef struct {
    const char *a, *b; /* as the tool names them: BDF, "0", "GPU0", "NIC1" */
    const char *type;  /* XGMI, PCIE, NV12, SYS, PXB; NULL: not known */
    assay_host_number_t weight, hops, bytes_per_s; /* of the weakest direction; 0: no direct path */
    assay_place_t at;
} assay_host_link_t;

typedef struct {
    const char *name, *state, *layer; /* mlx5_0, ACTIVE, InfiniBand; NULL: not known */
    uint32_t port;
    const char *physical, *interface, *firmware, *bdf;
    assay_host_number_t bits_per_s, link_downed, symbol_errors, numa_node, mtu_bytes;
    assay_host_number_t discards, pauses; /* counters of the port */
    assay_place_t at;
} assay_host_port_t; /* of an RDMA device */
typedef struct {
    const char *device, *type, *address, *interface; /* type: "RoCE v2", "IB/RoCE v1" */
    uint32_t port, index;
    assay_place_t at;
} assay_host_gid_t;
typedef struct {
    const char *name, *state, *address, *bdf; /* eth0, up; NULL: not known */
    assay_host_number_t mtu_bytes, bits_per_s, numa_node;
    assay_place_t at;
} assay_host_interface_t;

typedef struct {
    int64_t pid;
    const char *name;
    assay_host_number_t vram_bytes, gpus;
    assay_place_t at;
} assay_host_process_t;

/* Lines of logs that a row of data/log_events.csv knows; equal ones are counted. */
typedef struct {
    const char *event;  /* of that row: "xid", "bar-no-space" */
    const char *device; /* PCI address in the line; "" none */
    const char *word;   /* other text that the pattern caught; "" none */
    double number[3];   /* numbers that it caught, in order */
    uint32_t n_number, count;
    const char *text; /* the first line, cut */
    assay_place_t at; /* of the first */
} assay_host_event_t;

/* One row of a collective test's output. */
typedef struct {
    const char *operation; /* all_reduce */
    double bytes, time_s, algorithm_bytes_per_s, bus_bytes_per_s;
    uint32_t ranks; /* 0: not known */
    assay_place_t at;
} assay_host_collective_t;
/* One communicator of a RAS report. */
typedef struct {
    uint32_t ranks, expected;     /* that answer; that there should be */
    const char *status, *missing; /* text about those that do not answer; "" none */
    assay_place_t at;
} assay_host_communicator_t;
/* One line of a profiler's table. */
typedef struct {
    const char *table; /* hip_api, kernel, counter */
    const char *name;
    double calls, total_s, share; /* share 0..1 of the table's time */
    assay_place_t at;
} assay_host_profile_t;

/* A version and where it is: a tree of ROCm or CUDA, a shared library, firmware of a device, a
 * module that DKMS builds. */
typedef struct {
    const char *kind;    /* rocm, cuda, torch, dkms; block of firmware; name of a library */
    const char *path;    /* directory, file; PCI address of the device */
    const char *version; /* NULL: not known */
    const char *state;   /* of DKMS: installed, built; of a tree: selected; of a library: its
                            targets, or mapped; of torch: what it was built with; NULL */
    int64_t pid;         /* of a library that a process has mapped; -1: not known */
    assay_place_t at;
} assay_host_version_t;

/* A rank of a collective library's log. */
typedef struct {
    const char *host, *version; /* NULL: not known */
    int64_t pid, rank;          /* -1: not known */
    assay_place_t at;
} assay_host_rank_t;
/* An allocator that had no memory left: what the error says. */
typedef struct {
    assay_host_number_t asked_bytes, total_bytes, free_bytes, allocated_bytes, reserved_bytes;
    const char *text; /* the line, cut */
    assay_place_t at;
} assay_host_oom_t; /* reserved: held by the allocator and not allocated */
/* A command in a script, a job or a container. */
typedef struct {
    const char *program, *line;
    assay_place_t at;
} assay_host_command_t;
/* A NUMA node. */
typedef struct {
    int64_t node;
    const char *cpus; /* as 0-47,96-143; NULL: not known */
    assay_host_number_t bytes, free_bytes;
    assay_place_t at;
} assay_host_numa_t;

/* Masks of devices of one process, where several are asked about; NULL: not set. */
typedef struct {
    const char *name, *rocr, *hip, *cuda;
    assay_place_t at;
} assay_host_mask_t;
/* Modes of partition that somebody asks for: SPX, NPS1. */
typedef struct {
    const char *compute, *memory;
    assay_place_t at;
} assay_host_partition_t;

/* One text that was read, or that could not be. */
typedef struct {
    const char *file, *parser; /* parser NULL: nothing in it was recognised */
    const char *reason;        /* why nothing, or not all, was read; NULL: all was */
    size_t bytes;
    bool stated; /* the sender's note */
} assay_host_source_t;

#define ASSAY_HOST_ITEM_LIST(X)                \
    X(assay_host_gpu_t, gpu)                   \
    X(assay_host_name_t, module)               \
    X(assay_host_node_t, node)                 \
    X(assay_host_group_t, group)               \
    X(assay_host_setting_t, env)               \
    X(assay_host_setting_t, config)            \
    X(assay_host_setting_t, package)           \
    X(assay_host_service_t, service)           \
    X(assay_host_pci_t, pci)                   \
    X(assay_host_link_t, link)                 \
    X(assay_host_port_t, port)                 \
    X(assay_host_gid_t, gid)                   \
    X(assay_host_interface_t, interface)       \
    X(assay_host_numa_t, numa)                 \
    X(assay_host_setting_t, nic_setting)       \
    X(assay_host_setting_t, module_parameter)  \
    X(assay_host_version_t, tree)              \
    X(assay_host_version_t, library)           \
    X(assay_host_version_t, firmware)          \
    X(assay_host_version_t, dkms)              \
    X(assay_host_command_t, command)           \
    X(assay_host_rank_t, rank)                 \
    X(assay_host_oom_t, oom)                   \
    X(assay_host_mask_t, mask)                 \
    X(assay_host_partition_t, partition)       \
    X(assay_host_process_t, process)           \
    X(assay_host_event_t, event)               \
    X(assay_host_collective_t, collective)     \
    X(assay_host_communicator_t, communicator) \
    X(assay_host_profile_t, profile)           \
    X(assay_host_source_t, source)

typedef struct {
    const char *name; /* of the directory, file or machine */
    bool live;        /* read on the machine itself, or a snapshot of that */
    /* What was seen whole: an empty list then means none, and a log without a line that it had
     * none. */
    bool modules_seen, env_seen, groups_seen, pci_seen, kernel_log_seen;
    ASSAY_HOST_NUMBER_LIST(ASSAY_HOST_NUMBER)
    ASSAY_HOST_TEXT_LIST(ASSAY_HOST_TEXT)
#define ASSAY_HOST_ITEMS(type, field) \
    type *field;                      \
    uint32_t n_##field;
    ASSAY_HOST_ITEM_LIST(ASSAY_HOST_ITEMS)
#undef ASSAY_HOST_ITEMS
#undef ASSAY_HOST_NUMBER
#undef ASSAY_HOST_TEXT
} assay_host_t;

/* Most entries of any list; beyond it the source is marked as cut. */
#define ASSAY_HOST_MAX_ITEMS 65536u
/* Most bytes of one file that is read, and most files of one host. */
#define ASSAY_HOST_MAX_FILE_BYTES ((size_t)64 << 20)
#define ASSAY_HOST_MAX_FILES 4096u

/** What data/ knows about hosts: checks, causes, log lines, variables. Loaded once, then const. */
typedef struct assay_host_rules assay_host_rules_t;

/** dir: overlays of data/, as the catalog's. Errors: ASSAY_INPUT, ASSAY_IO, ASSAY_LIMIT. */
assay_status_t assay_host_rules_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                                     assay_lang_t lang, const assay_host_rules_t **out_rules,
                                     assay_error_t *err);

/** A text under the name it had. */
typedef struct {
    const char *name;
    const char *data; /* need not end with NUL */
    size_t n;
} assay_host_file_t;

/**
 * Reads texts that somebody sent: output of tools, logs, copies of /proc and /sys. What a text is
 * follows from its content, then from its name. Never fails for what a text holds: what is not
 * understood is named in source[].
 * Errors: ASSAY_LIMIT (files, arena).
 */
assay_status_t assay_host_read_files(assay_arena_t *arena, const assay_host_rules_t *rules,
                                     const char *name, const assay_host_file_t *file,
                                     uint32_t n_file, assay_host_t **out_host, assay_error_t *err);
/**
 * The same from paths: files, and directories with what lies below them (symbolic links are not
 * followed, special files are left out), archives, and snapshots. "-" is standard input.
 * Errors: ASSAY_IO when a path that was named cannot be read, ASSAY_LIMIT, and of archives what
 * assay_archive_read says.
 */
assay_status_t assay_host_read_capture(assay_arena_t *arena, const assay_host_rules_t *rules,
                                       const char *const *path, uint32_t n_path,
                                       assay_host_t **out_host, assay_error_t *err);
/**
 * Reads the machine itself below root ("/", or a copy of /proc and /sys). Nothing is changed and
 * nothing can hang it: files are opened without blocking, and reading stops at a time limit.
 * environment: "NAME=value" entries ending with NULL, or NULL: not known.
 * Errors: ASSAY_IO when root is no directory, ASSAY_LIMIT.
 */
assay_status_t assay_host_read_live(assay_arena_t *arena, const assay_host_rules_t *rules,
                                    const char *root, const char *const *environment,
                                    assay_host_t **out_host, assay_error_t *err);

const char *assay_host_state_name(assay_host_state_t state);

#ifdef __cplusplus
}
#endif
#endif
