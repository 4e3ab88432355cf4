/* A folder by descriptors: nothing that a symbolic link names is ever opened, so neither loops nor
   ways out of the root exist. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port/walk.h"

#include "base/banned.h"

enum { MAX_DEPTH = 200, MAX_IGNORE_BYTES = 1 << 20 };

typedef struct {
    const char *path;  /* relative to the root; a folder's ends with '/' */
    uint32_t n_prefix; /* path + n_prefix is the name */
    bool is_directory, bad_name;
} item_t;

typedef struct {
    item_t *item;
    uint32_t n, capacity;
} listing_t;

/* A folder sorts as its name with a '/': then the files come in byte order of their paths. */
static int compare_items(const void *a, const void *b) {
    return strcmp(((const item_t *)a)->path, ((const item_t *)b)->path);
}

static bool is_repository_store(const char *name) {
    return strcmp(name, ".git") == 0 || strcmp(name, ".hg") == 0 || strcmp(name, ".svn") == 0;
}

/* 'd', 'f', or 0 for what is neither folder nor regular file. */
static char kind_of(int fd, const struct dirent *entry) {
    struct stat st;
    switch (entry->d_type) {
    case DT_DIR:
        return 'd';
    case DT_REG:
        return 'f';
    case DT_UNKNOWN:
        if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
            return 0;
        }
        return S_ISDIR(st.st_mode) ? 'd' : S_ISREG(st.st_mode) ? 'f' : 0;
    default:
        return 0;
    }
}

static assay_status_t add_item(walk_t *walk, listing_t *list, const char *path, size_t n_path,
                               size_t n_prefix, bool is_directory) {
    if (list->n == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 64;
        item_t *grown = reallocarray(list->item, capacity, sizeof *grown);
        if (!grown || capacity > 2 * WALK_MAX_ENTRIES) {
            free(grown ? grown : list->item);
            list->item = NULL;
            list->n = list->capacity = 0;
            return assay_error_memory(walk->err, NULL);
        }
        list->item = grown;
        list->capacity = capacity;
    }
    item_t *item = &list->item[list->n];
    *item = (item_t){.n_prefix = (uint32_t)n_prefix, .is_directory = is_directory};
    item->path = walk_path(walk, path, n_path, &item->bad_name);
    list->n += item->path != NULL;
    return item->path ? ASSAY_OK : ASSAY_LIMIT;
}

/* What the folder holds and no pattern ignores, sorted. */
static assay_status_t list_folder(walk_t *walk, DIR *dir, const char *prefix,
                                  const walk_ignore_t *ignore, listing_t *list) {
    char path[WALK_MAX_PATH + 1];
    const size_t n_prefix = strlen(prefix);
    memcpy(path, prefix, n_prefix);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *name = entry->d_name;
        const size_t n_name = strlen(name);
        const char kind = kind_of(dirfd(dir), entry);
        if (!kind || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            is_repository_store(name) || n_prefix + n_name + 1 > WALK_MAX_PATH) {
            continue;
        }
        memcpy(path + n_prefix, name, n_name + 1);
        if (walk_ignored(ignore, path, kind == 'd')) {
            continue;
        }
        size_t n_path = n_prefix + n_name;
        if (kind == 'd') {
            path[n_path++] = '/';
        }
        const assay_status_t status = add_item(walk, list, path, n_path, n_prefix, kind == 'd');
        if (status != ASSAY_OK) {
            return status;
        }
    }
    if (list->n) {
        qsort(list->item, list->n, sizeof *list->item, compare_items);
    }
    return ASSAY_OK;
}

/* The folder's own .gitignore in front of the outer ones. */
static const walk_ignore_t *read_ignore(walk_t *walk, int fd, size_t n_base,
                                        const walk_ignore_t *outer) {
    const int file = openat(fd, ".gitignore", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (file < 0) {
        return outer;
    }
    if (fstat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_IGNORE_BYTES &&
        walk_reserve(walk, (size_t)st.st_size + 1)) {
        size_t size = 0;
        for (ssize_t got; size < (size_t)st.st_size &&
                          (got = read(file, walk->buffer + size, (size_t)st.st_size - size)) > 0;) {
            size += (size_t)got;
        }
        outer = walk_ignore_parse(walk->arena, outer, n_base, walk->buffer, size);
    }
    (void)close(file);
    return outer;
}

static assay_status_t visit_file(walk_t *walk, int folder, const item_t *item) {
    if (item->bad_name) {
        return walk_skip(walk, item->path, WALK_BAD_NAME);
    }
    if (!port_language_possible(item->path)) {
        return walk_skip(walk, item->path, WALK_OTHER);
    }
    const int fd = openat(folder, item->path + item->n_prefix,
                          O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return walk_skip(walk, item->path, WALK_UNREADABLE);
    }
    const assay_status_t status = walk_file(walk, item->path, fd);
    (void)close(fd);
    return status;
}

/* Opened without the '/' at its end, with which O_NOFOLLOW would follow a link. */
static int open_folder(int folder, const item_t *item) {
    char name[WALK_MAX_PATH + 1];
    const size_t n = strlen(item->path + item->n_prefix) - 1;
    memcpy(name, item->path + item->n_prefix, n);
    name[n] = 0;
    return openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
}

/* Takes fd. prefix: the folder's path with its '/', "" for the root. */
static assay_status_t visit_folder(walk_t *walk, int fd, const char *prefix,
                                   const walk_ignore_t *outer, unsigned depth) {
    DIR *dir = fdopendir(fd);
    if (!dir) {
        (void)close(fd);
        return walk_skip(walk, prefix, WALK_UNREADABLE);
    }
    const walk_ignore_t *ignore = read_ignore(walk, fd, strlen(prefix), outer);
    listing_t list = {0};
    assay_status_t status = list_folder(walk, dir, prefix, ignore, &list);
    for (uint32_t i = 0; status == ASSAY_OK && i < list.n; i++) {
        const item_t *item = &list.item[i];
        if (!item->is_directory) {
            status = visit_file(walk, fd, item);
        } else if (item->bad_name) {
            status = walk_skip(walk, item->path, WALK_BAD_NAME);
        } else if (depth + 1 >= MAX_DEPTH) {
            status = walk_skip(walk, item->path, WALK_TOO_DEEP);
        } else {
            const int below = open_folder(fd, item);
            status = below < 0 ? walk_skip(walk, item->path, WALK_UNREADABLE)
                               : visit_folder(walk, below, item->path, ignore, depth + 1);
        }
    }
    free(list.item);
    (void)closedir(dir);
    return status;
}

assay_status_t walk_directory(walk_t *walk, int fd) {
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* fdopendir takes it; the caller closes fd */
    if (own < 0) {
        return assay_error_set(walk->err, ASSAY_IO, NULL, "no more files can be opened");
    }
    return visit_folder(walk, own, "", NULL, 0);
}
