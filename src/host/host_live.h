/** Reading of /proc, /sys and /dev below a root: the machine's own, or a copy of it. */
#ifndef HOST_LIVE_H
#define HOST_LIVE_H

#include "host/host_parse.h"

/**
 * Fills parse->host from what lies below root. own: root is the machine's own "/": device nodes may
 * be opened and file systems asked. Errors: ASSAY_IO when root cannot be opened, ASSAY_LIMIT.
 */
assay_status_t host_live_read(host_parse_t *parse, const char *root, bool own, assay_error_t *err);
/** dir looks like a copy of a root: it holds proc/ or sys/. */
bool host_live_is_root(const char *dir);

/* What the parts of the reader share. Paths are relative to the root, without a slash in front. */
typedef struct {
    host_parse_t *parse;
    int root; /* directory */
    bool own;
    double deadline_s; /* monotonic; beyond it nothing more is opened */
} host_live_t;

/** Text of a file, clean and trimmed at its end; n = 0: not there, or not readable, and then
 * *out_why says which (NULL allowed). Facts that are set next stand in that file. */
host_span_t host_live_text(host_live_t *live, const char *path, assay_host_state_t *out_why);
/** The number in a file sets fact, times scale. */
void host_live_number(host_live_t *live, const char *path, double scale, assay_host_number_t *fact);
/** Hands a file to a parser, as a source of that name. false: it is not there. */
bool host_live_parse(host_live_t *live, const char *path, const char *parser, host_parser_t parse);
/** Name that a symbolic link ends with ("amdgpu" of .../driver), in the arena; NULL: no link. */
const char *host_live_link_name(host_live_t *live, const char *path);
/** Names in a directory in byte order, in scratch; *out_n = 0 when it is not there. */
const char **host_live_list(host_live_t *live, const char *path, uint32_t *out_n);
bool host_live_exists(host_live_t *live, const char *path);

/* live_pci.c */
void host_live_pci(host_live_t *live);

#endif
