#include <string.h>

#include "port/c_source.h"

#include "base/banned.h"

#define PARAMETERS_MAX 512u /* tokens of a parameter list that are looked at */
#define GUARD_MAX 48u       /* tokens back from an index to what asks for its lane */
#define BANK_BYTES 4u
#define LANES_A_BANK 16u /* so many lanes at one bank are told */

uint32_t port_bytes_of(uint8_t word) {
    switch (word) {
    case PORT_WORD_CHAR:
    case PORT_WORD_BOOL:
    case PORT_WORD_INT8:
    case PORT_WORD_UINT8:
        return 1;
    case PORT_WORD_SHORT:
    case PORT_WORD_INT16:
    case PORT_WORD_UINT16:
    case PORT_WORD_HALF:
    case PORT_WORD_HALF_:
        return 2;
    case PORT_WORD_INT:
    case PORT_WORD_UNSIGNED:
    case PORT_WORD_UINT:
    case PORT_WORD_INT32:
    case PORT_WORD_UINT32:
    case PORT_WORD_FLOAT:
    case PORT_WORD_HALF2:
    case PORT_WORD_HALF2_:
        return 4;
    case PORT_WORD_LONG:
    case PORT_WORD_DOUBLE:
    case PORT_WORD_INT64:
    case PORT_WORD_UINT64:
    case PORT_WORD_SIZE:
    case PORT_WORD_FLOAT2:
        return 8;
    case PORT_WORD_FLOAT4:
    case PORT_WORD_INT4:
        return 16;
    default:
        return 0;
    }
}

static void remember(port_source_t *source, const port_shared_t *shared) {
    source->shared[source->n_shared++ % PORT_SHARED_MAX] = *shared;
}

/* name[a][b]: notes the array, and says when it does not fit. */
static void see_array(port_source_t *source, uint32_t name, uint32_t element_bytes) {
    uint64_t bytes = element_bytes, dimension = 0;
    uint32_t n = 0, at = name + 1;
    bool known = element_bytes > 0, last_is_32 = false;
    while (port_is_sign(source, at, '[')) {
        const uint32_t close = port_partner(source, at);
        if (close <= at) {
            return;
        }
        if (port_constant(source, at + 1, close, &dimension)) {
            bytes = known && bytes < UINT32_MAX ? bytes * dimension : bytes;
        } else {
            known = false;
            dimension = 0;
        }
        last_is_32 =
            close == at + 2 && source->token[at + 1].kind == PORT_TOKEN_NUMBER && dimension == 32;
        n++;
        at = close + 1;
    }
    if (n == 0) {
        return;
    }
    const port_shared_t shared = {
        .hash = source->token[name].hash,
        .epoch = source->epoch,
        .row_bytes = n > 1 && dimension < UINT32_MAX / 16 ? (uint32_t)dimension * element_bytes : 0,
        .element_bytes = element_bytes,
        .last_is_32 = last_is_32};
    remember(source, &shared);
    if (known) {
        port_see_shared(source, name, bytes);
    }
}

/* __shared__ T a[..], b[..]; */
void port_rule_shared(port_source_t *source, uint32_t i) {
    uint32_t element_bytes = 0;
    for (uint32_t k = i + 1; k < source->n && k < i + 48; k++) {
        if (port_is_sign(source, k, ';') || port_is_sign(source, k, '=') ||
            port_is_sign(source, k, '{')) {
            return;
        }
        if (port_is_name(source, k)) {
            const uint32_t bytes = port_bytes_of(source->token[k].word);
            element_bytes = bytes && bytes != element_bytes ? bytes : element_bytes;
            if (port_is_sign(source, k + 1, '[')) {
                see_array(source, k, element_bytes);
                while (port_is_sign(source, k + 1, '[') && port_partner(source, k + 1) > k + 1) {
                    k = port_partner(source, k + 1);
                }
            }
        } else if (port_is_sign(source, k, '(')) {
            k = port_partner(source, k);
        }
    }
}

static port_shared_t *shared_of(port_source_t *source, uint32_t hash) {
    const uint32_t n = source->n_shared < PORT_SHARED_MAX ? source->n_shared : PORT_SHARED_MAX;
    for (uint32_t i = 0; i < n; i++) {
        if (source->shared[i].hash == hash && source->shared[i].epoch == source->epoch) {
            return &source->shared[i];
        }
    }
    return NULL;
}

/* --- how threads walk through memory -------------------------------------------------------- */

static bool grows_by_thread(const port_source_t *source, uint32_t first, uint32_t end) {
    return port_range_bits(source, first, end) & PORT_SYMBOL_THREAD_X;
}

/* Last token of the operand that begins at i and holds the thread's number; 0: it does not. */
static uint32_t thread_operand_end(const port_source_t *source, uint32_t i, uint32_t end) {
    if (port_is_sign(source, i, '(')) {
        const uint32_t close = port_partner(source, i);
        return close > i && close < end && grows_by_thread(source, i + 1, close) ? close : 0;
    }
    if (!(port_symbol_bits(source, i) & PORT_SYMBOL_THREAD_X)) {
        return 0;
    }
    return port_word_at(source, i) == PORT_WORD_THREAD_IDX ? i + 2 : i;
}

/* The factor at i: 1 when it is none, its value when known, 0 when not known. */
static uint64_t factor_at(const port_source_t *source, uint32_t i) {
    uint64_t value;
    return port_constant(source, i, i + 1, &value) ? value : 0;
}

/* Finds the thread's number multiplied in [first, end); *out_factor 0 = by something unknown. */
static bool is_strided(const port_source_t *source, uint32_t first, uint32_t end,
                       uint64_t *out_factor) {
    for (uint32_t i = first; i < end; i++) {
        const uint32_t last = thread_operand_end(source, i, end);
        if (!last) {
            continue;
        }
        if (port_is_sign(source, last + 1, '*') && last + 2 < end) {
            *out_factor = factor_at(source, last + 2);
            return true;
        }
        if (i > first + 1 && port_is_sign(source, i - 1, '*')) {
            *out_factor = factor_at(source, i - 2);
            return true;
        }
        i = last;
    }
    return false;
}

/* A pointer among the kernel's parameters: T *name, T name[]. */
static bool is_global_pointer(const port_source_t *source, uint32_t name) {
    const port_function_t *f = source->current;
    if (!f || !f->kernel || f->params == PORT_NO_MATCH) {
        return false;
    }
    const uint32_t close = port_partner(source, f->params), hash = source->token[name].hash;
    for (uint32_t i = f->params + 1; i < close && i < f->params + PARAMETERS_MAX; i++) {
        if (port_is_name(source, i) && source->token[i].hash == hash) {
            bool pointer = port_is_sign(source, i + 1, '[');
            for (uint32_t k = i; k-- > f->params && i - k < 4;) {
                pointer |= port_is_sign(source, k, '*');
            }
            return pointer;
        }
    }
    return false;
}

/* Lanes that are this far apart share so many banks that LANES_A_BANK or more meet at each. */
bool port_hits_few_banks(const port_target_t *target, uint64_t stride_bytes) {
    uint64_t a = stride_bytes / BANK_BYTES, banks = target->lds_banks;
    if (stride_bytes == 0 || stride_bytes % BANK_BYTES != 0) {
        return false;
    }
    for (uint64_t rest; (rest = a % banks) != 0; a = banks, banks = rest) {
    } /* banks: the greatest divisor that the stride and the banks have in common */
    return target->wave * banks >= LANES_A_BANK * target->lds_banks;
}

/* The index says which lane it is: lane, lane_id, t % warpSize. */
static bool is_lane(const port_source_t *source, uint32_t first, uint32_t end) {
    if (end == first + 1) {
        const port_token_t *token = port_token_at(source, first);
        const char *text = port_token_text(source, first);
        return token->kind == PORT_TOKEN_WORD && token->n >= 4 && token->n < 16 &&
               strncasecmp(text, "lane", 4) == 0 &&
               (port_symbol_bits(source, first) & PORT_SYMBOL_THREAD);
    }
    return end > first + 2 && port_is_sign(source, end - 2, '%') &&
           port_word_at(source, end - 1) == PORT_WORD_WARP_SIZE &&
           (port_range_bits(source, first, end - 2) & PORT_SYMBOL_THREAD);
}

/* lane < n, or threadIdx.x < n, asks first, in the statement or in an if around it. */
static bool is_guarded(const port_source_t *source, uint32_t lane, uint32_t before) {
    for (uint32_t k = before; k-- > source->current->open && before - k < GUARD_MAX;) {
        const bool is_lane_itself =
            port_is_name(source, k) && source->token[k].hash == source->token[lane].hash;
        const uint32_t end = port_is_sign(source, k + 1, '.') ? k + 3 : k + 1;
        if (port_is_sign(source, end, '<') &&
            (is_lane_itself || (port_symbol_bits(source, k) & PORT_SYMBOL_THREAD))) {
            return true;
        }
    }
    return false;
}

static void check_lanes(port_source_t *source, uint32_t open, port_shared_t *shared) {
    uint32_t last = open;
    while (port_is_sign(source, port_partner(source, last) + 1, '[')) {
        last = port_partner(source, last) + 1;
    }
    if (shared->last_is_32 && is_lane(source, last + 1, port_partner(source, last)) &&
        !is_guarded(source, last + 1, open)) {
        shared->last_is_32 = false; /* once a function */
        port_report_word(source, "shared-sized-32", open - 1);
    }
}

static void check_shared(port_source_t *source, uint32_t open, port_shared_t *shared) {
    const uint32_t close = port_partner(source, open), second = close + 1;
    uint64_t factor = 0;
    check_lanes(source, open, shared);
    if (port_is_sign(source, second, '[')) {
        if (port_hits_few_banks(source->target, shared->row_bytes) &&
            grows_by_thread(source, open + 1, close) &&
            !grows_by_thread(source, second + 1, port_partner(source, second))) {
            port_report_word(source, "bank-conflict", open - 1);
        }
    } else if (is_strided(source, open + 1, close, &factor) &&
               port_hits_few_banks(source->target, factor * shared->element_bytes)) {
        port_report_word(source, "bank-conflict", open - 1);
    }
}

/* particle[i].mass with i growing by thread; x y z w are parts of one vector load. */
static bool is_member_of_struct(const port_source_t *source, uint32_t close) {
    if (!port_is_sign(source, close + 1, '.') || !port_is_name(source, close + 2)) {
        return false;
    }
    const port_token_t *member = port_token_at(source, close + 2);
    return !(member->n == 1 && strchr("xyzw", source->text->data[member->at])) &&
           !port_is_sign(source, close + 3, '(');
}

void port_rule_index(port_source_t *source, uint32_t open) {
    const uint32_t close = port_partner(source, open);
    if (open == 0 || close <= open || close > open + 64 || !port_is_name(source, open - 1) ||
        !(source->current->kernel || source->current->device)) {
        return;
    }
    port_shared_t *shared = shared_of(source, source->token[open - 1].hash);
    if (shared) {
        check_shared(source, open, shared);
        return;
    }
    if (!grows_by_thread(source, open + 1, close) || !is_global_pointer(source, open - 1)) {
        return;
    }
    uint64_t factor;
    /* up to a vector of 16 bytes the loads of a wave still join */
    if (is_strided(source, open + 1, close, &factor) && (factor == 0 || factor > 4)) {
        port_report_word(source, "uncoalesced", open - 1);
    } else if (is_member_of_struct(source, close)) {
        port_report_word(source, "array-of-structs", open - 1);
    }
}

/* .x or .y behind threadIdx or blockDim at i */
static bool is_part(const port_source_t *source, uint32_t i, uint8_t word, char part) {
    return port_word_at(source, i) == word && port_is_sign(source, i + 1, '.') &&
           port_token_at(source, i + 2)->n == 1 && *port_token_text(source, i + 2) == part;
}

/* threadIdx.x * blockDim.y + ..., either way around, at blockDim; and i += blockDim.y of an i that
   begins at threadIdx.x. */
void port_rule_thread_order(port_source_t *source, uint32_t i) {
    if (!is_part(source, i, PORT_WORD_BLOCK_DIM, 'y') || i < 2) {
        return;
    }
    const bool before = i > 4 && port_is_sign(source, i - 1, '*') &&
                        is_part(source, i - 4, PORT_WORD_THREAD_IDX, 'x') &&
                        port_is_sign(source, i + 3, '+');
    const bool behind = port_is_sign(source, i + 3, '*') &&
                        is_part(source, i + 4, PORT_WORD_THREAD_IDX, 'x') &&
                        port_is_sign(source, i + 7, '+');
    const bool step = port_is_sign(source, i - 1, PORT_SIGN('+', '=', 0)) &&
                      port_is_name(source, i - 2) && port_is_sign(source, i + 3, ')') &&
                      (port_symbol_bits(source, i - 2) & PORT_SYMBOL_THREAD_X) &&
                      !(port_symbol_bits(source, i - 2) & PORT_SYMBOL_GLOBAL);
    if (before || behind || step) {
        port_report(source, "thread-order", i, "blockDim.y", NULL, NULL);
    }
}
