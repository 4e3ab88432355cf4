/* Every rule of data/port_rules.csv is named in docs/port-features.md, has a snippet that it speaks
   on and one that it does not: tests/snippets/NAME.txt, in blocks of

       === yes RULE LINE[,LINE...] FILE [rocm=VERSION] [target=GFX]
       === no RULE FILE [rocm=VERSION] [target=GFX]

   and the text of FILE below, up to an empty line. "yes": the rule speaks on exactly these lines.
   "no": on none. Without the options a block is for ROCm 7.0 and gfx942. The blocks are in our own
   words; what is right was decided from the sources in the tables, not from the output. In
   tests/rules what is said at a line's end is found there, and nothing else that breaks. */
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port_source_fixture.h"

#define BLOCKS_MAX 512u
#define LINES_MAX 8u

typedef struct {
    const char *rule, *name, *source; /* name of its file; where the block stands */
    const char *text;
    size_t size;
    uint32_t line[LINES_MAX], n_line, source_line;
    uint32_t rocm;
    const char *target;
    bool yes;
} block_t;

typedef struct {
    assay_arena_t *arena;
    block_t block[BLOCKS_MAX];
    uint32_t n;
    char dir[64];
} snippets_t;

static const char *read_whole(assay_arena_t *arena, const char *path, size_t *out_size) {
    char *data = NULL;
    assay_error_t err = {0};
    if (assay_file_read(arena, path, 1 << 20, &data, out_size, &err) != ASSAY_OK) {
        print_error("%s: %s\n", path, err.what);
        fail();
    }
    return data;
}

static void read_lines(block_t *block, const char *list) {
    char *end;
    do {
        assert_true(block->n_line < LINES_MAX);
        block->line[block->n_line++] = (uint32_t)strtoul(list, &end, 10);
        list = end + 1;
    } while (*end == ',');
}

/* "=== yes RULE LINES FILE OPTION..." */
static void read_head(snippets_t *s, block_t *block, const char *line, size_t n) {
    char *save = NULL, *head = assay_arena_strndup(s->arena, line + 4, n - 4);
    assert_non_null(head);
    const char *answer = strtok_r(head, " ", &save);
    block->yes = answer && strcmp(answer, "yes") == 0;
    assert_true(block->yes || (answer && strcmp(answer, "no") == 0));
    block->rule = strtok_r(NULL, " ", &save);
    if (block->yes) {
        read_lines(block, strtok_r(NULL, " ", &save));
    }
    block->name = strtok_r(NULL, " ", &save);
    block->rocm = 700;
    block->target = "gfx942";
    for (const char *option; (option = strtok_r(NULL, " ", &save));) {
        if (strncmp(option, "rocm=", 5) == 0) {
            assert_true(assay_port_rocm_parse(option + 5, &block->rocm));
        } else {
            assert_int_equal(strncmp(option, "target=", 7), 0);
            block->target = option + 7;
        }
    }
    assert_non_null(block->name);
}

static void read_snippets(snippets_t *s, const char *path) {
    size_t size;
    const char *data = read_whole(s->arena, path, &size), *const end = data + size;
    block_t *block = NULL;
    uint32_t number = 1;
    for (const char *line = data; line < end; number++) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        const size_t n = (size_t)((feed ? feed : end) - line);
        if (n > 4 && memcmp(line, "=== ", 4) == 0) {
            assert_true(s->n < BLOCKS_MAX);
            block = &s->block[s->n++];
            *block = (block_t){.source = path, .source_line = number, .text = line + n + 1};
            read_head(s, block, line, n);
        } else if (n == 0) {
            block = NULL; /* what follows is for the reader */
        } else if (block) {
            block->size = (size_t)(line + n + (feed != NULL) - block->text);
        }
        line += n + 1;
    }
}

static const char *path_of(snippets_t *s, uint32_t i) {
    return assay_arena_printf(s->arena, "%s/%u/%s", s->dir, i, s->block[i].name);
}

static void write_block(snippets_t *s, uint32_t i) {
    assay_error_t err = {0};
    assert_int_equal(mkdir(assay_arena_printf(s->arena, "%s/%u", s->dir, i), 0700), 0);
    assert_int_equal(assay_file_write(path_of(s, i), s->block[i].text, s->block[i].size, &err),
                     ASSAY_OK);
}

static bool same_options(const block_t *a, const block_t *b) {
    return a->rocm == b->rocm && strcmp(a->target, b->target) == 0;
}

/* The lines on which the block's rule spoke, each once. */
static uint32_t spoken(const assay_port_scan_t *scan, uint32_t i, const block_t *block,
                       uint32_t line[LINES_MAX]) {
    char file[300];
    uint32_t n = 0;
    (void)snprintf(file, sizeof file, "%u/%s", i, block->name);
    for (uint32_t k = 0; k < scan->n_finding; k++) {
        const assay_port_finding_t *f = &scan->finding[k];
        if (strcmp(f->at.file, file) == 0 && strcmp(f->rule, block->rule) == 0 &&
            (n == 0 || line[n - 1] != f->at.line) && n < LINES_MAX) {
            line[n++] = f->at.line;
        }
    }
    return n;
}

static uint32_t check_block(const assay_port_scan_t *scan, uint32_t i, const block_t *block) {
    uint32_t line[LINES_MAX];
    const uint32_t n = spoken(scan, i, block, line);
    if (n == block->n_line && memcmp(line, block->line, n * sizeof *line) == 0) {
        return 0;
    }
    print_error("%s:%u: %s speaks", block->source, block->source_line, block->rule);
    for (uint32_t k = 0; k < n; k++) {
        print_error(" on line %u", line[k]);
    }
    print_error("%s\n", n ? "" : " nowhere");
    return 1;
}

/* One scan for all blocks of the same options: the tables are read once for each. */
static uint32_t check_group(snippets_t *s, uint32_t first, bool *done) {
    uint32_t wrong = 0;
    assay_port_scan_t *scan = NULL;
    assay_error_t err = {0};
    const assay_port_options_t options = {
        .rocm = s->block[first].rocm, .target = s->block[first].target, .threads = 1};
    if (assay_port_scan(s->arena, s->dir, &options, &scan, &err) != ASSAY_OK) {
        print_error("%s\n", err.what);
        fail();
    }
    for (uint32_t i = first; i < s->n; i++) {
        if (!done[i] && same_options(&s->block[first], &s->block[i])) {
            done[i] = true;
            wrong += check_block(scan, i, &s->block[i]);
        }
    }
    return wrong;
}

static void test_snippets(void **state) {
    snippets_t *s = *state;
    bool done[BLOCKS_MAX] = {false};
    uint32_t wrong = 0;
    (void)snprintf(s->dir, sizeof s->dir, "/tmp/assay-rules-XXXXXX");
    assert_non_null(mkdtemp(s->dir));
    for (uint32_t i = 0; i < s->n; i++) {
        write_block(s, i);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        wrong += done[i] ? 0 : check_group(s, i, done);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        (void)unlink(path_of(s, i));
        (void)rmdir(assay_arena_printf(s->arena, "%s/%u", s->dir, i));
    }
    (void)rmdir(s->dir);
    assert_int_equal(wrong, 0);
}

static bool has_block(const snippets_t *s, const char *rule, size_t n, bool yes) {
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->block[i].yes == yes && strlen(s->block[i].rule) == n &&
            memcmp(s->block[i].rule, rule, n) == 0) {
            return true;
        }
    }
    return false;
}

static void test_every_rule_has_both(void **state) {
    snippets_t *s = *state;
    size_t size;
    const char *doc = read_whole(s->arena, ASSAY_SOURCE_DIR "/docs/port-features.md", &size);
    const char *data = read_whole(s->arena, ASSAY_SOURCE_DIR "/data/port_rules.csv", &size);
    uint32_t n = 0, without = 0;
    for (const char *line = memchr(data, '\n', size); line && line[1]; n++) {
        const char *id = line + 1, *comma = strchr(id, ',');
        assert_non_null(comma);
        for (unsigned yes = 0; yes < 2; yes++) {
            if (!has_block(s, id, (size_t)(comma - id), yes)) {
                print_error("%.*s: no snippet that says %s\n", (int)(comma - id), id,
                            yes ? "yes" : "no");
                without++;
            }
        }
        if (!strstr(doc, assay_arena_printf(s->arena, "`%.*s`", (int)(comma - id), id))) {
            print_error("%.*s: docs/port-features.md does not name it\n", (int)(comma - id), id);
            without++;
        }
        line = strchr(id, '\n');
    }
    assert_true(n > 100);
    assert_int_equal(without, 0);
}

/* The rule's name behind "//! " on that line of the text; "" when there is none. */
static bool is_said(const char *data, uint32_t line, const char *rule) {
    while (--line > 0) {
        data = strchr(data, '\n') + 1;
    }
    const char *mark = strstr(data, "//! "), *feed = strchr(data, '\n');
    return mark && mark < feed && (size_t)(feed - mark - 4) == strlen(rule) &&
           memcmp(mark + 4, rule, strlen(rule)) == 0;
}

static void test_marked_files(void **state) {
    snippets_t *s = *state;
    assay_port_scan_t *scan = NULL;
    assay_error_t err = {0};
    const assay_port_options_t options = {.rocm = 604, .target = "gfx942", .threads = 1};
    assert_int_equal(
        assay_port_scan(s->arena, ASSAY_SOURCE_DIR "/tests/rules", &options, &scan, &err),
        ASSAY_OK);
    for (uint32_t i = 0; i < scan->n_file; i++) {
        size_t size;
        const char *path = scan->file[i].path;
        const char *data = read_whole(
            s->arena, assay_arena_printf(s->arena, ASSAY_SOURCE_DIR "/tests/rules/%s", path),
            &size);
        uint32_t marks = 0, found = 0, last = 0;
        for (const char *at = data; (at = strstr(at, "//! ")); at++) {
            marks++;
        }
        for (uint32_t k = 0; k < scan->n_finding; k++) {
            const assay_port_finding_t *f = &scan->finding[k];
            if (strcmp(f->at.file, path) != 0 || f->effect == ASSAY_EFFECT_NOTE) {
                continue;
            }
            if (!is_said(data, f->at.line, f->rule)) {
                print_error("%s:%u: %s is not said there\n", path, f->at.line, f->rule);
                fail();
            }
            found += f->at.line != last;
            last = f->at.line;
        }
        assert_int_equal(found, marks);
    }
}

static int setup(void **state) {
    snippets_t *s = calloc(1, sizeof *s);
    glob_t found;
    if (!s || glob(ASSAY_SOURCE_DIR "/tests/snippets/*.txt", 0, NULL, &found) != 0) {
        free(s);
        return -1;
    }
    s->arena = assay_arena_create((size_t)512 << 20);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_snippets(s, assay_arena_strdup(s->arena, found.gl_pathv[i]));
    }
    globfree(&found);
    *state = s;
    return 0;
}

static int teardown(void **state) {
    snippets_t *s = *state;
    assay_arena_destroy(s->arena);
    free(s);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule_has_both),
        cmocka_unit_test(test_snippets),
        cmocka_unit_test(test_marked_files),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
