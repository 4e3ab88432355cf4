/**
 * One question in, one answer out, as JSON: the same for the command line's --json, a page, Python
 * and MPI workers. A thin layer over the typed functions.
 *
 * Request: {"verb": "decide" | "search" | "memory", "job": {...as the job file...}, "data": ["DIR",
 * ...], "lang": "en" | "zh"} Result: the verb's documented JSON object.
 */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "assay/error.h"
#include "assay/hooks.h"
#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_VERSION "0.1.0"

/** Version of the library, "0.1.0". */
const char *assay_version(void);
/**
 * Appends the result to out only on success. Errors as the verb's; ASSAY_NO_FIT still writes the
 * result.
 */
assay_status_t assay_run(const char *request, size_t n_request, const assay_hooks_t *hooks,
                         assay_buf_t *out, assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
