/* Fleets of one way to serve: how much a replica serves within the limits, how many are needed. */
#include "plan/serve_fleet.h"

#include <math.h>

#include "assay/physics.h"
#include "assay/simulate.h"
#include "plan/serve_split.h"
#include "plan/serve_traffic.h"

#define LEAST_LOAD 0.02
#define BISECTIONS 6
#define MOST_REPLICAS 65536u
#define SEED 1u

/* One way being judged. */
typedef struct {
    assay_arena_t *arena;
    const assay_machine_t *machine;
    serve_case_t of;
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

static bool keeps_limits(const replica_t *replica) {
    const serve_point_t point = {.ttft = percentiles(&replica->result->ttft),
                                 .tpot = percentiles(&replica->result->tpot),
                                 .itl = percentiles(&replica->result->itl),
                                 .e2e = percentiles(&replica->result->e2e)};
    return serve_keeps(&replica->of.serving, &point);
}

static assay_status_t simulate_at(replica_t *replica, double rate_per_s, assay_error_t *err) {
    replica->options.load.rate_per_s = rate_per_s;
    const assay_status_t status =
        assay_simulate(replica->arena, &replica->cost, &replica->options, replica->result, err);
    /* the groups of a pipeline step side by side on the same devices */
    replica->result->busy_s /= replica->options.replicas;
    return status;
}

/* A closed loop: so many clients on one replica; the requests are enough for each to ask often. */
static assay_status_t simulate_clients(replica_t *replica, uint32_t clients, assay_error_t *err) {
    assay_sim_load_t *load = &replica->options.load;
    const double per_s =
        assay_serve_closed_loop_per_s(&replica->of.step, &replica->of.load, clients);
    load->clients = (clients + replica->options.replicas - 1) / replica->options.replicas;
    load->spread_s = clients / per_s; /* one answer's time: they do not march in step */
    load->requests = ASSAY_SERVE_FLEET_REQUESTS + 8ull * clients;
    const assay_status_t status =
        assay_simulate(replica->arena, &replica->cost, &replica->options, replica->result, err);
    replica->result->busy_s /= replica->options.replicas;
    return status;
}

/* While one group of sequences is in one stage, others are in the others: a pipeline is as many
   groups as stages, each of which passes all of them in a step. */
static assay_status_t make_replica(assay_arena_t *arena, const assay_machine_t *machine,
                                   const assay_serving_t *serving, const assay_serve_way_t *way,
                                   replica_t *out, assay_error_t *err) {
    *out = (replica_t){.arena = arena, .machine = machine};
    (void)serve_case_prepare(machine, serving, way, &out->of);
    (void)serve_case_bound(machine, way, &out->of);
    const assay_serve_load_t *load = &out->of.load;
    const uint32_t stages = way->layout.pp;
    const uint32_t block_tokens = serving->block_tokens ? serving->block_tokens : 1;
    const double ranks = way->attention_dp ? way->layout.tp : 1;
    const double sequences = fmax(1, way->max_sequences * ranks / stages);
    const uint32_t most =
        sequences < ASSAY_SIM_MAX_SEQUENCES ? (uint32_t)sequences : ASSAY_SIM_MAX_SEQUENCES;
    out->options = (assay_sim_options_t){
        .policy = {.max_sequences = most,
                   .token_budget = (uint32_t)load->token_budget,
                   .block_tokens = block_tokens,
                   .kv_blocks = (uint64_t)(load->kv_tokens / block_tokens / stages)},
        .load = {.requests = ASSAY_SERVE_FLEET_REQUESTS,
                 .seed = SEED,
                 .arrival = ASSAY_ARRIVAL_POISSON,
                 .input = assay_dist_fixed(serving->input_tokens),
                 .output = assay_dist_fixed(serving->output_tokens),
                 .max_tokens = (uint32_t)(serving->input_tokens + serving->output_tokens) + 2},
        .replicas = stages};
    out->options.prefix_caching = load->cached_tokens > 0;
    out->options.load.prefix_share = load->cached_tokens / load->input_tokens;
    out->result = assay_arena_alloc(arena, sizeof *out->result);
    if (!out->result) {
        return assay_error_memory(err, NULL);
    }
    return load->draft.tokens > 0
               ? assay_sim_cost_speculate(arena, &out->of.step, most, &load->draft, &out->cost, err)
               : assay_sim_cost_init(arena, &out->of.step, most, &out->cost, err);
}

static assay_status_t try_load(replica_t *replica, const assay_serve_fleet_t *fleet, double load,
                               bool *out_keeps, assay_error_t *err) {
    const assay_status_t status = simulate_at(replica, load * fleet->saturation_per_s, err);
    *out_keeps = status == ASSAY_OK && keeps_limits(replica);
    return status;
}

/* The largest load whose percentiles keep the limits, of those that bisection visits. 0: none. */
static assay_status_t find_rate(replica_t *replica, assay_serve_fleet_t *io, assay_error_t *err) {
    double low = LEAST_LOAD, high = SERVE_USUAL_LOAD;
    bool keeps = true;
    assay_status_t status = ASSAY_OK;
    if (has_limits(&replica->of.serving)) {
        status = try_load(replica, io, high, &keeps, err);
    }
    if (status != ASSAY_OK || keeps) {
        io->load = high;
        io->rate_per_s = high * io->saturation_per_s;
        return status;
    }
    status = try_load(replica, io, low, &keeps, err);
    io->load = keeps ? low : 0;
    for (int i = 0; i < BISECTIONS && keeps && status == ASSAY_OK; i++) {
        const double middle = 0.5 * (low + high);
        bool middle_keeps;
        status = try_load(replica, io, middle, &middle_keeps, err);
        *(middle_keeps ? &low : &high) = middle;
        io->load = low;
    }
    io->rate_per_s = io->load * io->saturation_per_s;
    return status;
}

/* Busy at the shares of compute and memory that the steps show. */
double serve_fleet_device_w(const assay_machine_t *machine, const serve_case_t *of, double busy,
                            double decode) {
    const assay_serve_load_t *load = &of->load;
    const assay_serve_batch_t batch = {
        .prefill_tokens = decode * (load->input_tokens - load->cached_tokens) / load->output_tokens,
        .decode = decode,
        .decode_context = decode * (load->input_tokens + 0.5 * load->output_tokens)};
    double part_s[ASSAY_SERVE_PART_N];
    const double step_s = assay_serve_step_s(&of->step, &batch, part_s);
    double flops = 0;
    for (uint32_t i = 0; i < of->step.n_linear; i++) {
        flops += (of->step.linear[i].flops + of->step.linear[i].expert_flops) *
                 (batch.prefill_tokens + batch.decode);
    }
    const double compute = fmin(1, flops / of->step.flops_per_s / step_s);
    const double memory = fmin(1, (part_s[ASSAY_SERVE_LINEAR] + part_s[ASSAY_SERVE_STREAM] +
                                   part_s[ASSAY_SERVE_DECODE_ATTENTION]) /
                                      step_s);
    return assay_package_w(machine, busy * compute, busy * memory, of->serving.gemm_dtype) /
           machine->devices_per_package;
}

double assay_serve_nodes(const assay_machine_t *machine, double replicas,
                         double devices_per_replica) {
    const double per_node = machine->devices_per_node;
    return devices_per_replica <= per_node ? ceil(replicas / floor(per_node / devices_per_replica))
                                           : replicas * ceil(devices_per_replica / per_node);
}

/* Replicas for prompts and for answers fill nodes together where they are of one size. */
static uint32_t nodes_of(const assay_machine_t *machine, const assay_serve_fleet_t *fleet,
                         double copies) {
    const assay_layout_t *layout = &fleet->way.layout, *prefill = &fleet->prefill_way.layout;
    const double one = (double)layout->tp * layout->pp, other = (double)prefill->tp * prefill->pp;
    const double replicas = copies * fleet->replicas, prompts = copies * fleet->prefill_replicas;
    if (prompts <= 0 || fabs(one - other) < 1) {
        return (uint32_t)assay_serve_nodes(machine, replicas + prompts, one);
    }
    return (uint32_t)(assay_serve_nodes(machine, replicas, one) +
                      assay_serve_nodes(machine, prompts, other));
}

void serve_fleet_count(const assay_machine_t *machine, const assay_serving_t *serving,
                       double rate_per_s, assay_serve_fleet_t *io) {
    const uint32_t models = serving->models_per_host > 1 ? serving->models_per_host : 1;
    const uint32_t apart = io->way.shared ? 1 : models;
    const assay_layout_t *prefill = &io->prefill_way.layout;
    const double tokens_per_s = models * rate_per_s;
    io->way.layout.dp = io->replicas;
    io->devices = apart * (io->replicas * io->way.layout.tp * io->way.layout.pp +
                           io->prefill_replicas * prefill->tp * prefill->pp);
    io->nodes = nodes_of(machine, io, apart);
    io->load = rate_per_s / io->replicas / io->saturation_per_s;
    io->input_tokens_per_s = tokens_per_s * serving->input_tokens;
    io->output_tokens_per_s = tokens_per_s * serving->output_tokens;
    io->output_tokens_per_s_per_device = io->output_tokens_per_s / io->devices;
    io->output_tokens_per_s_per_user = io->tpot.p50_s > 0 ? 1 / io->tpot.p50_s : 0;
    if (!serving->open_nodes && io->nodes > machine->nodes) {
        io->verdict = ASSAY_SERVE_FLEET_NODES;
    }
}

void assay_serve_fleet_recount(const assay_machine_t *machine, const assay_serving_t *serving,
                               double rate_per_s, assay_serve_fleet_t *io) {
    if (io->verdict != ASSAY_SERVE_FLEET_FITS || io->prefill_replicas > 0 ||
        serving->rate_per_s <= 0) {
        return;
    }
    const double replicas = ceil(serving->rate_per_s / rate_per_s - 1e-9);
    io->rate_per_s = rate_per_s;
    io->replicas = (uint32_t)fmin(MOST_REPLICAS, fmax(1, replicas));
    serve_fleet_count(machine, serving, serving->rate_per_s, io);
    io->busy = fmin(1, io->load);
}

static void fill_case(const serve_case_t *of, assay_serve_fleet_t *io) {
    assay_serve_load_t fresh = of->load;
    fresh.input_tokens -= fresh.cached_tokens;
    fresh.cached_tokens = 0;
    const double prefill_s = assay_serve_prefill_s(&of->step, &of->load, of->limit);
    io->memory = of->memory;
    io->rel_p10 = of->constants.rel_p10;
    io->rel_p90 = of->constants.rel_p90;
    io->basis = of->constants.basis;
    io->saturation_per_s = serve_case_saturation_per_s(of);
    io->prefill_share = fmin(1, prefill_s / of->step.pipeline * io->saturation_per_s / of->limit);
    io->cached_share = fmax(0, 1 - assay_serve_prefill_s(&of->step, &fresh, of->limit) / prefill_s);
}

void serve_fleet_estimate(const assay_machine_t *machine, const assay_serving_t *serving,
                          const serve_case_t *of, const serve_point_t *best,
                          assay_serve_fleet_t *io) {
    fill_case(of, io);
    const bool loop = serving->rate_per_s <= 0 && serving->concurrency > 0;
    const double rate_per_s = serving->rate_per_s > 0 ? serving->rate_per_s : best->rate_per_s;
    const double replicas = ceil((loop ? serving->concurrency / fmax(1, floor(best->running))
                                       : rate_per_s / best->rate_per_s) -
                                 1e-9);
    io->replicas = replicas > MOST_REPLICAS ? MOST_REPLICAS : replicas < 1 ? 1 : (uint32_t)replicas;
    serve_point_t now = *best;
    if (loop) {
        serve_case_at(of, fmin(of->limit, serving->concurrency / io->replicas), &now);
    } else {
        serve_case_at_rate(of, best, rate_per_s / io->replicas, &now);
    }
    io->rate_per_s = loop ? now.rate_per_s : best->rate_per_s;
    io->ttft = now.ttft;
    io->tpot = now.tpot;
    io->itl = now.itl;
    io->e2e = now.e2e;
    const double all_per_s = loop ? now.rate_per_s * io->replicas : rate_per_s;
    io->verdict = ASSAY_SERVE_FLEET_FITS;
    serve_fleet_count(machine, serving, all_per_s, io);
    io->busy = fmin(1, io->load);
    io->device_w = serve_fleet_device_w(machine, of, io->busy, fmax(1, now.running));
}

/* What the last simulation of one replica shows, for as many as there are at rate_per_s in all. */
static void describe(const replica_t *replica, const assay_serving_t *serving, double rate_per_s,
                     assay_serve_fleet_t *io) {
    const assay_sim_result_t *result = replica->result;
    io->ttft = percentiles(&result->ttft);
    io->tpot = percentiles(&result->tpot);
    io->itl = percentiles(&result->itl);
    io->e2e = percentiles(&result->e2e);
    io->simulated = true;
    io->verdict = ASSAY_SERVE_FLEET_FITS;
    serve_fleet_count(replica->machine, serving, rate_per_s, io);
    io->busy = result->duration_s > 0 ? fmin(1, result->busy_s / result->duration_s) : 0;
    io->device_w =
        serve_fleet_device_w(replica->machine, &replica->of, io->busy,
                             fmax(1, rate_per_s / io->replicas * assay_sim_mean_s(&result->e2e)));
}

/* Requests at a rate, or one replica's usual load where the job names none. */
static assay_status_t judge_rate(const assay_serving_t *serving, replica_t *replica,
                                 assay_serve_fleet_t *io, assay_error_t *err) {
    assay_status_t status = find_rate(replica, io, err);
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
    status = simulate_at(replica, rate_per_s / io->replicas, err);
    if (status == ASSAY_OK) {
        describe(replica, serving, rate_per_s, io);
    }
    return status;
}

/* Does a fleet of so many replicas keep the limits, each with its share of the clients? */
static assay_status_t try_replicas(replica_t *replica, uint32_t replicas, bool *out_keeps,
                                   assay_error_t *err) {
    const double clients = ceil(replica->of.serving.concurrency / replicas);
    const bool room = clients <= replica->of.limit;
    const assay_status_t status = clients > ASSAY_SIM_MAX_SEQUENCES
                                      ? ASSAY_OK
                                      : simulate_clients(replica, (uint32_t)clients, err);
    *out_keeps = status == ASSAY_OK && room && keeps_limits(replica);
    return status;
}

/* So many requests at a time: the fewest replicas that hold and answer them within the limits. */
static assay_status_t judge_concurrency(const assay_serving_t *serving, replica_t *replica,
                                        assay_serve_fleet_t *io, assay_error_t *err) {
    const double wanted = serving->concurrency;
    const uint32_t most = wanted < MOST_REPLICAS ? (uint32_t)wanted : MOST_REPLICAS;
    uint32_t low = 0, high = 1; /* low does not keep them */
    bool keeps = false;
    assay_status_t status = try_replicas(replica, high, &keeps, err);
    while (status == ASSAY_OK && !keeps && high < most) {
        low = high;
        high = 2 * high < most ? 2 * high : most;
        status = try_replicas(replica, high, &keeps, err);
    }
    if (status != ASSAY_OK || !keeps) {
        io->verdict = ASSAY_SERVE_FLEET_LIMITS;
        return status;
    }
    while (status == ASSAY_OK && high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        status = try_replicas(replica, middle, &keeps, err);
        *(keeps ? &high : &low) = middle;
    }
    io->replicas = high;
    status = status ? status : try_replicas(replica, high, &keeps, err);
    if (status == ASSAY_OK) {
        const assay_sim_result_t *result = replica->result;
        io->rate_per_s = (double)result->requests / result->duration_s;
        describe(replica, serving, io->rate_per_s * io->replicas, io);
    }
    return status;
}

/* Replicas for prompts beside those of `replica`: both of the numbers that io has. */
static assay_status_t add_prefill(const assay_serving_t *serving, const assay_serve_fleet_t *io,
                                  replica_t *replica, assay_error_t *err) {
    replica_t *prompts = assay_arena_alloc(replica->arena, sizeof *prompts);
    const assay_status_t status = prompts ? make_replica(replica->arena, replica->machine, serving,
                                                         &io->prefill_way, prompts, err)
                                          : assay_error_memory(err, NULL);
    if (status == ASSAY_OK) {
        assay_sim_prefill_t *prefill = &replica->options.prefill;
        *prefill = (assay_sim_prefill_t){.replicas = io->prefill_replicas,
                                         .cost = &prompts->cost,
                                         .policy = prompts->options.policy,
                                         .kv_bytes_per_token = io->memory.kv_bytes_per_token_model,
                                         .overlap = 1 - 1.0 / serving->model.layers};
        serve_split_link(replica->machine, io, &prefill->link_bytes_per_s, &prefill->latency_s);
        replica->options.replicas = io->replicas;
        replica->options.router = ASSAY_ROUTER_LEAST_REQUESTS;
    }
    return status;
}

/* The closed form says how many there are; do they keep the limits? A pipeline is not asked: its
   groups are replicas of their own to the simulator. */
static assay_status_t judge_split(const assay_serving_t *serving, replica_t *replica,
                                  assay_serve_fleet_t *io, assay_error_t *err) {
    if (io->way.layout.pp > 1 || io->prefill_way.layout.pp > 1) {
        return ASSAY_OK;
    }
    assay_status_t status = add_prefill(serving, io, replica, err);
    replica->options.load.rate_per_s = serving->rate_per_s;
    status = status ? status
                    : assay_simulate(replica->arena, &replica->cost, &replica->options,
                                     replica->result, err);
    if (status == ASSAY_OK && keeps_limits(replica)) {
        replica->result->busy_s =
            (replica->result->busy_s - replica->result->prefill_busy_s) / io->replicas;
        describe(replica, serving, serving->rate_per_s, io);
    } else if (status == ASSAY_OK) {
        io->verdict = ASSAY_SERVE_FLEET_LIMITS;
    }
    return status;
}

assay_status_t serve_fleet_judge(assay_arena_t *arena, const assay_machine_t *machine,
                                 const assay_serving_t *serving, assay_serve_fleet_t *io,
                                 assay_error_t *err) {
    replica_t *replica = assay_arena_alloc(arena, sizeof *replica);
    const assay_status_t status =
        replica ? make_replica(arena, machine, serving, &io->way, replica, err)
                : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    if (io->prefill_replicas > 0) {
        return judge_split(serving, replica, io, err);
    }
    fill_case(&replica->of, io);
    return serving->rate_per_s <= 0 && serving->concurrency > 0
               ? judge_concurrency(serving, replica, io, err)
               : judge_rate(serving, replica, io, err);
}

assay_status_t assay_serve_fleet_simulate(assay_arena_t *arena, const assay_machine_t *machine,
                                          const assay_serving_t *serving,
                                          const assay_serve_fleet_t *fleet,
                                          const assay_serve_run_t *run, assay_sim_result_t *out,
                                          assay_error_t *err) {
    replica_t *replica = assay_arena_alloc(arena, sizeof *replica);
    assay_status_t status = replica
                                ? make_replica(arena, machine, serving, &fleet->way, replica, err)
                                : assay_error_memory(err, NULL);
    if (status) {
        return status;
    }
    assay_sim_options_t *options = &replica->options;
    assay_sim_load_t *load = &options->load;
    const uint32_t stages = fleet->way.layout.pp;
    load->requests = run->requests;
    load->rate_per_s = run->rate_per_s > 0       ? run->rate_per_s
                       : serving->rate_per_s > 0 ? serving->rate_per_s
                                                 : fleet->rate_per_s * fleet->replicas;
    if (serving->rate_per_s <= 0 && run->rate_per_s <= 0 && serving->concurrency > 0) {
        load->clients = (uint32_t)ceil(serving->concurrency / (fleet->replicas * stages));
        load->spread_s = load->clients / (fleet->rate_per_s / stages);
    }
    options->slo = (assay_sim_slo_t){
        .ttft_s = serving->ttft_p99_s, .tpot_s = serving->tpot_p99_s, .e2e_s = serving->e2e_p99_s};
    options->replicas *= fleet->replicas;
    if (fleet->prefill_replicas > 0) {
        status = add_prefill(serving, fleet, replica, err);
    }
    options->hooks = run->hooks;
    options->finished = run->finished;
    options->stepped = run->stepped;
    options->ctx = run->ctx;
    status = status ? status : serve_traffic(arena, serving, options, err);
    return status ? status : assay_simulate(arena, &replica->cost, options, out, err);
}
