/* Keys of how uncertainty is sampled. */
#include "job/job_schema.h"

#define MAX_MEASURED 64

static const assay_field_t analysis_field[] = {
    {COUNT("samples", assay_job_analysis_t, samples, 1, 1e7), .default_text = "4096",
     .flag = "samples", .help = "draws of the uncertain inputs"},
    {COUNT("seed", assay_job_analysis_t, seed, 0, 9007199254740991.0), .default_text = "1",
     .flag = "seed", .help = "seed of the draws; the same seed gives the same answer"},
    {STRINGS("measured", assay_job_analysis_t, measured, MAX_MEASURED), .flag = "measured",
     .help = "what was measured: hip_fit=0.9, step_time:CANDIDATE=6.3s, or a file of such lines"},
    {STRINGS("map", assay_job_analysis_t, map, 3), .flag = "map",
     .help = "two or three variables of a map: run_days=5:60,hip_fit,compute_share"},
};
const assay_schema_t assay_job_analysis_schema =
    SCHEMA("analysis", assay_job_analysis_t, analysis_field,
           offsetof(assay_job_analysis_t, present), NULL);
