/* Keys of how uncertainty is sampled. */
#include "job/job_schema.h"

static const assay_field_t analysis_field[] = {
    {COUNT("samples", assay_job_analysis_t, samples, 1, 1e7), .default_text = "4096",
     .flag = "samples", .help = "draws of the uncertain inputs"},
    {COUNT("seed", assay_job_analysis_t, seed, 0, 9007199254740991.0), .default_text = "1",
     .flag = "seed", .help = "seed of the draws; the same seed gives the same answer"},
};
const assay_schema_t assay_job_analysis_schema =
    SCHEMA("analysis", assay_job_analysis_t, analysis_field,
           offsetof(assay_job_analysis_t, present), NULL);
