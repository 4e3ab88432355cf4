/* Tables of amd-smi: the overview that it prints without a verb, monitor, partition, version.
   Columns are found by their headings, which differ between versions. */
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

#define COLUMNS_MAX 32

/* Cells of a line, two or more spaces apart: "49 W" is one. */
typedef struct {
    host_span_t cell[COLUMNS_MAX];
    uint32_t n;
} cells_t;

static cells_t cells_of(host_span_t line) {
    cells_t cells = {.n = 0};
    size_t i = 0;
    while (i < line.n && cells.n < COLUMNS_MAX) {
        while (i < line.n && line.s[i] == ' ') {
            i++;
        }
        const size_t from = i;
        while (i < line.n && !(line.s[i] == ' ' && (i + 1 == line.n || line.s[i + 1] == ' '))) {
            i++;
        }
        if (i > from) {
            cells.cell[cells.n++] = (host_span_t){line.s + from, i - from};
        }
    }
    return cells;
}

/* The word behind key, when it is a version. */
static void set_version(host_parse_t *parse, host_span_t line, const char *key,
                        assay_host_text_t *fact) {
    const ptrdiff_t at = host_find(line, key);
    host_span_t rest = {line.s, 0};
    if (at >= 0) {
        rest = (host_span_t){line.s + at + strlen(key), line.n - (size_t)at - strlen(key)};
    }
    const host_span_t word = host_word(&rest);
    if (word.n > 0 && word.s[0] >= '0' && word.s[0] <= '9') { /* "Linuxver", "N/A": the kernel's */
        host_set_text(parse, fact, word);
    }
}

static void read_versions(host_parse_t *parse, host_span_t line) {
    assay_host_t *host = parse->host;
    set_version(parse, line, "ROCm version: ", &host->rocm);
    set_version(parse, line, "ROCm Version: ", &host->rocm);
    set_version(parse, line, "amdgpu version: ", &host->amdgpu_version);
    set_version(parse, line, "amdgpu Version: ", &host->amdgpu_version);
    if (host_has(line, "Platform:") && !assay_host_known(host->hypervisor.state)) {
        if (host_has(line, "Linux Guest")) {
            host_set_text(parse, &host->hypervisor, host_span(HOST_HYPERVISOR_UNNAMED));
        } else if (host_has(line, "Linux Baremetal")) {
            host_set_text(parse, &host->hypervisor, host_span("none"));
        }
    }
}

/* "0.3/192.0 GB": two numbers with one unit; a fact may be NULL. */
static void set_pair(host_parse_t *parse, host_span_t text, assay_host_number_t *first,
                     assay_host_number_t *second) {
    host_span_t rest = text, after;
    const host_span_t before = host_trim(host_cut(&rest, "/"));
    double number;
    rest = host_trim(rest);
    if (rest.n == 0) {
        if (first) {
            host_set_quantity(parse, first, before, true);
        }
        return;
    }
    if (second && !host_starts(rest, "A")) { /* "N/A" */
        host_set_quantity(parse, second, rest, true);
    }
    if (first && host_number(before, &number, &after) && host_number(rest, &(double){0}, &after)) {
        const char *whole = assay_arena_printf(parse->scratch, "%.*s %.*s", (int)before.n, before.s,
                                               (int)after.n, after.s);
        if (whole) {
            host_set_quantity(parse, first, host_span(whole), true);
        }
    }
}

/* "SPX/NPS1" */
static void set_modes(host_parse_t *parse, host_span_t text, assay_host_gpu_t *gpu) {
    host_span_t rest = text;
    const host_span_t compute = host_cut(&rest, "/");
    if (host_starts(rest, "NPS")) {
        host_set_text(parse, &gpu->compute_partition, compute);
        host_set_text(parse, &gpu->memory_partition, rest);
    }
}

/* --- the overview ---------------------------------------------------------------------------- */

/* "| 0000:83:00.0 AMD Instinct MI300X VF | 0 %   37 °C   0   160/750 W |" and below it
   "|   0       0       3        SPX/NPS1 | 0 %   N/A   285/196288 MB |". */
static const char *read_first_row(host_parse_t *parse, host_span_t left, host_span_t right) {
    host_span_t rest = left;
    const char *bdf = host_bdf(parse, host_word(&rest));
    assay_host_gpu_t *gpu = bdf ? host_gpu(parse, ASSAY_VENDOR_AMD, -1, bdf) : NULL;
    const cells_t cells = cells_of(right);
    if (!gpu) {
        return NULL;
    }
    host_set_text(parse, &gpu->name, rest);
    if (cells.n == 4) {
        host_set_quantity(parse, &gpu->mem_busy, cells.cell[0], false);
        host_set_quantity(parse, &gpu->hotspot_c, cells.cell[1], false);
        host_set_quantity(parse, &gpu->ras_uncorrectable, cells.cell[2], false);
        set_pair(parse, cells.cell[3], &gpu->power_w, &gpu->power_cap_w);
    }
    return bdf;
}

static void read_second_row(host_parse_t *parse, const char *bdf, host_span_t left,
                            host_span_t right) {
    host_span_t rest = left, after;
    double index;
    if (!host_number(host_word(&rest), &index, &after) || index < 0 || index > 65535) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, bdf);
    const cells_t cells = cells_of(right);
    if (!gpu) {
        return;
    }
    (void)host_word(&rest);
    (void)host_word(&rest);
    set_modes(parse, host_word(&rest), gpu);
    if (cells.n == 3) {
        host_set_quantity(parse, &gpu->gfx_busy, cells.cell[0], false);
        host_set_quantity(parse, &gpu->fan, cells.cell[1], false);
        set_pair(parse, cells.cell[2], &gpu->vram_used_bytes, &gpu->vram_bytes);
    }
}

/* "|    0      36750  python3.12    2.0 MB    9.3 GB     9.5 GB  N/A |" */
static void read_process(host_parse_t *parse, host_span_t line) {
    const cells_t cells = cells_of(line);
    double index, pid;
    host_span_t rest;
    if (cells.n < 6 || !host_number(cells.cell[0], &index, &rest) || rest.n > 0 ||
        !host_number(cells.cell[1], &pid, &rest) || rest.n > 0 || pid < 0 || pid > 4194304) {
        return;
    }
    assay_host_process_t *process = host_add(parse, process);
    if (process) {
        *process = (assay_host_process_t){
            .pid = (int64_t)pid,
            .name = host_is_missing(cells.cell[2]) ? "" : host_copy(parse, cells.cell[2]),
            .at = host_here(parse)};
        host_set_quantity(parse, &process->vram_bytes, cells.cell[4], true);
    }
}

void host_parse_amd_overview(host_parse_t *parse) {
    const char *bdf = NULL;
    bool processes = false;
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t text = host_trim(line);
        read_versions(parse, text);
        processes |= host_has(text, "Processes:");
        if (!host_starts(text, "| ") || text.n < 4) {
            continue;
        }
        text = (host_span_t){text.s + 1, text.n - 2};
        if (processes) {
            read_process(parse, text);
            continue;
        }
        host_span_t right = text;
        const host_span_t left = host_trim(host_cut(&right, "|"));
        if (bdf) {
            read_second_row(parse, bdf, left, right);
            bdf = NULL;
        } else if (right.n > 0) {
            bdf = read_first_row(parse, left, right);
        }
    }
}

/* --- monitor, partition ---------------------------------------------------------------------- */

#define GPU(field) offsetof(assay_host_gpu_t, field)

static const host_field_t column[] = {
    {"POWER", GPU(power_w), HOST_NUMBER},
    {"PWR_CAP", GPU(power_cap_w), HOST_NUMBER},
    {"GPU_T", GPU(hotspot_c), HOST_NUMBER},
    {"GPU_TEMP", GPU(hotspot_c), HOST_NUMBER},
    {"MEM_T", GPU(mem_c), HOST_NUMBER},
    {"MEM_TEMP", GPU(mem_c), HOST_NUMBER},
    {"GFX_CLK", GPU(gfx_hz), HOST_MEGA},
    {"GFX_CLOCK", GPU(gfx_hz), HOST_MEGA},
    {"MEM_CLOCK", GPU(mem_hz), HOST_MEGA},
    {"GFX%", GPU(gfx_busy), HOST_PERCENT},
    {"GFX_UTIL", GPU(gfx_busy), HOST_PERCENT},
    {"MEM%", GPU(mem_busy), HOST_PERCENT},
    {"MEM_UTIL", GPU(mem_busy), HOST_PERCENT},
    {"XCP", GPU(partition), HOST_NUMBER},
    {"PARTITION_ID", GPU(partition), HOST_NUMBER},
    {"MEMORY", GPU(memory_partition), HOST_TEXT},
    {"ACCELERATOR_TYPE", GPU(compute_partition), HOST_TEXT},
    {"VRAM_USED", GPU(vram_used_bytes), HOST_MEBI},
    {"VRAM_TOTAL", GPU(vram_bytes), HOST_MEBI},
    {"PCIE_REPLAY", GPU(pcie_replays), HOST_NUMBER},
    {"SINGLE_ECC", GPU(ras_correctable), HOST_NUMBER},
    {"DOUBLE_ECC", GPU(ras_uncorrectable), HOST_NUMBER},
};

static void read_columns(host_parse_t *parse, const cells_t *heading, const cells_t *row,
                         uint32_t at) {
    double index;
    host_span_t rest;
    if (!host_number(row->cell[at], &index, &rest) || rest.n > 0 || index < 0 || index > 65535) {
        return;
    }
    assay_host_gpu_t *gpu = host_gpu(parse, ASSAY_VENDOR_AMD, (int64_t)index, NULL);
    for (uint32_t i = 0; gpu && i < heading->n; i++) {
        if (host_is(heading->cell[i], "VRAM_USAGE")) {
            set_pair(parse, row->cell[i], &gpu->vram_used_bytes, &gpu->vram_bytes);
        } else {
            host_field_set(parse, column, sizeof column / sizeof column[0], heading->cell[i],
                           row->cell[i], gpu);
        }
    }
}

void host_parse_amd_monitor(host_parse_t *parse) {
    cells_t heading = {.n = 0};
    uint32_t at = 0;
    for (host_span_t line; host_next_line(parse, &line);) {
        const cells_t cells = cells_of(host_trim(line));
        bool is_heading = false;
        read_versions(parse, line);
        for (uint32_t i = 0; i < cells.n; i++) {
            if (host_is(cells.cell[i], "GPU") || host_is(cells.cell[i], "GPU_ID")) {
                is_heading = true;
                at = i;
            }
        }
        if (is_heading) {
            heading = cells;
        } else if (heading.n > 0 && cells.n == heading.n) {
            read_columns(parse, &heading, &cells, at);
        }
    }
}
