#include "report/doctor_view.h"

#include "base/banned.h"

static void put_finding(assay_json_t *json, const assay_diagnosis_t *diagnosis,
                        const assay_doctor_finding_t *finding) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", finding->check->id);
    assay_json_string(json, "severity", assay_severity_name((assay_severity_t)finding->severity));
    assay_json_string(json, "status",
                      assay_check_status_name((assay_check_status_t)finding->status));
    assay_json_string(json, "title", finding->check->title);
    assay_json_string(json, "evidence", finding->evidence);
    if (finding->status == ASSAY_CHECK_BAD) {
        assay_json_string(json, "cause", finding->cause);
        assay_json_string(json, "fix", finding->fix);
        assay_json_string(json, "verify", finding->verify);
        assay_json_string(json, "file", finding->at.file);
        assay_json_number_if(json, "line", finding->at.line > 0, finding->at.line);
        if (finding->at.column > 0) {
            assay_json_count(json, "column", finding->at.column);
        }
        assay_json_begin_array(json, "devices");
        for (uint32_t i = 0; i < finding->n_device; i++) {
            assay_json_string(json, NULL, finding->device[i]);
        }
        assay_json_end(json);
        assay_json_bool(json, "stated", finding->stated);
        assay_json_string(json, "follows_from",
                          finding->root >= 0 ? diagnosis->finding[finding->root].check->id : NULL);
        assay_json_string(json, "source", finding->check->source);
    }
    assay_json_end(json);
}

static void put_first(assay_json_t *json, const assay_diagnosis_t *diagnosis) {
    if (diagnosis->first < 0) {
        assay_json_string(json, "first", NULL);
        return;
    }
    const assay_doctor_finding_t *first = &diagnosis->finding[diagnosis->first];
    assay_json_begin_object(json, "first");
    assay_json_string(json, "id", first->check->id);
    assay_json_string(json, "title", first->check->title);
    assay_json_string(json, "fix", first->fix);
    assay_json_string(json, "verify", first->verify);
    assay_json_end(json);
}

static void put_summary(assay_view_t *view, assay_json_t *json,
                        const assay_diagnosis_t *diagnosis) {
    const assay_host_t *host = diagnosis->host;
    assay_json_begin_object(json, "summary");
    assay_json_string(json, "sentence", assay_doctor_sentence(view, diagnosis));
    for (int s = 0; s < ASSAY_SEVERITY_N; s++) {
        assay_json_count(json, assay_severity_name((assay_severity_t)s), diagnosis->n_severity[s]);
    }
    for (int s = 0; s < ASSAY_CHECK_STATUS_N; s++) {
        assay_json_count(json, assay_check_status_name((assay_check_status_t)s),
                         diagnosis->n_status[s]);
    }
    assay_json_string(json, "threshold", assay_severity_name(diagnosis->threshold));
    assay_json_bool(json, "threshold_reached", diagnosis->reached);
    assay_json_count(json, "accelerators", host->n_gpu);
    assay_json_begin_array(json, "sources");
    for (uint32_t i = 0; i < host->n_source; i++) {
        const assay_host_source_t *source = &host->source[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "file", source->file);
        assay_json_string(json, "kind", source->parser);
        assay_json_count(json, "bytes", source->bytes);
        assay_json_bool(json, "stated", source->stated);
        assay_json_string(json, "unread", source->reason);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_end(json);
}

static void put_answers(assay_json_t *json, const assay_diagnosis_t *diagnosis) {
    assay_json_begin_array(json, "visible_devices");
    for (uint32_t i = 0; i < diagnosis->n_visible; i++) {
        const assay_visible_t *visible = &diagnosis->visible[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "case", visible->name);
        assay_json_number_if(json, "count", visible->known, visible->n_device);
        assay_json_begin_array(json, "devices");
        for (uint32_t k = 0; visible->named && k < visible->n_device; k++) {
            assay_json_count(json, NULL, visible->device[k]);
        }
        assay_json_end(json);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_begin_array(json, "partitions");
    for (uint32_t i = 0; i < diagnosis->n_partition; i++) {
        const assay_partition_answer_t *answer = &diagnosis->partition[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "compute", answer->compute);
        assay_json_string(json, "memory", answer->memory);
        if (answer->known) {
            assay_json_bool(json, "legal", answer->legal);
        } else {
            assay_json_string(json, "legal", NULL);
        }
        assay_json_number_if(json, "devices", answer->legal, answer->devices);
        assay_json_end(json);
    }
    assay_json_end(json);
}

void assay_doctor_write_json(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "host", diagnosis->host->name);
    assay_json_begin_array(&json, "findings");
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        put_finding(&json, diagnosis, &diagnosis->finding[i]);
    }
    assay_json_end(&json);
    put_first(&json, diagnosis);
    put_answers(&json, diagnosis);
    put_summary(view, &json, diagnosis);
    assay_json_end(&json);
}

static void put_check(assay_view_t *view, assay_json_t *json, const char *key,
                      const assay_check_t *check) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "id", check->id);
    assay_json_string(json, "severity", assay_severity_name((assay_severity_t)check->severity));
    assay_json_string(json, "applies", check->applies);
    assay_json_string(json, "title", check->title);
    assay_json_string(json, "condition", check->condition);
    assay_json_string(json, "cause", assay_doctor_plain(view, check->cause));
    assay_json_string(json, "reads", check->reads);
    assay_json_string(json, "fix", assay_doctor_plain(view, check->fix));
    assay_json_string(json, "verify", check->verify);
    assay_json_string(json, "source", check->source);
    assay_json_string(json, "reference", check->reference);
    assay_json_begin_array(json, "thresholds");
    for (uint32_t i = 0; i < check->n_threshold; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "id", check->threshold[i].id);
        assay_json_number(json, "value", check->threshold[i].value);
        assay_json_string(json, "unit", check->threshold[i].unit);
        assay_json_string(json, "source", check->threshold[i].source);
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_end(json);
}

void assay_checks_write_json(assay_view_t *view, const assay_checks_t *checks) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_begin_array(&json, "checks");
    for (uint32_t i = 0; i < checks->n; i++) {
        put_check(view, &json, NULL, &checks->check[i]);
    }
    assay_json_end(&json);
    assay_json_end(&json);
}

void assay_check_write_json(assay_view_t *view, const assay_checks_t *checks) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    put_check(view, &json, NULL, checks->check);
}
