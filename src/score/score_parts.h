/**
 * Inside score. The way of a row: its layout columns (score_row_t) become a case (machine,
 * workload, pins), the case an estimate; only then what was measured is read and joined. Nothing
 * before that join sees a column that is not in SCORE_COLUMN_LIST.
 */
#ifndef SCORE_PARTS_H
#define SCORE_PARTS_H

#include "assay/image_engine.h"
#include "assay/image_step.h"
#include "assay/layout.h"
#include "assay/machine.h"
#include "assay/score.h"
#include "assay/serve_engine.h"
#include "assay/serve_step.h"
#include "assay/weight_format.h"
#include "assay/workload.h"

/* ---- rows ---- */

/* Every column that a prediction may read. */
#define SCORE_COLUMN_LIST(X)               \
    X(ID, "id")                            \
    X(CITED, "source_ref")                 \
    X(ACCELERATOR, "accelerator")          \
    X(VARIANT, "accel_variant")            \
    X(COUNT, "count")                      \
    X(INTERCONNECT, "interconnect_note")   \
    X(MODEL, "model")                      \
    X(FAMILY, "arch_family")               \
    X(LAYERS, "n_layers")                  \
    X(HIDDEN, "hidden")                    \
    X(HEADS, "heads")                      \
    X(KV_HEADS, "kv_heads")                \
    X(FFN, "ffn")                          \
    X(VOCAB, "vocab")                      \
    X(EXPERTS, "moe_experts")              \
    X(SEQUENCE, "seq_len")                 \
    X(GLOBAL_BATCH, "global_batch")        \
    X(MICRO_BATCH, "micro_batch")          \
    X(TP, "tp")                            \
    X(PP, "pp")                            \
    X(VPP, "vpp")                          \
    X(CP, "cp")                            \
    X(DP, "dp")                            \
    X(SHARDING, "zero_or_fsdp")            \
    X(RECOMPUTE, "recompute")              \
    X(PRECISION, "precision")              \
    X(FRAMEWORK, "framework")              \
    X(WEIGHTS, "weight_dtype")             \
    X(KV, "kv_dtype")                      \
    X(ENGINE, "engine")                    \
    X(EP, "ep")                            \
    X(SCENARIO, "scenario")                \
    X(INPUT, "input_len")                  \
    X(OUTPUT, "output_len")                \
    X(CONCURRENCY, "batch_or_concurrency") \
    X(RATE, "request_rate")
/* What was measured, and how; read by the join alone. */
#define SCORE_MEASURED_LIST(X)        \
    X(METRIC, "metric_name")          \
    X(VALUE, "metric_value")          \
    X(UNIT, "metric_unit")            \
    X(TOKENS, "tokens_per_s_per_gpu") \
    X(NOTES, "notes")

typedef enum {
#define SCORE_COLUMN_ENUM(code, name) SCORE_COLUMN_##code,
    SCORE_COLUMN_LIST(SCORE_COLUMN_ENUM) SCORE_COLUMN_N,
    SCORE_MEASURED_FIRST = SCORE_COLUMN_N - 1, /* the next one continues after the layout's */
    SCORE_MEASURED_LIST(SCORE_COLUMN_ENUM) SCORE_ALL_N
#undef SCORE_COLUMN_ENUM
} score_column_t;
const char *score_column_name(score_column_t column);

/** The layout columns of one row; a column that the table lacks is "". */
typedef struct {
    const char *text[SCORE_COLUMN_N];
} score_row_t;
/** The measured columns of one row; text[i] is of column SCORE_COLUMN_N + i. */
typedef struct {
    const char *text[SCORE_ALL_N - SCORE_COLUMN_N];
} score_measured_t;

typedef struct {
    int column[SCORE_ALL_N]; /* index in the table, or -1 */
} score_columns_t;
/** Errors: ASSAY_INPUT when a column without which nothing can be said is missing. */
assay_status_t score_columns_find(const assay_csv_t *data, score_columns_t *out,
                                  assay_error_t *err);
/** The table is one of serving measurements: it names engines. */
bool score_is_serving(const score_columns_t *columns);
void score_row_read(const assay_csv_t *data, const score_columns_t *columns, uint32_t row,
                    score_row_t *out);
void score_measured_read(const assay_csv_t *data, const score_columns_t *columns, uint32_t row,
                         score_measured_t *out);

/* ---- rules ---- */

/* What a rule decides. The last three belong to the join and may look at what was measured. */
#define SCORE_RULE_LIST(X)                    \
    X(SKIP, "skip")                           \
    X(PART, "accelerator")                    \
    X(FABRIC, "fabric")                       \
    X(NETWORK, "network")                     \
    X(MODEL, "model")                         \
    X(NETWORK_OF, "net")                      \
    X(DTYPE, "precision")                     \
    X(ZERO, "zero")                           \
    X(SHARD, "shard")                         \
    X(RECOMPUTE, "recompute")                 \
    X(VPP, "interleave")                      \
    X(SEQUENCE_PARALLEL, "sequence_parallel") \
    X(FUSED, "fused_attention")               \
    X(LOSS, "loss")                           \
    X(REDUCE, "reduce")                       \
    X(RECOMPUTE_STOPS, "recompute_stops")     \
    X(EXPERT_ONCE, "expert_once")             \
    X(EXPERT_OVERLAP, "expert_overlap")       \
    X(RECOMPUTE_LAYERS, "recompute_layers")   \
    X(METHOD, "method")                       \
    X(SHAPE, "shape")                         \
    X(SAMPLE, "sample")                       \
    X(SOFTWARE, "software")                   \
    X(STACK, "framework")                     \
    X(ENGINE, "engine")                       \
    X(REGIME, "regime")                       \
    X(COUNTS, "counts")                       \
    X(WEIGHTS, "weights")                     \
    X(KV, "kv")                               \
    X(ROUTING, "routing")                     \
    X(ATTENTION_DP, "attention_dp")           \
    X(SPLIT, "split")                         \
    X(REQUESTS, "requests")                   \
    X(LIMITS, "limits")                       \
    X(IMAGE, "image")                         \
    X(STEPS, "steps")                         \
    X(IMAGES, "images")                       \
    X(SUSPECT, "suspect")                     \
    X(MEASURE, "measure")                     \
    X(FLOPS, "flops")
typedef enum {
#define SCORE_RULE_ENUM(code, name) SCORE_RULE_##code,
    SCORE_RULE_LIST(SCORE_RULE_ENUM) SCORE_RULE_N
#undef SCORE_RULE_ENUM
} score_rule_id_t;

/* How a metric says how fast a step is. */
typedef enum {
    SCORE_MEASURE_TOKENS_PER_DEVICE, /* tokens/s of one device */
    SCORE_MEASURE_TOKENS,            /* tokens/s of all */
    SCORE_MEASURE_SEQUENCES,         /* sequences/s of all */
    SCORE_MEASURE_SECONDS,           /* a step */
    SCORE_MEASURE_MILLISECONDS,
    SCORE_MEASURE_TFLOPS,        /* model FLOPs of one device, by the source's formula */
    SCORE_MEASURE_OUTPUT,        /* output tokens/s of all, serving */
    SCORE_MEASURE_LATENCY,       /* ms until the last token of a static batch */
    SCORE_MEASURE_TOKENS_SERVED, /* input and output tokens/s of all */
    SCORE_MEASURE_REQUESTS,      /* requests/s of all */
    SCORE_MEASURE_TTFT_MEAN,     /* ms, of a server */
    SCORE_MEASURE_ITL_MEAN,      /* ms, of a server */
    SCORE_MEASURE_TTFT,          /* ms until the first tokens of a static batch, no server */
    SCORE_MEASURE_IMAGES,        /* images/s of all */
    SCORE_MEASURE_NONE           /* it does not */
} score_measure_t;
/* How the requests of a serving row come. */
typedef enum {
    SCORE_REGIME_STATIC,    /* all start together */
    SCORE_REGIME_SATURATED, /* there are always more */
    SCORE_REGIME_OPEN       /* at a rate, or all at once: simulated */
} score_regime_t;
/* In which width gradients are sent, and whether they are kept so, too. */
typedef enum { SCORE_REDUCE_FP32, SCORE_REDUCE_NARROW, SCORE_REDUCE_NARROW_KEPT } score_reduce_t;
/* Which attention a source's FLOP formula counts. */
typedef enum { SCORE_FLOPS_FULL, SCORE_FLOPS_CAUSAL } score_flops_t;

#define SCORE_CONDITION_MAX 3
typedef struct {
    const char *pattern[SCORE_CONDITION_MAX]; /* whole cell; '*' stands for any text */
    const char *value;                        /* as written */
    const char *note;                         /* why, or what is assumed */
    uint8_t column[SCORE_CONDITION_MAX];      /* score_column_t; all must match */
    uint8_t n_condition;
    union {
        const assay_accelerator_t *part; /* NULL: not predicted */
        const assay_fabric_t *fabric;
        const assay_model_t *model;
        const assay_train_net_t *net;
        struct {
            const char *kind;
            double bits_per_s; /* of one NIC */
            uint32_t nics;     /* per node */
        } network;
        uint32_t code; /* the others: score_reason_t, assay_dtype_t, ZeRO stage ... */
    };
} score_rule_t;

typedef struct {
    score_rule_t *rule; /* by what they decide, in the table's order */
    uint32_t first[SCORE_RULE_N + 1];
} score_rules_t;

#define SCORE_TRAINING_RULES "score_rules.csv"
#define SCORE_SERVING_RULES "score_serving_rules.csv"
#define SCORE_IMAGE_RULES "score_image_rules.csv"
/** A table of data/ overlaid by the catalog's directories. Errors: ASSAY_INPUT, ASSAY_IO. */
assay_status_t score_rules_load(assay_arena_t *arena, const assay_catalog_t *catalog,
                                const char *table, score_rules_t *out, assay_error_t *err);
/**
 * The first rule about id that matches, or NULL. measured NULL: for the rules of a prediction,
 * which look at layout columns only (checked when they are loaded).
 */
const score_rule_t *score_rule_find(const score_rules_t *rules, score_rule_id_t id,
                                    const score_row_t *row, const score_measured_t *measured);

/* ---- reasons ---- */

#define SCORE_REASON_LIST(X)                                                      \
    X(NONE, NULL)                                                                 \
    X(ACCELERATOR, "the accelerator is not predicted by this version")            \
    X(MODEL, "the model's family is not predicted by this version")               \
    X(SUSPECT, "the row's own notes say that it is not to be trusted")            \
    X(METRIC, "the metric does not measure a training step")                      \
    X(FORMULA, "the source's FLOP formula is not known")                          \
    X(VALUE, "the measured value is not a positive number")                       \
    X(COUNT, "the number of devices is not given")                                \
    X(SHAPE, "the shape of the model is not given")                               \
    X(BATCH, "sequence or global batch is not given")                             \
    X(PRECISION, "the precision is not given")                                    \
    X(MACHINE, "no machine can be made of what the row says")                     \
    X(DEVICES, "the layout does not use the number of devices that the row says") \
    X(REFUSED, "no layout of this version is what the row says")                  \
    X(ENGINE, "the serving engine is not predicted by this version")              \
    X(LENGTHS, "input or output length is not given")                             \
    X(REGIME, "how the requests come is not predicted by this version")           \
    X(DATA_PARALLEL, "data-parallel attention is not predicted by this version")  \
    X(IMPOSSIBLE, "the measured rate is above the dense peak of the part")        \
    X(WEIGHTS_FIT, "the weights do not fit the devices that the row says")
typedef enum {
#define SCORE_REASON_ENUM(code, sentence) SCORE_REASON_##code,
    SCORE_REASON_LIST(SCORE_REASON_ENUM) SCORE_REASON_N
#undef SCORE_REASON_ENUM
} score_reason_t;

/** Why a row is skipped. */
typedef struct {
    uint8_t reason;   /* score_reason_t */
    char detail[160]; /* what of the row is behind it */
} score_skip_t;
const char *score_reason_sentence(score_reason_t reason);
/** Fills *out and returns false, so that callers write `return score_skip(...)`. */
bool score_skip(score_skip_t *out, score_reason_t reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- cases ---- */

typedef struct {
    assay_machine_t machine;
    assay_workload_t work;
    assay_layout_pin_t pin;
    const char *stack;    /* group name of the software */
    const char *software; /* whose constants speak; NULL: none */
    bool searched;        /* tp, pp or micro-batch are open */
} score_case_t;

typedef struct {
    const assay_catalog_t *catalog;
    const assay_calibration_t *calibration;
    score_rules_t rules;
    const assay_serve_engine_t *engine; /* of a table of serving measurements; NULL: of training */
    uint32_t n_engine;
    const assay_weight_format_t *format; /* (n_format); serving only */
    uint32_t n_format;
    score_rules_t image_rules; /* of its rows about images */
    const assay_image_engine_t *image_engine;
    uint32_t n_image_engine;
} score_context_t;

/**
 * What a row is about, as far as it can be known. true: everything is; else *out_skip says why.
 * arena: what the machine rests on.
 */
bool score_case_make(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                     score_case_t *out, score_skip_t *out_skip);
/** The model of a row: of that name in the catalog, else of its family, with the row's own shape.
 */
bool score_model_make(const score_context_t *context, const score_row_t *row,
                      assay_model_t *out_model, score_skip_t *out_skip);
/** A whole number > 0 in a cell. false when there is none or it is not that. */
bool score_row_count(const score_row_t *row, score_column_t column, uint32_t *out);

/**
 * The estimate of a case: the best layout among those that its pins leave open. Where the memory
 * model refuses all of them, the one that comes nearest to fitting; its times are valid.
 */
bool score_predict(assay_arena_t *arena, const score_case_t *of, assay_estimate_t *out,
                   score_skip_t *out_skip);

/* ---- serving ---- */

typedef struct {
    assay_machine_t machine;
    assay_serve_setup_t setup;
    assay_serve_step_t unit; /* prepared with assay_serve_unit() */
    assay_serve_load_t load;
    const assay_serve_engine_t *engine;
    score_regime_t regime;
    double rate_per_s;     /* open; infinite: all at once */
    double sequences;      /* that start together, or that are there at the same time */
    double requests;       /* of a saturated run; 0: without end */
    double weight_bits;    /* of one parameter, for the class of equal work */
    const char *precision; /* of the weights, as written */
} score_serving_t;

/** Engines, formats of weights and rules. Errors: ASSAY_INPUT with file:line, ASSAY_MEMORY. */
assay_status_t score_serving_tables(assay_arena_t *arena, score_context_t *io, assay_error_t *err);
/** As score_case_make, of a row of inference.csv. */
bool score_serving_make(const score_context_t *context, const score_row_t *row,
                        score_serving_t *out, score_skip_t *out_skip);
/** What a measure of this case is with these constants, in the measure's unit. Pure; not for rows
    that come at a rate. */
double score_serving_value(const score_serving_t *of, const assay_serve_constants_t *constants,
                           score_measure_t measure);
/** The same for those, by simulation. false: no memory, or the measure is none of them. */
bool score_serving_simulate(assay_arena_t *arena, const score_serving_t *of,
                            const assay_serve_constants_t *constants, score_measure_t measure,
                            double *out);
/** How the row is measured: SCORE_MEASURE_NONE when it says nothing that is predicted. */
score_measure_t score_serving_measure(const score_context_t *context, const score_row_t *row,
                                      const score_measured_t *measured, score_skip_t *out_skip);
/** Joins as score_join; constants of the calibration. */
bool score_serving_join(assay_arena_t *arena, const score_context_t *context,
                        const score_row_t *row, const score_measured_t *measured,
                        const score_serving_t *of, assay_score_item_t *io_item,
                        score_skip_t *out_skip);

/* ---- images, and encoders at once ---- */

typedef struct {
    assay_machine_t machine; /* one package */
    assay_image_work_t work;
    assay_image_taken_t taken;
    assay_image_step_t step;
    const assay_image_engine_t *engine;
    double devices; /* that share the load */
    double images;  /* that one of them works on at once */
} score_image_t;

/** The row is about images, or about sequences that an encoder takes at once. */
bool score_is_image(const score_context_t *context, const score_row_t *row);
/** As score_case_make; arena: for the networks. */
bool score_image_make(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                      score_image_t *out, score_skip_t *out_skip);
/** What was measured, images/s of one device; false when it is not that. Fills metric, unit and
    measured of io_item. */
bool score_image_measured(const score_context_t *context, const score_row_t *row,
                          const score_measured_t *measured, assay_score_item_t *io_item,
                          score_skip_t *out_skip);
/** Images/s of one device. */
double score_image_per_s(const score_image_t *of, const assay_image_constants_t *constants);
/** All of a row: makes, predicts and joins. work_key: of n_key characters, "" when skipped. */
void score_image_row(assay_arena_t *arena, const score_context_t *context, const score_row_t *row,
                     const score_measured_t *measured, assay_score_item_t *io_item, char *work_key,
                     size_t n_key, score_skip_t *out_skip);
/** Loads the engines and rules of images into a context. */
assay_status_t score_images_load(assay_arena_t *arena, score_context_t *io, assay_error_t *err);

/* ---- join and summary ---- */

/**
 * Joins what was measured to a prediction: fills metric, unit, measured and, when estimate is not
 * NULL, predicted, p10, p90, rel_error and the rates of io_item. false: nothing can be scored.
 */
bool score_join(const score_context_t *context, const score_row_t *row,
                const score_measured_t *measured, const score_case_t *of,
                const assay_estimate_t *estimate, assay_score_item_t *io_item,
                score_skip_t *out_skip);
/** Errors of all items and of groups. Items are final. */
assay_status_t score_summarise(assay_arena_t *arena, assay_score_t *io_score, assay_error_t *err);
assay_status_t score_rank(assay_arena_t *arena, assay_score_t *io_score, assay_error_t *err);

#endif
