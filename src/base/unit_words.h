/* The words for units, and what they are worth. Private to base. */
#ifndef ASSAY_BASE_UNIT_WORDS_H
#define ASSAY_BASE_UNIT_WORDS_H

#include <stdbool.h>

#include "assay/units.h"

/** Room for a unit and its NUL. Units come without spaces and hyphens, micro as 'u'. */
#define ASSAY_UNIT_MAX 48

/** Whether unit is one of dim; a number in it is number * *out_times / *out_over in SI. */
bool assay_unit_find(assay_dim_t dim, const char *unit, double *out_times, double *out_over);
/** "Gb", "bits": an amount of bits, for which there is no dimension. */
bool assay_unit_is_bits(const char *unit);
/** The unit of dim that is written most like the given one, "" when none is near. */
void assay_unit_nearest(assay_dim_t dim, const char *unit, char out[ASSAY_UNIT_MAX]);

#endif
