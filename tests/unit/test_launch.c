/* What people start their work with, and the job that it is. */
#include "assay_test.h"

#include <stdbool.h>

#include "assay/job.h"
#include "assay/launch.h"

static int set_up(void **state) {
    *state = assay_arena_create((size_t)64 << 20);
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static assay_launch_t *read_files(void **state, const assay_launch_file_t *file, uint32_t n,
                                  const char *on) {
    assay_launch_t *launch = NULL;
    assay_error_t err;
    char line[1024];
    if (assay_launch_read(*state, file, n, on, NULL, 0, &launch, &err) != ASSAY_OK) {
        fail_msg("%s", assay_error_line(&err, line, sizeof line));
    }
    return launch;
}

static assay_launch_t *read_one(void **state, const char *name, const char *text) {
    const assay_launch_file_t file = {name, text, strlen(text)};
    return read_files(state, &file, 1, "8x-h100-sxm5");
}

/* The value of a key in the job; NULL: none. */
static const char *value(const assay_launch_t *launch, const char *key) {
    for (uint32_t i = 0; i < launch->n_item; i++) {
        const assay_launch_item_t *item = &launch->item[i];
        if (item->state <= ASSAY_LAUNCH_ASSUMED && strcmp(item->key, key) == 0) {
            return item->value;
        }
    }
    return NULL;
}

static bool has_argument(const assay_launch_t *launch, assay_launch_state_t state,
                         const char *argument) {
    for (uint32_t i = 0; i < launch->n_item; i++) {
        if (launch->item[i].state == state && launch->item[i].argument &&
            strcmp(launch->item[i].argument, argument) == 0) {
            return true;
        }
    }
    return false;
}

/* The YAML is a job that the job's own reader takes. */
static const assay_job_t *read_back(void **state, const assay_launch_t *launch) {
    assay_buf_t yaml;
    assay_job_t *job = NULL;
    assay_error_t err;
    char line[1024];
    assay_buf_init(&yaml, 1 << 20);
    assay_launch_yaml(launch, &yaml);
    const char *copy = assay_arena_strndup(*state, yaml.data, yaml.n);
    const size_t n = yaml.n;
    assay_buf_done(&yaml);
    if (assay_job_read(*state, "job.yaml", copy, n, NULL, 0, &job, &err) != ASSAY_OK) {
        fail_msg("%s\n%s", assay_error_line(&err, line, sizeof line), copy);
    }
    return job;
}

typedef struct {
    const char *key, *value;
} pair_t;

static void check_pairs(const assay_launch_t *launch, const pair_t *pair) {
    for (; pair->key; pair++) {
        const char *found = value(launch, pair->key);
        if (!found || strcmp(found, pair->value) != 0) {
            fail_msg("%s is %s, expected %s", pair->key, found ? found : "not there", pair->value);
        }
    }
}

static const char megatron[] =
    "#!/bin/bash\n"
    "#SBATCH --job-name=llama-65b\n"
    "#SBATCH --nodes=16  --gres=gpu:a100:8\n"
    "#SBATCH --time=2-12:00:00 # sixty hours\n"
    "export CUDA_DEVICE_MAX_CONNECTIONS=1\n"
    "TP=${TP_SIZE:-8}\n"
    "MODEL=(\n"
    "    --num-layers 80   # a comment\n"
    "    --hidden-size 8192 --ffn-hidden-size 22016\n"
    "    --num-attention-heads 64 --vocab-size 32000\n"
    ")\n"
    "MODEL+=(--swiglu --untie-embeddings-and-output-weights)\n"
    "ARGS=\"--micro-batch-size 1 --global-batch-size 2048 --train-iters 1000 --bf16 --frobnicate "
    "3\"\n"
    "srun torchrun --nproc_per_node 8 --nnodes=16 pretrain_gpt.py ${MODEL[@]} $ARGS \\\n"
    "    --seq-length 2048 --tensor-model-parallel-size $TP --pipeline-model-parallel-size 4 \\\n"
    "    --num-layers-per-virtual-pipeline-stage 5 --sequence-parallel --use-distributed-optimizer "
    "\\\n"
    "    --recompute-granularity=selective --context-parallel-size 2 --lr 1e-4\n";

static void a_megatron_script_is_a_job(void **state) {
    static const pair_t pairs[] = {{"name", "llama-65b"},
                                   {"model.layers", "80"},
                                   {"model.vocab", "32000"},
                                   {"model.gated", "true"},
                                   {"model.tied_embeddings", "false"},
                                   {"work.sequence", "2048"},
                                   {"work.global_batch", "2048"},
                                   {"work.precision", "bf16"},
                                   {"work.framework", "megatron"},
                                   {"work.dataset_tokens", "4194304000"}, /* 1000 x 2048 x 2048 */
                                   {"work.deadline", "216000 s"},         /* 2.5 days */
                                   {"candidate.nodes", "16"},
                                   {"candidate.system", "8x-h100-sxm5"},
                                   {"layout.tp", "8"},
                                   {"layout.pp", "4"},
                                   {"layout.vpp", "4"}, /* 80 / 4 / 5 */
                                   {"layout.micro_batch", "1"},
                                   {"layout.zero", "1"},
                                   {"layout.recompute", "selective"},
                                   {"layout.sequence_parallel", "true"},
                                   {NULL, NULL}};
    const assay_launch_t *launch = read_one(state, "pretrain.sbatch", megatron);
    assert_string_equal(launch->kind, "train");
    check_pairs(launch, pairs);
    assert_true(has_argument(launch, ASSAY_LAUNCH_UNKNOWN, "--frobnicate"));
    assert_string_equal(value(launch, "layout.cp"), "2");
    assert_true(has_argument(launch, ASSAY_LAUNCH_UNUSED, "--lr"));
    const assay_job_t *job = read_back(state, launch);
    assert_true(job->workload.train.present);
    assay_test_close(job->workload.train.deadline_s.v, 216000, 0, 0, "deadline");
}

static void launch_lines_are_serving(void **state) {
    static const struct {
        const char *name, *text;
        pair_t pair[8];
    } row[] = {
        {"serve.sh",
         "CUDA_VISIBLE_DEVICES=0,1 vllm serve meta-llama/Llama-3.1-8B -tp 2 --max-model-len 32768 "
         "--gpu_memory_utilization=0.92 --kv-cache-dtype fp8_e4m3 --enforce-eager\n",
         {{"work.model", "meta-llama/Llama-3.1-8B"},
          {"layout.tp", "2"},
          {"work.max_model_len", "32768"},
          {"work.gpu_memory_utilization", "0.92"},
          {"work.kv_precision", "fp8"},
          {"work.eager", "true"},
          {"work.engine", "vllm"}}},
        {"args.txt",
         "--tensor-parallel-size 8 --max-model-len 131072 --enable-expert-parallel\n",
         {{"layout.tp", "8"}, {"layout.ep", "8"}, {"work.engine", "vllm"}}},
        {"run.sh",
         "python3 -m sglang.launch_server --model-path m --tp 16 --dp 8 --enable-dp-attention "
         "--nnodes 2 --mem-fraction-static 0.85",
         {{"work.model", "m"},
          {"layout.tp", "2"},
          {"layout.dp", "8"},
          {"layout.ep", "16"},
          {"candidate.nodes", "2"},
          {"work.engine", "sglang"}}},
        {"deepep.sh",
         "python3 -m sglang.launch_server --model-path m --tp 8 --moe-a2a-backend deepep",
         {{"layout.tp", "8"}, {"layout.ep", "8"}, {"work.engine", "sglang"}}},
        {"trt.sh",
         "mpirun -n 1 trtllm-serve serve m --tp_size 8 --max_num_tokens 8192\n",
         {{"work.model", "m"},
          {"layout.tp", "8"},
          {"work.max_batch_tokens", "8192"},
          {"work.engine", "trtllm"}}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_launch_t *launch = read_one(state, row[i].name, row[i].text);
        assert_string_equal(launch->kind, "serve");
        check_pairs(launch, row[i].pair);
        if (value(launch, "work.model")) {
            assert_true(read_back(state, launch)->workload.serve.present);
        }
    }
    static const char none[] =
        "python3 -m sglang.launch_server --model-path m --tp 8 --moe-a2a-backend none";
    assert_null(value(read_one(state, "none.sh", none), "layout.ep"));
    /* U+2028 ends a line of YAML, so it must not stand in a value */
    (void)read_back(state, read_one(state, "line.sh", "vllm serve m\xe2\x80\xa8n\n"));
}

static void configurations_join(void **state) {
    static const char model[] = "{\"model_type\": \"llama\"}";
    static const char sbatch[] = "#SBATCH -N 4\n#SBATCH --gpus-per-node=a100:8\n"
                                 "deepspeed train.py --deepspeed ds.json --lora_r 16 "
                                 "--lora_target_modules q_proj v_proj --max_seq_length 4096\n";
    static const char deepspeed[] =
        "{\"train_batch_size\": \"auto\", \"train_micro_batch_size_per_gpu\": 2,\n"
        " \"gradient_accumulation_steps\": 4,\n"
        " \"zero_optimization\": {\"stage\": 3, \"offload_optimizer\": {\"device\": \"cpu\"}},\n"
        " \"activation_checkpointing\": {\"cpu_checkpointing\": true},\n"
        " \"bf16\": {\"enabled\": true}, \"optimizer\": {\"type\": \"AdamW\"}, \"surprise\": 1}";
    const assay_launch_file_t file[] = {{"m/config.json", model, sizeof model - 1},
                                        {"train.sbatch", sbatch, sizeof sbatch - 1},
                                        {"ds.json", deepspeed, sizeof deepspeed - 1}};
    static const pair_t pairs[] = {{"work.model", "m/config.json"},
                                   {"candidate.nodes", "4"},
                                   {"candidate.system", "8x a100"},
                                   {"layout.zero", "3"},
                                   {"layout.micro_batch", "2"},
                                   {"work.offload", "optimizer"},
                                   {"work.offload_activations", "true"},
                                   {"work.precision", "bf16"},
                                   {"work.optimizer", "adam"},
                                   {"work.sequence", "4096"},
                                   {"work.lora_rank", "16"},
                                   {"work.lora_targets", "q_proj,v_proj"},
                                   {"work.global_batch", "256"}, /* 2 x 4 x 32 */
                                   {NULL, NULL}};
    const assay_launch_t *launch = read_files(state, file, 3, NULL);
    assert_string_equal(launch->kind, "finetune");
    check_pairs(launch, pairs);
    assert_true(has_argument(launch, ASSAY_LAUNCH_UNKNOWN, "surprise"));
    assert_int_equal(read_back(state, launch)->workload.finetune.lora_targets.n, 2);
}

static void torchtitan_is_read_in_both_forms(void **state) {
    static const char toml[] = "# a comment\n[model]\nname = \"llama3\"\nflavor = '8B'\n"
                               "converters = [\n  \"float8\", # one\n]\n[training]\n"
                               "seq_len = 8_192\nlocal_batch_size = 1\n"
                               "[parallelism]\ntensor_parallel_degree = 2\n"
                               "data_parallel_shard_degree = -1\n"
                               "[activation_checkpoint]\nmode = \"full\"\n";
    static const char python[] =
        "from torchtitan.config import TrainingConfig\n"
        "def llama3_8b():\n    \"\"\"what ( it is\"\"\"\n"
        "    return Trainer.Config(\n"
        "        training=TrainingConfig(num_tokens_per_microbatch_per_dp_rank=16384,\n"
        "                                max_context_length=8192, dtype='bfloat16'),\n"
        "        parallelism=ParallelismConfig(tensor_parallel_degree=2),  # two\n"
        "        activation_checkpoint=Full.Config(mode=\"full\"))\n";
    static const pair_t old[] = {{"work.model", "llama3-8B"},  {"work.precision", "fp8"},
                                 {"work.sequence", "8192"},    {"layout.micro_batch", "1"},
                                 {"layout.tp", "2"},           {"layout.zero", "3"},
                                 {"layout.recompute", "full"}, {NULL, NULL}};
    static const pair_t new[] = {{"work.sequence", "8192"},    {"layout.micro_batch", "2"},
                                 {"layout.tp", "2"},           {"work.master_weights", "false"},
                                 {"layout.recompute", "full"}, {NULL, NULL}};
    check_pairs(read_one(state, "llama3_8b.toml", toml), old);
    check_pairs(read_one(state, "configs.py", python), new);
}

static void kubernetes_says_devices_and_arguments(void **state) {
    static const char text[] =
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: other\n---\n"
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: llama\nspec:\n  replicas: 2\n"
        "  template:\n    spec:\n      nodeSelector:\n"
        "        nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3\n      containers:\n"
        "        - name: vllm\n          image: vllm/vllm-openai:v0.8.5\n"
        "          args: [\"--model\", \"Qwen/Qwen2.5-7B\", \"--tensor-parallel-size=4\"]\n"
        "          resources:\n            limits:\n              nvidia.com/gpu: \"4\"\n";
    static const pair_t pairs[] = {
        {"name", "llama"},  {"work.model", "Qwen/Qwen2.5-7B"}, {"work.engine", "vllm-0.8.5"},
        {"layout.tp", "4"}, {"candidate.nodes", "2"},          {"candidate.system", "4x h100"},
        {NULL, NULL}};
    const assay_launch_file_t file = {"deploy.yaml", text, sizeof text - 1};
    const assay_launch_t *launch = read_files(state, &file, 1, NULL);
    check_pairs(launch, pairs);
    (void)read_back(state, launch);
}

static void accelerate_says_how_it_shards(void **state) {
    static const char text[] =
        "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\n"
        "fsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: true\n"
        "  fsdp_offload_params: false\nmixed_precision: bf16\n"
        "num_machines: 2\nnum_processes: 16\n";
    static const pair_t pairs[] = {{"layout.zero", "3"},
                                   {"work.precision", "bf16"},
                                   {"work.framework", "accelerate-fsdp2"},
                                   {"candidate.nodes", "2"},
                                   {NULL, NULL}};
    const assay_launch_t *launch = read_one(state, "accelerate.yaml", text);
    assert_string_equal(launch->kind, "finetune");
    check_pairs(launch, pairs);
    assert_null(value(launch, "work.offload"));
}

static void other_files_are_refused(void **state) {
    static const struct {
        const char *name, *text, *what;
    } row[] = {
        {"notes.txt", "nothing here starts anything\n", "no file that a job"},
        {"other.json", "{\"a\": 1}", "no file that a job"},
        {"plain.py", "print(1)\n", "no file that a job"},
        {"bad.toml", "[a\nb = 1\n", "not TOML"},
        {"twice.toml", "a = 1\na = 2\n", "given twice"},
        {"open.toml", "a = \"b\n", "does not end"},
        {"deep.toml", "a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]\n", "too deep"},
        {"bad.yaml", "a: [1\n", ""},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_launch_file_t file = {row[i].name, row[i].text, strlen(row[i].text)};
        assay_launch_t *launch = NULL;
        assay_error_t err;
        const assay_status_t status =
            assay_launch_read(*state, &file, 1, NULL, NULL, 0, &launch, &err);
        assert_true(status == ASSAY_INPUT || status == ASSAY_LIMIT);
        assert_null(launch);
        if (!strstr(err.what, row[i].what)) {
            fail_msg("%s: %s", row[i].name, err.what);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_megatron_script_is_a_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(launch_lines_are_serving, set_up, tear_down),
        cmocka_unit_test_setup_teardown(configurations_join, set_up, tear_down),
        cmocka_unit_test_setup_teardown(torchtitan_is_read_in_both_forms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kubernetes_says_devices_and_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(accelerate_says_how_it_shards, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_files_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
