/*
 * Recomputes what can be recomputed in the tables of data/ and lists what disagrees.
 * An error is a figure that cannot be true; a warning deserves a look; a note is a known way in
 * which published figures differ. Status 1 when there is an error.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"
#include "catalog/builtin.h"
#include "catalog/check_figures.h"

#include "base/banned.h"

#define ARENA_BYTES ((size_t)256 << 20)

typedef enum { NOTE, WARNING, ERROR, SEVERITY_N } severity_t;
static const char *const severity_name[SEVERITY_N] = {"note", "warning", "error"};

typedef struct {
    assay_arena_t *arena;
    const assay_catalog_t *catalog;
    catalog_figures_t *figures;
    unsigned count[SEVERITY_N], n_derived;
} check_t;

__attribute__((format(printf, 4, 5))) static void report(check_t *check, severity_t severity,
                                                         const char *id, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("%-7s %s: ", severity_name[severity], id);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    check->count[severity]++;
}

/* Spellings, readings of words, limits of our own: no figures of somebody else. */
static bool holds_no_figures(const char *table) {
    static const char *const name[] = {
        "aliases.csv",           "score_rules.csv", "score_serving_rules.csv",
        "score_image_rules.csv", "ceilings.csv",    "ceilings_serving.csv"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        if (strcmp(table, name[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Every row says where it is from. */
static bool check_sources(check_t *check) {
    for (const assay_builtin_t *table = assay_builtin; table->name; table++) {
        assay_csv_t csv;
        assay_error_t err;
        char line[1024];
        if (holds_no_figures(table->name)) {
            continue;
        }
        if (assay_data_table(check->arena, table->name, NULL, 0, &csv, &err) != ASSAY_OK) {
            report(check, ERROR, table->name, "%s", assay_error_line(&err, line, sizeof line));
            return false;
        }
        const int source = assay_csv_column(&csv, "source");
        if (source < 0) {
            report(check, ERROR, table->name, "has no column 'source'");
        }
        for (uint32_t row = 0; source >= 0 && row < csv.n_rows; row++) {
            if (assay_csv_cell(&csv, row, source)[0] == '\0') {
                report(check, ERROR, table->name, "line %u has no source", csv.line[row]);
            }
        }
    }
    return true;
}

/* The clock of the table is the highest: a peak above it is refused when it is loaded, one below it
   is quoted at another clock or for a slower accumulation. */
static void check_peaks(check_t *check, const assay_accelerator_t *part) {
    for (int dtype = 0; dtype < ASSAY_DT_N; dtype++) {
        const assay_fact_t *peak = &part->peak_flops[dtype];
        const double most = catalog_figures_peak(check->figures, part, (assay_dtype_t)dtype);
        if (!peak->known || !(most > 0.0) || !part->clock_hz.known) {
            continue;
        }
        check->n_derived++;
        if (peak->v / most < 0.99 || peak->v / most > 1.01) {
            report(check, NOTE, part->id, "%s peak is %.3f of units x clock x operations a clock",
                   assay_dtype_name((assay_dtype_t)dtype), peak->v / most);
        }
    }
}

/* Bandwidth = stacks x bits of a stack x rate of a pin, where the rate was read. */
static void check_bandwidth(check_t *check) {
    assay_csv_t csv;
    if (assay_data_table(check->arena, "accelerators.csv", NULL, 0, &csv, NULL) != ASSAY_OK) {
        return;
    }
    const int column[] = {assay_csv_column(&csv, "hbm_stacks"),
                          assay_csv_column(&csv, "mem_pin_gbit_s"),
                          assay_csv_column(&csv, "mem_gb_s")};
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        double value[3];
        bool known = true;
        for (int i = 0; i < 3; i++) {
            const char *cell = assay_csv_cell(&csv, row, column[i]);
            known = known && assay_text_to_double(cell, strlen(cell), &value[i]);
        }
        if (!known) {
            continue;
        }
        check->n_derived++;
        const double ratio = value[2] / (value[0] * 1024.0 * value[1] / 8.0);
        if (fabs(ratio - 1.0) > 0.01) {
            report(check, WARNING, assay_csv_cell(&csv, row, 0),
                   "mem_gb_s is %.3f of stacks x 1024 bit x rate", ratio);
        }
    }
}

static void check_ratio(check_t *check, const char *id, const char *what, const assay_fact_t *a,
                        const assay_fact_t *b, double low, double high) {
    if (a->known && b->known && !(a->v >= low * b->v && a->v <= high * b->v)) {
        report(check, WARNING, id, "%s is %.3g, usual are %g to %g", what, a->v / b->v, low, high);
    }
}

static void check_accelerators(check_t *check) {
    for (uint32_t i = 0; i < check->catalog->n_accelerator; i++) {
        const assay_accelerator_t *part = &check->catalog->accelerator[i];
        const assay_fact_t *peak = part->peak_flops;
        check_peaks(check, part);
        check_ratio(check, part->id, "bf16 over fp16", &peak[ASSAY_DT_BF16], &peak[ASSAY_DT_FP16],
                    0.99, 1.01);
        check_ratio(check, part->id, "fp8 over bf16", &peak[ASSAY_DT_FP8], &peak[ASSAY_DT_BF16],
                    0.99, 2.02);
        check_ratio(check, part->id, "fp4 over fp8", &peak[ASSAY_DT_FP4], &peak[ASSAY_DT_FP8], 0.99,
                    4.05);
        check_ratio(check, part->id, "bf16 over tf32", &peak[ASSAY_DT_BF16], &peak[ASSAY_DT_TF32],
                    0.99, 2.05);
        check_ratio(check, part->id, "times a second that memory is read through",
                    &part->hbm_bytes_per_s, &part->hbm_bytes, 4, 100);
        check_ratio(check, part->id, "bf16 operations per byte of memory traffic",
                    &peak[ASSAY_DT_BF16], &part->hbm_bytes_per_s, 20, 500);
    }
}

/* accelerators.csv counts both directions of a package, fabrics.csv one of a device. */
static void check_link_totals(check_t *check) {
    assay_csv_t csv;
    if (assay_data_table(check->arena, "accelerators.csv", NULL, 0, &csv, NULL) != ASSAY_OK) {
        return;
    }
    const int column = assay_csv_column(&csv, "scaleup_gb_s");
    for (uint32_t i = 0; i < check->catalog->n_fabric; i++) {
        const assay_fabric_t *fabric = &check->catalog->fabric[i];
        const assay_accelerator_t *part = fabric->accelerator;
        const char *cell =
            assay_csv_cell(&csv, (uint32_t)(part - check->catalog->accelerator), column);
        double both;
        if (!assay_text_to_double(cell, strlen(cell), &both) || !fabric->device_bytes_per_s.known ||
            strcmp(fabric->kind, "pcie-tree") == 0) {
            continue;
        }
        /* the links inside a package are not among those that vendors count */
        const double outside =
            fabric->device_bytes_per_s.v -
            (fabric->package_bytes_per_s.known ? fabric->package_bytes_per_s.v : 0.0);
        const double published = 0.5e9 * both / part->devices;
        if (fabs(outside / published - 1.0) > 0.05) {
            report(check, NOTE, fabric->id,
                   "links of a device carry %.4g GB/s, the part is published with %.4g",
                   outside / 1e9, published / 1e9);
        }
    }
}

static double least_row_sum(const assay_fabric_t *fabric) {
    double least = INFINITY;
    for (uint32_t i = 0; i < fabric->devices; i++) {
        double sum = 0.0;
        for (uint32_t j = 0; j < fabric->devices; j++) {
            sum += fabric->pair[(size_t)i * fabric->devices + j];
        }
        least = fmin(least, sum);
    }
    return least;
}

static void check_fabrics(check_t *check) {
    for (uint32_t i = 0; i < check->catalog->n_fabric; i++) {
        const assay_fabric_t *fabric = &check->catalog->fabric[i];
        const assay_fact_t *total = &fabric->device_bytes_per_s;
        double sum = 0.0;
        if (fabric->pair) {
            sum = least_row_sum(fabric);
        } else if (strcmp(fabric->kind, "full-mesh") == 0 && fabric->pair_bytes_per_s.known) {
            sum = (fabric->devices - 1) * fabric->pair_bytes_per_s.v;
        }
        if (sum > 0.0 && total->known && fabs(sum / total->v - 1.0) > 0.005) {
            /* a matrix may hold a share of PCIe beside the links */
            report(check, fabric->pair ? NOTE : WARNING, fabric->id,
                   "links of a device sum to %.4g GB/s, device_gb_s is %.4g", sum / 1e9,
                   total->v / 1e9);
        }
        if (fabric->scaleup_devices > 1 && fabric->scaleup_devices < fabric->devices &&
            strcmp(fabric->kind, "switch") == 0) {
            report(check, WARNING, fabric->id, "the domain of %u is smaller than the node of %u",
                   fabric->scaleup_devices, fabric->devices);
        }
    }
}

static void check_systems(check_t *check) {
    for (uint32_t i = 0; i < check->catalog->n_system; i++) {
        const assay_system_t *server = &check->catalog->system[i];
        const assay_accelerator_t *part = server->accelerator;
        const uint32_t devices = server->packages * part->devices;
        if (server->is_claim) {
            continue;
        }
        if (server->fabric && devices != server->fabric->devices &&
            devices > server->fabric->scaleup_devices) {
            report(check, WARNING, server->id, "%u devices on fabric %s of %u", devices,
                   server->fabric->id, server->fabric->devices);
        }
        if (server->fabric && server->fabric->accelerator->devices != part->devices) {
            report(check, ERROR, server->id, "fabric %s is of packages with %u devices",
                   server->fabric->id, server->fabric->accelerator->devices);
        }
        const assay_fact_t cards = {.v = server->packages * part->price_usd.v,
                                    .known = part->price_usd.known};
        const assay_fact_t watts = {.v = server->packages * part->tdp_w.v,
                                    .known = part->tdp_w.known};
        check_ratio(check, server->id, "price over its accelerators'", &server->capex_usd, &cards,
                    0.7, 2.2);
        check_ratio(check, server->id, "power over its accelerators'", &server->node_w, &watts, 1.1,
                    2.3);
        if (server->capex_usd.known && strcmp(server->capex_date, check->catalog->date) > 0) {
            report(check, ERROR, server->id, "price of %s is newer than the data (%s)",
                   server->capex_date, check->catalog->date);
        }
    }
}

/* Published sizes are rounded to two or three digits. */
static void check_models(check_t *check) {
    for (uint32_t i = 0; i < check->catalog->n_model; i++) {
        const assay_model_t *model = &check->catalog->model[i];
        assay_model_count_t count;
        if (strcmp(model->kind, "decoder-LLM") != 0 || model->params_published <= 0.0) {
            continue;
        }
        assay_model_count(model, &count);
        check->n_derived++;
        const double off = count.total / model->params_published - 1.0;
        if (fabs(off) > 0.02) {
            report(check, fabs(off) > 0.15 ? ERROR : WARNING, model->id,
                   "counts %.4g B parameters, published are %.4g B (%+.1f %%)", count.total / 1e9,
                   model->params_published / 1e9, 100.0 * off);
        }
    }
}

int main(void) {
    assay_error_t err;
    char line[1024];
    int status = 1;
    assay_catalog_t *catalog;
    check_t check = {.arena = assay_arena_create(ARENA_BYTES)};
    if (!check.arena) {
        fprintf(stderr, "data_check: out of memory\n");
        return 1;
    }
    if (!check_sources(&check)) {
        goto destroy_arena;
    }
    if (assay_catalog_load(check.arena, NULL, 0, &catalog, &err) != ASSAY_OK) {
        fprintf(stderr, "data_check: %s\n", assay_error_line(&err, line, sizeof line));
        goto destroy_arena;
    }
    check.catalog = catalog;
    catalog_load_t load = {.arena = check.arena, .today = "9999-12-31", .err = &err};
    if (catalog_figures_load(&load, &check.figures) != ASSAY_OK) {
        fprintf(stderr, "data_check: %s\n", assay_error_line(&err, line, sizeof line));
        goto destroy_arena;
    }
    for (uint32_t i = 0; i < catalog->n_warning; i++) {
        report(&check, WARNING, "prices", "%s", catalog->warning[i]);
    }
    check_accelerators(&check);
    check_fabrics(&check);
    check_bandwidth(&check);
    check_link_totals(&check);
    check_systems(&check);
    check_models(&check);
    printf("%u figures derived again; %u errors, %u warnings, %u notes\n", check.n_derived,
           check.count[ERROR], check.count[WARNING], check.count[NOTE]);
    status = check.count[ERROR] > 0;

destroy_arena:
    assay_arena_destroy(check.arena);
    return status;
}
