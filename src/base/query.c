#include "assay/query.h"

#include <string.h>

#include "assay/text.h"
#include "assay/units.h"

#include "base/banned.h"

#define MAX_BYTES 4096u
#define MAX_TESTS 256u
#define MAX_DEPTH 32u

typedef enum { EQUAL, NOT_EQUAL, LESS, AT_MOST, MORE, AT_LEAST, HOLDS, HOLDS_NOT } operator_t;
/* Longer ones first. */
static const struct {
    const char *text;
    operator_t op;
} operators[] = {
    {"==", EQUAL}, {"!=", NOT_EQUAL}, {"<=", AT_MOST}, {">=", AT_LEAST}, {"!~", HOLDS_NOT},
    {"=", EQUAL},  {"<", LESS},       {">", MORE},     {"~", HOLDS},
};

typedef enum { TEST, NOT, AND, OR } kind_t;
struct assay_query {
    kind_t kind;
    const assay_query_t *left, *right; /* NOT: left */
    uint32_t column;
    operator_t op;
    bool of_unknown, is_number;
    double v;
    const char *text;
};

typedef struct {
    assay_arena_t *arena;
    const char *text, *at;
    const assay_query_column_t *column;
    uint32_t n_column, n_test, depth;
    assay_status_t status;
    assay_error_t *err;
} parser_t;

static const assay_query_t *fail(parser_t *parser, const char *at, const char *what,
                                 const char *next) {
    const assay_place_t place = {"condition", 1, (uint32_t)(at - parser->text) + 1};
    parser->status = assay_error_set(parser->err, ASSAY_USAGE, &place, "%s", what);
    assay_error_next(parser->err, "%s", next);
    return NULL;
}

static assay_query_t *make(parser_t *parser, kind_t kind, const assay_query_t *left,
                           const assay_query_t *right) {
    assay_query_t *node = assay_arena_alloc(parser->arena, sizeof *node);
    if (!node) {
        parser->status = assay_error_memory(parser->err, NULL);
        return NULL;
    }
    *node = (assay_query_t){.kind = kind, .left = left, .right = right};
    return node;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
static bool ends_word(char c) {
    return c == '\0' || is_space(c) || strchr("()<>=!~\"'", c);
}
static void skip_space(parser_t *parser) {
    while (is_space(*parser->at)) {
        parser->at++;
    }
}
static size_t word_length(const char *at) {
    size_t n = 0;
    while (!ends_word(at[n])) {
        n++;
    }
    return n;
}
static bool is_word(const char *at, size_t n, const char *word) {
    char text[8];
    if (n != strlen(word)) {
        return false;
    }
    memcpy(text, at, n);
    text[n] = '\0';
    return assay_text_equal_fold(text, word);
}
/* Steps over word when it stands here. */
static bool take_word(parser_t *parser, const char *word) {
    skip_space(parser);
    const size_t n = word_length(parser->at);
    if (!is_word(parser->at, n, word)) {
        return false;
    }
    parser->at += n;
    return true;
}

static bool find_column(parser_t *parser, const char *at, size_t n, uint32_t *out_column) {
    const char *near = NULL;
    char *name = assay_arena_strndup(parser->arena, at, n);
    if (!name) {
        parser->status = assay_error_memory(parser->err, NULL);
        return false;
    }
    for (uint32_t i = 0; i < parser->n_column; i++) {
        if (assay_text_equal_fold(parser->column[i].name, name)) {
            *out_column = i;
            return true;
        }
        const char *const pair[] = {near, parser->column[i].name};
        near = assay_text_nearest(name, pair, 2);
    }
    const assay_place_t place = {"condition", 1, (uint32_t)(at - parser->text) + 1};
    parser->status = assay_error_set(parser->err, ASSAY_USAGE, &place, "no column '%s'", name);
    if (near) {
        assay_error_next(parser->err, "did you mean '%s'?", near);
    } else if (parser->n_column > 0) {
        assay_error_next(parser->err, "the columns are %s, %s, ...; --csv prints all names",
                         parser->column[0].name, parser->column[parser->n_column - 1].name);
    }
    return false;
}

/* The dimension that a column's unit measures. */
static bool find_dimension(const char *unit, assay_dim_t *out_dim) {
    char text[48];
    double one;
    const size_t n = strlen(unit);
    if (n == 0 || n + 3 > sizeof text) {
        return false;
    }
    memcpy(text, "1 ", 2);
    memcpy(text + 2, unit, n + 1);
    bool found = false;
    *out_dim = ASSAY_DIM_NUMBER;
    for (int dim = 0; dim < ASSAY_DIM_N; dim++) {
        /* a week is w too, and no column counts weeks: any other reading of W goes before */
        if ((!found || *out_dim == ASSAY_DIM_TIME) &&
            assay_units_parse(text, n + 2, (assay_dim_t)dim, 0.0, NULL, &one, NULL) == ASSAY_OK) {
            *out_dim = (assay_dim_t)dim;
            found = true;
        }
    }
    return found;
}

/* The value as a number of the column's unit. */
static bool read_number(parser_t *parser, const char *at, assay_query_t *test) {
    const assay_query_column_t *column = &parser->column[test->column];
    const size_t n = strlen(test->text);
    assay_dim_t dim;
    if (assay_text_to_double(test->text, n, &test->v)) {
        return true;
    }
    const assay_place_t place = {"condition", 1, (uint32_t)(at - parser->text) + 1};
    if (!find_dimension(column->unit, &dim)) {
        parser->status =
            assay_error_set(parser->err, ASSAY_USAGE, &place, "'%s' is no number, and %s counts %s",
                            test->text, column->name, column->unit[0] ? column->unit : "ones");
        assay_error_next(parser->err, "write a plain number");
        return false;
    }
    parser->status = assay_units_parse(test->text, n, dim, 0.0, &place, &test->v, parser->err);
    if (parser->status != ASSAY_OK) {
        parser->status = ASSAY_USAGE; /* a mistake of the command line, not of an input */
        if (parser->err) {
            parser->err->status = ASSAY_USAGE;
        }
        return false;
    }
    test->v /= column->scale;
    return true;
}

/* Words up to and, or, a bracket or the end; or what stands in quotes. */
static char *take_value(parser_t *parser, bool *out_quoted) {
    const char *begin = parser->at, *end = begin;
    *out_quoted = *begin == '"' || *begin == '\'';
    if (*out_quoted) {
        end = strchr(begin + 1, *begin);
        if (!end) {
            (void)fail(parser, begin, "a quote that is never closed", "close it");
            return NULL;
        }
        parser->at = end + 1;
        return assay_arena_strndup(parser->arena, begin + 1, (size_t)(end - begin - 1));
    }
    for (;;) {
        const size_t n = word_length(parser->at);
        if (n == 0 ||
            (end != begin && (is_word(parser->at, n, "and") || is_word(parser->at, n, "or")))) {
            break;
        }
        parser->at += n;
        end = parser->at;
        skip_space(parser);
    }
    if (end == begin) {
        (void)fail(parser, begin, "a value is missing", "write COLUMN=VALUE, as in vendor=AMD");
        return NULL;
    }
    return assay_arena_strndup(parser->arena, begin, (size_t)(end - begin));
}

static const assay_query_t *parse_test(parser_t *parser) {
    skip_space(parser);
    const char *name = parser->at;
    const size_t n = word_length(name);
    if (n == 0) {
        return fail(parser, name,
                    *name ? "a column's name was expected" : "the condition ends here",
                    "write a test such as mem_gb>=128");
    }
    if (++parser->n_test > MAX_TESTS) {
        return fail(parser, name, "more than 256 tests", "split the condition");
    }
    assay_query_t *test = make(parser, TEST, NULL, NULL);
    if (!test || !find_column(parser, name, n, &test->column)) {
        return NULL;
    }
    parser->at = name + n;
    skip_space(parser);
    size_t op = 0;
    while (op < sizeof operators / sizeof *operators &&
           strncmp(parser->at, operators[op].text, strlen(operators[op].text)) != 0) {
        op++;
    }
    if (op == sizeof operators / sizeof *operators) {
        return fail(parser, parser->at, "a comparison was expected", "one of = != < <= > >= ~ !~");
    }
    test->op = operators[op].op;
    parser->at += strlen(operators[op].text);
    skip_space(parser);
    const char *value = parser->at;
    bool quoted;
    test->text = take_value(parser, &quoted);
    if (!test->text) {
        parser->status = parser->status ? parser->status : assay_error_memory(parser->err, NULL);
        return NULL;
    }
    const bool part = test->op == HOLDS || test->op == HOLDS_NOT;
    test->of_unknown = !quoted && assay_text_equal_fold(test->text, "unknown");
    if (test->of_unknown && test->op != EQUAL && test->op != NOT_EQUAL) {
        return fail(parser, value, "unknown is neither more nor less than anything",
                    "write = unknown or != unknown");
    }
    test->is_number = parser->column[test->column].is_number && !test->of_unknown;
    if (test->is_number && part) {
        return fail(parser, name, "~ looks into texts, and this is a column of numbers",
                    "use = < or >");
    }
    return test->is_number && !read_number(parser, value, test) ? NULL : test;
}

static const assay_query_t *parse_any(parser_t *parser);

static const assay_query_t *parse_one(parser_t *parser) {
    const assay_query_t *inner;
    skip_space(parser);
    const char *at = parser->at;
    if (parser->depth == MAX_DEPTH) {
        return fail(parser, at, "more than 32 levels", "use fewer brackets");
    }
    parser->depth++;
    if (take_word(parser, "not")) {
        inner = parse_one(parser);
        inner = inner ? make(parser, NOT, inner, NULL) : NULL;
    } else if (*at == '(') {
        parser->at++;
        inner = parse_any(parser);
        skip_space(parser);
        if (inner && *parser->at != ')') {
            inner = fail(parser, at, "a bracket that is never closed", "close it");
        } else if (inner) {
            parser->at++;
        }
    } else {
        inner = parse_test(parser);
    }
    parser->depth--;
    return inner;
}

static const assay_query_t *parse_all(parser_t *parser) {
    const assay_query_t *left = parse_one(parser);
    while (left && take_word(parser, "and")) {
        const assay_query_t *right = parse_one(parser);
        left = right ? make(parser, AND, left, right) : NULL;
    }
    return left;
}

static const assay_query_t *parse_any(parser_t *parser) {
    const assay_query_t *left = parse_all(parser);
    while (left && take_word(parser, "or")) {
        const assay_query_t *right = parse_all(parser);
        left = right ? make(parser, OR, left, right) : NULL;
    }
    return left;
}

assay_status_t assay_query_parse(assay_arena_t *arena, const char *text,
                                 const assay_query_column_t *column, uint32_t n_column,
                                 const assay_query_t **out_query, assay_error_t *err) {
    parser_t parser = {arena, text, text, column, n_column, 0, 0, ASSAY_OK, err};
    if (strlen(text) > MAX_BYTES) {
        return assay_error_set(err, ASSAY_LIMIT, NULL, "a condition of more than %u bytes",
                               MAX_BYTES);
    }
    const assay_query_t *query = parse_any(&parser);
    skip_space(&parser);
    if (query && *parser.at) {
        query = fail(&parser, parser.at, "the condition goes on where it should end",
                     "join tests with and, or; quote a value that holds such signs");
    }
    *out_query = query;
    return query ? ASSAY_OK : parser.status;
}

/* --- comparing ---------------------------------------------------------------------------------
 */

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

int assay_text_order(const char *a, const char *b) {
    while (*a && *b) {
        if (is_digit(*a) && is_digit(*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            const size_t n_a = strspn(a, "0123456789"), n_b = strspn(b, "0123456789");
            const int order =
                n_a != n_b ? (n_a > n_b ? 1 : -1) : memcmp(a, b, n_a); /* same length: by digits */
            if (order != 0) {
                return order;
            }
            a += n_a;
            b += n_b;
            continue;
        }
        const unsigned char left = (unsigned char)fold(*a), right = (unsigned char)fold(*b);
        if (left != right) {
            return left < right ? -1 : 1;
        }
        a++;
        b++;
    }
    return (*a != '\0') - (*b != '\0');
}

static bool contains(const char *text, const char *part) {
    for (;; text++) {
        size_t n = 0;
        while (part[n] && fold(text[n]) == fold(part[n])) {
            n++;
        }
        if (!part[n]) {
            return true;
        }
        if (!*text) {
            return false;
        }
    }
}

/* Yes, no, or nobody knows. */
typedef enum { NO, YES, UNKNOWN } truth_t;

static truth_t from_order(operator_t op, int order) {
    switch (op) {
    case EQUAL:
        return order == 0 ? YES : NO;
    case NOT_EQUAL:
        return order != 0 ? YES : NO;
    case LESS:
        return order < 0 ? YES : NO;
    case AT_MOST:
        return order <= 0 ? YES : NO;
    case MORE:
        return order > 0 ? YES : NO;
    default:
        return order >= 0 ? YES : NO;
    }
}

/* What is stored went through a change of units: 1e-9 apart is equal. */
static int number_order(double have, double asked) {
    const double wide = 1e-9 * (asked < 0.0 ? -asked : asked);
    return have > asked + wide ? 1 : have < asked - wide ? -1 : 0;
}

static truth_t test_holds(const assay_query_t *test, const assay_query_value_t *value) {
    if (test->of_unknown) {
        return value->known == (test->op == NOT_EQUAL) ? YES : NO;
    }
    if (!value->known) {
        return UNKNOWN;
    }
    if (test->is_number) {
        return value->is_number ? from_order(test->op, number_order(value->v, test->v)) : UNKNOWN;
    }
    const char *text = value->text ? value->text : "";
    if (test->op == HOLDS || test->op == HOLDS_NOT) {
        return contains(text, test->text) == (test->op == HOLDS) ? YES : NO;
    }
    return from_order(test->op, assay_text_order(text, test->text));
}

static truth_t holds(const assay_query_t *query,
                     assay_query_value_t (*read)(const void *row, uint32_t column),
                     const void *row) {
    if (query->kind == TEST) {
        const assay_query_value_t value = read(row, query->column);
        return test_holds(query, &value);
    }
    const truth_t left = holds(query->left, read, row);
    if (query->kind == NOT) {
        return left == UNKNOWN ? UNKNOWN : left == YES ? NO : YES;
    }
    const truth_t decides = query->kind == OR ? YES : NO; /* whatever the other side says */
    if (left == decides) {
        return left;
    }
    const truth_t right = holds(query->right, read, row);
    return right == decides ? right : left == UNKNOWN ? UNKNOWN : right;
}

bool assay_query_holds(const assay_query_t *query,
                       assay_query_value_t (*read)(const void *row, uint32_t column),
                       const void *row) {
    return holds(query, read, row) == YES;
}
