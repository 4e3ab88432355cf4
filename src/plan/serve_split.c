/* Prefill and decode on replicas of their own, their numbers matched to the rate. */
#include "plan/serve_split.h"

#include <math.h>

#include "assay/physics.h"
#include "plan/serve_fleet.h"

/* What a side can be filled to when the other is to keep up: ai-dynamo/aiconfigurator. */
#define PREFILL_FILL 0.90
#define DECODE_FILL 0.92
#define HALVINGS 18
#define P99_SIGMAS 2.326347874040841
#define MOST_SIDE 4096.0

/* Answers/s and time of a token when so many decode and nothing else runs. */
static double answers_per_s(const serve_case_t *of, double running) {
    const double later = fmax(1, of->load.output_tokens - 1);
    return running / (later * assay_serve_decode_s(&of->step, &of->load, running));
}

static double p99_token_s(const serve_case_t *of, double running) {
    const double crowd = fmin(of->limit, running + P99_SIGMAS * sqrt(running));
    return assay_serve_decode_s(&of->step, &of->load, crowd);
}

static bool token_within(const assay_serving_t *serving, double token_s) {
    return (serving->tpot_p99_s <= 0 || token_s <= serving->tpot_p99_s) &&
           (serving->itl_p99_s <= 0 || token_s <= serving->itl_p99_s);
}

void serve_split_add(const serve_case_t *of, const assay_serve_way_t *way, serve_split_t *io) {
    if (io->n == SERVE_SPLIT_SIDES || way->shared) {
        return;
    }
    serve_side_t *side = &io->side[io->n];
    *side = (serve_side_t){.of = *of, .way = *way};
    side->prompt_s = assay_serve_prefill_s(&of->step, &of->load, 1);
    side->prompts_per_s = of->step.pipeline / side->prompt_s;
    double low = 0, high = of->limit;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        *(token_within(&of->serving, p99_token_s(of, middle)) ? &low : &high) = middle;
    }
    if (low >= 1) {
        side->running = low;
        side->answers_per_s = answers_per_s(of, low);
        side->p99_s = p99_token_s(of, low);
        io->n++;
    }
}

#define LARGE_BYTES 256e6 /* shows the rate of a link */

/* All ranks of the smaller side send at once, inside the node where it holds both sides. */
void serve_split_link(const assay_machine_t *machine, const assay_serve_fleet_t *fleet,
                      double *out_bytes_per_s, double *out_latency_s) {
    const assay_layout_t *decode = &fleet->way.layout, *prefill = &fleet->prefill_way.layout;
    const uint32_t devices = fleet->replicas * decode->tp * decode->pp +
                             fleet->prefill_replicas * prefill->tp * prefill->pp;
    const bool in_node = devices <= machine->devices_per_node;
    assay_machine_t between = *machine;
    between.nodes = in_node ? 1 : 2;
    between.devices = between.nodes * machine->devices_per_node;
    *out_latency_s = assay_p2p_s(&between, 1, 1);
    *out_bytes_per_s = in_node || machine->links.nic_bytes_per_s > 0
                           ? fmin(decode->tp, prefill->tp) * LARGE_BYTES /
                                 (assay_p2p_s(&between, LARGE_BYTES, 1) - *out_latency_s)
                           : 0;
}

/* What is left of sending keys and values when the last layer is done. */
static double transfer_s(const assay_machine_t *machine, const serve_side_t *prefill,
                         const assay_serve_fleet_t *fleet) {
    const double layers = prefill->of.serving.model.layers;
    const double bytes =
        prefill->of.load.input_tokens * prefill->of.memory.kv_bytes_per_token_model;
    double bytes_per_s, latency_s;
    serve_split_link(machine, fleet, &bytes_per_s, &latency_s);
    const double whole_s = bytes / bytes_per_s; /* infinite without a link */
    return latency_s + fmax(whole_s / layers, whole_s - prefill->prompt_s * (layers - 1) / layers);
}

static assay_percentiles_t first_token(const serve_side_t *prefill, double busy, double sent_s) {
    const double prompt_s = prefill->prompt_s, after_s = prompt_s + sent_s;
    return (assay_percentiles_t){after_s + serve_wait_s(busy, prompt_s, .5),
                                 after_s + serve_wait_s(busy, prompt_s, .9),
                                 after_s + serve_wait_s(busy, prompt_s, .99)};
}

static void fill_latency(const serve_side_t *prefill, const serve_side_t *decode, double rate_per_s,
                         assay_serve_fleet_t *io) {
    const double later = fmax(0, decode->of.load.output_tokens - 1);
    const double running = decode->running * rate_per_s / (io->replicas * decode->answers_per_s);
    const double typical_s = assay_serve_decode_s(&decode->of.step, &decode->of.load, running);
    const double p99_s = p99_token_s(&decode->of, running);
    io->tpot = (assay_percentiles_t){typical_s, 0.5 * (typical_s + p99_s), p99_s};
    io->itl = io->tpot;
    io->ttft = first_token(prefill, rate_per_s / (io->prefill_replicas * prefill->prompts_per_s),
                           io->transfer_s);
    io->e2e = (assay_percentiles_t){io->ttft.p50_s + later * io->tpot.p50_s,
                                    io->ttft.p90_s + later * io->tpot.p90_s,
                                    io->ttft.p99_s + later * io->tpot.p99_s};
}

/* The fewest of both for the rate; more that prefill where the queue before them is too long. */
static bool match(const assay_machine_t *machine, const serve_side_t *prefill,
                  const serve_side_t *decode, assay_serve_fleet_t *io) {
    const assay_serving_t *serving = &prefill->of.serving;
    const double rate_per_s = serving->rate_per_s;
    const double y = ceil(rate_per_s / (DECODE_FILL * decode->answers_per_s) - 1e-9);
    double x = ceil(rate_per_s / (PREFILL_FILL * prefill->prompts_per_s) - 1e-9);
    if (x > MOST_SIDE || y > MOST_SIDE) {
        return false;
    }
    *io = (assay_serve_fleet_t){.way = decode->way,
                                .prefill_way = prefill->way,
                                .verdict = ASSAY_SERVE_FLEET_FITS,
                                .memory = decode->of.memory,
                                .replicas = (uint32_t)y,
                                .saturation_per_s = decode->answers_per_s,
                                .rel_p10 = decode->of.constants.rel_p10,
                                .rel_p90 = decode->of.constants.rel_p90,
                                .basis = decode->of.constants.basis};
    const double prefill_devices = (double)prefill->way.layout.tp * prefill->way.layout.pp;
    const double decode_devices = (double)decode->way.layout.tp * decode->way.layout.pp;
    for (const double most = 2 * x + 4;; x++) {
        io->prefill_replicas = (uint32_t)x;
        io->transfer_s = transfer_s(machine, prefill, io);
        if (!isfinite(io->transfer_s)) {
            return false; /* they do not share a node, and nodes have no links */
        }
        fill_latency(prefill, decode, rate_per_s, io);
        const serve_point_t point = {
            .ttft = io->ttft, .tpot = io->tpot, .itl = io->itl, .e2e = io->e2e};
        if (serve_keeps(serving, &point)) {
            break;
        }
        if (x >= most) {
            return false;
        }
    }
    io->rate_per_s =
        fmin(PREFILL_FILL * x * prefill->prompts_per_s, DECODE_FILL * y * decode->answers_per_s) /
        y;
    io->prefill_share = x * prefill_devices / (x * prefill_devices + y * decode_devices);
    serve_fleet_count(machine, serving, rate_per_s, io);
    const double prefill_w = serve_fleet_device_w(
        machine, &prefill->of, fmin(1, rate_per_s / (x * prefill->prompts_per_s)), 1);
    io->busy = fmin(1, rate_per_s / (y * decode->answers_per_s));
    io->device_w = io->prefill_share * prefill_w +
                   (1 - io->prefill_share) * serve_fleet_device_w(machine, &decode->of, io->busy,
                                                                  fmax(1, decode->running));
    return io->verdict == ASSAY_SERVE_FLEET_FITS;
}

static bool better(const assay_serve_fleet_t *a, const assay_serve_fleet_t *b) {
    return a->nodes != b->nodes       ? a->nodes < b->nodes
           : a->devices != b->devices ? a->devices < b->devices
                                      : a->tpot.p50_s < b->tpot.p50_s;
}

bool serve_split_best(const assay_machine_t *machine, const serve_split_t *split, uint32_t format,
                      assay_serve_fleet_t *out) {
    bool found = false;
    for (uint32_t p = 0; p < split->n; p++) {
        for (uint32_t d = 0; d < split->n; d++) {
            assay_serve_fleet_t fleet;
            if (split->side[p].way.format == format && split->side[d].way.format == format &&
                match(machine, &split->side[p], &split->side[d], &fleet) &&
                (!found || better(&fleet, out))) {
                *out = fleet;
                found = true;
            }
        }
    }
    return found;
}
