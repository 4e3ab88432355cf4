/* Which replica a request goes to. */
#include "sim/sim_fleet.h"

/* SGLang's cache-aware router, defaults of sgl-router's --cache-threshold, --balance-abs-threshold
   and --balance-rel-threshold: by prefix while loads are alike, by load when they are not. */
#define CACHE_THRESHOLD 0.5
#define BALANCE_ABOVE 32u
#define BALANCE_FACTOR 1.0001

static uint64_t outstanding(const sim_replica_t *r) {
    return r->n_waiting + r->n_running;
}

static double used_share(const sim_replica_t *r) {
    return 1 - (double)r->cache.free / (double)r->policy->kv_blocks;
}

/* Is a a better place than b? */
static bool is_emptier(const sim_replica_t *a, const sim_replica_t *b) {
    const double x = used_share(a), y = used_share(b);
    return x < y || (x <= y && outstanding(a) < outstanding(b));
}

static sim_replica_t *least_requests(const sim_pool_t *pool) {
    sim_replica_t *best = NULL;
    for (uint32_t k = 0; k < pool->n; k++) {
        sim_replica_t *r = &pool->replica[k];
        if (!sim_pool_is_down(pool, k) && (!best || outstanding(r) < outstanding(best))) {
            best = r;
        }
    }
    return best;
}

static sim_replica_t *least_kv(const sim_pool_t *pool) {
    sim_replica_t *best = NULL;
    for (uint32_t k = 0; k < pool->n; k++) {
        sim_replica_t *r = &pool->replica[k];
        if (!sim_pool_is_down(pool, k) && (!best || is_emptier(r, best))) {
            best = r;
        }
    }
    return best;
}

static sim_replica_t *by_prefix(const sim_pool_t *pool, const sim_request_t *request) {
    sim_replica_t *best = NULL;
    uint64_t least = UINT64_MAX, most = 0;
    uint32_t longest = 0;
    for (uint32_t k = 0; k < pool->n; k++) {
        sim_replica_t *r = &pool->replica[k];
        if (!sim_pool_is_down(pool, k)) {
            const uint32_t found = sim_replica_prefix(r, request);
            const uint64_t load = outstanding(r);
            least = load < least ? load : least;
            most = load > most ? load : most;
            if (found > longest) {
                longest = found;
                best = r;
            }
        }
    }
    const bool uneven =
        most - least > BALANCE_ABOVE && (double)most > BALANCE_FACTOR * (double)least;
    const bool known =
        best && (double)longest * best->policy->block_tokens > CACHE_THRESHOLD * request->input;
    return uneven ? least_requests(pool) : known ? best : least_kv(pool);
}

/* The i-th of those that are up. */
static sim_replica_t *nth_up(const sim_pool_t *pool, uint32_t i) {
    for (uint32_t k = 0; k < pool->n; k++) {
        if (!sim_pool_is_down(pool, k) && i-- == 0) {
            return &pool->replica[k];
        }
    }
    return NULL;
}

sim_replica_t *sim_route(sim_pool_t *pool, const assay_sim_options_t *options,
                         const sim_request_t *request, int64_t at) {
    const uint32_t up = pool->n - pool->n_down;
    const bool looks = options->router >= ASSAY_ROUTER_LEAST_REQUESTS;
    for (uint32_t k = 0; looks && k < pool->n; k++) {
        sim_replica_run(&pool->replica[k], at);
    }
    switch (up > 0 ? options->router : ASSAY_ROUTER_N) {
    case ASSAY_ROUTER_RANDOM:
        return nth_up(pool, sim_draw_replica(&options->load, request->id, up));
    case ASSAY_ROUTER_LEAST_REQUESTS:
        return least_requests(pool);
    case ASSAY_ROUTER_LEAST_KV:
        return least_kv(pool);
    case ASSAY_ROUTER_PREFIX:
        return by_prefix(pool, request);
    case ASSAY_ROUTER_ROUND_ROBIN:
        return nth_up(pool, (uint32_t)(pool->turn++ % up));
    default:
        return NULL;
    }
}
