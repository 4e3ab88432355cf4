#include "assay/status.h"

#include <stddef.h>

#include "base/banned.h"

static const struct {
    const char *name, *sentence;
    int exit_code;
} status_row[] = {
#define STATUS_ROW(code, name, sentence, exit_code) {name, sentence, exit_code},
    ASSAY_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

static size_t row_of(assay_status_t status) {
    return (size_t)status < ASSAY_STATUS_N ? (size_t)status : ASSAY_INTERNAL;
}

const char *assay_status_name(assay_status_t status) {
    return status_row[row_of(status)].name;
}

const char *assay_status_sentence(assay_status_t status) {
    return status_row[row_of(status)].sentence;
}

int assay_status_exit_code(assay_status_t status) {
    return status_row[row_of(status)].exit_code;
}
