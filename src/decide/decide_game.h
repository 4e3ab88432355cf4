/** Inside decide: the candidates of any kind of work as flips, maps and the study of uncertainty
   see them: a case of money each, what can be changed about it, and the cost that decides. */
#ifndef ASSAY_DECIDE_DECIDE_GAME_H
#define ASSAY_DECIDE_DECIDE_GAME_H

#include "assay/explain.h"
#include "decide/fleet_money.h"

typedef struct {
    const assay_machine_t *machine;
    bool fits, eligible; /* eligible: it can be the choice */
    const assay_money_case_t *money_case;
    const assay_money_result_t *point; /* at central values */
    const assay_estimate_t *estimate;  /* of one that trains; NULL else */
    const fleet_t *fleet;              /* of one that serves or makes images; NULL else */
    const assay_serving_candidate_t *serving;
    double p_best;
    const double *usd; /* (samples) cost that decides; NULL: not sampled */
} decide_player_t;

/* Kinds of work, as bits. */
enum { DECIDE_TRAINING = 1, DECIDE_SERVING = 2, DECIDE_IMAGES = 4 };

typedef struct {
    assay_decide_ctx_t *ctx;
    uint8_t work;
    decide_player_t *player; /* (n) */
    uint32_t n;
    int32_t choice, runner_up; /* -1 = none */
    int32_t mover, incumbent;  /* the cheapest that moves and that stays, of those that fit */
} decide_game_t;

/* Errors of all: ASSAY_MEMORY. */
assay_status_t decide_game_of_training(assay_decide_ctx_t *ctx, const assay_decision_t *decision,
                                       decide_game_t *out, assay_error_t *err);
/** Whichever decision is there. */
assay_status_t decide_game_of(assay_decide_ctx_t *ctx, const assay_explain_of_t *of,
                              decide_game_t *out, assay_error_t *err);
/** fleet: (n), kept. serving: (n) the candidates; NULL: they make images. */
assay_status_t decide_game_of_fleets(assay_decide_ctx_t *ctx, const fleet_t *fleet, uint32_t n,
                                     const assay_serving_candidate_t *serving, decide_game_t *out,
                                     assay_error_t *err);

static inline const char *decide_game_id(const decide_game_t *game, int32_t player) {
    return game->player[player].machine->id;
}
/** Cost of the job where it trains, TCO of the years where it serves. */
static inline double decide_cost(const decide_player_t *player,
                                 const assay_money_result_t *result) {
    return player->fleet ? result->tco_usd : result->job_usd;
}
/** How an input is drawn; the errors of the steps too, which a fleet's case has not. */
const assay_dist_t *decide_draw_of(const decide_player_t *player, assay_draw_t draw);
/** Drawn values of one sample; NULL draws: central ones. The errors of the steps are among them. */
void decide_values(const decide_player_t *player, const assay_draws_t *draws, uint32_t sample,
                   double out_x[ASSAY_DRAW_N]);

/** A candidate that is being changed. */
typedef struct {
    assay_money_case_t money_case;
    double times[ASSAY_DRAW_N], plus[ASSAY_DRAW_N]; /* what becomes of drawn and central values */
    double slower; /* of a fleet: replicas over those that are needed */
    bool out;      /* it cannot do the work any more */
    bool built;    /* flows are those of money_case */
    assay_money_flows_t flows;
} decide_side_t;
void decide_side_begin(const decide_player_t *player, decide_side_t *out);
/** Nodes at drawn values x, of a fleet that is so many times slower. */
double decide_side_nodes(const decide_player_t *player, double slower, const double *x);
/** x: as decide_values gives them. A fleet has the nodes that it needs then. */
void decide_side_eval(const decide_player_t *player, decide_side_t *side, const double *x,
                      assay_money_result_t *out);

#endif
