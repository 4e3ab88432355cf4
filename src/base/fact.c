#include "assay/fact.h"

#include "base/banned.h"

const char *assay_basis_name(assay_basis_t basis) {
    static const char *const name[ASSAY_BASIS_N] = {
        [ASSAY_BASIS_MEASURED] = "measured",
        [ASSAY_BASIS_CALIBRATED] = "calibrated",
        [ASSAY_BASIS_TRANSFERRED] = "transferred",
        [ASSAY_BASIS_EXTRAPOLATED] = "extrapolated",
    };
    return (unsigned)basis < ASSAY_BASIS_N ? name[basis] : "unknown";
}
