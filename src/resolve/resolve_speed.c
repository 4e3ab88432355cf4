/* What the speed of serving asks of a job: demand and limits, the type of the GEMMs, and whose
   measured constants speak for this engine on this machine. */
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

/* What a job can say of serving that the step model does not know. */
static assay_status_t check_known(resolve_context_t *context, const assay_job_serve_t *serve) {
    const struct {
        const assay_number_t *number;
        double plain;
        const char *what;
    } unknown[] = {{&serve->prefix_share, 0, "a prefix that requests share"},
                   {&serve->models_per_host, 1, "several models on one host"}};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const assay_number_t *number = unknown[i].number;
        if (number->origin == ASSAY_GIVEN && number->v > unknown[i].plain) {
            assay_error_set(context->err, ASSAY_UNAVAILABLE, &number->at,
                            "the speed of %s is not predicted by this version", unknown[i].what);
            assay_error_next(context->err, "leave it out, or ask \"assay memory\" what fits");
            return ASSAY_UNAVAILABLE;
        }
    }
    return ASSAY_OK;
}

assay_status_t resolve_serving_speed(resolve_context_t *context, const assay_job_serve_t *serve,
                                     const assay_job_candidate_t *candidate,
                                     assay_machine_t *machine, assay_serving_t *io) {
    const assay_serve_engine_t *engine;
    uint32_t n_engine;
    const char *version, *name = resolve_split_version(context->arena, io->engine, &version);
    assay_status_t status = assay_serve_engines_load(context->arena, context->catalog, &engine,
                                                     &n_engine, context->err);
    status = status ? status : check_known(context, serve);
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
    return find_gemm_dtype(context, io->checkpoint.dtype, machine, &io->gemm_dtype);
}
