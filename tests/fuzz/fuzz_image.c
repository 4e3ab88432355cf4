/* config.json of diffusers, ViT and BERT: whatever is accepted can be laid out or is refused. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "assay/image_ops.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)4 << 20);
    assay_image_shape_t shape;
    assay_image_net_t net;
    assay_error_t err;
    double flops[ASSAY_IMAGE_KIND_N];
    if (assay_image_read(arena, "config.json", (const char *)data, size, &shape, &err) ==
            ASSAY_OK &&
        assay_image_ops(arena, &shape, shape.width, shape.height, &net, &err) == ASSAY_OK) {
        const double params = assay_image_params(&net);
        if (!(params > 0) || !isfinite(params) || !isfinite(assay_image_flops(&net, flops))) {
            abort();
        }
    }
    assay_arena_destroy(arena);
    return 0;
}
