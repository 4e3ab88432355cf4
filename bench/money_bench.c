#include "money_bench.h"

#include "assay/decide.h"
#include "decide/sampler.h"

struct money_bench {
    const assay_decision_t *decision;
    sampler_t *sampler;
    sampler_block_t *block;
};

assay_status_t money_bench_create(assay_arena_t *arena, const assay_resolved_t *resolved,
                                  money_bench_t **out_bench, assay_error_t *err) {
    money_bench_t *bench = assay_arena_alloc(arena, sizeof *bench);
    assay_decision_t *decision;
    if (!bench) {
        return assay_error_memory(err, NULL);
    }
    assay_status_t status = assay_decide(arena, resolved, NULL, 0, NULL, &decision, err);
    if (status) {
        return status;
    }
    const assay_money_case_t **money_case =
        assay_arena_array(arena, decision->n_candidate, sizeof(void *));
    bench->decision = decision;
    bench->block = assay_arena_alloc(arena, sizeof *bench->block);
    if (!money_case || !bench->block) {
        return assay_error_memory(err, NULL);
    }
    for (uint32_t c = 0; c < decision->n_candidate; c++) {
        money_case[c] = decision->candidate[c].fits ? &decision->candidate[c].money_case : NULL;
    }
    *out_bench = bench;
    return sampler_create(arena, money_case, decision->n_candidate, resolved->seed,
                          resolved->money.correlations, &bench->sampler, err);
}

double money_bench_samples(const money_bench_t *bench, uint64_t n) {
    double job[ASSAY_BATCH], tco[ASSAY_BATCH], hours[ASSAY_BATCH], sum = 0;
    for (uint64_t first = 0; first < n; first += ASSAY_BATCH) {
        sampler_common(bench->sampler, (uint32_t)first, ASSAY_BATCH, bench->block);
        for (uint32_t c = 0; c < bench->sampler->n_candidate; c++) {
            if (bench->sampler->candidate[c].used) {
                sampler_evaluate(bench->sampler, c, (uint32_t)first, ASSAY_BATCH, bench->block, job,
                                 tco, hours);
                sum += job[0] + tco[1] + hours[2];
            }
        }
    }
    return sum;
}

double money_bench_scenarios(const money_bench_t *bench, uint64_t n) {
    const assay_decision_t *decision = bench->decision;
    assay_money_case_t c = decision->candidate[decision->choice].money_case;
    double sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        assay_money_result_t result;
        c.capex_usd += 1e-3; /* another scenario each time */
        assay_money_eval(&c, NULL, &result);
        sum += result.job_usd;
    }
    return sum;
}
