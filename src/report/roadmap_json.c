#include "report/roadmap_view.h"

#include "base/banned.h"

static void put_range(assay_json_t *json, const char *key, assay_range_t range) {
    assay_json_begin_object(json, key);
    assay_json_number(json, "p10", range.p10);
    assay_json_number(json, "p50", range.p50);
    assay_json_number(json, "p90", range.p90);
    assay_json_end(json);
}

static void put_phase(assay_view_t *view, const assay_roadmap_t *map, const assay_phase_t *phase,
                      assay_json_t *json) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", phase->id);
    assay_json_string(json, "name", assay_view_phrase(view, phase->name));
    assay_json_bool(json, "endless", phase->endless);
    assay_json_string(json, "start", assay_roadmap_date(view, map, phase->start));
    assay_json_string(json, "end_p50",
                      phase->endless ? NULL : assay_roadmap_date(view, map, phase->end.p50));
    assay_json_string(json, "end_p90",
                      phase->endless ? NULL : assay_roadmap_date(view, map, phase->end.p90));
    put_range(json, "weeks", phase->weeks);
    put_range(json, "person_days", phase->total_days);
    assay_json_begin_object(json, "person_days_by_role");
    for (int k = 0; k < ASSAY_ROLE_N; k++) {
        put_range(json, assay_role_name((assay_role_t)k), phase->days[k]);
    }
    assay_json_end(json);
    assay_json_number(json, "cost_usd", phase->usd);
    assay_json_begin_array(json, "gates");
    for (uint32_t k = 0; k < phase->n_gate; k++) {
        const assay_gate_t *gate = &phase->gate[k];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "id", gate->id);
        assay_json_string(json, "text", assay_roadmap_gate(view, map, gate));
        assay_json_number_if(json, "value", gate->has_value, gate->value);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_string(json, "rollback", assay_view_phrase(view, phase->rollback));
    assay_json_string(json, "source", phase->source);
    assay_json_end(json);
}

void assay_roadmap_write_json(assay_view_t *view, const assay_roadmap_t *map) {
    const assay_roadmap_case_t *of = &map->of;
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "target", of->target->id);
    assay_json_string(&json, "reference", of->reference ? of->reference->id : NULL);
    assay_json_string(&json, "unit", of->unit);
    assay_json_number_if(&json, "target_per_s_per_package", of->target_per_s > 0, of->target_per_s);
    assay_json_number_if(&json, "reference_per_s_per_package", of->reference_per_s > 0,
                         of->reference_per_s);
    assay_json_string(&json, "start", assay_roadmap_date(view, map, 0));
    assay_json_count(&json, "team", of->team);
    put_range(&json, "weeks", map->weeks);
    put_range(&json, "person_days", map->days);
    assay_json_number(&json, "cost_usd", map->usd);
    assay_json_number(&json, "contingency_usd", map->contingency_usd);
    assay_json_number(&json, "debt_usd_per_year", map->debt_usd_per_year);
    assay_json_begin_array(&json, "phases");
    for (uint32_t i = 0; i < map->n_phase; i++) {
        put_phase(view, map, &map->phase[i], &json);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}
