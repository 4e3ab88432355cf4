#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

#include "assay/text.h"

/** Everything up to the body's begin: title, the style sheet, no script, no network. */
void assay_page_head(assay_buf_t *out, const char *title);
void assay_page_end(assay_buf_t *out);

#endif
