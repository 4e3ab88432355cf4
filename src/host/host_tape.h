/**
 * What the reader of a root asked and was answered, in memory: recorded on a machine, it can be
 * played anywhere, and then the reader sees what it saw there, refusals and time-outs as well. An
 * archive of somebody's files makes one too.
 */
#ifndef HOST_TAPE_H
#define HOST_TAPE_H

#include "assay/archive.h"
#include "assay/host.h"
#include "host/host_worker.h"

typedef enum {
    HOST_READ_FILE,
    HOST_READ_LIST,
    HOST_READ_LINK,
    HOST_READ_STAT,
    HOST_READ_SPACE,
    HOST_TRY_OPEN,
    HOST_REQUEST_N
} host_request_kind_t;

typedef struct {
    const char *path;
    uint8_t kind; /* host_request_kind_t */
    host_reply_t reply;
    const char *data; /* (reply.n) */
} host_tape_entry_t;

typedef struct {
    assay_arena_t *arena;
    host_tape_entry_t *entry;
    uint32_t n, capacity;
    bool full;    /* a limit was reached: what came later is missing */
    bool machine; /* recorded on the machine: what a copy cannot answer was asked there */
} host_tape_t;

#define HOST_TAPE_MAX_ENTRIES 262144u

/** Keeps a copy. A file that is read a second time is kept as PATH_later, as copies name it. */
void host_tape_record(host_tape_t *tape, host_request_kind_t kind, const char *path,
                      const host_reply_t *reply, const char *data);
/** Makes the tape ready to be played. */
void host_tape_sort(host_tape_t *tape);
/** The answer; error ENOENT for what was not asked. */
host_reply_t host_tape_play(const host_tape_t *tape, host_request_kind_t kind, const char *path,
                            const char **out_data);

/* A tape as files: one index of all requests, and what was read below root/. */
#define HOST_TAPE_INDEX "assay-host.txt"
#define HOST_TAPE_ROOT "root/"
/** Text of the index; in the arena, NULL beyond its limit. */
const char *host_tape_index(const host_tape_t *tape, size_t *out_n);
/**
 * The tape of an index and the files beside it; prefix: the folder that the index lies in, as
 * "host1/". Lines that are none are left out.
 */
void host_tape_read(host_tape_t *tape, const assay_archive_file_t *file, uint32_t n_file,
                    const char *prefix, const char *index, size_t n_index);
/** The tape of a copied root: files below prefix, which holds proc/ or sys/. */
void host_tape_of_copy(host_tape_t *tape, const assay_archive_file_t *file, uint32_t n_file,
                       const char *prefix);

#endif
