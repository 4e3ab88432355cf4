/* tests/models/published.jsonl: config.json files (keys that do not matter left out) of models
   whose parameters are published exactly, or rounded, with where. */
#include "assay_test.h"

#include <jansson.h>

#include "assay/model_file.h"
#include "assay/text.h"

#define ARENA_BYTES ((size_t)16 << 20)

typedef struct {
    const char *name;
    const json_t *row;
    assay_model_file_t file;
    assay_model_count_t count;
} published_t;

/* Calls check for every line. */
static uint32_t for_each(void (*check)(const published_t *published)) {
    assay_arena_t *arena = assay_arena_create(ARENA_BYTES);
    char *data;
    size_t size;
    assay_error_t err = {0};
    assert_int_equal(assay_file_read(arena, ASSAY_SOURCE_DIR "/tests/models/published.jsonl",
                                     ARENA_BYTES, &data, &size, &err),
                     ASSAY_OK);
    uint32_t n = 0;
    for (char *line = data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        json_t *row = json_loadb(line, (size_t)(end - line), 0, NULL);
        assert_non_null(row);
        published_t published = {.name = json_string_value(json_object_get(row, "name")),
                                 .row = row};
        char *config = json_dumps(json_object_get(row, "config"), 0);
        if (assay_model_config_read(arena, published.name, config, strlen(config), &published.file,
                                    &err) != ASSAY_OK) {
            fail_msg("%s: %s; %s", published.name, err.what, err.next);
        }
        assay_model_count(&published.file.model, &published.count);
        check(&published);
        free(config);
        json_decref(row);
        n++;
    }
    assay_arena_destroy(arena);
    return n;
}

static uint32_t n_exact;

static void check_total(const published_t *published) {
    const json_t *exact = json_object_get(published->row, "parameters");
    const json_t *rounded = json_object_get(published->row, "billions");
    const char *source = json_string_value(json_object_get(published->row, "source"));
    assert_non_null(source);
    if (exact) {
        assay_test_close(published->count.total, (double)json_integer_value(exact), 0, 0,
                         published->name);
        n_exact += strncmp(source, "computed from", 13) != 0;
    } else { /* rounded by whoever published it, some to two digits */
        assay_test_close(published->count.total, 1e9 * json_number_value(rounded), 0.01, 0,
                         published->name);
    }
}

static void counts_are_those_published(void **state) {
    (void)state;
    n_exact = 0;
    assert_true(for_each(check_total) >= 110);
    assert_true(n_exact >= 100);
}

static void check_active(const published_t *published) {
    const json_t *active = json_object_get(published->row, "active_billions");
    const json_t *kv = json_object_get(published->row, "kv_bytes");
    if (active) {
        assay_test_close(published->count.active, 1e9 * json_number_value(active), 0.02, 0,
                         published->name);
    }
    if (kv) {
        assay_test_close(assay_model_kv_bytes_per_token(&published->file.model, 2),
                         (double)json_integer_value(kv), 0, 0, published->name);
    }
}

static void active_parameters_and_kv_are_those_published(void **state) {
    (void)state;
    for_each(check_active);
}

static void check_bytes(const published_t *published) {
    const assay_checkpoint_t *checkpoint = &published->file.checkpoint;
    double bytes = 0, params = 0;
    for (int part = 0; part < ASSAY_PART_N; part++) {
        bytes += checkpoint->part_bytes[part];
        params += checkpoint->part_params[part];
    }
    assay_test_close(bytes, checkpoint->total_bytes, 1e-15, 0, published->name);
    assay_test_close(params, published->count.total, 1e-15, 0, published->name);
    if (strcmp(checkpoint->dtype, "bf16") == 0) {
        assay_test_close(bytes, 2 * params, 1e-15, 0, published->name);
    }
}

static void bytes_follow_the_dtype(void **state) {
    (void)state;
    for_each(check_bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_published),
        cmocka_unit_test(active_parameters_and_kv_are_those_published),
        cmocka_unit_test(bytes_follow_the_dtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
