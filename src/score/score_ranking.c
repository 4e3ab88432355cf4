/* Which of two accelerators is faster on equal work: predicted, and by peak alone. */
#include <stdlib.h>
#include <string.h>

#include "score/score_parts.h"

#include "base/banned.h"

#define CLOSE 2.0 /* beyond this factor a pair is no test */

static int compare_work(const void *a, const void *b) {
    const assay_score_item_t *x = *(const assay_score_item_t *const *)a;
    const assay_score_item_t *y = *(const assay_score_item_t *const *)b;
    const int work = strcmp(x->work_key, y->work_key);
    const int part = work ? work : strcmp(x->group_accelerator, y->group_accelerator);
    return part ? part : (x > y) - (x < y);
}

/* 1: the order of `by` is the order of the measured rates; 0: the other; a tie 1/2. */
static double agrees(double a, double b, bool a_is_faster) {
    return a > b ? (a_is_faster ? 1 : 0) : a < b ? (a_is_faster ? 0 : 1) : 0.5;
}

typedef struct {
    const char *a, *b; /* accelerators, in strcmp's order */
    bool amd_nvidia;
    uint32_t pairs;
    double right, baseline_right;
} tally_t;

typedef struct {
    tally_t *tally;
    uint32_t n, capacity;
} tallies_t;

static tally_t *tally_of(assay_arena_t *arena, tallies_t *io, const assay_score_item_t *x,
                         const assay_score_item_t *y) {
    for (uint32_t i = 0; i < io->n; i++) {
        if (strcmp(io->tally[i].a, x->group_accelerator) == 0 &&
            strcmp(io->tally[i].b, y->group_accelerator) == 0) {
            return &io->tally[i];
        }
    }
    if (io->n == io->capacity) {
        const uint32_t capacity = io->capacity ? 2 * io->capacity : 16;
        tally_t *more = assay_arena_array(arena, capacity, sizeof *more);
        if (!more) {
            return NULL;
        }
        if (io->n > 0) {
            memcpy(more, io->tally, io->n * sizeof *more);
        }
        io->tally = more;
        io->capacity = capacity;
    }
    io->tally[io->n] =
        (tally_t){.a = x->group_accelerator,
                  .b = y->group_accelerator,
                  .amd_nvidia = (x->is_amd && y->is_nvidia) || (x->is_nvidia && y->is_amd)};
    return &io->tally[io->n++];
}

/* item: sorted by work. false: no memory. */
static bool count_pairs(assay_arena_t *arena, const assay_score_item_t *const *item, uint32_t n,
                        tallies_t *out) {
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n && strcmp(item[i]->work_key, item[j]->work_key) == 0; j++) {
            const assay_score_item_t *x = item[i], *y = item[j];
            const double ratio = x->tokens_per_s_per_device / y->tokens_per_s_per_device;
            if (strcmp(x->group_accelerator, y->group_accelerator) == 0 || ratio > CLOSE ||
                ratio < 1 / CLOSE || (ratio >= 1 && ratio <= 1)) {
                continue;
            }
            tally_t *tally = tally_of(arena, out, x, y);
            if (!tally) {
                return false;
            }
            tally->pairs++;
            tally->right += agrees(x->predicted_tokens_per_s_per_device,
                                   y->predicted_tokens_per_s_per_device, ratio > 1);
            tally->baseline_right += agrees(x->peak_bf16_flops, y->peak_bf16_flops, ratio > 1);
        }
    }
    return true;
}

/* Mean over the accelerator pairs, so that one much-published pair does not decide. */
static assay_score_ranking_t average(const tallies_t *tallies, bool only_amd_nvidia,
                                     const char *key) {
    assay_score_ranking_t out = {.key = key};
    uint32_t n = 0;
    for (uint32_t i = 0; i < tallies->n; i++) {
        const tally_t *tally = &tallies->tally[i];
        if (only_amd_nvidia && !tally->amd_nvidia) {
            continue;
        }
        out.pairs += tally->pairs;
        out.accuracy += tally->right / tally->pairs;
        out.baseline_accuracy += tally->baseline_right / tally->pairs;
        n++;
    }
    if (n > 0) {
        out.accuracy /= n;
        out.baseline_accuracy /= n;
    }
    return out;
}

assay_status_t score_rank(assay_arena_t *arena, assay_score_t *io_score, assay_error_t *err) {
    const assay_score_item_t **item = assay_arena_array(arena, io_score->predicted, sizeof *item);
    tallies_t tallies = {0};
    uint32_t n = 0;
    if (!item) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < io_score->n_item; i++) {
        if (io_score->item[i].work_key) {
            item[n++] = &io_score->item[i];
        }
    }
    qsort(item, n, sizeof *item, compare_work);
    if (!count_pairs(arena, item, n, &tallies)) {
        return assay_error_memory(err, NULL);
    }
    io_score->ranking = average(&tallies, false, "all");
    io_score->ranking_amd_nvidia = average(&tallies, true, "AMD-NVIDIA");
    io_score->ranking_pair = assay_arena_array(arena, tallies.n, sizeof *io_score->ranking_pair);
    if (!io_score->ranking_pair) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < tallies.n; i++) {
        const tally_t *tally = &tallies.tally[i];
        const char *key = assay_arena_printf(arena, "%s / %s", tally->a, tally->b);
        if (!key) {
            return assay_error_memory(err, NULL);
        }
        io_score->ranking_pair[io_score->n_ranking_pair++] = (assay_score_ranking_t){
            tally->pairs, tally->right / tally->pairs, tally->baseline_right / tally->pairs, key};
    }
    return ASSAY_OK;
}
