/* CSV of tools: rocm-smi, nvidia-smi queries, rocprof's statistics. */
#include <stdlib.h>
#include <string.h>

#include "assay/csv.h"
#include "assay/text.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define GPU(field) offsetof(assay_host_gpu_t, field)

/* Fields of nvidia-smi --query-gpu; the heading may carry the unit: "power.draw [W]". */
static const host_field_t query_field[] = {
    {"name", GPU(name), HOST_TEXT},
    {"persistence_mode", GPU(persistence), HOST_FLAG},
    {"mig.mode.current", GPU(mig), HOST_FLAG},
    {"mig.mode.pending", GPU(mig_pending), HOST_FLAG},
    {"utilization.gpu", GPU(gfx_busy), HOST_PERCENT},
    {"utilization.memory", GPU(mem_busy), HOST_PERCENT},
    {"memory.total", GPU(vram_bytes), HOST_MEBI},
    {"memory.used", GPU(vram_used_bytes), HOST_MEBI},
    {"temperature.gpu", GPU(hotspot_c), HOST_NUMBER},
    {"temperature.memory", GPU(mem_c), HOST_NUMBER},
    {"power.draw", GPU(power_w), HOST_NUMBER},
    {"power.limit", GPU(power_cap_w), HOST_NUMBER},
    {"power.default_limit", GPU(power_cap_default_w), HOST_NUMBER},
    {"power.max_limit", GPU(power_cap_max_w), HOST_NUMBER},
    {"power.min_limit", GPU(power_cap_min_w), HOST_NUMBER},
    {"clocks.sm", GPU(gfx_hz), HOST_MEGA},
    {"clocks.current.sm", GPU(gfx_hz), HOST_MEGA},
    {"clocks.max.sm", GPU(gfx_hz_max), HOST_MEGA},
    {"clocks.applications.graphics", GPU(gfx_hz_lock), HOST_MEGA},
    {"clocks.default_applications.graphics", GPU(gfx_hz_default), HOST_MEGA},
    {"clocks_event_reasons.sw_power_cap", GPU(slow_power), HOST_FLAG},
    {"clocks_event_reasons.hw_thermal_slowdown", GPU(slow_thermal), HOST_FLAG},
    {"clocks_event_reasons.sw_thermal_slowdown", GPU(slow_thermal_soft), HOST_FLAG},
    {"clocks_event_reasons.hw_power_brake_slowdown", GPU(slow_brake), HOST_FLAG},
    {"clocks_throttle_reasons.sw_power_cap", GPU(slow_power), HOST_FLAG},
    {"clocks_throttle_reasons.hw_thermal_slowdown", GPU(slow_thermal), HOST_FLAG},
    {"clocks_throttle_reasons.sw_thermal_slowdown", GPU(slow_thermal_soft), HOST_FLAG},
    {"clocks_throttle_reasons.hw_power_brake_slowdown", GPU(slow_brake), HOST_FLAG},
    {"pcie.link.width.current", GPU(pcie_width), HOST_NUMBER},
    {"pcie.link.width.max", GPU(pcie_width_max), HOST_NUMBER},
    {"compute_cap", GPU(target), HOST_TEXT},
    {"remapped_rows.pending", GPU(remapped_pending), HOST_FLAG},
    {"remapped_rows.failure", GPU(remapped_failed), HOST_FLAG},
    {"retired_pages.pending", GPU(retired_pending), HOST_FLAG},
};

/* Statistics of rocprof: the share of each call or kernel. */
static bool read_statistics(host_parse_t *parse, const assay_csv_t *csv) {
    const int name = assay_csv_column(csv, "Name"), calls = assay_csv_column(csv, "Calls"),
              total = assay_csv_column(csv, "TotalDurationNs"),
              share = assay_csv_column(csv, "Percentage");
    if (name < 0 || calls < 0 || total < 0 || share < 0) {
        return false;
    }
    const char *table = strstr(parse->name, "hip_api")  ? "hip_api"
                        : strstr(parse->name, "kernel") ? "kernel"
                                                        : "other";
    for (uint32_t i = 0; i < csv->n_rows; i++) {
        double value[3];
        const int column[3] = {calls, total, share};
        bool good = true;
        for (size_t c = 0; c < 3; c++) {
            const char *cell = assay_csv_cell(csv, i, column[c]);
            good &= assay_text_to_double(cell, strlen(cell), &value[c]);
        }
        parse->line = parse->first + csv->line[i];
        const char *copy = good ? host_copy(parse, host_span(assay_csv_cell(csv, i, name))) : NULL;
        assay_host_profile_t *profile = copy ? host_add(parse, profile) : NULL;
        if (profile) {
            *profile = (assay_host_profile_t){.table = table,
                                              .name = copy,
                                              .calls = value[0],
                                              .total_s = value[1] * 1e-9,
                                              .share = value[2] * 0.01,
                                              .at = host_here(parse)};
        }
    }
    return true;
}

/* Counters of rocprof that are a percentage of time. */
static const char *const percentage[] = {"VALUBusy", "VALUUtilization", "MemUnitBusy", "SALUBusy"};
#define PERCENTAGES (sizeof percentage / sizeof percentage[0])

typedef struct {
    double sum, weight, n;
    uint32_t row; /* the first */
} mean_t;

static double cell_number(const assay_csv_t *csv, uint32_t row, int column, double otherwise) {
    double value;
    const char *cell = column >= 0 ? assay_csv_cell(csv, row, column) : "";
    return assay_text_to_double(cell, strlen(cell), &value) ? value : otherwise;
}

/* How long a dispatch took: its weight in the mean of all; 1 where that is not told. */
static double duration(const assay_csv_t *csv, uint32_t row) {
    const int begin = assay_csv_column(csv, "Start_Timestamp"),
              end = assay_csv_column(csv, "End_Timestamp"),
              length = assay_csv_column(csv, "DurationNs");
    const double ns = length >= 0 ? cell_number(csv, row, length, 0)
                                  : cell_number(csv, row, end, 0) - cell_number(csv, row, begin, 0);
    return ns > 0 ? ns : 1;
}

/* A column a counter and a line a dispatch (rocprof), or a line a counter and dispatch
   (rocprofv3: Counter_Name, Counter_Value). */
static bool read_counters(host_parse_t *parse, const assay_csv_t *csv) {
    const int name = assay_csv_column(csv, "Counter_Name"),
              value = assay_csv_column(csv, "Counter_Value");
    mean_t mean[PERCENTAGES] = {0};
    bool any = name >= 0 && value >= 0;
    for (size_t c = 0; c < PERCENTAGES; c++) {
        const int column = assay_csv_column(csv, percentage[c]);
        any |= column >= 0;
        for (uint32_t i = 0; i < csv->n_rows; i++) {
            const bool own = name >= 0 && value >= 0
                                 ? strcmp(assay_csv_cell(csv, i, name), percentage[c]) == 0
                                 : column >= 0;
            const double percent = own ? cell_number(csv, i, name >= 0 ? value : column, -1) : -1;
            if (percent >= 0 && percent <= 100) {
                const double weight = duration(csv, i);
                mean[c].row = mean[c].n > 0 ? mean[c].row : i;
                mean[c].sum += weight * percent;
                mean[c].weight += weight;
                mean[c].n++;
            }
        }
        assay_host_profile_t *profile = mean[c].n > 0 ? host_add(parse, profile) : NULL;
        if (profile) {
            parse->line = parse->first + csv->line[mean[c].row];
            *profile = (assay_host_profile_t){.table = "counter",
                                              .name = percentage[c],
                                              .calls = mean[c].n,
                                              .share = 0.01 * mean[c].sum / mean[c].weight,
                                              .at = host_here(parse)};
        }
    }
    return any;
}

/* One device a row: its number or address, and what the headings say. */
static void read_device(host_parse_t *parse, const assay_csv_t *csv, uint32_t row, int number,
                        int address, bool query) {
    double index = -1;
    host_span_t rest;
    host_span_t cell = host_trim(host_span(assay_csv_cell(csv, row, number)));
    if (host_starts(cell, "card")) {
        cell = (host_span_t){cell.s + 4, cell.n - 4};
    }
    if (!host_number(cell, &index, &rest) || index < 0 || index > 65535) {
        index = -1;
    }
    const char *bdf = host_bdf(parse, host_span(assay_csv_cell(csv, row, address)));
    if (index < 0 && !bdf) {
        return;
    }
    parse->line = parse->first + csv->line[row];
    assay_host_gpu_t *gpu =
        host_gpu(parse, query ? ASSAY_VENDOR_NVIDIA : ASSAY_VENDOR_AMD, (int64_t)index, bdf);
    for (uint32_t c = 0; gpu && c < csv->n_columns; c++) {
        const host_span_t value = host_span(assay_csv_cell(csv, row, (int)c));
        host_span_t key = host_trim(host_span(csv->header[c]));
        if (query) {
            key = host_trim(host_cut(&key, "["));
            host_field_set(parse, query_field, sizeof query_field / sizeof query_field[0], key,
                           value, gpu);
        } else {
            (void)(host_rocm_smi_set(parse, key, value, gpu) ||
                   host_amd_smi_set(parse, key, value, gpu));
        }
    }
}

static int column_of(const assay_csv_t *csv, const char *const *name, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const int column = assay_csv_column(csv, name[i]);
        if (column >= 0) {
            return column;
        }
    }
    return -1;
}

void host_parse_csv(host_parse_t *parse) {
    static const char *const number[] = {"device", "gpu", "index"};
    static const char *const address[] = {"pci.bus_id", " pci.bus_id", "PCI Bus", "bdf"};
    assay_csv_t csv;
    assay_error_t err;
    const assay_status_t status =
        assay_csv_parse(parse->scratch, parse->file, parse->rest.s, parse->rest.n, &csv, &err);
    if (status != ASSAY_OK) {
        parse->source->reason = assay_arena_strdup(parse->arena, err.what);
        return;
    }
    if (read_statistics(parse, &csv) || read_counters(parse, &csv)) {
        return;
    }
    const int by_number = column_of(&csv, number, sizeof number / sizeof number[0]),
              by_address = column_of(&csv, address, sizeof address / sizeof address[0]);
    if (by_number < 0 && by_address < 0) {
        parse->source->reason = "a table of a kind that is not known";
        return;
    }
    bool query = by_number >= 0 && strcmp(csv.header[by_number], "index") == 0;
    query |= by_address >= 0 && strstr(csv.header[by_address], "pci.bus_id") != NULL;
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        read_device(parse, &csv, row, by_number, by_address, query);
    }
}
