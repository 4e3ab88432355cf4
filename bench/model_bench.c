#include "model_bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/text.h"

#define SHARDS 300u
#define LAYERS 126

/* Llama 3.1 405B: tensors of a layer by name, rows and columns. */
static const struct {
    const char *name;
    uint64_t rows, columns;
} tensors[] = {{"input_layernorm", 1, 16384},      {"post_attention_layernorm", 1, 16384},
               {"self_attn.q_proj", 16384, 16384}, {"self_attn.k_proj", 1024, 16384},
               {"self_attn.v_proj", 1024, 16384},  {"self_attn.o_proj", 16384, 16384},
               {"mlp.gate_proj", 53248, 16384},    {"mlp.up_proj", 53248, 16384},
               {"mlp.down_proj", 16384, 53248}};
#define EACH (sizeof tensors / sizeof tensors[0])

static char folder[] = "/tmp/assay_bench_XXXXXX", index_path[64];
static bool made;

static void shard_path(unsigned shard, char path[96]) {
    snprintf(path, 96, "%s/model-%05u-of-%05u.safetensors", folder, shard + 1, SHARDS);
}

static bool write_shard(unsigned shard, const char *json, size_t n, uint64_t data) {
    char path[96];
    unsigned char length[8];
    shard_path(shard, path);
    FILE *file = fopen(path, "wb");
    for (size_t i = 0; i < sizeof length; i++) {
        length[i] = (unsigned char)((uint64_t)n >> (8 * i));
    }
    const bool ok = file && fwrite(length, 1, sizeof length, file) == sizeof length &&
                    fwrite(json, 1, n, file) == n && fflush(file) == 0 &&
                    ftruncate(fileno(file), (off_t)(sizeof length + n + data)) == 0;
    return file && fclose(file) == 0 && ok;
}

/* The tensors of one shard into its header, and into the index. Returns bytes of data. */
static uint64_t add_tensors(unsigned shard, assay_buf_t *header, assay_buf_t *index) {
    const unsigned all = LAYERS * EACH, first = shard * all / SHARDS;
    const unsigned end = (shard + 1) * all / SHARDS;
    uint64_t at = 0;
    for (unsigned i = first; i < end; i++) {
        const uint64_t bytes = 2 * tensors[i % EACH].rows * tensors[i % EACH].columns;
        char name[96];
        snprintf(name, sizeof name, "model.layers.%u.%s.weight", (unsigned)(i / EACH),
                 tensors[i % EACH].name);
        assay_buf_printf(header,
                         "%s\"%s\":{\"dtype\":\"BF16\",\"shape\":[%llu,%llu],"
                         "\"data_offsets\":[%llu,%llu]}",
                         i > first ? "," : "{", name, (unsigned long long)tensors[i % EACH].rows,
                         (unsigned long long)tensors[i % EACH].columns, (unsigned long long)at,
                         (unsigned long long)(at + bytes));
        assay_buf_printf(index, "%s\"%s\": \"model-%05u-of-%05u.safetensors\"", i > 0 ? "," : "",
                         name, shard + 1, SHARDS);
        at += bytes;
    }
    assay_buf_puts(header, "}");
    return at;
}

assay_status_t model_bench_create(const char **out_index, assay_error_t *err) {
    assay_buf_t index, header;
    bool ok = mkdtemp(folder) != NULL;
    made = ok;
    snprintf(index_path, sizeof index_path, "%s/model.safetensors.index.json", folder);
    assay_buf_init(&index, (size_t)1 << 24);
    assay_buf_puts(&index, "{\"metadata\": {}, \"weight_map\": {");
    for (unsigned shard = 0; ok && shard < SHARDS; shard++) {
        assay_buf_init(&header, (size_t)1 << 20);
        const uint64_t data = add_tensors(shard, &header, &index);
        ok = !header.failed && write_shard(shard, header.data, header.n, data);
        assay_buf_done(&header);
    }
    assay_buf_puts(&index, "}}");
    FILE *file = ok && !index.failed ? fopen(index_path, "wb") : NULL;
    ok = file && fwrite(index.data, 1, index.n, file) == index.n;
    ok = file && fclose(file) == 0 && ok;
    assay_buf_done(&index);
    *out_index = index_path;
    return ok ? ASSAY_OK
              : assay_error_set(err, ASSAY_IO, NULL,
                                "the files of a checkpoint cannot be made in %s", folder);
}

void model_bench_destroy(void) {
    char path[96];
    for (unsigned shard = 0; made && shard < SHARDS; shard++) {
        shard_path(shard, path);
        (void)unlink(path);
    }
    if (made) {
        (void)unlink(index_path);
        (void)rmdir(folder);
    }
}
