/* A row's layout columns become a machine, a workload and the pins of its layout. */
#include <math.h>
#include <string.h>

#include "assay/resolve.h"
#include "assay/text.h"
#include "score/score_parts.h"

#include "base/banned.h"

/* "0.5M tokens" of a batch are half of 2^20: batches are powers of two. */
#define BATCH_M 1048576.0
/* MLPerf's reference, on the matrices of attention (mlcommons/training llama2_70b_lora); where a
   row does not say its own, adapters of 8 to 64 are below a hundredth of the step. */
#define LORA_RANK 16
#define BATCH_M_UNIT "M tokens"

static bool find_machine(assay_arena_t *arena, const score_context_t *context,
                         const score_row_t *row, assay_dtype_t dtype, assay_machine_t *out,
                         score_skip_t *out_skip) {
    const char *name = row->text[SCORE_COLUMN_ACCELERATOR];
    const score_rule_t *rule = score_rule_find(&context->rules, SCORE_RULE_PART, row, NULL);
    const score_rule_t *network = score_rule_find(&context->rules, SCORE_RULE_NETWORK, row, NULL);
    const score_rule_t *fabric = score_rule_find(&context->rules, SCORE_RULE_FABRIC, row, NULL);
    const assay_accelerator_t *part = NULL;
    uint32_t devices;
    assay_error_t err;
    if (rule) {
        part = rule->part;
    } else if (assay_catalog_accelerator(context->catalog, name, NULL, &part, NULL)) {
        part = NULL;
    }
    if (!part) {
        return score_skip(out_skip, SCORE_REASON_ACCELERATOR, "%s", name);
    }
    if (!score_row_count(row, SCORE_COLUMN_COUNT, &devices)) {
        return score_skip(out_skip, SCORE_REASON_COUNT, "%s", row->text[SCORE_COLUMN_COUNT]);
    }
    if (assay_resolve_machine(
            arena, context->catalog, context->calibration, part, fabric ? fabric->fabric : NULL,
            network ? network->network.kind : NULL, network ? network->network.bits_per_s : 0,
            network ? network->network.nics : 0, devices, dtype, out, &err)) {
        return score_skip(out_skip, SCORE_REASON_MACHINE, "%s", err.what);
    }
    return true;
}

/* Sequences a step; sources that give tokens are converted. */
static bool find_batch(const score_row_t *row, uint32_t sequence, uint32_t *out) {
    const char *text = row->text[SCORE_COLUMN_GLOBAL_BATCH];
    const size_t n = strlen(text), n_unit = strlen(BATCH_M_UNIT);
    double millions;
    if (n > n_unit && strcmp(text + n - n_unit, BATCH_M_UNIT) == 0 &&
        assay_text_to_double(text, n - n_unit, &millions)) {
        const double sequences = millions * BATCH_M / sequence;
        if (!(sequences >= 1 && sequences <= UINT32_MAX) || sequences > floor(sequences)) {
            return false;
        }
        *out = (uint32_t)sequences;
        return true;
    }
    return score_row_count(row, SCORE_COLUMN_GLOBAL_BATCH, out);
}

static bool is_set(const score_rules_t *rules, score_rule_id_t id, const score_row_t *row) {
    const score_rule_t *rule = score_rule_find(rules, id, row, NULL);
    return rule && rule->code;
}

/* Samples that a device works on at once: the row's, or what its source says elsewhere. */
static uint32_t find_micro_batch(const score_context_t *context, const score_row_t *row) {
    const score_rule_t *images = score_rule_find(&context->rules, SCORE_RULE_IMAGES, row, NULL);
    uint32_t value;
    return score_row_count(row, SCORE_COLUMN_MICRO_BATCH, &value) ? value
           : images                                               ? images->code
                                                                  : 0;
}

/* A network that is trained whole; without a global batch each device takes a micro-batch. */
static bool find_net(const score_context_t *context, const score_row_t *row,
                     const assay_train_net_t *net, assay_workload_t *io, score_skip_t *out_skip) {
    uint32_t devices = 0;
    assay_train_workload(net, io);
    (void)score_row_count(row, SCORE_COLUMN_COUNT, &devices);
    if (!score_row_count(row, SCORE_COLUMN_GLOBAL_BATCH, &io->global_batch)) {
        io->global_batch = devices * find_micro_batch(context, row);
    }
    return io->global_batch > 0 || score_skip(out_skip, SCORE_REASON_BATCH, "global_batch");
}

static bool find_work(const score_context_t *context, const score_row_t *row, assay_dtype_t dtype,
                      assay_workload_t *out, score_skip_t *out_skip) {
    const score_rule_t *fused = score_rule_find(&context->rules, SCORE_RULE_FUSED, row, NULL);
    const score_rule_t *loss = score_rule_find(&context->rules, SCORE_RULE_LOSS, row, NULL);
    const score_rule_t *method = score_rule_find(&context->rules, SCORE_RULE_METHOD, row, NULL);
    *out = (assay_workload_t){.dtype = dtype, .unfused_attention = fused && !fused->code};
    out->recipe.loss = (uint8_t)(loss ? loss->code : ASSAY_LOSS_FP32);
    if (method && method->code != ASSAY_METHOD_FULL) {
        out->recipe.method = (uint8_t)method->code;
        out->recipe.lora_rank = LORA_RANK;
        out->recipe.lora_attention = true;
    }
    const score_rule_t *reduce = score_rule_find(&context->rules, SCORE_RULE_REDUCE, row, NULL);
    out->recipe.bf16_reduce = reduce && reduce->code != SCORE_REDUCE_FP32;
    out->recipe.bf16_gradients = reduce && reduce->code == SCORE_REDUCE_NARROW_KEPT;
    out->expert_once = is_set(&context->rules, SCORE_RULE_EXPERT_ONCE, row);
    out->expert_overlap = is_set(&context->rules, SCORE_RULE_EXPERT_OVERLAP, row);
    out->recipe.recompute_stops = is_set(&context->rules, SCORE_RULE_RECOMPUTE_STOPS, row);
    const score_rule_t *layers =
        score_rule_find(&context->rules, SCORE_RULE_RECOMPUTE_LAYERS, row, NULL);
    out->recipe.recompute_layers = layers ? layers->code : 0;
    const score_rule_t *net = score_rule_find(&context->rules, SCORE_RULE_NETWORK_OF, row, NULL);
    if (net) {
        return find_net(context, row, net->net, out, out_skip);
    }
    if (!score_model_make(context, row, &out->model, out_skip)) {
        return false;
    }
    if (!score_row_count(row, SCORE_COLUMN_SEQUENCE, &out->sequence)) {
        return score_skip(out_skip, SCORE_REASON_BATCH, "seq_len");
    }
    if (!find_batch(row, out->sequence, &out->global_batch)) {
        return score_skip(out_skip, SCORE_REASON_BATCH, "global_batch");
    }
    assay_model_count(&out->model, &out->count);
    const score_rule_t *sample = score_rule_find(&context->rules, SCORE_RULE_SAMPLE, row, NULL);
    out->sample = sample ? sample->code : 0;
    assay_resolve_flops(out);
    return true;
}

static int8_t pin_of(const score_rule_t *rule) {
    return rule ? (int8_t)rule->code : -1;
}

/* What the row says of its layout is pinned, the rest is free. The data-parallel degree follows. */
static bool find_pins(const score_context_t *context, const score_row_t *row, uint32_t devices,
                      score_case_t *out, score_skip_t *out_skip) {
    const score_rules_t *rules = &context->rules;
    const score_rule_t *zero = score_rule_find(rules, SCORE_RULE_ZERO, row, NULL);
    const score_rule_t *vpp = score_rule_find(rules, SCORE_RULE_VPP, row, NULL);
    /* Who does not speak of cutting sequences or experts does not cut them. */
    uint32_t tp = 0, pp = 0, interleave = 0, cp = 1, ep = 1, dp = 0;
    (void)score_row_count(row, SCORE_COLUMN_CP, &cp);
    (void)score_row_count(row, SCORE_COLUMN_EP, &ep);
    (void)score_row_count(row, SCORE_COLUMN_TP, &tp);
    (void)score_row_count(row, SCORE_COLUMN_PP, &pp);
    (void)score_row_count(row, SCORE_COLUMN_DP, &dp);
    out->pin.micro_batch = find_micro_batch(context, row);
    if (out->work.net.sample) {
        tp = pp = interleave = 1;
    } else if (!score_row_count(row, SCORE_COLUMN_VPP, &interleave) && (pp == 1 || vpp)) {
        interleave = 1;
    }
    if (tp > UINT16_MAX || pp > UINT16_MAX || interleave > UINT16_MAX || cp > UINT16_MAX ||
        ep > UINT16_MAX) {
        return score_skip(out_skip, SCORE_REASON_DEVICES, "tp %u, pp %u, vpp %u, cp %u, ep %u", tp,
                          pp, interleave, cp, ep);
    }
    /* With fully sharded weights some sources count replicas of the shards as dp. */
    const bool replicas = zero && zero->code == 3;
    if (tp && pp && dp && !replicas && (uint64_t)tp * pp * cp * dp != devices) {
        return score_skip(out_skip, SCORE_REASON_DEVICES, "tp %u x pp %u x cp %u x dp %u is not %u",
                          tp, pp, cp, dp, devices);
    }
    out->pin.tp = (uint16_t)tp;
    out->pin.pp = (uint16_t)pp;
    out->pin.vpp = (uint16_t)interleave;
    out->pin.cp = (uint16_t)cp;
    out->pin.cp_comm = -1;
    out->pin.ep = (uint16_t)ep;
    const score_rule_t *shard = score_rule_find(rules, SCORE_RULE_SHARD, row, NULL);
    out->pin.shard = shard && shard->code < devices ? shard->code : 0;
    out->pin.zero = pin_of(zero);
    out->pin.recompute = pin_of(score_rule_find(rules, SCORE_RULE_RECOMPUTE, row, NULL));
    out->pin.sequence_parallel =
        tp == 1 ? -1 : pin_of(score_rule_find(rules, SCORE_RULE_SEQUENCE_PARALLEL, row, NULL));
    out->searched = !tp || !pp || !out->pin.micro_batch;
    return true;
}

bool score_case_make(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                     score_case_t *out, score_skip_t *out_skip) {
    const score_rules_t *rules = &context->rules;
    const score_rule_t *skip = score_rule_find(rules, SCORE_RULE_SKIP, row, NULL);
    const score_rule_t *stack = score_rule_find(rules, SCORE_RULE_STACK, row, NULL);
    const score_rule_t *precision = score_rule_find(rules, SCORE_RULE_DTYPE, row, NULL);
    const assay_dtype_t dtype = precision ? (assay_dtype_t)precision->code : ASSAY_DT_BF16;
    const score_rule_t *software = score_rule_find(rules, SCORE_RULE_SOFTWARE, row, NULL);
    out->software = software && strcmp(software->value, "-") != 0 ? software->value : NULL;
    out->stack = stack ? stack->value : row->text[SCORE_COLUMN_FRAMEWORK];
    if (skip) {
        return score_skip(out_skip, (score_reason_t)skip->code, "%s", row->text[skip->column[0]]);
    }
    if (!find_machine(arena, context, row, dtype, &out->machine, out_skip)) {
        return false;
    }
    if (out->software) {
        assay_resolve_software(context->calibration, out->software, out->machine.accelerator, dtype,
                               &out->machine.device);
    }
    return find_work(context, row, dtype, &out->work, out_skip) &&
           (precision || score_skip(out_skip, SCORE_REASON_PRECISION, "%s",
                                    row->text[SCORE_COLUMN_PRECISION])) &&
           find_pins(context, row, out->machine.devices, out, out_skip);
}
