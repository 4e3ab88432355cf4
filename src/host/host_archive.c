#include "host/host_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/text.h"

#include "base/banned.h"

#define MEMBERS_BYTES_MAX ((size_t)512 << 20)
#define MEMBERS_MAX 65536u
#define DEPTH_MAX 24

typedef struct {
    assay_arena_t *arena; /* of all members, until they are read */
    assay_archive_file_t *file;
    uint32_t n, n_refused; /* refused: names that are no text */
    const char *path;      /* of the member that is read */
    const char *name;      /* of the archive */
    assay_error_t *err;
} members_t;

static assay_status_t members_create(const char *name, members_t *out, assay_error_t *err) {
    *out = (members_t){.arena = assay_arena_create(MEMBERS_BYTES_MAX), .name = name, .err = err};
    out->file = out->arena ? assay_arena_array(out->arena, MEMBERS_MAX, sizeof *out->file) : NULL;
    if (!out->file) {
        assay_arena_destroy(out->arena);
        return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory");
    }
    return ASSAY_OK;
}

static assay_status_t keep(members_t *members, const char *path, const char *data, size_t n) {
    const char *copy = assay_arena_strndup(members->arena, data, n);
    if (members->n == MEMBERS_MAX || !copy) {
        return assay_archive_too_large(members->name, "holds more than a host can", members->err);
    }
    members->file[members->n++] = (assay_archive_file_t){path, copy, n};
    return ASSAY_OK;
}

/* --- of an archive --------------------------------------------------------------------------- */

static assay_status_t look(void *ctx, const assay_archive_member_t *member, bool *out_want) {
    members_t *members = ctx;
    const size_t n = strlen(member->path);
    if (member->escapes) {
        /* no honest tool writes one; what else such an archive says is not to be believed */
        const assay_place_t at = {members->name, 0, 0};
        assay_error_set(members->err, ASSAY_INPUT, &at, "'%s' leaves the archive", member->path);
        assay_error_next(members->err, "pack the files anew, without ../ and without a leading /");
        return ASSAY_INPUT;
    }
    *out_want = n > 0 && assay_text_utf8_bad(member->path, n) == n;
    members->n_refused += !*out_want;
    members->path = *out_want ? assay_arena_strndup(members->arena, member->path, n) : NULL;
    if (*out_want && !members->path) {
        return assay_archive_too_large(members->name, "holds more than a host can", members->err);
    }
    return ASSAY_OK;
}

static assay_status_t take(void *ctx, char *data, size_t size) {
    members_t *members = ctx;
    const assay_status_t status = data ? keep(members, members->path, data, size) : ASSAY_OK;
    free(data);
    return status;
}

static assay_status_t load_archive(members_t *members, const char *path) {
    const assay_place_t at = {path, 0, 0};
    const assay_archive_visitor_t visitor = {
        .ctx = members, .max_file_bytes = ASSAY_HOST_MAX_FILE_BYTES, .look = look, .take = take};
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return assay_error_set(members->err, ASSAY_IO, &at, "cannot be read");
    }
    const assay_status_t status = assay_archive_read(fd, path, &visitor, members->err);
    (void)close(fd);
    return status;
}

/* --- of a folder ----------------------------------------------------------------------------- */

static assay_status_t load_file(members_t *members, const char *path, const char *name) {
    assay_arena_t *arena = assay_arena_create(ASSAY_HOST_MAX_FILE_BYTES + 4096);
    char *data;
    size_t n;
    assay_status_t status = ASSAY_OK;
    if (!arena) {
        return assay_error_set(members->err, ASSAY_MEMORY, NULL, "no memory");
    }
    if (assay_file_read(arena, path, ASSAY_HOST_MAX_FILE_BYTES, &data, &n, NULL) == ASSAY_OK) {
        status = keep(members, name, data, n);
    }
    assay_arena_destroy(arena);
    return status;
}

static assay_status_t load_folder(members_t *members, const char *path, const char *prefix,
                                  uint32_t depth) {
    DIR *dir = depth < DEPTH_MAX ? opendir(path) : NULL;
    assay_status_t status = ASSAY_OK;
    for (struct dirent *entry; dir && status == ASSAY_OK && (entry = readdir(dir));) {
        const char *below = assay_arena_printf(members->arena, "%s/%s", path, entry->d_name);
        const char *name = assay_arena_printf(members->arena, "%s%s", prefix, entry->d_name);
        const char *deeper = assay_arena_printf(members->arena, "%s%s/", prefix, entry->d_name);
        struct stat st;
        if (!below || !name || !deeper) {
            status =
                assay_archive_too_large(members->name, "holds more than a host can", members->err);
        } else if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                   lstat(below, &st) != 0) {
            continue;
        } else if (S_ISREG(st.st_mode)) {
            status = load_file(members, below, name);
        } else if (S_ISDIR(st.st_mode)) {
            status = load_folder(members, below, deeper, depth + 1);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return status;
}

bool host_archive_is_unpacked(const char *dir) {
    char path[4096];
    struct stat st;
    const size_t n = strlen(dir);
    if (n + sizeof "/" HOST_TAPE_INDEX > sizeof path) {
        return false;
    }
    memcpy(path, dir, n);
    memcpy(path + n, "/" HOST_TAPE_INDEX, sizeof "/" HOST_TAPE_INDEX);
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* --- what is in it --------------------------------------------------------------------------- */

static int compare_members(const void *a, const void *b) {
    const assay_archive_file_t *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static void sort_members(members_t *members) {
    uint32_t n = 0;
    if (members->n > 0) {
        qsort(members->file, members->n, sizeof *members->file, compare_members);
    }
    for (uint32_t i = 0; i < members->n; i++) {
        if (i + 1 == members->n || strcmp(members->file[i].path, members->file[i + 1].path) != 0) {
            members->file[n++] = members->file[i];
        }
    }
    members->n = n;
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The index of a snapshot; NULL: it is none. */
static const assay_archive_file_t *index_of(const members_t *members) {
    for (uint32_t i = 0; i < members->n; i++) {
        if (strcmp(base_of(members->file[i].path), HOST_TAPE_INDEX) == 0) {
            return &members->file[i];
        }
    }
    return NULL;
}

/* Bytes in front of "proc/" or "sys/" at the start of a folder's name; -1: it is in neither. */
static ptrdiff_t root_of(const char *path) {
    static const char *const name[] = {"proc/", "sys/"};
    for (const char *at = path; at; at = strchr(at, '/'), at = at ? at + 1 : NULL) {
        for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
            if (strncmp(at, name[i], strlen(name[i])) == 0) {
                return at - path;
            }
        }
    }
    return -1;
}

/* Folders of a copied root, which are read as such and not as texts. */
static bool is_of_root(const char *path) {
    static const char *const name[] = {"proc/", "sys/", "dev/", "etc/", "run/", "var/"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        if (strncmp(path, name[i], strlen(name[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void note_refused(host_parse_t *parse, const members_t *members) {
    assay_host_source_t *source = members->n_refused > 0 ? host_add(parse, source) : NULL;
    if (source) {
        *source = (assay_host_source_t){
            .file = assay_arena_strdup(parse->arena, members->name),
            .reason = assay_arena_printf(
                parse->arena, "%u member%s whose name is no text %s left out", members->n_refused,
                members->n_refused == 1 ? "" : "s", members->n_refused == 1 ? "was" : "were")};
        parse->full |= !source->file || !source->reason;
    }
}

static assay_status_t read_members(host_parse_t *parse, members_t *members,
                                   const host_text_reader_t *text) {
    note_refused(parse, members);
    host_tape_t tape = {.arena = members->arena};
    const assay_archive_file_t *index = index_of(members);
    char *prefix = NULL;
    ptrdiff_t n_prefix = index ? base_of(index->path) - index->path : -1;
    for (uint32_t i = 0; n_prefix < 0 && i < members->n; i++) {
        n_prefix = root_of(members->file[i].path);
        prefix = n_prefix < 0
                     ? NULL
                     : assay_arena_strndup(members->arena, members->file[i].path, (size_t)n_prefix);
    }
    assay_status_t status = ASSAY_OK;
    if (index) {
        prefix = assay_arena_strndup(members->arena, index->path, (size_t)n_prefix);
        host_tape_read(&tape, members->file, members->n, prefix ? prefix : "", index->data,
                       index->n);
    } else if (prefix) {
        host_tape_of_copy(&tape, members->file, members->n, prefix);
    }
    if (tape.full) {
        return assay_archive_too_large(members->name, "holds more than a host can", members->err);
    }
    if (prefix) {
        parse->stated = false;
        parse->host->live |= tape.machine; /* nothing more could be asked there */
        status = host_live_play(parse, &tape, members->err);
    }
    for (uint32_t i = 0; status == ASSAY_OK && i < members->n; i++) {
        const char *path = members->file[i].path;
        const bool below = prefix && strncmp(path, prefix, (size_t)n_prefix) == 0;
        const char *inner = below ? path + n_prefix : path;
        const bool of_tape = index ? &members->file[i] == index ||
                                         strncmp(inner, HOST_TAPE_ROOT, strlen(HOST_TAPE_ROOT)) == 0
                                   : below && is_of_root(inner);
        if (!of_tape && base_of(path)[0] != '.') {
            status = text->read(text->ctx, path, members->file[i].data, members->file[i].n);
        }
    }
    return status;
}

assay_status_t host_archive_read(host_parse_t *parse, const char *path,
                                 const host_text_reader_t *text, assay_error_t *err) {
    members_t members;
    assay_status_t status = members_create(path, &members, err);
    if (status != ASSAY_OK) {
        return status;
    }
    status = load_archive(&members, path);
    if (status == ASSAY_OK) {
        sort_members(&members);
        status = read_members(parse, &members, text);
    }
    assay_arena_destroy(members.arena);
    return status;
}

assay_status_t host_archive_read_folder(host_parse_t *parse, const char *path,
                                        const host_text_reader_t *text, assay_error_t *err) {
    members_t members;
    assay_status_t status = members_create(path, &members, err);
    if (status != ASSAY_OK) {
        return status;
    }
    status = load_folder(&members, path, "", 0);
    if (status == ASSAY_OK) {
        sort_members(&members);
        status = read_members(parse, &members, text);
    }
    assay_arena_destroy(members.arena);
    return status;
}
