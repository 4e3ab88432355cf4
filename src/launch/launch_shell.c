/* Shell scripts and launch lines: #SBATCH headers, assignments, and the words of commands. */
#include <string.h>

#include "launch/launch_parts.h"

#include "base/banned.h"

#define WORDS_MAX 2048u
#define WORD_BYTES ((size_t)4096)
#define VARIABLES_MAX 256u
#define NAME_BYTES 64u

typedef struct {
    const char *name;
    const char *const *word; /* an array has several */
    uint32_t n;
} variable_t;

typedef struct {
    launch_t *launch;
    const char *data;
    size_t size, at;
    uint32_t line;
    const char *word[WORDS_MAX];
    uint32_t word_line[WORDS_MAX];
    uint32_t n_word;
    variable_t variable[VARIABLES_MAX];
    uint32_t n_variable;
    char text[WORD_BYTES];
    size_t n_text;
    bool has_word; /* an empty pair of quotes is a word */
} shell_t;

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const variable_t *find_variable(const shell_t *shell, const char *name, size_t n) {
    for (uint32_t i = shell->n_variable; i > 0; i--) {
        const variable_t *variable = &shell->variable[i - 1];
        if (strlen(variable->name) == n && memcmp(variable->name, name, n) == 0) {
            return variable;
        }
    }
    return NULL;
}

static void put(shell_t *shell, char c) {
    if (shell->n_text + 1 < WORD_BYTES) {
        shell->text[shell->n_text++] = c;
    }
    shell->has_word = true;
}

static assay_status_t end_word(shell_t *shell) {
    if (!shell->has_word) {
        return ASSAY_OK;
    }
    if (shell->n_word == WORDS_MAX) {
        const assay_place_t at = {shell->launch->file, shell->line, 0};
        return assay_error_set(shell->launch->err, ASSAY_LIMIT, &at,
                               "a command of more than %u words", WORDS_MAX);
    }
    const char *copy = assay_arena_strndup(shell->launch->arena, shell->text, shell->n_text);
    if (!copy) {
        return assay_error_memory(shell->launch->err, NULL);
    }
    shell->word_line[shell->n_word] = shell->line;
    shell->word[shell->n_word++] = copy;
    shell->n_text = 0;
    shell->has_word = false;
    return ASSAY_OK;
}

/* The values of a variable in the word: the first joins what stands before it, the others follow as
   words of their own, unless in quotes or few. */
static assay_status_t expand(shell_t *shell, const variable_t *variable, bool quoted, bool all) {
    for (uint32_t i = 0; i < variable->n; i++) {
        const char *text = variable->word[i];
        for (; *text; text++) {
            if (!quoted && *text == ' ') { /* an unquoted value is split */
                const assay_status_t status = end_word(shell);
                if (status != ASSAY_OK) {
                    return status;
                }
            } else {
                put(shell, *text);
            }
        }
        if (i + 1 < variable->n) {
            if (!all) {
                break;
            }
            const assay_status_t status = end_word(shell);
            if (status != ASSAY_OK) {
                return status;
            }
        }
    }
    return ASSAY_OK;
}

/* At "$": NAME, {NAME}, {NAME[@]}, {NAME:-otherwise}. What cannot be told stays as it is written.
 */
static assay_status_t read_dollar(shell_t *shell, bool quoted) {
    const char *text = shell->data + shell->at + 1;
    const size_t left = shell->size - shell->at - 1;
    const bool brace = left > 0 && text[0] == '{';
    const size_t start = brace;
    size_t n = start;
    while (n < left && is_name(text[n])) {
        n++;
    }
    const variable_t *variable = find_variable(shell, text + start, n - start);
    const size_t n_name = n - start;
    size_t end = n;
    const char *otherwise = NULL;
    size_t n_otherwise = 0;
    bool all = false;
    if (brace) {
        const char *close = memchr(text, '}', left);
        if (!close || n_name == 0) {
            put(shell, '$');
            shell->at++;
            return ASSAY_OK;
        }
        end = (size_t)(close - text) + 1;
        all = end - n > 1 && text[n] == '[';
        if (end - n > 2 && text[n] == ':' && (text[n + 1] == '-' || text[n + 1] == '=')) {
            otherwise = text + n + 2;
            n_otherwise = end - n - 3;
        }
    }
    if (n_name == 0) {
        put(shell, '$');
        shell->at++;
        return ASSAY_OK;
    }
    shell->at += end + 1;
    if (variable) {
        return expand(shell, variable, quoted, all);
    }
    if (otherwise) {
        for (size_t i = 0; i < n_otherwise; i++) {
            put(shell, otherwise[i]);
        }
        return ASSAY_OK;
    }
    put(shell, '$');
    for (size_t i = 0; i < end; i++) {
        put(shell, text[i]);
    }
    return ASSAY_OK;
}

/* "$(...)" and "`...`" are copied as they are: nothing is run. */
static void skip_command(shell_t *shell, char close) {
    uint32_t depth = 0;
    do {
        const char c = shell->data[shell->at++];
        depth += c == '(' && close == ')';
        shell->line += c == '\n';
        put(shell, c == '\n' ? ' ' : c);
        if (c == close && shell->n_text > 1 && (close == '`' || --depth == 0)) {
            return;
        }
    } while (shell->at < shell->size);
}

static assay_status_t read_quoted(shell_t *shell, char quote) {
    shell->has_word = true;
    for (shell->at++; shell->at < shell->size && shell->data[shell->at] != quote;) {
        const char c = shell->data[shell->at];
        const char next = shell->at + 1 < shell->size ? shell->data[shell->at + 1] : '\0';
        if (quote == '"' && c == '$' && next != '(') {
            const assay_status_t status = read_dollar(shell, true);
            if (status != ASSAY_OK) {
                return status;
            }
            continue;
        }
        if (quote == '"' && c == '\\' && next) {
            shell->at++;
            if (next != '\n') {
                put(shell, next);
            }
        } else {
            put(shell, c);
        }
        shell->line += shell->data[shell->at] == '\n';
        shell->at++;
    }
    shell->at += shell->at < shell->size;
    return ASSAY_OK;
}

/* ---- what the words say ---- */

/* #SBATCH --nodes=2 */
static assay_status_t read_header(shell_t *shell, const char *line, size_t n) {
    static const char mark[] = "#SBATCH";
    const size_t n_mark = sizeof mark - 1;
    if (n < n_mark || memcmp(line, mark, n_mark) != 0) {
        return ASSAY_OK;
    }
    const char *word[8];
    uint32_t n_word = 0;
    for (size_t at = n_mark; at < n && n_word < 8;) {
        while (at < n && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r')) {
            at++;
        }
        const size_t start = at;
        while (at < n && line[at] != ' ' && line[at] != '\t' && line[at] != '\r' &&
               line[at] != '=') {
            at++;
        }
        if (start == at || line[start] == '#') {
            break;
        }
        word[n_word] = assay_arena_strndup(shell->launch->arena, line + start, at - start);
        if (!word[n_word++]) {
            return assay_error_memory(shell->launch->err, NULL);
        }
        at += at < n && line[at] == '=';
    }
    assay_status_t status = ASSAY_OK;
    for (uint32_t i = 0; i < n_word && status == ASSAY_OK; i++) {
        if (word[i][0] != '-') {
            continue;
        }
        const bool value = i + 1 < n_word && word[i + 1][0] != '-';
        status =
            launch_take(shell->launch, "slurm", word[i], value ? word[i + 1] : "", shell->line);
    }
    return status;
}

/* NAME=value: the length of the name, or 0. */
static size_t assigned_name(const char *word) {
    size_t n = 0;
    while (is_name(word[n])) {
        n++;
    }
    const bool adds = word[n] == '+' && word[n + 1] == '=';
    return n > 0 && n < NAME_BYTES && (word[n] == '=' || adds) &&
                   !(word[0] >= '0' && word[0] <= '9')
               ? n
               : 0;
}

static assay_status_t set_variable(shell_t *shell, const char *assignment, size_t n_name,
                                   const char *const *word, uint32_t n) {
    launch_t *launch = shell->launch;
    const bool adds = assignment[n_name] == '+';
    const variable_t *old = find_variable(shell, assignment, n_name);
    const uint32_t n_old = adds && old ? old->n : 0;
    const char **all = assay_arena_array(launch->arena, (size_t)n_old + n, sizeof *all);
    const char *name = assay_arena_strndup(launch->arena, assignment, n_name);
    if (!all || !name) {
        return assay_error_memory(launch->err, NULL);
    }
    if (n_old) {
        memcpy(all, old->word, n_old * sizeof *all);
    }
    memcpy(all + n_old, word, n * sizeof *all);
    if (shell->n_variable == VARIABLES_MAX) {
        return ASSAY_OK; /* beyond it values stay as they are written */
    }
    shell->variable[shell->n_variable++] = (variable_t){name, all, n_old + n};
    return ASSAY_OK;
}

/* The words up to the end of a command: assignments, then a launch line. */
static assay_status_t end_command(shell_t *shell) {
    assay_status_t status = end_word(shell);
    uint32_t first = 0;
    if (shell->n_word > 0 &&
        (strcmp(shell->word[0], "export") == 0 || strcmp(shell->word[0], "local") == 0 ||
         strcmp(shell->word[0], "declare") == 0)) {
        first = 1;
    }
    for (; status == ASSAY_OK && first < shell->n_word; first++) {
        const size_t n_name = assigned_name(shell->word[first]);
        if (n_name == 0) {
            break;
        }
        const char *value = strchr(shell->word[first], '=') + 1;
        status = set_variable(shell, shell->word[first], n_name, &value, 1);
    }
    if (status == ASSAY_OK && first < shell->n_word) {
        status = launch_read_words(shell->launch, shell->word + first, shell->word_line + first,
                                   shell->n_word - first);
    }
    shell->n_word = 0;
    return status;
}

/* NAME=( words ): at the parenthesis. */
static assay_status_t read_array(shell_t *shell) {
    const char *assignment = assay_arena_strndup(shell->launch->arena, shell->text, shell->n_text);
    const uint32_t before = shell->n_word;
    shell->n_text = 0;
    shell->has_word = false;
    shell->at++;
    assay_status_t status = assignment ? ASSAY_OK : assay_error_memory(shell->launch->err, NULL);
    while (status == ASSAY_OK && shell->at < shell->size && shell->data[shell->at] != ')') {
        const char c = shell->data[shell->at];
        if (c == '\'' || c == '"') {
            status = read_quoted(shell, c);
        } else if (c == '$') {
            status = read_dollar(shell, false);
        } else if (c == '#' && !shell->has_word) {
            while (shell->at < shell->size && shell->data[shell->at] != '\n') {
                shell->at++;
            }
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\') {
            status = end_word(shell);
            shell->line += c == '\n';
            shell->at++;
        } else {
            put(shell, c);
            shell->at++;
        }
    }
    shell->at += shell->at < shell->size;
    if (status == ASSAY_OK) {
        status = end_word(shell);
    }
    if (status == ASSAY_OK) {
        status = set_variable(shell, assignment, assigned_name(assignment), shell->word + before,
                              shell->n_word - before);
    }
    shell->n_word = before;
    return status;
}

static assay_status_t read_comment(shell_t *shell) {
    const char *line = shell->data + shell->at;
    const char *end = memchr(line, '\n', shell->size - shell->at);
    const size_t n = end ? (size_t)(end - line) : shell->size - shell->at;
    shell->at += n;
    return read_header(shell, line, n);
}

static assay_status_t read_one(shell_t *shell) {
    const char c = shell->data[shell->at];
    const char next = shell->at + 1 < shell->size ? shell->data[shell->at + 1] : '\0';
    switch (c) {
    case '#':
        if (!shell->has_word) {
            return read_comment(shell);
        }
        break;
    case '\\':
        shell->at += next ? 2 : 1;
        if (next == '\n' || next == '\r') {
            shell->line += next == '\n';
            return end_word(shell);
        }
        if (next) {
            put(shell, next);
        }
        return ASSAY_OK;
    case '\'':
    case '"':
        return read_quoted(shell, c);
    case '$':
        if (next != '(') {
            return read_dollar(shell, false);
        }
        skip_command(shell, ')');
        return ASSAY_OK;
    case '`':
        skip_command(shell, '`');
        return ASSAY_OK;
    case '(':
        shell->text[shell->n_text] = '\0';
        if (shell->n_text > 1 && shell->text[shell->n_text - 1] == '=' &&
            assigned_name(shell->text) > 0) {
            return read_array(shell);
        }
        break;
    case ' ':
    case '\t':
    case '\r':
        shell->at++;
        return end_word(shell);
    case '\n':
    case ';':
    case '&':
    case '|': {
        const assay_status_t status = end_command(shell);
        shell->line += c == '\n';
        shell->at++;
        return status;
    }
    default:
        break;
    }
    put(shell, c);
    shell->at++;
    return ASSAY_OK;
}

assay_status_t launch_read_shell(launch_t *launch, const char *data, size_t size) {
    shell_t *shell = assay_arena_alloc(launch->arena, sizeof *shell);
    if (!shell) {
        return assay_error_memory(launch->err, NULL);
    }
    shell->launch = launch;
    shell->data = data;
    shell->size = size;
    shell->line = 1;
    assay_status_t status = ASSAY_OK;
    while (status == ASSAY_OK && shell->at < size) {
        status = read_one(shell);
    }
    return status == ASSAY_OK ? end_command(shell) : status;
}
