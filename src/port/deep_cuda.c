/* CUDA and C++ by their tree: how the lanes of a wave walk through memory when the way goes over
   variables, template parameters, aliases and macros; arguments across nested templates. */
#include <inttypes.h>

#include "port/deep_values.h"
#include "port/port_hash.h"

#include "base/banned.h"

enum { FUNCTIONS_MAX = 1024, USES_MAX = 1024, ASSIGNED_MAX = 256, USES_A_FUNCTION = 4 };
#define JOINED_BYTES 16 /* as far apart the loads of a wave still join */
#define EXPRESSION_DEPTH 64u

typedef struct {
    port_node_t node, parameters, templates, name;
    bool kernel, device;
} function_t;

/* name<...> in a call */
typedef struct {
    port_node_t name, arguments;
} use_t;

typedef struct {
    const port_tree_t *tree;
    port_values_t values;
    function_t function[FUNCTIONS_MAX];
    use_t use[USES_MAX];
    uint32_t n_function, n_use;
    /* of the function that is looked at */
    const function_t *current;
    uint32_t assigned[ASSIGNED_MAX]; /* names that get values of another kind */
    uint32_t n_assigned;
    bool exchanged_32;
} cuda_t;

/* A table of data has none: what is in it is no code, and it may be long. */
static uint32_t children(const cuda_t *c, port_node_t node) {
    const bool data = port_node_is(c->tree, node, "initializer_list");
    const uint32_t n = node.id && !data ? c->tree->deep->named_count(node) : 0;
    return n < PORT_CHILDREN_MAX ? n : PORT_CHILDREN_MAX;
}

static port_node_t child(const cuda_t *c, port_node_t node, uint32_t i) {
    return c->tree->deep->named(node, i);
}

static bool is(const cuda_t *c, port_node_t node, const char *type) {
    return port_node_is(c->tree, node, type);
}

static port_node_t field(const cuda_t *c, port_node_t node, const char *name) {
    return port_node_field(c->tree, node, name);
}

static bool same_text(const cuda_t *c, port_node_t a, port_node_t b) {
    size_t n_a, n_b;
    const char *text_a = port_node_text(c->tree, a, &n_a),
               *text_b = port_node_text(c->tree, b, &n_b);
    return n_a == n_b && n_a > 0 && memcmp(text_a, text_b, n_a) == 0;
}

/* One of the node's own words, before its body, is this. */
static bool has_word(const cuda_t *c, port_node_t node, const char *word) {
    const uint32_t n = node.id ? c->tree->deep->child_count(node) : 0;
    for (uint32_t i = 0; i < n && i < 16; i++) {
        if (port_node_text_is(c->tree, c->tree->deep->child(node, i), word)) {
            return true;
        }
    }
    return false;
}

static port_form_t form_of(const cuda_t *c, port_node_t node) {
    return port_form_of(&c->values, node, EXPRESSION_DEPTH);
}

/* --- what the file says --------------------------------------------------------------------- */

/* #define PITCH (16 * 2): the value is no tree, so it becomes one. */
static void bind_macro(cuda_t *c, port_node_t define) {
    size_t n;
    const char *value = port_node_text(c->tree, field(c, define, "value"), &n);
    const assay_port_deep_t *deep = c->tree->deep;
    const char *text =
        n > 0 && n < 80 && !memchr(value, '"', n)
            ? assay_arena_printf(port_sink_scratch(c->tree->sink), "int x = %.*s;", (int)n, value)
            : NULL;
    void *parsed = text ? deep->parse(c->tree->parser, NULL, text, (uint32_t)strlen(text)) : NULL;
    if (!parsed) {
        return;
    }
    const port_text_t own = {.data = text, .size = strlen(text)};
    port_tree_t tree = *c->tree;
    tree.text = &own;
    port_values_t values = c->values;
    values.tree = &tree;
    const port_node_t declaration = deep->named(deep->root(parsed), 0);
    const port_form_t form = port_form_of(
        &values, port_node_field(&tree, port_node_field(&tree, declaration, "declarator"), "value"),
        EXPRESSION_DEPTH);
    if (form.constant) {
        (void)port_bind(&c->values, field(c, define, "name"), form);
    }
    deep->tree_delete(parsed);
}

/* const int N = 32; constexpr int N = 32; */
static void bind_constants(cuda_t *c, port_node_t declaration) {
    if (!has_word(c, declaration, "const") && !has_word(c, declaration, "constexpr")) {
        return;
    }
    for (uint32_t i = 0; i < children(c, declaration); i++) {
        const port_node_t item = child(c, declaration, i);
        const port_form_t form =
            is(c, item, "init_declarator") ? form_of(c, field(c, item, "value")) : port_form_other;
        if (form.constant) {
            (void)port_bind(&c->values, field(c, item, "declarator"), form);
        }
    }
}

static void bind_type(cuda_t *c, port_node_t name, port_node_t type) {
    const port_node_t of = is(c, type, "type_descriptor") ? field(c, type, "type") : type;
    const uint32_t bytes = port_type_bytes(&c->values, of);
    port_binding_t *binding = bytes ? port_bind(&c->values, name, port_form_uniform) : NULL;
    if (binding) {
        binding->element_bytes = bytes;
    }
}

static port_node_t function_declarator(const cuda_t *c, port_node_t node) {
    port_node_t declarator = field(c, node, "declarator");
    for (unsigned i = 0; i < 8 && declarator.id && !is(c, declarator, "function_declarator"); i++) {
        declarator = field(c, declarator, "declarator");
    }
    return declarator;
}

static void see_function(cuda_t *c, port_node_t node, port_node_t templates) {
    const port_node_t declarator = function_declarator(c, node);
    if (!declarator.id || c->n_function == FUNCTIONS_MAX) {
        return;
    }
    c->function[c->n_function++] = (function_t){
        .node = node,
        .templates = templates,
        .name = field(c, declarator, "declarator"),
        .parameters = field(c, declarator, "parameters"),
        .kernel = has_word(c, node, "__global__"),
        .device = has_word(c, node, "__device__"),
    };
}

static void collect(cuda_t *c, port_node_t node, port_node_t templates, bool outside,
                    uint32_t depth) {
    const port_node_t none = {.id = NULL};
    if (is(c, node, "preproc_def")) {
        bind_macro(c, node);
    } else if (is(c, node, "template_declaration")) {
        templates = field(c, node, "parameters");
    } else if (is(c, node, "function_definition")) {
        see_function(c, node, templates);
        templates = none;
        outside = false;
    } else if (outside && is(c, node, "declaration")) {
        bind_constants(c, node);
    } else if (outside && is(c, node, "alias_declaration")) {
        bind_type(c, field(c, node, "name"), field(c, node, "type"));
    } else if (is(c, node, "template_function") && c->n_use < USES_MAX) {
        c->use[c->n_use++] = (use_t){field(c, node, "name"), field(c, node, "arguments")};
    }
    for (uint32_t i = 0; i < children(c, node) && depth < PORT_TREE_DEPTH; i++) {
        collect(c, child(c, node, i), templates, outside, depth + 1);
    }
}

/* --- names of a function -------------------------------------------------------------------- */

static bool is_assigned(const cuda_t *c, port_node_t name) {
    size_t n;
    const char *text = port_node_text(c->tree, name, &n);
    const uint32_t hash = port_hash(text, n);
    for (uint32_t i = 0; i < c->n_assigned; i++) {
        if (c->assigned[i] == hash) {
            return true;
        }
    }
    return false;
}

/* i = ..., i *= ..., &i; but i++ and i += blockDim.x leave it growing as before. */
static void find_assigned(cuda_t *c, port_node_t node, uint32_t depth) {
    port_node_t target = {.id = NULL};
    if (is(c, node, "assignment_expression")) {
        size_t n, n_sign;
        const char *right = port_node_text(c->tree, field(c, node, "right"), &n);
        const char *sign = port_node_text(c->tree, field(c, node, "operator"), &n_sign);
        const bool steps = n_sign == 2 && (*sign == '+' || *sign == '-');
        if (!steps || memmem(right, n, "threadIdx", 9) || memchr(right, '[', n)) {
            target = field(c, node, "left");
        }
    } else if (is(c, node, "pointer_expression")) {
        target = field(c, node, "argument");
    }
    if (is(c, target, "identifier") && c->n_assigned < ASSIGNED_MAX) {
        size_t n;
        const char *text = port_node_text(c->tree, target, &n);
        c->assigned[c->n_assigned++] = port_hash(text, n);
    }
    for (uint32_t i = 0; i < children(c, node) && depth < PORT_TREE_DEPTH; i++) {
        find_assigned(c, child(c, node, i), depth + 1);
    }
}

static void bind_template(cuda_t *c, port_node_t parameter, port_node_t argument) {
    if (is(c, parameter, "type_parameter_declaration") ||
        is(c, parameter, "optional_type_parameter_declaration")) {
        const port_node_t fallback = field(c, parameter, "default_type");
        if (argument.id || fallback.id) {
            bind_type(c, child(c, parameter, 0), argument.id ? argument : fallback);
        }
        return;
    }
    const port_node_t value = argument.id ? argument : field(c, parameter, "default_value");
    (void)port_bind(&c->values, field(c, parameter, "declarator"),
                    value.id ? form_of(c, value) : port_form_uniform);
}

static void bind_parameters(cuda_t *c, const function_t *f) {
    for (uint32_t i = 0; i < children(c, f->parameters); i++) {
        const port_node_t parameter = child(c, f->parameters, i);
        const port_node_t declarator = field(c, parameter, "declarator");
        if (!is(c, declarator, "pointer_declarator")) {
            (void)port_bind(&c->values, declarator,
                            is_assigned(c, declarator) ? port_form_other : port_form_uniform);
            continue;
        }
        port_node_t name = declarator;
        while (is(c, name, "pointer_declarator")) {
            name = field(c, name, "declarator");
        }
        port_binding_t *binding = port_bind(&c->values, name, port_form_other);
        if (binding) {
            binding->is_array = f->kernel;
            binding->n_dimension = 1;
            binding->element_bytes = port_type_bytes(&c->values, field(c, parameter, "type"));
        }
    }
}

/* t[ROWS][PITCH]: dimensions from the outermost on. */
static port_node_t read_dimensions(const cuda_t *c, port_node_t declarator, port_binding_t *out) {
    port_node_t name = declarator;
    uint32_t n = 0;
    for (port_node_t at = declarator; is(c, at, "array_declarator"); n++) {
        at = name = field(c, at, "declarator");
    }
    out->n_dimension = n <= PORT_DIMENSIONS_MAX ? n : 0;
    for (port_node_t at = declarator; out->n_dimension && n-- > 0;
         at = field(c, at, "declarator")) {
        const port_form_t size = form_of(c, field(c, at, "size"));
        out->dimension[n] = size.constant && size.value > 0 ? (uint64_t)size.value : 0;
    }
    return name;
}

/* The array that an expression points into: its name, or the name and something uniform. */
static const port_binding_t *array_in(const cuda_t *c, port_node_t node) {
    while (is(c, node, "binary_expression") &&
           form_of(c, field(c, node, "right")).kind == PORT_FORM_UNIFORM) {
        node = field(c, node, "left");
    }
    const port_binding_t *binding =
        is(c, node, "identifier") ? port_binding_of(&c->values, node) : NULL;
    return binding && binding->is_array ? binding : NULL;
}

static void bind_initialised(cuda_t *c, port_node_t item, uint32_t bytes) {
    const port_node_t declarator = field(c, item, "declarator"), value = field(c, item, "value");
    if (is(c, declarator, "pointer_declarator")) {
        const port_binding_t *of = array_in(c, value);
        const port_node_t name = field(c, declarator, "declarator");
        const bool shared = of && of->shared, is_array = of && !is_assigned(c, name);
        port_binding_t *binding = port_bind(&c->values, name, port_form_other);
        if (binding) {
            binding->is_array = is_array;
            binding->shared = shared;
            binding->n_dimension = 1;
            binding->element_bytes = bytes;
        }
        return;
    }
    const port_form_t form = form_of(c, value);
    (void)port_bind(&c->values, declarator, is_assigned(c, declarator) ? port_form_other : form);
}

static void bind_locals(cuda_t *c, port_node_t declaration) {
    const bool shared = has_word(c, declaration, "__shared__");
    const uint32_t bytes = port_type_bytes(&c->values, field(c, declaration, "type"));
    for (uint32_t i = 0; i < children(c, declaration); i++) {
        const port_node_t item = child(c, declaration, i);
        if (is(c, item, "init_declarator")) {
            bind_initialised(c, item, bytes);
        } else if (is(c, item, "array_declarator")) {
            port_binding_t read = {.is_array = shared, .shared = shared, .element_bytes = bytes};
            const port_node_t name = read_dimensions(c, item, &read);
            port_binding_t *binding = port_bind(&c->values, name, port_form_other);
            if (binding) {
                read.name = binding->name;
                read.n = binding->n;
                *binding = read;
            }
        } else if (is(c, item, "identifier")) {
            (void)port_bind(&c->values, item, port_form_other);
        }
    }
}

/* --- what is told --------------------------------------------------------------------------- */

/* Bytes between neighbouring threads in a[i][j]; false: not known. *scaled: a multiple of something
   unknown. */
static bool stride_of(const cuda_t *c, const port_binding_t *array, const port_node_t *index,
                      uint32_t n, int64_t *out_bytes, bool *out_scaled) {
    int64_t scale = array->element_bytes, sum = 0;
    *out_scaled = false;
    for (uint32_t k = n; k-- > 0;) {
        const port_form_t form = form_of(c, index[k]);
        int64_t bytes = 0;
        if (form.kind == PORT_FORM_OTHER || scale == 0 ||
            (form.kind == PORT_FORM_LINEAR && __builtin_mul_overflow(form.x, scale, &bytes)) ||
            __builtin_add_overflow(sum, bytes, &sum)) {
            return false;
        }
        *out_scaled |= form.kind == PORT_FORM_LINEAR && form.scaled;
        if (k > 0 && __builtin_mul_overflow(scale, (int64_t)array->dimension[k], &scale)) {
            return false;
        }
    }
    *out_bytes = sum;
    return true;
}

static void check_access(cuda_t *c, port_node_t subscript) {
    port_node_t index[PORT_DIMENSIONS_MAX], of = subscript;
    uint32_t n = 0;
    for (; is(c, of, "subscript_expression"); n++) { /* from the last index to the first */
        const port_node_t list = field(c, of, "indices");
        if (n == PORT_DIMENSIONS_MAX || children(c, list) != 1) {
            return;
        }
        for (uint32_t k = n; k > 0; k--) {
            index[k] = index[k - 1];
        }
        index[0] = child(c, list, 0);
        of = field(c, of, "argument");
    }
    const port_binding_t *array = is(c, of, "identifier") ? port_binding_of(&c->values, of) : NULL;
    int64_t bytes;
    bool scaled;
    if (!array || !array->is_array || n != array->n_dimension ||
        !stride_of(c, array, index, n, &bytes, &scaled)) {
        return;
    }
    const uint64_t apart = (uint64_t)(bytes < 0 ? -bytes : bytes);
    const char *sentence =
        assay_arena_printf(port_sink_scratch(c->tree->sink),
                           "Neighbouring threads are %" PRIu64 " bytes apart in %s memory", apart,
                           array->shared ? "shared" : "global");
    if (array->shared && !scaled && port_hits_few_banks(c->tree->target, apart)) {
        port_deep_report(c->tree, of, "bank-conflict", sentence);
    } else if (!array->shared && (scaled || apart > JOINED_BYTES)) {
        port_deep_report(c->tree, of, "uncoalesced", scaled ? NULL : sentence);
    }
}

/* Threads of 128 or dim3(a, b): 0 = not known. */
static uint64_t threads_of(const cuda_t *c, port_node_t block) {
    const port_form_t form = form_of(c, block);
    uint64_t threads = 1;
    if (form.constant) {
        return form.value > 0 ? (uint64_t)form.value : 0;
    }
    const port_node_t arguments = field(c, block, "arguments");
    if (!is(c, block, "call_expression") ||
        !port_node_text_is(c->tree, field(c, block, "function"), "dim3")) {
        return 0;
    }
    for (uint32_t i = 0; i < children(c, arguments); i++) {
        const port_form_t part = form_of(c, child(c, arguments, i));
        if (!part.constant || part.value <= 0 || part.value > 1024) {
            return 0;
        }
        threads *= (uint64_t)part.value;
    }
    return threads <= 1024 ? threads : 0;
}

static void check_launch(const cuda_t *c, port_node_t syntax) {
    const port_node_t block =
        children(c, syntax) > 1 ? child(c, syntax, 1) : (port_node_t){{0}, 0, 0};
    const uint64_t threads = block.id ? threads_of(c, block) : 0;
    if (threads % 64 != 0) {
        port_deep_report(c->tree, block, "block-size-not-wave-multiple", NULL);
    }
}

static bool is_32(const cuda_t *c, port_node_t node) {
    const port_form_t form = is(c, node, "number_literal") ? form_of(c, node) : port_form_other;
    return form.constant && form.value == 32;
}

static bool names_warp_size(const cuda_t *c, port_node_t name) {
    size_t n;
    const char *text = port_node_text(c->tree, name, &n);
    return n > 0 && port_names_warp_size(text, n);
}

/* 32 is given where the function, or the template, of that name has its warp size. */
static void check_bound(const cuda_t *c, port_node_t function, port_node_t arguments) {
    const bool is_template = is(c, function, "template_function");
    const port_node_t name = is_template ? field(c, function, "name") : function;
    for (uint32_t i = 0; i < c->n_function; i++) {
        const function_t *f = &c->function[i];
        if (!same_text(c, f->name, name)) {
            continue;
        }
        const port_node_t given[2] = {is_template ? field(c, function, "arguments") : arguments,
                                      arguments};
        const port_node_t wanted[2] = {is_template ? f->templates : f->parameters, f->parameters};
        for (unsigned k = is_template ? 0 : 1; k < 2; k++) {
            for (uint32_t a = 0; a < children(c, given[k]) && a < children(c, wanted[k]); a++) {
                if (is_32(c, child(c, given[k], a)) &&
                    names_warp_size(c, field(c, child(c, wanted[k], a), "declarator"))) {
                    port_deep_report(c->tree, child(c, given[k], a), "warp-size-assumed-32", NULL);
                }
            }
        }
        return;
    }
}

/* An exchange over 16 lanes without a width, none over 32 before it: the tree counts arguments
   right where templates have commas. */
static void check_exchange(cuda_t *c, port_node_t function, port_node_t arguments) {
    size_t n;
    const char *text = port_node_text(c->tree, function, &n);
    uint16_t api;
    const uint8_t word = port_word_find(c->tree->tables, port_hash(text, n), text, n, &api);
    const bool sync = word >= PORT_WORD_SHFL_UP_SYNC && word <= PORT_WORD_SHFL_XOR_SYNC;
    if (!sync && !(word >= PORT_WORD_SHFL_UP && word <= PORT_WORD_SHFL_XOR)) {
        return;
    }
    const uint32_t distance = sync ? 2 : 1;
    if (children(c, arguments) != distance + 1) {
        return;
    }
    const port_node_t at = child(c, arguments, distance);
    c->exchanged_32 |= is_32(c, at);
    const port_form_t form = is(c, at, "number_literal") ? form_of(c, at) : port_form_other;
    if (form.constant && form.value == 16 && !c->exchanged_32) {
        port_deep_report(c->tree, at, "warp-size-assumed-32", NULL);
    }
}

static void check_call(cuda_t *c, port_node_t call) {
    const port_node_t function = field(c, call, "function"),
                      arguments = field(c, call, "arguments");
    for (uint32_t i = 0; i < children(c, call) && i < 4; i++) {
        if (is(c, child(c, call, i), "kernel_call_syntax")) {
            check_launch(c, child(c, call, i));
        }
    }
    check_bound(c, function, arguments);
    if (is(c, function, "identifier")) {
        check_exchange(c, function, arguments);
    }
}

/* --- the walk over a function --------------------------------------------------------------- */

static void walk(cuda_t *c, port_node_t node, uint32_t depth) {
    const uint32_t mark = c->values.n;
    const bool scope = is(c, node, "compound_statement") || is(c, node, "for_statement");
    if (is(c, node, "declaration")) {
        bind_locals(c, node);
    } else if (is(c, node, "call_expression")) {
        check_call(c, node);
    } else if (is(c, node, "subscript_expression") && (c->current->kernel || c->current->device)) {
        check_access(c, node);
    }
    for (uint32_t i = 0; i < children(c, node) && depth < PORT_TREE_DEPTH; i++) {
        const port_node_t inner = child(c, node, i);
        /* a[i] of a[i][j] is no access of its own */
        const bool part =
            is(c, node, "subscript_expression") && is(c, inner, "subscript_expression");
        if (!part) {
            walk(c, inner, depth + 1);
        }
    }
    if (scope) {
        c->values.n = mark;
    }
}

static void look_at(cuda_t *c, const function_t *f, const use_t *use) {
    const uint32_t mark = c->values.n;
    const port_node_t none = {.id = NULL};
    c->current = f;
    c->n_assigned = 0;
    c->exchanged_32 = false;
    find_assigned(c, field(c, f->node, "body"), 0);
    for (uint32_t i = 0; i < children(c, f->templates); i++) {
        const bool given = use && i < children(c, use->arguments);
        bind_template(c, child(c, f->templates, i), given ? child(c, use->arguments, i) : none);
    }
    bind_parameters(c, f);
    walk(c, field(c, f->node, "body"), 0);
    c->values.n = mark;
}

void port_deep_cuda(const port_tree_t *tree, port_node_t root) {
    assay_arena_t *scratch = port_sink_scratch(tree->sink);
    const port_node_t none = {.id = NULL};
    cuda_t *c = assay_arena_alloc(scratch, sizeof *c);
    port_binding_t *binding = assay_arena_array(scratch, PORT_BINDINGS_MAX, sizeof *binding);
    if (!c || !binding) {
        return;
    }
    *c = (cuda_t){.tree = tree, .values = {.tree = tree, .binding = binding}};
    collect(c, root, none, true, 0);
    for (uint32_t i = 0; i < c->n_function; i++) {
        const function_t *f = &c->function[i];
        uint32_t n = 0;
        for (uint32_t k = 0; f->templates.id && k < c->n_use && n < USES_A_FUNCTION; k++) {
            if (same_text(c, f->name, c->use[k].name)) {
                look_at(c, f, &c->use[k]);
                n++;
            }
        }
        if (n == 0) {
            look_at(c, f, NULL);
        }
    }
}
