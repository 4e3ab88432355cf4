/* What a row of emit.csv can ask of a layout: words of conditions, and names in values. */
#include <math.h>
#include <string.h>

#include "emit/emit_parts.h"

#include "base/banned.h"

typedef const assay_emit_case_t *case_t;

static const assay_layout_t *layout_of(case_t of) {
    return &of->estimate->layout;
}
static double data_parallel(case_t of) {
    return layout_of(of)->dp;
}
static bool is_vendor(case_t of, const char *vendor) {
    return strcmp(of->machine->accelerator->vendor, vendor) == 0;
}
static double steps(case_t of) {
    return ceil(of->work->tokens / ((double)of->work->global_batch * of->work->sequence));
}

/* ---- conditions ---- */

static bool on_amd(case_t of) {
    return is_vendor(of, "AMD");
}
static bool on_nvidia(case_t of) {
    return is_vendor(of, "NVIDIA");
}
static bool on_slingshot(case_t of) {
    const char *kind = of->machine->system ? of->machine->system->network_kind : NULL;
    return of->machine->nodes > 1 && kind && strcmp(kind, "slingshot") == 0;
}
static bool has_nodes(case_t of) {
    return of->machine->nodes > 1;
}
static bool has_tp(case_t of) {
    return layout_of(of)->tp > 1;
}
static bool has_pp(case_t of) {
    return layout_of(of)->pp > 1;
}
static bool has_vpp(case_t of) {
    return layout_of(of)->vpp > 1;
}
static assay_split_t split_of(case_t of) {
    const bool there_and_back = layout_of(of)->schedule == ASSAY_SCHEDULE_DUALPIPEV;
    const uint32_t pieces = there_and_back ? 2 : layout_of(of)->vpp;
    assay_split_t split;
    (void)assay_layout_split(of->work->model.layers, layout_of(of)->pp * pieces, &split);
    return split;
}
static bool is_uneven(case_t of) {
    return split_of(of).last_less > 0;
}
static double group(case_t of) {
    return assay_layout_group(layout_of(of)->pp, layout_of(of)->n_micro);
}
static bool has_groups(case_t of) {
    return has_vpp(of) && group(of) > layout_of(of)->pp;
}
static bool has_zero_bubble(case_t of) {
    return layout_of(of)->schedule == ASSAY_SCHEDULE_ZB_H1 ||
           layout_of(of)->schedule == ASSAY_SCHEDULE_ZB_H2;
}
static bool has_dualpipe(case_t of) {
    return layout_of(of)->schedule == ASSAY_SCHEDULE_DUALPIPE;
}
static bool has_dualpipev(case_t of) {
    return layout_of(of)->schedule == ASSAY_SCHEDULE_DUALPIPEV;
}
static bool has_dp(case_t of) {
    return layout_of(of)->dp > 1;
}
static bool has_ep(case_t of) {
    return layout_of(of)->ep > 1;
}
static bool is_moe(case_t of) {
    return of->work->model.experts > 0;
}
static bool has_cp(case_t of) {
    return layout_of(of)->cp > 1;
}
static bool has_etp(case_t of) {
    return is_moe(of) && layout_of(of)->etp > 0 && layout_of(of)->etp != layout_of(of)->tp;
}
/* The state is shared out among some of those that hold the same weights. */
static bool has_shard(case_t of) {
    return layout_of(of)->zero > 0 && layout_of(of)->shard > 0 &&
           layout_of(of)->shard < layout_of(of)->dp * (double)(has_cp(of) ? layout_of(of)->cp : 1);
}
static bool cp_gathers(case_t of) {
    return has_cp(of) && layout_of(of)->cp_comm == ASSAY_CP_ALL_TO_ALL;
}
static bool has_sp(case_t of) {
    return layout_of(of)->sequence_parallel;
}
static bool zero_0(case_t of) {
    return layout_of(of)->zero == 0;
}
static bool zero_1(case_t of) {
    return layout_of(of)->zero == 1;
}
static bool zero_2(case_t of) {
    return layout_of(of)->zero == 2;
}
static bool zero_3(case_t of) {
    return layout_of(of)->zero == 3;
}
static bool recompute_none(case_t of) {
    return layout_of(of)->recompute == ASSAY_RECOMPUTE_NONE;
}
static bool recompute_selective(case_t of) {
    return layout_of(of)->recompute == ASSAY_RECOMPUTE_SELECTIVE;
}
static bool recompute_full(case_t of) {
    return layout_of(of)->recompute == ASSAY_RECOMPUTE_FULL;
}
static bool is_bf16(case_t of) {
    return of->work->dtype == ASSAY_DT_BF16;
}
static bool is_fp16(case_t of) {
    return of->work->dtype == ASSAY_DT_FP16;
}
static bool is_fp8(case_t of) {
    return of->work->dtype == ASSAY_DT_FP8;
}
static bool is_fp4(case_t of) {
    return of->work->dtype == ASSAY_DT_FP4;
}
static bool is_fp6(case_t of) {
    return of->work->dtype == ASSAY_DT_FP6;
}
static bool is_format(case_t of, const char *name) {
    return of->work->recipe.format && strcmp(of->work->recipe.format, name) == 0;
}
static bool is_mxfp8(case_t of) {
    return is_format(of, "mxfp8");
}
static bool is_mxfp4(case_t of) {
    return is_format(of, "mxfp4");
}
static bool has_deepep(case_t of) {
    return has_ep(of) && of->work->expert_once;
}
static bool has_expert_overlap(case_t of) {
    return has_ep(of) && of->work->expert_overlap;
}
static bool has_bucket(case_t of) {
    return of->work->recipe.bucket_bytes > 0;
}
static bool has_bf16_moments(case_t of) {
    return of->work->recipe.bf16_moments;
}
static bool has_no_master(case_t of) {
    return of->work->recipe.no_master;
}
static bool is_unfused(case_t of) {
    return of->work->unfused_attention;
}
static bool tunes_adapters(case_t of) {
    return of->work->recipe.method != ASSAY_METHOD_FULL;
}
#define OPTIMIZER(name, code)                                        \
    static bool name(case_t of) {                                    \
        return of->work->recipe.optimizer == ASSAY_OPTIMIZER_##code; \
    }
OPTIMIZER(by_adam, ADAM)
OPTIMIZER(by_muon, MUON)
OPTIMIZER(by_sgd, SGD)
OPTIMIZER(by_momentum, MOMENTUM)
OPTIMIZER(by_lamb, LAMB)
/* 8-bit and paged Adam are bitsandbytes'. */
static bool by_other(case_t of) {
    return !by_adam(of) && !by_muon(of) && !by_sgd(of) && !by_momentum(of) && !by_lamb(of);
}
static bool has_bf16_gradients(case_t of) {
    return of->work->recipe.bf16_gradients;
}
static bool offloads_optimizer(case_t of) {
    return of->work->recipe.offload == ASSAY_OFFLOAD_OPTIMIZER;
}
static bool offloads_all(case_t of) {
    return of->work->recipe.offload == ASSAY_OFFLOAD_ALL;
}
static bool offloads_activations(case_t of) {
    return of->work->recipe.host_activations;
}
static bool is_mla(case_t of) {
    return of->work->model.kv_lora > 0;
}
static bool is_gqa(case_t of) {
    return of->work->model.kv_heads < of->work->model.heads && !is_mla(of);
}
static bool is_gated(case_t of) {
    return of->work->model.gated;
}
static bool is_tied(case_t of) {
    return of->work->model.tied_embeddings;
}
static bool has_rms(case_t of) {
    return !of->work->model.layer_norm;
}
static bool has_rotary(case_t of) {
    return !of->work->model.learned_positions;
}
static bool has_bias(case_t of) {
    return of->work->model.attn_bias || of->work->model.out_bias || of->work->model.mlp_bias;
}
static bool has_shared_expert(case_t of) {
    return of->work->model.shared_experts > 0;
}
static bool has_hf_id(case_t of) {
    return of->work->model.hf_id && of->work->model.hf_id[0];
}
static bool has_end(case_t of) {
    return of->work->tokens > 0;
}
static bool has_deadline(case_t of) {
    return of->work->deadline_s > 0;
}

static const struct {
    const char *word;
    bool (*holds)(case_t of);
} condition[] = {
    {"amd", on_amd},
    {"nvidia", on_nvidia},
    {"slingshot", on_slingshot},
    {"nodes", has_nodes},
    {"tp", has_tp},
    {"pp", has_pp},
    {"vpp", has_vpp},
    {"groups", has_groups},
    {"uneven", is_uneven},
    {"zero_bubble", has_zero_bubble},
    {"dualpipe", has_dualpipe},
    {"dualpipev", has_dualpipev},
    {"dp", has_dp},
    {"ep", has_ep},
    {"cp", has_cp},
    {"etp", has_etp},
    {"shard", has_shard},
    {"cp_a2a", cp_gathers},
    {"sp", has_sp},
    {"zero0", zero_0},
    {"zero1", zero_1},
    {"zero2", zero_2},
    {"zero3", zero_3},
    {"recompute_none", recompute_none},
    {"recompute_selective", recompute_selective},
    {"recompute_full", recompute_full},
    {"bf16", is_bf16},
    {"fp16", is_fp16},
    {"fp8", is_fp8},
    {"fp6", is_fp6},
    {"fp4", is_fp4},
    {"mxfp8", is_mxfp8},
    {"mxfp4", is_mxfp4},
    {"bf16_gradients", has_bf16_gradients},
    {"bf16_moments", has_bf16_moments},
    {"no_master", has_no_master},
    {"adam", by_adam},
    {"muon", by_muon},
    {"sgd", by_sgd},
    {"momentum", by_momentum},
    {"lamb", by_lamb},
    {"other_optimizer", by_other},
    {"adapters", tunes_adapters},
    {"deepep", has_deepep},
    {"expert_overlap", has_expert_overlap},
    {"bucket", has_bucket},
    {"unfused", is_unfused},
    {"offload_optimizer", offloads_optimizer},
    {"offload_all", offloads_all},
    {"offload_activations", offloads_activations},
    {"moe", is_moe},
    {"mla", is_mla},
    {"gqa", is_gqa},
    {"gated", is_gated},
    {"tied", is_tied},
    {"rms", has_rms},
    {"rotary", has_rotary},
    {"bias", has_bias},
    {"shared_expert", has_shared_expert},
    {"hf_id", has_hf_id},
    {"end", has_end},
    {"deadline", has_deadline},
};

bool emit_holds(const assay_emit_case_t *of, const char *word, size_t n, bool *out_known) {
    const bool not = n > 0 && word[0] == '!';
    for (size_t i = 0; i < sizeof condition / sizeof condition[0]; i++) {
        if (strlen(condition[i].word) ==
            n - not &&memcmp(condition[i].word, word + not, n - not ) == 0) {
            *out_known = true;
            return condition[i].holds(of) != not ;
        }
    }
    *out_known = false;
    return false;
}

/* ---- numbers ---- */

#define MODEL_NUMBER(name, expression)             \
    static double name(case_t of) {                \
        const assay_model_t *m = &of->work->model; \
        return (expression);                       \
    }
MODEL_NUMBER(layers, m->layers)
MODEL_NUMBER(layers_but_one, m->layers - 1)
MODEL_NUMBER(hidden, m->hidden)
MODEL_NUMBER(ffn, m->ffn)
MODEL_NUMBER(heads, m->heads)
MODEL_NUMBER(kv_heads, m->kv_heads)
MODEL_NUMBER(head_dim, m->head_dim)
MODEL_NUMBER(vocab, m->vocab)
MODEL_NUMBER(experts, m->experts)
MODEL_NUMBER(top_k, m->top_k)
MODEL_NUMBER(expert_ffn, m->expert_ffn)
MODEL_NUMBER(shared_ffn, m->shared_ffn ? m->shared_ffn : m->expert_ffn * m->shared_experts)
MODEL_NUMBER(q_lora, m->q_lora)
MODEL_NUMBER(kv_lora, m->kv_lora)
MODEL_NUMBER(qk_nope, m->qk_nope)
MODEL_NUMBER(qk_rope, m->qk_rope)
MODEL_NUMBER(v_head_dim, m->v_head_dim)

static double max_position(case_t of) {
    return fmax(of->work->model.max_position, of->work->sequence);
}
static double sequence(case_t of) {
    return of->work->sequence;
}
static double global_batch(case_t of) {
    return of->work->global_batch;
}
static double micro_batch(case_t of) {
    return layout_of(of)->micro_batch;
}
static double accumulation(case_t of) {
    return of->work->global_batch / (layout_of(of)->micro_batch * data_parallel(of));
}
static double tp(case_t of) {
    return layout_of(of)->tp;
}
static double pp(case_t of) {
    return layout_of(of)->pp;
}
static double ep(case_t of) {
    return layout_of(of)->ep;
}
static double cp(case_t of) {
    return has_cp(of) ? layout_of(of)->cp : 1;
}
static double etp(case_t of) {
    return layout_of(of)->etp ? layout_of(of)->etp : layout_of(of)->tp;
}
/* elements of fp32 or 16-bit gradients */
static double bucket_elements(case_t of) {
    return floor(of->work->recipe.bucket_bytes / (of->work->recipe.bf16_gradients ? 2 : 4));
}
static double shard(case_t of) {
    return has_shard(of) ? layout_of(of)->shard : data_parallel(of) * cp(of);
}
static double replicas(case_t of) {
    return data_parallel(of) * cp(of) / shard(of);
}
static double zero(case_t of) {
    return layout_of(of)->zero;
}
static double virtual_layers(case_t of) {
    return ceil((double)of->work->model.layers / layout_of(of)->pp / layout_of(of)->vpp);
}
static double piece_layers(case_t of) {
    return split_of(of).layers;
}
static double first_layers(case_t of) {
    return split_of(of).layers - split_of(of).first_less;
}
static double first_less(case_t of) {
    return split_of(of).first_less;
}
static double last_less(case_t of) {
    return split_of(of).last_less;
}
static double last_layers(case_t of) {
    return split_of(of).layers - split_of(of).last_less;
}
static double pieces_between(case_t of) {
    return (double)layout_of(of)->pp * layout_of(of)->vpp - 2;
}
static double nodes(case_t of) {
    return of->machine->nodes;
}
static double per_node(case_t of) {
    return of->machine->devices_per_node;
}
static double devices(case_t of) {
    return of->machine->devices;
}
static double deadline_min(case_t of) {
    return ceil(of->work->deadline_s / 60);
}

static const struct {
    const char *name;
    double (*value)(case_t of);
} number[] = {
    {"layers", layers},
    {"layers_but_one", layers_but_one},
    {"hidden", hidden},
    {"ffn", ffn},
    {"heads", heads},
    {"kv_heads", kv_heads},
    {"head_dim", head_dim},
    {"vocab", vocab},
    {"experts", experts},
    {"top_k", top_k},
    {"expert_ffn", expert_ffn},
    {"shared_ffn", shared_ffn},
    {"q_lora", q_lora},
    {"kv_lora", kv_lora},
    {"qk_nope", qk_nope},
    {"qk_rope", qk_rope},
    {"v_head_dim", v_head_dim},
    {"max_position", max_position},
    {"sequence", sequence},
    {"global_batch", global_batch},
    {"micro_batch", micro_batch},
    {"accumulation", accumulation},
    {"tp", tp},
    {"pp", pp},
    {"dp", data_parallel},
    {"ep", ep},
    {"cp", cp},
    {"etp", etp},
    {"bucket_elements", bucket_elements},
    {"shard", shard},
    {"replicas", replicas},
    {"zero", zero},
    {"virtual_layers", virtual_layers},
    {"piece_layers", piece_layers},
    {"first_layers", first_layers},
    {"first_less", first_less},
    {"last_less", last_less},
    {"last_layers", last_layers},
    {"pieces_between", pieces_between},
    {"group", group},
    {"steps", steps},
    {"nodes", nodes},
    {"per_node", per_node},
    {"devices", devices},
    {"deadline_min", deadline_min},
};

/* ---- texts ---- */

static const char *model_name(case_t of) {
    return has_hf_id(of) ? of->work->model.hf_id : of->work->model.id;
}
static const char *job_name(case_t of) {
    return of->job && of->job[0] ? of->job : "assay";
}
static const struct {
    const char *name;
    const char *(*text)(case_t of);
} text[] = {{"model", model_name}, {"job", job_name}};

bool emit_value(const assay_emit_case_t *of, const char *name, size_t n, assay_buf_t *out) {
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        if (strlen(number[i].name) == n && memcmp(number[i].name, name, n) == 0) {
            assay_buf_printf(out, "%.0f", number[i].value(of));
            return true;
        }
    }
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        if (strlen(text[i].name) == n && memcmp(text[i].name, name, n) == 0) {
            assay_buf_puts(out, text[i].text(of));
            return true;
        }
    }
    return false;
}
