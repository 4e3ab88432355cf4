/* What the live reader asks is recorded, the usual tools are run beside it, and all of it is
   scrubbed and packed. */
#include "assay/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/env_tables.h"
#include "host/host_command.h"
#include "host/host_live.h"
#include "host/host_scrub.h"

#include "base/banned.h"

#define TOTAL_S 4.8 /* reading takes at most 4, and the tools run after it */
#define TOOLS_LEAST_S 0.8
#define DENIED_MAX 32u

/* Name in the archive, as the parsers know it, and the command. */
static const struct {
    const char *file;
    const char *argv[HOST_COMMAND_ARGUMENTS];
} tool[] = {
    {"tools/rocm-smi.txt", {"rocm-smi"}},
    {"tools/rocminfo.txt", {"rocminfo"}},
    {"tools/amd-smi-static.txt", {"amd-smi", "static"}},
    {"tools/amd-smi-metric.txt", {"amd-smi", "metric"}},
    {"tools/amd-smi-topology.txt", {"amd-smi", "topology"}},
    {"tools/nvidia-smi.txt", {"nvidia-smi"}},
    {"tools/nvidia-smi-q.txt", {"nvidia-smi", "-q"}},
    {"tools/nvidia-smi-topo-m.txt", {"nvidia-smi", "topo", "-m"}},
    {"tools/nvidia-smi-nvlink-status.txt", {"nvidia-smi", "nvlink", "--status"}},
    {"tools/lspci-vvv.txt", {"lspci", "-D", "-nn", "-vvv"}},
    {"tools/ibstat.txt", {"ibstat"}},
    {"tools/numactl-H.txt", {"numactl", "-H"}},
    {"tools/lscpu.txt", {"lscpu"}},
    {"tools/nvidia-fabricmanager.txt", {"systemctl", "status", "nvidia-fabricmanager"}},
    {"tools/dkms-status.txt", {"dkms", "status"}},
};
enum { N_TOOL = sizeof tool / sizeof tool[0] };

typedef struct {
    assay_arena_t *arena;
    const assay_host_rules_t *rules;
    const assay_snapshot_options_t *options;
    host_scrub_t scrub;
    assay_archive_file_t *file;
    uint32_t n, capacity;
    const char **denied, **late;
    assay_snapshot_t *out;
    bool full;
} pack_t;

static void add_file(pack_t *pack, const char *path, const char *data, size_t n) {
    if (pack->n == pack->capacity || !path || !data) {
        pack->full = true;
        return;
    }
    pack->file[pack->n++] = (assay_archive_file_t){path, data, n};
}

static const char *scrubbed(pack_t *pack, const char *text, size_t n, bool keys, size_t *out_n) {
    if (pack->options->keep_names) {
        *out_n = n;
        return assay_arena_strndup(pack->arena, text, n);
    }
    return host_scrub(&pack->scrub, pack->arena, text, n, keys, out_n);
}

/* --- who is to be hidden --------------------------------------------------------------------- */

static void hide(const char *name, const char *list[HOST_SCRUB_NAMES]) {
    for (size_t i = 0; name && strlen(name) > 2 && i < HOST_SCRUB_NAMES - 1; i++) {
        if (!list[i]) {
            list[i] = name;
            return;
        }
    }
}

static void find_names(pack_t *pack) {
    static const char *const variable[] = {"USER", "LOGNAME", "SUDO_USER"};
    char name[256];
    if (gethostname(name, sizeof name - 1) == 0) {
        name[sizeof name - 1] = '\0';
        char *whole = assay_arena_strdup(pack->arena, name);
        const char *dot = strchr(name, '.');
        hide(whole, pack->scrub.host);
        if (dot) {
            hide(assay_arena_strndup(pack->arena, name, (size_t)(dot - name)), pack->scrub.host);
        }
    }
    for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++) {
        const char *user = getenv(variable[i]);
        if (user && strcmp(user, "root") != 0) {
            hide(assay_arena_strdup(pack->arena, user), pack->scrub.user);
        }
    }
}

/* --- parts ----------------------------------------------------------------------------------- */

/* A name behind which there is nothing but a serial number. */
static bool is_serial(const char *path) {
    return host_name_matches("*/unique_id|*serial*|*uuid*|*guid*|*asset_tag", path);
}

static void pack_tape(pack_t *pack, const host_tape_t *tape) {
    size_t n = 0;
    const char *index = host_tape_index(tape, &n);
    const char *hidden = index ? scrubbed(pack, index, n, false, &n) : NULL;
    add_file(pack, HOST_TAPE_INDEX, hidden, n);
    for (uint32_t i = 0; i < tape->n; i++) {
        const host_tape_entry_t *entry = &tape->entry[i];
        const bool again = i > 0 && tape->entry[i - 1].kind == entry->kind &&
                           strcmp(tape->entry[i - 1].path, entry->path) == 0;
        if (entry->reply.error == EACCES || entry->reply.error == EPERM) {
            if (!again && pack->out->n_denied < DENIED_MAX) {
                pack->denied[pack->out->n_denied++] =
                    assay_arena_printf(pack->arena, "/%s", entry->path);
            }
            pack->out->n_denied_all += !again;
        }
        if (entry->kind != HOST_READ_FILE || entry->reply.error || entry->reply.n == 0 || again) {
            continue;
        }
        size_t n_path, n_data;
        const char *path = assay_arena_printf(pack->arena, HOST_TAPE_ROOT "%s", entry->path);
        path = path ? scrubbed(pack, path, strlen(path), false, &n_path) : NULL;
        const bool serial = is_serial(entry->path) && !pack->options->keep_names;
        const char *data =
            serial ? "0\n" : scrubbed(pack, entry->data, entry->reply.n, true, &n_data);
        if (serial) {
            n_data = 2;
            pack->scrub.n_hidden++;
        } else if (data && !pack->options->keep_names &&
                   host_name_matches("*/config", entry->path)) {
            host_scrub_config(&pack->scrub, (char *)(uintptr_t)data, n_data);
        }
        add_file(pack, path, data, n_data);
    }
}

static void pack_tools(pack_t *pack, double timeout_s) {
    host_command_t command[N_TOOL];
    for (size_t i = 0; i < N_TOOL; i++) {
        command[i] = (host_command_t){.status = -1};
        memcpy(command[i].argv, tool[i].argv, sizeof command[i].argv);
    }
    host_command_run(command, N_TOOL, timeout_s);
    for (size_t i = 0; i < N_TOOL; i++) {
        size_t n = 0;
        if (command[i].started && !command[i].ended) {
            pack->late[pack->out->n_late++] = tool[i].argv[0];
        }
        /* What a tool that was missing or killed printed is not what it would say. */
        if (command[i].ended && command[i].out.n > 0 && !command[i].out.failed) {
            const char *text = scrubbed(pack, command[i].out.data, command[i].out.n, true, &n);
            add_file(pack, tool[i].file, text, n);
            pack->out->n_command++;
        }
        assay_buf_done(&command[i].out);
    }
}

/* Variables that a table knows: others are nobody's business, and may be secrets. */
static void pack_environment(pack_t *pack) {
    assay_buf_t text;
    assay_buf_init(&text, (size_t)1 << 20);
    for (const char *const *entry = pack->options->environment; entry && *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        const char *name =
            equals ? assay_arena_strndup(pack->arena, *entry, (size_t)(equals - *entry)) : NULL;
        if (name && host_variable_find(pack->rules, name)) {
            assay_buf_printf(&text, "%s\n", *entry);
        }
    }
    if (pack->options->environment) {
        size_t n = 0;
        const char *copy = scrubbed(pack, text.n ? text.data : "", text.n, true, &n);
        add_file(pack, "env.txt", copy, n);
    }
    assay_buf_done(&text);
}

assay_status_t assay_snapshot_write(assay_arena_t *arena, const assay_host_rules_t *rules,
                                    const char *path, const assay_snapshot_options_t *options,
                                    assay_snapshot_t *out, assay_error_t *err) {
    const double start_s = host_live_now_s();
    host_tape_t tape = {.arena = arena};
    assay_host_t *host;
    *out = (assay_snapshot_t){0};
    assay_status_t status =
        host_read_live(arena, rules, options->root, options->environment, &tape, &host, err);
    if (status != ASSAY_OK) {
        return status;
    }
    host_tape_sort(&tape);
    pack_t pack = {.arena = arena,
                   .rules = rules,
                   .options = options,
                   .capacity = tape.n + N_TOOL + 2,
                   .denied = assay_arena_array(arena, DENIED_MAX, sizeof *pack.denied),
                   .late = assay_arena_array(arena, N_TOOL, sizeof *pack.late),
                   .out = out};
    pack.file = assay_arena_array(arena, pack.capacity, sizeof *pack.file);
    if (!pack.file || !pack.denied || !pack.late) {
        return assay_error_memory(err, NULL);
    }
    find_names(&pack);
    pack_tape(&pack, &tape);
    pack_environment(&pack);
    const double left_s = TOTAL_S - (host_live_now_s() - start_s);
    if (!options->no_commands && strcmp(options->root, "/") == 0) {
        pack_tools(&pack, left_s > TOOLS_LEAST_S ? left_s : TOOLS_LEAST_S);
    }
    if (pack.full || tape.full) {
        return assay_error_memory(err, NULL);
    }
    out->n_file = pack.n;
    out->n_hidden = pack.scrub.n_hidden;
    out->denied = pack.denied;
    out->late = pack.late;
    return assay_archive_write(path, pack.file, pack.n, err);
}
