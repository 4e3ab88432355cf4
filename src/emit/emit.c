/* Reads emit.csv and keeps the rows that a layout needs. */
#include <string.h>

#include "assay/catalog.h"
#include "assay/csv.h"
#include "emit/emit_parts.h"

#include "base/banned.h"

#define TABLE "emit.csv"
#define ADVICE "env_advice.csv"
#define VARIABLE "env:"
#define REFUSED "!"
#define VALUE_BYTES 4096

static const char *const tool_name[ASSAY_EMIT_N] = {
#define NAME(code, name) name,
    ASSAY_EMIT_LIST(NAME)
#undef NAME
};

const char *assay_emit_name(assay_emit_tool_t tool) {
    return tool_name[tool];
}

bool assay_emit_parse(const char *name, assay_emit_tool_t *out) {
    for (int i = 0; i < ASSAY_EMIT_N; i++) {
        if (strcmp(tool_name[i], name) == 0) {
            *out = (assay_emit_tool_t)i;
            return true;
        }
    }
    return false;
}

static const char *cell(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

/* Words with blanks between, all of which must hold. false with *out_known false: an unknown one.
 */
static bool all_hold(const assay_emit_case_t *of, const char *when, bool *out_known) {
    bool holds = true;
    *out_known = true;
    for (const char *at = when; *at && *out_known; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        holds = emit_holds(of, at, n, out_known) && holds;
        at += n;
    }
    return holds && *out_known;
}

/* The text with every {name} replaced; NULL: a name is unknown, or no memory. */
static const char *expand(assay_arena_t *arena, const assay_emit_case_t *of, const char *pattern) {
    assay_buf_t out;
    assay_buf_init(&out, VALUE_BYTES);
    bool known = true;
    while (*pattern && known) {
        const size_t plain = strcspn(pattern, "{");
        assay_buf_add(&out, pattern, plain);
        pattern += plain;
        if (*pattern == '{') {
            const size_t n = strcspn(pattern + 1, "}");
            known = pattern[1 + n] == '}' && emit_value(of, pattern + 1, n, &out);
            pattern += 1 + n + (pattern[1 + n] == '}');
        }
    }
    const char *text =
        known && !out.failed ? assay_arena_strndup(arena, out.n ? out.data : "", out.n) : NULL;
    assay_buf_done(&out);
    return text;
}

/* A batch script starts Megatron-LM: it has the arguments of both. */
static bool is_of(assay_emit_tool_t tool, const char *name) {
    return strcmp(name, tool_name[tool]) == 0 ||
           (tool == ASSAY_EMIT_SBATCH && strcmp(name, tool_name[ASSAY_EMIT_MEGATRON]) == 0);
}

static assay_status_t add_rows(assay_arena_t *arena, const assay_emit_case_t *of,
                               const assay_csv_t *csv, assay_emit_t *io, assay_error_t *err) {
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        bool known;
        if (!is_of(io->tool, cell(csv, row, "tool"))) {
            continue;
        }
        const bool holds = all_hold(of, cell(csv, row, "when"), &known);
        if (!known) {
            return assay_csv_refuse(csv, row, "when", "words that data/README.md names", err);
        }
        if (!holds) {
            continue;
        }
        const char *argument = cell(csv, row, "argument"), *why = cell(csv, row, "why");
        if (strcmp(argument, REFUSED) == 0) {
            assay_error_set(err, ASSAY_UNAVAILABLE, NULL, "%s cannot run this: %s",
                            tool_name[io->tool], why);
            assay_error_next(err, "%s", cell(csv, row, "value"));
            return ASSAY_UNAVAILABLE;
        }
        const bool variable = strncmp(argument, VARIABLE, strlen(VARIABLE)) == 0;
        const assay_emit_setting_t setting = {.argument =
                                                  variable ? argument + strlen(VARIABLE) : argument,
                                              .value = expand(arena, of, cell(csv, row, "value")),
                                              .why = expand(arena, of, why),
                                              .source = cell(csv, row, "source"),
                                              .environment = variable};
        if (!setting.value || !setting.why) {
            return assay_csv_refuse(csv, row, setting.value ? "why" : "value",
                                    "{names} that data/README.md names", err);
        }
        io->setting[io->n_setting++] = setting;
    }
    return ASSAY_OK;
}

/* What the vendor advises for the part whatever runs on it. */
static void add_advice(const assay_emit_case_t *of, const assay_csv_t *advice, assay_emit_t *io) {
    const char *target = of->machine->accelerator->target;
    for (uint32_t row = 0; row < advice->n_rows; row++) {
        const char *value = cell(advice, row, "advice");
        if (strcmp(cell(advice, row, "target"), target) == 0 &&
            cell(advice, row, "engine")[0] == '\0' && strcmp(value, "unset") != 0) {
            io->setting[io->n_setting++] =
                (assay_emit_setting_t){.argument = cell(advice, row, "name"),
                                       .value = value,
                                       .why = cell(advice, row, "why"),
                                       .source = cell(advice, row, "source"),
                                       .environment = true};
        }
    }
}

assay_status_t assay_emit(assay_arena_t *arena, assay_emit_tool_t tool, const assay_emit_case_t *of,
                          const char *const *dir, uint32_t n_dir, assay_emit_t **out,
                          assay_error_t *err) {
    if (of->work->net.sample) {
        assay_error_set(err, ASSAY_UNAVAILABLE, NULL,
                        "no configuration is written for '%s': these tools train language models",
                        of->work->model.id);
        assay_error_next(err, "--json has the layout: dp, micro_batch, zero and recompute");
        return ASSAY_UNAVAILABLE;
    }
    assay_csv_t csv, advice;
    assay_emit_t *emit = assay_arena_alloc(arena, sizeof *emit);
    assay_status_t status = emit ? assay_data_table(arena, TABLE, dir, n_dir, &csv, err)
                                 : assay_error_memory(err, NULL);
    status = status ? status : assay_data_table(arena, ADVICE, dir, n_dir, &advice, err);
    if (status) {
        return status;
    }
    *emit = (assay_emit_t){.tool = tool};
    emit->setting =
        assay_arena_array(arena, (size_t)csv.n_rows + advice.n_rows, sizeof *emit->setting);
    if (!emit->setting) {
        return assay_error_memory(err, NULL);
    }
    status = add_rows(arena, of, &csv, emit, err);
    if (!status && (tool == ASSAY_EMIT_MEGATRON || tool == ASSAY_EMIT_SBATCH)) {
        add_advice(of, &advice, emit);
    }
    status = status ? status : emit_write(arena, of, dir, n_dir, emit, err);
    *out = emit;
    return status;
}
