/* Files below a root, opened relative to it, without blocking and within a time limit: a FIFO, a
   device or a file system that hangs in a copy cannot hold us. */
#include "host/host_live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "assay/text.h"

#include "base/banned.h"

#define TIME_LIMIT_S 5.0
#define FILE_BYTES_MAX ((size_t)4 << 20)
#define NAMES_MAX 4096u

static double now_s(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int open_file(const host_live_t *live, const char *path) {
    if (now_s() > live->deadline_s) {
        errno = ETIMEDOUT;
        return -1;
    }
    const int fd = openat(live->root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
        (void)close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

static assay_host_state_t state_of(int number) {
    return number == EACCES || number == EPERM         ? ASSAY_HOST_DENIED
           : number == ENOENT || number == ENOTDIR     ? ASSAY_HOST_UNSEEN
           : number == EOPNOTSUPP || number == ENODATA ? ASSAY_HOST_UNSUPPORTED
                                                       : ASSAY_HOST_UNREADABLE;
}

static const char *shown(host_live_t *live, const char *path) {
    const char *text = assay_arena_printf(live->parse->arena, "/%s", path);
    live->parse->full |= text == NULL;
    return text ? text : "";
}

host_span_t host_live_text(host_live_t *live, const char *path, assay_host_state_t *out_why) {
    host_parse_t *parse = live->parse;
    const host_span_t none = {"", 0};
    const int fd = open_file(live, path);
    if (fd < 0) {
        if (out_why) {
            *out_why = state_of(errno);
        }
        return none;
    }
    assay_buf_t buf;
    assay_buf_init(&buf, FILE_BYTES_MAX);
    int number = 0;
    for (;;) {
        char chunk[16384];
        const ssize_t got = read(fd, chunk, sizeof chunk);
        if (got > 0) {
            assay_buf_add(&buf, chunk, (size_t)got);
        } else if (got == 0 || errno != EINTR) {
            number = got < 0 ? errno : 0;
            break;
        }
        if (buf.failed || now_s() > live->deadline_s) {
            number = buf.failed ? EFBIG : ETIMEDOUT;
            break;
        }
    }
    (void)close(fd);
    size_t n = 0;
    const char *text = buf.n && !buf.failed && number == 0
                           ? host_clean(parse->scratch, buf.data, buf.n, &n)
                           : NULL;
    assay_buf_done(&buf);
    parse->file = shown(live, path);
    parse->first = parse->line = 0;
    if (out_why) {
        *out_why = number ? state_of(number) : ASSAY_HOST_UNSEEN;
    }
    return text ? (host_span_t){text, n} : none;
}

void host_live_number(host_live_t *live, const char *path, double scale,
                      assay_host_number_t *fact) {
    assay_host_state_t why;
    const host_span_t text = host_live_text(live, path, &why);
    double number;
    host_span_t rest;
    live->parse->line = 1;
    if (text.n == 0) {
        if (why != ASSAY_HOST_UNSEEN) {
            host_set_unknown_number(live->parse, fact, why);
        }
    } else if (host_number(text, &number, &rest)) {
        host_set_number(live->parse, fact, number * scale);
    } else {
        host_set_unknown_number(live->parse, fact, ASSAY_HOST_UNREADABLE);
    }
}

bool host_live_parse(host_live_t *live, const char *path, const char *parser,
                     host_parser_t parse_text) {
    host_parse_t *parse = live->parse;
    assay_host_state_t why;
    const host_span_t text = host_live_text(live, path, &why);
    if (text.n == 0 && why == ASSAY_HOST_UNSEEN) {
        return false;
    }
    assay_host_source_t *source = host_add(parse, source);
    if (!source) {
        return false;
    }
    *source = (assay_host_source_t){.file = parse->file, .parser = parser, .bytes = text.n};
    if (text.n == 0) {
        source->file = shown(live, path);
        source->reason = assay_host_state_name(why);
        return true;
    }
    parse->source = source;
    parse->name = path;
    parse->rest = text;
    parse_text(parse);
    return true;
}

const char *host_live_link_name(host_live_t *live, const char *path) {
    char target[1024];
    const ssize_t n = readlinkat(live->root, path, target, sizeof target - 1);
    if (n <= 0) {
        return NULL;
    }
    target[n] = '\0';
    const char *slash = strrchr(target, '/');
    return host_copy(live->parse, host_span(slash ? slash + 1 : target));
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **host_live_list(host_live_t *live, const char *path, uint32_t *out_n) {
    *out_n = 0;
    const int fd = openat(live->root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0) {
            (void)close(fd);
        }
        return NULL;
    }
    const char **name = assay_arena_array(live->parse->scratch, NAMES_MAX, sizeof *name);
    for (struct dirent *entry; name && *out_n < NAMES_MAX && (entry = readdir(dir));) {
        if (entry->d_name[0] != '.') {
            name[*out_n] = assay_arena_strdup(live->parse->scratch, entry->d_name);
            *out_n += name[*out_n] != NULL;
        }
    }
    (void)closedir(dir);
    if (name) {
        qsort(name, *out_n, sizeof *name, compare_names);
    }
    return name;
}

bool host_live_exists(host_live_t *live, const char *path) {
    struct stat st;
    return fstatat(live->root, path, &st, 0) == 0;
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

/* --- what a machine has besides PCI ---------------------------------------------------------- */

static void read_node(host_live_t *live, const char *path) {
    struct stat st;
    assay_host_node_t *node;
    const bool there = fstatat(live->root, path, &st, 0) == 0;
    if (!there && errno != ENOENT) {
        return;
    }
    node = host_add(live->parse, node);
    if (!node) {
        return;
    }
    *node = (assay_host_node_t){.path = shown(live, path), .gid = -1, .missing = !there};
    node->at = (assay_place_t){node->path, 0, 0};
    if (there) {
        node->mode = st.st_mode & 07777;
        node->gid = (int64_t)st.st_gid;
        node->group = assay_arena_printf(live->parse->arena, "%u", (unsigned)st.st_gid);
        node->owner = assay_arena_printf(live->parse->arena, "%u", (unsigned)st.st_uid);
    }
}

/* Opening and closing changes nothing; the error number tells what is in the way. */
static void open_kfd(host_live_t *live) {
    if (!live->own || !host_live_exists(live, "sys/module/amdgpu")) {
        return;
    }
    const int fd = openat(live->root, "dev/kfd", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    const int number = fd < 0 ? errno : 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    live->parse->file = "/dev/kfd";
    live->parse->line = 0;
    host_set_number(live->parse, &live->parse->host->kfd_errno, number);
}

static void read_nodes(host_live_t *live) {
    uint32_t n;
    read_node(live, "dev/kfd");
    const char **name = host_live_list(live, "dev/dri", &n);
    for (uint32_t i = 0; i < n; i++) {
        char path[300];
        if (strncmp(name[i], "renderD", 7) == 0 &&
            snprintf(path, sizeof path, "dev/dri/%s", name[i]) < (int)sizeof path) {
            read_node(live, path);
        }
    }
    open_kfd(live);
}

static void read_shm(host_live_t *live) {
    struct statvfs fs;
    const int fd =
        live->own ? openat(live->root, "dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
                  : -1;
    if (fd < 0) {
        return;
    }
    if (fstatvfs(fd, &fs) == 0) {
        live->parse->file = "/dev/shm";
        live->parse->line = 0;
        host_set_number(live->parse, &live->parse->host->shm_bytes,
                        (double)fs.f_blocks * (double)fs.f_frsize);
        host_set_number(live->parse, &live->parse->host->shm_free_bytes,
                        (double)fs.f_bavail * (double)fs.f_frsize);
    }
    (void)close(fd);
}

/* "Groups: 4 24 1000" of /proc/self/status, and the effective one. */
static void parse_status(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, ':', &key, &value) ||
            !(host_is(key, "Groups") || host_is(key, "Gid"))) {
            continue;
        }
        for (host_span_t word; (word = host_word(&value)).n > 0;) {
            double gid;
            host_span_t rest;
            assay_host_group_t *group =
                host_number(word, &gid, &rest) && gid >= 0 ? host_add(parse, group) : NULL;
            if (group) {
                *group = (assay_host_group_t){.gid = (int64_t)gid, .at = host_here(parse)};
            }
        }
        parse->host->groups_seen = true;
    }
}

static void parse_os_release(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, '=', &key, &value)) {
            continue;
        }
        if (value.n >= 2 && value.s[0] == '"') {
            value = (host_span_t){value.s + 1, value.n - 2};
        }
        if (host_is(key, "ID")) {
            host_set_text(parse, &parse->host->os, value);
        } else if (host_is(key, "VERSION_ID")) {
            host_set_text(parse, &parse->host->os_version, value);
        }
    }
}

static void find_container(host_live_t *live) {
    static const struct {
        const char *path, *name;
    } row[] = {{".dockerenv", "docker"},
               {"run/.containerenv", "podman"},
               {".singularity.d", "apptainer"},
               {"var/run/secrets/kubernetes.io", "kubernetes"}};
    host_parse_t *parse = live->parse;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_live_exists(live, row[i].path)) {
            parse->file = shown(live, row[i].path);
            parse->line = 0;
            host_set_text(parse, &parse->host->container, host_span(row[i].name));
            return;
        }
    }
    if (live->own) {
        parse->file = "/.dockerenv";
        parse->line = 0;
        host_set_text(parse, &parse->host->container, host_span("none"));
    }
}

static void read_kfd(host_live_t *live) {
    static const char nodes[] = "sys/class/kfd/kfd/topology/nodes";
    uint32_t n;
    const char **name = host_live_list(live, nodes, &n);
    for (uint32_t i = 0; i < n; i++) {
        char path[400];
        if (snprintf(path, sizeof path, "%s/%s/properties", nodes, name[i]) < (int)sizeof path) {
            host_live_parse(live, path, "KFD node", host_parse_kfd_node);
        }
    }
}

static void read_port(host_live_t *live, const char *device, const char *number) {
    char path[600];
    host_parse_t *parse = live->parse;
    assay_host_port_t *port = host_add(parse, port);
    if (!port) {
        return;
    }
    double value = 0;
    host_span_t rest;
    *port = (assay_host_port_t){.name = host_copy(parse, host_span(device)), .port = 1};
    if (host_number(host_span(number), &value, &rest) && value >= 0 && value < 256) {
        port->port = (uint32_t)value;
    }
    const struct {
        const char *name;
        assay_host_number_t *fact;
    } count[] = {{"counters/link_downed", &port->link_downed},
                 {"counters/symbol_error", &port->symbol_errors}};
    for (size_t i = 0; i < sizeof count / sizeof count[0]; i++) {
        (void)snprintf(path, sizeof path, "sys/class/infiniband/%s/ports/%s/%s", device, number,
                       count[i].name);
        host_live_number(live, path, 1, count[i].fact);
    }
    (void)snprintf(path, sizeof path, "sys/class/infiniband/%s/ports/%s/state", device, number);
    host_span_t text = host_live_text(live, path, NULL), key, state;
    port->at = (assay_place_t){parse->file, 1, 0};
    if (host_key_value(host_trim(text), ':', &key, &state)) { /* "4: ACTIVE" */
        port->state = host_copy(parse, state);
    }
    (void)snprintf(path, sizeof path, "sys/class/infiniband/%s/ports/%s/rate", device, number);
    text = host_live_text(live, path, NULL);
    parse->line = 1;
    if (host_number(text, &value, &rest)) { /* "400 Gb/sec (4X NDR)" */
        host_set_number(parse, &port->bits_per_s, value * 1e9);
    }
}

static void read_ports(host_live_t *live) {
    uint32_t n_device, n_port;
    const char **device = host_live_list(live, "sys/class/infiniband", &n_device);
    for (uint32_t i = 0; i < n_device; i++) {
        char path[400];
        (void)snprintf(path, sizeof path, "sys/class/infiniband/%s/ports", device[i]);
        const char **port = host_live_list(live, path, &n_port);
        for (uint32_t k = 0; k < n_port; k++) {
            read_port(live, device[i], port[k]);
        }
    }
    if (n_device > 0) {
        uint32_t n_client;
        (void)host_live_list(live, "sys/kernel/mm/memory_peers", &n_client);
        live->parse->file = "/sys/kernel/mm/memory_peers";
        live->parse->line = 0;
        host_set_number(live->parse, &live->parse->host->memory_peers, n_client > 0);
    }
}

static void read_modules(host_live_t *live) {
    assay_host_t *host = live->parse->host;
    host->modules_seen |= host_live_parse(live, "proc/modules", "lsmod", host_parse_lsmod);
    const host_span_t state = host_trim(host_live_text(live, "sys/module/amdgpu/initstate", NULL));
    if (state.n > 0) {
        live->parse->line = 1;
        host_set_number(live->parse, &host->amdgpu_live, host_is(state, "live"));
    }
    const host_span_t version = host_trim(host_live_text(live, "sys/module/amdgpu/version", NULL));
    live->parse->line = 1;
    host_set_text(live->parse, &host->amdgpu_version, version);
}

assay_status_t host_live_read(host_parse_t *parse, const char *root, bool own, assay_error_t *err) {
    static const struct {
        const char *path, *parser;
        host_parser_t parse;
    } file[] = {{"proc/cmdline", "cmdline", host_parse_cmdline},
                {"proc/sys/kernel/osrelease", "uname", host_parse_uname},
                {"etc/os-release", "os-release", parse_os_release},
                {"proc/self/limits", "limits", host_parse_limits},
                {"proc/self/status", "status", parse_status},
                {"proc/driver/nvidia/version", "nvidia module", host_parse_nvidia_module}};
    const assay_place_t at = {root, 0, 0};
    host_live_t live = {.parse = parse,
                        .root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK),
                        .own = own,
                        .deadline_s = now_s() + TIME_LIMIT_S};
    if (live.root < 0) {
        assay_error_set(err, ASSAY_IO, &at, "is no directory that can be read");
        return ASSAY_IO;
    }
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        host_live_parse(&live, file[i].path, file[i].parser, file[i].parse);
    }
    host_live_number(&live, "proc/sys/kernel/numa_balancing", 1, &parse->host->numa_balancing);
    read_modules(&live);
    host_live_pci(&live);
    read_kfd(&live);
    read_ports(&live);
    read_nodes(&live);
    read_shm(&live);
    find_container(&live);
    (void)close(live.root);
    return parse->full ? assay_error_memory(err, &at) : ASSAY_OK;
}
