#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#include "base/banned.h"

#define FILE_BYTES ((size_t)64 << 20)
#define ARENA_BYTES ((size_t)1 << 30)
#define BACKUP ".orig"

/* To write, everything is looked at before anything is changed. */
typedef enum { PASS_SHOW, PASS_CHECK, PASS_WRITE } pass_t;

/* What one run changes. */
typedef struct {
    cli_t *cli;
    const assay_port_scan_t *scan;
    const assay_port_rewriter_t *rewriter;
    bool folder;
    pass_t pass;
    assay_arena_t *arena; /* of one file */
    uint32_t files, changes;
} rewrite_t;

/* The original beside it, once: an older backup is somebody's only copy. */
static assay_status_t check_backup(cli_t *cli, const char *path, const char *backup) {
    const assay_place_t at = {backup, 0, 0}, at_file = {path, 0, 0};
    struct stat st;
    if (lstat(backup, &st) == 0) {
        assay_error_set(&cli->err, ASSAY_IO, &at, "is an older backup");
        assay_error_next(&cli->err, "move it away and run again; no file was changed");
        return ASSAY_IO;
    }
    if (access(path, W_OK) != 0) {
        assay_error_set(&cli->err, ASSAY_IO, &at_file, "may not be written");
        assay_error_next(&cli->err, "make it writable and run again; no file was changed");
        return ASSAY_IO;
    }
    return ASSAY_OK;
}

static assay_status_t replace(rewrite_t *r, const char *path, const char *data, size_t size,
                              const assay_buf_t *rewritten) {
    cli_t *cli = r->cli;
    const char *backup = assay_arena_printf(r->arena, "%s" BACKUP, path);
    if (!backup) {
        return assay_error_memory(&cli->err, NULL);
    }
    if (r->pass == PASS_CHECK) {
        return check_backup(cli, path, backup);
    }
    /* The backup is the file itself, with its mode and times: what is written takes its place.
       Where no second name is possible it is a copy. */
    const bool linked = linkat(AT_FDCWD, path, AT_FDCWD, backup, AT_SYMLINK_FOLLOW) == 0;
    assay_status_t status = linked ? ASSAY_OK : assay_file_write(backup, data, size, &cli->err);
    if (!status) {
        status =
            assay_file_write(path, rewritten->n ? rewritten->data : "", rewritten->n, &cli->err);
    }
    return status;
}

static assay_status_t rewrite_file(rewrite_t *r, const assay_port_file_t *file) {
    cli_t *cli = r->cli;
    const char *path = r->folder ? assay_arena_printf(r->arena, "%s/%s", r->scan->root, file->path)
                                 : r->scan->root;
    char *data;
    size_t size;
    uint32_t changes = 0;
    assay_buf_t rewritten;
    if (!path) {
        return assay_error_memory(&cli->err, NULL);
    }
    assay_buf_init(&rewritten, 2 * FILE_BYTES);
    assay_status_t status = assay_file_read(r->arena, path, FILE_BYTES, &data, &size, &cli->err);
    if (!status) {
        status = assay_port_rewriter_run(r->rewriter, r->arena, file->path, data, size, &rewritten,
                                         &changes, &cli->err);
    }
    if (!status && changes > 0) {
        r->files++;
        r->changes += changes;
        status = r->pass != PASS_SHOW ? replace(r, path, data, size, &rewritten)
                                      : assay_port_diff(r->arena, file->path, data, size,
                                                        rewritten.n ? rewritten.data : "",
                                                        rewritten.n, &cli->out, &cli->err);
    }
    assay_buf_done(&rewritten);
    return status;
}

static assay_status_t rewrite_all(rewrite_t *r) {
    assay_status_t status = ASSAY_OK;
    r->files = r->changes = 0;
    r->arena = assay_arena_create(ARENA_BYTES);
    if (!r->arena) {
        return assay_error_memory(&r->cli->err, NULL);
    }
    for (uint32_t i = 0; !status && i < r->scan->n_file; i++) {
        const assay_port_file_t *file = &r->scan->file[i];
        const bool builds = file->language == ASSAY_PORT_CMAKE || file->language == ASSAY_PORT_MAKE;
        if (r->pass != PASS_WRITE && r->cli->hooks.cancelled(r->cli->hooks.ctx)) {
            status = assay_error_set(&r->cli->err, ASSAY_CANCELLED, NULL,
                                     "stopped; no file was changed");
        } else if (!file->skipped && (assay_port_file_references(file).all > 0 || builds)) {
            status = rewrite_file(r, file);
            assay_arena_reset(r->arena);
        }
    }
    assay_arena_destroy(r->arena);
    return status;
}

assay_status_t cli_run_port(cli_t *cli) {
    const bool write = cli_has(cli, CLI_WRITE);
    rewrite_t r = {.cli = cli, .pass = write ? PASS_CHECK : PASS_SHOW};
    assay_port_options_t options;
    assay_port_scan_t *scan;
    struct stat st;
    if (cli_has(cli, CLI_DIFF) == write) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "port needs one of --diff and --write");
        assay_error_next(&cli->err, "--diff shows what --write would do");
        return ASSAY_USAGE;
    }
    if (stat(cli->arg[0], &st) != 0 || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode))) {
        const assay_place_t at = {cli->arg[0], 0, 0};
        assay_error_set(&cli->err, ASSAY_IO, &at, "is no folder or file that can be read");
        assay_error_next(&cli->err, "unpack archives and check revisions out first");
        return ASSAY_IO;
    }
    r.folder = S_ISDIR(st.st_mode);
    assay_status_t status = cli_port_options(cli, &options);
    if (!status) {
        cli_progress_start(cli);
        status = assay_port_scan(cli->arena, cli->arg[0], &options, &scan, &cli->err);
    }
    if (!status) {
        status = assay_port_rewriter_create(cli->arena, &scan->options, &r.rewriter, &cli->err);
    }
    if (!status) {
        r.scan = scan;
        status = rewrite_all(&r);
    }
    if (!status && write) {
        r.pass = PASS_WRITE;
        status = rewrite_all(&r);
    }
    if (!status && write) {
        char files[16], changes[16];
        snprintf(files, sizeof files, "%u", r.files);
        snprintf(changes, sizeof changes, "%u", r.changes);
        cli_say(cli, ASSAY_MSG_PORT_WRITTEN, (const char *const[]){changes, files, BACKUP}, 3);
    }
    return status;
}
