/*
 * Writes docs/checks.md and docs/env.md from the rows of data/; with --check compares only.
 * usage: write_docs [--check] [DOCS]. Exit codes: 0, 1 a file is out of date, 2 wrong usage, 4.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/env.h"
#include "assay/text.h"
#include "host/env_tables.h"

#include "base/banned.h"

#define ARENA_BYTES ((size_t)64 << 20)

static const char generated[] =
    "<!-- Written by ./dev docs from data/. Change the rows, not this file. -->\n\n";

/* {name|default} reads default, {name} reads name; what ends a cell of a table is escaped. */
static void put(assay_buf_t *out, const char *text) {
    while (*text) {
        const char *close = *text == '{' ? strchr(text, '}') : NULL;
        if (close) {
            const char *bar = memchr(text, '|', (size_t)(close - text));
            const char *from = bar ? bar + 1 : text + 1;
            assay_buf_add(out, from, (size_t)(close - from));
            text = close + 1;
        } else if (*text == '|' || *text == '<' || *text == '*') {
            assay_buf_printf(out, "\\%c", *text++);
        } else {
            assay_buf_add(out, text++, 1);
        }
    }
}

static void put_row(assay_buf_t *out, const char *const *cell, size_t n) {
    for (size_t i = 0; i < n; i++) {
        assay_buf_puts(out, "| ");
        put(out, cell[i]);
        assay_buf_puts(out, " ");
    }
    assay_buf_puts(out, "|\n");
}
#define ROW(out, ...)                                \
    put_row(out, (const char *const[]){__VA_ARGS__}, \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void put_check(assay_buf_t *out, const assay_check_t *check) {
    const struct {
        const char *word, *text;
    } part[] = {{"Why", check->cause},   {"Reads", check->reads},   {"Do", check->fix},
                {"Then", check->verify}, {"Source", check->source}, {"More", check->reference}};
    assay_buf_printf(out, "### %s\n\n", check->id);
    assay_buf_puts(out, "**");
    put(out, check->title);
    assay_buf_printf(out, "** (%s)\n\n", assay_severity_name((assay_severity_t)check->severity));
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        if (*part[i].text) {
            assay_buf_printf(out, "- %s: ", part[i].word);
            put(out, part[i].text);
            assay_buf_puts(out, "\n");
        }
    }
    assay_buf_puts(out, "\n");
}

static void put_thresholds(assay_arena_t *arena, assay_buf_t *out) {
    assay_csv_t csv;
    if (assay_data_table(arena, "check_thresholds.csv", NULL, 0, &csv, NULL)) {
        return;
    }
    assay_buf_puts(out, "## Thresholds\n\n| threshold | value | source |\n| --- | --- | --- |\n");
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        ROW(out, assay_csv_cell(&csv, i, assay_csv_column(&csv, "id")),
            assay_csv_cell(&csv, i, assay_csv_column(&csv, "value")),
            assay_csv_cell(&csv, i, assay_csv_column(&csv, "source")));
    }
}

static void checks_page(assay_arena_t *arena, const assay_env_rules_t *rules, assay_buf_t *out) {
    uint32_t n;
    const assay_check_t *check = assay_host_rules_checks(rules->host, &n);
    assay_buf_puts(out, "# Checks of `assay doctor`\n\n");
    assay_buf_puts(out, generated);
    assay_buf_printf(out,
                     "%u checks. `assay doctor --explain ID` says the same of one. A severity is "
                     "the usual one; a finding may say less or more.\n\n",
                     n);
    assay_buf_puts(out, "| check | severity | what is wrong |\n| --- | --- | --- |\n");
    for (uint32_t i = 0; i < n; i++) {
        ROW(out, check[i].id, assay_severity_name((assay_severity_t)check[i].severity),
            check[i].title);
    }
    assay_buf_puts(out, "\n");
    for (uint32_t i = 0; i < n; i++) {
        put_check(out, &check[i]);
    }
    put_thresholds(arena, out);
}

/* Rows of a table of data/, of some columns. */
static void put_table(assay_arena_t *arena, assay_buf_t *out, const char *file,
                      const char *const *column, size_t n) {
    assay_csv_t csv;
    if (assay_data_table(arena, file, NULL, 0, &csv, NULL)) {
        return;
    }
    put_row(out, column, n);
    for (size_t c = 0; c < n; c++) {
        assay_buf_puts(out, "| --- ");
    }
    assay_buf_puts(out, "|\n");
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        for (size_t c = 0; c < n; c++) {
            assay_buf_puts(out, "| ");
            put(out, assay_csv_cell(&csv, i, assay_csv_column(&csv, column[c])));
            assay_buf_puts(out, " ");
        }
        assay_buf_puts(out, "|\n");
    }
    assay_buf_puts(out, "\n");
}
#define TABLE(arena, out, file, ...)                                \
    put_table(arena, out, file, (const char *const[]){__VA_ARGS__}, \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* What the lint says of a shipped example, as a table. */
static bool put_audit(assay_arena_t *arena, const assay_env_rules_t *rules, assay_buf_t *out,
                      const char *path, const char *target, const char *part) {
    char *data;
    size_t n;
    assay_diagnosis_t *diagnosis;
    const assay_env_options_t options = {
        .target = target, .part = part, .threshold = ASSAY_SEVERITY_WARNING};
    if (assay_file_read(arena, path, ASSAY_ENV_MAX_FILE_BYTES, &data, &n, NULL)) {
        fprintf(stderr, "write_docs: %s cannot be read\n", path);
        return false;
    }
    const char *name = strstr(path, "examples/");
    const assay_host_file_t file = {name ? name : path, data, n};
    if (assay_env_lint(arena, rules, file.name, &file, 1, NULL, &options, &diagnosis, NULL)) {
        return false;
    }
    assay_buf_printf(out, "### %s, for %s\n\n", file.name, part);
    assay_buf_puts(out,
                   "| severity | check | what is wrong | instead |\n| --- | --- | --- | --- |\n");
    for (uint32_t i = 0; i < diagnosis->n_status[ASSAY_CHECK_BAD]; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        const char *what = strstr(finding->evidence, ": ");
        ROW(out, assay_severity_name((assay_severity_t)finding->severity), finding->check->id,
            what ? what + 2 : finding->evidence, finding->fix);
    }
    assay_buf_puts(out, "\n");
    return true;
}

static bool env_page(assay_arena_t *arena, const assay_env_rules_t *rules, const char *examples,
                     assay_buf_t *out) {
    const struct {
        const char *file, *target, *part;
    } example[] = {{"seed-a-build.sh", "gfx90a", "Instinct MI250X"},
                   {"seed-b-serving.sh", "gfx950", "Instinct MI350X"}};
    assay_buf_puts(out, "# What `assay env` knows\n\n");
    assay_buf_puts(out, generated);
    assay_buf_puts(out, "## Checks\n\n| check | severity | what is wrong | do |\n"
                        "| --- | --- | --- | --- |\n");
    for (uint32_t i = 0; i < rules->n_check; i++) {
        ROW(out, rules->check[i].id,
            assay_severity_name((assay_severity_t)rules->check[i].severity), rules->check[i].title,
            rules->check[i].fix);
    }
    assay_buf_puts(out,
                   "\n## The seed articles' command lines\n\n"
                   "Restated in [examples](../examples); this is what the lint says of them.\n\n");
    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        const char *path = assay_arena_printf(arena, "%s/%s", examples, example[i].file);
        if (!path || !put_audit(arena, rules, out, path, example[i].target, example[i].part)) {
            return false;
        }
    }
    assay_buf_puts(out, "## Settings that contradict each other\n\n");
    TABLE(arena, out, "env_conflicts.csv", "first", "first_value", "second", "second_value",
          "severity", "why", "source");
    assay_buf_puts(out, "## Advice of vendors\n\n");
    TABLE(arena, out, "env_advice.csv", "name", "advice", "target", "engine", "severity", "why",
          "source");
    assay_buf_puts(out, "## Commands and compiler flags\n\n");
    TABLE(arena, out, "env_commands.csv", "pattern", "check", "severity", "what", "fix", "source");
    assay_buf_puts(out, "## Variables\n\n");
    TABLE(arena, out, "envvars.csv", "name", "component", "meaning", "values", "default", "use",
          "effect", "check", "severity", "source");
    return true;
}

/* 0, or 1 when the file is not what it should be. */
static int settle(assay_arena_t *arena, const char *docs, const char *name, assay_buf_t *out,
                  bool check) {
    char *data = NULL;
    size_t n = 0;
    assay_error_t err;
    const char *path = assay_arena_printf(arena, "%s/%s", docs, name);
    int rc = 4;
    while (out->n > 1 && out->data[out->n - 1] == '\n' && out->data[out->n - 2] == '\n') {
        out->n--;
    }
    if (path && !out->failed && check) {
        const bool same = !assay_file_read(arena, path, (size_t)16 << 20, &data, &n, NULL) &&
                          n == out->n && memcmp(data, out->data, n) == 0;
        if (!same) {
            printf("%s is out of date: ./dev docs\n", path);
        }
        rc = same ? 0 : 1;
    } else if (path && !out->failed) {
        rc = assay_file_write(path, out->data, out->n, &err) ? 4 : 0;
    }
    assay_buf_done(out);
    return rc;
}

int main(int argc, char **argv) {
    const bool check = argc > 1 && strcmp(argv[1], "--check") == 0;
    const char *docs = argc > 1 + check ? argv[1 + check] : "docs";
    assay_arena_t *arena = assay_arena_create(ARENA_BYTES);
    const assay_env_rules_t *rules;
    assay_error_t err = {0};
    char line[1024];
    if (argc > 2 + check || !arena) {
        fprintf(stderr, "usage: write_docs [--check] [DOCS]\n");
        return 2;
    }
    if (assay_env_rules_load(arena, NULL, 0, ASSAY_LANG_EN, &rules, &err)) {
        fprintf(stderr, "write_docs: %s\n", assay_error_line(&err, line, sizeof line));
        return 4;
    }
    assay_buf_t page;
    assay_buf_init(&page, (size_t)16 << 20);
    checks_page(arena, rules, &page);
    int rc = settle(arena, docs, "checks.md", &page, check);
    assay_buf_init(&page, (size_t)16 << 20);
    const char *examples = assay_arena_printf(arena, "%s/../examples", docs);
    if (!examples || !env_page(arena, rules, examples, &page)) {
        return 4;
    }
    const int env = settle(arena, docs, "env.md", &page, check);
    assay_arena_destroy(arena);
    return rc > env ? rc : env;
}
