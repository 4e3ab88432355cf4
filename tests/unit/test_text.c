#include "assay/text.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay_test.h"

static double number(const char *text) {
    double value = -12345;
    if (!assay_text_to_double(text, strlen(text), &value)) {
        fail_msg("\"%s\" was refused", text);
    }
    return value;
}

static void check_same(const char *text, double expected) {
    const double value = number(text);
    if (memcmp(&value, &expected, sizeof value) != 0) {
        fail_msg("\"%s\": got %a, expected %a", text, value, expected);
    }
}

static void test_numbers_are_read_exactly(void **state) {
    (void)state;
    check_same("0", 0.0);
    check_same("-0", -0.0);
    check_same("0.1", 0.1);
    check_same(".5", 0.5);
    check_same("5.", 5.0);
    check_same("+1.4e12", 1.4e12);
    check_same("1E-3", 1e-3);
    check_same("0000000000000000000000012", 12.0);
    check_same("0.00000000000000000000000000000000000012", 1.2e-37);
    check_same("123456789012345e22", 123456789012345e22);
    check_same("1e23", 1e23);
    check_same("9007199254740993", 9007199254740992.0); /* 2^53 + 1: tie to even */
    check_same("9007199254740993.0000000000000000000000000000001", 9007199254740994.0);
    check_same("1.7976931348623157e308", DBL_MAX);
    check_same("4.9406564584124654e-324", DBL_TRUE_MIN);
    check_same("2.2250738585072011e-308", 0x0.fffffffffffffp-1022); /* the PHP and Java hang */
    check_same("1e-400", 0.0);
    check_same("0e999999999999999999999", 0.0);
    check_same("0.000000000000000000001e21", 1.0);
}

/* 1/2 + 2^-54 is halfway between 1/2 and the next double; its 54 digits are exact. The tie goes to
   even, but one unit however late after it goes up. */
static void test_ties_are_decided_by_late_digits(void **state) {
    (void)state;
    static const char tie[] = "0.500000000000000055511151231257827021181583404541015625";
    static char text[4096];
    memset(text, '0', sizeof text);
    memcpy(text, tie, sizeof tie - 1);
    text[4000] = '1';
    text[4001] = '\0';
    check_same(text, 0.5 + DBL_EPSILON / 2);
    text[4000] = '\0';
    check_same(text, 0.5);
    check_same(tie, 0.5);
}

static void test_what_is_no_finite_decimal_number_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",     " ",   " 1",       "1 ",  "+",     "-",        ".",     "e5",  "1e",    "1e+",
        "0x10", "nan", "infinity", "inf", "1e999", "-1e309",   "1,5",   "1_0", "1.2.3", "1e1.5",
        "--1",  "1d",  "1f",       "NaN", "1e5e5", "\xd9\xa1", "1'000", "0b1", "1e-"};
    double value = 42;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (assay_text_to_double(bad[i], strlen(bad[i]), &value)) {
            fail_msg("\"%s\" was read as %g", bad[i], value);
        }
    }
    assert_false(assay_text_to_double("1\0002", 3, &value));
    assay_test_close(value, 42, 0, 0, "untouched on failure");
    assert_true(assay_text_to_double("125", 2, &value)); /* n counts, not the NUL */
    assay_test_close(value, 12, 0, 0, "first two characters");
}

static void test_u64(void **state) {
    (void)state;
    uint64_t value = 42;
    assert_true(assay_text_to_u64("18446744073709551615", 20, &value));
    assert_true(value == UINT64_MAX);
    assert_true(assay_text_to_u64("007", 3, &value));
    assert_int_equal(value, 7);
    assert_false(assay_text_to_u64("18446744073709551616", 20, &value));
    assert_false(assay_text_to_u64("99999999999999999999", 20, &value));
    assert_false(assay_text_to_u64("", 0, &value));
    assert_false(assay_text_to_u64("-1", 2, &value));
    assert_false(assay_text_to_u64("+1", 2, &value));
    assert_false(assay_text_to_u64("1.0", 3, &value));
    assert_int_equal(value, 7);
}

static void check_print(double value, const char *expected) {
    char out[32];
    assert_int_equal(assay_text_from_double(out, value), strlen(expected));
    assert_string_equal(out, expected);
}

static void test_shortest_form(void **state) {
    (void)state;
    check_print(0, "0");
    check_print(-0.0, "-0");
    check_print(0.1, "0.1");
    check_print(0.1 + 0.2, "0.30000000000000004");
    check_print(-2.5, "-2.5");
    check_print(100, "100");
    check_print(128000, "128000");
    check_print(1.4e12, "1400000000000");
    check_print(123456789012345.0, "123456789012345");
    check_print(1e15, "1e15");
    check_print(1.5e300, "1.5e300");
    check_print(1e-4, "0.0001");
    check_print(1.25e-5, "1.25e-5");
    check_print(1.0 / 3, "0.3333333333333333");
    check_print(DBL_MAX, "1.7976931348623157e308");
    check_print(DBL_TRUE_MIN, "5e-324");
    check_print(-DBL_MIN, "-2.2250738585072014e-308");
    check_print((double)INFINITY, "inf");
    check_print((double)-INFINITY, "-inf");
    check_print((double)NAN, "nan");
}

static void check_short(double value, int digits, const char *expected) {
    char out[32];
    assert_int_equal(assay_text_from_double_short(out, value, digits), strlen(expected));
    assert_string_equal(out, expected);
}

static void test_short_form(void **state) {
    (void)state;
    check_short(1234567, 3, "1230000");
    check_short(999.6, 3, "1000");
    check_short(80, 3, "80");
    check_short(-0.0123456, 3, "-0.0123");
    check_short(0.0001, 1, "0.0001");
    check_short(0.00012345, 2, "0.00012");
    check_short(9.99e14, 2, "1e15");
    check_short(0.000099999, 3, "0.0001");
    check_short(1.0 / 3, 17, "0.33333333333333331");
    check_short(1.0 / 3, 99, "0.33333333333333331");
    check_short(25, 0, "20"); /* at least one digit; a tie goes to even */
    check_short(-0.0, 3, "0");
    check_short(-(double)INFINITY, 3, "-inf");
}

/* Every bit pattern that is finite reads back as itself, from both directions. */
static void check_round_trips(void) {
    uint64_t bits = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 20000; i++) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value, back = 0;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        char out[32];
        const size_t n = assay_text_from_double(out, value);
        assert_true(n < sizeof out && n == strlen(out));
        if (!assay_text_to_double(out, n, &back) || memcmp(&back, &value, sizeof back) != 0) {
            fail_msg("%a was printed as %s", value, out);
        }
    }
}

static void test_round_trip(void **state) {
    (void)state;
    check_round_trips();
}

/* strtod of the C locale is the independent implementation. */
static void test_reading_agrees_with_strtod(void **state) {
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        char text[64];
        (void)snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(x % 100000),
                       (unsigned long long)(x >> 20), (int)(x % 80) - 40);
        check_same(text, strtod(text, NULL));
    }
}

/* With the locales of this machine whose decimal point is not '.'; in ps_AF it is two bytes. */
static void test_no_locale_changes_anything(void **state) {
    (void)state;
    static const char *const locale[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8",
                                         "nl_NL.UTF-8", "nl_NL.utf8", "ps_AF.UTF-8", "ps_AF.utf8"};
    int n_checked = 0;
    for (size_t i = 0; i < sizeof locale / sizeof locale[0]; i++) {
        if (!setlocale(LC_ALL, locale[i]) || strcmp(localeconv()->decimal_point, ".") == 0) {
            continue;
        }
        n_checked++;
        check_print(0.5, "0.5");
        check_short(1234.5678, 6, "1234.57");
        check_same("0.1", 0.1);
        check_same("1.00000000000000000000001e30", 1e30);
        double value;
        assert_false(assay_text_to_double("0,5", 3, &value));
        check_round_trips();
    }
    (void)setlocale(LC_ALL, "C");
    if (n_checked == 0) {
        skip();
    }
}

static void test_utf8(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t n, bad;
    } row[] = {
        {"", 0, 0},
        {"abc", 3, 3},
        {"a\xc3\xa9\xe6\xa8\xa1\xf0\x9f\x98\x80", 10, 10},
        {"a\xc0\xaf", 3, 1},        /* overlong / */
        {"\xe0\x9f\xbf", 3, 0},     /* overlong U+07FF */
        {"\xf0\x8f\xbf\xbf", 4, 0}, /* overlong U+FFFF */
        {"ab\xed\xa0\x80", 5, 2},   /* surrogate */
        {"\xf4\x8f\xbf\xbf", 4, 4}, /* U+10FFFF, the last */
        {"\xf4\x90\x80\x80", 4, 0}, /* one beyond */
        {"\xf5\x80\x80\x80", 4, 0}, /* no such lead byte */
        {"x\x80", 2, 1},            /* continuation alone */
        {"x\xe6"
         "A\x80",
         4, 1},              /* a letter where a continuation must be */
        {"x\xe6\xa8", 3, 1}, /* cut short */
        {"a\0b", 3, 3},      /* NUL is a character */
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_int_equal(assay_text_utf8_bad(row[i].text, row[i].n), row[i].bad);
    }
}

static void test_character(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        uint32_t code;
        bool printable;
    } row[] = {
        {"a", 1, 'a', true},
        {"\xc3\xa9", 2, 0xe9, true},
        {"\xe6\xa8\xa1", 3, 0x6a21, true},
        {"\x1b[", 1, 0x1b, false},
        {"\x7f", 1, 0x7f, false},
        {"\xc2\x9b", 2, 0x9b, false},
        {"\xc2\xa0", 2, 0xa0, true},
        {"\xe2\x80\x8b", 3, 0x200b, false},
        {"\xe2\x80\xae", 3, 0x202e, false},
        {"\xef\xbb\xbf", 3, 0xfeff, false},
        {"\xf3\xa0\x81\xa1", 4, 0xe0061, false}, /* a tag */
        {"\xf0\x9f\x98\x80", 4, 0x1f600, true},
        {"\xe6\xa8", 1, 0xfffd, false},
        {"\xff", 1, 0xfffd, false},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        uint32_t code;
        bool printable;
        assert_int_equal(assay_text_character(row[i].text, strlen(row[i].text), &code, &printable),
                         row[i].n);
        assert_int_equal(code, row[i].code);
        assert_int_equal(printable, row[i].printable);
    }
    assay_buf_t buf;
    assay_buf_init(&buf, 100);
    assay_buf_printable(&buf, "\xe6\xa8\xa1 \x1b[31m\n\xe2\x80\xae", 13);
    assert_string_equal(buf.data, "\xe6\xa8\xa1 ?[31m??");
    assay_buf_done(&buf);
}

/* POSIX shell, 2.2.2: all but a single quote stands for itself between single quotes. */
static void test_shell_word(void **state) {
    (void)state;
    static const struct {
        const char *word, *quoted;
    } row[] = {{"a/b-1.5:x=y", "a/b-1.5:x=y"},
               {"", "''"},
               {"two words", "'two words'"},
               {"$(rm -r /)", "'$(rm -r /)'"},
               {"it's", "'it'\\''s'"},
               {"a\nb", "'a b'"},
               {"*", "'*'"},
               {"~root", "'~root'"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_buf_t buf;
        assay_buf_init(&buf, 100);
        assay_buf_shell_word(&buf, row[i].word);
        assert_string_equal(buf.data, row[i].quoted);
        assay_buf_done(&buf);
    }
}

/* 0x6a21 and 0x578b are Han, 0x3002 a full stop, 0xff08 an opening bracket. */
static void test_where_lines_end(void **state) {
    (void)state;
    assert_true(assay_text_may_break(' ', 'a'));
    assert_false(assay_text_may_break('a', 'b'));
    assert_true(assay_text_may_break(0x6a21, 0x578b));
    assert_true(assay_text_may_break('a', 0x578b));
    assert_false(assay_text_may_break(0x578b, 0x3002));
    assert_false(assay_text_may_break(0xff08, 0x6a21));
}

static void test_columns(void **state) {
    (void)state;
    assert_int_equal(assay_text_columns(""), 0);
    assert_int_equal(assay_text_columns("abc"), 3);
    assert_int_equal(assay_text_columns("\xc2\xb5s"), 2);
    assert_int_equal(assay_text_columns("\xe6\xa8\xa1\xe5\x9e\x8b"), 4); /* two Han */
    assert_int_equal(assay_text_columns("\xed\x95\x9c"), 2);             /* Hangul */
    assert_int_equal(assay_text_columns("\xef\xbc\xa1"), 2);             /* fullwidth A */
    assert_int_equal(assay_text_columns("\xef\xbd\xb1"), 1);             /* halfwidth kana */
    assert_int_equal(assay_text_columns("\xff\xfe"), 2);                 /* bad bytes */
}

static void test_distance(void **state) {
    (void)state;
    assert_int_equal(assay_text_distance("kitten", "sitting", 9), 3);
    assert_int_equal(assay_text_distance("epcohs", "epochs", 9), 1); /* a swap */
    assert_int_equal(assay_text_distance("ca", "abc", 9), 3);        /* restricted, not 2 */
    assert_int_equal(assay_text_distance("MI250X", "mi250x", 9), 0);
    assert_int_equal(assay_text_distance("", "abc", 9), 3);
    assert_int_equal(assay_text_distance("abc", "", 9), 3);
    assert_int_equal(assay_text_distance("kitten", "sitting", 2), 2); /* stops at the limit */
    assert_int_equal(assay_text_distance("a", "b", 0), 0);
    char a[300], b[300];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    a[299] = b[299] = '\0';
    b[150] = 'y';
    assert_int_equal(assay_text_distance(a, b, 9), 1); /* long, but alike at both ends */
    memset(b, 'z', 299);
    assert_int_equal(assay_text_distance(a, b, 9), 9);
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const name[] = {"epochs", NULL, "sequence", "precision", "model", "moder"};
    assert_string_equal(assay_text_nearest("epoch", name, 6), "epochs");
    assert_string_equal(assay_text_nearest("sequnece", name, 6), "sequence");
    assert_string_equal(assay_text_nearest("PRECISION", name, 6), "precision");
    assert_string_equal(assay_text_nearest("modes", name, 6), "model"); /* the first of two */
    assert_null(assay_text_nearest("seq", name, 6)); /* 5 edits; a third of 3 is 1 */
    assert_null(assay_text_nearest("deadline", name, 6));
    assert_null(assay_text_nearest("", name, 6));
    assert_null(assay_text_nearest("x", name, 0));
    static const char *const one[] = {"tp", "pp"};
    assert_string_equal(assay_text_nearest("tq", one, 2), "tp"); /* at least one edit */
}

static void test_equal_fold(void **state) {
    (void)state;
    assert_true(assay_text_equal_fold("USD/kWh", "usd/KWH"));
    assert_true(assay_text_equal_fold("", ""));
    assert_false(assay_text_equal_fold("usd", "usd/h"));
    assert_false(assay_text_equal_fold("usd/h", "usd"));
    assert_false(assay_text_equal_fold("@", "`"));
}

static void test_version_order(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int order;
    } row[] = {{"0.6.3", "0.8", -1},  {"0.10", "0.9", 1},
               {"1.13", "1.13.0", 0}, {"0.x", "0.8", 0},
               {"2", "1.x", 1},       {"", "", 0},
               {"", "1", -1},         {"1.2rc1", "1.2", 0},
               {"1.2.1", "1.2", 1},   {"99999999999999999999", "1", 1}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assert_int_equal(assay_text_version_order(row[i].a, row[i].b), row[i].order);
        assert_int_equal(assay_text_version_order(row[i].b, row[i].a), -row[i].order);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version_order),
        cmocka_unit_test(test_numbers_are_read_exactly),
        cmocka_unit_test(test_ties_are_decided_by_late_digits),
        cmocka_unit_test(test_what_is_no_finite_decimal_number_is_refused),
        cmocka_unit_test(test_u64),
        cmocka_unit_test(test_shortest_form),
        cmocka_unit_test(test_short_form),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_reading_agrees_with_strtod),
        cmocka_unit_test(test_no_locale_changes_anything),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_character),
        cmocka_unit_test(test_where_lines_end),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_equal_fold),
        cmocka_unit_test(test_shell_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
