/**
 * What Muon computes besides passing over its state: each matrix's momentum is made orthogonal.
 *
 * Newton and Schulz' iteration (Jordan, kellerjordan.github.io/posts/muon) on X (m, n), m <= n,
 * five times in bf16, 5 (4 m^2 n + 2 m^3) operations: A = X X^T,  B = b A + c A A,  X = a X + B X
 * A matrix that tensor parallelism cuts is gathered in fp32 and each rank computes all of it; where
 * the optimizer is shared out each matrix has one owner, so that no more devices help than there
 * are matrices (NVIDIA/Megatron-LM@d98e8a6 megatron/core/optimizer: optimizer_config.py,
 * muon_tp_mode "duplicated"; layer_wise_optimizer.py). Embedding, head and norms have Adam.
 */
#include <math.h>

#include "train/parts.h"

#define ITERATIONS 5.0
#define BF16_BYTES 2.0
#define FP32_BYTES 4.0

static double product_s(const assay_device_t *device, double m, double n, double k, double batch) {
    const assay_gemm_t gemm = {m, n, k, batch, ASSAY_DT_BF16, BF16_BYTES, BF16_BYTES, BF16_BYTES};
    return assay_gemm_s(device, &gemm);
}

void train_muon_layer(const assay_machine_t *machine, const assay_workload_t *work,
                      const assay_layout_t *layout, assay_train_layer_t *io) {
    const assay_device_t *device = &machine->device;
    const train_run_t run = train_run(device, ASSAY_DT_BF16);
    assay_layout_t whole = *layout; /* matrices as they are gathered */
    whole.tp = whole.etp = 1;
    train_op_t op[ASSAY_OP_MAX];
    const uint32_t n_op = train_op_list(work, &whole, op);
    for (uint32_t i = 0; i < n_op; i++) {
        if (op[i].kind != TRAIN_GEMM || op[i].place != TRAIN_LAYER) {
            continue;
        }
        const double batch = op[i].gemm.batch;
        const double m = fmin(op[i].gemm.k, op[i].gemm.n), n = fmax(op[i].gemm.k, op[i].gemm.n);
        const double once_s = product_s(device, m, m, n, batch) +
                              product_s(device, m, m, m, batch) + product_s(device, m, n, m, batch);
        const double gather_s =
            assay_collective_s(machine, ASSAY_COLL_ALL_GATHER, FP32_BYTES * batch * m * n,
                               op[i].expert ? train_etp(layout) : layout->tp, 1);
        const double all_s = gather_s + ITERATIONS * run.gemm * once_s;
        io->update_s += op[i].share * all_s;
        io->expert_update_s += op[i].expert ? op[i].share * all_s : 0;
        io->longest_update_s = fmax(io->longest_update_s, all_s / batch);
    }
}
