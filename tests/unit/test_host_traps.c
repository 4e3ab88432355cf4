/* Every text of tests/hosts as people send it: with carriage returns, colours, another locale, cut,
   several in one file. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay/text.h"
#include "host_fixture.h"

/* --- what two hosts have in common ----------------------------------------------------------- */

static bool same_text(const char *a, const char *b) {
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* The first fact of the two that differs; NULL: none. Places are not compared. */
static const char *difference(const assay_host_t *a, const assay_host_t *b) {
#define NUMBER(field, what)                                             \
    if (a->field.state != b->field.state || a->field.v != b->field.v) { \
        return #field;                                                  \
    }
#define TEXT(field, what)                                                         \
    if (a->field.state != b->field.state || !same_text(a->field.s, b->field.s)) { \
        return #field;                                                            \
    }
    ASSAY_HOST_NUMBER_LIST(NUMBER)
    ASSAY_HOST_TEXT_LIST(TEXT)
#undef NUMBER
#undef TEXT
#define COUNT(type, field)              \
    if (a->n_##field != b->n_##field) { \
        return "n_" #field;             \
    }
    ASSAY_HOST_ITEM_LIST(COUNT)
#undef COUNT
    for (uint32_t i = 0; i < a->n_gpu; i++) {
        const assay_host_gpu_t *x = &a->gpu[i], *y = &b->gpu[i];
#define NUMBER(field, what)                                             \
    if (x->field.state != y->field.state || x->field.v != y->field.v) { \
        return "gpu." #field;                                           \
    }
#define TEXT(field, what)                                                         \
    if (x->field.state != y->field.state || !same_text(x->field.s, y->field.s)) { \
        return "gpu." #field;                                                     \
    }
        ASSAY_HOST_GPU_NUMBER_LIST(NUMBER)
        ASSAY_HOST_GPU_TEXT_LIST(TEXT)
#undef NUMBER
#undef TEXT
    }
    for (uint32_t i = 0; i < a->n_event; i++) {
        if (strcmp(a->event[i].event, b->event[i].event) != 0 ||
            a->event[i].count != b->event[i].count) {
            return "event";
        }
    }
    return NULL;
}

/* --- the same text in other clothes ---------------------------------------------------------- */

typedef struct {
    const char *name;
    const char *before, *after; /* of each line */
    const char *front;          /* of the text */
} dress_t;

static const dress_t dress[] = {
    {"carriage returns", "", "\r", ""},
    {"colours", "\x1b[1;32m", "\x1b[0m", ""},
    {"colours and carriage returns", "\x1b[38;5;196m", "\x1b[0m\x1b[K\r", ""},
    {"byte-order mark", "", "", "\xef\xbb\xbf"},
};

static char *wear(const dress_t *d, const char *text, size_t n, size_t *out_n) {
    assay_buf_t buf;
    assay_buf_init(&buf, (size_t)64 << 20);
    assay_buf_add(&buf, d->front, strlen(d->front));
    for (size_t i = 0; i < n;) {
        const char *end = memchr(text + i, '\n', n - i);
        const size_t length = end ? (size_t)(end - text) - i : n - i;
        if (length > 0) {
            assay_buf_add(&buf, d->before, strlen(d->before));
            assay_buf_add(&buf, text + i, length);
        }
        assay_buf_add(&buf, d->after, strlen(d->after));
        if (end) {
            assay_buf_add(&buf, "\n", 1);
        }
        i += length + 1;
    }
    assert_false(buf.failed);
    char *copy = malloc(buf.n + 1);
    assert_non_null(copy);
    memcpy(copy, buf.data, buf.n);
    *out_n = buf.n;
    assay_buf_done(&buf);
    return copy;
}

static assay_host_t *read_one(assay_arena_t *arena, const assay_host_rules_t *rules,
                              const char *name, const char *data, size_t n) {
    const assay_host_file_t file = {name, data, n};
    assay_host_t *host = NULL;
    assert_int_equal(assay_host_read_files(arena, rules, "test", &file, 1, &host, NULL), ASSAY_OK);
    return host;
}

static uint32_t n_file;

static void try_file(const host_fixture_t *fixture, const char *path, const char *name) {
    assay_arena_t *arena = assay_arena_create((size_t)512 << 20);
    char *data;
    size_t n;
    assert_non_null(arena);
    assert_int_equal(assay_file_read(arena, path, (size_t)8 << 20, &data, &n, NULL), ASSAY_OK);
    const assay_host_t *plain = read_one(arena, fixture->rules, name, data, n);
    for (size_t i = 0; i < sizeof dress / sizeof dress[0]; i++) {
        size_t n_worn;
        char *worn = wear(&dress[i], data, n, &n_worn);
        const assay_host_t *host = read_one(arena, fixture->rules, name, worn, n_worn);
        const char *what = difference(plain, host);
        if (what) {
            print_error("%s with %s: %s differs\n", path, dress[i].name, what);
            fail();
        }
        free(worn);
    }
    for (size_t part = 1; part < 8; part++) { /* cut: no harm */
        (void)read_one(arena, fixture->rules, name, data, n * part / 8);
    }
    assay_arena_destroy(arena);
    n_file++;
}

static void test_every_capture(void **state) {
    static const char folder[] = ASSAY_SOURCE_DIR "/tests/hosts";
    DIR *hosts = opendir(folder);
    assert_non_null(hosts);
    for (struct dirent *host; (host = readdir(hosts));) {
        char path[600];
        if (host->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s/capture", folder, host->d_name);
        DIR *capture = opendir(path);
        for (struct dirent *file; capture && (file = readdir(capture));) {
            char full[1200];
            snprintf(full, sizeof full, "%s/%s", path, file->d_name);
            /* colours or carriage returns are in those already */
            if (file->d_name[0] != '.' && strcmp(host->d_name, "mutated-ansi") != 0) {
                try_file(*state, full, file->d_name);
            }
        }
        if (capture) {
            assert_int_equal(closedir(capture), 0);
        }
    }
    assert_int_equal(closedir(hosts), 0);
    assert_true(n_file > 100);
}

/* --- another locale -------------------------------------------------------------------------- */

static void test_german(void **state) {
    const assay_host_t *host = HOST(
        state, "df.txt",
        "Dateisystem    Gr\xc3\xb6\xc3\x9f"
        "e Benutzt Verf. Verw% Eingeh\xc3\xa4ngt auf\n"
        "shm             1,5G       0  1,5G    0% /dev/shm\n",
        "id.txt", "uid=1000(u) gid=1000(u) Gruppen=1000(u),44(video),109(render)\n", "ls-dev.txt",
        "ls: Zugriff auf '/dev/kfd' nicht m\xc3\xb6glich: Datei oder Verzeichnis nicht gefunden\n");
    assay_test_close(host->shm_bytes.v, 1.5 * 1073741824.0, 1e-12, 0, "shm");
    assert_int_equal(host->n_group, 3);
    assert_string_equal(host->group[2].name, "render");
    assert_int_equal(host->n_node, 1);
    assert_true(host->node[0].missing);
    assert_string_equal(host->node[0].path, "/dev/kfd");
}

/* --- several in one file --------------------------------------------------------------------- */

static void test_a_whole_session(void **state) {
    const assay_host_t *host =
        HOST(state, "session.log",
             "user@node:~$ lscpu\r\nArchitecture: x86_64\r\nCPU(s): 192\r\nSocket(s): 2\r\n"
             "Model name: AMD EPYC 9654\r\nuser@node:~$ numactl -H\r\navailable: 1 nodes (0)\r\n"
             "node 0 cpus: 0 1\r\nnode distances:\r\nuser@node:~$ sudo dmesg\r\n"
             "[    1.0] NVRM: GPU at PCI:0000:9b:00 has fallen off the bus.\r\n"
             "user@node:~$ cat /proc/meminfo\r\nMemTotal: 10 kB\r\nMemFree: 5 kB\r\n");
    assay_test_close(host->threads.v, 192, 0, 0, "threads");
    assert_int_equal(host->n_numa, 1);
    assert_int_equal(host->n_event, 1);
    assay_test_close(host->ram_bytes.v, 10240, 0, 0, "memory");
    assert_int_equal(host->ram_bytes.at.line, 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_capture),
                                       cmocka_unit_test(test_german),
                                       cmocka_unit_test(test_a_whole_session)};
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
