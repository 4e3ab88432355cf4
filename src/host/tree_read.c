/* A tree of ROCm or CUDA in a folder: its version and those of its libraries. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "host/host_parse.h"

#include "base/banned.h"

#define VERSION_BYTES_MAX 4096u
#define NAMES_MAX 8192u

/* Where a tree says its version, and the first word of what stands there. */
static const char *version_of(host_parse_t *parse, const char *path) {
    static const char *const name[] = {".info/version", ".info/version-rocm", "version.txt"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const char *file = assay_arena_printf(parse->arena, "%s/%s", path, name[i]);
        char *text;
        size_t n;
        if (file &&
            assay_file_read(parse->scratch, file, VERSION_BYTES_MAX, &text, &n, NULL) == ASSAY_OK) {
            host_span_t rest = {text, n};
            parse->file = file;
            parse->line = 1;
            return host_copy(parse, host_word(&rest));
        }
    }
    return NULL;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "librccl.so.1.0.60204" -> librccl.so, 1.0.60204. Shorter ones are links to the longest, which
   comes last in byte order. */
static void add_library(host_parse_t *parse, const char *dir, const char *name) {
    const char *so = strstr(name, ".so.");
    if (strncmp(name, "lib", 3) != 0 || !so) {
        return;
    }
    const char *kind = host_copy(parse, (host_span_t){name, (size_t)(so - name) + 3});
    assay_host_version_t *library = NULL;
    for (uint32_t i = 0; kind && i < parse->host->n_library; i++) {
        if (strcmp(parse->host->library[i].kind, kind) == 0) {
            library = &parse->host->library[i];
        }
    }
    library = library || !kind ? library : host_add(parse, library);
    if (library) {
        parse->file = assay_arena_printf(parse->arena, "%s/%s", dir, name);
        *library = (assay_host_version_t){.kind = kind,
                                          .path = parse->file,
                                          .version = host_copy(parse, host_span(so + 4)),
                                          .pid = -1,
                                          .at = {parse->file, 0, 0}};
    }
}

bool host_tree_read(host_parse_t *parse, const char *path) {
    const char *version = version_of(parse, path);
    if (!version || !*version) {
        return false;
    }
    host_set_text(parse, &parse->host->rocm, host_span(version));
    const char *dir = assay_arena_printf(parse->arena, "%s/lib", path);
    const char **name = assay_arena_array(parse->scratch, NAMES_MAX, sizeof *name);
    DIR *open = dir && name ? opendir(dir) : NULL;
    uint32_t n = 0;
    for (struct dirent *entry; open && n < NAMES_MAX && (entry = readdir(open));) {
        name[n] = assay_arena_strdup(parse->scratch, entry->d_name);
        n += name[n] != NULL;
    }
    if (open) {
        (void)closedir(open);
        qsort(name, n, sizeof *name, compare_names);
    }
    for (uint32_t i = 0; i < n; i++) {
        add_library(parse, dir, name[i]);
    }
    return true;
}
