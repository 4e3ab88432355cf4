/* Tokens, numbers, tables and guards. Expected values are counted by hand in the texts. */
#include <stdio.h>

#include "port/c_words.h"
#include "port/guards.h"
#include "port_source_fixture.h"

static port_token_t token[256];

static uint32_t lex(const port_fixture_t *f, const char *text) {
    port_lexer_t lexer;
    port_lexer_init(&lexer, f->tables, text, strlen(text));
    return port_lex(&lexer, token, 256);
}

static bool token_is(const char *text, uint32_t i, const char *expected) {
    return token[i].n == strlen(expected) && memcmp(text + token[i].at, expected, token[i].n) == 0;
}

static void test_comments_and_blanks_leave_nothing(void **state) {
    assert_int_equal(lex(*state, "/* a */ // b\n\t/**/ /* ** / */\n//c \\\n still c\n"), 0);
    assert_int_equal(lex(*state, "/*/ not closed yet */ x"), 1);
    assert_int_equal(lex(*state, "/* never closed"), 0);
    assert_int_equal(lex(*state, "/"), 1);
    assert_int_equal(lex(*state, "/*"), 0);
}

static void test_strings(void **state) {
    const char *const text = "\"a\\\"b\" 'x' '\\'' L\"w\" R\"(a\")b)\" u8R\"xy(q)x)xy\" y";
    assert_int_equal(lex(*state, text), 8);
    assert_true(token_is(text, 0, "\"a\\\"b\""));
    assert_int_equal(token[2].kind, PORT_TOKEN_CHAR);
    assert_true(token_is(text, 3, "L")); /* an encoding prefix stands alone, which harms nobody */
    assert_int_equal(token[5].kind, PORT_TOKEN_RAW_STRING);
    assert_true(token_is(text, 5, "R\"(a\")b)\""));
    assert_true(token_is(text, 6, "u8R\"xy(q)x)xy\""));
    /* one that is never closed ends with its line */
    const char *const open = "\"abc\nint x;";
    assert_int_equal(lex(*state, open), 4);
    assert_true(token_is(open, 0, "\"abc"));
}

static void test_numbers_are_one_token(void **state) {
    const char *const text = "1'000'000 0x1p-3 1e+5f .5 0xE+1 3.f 12ull";
    assert_int_equal(lex(*state, text), 9);
    assert_true(token_is(text, 0, "1'000'000"));
    assert_true(token_is(text, 1, "0x1p-3"));
    assert_true(token_is(text, 2, "1e+5f"));
    assert_true(token_is(text, 3, ".5"));
    assert_true(token_is(text, 4, "0xE")); /* E is a digit here: + 1 follows */
    assert_true(token_is(text, 8, "12ull"));
}

static void test_number_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
        bool ok, wide;
    } cases[] = {
        {"0", 0, true, false},
        {"0xffffffffu", 4294967295u, true, false},
        {"0xFFFF'FFFF", 4294967295u, true, false},
        {"0b101", 5, true, false},
        {"017", 15, true, false},
        {"1ull", 1, true, true},
        {"1UL", 1, true, true},
        {"18446744073709551615ull", UINT64_MAX, true, true},
        {"18446744073709551616ull", 0, false, false},
        {"1.5", 0, false, false},
        {"1e5", 0, false, false},
        {"32f", 0, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 0;
        bool wide = false;
        assert_int_equal(port_number(cases[i].text, strlen(cases[i].text), &value, &wide),
                         cases[i].ok);
        if (cases[i].ok) {
            assert_true(value == cases[i].value);
            assert_int_equal(wide, cases[i].wide);
        }
    }
}

static void test_splices_join_words_and_directives(void **state) {
    const char *const text = "cuda\\\nMalloc(x);\n#define A \\\n  1\nb";
    assert_int_equal(lex(*state, text), 11);
    assert_int_equal(token[0].kind, PORT_TOKEN_WORD);
    assert_true(token[0].api != 0); /* cudaMalloc, over two lines */
    assert_int_equal(token[5].kind, PORT_TOKEN_DIRECTIVE);
    assert_int_equal(token[9].kind, PORT_TOKEN_DIRECTIVE_END);
    assert_true(token_is(text, 10, "b"));
}

static void test_headers(void **state) {
    const char *const text = "#include <cub/cub.cuh>\n#  include \"a b.h\"\n#include MACRO\n";
    assert_int_equal(lex(*state, text), 12);
    assert_int_equal(token[2].kind, PORT_TOKEN_HEADER);
    assert_true(token_is(text, 2, "cub/cub.cuh"));
    assert_true(token_is(text, 6, "a b.h"));
    assert_int_equal(token[10].kind, PORT_TOKEN_WORD);
}

static void test_launch_signs(void **state) {
    assert_int_equal(lex(*state, "k<<<1, 2>>>(a >> 3, b<c<d>>>())"), 21);
    assert_int_equal(token[1].hash, PORT_SIGN('<', '<', '<'));
    assert_int_equal(token[5].hash, PORT_SIGN('>', '>', '>'));
    assert_int_equal(token[8].hash, PORT_SIGN('>', '>', 0));
}

static void test_every_prefix_of_a_text_has_tokens(void **state) {
    const port_fixture_t *f = *state;
    const char *const text = "#if A\\\n /*c*/ \"s\\\" R\"x(\n)x\" 'c 1'0 0x <<<>>> \\ // e\n#";
    for (size_t n = 0; n <= strlen(text); n++) {
        char *copy = malloc(n ? n : 1);
        assert_non_null(copy);
        memcpy(copy, text, n);
        port_lexer_t lexer;
        port_lexer_init(&lexer, f->tables, copy, n);
        uint32_t end = 0;
        for (uint32_t got; (got = port_lex(&lexer, token, 4)) > 0;) { /* in small pieces too */
            for (uint32_t i = 0; i < got; i++) {
                assert_true(token[i].at >= end && token[i].at + token[i].n <= n);
                end = token[i].at;
            }
        }
        free(copy);
    }
}

static void test_api_lookup(void **state) {
    const port_fixture_t *f = *state;
    const port_api_t *api = port_api_find(f->tables, "CUDA_R_32F", 10);
    assert_non_null(api);
    assert_string_equal(api->hip, "HIP_R_32F"); /* never HIPBLAS_R_32F: one enum, many libraries */
    api = port_api_find(f->tables, "__shfl_down_sync", 16);
    assert_non_null(api);
    assert_int_equal(api->status, PORT_SUPPORTED); /* the table of 2024 says otherwise */
    assert_int_equal(api->hip_added, 602);
    api = port_api_find(f->tables, "cudnnConvolutionForward", 23);
    assert_non_null(api);
    assert_string_equal(api->hip, "miopenConvolutionForward"); /* not hipDNN */
    assert_null(port_api_find(f->tables, "cudaMallocX", 11));
    assert_null(port_api_find(f->tables, "cudaMallo", 9));
    assert_null(port_api_find(f->tables, "", 0));
    assert_null(port_api_find(f->tables, "sqrt", 4));
}

static void test_rule_conditions(void **state) {
    (void)state;
    const assay_port_options_t mi300 = {.rocm = 604, .target = "gfx942"},
                               rdna = {.rocm = 700, .target = "gfx1100"},
                               hygon = {.rocm = 700, .target = "gfx928"};
    port_rule_t rule = {.target = "wave64"};
    assert_true(port_rule_applies(&rule, &mi300));
    assert_false(port_rule_applies(&rule, &rdna));
    assert_true(port_rule_applies(&rule, &hygon));
    rule = (port_rule_t){.target = "!gfx94|gfx12"};
    assert_false(port_rule_applies(&rule, &mi300));
    assert_true(port_rule_applies(&rule, &rdna));
    rule = (port_rule_t){.target = "", .rocm_from = 700};
    assert_false(port_rule_applies(&rule, &mi300));
    rule = (port_rule_t){.target = "", .rocm_to = 700};
    assert_true(port_rule_applies(&rule, &mi300));
    assert_false(port_rule_applies(&rule, &rdna));
}

static void test_rocm_versions(void **state) {
    (void)state;
    uint32_t rocm = 0;
    assert_true(assay_port_rocm_parse("6.4", &rocm) && rocm == 604);
    assert_true(assay_port_rocm_parse("7.14.1", &rocm) && rocm == 714);
    assert_true(assay_port_rocm_parse("10", &rocm) && rocm == 1000);
    assert_false(assay_port_rocm_parse("", &rocm));
    assert_false(assay_port_rocm_parse("six", &rocm));
    assert_false(assay_port_rocm_parse("6.", &rocm));
}

/* State of the word X behind each directive line. */
static uint8_t state_under(const port_fixture_t *f, const char *directives) {
    char text[512];
    (void)snprintf(text, sizeof text, "%s\nX", directives);
    const uint32_t n = lex(f, text);
    port_guards_t guards = {.depth = 0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t end = i;
        while (token[i].kind == PORT_TOKEN_DIRECTIVE &&
               token[end].kind != PORT_TOKEN_DIRECTIVE_END) {
            end++;
        }
        if (end > i) {
            (void)port_guards_step(&guards, text, token + i, end + 1 - i, n - 1 - end);
            i = end;
        }
    }
    return guards.state;
}

static void test_guards(void **state) {
    const uint8_t hip = PORT_STATE_PORTED, cuda = PORT_STATE_PORTED | PORT_STATE_CUDA,
                  dead = PORT_STATE_DEAD;
    static const char *const common[] = {
        "#ifdef FOO",
        "#if defined(USE_ROCM) || defined(USE_CUDA)",
        "#if FOO && !BAR",
        "#if __CUDA_ARCH__ >= 800",
        "#ifdef __CUDACC__", /* needs __HIPCC__ beside it: not ported */
        "#ifdef USE_ROCM\n#endif",
        "#if 1",
        "#if CHIP_COUNT",
        "#ifndef HIP_MATH_H\n#define HIP_MATH_H", /* the header's own guard */
        "#ifdef A\n#ifdef B\n#else\n#endif",
        "#endif\n#endif",
        "#else",
    };
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        assert_int_equal(state_under(*state, common[i]), 0);
    }
    assert_int_equal(state_under(*state, "#ifdef USE_ROCM"), hip);
    assert_int_equal(state_under(*state, "#ifndef USE_ROCM"), cuda);
    assert_int_equal(state_under(*state, "#ifdef USE_ROCM\n#else"), cuda);
    assert_int_equal(state_under(*state, "#ifndef USE_ROCM\n#else"), hip);
    assert_int_equal(state_under(*state, "#if defined(__HIP_PLATFORM_AMD__)"), hip);
    assert_int_equal(state_under(*state, "#if !defined(GGML_USE_HIP) && FOO"), cuda);
    assert_int_equal(state_under(*state, "#if defined(A)\n#elif defined(__HIPCC__)"), hip);
    assert_int_equal(state_under(*state, "#if TORCH_HIP_VERSION >= 505"), hip);
    assert_int_equal(state_under(*state, "#if defined(__HIP_PLATFORM_NVIDIA__)"), cuda);
    assert_int_equal(state_under(*state, "#if defined(__gfx90a__)"), hip);
    assert_int_equal(state_under(*state, "#if 0"), dead);
    assert_int_equal(state_under(*state, "#if 0 && FOO"), dead);
    assert_int_equal(state_under(*state, "#if 0\n#else"), 0);
    assert_int_equal(state_under(*state, "#if 1\n#else"), dead);
    assert_int_equal(state_under(*state, "#ifdef USE_ROCM\n#ifdef FOO"), hip);
    assert_int_equal(state_under(*state, "#if ((((defined USE_ROCM))))"), hip);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comments_and_blanks_leave_nothing),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_numbers_are_one_token),
        cmocka_unit_test(test_number_values),
        cmocka_unit_test(test_splices_join_words_and_directives),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_launch_signs),
        cmocka_unit_test(test_every_prefix_of_a_text_has_tokens),
        cmocka_unit_test(test_api_lookup),
        cmocka_unit_test(test_rule_conditions),
        cmocka_unit_test(test_rocm_versions),
        cmocka_unit_test(test_guards),
    };
    return cmocka_run_group_tests(tests, port_fixture_setup, port_fixture_teardown);
}
