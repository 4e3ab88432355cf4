#include "assay/topology.h"

#include <string.h>

#include "host_fixture.h"

static const assay_topology_t *topology_of(void **state, const assay_host_t *host,
                                           const char *system) {
    const host_fixture_t *fixture = *state;
    static assay_catalog_t *catalog;
    static assay_arena_t *of;
    assay_topology_t *topology = NULL;
    assay_error_t err = {0};
    if (of != fixture->arena) {
        assert_int_equal(assay_catalog_load(fixture->arena, NULL, 0, &catalog, &err), ASSAY_OK);
        of = fixture->arena;
    }
    assert_int_equal(
        assay_topology_build(fixture->arena, host, catalog, system, ASSAY_LANG_EN, &topology, &err),
        ASSAY_OK);
    return topology;
}

static const assay_topology_link_t *link_of(const assay_topology_t *t, uint32_t a, uint32_t b) {
    return &t->link[(size_t)a * t->n_device + b];
}

/* 0x03: CPUs 0 and 1. 8-11 of a word of 16: f00. 0xfe: 1 to 7, as LUMI's guide prints it. */
static void test_cpu_lists(void **state) {
    assay_arena_t *arena = ((host_fixture_t *)*state)->arena;
    assert_string_equal(assay_cpu_mask(arena, "0-1"), "3");
    assert_string_equal(assay_cpu_mask(arena, "8-11"), "f00");
    assert_string_equal(assay_cpu_mask(arena, "1-7"), "fe");
    assert_string_equal(assay_cpu_mask(arena, "49-55"), "fe000000000000");
    assert_string_equal(assay_cpu_mask(arena, "0,4,65"), "20000000000000011");
    assert_int_equal(assay_cpu_first("49-55"), 49);
    assert_int_equal(assay_cpu_first("8,3"), 3);
    static const char *const bad[] = {"", "x", "3-1", "1-", "0-5000", "1,,2", "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_null(assay_cpu_mask(arena, bad[i]));
        assert_int_equal(assay_cpu_first(bad[i]), -1);
    }
}

/* A matrix of nvidia-smi: NVLinks, NUMA nodes and the nearest NIC of each. */
static void test_nvidia_matrix(void **state) {
    const assay_topology_t *t =
        topology_of(state,
                    HOST(state, "nvidia-smi-topo-m.txt",
                         "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n"
                         "GPU0\t X \tNV12\tPXB\tSYS\t0-15\t0\n"
                         "GPU1\tNV12\t X \tSYS\tPXB\t16-31\t1\n"
                         "NIC0\tPXB\tSYS\t X \tSYS\n"
                         "NIC1\tSYS\tPXB\tSYS\t X \n"),
                    NULL);
    assert_int_equal(t->n_device, 2);
    assert_int_equal(t->n_nic, 2);
    assert_int_equal(link_of(t, 0, 1)->kind, ASSAY_LINK_NVLINK);
    assert_int_equal(link_of(t, 0, 1)->links, 12);
    assert_int_equal(t->device[1].numa, 1);
    assert_string_equal(t->nic[assay_topology_near_nic(t, 0)].name, "NIC0");
    assert_string_equal(t->nic[assay_topology_near_nic(t, 1)].name, "NIC1");
    assert_null(t->system); /* no model is named */
}

/* The kernel counts 50 GB/s a link; hops alone do not tell (ROCm/rocm-systems#5763). */
static void test_xgmi_links_by_bandwidth(void **state) {
    const assay_topology_t *t =
        topology_of(state,
                    HOST(state, "amd-smi-topology.txt",
                         "NUMA BW TABLE:\n"
                         "             0000:11:00.0 0000:14:00.0 0000:d9:00.0\n"
                         "0000:11:00.0 N/A          50000-200000 0-0\n"
                         "0000:14:00.0 50000-200000 N/A          50000-50000\n"
                         "0000:d9:00.0 0-0          50000-50000  N/A\n"),
                    NULL);
    assert_int_equal(t->n_device, 3);
    assert_int_equal(link_of(t, 0, 1)->links, 4);
    assert_int_equal(link_of(t, 1, 2)->links, 1);
    assert_int_equal(link_of(t, 0, 2)->links, 0);
    assert_true(link_of(t, 0, 2)->direct_known);
}

static const char lspci[] =
    "05:00.0 Processing accelerators [1200]: Advanced Micro Devices, Inc. [AMD/ATI] Device "
    "[1002:74a1]\n"
    "15:00.0 Processing accelerators [1200]: Advanced Micro Devices, Inc. [AMD/ATI] Device "
    "[1002:74a1]\n";

/* Two of eight: the part is known by its number, the system by the part. */
static void test_recognised_and_compared(void **state) {
    const assay_topology_t *t =
        topology_of(state, HOST(state, "lspci-nn.txt", lspci), "8x-mi300x-oam");
    assert_string_equal(t->accelerator->id, "amd-mi300x-192g");
    assert_int_equal(t->n_difference, 1);
    assert_int_equal(t->difference[0].what, ASSAY_TOPOLOGY_COUNT);
    assert_string_equal(t->difference[0].expected, "8 accelerators");
    assert_string_equal(t->difference[0].found, "2");
    t = topology_of(state, HOST(state, "lspci-nn.txt", lspci), NULL);
    assert_string_equal(t->accelerator->id, "amd-mi300x-192g");
}

static void test_missing_link_is_told(void **state) {
    const assay_topology_t *t =
        topology_of(state,
                    HOST(state, "lspci-nn.txt", lspci, "amd-smi-topology.txt",
                         "LINK TYPE TABLE:\n"
                         "             0000:05:00.0 0000:15:00.0\n"
                         "0000:05:00.0 SELF         PCIE\n"
                         "0000:15:00.0 PCIE         SELF\n"),
                    "8x-mi300x-oam");
    assert_int_equal(t->n_difference, 2);
    assert_int_equal(t->difference[1].what, ASSAY_TOPOLOGY_LINK);
    assert_string_equal(t->difference[1].found, "PCIE");
}

/* The order of GCDs that the guides of LUMI and Frontier print: map_cpu:49,57,17,25,1,9,33,41. */
static void test_catalogs_picture(void **state) {
    static const int64_t first[] = {49, 57, 17, 25, 1, 9, 33, 41},
                         numa[] = {3, 3, 1, 1, 0, 0, 2, 2};
    const assay_topology_t *t = topology_of(state, HOST(state, "a", ""), "lumi");
    assert_true(t->catalog_only);
    assert_int_equal(t->n_device, 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(assay_cpu_first(t->device[i].cpus), first[i]);
        assert_int_equal(t->device[i].numa, numa[i]);
        assert_int_equal(t->device[i].package, i / 2);
    }
    assert_int_equal(link_of(t, 0, 1)->links, 4);
    assert_non_null(t->bind_source);
}

static void test_nothing(void **state) {
    const assay_topology_t *t = topology_of(state, HOST(state, "a", ""), NULL);
    assert_int_equal(t->n_device + t->n_nic + t->n_numa + t->n_difference, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu_lists),
        cmocka_unit_test(test_nvidia_matrix),
        cmocka_unit_test(test_xgmi_links_by_bandwidth),
        cmocka_unit_test(test_recognised_and_compared),
        cmocka_unit_test(test_missing_link_is_told),
        cmocka_unit_test(test_catalogs_picture),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
