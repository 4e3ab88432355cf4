#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "base/banned.h"

void cli_wrap(assay_buf_t *out, const char *text, size_t column, size_t indent) {
    while (text && *text) {
        size_t word = strcspn(text, " \t\r\n");
        if (column > indent && column + 1 + word > 100) {
            assay_buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            assay_buf_add(out, " ", 1);
            column++;
        }
        assay_buf_printable(out, text, word);
        column += word;
        text += word;
        text += strspn(text, " \t\r\n");
    }
    assay_buf_add(out, "\n", 1);
}

void cli_say(cli_t *cli, assay_message_t id, const char *const *arg, size_t n_arg) {
    assay_buf_t text;
    assay_buf_init(&text, 4u << 20);
    assay_message_add(&text, cli->lang, id, arg, n_arg);
    cli_wrap(&cli->out, text.n ? text.data : "", 0, 0);
    cli->out.failed |= text.failed;
    assay_buf_done(&text);
}

assay_status_t cli_output_write(cli_t *cli) {
    const assay_buf_t *out = &cli->out;
    if (out->failed) {
        return assay_error_set(&cli->err, ASSAY_LIMIT, NULL, "the output is larger than %zu bytes",
                               out->max);
    }
    if (cli_has(cli, CLI_OUTPUT)) {
        return assay_file_write(cli->value[CLI_OUTPUT], out->n ? out->data : "", out->n, &cli->err);
    }
    if (cli_has(cli, CLI_QUIET)) {
        return ASSAY_OK;
    }
    for (size_t done = 0; done < out->n;) {
        ssize_t n = write(STDOUT_FILENO, out->data + done, out->n - done);
        if (n < 0 && errno != EINTR) {
            cli->reader_left = errno == EPIPE;
            return assay_error_set(&cli->err, ASSAY_IO, NULL, "standard output: %s",
                                   strerror(errno));
        }
        done += n > 0 ? (size_t)n : 0;
    }
    /* Some file systems tell only now that the disk is full. */
    if (close(STDOUT_FILENO) != 0) {
        return assay_error_set(&cli->err, ASSAY_IO, NULL, "standard output: %s", strerror(errno));
    }
    return ASSAY_OK;
}
