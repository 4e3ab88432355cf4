/* Files of models: safetensors and GGUF are made here, byte by byte. */
#include "assay_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/model_file.h"
#include "assay/text.h"

#define ARENA_BYTES ((size_t)16 << 20)

static assay_arena_t *arena;
static assay_error_t err;
static char folder[64];

static int set_up(void **state) {
    (void)state;
    arena = assay_arena_create(ARENA_BYTES);
    snprintf(folder, sizeof folder, "/tmp/assay_model_XXXXXX");
    return !arena || !mkdtemp(folder);
}

static int tear_down(void **state) {
    (void)state;
    assay_arena_destroy(arena);
    static const char *const names[] = {"config.json",
                                        "model.safetensors",
                                        "model-00001-of-00002.safetensors",
                                        "model-00002-of-00002.safetensors",
                                        "model.safetensors.index.json",
                                        "consolidated.safetensors",
                                        "model.gguf",
                                        "model-00001-of-00002.gguf",
                                        "model-00002-of-00002.gguf",
                                        "model_index.json",
                                        "unet/config.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    char unet[256];
    snprintf(unet, sizeof unet, "%s/unet", folder);
    (void)rmdir(unet);
    return rmdir(folder);
}

static const char *path_of(const char *name) {
    return assay_arena_printf(arena, "%s/%s", folder, name);
}

static void write_file(const char *name, const void *data, size_t size) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text) {
    write_file(name, text, strlen(text));
}

/* A file with this header and so many bytes of data. */
static void write_safetensors(const char *name, const char *header, size_t data_size) {
    const size_t n = strlen(header);
    unsigned char *file = calloc(1, 8 + n + data_size);
    for (size_t i = 0; i < 8; i++) {
        file[i] = (unsigned char)((uint64_t)n >> (8 * i));
    }
    memcpy(file + 8, header, n);
    write_file(name, file, 8 + n + data_size);
    free(file);
}

static void weights_are_added_up_by_part(void **state) {
    (void)state;
    write_safetensors(
        "model.safetensors",
        "{\"__metadata__\":{\"format\":\"pt\",\"x\":\"{\\\"\"},"
        "\"model.embed_tokens.weight\":{\"dtype\":\"BF16\",\"shape\":[8,4],\"data_offsets\":[0,64]}"
        ","
        "\"model.layers.0.mlp.up_proj.weight\":{\"dtype\":\"F8_E4M3\",\"shape\":[16,4],"
        "\"data_offsets\":[64,128]},"
        "\"model.layers.0.mlp.up_proj.weight_scale_inv\":{\"shape\":[1,1],\"dtype\":\"F32\","
        "\"data_offsets\":[128,132]},"
        "\"model.norm.weight\" : {\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[132,140]}}  ",
        140);
    assay_checkpoint_t checkpoint;
    assert_int_equal(assay_safetensors_read(path_of("model.safetensors"), &checkpoint, &err),
                     ASSAY_OK);
    assay_test_close(checkpoint.part_bytes[ASSAY_PART_EMBEDDING], 64, 0, 0, "embedding");
    assay_test_close(checkpoint.part_bytes[ASSAY_PART_MLP], 68, 0, 0, "mlp");
    assay_test_close(checkpoint.part_params[ASSAY_PART_NORM], 4, 0, 0, "norm");
    assay_test_close(checkpoint.total_bytes, 140, 0, 0, "total");
    assert_true(checkpoint.measured);
    assert_string_equal(checkpoint.dtype, "bf16"); /* 72 bytes of 140 */
}

#define TENSOR(name, dtype, shape, begin, end)                                                   \
    "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" begin "," end \
    "]}"

static void damaged_headers_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *header;
        size_t data;
        const char *what;
    } damaged[] = {
        {"", 0, "not a header"},
        {"{", 0, "not a header"},
        {"[]", 0, "not a header"},
        {"{} x", 0, "not a header"},
        {"{\"a\":{}}", 0, "dtype that is not known"},
        {"{" TENSOR("a", "F32", "[1]", "0", "4") "", 4, "not a header"},
        {"{" TENSOR("a", "F32", "[1]", "0", "4") "}", 3, "outside the file"},
        {"{" TENSOR("a", "F32", "[1]", "0", "4") "}", 5, "its tensors take 4 bytes"},
        {"{" TENSOR("a", "F32", "[2]", "0", "4") "}", 4, "another size"},
        {"{" TENSOR("a", "F32", "[4294967296,4294967296,4]", "0", "0") "}", 0, "another size"},
        {"{" TENSOR("a", "F32", "[1]", "4", "0") "}", 4, "outside the file"},
        {"{" TENSOR("a", "F32", "[1]", "0", "18446744073709551616") "}", 4, "not a header"},
        {"{" TENSOR("a", "Q4", "[1]", "0", "4") "}", 4, "not known"},
        {"{" TENSOR("a", "F32", "[1]", "0", "4") "," TENSOR("b", "F32", "[1]", "2", "6") "}", 6,
         "overlap at byte 2"},
        {"{" TENSOR("a", "F32", "[1]", "0", "4") "," TENSOR("b", "F32", "[1]", "8", "12") "}", 12,
         "leave a hole at byte 4"},
        {"{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 0, "not a header"},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        assay_checkpoint_t checkpoint;
        write_safetensors("model.safetensors", damaged[i].header, damaged[i].data);
        if (assay_safetensors_read(path_of("model.safetensors"), &checkpoint, &err) !=
                ASSAY_INPUT ||
            !strstr(err.what, damaged[i].what)) {
            fail_msg("%s: %s, expected '%s'", damaged[i].header, err.what, damaged[i].what);
        }
    }
    assay_checkpoint_t checkpoint;
    write_text("model.safetensors", "version https://git-lfs.github.com/spec/v1\n");
    assert_int_equal(assay_safetensors_read(path_of("model.safetensors"), &checkpoint, &err),
                     ASSAY_INPUT);
    assert_non_null(strstr(err.next, "git-lfs"));
}

/* Llama of 2 layers of width 4: table 8 x 4, head the same; a layer 4 x 4 x 4, 3 x 4 x 16 and two
   norms; one norm. 32 + 32 + 2 (64 + 192 + 8) + 4 = 596. */
static const char small_llama[] =
    "{\"model_type\": \"llama\", \"hidden_size\": 4, \"intermediate_size\": 16,"
    " \"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"vocab_size\": 8,"
    " \"max_position_embeddings\": 64, \"torch_dtype\": \"bfloat16\"}";

static void a_directory_is_its_config_and_its_weights(void **state) {
    (void)state;
    assay_model_file_t file;
    write_text("config.json", small_llama);
    write_safetensors("model-00001-of-00002.safetensors",
                      "{" TENSOR("model.embed_tokens.weight", "BF16", "[8,4]", "0", "64") "}", 64);
    write_safetensors("model-00002-of-00002.safetensors",
                      "{" TENSOR("lm_head.weight", "BF16", "[8,4]", "0",
                                 "64") "," TENSOR("model.layers.0.self_attn.q_proj.weight", "BF16",
                                                  "[532]", "64", "1128") "}",
                      1128);
    write_safetensors("consolidated.safetensors", "{}", 0);
    write_text("model.safetensors.index.json",
               "{\"metadata\": {\"total_size\": 1192}, \"weight_map\": {"
               "\"a\": \"model-00001-of-00002.safetensors\","
               "\"b\": \"model-00002-of-00002.safetensors\","
               "\"c\": \"model-00002-of-00002.safetensors\"}}");
    if (assay_model_file_read(arena, folder, &file, &err) != ASSAY_OK) {
        fail_msg("%s: %s", err.file, err.what);
    }
    assay_model_count_t count;
    assay_model_count(&file.model, &count);
    assert_true(file.decoder);
    assay_test_close(count.total, 596, 0, 0, "shape");
    assay_test_close(file.checkpoint.total_bytes, 1192, 0, 0, "bytes");
    assert_true(file.checkpoint.measured);
    assert_int_equal(file.notes.n, 0);
    /* one tensor less: said, not hidden */
    write_safetensors("model-00002-of-00002.safetensors",
                      "{" TENSOR("lm_head.weight", "BF16", "[8,4]", "0", "64") "}", 64);
    assert_int_equal(assay_model_file_read(arena, path_of("config.json"), &file, &err), ASSAY_OK);
    assert_int_equal(file.notes.n, 1);
    assert_non_null(strstr(file.notes.text[0], "hold 64 parameters, the shape has 596"));
}

static void hostile_indexes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
    } refused[] = {
        {"{}", "expected a weight_map"},
        {"{\"weight_map\": {}}", "expected a weight_map"},
        {"{\"weight_map\": {\"a\": 3}}", "expected a weight_map"},
        {"{\"weight_map\": {\"a\": \"../x.safetensors\"}}", "expected a file beside"},
        {"{\"weight_map\": {\"a\": \"/etc/passwd\"}}", "expected a file beside"},
        {"{\"weight_map\": {\"a\": \"absent.safetensors\"}}", "cannot be opened"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assay_checkpoint_t checkpoint;
        write_text("model.safetensors.index.json", refused[i].text);
        assert_int_not_equal(
            assay_safetensors_read(path_of("model.safetensors.index.json"), &checkpoint, &err),
            ASSAY_OK);
        if (!strstr(err.what, refused[i].what)) {
            fail_msg("%s: %s", refused[i].text, err.what);
        }
    }
}

/* GGUF, as docs/gguf.md lays it out. */
typedef struct {
    unsigned char data[4096];
    size_t n;
} gguf_t;

static void put(gguf_t *gguf, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        gguf->data[gguf->n++] = (unsigned char)(value >> (8 * i));
    }
}

static void put_text(gguf_t *gguf, const char *text) {
    put(gguf, strlen(text), 8);
    memcpy(gguf->data + gguf->n, text, strlen(text));
    gguf->n += strlen(text);
}

static void put_number(gguf_t *gguf, const char *key, uint32_t value) {
    put_text(gguf, key);
    put(gguf, 4, 4);
    put(gguf, value, 4);
}

static void put_tensor(gguf_t *gguf, const char *name, uint64_t rows, uint64_t columns,
                       uint32_t type, uint64_t offset) {
    put_text(gguf, name);
    put(gguf, 2, 4);
    put(gguf, columns, 8);
    put(gguf, rows, 8);
    put(gguf, type, 4);
    put(gguf, offset, 8);
}

/* One layer of width 256, tied: table 32 x 256 in q8_0 (34 bytes for 32), up, gate and down 256 x
   512 in q4_k (144 bytes for 256), norms in f32; 4 x 256 x 256 of attention in f16. */
static void make_gguf(gguf_t *gguf, uint32_t version) {
    gguf->n = 0;
    put(gguf, 0x46554747, 4);
    put(gguf, version, 4);
    put(gguf, 11, 8);
    put(gguf, 8, 8);
    put_text(gguf, "general.architecture");
    put(gguf, 8, 4);
    put_text(gguf, "llama");
    put_number(gguf, "llama.block_count", 1);
    put_number(gguf, "llama.embedding_length", 256);
    put_number(gguf, "llama.feed_forward_length", 512);
    put_number(gguf, "llama.attention.head_count", 4);
    put_number(gguf, "llama.attention.head_count_kv", 4);
    put_number(gguf, "llama.context_length", 2048);
    put_text(gguf, "tokenizer.ggml.tokens");
    put(gguf, 9, 4);
    put(gguf, 8, 4);
    put(gguf, 2, 8);
    put_text(gguf, "a");
    put_text(gguf, "b");
    uint64_t at = 0;
    put_tensor(gguf, "token_embd.weight", 32, 256, 8, at);
    at += 32 * 256 / 32 * 34;
    static const char *const attention[] = {"blk.0.attn_q.weight", "blk.0.attn_k.weight",
                                            "blk.0.attn_v.weight", "blk.0.attn_output.weight"};
    for (int i = 0; i < 4; i++, at += 256 * 256 * 2) {
        put_tensor(gguf, attention[i], 256, 256, 1, at);
    }
    static const char *const mlp[] = {"blk.0.ffn_gate.weight", "blk.0.ffn_up.weight",
                                      "blk.0.ffn_down.weight"};
    for (int i = 0; i < 3; i++, at += 256 * 512 / 256 * 144) {
        put_tensor(gguf, mlp[i], 512, 256, 12, at);
    }
    static const char *const norms[] = {"blk.0.attn_norm.weight", "blk.0.ffn_norm.weight",
                                        "output_norm.weight"};
    for (int i = 0; i < 3; i++, at += 256 * 4) {
        put_tensor(gguf, norms[i], 1, 256, 0, at);
    }
}

#define GGUF_DATA (32 * 256 / 32 * 34 + 4 * 256 * 256 * 2 + 3 * 256 * 512 / 256 * 144 + 3 * 1024)

static void gguf_says_shape_and_bytes(void **state) {
    (void)state;
    gguf_t gguf;
    assay_model_file_t file;
    for (uint32_t version = 2; version <= 3; version++) {
        make_gguf(&gguf, version);
        if (assay_gguf_read(arena, "x.gguf", (const char *)gguf.data, gguf.n,
                            gguf.n + 31 + GGUF_DATA, &file, &err) != ASSAY_OK) {
            fail_msg("%s", err.what);
        }
        assay_model_count_t count;
        assay_model_count(&file.model, &count);
        assay_test_close(count.total, 32 * 256 + 4 * 256 * 256 + 3 * 256 * 512 + 3 * 256, 0, 0,
                         "parameters");
        assay_test_close(file.checkpoint.total_bytes, GGUF_DATA, 0, 0, "bytes");
        assay_test_close(file.checkpoint.part_bytes[ASSAY_PART_MLP], 3 * 256 * 512 / 256 * 144, 0,
                         0, "mlp");
        assert_string_equal(file.checkpoint.dtype, "f16");
        assert_string_equal(file.model.family, "llama");
        assert_true(file.model.tied_embeddings && file.model.gated);
        assert_int_equal(file.model.vocab, 32);
        assert_int_equal(file.model.norms_per_layer, 2);
    }
    unsigned char *whole = calloc(1, gguf.n + 31 + GGUF_DATA);
    memcpy(whole, gguf.data, gguf.n);
    write_file("model.gguf", whole, gguf.n + 31 + GGUF_DATA);
    free(whole);
    assert_int_equal(assay_model_file_read(arena, path_of("model.gguf"), &file, &err), ASSAY_OK);
    assert_string_equal(file.format, "GGUF");
}

/* The first of two files has the shape and no tensor; the second one all tensors. */
static void gguf_of_several_files_is_one_model(void **state) {
    (void)state;
    gguf_t first = {.n = 0}, second;
    assay_model_file_t file;
    make_gguf(&second, 3);
    put(&first, 0x46554747, 4);
    put(&first, 3, 4);
    put(&first, 0, 8);
    put(&first, 1, 8);
    put_number(&first, "split.count", 2);
    unsigned char *whole = calloc(1, second.n + 31 + GGUF_DATA);
    memcpy(whole, second.data, second.n);
    write_file("model-00001-of-00002.gguf", first.data, first.n + 31);
    assert_int_equal(
        assay_model_file_read(arena, path_of("model-00001-of-00002.gguf"), &file, &err), ASSAY_IO);
    write_file("model-00002-of-00002.gguf", whole, second.n + 31 + GGUF_DATA);
    free(whole);
    assert_int_equal(
        assay_model_file_read(arena, path_of("model-00001-of-00002.gguf"), &file, &err), ASSAY_OK);
    assay_test_close(file.checkpoint.total_bytes, GGUF_DATA, 0, 0, "bytes");
    write_file("model.gguf", first.data, first.n + 31);
    assert_int_equal(assay_model_file_read(arena, path_of("model.gguf"), &file, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "one of 2 files"));
}

static void damaged_gguf_is_refused_wherever_it_ends(void **state) {
    (void)state;
    gguf_t gguf;
    assay_model_file_t file;
    make_gguf(&gguf, 3);
    for (size_t n = 0; n < gguf.n; n++) {
        assert_int_equal(
            assay_gguf_read(arena, "x.gguf", (const char *)gguf.data, n, n, &file, &err),
            ASSAY_INPUT);
    }
    assert_int_equal(
        assay_gguf_read(arena, "x.gguf", (const char *)gguf.data, gguf.n, gguf.n, &file, &err),
        ASSAY_INPUT);
    assert_non_null(strstr(err.what, "end behind the file"));
    assert_int_equal(assay_gguf_read(arena, "x.gguf", (const char *)gguf.data, 100,
                                     gguf.n + 31 + GGUF_DATA, &file, &err),
                     ASSAY_LIMIT);
    make_gguf(&gguf, 1);
    assert_int_equal(assay_gguf_read(arena, "x.gguf", (const char *)gguf.data, gguf.n,
                                     gguf.n + 31 + GGUF_DATA, &file, &err),
                     ASSAY_INPUT);
    assert_non_null(strstr(err.what, "version"));
}

static void a_pipeline_is_its_components(void **state) {
    (void)state;
    assay_model_file_t file;
    write_text("model_index.json",
               "{\"_class_name\": \"StableDiffusionXLPipeline\","
               " \"scheduler\": [\"diffusers\", \"EulerDiscreteScheduler\"],"
               " \"unet\": [\"diffusers\", \"AutoencoderKL\"], \"x/y\": [\"a\", \"b\"]}");
    assert_int_equal(assay_model_file_read(arena, folder, &file, &err), ASSAY_INPUT);
    assert_non_null(strstr(err.what, "names no component"));
    assert_int_equal(mkdir(path_of("unet"), 0700), 0);
    write_text("unet/config.json",
               "{\"_class_name\": \"AutoencoderKL\", \"block_out_channels\": [128, 256, 512, 512],"
               " \"layers_per_block\": 2}");
    assert_int_equal(assay_model_file_read(arena, folder, &file, &err), ASSAY_OK);
    assert_int_equal(file.n_component, 1);
    assert_string_equal(file.component[0].name, "unet");
    assert_true(file.component[0].laid_out);
    assert_false(file.decoder);
}

static void what_is_no_model_is_refused(void **state) {
    (void)state;
    assay_model_file_t file;
    assert_int_equal(assay_model_file_read(arena, "/nonexistent/config.json", &file, &err),
                     ASSAY_IO);
    assert_int_equal(assay_model_file_read(arena, ASSAY_SOURCE_DIR "/tests/unit", &file, &err),
                     ASSAY_INPUT);
    assert_non_null(strstr(err.what, "a directory without"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(weights_are_added_up_by_part),
        TEST(damaged_headers_are_refused),
        TEST(a_directory_is_its_config_and_its_weights),
        TEST(hostile_indexes_are_refused),
        TEST(gguf_says_shape_and_bytes),
        TEST(gguf_of_several_files_is_one_model),
        TEST(damaged_gguf_is_refused_wherever_it_ends),
        TEST(a_pipeline_is_its_components),
        TEST(what_is_no_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
