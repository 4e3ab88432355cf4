/* What a job, a token and the years cost, and what follows from that. */
#include "decide/explain_tree.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

#define MODEL "assay/money.h"
#define JOULES_PER_KWH 3.6e6

explained_t explain_job(explain_t *e) {
    return explain_terms(e, "cost_total_usd", e->point->job_usd, false, false);
}

explained_t explain_tco(explain_t *e) {
    return explain_terms(e, "tco_usd", e->point->tco_usd, true,
                         e->money_case->formula == ASSAY_TCO_ARTICLE);
}

static explained_t term_of(explain_t *e, bool years) {
    const bool article = e->money_case->formula == ASSAY_TCO_ARTICLE;
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        if (strcmp(explain_last(e), assay_term_name((assay_term_t)k)) == 0) {
            return explain_term_of(e, (assay_term_t)k, years, article);
        }
    }
    return NULL;
}

static explained_t job_term(explain_t *e) {
    return term_of(e, false);
}

static explained_t years_term(explain_t *e) {
    return term_of(e, true);
}

static explained_t epoch(explain_t *e) {
    return explain_quotient(e, "cost_per_epoch_usd", e->point->per_epoch_usd, "USD", explain_job(e),
                            explain_work(e, "epochs", e->money_case->epochs, "1", "epochs"));
}

explained_t explain_rate(explain_t *e) {
    return explain_quotient(e, "rate_usd_per_h", e->point->rate_usd_per_h, "USD/h",
                            explain_difference(e, "running cost",
                                               e->point->job_usd - e->point->one_time_usd, "USD",
                                               explain_job(e), explain_once(e)),
                            explain_hours(e));
}

static explained_t node_hour(explain_t *e) {
    static const assay_term_t left_out[] = {
        ASSAY_TERM_MIGRATION_1, ASSAY_TERM_MIGRATION_2, ASSAY_TERM_MIGRATION_3, ASSAY_TERM_TRAINING,
        ASSAY_TERM_DEBT,        ASSAY_TERM_CONTINGENCY, ASSAY_TERM_WAIT,        ASSAY_TERM_EGRESS};
    const double node_h = e->point->hours * e->money_case->nodes;
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "cost but for the move",
                                          e->point->node_h_usd * node_h, "USD");
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        bool counts = true;
        for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
            counts &= (int)left_out[i] != k;
        }
        if (counts && (fabs(e->point->job_term_usd[k]) > 0.0 || k == 0)) {
            explain_add(e, sum, explain_term_of(e, (assay_term_t)k, false, false));
        }
    }
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "node-hours", node_h, "h");
    explain_add(e, all, explain_key(e, "nodes", e->money_case->nodes, "1", "candidates[].nodes"));
    explain_add(e, all, explain_hours(e));
    return explain_quotient(e, "node_h_usd", e->point->node_h_usd, "USD/h", sum, all);
}

static explained_t annuity(explain_t *e) {
    assay_explained_t *factor =
        explain_model(e, "present value of one USD a year", e->flows.factor, "year", MODEL);
    explain_add(e, factor,
                explain_key(e, "discount rate", e->money_case->rate, "1", "money.discount_rate"));
    explain_add(e, factor, explain_key(e, "years", e->money_case->years, "year", "money.years"));
    return explain_quotient(e, "tco_annuity_usd_per_year", e->point->annuity_usd_per_year,
                            "USD/year", explain_tco(e), factor);
}

static explained_t cash_flow(explain_t *e) {
    return explain_terms(e, "tco_cash_flow_usd", e->point->tco_cash_flow_usd, true, false);
}

static explained_t article(explain_t *e) {
    return explain_terms(e, "tco_article_usd", e->point->tco_article_usd, true, true);
}

/* ---- time ---- */

static explained_t days(explain_t *e) {
    return explain_quotient(e, "days", e->point->days, "d", explain_hours(e),
                            explain_constant(e, "hours a day", 24.0, "h/d"));
}

static explained_t stops_an_hour(explain_t *e) {
    const assay_money_case_t *c = e->money_case;
    const double mtbf_h = e->x[ASSAY_DRAW_OF(MTBF)];
    const double own = mtbf_h > 0.0 ? c->packages / mtbf_h : 0.0;
    const double taken = c->spot ? e->x[ASSAY_DRAW_OF(PREEMPTIONS)] : 0.0;
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "stops an hour", own + taken, "1/h");
    if (mtbf_h > 0.0) {
        explain_add(e, sum,
                    explain_quotient(e, "failures an hour", own, "1/h",
                                     explain_model(e, "accelerators", c->packages, "1", MODEL),
                                     explain_factor(e, ASSAY_DRAW_OF(MTBF))));
    }
    if (c->spot || mtbf_h <= 0.0) {
        explain_add(e, sum, explain_factor(e, ASSAY_DRAW_OF(PREEMPTIONS)));
    }
    return sum;
}

static explained_t stops(explain_t *e) {
    if (!(e->point->stops > 0.0)) {
        return explain_key(e, "stops", 0.0, "1", "money.terms.goodput");
    }
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "stops", e->point->stops, "1");
    explain_add(e, all, stops_an_hour(e));
    explain_add(e, all, explain_hours(e));
    return all;
}

/* Young and Daly's interval, and what follows. */
static explained_t goodput_part(explain_t *e) {
    const char *name = explain_last(e);
    assay_explained_t *node =
        explain_model(e, name, e->path->value, explain_unit(name), "assay/goodput.h");
    explain_add(e, node, stops_an_hour(e));
    explain_add(e, node, explain_factor(e, ASSAY_DRAW_OF(CHECKPOINT)));
    explain_add(e, node, explain_factor(e, ASSAY_DRAW_OF(RESTART)));
    return node;
}

static explained_t move_days(explain_t *e) {
    const assay_money_case_t *c = e->money_case;
    const double engineers = fmax(1.0, c->engineers), week = 7.0 / 5.0;
    const double waits = e->x[ASSAY_DRAW_OF(REVIEW_WAIT)];
    const double work = e->point->move_days / week - waits;
    assay_explained_t *levels =
        explain_node(e, ASSAY_EXPLAIN_SUM, "work of the move", work * engineers, "person-day");
    for (uint8_t k = 0; k < 3; k++) {
        explain_add(e, levels, explain_factor(e, (uint8_t)(ASSAY_DRAW_LEVEL_1 + k)));
    }
    assay_explained_t *working =
        explain_node(e, ASSAY_EXPLAIN_SUM, "working days", work + waits, "d");
    explain_add(e, working,
                explain_quotient(e, "days of each", work, "d", levels,
                                 explain_key(e, "engineers, one at least", engineers, "1",
                                             "migration.engineers")));
    explain_add(e, working, explain_factor(e, ASSAY_DRAW_OF(REVIEW_WAIT)));
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "move_calendar_days", e->point->move_days, "d");
    explain_add(e, all, working);
    explain_add(e, all,
                explain_quotient(e, "days over working days", week, "1",
                                 explain_constant(e, "days a week", 7.0, "d"),
                                 explain_constant(e, "working days a week", 5.0, "d")));
    return all;
}

/* ---- energy ---- */

static assay_token_energy_t energy_of(const explain_t *e) {
    assay_token_energy_t energy = {0};
    (void)assay_money_token_energy(e->money_case, e->point, &energy);
    return energy;
}

static explained_t per_token(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    const double joules = JOULES_PER_KWH * e->point->energy_kwh;
    assay_explained_t *all = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "energy", joules, "J");
    explain_add(e, all, explain_energy(e));
    explain_add(e, all, explain_constant(e, "joules in a kWh", JOULES_PER_KWH, "J/kWh"));
    return explain_quotient(
        e, explain_format(e, "joules_per_%s", work->net.sample ? work->net.sample : "token"),
        energy_of(e).v, "J", all,
        work->tokens > 0.0 ? explain_tokens(e)
                           : explain_model(e, "tokens a step", e->money_case->tokens, "1", MODEL));
}

static explained_t per_token_range(explain_t *e) {
    assay_explained_t *node = explain_model(e, explain_last(e), e->path->value, "J", MODEL);
    static const assay_draw_t factor[] = {ASSAY_DRAW_STEP_COMMON, ASSAY_DRAW_STEP_OWN,
                                          ASSAY_DRAW_POWER, ASSAY_DRAW_PUE};
    explain_add(e, node, per_token(e));
    for (size_t k = 0; k < sizeof factor / sizeof factor[0]; k++) {
        explain_add(e, node, explain_drawn(e, e->index, factor[k]));
    }
    return node;
}

/* Share of a node's draw that its accelerators take. */
static explained_t packages_share(explain_t *e) {
    const assay_money_case_t *c = e->money_case;
    const double share = c->packages_w / c->node_w;
    assay_explained_t *most =
        explain_node(e, ASSAY_EXPLAIN_MIN, "share of the accelerators", fmin(1.0, share), "1");
    explain_add(e, most, explain_constant(e, "all of it", 1.0, "1"));
    explain_add(
        e, most,
        explain_quotient(
            e, "accelerators over the node", share, "1",
            explain_model(e, "accelerators of a node", c->packages_w, "W", "assay/physics.h"),
            explain_model(e, "power of a node", c->node_w, "W", "assay/physics.h")));
    return most;
}

static explained_t per_token_packages(explain_t *e) {
    const assay_token_energy_t energy = energy_of(e);
    assay_explained_t *theirs = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "what accelerators draw",
                                             energy.v * (1.0 - energy.host_share), "J");
    explain_add(e, theirs, per_token(e));
    explain_add(e, theirs, packages_share(e));
    return explain_quotient(e, explain_last(e), energy.packages, "J", theirs,
                            explain_factor(e, ASSAY_DRAW_PUE));
}

static explained_t host_share(explain_t *e) {
    return explain_difference(e, "host_power_share", energy_of(e).host_share, "1",
                              explain_constant(e, "all of it", 1.0, "1"), packages_share(e));
}

static explained_t carbon(explain_t *e) {
    const assay_money_case_t *c = e->money_case;
    const double made = c->nodes * c->central[ASSAY_DRAW_OF(EMBODIED)];
    const double share = e->point->hours / ASSAY_HOURS_PER_YEAR / c->years;
    const double grid = e->point->energy_kwh * e->x[ASSAY_DRAW_OF(INTENSITY)] / 1000.0;
    assay_explained_t *sum =
        explain_node(e, ASSAY_EXPLAIN_SUM, "carbon_kg", e->point->carbon_kg, "kg");
    assay_explained_t *electricity =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, "of the electricity", grid, "kg");
    explain_add(e, electricity, explain_energy(e));
    explain_add(e, electricity, explain_factor(e, ASSAY_DRAW_OF(INTENSITY)));
    explain_add(e, electricity, explain_constant(e, "kg in a gram", 1e-3, "kg/g"));
    explain_add(e, sum, electricity);
    if (made > 0.0) {
        assay_explained_t *machines =
            explain_node(e, ASSAY_EXPLAIN_PRODUCT, "of making the machines", made * share, "kg");
        explain_add(e, machines, explain_key(e, "nodes", c->nodes, "1", "candidates[].nodes"));
        explain_add(e, machines, explain_factor(e, ASSAY_DRAW_OF(EMBODIED)));
        assay_explained_t *life = explain_node(e, ASSAY_EXPLAIN_PRODUCT, "hours of the years",
                                               ASSAY_HOURS_PER_YEAR * c->years, "h");
        explain_add(e, life, explain_constant(e, "hours a year", ASSAY_HOURS_PER_YEAR, "h"));
        explain_add(e, life, explain_key(e, "years", c->years, "year", "money.years"));
        explain_add(e, machines,
                    explain_quotient(e, "share of their life", share, "1", explain_hours(e), life));
        explain_add(e, sum, machines);
    }
    return sum;
}

/* ---- of any candidate ---- */

explained_t explain_cost(explain_t *e, uint32_t c) {
    explain_t of = *e;
    if (!explain_open(&of, c)) {
        return NULL;
    }
    const decide_player_t *player = &e->explainer->game.player[c];
    const char *name = EXPLAIN_SAY(&of, COST_OF, player->machine->id);
    explained_t node =
        explain_terms(&of, name, decide_cost(player, of.point), player->fleet != NULL,
                      of.money_case->formula == ASSAY_TCO_ARTICLE);
    e->failed |= of.failed;
    return node;
}

explained_t explain_cost_at(explain_t *e, uint32_t c, const double *x) {
    explain_t of = *e;
    const decide_player_t *player = &e->explainer->game.player[c];
    decide_side_t *side = &e->explainer->world.side[c];
    assay_money_result_t result;
    if (!explain_open(&of, c) || side->out) {
        return NULL;
    }
    decide_side_eval(player, side, x, &result);
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        const bool step = d == ASSAY_DRAW_STEP_COMMON || d == ASSAY_DRAW_STEP_OWN;
        of.x[d] = player->fleet && step ? 1.0 : x[d] * side->times[d] + side->plus[d];
    }
    of.was = of.money_case;
    of.money_case = &side->money_case;
    of.flows = side->flows;
    of.point = &result;
    const char *name = EXPLAIN_SAY(&of, COST_OF, player->machine->id);
    explained_t node = explain_terms(&of, name, decide_cost(player, &result), player->fleet != NULL,
                                     of.money_case->formula == ASSAY_TCO_ARTICLE);
    e->failed |= of.failed;
    return node;
}

/* ---- the verdict ---- */

/* Where the running costs of choice and runner-up cross, as a share of the work. */
static explained_t break_even(explain_t *e) {
    const decide_game_t *game = &e->explainer->game;
    if (game->choice < 0 || game->runner_up < 0) {
        return NULL;
    }
    explain_t a = *e, b = *e;
    (void)explain_open(&a, (uint32_t)game->choice);
    (void)explain_open(&b, (uint32_t)game->runner_up);
    const double once = a.point->one_time_usd - b.point->one_time_usd;
    const double run[2] = {a.point->job_usd - a.point->one_time_usd,
                           b.point->job_usd - b.point->one_time_usd};
    explained_t running[2] = {explain_difference(&a, "running cost of the choice", run[0], "USD",
                                                 explain_job(&a), explain_once(&a)),
                              explain_difference(&b, "running cost of the runner-up", run[1], "USD",
                                                 explain_job(&b), explain_once(&b))};
    explained_t ahead = explain_difference(e, "paid before the work starts", once, "USD",
                                           explain_once(&a), explain_once(&b));
    explained_t share = explain_quotient(
        e, "share of the work", once / (run[1] - run[0]), "1", ahead,
        explain_difference(e, "saved by running", run[1] - run[0], "USD", running[1], running[0]));
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, explain_last(e), e->path->value, "1");
    explain_add(e, all, share);
    explain_add(e, all, explain_tokens(e));
    e->failed |= a.failed || b.failed;
    return all;
}

#define TRAIN DECIDE_TRAINING
#define FLEETS (DECIDE_SERVING | DECIDE_IMAGES)
#define ANY (TRAIN | FLEETS)

const explain_row_t explain_money_row[] = {
    {"verdict.break_even_tokens", TRAIN, break_even},
    {"verdict.break_even_samples", TRAIN, break_even},
    {"candidates.*.days", TRAIN, days},
    {"candidates.*.energy_kwh", TRAIN, explain_energy},
    {"candidates.*.energy_kwh_per_month", FLEETS, explain_energy},
    {"candidates.*.joules_per_token", TRAIN, per_token},
    {"candidates.*.joules_per_token_p10", TRAIN, per_token_range},
    {"candidates.*.joules_per_token_p90", TRAIN, per_token_range},
    {"candidates.*.joules_per_token_accelerators", TRAIN, per_token_packages},
    {"candidates.*.joules_per_sample", TRAIN, per_token},
    {"candidates.*.joules_per_sample_p10", TRAIN, per_token_range},
    {"candidates.*.joules_per_sample_p90", TRAIN, per_token_range},
    {"candidates.*.joules_per_sample_accelerators", TRAIN, per_token_packages},
    {"candidates.*.host_power_share", TRAIN, host_share},
    {"candidates.*.cost_total_usd", TRAIN, explain_job},
    {"candidates.*.cost_per_epoch_usd", TRAIN, epoch},
    {"candidates.*.cost_terms_usd.*", TRAIN, job_term},
    {"candidates.*.one_time_usd", ANY, explain_once},
    {"candidates.*.rate_usd_per_h", TRAIN, explain_rate},
    {"candidates.*.node_h_usd", TRAIN, node_hour},
    {"candidates.*.tco_annuity_usd_per_year", TRAIN, annuity},
    {"candidates.*.goodput", TRAIN, explain_goodput},
    {"candidates.*.stops", TRAIN, stops},
    {"candidates.*.stop_cost_s", TRAIN, goodput_part},
    {"candidates.*.checkpoint_interval_s", TRAIN, goodput_part},
    {"candidates.*.checkpoint_share", TRAIN, goodput_part},
    {"candidates.*.carbon_kg", TRAIN, carbon},
    {"candidates.*.move_calendar_days", TRAIN, move_days},
    {"candidates.*.tco_usd", ANY, explain_tco},
    {"candidates.*.tco_cash_flow_usd", TRAIN, cash_flow},
    {"candidates.*.tco_article_usd", TRAIN, article},
    {"candidates.*.tco_terms_usd.*", TRAIN, years_term},
};
const size_t explain_money_n = sizeof explain_money_row / sizeof explain_money_row[0];
