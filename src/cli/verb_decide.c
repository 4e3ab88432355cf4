#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

#include "assay/report_explain.h"

#include "base/banned.h"

/** The whole report as one page into the file of --html. */
static assay_status_t write_html(cli_t *cli, const assay_explain_of_t *of) {
    const assay_report_options_t *options = &cli->report;
    assay_buf_t page;
    assay_buf_init(&page, (size_t)64 << 20);
    assay_status_t status =
        of->images ? assay_report_images(of->images, ASSAY_REPORT_HTML, options, &page, &cli->err)
        : of->serving
            ? assay_report_serving(of->serving, ASSAY_REPORT_HTML, options, &page, &cli->err)
            : assay_report_decision(of->training, ASSAY_REPORT_HTML, options, &page, &cli->err);
    if (!status) {
        status = assay_file_write(cli->value[CLI_HTML], page.n ? page.data : "", page.n, &cli->err);
    }
    assay_buf_done(&page);
    return status;
}

/** The page as well, where --html asks for it. */
static assay_status_t add_page(cli_t *cli, assay_report_format_t format,
                               const assay_explain_of_t *of) {
    if (!cli_has(cli, CLI_HTML)) {
        return ASSAY_OK;
    }
    const assay_status_t status = write_html(cli, of);
    if (format == ASSAY_REPORT_TEXT) {
        assay_buf_add(&cli->out, "\n", 1);
        cli_say(cli, ASSAY_MSG_CLI_REPORT_WRITTEN, &cli->value[CLI_HTML], 1);
    }
    return status;
}

/** The answer to --why-not. */
static assay_status_t say_why_not(cli_t *cli, const cli_input_t *input,
                                  const assay_explain_of_t *of, assay_report_format_t format) {
    assay_why_not_t why;
    const char *id = cli->value[CLI_WHY_NOT];
    const assay_status_t status =
        of->serving ? assay_why_not_serving(cli->arena, of->serving, id, input->dir, input->n_dir,
                                            &why, &cli->err)
                    : assay_why_not(cli->arena, of->training, id, input->dir, input->n_dir, &why,
                                    &cli->err);
    return status ? status : assay_report_why_not(&why, format, &cli->report, &cli->out, &cli->err);
}

/** The answer to --flip. */
static assay_status_t say_flip(cli_t *cli, const cli_input_t *input, const assay_explain_of_t *of,
                               assay_report_format_t format) {
    assay_flip_t flip;
    const assay_status_t status = assay_flip_of(cli->arena, of, cli->value[CLI_FLIP], input->dir,
                                                input->n_dir, &flip, &cli->err);
    return status ? status : assay_report_flip(&flip, format, &cli->report, &cli->out, &cli->err);
}

/** The answer to --explain list. */
static assay_status_t say_what_can_be_asked(cli_t *cli, const assay_explain_of_t *of,
                                            assay_explainer_t *explainer,
                                            assay_report_format_t format) {
    assay_explain_number_t *number;
    assay_explanation_list_t list = {NULL, 0};
    assay_status_t status = assay_explain_numbers(cli->arena, of, &number, &list.n, &cli->err);
    assay_explanation_t *item =
        status ? NULL : assay_arena_array(cli->arena, (size_t)list.n + 1, sizeof *item);
    if (!item) {
        return status ? status : assay_error_memory(&cli->err, NULL);
    }
    for (uint32_t i = 0; i < list.n && !status; i++) {
        item[i].path = number[i].path;
        status = assay_explain(explainer, cli->arena, &number[i].at, &item[i].node, &cli->err);
    }
    list.item = item;
    return status ? status
                  : assay_report_explanations(&list, format, &cli->report, &cli->out, &cli->err);
}

/** The answer to --explain. */
static assay_status_t say_where_from(cli_t *cli, const cli_input_t *input,
                                     const assay_explain_of_t *of, assay_report_format_t format) {
    assay_explanation_t explanation = {.path = cli->value[CLI_EXPLAIN_NUMBER]};
    assay_explainer_t *explainer;
    assay_explain_number_t number;
    assay_status_t status =
        assay_explainer_create(cli->arena, of, input->dir, input->n_dir, &explainer, &cli->err);
    if (!status && strcmp(explanation.path, "list") == 0) {
        return say_what_can_be_asked(cli, of, explainer, format);
    }
    status = status ? status
                    : assay_explain_number(cli->arena, of, explanation.path, &number, &cli->err);
    status = status
                 ? status
                 : assay_explain(explainer, cli->arena, &number.at, &explanation.node, &cli->err);
    return status
               ? status
               : assay_report_explanation(&explanation, format, &cli->report, &cli->out, &cli->err);
}

/** One answer instead of the report, where it is asked for; false: it is not. */
static bool answer(cli_t *cli, const cli_input_t *input, const assay_explain_of_t *of,
                   assay_report_format_t format, assay_status_t *out_status) {
    if (cli_has(cli, CLI_WHY_NOT)) {
        *out_status = say_why_not(cli, input, of, format);
    } else if (cli_has(cli, CLI_FLIP)) {
        *out_status = say_flip(cli, input, of, format);
    } else if (cli_has(cli, CLI_EXPLAIN_NUMBER)) {
        *out_status = say_where_from(cli, input, of, format);
    } else {
        return false;
    }
    return true;
}

assay_status_t cli_decide_images(cli_t *cli, const cli_input_t *input,
                                 assay_report_format_t format) {
    assay_image_decision_t *decision;
    if (cli_has(cli, CLI_WHY_NOT)) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                        "--why-not speaks of jobs that train or serve, not of images");
        assay_error_next(&cli->err, "leave it out: the report compares the candidates");
        return ASSAY_USAGE;
    }
    cli_progress_start(cli);
    assay_status_t status = assay_decide_images(cli->arena, input->resolved, input->dir,
                                                input->n_dir, &cli->hooks, &decision, &cli->err);
    const assay_explain_of_t of = {.images = decision};
    if (status || answer(cli, input, &of, format, &status)) {
        return status;
    }
    status = assay_report_images(decision, format, &cli->report, &cli->out, &cli->err);
    status = status ? status : add_page(cli, format, &of);
    return !status && decision->choice < 0 ? ASSAY_NO_FIT : status;
}

assay_status_t cli_decide_serving(cli_t *cli, const cli_input_t *input,
                                  assay_report_format_t format) {
    assay_serving_decision_t *decision;
    cli_progress_start(cli);
    assay_status_t status = assay_decide_serving(cli->arena, input->resolved, input->dir,
                                                 input->n_dir, &cli->hooks, &decision, &cli->err);
    const assay_explain_of_t of = {.serving = decision};
    if (status || answer(cli, input, &of, format, &status)) {
        return status;
    }
    status = assay_report_serving(decision, format, &cli->report, &cli->out, &cli->err);
    status = status ? status : add_page(cli, format, &of);
    return !status && decision->choice < 0 ? ASSAY_NO_FIT : status;
}

/** What a page says about how to make it again. */
static assay_status_t add_origin(cli_t *cli, const cli_input_t *input) {
    char *hash = assay_arena_alloc(cli->arena, ASSAY_DATA_HASH_BYTES);
    if (!hash) {
        return assay_error_memory(&cli->err, NULL);
    }
    const assay_status_t status =
        assay_data_hash(cli->arena, input->dir, input->n_dir, hash, &cli->err);
    cli->report.data_hash = status ? NULL : hash;
    cli->report.command = cli->command;
    return status;
}

/** Decides the job and prints it in that format; cli->value[CLI_HTML] gets a page besides. */
static assay_status_t decide_as(cli_t *cli, assay_report_format_t format) {
    cli_input_t input;
    assay_decision_t *decision;
    assay_status_t status = cli_read(cli, &input);
    if (!status && (format == ASSAY_REPORT_HTML || cli_has(cli, CLI_HTML))) {
        status = add_origin(cli, &input);
    }
    if (status) {
        return status;
    }
    if (input.resolved->kind == ASSAY_WORK_SERVE) {
        return cli_decide_serving(cli, &input, format);
    }
    if (input.resolved->kind == ASSAY_WORK_IMAGE) {
        return cli_decide_images(cli, &input, format);
    }
    cli_progress_start(cli);
    status = assay_decide(cli->arena, input.resolved, input.dir, input.n_dir, &cli->hooks,
                          &decision, &cli->err);
    const assay_explain_of_t of = {.training = decision};
    if (status || answer(cli, &input, &of, format, &status)) {
        return status;
    }
    status = assay_report_decision(decision, format, &cli->report, &cli->out, &cli->err);
    status = status ? status : add_page(cli, format, &of);
    return !status && decision->choice < 0 ? ASSAY_NO_FIT : status;
}

assay_status_t cli_run_decide(cli_t *cli) {
    assay_report_format_t format;
    const assay_status_t status = cli_format(cli, &format);
    if (!status && cli_has(cli, CLI_WHY_NOT) + cli_has(cli, CLI_FLIP) +
                           cli_has(cli, CLI_EXPLAIN_NUMBER) + cli_has(cli, CLI_HTML) >
                       1) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                        "--why-not, --flip, --explain and --html are one answer each");
        assay_error_next(&cli->err, "ask for one at a time");
        return ASSAY_USAGE;
    }
    return status ? status : decide_as(cli, format);
}

assay_status_t cli_run_report(cli_t *cli) {
    static const struct {
        const char *suffix;
        assay_report_format_t format;
    } row[] = {{".html", ASSAY_REPORT_HTML},       {".md", ASSAY_REPORT_MARKDOWN},
               {".focus.csv", ASSAY_REPORT_FOCUS}, {".csv", ASSAY_REPORT_CSV},
               {".json", ASSAY_REPORT_JSON},       {".txt", ASSAY_REPORT_TEXT}};
    const char *path = cli->value[CLI_OUTPUT];
    const size_t n = path ? strlen(path) : 0;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const size_t n_suffix = strlen(row[i].suffix);
        if (n > n_suffix && strcmp(path + n - n_suffix, row[i].suffix) == 0) {
            return decide_as(cli, row[i].format);
        }
    }
    assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                    path ? "the name of \"%s\" does not say which report it is to be"
                         : "report needs a file to write%s",
                    path ? path : "");
    assay_error_next(&cli->err, "write -o FILE.html, .md, .csv, .focus.csv, .json or .txt");
    return ASSAY_USAGE;
}

assay_status_t cli_run_job_check(cli_t *cli) {
    cli_input_t input;
    assay_status_t status = cli_read(cli, &input);
    if (status) {
        return status;
    }
    const assay_resolved_t *job = input.resolved;
    char candidates[16], notes[16];
    snprintf(candidates, sizeof candidates, "%u", job->n_machine);
    snprintf(notes, sizeof notes, "%u", job->n_note);
    cli_say(cli, ASSAY_MSG_CLI_JOB_FINE,
            (const char *const[]){cli->n_arg ? cli->arg[0] : "flags", candidates, notes}, 3);
    for (uint32_t i = 0; i < job->n_note; i++) {
        const assay_note_t *note = &job->note[i];
        const char *value = note->value ? note->value : "";
        const char *why = note->text ? note->text : note->source ? note->source : "";
        assay_buf_puts(&cli->out, "  ");
        assay_buf_printable(&cli->out, note->subject, strlen(note->subject));
        assay_buf_puts(&cli->out, ":");
        size_t column = assay_text_columns(note->subject) + 3;
        cli_wrap(&cli->out,
                 assay_arena_printf(cli->arena, "%s%s%s", value, value[0] ? "; " : "", why), column,
                 4);
    }
    return ASSAY_OK;
}

assay_status_t cli_run_job_schema(cli_t *cli) {
    return assay_schema_json(&assay_job_schema, "assay job", &cli->out);
}
