#include "assay_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "assay/node.h"

#define ARENA_BYTES ((size_t)64 << 20)

static int set_up(void **state) {
    *state = assay_arena_create(ARENA_BYTES);
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_status_t parse(void **state, const char *text, size_t n, assay_node_t **out,
                            assay_error_t *err) {
    /* Exactly n bytes, so that a sanitizer sees a read beyond the end. */
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    const assay_status_t status = assay_node_parse(*state, "job.yaml", copy, n, out, err);
    free(copy);
    return status;
}

static assay_node_t *parse_ok(void **state, const char *text) {
    assay_node_t *root = NULL;
    assay_error_t err = {0};
    if (parse(state, text, strlen(text), &root, &err) != ASSAY_OK) {
        char line[1024];
        fail_msg("%s: %s", text, assay_error_line(&err, line, sizeof line));
    }
    return root;
}

static void assert_place(assay_place_t at, uint32_t line, uint32_t column) {
    assert_string_equal(at.file, "job.yaml");
    assert_int_equal(at.line, line);
    assert_int_equal(at.column, column);
}

static void tree_keeps_texts_and_places(void **state) {
    const assay_node_t *root = parse_ok(state, "# note\n"
                                               "name: a b\n"
                                               "list:\n"
                                               "  - {x: 1, y: '2'}\n"
                                               "  - z\n");
    assert_int_equal(root->kind, ASSAY_NODE_MAPPING);
    assert_int_equal(root->n, 2);
    assert_place(root->at, 2, 1);

    const assay_node_t *name = assay_node_find(root, "name");
    assert_string_equal(name->text, "a b");
    assert_int_equal(name->n_text, 3);
    assert_false(name->quoted);
    assert_place(name->key_at, 2, 1);
    assert_place(name->at, 2, 7);

    const assay_node_t *list = assay_node_find(root, "list");
    assert_int_equal(list->kind, ASSAY_NODE_SEQUENCE);
    assert_int_equal(list->n, 2);
    const assay_node_t *y = assay_node_find(list->child, "y");
    assert_true(y->quoted);
    assert_string_equal(y->text, "2");
    assert_place(y->key_at, 4, 12);
    assert_place(y->at, 4, 15);
    assert_string_equal(list->last->text, "z");
    assert_null(list->last->key);
    assert_place(list->last->at, 5, 5);

    assert_null(assay_node_find(root, "nam"));
    assert_null(assay_node_find(list, "x"));
}

/* "ä" is two bytes and one code point. */
static void columns_count_bytes(void **state) {
    const assay_node_t *root = parse_ok(state, "{ä: 1, b: 2}");
    assert_place(assay_node_find(root, "b")->at, 1, 12);
}

static void json_is_read(void **state) {
    const assay_node_t *root = parse_ok(
        state, "{\n\t\"a\": {\"b\":1.4e12,\"c\":true},\n\t\"d\": [\"x\\/y\", \"\\u00e9\"]\n}\n");
    const assay_node_t *a = assay_node_find(root, "a");
    assert_string_equal(assay_node_find(a, "b")->text, "1.4e12");
    assert_false(assay_node_find(a, "c")->quoted);
    const assay_node_t *d = assay_node_find(root, "d");
    assert_string_equal(d->child->text, "x/y");
    assert_string_equal(d->last->text, "é");
    assert_place(d->at, 3, 7);
}

static void empty_value_is_an_empty_plain_scalar(void **state) {
    const assay_node_t *a = assay_node_find(parse_ok(state, "a:\nb: 1\n"), "a");
    assert_int_equal(a->kind, ASSAY_NODE_SCALAR);
    assert_false(a->quoted);
    assert_int_equal(a->n_text, 0);
    assert_place(a->at, 1, 3);
}

typedef struct {
    const char *text;
    size_t n; /* 0: strlen */
    uint32_t line, column;
    const char *what, *next; /* parts of the messages */
} bad_t;

static const bad_t bad_documents[] = {
    /* what editors leave behind */
    {"\xef\xbb\xbf"
     "a: 1\n",
     0, 1, 1, "byte-order mark", "without byte-order mark"},
    {"\xff\xfe"
     "a\0",
     4, 1, 1, "UTF-16", "save it as UTF-8"},
    {"a: 1\r\nb: 2\r\n", 0, 1, 5, "CRLF", "save the file with LF line ends"},
    {"a: 1\nb: \xe9t\xe9\n", 0, 2, 4, "0xE9 is not UTF-8", "save the file as UTF-8"},
    {"a: 1\0b: 2", 9, 1, 5, "control character U+0000", "remove it"},
    {"a: \x1b[31m\n", 0, 1, 4, "control character U+001B", "remove it"},
    {"a: b\xc2\x80\n", 0, 1, 5, "control character U+0080", "remove it"},
    {"a: \"\\0\"\n", 0, 1, 4, "NUL", "remove it"},
    {"a: b\xe2\x80\xa8"
     "c: d\n",
     0, 1, 5, "U+2028", "LF line ends"},
    {"a: b\xc2\x85\n", 0, 1, 5, "U+0085", "LF line ends"},
    /* tabs that indent */
    {"a:\n\tb: 1\n", 0, 2, 1, "a tab indents this line", "indent with spaces"},
    {"a: 1\n\tb: 1\n", 0, 2, 1, "a tab indents this line", "indent with spaces"},
    {"a: 1\n    \tb: 1\n", 0, 2, 5, "a tab indents this line", "indent with spaces"},
    {"a: |\n\tx\n", 0, 2, 1, "a tab indents this line", "indent with spaces"},
    /* nothing */
    {"", 0, 1, 1, "empty", "key: value"},
    {"# only a note\n", 0, 1, 1, "empty", "key: value"},
    {"---\n", 0, 1, 1, "empty", "key: value"},
    /* what is YAML, but not here */
    {"a: &x 1\nb: *x\n", 0, 1, 4, "anchors (&) and aliases (*)", "write the value out"},
    {"a: *x\n", 0, 1, 4, "anchors (&) and aliases (*)", "write the value out"},
    {"- &x [1]\n", 0, 1, 3, "anchors (&) and aliases (*)", "write the value out"},
    {"a: !!int 1\n", 0, 1, 4, "tags (!)", "remove the tag"},
    {"a: !x {b: 1}\n", 0, 1, 4, "tags (!)", "remove the tag"},
    {"a: !x!y 1\n", 0, 1, 4, "tags (!)", "remove the tag"},
    {"%TAG ! tag:x,2000:\n---\na: 1\n", 0, 1, 1, "tags are not supported", "remove the %TAG line"},
    {"a: 1\n...\n%TAG !x! y\n---\nb: 1\n", 0, 3, 1, "tags are not supported", "%TAG line"},
    {"a: 1\n---\nb: 2\n", 0, 2, 1, "second document", "one document a file"},
    {"? [a]\n: 1\n", 0, 1, 3, "a key cannot be a list", "key: value"},
    {"{\"\": 1}\n", 0, 1, 2, "key is empty", "key: value"},
    /* the same key twice */
    {"a: 1\nb: 2\na: 3\n", 0, 3, 1, "'a' is given twice, first in line 1", "remove one"},
    {"x: {b: 1,\n    \"b\": 2}\n", 0, 2, 5, "'b' is given twice, first in line 1", "remove one"},
    {"{\"a\": 1, \"\\u0061\": 2}", 0, 1, 10, "'a' is given twice", "remove one"},
    /* slips of the hand */
    {"a: @x\n", 0, 1, 4, "cannot start a value", "quotes"},
    {"a: b: c\n", 0, 1, 5, "':' is not expected", "quote"},
    {"a: 1\n  b: 2\n", 0, 2, 4, "':' is not expected", "aligned"},
    {"a: 1\n- b\n", 0, 2, 1, "expected a key aligned with the keys above (it began in line 1)",
     "indentation"},
    {"a: 1\nb\nc: 2\n", 0, 3, 1, "expected ':' and a space after a key (it began in line 2)",
     "key: value"},
    {"a: \"b\nc: 1\n", 0, 3, 1, "a quote is not closed (it began in line 1)", "closing quote"},
    {"a: 'b\n---\n", 0, 2, 1, "a quote is not closed (it began in line 1)", "closing quote"},
    {"a: [1, 2\nb: 3\n", 0, 2, 2, "expected ',' or ']' (it began in line 1)", "']'"},
    {"a: {b: 1\n", 0, 2, 1, "expected ',' or '}' (it began in line 1)", "'}'"},
    {"a: [\"x\" \"b\"]\n", 0, 1, 9, "expected ',' or ']'", "']'"},
    {"- a\nb: 1\n", 0, 2, 1, "expected '- ' aligned", "indentation"},
    {"a: - 1\n", 0, 1, 4, "a list cannot start here", "below its key"},
    {"a: ? 1\n", 0, 1, 4, "a key cannot start here", "line of its own"},
    {"a: \"\\q\"\n", 0, 1, 5, "unknown escape", "\\\\"},
    {"{\"a\": \"\\ud83d\\ude00\"}", 0, 1, 10, "surrogate", "the character itself"},
    {"a: \"\\xzz\"\n", 0, 1, 7, "hexadecimal", "\\\\"},
    {",\n", 0, 1, 1, "expected a value", "write a value"},
    {"  a: 1\nb: 2\n", 0, 2, 1, "does not belong", "indent all top-level keys alike"},
    {"{\"a\": 1} x\n", 0, 1, 10, "does not belong", "one document"},
    {"%X y\n---\na: 1\n", 0, 1, 3, "directive", "remove"},
    {"%YAML 2.0\n---\na: 1\n", 0, 1, 1, "YAML version", "remove"},
    {"a: |0\n  x\n", 0, 1, 5, "not YAML: found an indentation indicator equal to 0", "correct"},
};

static void bad_documents_are_refused_at_their_place(void **state) {
    uint32_t n_wrong = 0;
    for (size_t i = 0; i < sizeof bad_documents / sizeof *bad_documents; i++) {
        const bad_t *bad = &bad_documents[i];
        assay_node_t *root = NULL;
        assay_error_t err = {0};
        const size_t n = bad->n ? bad->n : strlen(bad->text);
        const assay_status_t status = parse(state, bad->text, n, &root, &err);
        char line[1024];
        assay_error_line(&err, line, sizeof line);
        if (status != ASSAY_INPUT || root || err.status != status || err.line != bad->line ||
            err.column != bad->column || strcmp(err.file, "job.yaml") != 0 ||
            !strstr(err.what, bad->what) || !strstr(err.next, bad->next)) {
            print_error("row %zu %s: status %d, '%s'\n", i, bad->text, (int)status, line);
            n_wrong++;
        }
        assert_int_equal(parse(state, bad->text, n, &root, NULL), status);
    }
    assert_int_equal(n_wrong, 0);
}

/* n times unit between head and tail; caller frees. */
static char *repeat(const char *head, const char *unit, size_t n, const char *tail) {
    const size_t n_head = strlen(head), n_unit = strlen(unit), n_tail = strlen(tail);
    char *text = malloc(n_head + n * n_unit + n_tail + 1);
    assert_non_null(text);
    memcpy(text, head, n_head);
    for (size_t i = 0; i < n; i++) {
        memcpy(text + n_head + i * n_unit, unit, n_unit);
    }
    memcpy(text + n_head + n * n_unit, tail, n_tail + 1);
    return text;
}

static void nesting_is_limited(void **state) {
    static const struct {
        const char *unit;
        size_t n;
        uint32_t line, column; /* of the level that is one too many, the 65th */
    } row[] = {{"[", 200, 1, 65},
               {"[", 5000, 1, 65},
               {"{a: ", 200, 1, 64 * 4 + 1},
               {"- ", 200, 1, 64 * 2 + 1},
               {"? ", 200, 1, 64 * 2 + 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = repeat("", row[i].unit, row[i].n, "x");
        assay_node_t *root = NULL;
        assay_error_t err = {0};
        const assay_status_t status = parse(state, text, strlen(text), &root, &err);
        free(text);
        if (i == 4) { /* a mapping as a key */
            assert_int_equal(status, ASSAY_INPUT);
            continue;
        }
        assert_int_equal(status, ASSAY_LIMIT);
        assert_int_equal(err.line, row[i].line);
        assert_int_equal(err.column, row[i].column);
        assert_non_null(strstr(err.what, "deeper than 64"));
    }
    char *most = repeat("", "[", ASSAY_NODE_MAX_DEPTH, "");
    char *text = repeat(most, "]", ASSAY_NODE_MAX_DEPTH, "");
    (void)parse_ok(state, text);
    free(text);
    free(most);
}

static void size_and_count_are_limited(void **state) {
    assay_node_t *root = NULL;
    assay_error_t err = {0};
    char *text = repeat("a: ", "x", ASSAY_NODE_MAX_BYTES - 2, "");
    assert_int_equal(parse(state, text, strlen(text), &root, &err), ASSAY_LIMIT);
    assert_non_null(strstr(err.what, "4194305 bytes are more than the 4194304 allowed"));
    assert_int_equal(parse(state, text, strlen(text) - 1, &root, &err), ASSAY_OK);
    free(text);

    root = NULL;
    text = repeat("[", "1,", ASSAY_NODE_MAX_NODES, "]"); /* the list is a node, too */
    assert_int_equal(parse(state, text, strlen(text), &root, &err), ASSAY_LIMIT);
    assert_int_equal(err.column, 2 * ASSAY_NODE_MAX_NODES);
    assert_non_null(strstr(err.what, "more than 200000 values"));
    assert_null(root);
    free(text);
}

static void an_arena_that_is_too_small_is_a_limit(void **state) {
    (void)state;
    for (size_t limit = 1; limit < 2000; limit += 16) {
        assay_arena_t *arena = assay_arena_create(limit);
        assay_node_t *root = NULL;
        const char text[] = "a: {b: 1, c: [2, 3]}\nd: e\n";
        const assay_status_t status =
            assay_node_parse(arena, "job.yaml", text, strlen(text), &root, NULL);
        assert_true(status == ASSAY_LIMIT || status == ASSAY_OK);
        assert_true((status == ASSAY_OK) == (root != NULL));
        assay_arena_destroy(arena);
    }
}

/* 190,000 keys in one mapping, the last one a duplicate: found without comparing all pairs (which
   would be 1.8e10 comparisons and a test that does not end). */
static void duplicates_are_found_in_large_mappings(void **state) {
    const uint32_t n = 190000;
    char *text = malloc((size_t)n * 16 + 32);
    assert_non_null(text);
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, 17, "k%u: 1\n", i);
    }
    memcpy(text + at, "k7: 2\n", 7);
    assay_node_t *root = NULL;
    assay_error_t err = {0};
    assert_int_equal(parse(state, text, at + 6, &root, &err), ASSAY_INPUT);
    assert_int_equal(err.line, n + 1);
    assert_non_null(strstr(err.what, "'k7' is given twice, first in line 8"));
    free(text);
}

static void set_creates_and_replaces(void **state) {
    const assay_place_t at = {.file = "--x"};
    assay_node_t *root = assay_node_create(*state, "command line");
    assert_int_equal(assay_node_set(*state, root, "a.b.c", "1", &at, NULL), ASSAY_OK);
    assert_int_equal(assay_node_set(*state, root, "a.b.d", "2", &at, NULL), ASSAY_OK);
    assert_int_equal(assay_node_set(*state, root, "a.b.c", "3", &at, NULL), ASSAY_OK);
    const assay_node_t *b = assay_node_find(assay_node_find(root, "a"), "b");
    assert_int_equal(b->n, 2);
    assert_string_equal(b->child->text, "3");
    assert_string_equal(b->child->at.file, "--x");
    assert_string_equal(b->last->key, "d");
    /* a key that is the start of another is not that one */
    assert_int_equal(assay_node_set(*state, root, "a.bb", "4", &at, NULL), ASSAY_OK);
    assert_int_equal(assay_node_find(root, "a")->n, 2);
}

static void set_replaces_a_collection(void **state) {
    const assay_place_t at = {.file = "--model"};
    assay_node_t *root = parse_ok(state, "model: {layers: 2}\nx: 1\n");
    assert_int_equal(assay_node_set(*state, root, "model", "m", &at, NULL), ASSAY_OK);
    assert_int_equal(root->child->kind, ASSAY_NODE_SCALAR);
    assert_string_equal(root->child->text, "m");
    assert_int_equal(root->child->n, 0);
    assert_int_equal(root->n, 2);
}

static void set_reaches_every_element(void **state) {
    const assay_place_t at = {.file = "--nodes"};
    assay_node_t *root = parse_ok(state, "list:\n  - {a: 1}\n  - {b: {c: 2}}\n");
    assert_int_equal(assay_node_set(*state, root, "list[].b.c", "7", &at, NULL), ASSAY_OK);
    for (const assay_node_t *item = assay_node_find(root, "list")->child; item; item = item->next) {
        assert_string_equal(assay_node_find(assay_node_find(item, "b"), "c")->text, "7");
    }
    assert_int_equal(assay_node_set(*state, root, "none[].b", "7", &at, NULL), ASSAY_OK);
    assert_null(assay_node_find(root, "none"));
}

static void set_refuses_what_is_no_mapping(void **state) {
    const assay_place_t at = {.file = "--nodes"};
    assay_error_t err = {0};
    assay_node_t *root = parse_ok(state, "a: 1\nlist: [x]\nmap: {y: 1}\n");
    assert_int_equal(assay_node_set(*state, root, "a.b", "7", &at, &err), ASSAY_INPUT);
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, 4);
    assert_non_null(strstr(err.next, "--nodes"));
    assert_int_equal(assay_node_set(*state, root, "list[].b", "7", &at, &err), ASSAY_INPUT);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 8);
    assert_int_equal(assay_node_set(*state, root, "map[].b", "7", &at, &err), ASSAY_INPUT);
    assert_int_equal(err.line, 3);
    assert_non_null(strstr(err.what, "expected a list for 'map'"));
    assert_int_equal(assay_node_set(*state, root, "a", "\xff", &at, &err), ASSAY_INPUT);
    assert_string_equal(err.file, "--nodes");
    assert_non_null(strstr(err.what, "not UTF-8"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tree_keeps_texts_and_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(columns_count_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(json_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_value_is_an_empty_plain_scalar, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_documents_are_refused_at_their_place, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nesting_is_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(size_and_count_are_limited, set_up, tear_down),
        cmocka_unit_test(an_arena_that_is_too_small_is_a_limit),
        cmocka_unit_test_setup_teardown(duplicates_are_found_in_large_mappings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(set_creates_and_replaces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(set_replaces_a_collection, set_up, tear_down),
        cmocka_unit_test_setup_teardown(set_reaches_every_element, set_up, tear_down),
        cmocka_unit_test_setup_teardown(set_refuses_what_is_no_mapping, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
