/* Bytes as an archive: members are taken, whatever they are called. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "assay/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static assay_status_t look(void *ctx, const assay_archive_member_t *member, bool *out_want) {
    (void)ctx;
    if (!member->escapes && (member->path[0] == '/' || strncmp(member->path, "../", 3) == 0 ||
                             strstr(member->path, "/../"))) {
        abort();
    }
    *out_want = !member->escapes;
    return ASSAY_OK;
}

static assay_status_t take(void *ctx, char *data, size_t size) {
    (void)ctx;
    if (!data && size > 0) {
        abort();
    }
    free(data);
    return ASSAY_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const assay_archive_visitor_t visitor = {.max_file_bytes = 1 << 16, .look = look, .take = take};
    assay_error_t err = {0};
    const int fd = memfd_create("archive", MFD_CLOEXEC);
    if (fd >= 0 && write(fd, data, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0) {
        const assay_status_t status = assay_archive_read(fd, "input", &visitor, &err);
        if (status != ASSAY_OK && err.status != status) {
            abort();
        }
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return 0;
}
