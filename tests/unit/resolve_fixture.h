/* The built-in tables, loaded once for all tests of a program, and what jobs resolve to on them. */
#ifndef RESOLVE_FIXTURE_H
#define RESOLVE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "arena_fixture.h"
#include "assay/resolve.h"
#include "assay/text.h"
#include "assay_test.h"

static assay_catalog_t *catalog;
static assay_calibration_t *calibration;

static inline int tables_set_up(void **state) {
    assay_error_t err = {0};
    char line[1024];
    if (arena_set_up(state)) {
        return -1;
    }
    if (assay_catalog_load(arena, NULL, 0, &catalog, &err) != ASSAY_OK ||
        assay_calibration_load(arena, NULL, 0, &calibration, &err) != ASSAY_OK) {
        print_error("%s\n", assay_error_line(&err, line, sizeof line));
        return -1;
    }
    return 0;
}

/* ---- what the catalog has ---- */

static inline const assay_accelerator_t *part_of(const char *id) {
    const assay_accelerator_t *part = NULL;
    assert_int_equal(assay_catalog_accelerator(catalog, id, NULL, &part, NULL), ASSAY_OK);
    return part;
}

static inline const assay_model_t *model_of(const char *id) {
    const assay_model_t *model = NULL;
    assert_int_equal(assay_catalog_model(catalog, id, NULL, &model, NULL), ASSAY_OK);
    return model;
}

/* So many devices of a part in its own node, and in as many of them as it takes. */
static inline assay_machine_t machine_of(const char *id, uint32_t devices) {
    assay_machine_t machine;
    assert_int_equal(assay_resolve_machine(arena, catalog, calibration, part_of(id), NULL, NULL, 0,
                                           0, devices, ASSAY_DT_BF16, &machine, NULL),
                     ASSAY_OK);
    return machine;
}

/* ---- jobs ---- */

static inline assay_status_t resolve_text(const char *text, assay_resolved_t **out,
                                          assay_error_t *err) {
    assay_job_t *job = NULL;
    memset(err, 0, sizeof *err);
    const assay_status_t status =
        assay_job_read(arena, "job.yaml", text, strlen(text), NULL, 0, &job, err);
    return status ? status : assay_resolve(arena, job, catalog, calibration, out, err);
}

static inline assay_resolved_t *resolve_ok(const char *text) {
    assay_error_t err;
    assay_resolved_t *resolved = NULL;
    if (resolve_text(text, &resolved, &err) != ASSAY_OK) {
        fail_msg("%s:%u:%u: %s; %s", err.file, err.line, err.column, err.what, err.next);
    }
    return resolved;
}

/* The job is refused at this line, with a sentence that holds `what`; its error, to look further.
 */
static inline assay_error_t resolve_refused(const char *text, assay_status_t status, uint32_t line,
                                            const char *what) {
    assay_error_t err;
    assay_resolved_t *resolved = NULL;
    const assay_status_t got = resolve_text(text, &resolved, &err);
    if (got != status || err.line != line || !strstr(err.what, what)) {
        fail_msg("%s\nis %s, line %u: '%s'; expected %s, line %u: '%s'", text,
                 assay_status_name(got), err.line, err.what, assay_status_name(status), line, what);
    }
    return err;
}

static inline const assay_note_t *find_note(const assay_resolved_t *resolved, const char *subject) {
    for (uint32_t i = 0; i < resolved->n_note; i++) {
        if (strcmp(resolved->note[i].subject, subject) == 0) {
            return &resolved->note[i];
        }
    }
    return NULL;
}

/* ---- tables of a user ---- */

/* A folder of one table, to be laid over the built-in one. */
static inline const char *overlay_make(const char *table, const char *text) {
    char *dir = assay_arena_printf(arena, "/tmp/assay_overlay_XXXXXX");
    assert_non_null(dir);
    assert_non_null(mkdtemp(dir));
    const char *path = assay_arena_printf(arena, "%s/%s", dir, table);
    assert_int_equal(assay_file_write(path, text, strlen(text), NULL), ASSAY_OK);
    return dir;
}

static inline void overlay_remove(const char *dir, const char *table) {
    assert_int_equal(unlink(assay_arena_printf(arena, "%s/%s", dir, table)), 0);
    assert_int_equal(rmdir(dir), 0);
}

/* The calibration with one table of a user laid over it. */
static inline assay_status_t calibration_over(const char *table, const char *text,
                                              assay_calibration_t **out, assay_error_t *err) {
    const char *const dir[] = {overlay_make(table, text)};
    *err = (assay_error_t){0};
    const assay_status_t status = assay_calibration_load(arena, dir, 1, out, err);
    overlay_remove(dir[0], table);
    return status;
}

typedef struct {
    const char *rows, *what; /* what the error holds */
} bad_rows_t;

/* Each of these, below the header, is refused at its line of the table. */
static inline void calibration_refuses(const char *table, const char *header, const bad_rows_t *bad,
                                       size_t n) {
    for (size_t i = 0; i < n; i++) {
        assay_calibration_t *out;
        assay_error_t err;
        const char *text = assay_arena_printf(arena, "%s%s", header, bad[i].rows);
        assert_int_equal(calibration_over(table, text, &out, &err), ASSAY_INPUT);
        if (!strstr(err.what, bad[i].what)) {
            fail_msg("%s: '%s' does not say '%s'", bad[i].rows, err.what, bad[i].what);
        }
        assert_true(err.line >= 2);
        assert_non_null(strstr(err.file, table));
    }
}

#endif
