/* Facts and lists of the host model: one place where they are set, so that what is known is never
   lost to what is not. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_parse.h"

#include "base/banned.h"

static const char *const state_name[] = {
    [ASSAY_HOST_UNSEEN] = "nothing that was given says so",
    [ASSAY_HOST_DENIED] = "needs a permission",
    [ASSAY_HOST_UNSUPPORTED] = "not supported",
    [ASSAY_HOST_UNREADABLE] = "could not be read",
    [ASSAY_HOST_TIMED_OUT] = "did not answer in time",
    [ASSAY_HOST_STATED] = "stated by the sender",
    [ASSAY_HOST_MEASURED] = "measured",
};

const char *assay_host_state_name(assay_host_state_t state) {
    return state_name[state];
}

assay_place_t host_here(const host_parse_t *parse) {
    return (assay_place_t){parse->file, parse->line, 0};
}

/* A state that carries a value replaces one that does not; measured replaces stated. The first
   measured one stays: later texts repeat it, or are another time's. */
static bool replaces(const host_parse_t *parse, uint8_t have, uint8_t *out_state) {
    *out_state = parse->stated ? ASSAY_HOST_STATED : ASSAY_HOST_MEASURED;
    return have < *out_state;
}

void host_set_number(host_parse_t *parse, assay_host_number_t *fact, double value) {
    uint8_t state;
    if (replaces(parse, fact->state, &state) && !isnan(value)) {
        *fact = (assay_host_number_t){value, host_here(parse), state};
    }
}

void host_set_text(host_parse_t *parse, assay_host_text_t *fact, host_span_t value) {
    uint8_t state;
    value = host_trim(value);
    if (value.n > 0 && replaces(parse, fact->state, &state)) {
        const char *copy = host_copy(parse, value);
        if (copy) {
            *fact = (assay_host_text_t){copy, host_here(parse), state};
        }
    }
}

void host_set_unknown_number(host_parse_t *parse, assay_host_number_t *fact,
                             assay_host_state_t why) {
    if (fact->state == ASSAY_HOST_UNSEEN) {
        *fact = (assay_host_number_t){0, host_here(parse), (uint8_t)why};
    }
}

void host_set_unknown_text(host_parse_t *parse, assay_host_text_t *fact, assay_host_state_t why) {
    if (fact->state == ASSAY_HOST_UNSEEN) {
        *fact = (assay_host_text_t){NULL, host_here(parse), (uint8_t)why};
    }
}

void host_set_quantity(host_parse_t *parse, assay_host_number_t *fact, host_span_t value,
                       bool binary) {
    double number;
    if (host_is_missing(value)) {
        host_set_unknown_number(parse, fact, ASSAY_HOST_UNSUPPORTED);
    } else if (host_quantity(value, binary, &number)) {
        host_set_number(parse, fact, number);
    } else {
        host_set_unknown_number(parse, fact, ASSAY_HOST_UNREADABLE);
    }
}

void host_set_flag(host_parse_t *parse, assay_host_number_t *fact, host_span_t value) {
    static const struct {
        const char *word;
        double value;
    } row[] = {{"yes", 1},      {"enabled", 1}, {"on", 1},        {"active", 1},
               {"true", 1},     {"no", 0},      {"disabled", 0},  {"off", 0},
               {"inactive", 0}, {"false", 0},   {"not active", 0}};
    value = host_trim(value);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (host_is_fold(value, row[i].word)) {
            host_set_number(parse, fact, row[i].value);
            return;
        }
    }
    host_set_quantity(parse, fact, value, false);
}

const char *host_copy(host_parse_t *parse, host_span_t text) {
    const char *copy = assay_arena_strndup(parse->arena, text.s, text.n);
    parse->full |= copy == NULL;
    return copy;
}

/* Room for 16, then for the next power of two: no capacity needs to be kept. */
void *host_grow(host_parse_t *parse, void **items, uint32_t *n, size_t size) {
    if (*n >= ASSAY_HOST_MAX_ITEMS) {
        if (parse->source && !parse->source->reason) {
            parse->source->reason = "more entries than are kept";
        }
        return NULL;
    }
    if (*n == 0 || (*n >= 16 && (*n & (*n - 1)) == 0)) {
        void *more = assay_arena_array(parse->arena, *n ? 2 * (size_t)*n : 16, size);
        if (!more) {
            parse->full = true;
            return NULL;
        }
        if (*n > 0) {
            memcpy(more, *items, *n * size);
        }
        *items = more;
    }
    return (char *)*items + size * (*n)++;
}

/* --- accelerators ---------------------------------------------------------------------------- */

assay_vendor_t host_vendor(uint32_t pci_vendor) {
    return pci_vendor == 0x1002   ? ASSAY_VENDOR_AMD
           : pci_vendor == 0x10de ? ASSAY_VENDOR_NVIDIA
           : pci_vendor == 0      ? ASSAY_VENDOR_UNKNOWN
                                  : ASSAY_VENDOR_OTHER;
}

assay_host_gpu_t *host_gpu_find(const assay_host_t *host, const char *bdf) {
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        const assay_host_gpu_t *gpu = &host->gpu[i];
        if (gpu->bdf.s && strcmp(gpu->bdf.s, bdf) == 0) {
            return &host->gpu[i];
        }
    }
    return NULL;
}

static assay_host_gpu_t *find_index(const assay_host_t *host, assay_vendor_t vendor,
                                    int64_t index) {
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        assay_host_gpu_t *gpu = &host->gpu[i];
        const bool same = gpu->vendor == vendor || gpu->vendor == ASSAY_VENDOR_UNKNOWN ||
                          vendor == ASSAY_VENDOR_UNKNOWN;
        if (same && assay_host_known(gpu->index.state) && gpu->index.v == (double)index) {
            return gpu;
        }
    }
    return NULL;
}

/* What `from` knows and `to` does not. */
static void take(assay_host_gpu_t *to, const assay_host_gpu_t *from) {
#define TAKE(field, what)                      \
    if (to->field.state < from->field.state) { \
        to->field = from->field;               \
    }
    ASSAY_HOST_GPU_NUMBER_LIST(TAKE)
    ASSAY_HOST_GPU_TEXT_LIST(TAKE)
#undef TAKE
    if (to->vendor == ASSAY_VENDOR_UNKNOWN) {
        to->vendor = from->vendor;
    }
}

static void drop(assay_host_t *host, assay_host_gpu_t *gpu) {
    const uint32_t at = (uint32_t)(gpu - host->gpu);
    memmove(gpu, gpu + 1, (host->n_gpu - at - 1) * sizeof *gpu);
    host->n_gpu--;
}

assay_host_gpu_t *host_gpu(host_parse_t *parse, assay_vendor_t vendor, int64_t index,
                           const char *bdf) {
    assay_host_t *host = parse->host;
    assay_host_gpu_t *gpu = bdf ? host_gpu_find(host, bdf) : NULL;
    assay_host_gpu_t *same = index >= 0 ? find_index(host, vendor, index) : NULL;
    if (same && bdf && same->bdf.s && strcmp(same->bdf.s, bdf) != 0) {
        same = NULL; /* that tool counts differently: the address decides */
    }
    if (gpu && same && gpu != same) {
        take(gpu, same);
        const bool behind = same < gpu;
        drop(host, same);
        gpu -= behind ? 1 : 0;
    }
    gpu = gpu ? gpu : same;
    if (!gpu) {
        gpu = host_add(parse, gpu);
        if (!gpu) {
            return NULL;
        }
        gpu->vendor = (uint8_t)vendor;
    }
    if (gpu->vendor == ASSAY_VENDOR_UNKNOWN) {
        gpu->vendor = (uint8_t)vendor;
    }
    if (index >= 0) {
        host_set_number(parse, &gpu->index, (double)index);
    }
    if (bdf) {
        host_set_text(parse, &gpu->bdf, host_span(bdf));
    }
    return gpu;
}

static bool is_measured(const assay_host_gpu_t *gpu) {
    bool any = false;
#define LOOK(field, what) any |= gpu->field.state == ASSAY_HOST_MEASURED;
    ASSAY_HOST_GPU_NUMBER_LIST(LOOK)
    ASSAY_HOST_GPU_TEXT_LIST(LOOK)
#undef LOOK
    return any;
}

static bool is_anonymous(const assay_host_gpu_t *gpu) {
    return !gpu->bdf.s && !assay_host_known(gpu->index.state);
}

/* An excerpt (one agent of rocminfo) speaks of a part without saying which: the others of its name
   take what it knows of all of them. */
static void settle_anonymous(assay_host_t *host) {
    for (uint32_t i = host->n_gpu; i-- > 0;) {
        const assay_host_gpu_t excerpt = host->gpu[i];
        bool taken = false;
        for (uint32_t k = 0; is_anonymous(&excerpt) && k < host->n_gpu; k++) {
            assay_host_gpu_t *gpu = &host->gpu[k];
            const bool same =
                !gpu->name.s || !excerpt.name.s || strcmp(gpu->name.s, excerpt.name.s) == 0;
            if (gpu->vendor == excerpt.vendor && !is_anonymous(gpu) && same) {
                taken = true;
                if (gpu->target.state < excerpt.target.state) {
                    gpu->target = excerpt.target;
                }
                if (gpu->name.state < excerpt.name.state) {
                    gpu->name = excerpt.name;
                }
            }
        }
        if (taken) {
            drop(host, &host->gpu[i]);
        }
    }
}

void host_gpu_settle(assay_host_t *host) {
    uint32_t n = 0;
    settle_anonymous(host);
    for (uint32_t i = 0; i < host->n_gpu; i++) {
        n += is_measured(&host->gpu[i]);
    }
    for (uint32_t i = host->n_gpu; n > 0 && i-- > 0;) {
        if (!is_measured(&host->gpu[i])) {
            drop(host, &host->gpu[i]);
        }
    }
}

/* --- other entries --------------------------------------------------------------------------- */

assay_host_numa_t *host_numa(host_parse_t *parse, int64_t node) {
    for (uint32_t i = 0; i < parse->host->n_numa; i++) {
        if (parse->host->numa[i].node == node) {
            return &parse->host->numa[i];
        }
    }
    assay_host_numa_t *numa = host_add(parse, numa);
    if (numa) {
        *numa = (assay_host_numa_t){.node = node, .at = host_here(parse)};
    }
    return numa;
}

assay_host_port_t *host_port(host_parse_t *parse, host_span_t name, uint32_t number) {
    for (uint32_t i = 0; i < parse->host->n_port; i++) {
        assay_host_port_t *port = &parse->host->port[i];
        if (port->port == number && host_is(name, port->name)) {
            return port;
        }
    }
    const char *copy = host_copy(parse, name);
    assay_host_port_t *port = copy ? host_add(parse, port) : NULL;
    if (port) {
        *port = (assay_host_port_t){.name = copy, .port = number, .at = host_here(parse)};
    }
    return port;
}

assay_host_interface_t *host_interface(host_parse_t *parse, host_span_t name) {
    for (uint32_t i = 0; i < parse->host->n_interface; i++) {
        if (host_is(name, parse->host->interface[i].name)) {
            return &parse->host->interface[i];
        }
    }
    const char *copy = host_copy(parse, name);
    assay_host_interface_t *interface = copy ? host_add(parse, interface) : NULL;
    if (interface) {
        *interface = (assay_host_interface_t){.name = copy, .at = host_here(parse)};
    }
    return interface;
}

void host_setting_fill(host_parse_t *parse, assay_host_setting_t *setting, host_span_t name,
                       host_span_t value) {
    if (setting) {
        const char *name_copy = host_copy(parse, name), *value_copy = host_copy(parse, value);
        *setting = (assay_host_setting_t){name_copy ? name_copy : "", value_copy ? value_copy : "",
                                          host_here(parse)};
    }
}

static bool same(host_span_t text, const char *have) {
    return have ? host_is(text, have) : text.n == 0;
}

void host_version_add(host_parse_t *parse, host_version_list_t list, host_span_t kind,
                      host_span_t path, host_span_t version, host_span_t state) {
    assay_host_t *host = parse->host;
    const struct {
        assay_host_version_t **items;
        uint32_t *n;
    } row[] = {[HOST_TREE] = {&host->tree, &host->n_tree},
               [HOST_LIBRARY] = {&host->library, &host->n_library},
               [HOST_FIRMWARE] = {&host->firmware, &host->n_firmware},
               [HOST_DKMS] = {&host->dkms, &host->n_dkms}};
    for (uint32_t i = 0; i < *row[list].n; i++) {
        const assay_host_version_t *have = &(*row[list].items)[i];
        if (same(kind, have->kind) && same(path, have->path) && same(version, have->version) &&
            same(state, have->state)) {
            return;
        }
    }
    assay_host_version_t *entry =
        host_grow(parse, (void **)row[list].items, row[list].n, sizeof *entry);
    if (entry) {
        *entry = (assay_host_version_t){.kind = host_copy(parse, kind),
                                        .path = path.n ? host_copy(parse, path) : NULL,
                                        .version = version.n ? host_copy(parse, version) : NULL,
                                        .state = state.n ? host_copy(parse, state) : NULL,
                                        .pid = -1,
                                        .at = host_here(parse)};
    }
}

assay_host_service_t *host_service(host_parse_t *parse, const char *name) {
    for (uint32_t i = 0; i < parse->host->n_service; i++) {
        if (strcmp(parse->host->service[i].name, name) == 0) {
            return &parse->host->service[i];
        }
    }
    assay_host_service_t *service = host_add(parse, service);
    if (service) {
        *service = (assay_host_service_t){.name = name, .at = host_here(parse)};
    }
    return service;
}

const assay_host_name_t *host_module_find(const assay_host_t *host, const char *name) {
    for (uint32_t i = 0; i < host->n_module; i++) {
        if (strcmp(host->module[i].name, name) == 0) {
            return &host->module[i];
        }
    }
    return NULL;
}

const assay_host_node_t *host_node_find(const assay_host_t *host, const char *path) {
    for (uint32_t i = 0; i < host->n_node; i++) {
        if (strcmp(host->node[i].path, path) == 0) {
            return &host->node[i];
        }
    }
    return NULL;
}

const char *host_env_find(const assay_host_t *host, const char *name) {
    for (uint32_t i = 0; i < host->n_env; i++) {
        if (strcmp(host->env[i].name, name) == 0) {
            return host->env[i].value;
        }
    }
    return NULL;
}
