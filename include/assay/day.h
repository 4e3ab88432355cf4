/** Dates and times of the Gregorian calendar, 1970 to 9999, as numbers; no zone but UTC is known.
 */
#ifndef ASSAY_DAY_H
#define ASSAY_DAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Days since 1970-01-01. */
typedef int32_t assay_day_t;
assay_day_t assay_day_of(int32_t year, int32_t month, int32_t day);
/** YYYY-MM-DD of a day that exists. */
bool assay_day_parse(const char *text, assay_day_t *out);
void assay_day_format(assay_day_t day, char out[11]);

/**
 * ISO 8601 in text[0..n), seconds since 1970: a day, alone or after a blank or T with HH:MM,
 * seconds and their decimals, and Z or an offset (+02:00, +0200, +02); without one it is taken as
 * UTC.
 */
bool assay_time_parse(const char *text, size_t n, double *out_unix_s);

#ifdef __cplusplus
}
#endif
#endif
