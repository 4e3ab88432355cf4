/* Loads over time from a file, as the job's load curve. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/day.h"
#include "assay/load_file.h"
#include "resolve/resolve_context.h"

#include "base/banned.h"

#define HOUR_S 3600.0
#define DAY_S 86400.0
#define SHORT_S (28 * DAY_S) /* a span that says little of a year */

static assay_status_t read_words(resolve_context_t *context, assay_load_ask_t *io) {
    const assay_catalog_t *catalog = context->catalog;
    assay_csv_t table;
    const assay_status_t status = assay_data_table_keyed(
        context->arena, "load_units.csv", catalog->dir, catalog->n_dir, &table, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_load_word_t *word = assay_arena_array(context->arena, table.n_rows + 1, sizeof *word);
    if (!word) {
        return resolve_no_memory(context);
    }
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const char *unit = assay_csv_cell(&table, row, assay_csv_column(&table, "unit"));
        const bool percent = strcmp(unit, "percent") == 0;
        if (!percent && strcmp(unit, "fraction") != 0) {
            return assay_csv_refuse(&table, row, "unit", "percent or fraction", context->err);
        }
        word[row] =
            (assay_load_word_t){assay_csv_cell(&table, row, assay_csv_column(&table, "contains")),
                                percent ? ASSAY_LOAD_PERCENT : ASSAY_LOAD_FRACTION};
    }
    io->word = word;
    io->n_word = table.n_rows;
    return ASSAY_OK;
}

static assay_status_t make_ask(resolve_context_t *context, assay_load_ask_t *out) {
    const assay_job_load_file_t *job = &context->job->money.load_file;
    const assay_string_t *name = job->columns.item;
    const char **column = assay_arena_array(context->arena, job->columns.n + 1, sizeof *column);
    if (!column) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < job->columns.n; i++) {
        column[i] = name[i].s;
    }
    *out = (assay_load_ask_t){.column = column, .n_column = job->columns.n};
    if (job->full.origin == ASSAY_GIVEN) {
        out->unit = ASSAY_LOAD_AMOUNT;
        out->full = job->full.v;
    } else if (job->unit.origin == ASSAY_GIVEN) {
        out->unit = job->unit.v == 0 ? ASSAY_LOAD_PERCENT : ASSAY_LOAD_FRACTION;
    }
    return read_words(context, out);
}

/* What the loads are in, and who said so. */
static const char *unit_text(resolve_context_t *context, const assay_load_file_t *file) {
    static const assay_message_t unit[] = {[ASSAY_LOAD_PERCENT] = ASSAY_MSG_RESOLVE_LOAD_PERCENT,
                                           [ASSAY_LOAD_FRACTION] = ASSAY_MSG_RESOLVE_LOAD_FRACTION,
                                           [ASSAY_LOAD_AMOUNT] = ASSAY_MSG_RESOLVE_LOAD_AMOUNT};
    const assay_job_load_file_t *job = &context->job->money.load_file;
    const char *in = assay_message(context->locale.lang, unit[file->unit]);
    return file->said_by ? RESOLVE_SAY(context, LOAD_SAID_BY, in, file->said_by)
           : job->full.origin == ASSAY_GIVEN
               ? RESOLVE_SAY(context, LOAD_FULL,
                             resolve_amount(context, job->full.v, ASSAY_DIM_NUMBER))
           : job->unit.origin == ASSAY_GIVEN ? RESOLVE_SAY(context, LOAD_SAID_BY_JOB, in)
                                             : RESOLVE_SAY(context, LOAD_SAID_BY_VALUES, in);
}

static const char *hours_text(resolve_context_t *context, const assay_load_file_t *file,
                              uint32_t steps) {
    return resolve_amount(context, floor(steps * file->step_s / HOUR_S + 0.5), ASSAY_DIM_COUNT);
}

static assay_status_t warn(resolve_context_t *context, const assay_load_file_t *file,
                           const char *text) {
    return text ? resolve_note(context, ASSAY_NOTE_WARNING, "money.load_file", NULL, file->file,
                               text)
                : resolve_no_memory(context);
}

static assay_status_t note_file(resolve_context_t *context, const assay_load_file_t *file) {
    char from[11], to[11];
    assay_day_format((assay_day_t)floor(file->first_s / DAY_S), from);
    assay_day_format((assay_day_t)floor(file->last_s / DAY_S), to);
    const char *unit = unit_text(context, file);
    const char *value = RESOLVE_SAY(context, LOAD_VALUE, hours_text(context, file, file->n),
                                    hours_text(context, file, file->n_step),
                                    resolve_amount(context, file->mean, ASSAY_DIM_FRACTION),
                                    resolve_amount(context, file->load[0], ASSAY_DIM_FRACTION));
    const char *text = unit ? RESOLVE_SAY(context, LOAD_SPAN, from, to, unit) : NULL;
    if (!value || !text) {
        return resolve_no_memory(context);
    }
    assay_status_t status =
        resolve_note(context, ASSAY_NOTE_ASSUMPTION, "money.load_file", value, file->file, text);
    if (status == ASSAY_OK && file->n < file->n_step) {
        status = warn(context, file,
                      RESOLVE_SAY(context, LOAD_MISSING,
                                  hours_text(context, file, file->n_step - file->n),
                                  hours_text(context, file, file->n_step)));
    }
    if (status == ASSAY_OK && file->missing > 0 && file->columns > 1) {
        char missing[24], cells[24];
        snprintf(missing, sizeof missing, "%llu", (unsigned long long)file->missing);
        snprintf(cells, sizeof cells, "%llu", (unsigned long long)file->cells);
        status = warn(context, file, RESOLVE_SAY(context, LOAD_CELLS, missing, cells));
    }
    if (status == ASSAY_OK && file->last_s - file->first_s < SHORT_S) {
        const char *span = resolve_amount(context, file->last_s - file->first_s, ASSAY_DIM_TIME);
        status = warn(context, file, RESOLVE_SAY(context, LOAD_SHORT, span));
    }
    return status;
}

assay_status_t resolve_load_file(resolve_context_t *context, assay_money_input_t *money) {
    const assay_string_t *name = &context->job->money.load_file.path;
    assay_load_ask_t ask;
    assay_load_file_t file;
    const char *path = resolve_path(context, name->s, &name->at);
    assay_status_t status = path ? make_ask(context, &ask) : resolve_no_memory(context);
    status =
        status ? status : assay_load_file_read(context->arena, path, &ask, &file, context->err);
    if (status != ASSAY_OK) {
        return status;
    }
    assay_load_step_t *load = assay_arena_array(context->arena, file.n, sizeof *load);
    if (!load) {
        return resolve_no_memory(context);
    }
    for (uint32_t i = 0; i < file.n; i++) {
        load[i] = (assay_load_step_t){1.0 / file.n, file.load[i]};
    }
    money->load = load;
    money->n_load = file.n;
    return note_file(context, &file);
}
