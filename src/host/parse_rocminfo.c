/* rocminfo: the agents, or why there are none. */
#include <errno.h>
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

/* "Unable to open /dev/kfd read-write: Permission denied" */
static void open_failed(host_parse_t *parse, host_span_t line) {
    static const struct {
        const char *text;
        int number;
    } row[] = {{"Permission denied", EACCES},      {"Operation not permitted", EPERM},
               {"No such file", ENOENT},           {"No such device", ENODEV},
               {"Invalid argument", EINVAL},       {"Cannot allocate memory", ENOMEM},
               {"Device or resource busy", EBUSY}, {"Bad address", EFAULT}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_has(line, row[i].text)) {
            host_set_number(parse, &parse->host->kfd_errno, row[i].number);
        }
    }
}

typedef struct {
    assay_host_text_t name, target;
    assay_host_number_t compute_units, kfd_node, bdf, domain;
    bool gpu, any;
} agent_t;

static void finish(host_parse_t *parse, agent_t *agent) {
    if (agent->target.s) {
        const char *bdf = NULL;
        if (assay_host_known(agent->bdf.state)) {
            const unsigned id = (unsigned)agent->bdf.v;
            bdf = assay_arena_printf(parse->arena, "%04x:%02x:%02x.%x", (unsigned)agent->domain.v,
                                     id >> 8 & 0xff, id >> 3 & 0x1f, id & 7);
        }
        /* Agents are numbered with the processors; the tools' number is not told. */
        assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, -1, bdf);
        if (gpu) {
            gpu->target = gpu->target.s ? gpu->target : agent->target;
            gpu->name = gpu->name.s ? gpu->name : agent->name;
            gpu->compute_units = assay_host_known(gpu->compute_units.state) ? gpu->compute_units
                                                                            : agent->compute_units;
            gpu->kfd_node = assay_host_known(gpu->kfd_node.state) ? gpu->kfd_node : agent->kfd_node;
        }
    }
    *agent = (agent_t){.any = false};
}

void host_parse_rocminfo(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    agent_t agent = {.any = false};
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t key, value;
        if (host_starts(host_trim(line), "Agent ")) {
            finish(parse, &agent);
        } else if (host_has(line, "ROCk module is loaded") ||
                   (host_has(line, "ROCk module version") && host_has(line, "is loaded"))) {
            host_set_number(parse, &host->amdgpu_live, 1);
        } else if (host_has(line, "ROCk module is NOT loaded")) {
            host_set_number(parse, &host->amdgpu_live, 0);
        } else if (host_has(line, "/dev/kfd")) {
            open_failed(parse, line);
        } else if (!host_key_value(line, ':', &key, &value)) {
            continue;
        } else if (host_is(key, "Name") && host_starts(value, "gfx")) {
            if (agent.target.s) { /* an excerpt without "Agent n" lines */
                finish(parse, &agent);
            }
            host_set_text(parse, &agent.target, value);
        } else if (host_is(key, "Marketing Name") && agent.target.s) {
            host_set_text(parse, &agent.name, value);
        } else if (host_is(key, "Compute Unit") && agent.target.s) {
            host_set_quantity(parse, &agent.compute_units, value, false);
        } else if (host_is(key, "Node") && agent.target.s) {
            host_set_quantity(parse, &agent.kfd_node, value, false);
        } else if (host_is(key, "BDFID") && agent.target.s) {
            host_set_quantity(parse, &agent.bdf, value, false);
        } else if (host_is(key, "Domain") && agent.target.s) {
            host_set_quantity(parse, &agent.domain, value, false);
        }
    }
    finish(parse, &agent);
    if (!assay_host_known(host->kfd_errno.state)) {
        for (uint32_t i = 0; i < host->n_gpu; i++) {
            if (host->gpu[i].target.s && host->gpu[i].target.at.file == parse->file) {
                host_set_number(parse, &host->kfd_errno, 0); /* agents were listed: it opens */
            }
        }
    }
}
