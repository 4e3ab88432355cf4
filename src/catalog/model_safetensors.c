/* safetensors: 8 bytes of length, a JSON header, data (huggingface/safetensors, README "Format").
   The header is read as it goes by, without a tree: checkpoints have 100,000 tensors. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/text.h"
#include "catalog/model_weights.h"

#include "base/banned.h"

#define HEADER_BYTES_MAX UINT64_C(100000000) /* as the reference implementation */
#define INDEX_BYTES_MAX ((size_t)64 << 20)
#define SHARDS_MAX 4096
#define DEPTH_MAX 32
#define NAME_MAX_BYTES 512

static const struct {
    const char *name, *dtype;
    uint32_t bits;
    bool packed; /* integers hold several narrow weights, or none */
} dtypes[] = {
    {"F64", "fp64", 64, false},   {"F32", "fp32", 32, false},      {"F16", "fp16", 16, false},
    {"BF16", "bf16", 16, false},  {"F8_E4M3", "fp8", 8, false},    {"F8_E5M2", "fp8", 8, false},
    {"F8_E8M0", "e8m0", 8, true}, {"F6_E2M3", "fp6", 6, false},    {"F6_E3M2", "fp6", 6, false},
    {"F4", "fp4", 4, false},      {"I64", "int64", 64, true},      {"I32", "int32", 32, true},
    {"I16", "int16", 16, true},   {"I8", "int8", 8, false},        {"U64", "uint64", 64, true},
    {"U32", "uint32", 32, true},  {"U16", "uint16", 16, true},     {"U8", "uint8", 8, true},
    {"BOOL", "bool", 8, true},    {"C64", "complex64", 64, false},
};
#define N_DTYPES (sizeof dtypes / sizeof dtypes[0])
_Static_assert(N_DTYPES <= WEIGHTS_DTYPE_MAX, "weights_t has room");

/* JSON that goes by. ok turns false at the first thing that is not as it should be. */
typedef struct {
    const char *p, *end;
    bool ok;
} scan_t;

static void skip_space(scan_t *scan) {
    while (scan->p < scan->end &&
           (*scan->p == ' ' || *scan->p == '\t' || *scan->p == '\n' || *scan->p == '\r')) {
        scan->p++;
    }
}

/* Takes c if it comes next. */
static bool take(scan_t *scan, char c) {
    skip_space(scan);
    if (scan->ok && scan->p < scan->end && *scan->p == c) {
        scan->p++;
        return true;
    }
    return false;
}

static void expect(scan_t *scan, char c) {
    scan->ok = take(scan, c) && scan->ok;
}

typedef struct {
    const char *text; /* escapes as they are */
    size_t n;
} span_t;

static span_t string(scan_t *scan) {
    const span_t none = {"", 0};
    expect(scan, '"');
    if (!scan->ok) {
        return none;
    }
    const char *start = scan->p, *quote = memchr(start, '"', (size_t)(scan->end - start));
    if (quote &&
        memchr(start, '\\', (size_t)(quote - start))) { /* rare: it may be an escaped one */
        quote = start;
        while (quote < scan->end && *quote != '"') {
            quote += *quote == '\\' ? 2 : 1;
        }
    }
    if (!quote || quote >= scan->end) {
        scan->ok = false;
        return none;
    }
    scan->p = quote + 1;
    return (span_t){start, (size_t)(quote - start)};
}

static bool is(span_t span, const char *text) {
    return strlen(text) == span.n && memcmp(span.text, text, span.n) == 0;
}

static uint64_t natural(scan_t *scan) {
    skip_space(scan);
    uint64_t value = 0;
    const char *start = scan->p;
    while (scan->p < scan->end && *scan->p >= '0' && *scan->p <= '9') {
        const uint64_t digit = (uint64_t)(*scan->p++ - '0');
        scan->ok = scan->ok && value <= (UINT64_MAX - digit) / 10;
        value = 10 * value + digit;
    }
    scan->ok = scan->ok && scan->p > start;
    return value;
}

/* A value that is of no interest. */
static void skip_value(scan_t *scan) {
    uint32_t depth = 0;
    do {
        skip_space(scan);
        const char c = scan->p < scan->end ? *scan->p : '\0';
        if (c == '"') {
            (void)string(scan);
        } else if (c == '{' || c == '[') {
            scan->p++;
            scan->ok = scan->ok && ++depth <= DEPTH_MAX;
        } else if ((c == '}' || c == ']') && depth > 0) {
            scan->p++;
            depth--;
        } else if ((c == ',' || c == ':') && depth > 0) {
            scan->p++;
        } else if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' ||
                   c == '.' || c == 'E') {
            while (scan->p < scan->end && !strchr(" \t\r\n,:{}[]\"", *scan->p)) {
                scan->p++;
            }
        } else {
            scan->ok = false;
        }
    } while (scan->ok && depth > 0);
}

/* The members of an object: true while there is another, whose name is in *out_name. */
static bool member(scan_t *scan, bool *first, span_t *out_name) {
    if (!scan->ok || take(scan, '}')) {
        return false;
    }
    if (!*first) {
        expect(scan, ',');
    }
    *first = false;
    *out_name = string(scan);
    expect(scan, ':');
    return scan->ok;
}

typedef struct {
    uint64_t begin, end;
} range_t;

typedef struct {
    const char *file;
    assay_error_t *err;
    weights_t *weights;
    range_t *range;
    size_t n, capacity;
    uint64_t data_size;
} header_t;

static void copy_name(span_t name, char out[NAME_MAX_BYTES]) {
    const size_t n = name.n < NAME_MAX_BYTES - 1 ? name.n : NAME_MAX_BYTES - 1;
    memcpy(out, name.text, n);
    out[n] = '\0';
}

static assay_status_t refuse_tensor(const header_t *header, span_t name, const char *what) {
    const assay_place_t at = {header->file, 0, 0};
    assay_error_set(header->err, ASSAY_INPUT, &at, "tensor '%.*s' %s",
                    name.n < 80 ? (int)name.n : 80, name.text, what);
    assay_error_next(header->err, "the file is damaged: fetch it again");
    return ASSAY_INPUT;
}

static assay_status_t add_range(header_t *header, range_t range) {
    if (header->n == header->capacity) {
        const size_t capacity = header->capacity ? 2 * header->capacity : 256;
        range_t *grown = realloc(header->range, capacity * sizeof *grown);
        const assay_place_t at = {header->file, 0, 0};
        if (!grown) {
            return assay_error_memory(header->err, &at);
        }
        header->range = grown;
        header->capacity = capacity;
    }
    header->range[header->n++] = range;
    return ASSAY_OK;
}

/* What quantisation adds to a weight: bytes, but no parameters. */
static bool is_scale(const char *name) {
    static const char *const words[] = {"scale", "qzeros", "g_idx", "absmax", "quant_map"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(name, words[i])) {
            return true;
        }
    }
    return false;
}

/* {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]} */
static assay_status_t tensor(header_t *header, scan_t *scan, span_t name) {
    span_t key, dtype = {"", 0};
    range_t range = {1, 0};
    uint64_t elements = 1;
    bool first = true, huge = false;
    expect(scan, '{');
    while (member(scan, &first, &key)) {
        if (is(key, "dtype")) {
            dtype = string(scan);
        } else if (is(key, "shape")) {
            expect(scan, '[');
            for (bool more = !take(scan, ']'); more && scan->ok; more = !take(scan, ']')) {
                const uint64_t dim = natural(scan);
                huge = __builtin_mul_overflow(elements, dim, &elements) || huge;
                (void)take(scan, ',');
            }
        } else if (is(key, "data_offsets")) {
            expect(scan, '[');
            range.begin = natural(scan);
            expect(scan, ',');
            range.end = natural(scan);
            expect(scan, ']');
        } else {
            skip_value(scan);
        }
    }
    if (!scan->ok) {
        return ASSAY_OK; /* told by the caller, with the place */
    }
    size_t i = 0;
    while (i < N_DTYPES && !is(dtype, dtypes[i].name)) {
        i++;
    }
    if (i == N_DTYPES) {
        return refuse_tensor(header, name, "has a dtype that is not known");
    }
    if (range.begin > range.end || range.end > header->data_size) {
        return refuse_tensor(header, name, "lies outside the file");
    }
    if (huge || elements > UINT64_MAX / 64 ||
        (elements * dtypes[i].bits + 7) / 8 != range.end - range.begin) {
        return refuse_tensor(header, name, "has another size than its shape and dtype");
    }
    char text[NAME_MAX_BYTES];
    copy_name(name, text);
    const assay_part_t part = assay_part_of_tensor(text);
    const double bytes = (double)(range.end - range.begin);
    header->weights->part_bytes[part] += bytes;
    header->weights->part_params[part] += is_scale(text) ? 0 : (double)elements;
    header->weights->dtype_bytes[i] += bytes;
    header->weights->packed += dtypes[i].packed && !is_scale(text) ? (double)elements : 0;
    header->weights->n_tensor++;
    return range.begin < range.end ? add_range(header, range) : ASSAY_OK;
}

static int by_begin(const void *a, const void *b) {
    const range_t *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The data is all there, each byte in one tensor. */
static assay_status_t check_ranges(const header_t *header) {
    const assay_place_t at = {header->file, 0, 0};
    uint64_t end = 0;
    if (header->n > 0) {
        qsort(header->range, header->n, sizeof *header->range, by_begin);
    }
    for (size_t i = 0; i < header->n; i++) {
        if (header->range[i].begin != end) {
            assay_error_set(
                header->err, ASSAY_INPUT, &at, "tensors %s at byte %llu of the data",
                header->range[i].begin < end ? "overlap" : "leave a hole",
                (unsigned long long)(header->range[i].begin < end ? header->range[i].begin : end));
            assay_error_next(header->err, "the file is damaged: fetch it again");
            return ASSAY_INPUT;
        }
        end = header->range[i].end;
    }
    if (end != header->data_size) {
        assay_error_set(header->err, ASSAY_INPUT, &at,
                        "its tensors take %llu bytes, the file has %llu", (unsigned long long)end,
                        (unsigned long long)header->data_size);
        assay_error_next(header->err, "the download is not complete, or the file is damaged");
        return ASSAY_INPUT;
    }
    return ASSAY_OK;
}

static assay_status_t refuse_header(const char *file, const scan_t *scan, const char *json,
                                    assay_error_t *err) {
    const assay_place_t at = {file, 0, 0};
    assay_error_set(err, ASSAY_INPUT, &at, "not a header of safetensors: byte %zu of its JSON",
                    (size_t)(scan->p - json));
    assay_error_next(err, "give a file that ends in .safetensors");
    return ASSAY_INPUT;
}

assay_status_t safetensors_header(const char *file, const char *json, size_t size,
                                  uint64_t data_size, weights_t *io, assay_error_t *err) {
    header_t header = {.file = file, .err = err, .weights = io, .data_size = data_size};
    scan_t scan = {json, json + size, true};
    assay_status_t status = ASSAY_OK;
    span_t name;
    bool first = true;
    expect(&scan, '{');
    while (status == ASSAY_OK && member(&scan, &first, &name)) {
        if (is(name, "__metadata__")) {
            skip_value(&scan);
        } else {
            status = tensor(&header, &scan, name);
        }
    }
    skip_space(&scan);
    if (status == ASSAY_OK && (!scan.ok || scan.p < scan.end)) {
        status = refuse_header(file, &scan, json, err);
    }
    if (status == ASSAY_OK) {
        status = check_ranges(&header);
    }
    free(header.range);
    return status;
}

static assay_status_t read_file(const char *path, weights_t *io, assay_error_t *err) {
    const assay_place_t at = {path, 0, 0};
    unsigned char length[8];
    size_t n;
    uint64_t file_size, size = 0;
    assay_status_t status =
        assay_file_read_part(path, 0, sizeof length, (char *)length, &n, &file_size, err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        size |= (uint64_t)length[i] << (8 * i);
    }
    if (n < sizeof length || size > file_size - sizeof length || size > HEADER_BYTES_MAX) {
        assay_error_set(err, ASSAY_INPUT, &at,
                        "not safetensors: the length of its header is not within the file and "
                        "100 MB");
        assay_error_next(err, "a pointer of git-lfs stands for the file until it is fetched");
        return ASSAY_INPUT;
    }
    char *json = malloc(size > 0 ? (size_t)size : 1);
    if (!json) {
        return assay_error_memory(err, &at);
    }
    status = assay_file_read_part(path, sizeof length, (size_t)size, json, &n, &file_size, err);
    if (status == ASSAY_OK) {
        status = safetensors_header(path, json, n, file_size - sizeof length - size, io, err);
    }
    free(json);
    return status;
}

/* Names of files by their hash. */
typedef struct {
    const char *slot[2 * SHARDS_MAX];
    const char **names;
    uint32_t n;
} names_t;

static assay_status_t add_name(assay_arena_t *arena, names_t *names, span_t name, const char *file,
                               assay_error_t *err) {
    const assay_place_t at = {file, 0, 0};
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < name.n; i++) {
        hash = (hash ^ (unsigned char)name.text[i]) * 16777619u;
    }
    uint32_t at_slot = hash % (2 * SHARDS_MAX);
    while (names->slot[at_slot] && !is(name, names->slot[at_slot])) {
        at_slot = (at_slot + 1) % (2 * SHARDS_MAX);
    }
    if (names->slot[at_slot]) {
        return ASSAY_OK;
    }
    if (names->n == SHARDS_MAX) {
        return assay_error_set(err, ASSAY_LIMIT, &at, "an index of more than %d files", SHARDS_MAX);
    }
    if (name.n == 0 || name.n > 255 || memchr(name.text, '/', name.n) ||
        memchr(name.text, '\\', name.n) || *name.text == '.') {
        return assay_error_set(err, ASSAY_INPUT, &at,
                               "weight_map names '%.*s', expected a file beside the index",
                               name.n < 80 ? (int)name.n : 80, name.text);
    }
    names->slot[at_slot] = assay_arena_strndup(arena, name.text, name.n);
    if (!names->slot[at_slot]) {
        return assay_error_memory(err, &at);
    }
    names->names[names->n++] = names->slot[at_slot];
    return ASSAY_OK;
}

assay_status_t safetensors_index(assay_arena_t *arena, const char *file, const char *json,
                                 size_t size, const char ***out_names, uint32_t *out_n,
                                 assay_error_t *err) {
    scan_t scan = {json, json + size, true};
    const assay_place_t at = {file, 0, 0};
    names_t *names = assay_arena_alloc(arena, sizeof *names);
    const char **list = assay_arena_array(arena, SHARDS_MAX, sizeof *list);
    assay_status_t status = names && list ? ASSAY_OK : assay_error_memory(err, &at);
    span_t key;
    bool first = true, found = false;
    if (status != ASSAY_OK) {
        return status;
    }
    memset(names, 0, sizeof *names);
    names->names = list;
    expect(&scan, '{');
    while (status == ASSAY_OK && member(&scan, &first, &key)) {
        if (!is(key, "weight_map")) {
            skip_value(&scan);
            continue;
        }
        bool first_tensor = true;
        found = true;
        expect(&scan, '{');
        while (status == ASSAY_OK && member(&scan, &first_tensor, &key)) {
            const span_t name = string(&scan);
            status = scan.ok ? add_name(arena, names, name, file, err) : ASSAY_OK;
        }
    }
    if (status == ASSAY_OK && (!scan.ok || !found || names->n == 0)) {
        assay_error_set(err, ASSAY_INPUT, &at,
                        "not an index of safetensors: expected a weight_map of files");
        assay_error_next(err, "give model.safetensors.index.json");
        status = ASSAY_INPUT;
    }
    *out_names = names->names;
    *out_n = names->n;
    return status;
}

static bool ends(const char *text, const char *suffix) {
    const size_t n = strlen(text), k = strlen(suffix);
    return n >= k && strcmp(text + n - k, suffix) == 0;
}

/* Which file of a directory stands for its checkpoint, the smallest first: an index; one file; last
   what holds the same weights again in another form. */
static int rank_of(const char *name) {
    return ends(name, ".safetensors.index.json")    ? 0
           : !ends(name, ".safetensors")            ? 3
           : strncmp(name, "consolidated", 12) == 0 ? 2
                                                    : 1;
}

const char *safetensors_find(assay_arena_t *arena, const char *directory) {
    DIR *folder = opendir(directory);
    char best[256] = "";
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        const int rank = rank_of(entry->d_name), best_rank = rank_of(best);
        if (rank < best_rank ||
            (rank < 3 && rank == best_rank && strcmp(entry->d_name, best) < 0)) {
            snprintf(best, sizeof best, "%s", entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return *best ? assay_arena_printf(arena, "%s/%s", directory, best) : NULL;
}

static assay_status_t read_shards(assay_arena_t *arena, const char *path, weights_t *out,
                                  assay_error_t *err) {
    char *json;
    size_t size;
    const char **names;
    uint32_t n;
    assay_status_t status = assay_file_read(arena, path, INDEX_BYTES_MAX, &json, &size, err);
    if (status == ASSAY_OK) {
        status = safetensors_index(arena, path, json, size, &names, &n, err);
    }
    const char *slash = strrchr(path, '/');
    for (uint32_t i = 0; status == ASSAY_OK && i < n; i++) {
        const char *shard = assay_arena_printf(arena, "%.*s%s", slash ? (int)(slash - path) + 1 : 0,
                                               path, names[i]);
        status = shard ? read_file(shard, out, err) : assay_error_memory(err, NULL);
    }
    return status;
}

assay_status_t safetensors_read(const char *path, weights_t *out, assay_error_t *err) {
    memset(out, 0, sizeof *out);
    const assay_place_t at = {path, 0, 0};
    if (!ends(path, ".json") && strstr(path, "-of-")) {
        assay_error_set(err, ASSAY_INPUT, &at,
                        "is one of several files, and their index is missing");
        assay_error_next(err, "fetch model.safetensors.index.json beside it");
        return ASSAY_INPUT;
    }
    if (!ends(path, ".json")) {
        return read_file(path, out, err);
    }
    assay_arena_t *scratch = assay_arena_create(INDEX_BYTES_MAX + ((size_t)4 << 20));
    const assay_status_t status =
        scratch ? read_shards(scratch, path, out, err) : assay_error_memory(err, &at);
    assay_arena_destroy(scratch);
    return status;
}

void safetensors_checkpoint(const weights_t *weights, assay_checkpoint_t *out) {
    size_t most = 0;
    *out = (assay_checkpoint_t){.source = "headers of safetensors", .measured = true};
    for (size_t i = 1; i < N_DTYPES; i++) {
        most = weights->dtype_bytes[i] > weights->dtype_bytes[most] ? i : most;
    }
    out->dtype = dtypes[most].dtype;
    for (int part = 0; part < ASSAY_PART_N; part++) {
        out->part_bytes[part] = weights->part_bytes[part];
        out->part_params[part] = weights->part_params[part];
        out->total_bytes += weights->part_bytes[part];
    }
}
