#include "assay/fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/text.h"
#include "host/host_command.h"
#include "host_fixture.h"

static void put(const char *root, const char *folder, const char *name, const char *text) {
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, folder);
    (void)mkdir(path, 0755);
    (void)snprintf(path, sizeof path, "%s/%s/%s", root, folder, name);
    assert_int_equal(assay_file_write(path, text, strlen(text), NULL), ASSAY_OK);
}

static void remove_folder(const char *root) {
    host_command_t command = {.argv = {"rm", "-r", root}};
    host_command_run(&command, 1, 10);
    assay_buf_done(&command.out);
}

/* Seven hosts: one balances, and of the five that tell their kernel one has another. */
static void test_verdicts_and_outliers(void **state) {
    const host_fixture_t *fixture = *state;
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    const assay_fleet_t *fleet = NULL;
    char root[] = "/tmp/assay-fleet-XXXXXX", name[16];
    assay_error_t err = {0};
    assert_non_null(mkdtemp(root));
    assert_false(assay_fleet_is(root));
    for (int i = 0; i < 7; i++) {
        (void)snprintf(name, sizeof name, "n%d", i);
        put(root, name, "numa_balancing", i == 4 ? "1\n" : "0\n");
        if (i < 5) {
            put(root, name, "uname.txt",
                i == 2 ? "Linux h 5.15.0-1-generic #1 SMP x86_64 GNU/Linux\n"
                       : "Linux h 6.8.0-1-generic #1 SMP x86_64 GNU/Linux\n");
        }
    }
    assert_true(assay_fleet_is(root));
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        assert_int_equal(assay_fleet_read(fixture->arena, fixture->rules, root, &options, threads,
                                          NULL, &fleet, &err),
                         ASSAY_OK);
        assert_int_equal(fleet->n_host, 7);
        assert_int_equal(fleet->n_reached, 1);
        assert_string_equal(fleet->host[0].name, "n4");
        assert_string_equal(fleet->host[0].first->id, "KRN-006");
        assert_int_equal(fleet->n_outlier, 2);
        assert_string_equal(fleet->outlier[0].what, "kernel");
        assert_string_equal(fleet->host[fleet->outlier[0].host].name, "n2");
        assert_int_equal(fleet->outlier[0].n_usual, 4);
        assert_int_equal(fleet->outlier[0].n_known, 5);
        assert_string_equal(fleet->outlier[1].what, "kernel.numa_balancing");
        assert_string_equal(fleet->outlier[1].usual, "0");
    }
    static const char *const only[] = {"KRN-999"};
    const assay_doctor_options_t wrong = {.only = only, .n_only = 1};
    assert_int_equal(
        assay_fleet_read(fixture->arena, fixture->rules, root, &wrong, 2, NULL, &fleet, &err),
        ASSAY_NOT_FOUND);
    remove_folder(root);
}

/* A copy of a root, a folder of texts, and a file are one host. */
static void test_what_is_a_fleet(void **state) {
    char root[] = "/tmp/assay-fleet-XXXXXX", other[] = "/tmp/assay-fleet-XXXXXX", path[64];
    (void)state;
    assert_non_null(mkdtemp(root));
    put(root, "proc", "cmdline", "x\n");
    put(root, "sys", "y", "x\n");
    assert_false(assay_fleet_is(root));
    remove_folder(root);
    assert_non_null(mkdtemp(other));
    put(other, "a", "x", "x\n");
    put(other, "b", "x", "x\n");
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/text%d", other, i);
        assert_int_equal(assay_file_write(path, "x", 1, NULL), ASSAY_OK);
    }
    assert_false(assay_fleet_is(other)); /* as many texts as folders */
    (void)unlink(path);
    assert_true(assay_fleet_is(other));
    assert_false(assay_fleet_is("-"));
    assert_false(assay_fleet_is("/nonexistent"));
    remove_folder(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts_and_outliers),
        cmocka_unit_test(test_what_is_a_fleet),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
