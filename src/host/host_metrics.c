/* Layouts of gpu_metrics, from Linux' kgd_pp_interface.h. The revision alone does not tell the
   layout: 1.6 exists in three sizes. Revision 1.9 describes itself. */
#include "host/host_metrics.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

static const double scale[HOST_METRIC_N] = {
#define SCALE(field, to_si) [HOST_METRIC_##field] = to_si,
    HOST_METRIC_LIST(SCALE)
#undef SCALE
};

/* One field: where it is, its bytes, how many there are (the largest counts). */
typedef struct {
    uint8_t metric, bytes, n;
    uint16_t offset;
} place_t;
#define AT(field, offset, bytes) \
    { HOST_METRIC_##field, bytes, 1, offset }
#define ARRAY(field, offset, bytes, n) \
    { HOST_METRIC_##field, bytes, n, offset }

static const place_t v1_0[] = {
    AT(edge, 16, 2),     AT(hotspot, 18, 2),       AT(mem, 20, 2),       AT(gfx_busy, 28, 2),
    AT(mem_busy, 30, 2), AT(power_average, 34, 2), AT(gfx_clock, 54, 2), AT(mem_clock, 58, 2),
    AT(throttle, 68, 4), AT(pcie_width, 74, 1),    AT(pcie_speed, 75, 1)};

/* The unit of the energy counter differs between the parts that have these. */
static const place_t v1_1[] = {
    AT(edge, 4, 2),      AT(hotspot, 6, 2),        AT(mem, 8, 2),        AT(gfx_busy, 16, 2),
    AT(mem_busy, 18, 2), AT(power_average, 22, 2), AT(gfx_clock, 54, 2), AT(mem_clock, 58, 2),
    AT(throttle, 68, 4), AT(pcie_width, 74, 2),    AT(pcie_speed, 76, 2)};

static const place_t v1_4[] = {AT(hotspot, 4, 2),     AT(mem, 6, 2),
                               AT(power_now, 10, 2),  AT(gfx_busy, 12, 2),
                               AT(mem_busy, 14, 2),   AT(energy, 24, 8),
                               AT(throttle, 40, 4),   AT(pcie_width, 48, 2),
                               AT(pcie_speed, 50, 2), AT(xgmi_width, 52, 2),
                               AT(xgmi_speed, 54, 2), AT(recoveries, 80, 8),
                               AT(replays, 88, 8),    ARRAY(gfx_clock, 240, 2, 8),
                               AT(mem_clock, 280, 2)};

static const place_t v1_5[] = {
    AT(hotspot, 4, 2),           AT(mem, 6, 2),          AT(power_now, 10, 2),
    AT(gfx_busy, 12, 2),         AT(mem_busy, 14, 2),    AT(energy, 88, 8),
    AT(throttle, 104, 4),        AT(pcie_width, 112, 2), AT(pcie_speed, 114, 2),
    AT(xgmi_width, 116, 2),      AT(xgmi_speed, 118, 2), AT(recoveries, 144, 8),
    AT(replays, 152, 8),         AT(naks_sent, 168, 4),  AT(naks_received, 172, 4),
    ARRAY(gfx_clock, 312, 2, 8), AT(mem_clock, 352, 2)};

/* Before partitions had blocks of their own: activities of the engines stand in front. */
static const place_t v1_6_engines[] = {
    AT(hotspot, 4, 2),           AT(mem, 6, 2),          AT(power_now, 10, 2),
    AT(gfx_busy, 12, 2),         AT(mem_busy, 14, 2),    AT(energy, 88, 8),
    AT(accumulation, 104, 4),    AT(prochot, 108, 4),    AT(ppt, 112, 4),
    AT(socket_thermal, 116, 4),  AT(vr_thermal, 120, 4), AT(hbm_thermal, 124, 4),
    AT(throttle, 128, 4),        AT(pcie_width, 136, 2), AT(pcie_speed, 138, 2),
    AT(xgmi_width, 140, 2),      AT(xgmi_speed, 142, 2), AT(recoveries, 168, 8),
    AT(replays, 176, 8),         AT(naks_sent, 192, 4),  AT(naks_received, 196, 4),
    ARRAY(gfx_clock, 336, 2, 8), AT(mem_clock, 376, 2)};

static const place_t v1_6[] = {AT(hotspot, 4, 2),
                               AT(mem, 6, 2),
                               AT(power_now, 10, 2),
                               AT(gfx_busy, 12, 2),
                               AT(mem_busy, 14, 2),
                               AT(energy, 16, 8),
                               AT(accumulation, 32, 4),
                               AT(prochot, 36, 4),
                               AT(ppt, 40, 4),
                               AT(socket_thermal, 44, 4),
                               AT(vr_thermal, 48, 4),
                               AT(hbm_thermal, 52, 4),
                               AT(pcie_width, 60, 2),
                               AT(pcie_speed, 62, 2),
                               AT(xgmi_width, 64, 2),
                               AT(xgmi_speed, 66, 2),
                               AT(recoveries, 96, 8),
                               AT(replays, 104, 8),
                               AT(naks_sent, 120, 4),
                               AT(naks_received, 124, 4),
                               ARRAY(gfx_clock, 264, 2, 8),
                               AT(mem_clock, 304, 2)};

static const place_t v1_7[] = {AT(hotspot, 4, 2),
                               AT(mem, 6, 2),
                               AT(power_now, 10, 2),
                               AT(gfx_busy, 12, 2),
                               AT(mem_busy, 14, 2),
                               AT(energy, 24, 8),
                               AT(accumulation, 40, 4),
                               AT(prochot, 44, 4),
                               AT(ppt, 48, 4),
                               AT(socket_thermal, 52, 4),
                               AT(vr_thermal, 56, 4),
                               AT(hbm_thermal, 60, 4),
                               AT(pcie_width, 68, 2),
                               AT(pcie_speed, 70, 2),
                               AT(xgmi_width, 72, 2),
                               AT(xgmi_speed, 74, 2),
                               AT(recoveries, 104, 8),
                               AT(replays, 112, 8),
                               AT(naks_sent, 128, 4),
                               AT(naks_received, 132, 4),
                               ARRAY(links_up, 264, 2, 8),
                               ARRAY(gfx_clock, 296, 2, 8),
                               AT(mem_clock, 336, 2),
                               AT(partitions, 338, 2)};

#define LAYOUT(table) table, sizeof table / sizeof table[0]
static const struct {
    uint8_t format, content;
    uint16_t size;
    const place_t *place;
    size_t n;
} layout[] = {
    {1, 0, 80, LAYOUT(v1_0)},   {1, 1, 96, LAYOUT(v1_1)},          {1, 2, 104, LAYOUT(v1_1)},
    {1, 3, 120, LAYOUT(v1_1)},  {1, 4, 288, LAYOUT(v1_4)},         {1, 5, 360, LAYOUT(v1_5)},
    {1, 6, 312, LAYOUT(v1_6)},  {1, 6, 384, LAYOUT(v1_6_engines)}, {1, 6, 1664, LAYOUT(v1_6)},
    {1, 7, 2208, LAYOUT(v1_7)}, {1, 8, 3872, LAYOUT(v1_7)}};

static uint64_t little(host_span_t bytes, size_t at, size_t n) {
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)(unsigned char)bytes.s[at + i] << (8 * i);
    }
    return value;
}

/* All ones say that there is no value. */
static bool is_none(uint64_t value, size_t bytes) {
    return value == (bytes == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1);
}

/* n values of one field: of clocks the fastest, of links how many are up. */
static void take(host_span_t bytes, size_t at, size_t size, uint32_t n, host_metric_t metric,
                 host_metrics_t *out) {
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t raw = little(bytes, at + i * size, size);
        /* Of links also 2: not available, as in virtual functions. */
        if (is_none(raw, size) || (metric == HOST_METRIC_links_up && raw > 1)) {
            continue;
        }
        if (metric == HOST_METRIC_links_up) {
            double *up = &out->value[HOST_METRIC_links_up],
                   *down = &out->value[HOST_METRIC_links_down];
            *up = (isnan(*up) ? 0 : *up) + (raw != 0);
            *down = (isnan(*down) ? 0 : *down) + (raw == 0);
            continue;
        }
        const double value = (double)raw * scale[metric];
        if (isnan(out->value[metric]) || value > out->value[metric]) {
            out->value[metric] = value;
        }
    }
}

/* --- revision 1.9 ---------------------------------------------------------------------------- */

/* Its attributes' ids, as far as they are read; others are stepped over. */
static const struct {
    uint16_t id;
    uint8_t metric;
} attribute[] = {{0, HOST_METRIC_hotspot},      {1, HOST_METRIC_mem},
                 {3, HOST_METRIC_power_now},    {4, HOST_METRIC_gfx_busy},
                 {5, HOST_METRIC_mem_busy},     {7, HOST_METRIC_energy},
                 {9, HOST_METRIC_accumulation}, {10, HOST_METRIC_prochot},
                 {11, HOST_METRIC_ppt},         {12, HOST_METRIC_socket_thermal},
                 {13, HOST_METRIC_vr_thermal},  {14, HOST_METRIC_hbm_thermal},
                 {16, HOST_METRIC_pcie_width},  {17, HOST_METRIC_pcie_speed},
                 {18, HOST_METRIC_xgmi_width},  {19, HOST_METRIC_xgmi_speed},
                 {24, HOST_METRIC_recoveries},  {25, HOST_METRIC_replays},
                 {27, HOST_METRIC_naks_sent},   {28, HOST_METRIC_naks_received},
                 {31, HOST_METRIC_links_up},    {33, HOST_METRIC_gfx_clock},
                 {37, HOST_METRIC_mem_clock},   {38, HOST_METRIC_partitions}};

/* A count, then for each attribute 8 bytes (id, type, number of values) and its values, packed. */
static bool decode_attributes(host_span_t bytes, host_metrics_t *out) {
    enum { TYPES = 8, HEAD = 8 };
    static const uint8_t type_bytes[TYPES] = {1, 1, 2, 2, 4, 4, 8, 8};
    size_t at = 8;
    const uint64_t n_attribute = little(bytes, 4, 4);
    for (uint64_t k = 0; k < n_attribute; k++) {
        if (at + HEAD > bytes.n) {
            return false;
        }
        const uint64_t code = little(bytes, at, HEAD);
        const uint32_t id = (uint32_t)(code >> 10 & 0x3ff), n = (uint32_t)(code & 0x3ff),
                       type = (uint32_t)(code >> 20 & 0xf);
        at += HEAD;
        if (type >= TYPES || (size_t)n * type_bytes[type] > bytes.n - at) {
            return false;
        }
        for (size_t i = 0; i < sizeof attribute / sizeof attribute[0]; i++) {
            if (attribute[i].id == id) {
                take(bytes, at, type_bytes[type], n, (host_metric_t)attribute[i].metric, out);
            }
        }
        at += (size_t)n * type_bytes[type];
    }
    return true;
}

/* --- tables ---------------------------------------------------------------------------------- */

bool host_metrics_is(host_span_t bytes) {
    return bytes.n >= 8 && little(bytes, 0, 2) == bytes.n && bytes.s[2] >= 1 && bytes.s[2] <= 3 &&
           bytes.s[3] >= 0 && bytes.s[3] < 32;
}

bool host_metrics_decode(host_span_t bytes, host_metrics_t *out) {
    if (!host_metrics_is(bytes)) {
        return false;
    }
    *out = (host_metrics_t){.format = (uint8_t)bytes.s[2], .content = (uint8_t)bytes.s[3]};
    for (size_t i = 0; i < HOST_METRIC_N; i++) {
        out->value[i] = (double)NAN;
    }
    if (out->format == 1 && out->content == 9) {
        return decode_attributes(bytes, out);
    }
    for (size_t i = 0; i < sizeof layout / sizeof layout[0]; i++) {
        if (layout[i].format != out->format || layout[i].content != out->content ||
            layout[i].size != bytes.n) {
            continue;
        }
        for (size_t k = 0; k < layout[i].n; k++) {
            const place_t *place = &layout[i].place[k];
            take(bytes, place->offset, place->bytes, place->n, (host_metric_t)place->metric, out);
        }
        return true;
    }
    return false;
}

void host_metrics_set(host_parse_t *parse, const host_metrics_t *metrics, assay_host_gpu_t *gpu) {
    const struct {
        host_metric_t metric;
        assay_host_number_t *fact;
    } row[] = {{HOST_METRIC_edge, &gpu->edge_c},
               {HOST_METRIC_hotspot, &gpu->hotspot_c},
               {HOST_METRIC_mem, &gpu->mem_c},
               {HOST_METRIC_power_now, &gpu->power_w},
               {HOST_METRIC_power_average, &gpu->power_w},
               {HOST_METRIC_gfx_busy, &gpu->gfx_busy},
               {HOST_METRIC_mem_busy, &gpu->mem_busy},
               {HOST_METRIC_energy, &gpu->energy_j},
               {HOST_METRIC_gfx_clock, &gpu->gfx_hz},
               {HOST_METRIC_mem_clock, &gpu->mem_hz},
               {HOST_METRIC_throttle, &gpu->throttle_bits},
               {HOST_METRIC_pcie_width, &gpu->pcie_width},
               {HOST_METRIC_pcie_speed, &gpu->pcie_gt_s},
               {HOST_METRIC_xgmi_width, &gpu->xgmi_width},
               {HOST_METRIC_xgmi_speed, &gpu->xgmi_gt_s},
               {HOST_METRIC_recoveries, &gpu->pcie_recoveries},
               {HOST_METRIC_replays, &gpu->pcie_replays},
               {HOST_METRIC_links_up, &gpu->xgmi_links_up},
               {HOST_METRIC_links_down, &gpu->xgmi_links_down}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        host_set_number(parse, row[i].fact, metrics->value[row[i].metric]); /* not NAN */
    }
    host_set_number(parse, &gpu->pcie_naks,
                    metrics->value[HOST_METRIC_naks_sent] +
                        metrics->value[HOST_METRIC_naks_received]);
}

/* Of counters of 32 bits that have run over. */
static double difference(double before, double after) {
    return after >= before ? after - before : after - before + 4294967296.0;
}

void host_metrics_set_delta(host_parse_t *parse, const host_metrics_t *before,
                            const host_metrics_t *after, double seconds, assay_host_gpu_t *gpu) {
    const struct {
        host_metric_t metric;
        assay_host_number_t *fact;
    } row[] = {{HOST_METRIC_accumulation, &gpu->sample_ticks},
               {HOST_METRIC_prochot, &gpu->prochot_ticks},
               {HOST_METRIC_ppt, &gpu->power_ticks},
               {HOST_METRIC_socket_thermal, &gpu->thermal_ticks},
               {HOST_METRIC_vr_thermal, &gpu->vr_ticks},
               {HOST_METRIC_hbm_thermal, &gpu->hbm_ticks},
               {HOST_METRIC_replays, &gpu->pcie_replays_new}};
    if (before->format != after->format || before->content != after->content) {
        return;
    }
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const double from = before->value[row[i].metric], to = after->value[row[i].metric];
        if (!isnan(from) && !isnan(to)) {
            host_set_number(parse, row[i].fact, difference(from, to));
        }
    }
    if (seconds > 0) {
        host_set_number(parse, &gpu->sample_s, seconds);
    }
}
