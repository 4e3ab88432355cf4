/*
 * Runs the cases of real users: tests/cases/NAME/case.yaml says which commands, and what their JSON
 * must hold. Nothing is computed here: a value is found by its path and compared.
 *
 *   id, source, about   which case, where it is from, what happened in our own words
 *   needs               what answers it is not part of this version: the case is "not yet"
 *   required            the case must pass
 *   runs                list of
 *     run               arguments of one run of assay, in the case's folder; --json is added
 *     exit              expected exit code, default 0
 *     checks            list of {path, is | near | range | least | contains}; near: with rel or abs
 *
 * path: names apart by dots, [0] of an array, [key=value] the first object of an array that has it;
 * [?] after a path: how many match is not asked, only that one does. Values may carry a unit.
 *
 * usage: case_run ASSAY FOLDER [NAME...]     status 1 when a required case does not pass
 */
#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay/node.h"
#include "assay/text.h"
#include "assay/units.h"

#define ARG_MAX_N 64
#define OUTPUT_MAX ((size_t)16 << 20)
#define CASE_MAX 256

typedef enum { STATE_PASS, STATE_FAIL, STATE_NOT_YET, STATE_N } state_t;
static const char *const state_name[STATE_N] = {"pass", "FAIL", "not yet"};

static const char *text_of(const assay_node_t *mapping, const char *key) {
    const assay_node_t *node = assay_node_find(mapping, key);
    return node && node->kind == ASSAY_NODE_SCALAR ? node->text : NULL;
}

/* ---- running ---- */

static int run(const char *assay, const char *folder, const assay_node_t *list, assay_buf_t *out) {
    char *argv[ARG_MAX_N];
    int n = 0, fd[2], status = 0;
    argv[n++] = (char *)assay;
    for (const assay_node_t *word = list->child; word && n + 2 < ARG_MAX_N; word = word->next) {
        argv[n++] = (char *)word->text;
    }
    argv[n++] = (char *)"--json";
    argv[n] = NULL;
    if (pipe(fd) != 0) {
        return -1;
    }
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0 && dup2(fd[1], STDOUT_FILENO) >= 0) {
            close(fd[0]);
            close(fd[1]);
            unsetenv("ASSAY_DATA");
            unsetenv("XDG_CONFIG_HOME");
            execv(assay, argv);
        }
        _exit(127);
    }
    close(fd[1]);
    char part[65536];
    for (ssize_t got; (got = read(fd[0], part, sizeof part)) > 0 || (got < 0 && errno == EINTR);) {
        assay_buf_add(out, part, got > 0 ? (size_t)got : 0);
    }
    close(fd[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        return -1;
    }
    return WEXITSTATUS(status);
}

/* ---- paths ---- */

static bool has_value(const json_t *object, const char *key, const char *value) {
    const json_t *found = json_object_get(object, key);
    char number[32] = "";
    if (json_is_integer(found)) {
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(found));
    }
    return json_is_string(found) ? strcmp(json_string_value(found), value) == 0
                                 : strcmp(number, value) == 0;
}

/* The element of an array that "[...]" names; *io_at stands behind it. NULL: none. */
static const json_t *element(const json_t *array, const char **io_at) {
    char inside[256];
    const size_t n = strcspn(*io_at, "]");
    if (!(*io_at)[n] || n >= sizeof inside) {
        return NULL;
    }
    memcpy(inside, *io_at, n);
    inside[n] = '\0';
    *io_at += n + 1;
    /* [a=x&b=y]: all of them */
    for (size_t i = 0; strchr(inside, '=') && i < json_array_size(array); i++) {
        char all[256], *rest = all;
        bool fits = true;
        memcpy(all, inside, sizeof all);
        for (char *pair; (pair = strsep(&rest, "&"));) {
            char *equal = strchr(pair, '=');
            if (equal) {
                *equal = '\0';
                fits = fits && has_value(json_array_get(array, i), pair, equal + 1);
            }
        }
        if (fits) {
            return json_array_get(array, i);
        }
    }
    uint64_t index;
    return assay_text_to_u64(inside, n, &index) ? json_array_get(array, (size_t)index) : NULL;
}

static const json_t *find(const json_t *value, const char *path) {
    while (value && *path) {
        char name[128];
        if (*path == '[') {
            path++;
            value = element(value, &path);
            continue;
        }
        path += *path == '.';
        const size_t n = strcspn(path, ".[");
        if (n == 0 || n >= sizeof name) {
            return NULL;
        }
        memcpy(name, path, n);
        name[n] = '\0';
        path += n;
        value = json_object_get(value, name);
    }
    return value;
}

/* ---- comparing ---- */

/* A number, with a unit if it likes: "57.752 GiB", "1.44 TB". */
static bool read_number(const char *text, double *out) {
    return text &&
           (assay_text_to_double(text, strlen(text), out) ||
            assay_units_parse(text, strlen(text), ASSAY_DIM_BYTES, 1, NULL, out, NULL) == ASSAY_OK);
}

static bool is_equal(const json_t *found, const char *text) {
    double number;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return json_is_boolean(found) && json_is_true(found) == (text[0] == 't');
    }
    if (strcmp(text, "null") == 0) {
        return !found || json_is_null(found);
    }
    return json_is_string(found)
               ? strcmp(json_string_value(found), text) == 0
               : json_is_number(found) && read_number(text, &number) &&
                     fabs(json_number_value(found) - number) <= 1e-9 * fabs(number);
}

static bool holds(const assay_node_t *check, const json_t *found) {
    const char *text;
    double want, by, low, high;
    const double value = json_number_value(found);
    if ((text = text_of(check, "is"))) {
        return is_equal(found, text);
    }
    if ((text = text_of(check, "contains"))) {
        return json_is_string(found) && strcasestr(json_string_value(found), text);
    }
    if (strcmp(text_of(check, "there") ? text_of(check, "there") : "", "true") == 0) {
        return found != NULL;
    }
    if (strcmp(text_of(check, "there") ? text_of(check, "there") : "", "false") == 0) {
        return found == NULL;
    }
    if (!json_is_number(found)) {
        return false;
    }
    if ((text = text_of(check, "least"))) {
        return read_number(text, &want) && value >= want;
    }
    if ((text = text_of(check, "near"))) {
        const bool relative = read_number(text_of(check, "rel"), &by);
        return read_number(text, &want) &&
               (relative ? fabs(value - want) <= by * fabs(want)
                         : read_number(text_of(check, "abs"), &by) && fabs(value - want) <= by);
    }
    const assay_node_t *range = assay_node_find(check, "range");
    return range && range->n == 2 && read_number(range->child->text, &low) &&
           read_number(range->child->next->text, &high) && value >= low && value <= high;
}

/* ---- cases ---- */

static uint32_t check_run(const char *name, const assay_node_t *of, int code, const json_t *json,
                          uint32_t *io_checks) {
    uint32_t n_bad = 0;
    const char *want = text_of(of, "exit");
    char got[16];
    snprintf(got, sizeof got, "%d", code);
    (*io_checks)++;
    if (strcmp(got, want ? want : "0") != 0) {
        printf("%s: exit code %s, expected %s\n", name, got, want ? want : "0");
        n_bad++;
    }
    const assay_node_t *checks = assay_node_find(of, "checks");
    for (const assay_node_t *check = checks ? checks->child : NULL; check; check = check->next) {
        const char *path = text_of(check, "path");
        const json_t *found = find(json, path ? path : "");
        (*io_checks)++;
        if (!holds(check, found)) {
            char *text = found ? json_dumps(found, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
            printf("%s:%u: %s is %.120s\n", name, check->at.line, path ? path : "?",
                   text ? text : "not there");
            free(text);
            n_bad++;
        }
    }
    return n_bad;
}

static state_t run_case(const char *assay, const char *folder, const char *name,
                        const assay_node_t *root, uint32_t *out_checks) {
    const assay_node_t *runs = assay_node_find(root, "runs");
    uint32_t n_bad = 0;
    *out_checks = 0;
    if (!runs) {
        return STATE_NOT_YET;
    }
    for (const assay_node_t *of = runs->child; of; of = of->next) {
        const assay_node_t *words = assay_node_find(of, "run");
        json_error_t error;
        assay_buf_t out;
        assay_buf_init(&out, OUTPUT_MAX);
        const int code = words ? run(assay, folder, words, &out) : -1;
        json_t *json = json_loadb(out.n ? out.data : "", out.n, JSON_ALLOW_NUL, &error);
        n_bad += check_run(name, of, code, json, out_checks);
        json_decref(json);
        assay_buf_done(&out);
    }
    return n_bad ? STATE_FAIL : STATE_PASS;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static uint32_t list_cases(assay_arena_t *arena, const char *folder, const char **out) {
    uint32_t n = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir)) && n < CASE_MAX;) {
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') {
            out[n++] = assay_arena_strdup(arena, entry->d_name);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    qsort(out, n, sizeof *out, compare_names);
    return n;
}

int main(int argc, char **argv) {
    const char *name[CASE_MAX];
    uint32_t n_state[STATE_N] = {0}, n_required_bad = 0, n = 0;
    assay_arena_t *arena = assay_arena_create((size_t)256 << 20);
    if (argc < 3 || !arena) {
        fprintf(stderr, "usage: case_run ASSAY FOLDER [NAME...]\n");
        return 2;
    }
    for (int i = 3; i < argc && n < CASE_MAX; i++) {
        name[n++] = argv[i];
    }
    n = n ? n : list_cases(arena, argv[2], name);
    char *table = NULL;
    size_t table_size = 0;
    FILE *rows = open_memstream(&table, &table_size);
    for (uint32_t i = 0; rows && i < n; i++) {
        const char *folder = assay_arena_printf(arena, "%s/%s", argv[2], name[i]);
        const char *path = assay_arena_printf(arena, "%s/case.yaml", folder);
        char *data;
        size_t size;
        assay_node_t *root;
        assay_error_t err;
        char line[1024];
        if (assay_file_read(arena, path, 1u << 20, &data, &size, &err) != ASSAY_OK ||
            assay_node_parse(arena, path, data, size, &root, &err) != ASSAY_OK) {
            printf("%s\n", assay_error_line(&err, line, sizeof line));
            n_required_bad++;
            continue;
        }
        uint32_t n_checks;
        const state_t state = run_case(argv[1], folder, name[i], root, &n_checks);
        const char *required = text_of(root, "required"), *needs = text_of(root, "needs");
        const bool must = required && strcmp(required, "true") == 0;
        n_state[state]++;
        n_required_bad += must && state != STATE_PASS;
        fprintf(rows, "%-7s %3u  %-9s %-32s %s\n", state_name[state], n_checks,
                must ? "required" : "", name[i], needs ? needs : "");
    }
    if (rows) {
        fclose(rows);
        printf("%s%u cases: %u pass, %u fail, %u not yet\n", table, n, n_state[STATE_PASS],
               n_state[STATE_FAIL], n_state[STATE_NOT_YET]);
        free(table);
    }
    assay_arena_destroy(arena);
    return n_required_bad ? 1 : 0;
}
