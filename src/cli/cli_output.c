#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/cli.h"

#include "base/banned.h"

#define LINE_COLUMNS 100
#define SPACES " \t\r\n"

/* Bytes of what stays on one line: a word, or a Chinese character with what closes behind it. */
static size_t piece_of(const char *text, size_t *out_columns) {
    const size_t n = strcspn(text, SPACES);
    uint32_t before = 0;
    size_t at = 0;
    *out_columns = 0;
    while (at < n) {
        uint32_t code;
        bool printable;
        const size_t length = assay_text_character(text + at, n - at, &code, &printable);
        if (at > 0 && assay_text_may_break(before, code)) {
            break;
        }
        *out_columns += assay_utf8_columns(code);
        before = code;
        at += length;
    }
    return at;
}

void cli_wrap(assay_buf_t *out, const char *text, size_t column, size_t indent) {
    for (size_t space = 1; text && *text; space = strspn(text, SPACES), text += space) {
        size_t columns;
        const size_t piece = piece_of(text, &columns);
        const size_t gap = space > 0;
        if (column > indent && column + gap + columns > LINE_COLUMNS) {
            assay_buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent && gap) {
            assay_buf_add(out, " ", 1);
            column++;
        }
        assay_buf_printable(out, text, piece);
        column += columns;
        text += piece;
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

/* Sets reader_left when a pipe's reader has gone. */
static bool put(void *ctx, const char *data, size_t n) {
    cli_t *cli = ctx;
    for (size_t done = 0; done < n;) {
        const ssize_t written = write(STDOUT_FILENO, data + done, n - done);
        if (written < 0 && errno != EINTR) {
            cli->reader_left = errno == EPIPE;
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

assay_status_t cli_output_write(cli_t *cli) {
    const assay_buf_t *out = &cli->out;
    if (out->failed) {
        return assay_error_set(&cli->err, ASSAY_LIMIT, NULL, "the output is larger than %zu bytes",
                               out->max);
    }
    if (cli_has(cli, CLI_OUTPUT)) {
        return assay_file_write_buf(cli->value[CLI_OUTPUT], out, &cli->err);
    }
    if (cli_has(cli, CLI_QUIET)) {
        return ASSAY_OK;
    }
    /* Some file systems tell only when it is closed that the disk is full. */
    if (!assay_buf_each(out, put, cli) || close(STDOUT_FILENO) != 0) {
        return assay_error_set(&cli->err, ASSAY_IO, NULL, "standard output: %s", strerror(errno));
    }
    return ASSAY_OK;
}
