/** Inside decide: where a yes-or-no answer of one number first turns. */
#ifndef ASSAY_DECIDE_NEAREST_H
#define ASSAY_DECIDE_NEAREST_H

#include <stdbool.h>

/**
 * Steps outward from `now` both ways, up to high in equal ratios (equal parts where now is 0) and
 * down to low in equal parts; the first change is narrowed. turned: whether the answer at x is
 * another one than at now. *out_x: the first value on the far side.
 */
bool decide_nearest(bool (*turned)(void *world, double x), void *world, double now, double low,
                    double high, double *out_x);

#endif
