/**
 * Progress and cancel: how long work talks to whoever started it. The library itself never prints.
 */
#ifndef ASSAY_HOOKS_H
#define ASSAY_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    void *ctx;
    /**
     * done of total units of the named step; may come from any thread, one at a time. NULL: none.
     *
     */
    void (*progress)(void *ctx, const char *step, uint64_t done, uint64_t total);
    /** true = stop as soon as possible; asked from any thread, several at a time. NULL: never. */
    bool (*cancelled)(void *ctx);
} assay_hooks_t;

#ifdef __cplusplus
}
#endif
#endif
