/** One writer per subject and format; report.c's table picks one. */
#ifndef ASSAY_REPORT_WRITE_H
#define ASSAY_REPORT_WRITE_H

#include "assay/json.h"
#include "report/view.h"

void assay_decision_write_text(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_write_json(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_write_csv(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_write_focus(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_write_markdown(assay_view_t *view, const assay_decision_t *decision);
void assay_decision_write_html(assay_view_t *view, const assay_decision_t *decision);

/* The candidates side by side: what they cost, how fast they are, how the job lies on them. NULL
   once the arena is full, which the table functions bear. */
const char *assay_decision_cost_heading(assay_view_t *view, const assay_decision_t *decision);
assay_table_t *assay_decision_cost_table(assay_view_t *view, const assay_decision_t *decision);
assay_table_t *assay_decision_speed_table(assay_view_t *view, const assay_decision_t *decision);
assay_table_t *assay_decision_layout_table(assay_view_t *view, const assay_decision_t *decision);

/** The terms of choice and runner-up; NULL when nothing is chosen. */
assay_table_t *assay_decision_terms_table(assay_view_t *view, const assay_decision_t *decision);
/** The same, and the study of its uncertainty. */
void assay_decision_write_money(assay_view_t *view, const assay_decision_t *decision);
/* How to have the nodes over the job's load curve; nothing without one. */
void assay_decision_write_mix(assay_view_t *view, const assay_decision_t *decision);
void assay_json_mix(assay_json_t *json, const assay_decision_t *decision);

void assay_serving_write_text(assay_view_t *view, const assay_serving_decision_t *decision);
void assay_serving_write_json(assay_view_t *view, const assay_serving_decision_t *decision);
void assay_serving_write_csv(assay_view_t *view, const assay_serving_decision_t *decision);
void assay_serving_write_markdown(assay_view_t *view, const assay_serving_decision_t *decision);
void assay_serving_write_html(assay_view_t *view, const assay_serving_decision_t *decision);

void assay_images_write_text(assay_view_t *view, const assay_image_decision_t *decision);
void assay_images_write_json(assay_view_t *view, const assay_image_decision_t *decision);
void assay_images_write_csv(assay_view_t *view, const assay_image_decision_t *decision);
void assay_images_write_markdown(assay_view_t *view, const assay_image_decision_t *decision);
void assay_images_write_html(assay_view_t *view, const assay_image_decision_t *decision);

typedef struct {
    const assay_simulated_t *item; /* (n) */
    uint32_t n;
} assay_simulated_list_t;
void assay_simulated_write_text(assay_view_t *view, const assay_simulated_list_t *list);
void assay_simulated_write_json(assay_view_t *view, const assay_simulated_list_t *list);

void assay_score_write_text(assay_view_t *view, const assay_score_t *score);
void assay_score_write_json(assay_view_t *view, const assay_score_t *score);
void assay_score_write_csv(assay_view_t *view, const assay_score_t *score);

void assay_calibrate_write_text(assay_view_t *view, const assay_calibrate_t *fit);
void assay_calibrate_write_json(assay_view_t *view, const assay_calibrate_t *fit);
void assay_calibrate_write_csv(assay_view_t *view, const assay_calibrate_t *fit);

typedef struct {
    const assay_machine_t *machine; /* (n) */
    const assay_plan_t *plan;       /* (n) */
    uint32_t n;
    bool many; /* JSON: an object with an array, even of one */
} assay_plans_t;
void assay_plans_write_text(assay_view_t *view, const assay_plans_t *plans);
void assay_plans_write_json(assay_view_t *view, const assay_plans_t *plans);
void assay_plans_write_csv(assay_view_t *view, const assay_plans_t *plans);

/** "job": all that was asked, flags laid over. NULL: nothing is known. */
void assay_json_job(assay_json_t *json, const assay_node_t *document);

/* Pieces of JSON that decide and search share. */
void assay_json_layout(assay_json_t *json, const char *key, const assay_layout_t *layout);
/** Members of the enclosing object that say how large a sample is. */
void assay_json_sample(assay_json_t *json, const assay_workload_t *work);
/** step_time_s, tokens_per_s (of networks samples_per_s), mfu ... memory parts, basis: members of
 * the enclosing object. */
void assay_json_estimate(assay_json_t *json, const assay_estimate_t *estimate);
/** Member "flips" of the enclosing object. */
void assay_json_flips(assay_json_t *json, const assay_flip_t *flips, uint32_t n_flip);
void assay_json_refusals(const assay_view_t *view, assay_json_t *json, const char *key,
                         const assay_plan_t *plan);
void assay_json_pareto(assay_json_t *json, const char *key, const assay_plan_t *plan);
void assay_json_plan(const assay_view_t *view, assay_json_t *json, const char *key,
                     const assay_machine_t *machine, const assay_plan_t *plan);

void assay_json_notes(assay_json_t *json, const char *key, const assay_note_t *notes,
                      uint32_t n_note, assay_note_kind_t kind);

/** Markdown in which nothing of text is markup. */
void assay_markdown_text(assay_view_t *view, const char *text);

/* Lines of text: control characters become '?', and long ones break between words. */
typedef enum {
    ASSAY_STYLE_PLAIN,
    ASSAY_STYLE_BOLD,
    ASSAY_STYLE_GOOD,
    ASSAY_STYLE_WARN,
    ASSAY_STYLE_N
} assay_style_t;
/** lead stands in front of the first line; the others are indented to its end. */
void assay_text_wrap(assay_view_t *view, assay_style_t style, const char *lead, const char *text);
/** An empty line. */
void assay_text_line(assay_view_t *view);
void assay_text_warnings(assay_view_t *view, const assay_note_t *notes, uint32_t n_note);
void assay_text_assumptions(assay_view_t *view, const assay_note_t *notes, uint32_t n_note);
void assay_text_heading(assay_view_t *view, const char *text);
/** Indented by two; line `row` from 1 (0 = none) in style GOOD. */
void assay_text_table(assay_view_t *view, const assay_table_t *table, uint32_t row);

#endif
