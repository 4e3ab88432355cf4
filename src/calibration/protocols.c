#include "calibration/protocols.h"

#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

#define TABLE "collective_protocols.csv"
#define US 1e-6
#define MOST_US 1e6
#define MOST_RATE 10.0
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const algorithm_name[] = {
#define NAME(code, name) name,
    ASSAY_ALGORITHM_LIST(NAME)};
static const char *const protocol_name[] = {ASSAY_PROTOCOL_LIST(NAME)
#undef NAME
};

const char *assay_algorithm_name(assay_algorithm_t algorithm) {
    return algorithm_name[algorithm];
}

const char *assay_protocol_name(assay_protocol_t protocol) {
    return protocol_name[protocol];
}

enum column {
    LIBRARY,
    VENDOR,
    ARCH,
    FABRIC,
    NODES,
    ALGORITHM,
    PROTOCOL,
    BASE,
    HOP,
    NETWORK_HOP,
    RATE,
    NETWORK_RATE,
    SOURCE,
    N_COLUMN
};
static const char *const column_name[N_COLUMN] = {
    "library", "vendor", "arch",           "fabric", "nodes",        "algorithm", "protocol",
    "base_us", "hop_us", "network_hop_us", "rate",   "network_rate", "source"};

static assay_status_t refuse(const assay_place_t *at, const char *const *cell, enum column column,
                             const char *expected, assay_error_t *err) {
    (void)assay_error_set(err, ASSAY_INPUT, at, "%s is '%s', expected %s", column_name[column],
                          cell[column], expected);
    assay_error_next(err, "correct the row; data/README.md describes the table");
    return ASSAY_INPUT;
}

/* Index of a word, or n. */
static uint32_t word(const char *text, const char *const *name, uint32_t n) {
    uint32_t i = 0;
    while (i < n && strcmp(text, name[i]) != 0) {
        i++;
    }
    return i;
}

/* Where a way does not go (inside, or between nodes) its cells are empty: 0. */
static assay_status_t read_numbers(const assay_place_t *at, const char *const *cell,
                                   assay_way_t *way, assay_error_t *err) {
    const struct {
        enum column column;
        double *value, most, unit;
    } number[] = {{BASE, &way->base_s, MOST_US, US},
                  {HOP, &way->hop_s, MOST_US, US},
                  {NETWORK_HOP, &way->network_hop_s, MOST_US, US},
                  {RATE, &way->rate, MOST_RATE, 1},
                  {NETWORK_RATE, &way->network_rate, MOST_RATE, 1}};
    for (size_t i = 0; i < COUNT(number); i++) {
        const char *text = cell[number[i].column];
        double value = 0;
        if (text[0] && (!assay_text_to_double(text, strlen(text), &value) || !(value >= 0) ||
                        value > number[i].most)) {
            return refuse(at, cell, number[i].column, "a number of at least 0, or nothing", err);
        }
        *number[i].value = value * number[i].unit;
    }
    if (!(way->rate > 0) && !(way->network_rate > 0)) {
        return refuse(at, cell, RATE, "a rate inside a node, or one between nodes", err);
    }
    return ASSAY_OK;
}

static assay_status_t read_row(const assay_place_t *at, const char *const *cell,
                               protocol_row_t *row, assay_error_t *err) {
    static const char *const nodes[] = {"any", "one", "many"};
    const uint32_t algorithm = word(cell[ALGORITHM], algorithm_name, ASSAY_ALGORITHM_N);
    const uint32_t protocol = word(cell[PROTOCOL], protocol_name, ASSAY_PROTOCOL_N);
    const uint32_t where = word(cell[NODES], nodes, COUNT(nodes));
    if (algorithm == ASSAY_ALGORITHM_N) {
        return refuse(at, cell, ALGORITHM, "ring, tree, nvls, nvls-tree, pat or direct", err);
    }
    if (protocol == ASSAY_PROTOCOL_N) {
        return refuse(at, cell, PROTOCOL, "LL, LL128 or Simple", err);
    }
    if (where == COUNT(nodes)) {
        return refuse(at, cell, NODES, "any, one or many", err);
    }
    if (!cell[SOURCE][0]) {
        return refuse(at, cell, SOURCE, "where the figures are from", err);
    }
    *row = (protocol_row_t){.library = cell[LIBRARY],
                            .vendor = cell[VENDOR],
                            .arch = cell[ARCH],
                            .fabric = cell[FABRIC],
                            .way = {.algorithm = (uint8_t)algorithm,
                                    .protocol = (uint8_t)protocol,
                                    .one_node = where != 2,
                                    .many_nodes = where != 1}};
    return read_numbers(at, cell, &row->way, err);
}

assay_status_t protocols_load(assay_arena_t *arena, const char *const *dir, uint32_t n_dir,
                              protocols_t *out, assay_error_t *err) {
    assay_csv_t csv;
    assay_status_t status = assay_data_table(arena, TABLE, dir, n_dir, &csv, err);
    if (status != ASSAY_OK) {
        return status;
    }
    out->row = assay_arena_array(arena, csv.n_rows, sizeof *out->row);
    if (!out->row) {
        return assay_error_set(err, ASSAY_MEMORY, NULL, "no memory for " TABLE);
    }
    int column[N_COLUMN];
    for (uint32_t i = 0; i < N_COLUMN; i++) {
        column[i] = assay_csv_column(&csv, column_name[i]);
    }
    for (uint32_t r = 0; r < csv.n_rows; r++) {
        const char *cell[N_COLUMN];
        for (uint32_t i = 0; i < N_COLUMN; i++) {
            cell[i] = assay_csv_cell(&csv, r, column[i]);
        }
        const assay_place_t at = assay_csv_place(&csv, r);
        status = read_row(&at, cell, &out->row[r], err);
        if (status != ASSAY_OK) {
            return status;
        }
    }
    out->n = csv.n_rows;
    assay_way_t way[ASSAY_WAYS_MAX];
    if (protocols_select(out, "", "", "", way) == 0) {
        const assay_place_t at = {TABLE, 0, 0};
        return assay_error_set(err, ASSAY_INPUT, &at,
                               "no row for any vendor, architecture and fabric");
    }
    return ASSAY_OK;
}

/* list: words joined by |, or * */
static bool fits(const char *list, const char *text) {
    const size_t length = strlen(text);
    if (strcmp(list, "*") == 0) {
        return true;
    }
    for (const char *at = list; at; at = strchr(at, '|'), at += at ? 1 : 0) {
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || !at[length])) {
            return true;
        }
    }
    return false;
}

uint32_t protocols_select(const protocols_t *protocols, const char *vendor, const char *arch,
                          const char *fabric, assay_way_t out_way[ASSAY_WAYS_MAX]) {
    uint32_t n = 0;
    const char *library = NULL; /* that of the first row that fits: no mixture of two */
    for (uint32_t i = 0; i < protocols->n && n < ASSAY_WAYS_MAX; i++) {
        const protocol_row_t *row = &protocols->row[i];
        bool known = library && strcmp(library, row->library) != 0;
        for (uint32_t k = 0; k < n && !known; k++) {
            known = out_way[k].algorithm == row->way.algorithm &&
                    out_way[k].protocol == row->way.protocol;
        }
        if (!known && fits(row->vendor, vendor) && fits(row->arch, arch) &&
            fits(row->fabric, fabric)) {
            library = row->library;
            out_way[n++] = row->way;
        }
    }
    return n;
}

const char *protocols_library(const protocols_t *protocols, const char *vendor) {
    const char *library = "";
    for (uint32_t i = 0; i < protocols->n && !library[0]; i++) {
        library = fits(protocols->row[i].vendor, vendor) ? protocols->row[i].library : "";
    }
    return library;
}
