/* What the reader must know: resolve's notes, then what the money and the decision assumed. */
#include "decide/decision.h"

#include <string.h>

#include "base/banned.h"

#define OWN_NOTES 4 /* of the decision as a whole */
#define NOTES_PER_CANDIDATE 4

static void add_note(assay_decide_ctx_t *ctx, assay_note_kind_t kind, const char *subject,
                     const char *value, const char *source, const char *text) {
    ctx->out->note[ctx->out->n_note++] =
        (assay_note_t){(uint8_t)kind, subject, value, assay_decide_phrase(ctx, source), text};
}

/* A reading of ours, where the article leaves it open. */
static void add_reading(assay_decide_ctx_t *ctx, const char *subject, const char *value,
                        const char *text) {
    add_note(ctx, ASSAY_NOTE_ASSUMPTION, subject, value, SAY0(ctx, DECIDE_SOURCE_OWN), text);
}

/* How errors are shared, and what the power model can be off by. */
static void add_spread_notes(assay_decide_ctx_t *ctx) {
    const assay_decide_settings_t *s = &ctx->settings;
    add_note(ctx, ASSAY_NOTE_ASSUMPTION, "decide.common_share",
             assay_decide_format(ctx, s->common_share.v, ASSAY_DIM_FRACTION),
             s->common_share.source, SAY0(ctx, DECIDE_NOTE_COMMON));
    add_note(ctx, ASSAY_NOTE_ASSUMPTION, "decide.power",
             SAY(ctx, DECIDE_RANGE, assay_decide_format(ctx, s->power_p10.v, ASSAY_DIM_NUMBER),
                 assay_decide_format(ctx, s->power_p90.v, ASSAY_DIM_NUMBER)),
             s->power_p10.source, SAY0(ctx, DECIDE_NOTE_POWER));
}

/* How the article's words about moving were read. */
static void add_moving_notes(assay_decide_ctx_t *ctx) {
    const assay_money_input_t *money = &ctx->resolved->money;
    if (money->contingency.known && money->contingency.v > 0.0) {
        add_reading(ctx, "money.contingency", NULL, SAY0(ctx, DECIDE_NOTE_CONTINGENCY));
    }
    if (money->debt_days_per_year > 0.0) {
        add_reading(ctx, "migration.debt_days_per_year", NULL, SAY0(ctx, DECIDE_NOTE_DEBT));
    }
}

static void add_candidate_notes(assay_decide_ctx_t *ctx, const assay_candidate_t *candidate) {
    const assay_machine_t *machine = candidate->machine;
    const uint8_t basis = candidate->plan.best.basis;
    if (basis == ASSAY_BASIS_TRANSFERRED || basis == ASSAY_BASIS_EXTRAPOLATED) {
        add_note(ctx, ASSAY_NOTE_WARNING, machine->id,
                 assay_decide_phrase(ctx, assay_basis_name((assay_basis_t)basis)),
                 SAY0(ctx, DECIDE_SOURCE_PREDICTION),
                 basis == ASSAY_BASIS_TRANSFERRED ? SAY0(ctx, DECIDE_NOTE_TRANSFERRED)
                                                  : SAY0(ctx, DECIDE_NOTE_EXTRAPOLATED));
    }
    const assay_money_case_t *money = &candidate->money_case;
    const double useful_h = money->years * ASSAY_HOURS_PER_YEAR * money->utilisation;
    if (money->owned && candidate->point.hours > useful_h) {
        add_note(ctx, ASSAY_NOTE_WARNING, machine->id, NULL, SAY0(ctx, DECIDE_SOURCE_PREDICTION),
                 SAY(ctx, DECIDE_NOTE_OUTLIVES, machine->id,
                     assay_decide_format(ctx, candidate->point.hours * 3600.0, ASSAY_DIM_TIME),
                     assay_decide_format(ctx, useful_h * 3600.0, ASSAY_DIM_TIME)));
    }
    if (candidate->plan.best.clock < 1.0) {
        add_note(ctx, ASSAY_NOTE_ASSUMPTION, SAY(ctx, DECIDE_CLOCK, machine->id),
                 assay_decide_format(ctx, candidate->plan.best.clock, ASSAY_DIM_FRACTION),
                 machine->clock_exponent.source,
                 SAY(ctx, DECIDE_NOTE_CLOCK,
                     assay_decide_format(ctx, machine->package_limit_w, ASSAY_DIM_POWER)));
    }
    if (machine->retrofit_usd_per_rack.known && !(machine->nodes_per_rack > 0.0)) {
        add_reading(ctx, machine->id, assay_decide_format(ctx, 1.0, ASSAY_DIM_COUNT),
                    SAY(ctx, DECIDE_NOTE_RACKS, machine->id));
    }
}

/* Not what concerns a move that no candidate needs, or owning where all are rented. */
static bool is_used(const assay_decide_ctx_t *ctx, const assay_note_t *note) {
    static const struct {
        const char *subject; /* how it begins */
        bool owning;         /* else moving */
    } only[] = {
        {"migration.level", false},       {"migration.labour", false},
        {"migration.training", false},    {"migration.engineers", false},
        {"migration.debt", false},        {"money.contingency", false},
        {"money.electricity", true},      {"money.residual", true},
        {"money.ops_usd_per_year", true},
    };
    bool any_owned = false;
    for (uint32_t c = 0; c < ctx->out->n_candidate; c++) {
        any_owned |= ctx->out->candidate[c].machine->capex_usd.known;
    }
    for (size_t i = 0; i < sizeof only / sizeof only[0]; i++) {
        if (strncmp(note->subject, only[i].subject, strlen(only[i].subject)) == 0) {
            return only[i].owning ? any_owned : ctx->mover >= 0;
        }
    }
    return true;
}

void assay_decide_notes(assay_decide_ctx_t *ctx) {
    assay_decision_t *decision = ctx->out;
    const assay_resolved_t *resolved = ctx->resolved;
    decision->note = assay_arena_array(ctx->arena,
                                       (size_t)resolved->n_note + OWN_NOTES +
                                           NOTES_PER_CANDIDATE * (size_t)decision->n_candidate,
                                       sizeof *decision->note);
    if (!decision->note) {
        ctx->failed = true;
        return;
    }
    for (uint32_t i = 0; i < resolved->n_note; i++) {
        if (resolved->note[i].kind != ASSAY_NOTE_ASSUMPTION || is_used(ctx, &resolved->note[i])) {
            decision->note[decision->n_note++] = resolved->note[i];
        }
    }
    bool any_fits = false;
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        if (decision->candidate[c].fits) {
            any_fits = true;
            add_candidate_notes(ctx, &decision->candidate[c]);
        }
    }
    if (any_fits) {
        add_spread_notes(ctx);
    }
    if (ctx->mover >= 0) {
        add_moving_notes(ctx);
    }
}
