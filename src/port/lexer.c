#include "port/lexer.h"

#include <assert.h>
#include <string.h>

#include "port/c_words.h"
#include "port/port_hash.h"

#include "base/banned.h"

enum { SIGN, BLANK, NEWLINE, WORD, DIGIT, QUOTE, APOSTROPHE, SLASH, HASH, DOT, SPLICE };

#define FOUR(from, class) [from] = class, [from + 1] = class, [from + 2] = class, [from + 3] = class
#define SIXTEEN(from, class) \
    FOUR(from, class), FOUR(from + 4, class), FOUR(from + 8, class), FOUR(from + 12, class)
#define LETTERS(from) /* 26 of them */                                                     \
    SIXTEEN(from, WORD), FOUR(from + 16, WORD), FOUR(from + 20, WORD), [from + 24] = WORD, \
                                                                               [from + 25] = WORD

/* Bytes from 128 on are letters: UTF-8 in identifiers. */
static const uint8_t class_of[256] = {
    [' '] = BLANK,      ['\t'] = BLANK,     ['\r'] = BLANK,      ['\v'] = BLANK,
    ['\f'] = BLANK,     [0] = BLANK,        ['\n'] = NEWLINE,    ['_'] = WORD,
    ['$'] = WORD,       ['"'] = QUOTE,      ['\''] = APOSTROPHE, ['/'] = SLASH,
    ['#'] = HASH,       ['.'] = DOT,        ['\\'] = SPLICE,     FOUR('0', DIGIT),
    FOUR('4', DIGIT),   ['8'] = DIGIT,      ['9'] = DIGIT,       LETTERS('a'),
    LETTERS('A'),       SIXTEEN(128, WORD), SIXTEEN(144, WORD),  SIXTEEN(160, WORD),
    SIXTEEN(176, WORD), SIXTEEN(192, WORD), SIXTEEN(208, WORD),  SIXTEEN(224, WORD),
    SIXTEEN(240, WORD),
};

static inline uint8_t class_at(const port_lexer_t *lexer, uint32_t at) {
    return at < lexer->size ? class_of[(unsigned char)lexer->data[at]] : (uint8_t)NEWLINE;
}

static inline char char_at(const port_lexer_t *lexer, uint32_t at) {
    return at < lexer->size ? lexer->data[at] : '\0';
}

static inline bool goes_on(uint8_t class) {
    return class == WORD || class == DIGIT;
}

void port_lexer_init(port_lexer_t *lexer, const port_tables_t *tables, const char *data,
                     size_t size) {
    assert(size < UINT32_MAX);
    *lexer =
        (port_lexer_t){.tables = tables, .data = data, .size = (uint32_t)size, .line_start = true};
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        lexer->at = 3;
    }
}

/* A backslash before a line end joins the lines. Length of the splice at `at`; 0 = none. */
static uint32_t splice_at(const port_lexer_t *lexer, uint32_t at) {
    if (char_at(lexer, at) != '\\' || at >= lexer->size) {
        return 0;
    }
    const uint32_t next = at + 1 + (char_at(lexer, at + 1) == '\r');
    return char_at(lexer, next) == '\n' ? next + 1 - at : 0;
}

/* From the text of a comment to the line end that closes it (not stepped over). */
static void skip_line_comment(port_lexer_t *lexer) {
    for (;;) {
        const char *from = lexer->data + lexer->at;
        const char *end = memchr(from, '\n', lexer->size - lexer->at);
        if (!end) {
            lexer->at = lexer->size;
            return;
        }
        lexer->at = (uint32_t)(end - lexer->data);
        const char *last = end > from && end[-1] == '\r' ? end - 1 : end;
        if (last == from || last[-1] != '\\') {
            return;
        }
        lexer->at++;
    }
}

static void skip_block_comment(port_lexer_t *lexer) {
    lexer->at += 3; /* the closing star is not the opening one */
    while (lexer->at < lexer->size) {
        const char *slash = memchr(lexer->data + lexer->at, '/', lexer->size - lexer->at);
        if (!slash) {
            break;
        }
        lexer->at = (uint32_t)(slash - lexer->data) + 1;
        if (slash[-1] == '*') {
            return;
        }
    }
    lexer->at = lexer->size;
}

static uint32_t quoted_end(const port_lexer_t *lexer, uint32_t at, char quote) {
    for (at++; at < lexer->size; at++) {
        const char c = lexer->data[at];
        if (c == quote) {
            return at + 1;
        }
        if (c == '\\') {
            const uint32_t splice = splice_at(lexer, at);
            at += splice ? splice - 1 : 1;
        } else if (c == '\n') {
            return at; /* never closed: it ends with its line */
        }
    }
    return lexer->size;
}

/* at: the quote behind R. 0: no raw string. */
static uint32_t raw_end(const port_lexer_t *lexer, uint32_t at) {
    uint32_t open = at + 1;
    while (open < lexer->size && open - at <= 17 && lexer->data[open] != '(') {
        const char c = lexer->data[open];
        if (c == ')' || c == '\\' || c == '"' || class_of[(unsigned char)c] == BLANK || c == '\n') {
            return 0;
        }
        open++;
    }
    if (char_at(lexer, open) != '(' || open - at > 17) {
        return 0;
    }
    const uint32_t n = open - at - 1;
    for (uint32_t close = open + 1; close < lexer->size; close++) {
        const char *found = memchr(lexer->data + close, ')', lexer->size - close);
        if (!found) {
            break;
        }
        close = (uint32_t)(found - lexer->data);
        if (lexer->size - close > n + 1 && memcmp(found + 1, lexer->data + at + 1, n) == 0 &&
            found[n + 1] == '"') {
            return close + n + 2;
        }
    }
    return lexer->size;
}

static bool is_raw_prefix(const char *text, uint32_t n) {
    return text[n - 1] == 'R' &&
           (n == 1 || (n == 2 && (text[0] == 'u' || text[0] == 'U' || text[0] == 'L')) ||
            (n == 3 && memcmp(text, "u8", 2) == 0));
}

/* The rest of a word that a line splice cuts: rare, so the plain loop stays short. */
static uint32_t spliced_word_end(const port_lexer_t *lexer, uint32_t at, char *word,
                                 uint32_t *inout_n, uint32_t max) {
    for (;;) {
        const uint32_t splice = splice_at(lexer, at);
        const uint32_t next = at + splice;
        if (!goes_on(class_at(lexer, next))) {
            return at;
        }
        if (*inout_n < max) {
            word[(*inout_n)++] = lexer->data[next];
        }
        at = next + 1;
    }
}

static void lex_word(port_lexer_t *lexer, port_token_t *token) {
    const char *const data = lexer->data;
    const uint32_t from = lexer->at;
    uint32_t at = from, hash = PORT_HASH_START;
    do {
        hash = port_hash_step(hash, (unsigned char)data[at]);
        at++;
    } while (at < lexer->size && goes_on(class_of[(unsigned char)data[at]]));
    const char *text = data + from;
    uint32_t n = at - from;
    char word[256];
    if (char_at(lexer, at) == '\\' && n < sizeof word && splice_at(lexer, at)) {
        memcpy(word, text, n);
        at = spliced_word_end(lexer, at, word, &n, sizeof word);
        text = word;
        hash = PORT_HASH_START;
        for (uint32_t i = 0; i < n; i++) {
            hash = port_hash_step(hash, (unsigned char)word[i]);
        }
    } else if (char_at(lexer, at) == '"' && is_raw_prefix(text, n)) {
        const uint32_t end = raw_end(lexer, at);
        if (end) {
            *token = (port_token_t){.at = from, .n = end - from, .kind = PORT_TOKEN_RAW_STRING};
            lexer->at = end;
            return;
        }
    }
    hash = port_hash_end(hash);
    *token = (port_token_t){.at = from, .n = at - from, .hash = hash, .kind = PORT_TOKEN_WORD};
    token->word = port_word_find(lexer->tables, hash, text, n, &token->api);
    lexer->at = at;
}

static void lex_number(port_lexer_t *lexer, port_token_t *token) {
    uint32_t at = lexer->at + 1;
    for (;; at++) {
        const uint8_t class = class_at(lexer, at);
        const char before = lexer->data[at - 1];
        if (goes_on(class) || class == DOT) {
            continue;
        }
        const char c = char_at(lexer, at);
        const bool is_exponent =
            (c == '+' || c == '-') &&
            (before == 'e' || before == 'E' || before == 'p' || before == 'P') &&
            !(lexer->data[lexer->at] == '0' && (char_at(lexer, lexer->at + 1) | 32) == 'x' &&
              (before | 32) == 'e');
        const bool is_separator = class == APOSTROPHE && goes_on(class_at(lexer, at + 1));
        if (!is_exponent && !is_separator) {
            break;
        }
    }
    *token = (port_token_t){.at = lexer->at, .n = at - lexer->at, .kind = PORT_TOKEN_NUMBER};
    lexer->at = at;
}

/* Signs of two and three characters that rules tell apart; >>> only closes a <<<. */
static uint32_t sign_length(port_lexer_t *lexer) {
    const char a = lexer->data[lexer->at], b = char_at(lexer, lexer->at + 1),
               c = char_at(lexer, lexer->at + 2);
    if (a == '<' && b == '<' && c == '<') {
        lexer->open_launches++;
        return 3;
    }
    if (a == '>' && b == '>' && c == '>' && lexer->open_launches) {
        lexer->open_launches--;
        return 3;
    }
    switch (a) {
    case '<':
    case '>':
        return a == b ? 2u + (c == '=') : b == '=' ? 2 : 1;
    case '&':
    case '|':
    case '+':
        return a == b || b == '=' ? 2 : 1;
    case '-':
        return a == b || b == '=' || b == '>' ? 2 : 1;
    case ':':
        return a == b ? 2 : 1;
    case '=':
    case '!':
    case '*':
    case '/':
    case '%':
    case '^':
        return b == '=' ? 2 : 1;
    case ';': /* a launch does not go beyond its statement */
        lexer->open_launches = 0;
        return 1;
    default:
        return 1;
    }
}

static void lex_sign(port_lexer_t *lexer, port_token_t *token) {
    const uint32_t n = sign_length(lexer);
    const char *text = lexer->data + lexer->at;
    *token = (port_token_t){.at = lexer->at,
                            .n = n,
                            .hash = PORT_SIGN(text[0], n > 1 ? text[1] : 0, n > 2 ? text[2] : 0),
                            .kind = PORT_TOKEN_SIGN};
    lexer->at += n;
}

static void lex_quoted(port_lexer_t *lexer, port_token_t *token, char quote) {
    const uint32_t end = quoted_end(lexer, lexer->at, quote);
    *token = (port_token_t){.at = lexer->at,
                            .n = end - lexer->at,
                            .kind = quote == '"' ? PORT_TOKEN_STRING : PORT_TOKEN_CHAR};
    lexer->at = end;
}

/* <path> or "path" behind an include; false: something else, such as a macro. */
static bool lex_header(port_lexer_t *lexer, port_token_t *token) {
    const char open = lexer->data[lexer->at];
    if (open != '<' && open != '"') {
        return false;
    }
    const char close = open == '<' ? '>' : '"';
    uint32_t end = lexer->at + 1;
    while (end < lexer->size && lexer->data[end] != close && lexer->data[end] != '\n') {
        end++;
    }
    *token =
        (port_token_t){.at = lexer->at + 1, .n = end - lexer->at - 1, .kind = PORT_TOKEN_HEADER};
    lexer->at = end + (char_at(lexer, end) == close);
    return true;
}

/* One token into *token, or none: blanks, comments and line ends outside directives have none. */
static bool lex_one(port_lexer_t *lexer, port_token_t *token) {
    const uint8_t class = class_of[(unsigned char)lexer->data[lexer->at]];
    if (class == BLANK) {
        do {
            lexer->at++;
        } while (class_at(lexer, lexer->at) == BLANK);
        return false;
    }
    if (class == NEWLINE) {
        const bool ends = lexer->in_directive;
        if (ends) {
            *token = (port_token_t){.at = lexer->at, .kind = PORT_TOKEN_DIRECTIVE_END};
            lexer->in_directive = false;
            lexer->open_launches = 0;
        }
        lexer->at++;
        lexer->line_start = true;
        return ends;
    }
    if (class == SLASH) {
        const char next = char_at(lexer, lexer->at + 1);
        if (next == '/') {
            skip_line_comment(lexer);
            return false;
        }
        if (next == '*') {
            skip_block_comment(lexer);
            return false;
        }
    }
    if (class == SPLICE) {
        const uint32_t splice = splice_at(lexer, lexer->at);
        lexer->at += splice ? splice : 1;
        return false;
    }
    const bool line_start = lexer->line_start, want_header = lexer->want_header;
    lexer->line_start = lexer->want_header = false;
    if (want_header && lex_header(lexer, token)) {
        return true;
    }
    switch (class) {
    case WORD:
        lex_word(lexer, token);
        lexer->want_header = lexer->in_directive && token->word == PORT_WORD_P_INCLUDE;
        return true;
    case DIGIT:
        lex_number(lexer, token);
        return true;
    case DOT:
        if (class_at(lexer, lexer->at + 1) == DIGIT) {
            lex_number(lexer, token);
        } else {
            lex_sign(lexer, token);
        }
        return true;
    case QUOTE:
        lex_quoted(lexer, token, '"');
        return true;
    case APOSTROPHE:
        lex_quoted(lexer, token, '\'');
        return true;
    case HASH:
        lex_sign(lexer, token);
        if (line_start && !lexer->in_directive) {
            token->kind = PORT_TOKEN_DIRECTIVE;
            lexer->in_directive = true;
        }
        return true;
    default:
        lex_sign(lexer, token);
        return true;
    }
}

uint32_t port_lex(port_lexer_t *lexer, port_token_t *token, uint32_t max) {
    uint32_t n = 0;
    while (lexer->at < lexer->size && n < max - 1) {
        n += lex_one(lexer, &token[n]);
    }
    if (lexer->at == lexer->size && lexer->in_directive) {
        token[n++] = (port_token_t){.at = lexer->at, .kind = PORT_TOKEN_DIRECTIVE_END};
        lexer->in_directive = false;
    }
    return n;
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool port_number(const char *text, size_t n, uint64_t *out_value, bool *out_wide) {
    unsigned base = 10;
    size_t at = 0;
    if (n > 1 && text[0] == '0') {
        const char mark = (char)(text[1] | 32);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        at = base == 8 ? 1 : 2;
    }
    uint64_t value = 0;
    for (; at < n; at++) {
        if (text[at] == '\'') {
            continue;
        }
        const int digit = digit_value(text[at]);
        if (digit >= (int)base) {
            break;
        }
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value)) {
            return false;
        }
    }
    unsigned longs = 0;
    for (; at < n; at++) {
        const char c = (char)(text[at] | 32);
        longs += c == 'l';
        if (c != 'l' && c != 'u' && c != 'z') {
            return false;
        }
    }
    *out_value = value;
    *out_wide = longs > 0;
    return true;
}
