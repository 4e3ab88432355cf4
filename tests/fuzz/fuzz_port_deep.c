/* The reader over syntax trees on any bytes, once for each grammar. Without tree-sitter and its
   grammars (./dev deps deep) it says so and reads nothing. */
#include <stdio.h>

#include "fuzz_port.h"

#include "port/deep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static assay_port_deep_t *deep;

__attribute__((destructor)) static void close_deep(void) {
    assay_port_deep_close(deep);
}

/* Whether it could be opened; asked once. */
static bool have_deep(void) {
    static bool asked;
    if (!asked) {
        const char *const dir = ASSAY_DEEP_DIR;
        assay_error_t err = {0};
        asked = true;
        if (assay_port_deep_open(&dir, 1, &deep, &err) != ASSAY_OK) {
            printf("skipped: %s\n", err.what);
        }
    }
    return deep != NULL;
}

static void read_deep(port_sink_t *sink, const port_text_t *text) {
    port_deep_read(deep, sink, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (have_deep()) {
        fuzz_port_read(read_deep, ASSAY_PORT_CUDA, "fuzz.cu", data, size);
        fuzz_port_read(read_deep, ASSAY_PORT_CPP, "fuzz.cpp", data, size);
        fuzz_port_read(read_deep, ASSAY_PORT_PYTHON, "fuzz.py", data, size);
    }
    return 0;
}
