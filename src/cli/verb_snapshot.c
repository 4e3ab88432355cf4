#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "assay/archive.h"
#include "assay/snapshot.h"

#include "base/banned.h"

/* "a, b, c, ..." */
static const char *join(cli_t *cli, const char *const *word, uint32_t n, uint32_t most) {
    const char *all = "";
    for (uint32_t i = 0; all && i < n && i < most; i++) {
        all = assay_arena_printf(cli->arena, "%s%s%s", all, i ? ", " : "", word[i]);
    }
    return all && n > most ? assay_arena_printf(cli->arena, "%s, ...", all) : all;
}

static void tell(cli_t *cli, const char *path, const assay_snapshot_t *snapshot) {
    const char *count[] = {path, assay_arena_printf(cli->arena, "%u", snapshot->n_file),
                           assay_arena_printf(cli->arena, "%u", snapshot->n_command),
                           assay_arena_printf(cli->arena, "%u", snapshot->n_hidden)};
    cli_say(cli,
            cli_has(cli, CLI_NO_SCRUB) ? ASSAY_MSG_SNAPSHOT_DONE_WHOLE : ASSAY_MSG_SNAPSHOT_DONE,
            count, 4);
    if (snapshot->n_denied_all > 0) {
        const char *denied[] = {assay_arena_printf(cli->arena, "%u", snapshot->n_denied_all),
                                join(cli, snapshot->denied, snapshot->n_denied, 6)};
        cli_say(cli, ASSAY_MSG_SNAPSHOT_ROOT, denied, 2);
    } else {
        cli_say(cli, ASSAY_MSG_SNAPSHOT_ALL, NULL, 0);
    }
    if (snapshot->n_late > 0) {
        const char *late[] = {join(cli, snapshot->late, snapshot->n_late, 8)};
        cli_say(cli, ASSAY_MSG_SNAPSHOT_LATE, late, 1);
    }
}

assay_status_t cli_run_snapshot(cli_t *cli) {
    const char *path = cli->value[CLI_OUTPUT];
    const char *const *dir;
    uint32_t n_dir;
    const assay_host_rules_t *rules;
    assay_snapshot_t snapshot;
    const size_t n = path ? strlen(path) : 0;
    if (!path || !assay_archive_is_named(path) ||
        (strcmp(path + n - 4, ".tar") != 0 && strcmp(path + n - 4, ".zst") != 0)) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                        "snapshot writes a file named .tar.zst or .tar");
        assay_error_next(&cli->err, "write: assay snapshot -o host.tar.zst");
        return ASSAY_USAGE;
    }
    assay_status_t status = cli_data_dirs(cli, &dir, &n_dir);
    if (!status) {
        status = assay_host_rules_load(cli->arena, dir, n_dir, ASSAY_LANG_EN, &rules, &cli->err);
    }
    if (!status) {
        const assay_snapshot_options_t options = {.root = "/",
                                                  .environment = (const char *const *)environ,
                                                  .keep_names = cli_has(cli, CLI_NO_SCRUB),
                                                  .no_commands = cli_has(cli, CLI_NO_TOOLS)};
        status = assay_snapshot_write(cli->arena, rules, path, &options, &snapshot, &cli->err);
    }
    if (!status) {
        tell(cli, path, &snapshot);
        cli->value[CLI_OUTPUT] = NULL; /* is written; what is said goes to standard output */
    }
    return status;
}
