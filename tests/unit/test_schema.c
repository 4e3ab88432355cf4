#include "assay_test.h"

#include <stdio.h>

#include "assay/schema.h"

typedef struct {
    bool present;
    assay_number_t x, y;
} inner_t;

typedef struct {
    assay_number_t count, power, share, wait, one;
    assay_string_t text, kind;
    assay_choice_t flag, colour;
    assay_list_t words, items;
    inner_t inner;
    const assay_node_t *model;
} outer_t;

static const char *const kinds[] = {"ib", "roce", NULL};
static const char *const colours[] = {"red", "green", "blue", NULL};

static assay_status_t check_inner(const void *value, const assay_node_t *node, assay_error_t *err) {
    const inner_t *inner = value;
    return inner->y.v < inner->x.v ? assay_error_set(err, ASSAY_INPUT, &node->at, "y is below x")
                                   : ASSAY_OK;
}

static const assay_field_t inner_field[] = {
    {.key = "x",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_NUMBER,
     .required = true,
     .bare_scale = 1,
     .min = -5,
     .max = 5,
     .offset = offsetof(inner_t, x),
     .flag = "x",
     .help = "the x"},
    {.key = "y",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_NUMBER,
     .bare_scale = 1,
     .min = -5,
     .max = 50,
     .offset = offsetof(inner_t, y),
     .default_text = "10",
     .help = "the y"},
};
static const assay_schema_t inner_schema = {.name = "inner",
                                            .field = inner_field,
                                            .n_field = 2,
                                            .size = sizeof(inner_t),
                                            .present = offsetof(inner_t, present),
                                            .check = check_inner};

static const assay_field_t outer_field[] = {
    {.key = "count",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_COUNT,
     .bare_scale = 1,
     .min = 1,
     .max = 1000,
     .offset = offsetof(outer_t, count),
     .flag = "number",
     .flag_alias = "count",
     .help = "how many"},
    {.key = "power_w",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_POWER,
     .bare_scale = 1,
     .min = 0,
     .max = 1e6,
     .offset = offsetof(outer_t, power),
     .help = "power in W"},
    {.key = "share",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_FRACTION,
     .bare_scale = 1,
     .min = 0,
     .max = 1,
     .offset = offsetof(outer_t, share),
     .default_text = "25 %",
     .help = "share"},
    {.key = "wait",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_TIME,
     .min = 0,
     .max = 1e7,
     .offset = offsetof(outer_t, wait),
     .help = "time to wait"},
    {.key = "one",
     .kind = ASSAY_FIELD_NUMBER,
     .dim = ASSAY_DIM_NUMBER,
     .bare_scale = 1,
     .min = 1,
     .max = 1,
     .offset = offsetof(outer_t, one),
     .help = "always 1"},
    {.key = "text",
     .kind = ASSAY_FIELD_STRING,
     .offset = offsetof(outer_t, text),
     .help = "a | text"},
    {.key = "kind",
     .kind = ASSAY_FIELD_STRING,
     .offset = offsetof(outer_t, kind),
     .choices = kinds,
     .default_text = "roce",
     .help = "a word"},
    {.key = "flag", .kind = ASSAY_FIELD_BOOL, .offset = offsetof(outer_t, flag), .help = "yes?"},
    {.key = "colour",
     .kind = ASSAY_FIELD_CHOICE,
     .offset = offsetof(outer_t, colour),
     .choices = colours,
     .default_text = "green",
     .flag = "colour",
     .help = "a colour"},
    {.key = "words",
     .kind = ASSAY_FIELD_STRINGS,
     .max = 3,
     .offset = offsetof(outer_t, words),
     .help = "words"},
    {.key = "items",
     .kind = ASSAY_FIELD_LIST,
     .min = 1,
     .max = 2,
     .offset = offsetof(outer_t, items),
     .help = "items",
     .sub = &inner_schema},
    {.key = "inner",
     .kind = ASSAY_FIELD_STRUCT,
     .offset = offsetof(outer_t, inner),
     .help = "inner",
     .sub = &inner_schema},
    {.key = "model",
     .kind = ASSAY_FIELD_NODE,
     .offset = offsetof(outer_t, model),
     .help = "read elsewhere"},
    {.key = "later", .kind = ASSAY_FIELD_LATER, .help = "use 'inner'"},
};
static const assay_schema_t outer_schema = {.name = "outer",
                                            .field = outer_field,
                                            .n_field = sizeof outer_field / sizeof *outer_field,
                                            .size = sizeof(outer_t),
                                            .present = SIZE_MAX};

static const assay_field_t needs_field[] = {
    {.key = "inner",
     .kind = ASSAY_FIELD_STRUCT,
     .required = true,
     .offset = offsetof(outer_t, inner),
     .help = "inner",
     .sub = &inner_schema},
};
static const assay_schema_t needs_schema = {.name = "needs",
                                            .field = needs_field,
                                            .n_field = 1,
                                            .size = sizeof(outer_t),
                                            .present = SIZE_MAX};

static int set_up(void **state) {
    *state = assay_arena_create((size_t)8 << 20);
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_status_t read_text(void **state, const assay_schema_t *schema, const char *text,
                                void *out, assay_error_t *err) {
    assay_node_t *root = NULL;
    const assay_status_t status =
        assay_node_parse(*state, "t.yaml", text, strlen(text), &root, err);
    return status == ASSAY_OK ? assay_schema_read(*state, schema, root, out, err) : status;
}

static void read_ok(void **state, const char *text, outer_t *out) {
    assay_error_t err = {0};
    char line[1024];
    if (read_text(state, &outer_schema, text, out, &err) != ASSAY_OK) {
        fail_msg("%s: %s", text, assay_error_line(&err, line, sizeof line));
    }
}

static void values_are_read_with_their_place(void **state) {
    outer_t out;
    read_ok(state,
            "count: 256\npower_w: 3.6 kW\nshare: 75 %\nwait: 2 h\ntext: 'a b'\nkind: ib\n"
            "flag: true\ncolour: blue\nwords: [p, 'q r']\nitems: [{x: 1}, {x: 2, y: 3}]\n"
            "inner: {x: -1}\nmodel: {a: 1}\n",
            &out);
    assay_test_close(out.count.v, 256, 0, 0, "count");
    assay_test_close(out.power.v, 3600, 1e-15, 0, "3.6 kW in W");
    assay_test_close(out.share.v, 0.75, 1e-15, 0, "75 %");
    assay_test_close(out.wait.v, 7200, 1e-15, 0, "2 h in s");
    assert_int_equal(out.wait.origin, ASSAY_GIVEN);
    assert_int_equal(out.wait.at.line, 4);
    assert_int_equal(out.wait.at.column, 7);
    assert_string_equal(out.text.s, "a b");
    assert_string_equal(out.kind.s, "ib");
    assert_int_equal(out.flag.v, 1);
    assert_int_equal(out.colour.v, 2);
    assert_int_equal(out.words.n, 2);
    assert_string_equal(((assay_string_t *)out.words.item)[1].s, "q r");
    assert_int_equal(out.items.n, 2);
    const inner_t *item = out.items.item;
    assay_test_close(item[0].y.v, 10, 0, 0, "default in a list entry");
    assert_int_equal(item[0].y.origin, ASSAY_DEFAULT);
    assay_test_close(item[1].y.v, 3, 0, 0, "given in a list entry");
    assert_true(item[1].present);
    assert_true(out.inner.present);
    assert_int_equal(out.model->kind, ASSAY_NODE_MAPPING);
}

static void what_is_absent_is_a_default_or_unknown(void **state) {
    outer_t out;
    read_ok(state, "text: x\n", &out);
    assert_int_equal(out.count.origin, ASSAY_UNKNOWN);
    assert_int_equal(out.share.origin, ASSAY_DEFAULT);
    assay_test_close(out.share.v, 0.25, 1e-15, 0, "default 25 %");
    assert_int_equal(out.share.at.line, 0);
    assert_string_equal(out.kind.s, "roce");
    assert_int_equal(out.kind.origin, ASSAY_DEFAULT);
    assert_int_equal(out.colour.v, 1);
    assert_int_equal(out.flag.origin, ASSAY_UNKNOWN);
    assert_int_equal(out.words.origin, ASSAY_UNKNOWN);
    assert_int_equal(out.items.n, 0);
    assert_null(out.model);
    /* required keys of a mapping that is not there are not missed; its defaults are filled */
    assert_false(out.inner.present);
    assert_int_equal(out.inner.x.origin, ASSAY_UNKNOWN);
    assay_test_close(out.inner.y.v, 10, 0, 0, "default in an absent mapping");

    outer_t none;
    memset(&none, 0xff, sizeof none);
    assert_int_equal(assay_schema_read(*state, &outer_schema, NULL, &none, NULL), ASSAY_OK);
    assert_int_equal(none.count.origin, ASSAY_UNKNOWN);
    assert_int_equal(none.colour.v, 1);
}

static void a_scalar_is_a_comma_list(void **state) {
    outer_t out;
    read_ok(state, "words: tensorrt, nccl ,x\n", &out);
    assert_int_equal(out.words.n, 3);
    const assay_string_t *word = out.words.item;
    assert_string_equal(word[0].s, "tensorrt");
    assert_string_equal(word[1].s, "nccl");
    assert_string_equal(word[2].s, "x");
    assert_int_equal(word[2].at.column, 8);
    read_ok(state, "words: []\n", &out);
    assert_int_equal(out.words.n, 0);
    assert_int_equal(out.words.origin, ASSAY_GIVEN);
}

static void quoted_quantities_with_a_unit_are_numbers(void **state) {
    outer_t out; /* JSON cannot write a unit without quotes */
    read_ok(state, "{\"wait\": \"30 d\", \"share\": \"75 %\"}", &out);
    assay_test_close(out.wait.v, 30 * 86400.0, 1e-15, 0, "30 d in s");
}

typedef struct {
    const char *text;
    assay_status_t status;
    uint32_t line, column;
    const char *what, *next;
} bad_t;

static const bad_t bad_values[] = {
    /* keys */
    {"count: 1\ncuont: 2\n", ASSAY_INPUT, 2, 1, "unknown key 'cuont' in 'outer'",
     "did you mean 'count'?"},
    {"number: 2\n", ASSAY_INPUT, 1, 1, "unknown key 'number'", "did you mean 'count'?"},
    {"inner: {x: 1, zzzzz: 2}\n", ASSAY_INPUT, 1, 15, "unknown key 'zzzzz' in 'inner'",
     "known keys: x, y"},
    {"inner: {x: 1, z: 2}\n", ASSAY_INPUT, 1, 15, "unknown key 'z' in 'inner'", "known keys: x, y"},
    {"inner: {x: 1,5}\n", ASSAY_INPUT, 1, 14, "unknown key '5' in 'inner'", "with a point"},
    {"later: {a: 1}\n", ASSAY_INPUT, 1, 1, "'later' is not supported by this version",
     "use 'inner'"},
    {"inner: {y: 1}\n", ASSAY_INPUT, 1, 8, "'x' is missing in 'inner'", "add x, or give --x"},
    /* kinds */
    {"count: [1]\n", ASSAY_INPUT, 1, 8, "'count' must be a whole number, not a list", "256"},
    {"wait: {a: 1}\n", ASSAY_INPUT, 1, 7, "'wait' must be a time, not a mapping", "30 d"},
    {"count:\ntext: x\n", ASSAY_INPUT, 1, 7, "'count' has no value", "or remove the key"},
    {"text: null\n", ASSAY_INPUT, 1, 7, "'text' has no value", "or remove the key"},
    {"text: ~\n", ASSAY_INPUT, 1, 7, "'text' has no value", "or remove the key"},
    {"text: ''\n", ASSAY_INPUT, 1, 7, "'text' has no value", "or remove the key"},
    {"inner:\n", ASSAY_INPUT, 1, 7, "'inner' has no value", "'key: value' lines"},
    {"inner: [x]\n", ASSAY_INPUT, 1, 8, "'inner' must be a mapping of keys, not a list",
     "'key: value'"},
    {"inner: x:1\n", ASSAY_INPUT, 1, 8, "'inner' must be a mapping of keys, not 'x:1'",
     "'key: value'"},
    {"items: {x: 1}\n", ASSAY_INPUT, 1, 8, "'items' must be a list, not a mapping", "'- '"},
    {"items: [x:1]\n", ASSAY_INPUT, 1, 9,
     "an entry of 'items' must be a mapping of keys, not 'x:1'",
     "write {x: ...}, with a space after the colon"},
    {"items: []\n", ASSAY_INPUT, 1, 8, "'items' has 0 entries, at least 1", "add an entry"},
    {"items: [{x: 1}, {x: 1}, {x: 1}]\n", ASSAY_LIMIT, 1, 8, "3 entries, at most 2", "remove"},
    {"words: a,b,c,d\n", ASSAY_LIMIT, 1, 8, "4 entries, at most 3", "remove"},
    {"words: [a, [b]]\n", ASSAY_INPUT, 1, 12, "not a list", "[a, b]"},
    {"words: a,,b\n", ASSAY_INPUT, 1, 8, "an entry of the comma list is empty", "a,b"},
    {"words: {a: 1}\n", ASSAY_INPUT, 1, 8, "'words' must be a list of texts, not a mapping",
     "[a, b]"},
    {"model: [a]\n", ASSAY_INPUT, 1, 8, "'model' must be a text or a mapping", "id"},
    {"text: [a]\n", ASSAY_INPUT, 1, 7, "'text' must be a text, not a list", "text"},
    {"- a\n", ASSAY_INPUT, 1, 1, "'outer' must be a mapping of keys, not a list", "key: value"},
    {"count:1\n", ASSAY_INPUT, 1, 1, "'outer' must be a mapping of keys, not 'count:1'",
     "space after the colon"},
    /* bools and choices */
    {"flag: yes\n", ASSAY_INPUT, 1, 7, "'flag' must be true or false, not 'yes'",
     "write true or false"},
    {"flag: True\n", ASSAY_INPUT, 1, 7, "not 'True'", "write true or false"},
    {"flag: 1\n", ASSAY_INPUT, 1, 7, "not '1'", "write true or false"},
    {"flag: 'true'\n", ASSAY_INPUT, 1, 7, "in quotes", "remove the quotes: true"},
    {"colour: gren\n", ASSAY_INPUT, 1, 9, "'colour' must be red, green or blue, not 'gren'",
     "did you mean 'green'?"},
    {"colour: xyzzy\n", ASSAY_INPUT, 1, 9, "not 'xyzzy'", "write red, green or blue"},
    {"kind: IB\n", ASSAY_INPUT, 1, 7, "'kind' must be ib or roce, not 'IB'", "did you mean 'ib'?"},
    /* numbers */
    {"count: '5'\n", ASSAY_INPUT, 1, 8, "'count' is a number in quotes", "remove the quotes: 5"},
    {"count: 0\n", ASSAY_INPUT, 1, 8, "'count' must be from 1 to 1000, not '0'", "correct"},
    {"count: -3\n", ASSAY_INPUT, 1, 8, "not '-3'", "correct"},
    {"power_w: -3 kW\n", ASSAY_INPUT, 1, 10, "'power_w' must be from 0 W to 1 MW, not '-3 kW'",
     "correct the value or its unit"},
    {"one: 2\n", ASSAY_INPUT, 1, 6, "'one' must be 1, not '2'", "write one: 1"},
    {"count: 1.5\n", ASSAY_INPUT, 1, 8, "whole number", ""},
    {"count: nan\n", ASSAY_INPUT, 1, 8, "whole number", ""},
    {"count: .inf\n", ASSAY_INPUT, 1, 8, "whole number", ""},
    {"share: 1e999\n", ASSAY_INPUT, 1, 8, "", ""},
    {"power_w: 3 GB\n", ASSAY_INPUT, 1, 10, "a power", ""},
    {"wait: 30\n", ASSAY_INPUT, 1, 7, "a time", ""},
    /* texts */
    {"text: \"a\\nb\"\n", ASSAY_INPUT, 1, 7, "line break or a control character", "one line"},
    {"text: \"\\e[31m\"\n", ASSAY_INPUT, 1, 7, "line break or a control character", "one line"},
    {"text: \"\\L\"\n", ASSAY_INPUT, 1, 7, "line break or a control character", "one line"},
    {"model: \"a\\tb\"\n", ASSAY_INPUT, 1, 8, "line break or a control character", "one line"},
    /* two names that look the same, one that reads backwards */
    {"text: a\xe2\x80\x8b\n", ASSAY_INPUT, 1, 7, "(U+200B)", "one line"},
    {"text: \"a\xe2\x80\xae\"\n", ASSAY_INPUT, 1, 7, "(U+202E)", "one line"},
    /* what a table cannot say */
    {"items: [{x: 1}, {x: 4, y: 3}]\n", ASSAY_INPUT, 1, 17, "y is below x", ""},
};

static void bad_values_are_refused_at_their_place(void **state) {
    uint32_t n_wrong = 0;
    for (size_t i = 0; i < sizeof bad_values / sizeof *bad_values; i++) {
        const bad_t *bad = &bad_values[i];
        outer_t out;
        assay_error_t err = {0};
        const assay_status_t status = read_text(state, &outer_schema, bad->text, &out, &err);
        char line[1024];
        assay_error_line(&err, line, sizeof line);
        if (status != bad->status || err.status != status || err.line != bad->line ||
            err.column != bad->column || !strstr(err.what, bad->what) ||
            !strstr(err.next, bad->next)) {
            print_error("row %zu %s: status %d, '%s'\n", i, bad->text, (int)status, line);
            n_wrong++;
        }
    }
    assert_int_equal(n_wrong, 0);
}

static void a_missing_mapping_names_the_key_it_must_hold(void **state) {
    outer_t out;
    assay_error_t err = {0};
    assert_int_equal(read_text(state, &needs_schema, "{}", &out, &err), ASSAY_INPUT);
    assert_string_equal(err.what, "'inner' is missing in 'needs'");
    assert_string_equal(err.next, "add inner.x, or give --x");
}

static void long_texts_are_refused_and_shown_short(void **state) {
    static char text[ASSAY_SCHEMA_MAX_STRING + 16];
    outer_t out;
    assay_error_t err = {0};
    memcpy(text, "text: ", 6);
    memset(text + 6, 'a', ASSAY_SCHEMA_MAX_STRING);
    assert_int_equal(read_text(state, &outer_schema, text, &out, &err), ASSAY_OK);
    text[6 + ASSAY_SCHEMA_MAX_STRING] = 'a';
    assert_int_equal(read_text(state, &outer_schema, text, &out, &err), ASSAY_LIMIT);
    assert_non_null(strstr(err.what, "longer than 4096 bytes"));
    memcpy(text, "kind: ", 6);
    memcpy(text + 6 + 59, "é", strlen("é")); /* the cut falls into this character */
    assert_int_equal(read_text(state, &outer_schema, text, &out, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "aaa...'"));
    assert_null(strchr(err.what, '?'));
}

static void arenas_that_are_too_small_are_a_limit(void **state) {
    const char text[] = "words: a,b\nitems: [{x: 1}]\nmodel: m\n";
    assay_node_t *root = NULL;
    assert_int_equal(assay_node_parse(*state, "t.yaml", text, strlen(text), &root, NULL), ASSAY_OK);
    assay_status_t status = ASSAY_LIMIT;
    for (size_t limit = 1; limit < 4096; limit += 16) {
        assay_arena_t *arena = assay_arena_create(limit);
        outer_t out;
        status = assay_schema_read(arena, &outer_schema, root, &out, NULL);
        assert_true(status == ASSAY_OK || status == ASSAY_LIMIT);
        assay_arena_destroy(arena);
    }
    assert_int_equal(status, ASSAY_OK);
}

static void collect_flag(void *ctx, const assay_field_t *field, const char *path) {
    assay_buf_printf(ctx, "%s=%s ", field->flag, path);
}

static void flags_name_their_paths(void **state) {
    (void)state;
    assay_buf_t out;
    assay_buf_init(&out, 4096);
    assay_schema_flags(&outer_schema, collect_flag, &out);
    assert_string_equal(out.data, "number=count colour=colour x=items[].x x=inner.x ");
    assay_buf_done(&out);
}

static void markdown_has_a_row_for_each_key(void **state) {
    (void)state;
    assay_buf_t out;
    assay_buf_init(&out, 1 << 16);
    assay_schema_markdown(&outer_schema, &out);
    assert_non_null(strstr(out.data, "| key | value | default | flag | what it is |\n"));
    assert_non_null(strstr(out.data, "| `count` | a whole number, such as 256 or 1.4e12 or 1.4 T"
                                     " |  | `--number` `--count` | how many |\n"));
    assert_non_null(strstr(out.data, "| `colour` | `red`, `green`, `blue` | green | `--colour` |"));
    assert_non_null(strstr(out.data, "| `items[].x` (required) | "));
    assert_null(strstr(out.data, "later"));
    assay_buf_done(&out);
}

static void json_schema_is_strict_and_complete(void **state) {
    (void)state;
    assay_buf_t out;
    assay_buf_init(&out, 1 << 16);
    assert_int_equal(assay_schema_json(&outer_schema, "Title", &out), ASSAY_OK);
    static const char *const parts[] = {
        "\"$schema\": \"https://json-schema.org/draft/2020-12/schema\"",
        "\"title\": \"Title\"",
        "\"additionalProperties\": false",
        "\"description\": \"how many\"",
        "\"type\": \"integer\"",
        "\"maximum\": 1000",
        "\"default\": \"green\"",
        "\"enum\": [",
        "\"maxItems\": 2",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strstr(out.data, parts[i])) {
            fail_msg("no %s in %s", parts[i], out.data);
        }
    }
    assert_null(strstr(out.data, "later"));
    assay_buf_done(&out);

    assay_buf_init(&out, 100); /* a buffer that is too small is said */
    assert_int_equal(assay_schema_json(&outer_schema, "Title", &out), ASSAY_LIMIT);
    assay_buf_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_are_read_with_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_absent_is_a_default_or_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_scalar_is_a_comma_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quoted_quantities_with_a_unit_are_numbers, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(bad_values_are_refused_at_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_mapping_names_the_key_it_must_hold, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(long_texts_are_refused_and_shown_short, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arenas_that_are_too_small_are_a_limit, set_up, tear_down),
        cmocka_unit_test(flags_name_their_paths),
        cmocka_unit_test(markdown_has_a_row_for_each_key),
        cmocka_unit_test(json_schema_is_strict_and_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
