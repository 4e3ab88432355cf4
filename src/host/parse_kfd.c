/* The compute driver's topology: one node's properties, "name decimal" lines of
   /sys/class/kfd/kfd/topology/nodes. */
#include "host/host_parse.h"

#include "base/banned.h"

assay_host_gpu_t *host_kfd_node(host_parse_t *parse) {
    static const char *const name[] = {"simd_count",
                                       "simd_per_cu",
                                       "gfx_target_version",
                                       "vendor_id",
                                       "device_id",
                                       "location_id",
                                       "domain",
                                       "drm_render_minor",
                                       "num_xcc",
                                       "hive_id",
                                       "max_engine_clk_fcompute"};
    enum { SIMDS, PER_CU, TARGET, VENDOR, DEVICE, LOCATION, DOMAIN, MINOR, XCC, HIVE, CLOCK, N };
    assay_host_number_t fact[N] = {0};
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line;
        const host_span_t key = host_word(&rest);
        for (size_t i = 0; i < N; i++) {
            if (host_is(key, name[i])) {
                host_set_quantity(parse, &fact[i], rest, false);
            }
        }
    }
    if (!(fact[SIMDS].v > 0) || !assay_host_known(fact[LOCATION].state) ||
        fact[LOCATION].v > 65535 || fact[DOMAIN].v > 4294967295.0) {
        return NULL; /* a processor */
    }
    const unsigned location = (unsigned)fact[LOCATION].v, domain = (unsigned)fact[DOMAIN].v;
    const char *bdf = assay_arena_printf(parse->arena, "%04x:%02x:%02x.%x", domain,
                                         location >> 8 & 0xff, location >> 3 & 0x1f, location & 7);
    assay_host_gpu_t *gpu =
        bdf ? host_gpu(parse, host_vendor((uint32_t)fact[VENDOR].v), -1, bdf) : NULL;
    if (!gpu) {
        return NULL;
    }
    const struct {
        const assay_host_number_t *from;
        assay_host_number_t *to;
        double scale;
    } copy[] = {{&fact[VENDOR], &gpu->vendor_id, 1},   {&fact[DEVICE], &gpu->device_id, 1},
                {&fact[MINOR], &gpu->render_minor, 1}, {&fact[XCC], &gpu->xcc, 1},
                {&fact[HIVE], &gpu->hive, 1},          {&fact[CLOCK], &gpu->gfx_hz_max, 1e6}};
    for (size_t i = 0; i < sizeof copy / sizeof copy[0]; i++) {
        if (copy[i].to->state < copy[i].from->state) {
            *copy[i].to = *copy[i].from;
            copy[i].to->v *= copy[i].scale;
        }
    }
    if (fact[PER_CU].v > 0) {
        parse->line = fact[SIMDS].at.line;
        host_set_number(parse, &gpu->compute_units, fact[SIMDS].v / fact[PER_CU].v);
    }
    if (fact[TARGET].v > 0 && fact[TARGET].v < 1e7) { /* 90402: gfx942; 90010: gfx90a */
        const unsigned version = (unsigned)fact[TARGET].v;
        const char *target = assay_arena_printf(parse->arena, "gfx%u%x%x", version / 10000,
                                                version / 100 % 100, version % 100);
        parse->line = fact[TARGET].at.line;
        if (target) {
            host_set_text(parse, &gpu->target, host_span(target));
        }
    }
    if ((location & 7) > 0 && gpu->vendor == ASSAY_VENDOR_AMD) {
        /* The driver counts the partitions of a package in the function's place. */
        parse->line = fact[LOCATION].at.line;
        host_set_number(parse, &gpu->partition, location & 7);
    }
    return gpu;
}

void host_parse_kfd_node(host_parse_t *parse) {
    (void)host_kfd_node(parse);
}
