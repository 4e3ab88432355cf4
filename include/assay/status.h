/**
 * Status codes. 0 is OK; everything else says which kind of trouble, and so the exit code.
 * One list gives code, name, sentence and exit code (exit codes: 0 fine, 1 finding or nothing
 * fits, 2 wrong usage or input, 3 not available here, 4 internal).
 */
#ifndef ASSAY_STATUS_H
#define ASSAY_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_STATUS_LIST(X)                                               \
    X(OK, "ok", "done", 0)                                                 \
    X(NO_FIT, "no_fit", "nothing fits the job", 1)                         \
    X(FINDING, "finding", "a finding or a threshold was reached", 1)       \
    X(USAGE, "usage", "the command line is wrong", 2)                      \
    X(INPUT, "input", "the input is wrong", 2)                             \
    X(NOT_FOUND, "not_found", "no such id", 2)                             \
    X(LIMIT, "limit", "the input is larger than allowed", 2)               \
    X(IO, "io", "a file could not be read or written", 2)                  \
    X(UNAVAILABLE, "unavailable", "not available here", 3)                 \
    X(CANCELLED, "cancelled", "stopped before the end", 3)                 \
    X(NOT_CONVERGED, "not_converged", "the iteration did not converge", 4) \
    X(MEMORY, "memory", "out of memory", 4)                                \
    X(INTERNAL, "internal", "a mistake in assay itself", 4)

typedef enum {
#define ASSAY_STATUS_ENUM(code, name, sentence, exit_code) ASSAY_##code,
    ASSAY_STATUS_LIST(ASSAY_STATUS_ENUM)
#undef ASSAY_STATUS_ENUM
        ASSAY_STATUS_N
} assay_status_t;

/** Short stable name ("not_found"). Never NULL. Thread-safe. */
const char *assay_status_name(assay_status_t status);
/** One sentence without a full stop. Never NULL. Thread-safe. */
const char *assay_status_sentence(assay_status_t status);
/** Process exit code, 0..4. */
int assay_status_exit_code(assay_status_t status);

#ifdef __cplusplus
}
#endif
#endif
