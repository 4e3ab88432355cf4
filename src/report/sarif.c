#include "report/sarif.h"

#include <string.h>

#include "assay/run.h"

#include "base/banned.h"

#define SCHEMA \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

void assay_sarif_begin(assay_json_t *json) {
    assay_json_begin_object(json, NULL);
    assay_json_string(json, "$schema", SCHEMA);
    assay_json_string(json, "version", "2.1.0");
    assay_json_begin_array(json, "runs");
    assay_json_begin_object(json, NULL);
    assay_json_begin_object(json, "tool");
    assay_json_begin_object(json, "driver");
    assay_json_string(json, "name", "assay");
    assay_json_string(json, "semanticVersion", assay_version());
    assay_json_begin_array(json, "rules");
}

void assay_sarif_results(assay_json_t *json) {
    assay_json_end(json);
    assay_json_end(json);
    assay_json_end(json);
    assay_json_string(json, "columnKind", "unicodeCodePoints");
    assay_json_begin_array(json, "results");
}

void assay_sarif_end(assay_json_t *json) {
    assay_json_end(json);
    assay_json_end(json);
    assay_json_end(json);
    assay_json_end(json);
}

void assay_sarif_text(assay_json_t *json, const char *key, const char *text) {
    assay_json_begin_object(json, key);
    assay_json_string(json, "text", text);
    assay_json_end(json);
}

const char *assay_sarif_level(assay_severity_t severity) {
    static const char *const level[ASSAY_SEVERITY_N] = {
        [ASSAY_SEVERITY_CRITICAL] = "error",
        [ASSAY_SEVERITY_ERROR] = "error",
        [ASSAY_SEVERITY_WARNING] = "warning",
        [ASSAY_SEVERITY_INFO] = "note",
    };
    return level[severity];
}

const char *assay_sarif_uri(assay_view_t *view, const char *path) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~/";
    assay_buf_t buf;
    assay_buf_init(&buf, 3 * strlen(path) + 1);
    for (const char *c = path; *c; c++) {
        if (strchr(plain, *c)) {
            assay_buf_add(&buf, c, 1);
        } else {
            assay_buf_printf(&buf, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    const char *uri = assay_view_format(view, "%s", buf.n ? buf.data : "");
    assay_buf_done(&buf);
    return uri;
}
