#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

#include "assay/run.h"

#include "base/banned.h"

/** Appends text for roff: backslashes and hyphens stay themselves, a leading dot is no request. */
static void add_roff(assay_buf_t *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '\\':
            assay_buf_puts(out, "\\e");
            break;
        case '-':
            assay_buf_puts(out, "\\-");
            break;
        case '\'':
            assay_buf_puts(out, "\\(aq");
            break;
        case '"':
            assay_buf_puts(out, "\\(dq");
            break;
        case '.':
            assay_buf_puts(out, "\\&.");
            break;
        default:
            assay_buf_add(out, text, 1);
        }
    }
}

static void add_line(assay_buf_t *out, const char *before, const char *text) {
    assay_buf_puts(out, before);
    add_roff(out, text);
    assay_buf_add(out, "\n", 1);
}

/** "assay-catalog-list" */
static const char *page_name(cli_t *cli, const cli_verb_t *verb) {
    char *name =
        assay_arena_printf(cli->arena, "assay%s%s", verb ? "-" : "", verb ? verb->name : "");
    for (char *p = name; p && *p; p++) {
        *p = *p == ' ' ? '-' : *p;
    }
    return name ? name : "assay";
}

static void add_head(cli_t *cli, assay_buf_t *out, const cli_verb_t *verb) {
    assay_buf_puts(out, ".TH \"");
    add_roff(out, page_name(cli, verb));
    assay_buf_printf(out, "\" 1 \"\" \"assay %s\" \"User Commands\"\n.SH NAME\n", assay_version());
    add_roff(out, page_name(cli, verb));
    add_line(out, " \\- ", verb ? verb->help : cli_summary);
    assay_buf_puts(out, ".SH SYNOPSIS\n.B ");
    assay_buf_printf(out, "assay %s\n", verb ? verb->name : "VERB");
    add_line(out, "", verb ? verb->arguments : "[ARGUMENT...]");
    assay_buf_puts(out, verb ? "[FLAG...]\n" : "");
}

static void add_exit_codes(assay_buf_t *out) {
    add_line(out, ".SH EXIT STATUS\n", cli_exit_codes);
}

static void add_overview(cli_t *cli, assay_buf_t *out) {
    add_head(cli, out, NULL);
    assay_buf_puts(out,
                   ".SH DESCRIPTION\nTakes a job (a model to train, its volume and deadline) and "
                   "candidates (accelerators to buy or to rent), predicts performance from "
                   "physics and published measurements, turns it into money, and says which to "
                   "choose, how sure it is, where the answer flips, and why\\&.\n.P\nIt also says "
                   "what moving a CUDA code base to ROCm takes, and whether a host with "
                   "accelerators is set up right\\&.\n.SH VERBS\n");
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        add_line(out, ".TP\n.B ", cli_verbs[i].name);
        add_line(out, "", cli_verbs[i].help);
    }
    assay_buf_puts(out,
                   ".SH FILES\n.TP\n.I ~/.config/assay/\n"
                   "tables laid over the built\\-in ones, before those of the environment and of "
                   "\\-\\-data\n.SH ENVIRONMENT\n.TP\n.B ASSAY_DATA\nfolder with tables\n"
                   ".TP\n.B ASSAY_THREADS\nthreads to use\n.TP\n.B NO_COLOR\nno colour\n");
    add_exit_codes(out);
}

static void add_verb(cli_t *cli, assay_buf_t *out, const cli_verb_t *verb) {
    cli_flag_t flag[CLI_MAX_FLAGS];
    const uint32_t n_flag = cli_verb_flags(cli->arena, verb, flag);
    add_head(cli, out, verb);
    add_line(out, ".SH DESCRIPTION\n", verb->about);
    assay_buf_puts(out, ".SH OPTIONS\n");
    for (uint32_t i = 0; i < n_flag; i++) {
        add_line(out, ".TP\n.B ", cli_help_flag_names(cli, &flag[i]));
        add_line(out, "", cli_help_flag_text(cli, &flag[i]));
    }
    assay_buf_puts(out, ".SH EXAMPLES\n");
    for (uint32_t i = 0; i < 4 && verb->example[i].command; i++) {
        add_line(out, ".TP\n.B ", verb->example[i].command);
        add_line(out, "", verb->example[i].what);
    }
    add_exit_codes(out);
    assay_buf_puts(out, ".SH SEE ALSO\n.BR assay (1)\n");
}

static assay_status_t write_page(cli_t *cli, const char *dir, const cli_verb_t *verb) {
    assay_buf_t page;
    assay_buf_init(&page, 1u << 20);
    if (verb) {
        add_verb(cli, &page, verb);
    } else {
        add_overview(cli, &page);
    }
    const char *path = assay_arena_printf(cli->arena, "%s/%s.1", dir, page_name(cli, verb));
    assay_status_t status = path && !page.failed
                                ? assay_file_write(path, page.data, page.n, &cli->err)
                                : assay_error_memory(&cli->err, NULL);
    assay_buf_done(&page);
    return status;
}

assay_status_t cli_run_man(cli_t *cli) {
    const char *dir = cli->value[CLI_DIR];
    if (dir && cli->n_arg > 0) {
        return assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--dir writes every page, not one");
    }
    if (dir) {
        assay_status_t status = write_page(cli, dir, NULL);
        for (uint32_t i = 0; i < cli_n_verbs && !status; i++) {
            status = write_page(cli, dir, &cli_verbs[i]);
        }
        return status;
    }
    if (cli->n_arg == 0) {
        add_overview(cli, &cli->out);
        return ASSAY_OK;
    }
    uint32_t used;
    const cli_verb_t *verb = cli_verb_find(cli->arg, cli->n_arg, &used, &cli->err);
    if (!verb) {
        return ASSAY_USAGE;
    }
    add_verb(cli, &cli->out, verb);
    return ASSAY_OK;
}
