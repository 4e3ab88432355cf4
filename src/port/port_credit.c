#include "port/port_credit.h"

#include <stdlib.h>
#include <string.h>

#include "port/port_hash.h"

#include "base/banned.h"

static int compare_hashes(const void *a, const void *b) {
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* What all sinks were told, sorted. false: no memory. */
static bool gather(port_sink_t *const *sink, uint32_t n_sink, unsigned kind, port_hashes_t *out) {
    size_t n = 0;
    for (uint32_t i = 0; i < n_sink; i++) {
        n += port_sink_told(sink[i])[kind].n;
    }
    *out = (port_hashes_t){.item = calloc(n + 1, sizeof *out->item)};
    if (!out->item) {
        return false;
    }
    for (uint32_t i = 0; i < n_sink; i++) {
        const port_hashes_t *told = &port_sink_told(sink[i])[kind];
        if (told->n) {
            memcpy(out->item + out->n, told->item, told->n * sizeof *told->item);
        }
        out->n += told->n;
    }
    qsort(out->item, out->n, sizeof *out->item, compare_hashes);
    return true;
}

static bool holds(const port_hashes_t *hashes, uint32_t hash) {
    return bsearch(&hash, hashes->item, hashes->n, sizeof hash, compare_hashes) != NULL;
}

static bool is_credited(const port_tables_t *tables, const port_hashes_t told[PORT_TOLD_N],
                        const assay_port_finding_t *finding, uint32_t guard) {
    if (guard &&
        (holds(&told[PORT_TOLD_TWIN], guard) ||
         (holds(&told[PORT_TOLD_MACRO_CUDA], guard) && !holds(&told[PORT_TOLD_MACRO], guard)))) {
        return true;
    }
    const size_t n = strlen(finding->api);
    const port_api_t *api = port_api_find(tables, finding->api, n);
    return (api && holds(&told[PORT_TOLD_SHIM], port_api_index(tables, api))) ||
           (strcmp(finding->rule, "cuda-arch") == 0 &&
            holds(&told[PORT_TOLD_MACRO_HIP], port_hash(finding->api, n)));
}

/* All of the file is somebody else's on HIP. */
static void move_all(assay_port_file_t *file) {
    memset(file->finding, 0, sizeof file->finding);
    for (unsigned kind = 0; kind < ASSAY_PORT_REFERENCE_N; kind++) {
        assay_port_references_t *count = &file->references[kind];
        count->ported = count->all;
        count->ready = count->cuda_only = 0;
    }
}

static int compare_files(const void *a, const void *b) {
    const char *left = (*(assay_port_file_t *const *)a)->path,
               *right = (*(assay_port_file_t *const *)b)->path;
    return ((uintptr_t)left > (uintptr_t)right) - ((uintptr_t)left < (uintptr_t)right);
}

/* --- files that HIP does not see ------------------------------------------------------------- */

#define CHAIN_MAX 32u /* headers that include one another, followed so far */

/* The file of that path, which is one of file's own; NULL: none. */
static assay_port_file_t *find_file(assay_port_file_t *const *by_path, uint32_t n_file,
                                    const char *path) {
    const assay_port_file_t wanted = {.path = path};
    const assay_port_file_t *const key = &wanted;
    assay_port_file_t *const *found =
        bsearch(&key, by_path, n_file, sizeof(assay_port_file_t *), compare_files);
    return found ? *found : NULL;
}

typedef struct {
    const port_hashes_t *told; /* (PORT_TOLD_N) */
    assay_port_file_t *const *by_path;
    assay_port_file_t *file;
    uint32_t n_file;
    bool *whole; /* (n_file): of CUDA alone, or with a twin */
} kept_out_t;

/* What files that HIP sees include, and what any file does: sorted. */
static void gather_includes(const kept_out_t *k, port_sink_t *const *sink, uint32_t n_sink,
                            port_hashes_t *seen, port_hashes_t *all) {
    seen->n = all->n = 0;
    for (uint32_t i = 0; i < n_sink; i++) {
        const port_includes_t *includes = port_sink_includes(sink[i]);
        for (uint32_t j = 0; j < includes->n; j++) {
            const port_include_t *include = &includes->item[j];
            const assay_port_file_t *by = find_file(k->by_path, k->n_file, include->path);
            all->item[all->n++] = include->header;
            if (!by || !k->whole[by - k->file]) {
                seen->item[seen->n++] = include->header;
            }
        }
    }
    qsort(seen->item, seen->n, sizeof *seen->item, compare_hashes);
    qsort(all->item, all->n, sizeof *all->item, compare_hashes);
}

/* Marks what is included or built for CUDA alone; false: nothing that was not marked. */
static bool mark(const kept_out_t *k, const port_hashes_t *seen, const port_hashes_t *all) {
    bool more = false;
    for (uint32_t i = 0; i < k->n_file; i++) {
        const uint32_t hash = port_path_hash(k->file[i].path);
        if (!k->whole[i] && !holds(seen, hash) && !holds(&k->told[PORT_TOLD_BUILT], hash) &&
            (holds(&k->told[PORT_TOLD_HEADER_CUDA], hash) || holds(all, hash))) {
            k->whole[i] = more = true;
        }
    }
    return more;
}

/* false: no memory. */
static bool keep_out(const kept_out_t *k, port_sink_t *const *sink, uint32_t n_sink) {
    size_t n = 1;
    for (uint32_t i = 0; i < n_sink; i++) {
        n += port_sink_includes(sink[i])->n;
    }
    port_hashes_t seen = {.item = calloc(n, sizeof *seen.item)},
                  all = {.item = calloc(n, sizeof *all.item)};
    const bool good = seen.item && all.item;
    bool more = good;
    for (uint32_t step = 0; more && step < CHAIN_MAX; step++) {
        gather_includes(k, sink, n_sink, &seen, &all);
        more = mark(k, &seen, &all);
    }
    free(seen.item);
    free(all.item);
    return good;
}

/* --- findings -------------------------------------------------------------------------------- */

static void take_from(uint32_t *count) {
    *count -= *count > 0;
}

static void move(assay_port_file_t *file, const assay_port_finding_t *finding) {
    assay_port_references_t *count = &file->references[ASSAY_PORT_REFERENCE_API];
    take_from(&file->finding[finding->effect]);
    if (count->ported < count->all) {
        count->ported++;
        take_from(strcmp(finding->status, "unsupported") == 0 ? &count->cuda_only : &count->ready);
    }
}

/* A call that looks like a library's, of a macro or function that the tree defines. */
static bool is_own_call(const port_hashes_t told[PORT_TOLD_N],
                        const assay_port_finding_t *finding) {
    const size_t n = strlen(finding->rule);
    return n > 5 && strcmp(finding->rule + n - 5, "-call") == 0 &&
           holds(&told[PORT_TOLD_MACRO], port_hash(finding->api, strlen(finding->api)));
}

/* It was no reference to a device at all. */
static void forget(assay_port_file_t *file, const assay_port_finding_t *finding) {
    assay_port_references_t *count = &file->references[ASSAY_PORT_REFERENCE_API];
    take_from(&file->finding[finding->effect]);
    take_from(&count->all);
    if (strcmp(finding->rule, "optix-call") == 0) {
        take_from(&count->cuda_only);
    }
}

static uint32_t keep_rest(const port_tables_t *tables, const port_hashes_t told[PORT_TOLD_N],
                          assay_port_finding_t *finding, const uint32_t *guard, uint32_t n,
                          assay_port_file_t **by_path, const assay_port_file_t *file,
                          const bool *whole, uint32_t n_file) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        assay_port_file_t *const found = find_file(by_path, n_file, finding[i].at.file);
        if (found && whole[found - file]) {
            continue;
        }
        if (found && is_own_call(told, &finding[i])) {
            forget(found, &finding[i]);
        } else if (!is_credited(tables, told, &finding[i], guard[i])) {
            finding[kept++] = finding[i];
        } else if (found) {
            move(found, &finding[i]);
        }
    }
    return kept;
}

uint32_t port_credit(const port_tables_t *tables, port_sink_t *const *sink, uint32_t n_sink,
                     assay_port_finding_t *finding, const uint32_t *guard, uint32_t n,
                     assay_port_file_t *file, uint32_t n_file) {
    port_hashes_t told[PORT_TOLD_N] = {0};
    uint32_t kept = UINT32_MAX;
    assay_port_file_t **by_path = calloc((size_t)n_file + 1, sizeof *by_path);
    bool *whole = calloc((size_t)n_file + 1, sizeof *whole);
    bool good = by_path && whole && port_find_twins(file, n_file, whole);
    for (unsigned kind = 0; kind < PORT_TOLD_N && good; kind++) {
        good = gather(sink, n_sink, kind, &told[kind]);
    }
    if (good) {
        for (uint32_t i = 0; i < n_file; i++) {
            by_path[i] = &file[i];
        }
        qsort(by_path, n_file, sizeof *by_path, compare_files);
        good = keep_out(&(kept_out_t){told, by_path, file, n_file, whole}, sink, n_sink);
    }
    if (good) {
        kept = keep_rest(tables, told, finding, guard, n, by_path, file, whole, n_file);
        for (uint32_t i = 0; i < n_file; i++) {
            if (whole[i]) {
                move_all(&file[i]);
            }
        }
    }
    for (unsigned kind = 0; kind < PORT_TOLD_N; kind++) {
        free(told[kind].item);
    }
    free(whole);
    free(by_path);
    return kept;
}
