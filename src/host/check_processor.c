/* Processors and main memory: governor, idle states, threads, NUMA, pages. */
#include <stdlib.h>
#include <string.h>

#include "host/host_check.h"
#include "host/host_parse.h"

#include "assay/units.h"

#include "base/banned.h"

#define CPUS_MAX 8192u

/* --- clocks and idle states ------------------------------------------------------------------ */

static void governor(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *fact = &host->governor;
    if (!fact->s) {
        return;
    }
    if (strcmp(fact->s, "performance") == 0) {
        host_check_good(check, &fact->at, "the governor is performance");
    } else if (assay_host_known(host->governor_others.state)) {
        host_check_bad(check, &fact->at, NULL, "%.0f CPU%s %s another governor: %s",
                       host->governor_others.v, host->governor_others.v == 1 ? "" : "s",
                       host->governor_others.v == 1 ? "has" : "have", fact->s);
    } else {
        host_check_bad(check, &fact->at, NULL, "the governor is %s", fact->s);
    }
}

static void deep_idle(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_text_t *state = &host->idle_state;
    const assay_host_number_t *exit_s = &host->idle_exit_s;
    if (!state->s) {
        return;
    }
    const bool shallow = strcmp(state->s, "POLL") == 0 || strncmp(state->s, "C1", 2) == 0;
    if (shallow) {
        host_check_good(check, &state->at, "the deepest idle state is %s", state->s);
    } else if (!host_part(host, "MI300")) {
        host_check_none(check, "the guide that asks for it is of MI300 hosts");
    } else if (assay_host_known(exit_s->state)) {
        host_check_bad(check, &state->at, NULL, "idle state %s is enabled, %.0f us to leave it",
                       state->s, exit_s->v * 1e6);
    } else {
        host_check_bad(check, &state->at, NULL, "idle state %s is enabled", state->s);
    }
}

static void threads_on(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *fact = &host->smt;
    if (!assay_host_known(fact->state)) {
        return;
    }
    if (fact->v == 0) {
        host_check_good(check, &fact->at, "one thread a core");
    } else if (host_part(host, "MI300")) {
        host_check_bad(check, &fact->at, NULL, "several threads a core");
    } else {
        host_check_none(check, "the guide that switches them off is of MI300 hosts");
    }
}

static void stolen(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *fact = &host->steal;
    const double share = host_check_threshold(check, "share");
    if (!assay_host_known(fact->state)) {
        return;
    }
    if (fact->v > share) {
        host_check_bad(check, &fact->at, NULL, "%.1f %% of the processor time was stolen%s%s",
                       100 * fact->v, host->hypervisor.s ? host_check_said(check, " by ") : "",
                       host->hypervisor.s ? host->hypervisor.s : "");
    } else {
        host_check_good(check, &fact->at, "%.1f %% of the processor time was stolen",
                        100 * fact->v);
    }
}

/* Interrupts of that many threads need remapping, which the IOMMU does. */
static void no_remapping(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *threads = &host->threads, *groups = &host->iommu_groups;
    const double least = host_check_threshold(check, "threads");
    static const char *const off[] = {"iommu=off", "amd_iommu=off", "intel_iommu=off"};
    if (!assay_host_known(threads->state)) {
        return;
    }
    if (threads->v < least) {
        host_check_good(check, &threads->at, "%.0f threads", threads->v);
        return;
    }
    for (size_t i = 0; host->cmdline.s && i < sizeof off / sizeof off[0]; i++) {
        if (strstr(host->cmdline.s, off[i])) {
            host_check_bad(check, &host->cmdline.at, NULL, "%.0f threads, and the boot line has %s",
                           threads->v, off[i]);
            return;
        }
    }
    if (assay_host_known(groups->state) && groups->v == 0) {
        host_check_bad(check, &groups->at, NULL, "%.0f threads, and no IOMMU group", threads->v);
    } else if (assay_host_known(groups->state) || host->iommu.s) {
        host_check_good(check, &threads->at, "%.0f threads, and the IOMMU is on", threads->v);
    }
}

/* --- NUMA ------------------------------------------------------------------------------------ */

/* Nodes a socket: what the BIOS calls NPS. */
static void nodes_per_socket(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *sockets = &host->sockets, *nodes = &host->numa_nodes;
    if (!assay_host_known(sockets->state) || !assay_host_known(nodes->state) || sockets->v < 1) {
        return;
    }
    const double nps = nodes->v / sockets->v;
    const bool mi300x = host_part(host, "MI300X") != NULL,
               mi200 = host_part(host, "MI210") || host_part(host, "MI250");
    if (!mi300x && !mi200) {
        host_check_none(check, "no guide for these accelerators names it");
    } else if (mi300x ? nps == 1 : nps == 1 || nps == 2 || nps == 4) {
        host_check_good(check, &nodes->at, "%.0f NUMA nodes a socket", nps);
    } else {
        host_check_fill(check, "nodes", "%s", mi300x ? "1" : host_check_said(check, "1, 2 or 4"));
        host_check_bad(check, &nodes->at, NULL, "%.2g NUMA nodes a socket", nps);
    }
}

/* "0-3,8" as a set; false: no such list. */
static bool read_cpus(const char *list, bool *cpu) {
    memset(cpu, 0, CPUS_MAX);
    while (*list) {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        unsigned long last = first;
        if (end == list) {
            return false;
        }
        if (*end == '-') {
            list = end + 1;
            last = strtoul(list, &end, 10);
        }
        for (unsigned long i = first; i <= last && i < CPUS_MAX; i++) {
            cpu[i] = true;
        }
        list = end + strspn(end, ", \n");
    }
    return true;
}

/* The process may run on no CPU that is near any of its accelerators. */
static void far_process(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    static const char *const rank[] = {"LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK"};
    bool own[CPUS_MAX], near[CPUS_MAX], any = false;
    const char *allowed = host->cpus_allowed.s;
    bool is_rank = false;
    for (size_t i = 0; i < sizeof rank / sizeof rank[0]; i++) {
        is_rank |= host_setting(host, rank[i]) != NULL;
    }
    if (!allowed || !read_cpus(allowed, own)) {
        return;
    }
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (!gpu->local_cpus.s || !read_cpus(gpu->local_cpus.s, near)) {
            continue;
        }
        any = true;
        for (uint32_t c = 0; c < CPUS_MAX; c++) {
            if (own[c] && near[c]) {
                host_check_good(check, &host->cpus_allowed.at,
                                "the process may run on CPUs near %s",
                                host_check_gpu_name(check, gpu));
                return;
            }
        }
    }
    if (any) {
        host_check_bad_as(
            check, is_rank ? ASSAY_SEVERITY_WARNING : ASSAY_SEVERITY_INFO, &host->cpus_allowed.at,
            NULL, "the process may run on CPUs %s, none of them near an accelerator", allowed);
    }
}

/* One node is short of memory and others are not: large matrices are better interleaved. */
static void one_node_full(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const double full = host_check_threshold(check, "full"),
                 roomy = host_check_threshold(check, "roomy");
    const assay_host_numa_t *short_of = NULL, *other = NULL;
    uint32_t known = 0;
    for (uint32_t i = 0; i < host->n_numa; i++) {
        const assay_host_numa_t *node = &host->numa[i];
        if (!assay_host_known(node->bytes.state) || !assay_host_known(node->free_bytes.state) ||
            node->bytes.v <= 0) {
            continue;
        }
        const double share = node->free_bytes.v / node->bytes.v;
        known++;
        short_of = share < full ? node : short_of;
        other = share > roomy ? node : other;
    }
    if (known < 2) {
        return;
    }
    if (short_of && other) {
        host_check_bad(check, &short_of->free_bytes.at, NULL,
                       "node %lld has %.1f of %.1f GiB free, node %lld %.1f of %.1f%s%s",
                       (long long)short_of->node, short_of->free_bytes.v / ASSAY_GIB_BYTES,
                       short_of->bytes.v / ASSAY_GIB_BYTES, (long long)other->node,
                       other->free_bytes.v / ASSAY_GIB_BYTES, other->bytes.v / ASSAY_GIB_BYTES,
                       host->numa_policy.s ? host_check_said(check, "; policy ") : "",
                       host->numa_policy.s ? host->numa_policy.s : "");
    } else {
        host_check_good(check, &host->numa[0].free_bytes.at,
                        "%u nodes, none short of memory beside others", known);
    }
}

/* --- pages ----------------------------------------------------------------------------------- */

static void huge_pages(host_check_t *check) {
    const assay_host_text_t *fact = &host_check_host(check)->thp;
    if (!fact->s) {
        return;
    }
    if (strcmp(fact->s, "never") == 0) {
        host_check_bad(check, &fact->at, NULL, "transparent huge pages are off");
    } else {
        host_check_good(check, &fact->at, "transparent huge pages: %s", fact->s);
    }
}

static void pinned_memory(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *ram = &host->ram_bytes, *pinned = &host->ram_pinned_bytes;
    const double share = host_check_threshold(check, "share");
    if (!assay_host_known(ram->state) || !assay_host_known(pinned->state) || ram->v <= 0) {
        return;
    }
    const double huge =
        assay_host_known(host->huge_pages.state) && assay_host_known(host->huge_page_bytes.state)
            ? host->huge_pages.v * host->huge_page_bytes.v
            : 0;
    const double held = (pinned->v + huge) / ram->v;
    if (held > share) {
        host_check_bad(check, &pinned->at, NULL,
                       "%.0f %% of %.0f GiB is pinned or set aside for huge pages", 100 * held,
                       ram->v / ASSAY_GIB_BYTES);
    } else {
        host_check_good(check, &pinned->at, "%.0f %% of main memory is pinned", 100 * held);
    }
}

static void page_tables(host_check_t *check) {
    const assay_host_t *host = host_check_host(check);
    const assay_host_number_t *ram = &host->ram_bytes, *tables = &host->page_table_bytes;
    const double share = host_check_threshold(check, "share");
    if (!assay_host_known(ram->state) || !assay_host_known(tables->state) || ram->v <= 0) {
        return;
    }
    if (tables->v > share * ram->v) {
        host_check_bad(check, &tables->at, NULL, "page tables take %.1f GiB, %.1f %% of memory",
                       tables->v / ASSAY_GIB_BYTES, 100 * tables->v / ram->v);
    } else {
        host_check_good(check, &tables->at, "page tables take %.0f MiB",
                        tables->v / ASSAY_MIB_BYTES);
    }
}

static const host_check_row_t row[] = {
    {"CPU-001", governor},      {"CPU-002", deep_idle},     {"CPU-003", threads_on},
    {"CPU-004", stolen},        {"IOM-003", no_remapping},  {"MEM-004", huge_pages},
    {"MEM-005", pinned_memory}, {"MEM-007", page_tables},   {"NUM-004", nodes_per_socket},
    {"NUM-005", far_process},   {"NUM-006", one_node_full},
};
const host_check_group_t host_checks_processor = {row, sizeof row / sizeof row[0]};
