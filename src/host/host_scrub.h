/** Takes out of texts what names people and machines, and leaves what a diagnosis needs. */
#ifndef HOST_SCRUB_H
#define HOST_SCRUB_H

#include "assay/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HOST_SCRUB_NAMES 8

typedef struct {
    const char *host[HOST_SCRUB_NAMES], *user[HOST_SCRUB_NAMES]; /* whole words; NULL ends */
    uint32_t n_hidden;                                           /* counts what was replaced */
} host_scrub_t;

/**
 * text[0..n) with names of hosts and users, home folders, hardware and IP addresses and unique ids
 * replaced by ones of the same form; keys: also what stands behind "serial", "uuid", "unique",
 * "guid". In the arena; NULL beyond its limit. Bytes with NUL are no text and stay.
 */
const char *host_scrub(host_scrub_t *scrub, assay_arena_t *arena, const char *text, size_t n,
                       bool keys, size_t *out_n);
/** Configuration space of a PCI function: its serial number becomes 0. */
void host_scrub_config(host_scrub_t *scrub, char *config, size_t n);

#endif
