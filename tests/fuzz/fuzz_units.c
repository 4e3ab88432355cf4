#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "assay/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (int dim = 0; dim < ASSAY_DIM_N; dim++) {
        double value = 0;
        assay_error_t err;
        const assay_status_t status =
            assay_units_parse((const char *)data, size, (assay_dim_t)dim, 1, NULL, &value, &err);
        char out[48];
        if (status == ASSAY_OK ? !isfinite(value) : err.status != status) {
            abort();
        }
        (void)assay_units_format(value, (assay_dim_t)dim, out);
    }
    return 0;
}
