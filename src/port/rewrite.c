#include "port/rewrite.h"

#include <string.h>

#include "base/banned.h"

/* What a rewrite is for when it is not told; as for a scan. */
#define ROCM_DEFAULT 700u
#define MAX_BYTES ((size_t)64 << 20)

void port_rewrite_add(port_rewrite_t *rewrite, size_t at, size_t n, const char *text) {
    if (rewrite->n_edit == rewrite->capacity) {
        const uint32_t capacity = rewrite->capacity ? 2 * rewrite->capacity : 64;
        port_edit_t *grown = assay_arena_array(rewrite->arena, capacity, sizeof *grown);
        if (!grown) {
            rewrite->failed = true;
            return;
        }
        if (rewrite->n_edit) {
            memcpy(grown, rewrite->edit, rewrite->n_edit * sizeof *grown);
        }
        rewrite->edit = grown;
        rewrite->capacity = capacity;
    }
    rewrite->edit[rewrite->n_edit++] = (port_edit_t){at, n, text};
}

bool port_rewrite_edits(port_rewrite_t *rewrite) {
    switch (rewrite->language) {
    case ASSAY_PORT_CUDA:
    case ASSAY_PORT_C:
    case ASSAY_PORT_CPP:
        port_rewrite_c(rewrite);
        break;
    case ASSAY_PORT_CMAKE:
    case ASSAY_PORT_MAKE:
        port_rewrite_build(rewrite);
        break;
    default:
        break;
    }
    return !rewrite->failed;
}

struct assay_port_rewriter {
    const port_tables_t *tables;
    assay_port_options_t options;
};

assay_status_t assay_port_rewriter_create(assay_arena_t *arena, const assay_port_options_t *options,
                                          const assay_port_rewriter_t **out_rewriter,
                                          assay_error_t *err) {
    assay_port_rewriter_t *rewriter = assay_arena_alloc(arena, sizeof *rewriter);
    if (!rewriter) {
        return assay_error_memory(err, NULL);
    }
    rewriter->options = *options;
    rewriter->options.rocm = options->rocm ? options->rocm : ROCM_DEFAULT;
    const assay_status_t status = port_tables_load(arena, options->lang, &rewriter->tables, err);
    if (status == ASSAY_OK) {
        *out_rewriter = rewriter;
    }
    return status;
}

assay_status_t assay_port_rewriter_run(const assay_port_rewriter_t *rewriter, assay_arena_t *arena,
                                       const char *path, const char *data, size_t size,
                                       assay_buf_t *out, uint32_t *out_changes,
                                       assay_error_t *err) {
    const assay_place_t at = {.file = path};
    port_rewrite_t rewrite = {.tables = rewriter->tables,
                              .options = &rewriter->options,
                              .path = path,
                              .data = data,
                              .size = size,
                              .language = (uint8_t)port_language(path, data, size),
                              .arena = arena};
    if (size > MAX_BYTES) {
        (void)assay_error_set(err, ASSAY_LIMIT, &at, "larger than the 64 MiB that are rewritten");
        assay_error_next(err, "split the file");
        return ASSAY_LIMIT;
    }
    if (!port_rewrite_edits(&rewrite)) {
        return assay_error_memory(err, &at);
    }
    size_t done = 0;
    for (uint32_t i = 0; i < rewrite.n_edit; i++) {
        const port_edit_t *edit = &rewrite.edit[i];
        assay_buf_add(out, data + done, edit->at - done);
        assay_buf_puts(out, edit->text);
        done = edit->at + edit->n;
    }
    assay_buf_add(out, data + done, size - done);
    *out_changes = rewrite.n_edit;
    return out->failed ? assay_error_memory(err, &at) : ASSAY_OK;
}

assay_status_t assay_port_rewrite(assay_arena_t *arena, const char *path, const char *data,
                                  size_t size, const assay_port_options_t *options,
                                  assay_buf_t *out, uint32_t *out_changes, assay_error_t *err) {
    const assay_port_rewriter_t *rewriter = NULL;
    const assay_status_t status = assay_port_rewriter_create(arena, options, &rewriter, err);
    return status == ASSAY_OK
               ? assay_port_rewriter_run(rewriter, arena, path, data, size, out, out_changes, err)
               : status;
}
