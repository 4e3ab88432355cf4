#include "host/host_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/banned.h"

#define COMMANDS_MAX 32u
#define OUTPUT_MAX ((size_t)8 << 20) /* of one command */

typedef struct {
    pid_t pid;
    int fd; /* -1: it has ended, or was never started */
} child_t;

static double now_s(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static child_t start(host_command_t *command) {
    static const char *const environment[] = {
        "LC_ALL=C",
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/rocm/bin", NULL};
    child_t child = {-1, -1};
    int end[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (pipe2(end, O_CLOEXEC) != 0) {
        return child;
    }
    /* An own process group: what the tool started is killed with it. */
    bool ok = posix_spawnattr_init(&attributes) == 0;
    ok = ok && posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0;
    ok = posix_spawn_file_actions_init(&actions) == 0 && ok;
    ok = ok && posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0;
    ok = ok && posix_spawn_file_actions_adddup2(&actions, end[1], 1) == 0;
    ok = ok && posix_spawn_file_actions_adddup2(&actions, end[1], 2) == 0;
    ok = ok && posix_spawnp(&child.pid, command->argv[0], &actions, &attributes,
                            (char *const *)(uintptr_t)command->argv,
                            (char *const *)(uintptr_t)environment) == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    (void)close(end[1]);
    if (!ok) {
        (void)close(end[0]);
        return (child_t){-1, -1};
    }
    (void)fcntl(end[0], F_SETFL, O_NONBLOCK);
    child.fd = end[0];
    command->started = true;
    return child;
}

#define REAP_TRIES 50
#define REAP_PAUSE_NS 2000000

/* A tool that a stuck driver does not let die is left behind. */
static void finish(host_command_t *command, child_t *child, bool ended) {
    int status = -1;
    if (!ended) {
        (void)kill(-child->pid, SIGKILL);
    }
    (void)close(child->fd);
    child->fd = -1;
    for (int i = 0; i < REAP_TRIES && waitpid(child->pid, &status, WNOHANG) == 0; i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = REAP_PAUSE_NS}, NULL);
    }
    command->ended = ended;
    command->status = ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Takes what there is; true: the other end is closed. */
static bool take(host_command_t *command, const child_t *child) {
    char chunk[16384];
    for (;;) {
        const ssize_t n = read(child->fd, chunk, sizeof chunk);
        if (n > 0) {
            assay_buf_add(&command->out, chunk, (size_t)n);
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            return true;
        } else if (errno == EAGAIN) {
            return false;
        }
    }
}

void host_command_run(host_command_t *command, uint32_t n, double timeout_s) {
    child_t child[COMMANDS_MAX];
    struct pollfd waiting[COMMANDS_MAX];
    const double deadline_s = now_s() + timeout_s;
    n = n < COMMANDS_MAX ? n : COMMANDS_MAX;
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        assay_buf_init(&command[i].out, OUTPUT_MAX);
        command[i].status = -1;
        child[i] = start(&command[i]);
        left += child[i].fd >= 0;
    }
    while (left > 0 && now_s() < deadline_s) {
        for (uint32_t i = 0; i < n; i++) {
            waiting[i] = (struct pollfd){child[i].fd, POLLIN, 0};
        }
        const double left_s = deadline_s - now_s();
        (void)poll(waiting, n, left_s > 0 ? (int)(left_s * 1000) + 1 : 0);
        for (uint32_t i = 0; i < n; i++) {
            if (child[i].fd >= 0 && waiting[i].revents && take(&command[i], &child[i])) {
                finish(&command[i], &child[i], true);
                left--;
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (child[i].fd >= 0) {
            finish(&command[i], &child[i], false);
        }
    }
}
