#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is accepted is what strtod reads to the end, and it survives being printed. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double value = 0, back = 0;
    if (!assay_text_to_double((const char *)data, size, &value)) {
        return 0;
    }
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    char *end;
    const double expected = strtod(text, &end);
    if (end != text + size || memcmp(&expected, &value, sizeof value) != 0) {
        abort();
    }
    free(text);
    char out[32];
    const size_t n = assay_text_from_double(out, value);
    if (!assay_text_to_double(out, n, &back) || memcmp(&back, &value, sizeof back) != 0) {
        abort();
    }
    for (int digits = 0; digits < 19; digits++) {
        if (assay_text_from_double_short(out, value, digits) >= sizeof out) {
            abort();
        }
    }
    return 0;
}
