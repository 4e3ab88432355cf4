#include <string.h>

#include "assay/catalog_view.h"
#include "cli/cli.h"

#include "base/banned.h"

/** bash and zsh differ in how they offer words and files, not in what there is to offer. */
typedef struct {
    const char *head, *tail;
    const char *files;                    /* statement that offers file names */
    const char *words_open, *words_close; /* around a list of words */
} dialect_t;

static const dialect_t bash = {
    .head = "_assay() {\n"
            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
            "    local line=\"${COMP_WORDS[*]:1}\"\n",
    .tail = "}\ncomplete -F _assay assay\n",
    .files = "mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); compopt -o filenames 2>/dev/null",
    .words_open = "COMPREPLY=($(compgen -W \"",
    .words_close = "\" -- \"$cur\"))",
};
static const dialect_t zsh = {
    .head = "#compdef assay\n_assay() {\n"
            "    local cur=${words[CURRENT]} prev=${words[CURRENT-1]} line=\"${words[2,-1]}\"\n",
    .tail =
        "}\nif [ \"$funcstack[1]\" = _assay ]; then _assay \"$@\"; else compdef _assay assay; fi\n",
    .files = "_files",
    .words_open = "compadd -- ",
    .words_close = "",
};

/* A shell expands the words it is given: $(...) in the id of a user's table would be run. */
#define ID_FILTER "cut -d, -f1 | sed 1d | grep -xE '[A-Za-z0-9._:+-]+'"

/** Catalog ids that a key of the job takes. */
static const struct {
    const char *path, *table;
} ids_of[] = {{"workload.train.model", "models"}, {"candidates", "systems"}};

/** Words that may follow the flag, in the arena; NULL: none are known. */
static const char *flag_words(cli_t *cli, const cli_flag_t *flag) {
    if (flag->field && flag->field->choices) {
        const char *words = "";
        for (uint32_t i = 0; flag->field->choices[i] && words; i++) {
            words = assay_arena_printf(cli->arena, "%s%s%s", words, i ? " " : "",
                                       flag->field->choices[i]);
        }
        return words;
    }
    if (flag->field && flag->field->kind == ASSAY_FIELD_BOOL) {
        return "true false";
    }
    if (flag->id == CLI_FAIL_ON) {
        return "silent compile slow note";
    }
    if (flag->id == CLI_THRESHOLD) {
        return "critical error warning info";
    }
    for (size_t i = 0; flag->path && i < sizeof ids_of / sizeof *ids_of; i++) {
        if (strcmp(flag->path, ids_of[i].path) == 0) {
            return assay_arena_printf(cli->arena,
                                      "$(assay catalog list %s --csv 2>/dev/null | " ID_FILTER ")",
                                      ids_of[i].table);
        }
    }
    return NULL;
}

static bool takes_file(const cli_flag_t *flag) {
    return strstr(flag->value, "FILE") || strstr(flag->value, "DIR");
}

/** Every spelling of the flag, between separator. */
static void add_spellings(assay_buf_t *out, const cli_flag_t *flag, const char *separator) {
    assay_buf_printf(out, "--%s", flag->name);
    if (flag->alias) {
        assay_buf_printf(out, "%s--%s", separator, flag->alias);
    }
    if (flag->letter) {
        assay_buf_printf(out, "%s-%c", separator, flag->letter);
    }
}

/** One case of the flags that take a value, over all verbs; each flag once. */
static void add_flag_values(cli_t *cli, const dialect_t *shell) {
    assay_buf_t *out = &cli->out;
    const char *seen[CLI_MAX_FLAGS];
    uint32_t n_seen = 0;
    assay_buf_puts(out, "    case $prev in\n");
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        cli_flag_t flag[CLI_MAX_FLAGS];
        uint32_t n = cli_verb_flags(cli->arena, &cli_verbs[i], flag);
        for (uint32_t j = 0; j < n; j++) {
            uint32_t k = 0;
            while (k < n_seen && strcmp(seen[k], flag[j].name) != 0) {
                k++;
            }
            if (k < n_seen || !flag[j].value[0]) {
                continue;
            }
            seen[n_seen++] = flag[j].name;
            assay_buf_puts(out, "    ");
            add_spellings(out, &flag[j], "|");
            assay_buf_puts(out, ") ");
            if (takes_file(&flag[j])) {
                assay_buf_printf(out, "%s;", shell->files);
            } else {
                const char *words = flag_words(cli, &flag[j]);
                if (words) {
                    assay_buf_printf(out, "%s%s%s;", shell->words_open, words, shell->words_close);
                }
            }
            assay_buf_puts(out, " return ;;\n");
        }
    }
    assay_buf_puts(out, "    esac\n");
}

/** First words of all verbs, or second words of those that begin with first; each once. */
static void add_next_words(assay_buf_t *out, const char *first) {
    const char *last = "";
    size_t n_last = 0;
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        const char *word = cli_verbs[i].name;
        size_t n = strcspn(word, " ");
        if (first) {
            if (strlen(first) != n || memcmp(first, word, n) != 0 || !word[n]) {
                continue;
            }
            word += n + 1;
            n = strlen(word);
        }
        if (n != n_last || memcmp(word, last, n) != 0) {
            assay_buf_add(out, word, n);
            assay_buf_add(out, " ", 1);
        }
        last = word;
        n_last = n;
    }
}

/** The words that can follow the verb: flags, and what its argument may be. */
static void add_verb_words(cli_t *cli, const cli_verb_t *verb) {
    cli_flag_t flag[CLI_MAX_FLAGS];
    uint32_t n = cli_verb_flags(cli->arena, verb, flag);
    for (uint32_t i = 0; i < n; i++) {
        add_spellings(&cli->out, &flag[i], " ");
        assay_buf_add(&cli->out, " ", 1);
    }
    if (verb->run == cli_run_catalog_list) {
        const assay_table_name_t *name;
        uint32_t n_name = 0;
        (void)assay_catalog_view_names(cli->arena, &name, &n_name, NULL);
        for (uint32_t i = 0; i < n_name; i++) {
            assay_buf_printf(&cli->out, "%s ", name[i].name);
        }
    } else if (verb->run == cli_run_catalog_show || verb->run == cli_run_catalog_diff) {
        assay_buf_puts(&cli->out, "$(for t in accelerators systems fabrics models; do "
                                  "assay catalog list $t --csv | " ID_FILTER "; done 2>/dev/null)");
    } else if (verb->run == cli_run_completion) {
        assay_buf_puts(&cli->out, "bash zsh fish");
    } else if (verb->run == cli_run_help || verb->run == cli_run_man) {
        add_next_words(&cli->out, NULL);
    }
}

static void add_script(cli_t *cli, const dialect_t *shell) {
    assay_buf_t *out = &cli->out;
    assay_buf_puts(out, shell->head);
    add_flag_values(cli, shell);
    assay_buf_puts(out, "    case $line in\n");
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        assay_buf_printf(out, "    \"%s \"*)\n        ", cli_verbs[i].name);
        if (strstr(cli_verbs[i].arguments, "JOB") || strstr(cli_verbs[i].arguments, "PATH")) {
            assay_buf_printf(out, "case $cur in -*) ;; *) %s; return ;; esac\n        ",
                             shell->files);
        }
        assay_buf_puts(out, shell->words_open);
        add_verb_words(cli, &cli_verbs[i]);
        assay_buf_printf(out, "%s ;;\n", shell->words_close);
    }
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        const char *space = strchr(cli_verbs[i].name, ' ');
        const char *first = space ? assay_arena_strndup(cli->arena, cli_verbs[i].name,
                                                        (size_t)(space - cli_verbs[i].name))
                                  : NULL;
        if (first && (i == 0 || strncmp(cli_verbs[i - 1].name, first, strlen(first)) != 0)) {
            assay_buf_printf(out, "    \"%s \"*) %s", first, shell->words_open);
            add_next_words(out, first);
            assay_buf_printf(out, "%s ;;\n", shell->words_close);
        }
    }
    assay_buf_printf(out, "    *) %s", shell->words_open);
    add_next_words(out, NULL);
    assay_buf_printf(out, "--help --version%s ;;\n    esac\n%s", shell->words_close, shell->tail);
}

/** Text inside single quotes of fish. */
static void add_fish_quoted(assay_buf_t *out, const char *text) {
    assay_buf_add(out, "'", 1);
    for (; *text; text++) {
        assay_buf_printf(out, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    }
    assay_buf_add(out, "'", 1);
}

static void add_fish(cli_t *cli) {
    assay_buf_t *out = &cli->out;
    assay_buf_puts(out, "complete -c assay -f -n __fish_use_subcommand -a '");
    add_next_words(out, NULL);
    assay_buf_puts(out, "'\n");
    for (uint32_t i = 0; i < cli_n_verbs; i++) {
        const cli_verb_t *verb = &cli_verbs[i];
        const char *second = strchr(verb->name, ' ');
        int n_first = (int)strcspn(verb->name, " ");
        const char *when = assay_arena_printf(
            cli->arena, "__fish_seen_subcommand_from %.*s%s%s", n_first, verb->name,
            second ? "; and __fish_seen_subcommand_from" : "", second ? second : "");
        if (second) {
            assay_buf_printf(out,
                             "complete -c assay -f -n '__fish_seen_subcommand_from %.*s' -a %s -d ",
                             n_first, verb->name, second + 1);
            add_fish_quoted(out, verb->help);
            assay_buf_add(out, "\n", 1);
        }
        cli_flag_t flag[CLI_MAX_FLAGS];
        uint32_t n = cli_verb_flags(cli->arena, verb, flag);
        for (uint32_t j = 0; j < n; j++) {
            assay_buf_printf(out, "complete -c assay -n '%s' -l %s", when ? when : "",
                             flag[j].name);
            if (flag[j].letter) {
                assay_buf_printf(out, " -s %c", flag[j].letter);
            }
            if (flag[j].value[0]) {
                assay_buf_puts(out, takes_file(&flag[j]) ? " -r" : " -x");
            }
            const char *words = flag_words(cli, &flag[j]);
            if (words) {
                assay_buf_printf(out, " -a \"%s\"", words);
            }
            assay_buf_puts(out, " -d ");
            add_fish_quoted(out, flag[j].help ? flag[j].help : "");
            assay_buf_add(out, "\n", 1);
        }
    }
}

assay_status_t cli_run_completion(cli_t *cli) {
    static const char *const shell[] = {"bash", "zsh", "fish"};
    if (strcmp(cli->arg[0], "bash") == 0) {
        add_script(cli, &bash);
    } else if (strcmp(cli->arg[0], "zsh") == 0) {
        add_script(cli, &zsh);
    } else if (strcmp(cli->arg[0], "fish") == 0) {
        add_fish(cli);
    } else {
        const char *near = assay_text_nearest(cli->arg[0], shell, 3);
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "no completion for the shell \"%s\"",
                        cli->arg[0]);
        assay_error_next(&cli->err, near ? "did you mean %s?" : "use bash, zsh or fish", near);
        return ASSAY_USAGE;
    }
    return ASSAY_OK;
}
