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

/* Packages that the tree itself is: folders with an __init__.py. */
static bool gather_packages(const assay_port_file_t *file, uint32_t n_file, port_hashes_t *out) {
    static const char init[] = "/__init__.py";
    *out = (port_hashes_t){.item = calloc((size_t)n_file + 1, sizeof *out->item)};
    for (uint32_t i = 0; out->item && i < n_file; i++) {
        const char *path = file[i].path;
        const size_t n = strlen(path), tail = sizeof init - 1;
        if (n > tail && strcmp(path + n - tail, init) == 0) {
            size_t from = n - tail;
            while (from > 0 && path[from - 1] != '/') {
                from--;
            }
            out->item[out->n++] = port_hash(path + from, n - tail - from);
        }
    }
    if (out->item) {
        qsort(out->item, out->n, sizeof *out->item, compare_hashes);
    }
    return out->item != NULL;
}

/* An import of what the tree provides asks for nothing to be installed. */
static bool is_own_package(const port_hashes_t *packages, const assay_port_finding_t *finding) {
    return strncmp(finding->rule, "package-", 8) == 0 &&
           holds(packages, port_hash(finding->api, strlen(finding->api)));
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
    take_from(&file->finding[finding->effect]);
    if (file->references_ported < file->references) {
        file->references_ported++;
        take_from(strcmp(finding->status, "unsupported") == 0 ? &file->references_cuda_only
                                                              : &file->references_ready);
    }
}

static uint32_t keep_rest(const port_tables_t *tables, const port_hashes_t told[N_TOLD],
                          const port_hashes_t *packages, assay_port_finding_t *finding,
                          const uint32_t *guard, uint32_t n, assay_port_file_t **by_path,
                          uint32_t n_file) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_credited(tables, told, &finding[i], guard[i]) &&
            !is_own_package(packages, &finding[i])) {
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
    port_hashes_t told[N_TOLD] = {0}, packages = {0};
    uint32_t kept = UINT32_MAX;
    assay_port_file_t **by_path = calloc((size_t)n_file + 1, sizeof *by_path);
    bool good = by_path != NULL && gather_packages(file, n_file, &packages);
    for (unsigned kind = 0; kind < N_TOLD && good; kind++) {
        good = gather(sink, n_sink, kind, &told[kind]);
    }
    if (good) {
        for (uint32_t i = 0; i < n_file; i++) {
            by_path[i] = &file[i];
        }
        qsort(by_path, n_file, sizeof *by_path, compare_files);
        kept = keep_rest(tables, told, &packages, finding, guard, n, by_path, n_file);
    }
    for (unsigned kind = 0; kind < N_TOLD; kind++) {
        free(told[kind].item);
    }
    free(packages.item);
    free(by_path);
    return kept;
}
