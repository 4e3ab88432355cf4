/** Runs tools side by side, by argument vector, with a time limit. */
#ifndef HOST_COMMAND_H
#define HOST_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/text.h"

#define HOST_COMMAND_ARGUMENTS 8

typedef struct {
    const char *argv[HOST_COMMAND_ARGUMENTS]; /* NULL-ended; looked up in PATH */
    assay_buf_t out;                          /* both streams; the caller frees it */
    bool started, ended;                      /* ended: in time */
    int status;                               /* exit status; -1: not known */
} host_command_t;

/** Output is in English. What has not ended after timeout_s is killed. */
void host_command_run(host_command_t *command, uint32_t n, double timeout_s);

#endif
