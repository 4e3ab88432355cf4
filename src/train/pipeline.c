#include "train/pipeline.h"

#include <assert.h>
#include <math.h>

/* One of the figures of the stages; what is asked of them runs from stage 0 to t. */
typedef struct {
    double first, middle, last;
    uint32_t stages;
} line_t;

static double at(const line_t *line, uint32_t t) {
    return t == 0 ? line->first : t == line->stages - 1 ? line->last : line->middle;
}

static double sum_to(const line_t *line, uint32_t t) {
    const uint32_t between = t < line->stages - 1 ? t : line->stages - 2;
    return t == 0 ? line->first
                  : line->first + between * line->middle + (t == line->stages - 1 ? line->last : 0);
}

static double most_to(const line_t *line, uint32_t t) {
    const double front =
        t == 0 || line->stages == 2 ? line->first : fmax(line->first, line->middle);
    return t > 0 && t == line->stages - 1 ? fmax(front, line->last) : front;
}

/* Forwards that stage t runs ahead of its first backward. */
static uint32_t ahead(const train_pipeline_t *pipeline, uint32_t t) {
    const uint32_t later = pipeline->stages - 1 - t, most = pipeline->micro - 1;
    return later < most ? later : most;
}

/* Where a function that is linear in the stage may have its largest value: at the ends of the
   middle stages, and where fewer micro-batches than stages cut off the warm-up. */
static uint32_t corners(const train_pipeline_t *pipeline, uint32_t out_stage[7]) {
    const uint32_t p = pipeline->stages, m = pipeline->micro;
    const uint32_t cut = p > m ? p - m : 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < 2 && i < p; i++) {
        out_stage[n++] = i;
    }
    for (uint32_t i = cut > 3 ? cut - 1 : 2; i <= cut + 1 && i + 2 < p; i++) {
        out_stage[n++] = i;
    }
    for (uint32_t i = p > 3 ? p - 2 : 2; i < p; i++) {
        out_stage[n++] = i;
    }
    return n;
}

/**
 * Order and data make a graph; the step is its longest path. It waits at the slowest place of one
 * stage k. Before that it goes down to some stage t >= k, where the first micro-batch turns (or all
 * of the warm-up, run one after the other at the slowest stage on the way), and up to k; after it
 * down from k to u, where the last one turns, and up to the first stage.
 */
static double plain_s(const train_pipeline_t *pipeline, const line_t *forward,
                      const line_t *backward) {
    uint32_t stage[7];
    const uint32_t n = corners(pipeline, stage);
    double longest_s = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = stage[i], ahead_k = ahead(pipeline, k);
        const double forward_k = sum_to(forward, k), backward_k = sum_to(backward, k);
        double start_s = 0, end_s = 0;
        for (uint32_t j = i; j < n; j++) {
            const uint32_t t = stage[j];
            const double there_s = sum_to(forward, t), back_s = sum_to(backward, t);
            start_s = fmax(start_s, there_s + ahead(pipeline, t) * most_to(forward, t) + back_s -
                                        backward_k);
            end_s = fmax(end_s,
                         there_s - forward_k + back_s + ahead(pipeline, t) * most_to(backward, t));
        }
        const uint32_t both = pipeline->micro - 1 - ahead_k; /* of k: a backward, then a forward */
        if (both > 0) {
            longest_s =
                fmax(longest_s, start_s + both * (at(forward, k) + at(backward, k)) + end_s);
        } else { /* all forwards of k come before its first backward */
            longest_s = fmax(longest_s, forward_k + ahead_k * most_to(forward, k) + end_s);
            longest_s = fmax(longest_s, start_s + backward_k + ahead_k * most_to(backward, k));
        }
    }
    return longest_s;
}

/* Of many micro-batches, so many count of what an end takes more or less than the other pieces. */
static double once_s(double more_s, uint32_t group) {
    return more_s > 0 ? group * more_s : more_s;
}

/*
 * Pieces that are alike but for the first and the last: m v + p - 1 of them (as all alike would
 * take), and the longest of what the ends add: the last stage's every micro-batch, what the first
 * one's adds once a group, or, where the first is the slower, its own micro-batches less those that
 * the others' warm-up hides. A bound from the paths through the schedule, not the schedule itself:
 * tests hold it to 1 % of an event-by-event reference with tables as layers, 2 % with short ends,
 * and 5 % on two stages.
 */
static double interleaved_s(const train_pipeline_t *pipeline) {
    const uint32_t p = pipeline->stages, v = pipeline->interleave;
    const double m = pipeline->micro;
    const train_stage_s_t *piece = &pipeline->piece;
    const uint32_t group = assay_layout_group(p, pipeline->micro);
    const double first_f = pipeline->first.forward_s - v * piece->forward_s;
    const double first_b = pipeline->first.backward_s - v * piece->backward_s;
    const double first_s = first_f + first_b, one_s = piece->forward_s + piece->backward_s;
    const double last_s = pipeline->last.forward_s + pipeline->last.backward_s - v * one_s;
    const double ends_s = once_s(first_f, group) + once_s(first_b, group);
    double longest_s = ends_s + m * last_s;
    if (p > 2) {
        longest_s = fmax(longest_s, ends_s - one_s);
    }
    if (p == 2 || first_s > 0) {
        const double times = first_s > 0 ? m - group : m;
        longest_s = fmax(longest_s, times * first_s - one_s + group * fmax(last_s, 0));
    }
    if (first_s >= 0) {
        longest_s =
            fmax(longest_s, m * first_s - first_f - 2 * (p - 1.0) * piece->forward_s + last_s);
    }
    return (m * v + p - 1) * one_s + longest_s;
}

/* What a stage that is not the slowest adds. */
static double wait_s(const train_pipeline_t *pipeline, const train_stage_s_t *stage) {
    const double forward_s = stage->forward_s, weight_s = stage->weight_s;
    const double input_s = stage->backward_s - weight_s;
    switch (pipeline->schedule) {
    case ASSAY_SCHEDULE_ZB_H1:
        return fmax(forward_s + input_s - weight_s, fmax(forward_s, input_s));
    default:
        assert(pipeline->schedule == ASSAY_SCHEDULE_ZB_H2);
        return fmax(forward_s + input_s - 2 * weight_s, fmax(input_s - forward_s, 0));
    }
}

/* What both directions of a dual schedule are made of: devices that see a micro-batch first, and
   how much of a stage a piece is. */
static uint32_t dual_devices(const train_pipeline_t *pipeline) {
    return pipeline->schedule == ASSAY_SCHEDULE_DUALPIPE ? pipeline->stages / 2 : pipeline->stages;
}
static double dual_piece(const train_pipeline_t *pipeline) {
    return pipeline->schedule == ASSAY_SCHEDULE_DUALPIPE ? 1 : .5;
}
static bool is_dual(const train_pipeline_t *pipeline) {
    return pipeline->schedule == ASSAY_SCHEDULE_DUALPIPE ||
           pipeline->schedule == ASSAY_SCHEDULE_DUALPIPEV;
}

static double paired_s(const train_stage_s_t *stage) {
    return stage->forward_s + stage->backward_s - stage->hidden_s;
}

/* The two paths that can be the longest differ in what each device but the slowest adds. */
static double dual_s(const train_pipeline_t *pipeline) {
    const train_stage_s_t *first = &pipeline->first;
    const train_stage_s_t *other = pipeline->stages > 2 ? &pipeline->middle : &pipeline->last;
    const uint32_t devices = dual_devices(pipeline);
    const train_stage_s_t *slowest =
        devices == 1 || paired_s(first) >= paired_s(other) ? first : other;
    double early_s = 0, late_s = -slowest->forward_s;
    for (int i = 0; i < 2; i++) {
        const train_stage_s_t *one = i == 0 ? first : other;
        const double count = (i == 0 ? 1 : devices - 1.0) - (one == slowest);
        const double forward_s = one->forward_s, backward_s = one->backward_s;
        early_s += count * (2 * forward_s + fmax(backward_s - 2 * one->weight_s, 0));
        late_s += count * (forward_s +
                           fmax(backward_s - one->weight_s, 2 * backward_s - 3 * one->weight_s));
    }
    return pipeline->micro * paired_s(slowest) +
           dual_piece(pipeline) *
               ((devices + 2) * slowest->hidden_s + fmax(fmax(early_s, late_s), 0));
}

double train_pipeline_pairs(const train_pipeline_t *pipeline) {
    const double piece = dual_piece(pipeline);
    return is_dual(pipeline) ? pipeline->micro - piece * (3.0 * dual_devices(pipeline) - 1) : 0;
}

double train_pipeline_s(const train_pipeline_t *pipeline) {
    const train_stage_s_t *kind[] = {&pipeline->first, &pipeline->middle, &pipeline->last};
    const uint32_t p = pipeline->stages, m = pipeline->micro;
    assert(p > 0 && m > 0 && pipeline->interleave > 0);
    if (p == 1) {
        return m * (kind[0]->forward_s + kind[0]->backward_s);
    }
    if (pipeline->schedule == ASSAY_SCHEDULE_1F1B && pipeline->interleave == 1) {
        const line_t forward = {kind[0]->forward_s, kind[1]->forward_s, kind[2]->forward_s, p};
        const line_t backward = {kind[0]->backward_s, kind[1]->backward_s, kind[2]->backward_s, p};
        return plain_s(pipeline, &forward, &backward);
    }
    if (pipeline->schedule == ASSAY_SCHEDULE_1F1B) {
        return interleaved_s(pipeline);
    }
    if (is_dual(pipeline)) {
        return dual_s(pipeline);
    }
    const double count[] = {1, p - 2.0, 1};
    double slowest_s = 0, waits_s = 0, spared_s = 0; /* the slowest waits for the others alone */
    for (int i = 0; i < 3; i++) {
        const double busy_s = kind[i]->forward_s + kind[i]->backward_s;
        const double one_s = wait_s(pipeline, kind[i]);
        waits_s += count[i] * one_s;
        if (count[i] > 0 && busy_s > slowest_s) {
            slowest_s = busy_s;
            spared_s = one_s;
        }
    }
    return m * slowest_s + waits_s - spared_s;
}

double train_pipeline_chunks(const assay_layout_t *layout, uint32_t micro, uint32_t stage) {
    const double p = layout->pp, later = p - 1 - stage; /* stages after this one */
    const double most = (double)micro * layout->vpp;
    double held = 0;
    switch (layout->schedule) {
    case ASSAY_SCHEDULE_ZB_H1:
        held = p;
        break;
    case ASSAY_SCHEDULE_ZB_H2:
        held = 2 * p - 1;
        break;
    case ASSAY_SCHEDULE_DUALPIPE:
        held = p + 1;
        break;
    case ASSAY_SCHEDULE_DUALPIPEV: /* 2 p + 1 pieces of half a stage */
        held = p + .5;
        break;
    default:
        held = layout->vpp == 1
                   ? later + 1
                   : (layout->vpp - 1.0) * assay_layout_group(layout->pp, micro) + 2 * later + 1;
    }
    return held < most ? held : most;
}
