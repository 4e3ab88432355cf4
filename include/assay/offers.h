/**
 * Which instances that clouds offer fit a job, cheapest first: how many of them, for what an hour,
 * under which terms, how old the price is, and whether host and disks hold what they must.
 *
 * An offer is one price row under one term. Does the job fit on one instance, or on how many: the
 * memory model answers (several together where each is a whole node of 8 devices). Cost: serving,
 * dollars an hour of the instances that hold one replica; training and fine-tuning, dollars for
 * 10^18 operations at the dense peak of the job's precision, for there the work is given and the
 * time is not. Prices of "A100 80 GB" count as of the board that the name is read as, and say so.
 *
 * Load time: weights over what the disks read, or the network where there is no local disk.
 *
 * Test: tests/unit/test_offers.c. Thread-safe: yes.
 */
#ifndef ASSAY_OFFERS_H
#define ASSAY_OFFERS_H

#include "assay/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_OFFER_TERM_LIST(X) \
    X(ON_DEMAND, "demand")       \
    X(SPOT, "spot")              \
    X(RESERVED_1Y, "1 year")     \
    X(RESERVED_3Y, "3 years")
typedef enum {
#define ASSAY_OFFER_TERM_ENUM(code, name) ASSAY_OFFER_##code,
    ASSAY_OFFER_TERM_LIST(ASSAY_OFFER_TERM_ENUM)
#undef ASSAY_OFFER_TERM_ENUM
        ASSAY_OFFER_TERM_N
} assay_offer_term_t;
const char *assay_offer_term_name(assay_offer_term_t term);

typedef enum { ASSAY_HOLDS_UNKNOWN, ASSAY_HOLDS_YES, ASSAY_HOLDS_NO } assay_holds_t;

typedef struct {
    const assay_price_t *price;
    const assay_accelerator_t *part;
    uint8_t term;       /* assay_offer_term_t */
    uint32_t instances; /* that hold the job (one replica) */
    double usd_per_h;   /* of all of them */
    double usd_per_eflop;
    double load_s;
    bool from_disk;    /* else over the network */
    uint8_t ram, disk; /* assay_holds_t: weights of all models of a host; those, or the raw data */
    uint32_t age_days; /* of the price, from the first day of what its date names */
    bool variant_stated; /* the price names the board */
} assay_offer_t;

typedef struct {
    assay_offer_t *offer; /* cheapest first */
    uint32_t n_offer;
    uint32_t n_not_suited; /* price rows of parts without the precision, or on which nothing fits */
    uint32_t n_unknown;    /* price rows of parts of which only prices are known */
    bool by_work;          /* ordered by usd_per_eflop, else by usd_per_h */
    double weights_bytes;  /* of one model */
    uint32_t models_per_host;
    const char *load_source; /* of the rates behind load_s */
} assay_offers_t;

/** Errors: those of resolve for the job itself; ASSAY_LIMIT. */
assay_status_t assay_offers(assay_arena_t *arena, const assay_job_t *job,
                            const assay_catalog_t *catalog, const assay_calibration_t *calibration,
                            assay_offers_t **out_offers, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
