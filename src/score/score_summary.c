/* Errors of all rows and of groups of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/dist.h"
#include "base/det_math.h"
#include "score/score_parts.h"

#include "base/banned.h"

#define ALPHA 0.2 /* the interval from p10 to p90 leaves out so much */

/* share-quantile of value[0..n), sorted in place; linear between ranks. n > 0 */
static double quantile(double *value, uint32_t n, double share) {
    const assay_dist_t dist = assay_dist_of_sample(value, n);
    return assay_dist_quantile(&dist, share);
}

static bool covered(const assay_score_item_t *item) {
    return item->p10 <= item->measured && item->measured <= item->p90;
}

/* ln(predicted/measured) of the rate: > 0 is too fast, whether the metric is a rate or a time. */
static double ln_error(const assay_score_item_t *item) {
    return assay_det_log(item->predicted_tokens_per_s_per_device / item->tokens_per_s_per_device);
}

/* Gneiting and Raftery, JASA 102 (2007), equation 43. */
static double interval_score(const assay_score_item_t *item) {
    const double low = assay_det_log(item->p10), high = assay_det_log(item->p90);
    const double x = assay_det_log(item->measured);
    return high - low + 2 / ALPHA * (fmax(0, low - x) + fmax(0, x - high));
}

typedef struct {
    double median, p90, bias, coverage, interval_score, interval_score_constant;
} errors_t;

/* The same of bands of one width, that which holds 1 - ALPHA of the rows: what intervals that know
   something of a row must beat. ln: (n), made absolute. n > 0 */
static double constant_score(double *ln, uint32_t n) {
    double outside = 0;
    for (uint32_t i = 0; i < n; i++) {
        ln[i] = fabs(ln[i]);
    }
    const double half = quantile(ln, n, 1 - ALPHA);
    for (uint32_t i = 0; i < n; i++) {
        outside += fmax(0, ln[i] - half);
    }
    return 2 * half + 2 / ALPHA * outside / n;
}

/* scratch: (2, n) */
static errors_t errors_of(const assay_score_item_t *const *item, uint32_t n, double *scratch) {
    errors_t out = {0};
    double *relative = scratch, *ln = scratch + n;
    for (uint32_t i = 0; i < n; i++) {
        relative[i] = fabs(item[i]->rel_error);
        ln[i] = ln_error(item[i]);
        out.coverage += covered(item[i]);
        out.interval_score += interval_score(item[i]);
    }
    if (n > 0) {
        out.median = quantile(relative, n, 0.5);
        out.p90 = quantile(relative, n, 0.9);
        out.bias = quantile(ln, n, 0.5);
        out.coverage /= n;
        out.interval_score /= n;
        out.interval_score_constant = constant_score(ln, n);
    }
    return out;
}

/* ---- groups ---- */

static const char *devices_range(uint32_t devices) {
    return devices <= 1     ? "1"
           : devices <= 8   ? "2-8"
           : devices <= 64  ? "9-64"
           : devices <= 512 ? "65-512"
                            : "513-";
}

static const char *key_source(const assay_score_item_t *item) {
    return item->source;
}
static const char *key_accelerator(const assay_score_item_t *item) {
    return item->group_accelerator;
}
static const char *key_family(const assay_score_item_t *item) {
    return item->model_family;
}
static const char *key_precision(const assay_score_item_t *item) {
    return item->precision;
}
static const char *key_framework(const assay_score_item_t *item) {
    return item->stack;
}
static const char *key_basis(const assay_score_item_t *item) {
    return assay_basis_name((assay_basis_t)item->basis);
}
static const char *key_devices(const assay_score_item_t *item) {
    return devices_range(item->devices);
}
static const char *key_layout(const assay_score_item_t *item) {
    return item->searched ? "searched" : "given";
}

static const struct {
    const char *by;
    const char *(*key)(const assay_score_item_t *item);
} groupings[] = {
    {"source", key_source},       {"accelerator", key_accelerator}, {"model_family", key_family},
    {"precision", key_precision}, {"framework", key_framework},     {"basis", key_basis},
    {"devices", key_devices},     {"layout", key_layout},
};
#define N_GROUPINGS (sizeof groupings / sizeof groupings[0])

static int compare_groups(const void *a, const void *b) {
    const assay_score_group_t *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->key, y->key);
}

/* Groups of one grouping, appended to io_score->group; member and scratch hold all rows. */
static void add_groups(assay_score_t *io_score, size_t grouping,
                       const assay_score_item_t *const *item, const assay_score_item_t **member,
                       bool *taken, double *scratch) {
    const uint32_t first = io_score->n_group, n = io_score->predicted;
    memset(taken, 0, n);
    for (uint32_t i = 0; i < n; i++) {
        if (taken[i]) {
            continue;
        }
        const char *key = groupings[grouping].key(item[i]);
        uint32_t n_member = 0;
        for (uint32_t j = i; j < n; j++) {
            if (!taken[j] && strcmp(groupings[grouping].key(item[j]), key) == 0) {
                taken[j] = true;
                member[n_member++] = item[j];
            }
        }
        const errors_t errors = errors_of(member, n_member, scratch);
        io_score->group[io_score->n_group++] = (assay_score_group_t){
            .by = groupings[grouping].by,
            .key = key,
            .n = n_member,
            .median_abs_rel_error = errors.median,
            .p90_abs_rel_error = errors.p90,
            .bias = errors.bias,
            .interval_coverage = errors.coverage,
        };
    }
    qsort(io_score->group + first, io_score->n_group - first, sizeof *io_score->group,
          compare_groups);
}

static int compare_skips(const void *a, const void *b) {
    const assay_score_skip_t *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->reason, y->reason);
}

static bool count_skips(assay_arena_t *arena, assay_score_t *io_score) {
    io_score->skip = assay_arena_array(arena, SCORE_REASON_N, sizeof *io_score->skip);
    if (!io_score->skip) {
        return false;
    }
    for (int reason = SCORE_REASON_NONE + 1; reason < SCORE_REASON_N; reason++) {
        assay_score_skip_t skip = {score_reason_sentence((score_reason_t)reason), 0};
        for (uint32_t i = 0; i < io_score->n_item; i++) {
            skip.n += io_score->item[i].skipped == skip.reason;
        }
        if (skip.n > 0) {
            io_score->skip[io_score->n_skip++] = skip;
            io_score->skipped += skip.n;
        }
    }
    qsort(io_score->skip, io_score->n_skip, sizeof *io_score->skip, compare_skips);
    return true;
}

assay_status_t score_summarise(assay_arena_t *arena, assay_score_t *io_score, assay_error_t *err) {
    const uint32_t rows = io_score->n_item;
    const assay_score_item_t **item = assay_arena_array(arena, rows, sizeof *item);
    const assay_score_item_t **member = assay_arena_array(arena, rows, sizeof *member);
    bool *taken = assay_arena_array(arena, rows, sizeof *taken);
    double *scratch = assay_arena_array(arena, (size_t)2 * rows, sizeof *scratch);
    io_score->group = assay_arena_array(arena, (size_t)rows * N_GROUPINGS, sizeof *io_score->group);
    if (!item || !member || !taken || !scratch || !io_score->group ||
        !count_skips(arena, io_score)) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < rows; i++) {
        if (!io_score->item[i].skipped) {
            item[io_score->predicted++] = &io_score->item[i];
            io_score->does_not_fit += io_score->item[i].does_not_fit;
        }
    }
    const errors_t errors = errors_of(item, io_score->predicted, scratch);
    io_score->median_abs_rel_error = errors.median;
    io_score->p90_abs_rel_error = errors.p90;
    io_score->bias = errors.bias;
    io_score->interval_coverage = errors.coverage;
    io_score->interval_score = errors.interval_score;
    io_score->interval_score_constant = errors.interval_score_constant;
    for (size_t i = 0; i < N_GROUPINGS; i++) {
        add_groups(io_score, i, item, member, taken, scratch);
    }
    uint32_t n_source = 0;
    for (uint32_t i = 0; i < io_score->n_group; i++) {
        if (strcmp(io_score->group[i].by, "source") == 0) {
            io_score->macro_median_by_source += io_score->group[i].median_abs_rel_error;
            io_score->macro_p90_by_source += io_score->group[i].p90_abs_rel_error;
            n_source++;
        }
    }
    io_score->macro_median_by_source /= n_source > 0 ? n_source : 1;
    io_score->macro_p90_by_source /= n_source > 0 ? n_source : 1;
    return ASSAY_OK;
}
