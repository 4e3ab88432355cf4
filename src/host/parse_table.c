/* Which parser reads which text. More special kinds stand before more general ones. */
#include "host/host_rules.h"

#include "base/banned.h"

static bool has(host_span_t text, const char *const *needle, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (host_has(text, needle[i])) {
            return true;
        }
    }
    return false;
}
#define HAS(text, ...)                            \
    has(text, (const char *const[]){__VA_ARGS__}, \
        sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))

static bool is_nvcc(host_span_t text) {
    return HAS(text, "Cuda compilation tools, release");
}

static bool is_rocminfo(host_span_t text) {
    return HAS(text, "ROCk module is", "HSA System Attributes",
               "Marketing Name:", "Unable to open /dev/kfd");
}

static bool is_lsmod(host_span_t text) {
    host_span_t line = host_cut(&text, "\n");
    return host_is(host_word(&line), "Module") && host_is(host_word(&line), "Size");
}

static bool is_cmdline(host_span_t text) {
    return host_starts(host_trim(text), "BOOT_IMAGE=");
}

static bool is_json(host_span_t text) {
    text = host_trim(text);
    return text.n > 1 && (text.s[0] == '{' || text.s[0] == '[') && HAS(text, "\":", "\" :") &&
           (text.s[text.n - 1] == '}' || text.s[text.n - 1] == ']');
}

static bool is_amd_smi(host_span_t text) {
    const host_span_t line = host_trim(host_cut(&text, "\n"));
    return host_starts(line, "GPU: ") ||
           (host_starts(line, "CPU: ") && HAS(text, "\nGPU: ")); /* of an APU's host */
}

static bool is_amd_overview(host_span_t text) {
    return HAS(text, "| AMD-SMI ") && HAS(text, "GPU-Name");
}

static bool is_amd_monitor(host_span_t text) {
    const host_span_t line = host_trim(host_cut(&text, "\n"));
    return host_starts(line, "AMDSMI Tool:") || host_starts(line, "GPU_ID  ") ||
           ((host_starts(line, "GPU  ") || host_starts(line, "TIMESTAMP  ")) &&
            HAS(line, "GPU_T", "GFX_CLK", "GFX%", "PWR_CAP", "GPU_TEMP"));
}

static bool is_matrix(host_span_t text) {
    return HAS(text, "WEIGHT TABLE:", "HOPS TABLE:", "LINK TYPE TABLE:", "NUMA BW TABLE:",
               "ACCESS TABLE:", "between two GPUs");
}

static bool is_rocm_smi(host_span_t text) {
    return HAS(text, "ROCm System Management Interface", "End of ROCm SMI Log", "GPU[0]\t");
}

static bool is_nvidia_topo(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return host_indent(line) > 0 && host_starts(host_trim(line), "GPU0");
}

static bool is_nvidia_q(host_span_t text) {
    return HAS(text, "==NVSMI LOG==", "Remapped Rows\n", "Retired Pages\n");
}

static bool is_nvidia_list(host_span_t text) {
    return host_starts(text, "GPU 0: ") && host_has(text, "(UUID");
}

static bool is_nvidia_smi(host_span_t text) {
    return HAS(text, "NVIDIA-SMI ", "Failed to initialize NVML");
}

static bool is_nvidia_module(host_span_t text) {
    return host_starts(text, "NVRM version:");
}

static bool is_lspci(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    uint32_t part[4];
    size_t n;
    return host_bdf_parts(line, part, &n) && n < line.n && line.s[n] == ' ';
}

static bool is_lstopo(host_span_t text) {
    return HAS(text, "(busid=") && HAS(text, " class=");
}

static bool is_kfd_node(host_span_t text) {
    return HAS(text, "simd_count ") && HAS(text, "gfx_target_version ");
}

static bool is_ls(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return (line.n > 10 && (line.s[0] == 'c' || line.s[0] == '-' || line.s[0] == 'd') &&
            (line.s[1] == 'r' || line.s[1] == '-') && (line.s[2] == 'w' || line.s[2] == '-')) ||
           (host_starts(line, "ls: ") && HAS(line, "'/")) || host_starts(line, "total ");
}

static bool is_id(host_span_t text) {
    return host_starts(text, "uid=");
}

static bool is_limits(host_span_t text) {
    return HAS(text, "max locked memory", "Max locked memory");
}

static bool is_df(host_span_t text) {
    return host_starts(text, "Filesystem") || host_starts(text, "Dateisystem") ||
           host_starts(text, "Sys. de fichiers") || HAS(host_cut(&text, "\n"), "1K-");
}

static bool is_modinfo(host_span_t text) {
    return host_starts(text, "filename:");
}

static bool is_collective(host_span_t text) {
    return HAS(text, "# nThread ");
}

static bool is_ras_report(host_span_t text) {
    return HAS(text, "Communicators...") && HAS(text, "Job summary");
}

static bool is_csv(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return HAS(line, "device,", "gpu,", "index,", "\"Name\",\"Calls\"", "pci.bus_id",
               "Counter_Name", "KernelName");
}

static bool is_meminfo(host_span_t text) {
    return host_starts(text, "MemTotal:") && HAS(text, "MemFree:");
}

static bool is_thp(host_span_t text) {
    const host_span_t line = host_trim(host_cut(&text, "\n"));
    return host_trim(text).n == 0 && HAS(line, "[always]", "[madvise]", "[never]") &&
           host_starts(line, line.n > 0 && line.s[0] == '[' ? "[always]" : "always ");
}

static bool is_proc_stat(host_span_t text) {
    return host_starts(text, "cpu  ") && HAS(text, "\ncpu0 ");
}

static bool is_cpuinfo(host_span_t text) {
    return host_starts(text, "processor\t") && HAS(text, "\nflags");
}

static bool is_status(host_span_t text) {
    return host_starts(text, "Name:\t") && HAS(text, "\nGroups:", "\nCpus_allowed_list:");
}

static bool is_lscpu(host_span_t text) {
    return HAS(text, "CPU(s):") && HAS(text, "\nNUMA node", "\nNUMA-Knoten", "\nModel name:");
}

static bool is_kernel_config(host_span_t text) {
    return HAS(text, "\nCONFIG_", "\n# CONFIG_") || host_starts(text, "CONFIG_");
}

static bool is_maps(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return HAS(line, " r--p ", " r-xp ", " rw-p ") ||
           (HAS(line, " => ", "linux-vdso.so") && HAS(text, " => /"));
}

static bool is_torch(host_span_t text) {
    return HAS(text, "__version__ = ") && HAS(text, "hip", "cuda");
}

static bool is_os_release(host_span_t text) {
    return HAS(text, "VERSION_ID=") && HAS(text, "PRETTY_NAME=");
}

static bool is_ibstat(host_span_t text) {
    return host_starts(text, "CA '") || host_starts(text, "Infiniband device '") ||
           host_starts(text, "hca_id:");
}

static bool is_rdma_link(host_span_t text) {
    return host_starts(text, "link ") && HAS(text, " physical_state ");
}

static bool is_gids(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return host_starts(line, "DEV") && HAS(line, "GID") && HAS(line, "INDEX");
}

static bool is_mlxconfig(host_span_t text) {
    return HAS(text, "Configurations:") && HAS(text, "Device type:", "Device #");
}

static bool is_ip(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return HAS(line, ": <") && HAS(line, " mtu ");
}

static bool is_ethtool(host_span_t text) {
    return host_starts(text, "NIC statistics:") || host_starts(text, "Settings for ");
}

static bool is_numactl(host_span_t text) {
    return HAS(text, "node 0 cpus:", "physcpubind:") && HAS(text, "node distances:", "policy:");
}

static bool is_journal(host_span_t text) {
    const host_span_t line = host_cut(&text, "\n");
    return host_starts(line, "{") && HAS(line, "\"MESSAGE\"") && HAS(line, "\"__REALTIME");
}

static bool is_slurm(host_span_t text) {
    return (host_starts(text, "NodeName=") && HAS(text, " State=", "\n   State=")) ||
           (host_starts(text, "JobId=") && HAS(text, "JobState="));
}

static bool is_script(host_span_t text) {
    return (host_starts(text, "#!") && HAS(text, "sh\n")) || HAS(text, "\n#SBATCH ") ||
           host_starts(text, "docker run ") || host_starts(text, "podman run ");
}

static bool is_kubernetes(host_span_t text) {
    return HAS(text, "apiVersion:") && HAS(text, "containers:");
}

static bool is_systemctl(host_span_t text) {
    return HAS(text, "Loaded: ") && HAS(text, "Active: ") && HAS(text, ".service");
}

/* A program that ended with an exception. */
static bool is_traceback(host_span_t text) {
    return HAS(text, "Traceback (most recent call last)", "out of memory. Tried to allocate");
}

static bool is_xml(host_span_t text) {
    return HAS(text, "<nvidia_smi_log>", "<topology", "<!DOCTYPE topology");
}

/* An answer that lies beside the evidence is none. */
static void parse_nothing(host_parse_t *parse) {
    parse->source->reason = "a question or an answer, not evidence";
}

const host_parse_row_t host_parse_table[] = {
    {"question", NULL, "verdict.json|expected.json|question.txt", parse_nothing, HOST_NAME_DECIDES},
    {"note", NULL, "context.txt|note*.txt", host_parse_note, HOST_NAME_DECIDES | HOST_STATED},
    {"xml", is_xml, "*.xml", host_parse_xml, 0},
    {"journal", is_journal, "*journal*.json", host_parse_journal, 0},
    {"json", is_json, "*.json", host_parse_json, 0},
    {"csv", is_csv, "*.csv", host_parse_csv, 0},
    {"nvcc", is_nvcc, "nvcc*", host_parse_nvcc, 0},
    {"rocm version", NULL, "*rocm-version*|*rocm_version*|.info/version*", host_parse_rocm_version,
     0},
    {"rocminfo", is_rocminfo, "*rocminfo*", host_parse_rocminfo, 0},
    {"topology table", is_matrix, "*topology*|*showtopo.*", host_parse_matrix, 0},
    {"rocm-smi", is_rocm_smi, "*rocm-smi*|*rocm_smi*", host_parse_rocm_smi, 0},
    {"amd-smi overview", is_amd_overview, "", host_parse_amd_overview, 0},
    {"amd-smi monitor", is_amd_monitor, "*amd-smi-monitor*|*amd-smi-partition*|*amd-smi-version*",
     host_parse_amd_monitor, 0},
    {"amd-smi", is_amd_smi,
     "*amd-smi-static*|*amd-smi-metric*|*amd-smi-list.*|*amd-smi-firmware*|*amd-smi-process*",
     host_parse_amd_smi, 0},
    {"nvidia-smi topo", is_nvidia_topo, "*topo-m*|nvidia-smi topo*", host_parse_nvidia_topo, 0},
    {"nvidia-smi -q", is_nvidia_q, "*nvidia-smi-q*|nvidia-smi -q*", host_parse_nvidia_q, 0},
    {"nvidia-smi -L", is_nvidia_list, "*nvidia-smi-l.*|nvidia-smi -L*", host_parse_nvidia_list, 0},
    {"nvidia-smi", is_nvidia_smi, "nvidia-smi.*|nvidia-smi", host_parse_nvidia_smi, 0},
    {"nvidia module", is_nvidia_module, "*nvidia*version*", host_parse_nvidia_module, 0},
    {"nccl-tests", is_collective, "*_perf*", host_parse_collective, 0},
    {"RAS report", is_ras_report, "*ccl-ras*", host_parse_ras_report, 0},
    {"lstopo", is_lstopo, "*lstopo*", host_parse_lstopo, 0},
    {"lspci", is_lspci, "*lspci*", host_parse_lspci, 0},
    {"KFD node", is_kfd_node, "*kfd-node*", host_parse_kfd_node, 0},
    {"lsmod", is_lsmod, "*lsmod*|proc/modules|proc_modules*", host_parse_lsmod, 0},
    {"modinfo", is_modinfo, "*modinfo*", host_parse_modinfo, 0},
    {"slurm", is_slurm, "*scontrol*", host_parse_slurm, 0},
    {"script", is_script, "*.sh|*.sbatch|*.slurm|*docker-run*|*docker_run*", host_parse_script, 0},
    {"kubernetes", is_kubernetes, "*.yaml|*.yml", host_parse_kubernetes, 0},
    {"traceback", is_traceback, "*traceback*|slurm-*.out|*.err", host_parse_log, 0},
    {"ibstat", is_ibstat, "*ibstat*|*ibv_devinfo*|*ibv-devinfo*", host_parse_ibstat, 0},
    {"rdma link", is_rdma_link, "*rdma-link*|rdma link*", host_parse_rdma_link, 0},
    {"show_gids", is_gids, "*show_gids*|*show-gids*", host_parse_gids, 0},
    {"mlxconfig", is_mlxconfig, "*mlxconfig*", host_parse_mlxconfig, 0},
    {"ip", is_ip, "ip-*|ip_*|ip link*|ip a*", host_parse_ip, 0},
    {"ethtool", is_ethtool, "*ethtool*", host_parse_ethtool, 0},
    {"numactl", is_numactl, "*numactl*", host_parse_numactl, 0},
    {"meminfo", is_meminfo, "*meminfo*", host_parse_meminfo, 0},
    {"transparent huge pages", is_thp, "*transparent_hugepage*|*thp*", host_parse_thp, 0},
    {"proc stat", is_proc_stat, "proc-stat*|proc_stat*|*proc/stat", host_parse_proc_stat, 0},
    {"uptime", NULL, "proc-uptime*|proc_uptime*|*proc/uptime", host_parse_uptime, 0},
    {"cpuinfo", is_cpuinfo, "*cpuinfo*", host_parse_cpuinfo, 0},
    {"status", is_status, "*proc*status*", host_parse_status, 0},
    {"lscpu", is_lscpu, "*lscpu*", host_parse_lscpu, 0},
    {"os-release", is_os_release, "*os-release*|*os_release*", host_parse_os_release, 0},
    {"governors", NULL, "*governor*", host_parse_governors, 0},
    {"kernel configuration", is_kernel_config, "config-*|*kconfig*|*kernel-config*",
     host_parse_kernel_config, 0},
    {"dkms", NULL, "*dkms*", host_parse_dkms, 0},
    {"modprobe.d", NULL, "modprobe*|blacklist*|*modprobe.d*", host_parse_modprobe, 0},
    {"maps", is_maps, "*maps*|*ldd*", host_parse_maps, 0},
    {"torch version", is_torch, "version.py|*torch-version*", host_parse_torch, 0},
    {"cmdline", is_cmdline, "*cmdline*", host_parse_cmdline, 0},
    {"id", is_id, "id.*|id|groups*|*_id.*", host_parse_id, 0},
    {"limits", is_limits, "*ulimit*|*limits*", host_parse_limits, 0},
    {"df", is_df, "df*", host_parse_df, 0},
    {"ls", is_ls, "ls-*|ls_*|ls *", host_parse_ls, 0},
    {"environment", NULL, "env*|printenv*|*.env|*environ*", host_parse_env, 0},
    {"sysctl", NULL, "*numa_balancing*|*sysctl*", host_parse_sysctl, 0},
    {"targets", NULL, "*arch-list*|*arch_list*|*targets*", host_parse_targets, 0},
    {"packages", NULL, "packages.txt|pip*|*requirements*.txt", host_parse_packages, 0},
    {"systemctl", is_systemctl, "*fabricmanager*|*fabric-manager*|*systemctl*",
     host_parse_systemctl, 0},
    {"driver", NULL, "driver.txt|*driver-version*", host_parse_driver, 0},
    {"parts", NULL, "gpu.txt|gpus.txt", host_parse_note, 0},
    {"counts", NULL, "*count*", host_parse_counts, 0},
    {"ofed_info", NULL, "*ofed*", host_parse_ofed, 0},
    {"uname", NULL, "*uname*|*osrelease*", host_parse_uname, 0},
    {"RDMA ports", NULL, "*ib-ports*|*infiniband*", host_parse_ports, 0},
    {"log", NULL, "*dmesg*|*journal*|*.log|*rccl*|*nccl*|app*|*kern*", host_parse_log, 0},
};
const uint32_t host_parse_table_n = sizeof host_parse_table / sizeof host_parse_table[0];
