#include "port/c_source.h"

#include <string.h>

#include "base/banned.h"

static bool is_scope(const port_source_t *source, uint32_t i) {
    return port_is_sign(source, i, PORT_SIGN(':', ':', 0));
}

static bool is_member(const port_source_t *source, uint32_t i) {
    return i > 0 && (port_is_sign(source, i - 1, '.') ||
                     port_is_sign(source, i - 1, PORT_SIGN('-', '>', 0)));
}

/* Counted as a reference, and told. */
static void feature(port_source_t *source, const char *rule, uint32_t i,
                    port_reference_t reference) {
    port_sink_reference(source->sink, reference, source->token[i].state & PORT_STATE_PORTED);
    port_report_word(source, rule, i);
}

/* cg:: or cooperative_groups:: before the name, or the file works with them. Words that others use
   too count with the namespace only. */
static bool is_group(const port_source_t *source, uint32_t i) {
    const uint8_t own = source->token[i].word;
    if (i > 1 && is_scope(source, i - 1)) {
        const uint8_t word = port_word_at(source, i - 2);
        return word == PORT_WORD_CG || word == PORT_WORD_COOPERATIVE_GROUPS;
    }
    return source->groups && !is_member(source, i) && own != PORT_WORD_WAIT &&
           own != PORT_WORD_SYNCHRONIZE;
}

static void rule_group(port_source_t *source, uint32_t i) {
    if (!is_group(source, i)) {
        return;
    }
    switch (source->token[i].word) {
    case PORT_WORD_CLUSTER_GROUP:
    case PORT_WORD_THIS_CLUSTER:
        feature(source, "cluster", i, PORT_REFERENCE_CUDA_ONLY);
        break;
    case PORT_WORD_MULTI_GRID:
    case PORT_WORD_MULTI_GRID_GROUP:
        feature(source, "cg-multi-grid", i, PORT_REFERENCE_READY);
        break;
    case PORT_WORD_LABELED_PARTITION:
    case PORT_WORD_BINARY_PARTITION:
        feature(source, "cg-partition", i, PORT_REFERENCE_WORK);
        break;
    case PORT_WORD_MEMCPY_ASYNC:
        feature(source, "cg-memcpy-async", i, PORT_REFERENCE_READY);
        break;
    default:
        feature(source, "cg-async", i, PORT_REFERENCE_CUDA_ONLY);
        break;
    }
}

/* tiled_partition<32>(...), thread_block_tile<32> */
static void rule_tile(port_source_t *source, uint32_t i) {
    uint64_t value;
    bool wide;
    if (port_is_sign(source, i + 1, '<') && port_token_number(source, i + 2, &value, &wide) &&
        value == 32) {
        port_report_word(source, "cg-tile-32", i);
    }
}

/* cuda::pipeline, cuda::memcpy_async; the rest of cuda:: is libhipcxx. */
static void rule_cuda_namespace(port_source_t *source, uint32_t i) {
    if (!is_scope(source, i + 1) || is_member(source, i) || (i > 0 && is_scope(source, i - 1))) {
        return;
    }
    const uint8_t word = port_word_at(source, i + 2);
    if (word == PORT_WORD_PIPELINE || word == PORT_WORD_MEMCPY_ASYNC) {
        feature(source, "async-copy", i + 2, PORT_REFERENCE_WORK);
    }
}

static void rule_namespace(port_source_t *source, uint32_t i, const char *rule,
                           port_reference_t reference) {
    if (is_scope(source, i + 1) && !is_member(source, i)) {
        feature(source, rule, i, reference);
    }
}

/* float4, uchar2, longlong3 ...: HIP's own classes, which have operators. */
static bool is_vector_type(const char *text, size_t n) {
    static const char *const base[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                       "long", "ulong", "longlong", "ulonglong", "float", "double"};
    for (size_t i = 0; n > 1 && i < sizeof base / sizeof *base; i++) {
        if (strlen(base[i]) == n - 1 && memcmp(base[i], text, n - 1) == 0) {
            return text[n - 1] >= '1' && text[n - 1] <= '4';
        }
    }
    return false;
}

/* void operator+=(float4 &a, float4 b) of one's own beside the member of HIP: ambiguous. The plain
   operators are templates there, so that one's own is preferred. */
static void rule_vector_operator(port_source_t *source, uint32_t i) {
    static const uint32_t assign[] = {
        PORT_SIGN('+', '=', 0),   PORT_SIGN('-', '=', 0), PORT_SIGN('*', '=', 0),
        PORT_SIGN('/', '=', 0),   PORT_SIGN('%', '=', 0), PORT_SIGN('&', '=', 0),
        PORT_SIGN('|', '=', 0),   PORT_SIGN('^', '=', 0), PORT_SIGN('<', '<', '='),
        PORT_SIGN('>', '>', '='),
    };
    bool is_assign = false;
    for (size_t k = 0; k < sizeof assign / sizeof *assign; k++) {
        is_assign = is_assign || port_is_sign(source, i + 1, assign[k]);
    }
    const uint32_t type = i + 3;
    if (is_assign && port_is_sign(source, i + 2, '(') && port_is_name(source, type) &&
        is_vector_type(port_token_text(source, type), source->token[type].n) &&
        port_is_sign(source, type + 1, '&')) {
        port_report(source, "vector-operator", i, "", "", "");
    }
}

/* texture<float, 2> ref; a variable may be called texture too. */
static void rule_texture_reference(port_source_t *source, uint32_t i) {
    if (port_is_sign(source, i + 1, '<') && !is_member(source, i) &&
        !(i > 0 && is_scope(source, i - 1)) && port_is_name(source, i + 2) && !source->current) {
        feature(source, "texture-reference", i, PORT_REFERENCE_WORK);
    }
}

static void rule_asm(port_source_t *source, uint32_t i) {
    uint32_t open = i + 1;
    while (open < i + 4 && port_is_name(source, open)) { /* volatile */
        open++;
    }
    /* assembly of a plain C or C++ source is the host's, unless a device function holds it */
    if (!port_is_sign(source, open, '(') ||
        (source->text->language != ASSAY_PORT_CUDA && !port_on_device(source))) {
        return;
    }
    const uint32_t close = port_partner(source, open);
    for (uint32_t k = open + 1; k < close; k++) {
        const port_token_t *token = &source->token[k];
        if (port_is_sign(source, k, ':') || port_is_sign(source, k, PORT_SIGN(':', ':', 0))) {
            break;
        }
        if (token->kind == PORT_TOKEN_STRING && token->n > 2) {
            port_ptx_range(source->sink, source->text, token->at + 1, token->n - 2, true,
                           token->state & PORT_STATE_PORTED);
        } else if (token->kind == PORT_TOKEN_RAW_STRING) {
            port_ptx_range(source->sink, source->text, token->at, token->n, false,
                           token->state & PORT_STATE_PORTED);
        }
    }
}

/* #if __CUDA_ARCH__ >= 800, or in an expression; a mere "is this the device" also ends wrong. */
static void rule_arch(port_source_t *source, uint32_t i) {
    if (port_word_at(source, i - 1) == PORT_WORD_P_DEFINE ||
        port_word_at(source, i - 1) == PORT_WORD_P_UNDEF) {
        return;
    }
    for (uint32_t k = i; source->directive && k-- > 0;) { /* once a condition */
        if (source->token[k].kind == PORT_TOKEN_DIRECTIVE) {
            break;
        }
        if (source->token[k].word == PORT_WORD_CUDA_ARCH) {
            return;
        }
    }
    feature(source, "cuda-arch", i, PORT_REFERENCE_WORK);
}

static void rule_fp8(port_source_t *source, uint32_t i) {
    /* one of the three speaks, by target */
    port_report_word(source, "fp8-fnuz", i);
    port_report_word(source, "fp8-ocp", i);
    port_report_word(source, "fp8-none", i);
}

static void rule_fp4(port_source_t *source, uint32_t i) {
    const port_rule_t *rule = port_rule_find(source->tables, "fp4-target");
    const bool is_missing = port_rule_applies(rule, port_sink_options(source->sink));
    feature(source, "fp4-target", i, is_missing ? PORT_REFERENCE_WORK : PORT_REFERENCE_READY);
}

static void rule_call(port_source_t *source, const char *rule, uint32_t i,
                      port_reference_t reference) {
    if (port_is_sign(source, i + 1, '(') && !is_member(source, i) && !port_declares(source, i) &&
        !(i > 0 && is_scope(source, i - 1) && i > 1 && port_is_name(source, i - 2))) {
        feature(source, rule, i, reference);
    }
}

/* Image functions are reported where the chip has none; they are a reference everywhere. */
static void rule_image(port_source_t *source, uint32_t i) {
    if (port_on_device(source) &&
        (port_is_sign(source, i + 1, '(') || port_is_sign(source, i + 1, '<'))) {
        const port_rule_t *rule = port_rule_find(source->tables, "texture-no-image");
        feature(source, "texture-no-image", i,
                port_rule_applies(rule, port_sink_options(source->sink)) ? PORT_REFERENCE_WORK
                                                                         : PORT_REFERENCE_READY);
    }
}

/* while (atomicCAS(&lock, 0, 1) != 0); */
static void rule_spin(port_source_t *source, uint32_t i) {
    uint64_t value;
    bool wide;
    port_range_t range[4];
    if (!port_is_sign(source, i + 1, '(') || port_arguments(source, i + 1, range, 4) != 3 ||
        range[1].end != range[1].first + 1 ||
        !port_token_number(source, range[1].first, &value, &wide)) {
        return;
    }
    uint32_t open = i;
    for (uint32_t k = i; k-- > 0 && i - k < 8 && open == i;) {
        open = port_word_at(source, k) == PORT_WORD_WHILE ? k + 1 : i;
    }
    const uint32_t close = port_partner(source, open);
    const bool empty =
        port_is_sign(source, close + 1, ';') ||
        (port_is_sign(source, close + 1, '{') && port_is_sign(source, close + 2, '}'));
    const bool is_end = open > 1 && port_is_sign(source, open - 2, '}'); /* do { ... } while */
    if (open != i && close > i && empty && !is_end && port_on_device(source)) {
        port_report_word(source, "lockstep-spin", i);
    }
}

static void rule_launch_call(port_source_t *source, uint32_t i) {
    port_sink_file(source->sink)->launches += port_is_sign(source, i + 1, '(');
}

/* What a word, or each of a run of words, asks for: a function that looks closer, or one of the
   ways to report a rule of data/port_rules.csv. */
typedef enum { LOOK, CALL, NAMESPACE, FEATURE, REPORT } ask_t;
#define ASK(word, how, rule, reference) \
    { PORT_WORD_##word, PORT_WORD_##word, how, NULL, rule, reference }
#define ASKS(first, last, how, rule, reference) \
    { PORT_WORD_##first, PORT_WORD_##last, how, NULL, rule, reference }
#define TOLD(word, rule) \
    { PORT_WORD_##word, PORT_WORD_##word, REPORT, NULL, rule, 0 }
#define CLOSER(word, look) \
    { PORT_WORD_##word, PORT_WORD_##word, LOOK, look, NULL, 0 }
#define CLOSERS(first, last, look) \
    { PORT_WORD_##first, PORT_WORD_##last, LOOK, look, NULL, 0 }
static const struct {
    uint8_t first, last, how;
    void (*look)(port_source_t *source, uint32_t i);
    const char *rule;
    port_reference_t reference;
} asked[] = {
    CLOSERS(SHFL_SYNC, ACTIVEMASK, port_rule_warp_call),
    CLOSERS(TEX1D, SURF3DWRITE, rule_image),
    CLOSERS(INVOKE_ONE, MULTI_GRID_GROUP, rule_group),
    CLOSERS(FP8_E4M3, FP8_STORAGE, rule_fp8),
    CLOSERS(FP4_E2M1, FP6_E3M2, rule_fp4),
    ASKS(STCS, LDLU, CALL, "cache-hint", PORT_REFERENCE_WORK),
    CLOSER(ASM, rule_asm),
    CLOSER(ASM_, rule_asm),
    CLOSER(ASM__, rule_asm),
    CLOSER(WARP_SIZE, port_rule_warp_size),
    CLOSER(SHARED, port_rule_shared),
    CLOSER(LAUNCH_BOUNDS, port_rule_launch_bounds),
    CLOSER(DIM3, port_rule_dim3),
    CLOSER(BLOCK_DIM, port_rule_thread_order),
    CLOSER(ATOMIC_CAS, rule_spin),
    CLOSER(CUDA_ARCH, rule_arch),
    CLOSER(OPERATOR, rule_vector_operator),
    CLOSER(TEXTURE, rule_texture_reference),
    ASK(WMMA, NAMESPACE, "wmma", PORT_REFERENCE_WORK),
    ASK(CUTE, NAMESPACE, "cutlass", PORT_REFERENCE_CUDA_ONLY),
    ASK(CUTLASS, NAMESPACE, "cutlass", PORT_REFERENCE_CUDA_ONLY),
    ASK(CUB_NS, NAMESPACE, "cub-namespace", PORT_REFERENCE_READY),
    ASK(NVINFER, NAMESPACE, "tensorrt", PORT_REFERENCE_CUDA_ONLY),
    CLOSER(CUDA_NS, rule_cuda_namespace),
    ASK(CLUSTER_DIMS, FEATURE, "cluster", PORT_REFERENCE_CUDA_ONLY),
    CLOSER(TILED_PARTITION, rule_tile),
    CLOSER(THREAD_BLOCK_TILE, rule_tile),
    CLOSER(LABELED_PARTITION, rule_group),
    CLOSER(BINARY_PARTITION, rule_group),
    CLOSER(MEMCPY_ASYNC, rule_group),
    ASK(PIPELINE_MEMCPY_ASYNC, CALL, "async-copy", PORT_REFERENCE_WORK),
    ASK(PIPELINE_COMMIT, CALL, "async-copy", PORT_REFERENCE_WORK),
    ASK(PIPELINE_WAIT_PRIOR, CALL, "async-copy", PORT_REFERENCE_WORK),
    TOLD(MANAGED, "managed-memory"),
    TOLD(MALLOC_MANAGED, "managed-memory"),
    TOLD(MAX_DYNAMIC_SHARED, "shared-memory-carveout"),
    ASK(GRAPH_CONDITIONAL, FEATURE, "graph-conditional", PORT_REFERENCE_CUDA_ONLY),
    ASK(GRAPH_SET_CONDITIONAL, FEATURE, "graph-conditional", PORT_REFERENCE_CUDA_ONLY),
    ASK(GRAPH_CONDITIONAL_HANDLE, FEATURE, "graph-conditional", PORT_REFERENCE_CUDA_ONLY),
    CLOSER(CUDA_LAUNCH_KERNEL, rule_launch_call),
    CLOSER(CUDA_LAUNCH_KERNEL_EX, rule_launch_call),
    CLOSER(CUDA_LAUNCH_COOPERATIVE, rule_launch_call),
    CLOSER(CU_LAUNCH_KERNEL, rule_launch_call),
};

void port_rule_word(port_source_t *source, uint32_t i) {
    const uint8_t word = source->token[i].word;
    if (source->directive && word != PORT_WORD_CUDA_ARCH) {
        return;
    }
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        if (word < asked[k].first || word > asked[k].last) {
            continue;
        }
        switch (asked[k].how) {
        case LOOK:
            asked[k].look(source, i);
            break;
        case CALL:
            rule_call(source, asked[k].rule, i, asked[k].reference);
            break;
        case NAMESPACE:
            rule_namespace(source, i, asked[k].rule, asked[k].reference);
            break;
        case FEATURE:
            feature(source, asked[k].rule, i, asked[k].reference);
            break;
        default: /* REPORT */
            port_report_word(source, asked[k].rule, i);
            break;
        }
        return;
    }
}
