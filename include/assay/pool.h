/**
 * A loop over n items on several threads. Work items are handed out dynamically; what an item
 * computes must not depend on the thread it runs on.
 */
#ifndef ASSAY_POOL_H
#define ASSAY_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "assay/hooks.h"
#include "assay/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of usable cores (affinity mask), >= 1; $ASSAY_THREADS overrides. */
uint32_t assay_pool_threads(void);
/**
 * Runs run(ctx, item, worker) for item in [0, n). worker < threads. threads 0 =
 * assay_pool_threads(). hooks (NULL allowed) is asked for cancel between items. Returns
 * ASSAY_CANCELLED when asked to stop.
 */
assay_status_t assay_pool_for(uint32_t threads, size_t n,
                              void (*run)(void *ctx, size_t item, uint32_t worker), void *ctx,
                              const assay_hooks_t *hooks);

#ifdef __cplusplus
}
#endif
#endif
