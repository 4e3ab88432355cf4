/* The order in which a root is read. */
#include "host/live_vendor.h"

#include "base/banned.h"

static void read_nodes(host_live_t *live) {
    host_parse_t *parse = live->parse;
    uint32_t n, n_render = 0;
    host_live_node(live, "dev/kfd");
    const char **name = host_live_list(live, "dev/dri", &n);
    for (uint32_t i = 0; i < n; i++) {
        if (host_starts(host_span(name[i]), "renderD")) {
            host_live_node(live, host_live_path(live, "dev/dri/%s", name[i]));
            n_render++;
        }
    }
    if (name) {
        host_live_at(live, "dev/dri");
        host_set_number(parse, &parse->host->render_nodes, n_render);
    }
    if (host_live_asks(live) && host_live_exists(live, "sys/module/amdgpu")) {
        const int error = host_live_try_open(live, "dev/kfd");
        host_live_at(live, "dev/kfd");
        host_set_number(parse, &parse->host->kfd_errno, error);
    }
    (void)host_live_list(live, "dev/nvidia-caps-imex-channels", &n);
    if (n > 0) {
        host_live_at(live, "dev/nvidia-caps-imex-channels");
        host_set_number(parse, &parse->host->imex_channels, n);
    }
}

/* A service that runs has a control group; one that is only installed has a unit file. */
static void read_services(host_live_t *live) {
    static const char *const name[] = {"nvidia-fabricmanager", "nvidia-persistenced",
                                       "nvidia-imex"};
    static const char *const group[] = {"sys/fs/cgroup/system.slice",
                                        "sys/fs/cgroup/systemd/system.slice"};
    static const char *const unit[] = {"lib/systemd/system", "usr/lib/systemd/system",
                                       "etc/systemd/system"};
    assay_host_t *host = live->parse->host;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const char *state = NULL, *path = "";
        for (size_t k = 0; !state && k < sizeof group / sizeof group[0]; k++) {
            path = host_live_path(live, "%s/%s.service", group[k], name[i]);
            state = host_live_exists(live, path) ? "active" : NULL;
        }
        for (size_t k = 0; !state && k < sizeof unit / sizeof unit[0]; k++) {
            path = host_live_path(live, "%s/%s.service", unit[k], name[i]);
            state = host_live_exists(live, path) ? "inactive" : NULL;
        }
        if (!state) {
            continue;
        }
        host_live_at(live, path);
        assay_host_service_t *service = host_service(live->parse, name[i]);
        if (service) {
            service->state = state;
        }
        if (i == 0) {
            host_set_text(live->parse, &host->fabric_manager, host_span(state));
        }
    }
}

/* The kernel's messages, as dmesg reads them: what its buffer still holds. */
static void read_log(host_live_t *live) {
    live->parse->host->kernel_log_seen |=
        host_live_parse(live, HOST_LIVE_LOG, "log", host_parse_log) &&
        !live->parse->host->source[live->parse->host->n_source - 1].reason;
}

static assay_status_t read_parts(host_live_t *live, const char *root, assay_error_t *err) {
    static void (*const part[])(host_live_t *) = {
        host_live_process, host_live_system,  host_live_pci,         host_live_kfd,
        read_nodes,        host_live_network, host_live_software,    read_services,
        read_log,          host_live_vendor,  host_live_amdgpu_again};
    host_parse_t *parse = live->parse;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        part[i](live);
        assay_arena_reset(parse->scratch);
    }
    host_live_close(live);
    const assay_place_t at = {root, 0, 0};
    return parse->full ? assay_error_memory(err, &at) : ASSAY_OK;
}

assay_status_t host_live_record(host_parse_t *parse, const char *root, host_root_t kind,
                                host_tape_t *record, assay_error_t *err) {
    host_live_t live;
    const assay_status_t status = host_live_open(&live, parse, root, kind, err);
    if (status != ASSAY_OK) {
        return status;
    }
    live.record = record;
    return read_parts(&live, root, err);
}

assay_status_t host_live_read(host_parse_t *parse, const char *root, host_root_t kind,
                              assay_error_t *err) {
    return host_live_record(parse, root, kind, NULL, err);
}

assay_status_t host_live_play(host_parse_t *parse, const host_tape_t *play, assay_error_t *err) {
    host_live_t live = {.parse = parse, .root = -1, .kind = HOST_ROOT_COPY, .play = play};
    return read_parts(&live, "tape", err);
}
