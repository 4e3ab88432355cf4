#include "audit/predictions.h"

#include <stddef.h>
#include <string.h>

#include "assay/calibration.h"
#include "assay/csv.h"
#include "assay/decide_image.h"
#include "assay/physics.h"
#include "assay/text.h"

#include "base/banned.h"

#define PART_MAX 5

/* A row of claim_jobs.csv, decided when it is first asked for. */
typedef struct {
    const assay_resolved_t *resolved; /* NULL: not yet */
    const assay_decision_t *train;
    const assay_image_decision_t *image;
} job_t;

struct audit_predictions {
    assay_arena_t *arena;
    const assay_catalog_t *catalog;
    const char *const *dir;
    uint32_t n_dir;
    assay_calibration_t *calibration; /* NULL: no table has been read */
    assay_csv_t jobs, defaults;
    job_t *job; /* (jobs.n_rows) */
};

typedef struct {
    audit_predictions_t *from;
    const char *figure;
    const char *part[PART_MAX]; /* between its colons */
    uint32_t n_part;
    const assay_place_t *at;
    double low, high;
    const char *missing;
    assay_error_t *err;
} ask_t;

static assay_status_t refuse(const ask_t *ask, const char *next) {
    assay_error_set(ask->err, ASSAY_INPUT, ask->at, "'%s' names no figure", ask->figure);
    assay_error_next(ask->err, "%s", next);
    return ASSAY_INPUT;
}

static assay_status_t answer(ask_t *ask, double low, double high) {
    ask->low = low;
    ask->high = high;
    return ASSAY_OK;
}

static assay_status_t lacks(ask_t *ask, const char *what) {
    ask->missing = what;
    return what ? ASSAY_OK : assay_error_memory(ask->err, ask->at);
}

/* ---- jobs ---- */

static assay_status_t decide(const audit_predictions_t *from, uint32_t row, job_t *out,
                             assay_error_t *err) {
    const char *text = assay_csv_cell(&from->jobs, row, assay_csv_column(&from->jobs, "job"));
    assay_job_t *job;
    assay_resolved_t *resolved = NULL;
    assay_status_t status =
        assay_job_read(from->arena, "claim_jobs.csv", text, strlen(text), NULL, 0, &job, err);
    if (status == ASSAY_OK) {
        status = assay_resolve(from->arena, job, from->catalog, from->calibration, &resolved, err);
    }
    if (status == ASSAY_OK && resolved->kind == ASSAY_WORK_TRAIN) {
        assay_decision_t *decision;
        status = assay_decide(from->arena, resolved, from->dir, from->n_dir, NULL, &decision, err);
        out->train = decision;
    } else if (status == ASSAY_OK && resolved->kind == ASSAY_WORK_IMAGE) {
        assay_image_decision_t *decision;
        status = assay_decide_images(from->arena, resolved, from->dir, from->n_dir, NULL, &decision,
                                     err);
        out->image = decision;
    }
    if (status == ASSAY_OK) {
        out->resolved = resolved;
    }
    return status;
}

static double per_epoch_usd(const assay_candidate_t *c) {
    return c->point.per_epoch_usd;
}
static double tokens_per_s(const assay_candidate_t *c) {
    return c->plan.best.tokens_per_s;
}
static double mfu(const assay_candidate_t *c) {
    return c->plan.best.mfu;
}
static const struct {
    const char *name;
    double (*of)(const assay_candidate_t *);
    bool rate; /* as uncertain as the time of a step */
} train_figures[] = {{"per_epoch_usd", per_epoch_usd, false},
                     {"tokens_per_s", tokens_per_s, true},
                     {"mfu", mfu, true}};

static assay_status_t of_training(ask_t *ask, const assay_candidate_t *candidate) {
    for (size_t i = 0; i < sizeof train_figures / sizeof train_figures[0]; i++) {
        if (strcmp(train_figures[i].name, ask->part[3]) == 0) {
            const double value = train_figures[i].of(candidate);
            const assay_estimate_t *best = &candidate->plan.best;
            const bool rate = train_figures[i].rate;
            return candidate->fits
                       ? answer(ask, rate ? value / best->rel_p90 : value,
                                rate ? value / best->rel_p10 : value)
                       : lacks(ask, assay_arena_printf(ask->from->arena, "a layout of %s that fits",
                                                       ask->part[2]));
        }
    }
    return refuse(ask, "of training per_epoch_usd, tokens_per_s and mfu are known");
}

static assay_status_t of_images(ask_t *ask, const assay_image_candidate_t *candidate) {
    if (strcmp(ask->part[3], "request_s") != 0) {
        return refuse(ask, "of images request_s is known");
    }
    const assay_image_fleet_t *fleet = &candidate->fleet;
    return candidate->fits
               ? answer(ask, fleet->request_s * fleet->rel_p10, fleet->request_s * fleet->rel_p90)
               : lacks(ask, assay_arena_printf(ask->from->arena, "devices of %s that do it",
                                               ask->part[2]));
}

/* Seconds of an all-reduce of so many bytes over all devices of a node. */
static assay_status_t of_links(ask_t *ask, const assay_machine_t *machine) {
    double bytes;
    if (ask->n_part < 5 || !assay_text_to_double(ask->part[4], strlen(ask->part[4]), &bytes)) {
        return refuse(ask, "write the bytes behind it: all_reduce_s:51.2e6");
    }
    const double seconds =
        assay_collective_s(machine, ASSAY_COLL_ALL_REDUCE, bytes, machine->devices_per_node, 1);
    return answer(ask, seconds, seconds);
}

static assay_status_t of_flip(ask_t *ask, const assay_decision_t *decision) {
    for (uint32_t i = 0; i < decision->n_flip; i++) {
        const assay_flip_t *flip = &decision->flip[i];
        if (!flip->candidate && strcmp(flip->variable, ask->part[2]) == 0) {
            return flip->has_flip
                       ? answer(ask, flip->flip, flip->flip)
                       : lacks(ask, assay_arena_printf(ask->from->arena,
                                                       "a %s at which the predicted choice changes",
                                                       flip->variable));
        }
    }
    return refuse(ask, "such as run_length, hip_fit or compute_share");
}

static assay_status_t of_job(ask_t *ask) {
    audit_predictions_t *from = ask->from;
    uint32_t row = 0;
    while (row < from->jobs.n_rows &&
           strcmp(from->jobs.cell[(size_t)row * from->jobs.n_columns], ask->part[1]) != 0) {
        row++;
    }
    if (row == from->jobs.n_rows || ask->n_part < 3) {
        return refuse(ask, "write predict:JOB:CANDIDATE:FIGURE, with a job of claim_jobs.csv");
    }
    job_t *job = &from->job[row];
    const assay_status_t status = job->resolved ? ASSAY_OK : decide(from, row, job, ask->err);
    if (status != ASSAY_OK) {
        return status;
    }
    if (ask->n_part == 3 && job->train) {
        return of_flip(ask, job->train);
    }
    for (uint32_t i = 0; i < job->resolved->n_machine && ask->n_part > 3; i++) {
        if (strcmp(job->resolved->machine[i].id, ask->part[2]) == 0) {
            return strcmp(ask->part[3], "all_reduce_s") == 0
                       ? of_links(ask, &job->resolved->machine[i])
                   : job->train ? of_training(ask, &job->train->candidate[i])
                   : job->image ? of_images(ask, &job->image->candidate[i])
                                : refuse(ask, "its job trains or makes images");
        }
    }
    return refuse(ask, "name a candidate of the job");
}

/* ---- constants ---- */

static assay_status_t of_default(ask_t *ask) {
    const assay_csv_t *csv = &ask->from->defaults;
    for (uint32_t row = 0; ask->n_part == 2 && row < csv->n_rows; row++) {
        if (strcmp(csv->cell[(size_t)row * csv->n_columns], ask->part[1]) == 0) {
            const char *value = assay_csv_cell(csv, row, assay_csv_column(csv, "value"));
            const char *low = assay_csv_cell(csv, row, assay_csv_column(csv, "low"));
            const char *high = assay_csv_cell(csv, row, assay_csv_column(csv, "high"));
            low = low[0] ? low : value;
            high = high[0] ? high : value;
            return assay_text_to_double(low, strlen(low), &ask->low) &&
                           assay_text_to_double(high, strlen(high), &ask->high)
                       ? ASSAY_OK
                       : refuse(ask, "its row in defaults.csv holds no number");
        }
    }
    return refuse(ask, "write default:KEY, with a key of defaults.csv");
}

static assay_status_t of_calibration(ask_t *ask) {
    for (int id = 0; ask->n_part == 3 && id < ASSAY_CALIB_N; id++) {
        if (strcmp(assay_calib_name((assay_calib_id_t)id), ask->part[2]) == 0) {
            const char *const scope[] = {ask->part[1], NULL};
            const assay_fact_t fact = assay_calibration_get(
                ask->from->calibration, (assay_calib_id_t)id, scope, ASSAY_DT_BF16);
            return answer(ask, fact.p10, fact.p90);
        }
    }
    return refuse(ask, "write calibration:SCOPE:CONSTANT, as calibration.csv has them");
}

static const struct {
    const char *kind;
    assay_status_t (*of)(ask_t *ask);
} kinds[] = {{"predict", of_job}, {"default", of_default}, {"calibration", of_calibration}};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* ---- */

audit_predictions_t *audit_predictions_create(assay_arena_t *arena, const assay_catalog_t *catalog,
                                              const char *const *dir, uint32_t n_dir) {
    audit_predictions_t *predictions = assay_arena_alloc(arena, sizeof *predictions);
    if (predictions) {
        *predictions =
            (audit_predictions_t){.arena = arena, .catalog = catalog, .dir = dir, .n_dir = n_dir};
    }
    return predictions;
}

static assay_status_t load(audit_predictions_t *io, assay_error_t *err) {
    assay_calibration_t *calibration;
    assay_status_t status =
        assay_data_table_keyed(io->arena, "claim_jobs.csv", io->dir, io->n_dir, &io->jobs, err);
    if (status == ASSAY_OK) {
        status = assay_data_table_keyed(io->arena, "defaults.csv", io->dir, io->n_dir,
                                        &io->defaults, err);
    }
    if (status == ASSAY_OK) {
        status = assay_calibration_load(io->arena, io->dir, io->n_dir, &calibration, err);
    }
    if (status == ASSAY_OK) {
        io->job = assay_arena_array(io->arena, io->jobs.n_rows, sizeof *io->job);
        if (!io->job) {
            return assay_error_memory(err, NULL);
        }
        io->calibration = calibration;
    }
    return status;
}

bool audit_prediction_is(const char *figure) {
    for (size_t i = 0; i < KINDS; i++) {
        const size_t n = strlen(kinds[i].kind);
        if (strncmp(figure, kinds[i].kind, n) == 0 && figure[n] == ':') {
            return true;
        }
    }
    return false;
}

static assay_status_t split(ask_t *ask) {
    char *text = assay_arena_strdup(ask->from->arena, ask->figure);
    if (!text) {
        return assay_error_memory(ask->err, ask->at);
    }
    for (char *part = text; part && ask->n_part < PART_MAX;) {
        ask->part[ask->n_part++] = part;
        part = strchr(part, ':');
        if (part) {
            *part++ = '\0';
        }
    }
    return ASSAY_OK;
}

assay_status_t audit_prediction(audit_predictions_t *predictions, const char *figure,
                                const assay_place_t *at, double *out_low, double *out_high,
                                const char **out_missing, assay_error_t *err) {
    ask_t ask = {.from = predictions, .figure = figure, .at = at, .err = err};
    assay_status_t status = predictions->calibration ? ASSAY_OK : load(predictions, err);
    if (status == ASSAY_OK) {
        status = split(&ask);
    }
    for (size_t i = 0; i < KINDS && status == ASSAY_OK; i++) {
        if (strcmp(kinds[i].kind, ask.part[0]) == 0) {
            status = kinds[i].of(&ask);
        }
    }
    *out_low = ask.low;
    *out_high = ask.high;
    *out_missing = ask.missing;
    return status;
}
