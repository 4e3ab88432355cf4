/**
 * Every sentence that a person reads comes from one table, English and Simplified Chinese.
 * Placeholders are {0} {1} ..., so that a translation can change their order. Sentences that stand
 * in tables of data are phrases: their translation is found by the English text.
 */
#ifndef ASSAY_MESSAGE_H
#define ASSAY_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { ASSAY_LANG_EN, ASSAY_LANG_ZH, ASSAY_LANG_N } assay_lang_t;

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

/** The sentence as above, in the arena. NULL: it is full. */
const char *assay_message_text(assay_arena_t *arena, assay_lang_t lang, assay_message_t id,
                               const char *const *arg, size_t n_arg);
/** "en", "zh". */
const char *assay_lang_name(assay_lang_t lang);
/** Reads "zh", "zh_CN.UTF-8", "en_US", "C". false: none of ours, and *out_lang is untouched. */
bool assay_lang_read(const char *name, assay_lang_t *out_lang);
/** The phrase in that language; english itself where there is no translation. NULL stays NULL. */
const char *assay_phrase(assay_lang_t lang, const char *english);

#ifdef __cplusplus
}
#endif
#endif
