/* What the parts of the scanner share: rules and tables (const, loaded once), one file's text, and
   the sink that a reader reports to. Readers are pure: text in, findings and counts out. */
#ifndef PORT_SCAN_H
#define PORT_SCAN_H

#include "assay/port.h"

/* One row of data/port_rules.csv. */
typedef struct {
    const char *id, *message, *replacement, *source;
    uint8_t effect, severity, level;
    uint16_t rocm_from, rocm_to; /* applies when from <= rocm < to; 0 = open */
    const char *target;          /* "" = all; "wave64", "wave32", "gfx9", "gfx942|gfx950" ... */
    bool heuristic;
} port_rule_t;

/* One CUDA identifier (data/port_api.csv with data/port_overrides.csv applied). */
typedef struct {
    const char *name, *hip, *library;
    const char *source;
    uint8_t kind, status;            /* port_api_kind_t, port_api_status_t */
    uint16_t hip_added, hip_removed; /* ROCm version, 0 = unknown */
    uint16_t cuda_removed;
} port_api_t;
typedef enum {
    PORT_API_FUNCTION,
    PORT_API_TYPE,
    PORT_API_ENUM,
    PORT_API_MACRO,
    PORT_API_INCLUDE
} port_api_kind_t;
typedef enum {
    PORT_SUPPORTED,
    PORT_DEPRECATED,
    PORT_EXPERIMENTAL,
    PORT_UNSUPPORTED
} port_api_status_t;

/* One row of data/port_libraries.csv: a header that stands for a library. */
typedef struct {
    const char *trigger; /* "nccl.h", a folder "cub/", or how it begins "npp*" */
    const char *component, *replacement, *note, *source;
    const char *rule; /* what is reported */
    uint16_t since;   /* first ROCm that has the replacement; 0 = all, or unknown */
} port_library_t;

typedef struct port_tables port_tables_t;
/** Parses the tables into the arena (milliseconds). */
assay_status_t port_tables_load(assay_arena_t *arena, assay_lang_t lang,
                                const port_tables_t **out_tables, assay_error_t *err);
/** NULL when the id is unknown: a mistake in assay, asserted by callers. */
const port_rule_t *port_rule_find(const port_tables_t *tables, const char *id);
/** The rule speaks for this ROCm version and target. Unknown gfx targets: wave64 when gfx9*, else
 * wave32. */
bool port_rule_applies(const port_rule_t *rule, const assay_port_options_t *options);
/** NULL = no CUDA identifier. O(1), no allocation. */
const port_api_t *port_api_find(const port_tables_t *tables, const char *text, size_t n);

/** The library that an include names; NULL = none of the table. path: without quotes or brackets.
 */
const port_library_t *port_library_find(const port_tables_t *tables, const char *path, size_t n);

typedef struct {
    const char *path;
    const char *data; /* not NUL-terminated */
    size_t size;
    uint8_t language;
    uint32_t line;           /* line number of data[0]: 1, or where an embedded source starts */
    uint32_t column;         /* of data[0]; 0 = 1: an embedded source may start within a line */
    const uint32_t *line_of; /* NULL: lines follow one another; else the line number of each line
                                of data (cells of a notebook) */
} port_text_t;

/* Findings and counts of one file. One sink a worker; the driver merges them in file order. */
typedef struct port_sink port_sink_t;
const port_tables_t *port_sink_tables(const port_sink_t *sink);
const assay_port_options_t *port_sink_options(const port_sink_t *sink);
/** Counts of the file that is being read; readers add to them. */
assay_port_file_t *port_sink_file(port_sink_t *sink);
typedef enum {
    PORT_REFERENCE_READY,    /* works, or a rename away */
    PORT_REFERENCE_WORK,     /* there is a ROCm form, but someone has to edit */
    PORT_REFERENCE_CUDA_ONLY /* there is none */
} port_reference_t;
/** Counts one device-facing reference; port_sink_add does not. ported: under a HIP guard. */
void port_sink_reference_of(port_sink_t *sink, assay_port_reference_t kind,
                            port_reference_t reference, bool ported);
/** The same for an API use. */
void port_sink_reference(port_sink_t *sink, port_reference_t reference, bool ported);
/** This file names the framework of that number. */
#define PORT_FRAMEWORKS 16u
void port_sink_framework(port_sink_t *sink, unsigned index);
/**
 * Reports rule at data[offset .. offset+length) of text, unless it does not apply to the options.
 * api, replacement, status: "" or NULL = the rule's own. ported: inside a HIP guard (credited, no
 * finding).
 */
void port_sink_add(port_sink_t *sink, const port_text_t *text, const char *rule, size_t offset,
                   size_t length, const char *api, const char *replacement, const char *status,
                   bool ported);

/** The same with what a row of another table knows better than the rule. */
typedef struct {
    const char *rule;
    size_t offset, length;
    const char *api, *replacement, *status; /* as above */
    const char *message, *source;           /* NULL = the rule's own */
    const char *library;                    /* NULL = the one that api belongs to */
    bool ported;
    bool deep; /* left out where the rule spoke on that line already */
} port_found_t;
void port_sink_report(port_sink_t *sink, const port_text_t *text, const port_found_t *found);
/** Where readers keep the strings of their findings: the sink keeps the pointers. */
assay_arena_t *port_sink_arena(port_sink_t *sink);

/* Packages and frameworks (data/port_packages.csv, port_frameworks.csv); port_tables_load calls
   port_packages_load and keeps the result. */
typedef struct port_packages port_packages_t;
assay_status_t port_packages_load(assay_arena_t *arena, assay_lang_t lang,
                                  const port_packages_t **out_packages, assay_error_t *err);
const port_packages_t *port_tables_packages(const port_tables_t *tables);
/** The framework of that number and where it is listed; false: there is none. */
bool port_packages_framework(const port_packages_t *packages, unsigned index,
                             const assay_port_options_t *options, assay_port_framework_t *out);
/** The tree holds the sources of this package. */
bool port_packages_is_own(const port_packages_t *packages, const char *id,
                          const assay_port_scan_t *scan);
/** A package whose sources the tree holds and that ROCm has in some form; NULL: none. */
const char *port_packages_own(const port_packages_t *packages, const assay_port_scan_t *scan);
/** Takes out the findings about packages whose sources are in the tree itself, when all files are
 * read: a tree that imports itself depends on nobody. */
void port_packages_forget_own(const port_packages_t *packages, assay_port_scan_t *scan);

/* Readers, one a language family. */
void port_read_c(port_sink_t *sink,
                 const port_text_t *text); /* C, C++, CUDA; embedded sources too */
void port_read_ptx(port_sink_t *sink, const port_text_t *text); /* .ptx files */
/** PTX in data[from .. from+n); escapes: a string literal's inside. */
void port_ptx_range(port_sink_t *sink, const port_text_t *text, size_t from, size_t n, bool escapes,
                    bool ported);
void port_read_python(port_sink_t *sink,
                      const port_text_t *text); /* calls port_read_c on CUDA in strings */
void port_read_build(port_sink_t *sink, const port_text_t *text); /* CMake, Make, setup flags */
void port_read_packages(port_sink_t *sink,
                        const port_text_t *text); /* requirements, pyproject, conda */
void port_read_container(port_sink_t *sink, const port_text_t *text); /* Dockerfiles */
void port_read_shell(port_sink_t *sink, const port_text_t *text);     /* shell, Slurm */
void port_read_notebook(port_sink_t *sink, const port_text_t *text);

/** What only the tree of the text tells; after the reader of its language. */
void port_deep_read(const assay_port_deep_t *deep, port_sink_t *sink, const port_text_t *text);

/* Walks a directory, archive or git revision in a stable order and hands out texts. */
typedef struct {
    const char *path; /* relative to the root */
    uint8_t language;
    const char *skipped; /* reason; then data is NULL */
    const char *data;
    size_t size;
} port_entry_t;
/**
 * Calls visit for every regular file in path order (byte order); data is valid during the call
 * only. Honours .gitignore; does not follow symlinks out of the root; refuses archive entries that
 * escape.
 */
assay_status_t port_walk(assay_arena_t *arena, const char *path,
                         const assay_port_options_t *options,
                         assay_status_t (*visit)(void *ctx, const port_entry_t *entry), void *ctx,
                         assay_error_t *err);
assay_port_language_t port_language(const char *path, const char *data, size_t size);

/** Fills scan->effort from the files and findings (data/port_effort.csv: coefficients with source).
 */
assay_status_t port_effort(assay_arena_t *arena, assay_port_scan_t *scan, assay_error_t *err);

#endif
