/* Memory of the fullest device of a serving replica. */
#include "assay/serve_memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *assay_serving_part_name(assay_serving_part_t part) {
#define NAME(code, name) name,
    static const char *const names[ASSAY_SERVING_PART_N] = {ASSAY_SERVING_PART_LIST(NAME)};
#undef NAME
    assert((unsigned)part < ASSAY_SERVING_PART_N);
    return names[part];
}

bool assay_serve_layout_fits(const assay_serving_t *work, const assay_layout_t *layout) {
    const assay_model_t *model = &work->model;
    const uint32_t tp = layout->tp;
    return tp && layout->pp && layout->pp <= model->layers && model->heads % tp == 0 &&
           (model->kv_heads % tp == 0 || tp % model->kv_heads == 0);
}

/* Devices over which the experts of a layer are spread. */
static double expert_ways(const assay_serving_t *work, const assay_layout_t *layout) {
    const double group = (double)layout->tp * (work->experts_over_dp ? layout->dp : 1);
    return fmax(group, layout->ep);
}

/* Share of an operation's parameters that one device holds. */
static double local_share(const assay_serving_t *work, const assay_layout_t *layout,
                          const assay_model_op_t *op) {
    double k, n;
    if (op->shard == ASSAY_SHARD_NONE) {
        return 1;
    }
    if (op->shard == ASSAY_SHARD_EXPERT) {
        return 1 / expert_ways(work, layout);
    }
    assay_model_op_shape(&work->model, op, layout->tp, &k, &n);
    return (op->k > 0 ? k / op->k : 1) * (op->n > 0 ? n / op->n : 1);
}

/* Parameters by part on a device of the first or the last stage. */
static void stage_params(const assay_serving_t *work, const assay_layout_t *layout, bool last,
                         double out[ASSAY_PART_N]) {
    assay_model_op_t op[ASSAY_MODEL_OP_MAX];
    assay_layer_kind_t kind[ASSAY_LAYER_KIND_MAX];
    const uint32_t n_op = assay_model_ops(&work->model, op);
    const double layers = work->model.layers;
    const double stage = ceil(layers / layout->pp) / layers;
    double listed[ASSAY_PART_N] = {0}, whole[ASSAY_PART_N];
    (void)assay_model_layer_kinds(&work->model, kind);
    memset(out, 0, ASSAY_PART_N * sizeof *out);
    for (uint32_t i = 0; i < n_op; i++) {
        const bool once = op[i].layer_kind == ASSAY_OP_ONCE;
        const bool here = !once || layout->pp == 1 || (op[i].part == ASSAY_PART_EMBEDDING) != last;
        const double all = op[i].params * (once ? 1 : kind[op[i].layer_kind].layers);
        listed[op[i].part] += all;
        out[op[i].part] += here ? all * (once ? 1 : stage) * local_share(work, layout, &op[i]) : 0;
    }
    /* What no operation lists (vision tower, other) lies whole on the first stage. */
    assay_model_part_params(&work->model, whole);
    for (int i = 0; i < ASSAY_PART_N; i++) {
        out[i] += last && layout->pp > 1 ? 0 : fmax(0, whole[i] - listed[i]);
    }
}

static double stage_bytes(const assay_serving_t *work, const assay_layout_t *layout, bool last,
                          double out_part[ASSAY_PART_N]) {
    const assay_checkpoint_t *checkpoint = &work->checkpoint;
    double total = 0;
    stage_params(work, layout, last, out_part);
    for (int i = 0; i < ASSAY_PART_N; i++) {
        const double params = checkpoint->part_params[i];
        out_part[i] = params > 0 ? out_part[i] * checkpoint->part_bytes[i] / params : 0;
        total += out_part[i];
    }
    return total;
}

static void fill_weights(const assay_serving_t *work, const assay_layout_t *layout,
                         assay_serve_memory_t *out) {
    double last_part[ASSAY_PART_N];
    double *weights = &out->bytes[ASSAY_SERVING_WEIGHTS];
    *weights = stage_bytes(work, layout, false, out->weight_part_bytes);
    const double last = stage_bytes(work, layout, true, last_part);
    if (last > *weights) {
        *weights = last;
        memcpy(out->weight_part_bytes, last_part, sizeof last_part);
    }
    out->load_bytes = *weights;
}

static double stage_layers_share(const assay_serving_t *work, const assay_layout_t *layout) {
    return ceil((double)work->model.layers / layout->pp) / work->model.layers;
}

static double kv_bytes(const assay_serving_t *work, double tokens, uint32_t tp) {
    assay_model_t model = work->model;
    if (!work->windows_cut) {
        model.sliding_window = 0;
    }
    return assay_model_kv_bytes(&model, tokens, work->kv_bytes_each, tp);
}

/* Cache of a sequence that grows by a token, states and windows aside. */
static double kv_bytes_per_token(const assay_serving_t *work, uint32_t tp) {
    assay_model_t model = work->model;
    model.sliding_window = 0;
    return assay_model_kv_bytes(&model, 2, work->kv_bytes_each, tp) -
           assay_model_kv_bytes(&model, 1, work->kv_bytes_each, tp);
}

static double activation_bytes(const assay_serving_t *work, const assay_layout_t *layout) {
    const assay_model_t *model = &work->model;
    const double h = model->hidden, tp = layout->tp, tokens = work->max_batch_tokens;
    const double gates = model->gated ? 3 : 2;
    double elements = tokens * (4 * h + gates * model->ffn / tp);
    if (model->experts > 0) {
        const double chunk = work->expert_chunk_tokens ? work->expert_chunk_tokens : tokens;
        const double visits = fmin(tokens, chunk) * model->top_k;
        const double ffn = model->expert_ffn / (layout->ep > 1 ? 1 : tp);
        const double shared =
            (model->shared_ffn ? model->shared_ffn : model->shared_experts * model->expert_ffn) /
            tp;
        elements = tokens * (4 * h + gates * shared) + visits * (gates * ffn + h);
    }
    return 2 * elements; /* 16 bit, whatever the weights are kept in */
}

static void fill_activations(const assay_serving_t *work, const assay_layout_t *layout,
                             assay_serve_memory_t *out) {
    const double sequences = fmin(work->max_num_seqs, work->max_batch_tokens);
    const double sampling = work->sampler_bytes_per_logit * sequences * work->model.vocab;
    out->bytes[ASSAY_SERVING_ACTIVATIONS] = activation_bytes(work, layout);
    out->bytes[ASSAY_SERVING_SAMPLING] = fmax(0, sampling - out->bytes[ASSAY_SERVING_ACTIVATIONS]);
}

static double whole_blocks(const assay_serving_t *work, double tokens) {
    return ceil(tokens / work->block_tokens);
}

/* Longest sequence whose blocks find room: the cache grows with it, so halve the range. */
static double longest_sequence(const assay_serving_t *work, const assay_layout_t *layout,
                               double room) {
    const double stage = stage_layers_share(work, layout);
    double low = 0, high = 1;
    while (high < 1e9 && kv_bytes(work, high * work->block_tokens, layout->tp) * stage <= room) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const double middle = floor((low + high) / 2);
        const bool fits = kv_bytes(work, middle * work->block_tokens, layout->tp) * stage <= room;
        low = fits ? middle : low;
        high = fits ? high : middle;
    }
    return low * work->block_tokens;
}

static void fill_cache(const assay_serving_t *work, const assay_layout_t *layout,
                       assay_serve_memory_t *out) {
    const double stage = stage_layers_share(work, layout);
    const double model_token = kv_bytes_per_token(work, 1);
    out->kv_bytes_per_token = kv_bytes_per_token(work, layout->tp) * stage;
    out->kv_bytes_per_token_model = model_token;
    out->block_bytes = out->kv_bytes_per_token * work->block_tokens;
    out->blocks_needed = whole_blocks(work, work->max_model_len);
    out->bytes[ASSAY_SERVING_KV] =
        kv_bytes(work, out->blocks_needed * work->block_tokens, layout->tp) * stage;
}

/* Room for the cache, what it holds, and what is missing for one sequence. */
static void fill_room(const assay_serving_t *work, const assay_layout_t *layout, double room,
                      assay_serve_memory_t *out) {
    out->kv_room_bytes = fmax(0, room);
    out->blocks = work->kv_blocks >= 0 ? work->kv_blocks
                  : out->block_bytes > 0
                      ? floor(out->kv_room_bytes / out->block_bytes * (1 + 1e-12))
                      : 0;
    out->tokens = out->blocks * work->block_tokens;
    out->longest = work->kv_blocks >= 0 && work->model.sliding_window == 0
                       ? out->tokens
                       : longest_sequence(work, layout, out->kv_room_bytes);
    if (out->longest < work->max_model_len) {
        const double missing = out->bytes[ASSAY_SERVING_KV] - out->kv_room_bytes;
        out->short_bytes = fmax(0, missing);
        out->short_model_bytes =
            out->kv_bytes_per_token > 0
                ? out->short_bytes / out->kv_bytes_per_token * out->kv_bytes_per_token_model
                : 0;
    }
    const double mean = work->input_tokens + work->output_tokens;
    const double each =
        mean > 0 ? kv_bytes(work, whole_blocks(work, mean) * work->block_tokens, layout->tp) *
                       stage_layers_share(work, layout)
                 : 0;
    out->sequences = each > 0 ? floor(out->kv_room_bytes / each) : 0;
}

/* The share that an engine takes of what, and which parts it has to hold. */
static double room_for_cache(const assay_serving_t *work, assay_serve_memory_t *out) {
    const double *bytes = out->bytes, memory = out->memory_bytes, share = work->utilisation;
    const double working = bytes[ASSAY_SERVING_ACTIVATIONS] + bytes[ASSAY_SERVING_SAMPLING];
    const double rest = memory - bytes[ASSAY_SERVING_WEIGHTS] - bytes[ASSAY_SERVING_CONTEXT];
    switch ((assay_budget_t)work->budget) {
    case ASSAY_BUDGET_STATIC:
        out->budget_bytes = share * memory;
        return fmin(share * memory - bytes[ASSAY_SERVING_WEIGHTS],
                    rest - working - bytes[ASSAY_SERVING_GRAPHS]);
    case ASSAY_BUDGET_FREE:
        out->budget_bytes = memory - (1 - share) * fmax(0, rest - working);
        return share * (rest - working);
    case ASSAY_BUDGET_TOTAL:
        break;
    }
    out->budget_bytes = share * memory;
    return fmin(share * memory - bytes[ASSAY_SERVING_WEIGHTS] - bytes[ASSAY_SERVING_CONTEXT] -
                    working,
                rest - working - bytes[ASSAY_SERVING_GRAPHS]);
}

/* The first part, from what cannot change to what can, that finds no room. */
static assay_serving_part_t find_limiting(const assay_serve_memory_t *memory) {
    double used = 0;
    for (int i = 0; i < ASSAY_SERVING_PART_N; i++) {
        used += memory->bytes[i];
        if (used > (i == ASSAY_SERVING_GRAPHS ? memory->memory_bytes : memory->budget_bytes)) {
            return (assay_serving_part_t)i;
        }
    }
    return ASSAY_SERVING_KV;
}

/* Smallest memory with which one longest sequence fits, by the same share. */
static double smallest_memory(const assay_serving_t *work, const assay_serve_memory_t *memory) {
    double all = 0;
    for (int i = 0; i < ASSAY_SERVING_PART_N; i++) {
        all += memory->bytes[i];
    }
    const double graphs = memory->bytes[ASSAY_SERVING_GRAPHS], kv = memory->bytes[ASSAY_SERVING_KV];
    switch ((assay_budget_t)work->budget) {
    case ASSAY_BUDGET_STATIC:
        return fmax(all, (memory->bytes[ASSAY_SERVING_WEIGHTS] + kv) / work->utilisation);
    case ASSAY_BUDGET_FREE:
        return all - graphs - kv + kv / work->utilisation;
    case ASSAY_BUDGET_TOTAL:
        break;
    }
    return fmax(all, (all - graphs) / work->utilisation);
}

void assay_serve_memory(const assay_machine_t *machine, const assay_serving_t *work,
                        const assay_layout_t *layout, assay_serve_memory_t *out) {
    *out = (assay_serve_memory_t){.layout = *layout};
    fill_weights(work, layout, out);
    fill_cache(work, layout, out);
    fill_activations(work, layout, out);
    out->bytes[ASSAY_SERVING_CONTEXT] = work->context_bytes;
    out->bytes[ASSAY_SERVING_GRAPHS] = work->graph_bytes;
    double room = 0;
    if (machine) {
        const double models = work->models_per_host > 1 ? work->models_per_host : 1;
        out->memory_bytes = machine->device.hbm_bytes * work->visible_share / models;
        room = room_for_cache(work, out);
        out->need_bytes = smallest_memory(work, out);
    }
    if (work->kv_memory_bytes >= 0) {
        room = work->kv_memory_bytes;
    } else if (work->kv_blocks >= 0) {
        room = work->kv_blocks * out->block_bytes;
    }
    fill_room(work, layout, room, out);
    out->known = machine || work->kv_blocks >= 0 || work->kv_memory_bytes >= 0;
    out->fits = out->known && out->longest >= work->max_model_len && out->kv_room_bytes > 0;
    const bool reported = work->kv_blocks >= 0 || work->kv_memory_bytes >= 0;
    out->limiting = (uint8_t)(reported ? ASSAY_SERVING_KV : find_limiting(out));
}
