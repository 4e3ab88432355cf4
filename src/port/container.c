/* Dockerfiles: the base image, what RUN installs, what ENV sets. */
#include <string.h>

#include "port/reading.h"

#include "base/banned.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* nvidia/..., nvcr.io/..., or a name or tag that begins with cuda: "pytorch:2.4-cuda12.1". */
static bool brings_cuda(const char *image, size_t n) {
    static const char *const registries[] = {"nvidia/", "nvcr.io/", NULL};
    for (const char *at = image; (at = memmem(at, (size_t)(image + n - at), "cuda", 4)); at++) {
        if (at == image || !is_letter(at[-1])) {
            return true;
        }
    }
    return reading_contains_any(image, n, registries);
}

/* "FROM [--platform=x] image [AS name]" */
static void read_from(const reading_t *r, size_t begin, size_t end) {
    const char *data = r->text->data;
    size_t at = begin;
    for (;;) {
        while (at < end && strchr(" \t\r", data[at])) {
            at++;
        }
        const size_t image = at;
        while (at < end && !strchr(" \t\r", data[at])) {
            at++;
        }
        if (at == image) {
            return;
        }
        if (at - image > 2 && data[image] == '-' && data[image + 1] == '-') {
            continue;
        }
        if (brings_cuda(data + image, at - image)) {
            reading_add(r, "container-base-cuda", image, at - image);
        }
        return;
    }
}

static bool instruction_is(const char *data, size_t begin, size_t end, const char *word) {
    const size_t n = strlen(word);
    return end - begin > n && strncasecmp(data + begin, word, n) == 0 &&
           strchr(" \t", data[begin + n]) != NULL;
}

void port_read_container(port_sink_t *sink, const port_text_t *text) {
    const reading_t r = reading_begin(sink, text);
    const char *data = text->data;
    for (size_t at = 0, next; at < text->size; at = next) {
        const size_t end = reading_line(data, at, text->size, &next);
        size_t begin = at;
        while (begin < end && strchr(" \t", data[begin])) {
            begin++;
        }
        if (instruction_is(data, begin, end, "FROM")) {
            read_from(&r, begin + 5, end);
        } else if (instruction_is(data, begin, end, "ARG") &&
                   reading_contains(data + begin, end - begin, "nvidia/cuda")) {
            reading_add(&r, "container-base-cuda", begin, end - begin);
        }
    }
    /* Everything else is commands and variables, as in a script; FROM lines hold none. */
    reading_shell(&r, 0, text->size, PORT_WHERE_DOCKER | PORT_WHERE_SHELL | PORT_WHERE_FLAG);
    reading_offload_archs(&r, 0, text->size);
}
