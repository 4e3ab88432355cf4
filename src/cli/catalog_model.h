/** What a model's file or directory holds, for `assay catalog show PATH`. */
#ifndef CLI_CATALOG_MODEL_H
#define CLI_CATALOG_MODEL_H

#include "assay/model_file.h"
#include "cli/catalog_print.h"

assay_status_t cli_show_model_file(cli_t *cli, const char *path, assay_report_format_t format);

#endif
