/* The sink's inside, for the driver and the tests. */
#ifndef PORT_SINK_H
#define PORT_SINK_H

#include "port/lexer.h"

/** Strings of findings, each kept once, shared by all workers. */
typedef struct port_strings port_strings_t;
port_strings_t *port_strings_create(assay_arena_t *arena);
void port_strings_destroy(port_strings_t *strings);

/** options must outlive the sink. NULL: no memory. */
port_sink_t *port_sink_create(const port_tables_t *tables, port_strings_t *strings,
                              const assay_port_options_t *options);
/** NULL allowed. */
void port_sink_destroy(port_sink_t *sink);
/** Findings and counts go to file from now on. */
void port_sink_begin(port_sink_t *sink, assay_port_file_t *file);
/** Findings so far, over all files, in the order of reporting. */
uint32_t port_sink_count(const port_sink_t *sink);
/** Copies them to out (port_sink_count of them). */
void port_sink_copy(const port_sink_t *sink, assay_port_finding_t *out);
/** Moves them to out, and to out_guard the macro that each stood under; the sink is empty then.
 * Returns how many. */
uint32_t port_sink_move(port_sink_t *sink, assay_port_finding_t *out, uint32_t *out_guard);
/** A finding or a string was lost for want of memory. */
bool port_sink_failed(const port_sink_t *sink);

/* What one file says about others: which macros only a build for CUDA defines, and which CUDA names
   a header gives a HIP meaning. Known when all files are read (port_credit.h). */

/** From now on findings stand under #ifdef of this macro; 0 = of none. */
void port_sink_guard(port_sink_t *sink, uint32_t macro_hash);
/* Of macros and headers hashes, of shims rows of the API table. */
typedef enum {
    PORT_TOLD_MACRO,       /* defined, not on the CUDA side of a HIP guard */
    PORT_TOLD_MACRO_CUDA,  /* defined on that side */
    PORT_TOLD_MACRO_HIP,   /* defined for HIP */
    PORT_TOLD_SHIM,        /* a CUDA name that the tree defines for HIP */
    PORT_TOLD_TWIN,        /* USE_CUDA, as USE_HIP is asked for somewhere */
    PORT_TOLD_BUILT,       /* the last part of what is built, not for CUDA alone */
    PORT_TOLD_HEADER_CUDA, /* of what is included in quotes, or built, for CUDA alone */
    PORT_TOLD_N
} port_told_t;
void port_sink_tell(port_sink_t *sink, port_told_t what, uint32_t value);
typedef struct {
    uint32_t *item;
    uint32_t n, capacity;
} port_hashes_t;
/** (PORT_TOLD_N) */
const port_hashes_t *port_sink_told(const port_sink_t *sink);

/* An include that is not for CUDA alone. */
typedef struct {
    const char *path; /* of the file that has it, as in assay_port_file_t */
    uint32_t header;  /* hash of its last part */
} port_include_t;
typedef struct {
    port_include_t *item;
    uint32_t n, capacity;
} port_includes_t;
void port_sink_include(port_sink_t *sink, uint32_t header);
const port_includes_t *port_sink_includes(const port_sink_t *sink);

/** Files that name the framework of that number. */
uint32_t port_sink_framework_files(const port_sink_t *sink, unsigned index);

/** Room that is reused from file to file: at least n tokens and n more of uint32. NULL: no memory.
 */
port_token_t *port_sink_tokens(port_sink_t *sink, uint32_t n, uint32_t **out_match);
/** An arena that is emptied at port_sink_begin. */
assay_arena_t *port_sink_scratch(port_sink_t *sink);

#endif
