#include "assay/units.h"

#include <stdio.h>

#include "assay_test.h"

static double parse(const char *text, assay_dim_t dim, double bare_scale) {
    double value = -4711;
    assay_error_t err;
    if (assay_units_parse(text, strlen(text), dim, bare_scale, NULL, &value, &err) != ASSAY_OK) {
        fail_msg("%s", err.what);
    }
    return value;
}

static void test_what_people_write(void **state) {
    (void)state;
    static const struct {
        const char *text;
        assay_dim_t dim;
        double expected; /* must be met to the last bit */
    } row[] = {
        {"0.5", ASSAY_DIM_NUMBER, 0.5},
        {" -2.5e-3 ", ASSAY_DIM_NUMBER, -0.0025},
        {"256", ASSAY_DIM_COUNT, 256},
        {"1.4e12", ASSAY_DIM_COUNT, 1.4e12},
        {"1.4 T", ASSAY_DIM_COUNT, 1.4e12},
        {"1.4 T tokens", ASSAY_DIM_COUNT, 1.4e12},
        {"300B", ASSAY_DIM_COUNT, 300e9},
        {"65.2 B", ASSAY_DIM_COUNT, 65.2e9},
        {"1.4 trillion", ASSAY_DIM_COUNT, 1.4e12},
        {"8k", ASSAY_DIM_COUNT, 8000},
        {"8K", ASSAY_DIM_COUNT, 8000},
        {"2 M", ASSAY_DIM_COUNT, 2e6},
        {"0.75", ASSAY_DIM_FRACTION, 0.75},
        {"75 %", ASSAY_DIM_FRACTION, 0.75},
        {"35%", ASSAY_DIM_FRACTION, 0.35},
        {"12 percent", ASSAY_DIM_FRACTION, 0.12},
        {"80 GB", ASSAY_DIM_BYTES, 80e9},
        {"80 GiB", ASSAY_DIM_MEMORY, 80 * 1073741824.0},
        {"80GiB", ASSAY_DIM_BYTES, 80 * 0x1p30},
        {"120 TB", ASSAY_DIM_BYTES, 120e12},
        {"5EB", ASSAY_DIM_BYTES, 5e18},
        {"5 EiB", ASSAY_DIM_BYTES, 5 * 0x1p60},
        {"512 bytes", ASSAY_DIM_BYTES, 512},
        {"2 TB/s", ASSAY_DIM_BYTES_PER_S, 2e12},
        {"25 GBps", ASSAY_DIM_BYTES_PER_S, 25e9},
        {"1 GiB / s", ASSAY_DIM_BYTES_PER_S, 0x1p30},
        {"200 Gbit/s", ASSAY_DIM_BITS_PER_S, 200e9},
        {"200 Gb/s", ASSAY_DIM_BITS_PER_S, 200e9},
        {"200Gbps", ASSAY_DIM_BITS_PER_S, 200e9},
        {"312 TFLOPS", ASSAY_DIM_FLOPS, 312e12},
        {"312 TFLOP/s", ASSAY_DIM_FLOPS, 312e12},
        {"312 TFLOPs/s", ASSAY_DIM_FLOPS, 312e12},
        {"1.2 Eflops", ASSAY_DIM_FLOPS, 1.2e18},
        {"30 d", ASSAY_DIM_TIME, 30 * 86400.0},
        {"30 Days", ASSAY_DIM_TIME, 30 * 86400.0},
        {"12 h", ASSAY_DIM_TIME, 43200},
        {"85 ms", ASSAY_DIM_TIME, 0.085},
        {"3 us", ASSAY_DIM_TIME, 3e-6},
        {"3 \xc2\xb5s", ASSAY_DIM_TIME, 3e-6},
        {"3 \xce\xbcs", ASSAY_DIM_TIME, 3e-6},
        {"5 ns", ASSAY_DIM_TIME, 5e-9},
        {"90 min", ASSAY_DIM_TIME, 5400},
        {"2 weeks", ASSAY_DIM_TIME, 1209600},
        {"1 month", ASSAY_DIM_TIME, 2629800},  /* 365.25 d / 12 */
        {"3 years", ASSAY_DIM_TIME, 94672800}, /* 3 * 365.25 * 86400 */
        {"128000 USD", ASSAY_DIM_MONEY, 128000},
        {"128 kUSD", ASSAY_DIM_MONEY, 128000},
        {"128 k$", ASSAY_DIM_MONEY, 128000},
        {"1.5 M USD", ASSAY_DIM_MONEY, 1.5e6},
        {"1.5 usd", ASSAY_DIM_MONEY, 1.5},
        {"$128k", ASSAY_DIM_MONEY, 128000},
        {"$ 2.50", ASSAY_DIM_MONEY, 2.5},
        {"USD 128000", ASSAY_DIM_MONEY, 128000},
        {"2.10 USD/h", ASSAY_DIM_MONEY_PER_HOUR, 2.1},
        {"2.10 $/hr", ASSAY_DIM_MONEY_PER_HOUR, 2.1},
        {"$2.10/h", ASSAY_DIM_MONEY_PER_HOUR, 2.1},
        {"2.10 USD per hour", ASSAY_DIM_MONEY_PER_HOUR, 2.1},
        {"48 USD/day", ASSAY_DIM_MONEY_PER_HOUR, 2},
        {"0.10 USD/kWh", ASSAY_DIM_MONEY_PER_KWH, 0.1},
        {"10 ct/kWh", ASSAY_DIM_MONEY_PER_KWH, 0.1},
        {"100 USD/MWh", ASSAY_DIM_MONEY_PER_KWH, 0.1},
        {"4000 USD/week", ASSAY_DIM_MONEY_PER_WEEK, 4000},
        {"4000 USD/pw", ASSAY_DIM_MONEY_PER_WEEK, 4000},
        {"800 USD/pd", ASSAY_DIM_MONEY_PER_WEEK, 4000},
        {"208000 USD/year", ASSAY_DIM_MONEY_PER_WEEK, 4000},
        {"3.6 kW", ASSAY_DIM_POWER, 3600},
        {"3600 W", ASSAY_DIM_POWER, 3600},
        {"2 pw", ASSAY_DIM_LABOUR, 10},
        {"10 pd", ASSAY_DIM_LABOUR, 10},
        {"1.5 pm", ASSAY_DIM_LABOUR, 32.5}, /* 1.5 * 52/12 * 5 */
        {"2 person-weeks", ASSAY_DIM_LABOUR, 10},
        {"2 person weeks", ASSAY_DIM_LABOUR, 10},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_test_close(parse(row[i].text, row[i].dim, 0), row[i].expected, 0, 0, row[i].text);
    }
}

static void test_a_number_without_unit(void **state) {
    (void)state;
    assay_test_close(parse("30", ASSAY_DIM_TIME, 86400), 2592000, 0, 0, "30 in days");
    assay_test_close(parse("0.1", ASSAY_DIM_MONEY_PER_KWH, 1), 0.1, 0, 0, "0.1 USD/kWh");
    assay_test_close(parse("30 h", ASSAY_DIM_TIME, 86400), 108000, 0, 0, "the unit wins");
    assay_test_close(parse("7", ASSAY_DIM_COUNT, 1000), 7, 0, 0, "counts have no scale");
}

static void test_every_example_is_readable(void **state) {
    (void)state;
    for (int dim = 0; dim < ASSAY_DIM_N; dim++) {
        assert_true(assay_dim_name((assay_dim_t)dim)[0] != '\0');
        char first[64];
        (void)snprintf(first, sizeof first, "%s", assay_dim_example((assay_dim_t)dim));
        first[strcspn(first, ",(")] = '\0';
        char * or = strstr(first, " or ");
        if (or) {
            * or = '\0';
        }
        assert_true(parse(first, (assay_dim_t)dim, 0) > 0);
    }
}

static void test_what_is_refused_and_what_is_advised(void **state) {
    (void)state;
    static const struct {
        const char *text;
        assay_dim_t dim;
        const char *what, *next;
    } row[] = {
        {"80 Gb", ASSAY_DIM_BYTES, "Gb is gigabits", "write GB (1e9 bytes) or GiB (2^30 bytes)"},
        {"80 Gbit", ASSAY_DIM_BYTES, "Gbit is gigabits", "GiB"},
        {"80 G", ASSAY_DIM_BYTES, "G alone", "write GB (1e9 bytes) or GiB (2^30 bytes)"},
        {"80 KB", ASSAY_DIM_BYTES, "1000 or 1024", "write kB (1000 bytes) or KiB (1024 bytes)"},
        {"80 gb", ASSAY_DIM_BYTES, "unknown unit gb", "did you mean GB"},
        {"80", ASSAY_DIM_BYTES, "the unit is missing", "add it"},
        {"80 GB", ASSAY_DIM_TIME, "GB is the unit of a size", ""},
        {"30 m", ASSAY_DIM_TIME, "minutes or months", "write min or months"},
        {"30 dyas", ASSAY_DIM_TIME, "unknown unit dyas", "did you mean days"},
        {"30 days 2 h", ASSAY_DIM_TIME, "unknown unit days2h", "days"},
        {"30 q", ASSAY_DIM_TIME, "unknown unit q", ""},
        {"25 GB/s", ASSAY_DIM_BITS_PER_S, "GB/s is the unit of a bandwidth", ""},
        {"200 Gbit/s", ASSAY_DIM_BYTES_PER_S, "Gbit/s is the unit of a network rate", ""},
        {"312 tflops", ASSAY_DIM_FLOPS, "unknown unit tflops", "did you mean TFLOPS"},
        {"5 m", ASSAY_DIM_COUNT, "milli", "write M (1e6)"},
        {"65b", ASSAY_DIM_COUNT, "b is not a number", "write B (1e9)"},
        {"1.5", ASSAY_DIM_COUNT, "not whole", ""},
        {"1.0001 k", ASSAY_DIM_COUNT, "not whole", ""},
        {"128,000", ASSAY_DIM_COUNT, "digits are separated", "write 128000"},
        {"128_000", ASSAY_DIM_COUNT, "digits are separated", "write 128000"},
        {"128 000 USD", ASSAY_DIM_MONEY, "digits are separated", "write 128000"},
        {"$1,234,567", ASSAY_DIM_MONEY, "digits are separated", "write 1234567"},
        {"1,5 h", ASSAY_DIM_TIME, "digits are separated", ". as the decimal point"},
        {"1.2.3", ASSAY_DIM_NUMBER, "digits are separated", ". as the decimal point"},
        {"1,2345", ASSAY_DIM_NUMBER, "digits are separated", ". as the decimal point"},
        {"500 EUR", ASSAY_DIM_MONEY, "only USD is supported", "convert it to USD"},
        {"\xe2\x82\xac"
         "500",
         ASSAY_DIM_MONEY, "only USD is supported", "convert"},
        {"0.3 eur/kWh", ASSAY_DIM_MONEY_PER_KWH, "only USD is supported", "convert"},
        {"4000 USD/h", ASSAY_DIM_MONEY_PER_WEEK, "USD/h is the unit of a price per hour", ""},
        {"2 weeks", ASSAY_DIM_LABOUR, "weeks is the unit of a time", ""},
        {"75 %", ASSAY_DIM_NUMBER, "% is the unit of a fraction", ""},
        {"", ASSAY_DIM_TIME, "not a number", ""},
        {"   ", ASSAY_DIM_TIME, "not a number", ""},
        {"nan", ASSAY_DIM_NUMBER, "not a number", ""},
        {"inf", ASSAY_DIM_NUMBER, "not a number", ""},
        {"-", ASSAY_DIM_NUMBER, "not a number", ""},
        {"GB", ASSAY_DIM_BYTES, "not a number", ""},
        {"0x10", ASSAY_DIM_NUMBER, "unknown unit x10", ""},
        {"1e999", ASSAY_DIM_NUMBER, "too large", ""},
        {"1e308 TB", ASSAY_DIM_BYTES, "too large", ""},
        {"1 GB/s/s", ASSAY_DIM_BYTES_PER_S, "unknown unit GB/s/s", "did you mean GB/s"},
        {"1 /s", ASSAY_DIM_BYTES_PER_S, "unknown unit /s", ""},
        {"5 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ASSAY_DIM_TIME,
         "this is no unit", ""},
        {"$5 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ASSAY_DIM_MONEY, "this is no unit",
         ""},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_place_t at = {"job.yaml", 3, 7};
        assay_error_t err = {0};
        double value = 4711;
        assert_int_equal(
            assay_units_parse(row[i].text, strlen(row[i].text), row[i].dim, 0, &at, &value, &err),
            ASSAY_INPUT);
        char expected[128];
        (void)snprintf(expected, sizeof expected, "expected %s, such as %s",
                       assay_dim_name(row[i].dim), assay_dim_example(row[i].dim));
        if (!strstr(err.what, row[i].what) || !strstr(err.next, row[i].next) ||
            (row[i].next[0] == '\0' && err.next[0]) || !strstr(err.what, expected)) {
            char line[1024];
            fail_msg("\"%s\": %s", row[i].text, assay_error_line(&err, line, sizeof line));
        }
        assert_int_equal(err.line, 3);
        assay_test_close(value, 4711, 0, 0, "untouched on failure");
    }
}

static void test_length_counts_and_long_text_is_refused(void **state) {
    (void)state;
    double value = 0;
    assay_error_t err;
    assert_int_equal(assay_units_parse("80 GBxx", 5, ASSAY_DIM_BYTES, 0, NULL, &value, &err),
                     ASSAY_OK);
    assay_test_close(value, 80e9, 0, 0, "first five characters");
    static char text[2000];
    memset(text, '1', sizeof text);
    assert_int_equal(assay_units_parse(text, sizeof text, ASSAY_DIM_NUMBER, 0, NULL, &value, &err),
                     ASSAY_INPUT);
    assert_true(strlen(err.what) < 200);
}

static void test_format(void **state) {
    (void)state;
    static const struct {
        double value;
        assay_dim_t dim;
        const char *expected;
    } row[] = {
        {0.5, ASSAY_DIM_NUMBER, "0.5"},
        {2048, ASSAY_DIM_COUNT, "2048"},
        {131072, ASSAY_DIM_COUNT, "131072"},
        {1.4e12, ASSAY_DIM_COUNT, "1.4 T"},
        {65.2e9, ASSAY_DIM_COUNT, "65.2 B"},
        {0.75, ASSAY_DIM_FRACTION, "75 %"},
        {0, ASSAY_DIM_FRACTION, "0 %"},
        {80e9, ASSAY_DIM_BYTES, "80 GB"},
        {80 * 1073741824.0, ASSAY_DIM_MEMORY, "80 GiB"},
        {999.9e9, ASSAY_DIM_BYTES, "1 TB"},
        {0, ASSAY_DIM_BYTES, "0 B"},
        {-3e6, ASSAY_DIM_BYTES, "-3 MB"},
        {2.039e12, ASSAY_DIM_BYTES_PER_S, "2.04 TB/s"},
        {200e9, ASSAY_DIM_BITS_PER_S, "200 Gbit/s"},
        {312e12, ASSAY_DIM_FLOPS, "312 TFLOPS"},
        {21.3 * 86400, ASSAY_DIM_TIME, "21.3 d"},
        {59.97, ASSAY_DIM_TIME, "1 min"},
        {0.085, ASSAY_DIM_TIME, "85 ms"},
        {3e-6, ASSAY_DIM_TIME, "3 us"},
        {0, ASSAY_DIM_TIME, "0 s"},
        {94672800, ASSAY_DIM_TIME, "3 years"},
        {128000, ASSAY_DIM_MONEY, "128 kUSD"},
        {6500, ASSAY_DIM_MONEY, "6500 USD"},
        {23.8e6, ASSAY_DIM_MONEY, "23.8 MUSD"},
        {2.1, ASSAY_DIM_MONEY_PER_HOUR, "2.1 USD/h"},
        {0.1, ASSAY_DIM_MONEY_PER_KWH, "0.1 USD/kWh"},
        {4000, ASSAY_DIM_MONEY_PER_WEEK, "4000 USD/week"},
        {3600, ASSAY_DIM_POWER, "3.6 kW"},
        {10, ASSAY_DIM_LABOUR, "2 pw"},
        {3, ASSAY_DIM_LABOUR, "3 pd"},
        {(double)NAN, ASSAY_DIM_BYTES, "unknown"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char out[48];
        assert_string_equal(assay_units_format(row[i].value, row[i].dim, out), row[i].expected);
    }
}

static void test_format_in_a_language(void **state) {
    (void)state;
    const assay_locale_t usd = {ASSAY_LANG_ZH, NULL, 0.0}, cny = {ASSAY_LANG_ZH, "CNY", 7.0},
                         eur = {ASSAY_LANG_EN, "EUR", 0.5};
    const struct {
        double value;
        assay_dim_t dim;
        const assay_locale_t *locale;
        const char *expected;
    } row[] = {
        {1.4e12, ASSAY_DIM_COUNT, &usd, "1.4万亿"},
        {6.5e10, ASSAY_DIM_COUNT, &usd, "650亿"},
        {4.2e6, ASSAY_DIM_COUNT, &usd, "420万"},
        {204800, ASSAY_DIM_COUNT, &usd, "204800"},
        {9.999e7, ASSAY_DIM_COUNT, &usd, "1亿"}, /* not 10000万 */
        {2592000, ASSAY_DIM_TIME, &usd, "30天"},
        {0.05, ASSAY_DIM_TIME, &usd, "50 ms"},
        {80e9, ASSAY_DIM_BYTES, &usd, "80 GB"},
        {128000, ASSAY_DIM_MONEY, &usd, "12.8万美元"},
        {1.91e6, ASSAY_DIM_MONEY, &cny, "1340万元"}, /* 13.37 million */
        {2.1, ASSAY_DIM_MONEY_PER_HOUR, &cny, "14.7元/小时"},
        {10, ASSAY_DIM_LABOUR, &usd, "2人周"},
        {0.5, ASSAY_DIM_FRACTION, &usd, "50%"},
        {(double)NAN, ASSAY_DIM_MONEY, &cny, "未知"},
        {4e6, ASSAY_DIM_MONEY, &eur, "2 MEUR"},
        {4e6, ASSAY_DIM_MONEY, NULL, "4 MUSD"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char out[48];
        assert_string_equal(assay_units_format_in(row[i].value, row[i].dim, row[i].locale, out),
                            row[i].expected);
    }
}

/* What is printed is read back, to the three digits that were printed. */
static void test_format_reads_back(void **state) {
    (void)state;
    for (int dim = 0; dim < ASSAY_DIM_N; dim++) {
        for (double value = 1e-9; value < 1e22; value *= 1.37) {
            char out[48];
            (void)assay_units_format(value, (assay_dim_t)dim, out);
            if (dim != ASSAY_DIM_COUNT) {
                assay_test_close(parse(out, (assay_dim_t)dim, 0), value, 0.0051, 0, out);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_people_write),
        cmocka_unit_test(test_a_number_without_unit),
        cmocka_unit_test(test_every_example_is_readable),
        cmocka_unit_test(test_what_is_refused_and_what_is_advised),
        cmocka_unit_test(test_length_counts_and_long_text_is_refused),
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_format_in_a_language),
        cmocka_unit_test(test_format_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
