/* What changed between two decisions, as text and JSON. */
#include <math.h>
#include <string.h>

#include "assay/report_diff.h"
#include "report/diff_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_##id)

static const char *or_none(assay_view_t *view, const char *text) {
    return text ? text : TEXT(DIFF_NONE);
}

static const char *verdict(assay_view_t *view, const assay_diff_t *diff) {
    const char *a = diff->choice[0], *b = diff->choice[1];
    if (a && b && strcmp(a, b) == 0) {
        return SAY(view, DIFF_SAME_CHOICE, a, assay_view_percent(view, diff->probability[0]),
                   assay_view_percent(view, diff->probability[1]));
    }
    return SAY(view, DIFF_OTHER_CHOICE, diff->name[0], or_none(view, a), diff->name[1],
               or_none(view, b));
}

static const char *change(assay_view_t *view, double a, double b) {
    return a > 0 ? assay_view_format(view, "%+.1f %%", 100 * (b / a - 1)) : "";
}

static void put_candidates(assay_view_t *view, const assay_diff_t *diff) {
    static const assay_view_column_t column[] = {
        {ASSAY_MSG_DIFF_COLUMN_CANDIDATE, "", false}, {ASSAY_MSG_DIFF_COLUMN_BEFORE, "", true},
        {ASSAY_MSG_DIFF_COLUMN_AFTER, "", true},      {ASSAY_MSG_DIFF_COLUMN_CHANGE, "", true},
        {ASSAY_MSG_DIFF_COLUMN_SPEED, "", true},      {ASSAY_MSG_DIFF_COLUMN_TERM, "", false}};
    assay_table_t *table = assay_view_table_of(view, column, sizeof column / sizeof column[0]);
    assay_table_whole(table, 0);
    for (uint32_t i = 0; i < diff->n_candidate; i++) {
        const assay_diff_candidate_t *c = &diff->candidate[i];
        assay_table_row(table);
        assay_table_cell(table, 0, c->id);
        for (int k = 0; k < 2; k++) {
            assay_table_cell(table, 1 + (uint32_t)k,
                             c->known[k] ? assay_view_quantity(view, c->usd[k], ASSAY_DIM_MONEY)
                                         : TEXT(DIFF_NONE));
        }
        if (c->known[0] && c->known[1]) {
            assay_table_cell(table, 3, change(view, c->usd[0], c->usd[1]));
            assay_table_cell(table, 4, change(view, c->per_s[0], c->per_s[1]));
            assay_table_cell(
                table, 5,
                c->term ? assay_view_format(view, "%s %s%s", assay_view_phrase(view, c->term),
                                            c->term_usd > 0 ? "+" : "",
                                            assay_view_quantity(view, c->term_usd, ASSAY_DIM_MONEY))
                        : "");
        }
    }
    assay_text_heading(view, TEXT(DIFF_HEADING_COST));
    assay_text_table(view, table, 0);
}

static const char *alone(assay_view_t *view, const assay_diff_t *diff,
                         const assay_diff_input_t *input) {
    if (input->why_not) {
        return SAY(view, DIFF_REFUSED, input->why_not);
    }
    if (!input->redone) {
        return TEXT(DIFF_NOT_REDONE);
    }
    const char *usd = diff->choice[0] && input->usd > 0
                          ? assay_view_quantity(view, input->usd, ASSAY_DIM_MONEY)
                          : TEXT(DIFF_NONE);
    return input->does_it ? SAY(view, DIFF_DOES_IT, or_none(view, input->choice))
                          : SAY(view, DIFF_ALONE, or_none(view, input->choice),
                                or_none(view, diff->choice[0]), usd);
}

static bool is_same(const assay_diff_t *diff) {
    bool same = diff->n_note == 0;
    for (uint32_t i = 0; i < diff->n_candidate; i++) {
        const assay_diff_candidate_t *c = &diff->candidate[i];
        same = same && c->known[0] == c->known[1] && !(c->usd[0] < c->usd[1]) &&
               !(c->usd[0] > c->usd[1]);
    }
    return same;
}

static void put_inputs(assay_view_t *view, const assay_diff_t *diff) {
    assay_text_heading(view, TEXT(DIFF_HEADING_INPUTS));
    if (!diff->has_jobs) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", TEXT(DIFF_NO_JOBS));
    } else if (diff->n_input == 0) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        is_same(diff)
                            ? TEXT(DIFF_NOTHING)
                            : SAY(view, DIFF_SAME_JOB, assay_view_or_empty(diff->version[0]),
                                  assay_view_or_empty(diff->version[1])));
    }
    for (uint32_t i = 0; i < diff->n_input; i++) {
        const assay_diff_input_t *input = &diff->input[i];
        assay_text_wrap(view, input->does_it ? ASSAY_STYLE_BOLD : ASSAY_STYLE_PLAIN, "  ",
                        assay_view_format(view, "%s: %s -> %s. %s", input->path,
                                          assay_view_cut(view, or_none(view, input->value[0]), 60),
                                          assay_view_cut(view, or_none(view, input->value[1]), 60),
                                          alone(view, diff, input)));
    }
}

void assay_diff_write_text(assay_view_t *view, const assay_diff_t *diff) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", verdict(view, diff));
    put_inputs(view, diff);
    put_candidates(view, diff);
    if (diff->n_note > 0) {
        assay_text_heading(view, TEXT(DIFF_HEADING_NOTES));
    }
    for (uint32_t i = 0; i < diff->n_note; i++) {
        const assay_diff_note_t *note = &diff->note[i];
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        assay_view_format(view, "%s: %s -> %s", note->subject,
                                          or_none(view, note->value[0]),
                                          or_none(view, note->value[1])));
    }
}

static void put_pair(assay_json_t *json, const char *key, const char *const value[2]) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "a", value[0]);
    assay_json_string(json, "b", value[1]);
    assay_json_end(json);
}

static void put_numbers(assay_json_t *json, const char *key, const bool known[2],
                        const double value[2]) {
    assay_json_begin_object(json, key);
    assay_json_number_if(json, "a", known[0] && value[0] > 0, value[0]);
    assay_json_number_if(json, "b", known[1] && value[1] > 0, value[1]);
    assay_json_end(json);
}

void assay_diff_write_json(assay_view_t *view, const assay_diff_t *diff) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    put_pair(&json, "file", diff->name);
    put_pair(&json, "choice", diff->choice);
    put_pair(&json, "assay_version", diff->version);
    assay_json_begin_array(&json, "inputs");
    for (uint32_t i = 0; i < diff->n_input; i++) {
        const assay_diff_input_t *input = &diff->input[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "path", input->path);
        put_pair(&json, "value", input->value);
        assay_json_begin_object(&json, "alone");
        assay_json_bool(&json, "redone", input->redone);
        assay_json_string(&json, "choice", input->choice);
        assay_json_number_if(&json, "cost_usd", input->usd > 0, input->usd);
        assay_json_bool(&json, "does_it", input->does_it);
        assay_json_string(&json, "refused", input->why_not);
        assay_json_end(&json);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < diff->n_candidate; i++) {
        const assay_diff_candidate_t *c = &diff->candidate[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "id", c->id);
        put_numbers(&json, "cost_usd", c->known, c->usd);
        if (c->rate) {
            put_numbers(&json, c->rate, c->known, c->per_s);
        }
        assay_json_string(&json, "largest_term", c->term);
        assay_json_number_if(&json, "largest_term_change_usd", c->term != NULL, c->term_usd);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_begin_array(&json, "assumptions");
    for (uint32_t i = 0; i < diff->n_note; i++) {
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "subject", diff->note[i].subject);
        put_pair(&json, "value", diff->note[i].value);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_count(&json, "inputs_left_out", diff->left_out);
    assay_json_end(&json);
}
