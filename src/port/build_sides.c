/* Which sources a CMake build with a branch for HIP names for CUDA alone: they are not its HIP
   side's, and nothing in them has to be moved. */
#include <string.h>

#include "port/port_hash.h"
#include "port/port_sink.h"
#include "port/reading.h"

#include "base/banned.h"

#define DEPTH_MAX 32u

typedef struct {
    bool cuda; /* the branch that is being read is built for CUDA alone */
    bool cuda_seen, hip_seen;
} branch_t;

typedef struct {
    port_sink_t *sink;
    branch_t branch[DEPTH_MAX];
    uint32_t depth; /* may be larger than DEPTH_MAX: deeper ones are not looked at */
} sides_t;

static bool has(const char *data, size_t begin, size_t end, const char *word) {
    return reading_contains(data + begin, end - begin, word);
}

static bool is_word(const char *data, size_t n, const char *word) {
    return n == strlen(word) && strncasecmp(data, word, n) == 0;
}

/* The condition of if and elseif, or nothing for else. */
static void enter(branch_t *branch, const char *data, size_t begin, size_t end, bool is_else) {
    const bool negated = has(data, begin, end, "NOT ") || has(data, begin, end, " OR ");
    const bool hip = has(data, begin, end, "HIP") || has(data, begin, end, "ROCM");
    const bool cuda = has(data, begin, end, "CUDA") && !hip;
    branch->cuda = is_else ? branch->hip_seen && !branch->cuda_seen : cuda && !negated;
    branch->cuda_seen |= cuda;
    branch->hip_seen |= hip && !negated;
}

static bool is_cuda_side(const sides_t *s) {
    for (uint32_t i = 0; i < s->depth && i < DEPTH_MAX; i++) {
        if (s->branch[i].cuda) {
            return true;
        }
    }
    return false;
}

/* "csrc/gemm.cu" among the words: told by its last part, as headers are. */
static void tell_sources(const sides_t *s, const char *data, size_t begin, size_t end) {
    static const char *const suffix[] = {".cu", ".cuh", ".cpp", ".cxx", ".cc"};
    const port_told_t side = is_cuda_side(s) ? PORT_TOLD_HEADER_CUDA : PORT_TOLD_BUILT;
    for (size_t at = begin; at < end;) {
        while (at < end && strchr(" \t();\"", data[at])) {
            at++;
        }
        size_t stop = at, name = at;
        for (; stop < end && !strchr(" \t();\"", data[stop]); stop++) {
            name = data[stop] == '/' ? stop + 1 : name;
        }
        for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
            const size_t n = strlen(suffix[i]);
            if (stop - name > n && memcmp(data + stop - n, suffix[i], n) == 0) {
                port_sink_tell(s->sink, side, port_hash(data + name, stop - name));
            }
        }
        at = stop;
    }
}

static void read_line(sides_t *s, const char *data, size_t begin, size_t end) {
    while (begin < end && (data[begin] == ' ' || data[begin] == '\t')) {
        begin++;
    }
    size_t n = 0;
    while (begin + n < end && data[begin + n] != '(' && data[begin + n] != ' ') {
        n++;
    }
    const char *command = data + begin;
    if (is_word(command, n, "if")) {
        if (s->depth < DEPTH_MAX) {
            s->branch[s->depth] = (branch_t){0};
            enter(&s->branch[s->depth], data, begin + n, end, false);
        }
        s->depth++;
    } else if (is_word(command, n, "endif")) {
        s->depth -= s->depth > 0;
    } else if (is_word(command, n, "else") || is_word(command, n, "elseif")) {
        if (s->depth > 0 && s->depth <= DEPTH_MAX) {
            enter(&s->branch[s->depth - 1], data, begin + n, end, n == 4);
        }
    } else {
        tell_sources(s, data, begin, end);
    }
}

void build_sides(port_sink_t *sink, const port_text_t *text) {
    sides_t s = {.sink = sink};
    bool in_block = false;
    for (size_t at = 0, next; at < text->size; at = next) {
        const size_t end = reading_line(text->data, at, text->size, &next);
        read_line(&s, text->data, at, build_code_end(text->data, at, end, true, &in_block));
    }
}
