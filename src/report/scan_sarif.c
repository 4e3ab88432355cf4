/* SARIF 2.1.0 (OASIS), as code review tools read it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/sarif.h"
#include "report/scan_view.h"

#include "base/banned.h"

static int compare_rules(const void *a, const void *b) {
    const assay_port_finding_t *const *left = a, *const *right = b;
    return strcmp((*left)->rule, (*right)->rule);
}

/* The first finding of a rule stands first. */
static int compare_places(const void *a, const void *b) {
    const assay_port_finding_t *const *left = a, *const *right = b;
    const int order = compare_rules(a, b);
    return order ? order : (*left > *right) - (*left < *right);
}

/* One finding of each rule, by name. */
static const assay_port_finding_t **rules_of(assay_view_t *view, const assay_port_scan_t *scan,
                                             uint32_t *out_n) {
    const assay_port_finding_t **rule =
        assay_arena_array(view->arena, scan->n_finding, sizeof *rule);
    *out_n = 0;
    if (!rule) {
        view->failed = true;
        return NULL;
    }
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        rule[i] = &scan->finding[i];
    }
    qsort(rule, scan->n_finding, sizeof *rule, compare_places);
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        if (*out_n == 0 || strcmp(rule[*out_n - 1]->rule, rule[i]->rule) != 0) {
            rule[(*out_n)++] = rule[i];
        }
    }
    return rule;
}

static void put_rule(assay_json_t *json, const assay_port_finding_t *f) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "id", f->rule);
    assay_sarif_text(json, "shortDescription", f->message);
    assay_json_begin_object(json, "defaultConfiguration");
    assay_json_string(json, "level", assay_sarif_level((assay_severity_t)f->severity));
    assay_json_end(json);
    assay_json_begin_object(json, "properties");
    assay_json_string(json, "effect", assay_effect_name((assay_effect_t)f->effect));
    assay_json_count(json, "level", f->level);
    assay_json_string(json, "source", f->source);
    assay_json_bool(json, "heuristic", f->heuristic);
    assay_json_end(json);
    assay_json_end(json);
}

/* Columns count code points there, bytes here; before the kept text there is only white space. */
static uint32_t code_points(const assay_port_finding_t *f, uint32_t from, uint32_t to) {
    uint32_t n = 0;
    for (uint32_t column = from; column < to; column++) {
        const size_t at = column - f->text_column;
        const bool kept = f->text && column >= f->text_column && at < strlen(f->text);
        n += !kept || ((unsigned char)f->text[at] & 0xc0) != 0x80;
    }
    return n;
}

static void put_location(assay_view_t *view, assay_json_t *json, const assay_port_finding_t *f) {
    const uint32_t start = 1 + code_points(f, 1, f->at.column);
    assay_json_begin_array(json, "locations");
    assay_json_begin_object(json, NULL);
    assay_json_begin_object(json, "physicalLocation");
    assay_json_begin_object(json, "artifactLocation");
    assay_json_string(json, "uri", assay_sarif_uri(view, f->at.file));
    assay_json_string(json, "uriBaseId", "%SRCROOT%");
    assay_json_end(json);
    if (f->at.line > 0) {
        assay_json_begin_object(json, "region");
        assay_json_count(json, "startLine", f->at.line);
        if (f->at.column > 0) {
            assay_json_count(json, "startColumn", start);
            if (f->length > 0) {
                assay_json_count(json, "endColumn",
                                 start + code_points(f, f->at.column, f->at.column + f->length));
            }
        }
        if (f->text) {
            assay_sarif_text(json, "snippet", f->text);
        }
        assay_json_end(json);
    }
    assay_json_end(json);
    assay_json_end(json);
    assay_json_end(json);
}

static void put_result(assay_view_t *view, assay_json_t *json, const assay_port_finding_t *f,
                       uint64_t fingerprint, uint32_t rule_index, bool baseline) {
    const char *said = assay_scan_message(view, f);
    const char *message = f->api && f->api[0] ? SAY(view, SCAN_ABOUT, f->api, said) : said;
    if (f->replacement && f->replacement[0]) {
        message = SAY(view, SCAN_THEN, message, SAY(view, SCAN_INSTEAD, f->replacement));
    }
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "ruleId", f->rule);
    assay_json_count(json, "ruleIndex", rule_index);
    assay_json_string(json, "level", assay_sarif_level((assay_severity_t)f->severity));
    assay_sarif_text(json, "message", message);
    put_location(view, json, f);
    assay_json_begin_object(json, "partialFingerprints");
    char print[17];
    snprintf(print, sizeof print, "%016" PRIx64, fingerprint);
    assay_json_string(json, "assay/v1", print);
    assay_json_end(json);
    if (baseline) {
        assay_json_string(json, "baselineState", f->known ? "unchanged" : "new");
    }
    assay_json_end(json);
}

void assay_scan_write_sarif(assay_view_t *view, const assay_scan_view_t *s) {
    const assay_port_scan_t *scan = s->scan;
    uint32_t n_rule;
    const assay_port_finding_t **rule = rules_of(view, scan, &n_rule);
    assay_json_t json;
    if (!rule) {
        return;
    }
    assay_json_init(&json, view->out);
    assay_sarif_begin(&json);
    for (uint32_t i = 0; i < n_rule; i++) {
        put_rule(&json, rule[i]);
    }
    assay_sarif_results(&json);
    for (uint32_t i = 0; i < scan->n_finding; i++) {
        const assay_port_finding_t *f = &scan->finding[i];
        const assay_port_finding_t **found = bsearch(&f, rule, n_rule, sizeof *rule, compare_rules);
        put_result(view, &json, f, s->fingerprint[i], (uint32_t)(found - rule), s->n_known > 0);
    }
    assay_sarif_end(&json);
}
