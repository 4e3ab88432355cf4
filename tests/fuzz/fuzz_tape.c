/* The index of a snapshot, played to the reader of a root; and scrubbing of the same bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_host.h"
#include "host/host_live.h"
#include "host/host_scrub.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    assay_arena_t *arena = assay_arena_create((size_t)64 << 20),
                  *scratch = assay_arena_create((size_t)64 << 20);
    static const assay_archive_file_t file[] = {{"root/proc/cmdline", "nomodeset", 9},
                                                {"root/proc/modules", "amdgpu 1 0", 10}};
    assay_host_t *host = arena ? assay_arena_alloc(arena, sizeof *host) : NULL;
    host_scrub_t scrub = {.host = {"node1"}, .user = {"alice"}};
    size_t n = 0;
    if (host && scratch) {
        host_tape_t tape = {.arena = arena};
        host_parse_t parse = {.arena = arena,
                              .scratch = scratch,
                              .rules = fuzz_host_rules(),
                              .host = host,
                              .file = "tape"};
        host->name = "tape";
        host_tape_read(&tape, file, 2, "", (const char *)data, size);
        (void)host_live_play(&parse, &tape, NULL);
        const char *text = host_scrub(&scrub, arena, (const char *)data, size, true, &n);
        if (text && !memchr(data, '\0', size) && strlen(text) != n) {
            abort();
        }
    }
    assay_arena_destroy(scratch);
    assay_arena_destroy(arena);
    return 0;
}
