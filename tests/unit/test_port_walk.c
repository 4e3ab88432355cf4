/* Walking folders, archives and git revisions. Archives are made by tar, zip and git where those
   programs are installed; what they give is then compared with the folder itself. */
#include "port/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay_test.h"

typedef struct {
    assay_buf_t seen;
    uint32_t n;
} record_t;

static assay_status_t record(void *ctx, const port_entry_t *entry) {
    record_t *r = ctx;
    assay_buf_printf(&r->seen, "%s", entry->path);
    if (entry->skipped) {
        assay_buf_printf(&r->seen, " (%s)", entry->skipped);
    } else {
        assay_buf_printf(&r->seen, " %s %zu",
                         assay_port_language_name((assay_port_language_t)entry->language),
                         entry->size);
    }
    assay_buf_puts(&r->seen, "\n");
    r->n++;
    return ASSAY_OK;
}

static char root[] = "/tmp/assay_walk_XXXXXX";
static char path_of_root[256];

static const char *at(const char *relative) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", path_of_root, relative);
    return path;
}

static void put_bytes(const char *relative, const char *data, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s", at(relative));
    for (char *slash = path + strlen(path_of_root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void put(const char *relative, const char *text) {
    put_bytes(relative, text, strlen(text));
}

/* Runs a program in the root; false when it is not installed. */
static bool run(char *const argv[]) {
    const pid_t pid = fork();
    if (pid == 0) {
        const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (chdir(path_of_root) != 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) {
            _exit(126);
        }
        execvp(argv[0], argv);
        _exit(127);
    }
    int result = 0;
    assert_int_equal(waitpid(pid, &result, 0), pid);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result) == 0;
}
#define RUN(...) run((char *[]){__VA_ARGS__, NULL})

static assay_status_t walk(const char *path, record_t *r, assay_error_t *err) {
    assay_arena_t *arena = assay_arena_create(16 << 20);
    const assay_port_options_t options = {.max_file_bytes = 1 << 20};
    assay_buf_init(&r->seen, 1 << 20);
    r->n = 0;
    const assay_status_t status = port_walk(arena, path, &options, record, r, err);
    assay_arena_destroy(arena);
    return status;
}

static void expect(const char *path, const char *expected) {
    record_t r;
    assay_error_t err = {0};
    const assay_status_t status = walk(path, &r, &err);
    if (status != ASSAY_OK) {
        fail_msg("%s: %s", path, err.what);
    }
    assert_string_equal(r.n ? r.seen.data : "", expected);
    assay_buf_done(&r.seen);
}

static void refuse(const char *path, assay_status_t expected, const char *word) {
    record_t r;
    assay_error_t err = {0};
    assert_int_equal(walk(path, &r, &err), expected);
    assert_int_equal(err.status, expected);
    assert_non_null(strstr(err.what, word));
    assert_true(err.next[0] != 0);
    assay_buf_done(&r.seen);
}

static int make_root(void **state) {
    (void)state;
    memcpy(path_of_root, root, sizeof root);
    return mkdtemp(path_of_root) ? 0 : -1;
}

static int remove_root(void **state) {
    (void)state;
    const pid_t pid = fork();
    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", path_of_root, (char *)NULL);
        _exit(127);
    }
    int result = 0;
    return waitpid(pid, &result, 0) == pid && result == 0 ? 0 : -1;
}

static void files_come_in_byte_order_of_their_paths(void **state) {
    (void)state;
    put("a/b.cu", "x\n"); /* '.' < '/': a.py comes first */
    put("a.py", "import torch\n");
    put("a0.sh", "#!/bin/sh\n");
    put("B.c", "");
    expect(path_of_root, "B.c c 0\na.py python 13\na/b.cu cuda 2\na0.sh shell 10\n");
}

static void unreadable_kinds_are_named_and_links_not_followed(void **state) {
    (void)state;
    put_bytes("bin.cu", "a\0b", 3);
    put("photo.png", "x");
    put("latin.cu", "// caf\xe9\n");
    put("sub/k.cu", "k");
    assert_int_equal(symlink("..", at("sub/up")), 0);
    assert_int_equal(symlink("/etc/passwd", at("passwd.sh")), 0);
    assert_int_equal(symlink("latin.cu", at("link.cu")), 0);
    assert_int_equal(mkfifo(at("pipe.cu"), 0666), 0);
    put("bad\xff.cu", "x");
    char *large = calloc(1, (1 << 20) + 1);
    memset(large, ' ', (1 << 20) + 1);
    put_bytes("large.cu", large, (1 << 20) + 1);
    put_bytes("limit.cu", large, 1 << 20);
    free(large);
    expect(path_of_root, "bad?.cu (name is not printable UTF-8)\n"
                         "bin.cu (binary)\n"
                         "large.cu (larger than the limit for one file)\n"
                         "latin.cu cuda 8\n"
                         "limit.cu cuda 1048576\n"
                         "photo.png (not a kind of file that is scanned)\n"
                         "sub/k.cu cuda 1\n");
}

static void gitignore_is_honoured(void **state) {
    (void)state;
    put(".gitignore", "build/\n*.gen.cu\n!keep.gen.cu\n/top.cu\nlog\n");
    put("build/x.cu", "");
    put("src/build/x.cu", "");
    put("src/a.gen.cu", "");
    put("src/keep.gen.cu", "");
    put("top.cu", "");
    put("src/top.cu", "");
    put("src/.gitignore", "top.cu\n!*.gen.cu\n/inner/**\n");
    put("src/deep/top.cu", "");
    put("src/inner/y.cu", "");
    put("src/deep/inner/y.cu", "");
    put(".git/config.sh", "");
    put("log", "#!/bin/sh\n");
    expect(path_of_root, ".gitignore (not a kind of file that is scanned)\n"
                         "src/.gitignore (not a kind of file that is scanned)\n"
                         "src/a.gen.cu cuda 0\n"
                         "src/deep/inner/y.cu cuda 0\n"
                         "src/keep.gen.cu cuda 0\n");
}

/* Expected values: the rules and examples of gitignore(5). */
static void patterns_match_as_documented(void **state) {
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool match;
    } row[] = {
        {"foo", "foo", true},
        {"foo", "food", false},
        {"*.c", "a.c", true},
        {"*.c", "d/a.c", false},
        {"a/*", "a/b", true},
        {"a/*", "a/b/c", false},
        {"**/foo", "foo", true},
        {"**/foo", "a/b/foo", true},
        {"**/foo/bar", "a/foo/bar", true},
        {"**/foo/bar", "a/foo/x/bar", false},
        {"abc/**", "abc/x/y", true},
        {"abc/**", "abc", false},
        {"a/**/b", "a/b", true},
        {"a/**/b", "a/x/y/b", true},
        {"a/**/b", "a/xb", false},
        {"a/**/*.cu", "a/x/k.cu", true},
        {"a**b", "axxb", true},
        {"a**b", "ax/xb", false},
        {"?.c", "a.c", true},
        {"a?c", "a/c", false},
        {"[a-c]x", "bx", true},
        {"[!a-c]x", "bx", false},
        {"[!a-c]x", "dx", true},
        {"[]]x", "]x", true},
        {"[a", "[a", true},
        {"\\*x", "*x", true},
        {"\\*x", "ax", false},
        {"*a*b*c*d*e*f*g*h", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
        {"**/a/**/a/**/a/b", "a/a/a/a/a/a/a/a/a/a/a/a/a/a/c", false},
        {"**/a*/**/c", "x/ab/y/z/c", true},
        {"", "", true},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (walk_match(row[i].pattern, strlen(row[i].pattern), row[i].text) != row[i].match) {
            fail_msg("%s against %s", row[i].pattern, row[i].text);
        }
    }
}

static void spaces_and_escapes_of_a_line(void **state) {
    (void)state;
    put(".gitignore", "one.cu  \r\n\\#two.cu\n\\!three.cu\n#four.cu\nfive\\ \n\n!\n/\n");
    put("one.cu", "");
    put("#two.cu", "");
    put("!three.cu", "");
    put("four.cu", "");
    expect(path_of_root, ".gitignore (not a kind of file that is scanned)\nfour.cu cuda 0\n");
}

static const char tree[] = "d/a.py python 1\nd/b.cu cuda 2\n";

static void put_tree(void) {
    put("d/b.cu", "bb");
    put("d/a.py", "a");
}

static void archives_give_what_the_folder_gives(void **state) {
    (void)state;
    put_tree();
    static char *const made[][2] = {{"cf", "t.tar"},
                                    {"czf", "t.tar.gz"},
                                    {"cJf", "t.tar.xz"},
                                    {"cjf", "t.tar.bz2"},
                                    {"c --zstd -f", "t.tar.zst"}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        const bool zstd = strstr(made[i][0], "zstd") != NULL;
        if (zstd ? RUN("tar", "--zstd", "-cf", made[i][1], "d")
                 : RUN("tar", made[i][0], made[i][1], "d")) {
            expect(at(made[i][1]), tree);
        }
    }
    if (RUN("python3", "-c",
            "import zipfile as z; f = z.ZipFile('t.zip', 'w', z.ZIP_DEFLATED); "
            "f.write('d/b.cu'); f.write('d/a.py')")) {
        expect(at("t.zip"), tree);
    }
}

static void hostile_archives_do_no_harm(void **state) {
    (void)state;
    if (!RUN("python3", "-c",
             "import tarfile as t, io\n"
             "f = t.open('evil.tar', 'w')\n"
             "def add(name, data=b'x', **k):\n"
             "    i = t.TarInfo(name); i.size = len(data)\n"
             "    for a, b in k.items(): setattr(i, a, b)\n"
             "    f.addfile(i, io.BytesIO(data))\n"
             "add('../up.cu'); add('/abs.cu'); add('a/../../b.cu'); add('ok.cu')\n"
             "add('ok.cu', b'newer'); add('./dot.cu'); add('nul.cu', b'a\\0b')\n"
             "add('ln.cu', b'', type=t.SYMTYPE, linkname='/etc/passwd')\n"
             "add('hard.cu', b'', type=t.LNKTYPE, linkname='ok.cu')\n"
             "add('big.cu', b' ' * 1048577)\n"
             "f.close()\n"
             "import gzip\n"
             "i = t.TarInfo('zero.cu'); i.size = 1 << 40\n"
             "open('claim.tar', 'wb').write(i.tobuf(t.GNU_FORMAT) + bytes(1024))\n"
             "g = gzip.open('bomb.tar.gz', 'wb', 1)\n"
             "i.size = 300 << 20; i.name = 'zero.bin'\n"
             "g.write(i.tobuf(t.GNU_FORMAT))\n"
             "for _ in range(300): g.write(bytes(1 << 20))\n"
             "g.write(bytes(1024)); g.close()\n"
             "open('cut.tar.gz', 'wb').write(gzip.compress(open('evil.tar', 'rb').read())[:300])\n"
             "open('text.zip', 'w').write('not an archive\\n')\n")) {
        skip();
    }
    expect(at("evil.tar"), "../up.cu (path leaves the archive)\n"
                           "/abs.cu (path leaves the archive)\n"
                           "a/../../b.cu (path leaves the archive)\n"
                           "big.cu (larger than the limit for one file)\n"
                           "dot.cu cuda 1\n"
                           "nul.cu (binary)\n"
                           "ok.cu cuda 5\n");
    refuse(at("claim.tar"), ASSAY_LIMIT, "unpacks to far more");
    refuse(at("bomb.tar.gz"), ASSAY_LIMIT, "unpacks to far more");
    refuse(at("cut.tar.gz"), ASSAY_INPUT, "archive");
    refuse(at("text.zip"), ASSAY_INPUT, "archive");
}

static void revisions_are_read_through_git(void **state) {
    (void)state;
    put_tree();
    if (!RUN("git", "init", "-q", ".") ||
        !RUN("git", "-c", "user.name=n", "-c", "user.email=e@example.org", "add", "d") ||
        !RUN("git", "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm",
             "one") ||
        !RUN("git", "tag", "v1@x")) {
        skip();
    }
    put("d/c.cu", "later, and not committed");
    char path[300];
    snprintf(path, sizeof path, "%s@HEAD", path_of_root);
    expect(path, tree);
    snprintf(path, sizeof path, "%s@v1@x", path_of_root);
    expect(path, tree);
    snprintf(path, sizeof path, "%s/d@HEAD", path_of_root);
    expect(path, "a.py python 1\nb.cu cuda 2\n");
    if (RUN("sh", "-c",
            "h=$(git rev-parse HEAD:d/b.cu) && rm -f .git/objects/${h%${h#??}}/${h#??}")) {
        snprintf(path, sizeof path, "%s@HEAD", path_of_root);
        expect(path, "d/a.py python 1\nd/b.cu (not in this copy of the repository)\n");
    }
    snprintf(path, sizeof path, "%s@nowhere", path_of_root);
    refuse(path, ASSAY_INPUT, "no revision");
    snprintf(path, sizeof path, "%s@--help", path_of_root);
    refuse(path, ASSAY_INPUT, "is no revision");
}

static void a_single_file_and_what_is_not_there(void **state) {
    (void)state;
    put("one.cu", "k");
    char expected[400];
    snprintf(expected, sizeof expected, "%s cuda 1\n", at("one.cu"));
    expect(at("one.cu"), expected);
    refuse(at("absent"), ASSAY_IO, "cannot be opened");
    refuse("/dev/null", ASSAY_IO, "neither a folder nor a file");
}

static bool always(void *ctx) {
    (void)ctx;
    return true;
}

static void stops_when_asked(void **state) {
    (void)state;
    put("one.cu", "k");
    assay_arena_t *arena = assay_arena_create(1 << 20);
    const assay_hooks_t hooks = {.cancelled = always};
    const assay_port_options_t options = {.hooks = &hooks};
    record_t r = {0};
    assay_buf_init(&r.seen, 1 << 10);
    assay_error_t err;
    assert_int_equal(port_walk(arena, path_of_root, &options, record, &r, &err), ASSAY_CANCELLED);
    assert_int_equal(r.n, 0);
    assay_buf_done(&r.seen);
    assay_arena_destroy(arena);
}

static void languages_by_name_and_content(void **state) {
    (void)state;
    static const struct {
        const char *path, *text, *language;
    } row[] = {
        {"a/K.CU", "", "cuda"},
        {"a.hip", "", "cuda"},
        {"a.h", "int x;", "c"},
        {"a.h", "__device__ int x;", "cuda"},
        {"a.cpp", "__global__ void k();", "cuda"},
        {"a.inl", "", "c++"},
        {"x.ptx", "", "ptx"},
        {"setup.py", "", "python"},
        {"run", "#!/usr/bin/env python3\n", "python"},
        {"run", "#!/bin/bash\n#SBATCH -N 1\n", "slurm"},
        {"run.sh", "echo\n", "shell"},
        {"run.sh", "#!/bin/sh\n#SBATCH --gres=gpu:1\n", "slurm"},
        {"train.sbatch", "", "slurm"},
        {"train.job", "#!/bin/csh\n#SBATCH -N 1\n", "slurm"},
        {"Dockerfile", "", "dockerfile"},
        {"docker/Dockerfile.gpu", "", "dockerfile"},
        {"gpu.Dockerfile", "", "dockerfile"},
        {"requirements-dev.txt", "", "requirements"},
        {"requirements/gpu.txt", "", "requirements"},
        {"environment.yml", "dependencies:\n  - pytorch\n", "conda"},
        {"environment.yml", "production:\n", "other"},
        {"pyproject.toml", "", "pyproject"},
        {"setup.cfg", "", "pyproject"},
        {"CMakeLists.txt", "", "cmake"},
        {"cmake/FindX.cmake", "", "cmake"},
        {"Makefile", "", "make"},
        {"common.mk", "", "make"},
        {"build_flags.txt", "", "make"},
        {"n.ipynb", "", "notebook"},
        {"README.md", "#!/bin/sh", "other"},
        {"LICENSE", "words", "other"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *found =
            assay_port_language_name(port_language(row[i].path, row[i].text, strlen(row[i].text)));
        if (strcmp(found, row[i].language) != 0) {
            fail_msg("%s: %s, expected %s", row[i].path, found, row[i].language);
        }
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)
    const struct CMUnitTest tests[] = {
        TEST(files_come_in_byte_order_of_their_paths),
        TEST(unreadable_kinds_are_named_and_links_not_followed),
        TEST(gitignore_is_honoured),
        cmocka_unit_test(patterns_match_as_documented),
        TEST(spaces_and_escapes_of_a_line),
        TEST(archives_give_what_the_folder_gives),
        TEST(hostile_archives_do_no_harm),
        TEST(revisions_are_read_through_git),
        TEST(a_single_file_and_what_is_not_there),
        TEST(stops_when_asked),
        cmocka_unit_test(languages_by_name_and_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
