/* A machine with round numbers, so that expected values can be worked out by hand. */
#ifndef PHYSICS_FIXTURE_H
#define PHYSICS_FIXTURE_H

#include "assay/physics.h"

/* The same value for every dtype. */
static inline void fixture_set(assay_device_t *device, assay_calib_id_t id, double value) {
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        device->calib[id][dtype] = value;
    }
}

/* 10 units, 100 TFLOPS in every dtype, 1 TB/s, nothing lost: efficiencies 1, latencies 0. */
static inline assay_device_t fixture_device(void) {
    assay_device_t device = {.hbm_bytes_per_s = 1e12, .compute_units = 10};
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        device.peak_flops[dtype] = 1e14;
    }
    static const assay_calib_id_t one[] = {
        ASSAY_CALIB_GEMM_EFFICIENCY,    ASSAY_CALIB_ATTENTION_FORWARD,
        ASSAY_CALIB_ATTENTION_BACKWARD, ASSAY_CALIB_HBM_EFFICIENCY,
        ASSAY_CALIB_FABRIC_EFFICIENCY,  ASSAY_CALIB_NETWORK_EFFICIENCY,
        ASSAY_CALIB_FABRIC_SWITCH_GAIN};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        fixture_set(&device, one[i], 1.0);
    }
    return device;
}

/* Start and each step of a collective take a us times what is calibrated of them. */
static inline void fixture_ways(assay_machine_t *machine) {
    static const assay_algorithm_t algorithm[] = {ASSAY_ALGORITHM_RING, ASSAY_ALGORITHM_TREE,
                                                  ASSAY_ALGORITHM_DIRECT};
    machine->n_way = 0;
    for (size_t i = 0; i < sizeof algorithm / sizeof *algorithm; i++) {
        machine->way[machine->n_way++] = (assay_way_t){.algorithm = (uint8_t)algorithm[i],
                                                       .protocol = ASSAY_PROTOCOL_SIMPLE,
                                                       .one_node = true,
                                                       .many_nodes = true,
                                                       .base_s = 1e-6,
                                                       .hop_s = 1e-6,
                                                       .network_hop_s = 1e-6,
                                                       .rate = 1,
                                                       .network_rate = 1};
    }
}

/* 4 nodes of 8 such devices behind a 100 GB/s switch, with 8 NICs of 50 GB/s. */
static inline assay_machine_t fixture_machine(void) {
    assay_machine_t machine = {.nodes = 4,
                               .packages_per_node = 8,
                               .devices_per_package = 1,
                               .devices_per_node = 8,
                               .devices = 32,
                               .device = fixture_device(),
                               .links = {.kind = ASSAY_FABRIC_SWITCH,
                                         .domain = 8,
                                         .device_bytes_per_s = 1e11,
                                         .pair_bytes_per_s = 1e11,
                                         .nic_bytes_per_s = 4e11,
                                         .nics = 8}};
    fixture_ways(&machine);
    return machine;
}

#endif
