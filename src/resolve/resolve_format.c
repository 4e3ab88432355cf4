/* Number formats of matrix units beyond the plain types: data/number_formats.csv says at which rate
   each runs, the catalog which part has it. */
#include <string.h>

#include "assay/text.h"

#include "resolve/resolve_context.h"

#include "base/banned.h"

#define TABLE "number_formats.csv"

static const char *cell(const assay_csv_t *table, uint32_t row, const char *column) {
    return assay_csv_cell(table, row, assay_csv_column(table, column));
}

assay_status_t resolve_number_format(resolve_context_t *context, const assay_string_t *given,
                                     assay_workload_t *io) {
    enum { NAMES = 64 };
    const assay_catalog_t *catalog = context->catalog;
    const char *name[NAMES];
    uint32_t n = 0;
    assay_csv_t table;
    const assay_status_t status = assay_data_table_keyed(context->arena, TABLE, catalog->dir,
                                                         catalog->n_dir, &table, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    for (int type = 0; type < ASSAY_DT_N; type++) {
        name[n++] = assay_dtype_name((assay_dtype_t)type);
    }
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const char *format = cell(&table, row, "format");
        if (assay_text_equal_fold(format, given->s)) {
            const assay_place_t at = assay_csv_place(&table, row);
            context->format = format;
            context->format_word = cell(&table, row, "catalog_word");
            const char *bits = cell(&table, row, "bits_per_value");
            double value;
            if (!assay_dtype_parse(cell(&table, row, "rate"), &io->dtype) ||
                !context->format_word[0] || !assay_text_to_double(bits, strlen(bits), &value) ||
                value < 1 || value > 64) {
                return assay_error_set(context->err, ASSAY_INPUT, &at,
                                       "rate must be a type such as fp8, catalog_word what "
                                       "matrix_dtypes calls the format, bits_per_value 1 to 64");
            }
            io->recipe.operand_bytes = value / 8;
            io->recipe.format = format;
            return ASSAY_OK;
        }
        if (n < NAMES) {
            name[n++] = format;
        }
    }
    const char *near = assay_text_nearest(given->s, name, n);
    assay_error_set(context->err, ASSAY_INPUT, &given->at,
                    "unknown precision '%s', expected fp32, tf32, fp16, bf16, fp8, fp6, fp4 or a "
                    "format such as fp8-ocp, mxfp4, nvfp4",
                    given->s);
    if (near) {
        assay_error_next(context->err, "did you mean %s?", near);
    }
    return ASSAY_INPUT;
}

/* Whether a list such as "bf16, fp8-OCP, mxfp4 (no tf32)" has the word. */
static bool lists(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; *at;) {
        at += strspn(at, ", ");
        const size_t item = strcspn(at, ",");
        if (item >= length && strncmp(at, word, length) == 0 &&
            (item == length || at[length] == ' ' || at[length] == '(')) {
            return true;
        }
        at += item;
    }
    return false;
}

assay_status_t resolve_format_check(resolve_context_t *context,
                                    const assay_accelerator_t *accelerator,
                                    const assay_place_t *at) {
    if (!context->format || lists(accelerator->matrix_formats, context->format_word)) {
        return ASSAY_OK;
    }
    return assay_error_set(context->err, ASSAY_INPUT, at, "%s has no %s; it has %s",
                           accelerator->id, context->format, accelerator->matrix_formats);
}
