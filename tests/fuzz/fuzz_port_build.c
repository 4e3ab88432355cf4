/* CMake and Make: flags, targets, lists of architectures. */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_port_read(port_read_build, ASSAY_PORT_CMAKE, "CMakeLists.txt", data, size);
    fuzz_port_read(port_read_build, ASSAY_PORT_MAKE, "Makefile", data, size);
    return 0;
}
