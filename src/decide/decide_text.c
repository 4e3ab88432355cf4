#include "decide/decision.h"

#include "base/banned.h"

const char *assay_decide_say(assay_decide_ctx_t *ctx, assay_message_t id, const char *const *arg,
                             size_t n_arg) {
    const char *text = assay_message_text(ctx->arena, ctx->resolved->locale.lang, id, arg, n_arg);
    if (!text) {
        ctx->failed = true;
        return "";
    }
    return text;
}

const char *assay_decide_format(assay_decide_ctx_t *ctx, double value, assay_dim_t dim) {
    char text[48];
    const char *copy = assay_arena_strdup(
        ctx->arena, assay_units_format_in(value, dim, &ctx->resolved->locale, text));
    if (!copy) {
        ctx->failed = true;
        return "";
    }
    return copy;
}

/* Samples cannot tell 1 from nearly 1. */
const char *assay_decide_probability(assay_decide_ctx_t *ctx, double p) {
    return p > 0.99   ? SAY0(ctx, DECIDE_ALMOST_SURE)
           : p < 0.01 ? SAY0(ctx, DECIDE_ALMOST_NEVER)
                      : assay_decide_format(ctx, p, ASSAY_DIM_FRACTION);
}
