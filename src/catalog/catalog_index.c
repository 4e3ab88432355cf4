#include "catalog/catalog_index.h"

#include "base/banned.h"

static char fold(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static const char *skip_separators(const char *text) {
    while (*text == '-' || *text == '_' || *text == ' ') {
        text++;
    }
    return text;
}

bool catalog_spelled_like(const char *name, const char *text, bool whole) {
    for (;; name++, text++) {
        name = skip_separators(name);
        text = skip_separators(text);
        if (*text == '\0' && (!whole || *name == '\0')) {
            return true;
        }
        if (fold(*name) != fold(*text)) {
            return false;
        }
    }
}

/* FNV-1a of the spelling. */
static uint32_t hash_spelling(const char *text) {
    uint32_t hash = 2166136261u;
    for (text = skip_separators(text); *text; text = skip_separators(text + 1)) {
        hash = (hash ^ (unsigned char)fold(*text)) * 16777619u;
    }
    return hash;
}

static const char *id_of(const catalog_ids_t *ids, uint32_t row) {
    const char *at = (const char *)ids->row + row * ids->stride + ids->id;
    return *(const char *const *)(const void *)at;
}

bool catalog_index_build(assay_arena_t *arena, const catalog_ids_t *ids,
                         catalog_ids_index_t *out_index) {
    uint32_t n_slot = 16;
    while (n_slot / 2 < ids->n) {
        n_slot *= 2;
    }
    uint32_t *slot = assay_arena_array(arena, n_slot, sizeof *slot);
    if (!slot) {
        return false;
    }
    for (uint32_t i = 0; i < ids->n; i++) {
        uint32_t at = hash_spelling(id_of(ids, i)) & (n_slot - 1);
        while (slot[at] != 0) {
            at = (at + 1) & (n_slot - 1);
        }
        slot[at] = i + 1;
    }
    *out_index = (catalog_ids_index_t){*ids, slot, n_slot};
    return true;
}

const void *catalog_index_next(const catalog_ids_index_t *index, const char *id,
                               uint32_t *inout_step) {
    const uint32_t mask = index->n_slot - 1, start = hash_spelling(id);
    while (index->n_slot > 0) {
        const uint32_t at = index->slot[(start + *inout_step) & mask];
        if (at == 0) {
            break;
        }
        (*inout_step)++;
        if (catalog_spelled_like(id_of(&index->ids, at - 1), id, true)) {
            return (const char *)index->ids.row + (at - 1) * index->ids.stride;
        }
    }
    return NULL;
}
