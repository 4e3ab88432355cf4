/* Training of networks of operations: counts against what is published, one layer by hand, and
   properties that must always hold. */
#include "resolve_fixture.h"

#include "assay/job.h"
#include "assay/physics.h"
#include "assay/score.h"
#include "assay/train.h"
#include "machine_fixture.h"

#define TRAINING ASSAY_SOURCE_DIR "/data/measured/training.csv"

static assay_error_t err;

static assay_train_net_t net_of(assay_train_net_ask_t ask) {
    assay_train_net_t net;
    if (assay_train_net_make(arena, catalog, &ask, &net, &err) != ASSAY_OK) {
        fail_msg("%s: %s", ask.model, err.what);
    }
    return net;
}

static assay_workload_t work_of(const assay_train_net_t *net, uint32_t global_batch) {
    assay_workload_t work = {.dtype = ASSAY_DT_BF16, .global_batch = global_batch};
    assay_train_workload(net, &work);
    return work;
}

static assay_layout_t layout(uint32_t dp, uint32_t micro_batch, uint8_t zero, uint8_t recompute) {
    return (assay_layout_t){.tp = 1,
                            .pp = 1,
                            .vpp = 1,
                            .dp = dp,
                            .micro_batch = micro_batch,
                            .zero = zero,
                            .recompute = recompute};
}

static assay_estimate_t estimate(const assay_machine_t *machine, const assay_workload_t *work,
                                 assay_layout_t l) {
    assay_estimate_t e;
    assay_train_estimate(machine, work, &l, &e);
    assert_true(e.reject == ASSAY_REJECT_NONE || e.reject == ASSAY_REJECT_MEMORY);
    return e;
}

static double sum(const double *part, int n) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += part[i];
    }
    return total;
}

/* ---- counts ---- */

/* pytorch/vision, models/resnet.py, ResNet50_Weights: 4.09 GFLOPS, which are multiply-adds, and
   25,557,032 parameters; vision_transformer.py, ViT_B_16_Weights: 17.56 and 86,567,656. */
static void residual_networks_and_transformers_have_the_published_counts(void **state) {
    (void)state;
    const assay_train_net_t resnet = net_of((assay_train_net_ask_t){.model = "resnet-50"});
    assay_test_close(resnet.forward_flops, 2 * 4.09e9, 2e-3, 0, "ResNet-50 forward");
    assay_test_close(assay_train_net_flops(&resnet), 6 * 4.09e9, 2e-3, 0, "ResNet-50 training");
    assay_test_close(resnet.params, 25557032, 0, 0.5, "ResNet-50 parameters");
    assert_string_equal(resnet.sample, "image");
    assert_int_equal(resnet.blocks, 16);
    assert_int_equal(resnet.optimizer, ASSAY_OPTIMIZER_MOMENTUM);
    const assay_train_net_t vit = net_of((assay_train_net_ask_t){.model = "vit-b-16"});
    assay_test_close(vit.forward_flops, 2 * 17.56e9, 2e-3, 0, "ViT-B/16 forward");
    assay_test_close(vit.params, 86567656, 0, 0.5, "ViT-B/16 parameters");
}

/* 24 layers of 12 h^2 = 12,582,912 weights, h = 1024, 2 FLOPs each for 128 tokens: 77,309,411,328;
   attention 4 x 128^2 x 1024 x 24 = 1,610,612,736; the pooler 2 h^2 = 2,097,152; 20 masked words,
   2 (h^2 + 30522 h) each: 1,292,124,160. */
static void bert_guesses_the_masked_words(void **state) {
    (void)state;
    const assay_train_net_t net =
        net_of((assay_train_net_ask_t){.model = "bert-large", .width = 128});
    assay_test_close(net.forward_flops, 80214245376.0, 1e-12, 0, "forward");
    assay_test_close(assay_train_net_flops(&net), 3 * 80214245376.0, 1e-12, 0, "training");
    assert_string_equal(net.sample, "sequence");
    assert_int_equal(net.blocks, 24);
    assert_int_equal(net.optimizer, ASSAY_OPTIMIZER_LAMB);
    const assay_train_net_t tuned =
        net_of((assay_train_net_ask_t){.model = "bert-large", .width = 128, .tunes = true});
    assay_test_close(net.forward_flops - tuned.forward_flops, 1292124160.0, 1e-9, 0, "words");
    assert_int_equal(tuned.optimizer, ASSAY_OPTIMIZER_ADAM);
}

/* The U-Net learns, three times its forward; text encoders and the autoencoder's half look once,
   unless what they say was kept. */
static void the_encoders_of_a_pipeline_stand_still(void **state) {
    (void)state;
    const assay_train_net_t unet = net_of((assay_train_net_ask_t){.model = "sdxl-unet"});
    const assay_train_net_t sdxl = net_of((assay_train_net_ask_t){.model = "sdxl"});
    const assay_train_net_t cached =
        net_of((assay_train_net_ask_t){.model = "sdxl", .latents = true});
    assay_test_close(sdxl.forward_flops, unet.forward_flops, 0, 0, "U-Net");
    assay_test_close(sdxl.params, unet.params, 0, 0, "parameters");
    assert_true(sdxl.frozen_flops > 0 && sdxl.frozen_params > 0 && sdxl.keeps_latents);
    assay_test_close(assay_train_net_flops(&sdxl), 3 * unet.forward_flops + sdxl.frozen_flops,
                     1e-15, 0, "training");
    assay_test_close(assay_train_net_flops(&cached), 3 * unet.forward_flops, 0, 0, "cached");
    assert_true(cached.frozen_params <= 0 && cached.keeps_latents);

    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = work_of(&sdxl, 64), other = work_of(&cached, 64);
    const assay_layout_t l = layout(8, 4, 0, ASSAY_RECOMPUTE_NONE);
    const assay_estimate_t whole = estimate(&machine, &work, l);
    const assay_estimate_t kept = estimate(&machine, &other, l);
    assert_true(kept.step_s < whole.step_s);
    assay_test_close(whole.steady_bytes[ASSAY_MEMORY_WEIGHTS] -
                         kept.steady_bytes[ASSAY_MEMORY_WEIGHTS],
                     2 * sdxl.frozen_params, 1e-9, 0, "encoders in 16 bit");
}

/* ---- one layer by hand ---- */

/* Groups of one, every weight read once. */
static assay_train_net_op_t convolution(double positions, double k, double n, double window) {
    return (assay_train_net_op_t){.op = {.name = "a",
                                         .kind = ASSAY_IMAGE_CONV,
                                         .positions = positions,
                                         .k = k,
                                         .n = n,
                                         .groups = 1,
                                         .window = window,
                                         .params = k * n},
                                  .kept = true};
}

/* A convolution of 1 x 1, 4096 channels in and out, one position, 4096 images: three products of
   4096^3, each of 512 tiles of 256 x 128 in 5 waves of 108 units. The first operation of a network
   looks at the data, which need no gradient; the second one has all three. */
static void a_layer_is_its_three_products(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_train_net_op_t once = convolution(1, 4096, 4096, 1), op[] = {once, once};
    const assay_gemm_t forward = {4096, 4096, 4096, 1, ASSAY_DT_BF16, 2, 2, 2};
    const assay_gemm_t weight = {4096, 4096, 4096, 1, ASSAY_DT_BF16, 2, 2, 8};
    const double forward_s = assay_gemm_s(&machine.device, &forward);
    const double weight_s = assay_gemm_s(&machine.device, &weight);
    for (uint32_t n = 1; n <= 2; n++) {
        assay_train_net_t net = {
            .id = "test", .sample = "image", .op = op, .n_op = n, .n_trained = n, .blocks = 1};
        const assay_workload_t work = work_of(&net, 4096 * 8);
        const assay_estimate_t e =
            estimate(&machine, &work, layout(8, 4096, 0, ASSAY_RECOMPUTE_NONE));
        assay_test_close(e.time_s[ASSAY_TIME_GEMM],
                         n * (forward_s + weight_s) + (n - 1) * forward_s, 1e-12, 0, "products");
    }
}

/* 3 x 3 over 64 channels at 56 x 56, 32 images: the gradient of the weight is 576 x 64 and sums
   over 100,352 positions: 5 tiles of 128 x 64 for 108 units. In 64 pieces of 1568 positions, whose
   sums in fp32 are written, read and added to the gradient, it takes least. */
static void the_sum_over_positions_is_split(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_train_net_op_t op = convolution(3136, 576, 64, 9);
    const assay_train_net_t net = {
        .id = "test", .sample = "image", .op = &op, .n_op = 1, .n_trained = 1, .blocks = 1};
    const assay_workload_t work = work_of(&net, 32 * 8);
    const assay_estimate_t e = estimate(&machine, &work, layout(8, 32, 0, ASSAY_RECOMPUTE_NONE));
    const assay_gemm_t forward = {100352, 64, 576, 1, ASSAY_DT_BF16, 2 / 9.0, 2, 2};
    const assay_gemm_t unsplit = {576, 64, 100352, 1, ASSAY_DT_BF16, 2 / 9.0, 2, 8};
    const assay_gemm_t split = {576, 64, 1568, 64, ASSAY_DT_BF16, 2 / 9.0, 2, 4};
    const double weight_s = e.time_s[ASSAY_TIME_GEMM] - assay_gemm_s(&machine.device, &forward);
    assay_test_close(weight_s,
                     assay_gemm_s(&machine.device, &split) +
                         assay_stream_s(&machine.device, 36864.0 * (64 * 4 + 8)),
                     1e-9, 0, "gradient of the weight");
    assert_true(weight_s < .8 * assay_gemm_s(&machine.device, &unsplit));
}

/* ---- memory ---- */

/* torchsummary's "forward/backward pass size" of ResNet-50 at 224 x 224, 286.56 MB, is every output
   in fp32 twice: 286.56 x 2^20 / 8 elements. Kept are those of convolutions, ReLUs and the pool. */
static void activations_are_the_published_outputs(void **state) {
    (void)state;
    const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = "resnet-50"});
    double outputs = 0, kept = 0;
    for (uint32_t i = 0; i < net.n_trained; i++) {
        const double elements = net.op[i].op.positions * net.op[i].op.n;
        outputs += elements;
        kept += net.op[i].kept ? elements : 0;
    }
    assay_test_close(outputs, 286.56 * 1048576 / 8, 5e-3, 0, "outputs");
    const assay_machine_t machine = fixture_a100(1);
    const assay_workload_t work = work_of(&net, 2048);
    assay_estimate_t e[ASSAY_RECOMPUTE_N];
    for (uint8_t i = 0; i < ASSAY_RECOMPUTE_N; i++) {
        e[i] = estimate(&machine, &work, layout(8, 256, 0, i));
    }
    /* 256 images in 16 bit, and the gradients of one operation's output and input: the widest are
       those of 64 channels at 112 x 112 */
    assay_test_close(e[0].peak_bytes[ASSAY_MEMORY_ACTIVATIONS],
                     256 * 2 * (kept + 2 * 64 * 112.0 * 112), 1e-9, 0, "activations");
    assert_true(e[1].peak_bytes[ASSAY_MEMORY_ACTIVATIONS] <
                e[0].peak_bytes[ASSAY_MEMORY_ACTIVATIONS]);
    assert_true(e[2].peak_bytes[ASSAY_MEMORY_ACTIVATIONS] <
                e[1].peak_bytes[ASSAY_MEMORY_ACTIVATIONS]);
    assay_test_close(e[2].hfu, e[2].mfu * 4 / 3, 1e-9, 0, "a forward more");
}

/* Bytes of a parameter: 2 + 4 of weights and master, 4 of gradient, of moments 4 with one momentum
   and 8 with LAMB. */
static void the_recipe_sets_the_bytes_of_a_parameter(void **state) {
    (void)state;
    const struct {
        const char *model;
        double moments;
    } cases[] = {{"resnet-50", 4}, {"bert-large", 8}, {"vit-b-16", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = cases[i].model});
        const assay_workload_t work = work_of(&net, 8);
        double weight, master, gradient, moments;
        assay_train_state(&work, &weight, &master, &gradient, &moments);
        assay_test_close(weight + master + gradient + moments, 10 + cases[i].moments, 0, 0,
                         cases[i].model);
    }
}

/* ---- properties ---- */

static const char *const models[] = {"resnet-50", "vit-b-16", "bert-base", "sd-1.5", "sdxl"};
#define N_MODEL (sizeof models / sizeof models[0])

static void parts_sum_and_rates_stay_below_the_peak(void **state) {
    (void)state;
    const assay_machine_t machines[] = {fixture_a100(1), fixture_mi250x(2)};
    for (size_t i = 0; i < N_MODEL * 2; i++) {
        const assay_machine_t *machine = &machines[i / N_MODEL];
        const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = models[i % N_MODEL]});
        const assay_workload_t work = work_of(&net, 16 * machine->devices);
        for (uint32_t j = 0; j < 4 * ASSAY_RECOMPUTE_N; j++) {
            const assay_estimate_t e = estimate(
                machine, &work, layout(machine->devices, 8, (uint8_t)(j % 4), (uint8_t)(j / 4)));
            assay_test_close(sum(e.time_s, ASSAY_TIME_N), e.step_s, 1e-12, 0, "parts of the step");
            assay_test_close(sum(e.peak_bytes, ASSAY_MEMORY_N), e.peak_total_bytes, 1e-12, 0,
                             "parts of the memory");
            assert_true(e.mfu > 0 && e.mfu <= e.hfu && e.hfu < 1);
            assay_test_close(e.tokens_per_s, work.global_batch / e.step_s, 1e-12, 0, "rate");
            assert_string_equal(e.sample, net.sample);
            assert_true(e.compute_share > 0 && e.compute_share <= 1 + 1e-12);
        }
    }
}

/* A better part is never slower. */
static void more_of_anything_is_never_slower(void **state) {
    (void)state;
    for (size_t i = 0; i < N_MODEL; i++) {
        const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = models[i]});
        const assay_workload_t work = work_of(&net, 256);
        const assay_layout_t l = layout(16, 4, 1, ASSAY_RECOMPUTE_NONE);
        const assay_machine_t plain = fixture_a100(2);
        assay_machine_t better[4] = {plain, plain, plain, plain};
        better[0].device.hbm_bytes_per_s *= 1.5;
        better[1].device.peak_flops[ASSAY_DT_BF16] *= 1.5;
        better[2].links.nic_bytes_per_s *= 2;
        better[3].links.device_bytes_per_s *= 2;
        const double step_s = estimate(&plain, &work, l).step_s;
        for (size_t j = 0; j < 4; j++) {
            const double other_s = estimate(&better[j], &work, l).step_s;
            if (!(other_s <= step_s * (1 + 1e-12))) {
                fail_msg("%s, change %zu: %g s instead of %g", models[i], j, other_s, step_s);
            }
        }
    }
}

/* The same images on each device: more devices take as long, and the sum of gradients besides. */
static void devices_scale_but_for_the_sum_of_gradients(void **state) {
    (void)state;
    const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = "resnet-50"});
    double before = 0;
    for (uint32_t nodes = 1; nodes <= 64; nodes *= 4) {
        const assay_machine_t machine = fixture_a100(nodes);
        const assay_workload_t work = work_of(&net, 256 * machine.devices);
        const assay_estimate_t e =
            estimate(&machine, &work, layout(machine.devices, 256, 0, ASSAY_RECOMPUTE_NONE));
        const double each = e.tokens_per_s / machine.devices;
        assert_true(nodes == 1 || (each <= before && each > .9 * before));
        before = each;
    }
}

static void a_network_is_not_cut(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = "resnet-50"});
    const assay_workload_t work = work_of(&net, 64);
    const assay_layout_t cuts[] = {
        {.tp = 2, .pp = 1, .vpp = 1, .dp = 4, .micro_batch = 1},
        {.tp = 1, .pp = 2, .vpp = 1, .dp = 4, .micro_batch = 1},
        {.tp = 1, .pp = 1, .vpp = 1, .dp = 4, .micro_batch = 1, .cp = 2},
        {.tp = 1, .pp = 1, .vpp = 1, .dp = 8, .micro_batch = 1, .ep = 2}};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        double need, have;
        assert_int_equal(assay_train_check(&machine, &work, &cuts[i], &need, &have),
                         ASSAY_REJECT_NETWORK);
        assay_test_close(need, 2, 0, 0, "need");
    }
}

/* Many operations, few names: a row a name, whose FLOPs are those of the network. */
static void the_roofline_has_one_row_a_name(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_train_net_t net = net_of((assay_train_net_ask_t){.model = "sdxl-unet"});
    const assay_workload_t work = work_of(&net, 64);
    const assay_layout_t l = layout(8, 2, 0, ASSAY_RECOMPUTE_NONE);
    assay_op_t op[ASSAY_OP_MAX];
    const uint32_t n = assay_train_ops(&machine, &work, &l, op);
    double flops = 0;
    for (uint32_t i = 0; i < n; i++) {
        flops += op[i].flops;
        assert_true(op[i].time_s > 0 && op[i].bytes > 0);
        for (uint32_t j = 0; j < i; j++) {
            assert_string_not_equal(op[i].name, op[j].name);
        }
    }
    assert_true(n > 10 && n < 60);
    assay_test_close(flops, 2 * net.forward_flops, 1e-12, 0, "two images");
}

/* ---- refusals ---- */

static void what_is_not_described_is_refused(void **state) {
    (void)state;
    const struct {
        assay_train_net_ask_t ask;
        assay_status_t status;
        const char *what;
    } cases[] = {{{.model = "resnet-5O"}, ASSAY_NOT_FOUND, "resnet-5O"},
                 {{.model = "clip-l-text"}, ASSAY_INPUT, "kind 'clip'"},
                 {{.model = "sd-vae"}, ASSAY_INPUT, "kind 'vae'"},
                 {{.model = "sdxl", .width = 225, .height = 225}, ASSAY_INPUT, "divide by 32"},
                 {{.model = "bert-large", .width = 1024}, ASSAY_INPUT, "512 positions"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assay_train_net_t net;
        assert_int_equal(assay_train_net_make(arena, catalog, &cases[i].ask, &net, &err),
                         cases[i].status);
        if (!strstr(err.what, cases[i].what)) {
            fail_msg("case %zu: %s", i, err.what);
        }
    }
}

/* ---- published runs ---- */

/* NVIDIA/DeepLearningExamples, ResNet-50 v1.5 and BERT-large on A100: all predicted, eight of ten
   within the interval that is meant to hold them, none of a network further off than a third. */
static void published_runs_lie_in_the_interval(void **state) {
    (void)state;
    assay_score_t *score;
    assay_csv_t csv;
    char *text;
    size_t size;
    uint32_t inside = 0, n = 0;
    assert_int_equal(assay_file_read(arena, TRAINING, 1 << 24, &text, &size, &err), ASSAY_OK);
    /* the header and the rows of that publication */
    assay_buf_t rows;
    assay_buf_init(&rows, 1 << 20);
    const char *end = strchr(text, '\n');
    for (const char *line = text; line && *line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (line == text || strncmp(line, "TDLEX-", 6) == 0) {
            assay_buf_printf(&rows, "%.*s", (int)(end ? end - line + 1 : 0), line);
        }
    }
    assert_int_equal(assay_csv_parse(arena, TRAINING, rows.data, rows.n, &csv, &err), ASSAY_OK);
    assert_int_equal(assay_score(arena, catalog, calibration, &csv, NULL, &score, &err), ASSAY_OK);
    for (uint32_t i = 0; i < score->n_item; i++) {
        const assay_score_item_t *item = &score->item[i];
        if (item->skipped) {
            assert_non_null(strstr(item->skipped, "sequence or global batch"));
            continue;
        }
        n++;
        inside += item->measured >= item->p10 && item->measured <= item->p90;
        if (!(fabs(item->rel_error) < 1.0 / 3)) {
            fail_msg("%s: %g instead of %g", item->id, item->predicted, item->measured);
        }
    }
    assay_buf_done(&rows);
    assert_int_equal(n, 24);
    assert_true(inside >= 17);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residual_networks_and_transformers_have_the_published_counts),
        cmocka_unit_test(bert_guesses_the_masked_words),
        cmocka_unit_test(the_encoders_of_a_pipeline_stand_still),
        cmocka_unit_test(a_layer_is_its_three_products),
        cmocka_unit_test(the_sum_over_positions_is_split),
        cmocka_unit_test(activations_are_the_published_outputs),
        cmocka_unit_test(the_recipe_sets_the_bytes_of_a_parameter),
        cmocka_unit_test(parts_sum_and_rates_stay_below_the_peak),
        cmocka_unit_test(more_of_anything_is_never_slower),
        cmocka_unit_test(devices_scale_but_for_the_sum_of_gradients),
        cmocka_unit_test(a_network_is_not_cut),
        cmocka_unit_test(the_roofline_has_one_row_a_name),
        cmocka_unit_test(what_is_not_described_is_refused),
        cmocka_unit_test(published_runs_lie_in_the_interval),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
