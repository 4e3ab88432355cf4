/* What was measured meets what was predicted. */
#include <math.h>
#include <string.h>

#include "assay/text.h"
#include "score/score_parts.h"

#include "base/banned.h"

/* Step time (s), work and devices to a metric. bigger_is_faster: it is a rate. */
typedef struct {
    const char *unit;
    bool rate;
} measure_t;
static const measure_t measures[] = {
    [SCORE_MEASURE_TOKENS_PER_DEVICE] = {"tokens/s/device", true},
    [SCORE_MEASURE_TOKENS] = {"tokens/s", true},
    [SCORE_MEASURE_SEQUENCES] = {"sequences/s", true},
    [SCORE_MEASURE_IMAGES] = {"images/s", true},
    [SCORE_MEASURE_SECONDS] = {"s", false},
    [SCORE_MEASURE_MILLISECONDS] = {"ms", false},
    [SCORE_MEASURE_TFLOPS] = {"TFLOP/s/device", true},
};

static const char *measured_text(const score_measured_t *measured, score_column_t column) {
    return measured->text[column - SCORE_COLUMN_N];
}

/* Value of a metric per token/s of one device (rates), or times it (times); of a network, per
   sample/s. */
static double per_rate(score_measure_t measure, const score_case_t *of, double flops_per_token) {
    const double devices = of->machine.devices, sequence = of->work.sequence;
    const double tokens_per_device = sequence * of->work.global_batch / devices;
    const double tokens = of->work.net.sample ? of->work.net.width : 1;
    switch (measure) {
    case SCORE_MEASURE_TOKENS_PER_DEVICE:
        return tokens;
    case SCORE_MEASURE_TOKENS:
        return devices * tokens;
    case SCORE_MEASURE_IMAGES:
        return devices;
    case SCORE_MEASURE_SEQUENCES:
        return devices / sequence;
    case SCORE_MEASURE_SECONDS:
        return tokens_per_device;
    case SCORE_MEASURE_MILLISECONDS:
        return 1e3 * tokens_per_device;
    case SCORE_MEASURE_TFLOPS:
        return flops_per_token / 1e12;
    default:
        return 1;
    }
}

/* Tokens/s of one device that a measured value says. */
static double measured_rate(score_measure_t measure, const score_case_t *of, double flops_per_token,
                            double measured) {
    const double factor = per_rate(measure, of, flops_per_token);
    return measures[measure].rate ? measured / factor : factor / measured;
}

static void fill_predicted(score_measure_t measure, const score_case_t *of, double flops_per_token,
                           const assay_estimate_t *estimate, assay_score_item_t *io_item) {
    const double factor = per_rate(measure, of, flops_per_token);
    const double rate = estimate->tokens_per_s / of->machine.devices;
    io_item->predicted_tokens_per_s_per_device = rate;
    if (measures[measure].rate) {
        io_item->predicted = factor * rate;
        io_item->p10 = io_item->predicted / estimate->rel_p90;
        io_item->p90 = io_item->predicted / estimate->rel_p10;
    } else {
        io_item->predicted = factor / rate;
        io_item->p10 = io_item->predicted * estimate->rel_p10;
        io_item->p90 = io_item->predicted * estimate->rel_p90;
    }
    io_item->rel_error = io_item->predicted / io_item->measured - 1;
    io_item->basis = estimate->basis;
    io_item->does_not_fit = estimate->reject == ASSAY_REJECT_MEMORY;
}

/* Model FLOPs, causal, over the dense peak: above 1 the row confuses dense and sparse rates, or
   counts what was not computed. */
static double measured_mfu(const score_case_t *of, double tokens_per_s_per_device) {
    return tokens_per_s_per_device * of->work.causal_flops_per_token /
           of->machine.device.peak_flops[of->work.dtype];
}

bool score_join(const score_context_t *context, const score_row_t *row,
                const score_measured_t *measured, const score_case_t *of,
                const assay_estimate_t *estimate, assay_score_item_t *io_item,
                score_skip_t *out_skip) {
    const score_rules_t *rules = &context->rules;
    const score_rule_t *rule = score_rule_find(rules, SCORE_RULE_MEASURE, row, measured);
    const score_rule_t *suspect = score_rule_find(rules, SCORE_RULE_SUSPECT, row, measured);
    const score_rule_t *flops = score_rule_find(rules, SCORE_RULE_FLOPS, row, measured);
    const char *metric = measured_text(measured, SCORE_COLUMN_METRIC);
    const char *tokens = measured_text(measured, SCORE_COLUMN_TOKENS);
    const char *value = measured_text(measured, SCORE_COLUMN_VALUE);
    score_measure_t measure = rule ? (score_measure_t)rule->code : SCORE_MEASURE_NONE;

    io_item->metric = metric;
    io_item->unit = measured_text(measured, SCORE_COLUMN_UNIT);
    if (tokens[0] != '\0' && (!rule || measure != SCORE_MEASURE_NONE)) {
        measure = SCORE_MEASURE_TOKENS_PER_DEVICE;
        value = tokens;
        io_item->metric = "tokens_per_s_per_device";
    }
    if (measure != SCORE_MEASURE_NONE) {
        io_item->unit = measures[measure].unit;
    }
    if (!assay_text_to_double(value, strlen(value), &io_item->measured)) {
        io_item->measured = (double)NAN;
    }
    if (suspect) {
        return score_skip(out_skip, SCORE_REASON_SUSPECT, "%s", suspect->note);
    }
    if (measure == SCORE_MEASURE_NONE) {
        return score_skip(out_skip, SCORE_REASON_METRIC, "%s", metric);
    }
    if (!(io_item->measured > 0)) {
        return score_skip(out_skip, SCORE_REASON_VALUE, "%s", value);
    }
    if (measure == SCORE_MEASURE_TFLOPS && !flops) {
        return score_skip(out_skip, SCORE_REASON_FORMULA, "%s", metric);
    }
    if (estimate) {
        const double flops_per_token = flops && flops->code == SCORE_FLOPS_CAUSAL
                                           ? of->work.causal_flops_per_token
                                           : of->work.model_flops_per_token;
        io_item->tokens_per_s_per_device =
            measured_rate(measure, of, flops_per_token, io_item->measured);
        const double mfu = measured_mfu(of, io_item->tokens_per_s_per_device);
        if (mfu > 1) {
            return score_skip(out_skip, SCORE_REASON_IMPOSSIBLE, "%.0f %% of the dense %s peak",
                              100 * mfu, assay_dtype_name(of->work.dtype));
        }
        fill_predicted(measure, of, flops_per_token, estimate, io_item);
    }
    return true;
}
