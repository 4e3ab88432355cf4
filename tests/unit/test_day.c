/* Days and times of the calendar. */
#include "assay_test.h"

#include "assay/day.h"

#include <string.h>

/* Of `date -u -d DATE +%s` / 86400. */
static void dates_are_days(void **state) {
    (void)state;
    static const struct {
        const char *text;
        assay_day_t day;
    } known[] = {{"1970-01-01", 0},     {"1970-12-31", 364},   {"2000-02-29", 11016},
                 {"2000-03-01", 11017}, {"2026-11-30", 20787}, {"2100-03-01", 47541}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assay_day_t day;
        char text[11];
        assert_true(assay_day_parse(known[i].text, &day));
        assert_int_equal(day, known[i].day);
        assay_day_format(day, text);
        assert_string_equal(text, known[i].text);
    }
    static const char *const wrong[] = {
        "2026-02-30", "2100-02-29", "2026-13-01", "2026-00-10", "26-11-30",
        "2026/11/30", "2026-11-3",  "1969-12-31", "2026-11-3x", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_day_t day;
        assert_false(assay_day_parse(wrong[i], &day));
    }
}

/* Of `date -u -d TIME +%s`. */
static void times_are_seconds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double unix_s;
    } known[] = {{"1970-01-01", 0},
                 {"2024-01-01 00:00:00", 1704067200},
                 {"2024-01-01T00:00:00Z", 1704067200},
                 {"2024-01-01T00:00", 1704067200},
                 {"2024-01-01T02:00:00+02:00", 1704067200},
                 {"2023-12-31T19:30:00-0430", 1704067200},
                 {"2024-01-01 01:00+01", 1704067200},
                 {"2024-02-29 23:59:59.25Z", 1709251199.25},
                 {"2023-11-16 18:15:46.6805900", 1700158546.68059}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double unix_s;
        if (!assay_time_parse(known[i].text, strlen(known[i].text), &unix_s)) {
            fail_msg("%s is refused", known[i].text);
        }
        assay_test_close(unix_s, known[i].unix_s, 0, 1e-6, known[i].text);
    }
    static const char *const wrong[] = {"",
                                        "2024-01-01 ",
                                        "2024-01-01 24:00",
                                        "2024-01-01 12",
                                        "2024-01-01 12:60",
                                        "2024-01-01 12:00:00 Z",
                                        "2024-01-01T12:00:00+2",
                                        "2024-01-01T12:00:00+02:0",
                                        "2023-02-29 00:00:00",
                                        "2024-01-01x00:00:00",
                                        "01/02/2024 00:00"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double unix_s;
        if (assay_time_parse(wrong[i], strlen(wrong[i]), &unix_s)) {
            fail_msg("%s is a time", wrong[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dates_are_days),
                                       cmocka_unit_test(times_are_seconds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
