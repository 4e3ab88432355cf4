#include "assay/arena.h"
#include "assay_test.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

static void test_memory_is_zeroed_and_aligned(void **state) {
    (void)state;
    static const char zero[5000];
    assay_arena_t *arena = assay_arena_create(1 << 20);
    for (size_t bytes = 0; bytes < 300; bytes++) {
        char *p = assay_arena_alloc(arena, bytes);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        assert_memory_equal(p, zero, bytes);
        memset(p, 0xff, bytes);
    }
    char *large = assay_arena_alloc(arena, 300000); /* beyond the first block */
    assert_non_null(large);
    assert_memory_equal(large, zero, sizeof zero);
    assay_arena_destroy(arena);
}

static void test_limit_is_hard_and_includes_padding(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(64);
    assert_non_null(assay_arena_alloc(arena, 1)); /* 16 with padding */
    assert_int_equal(assay_arena_used(arena), 16);
    assert_null(assay_arena_alloc(arena, 49)); /* 64 with padding, 48 are left */
    assert_int_equal(assay_arena_used(arena), 16);
    assert_non_null(assay_arena_alloc(arena, 48));
    assert_null(assay_arena_alloc(arena, 1));
    assert_null(assay_arena_alloc(arena, 0));
    assert_int_equal(assay_arena_used(arena), 64);
    assay_arena_destroy(arena);
}

static void test_sizes_that_overflow_are_refused(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(SIZE_MAX);
    (void)assay_arena_alloc(arena, 16);
    for (size_t below = 0; below < 64; below++) {
        assert_null(assay_arena_alloc(arena, SIZE_MAX - below));
        assert_null(assay_arena_strndup(arena, NULL, SIZE_MAX - below));
    }
    assert_null(assay_arena_array(arena, SIZE_MAX / 2, 3));
    assert_null(assay_arena_array(arena, (SIZE_MAX >> 1) + 1, 2));
    assert_non_null(assay_arena_array(arena, 0, SIZE_MAX));
    assay_arena_destroy(arena);
}

static void test_strings(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(4096);
    assert_string_equal(assay_arena_strndup(arena, "abcdef", 3), "abc");
    assert_string_equal(assay_arena_strdup(arena, "abcdef"), "abcdef");
    assert_string_equal(assay_arena_strndup(arena, NULL, 0), "");
    assert_string_equal(assay_arena_printf(arena, "%s-%d", "x", 42), "x-42");
    char *much = assay_arena_printf(arena, "%2000d", 7);
    assert_int_equal(strlen(much), 2000);
    assert_null(assay_arena_printf(arena, "%5000d", 7));
    assay_arena_destroy(arena);
}

static void test_reset_frees_everything_and_zeroes_again(void **state) {
    (void)state;
    static const char zero[40000];
    assay_arena_t *arena = assay_arena_create(1 << 20);
    assay_arena_reset(arena); /* nothing handed out yet */
    for (int round = 0; round < 3; round++) {
        char *first = assay_arena_alloc(arena, sizeof zero);
        char *second = assay_arena_alloc(arena, 900000);
        assert_memory_equal(first, zero, sizeof zero);
        assert_non_null(second);
        memset(first, 0xff, sizeof zero);
        memset(second, 0xff, 900000);
        assert_null(assay_arena_alloc(arena, 900000));
        assay_arena_reset(arena);
        assert_int_equal(assay_arena_used(arena), 0);
    }
    assay_arena_destroy(arena);
    assay_arena_destroy(NULL);
}

/* Whatever the sizes: what is handed out never overlaps, and sums to used. */
static void test_random_sizes_do_not_overlap(void **state) {
    (void)state;
    assay_arena_t *arena = assay_arena_create(4 << 20);
    struct {
        unsigned char *p;
        size_t n;
    } piece[2000];
    uint32_t x = 12345, n_piece = 0;
    size_t sum = 0;
    for (; n_piece < 2000; n_piece++) {
        x = x * 1664525u + 1013904223u;
        size_t n = (x >> 16) % (n_piece % 50 ? 200 : 60000);
        unsigned char *p = assay_arena_alloc(arena, n);
        if (!p) {
            break;
        }
        memset(p, (int)(n_piece & 0xff), n);
        sum += n ? (n + 15) / 16 * 16 : 16;
        assert_int_equal(assay_arena_used(arena), sum);
        piece[n_piece].p = p;
        piece[n_piece].n = n;
    }
    assert_true(n_piece > 100);
    for (uint32_t i = 0; i < n_piece; i++) {
        for (size_t k = 0; k < piece[i].n; k++) {
            assert_int_equal(piece[i].p[k], i & 0xff);
        }
    }
    assay_arena_destroy(arena);
}

static void test_overruns_hit_poison(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    assay_arena_t *arena = assay_arena_create(4096);
    char *a = assay_arena_alloc(arena, 32), *b = assay_arena_alloc(arena, 5);
    assert_false(__asan_address_is_poisoned(a + 31));
    assert_true(__asan_address_is_poisoned(a + 32));
    assert_false(__asan_address_is_poisoned(b + 4));
    assert_true(__asan_address_is_poisoned(b + 5));
    assay_arena_reset(arena);
    assert_true(__asan_address_is_poisoned(a));
    assay_arena_destroy(arena);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_is_zeroed_and_aligned),
        cmocka_unit_test(test_limit_is_hard_and_includes_padding),
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_reset_frees_everything_and_zeroes_again),
        cmocka_unit_test(test_random_sizes_do_not_overlap),
        cmocka_unit_test(test_overruns_hit_poison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
