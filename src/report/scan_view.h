/** What the formats of a scan share: counts by directory, file, library and rule. */
#ifndef ASSAY_REPORT_SCAN_VIEW_H
#define ASSAY_REPORT_SCAN_VIEW_H

#include "assay/report_scan.h"
#include "report/write.h"

/** One directory, file, library or rule. */
typedef struct {
    const char *name;
    uint32_t files;                   /* of directories: scanned; else: with a finding */
    uint64_t lines;                   /* of directories */
    uint32_t finding[ASSAY_EFFECT_N]; /* new ones */
    uint32_t all, worst;              /* new ones together; worst: effect */
    double residual_lines;            /* of directories */
    const assay_port_finding_t *first;
} assay_scan_group_t;

typedef struct {
    const assay_port_scan_t *scan;
    const uint64_t *fingerprint;
    assay_scan_group_t *directory, *file, *library, *rule; /* worst first */
    uint32_t n_directory, n_file, n_library, n_rule;
    uint32_t by_level[ASSAY_EFFECT_N][4];        /* level 1 to 3; 0: all; new ones */
    uint32_t n_new, n_known, n_skipped, n_other; /* other: of kinds that are not scanned */
    uint64_t kernels, launches;
    struct {
        uint64_t all, ready, ported, cuda_only;
    } references[ASSAY_PORT_REFERENCE_N];
} assay_scan_view_t;

/** NULL and view->failed once the arena is full. */
const assay_scan_view_t *assay_scan_view(assay_view_t *view, const assay_port_scan_t *scan,
                                         const uint64_t *fingerprint);
/** "6.4". */
const char *assay_scan_rocm(assay_view_t *view, const assay_port_scan_t *scan);
/** What was read, and how much of it is ready, in one or two sentences. */
const char *assay_scan_sentence(assay_view_t *view, const assay_scan_view_t *s);

/* Rows of the effort table. */
typedef struct {
    assay_message_t name;
    const assay_port_days_t *days;
} assay_scan_effort_row_t;
#define ASSAY_SCAN_EFFORT_ROWS 6
void assay_scan_effort_rows(const assay_port_scan_t *scan,
                            assay_scan_effort_row_t out[ASSAY_SCAN_EFFORT_ROWS]);
/** Calendar, wait, tail, debt and what is credited: sentences for below the table. Returns their
 * number. */
#define ASSAY_SCAN_NOTES 6
uint32_t assay_scan_effort_notes(assay_view_t *view, const assay_port_scan_t *scan,
                                 const char *out[ASSAY_SCAN_NOTES]);

/** What a finding says, with what it rests on. */
const char *assay_scan_message(assay_view_t *view, const assay_port_finding_t *f);
void assay_scan_write_text(assay_view_t *view, const assay_scan_view_t *s);
void assay_scan_write_json(assay_view_t *view, const assay_scan_view_t *s);
void assay_scan_write_sarif(assay_view_t *view, const assay_scan_view_t *s);
void assay_scan_write_html(assay_view_t *view, const assay_scan_view_t *s);

#endif
