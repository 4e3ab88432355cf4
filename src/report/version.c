#include "assay/run.h"

#include "base/banned.h"

const char *assay_version(void) {
    return ASSAY_VERSION;
}
