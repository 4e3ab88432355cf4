/** Inside decide: how trees are built. Every function gives NULL once the arena is full, and takes
 * it. */
#ifndef ASSAY_DECIDE_EXPLAIN_TREE_H
#define ASSAY_DECIDE_EXPLAIN_TREE_H

#include "assay/explain.h"

/** One candidate of whichever kind; what it has not is NULL. */
typedef struct {
    assay_arena_t *arena;
    const assay_resolved_t *resolved;
    const assay_machine_t *machine;
    const assay_money_case_t *money_case;
    const assay_money_result_t *point;
    const assay_estimate_t *estimate; /* training */
    const assay_serving_candidate_t *serving;
    const assay_image_candidate_t *image;
    assay_money_flows_t flows;
    double x[ASSAY_DRAW_N];
    bool failed;
} explain_t;

typedef const assay_explained_t *explained_t;

explained_t explain_input(explain_t *e, const char *name, double value, const char *unit,
                          const char *source);
/** A node without parts as yet, to which explain_add gives them. */
assay_explained_t *explain_node(explain_t *e, assay_explain_op_t op, const char *name, double value,
                                const char *unit);
void explain_add(assay_explained_t *node, explained_t part);
explained_t explain_quotient(explain_t *e, const char *name, double value, const char *unit,
                             explained_t over, explained_t under);

/* explain_money.c */
explained_t explain_hours(explain_t *e);
explained_t explain_days(explain_t *e);
explained_t explain_joules_per_token(explain_t *e);
explained_t explain_goodput(explain_t *e);
explained_t explain_energy(explain_t *e);
explained_t explain_job(explain_t *e);
explained_t explain_epoch(explain_t *e);
explained_t explain_tco(explain_t *e);
explained_t explain_rate(explain_t *e);
/** One term of the job, or of the years; has: whether any flow of the term is there. */
explained_t explain_term(explain_t *e, assay_term_t term, bool years);
bool explain_has_term(const explain_t *e, assay_term_t term);

/* explain_step.c */
explained_t explain_step(explain_t *e);
explained_t explain_memory(explain_t *e);
explained_t explain_tokens_per_s(explain_t *e);
explained_t explain_mfu(explain_t *e);
explained_t explain_month(explain_t *e);
explained_t explain_per_million(explain_t *e);
explained_t explain_per_1000(explain_t *e);

#endif
