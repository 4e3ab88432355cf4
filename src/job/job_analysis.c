/* Keys of how uncertainty is sampled. */
#include "job/job_schema.h"

#define MAX_MEASURED 64
#define MAX_CORRELATIONS 112 /* every pair of four groups of eight */

static const assay_field_t correlation_field[] = {
    {STRING("of", assay_job_correlation_t, of), .required = true,
     .help = "an uncertain input: electricity_usd_kwh, level1, price:CANDIDATE"},
    {STRING("with", assay_job_correlation_t, with), .required = true,
     .help = "another one that moves with it"},
    {NUMBER("rho", assay_job_correlation_t, rho, FRACTION, 1, -0.99, 0.99), .required = true,
     .help = "correlation of their normal scores"},
};
static const assay_schema_t correlation_schema =
    SCHEMA("correlations", assay_job_correlation_t, correlation_field, NO_PRESENT, NULL);

static const assay_field_t analysis_field[] = {
    {COUNT("samples", assay_job_analysis_t, samples, 1, 1e7), .default_text = "4096",
     .flag = "samples", .help = "draws of the uncertain inputs"},
    {COUNT("seed", assay_job_analysis_t, seed, 0, 9007199254740991.0), .default_text = "1",
     .flag = "seed", .help = "seed of the draws; the same seed gives the same answer"},
    {STRINGS("measured", assay_job_analysis_t, measured, MAX_MEASURED), .flag = "measured",
     .help = "what was measured: hip_fit=0.9, step_time:CANDIDATE=6.3s, "
             "tokens_per_s:CANDIDATE=2400 of a "
             "replica, or a file of such lines"},
    {STRINGS("map", assay_job_analysis_t, map, 3), .flag = "map",
     .help = "two or three variables of a map: run_days=5:60,hip_fit,compute_share"},
    {.key = "correlations",
     .kind = ASSAY_FIELD_LIST,
     .min = 1,
     .max = MAX_CORRELATIONS,
     .offset = offsetof(assay_job_analysis_t, correlations),
     .help = "uncertain inputs that move together",
     .sub = &correlation_schema},
};
const assay_schema_t assay_job_analysis_schema =
    SCHEMA("analysis", assay_job_analysis_t, analysis_field,
           offsetof(assay_job_analysis_t, present), NULL);
