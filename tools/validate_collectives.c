/*
 * Holds predicted times of collectives to data/measured/collectives.csv.
 * usage: validate_collectives DIRECTORY CEILINGS.csv
 *
 * Prints the median of |ln(measured/predicted)| by fabric, collective and decade of the message,
 * then of what was left out of the fit: each part, each source, each network. Exit: 0 every ceiling
 * holds, 1 one does not, 2 input.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/text.h"
#include "calibration_fit.h"

#define ARENA_BYTES ((size_t)1 << 30)
#define TABLE_BYTES ((size_t)1 << 20)
#define LARGE_BYTES 1e6
#define KEYS_MAX 64u
#define METRICS_MAX 64u

typedef struct {
    char name[96];
    double value;
} metric_t;

typedef struct {
    const assay_calibration_t *calibration;
    measured_t measured;
    metric_t metric[METRICS_MAX];
    uint32_t n_metric;
} tool_t;

static const char *const kind_name[ASSAY_COLL_N] = {[ASSAY_COLL_ALL_REDUCE] = "all-reduce",
                                                    [ASSAY_COLL_REDUCE_SCATTER] = "reduce-scatter",
                                                    [ASSAY_COLL_ALL_GATHER] = "all-gather",
                                                    [ASSAY_COLL_ALL_TO_ALL] = "all-to-all"};

static const char *key_of(const collective_row_t *row, const char *by, char *room, size_t size) {
    if (strcmp(by, "collective") == 0) {
        return kind_name[row->kind];
    }
    if (strcmp(by, "part") == 0) {
        return row->accelerator->id;
    }
    if (strcmp(by, "source") == 0) {
        return row->source;
    }
    if (strcmp(by, "network") == 0) {
        return row->network;
    }
    if (strcmp(by, "fabric") == 0) {
        (void)snprintf(room, size, "%s%s%s", row->fabric->id, row->network[0] ? " over " : "",
                       row->network);
    } else if (strcmp(by, "bytes") == 0) {
        (void)snprintf(room, size, "1e%.0f", floor(log10(row->bytes)));
    } else {
        return "all";
    }
    return room;
}

/* Median over the rows of a key, of at least that size; 0 rows: nothing. */
static void report(tool_t *tool, const char *what, const char *by, const char *key, double least,
                   const double *ln_error) {
    static double error[ROWS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < tool->measured.n_collective && n < ROWS_MAX; i++) {
        char room[96];
        const collective_row_t *row = &tool->measured.collective[i];
        if (isfinite(ln_error[i]) && row->bytes >= least &&
            strcmp(key_of(row, by, room, sizeof room), key) == 0) {
            error[n++] = fabs(ln_error[i]);
        }
    }
    if (n == 0 || tool->n_metric == METRICS_MAX) {
        return;
    }
    metric_t *metric = &tool->metric[tool->n_metric++];
    (void)snprintf(metric->name, sizeof metric->name, "%s%s%s%s%s", what,
                   strcmp(by, "all") ? "@" : "", strcmp(by, "all") ? by : "",
                   strcmp(by, "all") ? "=" : "", strcmp(by, "all") ? key : "");
    metric->value = fit_quantile(error, n, 0.5);
    printf("| %s | %s | %u | %.3f | %.3f |\n", what, strcmp(by, "all") ? key : "all rows", n,
           metric->value, fit_quantile(error, n, 0.9));
}

/* Distinct keys, in the order of the rows. */
static uint32_t keys(const tool_t *tool, const char *by, char out[KEYS_MAX][96]) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < tool->measured.n_collective && n < KEYS_MAX; i++) {
        char room[96];
        const char *key = key_of(&tool->measured.collective[i], by, room, sizeof room);
        uint32_t k = 0;
        while (k < n && strcmp(out[k], key) != 0) {
            k++;
        }
        if (k == n) {
            (void)snprintf(out[n++], sizeof out[0], "%s", key);
        }
    }
    return n;
}

static void report_by(tool_t *tool, const char *by, double least, const char *what,
                      const double *ln_error) {
    char key[KEYS_MAX][96];
    const uint32_t n = keys(tool, by, key);
    for (uint32_t k = 0; k < n; k++) {
        report(tool, what, by, key[k], least, ln_error);
    }
}

/* What was derived of a scope goes into a machine. */
static bool impose(const derived_list_t *list, const char *scope, assay_machine_t *machine) {
    bool any = false;
    for (uint32_t i = 0; i < list->n; i++) {
        if (strcmp(list->item[i].scope, scope) == 0) {
            fit_set(&machine->device, list->item[i].id, list->item[i].value);
            any = true;
        }
    }
    return any;
}

/* The constants of everybody, of what the first letters of the name say. */
static void impose_general(const tool_t *tool, const char *prefix, assay_machine_t *machine) {
    static const char *const scope[] = {"*", NULL};
    for (int id = 0; id < ASSAY_CALIB_N; id++) {
        if (strncmp(assay_calib_name((assay_calib_id_t)id), prefix, strlen(prefix)) == 0) {
            fit_set(
                &machine->device, (assay_calib_id_t)id,
                assay_calibration_get(tool->calibration, (assay_calib_id_t)id, scope, ASSAY_DT_N)
                    .v);
        }
    }
}

/* Rows of each key predicted with constants that were fitted without them: those of the part where
   other rows of it remain, else of its kind of fabric; of a network the general ones. */
static void leave_out(const tool_t *tool, const char *by, double *out_ln_error) {
    static derived_list_t list;
    static collective_row_t kept[ROWS_MAX];
    char key[KEYS_MAX][96];
    const bool of_network = strcmp(by, "network") == 0;
    const uint32_t n = keys(tool, by, key);
    for (uint32_t i = 0; i < tool->measured.n_collective; i++) {
        out_ln_error[i] = NAN;
    }
    for (uint32_t k = 0; k < n; k++) {
        measured_t rest = tool->measured;
        rest.collective = kept;
        rest.n_collective = 0;
        char room[96];
        for (uint32_t i = 0; i < tool->measured.n_collective; i++) {
            const collective_row_t *row = &tool->measured.collective[i];
            if (strcmp(key_of(row, by, room, sizeof room), key[k]) != 0) {
                kept[rest.n_collective++] = *row;
            }
        }
        for (uint32_t i = 0; i < tool->measured.n_collective; i++) {
            const collective_row_t *row = &tool->measured.collective[i];
            if (!isnan(out_ln_error[i]) ||
                strcmp(key_of(row, by, room, sizeof room), key[k]) != 0 ||
                (row->network[0] != '\0') != of_network) {
                continue;
            }
            assay_machine_t machine = fit_machine(tool->calibration, row);
            if (of_network) {
                impose_general(tool, "network_", &machine);
            } else {
                list.n = 0;
                fit_fabric(&rest, tool->calibration, row->accelerator->id, &list);
                fit_fabric(&rest, tool->calibration, row->fabric->kind, &list);
                impose_general(tool, "fabric_", &machine);
                (void)impose(&list, row->fabric->kind, &machine);
                (void)impose(&list, row->accelerator->id, &machine);
            }
            /* the fit is that of every row of the key and part */
            for (uint32_t j = i; j < tool->measured.n_collective; j++) {
                const collective_row_t *other = &tool->measured.collective[j];
                if (isnan(out_ln_error[j]) && other->accelerator == row->accelerator &&
                    other->fabric == row->fabric && strcmp(other->network, row->network) == 0 &&
                    strcmp(key_of(other, by, room, sizeof room), key[k]) == 0) {
                    assay_machine_t same = fit_machine(tool->calibration, other);
                    same.device = machine.device;
                    out_ln_error[j] = fit_collective_error(&same, other);
                }
            }
        }
    }
}

static assay_status_t check(const tool_t *tool, assay_arena_t *arena, const char *path,
                            bool *out_above, assay_error_t *err) {
    char *data;
    size_t size;
    assay_csv_t csv;
    assay_status_t status = assay_file_read(arena, path, TABLE_BYTES, &data, &size, err);
    status = status ? status : assay_csv_parse(arena, path, data, size, &csv, err);
    for (uint32_t r = 0; status == ASSAY_OK && r < csv.n_rows; r++) {
        const char *name = assay_csv_cell(&csv, r, assay_csv_column(&csv, "metric"));
        const char *text = assay_csv_cell(&csv, r, assay_csv_column(&csv, "ceiling"));
        double ceiling;
        uint32_t i = 0;
        while (i < tool->n_metric && strcmp(tool->metric[i].name, name) != 0) {
            i++;
        }
        if (i == tool->n_metric || !assay_text_to_double(text, strlen(text), &ceiling)) {
            const assay_place_t at = assay_csv_place(&csv, r);
            return assay_error_set(err, ASSAY_INPUT, &at, "no metric is called '%s', or no number",
                                   name);
        }
        const bool above = !(tool->metric[i].value <= ceiling);
        *out_above |= above;
        printf("%s %.3f, ceiling %.3f%s\n", name, tool->metric[i].value, ceiling,
               above ? "  ABOVE" : "");
    }
    return status;
}

static void run(tool_t *tool) {
    static double ln_error[ROWS_MAX];
    for (uint32_t i = 0; i < tool->measured.n_collective; i++) {
        const assay_machine_t machine =
            fit_machine(tool->calibration, &tool->measured.collective[i]);
        ln_error[i] = fit_collective_error(&machine, &tool->measured.collective[i]);
    }
    printf(
        "| collectives | of | rows | median of abs ln | p90 |\n| --- | --- | --- | --- | --- |\n");
    report(tool, "error", "all", "all", 0, ln_error);
    report(tool, "error_from_1_mb", "all", "all", LARGE_BYTES, ln_error);
    report_by(tool, "fabric", 0, "error", ln_error);
    report_by(tool, "collective", 0, "error", ln_error);
    report_by(tool, "bytes", 0, "error", ln_error);
    static const char *const by[] = {"part", "source", "network"};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "left_out_%s", by[i]);
        leave_out(tool, by[i], ln_error);
        report(tool, what, "all", "all", 0, ln_error);
    }
}

int main(int argc, char **argv) {
    static tool_t tool;
    assay_arena_t *arena = assay_arena_create(ARENA_BYTES);
    assay_error_t err = {0};
    assay_catalog_t *catalog = NULL;
    assay_calibration_t *calibration = NULL;
    bool above = false;
    if (argc != 3 || !arena) {
        fputs("usage: validate_collectives DIRECTORY CEILINGS.csv\n", stderr);
        return 2;
    }
    assay_status_t status = assay_catalog_load(arena, NULL, 0, &catalog, &err);
    status = status ? status : assay_calibration_load(arena, NULL, 0, &calibration, &err);
    status = status ? status : fit_read(arena, catalog, argv[1], &tool.measured, &err);
    if (!status && tool.measured.n_collective > ROWS_MAX) {
        status = assay_error_set(&err, ASSAY_INPUT, NULL, "more than %d collectives", ROWS_MAX);
    }
    if (!status) {
        tool.calibration = calibration;
        run(&tool);
        status = check(&tool, arena, argv[2], &above, &err);
    }
    if (status) {
        char line[1024];
        fprintf(stderr, "validate_collectives: %s\n", assay_error_line(&err, line, sizeof line));
    }
    assay_arena_destroy(arena);
    return status ? 2 : above;
}
