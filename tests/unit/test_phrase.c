/* Phrases of checks: a format takes the same arguments in both languages, and none is left out. */
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>

#include "arena_fixture.h"
#include "assay/message.h"
#include "assay_test.h"

static const struct {
    const char *english, *chinese;
} phrase[] = {
#define ASSAY_PHRASE(english, chinese) {english, chinese},
#include "base/phrase_zh_audit_list.h"
#include "base/phrase_zh_host_list.h"
#include "base/phrase_zh_list.h"
#include "base/phrase_zh_score_list.h"
#undef ASSAY_PHRASE
};

#define CONVERSIONS_MAX 16

/* Types of the arguments in their order: "s", "u", "lld", "*" of a width. What is no conversion, as
   the % of "70 % of", counts for nothing. */
static size_t conversions(const char *format, char type[CONVERSIONS_MAX][4]) {
    size_t next = 0, most = 0;
    memset(type, 0, CONVERSIONS_MAX * sizeof *type);
    for (const char *at = format; (at = strchr(at, '%')); at++) {
        const char *end = at + 1;
        if (*end == '%') {
            at++;
            continue;
        }
        size_t number = next;
        const size_t digits = strspn(end, "0123456789");
        if (digits && end[digits] == '$') {
            number = (size_t)strtoul(end, NULL, 10) - 1;
            end += digits + 1;
        }
        end += strspn(end, "0");
        end += strspn(end, "123456789");
        if (*end == '.' && end[1] == '*') {
            memcpy(type[number++], "*", 2);
            end += 2;
        } else if (*end == '.') {
            end += 1 + strspn(end + 1, "0123456789");
        }
        const size_t length = strspn(end, "lz");
        if (!end[length] || !strchr("cdufgsx", end[length])) {
            continue;
        }
        assert_true(number < CONVERSIONS_MAX && length < 3);
        memcpy(type[number], end, length + 1);
        next = number + 1;
        most = next > most ? next : most;
    }
    return most;
}

static void arguments_are_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof phrase / sizeof phrase[0]; i++) {
        char english[CONVERSIONS_MAX][4], chinese[CONVERSIONS_MAX][4];
        const size_t n = conversions(phrase[i].english, english);
        if (conversions(phrase[i].chinese, chinese) != n ||
            memcmp(english, chinese, sizeof english) != 0) {
            fail_msg("\"%s\" and \"%s\" take other arguments", phrase[i].english,
                     phrase[i].chinese);
        }
    }
}

/* The literals at text, joined as the compiler joins them; *out_end: behind them. */
static const char *literal(const char *text, const char **out_end) {
    const char *joined = "";
    while (*text == '"') {
        const char *end = text + 1;
        while (*end != '"') {
            end += 1 + (*end == '\\');
        }
        joined = assay_arena_printf(arena, "%s%.*s", joined, (int)(end - text - 1), text + 1);
        text = end + 1;
        text += strspn(text, " \n");
    }
    *out_end = text;
    return joined;
}

/* A word of two small letters or more that stands alone. */
static bool has_word(const char *text) {
    for (const char *at = text; *at; at++) {
        const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        if (n > 1 && (at == text || at[-1] == ' ') && (!at[n] || strchr(" ,;:", at[n]))) {
            return true;
        }
    }
    return false;
}

/* The first literal behind a name and its bracket, and for what is filled in the second. */
static void look_at_calls(const char *path, const char *source, const char *name, uint32_t *io_n) {
    const bool second = strstr(name, "_fill") != NULL;
    for (const char *at = source; (at = strstr(at, name)); at++) {
        const char *open = strchr(at, '"'), *close = strchr(at, ';');
        const char *text = open && open < close ? literal(open, &open) : "";
        if (second && *text) {
            open = *open == ',' ? open + 1 + strspn(open + 1, " \n") : open;
            text = *open == '"' ? literal(open, &open) : "";
        }
        *io_n += has_word(text);
        if (has_word(text) && assay_phrase(ASSAY_LANG_ZH, text) == text) {
            fail_msg("%s: \"%s\" has no phrase in src/base/phrase_zh_host_list.h", path, text);
        }
    }
}

static void every_sentence_of_a_check_has_one(void **state) {
    (void)state;
    static const char *const name[] = {
        "host_check_bad(",     "host_check_bad_as(", "host_check_good(", "host_check_none(",
        "host_check_unknown(", "host_check_printf(", "host_check_said(", "host_check_fill("};
    glob_t files;
    uint32_t n = 0;
    assert_int_equal(glob(ASSAY_SOURCE_DIR "/src/host/check_*.c", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *source;
        size_t size;
        assert_int_equal(assay_file_read(arena, files.gl_pathv[i], 1u << 20, &source, &size, NULL),
                         0);
        for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
            look_at_calls(files.gl_pathv[i], source, name[k], &n);
        }
    }
    globfree(&files);
    assert_true(n > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_the_same),
        cmocka_unit_test(every_sentence_of_a_check_has_one),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
