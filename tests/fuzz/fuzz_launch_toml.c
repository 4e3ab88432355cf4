/* TOML of configurations, without the table of arguments: every key of the tree is there once. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/launch_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)16 << 20);
    assay_node_t *root = NULL;
    assay_error_t err = {0};
    const assay_status_t status =
        launch_parse_toml(arena, "a.toml", (const char *)data, size, &root, &err);
    assert(status == ASSAY_OK || status == ASSAY_INPUT || status == ASSAY_LIMIT);
    assert((status == ASSAY_OK) == (root != NULL));
    for (const assay_node_t *child = root ? root->child : NULL; child; child = child->next) {
        assert(assay_node_find(root, child->key) == child);
    }
    assay_arena_destroy(arena);
    return 0;
}
