/* Configuration space of a PCI function. */
#include <stdint.h>

#include "host/host_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    host_parse_t parse = {.file = "config"};
    assay_host_pci_t pci = {0};
    host_pci_config(&parse, (host_span_t){(const char *)data, size}, &pci);
    return 0;
}
