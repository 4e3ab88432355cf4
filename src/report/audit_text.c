#include <string.h>

#include "report/audit_view.h"

#include "base/banned.h"

/* What stands in a sentence: words of a table, or a figure "116 to 209 kUSD". */
static const char *argument(assay_view_t *view, const char *arg) {
    const char *to = strstr(arg, " to ");
    if (!to || !((arg[0] >= '0' && arg[0] <= '9') || arg[0] == '-')) {
        return assay_view_phrase(view, arg);
    }
    const char *end[] = {assay_view_format(view, "%.*s", (int)(to - arg), arg), to + 4};
    return assay_view_sentence(view, ASSAY_MSG_AUDIT_RANGE, end, 2);
}

const char *assay_audit_evidence(assay_view_t *view, const assay_audited_t *claim) {
    const char *text = "", *gap = view->lang == ASSAY_LANG_ZH ? "" : " ";
    for (uint32_t i = 0; i < claim->n_evidence; i++) {
        const assay_audit_sentence_t *sentence = &claim->evidence[i];
        const char *arg[ASSAY_AUDIT_ARGS];
        for (uint32_t k = 0; k < sentence->n_arg; k++) {
            arg[k] = argument(view, sentence->arg[k]);
        }
        const char *one = assay_view_sentence(view, sentence->id, arg, sentence->n_arg);
        text = *text ? assay_view_format(view, "%s%s%s", text, gap, one) : one;
    }
    return text;
}

const char *assay_audit_verdict(assay_view_t *view, uint8_t verdict) {
    static const assay_message_t name[ASSAY_VERDICT_N] = {
#define VERDICT_MESSAGE(code, text) [ASSAY_VERDICT_##code] = ASSAY_MSG_AUDIT_VERDICT_##code,
        ASSAY_VERDICT_LIST(VERDICT_MESSAGE)
#undef VERDICT_MESSAGE
    };
    return assay_view_message(view, name[verdict]);
}

const char *assay_audit_summary(assay_view_t *view, const assay_audit_t *audit) {
    const char *count[1 + ASSAY_VERDICT_N];
    count[0] = assay_view_format(view, "%u", audit->n_claim);
    for (int i = 0; i < ASSAY_VERDICT_N; i++) {
        count[1 + i] = assay_view_format(view, "%u", audit->n_verdict[i]);
    }
    return assay_view_sentence(view, ASSAY_MSG_AUDIT_SUMMARY, count, 1 + ASSAY_VERDICT_N);
}

const char *assay_audit_subject(assay_view_t *view, const assay_audited_t *claim) {
    const char *subject = assay_view_phrase(view, claim->subject);
    const char *text = assay_view_phrase(view, claim->text);
    return *subject && *text ? assay_view_format(view, "%s%s%s", subject,
                                                 view->lang == ASSAY_LANG_ZH ? "，" : ", ", text)
           : *subject        ? subject
                             : text;
}

static void write_claim(assay_view_t *view, const assay_audited_t *claim) {
    const char *subject = assay_audit_subject(view, claim);
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                    *subject ? assay_view_format(view, "%s: %s", claim->id, subject) : claim->id);
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "      ", assay_audit_evidence(view, claim));
}

/* What is wrong first, what holds last. */
void assay_audit_write_text(assay_view_t *view, const assay_audit_t *audit) {
    static const assay_verdict_t order[ASSAY_VERDICT_N] = {
        ASSAY_VERDICT_CONTRADICTED, ASSAY_VERDICT_IMPLAUSIBLE, ASSAY_VERDICT_NOT_REPRODUCIBLE,
        ASSAY_VERDICT_REPRODUCED};
    static const assay_style_t style[ASSAY_VERDICT_N] = {
        [ASSAY_VERDICT_REPRODUCED] = ASSAY_STYLE_GOOD,
        [ASSAY_VERDICT_CONTRADICTED] = ASSAY_STYLE_WARN,
        [ASSAY_VERDICT_IMPLAUSIBLE] = ASSAY_STYLE_WARN};
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", assay_audit_summary(view, audit));
    if (*audit->about) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "", audit->about);
    }
    for (int k = 0; k < ASSAY_VERDICT_N; k++) {
        if (audit->n_verdict[order[k]] == 0) {
            continue;
        }
        assay_text_line(view);
        assay_text_wrap(view, style[order[k]], "",
                        assay_view_format(view, "%s (%u)",
                                          assay_audit_verdict(view, (uint8_t)order[k]),
                                          audit->n_verdict[order[k]]));
        for (uint32_t i = 0; i < audit->n_claim; i++) {
            if (audit->claim[i].verdict == order[k]) {
                write_claim(view, &audit->claim[i]);
            }
        }
    }
}
