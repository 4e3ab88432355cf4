/* A host made of texts, and what the doctor says about it. */
#ifndef HOST_FIXTURE_H
#define HOST_FIXTURE_H

#include <string.h>

#include "assay/doctor.h"
#include "assay_test.h"

typedef struct {
    assay_arena_t *arena;
    const assay_host_rules_t *rules;
} host_fixture_t;

static inline int host_setup(void **state) {
    static host_fixture_t fixture;
    assay_error_t err = {0};
    char line[1024];
    fixture.arena = assay_arena_create((size_t)256 << 20);
    if (!fixture.arena || assay_host_rules_load(fixture.arena, NULL, 0, ASSAY_LANG_EN,
                                                &fixture.rules, &err) != ASSAY_OK) {
        print_error("%s\n", assay_error_line(&err, line, sizeof line));
        return -1;
    }
    *state = &fixture;
    return 0;
}

static inline int host_teardown(void **state) {
    assay_arena_destroy(((host_fixture_t *)*state)->arena);
    return 0;
}

/* texts: name, content, name, content ..., NULL. */
static inline assay_host_t *host_of(void **state, const char *const *texts) {
    const host_fixture_t *fixture = *state;
    assay_host_file_t file[16];
    uint32_t n = 0;
    for (; texts[2 * n]; n++) {
        assert_true(n < 16);
        file[n] = (assay_host_file_t){texts[2 * n], texts[2 * n + 1], strlen(texts[2 * n + 1])};
    }
    assay_host_t *host = NULL;
    assert_int_equal(
        assay_host_read_files(fixture->arena, fixture->rules, "test", file, n, &host, NULL),
        ASSAY_OK);
    return host;
}
#define HOST(state, ...) host_of(state, (const char *const[]){__VA_ARGS__, NULL})

/* What check id says of a host: the first finding of that check. */
static inline const assay_doctor_finding_t *host_finding(void **state, const assay_host_t *host,
                                                         const char *id) {
    const host_fixture_t *fixture = *state;
    const assay_doctor_options_t options = {
        .threshold = ASSAY_SEVERITY_WARNING, .only = &id, .n_only = 1};
    assay_diagnosis_t *diagnosis = NULL;
    assert_int_equal(assay_doctor(fixture->arena, fixture->rules, host, &options, &diagnosis, NULL),
                     ASSAY_OK);
    assert_true(diagnosis->n_finding > 0);
    return &diagnosis->finding[0];
}

static inline assay_check_status_t host_status(void **state, const assay_host_t *host,
                                               const char *id) {
    return (assay_check_status_t)host_finding(state, host, id)->status;
}

#endif
