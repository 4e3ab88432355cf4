#include "audit/judge.h"

#include <math.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

const char *assay_verdict_name(assay_verdict_t verdict) {
    static const char *const name[ASSAY_VERDICT_N] = {
#define VERDICT_NAME(code, text) [ASSAY_VERDICT_##code] = text,
        ASSAY_VERDICT_LIST(VERDICT_NAME)
#undef VERDICT_NAME
    };
    return (unsigned)verdict < ASSAY_VERDICT_N ? name[verdict] : "unknown";
}

void audit_say(assay_audited_t *out, assay_message_t id, const char *const *arg, uint32_t n_arg) {
    if (out->n_evidence < ASSAY_AUDIT_SENTENCES && n_arg <= ASSAY_AUDIT_ARGS) {
        assay_audit_sentence_t *sentence = &out->evidence[out->n_evidence++];
        *sentence = (assay_audit_sentence_t){.id = id, .n_arg = n_arg};
        for (uint32_t i = 0; i < n_arg; i++) {
            sentence->arg[i] = arg[i] ? arg[i] : "";
        }
    }
}

bool audit_near(double a, double b, double share) {
    return fabs(a - b) <= share * fabs(b);
}

void audit_set_factor(assay_audited_t *out) {
    const double claimed = 0.5 * (out->claimed_low + out->claimed_high);
    const double computed = 0.5 * (out->computed_low + out->computed_high);
    out->factor = claimed / computed;
    out->has_factor = isfinite(out->factor) && fabs(computed) > 0;
}

const char *audit_factor_text(assay_arena_t *arena, double factor) {
    char text[32];
    assay_text_from_double_short(text, fabs(factor) < 1 ? 1 / factor : factor, 3);
    return assay_arena_strdup(arena, text);
}

/* Everything a sentence of a judgement shows. */
typedef struct {
    const char *claimed, *formula, *computed, *factor;
} shown_t;

static shown_t show(assay_arena_t *arena, const audit_claim_t *claim, const assay_audited_t *out) {
    return (shown_t){audit_text_of(arena, out->claimed_low, out->claimed_high, out->unit),
                     *claim->what ? claim->what : out->formula,
                     audit_text_of(arena, out->computed_low, out->computed_high, out->unit),
                     out->has_factor ? audit_factor_text(arena, out->factor) : ""};
}

/* One thing that is missing, and no more. */
static void set_missing(assay_arena_t *arena, const char *what, assay_audited_t *out) {
    const char **list = assay_arena_array(arena, 1, sizeof *list);
    if (list && *what) {
        *list = what;
        out->missing = list;
        out->n_missing = 1;
    }
}

static void say_missing(audit_scope_t *scope, assay_audited_t *out) {
    const char **list = assay_arena_array(scope->arena, scope->n_missing + 1, sizeof *list);
    const char *all = "";
    out->verdict = ASSAY_VERDICT_NOT_REPRODUCIBLE;
    for (uint32_t i = 0; list && all && i < scope->n_missing; i++) {
        list[i] = scope->missing[i];
        all = assay_arena_printf(scope->arena, "%s%s%s", all, i ? ", " : "", list[i]);
    }
    out->missing = list;
    out->n_missing = list ? scope->n_missing : 0;
    AUDIT_SAY(out, AUDIT_LACKS, all);
}

/* Claimed and computed are the same but for tolerance: a point inside a range is, and two ranges
   are when their ends are. */
static bool agrees(const assay_audited_t *out, double share) {
    const bool range = out->claimed_high > out->claimed_low;
    if (range && out->computed_high > out->computed_low) {
        return audit_near(out->claimed_low, out->computed_low, share) &&
               audit_near(out->claimed_high, out->computed_high, share);
    }
    const double least = range ? out->claimed_low : out->computed_low;
    const double most = range ? out->claimed_high : out->computed_high;
    const double one = range ? out->computed_low : out->claimed_low;
    return one >= least - share * fabs(least) && one <= most + share * fabs(most);
}

static void judge_bound(assay_arena_t *arena, const audit_claim_t *claim, double share,
                        assay_audited_t *out) {
    const shown_t shown = show(arena, claim, out);
    const bool least = claim->check == AUDIT_AT_LEAST;
    const bool keeps = least ? out->claimed_high >= out->computed_low * (1 - share)
                             : out->claimed_low <= out->computed_high * (1 + share);
    out->verdict = keeps ? ASSAY_VERDICT_REPRODUCED : ASSAY_VERDICT_IMPLAUSIBLE;
    audit_say(out,
              keeps   ? least ? ASSAY_MSG_AUDIT_KEEPS_LEAST : ASSAY_MSG_AUDIT_KEEPS_MOST
              : least ? ASSAY_MSG_AUDIT_BELOW_LEAST
                      : ASSAY_MSG_AUDIT_ABOVE_MOST,
              (const char *const[]){shown.claimed, shown.formula, shown.computed}, 3);
}

/* Under some conditions the claim can be right, or under none. */
static void judge_between(assay_arena_t *arena, const audit_claim_t *claim, double share,
                          assay_audited_t *out) {
    const shown_t shown = show(arena, claim, out);
    const double slack = share * fmax(fabs(out->computed_low), fabs(out->computed_high));
    const bool inside = out->claimed_low >= out->computed_low - slack &&
                        out->claimed_high <= out->computed_high + slack;
    out->verdict = inside ? ASSAY_VERDICT_NOT_REPRODUCIBLE : ASSAY_VERDICT_IMPLAUSIBLE;
    out->has_factor = false;
    if (inside) {
        set_missing(arena, claim->open, out);
    }
    audit_say(out, inside ? ASSAY_MSG_AUDIT_CONDITIONS_DECIDE : ASSAY_MSG_AUDIT_NO_CONDITIONS,
              (const char *const[]){shown.claimed, shown.formula, shown.computed, claim->open}, 4);
}

/* A share above 1, a negative time: what the relation itself rules out is no output. */
static bool breaks_relation(assay_arena_t *arena, const audit_claim_t *claim, double unit,
                            assay_audited_t *out) {
    const struct {
        bool claimed, above;
    } way[] = {{true, true}, {true, false}, {false, true}, {false, false}};
    bool broken = false;
    for (size_t i = 0; i < sizeof way / sizeof way[0] && !broken; i++) {
        const double bound = (way[i].above ? claim->most : claim->least) / unit;
        const double low = way[i].claimed ? out->claimed_low : out->computed_low;
        const double high = way[i].claimed ? out->claimed_high : out->computed_high;
        if (way[i].above ? claim->has_most && low > bound : claim->has_least && high < bound) {
            const char *value = audit_text_of(arena, low, high, out->unit);
            const char *limit = audit_text_of(arena, bound, bound, out->unit);
            broken = true;
            audit_say(out,
                      way[i].claimed ? ASSAY_MSG_AUDIT_CLAIM_IMPOSSIBLE
                                     : ASSAY_MSG_AUDIT_RESULT_IMPOSSIBLE,
                      (const char *const[]){value, out->formula, limit}, 3);
            out->has_computed = out->has_computed && way[i].claimed;
        }
    }
    if (broken) {
        out->verdict = ASSAY_VERDICT_IMPLAUSIBLE;
        out->has_factor = out->has_computed && out->has_factor;
    }
    return broken;
}

static void judge_figure(audit_scope_t *scope, const audit_claim_t *claim, uint32_t saw,
                         double share, assay_audited_t *out) {
    assay_arena_t *arena = scope->arena;
    const shown_t shown = show(arena, claim, out);
    if (agrees(out, share)) {
        out->verdict = ASSAY_VERDICT_REPRODUCED;
        AUDIT_SAY(out, AUDIT_REPRODUCED, shown.claimed, shown.formula, shown.computed);
        return;
    }
    if (claim->check == AUDIT_COUNT) {
        out->verdict = ASSAY_VERDICT_NOT_REPRODUCIBLE;
        AUDIT_SAY(out, AUDIT_TAKES_COUNT, shown.claimed, shown.formula, shown.computed, claim->open,
                  shown.factor);
        return;
    }
    if (claim->partial && out->claimed_low > out->computed_low &&
        out->claimed_high > out->computed_high) {
        out->verdict = ASSAY_VERDICT_NOT_REPRODUCIBLE;
        AUDIT_SAY(out, AUDIT_GAP, shown.claimed, shown.formula, shown.computed,
                  audit_text_of(arena, out->claimed_low - out->computed_low,
                                out->claimed_high - out->computed_high, out->unit));
        return;
    }
    out->verdict = ASSAY_VERDICT_CONTRADICTED;
    audit_say(out,
              out->has_factor && fabs(out->factor) < 1 ? ASSAY_MSG_AUDIT_CONTRADICTED_BELOW
                                                       : ASSAY_MSG_AUDIT_CONTRADICTED,
              (const char *const[]){shown.claimed, shown.formula, shown.computed, shown.factor}, 4);
    const audit_factor_t factor = {
        .factor = out->factor,
        .tolerance = share,
        .dim = claim->claimed.dim,
        .saw = saw,
        .devices = scope->devices,
        .token_factor = claim->output_tokens > 0
                            ? (claim->input_tokens + claim->output_tokens) / claim->output_tokens
                            : 0,
    };
    if (!out->has_factor || !(out->factor > 0) || !audit_slip(&factor, out)) {
        audit_say_no_slip(arena, out);
        if (*claim->about) {
            AUDIT_SAY(out, AUDIT_ABOUT, claim->about);
        }
    }
}

/* One side of a comparison counts what the other leaves out. */
static void check_basis(uint32_t saw, assay_audited_t *out) {
    const uint32_t one = saw & (AUDIT_COUNTS_INPUT | AUDIT_COUNTS_OUTPUT);
    if ((saw & AUDIT_COUNTS_BOTH) && one) {
        out->token_basis_differs = true;
        AUDIT_SAY(out, AUDIT_TOKEN_BASIS, one == AUDIT_COUNTS_INPUT ? "input" : "output");
    }
}

/* What the claim's expression comes to, shown as `formula`; what it lacks is said. */
static assay_status_t evaluate(audit_scope_t *scope, const audit_claim_t *claim,
                               const char *formula, assay_audited_t *out, audit_value_t *out_value,
                               bool *out_known, assay_error_t *err) {
    const assay_status_t status = audit_expression(scope, claim->expression, &claim->expression_at,
                                                   out_value, out_known, err);
    if (status == ASSAY_OK) {
        out->formula = formula;
        if (!*out_known) {
            say_missing(scope, out);
        }
    }
    return status;
}

static assay_status_t judge_expression(audit_scope_t *scope, const audit_claim_t *claim,
                                       assay_audited_t *out, assay_error_t *err) {
    audit_value_t value;
    bool known;
    const assay_status_t status =
        evaluate(scope, claim, claim->formula ? claim->formula : claim->expression, out, &value,
                 &known, err);
    if (status != ASSAY_OK || !known) {
        return status;
    }
    const uint32_t saw = value.saw | claim->claimed.saw;
    if (!audit_dim_equal(&value.dim, &claim->claimed.dim)) {
        out->verdict = ASSAY_VERDICT_CONTRADICTED;
        out->slip = "dimension";
        AUDIT_SAY(out, AUDIT_OTHER_DIMENSION,
                  audit_text_of(scope->arena, out->claimed_low, out->claimed_high, out->unit),
                  audit_dim_text(scope->arena, &claim->claimed.dim), out->formula,
                  audit_dim_text(scope->arena, &value.dim));
        return ASSAY_OK;
    }
    const double unit = claim->unit.times / claim->unit.over;
    const double share = fmax(claim->tolerance, claim->rounding);
    out->has_computed = true;
    out->computed_low = value.low / unit;
    out->computed_high = value.high / unit;
    audit_set_factor(out);
    if (!breaks_relation(scope->arena, claim, unit, out)) {
        if (claim->check == AUDIT_AT_LEAST || claim->check == AUDIT_AT_MOST) {
            judge_bound(scope->arena, claim, share, out);
        } else if (claim->check == AUDIT_BETWEEN) {
            judge_between(scope->arena, claim, share, out);
        } else {
            judge_figure(scope, claim, saw, share, out);
        }
    }
    check_basis(saw, out);
    return ASSAY_OK;
}

/* A rule that says one thing is above another: the expression is the difference. */
static assay_status_t judge_rule(audit_scope_t *scope, const audit_claim_t *claim,
                                 assay_audited_t *out, assay_error_t *err) {
    audit_value_t value;
    bool known;
    const assay_status_t status =
        evaluate(scope, claim, claim->expression, out, &value, &known, err);
    if (status != ASSAY_OK || !known) {
        return status;
    }
    out->unit = audit_dim_text(scope->arena, &value.dim);
    out->has_computed = true;
    out->computed_low = value.low;
    out->computed_high = value.high;
    const bool holds = value.low > 0, fails = value.high < 0;
    out->verdict = holds   ? ASSAY_VERDICT_REPRODUCED
                   : fails ? ASSAY_VERDICT_CONTRADICTED
                           : ASSAY_VERDICT_NOT_REPRODUCIBLE;
    if (!holds && !fails) {
        set_missing(scope->arena, claim->open, out);
    }
    audit_say(out,
              holds   ? ASSAY_MSG_AUDIT_RULE_HOLDS
              : fails ? ASSAY_MSG_AUDIT_RULE_FAILS
                      : ASSAY_MSG_AUDIT_RULE_OPEN,
              (const char *const[]){*claim->what ? claim->what : out->formula,
                                    audit_text_of(scope->arena, value.low, value.high, out->unit),
                                    claim->open},
              3);
    return ASSAY_OK;
}

static assay_status_t judge_arch(audit_scope_t *scope, const audit_claim_t *claim,
                                 assay_audited_t *out, assay_error_t *err) {
    const assay_accelerator_t *part;
    const assay_status_t status = assay_catalog_accelerator(scope->catalog, claim->expression,
                                                            &claim->expression_at, &part, err);
    if (status == ASSAY_OK) {
        const bool same = assay_text_equal_fold(claim->text, part->arch);
        out->verdict = same ? ASSAY_VERDICT_REPRODUCED : ASSAY_VERDICT_CONTRADICTED;
        audit_say(out, same ? ASSAY_MSG_AUDIT_CATALOG_AGREES : ASSAY_MSG_AUDIT_CATALOG_SAYS,
                  (const char *const[]){claim->text, part->arch}, 2);
    }
    return status;
}

assay_status_t audit_judge(audit_scope_t *scope, const audit_claim_t *claim, assay_audited_t *out,
                           assay_error_t *err) {
    scope->n_missing = scope->depth = 0;
    scope->devices = 0;
    *out = (assay_audited_t){.id = claim->id,
                             .subject = claim->subject,
                             .text = claim->text,
                             .source = claim->source,
                             .unit = claim->unit_text,
                             .about = claim->about,
                             .has_claimed = claim->has_claimed};
    if (claim->has_claimed) {
        const double unit = claim->unit.times / claim->unit.over;
        out->claimed_low = claim->claimed.low / unit;
        out->claimed_high = claim->claimed.high / unit;
    }
    switch (claim->check) {
    case AUDIT_CATALOG:
        return audit_judge_catalog(scope, claim, out, err);
    case AUDIT_ARCH:
        return judge_arch(scope, claim, out, err);
    case AUDIT_HOLDS:
        return judge_rule(scope, claim, out, err);
    case AUDIT_NOTHING:
        out->verdict = ASSAY_VERDICT_NOT_REPRODUCIBLE;
        audit_say(out, claim->lack, NULL, 0);
        if (*claim->open) {
            set_missing(scope->arena, claim->open, out);
            AUDIT_SAY(out, AUDIT_NEEDS, claim->open);
        }
        return ASSAY_OK;
    default:
        return judge_expression(scope, claim, out, err);
    }
}
