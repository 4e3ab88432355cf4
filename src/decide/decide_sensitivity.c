/* Which input moves the decision, and what knowing it is worth. */
#include "decide/decide_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"

#include "base/banned.h"

/* Conditional means are expanded in Hermite polynomials of an input's normal score, orthonormal
   under it: E[f | z] = sum c_k h_k(z) with c_k = E[f h_k], which the samples give as plain means
   (Sudret, Reliability Engineering 93, 2008: polynomial chaos). The sum of c_k^2, k >= 1, is the
   variance that the input explains alone; the mean of the cheapest E[f | z], as Strong, Oakley and
   Brennan (Medical Decision Making 34, 2014) regress it, gives the worth of knowing the input. */
#define DEGREE 3
#define DECILES_LOW 0.1
#define DECILES_HIGH 0.9
#define QUICK_MINUTES 20.0
#define PLAYERS_MAX 8u
#define NOISE_SHARE 1e-3 /* of the variance: below it an input explains nothing */

static void hermite(double z, double out[DEGREE + 1]) {
    out[0] = 1.0;
    out[1] = z;
    out[2] = (z * z - 1.0) * M_SQRT1_2;
    out[3] = (z * z * z - 3.0 * z) * 0.40824829046386302; /* 1/sqrt(6) */
}

/* One input of one candidate, or one that all share. */
typedef struct {
    assay_draw_t draw;
    int32_t owner;       /* candidate; -1 = common */
    double *coefficient; /* (n_candidate, DEGREE) of the job's cost, without the mean */
    double *z;           /* (n): of the samples */
} factor_t;

typedef struct {
    assay_decide_ctx_t *ctx;
    assay_arena_t *scratch;
    const decide_rows_t *row;
    factor_t *factor;
    uint32_t n_factor, n;   /* n: samples that are looked at */
    double *mean;           /* (n_candidate) of the job's cost */
    const uint32_t *played; /* (n_played) candidates that are looked at */
    uint32_t n_played;
} study_t;

static bool is_drawn(const assay_candidate_t *candidate, int draw) {
    return candidate->money_case.draw[draw].kind != ASSAY_DIST_FIXED;
}

/* Choice, runner-up, and the others that are cheapest most often: PLAYERS_MAX at most. */
static uint32_t find_players(const assay_decision_t *decision, uint32_t *out) {
    uint32_t n = 0;
    const int32_t first[2] = {decision->choice, decision->runner_up};
    for (int k = 0; k < 2 && first[k] >= 0; k++) {
        out[n++] = (uint32_t)first[k];
    }
    for (; n > 0 && n < PLAYERS_MAX; n++) {
        int32_t best = -1;
        for (uint32_t c = 0; c < decision->n_candidate; c++) {
            bool known = !decision->candidate[c].eligible;
            for (uint32_t k = 0; k < n; k++) {
                known |= out[k] == c;
            }
            if (!known &&
                (best < 0 || decision->candidate[c].p_best > decision->candidate[best].p_best)) {
                best = (int32_t)c;
            }
        }
        if (best < 0) {
            break;
        }
        out[n] = (uint32_t)best;
    }
    return n;
}

/* ---- factors ---- */

static void add_factor(study_t *s, assay_draw_t draw, int32_t owner) {
    factor_t *f = &s->factor[s->n_factor++];
    *f = (factor_t){.draw = draw, .owner = owner};
}

static bool find_factors(study_t *s) {
    const assay_decision_t *decision = s->ctx->out;
    s->factor =
        assay_arena_array(s->scratch, (size_t)ASSAY_DRAW_N * (s->n_played + 1), sizeof *s->factor);
    if (!s->factor) {
        return false;
    }
    for (int d = 0; d < ASSAY_DRAW_N; d++) {
        bool shared = false;
        for (uint32_t k = 0; k < s->n_played; k++) {
            const uint32_t c = s->played[k];
            if (!is_drawn(&decision->candidate[c], d)) {
                continue;
            }
            if (assay_draw_is_common((assay_draw_t)d)) {
                shared = true;
            } else {
                add_factor(s, (assay_draw_t)d, (int32_t)c);
            }
        }
        if (shared) {
            add_factor(s, (assay_draw_t)d, -1);
        }
    }
    for (uint32_t k = 0; k < s->n_factor; k++) {
        factor_t *f = &s->factor[k];
        f->z = assay_arena_array(s->scratch, s->n, sizeof *f->z);
        f->coefficient = assay_arena_array(s->scratch, (size_t)decision->n_candidate * DEGREE,
                                           sizeof *f->coefficient);
        if (!f->z || !f->coefficient) {
            return false;
        }
    }
    return true;
}

static void expand(study_t *s) {
    const assay_decision_t *decision = s->ctx->out;
    for (uint32_t k = 0; k < s->n_played; k++) {
        const double *usd = s->row[s->played[k]].job_usd;
        double sum = 0.0;
        for (uint32_t i = 0; i < s->n; i++) {
            sum += usd[i];
        }
        s->mean[s->played[k]] = sum / s->n;
    }
    for (uint32_t f = 0; f < s->n_factor; f++) {
        factor_t *factor = &s->factor[f];
        memset(factor->coefficient, 0,
               (size_t)decision->n_candidate * DEGREE * sizeof *factor->coefficient);
        decide_scores(s->ctx->resolved, factor->draw, factor->owner, s->n, factor->z);
        for (uint32_t i = 0; i < s->n; i++) {
            double h[DEGREE + 1];
            hermite(factor->z[i], h);
            for (uint32_t k = 0; k < s->n_played; k++) {
                const uint32_t c = s->played[k];
                const double off = (s->row[c].job_usd[i] - s->mean[c]) / s->n;
                for (int p = 0; p < DEGREE; p++) {
                    factor->coefficient[c * DEGREE + (uint32_t)p] += off * h[p + 1];
                }
            }
        }
    }
}

/* ---- worth ---- */

/* Expected saving by knowing the inputs that `use` names before choosing, of main effects. */
static double worth_of(const study_t *s, const bool *use) {
    double best_mean = INFINITY, known = 0.0;
    uint32_t used[ASSAY_DRAW_N * (PLAYERS_MAX + 1)] = {0}, n_used = 0;
    for (uint32_t k = 0; k < s->n_played; k++) {
        best_mean = fmin(best_mean, s->mean[s->played[k]]);
    }
    for (uint32_t f = 0; f < s->n_factor; f++) {
        if (use[f]) {
            used[n_used++] = f;
        }
    }
    for (uint32_t i = 0; i < s->n; i++) {
        double usd[PLAYERS_MAX], best = INFINITY;
        for (uint32_t k = 0; k < s->n_played; k++) {
            usd[k] = s->mean[s->played[k]];
        }
        for (uint32_t f = 0; f < n_used; f++) {
            const factor_t *factor = &s->factor[used[f]];
            double h[DEGREE + 1];
            hermite(factor->z[i], h);
            for (uint32_t k = 0; k < s->n_played; k++) {
                const double *c = &factor->coefficient[s->played[k] * DEGREE];
                usd[k] += c[0] * h[1] + c[1] * h[2] + c[2] * h[3];
            }
        }
        for (uint32_t k = 0; k < s->n_played; k++) {
            best = fmin(best, usd[k]);
        }
        known += best / s->n;
    }
    return fmax(0.0, best_mean - known);
}

/* Share of the variance of choice against runner-up that a factor explains alone. */
static double explained(const study_t *s, const factor_t *f, double variance) {
    const assay_decision_t *decision = s->ctx->out;
    const uint32_t a = (uint32_t)decision->choice, b = (uint32_t)decision->runner_up;
    double sum = 0.0;
    for (uint32_t p = 0; p < DEGREE; p++) {
        const double c = f->coefficient[b * DEGREE + p] - f->coefficient[a * DEGREE + p];
        sum += c * c;
    }
    const double share = variance > 0.0 ? sum / variance : 0.0;
    return share < NOISE_SHARE ? 0.0 : fmin(1.0, share);
}

static double variance_of_delta(const study_t *s) {
    const assay_decision_t *decision = s->ctx->out;
    const double *a = s->row[decision->choice].job_usd, *b = s->row[decision->runner_up].job_usd;
    const double mean = s->mean[decision->runner_up] - s->mean[decision->choice];
    double sum = 0.0;
    for (uint32_t i = 0; i < s->n; i++) {
        const double off = b[i] - a[i] - mean;
        sum += off * off;
    }
    return sum / s->n;
}

/* ---- swings ---- */

static double job_with(const assay_candidate_t *candidate, const factor_t *f, uint32_t index,
                       double x) {
    assay_money_case_t c = candidate->money_case;
    assay_money_result_t result;
    if (f->owner < 0 || f->owner == (int32_t)index) {
        c.central[f->draw] = x;
    }
    assay_money_eval(&c, NULL, &result);
    return result.job_usd;
}

static void swing(const study_t *s, const factor_t *f, assay_input_t *out) {
    const assay_decision_t *decision = s->ctx->out;
    const uint32_t a = (uint32_t)decision->choice, b = (uint32_t)decision->runner_up;
    const assay_candidate_t *choice = &decision->candidate[a], *other = &decision->candidate[b];
    const uint32_t of = f->owner >= 0 ? (uint32_t)f->owner : is_drawn(choice, f->draw) ? a : b;
    const assay_dist_t *dist = &decision->candidate[of].money_case.draw[f->draw];
    out->low_x = assay_dist_quantile(dist, DECILES_LOW);
    out->high_x = assay_dist_quantile(dist, DECILES_HIGH);
    /* the shared error of the steps has a width of each machine's own */
    const double x[2] = {DECILES_LOW, DECILES_HIGH};
    double *const choice_usd[2] = {&out->low_choice_usd, &out->high_choice_usd};
    double *const delta[2] = {&out->low_usd, &out->high_usd};
    for (int k = 0; k < 2; k++) {
        *choice_usd[k] =
            job_with(choice, f, a, assay_dist_quantile(&choice->money_case.draw[f->draw], x[k]));
        *delta[k] =
            job_with(other, f, b, assay_dist_quantile(&other->money_case.draw[f->draw], x[k])) -
            *choice_usd[k];
    }
}

static int by_swing(const void *a, const void *b) {
    const assay_input_t *x = a, *y = b;
    const double sx = fabs(x->high_usd - x->low_usd), sy = fabs(y->high_usd - y->low_usd);
    return (sx < sy) - (sx > sy);
}

static bool fill_inputs(study_t *s, assay_sensitivity_t *out) {
    const assay_decision_t *decision = s->ctx->out;
    bool *use = assay_arena_array(s->scratch, s->n_factor, sizeof *use);
    out->input = assay_arena_array(s->ctx->arena, s->n_factor, sizeof *out->input);
    if (!use || !out->input) {
        return false;
    }
    const double variance = variance_of_delta(s);
    double alone = 0.0;
    for (uint32_t f = 0; f < s->n_factor; f++) {
        const factor_t *factor = &s->factor[f];
        if (factor->owner >= 0 && factor->owner != decision->choice &&
            factor->owner != decision->runner_up) {
            continue;
        }
        assay_input_t *input = &out->input[out->n_input++];
        *input = (assay_input_t){
            .draw = (uint8_t)factor->draw,
            .name = assay_decide_phrase(s->ctx, assay_draw_what(factor->draw)),
            .candidate = factor->owner < 0 ? NULL : decision->candidate[factor->owner].machine->id};
        swing(s, factor, input);
        input->first_order = explained(s, factor, variance);
        alone += input->first_order;
        memset(use, 0, s->n_factor * sizeof *use);
        use[f] = true;
        input->worth_usd = worth_of(s, use);
    }
    out->interaction = fmax(0.0, 1.0 - alone);
    qsort(out->input, out->n_input, sizeof *out->input, by_swing);
    return true;
}

/* ---- what to measure ---- */

static bool settles(const char *list, assay_draw_t draw) {
    static const char *const code[ASSAY_DRAW_N] = {
#define DRAW_CODE(name, key, what, common) [ASSAY_DRAW_##name] = #name,
        ASSAY_DRAW_LIST(DRAW_CODE)
#undef DRAW_CODE
#define OPTION_CODE(name, key, dim, scale, least, most, drawn, term, help) \
    [ASSAY_DRAW_OPTION + ASSAY_OPTION_##name] = #name,
            ASSAY_OPTION_LIST(OPTION_CODE)
#undef OPTION_CODE
    };
    const size_t n = strlen(code[draw]);
    for (const char *at = list; (at = strstr(at, code[draw])); at += n) {
        const bool begins = at == list || at[-1] == ' ';
        if (begins && (at[n] == ' ' || at[n] == '\0')) {
            return true;
        }
    }
    return false;
}

static void add_measurement(study_t *s, assay_sensitivity_t *out, const assay_csv_t *table,
                            uint32_t row, int32_t owner, bool *use) {
    const char *list = assay_csv_cell(table, row, assay_csv_column(table, "settles"));
    const char *minutes = assay_csv_cell(table, row, assay_csv_column(table, "minutes"));
    bool any = false;
    for (uint32_t f = 0; f < s->n_factor; f++) {
        const factor_t *factor = &s->factor[f];
        use[f] = settles(list, factor->draw) && (factor->owner < 0 || factor->owner == owner);
        any |= use[f] && (owner < 0 || factor->owner == owner);
    }
    assay_measurement_t m = {
        .id = assay_csv_cell(table, row, assay_csv_column(table, "id")),
        .candidate = owner < 0 ? NULL : s->ctx->out->candidate[owner].machine->id,
        .how = assay_decide_phrase(s->ctx,
                                   assay_csv_cell(table, row, assay_csv_column(table, "how")))};
    if (!any || !assay_text_to_double(minutes, strlen(minutes), &m.minutes)) {
        return;
    }
    m.worth_usd = worth_of(s, use);
    if (m.worth_usd > 0.0) {
        m.sentence = m.candidate
                         ? SAY(s->ctx, DECIDE_MEASURE_OF, m.id, m.candidate,
                               assay_decide_format(s->ctx, m.worth_usd, ASSAY_DIM_MONEY), m.how)
                         : SAY(s->ctx, DECIDE_MEASURE, m.id,
                               assay_decide_format(s->ctx, m.worth_usd, ASSAY_DIM_MONEY), m.how);
        out->measurement[out->n_measurement++] = m;
    }
}

static int by_worth(const void *a, const void *b) {
    const double x = ((const assay_measurement_t *)a)->worth_usd;
    const double y = ((const assay_measurement_t *)b)->worth_usd;
    return (x < y) - (x > y);
}

static assay_status_t fill_measurements(study_t *s, assay_sensitivity_t *out, assay_error_t *err) {
    assay_decide_ctx_t *ctx = s->ctx;
    assay_csv_t table;
    bool *use = assay_arena_array(s->scratch, s->n_factor, sizeof *use);
    const assay_status_t status = assay_data_table_keyed(
        ctx->arena, "measurements.csv", ctx->data_dir, ctx->n_data_dir, &table, err);
    if (status) {
        return status;
    }
    out->quick = -1;
    out->measurement = assay_arena_array(ctx->arena, (size_t)table.n_rows * (s->n_played + 1),
                                         sizeof *out->measurement);
    if (!use || !out->measurement) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const char *own = assay_csv_cell(&table, row, assay_csv_column(&table, "own"));
        if (strcmp(own, "yes") != 0) {
            add_measurement(s, out, &table, row, -1, use);
            continue;
        }
        for (uint32_t k = 0; k < s->n_played; k++) {
            add_measurement(s, out, &table, row, (int32_t)s->played[k], use);
        }
    }
    qsort(out->measurement, out->n_measurement, sizeof *out->measurement, by_worth);
    for (uint32_t k = 0; k < out->n_measurement && out->quick < 0; k++) {
        out->quick = out->measurement[k].minutes <= QUICK_MINUTES ? (int32_t)k : -1;
    }
    return ASSAY_OK;
}

/* Worth of knowing everything: what the cheapest in the mean costs more than the cheapest of each
   sample. */
static double perfect(const study_t *s) {
    double best_mean = INFINITY, known = 0.0;
    for (uint32_t k = 0; k < s->n_played; k++) {
        best_mean = fmin(best_mean, s->mean[s->played[k]]);
    }
    for (uint32_t i = 0; i < s->n; i++) {
        double best = INFINITY;
        for (uint32_t k = 0; k < s->n_played; k++) {
            best = fmin(best, s->row[s->played[k]].job_usd[i]);
        }
        known += best / s->n;
    }
    return fmax(0.0, best_mean - known);
}

assay_status_t assay_decide_sensitivity(assay_decide_ctx_t *ctx, assay_arena_t *scratch,
                                        const decide_rows_t *row, assay_error_t *err) {
    enum { SAMPLES_MAX = 16384 }; /* of those that were drawn; more change no digit that is shown */
    const assay_decision_t *decision = ctx->out;
    const uint32_t samples = ctx->resolved->samples;
    assay_sensitivity_t *out = assay_arena_alloc(ctx->arena, sizeof *out);
    uint32_t *played = assay_arena_array(scratch, PLAYERS_MAX, sizeof *played);
    study_t s = {.ctx = ctx,
                 .scratch = scratch,
                 .row = row,
                 .n = samples < SAMPLES_MAX ? samples : SAMPLES_MAX,
                 .mean = assay_arena_array(scratch, decision->n_candidate, sizeof(double)),
                 .played = played};
    if (!out || !played || !s.mean) {
        return assay_error_memory(err, NULL);
    }
    memset(out, 0, sizeof *out);
    out->quick = -1;
    s.n_played = find_players(decision, played);
    if (decision->runner_up >= 0) {
        if (!find_factors(&s)) {
            return assay_error_memory(err, NULL);
        }
        expand(&s);
        out->perfect_usd = perfect(&s);
        if (!fill_inputs(&s, out)) {
            return assay_error_memory(err, NULL);
        }
        const assay_status_t status = fill_measurements(&s, out, err);
        if (status) {
            return status;
        }
    }
    assay_status_t status = assay_decide_finance(ctx, scratch, out, err);
    if (status == ASSAY_OK) {
        status = assay_decide_map(ctx, scratch, out, err);
    }
    ctx->out->sensitivity = out;
    return status;
}
