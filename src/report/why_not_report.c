/* Why a candidate is not the choice, as text and JSON. */
#include "report/explain_view.h"

#include "assay/run.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_##id)

static const char *difference(assay_view_t *view, double usd) {
    return assay_view_format(view, "%s%s", usd > 0.0 ? "+" : "",
                             assay_view_quantity(view, usd, ASSAY_DIM_MONEY));
}

static void put_terms(assay_view_t *view, const assay_why_not_t *why) {
    assay_table_t *table = assay_view_table(view, 4);
    assay_table_column(table, 0, TEXT(WHY_COLUMN_TERM), "", false);
    assay_table_column(table, 1, why->id, "", true);
    assay_table_column(table, 2, why->choice, "", true);
    assay_table_column(table, 3, TEXT(WHY_COLUMN_DIFFERENCE), "", true);
    for (uint32_t i = 0; i < why->n_term; i++) {
        const assay_why_term_t *term = &why->term[i];
        assay_table_row(table);
        assay_table_cell(table, 0,
                         assay_view_phrase(view, assay_term_what((assay_term_t)term->term)));
        assay_table_cell(table, 1, assay_view_quantity(view, term->usd, ASSAY_DIM_MONEY));
        assay_table_cell(table, 2, assay_view_quantity(view, term->choice_usd, ASSAY_DIM_MONEY));
        assay_table_cell(table, 3, difference(view, term->usd - term->choice_usd));
    }
    assay_text_heading(view, TEXT(WHY_HEADING_TERMS));
    assay_text_table(view, table, 0);
}

void assay_why_not_write_text(assay_view_t *view, const assay_why_not_t *why) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", why->sentence);
    if (why->nearest) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "",
                        SAY(view, WHY_NEAREST, assay_view_layout(view, why->nearest)));
    }
    if (why->n_term > 0) {
        put_terms(view, why);
    }
    if (why->n_flip > 0) {
        assay_text_heading(view, why->reason == ASSAY_WHY_CHOICE ? TEXT(WHY_HEADING_FROM)
                                                                 : TEXT(WHY_HEADING_TO));
    }
    for (uint32_t i = 0; i < why->n_flip; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", why->flip[i].sentence);
    }
}

void assay_why_not_write_json(assay_view_t *view, const assay_why_not_t *why) {
    static const char *const reason[ASSAY_WHY_N] = {
#define WHY_NAME(code, name) [ASSAY_WHY_##code] = name,
        ASSAY_WHY_LIST(WHY_NAME)
#undef WHY_NAME
    };
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_object(&json, "why_not");
    assay_json_string(&json, "id", why->id);
    assay_json_string(&json, "choice", why->choice);
    assay_json_string(&json, "reason", reason[why->reason]);
    assay_json_string(&json, "sentence", why->sentence);
    if (why->nearest) {
        assay_json_layout(&json, "nearest_layout", why->nearest);
    } else {
        assay_json_string(&json, "nearest_layout", NULL);
    }
    assay_json_number_if(&json, "cost_usd", why->reason != ASSAY_WHY_NO_FIT, why->usd);
    assay_json_number_if(&json, "choice_cost_usd", why->has_cost, why->choice_usd);
    assay_json_number(&json, "p_cheapest", why->p_best);
    assay_json_begin_array(&json, "terms");
    for (uint32_t i = 0; i < why->n_term; i++) {
        const assay_why_term_t *term = &why->term[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "term", assay_term_name((assay_term_t)term->term));
        assay_json_number(&json, "usd", term->usd);
        assay_json_number(&json, "choice_usd", term->choice_usd);
        assay_json_number(&json, "difference_usd", term->usd - term->choice_usd);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_flips(&json, why->flip, why->n_flip);
    assay_json_end(&json);
    assay_json_string(&json, "assay_version", assay_version());
    assay_json_end(&json);
}
