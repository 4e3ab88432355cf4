#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "assay/pool.h"
#include "port/port_credit.h"

#include "base/banned.h"

#define FILE_BYTES_MAX ((size_t)64 << 20)
#define BATCH_BYTES ((size_t)32 << 20)
#define BATCH_FILES 1024u
#define FILES_MAX (4u << 20)
/* What a scan speaks about when it is not told. */
#define ROCM_DEFAULT 700u
#define TARGET_DEFAULT "gfx942"

/* What reads which language. */
static void (*const reader[ASSAY_PORT_LANGUAGE_N])(port_sink_t *sink, const port_text_t *text) = {
    [ASSAY_PORT_CUDA] = port_read_c,
    [ASSAY_PORT_C] = port_read_c,
    [ASSAY_PORT_CPP] = port_read_c,
    [ASSAY_PORT_PTX] = port_read_ptx,
    [ASSAY_PORT_PYTHON] = port_read_python,
    [ASSAY_PORT_CMAKE] = port_read_build,
    [ASSAY_PORT_MAKE] = port_read_build,
    [ASSAY_PORT_DOCKER] = port_read_container,
    [ASSAY_PORT_CONDA] = port_read_packages,
    [ASSAY_PORT_REQUIREMENTS] = port_read_packages,
    [ASSAY_PORT_PYPROJECT] = port_read_packages,
    [ASSAY_PORT_SHELL] = port_read_shell,
    [ASSAY_PORT_SLURM] = port_read_shell,
    [ASSAY_PORT_NOTEBOOK] = port_read_notebook,
};

assay_port_references_t assay_port_file_references(const assay_port_file_t *file) {
    assay_port_references_t sum = {0, 0, 0, 0};
    for (uint32_t kind = 0; kind < ASSAY_PORT_REFERENCE_N; kind++) {
        const assay_port_references_t *count = &file->references[kind];
        sum.all += count->all;
        sum.ready += count->ready;
        sum.ported += count->ported;
        sum.cuda_only += count->cuda_only;
    }
    return sum;
}

/* Files whose text waits for a worker. */
typedef struct {
    port_text_t text;
    uint32_t file;
} item_t;

typedef struct {
    assay_arena_t *arena;       /* the caller's: what the result keeps */
    assay_arena_t *batch_arena; /* texts of the batch */
    assay_port_scan_t *scan;
    uint32_t capacity;
    item_t item[BATCH_FILES];
    uint32_t n_item, threads;
    size_t batch_bytes;
    const port_tables_t *tables;
    port_strings_t *strings;
    port_sink_t **sink; /* (threads) */
    assay_error_t *err;
} scanner_t;

static uint32_t count_lines(const char *data, size_t size) {
    uint32_t n = size > 0 && data[size - 1] != '\n';
    const char *const end = data + size;
    for (const char *at = data; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        n++;
    }
    return n;
}

static void read_item(void *ctx, size_t index, uint32_t worker) {
    scanner_t *scanner = ctx;
    const item_t *item = &scanner->item[index];
    assay_port_file_t *file = &scanner->scan->file[item->file];
    port_sink_begin(scanner->sink[worker], file);
    file->lines = count_lines(item->text.data, item->text.size);
    if (reader[item->text.language]) {
        reader[item->text.language](scanner->sink[worker], &item->text);
    }
    if (scanner->scan->options.deep) {
        port_deep_read(scanner->scan->options.deep, scanner->sink[worker], &item->text);
    }
}

static void tell(const scanner_t *scanner) {
    const assay_hooks_t *hooks = scanner->scan->options.hooks;
    if (hooks && hooks->progress) {
        hooks->progress(hooks->ctx, "scan", scanner->scan->n_file, 0);
    }
}

static assay_status_t flush(scanner_t *scanner) {
    const assay_status_t status = assay_pool_for(scanner->threads, scanner->n_item, read_item,
                                                 scanner, scanner->scan->options.hooks);
    scanner->n_item = 0;
    scanner->batch_bytes = 0;
    assay_arena_reset(scanner->batch_arena);
    tell(scanner);
    return status == ASSAY_OK ? ASSAY_OK
                              : assay_error_set(scanner->err, status, NULL, "the scan was stopped");
}

static assay_status_t new_file(scanner_t *scanner, const port_entry_t *entry,
                               assay_port_file_t **out_file) {
    assay_port_scan_t *scan = scanner->scan;
    const assay_place_t at = {entry->path, 0, 0};
    if (scan->n_file == scanner->capacity) {
        const uint32_t capacity = scanner->capacity ? 2 * scanner->capacity : 256;
        assay_port_file_t *file = capacity <= FILES_MAX
                                      ? assay_arena_array(scanner->arena, capacity, sizeof *file)
                                      : NULL;
        if (!file) {
            return assay_error_memory(scanner->err, &at);
        }
        if (scan->n_file) {
            memcpy(file, scan->file, scan->n_file * sizeof *file);
        }
        scan->file = file;
        scanner->capacity = capacity;
    }
    const char *path = assay_arena_strdup(scanner->arena, entry->path);
    if (!path) {
        return assay_error_memory(scanner->err, &at);
    }
    *out_file = &scan->file[scan->n_file++];
    **out_file = (assay_port_file_t){
        .path = path, .language = entry->language, .bytes = entry->size, .residual_lines = 0.0};
    return ASSAY_OK;
}

static assay_status_t visit(void *ctx, const port_entry_t *entry) {
    scanner_t *scanner = ctx;
    assay_port_file_t *file = NULL;
    assay_status_t status = ASSAY_OK;
    /* new_file may move the files, so the batch that points at them by index is not harmed. */
    status = new_file(scanner, entry, &file);
    if (status != ASSAY_OK) {
        return status;
    }
    if (!entry->data) {
        file->skipped = entry->skipped;
        return ASSAY_OK;
    }
    const char *data = assay_arena_strndup(scanner->batch_arena, entry->data, entry->size);
    if (!data) {
        const assay_place_t at = {file->path, 0, 0};
        return assay_error_memory(scanner->err, &at);
    }
    scanner->item[scanner->n_item++] = (item_t){
        .text = {.path = file->path,
                 .data = data,
                 .size = entry->size,
                 .language = entry->language,
                 .line = 1},
        .file = scanner->scan->n_file - 1,
    };
    scanner->batch_bytes += entry->size;
    return scanner->batch_bytes >= BATCH_BYTES || scanner->n_item == BATCH_FILES ? flush(scanner)
                                                                                 : ASSAY_OK;
}

static int compare_findings(const void *a, const void *b) {
    const assay_port_finding_t *left = a, *right = b;
    int order = strcmp(left->at.file, right->at.file);
    if (order == 0) {
        order = (left->at.line > right->at.line) - (left->at.line < right->at.line);
    }
    if (order == 0) {
        order = (left->at.column > right->at.column) - (left->at.column < right->at.column);
    }
    if (order == 0) {
        order = strcmp(left->rule, right->rule);
    }
    return order != 0 ? order : strcmp(left->api, right->api);
}

/* All workers' findings in one array, in an order that does not depend on who found them. */
static assay_status_t merge(scanner_t *scanner) {
    assay_port_scan_t *scan = scanner->scan;
    size_t n = 0;
    for (uint32_t i = 0; i < scanner->threads; i++) {
        if (port_sink_failed(scanner->sink[i])) {
            return assay_error_memory(scanner->err, NULL);
        }
        n += port_sink_count(scanner->sink[i]);
    }
    scan->finding = assay_arena_array(scanner->arena, n, sizeof *scan->finding);
    if (!scan->finding || n > UINT32_MAX) {
        return assay_error_memory(scanner->err, NULL);
    }
    uint32_t *guard = calloc(n + 1, sizeof *guard);
    if (!guard) {
        return assay_error_memory(scanner->err, NULL);
    }
    uint32_t n_copied = 0;
    for (uint32_t i = 0; i < scanner->threads; i++) {
        n_copied += port_sink_move(scanner->sink[i], scan->finding + n_copied, guard + n_copied);
    }
    const uint32_t kept = port_credit(scanner->tables, scanner->sink, scanner->threads,
                                      scan->finding, guard, n_copied, scan->file, scan->n_file);
    free(guard);
    if (kept == UINT32_MAX) {
        return assay_error_memory(scanner->err, NULL);
    }
    scan->n_finding = kept;
    if (kept > 1) {
        qsort(scan->finding, kept, sizeof *scan->finding, compare_findings);
    }
    for (uint32_t i = 0; i < scan->n_file; i++) {
        scan->bytes += scan->file[i].skipped ? 0 : scan->file[i].bytes;
        scan->lines += scan->file[i].lines;
    }
    return ASSAY_OK;
}

static assay_status_t list_frameworks(scanner_t *scanner) {
    const port_packages_t *packages = port_tables_packages(scanner->tables);
    assay_port_scan_t *scan = scanner->scan;
    scan->replaced_by = port_packages_own(packages, scan);
    scan->framework = assay_arena_array(scanner->arena, PORT_FRAMEWORKS, sizeof *scan->framework);
    if (!scan->framework) {
        return assay_error_memory(scanner->err, NULL);
    }
    for (unsigned i = 0; i < PORT_FRAMEWORKS; i++) {
        assay_port_framework_t framework;
        uint32_t files = 0;
        for (uint32_t k = 0; k < scanner->threads; k++) {
            files += port_sink_framework_files(scanner->sink[k], i);
        }
        if (files > 0 && port_packages_framework(packages, i, &scan->options, &framework) &&
            !port_packages_is_own(packages, framework.package, scan)) {
            framework.files = files;
            scan->framework[scan->n_framework++] = framework;
        }
    }
    return ASSAY_OK;
}

static assay_status_t prepare(scanner_t *scanner) {
    const assay_status_t status = port_tables_load(scanner->arena, scanner->scan->options.lang,
                                                   &scanner->tables, scanner->err);
    if (status != ASSAY_OK) {
        return status;
    }
    /* a file that is larger than the batch travels alone */
    scanner->batch_arena =
        assay_arena_create(BATCH_BYTES + scanner->scan->options.max_file_bytes + (1u << 20));
    scanner->strings = port_strings_create(scanner->arena);
    scanner->sink = calloc(scanner->threads, sizeof *scanner->sink);
    if (!scanner->batch_arena || !scanner->strings || !scanner->sink) {
        return assay_error_set(scanner->err, ASSAY_MEMORY, NULL, "no memory to scan");
    }
    for (uint32_t i = 0; i < scanner->threads; i++) {
        scanner->sink[i] =
            port_sink_create(scanner->tables, scanner->strings, &scanner->scan->options);
        if (!scanner->sink[i]) {
            return assay_error_set(scanner->err, ASSAY_MEMORY, NULL, "no memory to scan");
        }
    }
    return ASSAY_OK;
}

static void release(scanner_t *scanner) {
    for (uint32_t i = 0; scanner->sink && i < scanner->threads; i++) {
        port_sink_destroy(scanner->sink[i]);
    }
    free(scanner->sink);
    port_strings_destroy(scanner->strings);
    assay_arena_destroy(scanner->batch_arena);
    free(scanner);
}

assay_status_t assay_port_scan(assay_arena_t *arena, const char *path,
                               const assay_port_options_t *options, assay_port_scan_t **out_scan,
                               assay_error_t *err) {
    scanner_t *scanner = calloc(1, sizeof *scanner);
    assay_port_scan_t *scan = assay_arena_alloc(arena, sizeof *scan);
    if (!scanner || !scan) {
        free(scanner);
        return assay_error_memory(err, NULL);
    }
    scan->root = assay_arena_strdup(arena, path);
    scan->options = *options;
    scan->options.rocm = options->rocm ? options->rocm : ROCM_DEFAULT;
    scan->options.target = options->target && options->target[0] ? options->target : TARGET_DEFAULT;
    scan->options.max_file_bytes =
        options->max_file_bytes ? options->max_file_bytes : FILE_BYTES_MAX;
    *scanner = (scanner_t){.arena = arena,
                           .scan = scan,
                           .threads = options->threads ? options->threads : assay_pool_threads(),
                           .err = err};
    assay_status_t status = scan->root ? prepare(scanner) : assay_error_memory(err, NULL);
    if (status == ASSAY_OK) {
        status = port_walk(arena, path, &scan->options, visit, scanner, err);
    }
    if (status == ASSAY_OK) {
        status = flush(scanner);
    }
    if (status == ASSAY_OK) {
        status = merge(scanner);
    }
    if (status == ASSAY_OK) {
        port_packages_forget_own(port_tables_packages(scanner->tables), scan);
        status = list_frameworks(scanner);
    }
    if (status == ASSAY_OK) {
        status = port_effort(arena, scan, err);
    }
    release(scanner);
    if (status == ASSAY_OK) {
        scan->options.deep = NULL; /* may be closed from now on */
        *out_scan = scan;
    }
    return status;
}
