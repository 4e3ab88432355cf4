/* A tree may keep two of something: Makefile and Makefile.rocm, cuda/sum.cu and hip/sum.cpp,
   requirements-cuda.txt and requirements-rocm.txt. The one for CUDA then is ported already. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/port_credit.h"

#include "base/banned.h"

enum { PATH_MAX_BYTES = 1024 };

typedef struct {
    const char **path; /* of all files, sorted */
    uint32_t n;
} paths_t;

static int compare_paths(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has_path(const paths_t *paths, const char *path) {
    return bsearch(&path, paths->path, paths->n, sizeof *paths->path, compare_paths) != NULL;
}

/* Also under the suffixes that sources for HIP have. */
static bool has_source(const paths_t *paths, const char *path) {
    static const char *const suffixes[][2] = {
        {".cu", ".hip"}, {".cu", ".cpp"}, {".cu", ".hip.cpp"}, {".cuh", ".h"}, {".cuh", ".hpp"}};
    char other[PATH_MAX_BYTES];
    const size_t n = strlen(path);
    if (has_path(paths, path)) {
        return true;
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t n_suffix = strlen(suffixes[i][0]);
        if (n > n_suffix && n + 8 < sizeof other &&
            strcmp(path + n - n_suffix, suffixes[i][0]) == 0) {
            (void)snprintf(other, sizeof other, "%.*s%s", (int)(n - n_suffix), path,
                           suffixes[i][1]);
            if (has_path(paths, other)) {
                return true;
            }
        }
    }
    return false;
}

/* path with word replaced, at its first place (from = first) or at all; false: no such place. */
static bool replaced(const char *path, const char *first, const char *word, const char *with,
                     bool all, char out[PATH_MAX_BYTES]) {
    size_t n = (size_t)(first - path);
    const size_t n_word = strlen(word), n_with = strlen(with);
    memcpy(out, path, n);
    for (const char *at = first; *at;) {
        const bool here = strncmp(at, word, n_word) == 0 && (all || at == first);
        const size_t n_part = here ? n_with : 1;
        if (n + n_part + 1 > PATH_MAX_BYTES) {
            return false;
        }
        memcpy(out + n, here ? with : at, n_part);
        n += n_part;
        at += here ? n_word : 1;
    }
    out[n] = '\0';
    return true;
}

/* cuda/x -> hip/x, rocm/x: at each place of the word, and at all of them. */
static bool has_renamed(const paths_t *paths, const char *path) {
    static const char *const names[][2] = {{"cuda", "hip"},   {"cuda", "rocm"},  {"CUDA", "HIP"},
                                           {"CUDA", "ROCM"},  {"Cuda", "Hip"},   {"Cuda", "Rocm"},
                                           {"nvidia", "amd"}, {"nvidia", "rocm"}};
    char other[PATH_MAX_BYTES];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool first = true;
        for (const char *at = path; (at = strstr(at, names[i][0])); at++, first = false) {
            if ((replaced(path, at, names[i][0], names[i][1], false, other) &&
                 has_source(paths, other)) ||
                (first && replaced(path, at, names[i][0], names[i][1], true, other) &&
                 has_source(paths, other))) {
                return true;
            }
        }
    }
    return false;
}

/* Dockerfile -> Dockerfile.rocm, build.sh -> build-rocm.sh */
static bool has_marked(const paths_t *paths, const char *path) {
    static const char *const marks[] = {"rocm", "hip", "amd"};
    char other[PATH_MAX_BYTES];
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    const size_t n_stem = dot ? (size_t)(dot - path) : strlen(path);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *const forms[] = {".", "-", "_"};
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            const bool behind = forms[k][0] == '.'; /* behind the whole name */
            const int n = behind ? snprintf(other, sizeof other, "%s.%s", path, marks[i])
                                 : snprintf(other, sizeof other, "%.*s%s%s%s", (int)n_stem, path,
                                            forms[k], marks[i], dot ? dot : "");
            if (n > 0 && (size_t)n < sizeof other && has_path(paths, other)) {
                return true;
            }
        }
    }
    return false;
}

/* What one machine builds and runs with, not what is built. */
static bool is_choice(uint8_t language) {
    switch (language) {
    case ASSAY_PORT_CMAKE:
    case ASSAY_PORT_MAKE:
    case ASSAY_PORT_DOCKER:
    case ASSAY_PORT_CONDA:
    case ASSAY_PORT_REQUIREMENTS:
    case ASSAY_PORT_SHELL:
    case ASSAY_PORT_SLURM:
        return true;
    default:
        return false;
    }
}

bool port_find_twins(const assay_port_file_t *file, uint32_t n_file, bool *out_twin) {
    paths_t paths = {.path = calloc((size_t)n_file + 1, sizeof *paths.path), .n = n_file};
    if (!paths.path) {
        return false;
    }
    for (uint32_t i = 0; i < n_file; i++) {
        paths.path[i] = file[i].path;
    }
    qsort(paths.path, n_file, sizeof *paths.path, compare_paths);
    for (uint32_t i = 0; i < n_file; i++) {
        out_twin[i] = !file[i].skipped && strlen(file[i].path) < PATH_MAX_BYTES / 2 &&
                      (has_renamed(&paths, file[i].path) ||
                       (is_choice(file[i].language) && has_marked(&paths, file[i].path)));
    }
    free(paths.path);
    return true;
}
