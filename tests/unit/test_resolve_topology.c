/* Links that were found in place of the catalog's. Expected rates by hand: 64 GB/s a link of an
   MI300X's mesh (data/fabrics.csv), 300 GB/s for the 12 NVLinks of an A100. */
#include "resolve_fixture.h"

/* Eight devices, each pair with `links`, the pair 0-1 with `first`. */
static const char *topology(const char *accelerator, unsigned links, unsigned first) {
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

static assay_status_t resolve(const char *system, const char *text, assay_resolved_t **out,
                              assay_error_t *err) {
    assay_job_t *job = NULL;
    const char *job_text =
        assay_arena_printf(arena,
                           "workload: {train: {model: llama-7b, dataset_tokens: 1e9, sequence: "
                           "2048, global_batch: 64, precision: bf16}}\n"
                           "candidates: [{system: %s}]\n"
                           "topology: found.json\n",
                           system);
    memset(err, 0, sizeof *err);
    assay_status_t status =
        assay_job_read(arena, "job.yaml", job_text, strlen(job_text), NULL, 0, &job, err);
    if (!status) {
        job->topology_text = text;
        status = assay_resolve(arena, job, catalog, calibration, out, err);
    }
    return status;
}

static const assay_links_t *links_of(const char *system, const char *text) {
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    if (resolve(system, text, &resolved, &err)) {
        fail_msg("%s: %s; %s", err.file, err.what, err.next);
    }
    return &resolved->machine[0].links;
}

static void test_whole_mesh_is_the_catalogs(void **state) {
    (void)state;
    const assay_links_t *links = links_of("8x-mi300x-oam", topology("amd-mi300x-192g", 1, 1));
    assay_test_close(links->device_bytes_per_s, 448e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[8][1], 448e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[2][1], 64e9, 1e-12, 0, "rate");
    assert_int_equal(links->kind, ASSAY_FABRIC_FULL_MESH);
}

/* Without the link 0-1 these devices have 6 x 64; between them two links are taken: half of 64. */
static void test_lost_link_costs(void **state) {
    (void)state;
    const assay_links_t *links = links_of("8x-mi300x-oam", topology("amd-mi300x-192g", 1, 0));
    assay_test_close(links->device_bytes_per_s, 384e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[8][1], 384e9, 1e-12, 0, "rate");
    assay_test_close(links->cut_bytes_per_s[2][1], 32e9, 1e-12, 0, "rate");
    assay_test_close(links->p2p_bytes_per_s[1], 32e9, 1e-12, 0, "rate");
}

/* 11 of 12 NVLinks: 300 GB/s x 11/12. */
static void test_lost_nvlink_costs(void **state) {
    (void)state;
    const assay_links_t *links = links_of("dgx-a100-80g", topology("nvidia-a100-sxm4-80g", 12, 11));
    assay_test_close(links->device_bytes_per_s, 275e9, 1e-12, 0, "rate");
}

static void test_note_says_what_is_replaced(void **state) {
    (void)state;
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(resolve("8x-mi300x-oam", topology("amd-mi300x-192g", 1, 0), &resolved, &err),
                     ASSAY_OK);
    const assay_note_t *note = find_note(resolved, "8x-mi300x-oam links");
    assert_non_null(note);
    assert_string_equal(note->value, "1 of 28 pairs differ");
    assert_string_equal(note->source, "found.json");
}

static void test_refused(void **state) {
    (void)state;
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
        assert_int_equal(resolve("8x-mi300x-oam", row[i].text, &resolved, &err), ASSAY_INPUT);
        if (!strstr(err.what, row[i].what)) {
            fail_msg("%s: expected '%s'", err.what, row[i].what);
        }
    }
    assay_resolved_t *resolved = NULL;
    assay_error_t err;
    assert_int_equal(resolve("8x-mi300x-oam", topology("amd-mi300x-192g", 0, 0), &resolved, &err),
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
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
