/* A decision about images as text and Markdown: what fleets cost, how fast they are, where the
   verdict flips. */
#include "report/image_view.h"
#include "report/study_view.h"

#include "base/banned.h"

#define TEXT(id) assay_view_message(view, ASSAY_MSG_##id)

static const char *cell_id(assay_view_t *view, const assay_image_candidate_t *c) {
    (void)view;
    return c->machine->id;
}

static const char *cell_fleet(assay_view_t *view, const assay_image_candidate_t *c) {
    return SAY(view, IMAGE_FLEET, assay_view_count(view, c->fleet.nodes),
               assay_view_count(view, c->fleet.devices));
}

static const char *cell_month(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_quantity(view, c->month_usd, ASSAY_DIM_MONEY);
}

static const char *cell_tco(assay_view_t *view, const assay_image_candidate_t *c) {
    return SAY(view, DECIDE_RANGE, assay_view_quantity(view, c->tco_usd.p10, ASSAY_DIM_MONEY),
               assay_view_quantity(view, c->tco_usd.p90, ASSAY_DIM_MONEY));
}

static const char *cell_price(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_amount(view, c->usd_per_1000);
}

static const char *cell_busy_price(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_amount(view, c->usd_per_1000_busy);
}

static const char *cell_per_w(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_cell(view, c->images_per_s_per_w);
}

static const char *cell_best(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_chance(view, c->p_best);
}

static const char *cell_request(assay_view_t *view, const assay_image_candidate_t *c) {
    const assay_image_fleet_t *f = &c->fleet;
    return SAY(view, IMAGE_RANGE, assay_view_quantity(view, f->request_s, ASSAY_DIM_TIME),
               assay_view_quantity(view, f->request_s * f->rel_p10, ASSAY_DIM_TIME),
               assay_view_quantity(view, f->request_s * f->rel_p90, ASSAY_DIM_TIME));
}

static const char *cell_latency(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_format(view, "%s / %s",
                             assay_view_quantity(view, c->fleet.latency.p50_s, ASSAY_DIM_TIME),
                             assay_view_quantity(view, c->fleet.latency.p99_s, ASSAY_DIM_TIME));
}

static const char *cell_per_device(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_cell(view, c->fleet.images_per_s_per_device);
}

static const char *cell_peak(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_percent(view, c->fleet.flops_share);
}

static const char *cell_load(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_percent(view, c->fleet.load);
}

static const char *cell_engine(assay_view_t *view, const assay_image_candidate_t *c) {
    return assay_view_format(view, "%s, %s", c->demand->engine,
                             assay_view_basis(view, c->fleet.basis));
}

image_columns_t image_cost_columns(void) {
    static const image_column_t column[] = {{ASSAY_MSG_REPORT_COLUMN_CANDIDATE, cell_id},
                                            {ASSAY_MSG_IMAGE_COLUMN_FLEET, cell_fleet},
                                            {ASSAY_MSG_SERVING_COLUMN_MONTH, cell_month},
                                            {ASSAY_MSG_SERVING_COLUMN_TCO, cell_tco},
                                            {ASSAY_MSG_IMAGE_COLUMN_PRICE, cell_price},
                                            {ASSAY_MSG_IMAGE_COLUMN_BUSY, cell_busy_price},
                                            {ASSAY_MSG_IMAGE_COLUMN_PER_W, cell_per_w},
                                            {ASSAY_MSG_SERVING_COLUMN_CHEAPEST, cell_best}};
    return (image_columns_t){column, sizeof column / sizeof column[0]};
}

image_columns_t image_speed_columns(void) {
    static const image_column_t column[] = {{ASSAY_MSG_REPORT_COLUMN_CANDIDATE, cell_id},
                                            {ASSAY_MSG_IMAGE_COLUMN_REQUEST, cell_request},
                                            {ASSAY_MSG_IMAGE_COLUMN_LATENCY, cell_latency},
                                            {ASSAY_MSG_IMAGE_COLUMN_PER_DEVICE, cell_per_device},
                                            {ASSAY_MSG_IMAGE_COLUMN_PEAK, cell_peak},
                                            {ASSAY_MSG_SERVING_COLUMN_LOAD, cell_load},
                                            {ASSAY_MSG_IMAGE_COLUMN_ENGINE, cell_engine}};
    return (image_columns_t){column, sizeof column / sizeof column[0]};
}

const char *image_cost_heading(assay_view_t *view, const assay_image_decision_t *decision) {
    return SAY(view, SERVING_HEADING_COST, assay_view_years(view, decision->resolved->money.years));
}

const char *image_why_not(assay_view_t *view, const assay_image_candidate_t *c) {
    const assay_image_fleet_t *f = &c->fleet;
    const char *id = c->machine->id;
    switch (f->verdict) {
    case ASSAY_IMAGE_FLEET_MEMORY:
        return SAY(view, IMAGE_NO_MEMORY, id,
                   assay_view_quantity(view, f->weight_bytes, ASSAY_DIM_BYTES),
                   assay_view_quantity(view, f->activation_bytes, ASSAY_DIM_BYTES),
                   assay_view_quantity(view, f->context_bytes, ASSAY_DIM_BYTES),
                   assay_view_quantity(view, f->has_bytes, ASSAY_DIM_BYTES));
    case ASSAY_IMAGE_FLEET_LIMITS:
        return SAY(view, IMAGE_NO_LIMITS, id,
                   assay_view_quantity(view, f->request_s, ASSAY_DIM_TIME),
                   assay_view_quantity(view, c->demand->latency_p99_s, ASSAY_DIM_TIME));
    case ASSAY_IMAGE_FLEET_NODES:
        return SAY(view, IMAGE_NO_NODES, id, assay_view_count(view, f->nodes),
                   assay_view_count(view, c->machine->nodes));
    default:
        return NULL;
    }
}

const char *image_job_line(assay_view_t *view, const assay_image_decision_t *decision) {
    const assay_image_demand_t *demand = decision->candidate[0].demand;
    const assay_image_taken_t *taken = &demand->taken;
    const char *load = demand->rate_per_s > 0
                           ? SAY(view, IMAGE_AT_RATE, assay_view_number(view, demand->rate_per_s))
                           : SAY(view, IMAGE_AT_ONCE, assay_view_count(view, demand->concurrency));
    const char *const arg[] = {taken->name,
                               assay_view_count(view, taken->width),
                               assay_view_count(view, taken->height),
                               assay_view_count(view, taken->steps),
                               TEXT(IMAGE_UNGUIDED),
                               assay_view_count(view, demand->images),
                               assay_dtype_name(demand->work.dtype),
                               load};
    const char *guided[sizeof arg / sizeof arg[0]];
    for (size_t i = 0; i < sizeof arg / sizeof arg[0]; i++) {
        guided[i] = i == 4 && taken->guided ? TEXT(IMAGE_GUIDED) : arg[i];
    }
    return assay_view_sentence(view, ASSAY_MSG_IMAGE_JOB, guided, sizeof guided / sizeof guided[0]);
}

/* ---- text and Markdown ---- */

static assay_table_t *table_of(assay_view_t *view, const assay_image_decision_t *decision,
                               image_columns_t columns) {
    assay_table_t *table = assay_view_table(view, columns.n);
    for (uint32_t c = 0; c < columns.n; c++) {
        assay_table_column(table, c, assay_view_priced(view, columns.column[c].name), "", c > 0);
    }
    assay_table_whole(table, 0);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_image_candidate_t *candidate = &decision->candidate[i];
        assay_table_row(table);
        for (uint32_t c = 0; c < (candidate->fits ? columns.n : 1); c++) {
            assay_table_cell(table, c, columns.column[c].cell(view, candidate));
        }
    }
    return table;
}

void assay_images_write_text(assay_view_t *view, const assay_image_decision_t *decision) {
    const uint32_t chosen = decision->choice >= 0 ? (uint32_t)decision->choice + 1 : 0;
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", decision->sentence);
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "", image_job_line(view, decision));
    assay_text_heading(view, image_cost_heading(view, decision));
    assay_text_table(view, table_of(view, decision, image_cost_columns()), chosen);
    assay_text_heading(view, TEXT(IMAGE_HEADING_SPEED));
    assay_text_table(view, table_of(view, decision, image_speed_columns()), chosen);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const char *why = image_why_not(view, &decision->candidate[i]);
        if (why) {
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", why);
        }
    }
    if (decision->n_flip > 0) {
        assay_text_heading(view, TEXT(REPORT_HEADING_FLIPS));
    }
    for (uint32_t i = 0; i < decision->n_flip; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", decision->flip[i].sentence);
    }
    const assay_study_t study = assay_study_of_images(decision);
    assay_study_write_text(view, &study);
    assay_text_warnings(view, decision->note, decision->n_note);
    assay_text_assumptions(view, decision->note, decision->n_note);
}

static void put_heading(assay_view_t *view, const char *text) {
    assay_buf_puts(view->out, "\n## ");
    assay_markdown_text(view, text);
    assay_buf_puts(view->out, "\n\n");
}

static void put_item(assay_view_t *view, const char *text) {
    assay_buf_puts(view->out, "- ");
    assay_markdown_text(view, text);
    assay_buf_puts(view->out, "\n");
}

static void put_notes(assay_view_t *view, const assay_image_decision_t *decision,
                      assay_note_kind_t kind, const char *heading) {
    bool any = false;
    for (uint32_t i = 0; i < decision->n_note; i++) {
        if (decision->note[i].kind == kind) {
            if (!any) {
                put_heading(view, heading);
            }
            any = true;
            put_item(view, assay_view_note_sourced(view, &decision->note[i]));
        }
    }
}

void assay_images_write_markdown(assay_view_t *view, const assay_image_decision_t *decision) {
    const char *name = decision->resolved->name;
    assay_buf_puts(view->out, "# ");
    assay_markdown_text(view, name ? name : TEXT(REPORT_TITLE));
    assay_buf_puts(view->out, "\n\n**");
    assay_markdown_text(view, decision->sentence);
    assay_buf_puts(view->out, "**\n\n");
    assay_markdown_text(view, image_job_line(view, decision));
    assay_buf_puts(view->out, "\n");
    put_heading(view, image_cost_heading(view, decision));
    assay_table_print(table_of(view, decision, image_cost_columns()), ASSAY_TABLE_MARKDOWN, 0,
                      view->out);
    put_heading(view, TEXT(IMAGE_HEADING_SPEED));
    assay_table_print(table_of(view, decision, image_speed_columns()), ASSAY_TABLE_MARKDOWN, 0,
                      view->out);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const char *why = image_why_not(view, &decision->candidate[i]);
        if (why) {
            assay_buf_puts(view->out, "\n");
            put_item(view, why);
        }
    }
    if (decision->n_flip > 0) {
        put_heading(view, TEXT(REPORT_HEADING_FLIPS));
    }
    for (uint32_t i = 0; i < decision->n_flip; i++) {
        put_item(view, decision->flip[i].sentence);
    }
    const assay_study_t study = assay_study_of_images(decision);
    assay_study_write_markdown(view, &study);
    put_notes(view, decision, ASSAY_NOTE_WARNING, TEXT(REPORT_HEADING_WARNINGS));
    put_notes(view, decision, ASSAY_NOTE_ASSUMPTION, TEXT(REPORT_HEADING_ASSUMPTIONS));
}
