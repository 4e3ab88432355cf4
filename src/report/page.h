#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

#include "assay/text.h"

/** The style sheet of the HTML report, without the element around it. */
void assay_page_style(assay_buf_t *out);

#endif
