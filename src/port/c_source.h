/* One C, C++ or CUDA text taken apart as far as the rules need: tokens, brackets, functions and the
   guards around them. Tolerant: what is not understood is only less known. */
#ifndef PORT_C_SOURCE_H
#define PORT_C_SOURCE_H

#include "port/c_words.h"
#include "port/guards.h"
#include "port/port_sink.h"

#define PORT_NO_MATCH UINT32_MAX

/* Among whom a function exchanges. */
typedef enum {
    PORT_BY_UNKNOWN, /* not looked at yet */
    PORT_BY_WIDTH,   /* each exchange names a width of its own */
    PORT_BY_WARP     /* one takes the whole warp, or there is none */
} port_by_width_t;
typedef struct {
    uint32_t head;             /* first token of the declaration */
    uint32_t name;             /* PORT_NO_MATCH: a lambda */
    uint32_t params;           /* the ( */
    uint32_t open, close;      /* of the body: { and }, or the end of the text */
    bool kernel, device, host; /* by qualifier */
    bool uses_threads;         /* threadIdx, blockIdx, __syncthreads, ... in the body */
    bool uses_warp;            /* exchanges or votes within a warp in the body */
    bool names_warp;           /* a name in it speaks of warps or lanes */
    bool broken;               /* something in it breaks or goes wrong */
    bool cuda_only;            /* something in it has no ROCm form */
    uint8_t by_width;          /* port_by_width_t */
} port_function_t;

/* What is known of a name, in the function that is being read or in the whole text. */
#define PORT_SYMBOL_THREAD 1u    /* the thread's number within the block, or a lane */
#define PORT_SYMBOL_GLOBAL 2u    /* a number over all blocks */
#define PORT_SYMBOL_NARROW 4u    /* an integer of 32 bits */
#define PORT_SYMBOL_WIDE 8u      /* of 64 */
#define PORT_SYMBOL_MASK 16u     /* a constant: all 32 lanes, in 32 bits */
#define PORT_SYMBOL_FULL 32u     /* a constant that names all lanes, of any width */
#define PORT_SYMBOL_THREAD_X 64u /* grows by one from thread to thread: threadIdx.x in it */
#define PORT_SYMBOL_THREADS 128u /* a number of threads: blockDim, BLOCK_SIZE */

typedef struct {
    uint32_t hash, epoch;
    uint32_t value; /* of a constant; 0 = not known */
    uint8_t bits;
    bool used;
} port_symbol_t;

/* An array in shared memory. */
typedef struct {
    uint32_t hash, epoch;
    uint32_t row_bytes;     /* of the last of two or more dimensions; 0 = one, or not known */
    uint32_t element_bytes; /* 0 = not known */
    bool last_is_32;        /* its last dimension is the number 32 itself */
} port_shared_t;
#define PORT_SHARED_MAX 64u

#define PORT_SYMBOL_SLOTS 1024u

typedef struct {
    port_sink_t *sink;
    const port_text_t *text;
    const port_tables_t *tables;
    const port_target_t *target;
    port_token_t *token; /* followed by one of kind DIRECTIVE_END */
    uint32_t n;
    uint32_t *match; /* partner of each bracket, and of each # its line's end */
    port_function_t *function;
    uint32_t n_function;
    /* while rules run */
    const port_function_t *current; /* innermost; NULL = outside */
    uint32_t next_function;
    port_symbol_t *symbol; /* (2, PORT_SYMBOL_SLOTS): of the text, of the function */
    uint32_t epoch;        /* of the function; 0: none was entered yet */
    port_shared_t shared[PORT_SHARED_MAX];
    uint32_t n_shared;
    uint64_t shared_bytes, local_bytes; /* of the function: arrays whose size is known */
    bool macro;                         /* within a #define */
    bool directive;                     /* within another directive */
    bool told_sync;                     /* sync-builtins-optin once a file */
    bool groups;                        /* cooperative_groups is included or named */
    bool for_hip;                       /* includes a header of HIP: what it defines is a shim */
    port_guards_t guards;               /* goes on from piece to piece of a long text */
} port_source_t;

/* A part of a text that guards speak about. */
typedef struct {
    uint32_t first, end;
    uint32_t macro; /* hash of the one that it stands under; 0: none */
    uint8_t state;  /* PORT_STATE_ bits */
} port_span_t;
/** Such parts in their order, in the sink's scratch; returns how many. Longer texts than the reader
 * takes at once: those of the first part. */
uint32_t port_guard_spans(port_sink_t *sink, const port_text_t *text, const port_span_t **out);
/** Lanes that are so far apart in shared memory meet at a few banks. */
bool port_hits_few_banks(const port_target_t *target, uint64_t stride_bytes);

/** Brackets, guards, functions. false: no memory. */
bool port_structure(port_source_t *source);

/* Small questions about tokens; any index is allowed, beyond the end nothing matches. */
static inline const port_token_t *port_token_at(const port_source_t *source, uint32_t i) {
    return &source->token[i < source->n ? i : source->n];
}
static inline bool port_is_sign(const port_source_t *source, uint32_t i, uint32_t sign) {
    const port_token_t *token = port_token_at(source, i);
    return token->kind == PORT_TOKEN_SIGN && token->hash == sign;
}
static inline uint8_t port_word_at(const port_source_t *source, uint32_t i) {
    const port_token_t *token = port_token_at(source, i);
    return token->kind == PORT_TOKEN_WORD ? token->word : (uint8_t)PORT_WORD_NONE;
}
static inline bool port_is_name(const port_source_t *source, uint32_t i) {
    return port_token_at(source, i)->kind == PORT_TOKEN_WORD;
}
static inline const char *port_token_text(const port_source_t *source, uint32_t i) {
    return source->text->data + port_token_at(source, i)->at;
}
/** Value of an integer literal; false when it is none. */
bool port_token_number(const port_source_t *source, uint32_t i, uint64_t *out_value,
                       bool *out_wide);
/** Partner of a bracket within the text; i itself when it has none. */
static inline uint32_t port_partner(const port_source_t *source, uint32_t i) {
    return i < source->n && source->match[i] != PORT_NO_MATCH ? source->match[i] : i;
}
/** Splits (a, b, ...) at open into up to max ranges [first, end); returns how many there are. */
typedef struct {
    uint32_t first, end;
} port_range_t;
uint32_t port_arguments(const port_source_t *source, uint32_t open, port_range_t *range,
                        uint32_t max);

/* Names and constants (c_symbols.c). */
uint8_t port_symbol_bits(const port_source_t *source, uint32_t i);
/** value: of a constant, 0 = not known. */
void port_symbol_add(port_source_t *source, uint32_t i, uint8_t bits, uint32_t value);
/** What is known of an expression: the union over its words. */
uint8_t port_range_bits(const port_source_t *source, uint32_t first, uint32_t end);
/** The expression only numbers threads: nothing of the data's shape is added, nothing scales it. */
bool port_is_thread_number(const port_source_t *source, uint32_t first, uint32_t end);
/** Notes what the declaration or assignment at the = sign says of its left side. */
void port_symbol_learn(port_source_t *source, uint32_t equals);
/** Parameters of the function that is entered. */
void port_symbol_enter(port_source_t *source, const port_function_t *function);
/** A #define of a constant; directive: its #. */
void port_symbol_define(port_source_t *source, uint32_t directive);
/** The name says that it is the size of a warp: WARP_SIZE, kWarpSize, ... */
bool port_names_warp_size(const char *text, size_t n);
/** token[first..end) is a positive constant: literals and known names with + - * / <<. */
bool port_constant(const port_source_t *source, uint32_t first, uint32_t end, uint64_t *out_value);
/** PORT_SYMBOL_FULL and _MASK of a literal: 0xffffffff, -1, ~0ull. */
uint8_t port_literal_mask(const port_source_t *source, uint32_t first, uint32_t end);
/** PORT_SYMBOL_NARROW, _WIDE or 0 by the type words before a name. */
uint8_t port_width_before(const port_source_t *source, uint32_t name);

/* Rules; i is the token that called for them. */
void port_rule_word(port_source_t *source, uint32_t i);          /* c_features.c */
void port_rule_api(port_source_t *source, uint32_t i);           /* c_api.c */
void port_rule_header(port_source_t *source, uint32_t i);        /* c_api.c */
void port_rule_warp_call(port_source_t *source, uint32_t i);     /* c_warp.c */
void port_rule_warp_number(port_source_t *source, uint32_t i);   /* c_warp_size.c */
void port_rule_warp_size(port_source_t *source, uint32_t i);     /* c_warp_size.c */
void port_rule_shared(port_source_t *source, uint32_t i);        /* c_memory.c */
void port_rule_index(port_source_t *source, uint32_t open);      /* c_memory.c */
void port_rule_local(port_source_t *source, uint32_t open);      /* c_resources.c */
void port_rule_thread_order(port_source_t *source, uint32_t i);  /* c_memory.c */
void port_rule_launch(port_source_t *source, uint32_t i);        /* c_launch.c */
void port_rule_dim3(port_source_t *source, uint32_t i);          /* c_launch.c */
void port_rule_launch_bounds(port_source_t *source, uint32_t i); /* c_launch.c */
void port_rule_library_call(port_source_t *source, uint32_t i);  /* c_api.c */

/** Bytes of an object of the type that the word begins; 0: not known. */
uint32_t port_bytes_of(uint8_t word);
/** float part[..] at its bracket: a name with a type before it; part[..] alone is a use. */
bool port_declares_array(const port_source_t *source, uint32_t bracket);
/** An array in shared memory of that many bytes is declared at the name (c_resources.c). */
void port_see_shared(port_source_t *source, uint32_t name, uint64_t bytes);
/** Reports rule at token i with a sentence of its own; NULL: no memory, which the sink knows. */
void port_report_sentence(port_source_t *source, const char *rule, uint32_t i,
                          const char *sentence);

/** Reports rule at token i. */
void port_report(port_source_t *source, const char *rule, uint32_t i, const char *api,
                 const char *replacement, const char *status);
/** The same with the token's own text as api. */
void port_report_word(port_source_t *source, const char *rule, uint32_t i);

/** The name at i is declared here: a type before it and parentheses behind it, outside functions.
 */
static inline bool port_declares(const port_source_t *source, uint32_t i) {
    const uint8_t before = port_word_at(source, i - 1);
    return i > 0 && !source->current && !source->macro && port_is_sign(source, i + 1, '(') &&
           before != PORT_WORD_RETURN && before != PORT_WORD_ELSE &&
           (port_is_name(source, i - 1) || port_is_sign(source, i - 1, '*'));
}

/** Code of the device: in a kernel or device function, or in a macro, which may be. */
static inline bool port_on_device(const port_source_t *source) {
    const port_function_t *f = source->current;
    return source->macro || (f && (f->kernel || f->device || f->uses_threads || f->uses_warp));
}

#endif
