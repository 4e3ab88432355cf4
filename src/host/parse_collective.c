/* nccl-tests and rccl-tests, and the RAS report of NCCL and RCCL. */
#include <math.h>
#include <string.h>

#include "host/host_parse.h"

#include "base/banned.h"

/* Bus bandwidth over algorithm bandwidth of an operation among n ranks, as nccl-tests counts it
   (doc/PERFORMANCE.md there); 0: not known. */
static double bus_factor(const char *operation, uint32_t n) {
    const double ranks = n;
    return n < 2                                  ? 0
           : strcmp(operation, "all_reduce") == 0 ? 2 * (ranks - 1) / ranks
           : strcmp(operation, "all_gather") == 0 || strcmp(operation, "reduce_scatter") == 0 ||
                   strcmp(operation, "alltoall") == 0
               ? (ranks - 1) / ranks
               : 0;
}

/* The operation that a name or a line speaks of; NULL: none. */
static const char *operation_in(host_span_t text) {
    static const char *const name[] = {"all_reduce", "all_gather", "reduce_scatter", "alltoall",
                                       "broadcast",  "sendrecv",   "reduce"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        if (host_has(text, name[i])) {
            return name[i];
        }
    }
    return NULL;
}

static void add_row(host_parse_t *parse, const char *operation, uint32_t ranks, double bytes,
                    double time_us, double algorithm, double bus) {
    /* Columns differ between versions: a row counts only when its numbers fit each other. */
    const double factor = bus_factor(operation, ranks);
    if (factor > 0 && fabs(bus - algorithm * factor) > 0.02 * fabs(bus) + 0.02) {
        return;
    }
    assay_host_collective_t *row = host_add(parse, collective);
    if (row) {
        *row = (assay_host_collective_t){.operation = operation,
                                         .bytes = bytes,
                                         .time_s = time_us * 1e-6,
                                         .algorithm_bytes_per_s = algorithm * 1e9,
                                         .bus_bytes_per_s = bus * 1e9,
                                         .ranks = ranks,
                                         .at = host_here(parse)};
    }
}

/* Where the time and the rates of out-of-place calls stand: older versions have no root. */
typedef struct {
    uint32_t time, algorithm, bus;
} columns_t;

/* "#       size         count    type   redop    root     time   algbw   busbw  #wrong ..." */
static bool read_heading(host_span_t line, columns_t *out) {
    columns_t found = {0};
    uint32_t at = 0;
    host_span_t rest = line;
    (void)host_word(&rest); /* # */
    for (host_span_t word; (word = host_word(&rest)).n > 0; at++) {
        if (host_is(word, "time") && !found.time) {
            found.time = at;
        } else if (host_is(word, "algbw") && !found.algorithm) {
            found.algorithm = at;
        } else if (host_is(word, "busbw") && !found.bus) {
            found.bus = at;
        }
    }
    if (found.time && found.algorithm && found.bus) {
        *out = found;
        return true;
    }
    return false;
}

/* What a line with # tells: the number of ranks, the operation, an average. */
static void read_comment(host_parse_t *parse, host_span_t line, const char **operation,
                         double *ranks) {
    host_span_t rest = line, after;
    double number;
    const ptrdiff_t gpus = host_find(line, "nGpus ");
    if (gpus >= 0 &&
        host_number((host_span_t){line.s + gpus + 6, line.n - (size_t)gpus - 6}, &number, &after)) {
        *ranks = *ranks > number ? *ranks : number;
    }
    if (host_has(line, "Collective test starting:")) {
        const char *named = operation_in(line);
        *operation = named ? named : *operation;
    }
    (void)host_word(&rest); /* # */
    const host_span_t word = host_word(&rest);
    if (host_is(word, "Rank") && host_number(host_word(&rest), &number, &after) &&
        number + 1 > *ranks && number < 1e6) { /* "#  Rank  7 Group ..." */
        *ranks = number + 1;
    }
    if (host_is(word, "Avg") && *ranks == 1) {
        add_row(parse, *operation, 1, 0, 0, 0, 0);
    }
}

void host_parse_collective(host_parse_t *parse) {
    enum { COLUMNS_MAX = 16 };
    const char *operation = operation_in(host_span(parse->name));
    columns_t column = {.time = 5, .algorithm = 6, .bus = 7};
    double ranks = 0;
    operation = operation ? operation : "all_reduce";
    for (host_span_t line; host_next_line(parse, &line);) {
        host_span_t rest = line, word = host_word(&rest), after;
        if (host_starts(word, "#")) {
            if (!read_heading(line, &column)) {
                read_comment(parse, line, &operation, &ranks);
            }
            continue;
        }
        double value[COLUMNS_MAX];
        uint32_t n = 0;
        for (; word.n > 0 && n < COLUMNS_MAX; word = host_word(&rest)) {
            double number;
            value[n++] = host_number(word, &number, &after) && after.n == 0 ? number : (double)NAN;
        }
        if (n > column.bus && value[0] > 0 && value[column.time] > 0 &&
            value[column.algorithm] >= 0 && value[column.bus] >= 0) {
            add_row(parse, operation, (uint32_t)ranks, value[0], value[column.time],
                    value[column.algorithm], value[column.bus]);
        }
    }
}

/* --- RAS report ------------------------------------------------------------------------------ */

/* "    0         1         1         7         8         7   RUNNING  INCOMPLETE": group,
   communicators, nodes, ranks a node, ranks of the communicator, ranks in the group. */
static void read_group(host_parse_t *parse, host_span_t line) {
    double value[6];
    host_span_t rest = line;
    for (size_t i = 0; i < 6; i++) {
        host_span_t after;
        if (!host_number(host_word(&rest), &value[i], &after) || after.n > 0 || value[i] < 0 ||
            value[i] > 1e7) {
            return;
        }
    }
    const host_span_t status = host_word(&rest), errors = host_word(&rest);
    if (status.n == 0) {
        return;
    }
    assay_host_communicator_t *communicator = host_add(parse, communicator);
    if (communicator) {
        *communicator =
            (assay_host_communicator_t){.ranks = (uint32_t)value[5],
                                        .expected = (uint32_t)(value[4] * value[1]),
                                        .status = host_copy(parse, errors.n ? errors : status),
                                        .missing = "",
                                        .at = host_here(parse)};
    }
}

void host_parse_ras_report(host_parse_t *parse) {
    assay_host_t *host = parse->host;
    const uint32_t first = host->n_communicator;
    for (host_span_t line; host_next_line(parse, &line);) {
        const host_span_t text = host_trim(line);
        if (host_starts(text, "Rank ") && host->n_communicator > first) {
            assay_host_communicator_t *last = &host->communicator[host->n_communicator - 1];
            if (!*last->missing) {
                last->missing = host_copy(parse, text);
            }
        } else {
            read_group(parse, text);
        }
    }
}
