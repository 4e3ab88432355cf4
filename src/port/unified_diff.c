#include <string.h>

#include "assay/port.h"

#include "base/banned.h"

#define CONTEXT 3u
#define WINDOW 64u /* lines looked ahead for where two texts agree again */

typedef struct {
    const char *data;
    size_t *start; /* (n + 1): where lines begin, and the end */
    uint32_t n;
} lines_t;

/* from[a, a_end) was replaced by to[b, b_end). */
typedef struct {
    uint32_t a, a_end, b, b_end;
} edit_t;

typedef struct {
    assay_arena_t *arena;
    lines_t from, to;
    edit_t *edit;
    uint32_t n_edit, capacity;
} diff_t;

static bool split(assay_arena_t *arena, const char *data, size_t size, lines_t *out) {
    uint64_t n = size > 0 && data[size - 1] != '\n';
    for (size_t i = 0; i < size; i++) {
        n += data[i] == '\n';
    }
    *out = (lines_t){.data = data, .n = (uint32_t)n};
    out->start = n < UINT32_MAX ? assay_arena_array(arena, n + 1, sizeof *out->start) : NULL;
    if (!out->start) {
        return false;
    }
    size_t at = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        out->start[i] = at;
        const char *stop = memchr(data + at, '\n', size - at);
        at = stop ? (size_t)(stop - data) + 1 : size;
    }
    out->start[out->n] = size;
    return true;
}

static bool equal(const diff_t *diff, uint32_t a, uint32_t b) {
    const size_t n = diff->from.start[a + 1] - diff->from.start[a];
    return n == diff->to.start[b + 1] - diff->to.start[b] &&
           memcmp(diff->from.data + diff->from.start[a], diff->to.data + diff->to.start[b], n) == 0;
}

/* Both end, or two lines in a row agree: one alone may be a brace. */
static bool agree(const diff_t *diff, uint32_t a, uint32_t b) {
    const bool a_end = a == diff->from.n, b_end = b == diff->to.n;
    if (a_end || b_end) {
        return a_end && b_end;
    }
    if (!equal(diff, a, b)) {
        return false;
    }
    const bool a_last = a + 1 == diff->from.n, b_last = b + 1 == diff->to.n;
    return a_last || b_last ? a_last && b_last : equal(diff, a + 1, b + 1);
}

/* The nearest place behind a and b where the texts agree again. */
static void meet(const diff_t *diff, uint32_t *a, uint32_t *b) {
    const uint32_t a_left = diff->from.n - *a, b_left = diff->to.n - *b;
    for (uint32_t sum = 1; sum <= 2 * WINDOW; sum++) {
        /* as many lines on either side first: a line was rewritten */
        for (uint32_t k = 0; k <= sum; k++) {
            const uint32_t da = (k & 1) ? (sum + k + 1) / 2 : (sum - k) / 2, db = sum - da;
            if (da <= sum && da <= a_left && db <= b_left && agree(diff, *a + da, *b + db)) {
                *a += da;
                *b += db;
                return;
            }
        }
    }
    *a += a_left < WINDOW ? a_left : WINDOW;
    *b += b_left < WINDOW ? b_left : WINDOW;
}

static bool add_edit(diff_t *diff, const edit_t *edit) {
    if (diff->n_edit > 0 && diff->edit[diff->n_edit - 1].a_end == edit->a &&
        diff->edit[diff->n_edit - 1].b_end == edit->b) {
        diff->edit[diff->n_edit - 1].a_end = edit->a_end;
        diff->edit[diff->n_edit - 1].b_end = edit->b_end;
        return true;
    }
    if (diff->n_edit == diff->capacity) {
        const uint32_t capacity = diff->capacity ? 2 * diff->capacity : 64;
        edit_t *grown = assay_arena_array(diff->arena, capacity, sizeof *grown);
        if (!grown) {
            return false;
        }
        if (diff->n_edit > 0) {
            memcpy(grown, diff->edit, diff->n_edit * sizeof *grown);
        }
        diff->edit = grown;
        diff->capacity = capacity;
    }
    diff->edit[diff->n_edit++] = *edit;
    return true;
}

/* Lines that agree within the edit are none of it: line by line where as many came as went, else
   at its ends. */
static bool add_differing(diff_t *diff, edit_t edit) {
    if (edit.a_end - edit.a == edit.b_end - edit.b) {
        for (; edit.a < edit.a_end; edit.a++, edit.b++) {
            const edit_t line = {edit.a, edit.a + 1, edit.b, edit.b + 1};
            if (!equal(diff, edit.a, edit.b) && !add_edit(diff, &line)) {
                return false;
            }
        }
        return true;
    }
    while (edit.a < edit.a_end && edit.b < edit.b_end &&
           equal(diff, edit.a_end - 1, edit.b_end - 1)) {
        edit.a_end--;
        edit.b_end--;
    }
    return add_edit(diff, &edit);
}

static bool find_edits(diff_t *diff) {
    uint32_t a = 0, b = 0;
    while (a < diff->from.n || b < diff->to.n) {
        if (a < diff->from.n && b < diff->to.n && equal(diff, a, b)) {
            a++;
            b++;
            continue;
        }
        edit_t edit = {.a = a, .b = b};
        meet(diff, &a, &b);
        edit.a_end = a;
        edit.b_end = b;
        if (!add_differing(diff, edit)) {
            return false;
        }
    }
    return true;
}

static void put_lines(const lines_t *lines, uint32_t from, uint32_t to, const char *mark,
                      assay_buf_t *out) {
    for (uint32_t i = from; i < to; i++) {
        const size_t n = lines->start[i + 1] - lines->start[i];
        assay_buf_puts(out, mark);
        assay_buf_add(out, lines->data + lines->start[i], n);
        if (lines->data[lines->start[i] + n - 1] != '\n') {
            assay_buf_puts(out, "\n\\ No newline at end of file\n");
        }
    }
}

/* "12,3"; where there are no lines, the one before. */
static void put_span(assay_buf_t *out, const char *mark, uint32_t first, uint32_t n) {
    assay_buf_printf(out, n == 1 ? "%s%u" : "%s%u,%u", mark, n > 0 ? first + 1 : first, n);
}

/* Edits [first, last) of one hunk. */
static void put_hunk(const diff_t *diff, uint32_t first, uint32_t last, assay_buf_t *out) {
    const edit_t *head = &diff->edit[first], *tail = &diff->edit[last - 1];
    const uint32_t before = head->a < CONTEXT ? head->a : CONTEXT;
    const uint32_t left = diff->from.n - tail->a_end, after = left < CONTEXT ? left : CONTEXT;
    put_span(out, "@@ -", head->a - before, tail->a_end + after - (head->a - before));
    put_span(out, " +", head->b - before, tail->b_end + after - (head->b - before));
    assay_buf_puts(out, " @@\n");
    uint32_t at = head->a - before;
    for (uint32_t i = first; i < last; i++) {
        put_lines(&diff->from, at, diff->edit[i].a, " ", out);
        put_lines(&diff->from, diff->edit[i].a, diff->edit[i].a_end, "-", out);
        put_lines(&diff->to, diff->edit[i].b, diff->edit[i].b_end, "+", out);
        at = diff->edit[i].a_end;
    }
    put_lines(&diff->from, at, at + after, " ", out);
}

assay_status_t assay_port_diff(assay_arena_t *arena, const char *path, const char *from,
                               size_t n_from, const char *to, size_t n_to, assay_buf_t *out,
                               assay_error_t *err) {
    diff_t diff = {.arena = arena};
    if (!split(arena, from, n_from, &diff.from) || !split(arena, to, n_to, &diff.to) ||
        !find_edits(&diff)) {
        return assay_error_memory(err, NULL);
    }
    if (diff.n_edit > 0) {
        const char *stop = strchr(path, ' ') ? "\t" : ""; /* or patch takes the first word alone */
        assay_buf_printf(out, "--- a/%s%s\n+++ b/%s%s\n", path, stop, path, stop);
    }
    for (uint32_t first = 0; first < diff.n_edit;) {
        uint32_t last = first + 1;
        while (last < diff.n_edit && diff.edit[last].a - diff.edit[last - 1].a_end <= 2 * CONTEXT) {
            last++;
        }
        put_hunk(&diff, first, last, out);
        first = last;
    }
    return ASSAY_OK;
}
