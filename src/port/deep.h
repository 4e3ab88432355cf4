/* The deeper look: syntax trees of tree-sitter, which is loaded when a scan asks for it. What of
   its interface is used is declared here, as its headers need not be there (tree-sitter 0.20 to
   0.25, lib/include/tree_sitter/api.h). */
#ifndef PORT_DEEP_H
#define PORT_DEEP_H

#include <string.h>

#include "port/c_source.h"

typedef struct {
    uint32_t context[4];
    const void *id, *tree;
} port_node_t;

typedef enum { PORT_TREE_CUDA, PORT_TREE_CPP, PORT_TREE_PYTHON, PORT_TREE_N } port_grammar_t;

struct assay_port_deep {
    void *runtime, *grammar[PORT_TREE_N];
    const void *language[PORT_TREE_N];
    void *(*parser_new)(void);
    void (*parser_delete)(void *parser);
    bool (*parser_set_language)(void *parser, const void *language);
    void (*parser_set_timeout)(void *parser, uint64_t micros);
    void *(*parse)(void *parser, const void *old, const char *text, uint32_t n);
    void (*tree_delete)(void *tree);
    port_node_t (*root)(const void *tree);
    const char *(*type)(port_node_t node);
    uint32_t (*start)(port_node_t node);
    uint32_t (*end)(port_node_t node);
    uint32_t (*child_count)(port_node_t node);
    port_node_t (*child)(port_node_t node, uint32_t i);
    uint32_t (*named_count)(port_node_t node);
    port_node_t (*named)(port_node_t node, uint32_t i);
    port_node_t (*field)(port_node_t node, const char *name, uint32_t n);
};

/* One text with its tree. */
typedef struct {
    const assay_port_deep_t *deep;
    void *parser; /* of its grammar */
    port_sink_t *sink;
    const port_text_t *text;
    const port_tables_t *tables;
    const port_target_t *target;
    const port_span_t *span; /* where guards decide: in order of place */
    uint32_t n_span;
} port_tree_t;

/* Children that are looked at, and how deep: what is beyond is only less known. */
#define PORT_CHILDREN_MAX 4096u
#define PORT_TREE_DEPTH 200u

static inline bool port_node_is(const port_tree_t *tree, port_node_t node, const char *type) {
    return node.id && strcmp(tree->deep->type(node), type) == 0;
}
static inline port_node_t port_node_field(const port_tree_t *tree, port_node_t node,
                                          const char *name) {
    return node.id ? tree->deep->field(node, name, (uint32_t)strlen(name)) : node;
}
static inline const char *port_node_text(const port_tree_t *tree, port_node_t node, size_t *out_n) {
    const uint32_t start = node.id ? tree->deep->start(node) : 0;
    *out_n = node.id ? tree->deep->end(node) - start : 0;
    return tree->text->data + start;
}
static inline bool port_node_text_is(const port_tree_t *tree, port_node_t node, const char *word) {
    size_t n;
    const char *text = port_node_text(tree, node, &n);
    return strlen(word) == n && memcmp(text, word, n) == 0;
}
/** Reports rule at node, unless the plain scan did so on that line or a guard keeps it from HIP. */
void port_deep_report(const port_tree_t *tree, port_node_t node, const char *rule,
                      const char *message);

void port_deep_cuda(const port_tree_t *tree, port_node_t root);   /* deep_cuda.c */
void port_deep_python(const port_tree_t *tree, port_node_t root); /* deep_python.c */

#endif
