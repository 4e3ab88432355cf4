#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "base/banned.h"

#define ARENA_BYTES                                                                                \
    ((size_t)2 << 30)                   /* a run needs tens of megabytes; this stops a runaway one \
                                         */
#define OUTPUT_BYTES ((size_t)4 << 30)  /* every layout of a large search; a scan of gigabytes */
#define COMMAND_BYTES ((size_t)1 << 16) /* of a command line that a report repeats */
#define SPOOL_BYTES ((size_t)16 << 20)  /* of it in memory: more waits in a file */

/** A closed standard stream must not hand its number to the next file: writes to it shall fail. */
static void hold_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) {
            _exit(4);
        }
    }
}

/** The command line, each word quoted where a shell would not take it as it is. */
static const char *command_line(assay_arena_t *arena, int argc, char **argv) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%^";
    assay_buf_t line;
    assay_buf_init(&line, COMMAND_BYTES);
    assay_buf_puts(&line, "assay");
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        assay_buf_puts(&line, " ");
        if (*word && word[strspn(word, plain)] == '\0') {
            assay_buf_puts(&line, word);
            continue;
        }
        assay_buf_puts(&line, "'");
        for (; *word; word++) {
            assay_buf_add(&line, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
        }
        assay_buf_puts(&line, "'");
    }
    const char *text = line.failed ? NULL : assay_arena_strndup(arena, line.data, line.n);
    assay_buf_done(&line);
    return text;
}

static void setup(cli_t *cli) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    cli->report.lang = cli->lang;
    cli->report.colour = isatty(STDOUT_FILENO) && !cli_has(cli, CLI_OUTPUT) &&
                         !(no_color && no_color[0]) && term && strcmp(term, "dumb") != 0;
    if (cli_has(cli, CLI_THREADS)) {
        setenv("ASSAY_THREADS", cli->value[CLI_THREADS], 1); /* read by assay_pool_threads */
    }
}

/** What the environment asks for; English where it names no language of ours. */
static assay_lang_t usual_lang(void) {
    static const char *const name[] = {"LC_ALL", "LC_MESSAGES", "LANG"}; /* the first one set */
    assay_lang_t lang = ASSAY_LANG_EN;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const char *value = getenv(name[i]);
        if (value && value[0]) {
            (void)assay_lang_read(value, &lang);
            break;
        }
    }
    return lang;
}

int main(int argc, char **argv) {
    hold_standard_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write */
    cli_t cli = {.arena = assay_arena_create(ARENA_BYTES), .lang = usual_lang()};
    if (!cli.arena) {
        fputs("assay: out of memory\n", stderr);
        return assay_status_exit_code(ASSAY_MEMORY);
    }
    assay_buf_init(&cli.out, OUTPUT_BYTES);
    assay_buf_spool(&cli.out, SPOOL_BYTES);
    assay_status_t status = cli_parse(&cli, argc, argv);
    if (!status) {
        cli.command = command_line(cli.arena, argc, argv);
        setup(&cli);
        status = cli.verb->run(&cli);
        cli_progress_stop(&cli);
    }
    /* Nothing is printed unless all of it can be; NO_FIT and FINDING are answers, not failures, and
       what is not available here may still have a report that says so. */
    if (assay_status_exit_code(status) <= 1 || (status == ASSAY_UNAVAILABLE && cli.out.n > 0)) {
        assay_status_t written = cli_output_write(&cli);
        status = written ? written : status;
    }
    if (assay_status_exit_code(status) > 1 && !cli.reader_left) {
        char line[1200];
        fprintf(stderr, "assay: %s\n",
                cli.err.status == status ? assay_error_line(&cli.err, line, sizeof line)
                                         : assay_status_sentence(status));
    }
    assay_buf_done(&cli.out);
    assay_arena_destroy(cli.arena);
    return assay_status_exit_code(status);
}
