/* Requests and answers over a socket pair: a fixed head each way, then the answer's bytes. */
#include "host/host_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

#define FILES_MAX 4096u /* of ours that may be open */

struct host_worker {
    host_serve_t serve;
    int fd, socket; /* socket -1: no child */
    pid_t child;
    size_t most;
    char *data;
};

static double now_s(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- in the child ---------------------------------------------------------------------------- */

static bool send_all(int socket, const char *data, size_t n) {
    while (n > 0) {
        const ssize_t sent = send(socket, data, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        data += sent;
        n -= (size_t)sent;
    }
    return true;
}

static void close_range_of(unsigned from, unsigned to) {
    if (from > to || syscall(SYS_close_range, from, to, 0u) == 0) {
        return;
    }
    for (unsigned fd = from; fd <= to && fd < FILES_MAX; fd++) { /* before Linux 5.9 */
        (void)close((int)fd);
    }
}

/* A child that is left behind must not hold a pipe that somebody waits for. */
static void let_go_of_files(int one, int other) {
    const unsigned low = (unsigned)(one < other ? one : other),
                   high = (unsigned)(one < other ? other : one);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++) {
        (void)dup2(null, fd);
    }
    close_range_of(3, low - 1);
    close_range_of(low + 1, high - 1);
    close_range_of(high + 1, ~0u);
}

__attribute__((noreturn)) static void serve_all(const host_worker_t *worker, int socket) {
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* a library's crash leaves no file */
    let_go_of_files(socket, worker->fd);
    for (;;) {
        host_request_t request;
        const ssize_t n = recv(socket, &request, sizeof request, MSG_WAITALL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n != (ssize_t)sizeof request) {
            _exit(0);
        }
        host_reply_t reply = {.error = 0};
        worker->serve(worker->fd, &request, &reply, worker->data);
        if (!send_all(socket, (const char *)&reply, sizeof reply) ||
            !send_all(socket, worker->data, reply.n)) {
            _exit(0);
        }
    }
}

/* --- in the parent --------------------------------------------------------------------------- */

host_worker_t *host_worker_create(host_serve_t serve, int fd, size_t most) {
    host_worker_t *worker = malloc(sizeof *worker);
    char *data = malloc(most);
    if (!worker || !data) {
        free(data);
        free(worker);
        return NULL;
    }
    *worker = (host_worker_t){.serve = serve, .fd = fd, .socket = -1, .most = most, .data = data};
    return worker;
}

/* A child that hangs in the kernel stays a zombie-to-be; it is not waited for. */
static void stop(host_worker_t *worker) {
    if (worker->socket < 0) {
        return;
    }
    (void)close(worker->socket);
    worker->socket = -1;
    (void)kill(worker->child, SIGKILL);
    for (int i = 0; i < 50 && waitpid(worker->child, NULL, WNOHANG) == 0; i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static bool start(host_worker_t *worker) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        serve_all(worker, pair[1]);
    }
    (void)close(pair[1]);
    if (child < 0) {
        (void)close(pair[0]);
        return false;
    }
    worker->child = child;
    worker->socket = pair[0];
    return true;
}

void host_worker_destroy(host_worker_t *worker) {
    if (worker) {
        stop(worker);
        free(worker->data);
        free(worker);
    }
}

/* 0, ETIMEDOUT or EPIPE. */
static int receive(host_worker_t *worker, void *data, size_t n, double deadline_s) {
    char *to = data;
    while (n > 0) {
        const double left_s = deadline_s - now_s();
        struct pollfd poll_fd = {.fd = worker->socket, .events = POLLIN};
        const int ready = left_s > 0 ? poll(&poll_fd, 1, (int)ceil(left_s * 1e3)) : 0;
        if (ready == 0) {
            return ETIMEDOUT;
        }
        const ssize_t got = ready > 0 ? recv(worker->socket, to, n, 0) : -1;
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return EPIPE;
        }
        to += got;
        n -= (size_t)got;
    }
    return 0;
}

void host_worker_call(host_worker_t *worker, const host_request_t *request, double timeout_s,
                      host_reply_t *reply, const char **data) {
    const double deadline_s = now_s() + timeout_s;
    int error = worker->socket >= 0 || start(worker) ? 0 : EAGAIN;
    *data = worker->data;
    if (error == 0 && !send_all(worker->socket, (const char *)request, sizeof *request)) {
        error = EPIPE;
    }
    error = error ? error : receive(worker, reply, sizeof *reply, deadline_s);
    if (error == 0 && reply->n > worker->most) {
        error = EPIPE;
    }
    error = error ? error : receive(worker, worker->data, reply->n, deadline_s);
    if (error) {
        *reply = (host_reply_t){.error = error};
        stop(worker);
    }
}
