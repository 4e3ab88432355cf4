/* What was found by drawing the uncertain inputs: quantiles, means, shares of points. */
#include "decide/explain_tree.h"

#include <string.h>

#include "base/banned.h"

#define SEQUENCE                                                                    \
    "Sobol points (Joe and Kuo), a dimension for each input, shifted by the seed; " \
    "counter-based numbers beyond its dimensions"

const char *explain_command(explain_t *e) {
    const assay_node_t *job = e->resolved->document;
    const char *file = job && job->at.file ? job->at.file : "JOB";
    return explain_format(e, "assay decide %s --samples %u --seed %llu --json", file,
                          (unsigned)e->resolved->samples, (unsigned long long)e->resolved->seed);
}

assay_explained_t *explain_sample(explain_t *e, const char *name, const char *unit,
                                  const char *statistic, const char *of, uint32_t n) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SAMPLE, name, e->path->value, unit);
    explain_say(node, "statistic", statistic, 0.0);
    explain_say(node, "of", of, 0.0);
    explain_say(node, "points", NULL, n);
    explain_say(node, "sequence", SEQUENCE, 0.0);
    explain_say(node, "seed", NULL, (double)e->resolved->seed);
    explain_say(node, "command", explain_command(e), 0.0);
    return node;
}

/* ---- of one candidate ---- */

/* "cost_p10_usd" is a quantile of the cost. */
static const char *statistic_of(const char *key) {
    static const char *const row[][2] = {
        {"p10", "quantile 0.1"}, {"p50", "quantile 0.5"}, {"p90", "quantile 0.9"}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        if (strstr(key, row[k][0])) {
            return row[k][1];
        }
    }
    return "mean";
}

static explained_t quantile(explain_t *e, const char *of) {
    const char *key = explain_last(e);
    assay_explained_t *node =
        explain_sample(e, key, explain_unit(key), statistic_of(key), of, e->resolved->samples);
    explain_add_drawn(e, node, e->index, NULL);
    return node;
}

static explained_t hours(explain_t *e) {
    return quantile(e, "hours of the job");
}

static explained_t cost(explain_t *e) {
    return quantile(e, "cost_total_usd");
}

static explained_t tco(explain_t *e) {
    return quantile(e, "tco_usd");
}

static explained_t month(explain_t *e) {
    return quantile(e, "month_usd");
}

static explained_t deadline(explain_t *e) {
    assay_explained_t *node = explain_sample(e, explain_last(e), "1", "share of the points",
                                             "the job ends by the deadline", e->resolved->samples);
    explain_add(e, node,
                explain_work(e, "deadline", e->resolved->workload.deadline_s, "s", "deadline"));
    explain_add_drawn(e, node, e->index, NULL);
    return node;
}

/* ---- of all ---- */

/* Each that can be the choice, with what it draws; what all share stands at the first. */
void explain_add_all_drawn(explain_t *e, assay_explained_t *node) {
    const decide_game_t *game = &e->explainer->game;
    bool shown[ASSAY_DRAW_N] = {false};
    for (uint32_t c = 0; c < game->n; c++) {
        const decide_player_t *player = &game->player[c];
        if (!player->eligible) {
            continue;
        }
        assay_explained_t *own = explain_model(
            e, player->machine->id, decide_cost(player, player->point), "USD", "assay/money.h");
        explain_add_drawn(e, own, c, shown);
        explain_add(e, node, own);
    }
}

static explained_t cheapest(explain_t *e, uint32_t c) {
    const char *id = decide_game_id(&e->explainer->game, (int32_t)c);
    assay_explained_t *node = explain_sample(e, explain_last(e), "1", "share of the points",
                                             EXPLAIN_SAY(e, COSTS_LEAST, id), e->resolved->samples);
    explain_add_all_drawn(e, node);
    return node;
}

static explained_t p_cheapest(explain_t *e) {
    return cheapest(e, e->index);
}

static explained_t probability(explain_t *e) {
    const int32_t choice = e->explainer->game.choice;
    return choice < 0 ? NULL : cheapest(e, (uint32_t)choice);
}

static explained_t regret(explain_t *e) {
    assay_explained_t *node =
        explain_sample(e, explain_last(e), "USD", "mean",
                       "cost of the choice less that of the cheapest", e->resolved->samples);
    explain_add_all_drawn(e, node);
    return node;
}

#define FLEETS (DECIDE_SERVING | DECIDE_IMAGES)
#define ANY (DECIDE_TRAINING | FLEETS)

const explain_row_t explain_sample_row[] = {
    {"verdict.probability", ANY, probability},
    {"verdict.regret_usd", ANY, regret},
    {"candidates.*.p_cheapest", ANY, p_cheapest},
    {"candidates.*.probability_cheapest", ANY, p_cheapest},
    {"candidates.*.probability_deadline", DECIDE_TRAINING, deadline},
    {"candidates.*.hours_p10", DECIDE_TRAINING, hours},
    {"candidates.*.hours_p90", DECIDE_TRAINING, hours},
    {"candidates.*.cost_p10_usd", DECIDE_TRAINING, cost},
    {"candidates.*.cost_p90_usd", DECIDE_TRAINING, cost},
    {"candidates.*.tco_p10_usd", ANY, tco},
    {"candidates.*.tco_p90_usd", ANY, tco},
    {"candidates.*.month_p10_usd", DECIDE_IMAGES, month},
    {"candidates.*.month_p90_usd", DECIDE_IMAGES, month},
};
const size_t explain_sample_n = sizeof explain_sample_row / sizeof explain_sample_row[0];
