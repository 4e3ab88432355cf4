/** How a host is wired, as text, JSON (docs/json.md: what a job's topology reads), and a picture.
 */
#ifndef ASSAY_REPORT_TOPOLOGY_H
#define ASSAY_REPORT_TOPOLOGY_H

#include "assay/report.h"
#include "assay/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/** TEXT, JSON. Errors: ASSAY_USAGE for another format, ASSAY_MEMORY. */
assay_status_t assay_report_topology(const assay_topology_t *topology, assay_report_format_t format,
                                     const assay_report_options_t *options, assay_buf_t *out,
                                     assay_error_t *err);
/** One SVG file: sockets with what is at them, and the matrix of links. Errors: ASSAY_MEMORY. */
assay_status_t assay_report_topology_svg(const assay_topology_t *topology,
                                         const assay_report_options_t *options, assay_buf_t *out,
                                         assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
