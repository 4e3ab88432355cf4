/* Logs of missing memory, as people paste them. */
#include "assay_test.h"

#include <stdbool.h>

#include "assay/oom_log.h"

static int set_up(void **state) {
    *state = assay_arena_create((size_t)16 << 20);
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static const struct {
    const char *log, *program, *part, *stage, *set;
    uint32_t line;
    const char *figure;
    double value;
} logs[] = {
    {"INFO worker.py:266] model weights take 14.99GiB; non_torch_memory takes 0.05GiB; PyTorch "
     "activation peak memory takes 0.22GiB; the rest of the memory reserved for KV Cache is "
     "4.60GiB.\n"
     "ERROR The model's max seq len (131072) is larger than the maximum number of tokens that can "
     "be "
     "stored in KV cache (37696). Try increasing `gpu_memory_utilization`\n",
     "vllm", "kv_cache", "start", "--max-model-len 37696", 2, "weights", 14.99 * 1073741824.0},
    {"ValueError: To serve at least one request with the models's max seq len (262144), (62.00 GiB "
     "KV "
     "cache is needed, which is larger than the available KV cache memory (48.66 GiB). Based on "
     "the "
     "available memory, the estimated maximum model length is 205728. Try increasing",
     "vllm", "kv_cache", "start", "--max-model-len 205728", 1, "tokens", 205728},
    {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
     "capacity of 23.64 GiB of which 14.81 MiB is free. Of the allocated memory 19.83 GiB is "
     "allocated by PyTorch, and 3.10 GiB is reserved by PyTorch but unallocated.\n",
     "pytorch", "fragmentation", "step", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", 1,
     "free", 14.81 * 1048576},
    {"torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB. GPU 0 has a "
     "total "
     "capacty of 23.69 GiB of which 3.09 GiB is free. Of the allocated memory 20.13 GiB is "
     "allocated "
     "by PyTorch, and 755.50 KiB is reserved by PyTorch but unallocated.",
     "pytorch", "activations", "step", "half the batch or the micro-batch", 1, "tried",
     3.5 * 1073741824.0},
    {"  File \"torch/distributed/fsdp/_init_utils.py\", in _init_param_handle_from_module\n"
     "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 500.00 MiB.",
     "pytorch", "wrap", "wrap", "fsdp_cpu_ram_efficient_loading: true (accelerate)", 1, "tried",
     500 * 1048576.0},
    {"  File \"deepspeed/runtime/zero/stage3.py\", in initialize_optimizer_states\n"
     "Tried to allocate 1.88 GiB",
     "deepspeed", "optimizer_state", "start", "zero_optimization.offload_optimizer.device cpu", 1,
     "tried", 1.88 * 1073741824.0},
};

static bool has_fix(const assay_oom_t *oom, const char *set) {
    for (uint32_t i = 0; i < oom->n_fix; i++) {
        if (strcmp(oom->fix[i].set, set) == 0) {
            return true;
        }
    }
    return false;
}

static void logs_are_explained(void **state) {
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++) {
        assay_oom_t oom;
        assert_int_equal(
            assay_oom_read(*state, NULL, 0, logs[i].log, strlen(logs[i].log), &oom, NULL),
            ASSAY_OK);
        assert_string_equal(oom.program, logs[i].program);
        assert_string_equal(oom.part, logs[i].part);
        assert_string_equal(oom.stage, logs[i].stage);
        assert_int_equal(oom.line, logs[i].line);
        assert_true(has_fix(&oom, logs[i].set));
        assert_null(strstr(oom.sentence, "?"));
        assay_test_close(assay_oom_figure(&oom, logs[i].figure, -1), logs[i].value, 1e-12, 0,
                         logs[i].figure);
    }
}

static void what_is_no_such_log_is_not_explained(void **state) {
    static const char *const text[] = {"", "\n\n", "everything is fine",
                                       "GPU KV cache size: 100 tokens"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        assay_oom_t oom;
        assay_error_t err;
        assert_int_equal(assay_oom_read(*state, NULL, 0, text[i], strlen(text[i]), &oom, &err),
                         ASSAY_NOT_FOUND);
        assert_true(err.next[0] != '\0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(logs_are_explained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_such_log_is_not_explained, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
