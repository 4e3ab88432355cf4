#include "assay/report.h"

#include "report/audit_view.h"
#include "report/bench_view.h"
#include "report/diff_view.h"
#include "report/doctor_view.h"
#include "report/explain_view.h"
#include "report/fleet_view.h"
#include "report/memory_view.h"
#include "report/roadmap_view.h"
#include "report/scan_view.h"
#include "report/topology_view.h"

#include "base/banned.h"

/* The arena of one report: strings on the way, tables, the chart's samples; groups of a scan's
   million findings. */
#define ARENA_BYTES ((size_t)1 << 30)
#define WIDTH_MIN 100 /* of text: the tables need it */

typedef struct {
    assay_view_t view;
    size_t start; /* of the report in the buffer */
} job_t;

static assay_status_t begin(job_t *job, const assay_report_options_t *options, assay_buf_t *out,
                            assay_error_t *err) {
    const uint32_t width = options ? options->width : 0;
    const assay_lang_t lang = options ? options->lang : ASSAY_LANG_EN;
    job->start = out->n;
    job->view = (assay_view_t){.arena = assay_arena_create(ARENA_BYTES),
                               .out = out,
                               .lang = lang,
                               .locale = {.lang = lang},
                               .colour = options && options->colour,
                               .width = width < WIDTH_MIN ? WIDTH_MIN : width,
                               .summary = options && options->summary,
                               .command = options ? options->command : NULL,
                               .data_hash = options ? options->data_hash : NULL};
    return job->view.arena ? ASSAY_OK : assay_error_memory(err, NULL);
}

/** All of the report or nothing of it. */
static assay_status_t end(job_t *job, assay_error_t *err) {
    assay_buf_t *out = job->view.out;
    assay_arena_destroy(job->view.arena);
    if (!job->view.failed && !out->failed) {
        return ASSAY_OK;
    }
    if (out->n > job->start && out->spooled == 0) {
        out->n = job->start;
        out->data[out->n] = '\0';
    }
    return assay_error_set(err, ASSAY_MEMORY, NULL, "the report does not fit into memory");
}

static assay_status_t no_format(const char *what, assay_report_format_t format,
                                assay_error_t *err) {
    static const char *const name[ASSAY_REPORT_FORMAT_N] = {
#define FORMAT_NAME(code, text) text,
        ASSAY_REPORT_FORMAT_LIST(FORMAT_NAME)
#undef FORMAT_NAME
    };
    return assay_error_set(err, ASSAY_USAGE, NULL, "there is no %s output of a %s", name[format],
                           what);
}

/* The body of every report, a macro since each kind's writers take a type of their own: what the
   arguments writer, format, options, out and err of the function around it ask for. */
#define WRITE(what, thing) WRITE_IN(what, thing, NULL)
/* Amounts in the currency of a locale, NULL = USD. */
#define WRITE_IN(what, thing, currency_of)                            \
    do {                                                              \
        if (!writer[format]) {                                        \
            return no_format((what), format, err);                    \
        }                                                             \
        job_t job;                                                    \
        const assay_status_t status = begin(&job, options, out, err); \
        if (status) {                                                 \
            return status;                                            \
        }                                                             \
        const assay_locale_t *amounts = (currency_of);                \
        if (amounts) {                                                \
            job.view.locale.currency = amounts->currency;             \
            job.view.locale.per_usd = amounts->per_usd;               \
        }                                                             \
        writer[format](&job.view, (thing));                           \
        return end(&job, err);                                        \
    } while (0)

assay_status_t assay_report_decision(const assay_decision_t *decision, assay_report_format_t format,
                                     const assay_report_options_t *options, assay_buf_t *out,
                                     assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_decision_t *) = {
        [ASSAY_REPORT_TEXT] = assay_decision_write_text,
        [ASSAY_REPORT_JSON] = assay_decision_write_json,
        [ASSAY_REPORT_CSV] = assay_decision_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_decision_write_markdown,
        [ASSAY_REPORT_HTML] = assay_decision_write_html,
        [ASSAY_REPORT_FOCUS] = assay_decision_write_focus};
    WRITE_IN("decision", decision, &decision->resolved->locale);
}

assay_status_t assay_report_score(const assay_score_t *score, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_score_t *) = {
        [ASSAY_REPORT_TEXT] = assay_score_write_text,
        [ASSAY_REPORT_JSON] = assay_score_write_json,
        [ASSAY_REPORT_CSV] = assay_score_write_csv};
    WRITE("score", score);
}

assay_status_t assay_report_diff(const assay_diff_t *diff, assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_diff_t *) = {
        [ASSAY_REPORT_TEXT] = assay_diff_write_text, [ASSAY_REPORT_JSON] = assay_diff_write_json};
    WRITE("a comparison", diff);
}

assay_status_t assay_report_why_not(const assay_why_not_t *why, assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_why_not_t *) = {
        [ASSAY_REPORT_TEXT] = assay_why_not_write_text,
        [ASSAY_REPORT_JSON] = assay_why_not_write_json};
    WRITE_IN("candidate's reasons", why, &why->resolved->locale);
}

assay_status_t assay_report_flip(const assay_flip_t *flip, assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_flip_t *) = {
        [ASSAY_REPORT_TEXT] = assay_flip_write_text, [ASSAY_REPORT_JSON] = assay_flip_write_json};
    WRITE("flip", flip);
}

assay_status_t assay_report_explanation(const assay_explanation_t *explanation,
                                        assay_report_format_t format,
                                        const assay_report_options_t *options, assay_buf_t *out,
                                        assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_explanation_t *) = {
        [ASSAY_REPORT_TEXT] = assay_explanation_write_text,
        [ASSAY_REPORT_JSON] = assay_explanation_write_json};
    WRITE("number", explanation);
}

assay_status_t assay_report_explanations(const assay_explanation_list_t *list,
                                         assay_report_format_t format,
                                         const assay_report_options_t *options, assay_buf_t *out,
                                         assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_explanation_list_t *) = {
        [ASSAY_REPORT_TEXT] = assay_explanations_write_text,
        [ASSAY_REPORT_JSON] = assay_explanations_write_json};
    WRITE("list of numbers", list);
}

assay_status_t assay_report_roadmap(const assay_roadmap_t *map, assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_roadmap_t *) = {
        [ASSAY_REPORT_TEXT] = assay_roadmap_write_text,
        [ASSAY_REPORT_JSON] = assay_roadmap_write_json,
        [ASSAY_REPORT_CSV] = assay_roadmap_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_roadmap_write_markdown};
    WRITE("roadmap", map);
}

assay_status_t assay_report_roadmap_svg(const assay_roadmap_t *map,
                                        const assay_report_options_t *options, assay_buf_t *out,
                                        assay_error_t *err) {
    job_t job;
    const assay_status_t status = begin(&job, options, out, err);
    if (status) {
        return status;
    }
    assay_roadmap_write_svg(&job.view, map);
    return end(&job, err);
}

assay_status_t assay_report_serving(const assay_serving_decision_t *decision,
                                    assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_serving_decision_t *) = {
        [ASSAY_REPORT_TEXT] = assay_serving_write_text,
        [ASSAY_REPORT_JSON] = assay_serving_write_json,
        [ASSAY_REPORT_CSV] = assay_serving_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_serving_write_markdown,
        [ASSAY_REPORT_HTML] = assay_serving_write_html};
    WRITE_IN("a job that serves", decision, &decision->resolved->locale);
}

assay_status_t assay_report_images(const assay_image_decision_t *decision,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_image_decision_t *) = {
        [ASSAY_REPORT_TEXT] = assay_images_write_text,
        [ASSAY_REPORT_JSON] = assay_images_write_json,
        [ASSAY_REPORT_CSV] = assay_images_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_images_write_markdown,
        [ASSAY_REPORT_HTML] = assay_images_write_html};
    WRITE_IN("a job that makes images", decision, &decision->resolved->locale);
}

assay_status_t assay_report_simulated(const assay_simulated_t *simulated, uint32_t n,
                                      assay_report_format_t format,
                                      const assay_report_options_t *options, assay_buf_t *out,
                                      assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_simulated_list_t *) = {
        [ASSAY_REPORT_TEXT] = assay_simulated_write_text,
        [ASSAY_REPORT_JSON] = assay_simulated_write_json};
    const assay_simulated_list_t list = {simulated, n};
    WRITE("simulation", &list);
}

assay_status_t assay_report_calibrate(const assay_calibrate_t *fit, assay_report_format_t format,
                                      const assay_report_options_t *options, assay_buf_t *out,
                                      assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_calibrate_t *) = {
        [ASSAY_REPORT_TEXT] = assay_calibrate_write_text,
        [ASSAY_REPORT_JSON] = assay_calibrate_write_json,
        [ASSAY_REPORT_CSV] = assay_calibrate_write_csv};
    WRITE("calibrate", fit);
}

assay_status_t assay_report_audit(const assay_audit_t *audit, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_audit_t *) = {
        [ASSAY_REPORT_TEXT] = assay_audit_write_text,
        [ASSAY_REPORT_JSON] = assay_audit_write_json,
        [ASSAY_REPORT_MARKDOWN] = assay_audit_write_markdown};
    WRITE("audit", audit);
}

assay_status_t assay_report_bench(const assay_bench_t *bench, const assay_bench_run_t *run,
                                  assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(
        assay_view_t *, const assay_bench_view_t *) = {[ASSAY_REPORT_TEXT] = assay_bench_write_text,
                                                       [ASSAY_REPORT_JSON] = assay_bench_write_json,
                                                       [ASSAY_REPORT_CSV] = assay_bench_write_csv};
    const assay_bench_view_t of = {bench, run};
    WRITE("benchmark", &of);
}

static assay_status_t report_plans(const assay_plans_t *plans, assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_plans_t *) = {
        [ASSAY_REPORT_TEXT] = assay_plans_write_text,
        [ASSAY_REPORT_JSON] = assay_plans_write_json,
        [ASSAY_REPORT_CSV] = assay_plans_write_csv};
    WRITE("search", plans);
}

assay_status_t assay_report_plan(const assay_machine_t *machine, const assay_workload_t *work,
                                 const assay_plan_t *plan, assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err) {
    (void)work; /* what the plan says of it is in the estimates */
    const assay_plans_t plans = {machine, plan, 1, false};
    return report_plans(&plans, format, options, out, err);
}

assay_status_t assay_report_search(const assay_resolved_t *resolved, const assay_plan_t *plan,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err) {
    const assay_plans_t plans = {resolved->machine, plan, resolved->n_machine, true};
    return report_plans(&plans, format, options, out, err);
}

assay_status_t assay_report_scan(const assay_port_scan_t *scan, const uint64_t *fingerprint,
                                 assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(
        assay_view_t *, const assay_scan_view_t *) = {[ASSAY_REPORT_TEXT] = assay_scan_write_text,
                                                      [ASSAY_REPORT_JSON] = assay_scan_write_json,
                                                      [ASSAY_REPORT_SARIF] = assay_scan_write_sarif,
                                                      [ASSAY_REPORT_HTML] = assay_scan_write_html};
    if (!writer[format]) {
        return no_format("scan", format, err);
    }
    job_t job;
    const assay_status_t status = begin(&job, options, out, err);
    if (status) {
        return status;
    }
    const assay_scan_view_t *view = assay_scan_view(&job.view, scan, fingerprint);
    if (view) {
        writer[format](&job.view, view);
    }
    return end(&job, err);
}

assay_status_t assay_report_doctor(const assay_diagnosis_t *diagnosis, assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_diagnosis_t *) = {
        [ASSAY_REPORT_TEXT] = assay_doctor_write_text,
        [ASSAY_REPORT_JSON] = assay_doctor_write_json,
        [ASSAY_REPORT_MARKDOWN] = assay_doctor_write_markdown,
        [ASSAY_REPORT_SARIF] = assay_doctor_write_sarif,
        [ASSAY_REPORT_JUNIT] = assay_doctor_write_junit};
    WRITE("diagnosis", diagnosis);
}

assay_status_t assay_report_comparison(const assay_comparison_t *comparison,
                                       assay_report_format_t format,
                                       const assay_report_options_t *options, assay_buf_t *out,
                                       assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_comparison_t *) = {
        [ASSAY_REPORT_TEXT] = assay_comparison_write_text,
        [ASSAY_REPORT_JSON] = assay_comparison_write_json,
        [ASSAY_REPORT_CSV] = assay_comparison_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_comparison_write_markdown};
    WRITE("comparison", comparison);
}

typedef void (*checks_writer_t)(assay_view_t *, const assay_checks_t *);

static assay_status_t report_checks(const checks_writer_t *writer, const assay_checks_t *checks,
                                    assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err) {
    WRITE("check", checks);
}

assay_status_t assay_report_checks(const assay_check_t *check, uint32_t n,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err) {
    static const checks_writer_t writer[ASSAY_REPORT_FORMAT_N] = {
        [ASSAY_REPORT_TEXT] = assay_checks_write_text,
        [ASSAY_REPORT_JSON] = assay_checks_write_json,
        [ASSAY_REPORT_CSV] = assay_checks_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_checks_write_markdown};
    const assay_checks_t checks = {check, n};
    return report_checks(writer, &checks, format, options, out, err);
}

assay_status_t assay_report_check(const assay_check_t *check, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err) {
    static const checks_writer_t writer[ASSAY_REPORT_FORMAT_N] = {
        [ASSAY_REPORT_TEXT] = assay_check_write_text, [ASSAY_REPORT_JSON] = assay_check_write_json};
    const assay_checks_t checks = {check, 1};
    return report_checks(writer, &checks, format, options, out, err);
}

typedef void (*topology_writer_t)(assay_view_t *, const assay_topology_t *);

static assay_status_t report_topology(topology_writer_t writer, const assay_topology_t *topology,
                                      const assay_report_options_t *options, assay_buf_t *out,
                                      assay_error_t *err) {
    job_t job;
    const assay_status_t status = begin(&job, options, out, err);
    if (status) {
        return status;
    }
    writer(&job.view, topology);
    return end(&job, err);
}

assay_status_t assay_report_topology(const assay_topology_t *topology, assay_report_format_t format,
                                     const assay_report_options_t *options, assay_buf_t *out,
                                     assay_error_t *err) {
    static const topology_writer_t writer[ASSAY_REPORT_FORMAT_N] = {
        [ASSAY_REPORT_TEXT] = assay_topology_write_text,
        [ASSAY_REPORT_JSON] = assay_topology_write_json};
    return writer[format] ? report_topology(writer[format], topology, options, out, err)
                          : no_format("topology", format, err);
}

assay_status_t assay_report_topology_svg(const assay_topology_t *topology,
                                         const assay_report_options_t *options, assay_buf_t *out,
                                         assay_error_t *err) {
    return report_topology(assay_topology_write_svg, topology, options, out, err);
}

assay_status_t assay_report_memory(const assay_memory_t *memory, const assay_oom_t *log,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *,
                                                       const assay_memory_view_t *) = {
        [ASSAY_REPORT_TEXT] = assay_memory_write_text,
        [ASSAY_REPORT_JSON] = assay_memory_write_json};
    const assay_memory_view_t view = {memory, log};
    WRITE("memory", &view);
}

assay_status_t assay_report_fleet(const assay_fleet_t *fleet, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err) {
    static void (*const writer[ASSAY_REPORT_FORMAT_N])(assay_view_t *, const assay_fleet_t *) = {
        [ASSAY_REPORT_TEXT] = assay_fleet_write_text,
        [ASSAY_REPORT_JSON] = assay_fleet_write_json,
        [ASSAY_REPORT_CSV] = assay_fleet_write_csv,
        [ASSAY_REPORT_MARKDOWN] = assay_fleet_write_markdown};
    WRITE("fleet", fleet);
}
