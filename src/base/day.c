/* Dates as day numbers; by the algorithm of H. Hinnant, "chrono-compatible low-level date
   algorithms": eras of 400 years that begin on March 1. */
#include "assay/day.h"

#include <stdio.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define DAYS_OF_ERA 146097
#define EPOCH_DAY 719468 /* 1970-01-01 counted from 0000-03-01 */

assay_day_t assay_day_of(int32_t year, int32_t month, int32_t day) {
    const int32_t y = year - (month <= 2);
    const int32_t era = y / 400, year_of_era = y % 400;
    const int32_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const int32_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_OF_ERA + day_of_era - EPOCH_DAY;
}

static void civil_of(assay_day_t number, int32_t *year, int32_t *month, int32_t *day) {
    const int32_t z = number + EPOCH_DAY;
    const int32_t era = z / DAYS_OF_ERA, day_of_era = z % DAYS_OF_ERA;
    const int32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int32_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int32_t shifted = (5 * day_of_year + 2) / 153;
    *day = day_of_year - (153 * shifted + 2) / 5 + 1;
    *month = shifted < 10 ? shifted + 3 : shifted - 9;
    *year = year_of_era + era * 400 + (*month <= 2);
}

#define DAY_CHARACTERS 10

/* text: at least DAY_CHARACTERS */
static bool read_day(const char *text, assay_day_t *out) {
    uint64_t year, month, day;
    int32_t back[3];
    if (text[4] != '-' || text[7] != '-' || !assay_text_to_u64(text, 4, &year) ||
        !assay_text_to_u64(text + 5, 2, &month) || !assay_text_to_u64(text + 8, 2, &day) ||
        year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) {
        return false;
    }
    *out = assay_day_of((int32_t)year, (int32_t)month, (int32_t)day);
    civil_of(*out, &back[0], &back[1], &back[2]);
    return back[1] == (int32_t)month && back[2] == (int32_t)day; /* not February 30 */
}

bool assay_day_parse(const char *text, assay_day_t *out) {
    return strlen(text) == DAY_CHARACTERS && read_day(text, out);
}

/* Two digits of at most `most`, after `mark` unless that is 0. */
static bool read_pair(const char **io, const char *end, char mark, uint64_t most, double *out) {
    const char *at = *io + (mark != '\0');
    uint64_t value;
    if (end - at < 2 || (mark && **io != mark) || !assay_text_to_u64(at, 2, &value) ||
        value > most) {
        return false;
    }
    *out = (double)value;
    *io = at + 2;
    return true;
}

/* Z, +02:00, +0200, +02. */
static bool read_zone(const char *at, const char *end, double *out_s) {
    double hours = 0, minutes = 0;
    if (end - at == 1 && *at == 'Z') {
        return true;
    }
    if (at == end || (*at != '+' && *at != '-')) {
        return at == end;
    }
    const double sign = *at == '-' ? -1 : 1;
    if (!read_pair(&at, end, *at, 14, &hours) ||
        (at < end && !read_pair(&at, end, *at == ':' ? ':' : '\0', 59, &minutes))) {
        return false;
    }
    *out_s = sign * (hours * 3600 + minutes * 60);
    return at == end;
}

bool assay_time_parse(const char *text, size_t n, double *out_unix_s) {
    const char *at = text + DAY_CHARACTERS, *end = text + n;
    assay_day_t day;
    double hour = 0, minute = 0, second = 0, part = 0, zone_s = 0;
    if (n < DAY_CHARACTERS || !read_day(text, &day)) {
        return false;
    }
    if (at < end) {
        if (!read_pair(&at, end, *at == 'T' ? 'T' : ' ', 23, &hour) ||
            !read_pair(&at, end, ':', 59, &minute) ||
            (at < end && *at == ':' && !read_pair(&at, end, ':', 60, &second))) {
            return false;
        }
        if (at < end && *at == '.') {
            double unit = 1;
            for (at++; at < end && *at >= '0' && *at <= '9'; at++) {
                unit /= 10;
                part += unit * (*at - '0');
            }
        }
    }
    *out_unix_s = day * 86400.0 + hour * 3600 + minute * 60 + second;
    if (!read_zone(at, end, &zone_s)) {
        return false;
    }
    *out_unix_s += part - zone_s;
    return true;
}

void assay_day_format(assay_day_t day, char out[11]) {
    int32_t year, month, of_month;
    civil_of(day, &year, &month, &of_month);
    snprintf(out, 11, "%04u-%02u-%02u", (unsigned)year % 10000, (unsigned)month % 100,
             (unsigned)of_month % 100);
}
