/* Links that were found on a host (`assay topo --json`) in place of those that the catalog expects:
   a broken or missing link counts as such. Rates stay the catalog's, link by link. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "resolve/fabric_links.h"
#include "resolve/resolve_context.h"

#define TOPOLOGY_MAX_BYTES (16u << 20)

enum { N = ASSAY_PAIR_DEVICES };

/* What the file says of one pair; -1: it does not say. */
typedef struct {
    const char *host, *accelerator;
    uint32_t n_device;
    int32_t links[N][N];
} found_t;

static assay_status_t wrong(resolve_context_t *context, const char *what) {
    const assay_string_t *topology = &context->job->topology;
    const assay_place_t at = {topology->s, 0, 0};
    assay_error_set(context->err, ASSAY_INPUT, &at, "%s", what);
    assay_error_next(context->err, "give the result of \"assay topo --json\"");
    return ASSAY_INPUT;
}

static bool index_in(const json_t *object, const char *key, uint32_t n, uint32_t *out) {
    const json_t *value = json_object_get(object, key);
    const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    *out = number >= 0 && number < (json_int_t)n ? (uint32_t)number : 0;
    return number >= 0 && number < (json_int_t)n;
}

static assay_status_t read_links(resolve_context_t *context, const json_t *root, found_t *found) {
    const json_t *links = json_object_get(root, "links");
    size_t i;
    json_t *link;
    memset(found->links, -1, sizeof found->links);
    json_array_foreach(links, i, link) {
        uint32_t a, b, count;
        const json_t *known = json_object_get(link, "links");
        if (!index_in(link, "a", found->n_device, &a) ||
            !index_in(link, "b", found->n_device, &b) || a == b) {
            return wrong(context, "expected numbers of two devices in links[].a and links[].b");
        }
        if (json_is_null(known) || !known) {
            continue;
        }
        if (!index_in(link, "links", 1024, &count)) {
            return wrong(context, "expected a number of links in links[].links");
        }
        if (a < N && b < N) {
            found->links[a][b] = found->links[b][a] = (int32_t)count;
        }
    }
    return ASSAY_OK;
}

static assay_status_t read_found(resolve_context_t *context, const json_t *root, found_t *found) {
    const json_t *accelerator = json_object_get(root, "accelerator"),
                 *devices = json_object_get(root, "devices"), *host = json_object_get(root, "host");
    if (!json_is_integer(json_object_get(root, "topology")) || !json_is_array(devices) ||
        !json_is_array(json_object_get(root, "links"))) {
        return wrong(context, "is no topology: expected topology, devices and links");
    }
    if (!json_is_string(accelerator)) {
        return wrong(context, "does not say which accelerator of the catalog it is of");
    }
    *found =
        (found_t){.accelerator = assay_arena_strdup(context->arena, json_string_value(accelerator)),
                  .host = assay_arena_strdup(
                      context->arena, json_is_string(host) ? json_string_value(host) : "a host"),
                  .n_device = (uint32_t)json_array_size(devices)};
    return found->accelerator && found->host ? read_links(context, root, found)
                                             : resolve_no_memory(context);
}

static assay_status_t load(resolve_context_t *context, found_t *found) {
    const assay_string_t *topology = &context->job->topology;
    const char *text = context->job->topology_text;
    size_t size = text ? strlen(text) : 0;
    if (!text) {
        char *data;
        const assay_status_t status = assay_file_read(
            context->arena, topology->s, TOPOLOGY_MAX_BYTES, &data, &size, context->err);
        if (status != ASSAY_OK) {
            return status;
        }
        text = data;
    }
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        const assay_place_t at = {topology->s, (uint32_t)error.line, (uint32_t)error.column};
        assay_error_set(context->err, ASSAY_INPUT, &at, "expected JSON: %s", error.text);
        assay_error_next(context->err, "give the result of \"assay topo --json\"");
        return ASSAY_INPUT;
    }
    const assay_status_t status = read_found(context, root, found);
    json_decref(root);
    return status;
}

/* Links of the pair that the catalog has. */
static uint32_t expected_links(const assay_fabric_t *fabric, uint32_t i, uint32_t k) {
    const double one = fabric->pair_bytes_per_s.v;
    if (fabric->pair) {
        const double rate = fabric->pair[(size_t)i * fabric->devices + k];
        return one > 0 ? (uint32_t)(rate / one + 0.5) : rate > 0;
    }
    return fabric->links > 0 ? fabric->links : 1;
}

/* A mesh: pair by pair. The fabric with the found pairs goes the way of every fabric. */
static bool replace_mesh(const assay_fabric_t *fabric, const found_t *found, assay_links_t *links,
                         uint32_t *out_differ) {
    double pair[N * N];
    const uint32_t n = found->n_device;
    const double one = fabric->pair        ? fabric->pair_bytes_per_s.v
                       : fabric->links > 1 ? fabric->pair_bytes_per_s.v / fabric->links
                                           : fabric->pair_bytes_per_s.v;
    double least = HUGE_VAL;
    bool whole = true;
    for (uint32_t i = 0; i < n; i++) {
        double device = 0;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t expected = i == k ? 0 : expected_links(fabric, i, k);
            const int32_t seen = i == k ? 0 : found->links[i][k];
            const double rate = one * (seen < 0 ? (double)expected : (double)seen);
            pair[i * n + k] = rate;
            device += rate;
            *out_differ += i < k && seen >= 0 && (uint32_t)seen != expected;
            whole &= i == k || rate > 0;
        }
        least = device < least ? device : least;
    }
    if (!(least > 0)) {
        return false;
    }
    assay_fabric_t seen = *fabric;
    seen.pair = pair;
    seen.devices = n;
    seen.device_bytes_per_s.v = least;
    seen.kind = whole ? fabric->kind : "partial-mesh";
    const double nic = links->nic_bytes_per_s;
    const uint32_t nics = links->nics;
    assay_links_from_fabric(&seen, n, links);
    links->nic_bytes_per_s = nic;
    links->nics = nics;
    return true;
}

/* Behind a switch every device has so many links to it: the one with the fewest sets the pace. */
static bool replace_switch(const assay_fabric_t *fabric, const found_t *found, assay_links_t *links,
                           uint32_t *out_differ) {
    int32_t least = (int32_t)fabric->links;
    for (uint32_t i = 0; i < found->n_device; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const int32_t seen = found->links[i][k];
            *out_differ += seen >= 0 && (uint32_t)seen != fabric->links;
            least = seen >= 0 && seen < least ? seen : least;
        }
    }
    if (least <= 0) {
        return false;
    }
    const double share = (double)least / fabric->links;
    links->device_bytes_per_s *= share;
    links->pair_bytes_per_s *= share;
    return true;
}

static assay_status_t replace(resolve_context_t *context, const found_t *found,
                              assay_machine_t *machine) {
    const assay_fabric_t *fabric = machine->system->fabric;
    const uint32_t n = found->n_device, n_pair = n * (n - 1) / 2;
    uint32_t differ = 0;
    bool ok = true;
    const char *text = NULL;
    if (machine->links.kind == ASSAY_FABRIC_SWITCH && fabric->links > 0 && n <= N) {
        ok = replace_switch(fabric, found, &machine->links, &differ);
    } else if ((machine->links.kind == ASSAY_FABRIC_FULL_MESH ||
                machine->links.kind == ASSAY_FABRIC_PARTIAL_MESH) &&
               fabric->pair_bytes_per_s.known && n >= 2 && n <= N && n <= fabric->devices) {
        ok = replace_mesh(fabric, found, &machine->links, &differ);
    } else {
        text = assay_message(context->locale.lang, ASSAY_MSG_RESOLVE_LINKS_KEPT);
    }
    if (!ok) {
        return wrong(context, "an accelerator has no link at all to the others");
    }
    const char *subject = RESOLVE_SAY(context, LINKS, machine->id);
    const char *value =
        RESOLVE_SAY(context, PAIRS_DIFFER, resolve_amount(context, differ, ASSAY_DIM_COUNT),
                    resolve_amount(context, n_pair, ASSAY_DIM_COUNT));
    if (!text) {
        text = RESOLVE_SAY(context, LINKS_FOUND, found->host, fabric->id);
    }
    if (!subject || !value || !text) {
        return resolve_no_memory(context);
    }
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, subject, value, context->job->topology.s,
                        text);
}

assay_status_t resolve_topology(resolve_context_t *context, assay_machine_t *machine) {
    found_t found;
    if (!context->job->topology.s || !machine->system->fabric) {
        return ASSAY_OK;
    }
    const assay_status_t status = load(context, &found);
    if (status != ASSAY_OK || strcmp(found.accelerator, machine->accelerator->id) != 0) {
        return status;
    }
    if (found.n_device != machine->devices_per_node) {
        const assay_place_t *at = &context->job->topology.at;
        assay_error_set(context->err, ASSAY_INPUT, at,
                        "the topology has %u devices, a node of %s has %u", found.n_device,
                        machine->id, machine->devices_per_node);
        assay_error_next(context->err, "give the topology of such a node");
        return ASSAY_INPUT;
    }
    context->topology_used = true;
    return replace(context, &found, machine);
}

assay_status_t resolve_topology_used(resolve_context_t *context) {
    const assay_string_t *topology = &context->job->topology;
    if (!topology->s || context->topology_used) {
        return ASSAY_OK;
    }
    assay_error_set(context->err, ASSAY_INPUT, &topology->at,
                    "the topology of %s is of no candidate's accelerator", topology->s);
    assay_error_next(context->err, "give the topology of a candidate, or leave it out");
    return ASSAY_INPUT;
}
