/* Work that is done already, as only the whole tree can tell: names that a header of the tree gives
   a HIP meaning (#define cudaMalloc hipMalloc), code under a macro that only a build for CUDA
   defines, files that have a twin for HIP, and headers that only such code and files include. */
#ifndef PORT_CREDIT_H
#define PORT_CREDIT_H

#include "port/port_sink.h"

/**
 * Takes out of finding[0..n) what is credited, and moves it from ready or missing to ported in its
 * file's counts. guard as of port_sink_move. Returns how many are left, or UINT32_MAX: no memory.
 */
uint32_t port_credit(const port_tables_t *tables, port_sink_t *const *sink, uint32_t n_sink,
                     assay_port_finding_t *finding, const uint32_t *guard, uint32_t n,
                     assay_port_file_t *file, uint32_t n_file);

/** Which files have a twin for HIP beside them (port_twin.c). false: no memory. */
bool port_find_twins(const assay_port_file_t *file, uint32_t n_file, bool *out_twin);

#endif
