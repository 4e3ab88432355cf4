#include <string.h>

#include "port/c_source.h"

#include "base/banned.h"

#define ARGUMENTS_MAX 8u
#define STEPS_MAX 4096u /* back from a call to what controls it */

static bool is_sync(uint8_t word) {
    return (word >= PORT_WORD_SHFL_SYNC && word <= PORT_WORD_SHFL_XOR_SYNC) ||
           (word >= PORT_WORD_ANY_SYNC && word <= PORT_WORD_SYNCWARP);
}

static bool gives_lane_mask(uint8_t word) {
    return word == PORT_WORD_BALLOT_SYNC || word == PORT_WORD_BALLOT ||
           word == PORT_WORD_ACTIVEMASK || word == PORT_WORD_MATCH_ANY_SYNC ||
           word == PORT_WORD_MATCH_ALL_SYNC;
}

/* --- masks ---------------------------------------------------------------------------------- */

/* The parenthesis that closes there holds a type: what is behind it is no operator between two
   values, or the words in it are those of an integer. */
static bool is_cast(const port_source_t *source, uint32_t close) {
    return port_width_before(source, close) || port_is_name(source, close + 1) ||
           port_is_sign(source, close + 1, '(') || port_is_sign(source, close + 1, '~') ||
           port_token_at(source, close + 1)->kind == PORT_TOKEN_NUMBER;
}

/* (unsigned)x, ((x)): the part that carries the value. */
static port_range_t strip(const port_source_t *source, port_range_t range) {
    while (range.first < range.end && port_is_sign(source, range.first, '(')) {
        const uint32_t close = port_partner(source, range.first);
        if (close + 1 == range.end) { /* parentheses around all of it */
            range.first++;
            range.end--;
        } else if (close > range.first && close < range.end && is_cast(source, close)) {
            range.first = close + 1;
        } else {
            break;
        }
    }
    return range;
}

static bool casts_to_wide(const port_source_t *source, port_range_t range) {
    const port_range_t inner = strip(source, range);
    return inner.first > range.first + 1 &&
           (port_width_before(source, inner.first - 1) & PORT_SYMBOL_WIDE);
}

static uint8_t mask_bits(const port_source_t *source, port_range_t range) {
    const port_range_t inner = strip(source, range);
    uint64_t value;
    bool wide;
    uint8_t bits = port_literal_mask(source, inner.first, inner.end);
    if (inner.end == inner.first + 1) {
        if (port_is_name(source, inner.first)) {
            bits |= port_symbol_bits(source, inner.first) &
                    (PORT_SYMBOL_MASK | PORT_SYMBOL_NARROW | PORT_SYMBOL_FULL | PORT_SYMBOL_WIDE);
        } else if (port_token_number(source, inner.first, &value, &wide) && !wide &&
                   value <= UINT32_MAX) {
            bits |= PORT_SYMBOL_NARROW;
        }
    }
    return casts_to_wide(source, range) ? bits & PORT_SYMBOL_FULL : bits;
}

/* --- conditions around a call --------------------------------------------------------------- */

/* t < 32, lane == 0, !t: true for some lanes of a wave only. */
static bool splits_wave(const port_source_t *source, uint32_t first, uint32_t end) {
    uint64_t value;
    bool wide;
    const uint64_t wave =
        strncmp(port_sink_options(source->sink)->target, "gfx9", 4) == 0 ? 64 : 32;
    for (uint32_t i = first; i + 1 < end; i++) {
        const bool compares = port_is_sign(source, i, '<') || port_is_sign(source, i, '>') ||
                              port_is_sign(source, i, PORT_SIGN('<', '=', 0)) ||
                              port_is_sign(source, i, PORT_SIGN('>', '=', 0)) ||
                              port_is_sign(source, i, PORT_SIGN('=', '=', 0));
        if (!compares || i == first || !port_token_number(source, i + 1, &value, &wide)) {
            continue;
        }
        uint32_t left = i - 1;
        if (left >= first + 2 && port_is_sign(source, left - 1, '.')) {
            left -= 2;
        }
        const bool is_plain = left == first || port_is_sign(source, left - 1, '(') ||
                              port_is_sign(source, left - 1, PORT_SIGN('&', '&', 0)) ||
                              port_is_sign(source, left - 1, PORT_SIGN('|', '|', 0));
        const uint8_t bits = port_symbol_bits(source, left);
        const bool is_equal = port_is_sign(source, i, PORT_SIGN('=', '=', 0));
        if (is_plain && (bits & PORT_SYMBOL_THREAD) && !(bits & PORT_SYMBOL_GLOBAL) &&
            (is_equal || value % wave != 0)) {
            return true;
        }
    }
    return false;
}

/* Walks out of the statement and blocks around i, up to the function, asking each if. */
static bool is_divergent(const port_source_t *source, uint32_t i) {
    const port_function_t *f = source->current;
    if (!f || f->params == PORT_NO_MATCH) {
        return false;
    }
    bool in_statement = true;
    uint32_t steps = 0;
    for (uint32_t k = i; k-- > f->open + 1 && steps < STEPS_MAX; steps++) {
        if (port_is_sign(source, k, '}')) { /* a block before: the statement began behind it */
            k = port_partner(source, k);
            in_statement = false;
        } else if (port_is_sign(source, k, ';')) {
            in_statement = false;
        } else if (port_is_sign(source, k, '{')) {
            in_statement = true; /* what is before a block's brace controls it */
        } else if (port_is_sign(source, k, ')') || port_is_sign(source, k, ']')) {
            const uint32_t open = port_partner(source, k);
            if (in_statement && open > 0 && open < k &&
                port_word_at(source, open - 1) == PORT_WORD_IF &&
                splits_wave(source, open + 1, k)) {
                return true;
            }
            k = open < k ? open : k;
        }
    }
    return false;
}

/* --- 64 bits into 32 ------------------------------------------------------------------------ */

static bool is_narrow_cast(const port_source_t *source, uint32_t i) {
    if (i >= 1 && port_is_sign(source, i - 1, ')')) { /* (unsigned)__ballot(...) */
        const uint32_t open = port_partner(source, i - 1);
        return open + 4 > i - 1 && open < i - 1 &&
               (port_width_before(source, i - 1) & PORT_SYMBOL_NARROW);
    }
    if (i >= 4 && port_is_sign(source, i - 1, '(') && port_is_sign(source, i - 2, '>')) {
        for (uint32_t k = i - 3; k > 0 && i - k < 9; k--) {
            if (port_word_at(source, k) == PORT_WORD_STATIC_CAST) {
                return port_width_before(source, i - 2) & PORT_SYMBOL_NARROW;
            }
        }
    }
    return false;
}

static bool is_cut_to_32(const port_source_t *source, uint32_t i) {
    if (i == 0) {
        return false;
    }
    if (port_is_sign(source, i - 1, '(') && i > 1) {
        const uint8_t word = port_word_at(source, i - 2);
        if (word >= PORT_WORD_POPC && word <= PORT_WORD_BREV) {
            return true;
        }
    }
    if (is_narrow_cast(source, i)) {
        return true;
    }
    if (port_is_sign(source, i - 1, '=') && i > 1 && port_is_name(source, i - 2)) {
        return (port_width_before(source, i - 2) | port_symbol_bits(source, i - 2)) &
               PORT_SYMBOL_NARROW;
    }
    const port_function_t *f = source->current;
    return port_word_at(source, i - 1) == PORT_WORD_RETURN && f && f->name != PORT_NO_MATCH &&
           (port_width_before(source, f->name) & PORT_SYMBOL_NARROW);
}

/* --- the 32-lane exchange ------------------------------------------------------------------- */

/* Literal distance of an exchange without a width of its own; 0: none. */
static uint64_t whole_warp_delta(const port_source_t *source, uint32_t i, uint32_t *out_token) {
    const uint8_t word = source->token[i].word;
    const uint32_t delta = word <= PORT_WORD_SHFL_XOR_SYNC ? 2 : 1;
    port_range_t range[ARGUMENTS_MAX];
    uint64_t value;
    bool wide;
    if (word == PORT_WORD_SHFL_SYNC || word == PORT_WORD_SHFL ||
        !port_is_sign(source, i + 1, '(') ||
        port_arguments(source, i + 1, range, ARGUMENTS_MAX) != delta + 1 ||
        range[delta].end != range[delta].first + 1 ||
        !port_token_number(source, range[delta].first, &value, &wide)) {
        return 0;
    }
    *out_token = range[delta].first;
    return value;
}

static bool is_exchange(uint8_t word) {
    return word >= PORT_WORD_SHFL_SYNC && word <= PORT_WORD_SHFL_XOR;
}

/* The exchange over 16 lanes starts a reduction of 32, unless one over 32 came before. */
static void check_delta(port_source_t *source, uint32_t i) {
    uint32_t at, before;
    if (whole_warp_delta(source, i, &at) != 16) {
        return;
    }
    for (uint32_t k = i; k-- > 0 && i - k < 80;) {
        if (is_exchange(port_word_at(source, k)) && whole_warp_delta(source, k, &before) == 32) {
            return;
        }
    }
    port_report_word(source, "warp-size-assumed-32", at);
}

/* --- what is exchanged ----------------------------------------------------------------------- */

static bool names_half(const port_source_t *source, uint32_t i) {
    static const char *const names[] = {"half",           "__half",       "half2",    "__half2",
                                        "__nv_bfloat16",  "nv_bfloat16",  "bfloat16", "Half",
                                        "__nv_bfloat162", "nv_bfloat162", "BFloat16"};
    const port_token_t *token = port_token_at(source, i);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (token->kind == PORT_TOKEN_WORD && strlen(names[k]) == token->n &&
            memcmp(names[k], port_token_text(source, i), token->n) == 0) {
            return true;
        }
    }
    return false;
}

/* The value is a name that the function declares as a half: half v, const __half2 &v. */
static bool is_half(const port_source_t *source, port_range_t range) {
    const port_range_t value = strip(source, range);
    const port_function_t *f = source->current;
    if (!f || f->params == PORT_NO_MATCH || value.end != value.first + 1 ||
        !port_is_name(source, value.first)) {
        return false;
    }
    const uint32_t hash = source->token[value.first].hash;
    for (uint32_t k = value.first; k-- > f->params;) { /* the nearest declaration counts */
        if (source->token[k].kind != PORT_TOKEN_WORD || source->token[k].hash != hash) {
            continue;
        }
        const uint32_t type = k - 1 - (port_is_sign(source, k - 1, '&') ? 1 : 0);
        if (names_half(source, type)) {
            return true;
        }
        if (port_is_name(source, k - 1) && port_word_at(source, k - 1) != PORT_WORD_RETURN) {
            return false; /* of another type */
        }
    }
    return false;
}

/* At the mask, for the function that takes it. */
static void report_mask(port_source_t *source, uint32_t mask, uint32_t call) {
    const port_api_t *api = port_api_row(source->tables, source->token[call].api);
    port_report(source, "warp-mask-32bit", mask, api->name, NULL, NULL);
}

void port_rule_warp_call(port_source_t *source, uint32_t i) {
    const uint8_t word = source->token[i].word;
    port_range_t range[ARGUMENTS_MAX];
    if (!port_is_sign(source, i + 1, '(')) {
        return;
    }
    const uint32_t n = port_arguments(source, i + 1, range, ARGUMENTS_MAX);
    if (is_sync(word) && n > 0) {
        const uint8_t bits = mask_bits(source, range[0]);
        if ((bits & PORT_SYMBOL_MASK) ||
            (bits & (PORT_SYMBOL_NARROW | PORT_SYMBOL_WIDE)) == PORT_SYMBOL_NARROW) {
            report_mask(source, range[0].first, i);
        }
        if ((bits & PORT_SYMBOL_FULL) && word != PORT_WORD_SYNCWARP && is_divergent(source, i)) {
            port_report_word(source, "divergent-sync-shuffle", i);
        }
    }
    if (gives_lane_mask(word) && is_cut_to_32(source, i)) {
        port_report_word(source, "ballot-32bit", i);
    }
    if (is_exchange(word)) {
        check_delta(source, i);
        if (n > is_sync(word) && is_half(source, range[is_sync(word)])) {
            port_report_word(source, "half-exchange", i);
        }
    }
    if (word == PORT_WORD_SYNCWARP) {
        const uint32_t rocm = port_sink_options(source->sink)->rocm;
        port_sink_reference(source->sink, rocm >= 700 ? PORT_REFERENCE_READY : PORT_REFERENCE_WORK,
                            source->token[i].state & PORT_STATE_PORTED);
        port_report_word(source, "syncwarp-version", i);
    } else if (is_sync(word) && !source->told_sync &&
               !(source->token[i].state & PORT_STATE_PORTED)) {
        source->told_sync = true;
        port_report_word(source, "sync-builtins-optin", i);
    }
}
