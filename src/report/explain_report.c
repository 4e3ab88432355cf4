/* Where a number is from, and where the choice flips in one variable, as text and JSON. */
#include "report/explain_view.h"

#include "assay/run.h"

#include "base/banned.h"

void assay_flip_write_text(assay_view_t *view, const assay_flip_t *flip) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", flip->sentence);
}

void assay_flip_write_json(assay_view_t *view, const assay_flip_t *flip) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_flips(&json, flip, 1);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}

static const char *amount(assay_view_t *view, const assay_explained_t *node) {
    const bool plain = node->unit[0] == '1' && node->unit[1] == '\0';
    return assay_view_format(view, "%.10g%s%s", node->value, plain ? "" : " ",
                             plain ? "" : node->unit);
}

static void put_node(assay_view_t *view, const assay_explained_t *node, int depth) {
    const char *lead = assay_view_format(view, "%*s", 2 * depth, "");
    const char *how = node->op == ASSAY_EXPLAIN_INPUT
                          ? assay_view_phrase(view, node->source)
                          : assay_explain_op_name((assay_explain_op_t)node->op);
    assay_text_wrap(view, depth == 0 ? ASSAY_STYLE_BOLD : ASSAY_STYLE_PLAIN, lead,
                    assay_view_format(view, "%s = %s (%s)", assay_view_phrase(view, node->name),
                                      amount(view, node), how));
    for (uint32_t i = 0; i < node->n_part; i++) {
        put_node(view, node->part[i], depth + 1);
    }
}

void assay_explanation_write_text(assay_view_t *view, const assay_explanation_t *explanation) {
    put_node(view, explanation->node, 0);
}

static void write_node(assay_json_t *json, const char *key, const char *path,
                       const assay_explained_t *node) {
    assay_json_begin_object(json, key);
    assay_json_string(json, path ? "path" : "name", path ? path : node->name);
    assay_json_number(json, "value", node->value);
    assay_json_string(json, "unit", node->unit);
    assay_json_string(json, "operation", assay_explain_op_name((assay_explain_op_t)node->op));
    assay_json_string(json, "source", node->source);
    assay_json_begin_array(json, "parts");
    for (uint32_t i = 0; i < node->n_part; i++) {
        write_node(json, NULL, NULL, node->part[i]);
    }
    assay_json_end(json);
    assay_json_end(json);
}

void assay_explanation_write_json(assay_view_t *view, const assay_explanation_t *explanation) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    write_node(&json, "explain", explanation->path, explanation->node);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}
