/* The job as it was read, flags and all: with it a decision can be made again. */
#include <string.h>

#include "report/write.h"

#include "base/banned.h"

#define VERSION_KEY "assay"

/* Plain numbers and truth values stay so; all else, "30 d" and "120 TB" too, is text. */
static void put_scalar(assay_json_t *json, const char *key, const assay_node_t *node) {
    double number;
    if (!node->quoted && assay_text_to_double(node->text, node->n_text, &number)) {
        assay_json_number(json, key, number);
    } else if (!node->quoted &&
               (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)) {
        assay_json_bool(json, key, node->text[0] == 't');
    } else {
        assay_json_string(json, key, node->text);
    }
}

/* In the order of the keys, so that the same job is the same text however it was given. Keys are
   those of the schema: few. */
static const assay_node_t *next_key(const assay_node_t *mapping, const assay_node_t *last) {
    const assay_node_t *next = NULL;
    for (const assay_node_t *child = mapping->child; child; child = child->next) {
        if ((!last || strcmp(child->key, last->key) > 0) &&
            (!next || strcmp(child->key, next->key) < 0)) {
            next = child;
        }
    }
    return next;
}

static void put_node(assay_json_t *json, const char *key, const assay_node_t *node) {
    if (node->kind == ASSAY_NODE_SCALAR) {
        put_scalar(json, key, node);
        return;
    }
    if (node->kind == ASSAY_NODE_SEQUENCE) {
        assay_json_begin_array(json, key);
        for (const assay_node_t *child = node->child; child; child = child->next) {
            put_node(json, NULL, child);
        }
    } else {
        assay_json_begin_object(json, key);
        const assay_node_t *last = NULL;
        while ((last = next_key(node, last))) {
            put_node(json, last->key, last);
        }
    }
    assay_json_end(json);
}

void assay_json_job(assay_json_t *json, const assay_node_t *document) {
    const assay_node_t *last = NULL;
    assay_json_begin_object(json, "job");
    assay_json_count(json, VERSION_KEY, 1); /* the only one, whether it is written or not */
    while (document && (last = next_key(document, last))) {
        if (strcmp(last->key, VERSION_KEY) != 0) {
            put_node(json, last->key, last);
        }
    }
    assay_json_end(json);
}
