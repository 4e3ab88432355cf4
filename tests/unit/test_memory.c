/* Does it fit: whole jobs against the catalog, and the promises of the answer. */
#include <stdbool.h>

#include "assay/memory.h"
#include "resolve_fixture.h"

#define GIB 1073741824.0

static const assay_memory_t *ask(const char *text, const assay_job_flag_t *flag, uint32_t n_flag) {
    assay_job_t *job;
    assay_resolved_t *resolved;
    assay_memory_t *memory;
    assay_error_t err;
    char line[1024];
    if (assay_job_read(arena, "job.yaml", text, strlen(text), flag, n_flag, &job, &err) ||
        assay_resolve_memory(arena, job, catalog, calibration, &resolved, &err) ||
        assay_memory(arena, resolved, &memory, &err)) {
        fail_msg("%s", assay_error_line(&err, line, sizeof line));
    }
    return memory;
}

static const char *const too_large[] = {
    "workload: {serve: {model: llama-3-8b, engine: vllm-0.6.3, max_model_len: 65536}}\n"
    "candidates: [{system: 1x rtx-4090}]\n",
    "workload: {serve: {model: llama-3-70b, engine: vllm, max_model_len: 8192}}\n"
    "candidates: [{system: 1x h100}]\n",
    "workload: {serve: {model: llama-3-8b, engine: sglang, max_model_len: 8192, kv_blocks: 4000}}\n"
    "candidates: [{system: 1x h100}]\n",
    "workload: {train: {model: llama-2-7b, sequence: 4096}}\n"
    "candidates: [{system: 8x a100-80g, layout: {tp: 1, pp: 1, zero: 0, recompute: none, "
    "micro_batch: 2}}]\n",
    "workload: {finetune: {model: llama-2-7b, method: lora, sequence: 65536}}\n"
    "candidates: [{system: 1x a100-80g, layout: {recompute: none}}]\n",
};

/* Every change that is offered makes it fit when it is made alone. */
static void what_is_offered_helps(void **state) {
    (void)state;
    uint32_t n_fix = 0;
    for (size_t i = 0; i < sizeof too_large / sizeof too_large[0]; i++) {
        const assay_memory_t *memory = ask(too_large[i], NULL, 0);
        const assay_memory_candidate_t *of = &memory->candidate[0];
        assert_true(of->known && !of->fits && of->limiting[0] && !memory->fits);
        for (uint32_t j = 0; j < of->n_fix; j++) {
            const assay_job_flag_t flag = {of->fix[j].key, of->fix[j].value, "--fix"};
            if (strchr(flag.value, ',')) {
                continue; /* two keys at once, said in words */
            }
            if (!ask(too_large[i], &flag, 1)->candidate[0].fits) {
                fail_msg("%s%s: %s does not help", too_large[i], flag.path, flag.value);
            }
            n_fix++;
        }
    }
    assert_true(n_fix >= 6);
}

/* The largest that fits does, and one step more does not. */
static void the_largest_is_the_border(void **state) {
    (void)state;
    static const char job[] = "workload: {train: {model: llama-2-7b, sequence: 4096}}\n"
                              "candidates: [{system: 8x a100-80g, layout: {tp: 1, pp: 1, zero: 3, "
                              "recompute: full}}]\n";
    const assay_memory_candidate_t *of = &ask(job, NULL, 0)->candidate[0];
    char micro[16], sequence[16];
    assert_true(of->fits && of->largest_micro_batch > 1 && of->largest_sequence > 4096);
    for (uint32_t more = 0; more < 2; more++) {
        snprintf(micro, sizeof micro, "%u", of->largest_micro_batch + more);
        snprintf(sequence, sizeof sequence, "%u", of->largest_sequence + 128 * more);
        const assay_job_flag_t flag[] = {{"candidates[].layout.micro_batch", micro, "--micro"},
                                         {"workload.train.sequence", sequence, "--sequence"}};
        assert_true(ask(job, &flag[0], 1)->candidate[0].fits == !more);
        assert_true(ask(job, &flag[1], 1)->candidate[0].fits == !more);
    }
}

/* 16 B a parameter of 70.6 B are 1.13 TB: by state alone 14 devices of 80 GB; whole nodes of 8. */
static void fewest_devices_are_whole_nodes(void **state) {
    (void)state;
    static const char job[] = "workload: {train: {model: llama-3-70b, sequence: 4096}}\n"
                              "candidates: [{system: 8x-a100-sxm4-80g}]\n";
    const assay_memory_candidate_t *of = &ask(job, NULL, 0)->candidate[0];
    assert_false(of->fits);
    assert_true(of->fewest_devices >= 16 && of->fewest_devices % 8 == 0 &&
                of->fewest_devices <= 32);
}

/* The rules of frameworks by version: accelerate's FSDP2 trains in bf16 alone in 1.13. */
static void frameworks_change_bytes_by_version(void **state) {
    (void)state;
    static const struct {
        const char *framework;
        double each;
    } row[] = {{"accelerate-fsdp2-1.12", 16},
               {"accelerate-fsdp2-1.13.0", 8},
               {"accelerate-fsdp2-1.14", 16},
               {"accelerate-fsdp2", 16},
               {"deepspeed", 14}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_job_flag_t flag = {"workload.finetune.framework", row[i].framework,
                                       "--framework"};
        const assay_memory_candidate_t *of =
            &ask("workload: {finetune: {model: llama-2-7b, sequence: 2048}}\n"
                 "candidates: [{system: 8x a100-80g, layout: {zero: 3}}]\n",
                 &flag, 1)
                 ->candidate[0];
        assay_test_close(of->weight_each + of->master_each + of->gradient_each + of->moment_each,
                         row[i].each, 1e-12, 0, row[i].framework);
    }
}

/* What vLLM does by itself: whole prompts before 0.6, in pieces above 32 k, then always. */
static void engines_change_by_version(void **state) {
    (void)state;
    static const struct {
        const char *engine;
        uint32_t tokens, sequences;
        bool chunked;
    } row[] = {{"vllm-0.5.3", 131072, 256, false},
               {"vllm-0.6.3", 2048, 256, true},
               {"vllm-0.8.5", 8192, 1024, true},
               {"vllm", 8192, 1024, true},
               {"sglang", 8192, 256, true}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_job_flag_t flag = {"workload.serve.engine", row[i].engine, "--engine"};
        const assay_serving_t *work =
            &ask("workload: {serve: {model: llama-3-8b, max_model_len: 131072}}\n"
                 "candidates: [{system: 1x h100}]\n",
                 &flag, 1)
                 ->resolved->serving[0];
        assert_int_equal(work->max_batch_tokens, row[i].tokens);
        assert_int_equal(work->max_num_seqs, row[i].sequences);
        assert_true(work->chunked_prefill == row[i].chunked);
    }
}

static void bad_words_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
    } row[] = {
        {"workload: {serve: {model: llama-3-8b, engine: vlm}}\n", "unknown engine"},
        {"workload: {serve: {model: llama-3-8b, precision: int5}}\n", "unknown number format"},
        {"workload: {serve: {model: llama-3-8b, kv_precision: fp7}}\n", "keys and values"},
        {"workload: {serve: {model: llama-3-8b, input_tokens: {max: 3}}}\n", "number of tokens"},
        {"workload: {train: {model: llama-2-7b, framework: acelerate}}\n", "unknown framework"},
        {"workload: {finetune: {model: llama-2-7b, method: lora, lora_targets: [q]}}\n",
         "target of adapters"},
        {"workload: {serve: {model: llama-3-8b}}\ncandidates: [{nodes: 2}]\n", "names no system"},
        {"workload: {serve: {model: llama-3-8b}}\ncandidates: [{system: 4x nothing}]\n", ""},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_job_t *job;
        assay_resolved_t *resolved = NULL;
        assay_error_t err;
        assert_int_equal(assay_job_read(arena, "job.yaml", row[i].text, strlen(row[i].text), NULL,
                                        0, &job, &err),
                         ASSAY_OK);
        const assay_status_t status =
            assay_resolve_memory(arena, job, catalog, calibration, &resolved, &err);
        assert_int_equal(assay_status_exit_code(status), 2);
        if (!strstr(err.what, row[i].what)) {
            fail_msg("%s: %s", row[i].text, err.what);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_offered_helps),
        cmocka_unit_test(the_largest_is_the_border),
        cmocka_unit_test(fewest_devices_are_whole_nodes),
        cmocka_unit_test(frameworks_change_bytes_by_version),
        cmocka_unit_test(engines_change_by_version),
        cmocka_unit_test(bad_words_are_refused),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
