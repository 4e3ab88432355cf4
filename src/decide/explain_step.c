/* Layout, time, rate, power and memory of a training step, as trees. */
#include "decide/explain_tree.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

#define MODEL "assay/train.h"
#define ROUNDING 1e-12

/* ---- what the model reads ---- */

static const char *layout_text(explain_t *e, const assay_layout_t *layout) {
    static const char *const recompute[] = {"none", "selective", "full"};
    return explain_format(e,
                          "tp=%u pp=%u vpp=%u cp=%u ep=%u dp=%u micro_batch=%u zero=%u "
                          "recompute=%s sequence_parallel=%s",
                          layout->tp, layout->pp, layout->vpp, layout->cp > 1 ? layout->cp : 1u,
                          layout->ep > 1 ? layout->ep : 1u, layout->dp, layout->micro_batch,
                          layout->zero, recompute[layout->recompute],
                          layout->sequence_parallel ? "true" : "false");
}

static void add_calib(explain_t *e, assay_explained_t *node, assay_calib_id_t id) {
    const char *name = assay_calib_name(id);
    explain_add(e, node,
                explain_input(e, name, e->machine->device.calib[id][e->resolved->workload.dtype],
                              assay_calib_unit(id),
                              EXPLAIN_SAY(e, CALIBRATION, name, e->machine->accelerator->id)));
}

static void add_link(explain_t *e, assay_explained_t *node) {
    explain_add(e, node,
                explain_key(e, "NICs of a node", e->machine->links.nic_bytes_per_s, "B/s",
                            "candidates[].network.gbit_s"));
}

static explained_t peak(explain_t *e) {
    const assay_dtype_t dtype = e->resolved->workload.dtype;
    return explain_part(e, "peak of a device, dense", e->machine->device.peak_flops[dtype],
                        "FLOP/s", &e->machine->accelerator->peak_flops[dtype]);
}

static explained_t bandwidth(explain_t *e) {
    return explain_part(e, "memory rate of a device", e->machine->device.hbm_bytes_per_s, "B/s",
                        &e->machine->accelerator->hbm_bytes_per_s);
}

static void add_peak(explain_t *e, assay_explained_t *node) {
    explain_add(e, node, peak(e));
    explain_add(e, node, bandwidth(e));
}

/* Measured shapes lead near them. */
static void add_shapes(explain_t *e, assay_explained_t *node) {
    assay_op_t op[ASSAY_OP_MAX];
    const uint32_t n =
        assay_train_ops(e->machine, &e->resolved->workload, &e->estimate->layout, op);
    const assay_op_t *most = NULL;
    double measured_s = 0.0, all_s = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        if (op[i].gemm) {
            all_s += op[i].time_s;
            measured_s += op[i].measured * op[i].time_s;
            most = op[i].nearest && (!most || op[i].time_s > most->time_s) ? &op[i] : most;
        }
    }
    if (most) {
        explain_add(e, node,
                    explain_input(e, "share that rests on measured shapes", measured_s / all_s, "1",
                                  EXPLAIN_SAY(e, MOST_OF_ALL, most->nearest->source)));
    }
}

/* Constants that a part of the step is made with. */
static const struct {
    bool rates, links; /* peak and memory rate; network */
    assay_calib_id_t calib[4];
    uint8_t n;
} reads[ASSAY_TIME_N] = {
    [ASSAY_TIME_GEMM] = {true,
                         false,
                         {ASSAY_CALIB_GEMM_EFFICIENCY, ASSAY_CALIB_GEMM_K0, ASSAY_CALIB_GEMM_SERIAL,
                          ASSAY_CALIB_RUN_GEMM},
                         4},
    [ASSAY_TIME_ATTENTION] = {true,
                              false,
                              {ASSAY_CALIB_ATTENTION_FORWARD, ASSAY_CALIB_ATTENTION_BACKWARD,
                               ASSAY_CALIB_ATTENTION_S_HALF, ASSAY_CALIB_RUN_ATTENTION},
                              4},
    [ASSAY_TIME_MEMORY_BOUND] = {true,
                                 false,
                                 {ASSAY_CALIB_HBM_EFFICIENCY, ASSAY_CALIB_HBM_HALF_BYTES,
                                  ASSAY_CALIB_RUN_STREAM},
                                 3},
    [ASSAY_TIME_RECOMPUTE] = {true,
                              false,
                              {ASSAY_CALIB_GEMM_EFFICIENCY, ASSAY_CALIB_ATTENTION_FORWARD,
                               ASSAY_CALIB_HBM_EFFICIENCY},
                              3},
    [ASSAY_TIME_TP_COMM] = {false,
                            false,
                            {ASSAY_CALIB_FABRIC_EFFICIENCY, ASSAY_CALIB_FABRIC_HOP,
                             ASSAY_CALIB_OVERLAP_TP},
                            3},
    [ASSAY_TIME_CP_COMM] = {false,
                            true,
                            {ASSAY_CALIB_FABRIC_EFFICIENCY, ASSAY_CALIB_NETWORK_EFFICIENCY},
                            2},
    [ASSAY_TIME_EP_COMM] = {false,
                            true,
                            {ASSAY_CALIB_FABRIC_EFFICIENCY, ASSAY_CALIB_NETWORK_EFFICIENCY},
                            2},
    [ASSAY_TIME_PP_BUBBLE] = {true, false, {ASSAY_CALIB_GEMM_EFFICIENCY}, 1},
    [ASSAY_TIME_PP_COMM] = {false,
                            true,
                            {ASSAY_CALIB_NETWORK_EFFICIENCY, ASSAY_CALIB_NETWORK_HOP},
                            2},
    [ASSAY_TIME_DP_COMM] = {false,
                            true,
                            {ASSAY_CALIB_FABRIC_EFFICIENCY, ASSAY_CALIB_NETWORK_EFFICIENCY,
                             ASSAY_CALIB_OVERLAP_DP, ASSAY_CALIB_OVERLAP_COST},
                            4},
    [ASSAY_TIME_OPTIMIZER] = {true, false, {ASSAY_CALIB_HBM_EFFICIENCY}, 1},
    [ASSAY_TIME_OFFLOAD] = {false, false, {ASSAY_CALIB_HOST_LINK, ASSAY_CALIB_HOST_UPDATE}, 2},
    [ASSAY_TIME_HOST] = {false, false, {ASSAY_CALIB_RUN_HOST_S, ASSAY_CALIB_STEP_LOSS}, 2},
};

static explained_t time_of(explain_t *e, assay_time_part_t part, bool deep) {
    assay_explained_t *node =
        explain_model(e, assay_time_part_name(part), e->estimate->time_s[part], "s", MODEL);
    if (!deep || !(e->estimate->time_s[part] > 0.0)) {
        return node;
    }
    explain_say(node, "layout", layout_text(e, &e->estimate->layout), 0.0);
    if (reads[part].rates) {
        add_peak(e, node);
    }
    if (reads[part].links) {
        add_link(e, node);
    }
    for (uint8_t k = 0; k < reads[part].n; k++) {
        add_calib(e, node, reads[part].calib[k]);
    }
    if (part == ASSAY_TIME_GEMM) {
        add_shapes(e, node);
    }
    return node;
}

/* ---- the step ---- */

explained_t explain_step(explain_t *e) {
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "step_time_s", e->estimate->step_s, "s");
    for (int k = 0; k < ASSAY_TIME_N; k++) {
        if (e->estimate->time_s[k] > 0.0) {
            explain_add(e, sum, time_of(e, (assay_time_part_t)k, false));
        }
    }
    return sum;
}

static explained_t step_range(explain_t *e) {
    const bool low = strcmp(explain_last(e), "step_time_p10_s") == 0;
    const double rel = low ? e->estimate->rel_p10 : e->estimate->rel_p90;
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, explain_last(e), e->estimate->step_s * rel, "s");
    assay_explained_t *of = explain_model(e, "true over predicted step", rel, "1", MODEL);
    add_calib(e, of, ASSAY_CALIB_STEP_SIGMA);
    explain_add(e, all, explain_step(e));
    explain_add(e, all, of);
    return all;
}

static explained_t time_part(explain_t *e) {
    for (int k = 0; k < ASSAY_TIME_N; k++) {
        if (strcmp(explain_last(e), assay_time_part_name((assay_time_part_t)k)) == 0) {
            return time_of(e, (assay_time_part_t)k, true);
        }
    }
    return NULL;
}

explained_t explain_tokens_per_s(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    const double tokens = (double)work->global_batch * work->sequence;
    const bool samples = work->net.sample != NULL;
    assay_explained_t *batch = explain_node(
        e, ASSAY_EXPLAIN_PRODUCT, samples ? "samples a step" : "tokens a step", tokens, "1");
    explain_add(e, batch, explain_work(e, "global_batch", work->global_batch, "1", "global_batch"));
    if (!samples) {
        explain_add(e, batch, explain_work(e, "sequence", work->sequence, "1", "sequence"));
    }
    return explain_quotient(e, samples ? "samples_per_s" : "tokens_per_s",
                            e->estimate->tokens_per_s, "1/s", batch, explain_step(e));
}

static explained_t all_peak(explain_t *e) {
    const double flops = e->machine->device.peak_flops[e->resolved->workload.dtype];
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "peak FLOP/s",
                                          flops * e->machine->devices, "FLOP/s");
    explain_add(e, all, peak(e));
    explain_add(e, all, explain_devices(e));
    return all;
}

/* Share of the peak that so many FLOPs a token are. */
static explained_t share_of_peak(explain_t *e, const char *name, double share, double flops,
                                 const char *what) {
    const double all =
        e->machine->device.peak_flops[e->resolved->workload.dtype] * e->machine->devices;
    assay_explained_t *model =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "model FLOP/s", share * all, "FLOP/s");
    explain_add(e, model, explain_tokens_per_s(e));
    explain_add(
        e, model,
        explain_model(e, what, flops, "FLOP",
                      e->resolved->workload.net.sample ? "assay/train_net.h" : "assay/model.h"));
    return explain_quotient(e, name, share, "1", model, all_peak(e));
}

static explained_t mfu(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    return share_of_peak(e, "mfu", e->estimate->mfu, work->causal_flops_per_token,
                         work->net.sample ? "FLOPs a sample" : "FLOPs a token, causal");
}

static explained_t hfu(explain_t *e) {
    const double again = e->estimate->hfu - e->estimate->mfu;
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "hfu", e->estimate->hfu, "1");
    explain_add(e, sum, mfu(e));
    if (again > 0.0) {
        const double all =
            e->machine->device.peak_flops[e->resolved->workload.dtype] * e->machine->devices;
        explain_add(e, sum,
                    share_of_peak(e, "what is computed again", again,
                                  again * all / e->estimate->tokens_per_s,
                                  "FLOPs that recompute repeats"));
    }
    return sum;
}

/* GEMM and attention, of the time that the device is busy. */
static explained_t compute_share(explain_t *e) {
    static const assay_time_part_t idle[] = {ASSAY_TIME_PP_BUBBLE, ASSAY_TIME_OFFLOAD,
                                             ASSAY_TIME_HOST};
    const assay_estimate_t *best = e->estimate;
    double busy_s = best->step_s;
    assay_explained_t *busy = explain_node(e, ASSAY_EXPLAIN_SUM, "busy time", busy_s, "s");
    explain_add(e, busy, explain_step(e));
    for (size_t k = 0; k < sizeof idle / sizeof idle[0]; k++) {
        if (!(best->time_s[idle[k]] > 0.0)) {
            continue;
        }
        busy_s -= best->time_s[idle[k]];
        explain_add(e, busy,
                    explain_model(e, EXPLAIN_SAY(e, LESS, assay_time_part_name(idle[k])),
                                  -best->time_s[idle[k]], "s", MODEL));
    }
    const double matrix_s = best->compute_share * busy_s;
    const double again_s =
        matrix_s - best->time_s[ASSAY_TIME_GEMM] - best->time_s[ASSAY_TIME_ATTENTION];
    assay_explained_t *matrix =
        explain_node(e, ASSAY_EXPLAIN_SUM, "GEMM and attention", matrix_s, "s");
    explain_add(e, matrix, time_of(e, ASSAY_TIME_GEMM, false));
    explain_add(e, matrix, time_of(e, ASSAY_TIME_ATTENTION, false));
    if (again_s > ROUNDING * matrix_s) {
        explain_add(e, matrix, explain_model(e, "their share of recompute", again_s, "s", MODEL));
    }
    if (busy) {
        busy->value = busy_s;
    }
    return explain_quotient(e, "compute_share", best->compute_share, "1", matrix, busy);
}

static explained_t power(explain_t *e) {
    const char *name = explain_last(e);
    assay_explained_t *node =
        explain_model(e, name, e->path->value, explain_unit(name), "assay/physics.h");
    explain_add(e, node, compute_share(e));
    if (e->machine->package_cap_w.known) {
        explain_add(e, node,
                    explain_part(e, "cap of an accelerator", e->machine->package_cap_w.v, "W",
                                 &e->machine->package_cap_w));
    }
    if (e->machine->package_limit_w > 0.0) {
        explain_add(e, node,
                    explain_key(e, "lower cap of an accelerator", e->machine->package_limit_w, "W",
                                "candidates[].power_cap_w"));
    }
    add_calib(e, node, ASSAY_CALIB_POWER_COMPUTE);
    add_calib(e, node, ASSAY_CALIB_POWER_MEMORY);
    return node;
}

/* ---- memory ---- */

static explained_t memory_part(explain_t *e, bool steady, int k, bool deep) {
    const double *bytes = steady ? e->estimate->steady_bytes : e->estimate->peak_bytes;
    assay_explained_t *node =
        explain_model(e, assay_memory_part_name((assay_memory_part_t)k), bytes[k], "B", MODEL);
    if (deep) {
        explain_say(node, "layout", layout_text(e, &e->estimate->layout), 0.0);
        explain_add(e, node,
                    explain_model(e, "parameters", e->resolved->workload.count.total, "1",
                                  "assay/model_ops.h"));
    }
    return node;
}

static explained_t memory_of(explain_t *e, bool steady) {
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, steady ? "memory_steady_bytes" : "memory_bytes",
                     steady ? e->estimate->steady_total_bytes : e->estimate->peak_total_bytes, "B");
    for (int k = 0; k < ASSAY_MEMORY_N; k++) {
        explain_add(e, sum, memory_part(e, steady, k, false));
    }
    return sum;
}

static explained_t memory(explain_t *e) {
    return memory_of(e, false);
}

static explained_t memory_steady(explain_t *e) {
    return memory_of(e, true);
}

static explained_t memory_named(explain_t *e) {
    const bool steady = strcmp(e->path->step[2].key, "memory_steady_parts_bytes") == 0;
    for (int k = 0; k < ASSAY_MEMORY_N; k++) {
        if (strcmp(explain_last(e), assay_memory_part_name((assay_memory_part_t)k)) == 0) {
            return memory_part(e, steady, k, true);
        }
    }
    return NULL;
}

static explained_t memory_available(explain_t *e) {
    return explain_part(e, "memory_available_bytes", e->machine->device.hbm_bytes, "B",
                        &e->machine->accelerator->hbm_bytes);
}

/* ---- machines ---- */

static explained_t nodes(explain_t *e) {
    return explain_key(e, "nodes", e->machine->nodes, "1", "candidates[].nodes");
}

explained_t explain_devices(explain_t *e) {
    const assay_machine_t *m = e->machine;
    const char *system = m->system ? m->system->id : m->accelerator->id;
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "devices", m->devices, "1");
    explain_add(e, all, nodes(e));
    explain_add(e, all,
                explain_input(e, "accelerators of a node", m->packages_per_node, "1",
                              EXPLAIN_SAY(e, CATALOG, system)));
    explain_add(e, all,
                explain_input(e, "devices of an accelerator", m->devices_per_package, "1",
                              EXPLAIN_SAY(e, CATALOG, m->accelerator->id)));
    return all;
}

/* ---- layouts ---- */

static explained_t step_of(explain_t *e, const char *which, const assay_estimate_t *estimate) {
    assay_explained_t *node = explain_model(e, which, estimate->step_s, "s", MODEL);
    explain_say(node, "layout", layout_text(e, &estimate->layout), 0.0);
    return node;
}

/* What the job pins, by the layout's key; 0 and below: free. */
static double pinned(const explain_t *e, const char *key) {
    const assay_layout_pin_t *pin = &e->resolved->pin[e->index];
    const struct {
        const char *key;
        double value;
    } row[] = {{"tp", pin->tp},    {"pp", pin->pp},       {"vpp", pin->vpp},
               {"cp", pin->cp},    {"ep", pin->ep},       {"etp", pin->etp},
               {"dp", pin->dp},    {"shard", pin->shard}, {"micro_batch", pin->micro_batch},
               {"zero", pin->zero}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        if (strcmp(row[k].key, key) == 0) {
            return row[k].value;
        }
    }
    return 0.0;
}

static const assay_plan_t *plan_of(const explain_t *e) {
    return &e->explainer->of.training->candidate[e->index].plan;
}

/* micro-batches of a step: what is left of the batch. */
static explained_t micro_batches(explain_t *e, const assay_layout_t *layout) {
    const double batch = e->resolved->workload.global_batch;
    const double at_a_time = (double)layout->dp * layout->micro_batch;
    assay_explained_t *lanes =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "sequences at a time", at_a_time, "1");
    explain_add(e, lanes, explain_model(e, "dp", layout->dp, "1", "assay/plan.h"));
    explain_add(e, lanes,
                explain_model(e, "micro_batch", layout->micro_batch, "1", "assay/plan.h"));
    assay_explained_t *whole =
        explain_node(e, ASSAY_EXPLAIN_CEILING, "n_micro", layout->n_micro, "1");
    explain_add(e, whole,
                explain_quotient(e, "of the batch", batch / at_a_time, "1",
                                 explain_work(e, "global_batch", batch, "1", "global_batch"),
                                 lanes));
    return whole;
}

static explained_t layout_of(explain_t *e, const assay_estimate_t *of, const char *rule,
                             const assay_estimate_t *next) {
    const char *key = explain_last(e);
    if (strcmp(key, "n_micro") == 0) {
        return micro_batches(e, &of->layout);
    }
    if (pinned(e, key) > 0.0) {
        return explain_key(e, key, e->path->value, "1",
                           explain_format(e, "candidates[].layout.%s", key));
    }
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SEARCH, key, e->path->value, "1");
    explain_say(node, "rule", rule, 0.0);
    explain_say(node, "compared", NULL, (double)plan_of(e)->legal);
    explain_say(node, "visited", NULL, (double)plan_of(e)->visited);
    explain_add(e, node, step_of(e, "step_time_s of it", of));
    if (next) {
        explain_add(e, node, step_of(e, "step_time_s of the runner-up", next));
    }
    return node;
}

static explained_t layout(explain_t *e) {
    const assay_plan_t *plan = plan_of(e);
    return layout_of(e, &plan->best, "least step time, then least memory",
                     plan->has_next ? &plan->next : NULL);
}

static explained_t front(explain_t *e) {
    static const explain_row_t row[] = {{"step_time_s", DECIDE_TRAINING, explain_step},
                                        {"tokens_per_s", DECIDE_TRAINING, explain_tokens_per_s},
                                        {"samples_per_s", DECIDE_TRAINING, explain_tokens_per_s},
                                        {"mfu", DECIDE_TRAINING, mfu},
                                        {"memory_bytes", DECIDE_TRAINING, memory}};
    const assay_plan_t *plan = plan_of(e);
    const uint32_t at = e->path->step[3].index;
    if (at >= plan->n_pareto) {
        return NULL;
    }
    e->estimate = &plan->pareto[at];
    if (e->path->n > 5) {
        return layout_of(e, e->estimate, "no other layout is as fast with as little memory",
                         at + 1 < plan->n_pareto ? &plan->pareto[at + 1] : NULL);
    }
    return explain_match(e, row, sizeof row / sizeof row[0], 4);
}

/* Of the layouts that one reason refuses. */
static explained_t refusal(explain_t *e) {
    const assay_plan_t *plan = plan_of(e);
    int reason = ASSAY_REJECT_NONE;
    for (uint32_t left = e->path->step[3].index + 1; left > 0 && ++reason < ASSAY_REJECT_N;) {
        left -= plan->refused[reason].count > 0;
    }
    if (reason >= ASSAY_REJECT_N) {
        return NULL;
    }
    const assay_refusal_t *refused = &plan->refused[reason];
    const char *sentence = assay_reject_sentence((assay_reject_t)reason);
    const char *unit = assay_reject_is_memory((assay_reject_t)reason) ? "B" : "1";
    explained_t need = explain_model(e, "need", refused->nearest.need, unit, MODEL);
    explained_t have = reason == ASSAY_REJECT_MEMORY
                           ? memory_available(e)
                           : explain_model(e, "have", refused->nearest.have, unit, MODEL);
    const char *key = explain_last(e);
    const bool count = strcmp(key, "count") == 0, nearest = e->path->n > 5;
    if (!count && !nearest) {
        assay_explained_t *node = explain_model(e, key, e->path->value, unit, MODEL);
        explain_say(node, "rule", sentence, 0.0);
        explain_say(node, "layout", layout_text(e, &refused->nearest.layout), 0.0);
        return node;
    }
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SEARCH, key, e->path->value, "1");
    explain_say(node, "rule", sentence, 0.0);
    explain_say(node, "compared", NULL, count ? (double)plan->visited : (double)refused->count);
    explain_say(node, "layout", layout_text(e, &refused->nearest.layout), 0.0);
    explain_add(e, node, need);
    explain_add(e, node, have);
    return node;
}

const explain_row_t explain_step_row[] = {
    {"candidates.*.nodes", DECIDE_TRAINING, nodes},
    {"candidates.*.devices", DECIDE_TRAINING, explain_devices},
    {"candidates.*.layout.*", DECIDE_TRAINING, layout},
    {"candidates.*.step_time_s", DECIDE_TRAINING, explain_step},
    {"candidates.*.step_time_p10_s", DECIDE_TRAINING, step_range},
    {"candidates.*.step_time_p90_s", DECIDE_TRAINING, step_range},
    {"candidates.*.time_s.*", DECIDE_TRAINING, time_part},
    {"candidates.*.tokens_per_s", DECIDE_TRAINING, explain_tokens_per_s},
    {"candidates.*.samples_per_s", DECIDE_TRAINING, explain_tokens_per_s},
    {"candidates.*.mfu", DECIDE_TRAINING, mfu},
    {"candidates.*.hfu", DECIDE_TRAINING, hfu},
    {"candidates.*.compute_share", DECIDE_TRAINING, compute_share},
    {"candidates.*.device_w", DECIDE_TRAINING, power},
    {"candidates.*.clock", DECIDE_TRAINING, power},
    {"candidates.*.memory_bytes", DECIDE_TRAINING, memory},
    {"candidates.*.memory_steady_bytes", DECIDE_TRAINING, memory_steady},
    {"candidates.*.memory_peak_parts_bytes.*", DECIDE_TRAINING, memory_named},
    {"candidates.*.memory_steady_parts_bytes.*", DECIDE_TRAINING, memory_named},
    {"candidates.*.memory_available_bytes", DECIDE_TRAINING, memory_available},
    {"candidates.*.pareto.**", DECIDE_TRAINING, front},
    {"candidates.*.refusals.**", DECIDE_TRAINING, refusal},
};
const size_t explain_step_n = sizeof explain_step_row / sizeof explain_step_row[0];
