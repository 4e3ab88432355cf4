/* Links that were found in place of the catalog's. Expected rates by hand: 64 GB/s a link of an
   MI300X's mesh (data/fabrics.csv), 300 GB/s for the 12 NVLinks of an A100. */
#include <stdio.h>
#include <string.h>

#include "assay/resolve.h"
#include "assay_test.h"

typedef struct {
    assay_arena_t *arena;
    assay_catalog_t *catalog;
    assay_calibration_t *calibration;
} fixture_t;

static int setup(void **state) {
    static fixture_t fixture;
    assay_error_t err = {0};
    fixture.arena = assay_arena_create(256u << 20);
    if (assay_catalog_load(fixture.arena, NULL, 0, &fixture.catalog, &err) ||
        assay_calibration_load(fixture.arena, NULL, 0, &fixture.calibration, &err)) {
        print_error("%s:%u: %s\n", err.file, err.line, err.what);
        return -1;
    }
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    assay_arena_destroy(((fixture_t *)*state)->arena);
    return 0;
}

/* Eight devices, each pair with `links`, the pair 0-1 with `first`. */
static const char *topology(void **state, const char *accelerator, unsigned links, unsigned first) {
    assay_arena_t *arena = ((fixture_t *)*state)->arena;
    const char *text = "";
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned k = i + 1; k < 8; k++) {
            text = assay_arena_printf(arena, "%s%s{\"a\": %u, \"b\": %u, \"links\": %u}", text,
                                      *text ? ", " : "", i, k, i == 0 && k == 1 ? first : links);
        }
    }
    return assay_arena_printf(arena,
                              "{\"topology\": 1, \"host\": \"n1\", \"accelerator\": \"%s\", "
                              "\"devices\": [{}, {}, {}, {}, {}, {}, {}, {}], \"links\": [%s]}",
                              accelerator, text);
}

static assay_status_t resolve(void **state, const char *system, const char *text,
                              assay_resolved_t **out, assay_error_t *err) {
    const fixture_t *fixture = *state;
    char job_text[512];
    assay_job_t *job = NULL;
    (void)snprintf(job_text, sizeof job_text,
                   "workload: {train: {model: llama-7b, dataset_tokens: 1e9, sequence: 2048, "
                   "global_batch: 64, precision: bf16}}\n"
                   "candidates: [{system: %s}]\n"
                   "topology: found.json\n",
                   system);
    memset(err, 0, sizeof *err);
    assay_status_t status =
        assay_job_read(fixture->arena, "job.yaml", job_text, strlen(job_text), NULL, 0, &job, err);
    if (!status) {
        job->topology_text = text;
        status =
            assay_resolve(fixture->arena, job, fixture->catalog, fixture->calibration, out, err);
    }
    return status;
}

static const assay_links_t *links_of(void **state, const char *system, const char *text) {
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    if (resolve(state, system, text, &resolved, &err)) {
        fail_msg("%s: %s; %s", err.file, err.what, err.next);
    }
    return &resolved->machine[0].links;
}

static void test_whole_mesh_is_the_catalogs(void **state) {
    const assay_links_t *links =
        links_of(state, "8x-mi300x-oam", topology(state, "amd-mi300x-192g", 1, 1));
    assay_test_close(links->device_bytes_per_s, 448e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[8][1], 448e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[2][1], 64e9, 1e-12, 0, "rate");
    assert_int_equal(links->kind, ASSAY_FABRIC_FULL_MESH);
}

/* Without the link 0-1 these devices have 6 x 64; between them two links are taken: half of 64. */
static void test_lost_link_costs(void **state) {
    const assay_links_t *links =
        links_of(state, "8x-mi300x-oam", topology(state, "amd-mi300x-192g", 1, 0));
    assay_test_close(links->device_bytes_per_s, 384e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[8][1], 384e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[2][1], 32e9, 1e-12, 0, "rate");
    assay_test_close(links->p2p_bytes_per_s[1], 32e9, 1e-12, 0, "rate");
}

/* 11 of 12 NVLinks: 300 GB/s x 11/12. */
static void test_lost_nvlink_costs(void **state) {
    const assay_links_t *links =
        links_of(state, "dgx-a100-80g", topology(state, "nvidia-a100-sxm4-80g", 12, 11));
    assay_test_close(links->device_bytes_per_s, 275e9, 1e-12, 0, "rate");
}

static void test_note_says_what_is_replaced(void **state) {
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(
        resolve(state, "8x-mi300x-oam", topology(state, "amd-mi300x-192g", 1, 0), &resolved, &err),
        ASSAY_OK);
    for (uint32_t i = 0; i < resolved->n_note; i++) {
        const assay_note_t *note = &resolved->note[i];
        if (strcmp(note->subject, "8x-mi300x-oam links") == 0) {
            assert_string_equal(note->value, "1 of 28 pairs differ");
            assert_string_equal(note->source, "found.json");
            return;
        }
    }
    fail_msg("no note on the links");
}

static void test_refused(void **state) {
    static const struct {
        const char *text, *what;
    } row[] = {
        {"{", "JSON"},
        {"[]", "is no topology"},
        {"{\"topology\": 1, \"devices\": [], \"links\": []}", "which accelerator"},
        {"{\"topology\": 1, \"accelerator\": \"amd-mi300x-192g\", \"devices\": [{}], \"links\": "
         "[]}",
         "1 devices"},
        {"{\"topology\": 1, \"accelerator\": \"amd-mi300x-192g\", \"devices\": [{}, {}], "
         "\"links\": "
         "[{\"a\": 0, \"b\": 2, \"links\": 1}]}",
         "numbers of two devices"},
        {"{\"topology\": 1, \"accelerator\": \"amd-mi300x-192g\", \"devices\": [{}, {}], "
         "\"links\": "
         "[{\"a\": 0, \"b\": 1, \"links\": -1}]}",
         "number of links"},
        {"{\"topology\": 1, \"accelerator\": \"amd-mi210-64g\", \"devices\": [{}, {}], \"links\": "
         "[]}",
         "no candidate"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_resolved_t *resolved = NULL;
        assay_error_t err;
        assert_int_equal(resolve(state, "8x-mi300x-oam", row[i].text, &resolved, &err),
                         ASSAY_INPUT);
        if (!strstr(err.what, row[i].what)) {
            fail_msg("%s: expected '%s'", err.what, row[i].what);
        }
    }
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(
        resolve(state, "8x-mi300x-oam", topology(state, "amd-mi300x-192g", 0, 0), &resolved, &err),
        ASSAY_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_mesh_is_the_catalogs),
        cmocka_unit_test(test_lost_link_costs),
        cmocka_unit_test(test_lost_nvlink_costs),
        cmocka_unit_test(test_note_says_what_is_replaced),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
