#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "assay/catalog.h"
#include "port/reading.h"

#include "base/banned.h"

enum { MAX_NAME = 128 };
#define N_OF(array) (sizeof(array) / sizeof *(array))

typedef struct {
    const char *name;
    const port_package_t *package;
} name_t;

struct port_packages {
    port_package_t *package;
    uint32_t n_package;
    name_t *by_name, *by_module; /* sorted */
    uint32_t n_name, n_module;
    port_framework_t *framework;
    uint32_t n_framework;
    port_term_t *term; /* sorted by first word; those that are prefixes at the end */
    uint32_t n_exact, n_term;
    uint32_t *slot; /* first row of a word from 1; 0 = free */
    uint32_t mask;
    uint8_t prefix_where[256]; /* by first character: where prefixes count */
};

typedef struct {
    const assay_csv_t *csv;
    uint32_t row;
} cursor_t;

static const char *cell(cursor_t at, const char *column) {
    const int index = assay_csv_column(at.csv, column);
    assert(index >= 0);
    return assay_csv_cell(at.csv, at.row, index);
}

static assay_status_t bad_cell(cursor_t at, const char *column, assay_error_t *err) {
    const assay_place_t place = assay_csv_place(at.csv, at.row);
    return assay_error_set(err, ASSAY_INPUT, &place, "column '%s': unknown value '%s'", column,
                           cell(at, column));
}

static int choice(const char *text, size_t n, const char *const *choices, size_t n_choices) {
    for (size_t i = 0; i < n_choices; i++) {
        if (strlen(choices[i]) == n && strncmp(choices[i], text, n) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* --- packages ------------------------------------------------------------------------------- */

/* Lower case, and one '-' for every run of '-', '_' and '.' (PEP 503). 0 when it is too long. */
static size_t normal_name(const char *name, size_t n, char out[MAX_NAME]) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        const bool joint = name[i] == '-' || name[i] == '_' || name[i] == '.';
        if (joint && k && out[k - 1] == '-') {
            continue;
        }
        if (k + 1 >= MAX_NAME) {
            return 0;
        }
        out[k++] = joint                              ? '-'
                   : name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a')
                                                      : name[i];
    }
    out[k] = 0;
    return k;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(((const name_t *)a)->name, ((const name_t *)b)->name);
}

static const port_package_t *find_name(const name_t *names, uint32_t n_names, const char *name) {
    const name_t key = {name, NULL};
    const name_t *found =
        n_names ? bsearch(&key, names, n_names, sizeof *names, compare_names) : NULL;
    return found ? found->package : NULL;
}

const port_package_t *port_package_find(const port_packages_t *packages, const char *name,
                                        size_t n) {
    char normal[MAX_NAME];
    return normal_name(name, n, normal) ? find_name(packages->by_name, packages->n_name, normal)
                                        : NULL;
}

/* "a.b.c", then "a.b", then "a". */
const port_package_t *port_module_find(const port_packages_t *packages, const char *module,
                                       size_t n) {
    char name[MAX_NAME];
    if (n >= MAX_NAME) {
        return NULL;
    }
    memcpy(name, module, n);
    name[n] = 0;
    for (char *dot = name + n; dot; dot = strrchr(name, '.')) {
        *dot = 0;
        const port_package_t *found = find_name(packages->by_module, packages->n_module, name);
        if (found) {
            return found;
        }
    }
    return NULL;
}

const char *port_module_at(const port_packages_t *packages, uint32_t index,
                           const port_package_t **out_package) {
    if (index >= packages->n_module) {
        return NULL;
    }
    *out_package = packages->by_module[index].package;
    return packages->by_module[index].name;
}

/* The ';'-separated names of one cell, appended to list. */
static bool split_names(assay_arena_t *arena, const char *text, bool normalise,
                        const port_package_t *package, name_t *list, uint32_t *n) {
    while (*text) {
        const size_t length = strcspn(text, ";");
        char normal[MAX_NAME];
        const size_t n_normal = normalise ? normal_name(text, length, normal) : length;
        char *name = assay_arena_strndup(arena, normalise ? normal : text, n_normal);
        if (!name) {
            return false;
        }
        list[(*n)++] = (name_t){name, package};
        text += length + (text[length] == ';');
    }
    return true;
}

static uint32_t count_names(const assay_csv_t *csv, const char *column) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < csv->n_rows; i++) {
        const char *text = cell((cursor_t){csv, i}, column);
        n += text[0] != 0;
        for (; *text; text++) {
            n += *text == ';';
        }
    }
    return n;
}

static assay_status_t load_packages(assay_arena_t *arena, port_packages_t *p, assay_error_t *err) {
    static const char *const status_names[] = {"native",  "neutral", "amd_only",
                                               "partial", "fork",    "replacement",
                                               "none",    "drop",    "unknown"};
    static_assert(N_OF(status_names) == PORT_PACKAGE_STATUS_N, "one name a status");
    static const char *const level_names[] = {"", "1", "2", "3"};
    assay_csv_t csv;
    assay_status_t status = assay_data_table(arena, "port_packages.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    p->package = assay_arena_array(arena, csv.n_rows, sizeof *p->package);
    p->by_name = assay_arena_array(arena, count_names(&csv, "names"), sizeof *p->by_name);
    p->by_module = assay_arena_array(arena, count_names(&csv, "modules"), sizeof *p->by_module);
    if (!p->package || !p->by_name || !p->by_module) {
        return assay_error_memory(err, NULL);
    }
    p->n_package = csv.n_rows;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const cursor_t at = {&csv, i};
        const char *text = cell(at, "status"), *level = cell(at, "level");
        const int state = choice(text, strlen(text), status_names, N_OF(status_names));
        const int number = choice(level, strlen(level), level_names, N_OF(level_names));
        if (state < 0 || number < 0) {
            return bad_cell(at, state < 0 ? "status" : "level", err);
        }
        p->package[i] = (port_package_t){.id = cell(at, "package"),
                                         .replacement = cell(at, "replacement"),
                                         .note = cell(at, "note"),
                                         .source = cell(at, "source"),
                                         .status_text = text,
                                         .since = cell(at, "since"),
                                         .status = (uint8_t)state,
                                         .level = (uint8_t)number};
        if (!split_names(arena, cell(at, "names"), true, &p->package[i], p->by_name, &p->n_name) ||
            !split_names(arena, cell(at, "modules"), false, &p->package[i], p->by_module,
                         &p->n_module)) {
            return assay_error_memory(err, NULL);
        }
    }
    if (p->n_name) {
        qsort(p->by_name, p->n_name, sizeof *p->by_name, compare_names);
    }
    if (p->n_module) {
        qsort(p->by_module, p->n_module, sizeof *p->by_module, compare_names);
    }
    return ASSAY_OK;
}

/* --- frameworks ----------------------------------------------------------------------------- */

static assay_status_t read_version(cursor_t at, const char *column, uint16_t *out,
                                   assay_error_t *err) {
    const char *text = cell(at, column);
    uint32_t version = 0;
    if (text[0] && !assay_port_rocm_parse(text, &version)) {
        return bad_cell(at, column, err);
    }
    *out = (uint16_t)version;
    return ASSAY_OK;
}

static unsigned n_frameworks(const port_packages_t *p) {
    unsigned n = p->n_framework > 0;
    for (uint32_t i = 1; i < p->n_framework; i++) {
        n += strcmp(p->framework[i].package, p->framework[i - 1].package) != 0;
    }
    return n;
}

static assay_status_t load_frameworks(assay_arena_t *arena, assay_lang_t lang, port_packages_t *p,
                                      assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status =
        assay_data_table_said(arena, lang, "port_frameworks.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    p->framework = assay_arena_array(arena, csv.n_rows, sizeof *p->framework);
    if (!p->framework) {
        return assay_error_memory(err, NULL);
    }
    p->n_framework = csv.n_rows;
    for (uint32_t i = 0; status == ASSAY_OK && i < csv.n_rows; i++) {
        const cursor_t at = {&csv, i};
        port_framework_t *row = &p->framework[i];
        *row = (port_framework_t){.package = cell(at, "package"),
                                  .name = cell(at, "framework"),
                                  .versions = cell(at, "versions"),
                                  .how = cell(at, "how"),
                                  .note = cell(at, "note"),
                                  .source = cell(at, "source"),
                                  .targets = cell(at, "targets")};
        status = read_version(at, "rocm_from", &row->rocm_from, err);
        if (status == ASSAY_OK) {
            status = read_version(at, "rocm_to", &row->rocm_to, err);
        }
    }
    if (status == ASSAY_OK && n_frameworks(p) > PORT_FRAMEWORKS) {
        const assay_place_t place = {csv.file, 0, 0};
        return assay_error_set(err, ASSAY_LIMIT, &place, "more than %u frameworks",
                               PORT_FRAMEWORKS);
    }
    return status;
}

static bool target_listed(const char *targets, const char *target) {
    while (*targets) {
        const size_t n = strcspn(targets, "|");
        if (strlen(target) == n && strncmp(targets, target, n) == 0) {
            return true;
        }
        targets += n + (targets[n] == '|');
    }
    return false;
}

const port_framework_t *port_framework_find(const port_packages_t *packages, const char *package,
                                            const assay_port_options_t *options, bool *out_known) {
    *out_known = false;
    for (uint32_t i = 0; i < packages->n_framework; i++) {
        const port_framework_t *row = &packages->framework[i];
        if (strcmp(row->package, package) != 0) {
            continue;
        }
        *out_known = true;
        if ((!row->rocm_from || options->rocm >= row->rocm_from) &&
            (!row->rocm_to || options->rocm < row->rocm_to) &&
            (!row->targets[0] || !options->target ||
             target_listed(row->targets, options->target))) {
            return row;
        }
    }
    return NULL;
}

unsigned port_framework_number(const port_packages_t *packages, const char *package) {
    unsigned n = 0;
    for (uint32_t i = 0; i < packages->n_framework; i++) {
        const char *name = packages->framework[i].package;
        n += i > 0 && strcmp(name, packages->framework[i - 1].package) != 0;
        if (strcmp(name, package) == 0) {
            return n;
        }
    }
    return PORT_FRAMEWORKS;
}

bool port_packages_framework(const port_packages_t *packages, unsigned index,
                             const assay_port_options_t *options, assay_port_framework_t *out) {
    uint32_t first = 0;
    while (first < packages->n_framework &&
           port_framework_number(packages, packages->framework[first].package) != index) {
        first++;
    }
    if (first == packages->n_framework) {
        return false;
    }
    bool known;
    const char *package = packages->framework[first].package;
    const port_framework_t *row = port_framework_find(packages, package, options, &known);
    *out = (assay_port_framework_t){.package = package,
                                    .name = packages->framework[first].name,
                                    .listed = row != NULL,
                                    .versions = row ? row->versions : "",
                                    .how = row ? row->how : "",
                                    .note = row ? row->note : "",
                                    .source = row ? row->source : ""};
    return true;
}

/* --- terms ---------------------------------------------------------------------------------- */

static uint32_t hash_word(const char *word, size_t n) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)word[i]) * 16777619u;
    }
    return hash;
}

static int compare_words(const char *a, size_t n_a, const char *b, size_t n_b) {
    const int order = memcmp(a, b, n_a < n_b ? n_a : n_b);
    return order ? order : n_a < n_b ? -1 : n_a > n_b;
}

/* By first word; of one word those that ask for a next one first, exact ones before prefixes. */
static int compare_terms(const void *a, const void *b) {
    const port_term_t *x = a, *y = b;
    if (x->is_prefix != y->is_prefix) {
        return x->is_prefix - y->is_prefix;
    }
    const int order = compare_words(x->word, x->n_word, y->word, y->n_word);
    if (order || (x->n_next == 0) != (y->n_next == 0)) {
        return order ? order : (x->n_next == 0) - (y->n_next == 0);
    }
    if (x->next_is_prefix != y->next_is_prefix) {
        return x->next_is_prefix - y->next_is_prefix;
    }
    return compare_words(x->next, x->n_next, y->next, y->n_next);
}

static assay_status_t read_where(cursor_t at, uint8_t *out, assay_error_t *err) {
    static const char *const names[] = {
#define WHERE_NAME(code, name) name,
        PORT_WHERE_LIST(WHERE_NAME)
#undef WHERE_NAME
    };
    unsigned bits = 0;
    for (const char *text = cell(at, "where"); *text;) {
        const size_t n = strcspn(text, ";");
        const int index = choice(text, n, names, N_OF(names));
        if (index < 0) {
            return bad_cell(at, "where", err);
        }
        bits |= 1u << index;
        text += n + (text[n] == ';');
    }
    *out = (uint8_t)bits;
    return ASSAY_OK;
}

static void split_term(port_term_t *term) {
    const char *space = strchr(term->word, ' ');
    term->n_word = space ? (size_t)(space - term->word) : strlen(term->word);
    term->next = space ? space + 1 : "";
    term->n_next = strlen(term->next);
    term->is_prefix = term->n_word && term->word[term->n_word - 1] == '*';
    term->n_word -= term->is_prefix;
    term->next_is_prefix = term->n_next && term->next[term->n_next - 1] == '*';
    term->n_next -= term->next_is_prefix;
}

static assay_status_t index_terms(assay_arena_t *arena, port_packages_t *p, assay_error_t *err) {
    uint32_t size = 16;
    while (size < 2 * p->n_term) {
        size *= 2;
    }
    p->slot = assay_arena_array(arena, size, sizeof *p->slot);
    if (!p->slot) {
        return assay_error_memory(err, NULL);
    }
    p->mask = size - 1;
    for (uint32_t i = p->n_exact; i < p->n_term; i++) {
        p->prefix_where[(unsigned char)p->term[i].word[0]] |= p->term[i].where;
    }
    for (uint32_t i = 0; i < p->n_exact; i++) {
        const port_term_t *t = &p->term[i];
        if (i && compare_words(t->word, t->n_word, t[-1].word, t[-1].n_word) == 0) {
            continue;
        }
        uint32_t at = hash_word(t->word, t->n_word);
        while (p->slot[at & p->mask]) {
            at++;
        }
        p->slot[at & p->mask] = i + 1;
    }
    return ASSAY_OK;
}

static assay_status_t load_terms(assay_arena_t *arena, port_packages_t *p, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status = assay_data_table(arena, "port_terms.csv", NULL, 0, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    p->term = assay_arena_array(arena, csv.n_rows, sizeof *p->term);
    if (!p->term) {
        return assay_error_memory(err, NULL);
    }
    p->n_term = csv.n_rows;
    for (uint32_t i = 0; status == ASSAY_OK && i < csv.n_rows; i++) {
        const cursor_t at = {&csv, i};
        p->term[i] = (port_term_t){.word = cell(at, "term"),
                                   .rule = cell(at, "rule"),
                                   .status = cell(at, "status"),
                                   .replacement = cell(at, "replacement"),
                                   .source = cell(at, "source"),
                                   .rewrite = cell(at, "rewrite")};
        status = read_where(at, &p->term[i].where, err);
        split_term(&p->term[i]);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    if (p->n_term) {
        qsort(p->term, p->n_term, sizeof *p->term, compare_terms);
    }
    while (p->n_exact < p->n_term && !p->term[p->n_exact].is_prefix) {
        p->n_exact++;
    }
    return index_terms(arena, p, err);
}

static bool next_fits(const port_term_t *term, const char *next, size_t n_next) {
    if (term->next_is_prefix) {
        return n_next >= term->n_next && memcmp(next, term->next, term->n_next) == 0;
    }
    return term->n_next == 0 || compare_words(next, n_next, term->next, term->n_next) == 0;
}

const port_term_t *port_term_find(const port_packages_t *p, unsigned where, const char *word,
                                  size_t n, const char *next, size_t n_next) {
    if (n == 0) {
        return NULL;
    }
    for (uint32_t at = hash_word(word, n); p->slot[at & p->mask]; at++) {
        uint32_t i = p->slot[at & p->mask] - 1;
        if (compare_words(p->term[i].word, p->term[i].n_word, word, n) != 0) {
            continue;
        }
        for (; i < p->n_exact && compare_words(p->term[i].word, p->term[i].n_word, word, n) == 0;
             i++) {
            if ((p->term[i].where & where) && next_fits(&p->term[i], next, n_next)) {
                return &p->term[i];
            }
        }
        break;
    }
    if (!(p->prefix_where[(unsigned char)word[0]] & where)) {
        return NULL;
    }
    const port_term_t *best = NULL; /* the longest prefix says most */
    for (uint32_t i = p->n_exact; i < p->n_term; i++) {
        const port_term_t *t = &p->term[i];
        if ((t->where & where) && t->word[0] == word[0] && n >= t->n_word &&
            memcmp(t->word, word, t->n_word) == 0 && next_fits(t, next, n_next) &&
            (!best || t->n_word > best->n_word)) {
            best = t;
        }
    }
    return best;
}

assay_status_t port_packages_load(assay_arena_t *arena, assay_lang_t lang,
                                  const port_packages_t **out_packages, assay_error_t *err) {
    port_packages_t *p = assay_arena_alloc(arena, sizeof *p);
    if (!p) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = load_packages(arena, p, err);
    if (status == ASSAY_OK) {
        status = load_frameworks(arena, lang, p, err);
    }
    if (status == ASSAY_OK) {
        status = load_terms(arena, p, err);
    }
    if (status == ASSAY_OK) {
        *out_packages = p;
    }
    return status;
}
