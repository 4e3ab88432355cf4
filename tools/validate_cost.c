/*
 * Holds the cost engine to published costs: what owners pay for a GPU-hour, and what training runs
 * cost. usage: validate_cost DATA_DIR. Exit codes as validate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/csv.h"
#include "assay/money.h"
#include "assay/text.h"

#define TABLE_BYTES ((size_t)64 << 20)
#define COMMITTED_3Y 0.56        /* Epoch's DEFAULT_CUD: off the price on demand */
#define TRAINING_WACC 0.10       /* data/defaults.csv */
#define NETWORK_SHARE 0.19       /* Epoch */
#define DRAW_OVER_NAMEPLATE 0.75 /* Epoch: GPU servers in training */
#define DEFAULT_MFU 0.375        /* Epoch: median of 33 runs */
#define PUE_TRAINING 1.25        /* data/defaults.csv */
#define USD_PER_KWH 0.0826       /* data/defaults.csv */

typedef struct {
    assay_arena_t *arena;
    const char *dir;
    assay_error_t err;
} tool_t;

static assay_status_t read_table(tool_t *tool, const char *name, assay_csv_t *out) {
    char path[4096], *data;
    size_t size;
    snprintf(path, sizeof path, "%s/%s", tool->dir, name);
    const char *kept = assay_arena_strdup(tool->arena, path);
    const assay_status_t status =
        assay_file_read(tool->arena, kept, TABLE_BYTES, &data, &size, &tool->err);
    return status ? status : assay_csv_parse(tool->arena, kept, data, size, out, &tool->err);
}

static const char *cell(const assay_csv_t *table, uint32_t row, const char *column) {
    return assay_csv_cell(table, row, assay_csv_column(table, column));
}

/* NAN: empty. */
static double number(const assay_csv_t *table, uint32_t row, const char *column) {
    const char *text = cell(table, row, column);
    double value;
    return assay_text_to_double(text, strlen(text), &value) ? value : (double)NAN;
}

static uint32_t find_row(const assay_csv_t *table, const char *column, const char *key) {
    uint32_t row = 0;
    while (row < table->n_rows && strcmp(cell(table, row, column), key) != 0) {
        row++;
    }
    return row;
}

static double keyed(const assay_csv_t *table, const char *key) {
    const uint32_t row = find_row(table, "key", key);
    return row < table->n_rows ? number(table, row, "value") : (double)NAN;
}

/* One accelerator with its share of everything, every hour used: USD a useful hour. */
static double hour_usd(double capex_usd, double years, double rate, double kw, double network_share,
                       double usd_per_kw_month, double usd_per_kwh, double pue) {
    assay_money_case_t c = {.owned = true,
                            .nodes = 2, /* a network joins them */
                            .racks = 1,
                            .job_h = 1,
                            .epochs = 1,
                            .node_w = 1000 * kw,
                            .capex_usd = capex_usd,
                            .years = years,
                            .rate = rate,
                            .utilisation = 1};
    for (int d = 0; d < ASSAY_DRAW_OPTION; d++) {
        c.central[d] = d <= ASSAY_DRAW_RESIDUAL ? 1 : 0;
    }
    c.central[ASSAY_DRAW_ELECTRICITY] = usd_per_kwh;
    c.central[ASSAY_DRAW_PUE] = pue;
    c.central[ASSAY_DRAW_OF(NETWORK_SHARE)] = network_share;
    c.central[ASSAY_DRAW_OF(COLOCATION)] = usd_per_kw_month;
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        c.draw[d] = assay_dist_fixed(c.central[d]);
    }
    assay_money_result_t result;
    assay_money_eval(&c, NULL, &result);
    return result.node_h_usd;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- owners ---- */

static assay_status_t owners(tool_t *tool, double *out_max, double *out_median) {
    enum { CELLS_MAX = 64 };
    static const char *const class_name[] = {"hyperscaler", "neocloud"};
    assay_csv_t table, fitted;
    double error[CELLS_MAX];
    uint32_t n = 0;
    assay_status_t status = read_table(tool, "measured/owner_cost.csv", &table);
    if (!status) {
        status = read_table(tool, "calibrated_cost.csv", &fitted);
    }
    if (status) {
        return status;
    }
    printf("%-26s %-12s %10s %10s %8s\n", "accelerator", "owner", "published", "engine", "error");
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const char *of = cell(&table, row, "capex_of");
        const uint32_t from = *of ? find_row(&table, "accelerator", of) : row;
        const double price = from < table.n_rows ? number(&table, from, "capex_usd") : (double)NAN;
        const double capex = price * (*of ? keyed(&fitted, "unpriced_factor") : 1);
        for (int k = 0; k < 2 && n < CELLS_MAX; k++) {
            char key[64];
            snprintf(key, sizeof key, "wacc_%s", class_name[k]);
            const double rate = keyed(&fitted, key);
            snprintf(key, sizeof key, "site_%s", class_name[k]);
            const double site = keyed(&fitted, key);
            snprintf(key, sizeof key, "%s_usd_h", class_name[k]);
            const double published = number(&table, row, key);
            const double usd = hour_usd(capex, keyed(&fitted, "life_years"), rate,
                                        number(&table, row, "utility_kw"), 0, site, USD_PER_KWH, 1);
            if (!isfinite(usd) || !isfinite(published)) {
                return assay_error_set(&tool->err, ASSAY_INPUT, NULL, "a figure of %s is missing",
                                       cell(&table, row, "accelerator"));
            }
            error[n] = fabs(usd / published - 1);
            printf("%-26s %-12s %10.2f %10.2f %+7.1f%%\n", cell(&table, row, "accelerator"),
                   class_name[k], published, usd, 100 * (usd / published - 1));
            n++;
        }
    }
    qsort(error, n, sizeof *error, compare_doubles);
    *out_max = n ? error[n - 1] : (double)NAN;
    *out_median = n ? 0.5 * (error[(n - 1) / 2] + error[n / 2]) : (double)NAN;
    return ASSAY_OK;
}

/* ---- training runs ---- */

/* A run that does not say: the part that most runs of its years used. */
static const char *usual_hardware(int year) {
    return year <= 2017   ? "NVIDIA Tesla K80"
           : year <= 2020 ? "NVIDIA V100"
           : year <= 2022 ? "NVIDIA A100"
                          : "NVIDIA H100 SXM5 80GB";
}

/* Useful life by year, as Epoch counts it. */
static double life_of(int year) {
    return year <= 2020 ? 3 : year <= 2022 ? 4 : 5;
}

/* NAN: cannot be costed. */
static double run_usd(const assay_csv_t *runs, uint32_t row, const assay_csv_t *hardware) {
    const int year = (int)strtol(cell(runs, row, "published"), NULL, 10);
    const char *name = cell(runs, row, "hardware");
    const uint32_t h = find_row(hardware, "hardware", *name ? name : usual_hardware(year));
    if (h == hardware->n_rows) {
        return (double)NAN;
    }
    double hours = number(runs, row, "chip_hours");
    if (isnan(hours)) {
        hours = number(runs, row, "chips") * number(runs, row, "hours");
    }
    if (isnan(hours)) {
        const double mfu = number(runs, row, "utilization");
        hours = number(runs, row, "training_flop") / 3600 /
                (number(hardware, h, "peak_flops") * (isnan(mfu) ? DEFAULT_MFU : mfu));
    }
    const double rent = number(hardware, h, "rent_usd_h");
    if (!isnan(rent)) {
        return hours * rent * (1 - COMMITTED_3Y);
    }
    const double kw = number(hardware, h, "tdp_w") * number(hardware, h, "server_power_over_tdp") *
                      DRAW_OVER_NAMEPLATE / 1000;
    const double capex = number(hardware, h, "price_usd") * number(hardware, h, "server_over_chip");
    return hours * hour_usd(capex, life_of(year), TRAINING_WACC, kw, NETWORK_SHARE, 0, USD_PER_KWH,
                            PUE_TRAINING);
}

static assay_status_t training(tool_t *tool, double *out_outside) {
    static const char *const column[] = {"cloud_rental_usd", "hardware_acquisition_usd",
                                         "amortised_hw_plus_energy_usd", "updated_amortised_usd"};
    assay_csv_t runs, hardware;
    uint32_t n = 0, inside = 0;
    assay_status_t status = read_table(tool, "measured/training_cost.csv", &runs);
    if (!status) {
        status = read_table(tool, "measured/training_hardware.csv", &hardware);
    }
    if (status) {
        return status;
    }
    printf("\n%-28s %12s %12s %12s\n", "outside", "lowest", "highest", "engine");
    for (uint32_t row = 0; row < runs.n_rows; row++) {
        double low = INFINITY, high = 0;
        int known = 0;
        for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
            const double usd = number(&runs, row, column[k]);
            if (!isnan(usd)) {
                known++;
                low = fmin(low, usd);
                high = fmax(high, usd);
            }
        }
        if (known < 2) {
            continue;
        }
        const double usd = run_usd(&runs, row, &hardware);
        n++;
        if (usd >= low && usd <= high) {
            inside++;
        } else {
            printf("%-28.28s %12.0f %12.0f %12.0f\n", cell(&runs, row, "model"), low, high, usd);
        }
    }
    printf("%u of %u training runs lie between their lowest and highest published cost\n\n", inside,
           n);
    *out_outside = n ? 1 - (double)inside / n : (double)NAN;
    return ASSAY_OK;
}

static assay_status_t compare(tool_t *tool, const double value[3], uint32_t *out_above) {
    static const char *const name[] = {"owner_max_abs_rel_error", "owner_median_abs_rel_error",
                                       "training_outside_share"};
    assay_csv_t ceilings;
    const assay_status_t status = read_table(tool, "ceilings_cost.csv", &ceilings);
    *out_above = 0;
    if (status) {
        return status;
    }
    printf("%-52s %10s %10s\n", "metric", "value", "ceiling");
    for (int k = 0; k < 3; k++) {
        const uint32_t row = find_row(&ceilings, "metric", name[k]);
        const double ceiling =
            row < ceilings.n_rows ? number(&ceilings, row, "ceiling") : (double)NAN;
        if (isnan(ceiling)) {
            return assay_error_set(&tool->err, ASSAY_INPUT, NULL, "no ceiling of %s", name[k]);
        }
        const bool above = !(value[k] <= ceiling);
        *out_above += above;
        printf("%-52s %10.4f %10.4f%s\n", name[k], value[k], ceiling, above ? "  ABOVE" : "");
    }
    return ASSAY_OK;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: validate_cost DATA_DIR\n", stderr);
        return 2;
    }
    tool_t tool = {.arena = assay_arena_create((size_t)1 << 28), .dir = argv[1]};
    if (!tool.arena) {
        fputs("validate_cost: out of memory\n", stderr);
        return assay_status_exit_code(ASSAY_MEMORY);
    }
    double value[3];
    uint32_t above = 0;
    assay_status_t status = owners(&tool, &value[0], &value[1]);
    if (!status) {
        status = training(&tool, &value[2]);
    }
    if (!status) {
        status = compare(&tool, value, &above);
    }
    if (status) {
        char line[1200];
        fprintf(stderr, "validate_cost: %s\n", assay_error_line(&tool.err, line, sizeof line));
    }
    assay_arena_destroy(tool.arena);
    return status ? assay_status_exit_code(status) : above > 0;
}
