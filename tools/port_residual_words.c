#include "port_residual_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/port_hash.h"

#define SLOTS (1u << 17)
#define FILE_BYTES ((size_t)16 << 20)
#define WORD_BYTES 128u

typedef struct {
    const char *word;
    int32_t more; /* occurrences in HIP less those in CUDA */
} slot_t;

typedef struct {
    assay_arena_t *arena;
    const port_tables_t *tables;
    const char *hip_dir;
    slot_t *slot; /* (SLOTS) */
    uint32_t n;
    bool failed;
    assay_error_t *err;
} words_t;

static const char *const launch[] = {"hipLaunchKernelGGL", "HIP_KERNEL_NAME", "HIP_SYMBOL",
                                     "HIP_DYNAMIC_SHARED", "dim3"};
static const char *const beginnings[] = {"cuda", "hip",    "nccl", "rccl", "cub",
                                         "roc",  "thrust", "__",   "nv"};
static const char *const parts[] = {"half", "bfloat", "bf16",   "fp16", "fp8",    "warp",
                                    "wave", "lane",   "ballot", "shfl", "atomic", "cooperative"};
static const char *const numbers[] = {"31",   "32",   "63",         "64",
                                      "0x1f", "0x3f", "0xffffffff", "0xffffffffffffffff"};
#define N_OF(array) (sizeof(array) / sizeof *(array))

static bool is_one_of(const char *word, const char *const *of, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, of[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void lower(const char *word, char out[WORD_BYTES]) {
    size_t n = 0;
    for (; word[n]; n++) {
        out[n] = (char)tolower((unsigned char)word[n]);
    }
    out[n] = '\0';
}

static bool faces_device(const words_t *w, const char *word) {
    char low[WORD_BYTES];
    const port_api_t *api = port_api_find(w->tables, word, strlen(word));
    lower(word, low);
    if ((api && !isdigit((unsigned char)word[0])) || strcmp(low, "asm") == 0 ||
        (low[0] == 'c' && low[1] == 'u' && isupper((unsigned char)word[2])) ||
        (word[0] == 'C' && word[1] == 'U' && isupper((unsigned char)word[2]))) {
        return true;
    }
    for (size_t i = 0; i < N_OF(beginnings); i++) {
        if (strncmp(low, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < N_OF(parts); i++) {
        if (strstr(low, parts[i])) {
            return true;
        }
    }
    return is_one_of(low, numbers, N_OF(numbers));
}

/* cudaMalloc and hipMalloc, cub and hipcub, nccl and rccl are one word each. */
static void fold(const char *word, char out[WORD_BYTES]) {
    char low[WORD_BYTES];
    size_t n = 0;
    lower(word, low);
    for (size_t i = 0; word[i];) {
        if (strncmp(low + i, "cuda", 4) == 0) {
            i += 4;
        } else if (strncmp(low + i, "hip", 3) == 0) {
            i += 3;
        } else {
            out[n++] = word[i++];
        }
    }
    out[n] = '\0';
    if (strncmp(out, "rccl", 4) == 0) {
        out[0] = 'n';
    }
    if ((out[0] == 'c' || out[0] == 'C') && (out[1] == 'u' || out[1] == 'U') &&
        isupper((unsigned char)out[2])) {
        memmove(out, out + 2, n - 1);
    }
}

static void count(words_t *w, const char *text, size_t n, bool is_cuda) {
    char word[WORD_BYTES], folded[WORD_BYTES];
    if (n >= WORD_BYTES) {
        return;
    }
    memcpy(word, text, n);
    word[n] = '\0';
    if (isdigit((unsigned char)word[0])) { /* 32u is 32 */
        while (n > 0 && strchr("uUlL", word[n - 1])) {
            word[--n] = '\0';
        }
    }
    if (is_one_of(word, launch, N_OF(launch)) || !faces_device(w, word)) {
        return;
    }
    const port_api_t *api = is_cuda ? port_api_find(w->tables, word, n) : NULL;
    fold(api && api->hip[0] && strlen(api->hip) < WORD_BYTES ? api->hip : word, folded);
    uint32_t at = port_hash(folded, strlen(folded));
    while (w->slot[at % SLOTS].word && strcmp(w->slot[at % SLOTS].word, folded) != 0) {
        at++;
    }
    slot_t *slot = &w->slot[at % SLOTS];
    if (!slot->word) {
        slot->word = assay_arena_strdup(w->arena, folded);
        w->failed |= !slot->word || ++w->n > SLOTS / 2;
    }
    slot->more += is_cuda ? -1 : 1;
}

/* Past a comment or a literal that begins at data[i]; i when none does. */
static size_t skip(const char *data, size_t size, size_t i) {
    const bool more = i + 1 < size;
    if (more && data[i] == '/' && data[i + 1] == '/') {
        const char *end = memchr(data + i, '\n', size - i);
        return end ? (size_t)(end - data) : size;
    }
    if (more && data[i] == '/' && data[i + 1] == '*') {
        const char *end = memmem(data + i + 2, size - i - 2, "*/", 2);
        return end ? (size_t)(end - data) + 2 : size;
    }
    if (data[i] == '"' || data[i] == '\'') {
        const char quote = data[i++];
        while (i < size && data[i] != quote && data[i] != '\n') {
            i += data[i] == '\\' ? 2 : 1;
        }
        return i < size ? i + 1 : size;
    }
    return i;
}

/* The header of an #include at data[i]; headers of the runtime itself come and go with hipify. */
static size_t read_include(words_t *w, const char *data, size_t size, size_t i, bool is_cuda) {
    static const char *const runtime[] = {"cuda.h",
                                          "cuda_runtime.h",
                                          "cuda_runtime_api.h",
                                          "device_launch_parameters.h",
                                          "hip/hip_runtime.h",
                                          "hip/hip_runtime_api.h"};
    char header[WORD_BYTES];
    size_t from = i + 7;
    while (from < size && (data[from] == ' ' || data[from] == '\t')) {
        from++;
    }
    if (from >= size || (data[from] != '<' && data[from] != '"')) {
        return i + 7;
    }
    size_t to = ++from;
    while (to < size && data[to] != '>' && data[to] != '"' && data[to] != '\n') {
        to++;
    }
    if (to - from < WORD_BYTES) {
        memcpy(header, data + from, to - from);
        header[to - from] = '\0';
        if (!is_one_of(header, runtime, N_OF(runtime))) {
            count(w, header, to - from, is_cuda);
        }
    }
    return to;
}

static void read_words(words_t *w, const char *data, size_t size, bool is_cuda) {
    for (size_t i = 0; i < size;) {
        const size_t past = skip(data, size, i);
        if (past > i) {
            i = past;
        } else if (isalnum((unsigned char)data[i]) || data[i] == '_') {
            const size_t from = i;
            while (i < size && (isalnum((unsigned char)data[i]) || data[i] == '_')) {
                i++;
            }
            if (i - from == 7 && memcmp(data + from, "include", 7) == 0) {
                i = read_include(w, data, size, from, is_cuda);
            } else {
                count(w, data + from, i - from, is_cuda);
            }
        } else {
            i++;
        }
    }
}

static assay_status_t visit(void *ctx, const port_entry_t *entry) {
    words_t *w = ctx;
    char path[4096], *hip;
    size_t n_hip;
    const bool is_source = entry->language == ASSAY_PORT_CUDA || entry->language == ASSAY_PORT_C ||
                           entry->language == ASSAY_PORT_CPP;
    snprintf(path, sizeof path, "%s/%s", w->hip_dir, entry->path);
    if (!is_source || !entry->data ||
        assay_file_read(w->arena, path, FILE_BYTES, &hip, &n_hip, NULL)) {
        return ASSAY_OK;
    }
    read_words(w, entry->data, entry->size, true);
    read_words(w, hip, n_hip, false);
    return w->failed ? assay_error_memory(w->err, NULL) : ASSAY_OK;
}

assay_status_t port_residual_words(assay_arena_t *arena, const port_tables_t *tables,
                                   const char *cuda_dir, const char *hip_dir, uint32_t *out_words,
                                   assay_error_t *err) {
    const assay_port_options_t options = {.max_file_bytes = FILE_BYTES};
    words_t w = {.arena = arena,
                 .tables = tables,
                 .hip_dir = hip_dir,
                 .slot = assay_arena_array(arena, SLOTS, sizeof *w.slot),
                 .err = err};
    if (!w.slot) {
        return assay_error_memory(err, NULL);
    }
    const assay_status_t status = port_walk(arena, cuda_dir, &options, visit, &w, err);
    *out_words = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        *out_words += (uint32_t)abs(w.slot[i].more);
    }
    return status;
}
