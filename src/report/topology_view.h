/** What the formats of a topology share. */
#ifndef ASSAY_REPORT_TOPOLOGY_VIEW_H
#define ASSAY_REPORT_TOPOLOGY_VIEW_H

#include "assay/report_topology.h"
#include "report/write.h"

void assay_topology_write_text(assay_view_t *view, const assay_topology_t *topology);
void assay_topology_write_json(assay_view_t *view, const assay_topology_t *topology);
void assay_topology_write_svg(assay_view_t *view, const assay_topology_t *topology);

/** How many of what, and whether it is as expected, in one sentence. */
const char *assay_topology_sentence(assay_view_t *view, const assay_topology_t *topology);
/** "gpu 0", its address, model, memory and lanes, as far as they are known. */
const char *assay_topology_device_line(assay_view_t *view, const assay_topology_device_t *device);
const char *assay_topology_nic_line(assay_view_t *view, const assay_topology_nic_t *nic);
/** "NUMA node 0: CPUs 0-47, 768 GiB". */
const char *assay_topology_numa_line(assay_view_t *view, const assay_topology_numa_t *numa);
/** A cell of the matrix: "x1" links of XGMI, "NV12", "PCIe", "?". */
const char *assay_topology_cell(assay_view_t *view, const assay_topology_t *topology, uint32_t a,
                                uint32_t b);
/** One difference in one sentence. */
const char *assay_topology_difference(assay_view_t *view,
                                      const assay_topology_difference_t *difference);
/** "srun --cpu-bind=..." for one rank a device; NULL: CPUs of some device are not known. */
const char *assay_topology_srun(assay_view_t *view, const assay_topology_t *topology, bool masks);

#endif
