#include "decide/decision.h"

#include <string.h>

#include "base/banned.h"

/* Search, and what the search's best layout does, for one candidate. */
static assay_status_t plan_candidate(const assay_decide_ctx_t *ctx, uint32_t index,
                                     assay_candidate_t *candidate, assay_error_t *err) {
    const assay_resolved_t *resolved = ctx->resolved;
    candidate->machine = &resolved->machine[index];
    assay_plan_options_t options = assay_plan_defaults();
    options.pin = resolved->pin[index];
    options.hooks = ctx->hooks;
    const assay_status_t status = assay_plan_search(
        ctx->arena, candidate->machine, &resolved->workload, &options, &candidate->plan, err);
    if (status == ASSAY_OK && candidate->plan.found) {
        candidate->n_op = assay_train_ops(candidate->machine, &resolved->workload,
                                          &candidate->plan.best.layout, candidate->op);
    }
    return status;
}

assay_status_t assay_decide(assay_arena_t *arena, const assay_resolved_t *resolved,
                            const char *const *data_dir, uint32_t n_data_dir,
                            const assay_hooks_t *hooks, assay_decision_t **out_decision,
                            assay_error_t *err) {
    assay_decide_ctx_t ctx = {.arena = arena,
                              .resolved = resolved,
                              .data_dir = data_dir,
                              .n_data_dir = n_data_dir,
                              .hooks = hooks};
    if (resolved->workload.tokens <= 0.0) {
        /* The cost of one step against that of a whole move would be no answer. */
        const char *sample = resolved->workload.net.sample;
        assay_error_set(err, ASSAY_INPUT, NULL, "the job does not say how many %ss to train on",
                        sample ? sample : "token");
        assay_error_next(err, "give workload.%s.%s",
                         resolved->kind == ASSAY_WORK_FINETUNE ? "finetune" : "train",
                         sample ? "dataset_samples (--dataset-samples)"
                                : "dataset_tokens (--tokens)");
        return ASSAY_INPUT;
    }
    assay_status_t status = assay_decide_settings(arena, data_dir, n_data_dir, &ctx.settings, err);
    if (status) {
        return status;
    }
    const uint32_t n = resolved->n_machine;
    assay_candidate_t *candidate = assay_arena_array(arena, n, sizeof *candidate);
    if (!candidate) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t i = 0; i < n; i++) {
        status = plan_candidate(&ctx, i, &candidate[i], err);
        if (status) {
            return status;
        }
        if (hooks && hooks->progress) {
            hooks->progress(hooks->ctx, "candidates", i + 1, n);
        }
    }
    return assay_decide_settle(&ctx, candidate, n, 0, out_decision, err);
}
