/* A claim set beside the catalog: every figure that speaks of a candidate and differs from the
   catalog by more than rounding becomes a warning. */
#include <math.h>
#include <string.h>

#include "resolve/resolve_context.h"

#define ROUNDING 0.05 /* the articles print two digits: 5.0, 3.2 */

/* The claim's field is "accelerator:ID:figure" or "system:ID:figure". */
static bool speaks_of(const assay_claim_t *claim, const assay_machine_t *machine) {
    const struct {
        const char *kind, *id;
    } thing[] = {{"accelerator:", machine->accelerator->id},
                 {"price:", machine->accelerator->id},
                 {"system:", machine->system->id}};
    for (size_t i = 0; i < sizeof thing / sizeof thing[0]; i++) {
        const size_t n_kind = strlen(thing[i].kind), n_id = strlen(thing[i].id);
        if (strncmp(claim->field, thing[i].kind, n_kind) == 0 &&
            strncmp(claim->field + n_kind, thing[i].id, n_id) == 0 &&
            claim->field[n_kind + n_id] == ':') {
            return true;
        }
    }
    return false;
}

static assay_status_t note_claim(resolve_context_t *context, const assay_claim_t *claim,
                                 const assay_machine_t *machine, double catalog) {
    char claimed_text[32], catalog_text[32], factor_text[32];
    const double factor = claim->v / catalog;
    assay_text_from_double_short(claimed_text, claim->v, 3);
    assay_text_from_double_short(catalog_text, catalog, 3);
    assay_text_from_double_short(factor_text, factor, 3);
    assay_message_t why = ASSAY_MSG_RESOLVE_CLAIM;
    if (strstr(claim->unit, "FLOPS") && fabs(factor - 2.0) < 2.0 * ROUNDING) {
        why = ASSAY_MSG_RESOLVE_CLAIM_SPARSE;
    } else if (strncmp(claim->field, "system:", 7) == 0 && machine->system->capex_usd.known) {
        const assay_fact_t *capex = &machine->system->capex_usd;
        why = claim->v < capex->p10   ? ASSAY_MSG_RESOLVE_CLAIM_BELOW
              : claim->v > capex->p90 ? ASSAY_MSG_RESOLVE_CLAIM_ABOVE
                                      : ASSAY_MSG_RESOLVE_CLAIM_INSIDE;
    }
    const bool counts = strcmp(claim->unit, "1") == 0; /* of things: without a unit */
    const char *gap = counts ? "" : " ", *unit = counts ? "" : claim->unit;
    const char *subject = assay_arena_printf(context->arena, "%s %s", claim->set, claim->id);
    const char *const arg[] = {
        claim->subject, assay_phrase(context->locale.lang, claim->quantity),
        assay_arena_printf(context->arena, "%s%s%s", claimed_text, gap, unit),
        assay_arena_printf(context->arena, "%s%s%s", catalog_text, gap, unit), factor_text};
    const char *text = assay_message_text(context->arena, context->locale.lang, why, arg,
                                          sizeof arg / sizeof arg[0]);
    if (!subject || !text) {
        return resolve_no_memory(context);
    }
    return resolve_note(context, ASSAY_NOTE_WARNING, subject, NULL, claim->source, text);
}

static assay_status_t check_set(resolve_context_t *context, const assay_string_t *set,
                                const assay_machine_t *machine, uint32_t n_machine) {
    const assay_catalog_t *catalog = context->catalog;
    bool known = false;
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *claim = &catalog->claim[i];
        if (strcmp(claim->set, set->s) != 0) {
            continue;
        }
        known = true;
        for (uint32_t m = 0; m < n_machine; m++) {
            double value;
            if (speaks_of(claim, &machine[m]) &&
                assay_catalog_claim_compare(catalog, claim, &value) &&
                fabs(claim->v / value - 1.0) > ROUNDING) {
                const assay_status_t status = note_claim(context, claim, &machine[m], value);
                if (status != ASSAY_OK) {
                    return status;
                }
            }
        }
    }
    if (!known) {
        assay_error_set(context->err, ASSAY_NOT_FOUND, &set->at, "no claim set '%s'", set->s);
        assay_error_next(context->err, "'assay catalog list claims' shows the sets");
        return ASSAY_NOT_FOUND;
    }
    return ASSAY_OK;
}

assay_status_t resolve_claims(resolve_context_t *context, const assay_machine_t *machine,
                              uint32_t n_machine) {
    const assay_job_t *job = context->job;
    assay_status_t status = ASSAY_OK;
    if (strcmp(job->prices.s, "catalog") != 0) {
        status = check_set(context, &job->prices, machine, n_machine);
    }
    const assay_string_t *set = job->claims.item;
    for (uint32_t i = 0; i < job->claims.n && status == ASSAY_OK; i++) {
        if (strcmp(set[i].s, job->prices.s) != 0) {
            status = check_set(context, &set[i], machine, n_machine);
        }
    }
    return status;
}

static bool is_named(const assay_job_t *job, const char *set) {
    const assay_string_t *name = job->claims.item;
    bool named = strcmp(job->prices.s, set) == 0;
    for (uint32_t i = 0; i < job->claims.n; i++) {
        named = named || strcmp(name[i].s, set) == 0;
    }
    return named;
}

assay_status_t resolve_collect_claims(resolve_context_t *context, assay_resolved_t *resolved) {
    const assay_catalog_t *catalog = context->catalog;
    const assay_claim_t **claim =
        assay_arena_array(context->arena, catalog->n_claim + 1, sizeof *claim);
    if (!claim) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        if (is_named(context->job, catalog->claim[i].set)) {
            claim[resolved->n_claim++] = &catalog->claim[i];
        }
    }
    resolved->claim = claim;
    return ASSAY_OK;
}
