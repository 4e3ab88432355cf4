/* What an article says of serving, beside what is predicted for the same part. */
#include <math.h>
#include <string.h>

#include "decide/decision.h"

#include "base/banned.h"

#define TABLE "claim_serving.csv"

typedef struct {
    const assay_decide_ctx_t *ctx;
    const assay_serving_decision_t *decision;
    double concurrency;
} setting_t;

/* One device with so many requests at a time, everything else as in the job. NAN: does not fit. */
static void one_device(const setting_t *at, const assay_serving_candidate_t *c,
                       double *out_tokens_per_s, double *out_tpot_p99_s) {
    const assay_layout_pin_t pin = {.tp = 1, .pp = 1};
    assay_serving_t serving = *c->serving;
    assay_serve_fleets_t *fleets = assay_arena_alloc(at->ctx->arena, sizeof *fleets);
    *out_tokens_per_s = *out_tpot_p99_s = NAN;
    serving.rate_per_s = 0;
    serving.concurrency = at->concurrency;
    serving.ttft_p99_s = serving.tpot_p99_s = serving.itl_p99_s = serving.e2e_p99_s = 0;
    serving.split = false;
    if (!fleets) {
        return;
    }
    assay_serve_fleet_estimate(c->machine, &serving, &pin, fleets);
    if (fleets->n_fleet > 0 && fleets->fleet[0].verdict == ASSAY_SERVE_FLEET_FITS) {
        *out_tokens_per_s = fleets->fleet[0].output_tokens_per_s_per_device;
        *out_tpot_p99_s = fleets->fleet[0].tpot.p99_s;
    }
}

static double one_device_tokens_per_s(const setting_t *at, const assay_serving_candidate_t *c) {
    double tokens_per_s, tpot_s;
    one_device(at, c, &tokens_per_s, &tpot_s);
    return tokens_per_s;
}

static double one_device_tpot_p99_ms(const setting_t *at, const assay_serving_candidate_t *c) {
    double tokens_per_s, tpot_s;
    one_device(at, c, &tokens_per_s, &tpot_s);
    return 1e3 * tpot_s;
}

static double usd_per_token(const setting_t *at, const assay_serving_candidate_t *c) {
    (void)at;
    return c->usd_per_million_output / 1e6;
}

static double tokens_per_s_per_w(const setting_t *at, const assay_serving_candidate_t *c) {
    (void)at;
    return c->tokens_per_s_per_w;
}

/* Below the A100, which the article compares with. */
static double month_below(const setting_t *at, const assay_serving_candidate_t *c) {
    double most = -(double)INFINITY;
    for (uint32_t i = 0; i < at->decision->n_candidate; i++) {
        const assay_serving_candidate_t *other = &at->decision->candidate[i];
        if (other != c && other->fleet && strstr(other->machine->accelerator->id, "a100")) {
            most = fmax(most, other->month_usd);
        }
    }
    return isfinite(most) ? most - c->month_usd : (double)NAN;
}

static const struct {
    const char *name;
    double (*value)(const setting_t *at, const assay_serving_candidate_t *c);
} quantities[] = {{"one_device_tokens_per_s", one_device_tokens_per_s},
                  {"one_device_tpot_p99_ms", one_device_tpot_p99_ms},
                  {"usd_per_token", usd_per_token},
                  {"tokens_per_s_per_w", tokens_per_s_per_w},
                  {"month_below", month_below}};

static const char *cell(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

static const assay_claim_t *find_claim(const assay_resolved_t *resolved, const assay_csv_t *csv,
                                       uint32_t row) {
    for (uint32_t i = 0; i < resolved->n_claim; i++) {
        const assay_claim_t *claim = resolved->claim[i];
        if (strcmp(claim->set, cell(csv, row, "set")) == 0 &&
            strcmp(claim->id, cell(csv, row, "claim")) == 0 && claim->has_value) {
            return claim;
        }
    }
    return NULL;
}

static const assay_serving_candidate_t *find_candidate(const assay_serving_decision_t *decision,
                                                       const char *accelerator) {
    for (uint32_t i = 0; i < decision->n_candidate; i++) {
        if (decision->candidate[i].fleet &&
            strcmp(decision->candidate[i].machine->accelerator->id, accelerator) == 0) {
            return &decision->candidate[i];
        }
    }
    return NULL;
}

static void add_claim(const assay_decide_ctx_t *ctx, const assay_csv_t *csv, uint32_t row,
                      assay_serving_decision_t *io) {
    const assay_claim_t *claim = find_claim(io->resolved, csv, row);
    const assay_serving_candidate_t *c = find_candidate(io, cell(csv, row, "accelerator"));
    const char *concurrency = cell(csv, row, "concurrency");
    setting_t at = {ctx, io, 0};
    (void)assay_text_to_double(concurrency, strlen(concurrency), &at.concurrency);
    for (size_t q = 0; claim && c && q < sizeof quantities / sizeof quantities[0]; q++) {
        if (strcmp(cell(csv, row, "quantity"), quantities[q].name) == 0) {
            const double value = quantities[q].value(&at, c);
            if (isfinite(value) && value != 0) {
                io->claim[io->n_claim++] = (assay_serving_claim_t){
                    claim, c->machine->id, value, claim->v / value, cell(csv, row, "source")};
            }
        }
    }
}

assay_status_t assay_decide_serving_claims(const assay_decide_ctx_t *ctx,
                                           assay_serving_decision_t *io, assay_error_t *err) {
    assay_csv_t csv;
    if (io->resolved->n_claim == 0) {
        return ASSAY_OK;
    }
    const assay_status_t status =
        assay_data_table(ctx->arena, TABLE, ctx->data_dir, ctx->n_data_dir, &csv, err);
    if (status) {
        return status;
    }
    io->claim = assay_arena_array(ctx->arena, csv.n_rows + 1, sizeof *io->claim);
    if (!io->claim) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        add_claim(ctx, &csv, row, io);
    }
    return ASSAY_OK;
}
