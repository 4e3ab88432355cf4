#include "assay/finding.h"

#include "base/banned.h"

const char *assay_effect_name(assay_effect_t effect) {
    static const char *const name[ASSAY_EFFECT_N] = {"silent", "compile", "slow", "note"};
    return name[effect];
}

const char *assay_severity_name(assay_severity_t severity) {
    static const char *const name[ASSAY_SEVERITY_N] = {"critical", "error", "warning", "info"};
    return name[severity];
}

assay_severity_t assay_severity_of(assay_effect_t effect) {
    static const uint8_t severity[ASSAY_EFFECT_N] = {ASSAY_SEVERITY_ERROR, ASSAY_SEVERITY_ERROR,
                                                     ASSAY_SEVERITY_WARNING, ASSAY_SEVERITY_INFO};
    return (assay_severity_t)severity[effect];
}
