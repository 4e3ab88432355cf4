/* For a terminal: the verdict first, then what stands behind it. */
#include <string.h>

#include "report/write.h"

#include "base/banned.h"

static void write_candidates(assay_view_t *view, const assay_decision_t *decision) {
    const uint32_t row = decision->choice >= 0 ? (uint32_t)decision->choice + 1 : 0;
    assay_text_heading(view, assay_decision_cost_heading(view, decision));
    assay_text_table(view, assay_decision_cost_table(view, decision), row);
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_SPEED));
    assay_text_table(view, assay_decision_speed_table(view, decision), row);
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_LAYOUT));
    assay_text_table(view, assay_decision_layout_table(view, decision), row);
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        const char *why = assay_view_why_not(view, decision, &decision->candidate[i]);
        if (why) {
            assay_text_wrap(view, ASSAY_STYLE_WARN, "  ", why);
        }
    }
}

static void write_why(assay_view_t *view, const assay_decision_t *decision) {
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_WHY));
    for (uint32_t i = 0; i < decision->n_reason; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", decision->reason[i].text);
    }
    double share;
    if (assay_view_break_even(decision, &share) != ASSAY_EVEN_NONE) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ",
                        assay_view_break_even_sentence(view, decision));
    }
    const char *tco = assay_view_tco_sentence(view, decision);
    if (tco) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", tco);
    }
}

static void write_flips(assay_view_t *view, const assay_decision_t *decision) {
    if (decision->n_flip == 0) {
        return;
    }
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_FLIPS));
    for (uint32_t i = 0; i < decision->n_flip; i++) {
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  - ", decision->flip[i].sentence);
    }
}

static void write_rules(assay_view_t *view, const assay_decision_t *decision) {
    static const struct {
        assay_message_t word;
        assay_style_t style;
    } state[] = {[ASSAY_RULE_YES] = {ASSAY_MSG_REPORT_YES, ASSAY_STYLE_GOOD},
                 [ASSAY_RULE_NO] = {ASSAY_MSG_REPORT_NO, ASSAY_STYLE_PLAIN},
                 [ASSAY_RULE_UNKNOWN] = {ASSAY_MSG_REPORT_UNKNOWN, ASSAY_STYLE_PLAIN}};
    if (decision->n_rule == 0) {
        return;
    }
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_RULES));
    assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", decision->rules_sentence);
    for (uint32_t i = 0; i < decision->n_rule && assay_view_any_moves(decision); i++) {
        const assay_rule_t *rule = &decision->rule[i];
        const char *word = assay_view_message(view, state[rule->state].word);
        const size_t columns = assay_text_columns(word);
        const char *lead =
            assay_view_format(view, "  %s%*s ", word, (int)(columns < 8 ? 8 - columns : 0), "");
        assay_text_wrap(view, state[rule->state].style, lead,
                        SAY(view, REPORT_SOURCED, rule->text, rule->source));
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "           ", rule->evidence);
    }
}

void assay_text_warnings(assay_view_t *view, const assay_note_t *notes, uint32_t n_note) {
    bool any = false;
    for (uint32_t i = 0; i < n_note; i++) {
        if (notes[i].kind != ASSAY_NOTE_WARNING) {
            continue;
        }
        if (!any) {
            assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_WARNINGS));
            any = true;
        }
        assay_text_wrap(view, ASSAY_STYLE_WARN, "  - ", assay_view_note(view, &notes[i]));
    }
}

/** Subject, value, where from: one line each. A long value takes the room of the source, which the
 * other formats give in full. */
void assay_text_assumptions(assay_view_t *view, const assay_note_t *notes, uint32_t n_note) {
    enum { SUBJECT_MAX = 40, VALUE_MAX = 20, BASIS_MIN = 8 };
    size_t subject = 0, value = 0;
    for (uint32_t i = 0; i < n_note; i++) {
        const assay_note_t *note = &notes[i];
        const size_t s = assay_text_columns(note->subject);
        const size_t v = assay_text_columns(assay_view_or_empty(note->value));
        if (note->kind == ASSAY_NOTE_ASSUMPTION) {
            subject = s > subject ? s : subject;
            value = v > value ? v : value;
        }
    }
    subject = subject < SUBJECT_MAX ? subject : SUBJECT_MAX;
    value = value < VALUE_MAX ? value : VALUE_MAX;
    assay_text_heading(view, assay_view_message(view, ASSAY_MSG_REPORT_HEADING_ASSUMPTIONS));
    for (uint32_t i = 0; i < n_note; i++) {
        const assay_note_t *note = &notes[i];
        if (note->kind != ASSAY_NOTE_ASSUMPTION) {
            continue;
        }
        if (!note->value &&
            note->text) { /* a sentence, such as which row a user's table replaced */
            assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ",
                            SAY(view, REPORT_NOTE, note->subject, note->text));
            continue;
        }
        const char *s = assay_view_cut(view, note->subject, subject);
        const char *v = assay_view_cut(view, assay_view_or_empty(note->value),
                                       view->width - subject - BASIS_MIN - 6);
        const size_t columns = assay_text_columns(v) > value ? assay_text_columns(v) : value;
        const char *basis = assay_view_cut(view, note->source ? note->source : note->text,
                                           view->width - subject - columns - 6);
        const char *line =
            assay_view_format(view, "%s%*s  %s%*s  %s", s, (int)(subject - assay_text_columns(s)),
                              "", v, (int)(columns - assay_text_columns(v)), "", basis);
        assay_text_wrap(view, ASSAY_STYLE_PLAIN, "  ", line);
    }
}

void assay_decision_write_text(assay_view_t *view, const assay_decision_t *decision) {
    assay_text_wrap(view, ASSAY_STYLE_BOLD, "", decision->sentence);
    write_candidates(view, decision);
    write_why(view, decision);
    write_flips(view, decision);
    assay_decision_write_money(view, decision);
    assay_decision_write_mix(view, decision);
    write_rules(view, decision);
    assay_text_warnings(view, decision->note, decision->n_note);
    assay_text_assumptions(view, decision->note, decision->n_note);
}
