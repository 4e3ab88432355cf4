/* A decision about serving for a pull request or a wiki: the terminal's order, as Markdown. */
#include "report/serving_view.h"
#include "report/study_view.h"

#include "base/banned.h"

static void put_heading(assay_view_t *view, const char *text) {
    assay_buf_puts(view->out, "\n## ");
    assay_markdown_text(view, text);
    assay_buf_puts(view->out, "\n\n");
}

static void put_table(assay_view_t *view, const char *heading, const assay_table_t *table) {
    put_heading(view, heading);
    assay_table_print(table, ASSAY_TABLE_MARKDOWN, 0, view->out);
}

static void put_item(assay_view_t *view, const char *text) {
    assay_buf_puts(view->out, "- ");
    assay_markdown_text(view, text);
    assay_buf_puts(view->out, "\n");
}

static void write_notes(assay_view_t *view, const assay_serving_decision_t *decision,
                        assay_note_kind_t kind, assay_message_t heading) {
    bool any = false;
    for (uint32_t i = 0; i < decision->n_note; i++) {
        if (decision->note[i].kind == kind) {
            if (!any) {
                put_heading(view, assay_view_message(view, heading));
            }
            any = true;
            put_item(view, assay_view_note_sourced(view, &decision->note[i]));
        }
    }
}

void assay_serving_write_markdown(assay_view_t *view, const assay_serving_decision_t *decision) {
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, decision->resolved->name
                                  ? decision->resolved->name
                                  : assay_view_message(view, ASSAY_MSG_REPORT_TITLE));
    assay_buf_puts(view->out, "\n\n");
    assay_markdown_text(view, decision->sentence);
    assay_buf_puts(view->out, "\n");
    put_table(view, assay_serving_cost_heading(view, decision),
              assay_serving_cost_table(view, decision));
    if (decision->choice >= 0) {
        put_table(view, assay_view_priced(view, ASSAY_MSG_SERVING_HEADING_PRICE),
                  assay_serving_price_table(view, decision));
        put_table(view, assay_view_message(view, ASSAY_MSG_SERVING_HEADING_LATENCY),
                  assay_serving_latency_table(view, decision));
    }
    if (decision->n_claim > 0) {
        put_table(view, assay_view_message(view, ASSAY_MSG_SERVING_HEADING_CLAIMS),
                  assay_serving_claim_table(view, decision));
    }
    if (decision->n_flip > 0) {
        put_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_FLIPS));
        for (uint32_t i = 0; i < decision->n_flip; i++) {
            put_item(view, decision->flip[i].sentence);
        }
    }
    const assay_study_t study = assay_study_of_serving(decision);
    assay_study_write_markdown(view, &study);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        put_table(view, SAY(view, SERVING_HEADING_LAYOUTS, c->machine->id),
                  assay_serving_layout_table(view, c));
        if (c->launch) {
            assay_buf_puts(view->out, "\n");
            assay_markdown_text(view, SAY(view, SERVING_LAUNCH, c->launch));
            assay_buf_puts(view->out, "\n");
        }
    }
    write_notes(view, decision, ASSAY_NOTE_WARNING, ASSAY_MSG_REPORT_HEADING_WARNINGS);
    write_notes(view, decision, ASSAY_NOTE_ASSUMPTION, ASSAY_MSG_REPORT_HEADING_ASSUMPTIONS);
}
