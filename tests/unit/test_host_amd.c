/* Layouts of amd-smi and rocm-smi of several releases; texts as their documentation and users
   print them. */
#include "host_fixture.h"

static void test_overview(void **state) {
    const assay_host_t *host =
        HOST(state, "amd-smi.txt",
             "+------------------------------------------------------------------------------+\n"
             "| AMD-SMI 26.2.1+fc0010cf6a    amdgpu version: 6.16.13  ROCm version: 7.2.0    |\n"
             "| VBIOS version: 625576                                                        |\n"
             "| Platform: Linux Guest (Passthrough)                                          |\n"
             "|-------------------------------------+----------------------------------------|\n"
             "| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |\n"
             "| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |\n"
             "|=====================================+========================================|\n"
             "| 0000:01:00.0 AMD Instinct MI300X VF | 0 %      37 \xc2\xb0"
             "C   0           160/750 W |\n"
             "|   0       0       3        SPX/NPS1 | 97 %       N/A           285/196288 MB |\n"
             "|-------------------------------------+----------------------------------------|\n"
             "| 0000:02:00.0    AMD Radeon Graphics | N/A        N/A   0             N/A/0 W |\n"
             "|   1       1     N/A             N/A | 5 %     29.8 %             10/65520 MB |\n"
             "+-------------------------------------+----------------------------------------+\n"
             "| Processes:                                                                   |\n"
             "|  GPU        PID  Process Name          GTT_MEM  VRAM_MEM  MEM_USAGE     CU % |\n"
             "|==============================================================================|\n"
             "|    0      36750  python3.12             2.0 MB    9.5 GB     9.5 GB  N/A     |\n");
    assert_string_equal(host->rocm.s, "7.2.0");
    assert_string_equal(host->amdgpu_version.s, "6.16.13");
    assert_string_equal(host->hypervisor.s, "a hypervisor");
    assert_int_equal(host->n_gpu, 2);
    const assay_host_gpu_t *gpu = host->gpu;
    assert_string_equal(gpu[0].bdf.s, "0000:01:00.0");
    assert_string_equal(gpu[0].name.s, "AMD Instinct MI300X VF");
    assay_test_close(gpu[0].index.v, 0, 0, 0, "number");
    assay_test_close(gpu[0].hotspot_c.v, 37, 0, 0, "temperature");
    assay_test_close(gpu[0].power_w.v, 160, 0, 0, "power");
    assay_test_close(gpu[0].power_cap_w.v, 750, 0, 0, "cap");
    assay_test_close(gpu[0].gfx_busy.v, 0.97, 1e-12, 0, "busy");
    assay_test_close(gpu[0].vram_used_bytes.v, 285.0 * 1048576, 0, 0, "used");
    assay_test_close(gpu[0].vram_bytes.v, 196288.0 * 1048576, 0, 0, "memory");
    assert_string_equal(gpu[0].compute_partition.s, "SPX");
    assert_string_equal(gpu[0].memory_partition.s, "NPS1");
    assert_false(assay_host_known(gpu[1].power_w.state));
    assay_test_close(gpu[1].fan.v, 0.298, 1e-12, 0, "fan");
    assert_int_equal(host->n_process, 1);
    assert_int_equal(host->process[0].pid, 36750);
    assay_test_close(host->process[0].vram_bytes.v, 9.5 * 1073741824.0, 1e-12, 0, "held");
}

static void test_monitor(void **state) {
    const assay_host_t *host = HOST(
        state, "amd-smi-monitor.txt",
        "AMDSMI Tool: 27.0.0+6b0e43f3 | AMDSMI Library version: 27.0.0 | ROCm version: 10.0.0 | "
        "amdgpu version: N/A\n"
        "GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE\n"
        "  0    0  183 W   49 \xc2\xb0"
        "C   48 \xc2\xb0"
        "C  1427 MHz    0 %    1 %    N/A    0 %    0.5/192.0 GB\n"
        "  1    1    N/A     N/A     N/A       N/A    N/A    N/A    N/A    N/A    0.5/ 48.0 GB\n");
    assert_string_equal(host->rocm.s, "10.0.0");
    assert_int_equal(host->amdgpu_version.state, ASSAY_HOST_UNSEEN);
    assert_int_equal(host->n_gpu, 2);
    assay_test_close(host->gpu[0].power_w.v, 183, 0, 0, "power");
    assay_test_close(host->gpu[0].hotspot_c.v, 49, 0, 0, "temperature");
    assay_test_close(host->gpu[0].gfx_hz.v, 1427e6, 0, 0, "clock");
    assay_test_close(host->gpu[0].mem_busy.v, 0.01, 1e-12, 0, "memory activity");
    assay_test_close(host->gpu[0].vram_used_bytes.v, 0.5 * 1073741824.0, 0, 0, "used");
    assert_int_equal(host->gpu[1].power_w.state, ASSAY_HOST_UNSUPPORTED);
    assay_test_close(host->gpu[1].vram_bytes.v, 48 * 1073741824.0, 0, 0, "memory");
    assay_test_close(host->gpu[1].partition.v, 1, 0, 0, "partition");
    const assay_host_t *watch = HOST(state, "amd-smi-monitor.txt",
                                     "TIMESTAMP  GPU  XCP  POWER  PWR_CAP\n"
                                     "1786038263    1    0  123 W    750 W\n");
    assay_test_close(watch->gpu[0].index.v, 1, 0, 0, "number");
    assay_test_close(watch->gpu[0].power_cap_w.v, 750, 0, 0, "cap");
    const assay_host_t *partition =
        HOST(state, "amd-smi-partition.txt",
             "CURRENT_PARTITION:\nGPU_ID  MEMORY  ACCELERATOR_TYPE  PARTITION_ID\n"
             "0       NPS1    CPX               0,1\n");
    assert_string_equal(partition->gpu[0].compute_partition.s, "CPX");
    assert_string_equal(partition->gpu[0].memory_partition.s, "NPS1");
}

/* The limits of today's static stand one level deeper than those of ROCm 6. */
static void test_static_of_two_releases(void **state) {
    const assay_host_t *const host[] = {
        HOST(state, "amd-smi-static.txt",
             "GPU: 0\n    BUS:\n        BDF: 0000:01:00.0\n    LIMIT:\n        MAX_POWER: 550 W\n"
             "        SOCKET_POWER: 500 W\n    DRIVER:\n        NAME: amdgpu\n"
             "        VERSION: 6.19.4\n"),
        HOST(state, "amd-smi-static.txt",
             "CPU: 0\n    SMU:\n        FW_VERSION: 85.103.0\n\nGPU: 0\n    BUS:\n"
             "        BDF: 0000:01:00.0\n    LIMIT:\n        PPT0:\n"
             "            MAX_POWER_LIMIT: 550 W\n            SOCKET_POWER_LIMIT: 500 W\n"
             "        PPT1:\n            MAX_POWER_LIMIT: N/A\n    DRIVER:\n        NAME: amdgpu\n"
             "        VERSION: 6.19.4\n")};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(host[i]->n_gpu, 1);
        assay_test_close(host[i]->gpu[0].power_cap_max_w.v, 550, 0, 0, "at most");
        assay_test_close(host[i]->gpu[0].power_cap_w.v, 500, 0, 0, "cap");
        assert_string_equal(host[i]->gpu[0].driver.s, "amdgpu");
        assert_string_equal(host[i]->amdgpu_version.s, "6.19.4");
        assert_int_equal(host[i]->n_firmware, 0);
    }
}

/* Firmware, processes and the list, as text and as JSON. */
static void test_other_verbs(void **state) {
    const assay_host_t *const host[] = {
        HOST(state, "amd-smi-firmware.txt",
             "GPU: 0\n    FW_LIST:\n        FW 0:\n            FW_ID: PM\n"
             "            FW_VERSION: 00.104.74.00\n",
             "amd-smi-list.txt",
             "GPU: 0\n    BDF: 0000:05:00.0\n    KFD_ID: 12345\n    NODE_ID: 2\n"
             "    PARTITION_ID: 0\n",
             "amd-smi-process.txt",
             "GPU: 0\n    PROCESS_INFO:\n        NAME: python3\n        PID: 12345\n"
             "        MEMORY_USAGE:\n            GTT_MEM: 128.0 MB\n            VRAM_MEM: 4.0 GB\n"
             "        MEM: 4.13 GB\n"),
        HOST(state, "firmware.json",
             "[{\"gpu\": 0, \"fw_list\": [{\"fw_id\": \"PM\", \"fw_version\": "
             "\"00.104.74.00\"}]}]\n",
             "list.json",
             "[{\"gpu\": 0, \"bdf\": \"0000:05:00.0\", \"kfd_id\": 12345, \"node_id\": 2,\n"
             "\"partition_id\": 0}]\n",
             "process.json",
             "[{\"gpu\": 0, \"process_list\": [{\"process_info\": {\"name\": \"python3\",\n"
             "\"pid\": 12345, \"memory_usage\": {\"vram_mem\": {\"value\": 4294967296, \"unit\": "
             "\"B\"}}}}]}]\n")};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(host[i]->n_gpu, 1);
        assay_test_close(host[i]->gpu[0].kfd_gpu_id.v, 12345, 0, 0, "id");
        assay_test_close(host[i]->gpu[0].kfd_node.v, 2, 0, 0, "node");
        assert_int_equal(host[i]->n_firmware, 1);
        assert_string_equal(host[i]->firmware[0].kind, "PM");
        assert_string_equal(host[i]->firmware[0].version, "00.104.74.00");
        assert_int_equal(host[i]->n_process, 1);
        assert_int_equal(host[i]->process[0].pid, 12345);
        assay_test_close(host[i]->process[0].vram_bytes.v, 4294967296.0, 0, 0, "held");
    }
}

/* Columns of two writers of amd-smi metric --csv. */
static void test_csv(void **state) {
    const assay_host_t *host =
        HOST(state, "amd-smi-metric.csv",
             "timestamp,gpu,gfx_activity,umc_activity,mm_activity,socket_power,gfx_0_clk,"
             "gfx_0_max_clk,mem_0_clk,edge,hotspot,mem\n"
             "1772939616,0,95,80,N/A,350,1980,2100,901,38,72,65\n"
             "1772939616,1,N/A,75,N/A,300,1950,2100,901,36,68,62\n");
    assert_int_equal(host->n_gpu, 2);
    assay_test_close(host->gpu[0].gfx_busy.v, 0.95, 1e-12, 0, "busy");
    assay_test_close(host->gpu[0].power_w.v, 350, 0, 0, "power");
    assay_test_close(host->gpu[0].gfx_hz_max.v, 2100e6, 0, 0, "clock");
    assay_test_close(host->gpu[0].mem_c.v, 65, 0, 0, "memory temperature");
    assert_int_equal(host->gpu[1].gfx_busy.state, ASSAY_HOST_UNSUPPORTED);
}

static void test_rocm_smi_lines(void **state) {
    const assay_host_t *host = HOST(
        state, "rocm-smi-a.txt",
        "======================= ROCm System Management Interface =======================\n"
        "GPU[0]\t\t: sclk clock level: 1: (132Mhz)\nGPU[0]\t\t: mclk clock level: 0: (900Mhz)\n"
        "GPU[0]\t\t: pcie clock level: 1 (16.0GT/s x16)\n"
        "GPU[0]\t\t: SMC firmware version: \t00.85.109.00\nDriver version: 6.8.5\n"
        "GPU[0]: \tRAS INFO\n         Block       Status    Correctable Error  Uncorrectable "
        "Error\n         UMC         ENABLED                   3                    1\n"
        "         SDMA        DISABLED\n");
    const assay_host_gpu_t *gpu = &host->gpu[0];
    assay_test_close(gpu->gfx_hz.v, 132e6, 0, 0, "clock");
    assay_test_close(gpu->mem_hz.v, 900e6, 0, 0, "memory clock");
    assay_test_close(gpu->pcie_gt_s.v, 16, 0, 0, "speed");
    assay_test_close(gpu->pcie_width.v, 16, 0, 0, "lanes");
    assert_string_equal(host->firmware[0].kind, "SMC");
    assert_string_equal(host->amdgpu_version.s, "6.8.5");
    assay_test_close(gpu->ecc_umc.v, 1, 0, 0, "ECC");
    assay_test_close(gpu->ras_correctable.v, 3, 0, 0, "correctable");
    assay_test_close(gpu->ras_uncorrectable.v, 1, 0, 0, "uncorrectable");
    const assay_host_t *json =
        HOST(state, "rocm-smi.json",
             "{\"card0\": {\"sclk clock speed:\": \"(132Mhz)\", \"Fan speed (%)\": \"30\"},\n"
             "\"system\": {\"Driver version\": \"6.8.5\"}}\n");
    assay_test_close(json->gpu[0].gfx_hz.v, 132e6, 0, 0, "clock");
    assay_test_close(json->gpu[0].fan.v, 0.3, 1e-12, 0, "fan");
    assert_string_equal(json->amdgpu_version.s, "6.8.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_overview),
                                       cmocka_unit_test(test_monitor),
                                       cmocka_unit_test(test_static_of_two_releases),
                                       cmocka_unit_test(test_other_verbs),
                                       cmocka_unit_test(test_csv),
                                       cmocka_unit_test(test_rocm_smi_lines)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
