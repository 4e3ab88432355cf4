/* One answer about memory and the log beside it, for its writers. */
#ifndef REPORT_MEMORY_VIEW_H
#define REPORT_MEMORY_VIEW_H

#include "assay/report_memory.h"
#include "report/write.h"

typedef struct {
    const assay_memory_t *memory; /* NULL: a log alone */
    const assay_oom_t *log;       /* NULL: none */
} assay_memory_view_t;

void assay_memory_write_text(assay_view_t *view, const assay_memory_view_t *of);
void assay_memory_write_json(assay_view_t *view, const assay_memory_view_t *of);

#endif
