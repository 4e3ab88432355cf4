#include <string.h>

#include "base/det_math.h"
#include "resolve/resolve_context.h"

#define DAYS_PER_WEEK 5.0 /* working days; the unit parser uses the same */

static void set_answer(assay_answer_t *answer, const assay_number_t *number) {
    if (number->origin == ASSAY_GIVEN) {
        *answer = (assay_answer_t){number->v, true};
    }
}

static void set_choice(assay_answer_t *answer, const assay_choice_t *choice) {
    if (choice->origin == ASSAY_GIVEN) {
        *answer = (assay_answer_t){choice->v, true};
    }
}

/* Only a given list says what is needed; an absent one says nothing. */
static void set_need(assay_answer_t *answer, const assay_list_t *needs, const char *what) {
    if (needs->origin != ASSAY_GIVEN) {
        return;
    }
    *answer = (assay_answer_t){0.0, true};
    const assay_string_t *item = needs->item;
    for (uint32_t i = 0; i < needs->n; i++) {
        if (assay_text_equal_fold(item[i].s, what)) {
            answer->v = 1.0;
        }
    }
}

static void resolve_answers(const assay_job_t *job, assay_answers_t *out) {
    *out = (assay_answers_t){0};
    set_answer(&out->a[ASSAY_ANSWER_ROCM_DEBUGGERS], &job->team.rocm_debuggers);
    set_answer(&out->a[ASSAY_ANSWER_HARDWARE_BUDGET_USD], &job->team.hardware_budget_usd);
    set_choice(&out->a[ASSAY_ANSWER_HIP_CI], &job->team.hip_ci);
    set_choice(&out->a[ASSAY_ANSWER_NOTEBOOKS], &job->team.notebook_prototyping);
    set_need(&out->a[ASSAY_ANSWER_NEEDS_TENSORRT], &job->team.needs, "tensorrt");
    set_answer(&out->a[ASSAY_ANSWER_RAW_BYTES], &job->data.raw_bytes);
    set_answer(&out->a[ASSAY_ANSWER_HIP_FIT], &job->migration.hip_fit);
    set_answer(&out->a[ASSAY_ANSWER_CUDA_ONLY_SHARE], &job->migration.cuda_only_share);
}

/* The default is what is left after the default number of years; over another time machines lose
   the same share of their value every year. */
static assay_status_t resolve_residual(resolve_context_t *context, double years,
                                       assay_fact_t *out) {
    const assay_number_t *given = &context->job->money.residual;
    if (given->origin == ASSAY_GIVEN) {
        *out = resolve_given(given);
        return ASSAY_OK;
    }
    if (context->job->money.depreciation.v != ASSAY_DEPRECIATION_DECLINING) {
        *out =
            assay_fact_exact(0.0, "money.depreciation"); /* its curve says, see resolve_options */
        return ASSAY_OK;
    }
    assay_fact_t usual_years;
    assay_status_t status = resolve_default(context, "money.residual", out);
    if (status == ASSAY_OK) {
        status = resolve_default(context, "money.years", &usual_years);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    if (!out->known || !usual_years.known || usual_years.v <= 0.0) {
        return assay_error_set(context->err, ASSAY_INTERNAL, NULL,
                               "defaults.csv has no row 'money.residual' or 'money.years'");
    }
    const char *text = NULL;
    if (years < usual_years.v || years > usual_years.v) {
        double *const part[] = {&out->v, &out->p10, &out->p90};
        text = RESOLVE_SAY(context, RESIDUAL_YEARS,
                           resolve_amount(context, usual_years.v, ASSAY_DIM_NUMBER));
        if (!text) {
            return resolve_no_memory(context);
        }
        for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
            *part[i] = assay_det_exp(assay_det_log(*part[i]) * years / usual_years.v);
        }
    }
    return resolve_assume(context, "money.residual", ASSAY_DIM_FRACTION, out, text);
}

/* A scan speaks for the levels, and for the debt where the job is silent about it. */
static bool take_from_scan(const resolve_scan_t *scan, const assay_number_t *number,
                           const char *key, assay_fact_t *out) {
    static const char *const level[] = {"migration.level1", "migration.level2", "migration.level3"};
    for (size_t i = 0; i < sizeof level / sizeof *level; i++) {
        if (scan->level_days[i].known && strcmp(key, level[i]) == 0) {
            *out = scan->level_days[i];
            return true;
        }
    }
    if (scan->debt_days_per_year.known && number->origin != ASSAY_GIVEN &&
        strcmp(key, "migration.debt_days_per_year") == 0) {
        *out = scan->debt_days_per_year;
        return true;
    }
    return false;
}

/* What the row of money.site says. */
static bool take_from_site(const assay_energy_t *site, const char *key, assay_fact_t *out) {
    const assay_fact_t *fact = !site                                           ? NULL
                               : strcmp(key, "money.electricity_usd_kwh") == 0 ? &site->usd_per_kwh
                               : strcmp(key, "money.pue") == 0                 ? &site->pue
                                                                               : NULL;
    if (!fact || !fact->known) {
        return false;
    }
    *out = *fact;
    return true;
}

/* The default work of a move is of code of which reference_fit fits; where the job knows better,
   the work follows what does not fit. */
static assay_status_t scale_levels(resolve_context_t *context, const resolve_scan_t *scan,
                                   assay_money_input_t *io) {
    const assay_job_migration_t *migration = &context->job->migration;
    const assay_number_t *level[3] = {&migration->level1_days, &migration->level2_days,
                                      &migration->level3_days};
    const assay_number_t *fit = &migration->hip_fit;
    assay_fact_t reference;
    const assay_status_t status = resolve_default(context, "migration.reference_fit", &reference);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!reference.known) {
        return assay_error_set(context->err, ASSAY_INTERNAL, NULL,
                               "defaults.csv has no row 'migration.reference_fit'");
    }
    io->reference_fit = reference.v;
    bool scaled = false;
    for (int k = 0; k < 3 && fit->origin == ASSAY_GIVEN; k++) {
        if (level[k]->origin == ASSAY_GIVEN || scan->level_days[k].known) {
            continue;
        }
        const double factor = (1.0 - fit->v) / (1.0 - reference.v);
        io->level_days[k].v *= factor;
        io->level_days[k].p10 *= factor;
        io->level_days[k].p90 *= factor;
        scaled = true;
    }
    io->reference_fit = fit->origin == ASSAY_GIVEN ? fit->v : reference.v;
    return scaled
               ? resolve_assume(context, "migration.reference_fit", ASSAY_DIM_FRACTION, &reference,
                                assay_message(context->locale.lang, ASSAY_MSG_RESOLVE_FIT))
               : ASSAY_OK;
}

/* The facts that a job, its scan, its site or the defaults give, before they are shared out. */
typedef struct {
    assay_fact_t years, rate, utilisation, labour, training, engineers, debt;
} facts_t;

static assay_status_t take_facts(resolve_context_t *context, const resolve_scan_t *scan,
                                 const assay_energy_t *site, facts_t *out,
                                 assay_money_input_t *out_money) {
    const assay_job_money_t *money = &context->job->money;
    const assay_job_migration_t *migration = &context->job->migration;
    const struct {
        const assay_number_t *number;
        const char *key;
        assay_dim_t dim;
        assay_fact_t *out;
    } row[] = {
        {&money->years, "money.years", ASSAY_DIM_NUMBER, &out->years},
        {&money->discount_rate, "money.discount_rate", ASSAY_DIM_FRACTION, &out->rate},
        {&money->utilisation, "money.utilisation", ASSAY_DIM_FRACTION, &out->utilisation},
        {&money->electricity_usd_kwh, "money.electricity_usd_kwh", ASSAY_DIM_MONEY_PER_KWH,
         &out_money->electricity_usd_per_kwh},
        {&money->pue, "money.pue", ASSAY_DIM_NUMBER, &out_money->pue},
        {&money->contingency, "money.contingency", ASSAY_DIM_FRACTION, &out_money->contingency},
        {&money->ops_usd_per_year, "money.ops_usd_per_year", ASSAY_DIM_MONEY,
         &out_money->ops_usd_per_year},
        {&migration->level1_days, "migration.level1", ASSAY_DIM_LABOUR, &out_money->level_days[0]},
        {&migration->level2_days, "migration.level2", ASSAY_DIM_LABOUR, &out_money->level_days[1]},
        {&migration->level3_days, "migration.level3", ASSAY_DIM_LABOUR, &out_money->level_days[2]},
        {&migration->labour_usd_per_week, "migration.labour_usd_per_week", ASSAY_DIM_MONEY_PER_WEEK,
         &out->labour},
        {&migration->training_h_per_engineer, "migration.training_h_per_engineer", ASSAY_DIM_NUMBER,
         &out->training},
        {&migration->engineers, "migration.engineers", ASSAY_DIM_COUNT, &out->engineers},
        {&migration->debt_days_per_year, "migration.debt_days_per_year", ASSAY_DIM_LABOUR,
         &out->debt},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (take_from_scan(scan, row[i].number, row[i].key, row[i].out)) {
            continue;
        }
        assay_status_t status;
        if (row[i].number->origin != ASSAY_GIVEN && take_from_site(site, row[i].key, row[i].out)) {
            status = resolve_assume(context, row[i].key, row[i].dim, row[i].out, NULL);
        } else {
            status = resolve_number(context, row[i].number, row[i].key, row[i].dim, row[i].out);
        }
        if (status != ASSAY_OK) {
            return status;
        }
        if (!row[i].out->known && row[i].number != &money->ops_usd_per_year) {
            return assay_error_set(context->err, ASSAY_INTERNAL, NULL,
                                   "defaults.csv has no row '%s'", row[i].key);
        }
    }
    return ASSAY_OK;
}

assay_status_t resolve_money(resolve_context_t *context, assay_money_input_t *out_money,
                             assay_answers_t *out_answers) {
    const assay_job_migration_t *migration = &context->job->migration;
    resolve_scan_t scan = {0};
    const assay_energy_t *site = NULL;
    facts_t facts;
    assay_fact_t residual = assay_fact_unknown();
    assay_status_t status = resolve_site(context, &site);
    if (status == ASSAY_OK && migration->scan.s) {
        status = resolve_scan(context, migration->scan.s, &scan);
    }
    status = status ? status : take_facts(context, &scan, site, &facts, out_money);
    status = status ? status : scale_levels(context, &scan, out_money);
    status = status ? status : resolve_residual(context, facts.years.v, &residual);
    if (status == ASSAY_OK && !out_money->ops_usd_per_year.known) {
        status =
            resolve_note(context, ASSAY_NOTE_ASSUMPTION, "money.ops_usd_per_year", "not counted",
                         "unknown", "staff and upkeep are unknown and not counted");
    }
    if (status != ASSAY_OK) {
        return status;
    }
    out_money->years = facts.years.v;
    out_money->discount_rate = facts.rate.v;
    out_money->utilisation = facts.utilisation.v;
    out_money->residual = residual.v;
    out_money->residual_given = context->job->money.residual.origin == ASSAY_GIVEN;
    out_money->residual_p10 = residual.p10;
    out_money->residual_p90 = residual.p90;
    out_money->residual_dist = residual.dist;
    out_money->labour_usd_per_day = facts.labour.v / DAYS_PER_WEEK;
    out_money->labour_p10 = facts.labour.p10 / DAYS_PER_WEEK;
    out_money->labour_p90 = facts.labour.p90 / DAYS_PER_WEEK;
    out_money->labour_dist = facts.labour.dist;
    out_money->tco_formula = (uint8_t)context->job->money.tco_formula.v;
    out_money->training_h_per_engineer = facts.training.v;
    out_money->engineers = facts.engineers.v;
    out_money->debt_days_per_year = facts.debt.v;
    resolve_answers(context->job, out_answers);
    if (scan.hip_fit.known) {
        out_answers->a[ASSAY_ANSWER_HIP_FIT] = scan.hip_fit;
    }
    if (scan.cuda_only_share.known) {
        out_answers->a[ASSAY_ANSWER_CUDA_ONLY_SHARE] = scan.cuda_only_share;
    }
    return resolve_options(context, out_money);
}
