#include "decide/nearest.h"

#include <math.h>

#include "base/banned.h"

#define HALVINGS 6 /* of the ratio: 2^6 steps outward from where the input stands now */
#define STEPS (1 << HALVINGS)
#define BISECTIONS 60

static double bisect(bool (*turned)(void *, double), void *world, double keeps, double flips) {
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (keeps + flips);
        if (turned(world, middle)) {
            flips = middle;
        } else {
            keeps = middle;
        }
    }
    return flips;
}

bool decide_nearest(bool (*turned)(void *world, double x), void *world, double now, double low,
                    double high, double *out_x) {
    double ratio = now > 0.0 ? high / now : 1.0;
    for (int i = 0; i < HALVINGS; i++) {
        ratio = sqrt(ratio);
    }
    double up = now, down = up;
    for (int step = 1; step <= STEPS; step++) {
        const double part = (double)step / STEPS;
        const double next_up = step == STEPS ? high : now > 0.0 ? up * ratio : high * part;
        const double next_down = now + (low - now) * part;
        if (next_up > up && turned(world, next_up)) {
            *out_x = bisect(turned, world, up, next_up);
            return true;
        }
        if (next_down < down && turned(world, next_down)) {
            *out_x = bisect(turned, world, down, next_down);
            return true;
        }
        up = next_up;
        down = next_down;
    }
    return false;
}
