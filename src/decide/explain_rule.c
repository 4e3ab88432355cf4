/* What the rules of thumb ask about, and the reasons of the verdict. */
#include <math.h>
#include <string.h>

#include "decide/answers.h"
#include "decide/explain_tree.h"

#include "base/banned.h"

#define TRAIN DECIDE_TRAINING
#define ROUNDING 1e-12

/* ---- reasons and rules ---- */

/* Which term differs by so much; of the hardware what is left of it goes with its price. -1: none.
 */
static int term_of(const assay_decision_t *decision, double usd) {
    const double *a = decision->candidate[decision->runner_up].point.job_term_usd;
    const double *b = decision->candidate[decision->choice].point.job_term_usd;
    for (int k = 0; k < ASSAY_TERM_N; k++) {
        const bool hardware = k == ASSAY_TERM_CAPEX;
        const double by =
            hardware ? a[k] + a[ASSAY_TERM_RESIDUAL] - b[k] - b[ASSAY_TERM_RESIDUAL] : a[k] - b[k];
        if (k != ASSAY_TERM_RESIDUAL && fabs(by - usd) <= ROUNDING * fabs(usd)) {
            return k;
        }
    }
    return -1;
}

/* A term of the runner-up less that of the choice. */
static explained_t reason(explain_t *e) {
    const assay_decision_t *decision = e->explainer->of.training;
    const uint32_t i = e->path->step[1].index;
    if (i >= decision->n_reason || decision->runner_up < 0) {
        return NULL;
    }
    const assay_reason_t *reason = &decision->reason[i];
    const int term = term_of(decision, reason->usd);
    if (term < 0) {
        return NULL;
    }
    explained_t side[2];
    const int32_t index[2] = {decision->runner_up, decision->choice};
    for (int k = 0; k < 2; k++) {
        explain_t of = *e;
        (void)explain_open(&of, (uint32_t)index[k]);
        const double *usd = of.point->job_term_usd;
        side[k] = explain_term_of(&of, (assay_term_t)term, false, false);
        if (term == ASSAY_TERM_CAPEX) {
            assay_explained_t *both =
                explain_node(&of, ASSAY_EXPLAIN_SUM, "capex and residual",
                             usd[ASSAY_TERM_CAPEX] + usd[ASSAY_TERM_RESIDUAL], "USD");
            explain_add(&of, both, side[k]);
            explain_add(&of, both, explain_term_of(&of, ASSAY_TERM_RESIDUAL, false, false));
            side[k] = both;
        }
        e->failed |= of.failed;
    }
    return explain_difference(e, "runner-up less choice", reason->usd, "USD", side[0], side[1]);
}

static const assay_rule_t *rule_of(const explain_t *e) {
    const assay_decision_t *decision = e->explainer->of.training;
    const uint32_t i = e->path->step[1].index;
    return i < decision->n_rule ? &decision->rule[i] : NULL;
}

static explained_t rule_threshold(explain_t *e) {
    const assay_rule_t *rule = rule_of(e);
    return rule ? explain_input(e, "threshold", rule->threshold, "1",
                                explain_format(e, "rules.csv, %s: %s", rule->id, rule->source))
                : NULL;
}

static double purchase_usd(const assay_money_case_t *c) {
    return c->nodes * c->capex_usd + c->racks * c->central[ASSAY_DRAW_RETROFIT];
}

/* What is paid for the hardware of player c at the start. */
static explained_t purchase(explain_t *e, uint32_t c) {
    explain_t of = *e;
    if (!explain_open(&of, c)) {
        return NULL;
    }
    const assay_money_case_t *m = of.money_case;
    assay_explained_t *sum =
        explain_node(&of, ASSAY_EXPLAIN_SUM, EXPLAIN_SAY(&of, PURCHASE_OF, of.machine->id),
                     purchase_usd(m), "USD");
    assay_explained_t *servers =
        explain_node(&of, ASSAY_EXPLAIN_PRODUCT, "servers", m->nodes * m->capex_usd, "USD");
    explain_add(&of, servers, explain_key(&of, "nodes", m->nodes, "1", "candidates[].nodes"));
    explain_add(&of, servers,
                explain_fact(&of, "price of a node", m->capex_usd, "USD", "candidates[].buy_usd",
                             &of.machine->capex_usd));
    assay_explained_t *racks = explain_node(&of, ASSAY_EXPLAIN_PRODUCT, "retrofit",
                                            m->racks * m->central[ASSAY_DRAW_RETROFIT], "USD");
    explain_add(&of, racks,
                explain_key(&of, "racks", m->racks, "1", "candidates[].nodes_per_rack"));
    explain_add(&of, racks, explain_factor(&of, ASSAY_DRAW_RETROFIT));
    explain_add(&of, sum, servers);
    explain_add(&of, sum, racks);
    e->failed |= of.failed;
    return sum;
}

static explained_t cheapest_purchase(explain_t *e, double usd) {
    const decide_game_t *game = &e->explainer->game;
    assay_explained_t *least =
        explain_node(e, ASSAY_EXPLAIN_MIN, "the cheapest purchase", usd, "USD");
    for (uint32_t c = 0; c < game->n; c++) {
        if (game->player[c].fits && game->player[c].money_case->owned) {
            explain_add(e, least, purchase(e, c));
        }
    }
    return least;
}

/* Work of the move over what the other hardware saves in three years (A7). */
static explained_t payback(explain_t *e, double value) {
    enum { YEARS = 3 };
    const decide_game_t *game = &e->explainer->game;
    explain_t to = *e, from = *e;
    if (game->mover < 0 || game->incumbent < 0 || !explain_open(&to, (uint32_t)game->mover) ||
        !explain_open(&from, (uint32_t)game->incumbent)) {
        return NULL;
    }
    explain_t *const side[2] = {&from, &to};
    explained_t energy[2];
    double usd[2];
    for (int k = 0; k < 2; k++) {
        const assay_money_case_t *m = side[k]->money_case;
        usd[k] = m->nodes * m->node_w / 1000.0 * m->central[ASSAY_DRAW_PUE] *
                 m->central[ASSAY_DRAW_ELECTRICITY] * ASSAY_HOURS_PER_YEAR * m->utilisation * YEARS;
        assay_explained_t *years =
            explain_node(e, ASSAY_EXPLAIN_PRODUCT,
                         EXPLAIN_SAY(e, ELECTRICITY_OF, side[k]->machine->id), usd[k], "USD");
        explain_add(e, years, explain_key(side[k], "nodes", m->nodes, "1", "candidates[].nodes"));
        explain_add(e, years,
                    explain_model(e, "power of a node", m->node_w, "W", "assay/physics.h"));
        explain_add(e, years, explain_constant(e, "kilo", 1e-3, "kW/W"));
        explain_add(e, years, explain_factor(side[k], ASSAY_DRAW_PUE));
        explain_add(e, years, explain_factor(side[k], ASSAY_DRAW_ELECTRICITY));
        explain_add(e, years, explain_constant(e, "hours a year", ASSAY_HOURS_PER_YEAR, "h"));
        explain_add(e, years,
                    explain_key(e, "utilisation", m->utilisation, "1", "money.utilisation"));
        explain_add(e, years, explain_constant(e, "years (A7)", YEARS, "1"));
        energy[k] = years;
    }
    const double bought = purchase_usd(from.money_case) - purchase_usd(to.money_case);
    assay_explained_t *saving =
        explain_node(e, ASSAY_EXPLAIN_SUM, "what the move saves", bought + usd[0] - usd[1], "USD");
    explain_add(e, saving,
                explain_difference(e, "less is paid at the start", bought, "USD",
                                   purchase(e, (uint32_t)game->incumbent),
                                   purchase(e, (uint32_t)game->mover)));
    explain_add(
        e, saving,
        explain_difference(e, "less electricity", usd[0] - usd[1], "USD", energy[0], energy[1]));
    e->failed |= to.failed || from.failed;
    return explain_quotient(e, "migration_over_saving", value, "1", explain_once(&to), saving);
}

/* A number of the JSON itself, by its path. */
static explained_t elsewhere(explain_t *e, uint32_t c, const char *key, double value) {
    const assay_explain_path_t path = {
        .step = {{"candidates", 0}, {NULL, c}, {key, 0}}, .n = 3, .value = value};
    const assay_explained_t *node = NULL;
    e->failed |= assay_explain(e->explainer, e->arena, &path, &node, NULL) != ASSAY_OK;
    return node;
}

/* What a rule of one condition asks about. */
static bool answer_of(const explain_t *e, const assay_rule_t *rule, assay_answer_id_t *out) {
    const assay_csv_t *table = &e->explainer->rules;
    for (uint32_t row = 0; row < table->n_rows; row++) {
        if (strcmp(assay_csv_cell(table, row, assay_csv_column(table, "id")), rule->id) == 0) {
            return assay_decide_answer_find(
                assay_csv_cell(table, row, assay_csv_column(table, "answer")), out);
        }
    }
    return false;
}

static explained_t rule_value(explain_t *e) {
    static const struct {
        const char *key, *unit;
    } given[ASSAY_ANSWER_N] = {
        [ASSAY_ANSWER_ROCM_DEBUGGERS] = {"team.rocm_debuggers", "1"},
        [ASSAY_ANSWER_HIP_CI] = {"team.hip_ci", "1"},
        [ASSAY_ANSWER_CUDA_ONLY_SHARE] = {"migration.cuda_only_share", "1"},
        [ASSAY_ANSWER_HIP_FIT] = {"migration.hip_fit", "1"},
        [ASSAY_ANSWER_RAW_BYTES] = {"data.raw_bytes", "B"},
        [ASSAY_ANSWER_NOTEBOOKS] = {"team.notebook_prototyping", "1"},
        [ASSAY_ANSWER_NEEDS_TENSORRT] = {"team.needs", "1"},
        [ASSAY_ANSWER_HARDWARE_BUDGET_USD] = {"team.hardware_budget_usd", "USD"}};
    const assay_rule_t *rule = rule_of(e);
    const decide_game_t *game = &e->explainer->game;
    assay_answer_id_t answer;
    if (!rule || !answer_of(e, rule, &answer)) {
        return NULL;
    }
    const bool by_job = e->resolved->answers.a[answer].known;
    const int32_t subject = game->mover >= 0 ? game->mover : game->incumbent;
    switch (answer) {
    case ASSAY_ANSWER_COMPUTE_SHARE:
        return elsewhere(e, (uint32_t)subject, "compute_share", rule->value);
    case ASSAY_ANSWER_MFU:
        return elsewhere(e, (uint32_t)subject, "mfu", rule->value);
    case ASSAY_ANSWER_RUN_DAYS:
        return elsewhere(e, (uint32_t)subject, "days", rule->value);
    case ASSAY_ANSWER_MIGRATION_OVER_SAVING:
        return payback(e, rule->value);
    case ASSAY_ANSWER_HARDWARE_BUDGET_USD:
        if (!by_job) {
            return cheapest_purchase(e, rule->value);
        }
        break;
    default:
        break;
    }
    return explain_key(e, "value", rule->value, given[answer].unit, given[answer].key);
}

const explain_row_t explain_rule_row[] = {
    {"reasons.*.usd", TRAIN, reason},
    {"rules.*.value", TRAIN, rule_value},
    {"rules.*.threshold", TRAIN, rule_threshold},
};
const size_t explain_rule_n = sizeof explain_rule_row / sizeof explain_rule_row[0];
