/* Fleets: for each layout how much one replica serves within the limits, and how many are needed.
 */
#include "assay/serve_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/physics.h"
#include "assay/simulate.h"
#include "plan/serve_traffic.h"

#include "base/banned.h"

#define USUAL_LOAD 0.9 /* of saturation, where no limit says less */
#define LEAST_LOAD 0.02
#define BISECTIONS 6
#define MOST_REPLICAS 65536u
#define MAX_STAGES 8u
#define SEED 1u

typedef struct {
    assay_arena_t *arena; /* of one layout, emptied after it */
    const assay_machine_t *machine;
    const assay_serving_t *serving;
} search_t;

/* One layout being judged. */
typedef struct {
    assay_machine_t replica; /* its devices alone */
    assay_serve_step_t step;
    assay_serve_load_t load;
    assay_sim_cost_t cost;
    assay_sim_options_t options;
    assay_sim_result_t *result;
} replica_t;

static assay_percentiles_t percentiles(const assay_sim_histogram_t *histogram) {
    return (assay_percentiles_t){assay_sim_quantile_s(histogram, .5),
                                 assay_sim_quantile_s(histogram, .9),
                                 assay_sim_quantile_s(histogram, .99)};
}

static bool has_limits(const assay_serving_t *serving) {
    return serving->ttft_p99_s > 0 || serving->tpot_p99_s > 0 || serving->itl_p99_s > 0 ||
           serving->e2e_p99_s > 0;
}

static bool within(const assay_sim_histogram_t *histogram, double limit_s) {
    return limit_s <= 0 || assay_sim_quantile_s(histogram, .99) <= limit_s;
}

static bool keeps_limits(const assay_serving_t *serving, const assay_sim_result_t *result) {
    return within(&result->ttft, serving->ttft_p99_s) &&
           within(&result->tpot, serving->tpot_p99_s) && within(&result->itl, serving->itl_p99_s) &&
           within(&result->e2e, serving->e2e_p99_s);
}

static assay_status_t simulate_at(const search_t *search, replica_t *replica, double rate_per_s,
                                  assay_error_t *err) {
    replica->options.load.rate_per_s = rate_per_s;
    const assay_status_t status =
        assay_simulate(search->arena, &replica->cost, &replica->options, replica->result, err);
    /* the groups of a pipeline step side by side on the same devices */
    replica->result->busy_s /= replica->options.replicas;
    return status;
}

/* A closed loop: so many clients on one replica; the requests are enough for each to ask often. */
static assay_status_t simulate_clients(const search_t *search, replica_t *replica, uint32_t clients,
                                       assay_error_t *err) {
    assay_sim_load_t *load = &replica->options.load;
    const double per_s = assay_serve_closed_loop_per_s(&replica->step, &replica->load, clients);
    load->clients = (clients + replica->options.replicas - 1) / replica->options.replicas;
    load->spread_s = clients / per_s; /* one answer's time: they do not march in step */
    load->requests = ASSAY_SERVE_FLEET_REQUESTS + 8ull * clients;
    const assay_status_t status =
        assay_simulate(search->arena, &replica->cost, &replica->options, replica->result, err);
    replica->result->busy_s /= replica->options.replicas;
    return status;
}

static assay_serve_setup_t setup_of(const search_t *search, const assay_layout_t *layout) {
    const assay_serving_t *serving = search->serving;
    const double params = serving->checkpoint.total_bytes > 0 ? serving->count.total : 0;
    const assay_checkpoint_t *weights = &serving->checkpoint;
    const bool wide_attention =
        serving->gemm_dtype != ASSAY_DT_BF16 &&
        weights->part_bytes[ASSAY_PART_ATTENTION] >= 2 * weights->part_params[ASSAY_PART_ATTENTION];
    double narrow_bytes = 0, narrow_params = 0;
    for (int part = 0; part < ASSAY_PART_N; part++) {
        if (part != ASSAY_PART_EMBEDDING && part != ASSAY_PART_HEAD && part != ASSAY_PART_VISION &&
            !(wide_attention && part == ASSAY_PART_ATTENTION)) {
            narrow_bytes += serving->checkpoint.part_bytes[part];
            narrow_params += serving->checkpoint.part_params[part];
        }
    }
    return (assay_serve_setup_t){
        .model = serving->model,
        .dtype = serving->gemm_dtype,
        .weight_bytes = params > 0 && narrow_params > 0 ? narrow_bytes / narrow_params : 2,
        .wide_attention = wide_attention,
        .attention_on_one = serving->attention_on_one,
        .kv_bytes = serving->kv_bytes_each,
        .tp = layout->tp,
        .pp = layout->pp,
        .ep = 1,
        .head_stream_above = serving->head_stream_above};
}

static assay_status_t make_replica(const search_t *search, const assay_serve_fleet_t *fleet,
                                   replica_t *out, assay_error_t *err) {
    const assay_serving_t *serving = search->serving;
    const assay_serve_setup_t setup = setup_of(search, &fleet->layout);
    assay_serve_constants_t constants;
    const uint32_t block_tokens = serving->block_tokens ? serving->block_tokens : 1;
    const uint32_t sequences = serving->max_num_seqs < ASSAY_SIM_MAX_SEQUENCES
                                   ? serving->max_num_seqs
                                   : ASSAY_SIM_MAX_SEQUENCES;
    /* While one group of sequences is in one stage, others are in the others: a pipeline is as many
       groups as stages, each of which passes all of them in a step. */
    const uint32_t stages = fleet->layout.pp;
    *out = (replica_t){.replica = *search->machine};
    out->replica.devices = fleet->layout.tp * fleet->layout.pp;
    out->replica.nodes = 1;
    assay_serve_constants(&search->machine->device, serving->gemm_dtype, &constants);
    assay_serve_prepare(&out->replica, &setup, &constants, &out->step);
    out->load = (assay_serve_load_t){
        .input_tokens = serving->input_tokens,
        .output_tokens = serving->output_tokens,
        .token_budget = fmax(serving->max_batch_tokens, sequences),
        .kv_tokens = fleet->memory.tokens,
        .reserves_whole = serving->reserves_whole,
    };
    out->options = (assay_sim_options_t){
        .policy = {.max_sequences = sequences,
                   .token_budget = (uint32_t)out->load.token_budget,
                   .block_tokens = block_tokens,
                   .kv_blocks = (uint64_t)(fleet->memory.tokens / block_tokens / stages)},
        .load = {.requests = ASSAY_SERVE_FLEET_REQUESTS,
                 .seed = SEED,
                 .arrival = ASSAY_ARRIVAL_POISSON,
                 .input = assay_dist_fixed(serving->input_tokens),
                 .output = assay_dist_fixed(serving->output_tokens),
                 .max_tokens = (uint32_t)(serving->input_tokens + serving->output_tokens) + 2},
        .replicas = stages};
    out->result = assay_arena_alloc(search->arena, sizeof *out->result);
    return out->result ? assay_sim_cost_init(search->arena, &out->step, sequences, &out->cost, err)
                       : assay_error_memory(err, NULL);
}

static assay_status_t try_load(const search_t *search, replica_t *replica,
                               const assay_serve_fleet_t *fleet, double load, bool *out_keeps,
                               assay_error_t *err) {
    const assay_status_t status = simulate_at(search, replica, load * fleet->saturation_per_s, err);
    *out_keeps = status == ASSAY_OK && keeps_limits(search->serving, replica->result);
    return status;
}

/* The largest load whose percentiles keep the limits, of those that bisection visits. 0: none. */
static assay_status_t find_rate(const search_t *search, replica_t *replica, assay_serve_fleet_t *io,
                                assay_error_t *err) {
    double low = LEAST_LOAD, high = USUAL_LOAD;
    bool keeps = true;
    assay_status_t status = ASSAY_OK;
    if (has_limits(search->serving)) {
        status = try_load(search, replica, io, high, &keeps, err);
    }
    if (status != ASSAY_OK || keeps) {
        io->load = high;
        io->rate_per_s = high * io->saturation_per_s;
        return status;
    }
    status = try_load(search, replica, io, low, &keeps, err);
    io->load = keeps ? low : 0;
    for (int i = 0; i < BISECTIONS && keeps && status == ASSAY_OK; i++) {
        const double middle = 0.5 * (low + high);
        bool middle_keeps;
        status = try_load(search, replica, io, middle, &middle_keeps, err);
        *(middle_keeps ? &low : &high) = middle;
        io->load = low;
    }
    io->rate_per_s = io->load * io->saturation_per_s;
    return status;
}

/* Mean watts of a device: busy at the shares of compute and memory that the steps show. */
static double device_watts(const search_t *search, const replica_t *replica, double busy,
                           double decode) {
    const assay_serve_batch_t batch = {
        .prefill_tokens = decode * search->serving->input_tokens / search->serving->output_tokens,
        .prefill_pairs = 0,
        .decode = decode,
        .decode_context =
            decode * (search->serving->input_tokens + 0.5 * search->serving->output_tokens)};
    double part_s[ASSAY_SERVE_PART_N];
    const double step_s = assay_serve_step_s(&replica->step, &batch, part_s);
    double flops = 0;
    for (uint32_t i = 0; i < replica->step.n_linear; i++) {
        flops += (replica->step.linear[i].flops + replica->step.linear[i].expert_flops) *
                 (batch.prefill_tokens + batch.decode);
    }
    const double compute = fmin(1, flops / replica->step.flops_per_s / step_s);
    const double memory = fmin(1, (part_s[ASSAY_SERVE_LINEAR] + part_s[ASSAY_SERVE_STREAM] +
                                   part_s[ASSAY_SERVE_DECODE_ATTENTION]) /
                                      step_s);
    return assay_package_w(search->machine, busy * compute, busy * memory,
                           search->serving->gemm_dtype) /
           search->machine->devices_per_package;
}

static uint32_t nodes_of(const assay_machine_t *machine, const assay_serve_fleet_t *fleet) {
    const uint32_t per_replica = (uint32_t)fleet->layout.tp * fleet->layout.pp;
    const uint32_t per_node = machine->devices_per_node;
    if (per_replica > per_node) {
        return fleet->replicas * ((per_replica + per_node - 1) / per_node);
    }
    const uint32_t in_node = per_node / per_replica;
    return (fleet->replicas + in_node - 1) / in_node;
}

/* What the last simulation of one replica shows, for as many as there are at rate_per_s in all. */
static void describe(const search_t *search, const replica_t *replica, double rate_per_s,
                     assay_serve_fleet_t *io) {
    const assay_serving_t *serving = search->serving;
    const assay_sim_result_t *result = replica->result;
    const double each_per_s = rate_per_s / io->replicas;
    io->layout.dp = io->replicas;
    io->devices = io->replicas * io->layout.tp * io->layout.pp;
    io->nodes = nodes_of(search->machine, io);
    io->load = each_per_s / io->saturation_per_s;
    io->ttft = percentiles(&result->ttft);
    io->tpot = percentiles(&result->tpot);
    io->itl = percentiles(&result->itl);
    io->e2e = percentiles(&result->e2e);
    io->input_tokens_per_s = rate_per_s * serving->input_tokens;
    io->output_tokens_per_s = rate_per_s * serving->output_tokens;
    io->output_tokens_per_s_per_device = io->output_tokens_per_s / io->devices;
    io->output_tokens_per_s_per_user = io->tpot.p50_s > 0 ? 1 / io->tpot.p50_s : 0;
    const double prefill_s = assay_serve_prefill_s(&replica->step, &replica->load, 1);
    const double decode_s = 1 / io->saturation_per_s - prefill_s;
    io->prefill_share = prefill_s / (prefill_s + fmax(decode_s, 0));
    io->busy = result->duration_s > 0 ? fmin(1, result->busy_s / result->duration_s) : 0;
    io->device_w = device_watts(search, replica, io->busy,
                                fmax(1, each_per_s * assay_sim_mean_s(&result->e2e)));
    if (!serving->open_nodes && io->nodes > search->machine->nodes) {
        io->verdict = ASSAY_SERVE_FLEET_NODES;
    }
}

/* Requests at a rate, or one replica's usual load where the job names none. */
static assay_status_t judge_rate(const search_t *search, replica_t *replica,
                                 assay_serve_fleet_t *io, assay_error_t *err) {
    const assay_serving_t *serving = search->serving;
    assay_status_t status = find_rate(search, replica, io, err);
    if (status != ASSAY_OK || io->load <= 0) {
        io->verdict = ASSAY_SERVE_FLEET_LIMITS;
        return status;
    }
    const double rate_per_s = serving->rate_per_s > 0 ? serving->rate_per_s : io->rate_per_s;
    const double replicas = ceil(rate_per_s / io->rate_per_s - 1e-9);
    if (replicas > MOST_REPLICAS) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "more than %u replicas", MOST_REPLICAS);
    }
    io->replicas = replicas < 1 ? 1 : (uint32_t)replicas;
    status = simulate_at(search, replica, rate_per_s / io->replicas, err);
    if (status == ASSAY_OK) {
        describe(search, replica, rate_per_s, io);
    }
    return status;
}

/* Does a fleet of so many replicas keep the limits, each with its share of the clients? */
static assay_status_t try_replicas(const search_t *search, replica_t *replica, uint32_t replicas,
                                   bool *out_keeps, assay_error_t *err) {
    const double clients = ceil(search->serving->concurrency / replicas);
    const bool room = clients <= replica->options.policy.max_sequences &&
                      assay_serve_concurrency(&replica->load, clients) >= clients;
    const assay_status_t status = clients > ASSAY_SIM_MAX_SEQUENCES
                                      ? ASSAY_OK
                                      : simulate_clients(search, replica, (uint32_t)clients, err);
    *out_keeps = status == ASSAY_OK && room && keeps_limits(search->serving, replica->result);
    return status;
}

/* So many requests at a time: the fewest replicas that hold and answer them within the limits. */
static assay_status_t judge_concurrency(const search_t *search, replica_t *replica,
                                        assay_serve_fleet_t *io, assay_error_t *err) {
    const double wanted = search->serving->concurrency;
    const uint32_t most = wanted < MOST_REPLICAS ? (uint32_t)wanted : MOST_REPLICAS;
    uint32_t low = 0, high = 1; /* low does not keep them */
    bool keeps = false;
    assay_status_t status = try_replicas(search, replica, high, &keeps, err);
    while (status == ASSAY_OK && !keeps && high < most) {
        low = high;
        high = 2 * high < most ? 2 * high : most;
        status = try_replicas(search, replica, high, &keeps, err);
    }
    if (status != ASSAY_OK || !keeps) {
        io->verdict = ASSAY_SERVE_FLEET_LIMITS;
        return status;
    }
    while (status == ASSAY_OK && high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        status = try_replicas(search, replica, middle, &keeps, err);
        *(keeps ? &high : &low) = middle;
    }
    io->replicas = high;
    status = status ? status : try_replicas(search, replica, high, &keeps, err);
    if (status == ASSAY_OK) {
        const assay_sim_result_t *result = replica->result;
        io->rate_per_s = (double)result->requests / result->duration_s;
        describe(search, replica, io->rate_per_s * io->replicas, io);
    }
    return status;
}

static assay_status_t judge(const search_t *search, assay_serve_fleet_t *io, assay_error_t *err) {
    const assay_serving_t *serving = search->serving;
    assay_serve_constants_t constants;
    if (!assay_serve_layout_fits(serving, &io->layout)) {
        io->verdict = ASSAY_SERVE_FLEET_LAYOUT;
        return ASSAY_OK;
    }
    assay_serve_memory(search->machine, serving, &io->layout, &io->memory);
    const double longest = serving->input_tokens + serving->output_tokens;
    if (!io->memory.fits || io->memory.tokens < longest + serving->block_tokens) {
        io->verdict = ASSAY_SERVE_FLEET_MEMORY;
        return ASSAY_OK;
    }
    assay_serve_constants(&search->machine->device, serving->gemm_dtype, &constants);
    io->rel_p10 = constants.rel_p10;
    io->rel_p90 = constants.rel_p90;
    io->basis = constants.basis;
    replica_t *replica = assay_arena_alloc(search->arena, sizeof *replica);
    assay_status_t status =
        replica ? make_replica(search, io, replica, err) : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    io->saturation_per_s = assay_serve_closed_loop_per_s(&replica->step, &replica->load,
                                                         replica->options.policy.max_sequences);
    return serving->rate_per_s <= 0 && serving->concurrency > 0
               ? judge_concurrency(search, replica, io, err)
               : judge_rate(search, replica, io, err);
}

static int compare_fleets(const void *a, const void *b) {
    const assay_serve_fleet_t *x = a, *y = b;
    if (x->verdict != y->verdict) {
        return x->verdict < y->verdict ? -1 : 1;
    }
    if (x->devices != y->devices) {
        return x->devices < y->devices ? -1 : 1;
    }
    if (x->tpot.p50_s < y->tpot.p50_s || x->tpot.p50_s > y->tpot.p50_s) {
        return x->tpot.p50_s < y->tpot.p50_s ? -1 : 1;
    }
    return (int)x->layout.tp * 1024 + x->layout.pp - (int)y->layout.tp * 1024 - y->layout.pp;
}

static void add_layout(assay_serve_fleets_t *out, const assay_layout_pin_t *pin, uint32_t tp,
                       uint32_t pp) {
    if (out->n_fleet < ASSAY_SERVE_FLEET_LAYOUTS && (!pin->tp || pin->tp == tp) &&
        (!pin->pp || pin->pp == pp)) {
        out->fleet[out->n_fleet++] = (assay_serve_fleet_t){
            .layout = {.tp = (uint16_t)tp, .pp = (uint16_t)pp, .vpp = 1, .dp = 1}};
    }
}

/* Powers of two of tensor parallelism within a domain, with pp stages. */
static assay_status_t try_stages(const search_t *search, const assay_layout_pin_t *pin,
                                 uint32_t stages, assay_serve_fleets_t *io, assay_error_t *err) {
    const assay_machine_t *machine = search->machine;
    const uint32_t domain =
        machine->links.domain ? machine->links.domain : machine->devices_per_node;
    assay_status_t status = ASSAY_OK;
    for (uint32_t tp = 1; tp <= domain && status == ASSAY_OK; tp *= 2) {
        const uint32_t before = io->n_fleet;
        add_layout(io, pin, tp, stages);
        status = io->n_fleet > before ? judge(search, &io->fleet[before], err) : ASSAY_OK;
    }
    return status;
}

/* Some layout found room. */
static bool any_room(const assay_serve_fleets_t *fleets) {
    for (uint32_t i = 0; i < fleets->n_fleet; i++) {
        if (fleets->fleet[i].verdict != ASSAY_SERVE_FLEET_LAYOUT &&
            fleets->fleet[i].verdict != ASSAY_SERVE_FLEET_MEMORY) {
            return true;
        }
    }
    return false;
}

assay_status_t assay_serve_fleet_simulate(assay_arena_t *arena, const assay_machine_t *machine,
                                          const assay_serving_t *serving,
                                          const assay_serve_fleet_t *fleet,
                                          const assay_serve_run_t *run, assay_sim_result_t *out,
                                          assay_error_t *err) {
    const search_t search = {arena, machine, serving};
    replica_t *replica = assay_arena_alloc(arena, sizeof *replica);
    assay_status_t status =
        replica ? make_replica(&search, fleet, replica, err) : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    assay_sim_options_t *options = &replica->options;
    assay_sim_load_t *load = &options->load;
    load->requests = run->requests;
    load->rate_per_s = run->rate_per_s > 0       ? run->rate_per_s
                       : serving->rate_per_s > 0 ? serving->rate_per_s
                                                 : fleet->rate_per_s * fleet->replicas;
    if (serving->rate_per_s <= 0 && run->rate_per_s <= 0 && serving->concurrency > 0) {
        const uint32_t engines = fleet->replicas * fleet->layout.pp;
        load->clients = (uint32_t)ceil(serving->concurrency / engines);
        load->spread_s = load->clients / (fleet->rate_per_s / fleet->layout.pp);
    }
    options->slo = (assay_sim_slo_t){
        .ttft_s = serving->ttft_p99_s, .tpot_s = serving->tpot_p99_s, .e2e_s = serving->e2e_p99_s};
    options->replicas *= fleet->replicas;
    options->hooks = run->hooks;
    options->finished = run->finished;
    options->stepped = run->stepped;
    options->ctx = run->ctx;
    status = serve_traffic(arena, serving, options, err);
    return status ? status : assay_simulate(arena, &replica->cost, options, out, err);
}

assay_status_t assay_serve_fleet_search(assay_arena_t *arena, const assay_machine_t *machine,
                                        const assay_serving_t *serving,
                                        const assay_layout_pin_t *pin, assay_serve_fleets_t *out,
                                        assay_error_t *err) {
    const search_t search = {arena, machine, serving};
    assay_status_t status = ASSAY_OK;
    out->n_fleet = 0;
    for (uint32_t stages = 1; stages <= MAX_STAGES && status == ASSAY_OK; stages *= 2) {
        if (pin->pp || !any_room(out)) {
            status = try_stages(&search, pin, pin->pp ? pin->pp : stages, out, err);
        }
        if (pin->pp) {
            break;
        }
    }
    if (out->n_fleet == 0 && status == ASSAY_OK) { /* pinned to what is no power of two */
        add_layout(out, pin, pin->tp ? pin->tp : 1, pin->pp ? pin->pp : 1);
        status = judge(&search, &out->fleet[0], err);
    }
    qsort(out->fleet, out->n_fleet, sizeof *out->fleet, compare_fleets);
    return status;
}
