/* Writing and reading back; what hostile archives do is in test_port_walk.c. */
#include "assay/archive.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/text.h"
#include "assay_test.h"

typedef struct {
    char text[256]; /* "path=data;" */
    bool full;
} seen_t;

static assay_status_t look(void *ctx, const assay_archive_member_t *member, bool *out_want) {
    seen_t *seen = ctx;
    const size_t n = strlen(seen->text);
    *out_want = strcmp(member->path, "skip") != 0;
    if (*out_want) {
        (void)snprintf(seen->text + n, sizeof seen->text - n, "%s=", member->path);
    }
    return ASSAY_OK;
}

static assay_status_t take(void *ctx, char *data, size_t size) {
    seen_t *seen = ctx;
    const size_t n = strlen(seen->text);
    (void)snprintf(seen->text + n, sizeof seen->text - n, "%.*s;", data ? (int)size : 1,
                   data ? data : "!");
    free(data);
    return ASSAY_OK;
}

static const char *read_back(const char *path, size_t max_file_bytes) {
    static seen_t seen;
    assay_error_t err = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    seen = (seen_t){0};
    assert_true(fd >= 0);
    const assay_archive_visitor_t visitor = {
        .ctx = &seen, .max_file_bytes = max_file_bytes, .look = look, .take = take};
    if (assay_archive_read(fd, path, &visitor, &err)) {
        fail_msg("%s: %s", path, err.what);
    }
    (void)close(fd);
    return seen.text;
}

static void test_what_is_written_is_read(void **state) {
    char folder[] = "/tmp/assay-archive-XXXXXX", path[64], again[64];
    static const assay_archive_file_t file[] = {
        {"a", "one", 3}, {"b/c", "two two", 7}, {"empty", "", 0}, {"skip", "x", 1}};
    static const char *const suffix[] = {"tar", "tar.zst"};
    assay_arena_t *arena = assay_arena_create(1 << 20);
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < 2; i++) {
        assay_error_t err = {0};
        char *first, *second;
        size_t n_first, n_second;
        (void)snprintf(path, sizeof path, "%s/x.%s", folder, suffix[i]);
        (void)snprintf(again, sizeof again, "%s/y.%s", folder, suffix[i]);
        if (assay_archive_write(path, file, 4, &err) == ASSAY_UNAVAILABLE) {
            (void)rmdir(folder);
            assay_arena_destroy(arena);
            skip();
        }
        assert_int_equal(assay_archive_write(again, file, 4, &err), ASSAY_OK);
        assert_string_equal(read_back(path, 1000), "a=one;b/c=two two;empty=;");
        assert_string_equal(read_back(path, 5), "a=one;b/c=!;empty=;");
        assert_int_equal(assay_file_read(arena, path, 1 << 16, &first, &n_first, &err), ASSAY_OK);
        assert_int_equal(assay_file_read(arena, again, 1 << 16, &second, &n_second, &err),
                         ASSAY_OK);
        assert_int_equal(n_first, n_second); /* the same files, the same bytes */
        assert_memory_equal(first, second, n_first);
        (void)unlink(path);
        (void)unlink(again);
    }
    (void)rmdir(folder);
    assay_arena_destroy(arena);
}

static void test_names(void **state) {
    (void)state;
    assert_true(assay_archive_is_named("host.tar.zst"));
    assert_true(assay_archive_is_named("A.ZIP"));
    assert_false(assay_archive_is_named(".zip"));
    assert_false(assay_archive_is_named("host.zst"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
