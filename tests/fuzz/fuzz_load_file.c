#include <stdint.h>
#include <stdlib.h>

#include "assay/load_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte says what is asked; the rest is the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const assay_load_word_t word[] = {{"%", ASSAY_LOAD_PERCENT},
                                             {"_ratio", ASSAY_LOAD_FRACTION}};
    static const uint8_t unit[] = {ASSAY_LOAD_UNSAID, ASSAY_LOAD_PERCENT, ASSAY_LOAD_FRACTION,
                                   ASSAY_LOAD_AMOUNT};
    assay_arena_t *arena = assay_arena_create(16u << 20);
    if (!arena || size == 0) {
        assay_arena_destroy(arena);
        return 0;
    }
    const assay_load_ask_t ask = {
        .word = word, .n_word = 2, .unit = unit[data[0] % sizeof unit], .full = 128};
    assay_load_file_t file;
    assay_error_t err;
    const assay_status_t status =
        assay_load_file_parse(arena, "fuzz", (const char *)data + 1, size - 1, &ask, &file, &err);
    if (status == ASSAY_OK) {
        double before = 1;
        for (uint32_t i = 0; i < file.n; i++) { /* falling, within bounds */
            if (!(file.load[i] >= 0 && file.load[i] <= before)) {
                abort();
            }
            before = file.load[i];
        }
        if (file.n == 0 || file.n > file.n_step || !(file.step_s > 0) ||
            file.missing > file.cells) {
            abort();
        }
    } else if (err.status != status || !err.what[0]) {
        abort();
    }
    assay_arena_destroy(arena);
    return 0;
}
