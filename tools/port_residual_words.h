/* What is due to HIP in the difference of two versions of a program, by a rule that knows nothing
 * of what the scanner says.
 *
 * Of every C, C++ or CUDA file that both versions have under the same name: words (names, numbers)
 * and headers that are included, outside comments and strings. A CUDA name counts as the HIP name
 * that HIPIFY's table gives it. Counted are the words that face the device and that one side has
 * more often than the other; what only moved, was wrapped or reworded cancels out. Facing the
 * device are: names and headers of the CUDA API table; names that begin with cuda, hip, nccl, rccl,
 * cub, thrust, roc, cu or CU before a capital, or two underscores; words about half, bf16, fp8,
 * warps, waves, lanes, ballots, shuffles, atomics, cooperative groups and assembly; and the numbers
 * 31, 32, 63, 64 and the masks of as many bits. The syntax of launches is left out, which hipify
 * changes.
 */
#ifndef PORT_RESIDUAL_WORDS_H
#define PORT_RESIDUAL_WORDS_H

#include "port/port_scan.h"

/** Errors: ASSAY_IO, ASSAY_LIMIT. Files that only one version has are left out. */
assay_status_t port_residual_words(assay_arena_t *arena, const port_tables_t *tables,
                                   const char *cuda_dir, const char *hip_dir, uint32_t *out_words,
                                   assay_error_t *err);

#endif
