/* CMake, Make and files of flags. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

/* A build that already has a HIP branch: its CUDA half stays as it is. */
static bool builds_for_hip(const port_text_t *text) {
    static const char *const marks[] = {"find_package(hip",
                                        "find_package(HIP",
                                        "find_package(ROCM",
                                        "find_package(hip ",
                                        "enable_language(HIP",
                                        "LANGUAGES HIP",
                                        "hip_add_",
                                        "USE_ROCM",
                                        "USE_HIP",
                                        "ENABLE_HIP",
                                        "WITH_HIP",
                                        "GGML_HIP",
                                        "CMAKE_HIP_",
                                        "LANGUAGE HIP",
                                        "hipcc",
                                        NULL};
    return reading_contains_any(text->data, text->size, marks);
}

/* Where code ends on a CMake or Make line; "#[[ ... ]]" of CMake is left to *in_block. */
static size_t code_end(const char *data, size_t begin, size_t end, bool *in_block) {
    bool quoted = false;
    for (size_t i = begin; i < end; i++) {
        if (data[i] == '\\') {
            i++;
        } else if (data[i] == '"') {
            quoted = !quoted;
        } else if (data[i] == '#' && !quoted) {
            *in_block = end - i > 2 && data[i + 1] == '[' && data[i + 2] == '[' &&
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
            for (size_t language, m; reading_word(data, &inner, stop, &language, &m);) {
                if (m == 4 && memcmp(data + language, "CUDA", 4) == 0) {
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
    r.ported = builds_for_hip(text);
    for (size_t at = 0, next; at < text->size; at = next) {
        const size_t end = reading_line(data, at, text->size, &next);
        if (in_block) {
            in_block = !reading_contains(data + at, end - at, "]]");
            continue;
        }
        const size_t stop = code_end(data, at, end, &in_block);
        in_block = in_block && is_cmake;
        reading_terms(&r, at, stop, where);
        if (is_cmake) {
            read_languages(&r, at, stop);
        }
    }
    reading_offload_archs(&r, 0, text->size);
}
