/* The rewrite: edits are in order and disjoint, what is between them is copied as it is, and a
   second rewrite finds nothing to do. */
#include "fuzz_port.h"
#include "port/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *apply(const port_rewrite_t *rewrite, size_t *out_n) {
    size_t n = rewrite->size, done = 0, at = 0;
    for (uint32_t i = 0; i < rewrite->n_edit; i++) {
        n += strlen(rewrite->edit[i].text);
    }
    char *out = malloc(n + 1);
    for (uint32_t i = 0; i < rewrite->n_edit; i++) {
        const port_edit_t *edit = &rewrite->edit[i];
        assert(edit->at >= done && edit->at + edit->n <= rewrite->size);
        memcpy(out + at, rewrite->data + done, edit->at - done);
        at += edit->at - done;
        memcpy(out + at, edit->text, strlen(edit->text));
        at += strlen(edit->text);
        done = edit->at + edit->n;
    }
    memcpy(out + at, rewrite->data + done, rewrite->size - done);
    *out_n = at + rewrite->size - done;
    return out;
}

static void run(const char *path, assay_port_language_t language, const char *data, size_t size) {
    const assay_port_options_t options = {.rocm = 700, .target = "gfx942"};
    assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
    port_rewrite_t first = {.tables = fuzz_port_tables(),
                            .options = &options,
                            .path = path,
                            .data = data,
                            .size = size,
                            .language = (uint8_t)language,
                            .arena = arena};
    if (port_rewrite_edits(&first)) {
        size_t n;
        char *once = apply(&first, &n);
        port_rewrite_t second = first;
        second.data = once;
        second.size = n;
        second.edit = NULL;
        second.n_edit = second.capacity = 0;
        assert(!port_rewrite_edits(&second) || second.n_edit == 0);
        free(once);
    }
    assay_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    run("a.cu", ASSAY_PORT_CUDA, (const char *)data, size);
    run("CMakeLists.txt", ASSAY_PORT_CMAKE, (const char *)data, size);
    run("Makefile", ASSAY_PORT_MAKE, (const char *)data, size);
    return 0;
}
