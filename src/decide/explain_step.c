/* Time, rate and MFU of a step, and what a token or an image costs, as trees. */
#include "decide/explain_tree.h"

#include "decide/fleet_money.h"

#include "base/banned.h"

/* Where the time of GEMMs is from: the model, and how much of it measured shapes correct. */
static const char *gemm_source(explain_t *e) {
    assay_op_t op[ASSAY_OP_MAX];
    const uint32_t n =
        assay_train_ops(e->machine, &e->resolved->workload, &e->estimate->layout, op);
    const assay_op_t *most = NULL;
    double measured_s = 0, all_s = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (op[i].gemm) {
            all_s += op[i].time_s;
            measured_s += op[i].measured * op[i].time_s;
            most = op[i].nearest && (!most || op[i].time_s > most->time_s) ? &op[i] : most;
        }
    }
    if (!most) {
        return "assay/train.h";
    }
    const char *text =
        assay_arena_printf(e->arena, "assay/train.h, %.0f %% on measured shapes, most of all %s",
                           100 * measured_s / all_s, most->nearest->source);
    e->failed = e->failed || !text;
    return text ? text : "";
}

explained_t explain_step(explain_t *e) {
    const assay_estimate_t *best = e->estimate;
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "step_time_s", best->step_s, "s");
    for (int k = 0; k < ASSAY_TIME_N; k++) {
        explain_add(sum,
                    explain_input(e, assay_time_part_name((assay_time_part_t)k), best->time_s[k],
                                  "s", k == ASSAY_TIME_GEMM ? gemm_source(e) : "assay/train.h"));
    }
    return sum;
}

explained_t explain_memory(explain_t *e) {
    const assay_estimate_t *best = e->estimate;
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "memory_bytes", best->peak_total_bytes, "B");
    for (int k = 0; k < ASSAY_MEMORY_N; k++) {
        explain_add(sum, explain_input(e, assay_memory_part_name((assay_memory_part_t)k),
                                       best->peak_bytes[k], "B", "assay/train.h"));
    }
    return sum;
}

explained_t explain_tokens_per_s(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    const double tokens = (double)work->global_batch * work->sequence;
    const bool samples = work->net.sample != NULL;
    assay_explained_t *batch = explain_node(
        e, ASSAY_EXPLAIN_PRODUCT, samples ? "samples a step" : "tokens a step", tokens, "1");
    explain_add(batch, explain_input(e, "global_batch", work->global_batch, "1", "job"));
    if (!samples) {
        explain_add(batch, explain_input(e, "sequence", work->sequence, "1", "job"));
    }
    return explain_quotient(e, samples ? "samples_per_s" : "tokens_per_s",
                            e->estimate->tokens_per_s, "1/s", batch, explain_step(e));
}

explained_t explain_mfu(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    const double peak = e->machine->device.peak_flops[work->dtype];
    assay_explained_t *model =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "model FLOP/s",
                     e->estimate->tokens_per_s * work->causal_flops_per_token, "FLOP/s");
    explain_add(model, explain_tokens_per_s(e));
    explain_add(model,
                explain_input(e, work->net.sample ? "FLOPs a sample" : "FLOPs a token, causal",
                              work->causal_flops_per_token, "FLOP",
                              work->net.sample ? "assay/train_net.h" : "assay/model.h"));
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "peak FLOP/s", peak * e->machine->devices, "FLOP/s");
    explain_add(all, explain_input(e, "peak of a device, dense", peak, "FLOP/s",
                                   e->machine->accelerator ? e->machine->accelerator->id : "job"));
    explain_add(all, explain_input(e, "devices", e->machine->devices, "1", "job"));
    return explain_quotient(e, "mfu", e->estimate->mfu, "1", model, all);
}

explained_t explain_month(explain_t *e) {
    const double usd = e->serving ? e->serving->month_usd : e->image->month_usd;
    assay_explained_t *month = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "month_usd", usd, "USD");
    explain_add(month, explain_rate(e));
    explain_add(month, explain_input(e, "hours a month", ASSAY_HOURS_PER_MONTH, "h", "definition"));
    return month;
}

/* What `count` of what comes out at a rate cost. */
static explained_t cost_of(explain_t *e, const char *name, double value, double count,
                           const char *what, double per_s) {
    assay_explained_t *usd = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "cost times count",
                                          count * e->point->rate_usd_per_h, "USD/h");
    explain_add(usd, explain_rate(e));
    explain_add(usd, explain_input(e, "count", count, "1", "definition"));
    assay_explained_t *per_h =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "made in an hour", 3600.0 * per_s, "1/h");
    explain_add(per_h, explain_input(e, what, per_s, "1/s",
                                     e->serving ? "assay/serve_plan.h" : "assay/image_plan.h"));
    explain_add(per_h, explain_input(e, "seconds an hour", 3600.0, "s/h", "definition"));
    return explain_quotient(e, name, value, "USD", usd, per_h);
}

explained_t explain_per_million(explain_t *e) {
    return cost_of(e, "usd_per_million_output_tokens", e->serving->usd_per_million_output, 1e6,
                   "output_tokens_per_s", e->serving->fleet->output_tokens_per_s);
}

explained_t explain_per_1000(explain_t *e) {
    return cost_of(e, "usd_per_1000_images", e->image->usd_per_1000, 1e3, "images_per_s",
                   e->image->fleet.images_per_s);
}
