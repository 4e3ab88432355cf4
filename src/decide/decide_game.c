/* Candidates of any kind of work as players of one game. */
#include "decide/decide_game.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

/* The cheaper at central values of `best` (-1: none yet) and player c; ties: the first. */
static int32_t cheaper(const decide_game_t *game, int32_t best, uint32_t c) {
    const decide_player_t *p = game->player;
    return best < 0 || decide_cost(&p[c], p[c].point) < decide_cost(&p[best], p[best].point)
               ? (int32_t)c
               : best;
}

static void set_sides(decide_game_t *game) {
    game->choice = game->runner_up = game->mover = game->incumbent = -1;
    for (uint32_t c = 0; c < game->n; c++) {
        const decide_player_t *p = &game->player[c];
        if (!p->fits) {
            continue;
        }
        int32_t *side = p->money_case->moves ? &game->mover : &game->incumbent;
        *side = cheaper(game, *side, c);
        game->choice = p->eligible ? cheaper(game, game->choice, c) : game->choice;
    }
    for (uint32_t c = 0; c < game->n; c++) {
        if (game->player[c].eligible && (int32_t)c != game->choice) {
            game->runner_up = cheaper(game, game->runner_up, c);
        }
    }
}

static assay_status_t begin(assay_decide_ctx_t *ctx, uint8_t work, uint32_t n, decide_game_t *out,
                            assay_error_t *err) {
    *out = (decide_game_t){.ctx = ctx, .work = work, .n = n};
    out->player = assay_arena_array(ctx->arena, n, sizeof *out->player);
    if (!out->player) {
        return assay_error_memory(err, NULL);
    }
    memset(out->player, 0, n * sizeof *out->player);
    return ASSAY_OK;
}

assay_status_t decide_game_of_training(assay_decide_ctx_t *ctx, const assay_decision_t *decision,
                                       decide_game_t *out, assay_error_t *err) {
    const assay_status_t status = begin(ctx, DECIDE_TRAINING, decision->n_candidate, out, err);
    for (uint32_t c = 0; c < decision->n_candidate && !status; c++) {
        const assay_candidate_t *candidate = &decision->candidate[c];
        out->player[c] = (decide_player_t){.machine = candidate->machine,
                                           .fits = candidate->fits,
                                           .eligible = candidate->eligible,
                                           .money_case = &candidate->money_case,
                                           .point = &candidate->point,
                                           .estimate = &candidate->plan.best,
                                           .p_best = candidate->p_best};
    }
    if (!status) {
        set_sides(out);
    }
    return status;
}

assay_status_t decide_game_of_fleets(assay_decide_ctx_t *ctx, const fleet_t *fleet, uint32_t n,
                                     const assay_serving_candidate_t *serving, decide_game_t *out,
                                     assay_error_t *err) {
    const uint8_t work = serving ? DECIDE_SERVING : DECIDE_IMAGES;
    const assay_status_t status = begin(ctx, work, n, out, err);
    for (uint32_t c = 0; c < n && !status; c++) {
        out->player[c] = (decide_player_t){.machine = fleet[c].machine,
                                           .fits = fleet[c].fits,
                                           .eligible = fleet[c].fits,
                                           .money_case = &fleet[c].money_case,
                                           .point = &fleet[c].point,
                                           .fleet = &fleet[c],
                                           .serving = serving ? &serving[c] : NULL,
                                           .p_best = fleet[c].p_best};
    }
    if (!status) {
        set_sides(out);
    }
    return status;
}

assay_status_t decide_game_of(assay_decide_ctx_t *ctx, const assay_explain_of_t *of,
                              decide_game_t *out, assay_error_t *err) {
    if (of->training) {
        return decide_game_of_training(ctx, of->training, out, err);
    }
    const assay_serving_candidate_t *serving = of->serving ? of->serving->candidate : NULL;
    const uint32_t n = of->serving ? of->serving->n_candidate : of->images->n_candidate;
    fleet_t *fleet = assay_arena_array(ctx->arena, n, sizeof *fleet);
    if (!fleet) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t c = 0; c < n; c++) {
        fleet[c] =
            serving ? fleet_of_serving(&serving[c]) : fleet_of_image(&of->images->candidate[c]);
        fleet_errors(ctx, &fleet[c]);
    }
    return decide_game_of_fleets(ctx, fleet, n, serving, out, err);
}

const assay_dist_t *decide_draw_of(const decide_player_t *player, assay_draw_t draw) {
    return player->fleet && draw == ASSAY_DRAW_STEP_COMMON ? &player->fleet->step_common
           : player->fleet && draw == ASSAY_DRAW_STEP_OWN  ? &player->fleet->step_own
                                                           : &player->money_case->draw[draw];
}

void decide_values(const decide_player_t *player, const assay_draws_t *draws, uint32_t sample,
                   double out_x[ASSAY_DRAW_N]) {
    static const assay_draw_t step[] = {ASSAY_DRAW_STEP_COMMON, ASSAY_DRAW_STEP_OWN};
    double u[ASSAY_DRAW_N];
    if (draws) {
        assay_decide_draw_of(draws, sample, u);
    }
    assay_money_draw(player->money_case, draws ? u : NULL, out_x);
    for (int k = 0; k < 2 && player->fleet && draws; k++) {
        out_x[step[k]] = assay_dist_quantile(decide_draw_of(player, step[k]), u[step[k]]);
    }
}

void decide_side_begin(const decide_player_t *player, decide_side_t *out) {
    out->money_case = *player->money_case;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        out->times[d] = 1.0;
        out->plus[d] = 0.0;
    }
    out->slower = 1.0;
    out->out = out->built = false;
}

double decide_side_nodes(const decide_player_t *player, double slower, const double *x) {
    slower *= x[ASSAY_DRAW_STEP_COMMON] * x[ASSAY_DRAW_STEP_OWN];
    return player->fleet ? fleet_nodes_at(player->fleet, slower) : player->money_case->nodes;
}

void decide_side_eval(const decide_player_t *player, decide_side_t *side, const double *x,
                      assay_money_result_t *out) {
    double value[ASSAY_DRAW_N];
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        value[d] = x[d] * side->times[d] + side->plus[d];
    }
    if (player->fleet) {
        /* slower steps need more replicas; how long a month is they do not change */
        const double nodes = decide_side_nodes(player, side->slower, value);
        value[ASSAY_DRAW_STEP_COMMON] = value[ASSAY_DRAW_STEP_OWN] = 1.0;
        if (fabs(nodes - side->money_case.nodes) > 0.0) {
            assay_money_set_nodes(&side->money_case, nodes);
            side->built = false;
        }
    }
    if (!side->built) {
        assay_money_flows(&side->money_case, &side->flows);
        side->built = true;
    }
    assay_money_sum(&side->flows, value, out);
}
