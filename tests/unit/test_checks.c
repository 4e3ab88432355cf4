#include "assay/doctor.h"

#include <stdio.h>

#include "host/host_check.h"
#include "host/host_rules.h"
#include "host_facts.h"

/* The 126 of the catalogue of checks; more may stand beside them. */
static const char *const catalogue = "CLK-001 CLK-002 CLK-003 CNT-001 CNT-002 CNT-003 CNT-004 "
                                     "CNT-005 CNT-006 COL-001 COL-002 COL-003 "
                                     "CPU-001 CPU-002 CPU-003 CPU-004 DEV-001 DEV-002 DEV-003 "
                                     "DEV-004 DEV-005 DEV-006 DEV-007 DEV-008 "
                                     "DEV-009 ENV-001 ENV-002 ENV-003 ENV-004 ENV-005 ENV-006 "
                                     "ENV-007 ENV-008 ENV-009 IOM-001 IOM-002 "
                                     "IOM-003 KRN-001 KRN-002 KRN-003 KRN-004 KRN-005 KRN-006 "
                                     "KRN-007 KRN-008 MEM-001 MEM-002 MEM-003 "
                                     "MEM-004 MEM-005 MEM-006 NET-001 NET-002 NET-003 NET-004 "
                                     "NET-005 NET-006 NET-007 NET-008 NET-009 "
                                     "NUM-001 NUM-002 NUM-003 NUM-004 NUM-005 NVD-001 NVD-002 "
                                     "NVD-003 NVD-004 NVD-005 NVD-006 NVD-007 "
                                     "NVD-008 NVD-009 NVD-010 NVD-011 NVD-012 NVD-013 NVD-014 "
                                     "NVD-015 NVD-016 NVD-017 PCI-001 PCI-002 "
                                     "PCI-003 PCI-004 PCI-005 PCI-006 PCI-007 PCI-008 PCI-009 "
                                     "PCI-010 PRF-001 PRT-001 PWR-001 PWR-002 "
                                     "PWR-003 PWR-004 PWR-005 PWR-006 RAS-001 RAS-002 RAS-003 "
                                     "RAS-004 RAS-005 RAS-006 SCH-001 SCH-002 "
                                     "SCH-003 SW-001 SW-002 SW-003 SW-004 SW-005 SW-006 SW-007 "
                                     "SW-008 SW-009 THM-001 THM-002 THM-003 "
                                     "VRT-001 XGM-001 XGM-002 XGM-003 XGM-004";

static void test_catalogue_is_whole(void **state) {
    const host_fixture_t *fixture = *state;
    uint32_t n = 0;
    for (const char *at = catalogue; *at; n++) {
        char id[16];
        const size_t length = strcspn(at, " ");
        snprintf(id, sizeof id, "%.*s", (int)length, at);
        if (!assay_host_rules_check(fixture->rules, id)) {
            fail_msg("%s is missing", id);
        }
        at += length + (at[length] == ' ');
    }
    assert_int_equal(n, 126);
}

/* --- tests/unit/check_cases.txt --------------------------------------------------------------- */

typedef struct {
    const char *id, *expected;
    char *facts; /* lines, without their indentation */
} check_case_t;

#define CASES_MAX 4096

static check_case_t *read_cases(assay_arena_t *arena, uint32_t *out_n) {
    check_case_t *cases = assay_arena_array(arena, CASES_MAX, sizeof *cases);
    char *text;
    size_t size;
    assert_non_null(cases);
    assert_int_equal(assay_file_read(arena, ASSAY_SOURCE_DIR "/tests/unit/check_cases.txt",
                                     1u << 20, &text, &size, NULL),
                     ASSAY_OK);
    uint32_t n = 0;
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        char *next = line + length + (line[length] == '\n');
        line[length] = '\0';
        if (*line == ' ') {
            assert_true(n > 0);
            cases[n - 1].facts =
                assay_arena_printf(arena, "%s%s\n", cases[n - 1].facts, line + strspn(line, " "));
        } else if (*line && *line != '#') {
            char *blank = strchr(line, ' ');
            assert_non_null(blank);
            assert_true(n < CASES_MAX);
            *blank = '\0';
            cases[n++] = (check_case_t){line, blank + 1, (char *)""};
        }
        line = next;
    }
    *out_n = n;
    return cases;
}

static const char *said(const assay_doctor_finding_t *finding) {
    static const char *const word[ASSAY_CHECK_STATUS_N] = {[ASSAY_CHECK_GOOD] = "good",
                                                           [ASSAY_CHECK_NOT_APPLICABLE] = "none",
                                                           [ASSAY_CHECK_NOT_CHECKED] = "unknown"};
    return finding->status == ASSAY_CHECK_BAD
               ? assay_severity_name((assay_severity_t)finding->severity)
               : word[finding->status];
}

static void test_cases(void **state) {
    const host_fixture_t *fixture = *state;
    uint32_t n_wrong = 0, n = 0;
    const check_case_t *cases = read_cases(fixture->arena, &n);
    for (uint32_t i = 0; i < n; i++) {
        const check_case_t *row = &cases[i];
        const assay_doctor_options_t options = {.only = &row->id, .n_only = 1};
        assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
        assay_diagnosis_t *diagnosis = NULL;
        assert_int_equal(assay_doctor(arena, fixture->rules, host_of_facts(arena, row->facts),
                                      &options, &diagnosis, NULL),
                         ASSAY_OK);
        const assay_doctor_finding_t *finding = &diagnosis->finding[0];
        if (strcmp(said(finding), row->expected) != 0) {
            print_error("%s: expected %s, said %s: %s\n%s\n", row->id, row->expected, said(finding),
                        finding->evidence, row->facts);
            n_wrong++;
        }
        assay_arena_destroy(arena);
    }
    assert_int_equal(n_wrong, 0);
}

/* Eight packages in CPX are 64 devices; a tool that lists the partitions has counted them. */
static void test_partitions_are_devices(void **state) {
    const host_fixture_t *fixture = *state;
    static const char part[] = "gpu vendor=AMD name=MI300X compute_partition=CPX ";
    char text[1024] = "";
    for (int i = 0; i < 8; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s\n", part);
    }
    assert_int_equal(host_device_count(fixture->rules, host_of_facts(fixture->arena, text)), 64);
    snprintf(text, sizeof text, "%spartition=0\n%spartition=1\n", part, part);
    assert_int_equal(host_device_count(fixture->rules, host_of_facts(fixture->arena, text)), 2);
}

/* A check without a host on which it fires, is quiet and does not know is not tested. */
static void test_every_check_has_its_cases(void **state) {
    const host_fixture_t *fixture = *state;
    uint32_t n = 0;
    const check_case_t *cases = read_cases(fixture->arena, &n);
    for (uint32_t i = 0; i < fixture->rules->n_check; i++) {
        const char *id = fixture->rules->check[i].id;
        bool fires = false, quiet = false, unknown = false;
        for (uint32_t k = 0; k < n; k++) {
            const char *expected = cases[k].expected;
            if (strcmp(cases[k].id, id) == 0) {
                const bool good = strcmp(expected, "good") == 0 || strcmp(expected, "none") == 0;
                const bool not_known = strcmp(expected, "unknown") == 0;
                quiet |= good;
                unknown |= not_known;
                fires |= !good && !not_known;
            }
        }
        if (!fires || !quiet || !unknown) {
            fail_msg("%s: no case where it %s", id,
                     !fires   ? "fires"
                     : !quiet ? "is quiet"
                              : "does not know");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catalogue_is_whole),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_partitions_are_devices),
        cmocka_unit_test(test_every_check_has_its_cases),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
