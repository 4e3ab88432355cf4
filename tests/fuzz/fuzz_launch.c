/* Launch scripts and configurations: the first byte says what kind of file it is. What is read is
   written as YAML, and that must be a document. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/launch.h"
#include "assay/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const name[] = {"run.sh", "a.json", "a.yaml", "a.toml", "a.py"};
    if (size == 0) {
        return 0;
    }
    const assay_launch_file_t file = {name[data[0] % 5], (const char *)data + 1, size - 1};
    assay_arena_t *arena = assay_arena_create((size_t)32 << 20);
    assay_launch_t *launch = NULL;
    assay_error_t err = {0};
    const assay_status_t status = assay_launch_read(arena, &file, 1, NULL, NULL, 0, &launch, &err);
    assert(status == ASSAY_OK || status == ASSAY_INPUT || status == ASSAY_LIMIT);
    assert((status == ASSAY_OK) == (launch != NULL));
    if (launch) {
        assay_buf_t yaml;
        assay_node_t *root;
        assay_buf_init(&yaml, (size_t)8 << 20);
        assay_launch_yaml(launch, &yaml);
        if (!yaml.failed && assay_text_utf8_bad(yaml.data, yaml.n) == yaml.n) {
            const assay_status_t again =
                assay_node_parse(arena, "job.yaml", yaml.data, yaml.n, &root, &err);
            assert(again == ASSAY_OK || again == ASSAY_LIMIT);
        }
        assay_buf_done(&yaml);
    }
    assay_arena_destroy(arena);
    return 0;
}
