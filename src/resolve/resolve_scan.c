/* The effort block of a scan result, as `assay scan --json` writes it (levels with p10, p50, p90
   person-days, the debt of a year, fit and CUDA-only share). */
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

static assay_status_t read_levels(resolve_context_t *context, const char *path,
                                  const json_t *effort, resolve_scan_t *out) {
    static const char *const level[] = {"level1", "level2", "level3"};
    for (int i = 0; i < 3; i++) {
        const json_t *days = json_object_get(effort, level[i]);
        assay_fact_t fact = assay_fact_exact(0.0, path);
        if (!number_in(days, "p10_days", 0.0, 1e7, &fact.p10) ||
            !number_in(days, "p50_days", fact.p10, 1e7, &fact.v) ||
            !number_in(days, "p90_days", fact.v, 1e7, &fact.p90)) {
            return scan_error(context, path, level[i], "0 <= p10_days <= p50_days <= p90_days");
        }
        fact.basis = ASSAY_BASIS_EXTRAPOLATED; /* a model of assumptions, read on these sources */
        out->level_days[i] = fact;
    }
    return ASSAY_OK;
}

static assay_status_t read_effort(resolve_context_t *context, const char *path, const json_t *root,
                                  resolve_scan_t *out) {
    const json_t *effort = json_object_get(root, "effort");
    double debt = 0.0;
    const struct {
        const char *key, *expected;
        double max, *value;
        bool *known;
    } optional[] = {
        {"hip_fit", "a fraction", 1.0, &out->hip_fit.v, &out->hip_fit.known},
        {"cuda_only_share", "a fraction", 1.0, &out->cuda_only_share.v,
         &out->cuda_only_share.known},
        {"debt_days_per_year", "person-days", 1e7, &debt, &out->debt_days_per_year.known},
    };
    const assay_status_t status = read_levels(context, path, effort, out);
    if (status != ASSAY_OK) {
        return status;
    }
    out->debt_days_per_year = assay_fact_exact(0.0, path);
    out->debt_days_per_year.known = false;
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        if (!json_object_get(effort, optional[i].key)) {
            continue;
        }
        *optional[i].known =
            number_in(effort, optional[i].key, 0.0, optional[i].max, optional[i].value);
        if (!*optional[i].known) {
            return scan_error(context, path, optional[i].key, optional[i].expected);
        }
    }
    out->debt_days_per_year.v = out->debt_days_per_year.p10 = out->debt_days_per_year.p90 = debt;
    return ASSAY_OK;
}

assay_status_t resolve_scan(resolve_context_t *context, const char *path, resolve_scan_t *out) {
    char *data;
    size_t size;
    *out = (resolve_scan_t){0};
    assay_status_t status =
        assay_file_read(context->arena, path, SCAN_MAX_BYTES, &data, &size, context->err);
    if (status == ASSAY_LIMIT) {
        assay_error_next(context->err, "write it with assay scan --json --summary");
    }
    if (status != ASSAY_OK) {
        return status;
    }
    json_error_t error;
    json_t *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        const assay_place_t at = {path, (uint32_t)error.line, (uint32_t)error.column};
        return assay_error_set(context->err, ASSAY_INPUT, &at, "expected JSON: %s", error.text);
    }
    status = read_effort(context, path, root, out);
    json_decref(root);
    return status;
}
