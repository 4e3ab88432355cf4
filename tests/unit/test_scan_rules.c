/* Sources of tests/rules say in a comment which rules each line has: //! warp-mask-32bit. Whatever
   is not said must not be found; mere renamings (notes) are left out. */
#include <stdio.h>

#include "assay_test.h"

#include "assay/port.h"

static int make_arena(void **state) {
    *state = assay_arena_create((size_t)256 << 20);
    return *state ? 0 : -1;
}
static int drop_arena(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static bool is_expected(const char *line, const char *rule) {
    const char *said = strstr(line, "//! ");
    const size_t n = strlen(rule);
    for (const char *at = said; at && (at = strstr(at, rule)); at += n) {
        if (at[-1] == ' ' && (at[n] == ' ' || at[n] == '\n' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static uint32_t check_line(const assay_port_scan_t *scan, const char *file, uint32_t number,
                           const char *line) {
    uint32_t wrong = 0;
    char rules[512] = "";
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        const assay_port_finding_t *f = &scan->finding[i];
        if (f->at.line == number && f->effect != ASSAY_EFFECT_NOTE && f->level < 3) {
            snprintf(rules + strlen(rules), sizeof rules - strlen(rules), "%s ", f->rule);
            if (!is_expected(line, f->rule)) {
                print_error("%s:%u: %s is found and not expected\n", file, number, f->rule);
                wrong++;
            }
        }
    }
    const char *said = strstr(line, "//! ");
    for (const char *at = said ? said + 4 : NULL; at && *at && *at != '\n';) {
        char rule[64];
        const size_t n = strcspn(at, " \n");
        snprintf(rule, sizeof rule, "%.*s", (int)n, at);
        if (n > 0 && !strstr(rules, rule)) {
            print_error("%s:%u: %s is expected and not found (found: %s)\n", file, number, rule,
                        rules);
            wrong++;
        }
        at += n + (at[n] == ' ');
    }
    return wrong;
}

static void check_file(void *arena, const char *name) {
    const assay_port_options_t options = {.rocm = 604, .target = "gfx942", .threads = 1};
    assay_port_scan_t *scan;
    assay_error_t err = {0};
    char *path = assay_arena_printf(arena, ASSAY_SOURCE_DIR "/tests/rules/%s", name);
    char *data;
    size_t size;
    assert_int_equal(assay_port_scan(arena, path, &options, &scan, &err), ASSAY_OK);
    assert_int_equal(assay_file_read(arena, path, 1u << 20, &data, &size, &err), ASSAY_OK);
    uint32_t wrong = 0, number = 1;
    for (const char *line = data; line && *line; number++) {
        const char *stop = strchr(line, '\n');
        const char *copy =
            assay_arena_strndup(arena, line, stop ? (size_t)(stop - line) : strlen(line));
        wrong += check_line(scan, name, number, copy);
        line = stop ? stop + 1 : NULL;
    }
    assert_int_equal(wrong, 0);
}

static void test_warps(void **state) {
    check_file(*state, "warp.cu");
}
static void test_device_code(void **state) {
    check_file(*state, "device.cu");
}
static void test_assembly_of_the_host(void **state) {
    check_file(*state, "host_asm.cpp");
}
static void test_interfaces(void **state) {
    check_file(*state, "api.cu");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warps),
        cmocka_unit_test(test_device_code),
        cmocka_unit_test(test_assembly_of_the_host),
        cmocka_unit_test(test_interfaces),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
