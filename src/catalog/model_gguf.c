/* GGUF, versions 2 and 3 (ggml-org/ggml, docs/gguf.md): metadata, then one info a tensor, then
   data. The shape comes from the metadata; what a model has besides, from which tensors there are.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/text.h"
#include "catalog/model_weights.h"

#include "base/banned.h"

#define KEYS_MAX 65536
#define TENSORS_MAX (1u << 20)
#define DEPTH_MAX 4
#define DIMS_MAX 4
#define TYPES_MAX WEIGHTS_DTYPE_MAX

typedef struct {
    uint32_t id, elements, bytes;
    const char *dtype;
} gguf_type_t;

typedef struct {
    const char *data;
    size_t size, at;
    bool more; /* the data ended */
    bool bad;
} cursor_t;

static uint64_t little(cursor_t *cursor, size_t n) {
    uint64_t value = 0;
    if (cursor->bad || cursor->more || n > cursor->size - cursor->at) {
        cursor->more = !cursor->bad;
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)(unsigned char)cursor->data[cursor->at + i] << (8 * i);
    }
    cursor->at += n;
    return value;
}

static void skip(cursor_t *cursor, uint64_t n) {
    if (cursor->bad || cursor->more || n > cursor->size - cursor->at) {
        cursor->more = !cursor->bad;
    } else {
        cursor->at += (size_t)n;
    }
}

typedef struct {
    const char *text;
    size_t n;
} gguf_text_t;

static gguf_text_t text(cursor_t *cursor) {
    const uint64_t n = little(cursor, 8);
    cursor->bad = cursor->bad || n > 1 << 24; /* longer texts are damage, not data to wait for */
    const gguf_text_t out = {cursor->data + cursor->at, (size_t)n};
    skip(cursor, n);
    return cursor->bad || cursor->more ? (gguf_text_t){"", 0} : out;
}

typedef enum {
    GGUF_UINT8,
    GGUF_INT8,
    GGUF_UINT16,
    GGUF_INT16,
    GGUF_UINT32,
    GGUF_INT32,
    GGUF_FLOAT32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_UINT64,
    GGUF_INT64,
    GGUF_FLOAT64,
    GGUF_VALUE_N
} gguf_value_kind_t;
static const uint8_t value_bytes[GGUF_VALUE_N] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

typedef struct {
    bool is_number, is_text;
    uint64_t number;    /* of an array: its largest element */
    uint64_t n_element; /* of an array */
    uint64_t n_nonzero; /* of an array of numbers */
    gguf_text_t text;
} value_t;

static value_t value_of(cursor_t *cursor, uint64_t kind, uint32_t depth) {
    value_t out = {0};
    if (kind >= GGUF_VALUE_N || depth > DEPTH_MAX) {
        cursor->bad = true;
    } else if (kind == GGUF_STRING) {
        out.text = text(cursor);
        out.is_text = true;
    } else if (kind == GGUF_ARRAY) {
        const uint64_t of = little(cursor, 4), n = little(cursor, 8);
        out.n_element = n;
        if (of < GGUF_VALUE_N && value_bytes[of] > 0 && n > 4096) {
            cursor->bad = cursor->bad || n > UINT64_MAX / 8;
            skip(cursor, cursor->bad ? 0 : n * value_bytes[of]); /* scores of a vocabulary */
            return out;
        }
        for (uint64_t i = 0; i < n && !cursor->bad && !cursor->more; i++) {
            const value_t one = value_of(cursor, of, depth + 1);
            out.is_number = one.is_number;
            out.number = one.number > out.number ? one.number : out.number;
            out.n_nonzero += one.is_number && one.number > 0;
        }
    } else {
        out.number = little(cursor, value_bytes[kind]);
        out.is_number = kind != GGUF_FLOAT32 && kind != GGUF_FLOAT64;
    }
    return out;
}

/* Metadata under "ARCHITECTURE." and where it goes. */
typedef struct {
    const char *key;
    size_t offset;
    uint32_t max;
} gguf_key_t;
#define KEY(key, field, max) \
    { key, offsetof(assay_model_t, field), max }
static const gguf_key_t gguf_keys[] = {
    KEY("block_count", layers, 4096),
    KEY("embedding_length", hidden, 1 << 20),
    KEY("feed_forward_length", ffn, 1 << 24),
    KEY("attention.head_count", heads, 4096),
    KEY("attention.head_count_kv", kv_heads, 4096),
    KEY("attention.key_length", head_dim, 4096),
    KEY("context_length", max_position, 1 << 30),
    KEY("vocab_size", vocab, 1 << 24),
    KEY("attention.sliding_window", sliding_window, 1 << 30),
    KEY("expert_count", experts, 65536),
    KEY("expert_used_count", top_k, 65536),
    KEY("expert_feed_forward_length", expert_ffn, 1 << 24),
    KEY("expert_shared_count", shared_experts, 1024),
    KEY("expert_shared_feed_forward_length", shared_ffn, 1 << 24),
    KEY("leading_dense_block_count", first_dense_layers, 4096),
    KEY("interleave_moe_layer_step", moe_layer_step, 4096),
    KEY("attention.q_lora_rank", q_lora, 1 << 20),
    KEY("attention.kv_lora_rank", kv_lora, 1 << 20),
    KEY("rope.dimension_count", qk_rope, 4096),
    KEY("attention.key_length_mla", qk_nope, 4096), /* with the rotary part; taken off below */
    KEY("attention.value_length_mla", v_head_dim, 4096),
};

struct gguf {
    assay_arena_t *arena;
    assay_error_t *err;
    assay_place_t at; /* of the file that is read now */
    cursor_t cursor;
    char architecture[64], name[128];
    uint64_t tokens, alignment, files;
    gguf_type_t type[TYPES_MAX];
    uint32_t n_types;
    weights_t weights;
    assay_model_t model;
};

static assay_status_t refuse(const struct gguf *gguf, const char *what) {
    assay_error_set(gguf->err, ASSAY_INPUT, &gguf->at, "%s", what);
    assay_error_next(gguf->err, "the file is damaged or not GGUF: fetch it again");
    return ASSAY_INPUT;
}

static bool equal(gguf_text_t a, const char *b) {
    return strlen(b) == a.n && memcmp(a.text, b, a.n) == 0;
}

static void copy(gguf_text_t from, char *out, size_t size) {
    const size_t n = from.n < size - 1 ? from.n : size - 1;
    memcpy(out, from.text, n);
    out[n] = '\0';
}

static void take_value(struct gguf *gguf, gguf_text_t key, const value_t *value) {
    const size_t n = strlen(gguf->architecture);
    if (equal(key, "general.architecture") && value->is_text) {
        copy(value->text, gguf->architecture, sizeof gguf->architecture);
    } else if (equal(key, "general.name") && value->is_text) {
        copy(value->text, gguf->name, sizeof gguf->name);
    } else if (equal(key, "general.alignment") && value->is_number) {
        gguf->alignment = value->number;
    } else if (equal(key, "split.count") && value->is_number) {
        gguf->files = value->number;
    } else if (equal(key, "tokenizer.ggml.tokens")) {
        gguf->tokens = value->n_element;
    } else if (n > 0 && value->is_number && key.n > n && key.text[n] == '.' &&
               memcmp(key.text, gguf->architecture, n) == 0) {
        const gguf_text_t rest = {key.text + n + 1, key.n - n - 1};
        for (size_t i = 0; i < sizeof gguf_keys / sizeof gguf_keys[0]; i++) {
            if (equal(rest, gguf_keys[i].key) && value->number <= gguf_keys[i].max) {
                *(uint32_t *)(void *)((char *)&gguf->model + gguf_keys[i].offset) =
                    (uint32_t)value->number;
            }
        }
    }
}

/* What there is in a layer of this model, by the last words of tensors' names. */
static void take_tensor(struct gguf *gguf, const char *name, const uint64_t dim[DIMS_MAX]) {
    assay_model_t *model = &gguf->model;
    static const struct {
        const char *word;
        size_t offset;
    } flags[] = {
        {"ffn_gate.weight", offsetof(assay_model_t, gated)},
        {"ffn_gate_exps.weight", offsetof(assay_model_t, gated)},
        {"ffn_gate_up_exps.weight", offsetof(assay_model_t, gated)},
        {"attn_q.bias", offsetof(assay_model_t, attn_bias)},
        {"attn_qkv.bias", offsetof(assay_model_t, attn_bias)},
        {"attn_output.bias", offsetof(assay_model_t, out_bias)},
        {"ffn_down.bias", offsetof(assay_model_t, mlp_bias)},
        {"ffn_down_exps.bias", offsetof(assay_model_t, mlp_bias)},
        {"attn_q_norm.weight", offsetof(assay_model_t, qk_norm)},
        {"attn_norm.bias", offsetof(assay_model_t, layer_norm)},
        {"position_embd.weight", offsetof(assay_model_t, learned_positions)},
        {"attn_sinks.weight", offsetof(assay_model_t, sinks)},
        {"token_embd_norm.weight", offsetof(assay_model_t, embedding_norm)},
        {"ffn_gate_inp_shexp.weight", offsetof(assay_model_t, shared_gate)},
        {"exp_probs_b.bias", offsetof(assay_model_t, router_bias)},
    };
    const size_t n = strlen(name);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const size_t k = strlen(flags[i].word);
        if (n >= k && strcmp(name + n - k, flags[i].word) == 0) {
            *(bool *)((char *)model + flags[i].offset) = true;
        }
    }
    if (strcmp(name, "output.weight") == 0) {
        model->tied_embeddings = false;
    } else if (strcmp(name, "output.bias") == 0) {
        model->head_bias = true;
    } else if (strcmp(name, "token_embd.weight") == 0 && dim[1] > 0 && dim[1] <= 1 << 24) {
        model->vocab = (uint32_t)dim[1]; /* padded, where the metadata is not */
    } else if (strncmp(name, "blk.0.", 6) == 0) {
        model->norms_per_layer += strcmp(name + 6, "attn_norm.weight") == 0 ||
                                  strcmp(name + 6, "ffn_norm.weight") == 0 ||
                                  strcmp(name + 6, "post_attention_norm.weight") == 0 ||
                                  strcmp(name + 6, "post_ffw_norm.weight") == 0;
        model->wide_qk_norm =
            model->wide_qk_norm || (strcmp(name + 6, "attn_q_norm.weight") == 0 &&
                                    model->head_dim > 0 && dim[0] > model->head_dim);
    }
}

static assay_status_t read_types(assay_arena_t *arena, gguf_type_t out[TYPES_MAX], uint32_t *out_n,
                                 assay_error_t *err) {
    assay_csv_t csv;
    const assay_status_t status = assay_data_table(arena, "gguf_types.csv", NULL, 0, &csv, err);
    *out_n = 0;
    for (uint32_t row = 0; status == ASSAY_OK && row < csv.n_rows; row++) {
        uint64_t number[3] = {0};
        static const int column[] = {0, 2, 3}; /* type, elements, bytes */
        for (int i = 0; i < 3; i++) {
            const char *cell = assay_csv_cell(&csv, row, column[i]);
            (void)assay_text_to_u64(cell, strlen(cell), &number[i]);
        }
        assert(*out_n < TYPES_MAX && number[1] > 0);
        out[(*out_n)++] = (gguf_type_t){(uint32_t)number[0], (uint32_t)number[1],
                                        (uint32_t)number[2], assay_csv_cell(&csv, row, 1)};
    }
    return status;
}

static assay_status_t read_metadata(struct gguf *gguf, uint64_t n) {
    cursor_t *cursor = &gguf->cursor;
    for (uint64_t i = 0; i < n && !cursor->bad && !cursor->more; i++) {
        const gguf_text_t key = text(cursor);
        const value_t value = value_of(cursor, little(cursor, 4), 0);
        if (!cursor->bad && !cursor->more) {
            take_value(gguf, key, &value);
        }
    }
    return cursor->bad ? refuse(gguf, "its metadata is damaged") : ASSAY_OK;
}

/* Infos of tensors. data_size is not known before the last one is read: the largest end is kept. */
static assay_status_t read_tensors(struct gguf *gguf, uint64_t n, uint64_t *out_end) {
    cursor_t *cursor = &gguf->cursor;
    const gguf_type_t *types = gguf->type;
    weights_t *weights = &gguf->weights;
    for (uint64_t i = 0; i < n; i++) {
        char name[256];
        uint64_t dim[DIMS_MAX] = {0}, elements = 1;
        copy(text(cursor), name, sizeof name);
        const uint64_t n_dims = little(cursor, 4);
        bool huge = n_dims > DIMS_MAX;
        for (uint64_t d = 0; d < n_dims && !huge; d++) {
            dim[d] = little(cursor, 8);
            huge = __builtin_mul_overflow(elements, dim[d], &elements);
        }
        const uint64_t type = little(cursor, 4), offset = little(cursor, 8);
        if (cursor->bad || cursor->more) {
            return cursor->bad ? refuse(gguf, "the list of its tensors is damaged") : ASSAY_OK;
        }
        uint32_t t = 0;
        while (t < gguf->n_types && types[t].id != type) {
            t++;
        }
        if (t == gguf->n_types) {
            return assay_error_set(gguf->err, ASSAY_INPUT, &gguf->at,
                                   "tensor '%.80s' is of type %llu, which is not known", name,
                                   (unsigned long long)type);
        }
        uint64_t bytes, end;
        if (huge || elements % types[t].elements != 0 || offset % gguf->alignment != 0 ||
            __builtin_mul_overflow(elements / types[t].elements, (uint64_t)types[t].bytes,
                                   &bytes) ||
            __builtin_add_overflow(offset, bytes, &end)) {
            return refuse(gguf, "a tensor has an impossible size or place");
        }
        const assay_part_t part = assay_part_of_tensor(name);
        const bool table = strncmp(name, "rope_", 5) == 0; /* computed, not learned */
        weights->part_bytes[part] += (double)bytes;
        weights->part_params[part] += table ? 0 : (double)elements;
        weights->dtype_bytes[t] += (double)bytes;
        weights->n_tensor++;
        *out_end = end > *out_end ? end : *out_end;
        take_tensor(gguf, name, dim);
    }
    return ASSAY_OK;
}

/* Fields that follow from others. */
static void settle(assay_model_t *model, uint64_t tokens) {
    model->kv_heads = model->kv_heads ? model->kv_heads : model->heads;
    if (model->head_dim == 0 && model->heads > 0) {
        model->head_dim = model->hidden / model->heads;
    }
    if (model->vocab == 0 && tokens <= 1 << 24) {
        model->vocab = (uint32_t)tokens;
    }
    if (model->kv_lora > 0) {
        const uint32_t key = model->qk_nope ? model->qk_nope : model->head_dim;
        model->v_head_dim = model->v_head_dim ? model->v_head_dim : key - model->qk_rope;
        model->qk_nope = key > model->qk_rope ? key - model->qk_rope : 0;
        model->kv_heads = model->heads; /* files in absorbed form say 1 */
        model->head_dim = key;
    } else {
        model->qk_rope = model->qk_nope = model->v_head_dim = model->q_lora = 0;
    }
    if (model->experts == 0) {
        model->top_k = model->expert_ffn = model->shared_experts = model->shared_ffn = 0;
        model->first_dense_layers = model->moe_layer_step = 0;
    } else {
        model->expert_ffn = model->expert_ffn ? model->expert_ffn : model->ffn;
        model->ffn = model->ffn ? model->ffn : model->expert_ffn;
    }
}

/* Architectures whose windows alternate with full attention, which the metadata does not say
   (llama.cpp, src/llama-model.cpp, set_swa_pattern): each so many-th layer is full. */
static uint32_t full_every(const char *architecture) {
    static const struct {
        const char *name;
        uint32_t every;
    } known[] = {{"gemma2", 2}, {"gemma3", 6}, {"gpt-oss", 2}, {"cohere2", 4}, {"llama4", 4}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, architecture) == 0) {
            return known[i].every;
        }
    }
    return 0;
}

assay_status_t gguf_finish(struct gguf *gguf, assay_model_file_t *out) {
    assay_model_t *model = &gguf->model;
    const weights_t *weights = &gguf->weights;
    uint32_t most = 0;
    for (uint32_t i = 1; i < gguf->n_types; i++) {
        most = weights->dtype_bytes[i] > weights->dtype_bytes[most] ? i : most;
    }
    assay_model_file_t read = {.format = "GGUF", .decoder = true};
    read.checkpoint = (assay_checkpoint_t){
        .source = "tensor infos of GGUF", .measured = true, .dtype = gguf->type[most].dtype};
    double params = 0;
    for (int part = 0; part < ASSAY_PART_N; part++) {
        read.checkpoint.part_bytes[part] = weights->part_bytes[part];
        read.checkpoint.part_params[part] = weights->part_params[part];
        read.checkpoint.total_bytes += weights->part_bytes[part];
        params += weights->part_params[part];
    }
    settle(model, gguf->tokens);
    const uint32_t every = full_every(gguf->architecture);
    model->full_layers = model->sliding_window > 0 && every > 0 ? model->layers / every : 0;
    model->kind = "decoder-LLM";
    model->hf_id = "";
    model->family = assay_arena_strdup(gguf->arena, gguf->architecture);
    model->source = assay_arena_strdup(gguf->arena, gguf->at.file);
    model->id = *gguf->name ? assay_arena_strdup(gguf->arena, gguf->name) : model->source;
    if (!model->family || !model->source || !model->id) {
        return assay_error_memory(gguf->err, &gguf->at);
    }
    assay_status_t status = assay_model_check(model, &gguf->at, gguf->err);
    if (status == ASSAY_OK) {
        assay_model_count_t count;
        assay_model_count(model, &count);
        model->params_extra = params > count.total ? params - count.total : 0;
        read.model = *model;
        *out = read;
    }
    return status;
}

static assay_status_t parse(struct gguf *gguf, uint64_t file_size) {
    cursor_t *cursor = &gguf->cursor;
    uint64_t end = 0;
    const uint64_t magic = little(cursor, 4), version = little(cursor, 4);
    const uint64_t n_tensors = little(cursor, 8), n_keys = little(cursor, 8);
    if (cursor->more) {
        return ASSAY_OK;
    }
    if (magic != 0x46554747 || version < 2 || version > 3) {
        return refuse(gguf, magic == 0x46554747 ? "a GGUF of a version other than 2 and 3"
                                                : "not GGUF: it does not begin so");
    }
    if (n_tensors > TENSORS_MAX || n_keys > KEYS_MAX) {
        return refuse(gguf, "more tensors or keys than a model has");
    }
    assay_status_t status = read_metadata(gguf, n_keys);
    if (status == ASSAY_OK && (gguf->alignment == 0 || gguf->alignment > 1 << 20)) {
        status = refuse(gguf, "an impossible alignment");
    }
    if (status == ASSAY_OK && !cursor->more) {
        status = read_tensors(gguf, n_tensors, &end);
    }
    if (status != ASSAY_OK || cursor->more) {
        return status;
    }
    const uint64_t data = (cursor->at + gguf->alignment - 1) / gguf->alignment * gguf->alignment;
    if (data > file_size || end > file_size - data) {
        return refuse(gguf, "its tensors end behind the file: the download is not complete");
    }
    return ASSAY_OK;
}

assay_status_t gguf_begin(assay_arena_t *arena, struct gguf **out_gguf, assay_error_t *err) {
    struct gguf *gguf = assay_arena_alloc(arena, sizeof *gguf);
    if (!gguf) {
        return assay_error_memory(err, NULL);
    }
    *gguf = (struct gguf){.arena = arena,
                          .err = err,
                          .alignment = 32,
                          .files = 1,
                          .model = {.tied_embeddings = true}};
    *out_gguf = gguf;
    return read_types(arena, gguf->type, &gguf->n_types, err);
}

uint64_t gguf_files(const struct gguf *gguf) {
    return gguf->files;
}

assay_status_t gguf_add(struct gguf *gguf, const char *file, const char *data, size_t size,
                        uint64_t file_size, bool *out_more) {
    const struct gguf before = *gguf;
    gguf->at = (assay_place_t){file, 0, 0};
    gguf->cursor = (cursor_t){.data = data, .size = size};
    const assay_status_t status = parse(gguf, file_size);
    *out_more = status == ASSAY_OK && gguf->cursor.more;
    if (*out_more && size >= file_size) {
        *out_more = false;
        return refuse(gguf, "it ends within its metadata");
    }
    if (*out_more) {
        *gguf = before; /* it comes again, with more */
    }
    return status;
}

assay_status_t assay_gguf_read(assay_arena_t *arena, const char *file, const char *data,
                               size_t size, uint64_t file_size, assay_model_file_t *out,
                               assay_error_t *err) {
    struct gguf *gguf;
    bool more = false;
    assay_status_t status = gguf_begin(arena, &gguf, err);
    if (status == ASSAY_OK) {
        status = gguf_add(gguf, file, data, size, file_size, &more);
    }
    if (status == ASSAY_OK && more) {
        const assay_place_t at = {file, 0, 0};
        return assay_error_set(err, ASSAY_LIMIT, &at, "metadata of more than %zu bytes", size);
    }
    return status == ASSAY_OK ? gguf_finish(gguf, out) : status;
}
