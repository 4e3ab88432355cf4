#include "assay/layout.h"

#include <assert.h>

#include "assay/train.h"
#include "train/parts.h"

const char *assay_time_part_name(assay_time_part_t part) {
#define NAME(code, name) name,
    static const char *const names[ASSAY_TIME_N] = {ASSAY_TIME_LIST(NAME)};
#undef NAME
    assert((unsigned)part < ASSAY_TIME_N);
    return names[part];
}

const char *assay_memory_part_name(assay_memory_part_t part) {
#define NAME(code, name) name,
    static const char *const names[ASSAY_MEMORY_N] = {ASSAY_MEMORY_LIST(NAME)};
#undef NAME
    assert((unsigned)part < ASSAY_MEMORY_N);
    return names[part];
}

const char *assay_reject_name(assay_reject_t reject) {
#define NAME(code, name, sentence) name,
    static const char *const names[ASSAY_REJECT_N] = {ASSAY_REJECT_LIST(NAME)};
#undef NAME
    assert((unsigned)reject < ASSAY_REJECT_N);
    return names[reject];
}

const char *assay_reject_sentence(assay_reject_t reject) {
#define SENTENCE(code, name, sentence) sentence,
    static const char *const sentences[ASSAY_REJECT_N] = {ASSAY_REJECT_LIST(SENTENCE)};
#undef SENTENCE
    assert((unsigned)reject < ASSAY_REJECT_N);
    return sentences[reject];
}

uint32_t assay_layout_group(uint32_t stages, uint32_t micro) {
    uint32_t group = stages;
    while (group < micro && micro % group > 0 && micro % group < stages) {
        group++;
    }
    return group;
}

static assay_reject_t refuse(assay_reject_t reject, double need, double have, double *out_need,
                             double *out_have) {
    *out_need = need;
    *out_have = have;
    return reject;
}

bool assay_layout_split(uint32_t layers, uint32_t chunks, assay_split_t *out) {
    *out = (assay_split_t){.layers = layers / chunks};
    if (layers % chunks == 0) {
        return true;
    }
    const bool tables = chunks > 1 && (layers + 2) % chunks == 0;
    out->layers++;
    const uint32_t missing = out->layers * chunks - layers;
    out->last_less = tables ? 1 : missing < out->layers ? missing : out->layers;
    out->first_less = missing - out->last_less;
    return out->first_less < out->layers || tables;
}

/* Sequences and experts that are shared out. Ring: two pieces a device, Megatron-Core's zig-zag;
   no window: NVIDIA/TransformerEngine context_parallel.py, which takes windows with all-to-all
   alone. Experts: Megatron-Core parallel_state.py (tp x cp x dp in groups of etp x ep), and its
   transformer_config.py (experts with tensor parallelism need sequence parallelism). */
static assay_reject_t check_shares(const assay_workload_t *work, const assay_layout_t *layout,
                                   double *out_need, double *out_have) {
    const assay_model_t *model = &work->model;
    const uint32_t tp = layout->tp, cp = train_cp(layout);
    const uint32_t ep = train_ep(layout), etp = train_etp(layout);
    if (cp > 1 && layout->cp_comm == ASSAY_CP_ALL_TO_ALL && model->heads % (tp * cp)) {
        return refuse(ASSAY_REJECT_CONTEXT, tp * cp, model->heads, out_need, out_have);
    }
    if (cp > 1 && work->sequence % (2 * cp)) {
        return refuse(ASSAY_REJECT_CONTEXT, 2 * cp, work->sequence, out_need, out_have);
    }
    if (cp > 1 && layout->cp_comm == ASSAY_CP_RING && model->sliding_window) {
        return refuse(ASSAY_REJECT_WINDOW, cp, 1, out_need, out_have);
    }
    if (!model->experts) {
        return ep > 1 ? refuse(ASSAY_REJECT_EXPERTS, ep, 1, out_need, out_have) : ASSAY_REJECT_NONE;
    }
    if (tp > 1 && !layout->sequence_parallel) {
        return refuse(ASSAY_REJECT_ROUTING, tp, 1, out_need, out_have);
    }
    if (etp > tp || model->expert_ffn % etp) {
        return refuse(ASSAY_REJECT_ROUTING, etp, tp, out_need, out_have);
    }
    if (model->experts % ep) {
        return refuse(ASSAY_REJECT_EXPERTS, ep, model->experts, out_need, out_have);
    }
    const uint64_t group = (uint64_t)tp * cp * layout->dp;
    return group % ((uint64_t)ep * etp)
               ? refuse(ASSAY_REJECT_EXPERTS, (double)ep * etp, (double)group, out_need, out_have)
               : ASSAY_REJECT_NONE;
}

/* Micro-batches that a schedule asks for at least; DualPipe: deepseek-ai/DualPipe dualpipe.py
   (stages and micro-batches in pairs, two of the latter a stage) and dualpipev.py. */
static assay_reject_t check_schedule(const assay_layout_t *layout, uint64_t n_micro,
                                     double *out_need, double *out_have) {
    const uint32_t pp = layout->pp;
    const uint32_t least[ASSAY_SCHEDULE_N] = {[ASSAY_SCHEDULE_ZB_H1] = pp,
                                              [ASSAY_SCHEDULE_ZB_H2] = 2 * pp - 1,
                                              [ASSAY_SCHEDULE_DUALPIPE] = 2 * pp,
                                              [ASSAY_SCHEDULE_DUALPIPEV] = 2 * pp};
    if (layout->schedule == ASSAY_SCHEDULE_1F1B) {
        return ASSAY_REJECT_NONE;
    }
    const bool odd = layout->schedule == ASSAY_SCHEDULE_DUALPIPE && (pp % 2 || n_micro % 2);
    return pp == 1 || layout->vpp > 1 || odd || n_micro < least[layout->schedule]
               ? refuse(ASSAY_REJECT_SCHEDULE, least[layout->schedule], (double)n_micro, out_need,
                        out_have)
               : ASSAY_REJECT_NONE;
}

assay_reject_t assay_train_check(const assay_machine_t *machine, const assay_workload_t *work,
                                 const assay_layout_t *layout, double *out_need, double *out_have) {
    const assay_model_t *model = &work->model;
    const uint32_t tp = layout->tp, pp = layout->pp, vpp = layout->vpp;
    assert(tp && pp && vpp && layout->dp && layout->micro_batch);
    assert(layout->zero <= 3 && layout->recompute < ASSAY_RECOMPUTE_N);

    const uint32_t cp = train_cp(layout);
    const uint32_t cuts = tp * pp * cp * train_ep(layout);
    if (train_is_net(work) && cuts > 1) {
        return refuse(ASSAY_REJECT_NETWORK, cuts, 1, out_need, out_have);
    }
    const bool copies_kv = model->kv_lora > 0 || !(model->kv_heads % tp && tp % model->kv_heads);
    if (model->heads % tp || !copies_kv) {
        const bool heads = model->heads % tp;
        return refuse(ASSAY_REJECT_HEADS, tp, heads ? model->heads : model->kv_heads, out_need,
                      out_have);
    }
    if (model->ffn % tp) {
        return refuse(ASSAY_REJECT_WIDTH, tp, model->ffn, out_need, out_have);
    }
    /* With several domains, groups of neighbours tile one only when their size divides its. */
    const uint32_t domain = machine->links.domain;
    if (tp > domain || (machine->devices > domain && domain % tp)) {
        return refuse(ASSAY_REJECT_TP_NODE, tp, domain, out_need, out_have);
    }
    if (layout->sequence_parallel && tp == 1) {
        return refuse(ASSAY_REJECT_SEQUENCE, 2, tp, out_need, out_have);
    }
    if (layout->sequence_parallel && work->sequence % (tp * cp)) {
        return refuse(ASSAY_REJECT_SEQUENCE, tp * cp, work->sequence, out_need, out_have);
    }
    const assay_reject_t shared = check_shares(work, layout, out_need, out_have);
    if (shared != ASSAY_REJECT_NONE) {
        return shared;
    }
    const uint32_t pieces = pp * train_pieces(layout);
    assay_split_t split;
    if (!assay_layout_split(model->layers, pieces, &split) ||
        (split.last_less > 1 && layout->schedule != ASSAY_SCHEDULE_1F1B)) {
        return refuse(ASSAY_REJECT_LAYERS, pieces, model->layers, out_need, out_have);
    }
    const uint64_t devices = (uint64_t)tp * cp * pp * layout->dp;
    if (devices != machine->devices) {
        return refuse(ASSAY_REJECT_DEVICES, (double)devices, machine->devices, out_need, out_have);
    }
    const uint64_t batch = (uint64_t)layout->dp * layout->micro_batch;
    if (work->global_batch % batch) {
        return refuse(ASSAY_REJECT_BATCH, (double)batch, work->global_batch, out_need, out_have);
    }
    if (vpp > 1 && pp == 1) {
        return refuse(ASSAY_REJECT_INTERLEAVE, 2, pp, out_need, out_have);
    }
    const uint64_t n_micro = work->global_batch / batch;
    if (vpp > 1 && n_micro < pp) {
        return refuse(ASSAY_REJECT_INTERLEAVE, pp, (double)n_micro, out_need, out_have);
    }
    const assay_reject_t order = check_schedule(layout, n_micro, out_need, out_have);
    if (order != ASSAY_REJECT_NONE) {
        return order;
    }
    if (layout->zero >= 2 && pp > 1) {
        return refuse(ASSAY_REJECT_ZERO, pp, 1, out_need, out_have);
    }
    if (layout->shard && train_copies(layout) % layout->shard) {
        return refuse(ASSAY_REJECT_SHARD, layout->shard, train_copies(layout), out_need, out_have);
    }
    return refuse(ASSAY_REJECT_NONE, 0, 0, out_need, out_have);
}
