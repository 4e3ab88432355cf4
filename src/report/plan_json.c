/* JSON of a search, and the pieces of it that decide shows as well. */
#include "report/write.h"

#include <math.h>

#include "base/banned.h"

void assay_json_layout(assay_json_t *json, const char *key, const assay_layout_t *layout) {
    assay_json_begin_object(json, key);
    assay_json_count(json, "tp", layout->tp);
    assay_json_count(json, "pp", layout->pp);
    assay_json_count(json, "vpp", layout->vpp);
    assay_json_string(json, "schedule", assay_view_schedule(layout->schedule));
    assay_json_count(json, "cp", layout->cp > 1 ? layout->cp : 1);
    assay_json_string(json, "cp_comm", layout->cp > 1 ? assay_view_cp_comm(layout->cp_comm) : NULL);
    assay_json_count(json, "dp", layout->dp);
    assay_json_count(json, "ep", layout->ep > 1 ? layout->ep : 1);
    assay_json_count(json, "etp", layout->etp ? layout->etp : layout->tp);
    assay_json_count(json, "micro_batch", layout->micro_batch);
    /* 0: refused before they were counted */
    assay_json_number_if(json, "n_micro", layout->n_micro > 0, layout->n_micro);
    assay_json_count(json, "zero", layout->zero);
    assay_json_number_if(json, "shard", layout->shard > 0, layout->shard);
    assay_json_string(json, "recompute", assay_view_recompute(layout->recompute));
    assay_json_bool(json, "sequence_parallel", layout->sequence_parallel);
    assay_json_end(json);
}

static void memory_parts(assay_json_t *json, const char *key, const double bytes[ASSAY_MEMORY_N]) {
    assay_json_begin_object(json, key);
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        assay_json_number(json, assay_memory_part_name((assay_memory_part_t)i), bytes[i]);
    }
    assay_json_end(json);
}

void assay_json_sample(assay_json_t *json, const assay_workload_t *work) {
    const assay_train_net_t *net = &work->net;
    if (!net->sample) {
        assay_json_count(json, "sequence", work->sequence);
        return;
    }
    assay_json_string(json, "sample", net->sample);
    if (net->height > 1) {
        assay_json_count(json, "width", net->width);
        assay_json_count(json, "height", net->height);
    } else {
        assay_json_count(json, "sequence", net->width);
    }
}

void assay_json_estimate(assay_json_t *json, const assay_estimate_t *estimate) {
    assay_json_number(json, "step_time_s", estimate->step_s);
    assay_json_number(json, "step_time_p10_s", estimate->step_s * estimate->rel_p10);
    assay_json_number(json, "step_time_p90_s", estimate->step_s * estimate->rel_p90);
    assay_json_begin_object(json, "time_s");
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        assay_json_number(json, assay_time_part_name((assay_time_part_t)i), estimate->time_s[i]);
    }
    assay_json_end(json);
    assay_json_number(json, assay_view_rate_key(estimate->sample), estimate->tokens_per_s);
    assay_json_number(json, "mfu", estimate->mfu);
    assay_json_number(json, "hfu", estimate->hfu);
    assay_json_number(json, "compute_share", estimate->compute_share);
    assay_json_number(json, "device_w", estimate->device_w);
    assay_json_number(json, "clock", estimate->clock);
    assay_json_number(json, "memory_bytes", estimate->peak_total_bytes);
    assay_json_number(json, "memory_steady_bytes", estimate->steady_total_bytes);
    memory_parts(json, "memory_peak_parts_bytes", estimate->peak_bytes);
    memory_parts(json, "memory_steady_parts_bytes", estimate->steady_bytes);
    assay_json_string(json, "basis", assay_basis_name((assay_basis_t)estimate->basis));
}

void assay_json_refusals(const assay_view_t *view, assay_json_t *json, const char *key,
                         const assay_plan_t *plan) {
    assay_json_begin_array(json, key);
    for (int i = ASSAY_REJECT_NONE + 1; i < ASSAY_REJECT_N; i++) {
        const assay_refusal_t *refusal = &plan->refused[i];
        if (refusal->count == 0) {
            continue;
        }
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "reason", assay_reject_name((assay_reject_t)i));
        assay_json_string(json, "sentence",
                          assay_view_phrase(view, assay_reject_sentence((assay_reject_t)i)));
        assay_json_count(json, "count", refusal->count);
        assay_json_layout(json, "nearest", &refusal->nearest.layout);
        assay_json_number(json, "need", refusal->nearest.need);
        assay_json_number(json, "have", refusal->nearest.have);
        assay_json_end(json);
    }
    assay_json_end(json);
}

void assay_json_pareto(assay_json_t *json, const char *key, const assay_plan_t *plan) {
    assay_json_begin_array(json, key);
    for (uint32_t i = 0; i < plan->n_pareto; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_layout(json, "layout", &plan->pareto[i].layout);
        assay_json_number(json, "step_time_s", plan->pareto[i].step_s);
        assay_json_number(json, assay_view_rate_key(plan->pareto[i].sample),
                          plan->pareto[i].tokens_per_s);
        assay_json_number(json, "mfu", plan->pareto[i].mfu);
        assay_json_number(json, "memory_bytes", plan->pareto[i].peak_total_bytes);
        assay_json_end(json);
    }
    assay_json_end(json);
}

void assay_json_plan(const assay_view_t *view, assay_json_t *json, const char *key,
                     const assay_machine_t *machine, const assay_plan_t *plan) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "id", machine->id);
    assay_json_count(json, "devices", machine->devices);
    assay_json_number(json, "memory_available_bytes", machine->device.hbm_bytes);
    assay_json_count(json, "visited", plan->visited);
    assay_json_count(json, "legal", plan->legal);
    assay_json_bool(json, "fits", plan->found);
    if (plan->found) {
        assay_json_begin_object(json, "best");
        assay_json_layout(json, "layout", &plan->best.layout);
        assay_json_estimate(json, &plan->best);
        assay_json_end(json);
    } else {
        assay_json_string(json, "best", NULL);
    }
    assay_json_pareto(json, "pareto", plan);
    assay_json_refusals(view, json, "refusals", plan);
    assay_json_end(json);
}
