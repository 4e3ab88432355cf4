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
        cmocka_unit_test(test_no_maximum_does_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
