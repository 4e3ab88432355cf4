/* Reserved and spot: what a rented node costs under other terms than on demand. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resolve/resolve_context.h"

#include "base/banned.h"

static const struct {
    assay_message_t subject;
    size_t column;        /* of assay_price_t */
    const char *fallback; /* row of defaults.csv */
    bool discount;        /* off the price on demand; else times it */
} pricing_row[ASSAY_PRICING_N] = {
    [ASSAY_PRICING_RESERVED_1Y] = {ASSAY_MSG_RESOLVE_RENT_RESERVED_1Y,
                                   offsetof(assay_price_t, reserved_1y_usd_per_h),
                                   "money.reserved_1y_discount", true},
    [ASSAY_PRICING_RESERVED_3Y] = {ASSAY_MSG_RESOLVE_RENT_RESERVED_3Y,
                                   offsetof(assay_price_t, reserved_3y_usd_per_h),
                                   "money.reserved_3y_discount", true},
    [ASSAY_PRICING_SPOT] = {ASSAY_MSG_RESOLVE_RENT_SPOT, offsetof(assay_price_t, spot_usd_per_h),
                            "money.spot_over_on_demand", false},
};

/* Fewer do not make a distribution: then median, p10 and p90 of all offers. */
#define PROVIDERS_LEAST 5u

typedef struct {
    const char *provider;
    double usd_per_h; /* of one node */
} offer_t;

static int by_provider_and_price(const void *a, const void *b) {
    const offer_t *x = a, *y = b;
    const int order = strcmp(x->provider, y->provider);
    return order ? order : (x->usd_per_h > y->usd_per_h) - (x->usd_per_h < y->usd_per_h);
}

/* The median offer of each provider, so that one with many regions counts once. offer: in order. */
static uint32_t take_medians(const offer_t *offer, uint32_t n, double *out) {
    uint32_t n_out = 0;
    for (uint32_t first = 0, next; first < n; first = next) {
        for (next = first; next < n && strcmp(offer[next].provider, offer[first].provider) == 0;) {
            next++;
        }
        const uint32_t low = first + (next - first - 1) / 2, high = first + (next - first) / 2;
        out[n_out++] = 0.5 * (offer[low].usd_per_h + offer[high].usd_per_h);
    }
    return n_out;
}

assay_status_t resolve_offers(resolve_context_t *context, const assay_machine_t *machine,
                              size_t column, assay_fact_t *out) {
    const assay_catalog_t *catalog = context->catalog;
    offer_t *offer = assay_arena_array(context->arena, catalog->n_price, sizeof *offer);
    double *price = assay_arena_array(context->arena, catalog->n_price, sizeof *price);
    assay_dist_t *dist = assay_arena_alloc(context->arena, sizeof *dist);
    uint32_t n = 0;
    *out = assay_fact_unknown();
    if (!price || !offer || !dist) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < catalog->n_price; i++) {
        const assay_price_t *row = &catalog->price[i];
        const assay_fact_t *fact = (const assay_fact_t *)(const void *)((const char *)row + column);
        if (row->accelerator == machine->accelerator && row->count > 0 && fact->known) {
            offer[n++] =
                (offer_t){row->provider, fact->v / row->count * machine->packages_per_node};
        }
    }
    if (n == 0) {
        return ASSAY_OK;
    }
    qsort(offer, n, sizeof *offer, by_provider_and_price);
    const uint32_t n_provider = take_medians(offer, n, price);
    const bool many = n_provider >= PROVIDERS_LEAST;
    for (uint32_t i = 0; i < n && !many; i++) {
        price[i] = offer[i].usd_per_h;
    }
    *dist = assay_dist_of_sample(price, many ? n_provider : n);
    char count[2][16];
    snprintf(count[0], sizeof count[0], "%u", many ? n_provider : n);
    snprintf(count[1], sizeof count[1], "%u", n);
    const char *source = many ? RESOLVE_SAY(context, PROVIDER_PRICES, count[0], count[1])
                              : RESOLVE_SAY(context, MEDIAN_PRICES, count[0]);
    if (!source) {
        return resolve_no_memory(context);
    }
    *out = assay_fact_of_dist(dist, source);
    out->dist = many ? dist : NULL;
    return ASSAY_OK;
}

assay_status_t resolve_terms(resolve_context_t *context, const assay_machine_t *machine,
                             assay_pricing_t pricing, const assay_fact_t *on_demand, bool offers,
                             assay_fact_t *out) {
    assay_fact_t factor;
    assay_status_t status = ASSAY_OK;
    *out = assay_fact_unknown();
    if (offers) {
        status = resolve_offers(context, machine, pricing_row[pricing].column, out);
    }
    if (status == ASSAY_OK && !out->known && on_demand->known) {
        status = resolve_default(context, pricing_row[pricing].fallback, &factor);
        if (status == ASSAY_OK && factor.known) {
            const bool off = pricing_row[pricing].discount;
            *out =
                assay_fact_exact(on_demand->v * (off ? 1.0 - factor.v : factor.v), factor.source);
            out->p10 = on_demand->v * (off ? 1.0 - factor.p90 : factor.p10);
            out->p90 = on_demand->v * (off ? 1.0 - factor.p10 : factor.p90);
        }
    }
    if (status != ASSAY_OK || !out->known) {
        return status;
    }
    const char *const arg[] = {machine->id};
    const char *subject = assay_message_text(context->arena, context->locale.lang,
                                             pricing_row[pricing].subject, arg, 1);
    return subject ? resolve_assume(context, subject, ASSAY_DIM_MONEY_PER_HOUR, out, NULL)
                   : resolve_no_memory(context);
}

assay_status_t resolve_pricing(resolve_context_t *context, const assay_job_candidate_t *candidate,
                               assay_machine_t *machine) {
    if (candidate->pricing.origin != ASSAY_GIVEN && candidate->committed.origin != ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    if (!machine->usd_per_h.known) {
        const bool pricing = candidate->pricing.origin == ASSAY_GIVEN;
        assay_error_set(context->err, ASSAY_INPUT,
                        pricing ? &candidate->pricing.at : &candidate->committed.at,
                        "'%s' is of rented nodes, and '%s' is bought",
                        pricing ? "pricing" : "committed", machine->id);
        assay_error_next(context->err, "give usd_per_h in place of buy_usd, or leave it out");
        return ASSAY_INPUT;
    }
    machine->pricing = (uint8_t)candidate->pricing.v;
    const bool reserved = machine->pricing == ASSAY_PRICING_RESERVED_1Y ||
                          machine->pricing == ASSAY_PRICING_RESERVED_3Y;
    machine->committed = candidate->committed.origin == ASSAY_GIVEN ? candidate->committed.v
                         : reserved                                 ? 1.0
                                                                    : 0.0;
    if (machine->pricing == ASSAY_PRICING_ON_DEMAND || candidate->usd_per_h.origin == ASSAY_GIVEN) {
        return ASSAY_OK; /* on demand; or the job says what these terms cost */
    }
    assay_fact_t price;
    const assay_status_t status = resolve_terms(context, machine, (assay_pricing_t)machine->pricing,
                                                &machine->usd_per_h, true, &price);
    if (status == ASSAY_OK && price.known) {
        machine->usd_per_h = price;
    }
    return status;
}
