/** Inside decide: how trees are built. Every function gives NULL once the arena is full, and takes
 * it. */
#ifndef ASSAY_DECIDE_EXPLAIN_TREE_H
#define ASSAY_DECIDE_EXPLAIN_TREE_H

#include "assay/explain.h"
#include "decide/decide_axis.h"

struct assay_explainer {
    assay_explain_of_t of;
    assay_decide_ctx_t ctx;
    decide_game_t game;
    decide_world_t world;            /* scratch */
    double (*central)[ASSAY_DRAW_N]; /* (candidates) */
    assay_csv_t rules;               /* data/rules.csv */
};

/** The number that is asked about, and one candidate of whichever kind; what it has not is NULL. */
typedef struct {
    assay_arena_t *arena;
    assay_explainer_t *explainer;
    const assay_explain_path_t *path;
    const assay_resolved_t *resolved;
    uint32_t index; /* of the candidate */
    const assay_machine_t *machine;
    const assay_money_case_t *money_case; /* NULL: it does not fit */
    const assay_money_result_t *point;
    const assay_estimate_t *estimate; /* training */
    const assay_serving_candidate_t *serving;
    const assay_serve_fleet_t *fleet; /* of serving: the one that is asked about */
    const assay_image_candidate_t *image;
    /* The job's own case, where money_case, point and x are those of an input that was moved. */
    const assay_money_case_t *was;
    assay_money_flows_t flows;
    double x[ASSAY_DRAW_N];
    bool failed;
} explain_t;

typedef const assay_explained_t *explained_t;

/* explain_node.c */
/** A node without parts as yet, to which explain_add gives them. */
assay_explained_t *explain_node(explain_t *e, assay_explain_op_t op, const char *name, double value,
                                const char *unit);
void explain_add(explain_t *e, assay_explained_t *node, explained_t part);
/** A text of a node, or where that is NULL a number. */
void explain_say(assay_explained_t *node, const char *key, const char *text, double number);
explained_t explain_quotient(explain_t *e, const char *name, double value, const char *unit,
                             explained_t over, explained_t under);
/** a - b. */
explained_t explain_difference(explain_t *e, const char *name, double value, const char *unit,
                               explained_t a, explained_t b);
/** Of what is code in any language; of words EXPLAIN_SAY(e, ID, "a", "b"), in the job's. */
const char *explain_format(explain_t *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *explain_message(explain_t *e, assay_message_t id, const char *const *arg, size_t n_arg);
#define EXPLAIN_SAY(e, id, ...)                                                      \
    explain_message((e), ASSAY_MSG_EXPLAIN_##id, (const char *const[]){__VA_ARGS__}, \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* explain_input.c */
explained_t explain_input(explain_t *e, const char *name, double value, const char *unit,
                          const char *source);
/** A constant: "definition". */
explained_t explain_constant(explain_t *e, const char *name, double value, const char *unit);
/** By the job's key ("money.pue"; "candidates[].nodes" is of e's candidate): its file and line, or
    where its default is from. */
explained_t explain_key(explain_t *e, const char *name, double value, const char *unit,
                        const char *key);
/** The same of the work: "global_batch" is workload.train.global_batch where the job trains. */
explained_t explain_work(explain_t *e, const char *name, double value, const char *unit,
                         const char *key);
/** Tokens or samples of the whole job: of an epoch, times epochs. */
explained_t explain_tokens(explain_t *e);
/** The same of a figure that says where it is from, where the job does not give it. */
explained_t explain_fact(explain_t *e, const char *name, double value, const char *unit,
                         const char *key, const assay_fact_t *fact);
/** A drawn input of e's candidate, at the value that counts here. */
explained_t explain_factor(explain_t *e, uint8_t draw);
/** What player c draws that moves its costs, with its distributions. shown: (ASSAY_DRAW_N) inputs
    that all share and that were shown already; NULL: none. */
void explain_add_drawn(explain_t *e, assay_explained_t *node, uint32_t c, bool *shown);
/** One drawn input of player c. */
explained_t explain_drawn(explain_t *e, uint32_t c, assay_draw_t draw);
/** A figure of the model's closed form; its parts are what it reads. */
assay_explained_t *explain_model(explain_t *e, const char *name, double value, const char *unit,
                                 const char *header);
/** An end of the interval around a closed form, by its constant ("serve_sigma"). */
explained_t explain_interval(explain_t *e, assay_calib_id_t sigma, assay_dtype_t dtype,
                             const char *header);
/** A figure of a part in the catalog. */
explained_t explain_part(explain_t *e, const char *name, double value, const char *unit,
                         const assay_fact_t *fact);
/** Key of the last step of the path that has one. */
const char *explain_last(const explain_t *e);
/** The unit that the name of a key carries: "usd_per_h" is USD/h. */
const char *explain_unit(const char *key);
/** The job as it was read, by the path below "job". */
explained_t explain_job_key(explain_t *e);

/** Takes player c as the candidate; false: it does not fit. */
bool explain_open(explain_t *e, uint32_t c);

/* explain_flow.c */
explained_t explain_hours(explain_t *e);
explained_t explain_goodput(explain_t *e);
explained_t explain_energy(explain_t *e);
/** What is paid once, whatever the machines do. */
explained_t explain_once(explain_t *e);
/** One term of the job, or of the years (article: by that formula); and all of them. */
explained_t explain_term_of(explain_t *e, assay_term_t term, bool years, bool article);
explained_t explain_terms(explain_t *e, const char *name, double value, bool years, bool article);

/* explain_money.c */
explained_t explain_job(explain_t *e);
explained_t explain_tco(explain_t *e);
explained_t explain_rate(explain_t *e);
/** The cost that decides, of player c: of the job, or of the years. */
explained_t explain_cost(explain_t *e, uint32_t c);
/** The same where an input was moved: at these drawn values, by c's side of the explainer's world.
    NULL: it cannot do the work then. */
explained_t explain_cost_at(explain_t *e, uint32_t c, const double *x);

/* explain_step.c */
explained_t explain_step(explain_t *e);
explained_t explain_tokens_per_s(explain_t *e);
explained_t explain_devices(explain_t *e);

/* explain_image.c: of fleets of either kind */
explained_t explain_month(explain_t *e);
/** What comes at a rate, over the power at the wall. */
explained_t explain_per_watt(explain_t *e, double value, explained_t per_s);

/* explain_flip.c */
/** The player of that id; of NULL the choice. */
int32_t explain_player(const explain_t *e, const char *id);
/** What the uncertainty rests on; NULL: nothing fits. */
const assay_sensitivity_t *explain_study_of(const explain_t *e);

/* explain_sample.c */
/** The command that decides again. */
const char *explain_command(explain_t *e);
/** A statistic over the points of the study; parts follow. n: how many points. */
assay_explained_t *explain_sample(explain_t *e, const char *name, const char *unit,
                                  const char *statistic, const char *of, uint32_t n);
/** What each candidate draws that can be the choice. */
void explain_add_all_drawn(explain_t *e, assay_explained_t *node);

/** A row of what can be explained: a path in which * is any step and a last ** any more of them. */
typedef struct {
    const char *path;
    uint8_t work; /* bits of decide_game.h */
    explained_t (*make)(explain_t *e);
} explain_row_t;
/** Of the path's steps from `depth` on. NULL: no row. */
explained_t explain_match(explain_t *e, const explain_row_t *row, size_t n, uint32_t depth);

/* Tables, one a topic, each of n rows. */
extern const explain_row_t explain_money_row[], explain_step_row[], explain_sample_row[],
    explain_flip_row[], explain_rule_row[], explain_study_row[], explain_fleet_row[],
    explain_image_row[], explain_asked_row[];
extern const size_t explain_money_n, explain_step_n, explain_sample_n, explain_flip_n,
    explain_rule_n, explain_study_n, explain_fleet_n, explain_image_n, explain_asked_n;

#endif
