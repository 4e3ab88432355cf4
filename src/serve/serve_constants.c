/* Which rows of the calibration speak for an engine on a device. */
#include <stddef.h>
#include <stdio.h>

#include "assay/dist.h"
#include "assay/serve_step.h"

#define SCOPE_BYTES 160

void assay_serve_constants(const assay_calibration_t *calibration, const char *engine,
                           const assay_accelerator_t *accelerator, assay_dtype_t dtype,
                           assay_serve_constants_t *out) {
    static const struct {
        assay_calib_id_t id;
        size_t offset;
        bool sets_basis;
    } row[] = {
#define ROW(id, field, sets_basis) \
    {ASSAY_CALIB_SERVE_##id, offsetof(assay_serve_constants_t, field), sets_basis}
        ROW(GEMM, gemm, true),
        ROW(EXPERT, expert, false),
        ROW(WEIGHT_STREAM, weight_stream, false),
        ROW(KV_STREAM, kv_stream, true),
        ROW(HEAD_STREAM, head_stream, false),
        ROW(LAYER_S, layer_s, true),
        ROW(SEQUENCE_S, sequence_s, false),
        ROW(REDUCE_S, reduce_s, false),
#undef ROW
    };
    char part[SCOPE_BYTES], arch[SCOPE_BYTES], vendor[SCOPE_BYTES];
    snprintf(part, sizeof part, "%s/%s", engine, accelerator->id);
    snprintf(arch, sizeof arch, "%s/%s", engine, accelerator->arch);
    snprintf(vendor, sizeof vendor, "%s/%s", engine, accelerator->vendor);
    const char *const scope[] = {part, arch, vendor, engine, accelerator->vendor, "*", NULL};
    out->basis = ASSAY_BASIS_MEASURED;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_fact_t fact = assay_calibration_get(calibration, row[i].id, scope, dtype);
        *(double *)((char *)out + row[i].offset) = fact.v;
        if (row[i].sets_basis && fact.basis > out->basis) {
            out->basis = fact.basis;
        }
    }
    const char *const basis_scope[] = {part, assay_basis_name((assay_basis_t)out->basis), "*",
                                       NULL};
    const double sigma =
        assay_calibration_get(calibration, ASSAY_CALIB_SERVE_SIGMA, basis_scope, dtype).v;
    const assay_dist_t error = assay_dist_lognormal(1, sigma);
    out->rel_p10 = assay_dist_quantile(&error, .1);
    out->rel_p90 = assay_dist_quantile(&error, .9);
}
