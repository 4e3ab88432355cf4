#include "port/port_credit.h"

#include <stdlib.h>
#include <string.h>

#include "port/port_hash.h"

#include "base/banned.h"

enum { ELSEWHERE, CUDA_SIDE, SHIM, N_TOLD };

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

static bool is_credited(const port_tables_t *tables, const port_hashes_t told[N_TOLD],
                        const assay_port_finding_t *finding, uint32_t guard) {
    if (guard && holds(&told[CUDA_SIDE], guard) && !holds(&told[ELSEWHERE], guard)) {
        return true;
    }
    const port_api_t *api = port_api_find(tables, finding->api, strlen(finding->api));
    return api && holds(&told[SHIM], port_api_index(tables, api));
}

static int compare_files(const void *a, const void *b) {
    const char *left = (*(assay_port_file_t *const *)a)->path,
               *right = (*(assay_port_file_t *const *)b)->path;
    return ((uintptr_t)left > (uintptr_t)right) - ((uintptr_t)left < (uintptr_t)right);
}

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

static uint32_t keep_rest(const port_tables_t *tables, const port_hashes_t told[N_TOLD],
                          assay_port_finding_t *finding, const uint32_t *guard, uint32_t n,
                          assay_port_file_t **by_path, uint32_t n_file) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_credited(tables, told, &finding[i], guard[i])) {
            finding[kept++] = finding[i];
            continue;
        }
        const assay_port_file_t wanted = {.path = finding[i].at.file};
        const assay_port_file_t *const key = &wanted;
        assay_port_file_t **found =
            bsearch(&key, by_path, n_file, sizeof(assay_port_file_t *), compare_files);
        if (found) {
            move(*found, &finding[i]);
        }
    }
    return kept;
}

uint32_t port_credit(const port_tables_t *tables, port_sink_t *const *sink, uint32_t n_sink,
                     assay_port_finding_t *finding, const uint32_t *guard, uint32_t n,
                     assay_port_file_t *file, uint32_t n_file) {
    port_hashes_t told[N_TOLD] = {0};
    uint32_t kept = UINT32_MAX;
    assay_port_file_t **by_path = calloc((size_t)n_file + 1, sizeof *by_path);
    bool good = by_path != NULL;
    for (unsigned kind = 0; kind < N_TOLD && good; kind++) {
        good = gather(sink, n_sink, kind, &told[kind]);
    }
    if (good) {
        for (uint32_t i = 0; i < n_file; i++) {
            by_path[i] = &file[i];
        }
        qsort(by_path, n_file, sizeof *by_path, compare_files);
        kept = keep_rest(tables, told, finding, guard, n, by_path, n_file);
    }
    for (unsigned kind = 0; kind < N_TOLD; kind++) {
        free(told[kind].item);
    }
    free(by_path);
    return kept;
}
