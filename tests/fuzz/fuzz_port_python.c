/* Python: tokens, imports, CUDA C in strings. */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_port_read(port_read_python, ASSAY_PORT_PYTHON, "a.py", data, size);
    return 0;
}
