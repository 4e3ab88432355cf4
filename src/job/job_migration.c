/* Keys of a move to another platform, and of the team and data that it meets. */
#include "job/job_schema.h"

#define MAX_NEEDS 64

/* The three levels lie side by side in the migration; `levels` reads them in place. */
#define LEVEL(name, member)                                                                   \
    .key = (name), .kind = ASSAY_FIELD_NUMBER, .dim = ASSAY_DIM_LABOUR, .min = 0, .max = 1e6, \
    .uncertain = true,                                                                        \
    .offset =                                                                                 \
        offsetof(assay_job_migration_t, member) - offsetof(assay_job_migration_t, level1_days)
static const assay_field_t level_field[] = {
    {LEVEL("1", level1_days), .flag = "level1", .help = "replace interfaces"},
    {LEVEL("2", level2_days), .flag = "level2", .help = "optimise kernels"},
    {LEVEL("3", level3_days), .flag = "level3", .help = "libraries, profilers, communication"},
};
static const assay_schema_t level_schema = {
    .name = "levels",
    .field = level_field,
    .n_field = COUNT_OF(level_field),
    .size = offsetof(assay_job_migration_t, level3_days) + sizeof(assay_number_t) -
            offsetof(assay_job_migration_t, level1_days),
    .present = NO_PRESENT,
};

static const char *const platform_names[] = {"cuda", "hip", NULL};
static const assay_field_t migration_field[] = {
    {STRING("from", assay_job_migration_t, from), .choices = platform_names,
     .help = "what the code is written for; without it cuda"},
    {STRING("to", assay_job_migration_t, to), .choices = platform_names,
     .help = "what it moves to where a candidate needs that"},
    {STRUCT("levels", assay_job_migration_t, level1_days, level_schema),
     .help = "work of the move by level"},
    {NUMBER("labour_usd_per_week", assay_job_migration_t, labour_usd_per_week, MONEY_PER_WEEK, 1, 0,
            1e6),
     .uncertain = true, .flag = "labour-usd-per-week",
     .help = "cost of one engineer in USD a week"},
    {NUMBER("training_h_per_engineer", assay_job_migration_t, training_h_per_engineer, NUMBER, 1, 0,
            1e4),
     .flag = "training-h", .help = "hours of training for each engineer"},
    {COUNT("engineers", assay_job_migration_t, engineers, 0, 1e5), .flag = "engineers",
     .help = "engineers who are trained"},
    {NUMBER("debt_days_per_year", assay_job_migration_t, debt_days_per_year, LABOUR, 1, 0, 1e5),
     .flag = "debt-days", .help = "person-days a year that staying behind the ecosystem costs"},
    {FRACTION("hip_fit", assay_job_migration_t, hip_fit), .flag = "hip-fit",
     .help = "share of the device-facing code that is ready for ROCm"},
    {FRACTION("cuda_only_share", assay_job_migration_t, cuda_only_share), .flag = "cuda-only-share",
     .help = "share of the features without any ROCm form"},
    {BOOL("machines_wait", assay_job_migration_t, machines_wait),
     .help = "owned machines stand idle until the move is done; their cost counts"},
    {STRING("scan", assay_job_migration_t, scan), .flag = "scan",
     .help = "result of a scan (JSON) that gives levels, fit and share"},
};
const assay_schema_t assay_job_migration_schema =
    SCHEMA("migration", assay_job_migration_t, migration_field,
           offsetof(assay_job_migration_t, present), NULL);

static const assay_field_t team_field[] = {
    {COUNT("rocm_debuggers", assay_job_team_t, rocm_debuggers, 0, 1e6), .flag = "rocm-debuggers",
     .help = "people who know ROCm debugging"},
    {MONEY("hardware_budget_usd", assay_job_team_t, hardware_budget_usd), .flag = "hardware-budget",
     .help = "what may be spent on machines in USD"},
    {BOOL("hip_ci", assay_job_team_t, hip_ci), .flag = "hip-ci", .help = "CI checks the HIP build"},
    {BOOL("notebook_prototyping", assay_job_team_t, notebook_prototyping),
     .flag = "notebook-prototyping", .help = "the work is research in notebooks"},
    {STRINGS("needs", assay_job_team_t, needs, MAX_NEEDS), .flag = "needs",
     .help = "what the work cannot do without, such as tensorrt"},
};
const assay_schema_t assay_job_team_schema =
    SCHEMA("team", assay_job_team_t, team_field, offsetof(assay_job_team_t, present), NULL);

static const assay_field_t data_field[] = {
    {NUMBER("raw_bytes", assay_job_data_t, raw_bytes, BYTES, 1, 0, 1e21), .flag = "raw-bytes",
     .help = "raw data that the training set is made from"},
};
const assay_schema_t assay_job_data_schema =
    SCHEMA("data", assay_job_data_t, data_field, offsetof(assay_job_data_t, present), NULL);
