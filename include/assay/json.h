/** JSON text written as it goes: no tree, keys in the order of the calls, two spaces a level. */
#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    assay_buf_t *out;
    uint32_t depth;
    uint64_t has_item, is_array; /* one bit a level; 63 levels */
} assay_json_t;

/** Appends one JSON document to out: a value, or a begin with all that follows up to its end. */
void assay_json_init(assay_json_t *json, assay_buf_t *out);
/* key: name in the enclosing object; NULL in an array and at the top. */
void assay_json_begin_object(assay_json_t *json, const char *key);
void assay_json_begin_array(assay_json_t *json, const char *key);
/** Closes the innermost object or array; a newline follows the outermost. */
void assay_json_end(assay_json_t *json);
/** Shortest text that reads back to the same double. NaN and infinities, which JSON lacks, are
 * null. */
void assay_json_number(assay_json_t *json, const char *key, double value);
/** null unless known. */
void assay_json_number_if(assay_json_t *json, const char *key, bool known, double value);
void assay_json_count(assay_json_t *json, const char *key, uint64_t value);
void assay_json_bool(assay_json_t *json, const char *key, bool value);
/** NULL is null. Bytes that are not UTF-8 become U+FFFD. */
void assay_json_string(assay_json_t *json, const char *key, const char *text);

#ifdef __cplusplus
}
#endif
#endif
