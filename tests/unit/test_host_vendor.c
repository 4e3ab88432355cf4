/* The vendors' libraries, by a stand-in that is loaded as they are. */
#include "host/live_vendor.h"

#include <stdlib.h>
#include <unistd.h>

#include "host_fixture.h"

static assay_host_t *ask(void **state, host_vendor_t vendor, const char *library, bool expected) {
    const host_fixture_t *fixture = *state;
    assay_host_t *host = assay_arena_alloc(fixture->arena, sizeof *host);
    host_parse_t parse = {
        .arena = fixture->arena, .scratch = fixture->arena, .rules = fixture->rules, .host = host};
    host->name = "test";
    assert_int_equal(host_vendor_read(&parse, vendor, library, STDERR_FILENO), expected);
    assert_false(parse.full);
    return host;
}

static void test_nvml(void **state) {
    const assay_host_t *host = ask(state, HOST_NVML, FAKE_VENDOR, true);
    assert_int_equal(host->n_gpu, 2);
    const assay_host_gpu_t *gpu = host->gpu;
    assert_string_equal(gpu[0].bdf.s, "0000:07:00.0");
    assert_string_equal(gpu[1].bdf.s, "0000:0f:00.0");
    assert_string_equal(gpu[0].name.s, "NVIDIA H100 80GB HBM3");
    assert_int_equal(gpu[0].vendor, ASSAY_VENDOR_NVIDIA);
    assay_test_close(gpu[0].power_w.v, 123.456, 1e-9, 0, "power");
    assert_int_equal(gpu[1].power_w.state, ASSAY_HOST_UNSUPPORTED);
    assay_test_close(gpu[0].hotspot_c.v, 41, 0, 0, "temperature");
    assay_test_close(gpu[0].gfx_busy.v, 0.97, 1e-12, 0, "busy");
    assay_test_close(gpu[0].vram_bytes.v, 85899345920.0, 0, 0, "memory");
    assay_test_close(gpu[0].vram_used_bytes.v, 1073741824.0, 0, 0, "used");
    assert_int_equal(gpu[0].persistence.state, ASSAY_HOST_UNSUPPORTED); /* no such function */
    assert_string_equal(gpu[0].power_w.at.file, "NVML");
}

/* An update replaced the library while the old module stayed loaded. */
static void test_nvml_that_refuses(void **state) {
    assert_int_equal(setenv("FAKE_NVML", "refuses", 1), 0);
    const assay_host_t *host = ask(state, HOST_NVML, FAKE_VENDOR, true);
    assert_int_equal(unsetenv("FAKE_NVML"), 0);
    assert_string_equal(host->nvidia_smi_error.s,
                        "Failed to initialize NVML: Driver/library version mismatch");
    assert_string_equal(host->nvml.s, "580.173");
    assert_int_equal(host->n_gpu, 0);
}

static void test_nvml_that_hangs_or_crashes(void **state) {
    static const char *const how[] = {"hangs", "crashes"};
    static const char *const reason[] = {"did not answer in time", "it crashed"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(setenv("FAKE_NVML", how[i], 1), 0);
        const assay_host_t *host = ask(state, HOST_NVML, FAKE_VENDOR, false);
        assert_int_equal(unsetenv("FAKE_NVML"), 0);
        assert_int_equal(host->n_source, 1);
        assert_string_equal(host->source[0].reason, reason[i]);
    }
}

static void test_amd_smi(void **state) {
    const assay_host_t *host = ask(state, HOST_AMD_SMI, FAKE_VENDOR, true);
    assert_int_equal(host->n_gpu, 2);
    assert_string_equal(host->gpu[0].bdf.s, "0001:47:00.0");
    assert_string_equal(host->gpu[1].bdf.s, "0001:48:01.0");
    assert_int_equal(host->gpu[0].vendor, ASSAY_VENDOR_AMD);
    assay_test_close(host->gpu[0].vram_bytes.v, 206141652992.0, 0, 0, "memory");
    assay_test_close(host->gpu[0].hotspot_c.v, 52, 0, 0, "hotspot");
    assert_int_equal(host->gpu[0].edge_c.state, ASSAY_HOST_UNSUPPORTED);
}

static void test_rocm_smi(void **state) {
    const assay_host_t *host = ask(state, HOST_ROCM_SMI, FAKE_VENDOR, true);
    assert_int_equal(host->n_gpu, 1);
    assert_string_equal(host->gpu[0].bdf.s, "0001:c1:00.0");
    assay_test_close(host->gpu[0].hotspot_c.v, 38.5, 1e-12, 0, "hotspot");
    assay_test_close(host->gpu[0].numa_node.v, 1, 0, 0, "NUMA node");
}

static void test_hwloc(void **state) {
    const assay_host_t *host = ask(state, HOST_HWLOC, FAKE_VENDOR, true);
    assay_test_close(host->sockets.v, 2, 0, 0, "sockets");
}

static void test_no_such_library(void **state) {
    const assay_host_t *host = ask(state, HOST_NVML, "/no/such/library.so", false);
    assert_int_equal(host->n_source, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nvml),
                                       cmocka_unit_test(test_nvml_that_refuses),
                                       cmocka_unit_test(test_nvml_that_hangs_or_crashes),
                                       cmocka_unit_test(test_amd_smi),
                                       cmocka_unit_test(test_rocm_smi),
                                       cmocka_unit_test(test_hwloc),
                                       cmocka_unit_test(test_no_such_library)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
