/* The job as a whole. */
#include "job/job_schema.h"

#define MAX_CANDIDATES 64
#define MAX_CLAIM_SETS 16

/* Flags (no line) come after the file. */
static bool is_later(const assay_place_t *a, const assay_place_t *b) {
    if ((a->line == 0) != (b->line == 0)) {
        return a->line == 0;
    }
    return a->line != b->line ? a->line > b->line : a->column > b->column;
}

assay_status_t assay_job_refuse_both(const char *a_key, const assay_number_t *a, const char *b_key,
                                     const assay_number_t *b, assay_error_t *err) {
    if (a->origin != ASSAY_GIVEN || b->origin != ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    assay_error_set(err, ASSAY_INPUT, is_later(&a->at, &b->at) ? &a->at : &b->at,
                    "both '%s' and '%s' are given", a_key, b_key);
    assay_error_next(err, "keep one of the two");
    return ASSAY_INPUT;
}

/* Exactly one kind of work. */
static assay_status_t check_workload(const void *value, const assay_node_t *node,
                                     assay_error_t *err) {
    const assay_job_workload_t *work = value;
    const int n =
        work->train.present + work->finetune.present + work->serve.present + work->image.present;
    if (n == 1) {
        return ASSAY_OK;
    }
    assay_error_set(err, ASSAY_INPUT, &node->at,
                    n ? "'workload' has more than one kind of work"
                      : "'workload' has no kind of work; expected train, finetune, serve or image");
    assay_error_next(err, n ? "write a job for each" : "add workload.train.model, or give --model");
    return ASSAY_INPUT;
}

static const assay_field_t workload_field[] = {
    {STRUCT("train", assay_job_workload_t, train, assay_job_train_schema),
     .help = "train a model from scratch"},
    {STRUCT("finetune", assay_job_workload_t, finetune, assay_job_finetune_schema),
     .help = "train a model further, or adapters to it"},
    {STRUCT("serve", assay_job_workload_t, serve, assay_job_serve_schema),
     .help = "answer requests"},
    {STRUCT("image", assay_job_workload_t, image, assay_job_image_schema), .help = "make images"},
};
static const assay_schema_t workload_schema =
    SCHEMA("workload", assay_job_workload_t, workload_field,
           offsetof(assay_job_workload_t, present), check_workload);

static const assay_field_t job_field[] = {
    {NUMBER("assay", assay_job_t, version, NUMBER, 1, 1, 1), .default_text = "1",
     .help = "version of the job format"},
    {STRING("name", assay_job_t, name), .flag = "name", .help = "title of the answer"},
    {STRING("prices", assay_job_t, prices), .default_text = "catalog", .flag = "prices",
     .help = "catalog, or a claim set such as seed-a, whose prices are used where it has one"},
    {STRINGS("claims", assay_job_t, claims, MAX_CLAIM_SETS), .flag = "claims",
     .help = "claim sets that are held against the catalog, such as seed-a"},
    {STRUCT("workload", assay_job_t, workload, workload_schema), .required = true,
     .help = "the work, one kind"},
    {.key = "candidates",
     .kind = ASSAY_FIELD_LIST,
     .min = 1,
     .max = MAX_CANDIDATES,
     .offset = offsetof(assay_job_t, candidates),
     .flag = "on",
     .flag_alias = "candidates",
     .help = "machines that are compared; as a flag: comma list of systems",
     .sub = &assay_job_candidate_schema},
    {STRING("topology", assay_job_t, topology), .flag = "topology",
     .help = "how a node is wired, as assay topo --json says; as a flag a snapshot or folder too"},
    {STRUCT("money", assay_job_t, money, assay_job_money_schema), .help = "how money is counted"},
    {STRUCT("migration", assay_job_t, migration, assay_job_migration_schema),
     .help = "moving the code to another platform"},
    {STRUCT("team", assay_job_t, team, assay_job_team_schema),
     .help = "facts that the rules ask about"},
    {STRUCT("data", assay_job_t, data, assay_job_data_schema), .help = "the data behind the work"},
    {STRUCT("analysis", assay_job_t, analysis, assay_job_analysis_schema),
     .help = "how uncertainty is sampled"},
};
const assay_schema_t assay_job_schema = SCHEMA("job", assay_job_t, job_field, NO_PRESENT, NULL);
