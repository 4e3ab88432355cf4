/* Leaves of a tree: what the job gives and by which line, what is a default and of whom, what the
   catalog and the calibration say, and how uncertain inputs are drawn. */
#include "decide/explain_tree.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/banned.h"

#define GIVEN "job" /* source of facts that the job gives */

explained_t explain_input(explain_t *e, const char *name, double value, const char *unit,
                          const char *source) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_INPUT, name, value, unit);
    if (node) {
        node->source = source;
    }
    return node;
}

explained_t explain_constant(explain_t *e, const char *name, double value, const char *unit) {
    return explain_input(e, name, value, unit, "definition");
}

/* A source in the job's language, where the tables have it. */
static const char *cited(const explain_t *e, const char *source) {
    return assay_phrase(e->resolved->locale.lang, source);
}

assay_explained_t *explain_model(explain_t *e, const char *name, double value, const char *unit,
                                 const char *header) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_MODEL, name, value, unit);
    if (node) {
        node->source = header;
    }
    return node;
}

explained_t explain_interval(explain_t *e, assay_calib_id_t sigma, assay_dtype_t dtype,
                             const char *header) {
    const char *name = assay_calib_name(sigma);
    assay_explained_t *node = explain_model(e, explain_last(e), e->path->value, "1", header);
    explain_add(e, node,
                explain_input(e, name, e->machine->device.calib[sigma][dtype], "1",
                              EXPLAIN_SAY(e, CALIBRATION, name, e->machine->accelerator->id)));
    return node;
}

explained_t explain_part(explain_t *e, const char *name, double value, const char *unit,
                         const assay_fact_t *fact) {
    const char *id = e->machine->accelerator->id;
    return explain_input(e, name, value, unit,
                         fact->known && fact->source
                             ? EXPLAIN_SAY(e, CATALOG_FROM, id, fact->source)
                             : EXPLAIN_SAY(e, CATALOG, id));
}

/* ---- the job ---- */

static const assay_node_t *child_at(const assay_node_t *list, uint32_t index) {
    const assay_node_t *child = list->child;
    for (; child && index > 0; index--) {
        child = child->next;
    }
    return child;
}

/* What the job says at a key; a short form ("2x h100" in the list of candidates) answers for all
   that is below it. NULL: nothing. */
static const assay_node_t *find_key(const explain_t *e, const char *key) {
    const assay_node_t *node = e->resolved->document;
    while (node && *key && node->kind != ASSAY_NODE_SCALAR) {
        const size_t n = strcspn(key, ".[");
        const assay_node_t *child = node->child;
        while (child &&
               !(child->key && strlen(child->key) == n && memcmp(child->key, key, n) == 0)) {
            child = child->next;
        }
        key += n;
        node = child;
        if (strncmp(key, "[]", 2) == 0) {
            key += 2;
            node = node && node->kind == ASSAY_NODE_SEQUENCE ? child_at(node, e->index) : node;
        }
        key += *key == '.';
    }
    return node;
}

static const char *place_of(explain_t *e, const assay_place_t *at, const char *key) {
    return at->line > 0 ? explain_format(e, "%s:%u, %s", at->file ? at->file : "job",
                                         (unsigned)at->line, key)
           : at->file   ? explain_format(e, "%s, %s", at->file, key)
                        : key;
}

/* What resolve says about a default. */
static const assay_note_t *find_note(explain_t *e, const char *key) {
    const char *below = strncmp(key, "candidates[].", 13) == 0 ? key + 13 : NULL;
    const char *own = below ? explain_format(e, "%s.%s", e->machine->id, below) : key;
    for (uint32_t i = 0; i < e->resolved->n_note; i++) {
        const assay_note_t *note = &e->resolved->note[i];
        if (note->kind == ASSAY_NOTE_ASSUMPTION && strcmp(note->subject, own) == 0 &&
            note->source) {
            return note;
        }
    }
    return NULL;
}

/* Whether an input was moved: a figure of the case of money. */
static bool is_moved(const explain_t *e, const char *key) {
    static const struct {
        const char *key;
        size_t offset;
    } row[] = {{"candidates[].nodes", offsetof(assay_money_case_t, nodes)},
               {"candidates[].buy_usd", offsetof(assay_money_case_t, capex_usd)},
               {"candidates[].usd_per_h", offsetof(assay_money_case_t, usd_per_h)},
               {"candidates[].nodes_per_rack", offsetof(assay_money_case_t, racks)},
               {"money.years", offsetof(assay_money_case_t, years)},
               {"money.residual", offsetof(assay_money_case_t, residual)},
               {"money.utilisation", offsetof(assay_money_case_t, utilisation)}};
    for (size_t k = 0; k < sizeof row / sizeof row[0] && e->was; k++) {
        if (strcmp(row[k].key, key) == 0) {
            double now, was;
            memcpy(&now, (const char *)e->money_case + row[k].offset, sizeof now);
            memcpy(&was, (const char *)e->was + row[k].offset, sizeof was);
            return fabs(now - was) > 0.0;
        }
    }
    return false;
}

explained_t explain_key(explain_t *e, const char *name, double value, const char *unit,
                        const char *key) {
    if (is_moved(e, key)) {
        return explain_input(e, name, value, unit, EXPLAIN_SAY(e, MOVED, key));
    }
    const assay_node_t *node = find_key(e, key);
    const assay_note_t *note = node ? NULL : find_note(e, key);
    return explain_input(e, name, value, unit,
                         node   ? place_of(e, &node->at, key)
                         : note ? EXPLAIN_SAY(e, DEFAULT_FROM, key, cited(e, note->source))
                                : EXPLAIN_SAY(e, DEFAULT, key));
}

explained_t explain_fact(explain_t *e, const char *name, double value, const char *unit,
                         const char *key, const assay_fact_t *fact) {
    return fact->known && fact->source && strcmp(fact->source, GIVEN) != 0 && !find_key(e, key) &&
                   !is_moved(e, key)
               ? explain_input(e, name, value, unit,
                               explain_format(e, "%s: %s", key, cited(e, fact->source)))
               : explain_key(e, name, value, unit, key);
}

explained_t explain_work(explain_t *e, const char *name, double value, const char *unit,
                         const char *key) {
    static const char *const kind[] = {[ASSAY_WORK_TRAIN] = "train",
                                       [ASSAY_WORK_FINETUNE] = "finetune",
                                       [ASSAY_WORK_SERVE] = "serve",
                                       [ASSAY_WORK_IMAGE] = "image"};
    return explain_key(e, name, value, unit,
                       explain_format(e, "workload.%s.%s", kind[e->resolved->kind], key));
}

explained_t explain_tokens(explain_t *e) {
    const assay_workload_t *work = &e->resolved->workload;
    const bool samples = work->net.sample != NULL;
    assay_explained_t *all =
        explain_node(e, ASSAY_EXPLAIN_PRODUCT, samples ? "samples" : "tokens", work->tokens, "1");
    explain_add(e, all,
                explain_work(e, samples ? "samples of an epoch" : "tokens of an epoch",
                             work->tokens_per_epoch, "1",
                             samples ? "dataset_samples" : "dataset_tokens"));
    explain_add(e, all, explain_work(e, "epochs", work->epochs, "1", "epochs"));
    return all;
}

/* A bare number's, where no scale says otherwise. */
static const char *unit_of_field(const assay_field_t *field) {
    const char *unit = assay_dim_unit((assay_dim_t)field->dim);
    const bool says_nothing = strcmp(unit, "1") == 0 || fabs(field->bare_scale - 1.0) > 0.0;
    return says_nothing ? explain_unit(field->key) : unit;
}

/* The field of the job's schema that the path ends in. NULL: of no schema. */
static const assay_field_t *field_of(const assay_explain_path_t *path) {
    const assay_schema_t *schema = &assay_job_schema;
    const assay_field_t *field = NULL;
    for (uint32_t k = 1; k < path->n; k++) {
        const char *key = path->step[k].key;
        if (!key) {
            continue;
        }
        field = NULL;
        for (uint32_t i = 0; schema && i < schema->n_field; i++) {
            field = strcmp(schema->field[i].key, key) == 0 ? &schema->field[i] : field;
        }
        schema = field ? field->sub : NULL;
    }
    return field;
}

explained_t explain_job_key(explain_t *e) {
    const assay_explain_path_t *path = e->path;
    const assay_node_t *node = e->resolved->document;
    for (uint32_t k = 1; k < path->n && node; k++) {
        const char *key = path->step[k].key;
        node = key ? assay_node_find(node, key) : child_at(node, path->step[k].index);
    }
    const char *last = explain_last(e);
    const assay_field_t *field = field_of(path);
    return explain_input(e, last, path->value, field ? unit_of_field(field) : "1",
                         node ? place_of(e, &node->at, field && field->help ? field->help : last)
                              : "default of the job's format");
}

/* ---- drawn inputs ---- */

/* By which key of the job it is given; "" = it has none. */
static const char *key_of_draw(explain_t *e, uint8_t draw) {
    static const char *const option[ASSAY_OPTION_N] = {
#define OPTION_KEY(code, key, dim, scale, least, most, drawn, term, help) \
    [ASSAY_OPTION_##code] = "money." key,
        ASSAY_OPTION_LIST(OPTION_KEY)
#undef OPTION_KEY
    };
    switch (draw) {
    case ASSAY_DRAW_PRICE:
        return e->money_case->owned ? "candidates[].buy_usd" : "candidates[].usd_per_h";
    case ASSAY_DRAW_LABOUR:
        return "migration.labour_usd_per_week";
    case ASSAY_DRAW_RESIDUAL:
        return "money.residual";
    case ASSAY_DRAW_ELECTRICITY:
        return "money.electricity_usd_kwh";
    case ASSAY_DRAW_PUE:
        return "money.pue";
    case ASSAY_DRAW_OPERATIONS:
        return "money.ops_usd_per_year";
    case ASSAY_DRAW_LEVEL_1:
        return "migration.levels.1";
    case ASSAY_DRAW_LEVEL_2:
        return "migration.levels.2";
    case ASSAY_DRAW_LEVEL_3:
        return "migration.levels.3";
    case ASSAY_DRAW_RETROFIT:
        return "candidates[].retrofit_usd_per_rack";
    case ASSAY_DRAW_CONTINGENCY:
        return "money.contingency";
    default:
        return draw >= ASSAY_DRAW_OPTION ? option[draw - ASSAY_DRAW_OPTION] : "";
    }
}

static const assay_fact_t *fact_of_draw(const explain_t *e, uint8_t draw) {
    static const assay_fact_t none;
    const assay_money_input_t *money = &e->resolved->money;
    switch (draw) {
    case ASSAY_DRAW_PRICE:
        return e->money_case->owned ? &e->machine->capex_usd : &e->machine->usd_per_h;
    case ASSAY_DRAW_ELECTRICITY:
        return &money->electricity_usd_per_kwh;
    case ASSAY_DRAW_PUE:
        return &money->pue;
    case ASSAY_DRAW_OPERATIONS:
        return &money->ops_usd_per_year;
    case ASSAY_DRAW_LEVEL_1:
    case ASSAY_DRAW_LEVEL_2:
    case ASSAY_DRAW_LEVEL_3:
        return &money->level_days[draw - ASSAY_DRAW_LEVEL_1];
    case ASSAY_DRAW_RETROFIT:
        return &e->machine->retrofit_usd_per_rack;
    case ASSAY_DRAW_CONTINGENCY:
        return &money->contingency;
    default:
        return draw >= ASSAY_DRAW_OPTION ? &money->option[draw - ASSAY_DRAW_OPTION] : &none;
    }
}

static const char *unit_of_draw(explain_t *e, uint8_t draw) {
    switch (draw) {
    case ASSAY_DRAW_ELECTRICITY:
        return "USD/kWh";
    case ASSAY_DRAW_OPERATIONS:
        return "USD/year";
    case ASSAY_DRAW_LEVEL_1:
    case ASSAY_DRAW_LEVEL_2:
    case ASSAY_DRAW_LEVEL_3:
        return "person-day";
    case ASSAY_DRAW_RETROFIT:
        return "USD/rack";
    default:
        return draw < ASSAY_DRAW_OPTION ? "1" : explain_unit(key_of_draw(e, draw));
    }
}

static const char *distribution(explain_t *e, const assay_dist_t *dist) {
    const double *par = dist->par;
    switch ((assay_dist_kind_t)dist->kind) {
    case ASSAY_DIST_UNIFORM:
        return explain_format(e, "uniform(%.10g, %.10g)", par[0], par[1]);
    case ASSAY_DIST_TRIANGULAR:
        return explain_format(e, "triangular(%.10g, %.10g, %.10g)", par[0], par[1], par[2]);
    case ASSAY_DIST_LOGNORMAL:
        return explain_format(e, "lognormal(%.10g, %.10g)", par[0], par[1]);
    case ASSAY_DIST_SPLIT_LOGNORMAL:
        return fabs(par[1] - par[2]) > 0.0
                   ? explain_format(e, "split_lognormal(%.10g, %.10g, %.10g)", par[0], par[1],
                                    par[2])
                   : explain_format(e, "lognormal(%.10g, %.10g)", par[0], par[1]);
    case ASSAY_DIST_EMPIRICAL:
        return explain_format(e, "empirical(n=%u)", (unsigned)dist->n);
    case ASSAY_DIST_FIXED:
        break;
    }
    return explain_format(e, "fixed(%.10g)", par[0]);
}

static explained_t source_of_draw(explain_t *e, uint8_t draw, double value) {
    const char *name = assay_draw_what((assay_draw_t)draw), *unit = unit_of_draw(e, draw);
    switch (draw) {
    case ASSAY_DRAW_STEP_COMMON:
    case ASSAY_DRAW_STEP_OWN:
        return explain_input(e, name, value, unit,
                             "interval of the prediction, calibration.csv; shared by common_share "
                             "of decide.csv");
    case ASSAY_DRAW_POWER:
        return explain_input(e, name, value, unit, "power_p10 and power_p90 of decide.csv");
    default:
        return explain_fact(e, name, value, unit, key_of_draw(e, draw), fact_of_draw(e, draw));
    }
}

/* Of an input leaf one that is drawn. */
static explained_t as_drawn(explain_t *e, explained_t input, const assay_dist_t *dist) {
    assay_explained_t *node =
        input ? explain_node(e, ASSAY_EXPLAIN_DRAWN, input->name, input->value, input->unit) : NULL;
    if (node) {
        node->source = input->source;
        explain_say(node, "distribution", distribution(e, dist), 0.0);
        explain_say(node, "p10", NULL, assay_dist_quantile(dist, 0.1));
        explain_say(node, "p90", NULL, assay_dist_quantile(dist, 0.9));
    }
    return node;
}

explained_t explain_drawn(explain_t *e, uint32_t c, assay_draw_t draw) {
    explain_t of = *e;
    if (!explain_open(&of, c)) {
        return NULL;
    }
    const decide_player_t *player = &e->explainer->game.player[c];
    const double value = assay_dist_quantile(decide_draw_of(player, draw), 0.5);
    explained_t node =
        as_drawn(&of, source_of_draw(&of, draw, value), decide_draw_of(player, draw));
    e->failed |= of.failed;
    return node;
}

/* Whether it moves an amount, or the hours. */
static bool matters(const assay_money_flows_t *flows, int draw) {
    static const int always[] = {ASSAY_DRAW_STEP_COMMON, ASSAY_DRAW_STEP_OWN, ASSAY_DRAW_OF(MTBF),
                                 ASSAY_DRAW_OF(PREEMPTIONS), ASSAY_DRAW_OF(SPOT_WAIT)};
    for (size_t k = 0; k < sizeof always / sizeof always[0]; k++) {
        if (always[k] == draw) {
            return true;
        }
    }
    for (uint32_t k = 0; k < flows->n_flow; k++) {
        for (uint32_t i = 0; i < flows->flow[k].n_draw; i++) {
            if (flows->flow[k].draw[i] == draw) {
                return true;
            }
        }
    }
    return false;
}

void explain_add_drawn(explain_t *e, assay_explained_t *node, uint32_t c, bool *shown) {
    const decide_player_t *player = &e->explainer->game.player[c];
    assay_money_flows_t flows = {.n_flow = 0};
    if (player->fits) {
        assay_money_flows(player->money_case, &flows);
    }
    for (int d = 0; d < ASSAY_DRAW_N && player->fits; d++) {
        const assay_draw_t draw = (assay_draw_t)d;
        if (decide_draw_of(player, draw)->kind == ASSAY_DIST_FIXED || !matters(&flows, d) ||
            (shown && shown[d])) {
            continue;
        }
        if (shown) {
            shown[d] = assay_draw_is_common(draw);
        }
        explain_add(e, node, explain_drawn(e, c, draw));
    }
}

explained_t explain_factor(explain_t *e, uint8_t draw) {
    const double x = e->x[draw];
    if (draw == ASSAY_DRAW_OF(NETWORK_SHARE)) { /* of the cluster; it counts over the servers */
        const double share = x / (1.0 + x);
        explained_t of = source_of_draw(e, draw, share);
        return explain_quotient(e, "network over servers", x, "1", of,
                                explain_difference(e, "servers", 1.0 - share, "1",
                                                   explain_constant(e, "cluster", 1.0, "1"), of));
    }
    const assay_dist_t *dist = &e->money_case->draw[draw];
    if (e->was &&
        fabs(x - assay_money_keep_one(e->was, (assay_draw_t)draw, e->was->central[draw])) > 0.0) {
        return explain_input(e, assay_draw_what((assay_draw_t)draw), x, unit_of_draw(e, draw),
                             "moved");
    }
    explained_t input = source_of_draw(e, draw, x);
    return dist->kind == ASSAY_DIST_FIXED ? input : as_drawn(e, input, dist);
}

/* ---- names and units ---- */

const char *explain_last(const explain_t *e) {
    for (uint32_t k = e->path->n; k > 0; k--) {
        if (e->path->step[k - 1].key) {
            return e->path->step[k - 1].key;
        }
    }
    return "";
}

const char *explain_unit(const char *key) {
    static const struct {
        const char *part, *unit;
    } within[] = {{"joules", "J"},
                  {"usd_kwh", "USD/kWh"},
                  {"usd_per_kwh", "USD/kWh"},
                  {"usd_per_kw_month", "USD/kW/month"},
                  {"usd_per_kw", "USD/kW"},
                  {"usd_per_tb_month", "USD/TB/month"},
                  {"usd_per_gb", "USD/GB"},
                  {"usd_per_t", "USD/t"},
                  {"usd_per_gpu_year", "USD/year"},
                  {"usd_per_node_year", "USD/year"},
                  {"usd_per_year", "USD/year"},
                  {"usd_per_week", "USD/week"},
                  {"usd_per_node_h", "USD/h"},
                  {"usd_per_h", "USD/h"},
                  {"node_h_usd", "USD/h"},
                  {"usd", "USD"},
                  {"per_s_per_w", "1/J"},
                  {"gbit_s", "Gbit/s"},
                  {"gb_s", "GB/s"},
                  {"per_s", "1/s"},
                  {"bytes", "B"},
                  {"kwh", "kWh"},
                  {"_kg", "kg"},
                  {"_days", "d"},
                  {"minutes", "min"},
                  {"years", "year"}};
    static const struct {
        const char *end, *unit;
    } at_end[] = {{"_w", "W"}, {"_s", "s"}, {"_h", "h"}, {"days", "d"}, {"node_h_per_year", "h"}};
    const size_t n = strlen(key);
    for (size_t k = 0; k < sizeof within / sizeof within[0]; k++) {
        if (strstr(key, within[k].part)) {
            return within[k].unit;
        }
    }
    for (size_t k = 0; k < sizeof at_end / sizeof at_end[0]; k++) {
        const size_t length = strlen(at_end[k].end);
        if (n >= length && strcmp(key + n - length, at_end[k].end) == 0) {
            return at_end[k].unit;
        }
    }
    return "1";
}
