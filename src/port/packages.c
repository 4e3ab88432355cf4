/* Lists of packages: requirements, conda environments, pyproject.toml, setup.cfg, Pipfile. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

/* Where a '#' opens a comment: at the line's begin or behind a blank (pip, YAML, TOML agree). */
static size_t code_end(const char *data, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        if (data[i] == '#' && (i == begin || data[i - 1] == ' ' || data[i - 1] == '\t')) {
            return i;
        }
    }
    return end;
}

static size_t skip_blanks(const char *data, size_t at, size_t end) {
    while (at < end && (data[at] == ' ' || data[at] == '\t')) {
        at++;
    }
    return at;
}

static void read_requirements(const reading_t *r) {
    const char *data = r->text->data;
    for (size_t at = 0, next; at < r->text->size; at = next) {
        const size_t end = reading_line(data, at, r->text->size, &next);
        reading_requirement(r, at, code_end(data, at, end));
    }
}

/* "- name=1.2=cuda120*", "- channel::name", "- pip:" and below it requirements of pip. Items that
   are no package ("- nvidia" of channels) name none in the table, or are its channel. */
static void read_conda(const reading_t *r) {
    const char *data = r->text->data;
    for (size_t at = 0, next; at < r->text->size; at = next) {
        const size_t line_end = reading_line(data, at, r->text->size, &next);
        const size_t end = code_end(data, at, line_end);
        size_t item = skip_blanks(data, at, end);
        if (item + 1 >= end || data[item] != '-' || data[item + 1] != ' ') {
            continue;
        }
        item = skip_blanks(data, item + 1, end);
        item += item < end && (data[item] == '"' || data[item] == '\'');
        const char *channel = memmem(data + item, end - item, "::", 2);
        const size_t name = channel ? (size_t)(channel - data) + 2 : item;
        size_t word_at = item, word = 0, n = 0;
        (void)reading_word(data, &word_at, end, &word, &n);
        const port_term_t *term =
            port_term_find(r->packages, PORT_WHERE_DOCKER, data + word, n, "", 0);
        if (term) {
            reading_report(r, term, word, n); /* cuda-toolkit, cudnn, the channel nvidia */
        } else {
            reading_requirement(r, name, end);
        }
    }
}

/* Strings of TOML ("torch>=2.1"), keys of its dependency tables (torch = "^2.1"), and bare lines of
   an INI list. What is no package's name is nobody's. */
static void read_project(const reading_t *r) {
    const char *data = r->text->data;
    bool in_dependencies = false;
    for (size_t at = 0, next; at < r->text->size; at = next) {
        const size_t line_end = reading_line(data, at, r->text->size, &next);
        const size_t end = code_end(data, at, line_end);
        const size_t begin = skip_blanks(data, at, end);
        if (begin < end && data[begin] == '[' && begin == at) {
            static const char *const tables[] = {"dependenc", "packages", "requires", NULL};
            in_dependencies = reading_contains_any(data + begin, end - begin, tables);
            continue;
        }
        const char *equals = begin < end ? memchr(data + begin, '=', end - begin) : NULL;
        const bool is_key = equals && !(equals > data && strchr("<>=!~", equals[-1])) &&
                            !(equals + 1 < data + end && equals[1] == '=');
        if (is_key && in_dependencies) {
            reading_requirement(r, begin, (size_t)(equals - data));
        } else if (!is_key && begin > at) {
            reading_requirement(r, begin, end); /* a line of install_requires */
        }
        for (size_t i = begin; i < end; i++) {
            if (data[i] != '"' && data[i] != '\'') {
                continue;
            }
            const char *close = memchr(data + i + 1, data[i], end - i - 1);
            const size_t stop = close ? (size_t)(close - data) : end;
            reading_requirement(r, i + 1, stop);
            i = stop;
        }
    }
}

void port_read_packages(port_sink_t *sink, const port_text_t *text) {
    const reading_t r = reading_begin(sink, text);
    switch (text->language) {
    case ASSAY_PORT_CONDA:
        read_conda(&r);
        break;
    case ASSAY_PORT_PYPROJECT:
        read_project(&r);
        break;
    default:
        read_requirements(&r);
        break;
    }
}
