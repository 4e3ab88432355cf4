#include "assay/report_launch.h"

#include "assay/json.h"

#include "base/banned.h"

#define JOB_BYTES_MAX ((size_t)4 << 20)

static void write_items(assay_json_t *json, const assay_launch_t *launch) {
    assay_json_begin_array(json, "items");
    for (uint32_t i = 0; i < launch->n_item; i++) {
        const assay_launch_item_t *item = &launch->item[i];
        assay_json_begin_object(json, NULL);
        assay_json_string(json, "state",
                          assay_launch_state_name((assay_launch_state_t)item->state));
        assay_json_string(json, "key", item->key);
        assay_json_string(json, "value", item->value);
        assay_json_string(json, "argument", item->argument);
        assay_json_string(json, "file", item->file);
        assay_json_number_if(json, "line", item->line > 0, item->line);
        assay_json_string(json, "text", item->text);
        assay_json_end(json);
    }
    assay_json_end(json);
}

assay_status_t assay_report_launch(const assay_launch_t *launch, assay_report_format_t format,
                                   assay_buf_t *out, assay_error_t *err) {
    if (format == ASSAY_REPORT_TEXT) {
        assay_launch_yaml(launch, out);
        return ASSAY_OK;
    }
    if (format != ASSAY_REPORT_JSON) {
        return assay_error_set(err, ASSAY_USAGE, NULL, "a job is printed as YAML or JSON");
    }
    assay_buf_t job;
    assay_json_t json;
    assay_buf_init(&job, JOB_BYTES_MAX);
    assay_launch_yaml(launch, &job);
    assay_json_init(&json, out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "kind", launch->kind);
    assay_json_string(&json, "job", job.n ? job.data : "");
    write_items(&json, launch);
    assay_json_end(&json);
    const bool failed = job.failed;
    assay_buf_done(&job);
    return failed ? assay_error_set(err, ASSAY_LIMIT, NULL, "the job is too long") : ASSAY_OK;
}
