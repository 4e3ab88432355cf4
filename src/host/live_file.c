/* Files below a root, opened relative to it, without blocking and within a time limit: a FIFO, a
   device or a file system that hangs cannot hold us. */
#include "host/host_live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

#define TIME_LIMIT_S 4.0 /* of all reading */
#define FILE_LIMIT_S 0.5 /* of one file */
#define FILE_BYTES_MAX ((size_t)4 << 20)
#define CHUNK_BYTES ((size_t)32768)
#define NAMES_MAX 16384u

double host_live_now_s(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- requests: in the child, or here for a copy ---------------------------------------------- */

static bool is_own(int root) {
    struct stat st, own;
    return fstat(root, &st) == 0 && stat("/", &own) == 0 && st.st_dev == own.st_dev &&
           st.st_ino == own.st_ino;
}

/* Symbolic links are those of the root: "/usr" below it is its own. */
static int open_in(int root, const char *path, int flags) {
    const struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC),
                                 .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    const long fd = syscall(SYS_openat2, root, path, &how, sizeof how);
    if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) {
        return (int)fd;
    }
    /* Before Linux 5.6: what is ours may be followed, what somebody sent may not. */
    return openat(root, path, flags | O_CLOEXEC | (is_own(root) ? 0 : O_NOFOLLOW));
}

/* A file of that name gives each message once; the system call gives all that are still held, and
   often to everybody. In a copy it is a file like others. */
static bool is_kernel_log(int root, const char *path) {
    struct statfs fs;
    const int fd = strcmp(path, HOST_LIVE_LOG) == 0 ? open_in(root, "proc", O_PATH) : -1;
    const bool proc = fd >= 0 && fstatfs(fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
    if (fd >= 0) {
        (void)close(fd);
    }
    return proc;
}

static int read_log(const host_request_t *request, host_reply_t *reply, char *data) {
    enum { READ_ALL = 3 };
    const int n = klogctl(READ_ALL, data, (int)request->most);
    if (n < 0) {
        return errno;
    }
    reply->n = (uint64_t)n;
    return 0;
}

static int read_file(int root, const host_request_t *request, host_reply_t *reply, char *data) {
    if (is_kernel_log(root, request->path)) {
        return read_log(request, reply, data);
    }
    const int fd = open_in(root, request->path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd < 0) {
        return errno;
    }
    int error = fstat(fd, &st) != 0 ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
    while (error == 0) {
        /* Some files of /proc/sys want memory for all that could be read. */
        const size_t room = request->most - reply->n;
        const ssize_t got = read(fd, data + reply->n, room < CHUNK_BYTES ? room : CHUNK_BYTES);
        if (got > 0) {
            reply->n += (uint64_t)got;
            error = reply->n == request->most ? EFBIG : 0;
        } else if (got == 0 || errno != EINTR) {
            error = got < 0 ? errno : 0;
            break;
        }
    }
    (void)close(fd);
    return error;
}

static int read_list(int root, const host_request_t *request, host_reply_t *reply, char *data) {
    const int fd = open_in(root, request->path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        const int error = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        return error;
    }
    uint32_t n = 0;
    for (struct dirent *entry; n < NAMES_MAX && (entry = readdir(dir));) {
        const size_t size = strlen(entry->d_name) + 1;
        if (entry->d_name[0] != '.' && reply->n + size <= request->most) {
            memcpy(data + reply->n, entry->d_name, size);
            reply->n += size;
            n++;
        }
    }
    (void)closedir(dir);
    return 0;
}

static int read_link(int root, const host_request_t *request, host_reply_t *reply, char *data) {
    const int fd = open_in(root, request->path, O_PATH | O_NOFOLLOW);
    if (fd < 0) {
        return errno;
    }
    const ssize_t n = readlinkat(fd, "", data, request->most);
    const int error = n < 0 ? errno : 0;
    reply->n = n > 0 ? (uint64_t)n : 0;
    (void)close(fd);
    return error;
}

static int read_stat(int root, const host_request_t *request, host_reply_t *reply) {
    const int fd = open_in(root, request->path, O_PATH);
    struct stat st;
    if (fd < 0) {
        return errno;
    }
    const int error = fstat(fd, &st) != 0 ? errno : 0;
    if (error == 0) {
        reply->mode = st.st_mode;
        reply->uid = st.st_uid;
        reply->gid = st.st_gid;
        reply->number[0] = (uint64_t)st.st_size;
    }
    (void)close(fd);
    return error;
}

static int read_space(int root, const host_request_t *request, host_reply_t *reply) {
    const int fd = open_in(root, request->path, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    struct statvfs fs;
    if (fd < 0) {
        return errno;
    }
    const int error = fstatvfs(fd, &fs) != 0 ? errno : 0;
    if (error == 0) {
        reply->number[0] = (uint64_t)fs.f_blocks * fs.f_frsize;
        reply->number[1] = (uint64_t)fs.f_bavail * fs.f_frsize;
    }
    (void)close(fd);
    return error;
}

/* Opening and closing changes nothing; the error number tells what is in the way. */
static int try_open(int root, const host_request_t *request) {
    const int fd = openat(root, request->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    const int error = fd < 0 ? errno : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    return error;
}

static void serve(int root, const host_request_t *request, host_reply_t *reply, char *data) {
    int error = EINVAL;
    switch ((host_request_kind_t)request->kind) {
    case HOST_REQUEST_N:
        break;
    case HOST_READ_FILE:
        error = read_file(root, request, reply, data);
        break;
    case HOST_READ_LIST:
        error = read_list(root, request, reply, data);
        break;
    case HOST_READ_LINK:
        error = read_link(root, request, reply, data);
        break;
    case HOST_READ_STAT:
        error = read_stat(root, request, reply);
        break;
    case HOST_READ_SPACE:
        error = read_space(root, request, reply);
        break;
    case HOST_TRY_OPEN:
        error = try_open(root, request);
        break;
    }
    reply->error = error;
    reply->n = error ? 0 : reply->n;
}

/* --- asking ---------------------------------------------------------------------------------- */

assay_status_t host_live_open(host_live_t *live, host_parse_t *parse, const char *root,
                              host_root_t kind, assay_error_t *err) {
    const assay_place_t at = {root, 0, 0};
    *live = (host_live_t){.parse = parse,
                          .root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK),
                          .kind = kind,
                          .deadline_s = host_live_now_s() + TIME_LIMIT_S};
    if (live->root < 0) {
        return assay_error_set(err, ASSAY_IO, &at, "is no directory that can be read");
    }
    if (kind == HOST_ROOT_COPY) {
        live->buffer = malloc(FILE_BYTES_MAX);
    } else {
        live->worker = host_worker_create(serve, live->root, FILE_BYTES_MAX);
    }
    if (!live->buffer && !live->worker) {
        (void)close(live->root);
        return assay_error_set(err, ASSAY_MEMORY, &at, "no memory");
    }
    return ASSAY_OK;
}

void host_live_close(host_live_t *live) {
    host_worker_destroy(live->worker);
    free(live->buffer);
    if (live->root >= 0) {
        (void)close(live->root);
    }
}

/* A file that hangs is named: everything else is known without it. */
static void note_hang(host_live_t *live, const char *path) {
    assay_host_source_t *source = host_add(live->parse, source);
    if (source) {
        *source = (assay_host_source_t){.file = host_live_shown(live, path),
                                        .reason = assay_host_state_name(ASSAY_HOST_TIMED_OUT)};
    }
}

static host_reply_t ask(host_live_t *live, host_request_kind_t kind, const char *path,
                        const char **out_data) {
    if (live->play) {
        return host_tape_play(live->play, kind, path, out_data);
    }
    host_request_t request = {.kind = kind, .most = FILE_BYTES_MAX};
    host_reply_t reply = {.error = ENAMETOOLONG};
    const size_t n = strlen(path);
    *out_data = live->buffer;
    if (n >= sizeof request.path) {
        return reply;
    }
    memcpy(request.path, path, n + 1);
    const double left_s = live->deadline_s - host_live_now_s();
    if (left_s <= 0) {
        reply.error = ETIMEDOUT;
    } else if (live->worker) {
        host_worker_call(live->worker, &request, left_s < FILE_LIMIT_S ? left_s : FILE_LIMIT_S,
                         &reply, out_data);
        if (reply.error == ETIMEDOUT) {
            note_hang(live, path);
        }
    } else {
        reply.error = 0;
        serve(live->root, &request, &reply, live->buffer);
    }
    if (live->record) {
        host_tape_record(live->record, kind, path, &reply, *out_data);
    }
    return reply;
}

static assay_host_state_t state_of(int error) {
    return error == EACCES || error == EPERM                            ? ASSAY_HOST_DENIED
           : error == 0 || error == ENOENT || error == ENOTDIR          ? ASSAY_HOST_UNSEEN
           : error == EOPNOTSUPP || error == ENODATA || error == ENODEV ? ASSAY_HOST_UNSUPPORTED
           : error == ETIMEDOUT                                         ? ASSAY_HOST_TIMED_OUT
                                                                        : ASSAY_HOST_UNREADABLE;
}

const char *host_live_shown(host_live_t *live, const char *path) {
    const char *text = assay_arena_printf(live->parse->arena, "/%s", path);
    live->parse->full |= text == NULL;
    return text ? text : "";
}

void host_live_at(host_live_t *live, const char *path) {
    live->parse->file = host_live_shown(live, path);
    live->parse->first = live->parse->line = 0;
}

const char *host_live_path(host_live_t *live, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *path = assay_arena_vprintf(live->parse->scratch, format, args);
    va_end(args);
    live->parse->full |= path == NULL;
    return path ? path : "";
}

host_span_t host_live_bytes(host_live_t *live, const char *path, assay_host_state_t *out_why) {
    const char *data;
    const host_reply_t reply = ask(live, HOST_READ_FILE, path, &data);
    if (out_why) {
        *out_why = state_of(reply.error);
    }
    if (reply.error) {
        return (host_span_t){"", 0};
    }
    host_live_at(live, path);
    return (host_span_t){data, reply.n};
}

host_span_t host_live_text(host_live_t *live, const char *path, assay_host_state_t *out_why) {
    const host_span_t bytes = host_live_bytes(live, path, out_why);
    size_t n = 0;
    const char *text = bytes.n > 0 ? host_clean(live->parse->scratch, bytes.s, bytes.n, &n) : NULL;
    return text ? (host_span_t){text, n} : (host_span_t){"", 0};
}

void host_live_number(host_live_t *live, const char *path, double scale,
                      assay_host_number_t *fact) {
    assay_host_state_t why;
    const host_span_t text = host_live_text(live, path, &why);
    double number;
    host_span_t rest;
    if (text.n == 0) {
        if (why != ASSAY_HOST_UNSEEN) {
            host_live_at(live, path);
            host_set_unknown_number(live->parse, fact, why);
        }
        return;
    }
    live->parse->line = 1;
    if (host_number(text, &number, &rest)) {
        host_set_number(live->parse, fact, number * scale);
    } else {
        host_set_unknown_number(live->parse, fact, ASSAY_HOST_UNREADABLE);
    }
}

void host_live_word(host_live_t *live, const char *path, assay_host_text_t *fact) {
    assay_host_state_t why;
    const host_span_t text = host_trim(host_live_text(live, path, &why));
    if (text.n > 0) {
        live->parse->line = 1;
        host_set_text(live->parse, fact, text);
    } else if (why != ASSAY_HOST_UNSEEN) {
        host_live_at(live, path);
        host_set_unknown_text(live->parse, fact, why);
    }
}

bool host_live_parse(host_live_t *live, const char *path, const char *parser,
                     host_parser_t parse_text) {
    host_parse_t *parse = live->parse;
    assay_host_state_t why;
    const host_span_t text = host_live_text(live, path, &why);
    if (text.n == 0 && (why == ASSAY_HOST_UNSEEN || why == ASSAY_HOST_TIMED_OUT)) {
        return false;
    }
    assay_host_source_t *source = host_add(parse, source);
    if (!source) {
        return false;
    }
    *source = (assay_host_source_t){.file = parse->file, .parser = parser, .bytes = text.n};
    if (text.n == 0) {
        source->file = host_live_shown(live, path);
        source->reason = assay_host_state_name(why);
        return true;
    }
    parse->source = source;
    parse->name = path;
    parse->rest = text;
    parse_text(parse);
    return true;
}

host_span_t host_live_link(host_live_t *live, const char *path) {
    const char *data;
    const host_reply_t reply = ask(live, HOST_READ_LINK, path, &data);
    const char *copy =
        reply.n > 0 ? assay_arena_strndup(live->parse->scratch, data, reply.n) : NULL;
    return copy ? (host_span_t){copy, reply.n} : (host_span_t){"", 0};
}

const char *host_live_link_name(host_live_t *live, const char *path) {
    const host_span_t target = host_live_link(live, path);
    const char *slash = target.n > 0 ? memrchr(target.s, '/', target.n) : NULL;
    const host_span_t name =
        slash ? (host_span_t){slash + 1, target.n - (size_t)(slash + 1 - target.s)} : target;
    return name.n > 0 ? host_copy(live->parse, name) : NULL;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **host_live_list(host_live_t *live, const char *path, uint32_t *out_n) {
    const char *data;
    const host_reply_t reply = ask(live, HOST_READ_LIST, path, &data);
    uint32_t n = 0, filled = 0;
    *out_n = 0;
    for (size_t i = 0; i < reply.n; i++) {
        n += data[i] == '\0';
    }
    char *names = reply.n > 0 ? assay_arena_array(live->parse->scratch, reply.n, 1) : NULL;
    const char **name = names ? assay_arena_array(live->parse->scratch, n, sizeof *name) : NULL;
    if (!name) {
        return NULL;
    }
    memcpy(names, data, reply.n);
    for (size_t i = 0; filled < n; i += strlen(names + i) + 1) {
        name[filled++] = names + i;
    }
    qsort(name, n, sizeof *name, compare_names);
    *out_n = n;
    return name;
}

host_reply_t host_live_stat(host_live_t *live, const char *path) {
    const char *data;
    return ask(live, HOST_READ_STAT, path, &data);
}

bool host_live_exists(host_live_t *live, const char *path) {
    return host_live_stat(live, path).error == 0;
}

int host_live_try_open(host_live_t *live, const char *path) {
    const char *data;
    return ask(live, HOST_TRY_OPEN, path, &data).error;
}

bool host_live_space(host_live_t *live, const char *path, double *out_bytes, double *out_free) {
    const char *data;
    const host_reply_t reply = ask(live, HOST_READ_SPACE, path, &data);
    *out_bytes = (double)reply.number[0];
    *out_free = (double)reply.number[1];
    return reply.error == 0;
}

bool host_live_is_root(const char *dir) {
    struct stat st;
    char path[4096];
    static const char *const name[] = {"proc", "sys"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const int n = snprintf(path, sizeof path, "%s/%s", dir, name[i]);
        if (n > 0 && (size_t)n < sizeof path && lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            return true;
        }
    }
    return false;
}
