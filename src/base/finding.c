#include "assay/finding.h"

#include <assert.h>

#include "base/banned.h"

static const struct {
    const char *name;
    assay_severity_t severity;
} effect_row[ASSAY_EFFECT_N] = {
    [ASSAY_EFFECT_SILENT] = {"silent", ASSAY_SEVERITY_ERROR},
    [ASSAY_EFFECT_COMPILE] = {"compile", ASSAY_SEVERITY_ERROR},
    [ASSAY_EFFECT_SLOW] = {"slow", ASSAY_SEVERITY_WARNING},
    [ASSAY_EFFECT_NOTE] = {"note", ASSAY_SEVERITY_INFO},
};

static const char *const severity_name[ASSAY_SEVERITY_N] = {
    [ASSAY_SEVERITY_CRITICAL] = "critical",
    [ASSAY_SEVERITY_ERROR] = "error",
    [ASSAY_SEVERITY_WARNING] = "warning",
    [ASSAY_SEVERITY_INFO] = "info",
};

const char *assay_effect_name(assay_effect_t effect) {
    assert((unsigned)effect < ASSAY_EFFECT_N);
    return effect_row[effect].name;
}

const char *assay_severity_name(assay_severity_t severity) {
    assert((unsigned)severity < ASSAY_SEVERITY_N);
    return severity_name[severity];
}

assay_severity_t assay_severity_of(assay_effect_t effect) {
    assert((unsigned)effect < ASSAY_EFFECT_N);
    return effect_row[effect].severity;
}
