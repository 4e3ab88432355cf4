/* The effort block of a scan result, as `assay scan --json` will write it (levels with p10, p50,
   p90 person-days, fit and CUDA-only share). */
#include <jansson.h>
#include <math.h>

#include "resolve/resolve_context.h"

#define SCAN_MAX_BYTES (64u << 20)

static assay_status_t scan_error(resolve_context_t *context, const char *path, const char *key,
                                 const char *expected) {
    const assay_place_t at = {path, 0, 0};
    assay_error_set(context->err, ASSAY_INPUT, &at, "expected %s in effort.%s", expected, key);
    assay_error_next(context->err, "give a scan result as JSON");
    return ASSAY_INPUT;
}

static bool number_in(const json_t *object, const char *key, double min, double max, double *out) {
    const json_t *value = json_object_get(object, key);
    *out = json_is_number(value) ? json_number_value(value) : -1.0;
    return isfinite(*out) && *out >= min && *out <= max;
}

static assay_status_t read_effort(resolve_context_t *context, const char *path, const json_t *root,
                                  assay_fact_t out_level_days[3], assay_answer_t *out_fit,
                                  assay_answer_t *out_cuda_only) {
    static const char *const level[] = {"level1", "level2", "level3"};
    const json_t *effort = json_object_get(root, "effort");
    for (int i = 0; i < 3; i++) {
        const json_t *days = json_object_get(effort, level[i]);
        assay_fact_t fact = assay_fact_exact(0.0, path);
        if (!number_in(days, "p10_days", 0.0, 1e7, &fact.p10) ||
            !number_in(days, "p50_days", fact.p10, 1e7, &fact.v) ||
            !number_in(days, "p90_days", fact.v, 1e7, &fact.p90)) {
            return scan_error(context, path, level[i], "0 <= p10_days <= p50_days <= p90_days");
        }
        fact.basis = ASSAY_BASIS_CALIBRATED;
        out_level_days[i] = fact;
    }
    if (json_object_get(effort, "hip_fit")) {
        out_fit->known = number_in(effort, "hip_fit", 0.0, 1.0, &out_fit->v);
        if (!out_fit->known) {
            return scan_error(context, path, "hip_fit", "a fraction");
        }
    }
    if (json_object_get(effort, "cuda_only_share")) {
        out_cuda_only->known = number_in(effort, "cuda_only_share", 0.0, 1.0, &out_cuda_only->v);
        if (!out_cuda_only->known) {
            return scan_error(context, path, "cuda_only_share", "a fraction");
        }
    }
    return ASSAY_OK;
}

assay_status_t resolve_scan(resolve_context_t *context, const assay_string_t *path,
                            assay_fact_t out_level_days[3], assay_answer_t *out_fit,
                            assay_answer_t *out_cuda_only) {
    char *data;
    size_t size;
    assay_status_t status =
        assay_file_read(context->arena, path->s, SCAN_MAX_BYTES, &data, &size, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    json_error_t error;
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        const assay_place_t at = {path->s, (uint32_t)error.line, (uint32_t)error.column};
        return assay_error_set(context->err, ASSAY_INPUT, &at, "expected JSON: %s", error.text);
    }
    status = read_effort(context, path->s, root, out_level_days, out_fit, out_cuda_only);
    json_decref(root);
    return status;
}
