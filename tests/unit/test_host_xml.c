/* XML of nvidia-smi and of hwloc. */
#include <stdio.h>

#include "host_fixture.h"

/* The same device as XML and as text. */
static void test_xml_and_text_say_the_same(void **state) {
    const assay_host_t *const host[] = {
        HOST(state, "nvidia-smi.xml",
             "<?xml version=\"1.0\" ?>\n"
             "<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n"
             "<driver_version>550.54.15</driver_version>\n<cuda_version>12.4</cuda_version>\n"
             "<attached_gpus>1</attached_gpus>\n<gpu id=\"00000000:07:00.0\">\n"
             "<product_name>NVIDIA A100-SXM4-80GB</product_name>\n"
             "<persistence_mode>Enabled</persistence_mode>\n"
             "<pci><pci_gpu_link_info><pcie_gen><max_link_gen>4</max_link_gen>\n"
             "<current_link_gen>1</current_link_gen></pcie_gen><link_widths>\n"
             "<max_link_width>16x</max_link_width><current_link_width>8x</current_link_width>\n"
             "</link_widths></pci_gpu_link_info></pci>\n"
             "<fb_memory_usage><total>81920 MiB</total><used>4 MiB</used></fb_memory_usage>\n"
             "<utilization><gpu_util>97 %</gpu_util></utilization>\n"
             "<clocks_event_reasons><clocks_event_reason_sw_power_cap>Active"
             "</clocks_event_reason_sw_power_cap></clocks_event_reasons>\n"
             "<remapped_rows><remapped_row_pending>Yes</remapped_row_pending></remapped_rows>\n"
             "<temperature><memory_temp>N/A</memory_temp></temperature>\n"
             "<gpu_power_readings><power_draw>61.50 W</power_draw>\n"
             "<current_power_limit>400.00 W</current_power_limit></gpu_power_readings>\n"
             "<max_clocks><sm_clock>1410 MHz</sm_clock></max_clocks>\n"
             "<clocks><sm_clock>210 MHz</sm_clock></clocks>\n</gpu>\n</nvidia_smi_log>\n"),
        HOST(state, "nvidia-smi-q.txt",
             "==============NVSMI LOG==============\nDriver Version : 550.54.15\n"
             "CUDA Version   : 12.4\nAttached GPUs  : 1\nGPU 00000000:07:00.0\n"
             "    Product Name             : NVIDIA A100-SXM4-80GB\n"
             "    Persistence Mode         : Enabled\n    PCI\n        GPU Link Info\n"
             "            PCIe Generation\n                Max     : 4\n"
             "                Current : 1\n            Link Width\n                Max     : 16x\n"
             "                Current : 8x\n    FB Memory Usage\n        Total   : 81920 MiB\n"
             "        Used    : 4 MiB\n    Utilization\n        Gpu     : 97 %\n"
             "    Clocks Event Reasons\n        SW Power Cap : Active\n    Remapped Rows\n"
             "        Pending              : Yes\n    Temperature\n"
             "        Memory Current Temp : N/A\n    GPU Power Readings\n"
             "        Power Draw           : 61.50 W\n        Current Power Limit  : 400.00 W\n"
             "    Clocks\n        SM : 210 MHz\n    Max Clocks\n        SM : 1410 MHz\n")};
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(host[i]->nvidia_module.s, "550.54.15");
        assert_string_equal(host[i]->cuda_driver.s, "12.4");
        assay_test_close(host[i]->gpus_listed.v, 1, 0, 0, "listed");
        assert_int_equal(host[i]->n_gpu, 1);
        const assay_host_gpu_t *gpu = &host[i]->gpu[0];
        assert_string_equal(gpu->bdf.s, "0000:07:00.0");
        assert_string_equal(gpu->name.s, "NVIDIA A100-SXM4-80GB");
        assay_test_close(gpu->persistence.v, 1, 0, 0, "persistence");
        assay_test_close(gpu->pcie_gt_s_max.v, 16, 0, 0, "rate at most");
        assay_test_close(gpu->pcie_gt_s.v, 2.5, 0, 0, "rate");
        assay_test_close(gpu->pcie_width.v, 8, 0, 0, "lanes");
        assay_test_close(gpu->vram_bytes.v, 81920.0 * 1048576, 0, 0, "memory");
        assay_test_close(gpu->gfx_busy.v, 0.97, 1e-12, 0, "busy");
        assay_test_close(gpu->slow_power.v, 1, 0, 0, "power cap");
        assay_test_close(gpu->remapped_pending.v, 1, 0, 0, "pending");
        assert_int_equal(gpu->mem_c.state, ASSAY_HOST_UNSUPPORTED);
        assay_test_close(gpu->power_w.v, 61.5, 0, 0, "power");
        assay_test_close(gpu->power_cap_w.v, 400, 0, 0, "cap");
        assay_test_close(gpu->gfx_hz.v, 210e6, 0, 0, "clock");
        assay_test_close(gpu->gfx_hz_max.v, 1410e6, 0, 0, "clock at most");
    }
    assert_int_equal(host[0]->gpu[0].name.at.line, 8);
}

static void test_hwloc(void **state) {
    const assay_host_t *host =
        HOST(state, "lstopo.xml",
             "<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n<object type=\"Machine\">\n"
             "<object type=\"Package\" os_index=\"0\"><info name=\"CPUModel\" value=\"AMD EPYC "
             "9654\"/>\n"
             "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" local_memory=\"1000\"/>\n"
             "<object type=\"Core\"><object type=\"PU\" os_index=\"0\"/><object type=\"PU\" "
             "os_index=\"1\"/></object>\n"
             "<object type=\"Bridge\" bridge_type=\"0-1\" bridge_pci=\"0000:[00-0f]\">\n"
             "<object type=\"Bridge\" bridge_type=\"1-1\" bridge_pci=\"0000:[01-02]\" "
             "pci_busid=\"0000:00:01.0\" pci_type=\"0604 [1022:1483] [1022:1453] 00\">\n"
             "<object type=\"PCIDev\" pci_busid=\"0000:02:00.0\" pci_type=\"1200 [1002:74a1] "
             "[1002:74a1] 00\"/></object></object></object>\n"
             "<object type=\"Package\" os_index=\"1\"><object type=\"NUMANode\" os_index=\"1\" "
             "cpuset=\"0xc\"/>\n<object type=\"PCIDev\" pci_busid=\"0000:82:00.0\" "
             "pci_type=\"0207 [15b3:1021] [15b3:0023] 00\"/></object>\n</object>\n</topology>\n");
    assay_test_close(host->sockets.v, 2, 0, 0, "sockets");
    assay_test_close(host->threads.v, 2, 0, 0, "threads");
    assay_test_close(host->numa_nodes.v, 2, 0, 0, "NUMA nodes");
    assert_string_equal(host->cpu.s, "AMD EPYC 9654");
    assay_test_close(host->numa[0].bytes.v, 1000, 0, 0, "memory of a node");
    assert_int_equal(host->n_gpu, 1);
    assay_test_close(host->gpu[0].numa_node.v, 0, 0, 0, "near node 0");
    assert_int_equal(host->n_pci, 3);
    assert_string_equal(host->pci[1].parent, "0000:00:01.0");
    assay_test_close(host->pci[2].numa_node.v, 1, 0, 0, "near node 1");
}

/* What came before the end of a cut text counts, and the source says that it is cut. Entities that
   grow without end are refused. */
static void test_cut_and_hostile(void **state) {
    const assay_host_t *cut =
        HOST(state, "a.xml", "<nvidia_smi_log><driver_version>550.1</driver_version><gpu id=");
    assert_string_equal(cut->nvidia_module.s, "550.1");
    assert_non_null(cut->source[0].reason);
    static char bomb[4096];
    int n = snprintf(bomb, sizeof bomb, "<!DOCTYPE nvidia_smi_log [<!ENTITY a0 \"%s\">",
                     "aaaaaaaaaaaaaaaa");
    for (int i = 1; i < 12; i++) {
        n += snprintf(bomb + n, sizeof bomb - (size_t)n,
                      "<!ENTITY a%d \"&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;\">", i, i - 1, i - 1,
                      i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    snprintf(bomb + n, sizeof bomb - (size_t)n,
             "]>\n<nvidia_smi_log><driver_version>&a11;</driver_version></nvidia_smi_log>");
    const assay_host_t *hostile = HOST(state, "b.xml", bomb);
    assert_null(hostile->nvidia_module.s);
    assert_non_null(hostile->source[0].reason);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_xml_and_text_say_the_same),
                                       cmocka_unit_test(test_hwloc),
                                       cmocka_unit_test(test_cut_and_hostile)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
