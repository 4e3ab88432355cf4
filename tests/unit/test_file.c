#include "assay/text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay_test.h"

/* Each test works in a folder of its own, and leaves it by name. */
static char folder[64], path[128];

static int setup(void **state) {
    *state = assay_arena_create(1 << 20);
    (void)snprintf(folder, sizeof folder, "/tmp/assay_test_file_XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int teardown(void **state) {
    assay_arena_destroy(*state);
    (void)unlink(path);
    return rmdir(folder); /* fails when a temporary file was left */
}

static void put(const char *name, const char *data, size_t n) {
    FILE *file = fopen(name, "wbe");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void check_refused(assay_arena_t *arena, const char *name, size_t max, assay_status_t status,
                          const char *sentence) {
    assay_error_t err = {0};
    char *data = NULL;
    size_t n = 42;
    assert_int_equal(assay_file_read(arena, name, max, &data, &n, &err), status);
    assert_null(data);
    assert_int_equal(n, 42);
    assert_string_equal(err.file, name);
    assert_non_null(strstr(err.what, sentence));
    assert_true(err.next[0] != '\0');
}

static void test_reads_a_file_up_to_the_limit(void **state) {
    assay_error_t err;
    char *data;
    size_t n;
    put(path, "a\0b", 3);
    assert_int_equal(assay_file_read(*state, path, 3, &data, &n, &err), ASSAY_OK);
    assert_int_equal(n, 3);
    assert_memory_equal(data, "a\0b", 4); /* with a NUL after it */
    check_refused(*state, path, 2, ASSAY_LIMIT, "2 bytes");
    put(path, "", 0);
    assert_int_equal(assay_file_read(*state, path, 0, &data, &n, &err), ASSAY_OK);
    assert_int_equal(n, 0);
    assert_string_equal(data, "");
}

static void test_refuses_a_huge_file_by_its_size(void **state) {
    put(path, "", 0);
    assert_int_equal(truncate(path, (off_t)1 << 40), 0); /* a hole: nothing can have read it */
    check_refused(*state, path, 1 << 20, ASSAY_LIMIT, "1048576 bytes");
}

static void test_refuses_what_the_arena_cannot_hold(void **state) {
    (void)state;
    assay_arena_t *small = assay_arena_create(16);
    put(path, "0123456789abcdef", 16);
    check_refused(small, path, 100, ASSAY_LIMIT, "memory");
    assay_arena_destroy(small);
}

static void test_refuses_what_is_no_regular_file(void **state) {
    check_refused(*state, folder, 100, ASSAY_IO, "directory");
    check_refused(*state, "/dev/zero", 100, ASSAY_IO, "device");
    check_refused(*state, path, 100, ASSAY_IO, "No such file");
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(*state, path, 100, ASSAY_IO, "FIFO"); /* without hanging */
}

static void test_reads_standard_input(void **state) {
    const int saved = dup(STDIN_FILENO);
    int end[2];
    assert_int_equal(pipe2(end, O_CLOEXEC), 0);
    assert_int_equal(write(end[1], "from a pipe", 11), 11);
    assert_int_equal(close(end[1]), 0);
    assert_int_equal(dup2(end[0], STDIN_FILENO), STDIN_FILENO);
    assay_error_t err;
    char *data = NULL;
    size_t n = 0;
    assert_int_equal(assay_file_read(*state, "-", 11, &data, &n, &err), ASSAY_OK);
    assert_string_equal(data, "from a pipe");
    assert_int_equal(n, 11);
    assert_int_equal(close(end[0]), 0);

    put(path, "too much", 8);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(assay_file_read(*state, "-", 7, &data, &n, &err), ASSAY_LIMIT);
    assert_string_equal(err.file, "standard input");
    assert_int_equal(close(file), 0);

    const int directory = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    assert_int_equal(dup2(directory, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(assay_file_read(*state, "-", 7, &data, &n, &err), ASSAY_IO);
    assert_non_null(strstr(err.what, "cannot be read"));
    assert_int_equal(close(directory), 0);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(saved), 0);
}

static void check_content(void *arena, const char *name, const char *expected) {
    assay_error_t err;
    char *data;
    size_t n;
    assert_int_equal(assay_file_read(arena, name, 1 << 16, &data, &n, &err), ASSAY_OK);
    assert_int_equal(n, strlen(expected));
    assert_string_equal(data, expected);
}

static void test_writes_and_replaces(void **state) {
    assay_error_t err;
    const mode_t mask = umask(0027);
    assert_int_equal(assay_file_write(path, "first", 5, &err), ASSAY_OK);
    (void)umask(mask);
    check_content(*state, path, "first");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640); /* as the umask says */
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(assay_file_write(path, "", 0, &err), ASSAY_OK);
    check_content(*state, path, "");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0604); /* as it was */
}

static void test_a_link_stays_a_link(void **state) {
    assay_error_t err;
    char link_path[160];
    (void)snprintf(link_path, sizeof link_path, "%s/link", folder);
    put(path, "old", 3);
    assert_int_equal(symlink("file", link_path), 0);
    assert_int_equal(assay_file_write(link_path, "new", 3, &err), ASSAY_OK);
    check_content(*state, path, "new");
    struct stat st;
    assert_int_equal(lstat(link_path, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(unlink(link_path), 0);
}

static void test_a_failed_write_leaves_the_old_file_and_nothing_else(void **state) {
    put(path, "old", 3);
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const struct rlimit small = {1000, old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    static const char much[5000];
    assay_error_t err;
    const assay_status_t status = assay_file_write(path, much, sizeof much, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(status, ASSAY_IO);
    assert_non_null(strstr(err.what, "File too large"));
    check_content(*state, path, "old");
}

static void test_refuses_to_write_over_what_is_no_file(void **state) {
    (void)state;
    assay_error_t err;
    assert_int_equal(assay_file_write(folder, "x", 1, &err), ASSAY_IO);
    assert_int_equal(assay_file_write("/dev/null", "x", 1, &err), ASSAY_IO);
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(assay_file_write("/tmp/no/such/folder/file", "x", 1, &err), ASSAY_IO);
    assert_string_equal(err.file, "/tmp/no/such/folder/file");
    char long_path[5000];
    memset(long_path, 'a', sizeof long_path);
    long_path[sizeof long_path - 1] = '\0';
    assert_int_equal(assay_file_write(long_path, "x", 1, &err), ASSAY_IO);
}

#define FILE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST(test_reads_a_file_up_to_the_limit),
        FILE_TEST(test_refuses_a_huge_file_by_its_size),
        FILE_TEST(test_refuses_what_the_arena_cannot_hold),
        FILE_TEST(test_refuses_what_is_no_regular_file),
        FILE_TEST(test_reads_standard_input),
        FILE_TEST(test_writes_and_replaces),
        FILE_TEST(test_a_link_stays_a_link),
        FILE_TEST(test_a_failed_write_leaves_the_old_file_and_nothing_else),
        FILE_TEST(test_refuses_to_write_over_what_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
