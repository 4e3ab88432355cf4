/* A decision about images for programs: JSON, and one row a candidate as CSV. */
#include "report/image_view.h"
#include "report/study_view.h"

#include "base/banned.h"

static const char *const verdict_name[] = {[ASSAY_IMAGE_FLEET_FITS] = "fits",
                                           [ASSAY_IMAGE_FLEET_MEMORY] = "memory",
                                           [ASSAY_IMAGE_FLEET_LIMITS] = "limits",
                                           [ASSAY_IMAGE_FLEET_NODES] = "nodes"};

/* Figures of a candidate that fits, by name, for both. */
#define FIGURES(X)                                                 \
    X("nodes", c->fleet.nodes)                                     \
    X("devices", c->fleet.devices)                                 \
    X("devices_needed", c->fleet.needed)                           \
    X("load", c->fleet.load)                                       \
    X("latency_p50_s", c->fleet.latency.p50_s)                     \
    X("latency_p90_s", c->fleet.latency.p90_s)                     \
    X("latency_p99_s", c->fleet.latency.p99_s)                     \
    X("images_per_s", c->fleet.images_per_s)                       \
    X("images_per_s_per_device", c->fleet.images_per_s_per_device) \
    X("images_per_s_per_w", c->images_per_s_per_w)                 \
    X("device_w", c->fleet.device_w)                               \
    X("usd_per_1000_images", c->usd_per_1000)                      \
    X("usd_per_1000_images_busy", c->usd_per_1000_busy)            \
    X("month_usd", c->month_usd)                                   \
    X("month_p10_usd", c->month_usd_spread.p10)                    \
    X("month_p90_usd", c->month_usd_spread.p90)                    \
    X("one_time_usd", c->point.one_time_usd)                       \
    X("energy_kwh_per_month", c->point.energy_kwh)                 \
    X("tco_usd", c->point.tco_usd)                                 \
    X("tco_p10_usd", c->tco_usd.p10)                               \
    X("tco_p90_usd", c->tco_usd.p90)                               \
    X("p_cheapest", c->p_best)

static void write_request(assay_json_t *json, const assay_image_candidate_t *c) {
    const assay_image_fleet_t *f = &c->fleet;
    assay_json_begin_object(json, "request");
    assay_json_number(json, "time_s", f->request_s);
    assay_json_number(json, "rel_p10", f->rel_p10);
    assay_json_number(json, "rel_p90", f->rel_p90);
    assay_json_number(json, "share_of_peak", f->flops_share);
    assay_json_string(json, "engine", c->demand->engine);
    assay_json_string(json, "basis", assay_basis_name((assay_basis_t)f->basis));
    assay_json_begin_object(json, "parts_s");
    for (int p = 0; p < ASSAY_IMAGE_PART_N; p++) {
        assay_json_number(json, assay_image_part_name((assay_image_part_t)p), f->part_s[p]);
    }
    assay_json_end(json);
    assay_json_begin_array(json, "stages");
    for (uint32_t i = 0; i < c->demand->work.n_stage; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "name", c->demand->work.stage[i].name);
        assay_json_number(json, "passes", c->demand->work.stage[i].passes);
        assay_json_number(json, "time_s", f->stage_s[i]);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_begin_object(json, "memory");
    assay_json_number(json, "weights_bytes", f->weight_bytes);
    assay_json_number(json, "activations_bytes", f->activation_bytes);
    assay_json_number(json, "context_bytes", f->context_bytes);
    assay_json_number(json, "available_bytes", f->has_bytes);
    assay_json_end(json);
    if (c->demand->claim) {
        assay_json_begin_object(json, "claim");
        assay_json_string(json, "id", c->demand->claim);
        assay_json_number(json, "time_s", c->demand->claim_s);
        assay_json_string(json, "source", c->demand->claim_source);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void write_candidate(assay_json_t *json, const assay_image_candidate_t *c) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", c->machine->id);
    assay_json_string(json, "accelerator", c->machine->accelerator->id);
    assay_json_bool(json, "fits", c->fits);
    assay_json_string(json, "verdict", verdict_name[c->fleet.verdict]);
    write_request(json, c);
#define WRITE(name, value) assay_json_number_if(json, name, c->fits, value);
    FIGURES(WRITE)
#undef WRITE
    assay_json_end(json);
}

static void write_job(assay_json_t *json, const assay_image_demand_t *demand) {
    assay_json_begin_object(json, "asked");
    assay_json_string(json, "model", demand->taken.name);
    assay_json_count(json, "width", demand->taken.width);
    assay_json_count(json, "height", demand->taken.height);
    assay_json_count(json, "steps", demand->taken.steps);
    assay_json_bool(json, "guided", demand->taken.guided);
    assay_json_number(json, "images_per_request", demand->images);
    assay_json_string(json, "precision", assay_dtype_name(demand->work.dtype));
    assay_json_number_if(json, "requests_per_s", demand->rate_per_s > 0, demand->rate_per_s);
    assay_json_number_if(json, "concurrency", demand->concurrency > 0, demand->concurrency);
    assay_json_number_if(json, "limit_p99_s", demand->latency_p99_s > 0, demand->latency_p99_s);
    assay_json_end(json);
}

void assay_images_write_json(assay_view_t *view, const assay_image_decision_t *decision) {
    const bool chosen = decision->choice >= 0;
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_object(&json, "verdict");
    assay_json_string(&json, "choice",
                      chosen ? decision->candidate[decision->choice].machine->id : NULL);
    assay_json_number_if(&json, "probability", chosen, decision->probability);
    assay_json_number_if(&json, "regret_usd", chosen, decision->regret_usd);
    assay_json_string(&json, "sentence", decision->sentence);
    assay_json_end(&json);
    write_job(&json, decision->candidate[0].demand);
    assay_json_begin_array(&json, "candidates");
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        write_candidate(&json, &decision->candidate[i]);
    }
    assay_json_end(&json);
    assay_json_flips(&json, decision->flip, decision->n_flip);
    assay_json_study(&json, decision->sensitivity);
    assay_json_notes(&json, "assumptions", decision->note, decision->n_note, ASSAY_NOTE_ASSUMPTION);
    assay_json_notes(&json, "warnings", decision->note, decision->n_note, ASSAY_NOTE_WARNING);
    assay_json_end(&json);
}

void assay_images_write_csv(assay_view_t *view, const assay_image_decision_t *decision) {
    static const char *const name[] = {"candidate",  "choice",    "verdict",       "engine",
                                       "basis",      "request_s", "share_of_peak",
#define NAME(name, value) name,
                                       FIGURES(NAME)
#undef NAME
    };
    enum { N_COLUMN = sizeof name / sizeof name[0] };
    const assay_study_t study = assay_study_of_images(decision);
    assay_table_t *table = assay_view_table(view, N_COLUMN + ASSAY_STUDY_COLUMNS);
    assay_study_csv_columns(table, N_COLUMN);
    for (uint32_t i = 0; i < N_COLUMN; i++) {
        assay_table_column(table, i, name[i], "", i > 4);
    }
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const assay_image_candidate_t *c = &decision->candidate[i];
        uint32_t at = 0;
        assay_table_row(table);
        assay_table_cell(table, at++, c->machine->id);
        assay_table_cell(table, at++, decision->choice == (int32_t)i ? "true" : "false");
        assay_table_cell(table, at++, verdict_name[c->fleet.verdict]);
        assay_table_cell(table, at++, c->demand->engine);
        assay_table_cell(table, at++, assay_basis_name((assay_basis_t)c->fleet.basis));
        assay_table_cell(table, at++, assay_view_count(view, c->fleet.request_s));
        assay_table_cell(table, at++, assay_view_count(view, c->fleet.flops_share));
        if (c->fits) {
#define CELL(name, value) assay_table_cell(table, at++, assay_view_count(view, value));
            FIGURES(CELL)
#undef CELL
        }
        if (decision->choice == (int32_t)i) {
            assay_study_csv_cells(view, table, N_COLUMN, &study);
        }
    }
    assay_table_print(table, ASSAY_TABLE_CSV, 0, view->out);
}
