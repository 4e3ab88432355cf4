/**
 * Every sentence that a person reads comes from one table: English now, Chinese later.
 * Placeholders are {0} {1} ..., so that a translation can change their order.
 */
#ifndef ASSAY_MESSAGE_H
#define ASSAY_MESSAGE_H

#include <stddef.h>

#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_LANG_EN, ASSAY_LANG_N } assay_lang_t;

typedef enum {
#define ASSAY_MESSAGE(id, english) ASSAY_MSG_##id,
#include "assay/message_list.h"
#undef ASSAY_MESSAGE
    ASSAY_MSG_N
} assay_message_t;

/** The raw sentence; English where the language has none. Never NULL. */
const char *assay_message(assay_lang_t lang, assay_message_t id);
/**
 * Appends the sentence with arg[i] for {i}. A placeholder beyond n_arg is a programming mistake
 * (assert).
 */
void assay_message_add(assay_buf_t *out, assay_lang_t lang, assay_message_t id,
                       const char *const *arg, size_t n_arg);

#ifdef __cplusplus
}
#endif
#endif
