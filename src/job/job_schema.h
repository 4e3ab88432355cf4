/** Inside job: how the rows of its schema tables are written, and the tables of its parts. */
#ifndef ASSAY_JOB_JOB_SCHEMA_H
#define ASSAY_JOB_JOB_SCHEMA_H

#include <stddef.h>

#include "assay/job.h"

/* Every key of a job. Ranges only refuse slips (a wrong unit, a zero too many) and keep what
   follows inside its types; what a value means is checked in resolve. Defaults here are of form
   only: figures with a source come from data/defaults.csv. */

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))
#define NO_PRESENT SIZE_MAX

#define NUMBER(name, type, member, dimension, scale, least, most)            \
    .key = (name), .kind = ASSAY_FIELD_NUMBER, .dim = ASSAY_DIM_##dimension, \
    .bare_scale = (scale), .min = (least), .max = (most), .offset = offsetof(type, member)
#define COUNT(name, type, member, least, most) NUMBER(name, type, member, COUNT, 1, least, most)
#define FRACTION(name, type, member) NUMBER(name, type, member, FRACTION, 1, 0, 1)
#define MONEY(name, type, member) NUMBER(name, type, member, MONEY, 1, 0, 1e12)
#define STRING(name, type, member) \
    .key = (name), .kind = ASSAY_FIELD_STRING, .offset = offsetof(type, member)
#define STRINGS(name, type, member, most) \
    .key = (name), .kind = ASSAY_FIELD_STRINGS, .max = (most), .offset = offsetof(type, member)
#define CHOICE(name, type, member, list) \
    .key = (name), .kind = ASSAY_FIELD_CHOICE, .choices = (list), .offset = offsetof(type, member)
#define BOOL(name, type, member) \
    .key = (name), .kind = ASSAY_FIELD_BOOL, .offset = offsetof(type, member)
#define STRUCT(name, type, member, schema) \
    .key = (name), .kind = ASSAY_FIELD_STRUCT, .sub = &(schema), .offset = offsetof(type, member)
#define LATER(name, what) .key = (name), .kind = ASSAY_FIELD_LATER, .help = (what)

#define SCHEMA(title, type, fields, present_offset, check_function)                            \
    {                                                                                          \
        .name = (title), .field = (fields), .n_field = COUNT_OF(fields), .size = sizeof(type), \
        .present = (present_offset), .check = (check_function)                                 \
    }

extern const assay_schema_t assay_job_train_schema, assay_job_finetune_schema,
    assay_job_serve_schema, assay_job_traffic_schema, assay_job_image_schema,
    assay_job_candidate_schema, assay_job_money_schema, assay_job_migration_schema,
    assay_job_team_schema, assay_job_data_schema, assay_job_analysis_schema;

/** Lays analysis.measured over the job. */
assay_status_t assay_job_take_measured(assay_arena_t *arena, assay_job_t *job, assay_error_t *err);
/** Two ways to say one thing: the later of the two is the mistake. */
assay_status_t assay_job_refuse_both(const char *a_key, const assay_number_t *a, const char *b_key,
                                     const assay_number_t *b, assay_error_t *err);

#endif
