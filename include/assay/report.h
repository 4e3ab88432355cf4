/** One result, several outputs. Text fits 100 columns; HTML is one self-contained file. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "assay/calibrate.h"
#include "assay/decide.h"
#include "assay/decide_image.h"
#include "assay/message.h"
#include "assay/score.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_REPORT_FORMAT_LIST(X) \
    X(TEXT, "text")                 \
    X(JSON, "json")                 \
    X(CSV, "csv")                   \
    X(MARKDOWN, "md")               \
    X(HTML, "html")                 \
    X(SARIF, "sarif")               \
    X(JUNIT, "junit")               \
    X(FOCUS, "FOCUS")
typedef enum {
#define ASSAY_REPORT_FORMAT_ENUM(code, name) ASSAY_REPORT_##code,
    ASSAY_REPORT_FORMAT_LIST(ASSAY_REPORT_FORMAT_ENUM)
#undef ASSAY_REPORT_FORMAT_ENUM
        ASSAY_REPORT_FORMAT_N
} assay_report_format_t;

typedef struct {
    assay_lang_t lang;
    bool colour;           /* text only */
    uint32_t width;        /* text only; less than 100 is taken as 100 */
    bool summary;          /* JSON of a scan only: without the lists of findings and files */
    const char *command;   /* pages: the command line that made it; NULL: not said */
    const char *data_hash; /* pages: of the tables it was made from (assay_data_hash); NULL */
} assay_report_options_t;

/** The same decision in every format but SARIF and JUnit; FOCUS: a row a cost. Errors: ASSAY_USAGE,
 * ASSAY_MEMORY. */
assay_status_t assay_report_decision(const assay_decision_t *decision, assay_report_format_t format,
                                     const assay_report_options_t *options, assay_buf_t *out,
                                     assay_error_t *err);
/** Of a job that makes images. TEXT, JSON, CSV, MARKDOWN, HTML. */
assay_status_t assay_report_images(const assay_image_decision_t *decision,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err);
/** Of a job that serves: every format but SARIF and JUnit. */
assay_status_t assay_report_serving(const assay_serving_decision_t *decision,
                                    assay_report_format_t format,
                                    const assay_report_options_t *options, assay_buf_t *out,
                                    assay_error_t *err);
/** What became of the requests of one fleet. */
typedef struct {
    const assay_machine_t *machine;
    const assay_serving_t *serving;
    const assay_serve_fleet_t *fleet;
    const assay_sim_result_t *result;
    const assay_serve_rate_t *rate; /* NULL: not searched */
} assay_simulated_t;
/** TEXT, JSON. */
assay_status_t assay_report_simulated(const assay_simulated_t *simulated, uint32_t n,
                                      assay_report_format_t format,
                                      const assay_report_options_t *options, assay_buf_t *out,
                                      assay_error_t *err);
/** JSON as design's contract, text as a summary with groups. TEXT, JSON, CSV. */
assay_status_t assay_report_score(const assay_score_t *score, assay_report_format_t format,
                                  const assay_report_options_t *options, assay_buf_t *out,
                                  assay_error_t *err);
/** CSV: rows of data/calibration.csv. TEXT, JSON, CSV. */
assay_status_t assay_report_calibrate(const assay_calibrate_t *fit, assay_report_format_t format,
                                      const assay_report_options_t *options, assay_buf_t *out,
                                      assay_error_t *err);
/** Best layout, Pareto front, refusals of one candidate. TEXT, JSON, CSV. */
assay_status_t assay_report_plan(const assay_machine_t *machine, const assay_workload_t *work,
                                 const assay_plan_t *plan, assay_report_format_t format,
                                 const assay_report_options_t *options, assay_buf_t *out,
                                 assay_error_t *err);
/**
 * As above for all candidates of a job, plan[i] for resolved->machine[i]. JSON: {"candidates":
 * [...]}; CSV: one table.
 */
assay_status_t assay_report_search(const assay_resolved_t *resolved, const assay_plan_t *plan,
                                   assay_report_format_t format,
                                   const assay_report_options_t *options, assay_buf_t *out,
                                   assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
