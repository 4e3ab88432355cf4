/* Nodes of a tree, and the tree worked out again. */
#include "decide/explain_tree.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/banned.h"

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

/* Room is the next power of two. */
void explain_add(explain_t *e, assay_explained_t *node, explained_t part) {
    if (!node || !part) {
        return;
    }
    const uint32_t n = node->n_part;
    if ((n & (n - 1)) == 0) {
        const assay_explained_t **room =
            assay_arena_array(e->arena, n > 0 ? 2 * (size_t)n : 1, sizeof(void *));
        if (!room) {
            e->failed = true;
            return;
        }
        if (n > 0) {
            memcpy(room, node->part, n * sizeof *room);
        }
        node->part = room;
    }
    node->part[node->n_part++] = part;
}

void explain_say(assay_explained_t *node, const char *key, const char *text, double number) {
    if (node && node->n_detail < ASSAY_EXPLAIN_DETAILS) {
        node->detail[node->n_detail++] = (assay_explain_detail_t){key, text, number};
    }
}

explained_t explain_quotient(explain_t *e, const char *name, double value, const char *unit,
                             explained_t over, explained_t under) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_QUOTIENT, name, value, unit);
    explain_add(e, node, over);
    explain_add(e, node, under);
    return node;
}

explained_t explain_difference(explain_t *e, const char *name, double value, const char *unit,
                               explained_t a, explained_t b) {
    assay_explained_t *node = explain_node(e, ASSAY_EXPLAIN_SUM, name, value, unit);
    assay_explained_t *less =
        b ? explain_node(e, ASSAY_EXPLAIN_PRODUCT, "less", -b->value, b->unit) : NULL;
    explain_add(e, less, explain_constant(e, "less", -1.0, "1"));
    explain_add(e, less, b);
    explain_add(e, node, a);
    explain_add(e, node, less);
    return node;
}

const char *explain_format(explain_t *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = assay_arena_vprintf(e->arena, format, args);
    va_end(args);
    e->failed |= !text;
    return text ? text : "";
}

const char *explain_message(explain_t *e, assay_message_t id, const char *const *arg,
                            size_t n_arg) {
    const char *text = assay_message_text(e->arena, e->resolved->locale.lang, id, arg, n_arg);
    e->failed |= !text;
    return text ? text : "";
}

const char *assay_explain_op_name(assay_explain_op_t op) {
    static const char *const name[ASSAY_EXPLAIN_N] = {
#define OP_NAME(code, text) [ASSAY_EXPLAIN_##code] = text,
        ASSAY_EXPLAIN_LIST(OP_NAME)
#undef OP_NAME
    };
    return name[op];
}

/* What part i (from 1 on) makes of what those before it came to. */
static double fold(uint8_t op, double value, double part) {
    switch ((assay_explain_op_t)op) {
    case ASSAY_EXPLAIN_SUM:
        return value + part;
    case ASSAY_EXPLAIN_PRODUCT:
        return value * part;
    case ASSAY_EXPLAIN_QUOTIENT:
        return value / part;
    case ASSAY_EXPLAIN_MAX:
        return fmax(value, part);
    case ASSAY_EXPLAIN_MIN:
        return fmin(value, part);
    default:
        return value;
    }
}

double assay_explain_replay(const assay_explained_t *node) {
    if (!assay_explain_is_formula(node->op) || node->n_part == 0) {
        return node->value;
    }
    double value = assay_explain_replay(node->part[0]);
    for (uint32_t i = 1; i < node->n_part; i++) {
        value = fold(node->op, value, assay_explain_replay(node->part[i]));
    }
    return node->op == ASSAY_EXPLAIN_CEILING ? ceil(value - 1e-9) : value;
}
