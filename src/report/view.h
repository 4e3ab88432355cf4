/**
 * What the formats share: where a report is written, how its numbers read, and the few facts of a
 * decision that more than one format shows.
 */
#ifndef ASSAY_REPORT_VIEW_H
#define ASSAY_REPORT_VIEW_H

#include "assay/arena.h"
#include "assay/decide.h"
#include "assay/message.h"
#include "assay/report.h"
#include "assay/table.h"
#include "assay/units.h"

typedef struct {
    assay_arena_t *arena; /* strings made on the way; freed when the report is written */
    assay_buf_t *out;
    assay_lang_t lang;
    assay_locale_t locale; /* of amounts; its language is lang */
    bool colour;
    uint32_t width;
    bool summary;
    const char *command, *data_hash; /* how to reproduce it; NULL: not said */
    bool failed;                     /* the arena is full: what was written is worthless */
} assay_view_t;

/* Strings live in the arena; never NULL ("" once the arena is full). Numbers that are not finite
   read "unknown". */
const char *assay_view_message(const assay_view_t *view, assay_message_t id);
const char *assay_view_sentence(assay_view_t *view, assay_message_t id, const char *const *arg,
                                size_t n_arg);
/** The sentence with its arguments: SAY(view, ID, "a", "b"). */
#define SAY(view, id, ...)                                                          \
    assay_view_sentence((view), ASSAY_MSG_##id, (const char *const[]){__VA_ARGS__}, \
                        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
const char *assay_view_format(assay_view_t *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *assay_view_join(assay_view_t *view, const char *a, const char *b);
/** At most so many columns wide; what is cut ends in "...". */
const char *assay_view_cut(assay_view_t *view, const char *text, size_t columns);
static inline const char *assay_view_or_empty(const char *text) {
    return text ? text : "";
}
/** Three significant digits. */
const char *assay_view_number(assay_view_t *view, double value);
/** The same with trailing zeros, so that a column lines up: "1.00", "39.0". */
const char *assay_view_cell(assay_view_t *view, double value);
const char *assay_view_count(assay_view_t *view, double value);
/** "1 year", "3 years". */
const char *assay_view_years(assay_view_t *view, double years);
const char *assay_view_percent(assay_view_t *view, double fraction);
/** With the unit that fits: "1.91 MUSD". */
const char *assay_view_quantity(assay_view_t *view, double value, assay_dim_t dim);
const char *assay_view_range(assay_view_t *view, double low, double high, double one);
/** NULL once the arena is full, and then view->failed is set. */
assay_table_t *assay_view_table(assay_view_t *view, uint32_t n_columns);
typedef struct {
    assay_message_t name;
    const char *unit; /* "" = none */
    bool right;       /* aligned, as numbers are */
} assay_view_column_t;
/** A table with these columns; NULL as above. */
assay_table_t *assay_view_table_of(assay_view_t *view, const assay_view_column_t *column,
                                   uint32_t n_columns);

/** The unit of a column or an axis: one for all its values. */
typedef enum {
    ASSAY_SCALE_MONEY,
    ASSAY_SCALE_TIME,
    ASSAY_SCALE_BYTES,
    ASSAY_SCALE_ENERGY, /* of kWh */
    ASSAY_SCALE_COUNT,  /* tokens, tokens a second */
    ASSAY_SCALE_FLOPS,
    ASSAY_SCALE_PLAIN, /* as it is, without unit */
    ASSAY_SCALE_N
} assay_scale_kind_t;
typedef struct {
    double one;       /* one unit in SI (kWh for energy) */
    const char *unit; /* "MUSD", "万元", "GiB"; "" = none */
} assay_scale_t;
/** The largest unit that leaves max at 1 or more, else the smallest. Money: max and one in USD. */
assay_scale_t assay_view_scale(assay_view_t *view, assay_scale_kind_t kind, double max);
/** A cell with an amount in the report's currency, without its name. */
const char *assay_view_amount(assay_view_t *view, double usd);
/** A sentence that names that currency in {0}, or none. */
const char *assay_view_priced(assay_view_t *view, assay_message_t id);
/** A probability in percent: samples cannot tell 1 from nearly 1. */
const char *assay_view_chance(assay_view_t *view, double p);
/** A phrase of a table of data in the report's language; NULL = "". */
const char *assay_view_phrase(const assay_view_t *view, const char *english);

/** "none", "selective", "full". */
const char *assay_view_recompute(uint8_t recompute);
const char *assay_view_cp_comm(uint8_t comm);
const char *assay_view_schedule(uint8_t schedule);
/** How a prediction is backed, in the report's language. */
const char *assay_view_basis(const assay_view_t *view, uint8_t basis);
/** "TP 8, PP 4, DP 64, micro-batch 1 x 32, ZeRO 1, recompute selective, SP". */
const char *assay_view_layout(assay_view_t *view, const assay_layout_t *layout);
/** The columns of a layout in a table: TP, PP, DP, micro-batch, ZeRO, recompute, SP. */
#define ASSAY_VIEW_LAYOUT_COLUMNS 7
/** Names them from column *io_at on, and moves it behind them. */
void assay_view_layout_columns(assay_view_t *view, assay_table_t *table, uint32_t *io_at);
/** Fills them in the table's current row. */
void assay_view_layout_cells(assay_view_t *view, assay_table_t *table, uint32_t *io_at,
                             const assay_layout_t *layout);
/** Why a layout of that kind was refused: "peak memory exceeds the device's: needs 92 GiB, has 64
 * GiB". */
const char *assay_view_refusal(assay_view_t *view, const assay_estimate_t *nearest);

/** Of all refusals the one that tells most: memory, else the most frequent. NULL: none. */
const assay_refusal_t *assay_view_main_refusal(const assay_plan_t *plan);
/** Why a candidate cannot be chosen, one sentence; NULL when it can. */
const char *assay_view_why_not(assay_view_t *view, const assay_decision_t *decision,
                               const assay_candidate_t *candidate);
/** The job has an amount of work, so it has a duration and a cost. */
bool assay_view_has_work(const assay_decision_t *decision);
/** Whether a candidate that fits needs a port: what the rules of thumb are about. */
/** What a job counts: sample is "image" or "sequence"; NULL: tokens. */
assay_message_t assay_view_rate_column(const char *sample);
/** Of the energy of one. */
assay_message_t assay_view_energy_column(const char *sample);
/** "tokens" or, of one, "token". */
const char *assay_view_sample(assay_view_t *view, const char *sample, bool one);
/** "1.2 T tokens" */
const char *assay_view_samples(assay_view_t *view, const char *sample, double n);
/** The key of its rate in JSON and CSV. */
static inline const char *assay_view_rate_key(const char *sample) {
    return sample ? "samples_per_s" : "tokens_per_s";
}
bool assay_view_any_moves(const assay_decision_t *decision);
/** More or less than one epoch: its cost is not the job's. */
bool assay_view_has_epochs(const assay_decision_t *decision);

/* A candidate's figures by name, for tables and charts; NAN = unknown. */
typedef struct {
    double step_s, tokens_per_s, mfu, days, energy_kwh, device_w;
    double token_j, token_p10_j, token_p90_j, token_packages_j, host_share;
    double job_usd, job_p10_usd, job_p90_usd, epoch_usd;
    double tco_usd, tco_p10_usd, tco_p90_usd;
    double memory_bytes, memory_has_bytes;
    double p_best;
} assay_figures_t;
assay_figures_t assay_view_figures(const assay_decision_t *decision,
                                   const assay_candidate_t *candidate);
/** p_best as a cell in per cent: samples cannot tell 1 from nearly 1. */
const char *assay_view_p_best(assay_view_t *view, const assay_decision_t *decision, double p);

/** A note in one sentence; the other with its source. */
const char *assay_view_note(assay_view_t *view, const assay_note_t *note);
const char *assay_view_note_sourced(assay_view_t *view, const assay_note_t *note);
/** Where its value is from, and what there is to say about it. */
const char *assay_view_note_basis(assay_view_t *view, const assay_note_t *note);

/** That another candidate costs less to own than the choice; NULL when none does. */
const char *assay_view_tco_sentence(assay_view_t *view, const assay_decision_t *decision);

/** Where the running costs of choice and runner-up cross. */
typedef enum {
    ASSAY_EVEN_NONE,   /* nothing to compare */
    ASSAY_EVEN_AFTER,  /* the choice is the cheaper one beyond the crossing */
    ASSAY_EVEN_UNTIL,  /* up to the crossing */
    ASSAY_EVEN_ALWAYS, /* no crossing: from the start */
    ASSAY_EVEN_NEVER,
    ASSAY_EVEN_N
} assay_even_t;
/** out_share: share of the work at the crossing (1 = the job's end), NAN without one. */
assay_even_t assay_view_break_even(const assay_decision_t *decision, double *out_share);
const char *assay_view_break_even_sentence(assay_view_t *view, const assay_decision_t *decision);

#endif
