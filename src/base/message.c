#include "assay/message.h"

#include <assert.h>
#include <string.h>

#include "base/message_expand.h"

#include "base/banned.h"

/* One entry more than there are messages, since there may be none. */
static const char *const english[ASSAY_MSG_N + 1] = {
#define ASSAY_MESSAGE(id, english) [ASSAY_MSG_##id] = english,
#include "assay/message_list.h"
#undef ASSAY_MESSAGE
    [ASSAY_MSG_N] = "",
};

static const char *const *const sentence_of[ASSAY_LANG_N] = {[ASSAY_LANG_EN] = english};

const char *assay_message(assay_lang_t lang, assay_message_t id) {
    assert((unsigned)lang < ASSAY_LANG_N && (unsigned)id < ASSAY_MSG_N + 1);
    const char *sentence = sentence_of[lang][id];
    return sentence ? sentence : english[id];
}

const char *assay_message_placeholder(const char *sentence, size_t *out_number) {
    while ((sentence = strchr(sentence, '{'))) {
        if (sentence[1] >= '0' && sentence[1] <= '9' && sentence[2] == '}') {
            *out_number = (size_t)(sentence[1] - '0');
            return sentence;
        }
        sentence++;
    }
    return NULL;
}

void assay_message_expand(assay_buf_t *out, const char *sentence, const char *const *arg,
                          size_t n_arg) {
    size_t number;
    for (const char *brace; (brace = assay_message_placeholder(sentence, &number));
         sentence = brace + 3) {
        assay_buf_add(out, sentence, (size_t)(brace - sentence));
        assert(number < n_arg);
        if (number < n_arg && arg[number]) {
            assay_buf_puts(out, arg[number]);
        }
    }
    assay_buf_puts(out, sentence);
}

void assay_message_add(assay_buf_t *out, assay_lang_t lang, assay_message_t id,
                       const char *const *arg, size_t n_arg) {
    assay_message_expand(out, assay_message(lang, id), arg, n_arg);
}
