/* Package lists of each kind. */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_port_read(port_read_packages, ASSAY_PORT_REQUIREMENTS, "requirements.txt", data, size);
    fuzz_port_read(port_read_packages, ASSAY_PORT_CONDA, "environment.yml", data, size);
    fuzz_port_read(port_read_packages, ASSAY_PORT_PYPROJECT, "pyproject.toml", data, size);
    return 0;
}
