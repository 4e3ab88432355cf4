/* Texts about processors, memory, the kernel and its modules. */
#include <math.h>

#include "host_fixture.h"

static void test_meminfo(void **state) {
    const assay_host_t *host =
        HOST(state, "proc-meminfo.txt",
             "MemTotal:       2113466668 kB\nMemFree:        2031144320 kB\n"
             "MemAvailable:   2060324864 kB\nUnevictable:       30880 kB\nPageTables:  94688 kB\n"
             "HugePages_Total:    1024\nHugePages_Free:     1000\nHugepagesize:       2048 kB\n");
    assay_test_close(host->ram_bytes.v, 2113466668.0 * 1024, 0, 0, "total");
    assay_test_close(host->ram_free_bytes.v, 2060324864.0 * 1024, 0, 0, "available");
    assay_test_close(host->ram_pinned_bytes.v, 30880.0 * 1024, 0, 0, "pinned");
    assay_test_close(host->page_table_bytes.v, 94688.0 * 1024, 0, 0, "page tables");
    assay_test_close(host->huge_pages.v, 1024, 0, 0, "huge pages");
    assay_test_close(host->huge_pages_free.v, 1000, 0, 0, "free huge pages");
    assay_test_close(host->huge_page_bytes.v, 2048 * 1024, 0, 0, "size of a huge page");
    assert_int_equal(host->ram_free_bytes.at.line, 3);
}

static void test_huge_pages(void **state) {
    assert_string_equal(HOST(state, "thp.txt", "always [madvise] never\n")->thp.s, "madvise");
    assert_string_equal(HOST(state, "a.txt", "always madvise [never]\n")->thp.s, "never");
    assert_null(HOST(state, "a.txt", "always\n")->thp.s);
}

/* 10 of 1000 ticks are stolen; guest time, the ninth number, is in user time already. */
static void test_steal(void **state) {
    const assay_host_t *host = HOST(
        state, "proc-stat.txt", "cpu  100 0 90 700 50 20 30 10 55 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");
    assay_test_close(host->steal.v, 0.01, 1e-12, 0, "steal");
    assert_int_equal(HOST(state, "proc-stat.txt", "cpu  1 2\ncpu0 1\n")->steal.state,
                     ASSAY_HOST_UNSEEN);
}

static void test_cpuinfo(void **state) {
    const assay_host_t *host =
        HOST(state, "cpuinfo.txt",
             "processor\t: 0\nmodel name\t: AMD EPYC 9654 96-Core Processor\nsiblings\t: 192\n"
             "cpu cores\t: 96\nflags\t\t: fpu vme x2apic hypervisor lahf_lm\n");
    assert_string_equal(host->cpu.s, "AMD EPYC 9654 96-Core Processor");
    assay_test_close(host->smt.v, 1, 0, 0, "smt");
    assert_string_equal(host->hypervisor.s, "a hypervisor");
    const assay_host_t *bare = HOST(
        state, "cpuinfo.txt", "processor\t: 0\nsiblings\t: 96\ncpu cores\t: 96\nflags\t: fpu\n");
    assay_test_close(bare->smt.v, 0, 0, 0, "smt");
    assert_string_equal(bare->hypervisor.s, "none");
}

/* The same machine in English, in German, and as JSON. */
static void test_lscpu(void **state) {
    const assay_host_t *const host[] = {
        HOST(state, "lscpu.txt",
             "Architecture:            x86_64\nCPU(s):                  192\n"
             "Thread(s) per core:      1\nSocket(s):               2\n"
             "Model name:              AMD EPYC 9654 96-Core Processor\n"
             "NUMA node(s):            2\nNUMA node0 CPU(s):       0-95\n"
             "NUMA node1 CPU(s):       96-191\n"),
        HOST(state, "lscpu.txt",
             "Architektur:             x86_64\nCPU(s):                  192\n"
             "Thread(s) pro Kern:      1\nSockel:                  2\n"
             "Modellname:              AMD EPYC 9654 96-Core Processor\n"
             "NUMA-Knoten:             2\nNUMA-Knoten0 CPU(s):     0-95\n"
             "NUMA-Knoten1 CPU(s):     96-191\n"),
        HOST(state, "lscpu.json",
             "{\"lscpu\": [{\"field\": \"CPU(s):\", \"data\": \"192\"},\n"
             "{\"field\": \"Model name:\", \"data\": \"AMD EPYC 9654 96-Core Processor\",\n"
             "\"children\": [{\"field\": \"Thread(s) per core:\", \"data\": \"1\"},\n"
             "{\"field\": \"Socket(s):\", \"data\": \"2\"}]},\n"
             "{\"field\": \"NUMA node(s):\", \"data\": \"2\"},\n"
             "{\"field\": \"NUMA node0 CPU(s):\", \"data\": \"0-95\"},\n"
             "{\"field\": \"NUMA node1 CPU(s):\", \"data\": \"96-191\"}]}\n")};
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++) {
        assay_test_close(host[i]->threads.v, 192, 0, 0, "threads");
        assay_test_close(host[i]->sockets.v, 2, 0, 0, "sockets");
        assay_test_close(host[i]->numa_nodes.v, 2, 0, 0, "NUMA nodes");
        assay_test_close(host[i]->smt.v, 0, 0, 0, "smt");
        assert_string_equal(host[i]->cpu.s, "AMD EPYC 9654 96-Core Processor");
        assert_int_equal(host[i]->n_numa, 2);
        assert_string_equal(host[i]->numa[1].cpus, "96-191");
    }
}

static void test_governors(void **state) {
    const assay_host_t *host =
        HOST(state, "scaling_governor.txt", "performance\nschedutil\nschedutil\nperformance\n");
    assert_string_equal(host->governor.s, "schedutil");
    assert_int_equal(host->governor.at.line, 2);
    assay_test_close(host->governor_others.v, 2, 0, 0, "others");
    assert_string_equal(HOST(state, "scaling_governor.txt", "performance\n")->governor.s,
                        "performance");
}

static void test_status_and_limits(void **state) {
    const assay_host_t *host =
        HOST(state, "proc-self-status.txt",
             "Name:\tpython\nGid:\t1000\t1000\t1000\t1000\nGroups:\t44 109 1000 \nSeccomp:\t2\n"
             "Cpus_allowed_list:\t0-47,96-143\n",
             "limits.txt",
             "Limit                     Soft Limit           Hard Limit           Units     \n"
             "Max processes             96365                96365                processes \n"
             "Max open files            1024                 1048576              files     \n"
             "Max locked memory         unlimited            unlimited            bytes     \n");
    assay_test_close(host->seccomp.v, 2, 0, 0, "seccomp");
    assert_string_equal(host->cpus_allowed.s, "0-47,96-143");
    assert_true(host->groups_seen);
    assert_int_equal(host->n_group, 7);
    assay_test_close(host->files_limit.v, 1024, 0, 0, "files");
    assay_test_close(host->processes_limit.v, 96365, 0, 0, "processes");
    assert_true(isinf(host->locked_bytes.v));
    const assay_host_t *shell = HOST(state, "ulimit.txt",
                                     "max locked memory           (kbytes, -l) 64\n"
                                     "open files                          (-n) 1024\n"
                                     "max user processes                  (-u) unlimited\n");
    assay_test_close(shell->locked_bytes.v, 65536, 0, 0, "locked");
    assay_test_close(shell->files_limit.v, 1024, 0, 0, "files");
    assert_true(isinf(shell->processes_limit.v));
}

static void test_kernel_config(void **state) {
    const assay_host_t *host =
        HOST(state, "config-6.8.0-45-generic",
             "CONFIG_PCI_P2PDMA=y\n# CONFIG_HSA_AMD_P2P is not set\nCONFIG_USB=y\n");
    assert_int_equal(host->n_config, 2);
    assert_string_equal(host->config[0].name, "CONFIG_PCI_P2PDMA");
    assert_string_equal(host->config[1].name, "CONFIG_HSA_AMD_P2P");
    assert_string_equal(host->config[1].value, "n");
}

static void test_modprobe(void **state) {
    const assay_host_t *host = HOST(state, "modprobe.txt",
                                    "blacklist nouveau\nblacklist snd\noptions amdgpu noretry=0 "
                                    "sched_policy=1\n");
    assert_int_equal(host->n_config, 3);
    assert_string_equal(host->config[0].value, "nouveau");
    assert_string_equal(host->config[2].name, "options amdgpu.sched_policy");
    assert_string_equal(host->config[2].value, "1");
}

/* The forms of dkms 3 and of dkms 2. */
static void test_dkms(void **state) {
    const assay_host_t *host =
        HOST(state, "dkms-status.txt",
             "amdgpu/6.10.5-2109964.22.04, 6.8.0-45-generic, x86_64: installed (original_module "
             "exists)\n"
             "amdgpu, 5.18.13, 5.15.0-25-generic, x86_64: built\nnvidia/550.54.15: added\n"
             "virtualbox/7.0: added\n");
    assert_int_equal(host->n_dkms, 3);
    assert_string_equal(host->dkms[0].version, "6.10.5-2109964.22.04");
    assert_string_equal(host->dkms[0].path, "6.8.0-45-generic");
    assert_string_equal(host->dkms[0].state, "installed");
    assert_string_equal(host->dkms[1].version, "5.18.13");
    assert_string_equal(host->dkms[1].path, "5.15.0-25-generic");
    assert_null(host->dkms[2].path);
    assert_string_equal(host->dkms[2].state, "added");
}

static void test_maps(void **state) {
    const assay_host_t *host =
        HOST(state, "maps.txt",
             "7f00-7f01 r-xp 00000000 08:01 1 /opt/rocm-6.1.0/lib/libamdhip64.so.6.1.60100\n"
             "7f02-7f03 r--p 00000000 08:01 1 /opt/rocm-6.1.0/lib/libamdhip64.so.6.1.60100\n"
             "7f04-7f05 r-xp 00000000 08:01 2 /usr/lib/libc.so.6\n",
             "ldd.txt",
             "\tlinux-vdso.so.1 (0x0)\n\tlibrccl.so.1 => /opt/rocm-6.3.1/lib/librccl.so.1 (0x0)\n"
             "\tlibrocblas.so.4 => not found\n");
    assert_int_equal(host->n_library, 2);
    assert_string_equal(host->library[0].kind, "librccl.so.1");
    assert_string_equal(host->library[0].version, "6.3.1");
    assert_string_equal(host->library[1].version, "6.1.0");
    assert_string_equal(host->library[1].path, "/opt/rocm-6.1.0/lib/libamdhip64.so.6.1.60100");
}

static void test_torch(void **state) {
    const assay_host_t *host = HOST(state, "version.py",
                                    "from typing import Optional\n__all__ = ['__version__']\n"
                                    "__version__ = '2.4.1+rocm6.1'\ndebug = False\n"
                                    "cuda: Optional[str] = None\n"
                                    "hip: Optional[str] = '6.1.40091-a8dbc0c19'\n");
    assert_string_equal(host->framework.s, "torch 2.4.1+rocm6.1");
    assert_int_equal(host->framework.at.line, 3);
    assert_int_equal(host->n_tree, 1);
    assert_string_equal(host->tree[0].state, "HIP 6.1.40091-a8dbc0c19");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_meminfo),
                                       cmocka_unit_test(test_huge_pages),
                                       cmocka_unit_test(test_steal),
                                       cmocka_unit_test(test_cpuinfo),
                                       cmocka_unit_test(test_lscpu),
                                       cmocka_unit_test(test_governors),
                                       cmocka_unit_test(test_status_and_limits),
                                       cmocka_unit_test(test_kernel_config),
                                       cmocka_unit_test(test_modprobe),
                                       cmocka_unit_test(test_dkms),
                                       cmocka_unit_test(test_maps),
                                       cmocka_unit_test(test_torch)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
