#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

#include "assay/message.h"

/** Everything up to the body's begin: title, the style sheet, no script, no network. */
void assay_page_head(assay_buf_t *out, assay_lang_t lang, const char *title);
void assay_page_end(assay_buf_t *out);

#endif
