/**
 * Which machine makes the images that are asked for at the least cost over money.years, all hours
 * of it, how sure, and where that flips.
 */
#ifndef ASSAY_DECIDE_IMAGE_H
#define ASSAY_DECIDE_IMAGE_H

#include "assay/decide.h"
#include "assay/image_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const assay_machine_t *machine;
    const assay_image_demand_t *demand;
    assay_image_fleet_t fleet;
    bool fits; /* all below is filled */
    assay_money_case_t money_case;
    assay_money_result_t point; /* at central values; the job is a month of 24 x 7 */
    double month_usd;           /* running: hardware or rent, energy, operations */
    double usd_per_1000;        /* images, of the fleet at the demand */
    double usd_per_1000_busy;   /* images, of devices that are never idle */
    double images_per_s_per_w;  /* at the wall with PUE */
    assay_spread_t tco_usd, month_usd_spread;
    double p_best;
} assay_image_candidate_t;

typedef struct {
    const assay_resolved_t *resolved;
    assay_image_candidate_t *candidate;
    uint32_t n_candidate;
    int32_t choice, runner_up; /* index or -1 */
    double probability, regret_usd;
    const char *sentence;
    assay_flip_t *flip; /* as of serving, with request_time_factor */
    uint32_t n_flip;
    const assay_sensitivity_t *sensitivity; /* of the TCO */
    assay_note_t *note;
    uint32_t n_note; /* resolve's, and what an article claims of the same request */
} assay_image_decision_t;

/**
 * A request that takes longer than predicted needs more devices: their number follows the drawn
 * error in every sample. Errors: as assay_decide. Nothing fits is no error: choice is -1.
 */
assay_status_t assay_decide_images(assay_arena_t *arena, const assay_resolved_t *resolved,
                                   const char *const *data_dir, uint32_t n_data_dir,
                                   const assay_hooks_t *hooks,
                                   assay_image_decision_t **out_decision, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
