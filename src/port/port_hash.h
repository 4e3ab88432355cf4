/* The hash of identifiers: FNV-1a, taken one byte at a time while the lexer walks over a word. */
#ifndef PORT_HASH_H
#define PORT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PORT_HASH_START UINT32_C(2166136261)

static inline uint32_t port_hash_step(uint32_t hash, unsigned char byte) {
    return (hash ^ byte) * UINT32_C(16777619);
}

/* FNV's low bits are weak for short words; this spreads the high ones over them. */
static inline uint32_t port_hash_end(uint32_t hash) {
    return hash ^ (hash >> 15);
}

static inline uint32_t port_hash(const char *text, size_t n) {
    uint32_t hash = PORT_HASH_START;
    for (size_t i = 0; i < n; i++) {
        hash = port_hash_step(hash, (unsigned char)text[i]);
    }
    return port_hash_end(hash);
}

/* Of a path's last part: by that headers and sources are told. */
static inline uint32_t port_path_hash(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return port_hash(name, strlen(name));
}

#endif
