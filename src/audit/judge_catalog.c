/* A claim beside the figure of the catalog that it speaks about. */
#include <math.h>
#include <string.h>

#include "audit/judge.h"

#include "base/banned.h"

#define SAME 0.005 /* a figure that was copied from another part is the same */

/* The figure of the claim's part for another number format. */
static bool is_other_type(const audit_claim_t *claim, const assay_figure_t *figure,
                          assay_audited_t *out) {
    const assay_accelerator_t *part = figure->accelerator;
    for (int type = 0; part && type < ASSAY_DT_N; type++) {
        const double peak = part->peak_flops[type].v * part->devices * figure->count;
        if (part->peak_flops[type].known && audit_near(claim->claimed.low, peak, SAME)) {
            out->slip = "other_type";
            AUDIT_SAY(out, AUDIT_OTHER_TYPE, assay_dtype_name((assay_dtype_t)type));
            return true;
        }
    }
    return false;
}

/* Parts of the same vendor that have this very figure. */
static bool is_other_part(audit_scope_t *scope, const audit_claim_t *claim,
                          const assay_figure_t *figure, double scale, assay_audited_t *out) {
    const char *list = NULL;
    for (uint32_t i = 0; i < scope->catalog->n_accelerator; i++) {
        const assay_accelerator_t *part = &scope->catalog->accelerator[i];
        assay_figure_t other;
        const char *name =
            assay_arena_printf(scope->arena, "accelerator:%s:%s", part->id, figure->name);
        if (!name || part == figure->accelerator ||
            strcmp(part->vendor, figure->accelerator->vendor) != 0 ||
            assay_catalog_figure(scope->catalog, name, NULL, &other, NULL) != ASSAY_OK ||
            !other.fact.known ||
            !audit_near(claim->claimed.low, other.fact.v * scale * figure->count, SAME)) {
            continue;
        }
        list = list ? assay_arena_printf(scope->arena, "%s, %s", list, part->name) : part->name;
        if (!list) {
            return false;
        }
    }
    if (list) {
        out->slip = "other_part";
        AUDIT_SAY(out, AUDIT_OTHER_PART, list);
    }
    return list != NULL;
}

static void explain(audit_scope_t *scope, const audit_claim_t *claim, const assay_figure_t *figure,
                    double scale, double share, assay_audited_t *out) {
    const bool of_part = figure->accelerator && !figure->is_price;
    const bool is_peak = strncmp(figure->name, "peak_", 5) == 0;
    const audit_factor_t factor = {
        .factor = out->factor,
        .tolerance = 0.5 * share, /* the slip must give the figure as closely as the catalog has */
        .dim = claim->claimed.dim,
        .saw = claim->claimed.saw,
        .is_catalog = true,
        .devices = figure->count > 1     ? figure->count
                   : figure->accelerator ? figure->accelerator->devices
                                         : 0,
    };
    const bool explained =
        (is_peak && audit_near(out->factor, 2, share) && audit_slip(&factor, out)) ||
        (is_peak && is_other_type(claim, figure, out)) ||
        (of_part && is_other_part(scope, claim, figure, scale, out)) ||
        (out->factor > 0 && audit_slip(&factor, out));
    if (!explained) {
        audit_say_no_slip(scope->arena, out);
    }
}

assay_status_t audit_judge_catalog(audit_scope_t *scope, const audit_claim_t *claim,
                                   assay_audited_t *out, assay_error_t *err) {
    assay_figure_t figure;
    const assay_status_t status = assay_catalog_figure(scope->catalog, claim->expression,
                                                       &claim->expression_at, &figure, err);
    if (status != ASSAY_OK) {
        return status;
    }
    double scale;
    const audit_dim_t dim = audit_dim_of(figure.dim, &scale);
    assay_arena_t *arena = scope->arena;
    out->formula = claim->expression;
    if (!audit_dim_equal(&dim, &claim->claimed.dim)) {
        const char *unit = audit_dim_text(arena, &dim);
        assay_error_set(err, ASSAY_INPUT, &claim->at, "claim '%s' is in %s, and %s in %s",
                        claim->id, out->unit, claim->expression, unit ? unit : "");
        assay_error_next(err, "compare it with a figure of its own kind");
        return ASSAY_INPUT;
    }
    if (!figure.fact.known) {
        out->verdict = ASSAY_VERDICT_NOT_REPRODUCIBLE;
        AUDIT_SAY(out, AUDIT_CATALOG_LACKS, claim->expression);
        return ASSAY_OK;
    }
    const double unit = claim->unit.times / claim->unit.over;
    const double share = fmax(claim->tolerance, claim->rounding);
    const double low = figure.fact.p10 * scale / unit, high = figure.fact.p90 * scale / unit;
    out->has_computed = true;
    out->computed_low = out->computed_high = figure.fact.v * scale / unit;
    audit_set_factor(out);
    const char *claimed = audit_text_of(arena, out->claimed_low, out->claimed_high, out->unit);
    const char *has = audit_text_of(arena, out->computed_low, out->computed_high, out->unit);
    const char *factor = audit_factor_text(arena, out->factor);
    if (figure.is_price && high > low) {
        const bool inside =
            out->claimed_low >= low * (1 - share) && out->claimed_high <= high * (1 + share);
        out->verdict = inside ? ASSAY_VERDICT_REPRODUCED : ASSAY_VERDICT_IMPLAUSIBLE;
        audit_say(out, inside ? ASSAY_MSG_AUDIT_PRICE_INSIDE : ASSAY_MSG_AUDIT_PRICE_OUTSIDE,
                  (const char *const[]){claimed, audit_text_of(arena, low, high, out->unit), has},
                  3);
    } else if (audit_near(out->claimed_low, out->computed_low, share) &&
               audit_near(out->claimed_high, out->computed_high, share)) {
        out->verdict = ASSAY_VERDICT_REPRODUCED;
        AUDIT_SAY(out, AUDIT_CATALOG_AGREES, claimed, has);
    } else {
        out->verdict = figure.is_price ? ASSAY_VERDICT_IMPLAUSIBLE : ASSAY_VERDICT_CONTRADICTED;
        audit_say(out,
                  fabs(out->factor) < 1 ? ASSAY_MSG_AUDIT_CATALOG_DIFFERS_BELOW
                                        : ASSAY_MSG_AUDIT_CATALOG_DIFFERS,
                  (const char *const[]){claimed, has, factor}, 3);
        if (!figure.is_price) {
            explain(scope, claim, &figure, scale, share, out);
        }
    }
    return ASSAY_OK;
}
