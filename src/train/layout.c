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

static assay_reject_t refuse(assay_reject_t reject, double need, double have, double *out_need,
                             double *out_have) {
    *out_need = need;
    *out_have = have;
    return reject;
}

assay_reject_t assay_train_check(const assay_machine_t *machine, const assay_workload_t *work,
                                 const assay_layout_t *layout, double *out_need, double *out_have) {
    const assay_model_t *model = &work->model;
    const uint32_t tp = layout->tp, pp = layout->pp, vpp = layout->vpp;
    assert(tp && pp && vpp && layout->dp && layout->micro_batch);
    assert(layout->zero <= 3 && layout->recompute < ASSAY_RECOMPUTE_N);

    if (model->heads % tp || (model->kv_heads % tp && tp % model->kv_heads)) {
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
    if (layout->sequence_parallel && work->sequence % tp) {
        return refuse(ASSAY_REJECT_SEQUENCE, tp, work->sequence, out_need, out_have);
    }
    if (model->layers % (pp * vpp) && !train_tables_as_layers(work, layout)) {
        return refuse(ASSAY_REJECT_LAYERS, pp * vpp, model->layers, out_need, out_have);
    }
    const uint64_t devices = (uint64_t)tp * pp * layout->dp;
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
    if (vpp > 1 && n_micro % pp) {
        return refuse(ASSAY_REJECT_INTERLEAVE, pp, (double)n_micro, out_need, out_have);
    }
    if (layout->zero >= 2 && pp > 1) {
        return refuse(ASSAY_REJECT_ZERO, pp, 1, out_need, out_have);
    }
    return refuse(ASSAY_REJECT_NONE, 0, 0, out_need, out_have);
}
