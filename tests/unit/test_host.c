#include "assay/host.h"

#include <math.h>
#include <stdio.h>

#include "host/host_parse.h"
#include "host_fixture.h"

/* --- values ---------------------------------------------------------------------------------- */

static void test_quantities(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool binary;
        double value;
    } row[] = {{"750.0W", false, 750},
               {"32 GT/s", false, 32},
               {"65520 MiB", false, 65520.0 * 1048576},
               {"38.0\xc2\xb0"
                "C",
                false, 38},
               {"132Mhz", false, 132e6},
               {"85 %", false, 0.85},
               {"64289 MB", true, 64289.0 * 1048576},
               {"64289 MB", false, 64289e6},
               {"32000 MT/s", false, 32},
               {"0x74a1", false, 29857},
               {"400 Gb/sec", false, 50e9},
               {"-1", false, -1}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double value = 0;
        assert_true(host_quantity(host_span(row[i].text), row[i].binary, &value));
        assay_test_close(value, row[i].value, 1e-12, 0, row[i].text);
    }
    double value;
    assert_false(host_quantity(host_span("12 parsecs"), false, &value));
    assert_false(host_quantity(host_span("N/A"), false, &value));
    assert_true(host_is_missing(host_span(" [Not Supported] ")));
}

static void test_addresses(void **state) {
    const host_fixture_t *fixture = *state;
    host_parse_t parse = {.arena = fixture->arena};
    static const struct {
        const char *text, *bdf;
    } row[] = {{"c1:00.0", "0000:c1:00.0"},
               {"0000:C1:00.0", "0000:c1:00.0"},
               {"00000001:00:00.0", "0001:00:00.0"},
               {"PCI:0000:9b:00", "0000:9b:00.0"},
               {"10000:01:02.7 rest", "10000:01:02.7"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_string_equal(host_bdf(&parse, host_span(row[i].text)), row[i].bdf);
    }
    static const char *const none[] = {"12:34:56", "12:34",    "0000:05:20.0",
                                       "",         "c1:00.0x", "c1:00.8"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_null(host_bdf(&parse, host_span(none[i])));
    }
}

static void test_names(void **state) {
    (void)state;
    assert_true(host_name_matches("*lsmod*|proc/modules", "LSMOD.txt"));
    assert_true(host_name_matches("*lsmod*|proc/modules", "proc/modules"));
    assert_false(host_name_matches("*lsmod*|proc/modules", "modules"));
    assert_false(host_name_matches("", "a"));
}

/* --- cleaning and splitting ------------------------------------------------------------------ */

static void test_clean(void **state) {
    const host_fixture_t *fixture = *state;
    static const char text[] = "\xef\xbb\xbf\x1b[31mred\x1b[0m\r\nold\rnew\0x\xff\x1b]0;title\ay";
    size_t n;
    const char *clean = host_clean(fixture->arena, text, sizeof text - 1, &n);
    assert_string_equal(clean, "red\nold\nnew x?y");
    assert_int_equal(n, strlen(clean));
}

static void test_sections(void **state) {
    const assay_host_t *host =
        HOST(state, "all.txt",
             "$ lsmod\nModule Size Used by\nnouveau 1 0\n"
             "root@host:~# cat /proc/cmdline\nBOOT_IMAGE=/vmlinuz ro quiet\n"
             "[root@n1 ~]# cat /proc/sys/kernel/numa_balancing\n1\n"
             "==> dmesg.txt <==\n[    1.0] NVRM: GPU at PCI:0000:9b:00 has fallen off the bus.\n");
    assert_int_equal(host->n_source, 4);
    assert_int_equal(host->n_module, 1);
    assert_string_equal(host->module[0].name, "nouveau");
    assert_int_equal(host->module[0].at.line, 3);
    assert_string_equal(host->cmdline.s, "BOOT_IMAGE=/vmlinuz ro quiet");
    assert_int_equal(host->cmdline.at.line, 5);
    assay_test_close(host->numa_balancing.v, 1, 0, 0, "numa_balancing");
    assert_int_equal(host->n_event, 1);
    assert_string_equal(host->event[0].device, "0000:9b:00.0");
    assert_string_equal(host->event[0].text, "NVRM: GPU at PCI:0000:9b:00 has fallen off the bus.");
}

/* --- one accelerator, several tools ---------------------------------------------------------- */

static void test_csv_and_json_say_the_same(void **state) {
    const assay_host_t *csv =
        HOST(state, "rocm-smi.csv",
             "device,GPU use (%),VRAM Total Memory (B),Card Vendor,Node ID,GFX Version\n"
             "card0,25,21458059264,Advanced Micro Devices Inc. [AMD/ATI],1,gfx1100\n");
    const assay_host_t *json =
        HOST(state, "rocm-smi.json",
             "{\"card0\": {\"GPU use (%)\": \"25\", \"VRAM Total Memory (B)\": \"21458059264\",\n"
             "  \"Card Vendor\": \"Advanced Micro Devices, Inc. [AMD/ATI]\", \"Node ID\": \"1\",\n"
             "  \"GFX Version\": \"gfx1100\"}}\n");
    const assay_host_t *const host[] = {csv, json};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(host[i]->n_gpu, 1);
        const assay_host_gpu_t *gpu = &host[i]->gpu[0];
        assert_int_equal(gpu->vendor, ASSAY_VENDOR_AMD);
        assay_test_close(gpu->gfx_busy.v, 0.25, 1e-12, 0, "busy");
        assay_test_close(gpu->vram_bytes.v, 21458059264.0, 0, 0, "vram");
        assay_test_close(gpu->kfd_node.v, 1, 0, 0, "node");
        assert_string_equal(gpu->target.s, "gfx1100");
    }
}

static void test_text_and_json_of_amd_smi(void **state) {
    const assay_host_t *text = HOST(
        state, "amd-smi-metric.txt",
        "GPU: 0\n    USAGE:\n        GFX_ACTIVITY: 97 %\n    POWER:\n        SOCKET_POWER: 705 W\n"
        "        THROTTLE_STATUS: N/A\n    CLOCK:\n        GFX_0:\n            CLK: 1200 MHz\n");
    const assay_host_t *json = HOST(
        state, "metric.json",
        "[{\"gpu\": 0, \"usage\": {\"gfx_activity\": {\"value\": 97, \"unit\": \"%\"}},\n"
        "  \"power\": {\"socket_power\": {\"value\": 705, \"unit\": \"W\"}, \"throttle_status\": "
        "\"N/A\"},\n  \"clock\": {\"gfx_0\": {\"clk\": {\"value\": 1200, \"unit\": \"MHz\"}}}}]\n");
    const assay_host_t *const host[] = {text, json};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(host[i]->n_gpu, 1);
        const assay_host_gpu_t *gpu = &host[i]->gpu[0];
        assay_test_close(gpu->gfx_busy.v, 0.97, 1e-12, 0, "busy");
        assay_test_close(gpu->power_w.v, 705, 0, 0, "power");
        assay_test_close(gpu->gfx_hz.v, 1200e6, 0, 0, "clock");
        assert_int_equal(gpu->throttle.state, ASSAY_HOST_UNSUPPORTED);
    }
}

/* Columns by their words: an old and a new table of the same device. */
static void test_rocm_smi_tables(void **state) {
    const assay_host_t *old =
        HOST(state, "rocm-smi.txt",
             "======== ROCm System Management Interface ========\n"
             "GPU  Temp (DieEdge)  AvgPwr  SCLK    MCLK     Fan  Perf  PwrCap  VRAM%  GPU%  \n"
             "0    35.0c           41.0W   800Mhz  1600Mhz  0%   auto  300.0W    0%   0%    \n");
    assert_int_equal(old->n_gpu, 1);
    assay_test_close(old->gpu[0].edge_c.v, 35, 0, 0, "edge");
    assay_test_close(old->gpu[0].power_w.v, 41, 0, 0, "power");
    assay_test_close(old->gpu[0].mem_hz.v, 1600e6, 0, 0, "memory clock");
    assay_test_close(old->gpu[0].power_cap_w.v, 300, 0, 0, "cap");
    const assay_host_t *new = HOST(
        state, "rocm-smi.txt",
        "======== ROCm System Management Interface ========\n"
        "Device  Node  IDs              Temp        Power     Partitions          SCLK    MCLK    "
        "Fan  Perf  PwrCap  VRAM%  GPU%\n"
        "              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)\n"
        "0       2     0x74a1,   00000  38.0\xc2\xb0"
        "C      128.0W    NPS1, SPX, 0        132Mhz  "
        "900Mhz  0%   auto  750.0W  0%     0%\n");
    assert_int_equal(new->n_gpu, 1);
    const assay_host_gpu_t *gpu = &new->gpu[0];
    assay_test_close(gpu->hotspot_c.v, 38, 0, 0, "junction");
    assay_test_close(gpu->device_id.v, 0x74a1, 0, 0, "device");
    assay_test_close(gpu->power_w.v, 128, 0, 0, "power");
    assay_test_close(gpu->gfx_hz.v, 132e6, 0, 0, "clock");
    assay_test_close(gpu->power_cap_w.v, 750, 0, 0, "cap");
    assert_string_equal(gpu->memory_partition.s, "NPS1");
    assert_string_equal(gpu->compute_partition.s, "SPX");
    assert_string_equal(gpu->perf_level.s, "auto");
}

/* simd_count 1216 / simd_per_cu 4 = 304; location 18176 = 0x4700 = bus 0x47, device 0. */
static void test_kfd_node(void **state) {
    const assay_host_t *host =
        HOST(state, "properties",
             "simd_count 1216\nsimd_per_cu 4\ngfx_target_version 90402\n"
             "vendor_id 4098\ndevice_id 29857\nlocation_id 18176\ndomain 0\n");
    assert_int_equal(host->n_gpu, 1);
    assert_string_equal(host->gpu[0].bdf.s, "0000:47:00.0");
    assert_string_equal(host->gpu[0].target.s, "gfx942");
    assay_test_close(host->gpu[0].compute_units.v, 304, 0, 0, "compute units");
    const assay_host_t *mi250 =
        HOST(state, "properties",
             "simd_count 440\nsimd_per_cu 4\ngfx_target_version 90010\n"
             "vendor_id 4098\ndevice_id 29704\nlocation_id 256\ndomain 1\n");
    assert_string_equal(mi250->gpu[0].target.s, "gfx90a"); /* step 10 prints as a */
    assert_string_equal(mi250->gpu[0].bdf.s, "0001:01:00.0");
}

static void test_number_and_address_become_one(void **state) {
    const assay_host_t *host =
        HOST(state, "a-nvidia-smi-l.txt", "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-0)\n",
             "b-query.csv", "index,pci.bus_id,power.draw [W]\n0,00000000:07:00.0,61.5 W\n",
             "c-lspci.txt", "07:00.0 3D controller [0302]: NVIDIA Corporation [10de:20b2]\n");
    assert_int_equal(host->n_gpu, 1);
    assert_string_equal(host->gpu[0].bdf.s, "0000:07:00.0");
    assert_string_equal(host->gpu[0].name.s, "NVIDIA A100-SXM4-80GB");
    assay_test_close(host->gpu[0].power_w.v, 61.5, 0, 0, "power");
    assay_test_close(host->gpu[0].device_id.v, 0x20b2, 0, 0, "device");
}

/* What the sender says yields to what was measured. */
static void test_note_is_stated(void **state) {
    const assay_host_t *note = HOST(state, "context.txt", "host_gpus=4xMI100\ncontainer=docker\n");
    assert_int_equal(note->n_gpu, 4);
    assert_int_equal(note->gpu[0].name.state, ASSAY_HOST_STATED);
    assert_int_equal(note->container.state, ASSAY_HOST_STATED);
    const assay_host_t *both = HOST(state, "context.txt", "8x MI300X\n", "lspci.txt",
                                    "05:00.0 Processing accelerators [1200]: Advanced Micro "
                                    "Devices, Inc. [AMD/ATI] [1002:74a1]\n");
    assert_int_equal(both->n_gpu, 1);
}

/* 92.08 GB/s x 2 (8 - 1) / 8 = 161.14 GB/s; a row that does not fit is none. */
static void test_collective_rows_fit(void **state) {
    static const char head[] = "# nThread 1 nGpus 8 minBytes 8388608 maxBytes 8388608\n"
                               "#  Rank  7 Group  0 Pid      1 on   node-a device  7\n";
    char text[512];
    snprintf(text, sizeof text, "%s%s%s", head,
             "  8388608 2097152 float sum -1 91.10 92.08 161.14 0 94.94 88.36 154.63 0\n",
             "  8388608 2097152 float sum -1 91.10 92.08 92.08 0 94.94 88.36 154.63 0\n");
    const assay_host_t *host = HOST(state, "all_reduce_perf.txt", text);
    assert_int_equal(host->n_collective, 1);
    assert_int_equal(host->collective[0].ranks, 8);
    assay_test_close(host->collective[0].bus_bytes_per_s, 161.14e9, 1e-12, 0, "bus");
}

/* An older version without the root's column, of another operation: 7/8 of the rate. */
static void test_collective_columns_by_heading(void **state) {
    const assay_host_t *host =
        HOST(state, "perf.txt",
             "# nThread 1 nGpus 8 minBytes 8 maxBytes 8\n"
             "# Collective test starting: all_gather_perf\n"
             "#       size         count    type     time   algbw   busbw  error     time   algbw\n"
             "   1073741824  33554432   float   3000.0  357.91  313.17  0e+00   3001.0  357.79\n");
    assert_int_equal(host->n_collective, 1);
    assert_string_equal(host->collective[0].operation, "all_gather");
    assay_test_close(host->collective[0].time_s, 3e-3, 1e-12, 0, "time");
    assay_test_close(host->collective[0].bus_bytes_per_s, 313.17e9, 1e-12, 0, "bus");
}

/* Of an accelerator: its largest window, and atomics of the bridge above. */
static void test_lspci_windows(void **state) {
    const assay_host_t *host =
        HOST(state, "lspci.txt",
             "00:01.1 PCI bridge: AMD Root Port\n\t\tDevCap2: Completion Timeout: Range ABCD\n"
             "\t\t\t AtomicOpsCap: Routing+ 32bit- 64bit- 128bitCAS-\n"
             "05:00.0 Processing accelerators [1200]: AMD [1002:74a1]\n"
             "\tRegion 0: Memory at 20000000000 (64-bit, prefetchable) [size=256G]\n"
             "\tRegion 2: Memory at 40000000000 (64-bit, prefetchable) [size=2M]\n");
    assay_test_close(host->pci[0].atomics.v, 1, 0, 0, "atomics");
    assay_test_close(host->gpu[0].bar_bytes.v, 274877906944.0, 0, 0, "window");
}

static void test_limits(void **state) {
    const assay_host_t *shell =
        HOST(state, "ulimit.txt", "max locked memory       (kbytes, -l) 64\n");
    assay_test_close(shell->locked_bytes.v, 65536, 0, 0, "kbytes");
    const assay_host_t *proc =
        HOST(state, "limits",
             "Limit   Soft Limit Hard Limit Units\nMax locked memory unlimited unlimited bytes\n");
    assert_true(isinf(proc->locked_bytes.v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_csv_and_json_say_the_same),
        cmocka_unit_test(test_text_and_json_of_amd_smi),
        cmocka_unit_test(test_rocm_smi_tables),
        cmocka_unit_test(test_kfd_node),
        cmocka_unit_test(test_number_and_address_become_one),
        cmocka_unit_test(test_note_is_stated),
        cmocka_unit_test(test_collective_rows_fit),
        cmocka_unit_test(test_collective_columns_by_heading),
        cmocka_unit_test(test_lspci_windows),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
