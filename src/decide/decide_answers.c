#include "decide/answers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

#define PAYBACK_YEARS \
    3.0 /* A7: migration cost < purchase difference + 3-year electricity difference */
#define HOURS_PER_DAY 24.0

static const char *const answer_name[ASSAY_ANSWER_N] = {
#define ANSWER_NAME(code, name) [ASSAY_ANSWER_##code] = name,
    ASSAY_ANSWER_LIST(ANSWER_NAME)
#undef ANSWER_NAME
};
static const assay_message_t answer_label[ASSAY_ANSWER_N] = {
#define ANSWER_LABEL(code, name) [ASSAY_ANSWER_##code] = ASSAY_MSG_DECIDE_ANSWER_##code,
    ASSAY_ANSWER_LIST(ANSWER_LABEL)
#undef ANSWER_LABEL
};
/* How an answer is printed: to_si makes it SI. Those left out are yes or no. */
static const struct {
    bool is_number;
    assay_dim_t dim;
    double to_si;
} answer_unit[ASSAY_ANSWER_N] = {
    [ASSAY_ANSWER_ROCM_DEBUGGERS] = {true, ASSAY_DIM_COUNT, 1.0},
    [ASSAY_ANSWER_CUDA_ONLY_SHARE] = {true, ASSAY_DIM_FRACTION, 1.0},
    [ASSAY_ANSWER_HIP_FIT] = {true, ASSAY_DIM_FRACTION, 1.0},
    [ASSAY_ANSWER_RAW_BYTES] = {true, ASSAY_DIM_BYTES, 1.0},
    [ASSAY_ANSWER_HARDWARE_BUDGET_USD] = {true, ASSAY_DIM_MONEY, 1.0},
    [ASSAY_ANSWER_COMPUTE_SHARE] = {true, ASSAY_DIM_FRACTION, 1.0},
    [ASSAY_ANSWER_RUN_DAYS] = {true, ASSAY_DIM_TIME, HOURS_PER_DAY * 3600.0},
    [ASSAY_ANSWER_MFU] = {true, ASSAY_DIM_FRACTION, 1.0},
    [ASSAY_ANSWER_MIGRATION_OVER_SAVING] = {true, ASSAY_DIM_FRACTION, 1.0},
};

bool assay_decide_answer_find(const char *name, assay_answer_id_t *out) {
    for (int k = 0; k < ASSAY_ANSWER_N; k++) {
        if (strcmp(answer_name[k], name) == 0) {
            *out = (assay_answer_id_t)k;
            return true;
        }
    }
    return false;
}

assay_status_t assay_decide_answer_threshold(assay_answer_id_t id, const char *number,
                                             const char *unit, const assay_place_t *at,
                                             double *out_value, assay_error_t *err) {
    if (!answer_unit[id].is_number) {
        if (strcmp(number, "true") != 0 && strcmp(number, "false") != 0) {
            return assay_error_set(err, ASSAY_INPUT, at,
                                   "threshold of %s is \"%s\", expected true or false",
                                   answer_name[id], number);
        }
        *out_value = strcmp(number, "true") == 0;
        return ASSAY_OK;
    }
    char text[64];
    const int n = snprintf(text, sizeof text, *unit ? "%s %s" : "%s", number, unit);
    if (n < 0 || (size_t)n >= sizeof text) {
        return assay_error_set(err, ASSAY_INPUT, at, "threshold of %s is too long",
                               answer_name[id]);
    }
    const assay_status_t status =
        assay_units_parse(text, (size_t)n, answer_unit[id].dim, 1.0, at, out_value, err);
    if (status == ASSAY_OK) {
        *out_value /= answer_unit[id].to_si;
    }
    return status;
}

static const char *value_text(assay_decide_ctx_t *ctx, assay_answer_id_t id, double v) {
    if (!answer_unit[id].is_number) {
        return v > 0.0 ? SAY0(ctx, DECIDE_YES) : SAY0(ctx, DECIDE_NO);
    }
    return assay_decide_format(ctx, v * answer_unit[id].to_si, answer_unit[id].dim);
}

static const char *label_of(assay_decide_ctx_t *ctx, assay_answer_id_t id) {
    return assay_decide_say(ctx, answer_label[id], NULL, 0);
}

/* What the search and the physics say of the machine that the rules are about. */
static void add_predicted(assay_decide_ctx_t *ctx, int32_t subject,
                          assay_decide_answer_t out[ASSAY_ANSWER_N]) {
    const assay_candidate_t *candidate = &ctx->out->candidate[subject];
    const struct {
        assay_answer_id_t id;
        double v;
        bool known;
    } predicted[] = {{ASSAY_ANSWER_COMPUTE_SHARE, candidate->plan.best.compute_share, true},
                     {ASSAY_ANSWER_RUN_DAYS, candidate->days, ctx->resolved->workload.tokens > 0.0},
                     {ASSAY_ANSWER_MFU, candidate->plan.best.mfu, true}};
    for (size_t k = 0; k < sizeof predicted / sizeof *predicted; k++) {
        const assay_answer_id_t id = predicted[k].id;
        if (!predicted[k].known) {
            continue; /* a step alone has no length of run */
        }
        out[id].v = predicted[k].v;
        out[id].known = true;
        out[id].text = SAY(ctx, DECIDE_EVIDENCE_PREDICTED, label_of(ctx, id),
                           value_text(ctx, id, predicted[k].v), candidate->machine->id);
    }
}

/* What is paid for the hardware at the start: servers and the rooms they need. */
static double purchase_usd(const assay_money_case_t *c) {
    return c->nodes * c->capex_usd + c->racks * c->central[ASSAY_DRAW_RETROFIT];
}

/* A budget that the job does not state is at least the cheapest purchase that is asked about. */
static void add_budget(assay_decide_ctx_t *ctx, assay_decide_answer_t *out) {
    const assay_candidate_t *cheapest = NULL;
    for (uint32_t c = 0; c < ctx->out->n_candidate; c++) {
        const assay_candidate_t *candidate = &ctx->out->candidate[c];
        if (candidate->fits && candidate->money_case.owned &&
            (!cheapest ||
             purchase_usd(&candidate->money_case) < purchase_usd(&cheapest->money_case))) {
            cheapest = candidate;
        }
    }
    if (cheapest) {
        const assay_answer_id_t id = ASSAY_ANSWER_HARDWARE_BUDGET_USD;
        out->v = purchase_usd(&cheapest->money_case);
        out->known = true;
        out->text = SAY(ctx, DECIDE_EVIDENCE_BUDGET, label_of(ctx, id), value_text(ctx, id, out->v),
                        cheapest->machine->id);
    }
}

static double electricity_usd_per_year(const assay_money_case_t *c) {
    return c->nodes * c->node_w / 1000.0 * c->central[ASSAY_DRAW_PUE] *
           c->central[ASSAY_DRAW_ELECTRICITY] * ASSAY_HOURS_PER_YEAR * c->utilisation;
}

static void add_payback(assay_decide_ctx_t *ctx, assay_decide_answer_t *out) {
    if (ctx->mover < 0 || ctx->incumbent < 0) {
        return;
    }
    const assay_candidate_t *mover = &ctx->out->candidate[ctx->mover];
    const assay_money_case_t *from = &ctx->out->candidate[ctx->incumbent].money_case;
    const assay_money_case_t *to = &mover->money_case;
    if (!from->owned || !to->owned) {
        return;
    }
    const double saving_usd =
        purchase_usd(from) - purchase_usd(to) +
        PAYBACK_YEARS * (electricity_usd_per_year(from) - electricity_usd_per_year(to));
    out->v = saving_usd > 0.0 ? mover->point.one_time_usd / saving_usd : (double)INFINITY;
    out->known = true;
    const char *cost = assay_decide_format(ctx, mover->point.one_time_usd, ASSAY_DIM_MONEY);
    const char *saving = assay_decide_format(ctx, fabs(saving_usd), ASSAY_DIM_MONEY);
    out->text = saving_usd > 0.0 ? SAY(ctx, DECIDE_EVIDENCE_PAYBACK, cost, saving)
                                 : SAY(ctx, DECIDE_EVIDENCE_NO_SAVING, cost, saving);
}

void assay_decide_answers(assay_decide_ctx_t *ctx, assay_decide_answer_t out[ASSAY_ANSWER_N]) {
    const int32_t subject = ctx->mover >= 0 ? ctx->mover : ctx->incumbent;
    memset(out, 0, ASSAY_ANSWER_N * sizeof *out);
    if (subject >= 0) {
        add_predicted(ctx, subject, out);
    }
    add_budget(ctx, &out[ASSAY_ANSWER_HARDWARE_BUDGET_USD]);
    add_payback(ctx, &out[ASSAY_ANSWER_MIGRATION_OVER_SAVING]);
    for (int k = 0; k < ASSAY_ANSWER_N; k++) {
        const assay_answer_t *given = &ctx->resolved->answers.a[k];
        if (given->known) {
            const assay_answer_id_t id = (assay_answer_id_t)k;
            out[k].v = given->v;
            out[k].known = true;
            out[k].text =
                SAY(ctx, DECIDE_EVIDENCE_JOB, label_of(ctx, id), value_text(ctx, id, given->v));
        }
    }
}
