#include "assay/message.h"

#include <assert.h>
#include <string.h>

#include "base/message_expand.h"

#include "base/banned.h"

#define SENTENCE_MAX_BYTES (1u << 20)

/* One entry more than there are messages, since there may be none. */
static const char *const english[ASSAY_MSG_N + 1] = {
#define ASSAY_MESSAGE(id, english) [ASSAY_MSG_##id] = english,
#include "assay/message_list.h"
#undef ASSAY_MESSAGE
    [ASSAY_MSG_N] = "",
};

/* Where a row is missing it is NULL, and English is said; test_message.c lists those. */
static const char *const chinese[ASSAY_MSG_N + 1] = {
#define ASSAY_MESSAGE(id, chinese) [ASSAY_MSG_##id] = chinese,
#include "base/message_zh_list.h"
#undef ASSAY_MESSAGE
    [ASSAY_MSG_N] = "",
};

static const char *const *const sentence_of[ASSAY_LANG_N] = {
    [ASSAY_LANG_EN] = english, [ASSAY_LANG_ZH] = chinese};

static const struct {
    const char *english, *chinese;
} phrase[] = {
#define ASSAY_PHRASE(english, chinese) {english, chinese},
#include "base/phrase_zh_audit_list.h"
#include "base/phrase_zh_explain_list.h"
#include "base/phrase_zh_host_list.h"
#include "base/phrase_zh_list.h"
#include "base/phrase_zh_score_list.h"
#undef ASSAY_PHRASE
};

const char *assay_message(assay_lang_t lang, assay_message_t id) {
    assert((unsigned)lang < ASSAY_LANG_N && (unsigned)id < ASSAY_MSG_N + 1);
    const char *sentence = sentence_of[lang][id];
    return sentence ? sentence : english[id];
}

const char *assay_message_text(assay_arena_t *arena, assay_lang_t lang, assay_message_t id,
                               const char *const *arg, size_t n_arg) {
    assay_buf_t buf;
    assay_buf_init(&buf, SENTENCE_MAX_BYTES);
    assay_message_add(&buf, lang, id, arg, n_arg);
    const bool whole = buf.data && !buf.failed;
    const char *text = whole ? assay_arena_strndup(arena, buf.data, buf.n) : NULL;
    assay_buf_done(&buf);
    return text;
}

const char *assay_message_in(assay_lang_t lang, assay_message_t id) {
    return sentence_of[lang][id];
}

const char *assay_lang_name(assay_lang_t lang) {
    static const char *const name[ASSAY_LANG_N] = {"en", "zh"};
    return name[lang];
}

bool assay_lang_read(const char *name, assay_lang_t *out_lang) {
    static const struct {
        const char *name;
        assay_lang_t lang;
    } known[] = {{"en", ASSAY_LANG_EN},
                 {"C", ASSAY_LANG_EN},
                 {"POSIX", ASSAY_LANG_EN},
                 {"zh", ASSAY_LANG_ZH}};
    const size_t n = strcspn(name, "_-.@"); /* zh_CN.UTF-8: language, country, encoding */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == n && memcmp(known[i].name, name, n) == 0) {
            *out_lang = known[i].lang;
            return true;
        }
    }
    return false;
}

/* A report looks up a few hundred of a few hundred: no index is needed. */
const char *assay_phrase(assay_lang_t lang, const char *text) {
    for (size_t i = 0; text && lang == ASSAY_LANG_ZH && i < sizeof phrase / sizeof phrase[0]; i++) {
        if (strcmp(phrase[i].english, text) == 0) {
            return phrase[i].chinese;
        }
    }
    return text;
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
