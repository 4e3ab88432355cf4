/**
 * What scan, doctor, env lint and audit say: one finding, with where, why, and what to do.
 */
#ifndef ASSAY_FINDING_H
#define ASSAY_FINDING_H

#include <stdint.h>

#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* what the thing found does to the user, worst first; severity follows it unless the rule says
 * otherwise */
typedef enum {
    ASSAY_EFFECT_SILENT,  /* wrong results without a message */
    ASSAY_EFFECT_COMPILE, /* does not build or does not run */
    ASSAY_EFFECT_SLOW,
    ASSAY_EFFECT_NOTE,
    ASSAY_EFFECT_N
} assay_effect_t;

typedef enum {
    ASSAY_SEVERITY_CRITICAL,
    ASSAY_SEVERITY_ERROR,
    ASSAY_SEVERITY_WARNING,
    ASSAY_SEVERITY_INFO,
    ASSAY_SEVERITY_N
} assay_severity_t;

const char *assay_effect_name(assay_effect_t effect);
const char *assay_severity_name(assay_severity_t severity);
/** silent, compile: error; slow: warning; note: info. */
assay_severity_t assay_severity_of(assay_effect_t effect);

#ifdef __cplusplus
}
#endif
#endif
