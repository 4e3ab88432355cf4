/* Where a number is from, and where the choice flips in one variable, as text and JSON. */
#include "report/explain_view.h"

#include <string.h>

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
    const bool plain = strcmp(node->unit, "1") == 0;
    return assay_view_format(view, "%.10g%s%s", node->value, plain ? "" : " ",
                             plain ? "" : node->unit);
}

/* "sum", "model, assay/train.h", of an input where it stands; then what the node says besides. */
static const char *how(assay_view_t *view, const assay_explained_t *node) {
    const char *op = assay_view_phrase(view, assay_explain_op_name((assay_explain_op_t)node->op));
    const char *text = node->op == ASSAY_EXPLAIN_INPUT ? assay_view_phrase(view, node->source)
                       : node->source                  ? assay_view_format(view, "%s, %s", op,
                                                                           assay_view_phrase(view, node->source))
                                                       : op;
    for (uint32_t k = 0; k < node->n_detail; k++) {
        const assay_explain_detail_t *detail = &node->detail[k];
        const char *key = assay_view_phrase(view, detail->key);
        text = detail->text ? assay_view_format(view, "%s; %s: %s", text, key,
                                                assay_view_phrase(view, detail->text))
                            : assay_view_format(view, "%s; %s: %.10g", text, key, detail->number);
    }
    return text;
}

static void put_node(assay_view_t *view, const assay_explained_t *node, int depth) {
    const char *lead = assay_view_format(view, "%*s", 2 * depth, "");
    assay_text_wrap(view, depth == 0 ? ASSAY_STYLE_BOLD : ASSAY_STYLE_PLAIN, lead,
                    assay_view_format(view, "%s = %s (%s)", assay_view_phrase(view, node->name),
                                      amount(view, node), how(view, node)));
    for (uint32_t i = 0; i < node->n_part; i++) {
        put_node(view, node->part[i], depth + 1);
    }
}

void assay_explanation_write_text(assay_view_t *view, const assay_explanation_t *explanation) {
    put_node(view, explanation->node, 0);
}

/* ---- JSON ---- */

static void write_node(assay_json_t *json, const char *key, const char *path,
                       const assay_explained_t *node) {
    assay_json_begin_object(json, key);
    assay_json_string(json, path ? "path" : "name", path ? path : node->name);
    assay_json_number(json, "value", node->value);
    assay_json_string(json, "unit", node->unit);
    assay_json_string(json, "operation", assay_explain_op_name((assay_explain_op_t)node->op));
    assay_json_string(json, "source", node->source);
    if (node->n_detail > 0) {
        assay_json_begin_object(json, "details");
        for (uint32_t k = 0; k < node->n_detail; k++) {
            const assay_explain_detail_t *detail = &node->detail[k];
            if (detail->text) {
                assay_json_string(json, detail->key, detail->text);
            } else {
                assay_json_number(json, detail->key, detail->number);
            }
        }
        assay_json_end(json);
    }
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

/* ---- all that can be asked ---- */

void assay_explanations_write_text(assay_view_t *view, const assay_explanation_list_t *list) {
    for (uint32_t i = 0; i < list->n; i++) {
        const assay_explanation_t *item = &list->item[i];
        assay_buf_printable(view->out, item->path, strlen(item->path));
        assay_buf_printf(
            view->out, " = %s (%s)\n", amount(view, item->node),
            assay_view_phrase(view, assay_explain_op_name((assay_explain_op_t)item->node->op)));
    }
}

void assay_explanations_write_json(assay_view_t *view, const assay_explanation_list_t *list) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "numbers");
    for (uint32_t i = 0; i < list->n; i++) {
        const assay_explained_t *node = list->item[i].node;
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "path", list->item[i].path);
        assay_json_number(&json, "value", node->value);
        assay_json_string(&json, "unit", node->unit);
        assay_json_string(&json, "operation", assay_explain_op_name((assay_explain_op_t)node->op));
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}
