/* Blocks of a replica: free ones wait in a queue, those with a key can be found there until they
   are taken for something else. After vllm-project/vllm v1/core/block_pool.py. */
#include <stdlib.h>
#include <string.h>

#include "sim/sim_parts.h"

#include "base/banned.h"

#define FIRST_TABLE 1024u

bool sim_cache_init(sim_cache_t *cache, uint64_t blocks, bool caching) {
    *cache =
        (sim_cache_t){.caching = caching, .unused = SIM_NONE, .first = SIM_NONE, .last = SIM_NONE};
    if (caching) {
        cache->n_table = FIRST_TABLE;
        cache->table = malloc(FIRST_TABLE * sizeof *cache->table);
        if (!cache->table) {
            return false;
        }
        memset(cache->table, 0xff, FIRST_TABLE * sizeof *cache->table); /* SIM_NONE */
    }
    sim_cache_give(cache, blocks);
    return !cache->failed;
}

void sim_cache_done(sim_cache_t *cache) {
    free(cache->block);
    free(cache->table);
}

/* ---- entries ---- */

static uint32_t new_entry(sim_cache_t *cache) {
    if (cache->unused == SIM_NONE) {
        const uint32_t n = cache->n_block ? 2 * cache->n_block : 1024;
        sim_block_t *more =
            n > cache->n_block ? realloc(cache->block, (size_t)n * sizeof *more) : NULL;
        if (!more) {
            cache->failed = true;
            return SIM_NONE;
        }
        cache->block = more;
        for (uint32_t i = n; i-- > cache->n_block;) {
            more[i].next = cache->unused;
            cache->unused = i;
        }
        cache->n_block = n;
    }
    const uint32_t at = cache->unused;
    cache->unused = cache->block[at].next;
    cache->block[at] = (sim_block_t){.next = SIM_NONE, .previous = SIM_NONE, .chain = SIM_NONE};
    return at;
}

static void drop_entry(sim_cache_t *cache, uint32_t at) {
    cache->block[at].next = cache->unused;
    cache->unused = at;
}

/* ---- queue ---- */

static void enqueue(sim_cache_t *cache, uint32_t at) {
    sim_block_t *block = &cache->block[at];
    block->next = SIM_NONE;
    block->previous = cache->last;
    *(cache->last == SIM_NONE ? &cache->first : &cache->block[cache->last].next) = at;
    cache->last = at;
}

static void dequeue(sim_cache_t *cache, uint32_t at) {
    const sim_block_t *block = &cache->block[at];
    *(block->previous == SIM_NONE ? &cache->first : &cache->block[block->previous].next) =
        block->next;
    *(block->next == SIM_NONE ? &cache->last : &cache->block[block->next].previous) =
        block->previous;
}

/* ---- table ---- */

/* Keys are small numbers in fields; the finaliser of MurmurHash3 spreads them. */
static uint32_t place_of(const sim_cache_t *cache, uint64_t key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdu;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53u;
    key ^= key >> 33;
    return (uint32_t)key & (cache->n_table - 1);
}

static void chain_append(sim_cache_t *cache, uint32_t at) {
    uint32_t *link = &cache->table[place_of(cache, cache->block[at].key)];
    while (*link != SIM_NONE) {
        link = &cache->block[*link].chain;
    }
    *link = at;
    cache->block[at].chain = SIM_NONE;
}

/* Twice the places; of one key the older stay before the younger. */
static bool table_grow(sim_cache_t *cache) {
    const uint32_t n = cache->n_table;
    uint32_t *old = cache->table;
    uint32_t *more = malloc((size_t)n * 2 * sizeof *more);
    if (!more) {
        cache->failed = true;
        return false;
    }
    memset(more, 0xff, (size_t)n * 2 * sizeof *more);
    cache->table = more;
    cache->n_table = 2 * n;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t at = old[i]; at != SIM_NONE;) {
            const uint32_t next = cache->block[at].chain;
            chain_append(cache, at);
            at = next;
        }
    }
    free(old);
    return true;
}

static uint32_t new_named(sim_cache_t *cache, uint64_t key) {
    if (cache->n_keyed >= cache->n_table && !table_grow(cache)) {
        return SIM_NONE;
    }
    const uint32_t at = new_entry(cache);
    if (at != SIM_NONE) {
        cache->block[at].key = key;
        cache->block[at].count = 1;
        cache->n_keyed++;
        chain_append(cache, at);
    }
    return at;
}

static void drop_named(sim_cache_t *cache, uint32_t at) {
    uint32_t *link = &cache->table[place_of(cache, cache->block[at].key)];
    while (*link != at) {
        link = &cache->block[*link].chain;
    }
    *link = cache->block[at].chain;
    cache->n_keyed--;
    drop_entry(cache, at);
}

uint32_t sim_cache_find(const sim_cache_t *cache, uint64_t key) {
    uint32_t at = cache->table[place_of(cache, key)];
    while (at != SIM_NONE && cache->block[at].key != key) {
        at = cache->block[at].chain;
    }
    return at;
}

/* ---- what replicas do ---- */

void sim_cache_take(sim_cache_t *cache, uint64_t n) {
    cache->free -= n;
    while (cache->caching && n > 0 && cache->first != SIM_NONE) {
        const uint32_t at = cache->first;
        sim_block_t *block = &cache->block[at];
        const bool named = block->key != 0;
        const uint64_t here = block->count < n ? block->count : n;
        n -= here;
        block->count -= here;
        if (block->count == 0) {
            dequeue(cache, at);
            cache->evicted += named;
            (named ? drop_named : drop_entry)(cache, at);
        }
    }
}

uint32_t sim_cache_name(sim_cache_t *cache, uint64_t key) {
    const uint32_t at = new_named(cache, key);
    if (at != SIM_NONE) {
        cache->block[at].uses = 1;
    }
    return at;
}

void sim_cache_use(sim_cache_t *cache, uint32_t at) {
    if (cache->block[at].uses++ == 0) {
        dequeue(cache, at);
        cache->free--;
    }
}

void sim_cache_use_unnamed(sim_cache_t *cache, uint32_t at) {
    dequeue(cache, at);
    cache->free--;
    drop_named(cache, at);
}

void sim_cache_leave(sim_cache_t *cache, uint32_t at) {
    if (--cache->block[at].uses == 0) {
        enqueue(cache, at);
        cache->free++;
    }
}

void sim_cache_give(sim_cache_t *cache, uint64_t n) {
    cache->free += n;
    if (cache->caching && n > 0) {
        const uint32_t at = new_entry(cache);
        if (at != SIM_NONE) {
            cache->block[at].count = n;
            enqueue(cache, at);
        }
    }
}

void sim_cache_give_named(sim_cache_t *cache, uint64_t key) {
    const uint32_t at = new_named(cache, key);
    cache->free++;
    if (at != SIM_NONE) {
        enqueue(cache, at);
    }
}
