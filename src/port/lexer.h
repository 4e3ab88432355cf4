/* Words, numbers, strings and signs of the C family. Comments, line splices and blanks leave no
   token, so what a rule sees is code. Tolerant: every text has tokens. */
#ifndef PORT_LEXER_H
#define PORT_LEXER_H

#include "port/port_tables.h"

typedef enum {
    PORT_TOKEN_WORD,
    PORT_TOKEN_NUMBER,
    PORT_TOKEN_STRING,     /* with quotes */
    PORT_TOKEN_RAW_STRING, /* R"x(...)x" whole */
    PORT_TOKEN_CHAR,
    PORT_TOKEN_SIGN,          /* code in hash: PORT_SIGN */
    PORT_TOKEN_DIRECTIVE,     /* the # that opens one */
    PORT_TOKEN_HEADER,        /* what an include names, without quotes or brackets */
    PORT_TOKEN_DIRECTIVE_END, /* of length 0, at the line's end */
} port_token_kind_t;

/* What the guards said about where a token stands (guards.h). */
#define PORT_STATE_PORTED 1u /* decided by a HIP guard */
#define PORT_STATE_DEAD 2u   /* never compiled: #if 0 */
#define PORT_STATE_CUDA 4u   /* with PORTED: the side that a build for HIP leaves out */

typedef struct {
    uint32_t at, n;
    uint32_t hash; /* of a word; of a sign its code */
    uint16_t api;  /* of a word: row of the API table from 1; 0 = none */
    uint8_t kind : 4, state : 4;
    uint8_t word; /* port_word_t */
} port_token_t;

/* Codes of signs of up to three characters. */
#define PORT_SIGN(a, b, c)                                              \
    ((uint32_t)(unsigned char)(a) | (uint32_t)(unsigned char)(b) << 8 | \
     (uint32_t)(unsigned char)(c) << 16)

typedef struct {
    const port_tables_t *tables;
    const char *data;
    uint32_t size, at;
    bool line_start, in_directive, want_header;
    uint32_t open_launches; /* <<< that wait for >>> */
} port_lexer_t;

/** size < 2^32 - 1. */
void port_lexer_init(port_lexer_t *lexer, const port_tables_t *tables, const char *data,
                     size_t size);
/** Next tokens, at most max (>= 2); 0 at the end. */
uint32_t port_lex(port_lexer_t *lexer, port_token_t *token, uint32_t max);

/** Whole value of an integer literal (suffix and digit separators allowed); false: floating, too
 * large. *out_wide: suffix l or ll, 64 bits
 * where ROCm runs. */
bool port_number(const char *text, size_t n, uint64_t *out_value, bool *out_wide);

#endif
