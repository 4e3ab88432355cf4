/**
 * A child process that does what may hang: reading files of a kernel that is stuck, loading a
 * vendor's library. Each request has a time limit; beyond it the child is killed and left behind,
 * even where the kernel does not let it die, and a new one takes the next request.
 */
#ifndef HOST_WORKER_H
#define HOST_WORKER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t kind, most; /* what to do; bytes of an answer at most */
    char path[1016];
} host_request_t;
typedef struct {
    int32_t error; /* errno; 0: done */
    uint32_t mode, uid, gid;
    uint64_t number[2];
    uint64_t n; /* bytes of data */
} host_reply_t;
/** Answers one request, in the child. data has room for request->most bytes. */
typedef void (*host_serve_t)(int fd, const host_request_t *request, host_reply_t *reply,
                             char *data);

typedef struct host_worker host_worker_t;

/** fd stays open in the child and is handed to serve; all others are closed there. The first
 * request starts the child. NULL: no memory. */
host_worker_t *host_worker_create(host_serve_t serve, int fd, size_t most);
/** NULL allowed. */
void host_worker_destroy(host_worker_t *worker);
/**
 * The answer to a request: reply->error is that of serve, ETIMEDOUT when it took longer than
 * timeout_s, EPIPE when the child died. data: reply->n bytes, until the next call.
 */
void host_worker_call(host_worker_t *worker, const host_request_t *request, double timeout_s,
                      host_reply_t *reply, const char **data);

#endif
