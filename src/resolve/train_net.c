/* Which operations of a network learn, and what the tables say of each. */
#include "assay/train_net.h"

#include <string.h>

#include "assay/job.h" /* assay_optimizer_t */
#include "assay/text.h"
#include "assay/workload.h"

#include "base/banned.h"

#define NETS "train_nets.csv"
#define PASSES "train_passes.csv"

static const char *const net_name[ASSAY_NET_N] = {"unet", "flux", "vae",  "resnet",
                                                  "vit",  "bert", "clip", "t5"};
static const char *const kind_name[ASSAY_IMAGE_KIND_N] = {[ASSAY_IMAGE_NORM] = "norm",
                                                          [ASSAY_IMAGE_ACTIVATION] = "activation",
                                                          [ASSAY_IMAGE_ADD] = "add",
                                                          [ASSAY_IMAGE_GATHER] = "gather"};

typedef struct {
    assay_arena_t *arena;
    const assay_catalog_t *catalog;
    const assay_train_net_ask_t *ask;
    assay_csv_t nets, passes;
    assay_train_net_t *out;
    assay_train_net_op_t *op; /* of out, until it is whole */
    assay_error_t *err;
} make_t;

static const char *cell(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

static bool fits(const assay_csv_t *csv, uint32_t row, const char *column, const char *name) {
    const char *pattern = cell(csv, row, column);
    return strcmp(pattern, "*") == 0 || strcmp(pattern, name) == 0;
}

static assay_status_t number(const assay_csv_t *csv, uint32_t row, const char *column,
                             assay_error_t *err, double *out) {
    const char *text = cell(csv, row, column);
    if (assay_text_to_double(text, strlen(text), out) && *out >= 0) {
        return ASSAY_OK;
    }
    return assay_csv_refuse(csv, row, column, "a number that is not below 0", err);
}

/* The first row that fits says how often a stream passes; products pass once in any case. */
static assay_status_t read_passes(const make_t *make, uint8_t net, assay_train_net_op_t *io) {
    const assay_csv_t *csv = &make->passes;
    const char *kind = kind_name[io->op.kind];
    io->kept = true;
    for (uint32_t row = 0; kind && row < csv->n_rows; row++) {
        if (fits(csv, row, "net", net_name[net]) && fits(csv, row, "kind", kind) &&
            fits(csv, row, "op", io->op.name)) {
            const assay_status_t status = number(csv, row, "forward", make->err, &io->forward);
            io->kept = strcmp(cell(csv, row, "kept"), "no") != 0;
            return status ? status : number(csv, row, "backward", make->err, &io->backward);
        }
    }
    return kind ? assay_error_set(make->err, ASSAY_INPUT, NULL,
                                  PASSES " has no row for operation '%s' of '%s'", io->op.name,
                                  net_name[net])
                : ASSAY_OK;
}

/* "attention_residual" is followed by the other half of its block. */
static bool ends_block(const assay_image_op_t *op) {
    return op->kind == ASSAY_IMAGE_ADD && strstr(op->name, "residual") != NULL &&
           strcmp(op->name, "attention_residual") != 0;
}

/* Appends n operations. */
static assay_status_t append(make_t *make, uint8_t net, const assay_image_op_t *op, uint32_t n) {
    assay_status_t status = ASSAY_OK;
    if (n > ASSAY_IMAGE_OP_MAX - make->out->n_op) {
        return assay_error_set(make->err, ASSAY_LIMIT, NULL, "'%s' has more than %d operations",
                               make->ask->model, ASSAY_IMAGE_OP_MAX);
    }
    for (uint32_t i = 0; i < n && !status; i++) {
        assay_train_net_op_t *io = &make->op[make->out->n_op++];
        *io = (assay_train_net_op_t){.op = op[i], .ends_block = ends_block(&op[i])};
        status = read_passes(make, net, io);
        /* nothing but the sum needs what goes into it */
        const bool product = op[i].kind < ASSAY_IMAGE_NORM;
        if (product && i + 1 < n && op[i + 1].kind == ASSAY_IMAGE_ADD) {
            io->kept = false;
        }
    }
    return status;
}

/* The words that were masked are guessed: a transform and the table of words, which is the one that
   they are looked up in (transformers, BertLMPredictionHead). */
static assay_status_t append_words(make_t *make, const assay_image_shape_t *shape, double masked) {
    const double h = shape->hidden, words = shape->vocab, rows = masked * make->out->width;
    const assay_image_op_t op[] = {
        {.name = "words_transform", .kind = ASSAY_IMAGE_GEMM, .k = h, .n = h, .params = h * h + h},
        {.name = "words_activation", .kind = ASSAY_IMAGE_ACTIVATION, .n = h},
        {.name = "words_norm", .kind = ASSAY_IMAGE_NORM, .n = h, .params = 2 * h},
        {.name = "words", .kind = ASSAY_IMAGE_GEMM, .k = h, .n = words, .params = words},
        {.name = "words_loss", .kind = ASSAY_IMAGE_ADD, .n = words},
    };
    assay_image_op_t sized[sizeof op / sizeof op[0]];
    for (size_t i = 0; i < sizeof op / sizeof op[0]; i++) {
        sized[i] = op[i];
        sized[i].positions = rows;
        sized[i].groups = sized[i].window = 1;
    }
    return append(make, shape->net, sized, sizeof op / sizeof op[0]);
}

static assay_status_t lay_out(const make_t *make, const char *id, uint32_t width, uint32_t height,
                              assay_image_shape_t *out_shape, assay_image_net_t *out) {
    const assay_catalog_t *catalog = make->catalog;
    const assay_status_t status =
        assay_image_find(make->arena, catalog->dir, catalog->n_dir, id, out_shape, make->err);
    return status ? status
                  : assay_image_ops(make->arena, out_shape, width ? width : out_shape->width,
                                    height ? height : out_shape->height, out, make->err);
}

static void sum_up(assay_train_net_t *io) {
    for (uint32_t i = 0; i < io->n_op; i++) {
        const assay_image_op_t *op = &io->op[i].op;
        const bool trained = i < io->n_trained;
        *(trained ? &io->params : &io->frozen_params) += op->params;
        *(trained ? &io->forward_flops : &io->frozen_flops) += assay_image_op_flops(op);
        io->blocks += trained && io->op[i].ends_block;
    }
    io->blocks = io->blocks ? io->blocks : 1;
}

static bool read_optimizer(const char *word, uint8_t *out) {
    static const struct {
        const char *word;
        assay_optimizer_t optimizer;
    } row[] = {{"adam", ASSAY_OPTIMIZER_ADAM},
               {"lamb", ASSAY_OPTIMIZER_LAMB},
               {"momentum", ASSAY_OPTIMIZER_MOMENTUM},
               {"sgd", ASSAY_OPTIMIZER_SGD}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (strcmp(row[i].word, word) == 0) {
            *out = (uint8_t)row[i].optimizer;
            return true;
        }
    }
    return false;
}

/* The row of a kind of network; n_rows: there is none. */
static uint32_t row_of(const assay_csv_t *csv, uint8_t net) {
    uint32_t row = 0;
    while (row < csv->n_rows && strcmp(cell(csv, row, "net"), net_name[net]) != 0) {
        row++;
    }
    return row;
}

static assay_status_t add_trained(make_t *make, const assay_image_shape_t *shape,
                                  const assay_image_net_t *net) {
    const assay_csv_t *csv = &make->nets;
    const uint32_t row = row_of(csv, shape->net);
    double masked = 0;
    if (row == csv->n_rows) {
        assay_error_set(make->err, ASSAY_INPUT, NULL,
                        "training of '%s' is not predicted by this version: it is of kind '%s'",
                        make->ask->model, net_name[shape->net]);
        assay_error_next(make->err, "residual networks, vision transformers, BERT, U-Nets, FLUX "
                                    "and the pipelines of images are");
        return ASSAY_INPUT;
    }
    const char *optimizer = make->ask->tunes ? "tuned_optimizer" : "optimizer";
    if (!read_optimizer(cell(csv, row, optimizer), &make->out->optimizer)) {
        return assay_csv_refuse(csv, row, optimizer, "adam, lamb, momentum or sgd", make->err);
    }
    if (!make->ask->tunes && *cell(csv, row, "global_batch")) {
        double batch = 0;
        const assay_status_t status = number(csv, row, "global_batch", make->err, &batch);
        if (status) {
            return status;
        }
        make->out->global_batch = (uint32_t)batch;
    }
    const assay_status_t known = number(csv, row, "sigma", make->err, &make->out->sigma);
    if (known) {
        return known;
    }
    make->out->sample = cell(csv, row, "sample");
    make->out->recipe_source = cell(csv, row, "source");
    make->out->sigma_source = cell(csv, row, "sigma_source");
    make->out->width = net->width;
    make->out->height = net->height;
    assay_status_t status = append(make, shape->net, net->op, net->n_op);
    if (!status && !make->ask->tunes && *cell(csv, row, "masked")) {
        status = number(csv, row, "masked", make->err, &masked);
        status = status ? status : append_words(make, shape, masked);
    }
    make->out->n_trained = make->out->n_op;
    return status;
}

/* The text as it is, and the image as a latent. */
static assay_status_t add_frozen(make_t *make, const assay_image_pipeline_t *pipeline) {
    assay_image_shape_t shape;
    assay_image_net_t net;
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < pipeline->n_encoder && !status; i++) {
        status = lay_out(make, pipeline->encoder[i], 0, 0, &shape, &net);
        status = status ? status : append(make, shape.net, net.op, net.n_op);
    }
    if (!status) {
        status =
            lay_out(make, pipeline->decoder, make->out->width, make->out->height, &shape, &net);
    }
    return status ? status : append(make, shape.net, net.op, assay_image_decoder(&net));
}

static assay_status_t make_ops(make_t *make) {
    const assay_train_net_ask_t *ask = make->ask;
    const assay_catalog_t *catalog = make->catalog;
    assay_image_pipeline_t pipeline;
    assay_image_shape_t shape;
    assay_image_net_t net;
    assay_error_t no_pipeline;
    assay_status_t status;
    if (ask->shape) {
        make->out->source = ask->shape->source;
        status =
            assay_image_ops(make->arena, ask->shape, ask->width ? ask->width : ask->shape->width,
                            ask->height ? ask->height : ask->shape->height, &net, make->err);
        return status ? status : add_trained(make, ask->shape, &net);
    }
    status = assay_image_pipeline_find(make->arena, catalog->dir, catalog->n_dir, ask->model,
                                       &pipeline, &no_pipeline);
    if (status == ASSAY_NOT_FOUND) {
        status = lay_out(make, ask->model, ask->width, ask->height, &shape, &net);
        if (!status) {
            make->out->source = shape.source;
            status = add_trained(make, &shape, &net);
        }
        return status;
    }
    if (status) {
        return assay_error_set(make->err, status, NULL, "%s", no_pipeline.what);
    }
    make->out->source = pipeline.source;
    make->out->keeps_latents = true;
    status = lay_out(make, pipeline.denoiser, ask->width ? ask->width : pipeline.width,
                     ask->height ? ask->height : pipeline.height, &shape, &net);
    status = status ? status : add_trained(make, &shape, &net);
    return status || ask->latents ? status : add_frozen(make, &pipeline);
}

assay_status_t assay_train_net_make(assay_arena_t *arena, const assay_catalog_t *catalog,
                                    const assay_train_net_ask_t *ask, assay_train_net_t *out,
                                    assay_error_t *err) {
    make_t make = {.arena = arena, .catalog = catalog, .ask = ask, .out = out, .err = err};
    *out = (assay_train_net_t){.id = ask->model};
    assay_status_t status =
        assay_data_table(arena, NETS, catalog->dir, catalog->n_dir, &make.nets, err);
    if (!status) {
        status = assay_data_table(arena, PASSES, catalog->dir, catalog->n_dir, &make.passes, err);
    }
    make.op = status ? NULL : assay_arena_array(arena, ASSAY_IMAGE_OP_MAX, sizeof *make.op);
    if (!status && !make.op) {
        status = assay_error_memory(err, NULL);
    }
    status = status ? status : make_ops(&make);
    out->op = make.op;
    if (!status) {
        sum_up(out);
    }
    return status;
}

void assay_train_workload(const assay_train_net_t *net, assay_workload_t *io) {
    io->net = *net;
    io->model = (assay_model_t){.id = net->id,
                                .source = net->source,
                                .kind = net->sample,
                                .layers = net->blocks,
                                .hidden = 1,
                                .heads = 1,
                                .kv_heads = 1,
                                .head_dim = 1,
                                .ffn = 1,
                                .vocab = 1};
    io->count = (assay_model_count_t){.total = net->params, .active = net->params};
    io->sequence = 1;
    io->recipe.optimizer = net->optimizer;
    io->model_flops_per_token = io->causal_flops_per_token = assay_train_net_flops(net);
}
