/* The step: pipeline of the stages, data-parallel traffic, optimizer, host; rates, power. */
#include <math.h>

#include "train/parts.h"
#include "train/pipeline.h"

/* Time of one micro-batch in the stages that differ, and what they hold. */
typedef struct {
    train_pipeline_t pipeline;
    double slow_layers;                 /* of the slowest stage */
    double slow_embed, slow_head;       /* and what else it does, of a micro-batch */
    double slow_s;                      /* forward and backward */
    double first_params, most_params;   /* trained on a device of the first and the fullest stage */
    double first_experts, most_experts; /* of these */
} stages_t;

/* Of a mean layer. Adapters of experts are few: they count with the rest. */
static double trained_experts(const assay_workload_t *work, const assay_train_layer_t *layer) {
    return train_tunes_adapters(work) ? 0 : layer->expert_params;
}

static train_stage_s_t stage_s(const assay_workload_t *work, const assay_layout_t *layout,
                               const assay_train_layer_t *layer, uint32_t stage) {
    const double layers = train_stage_layers(work, layout, stage);
    const double embed = train_embed_share(layout, stage), head = train_head_share(layout, stage);
    return (train_stage_s_t){
        .forward_s = layers * layer->layer_forward_s + embed * layer->embed_forward_s +
                     head * layer->head_forward_s,
        .backward_s = layers * layer->layer_backward_s + embed * layer->embed_backward_s +
                      head * layer->head_backward_s,
        .weight_s = layers * layer->layer_weight_s + head * layer->head_weight_s,
        .hidden_s = layers * layer->layer_hidden_s};
}

static stages_t stage_times(const assay_workload_t *work, const assay_layout_t *layout,
                            const assay_train_layer_t *layer, uint32_t n_micro) {
    const uint32_t last = layout->pp - 1u;
    stages_t out = {.pipeline = {.stages = layout->pp,
                                 .interleave = layout->vpp,
                                 .micro = n_micro,
                                 .schedule = layout->schedule}};
    uint32_t extreme[3];
    const uint32_t n_extreme = train_extreme_stages(work, layout, extreme);

    out.pipeline.first = stage_s(work, layout, layer, 0);
    out.pipeline.last = last > 0 ? stage_s(work, layout, layer, last) : out.pipeline.first;
    if (last > 1) {
        out.pipeline.middle = stage_s(work, layout, layer, 1);
    }
    const double layers = train_split(work, layout).layers;
    out.pipeline.piece = (train_stage_s_t){.forward_s = layers * layer->layer_forward_s,
                                           .backward_s = layers * layer->layer_backward_s};
    for (uint32_t i = 0; i < n_extreme; i++) {
        const uint32_t stage = extreme[i];
        const train_stage_s_t *one = stage == 0      ? &out.pipeline.first
                                     : stage == last ? &out.pipeline.last
                                                     : &out.pipeline.middle;
        if (one->forward_s + one->backward_s > out.slow_s) {
            out.slow_s = one->forward_s + one->backward_s;
            out.slow_layers = train_stage_layers(work, layout, stage);
            out.slow_embed = train_embed_share(layout, stage);
            out.slow_head = train_head_share(layout, stage);
        }
        const double params = train_stage_trained(work, layout, layer, stage);
        if (params > out.most_params) {
            out.most_params = params;
            out.most_experts =
                train_layers_held(work, layout, stage) * trained_experts(work, layer);
        }
    }
    out.first_params = train_stage_trained(work, layout, layer, 0);
    out.first_experts = train_layers_held(work, layout, 0) * trained_experts(work, layer);
    return out;
}

/* The slowest stage works through all micro-batches; what it waits for the others is the bubble. */
static void add_pipeline(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, const assay_train_layer_t *layer,
                         const stages_t *stages, double n_micro, double out_s[ASSAY_TIME_N]) {
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        out_s[i] = n_micro *
                   (stages->slow_layers * layer->layer_s[i] +
                    stages->slow_embed * layer->embed_s[i] + stages->slow_head * layer->head_s[i]);
    }
    if (layout->pp == 1) {
        return;
    }
    const double hidden_s =
        train_pipeline_pairs(&stages->pipeline) * stages->slow_layers * layer->layer_hidden_s;
    out_s[ASSAY_TIME_EP_COMM] -= hidden_s;
    out_s[ASSAY_TIME_PP_BUBBLE] =
        fmax(0, train_pipeline_s(&stages->pipeline) - (n_micro * stages->slow_s - hidden_s));

    /* An activation and a gradient cross each boundary for every chunk of every micro-batch. Plain
       1F1B waits for them; the interleaved schedule, once full, sends while it computes another
       chunk (Megatron-LM's overlap_p2p_comm, which it turns on with interleaving), and a dual one
       beside the other direction. */
    const uint32_t stride = layout->tp * train_ranks(layout), pieces = train_pieces(layout);
    const bool apart = train_ends_meet(layout) || pieces > 1;
    const double hop_s =
        assay_p2p_s(machine, layer->boundary_bytes, stride) + layer->boundary_gather_s;
    const double chunk_layers = apart ? stages->slow_layers / pieces : 0;
    const double shown_s = fmax(0, hop_s - chunk_layers * layer->layer_forward_s) +
                           fmax(0, hop_s - chunk_layers * layer->layer_backward_s);
    out_s[ASSAY_TIME_PP_COMM] = n_micro * pieces * shown_s + 2 * hop_s * (layout->pp - 1);
    if (work->model.tied_embeddings && !train_ends_meet(layout) && !train_tunes_adapters(work)) {
        /* both copies of the table get the sum of their gradients */
        out_s[ASSAY_TIME_PP_COMM] += assay_collective_s(
            machine, ASSAY_COLL_ALL_REDUCE, layer->table_params * train_state(work).reduce_bytes, 2,
            stride * (layout->pp - 1u));
    }
}

/**
 * What shows of gradient or weight traffic beside computing. window_s: what one micro-batch
 * computes meanwhile. A chunk's gradients are whole after its last micro-batch, so that its own
 * window is its part of that; but Megatron's interleaved schedule runs at least the last pp
 * micro-batches through one chunk after the other, so that of all chunks together the earlier ones'
 * whole turns count too. The last bucket never hides. Weights gathered for the next forward are the
 * same in reverse.
 */
static double exposed_s(const assay_layout_t *layout, double traffic_s, double buckets,
                        double window_s) {
    const double chunks = layout->vpp;
    const double last_chunk_s = (traffic_s - window_s) / chunks;
    const double all_s = traffic_s - ((chunks - 1) * layout->pp + 1) / chunks * window_s;
    return fmax(traffic_s / buckets, fmax(last_chunk_s, all_s));
}

/* Parameters on one device: experts are held by fewer devices than the rest. */
typedef struct {
    double rest, experts;
} held_t;

/* A collective of so many bytes of each parameter, over the devices that share out one copy or,
   between, over those copies. */
static double over_shards_s(const assay_machine_t *machine, const assay_layout_t *layout,
                            assay_collective_t kind, held_t params, double bytes_each) {
    return assay_collective_s(machine, kind, params.rest * bytes_each, train_shards(layout),
                              layout->tp) +
           assay_collective_s(machine, kind, params.experts * bytes_each,
                              train_expert_shards(layout), train_expert_stride(layout));
}

static double over_copies_s(const assay_machine_t *machine, const assay_layout_t *layout,
                            held_t params, double bytes_each) {
    const uint32_t shards = train_shards(layout), expert_shards = train_expert_shards(layout);
    return assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, params.rest * bytes_each / shards,
                              train_copies(layout) / shards, layout->tp * shards) +
           assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE,
                              params.experts * bytes_each / expert_shards,
                              train_expert_copies(layout) / expert_shards,
                              train_expert_stride(layout) * expert_shards);
}

/* Gradients become one sum: scattered over the shards, then summed over the copies of a shard;
   without shards all of it over all devices. */
static double reduce_s(const assay_machine_t *machine, const assay_layout_t *layout, held_t params,
                       double bytes_each) {
    if (layout->zero == 0) {
        return assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, params.rest * bytes_each,
                                  train_copies(layout), layout->tp) +
               assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, params.experts * bytes_each,
                                  train_expert_copies(layout), train_expert_stride(layout));
    }
    return over_shards_s(machine, layout, ASSAY_COLL_REDUCE_SCATTER, params, bytes_each) +
           over_copies_s(machine, layout, params, bytes_each);
}

/* Of a device's gradients; a chunk begins its own. */
static double bucket_count(const assay_workload_t *work, const assay_layout_t *layout,
                           double params, double bytes_each) {
    const double chunks = layout->vpp;
    return chunks * ceil(params / chunks / train_bucket(work, layout, bytes_each));
}

/* Where the job says how large a bucket is, each is a collective of its own. */
static double bucketed_s(const assay_machine_t *machine, const assay_workload_t *work,
                         const assay_layout_t *layout, held_t params, double buckets,
                         double bytes_each) {
    if (!(work->recipe.bucket_bytes > 0)) {
        return reduce_s(machine, layout, params, bytes_each);
    }
    const held_t one = {params.rest / buckets, params.experts / buckets};
    return buckets * reduce_s(machine, layout, one, bytes_each);
}

/* What hides behind computing still costs some: its kernels take compute units and bandwidth. */
static double with_overlap_s(double traffic_s, double shown_s, double cost) {
    return shown_s + cost * (traffic_s - shown_s);
}

/* ZeRO-3: FSDP's units are the layers and a root of embedding and head. The root's gather starts a
   micro-batch and its reduction ends it, with nothing to hide behind; a layer's traffic hides
   behind the layer that computes meanwhile. */
static double sharded_traffic_s(const assay_machine_t *machine, const assay_workload_t *work,
                                const assay_layout_t *layout, const assay_train_layer_t *layer,
                                double overlap) {
    const train_dtype_t type = train_state(work);
    const bool tunes = train_tunes_adapters(work);
    const held_t unit[2] = {{layer->layer_params - layer->expert_params, layer->expert_params},
                            {layer->embed_params + layer->head_params, 0}};
    const held_t adapters[2] = {{layer->adapter_params, 0}, {0, 0}};
    const double layer_bytes = tunes ? train_frozen_bytes(work, &type) : type.weight_bytes;
    const double each[2] = {layer_bytes, type.weight_bytes};
    double gather_s[2], scatter_s[2];

    for (int i = 0; i < 2; i++) {
        gather_s[i] = over_shards_s(machine, layout, ASSAY_COLL_ALL_GATHER, unit[i], each[i]);
        scatter_s[i] = reduce_s(machine, layout, tunes ? adapters[i] : unit[i], type.reduce_bytes);
    }
    const double cost = machine->device.calib[ASSAY_CALIB_OVERLAP_COST][work->dtype];
    const double both_s = gather_s[0] + scatter_s[0];
    const double forward_s =
        with_overlap_s(gather_s[0], fmax(0, gather_s[0] - overlap * layer->layer_forward_s), cost);
    const double backward_s =
        with_overlap_s(both_s, fmax(0, both_s - overlap * layer->layer_backward_s), cost);
    return work->model.layers * (forward_s + backward_s) + gather_s[1] + scatter_s[1];
}

/* In which the first stage's gradients become whole: its last backward or, where those of weights
   are put off, what is left of them. */
static double last_backward_s(const train_pipeline_t *pipeline) {
    return pipeline->stages > 1 && pipeline->schedule != ASSAY_SCHEDULE_1F1B
               ? pipeline->first.weight_s
               : pipeline->first.backward_s;
}

static double data_parallel_s(const assay_machine_t *machine, const assay_workload_t *work,
                              const assay_layout_t *layout, const assay_train_layer_t *layer,
                              const stages_t *stages, double n_micro) {
    const train_dtype_t type = train_tuned_state(work);
    const double overlap = machine->device.calib[ASSAY_CALIB_OVERLAP_DP][work->dtype];
    if (train_copies(layout) == 1) {
        return 0;
    }
    if (layout->zero == 3) {
        return n_micro * sharded_traffic_s(machine, work, layout, layer, overlap);
    }
    /* The first stage is the last to finish and the first to start: the others have slack. */
    const double params = stages->first_params;
    const held_t held = {params - stages->first_experts, stages->first_experts};
    const double cost = machine->device.calib[ASSAY_CALIB_OVERLAP_COST][work->dtype];
    const double buckets = bucket_count(work, layout, params, type.grad_bytes);
    const double sent_s = bucketed_s(machine, work, layout, held, buckets, type.reduce_bytes);
    const double sum_s = with_overlap_s(
        sent_s, exposed_s(layout, sent_s, buckets, overlap * last_backward_s(&stages->pipeline)),
        cost);
    if (layout->zero == 0) {
        return sum_s;
    }
    const double gathered_s =
        over_shards_s(machine, layout, ASSAY_COLL_ALL_GATHER, held, type.weight_bytes);
    const double gather_s = with_overlap_s(
        gathered_s,
        exposed_s(layout, gathered_s, buckets, overlap * stages->pipeline.first.forward_s), cost);
    return (layout->zero == 2 ? n_micro : 1) * sum_s + gather_s;
}

/* Of a device's parameters, those that it keeps where ZeRO of this stage shares them out. */
static double held_at(const assay_layout_t *layout, held_t params, int zero) {
    return layout->zero >= zero
               ? params.rest / train_shards(layout) + params.experts / train_expert_shards(layout)
               : params.rest + params.experts;
}

static double optimizer_s(const assay_machine_t *machine, const assay_workload_t *work,
                          const assay_layout_t *layout, const assay_train_layer_t *layer,
                          held_t params) {
    const train_dtype_t type = train_tuned_state(work);
    const double zeroed = held_at(layout, params, 2);
    const double updated =
        work->recipe.offload == ASSAY_OFFLOAD_NONE ? held_at(layout, params, 1) : 0;
    const double layers = train_layers_held(work, layout, 0);
    const held_t products_s = {layers * (layer->update_s - layer->expert_update_s),
                               layers * layer->expert_update_s};
    return assay_stream_s(&machine->device,
                          zeroed * type.grad_bytes + updated * type.update_bytes) +
           fmax(held_at(layout, products_s, 1), layer->longest_update_s);
}

/* The fullest stage's. */
static train_offload_t offload_of(const assay_workload_t *work, const assay_layout_t *layout,
                                  const assay_train_layer_t *layer, const stages_t *stages,
                                  held_t most, double n_micro) {
    const bool weights = work->recipe.offload == ASSAY_OFFLOAD_ALL;
    return (train_offload_t){
        .updated = held_at(layout, most, 1),
        .weight_bytes = weights ? train_stage_weight_bytes(work, layout, layer, 0) : 0,
        .activation_bytes = work->recipe.host_activations
                                ? train_stage_layers(work, layout, 0) * layer->stored_bytes
                                : 0,
        .layers = train_stage_layers(work, layout, 0),
        .n_micro = n_micro,
        .forward_s = stages->pipeline.first.forward_s,
        .backward_s = stages->pipeline.first.backward_s};
}

/* How far the step can be off, with the time of the host's part, whose rates are known less well.
 */
static void widen_by_offload(const assay_machine_t *machine, const assay_workload_t *work,
                             const train_offload_t *offload, assay_estimate_t *io) {
    const assay_fact_t *link = &machine->host_link_bytes_per_s;
    const assay_fact_t *update = &machine->host_update_bytes_per_s;
    const double modelled_s = io->time_s[ASSAY_TIME_OFFLOAD], rest_s = io->step_s - modelled_s;
    const double fast_s =
        train_offload_s(machine, work, offload, link->p90 / link->v, update->p90 / update->v);
    const double slow_s =
        train_offload_s(machine, work, offload, link->p10 / link->v, update->p10 / update->v);
    io->rel_p10 = (rest_s * io->rel_p10 + fast_s) / io->step_s;
    io->rel_p90 = (rest_s * io->rel_p90 + slow_s) / io->step_s;
    io->basis = ASSAY_BASIS_EXTRAPOLATED;
}

/* Rates and shares that follow from the parts. */
static void add_rates(const assay_machine_t *machine, const assay_workload_t *work,
                      const assay_train_layer_t *layer, double recomputed_layers, double clock,
                      assay_estimate_t *out) {
    const double *time_s = out->time_s;
    const double tokens = (double)work->global_batch * work->sequence;
    const double peak_flops = machine->device.peak_flops[work->dtype] * machine->devices;
    const double head_flops = 6.0 * work->model.hidden * work->model.vocab;

    out->tokens_per_s = tokens / out->step_s;
    out->sample = work->net.sample;
    out->mfu = out->tokens_per_s * work->causal_flops_per_token / peak_flops;
    /* Full recompute is a second forward of the layers, a third of their forward + backward. */
    out->hfu = out->mfu;
    if (out->layout.recompute == ASSAY_RECOMPUTE_FULL) {
        const double forward_flops = train_is_net(work) ? work->net.forward_flops
                                     : train_tunes_adapters(work)
                                         ? work->tuned_forward_flops_per_token
                                         : (work->causal_flops_per_token - head_flops) / 3;
        out->hfu += train_recompute_share(work) * out->tokens_per_s * forward_flops / peak_flops;
    }

    const double matrix_s = time_s[ASSAY_TIME_GEMM] + time_s[ASSAY_TIME_ATTENTION] +
                            recomputed_layers * layer->recompute_matrix_s;
    const double stream_s = time_s[ASSAY_TIME_MEMORY_BOUND] + time_s[ASSAY_TIME_OPTIMIZER] +
                            recomputed_layers * layer->recompute_stream_s;
    /* The calibrated loss is mostly that kernels of long runs are slower than those measured alone
       (at the power limit they clock lower): the device is as busy in it as in the rest. */
    const double modelled_s = out->step_s - time_s[ASSAY_TIME_HOST];
    out->compute_share =
        matrix_s / (modelled_s - time_s[ASSAY_TIME_PP_BUBBLE] - time_s[ASSAY_TIME_OFFLOAD]);
    out->clock = clock;
    out->device_w = assay_package_at_clock_w(machine, matrix_s / modelled_s, stream_s / modelled_s,
                                             work->dtype, clock) /
                    machine->devices_per_package;
}

void assay_train_estimate_with(const assay_machine_t *machine, const assay_workload_t *work,
                               const assay_layout_t *layout, const assay_train_layer_t *layer,
                               assay_estimate_t *out) {
    train_estimate_at(machine, work, layout, layer, 1, out);
    if (machine->package_limit_w > 0 &&
        out->device_w * machine->devices_per_package > machine->package_limit_w) {
        train_lower_clock(machine, work, layout, out);
    }
}

void train_estimate_at(const assay_machine_t *machine, const assay_workload_t *work,
                       const assay_layout_t *layout, const assay_train_layer_t *layer, double clock,
                       assay_estimate_t *out) {
    *out = (assay_estimate_t){.layout = *layout};
    out->layout.n_micro = 0;
    out->reject = (uint8_t)assay_train_check(machine, work, layout, &out->need, &out->have);
    if (out->reject != ASSAY_REJECT_NONE) {
        return;
    }
    out->layout.n_micro = work->global_batch / (layout->dp * layout->micro_batch);
    train_memory(&machine->device, work, layout, layer, out);
    if (train_offloads(work) && machine->host_bytes.known) {
        out->need =
            train_host_bytes(work, layout, layer, out->layout.n_micro) * machine->devices_per_node;
        out->have = machine->host_bytes.v;
        out->reject = out->need > out->have ? ASSAY_REJECT_HOST_MEMORY : ASSAY_REJECT_NONE;
    }
    if (out->peak_total_bytes > machine->device.hbm_bytes) {
        out->reject = ASSAY_REJECT_MEMORY;
        out->need = out->peak_total_bytes;
        out->have = machine->device.hbm_bytes;
    }

    const double n_micro = out->layout.n_micro;
    const stages_t stages = stage_times(work, layout, layer, out->layout.n_micro);
    add_pipeline(machine, work, layout, layer, &stages, n_micro, out->time_s);
    out->time_s[ASSAY_TIME_DP_COMM] =
        data_parallel_s(machine, work, layout, layer, &stages, n_micro);
    const held_t most = {stages.most_params - stages.most_experts, stages.most_experts};
    out->time_s[ASSAY_TIME_OPTIMIZER] = optimizer_s(machine, work, layout, layer, most);
    const bool offloads = train_offloads(work);
    const train_offload_t offload =
        offloads ? offload_of(work, layout, layer, &stages, most, n_micro) : (train_offload_t){0};
    if (offloads) {
        out->time_s[ASSAY_TIME_OFFLOAD] = train_offload_s(machine, work, &offload, 1, 1);
    }
    _Static_assert(ASSAY_TIME_HOST == ASSAY_TIME_N - 1, "the loss is on all that comes before");
    double modelled_s = 0;
    for (int i = 0; i < ASSAY_TIME_HOST; i++) {
        modelled_s += out->time_s[i];
    }
    /* The device waits where the host cannot issue a layer's kernels as fast as they run. */
    const double host_s = n_micro * stages.slow_layers * layer->host_layers *
                          machine->device.calib[ASSAY_CALIB_RUN_HOST_S][work->dtype];
    out->step_s =
        fmax(modelled_s, host_s) * (1 + machine->device.calib[ASSAY_CALIB_STEP_LOSS][work->dtype]);
    out->time_s[ASSAY_TIME_HOST] = out->step_s - modelled_s;

    out->rel_p10 = layer->rel_p10;
    out->rel_p90 = layer->rel_p90;
    out->basis = work->net.sigma > 0 ? ASSAY_BASIS_EXTRAPOLATED : machine->device.basis;
    if (offloads) {
        widen_by_offload(machine, work, &offload, out);
    }
    add_rates(machine, work, layer, n_micro * stages.slow_layers, clock, out);
}

void assay_train_estimate(const assay_machine_t *machine, const assay_workload_t *work,
                          const assay_layout_t *layout, assay_estimate_t *out) {
    double need, have;
    assay_train_layer_t layer = {0};
    if (assay_train_check(machine, work, layout, &need, &have) == ASSAY_REJECT_NONE) {
        assay_train_layer(machine, work, layout, &layer);
    }
    assay_train_estimate_with(machine, work, layout, &layer, out);
}
