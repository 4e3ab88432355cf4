/* Machines and workloads as resolve would hand them on, built by hand: catalog figures of two nodes
   and round calibration constants, so that tests of train and plan stand on their own. */
#ifndef MACHINE_FIXTURE_H
#define MACHINE_FIXTURE_H

#include "assay/machine.h"
#include "assay/workload.h"

#include "physics_fixture.h"

static inline void fixture_constants(assay_device_t *device) {
    static const double constants[ASSAY_CALIB_N] = {
        [ASSAY_CALIB_GEMM_EFFICIENCY] = .8,
        [ASSAY_CALIB_GEMM_K0] = 128,
        [ASSAY_CALIB_GEMM_SERIAL] = .1,
        [ASSAY_CALIB_ATTENTION_FORWARD] = .6,
        [ASSAY_CALIB_ATTENTION_BACKWARD] = .5,
        [ASSAY_CALIB_ATTENTION_S_HALF] = 256,
        [ASSAY_CALIB_HBM_EFFICIENCY] = .85,
        [ASSAY_CALIB_HBM_HALF_BYTES] = 2e6,
        [ASSAY_CALIB_LAUNCH_S] = 3e-6,
        [ASSAY_CALIB_FABRIC_EFFICIENCY] = .8,
        [ASSAY_CALIB_FABRIC_SWITCH_GAIN] = 1,
        [ASSAY_CALIB_FABRIC_RAMP] = 0,
        [ASSAY_CALIB_FABRIC_START] = 3,
        [ASSAY_CALIB_FABRIC_HOP] = 2,
        [ASSAY_CALIB_NETWORK_EFFICIENCY] = .8,
        [ASSAY_CALIB_NETWORK_HOP] = 5,
        [ASSAY_CALIB_OVERLAP_DP] = .8,
        [ASSAY_CALIB_OVERLAP_TP] = .25,
        [ASSAY_CALIB_STEP_LOSS] = .05,
        [ASSAY_CALIB_MEMORY_CONTEXT_BYTES] = 2e9,
        [ASSAY_CALIB_MEMORY_FRAGMENTATION] = .05,
        [ASSAY_CALIB_POWER_COMPUTE] = .8,
        [ASSAY_CALIB_POWER_MEMORY] = .4,
        [ASSAY_CALIB_IDLE_SHARE] = .15,
        [ASSAY_CALIB_POWER_KNEE] = .8,
        [ASSAY_CALIB_STEP_SIGMA] = .12,
    };
    for (int i = 0; i < ASSAY_CALIB_N; i++) {
        for (int j = 0; j < ASSAY_DT_N; j++) {
            device->calib[i][j] = constants[i];
        }
    }
}

/* HGX A100: 8 SXM4 80 GB behind NVSwitch, 8 HDR ports. */
static inline assay_machine_t fixture_a100(uint32_t nodes) {
    assay_machine_t m = {.id = "a100",
                         .nodes = nodes,
                         .packages_per_node = 8,
                         .devices_per_package = 1,
                         .devices_per_node = 8,
                         .devices = 8 * nodes};
    m.device = (assay_device_t){.peak_flops = {[ASSAY_DT_FP32] = 19.5e12,
                                               [ASSAY_DT_TF32] = 156e12,
                                               [ASSAY_DT_FP16] = 312e12,
                                               [ASSAY_DT_BF16] = 312e12},
                                .vector_flops = 19.5e12,
                                .hbm_bytes = 80e9,
                                .hbm_bytes_per_s = 2039e9,
                                .llc_bytes = 40e6,
                                .compute_units = 108,
                                .basis = ASSAY_BASIS_CALIBRATED};
    fixture_constants(&m.device);
    fixture_ways(&m);
    m.links = (assay_links_t){.kind = ASSAY_FABRIC_SWITCH,
                              .domain = 8,
                              .device_bytes_per_s = 300e9,
                              .pair_bytes_per_s = 300e9,
                              .nic_bytes_per_s = 8 * 25e9,
                              .nics = 8};
    m.package_cap_w = assay_fact_exact(400, "catalog");
    m.package_idle_w = assay_fact_exact(60, "test");
    return m;
}

/* Frontier node: 4 MI250X of two devices each, partial mesh, 4 Slingshot ports. Cuts are those of
   its link graph (two devices of a package 200 GB/s, between packages 50 or 100). */
static inline assay_machine_t fixture_mi250x(uint32_t nodes) {
    assay_machine_t m = {.id = "mi250x",
                         .nodes = nodes,
                         .packages_per_node = 4,
                         .devices_per_package = 2,
                         .devices_per_node = 8,
                         .devices = 8 * nodes};
    m.device = (assay_device_t){
        .peak_flops =
            {[ASSAY_DT_FP32] = 47.85e12, [ASSAY_DT_FP16] = 191.5e12, [ASSAY_DT_BF16] = 191.5e12},
        .vector_flops = 23.95e12,
        .hbm_bytes = 64e9,
        .hbm_bytes_per_s = 1638.4e9,
        .llc_bytes = 8e6,
        .compute_units = 110,
        .basis = ASSAY_BASIS_TRANSFERRED};
    fixture_constants(&m.device);
    fixture_ways(&m);
    m.links = (assay_links_t){.kind = ASSAY_FABRIC_PARTIAL_MESH,
                              .domain = 8,
                              .device_bytes_per_s = 300e9,
                              .pair_bytes_per_s = 50e9,
                              .package_bytes_per_s = 200e9,
                              .has_cut = true,
                              .nic_bytes_per_s = 4 * 25e9,
                              .nics = 4};
    m.links.cut_bytes_per_s[2][1] = 200e9;
    m.links.cut_bytes_per_s[2][2] = 50e9;
    m.links.cut_bytes_per_s[2][4] = 50e9;
    m.links.cut_bytes_per_s[4][1] = 100e9;
    m.links.cut_bytes_per_s[4][2] = 100e9;
    m.links.cut_bytes_per_s[8][1] = 250e9;
    for (int i = 1; i < 8; i++) {
        m.links.p2p_bytes_per_s[i] = 50e9;
    }
    m.package_cap_w = assay_fact_exact(560, "catalog");
    m.package_idle_w = assay_fact_exact(90, "test");
    return m;
}

static inline assay_workload_t fixture_work(const assay_model_t *model, uint32_t sequence,
                                            uint32_t global_batch) {
    assay_workload_t w = {.model = *model,
                          .sequence = sequence,
                          .global_batch = global_batch,
                          .dtype = ASSAY_DT_BF16};
    assay_model_count(&w.model, &w.count);
    w.model_flops_per_token = assay_model_train_flops_per_token(&w.model, sequence, false);
    w.causal_flops_per_token = assay_model_train_flops_per_token(&w.model, sequence, true);
    return w;
}

/* LLaMA-65B, the seed job's model. */
static inline assay_workload_t fixture_llama_65b(uint32_t global_batch) {
    const assay_model_t model = {.id = "llama-65b",
                                 .kind = "decoder-LLM",
                                 .layers = 80,
                                 .hidden = 8192,
                                 .heads = 64,
                                 .kv_heads = 64,
                                 .head_dim = 128,
                                 .ffn = 22016,
                                 .vocab = 32000,
                                 .gated = true,
                                 .max_position = 2048};
    return fixture_work(&model, 2048, global_batch);
}

/* A small GPT: h = A d, FFN 4 h, as the formulas of arXiv 2205.05198 assume. */
static inline assay_workload_t fixture_gpt(uint32_t layers, uint32_t global_batch) {
    const assay_model_t model = {.id = "gpt",
                                 .kind = "decoder-LLM",
                                 .layers = layers,
                                 .hidden = 2048,
                                 .heads = 16,
                                 .kv_heads = 16,
                                 .head_dim = 128,
                                 .ffn = 8192,
                                 .vocab = 51200,
                                 .layer_norm = true,
                                 .learned_positions = true,
                                 .max_position = 1024};
    return fixture_work(&model, 1024, global_batch);
}

#endif
