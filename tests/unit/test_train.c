/* Time of a training step: schedules and traffic by hand, and properties that must always hold. */
#include "assay_test.h"

#include "assay/job.h"
#include "assay/physics.h"
#include "assay/train.h"
#include "machine_fixture.h"

static assay_layout_t layout(uint16_t tp, uint16_t pp, uint16_t vpp, uint32_t dp,
                             uint32_t micro_batch) {
    return (assay_layout_t){.tp = tp, .pp = pp, .vpp = vpp, .dp = dp, .micro_batch = micro_batch};
}

static assay_estimate_t estimate(const assay_machine_t *machine, const assay_workload_t *work,
                                 assay_layout_t l) {
    assay_estimate_t e;
    assay_train_estimate(machine, work, &l, &e);
    assert_true(e.reject == ASSAY_REJECT_NONE || e.reject == ASSAY_REJECT_MEMORY);
    return e;
}

static double sum(const double part[ASSAY_TIME_N]) {
    double total = 0;
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        total += part[i];
    }
    return total;
}

/* A layer of 3 + 6 ms and nothing else, so that all stages are equal. */
static assay_train_layer_t plain_layer(void) {
    return (assay_train_layer_t){.layer_s = {[ASSAY_TIME_GEMM] = 9e-3},
                                 .layer_forward_s = 3e-3,
                                 .layer_backward_s = 6e-3,
                                 .rel_p10 = 1,
                                 .rel_p90 = 1};
}

/* arXiv 2104.04473: bubble over ideal time (p - 1)/m, interleaved (p - 1)/(v m). */
static void equal_stages_have_the_published_bubble(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const struct {
        uint16_t pp, vpp;
        uint32_t n_micro;
        double ratio;
    } cases[] = {{1, 1, 8, 0},         {4, 1, 4, 3.0 / 4},   {4, 1, 64, 3.0 / 64},
                 {8, 1, 32, 7.0 / 32}, {8, 2, 32, 7.0 / 64}, {4, 4, 16, 3.0 / 64}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t dp = 32u / cases[i].pp;
        const assay_workload_t work = fixture_gpt(16, dp * cases[i].n_micro);
        const assay_layout_t l = layout(1, cases[i].pp, cases[i].vpp, dp, 1);
        const assay_train_layer_t layer = plain_layer();
        assay_estimate_t e;
        assay_train_estimate_with(&machine, &work, &l, &layer, &e);
        const double ideal_s = 9e-3 * 16 / cases[i].pp * cases[i].n_micro;
        assay_test_close(e.time_s[ASSAY_TIME_GEMM], ideal_s, 1e-12, 0, "computing");
        assay_test_close(e.time_s[ASSAY_TIME_PP_BUBBLE], cases[i].ratio * ideal_s, 1e-12, 1e-18,
                         "bubble");
    }
}

/* Four stages of 4 layers (36 ms); the last also has a head of 1 + 3 ms, the first an embedding of
   1 ms. The last works through all 10 micro-batches, 400 ms; one micro-batch through the others
   takes 37 + 36 + 36 = 109 ms. */
static void the_slowest_stage_sets_the_pace(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_workload_t work = fixture_gpt(16, 80);
    const assay_layout_t l = layout(1, 4, 1, 8, 1);
    assay_train_layer_t layer = plain_layer();
    assay_estimate_t e;
    layer.head_s[ASSAY_TIME_GEMM] = 3e-3;
    layer.head_s[ASSAY_TIME_MEMORY_BOUND] = 1e-3;
    layer.head_forward_s = 1e-3;
    layer.head_backward_s = 3e-3;
    layer.embed_s[ASSAY_TIME_MEMORY_BOUND] = 1e-3;
    layer.embed_forward_s = 1e-3;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_GEMM], .390, 1e-12, 0, "GEMM of the last stage");
    assay_test_close(e.time_s[ASSAY_TIME_MEMORY_BOUND], .010, 1e-12, 0, "loss");
    assay_test_close(e.time_s[ASSAY_TIME_PP_BUBBLE], .109, 1e-12, 0, "bubble");
    /* And an embedding that is slower than the head moves the pace to the first stage. */
    layer.embed_s[ASSAY_TIME_MEMORY_BOUND] = 5e-3;
    layer.embed_forward_s = 5e-3;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_GEMM], .360, 1e-12, 0, "GEMM of the first stage");
    assay_test_close(e.time_s[ASSAY_TIME_MEMORY_BOUND], .050, 1e-12, 0, "embedding");
    /* Forward 17, 12, 12, 13 ms, backward 24, 24, 24, 27. The last stage still decides: 10 x 40 and
       41 + 36 + 36 elsewhere, 513 ms. (The first, which runs three ahead: 54 down and 75 up to its
       first backward, 6 x 41, 37 down and 99 up after its last forward: 511 ms.) */
    assay_test_close(e.time_s[ASSAY_TIME_PP_BUBBLE], .103, 1e-12, 0, "bubble");
}

/* 12 micro-batches in 2 chunks and 4 stages: 2 x (12 x 2 + 3) hops. Each of two tensor-parallel
   ranks sends half of s b h, which is whole again after a gather inside the node, or stays split
   with sequence parallelism. */
/* 14 layers on 4 stages, embedding and head counted as one each: 3, 4, 4, 3. */
static void tables_take_the_place_of_layers(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_workload_t work = fixture_gpt(14, 64); /* 8 micro-batches */
    const assay_layout_t l = layout(1, 4, 1, 8, 1);
    assay_train_layer_t layer = plain_layer();
    assay_estimate_t e;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    /* A stage between is the slowest: 4 x 9 ms. The third (or the second: the same) runs one ahead:
       42 ms down and 18 up to its first backward, 6 x 36, 9 down and 84 up after its last forward:
       369 ms, 81 more than 8 x 36. */
    assay_test_close(e.time_s[ASSAY_TIME_GEMM], 8 * 36e-3, 1e-12, 0, "computing");
    assay_test_close(e.time_s[ASSAY_TIME_PP_BUBBLE], 81e-3, 1e-12, 0, "bubble");

    layer.head_s[ASSAY_TIME_GEMM] = layer.head_forward_s = 20e-3;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    /* Now the last: 3 x 9 + 20 ms, and 11 x 9 ms elsewhere. */
    assay_test_close(e.time_s[ASSAY_TIME_GEMM], 8 * 47e-3, 1e-12, 0, "computing");
    assay_test_close(e.time_s[ASSAY_TIME_PP_BUBBLE], 99e-3, 1e-12, 0, "bubble");
}

static void pipeline_traffic_counts_every_hop(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_workload_t work = fixture_gpt(16, 96);
    const double bytes = 2.0 * 1024 * 2048 * 2;
    const double hop_s = assay_p2p_s(&machine, bytes / 2, 8);
    const double gather_s = assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, bytes, 2, 1);
    assay_layout_t l = layout(2, 4, 1, 4, 2); /* 12 micro-batches, and 3 to fill */
    assay_test_close(estimate(&machine, &work, l).time_s[ASSAY_TIME_PP_COMM],
                     2 * (12 + 3) * (hop_s + gather_s), 1e-12, 0, "parts, gathered");
    l.sequence_parallel = true;
    assay_test_close(estimate(&machine, &work, l).time_s[ASSAY_TIME_PP_COMM], 2 * (12 + 3) * hop_s,
                     1e-12, 0, "split");
}

/* Chunks of 2 layers, 6 + 12 ms, hide a hop; what does not fit behind them shows. */
static void interleaved_chunks_hide_pipeline_traffic(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    const assay_workload_t work = fixture_gpt(16, 32); /* 4 micro-batches */
    const assay_layout_t l = layout(1, 4, 2, 8, 1);
    assay_train_layer_t layer = plain_layer();
    const double cases[][2] = {{1e-3, 0}, {9e-3, 3e-3}, {20e-3, 14e-3 + 8e-3}}; /* hop, shown */
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assay_estimate_t e;
        layer.boundary_gather_s = cases[i][0];
        assay_train_estimate_with(&machine, &work, &l, &layer, &e);
        assay_test_close(e.time_s[ASSAY_TIME_PP_COMM], 4 * 2 * cases[i][1] + 2 * 3 * cases[i][0],
                         1e-12, 0, "shown");
    }
}

/* Both copies of a tied table, 3 stages apart (dp 4, tp 2: 24 devices), sum their gradients. */
static void tied_tables_exchange_gradients(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(4);
    assay_workload_t work = fixture_gpt(16, 96);
    const assay_layout_t l = layout(2, 4, 1, 4, 2);
    const double before_s = estimate(&machine, &work, l).time_s[ASSAY_TIME_PP_COMM];
    work.model.tied_embeddings = true;
    assay_model_count(&work.model, &work.count);
    const double table_bytes = 4 * 51200 * 2048.0 / 2;
    assay_test_close(estimate(&machine, &work, l).time_s[ASSAY_TIME_PP_COMM] - before_s,
                     assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, table_bytes, 2, 24), 1e-9,
                     0, "exchange");
}

/* Without sequence parallelism two all-reduces of s b h forward and two backward, on the GEMMs'
   time a quarter hidden (the fixture's overlap); with it 2 gathers + 2 scatters forward and
   4 gathers + 2 scatters backward. */
static void tensor_parallel_traffic_of_a_layer(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_llama_65b(64);
    const double bytes = 2048.0 * 8192 * 2;
    const double reduce_s = assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, bytes, 8, 1);
    const double gather_s = assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, bytes, 8, 1);
    const double scatter_s = assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, bytes, 8, 1);
    assay_layout_t l = layout(8, 1, 1, 1, 1);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.layer_s[ASSAY_TIME_TP_COMM], .75 * 4 * reduce_s, 1e-12, 0,
                     "all-reduces");
    l.sequence_parallel = true;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.layer_s[ASSAY_TIME_TP_COMM], .75 * (6 * gather_s + 4 * scatter_s), 1e-12,
                     0, "gathers and scatters");
}

/* Embedding: the sum over table shards is all-reduced, or scattered and in backward gathered. Head:
   its input's gradient is all-reduced, or the input gathered twice and its gradient scattered; the
   loss adds three all-reduces of an fp32 a token. Nothing hides (overlap 0). */
static void tensor_parallel_traffic_of_embedding_and_head(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_llama_65b(64);
    const double bytes = 2048.0 * 8192 * 2;
    const double reduce_s = assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, bytes, 8, 1);
    const double gather_s = assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, bytes, 8, 1);
    const double scatter_s = assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, bytes, 8, 1);
    const double loss_s = 3 * assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * 2048, 8, 1);
    assay_layout_t l = layout(8, 1, 1, 1, 1);
    assay_train_layer_t layer;
    machine.device.calib[ASSAY_CALIB_OVERLAP_TP][ASSAY_DT_BF16] = 0;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.embed_s[ASSAY_TIME_TP_COMM], reduce_s, 1e-12, 0, "embedding");
    assay_test_close(layer.head_s[ASSAY_TIME_TP_COMM], reduce_s + loss_s, 1e-12, 0, "head");
    l.sequence_parallel = true;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.embed_s[ASSAY_TIME_TP_COMM], scatter_s + gather_s, 1e-12, 0,
                     "embedding, split");
    assay_test_close(layer.head_s[ASSAY_TIME_TP_COMM], 2 * gather_s + scatter_s + loss_s, 1e-12, 0,
                     "head, split");
}

/* LLaMA-65B, tp 8 with sequence parallelism, T = 2048 tokens. Passes over bf16 elements, forward
   and backward: two norms 2 + 3 and two residuals 3 + 3 of T h/8; rotary 2 + 2 of q and k, 2 T h/8;
   SwiGLU 3 + 5 of T f/8. The GPT has no rotary, and GeLU 2 + 3. At plain bandwidth. */
static void memory_bound_time_is_bytes_over_bandwidth(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    for (int i = 0; i < ASSAY_DT_N; i++) {
        machine.device.calib[ASSAY_CALIB_LAUNCH_S][i] = 0;
        machine.device.calib[ASSAY_CALIB_HBM_HALF_BYTES][i] = 0;
    }
    const double bytes_per_s = .85 * 2039e9;
    const assay_workload_t llama = fixture_llama_65b(64), gpt = fixture_gpt(16, 64);
    assay_layout_t l = layout(8, 1, 1, 1, 1);
    assay_train_layer_t layer;
    l.sequence_parallel = true;
    assay_train_layer(&machine, &llama, &l, &layer);
    assay_test_close(layer.layer_s[ASSAY_TIME_MEMORY_BOUND],
                     2 * 2048 / 8.0 * ((2 * 5 + 2 * 6 + 2 * 4) * 8192 + 8 * 22016) / bytes_per_s,
                     1e-12, 0, "LLaMA");
    assay_train_layer(&machine, &gpt, &l, &layer);
    assay_test_close(layer.layer_s[ASSAY_TIME_MEMORY_BOUND],
                     2 * 1024 / 8.0 * ((2 * 5 + 2 * 6) * 2048 + 5 * 8192) / bytes_per_s, 1e-12, 0,
                     "GPT");
    /* Softmax and cross entropy: 3 fp32 passes over T V/8; final norm 5 over T h/8. */
    assay_test_close(layer.head_s[ASSAY_TIME_MEMORY_BOUND],
                     1024 / 8.0 * (3 * 4 * 51200 + 5 * 2 * 2048) / bytes_per_s, 1e-12, 0, "head");
    /* Rows are read and written in bf16, their gradient read and added to fp32. */
    assay_test_close(layer.embed_s[ASSAY_TIME_MEMORY_BOUND],
                     1024 * 2048.0 * (2 * 2 + 2 + 2 * 4) / bytes_per_s, 1e-12, 0, "embedding");
}

/* C = A B, then dA = dC B^T and dB += A^T dC, the latter in fp32: (M,N,K) = (T,V,h) in the head. */
static void backward_runs_two_gemms(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(1, 1, 1, 8, 1);
    const assay_gemm_t gemm[3] = {{2048, 32000, 8192, 1, ASSAY_DT_BF16, 2, 2, 2},
                                  {2048, 8192, 32000, 1, ASSAY_DT_BF16, 2, 2, 2},
                                  {8192, 32000, 2048, 1, ASSAY_DT_BF16, 2, 2, 8}};
    double head_s = 0;
    for (int i = 0; i < 3; i++) {
        head_s += assay_gemm_s(&machine.device, &gemm[i]);
    }
    assay_train_layer_t layer;
    assay_train_layer(&machine, &work, &l, &layer);
    assay_test_close(layer.head_s[ASSAY_TIME_GEMM], head_s, 1e-12, 0, "head");
}

/* 6 N tokens: the GEMMs of one layer, forward and backward, at a rate of exactly 80 % of peak on a
   machine without any loss take 6 x parameters x tokens / (0.8 peak). */
static void gemm_time_is_flops_over_rate(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    for (int i = 0; i < ASSAY_DT_N; i++) {
        machine.device.calib[ASSAY_CALIB_GEMM_K0][i] = 0;
        machine.device.calib[ASSAY_CALIB_GEMM_SERIAL][i] = 0;
        machine.device.calib[ASSAY_CALIB_LAUNCH_S][i] = 0;
    }
    machine.device.compute_units = 1; /* no wave is ever partly filled */
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(8, 1, 1, 1, 4);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &work, &l, &layer);
    const double params = (4.0 * 8192 * 8192 + 3.0 * 8192 * 22016) / 8;
    const double ideal_s = 6 * params * 4 * 2048 / (.8 * 312e12);
    assert_true(layer.layer_s[ASSAY_TIME_GEMM] >= ideal_s * (1 - 1e-9));
    assay_test_close(layer.layer_s[ASSAY_TIME_GEMM], ideal_s, .12, 0, "tiles cost at most borders");
}

static void gradient_traffic_hides_in_the_last_backward(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(2);
    const assay_workload_t work = fixture_gpt(16, 64);
    assay_layout_t l = layout(1, 1, 1, 16, 1);
    assay_train_layer_t layer;
    assay_estimate_t e;
    assay_train_layer(&machine, &work, &l, &layer);
    const double params = 16 * layer.layer_params + layer.embed_params + layer.head_params;
    const double buckets = ceil(params / 40e6);
    const double reduce_s = assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * params, 16, 1);
    const double scatter_s =
        assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, 4 * params, 16, 1);
    const double gather_s = assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * params, 16, 1);

    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 0;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], reduce_s, 1e-12, 0, "all exposed");
    l.zero = 1;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], scatter_s + gather_s, 1e-12, 0, "ZeRO-1");
    l.zero = 2; /* four micro-batches, each reduces */
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], 4 * scatter_s + gather_s, 1e-12, 0, "ZeRO-2");

    /* A window wide enough leaves the last bucket. */
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 1;
    layer.layer_backward_s += 1;
    l.zero = 0;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], reduce_s / buckets, 1e-9, 0, "last bucket");
    /* A narrow one hides as much as it is long. */
    layer.layer_backward_s = .1 * reduce_s / 16;
    layer.head_backward_s = layer.embed_backward_s = 0;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], .9 * reduce_s, 1e-12, 0, "a tenth hidden");
}

/* A bucket that the job sizes is a collective of its own: of 2 MB twice as many as of 4 MB, and as
   many more latencies. The last one never hides. */
static void small_buckets_wait_their_latency(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(2);
    assay_workload_t work = fixture_gpt(16, 64);
    const assay_layout_t l = layout(1, 1, 1, 16, 1);
    assay_train_layer_t layer;
    double exposed_s[2];
    assay_train_layer(&machine, &work, &l, &layer);
    const double params = 16 * layer.layer_params + layer.embed_params + layer.head_params;
    for (int i = 0; i < 2; i++) {
        assay_estimate_t e;
        work.recipe.bucket_bytes = 2e6 * (i + 1);
        const double n = ceil(4 * params / work.recipe.bucket_bytes);
        const double one_s =
            assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * params / n, 16, 1);
        machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 0;
        assay_train_estimate_with(&machine, &work, &l, &layer, &e);
        exposed_s[i] = e.time_s[ASSAY_TIME_DP_COMM];
        assay_test_close(exposed_s[i], n * one_s, 1e-9, 0, "one by one");
        machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 1;
        assay_train_layer_t slow = layer;
        slow.layer_backward_s += 1;
        assay_train_estimate_with(&machine, &work, &l, &slow, &e);
        assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], one_s, 1e-9, 0, "the last");
    }
    assert_true(exposed_s[1] < exposed_s[0]);
}

/* Two chunks on four stages, all-reduce of R seconds. The later chunk is reduced while the other
   runs 4 half backwards; the one that finishes last has but its own half. Backwards of .2 R: all R
   against 5 x .1 R leaves .5 R, the last half R/2 against .1 R leaves .4 R; of .4 R: nothing of all
   shows, the last half R/2 - .2 R does. */
static void interleaving_widens_the_window(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_gpt(16, 64);
    const assay_layout_t l = layout(1, 4, 2, 16, 1);
    assay_train_layer_t layer;
    assay_estimate_t e;
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 1;
    assay_train_layer(&machine, &work, &l, &layer);
    const double params = 4 * layer.layer_params + layer.embed_params;
    const double reduce_s = assay_collective_s(&machine, ASSAY_COLL_ALL_REDUCE, 4 * params, 16, 1);
    layer.embed_backward_s = 0;
    layer.layer_backward_s = .2 * reduce_s / 4;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], .5 * reduce_s, 1e-12, 0, "all chunks");
    layer.layer_backward_s = .4 * reduce_s / 4;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], .3 * reduce_s, 1e-12, 0, "the last chunk");
}

static void zero_3_gathers_every_layer_twice(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(2);
    const assay_workload_t work = fixture_gpt(16, 64);
    assay_layout_t l = layout(1, 1, 1, 16, 2);
    l.zero = 3;
    assay_train_layer_t layer;
    assay_estimate_t e;
    assay_train_layer(&machine, &work, &l, &layer);
    const double root = layer.embed_params + layer.head_params;
    const double gather_s =
        assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * layer.layer_params, 16, 1);
    const double scatter_s =
        assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, 4 * layer.layer_params, 16, 1);
    const double root_s = assay_collective_s(&machine, ASSAY_COLL_ALL_GATHER, 2 * root, 16, 1) +
                          assay_collective_s(&machine, ASSAY_COLL_REDUCE_SCATTER, 4 * root, 16, 1);
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 0;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], 2 * (16 * (2 * gather_s + scatter_s) + root_s),
                     1e-12, 0, "two micro-batches, nothing hidden");
    machine.device.calib[ASSAY_CALIB_OVERLAP_DP][ASSAY_DT_BF16] = 1;
    layer.layer_forward_s = layer.layer_backward_s = 1;
    assay_train_estimate_with(&machine, &work, &l, &layer, &e);
    assay_test_close(e.time_s[ASSAY_TIME_DP_COMM], 2 * root_s, 1e-12, 0, "only the root shows");
}

/* 46 bytes a parameter: 4 to zero the gradient, 12 to read it three times and 4 to write it once,
   24 for the state, 2 for the weight; sharded by ZeRO-1 but for the zeroing. */
/* Software without a fused kernel: the attention of physics that writes its scores, twice that
   backward. */
static void unfused_attention_goes_through_memory(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(8, 1, 1, 1, 1);
    const assay_attention_t attention = {.batch = 1,
                                         .sequence = 2048,
                                         .heads = 8,
                                         .kv_heads = 8,
                                         .head_dim = 128,
                                         .v_head_dim = 128,
                                         .causal = true,
                                         .dtype = ASSAY_DT_BF16};
    assay_train_layer_t fused, unfused;
    assay_train_layer(&machine, &work, &l, &fused);
    work.unfused_attention = true;
    assay_train_layer(&machine, &work, &l, &unfused);
    assay_test_close(unfused.layer_s[ASSAY_TIME_ATTENTION],
                     assay_attention_forward_s(&machine.device, &attention) +
                         assay_attention_backward_s(&machine.device, &attention),
                     1e-12, 0, "attention");
    /* The softmax of 8 heads, s^2 of two bytes, is kept in place of four bytes a row. */
    assay_test_close(unfused.stored_bytes - fused.stored_bytes, 8 * 2048.0 * (2048 * 2 - 4), 1e-12,
                     0, "scores");
}

static void optimizer_is_memory_bound(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_gpt(16, 64);
    assay_layout_t l = layout(1, 1, 1, 8, 1);
    const double params = 16 * (12.0 * 2048 * 2048 + 4 * 2048) + (2 * 51200 + 1024 + 2) * 2048.0;
    const double bytes[4] = {46 * params, 4 * params + 42 * params / 8, 46 * params / 8,
                             46 * params / 8};
    for (l.zero = 0; l.zero <= 3; l.zero++) {
        assay_test_close(estimate(&machine, &work, l).time_s[ASSAY_TIME_OPTIMIZER],
                         assay_stream_s(&machine.device, bytes[l.zero]), 1e-12, 0, "optimizer");
    }
}

static void recompute_pays_in_time(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_llama_65b(64);
    assay_layout_t l = layout(8, 8, 1, 1, 1);
    assay_train_layer_t layer[ASSAY_RECOMPUTE_N];
    assay_estimate_t e[ASSAY_RECOMPUTE_N];
    for (int i = 0; i < ASSAY_RECOMPUTE_N; i++) {
        l.recompute = (uint8_t)i;
        assay_train_layer(&machine, &work, &l, &layer[i]);
        e[i] = estimate(&machine, &work, l);
    }
    const assay_train_layer_t *none = &layer[ASSAY_RECOMPUTE_NONE];
    const assay_train_layer_t *selective = &layer[ASSAY_RECOMPUTE_SELECTIVE];
    const assay_train_layer_t *full = &layer[ASSAY_RECOMPUTE_FULL];
    assay_test_close(none->layer_s[ASSAY_TIME_RECOMPUTE], 0, 0, 0, "none");
    assay_test_close(full->layer_s[ASSAY_TIME_RECOMPUTE], none->layer_forward_s, 1e-12, 0, "full");
    assert_true(selective->layer_s[ASSAY_TIME_RECOMPUTE] > 0 &&
                selective->layer_s[ASSAY_TIME_RECOMPUTE] < none->layer_s[ASSAY_TIME_MEMORY_BOUND]);
    assert_true(none->stored_bytes > selective->stored_bytes &&
                selective->stored_bytes > full->stored_bytes);
    assert_true(e[0].step_s < e[1].step_s && e[1].step_s < e[2].step_s);
    assert_true(e[0].peak_total_bytes > e[2].peak_total_bytes);
    assay_test_close(e[0].hfu, e[0].mfu, 0, 0, "hfu without recompute");
    /* The layers run four passes instead of three: HFU/MFU is a little under 4/3 for the head. */
    const double head = 6.0 * 8192 * 32000 / work.causal_flops_per_token;
    assay_test_close(e[2].hfu / e[2].mfu, 1 + (1 - head) / 3, 1e-12, 0, "hfu/mfu");
}

/* LLaMA-65B on 64 A100: 2048 x 64 tokens a step. */
static void rates_follow_from_the_step(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_estimate_t e = estimate(&machine, &work, layout(8, 8, 1, 1, 1));
    assay_test_close(e.tokens_per_s, 2048 * 64 / e.step_s, 1e-12, 0, "tokens/s");
    assay_test_close(e.mfu, e.tokens_per_s * work.causal_flops_per_token / (64 * 312e12), 1e-12, 0,
                     "mfu");
    const double busy_s = e.step_s - e.time_s[ASSAY_TIME_PP_BUBBLE] - e.time_s[ASSAY_TIME_HOST];
    assay_test_close(e.compute_share,
                     (e.time_s[ASSAY_TIME_GEMM] + e.time_s[ASSAY_TIME_ATTENTION]) / busy_s, 1e-12,
                     0, "compute share");
    assert_true(e.device_w > 60 && e.device_w <= 400);
    /* sigma .12: exp(-+ 1.2816 x .12) */
    assay_test_close(e.rel_p10, .85744, 1e-4, 0, "p10");
    assay_test_close(e.rel_p90, 1.16627, 1e-4, 0, "p90");
    assert_int_equal(e.basis, ASSAY_BASIS_CALIBRATED);
    assert_int_equal(e.layout.n_micro, 64);
    /* Watts are per device: half a package of an MI250X. */
    const assay_machine_t amd = fixture_mi250x(8);
    const assay_estimate_t a = estimate(&amd, &work, layout(8, 8, 1, 1, 1));
    assert_true(a.device_w > 45 && a.device_w <= 280);
}

/* A loss that makes the step longer lets the device draw what it drew: GEMMs that are a third
   slower than alone because the clock is at the power limit do not rest the device. Published: a
   MI250X draws 408 of 560 W in training (data/measured/power.csv PWR-0022). */
static void a_loss_does_not_rest_the_device(void **state) {
    (void)state;
    assay_machine_t machine = fixture_mi250x(8);
    const assay_workload_t work = fixture_llama_65b(64);
    double device_w[2], step_s[2];
    for (int i = 0; i < 2; i++) {
        for (int type = 0; type < ASSAY_DT_N; type++) {
            machine.device.calib[ASSAY_CALIB_STEP_LOSS][type] = .4 * i;
        }
        const assay_estimate_t e = estimate(&machine, &work, layout(8, 8, 1, 1, 1));
        device_w[i] = e.device_w;
        step_s[i] = e.step_s;
    }
    assay_test_close(step_s[1], 1.4 * step_s[0], 1e-12, 0, "step");
    assay_test_close(device_w[1], device_w[0], 1e-12, 0, "power");
}

/* A machine without losses and a sequence so long that attention is nearly all: counting full
   attention (PaLM) would put MFU near 150 %, for the causal half is all that runs. */
static void mfu_cannot_exceed_one(void **state) {
    (void)state;
    assay_machine_t machine = fixture_a100(1);
    for (int i = 0; i < ASSAY_DT_N; i++) {
        machine.device.calib[ASSAY_CALIB_GEMM_EFFICIENCY][i] = 1;
        machine.device.calib[ASSAY_CALIB_ATTENTION_FORWARD][i] = 1;
        machine.device.calib[ASSAY_CALIB_ATTENTION_BACKWARD][i] = 1;
        machine.device.calib[ASSAY_CALIB_ATTENTION_S_HALF][i] = 0;
        machine.device.calib[ASSAY_CALIB_GEMM_K0][i] = 0;
        machine.device.calib[ASSAY_CALIB_GEMM_SERIAL][i] = 0;
        machine.device.calib[ASSAY_CALIB_LAUNCH_S][i] = 0;
        machine.device.calib[ASSAY_CALIB_STEP_LOSS][i] = 0;
    }
    assay_workload_t work = fixture_gpt(16, 64);
    work = fixture_work(&work.model, 1u << 20, 64);
    const assay_estimate_t e = estimate(&machine, &work, layout(8, 1, 1, 1, 1));
    assert_true(e.mfu <= 1 && e.mfu > .5);
    assert_true(e.mfu * work.model_flops_per_token / work.causal_flops_per_token > 1);
}

/* The layouts that the properties below are tried on. */
static const assay_layout_t tried[] = {
    {.tp = 8, .pp = 8, .vpp = 1, .dp = 1, .micro_batch = 1, .sequence_parallel = true},
    {.tp = 8, .pp = 4, .vpp = 5, .dp = 2, .micro_batch = 2, .zero = 1, .recompute = 1},
    {.tp = 4, .pp = 2, .vpp = 1, .dp = 8, .micro_batch = 1, .zero = 1, .recompute = 2},
    {.tp = 1, .pp = 1, .vpp = 1, .dp = 64, .micro_batch = 1, .zero = 3, .recompute = 2},
    {.tp = 2, .pp = 1, .vpp = 1, .dp = 32, .micro_batch = 2, .zero = 2, .sequence_parallel = true},
};
#define N_TRIED (sizeof(tried) / sizeof(tried[0]))

static void parts_sum_to_the_step(void **state) {
    (void)state;
    const assay_machine_t machine[2] = {fixture_a100(8), fixture_mi250x(8)};
    const assay_workload_t work = fixture_llama_65b(256);
    for (size_t i = 0; i < 2 * N_TRIED; i++) {
        const assay_estimate_t e = estimate(&machine[i % 2], &work, tried[i / 2]);
        assert_true(sum(e.time_s) == e.step_s); /* the same additions in the same order */
        for (int j = 0; j < ASSAY_TIME_N; j++) {
            assert_true(e.time_s[j] >= 0);
        }
        assert_true(e.compute_share > 0 && e.compute_share < 1);
        assert_true(e.hfu >= e.mfu && e.mfu > 0 && e.hfu <= 1);
    }
}

static void layer_times_at_hand_change_nothing(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(8);
    const assay_workload_t work = fixture_llama_65b(256);
    for (size_t i = 0; i < N_TRIED; i++) {
        assay_train_layer_t layer;
        assay_estimate_t cold, warm;
        memset(&cold, 0, sizeof(cold));
        memset(&warm, 0, sizeof(warm));
        assay_layout_t key = tried[i];
        key.pp = key.vpp = 1; /* whichever layout of the key fills the layer */
        key.zero = 0;
        assay_train_layer(&machine, &work, &key, &layer);
        assay_train_estimate(&machine, &work, &tried[i], &cold);
        assay_train_estimate_with(&machine, &work, &tried[i], &layer, &warm);
        assert_true(cold.step_s == warm.step_s);
        assert_memory_equal(cold.time_s, warm.time_s, sizeof(cold.time_s));
        assert_memory_equal(cold.peak_bytes, warm.peak_bytes, sizeof(cold.peak_bytes));
    }
}

static void better_hardware_is_never_slower(void **state) {
    (void)state;
    const assay_workload_t work = fixture_llama_65b(256);
    for (size_t i = 0; i < 2 * N_TRIED; i++) {
        const assay_machine_t base = i % 2 ? fixture_mi250x(8) : fixture_a100(8);
        const double base_s = estimate(&base, &work, tried[i / 2]).step_s;
        assay_machine_t better[4] = {base, base, base, base};
        better[0].device.hbm_bytes_per_s *= 1.5;
        better[1].device.peak_flops[ASSAY_DT_BF16] *= 1.5;
        better[2].links.nic_bytes_per_s *= 1.5;
        better[3].links.device_bytes_per_s *= 1.5;
        better[3].links.pair_bytes_per_s *= 1.5;
        better[3].links.package_bytes_per_s *= 1.5;
        for (int n = 0; n <= ASSAY_PAIR_DEVICES; n++) {
            for (int stride = 0; stride <= ASSAY_PAIR_DEVICES; stride++) {
                better[3].links.cut_bytes_per_s[n][stride] *= 1.5;
            }
        }
        for (int j = 0; j < ASSAY_PAIR_DEVICES; j++) {
            better[3].links.p2p_bytes_per_s[j] *= 1.5;
        }
        for (int j = 0; j < 4; j++) {
            const double better_s = estimate(&better[j], &work, tried[i / 2]).step_s;
            if (better_s > base_s) {
                fail_msg("layout %zu, change %d: %.17g s became %.17g s", i / 2, j, base_s,
                         better_s);
            }
        }
    }
}

/* Twice the replicas with as many micro-batches each do twice the work; the step may grow by the
   longer ring but never so much that throughput falls. Twice the micro-batches take longer. */
static void more_replicas_do_more_work(void **state) {
    (void)state;
    for (uint32_t nodes = 8; nodes <= 64; nodes *= 2) {
        const assay_machine_t machine = fixture_a100(nodes), twice = fixture_a100(2 * nodes);
        const assay_workload_t work = fixture_llama_65b(8 * nodes);
        const assay_workload_t more = fixture_llama_65b(16 * nodes);
        assay_layout_t l = layout(8, 4, 1, nodes / 4, 1);
        const assay_estimate_t one = estimate(&machine, &work, l);
        assert_true(estimate(&machine, &more, l).step_s > one.step_s);
        l.dp *= 2;
        const assay_estimate_t two = estimate(&twice, &more, l);
        assert_int_equal(one.layout.n_micro, two.layout.n_micro);
        assert_true(two.tokens_per_s > one.tokens_per_s);
    }
}

static void no_tokens_take_no_time(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_workload_t nothing = fixture_work(&work.model, 0, 64);
    const assay_layout_t l = layout(1, 1, 1, 8, 1);
    assay_train_layer_t layer;
    assay_train_layer(&machine, &nothing, &l, &layer);
    assay_test_close(layer.layer_forward_s + layer.layer_backward_s + layer.head_forward_s +
                         layer.head_backward_s + layer.embed_forward_s + layer.embed_backward_s,
                     0, 0, 0, "seconds");
    assay_test_close(layer.stored_bytes + layer.logits_bytes + layer.boundary_bytes, 0, 0, 0,
                     "bytes");
}

/* The roofline's list is the model's: forward times add up to the layer and the head, and FLOPs of
   the GEMMs to 2 x parameters x tokens. */
static void operations_add_up_to_the_layer(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = fixture_llama_65b(64);
    const assay_layout_t l = layout(1, 1, 1, 8, 2);
    assay_op_t op[ASSAY_OP_MAX];
    assay_train_layer_t layer;
    const uint32_t n = assay_train_ops(&machine, &work, &l, op);
    double total_s = 0, gemm_flops = 0;
    assay_train_layer(&machine, &work, &l, &layer);
    for (uint32_t i = 0; i < n; i++) {
        static const char *const gemm[] = {"qkv", "attention_out", "mlp_up", "mlp_down", "head"};
        total_s += op[i].time_s;
        assert_true(op[i].flops > 0 && op[i].bytes > 0 && op[i].time_s > 0);
        for (size_t j = 0; j < sizeof(gemm) / sizeof(gemm[0]); j++) {
            gemm_flops += strcmp(op[i].name, gemm[j]) == 0 ? op[i].flops : 0;
        }
        if (strcmp(op[i].name, "attention") == 0) {
            /* causal: 2 b s^2 h, and q, k, v, o in bf16 with 4 bytes a row of scores */
            assay_test_close(op[i].flops, 2 * 2.0 * 2048 * 2048 * 8192, 1e-12, 0, "attention");
            assay_test_close(op[i].bytes, 2 * 2048 * (4 * 2 * 8192.0 + 4 * 64), 1e-12, 0, "bytes");
        }
    }
    assay_test_close(total_s, layer.layer_forward_s + layer.head_forward_s, 1e-12, 0, "seconds");
    assay_test_close(gemm_flops,
                     2 * (4.0 * 8192 * 8192 + 3.0 * 8192 * 22016 + 8192.0 * 32000) * 2 * 2048,
                     1e-12, 0, "FLOPs");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_stages_have_the_published_bubble),
        cmocka_unit_test(the_slowest_stage_sets_the_pace),
        cmocka_unit_test(tables_take_the_place_of_layers),
        cmocka_unit_test(pipeline_traffic_counts_every_hop),
        cmocka_unit_test(interleaved_chunks_hide_pipeline_traffic),
        cmocka_unit_test(tied_tables_exchange_gradients),
        cmocka_unit_test(tensor_parallel_traffic_of_a_layer),
        cmocka_unit_test(tensor_parallel_traffic_of_embedding_and_head),
        cmocka_unit_test(memory_bound_time_is_bytes_over_bandwidth),
        cmocka_unit_test(backward_runs_two_gemms),
        cmocka_unit_test(gemm_time_is_flops_over_rate),
        cmocka_unit_test(gradient_traffic_hides_in_the_last_backward),
        cmocka_unit_test(small_buckets_wait_their_latency),
        cmocka_unit_test(interleaving_widens_the_window),
        cmocka_unit_test(zero_3_gathers_every_layer_twice),
        cmocka_unit_test(unfused_attention_goes_through_memory),
        cmocka_unit_test(optimizer_is_memory_bound),
        cmocka_unit_test(recompute_pays_in_time),
        cmocka_unit_test(rates_follow_from_the_step),
        cmocka_unit_test(a_loss_does_not_rest_the_device),
        cmocka_unit_test(mfu_cannot_exceed_one),
        cmocka_unit_test(parts_sum_to_the_step),
        cmocka_unit_test(layer_times_at_hand_change_nothing),
        cmocka_unit_test(better_hardware_is_never_slower),
        cmocka_unit_test(more_replicas_do_more_work),
        cmocka_unit_test(no_tokens_take_no_time),
        cmocka_unit_test(operations_add_up_to_the_layer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
