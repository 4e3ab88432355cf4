/* Which numbers are covered, and the tree of one of them. */
#include "decide/explain_tree.h"
#include "decide/why.h"

#include <math.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define PATHS_MAX 128 /* of one candidate */
#define PREFIX "candidates["

/* ---- trees ---- */

assay_explained_t *explain_node(explain_t *e, assay_explain_op_t op, const char *name, double value,
                                const char *unit) {
    assay_explained_t *node = assay_arena_alloc(e->arena, sizeof *node);
    if (!node) {
        e->failed = true;
        return NULL;
    }
    *node = (assay_explained_t){.name = name, .unit = unit, .value = value, .op = (uint8_t)op};
    return node;
}

explained_t explain_input(explain_t *e, const char *name, double value, const char *unit,
                          const char *source) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_INPUT, name, value, unit);
    if (node) {
        node->source = source;
    }
    return node;
}

void explain_add(assay_explained_t *node, explained_t part) {
    if (node && part && node->n_part < ASSAY_EXPLAIN_PARTS) {
        node->part[node->n_part++] = part;
    }
}

explained_t explain_quotient(explain_t *e, const char *name, double value, const char *unit,
                             explained_t over, explained_t under) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_QUOTIENT, name, value, unit);
    explain_add(node, over);
    explain_add(node, under);
    return node;
}

const char *assay_explain_op_name(assay_explain_op_t op) {
    static const char *const name[ASSAY_EXPLAIN_N] = {
#define OP_NAME(code, text) [ASSAY_EXPLAIN_##code] = text,
        ASSAY_EXPLAIN_LIST(OP_NAME)
#undef OP_NAME
    };
    return name[op];
}

double assay_explain_replay(const assay_explained_t *node) {
    if (node->op == ASSAY_EXPLAIN_INPUT) {
        return node->value;
    }
    double value = node->op == ASSAY_EXPLAIN_PRODUCT ? 1.0 : 0.0;
    for (uint32_t i = 0; i < node->n_part; i++) {
        const double part = assay_explain_replay(node->part[i]);
        switch ((assay_explain_op_t)node->op) {
        case ASSAY_EXPLAIN_SUM:
            value += part;
            break;
        case ASSAY_EXPLAIN_PRODUCT:
            value *= part;
            break;
        case ASSAY_EXPLAIN_QUOTIENT:
            value = i == 0 ? part : value / part;
            break;
        case ASSAY_EXPLAIN_MAX:
            value = i == 0 ? part : fmax(value, part);
            break;
        case ASSAY_EXPLAIN_INPUT:
        case ASSAY_EXPLAIN_N:
            break;
        }
    }
    return value;
}

/* ---- what is covered ---- */

enum { TRAINING = 1, SERVING = 2, IMAGES = 4, ALL = 7 };

static const struct {
    const char *name;
    uint8_t kinds;
    explained_t (*build)(explain_t *e);
} covered[] = {
    {"step_time_s", TRAINING, explain_step},
    {"tokens_per_s", TRAINING, explain_tokens_per_s},
    {"samples_per_s", TRAINING, explain_tokens_per_s},
    {"mfu", TRAINING, explain_mfu},
    {"memory_bytes", TRAINING, explain_memory},
    {"days", TRAINING, explain_days},
    {"energy_kwh", TRAINING, explain_energy},
    {"joules_per_token", TRAINING, explain_joules_per_token},
    {"joules_per_sample", TRAINING, explain_joules_per_token},
    {"goodput", TRAINING, explain_goodput},
    {"cost_total_usd", TRAINING, explain_job},
    {"cost_per_epoch_usd", TRAINING, explain_epoch},
    {"rate_usd_per_h", TRAINING, explain_rate},
    {"tco_usd", ALL, explain_tco},
    {"month_usd", SERVING | IMAGES, explain_month},
    {"energy_kwh_per_month", SERVING | IMAGES, explain_energy},
    {"usd_per_million_output_tokens", SERVING, explain_per_million},
    {"usd_per_1000_images", IMAGES, explain_per_1000},
};

static const struct {
    const char *name;
    bool years;
} covered_terms[] = {{"cost_terms_usd.", false}, {"tco_terms_usd.", true}};

static uint8_t kind_of(const explain_t *e) {
    return e->estimate ? TRAINING : e->serving ? SERVING : IMAGES;
}

const assay_resolved_t *assay_explain_resolved(const assay_explain_of_t *of) {
    return of->training  ? of->training->resolved
           : of->serving ? of->serving->resolved
                         : of->images->resolved;
}

/* False: the candidate does not fit and has no numbers. */
static bool open_candidate(assay_arena_t *arena, const assay_explain_of_t *of, uint32_t index,
                           explain_t *out) {
    *out = (explain_t){.arena = arena, .resolved = assay_explain_resolved(of)};
    if (of->training) {
        const assay_candidate_t *c = &of->training->candidate[index];
        out->machine = c->machine;
        out->money_case = c->fits ? &c->money_case : NULL;
        out->point = &c->point;
        out->estimate = &c->plan.best;
    } else if (of->serving) {
        const assay_serving_candidate_t *c = &of->serving->candidate[index];
        out->machine = c->machine;
        out->money_case = c->fleet ? &c->money_case : NULL;
        out->point = &c->point;
        out->serving = c;
    } else {
        const assay_image_candidate_t *c = &of->images->candidate[index];
        out->machine = c->machine;
        out->money_case = c->fits ? &c->money_case : NULL;
        out->point = &c->point;
        out->image = c;
    }
    if (!out->money_case) {
        return false;
    }
    assay_money_flows(out->money_case, &out->flows);
    assay_money_draw(out->money_case, NULL, out->x);
    return true;
}

/* Names of one candidate's numbers, with `[id].` in front; returns how many. */
static uint32_t list_paths(explain_t *e, const char *out[PATHS_MAX]) {
    uint32_t n = 0;
    const char *id = e->machine->id;
    for (size_t k = 0; k < sizeof covered / sizeof covered[0]; k++) {
        if (covered[k].kinds & kind_of(e)) {
            out[n++] = assay_arena_printf(e->arena, PREFIX "%s].%s", id, covered[k].name);
        }
    }
    for (size_t k = 0; k < 2 && e->estimate; k++) {
        for (int term = 0; term < ASSAY_TERM_N; term++) {
            if (explain_has_term(e, (assay_term_t)term)) {
                out[n++] =
                    assay_arena_printf(e->arena, PREFIX "%s].%s%s", id, covered_terms[k].name,
                                       assay_term_name((assay_term_t)term));
            }
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        e->failed |= !out[k];
    }
    return n;
}

/* NULL: not covered. */
static explained_t build(explain_t *e, const char *name) {
    for (size_t k = 0; k < sizeof covered / sizeof covered[0]; k++) {
        if (covered[k].kinds & kind_of(e) && strcmp(covered[k].name, name) == 0) {
            return covered[k].build(e);
        }
    }
    for (size_t k = 0; k < 2 && e->estimate; k++) {
        const size_t n = strlen(covered_terms[k].name);
        for (int term = 0; term < ASSAY_TERM_N && strncmp(name, covered_terms[k].name, n) == 0;
             term++) {
            if (strcmp(name + n, assay_term_name((assay_term_t)term)) == 0 &&
                explain_has_term(e, (assay_term_t)term)) {
                return explain_term(e, (assay_term_t)term, covered_terms[k].years);
            }
        }
    }
    return NULL;
}

static assay_status_t not_covered(explain_t *e, const char *path, assay_error_t *err) {
    const char *name[PATHS_MAX];
    const uint32_t n = list_paths(e, name);
    if (e->failed) {
        return assay_error_memory(err, NULL);
    }
    assay_error_set(err, ASSAY_NOT_FOUND, NULL, "there is nothing to explain at '%s'", path);
    const char *near = assay_text_nearest(path, name, n);
    assay_buf_t list;
    assay_buf_init(&list, 4096);
    for (size_t k = 0; k < sizeof covered / sizeof covered[0]; k++) {
        if (covered[k].kinds & kind_of(e)) {
            assay_buf_puts(&list, list.n ? ", " : "");
            assay_buf_puts(&list, covered[k].name);
        }
    }
    assay_buf_puts(&list, e->estimate ? ", cost_terms_usd.*, tco_terms_usd.*" : "");
    if (near) {
        assay_error_next(err, "did you mean '%s'? There are %s", near, list.n ? list.data : "none");
    } else {
        assay_error_next(err, "write candidates[%s].NAME; there are %s", e->machine->id,
                         list.n ? list.data : "none");
    }
    assay_buf_done(&list);
    return ASSAY_NOT_FOUND;
}

assay_status_t assay_explain(assay_arena_t *arena, const assay_explain_of_t *of, const char *path,
                             const assay_explained_t **out, assay_error_t *err) {
    const size_t n_prefix = sizeof PREFIX - 1;
    const char *end = strncmp(path, PREFIX, n_prefix) == 0 ? strstr(path, "].") : NULL;
    if (!end) {
        assay_error_set(err, ASSAY_NOT_FOUND, NULL, "'%s' is no path of a number", path);
        assay_error_next(err, "write candidates[ID].cost_total_usd");
        return ASSAY_NOT_FOUND;
    }
    const char *id = assay_arena_strndup(arena, path + n_prefix, (size_t)(end - path) - n_prefix);
    if (!id) {
        return assay_error_memory(err, NULL);
    }
    uint32_t index = 0;
    const assay_status_t status =
        decide_why_find(arena, assay_explain_resolved(of), id, &index, err);
    if (status) {
        return status;
    }
    explain_t e;
    if (!open_candidate(arena, of, index, &e)) {
        return assay_error_set(err, ASSAY_NOT_FOUND, NULL, "%s does not fit: it has no figures",
                               id);
    }
    *out = build(&e, end + 2);
    if (e.failed) {
        return assay_error_memory(err, NULL);
    }
    return *out ? ASSAY_OK : not_covered(&e, path, err);
}

assay_status_t assay_explain_paths(assay_arena_t *arena, const assay_explain_of_t *of,
                                   const char *const **out_path, uint32_t *out_n,
                                   assay_error_t *err) {
    const uint32_t n_candidate = assay_explain_resolved(of)->n_machine;
    const char **path = assay_arena_array(arena, (size_t)n_candidate * PATHS_MAX + 1, sizeof *path);
    if (!path) {
        return assay_error_memory(err, NULL);
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_candidate; i++) {
        explain_t e;
        if (open_candidate(arena, of, i, &e)) {
            n += list_paths(&e, path + n);
            if (e.failed) {
                return assay_error_memory(err, NULL);
            }
        }
    }
    *out_path = path;
    *out_n = n;
    return ASSAY_OK;
}
