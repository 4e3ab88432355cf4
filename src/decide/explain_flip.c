/* Where the verdict flips in one input, and the map over two or three of them. */
#include "decide/explain_tree.h"

#include <string.h>

#include "base/banned.h"

#define ANY (DECIDE_TRAINING | DECIDE_SERVING | DECIDE_IMAGES)

const assay_sensitivity_t *explain_study_of(const explain_t *e) {
    const assay_explain_of_t *of = &e->explainer->of;
    return of->training  ? of->training->sensitivity
           : of->serving ? of->serving->sensitivity
                         : of->images->sensitivity;
}

int32_t explain_player(const explain_t *e, const char *id) {
    const decide_game_t *game = &e->explainer->game;
    for (uint32_t c = 0; id && c < game->n; c++) {
        if (strcmp(game->player[c].machine->id, id) == 0) {
            return (int32_t)c;
        }
    }
    return game->choice;
}

static explained_t cost_at(explain_t *e, int32_t c) {
    return c < 0 ? NULL : explain_cost_at(e, (uint32_t)c, e->explainer->central[c]);
}

/* ---- one input moved ---- */

/* Of this work's axes the one of that name, up to a colon or the end. */
static const decide_axis_t *find_axis(const explain_t *e, const char *variable) {
    const size_t n = strcspn(variable, ":");
    for (uint32_t k = 0; k < decide_axis_n; k++) {
        const decide_axis_t *axis = &decide_axis_table[k];
        if (axis->work & e->explainer->game.work && strlen(axis->variable) == n &&
            memcmp(axis->variable, variable, n) == 0) {
            return axis;
        }
    }
    return NULL;
}

static const char *unit_of(const decide_axis_t *axis) {
    return axis->unit ? axis->unit : assay_dim_unit(axis->dim);
}

/* Where an input stands. Keys of the job that say so. */
static explained_t stands(explain_t *e, const decide_axis_t *axis, const char *name, int32_t c,
                          double now) {
    static const struct {
        const char *variable, *key;
    } keys[] = {{"buy_usd", "candidates[].buy_usd"},
                {"usd_per_h", "candidates[].usd_per_h"},
                {"years", "money.years"},
                {"electricity_usd_kwh", "money.electricity_usd_kwh"},
                {"utilisation", "money.utilisation"},
                {"hip_fit", "migration.hip_fit"}};
    const char *unit = unit_of(axis), *variable = axis->variable;
    explain_t of = *e;
    if (!explain_open(&of, (uint32_t)c)) {
        return NULL;
    }
    explained_t node = NULL;
    if (strcmp(variable, "run_length") == 0 || strcmp(variable, "run_days") == 0) {
        const bool days = strcmp(variable, "run_days") == 0;
        explained_t hours = explain_hours(&of);
        if (days) {
            node = explain_quotient(&of, name, now, unit, hours,
                                    explain_constant(&of, "hours a day", 24.0, "h/d"));
        } else {
            assay_explained_t *seconds = explain_node(&of, ASSAY_EXPLAIN_PRODUCT, name, now, unit);
            explain_add(&of, seconds, hours);
            explain_add(&of, seconds, explain_constant(&of, "seconds an hour", 3600.0, "s/h"));
            node = seconds;
        }
    } else if (strcmp(variable, "migration_days") == 0) {
        assay_explained_t *sum = explain_node(&of, ASSAY_EXPLAIN_SUM, name, now, unit);
        if (e->explainer->game.mover >= 0 &&
            explain_open(&of, (uint32_t)e->explainer->game.mover)) {
            for (uint8_t k = 0; k < 3; k++) {
                explain_add(&of, sum, explain_factor(&of, (uint8_t)(ASSAY_DRAW_LEVEL_1 + k)));
            }
        }
        node = sum;
    } else if (strcmp(variable, "rate") == 0 || strcmp(variable, "output_tokens") == 0) {
        node = explain_work(&of, name, now, unit, variable);
    } else if (strcmp(variable, "compute_share") == 0) {
        node = explain_model(&of, name, now, unit, "assay/train.h");
    } else if (strstr(variable, "_time_factor")) {
        node = explain_constant(&of, name, now, unit);
    }
    for (size_t k = 0; k < sizeof keys / sizeof keys[0] && !node; k++) {
        if (strcmp(keys[k].variable, variable) == 0) {
            const bool price = k < 2, electricity = k == 3;
            const assay_fact_t *fact =
                price ? (of.money_case->owned ? &of.machine->capex_usd : &of.machine->usd_per_h)
                : electricity ? &e->resolved->money.electricity_usd_per_kwh
                              : NULL;
            node = fact ? explain_fact(&of, name, now, unit, keys[k].key, fact)
                        : explain_key(&of, name, now, unit, keys[k].key);
        }
    }
    e->failed |= of.failed;
    return node ? node : explain_constant(e, name, now, unit);
}

/* ---- flips ---- */

static const assay_flip_t *flip_of(const explain_t *e, uint32_t i) {
    const assay_explain_of_t *of = &e->explainer->of;
    const uint32_t n = of->training  ? of->training->n_flip
                       : of->serving ? of->serving->n_flip
                                     : of->images->n_flip;
    const assay_flip_t *flip = of->training  ? of->training->flip
                               : of->serving ? of->serving->flip
                                             : of->images->flip;
    return i < n ? &flip[i] : NULL;
}

static explained_t flip_now(explain_t *e) {
    const assay_flip_t *flip = flip_of(e, e->path->step[1].index);
    const decide_axis_t *axis = flip ? find_axis(e, flip->variable) : NULL;
    return axis ? stands(e, axis, flip->variable, explain_player(e, flip->candidate), flip->now)
                : NULL;
}

/* Of all but the choice the one that costs least, as the world stands; -1: none can do the work. */
static int32_t best_other(explain_t *e, double *out_usd) {
    const decide_game_t *game = &e->explainer->game;
    int32_t best = -1;
    for (uint32_t c = 0; c < game->n; c++) {
        decide_side_t *side = &e->explainer->world.side[c];
        if (!game->player[c].fits || (int32_t)c == game->choice || side->out) {
            continue;
        }
        assay_money_result_t result;
        decide_side_eval(&game->player[c], side, e->explainer->central[c], &result);
        const double usd = decide_cost(&game->player[c], &result);
        if (best < 0 || usd < *out_usd) {
            best = (int32_t)c;
            *out_usd = usd;
        }
    }
    return best;
}

static explained_t flip_at(explain_t *e) {
    const assay_flip_t *flip = flip_of(e, e->path->step[1].index);
    const decide_axis_t *axis = flip ? find_axis(e, flip->variable) : NULL;
    if (!axis) {
        return NULL;
    }
    decide_world_t *world = &e->explainer->world;
    const int32_t c = explain_player(e, flip->candidate);
    double low, high, other_usd = 0.0;
    decide_axis_range(&e->explainer->ctx.settings, axis, flip->now, &low, &high);
    decide_world_reset(world);
    axis->set(world, c, flip->flip);
    assay_explained_t *node =
        explain_node(e, ASSAY_EXPLAIN_ROOT, flip->variable, flip->flip, unit_of(axis));
    explain_say(node, "function", "cost of the cheapest other candidate less that of the choice",
                0.0);
    explain_say(node, "variable", flip->variable, 0.0);
    explain_say(node, "low", NULL, low);
    explain_say(node, "high", NULL, high);
    explained_t choice = cost_at(e, e->explainer->game.choice);
    const int32_t other = best_other(e, &other_usd);
    explained_t theirs = cost_at(e, other);
    if (choice && theirs) {
        explain_say(node, "at_root", NULL, theirs->value - choice->value);
    }
    explain_say(node, "found_by", "64 steps outward from where it stands, then 60 halvings", 0.0);
    explain_add(e, node, stands(e, axis, "now", c, flip->now));
    explain_add(e, node, choice);
    explain_add(e, node, theirs);
    return node;
}

/* ---- maps ---- */

typedef struct {
    const assay_map_t *map;
    int32_t side[2]; /* mover, incumbent */
} map_at_t;

static bool map_of(const explain_t *e, map_at_t *out) {
    const assay_sensitivity_t *s = explain_study_of(e);
    const uint32_t i = e->path->step[2].index;
    if (!s || i >= s->n_map) {
        return false;
    }
    out->map = &s->map[i];
    out->side[0] = explain_player(e, out->map->mover);
    out->side[1] = explain_player(e, out->map->incumbent);
    return true;
}

static const assay_map_axis_t *map_axis(const explain_t *e, const map_at_t *at) {
    const char *key = e->path->step[3].key;
    return strcmp(key, "x") == 0   ? &at->map->x
           : strcmp(key, "y") == 0 ? &at->map->y
                                   : &at->map->panel;
}

/* Whose an axis of a map is: named behind a colon, else the mover's. */
static int32_t axis_player(const explain_t *e, const map_at_t *at, const assay_map_axis_t *axis) {
    const char *colon = strchr(axis->variable, ':');
    return colon ? explain_player(e, colon + 1) : at->side[0];
}

static explained_t map_now(explain_t *e) {
    map_at_t at;
    if (!map_of(e, &at)) {
        return NULL;
    }
    const assay_map_axis_t *axis = map_axis(e, &at);
    const decide_axis_t *v = find_axis(e, axis->variable);
    return v ? stands(e, v, axis->variable, axis_player(e, &at, axis), axis->now) : NULL;
}

/* One of equal parts, or ratios, between the ends. */
static explained_t map_value(explain_t *e) {
    map_at_t at;
    if (!map_of(e, &at)) {
        return NULL;
    }
    const assay_map_axis_t *axis = map_axis(e, &at);
    const decide_axis_t *v = find_axis(e, axis->variable);
    const uint32_t i = e->path->step[5].index;
    assay_explained_t *node = explain_model(e, axis->variable, e->path->value, v ? unit_of(v) : "1",
                                            "assay/sensitivity.h");
    explain_say(node, "rule",
                v && v->log ? "equal ratios between the ends" : "equal parts between the ends",
                0.0);
    explain_say(node, "low", NULL, axis->value[0]);
    explain_say(node, "high", NULL, axis->value[axis->n - 1]);
    explain_say(node, "step", NULL, i);
    explain_say(node, "steps", NULL, axis->n - 1);
    return node;
}

/* Moves the world to a cell of a map, and says where that is. */
static void go_to(explain_t *e, const map_at_t *at, size_t cell, assay_explained_t *node) {
    const assay_map_t *map = at->map;
    const size_t columns = map->x.n, rows = map->y.n;
    const struct {
        const assay_map_axis_t *axis;
        size_t i;
    } to[] = {{&map->x, cell % columns},
              {&map->y, cell / columns % rows},
              {&map->panel, cell / columns / rows}};
    decide_world_reset(&e->explainer->world);
    for (size_t k = 0; k < sizeof to / sizeof to[0]; k++) {
        const assay_map_axis_t *axis = to[k].axis;
        const decide_axis_t *v = axis->n > 0 ? find_axis(e, axis->variable) : NULL;
        if (v) {
            v->set(&e->explainer->world, axis_player(e, at, axis), axis->value[to[k].i]);
            explain_say(node, axis->variable, NULL, axis->value[to[k].i]);
        }
    }
}

static explained_t map_lead(explain_t *e) {
    map_at_t at;
    if (!map_of(e, &at)) {
        return NULL;
    }
    assay_explained_t *sum = explain_node(e, ASSAY_EXPLAIN_SUM, "lead_usd", e->path->value, "USD");
    go_to(e, &at, e->path->step[4].index, sum);
    explained_t incumbent = cost_at(e, at.side[1]), mover = cost_at(e, at.side[0]);
    explain_add(e, sum, incumbent);
    explain_add(e, sum,
                explain_difference(e, "less", mover ? -mover->value : 0.0, "USD",
                                   explain_constant(e, "nothing", 0.0, "USD"), mover));
    return sum;
}

static void add_sides(explain_t *e, const map_at_t *at, assay_explained_t *node) {
    bool shown[ASSAY_DRAW_N] = {false};
    for (int k = 0; k < 2; k++) {
        explain_add_drawn(e, node, (uint32_t)at->side[k], shown);
    }
}

static explained_t map_p(explain_t *e) {
    map_at_t at;
    if (!map_of(e, &at)) {
        return NULL;
    }
    assay_explained_t *node = explain_sample(
        e, "p_mover", "1", "share of the points",
        EXPLAIN_SAY(e, COSTS_LESS, at.map->mover, at.map->incumbent), at.map->points);
    go_to(e, &at, e->path->step[4].index, node);
    add_sides(e, &at, node);
    return node;
}

static explained_t map_edge(explain_t *e) {
    map_at_t at;
    if (!map_of(e, &at)) {
        return NULL;
    }
    const char *key = explain_last(e);
    const double level = strcmp(key, "edge") == 0 ? 0.5 : strstr(key, "p10") ? 0.1 : 0.9;
    const assay_map_axis_t *x = &at.map->x, *y = &at.map->y;
    const uint32_t i = e->path->step[4].index;
    const decide_axis_t *v = find_axis(e, y->variable);
    assay_explained_t *node =
        explain_node(e, ASSAY_EXPLAIN_ROOT, key, e->path->value, v ? unit_of(v) : "1");
    explain_say(node, "function",
                EXPLAIN_SAY(e, SHARE_LESS, explain_format(e, "%u", (unsigned)at.map->points),
                            at.map->mover, at.map->incumbent, explain_format(e, "%.10g", level)),
                0.0);
    explain_say(node, "variable", y->variable, 0.0);
    explain_say(node, "found_by", "a straight line between two values of the axis", 0.0);
    explain_say(node, x->variable, NULL, x->value[i % x->n]);
    const double *p = &at.map->p_mover[(size_t)(i / x->n) * x->n * y->n + i % x->n];
    for (uint32_t k = 0; k + 1 < y->n; k++) {
        const double a = p[(size_t)k * x->n], b = p[((size_t)k + 1) * x->n];
        if (e->path->value >= y->value[k] && e->path->value <= y->value[k + 1]) {
            explain_say(node, "low", NULL, y->value[k]);
            explain_say(node, "high", NULL, y->value[k + 1]);
            explain_add(e, node, explain_model(e, "share at low", a, "1", "assay/sensitivity.h"));
            explain_add(e, node, explain_model(e, "share at high", b, "1", "assay/sensitivity.h"));
            break;
        }
    }
    return node;
}

const explain_row_t explain_flip_row[] = {
    {"flips.*.now", ANY, flip_now},
    {"flips.*.flip", ANY, flip_at},
    {"sensitivity.maps.*.*.now", ANY, map_now},
    {"sensitivity.maps.*.*.values.*", ANY, map_value},
    {"sensitivity.maps.*.lead_usd.*", ANY, map_lead},
    {"sensitivity.maps.*.p_mover.*", ANY, map_p},
    {"sensitivity.maps.*.edge.*", ANY, map_edge},
    {"sensitivity.maps.*.edge_p10.*", ANY, map_edge},
    {"sensitivity.maps.*.edge_p90.*", ANY, map_edge},
};
const size_t explain_flip_n = sizeof explain_flip_row / sizeof explain_flip_row[0];
