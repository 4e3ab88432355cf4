/* Any text under any name: the file's name is the first line. Cleaning, splitting, choosing a
 * parser. */
#include "fuzz_host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    const char *end = size ? memchr(text, '\n', size) : NULL;
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20);
    if (!arena || !end || end - text > 200) {
        assay_arena_destroy(arena);
        return 0;
    }
    const size_t n_name = (size_t)(end - text);
    const assay_host_file_t file = {assay_arena_strndup(arena, text, n_name), end + 1,
                                    size - n_name - 1};
    const assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    assay_host_t *host;
    assay_diagnosis_t *diagnosis;
    assay_status_t status =
        assay_host_read_files(arena, fuzz_host_rules(), "fuzz", &file, 1, &host, NULL);
    if (status == ASSAY_OK) {
        status = assay_doctor(arena, fuzz_host_rules(), host, &options, &diagnosis, NULL);
    }
    if (status != ASSAY_OK && status != ASSAY_LIMIT) {
        abort();
    }
    assay_arena_destroy(arena);
    return 0;
}
