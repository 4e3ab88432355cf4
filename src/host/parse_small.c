/* Texts of a line or two: module files, versions, targets of a build, counts, RDMA ports. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

void host_parse_modinfo(host_parse_t *parse) {
    bool amdgpu = false;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, ':', &key, &value)) {
            if (host_starts(host_trim(line), "/lib/modules") && host_has(line, "/amdgpu.ko")) {
                host_set_text(parse, &parse->host->amdgpu_file, line); /* modinfo -n */
            }
            continue;
        }
        if (host_is(key, "filename")) {
            amdgpu = host_has(value, "/amdgpu.ko");
            if (amdgpu) {
                host_set_text(parse, &parse->host->amdgpu_file, value);
            }
        } else if (amdgpu && host_is(key, "version")) {
            host_set_text(parse, &parse->host->amdgpu_version, value);
        }
    }
}

/* torch.cuda.get_arch_list(), as a Python list or as words. */
void host_parse_targets(host_parse_t *parse) {
    const char *targets = "";
    uint32_t first = 0;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        while (rest.n > 0) {
            const host_span_t word = host_cut(&rest, " ,;[]'\"\t");
            if (host_starts(word, "gfx") || host_starts(word, "sm_") ||
                host_starts(word, "compute_")) {
                first = first ? first : parse->line;
                targets = assay_arena_printf(parse->scratch, "%s%s%.*s", targets,
                                             *targets ? " " : "", (int)word.n, word.s);
                if (!targets || strlen(targets) > 4096) {
                    return;
                }
            }
        }
    }
    parse->line = first;
    host_set_text(parse, &parse->host->build_targets, host_span(targets));
}

/* "expected_logical_gpus=64", "listed=63": what somebody counted. */
void host_parse_counts(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (!host_key_value(line, '=', &key, &value)) {
            continue;
        }
        if (host_has(key, "expected")) {
            host_set_quantity(parse, &parse->host->gpus_expected, value, false);
        } else if (host_has(key, "listed")) {
            host_set_quantity(parse, &parse->host->gpus_listed, value, false);
        }
    }
}

/* "MLNX_OFED_LINUX-24.10" of ofed_info -s; "Linux host 6.8.0 ..." of uname -a. */
void host_parse_ofed(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = host_trim(line);
        const host_span_t word = host_cut(&rest, ": ");
        if (host_has(word, "OFED")) {
            host_set_text(parse, &parse->host->ofed, word);
        }
    }
}

void host_parse_uname(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            double major;
            host_span_t after;
            if (host_number(word, &major, &after) && major >= 2 && host_has(word, ".")) {
                host_set_text(parse, &parse->host->kernel, word);
                return;
            }
        }
    }
}

/* "6.2.4-139" of .info/version: the first word with a point in it. */
void host_parse_rocm_version(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        for (host_span_t word; (word = host_word(&rest)).n > 0;) {
            double major;
            host_span_t after;
            if (host_number(word, &major, &after) && host_has(word, ".")) {
                host_set_text(parse, &parse->host->rocm, word);
                return;
            }
        }
    }
}

/* "Cuda compilation tools, release 12.4, V12.4.131" of nvcc --version. */
void host_parse_nvcc(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        const ptrdiff_t at = host_find(line, ", release ");
        if (at >= 0) {
            host_span_t rest = {line.s + at + 10, line.n - (size_t)at - 10};
            host_set_text(parse, &parse->host->cuda_toolkit, host_cut(&rest, ", "));
            return;
        }
    }
}

/* "mlx5_0 400 Gb/sec (4X NDR) | 4: ACTIVE | link_downed 0" */
void host_parse_ports(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        const host_span_t name = host_word(&rest);
        const ptrdiff_t downed = host_find(line, "link_downed"),
                        errors = host_find(line, "symbol_error");
        const char *copy = name.n > 0 && downed >= 0 ? host_copy(parse, name) : NULL;
        assay_host_port_t *port = copy ? host_add(parse, port) : NULL;
        if (!port) {
            continue;
        }
        *port = (assay_host_port_t){.name = copy, .port = 1, .at = host_here(parse)};
        double number;
        host_span_t after;
        if (host_number(rest, &number, &after) && host_starts(host_trim(after), "Gb/sec")) {
            host_set_number(parse, &port->bits_per_s, number * 1e9);
        }
        const ptrdiff_t state = host_find(line, ": ");
        if (state >= 0) {
            host_span_t word = {line.s + state + 2, line.n - (size_t)state - 2};
            port->state = host_copy(parse, host_trim(host_cut(&word, "|")));
        }
        if (host_number((host_span_t){line.s + downed + 11, line.n - (size_t)downed - 11}, &number,
                        &after)) {
            host_set_number(parse, &port->link_downed, number);
        }
        if (errors >= 0 &&
            host_number((host_span_t){line.s + errors + 12, line.n - (size_t)errors - 12}, &number,
                        &after)) {
            host_set_number(parse, &port->symbol_errors, number);
        }
    }
}

/* "ray 2.46.0" of pip list, "ray==2.46.0" of pip freeze. */
void host_parse_packages(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, name = host_word(&rest), version = host_word(&rest), cut = name;
        const ptrdiff_t equal = host_find(name, "==");
        if (equal >= 0) {
            version = (host_span_t){name.s + equal + 2, name.n - (size_t)equal - 2};
            name = host_cut(&cut, "=");
        }
        if (name.n == 0 || version.n == 0 || version.s[0] < '0' || version.s[0] > '9') {
            continue;
        }
        const char *name_copy = host_copy(parse, name), *value = host_copy(parse, version);
        assay_host_setting_t *package = name_copy && value ? host_add(parse, package) : NULL;
        if (package) {
            *package = (assay_host_setting_t){name_copy, value, host_here(parse)};
        }
    }
}

/* The unit of "\xe2\x97\x8f nvidia-imex.service - NVIDIA IMEX"; n = 0: no such line. */
static host_span_t unit_of(host_span_t line) {
    const ptrdiff_t end = host_find(line, ".service");
    host_span_t rest = {line.s, end > 0 ? (size_t)end : 0}, last = {line.s, 0};
    if (host_key_value(line, ':', &(host_span_t){0}, &(host_span_t){0})) {
        return last; /* "Loaded: loaded (/lib/systemd/system/..." */
    }
    for (host_span_t word; (word = host_word(&rest)).n > 0;) {
        last = word;
    }
    return last;
}

static void set_service(host_parse_t *parse, host_span_t unit, host_span_t state) {
    const char *name = host_copy(parse, unit);
    assay_host_service_t *service = name ? host_service(parse, name) : NULL;
    if (service && !service->state) {
        service->state = host_copy(parse, state);
    }
    if (host_has(unit, "fabricmanager")) {
        host_set_text(parse, &parse->host->fabric_manager, state);
    }
}

/* systemctl status of one unit or several ("Active: inactive (dead)"), or a state alone. */
void host_parse_systemctl(host_parse_t *parse) {
    host_span_t unit = host_span("nvidia-fabricmanager");
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line), named = unit_of(text);
        host_span_t key, value;
        if (named.n > 0) {
            unit = named;
        } else if (host_key_value(line, ':', &key, &value) && host_is(key, "Active")) {
            set_service(parse, unit, value);
        } else if (host_starts(text, "active") || host_starts(text, "inactive") ||
                   host_starts(text, "failed")) {
            set_service(parse, unit, text);
        }
        host_log_line(parse, line);
    }
}

/* "driver 550.54.15, fabricmanager package 535.161.08": versions behind their words. */
void host_parse_driver(host_parse_t *parse) {
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        while (rest.n > 0) {
            const host_span_t part = host_cut(&rest, ",;");
            host_span_t words = part, version = {part.s, 0};
            for (host_span_t word; (word = host_word(&words)).n > 0;) {
                version =
                    word.s[0] >= '0' && word.s[0] <= '9' && host_has(word, ".") ? word : version;
            }
            if (host_has(part, "fabricmanager") || host_has(part, "fabric manager")) {
                host_set_text(parse, &parse->host->fabric_manager_version, version);
            } else if (host_has(part, "driver")) {
                host_set_text(parse, &parse->host->nvidia_module, version);
            }
        }
    }
}
