#include <string.h>

#include "port/c_source.h"

#include "base/banned.h"

#define DEPTH_MAX 4096u
#define FUNCTION_DEPTH 32u
#define ALIAS_MAX 64u

/* Depths to go back to when a conditional's other branch begins. */
typedef struct {
    uint32_t depth, functions;
} mark_t;

typedef struct {
    port_source_t *source;
    uint32_t open[DEPTH_MAX]; /* brackets that wait for their partner */
    uint32_t depth;
    uint32_t function[FUNCTION_DEPTH]; /* functions that wait for their end */
    uint32_t n_open_function, capacity;
    mark_t mark[PORT_GUARD_DEPTH];
    uint32_t alias[ALIAS_MAX]; /* macros that stand for __global__ here */
    uint32_t n_alias;
    /* the declaration that is being read, at any depth */
    uint32_t head, params, lambda;
    bool kernel, device, host, scope, value;
    bool failed;
} builder_t;

static void new_declaration(builder_t *b, uint32_t head) {
    b->head = head;
    b->params = PORT_NO_MATCH;
    b->kernel = b->device = b->host = b->scope = b->value = false;
}

static port_function_t *inside(builder_t *b) {
    return b->n_open_function ? &b->source->function[b->function[b->n_open_function - 1]] : NULL;
}

/* --- brackets ------------------------------------------------------------------------------- */

static uint32_t opener_of(uint32_t closer) {
    return closer == ')' ? '(' : closer == ']' ? '[' : '{';
}

static void push(builder_t *b, uint32_t i) {
    if (b->depth < DEPTH_MAX) {
        b->open[b->depth++] = i;
    }
}

/* Joins the closer at i to its opener. A brace also closes what was left open inside it. */
static void pop(builder_t *b, uint32_t i, uint32_t base) {
    port_source_t *source = b->source;
    const uint32_t wanted = opener_of(source->token[i].hash);
    uint32_t depth = b->depth;
    while (depth > base && source->token[b->open[depth - 1]].hash != wanted) {
        if (source->token[b->open[depth - 1]].hash == '{') {
            return; /* a stray ) or ] */
        }
        depth--;
    }
    if (depth > base) {
        const uint32_t opener = b->open[depth - 1];
        source->match[opener] = i;
        source->match[i] = opener;
        b->depth = depth - 1;
    }
}

/* --- functions ------------------------------------------------------------------------------ */

static bool names_parameters(const port_source_t *source, uint32_t open) {
    if (open == 0) {
        return false;
    }
    if (!port_is_name(source, open - 1)) {
        return port_is_sign(source, open - 1, '>') || /* an explicit specialisation */
               (open > 1 && port_word_at(source, open - 2) == PORT_WORD_OPERATOR);
    }
    switch (port_word_at(source, open - 1)) {
    case PORT_WORD_LAUNCH_BOUNDS:
    case PORT_WORD_CLUSTER_DIMS:
    case PORT_WORD_IF:
    case PORT_WORD_FOR:
    case PORT_WORD_WHILE:
    case PORT_WORD_SWITCH:
    case PORT_WORD_SIZEOF:
        return false;
    default:
        break;
    }
    static const char *const not_names[] = {"__attribute__", "decltype",  "alignas",    "noexcept",
                                            "requires",      "__align__", "__declspec", "explicit"};
    const char *text = port_token_text(source, open - 1);
    const size_t n = source->token[open - 1].n;
    for (size_t i = 0; i < sizeof not_names / sizeof *not_names; i++) {
        if (strlen(not_names[i]) == n && memcmp(not_names[i], text, n) == 0) {
            return false;
        }
    }
    return true;
}

static void open_function(builder_t *b, uint32_t open, bool is_lambda) {
    port_source_t *source = b->source;
    if (b->n_open_function == FUNCTION_DEPTH) {
        return;
    }
    if (source->n_function == b->capacity) {
        const uint32_t capacity = b->capacity ? 2 * b->capacity : 64;
        port_function_t *function =
            assay_arena_array(port_sink_scratch(source->sink), capacity, sizeof *function);
        if (!function) {
            b->failed = true;
            return;
        }
        if (source->n_function) {
            memcpy(function, source->function, source->n_function * sizeof *function);
        }
        source->function = function;
        b->capacity = capacity;
    }
    const bool named = !is_lambda && b->params > 0;
    source->function[source->n_function] = (port_function_t){
        .head = is_lambda ? b->lambda : b->head,
        .name = named ? b->params - 1 : PORT_NO_MATCH,
        .params = is_lambda ? PORT_NO_MATCH : b->params,
        .open = open,
        .close = source->n,
        .kernel = !is_lambda && b->kernel,
        .device = is_lambda || b->device,
        .host = !is_lambda && b->host,
    };
    b->function[b->n_open_function++] = source->n_function++;
}

/* Not marked, but it works on its thread's number and returns nothing: its mark is a macro of
   another file. */
static bool is_kernel_by_body(const port_source_t *source, const port_function_t *f) {
    if (f->device || f->host || !f->uses_threads || f->name == PORT_NO_MATCH) {
        return false;
    }
    for (uint32_t i = f->head; i < f->name; i++) {
        if (port_word_at(source, i) == PORT_WORD_VOID) {
            return true;
        }
    }
    return false;
}

static void close_functions(builder_t *b, uint32_t keep, uint32_t at) {
    while (b->n_open_function > keep) {
        port_function_t *f = inside(b);
        f->close = at;
        f->kernel = f->kernel || is_kernel_by_body(b->source, f);
        b->n_open_function--;
    }
}

static void see_open_brace(builder_t *b, uint32_t i) {
    const bool in_function = b->n_open_function > 0;
    push(b, i);
    if (b->lambda != PORT_NO_MATCH) {
        open_function(b, i, true);
        b->lambda = PORT_NO_MATCH;
    } else if (!in_function && b->params != PORT_NO_MATCH && !b->value &&
               !(b->scope && !port_is_sign(b->source, i - 1, ')'))) {
        open_function(b, i, false);
    }
    new_declaration(b, i + 1);
}

static void see_close_brace(builder_t *b, uint32_t i) {
    pop(b, i, 0);
    const port_function_t *f = inside(b);
    if (f && b->source->match[i] <= f->open) {
        close_functions(b, b->n_open_function - 1, i);
    }
    new_declaration(b, i + 1);
}

static bool is_alias(const builder_t *b, uint32_t hash) {
    for (uint32_t i = 0; i < b->n_alias; i++) {
        if (b->alias[i] == hash) {
            return true;
        }
    }
    return false;
}

/* warp_id, laneId, blockReduceWarps: cheap to ask, as few words hold a w or an l that fits. */
static bool names_warp(const char *text, uint32_t n) {
    for (uint32_t i = 0; i + 4 <= n; i++) {
        const char c = (char)(text[i] | 32);
        if ((c == 'w' && (text[i + 1] | 32) == 'a' && (text[i + 2] | 32) == 'r' &&
             (text[i + 3] | 32) == 'p') ||
            (c == 'l' && (text[i + 1] | 32) == 'a' && (text[i + 2] | 32) == 'n' &&
             (text[i + 3] | 32) == 'e')) {
            return true;
        }
    }
    return false;
}

static void see_word(builder_t *b, uint32_t i) {
    port_function_t *f = inside(b);
    const port_token_t *token = &b->source->token[i];
    if (token->word == PORT_WORD_NONE) {
        if (f && !f->names_warp) {
            f->names_warp = names_warp(b->source->text->data + token->at, token->n);
        }
        b->kernel |= b->n_alias > 0 && !f && is_alias(b, token->hash);
        return;
    }
    switch (token->word) {
    case PORT_WORD_GLOBAL:
    case PORT_WORD_RAFT_KERNEL:
    case PORT_WORD_CUDF_KERNEL:
    case PORT_WORD_CUML_KERNEL:
    case PORT_WORD_CUVS_KERNEL:
        b->kernel = true;
        break;
    case PORT_WORD_DEVICE:
        b->device = true;
        if (f) { /* [=] __device__ (int i) { */
            b->lambda = i;
        }
        break;
    case PORT_WORD_HOST:
        b->host = true;
        break;
    case PORT_WORD_STRUCT:
    case PORT_WORD_CLASS:
    case PORT_WORD_UNION:
    case PORT_WORD_ENUM:
    case PORT_WORD_NAMESPACE:
        b->scope = true;
        break;
    case PORT_WORD_THREAD_IDX:
    case PORT_WORD_BLOCK_IDX:
    case PORT_WORD_SYNCTHREADS:
        if (f) {
            f->uses_threads = true;
        }
        break;
    default:
        if (f && token->word >= PORT_WORD_SHFL_SYNC && token->word <= PORT_WORD_ACTIVEMASK) {
            f->uses_warp = true;
        }
        break;
    }
}

static void see_sign(builder_t *b, uint32_t i) {
    switch (b->source->token[i].hash) {
    case '(':
        if (!b->n_open_function && names_parameters(b->source, i) && !b->value) {
            b->params = i;
        }
        push(b, i);
        break;
    case '[':
        push(b, i);
        break;
    case ')':
    case ']':
        pop(b, i, 0);
        break;
    case '{':
        see_open_brace(b, i);
        break;
    case '}':
        see_close_brace(b, i);
        break;
    case ';':
        b->lambda = PORT_NO_MATCH;
        new_declaration(b, i + 1);
        break;
    case '=':
        b->value |= b->params == PORT_NO_MATCH;
        break;
    default:
        break;
    }
}

/* --- directives ----------------------------------------------------------------------------- */

/* #define X ... __global__ ... without parentheses: X marks a kernel. */
static void see_define(builder_t *b, uint32_t from, uint32_t end) {
    if (end - from < 4 || !port_is_name(b->source, from + 2) || b->n_alias == ALIAS_MAX) {
        return;
    }
    for (uint32_t i = from + 3; i < end; i++) {
        if (port_is_sign(b->source, i, '(')) {
            return;
        }
        if (port_word_at(b->source, i) == PORT_WORD_GLOBAL) {
            b->alias[b->n_alias++] = b->source->token[from + 2].hash;
            return;
        }
    }
}

/* A directive from its #; returns the index of its end. Its brackets pair among themselves. */
static uint32_t see_directive(builder_t *b, uint32_t from) {
    port_source_t *source = b->source;
    uint32_t end = from + 1;
    const uint32_t base = b->depth;
    while (end < source->n && source->token[end].kind != PORT_TOKEN_DIRECTIVE_END) {
        if (source->token[end].kind == PORT_TOKEN_SIGN) {
            const uint32_t sign = source->token[end].hash;
            if (sign == '(' || sign == '[' || sign == '{') {
                push(b, end);
            } else if (sign == ')' || sign == ']' || sign == '}') {
                pop(b, end, base);
            }
        }
        end++;
    }
    b->depth = base;
    const uint32_t last = end < source->n ? end : source->n - 1;
    const uint32_t level = b->source->guards.depth;
    const int step = port_guards_step(&b->source->guards, source->text->data, source->token + from,
                                      last + 1 - from, source->n - 1 - last);
    if (step == 1 && level < PORT_GUARD_DEPTH) {
        b->mark[level] = (mark_t){b->depth, b->n_open_function};
    } else if (step == 0 && level > 0 && level <= PORT_GUARD_DEPTH) {
        const mark_t mark = b->mark[level - 1];
        b->depth = mark.depth < b->depth ? mark.depth : b->depth;
        close_functions(b, mark.functions, from);
    }
    if (port_word_at(source, from + 1) == PORT_WORD_P_DEFINE) {
        see_define(b, from, last);
    }
    source->match[from] = last;
    source->match[last] = from;
    for (uint32_t i = from; i <= last; i++) {
        source->token[i].state = b->source->guards.state & 15u;
    }
    return last;
}

bool port_structure(port_source_t *source) {
    builder_t *b = assay_arena_alloc(port_sink_scratch(source->sink), sizeof *b);
    if (!b) {
        return false;
    }
    b->source = source;
    b->lambda = PORT_NO_MATCH;
    new_declaration(b, 0);
    memset(source->match, 0xff, ((size_t)source->n + 1) * sizeof *source->match);
    for (uint32_t i = 0; i < source->n; i++) {
        port_token_t *token = &source->token[i];
        if (token->kind == PORT_TOKEN_DIRECTIVE) {
            i = see_directive(b, i);
            continue;
        }
        token->state = b->source->guards.state & 15u;
        if (token->state & PORT_STATE_DEAD) {
            continue;
        }
        if (token->kind == PORT_TOKEN_WORD) {
            see_word(b, i);
        } else if (token->kind == PORT_TOKEN_SIGN) {
            see_sign(b, i);
        }
    }
    close_functions(b, 0, source->n);
    return !b->failed;
}
