/**
 * Scan a CUDA tree: what breaks, what silently goes wrong, what is already ported, and what moving
 * to ROCm/HIP takes. Reads only. Stands on base and catalog; meets the chain through its result.
 */
#ifndef ASSAY_PORT_H
#define ASSAY_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/arena.h"
#include "assay/finding.h"
#include "assay/hooks.h"
#include "assay/message.h"
#include "assay/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *rule;        /* row of data/port_rules.csv: "warp-mask-32bit" */
    const char *api;         /* identifier, opcode, package, flag that was found; "" when none */
    const char *replacement; /* HIP name, library, or what to write; "" when unknown */
    const char *status;      /* supported, deprecated, experimental, unsupported, renamed, ported */
    const char *message;     /* one sentence */
    const char *source;      /* of the rule or the map row */
    const char *library;     /* of api: "cublas", "runtime" ...; NULL or "" when none */
    const char *text;        /* its line from text_column on, cut at 200 bytes; NULL = not kept */
    uint32_t text_column;    /* of the line's first byte that is no white space */
    assay_place_t at;        /* file relative to the scanned root */
    uint32_t length;         /* bytes of the found text, for SARIF and the rewrite */
    uint8_t effect, severity, level; /* level 1 interface, 2 kernel, 3 ecosystem (A6) */
    bool heuristic;                  /* labelled as such */
    bool deep;                       /* only a syntax tree tells it */
    bool known;                      /* stands in the baseline */
} assay_port_finding_t;

/* What a file is, decided by name and content. */
#define ASSAY_PORT_LANGUAGE_LIST(X) \
    X(CUDA, "cuda")                 \
    X(C, "c")                       \
    X(CPP, "c++")                   \
    X(PTX, "ptx")                   \
    X(PYTHON, "python")             \
    X(CMAKE, "cmake")               \
    X(MAKE, "make")                 \
    X(DOCKER, "dockerfile")         \
    X(CONDA, "conda")               \
    X(REQUIREMENTS, "requirements") \
    X(PYPROJECT, "pyproject")       \
    X(SHELL, "shell")               \
    X(SLURM, "slurm")               \
    X(NOTEBOOK, "notebook")         \
    X(OTHER, "other")
typedef enum {
#define ASSAY_PORT_LANGUAGE_ENUM(code, name) ASSAY_PORT_##code,
    ASSAY_PORT_LANGUAGE_LIST(ASSAY_PORT_LANGUAGE_ENUM)
#undef ASSAY_PORT_LANGUAGE_ENUM
        ASSAY_PORT_LANGUAGE_N
} assay_port_language_t;
const char *assay_port_language_name(assay_port_language_t language);

/* What refers to the device; each kind has its weight in the fit (data/port_effort.csv). */
typedef enum {
    ASSAY_PORT_REFERENCE_API,
    ASSAY_PORT_REFERENCE_KERNEL,
    ASSAY_PORT_REFERENCE_PACKAGE,
    ASSAY_PORT_REFERENCE_N
} assay_port_reference_t;
typedef struct {
    uint32_t all;
    uint32_t ready;     /* for the chosen ROCm and target: works, or a rename away */
    uint32_t ported;    /* under a HIP guard already */
    uint32_t cuda_only; /* features without any ROCm form */
} assay_port_references_t;

/* Why a file was not read that is no source, script or list of packages. */
#define ASSAY_PORT_OTHER_KIND "not a kind of file that is scanned"

/** Per file: what the effort model and the summary count. */
typedef struct {
    const char *path;
    uint8_t language;
    uint64_t bytes;
    uint32_t lines;
    uint32_t kernels, launches;
    assay_port_references_t references[ASSAY_PORT_REFERENCE_N]; /* device-facing */
    uint32_t finding[ASSAY_EFFECT_N];
    double residual_lines; /* lines a person still edits after the level-1 rewrite, expected */
    const char *skipped;   /* binary, too large, unreadable ...; NULL = scanned */
} assay_port_file_t;

/** Of all kinds together. */
assay_port_references_t assay_port_file_references(const assay_port_file_t *file);

typedef struct {
    double p10_days, p50_days, p90_days;
} assay_port_days_t;
typedef struct {
    assay_port_days_t level[3], training, contingency, total; /* person-days */
    assay_port_days_t calendar;    /* calendar days of the team's work, total */
    assay_port_days_t review_wait; /* calendar days until others merge it; apart, not in calendar */
    /* What the contingency does not pay for: levels and training together. */
    double tail_p95_days, tail_p99_days;
    double covered_share; /* of outcomes within their median and the median contingency */
    double debt_days_per_year, debt_fork_days_per_year; /* shared source; a fork of one's own */
    double experience; /* what is left of the levels for a team that has done it before; else 1 */
    uint64_t cuda_lines;
    double residual_lines; /* of all files */
    /* Shares of the device-facing references, weighted by kind: ready or ported; without any ROCm
       form. ported_share: of the names, kernels left out. < 0 when there are none. */
    double hip_fit, cuda_only_share, ported_share;
    const char *const *assumption; /* coefficients used, with source or "assumption" */
    uint32_t n_assumption;
} assay_port_effort_t;

typedef struct {
    uint32_t rocm;      /* major * 100 + minor: 604, 700, 714, 1000 */
    const char *target; /* gfx942; unknown targets are accepted */
    uint32_t team;      /* people; 0 = default */
    bool experienced;   /* they have moved such code to ROCm before */
    uint32_t threads;   /* 0 = all */
    const assay_hooks_t *hooks;
    size_t max_file_bytes;              /* larger files are skipped with a reason; 0 = 64 MiB */
    const struct assay_port_deep *deep; /* NULL = none */
    assay_lang_t lang;                  /* of the messages of rules */
} assay_port_options_t;

/** A framework that the tree imports or asks to install, and where it is listed. */
typedef struct {
    const char *package, *name; /* "torch", "PyTorch" */
    uint32_t files;             /* that name it */
    bool listed;                /* for the ROCm and target of the scan; else the rest is "" */
    const char *versions, *how, *note, *source;
} assay_port_framework_t;

typedef struct {
    const char *root;
    assay_port_file_t *file;
    uint32_t n_file;
    assay_port_finding_t *finding; /* by file, line, column, rule */
    uint32_t n_finding;
    assay_port_framework_t *framework; /* in the order of data/port_frameworks.csv */
    uint32_t n_framework;
    const char *replaced_by; /* the tree is a package that ROCm has; NULL: it is none */
    assay_port_effort_t effort;
    uint64_t bytes, lines;
    assay_port_options_t options;
} assay_port_scan_t;

/**
 * Opens tree-sitter, and its grammars assay-grammar-{cuda,cpp,python}.so from the first folder of
 * dir (n_dir) that has them: a scan with it also reports what only a syntax tree tells, marked, and
 * everything else as without it. Threads may share it. Errors: ASSAY_UNAVAILABLE with how to get
 * it.
 */
typedef struct assay_port_deep assay_port_deep_t;
assay_status_t assay_port_deep_open(const char *const *dir, uint32_t n_dir,
                                    assay_port_deep_t **out_deep, assay_error_t *err);
/** NULL allowed. */
void assay_port_deep_close(assay_port_deep_t *deep);

/** "6.4", "7.0", "10.0" -> 604, 700, 1000; false when it is no ROCm version. */
bool assay_port_rocm_parse(const char *text, uint32_t *out_rocm);
/**
 * path: directory, file, archive (tar, tar.gz, tar.zst, zip) or "DIR@REVISION" of a git repository;
 * archives and revisions are read in place. Result does not depend on threads.
 * Errors: ASSAY_IO, ASSAY_INPUT, ASSAY_LIMIT, ASSAY_CANCELLED.
 */
assay_status_t assay_port_scan(assay_arena_t *arena, const char *path,
                               const assay_port_options_t *options, assay_port_scan_t **out_scan,
                               assay_error_t *err);

/**
 * What names a finding across edits elsewhere: rule, file, the line's text with white space folded,
 * and the how-manieth of its kind in the file; not its line number. *out: (n_finding).
 * Errors: ASSAY_LIMIT.
 */
assay_status_t assay_port_fingerprints(assay_arena_t *arena, const assay_port_scan_t *scan,
                                       const uint64_t **out, assay_error_t *err);
/** The findings as a baseline: one line each, "fingerprint rule file". */
void assay_port_baseline_write(const assay_port_scan_t *scan, const uint64_t *fingerprint,
                               assay_buf_t *out);
/**
 * Marks the findings that a baseline knows. file: its name for messages. Errors: ASSAY_INPUT with
 * the line that is no baseline's; ASSAY_LIMIT.
 */
assay_status_t assay_port_baseline_apply(assay_arena_t *arena, const char *file, const char *data,
                                         size_t size, const uint64_t *fingerprint,
                                         assay_port_scan_t *scan, assay_error_t *err);

/**
 * Level-1 rewrite of one file, token-exact; everything outside rewritten tokens stays
 * byte-identical; idempotent. Appends the new text; *out_changes counts the tokens.
 */
assay_status_t assay_port_rewrite(assay_arena_t *arena, const char *path, const char *data,
                                  size_t size, const assay_port_options_t *options,
                                  assay_buf_t *out, uint32_t *out_changes, assay_error_t *err);
/** The same for many files: the tables are read once, into the arena that is given to create. */
typedef struct assay_port_rewriter assay_port_rewriter_t;
assay_status_t assay_port_rewriter_create(assay_arena_t *arena, const assay_port_options_t *options,
                                          const assay_port_rewriter_t **out_rewriter,
                                          assay_error_t *err);
/** arena: of this file alone, may be emptied afterwards. Thread-safe. */
assay_status_t assay_port_rewriter_run(const assay_port_rewriter_t *rewriter, assay_arena_t *arena,
                                       const char *path, const char *data, size_t size,
                                       assay_buf_t *out, uint32_t *out_changes, assay_error_t *err);

/**
 * Unified diff (three lines of context) from one text of path to another, as patch -p1 reads it;
 * nothing when they are equal. Right, but not always the shortest. Errors: ASSAY_LIMIT (more than
 * 4 Gi lines, or the arena's end).
 */
assay_status_t assay_port_diff(assay_arena_t *arena, const char *path, const char *from,
                               size_t n_from, const char *to, size_t n_to, assay_buf_t *out,
                               assay_error_t *err);

#ifdef __cplusplus
}
#endif
#endif
