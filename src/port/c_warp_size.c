#include <string.h>

#include "port/c_source.h"

#include "base/banned.h"

#define BODY_MAX 1024u /* tokens of a loop's body that are looked at */

/* What stands left of the operator at `sign`, as far as it tells of threads. */
static uint8_t left_bits(const port_source_t *source, uint32_t sign) {
    if (sign == 0) {
        return 0;
    }
    const uint32_t last = sign - 1;
    if (port_is_sign(source, last, ')')) {
        const uint32_t open = port_partner(source, last);
        return open < last && port_is_thread_number(source, open + 1, last)
                   ? port_range_bits(source, open + 1, last)
                   : 0;
    }
    if (last >= 2 && port_is_sign(source, last - 1, '.')) { /* threadIdx.x */
        return port_symbol_bits(source, last - 2);
    }
    return port_symbol_bits(source, last);
}

/* Every exchange in the function names a width of its own, and nothing asks the whole warp: what is
   split at 32 there is right on 64 lanes too. */
static bool exchanges_by_width(const port_source_t *source) {
    port_function_t *f = &source->function[source->current - source->function];
    if (f->by_width != PORT_BY_UNKNOWN) {
        return f->by_width == PORT_BY_WIDTH;
    }
    f->by_width = PORT_BY_WARP;
    uint32_t n = 0;
    for (uint32_t i = f->open; i < f->close && i < source->n; i++) {
        port_range_t range[8];
        const uint8_t word = port_word_at(source, i);
        if (word < PORT_WORD_SHFL_SYNC || word > PORT_WORD_ACTIVEMASK) {
            continue;
        }
        const uint32_t with_width = word <= PORT_WORD_SHFL_XOR_SYNC ? 4 : 3;
        if (word > PORT_WORD_SHFL_XOR || port_arguments(source, i + 1, range, 8) != with_width) {
            return false;
        }
        n++;
    }
    f->by_width = n > 0 ? PORT_BY_WIDTH : PORT_BY_WARP;
    return n > 0;
}

/* blockDim.x % 32 == 0: whether a number of threads comes in 32s. No lane is told apart by it. */
static bool is_divisibility(const port_source_t *source, uint32_t i, uint8_t bits) {
    const uint32_t sign = i + 1 + port_is_sign(source, i + 1, ')');
    return !(bits & PORT_SYMBOL_THREAD) && port_is_sign(source, i - 1, '%') &&
           (port_is_sign(source, sign, PORT_SIGN('=', '=', 0)) ||
            port_is_sign(source, sign, PORT_SIGN('!', '=', 0)));
}

/* x % 32, x / 32, x & 31, x >> 5, x == 31, x > 31 where x tells threads apart. *out_sure: the
   function works on warps, so 32 is their size and not the data's. */
static bool is_lane_arithmetic(const port_source_t *source, uint32_t i, uint64_t value,
                               bool *out_sure) {
    if (i < 2 || !port_on_device(source)) {
        return false;
    }
    const uint32_t sign = i - 1;
    uint8_t bits = 0;
    if ((value == 32 && (port_is_sign(source, sign, '%') || port_is_sign(source, sign, '/'))) ||
        (value == 31 && port_is_sign(source, sign, '&')) ||
        (value == 5 && port_is_sign(source, sign, PORT_SIGN('>', '>', 0)))) {
        bits = left_bits(source, sign);
    } else if (value == 31 && (port_is_sign(source, sign, PORT_SIGN('=', '=', 0)) ||
                               port_is_sign(source, sign, '>'))) {
        bits = left_bits(source, sign) & PORT_SYMBOL_THREAD;
    } else if (value == 31 && port_is_sign(source, i + 1, '&')) {
        bits = port_symbol_bits(source, i + 2);
    }
    if (!(bits & (PORT_SYMBOL_THREAD | PORT_SYMBOL_THREADS))) {
        return false;
    }
    /* a number over all blocks is often an index: bit masks have 32 bits a word everywhere */
    const port_function_t *f = source->current;
    *out_sure = !is_divisibility(source, i, bits) &&
                (!f || ((f->uses_warp || f->names_warp) && !exchanges_by_width(source)));
    return !(bits & PORT_SYMBOL_GLOBAL) || (f && f->uses_warp);
}

static bool has_shfl_in_name(const port_source_t *source, uint32_t i) {
    const port_token_t *token = &source->token[i];
    const char *text = source->text->data + token->at;
    return token->n >= 4 && token->n < 64 &&
           (memmem(text, token->n, "shfl", 4) || memmem(text, token->n, "SHFL", 4));
}

/* A call that exchanges among the whole warp: without a width of its own. */
static bool exchanges_whole_warp(const port_source_t *source, uint32_t first, uint32_t end) {
    port_range_t range[8];
    for (uint32_t i = first; i < end; i++) {
        if (!port_is_name(source, i) || !port_is_sign(source, i + 1, '(')) {
            continue;
        }
        const uint8_t word = source->token[i].word;
        const uint32_t n = port_arguments(source, i + 1, range, 8);
        const bool is_builtin = word >= PORT_WORD_SHFL_SYNC && word <= PORT_WORD_SHFL_XOR;
        if (is_builtin ? n < (word <= PORT_WORD_SHFL_XOR_SYNC ? 4u : 3u)
                       : has_shfl_in_name(source, i)) {
            return true;
        }
    }
    return false;
}

static bool has_sign(const port_source_t *source, uint32_t first, uint32_t end, uint32_t a,
                     uint32_t b) {
    for (uint32_t i = first; i < end; i++) {
        if (port_is_sign(source, i, a) || port_is_sign(source, i, b)) {
            return true;
        }
    }
    return false;
}

/* for (int d = 16; d; d /= 2) and for (int d = 1; d < 32; d *= 2) around an exchange. */
static bool is_reduction_bound(const port_source_t *source, uint32_t i, uint64_t value) {
    uint32_t open = i;
    for (uint32_t k = i; k-- > 0 && i - k < 16;) {
        if (port_word_at(source, k) == PORT_WORD_FOR) {
            open = k + 1;
            break;
        }
    }
    if (open == i || i == 0 || !port_is_sign(source, open, '(')) {
        return false;
    }
    const uint32_t close = port_partner(source, open);
    if (close <= i) {
        return false;
    }
    const bool down =
        value == 16 && port_is_sign(source, i - 1, '=') &&
        (has_sign(source, i, close, PORT_SIGN('>', '>', '='), PORT_SIGN('/', '=', 0)) ||
         has_sign(source, i, close, PORT_SIGN('>', '>', 0), '/'));
    const bool up = ((value == 32 && port_is_sign(source, i - 1, '<')) ||
                     (value == 16 && port_is_sign(source, i - 1, PORT_SIGN('<', '=', 0)))) &&
                    has_sign(source, i, close, PORT_SIGN('<', '<', '='), PORT_SIGN('*', '=', 0));
    if (!down && !up) {
        return false;
    }
    uint32_t end = port_is_sign(source, close + 1, '{') ? port_partner(source, close + 1) : close;
    while (end == close && end + 1 < source->n) { /* one statement */
        uint32_t k = close + 1;
        while (k < source->n && !port_is_sign(source, k, ';') && k < close + 200) {
            k++;
        }
        end = k;
    }
    const uint32_t most = close + 1 + BODY_MAX;
    return exchanges_whole_warp(source, close + 1, end < most ? end : most);
}

/* WARP_SIZE 32, kWarpSize = 32 */
static bool is_warp_size(const port_source_t *source, uint32_t i) {
    const uint32_t name = port_is_sign(source, i - 1, '=') ? i - 2 : i - 1;
    if (name >= i || !port_is_name(source, name) ||
        (name == i - 1 && port_word_at(source, i - 2) != PORT_WORD_P_DEFINE) ||
        port_is_sign(source, name - 1, '.')) {
        return false;
    }
    return port_names_warp_size(port_token_text(source, name), source->token[name].n);
}

/* 1 << lane */
static bool is_lane_shift(const port_source_t *source, uint32_t i) {
    if (!port_is_sign(source, i + 1, PORT_SIGN('<', '<', 0)) || !port_on_device(source)) {
        return false;
    }
    uint8_t bits;
    if (port_is_sign(source, i + 2, '(')) {
        return false; /* an expression: not known to be a lane */
    }
    bits = port_symbol_bits(source, i + 2);
    return (bits & PORT_SYMBOL_THREAD) && !(bits & PORT_SYMBOL_GLOBAL);
}

static void check_warp_size(port_source_t *source, uint32_t i, uint64_t value) {
    bool sure;
    if ((value == 32 && is_warp_size(source, i)) ||
        (value % 16 == 0 && is_reduction_bound(source, i, value))) {
        port_report_word(source, "warp-size-assumed-32", i);
    } else if (is_lane_arithmetic(source, i, value, &sure)) {
        port_report_word(source, sure ? "warp-size-assumed-32" : "warp-size-suspect", i);
    }
}

void port_rule_warp_number(port_source_t *source, uint32_t i) {
    uint64_t value;
    bool wide;
    const port_token_t *token = &source->token[i];
    if (token->n > 6 || i < 2 || !port_token_number(source, i, &value, &wide)) {
        return;
    }
    switch (value) {
    case 1:
        if (!wide && is_lane_shift(source, i)) {
            port_report_word(source, "lane-shift-32bit", i);
        }
        break;
    case 5:
    case 16:
    case 31:
    case 32:
        check_warp_size(source, i, value);
        break;
    default:
        break;
    }
}

/* --- warpSize where a constant is needed ---------------------------------------------------- */

/* The [ or ( around i within its statement; i when there is none. */
static uint32_t around(const port_source_t *source, uint32_t i) {
    for (uint32_t k = i; k-- > 0 && i - k < 64;) {
        if (port_is_sign(source, k, ')') || port_is_sign(source, k, ']')) {
            const uint32_t open = port_partner(source, k);
            k = open < k ? open : k;
        } else if (port_is_sign(source, k, '[') || port_is_sign(source, k, '(')) {
            return k;
        } else if (port_is_sign(source, k, ';') || port_is_sign(source, k, '{') ||
                   port_is_sign(source, k, '}')) {
            break;
        }
    }
    return i;
}

bool port_declares_array(const port_source_t *source, uint32_t bracket) {
    uint32_t name = bracket;
    while (name > 0 && port_is_sign(source, name - 1, ']')) {
        const uint32_t open = port_partner(source, name - 1);
        if (open >= name - 1) {
            return false;
        }
        name = open;
    }
    if (name < 2 || !port_is_name(source, name - 1)) {
        return false;
    }
    return (port_is_name(source, name - 2) && source->token[name - 2].word != PORT_WORD_RETURN &&
            source->token[name - 2].word != PORT_WORD_ELSE) ||
           port_is_sign(source, name - 2, '>');
}

static bool is_in_constant(const port_source_t *source, uint32_t i) {
    for (uint32_t k = i; k-- > 0 && i - k < 48;) {
        switch (port_word_at(source, k)) {
        case PORT_WORD_CONSTEXPR:
        case PORT_WORD_STATIC_ASSERT:
        case PORT_WORD_CASE:
            return true;
        default:
            break;
        }
        if (port_is_sign(source, k, ';') || port_is_sign(source, k, '{') ||
            port_is_sign(source, k, '}') || source->token[k].kind == PORT_TOKEN_DIRECTIVE_END) {
            return false;
        }
    }
    return false;
}

void port_rule_warp_size(port_source_t *source, uint32_t i) {
    if (i == 0 || port_is_sign(source, i - 1, '.') ||
        port_is_sign(source, i - 1, PORT_SIGN('-', '>', 0))) {
        return; /* a property of the device */
    }
    const uint32_t bracket = around(source, i);
    const bool in_template =
        (port_is_sign(source, i - 1, '<') || port_is_sign(source, i - 1, ',')) &&
        port_is_sign(source, i + 1, '>') &&
        (port_is_sign(source, i + 2, '(') || port_is_sign(source, i + 2, PORT_SIGN(':', ':', 0)) ||
         port_is_name(source, i + 2));
    const bool in_bounds = bracket != i && bracket > 0 && port_is_sign(source, bracket, '(') &&
                           port_word_at(source, bracket - 1) == PORT_WORD_LAUNCH_BOUNDS;
    if (in_template || in_bounds ||
        (bracket != i && port_is_sign(source, bracket, '[') &&
         port_declares_array(source, bracket)) ||
        is_in_constant(source, i)) {
        port_report_word(source, "warpsize-not-constexpr", i);
    }
}
