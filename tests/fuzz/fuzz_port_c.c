/* The C and PTX readers on any bytes: no crash, no read beyond the end, findings within the text.
 */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_port_read(port_read_c, ASSAY_PORT_CUDA, "fuzz.cu", data, size);
    fuzz_port_read(port_read_ptx, ASSAY_PORT_PTX, "fuzz.ptx", data, size);
    return 0;
}
