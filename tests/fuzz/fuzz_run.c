/* A request as a page or a program would send it. It is read, checked and resolved; the work that
   follows is called off before it starts. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool at_once(void *ctx) {
    (void)ctx;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const assay_hooks_t hooks = {.cancelled = at_once};
    assay_buf_t out;
    assay_buf_init(&out, 1u << 20);
    assay_error_t err = {0};
    const assay_status_t status = assay_run((const char *)data, size, &hooks, &out, &err);
    /* Either an answer, or a reason. */
    assert(status == ASSAY_OK || status == ASSAY_NO_FIT ? out.n > 0 : out.n == 0 && err.what[0]);
    assay_buf_done(&out);
    return 0;
}
