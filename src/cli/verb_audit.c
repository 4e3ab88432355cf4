#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

#include "assay/audit.h"
#include "assay/report_audit.h"

#include "base/banned.h"

/* A set of the catalog, unless a file of that name is there or the name is plainly a file's. */
static bool is_set(const assay_catalog_t *catalog, const char *name) {
    struct stat st;
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        if (strcmp(catalog->claim[i].set, name) == 0) {
            return true;
        }
    }
    return strcmp(name, "-") != 0 && !strpbrk(name, "./") && stat(name, &st) != 0;
}

assay_status_t cli_run_audit(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir, *name = cli->arg[0];
    uint32_t n_dir;
    assay_catalog_t *catalog;
    assay_audit_t *audit;
    assay_status_t status = cli_format(cli, &format);
    if (status || (status = cli_data_dirs(cli, &dir, &n_dir)) ||
        (status = assay_catalog_load(cli->arena, dir, n_dir, &catalog, &cli->err))) {
        return status;
    }
    if (is_set(catalog, name)) {
        status = assay_audit_set(cli->arena, catalog, dir, n_dir, name, &audit, &cli->err);
    } else {
        char *data;
        size_t size;
        status = assay_file_read(cli->arena, name, ASSAY_NODE_MAX_BYTES, &data, &size, &cli->err);
        if (!status) {
            status = assay_audit_file(cli->arena, catalog, dir, n_dir, name, data, size, &audit,
                                      &cli->err);
        }
    }
    if (!status) {
        status = assay_report_audit(audit, format, &cli->report, &cli->out, &cli->err);
    }
    if (status) {
        return status;
    }
    return audit->n_verdict[ASSAY_VERDICT_CONTRADICTED] +
                   audit->n_verdict[ASSAY_VERDICT_IMPLAUSIBLE]
               ? ASSAY_FINDING
               : ASSAY_OK;
}
