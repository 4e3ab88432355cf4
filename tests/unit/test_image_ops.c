#include "arena_fixture.h"
#include "assay_test.h"

#include "assay/catalog.h"
#include "assay/image_ops.h"
#include "assay/text.h"

static assay_error_t err;

static assay_image_shape_t read_text(const char *text) {
    assay_image_shape_t shape;
    if (assay_image_read(arena, "config.json", text, strlen(text), &shape, &err) != ASSAY_OK) {
        fail_msg("%s", err.what);
    }
    return shape;
}

static assay_image_shape_t find(const char *id) {
    assay_image_shape_t shape;
    if (assay_image_find(arena, NULL, 0, id, &shape, &err) != ASSAY_OK) {
        fail_msg("%s: %s", id, err.what);
    }
    return shape;
}

static assay_image_net_t lay_out(const assay_image_shape_t *shape, uint32_t width,
                                 uint32_t height) {
    assay_image_net_t net;
    assert_int_equal(assay_image_ops(arena, shape, width, height, &net, &err), ASSAY_OK);
    return net;
}

/* unet/config.json of stabilityai/stable-diffusion-xl-base-1.0, keys that change no shape left out
 */
static const char sdxl[] =
    "{\"_class_name\": \"UNet2DConditionModel\", \"addition_embed_type\": \"text_time\","
    " \"addition_time_embed_dim\": 256, \"attention_head_dim\": [5, 10, 20],"
    " \"block_out_channels\": [320, 640, 1280], \"cross_attention_dim\": 2048,"
    " \"down_block_types\": [\"DownBlock2D\", \"CrossAttnDownBlock2D\", \"CrossAttnDownBlock2D\"],"
    " \"in_channels\": 4, \"layers_per_block\": 2, \"out_channels\": 4,"
    " \"projection_class_embeddings_input_dim\": 2816, \"sample_size\": 128,"
    " \"transformer_layers_per_block\": [1, 2, 10],"
    " \"up_block_types\": [\"CrossAttnUpBlock2D\", \"CrossAttnUpBlock2D\", \"UpBlock2D\"],"
    " \"use_linear_projection\": true}";
static const char sd15[] =
    "{\"_class_name\": \"UNet2DConditionModel\", \"attention_head_dim\": 8,"
    " \"block_out_channels\": [320, 640, 1280, 1280], \"cross_attention_dim\": 768,"
    " \"down_block_types\": [\"CrossAttnDownBlock2D\", \"CrossAttnDownBlock2D\","
    " \"CrossAttnDownBlock2D\", \"DownBlock2D\"], \"in_channels\": 4, \"layers_per_block\": 2,"
    " \"out_channels\": 4, \"sample_size\": 64, \"up_block_types\": [\"UpBlock2D\","
    " \"CrossAttnUpBlock2D\", \"CrossAttnUpBlock2D\", \"CrossAttnUpBlock2D\"]}";
static const char flux[] =
    "{\"_class_name\": \"FluxTransformer2DModel\", \"attention_head_dim\": 128,"
    " \"guidance_embeds\": true, \"in_channels\": 64, \"joint_attention_dim\": 4096,"
    " \"num_attention_heads\": 24, \"num_layers\": 19, \"num_single_layers\": 38,"
    " \"patch_size\": 1, \"pooled_projection_dim\": 768}";
static const char vae[] =
    "{\"_class_name\": \"AutoencoderKL\", \"block_out_channels\": [128, 256, 512, 512],"
    " \"in_channels\": 3, \"latent_channels\": 4, \"layers_per_block\": 2, \"out_channels\": 3,"
    " \"sample_size\": 512}";

/* SDXL: 2,567,463,684 parameters in safetensors metadata of the UNet; FLOPs by an independent count
   (1.589, 3.641 and 6.761 TFLOP; at 1024: convolutions 1.623, linear 4.354, self 0.752, cross
   0.032). That count has no projections of the time, so linear is 0.1 % above it at most. */
static void sdxl_is_counted_exactly(void **state) {
    (void)state;
    const assay_image_shape_t shape = read_text(sdxl);
    assert_int_equal(shape.width, 1024);
    double flops[ASSAY_IMAGE_KIND_N];
    assay_image_net_t net = lay_out(&shape, 1024, 1024);
    assay_test_close(assay_image_params(&net), 2567463684.0, 0, 0, "parameters");
    assay_test_close(1e-12 * assay_image_flops(&net, flops), 6.761, 0, 0.0005, "1024");
    assay_test_close(1e-12 * flops[ASSAY_IMAGE_CONV], 1.623, 0, 0.0005, "convolutions");
    assay_test_close(1e-12 * flops[ASSAY_IMAGE_GEMM], 4.354, 0, 0.0005, "linear");
    assay_test_close(1e-12 * flops[ASSAY_IMAGE_SELF], 0.752, 0, 0.0005, "self-attention");
    assay_test_close(1e-12 * flops[ASSAY_IMAGE_CROSS], 0.032, 0, 0.0005, "cross-attention");
    net = lay_out(&shape, 512, 512);
    assay_test_close(1e-12 * assay_image_flops(&net, flops), 1.589, 0, 0.0005, "512");
    net = lay_out(&shape, 768, 768);
    assay_test_close(1e-12 * assay_image_flops(&net, flops), 3.641, 0, 0.0005, "768");
}

/* 859,520,964: parameters of the UNet of Stable Diffusion 1.x in safetensors metadata. 83,653,863:
   of its autoencoder. */
static void stable_diffusion_is_counted_exactly(void **state) {
    (void)state;
    const assay_image_shape_t unet = read_text(sd15), autoencoder = read_text(vae);
    double flops[ASSAY_IMAGE_KIND_N];
    assay_image_net_t net = lay_out(&unet, 512, 512);
    assay_test_close(assay_image_params(&net), 859520964.0, 0, 0, "UNet");
    assay_test_close(1e-12 * assay_image_flops(&net, flops), 0.803, 0, 0.0015, "models.csv");
    net = lay_out(&autoencoder, 512, 512);
    assay_test_close(assay_image_params(&net), 83653863.0, 0, 0, "autoencoder");
}

/* FLUX.1-dev: 11,901,408,320 in safetensors metadata; schnell has no guidance: 256 x 3072 + 3072
   and 3072^2 + 3072 less. */
static void flux_is_counted_exactly(void **state) {
    (void)state;
    assay_image_shape_t shape = read_text(flux);
    double flops[ASSAY_IMAGE_KIND_N];
    assay_image_net_t net = lay_out(&shape, 1024, 1024);
    assay_test_close(assay_image_params(&net), 11901408320.0, 0, 0, "dev");
    assay_test_close(1e-12 * assay_image_flops(&net, flops), 74.385, 5e-3, 0, "models.csv");
    shape.guidance = false;
    net = lay_out(&shape, 1024, 1024);
    assay_test_close(assay_image_params(&net), 11901408320.0 - 10229760.0, 0, 0, "schnell");
}

/* torchvision's documentation: ResNet-50 25,557,032 parameters, 4.09 GFLOPS (multiply-adds), 101
   44,549,160 and 7.80, 152 60,192,808 and 11.51; ViT-B/16 86,567,656 and 17.56, ViT-L/16
   304,326,632 and 61.55, ViT-H/14 632,045,800 and 167.29. */
static void torchvision_models_are_counted_exactly(void **state) {
    (void)state;
    static const struct {
        const char *id;
        double params, giga;
    } known[] = {{"resnet-50", 25557032, 4.09},   {"resnet-101", 44549160, 7.80},
                 {"resnet-152", 60192808, 11.51}, {"vit-b-16", 86567656, 17.56},
                 {"vit-l-16", 304326632, 61.55},  {"vit-h-14", 632045800, 167.29}};
    double flops[ASSAY_IMAGE_KIND_N];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const assay_image_shape_t shape = find(known[i].id);
        const assay_image_net_t net = lay_out(&shape, 224, 224);
        assay_test_close(assay_image_params(&net), known[i].params, 0, 0, shape.id);
        assay_test_close(0.5e-9 * assay_image_flops(&net, flops), known[i].giga, 2e-3, 0, shape.id);
    }
}

/* models.csv keeps parameters and FLOPs of an independent count, rounded. */
static void the_table_agrees_with_the_independent_count(void **state) {
    (void)state;
    assay_csv_t csv;
    uint32_t n = 0;
    double flops[ASSAY_IMAGE_KIND_N];
    assert_int_equal(assay_data_table(arena, "models.csv", NULL, 0, &csv, NULL), ASSAY_OK);
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        const char *id = assay_csv_cell(&csv, row, 0);
        const char *params = assay_csv_cell(&csv, row, assay_csv_column(&csv, "params_computed_m"));
        const char *giga = assay_csv_cell(&csv, row, assay_csv_column(&csv, "forward_gflops"));
        double expected[2];
        if (!assay_text_to_double(giga, strlen(giga), &expected[1])) {
            continue;
        }
        const assay_image_shape_t shape = find(id);
        const assay_image_net_t net = lay_out(&shape, shape.width, shape.height);
        assert_true(assay_text_to_double(params, strlen(params), &expected[0]));
        assay_test_close(1e-6 * assay_image_params(&net), expected[0], 1e-4, 0, id);
        assay_test_close(1e-9 * assay_image_flops(&net, flops), expected[1], 2e-3, 0, id);
        n++;
    }
    assert_int_equal(n, 10);
}

static void the_table_is_the_configs(void **state) {
    (void)state;
    const struct {
        const char *id;
        const char *config;
    } both[] = {{"sdxl-unet", sdxl}, {"sd-1.5-unet", sd15}, {"flux.1-dev", flux}, {"sd-vae", vae}};
    double flops[ASSAY_IMAGE_KIND_N], other[ASSAY_IMAGE_KIND_N];
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++) {
        const assay_image_shape_t row = find(both[i].id), read = read_text(both[i].config);
        const assay_image_net_t a = lay_out(&row, row.width, row.height);
        const assay_image_net_t b = lay_out(&read, read.width, read.height);
        assay_test_close(assay_image_params(&a), assay_image_params(&b), 0, 0, both[i].id);
        assay_test_close(assay_image_flops(&a, flops), assay_image_flops(&b, other), 0, 0,
                         both[i].id);
    }
    /* black-forest-labs/FLUX.1-dev vae: 83,819,683 in safetensors metadata */
    const assay_image_shape_t row = find("flux-vae");
    const assay_image_net_t net = lay_out(&row, 1024, 1024);
    assay_test_close(assay_image_params(&net), 83819683.0, 0, 0, "flux-vae");
}

static void an_unknown_network_has_a_nearest_one(void **state) {
    (void)state;
    assay_image_shape_t shape;
    assert_int_equal(assay_image_find(arena, NULL, 0, "resnet-51", &shape, &err), ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.next, "resnet-5"));
    assert_int_equal(assay_image_find(arena, NULL, 0, "sdxl-unet@512", &shape, &err),
                     ASSAY_NOT_FOUND);
    assert_int_equal(assay_image_find(arena, NULL, 0, "sdxl-unet@512x768", &shape, &err), ASSAY_OK);
    assert_int_equal(shape.height, 768);
}

/* 109,482,240 and 335,141,888: BertModel of the base and large uncased checkpoints. */
static void bert_is_counted_exactly(void **state) {
    (void)state;
    const assay_image_shape_t base = read_text("{\"model_type\": \"bert\"}");
    const assay_image_shape_t large =
        read_text("{\"model_type\": \"bert\", \"hidden_size\": 1024, \"intermediate_size\": 4096,"
                  " \"num_attention_heads\": 16, \"num_hidden_layers\": 24}");
    assay_image_net_t net = lay_out(&base, 512, 1);
    assay_test_close(assay_image_params(&net), 109482240.0, 0, 0, "base");
    net = lay_out(&large, 128, 1);
    assay_test_close(assay_image_params(&net), 335141888.0, 0, 0, "large");
}

/* safetensors metadata: CLIPTextModel of openai/clip-vit-large-patch14 123,060,480; text_encoder of
   stabilityai/stable-diffusion-2-1 340,387,840; text_encoder_2 of SDXL 694,659,840; encoder of
   google/t5-v1_1-xxl 4,762,310,656. UNet of stable-diffusion-2-1: 865,910,724. */
static void what_reads_the_text_is_counted_exactly(void **state) {
    (void)state;
    static const struct {
        const char *id;
        double params;
    } known[] = {{"clip-l-text", 123060480},
                 {"openclip-h-text", 340387840},
                 {"openclip-bigg-text", 694659840},
                 {"t5-xxl-encoder", 4762310656},
                 {"sd-2.1-unet", 865910724}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const assay_image_shape_t shape = find(known[i].id);
        const assay_image_net_t net = lay_out(&shape, shape.width, shape.height);
        assay_test_close(assay_image_params(&net), known[i].params, 0, 0, shape.id);
    }
}

/* An independent count of ldm/modules/diffusionmodules/model.py, layer by layer: 2.514518933504
   TFLOP at 512 x 512, 10.470392594432 at 1024 x 1024; 49,490,199 parameters in the decoder and its
   1 x 1 convolution of 4 channels (4 x 4 + 4). */
static void the_decoder_is_half_of_the_autoencoder(void **state) {
    (void)state;
    const assay_image_shape_t shape = find("sd-vae");
    double flops[ASSAY_IMAGE_KIND_N];
    const double tera[] = {2.514518933504, 10.470392594432};
    for (uint32_t i = 0; i < 2; i++) {
        const assay_image_net_t net = lay_out(&shape, 512 << i, 512 << i);
        const uint32_t first = assay_image_decoder(&net);
        const assay_image_net_t decoder = {.op = net.op + first, .n_op = net.n_op - first};
        assay_test_close(1e-12 * assay_image_flops(&decoder, flops), tera[i], 1e-12, 0, "decoder");
        assay_test_close(assay_image_params(&decoder), 49490199, 0, 0, "parameters");
    }
}

static void pipelines_are_found_with_their_size(void **state) {
    (void)state;
    assay_image_pipeline_t found;
    assert_int_equal(assay_image_pipeline_find(arena, NULL, 0, "sdxl@512x768", &found, &err),
                     ASSAY_OK);
    assert_int_equal(found.width, 512);
    assert_int_equal(found.height, 768);
    assert_int_equal(found.n_encoder, 2);
    assert_true(found.guided);
    assert_int_equal(assay_image_pipeline_find(arena, NULL, 0, "sdlx", &found, &err),
                     ASSAY_NOT_FOUND);
    assert_non_null(strstr(err.next, "sdxl"));
    assert_int_equal(assay_image_pipeline_find(arena, NULL, 0, "sdxl@big", &found, &err),
                     ASSAY_NOT_FOUND);
}

static void sizes_and_files_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
    } refused[] = {
        {"{\"_class_name\": \"UNet2DConditonModel\"}", "is not supported"},
        {"{}", "without _class_name"},
        {"{\"_class_name\": \"UNet2DConditionModel\"}", "'block_out_channels' is missing"},
        {"{\"_class_name\": \"UNet2DConditionModel\", \"block_out_channels\": []}", "each level"},
        {"{\"_class_name\": \"UNet2DConditionModel\", \"block_out_channels\": [1, 2],"
         " \"down_block_types\": [\"DownBlock2D\"]}",
         "'down_block_types': expected one block"},
        {"{\"_class_name\": \"UNet2DConditionModel\", \"block_out_channels\": [1],"
         " \"down_block_types\": [\"AttnDownBlock2D\"]}",
         "expected blocks"},
        {"{\"_class_name\": \"AutoencoderKL\", \"block_out_channels\": [0]}", "from 1 to 65536"},
        {"{\"model_type\": \"vit\", \"patch_size\": 400}", "at most image_size"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assay_image_shape_t shape;
        assert_int_equal(assay_image_read(arena, "config.json", refused[i].text,
                                          strlen(refused[i].text), &shape, &err),
                         ASSAY_INPUT);
        if (!strstr(err.what, refused[i].what)) {
            fail_msg("%s: expected '%s'", err.what, refused[i].what);
        }
    }
    const assay_image_shape_t shape = read_text(sdxl);
    assay_image_net_t net;
    assert_int_equal(assay_image_ops(arena, &shape, 1000, 1024, &net, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "divide by 32"));
    assay_image_shape_t deep = shape;
    deep.depth_middle = 1000;
    assert_int_equal(assay_image_ops(arena, &deep, 1024, 1024, &net, &err), ASSAY_LIMIT);
    const assay_image_shape_t base = read_text("{\"model_type\": \"bert\"}");
    assert_int_equal(assay_image_ops(arena, &base, 513, 1, &net, &err), ASSAY_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sdxl_is_counted_exactly),
        cmocka_unit_test(stable_diffusion_is_counted_exactly),
        cmocka_unit_test(flux_is_counted_exactly),
        cmocka_unit_test(torchvision_models_are_counted_exactly),
        cmocka_unit_test(the_table_agrees_with_the_independent_count),
        cmocka_unit_test(the_table_is_the_configs),
        cmocka_unit_test(an_unknown_network_has_a_nearest_one),
        cmocka_unit_test(bert_is_counted_exactly),
        cmocka_unit_test(what_reads_the_text_is_counted_exactly),
        cmocka_unit_test(the_decoder_is_half_of_the_autoencoder),
        cmocka_unit_test(pipelines_are_found_with_their_size),
        cmocka_unit_test(sizes_and_files_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
