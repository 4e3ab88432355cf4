#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

#include "assay/node.h"

#include "base/banned.h"

bool cli_has(const cli_t *cli, cli_flag_id_t flag) {
    return cli->value[flag] != NULL;
}

static assay_status_t unknown_flag(cli_t *cli, const char *text, const cli_flag_t *flag,
                                   uint32_t n) {
    const char *name[2 * CLI_MAX_FLAGS];
    for (uint32_t i = 0; i < n; i++) {
        name[2 * i] = flag[i].name;
        name[2 * i + 1] = flag[i].alias;
    }
    const char *word = text + strspn(text, "-");
    size_t length = strcspn(word, "=");
    char *bare = assay_arena_strndup(cli->arena, word, length);
    const char *near = bare ? assay_text_nearest(bare, name, 2 * n) : NULL;
    assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s has no flag \"%.*s\"", cli->verb->name,
                    (int)(word + length - text), text);
    if (near) {
        assay_error_next(&cli->err, "did you mean --%s?", near);
    } else {
        assay_error_next(&cli->err, "see \"assay %s --help\"", cli->verb->name);
    }
    return ASSAY_USAGE;
}

static void set_job_key(cli_t *cli, const cli_flag_t *flag, const char *value) {
    uint32_t i = 0;
    while (i < cli->n_job_flag && strcmp(cli->job_flag[i].path, flag->path) != 0) {
        i++;
    }
    cli->job_flag[i] =
        (assay_job_flag_t){flag->path, value, assay_arena_printf(cli->arena, "--%s", flag->name)};
    cli->n_job_flag += i == cli->n_job_flag;
}

static bool is_thread_count(const char *text) {
    uint64_t n;
    return assay_text_to_u64(text, strlen(text), &n) && n >= 1 && n <= 1024;
}

static assay_status_t set_flag(cli_t *cli, const cli_flag_t *flag, const char *value) {
    switch (flag->id) {
    case CLI_JOB_KEY:
        set_job_key(cli, flag, value);
        break;
    case CLI_DATA:
    case CLI_MEASURED:
        if (cli->n_data == CLI_MAX_DATA) {
            return assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                                   "--data is given more than %d times", CLI_MAX_DATA);
        }
        cli->data[cli->n_data++] = value;
        break;
    case CLI_LANG:
        if (!assay_lang_read(value, &cli->lang)) {
            assay_error_set(&cli->err, ASSAY_USAGE, NULL, "no language \"%s\"", value);
            assay_error_next(&cli->err, "use --lang en or --lang zh");
            return ASSAY_USAGE;
        }
        break;
    case CLI_TEAM:
    case CLI_THREADS:
        if (!is_thread_count(value)) {
            return assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                                   "--%s %s: expected a whole number from 1 to 1024", flag->name,
                                   value);
        }
        break;
    default:
        break;
    }
    if (flag->id == CLI_OUTPUT && strcmp(value, "-") == 0) {
        value = NULL; /* standard output, as for other programs */
    }
    if (flag->id < CLI_FLAG_N) {
        cli->value[flag->id] = value;
    }
    return ASSAY_OK;
}

/**
 * The flag that text ("--name", "--name=value", "-o", "-oFILE") names; *out_value: what is
 * attached, or NULL.
 */
static const cli_flag_t *find_flag(const char *text, const cli_flag_t *flag, uint32_t n,
                                   const char **out_value) {
    *out_value = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (text[1] != '-') {
            if (flag[i].letter == text[1]) {
                *out_value = text[2] ? text + 2 : NULL;
                return &flag[i];
            }
            continue;
        }
        size_t length = strcspn(text + 2, "=");
        const char *const name[] = {flag[i].name, flag[i].alias};
        for (uint32_t j = 0; j < 2; j++) {
            if (name[j] && strlen(name[j]) == length && memcmp(name[j], text + 2, length) == 0) {
                *out_value = text[2 + length] ? text + 2 + length + 1 : NULL;
                return &flag[i];
            }
        }
    }
    return NULL;
}

static assay_status_t needs_value(cli_t *cli, const char *text, const cli_flag_t *flag) {
    assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s needs a value", text);
    if (flag->field && flag->field->kind == ASSAY_FIELD_NUMBER) {
        assay_error_next(&cli->err, "give %s, such as %s",
                         assay_dim_name((assay_dim_t)flag->field->dim),
                         assay_dim_example((assay_dim_t)flag->field->dim));
    } else {
        assay_error_next(&cli->err, "write %s %s", text, flag->value);
    }
    return ASSAY_USAGE;
}

/** Parses the flag at arg[0] and, where it needs one, its value at arg[1]; *out_used: 1 or 2. */
static assay_status_t parse_flag(cli_t *cli, char **arg, int n_arg, const cli_flag_t *flag,
                                 uint32_t n, int *out_used) {
    const char *value;
    const cli_flag_t *found = find_flag(arg[0], flag, n, &value);
    *out_used = 1;
    if (!found) {
        return unknown_flag(cli, arg[0], flag, n);
    }
    if (!found->value[0]) {
        if (value) {
            return assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--%s takes no value",
                                   found->name);
        }
        return set_flag(cli, found, "");
    }
    if (!value) {
        if (n_arg < 2 || strncmp(arg[1], "--", 2) == 0) {
            return needs_value(cli, arg[0], found);
        }
        value = arg[1];
        *out_used = 2;
    }
    if (!*value && found->id < CLI_FLAG_N) { /* a job's key says more about what it wants */
        return needs_value(cli, arg[0], found);
    }
    return set_flag(cli, found, value);
}

static assay_status_t parse_arguments(cli_t *cli, int argc, char **argv) {
    cli_flag_t flag[CLI_MAX_FLAGS];
    const uint32_t n_flag = cli_verb_flags(cli->arena, cli->verb, flag);
    bool flags_end = false;
    for (int i = 0; i < argc;) {
        if (!flags_end && argv[i][0] == '-' && argv[i][1]) {
            int used = 1;
            if (strcmp(argv[i], "--") == 0) {
                flags_end = true;
                cli->n_before_end = cli->n_arg;
            } else {
                assay_status_t status = parse_flag(cli, argv + i, argc - i, flag, n_flag, &used);
                if (status) {
                    return status;
                }
            }
            i += used;
            continue;
        }
        if (cli->n_arg == cli->verb->max_args) {
            assay_error_set(&cli->err, ASSAY_USAGE, NULL, "\"%s\" is one argument too many",
                            argv[i]);
            assay_error_next(&cli->err, "usage: assay %s %s", cli->verb->name,
                             cli->verb->arguments);
            return ASSAY_USAGE;
        }
        cli->arg[cli->n_arg++] = argv[i++];
    }
    cli->n_before_end = flags_end ? cli->n_before_end : cli->n_arg;
    return ASSAY_OK;
}

static bool same_file(const char *a, const char *b) {
    struct stat a_stat, b_stat;
    if (stat(a, &a_stat) != 0 || stat(b, &b_stat) != 0) {
        return strcmp(a, b) == 0;
    }
    return a_stat.st_dev == b_stat.st_dev && a_stat.st_ino == b_stat.st_ino;
}

/** Two things written to one file, or a result over what it was made from. */
static assay_status_t check_outputs(cli_t *cli) {
    static const uint8_t flag[] = {CLI_OUTPUT, CLI_HTML, CLI_SVG, CLI_WRITE_BASELINE,
                                   CLI_CHROME_TRACE};
    for (size_t i = 0; i < sizeof flag / sizeof flag[0]; i++) {
        const char *path = cli->value[flag[i]];
        const char *taken = path && strcmp(path, "-") == 0 ? "standard output" : NULL;
        for (uint32_t j = 0; path && j < cli->n_arg; j++) {
            taken = same_file(path, cli->arg[j]) ? "what is read" : taken;
        }
        for (size_t j = 0; path && j < i; j++) {
            const char *other = cli->value[flag[j]];
            taken = other && same_file(path, other) ? "another output" : taken;
        }
        if (taken) {
            const assay_place_t at = {.file = path};
            assay_error_set(&cli->err, ASSAY_USAGE, &at, "would be written over %s", taken);
            assay_error_next(&cli->err, "name another file");
            return ASSAY_USAGE;
        }
    }
    return ASSAY_OK;
}

/** $ASSAY_THREADS means what --threads means. */
static assay_status_t check_environment(cli_t *cli) {
    const char *threads = getenv("ASSAY_THREADS");
    if (!threads || !*threads || cli_has(cli, CLI_THREADS) || is_thread_count(threads)) {
        return ASSAY_OK;
    }
    assay_error_set(&cli->err, ASSAY_USAGE, NULL,
                    "ASSAY_THREADS is %s, expected a whole number from 1 to 1024", threads);
    assay_error_next(&cli->err, "correct the variable, or unset it");
    return ASSAY_USAGE;
}

/** Whether one of the two spellings stands among the flags. */
static bool asks_for(int argc, char **argv, const char *name, const char *letter) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], name) == 0 || strcmp(argv[i], letter) == 0) {
            return true;
        }
    }
    return false;
}

assay_status_t cli_parse(cli_t *cli, int argc, char **argv) {
    static const cli_verb_t version = {.name = "version", .run = cli_run_version};
    static const cli_verb_t help = {.name = "help", .run = cli_run_help};
    if (asks_for(argc, argv, "--version", "-V")) {
        cli->verb = &version;
        return ASSAY_OK;
    }
    if (argc < 2 || asks_for(argc, argv, "--help", "-h")) {
        cli->verb = &help;
        for (int i = 1; i < argc && cli->n_arg < 2; i++) {
            if (argv[i][0] != '-') {
                cli->arg[cli->n_arg++] = argv[i];
            }
        }
        return ASSAY_OK;
    }
    if (argv[1][0] == '-') {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "\"%s\" stands before the verb", argv[1]);
        assay_error_next(&cli->err, "write assay VERB %s; \"assay help\" lists the verbs", argv[1]);
        return ASSAY_USAGE;
    }
    uint32_t n_word = argc > 2 && argv[2][0] != '-' ? 2 : 1, used;
    cli->verb = cli_verb_find((const char *const *)argv + 1, n_word, &used, &cli->err);
    if (!cli->verb) {
        return ASSAY_USAGE;
    }
    assay_status_t status = parse_arguments(cli, argc - 1 - (int)used, argv + 1 + used);
    if (!status && cli->n_arg < cli->verb->min_args) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s needs an argument", cli->verb->name);
        assay_error_next(&cli->err, "usage: assay %s %s", cli->verb->name, cli->verb->arguments);
        return ASSAY_USAGE;
    }
    if (!status) {
        status = check_outputs(cli);
    }
    return status ? status : check_environment(cli);
}

assay_status_t cli_format(cli_t *cli, assay_report_format_t *out_format) {
    static const struct {
        uint8_t flag, format;
    } row[] = {{CLI_JSON, ASSAY_REPORT_JSON},
               {CLI_CSV, ASSAY_REPORT_CSV},
               {CLI_MD, ASSAY_REPORT_MARKDOWN},
               {CLI_SARIF, ASSAY_REPORT_SARIF},
               {CLI_JUNIT, ASSAY_REPORT_JUNIT}};
    uint32_t n = 0;
    *out_format = ASSAY_REPORT_TEXT;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (cli->value[row[i].flag]) {
            *out_format = (assay_report_format_t)row[i].format;
            n++;
        }
    }
    if (n > 1) {
        return assay_error_set(
            &cli->err, ASSAY_USAGE, NULL,
            "one of --json, --csv, --md, --sarif and --junit may be given, not %u", n);
    }
    return ASSAY_OK;
}
