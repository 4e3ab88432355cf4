#include "assay/doctor.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/host_check.h"
#include "host/host_rules.h"
#include "host_fixture.h"

static void test_numa_balancing(void **state) {
    const assay_host_t *host = HOST(state, "proc_sys_kernel_numa_balancing.txt", "1\n");
    const assay_doctor_finding_t *finding = host_finding(state, host, "krn-006");
    assert_int_equal(finding->status, ASSAY_CHECK_BAD);
    assert_int_equal(finding->severity, ASSAY_SEVERITY_WARNING);
    assert_string_equal(finding->evidence,
                        "proc_sys_kernel_numa_balancing.txt:1: kernel.numa_balancing = 1");
    assert_non_null(strstr(finding->fix, "kernel.numa_balancing=0"));
    host = HOST(state, "numa_balancing", "0\n");
    assert_int_equal(host_status(state, host, "KRN-006"), ASSAY_CHECK_GOOD);
    host = HOST(state, "proc_cmdline", "BOOT_IMAGE=/vmlinuz ro\n");
    assert_int_equal(host_status(state, host, "KRN-006"), ASSAY_CHECK_NOT_CHECKED);
}

static void test_unknown_check_is_refused(void **state) {
    const host_fixture_t *fixture = *state;
    static const char *const only[] = {"KRN-999"};
    const assay_doctor_options_t options = {.only = only, .n_only = 1};
    assay_diagnosis_t *diagnosis = NULL;
    assay_error_t err;
    assert_int_equal(assay_doctor(fixture->arena, fixture->rules, HOST(state, "a", ""), &options,
                                  &diagnosis, &err),
                     ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.what, "KRN-999"));
}

/* Every check has its words, every threshold its check, and causes run in no circle. */
static void test_tables_fit_each_other(void **state) {
    const host_fixture_t *fixture = *state;
    const assay_host_rules_t *rules = fixture->rules;
    uint32_t n_rows = 0;
    for (uint32_t g = 0; g < host_check_group_n; g++) {
        n_rows += host_check_group[g]->n;
        for (uint32_t i = 0; i < host_check_group[g]->n; i++) {
            assert_non_null(assay_host_rules_check(rules, host_check_group[g]->row[i].id));
        }
    }
    assert_int_equal(n_rows, rules->n_check);
    for (uint32_t i = 0; i < rules->n_check; i++) {
        const assay_check_t *check = &rules->check[i];
        assert_true(*check->title && *check->cause && *check->fix && *check->reads &&
                    *check->source);
        assert_null(strstr(check->fix, "--privileged"));
        assert_null(strstr(check->fix, "666"));
    }
    for (uint32_t i = 0; i < rules->n_cause; i++) {
        const char *id = rules->cause[i].cause;
        for (uint32_t step = 0; step <= rules->n_cause; step++) {
            assert_string_not_equal(id, rules->cause[i].consequence);
            for (uint32_t k = 0; k < rules->n_cause; k++) {
                if (strcmp(rules->cause[k].consequence, id) == 0) {
                    id = rules->cause[k].cause;
                    break;
                }
            }
        }
    }
}

/* The cause first, what follows under it, and the first thing to do is the cause. */
static void test_consequences_follow_causes(void **state) {
    const host_fixture_t *fixture = *state;
    const assay_host_t *host =
        HOST(state, "cmdline", "BOOT_IMAGE=/vmlinuz modprobe.blacklist=amdgpu\n", "lsmod.txt",
             "Module Size Used by\nmlx5_core 1 0\n", "lspci.txt",
             "05:00.0 Processing accelerators [1200]: Advanced Micro Devices, Inc. [1002:74a1]\n");
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_CRITICAL};
    assay_diagnosis_t *diagnosis = NULL;
    assert_int_equal(assay_doctor(fixture->arena, fixture->rules, host, &options, &diagnosis, NULL),
                     ASSAY_OK);
    assert_int_equal(diagnosis->first, 0);
    assert_string_equal(diagnosis->finding[0].check->id, "KRN-007");
    assert_int_equal(diagnosis->finding[0].root, -1);
    assert_string_equal(diagnosis->finding[1].check->id, "KRN-002");
    assert_int_equal(diagnosis->finding[1].root, 0);
    assert_int_equal(diagnosis->n_severity[ASSAY_SEVERITY_ERROR], 2);
    assert_false(diagnosis->reached);
}

/* Ten accelerators with one fault are one finding with ten devices; eight are told. */
static void test_equal_findings_are_one(void **state) {
    char text[4096] = "device,Performance Level\n";
    for (int i = 0; i < 10; i++) {
        char line[64];
        snprintf(line, sizeof line, "card%d,manual\n", i);
        memcpy(text + strlen(text), line, strlen(line) + 1);
    }
    const assay_doctor_finding_t *finding =
        host_finding(state, HOST(state, "rocm-smi.csv", text), "PWR-005");
    assert_int_equal(finding->status, ASSAY_CHECK_BAD);
    assert_int_equal(finding->n_device, 10);
    assert_non_null(strstr(finding->evidence, "; and 2 more"));
}

static void expect_visible(const char *rocr, const char *hip, const char *cuda, uint32_t n,
                           const char *expected) {
    const host_visible_t visible = host_visible(rocr, hip, cuda, n);
    char text[64] = "";
    assert_true(visible.known);
    for (uint32_t i = 0; i < visible.n; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%u ", visible.device[i]);
    }
    assert_string_equal(text, expected);
}

/* As measured in Parsl/parsl#3858 (a to d) and counted (e): 8 devices. */
static void test_visible_devices(void **state) {
    (void)state;
    expect_visible(NULL, NULL, "1", 8, "1 ");
    expect_visible("1", NULL, "1", 8, "");
    expect_visible("1", NULL, "0", 8, "1 ");
    expect_visible("1", NULL, NULL, 8, "1 ");
    expect_visible("2,3", "2,3", NULL, 8, "");
    expect_visible("2,3", "1,0", "7", 8, "3 2 ");
    expect_visible(NULL, "0,9,1", NULL, 8, "0 "); /* up to what is none */
    expect_visible(NULL, "-1", NULL, 8, "");
    assert_false(host_visible(NULL, NULL, NULL, 0).known);
    const host_visible_t by_uuid = host_visible("GPU-aa,GPU-bb", NULL, NULL, 8);
    assert_int_equal(by_uuid.n, 2);
    assert_false(by_uuid.named);
}

/* Just inside and just outside of a threshold: 5 K below 100 degrees. */
static void test_threshold(void **state) {
    static const char form[] = "GPU: 0\n    LIMIT:\n        SLOWDOWN_HOTSPOT_TEMPERATURE: 100 C\n"
                               "    TEMPERATURE:\n        HOTSPOT: %d C\n";
    for (int degrees = 94; degrees <= 96; degrees++) {
        char text[256];
        snprintf(text, sizeof text, form, degrees);
        assert_int_equal(host_status(state, HOST(state, "amd-smi-metric.txt", text), "THM-001"),
                         degrees > 95 ? ASSAY_CHECK_BAD : ASSAY_CHECK_GOOD);
    }
}

/* Two dispatches of 3 and 1 microseconds: (3 * 60 + 1 * 100) / 4 = 70 %. */
static void test_lanes_from_counters(void **state) {
    const assay_doctor_finding_t *finding = host_finding(
        state,
        HOST(state, "counters.csv",
             "\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\","
             "\"End_Timestamp\"\n\"gemm\",\"VALUBusy\",60,1000,4000\n"
             "\"add\",\"VALUBusy\",100,5000,6000\n\"add\",\"SQ_WAVES\",12,5000,6000\n"),
        "PRF-002");
    assert_int_equal(finding->status, ASSAY_CHECK_BAD);
    assert_non_null(strstr(finding->evidence, "70 %"));
    assert_non_null(strstr(finding->cause, "low: "));
    finding = host_finding(
        state, HOST(state, "results.csv", "Index,KernelName,VALUBusy\n0,gemm,95.5\n1,gemm,96.5\n"),
        "PRF-002");
    assert_non_null(strstr(finding->evidence, "96 %")); /* without durations each counts once */
    assert_non_null(strstr(finding->cause, "high: "));
}

/* One agent of rocminfo beside eight devices of another tool is none of its own. */
static void test_an_excerpt_is_no_device(void **state) {
    const assay_host_t *host =
        HOST(state, "amd-smi-static.txt",
             "GPU: 0\n    ASIC:\n        MARKET_NAME: AMD Instinct MI300X\n    BUS:\n"
             "        BDF: 0000:05:00.0\nGPU: 1\n    ASIC:\n"
             "        MARKET_NAME: AMD Instinct MI300X\n    BUS:\n        BDF: 0000:15:00.0\n",
             "rocminfo.txt",
             "*******\nAgent 3\n*******\n  Name:                    gfx942\n"
             "  Marketing Name:          AMD Instinct MI300X\n");
    assert_int_equal(host->n_gpu, 2);
    assert_string_equal(host->gpu[0].target.s, "gfx942");
    assert_string_equal(host->gpu[1].target.s, "gfx942");
}

/* What only the sender says is shown as such; a measured fact is not. */
static void test_notes_are_stated(void **state) {
    const assay_doctor_finding_t *finding =
        host_finding(state,
                     HOST(state, "context.txt", "7 HIP devices\n", "list-count.txt",
                          "expected_logical_gpus=8\n"),
                     "SW-009");
    assert_int_equal(finding->status, ASSAY_CHECK_BAD);
    assert_true(finding->stated);
    finding = host_finding(
        state, HOST(state, "list-count.txt", "expected_logical_gpus=8\nlisted=7\n"), "SW-009");
    assert_int_equal(finding->status, ASSAY_CHECK_BAD);
    assert_false(finding->stated);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numa_balancing),
        cmocka_unit_test(test_unknown_check_is_refused),
        cmocka_unit_test(test_tables_fit_each_other),
        cmocka_unit_test(test_consequences_follow_causes),
        cmocka_unit_test(test_equal_findings_are_one),
        cmocka_unit_test(test_visible_devices),
        cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_lanes_from_counters),
        cmocka_unit_test(test_an_excerpt_is_no_device),
        cmocka_unit_test(test_notes_are_stated),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
