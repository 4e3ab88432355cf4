/* Reads a source text with the C reader and answers where which rule spoke. */
#ifndef PORT_SOURCE_FIXTURE_H
#define PORT_SOURCE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "assay_test.h"
#include "port/port_sink.h"

typedef struct {
    assay_arena_t *arena;
    const port_tables_t *tables;
    assay_port_options_t options;
    assay_port_file_t file;
    assay_port_finding_t *finding;
    uint32_t n;
} port_fixture_t;

static inline int port_fixture_setup(void **state) {
    port_fixture_t *f = calloc(1, sizeof *f);
    assay_error_t err = {0};
    if (!f) {
        return -1;
    }
    f->arena = assay_arena_create((size_t)256 << 20);
    if (port_tables_load(f->arena, ASSAY_LANG_EN, &f->tables, &err) != ASSAY_OK) {
        print_error("%s:%u: %s\n", err.file, err.line, err.what);
        return -1;
    }
    *state = f;
    return 0;
}

static inline int port_fixture_teardown(void **state) {
    port_fixture_t *f = *state;
    assay_arena_destroy(f->arena);
    free(f);
    return 0;
}

static inline void port_fixture_read(port_fixture_t *f,
                                     void (*reader)(port_sink_t *, const port_text_t *),
                                     const char *source, const char *target, uint32_t rocm) {
    f->options = (assay_port_options_t){.rocm = rocm, .target = target};
    f->file = (assay_port_file_t){.path = "a.cu"};
    port_strings_t *strings = port_strings_create(f->arena);
    port_sink_t *sink = port_sink_create(f->tables, strings, &f->options);
    assert_non_null(sink);
    /* a copy of exact size, so that a read beyond the end is seen */
    const size_t size = strlen(source);
    char *data = malloc(size ? size : 1);
    assert_non_null(data);
    memcpy(data, source, size);
    const port_text_t text = {
        .path = "a.cu", .data = data, .size = size, .language = ASSAY_PORT_CUDA, .line = 1};
    port_sink_begin(sink, &f->file);
    reader(sink, &text);
    assert_false(port_sink_failed(sink));
    f->n = port_sink_count(sink);
    f->finding = assay_arena_array(f->arena, f->n, sizeof *f->finding);
    assert_non_null(f->finding);
    port_sink_copy(sink, f->finding);
    port_sink_destroy(sink);
    port_strings_destroy(strings);
    free(data);
}

/** For gfx942 and ROCm 7.0. */
static inline void port_fixture_c(port_fixture_t *f, const char *source) {
    port_fixture_read(f, port_read_c, source, "gfx942", 700);
}

static inline uint32_t port_fixture_count(const port_fixture_t *f, const char *rule) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        n += strcmp(f->finding[i].rule, rule) == 0;
    }
    return n;
}

static inline const assay_port_finding_t *port_fixture_find(const port_fixture_t *f,
                                                            const char *rule, uint32_t line) {
    for (uint32_t i = 0; i < f->n; i++) {
        if (strcmp(f->finding[i].rule, rule) == 0 && (!line || f->finding[i].at.line == line)) {
            return &f->finding[i];
        }
    }
    return NULL;
}

/** rule spoke exactly on these lines (0 ends the list), once each. */
static inline void port_fixture_lines(const port_fixture_t *f, const char *rule,
                                      const uint32_t *line, const char *where, int at) {
    uint32_t n = 0;
    for (; line[n]; n++) {
        if (!port_fixture_find(f, rule, line[n])) {
            print_error("%s:%d: %s is silent on line %u\n", where, at, rule, line[n]);
            fail();
        }
    }
    if (port_fixture_count(f, rule) != n) {
        for (uint32_t i = 0; i < f->n; i++) {
            print_error("  %u:%u %s %s\n", f->finding[i].at.line, f->finding[i].at.column,
                        f->finding[i].rule, f->finding[i].api);
        }
        print_error("%s:%d: %s speaks %u times, not %u\n", where, at, rule,
                    port_fixture_count(f, rule), n);
        fail();
    }
}
#define expect_lines(f, rule, ...) \
    port_fixture_lines(f, rule, (const uint32_t[]){__VA_ARGS__, 0}, __FILE__, __LINE__)
#define expect_none(f, rule) port_fixture_lines(f, rule, (const uint32_t[]){0}, __FILE__, __LINE__)

#endif
