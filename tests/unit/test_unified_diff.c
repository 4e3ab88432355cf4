/* Diffs: known ones by hand; for random texts, a second, independent reading of the diff (below)
   must turn the first text into the second. */
#include "assay_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "assay/port.h"
#include "assay/rng.h"

static int make_arena(void **state) {
    *state = assay_arena_create((size_t)64 << 20);
    return *state ? 0 : -1;
}
static int drop_arena(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_buf_t diff(void *arena, const char *from, const char *to) {
    assay_buf_t out;
    assay_buf_init(&out, 8u << 20);
    assert_int_equal(assay_port_diff(arena, "f.cu", from, strlen(from), to, strlen(to), &out, NULL),
                     ASSAY_OK);
    assert_false(out.failed);
    return out;
}

static void test_equal_texts_give_nothing(void **state) {
    assay_buf_t out = diff(*state, "a\nb\n", "a\nb\n");
    assert_int_equal(out.n, 0);
    assay_buf_done(&out);
}

static void test_one_line_with_context(void **state) {
    assay_buf_t out = diff(*state, "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nV\n6\n7\n8\n9\n");
    assert_string_equal(out.data, "--- a/f.cu\n+++ b/f.cu\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n"
                                  " 6\n 7\n 8\n");
    assay_buf_done(&out);
}

/* Between two rewritten lines one that is not: it is context. */
static void test_lines_between_edits_stay(void **state) {
    assay_buf_t out = diff(*state, "a\nsame\nb\n", "A\nsame\nB\n");
    assert_string_equal(out.data,
                        "--- a/f.cu\n+++ b/f.cu\n@@ -1,3 +1,3 @@\n-a\n+A\n same\n-b\n+B\n");
    assay_buf_done(&out);
}

static void test_added_first_line(void **state) {
    assay_buf_t out = diff(*state, "a\nb\n", "#include <x>\na\nb\n");
    assert_string_equal(out.data,
                        "--- a/f.cu\n+++ b/f.cu\n@@ -1,2 +1,3 @@\n+#include <x>\n a\n b\n");
    assay_buf_done(&out);
}

static void test_end_without_newline(void **state) {
    assay_buf_t out = diff(*state, "a\nb", "a\nc");
    assert_string_equal(out.data, "--- a/f.cu\n+++ b/f.cu\n@@ -1,2 +1,2 @@\n a\n-b\n"
                                  "\\ No newline at end of file\n+c\n"
                                  "\\ No newline at end of file\n");
    assay_buf_done(&out);
}

static void test_from_and_to_nothing(void **state) {
    assay_buf_t out = diff(*state, "", "a\n");
    assert_string_equal(out.data, "--- a/f.cu\n+++ b/f.cu\n@@ -0,0 +1 @@\n+a\n");
    assay_buf_done(&out);
    out = diff(*state, "a\n", "");
    assert_string_equal(out.data, "--- a/f.cu\n+++ b/f.cu\n@@ -1 +0,0 @@\n-a\n");
    assay_buf_done(&out);
}

static const char *line_end(const char *line) {
    const char *stop = strchr(line, '\n');
    return stop ? stop + 1 : line + strlen(line);
}

/* Applies the diff by its line numbers; checks that what it takes away is there. */
static void apply(const char *from, const char *patch, assay_buf_t *out) {
    uint32_t line = 1;
    while (*patch) {
        unsigned start = 0, count = 1;
        if (strncmp(patch, "@@ -", 4) == 0) {
            const int n = sscanf(patch, "@@ -%u,%u", &start, &count);
            const uint32_t stop = n == 2 && count == 0 ? start + 1 : start;
            for (; line < stop; line++) {
                assay_buf_add(out, from, (size_t)(line_end(from) - from));
                from = line_end(from);
            }
        } else if (patch[0] == ' ' || (patch[0] == '-' && patch[1] != '-')) {
            size_t n = (size_t)(line_end(patch) - patch) - 1;
            n -= line_end(patch)[0] == '\\';
            assert_memory_equal(from, patch + 1, n);
            assay_buf_add(out, from, patch[0] == ' ' ? n : 0);
            from += n;
            line++;
        } else if (patch[0] == '+' && patch[1] != '+') {
            size_t n = (size_t)(line_end(patch) - patch) - 1;
            n -= line_end(patch)[0] == '\\';
            assay_buf_add(out, patch + 1, n);
        }
        patch = line_end(patch);
    }
    assay_buf_add(out, from, strlen(from));
}

static void test_random_texts_round_trip(void **state) {
    uint64_t draw = 0;
    for (uint32_t run = 0; run < 300; run++) {
        assay_buf_t from, to, back;
        assay_buf_init(&from, 1u << 20);
        assay_buf_init(&to, 1u << 20);
        assay_buf_init(&back, 1u << 20);
        assay_buf_add(&from, "", 0);
        const uint32_t n = 1 + (uint32_t)(200 * assay_rng_uniform(1, run, draw++));
        const double rate = assay_rng_uniform(1, run, draw++);
        for (uint32_t i = 0; i < n; i++) {
            const char letter = (char)('a' + (int)(5 * assay_rng_uniform(1, run, draw++)));
            const double u = assay_rng_uniform(1, run, draw++);
            assay_buf_printf(&from, "%c\n", letter);
            if (u > rate) {
                assay_buf_printf(&to, "%c\n", letter);
            } else if (u > 0.5 * rate) {
                assay_buf_printf(&to, "%c%c\nnew\n", letter, letter);
            }
        }
        assay_buf_puts(&to, run % 3 ? "end\n" : "end");
        assay_buf_t patch = diff(*state, from.data, to.data);
        apply(from.data, patch.n ? patch.data : "", &back);
        assert_string_equal(back.data, to.data);
        assay_buf_done(&from);
        assay_buf_done(&to);
        assay_buf_done(&back);
        assay_buf_done(&patch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_texts_give_nothing),
        cmocka_unit_test(test_one_line_with_context),
        cmocka_unit_test(test_lines_between_edits_stay),
        cmocka_unit_test(test_added_first_line),
        cmocka_unit_test(test_end_without_newline),
        cmocka_unit_test(test_from_and_to_nothing),
        cmocka_unit_test(test_random_texts_round_trip),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
