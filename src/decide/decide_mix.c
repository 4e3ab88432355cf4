/* How to have the nodes of each candidate over the job's load curve. */
#include "decide/decision.h"

#include "base/banned.h"

static bool is_seen(const assay_decision_t *decision, const assay_machine_t *machine) {
    for (uint32_t i = 0; i < decision->n_mix; i++) {
        const assay_machine_t *other = decision->mix[i].machine;
        if (other->system == machine->system && other->nodes == machine->nodes) {
            return true;
        }
    }
    return false;
}

static bool price_all(const assay_money_case_t *money_case, const assay_supply_t *supply,
                      assay_supply_cost_t cost[ASSAY_SUPPLY_N]) {
    bool any = false;
    for (int k = 0; k < ASSAY_SUPPLY_N; k++) {
        cost[k] = (assay_supply_cost_t){0};
        if (!supply->usd[k].known) {
            continue;
        }
        assay_money_case_t c = *money_case;
        c.owned = k == ASSAY_SUPPLY_OWNED;
        c.spot = k == ASSAY_PRICING_SPOT;
        *(c.owned ? &c.capex_usd : &c.usd_per_h) = supply->usd[k].v;
        cost[k] =
            assay_load_cost(&c, k == ASSAY_PRICING_RESERVED_1Y || k == ASSAY_PRICING_RESERVED_3Y);
        any = true;
    }
    return any;
}

void assay_decide_mix(assay_decide_ctx_t *ctx) {
    const assay_resolved_t *resolved = ctx->resolved;
    assay_decision_t *decision = ctx->out;
    if (!resolved->supply) {
        return;
    }
    decision->mix = assay_arena_array(ctx->arena, decision->n_candidate, sizeof *decision->mix);
    if (!decision->mix) {
        ctx->failed = true;
        return;
    }
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_candidate_t *candidate = &decision->candidate[i];
        assay_mix_t *mix = &decision->mix[decision->n_mix];
        if (!candidate->fits || is_seen(decision, candidate->machine) ||
            !price_all(&candidate->money_case,
                       &resolved->supply[candidate->machine - resolved->machine], mix->cost)) {
            continue;
        }
        mix->machine = candidate->machine;
        assay_load_mix(mix->cost, resolved->money.load, resolved->money.n_load,
                       candidate->machine->nodes, &mix->mix);
        mix->n_slice = assay_load_slices(mix->cost, resolved->money.load, resolved->money.n_load,
                                         candidate->machine->nodes, mix->slice);
        decision->n_mix++;
    }
}
