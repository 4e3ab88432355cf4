#include <string.h>

#include "port/c_source.h"

#include "base/banned.h"

#define EXPRESSION_MAX 64u /* tokens of an expression that are looked at */

/* Names that mean the thread's place by custom; exact, in lower case without underscores. */
static const struct {
    const char *name;
    uint8_t bits;
} customs[] = {
    {"tid", PORT_SYMBOL_THREAD},      {"lane", PORT_SYMBOL_THREAD},
    {"laneid", PORT_SYMBOL_THREAD},   {"laneidx", PORT_SYMBOL_THREAD},
    {"threadid", PORT_SYMBOL_THREAD}, {"threadinwarp", PORT_SYMBOL_THREAD},
};

static char folded(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Without underscores and in lower case, as much as fits. */
static size_t fold(const char *text, size_t n, char *out, size_t max) {
    size_t kept = 0;
    for (size_t i = 0; i < n && kept < max - 1; i++) {
        if (text[i] != '_') {
            out[kept++] = folded(text[i]);
        }
    }
    out[kept] = '\0';
    return kept;
}

bool port_names_warp_size(const char *text, size_t n) {
    static const char *const names[] = {
        "warpsize",     "kwarpsize",         "threadsperwarp", "warpthreads",  "warplanes",
        "warplen",      "warpwidth",         "numlanes",       "lanesperwarp", "kthreadsperwarp",
        "cudawarpsize", "numthreadsperwarp", "numwarpthreads", "warpsz",       "kwarpthreads",
        "warplength",   "nthreadsperwarp",   "cwarpsize",      "gpuwarpsize",  "numwarplanes",
    };
    char folded_name[48];
    if (n > sizeof folded_name) {
        return false;
    }
    const size_t n_folded = fold(text, n, folded_name, sizeof folded_name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]);
        /* also with a project's own words before it: GGML_WARP_SIZE */
        if (n_folded >= length && strcmp(folded_name + n_folded - length, names[i]) == 0) {
            return strncmp(folded_name, "sub", 3) != 0;
        }
    }
    return false;
}

/* FULL_MASK, kAllLanesMask: a constant that others use as a lane mask. */
static bool names_lane_mask(const char *text, size_t n) {
    static const char *const words[] = {"full", "all", "warp", "lane", "shfl", "active", "sync"};
    char folded_name[48];
    if (n > sizeof folded_name) {
        return false;
    }
    (void)fold(text, n, folded_name, sizeof folded_name);
    for (size_t i = 0; strstr(folded_name, "mask") && i < sizeof words / sizeof *words; i++) {
        if (strstr(folded_name, words[i])) {
            return true;
        }
    }
    return false;
}

/* The constant at name is all lanes of a warp of 32: what uses it, perhaps in another file, has too
   narrow a mask. */
static void check_mask_constant(port_source_t *source, uint32_t name, uint8_t bits) {
    if ((bits & PORT_SYMBOL_MASK) &&
        names_lane_mask(port_token_text(source, name), source->token[name].n)) {
        port_report_word(source, "warp-mask-constant", name);
    }
}

static bool names_thread_count(const char *text, size_t n) {
    static const char *const names[] = {"blocksize",          "blockthreads", "numthreads",
                                        "threadsperblock",    "kthreads",     "nthreads",
                                        "numthreadsperblock", "blockdim",     "blockdimx",
                                        "kblocksize",         "knumthreads",  "threadcount"};
    char folded_name[48];
    if (n > sizeof folded_name) {
        return false;
    }
    (void)fold(text, n, folded_name, sizeof folded_name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(folded_name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* --- the table ------------------------------------------------------------------------------ */

/* Two tables: names of the whole text, and of the function; the latter starts empty with each. */
static port_symbol_t *slot_of(const port_source_t *source, uint32_t hash, uint32_t epoch) {
    port_symbol_t *table = source->symbol + (epoch ? PORT_SYMBOL_SLOTS : 0);
    uint32_t at = hash & (PORT_SYMBOL_SLOTS - 1);
    for (uint32_t step = 0; step < 32; step++) {
        port_symbol_t *symbol = &table[at];
        if (!symbol->used || symbol->epoch != epoch || symbol->hash == hash) {
            return symbol;
        }
        at = (at + 1) & (PORT_SYMBOL_SLOTS - 1);
    }
    return NULL;
}

static uint8_t custom_bits(const char *text, size_t n) {
    char folded_name[24];
    if (n > 20) {
        return names_thread_count(text, n) ? PORT_SYMBOL_THREADS : 0;
    }
    (void)fold(text, n, folded_name, sizeof folded_name);
    for (size_t i = 0; i < sizeof customs / sizeof *customs; i++) {
        if (strcmp(folded_name, customs[i].name) == 0) {
            return customs[i].bits;
        }
    }
    return names_thread_count(text, n) ? PORT_SYMBOL_THREADS : 0;
}

static const port_symbol_t *find(const port_source_t *source, uint32_t hash) {
    const uint32_t epoch[2] = {source->epoch, 0};
    for (unsigned i = source->epoch == 0; i < 2; i++) {
        const port_symbol_t *symbol = slot_of(source, hash, epoch[i]);
        if (symbol && symbol->used && symbol->epoch == epoch[i] && symbol->hash == hash) {
            return symbol;
        }
    }
    return NULL;
}

uint8_t port_symbol_bits(const port_source_t *source, uint32_t i) {
    const port_token_t *token = port_token_at(source, i);
    if (token->kind != PORT_TOKEN_WORD) {
        return 0;
    }
    switch (token->word) {
    case PORT_WORD_NONE:
        break;
    case PORT_WORD_THREAD_IDX:
        return port_is_sign(source, i + 1, '.') && port_token_at(source, i + 2)->n == 1 &&
                       *port_token_text(source, i + 2) == 'x'
                   ? PORT_SYMBOL_THREAD | PORT_SYMBOL_THREAD_X
                   : PORT_SYMBOL_THREAD;
    case PORT_WORD_BLOCK_IDX:
    case PORT_WORD_GRID_DIM:
        return PORT_SYMBOL_GLOBAL;
    case PORT_WORD_BLOCK_DIM:
        return PORT_SYMBOL_THREADS;
    default:
        return 0;
    }
    if (i > 0 &&
        (port_is_sign(source, i - 1, '.') || port_is_sign(source, i - 1, PORT_SIGN('-', '>', 0)))) {
        return 0; /* a member */
    }
    const port_symbol_t *symbol = find(source, token->hash);
    if (symbol && symbol->bits) {
        return symbol->bits;
    }
    return custom_bits(source->text->data + token->at, token->n);
}

static void add(port_source_t *source, uint32_t i, uint32_t epoch, uint8_t bits, uint32_t value) {
    const uint32_t hash = port_token_at(source, i)->hash;
    port_symbol_t *symbol = slot_of(source, hash, epoch);
    if (symbol) {
        *symbol = (port_symbol_t){
            .hash = hash, .epoch = epoch, .value = value, .bits = bits, .used = true};
    }
}

void port_symbol_add(port_source_t *source, uint32_t i, uint8_t bits, uint32_t value) {
    add(source, i, source->current ? source->epoch : 0, bits, value);
}

/* --- constants ------------------------------------------------------------------------------ */

/* Left to right with * / << before + -: enough for sizes. */
static bool read_sum(const port_source_t *source, uint32_t *at, uint32_t end, uint64_t *out);

static bool read_factor(const port_source_t *source, uint32_t *at, uint32_t end, uint64_t *out) {
    bool wide;
    const uint32_t i = *at;
    if (i >= end) {
        return false;
    }
    if (port_is_sign(source, i, '(')) {
        const uint32_t close = port_partner(source, i);
        uint32_t inner = i + 1;
        *at = close + 1;
        return close > i && close < end && read_sum(source, &inner, close, out) && inner == close;
    }
    ++*at;
    if (port_token_number(source, i, out, &wide)) {
        return *out <= UINT32_MAX;
    }
    const port_symbol_t *symbol =
        port_is_name(source, i) ? find(source, source->token[i].hash) : NULL;
    *out = symbol ? symbol->value : 0;
    return *out > 0;
}

static bool read_product(const port_source_t *source, uint32_t *at, uint32_t end, uint64_t *out) {
    uint64_t right;
    if (!read_factor(source, at, end, out)) {
        return false;
    }
    while (*at < end) {
        const uint32_t sign = *at;
        const bool times = port_is_sign(source, sign, '*'), over = port_is_sign(source, sign, '/'),
                   left = port_is_sign(source, sign, PORT_SIGN('<', '<', 0));
        if (!times && !over && !left) {
            break;
        }
        ++*at;
        if (!read_factor(source, at, end, &right) || (over && right == 0) || (left && right > 31)) {
            return false;
        }
        *out = times ? *out * right : over ? *out / right : *out << right;
        if (*out > UINT32_MAX) {
            return false;
        }
    }
    return true;
}

static bool read_sum(const port_source_t *source, uint32_t *at, uint32_t end, uint64_t *out) {
    uint64_t right;
    if (!read_product(source, at, end, out)) {
        return false;
    }
    while (*at < end) {
        const bool plus = port_is_sign(source, *at, '+');
        if (!plus && !port_is_sign(source, *at, '-')) {
            break;
        }
        ++*at;
        if (!read_product(source, at, end, &right) || (!plus && right > *out)) {
            return false;
        }
        *out = plus ? *out + right : *out - right;
    }
    return true;
}

bool port_constant(const port_source_t *source, uint32_t first, uint32_t end, uint64_t *out_value) {
    uint32_t at = first;
    return end > first && end - first < 32 && read_sum(source, &at, end, out_value) && at == end;
}

uint8_t port_range_bits(const port_source_t *source, uint32_t first, uint32_t end) {
    uint8_t bits = 0;
    for (uint32_t i = first; i < end && i < first + EXPRESSION_MAX; i++) {
        if (port_is_sign(source, i, '[')) { /* what is read there is data */
            i = port_partner(source, i);
            continue;
        }
        bits |= port_symbol_bits(source, i);
    }
    return bits;
}

/* --- what declarations say ------------------------------------------------------------------ */

/* Width of the integer type whose last word is before name; 0: not known. */
uint8_t port_width_before(const port_source_t *source, uint32_t name) {
    uint8_t bits = 0;
    for (uint32_t i = name; i-- > 0 && name - i <= 6;) {
        switch (port_word_at(source, i)) {
        case PORT_WORD_LONG:
        case PORT_WORD_SIZE:
        case PORT_WORD_INT64:
        case PORT_WORD_UINT64:
            return PORT_SYMBOL_WIDE;
        case PORT_WORD_INT:
        case PORT_WORD_UNSIGNED:
        case PORT_WORD_SIGNED:
        case PORT_WORD_UINT:
        case PORT_WORD_INT32:
        case PORT_WORD_UINT32:
            bits = PORT_SYMBOL_NARROW;
            break;
        case PORT_WORD_CONST:
        case PORT_WORD_STATIC:
        case PORT_WORD_CONSTEXPR:
        case PORT_WORD_VOLATILE:
            break;
        default:
            return bits;
        }
    }
    return bits;
}

/* One literal whose bits are all lanes: 0xffffffff, -1, ~0, ~0ull. */
uint8_t port_literal_mask(const port_source_t *source, uint32_t first, uint32_t end) {
    uint64_t value;
    bool wide;
    const bool inverted = end == first + 2 && port_is_sign(source, first, '~');
    const bool negative = end == first + 2 && port_is_sign(source, first, '-');
    const uint32_t literal = inverted || negative ? first + 1 : first;
    if (end != literal + 1 || !port_token_number(source, literal, &value, &wide)) {
        return 0;
    }
    if ((inverted && value == 0) || (negative && value == 1)) {
        return wide ? PORT_SYMBOL_FULL : PORT_SYMBOL_FULL | PORT_SYMBOL_MASK;
    }
    if (inverted || negative) {
        return 0;
    }
    if (value == UINT32_MAX) {
        return wide ? PORT_SYMBOL_FULL : PORT_SYMBOL_FULL | PORT_SYMBOL_MASK;
    }
    return value == UINT64_MAX ? PORT_SYMBOL_FULL : 0;
}

static uint32_t statement_end(const port_source_t *source, uint32_t from) {
    for (uint32_t i = from; i < source->n && i < from + 256; i++) {
        if (port_is_sign(source, i, ';') || port_is_sign(source, i, ',') ||
            port_is_sign(source, i, ')') || port_is_sign(source, i, '}') ||
            source->token[i].kind == PORT_TOKEN_DIRECTIVE) {
            return i;
        }
        if (port_is_sign(source, i, '(') || port_is_sign(source, i, '[') ||
            port_is_sign(source, i, '{')) {
            i = port_partner(source, i);
        }
    }
    return from;
}

bool port_is_thread_number(const port_source_t *source, uint32_t first, uint32_t end) {
    bool wide;
    uint64_t value;
    if (end - first > EXPRESSION_MAX) {
        return false;
    }
    for (uint32_t i = first; i < end; i++) {
        const port_token_t *token = &source->token[i];
        const bool scaled = port_token_number(source, i, &value, &wide) && i > first &&
                            port_is_sign(source, i - 1, '*') && value > 1 && value < 32;
        if (scaled || port_is_sign(source, i, '[') || port_is_sign(source, i, '?')) {
            return false;
        }
        if (token->kind == PORT_TOKEN_WORD && token->word == PORT_WORD_NONE &&
            !(i > first && port_is_sign(source, i - 1, '.')) && !port_symbol_bits(source, i)) {
            return false;
        }
    }
    return true;
}

static uint8_t value_bits(const port_source_t *source, uint32_t first, uint32_t end) {
    uint8_t all = port_range_bits(source, first, end);
    if (!port_is_thread_number(source, first, end)) {
        all &= (uint8_t)~PORT_SYMBOL_THREAD;
    }
    uint8_t bits = all & (PORT_SYMBOL_THREAD | PORT_SYMBOL_GLOBAL | PORT_SYMBOL_THREAD_X);
    for (uint32_t i = first; i < end && i < first + EXPRESSION_MAX; i++) {
        /* quotients and remainders of a thread's number do not grow by one; products neither */
        if (port_is_sign(source, i, '/') || port_is_sign(source, i, '%') ||
            port_is_sign(source, i, '&') || port_is_sign(source, i, PORT_SIGN('>', '>', 0)) ||
            port_is_sign(source, i, '?')) {
            bits &= (uint8_t)~PORT_SYMBOL_THREAD_X;
        }
        /* a quotient is the same for all lanes, a choice or a comparison is no number */
        if (port_is_sign(source, i, '?') || port_is_sign(source, i, '<') ||
            port_is_sign(source, i, '/') || port_is_sign(source, i, PORT_SIGN('>', '>', 0)) ||
            port_is_sign(source, i, PORT_SIGN('=', '=', 0))) {
            bits &= (uint8_t)~PORT_SYMBOL_THREAD;
        }
    }
    if (port_is_sign(source, first + 1, '(') && port_is_name(source, first) && !bits) {
        return 0;
    }
    return bits | port_literal_mask(source, first, end);
}

/* const or constexpr before the name */
static bool is_constant(const port_source_t *source, uint32_t name) {
    for (uint32_t i = name; i-- > 0 && name - i <= 6 && port_is_name(source, i);) {
        if (source->token[i].word == PORT_WORD_CONST ||
            source->token[i].word == PORT_WORD_CONSTEXPR) {
            return true;
        }
    }
    return false;
}

void port_symbol_learn(port_source_t *source, uint32_t equals) {
    if (equals == 0 || !port_is_name(source, equals - 1) ||
        port_token_at(source, equals - 1)->word != PORT_WORD_NONE) {
        return;
    }
    const uint32_t name = equals - 1;
    if (!source->current && !(name > 0 && port_is_name(source, name - 1))) {
        return;
    }
    const uint32_t end = statement_end(source, equals + 1);
    const uint8_t width = port_width_before(source, name);
    uint8_t bits = value_bits(source, equals + 1, end) | width;
    if (width & PORT_SYMBOL_WIDE) {
        bits &= (uint8_t)~PORT_SYMBOL_MASK;
    }
    if ((width & PORT_SYMBOL_NARROW) && (bits & PORT_SYMBOL_FULL)) {
        bits |= PORT_SYMBOL_MASK;
    }
    uint64_t value = 0;
    if (!is_constant(source, name) || !port_constant(source, equals + 1, end, &value) ||
        value > UINT32_MAX) {
        value = 0;
    }
    if (bits || value) {
        port_symbol_add(source, name, bits, (uint32_t)value);
    }
    if (is_constant(source, name)) {
        check_mask_constant(source, name, bits);
    }
}

void port_symbol_enter(port_source_t *source, const port_function_t *function) {
    source->epoch++;
    source->shared_bytes = source->local_bytes = 0;
    if (function->params == PORT_NO_MATCH) {
        return;
    }
    const uint32_t close = port_partner(source, function->params);
    for (uint32_t i = function->params + 1; i < close; i++) {
        const bool ends = port_is_sign(source, i + 1, ',') || i + 1 == close;
        if (ends && port_is_name(source, i) && source->token[i].word == PORT_WORD_NONE) {
            const uint8_t bits = port_width_before(source, i) |
                                 custom_bits(port_token_text(source, i), source->token[i].n);
            if (bits) {
                add(source, i, source->epoch, bits, 0);
            }
        }
    }
}

void port_symbol_define(port_source_t *source, uint32_t directive) {
    const uint32_t end = source->match[directive], name = directive + 2;
    if (end <= name + 1 || !port_is_name(source, name)) {
        return;
    }
    uint32_t first = name + 1, last = end;
    while (port_is_sign(source, first, '(') && port_partner(source, first) == last - 1) {
        first++;
        last--;
    }
    const uint8_t bits = port_literal_mask(source, first, last);
    uint64_t value = 0;
    if (!port_constant(source, first, last, &value) || value > UINT32_MAX) {
        value = 0;
    }
    if (bits || value) {
        add(source, name, 0, bits, (uint32_t)value);
    }
    check_mask_constant(source, name, bits);
}
