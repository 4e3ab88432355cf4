/**
 * Reading of /proc, /sys and /dev below a root: the machine's own, or a copy of it. On a machine a
 * child does it (host_worker.h), so that nothing can hang us; a copy consists of files and is read
 * directly. Symbolic links are followed inside the root only.
 */
#ifndef HOST_LIVE_H
#define HOST_LIVE_H

#include "host/host_metrics.h"
#include "host/host_tape.h"
#include "host/host_worker.h"

typedef enum {
    HOST_ROOT_COPY,  /* somebody's copy: symbolic links must not lead out of it */
    HOST_ROOT_MOUNT, /* another root of this machine, as /host in a container */
    HOST_ROOT_OWN    /* "/": device nodes may be opened, libraries loaded, file systems asked */
} host_root_t;

/** Fills parse->host from what lies below root. Errors: ASSAY_IO when root cannot be opened,
 * ASSAY_LIMIT. */
assay_status_t host_live_read(host_parse_t *parse, const char *root, host_root_t kind,
                              assay_error_t *err);
/** The same, and record keeps what was asked and answered. */
assay_status_t host_live_record(host_parse_t *parse, const char *root, host_root_t kind,
                                host_tape_t *record, assay_error_t *err);
/** The same of a tape. Errors: ASSAY_LIMIT. */
assay_status_t host_live_play(host_parse_t *parse, const host_tape_t *play, assay_error_t *err);
/** assay_host_read_live, and record, unless NULL, keeps what was asked and answered. */
assay_status_t host_read_live(assay_arena_t *arena, const assay_host_rules_t *rules,
                              const char *root, const char *const *environment, host_tape_t *record,
                              assay_host_t **out_host, assay_error_t *err);
/** dir looks like a copy of a root: it holds proc/ or sys/. */
bool host_live_is_root(const char *dir);

/* A first sample of an accelerator's counters. */
typedef struct {
    const char *bdf, *path;
    host_metrics_t metrics;
    double at_s;
} host_sample_t;

/* What the parts of the reader share. Paths are relative to the root, without a slash in front. */
typedef struct {
    host_parse_t *parse;
    int root; /* directory */
    host_root_t kind;
    double deadline_s;     /* monotonic; beyond it nothing more is opened */
    host_worker_t *worker; /* NULL: read here */
    char *buffer;          /* of answers when read here */
    host_sample_t *sample;
    uint32_t n_sample;
    host_tape_t *record;     /* NULL: nothing is kept */
    const host_tape_t *play; /* what answers; NULL: the root */
} host_live_t;

/** What only the machine itself can be asked: it is this one, or a tape of it. */
static inline bool host_live_asks(const host_live_t *live) {
    return live->kind == HOST_ROOT_OWN || (live->play && live->play->machine);
}

/* --- live_file.c ----------------------------------------------------------------------------- */

assay_status_t host_live_open(host_live_t *live, host_parse_t *parse, const char *root,
                              host_root_t kind, assay_error_t *err);
void host_live_close(host_live_t *live);
double host_live_now_s(void);

/** Bytes of a file until the next call; n = 0: not there, empty or not readable, and then *out_why
 * says which (NULL allowed). Facts that are set next stand in that file. */
host_span_t host_live_bytes(host_live_t *live, const char *path, assay_host_state_t *out_why);
/** The same as text, clean, in scratch. */
host_span_t host_live_text(host_live_t *live, const char *path, assay_host_state_t *out_why);
/** The number in a file sets fact, times scale. */
void host_live_number(host_live_t *live, const char *path, double scale, assay_host_number_t *fact);
/** The text of a file, without white space around it, sets fact. */
void host_live_word(host_live_t *live, const char *path, assay_host_text_t *fact);
/** Hands a file to a parser, as a source of that name. false: it is not there. */
bool host_live_parse(host_live_t *live, const char *path, const char *parser, host_parser_t parse);
/** Target of a symbolic link, in scratch; n = 0: no link. */
host_span_t host_live_link(host_live_t *live, const char *path);
/** Its last name ("amdgpu" of .../driver), in the arena; NULL: no link. */
const char *host_live_link_name(host_live_t *live, const char *path);
/** Names in a directory in byte order, in scratch; *out_n = 0 when it is not there. */
const char **host_live_list(host_live_t *live, const char *path, uint32_t *out_n);
/** What is at path; error ENOENT: nothing. */
host_reply_t host_live_stat(host_live_t *live, const char *path);
bool host_live_exists(host_live_t *live, const char *path);
/** errno of opening a device node for reading and writing. */
int host_live_try_open(host_live_t *live, const char *path);
/** Bytes of the file system at path, all and free for users; false: cannot be asked. */
bool host_live_space(host_live_t *live, const char *path, double *out_bytes, double *out_free);
/* The kernel's messages, by this name; on a machine they are asked for, not read from the file. */
#define HOST_LIVE_LOG "proc/kmsg"
/** "/path", as places show it; in the arena. */
const char *host_live_shown(host_live_t *live, const char *path);
/** Facts that are set next stand at this path, not in a line of it. */
void host_live_at(host_live_t *live, const char *path);
/** Formats a path in scratch; NULL: scratch is full. */
const char *host_live_path(host_live_t *live, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- parts ----------------------------------------------------------------------------------- */

void host_live_pci(host_live_t *live);      /* live_pci.c: PCI functions, and accelerators */
void host_live_kfd(host_live_t *live);      /* live_kfd.c */
void host_live_system(host_live_t *live);   /* live_system.c: memory, processors, NUMA nodes */
void host_live_process(host_live_t *live);  /* live_process.c: what this process may, container */
void host_live_network(host_live_t *live);  /* live_network.c: RDMA, interfaces */
void host_live_software(host_live_t *live); /* live_software.c: modules, DKMS, trees, builds */
/** live_process.c: a device node, or that it is missing. */
void host_live_node(host_live_t *live, const char *path);
/** live_amdgpu.c: attributes and sensors of one accelerator in its directory of /sys. */
void host_live_amdgpu(host_live_t *live, const char *dir, assay_host_gpu_t *gpu);
/** Second samples, at the end: of a machine taken now, of a copy from "gpu_metrics_later" beside
 * the first. */
void host_live_amdgpu_again(host_live_t *live);

#endif
