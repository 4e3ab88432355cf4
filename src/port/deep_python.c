/* Python by its tree: a name that an import gave to a module stands for the module's own name, and
   the terms of data/port_terms.csv are looked for under that. */
#include <stdio.h>
#include <string.h>

#include "port/deep.h"
#include "port/reading.h"

#include "base/banned.h"

enum { ALIASES_MAX = 256, DOTTED_MAX = 200 };

typedef struct {
    const char *name;
    size_t n;
    char dotted[DOTTED_MAX]; /* what it stands for */
} alias_t;

typedef struct {
    const port_tree_t *tree;
    const port_packages_t *packages;
    alias_t *alias;
    uint32_t n;
} names_t;

/* "import a.b as c", "from a import b", "from a import b as c" */
static void add_alias(names_t *names, port_node_t module, port_node_t imported) {
    const port_tree_t *tree = names->tree;
    size_t n_module, n_item, n_name;
    const bool renamed = port_node_is(tree, imported, "aliased_import");
    const port_node_t item = renamed ? port_node_field(tree, imported, "name") : imported;
    const port_node_t name = renamed ? port_node_field(tree, imported, "alias") : imported;
    const char *in = port_node_text(tree, module, &n_module);
    const char *of = port_node_text(tree, item, &n_item);
    const char *as = port_node_text(tree, name, &n_name);
    if (names->n == ALIASES_MAX || n_module + n_item + 2 > DOTTED_MAX || n_name == 0 ||
        (!module.id && !renamed) || memchr(as, '.', n_name)) {
        return;
    }
    alias_t *alias = &names->alias[names->n++];
    *alias = (alias_t){.name = as, .n = n_name};
    (void)snprintf(alias->dotted, sizeof alias->dotted, "%.*s%s%.*s", (int)n_module,
                   module.id ? in : "", module.id ? "." : "", (int)n_item, of);
}

static void read_import(names_t *names, port_node_t statement) {
    const port_tree_t *tree = names->tree;
    const port_node_t module = port_node_field(tree, statement, "module_name");
    const uint32_t n = tree->deep->named_count(statement);
    for (uint32_t i = module.id ? 1 : 0; i < n && i < PORT_CHILDREN_MAX; i++) {
        add_alias(names, module, tree->deep->named(statement, i));
    }
}

static const alias_t *alias_of(const names_t *names, port_node_t node) {
    size_t n;
    const char *text = port_node_text(names->tree, node, &n);
    for (uint32_t i = names->n; i-- > 0;) {
        if (names->alias[i].n == n && memcmp(names->alias[i].name, text, n) == 0) {
            return &names->alias[i];
        }
    }
    return NULL;
}

/* a.b.c with a renamed: the term must reach beyond what the text itself says. */
static void check_attribute(const names_t *names, port_node_t attribute) {
    const port_tree_t *tree = names->tree;
    char dotted[2 * DOTTED_MAX];
    size_t n_text;
    port_node_t root = attribute;
    while (port_node_is(tree, root, "attribute")) {
        root = port_node_field(tree, root, "object");
    }
    const alias_t *alias = port_node_is(tree, root, "identifier") ? alias_of(names, root) : NULL;
    const char *text = port_node_text(tree, attribute, &n_text);
    if (!alias || n_text <= alias->n || n_text > DOTTED_MAX || memchr(text, '\n', n_text)) {
        return;
    }
    const int n = snprintf(dotted, sizeof dotted, "%s%.*s", alias->dotted, (int)(n_text - alias->n),
                           text + alias->n);
    for (const char *from = dotted; from && n > 0; from = strchr(from, '.')) {
        from += *from == '.';
        for (size_t length = strlen(from); length > 0;) {
            const port_term_t *term =
                port_term_find(names->packages, PORT_WHERE_PYTHON, from, length, "", 0);
            if (term) {
                port_deep_report(tree, attribute, term->rule, NULL);
                return;
            }
            const char *dot = memrchr(from, '.', length);
            length = dot ? (size_t)(dot - from) : 0;
        }
    }
}

static void visit(names_t *names, port_node_t node, uint32_t depth) {
    const port_tree_t *tree = names->tree;
    if (port_node_is(tree, node, "import_statement") ||
        port_node_is(tree, node, "import_from_statement")) {
        read_import(names, node);
        return;
    }
    if (port_node_is(tree, node, "attribute")) {
        check_attribute(names, node);
        return;
    }
    const uint32_t n = tree->deep->named_count(node);
    for (uint32_t i = 0; i < n && i < PORT_CHILDREN_MAX && depth < PORT_TREE_DEPTH; i++) {
        visit(names, tree->deep->named(node, i), depth + 1);
    }
}

void port_deep_python(const port_tree_t *tree, port_node_t root) {
    names_t names = {.tree = tree,
                     .packages = port_tables_packages(tree->tables),
                     .alias = assay_arena_array(port_sink_scratch(tree->sink), ALIASES_MAX,
                                                sizeof *names.alias)};
    if (names.alias) {
        visit(&names, root, 0);
    }
}
