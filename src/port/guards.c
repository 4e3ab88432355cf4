#include "port/guards.h"

#include <string.h>

#include "port/c_words.h"

#include "base/banned.h"

/* Parts of a macro's name between underscores that say it is set in a build for HIP. Seen as guards
   in: pytorch, vllm (USE_ROCM, TORCH_HIP_VERSION), ggml (GGML_USE_HIP, GGML_USE_HIPBLAS), HIP
   itself
   (__HIP_PLATFORM_AMD__, __HIPCC__, __HIP__, __HIP_DEVICE_COMPILE__, __AMDGCN__), bitsandbytes
   (BUILD_HIP, BNB_HIP), paddle (PADDLE_WITH_HIP), cupy (CUPY_USE_HIP), kokkos (KOKKOS_ENABLE_HIP).
 */
static const char *const hip_parts[] = {"HIP", "HIPCC", "HIPBLAS", "ROCM",
                                        "HCC", "AMD",   "AMDGPU",  "AMDGCN"};
/* HIP on NVIDIA hardware: never true in a build for ROCm. */
static const char *const nvidia_parts[] = {"NVIDIA", "NVCC"};

static bool part_is(const char *part, size_t n, const char *const *of, size_t n_of) {
    for (size_t i = 0; i < n_of; i++) {
        if (strlen(of[i]) == n && memcmp(of[i], part, n) == 0) {
            return true;
        }
    }
    return false;
}

port_truth2_t port_guard_word(const char *word, size_t n) {
    bool hip = false, nvidia = false;
    if (n > 5 && (memcmp(word, "__gfx", 5) == 0 || memcmp(word, "__GFX", 5) == 0)) {
        return (port_truth2_t){PORT_MAYBE, PORT_NO};
    }
    for (size_t from = 0; from < n;) {
        size_t end = from;
        while (end < n && word[end] != '_') {
            end++;
        }
        hip |= part_is(word + from, end - from, hip_parts, sizeof hip_parts / sizeof *hip_parts);
        nvidia |= part_is(word + from, end - from, nvidia_parts,
                          sizeof nvidia_parts / sizeof *nvidia_parts);
        from = end + 1;
    }
    if (!hip) {
        return (port_truth2_t){PORT_MAYBE, PORT_MAYBE};
    }
    return nvidia ? (port_truth2_t){PORT_NO, PORT_MAYBE} : (port_truth2_t){PORT_YES, PORT_NO};
}

/* --- expressions ---------------------------------------------------------------------------- */

typedef struct {
    const char *text;
    const port_token_t *token;
    uint32_t n, at, depth;
} expression_t;

static const port_truth2_t maybe = {PORT_MAYBE, PORT_MAYBE};

static bool next_is(const expression_t *e, uint32_t sign) {
    return e->at < e->n && e->token[e->at].kind == PORT_TOKEN_SIGN && e->token[e->at].hash == sign;
}

static bool take(expression_t *e, uint32_t sign) {
    const bool is = next_is(e, sign);
    e->at += is;
    return is;
}

static void skip_parentheses(expression_t *e) {
    uint32_t depth = 0;
    do {
        depth += next_is(e, '(');
        depth -= next_is(e, ')');
        e->at++;
    } while (depth > 0 && e->at < e->n);
}

static port_truth2_t read_or(expression_t *e);

static port_truth2_t read_defined(expression_t *e) {
    const bool open = take(e, '(');
    port_truth2_t truth = maybe;
    if (e->at < e->n && e->token[e->at].kind == PORT_TOKEN_WORD) {
        truth = port_guard_word(e->text + e->token[e->at].at, e->token[e->at].n);
        e->at++;
    }
    if (open) {
        take(e, ')');
    }
    return truth;
}

static port_truth2_t read_primary(expression_t *e) {
    if (e->at >= e->n || e->depth > 64) {
        e->at = e->n;
        return maybe;
    }
    if (take(e, '!')) {
        e->depth++;
        const port_truth2_t truth = read_primary(e);
        e->depth--;
        return (port_truth2_t){(uint8_t)(PORT_YES - truth.hip), (uint8_t)(PORT_YES - truth.cuda)};
    }
    if (take(e, '(')) {
        e->depth++;
        const port_truth2_t truth = read_or(e);
        e->depth--;
        take(e, ')');
        return truth;
    }
    const port_token_t *token = &e->token[e->at++];
    if (token->kind == PORT_TOKEN_NUMBER) {
        uint64_t value;
        bool wide;
        if (!port_number(e->text + token->at, token->n, &value, &wide)) {
            return maybe;
        }
        const uint8_t truth = value ? PORT_YES : PORT_NO;
        return (port_truth2_t){truth, truth};
    }
    if (token->kind != PORT_TOKEN_WORD) {
        return maybe;
    }
    if (token->word == PORT_WORD_DEFINED) {
        return read_defined(e);
    }
    if (next_is(e, '(')) {
        skip_parentheses(e);
        return maybe;
    }
    return port_guard_word(e->text + token->at, token->n);
}

/* Signs that join operands below && and ||. */
static bool is_arithmetic(const expression_t *e) {
    return e->at < e->n && !next_is(e, ')') && !next_is(e, PORT_SIGN('&', '&', 0)) &&
           !next_is(e, PORT_SIGN('|', '|', 0));
}

/* A comparison: what an unset macro, which counts as 0, makes of it is known. */
static port_truth2_t read_compared(expression_t *e) {
    port_truth2_t truth = read_primary(e);
    if (!is_arithmetic(e)) {
        return truth;
    }
    const bool more =
        next_is(e, '>') || next_is(e, PORT_SIGN('>', '=', 0)) || next_is(e, PORT_SIGN('=', '=', 0));
    const bool unset_hip = truth.hip == PORT_NO && truth.cuda != PORT_NO,
               unset_cuda = truth.cuda == PORT_NO && truth.hip != PORT_NO;
    truth = maybe;
    if (more && unset_cuda) {
        truth.cuda = PORT_NO;
    }
    if (more && unset_hip) {
        truth.hip = PORT_NO;
    }
    while (is_arithmetic(e)) {
        if (next_is(e, '(')) {
            skip_parentheses(e);
        } else {
            e->at++;
        }
    }
    return truth;
}

static uint8_t lesser(uint8_t a, uint8_t b) {
    return a < b ? a : b;
}

static uint8_t greater(uint8_t a, uint8_t b) {
    return a > b ? a : b;
}

static port_truth2_t read_and(expression_t *e) {
    port_truth2_t truth = read_compared(e);
    while (take(e, PORT_SIGN('&', '&', 0))) {
        const port_truth2_t right = read_compared(e);
        truth = (port_truth2_t){lesser(truth.hip, right.hip), lesser(truth.cuda, right.cuda)};
    }
    return truth;
}

static port_truth2_t read_or(expression_t *e) {
    port_truth2_t truth = read_and(e);
    while (take(e, PORT_SIGN('|', '|', 0))) {
        const port_truth2_t right = read_and(e);
        truth = (port_truth2_t){greater(truth.hip, right.hip), greater(truth.cuda, right.cuda)};
    }
    return truth;
}

/* --- the nesting ---------------------------------------------------------------------------- */

static port_truth2_t negate(port_truth2_t truth) {
    return (port_truth2_t){(uint8_t)(PORT_YES - truth.hip), (uint8_t)(PORT_YES - truth.cuda)};
}

static uint8_t state_of(uint8_t outer, port_truth2_t truth) {
    if (truth.hip == PORT_NO && truth.cuda == PORT_NO) {
        return outer | PORT_STATE_DEAD;
    }
    if (truth.hip == PORT_NO) {
        return outer | PORT_STATE_PORTED | PORT_STATE_CUDA;
    }
    return truth.cuda == PORT_NO ? outer | PORT_STATE_PORTED : outer;
}

static void enter_branch(port_guards_t *guards, port_truth2_t condition) {
    const uint32_t at = guards->depth - 1;
    if (at >= PORT_GUARD_DEPTH) {
        return;
    }
    const port_truth2_t taken = guards->level[at].taken;
    const port_truth2_t own = {lesser(condition.hip, (uint8_t)(PORT_YES - taken.hip)),
                               lesser(condition.cuda, (uint8_t)(PORT_YES - taken.cuda))};
    guards->state = state_of(guards->level[at].outer, own);
    guards->level[at].taken =
        (port_truth2_t){greater(taken.hip, condition.hip), greater(taken.cuda, condition.cuda)};
}

static void open_level(port_guards_t *guards, port_truth2_t condition) {
    if (guards->depth < PORT_GUARD_DEPTH) {
        guards->level[guards->depth].taken = (port_truth2_t){PORT_NO, PORT_NO};
        guards->level[guards->depth].outer = guards->state;
    }
    guards->depth++;
    enter_branch(guards, condition);
}

/* #ifndef X, #define X: the header's own guard says nothing about HIP, whatever its name. */
static bool is_include_guard(const port_token_t *token, uint32_t n, uint32_t n_more) {
    return n >= 4 && n_more >= 3 && token[n].kind == PORT_TOKEN_DIRECTIVE &&
           token[n + 1].word == PORT_WORD_P_DEFINE && token[n + 2].hash == token[2].hash;
}

int port_guards_step(port_guards_t *guards, const char *text, const port_token_t *token, uint32_t n,
                     uint32_t n_more) {
    if (n < 2 || token[1].kind != PORT_TOKEN_WORD) {
        return 2;
    }
    /* without the # , the word and the end */
    expression_t e = {.text = text, .token = token + 2, .n = n > 3 ? n - 3 : 0};
    switch (token[1].word) {
    case PORT_WORD_IF:
        open_level(guards, read_or(&e));
        return 1;
    case PORT_WORD_P_IFDEF:
        open_level(guards, read_defined(&e));
        return 1;
    case PORT_WORD_P_IFNDEF:
        open_level(guards, is_include_guard(token, n, n_more) ? maybe : negate(read_defined(&e)));
        return 1;
    case PORT_WORD_P_ELIF:
    case PORT_WORD_P_ELIFDEF:
    case PORT_WORD_P_ELIFNDEF:
    case PORT_WORD_ELSE:
        break;
    case PORT_WORD_P_ENDIF:
        if (guards->depth > 0) {
            guards->depth--;
            if (guards->depth < PORT_GUARD_DEPTH) {
                guards->state = guards->level[guards->depth].outer;
            }
        }
        return -1;
    default:
        return 2;
    }
    if (guards->depth > 0) {
        const port_truth2_t yes = {PORT_YES, PORT_YES};
        const uint8_t word = token[1].word;
        enter_branch(guards, word == PORT_WORD_ELSE        ? yes
                             : word == PORT_WORD_P_ELIF    ? read_or(&e)
                             : word == PORT_WORD_P_ELIFDEF ? read_defined(&e)
                                                           : negate(read_defined(&e)));
    }
    return 0;
}
