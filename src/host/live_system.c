/* The machine below its accelerators: processors, memory, NUMA nodes, settings of the kernel. */
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

#define CPUS_DIR "sys/devices/system/cpu"
#define CPUS_MAX 8192u

/* "cpu12" -> 12; -1: another name. */
static int64_t number_of(const char *name, const char *prefix) {
    const size_t n = strlen(prefix);
    double number;
    host_span_t rest;
    if (strncmp(name, prefix, n) != 0 || name[n] < '0' || name[n] > '9' ||
        !host_number(host_span(name + n), &number, &rest) || rest.n > 0 || number > CPUS_MAX) {
        return -1;
    }
    return (int64_t)number;
}

/* The governor of all CPUs: one that is not performance counts. */
static void read_governors(host_live_t *live) {
    host_parse_t *parse = live->parse;
    assay_host_text_t all = {0}, other = {0};
    uint32_t n, n_known = 0, n_other = 0;
    const char **name = host_live_list(live, CPUS_DIR, &n);
    for (uint32_t i = 0; i < n; i++) {
        assay_host_text_t governor = {0};
        if (number_of(name[i], "cpu") < 0) {
            continue;
        }
        host_live_word(live, host_live_path(live, CPUS_DIR "/%s/cpufreq/scaling_governor", name[i]),
                       &governor);
        if (!governor.s) {
            if (n_known == 0) {
                return; /* no frequency driver, as in most virtual machines */
            }
            continue;
        }
        n_known++;
        all = all.s ? all : governor;
        if (strcmp(governor.s, "performance") != 0) {
            n_other++;
            other = other.s ? other : governor;
        }
    }
    if (n_known > 0 && !assay_host_known(parse->host->governor.state)) {
        parse->host->governor = other.s ? other : all;
        parse->file = parse->host->governor.at.file;
        parse->line = 1;
        host_set_number(parse, &parse->host->governor_others, n_other);
    }
}

/* Idle states of the first CPU; they are the same for all. */
static void read_idle(host_live_t *live) {
    static const char dir[] = CPUS_DIR "/cpu0/cpuidle";
    host_parse_t *parse = live->parse;
    assay_host_t *host = parse->host;
    assay_host_number_t deepest = {0};
    assay_host_text_t deepest_name = {0};
    uint32_t n;
    const char **name = host_live_list(live, dir, &n);
    for (uint32_t i = 0; i < n; i++) {
        assay_host_number_t disabled = {0}, latency = {0};
        host_live_number(live, host_live_path(live, "%s/%s/disable", dir, name[i]), 1, &disabled);
        host_live_number(live, host_live_path(live, "%s/%s/latency", dir, name[i]), 1e-6, &latency);
        if (disabled.v > 0 || !assay_host_known(latency.state) || latency.v < deepest.v) {
            continue;
        }
        deepest = latency;
        deepest_name = (assay_host_text_t){0};
        host_live_word(live, host_live_path(live, "%s/%s/name", dir, name[i]), &deepest_name);
    }
    if (assay_host_known(deepest.state) && !assay_host_known(host->idle_exit_s.state)) {
        host->idle_exit_s = deepest;
        host->idle_state = deepest_name;
    }
}

static void read_sockets(host_live_t *live) {
    host_parse_t *parse = live->parse;
    uint32_t n, n_thread = 0;
    bool seen[256] = {false};
    const char **name = host_live_list(live, CPUS_DIR, &n);
    for (uint32_t i = 0; i < n; i++) {
        assay_host_number_t package = {0};
        if (number_of(name[i], "cpu") < 0) {
            continue;
        }
        host_live_number(live,
                         host_live_path(live, CPUS_DIR "/%s/topology/physical_package_id", name[i]),
                         1, &package);
        if (assay_host_known(package.state) && package.v >= 0 && package.v < 256) {
            seen[(size_t)package.v] = true;
            n_thread++;
        }
    }
    uint32_t n_socket = 0;
    for (size_t i = 0; i < 256; i++) {
        n_socket += seen[i];
    }
    if (n_socket > 0) {
        host_live_at(live, CPUS_DIR);
        host_set_number(parse, &parse->host->sockets, n_socket);
        host_set_number(parse, &parse->host->threads, n_thread);
    }
}

/* "Node 0 MemTotal:       527987220 kB" */
static void read_node_memory(host_live_t *live, const char *path, assay_host_numa_t *numa) {
    host_span_t text = host_live_text(live, path, NULL);
    while (text.n > 0) {
        const host_span_t line = host_cut(&text, "\n");
        host_span_t key, value;
        live->parse->line++;
        if (host_key_value(line, ':', &key, &value)) {
            if (host_has(key, "MemTotal")) {
                host_set_quantity(live->parse, &numa->bytes, value, true);
            } else if (host_has(key, "MemFree")) {
                host_set_quantity(live->parse, &numa->free_bytes, value, true);
            }
        }
    }
}

static void read_numa(host_live_t *live) {
    static const char dir[] = "sys/devices/system/node";
    host_parse_t *parse = live->parse;
    uint32_t n, n_with_cpus = 0;
    const char **name = host_live_list(live, dir, &n);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t node = number_of(name[i], "node");
        assay_host_text_t cpus = {0};
        if (node < 0) {
            continue;
        }
        host_live_word(live, host_live_path(live, "%s/%s/cpulist", dir, name[i]), &cpus);
        host_live_at(live, host_live_path(live, "%s/%s", dir, name[i]));
        assay_host_numa_t *numa = host_numa(parse, node);
        if (numa) {
            numa->cpus = cpus.s;
            read_node_memory(live, host_live_path(live, "%s/%s/meminfo", dir, name[i]), numa);
        }
        n_with_cpus += cpus.s != NULL;
    }
    if (n_with_cpus > 0) {
        host_live_at(live, dir);
        host_set_number(parse, &parse->host->numa_nodes, n_with_cpus);
    }
}

static void read_iommu(host_live_t *live) {
    uint32_t n;
    if (!host_live_exists(live, "sys/kernel")) {
        return;
    }
    (void)host_live_list(live, "sys/kernel/iommu_groups", &n);
    if (n > 0 || host_live_exists(live, "sys/kernel/iommu_groups")) {
        host_live_at(live, "sys/kernel/iommu_groups");
        host_set_number(live->parse, &live->parse->host->iommu_groups, n);
    }
}

void host_live_system(host_live_t *live) {
    static const struct {
        const char *path, *parser;
        host_parser_t parse;
    } file[] = {
        {"proc/cmdline", "cmdline", host_parse_cmdline},
        {"proc/sys/kernel/osrelease", "uname", host_parse_uname},
        {"etc/os-release", "os-release", host_parse_os_release},
        {"proc/meminfo", "meminfo", host_parse_meminfo},
        {"proc/stat", "proc stat", host_parse_proc_stat},
        {"proc/uptime", "uptime", host_parse_uptime},
        {"proc/cpuinfo", "cpuinfo", host_parse_cpuinfo},
        {"sys/kernel/mm/transparent_hugepage/enabled", "transparent huge pages", host_parse_thp}};
    assay_host_t *host = live->parse->host;
    assay_host_text_t vendor = {0};
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        host_live_parse(live, file[i].path, file[i].parser, file[i].parse);
    }
    host_live_word(live, "sys/class/dmi/id/sys_vendor", &vendor);
    if (vendor.s && host->hypervisor.s &&
        strcmp(host->hypervisor.s, HOST_HYPERVISOR_UNNAMED) == 0) {
        host->hypervisor = vendor; /* "QEMU": who made the virtual machine */
    }
    host_live_number(live, "proc/sys/kernel/numa_balancing", 1, &host->numa_balancing);
    host_live_number(live, CPUS_DIR "/smt/active", 1, &host->smt);
    read_sockets(live);
    read_governors(live);
    read_idle(live);
    read_numa(live);
    read_iommu(live);
}
