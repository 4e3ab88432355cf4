/* What the speed of serving asks of a job: demand and limits, the type of the GEMMs, and whose
   measured constants speak for this engine on this machine. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/serve_engine.h"
#include "assay/weight_format.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

#define SCOPE_BYTES 160

/* Constants from first to before sigma, and sigma. A time is no better founded than the worst of
   what sets it: basis. */
typedef struct {
    assay_calib_id_t first, sigma;
    const assay_calib_id_t *basis;
    size_t n_basis;
} constants_t;

static void put_constants(const assay_calibration_t *calibration, const char *engine,
                          const assay_accelerator_t *accelerator, const constants_t *which,
                          double calib[ASSAY_CALIB_N][ASSAY_DT_N], uint8_t out_basis[ASSAY_DT_N]) {
    char part[SCOPE_BYTES], arch[SCOPE_BYTES], vendor[SCOPE_BYTES];
    snprintf(part, sizeof part, "%s/%s", engine, accelerator->id);
    snprintf(arch, sizeof arch, "%s/%s", engine, accelerator->arch);
    snprintf(vendor, sizeof vendor, "%s/%s", engine, accelerator->vendor);
    const char *const scope[] = {part, arch, vendor, engine, accelerator->vendor, "*", NULL};
    for (int type = 0; type < ASSAY_DT_N; type++) {
        for (int id = (int)which->first; id < (int)which->sigma; id++) {
            calib[id][type] =
                assay_calibration_get(calibration, (assay_calib_id_t)id, scope, (assay_dtype_t)type)
                    .v;
        }
        uint8_t basis = ASSAY_BASIS_MEASURED;
        for (size_t i = 0; i < which->n_basis; i++) {
            const assay_fact_t fact =
                assay_calibration_get(calibration, which->basis[i], scope, (assay_dtype_t)type);
            basis = fact.basis > basis ? fact.basis : basis;
        }
        const char *const far[] = {part, assay_basis_name((assay_basis_t)basis), "*", NULL};
        out_basis[type] = basis;
        calib[which->sigma][type] =
            assay_calibration_get(calibration, which->sigma, far, (assay_dtype_t)type).v;
    }
}

void assay_resolve_engine(const assay_calibration_t *calibration, const char *engine,
                          const assay_accelerator_t *accelerator, assay_device_t *device) {
    static const assay_calib_id_t basis[] = {ASSAY_CALIB_SERVE_GEMM, ASSAY_CALIB_SERVE_KV_STREAM,
                                             ASSAY_CALIB_SERVE_LAYER_S};
    static const constants_t serve = {ASSAY_CALIB_SERVE_GEMM, ASSAY_CALIB_SERVE_SIGMA, basis,
                                      sizeof basis / sizeof basis[0]};
    put_constants(calibration, engine, accelerator, &serve, device->calib, device->serve_basis);
}

void assay_resolve_image_engine(const assay_calibration_t *calibration, const char *engine,
                                const assay_accelerator_t *accelerator, assay_device_t *device) {
    static const assay_calib_id_t basis[] = {ASSAY_CALIB_IMAGE_GEMM, ASSAY_CALIB_IMAGE_OP_S};
    static const constants_t image = {ASSAY_CALIB_IMAGE_GEMM, ASSAY_CALIB_IMAGE_SIGMA, basis,
                                      sizeof basis / sizeof basis[0]};
    put_constants(calibration, engine, accelerator, &image, device->calib, device->image_basis);
}

/* The row of engines.csv for a name and version on a vendor's part; one of the vendor's own before
   one of all. */
static const assay_serve_engine_t *pick_engine(const assay_serve_engine_t *engine, uint32_t n,
                                               const char *name, const char *version,
                                               const char *vendor) {
    const assay_serve_engine_t *found = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const bool own = strcmp(engine[i].vendor, vendor) == 0;
        if (strcmp(engine[i].name, name) == 0 && (own || strcmp(engine[i].vendor, "*") == 0) &&
            resolve_in_versions(version, engine[i].from_version, engine[i].to_version) &&
            (!found || own)) {
            found = &engine[i];
        }
    }
    return found;
}

/* What the weights are multiplied in; a part that lacks the type computes in 16 bit. */
static assay_status_t find_gemm_dtype(resolve_context_t *context, const char *weights,
                                      const assay_machine_t *machine, assay_dtype_t *out) {
    const assay_weight_format_t *known;
    uint32_t n;
    const assay_status_t status =
        assay_weight_formats_load(context->arena, context->catalog, &known, &n, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    const assay_weight_format_t *format =
        weights ? assay_weight_format_find(known, n, weights) : NULL;
    *out = format && machine->device.peak_flops[format->needs] > 0 &&
                   machine->device.peak_flops[format->multiplied] > 0
               ? format->multiplied
               : ASSAY_DT_BF16;
    return ASSAY_OK;
}

static double given(const assay_number_t *number) {
    return number->origin == ASSAY_GIVEN ? number->v : 0;
}

/* Every pair of formats of weights and of keys and values that the job allows. */
static assay_status_t find_formats(resolve_context_t *context, const assay_job_serve_t *serve,
                                   const assay_machine_t *machine, assay_serving_t *io) {
    const assay_string_t *weights = serve->precision.item, *kv = serve->kv_precision.item;
    const uint32_t n_weights = serve->precision.n > 0 ? serve->precision.n : 1;
    const uint32_t n_kv = serve->kv_precision.n > 0 ? serve->kv_precision.n : 1;
    assay_serve_format_t *format =
        assay_arena_array(context->arena, (size_t)n_weights * n_kv, sizeof *format);
    if (!format) {
        return resolve_no_memory(context);
    }
    assay_status_t status = ASSAY_OK;
    for (uint32_t w = 0; w < n_weights && status == ASSAY_OK; w++) {
        assay_serve_format_t one = {.checkpoint = io->checkpoint,
                                    .kv_bytes_each = io->kv_bytes_each};
        if (w > 0) {
            status = resolve_checkpoint(context, &io->model, weights[w].s, &weights[w].at,
                                        &one.checkpoint);
        }
        status = status ? status
                        : find_gemm_dtype(context, one.checkpoint.dtype, machine, &one.gemm_dtype);
        one.weights = one.checkpoint.dtype ? one.checkpoint.dtype : "bf16";
        for (uint32_t k = 0; k < n_kv && status == ASSAY_OK; k++) {
            one.kv = serve->kv_precision.n > 0 ? kv[k].s : "auto";
            status = k > 0 ? resolve_kv_format(context, &kv[k], &one.kv_bytes_each) : ASSAY_OK;
            format[io->n_format++] = one;
        }
    }
    io->format = format;
    io->gemm_dtype = format[0].gemm_dtype;
    return status;
}

/* What requests share, what experts and launches cost, and drafts. */
static assay_status_t fill_extras(resolve_context_t *context, const assay_job_serve_t *serve,
                                  assay_serving_t *io) {
    assay_fact_t fact;
    assay_status_t status = ASSAY_OK;
    io->cached_tokens = floor(given(&serve->prefix_share) * io->input_tokens);
    io->cached_tokens = fmin(io->cached_tokens, io->input_tokens - 1);
    io->expert_imbalance = 1;
    if (io->model.experts > 1) {
        status = resolve_number(context, &serve->expert_imbalance, "serve.expert_imbalance",
                                ASSAY_DIM_NUMBER, &fact);
        io->expert_imbalance = fact.known ? fact.v : 1;
    }
    if (status == ASSAY_OK && serve->eager.v) {
        status = resolve_default(context, "serve.eager_kernel_s", &fact);
        io->issue_s = fact.known ? fact.v : 0;
        status = status
                     ? status
                     : resolve_assume(context, "serve.eager_kernel_s", ASSAY_DIM_TIME, &fact, NULL);
    }
    const assay_job_speculation_t *draft = &serve->speculation;
    if (draft->present) {
        io->draft =
            (assay_serve_draft_t){draft->tokens.v, draft->acceptance.v, draft->draft_share.v};
    }
    if (serve->disaggregate.origin == ASSAY_GIVEN) {
        io->split = serve->disaggregate.v != 0;
    }
    return status;
}

assay_status_t resolve_serving_speed(resolve_context_t *context, const assay_job_serve_t *serve,
                                     const assay_job_candidate_t *candidate,
                                     assay_machine_t *machine, assay_serving_t *io) {
    const assay_serve_engine_t *engine;
    uint32_t n_engine;
    const char *version, *name = resolve_split_version(context->arena, io->engine, &version);
    assay_status_t status = assay_serve_engines_load(context->arena, context->catalog, &engine,
                                                     &n_engine, context->err);
    if (status != ASSAY_OK || !name) {
        return status ? status : resolve_no_memory(context);
    }
    if (io->input_tokens <= 0 || io->output_tokens <= 0) {
        assay_error_set(context->err, ASSAY_INPUT, &serve->model->at,
                        "the job does not say how long requests and answers are");
        assay_error_next(context->err, "give workload.serve.input_tokens and output_tokens");
        return ASSAY_INPUT;
    }
    const assay_serve_engine_t *row =
        pick_engine(engine, n_engine, name, version, machine->accelerator->vendor);
    io->constants = row ? row->id : name;
    io->reserves_whole = row && row->reserves_whole;
    io->attention_on_one = row && row->attention_on_one;
    io->head_stream_above =
        row && strcmp(machine->accelerator->vendor, "AMD") == 0 ? row->head_stream_above : 0;
    if (row && row->head_stream_grouped && io->model.kv_heads < io->model.heads) {
        io->head_stream_above = ASSAY_HEAD_STREAM_ALWAYS;
    }
    io->rate_per_s = given(&serve->rate_per_s);
    io->concurrency = given(&serve->concurrency);
    const assay_request_trace_t *trace = io->traffic.trace;
    if (trace && trace->span_s > 0 && io->rate_per_s <= 0 && io->concurrency <= 0) {
        io->rate_per_s = (double)trace->n / trace->span_s;
    }
    io->ttft_p99_s = given(&serve->slo.ttft_p99_s);
    io->tpot_p99_s = given(&serve->slo.tpot_p99_s);
    io->itl_p99_s = given(&serve->slo.itl_p99_s);
    io->e2e_p99_s = given(&serve->slo.e2e_p99_s);
    io->open_nodes = candidate->nodes.origin != ASSAY_GIVEN;
    assay_resolve_engine(context->calibration, io->constants, machine->accelerator,
                         &machine->device);
    status = find_formats(context, serve, machine, io);
    return status ? status : fill_extras(context, serve, io);
}
