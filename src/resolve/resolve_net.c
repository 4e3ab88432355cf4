/* Training of a network of operations: which network, and which keys of a job mean something. */
#include <string.h>

#include "assay/text.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

static assay_status_t refuse_key(resolve_context_t *context, const assay_place_t *at,
                                 const char *key, const assay_workload_t *work, const char *why,
                                 const char *next) {
    assay_error_set(context->err, ASSAY_INPUT, at, "'%s' does not apply to '%s': %s", key,
                    work->model.id, why);
    assay_error_next(context->err, "%s", next);
    return ASSAY_INPUT;
}

/* One key of a kind: a number or a choice that the job gives. */
typedef struct {
    const char *key;
    size_t offset;
    bool choice;
} key_t;
#define NUMBER_KEY(type, field) \
    { #field, offsetof(type, field), false }
#define CHOICE_KEY(type, field) \
    { #field, offsetof(type, field), true }

/* The first of the keys that is given and says more than nothing (above least), or NULL. */
static const key_t *find_given(const void *from, const key_t *key, size_t n, double least,
                               const assay_place_t **out_at) {
    for (size_t i = 0; i < n; i++) {
        const void *at = (const char *)from + key[i].offset;
        const assay_number_t *number = at;
        const assay_choice_t *choice = at;
        if (key[i].choice && choice->origin == ASSAY_GIVEN && choice->v > 0) {
            *out_at = &choice->at;
            return &key[i];
        }
        if (!key[i].choice && number->origin == ASSAY_GIVEN && number->v > least) {
            *out_at = &number->at;
            return &key[i];
        }
    }
    return NULL;
}

#define KEYS(list) list, sizeof(list) / sizeof(list)[0]

static const key_t decoder_key[] = {NUMBER_KEY(assay_job_train_t, sample_tokens),
                                    NUMBER_KEY(assay_job_train_t, expert_imbalance),
                                    NUMBER_KEY(assay_job_train_t, lora_rank),
                                    CHOICE_KEY(assay_job_train_t, expert_dispatch),
                                    CHOICE_KEY(assay_job_train_t, expert_overlap),
                                    CHOICE_KEY(assay_job_train_t, method),
                                    CHOICE_KEY(assay_job_train_t, loss)};
static const key_t word_key[] = {NUMBER_KEY(assay_job_train_t, sequence),
                                 NUMBER_KEY(assay_job_train_t, dataset_tokens),
                                 NUMBER_KEY(assay_job_train_t, global_batch_tokens)};
static const key_t image_key[] = {NUMBER_KEY(assay_job_train_t, image_size),
                                  CHOICE_KEY(assay_job_train_t, latents)};
static const key_t cut_key[] = {NUMBER_KEY(assay_job_layout_t, tp),
                                NUMBER_KEY(assay_job_layout_t, pp),
                                NUMBER_KEY(assay_job_layout_t, vpp),
                                NUMBER_KEY(assay_job_layout_t, cp),
                                NUMBER_KEY(assay_job_layout_t, ep),
                                NUMBER_KEY(assay_job_layout_t, etp),
                                CHOICE_KEY(assay_job_layout_t, cp_comm),
                                CHOICE_KEY(assay_job_layout_t, schedule),
                                CHOICE_KEY(assay_job_layout_t, sequence_parallel)};

static bool of_words(const assay_train_net_t *net) {
    return strcmp(net->sample, "sequence") == 0;
}

assay_status_t resolve_net_keys(resolve_context_t *context, const assay_job_train_t *train,
                                const assay_workload_t *work) {
    const assay_place_t *at = NULL;
    const key_t *key;
    if (!work->net.sample) {
        key = find_given(train, KEYS(image_key), 0, &at);
        return key ? refuse_key(context, at, key->key, work, "it works on words", "leave it out")
                   : ASSAY_OK;
    }
    if ((key = find_given(train, KEYS(decoder_key), 0, &at))) {
        return refuse_key(context, at, key->key, work, "it is of language models that decode",
                          "leave it out");
    }
    if (of_words(&work->net)) {
        key = find_given(train, KEYS(image_key), 0, &at);
        return key ? refuse_key(context, at, key->key, work, "its samples are words",
                                "give sequence, in tokens")
                   : ASSAY_OK;
    }
    if ((key = find_given(train, KEYS(word_key), 0, &at))) {
        return refuse_key(context, at, key->key, work, "its samples are images",
                          "images are counted by dataset_samples and global_batch, their pixels "
                          "by image_size");
    }
    if (train->latents.origin == ASSAY_GIVEN && train->latents.v && !work->net.keeps_latents) {
        return refuse_key(context, &train->latents.at, "latents", work,
                          "it has no encoders that stand still",
                          "pipelines such as sdxl have them");
    }
    return ASSAY_OK;
}

assay_status_t resolve_net_pin(resolve_context_t *context, const assay_job_layout_t *layout,
                               const assay_workload_t *work, assay_layout_pin_t *io) {
    const assay_place_t *at = NULL;
    if (!work->net.sample) {
        return ASSAY_OK;
    }
    const key_t *key = find_given(layout, KEYS(cut_key), 1, &at);
    if (key) {
        return refuse_key(context, at, key->key, work, "it is trained whole on each device",
                          "possible are dp, micro_batch, zero, shard and recompute");
    }
    io->tp = io->pp = io->vpp = io->cp = io->ep = io->etp = 1;
    return ASSAY_OK;
}

/* A file of one network, as diffusers, ViT and BERT write it; else out_shape->id stays NULL. */
static assay_status_t shape_of_file(resolve_context_t *context, const assay_node_t *node,
                                    assay_image_shape_t *out_shape) {
    const char *path = resolve_model_path(context, node);
    if (!path) {
        return resolve_no_memory(context);
    }
    assay_model_file_t file;
    const assay_status_t status = assay_model_file_read(context->arena, path, &file, context->err);
    if (!status && !file.decoder && file.n_component == 1 && file.component[0].laid_out) {
        *out_shape = file.component[0].image;
    }
    return status;
}

static assay_status_t note_size(resolve_context_t *context, const assay_job_train_t *train,
                                const assay_train_net_t *net) {
    const bool words = of_words(net);
    const assay_number_t *given = words ? &train->sequence : &train->image_size;
    if (given->origin == ASSAY_GIVEN) {
        return ASSAY_OK;
    }
    const char *value =
        words ? RESOLVE_SAY(context, TOKENS, resolve_amount(context, net->width, ASSAY_DIM_COUNT))
              : assay_arena_printf(context->arena, "%u x %u", net->width, net->height);
    return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION,
                                words ? "train.sequence" : "train.image_size", value, net->source,
                                NULL)
                 : resolve_no_memory(context);
}

static assay_status_t make(resolve_context_t *context, const assay_job_train_t *train,
                           const assay_image_shape_t *shape, assay_workload_t *io) {
    const assay_node_t *node = train->model;
    const uint32_t side =
        train->image_size.origin == ASSAY_GIVEN ? (uint32_t)train->image_size.v : 0;
    const uint32_t tokens = train->sequence.origin == ASSAY_GIVEN ? (uint32_t)train->sequence.v : 0;
    const assay_train_net_ask_t ask = {.model = node->text,
                                       .shape = shape,
                                       .width = side ? side : tokens,
                                       .height = side,
                                       .tunes = train == &context->job->workload.finetune,
                                       .latents = train->latents.v != 0};
    return assay_train_net_make(context->arena, context->catalog, &ask, &io->net, context->err);
}

assay_status_t resolve_net(resolve_context_t *context, const assay_job_train_t *train,
                           assay_workload_t *io) {
    const assay_node_t *node = train->model;
    assay_image_shape_t shape = {0};
    assay_status_t status = ASSAY_OK;
    if (node->kind != ASSAY_NODE_SCALAR) {
        return ASSAY_OK;
    }
    const bool path = assay_model_is_path(node->text);
    if (path && !assay_model_is_weights(node->text)) {
        status = shape_of_file(context, node, &shape);
    }
    if (status || (path && !shape.id)) {
        return status;
    }
    status = make(context, train, path ? &shape : NULL, io);
    if (status == ASSAY_NOT_FOUND) { /* a decoder, or nothing: resolve_model says */
        io->net = (assay_train_net_t){0};
        return ASSAY_OK;
    }
    if (status) {
        const assay_error_t found = *context->err;
        assay_error_set(context->err, status, &node->at, "%s", found.what);
        assay_error_next(context->err, "%s", found.next);
        return status;
    }
    assay_train_workload(&io->net, io);
    return note_size(context, train, &io->net);
}

/* What follows from the network where the job leaves it open. */
assay_status_t resolve_net_recipe(resolve_context_t *context, const assay_job_train_t *train,
                                  assay_workload_t *io) {
    static const char *const name[ASSAY_OPTIMIZER_N] = {[ASSAY_OPTIMIZER_ADAM] = "adam",
                                                        [ASSAY_OPTIMIZER_SGD] = "sgd",
                                                        [ASSAY_OPTIMIZER_MOMENTUM] = "momentum",
                                                        [ASSAY_OPTIMIZER_LAMB] = "lamb"};
    if (!io->net.sample) {
        return ASSAY_OK;
    }
    if (assay_dtype_bytes(io->dtype) < 2) {
        return refuse_key(context, &train->precision.at, "precision", io,
                          "convolutions and encoders are trained in 16 bits or more",
                          "give bf16, fp16, tf32 or fp32");
    }
    assay_status_t status = ASSAY_OK;
    if (io->net.sigma > 0) {
        const char *text = RESOLVE_SAY(context, NET_UNSURE, io->model.id);
        status = text ? resolve_note(context, ASSAY_NOTE_WARNING, "train.model", NULL,
                                     io->net.sigma_source, text)
                      : resolve_no_memory(context);
    }
    if (status || train->optimizer.origin == ASSAY_GIVEN) {
        return status;
    }
    io->recipe.optimizer = io->net.optimizer;
    return resolve_note(context, ASSAY_NOTE_ASSUMPTION, "optimizer", name[io->net.optimizer],
                        io->net.recipe_source, NULL);
}

/* Samples of a step, where the job does not say: its recipe's. */
assay_status_t resolve_net_batch(resolve_context_t *context, const assay_job_train_t *train,
                                 assay_workload_t *io) {
    if (io->net.global_batch == 0) {
        assay_error_set(context->err, ASSAY_INPUT, &train->model->at,
                        "the global batch of '%s' is not known", io->model.id);
        assay_error_next(context->err, "give workload.train.global_batch (--global-batch)");
        return ASSAY_INPUT;
    }
    io->global_batch = io->net.global_batch;
    const char *value = resolve_amount(context, io->global_batch, ASSAY_DIM_COUNT);
    return value ? resolve_note(context, ASSAY_NOTE_ASSUMPTION, "train.global_batch", value,
                                io->net.recipe_source, NULL)
                 : resolve_no_memory(context);
}
