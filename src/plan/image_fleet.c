/* Devices for images: the fewest that keep the limit. */
#include "assay/image_plan.h"

#include <math.h>

#include "assay/physics.h"

#define DEVICES_MAX 1e6
enum { SEED = 1 };

/* What is asked of each number of devices. */
typedef struct {
    assay_arena_t *arena;
    const assay_image_demand_t *demand;
    double request_s;
    assay_error_t *err;
} search_t;

static assay_status_t latency_of(const search_t *search, double devices, assay_queue_t *out) {
    const assay_image_demand_t *demand = search->demand;
    if (demand->rate_per_s > 0) {
        const assay_status_t status = assay_queue(search->arena, demand->rate_per_s,
                                                  search->request_s, (uint32_t)devices, SEED, out);
        return status ? assay_error_memory(search->err, NULL) : ASSAY_OK;
    }
    /* in turn: each request waits for those that came before it to the same device */
    const double s = search->request_s * fmax(1, demand->concurrency / devices);
    *out = (assay_queue_t){s, s, s, s};
    return ASSAY_OK;
}

static assay_status_t keeps(const search_t *search, double devices, bool *out) {
    assay_queue_t latency;
    const assay_status_t status = latency_of(search, devices, &latency);
    *out = status == ASSAY_OK && latency.p99_s <= search->demand->latency_p99_s;
    return status;
}

/* The fewest devices that keep the limit; more are never slower. */
static assay_status_t find_devices(const search_t *search, double *out) {
    const assay_image_demand_t *demand = search->demand;
    const double busy = demand->rate_per_s * search->request_s;
    if (demand->latency_p99_s <= 0) {
        *out = demand->rate_per_s > 0 ? fmax(1, ceil(busy / ASSAY_IMAGE_USUAL_LOAD - 1e-9))
                                      : demand->concurrency;
        return ASSAY_OK;
    }
    if (demand->rate_per_s <= 0) {
        *out = ceil(demand->concurrency * search->request_s / demand->latency_p99_s - 1e-9);
        *out = fmax(1, fmin(*out, demand->concurrency));
        return ASSAY_OK;
    }
    double low = floor(busy), high = low; /* low: too few; a queue of that load only grows */
    bool enough = false;
    assay_status_t status = ASSAY_OK;
    for (double more = 1; !enough && status == ASSAY_OK && high <= DEVICES_MAX; more *= 2) {
        low = high;
        high = floor(busy) + more;
        status = keeps(search, high, &enough);
    }
    while (status == ASSAY_OK && enough && high - low > 1) {
        const double middle = floor(0.5 * (low + high));
        bool middle_keeps;
        status = keeps(search, middle, &middle_keeps);
        *(middle_keeps ? &high : &low) = middle;
    }
    *out = high;
    return status;
}

/* Mean watts of a device that is busy with requests `load` of the time. */
static double device_watts(const assay_machine_t *machine, const assay_image_demand_t *demand,
                           const assay_image_step_t *step, const assay_image_fleet_t *fleet) {
    double bytes = 0;
    for (uint32_t i = 0; i < step->n_pass; i++) {
        bytes += step->pass[i].passes * step->pass[i].bytes;
    }
    const double memory = bytes / (machine->device.hbm_bytes_per_s * fleet->request_s);
    return assay_package_w(machine, fleet->load * fmin(1, fleet->flops_share),
                           fleet->load * fmin(1, memory), demand->work.dtype) /
           machine->devices_per_package;
}

/* What was measured takes the place of the prediction, part by part in proportion. */
static void take_longer(double factor, assay_image_fleet_t *io) {
    io->request_s *= factor;
    for (int i = 0; i < ASSAY_IMAGE_PART_N; i++) {
        io->part_s[i] *= factor;
    }
    for (int i = 0; i < ASSAY_IMAGE_STAGE_MAX; i++) {
        io->stage_s[i] *= factor;
    }
    io->rel_p10 = io->rel_p90 = 1;
}

static void describe(const assay_machine_t *machine, const assay_image_demand_t *demand,
                     assay_image_step_t *step, assay_image_fleet_t *out) {
    const assay_device_t *device = &machine->device;
    assay_image_constants_t constants;
    assay_image_constants(device, demand->work.dtype, &constants);
    assay_image_prepare(device, &demand->work, demand->images, step);
    *out = (assay_image_fleet_t){
        .weight_bytes = assay_image_weight_bytes(&demand->work),
        .activation_bytes = assay_image_activation_bytes(&demand->work, demand->images),
        .context_bytes = device->calib[ASSAY_CALIB_MEMORY_CONTEXT_BYTES][demand->work.dtype],
        .has_bytes = device->hbm_bytes,
        .rel_p10 = constants.rel_p10,
        .rel_p90 = constants.rel_p90,
        .basis = constants.basis};
    out->request_s = assay_image_request_s(step, &constants, out->part_s, out->stage_s);
    if (machine->measured_request_s.known) {
        take_longer(machine->measured_request_s.v / out->request_s, out);
    }
    out->flops_share =
        assay_image_request_flops(step) / (device->peak_flops[demand->work.dtype] * out->request_s);
    out->images_per_s_per_device = demand->images / out->request_s;
}

assay_status_t assay_image_fleet(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_image_demand_t *demand, assay_image_fleet_t *out,
                                 assay_error_t *err) {
    assay_image_step_t step;
    describe(machine, demand, &step, out);
    if (out->weight_bytes + out->activation_bytes + out->context_bytes > out->has_bytes) {
        out->verdict = ASSAY_IMAGE_FLEET_MEMORY;
        return ASSAY_OK;
    }
    if (demand->latency_p99_s > 0 && out->request_s > demand->latency_p99_s) {
        out->verdict = ASSAY_IMAGE_FLEET_LIMITS;
        return ASSAY_OK;
    }
    const search_t search = {arena, demand, out->request_s, err};
    double needed;
    assay_status_t status = find_devices(&search, &needed);
    if (status != ASSAY_OK) {
        return status;
    }
    if (needed > DEVICES_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "more than a million devices of '%s'",
                               machine->id);
    }
    const double nodes = ceil(needed / machine->devices_per_node);
    out->needed = (uint32_t)needed;
    out->nodes = (uint32_t)nodes;
    out->devices = out->nodes * machine->devices_per_node;
    if (!demand->open_nodes && out->nodes > machine->nodes) {
        out->verdict = ASSAY_IMAGE_FLEET_NODES;
        return ASSAY_OK;
    }
    status = latency_of(&search, out->devices, &out->latency);
    const double per_s = demand->rate_per_s > 0
                             ? demand->rate_per_s
                             : demand->concurrency / fmax(out->latency.mean_s, out->request_s);
    out->load = fmin(1, per_s * out->request_s / out->devices);
    out->images_per_s = per_s * demand->images;
    out->device_w = device_watts(machine, demand, &step, out);
    return status;
}
