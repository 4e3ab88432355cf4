/* XML of nvidia-smi -q -x and of hwloc (lstopo, or the library on this machine). */
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

#define DEPTH_MAX 64
#define NAME_BYTES 48
#define TEXT_BYTES 512 /* of one element; longer ones are no values */

typedef struct {
    host_parse_t *parse;
    XML_Parser xml;
    uint32_t depth; /* of open elements, also of those beyond DEPTH_MAX */
    char name[DEPTH_MAX][NAME_BYTES];
    char text[TEXT_BYTES];
    size_t n_text;
    /* nvidia-smi */
    assay_host_gpu_t *gpu;
    int64_t index;
    /* hwloc: the nearest NUMA node of each open object; -1: none yet */
    int64_t numa[DEPTH_MAX];
    uint32_t n_package, n_thread, n_numa;
    bool hwloc;
} reader_t;

static const char *attribute_of(const char **attribute, const char *name) {
    for (; *attribute; attribute += 2) {
        if (strcmp(attribute[0], name) == 0) {
            return attribute[1];
        }
    }
    return NULL;
}

/* --- nvidia-smi ------------------------------------------------------------------------------ */

#define GPU(field) offsetof(assay_host_gpu_t, field)

/* Elements below <gpu>, matched by the end of their path. */
static const host_field_t field[] = {
    {"product_name", GPU(name), HOST_TEXT},
    {"persistence_mode", GPU(persistence), HOST_FLAG},
    {"mig_mode.current_mig", GPU(mig), HOST_FLAG},
    {"mig_mode.pending_mig", GPU(mig_pending), HOST_FLAG},
    {"vbios_version", GPU(vbios), HOST_TEXT},
    {"gsp_firmware_version", GPU(firmware), HOST_TEXT},
    {"fabric.state", GPU(fabric_state), HOST_TEXT},
    {"link_widths.current_link_width", GPU(pcie_width), HOST_NUMBER},
    {"link_widths.max_link_width", GPU(pcie_width_max), HOST_NUMBER},
    {"pci.replay_counter", GPU(pcie_replays), HOST_NUMBER},
    {"fan_speed", GPU(fan), HOST_PERCENT},
    {"fb_memory_usage.total", GPU(vram_bytes), HOST_BINARY},
    {"fb_memory_usage.used", GPU(vram_used_bytes), HOST_BINARY},
    {"utilization.gpu_util", GPU(gfx_busy), HOST_PERCENT},
    {"utilization.memory_util", GPU(mem_busy), HOST_PERCENT},
    {"multiple_single_bit_retirement.retired_count", GPU(retired_single), HOST_NUMBER},
    {"double_bit_retirement.retired_count", GPU(retired_double), HOST_NUMBER},
    {"retired_pages.pending_blacklist", GPU(retired_pending), HOST_FLAG},
    {"retired_pages.pending_retirement", GPU(retired_pending), HOST_FLAG},
    {"remapped_rows.remapped_row_corr", GPU(remapped_correctable), HOST_NUMBER},
    {"remapped_rows.remapped_row_unc", GPU(remapped_uncorrectable), HOST_NUMBER},
    {"remapped_rows.remapped_row_pending", GPU(remapped_pending), HOST_FLAG},
    {"remapped_rows.remapped_row_failure", GPU(remapped_failed), HOST_FLAG},
    {"temperature.gpu_temp", GPU(hotspot_c), HOST_NUMBER},
    {"temperature.gpu_temp_slow_threshold", GPU(hotspot_limit_c), HOST_NUMBER},
    {"temperature.memory_temp", GPU(mem_c), HOST_NUMBER},
    {"gpu_power_readings.power_draw", GPU(power_w), HOST_NUMBER},
    {"power_readings.power_draw", GPU(power_w), HOST_NUMBER},
    {"gpu_power_readings.average_power_draw", GPU(power_w), HOST_NUMBER},
    {"gpu_power_readings.instant_power_draw", GPU(power_w), HOST_NUMBER},
    {"gpu_power_readings.current_power_limit", GPU(power_cap_w), HOST_NUMBER},
    {"gpu_power_readings.default_power_limit", GPU(power_cap_default_w), HOST_NUMBER},
    {"gpu_power_readings.max_power_limit", GPU(power_cap_max_w), HOST_NUMBER},
    {"gpu_power_readings.min_power_limit", GPU(power_cap_min_w), HOST_NUMBER},
    {"power_readings.power_limit", GPU(power_cap_w), HOST_NUMBER},
    {"power_readings.default_power_limit", GPU(power_cap_default_w), HOST_NUMBER},
    {"power_readings.max_power_limit", GPU(power_cap_max_w), HOST_NUMBER},
    {"power_readings.min_power_limit", GPU(power_cap_min_w), HOST_NUMBER},
    {"max_clocks.sm_clock", GPU(gfx_hz_max), HOST_MEGA},
    {"max_clocks.mem_clock", GPU(mem_hz_max), HOST_MEGA},
    {"default_applications_clocks.graphics_clock", GPU(gfx_hz_default), HOST_MEGA},
    {"applications_clocks.graphics_clock", GPU(gfx_hz_lock), HOST_MEGA},
    {"gpu.clocks.sm_clock", GPU(gfx_hz), HOST_MEGA},
    {"gpu.clocks.mem_clock", GPU(mem_hz), HOST_MEGA},
    {"clocks_event_reason_sw_power_cap", GPU(slow_power), HOST_FLAG},
    {"clocks_event_reason_hw_thermal_slowdown", GPU(slow_thermal), HOST_FLAG},
    {"clocks_event_reason_sw_thermal_slowdown", GPU(slow_thermal_soft), HOST_FLAG},
    {"clocks_event_reason_hw_power_brake_slowdown", GPU(slow_brake), HOST_FLAG},
    {"clocks_throttle_reason_sw_power_cap", GPU(slow_power), HOST_FLAG},
    {"clocks_throttle_reason_hw_thermal_slowdown", GPU(slow_thermal), HOST_FLAG},
    {"clocks_throttle_reason_sw_thermal_slowdown", GPU(slow_thermal_soft), HOST_FLAG},
    {"clocks_throttle_reason_hw_power_brake_slowdown", GPU(slow_brake), HOST_FLAG},
};

static void start_gpu(reader_t *reader, const char **attribute) {
    const char *id = attribute_of(attribute, "id");
    const char *bdf = id ? host_bdf(reader->parse, host_span(id)) : NULL;
    reader->gpu = host_gpu(reader->parse, ASSAY_VENDOR_NVIDIA, ++reader->index, bdf);
}

/* Path of the element that ends, without the document's own: "gpu.clocks.sm_clock". */
static const char *path_of(const reader_t *reader) {
    const char *path = "";
    for (uint32_t i = 1; path && i < reader->depth; i++) {
        path = assay_arena_printf(reader->parse->scratch, "%s%s%s", path, *path ? "." : "",
                                  reader->name[i]);
    }
    return path;
}

static void end_value(reader_t *reader, const char *name) {
    host_parse_t *parse = reader->parse;
    const host_span_t value = host_trim((host_span_t){reader->text, reader->n_text});
    double generation;
    host_span_t rest;
    if (value.n == 0) {
        return;
    }
    if (strcmp(name, "driver_version") == 0) {
        host_set_text(parse, &parse->host->nvidia_module, value);
    } else if (strcmp(name, "cuda_version") == 0) {
        host_set_text(parse, &parse->host->cuda_driver, value);
    } else if (strcmp(name, "attached_gpus") == 0) {
        host_set_quantity(parse, &parse->host->gpus_listed, value, false);
    } else if (reader->gpu &&
               (strcmp(name, "current_link_gen") == 0 || strcmp(name, "max_link_gen") == 0)) {
        if (host_number(value, &generation, &rest)) {
            host_set_pcie_generation(
                parse, name[0] == 'm' ? &reader->gpu->pcie_gt_s_max : &reader->gpu->pcie_gt_s,
                generation);
        }
    } else if (reader->gpu) {
        const char *path = path_of(reader);
        if (path) {
            host_field_set(parse, field, sizeof field / sizeof field[0], host_span(path), value,
                           reader->gpu);
        }
    }
}

/* --- hwloc ----------------------------------------------------------------------------------- */

/* "1200 [1002:74a1] [1002:74a1] 00": class, vendor and device. */
static void set_pci(host_parse_t *parse, const char *busid, const char *type, int64_t numa) {
    const char *bdf = host_bdf(parse, host_span(busid));
    host_span_t rest = host_span(type), ids;
    unsigned class, vendor, device;
    if (!bdf || !host_hex(host_word(&rest), &class)) {
        return;
    }
    (void)host_cut(&rest, "[");
    ids = host_cut(&rest, "]");
    assay_host_pci_t *pci = host_hex(host_cut(&ids, ":"), &vendor) && host_hex(ids, &device)
                                ? host_pci(parse, bdf)
                                : NULL;
    if (pci) {
        pci->vendor_id = vendor;
        pci->device_id = device;
        pci->subclass = class;
        pci->bridge = class == 0x0604;
        if (numa >= 0) {
            host_set_number(parse, &pci->numa_node, (double)numa);
        }
        host_pci_gpu(parse, pci);
    }
}

/* "0000:[05-07]": the buses below a bridge. */
static void set_buses(host_parse_t *parse, const char *busid, const char *buses) {
    const char *bdf = host_bdf(parse, host_span(busid));
    assay_host_pci_t *pci = bdf ? host_pci(parse, bdf) : NULL;
    host_span_t rest = host_span(buses), inside;
    unsigned first, last;
    (void)host_cut(&rest, "[");
    inside = host_cut(&rest, "]");
    if (pci && host_hex(host_cut(&inside, "-"), &first) && host_hex(inside, &last) && first > 0 &&
        last >= first && last < 256) {
        pci->bus_first = first;
        pci->bus_last = last;
    }
}

static int64_t whole(const char *text) {
    double number;
    host_span_t rest;
    return text && host_number(host_span(text), &number, &rest) && number >= 0 && number < 1e6
               ? (int64_t)number
               : -1;
}

static void start_object(reader_t *reader, const char **attribute) {
    host_parse_t *parse = reader->parse;
    const uint32_t at = reader->depth - 1;
    const char *type = attribute_of(attribute, "type"),
               *busid = attribute_of(attribute, "pci_busid"),
               *pci_type = attribute_of(attribute, "pci_type"),
               *buses = attribute_of(attribute, "bridge_pci");
    reader->hwloc = true;
    if (!type) {
        return;
    }
    reader->n_package += strcmp(type, "Package") == 0 || strcmp(type, "Socket") == 0;
    reader->n_thread += strcmp(type, "PU") == 0;
    if (strcmp(type, "NUMANode") == 0) {
        const int64_t node = whole(attribute_of(attribute, "os_index"));
        const char *memory = attribute_of(attribute, "local_memory"),
                   *cpuset = attribute_of(attribute, "cpuset");
        assay_host_numa_t *numa = node >= 0 ? host_numa(parse, node) : NULL;
        if (numa && memory) {
            host_set_quantity(parse, &numa->bytes, host_span(memory), false);
        }
        reader->n_numa += cpuset && strcmp(cpuset, "0x0") != 0;
        /* Memory stands in front of the devices that are as near. */
        reader->numa[at] = node;
        if (at > 0) {
            reader->numa[at - 1] = node;
        }
    }
    if (busid && pci_type) {
        set_pci(parse, busid, pci_type, reader->numa[at]);
    }
    if (busid && buses) {
        set_buses(parse, busid, buses);
    }
}

/* <info name="CPUModel" value="AMD EPYC 9654"/> */
static void start_info(reader_t *reader, const char **attribute) {
    const char *name = attribute_of(attribute, "name"), *value = attribute_of(attribute, "value");
    if (name && value && strcmp(name, "CPUModel") == 0) {
        host_set_text(reader->parse, &reader->parse->host->cpu, host_span(value));
    }
}

static void end_hwloc(reader_t *reader) {
    assay_host_t *host = reader->parse->host;
    const struct {
        uint32_t n;
        assay_host_number_t *fact;
    } row[] = {{reader->n_package, &host->sockets},
               {reader->n_thread, &host->threads},
               {reader->n_numa, &host->numa_nodes}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (row[i].n > 0) {
            host_set_number(reader->parse, row[i].fact, row[i].n);
        }
    }
}

/* --- both ------------------------------------------------------------------------------------ */

static void place(reader_t *reader) {
    reader->parse->line = reader->parse->first + (uint32_t)XML_GetCurrentLineNumber(reader->xml);
}

static void XMLCALL start(void *data, const char *name, const char **attribute) {
    reader_t *reader = data;
    reader->n_text = 0;
    if (reader->depth++ >= DEPTH_MAX) {
        return;
    }
    const uint32_t at = reader->depth - 1;
    const size_t n = strlen(name);
    memcpy(reader->name[at], name, n < NAME_BYTES ? n : NAME_BYTES - 1);
    reader->name[at][n < NAME_BYTES ? n : NAME_BYTES - 1] = '\0';
    reader->numa[at] = at > 0 ? reader->numa[at - 1] : -1;
    place(reader);
    if (at == 1 && strcmp(name, "gpu") == 0) {
        start_gpu(reader, attribute);
    } else if (strcmp(name, "object") == 0) {
        start_object(reader, attribute);
    } else if (strcmp(name, "info") == 0) {
        start_info(reader, attribute);
    }
}

static void XMLCALL text_of(void *data, const char *text, int n) {
    reader_t *reader = data;
    if (reader->n_text + (size_t)n <= TEXT_BYTES) {
        memcpy(reader->text + reader->n_text, text, (size_t)n);
        reader->n_text += (size_t)n;
    }
}

static void XMLCALL end(void *data, const char *name) {
    reader_t *reader = data;
    if (reader->depth <= DEPTH_MAX && !reader->hwloc) {
        place(reader);
        end_value(reader, name);
        if (reader->depth == 2 && strcmp(name, "gpu") == 0) {
            reader->gpu = NULL;
        }
    }
    reader->depth--;
    reader->n_text = 0;
}

void host_parse_xml(host_parse_t *parse) {
    reader_t reader = {.parse = parse, .xml = XML_ParserCreate("UTF-8"), .index = -1};
    if (!reader.xml) {
        parse->full = true;
        return;
    }
    XML_SetUserData(reader.xml, &reader);
    XML_SetElementHandler(reader.xml, start, end);
    XML_SetCharacterDataHandler(reader.xml, text_of);
    /* What stands in front of it: warnings of the tool. */
    const ptrdiff_t at = host_find(parse->rest, "<");
    const host_span_t text = {parse->rest.s + (at > 0 ? at : 0),
                              parse->rest.n - (size_t)(at > 0 ? at : 0)};
    for (size_t i = 0; i < (size_t)(at > 0 ? at : 0); i++) {
        parse->first += parse->rest.s[i] == '\n';
    }
    if (XML_Parse(reader.xml, text.s, (int)text.n, 1) != XML_STATUS_OK) {
        parse->source->reason = assay_arena_strdup(
            parse->arena,
            XML_ErrorString(XML_GetErrorCode(reader.xml))); /* what came before counts */
    }
    end_hwloc(&reader);
    XML_ParserFree(reader.xml);
}
