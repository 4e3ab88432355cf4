/**
 * What changed between two decisions, and which input did it. Both are results of decide --json;
 * each carries its job, so that the first can be decided again with one input of the second at a
 * time.
 *
 * Test: tests/unit/test_diff.c. Thread-safe: yes.
 */
#ifndef ASSAY_REPORT_DIFF_H
#define ASSAY_REPORT_DIFF_H

#include "assay/hooks.h"
#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name, *data; /* of the file, for messages */
    size_t size;
} assay_diff_side_t;

typedef struct {
    const char *id;          /* of the candidate */
    bool known[2];           /* is it there, and does it fit? */
    const char *rate;        /* of per_s: "tokens_per_s", "images_per_s", "sequences_per_s" ... */
    double usd[2], per_s[2]; /* its cost; what comes out of it a second, 0 unknown */
    const char *term;        /* whose change is the largest; NULL: none is known */
    double term_usd;         /* by so much */
} assay_diff_candidate_t;

typedef struct {
    const char *path;     /* "candidates[8x-mi250x-oam].buy_usd" */
    const char *value[2]; /* NULL: not said */
    bool redone;          /* decided again with this alone changed */
    const char *choice;   /* then; NULL: nothing is chosen */
    double usd;           /* what the first decision's choice then costs; 0 unknown */
    bool does_it;         /* alone it makes the second decision's choice */
    const char *why_not;  /* it cannot be decided: the error */
} assay_diff_input_t;

typedef struct {
    const char *subject, *value[2]; /* NULL: not assumed */
} assay_diff_note_t;

typedef struct {
    const char *name[2], *choice[2]; /* NULL: nothing is chosen */
    double probability[2];
    const char *version[2];
    bool has_jobs;
    assay_diff_candidate_t *candidate;
    assay_diff_input_t *input;
    assay_diff_note_t *note; /* assumptions that differ */
    uint32_t n_candidate, n_input, n_note;
    uint32_t left_out; /* inputs that differ and were not decided again */
} assay_diff_t;

/** Errors: ASSAY_INPUT (not JSON, no decision), ASSAY_LIMIT, ASSAY_MEMORY, ASSAY_CANCELLED. */
assay_status_t assay_diff(assay_arena_t *arena, const assay_diff_side_t side[2],
                          const assay_hooks_t *hooks, assay_diff_t **out, assay_error_t *err);
/** TEXT, JSON. */
assay_status_t assay_report_diff(const assay_diff_t *diff, assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
