/* A decision about serving in the terminal: what fleets cost, how fast they answer, what other
   layouts do, and what an article said. */
#include "report/serving_view.h"
#include "report/study_view.h"

#include "base/banned.h"

static void write_cost(assay_view_t *view, const assay_serving_decision_t *decision) {
    const uint32_t chosen = decision->choice >= 0 ? (uint32_t)decision->choice + 1 : 0;
    assay_text_heading(view, assay_serving_cost_heading(view, decision));
    assay_text_table(view, assay_serving_cost_table(view, decision), chosen);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        if (c->fleet && c->point.one_time_usd > 0) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                            SAY(view, SERVING_MOVING, c->machine->id,
                                assay_view_quantity(view, c->point.one_time_usd, ASSAY_DIM_MONEY)));
        }
    }
    if (decision->choice >= 0) {
        assay_text_heading(view, assay_view_priced(view, ASSAY_MSG_SERVING_HEADING_PRICE));
        assay_text_table(view, assay_serving_price_table(view, decision), 0);
    }
}

static void write_latency(assay_view_t *view, const assay_serving_decision_t *decision) {
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_SERVING_HEADING_LATENCY));
    assay_text_table(view, assay_serving_latency_table(view, decision), 0);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serve_fleet_t *f = decision->candidate[i].fleet;
        if (f) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                            SAY(view, SERVING_BASIS, decision->candidate[i].machine->id,
                                assay_view_basis(view, f->basis),
                                assay_view_percent(view, f->rel_p10),
                                assay_view_percent(view, f->rel_p90)));
        }
    }
}

static void write_claims(assay_view_t *view, const assay_serving_decision_t *decision) {
    if (decision->n_claim > 0) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_SERVING_HEADING_CLAIMS));
        assay_text_table(view, assay_serving_claim_table(view, decision), 0);
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                        SAY(view, SERVING_CLAIMS_MORE, decision->claim[0].claim->set));
    }
}

static void write_flips(assay_view_t *view, const assay_serving_decision_t *decision) {
    if (decision->n_flip > 0) {
        assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_FLIPS));
        for (uint32_t i = 0; i < decision->n_flip; i++) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", decision->flip[i].sentence);
        }
    }
}

void assay_serving_write_text(assay_view_t *view, const assay_serving_decision_t *decision) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", decision->sentence);
    write_cost(view, decision);
    if (decision->choice >= 0) {
        write_latency(view, decision);
    }
    write_claims(view, decision);
    write_flips(view, decision);
    const assay_study_t study = assay_study_of_serving(decision);
    assay_study_write_text(view, &study);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        assay_text_heading(view, SAY(view, SERVING_HEADING_LAYOUTS, c->machine->id));
        assay_text_table(view, assay_serving_layout_table(view, c), c->fleet ? 1 : 0);
        if (c->launch) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", SAY(view, SERVING_LAUNCH, c->launch));
        }
    }
    assay_text_warnings(view, decision->note, decision->n_note);
    assay_text_assumptions(view, decision->note, decision->n_note);
}
