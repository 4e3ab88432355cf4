#include <inttypes.h>
#include <stdio.h>

#include "report/scan_view.h"

#include "base/banned.h"

static void put_days(assay_json_t *json, const char *key, const assay_port_days_t *days) {
    assay_json_begin_object(json, key);
    assay_json_number(json, "p10_days", days->p10_days);
    assay_json_number(json, "p50_days", days->p50_days);
    assay_json_number(json, "p90_days", days->p90_days);
    assay_json_end(json);
}

static void put_finding(assay_json_t *json, const assay_port_finding_t *f, uint64_t fingerprint) {
    char print[17];
    snprintf(print, sizeof print, "%016" PRIx64, fingerprint);
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "rule", f->rule);
    assay_json_string(json, "file", f->at.file);
    assay_json_count(json, "line", f->at.line);
    assay_json_count(json, "column", f->at.column);
    assay_json_count(json, "length", f->length);
    assay_json_string(json, "severity", assay_severity_name((assay_severity_t)f->severity));
    assay_json_string(json, "effect", assay_effect_name((assay_effect_t)f->effect));
    assay_json_count(json, "level", f->level);
    assay_json_string(json, "api", assay_view_or_empty(f->api));
    assay_json_string(json, "status", assay_view_or_empty(f->status));
    assay_json_string(json, "replacement", assay_view_or_empty(f->replacement));
    assay_json_string(json, "library", assay_view_or_empty(f->library));
    assay_json_string(json, "message", f->message);
    assay_json_string(json, "source", f->source);
    assay_json_bool(json, "heuristic", f->heuristic);
    assay_json_bool(json, "deep", f->deep);
    assay_json_bool(json, "known", f->known);
    assay_json_string(json, "text", f->text);
    assay_json_string(json, "fingerprint", print);
    assay_json_end(json);
}

static void put_effort(assay_json_t *json, const assay_port_scan_t *scan) {
    const assay_port_effort_t *e = &scan->effort;
    static const char *const level[] = {"level1", "level2", "level3"};
    assay_json_begin_object(json, "effort");
    for (uint32_t i = 0; i < 3; i++) {
        put_days(json, level[i], &e->level[i]);
    }
    put_days(json, "training", &e->training);
    put_days(json, "contingency", &e->contingency);
    put_days(json, "total", &e->total);
    put_days(json, "calendar", &e->calendar);
    put_days(json, "review_wait", &e->review_wait);
    assay_json_begin_object(json, "tail");
    assay_json_number(json, "p95_days", e->tail_p95_days);
    assay_json_number(json, "p99_days", e->tail_p99_days);
    assay_json_number(json, "covered_share", e->covered_share);
    assay_json_end(json);
    assay_json_number(json, "debt_days_per_year", e->debt_days_per_year);
    assay_json_number(json, "debt_fork_days_per_year", e->debt_fork_days_per_year);
    if (e->hip_fit >= 0.0) { /* unknown is absent, for what reads this as a job's input */
        assay_json_number(json, "hip_fit", e->hip_fit);
        assay_json_number(json, "cuda_only_share", e->cuda_only_share);
        assay_json_number(json, "ported_share", e->ported_share);
    }
    assay_json_number(json, "experience", e->experience);
    assay_json_string(json, "replaced_by", scan->replaced_by);
    assay_json_begin_array(json, "assumption");
    for (uint32_t i = 0; i < e->n_assumption; i++) {
        assay_json_string(json, NULL, e->assumption[i]);
    }
    assay_json_end(json);
    assay_json_end(json);
}

static void put_effects(assay_json_t *json, const uint32_t count[ASSAY_EFFECT_N]) {
    for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
        assay_json_count(json, assay_effect_name((assay_effect_t)e), count[e]);
    }
}

static void put_groups(assay_json_t *json, const char *key, const assay_scan_group_t *group,
                       uint32_t n, bool directories) {
    assay_json_begin_array(json, key);
    for (uint32_t i = 0; i < n; i++) {
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "name", group[i].name);
        assay_json_count(json, "files", group[i].files);
        if (directories) {
            assay_json_count(json, "lines", group[i].lines);
            assay_json_number(json, "residual_lines", group[i].residual_lines);
        }
        put_effects(json, group[i].finding);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void put_files(assay_json_t *json, const assay_port_scan_t *scan) {
    assay_json_begin_array(json, "files");
    for (uint32_t i = 0; i < scan->n_file; i++) {
        const assay_port_file_t *file = &scan->file[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "path", file->path);
        if (file->skipped) {
            assay_json_string(json, "skipped", file->skipped);
            assay_json_end(json);
            continue;
        }
        assay_json_string(json, "language",
                          assay_port_language_name((assay_port_language_t)file->language));
        assay_json_count(json, "bytes", file->bytes);
        assay_json_count(json, "lines", file->lines);
        assay_json_count(json, "kernels", file->kernels);
        assay_json_count(json, "launches", file->launches);
        const assay_port_references_t references = assay_port_file_references(file);
        assay_json_count(json, "references", references.all);
        assay_json_count(json, "ready", references.ready);
        assay_json_count(json, "ported", references.ported);
        assay_json_count(json, "cuda_only", references.cuda_only);
        assay_json_number(json, "residual_lines", file->residual_lines);
        put_effects(json, file->finding);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void put_references(assay_json_t *json, const assay_scan_view_t *s) {
    static const char *const kind[ASSAY_PORT_REFERENCE_N] = {"api", "kernel", "package"};
    uint64_t all = 0, ready = 0, ported = 0, cuda_only = 0;
    for (uint32_t k = 0; k < ASSAY_PORT_REFERENCE_N; k++) {
        all += s->references[k].all;
        ready += s->references[k].ready;
        ported += s->references[k].ported;
        cuda_only += s->references[k].cuda_only;
    }
    assay_json_count(json, "references", all);
    assay_json_count(json, "ready", ready);
    assay_json_count(json, "ported", ported);
    assay_json_count(json, "cuda_only", cuda_only);
    assay_json_begin_object(json, "references_by_kind");
    for (uint32_t k = 0; k < ASSAY_PORT_REFERENCE_N; k++) {
        assay_json_begin_object(json, kind[k]);
        assay_json_count(json, "references", s->references[k].all);
        assay_json_count(json, "ready", s->references[k].ready);
        assay_json_count(json, "ported", s->references[k].ported);
        assay_json_count(json, "cuda_only", s->references[k].cuda_only);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void put_frameworks(assay_json_t *json, const assay_port_scan_t *scan) {
    assay_json_begin_array(json, "frameworks");
    for (uint32_t i = 0; i < scan->n_framework; i++) {
        const assay_port_framework_t *f = &scan->framework[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "package", f->package);
        assay_json_string(json, "name", f->name);
        assay_json_count(json, "files", f->files);
        assay_json_bool(json, "listed", f->listed);
        assay_json_string(json, "versions", f->versions);
        assay_json_string(json, "how", f->how);
        assay_json_string(json, "note", f->note);
        assay_json_string(json, "source", f->source);
        assay_json_end(json);
    }
    assay_json_end(json);
}

static void put_summary(assay_json_t *json, const assay_scan_view_t *s) {
    static const char *const level[] = {"all", "level1", "level2", "level3"};
    const assay_port_scan_t *scan = s->scan;
    assay_json_begin_object(json, "summary");
    assay_json_count(json, "files", scan->n_file - s->n_skipped);
    assay_json_count(json, "skipped", s->n_skipped);
    assay_json_count(json, "bytes", scan->bytes);
    assay_json_count(json, "lines", scan->lines);
    assay_json_count(json, "cuda_lines", scan->effort.cuda_lines);
    assay_json_count(json, "kernels", s->kernels);
    assay_json_count(json, "launches", s->launches);
    put_references(json, s);
    assay_json_number(json, "residual_lines", scan->effort.residual_lines);
    assay_json_count(json, "new", s->n_new);
    assay_json_count(json, "known", s->n_known);
    for (uint32_t k = 0; k < 4; k++) {
        assay_json_begin_object(json, level[k]);
        for (uint32_t e = 0; e < ASSAY_EFFECT_N; e++) {
            assay_json_count(json, assay_effect_name((assay_effect_t)e), s->by_level[e][k]);
        }
        assay_json_end(json);
    }
    put_groups(json, "directories", s->directory, s->n_directory, true);
    put_groups(json, "libraries", s->library, s->n_library, false);
    put_groups(json, "rules", s->rule, s->n_rule, false);
    assay_json_end(json);
}

void assay_scan_write_json(assay_view_t *view, const assay_scan_view_t *s) {
    assay_json_t json;
    assay_json_init(&json, view->out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "root", s->scan->root);
    assay_json_string(&json, "rocm", assay_scan_rocm(view, s->scan));
    assay_json_string(&json, "target", s->scan->options.target);
    if (!view->summary) {
        assay_json_begin_array(&json, "findings");
        for (uint32_t i = 0; i < s->scan->n_finding; i++) {
            put_finding(&json, &s->scan->finding[i], s->fingerprint[i]);
        }
        assay_json_end(&json);
    }
    put_effort(&json, s->scan);
    put_frameworks(&json, s->scan);
    put_summary(&json, s);
    if (!view->summary) {
        put_files(&json, s->scan);
    }
    assay_json_end(&json);
}
