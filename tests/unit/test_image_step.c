#include "resolve_fixture.h"

#include "assay/image_step.h"
#include "assay/physics.h"
#include "machine_fixture.h"

static assay_error_t err;

static const assay_image_constants_t some = {
    .gemm = .5, .stream = 2, .op_s = 1e-6, .rel_p10 = 1, .rel_p90 = 1};

static assay_image_work_t make(const char *model, uint32_t steps, int guided) {
    const assay_image_ask_t ask = {
        .model = model, .steps = steps, .guided = guided, .dtype = ASSAY_DT_BF16};
    assay_image_work_t work;
    assay_image_taken_t taken;
    if (assay_image_work_make(arena, catalog, &ask, &work, &taken, &err) != ASSAY_OK) {
        fail_msg("%s: %s", model, err.what);
    }
    return work;
}

static double seconds(const assay_device_t *device, const assay_image_work_t *work, double images,
                      const assay_image_constants_t *constants, double *stage_s) {
    assay_image_step_t step;
    assay_image_prepare(device, work, images, &step);
    return assay_image_request_s(&step, constants, NULL, stage_s);
}

/* A network of one operation. */
static assay_image_work_t one(const assay_image_op_t *op) {
    return (assay_image_work_t){.stage = {{.name = "network",
                                           .op = op,
                                           .n_op = 1,
                                           .passes = 1,
                                           .copies = 1,
                                           .params = op->params,
                                           .narrow = true}},
                                .n_stage = 1,
                                .dtype = ASSAY_DT_BF16};
}

/* A residual of 1000 positions of 640 elements, 4 images: reads two and writes one of 2 bytes,
   3 x 4 x 1000 x 640 x 2 = 15.36e6 bytes and 2e6 that the ramp costs, at .85 x 2039e9 = 1.73315e12
   bytes/s and twice as fast by the engine: 5.00822e-6 s, and 3e-6 s of launch. A norm reads one. */
static void what_passes_through_memory_is_as_long_as_its_bytes(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    assay_image_op_t op = {
        .name = "x", .kind = ASSAY_IMAGE_ADD, .positions = 1000, .n = 640, .window = 1};
    const assay_image_work_t work = one(&op);
    assay_test_close(seconds(&machine.device, &work, 4, &some, NULL),
                     (15.36e6 + 2e6) / 1.73315e12 / 2 + 3e-6, 1e-12, 0, "residual");
    op.kind = ASSAY_IMAGE_NORM;
    assay_test_close(seconds(&machine.device, &work, 4, &some, NULL),
                     (10.24e6 + 2e6) / 1.73315e12 / 2 + 3e-6, 1e-12, 0, "norm");
}

/* 3 x 3 over 64 x 64 positions, 320 channels in and out, 2 images: the GEMM of M = 8192, N = 320,
   K = 2880, whose input is read once and not nine times. */
static void a_convolution_is_an_implicit_gemm(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_image_op_t op = {.name = "x",
                                 .kind = ASSAY_IMAGE_CONV,
                                 .positions = 4096,
                                 .k = 2880,
                                 .n = 320,
                                 .groups = 1,
                                 .window = 9};
    const assay_gemm_t gemm = {.m = 8192,
                               .n = 320,
                               .k = 2880,
                               .batch = 1,
                               .dtype = ASSAY_DT_BF16,
                               .bytes_a = 2.0 / 9,
                               .bytes_b = 2,
                               .bytes_c = 2};
    const assay_image_work_t work = one(&op);
    assay_test_close(seconds(&machine.device, &work, 2, &some, NULL),
                     (assay_gemm_s(&machine.device, &gemm) - 3e-6) / .5 + 3e-6, 1e-12, 0,
                     "convolution");
}

/* 4096 positions and keys, 10 heads of 64: 4 x 4096 x 4096 x 640 = 42.95e9 FLOPs at 312e12 x .6 x
   4096/(4096 + 256) and half of that by the engine: 4.8754e-4 s, and the launch. */
static void attention_computes_with_every_pair(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_image_op_t op = {.name = "x",
                                 .kind = ASSAY_IMAGE_SELF,
                                 .positions = 4096,
                                 .k = 4096,
                                 .n = 640,
                                 .heads = 10,
                                 .window = 1};
    assay_image_work_t work = one(&op);
    const double flops = 4.0 * 4096 * 4096 * 640;
    const double fused_s = seconds(&machine.device, &work, 1, &some, NULL);
    assay_test_close(fused_s, flops / (312e12 * .6 * 4096 / 4352) / .5 + 3e-6, 1e-12, 0, "fused");
    work.unfused = true;
    assert_true(seconds(&machine.device, &work, 1, &some, NULL) > fused_s);
}

/* SDXL at 1024 x 1024: 6.7613 TFLOP a forward, twice with guidance, 20 steps; decoder 10.470; text
   2 x 77 tokens x (2 x (85.05 + 629.7) M + attention, below .001): 0.2203 TFLOP. */
static void sdxl_has_the_operations_of_its_networks(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_image_work_t work = make("sdxl", 20, 1);
    assay_image_step_t step;
    assay_image_prepare(&machine.device, &work, 1, &step);
    assay_test_close(1e-12 * assay_image_request_flops(&step), 40 * 6.7613 + 10.4704 + .221, 2e-4,
                     0, "TFLOP");
    /* 2,567,463,684 + 49,490,199 + 123,060,480 + 694,659,840 parameters of 2 bytes */
    assay_test_close(assay_image_weight_bytes(&work), 2 * 3434674203.0, 0, 0, "weights");
    assert_int_equal(step.n_pass, 4);
}

static void steps_guidance_and_parts_add_up(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const char *const model[] = {"sdxl", "sd-1.5", "flux.1-dev", "sd-2.1@512x512"};
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
        double some_s[ASSAY_IMAGE_STAGE_MAX] = {0}, twice_s[ASSAY_IMAGE_STAGE_MAX] = {0};
        double part_s[ASSAY_IMAGE_PART_N], parts = 0, stages = 0;
        const assay_image_work_t work = make(model[i], 10, 0), twice = make(model[i], 20, 0);
        assay_image_step_t step;
        assay_image_prepare(&machine.device, &work, 2, &step);
        const double total_s = assay_image_request_s(&step, &some, part_s, some_s);
        (void)seconds(&machine.device, &twice, 2, &some, twice_s);
        const uint32_t denoise = work.n_stage - 2;
        for (uint32_t s = 0; s < work.n_stage; s++) {
            assay_test_close(twice_s[s], (s == denoise ? 2 : 1) * some_s[s], 1e-12, 0, "steps");
            stages += some_s[s];
        }
        for (int p = 0; p < ASSAY_IMAGE_PART_N; p++) {
            parts += part_s[p];
        }
        assay_test_close(parts, total_s, 1e-12, 0, "parts");
        assay_test_close(stages, total_s, 1e-12, 0, "stages");
        /* guidance: as twice the images, but in the decoder */
        const assay_image_work_t guided = make(model[i], 10, 1);
        double guided_s[ASSAY_IMAGE_STAGE_MAX], double_s[ASSAY_IMAGE_STAGE_MAX];
        (void)seconds(&machine.device, &guided, 2, &some, guided_s);
        (void)seconds(&machine.device, &work, 4, &some, double_s);
        assay_test_close(guided_s[denoise], double_s[denoise], 1e-12, 0, "guidance");
        assay_test_close(guided_s[denoise + 1], some_s[denoise + 1], 1e-12, 0, "decoder");
    }
}

/* 1000 x the time of any operation: the host's calls are all that counts; captured, they add. */
static void a_slow_host_is_waited_for(void **state) {
    (void)state;
    const assay_machine_t machine = fixture_a100(1);
    const assay_image_constants_t slow = {.gemm = 1, .stream = 1, .op_s = 1e-2};
    const assay_image_constants_t none = {.gemm = 1, .stream = 1, .op_s = 0};
    assay_image_work_t work = make("resnet-50", 0, -1);
    const double calls = work.stage[0].n_op;
    assay_test_close(seconds(&machine.device, &work, 1, &slow, NULL), 1e-2 * calls, 1e-12, 0,
                     "host");
    work.captured = true;
    assay_test_close(seconds(&machine.device, &work, 1, &slow, NULL) -
                         seconds(&machine.device, &work, 1, &none, NULL),
                     1e-2 * calls, 1e-9, 0, "captured");
}

static void more_of_anything_is_never_slower(void **state) {
    (void)state;
    const char *const model[] = {"sdxl", "resnet-50", "bert-base", "vit-b-16", "flux.1-schnell"};
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
        assay_machine_t machine = fixture_a100(1);
        const assay_image_work_t work = make(model[i], 0, -1);
        double before_s = seconds(&machine.device, &work, 1, &some, NULL);
        for (int j = 0; j < 6; j++) {
            machine.device.hbm_bytes_per_s *= j % 2 ? 1.5 : 1;
            machine.device.peak_flops[ASSAY_DT_BF16] *= j % 2 ? 1 : 1.5;
            const double now_s = seconds(&machine.device, &work, 1, &some, NULL);
            assert_true(now_s <= before_s);
            before_s = now_s;
        }
        /* more images take longer together, and less each */
        for (double n = 1; n < 64; n *= 2) {
            const double few_s = seconds(&machine.device, &work, n, &some, NULL);
            const double many_s = seconds(&machine.device, &work, 2 * n, &some, NULL);
            assert_true(many_s >= few_s);
            assert_true(many_s <= 2.001 * few_s);
        }
    }
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const struct {
        assay_image_ask_t ask;
        assay_status_t status;
        const char *what;
    } refused[] = {{{.model = "sdlx", .guided = -1}, ASSAY_NOT_FOUND, "pipeline"},
                   {{.model = "resnet-50", .steps = 20, .guided = -1}, ASSAY_INPUT, "looks once"},
                   {{.model = "sdxl", .width = 1000, .guided = -1}, ASSAY_INPUT, "divide by"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assay_image_work_t work;
        assay_image_taken_t taken;
        assert_int_equal(
            assay_image_work_make(arena, catalog, &refused[i].ask, &work, &taken, &err),
            refused[i].status);
        assert_non_null(strstr(err.what, refused[i].what));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes_through_memory_is_as_long_as_its_bytes),
        cmocka_unit_test(a_convolution_is_an_implicit_gemm),
        cmocka_unit_test(attention_computes_with_every_pair),
        cmocka_unit_test(sdxl_has_the_operations_of_its_networks),
        cmocka_unit_test(steps_guidance_and_parts_add_up),
        cmocka_unit_test(a_slow_host_is_waited_for),
        cmocka_unit_test(more_of_anything_is_never_slower),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
