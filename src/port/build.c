/* CMake, Make and files of flags. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

bool build_has_hip(const char *data, size_t size) {
    static const char *const marks[] = {"find_package(hip",  "find_package(HIP",
                                        "find_package(ROCM", "enable_language(HIP",
                                        "LANGUAGES HIP",     "LANGUAGE HIP",
                                        "hip_add_",          "CMAKE_HIP_",
                                        "USE_ROCM",          "USE_HIP",
                                        "ENABLE_HIP",        "WITH_HIP",
                                        "GGML_HIP",          "hipcc",
                                        "hip::host",         NULL};
    return reading_contains_any(data, size, marks);
}

size_t build_code_end(const char *data, size_t begin, size_t end, bool is_cmake, bool *in_block) {
    if (*in_block) {
        *in_block = !reading_contains(data + begin, end - begin, "]]");
        return begin;
    }
    bool quoted = false;
    for (size_t i = begin; i < end; i++) {
        if (data[i] == '\\') {
            i++;
        } else if (data[i] == '"') {
            quoted = !quoted;
        } else if (data[i] == '#' && !quoted) {
            *in_block = is_cmake && end - i > 2 && data[i + 1] == '[' && data[i + 2] == '[' &&
                        !reading_contains(data + i, end - i, "]]");
            return i;
        }
    }
    return end;
}

/* "project(x LANGUAGES CXX CUDA)", "enable_language(CUDA)": the word CUDA among the arguments. */
static void read_languages(const reading_t *r, size_t begin, size_t end) {
    static const char *const commands[] = {"project", "enable_language", "check_language", NULL};
    const char *data = r->text->data;
    for (size_t at = begin, word, n; reading_word(data, &at, end, &word, &n);) {
        for (const char *const *c = commands; *c; c++) {
            if (strlen(*c) != n || strncasecmp(data + word, *c, n) != 0) {
                continue;
            }
            const char *open = memchr(data + word, '(', r->text->size - word);
            const char *close =
                open ? memchr(open, ')', (size_t)(data + r->text->size - open)) : NULL;
            size_t inner = open ? (size_t)(open - data) : end;
            const size_t stop = close ? (size_t)(close - data) : end;
            bool quoted = false; /* a description is no language */
            for (size_t from = inner, language, m; reading_word(data, &inner, stop, &language, &m);
                 from = inner) {
                for (size_t i = from; i < language; i++) {
                    quoted ^= data[i] == '"';
                }
                if (!quoted && m == 4 && memcmp(data + language, "CUDA", 4) == 0) {
                    reading_add(r, "cmake-language-cuda", language, m);
                }
            }
            return;
        }
    }
}

void port_read_build(port_sink_t *sink, const port_text_t *text) {
    reading_t r = reading_begin(sink, text);
    const bool is_cmake = text->language == ASSAY_PORT_CMAKE;
    const unsigned where = PORT_WHERE_FLAG | (is_cmake ? PORT_WHERE_CMAKE : PORT_WHERE_MAKE);
    const char *data = text->data;
    bool in_block = false;
    r.ported = build_has_hip(text->data, text->size);
    for (size_t at = 0, next; at < text->size; at = next) {
        const size_t end = reading_line(data, at, text->size, &next);
        const size_t stop = build_code_end(data, at, end, is_cmake, &in_block);
        reading_terms(&r, at, stop, where);
        if (is_cmake) {
            read_languages(&r, at, stop);
        }
    }
    reading_offload_archs(&r, 0, text->size);
    if (is_cmake && r.ported) {
        build_sides(sink, text);
    }
}
