/* Counts by value: 128 buckets in every power of two of nanoseconds. */
#include <math.h>

#include "sim/sim_parts.h"

#define MANTISSA_BITS 7
#define MANTISSA (1u << MANTISSA_BITS)

static uint32_t bucket_of(int64_t ns) {
    if (ns < MANTISSA) {
        return (uint32_t)ns;
    }
    const int exponent = 63 - __builtin_clzll((uint64_t)ns);
    return ((uint32_t)(exponent - MANTISSA_BITS + 1) << MANTISSA_BITS) +
           (uint32_t)((ns >> (exponent - MANTISSA_BITS)) & (MANTISSA - 1));
}

/* The least value of a bucket, ns. */
static int64_t bucket_ns(uint32_t bucket) {
    if (bucket < MANTISSA) {
        return bucket;
    }
    const uint32_t exponent = (bucket >> MANTISSA_BITS) - 1;
    return (int64_t)(MANTISSA + (bucket & (MANTISSA - 1))) << exponent;
}

void sim_histogram_add(assay_sim_histogram_t *histogram, int64_t ticks, uint64_t times) {
    histogram->count[bucket_of(ticks / ASSAY_TICKS_PER_NS)] += times;
    histogram->n += times;
    histogram->sum_s += (double)ticks / (double)ASSAY_TICKS_PER_S * (double)times;
}

void sim_histogram_add_row(assay_sim_histogram_t *histogram, int64_t first_ticks,
                           int64_t each_ticks, int64_t n, uint64_t times) {
    int64_t done = 0;
    while (done < n) {
        const int64_t at = first_ticks + each_ticks * done;
        const uint32_t bucket = bucket_of(at / ASSAY_TICKS_PER_NS);
        const int64_t end = bucket_ns(bucket + 1) * ASSAY_TICKS_PER_NS; /* first of the next */
        int64_t here = each_ticks > 0 ? (end - at + each_ticks - 1) / each_ticks : n - done;
        here = here < n - done ? here : n - done;
        histogram->count[bucket] += (uint64_t)here * times;
        done += here;
    }
    histogram->n += (uint64_t)n * times;
    const double mean = (double)first_ticks + 0.5 * (double)each_ticks * (double)(n - 1);
    histogram->sum_s += mean / (double)ASSAY_TICKS_PER_S * (double)n * (double)times;
}

void sim_histogram_merge(assay_sim_histogram_t *into, const assay_sim_histogram_t *from) {
    for (uint32_t i = 0; i < ASSAY_SIM_BUCKETS; i++) {
        into->count[i] += from->count[i];
    }
    into->n += from->n;
    into->sum_s += from->sum_s;
}

double assay_sim_quantile_s(const assay_sim_histogram_t *histogram, double share) {
    if (histogram->n == 0) {
        return 0;
    }
    const double rank = share * (double)(histogram->n - 1);
    uint64_t below = 0;
    for (uint32_t i = 0; i < ASSAY_SIM_BUCKETS - 1; i++) {
        const uint64_t here = histogram->count[i];
        if (here > 0 && (double)(below + here) > rank) {
            const double low = (double)bucket_ns(i), high = (double)bucket_ns(i + 1);
            const double within = (rank - (double)below + 0.5) / (double)here;
            return 1e-9 * (low + (high - low) * within);
        }
        below += here;
    }
    return 0;
}

double assay_sim_mean_s(const assay_sim_histogram_t *histogram) {
    return histogram->n ? histogram->sum_s / (double)histogram->n : 0;
}
