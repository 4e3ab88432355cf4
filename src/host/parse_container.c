/* What containers are given: docker inspect, docker run, Kubernetes. */
#include <math.h>
#include <string.h>

#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

/* ROCm needs both nodes; one alone was forgotten, none is another vendor's container. */
static void set_devices(host_parse_t *parse, bool kfd, bool dri) {
    if (kfd == dri || host_node_find(parse->host, kfd ? "/dev/dri" : "/dev/kfd")) {
        return;
    }
    assay_host_node_t *node = host_add(parse, node);
    if (node) {
        *node = (assay_host_node_t){.path = kfd ? "/dev/dri" : "/dev/kfd",
                                    .gid = -1,
                                    .missing = true,
                                    .at = host_here(parse)};
    }
}

/* "-1" of a limit: none. */
static void set_memlock(host_parse_t *parse, host_span_t value) {
    double number;
    host_span_t rest;
    if (host_is(value, "unlimited") || host_starts(value, "-1")) {
        host_set_number(parse, &parse->host->locked_bytes, HUGE_VAL);
    } else if (host_number(value, &number, &rest)) {
        host_set_number(parse, &parse->host->locked_bytes, number);
    }
}

/* --- docker inspect -------------------------------------------------------------------------- */

static double number_of(const assay_node_t *node, double otherwise) {
    double number;
    host_span_t rest;
    return host_number(host_node_text(node), &number, &rest) ? number : otherwise;
}

static void read_limits(host_parse_t *parse, const assay_node_t *config) {
    assay_host_t *host = parse->host;
    const assay_node_t *memory = assay_node_find(config, "Memory"),
                       *cpus = assay_node_find(config, "NanoCpus"),
                       *set = assay_node_find(config, "CpusetCpus"),
                       *limits = assay_node_find(config, "Ulimits");
    if (memory) { /* 0: none */
        host_node_place(parse, memory);
        const double bytes = number_of(memory, 0);
        host_set_number(parse, &host->memory_limit_bytes, bytes > 0 ? bytes : HUGE_VAL);
    }
    if (cpus) {
        host_node_place(parse, cpus);
        const double n = number_of(cpus, 0) * 1e-9;
        host_set_number(parse, &host->cpu_limit, n > 0 ? n : HUGE_VAL);
    }
    if (set) {
        host_node_place(parse, set);
        host_set_text(parse, &host->cgroup_cpus, host_node_text(set));
    }
    for (const assay_node_t *row = limits ? limits->child : NULL; row; row = row->next) {
        if (host_is(host_node_text(assay_node_find(row, "Name")), "memlock")) {
            host_node_place(parse, row);
            set_memlock(parse, host_node_text(assay_node_find(row, "Soft")));
        }
    }
}

static void read_devices(host_parse_t *parse, const assay_node_t *config) {
    const assay_node_t *devices = assay_node_find(config, "Devices"),
                       *requests = assay_node_find(config, "DeviceRequests");
    bool kfd = false, dri = false;
    for (const assay_node_t *row = devices ? devices->child : NULL; row; row = row->next) {
        const host_span_t path = host_node_text(assay_node_find(row, "PathOnHost"));
        host_node_place(parse, row);
        kfd |= host_is(path, "/dev/kfd");
        dri |= host_starts(path, "/dev/dri");
    }
    if (!(parse->host->privileged.v > 0)) {
        set_devices(parse, kfd, dri);
    }
    for (const assay_node_t *row = requests ? requests->child : NULL; row; row = row->next) {
        const double count = number_of(assay_node_find(row, "Count"), 0);
        if (count > 0) { /* -1: all */
            host_node_place(parse, row);
            host_set_number(parse, &parse->host->gpus_requested, count);
        }
    }
}

bool host_read_docker_inspect(host_parse_t *parse, const assay_node_t *root) {
    const assay_node_t *one = root->kind == ASSAY_NODE_SEQUENCE ? root->child : root;
    const assay_node_t *config = one ? assay_node_find(one, "HostConfig") : NULL;
    if (!config) {
        return false;
    }
    assay_host_t *host = parse->host;
    host_node_place(parse, config);
    host_set_text(parse, &host->container, host_span("docker"));
    const assay_node_t *size = assay_node_find(config, "ShmSize"),
                       *mode = assay_node_find(config, "IpcMode"),
                       *privileged = assay_node_find(config, "Privileged");
    double bytes;
    host_span_t rest;
    const bool shared = host_is(host_node_text(mode), "host");
    if (mode) {
        host_node_place(parse, mode);
        host_set_text(parse, &host->ipc, host_node_text(mode));
    }
    if (!shared && host_number(host_node_text(size), &bytes, &rest)) {
        host_node_place(parse, size);
        host_set_number(parse, &host->shm_bytes, bytes);
    }
    if (privileged) {
        host_node_place(parse, privileged);
        host_set_flag(parse, &host->privileged, host_node_text(privileged));
    }
    read_limits(parse, config);
    read_devices(parse, config);
    const assay_node_t *inside = assay_node_find(one, "Config");
    const assay_node_t *list = inside ? assay_node_find(inside, "Env") : NULL;
    for (const assay_node_t *item = list ? list->child : NULL; item; item = item->next) {
        host_span_t name, value;
        host_node_place(parse, item);
        if (host_key_value(host_node_text(item), '=', &name, &value) && host_is_env_name(name)) {
            host_env_add(parse, name, value);
            host->env_seen = true;
        }
    }
    return true;
}

/* --- docker run ------------------------------------------------------------------------------ */

/* The value of an option, "--ipc=host" or "--ipc host"; n = 0: not this option. */
static host_span_t option_value(host_span_t word, host_span_t *rest, const char *name) {
    const size_t n = strlen(name);
    if (!host_starts(word, name)) {
        return (host_span_t){word.s, 0};
    }
    if (word.n > n) {
        return word.s[n] == '=' ? (host_span_t){word.s + n + 1, word.n - n - 1}
                                : (host_span_t){word.s, 0};
    }
    return host_word(rest);
}

void host_container_line(host_parse_t *parse, const char *program, host_span_t line) {
    assay_host_t *host = parse->host;
    bool kfd = false, dri = false, privileged = false;
    if (!host_has(line, " run ") && !host_has(line, " create ")) {
        return;
    }
    host_set_text(parse, &host->container, host_span(program));
    host_span_t rest = line, value, word;
    while ((word = host_word(&rest)).n > 0) {
        double count;
        host_span_t after;
        if ((value = option_value(word, &rest, "--shm-size")).n > 0) {
            host_set_quantity(parse, &host->shm_bytes, value, true);
        } else if ((value = option_value(word, &rest, "--ipc")).n > 0) {
            host_set_text(parse, &host->ipc, value);
        } else if ((value = option_value(word, &rest, "--device")).n > 0) {
            kfd |= host_starts(value, "/dev/kfd");
            dri |= host_starts(value, "/dev/dri");
        } else if ((value = option_value(word, &rest, "--ulimit")).n > 0) {
            if (host_starts(value, "memlock=")) {
                set_memlock(parse, (host_span_t){value.s + 8, value.n - 8});
            }
        } else if ((value = option_value(word, &rest, "--gpus")).n > 0) {
            if (host_number(value, &count, &after) && after.n == 0) {
                host_set_number(parse, &host->gpus_requested, count);
            }
        } else if (host_is(word, "--privileged")) {
            privileged = true;
        }
    }
    host_set_number(parse, &host->privileged, privileged);
    if (!privileged) {
        set_devices(parse, kfd, dri);
    }
}

/* --- Kubernetes ------------------------------------------------------------------------------ */

/* "512Gi", "500m", "8": a quantity of Kubernetes. */
static bool kubernetes_quantity(host_span_t text, double *out) {
    static const struct {
        const char *suffix;
        double scale;
    } row[] = {{"", 1},
               {"m", 1e-3},
               {"k", 1e3},
               {"M", 1e6},
               {"G", 1e9},
               {"T", 1e12},
               {"Ki", 1024.0},
               {"Mi", ASSAY_MIB_BYTES},
               {"Gi", ASSAY_GIB_BYTES},
               {"Ti", 1099511627776.0}};
    double number;
    host_span_t rest;
    if (!host_number(text, &number, &rest)) {
        return false;
    }
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_is(rest, row[i].suffix)) {
            *out = number * row[i].scale;
            return true;
        }
    }
    return false;
}

static void set_resource(host_parse_t *parse, const assay_node_t *limit, double *gpus) {
    assay_host_t *host = parse->host;
    double value;
    if (!limit->key || !kubernetes_quantity(host_node_text(limit), &value)) {
        return;
    }
    host_node_place(parse, limit);
    if (host_name_matches("amd.com/gpu*|nvidia.com/gpu*|nvidia.com/mig-*", limit->key)) {
        *gpus += value;
    } else if (strcmp(limit->key, "memory") == 0) {
        host_set_number(parse, &host->memory_limit_bytes, value);
    } else if (strcmp(limit->key, "cpu") == 0) {
        host_set_number(parse, &host->cpu_limit, value);
    }
}

static void read_container(host_parse_t *parse, const assay_node_t *container, double *gpus) {
    const assay_node_t *resources = assay_node_find(container, "resources"),
                       *limits = resources ? assay_node_find(resources, "limits") : NULL,
                       *context = assay_node_find(container, "securityContext"),
                       *privileged = context ? assay_node_find(context, "privileged") : NULL,
                       *env = assay_node_find(container, "env");
    for (const assay_node_t *row = limits ? limits->child : NULL; row; row = row->next) {
        set_resource(parse, row, gpus);
    }
    if (privileged) {
        host_node_place(parse, privileged);
        host_set_flag(parse, &parse->host->privileged, host_node_text(privileged));
    }
    for (const assay_node_t *row = env ? env->child : NULL; row; row = row->next) {
        const assay_node_t *name = assay_node_find(row, "name"),
                           *value = assay_node_find(row, "value");
        if (name && value && host_is_env_name(host_node_text(name))) {
            host_node_place(parse, name);
            host_env_add(parse, host_node_text(name), host_node_text(value));
        }
    }
}

/* The size of the memory that is mounted at /dev/shm. */
static void read_shm(host_parse_t *parse, const assay_node_t *spec) {
    const assay_node_t *volumes = assay_node_find(spec, "volumes"),
                       *containers = assay_node_find(spec, "containers");
    const assay_node_t *container = containers ? containers->child : NULL;
    const assay_node_t *mounts = container ? assay_node_find(container, "volumeMounts") : NULL;
    host_span_t name = {"", 0};
    for (const assay_node_t *row = mounts ? mounts->child : NULL; row; row = row->next) {
        if (host_is(host_node_text(assay_node_find(row, "mountPath")), "/dev/shm")) {
            name = host_node_text(assay_node_find(row, "name"));
        }
    }
    for (const assay_node_t *row = volumes ? volumes->child : NULL; row && name.n > 0;
         row = row->next) {
        const assay_node_t *empty = assay_node_find(row, "emptyDir"),
                           *size = empty ? assay_node_find(empty, "sizeLimit") : NULL;
        const host_span_t have = host_node_text(assay_node_find(row, "name"));
        double bytes;
        if (have.n == name.n && memcmp(have.s, name.s, name.n) == 0 && size &&
            kubernetes_quantity(host_node_text(size), &bytes)) {
            host_node_place(parse, size);
            host_set_number(parse, &parse->host->shm_bytes, bytes);
        }
    }
}

static void read_pod(host_parse_t *parse, const assay_node_t *spec) {
    assay_host_t *host = parse->host;
    const assay_node_t *containers = assay_node_find(spec, "containers"),
                       *ipc = assay_node_find(spec, "hostIPC");
    double gpus = 0;
    for (const assay_node_t *row = containers->child; row; row = row->next) {
        read_container(parse, row, &gpus);
    }
    host_node_place(parse, containers);
    host_set_text(parse, &host->container, host_span("kubernetes"));
    host_set_text(parse, &host->scheduler, host_span("kubernetes"));
    if (gpus > 0) {
        host_set_number(parse, &host->gpus_requested, gpus);
    }
    if (ipc) {
        host_node_place(parse, ipc);
        host_set_text(parse, &host->ipc,
                      host_span(host_is(host_node_text(ipc), "true") ? "host" : "private"));
    }
    read_shm(parse, spec);
}

/* Any part of a manifest that has containers is a pod's: of a Pod, a Deployment, a job of an
   operator. */
static void find_pods(host_parse_t *parse, const assay_node_t *node, uint32_t depth) {
    if (depth > 12) {
        return;
    }
    if (node->kind == ASSAY_NODE_MAPPING) {
        const assay_node_t *containers = assay_node_find(node, "containers");
        if (containers && containers->kind == ASSAY_NODE_SEQUENCE) {
            read_pod(parse, node);
            return;
        }
    }
    for (const assay_node_t *child = node->child; child; child = child->next) {
        find_pods(parse, child, depth + 1);
    }
}

void host_parse_kubernetes(host_parse_t *parse) {
    const uint32_t first = parse->first;
    host_span_t document = {parse->rest.s, 0}, line;
    uint32_t begun = parse->line;
    for (bool more = true; more;) {
        more = host_next_line(parse, &line);
        if (more && !host_is(host_trim(line), "---")) {
            document.n = (size_t)(parse->rest.s - document.s);
            continue;
        }
        assay_node_t *root = NULL;
        assay_error_t err;
        if (host_trim(document).n > 0) {
            const uint32_t here = parse->line;
            parse->first = begun;
            if (assay_node_parse(parse->scratch, parse->file, document.s, document.n, &root,
                                 &err) == ASSAY_OK) {
                find_pods(parse, root, 0);
            } else {
                parse->source->reason = assay_arena_strdup(parse->arena, err.what);
            }
            parse->line = here;
        }
        document = (host_span_t){parse->rest.s, 0};
        begun = parse->line;
    }
    parse->first = first;
}
