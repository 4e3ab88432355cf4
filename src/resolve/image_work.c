/* A model by name becomes the stages of a request. */
#include "assay/image_work.h"

#include <assert.h>

/* width 0: the size that the network was made for. */
static assay_status_t lay_out(assay_arena_t *arena, const assay_catalog_t *catalog, const char *id,
                              uint32_t width, uint32_t height, assay_image_net_t *out,
                              assay_error_t *err) {
    assay_image_shape_t shape;
    const assay_status_t status =
        assay_image_find(arena, catalog->dir, catalog->n_dir, id, &shape, err);
    return status ? status
                  : assay_image_ops(arena, &shape, width ? width : shape.width,
                                    height ? height : shape.height, out, err);
}

static void add_stage(assay_image_work_t *io, const char *name, const assay_image_net_t *net,
                      uint32_t first_op, double passes, double copies, bool narrow) {
    assert(io->n_stage < ASSAY_IMAGE_STAGE_MAX);
    assay_image_stage_t *stage = &io->stage[io->n_stage++];
    *stage = (assay_image_stage_t){.name = name,
                                   .op = net->op + first_op,
                                   .n_op = net->n_op - first_op,
                                   .passes = passes,
                                   .copies = copies,
                                   .narrow = narrow};
    const assay_image_net_t part = {.op = net->op + first_op, .n_op = stage->n_op};
    stage->params = assay_image_params(&part);
}

static assay_status_t one_network(assay_arena_t *arena, const assay_catalog_t *catalog,
                                  const assay_image_ask_t *ask, assay_image_work_t *io,
                                  assay_image_taken_t *out_taken, assay_error_t *err) {
    assay_image_net_t net;
    const assay_status_t status =
        lay_out(arena, catalog, ask->model, ask->width, ask->height, &net, err);
    if (status == ASSAY_OK) {
        add_stage(io, "network", &net, 0, 1, 1, true);
        *out_taken = (assay_image_taken_t){.name = ask->model,
                                           .source = "image_models.csv",
                                           .width = net.width,
                                           .height = net.height,
                                           .steps = 1};
    }
    return status;
}

/* Guidance looks at each image twice, and at an empty text beside the one that is asked for. */
static assay_status_t all_stages(assay_arena_t *arena, const assay_catalog_t *catalog,
                                 const assay_image_pipeline_t *pipeline,
                                 const assay_image_taken_t *taken, assay_image_work_t *io,
                                 assay_error_t *err) {
    const double copies = taken->guided ? 2 : 1;
    assay_image_net_t net;
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < pipeline->n_encoder && !status; i++) {
        status = lay_out(arena, catalog, pipeline->encoder[i], 0, 0, &net, err);
        if (!status) {
            add_stage(io, "text", &net, 0, 1, copies, false);
        }
    }
    if (!status) {
        status =
            lay_out(arena, catalog, pipeline->denoiser, taken->width, taken->height, &net, err);
    }
    if (!status) {
        add_stage(io, "denoise", &net, 0, taken->steps, copies, true);
        status = lay_out(arena, catalog, pipeline->decoder, taken->width, taken->height, &net, err);
    }
    if (!status) {
        add_stage(io, "decode", &net, assay_image_decoder(&net), 1, 1, false);
    }
    return status;
}

assay_status_t assay_image_work_make(assay_arena_t *arena, const assay_catalog_t *catalog,
                                     const assay_image_ask_t *ask, assay_image_work_t *out,
                                     assay_image_taken_t *out_taken, assay_error_t *err) {
    assay_image_pipeline_t pipeline;
    assay_error_t no_pipeline, no_network;
    *out = (assay_image_work_t){.dtype = ask->dtype};
    assay_status_t status = assay_image_pipeline_find(arena, catalog->dir, catalog->n_dir,
                                                      ask->model, &pipeline, &no_pipeline);
    if (status == ASSAY_NOT_FOUND) {
        if (ask->steps > 1 || ask->guided > 0) {
            assay_image_shape_t shape;
            if (assay_image_find(arena, catalog->dir, catalog->n_dir, ask->model, &shape,
                                 &no_network) == ASSAY_OK) {
                assay_error_set(err, ASSAY_INPUT, NULL,
                                "'%s' is one network that looks once: it has no steps, no guidance",
                                ask->model);
                return ASSAY_INPUT;
            }
        }
        status = one_network(arena, catalog, ask, out, out_taken, &no_network);
        if (status && err) {
            /* the names of pipelines are those that people mean */
            *err = status == ASSAY_NOT_FOUND ? no_pipeline : no_network;
        }
        return status;
    }
    if (status) {
        if (err) {
            *err = no_pipeline;
        }
        return status;
    }
    *out_taken = (assay_image_taken_t){.name = pipeline.id,
                                       .source = pipeline.source,
                                       .width = ask->width ? ask->width : pipeline.width,
                                       .height = ask->height ? ask->height : pipeline.height,
                                       .steps = ask->steps ? ask->steps : pipeline.steps,
                                       .pipeline = true,
                                       .guided = ask->guided < 0 ? pipeline.guided : ask->guided};
    return all_stages(arena, catalog, &pipeline, out_taken, out, err);
}
