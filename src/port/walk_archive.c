/* Archives: members are kept until all are known, and handed out in the order of their paths. */
#include <stdlib.h>
#include <string.h>

#include "assay/archive.h"
#include "port/walk.h"

#include "base/banned.h"

#define MAX_KEPT_BYTES ((uint64_t)256 << 20)

typedef struct {
    const char *path;
    const char *skipped;
    char *data; /* malloc */
    size_t size;
    uint32_t order;
} member_t;

typedef struct {
    walk_t *walk;
    const char *path; /* of the member that is read */
    uint64_t kept_bytes;
    member_t *member;
    uint32_t n, capacity;
} reader_t;

static assay_status_t keep(reader_t *r, const char *path, const char *skipped, char *data,
                           size_t size) {
    if (r->n == r->capacity) {
        const uint32_t capacity = r->capacity ? 2 * r->capacity : 256;
        member_t *grown = capacity > 2 * WALK_MAX_ENTRIES
                              ? NULL
                              : reallocarray(r->member, capacity, sizeof *grown);
        if (!grown) {
            free(data);
            return assay_error_memory(r->walk->err, NULL);
        }
        r->member = grown;
        r->capacity = capacity;
    }
    r->member[r->n] = (member_t){path, skipped, data, size, r->n};
    r->n++;
    return ASSAY_OK;
}

static assay_status_t look(void *ctx, const assay_archive_member_t *member, bool *out_want) {
    reader_t *r = ctx;
    bool bad = false;
    r->path = walk_path(r->walk, member->path, strnlen(member->path, WALK_MAX_PATH), &bad);
    if (!r->path) {
        return ASSAY_LIMIT;
    }
    const char *skipped = member->escapes                                   ? WALK_ESCAPE
                          : bad                                             ? WALK_BAD_NAME
                          : !port_language_possible(r->path)                ? WALK_OTHER
                          : member->claimed_bytes > r->walk->max_file_bytes ? WALK_TOO_LARGE
                                                                            : NULL;
    *out_want = !skipped;
    return skipped ? keep(r, r->path, skipped, NULL, 0) : ASSAY_OK;
}

static assay_status_t take(void *ctx, char *data, size_t size) {
    reader_t *r = ctx;
    r->kept_bytes += size;
    if (r->kept_bytes > MAX_KEPT_BYTES) {
        free(data);
        return assay_archive_too_large(r->walk->root, "holds more than 256 MiB of sources",
                                       r->walk->err);
    }
    return keep(r, r->path, data ? NULL : WALK_UNREADABLE, data, size);
}

static int compare_members(const void *a, const void *b) {
    const member_t *x = a, *y = b;
    const int order = strcmp(x->path, y->path);
    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

/* In path order; of several members with one path the last counts, as when unpacking. */
static assay_status_t hand_out_members(reader_t *r) {
    assay_status_t status = ASSAY_OK;
    if (r->n) {
        qsort(r->member, r->n, sizeof *r->member, compare_members);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < r->n; i++) {
        const member_t *m = &r->member[i];
        if (i + 1 < r->n && strcmp(m->path, m[1].path) == 0) {
            continue;
        }
        status = m->skipped ? walk_skip(r->walk, m->path, m->skipped)
                            : walk_text(r->walk, m->path, m->data, m->size);
    }
    return status;
}

assay_status_t walk_archive(walk_t *walk, int fd) {
    reader_t r = {.walk = walk};
    const assay_archive_visitor_t visitor = {.ctx = &r,
                                             .max_file_bytes = walk->max_file_bytes,
                                             .look = look,
                                             .take = take,
                                             .hooks = walk->options->hooks};
    assay_status_t status = assay_archive_read(fd, walk->root, &visitor, walk->err);
    if (status == ASSAY_OK) {
        status = hand_out_members(&r);
    }
    for (uint32_t i = 0; i < r.n; i++) {
        free(r.member[i].data);
    }
    free(r.member);
    return status;
}
