/* The lexer: tokens stand in the text, in order, and do not overlap; read a few at a time they are
   the same as at once. */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FEW = 5 };

static void check(const port_token_t *token, size_t n, size_t size) {
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        assert(token[i].at >= end && (size_t)token[i].at + token[i].n <= size);
        assert(token[i].n > 0 || token[i].kind == PORT_TOKEN_DIRECTIVE_END ||
               token[i].kind == PORT_TOKEN_HEADER);
        end = (size_t)token[i].at + token[i].n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t room = (uint32_t)size + 4;
    port_token_t *whole = calloc(room, sizeof *whole);
    port_lexer_t lexer;
    assert(whole);
    port_lexer_init(&lexer, fuzz_port_tables(), (const char *)data, size);
    const uint32_t n = port_lex(&lexer, whole, room);
    check(whole, n, size);
    port_token_t few[FEW];
    uint32_t at = 0;
    port_lexer_init(&lexer, fuzz_port_tables(), (const char *)data, size);
    for (uint32_t got; (got = port_lex(&lexer, few, FEW)) > 0; at += got) {
        for (uint32_t i = 0; i < got; i++) {
            assert(at + i < n && few[i].at == whole[at + i].at && few[i].n == whole[at + i].n &&
                   few[i].kind == whole[at + i].kind);
        }
    }
    assert(at == n);
    free(whole);
    return 0;
}
