#include "assay/report_emit.h"

#include "assay/json.h"

#include "base/banned.h"

assay_status_t assay_report_emit(const assay_emit_t *emit, assay_report_format_t format,
                                 assay_buf_t *out, assay_error_t *err) {
    if (format == ASSAY_REPORT_TEXT) {
        assay_buf_puts(out, emit->text);
        return ASSAY_OK;
    }
    if (format != ASSAY_REPORT_JSON) {
        return assay_error_set(err, ASSAY_USAGE, NULL,
                               "a configuration is printed as it is, or as JSON");
    }
    assay_json_t json;
    assay_json_init(&json, out);
    assay_json_begin_object(&json, NULL);
    assay_json_string(&json, "tool", assay_emit_name(emit->tool));
    assay_json_begin_array(&json, "settings");
    for (uint32_t i = 0; i < emit->n_setting; i++) {
        const assay_emit_setting_t *setting = &emit->setting[i];
        assay_json_begin_object(&json, NULL);
        assay_json_string(&json, "argument", setting->argument);
        assay_json_string(&json, "value", setting->value);
        assay_json_bool(&json, "environment", setting->environment);
        assay_json_string(&json, "why", setting->why);
        assay_json_string(&json, "source", setting->source);
        assay_json_end(&json);
    }
    assay_json_end(&json);
    assay_json_string(&json, "text", emit->text);
    assay_json_end(&json);
    return ASSAY_OK;
}
