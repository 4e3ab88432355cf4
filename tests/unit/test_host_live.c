/* Reading of /proc and /sys below a root that the test makes. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/host_parse.h"
#include "host/host_worker.h"
#include "host_fixture.h"

static char root[256];

static void make_root(void) {
    const char *tmp = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/assay-root-XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(root));
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw) {
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

static void remove_root(void) {
    assert_int_equal(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* The path below root, its directories made. */
static const char *below(const char *path) {
    static char full[512];
    char *slash;
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *at = full + strlen(root) + 1; (slash = strchr(at, '/')); at = slash + 1) {
        *slash = '\0';
        (void)mkdir(full, 0700);
        *slash = '/';
    }
    return full;
}

static void put_bytes(const char *path, const void *data, size_t n) {
    const int fd = open(below(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, n), n);
    assert_int_equal(close(fd), 0);
}

static void put(const char *path, const char *text) {
    put_bytes(path, text, strlen(text));
}

static void put_link(const char *path, const char *target) {
    assert_int_equal(symlink(target, below(path)), 0);
}

static assay_host_t *read_live(void **state, const char *const *environment) {
    const host_fixture_t *fixture = *state;
    assay_host_t *host = NULL;
    assay_error_t err = {0};
    assert_int_equal(
        assay_host_read_live(fixture->arena, fixture->rules, root, environment, &host, &err),
        ASSAY_OK);
    return host;
}

static assay_host_t *read_copy(void **state) {
    const host_fixture_t *fixture = *state;
    const char *const path[] = {root};
    assay_host_t *host = NULL;
    assert_int_equal(assay_host_read_capture(fixture->arena, fixture->rules, path, 1, &host, NULL),
                     ASSAY_OK);
    return host;
}

#define GPU0 "sys/bus/pci/devices/0000:47:00.0/"

static void test_root_with_a_fifo(void **state) {
    make_root();
    put("proc/cmdline", "BOOT_IMAGE=/vmlinuz iommu=pt\n");
    put("proc/sys/kernel/numa_balancing", "1\n");
    put(GPU0 "vendor", "0x1002\n");
    put(GPU0 "device", "0x74a1\n");
    put(GPU0 "class", "0x120000\n");
    put(GPU0 "hwmon/hwmon3/power1_cap", "750000000\n");
    put(GPU0 "ras/umc_err_count", "ue: 2\nce: 5\n");
    assert_int_equal(mkfifo(below("proc/modules"), 0600), 0);
    assert_int_equal(mkfifo(below(GPU0 "gpu_busy_percent"), 0600), 0);
    assert_int_equal(mkdir(below(GPU0 "mem_busy_percent"), 0700), 0);
    const assay_host_t *host = read_live(state, NULL);
    assert_string_equal(host->cmdline.s, "BOOT_IMAGE=/vmlinuz iommu=pt");
    assert_string_equal(host->cmdline.at.file, "/proc/cmdline");
    assay_test_close(host->numa_balancing.v, 1, 0, 0, "numa_balancing");
    assert_int_equal(host->n_gpu, 1);
    assay_test_close(host->gpu[0].power_cap_w.v, 750, 1e-12, 0, "cap");
    assay_test_close(host->gpu[0].ras_uncorrectable.v, 2, 0, 0, "uncorrectable");
    assert_int_equal(host->gpu[0].gfx_busy.state, ASSAY_HOST_UNREADABLE);
    assert_int_equal(host->gpu[0].mem_busy.state, ASSAY_HOST_UNREADABLE);
    assert_false(host->env_seen);
    assert_int_equal(host->n_module, 0);
    bool told = false;
    for (uint32_t i = 0; i < host->n_source; i++) {
        told |= strcmp(host->source[i].file, "/proc/modules") == 0 && host->source[i].reason;
    }
    assert_true(told);
    remove_root();
}

static void test_no_such_root(void **state) {
    const host_fixture_t *fixture = *state;
    assay_host_t *host = NULL;
    assay_error_t err = {0};
    assert_int_equal(
        assay_host_read_live(fixture->arena, fixture->rules, "/no/such/root", NULL, &host, &err),
        ASSAY_IO);
    assert_non_null(strstr(err.file, "/no/such/root"));
}

/* --- the child that does what may hang ------------------------------------------------------- */

/* A file system that never answers for one path. */
static void serve_or_hang(int fd, const host_request_t *request, host_reply_t *reply, char *data) {
    (void)fd;
    if (strcmp(request->path, "hangs") == 0) {
        for (;;) {
            (void)pause();
        }
    }
    if (strcmp(request->path, "dies") == 0) {
        _exit(1);
    }
    reply->n = (uint64_t)snprintf(data, request->most, "of %s", request->path);
}

static host_reply_t call(host_worker_t *worker, const char *path, const char **data) {
    host_request_t request = {.kind = 0, .most = 64};
    host_reply_t reply;
    snprintf(request.path, sizeof request.path, "%s", path);
    host_worker_call(worker, &request, 0.1, &reply, data);
    return reply;
}

static void test_a_request_that_hangs(void **state) {
    (void)state;
    const char *data;
    struct timespec from, to;
    host_worker_t *worker = host_worker_create(serve_or_hang, STDERR_FILENO, 64);
    assert_non_null(worker);
    host_reply_t reply = call(worker, "a", &data);
    assert_int_equal(reply.error, 0);
    assert_int_equal(reply.n, 4);
    assert_memory_equal(data, "of a", 4);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &from), 0);
    assert_int_equal(call(worker, "hangs", &data).error, ETIMEDOUT);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &to), 0);
    assert_true(to.tv_sec - from.tv_sec < 5);
    reply = call(worker, "b", &data); /* another child answers */
    assert_int_equal(reply.error, 0);
    assert_memory_equal(data, "of b", 4);
    assert_int_equal(call(worker, "dies", &data).error, EPIPE);
    assert_int_equal(call(worker, "c", &data).error, 0);
    host_worker_destroy(worker);
    host_worker_destroy(NULL);
}

/* --- a copy of somebody's root --------------------------------------------------------------- */

/* Links of a copy lead inside it: its /etc/os-release is not ours, and ".." ends at its top. */
static void test_links_stay_inside(void **state) {
    make_root();
    put("proc/cmdline", "quiet\n");
    put("usr/lib/os-release", "ID=ubuntu\nVERSION_ID=\"22.04\"\n");
    put_link("etc/os-release", "/usr/lib/os-release");
    put_link("proc/uptime", "../../../../../../../../proc/uptime");
    const assay_host_t *host = read_copy(state);
    assert_string_equal(host->os.s, "ubuntu");
    assert_string_equal(host->os_version.s, "22.04");
    assert_false(assay_host_known(host->uptime_s.state)); /* a link to itself, not ours */
    remove_root();
}

/* --- one accelerator, as the drivers show it ------------------------------------------------- */

static void put_gpu(void) {
    put(GPU0 "uevent", "DRIVER=amdgpu\nPCI_CLASS=120000\nPCI_ID=1002:74A1\n");
    put(GPU0 "current_link_width", "16\n");
    put(GPU0 "max_link_width", "16\n");
    put(GPU0 "current_link_speed", "32.0 GT/s PCIe\n");
    put(GPU0 "numa_node", "0\n");
    put(GPU0 "local_cpulist", "0-95\n");
    put(GPU0 "aer_dev_correctable", "RxErr 3\nBadTLP 0\nTOTAL_ERR_COR 3\n");
    put(GPU0 "resource", "0x0000010000000000 0x0000013fffffffff 0x000000000014220c\n"
                         "0x00000000a0000000 0x00000000a01fffff 0x000000000014220c\n");
    put(GPU0 "power/runtime_status", "active\n");
    put(GPU0 "pp_dpm_sclk", "0: 132Mhz *\n1: 500Mhz\n2: 2100Mhz\n");
    put(GPU0 "pp_dpm_fclk", "0: 1200Mhz\n1: 2000Mhz *\n");
    put(GPU0 "fw_version/smc_fw_version", "0x00556d00\n");
    put(GPU0 "fw_version/vcn_fw_version", "0x09118010\n");
    put(GPU0 "ras/gpu_vram_bad_pages",
        "0x0001fee0 : 0x00001000 : R\n0x0001fee1 : 0x00001000 : P\n");
    put(GPU0 "xgmi_error", "0\n");
}

static void test_amdgpu(void **state) {
    make_root();
    put("proc/cmdline", "quiet\n");
    put_gpu();
    const assay_host_t *host = read_live(state, NULL);
    assert_int_equal(host->n_gpu, 1);
    const assay_host_gpu_t *gpu = &host->gpu[0];
    assert_string_equal(gpu->bdf.s, "0000:47:00.0");
    assert_string_equal(gpu->driver.s, "amdgpu");
    assay_test_close(gpu->device_id.v, 0x74a1, 0, 0, "device");
    assay_test_close(gpu->pcie_gt_s.v, 32, 0, 0, "speed");
    assay_test_close(gpu->aer_correctable.v, 3, 0, 0, "aer");
    assay_test_close(gpu->bar_bytes.v, 274877906944.0, 0, 0, "256 GiB window");
    assert_string_equal(gpu->local_cpus.s, "0-95");
    assay_test_close(gpu->gfx_hz.v, 132e6, 0, 0, "clock");
    assay_test_close(gpu->gfx_hz_max.v, 2100e6, 0, 0, "highest clock");
    assay_test_close(gpu->gfx_levels.v, 3, 0, 0, "levels");
    assay_test_close(gpu->fabric_hz.v, 2000e6, 0, 0, "fabric clock");
    assay_test_close(gpu->bad_pages.v, 2, 0, 0, "bad pages");
    assert_string_equal(gpu->firmware.s, "0x00556d00");
    assert_int_equal(host->n_firmware, 2);
    assert_string_equal(host->firmware[1].kind, "vcn");
    assert_string_equal(host->firmware[1].path, "0000:47:00.0");
    remove_root();
}

/* Sensors of a device that sleeps are not touched: that would wake it. */
static void test_a_device_that_sleeps(void **state) {
    make_root();
    put_gpu();
    put("proc/cmdline", "quiet\n");
    put(GPU0 "power/runtime_status", "suspended\n");
    const assay_host_t *host = read_live(state, NULL);
    assert_string_equal(host->gpu[0].runtime.s, "suspended");
    assert_int_equal(host->gpu[0].gfx_hz.state, ASSAY_HOST_UNSEEN);
    assert_int_equal(host->gpu[0].pcie_width.state, ASSAY_HOST_UNSEEN);
    remove_root();
}

/* Capability 0x10 at 0x40: device control 0x5936 (read requests of 4096 bytes: 128 << 5, relaxed
   ordering on), ACS at 0x100 with request and completion redirect, ATS at 0x148 enabled. */
static void test_configuration_space(void **state) {
    unsigned char config[4096] = {0};
    config[0x06] = 0x10;
    config[0x34] = 0x40;
    config[0x40] = 0x10;
    config[0x48] = 0x36;
    config[0x49] = 0x59;
    config[0x100] = 0x0d;
    config[0x102] = 0x81; /* version 1, next 0x148 */
    config[0x103] = 0x14;
    config[0x106] = 0x0c;
    config[0x148] = 0x0f;
    config[0x14a] = 0x01;
    config[0x14f] = 0x80;
    make_root();
    put("proc/cmdline", "quiet\n");
    put("sys/bus/pci/devices/0000:41:00.0/uevent", "DRIVER=mlx5_core\nPCI_CLASS=20700\n"
                                                   "PCI_ID=15B3:1021\n");
    put_bytes("sys/bus/pci/devices/0000:41:00.0/config", config, sizeof config);
    const assay_host_t *host = read_live(state, NULL);
    assert_int_equal(host->n_pci, 1);
    const assay_host_pci_t *pci = &host->pci[0];
    assay_test_close(pci->read_request_bytes.v, 4096, 0, 0, "read request");
    assay_test_close(pci->relaxed.v, 1, 0, 0, "relaxed");
    assay_test_close(pci->acs_valid.v, 0, 0, 0, "source validation");
    assay_test_close(pci->acs_request.v, 1, 0, 0, "request redirect");
    assay_test_close(pci->acs_complete.v, 1, 0, 0, "completion redirect");
    assay_test_close(pci->ats.v, 1, 0, 0, "ATS");
    remove_root();
}

/* --- the compute driver ---------------------------------------------------------------------- */

#define NODE "sys/class/kfd/kfd/topology/nodes/"

static void test_kfd(void **state) {
    make_root();
    put("proc/cmdline", "quiet\n");
    put(NODE "0/gpu_id", "0\n");
    put(NODE "0/properties", "cpu_cores_count 96\nsimd_count 0\n");
    for (int i = 1; i <= 2; i++) {
        char path[128], text[256];
        snprintf(path, sizeof path, NODE "%d/properties", i);
        snprintf(text, sizeof text,
                 "cpu_cores_count 0\nsimd_count 1216\nsimd_per_cu 4\ngfx_target_version 90402\n"
                 "vendor_id 4098\ndevice_id 29857\nlocation_id %d\ndomain 0\nhive_id 77\n",
                 i << 8);
        put(path, text);
        snprintf(path, sizeof path, NODE "%d/gpu_id", i);
        snprintf(text, sizeof text, "%d\n", 1000 + i);
        put(path, text);
        snprintf(path, sizeof path, NODE "%d/mem_banks/0/properties", i);
        put(path, "heap_type 1\nsize_in_bytes 206141652992\n");
        snprintf(path, sizeof path, NODE "%d/caches/0/properties", i);
        put(path, "level 1\nsize 32\n");
        snprintf(path, sizeof path, NODE "%d/caches/1/properties", i);
        put(path, "level 2\nsize 4096\n");
        snprintf(path, sizeof path, NODE "%d/caches/2/properties", i);
        put(path, "level 3\nsize 262144\n");
        snprintf(path, sizeof path, NODE "%d/io_links/0/properties", i);
        put(path, "type 2\nnode_to 0\nweight 20\n");
        snprintf(path, sizeof path, NODE "%d/io_links/1/properties", i);
        snprintf(text, sizeof text, "type 11\nnode_to %d\nweight 15\nmax_bandwidth 64000\n", 3 - i);
        put(path, text);
    }
    put("sys/class/kfd/kfd/proc/42/vram_1001", "1073741824\n");
    put("sys/class/kfd/kfd/proc/42/vram_1002", "0\n");
    put("sys/class/kfd/kfd/proc/43/vram_1001", "1073741824\n");
    put("proc/42/comm", "python3\n");
    put("proc/42/maps", "7f00-7f01 r-xp 0 08:01 1 /opt/rocm-6.1.0/lib/libamdhip64.so.6\n");
    const assay_host_t *host = read_live(state, NULL);
    assert_int_equal(host->n_gpu, 2);
    assay_test_close(host->kfd_gpus.v, 2, 0, 0, "accelerators");
    assert_string_equal(host->gpu[0].bdf.s, "0000:01:00.0");
    assert_string_equal(host->gpu[0].target.s, "gfx942");
    assay_test_close(host->gpu[0].kfd_node.v, 1, 0, 0, "node");
    assay_test_close(host->gpu[1].kfd_gpu_id.v, 1002, 0, 0, "id");
    assay_test_close(host->gpu[0].vram_bytes.v, 206141652992.0, 0, 0, "memory");
    assay_test_close(host->gpu[0].l2_bytes.v, 4194304, 0, 0, "second level");
    assay_test_close(host->gpu[0].l3_bytes.v, 268435456, 0, 0, "third level");
    assay_test_close(host->gpu[0].vram_process_bytes.v, 2147483648.0, 0, 0, "held by processes");
    assert_int_equal(host->n_link, 1);
    assert_string_equal(host->link[0].type, "XGMI");
    assay_test_close(host->link[0].weight.v, 15, 0, 0, "weight");
    assay_test_close(host->link[0].bytes_per_s.v, 64e9, 0, 0, "rate");
    assert_int_equal(host->n_process, 2);
    assert_string_equal(host->process[0].name, "python3");
    assay_test_close(host->process[0].gpus.v, 2, 0, 0, "accelerators of a process");
    assert_int_equal(host->n_library, 1);
    assert_int_equal(host->library[0].pid, 42);
    remove_root();
}

/* --- the machine ----------------------------------------------------------------------------- */

static void test_processors_and_memory(void **state) {
    make_root();
    put("proc/cmdline", "quiet\n");
    for (int i = 0; i < 4; i++) {
        char path[128];
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/physical_package_id", i);
        put(path, i < 2 ? "0\n" : "1\n");
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", i);
        put(path, i == 3 ? "powersave\n" : "performance\n");
    }
    put("sys/devices/system/cpu/cpu0/cpuidle/state0/name", "POLL\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state0/latency", "0\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C1\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "1\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state1/disable", "0\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state2/name", "C2\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state2/latency", "800\n");
    put("sys/devices/system/cpu/cpu0/cpuidle/state2/disable", "1\n");
    put("sys/devices/system/node/node0/cpulist", "0-1\n");
    put("sys/devices/system/node/node0/meminfo",
        "Node 0 MemTotal:       1000 kB\nNode 0 MemFree:  10 kB\n");
    put("sys/devices/system/node/node1/cpulist", "2-3\n");
    put("sys/kernel/iommu_groups/0/type", "identity\n");
    put("sys/fs/cgroup/system.slice/nvidia-persistenced.service/cgroup.procs", "1\n");
    put("lib/systemd/system/nvidia-persistenced.service", "");
    put("lib/systemd/system/nvidia-fabricmanager.service", "");
    put("proc/self/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/job/memory.max", "68719476736\n");
    put("sys/fs/cgroup/job/step/memory.max", "max\n");
    put("sys/fs/cgroup/job/step/memory.current", "4096\n");
    put("sys/fs/cgroup/job/step/cpu.max", "200000 100000\n");
    put("sys/fs/cgroup/job/step/cpuset.cpus.effective", "0-1\n");
    const assay_host_t *host = read_live(state, NULL);
    assay_test_close(host->sockets.v, 2, 0, 0, "sockets");
    assay_test_close(host->threads.v, 4, 0, 0, "threads");
    assert_string_equal(host->governor.s, "powersave");
    assay_test_close(host->governor_others.v, 1, 0, 0, "others");
    assert_string_equal(host->idle_state.s, "C1"); /* C2 is off */
    assay_test_close(host->idle_exit_s.v, 1e-6, 1e-12, 0, "latency");
    assay_test_close(host->numa_nodes.v, 2, 0, 0, "NUMA nodes");
    assert_string_equal(host->numa[1].cpus, "2-3");
    assay_test_close(host->numa[0].bytes.v, 1024000, 0, 0, "memory of a node");
    assay_test_close(host->iommu_groups.v, 1, 0, 0, "IOMMU groups");
    assay_test_close(host->memory_limit_bytes.v, 68719476736.0, 0, 0, "the parent's limit");
    assay_test_close(host->memory_used_bytes.v, 4096, 0, 0, "used");
    assay_test_close(host->cpu_limit.v, 2, 0, 0, "quota");
    assert_string_equal(host->cgroup_cpus.s, "0-1");
    assert_string_equal(host->fabric_manager.s, "inactive");
    assert_int_equal(host->n_service, 2);
    assert_string_equal(host->service[1].state, "active");
    remove_root();
}

static void test_first_version_of_cgroups(void **state) {
    make_root();
    put("proc/self/cgroup", "5:memory:/docker/abc\n3:cpuset:/\n2:cpu,cpuacct:/docker/abc\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n"); /* the mount is our group */
    put("sys/fs/cgroup/cpuset/cpuset.cpus", "0-3\n");
    put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    const assay_host_t *host = read_live(state, NULL);
    assay_test_close(host->memory_limit_bytes.v, 1073741824, 0, 0, "limit");
    assert_true(isinf(host->cpu_limit.v));
    assert_string_equal(host->cgroup_cpus.s, "0-3");
    assert_string_equal(host->container.s, "docker");
    remove_root();
}

/* --- network --------------------------------------------------------------------------------- */

#define PORT "sys/class/infiniband/mlx5_0/ports/1/"

static void test_rdma(void **state) {
    make_root();
    put("proc/cmdline", "quiet\n");
    put(PORT "state", "4: ACTIVE\n");
    put(PORT "phys_state", "5: LinkUp\n");
    put(PORT "rate", "400 Gb/sec (4X NDR)\n");
    put(PORT "link_layer", "Ethernet\n");
    put(PORT "counters/link_downed", "2\n");
    put(PORT "gids/0", "fe80:0000:0000:0000:ba3f:d2ff:fe00:0001\n");
    put(PORT "gids/3", "0000:0000:0000:0000:0000:ffff:0a00:0001\n");
    put(PORT "gids/4", "0000:0000:0000:0000:0000:0000:0000:0000\n");
    put(PORT "gid_attrs/types/0", "IB/RoCE v1\n");
    put(PORT "gid_attrs/types/3", "RoCE v2\n");
    put(PORT "gid_attrs/ndevs/0", "eth2\n");
    put("sys/class/net/eth2/mtu", "9000\n");
    put("sys/class/net/eth2/operstate", "up\n");
    put("sys/class/net/eth2/speed", "400000\n");
    put("sys/class/infiniband/mlx5_0/fw_ver", "28.39.1002\n");
    const assay_host_t *host = read_live(state, NULL);
    assert_int_equal(host->n_port, 1);
    const assay_host_port_t *port = &host->port[0];
    assert_string_equal(port->state, "ACTIVE");
    assert_string_equal(port->physical, "LinkUp");
    assert_string_equal(port->interface, "eth2");
    assert_string_equal(port->firmware, "28.39.1002");
    assay_test_close(port->bits_per_s.v, 400e9, 0, 0, "rate");
    assay_test_close(port->mtu_bytes.v, 9000, 0, 0, "mtu");
    assay_test_close(port->link_downed.v, 2, 0, 0, "downed");
    assert_int_equal(host->n_gid, 2);
    assert_string_equal(host->gid[1].type, "RoCE v2");
    assert_int_equal(host->gid[1].index, 3);
    assert_int_equal(host->n_interface, 1);
    assay_test_close(host->interface[0].bits_per_s.v, 400e9, 0, 0, "speed");
    remove_root();
}

/* --- software -------------------------------------------------------------------------------- */

static void test_trees_side_by_side(void **state) {
    static const char *const environment[] = {"VIRTUAL_ENV=/home/u/env", NULL};
    make_root();
    put("proc/sys/kernel/osrelease", "6.8.0-45-generic\n");
    put("opt/rocm-6.1.0/.info/version", "6.1.0-82\n");
    put("opt/rocm-6.3.1/.info/version", "6.3.1-48\n");
    put("opt/rocm-6.3.1/lib/rocblas/library/Kernels.so-000-gfx942.hsaco", "");
    put("opt/rocm-6.3.1/lib/rocblas/library/Kernels.so-000-gfx90a-xnack-.hsaco", "");
    put("opt/rocm-6.3.1/lib/rocblas/library/TensileLibrary_lazy_gfx942.dat", "");
    put("opt/rocm-5.7.0/left", "");
    put_link("opt/rocm", "/etc/alternatives/rocm");
    put_link("etc/alternatives/rocm", "/opt/rocm-6.1.0");
    put("usr/local/cuda-12.4/version.json", "{\"cuda\": {\"name\": \"CUDA SDK\",\n"
                                            "  \"version\": \"12.4.1\"}}\n");
    put("lib/modules/6.8.0-45-generic/modules.dep",
        "kernel/lib/x.ko:\nupdates/dkms/amdgpu.ko.zst: updates/dkms/amdttm.ko.zst\n");
    put("var/lib/dkms/amdgpu/6.10.5/6.8.0-45-generic/x86_64/log", "");
    put_link("var/lib/dkms/amdgpu/kernel-6.8.0-45-generic-x86_64", "6.10.5/6.8.0-45-generic");
    put("sys/module/amdgpu/parameters/noretry", "-1\n");
    put("home/u/env/lib/python3.10/site-packages/torch/version.py",
        "__version__ = '2.4.1+rocm6.1'\nhip = '6.1.40091'\n");
    put("home/u/env/lib/python3.10/site-packages/torch/lib/rocblas/library/x_gfx1030.dat", "");
    put("home/u/env/lib/python3.10/site-packages/vllm-0.6.3.dist-info/METADATA", "");
    const assay_host_t *host = read_live(state, environment);
    assert_int_equal(host->n_tree, 4);
    assert_string_equal(host->tree[0].path, "/opt/rocm-6.1.0");
    assert_string_equal(host->tree[0].version, "6.1.0-82");
    assert_string_equal(host->tree[0].state, "selected");
    assert_null(host->tree[1].state);
    assert_string_equal(host->rocm.s, "6.1.0-82");
    assert_string_equal(host->cuda_toolkit.s, "12.4.1");
    assert_string_equal(host->tree[3].kind, "torch");
    assert_string_equal(host->framework.s, "torch 2.4.1+rocm6.1");
    assert_string_equal(host->build_targets.s, "gfx1030"); /* the framework's own */
    assert_string_equal(host->library[0].state, "gfx90a gfx942");
    assert_string_equal(host->amdgpu_file.s,
                        "/lib/modules/6.8.0-45-generic/updates/dkms/amdgpu.ko.zst");
    assert_int_equal(host->amdgpu_file.at.line, 2);
    assert_int_equal(host->n_dkms, 1);
    assert_string_equal(host->dkms[0].state, "installed");
    assert_int_equal(host->n_module_parameter, 1);
    assert_string_equal(host->module_parameter[0].name, "amdgpu.noretry");
    assert_int_equal(host->n_package, 1);
    assert_string_equal(host->package[0].value, "0.6.3");
    remove_root();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_root_with_a_fifo),
                                       cmocka_unit_test(test_no_such_root),
                                       cmocka_unit_test(test_a_request_that_hangs),
                                       cmocka_unit_test(test_links_stay_inside),
                                       cmocka_unit_test(test_amdgpu),
                                       cmocka_unit_test(test_a_device_that_sleeps),
                                       cmocka_unit_test(test_configuration_space),
                                       cmocka_unit_test(test_kfd),
                                       cmocka_unit_test(test_processors_and_memory),
                                       cmocka_unit_test(test_first_version_of_cgroups),
                                       cmocka_unit_test(test_rdma),
                                       cmocka_unit_test(test_trees_side_by_side)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
