#include "assay/catalog.h"
#include "assay/text.h"

#include "base/banned.h"

static const struct {
    const char *name;
    double bytes;
} dtypes[ASSAY_DT_N] = {
#define DTYPE(code, name, bytes) {name, bytes},
    ASSAY_DT_LIST(DTYPE)
#undef DTYPE
};

const char *assay_dtype_name(assay_dtype_t dtype) {
    return (unsigned)dtype < ASSAY_DT_N ? dtypes[dtype].name : "unknown";
}

double assay_dtype_bytes(assay_dtype_t dtype) {
    return (unsigned)dtype < ASSAY_DT_N ? dtypes[dtype].bytes : 0.0;
}

bool assay_dtype_parse(const char *text, assay_dtype_t *out) {
    for (int i = 0; i < ASSAY_DT_N; i++) {
        if (assay_text_equal_fold(text, dtypes[i].name)) {
            *out = (assay_dtype_t)i;
            return true;
        }
    }
    return false;
}
