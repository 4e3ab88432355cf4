/**
 * State in the host: what shows in a step of gradients that leave, of the update there, and of
 * weights that come.
 *
 * ZeRO-Offload (arXiv 2101.06840, sections 4.1 and 5.1): gradients leave while backward still
 * computes the others; when the last is there the processors update fp32 weights and moments, tile
 * by tile, and send each tile's weights back meanwhile. With several devices each has its shard
 * updated (section 4.2), by the processors of its node together. Weights that live in the host as
 * well (ZeRO-Infinity, arXiv 2104.07857; FSDP's CPU offload) come once for every pass of every
 * micro-batch, a layer ahead of the one that computes, and are not sent after the update.
 *
 * Gradients are summed on the device, as its memory is counted, and leave once a step.
 *
 * Activations that wait in the host leave behind the layer that made them and come back ahead of
 * the backward pass of theirs; two layers' are on the device meanwhile (double buffers: NVIDIA/
 * TransformerEngine transformer_engine/pytorch/cpu_offload.py).
 */
#include <math.h>

#include "train/parts.h"

/* A transfer of so many pieces beside computing: the last piece, or what computing is too short
   for. */
static double shown_s(double transfer_s, double pieces, double window_s) {
    return fmax(transfer_s / fmax(1, pieces), transfer_s - window_s);
}

double train_offload_s(const assay_machine_t *machine, const assay_workload_t *work,
                       const train_offload_t *offload, double link, double update) {
    const train_dtype_t type = train_tuned_state(work);
    const double link_bytes_per_s = machine->host_link_bytes_per_s.v * link;
    const double update_bytes_per_s =
        machine->host_update_bytes_per_s.v * update / machine->devices_per_node;
    const double pass_s = offload->weight_bytes / link_bytes_per_s;
    const double kept_s = offload->activation_bytes / link_bytes_per_s;
    /* forward: activations leave while weights come; backward: both come */
    const double passes_s = shown_s(fmax(pass_s, kept_s), offload->layers, offload->forward_s) +
                            shown_s(pass_s + kept_s, offload->layers, offload->backward_s);
    if (work->recipe.offload == ASSAY_OFFLOAD_NONE) {
        return offload->n_micro * passes_s;
    }
    const double gradient_s = offload->updated * type.reduce_bytes / link_bytes_per_s;
    const double update_s =
        offload->updated * (type.reduce_bytes + type.state_bytes) / update_bytes_per_s;
    const double back_s = work->recipe.offload == ASSAY_OFFLOAD_ALL
                              ? 0
                              : offload->updated * type.weight_bytes / link_bytes_per_s;
    return shown_s(gradient_s, offload->layers, offload->backward_s) + fmax(update_s, back_s) +
           offload->n_micro * passes_s;
}
