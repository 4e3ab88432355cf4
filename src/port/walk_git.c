/* A revision of a git repository, read through git itself: what is tracked, as it was. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "port/walk.h"

#include "base/banned.h"

#define MAX_LISTING_BYTES ((size_t)512 << 20)

typedef struct {
    pid_t pid;
    int in, out; /* in: a socket, so that a git that has died gives EPIPE and no signal */
} git_t;

/* Our environment without what would point git elsewhere or make it fetch or ask. */
static char **git_environment(assay_arena_t *arena) {
    static char *const settings[] = {"GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
                                     "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"};
    enum { N_SETTINGS = sizeof settings / sizeof *settings };
    size_t n = 0;
    while (environ && environ[n]) {
        n++;
    }
    char **out = assay_arena_array(arena, n + N_SETTINGS + 1, sizeof *out);
    size_t k = 0;
    for (size_t i = 0; out && i < n; i++) {
        if (strncmp(environ[i], "GIT_", 4) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0) {
            out[k++] = environ[i];
        }
    }
    for (size_t i = 0; out && i < N_SETTINGS; i++) {
        out[k++] = settings[i];
    }
    return out;
}

static void close_both(int fd[2]) {
    (void)close(fd[0]);
    (void)close(fd[1]);
}

static int spawn_git(git_t *git, char *const argv[], char *const environment[], int in, int out) {
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);
    if (number) {
        return number;
    }
    number = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (!number) {
        number = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    }
    if (!number) {
        number =
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    if (!number) {
        number = posix_spawnp(&git->pid, "git", &actions, NULL, argv, environment);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return number;
}

static assay_status_t git_start(walk_t *walk, git_t *git, char *const argv[]) {
    int to[2], from[2];
    char **environment = git_environment(walk->arena);
    if (!environment) {
        return assay_error_memory(walk->err, NULL);
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to) != 0) {
        return assay_error_set(walk->err, ASSAY_IO, NULL, "no more files can be opened");
    }
    if (pipe2(from, O_CLOEXEC) != 0) {
        close_both(to);
        return assay_error_set(walk->err, ASSAY_IO, NULL, "no more files can be opened");
    }
    const int number = spawn_git(git, argv, environment, to[1], from[1]);
    (void)close(to[1]);
    (void)close(from[1]);
    git->in = to[0];
    git->out = from[0];
    if (number == 0) {
        return ASSAY_OK;
    }
    (void)close(git->in);
    (void)close(git->out);
    (void)assay_error_set(walk->err, ASSAY_UNAVAILABLE, NULL, "git could not be started");
    assay_error_next(walk->err, "install git, or check the revision out and scan the folder");
    return ASSAY_UNAVAILABLE;
}

/* Ends git and waits for it; true when it was content. */
static bool git_end(git_t *git) {
    int result = 0;
    (void)close(git->in);
    (void)close(git->out);
    while (waitpid(git->pid, &result, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

static bool read_exactly(int fd, char *data, size_t size) {
    while (size) {
        const ssize_t got = read(fd, data, size);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        data += got > 0 ? got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

typedef enum { BLOB_THERE, BLOB_ABSENT, BLOB_BROKEN } blob_t;

/* "HASH\n" to cat-file; it answers "HASH blob SIZE\n" or "HASH missing\n". */
static blob_t request_blob(git_t *git, const char *hash, size_t n_hash, size_t size) {
    char line[160], expected[160];
    const int n = snprintf(line, sizeof line, "%.*s\n", (int)n_hash, hash);
    if (n <= 0 || (size_t)n >= sizeof line ||
        send(git->in, line, (size_t)n, MSG_NOSIGNAL) != (ssize_t)n) {
        return BLOB_BROKEN;
    }
    static const char missing[] = " missing\n";
    const int n_there =
        snprintf(expected, sizeof expected, "%.*s blob %zu\n", (int)n_hash, hash, size);
    const size_t n_first = n_hash + 6; /* as long as " blob " and " missi" */
    if (n_there <= 0 || (size_t)n_there >= sizeof expected || n_first + 3 >= sizeof line ||
        !read_exactly(git->out, line, n_first)) {
        return BLOB_BROKEN;
    }
    const bool there = memcmp(line, expected, n_first) == 0;
    const size_t n_rest = there ? (size_t)n_there - n_first : 3;
    if (!read_exactly(git->out, line + n_first, n_rest)) {
        return BLOB_BROKEN;
    }
    if (there) {
        return memcmp(line, expected, (size_t)n_there) == 0 ? BLOB_THERE : BLOB_BROKEN;
    }
    return memcmp(line + n_hash, missing, sizeof missing - 1) == 0 ? BLOB_ABSENT : BLOB_BROKEN;
}

static assay_status_t git_broken(walk_t *walk) {
    (void)assay_error_set(walk->err, ASSAY_IO, NULL, "git gave no answer that makes sense for %s",
                          walk->root);
    assay_error_next(walk->err, "check the repository with git fsck");
    return ASSAY_IO;
}

/* One line of ls-tree -l: "MODE TYPE HASH SIZE\tPATH". */
typedef struct {
    const char *hash;
    size_t n_hash;
    uint64_t size;
    const char *path;
    bool is_file, absent; /* absent: git has its name only */
} row_t;

static bool parse_row(const char *line, row_t *out) {
    const char *tab = strchr(line, '\t');
    const char *type = strchr(line, ' ');
    const char *hash = type ? strchr(type + 1, ' ') : NULL;
    const char *size = hash ? strchr(hash + 1, ' ') : NULL;
    if (!tab || !size || size > tab) {
        return false;
    }
    *out = (row_t){.hash = hash + 1, .n_hash = (size_t)(size - hash - 1), .path = tab + 1};
    while (*size == ' ') {
        size++;
    }
    out->is_file = strncmp(line, "100", 3) == 0; /* no link, no module */
    out->absent = tab - size == 3 && memcmp(size, "BAD", 3) == 0;
    return !out->is_file || out->absent ||
           assay_text_to_u64(size, (size_t)(tab - size), &out->size);
}

static assay_status_t visit_row(walk_t *walk, git_t *git, const row_t *row) {
    bool bad = false;
    const char *path = walk_path(walk, row->path, strlen(row->path), &bad);
    if (!path) {
        return ASSAY_LIMIT;
    }
    const char *skipped = bad                                ? WALK_BAD_NAME
                          : !port_language_possible(path)    ? WALK_OTHER
                          : row->absent                      ? WALK_ABSENT
                          : row->size > walk->max_file_bytes ? WALK_TOO_LARGE
                                                             : NULL;
    if (skipped) {
        return walk_skip(walk, path, skipped);
    }
    const size_t size = (size_t)row->size;
    if (!walk_reserve(walk, size + 1)) {
        return assay_error_memory(walk->err, NULL);
    }
    const blob_t blob = request_blob(git, row->hash, row->n_hash, size);
    if (blob == BLOB_ABSENT) {
        return walk_skip(walk, path, WALK_ABSENT);
    }
    if (blob == BLOB_BROKEN ||
        !read_exactly(git->out, walk->buffer, size + 1)) { /* a newline ends the answer */
        return git_broken(walk);
    }
    return walk_text(walk, path, walk->buffer, size);
}

/* Everything that git prints, NUL-terminated. */
static assay_status_t git_listing(walk_t *walk, const char *directory, const char *revision,
                                  assay_buf_t *out) {
    char *const argv[] = {(char[]){"git"},     (char[]){"-C"},   (char *)directory,
                          (char[]){"ls-tree"}, (char[]){"-r"},   (char[]){"-l"},
                          (char[]){"-z"},      (char *)revision, NULL};
    git_t git;
    const assay_status_t status = git_start(walk, &git, argv);
    if (status != ASSAY_OK) {
        return status;
    }
    char chunk[1 << 14];
    for (ssize_t got; (got = read(git.out, chunk, sizeof chunk)) != 0;) {
        if (got < 0 && errno != EINTR) {
            break;
        }
        assay_buf_add(out, chunk, got > 0 ? (size_t)got : 0);
        if (out->failed) {
            break;
        }
    }
    const bool good = git_end(&git);
    if (out->failed) {
        return assay_error_memory(walk->err, NULL);
    }
    if (!good) {
        const assay_place_t at = {.file = directory};
        (void)assay_error_set(walk->err, ASSAY_INPUT, &at, "git knows no revision \"%s\" here",
                              revision);
        assay_error_next(walk->err, "list what there is with git branch -a and git tag");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

assay_status_t walk_git(walk_t *walk, const char *directory, const char *revision) {
    if (revision[0] == '-' || revision[0] == 0) {
        const assay_place_t at = {.file = directory};
        (void)assay_error_set(walk->err, ASSAY_INPUT, &at, "\"%s\" is no revision", revision);
        assay_error_next(walk->err, "write FOLDER@BRANCH, FOLDER@TAG or FOLDER@COMMIT");
        return ASSAY_INPUT;
    }
    assay_buf_t listing;
    assay_buf_init(&listing, MAX_LISTING_BYTES);
    assay_status_t status = git_listing(walk, directory, revision, &listing);
    char *const argv[] = {(char[]){"git"},      (char[]){"-C"},      (char *)directory,
                          (char[]){"cat-file"}, (char[]){"--batch"}, NULL};
    git_t git;
    bool running = false;
    if (status == ASSAY_OK) {
        status = git_start(walk, &git, argv);
        running = status == ASSAY_OK;
    }
    for (size_t i = 0; status == ASSAY_OK && i < listing.n;) {
        row_t row;
        if (!parse_row(listing.data + i, &row)) {
            status = git_broken(walk);
        } else if (row.is_file) {
            status = visit_row(walk, &git, &row);
        }
        i += strlen(listing.data + i) + 1;
    }
    if (running) {
        (void)git_end(&git);
    }
    assay_buf_done(&listing);
    return status;
}
