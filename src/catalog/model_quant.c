/* Bytes of a checkpoint as its config.json tells them: dtype, quantization_config and the modules
   that stay as they were. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"
#include "catalog/model_config.h"

#include "base/banned.h"

enum { METHOD, DTYPE, BITS, GROUP, SCALE_BITS, ZERO_POINT, KEPT, N_COLUMN };

typedef struct {
    const char *dtype;
    double bits, group, scale_bits; /* group 0: scales are not counted */
    bool zero_point;
    uint32_t kept; /* parts, as bits */
} scheme_t;

/* Words of the names of tensors, in the order in which they decide; ^ stands for the beginning. */
assay_part_t assay_part_of_tensor(const char *name) {
    static const struct {
        const char *word;
        assay_part_t part;
    } words[] = {
        {"vision", ASSAY_PART_VISION},
        {"visual", ASSAY_PART_VISION},
        {"multi_modal_projector", ASSAY_PART_VISION},
        {"mm_projector", ASSAY_PART_VISION},
        {"lm_head", ASSAY_PART_HEAD},
        {"embed_out", ASSAY_PART_HEAD},
        {"output_layer", ASSAY_PART_HEAD},
        {"^output.", ASSAY_PART_HEAD},
        {"shared_exp", ASSAY_PART_SHARED_EXPERT},
        {"_shexp", ASSAY_PART_SHARED_EXPERT},
        {"e_score_correction_bias", ASSAY_PART_ROUTER},
        {"exp_probs_b", ASSAY_PART_ROUTER},
        {"experts", ASSAY_PART_EXPERT},
        {"_exps", ASSAY_PART_EXPERT},
        {"ffn_gate_inp", ASSAY_PART_ROUTER},
        {"router", ASSAY_PART_ROUTER},
        {"mlp.gate.", ASSAY_PART_ROUTER},
        {"block_sparse_moe.gate.", ASSAY_PART_ROUTER},
        {"moe.gate.", ASSAY_PART_ROUTER},
        {"q_norm", ASSAY_PART_ATTENTION}, /* those of heads and latents are attention's */
        {"k_norm", ASSAY_PART_ATTENTION},
        {"q_a_layernorm", ASSAY_PART_ATTENTION},
        {"kv_a_layernorm", ASSAY_PART_ATTENTION},
        {"attn_q_a_norm", ASSAY_PART_ATTENTION},
        {"attn_kv_a_norm", ASSAY_PART_ATTENTION},
        {"linear_attn", ASSAY_PART_ATTENTION},
        {"word_embeddings_layernorm", ASSAY_PART_EMBEDDING},
        {"norm", ASSAY_PART_NORM},
        {"ln_", ASSAY_PART_NORM},
        {".ln", ASSAY_PART_NORM},
        {"embed", ASSAY_PART_EMBEDDING},
        {"token_embd", ASSAY_PART_EMBEDDING},
        {"position_embd", ASSAY_PART_EMBEDDING},
        {"wte", ASSAY_PART_EMBEDDING},
        {"wpe", ASSAY_PART_EMBEDDING},
        {"attn", ASSAY_PART_ATTENTION},
        {"attention", ASSAY_PART_ATTENTION},
        {"q_proj", ASSAY_PART_ATTENTION},
        {"k_proj", ASSAY_PART_ATTENTION},
        {"v_proj", ASSAY_PART_ATTENTION},
        {"o_proj", ASSAY_PART_ATTENTION},
        {"mlp", ASSAY_PART_MLP},
        {"ffn", ASSAY_PART_MLP},
        {"feed_forward", ASSAY_PART_MLP},
        {"fc1", ASSAY_PART_MLP},
        {"fc2", ASSAY_PART_MLP},
        {"dense_h_to_4h", ASSAY_PART_MLP},
        {"dense_4h_to_h", ASSAY_PART_MLP},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *word = words[i].word;
        if (*word == '^' ? strncmp(name, word + 1, strlen(word) - 1) == 0 : !!strstr(name, word)) {
            return words[i].part;
        }
    }
    return ASSAY_PART_OTHER;
}

static uint32_t kept_parts(const char *text) {
    uint32_t kept = 0;
    for (size_t n; *text; text += n + (text[n] == '|')) {
        n = strcspn(text, "|");
        for (int part = 0; part < ASSAY_PART_N; part++) {
            const char *name = assay_part_name((assay_part_t)part);
            kept |= strlen(name) == n && memcmp(name, text, n) == 0 ? 1u << part : 0;
        }
    }
    return kept;
}

static double number_of(const assay_csv_t *csv, uint32_t row, int column) {
    const char *cell = assay_csv_cell(csv, row, column);
    double value = 0;
    return assay_text_to_double(cell, strlen(cell), &value) ? value : 0;
}

static bool find_scheme(const assay_csv_t *csv, const char *method, scheme_t *out) {
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        if (strcmp(assay_csv_cell(csv, row, METHOD), method) == 0) {
            *out =
                (scheme_t){.dtype = assay_csv_cell(csv, row, DTYPE),
                           .bits = number_of(csv, row, BITS),
                           .group = number_of(csv, row, GROUP),
                           .scale_bits = number_of(csv, row, SCALE_BITS),
                           .zero_point = strcmp(assay_csv_cell(csv, row, ZERO_POINT), "yes") == 0,
                           .kept = kept_parts(assay_csv_cell(csv, row, KEPT))};
            return true;
        }
    }
    return false;
}

static const char *text_of(const json_t *quant, const char *name) {
    const char *text = json_string_value(json_object_get(quant, name));
    return text ? text : "";
}

/* Which way of a method: a word of the file, in lower case, behind '/'. */
static void scheme_name(const json_t *quant, char out[64]) {
    const char *method = text_of(quant, "quant_method"), *algorithm = text_of(quant, "quant_algo");
    const char *variant = *algorithm ? algorithm : text_of(quant, "format");
    if (json_is_true(json_object_get(quant, "load_in_4bit"))) {
        variant = json_is_true(json_object_get(quant, "bnb_4bit_use_double_quant")) ? "4bit-double"
                                                                                    : "4bit";
    } else if (json_is_true(json_object_get(quant, "load_in_8bit"))) {
        variant = "8bit";
    }
    snprintf(out, 64, "%.30s%s%.30s", *method || !*algorithm ? method : "modelopt",
             *variant ? "/" : "", variant);
    for (char *c = out; *c; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
}

/* The object that says bits and group: the file's, or that of the first group's weights. */
static const json_t *weights_of(const json_t *quant) {
    const json_t *groups = json_object_get(quant, "config_groups");
    void *first = json_object_iter((json_t *)groups);
    const json_t *weights =
        first ? json_object_get(json_object_iter_value(first), "weights") : NULL;
    return json_is_object(weights) ? weights : quant;
}

static double whole(const json_t *object, const char *const names[], double min, double max,
                    double fallback) {
    for (; *names; names++) {
        const json_t *value = json_object_get(object, *names);
        const double number = (double)json_integer_value(value);
        if (json_is_integer(value) && number >= min && number <= max) {
            return number;
        }
    }
    return fallback;
}

static void settle_scheme(const json_t *quant, scheme_t *io) {
    static const char *const bits[] = {"bits", "w_bit", "num_bits", NULL};
    static const char *const group[] = {"group_size", "q_group_size", NULL};
    const json_t *weights = weights_of(quant), *block = json_object_get(quant, "weight_block_size");
    io->bits = whole(weights, bits, 1, 16, io->bits > 0 ? io->bits : 4);
    io->group = whole(weights, group, -1, 1 << 20, io->group);
    if (json_array_size(block) == 2) {
        io->group = (double)json_integer_value(json_array_get(block, 0)) *
                    (double)json_integer_value(json_array_get(block, 1));
    }
    if (io->group < 1) {
        io->group = 0;
    }
}

/* Layers in which a part stays as it was: one bit a part. */
typedef struct {
    uint16_t part[4096];
    uint32_t layers;
} kept_t;

/* A module's name, a pattern or a regular expression: what of it can be told is its part and, where
   it says one, its layer. */
static void keep_module(kept_t *kept, const char *name) {
    const char *at = strstr(name, "layers.");
    const bool one = at && isdigit((unsigned char)at[7]);
    char word[256];
    snprintf(word, sizeof word, "%.250s.", name);
    uint32_t parts = 1u << assay_part_of_tensor(word);
    uint32_t layer = 0, digits = 0;
    for (const char *c = one ? at + 7 : ""; isdigit((unsigned char)*c) && digits < 5; c++) {
        layer = 10 * layer + (uint32_t)(*c - '0');
        digits++;
    }
    if (parts == 1u << ASSAY_PART_OTHER && strstr(word, "gate.") && !strstr(word, "shared")) {
        parts = 1u << ASSAY_PART_ROUTER; /* "gate" alone */
    } else if (parts == 1u << ASSAY_PART_OTHER && one) {
        parts = (1u << ASSAY_PART_N) - 1; /* a whole layer */
    }
    for (uint32_t i = 0; i < kept->layers; i++) {
        kept->part[i] = (uint16_t)(kept->part[i] | (!one || i == layer ? parts : 0));
    }
}

static void keep_modules(kept_t *kept, const json_t *quant) {
    static const char *const lists[] = {"modules_to_not_convert", "ignore", "ignored_layers",
                                        "exclude_modules", "llm_int8_skip_modules"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const json_t *list = json_object_get(quant, lists[i]);
        const size_t n = json_array_size(list) < 65536 ? json_array_size(list) : 65536;
        for (size_t j = 0; j < n; j++) {
            const char *name = json_string_value(json_array_get(list, j));
            if (name) {
                keep_module(kept, name);
            }
        }
    }
}

/* Share of a part's layers in which it stays. */
static double kept_share(const kept_t *kept, int part) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < kept->layers; i++) {
        n += kept->part[i] >> part & 1u;
    }
    return (double)n / kept->layers;
}

static double wide_bytes(const json_t *root, assay_checkpoint_t *out) {
    static const struct {
        const char *name, *dtype;
        double bytes;
    } known[] = {{"bfloat16", "bf16", 2}, {"float16", "fp16", 2}, {"float32", "fp32", 4}};
    const json_t *text = json_object_get(root, "text_config");
    const char *name = text_of(root, *text_of(root, "torch_dtype") ? "torch_dtype" : "dtype");
    if (!*name) {
        name = text_of(text, *text_of(text, "torch_dtype") ? "torch_dtype" : "dtype");
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            out->dtype = known[i].dtype;
            out->source = "dtype of config.json";
            return known[i].bytes;
        }
    }
    out->dtype = "bf16";
    out->source = "16 bit, config.json says no dtype";
    return 2;
}

static void fill(const assay_model_t *model, double wide, const scheme_t *scheme,
                 const kept_t *kept, assay_checkpoint_t *out) {
    const double per_group = scheme->scale_bits + (scheme->zero_point ? scheme->bits : 0);
    const double narrow = (scheme->bits + (scheme->group > 0 ? per_group / scheme->group : 0)) / 8;
    assay_model_part_params(model, out->part_params);
    double in_narrow = 0, in_wide = 0;
    for (int part = 0; part < ASSAY_PART_N; part++) {
        const double share = kept ? kept_share(kept, part) : 1;
        const double wide_bytes_of = share * out->part_params[part] * wide;
        const double narrow_bytes_of = (1 - share) * out->part_params[part] * narrow;
        out->part_bytes[part] = wide_bytes_of + narrow_bytes_of;
        out->total_bytes += out->part_bytes[part];
        in_wide += wide_bytes_of;
        in_narrow += narrow_bytes_of;
    }
    if (in_narrow > in_wide) {
        out->dtype = scheme->dtype;
    }
}

assay_status_t model_config_checkpoint(const keys_t *keys, const json_t *root,
                                       const assay_model_t *model, assay_checkpoint_t *out) {
    assay_status_t status = ASSAY_OK;
    *out = (assay_checkpoint_t){0};
    const double wide = wide_bytes(root, out);
    const json_t *quant = json_object_get(root, "quantization_config");
    if (!json_is_object(quant)) {
        quant = json_object_get(json_object_get(root, "text_config"), "quantization_config");
    }
    scheme_t scheme = {0};
    assay_csv_t csv;
    char name[64] = "";
    if (status == ASSAY_OK && json_is_object(quant)) {
        status = assay_data_table(keys->scratch, "quant_schemes.csv", NULL, 0, &csv, keys->err);
        scheme_name(quant, name);
    }
    if (status != ASSAY_OK) {
        return status;
    }
    char method[64];
    snprintf(method, sizeof method, "%.*s", (int)strcspn(name, "/"), name);
    if (!*name || !(find_scheme(&csv, name, &scheme) || find_scheme(&csv, method, &scheme))) {
        fill(model, wide, &scheme, NULL, out);
        return *name ? keys_note(keys, "quantization_config '%s' is not known: bytes are of %s",
                                 name, out->dtype)
                     : ASSAY_OK;
    }
    kept_t *kept = assay_arena_alloc(keys->scratch, sizeof *kept);
    if (!kept) {
        return assay_error_memory(keys->err, &keys->at);
    }
    memset(kept, 0, sizeof *kept);
    kept->layers = model->layers;
    for (uint32_t i = 0; i < kept->layers; i++) {
        kept->part[i] = (uint16_t)scheme.kept;
    }
    settle_scheme(quant, &scheme);
    keep_modules(kept, quant);
    out->source = "quantization_config of config.json";
    scheme.dtype = assay_arena_strdup(keys->arena, scheme.dtype);
    if (!scheme.dtype) {
        return assay_error_memory(keys->err, &keys->at);
    }
    fill(model, wide, &scheme, kept, out);
    return ASSAY_OK;
}
