#include "port/deep_values.h"

#include <string.h>

#include "port/port_hash.h"

#include "base/banned.h"

#define VALUE_MAX (INT64_C(1) << 40)

const port_form_t port_form_other = {.kind = PORT_FORM_OTHER};
const port_form_t port_form_uniform = {.kind = PORT_FORM_UNIFORM};

port_form_t port_form_constant(int64_t value) {
    return value > -VALUE_MAX && value < VALUE_MAX
               ? (port_form_t){.kind = PORT_FORM_UNIFORM, .constant = true, .value = value}
               : port_form_uniform;
}

static port_form_t linear(int64_t x, bool scaled) {
    if (x == 0 && !scaled) {
        return port_form_uniform;
    }
    return x > -VALUE_MAX && x < VALUE_MAX
               ? (port_form_t){.kind = PORT_FORM_LINEAR, .x = scaled ? 0 : x, .scaled = scaled}
               : port_form_other;
}

/* --- names ---------------------------------------------------------------------------------- */

port_binding_t *port_bind(port_values_t *values, port_node_t name, port_form_t form) {
    if (values->n == PORT_BINDINGS_MAX || !name.id) {
        return NULL;
    }
    port_binding_t *binding = &values->binding[values->n++];
    *binding = (port_binding_t){.form = form};
    binding->name = port_node_text(values->tree, name, &binding->n);
    return binding;
}

const port_binding_t *port_binding_of(const port_values_t *values, port_node_t name) {
    size_t n;
    const char *text = port_node_text(values->tree, name, &n);
    for (uint32_t i = values->n; i-- > 0;) {
        if (values->binding[i].n == n && memcmp(values->binding[i].name, text, n) == 0) {
            return &values->binding[i];
        }
    }
    return NULL;
}

uint32_t port_type_bytes(const port_values_t *values, port_node_t type) {
    static const struct {
        const char *word;
        uint32_t bytes;
    } sized[] = {{"long", 8}, {"short", 2}, {"char", 1}, {"unsigned", 4}, {"signed", 4}};
    size_t n;
    const port_tree_t *tree = values->tree;
    const char *text = port_node_text(tree, type, &n);
    if (port_node_is(tree, type, "sized_type_specifier")) {
        for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
            if (memmem(text, n, sized[i].word, strlen(sized[i].word))) {
                return sized[i].bytes;
            }
        }
        return 0;
    }
    const port_binding_t *binding = port_binding_of(values, type); /* using T = float */
    if (binding) {
        return binding->element_bytes;
    }
    uint16_t api;
    return port_bytes_of(port_word_find(tree->tables, port_hash(text, n), text, n, &api));
}

/* --- expressions ---------------------------------------------------------------------------- */

static port_form_t sum(port_form_t a, port_form_t b, int64_t sign) {
    if (a.kind == PORT_FORM_OTHER || b.kind == PORT_FORM_OTHER) {
        return port_form_other;
    }
    if (a.kind == PORT_FORM_UNIFORM && b.kind == PORT_FORM_UNIFORM) {
        return a.constant && b.constant ? port_form_constant(a.value + sign * b.value)
                                        : port_form_uniform;
    }
    return linear((a.kind == PORT_FORM_LINEAR ? a.x : 0) +
                      sign * (b.kind == PORT_FORM_LINEAR ? b.x : 0),
                  a.scaled || b.scaled);
}

static port_form_t product(port_form_t a, port_form_t b) {
    if (a.kind == PORT_FORM_OTHER || b.kind == PORT_FORM_OTHER ||
        (a.kind == PORT_FORM_LINEAR && b.kind == PORT_FORM_LINEAR)) {
        return port_form_other;
    }
    if (a.kind == PORT_FORM_UNIFORM && b.kind == PORT_FORM_UNIFORM) {
        int64_t value;
        return a.constant && b.constant && !__builtin_mul_overflow(a.value, b.value, &value)
                   ? port_form_constant(value)
                   : port_form_uniform;
    }
    const port_form_t grows = a.kind == PORT_FORM_LINEAR ? a : b,
                      factor = a.kind == PORT_FORM_LINEAR ? b : a;
    int64_t x = 0;
    if (factor.constant && __builtin_mul_overflow(grows.x, factor.value, &x)) {
        return port_form_other;
    }
    return linear(x, grows.scaled || !factor.constant);
}

/* Quotient, remainder and bits of constants; of what grows only a remainder that is wider than a
   wave is known. */
static port_form_t divided(const port_values_t *values, port_form_t a, port_form_t b, char sign) {
    if (a.kind == PORT_FORM_UNIFORM && b.kind == PORT_FORM_UNIFORM) {
        if (!a.constant || !b.constant || (sign != '&' && sign != '>' && b.value == 0) ||
            (sign == '>' && (b.value < 0 || b.value > 40))) {
            return port_form_uniform;
        }
        return port_form_constant(sign == '/'   ? a.value / b.value
                                  : sign == '%' ? a.value % b.value
                                  : sign == '&' ? (a.value & b.value)
                                                : a.value >> b.value);
    }
    const int64_t range = sign == '&' ? b.value + 1 : b.value;
    const bool keeps = (sign == '%' || sign == '&') && a.kind == PORT_FORM_LINEAR && b.constant &&
                       a.x == 1 && range >= values->tree->target->wave;
    return keeps ? a : port_form_other;
}

static port_form_t binary(const port_values_t *values, port_node_t node, uint32_t depth) {
    const port_tree_t *tree = values->tree;
    const port_form_t a = port_form_of(values, port_node_field(tree, node, "left"), depth),
                      b = port_form_of(values, port_node_field(tree, node, "right"), depth);
    size_t n;
    const char *sign = port_node_text(tree, port_node_field(tree, node, "operator"), &n);
    if (n == 1 && (*sign == '+' || *sign == '-')) {
        return sum(a, b, *sign == '+' ? 1 : -1);
    }
    if (n == 1 && *sign == '*') {
        return product(a, b);
    }
    if (n == 2 && memcmp(sign, "<<", 2) == 0) {
        return b.constant && b.value >= 0 && b.value < 40
                   ? product(a, port_form_constant(INT64_C(1) << b.value))
               : a.kind == PORT_FORM_UNIFORM && b.kind == PORT_FORM_UNIFORM ? port_form_uniform
                                                                            : port_form_other;
    }
    if ((n == 1 && strchr("/%&", *sign)) || (n == 2 && memcmp(sign, ">>", 2) == 0)) {
        return divided(values, a, b, *sign);
    }
    return a.kind == PORT_FORM_UNIFORM && b.kind == PORT_FORM_UNIFORM ? port_form_uniform
                                                                      : port_form_other;
}

/* threadIdx.x grows; y and z are the same along a wave; a part of a uniform struct is uniform. */
static port_form_t part(const port_values_t *values, port_node_t node, uint32_t depth) {
    const port_tree_t *tree = values->tree;
    const port_node_t of = port_node_field(tree, node, "argument");
    if (port_node_text_is(tree, of, "threadIdx")) {
        return port_node_text_is(tree, port_node_field(tree, node, "field"), "x")
                   ? linear(1, false)
                   : port_form_uniform;
    }
    return port_form_of(values, of, depth).kind == PORT_FORM_UNIFORM ? port_form_uniform
                                                                     : port_form_other;
}

/* static_cast<int>(x) is x; a function of uniform values is taken to be uniform. */
static port_form_t call(const port_values_t *values, port_node_t node, uint32_t depth) {
    const port_tree_t *tree = values->tree;
    const port_node_t function = port_node_field(tree, node, "function"),
                      arguments = port_node_field(tree, node, "arguments");
    const uint32_t n = arguments.id ? tree->deep->named_count(arguments) : 0;
    size_t n_name;
    const char *name = port_node_text(tree, function, &n_name);
    if (n == 1 && n_name > 11 && memcmp(name, "static_cast", 11) == 0) {
        return port_form_of(values, tree->deep->named(arguments, 0), depth);
    }
    for (uint32_t i = 0; i < n && i < PORT_CHILDREN_MAX; i++) {
        if (port_form_of(values, tree->deep->named(arguments, i), depth).kind !=
            PORT_FORM_UNIFORM) {
            return port_form_other;
        }
    }
    return n > 0 ? port_form_uniform : port_form_other; /* thread_rank() and the like */
}

static port_form_t name(const port_values_t *values, port_node_t node) {
    const port_binding_t *binding = port_binding_of(values, node);
    return binding ? binding->form : port_form_uniform;
}

static port_form_t number(const port_values_t *values, port_node_t node) {
    size_t n;
    uint64_t value;
    bool wide;
    const char *text = port_node_text(values->tree, node, &n);
    return port_number(text, n, &value, &wide) && value < (uint64_t)VALUE_MAX
               ? port_form_constant((int64_t)value)
               : port_form_uniform;
}

static port_form_t unary(const port_values_t *values, port_node_t node, uint32_t depth) {
    const port_tree_t *tree = values->tree;
    const port_form_t of = port_form_of(values, port_node_field(tree, node, "argument"), depth);
    if (port_node_text_is(tree, port_node_field(tree, node, "operator"), "-")) {
        return sum(port_form_constant(0), of, -1);
    }
    return of.kind == PORT_FORM_UNIFORM ? port_form_uniform : port_form_other;
}

port_form_t port_form_of(const port_values_t *values, port_node_t expression, uint32_t depth) {
    const port_tree_t *tree = values->tree;
    if (!expression.id || depth == 0) {
        return port_form_other;
    }
    const char *type = tree->deep->type(expression);
    static const struct {
        const char *type;
        port_form_t (*of)(const port_values_t *values, port_node_t node, uint32_t depth);
    } kinds[] = {{"binary_expression", binary},
                 {"field_expression", part},
                 {"call_expression", call},
                 {"unary_expression", unary}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(type, kinds[i].type) == 0) {
            return kinds[i].of(values, expression, depth - 1);
        }
    }
    if (strcmp(type, "identifier") == 0) {
        return name(values, expression);
    }
    if (strcmp(type, "number_literal") == 0) {
        return number(values, expression);
    }
    if (strcmp(type, "parenthesized_expression") == 0) {
        return port_form_of(values, tree->deep->named(expression, 0), depth - 1);
    }
    if (strcmp(type, "cast_expression") == 0) {
        return port_form_of(values, port_node_field(tree, expression, "value"), depth - 1);
    }
    return strcmp(type, "qualified_identifier") == 0 || strcmp(type, "sizeof_expression") == 0
               ? port_form_uniform
               : port_form_other;
}
