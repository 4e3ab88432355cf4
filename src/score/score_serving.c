/* Rows of serving measurements: what they say becomes a case, the case a prediction. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/resolve.h"
#include "assay/simulate.h"
#include "assay/text.h"
#include "score/score_parts.h"

#include "base/banned.h"

/* Live activations while a step of the token budget runs, in elements of the hidden width per
   token; ai-dynamo/aiconfigurator's memory model has 11, 6.5, 5, 5 on 1, 2, 4, 8 ranks, times two.
 */
#define ACTIVATION_WIDTHS 12.0
#define ACTIVATION_BYTES 2.0

assay_status_t score_serving_tables(assay_arena_t *arena, score_context_t *io, assay_error_t *err) {
    assay_status_t status =
        assay_serve_engines_load(arena, io->catalog, &io->engine, &io->n_engine, err);
    if (!status) {
        status = assay_weight_formats_load(arena, io->catalog, &io->format, &io->n_format, err);
    }
    if (!status) {
        status = score_images_load(arena, io, err);
    }
    return status ? status
                  : score_rules_load(arena, io->catalog, SCORE_SERVING_RULES, &io->rules, err);
}

static bool number(const score_row_t *row, score_column_t column, double *out) {
    const char *text = row->text[column];
    return assay_text_to_double(text, strlen(text), out) && *out > 0 && isfinite(*out);
}

static bool number_or_inf(const score_row_t *row, score_column_t column, double *out) {
    if (strcmp(row->text[column], "inf") == 0) {
        *out = (double)INFINITY;
        return true;
    }
    return number(row, column, out);
}

static bool find_part(const score_context_t *context, const score_row_t *row,
                      const assay_accelerator_t **out, score_skip_t *out_skip) {
    const score_rule_t *rule = score_rule_find(&context->rules, SCORE_RULE_PART, row, NULL);
    const char *name = row->text[SCORE_COLUMN_ACCELERATOR];
    *out = NULL;
    if (rule) {
        *out = rule->part;
    } else if (assay_catalog_accelerator(context->catalog, name, NULL, out, NULL)) {
        *out = NULL;
    }
    return *out || score_skip(out_skip, SCORE_REASON_ACCELERATOR, "%s", name);
}

static bool find_engine(const score_context_t *context, const score_row_t *row,
                        score_serving_t *out, score_skip_t *out_skip) {
    const score_rule_t *rule = score_rule_find(&context->rules, SCORE_RULE_ENGINE, row, NULL);
    out->engine =
        rule ? assay_serve_engine_find(context->engine, context->n_engine, rule->value) : NULL;
    return out->engine ||
           score_skip(out_skip, SCORE_REASON_ENGINE, "%s", row->text[SCORE_COLUMN_ENGINE]);
}

/* What the row says, unless a rule knows it better. */
static const char *ruled(const score_context_t *context, const score_row_t *row, score_rule_id_t id,
                         score_column_t column) {
    const score_rule_t *rule = score_rule_find(&context->rules, id, row, NULL);
    return rule ? rule->value : row->text[column];
}

/* Weights and what they are multiplied in: a part that lacks the type computes in 16 bit. */
static bool find_weights(const score_context_t *context, const score_row_t *row,
                         const assay_accelerator_t *part, score_serving_t *out,
                         score_skip_t *out_skip) {
    const char *name = ruled(context, row, SCORE_RULE_WEIGHTS, SCORE_COLUMN_WEIGHTS);
    const char *kv = ruled(context, row, SCORE_RULE_KV, SCORE_COLUMN_KV);
    const assay_weight_format_t *format =
        assay_weight_format_find(context->format, context->n_format, name);
    if (!format) {
        return score_skip(out_skip, SCORE_REASON_PRECISION, "%s", name);
    }
    const bool multiplied =
        part->peak_flops[format->needs].known && part->peak_flops[format->multiplied].known;
    out->setup.dtype = multiplied ? format->multiplied : ASSAY_DT_BF16;
    out->setup.weight_bytes = format->bytes_per_param;
    out->setup.wide_attention = format->wide[ASSAY_PART_ATTENTION];
    out->setup.kv_bytes = strcmp(kv, "fp8") == 0 ? 1 : 2;
    out->weight_bits = format->bytes_per_param >= 1 ? 8 * format->bytes_per_param : 4;
    out->precision = format->name;
    return true;
}

static bool find_model(const score_context_t *context, const score_row_t *row, score_serving_t *out,
                       score_skip_t *out_skip) {
    const score_rule_t *rule = score_rule_find(&context->rules, SCORE_RULE_MODEL, row, NULL);
    const char *name = row->text[SCORE_COLUMN_MODEL];
    const assay_model_t *model = rule ? rule->model : NULL;
    if (!model && assay_catalog_model(context->catalog, name, NULL, &model, NULL)) {
        return score_skip(out_skip, SCORE_REASON_MODEL, "%s", name);
    }
    out->setup.model = *model;
    return true;
}

static bool find_devices(const score_context_t *context, const score_row_t *row,
                         const assay_accelerator_t *part, score_serving_t *out,
                         score_skip_t *out_skip) {
    const bool packages = score_rule_find(&context->rules, SCORE_RULE_COUNTS, row, NULL) != NULL;
    uint32_t count, tp = 0, pp = 1, dp = 1, ep = 1;
    if (!score_row_count(row, SCORE_COLUMN_COUNT, &count)) {
        return score_skip(out_skip, SCORE_REASON_COUNT, "%s", row->text[SCORE_COLUMN_COUNT]);
    }
    (void)score_row_count(row, SCORE_COLUMN_PP, &pp);
    (void)score_row_count(row, SCORE_COLUMN_DP, &dp);
    (void)score_row_count(row, SCORE_COLUMN_EP, &ep);
    if (!score_row_count(row, SCORE_COLUMN_TP, &tp)) {
        tp = count;
    }
    out->setup.attention_dp =
        score_rule_find(&context->rules, SCORE_RULE_ATTENTION_DP, row, NULL) != NULL;
    if (tp == 1 && ep == count && (dp == 1 || dp == count) && count > 1) {
        tp = count; /* experts over all devices, attention on each */
        dp = 1;
        out->setup.attention_dp = true;
    }
    if (dp > 1) {
        return score_skip(out_skip, SCORE_REASON_DATA_PARALLEL, "dp %u, ep %u", dp, ep);
    }
    if ((uint64_t)tp * pp != count) {
        return score_skip(out_skip, SCORE_REASON_DEVICES, "tp %u x pp %u is not %u", tp, pp, count);
    }
    out->setup.tp = packages ? tp * part->devices : tp;
    out->setup.pp = pp;
    if (score_rule_find(&context->rules, SCORE_RULE_SPLIT, row, NULL)) {
        out->setup.pp = out->setup.tp;
        out->setup.tp = 1;
    }
    out->setup.ep = ep;
    out->setup.attention_on_one = out->engine->attention_on_one;
    out->setup.same_routing =
        score_rule_find(&context->rules, SCORE_RULE_ROUTING, row, NULL) != NULL;
    assay_error_t err;
    if (assay_resolve_machine(NULL, context->catalog, context->calibration, part, NULL, NULL, 0, 0,
                              out->setup.tp * out->setup.pp, out->setup.dtype, &out->machine,
                              &err)) {
        return score_skip(out_skip, SCORE_REASON_MACHINE, "%s", err.what);
    }
    return true;
}

static bool find_load(const score_context_t *context, const score_row_t *row, score_serving_t *out,
                      score_skip_t *out_skip) {
    const score_rule_t *regime = score_rule_find(&context->rules, SCORE_RULE_REGIME, row, NULL);
    if (!number(row, SCORE_COLUMN_INPUT, &out->load.input_tokens) ||
        !number(row, SCORE_COLUMN_OUTPUT, &out->load.output_tokens)) {
        return score_skip(out_skip, SCORE_REASON_LENGTHS, "%s", row->text[SCORE_COLUMN_SCENARIO]);
    }
    if (!regime) {
        return score_skip(out_skip, SCORE_REASON_REGIME, "%s", row->text[SCORE_COLUMN_SCENARIO]);
    }
    out->regime = (score_regime_t)regime->code;
    const score_rule_t *requests = score_rule_find(&context->rules, SCORE_RULE_REQUESTS, row, NULL);
    out->requests = requests ? requests->code : 0;
    /* with attention on each device alone, each has that many */
    const double schedulers = out->setup.attention_dp ? out->setup.tp : 1;
    out->sequences = schedulers * out->engine->max_sequences;
    if (!number(row, SCORE_COLUMN_CONCURRENCY, &out->sequences) &&
        out->regime == SCORE_REGIME_STATIC) {
        return score_skip(out_skip, SCORE_REASON_BATCH, "batch_or_concurrency");
    }
    if (out->regime == SCORE_REGIME_OPEN &&
        !number_or_inf(row, SCORE_COLUMN_RATE, &out->rate_per_s)) {
        return score_skip(out_skip, SCORE_REASON_REGIME, "request_rate");
    }
    out->load.token_budget = schedulers * out->engine->token_budget;
    out->load.reserves_whole = out->engine->reserves_whole;
    return true;
}

/* What the engine leaves for keys and values. */
static bool find_kv(score_serving_t *out, score_skip_t *out_skip) {
    const assay_device_t *device = &out->machine.device;
    const assay_serve_constants_t unit = assay_serve_unit();
    assay_serve_prepare(&out->machine, &out->setup, &unit, &out->unit);
    const double fixed = out->unit.weight_bytes +
                         device->calib[ASSAY_CALIB_MEMORY_CONTEXT_BYTES][out->setup.dtype] +
                         ACTIVATION_BYTES * ACTIVATION_WIDTHS * out->load.token_budget *
                             out->setup.model.hidden / out->setup.tp;
    const double share = out->engine->memory_share;
    const double left = out->engine->share_of_free ? share * (device->hbm_bytes - fixed)
                                                   : share * device->hbm_bytes - fixed;
    out->load.kv_tokens = left / out->unit.kv_bytes_per_token;
    /* It ran: where the figures leave less than one sequence, one sequence fitted. */
    const double least = out->load.input_tokens + out->load.output_tokens;
    if (out->unit.weight_bytes > device->hbm_bytes) {
        return score_skip(out_skip, SCORE_REASON_WEIGHTS_FIT, "%.1f of %.1f GB",
                          out->unit.weight_bytes / 1e9, device->hbm_bytes / 1e9);
    }
    out->load.kv_tokens = fmax(out->load.kv_tokens, least);
    return true;
}

/* What trtllm-bench sets: as many sequences as the cache holds, and tokens of a step to match. */
#define BENCH_SEQUENCES 4096.0
#define BENCH_TOKENS_LEAST 2048.0
#define BENCH_TOKENS_MOST 32768.0
static void tune_limits(score_serving_t *io) {
    const double schedulers = io->setup.attention_dp ? io->setup.tp : 1;
    const double each = io->load.input_tokens + io->load.output_tokens;
    const double sequences = fmin(io->load.kv_tokens / each / schedulers, BENCH_SEQUENCES);
    const double tokens = sequences * each / io->load.output_tokens;
    io->sequences = schedulers * BENCH_SEQUENCES;
    io->load.token_budget = schedulers * fmin(fmax(tokens, BENCH_TOKENS_LEAST), BENCH_TOKENS_MOST);
}

bool score_serving_make(const score_context_t *context, const score_row_t *row,
                        score_serving_t *out, score_skip_t *out_skip) {
    const score_rule_t *skip = score_rule_find(&context->rules, SCORE_RULE_SKIP, row, NULL);
    const assay_accelerator_t *part;
    if (skip) {
        return score_skip(out_skip, (score_reason_t)skip->code, "%s", row->text[skip->column[0]]);
    }
    if (!find_part(context, row, &part, out_skip) || !find_engine(context, row, out, out_skip) ||
        !find_model(context, row, out, out_skip) ||
        !find_weights(context, row, part, out, out_skip) ||
        !find_devices(context, row, part, out, out_skip) ||
        !find_load(context, row, out, out_skip)) {
        return false;
    }
    if (strcmp(part->vendor, "AMD") == 0) {
        out->setup.head_stream_above = out->engine->head_stream_above;
    } else if (out->engine->head_stream_above > 0 && out->setup.kv_bytes < 2) {
        out->setup.head_stream_above =
            ASSAY_HEAD_STREAM_ALWAYS; /* FlashAttention of that time lacks FP8 keys */
    }
    if (out->engine->head_stream_grouped && out->setup.model.kv_heads < out->setup.model.heads) {
        out->setup.head_stream_above = ASSAY_HEAD_STREAM_ALWAYS;
    }
    if (!find_kv(out, out_skip)) {
        return false;
    }
    if (score_rule_find(&context->rules, SCORE_RULE_LIMITS, row, NULL)) {
        tune_limits(out);
    }
    return true;
}

double score_serving_value(const score_serving_t *of, const assay_serve_constants_t *constants,
                           score_measure_t measure) {
    assay_serve_step_t step;
    assay_serve_scale(&of->unit, constants, &step);
    const assay_serve_load_t *load = &of->load;
    const double n = of->sequences;
    switch (measure) {
    case SCORE_MEASURE_TTFT:
        return 1e3 * assay_serve_prefill_s(&step, load, n);
    case SCORE_MEASURE_LATENCY:
        return 1e3 * assay_serve_static_s(&step, load, n);
    default:
        return load->output_tokens *
               (of->regime == SCORE_REGIME_STATIC ? n / assay_serve_static_s(&step, load, n)
                : of->requests > 0
                    ? of->requests / assay_serve_offline_s(&step, load, of->requests, n)
                    : assay_serve_closed_loop_per_s(&step, load, n));
    }
}

/* Requests of an open loop where the source does not say more: TensorRT-LLM's online pages. */
#define OPEN_REQUESTS 500u
/* "all at once": a gap that no step can tell from none */
#define AT_ONCE_PER_S 1e9

bool score_serving_simulate(assay_arena_t *arena, const score_serving_t *of,
                            const assay_serve_constants_t *constants, score_measure_t measure,
                            double *out) {
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    const uint32_t longest = (uint32_t)(of->load.input_tokens + of->load.output_tokens);
    const assay_sim_options_t options = {
        .policy = {.max_sequences = of->engine->max_sequences,
                   .token_budget = of->engine->token_budget,
                   .block_tokens = of->engine->block_tokens,
                   .kv_blocks = (uint64_t)(of->load.kv_tokens / of->engine->block_tokens) + 1},
        .load = {.requests = OPEN_REQUESTS,
                 .seed = 1,
                 .arrival = ASSAY_ARRIVAL_POISSON,
                 .rate_per_s = fmin(of->rate_per_s, AT_ONCE_PER_S),
                 .input = assay_dist_fixed(of->load.input_tokens),
                 .output = assay_dist_fixed(of->load.output_tokens),
                 .max_tokens = longest + 1},
        .replicas = 1};
    assay_serve_scale(&of->unit, constants, &step);
    if (!result || assay_sim_cost_init(arena, &step, options.policy.max_sequences, &cost, NULL) ||
        assay_simulate(arena, &cost, &options, result, NULL) || result->duration_s <= 0) {
        return false;
    }
    const double per_s = (double)result->requests / result->duration_s;
    switch (measure) {
    case SCORE_MEASURE_OUTPUT:
        *out = (double)result->output_tokens / result->duration_s;
        return true;
    case SCORE_MEASURE_TOKENS_SERVED:
        *out = (double)(result->input_tokens + result->output_tokens) / result->duration_s;
        return true;
    case SCORE_MEASURE_REQUESTS:
        *out = per_s;
        return true;
    case SCORE_MEASURE_TTFT_MEAN:
        *out = 1e3 * assay_sim_mean_s(&result->ttft);
        return true;
    case SCORE_MEASURE_ITL_MEAN:
        *out = 1e3 * assay_sim_mean_s(&result->itl);
        return true;
    default:
        return false;
    }
}

static bool is_rate(score_measure_t measure) {
    return measure == SCORE_MEASURE_OUTPUT || measure == SCORE_MEASURE_TOKENS_SERVED ||
           measure == SCORE_MEASURE_REQUESTS;
}

static const char *unit_of(score_measure_t measure) {
    return measure == SCORE_MEASURE_REQUESTS ? "requests/s" : is_rate(measure) ? "tokens/s" : "ms";
}

score_measure_t score_serving_measure(const score_context_t *context, const score_row_t *row,
                                      const score_measured_t *measured, score_skip_t *out_skip) {
    const score_rules_t *rules = &context->rules;
    const score_rule_t *rule = score_rule_find(rules, SCORE_RULE_MEASURE, row, measured);
    const score_rule_t *suspect = score_rule_find(rules, SCORE_RULE_SUSPECT, row, measured);
    const char *metric = measured->text[SCORE_COLUMN_METRIC - SCORE_COLUMN_N];
    if (suspect) {
        score_skip(out_skip, SCORE_REASON_SUSPECT, "%s", suspect->note);
        return SCORE_MEASURE_NONE;
    }
    if (!rule || rule->code == SCORE_MEASURE_NONE) {
        score_skip(out_skip, SCORE_REASON_METRIC, "%s", metric);
        return SCORE_MEASURE_NONE;
    }
    return (score_measure_t)rule->code;
}

bool score_serving_join(assay_arena_t *arena, const score_context_t *context,
                        const score_row_t *row, const score_measured_t *measured,
                        const score_serving_t *of, assay_score_item_t *io_item,
                        score_skip_t *out_skip) {
    const char *value = measured->text[SCORE_COLUMN_VALUE - SCORE_COLUMN_N];
    io_item->metric = measured->text[SCORE_COLUMN_METRIC - SCORE_COLUMN_N];
    const score_measure_t measure = score_serving_measure(context, row, measured, out_skip);
    io_item->unit = measure == SCORE_MEASURE_NONE ? "" : unit_of(measure);
    if (!assay_text_to_double(value, strlen(value), &io_item->measured)) {
        io_item->measured = (double)NAN;
    }
    if (measure == SCORE_MEASURE_NONE) {
        return false;
    }
    if (!(io_item->measured > 0)) {
        return score_skip(out_skip, SCORE_REASON_VALUE, "%s", value);
    }
    if (!of) {
        return true;
    }
    assay_serve_constants_t constants;
    assay_device_t device = of->machine.device;
    assay_resolve_engine(context->calibration, of->engine->id, of->machine.accelerator, &device);
    assay_serve_constants(&device, of->setup.dtype, &constants);
    double predicted;
    if (of->regime != SCORE_REGIME_OPEN) {
        predicted = score_serving_value(of, &constants, measure);
    } else if (!score_serving_simulate(arena, of, &constants, measure, &predicted)) {
        return score_skip(out_skip, SCORE_REASON_METRIC, "%s", io_item->metric);
    }
    const bool rate = is_rate(measure);
    io_item->predicted = predicted;
    io_item->p10 = rate ? predicted / constants.rel_p90 : predicted * constants.rel_p10;
    io_item->p90 = rate ? predicted / constants.rel_p10 : predicted * constants.rel_p90;
    io_item->rel_error = predicted / io_item->measured - 1;
    io_item->basis = constants.basis;
    const double devices = of->machine.devices;
    const double work = of->sequences * of->load.output_tokens / devices * 1e3;
    io_item->predicted_tokens_per_s_per_device = rate ? predicted / devices : work / predicted;
    io_item->tokens_per_s_per_device =
        rate ? io_item->measured / devices : work / io_item->measured;
    return true;
}
