/* A distribution in place of a number. */
#include "base/schema_read.h"

#include <string.h>

#include "base/banned.h"

typedef enum { FIXED, RANGE, TRIANGULAR, LOGNORMAL, EMPIRICAL, N_FORM } form_t;

static const struct {
    const char *name;
    const char *key[3];
} form_row[N_FORM] = {
#define FORM_ROW(name, a, b, c) {name, {a, b, c}},
    SCHEMA_DIST_LIST(FORM_ROW)
#undef FORM_ROW
};

static assay_status_t find_form(const schema_read_t *read, const assay_field_t *field,
                                const assay_node_t *node, form_t *out_form) {
    const assay_node_t *name = assay_node_find(node, "dist");
    const char *known[N_FORM];
    for (int f = 0; f < N_FORM; f++) {
        known[f] = form_row[f].name;
        if (name && name->kind == ASSAY_NODE_SCALAR && strcmp(name->text, known[f]) == 0) {
            *out_form = (form_t)f;
            return ASSAY_OK;
        }
    }
    if (!name || name->kind != ASSAY_NODE_SCALAR || name->n_text == 0) {
        assay_error_set(read->err, ASSAY_INPUT, name ? &name->at : &node->at,
                        "the distribution of '%s' has no name in 'dist'", field->key);
        assay_error_next(read->err, "write {dist: triangular, low: ..., mode: ..., high: ...}");
        return ASSAY_INPUT;
    }
    const char *near = assay_text_nearest(name->text, known, N_FORM);
    assay_error_set(read->err, ASSAY_INPUT, &name->at, "'%s' knows no distribution '%.40s'",
                    field->key, name->text);
    assay_error_next(read->err,
                     near ? "did you mean '%s'?"
                          : "%s, range, triangular, lognormal and empirical are known",
                     near ? near : form_row[FIXED].name);
    return ASSAY_INPUT;
}

/* Every key is one of the form's. */
static assay_status_t check_keys(const schema_read_t *read, const assay_node_t *node, form_t form) {
    const char *const *key = form_row[form].key;
    for (const assay_node_t *child = node->child; child; child = child->next) {
        bool known = strcmp(child->key, "dist") == 0;
        uint32_t n = 0;
        for (; n < 3 && key[n]; n++) {
            known |= strcmp(child->key, key[n]) == 0;
        }
        if (!known) {
            assay_error_set(read->err, ASSAY_INPUT, &child->key_at,
                            "unknown key '%.80s' in the distribution '%s'", child->key,
                            form_row[form].name);
            assay_error_next(read->err, "its keys are %s%s%s%s%s", key[0], n > 1 ? ", " : "",
                             n > 1 ? key[1] : "", n > 2 ? ", " : "", n > 2 ? key[2] : "");
            return ASSAY_INPUT;
        }
    }
    return ASSAY_OK;
}

/* The numbers of a form in the order of its keys, rising; out_has: which there are. */
static assay_status_t read_keys(const schema_read_t *read, const assay_field_t *field,
                                const assay_node_t *node, form_t form, double out[3],
                                bool out_has[3]) {
    const char *const *key = form_row[form].key;
    int before = -1;
    for (int k = 0; k < 3; k++) {
        const assay_node_t *child = key[k] ? assay_node_find(node, key[k]) : NULL;
        out_has[k] = child != NULL;
        if (!key[k] || (!child && strcmp(key[k], SCHEMA_DIST_OPTIONAL) == 0)) {
            continue;
        }
        if (!child) {
            assay_error_set(read->err, ASSAY_INPUT, &node->at,
                            "'%s' is missing in the distribution of '%s'", key[k], field->key);
            assay_error_next(read->err, "add %s", key[k]);
            return ASSAY_INPUT;
        }
        assay_field_t part = *field;
        part.key = key[k];
        const assay_status_t status = schema_read_value(read, &part, child, &out[k]);
        if (status != ASSAY_OK) {
            return status;
        }
        if (before >= 0 && out[k] < out[before]) {
            assay_error_set(read->err, ASSAY_INPUT, &child->at,
                            "'%s' is below '%s' in the distribution of '%s'", key[k], key[before],
                            field->key);
            assay_error_next(read->err, "write them in rising order");
            return ASSAY_INPUT;
        }
        before = k;
    }
    return ASSAY_OK;
}

static assay_status_t read_values(const schema_read_t *read, const assay_field_t *field,
                                  const assay_node_t *list, assay_dist_t *out) {
    if (list->kind != ASSAY_NODE_SEQUENCE || list->n == 0 || list->n > SCHEMA_DIST_VALUES_MAX) {
        const bool many = list->kind == ASSAY_NODE_SEQUENCE && list->n > 0;
        assay_error_set(read->err, many ? ASSAY_LIMIT : ASSAY_INPUT, &list->at,
                        many ? "'%s' has more than %u values"
                             : "the values of '%s' are a list of 1 to %u numbers",
                        field->key, SCHEMA_DIST_VALUES_MAX);
        assay_error_next(read->err, "write [2.1, 2.4, 3.0]");
        return many ? ASSAY_LIMIT : ASSAY_INPUT;
    }
    double *sample = assay_arena_array(read->arena, list->n, sizeof *sample);
    uint32_t n = 0;
    if (!sample) {
        return assay_error_memory(read->err, &list->at);
    }
    for (const assay_node_t *child = list->child; child; child = child->next) {
        const assay_status_t status = schema_read_value(read, field, child, &sample[n++]);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    *out = assay_dist_of_sample(sample, n);
    return ASSAY_OK;
}

static assay_status_t refuse_nothing(const schema_read_t *read, const assay_field_t *field,
                                     const assay_node_t *node) {
    assay_error_set(read->err, ASSAY_INPUT, &node->at,
                    "the lognormal distribution of '%s' begins at 0", field->key);
    assay_error_next(read->err, "give a p10 above 0, or another distribution");
    return ASSAY_INPUT;
}

static assay_status_t read_form(const schema_read_t *read, const assay_field_t *field,
                                const assay_node_t *node, assay_dist_t *out) {
    form_t form;
    double x[3];
    bool has[3];
    assay_status_t status = find_form(read, field, node, &form);
    if (status == ASSAY_OK) {
        status = check_keys(read, node, form);
    }
    if (status == ASSAY_OK && form == EMPIRICAL) {
        const assay_node_t *list = assay_node_find(node, form_row[form].key[0]);
        return read_values(read, field, list ? list : node, out);
    }
    if (status == ASSAY_OK) {
        status = read_keys(read, field, node, form, x, has);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    switch (form) {
    case FIXED:
        *out = assay_dist_fixed(x[0]);
        break;
    case RANGE:
        *out = assay_dist_uniform(x[0], x[1]);
        break;
    case TRIANGULAR:
        *out = assay_dist_triangular(x[0], x[1], x[2]);
        break;
    case LOGNORMAL:
        if (!(x[0] > 0.0)) {
            return refuse_nothing(read, field, node);
        }
        *out = has[1] ? assay_dist_lognormal_p10_p50_p90(x[0], x[1], x[2])
                      : assay_dist_lognormal_p10_p90(x[0], x[2]);
        break;
    case EMPIRICAL:
    case N_FORM:
        break;
    }
    return ASSAY_OK;
}

assay_status_t schema_read_dist(const schema_read_t *read, const assay_field_t *field,
                                const assay_node_t *node, assay_number_t *out) {
    assay_dist_t *dist = assay_arena_alloc(read->arena, sizeof *dist);
    if (!dist) {
        return assay_error_memory(read->err, &node->at);
    }
    const assay_status_t status = node->kind == ASSAY_NODE_SEQUENCE
                                      ? read_values(read, field, node, dist)
                                      : read_form(read, field, node, dist);
    if (status == ASSAY_OK) {
        *out = (assay_number_t){assay_dist_quantile(dist, 0.5), ASSAY_GIVEN, node->at, dist};
    }
    return status;
}
