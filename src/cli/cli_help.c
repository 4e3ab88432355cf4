#include <string.h>

#include "cli/cli.h"

#include "assay/run.h"

#include "base/banned.h"

/** One row of two columns; a long first column gets a line of its own. */
static void add_row(assay_buf_t *out, const char *left, const char *right, size_t indent) {
    size_t n = assay_text_columns(left);
    assay_buf_printf(out, "  %s", left);
    if (n + 4 > indent) {
        assay_buf_add(out, "\n", 1);
        n = 0;
        assay_buf_printf(out, "%*s", (int)indent, "");
    } else {
        assay_buf_printf(out, "%*s", (int)(indent - n - 2), "");
    }
    cli_wrap(out, right, indent, indent);
}

void cli_help_overview(cli_t *cli) {
    assay_buf_t *out = &cli->out;
    assay_buf_printf(out, "assay %s: %s\n\nusage: assay VERB [ARGUMENT...]\n\n", assay_version(),
                     cli_summary);
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        add_row(out, cli_verbs[i].name, cli_verbs[i].help, 16);
    }
    assay_buf_printf(out, "\nStart here:\n  %s\n\n", cli_verbs[0].example[0].command);
    assay_buf_puts(out,
                   "\"assay help VERB\" explains a verb, with examples. \"assay --version\" prints "
                   "the version.\n");
    assay_buf_puts(out, "Exit codes:");
    cli_wrap(out, cli_exit_codes, 11, 0);
}

/** "-o, --output FILE" or "--dataset-tokens, --tokens N" */
const char *cli_help_flag_names(cli_t *cli, const cli_flag_t *flag) {
    char letter[] = {'-', flag->letter, ',', ' ', 0};
    return assay_arena_printf(cli->arena, "%s--%s%s%s%s%s", flag->letter ? letter : "", flag->name,
                              flag->alias ? ", --" : "", flag->alias ? flag->alias : "",
                              flag->value[0] ? " " : "", flag->value);
}

const char *cli_help_flag_text(cli_t *cli, const cli_flag_t *flag) {
    const char *const *choices = flag->field ? flag->field->choices : NULL;
    const char *default_text = flag->field ? flag->field->default_text : NULL;
    assay_buf_t text;
    assay_buf_init(&text, 4096);
    assay_buf_puts(&text, flag->help ? flag->help : "");
    for (uint32_t i = 0; choices && choices[i]; i++) {
        assay_buf_printf(&text, "%s%s", i ? ", " : " (", choices[i]);
    }
    if (default_text) {
        assay_buf_printf(&text, "%sdefault %s", choices ? "; " : " (", default_text);
    }
    assay_buf_puts(&text, choices || default_text ? ")" : "");
    const char *copy = assay_arena_strdup(cli->arena, text.n ? text.data : "");
    assay_buf_done(&text);
    return copy ? copy : "";
}

void cli_help_verb(cli_t *cli, const cli_verb_t *verb) {
    assay_buf_t *out = &cli->out;
    cli_flag_t flag[CLI_MAX_FLAGS];
    const uint32_t n_flag = cli_verb_flags(cli->arena, verb, flag);
    assay_buf_printf(out, "usage: assay %s %s%s[FLAG...]\n\n", verb->name, verb->arguments,
                     verb->arguments[0] ? " " : "");
    cli_wrap(out, verb->about, 0, 0);
    assay_buf_puts(out, "\nFlags:\n");
    bool in_keys = false;
    for (uint32_t i = 0; i < n_flag; i++) {
        if (flag[i].id == CLI_JOB_KEY && !in_keys) {
            assay_buf_puts(out,
                           "\nThe job; each flag is a key of the job file and wins over it:\n");
            in_keys = true;
        }
        add_row(out, cli_help_flag_names(cli, &flag[i]), cli_help_flag_text(cli, &flag[i]), 32);
    }
    assay_buf_puts(out, "\nExamples:\n");
    for (uint32_t i = 0; i < 4 && verb->example[i].command; i++) {
        assay_buf_printf(out, "  %s\n      %s\n", verb->example[i].command, verb->example[i].what);
    }
}

assay_status_t cli_run_help(cli_t *cli) {
    if (cli->n_arg == 0) {
        cli_help_overview(cli);
        return ASSAY_OK;
    }
    uint32_t used, n_found = 0;
    const cli_verb_t *verb = cli_verb_find(cli->arg, cli->n_arg, &used, &cli->err);
    if (verb) {
        cli_help_verb(cli, verb);
        return ASSAY_OK;
    }
    /* The first word of verbs of two words: explain all of them. */
    size_t length = strlen(cli->arg[0]);
    for (uint32_t i = 0; i < cli_n_verbs && cli->n_arg == 1; i++) {
        if (strncmp(cli_verbs[i].name, cli->arg[0], length) == 0 &&
            cli_verbs[i].name[length] == ' ') {
            assay_buf_puts(&cli->out, n_found++ ? "\n" : "");
            cli_help_verb(cli, &cli_verbs[i]);
        }
    }
    return n_found ? ASSAY_OK : ASSAY_USAGE;
}

assay_status_t cli_run_version(cli_t *cli) {
    assay_buf_printf(&cli->out, "assay %s\n", assay_version());
    return ASSAY_OK;
}
