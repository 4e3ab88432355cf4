/* What this process may and sees: groups, limits, control groups, container, device nodes. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "host/host_live.h"

#include "base/banned.h"

void host_live_node(host_live_t *live, const char *path) {
    const host_reply_t st = host_live_stat(live, path);
    if (st.error && st.error != ENOENT) {
        return;
    }
    assay_host_node_t *node = host_add(live->parse, node);
    if (!node) {
        return;
    }
    *node = (assay_host_node_t){
        .path = host_live_shown(live, path), .gid = -1, .missing = st.error == ENOENT};
    node->at = (assay_place_t){node->path, 0, 0};
    if (!node->missing) {
        node->mode = st.mode & 07777;
        node->gid = (int64_t)st.gid;
        node->group = assay_arena_printf(live->parse->arena, "%u", st.gid);
        node->owner = assay_arena_printf(live->parse->arena, "%u", st.uid);
    }
}

static void read_shm(host_live_t *live) {
    double bytes, free_bytes;
    if (host_live_asks(live) && host_live_space(live, "dev/shm", &bytes, &free_bytes)) {
        host_live_at(live, "dev/shm");
        host_set_number(live->parse, &live->parse->host->shm_bytes, bytes);
        host_set_number(live->parse, &live->parse->host->shm_free_bytes, free_bytes);
    }
}

/* --- control groups -------------------------------------------------------------------------- */

/* A limit file of one group; the smallest of it and its parents counts. "max": none. */
static void read_limit(host_live_t *live, const char *path, assay_host_number_t *fact) {
    const host_span_t text = host_live_text(live, path, NULL);
    double limit;
    host_span_t rest;
    assay_host_number_t one = {0};
    if (text.n == 0) {
        return;
    }
    live->parse->line = 1;
    if (host_starts(text, "max")) {
        host_set_number(live->parse, &one, HUGE_VAL);
    } else if (host_number(text, &limit, &rest)) {
        /* Version 1 says none as the largest multiple of a page below 2^63. */
        host_set_number(live->parse, &one, limit > 9e18 ? HUGE_VAL : limit);
    }
    if (assay_host_known(one.state) && (!assay_host_known(fact->state) || one.v < fact->v)) {
        *fact = one;
    }
}

/* "200000 100000" of version 2 is worth two CPUs; version 1 has a file for each. */
static void read_quota(host_live_t *live, const char *quota_path, const char *period_path) {
    const host_span_t text = host_live_text(live, quota_path, NULL);
    double quota, period;
    host_span_t rest;
    assay_host_number_t *fact = &live->parse->host->cpu_limit;
    if (text.n == 0) {
        return;
    }
    live->parse->line = 1;
    if (host_starts(text, "max") || host_starts(text, "-1")) {
        host_set_number(live->parse, fact, HUGE_VAL);
        return;
    }
    if (!host_number(text, &quota, &rest)) {
        return;
    }
    const assay_place_t at = host_here(live->parse);
    const host_span_t other = period_path ? host_live_text(live, period_path, NULL) : rest;
    if (host_number(other, &period, &rest) && period > 0) {
        live->parse->file = at.file;
        host_set_number(live->parse, fact, quota / period);
    }
}

/* The group's directory: "0::/system.slice/x" -> "sys/fs/cgroup/system.slice/x"; in a container the
   path of the host may be told and not be there: then the root of the mount is ours. */
static const char *group_dir(host_live_t *live, const char *mount, host_span_t path) {
    const char *dir = host_live_path(live, "%s%.*s", mount, (int)path.n, path.s);
    return path.n > 1 && host_live_exists(live, dir) ? dir : mount;
}

/* Limits of the parents hold as well. */
static void read_memory(host_live_t *live, const char *mount, const char *dir,
                        const char *limit_name, const char *used_name) {
    assay_host_t *host = live->parse->host;
    assay_host_number_t limit = {0};
    host_span_t group = host_span(dir);
    while (group.n >= strlen(mount)) {
        read_limit(live, host_live_path(live, "%.*s/%s", (int)group.n, group.s, limit_name),
                   &limit);
        const char *slash = memrchr(group.s, '/', group.n);
        group.n = slash ? (size_t)(slash - group.s) : 0;
    }
    if (assay_host_known(limit.state) && !assay_host_known(host->memory_limit_bytes.state)) {
        host->memory_limit_bytes = limit;
    }
    host_live_number(live, host_live_path(live, "%s/%s", dir, used_name), 1,
                     &host->memory_used_bytes);
}

/* One line of /proc/self/cgroup: "4:memory:/docker/abc", "0::/system.slice/x". */
static void read_cgroup(host_live_t *live, host_span_t controller, host_span_t path) {
    assay_host_t *host = live->parse->host;
    const char *mount = host_live_path(live, "sys/fs/cgroup%s%.*s", controller.n ? "/" : "",
                                       (int)controller.n, controller.s);
    const char *dir = group_dir(live, mount, path);
    if (controller.n == 0) { /* version 2 has all in one place */
        read_memory(live, mount, dir, "memory.max", "memory.current");
        read_quota(live, host_live_path(live, "%s/cpu.max", dir), NULL);
        host_live_word(live, host_live_path(live, "%s/cpuset.cpus.effective", dir),
                       &host->cgroup_cpus);
        host_live_word(live, host_live_path(live, "%s/cpuset.mems.effective", dir),
                       &host->cgroup_mems);
    } else if (host_is(controller, "memory")) {
        read_memory(live, mount, dir, "memory.limit_in_bytes", "memory.usage_in_bytes");
    } else if (host_is(controller, "cpuset")) {
        host_live_word(live, host_live_path(live, "%s/cpuset.cpus", dir), &host->cgroup_cpus);
        host_live_word(live, host_live_path(live, "%s/cpuset.mems", dir), &host->cgroup_mems);
    } else if (host_starts(controller, "cpu,") || host_is(controller, "cpu")) {
        read_quota(live, host_live_path(live, "%s/cpu.cfs_quota_us", dir),
                   host_live_path(live, "%s/cpu.cfs_period_us", dir));
    }
}

static void read_cgroups(host_live_t *live) {
    host_span_t text = host_live_text(live, "proc/self/cgroup", NULL);
    while (text.n > 0) {
        host_span_t line = host_cut(&text, "\n");
        (void)host_cut(&line, ":");
        const host_span_t controller = host_cut(&line, ":");
        read_cgroup(live, controller, line);
    }
}

/* --- container ------------------------------------------------------------------------------- */

static void find_container(host_live_t *live) {
    static const struct {
        const char *path, *name;
    } row[] = {{"var/run/secrets/kubernetes.io", "kubernetes"},
               {".dockerenv", "docker"},
               {"run/.containerenv", "podman"},
               {".singularity.d", "apptainer"}};
    static const struct {
        const char *word, *name;
    } group[] = {{"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}};
    host_parse_t *parse = live->parse;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_live_exists(live, row[i].path)) {
            host_live_at(live, row[i].path);
            host_set_text(parse, &parse->host->container, host_span(row[i].name));
            return;
        }
    }
    const host_span_t text = host_live_text(live, "proc/self/cgroup", NULL);
    for (size_t i = 0; i < sizeof group / sizeof group[0]; i++) {
        if (host_has(text, group[i].word)) {
            parse->line = 1;
            host_set_text(parse, &parse->host->container, host_span(group[i].name));
            return;
        }
    }
    if (host_live_asks(live)) {
        host_live_at(live, ".dockerenv");
        host_set_text(parse, &parse->host->container, host_span("none"));
    }
}

void host_live_process(host_live_t *live) {
    assay_host_t *host = live->parse->host;
    host_live_parse(live, "proc/self/limits", "limits", host_parse_limits);
    host_live_parse(live, "proc/self/status", "status", host_parse_status);
    host_live_number(live, "proc/sys/kernel/yama/ptrace_scope", 1, &host->ptrace_scope);
    read_cgroups(live);
    find_container(live);
    read_shm(live);
}
