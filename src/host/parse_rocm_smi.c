/* rocm-smi: the table of all devices, the lines of one subject, JSON and CSV. Columns and keys are
   found by their words: their places and number differ from version to version. */
#include <string.h>

#include "host/host_parse.h"
#include "host/host_rules.h"

#include "base/banned.h"

#define GPU(field) offsetof(assay_host_gpu_t, field)

/* Keys of the lines, the JSON and the CSV. */
static const host_field_t key_field[] = {
    {"(Topology) Numa Node", GPU(numa_node), HOST_NUMBER},
    {"Temperature (Sensor edge) (C)", GPU(edge_c), HOST_NUMBER},
    {"Temperature (Sensor junction) (C)", GPU(hotspot_c), HOST_NUMBER},
    {"Temperature (Sensor memory) (C)", GPU(mem_c), HOST_NUMBER},
    {"Average Graphics Package Power (W)", GPU(power_w), HOST_NUMBER},
    {"Current Socket Graphics Package Power (W)", GPU(power_w), HOST_NUMBER},
    {"Max Graphics Package Power (W)", GPU(power_cap_w), HOST_NUMBER},
    {"GPU use (%)", GPU(gfx_busy), HOST_PERCENT},
    {"GPU memory use (%)", GPU(mem_busy), HOST_PERCENT},
    {"GPU Memory Read/Write Activity (%)", GPU(mem_busy), HOST_PERCENT},
    {"VRAM Total Memory (B)", GPU(vram_bytes), HOST_NUMBER},
    {"VRAM Total Used Memory (B)", GPU(vram_used_bytes), HOST_NUMBER},
    {"Performance Level", GPU(perf_level), HOST_TEXT},
    {"Card Series", GPU(name), HOST_TEXT},
    {"GFX Version", GPU(target), HOST_TEXT},
    {"Device ID", GPU(device_id), HOST_NUMBER},
    {"Card Model", GPU(device_id), HOST_NUMBER},
    {"Node ID", GPU(kfd_node), HOST_NUMBER},
    {"Compute Partition", GPU(compute_partition), HOST_TEXT},
    {"Memory Partition", GPU(memory_partition), HOST_TEXT},
    {"PCIe Replay Count", GPU(pcie_replays), HOST_NUMBER},
    {"Fan speed (%)", GPU(fan), HOST_PERCENT},
    {"VBIOS version", GPU(vbios), HOST_TEXT},
    {"GUID", GPU(kfd_gpu_id), HOST_NUMBER},
    /* a CSV of our own and of scripts */
    {"power_w", GPU(power_w), HOST_NUMBER},
    {"gpu_use_pct", GPU(gfx_busy), HOST_PERCENT},
};

/* "sclk clock level" is "1: (132Mhz)"; in JSON "sclk clock speed:" is "(132Mhz)". */
static bool set_clock(host_parse_t *parse, host_span_t key, host_span_t value,
                      assay_host_gpu_t *gpu) {
    static const struct {
        const char *name;
        size_t offset;
    } row[] = {{"sclk clock", GPU(gfx_hz)},
               {"mclk clock", GPU(mem_hz)},
               {"fclk clock", GPU(fabric_hz)},
               {"pcie clock", GPU(pcie_gt_s)}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (!host_starts(key, row[i].name)) {
            continue;
        }
        host_span_t rest = value;
        (void)host_cut(&rest, "(");
        rest = host_cut(&rest, ")");
        const host_span_t number = host_word(&rest), lanes = host_trim(rest);
        if (number.n > 0) {
            host_set_quantity(parse, (void *)((char *)gpu + row[i].offset), number, false);
        }
        if (host_starts(lanes, "x")) { /* "(16.0GT/s x16)" */
            host_set_quantity(parse, &gpu->pcie_width, (host_span_t){lanes.s + 1, lanes.n - 1},
                              false);
        }
        return true;
    }
    return false;
}

/* "SMC firmware version" */
static bool set_firmware(host_parse_t *parse, host_span_t key, host_span_t value,
                         const assay_host_gpu_t *gpu) {
    static const char end[] = " firmware version";
    const size_t n = sizeof end - 1;
    if (key.n <= n || memcmp(key.s + key.n - n, end, n) != 0) {
        return false;
    }
    const char *whose =
        gpu->bdf.s ? gpu->bdf.s : assay_arena_printf(parse->scratch, "%.0f", gpu->index.v);
    if (whose && !host_is_missing(value)) {
        host_version_add(parse, HOST_FIRMWARE, (host_span_t){key.s, key.n - n}, host_span(whose),
                         value, (host_span_t){"", 0});
    }
    return true;
}

bool host_rocm_smi_set(host_parse_t *parse, host_span_t key, host_span_t value,
                       assay_host_gpu_t *gpu) {
    if (set_clock(parse, key, value, gpu) || set_firmware(parse, key, value, gpu)) {
        return true;
    }
    return host_field_set(parse, key_field, sizeof key_field / sizeof key_field[0], key, value,
                          gpu);
}

/* --- the table of all devices ---------------------------------------------------------------- */

#define COLUMNS_MAX 32

typedef struct {
    host_span_t name;
    size_t from; /* character, not byte: "°" has two bytes */
} column_t;
typedef struct {
    column_t column[COLUMNS_MAX];
    uint32_t n;
} heading_t;

static bool is_lead(char c) {
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* Headings stand two or more spaces apart. */
static heading_t read_heading(host_span_t line) {
    heading_t heading = {.n = 0};
    size_t from = 0, character = 0, start = 0;
    bool inside = false;
    for (size_t i = 0; i <= line.n; i++) {
        const bool gap =
            i == line.n || (line.s[i] == ' ' && (i + 1 == line.n || line.s[i + 1] == ' '));
        if (inside && gap) {
            heading.column[heading.n++] = (column_t){{line.s + start, i - start}, from};
            inside = false;
            if (heading.n == COLUMNS_MAX) {
                break;
            }
        } else if (!inside && i < line.n && line.s[i] != ' ') {
            inside = true;
            start = i;
            from = character;
        }
        character += i < line.n && is_lead(line.s[i]);
    }
    return heading;
}

/* What of line stands between the starts of two columns. */
static host_span_t cell(const heading_t *heading, uint32_t column, host_span_t line) {
    const size_t to = column + 1 < heading->n ? heading->column[column + 1].from : (size_t)-1;
    size_t first = line.n, last = line.n, character = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (is_lead(line.s[i])) {
            if (character == heading->column[column].from) {
                first = i;
            }
            if (character == to) {
                last = i;
            }
            character++;
        }
    }
    return first < last ? host_trim((host_span_t){line.s + first, last - first})
                        : (host_span_t){line.s, 0};
}

static void set_cell(host_parse_t *parse, host_span_t name, host_span_t value,
                     assay_host_gpu_t *gpu) {
    static const host_field_t column_field[] = {
        {"Power", GPU(power_w), HOST_NUMBER},      {"AvgPwr", GPU(power_w), HOST_NUMBER},
        {"SCLK", GPU(gfx_hz), HOST_MEGA},          {"MCLK", GPU(mem_hz), HOST_MEGA},
        {"Fan", GPU(fan), HOST_PERCENT},           {"Perf", GPU(perf_level), HOST_TEXT},
        {"PwrCap", GPU(power_cap_w), HOST_NUMBER}, {"GPU%", GPU(gfx_busy), HOST_PERCENT},
    };
    const bool known = host_field_set(
        parse, column_field, sizeof column_field / sizeof column_field[0], name, value, gpu);
    if (known) {
        return;
    }
    if (host_starts(name, "Partitions")) { /* "NPS1, SPX, 0" */
        host_set_text(parse, &gpu->memory_partition, host_cut(&value, ","));
        host_set_text(parse, &gpu->compute_partition, host_cut(&value, ","));
    } else if (host_is(name, "IDs")) { /* "0x74a1,   00000" */
        host_set_quantity(parse, &gpu->device_id, host_cut(&value, ","), false);
    } else if (host_is(name, "Node")) {
        host_set_quantity(parse, &gpu->kfd_node, value, false);
    }
}

/* The second line of headings says which sensor: "(Junction)"; the old one says "Temp (DieEdge)".
 */
static void set_temperature(host_parse_t *parse, host_span_t sensor, host_span_t value,
                            assay_host_gpu_t *gpu) {
    host_set_quantity(parse,
                      host_has(sensor, "unction") || host_has(sensor, "otspot") ? &gpu->hotspot_c
                                                                                : &gpu->edge_c,
                      value, false);
}

static void read_table_row(host_parse_t *parse, const heading_t *heading,
                           const host_span_t *sensor_line, host_span_t line) {
    double index;
    host_span_t rest;
    if (!host_number(cell(heading, 0, line), &index, &rest) || index < 0 || index > 65535) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, NULL);
    for (uint32_t i = 1; gpu && i < heading->n; i++) {
        const host_span_t name = heading->column[i].name, value = cell(heading, i, line);
        if (host_starts(name, "Temp")) {
            const host_span_t sensor = name.n > 4 ? name : cell(heading, i, *sensor_line);
            set_temperature(parse, sensor, value, gpu);
        } else {
            set_cell(parse, name, value, gpu);
        }
    }
}

/* --- processes ------------------------------------------------------------------------------- */

static void read_process(host_parse_t *parse, const heading_t *heading, host_span_t line) {
    double pid;
    host_span_t rest;
    const host_span_t first = cell(heading, 0, line);
    if (!host_number(first, &pid, &rest) || rest.n > 0 || pid < 0 || pid > 4194304) {
        return;
    }
    assay_host_process_t *process = host_add(parse, process);
    if (!process) {
        return;
    }
    *process = (assay_host_process_t){.pid = (int64_t)pid, .name = "", .at = host_here(parse)};
    for (uint32_t i = 1; i < heading->n; i++) {
        const host_span_t name = heading->column[i].name, value = cell(heading, i, line);
        if (host_is(name, "PROCESS NAME")) {
            process->name = host_copy(parse, value);
        } else if (host_is(name, "GPU(s)")) {
            host_set_quantity(parse, &process->gpus, value, false);
        } else if (host_is(name, "VRAM USED")) {
            host_set_quantity(parse, &process->vram_bytes, value, false);
        }
    }
}

/* --- errors ---------------------------------------------------------------------------------- */

/* "         UMC      ENABLED        3      0": block, state, correctable, uncorrectable. */
static void read_block(host_parse_t *parse, int64_t index, host_span_t line) {
    host_span_t rest = line, after;
    const host_span_t block = host_word(&rest), state = host_word(&rest),
                      correctable = host_word(&rest), uncorrectable = host_word(&rest);
    double number[2];
    if (index < 0 || !(host_is(state, "ENABLED") || host_is(state, "DISABLED"))) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, index, NULL);
    if (gpu && host_is(block, "UMC")) {
        host_set_flag(parse, &gpu->ecc_umc, state);
        if (host_number(correctable, &number[0], &after) &&
            host_number(uncorrectable, &number[1], &after)) {
            host_set_number(parse, &gpu->ras_correctable, number[0]);
            host_set_number(parse, &gpu->ras_uncorrectable, number[1]);
        }
    }
}

/* --- "GPU[0]    : key: value" ---------------------------------------------------------------- */

static void read_line(host_parse_t *parse, host_span_t line) {
    double index;
    host_span_t rest;
    if (!host_number((host_span_t){line.s + 4, line.n - 4}, &index, &rest) || index < 0 ||
        index > 65535 || !host_starts(rest, "]")) {
        return;
    }
    host_span_t head, body, key, value;
    if (!host_key_value(rest, ':', &head, &body) || !host_key_value(body, ':', &key, &value)) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, NULL);
    if (gpu && host_is(key, "PCI Bus")) {
        const char *bdf = host_bdf(parse, value);
        gpu = bdf ? host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, bdf) : gpu;
    } else if (gpu) {
        host_rocm_smi_set(parse, key, value, gpu);
    }
}

void host_parse_rocm_smi(host_parse_t *parse) {
    heading_t heading = {.n = 0};
    host_span_t sensors = {"", 0};
    bool processes = false;
    int64_t last = -1; /* accelerator that lines without a number are of */
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        if (host_starts(text, "GPU[")) {
            double index;
            host_span_t rest;
            last = host_number((host_span_t){text.s + 4, text.n - 4}, &index, &rest) &&
                           index >= 0 && index < 65536
                       ? (int64_t)index
                       : -1;
            read_line(parse, text);
        } else if (host_starts(text, "Driver version:")) {
            host_set_text(parse, &parse->host->amdgpu_version,
                          (host_span_t){text.s + 15, text.n - 15});
        } else if (host_has(text, "ENABLED") || host_has(text, "DISABLED")) {
            read_block(parse, last, text);
        } else if (host_starts(text, "Device  ") || host_starts(text, "GPU  ")) {
            heading = read_heading(line);
            processes = false;
        } else if (host_starts(text, "PID  ")) {
            heading = read_heading(line);
            processes = true;
        } else if (host_starts(text, "(")) {
            sensors = line;
        } else if (heading.n > 0 && processes) {
            read_process(parse, &heading, line);
        } else if (heading.n > 0) {
            read_table_row(parse, &heading, &sensors, line);
        }
    }
}

bool host_read_rocm_smi(host_parse_t *parse, const assay_node_t *root) {
    bool any = false;
    for (const assay_node_t *card = root->child; root->kind == ASSAY_NODE_MAPPING && card;
         card = card->next) {
        double index;
        host_span_t rest;
        const host_span_t key = host_span(card->key);
        const assay_node_t *driver = assay_node_find(card, "Driver version");
        if (host_is(key, "system") && driver) {
            host_node_place(parse, driver);
            host_set_text(parse, &parse->host->amdgpu_version, host_node_text(driver));
        }
        if (!host_starts(key, "card") ||
            !host_number((host_span_t){key.s + 4, key.n - 4}, &index, &rest) || rest.n > 0 ||
            index < 0 || index > 65535) {
            continue;
        }
        any = true;
        host_node_place(parse, card);
        const char *bdf = host_bdf(parse, host_node_text(assay_node_find(card, "PCI Bus")));
        assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, bdf);
        for (const assay_node_t *field = card->child; gpu && field; field = field->next) {
            if (field->key) {
                host_node_place(parse, field);
                host_rocm_smi_set(parse, host_span(field->key), host_node_text(field), gpu);
            }
        }
    }
    return any;
}
