/* #if and its kin: what a conditional says about HIP, and so about the code it holds. */
#ifndef PORT_GUARDS_H
#define PORT_GUARDS_H

#include "port/lexer.h"

#define PORT_GUARD_DEPTH 128u

/* Three-valued, so that and = min, or = max, not = 2 - x. */
typedef enum { PORT_NO, PORT_MAYBE, PORT_YES } port_truth_t;

/* The same question asked twice: of a build for HIP, and of one for CUDA. */
typedef struct {
    uint8_t hip, cuda; /* port_truth_t */
} port_truth2_t;

typedef struct {
    struct {
        port_truth2_t taken; /* an earlier branch of this conditional */
        uint8_t outer;       /* PORT_STATE_* around it */
    } level[PORT_GUARD_DEPTH];
    uint32_t depth; /* may exceed PORT_GUARD_DEPTH; the excess is not looked at */
    uint8_t state;  /* PORT_STATE_* here */

} port_guards_t;

/**
 * token[0..n) is a directive from its # to its end, then what follows up to n_more tokens (to know
 * an include guard). Returns how it changes the nesting: 1 opened, 0 else or elif, -1 closed, 2
 * none of these.
 */
int port_guards_step(port_guards_t *guards, const char *text, const port_token_t *token, uint32_t n,
                     uint32_t n_more);
/** The word is a macro that a build for HIP sets: USE_ROCM, __HIP_PLATFORM_AMD__, ... */
port_truth2_t port_guard_word(const char *word, size_t n);

#endif
