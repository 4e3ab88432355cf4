/* Placeholders of sentences. Private to base. */
#ifndef ASSAY_BASE_MESSAGE_EXPAND_H
#define ASSAY_BASE_MESSAGE_EXPAND_H

#include <stddef.h>

#include "assay/message.h"
#include "assay/text.h"

/**
 * The next {0}..{9} at or after sentence: its start, its number in *out_number (it is 3 bytes
 * long); NULL when there is none. Other braces are text.
 */
const char *assay_message_placeholder(const char *sentence, size_t *out_number);
/** The sentence in that very language; NULL: it has none. */
const char *assay_message_in(assay_lang_t lang, assay_message_t id);
/** Appends sentence with arg[i] for {i}; see assay_message_add. */
void assay_message_expand(assay_buf_t *out, const char *sentence, const char *const *arg,
                          size_t n_arg);

#endif
