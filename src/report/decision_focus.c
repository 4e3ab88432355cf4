/* What each candidate costs, a row a term, in columns of FOCUS (FinOps Open Cost and Usage
   Specification): EffectiveCost is what this job bears, amortised. Columns that begin with x_ are
   ours: x_TcoPresentValue is what owning or renting costs over all the years. */
#include <math.h>

#include "report/write.h"

#include "base/banned.h"

/* FOCUS' allowed values of ChargeCategory, ChargeFrequency, ServiceCategory. */
typedef struct {
    const char *charge, *frequency, *service;
} kind_t;

static kind_t kind_of(assay_term_t term) {
    static const kind_t kind[ASSAY_TERM_N] = {
        [ASSAY_TERM_CAPEX] = {"Purchase", "One-Time", "Compute"},
        [ASSAY_TERM_RESIDUAL] = {"Credit", "One-Time", "Compute"},
        [ASSAY_TERM_RETROFIT] = {"Purchase", "One-Time", "Compute"},
        [ASSAY_TERM_RENT] = {"Usage", "Usage-Based", "Compute"},
        [ASSAY_TERM_ENERGY] = {"Usage", "Usage-Based", "Other"},
        [ASSAY_TERM_OPERATIONS] = {"Purchase", "Recurring", "Management and Governance"},
        [ASSAY_TERM_MIGRATION_1] = {"Purchase", "One-Time", "Migration"},
        [ASSAY_TERM_MIGRATION_2] = {"Purchase", "One-Time", "Migration"},
        [ASSAY_TERM_MIGRATION_3] = {"Purchase", "One-Time", "Migration"},
        [ASSAY_TERM_TRAINING] = {"Purchase", "One-Time", "Migration"},
        [ASSAY_TERM_DEBT] = {"Purchase", "Recurring", "Migration"},
        [ASSAY_TERM_CONTINGENCY] = {"Purchase", "One-Time", "Migration"}};
    static const kind_t other = {"Purchase", "Recurring", "Other"};
    return kind[term].charge ? kind[term] : other;
}

static const char *const column_name[] = {
    "ResourceId",    "ChargeCategory",    "ChargeFrequency", "ServiceCategory", "ChargeDescription",
    "EffectiveCost", "x_TcoPresentValue", "BillingCurrency", "PricingQuantity", "PricingUnit",
    "x_Term",        "x_Choice"};
enum { N_COLUMN = sizeof column_name / sizeof column_name[0] };

static void write_term(assay_view_t *view, assay_table_t *table, const assay_candidate_t *candidate,
                       assay_term_t term, bool chosen) {
    const kind_t kind = kind_of(term);
    const double per_usd = view->locale.per_usd > 0.0 ? view->locale.per_usd : 1.0;
    const double job_usd = candidate->point.job_term_usd[term];
    const double tco_usd = candidate->point.tco_term_usd[term];
    const bool energy = term == ASSAY_TERM_ENERGY;
    const double hours = candidate->point.hours * candidate->machine->nodes;
    const char *const cell[N_COLUMN] = {
        candidate->machine->id,
        kind.charge,
        kind.frequency,
        kind.service,
        assay_view_phrase(view, assay_term_what(term)),
        isfinite(job_usd) ? assay_view_count(view, job_usd * per_usd) : "",
        isfinite(tco_usd) ? assay_view_count(view, tco_usd * per_usd) : "",
        view->locale.currency ? view->locale.currency : "USD",
        energy                    ? assay_view_count(view, candidate->point.energy_kwh)
        : term == ASSAY_TERM_RENT ? assay_view_count(view, hours)
                                  : "",
        energy                    ? "kWh"
        : term == ASSAY_TERM_RENT ? "Hours"
                                  : "",
        assay_term_name(term),
        chosen ? "true" : "false"};
    assay_table_row(table);
    for (uint32_t c = 0; c < N_COLUMN; c++) {
        assay_table_cell(table, c, cell[c]);
    }
}

void assay_decision_write_focus(assay_view_t *view, const assay_decision_t *decision) {
    assay_table_t *table = assay_view_table(view, N_COLUMN);
    for (uint32_t c = 0; c < N_COLUMN; c++) {
        assay_table_column(table, c, column_name[c], "", false);
    }
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_candidate_t *candidate = &decision->candidate[i];
        for (int term = 0; term < ASSAY_TERM_N && candidate->fits; term++) {
            if (fabs(candidate->point.job_term_usd[term]) > 0.0 ||
                fabs(candidate->point.tco_term_usd[term]) > 0.0) {
                write_term(view, table, candidate, (assay_term_t)term,
                           decision->choice == (int32_t)i);
            }
        }
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
