/*
 * Holds the scanner to ports that people made: for each program of a table, scans DIR/PROGRAM-cuda
 * and compares what it predicts with the lines that were left to edit by hand.
 * usage: port_residuals DIR TABLE.csv [ROCM [GFX]]      DIR: src of HeCBench, fetched by yourself
 *
 * Prints the rank correlation of predicted and counted lines (file length beside it), how well
 * programs without such lines are recognised, and precision and recall of the findings by cause.
 * A program is without: as its lines were counted; as the words that face the device say
 * (port_residual_words.h, recomputed from DIR and compared with the table); as it was read by hand.
 * With $VERBOSE set, one line a program: name, predicted and counted lines, words, causes. Exit
 * codes: 0 done, 1 the table's words are not those of DIR, 2 wrong arguments or input.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/csv.h"
#include "port_residual_words.h"

#define TABLE_BYTES ((size_t)16 << 20)
#define MAX_ROWS 4096u

/* A cause of the table, and the findings that speak of it: by the rule's prefix, or of any rule by
   the library or the header they name; of some libraries only where more than a name changes. */
typedef struct {
    const char *name, *prefix[8], *about[10], *beyond_names[4];
} cause_t;
static const cause_t cause[] = {
    {"warp",
     {"warp-mask", "warp-size-a", "warpsize", "ballot", "lane-", "sync", "divergent"},
     {0},
     {0}},
    {"coopgroups", {"cg-"}, {"cooperative groups"}, {0}},
    {"lib",
     {"library-none", "library-replacement", "cub-namespace"},
     {"cub", "cublas", "cusparse", "NCCL"},
     {"cusolver", "curand", "cudnn"}},
    {"bf16_fp16_fp8",
     {"fp8", "fp4"},
     {"bfloat16 type", "FP8 types", "FP6 types", "FP4 types", "cuda_fp16.h", "cuda_bf16.h"},
     {0}},
    {"asm", {"ptx-"}, {0}, {0}},
};
#define N_CAUSE (sizeof cause / sizeof *cause)

typedef struct {
    double predicted, counted, lines, words;
    bool unrelated; /* what was counted has nothing to do with HIP */
    bool found[N_CAUSE], caused[N_CAUSE];
} row_t;

static int fail(const assay_error_t *err) {
    char line[1200];
    fprintf(stderr, "port_residuals: %s\n", assay_error_line(err, line, sizeof line));
    return 2;
}

static double number(const assay_csv_t *csv, uint32_t row, const char *column) {
    const char *text = assay_csv_cell(csv, row, assay_csv_column(csv, column));
    double value = 0.0;
    (void)assay_text_to_double(text, strlen(text), &value);
    return value;
}

static bool has_word(const char *words, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += n) {
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool speaks_of(const assay_port_finding_t *finding, const cause_t *of) {
    for (size_t i = 0; i < 8 && of->prefix[i]; i++) {
        if (strncmp(finding->rule, of->prefix[i], strlen(of->prefix[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < 10 && of->about[i]; i++) {
        if (assay_text_equal_fold(finding->library, of->about[i]) ||
            strcmp(finding->api, of->about[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < 4 && of->beyond_names[i] && finding->effect != ASSAY_EFFECT_NOTE; i++) {
        if (assay_text_equal_fold(finding->library, of->beyond_names[i])) {
            return true;
        }
    }
    return false;
}

static assay_status_t read_program(const port_tables_t *tables, const char *dir,
                                   const char *program, const assay_port_options_t *options,
                                   row_t *out, uint32_t *out_words, assay_error_t *err) {
    assay_arena_t *arena = assay_arena_create((size_t)1 << 30);
    char path[4096], hip[4096];
    assay_port_scan_t *scan;
    snprintf(path, sizeof path, "%s/%s-cuda", dir, program);
    snprintf(hip, sizeof hip, "%s/%s-hip", dir, program);
    if (!arena) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = assay_port_scan(arena, path, options, &scan, err);
    if (!status) {
        for (uint32_t i = 0; i < scan->n_file; i++) { /* the table counts sources alone */
            const uint8_t language = scan->file[i].language;
            out->predicted += language == ASSAY_PORT_CUDA || language == ASSAY_PORT_C ||
                                      language == ASSAY_PORT_CPP
                                  ? scan->file[i].residual_lines
                                  : 0.0;
        }
        for (uint32_t i = 0; i < scan->n_finding; i++) {
            for (size_t c = 0; c < N_CAUSE; c++) {
                out->found[c] |= speaks_of(&scan->finding[i], &cause[c]);
            }
        }
        status = port_residual_words(arena, tables, path, hip, out_words, err);
    }
    assay_arena_destroy(arena);
    return status;
}

/* Rank of value[i]: the mean over ties, from 1. */
static double rank(const row_t *row, uint32_t n, size_t offset, uint32_t i) {
    const double value = *(const double *)(const void *)((const char *)&row[i] + offset);
    double less = 0.0, same = 0.0;
    for (uint32_t k = 0; k < n; k++) {
        const double other = *(const double *)(const void *)((const char *)&row[k] + offset);
        less += other < value;
        same += other <= value && other >= value;
    }
    return less + 0.5 * (same + 1.0);
}

/* Spearman's: Pearson's correlation of the ranks, right with ties. */
static double spearman(const row_t *row, uint32_t n, size_t a, size_t b) {
    double sum_ab = 0.0, sum_aa = 0.0, sum_bb = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double x = rank(row, n, a, i) - 0.5 * (n + 1.0);
        const double y = rank(row, n, b, i) - 0.5 * (n + 1.0);
        sum_ab += x * y;
        sum_aa += x * x;
        sum_bb += y * y;
    }
    return sum_ab / sqrt(sum_aa * sum_bb);
}

typedef struct {
    uint32_t both, said, is;
} hits_t;

static void add_hit(hits_t *hits, bool said, bool is) {
    hits->said += said;
    hits->is += is;
    hits->both += said && is;
}

static void print_hits(const char *what, const hits_t *h) {
    printf("%-14s said %3u, are %3u, both %3u: precision %5.1f %%, recall %5.1f %%\n", what,
           h->said, h->is, h->both, h->said ? 100.0 * h->both / h->said : 0.0,
           h->is ? 100.0 * h->both / h->is : 0.0);
}

static void print_all(const row_t *row, uint32_t n) {
    hits_t counted = {0, 0, 0}, words = {0, 0, 0}, read = {0, 0, 0};
    for (uint32_t i = 0; i < n; i++) {
        const bool said = row[i].predicted < 0.5, is = row[i].counted < 0.5;
        add_hit(&counted, said, is);
        add_hit(&words, said, row[i].words < 0.5);
        add_hit(&read, said, is || row[i].unrelated);
    }
    const size_t predicted = offsetof(row_t, predicted), lines = offsetof(row_t, lines);
    printf("programs %u\n", n);
    printf("Spearman with counted lines: predicted %.3f, file length %.3f\n",
           spearman(row, n, predicted, offsetof(row_t, counted)),
           spearman(row, n, lines, offsetof(row_t, counted)));
    printf("Spearman with words that face the device: predicted %.3f, file length %.3f\n",
           spearman(row, n, predicted, offsetof(row_t, words)),
           spearman(row, n, lines, offsetof(row_t, words)));
    print_hits("nothing left", &counted);
    print_hits("  by words", &words);
    print_hits("  as read", &read);
    for (size_t c = 0; c < N_CAUSE; c++) {
        hits_t hits = {0, 0, 0};
        for (uint32_t i = 0; i < n; i++) {
            add_hit(&hits, row[i].found[c], row[i].caused[c]);
        }
        print_hits(cause[c].name, &hits);
    }
}

int main(int argc, char **argv) {
    static row_t row[MAX_ROWS];
    assay_error_t err = {0};
    assay_port_options_t options = {.target = argc > 4 ? argv[4] : "gfx90a"};
    if (argc < 3 || argc > 5 || (argc > 3 && !assay_port_rocm_parse(argv[3], &options.rocm))) {
        fputs("usage: port_residuals DIR TABLE.csv [ROCM [GFX]]\n", stderr);
        return 2;
    }
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    char *data;
    size_t size;
    assay_csv_t csv;
    const port_tables_t *tables;
    uint32_t differ = 0;
    if (!arena || port_tables_load(arena, &tables, &err) ||
        assay_file_read(arena, argv[2], TABLE_BYTES, &data, &size, &err) ||
        assay_csv_parse(arena, argv[2], data, size, &csv, &err)) {
        return fail(&err);
    }
    for (uint32_t i = 0; i < csv.n_rows && i < MAX_ROWS; i++) {
        const char *program = assay_csv_cell(&csv, i, assay_csv_column(&csv, "program"));
        const char *categories = assay_csv_cell(&csv, i, assay_csv_column(&csv, "categories"));
        row[i].counted = number(&csv, i, "semantic_residual_lines");
        row[i].lines = number(&csv, i, "cuda_lines");
        row[i].words = number(&csv, i, "device_words");
        row[i].unrelated =
            strcmp(assay_csv_cell(&csv, i, assay_csv_column(&csv, "unrelated")), "yes") == 0;
        for (size_t c = 0; c < N_CAUSE; c++) {
            row[i].caused[c] = has_word(categories, cause[c].name);
        }
        uint32_t words = 0;
        if (read_program(tables, argv[1], program, &options, &row[i], &words, &err)) {
            return fail(&err);
        }
        differ += words != (uint32_t)row[i].words;
        if (getenv("VERBOSE")) {
            printf("%s %g %g %u %s\n", program, row[i].predicted, row[i].counted, words,
                   categories);
        }
    }
    print_all(row, csv.n_rows);
    printf("words of the table that are not those of DIR: %u programs\n", differ);
    assay_arena_destroy(arena);
    return differ > 0;
}
