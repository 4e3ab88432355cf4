/* Notebooks: JSON of any kind, cells of Python, scripts and CUDA C. */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_port_read(port_read_notebook, ASSAY_PORT_NOTEBOOK, "a.ipynb", data, size);
    return 0;
}
