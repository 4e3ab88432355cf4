/* One way to serve, in closed form. */
#include "plan/serve_case.h"

#include <math.h>

#include "assay/physics.h"

#define HALVINGS 18
#define P99_SIGMAS 2.326347874040841 /* of a normal variable: 1 % lies beyond */

static double weight_bytes_each(const assay_serving_t *serving, bool wide_attention) {
    double bytes = 0, params = 0;
    for (int part = 0; part < ASSAY_PART_N; part++) {
        if (part != ASSAY_PART_EMBEDDING && part != ASSAY_PART_HEAD && part != ASSAY_PART_VISION &&
            !(wide_attention && part == ASSAY_PART_ATTENTION)) {
            bytes += serving->checkpoint.part_bytes[part];
            params += serving->checkpoint.part_params[part];
        }
    }
    return params > 0 && bytes > 0 ? bytes / params : 2;
}

static assay_serve_setup_t setup_of(const assay_serving_t *serving, const assay_serve_way_t *way) {
    const assay_checkpoint_t *weights = &serving->checkpoint;
    const bool wide_attention =
        serving->gemm_dtype != ASSAY_DT_BF16 &&
        weights->part_bytes[ASSAY_PART_ATTENTION] >= 2 * weights->part_params[ASSAY_PART_ATTENTION];
    return (assay_serve_setup_t){.model = serving->model,
                                 .dtype = serving->gemm_dtype,
                                 .weight_bytes = weight_bytes_each(serving, wide_attention),
                                 .wide_attention = wide_attention,
                                 .attention_on_one = serving->attention_on_one,
                                 .kv_bytes = serving->kv_bytes_each,
                                 .tp = way->layout.tp,
                                 .pp = way->layout.pp,
                                 .ep = way->layout.ep > 1 ? way->layout.ep : 1,
                                 .attention_dp = way->attention_dp,
                                 .imbalance = serving->expert_imbalance,
                                 .issue_s = serving->issue_s,
                                 .head_stream_above = serving->head_stream_above};
}

/* What devices do takes so many times as long: several engines take turns on them, and when all are
   busy each has its share of the time. Hosts have a process for each. */
static void take_turns(assay_serve_step_t *step, double engines) {
    step->weight_bytes_per_s /= engines;
    step->flops_per_s /= engines;
    step->head_flops_per_s /= engines;
    step->stream_s_per_token *= engines;
    step->state_s *= engines;
    step->attention_s_per_pair *= engines;
    step->reduce_s *= engines;
    step->comm_s_per_token *= engines;
    step->hop_s *= engines;
    for (uint32_t i = 0; i < step->n_kv; i++) {
        step->kv[i].read_s *= engines;
        step->kv[i].head_read_s *= engines;
        step->kv[i].compute_s *= engines;
        step->kv[i].pair_s *= engines;
    }
}

/* Whole steps do. */
static void take_longer(assay_serve_step_t *step, double factor) {
    take_turns(step, factor);
    step->issue_s *= factor;
    step->layer_s *= factor;
    step->sequence_s *= factor;
}

uint8_t serve_case_prepare(const assay_machine_t *machine, const assay_serving_t *serving,
                           const assay_serve_way_t *way, serve_case_t *out) {
    *out = (serve_case_t){.serving = *serving, .replica = *machine};
    if (way->format < serving->n_format) {
        const assay_serve_format_t *format = &serving->format[way->format];
        out->serving.checkpoint = format->checkpoint;
        out->serving.gemm_dtype = format->gemm_dtype;
        out->serving.kv_bytes_each = format->kv_bytes_each;
    }
    out->serving.models_per_host = way->shared ? serving->models_per_host : 1;
    const uint32_t devices = (uint32_t)way->layout.tp * way->layout.pp;
    out->replica.devices = devices;
    out->replica.nodes = (devices + machine->devices_per_node - 1) / machine->devices_per_node;
    if (!assay_serve_layout_fits(&out->serving, &way->layout) && !way->attention_dp) {
        return ASSAY_SERVE_FLEET_LAYOUT;
    }
    const assay_serve_setup_t setup = setup_of(&out->serving, way);
    assay_serve_constants(&machine->device, out->serving.gemm_dtype, &out->constants);
    assay_serve_prepare(&out->replica, &setup, &out->constants, &out->step);
    if (way->shared) {
        take_turns(&out->step, serving->models_per_host);
    }
    if (serving->slower > 0) {
        take_longer(&out->step, serving->slower);
        out->constants.rel_p10 = out->constants.rel_p90 = 1;
    }
    return ASSAY_SERVE_FLEET_FITS;
}

uint8_t serve_case_bound(const assay_machine_t *machine, const assay_serve_way_t *way,
                         serve_case_t *io) {
    assay_serving_t *serving = &io->serving;
    assay_layout_t layout = way->layout;
    double ranks = 1;
    serving->max_num_seqs = way->max_sequences;
    serving->max_batch_tokens = way->token_budget;
    if (way->attention_dp) { /* every rank is a whole model but for its share of the experts */
        ranks = layout.tp;
        layout.dp = layout.tp;
        layout.ep = layout.tp;
        layout.tp = 1;
    }
    assay_serve_memory(machine, serving, &layout, &io->memory);
    const double longest = serving->input_tokens + serving->output_tokens;
    if (!io->memory.fits || io->memory.tokens < longest + serving->block_tokens) {
        return ASSAY_SERVE_FLEET_MEMORY;
    }
    io->memory.tokens *= ranks;
    io->load = (assay_serve_load_t){
        .input_tokens = serving->input_tokens,
        .output_tokens = serving->output_tokens,
        .cached_tokens = serving->cached_tokens,
        .token_budget = fmax(way->token_budget, way->max_sequences) * ranks,
        .kv_tokens = io->memory.tokens,
        .reserves_whole = serving->reserves_whole,
        .draft = serving->draft,
    };
    io->limit = assay_serve_concurrency(&io->load, way->max_sequences * ranks);
    return ASSAY_SERVE_FLEET_FITS;
}

double serve_case_saturation_per_s(const serve_case_t *of) {
    return assay_serve_closed_loop_per_s(&of->step, &of->load, of->limit);
}

/* M/D/1 by its exponential tail: P(wait > t) = busy exp(-2 (1 - busy) t / (busy s)), which has the
   mean wait of Pollaczek and Khinchine, busy s / (2 (1 - busy)). */
double serve_wait_s(double busy, double service_s, double share) {
    if (busy >= 1) {
        return (double)INFINITY;
    }
    const double beyond = 1 - share;
    return busy <= beyond ? 0 : log(busy / beyond) * busy * service_s / (2 * (1 - busy));
}

/* A step that holds a chunk of a prompt besides all that decode. */
static double mixed_step_s(const serve_case_t *of, double running, double chunk, double sampled) {
    const assay_serve_load_t *load = &of->load;
    const double each = fmax(1, running / of->step.pipeline);
    const double fresh = load->input_tokens - load->cached_tokens;
    const assay_serve_batch_t batch = {.prefill_tokens = chunk,
                                       .prefill_pairs = chunk * (load->cached_tokens + 0.5 * fresh),
                                       .sampled = sampled,
                                       .decode = each,
                                       .decode_context =
                                           each * (load->input_tokens + 0.5 * load->output_tokens)};
    return assay_serve_step_s(&of->step, &batch, NULL);
}

/* Mean time of a later token when so many are under way: its step, and the prompts in between. */
static double token_s(const serve_case_t *of, double running) {
    const double later = fmax(1, of->load.output_tokens - 1);
    return assay_serve_decode_s(&of->step, &of->load, running) +
           assay_serve_prefill_s(&of->step, &of->load, running) / of->step.pipeline / later;
}

void serve_case_at(const serve_case_t *of, double running, serve_point_t *out) {
    const assay_serve_load_t *load = &of->load;
    const double later = fmax(0, load->output_tokens - 1);
    /* the number under way varies as a Poisson variable does */
    const double crowd = fmin(of->limit, running + P99_SIGMAS * sqrt(running));
    const double typical_s = token_s(of, running), crowded_s = token_s(of, crowd);
    *out = (serve_point_t){
        .running = running,
        .rate_per_s = fmin(1, running) * assay_serve_closed_loop_per_s(&of->step, load, running),
        .tpot = {typical_s, 0.5 * (typical_s + crowded_s), crowded_s},
    };
    const double decode_s = assay_serve_decode_s(&of->step, load, running);
    const double fresh = fmax(1, load->input_tokens - load->cached_tokens);
    const double chunk = fmax(1, fmin(fresh, load->token_budget - running));
    const double chunks = ceil(fresh / chunk - 1e-9);
    const double chunk_s = mixed_step_s(of, running, fresh / chunks, 1 / chunks);
    const double prompt_s = chunks * chunk_s;
    /* prompts share a step where the budget has room for several */
    const double together = fmax(1, floor((load->token_budget - running) / fresh));
    const double full_s =
        mixed_step_s(of, running, fmin(load->token_budget, together * fresh), together);
    const double service_s = chunks > 1 ? prompt_s : full_s / together;
    const double busy = out->rate_per_s * service_s / of->step.pipeline;
    const double rest_s = 0.5 * (decode_s + busy * chunk_s);
    out->ttft = (assay_percentiles_t){prompt_s + rest_s + serve_wait_s(busy, prompt_s, .5),
                                      prompt_s + decode_s + serve_wait_s(busy, prompt_s, .9),
                                      prompt_s + decode_s + serve_wait_s(busy, prompt_s, .99)};
    /* of the steps that a sequence is in, those with a chunk */
    const double mixed = fmin(1, out->rate_per_s / of->step.pipeline * chunks * typical_s);
    const double plain_s = assay_serve_decode_s(&of->step, load, crowd);
    out->itl = (assay_percentiles_t){
        mixed > .5 ? chunk_s : decode_s, mixed > .1 ? chunk_s : decode_s,
        mixed > .01 ? mixed_step_s(of, crowd, fresh / chunks, 1 / chunks) : plain_s};
    out->e2e = (assay_percentiles_t){out->ttft.p50_s + later * out->tpot.p50_s,
                                     out->ttft.p90_s + later * out->tpot.p90_s,
                                     out->ttft.p99_s + later * out->tpot.p99_s};
}

static bool within(double seconds, double limit_s) {
    return limit_s <= 0 || seconds <= limit_s;
}

bool serve_keeps(const assay_serving_t *serving, const serve_point_t *point) {
    return within(point->ttft.p99_s, serving->ttft_p99_s) &&
           within(point->tpot.p99_s, serving->tpot_p99_s) &&
           within(point->itl.p99_s, serving->itl_p99_s) &&
           within(point->e2e.p99_s, serving->e2e_p99_s);
}

static bool serves_at(const serve_case_t *of, double most_per_s, double running,
                      serve_point_t *out) {
    serve_case_at(of, running, out);
    return out->rate_per_s <= most_per_s && serve_keeps(&of->serving, out);
}

bool serve_case_best(const serve_case_t *of, serve_point_t *out) {
    const double most_per_s = SERVE_USUAL_LOAD * serve_case_saturation_per_s(of);
    double low = 0, high = of->limit;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        serve_point_t point;
        *(serves_at(of, most_per_s, middle, &point) ? &low : &high) = middle;
    }
    return low > 0 && serves_at(of, most_per_s, low, out);
}

void serve_case_at_rate(const serve_case_t *of, const serve_point_t *most, double rate_per_s,
                        serve_point_t *out) {
    double low = 0, high = most->running;
    *out = *most;
    for (int i = 0; i < HALVINGS && rate_per_s < most->rate_per_s; i++) {
        const double middle = 0.5 * (low + high);
        serve_case_at(of, middle, out);
        *(out->rate_per_s < rate_per_s ? &low : &high) = middle;
    }
}
