/* Reads data/measured into rows that name the catalog's parts. */
#include "calibration_fit.h"

#include <string.h>

#include "assay/csv.h"
#include "assay/text.h"

#define MEASURED_MAX_BYTES ((size_t)64 << 20)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Names in the measurements. variant: how accel_variant starts, "" = any. */
static const struct {
    const char *name, *variant, *id, *fabric;
} part[] = {
    {"A100", "SXM4 40GB", "nvidia-a100-sxm4-40g", "hgx-a100-8"},
    {"A100", "PCIe", "nvidia-a100-pcie-80g", "a100-pcie"},
    {"A100", "", "nvidia-a100-sxm4-80g", "hgx-a100-8"},
    {"H100", "", "nvidia-h100-sxm5-80g", "hgx-h100-8"},
    {"H200", "", "nvidia-h200-sxm-141g", "hgx-h200-8"},
    {"B200", "", "nvidia-b200-sxm-180g", "hgx-b200-8"},
    {"B300", "", "nvidia-b300-sxm-270g", "hgx-b300-8"},
    {"GB200", "", "nvidia-gb200-nvl72-186g", "gb200-nvl72"},
    {"GB300", "", "nvidia-gb300-nvl72-279g", "gb300-nvl72"},
    {"A100 SXM", "", "nvidia-a100-sxm4-80g", NULL},
    {"A100 PCIe", "", "nvidia-a100-pcie-80g", NULL},
    {"H100 SXM", "", "nvidia-h100-sxm5-80g", NULL},
    {"H200 SXM", "", "nvidia-h200-sxm-141g", NULL},
    {"GH200 SXM", "", "nvidia-gh200-144g", NULL},
    {"B200 SXM", "", "nvidia-b200-sxm-180g", NULL},
    {"B300 SXM", "", "nvidia-b300-sxm-270g", NULL},
    {"GB200 SXM", "", "nvidia-gb200-nvl72-186g", NULL},
    {"Gaudi 2", "", "intel-gaudi2-96g", NULL},
    {"Gaudi 3", "", "intel-gaudi3-128g", NULL},
    {"GH200", "96GB", "nvidia-gh200-96g", "gh200-1"},
    {"L40S", "", "nvidia-l40s-48g", "8x-l40s"},
    {"RTX PRO 6000 Blackwell Server", "", "nvidia-rtx-pro-6000-bse-96g", "8x-rtx-pro-6000"},
    {"MI210", "", "amd-mi210-64g", "4x-mi210-bridge"},
    {"MI250 (one GCD)", "", "amd-mi250-128g", "4x-mi250-oam-b"},
    {"MI250X (one GCD)", "", "amd-mi250x-128g", "frontier-node"},
    {"MI250X", "GCDs", "amd-mi250x-128g", "frontier-node"},
    {"MI250X", "one GCD", "amd-mi250x-128g", "frontier-node"},
    {"MI300A", "", "amd-mi300a-128g", "4x-mi300a"},
    {"MI300X", "CPX", NULL, NULL}, /* partitions: another machine */
    {"MI300X", "", "amd-mi300x-192g", "8x-mi300x-oam"},
    {"MI325X", "", "amd-mi325x-256g", "8x-mi325x-oam"},
    {"MI350X", "", "amd-mi350x-288g", "8x-mi350x-oam"},
    {"MI355X", "", "amd-mi355x-288g", "8x-mi355x-oam"},
    {"TPU v7x (Ironwood)", "", "google-tpu-v7", NULL},
    {"TPU v6e (Trillium)", "", "google-tpu-v6e", NULL},
    {"TPU v6e", "", "google-tpu-v6e", NULL},
    {"V100", "SXM2 32GB", "nvidia-v100-sxm2-32g", NULL},
};

/* dtypes of gemm.csv. cast_*: what aiconfigurator's collector times in front of the GEMM, bytes per
   element of A: fp8 reads bf16 for the maximum (2) and again to convert (2 + 1); nvfp4 once. */
static const struct {
    const char *name;
    assay_dtype_t dtype;
    double input_bytes, output_bytes, cast_bytes, cast_kernels;
} precision[] = {
    {"bfloat16", ASSAY_DT_BF16, 2, 2, 0, 0},
    {"bf16", ASSAY_DT_BF16, 2, 2, 0, 0},
    {"bf16 (out bf16)", ASSAY_DT_BF16, 2, 2, 0, 0},
    {"bf16 (out fp32)", ASSAY_DT_BF16, 2, 8, 0, 0}, /* accumulates: C is read and written */
    {"16-bit (not stated which)", ASSAY_DT_BF16, 2, 2, 0, 0},
    {"fp16", ASSAY_DT_FP16, 2, 2, 0, 0},
    {"fp8", ASSAY_DT_FP8, 1, 2, 5, 2},
    {"fp8_e4m3", ASSAY_DT_FP8, 1, 2, 0, 0},
    {"nvfp4", ASSAY_DT_FP4, 0.5625, 2, 2.5625, 1},
    {"fp4", ASSAY_DT_FP4, 0.5625, 2, 0, 0},
    {"fp8 block-scaled (1x128 activations, 128x128 weights)", ASSAY_DT_FP8, 1, 2, 0, 0},
    {"fp8 per-token", ASSAY_DT_FP8, 1, 2, 0, 0},
    {"int8 per-token", ASSAY_DT_INT8, 1, 2, 0, 0},
};

/* Id prefixes: the best shape of a search over shapes; the fastest kernel of a search. */
#define BEST_PREFIX "GMAMF"
#define TUNED_PREFIX "GAITR"

/* NICs of the systems whose collectives cross nodes; id prefix of the rows. */
static const struct {
    const char *prefix, *name, *network;
    double nic_bytes_per_s;
} cluster[] = {
    {"CSTAS", "B200", "efa", 400e9},         {"CISSU", "A100", "efa", 50e9},
    {"CLUMI", "MI250X", "slingshot", 100e9}, {"CBLOM", "A100", "opa", 50e9},
    {"CISS2", "A100", "roce", 100e9},
};

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct {
    assay_arena_t *arena;
    const assay_catalog_t *catalog;
    assay_error_t err;
} context_t;

static assay_status_t read_csv(context_t *c, const char *directory, const char *name,
                               assay_csv_t *out) {
    char *data = NULL;
    size_t size = 0;
    const char *path = assay_arena_printf(c->arena, "%s/%s", directory, name);
    if (path == NULL) {
        return ASSAY_MEMORY;
    }
    const assay_status_t status =
        assay_file_read(c->arena, path, MEASURED_MAX_BYTES, &data, &size, &c->err);
    return status != ASSAY_OK ? status : assay_csv_parse(c->arena, path, data, size, out, &c->err);
}

static const char *text(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

/* 0 when the cell is empty or no number. */
static double number(const assay_csv_t *csv, uint32_t row, const char *column) {
    const char *cell = text(csv, row, column);
    double value = 0.0;
    return assay_text_to_double(cell, strlen(cell), &value) ? value : 0.0;
}

static bool starts(const char *text_, const char *prefix) {
    return strncmp(text_, prefix, strlen(prefix)) == 0;
}

static bool suspect(const assay_csv_t *csv, uint32_t row) {
    return strstr(text(csv, row, "notes"), "SUSPECT") != NULL;
}

/* The catalog's accelerator and fabric of a row, or NULL. */
static const assay_accelerator_t *part_of(const context_t *c, const assay_csv_t *csv, uint32_t row,
                                          const assay_fabric_t **out_fabric) {
    for (size_t i = 0; i < COUNT(part); i++) {
        if (strcmp(text(csv, row, "accelerator"), part[i].name) != 0 ||
            !starts(text(csv, row, "accel_variant"), part[i].variant)) {
            continue;
        }
        *out_fabric = NULL;
        for (uint32_t f = 0; f < c->catalog->n_fabric && part[i].fabric != NULL; f++) {
            if (strcmp(c->catalog->fabric[f].id, part[i].fabric) == 0) {
                *out_fabric = &c->catalog->fabric[f];
            }
        }
        for (uint32_t a = 0; a < c->catalog->n_accelerator && part[i].id != NULL; a++) {
            if (strcmp(c->catalog->accelerator[a].id, part[i].id) == 0) {
                return &c->catalog->accelerator[a];
            }
        }
        return NULL;
    }
    return NULL;
}

static size_t precision_of(const assay_csv_t *csv, uint32_t row) {
    size_t p = 0;
    while (p < COUNT(precision) && strcmp(text(csv, row, "dtype"), precision[p].name) != 0) {
        p++;
    }
    return p;
}

static bool read_best(const context_t *c, const assay_csv_t *csv, uint32_t row, best_row_t *out) {
    const assay_fabric_t *fabric;
    const size_t p = precision_of(csv, row);
    if (!starts(text(csv, row, "id"), BEST_PREFIX) || p == COUNT(precision)) {
        return false;
    }
    *out = (best_row_t){.accelerator = part_of(c, csv, row, &fabric), .dtype = precision[p].dtype};
    if (out->accelerator == NULL || !out->accelerator->peak_flops[out->dtype].known) {
        return false;
    }
    out->share =
        number(csv, row, "achieved_tflops") * 1e12 / out->accelerator->peak_flops[out->dtype].v;
    return out->share > 0.0;
}

static bool read_gemm(const context_t *c, const assay_csv_t *csv, uint32_t row, gemm_row_t *out) {
    const assay_fabric_t *fabric;
    const char *id = text(csv, row, "id");
    const size_t p = precision_of(csv, row);
    *out = (gemm_row_t){.id = id, .accelerator = part_of(c, csv, row, &fabric)};
    if (starts(id, BEST_PREFIX) || p == COUNT(precision) || out->accelerator == NULL ||
        suspect(csv, row) || !out->accelerator->peak_flops[precision[p].dtype].known) {
        return false;
    }
    const double m = number(csv, row, "m"), n = number(csv, row, "n"), k = number(csv, row, "k");
    const double tflops = number(csv, row, "achieved_tflops");
    const double latency_us = number(csv, row, "latency_us");
    if (!(m > 0.0 && n > 0.0 && k > 0.0) || !(tflops > 0.0 || latency_us > 0.0)) {
        return false;
    }
    out->gemm = (assay_gemm_t){.m = m,
                               .n = n,
                               .k = k,
                               .batch = 1,
                               .dtype = precision[p].dtype,
                               .bytes_a = precision[p].input_bytes,
                               .bytes_b = precision[p].input_bytes,
                               .bytes_c = precision[p].output_bytes};
    out->tuned = starts(id, TUNED_PREFIX);
    if (starts(id, "GAICG")) {
        out->cast_bytes = precision[p].cast_bytes * m * k;
        out->cast_kernels = precision[p].cast_kernels;
    }
    out->elapsed_s = latency_us > 0.0 ? latency_us * 1e-6 : 2.0 * m * n * k / (tflops * 1e12);
    return true;
}

static bool read_collective(const context_t *c, const assay_csv_t *csv, uint32_t row,
                            collective_row_t *out) {
    static const struct {
        const char *name;
        assay_collective_t kind;
        double passes;
    } collective[] = {{"all_reduce", ASSAY_COLL_ALL_REDUCE, 2.0},
                      {"reduce_scatter", ASSAY_COLL_REDUCE_SCATTER, 1.0},
                      {"all_gather", ASSAY_COLL_ALL_GATHER, 1.0},
                      {"alltoall", ASSAY_COLL_ALL_TO_ALL, 1.0}};
    const char *id = text(csv, row, "id"), *name = text(csv, row, "accelerator");
    size_t k = 0;
    while (k < COUNT(collective) && strcmp(text(csv, row, "collective"), collective[k].name) != 0) {
        k++;
    }
    *out = (collective_row_t){.network = "", .stride = 1, .source = text(csv, row, "source")};
    out->accelerator = part_of(c, csv, row, &out->fabric);
    out->bytes = number(csv, row, "message_bytes");
    out->ranks = (uint32_t)number(csv, row, "ranks");
    out->nodes = (uint32_t)number(csv, row, "nodes");
    const double bus = number(csv, row, "busbw_GBps") * 1e9, us = number(csv, row, "time_us");
    /* kernels of one inference engine, of a test, or of an emulated library are no NCCL or RCCL */
    const char *library = text(csv, row, "library");
    if (k == COUNT(collective) || out->accelerator == NULL || out->fabric == NULL ||
        suspect(csv, row) || starts(library, "vLLM") || starts(library, "MSCCL") ||
        !(out->bytes > 0.0) || out->ranks < 2 || out->nodes < 1 || !(bus > 0.0 || us > 0.0)) {
        return false;
    }
    out->kind = collective[k].kind;
    out->elapsed_s =
        us > 0.0 ? us * 1e-6
                 : collective[k].passes * (out->ranks - 1.0) / out->ranks * out->bytes / bus;
    if (out->nodes == 1) {
        return out->ranks <= out->fabric->devices;
    }
    if (out->ranks == out->nodes) {
        out->stride = out->fabric->devices; /* one member a node, all devices in such groups */
    }
    for (size_t i = 0; i < COUNT(cluster); i++) {
        if (starts(id, cluster[i].prefix) && strcmp(name, cluster[i].name) == 0) {
            out->network = cluster[i].network;
            out->nic_bytes_per_s = cluster[i].nic_bytes_per_s;
            return true;
        }
    }
    return false;
}

static bool read_stream(const context_t *c, const assay_csv_t *csv, uint32_t row,
                        stream_row_t *out) {
    const assay_fabric_t *fabric;
    const char *metric = text(csv, row, "metric");
    out->accelerator = part_of(c, csv, row, &fabric);
    const double unit = strcmp(text(csv, row, "unit"), "TB/s") == 0 ? 1e12 : 1e9;
    /* a reduction ("Dot") is no stream; a Julia program is not a tuned kernel */
    if (out->accelerator == NULL || suspect(csv, row) || strcmp(metric, "HBM bandwidth") != 0 ||
        strstr(text(csv, row, "test"), "Dot") != NULL || !out->accelerator->hbm_bytes_per_s.known) {
        return false;
    }
    out->share = number(csv, row, "achieved") * unit / out->accelerator->hbm_bytes_per_s.v;
    return out->share > 0.0;
}

static assay_status_t read_tables(context_t *c, const char *directory, measured_t *out) {
    assay_csv_t gemm, collective, stream;
    assay_status_t status = read_csv(c, directory, "gemm.csv", &gemm);
    if (status == ASSAY_OK) {
        status = read_csv(c, directory, "collectives.csv", &collective);
    }
    if (status == ASSAY_OK) {
        status = read_csv(c, directory, "membw.csv", &stream);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    out->gemm = assay_arena_array(c->arena, gemm.n_rows, sizeof *out->gemm);
    out->best = assay_arena_array(c->arena, gemm.n_rows, sizeof *out->best);
    out->collective = assay_arena_array(c->arena, collective.n_rows, sizeof *out->collective);
    out->stream = assay_arena_array(c->arena, stream.n_rows, sizeof *out->stream);
    if (out->gemm == NULL || out->best == NULL || out->collective == NULL || out->stream == NULL) {
        return assay_error_set(&c->err, ASSAY_MEMORY, NULL, "no memory for the measurements");
    }
    for (uint32_t r = 0; r < gemm.n_rows; r++) {
        out->n_gemm += read_gemm(c, &gemm, r, &out->gemm[out->n_gemm]);
        out->n_best += read_best(c, &gemm, r, &out->best[out->n_best]);
    }
    for (uint32_t r = 0; r < collective.n_rows; r++) {
        out->n_collective +=
            read_collective(c, &collective, r, &out->collective[out->n_collective]);
    }
    for (uint32_t r = 0; r < stream.n_rows; r++) {
        out->n_stream += read_stream(c, &stream, r, &out->stream[out->n_stream]);
    }
    return ASSAY_OK;
}

assay_status_t fit_read(assay_arena_t *arena, const assay_catalog_t *catalog, const char *directory,
                        measured_t *out, assay_error_t *err) {
    context_t c = {.arena = arena, .catalog = catalog};
    memset(out, 0, sizeof *out);
    const assay_status_t status = read_tables(&c, directory, out);
    *err = c.err;
    return status;
}
