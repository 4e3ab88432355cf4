#include <inttypes.h>
#include <string.h>

#include "report/doctor_view.h"
#include "report/sarif.h"

#include "base/banned.h"

typedef struct {
    const assay_check_t **check; /* (n) */
    uint32_t n;
} rules_t;

/* Index of the check among the rules; n: it is not there yet. */
static uint32_t rule_of(const rules_t *rules, const assay_check_t *check) {
    uint32_t i = 0;
    while (i < rules->n && rules->check[i] != check) {
        i++;
    }
    return i;
}

/* The checks with a finding, each once. */
static bool rules_of(assay_view_t *view, const assay_diagnosis_t *diagnosis, rules_t *out) {
    *out = (rules_t){assay_arena_array(view->arena, diagnosis->n_finding, sizeof *out->check), 0};
    if (!out->check) {
        view->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        if (finding->status == ASSAY_CHECK_BAD && rule_of(out, finding->check) == out->n) {
            out->check[out->n++] = finding->check;
        }
    }
    return true;
}

static void put_rule(assay_view_t *view, assay_json_t *json, const assay_check_t *check) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", check->id);
    assay_sarif_text(json, "shortDescription", check->title);
    assay_sarif_text(json, "fullDescription", assay_doctor_plain(view, check->cause));
    assay_sarif_text(json, "help", assay_doctor_plain(view, check->fix));
    assay_json_begin_object(json, "defaultConfiguration");
    assay_json_string(json, "level", assay_sarif_level((assay_severity_t)check->severity));
    assay_json_end(json);
    assay_json_begin_object(json, "properties");
    assay_json_string(json, "source", check->source);
    assay_json_end(json);
    assay_json_end(json);
}

/* A file where there is one, and the host in any case. */
static void put_location(assay_view_t *view, assay_json_t *json, const char *host,
                         const assay_doctor_finding_t *finding) {
    assay_json_begin_array(json, "locations");
    assay_json_begin_object(json, NULL);
    if (finding->at.file) {
        assay_json_begin_object(json, "physicalLocation");
        assay_json_begin_object(json, "artifactLocation");
        assay_json_string(json, "uri", assay_sarif_uri(view, finding->at.file));
        assay_json_end(json);
        if (finding->at.line > 0) {
            assay_json_begin_object(json, "region");
            assay_json_count(json, "startLine", finding->at.line);
            if (finding->at.column > 0) {
                assay_json_count(json, "startColumn", finding->at.column);
            }
            assay_json_end(json);
        }
        assay_json_end(json);
    }
    assay_json_begin_array(json, "logicalLocations");
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "name", host);
    assay_json_end(json);
    assay_json_end(json);
    assay_json_end(json);
    assay_json_end(json);
}

/* Stable while the finding says the same of the same thing; lines may move. */
static uint64_t fingerprint(const assay_doctor_finding_t *finding) {
    const char *evidence = strstr(finding->evidence, ": ");
    const char *part[] = {finding->check->id, finding->at.file ? finding->at.file : "",
                          evidence ? evidence : finding->evidence};
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        for (const char *c = part[i]; *c; c++) {
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
        }
    }
    return hash;
}

static void put_result(assay_view_t *view, assay_json_t *json, const assay_diagnosis_t *diagnosis,
                       const assay_doctor_finding_t *finding, uint32_t rule) {
    const char *message =
        assay_view_format(view, "%s: %s", finding->check->title, finding->evidence);
    if (*finding->fix) {
        message = assay_view_format(view, "%s. %s: %s", message,
                                    assay_view_message(view, ASSAY_MSG_DOCTOR_DO), finding->fix);
    }
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "ruleId", finding->check->id);
    assay_json_count(json, "ruleIndex", rule);
    assay_json_string(json, "level", assay_sarif_level((assay_severity_t)finding->severity));
    assay_sarif_text(json, "message", message);
    put_location(view, json, diagnosis->host->name, finding);
    assay_json_begin_object(json, "partialFingerprints");
    assay_json_string(json, "assay/v1",
                      assay_view_format(view, "%016" PRIx64, fingerprint(finding)));
    assay_json_end(json);
    assay_json_end(json);
}

void assay_doctor_write_sarif(assay_view_t *view, const assay_diagnosis_t *diagnosis) {
    assay_json_t json;
    rules_t rules;
    if (!rules_of(view, diagnosis, &rules)) {
        return;
    }
    assay_json_init(&json, view->out);
    assay_sarif_begin(&json);
    for (uint32_t i = 0; i < rules.n; i++) {
        put_rule(view, &json, rules.check[i]);
    }
    assay_sarif_results(&json);
    for (uint32_t i = 0; i < diagnosis->n_finding; i++) {
        const assay_doctor_finding_t *finding = &diagnosis->finding[i];
        if (finding->status == ASSAY_CHECK_BAD) {
            put_result(view, &json, diagnosis, finding, rule_of(&rules, finding->check));
        }
    }
    assay_sarif_end(&json);
}
