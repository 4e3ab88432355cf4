/* The load curve of a job, and what its candidates' nodes cost bought and rented. */
#include <stdlib.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

#define SHARES_MAX (1.0 + 1e-9) /* they are decimal fractions that sum up to a whole */

static int falling_load(const void *a, const void *b) {
    const assay_load_step_t *x = a, *y = b;
    return (x->load < y->load) - (x->load > y->load);
}

static assay_status_t take_curve(resolve_context_t *context, assay_money_input_t *money) {
    const assay_list_t *list = &context->job->money.load_curve;
    const assay_job_load_t *given = list->item;
    assay_load_step_t *load = assay_arena_array(context->arena, list->n, sizeof *load);
    double sum = 0.0;
    if (!load) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < list->n; i++) {
        load[i].share =
            given[i].share.origin == ASSAY_GIVEN ? given[i].share.v : money->utilisation;
        load[i].load = given[i].load.v;
        sum += load[i].share;
        if (sum > SHARES_MAX) {
            assay_error_set(context->err, ASSAY_INPUT, &given[i].load.at,
                            "the shares of money.load_curve are more than all hours");
            assay_error_next(context->err, "they sum to 1, or to less where nodes stand idle");
            return ASSAY_INPUT;
        }
    }
    qsort(load, list->n, sizeof *load, falling_load);
    money->load = load;
    money->n_load = list->n;
    return ASSAY_OK;
}

/* What the job says of a system: of this candidate first, else of another one with the same. */
static void take_given(const assay_resolved_t *resolved, uint32_t of, assay_supply_t *out) {
    for (uint32_t i = 0; i < resolved->n_machine; i++) {
        const assay_machine_t *machine = &resolved->machine[i == 0 ? of : i <= of ? i - 1 : i];
        if (machine->system != resolved->machine[of].system) {
            continue;
        }
        if (machine->capex_usd.known && !out->usd[ASSAY_SUPPLY_OWNED].known) {
            out->usd[ASSAY_SUPPLY_OWNED] = machine->capex_usd;
        }
        if (machine->usd_per_h.known && !out->usd[machine->pricing].known) {
            out->usd[machine->pricing] = machine->usd_per_h;
        }
    }
}

static assay_status_t take_prices(resolve_context_t *context, const assay_resolved_t *resolved,
                                  uint32_t i, assay_supply_t *out) {
    const assay_job_candidate_t *candidate = context->job->candidates.item;
    const assay_machine_t *machine = &resolved->machine[i];
    assay_fact_t *on_demand = &out->usd[ASSAY_PRICING_ON_DEMAND];
    assay_status_t status = ASSAY_OK;
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        out->usd[k] = assay_fact_unknown();
    }
    take_given(resolved, i, out);
    if (!out->usd[ASSAY_SUPPLY_OWNED].known) {
        assay_machine_t bought = *machine;
        status = resolve_purchase(context, &candidate[i], machine->system, &bought);
        out->usd[ASSAY_SUPPLY_OWNED] = bought.capex_usd;
    }
    if (status == ASSAY_OK && !on_demand->known) {
        status = resolve_rent(context, machine, on_demand);
        const char *subject = RESOLVE_SAY(context, RENT, machine->id);
        if (status == ASSAY_OK && !subject) {
            return resolve_no_memory(context);
        }
        if (status == ASSAY_OK && on_demand->known) {
            status = resolve_assume(context, subject, ASSAY_DIM_MONEY_PER_HOUR, on_demand, NULL);
        }
    }
    /* A discount, not other sellers' offers: their median may be above this price on demand. */
    for (int k = ASSAY_PRICING_ON_DEMAND + 1; k < ASSAY_PRICING_N && status == ASSAY_OK; k++) {
        if (!out->usd[k].known) {
            status =
                resolve_terms(context, machine, (assay_pricing_t)k, on_demand, false, &out->usd[k]);
        }
    }
    return status;
}

assay_status_t resolve_load_curve(resolve_context_t *context, assay_resolved_t *resolved) {
    const assay_job_money_t *money = &context->job->money;
    const bool file = money->load_file.present;
    if (!resolve_has_load(context->job)) {
        return ASSAY_OK;
    }
    if (resolved->kind != ASSAY_WORK_TRAIN && resolved->kind != ASSAY_WORK_FINETUNE) {
        assay_error_set(
            context->err, ASSAY_INPUT, file ? &money->load_file.path.at : &money->load_curve.at,
            "money.%s is of jobs that train or finetune", file ? "load_file" : "load_curve");
        assay_error_next(context->err, "leave it out");
        return ASSAY_INPUT;
    }
    resolved->supply =
        assay_arena_array(context->arena, resolved->n_machine, sizeof *resolved->supply);
    if (!resolved->supply) {
        return resolve_no_memory(context);
    }
    assay_status_t status =
        file ? resolve_load_file(context, &resolved->money) : take_curve(context, &resolved->money);
    for (uint32_t i = 0; i < resolved->n_machine && status == ASSAY_OK; i++) {
        status = take_prices(context, resolved, i, &resolved->supply[i]);
    }
    return status;
}
