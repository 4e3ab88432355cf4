/* Scripts, Slurm jobs and Dockerfiles. */
#include "fuzz_port.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_port_read(port_read_shell, ASSAY_PORT_SLURM, "job.sbatch", data, size);
    fuzz_port_read(port_read_container, ASSAY_PORT_DOCKER, "Dockerfile", data, size);
    return 0;
}
