#include "port/deep.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define FILE_BYTES_MAX ((size_t)8 << 20) /* a tree takes some 30 times its text */
#define PARSE_MICROS (20u * 1000 * 1000)

static const struct {
    const char *file, *symbol;
} grammars[PORT_TREE_N] = {
    [PORT_TREE_CUDA] = {"assay-grammar-cuda.so", "tree_sitter_cuda"},
    [PORT_TREE_CPP] = {"assay-grammar-cpp.so", "tree_sitter_cpp"},
    [PORT_TREE_PYTHON] = {"assay-grammar-python.so", "tree_sitter_python"},
};

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
    {"ts_parser_new", offsetof(assay_port_deep_t, parser_new)},
    {"ts_parser_delete", offsetof(assay_port_deep_t, parser_delete)},
    {"ts_parser_set_language", offsetof(assay_port_deep_t, parser_set_language)},
    {"ts_parser_set_timeout_micros", offsetof(assay_port_deep_t, parser_set_timeout)},
    {"ts_parser_parse_string", offsetof(assay_port_deep_t, parse)},
    {"ts_tree_delete", offsetof(assay_port_deep_t, tree_delete)},
    {"ts_tree_root_node", offsetof(assay_port_deep_t, root)},
    {"ts_node_type", offsetof(assay_port_deep_t, type)},
    {"ts_node_start_byte", offsetof(assay_port_deep_t, start)},
    {"ts_node_end_byte", offsetof(assay_port_deep_t, end)},
    {"ts_node_child_count", offsetof(assay_port_deep_t, child_count)},
    {"ts_node_child", offsetof(assay_port_deep_t, child)},
    {"ts_node_named_child_count", offsetof(assay_port_deep_t, named_count)},
    {"ts_node_named_child", offsetof(assay_port_deep_t, named)},
    {"ts_node_child_by_field_name", offsetof(assay_port_deep_t, field)},
};

static assay_status_t is_missing(assay_error_t *err, const char *what) {
    (void)assay_error_set(err, ASSAY_UNAVAILABLE, NULL, "--deep needs %s, which is not here", what);
    assay_error_next(err, "run ./dev deps deep in the sources of assay, or scan without --deep");
    return ASSAY_UNAVAILABLE;
}

static assay_status_t open_runtime(assay_port_deep_t *deep, assay_error_t *err) {
    static const char *const names[] = {"libtree-sitter.so.0", "libtree-sitter.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !deep->runtime; i++) {
        deep->runtime = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (!deep->runtime) {
        return is_missing(err, "tree-sitter (libtree-sitter.so.0)");
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(deep->runtime, symbols[i].name);
        if (!address) {
            return is_missing(err, symbols[i].name);
        }
        memcpy((char *)deep + symbols[i].offset, &address, sizeof address);
    }
    return ASSAY_OK;
}

/* The grammar must also be of a kind that the runtime knows: it refuses others. */
static assay_status_t open_grammar(assay_port_deep_t *deep, port_grammar_t grammar,
                                   const char *const *dir, uint32_t n_dir, assay_error_t *err) {
    char path[4096];
    for (uint32_t i = 0; i < n_dir && !deep->grammar[grammar]; i++) {
        const int n = snprintf(path, sizeof path, "%s/%s", dir[i], grammars[grammar].file);
        if (n > 0 && (size_t)n < sizeof path) {
            deep->grammar[grammar] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    }
    const void *(*language)(void) = NULL;
    void *address =
        deep->grammar[grammar] ? dlsym(deep->grammar[grammar], grammars[grammar].symbol) : NULL;
    if (!address) {
        return is_missing(err, grammars[grammar].file);
    }
    memcpy(&language, &address, sizeof address);
    void *parser = deep->parser_new();
    deep->language[grammar] = language();
    const bool fits = parser && deep->parser_set_language(parser, deep->language[grammar]);
    if (parser) {
        deep->parser_delete(parser);
    }
    return fits ? ASSAY_OK : is_missing(err, "a tree-sitter that fits its grammars");
}

assay_status_t assay_port_deep_open(const char *const *dir, uint32_t n_dir,
                                    assay_port_deep_t **out_deep, assay_error_t *err) {
    assay_port_deep_t *deep = calloc(1, sizeof *deep);
    if (!deep) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = open_runtime(deep, err);
    for (unsigned i = 0; i < PORT_TREE_N && status == ASSAY_OK; i++) {
        status = open_grammar(deep, (port_grammar_t)i, dir, n_dir, err);
    }
    if (status != ASSAY_OK) {
        assay_port_deep_close(deep);
        return status;
    }
    *out_deep = deep;
    return ASSAY_OK;
}

void assay_port_deep_close(assay_port_deep_t *deep) {
    if (!deep) {
        return;
    }
    for (unsigned i = 0; i < PORT_TREE_N; i++) {
        if (deep->grammar[i]) {
            (void)dlclose(deep->grammar[i]);
        }
    }
    if (deep->runtime) {
        (void)dlclose(deep->runtime);
    }
    free(deep);
}

/* --- one text ------------------------------------------------------------------------------- */

static port_span_t span_at(const port_tree_t *tree, uint32_t at) {
    uint32_t low = 0, high = tree->n_span;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (tree->span[middle].end <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < tree->n_span && tree->span[low].first <= at ? tree->span[low] : (port_span_t){0};
}

void port_deep_report(const port_tree_t *tree, port_node_t node, const char *rule,
                      const char *message) {
    size_t n;
    const char *text = port_node_text(tree, node, &n);
    const port_span_t span = span_at(tree, tree->deep->start(node));
    if (span.state & (PORT_STATE_PORTED | PORT_STATE_DEAD)) {
        return;
    }
    port_sink_guard(tree->sink, span.macro);
    const port_found_t found = {
        .rule = rule,
        .offset = tree->deep->start(node),
        .length = n,
        .api = assay_arena_strndup(port_sink_scratch(tree->sink), text, n < 64 ? n : 64),
        .message = message,
        .deep = true,
    };
    port_sink_report(tree->sink, tree->text, &found);
}

static bool grammar_of(uint8_t language, port_grammar_t *out_grammar) {
    switch (language) {
    case ASSAY_PORT_CUDA:
        *out_grammar = PORT_TREE_CUDA;
        return true;
    case ASSAY_PORT_C:
    case ASSAY_PORT_CPP:
        *out_grammar = PORT_TREE_CPP;
        return true;
    case ASSAY_PORT_PYTHON:
        *out_grammar = PORT_TREE_PYTHON;
        return true;
    default:
        return false;
    }
}

void port_deep_read(const assay_port_deep_t *deep, port_sink_t *sink, const port_text_t *text) {
    port_grammar_t grammar;
    if (!grammar_of(text->language, &grammar) || text->size > FILE_BYTES_MAX) {
        return;
    }
    port_tree_t tree = {
        .deep = deep,
        .sink = sink,
        .text = text,
        .tables = port_sink_tables(sink),
        .target = port_tables_target(port_sink_tables(sink), port_sink_options(sink)->target)};
    void *parser = deep->parser_new();
    void *parsed = NULL;
    if (parser && deep->parser_set_language(parser, deep->language[grammar])) {
        deep->parser_set_timeout(parser, PARSE_MICROS);
        parsed = deep->parse(parser, NULL, text->data, (uint32_t)text->size);
    }
    if (parsed) {
        tree.parser = parser;
        if (grammar == PORT_TREE_PYTHON) {
            port_deep_python(&tree, deep->root(parsed));
        } else {
            tree.n_span = port_guard_spans(sink, text, &tree.span);
            port_deep_cuda(&tree, deep->root(parsed));
        }
        deep->tree_delete(parsed);
    }
    if (parser) {
        deep->parser_delete(parser);
    }
}
