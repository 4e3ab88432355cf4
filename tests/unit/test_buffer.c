#include <stdlib.h>

#include "assay/text.h"
#include "assay_test.h"

static void test_appends_grow_and_stay_terminated(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 1 << 20);
    assay_buf_puts(&buf, "");
    assert_null(buf.data);
    for (int i = 0; i < 1000; i++) {
        assay_buf_puts(&buf, "ab");
        assay_buf_add(&buf, "cdef", 1);
        assay_buf_printf(&buf, "%03d", i);
        assert_int_equal(buf.n, 6 * (i + 1));
        assert_int_equal(buf.data[buf.n], '\0');
    }
    assert_int_equal(strncmp(buf.data + 6 * 123, "abc123abc124", 12), 0);
    assert_false(buf.failed);
    assay_buf_done(&buf);
    assert_null(buf.data);
}

static void test_maximum_is_reached_exactly(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 10);
    assay_buf_puts(&buf, "12345");
    assay_buf_printf(&buf, "%s", "67890");
    assert_false(buf.failed);
    assert_string_equal(buf.data, "1234567890");
    assay_buf_add(&buf, "x", 1);
    assert_true(buf.failed);
    assert_string_equal(buf.data, "1234567890");
    assay_buf_done(&buf);
}

static bool append(void *ctx, const char *data, size_t n) {
    assay_buf_add(ctx, data, n);
    return true;
}

static void test_a_spooled_buffer_holds_the_same_bytes(void **state) {
    (void)state;
    assay_buf_t buf, plain, again;
    assay_buf_init(&buf, 1 << 20);
    assay_buf_init(&plain, 1 << 20);
    assay_buf_init(&again, 1 << 20);
    assay_buf_spool(&buf, 100);
    for (int i = 0; i < 10000; i++) {
        assay_buf_printf(&buf, "%d ", i);
        assay_buf_printf(&plain, "%d ", i);
        assay_buf_puts(&buf, i % 3 ? "word\n" : "");
        assay_buf_puts(&plain, i % 3 ? "word\n" : "");
        assert_true(buf.n <= 100 + 16);
    }
    assert_int_equal(buf.spooled + buf.n, plain.n);
    assert_true(assay_buf_each(&buf, append, &again));
    assert_int_equal(again.n, plain.n);
    assert_memory_equal(again.data, plain.data, plain.n);
    assay_buf_done(&buf);
    assay_buf_done(&plain);
    assay_buf_done(&again);
}

static void test_the_maximum_counts_what_is_spooled(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 25);
    assay_buf_spool(&buf, 4);
    for (int i = 0; i < 5; i++) {
        assay_buf_puts(&buf, "12345");
    }
    assert_false(buf.failed);
    assay_buf_puts(&buf, "6");
    assert_true(buf.failed);
    assay_buf_done(&buf);
}

static void test_without_a_folder_for_it_nothing_is_spooled(void **state) {
    (void)state;
    assay_buf_t buf;
    char *before = getenv("TMPDIR");
    assert_int_equal(setenv("TMPDIR", "/nowhere/at all", 1), 0);
    assay_buf_init(&buf, 100);
    assay_buf_spool(&buf, 4);
    assay_buf_puts(&buf, "12345");
    assay_buf_puts(&buf, "67890");
    assert_string_equal(buf.data, "1234567890");
    assert_int_equal(buf.spooled, 0);
    assay_buf_done(&buf);
    assert_int_equal(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
}

static void test_what_does_not_fit_leaves_nothing_behind(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 10);
    assay_buf_puts(&buf, "12345");
    assay_buf_printf(&buf, "%s", "678901");
    assert_true(buf.failed);
    assert_string_equal(buf.data, "12345");
    assay_buf_puts(&buf, "6"); /* it stays failed */
    assay_buf_printf(&buf, "6");
    assert_string_equal(buf.data, "12345");
    assay_buf_done(&buf);
    assay_buf_init(&buf, 0);
    assay_buf_printf(&buf, "x");
    assert_true(buf.failed && !buf.data);
    assay_buf_done(&buf);
}

static void test_no_maximum_does_not_overflow(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, SIZE_MAX);
    assay_buf_puts(&buf, "x");
    assert_string_equal(buf.data, "x");
    assay_buf_add(&buf, "y", SIZE_MAX - 1);
    assert_true(buf.failed);
    assay_buf_done(&buf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_appends_grow_and_stay_terminated),
        cmocka_unit_test(test_maximum_is_reached_exactly),
        cmocka_unit_test(test_what_does_not_fit_leaves_nothing_behind),
        cmocka_unit_test(test_a_spooled_buffer_holds_the_same_bytes),
        cmocka_unit_test(test_the_maximum_counts_what_is_spooled),
        cmocka_unit_test(test_without_a_folder_for_it_nothing_is_spooled),
        cmocka_unit_test(test_no_maximum_does_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
