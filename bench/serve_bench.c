#include "serve_bench.h"

#include "assay/job.h"
#include "assay/resolve.h"
#include "assay/serve_engine.h"
#include "assay/simulate.h"

#define SEQUENCES 1024u
#define SIGMA 0.5 /* of ln(length) */
/* exp(SIGMA^2 / 2): mean over median */
#define MEAN_OVER_MEDIAN 1.1331484530668263

struct serve_bench {
    assay_serve_step_t step;
    assay_sim_cost_t cost;
    assay_sim_options_t options;
    assay_resolved_t *resolved; /* the search's job */
};

/* All that the job leaves open: layouts, budgets, sequences, two formats, prompts apart. */
static const char search_job[] = "assay: 1\n"
                                 "workload:\n"
                                 "  serve:\n"
                                 "    model: llama-3.1-8b\n"
                                 "    input_tokens: 512\n"
                                 "    output_tokens: 128\n"
                                 "    rate: 500\n"
                                 "    slo: {ttft_p99: 1 s, tpot_p99: 50 ms}\n"
                                 "    precision: [bf16, fp8]\n"
                                 "    engine: vllm-0.10\n"
                                 "candidates: [{system: hgx-h100-8, usd_per_h: 20 USD/h}]\n";

static assay_status_t resolve_search(assay_arena_t *arena, const assay_catalog_t *catalog,
                                     const assay_calibration_t *calibration, assay_resolved_t **out,
                                     assay_error_t *err) {
    assay_job_t *job;
    const assay_status_t status =
        assay_job_read(arena, "search", search_job, sizeof search_job - 1, NULL, 0, &job, err);
    return status ? status : assay_resolve(arena, job, catalog, calibration, out, err);
}

uint64_t serve_bench_search(const serve_bench_t *bench, assay_serve_fleets_t *out) {
    const assay_layout_pin_t pin = {0};
    assay_serve_fleet_estimate(&bench->resolved->machine[0], &bench->resolved->serving[0], &pin,
                               out);
    return out->n_ways;
}

assay_status_t serve_bench_create(assay_arena_t *arena, serve_bench_t **out_bench,
                                  assay_error_t *err) {
    serve_bench_t *bench = assay_arena_alloc(arena, sizeof *bench);
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
    const assay_accelerator_t *part;
    const assay_model_t *model;
    assay_machine_t machine;
    assay_serve_constants_t constants;
    if (!bench) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = assay_catalog_load(arena, NULL, 0, &catalog, err);
    status = status ? status : assay_calibration_load(arena, NULL, 0, &calibration, err);
    status = status ? status
                    : assay_catalog_accelerator(catalog, "nvidia-h100-sxm5-80g", NULL, &part, err);
    status = status ? status : assay_catalog_model(catalog, "llama-3.1-8b", NULL, &model, err);
    status = status ? status
                    : assay_resolve_machine(NULL, catalog, calibration, part, NULL, NULL, 0, 0, 1,
                                            ASSAY_DT_BF16, &machine, err);
    if (status) {
        return status;
    }
    const assay_serve_setup_t setup = {.model = *model,
                                       .dtype = ASSAY_DT_BF16,
                                       .weight_bytes = 2,
                                       .kv_bytes = 2,
                                       .tp = 1,
                                       .pp = 1,
                                       .ep = 1};
    assay_resolve_engine(calibration, "vllm", part, &machine.device);
    assay_serve_constants(&machine.device, ASSAY_DT_BF16, &constants);
    assay_serve_prepare(&machine, &setup, &constants, &bench->step);
    const double kv_bytes = 0.9 * machine.device.hbm_bytes - bench->step.weight_bytes - 4e9;
    const assay_serve_load_t load = {.input_tokens = 512,
                                     .output_tokens = 128,
                                     .token_budget = 8192,
                                     .kv_tokens = kv_bytes / bench->step.kv_bytes_per_token};
    const double saturation_per_s = assay_serve_closed_loop_per_s(&bench->step, &load, SEQUENCES);
    bench->options = (assay_sim_options_t){
        .policy = {SEQUENCES, 8192, 16, (uint64_t)(load.kv_tokens / 16)},
        .load = {.seed = 1,
                 .arrival = ASSAY_ARRIVAL_POISSON,
                 .rate_per_s = 0.7 * saturation_per_s,
                 .input = assay_dist_lognormal(512 / MEAN_OVER_MEDIAN, SIGMA),
                 .output = assay_dist_lognormal(128 / MEAN_OVER_MEDIAN, SIGMA),
                 .max_tokens = 8192},
        .replicas = 1};
    *out_bench = bench;
    status = resolve_search(arena, catalog, calibration, &bench->resolved, err);
    return status ? status : assay_sim_cost_init(arena, &bench->step, SEQUENCES, &bench->cost, err);
}

double serve_bench_steps(const serve_bench_t *bench, uint64_t n) {
    double sum_s = 0;
    for (uint64_t i = 0; i < n; i++) {
        const assay_serve_batch_t batch = {.prefill_tokens = (double)(i % 512),
                                           .prefill_pairs = (double)(i % 512) * 256,
                                           .sampled = 1,
                                           .decode = (double)(i % 256),
                                           .decode_context = (double)(i % 256) * 600};
        sum_s += assay_serve_step_s(&bench->step, &batch, NULL);
    }
    return sum_s;
}

uint64_t serve_bench_requests(const serve_bench_t *bench, assay_arena_t *arena, uint64_t n) {
    assay_sim_options_t options = bench->options;
    assay_arena_reset(arena);
    assay_sim_result_t *result = assay_arena_alloc(arena, sizeof *result);
    options.load.requests = n;
    return result && assay_simulate(arena, &bench->cost, &options, result, NULL) == ASSAY_OK
               ? result->requests
               : 0;
}
