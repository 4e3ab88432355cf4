#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#include "assay/report_doctor.h"
#include "assay/report_fleet.h"

#include "base/banned.h"

#define WORDS_MAX 256u

assay_status_t cli_read_threshold(cli_t *cli, assay_severity_t *out) {
    const char *text = cli->value[CLI_THRESHOLD];
    *out = ASSAY_SEVERITY_WARNING;
    if (!text) {
        return ASSAY_OK;
    }
    for (int i = 0; i < ASSAY_SEVERITY_N; i++) {
        if (strcmp(text, assay_severity_name((assay_severity_t)i)) == 0) {
            *out = (assay_severity_t)i;
            return ASSAY_OK;
        }
    }
    assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--threshold has no severity \"%s\"", text);
    assay_error_next(&cli->err, "use critical, error, warning or info");
    return ASSAY_USAGE;
}

assay_status_t cli_read_words(cli_t *cli, cli_flag_id_t flag, const char *const **out_word,
                              uint32_t *out_n) {
    const char *text = cli->value[flag];
    const char **word = assay_arena_array(cli->arena, WORDS_MAX, sizeof *word);
    *out_n = 0;
    *out_word = word;
    if (!word) {
        return assay_error_memory(&cli->err, NULL);
    }
    while (text && *text) {
        text += strspn(text, ", ");
        const size_t n = strcspn(text, ", ");
        if (n == 0) {
            break;
        }
        if (*out_n == WORDS_MAX) {
            return assay_error_set(&cli->err, ASSAY_LIMIT, NULL, "more than %u checks", WORDS_MAX);
        }
        word[*out_n] = assay_arena_strndup(cli->arena, text, n);
        if (!word[(*out_n)++]) {
            return assay_error_memory(&cli->err, NULL);
        }
        text += n;
    }
    return ASSAY_OK;
}

static assay_status_t explain(cli_t *cli, const assay_host_rules_t *rules,
                              assay_report_format_t format) {
    const char *id = cli->value[CLI_EXPLAIN];
    const assay_check_t *check = assay_host_rules_check(rules, id);
    if (!check) {
        return assay_check_not_found(rules, id, &cli->err);
    }
    return assay_report_check(check, format, &cli->report, &cli->out, &cli->err);
}

assay_status_t cli_read_host(cli_t *cli, const assay_host_rules_t *rules, assay_host_t **out_host) {
    const char *const from = cli->value[CLI_FROM];
    if (!from && cli->n_arg > 0) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "%s takes files after --from only",
                        cli->verb->name);
        assay_error_next(&cli->err, "write: assay %s --from %s", cli->verb->name, cli->arg[0]);
        return ASSAY_USAGE;
    }
    if (!from) {
        return assay_host_read_live(cli->arena, rules, "/", (const char *const *)environ, out_host,
                                    &cli->err);
    }
    const char **path = assay_arena_array(cli->arena, cli->n_arg + 1, sizeof *path);
    if (!path) {
        return assay_error_memory(&cli->err, NULL);
    }
    path[0] = from;
    if (cli->n_arg > 0) {
        memcpy(path + 1, cli->arg, cli->n_arg * sizeof *path);
    }
    return assay_host_read_capture(cli->arena, rules, path, cli->n_arg + 1, out_host, &cli->err);
}

/* Why the answer says nothing about an accelerator; false: it does. */
static bool is_empty(const assay_host_t *host, const assay_diagnosis_t *diagnosis,
                     assay_message_t *out_why) {
    bool any = diagnosis->n_status[ASSAY_CHECK_GOOD] + diagnosis->n_status[ASSAY_CHECK_BAD] > 0;
    for (uint32_t i = 0; i < host->n_source; i++) {
        any |= host->source[i].parser != NULL;
    }
    *out_why = any ? ASSAY_MSG_DOCTOR_NO_ACCELERATOR : ASSAY_MSG_DOCTOR_NOTHING_READ;
    return !any || (host->live && host->pci_seen && host->n_gpu == 0);
}

/* --from names one folder, which is one of hosts. */
static assay_status_t diagnose_fleet(cli_t *cli, const assay_host_rules_t *rules,
                                     const assay_doctor_options_t *options,
                                     assay_report_format_t format) {
    const assay_fleet_t *fleet = NULL;
    cli_progress_start(cli);
    assay_status_t status = assay_fleet_read(cli->arena, rules, cli->value[CLI_FROM], options, 0,
                                             &cli->hooks, &fleet, &cli->err);
    cli_progress_stop(cli);
    if (!status) {
        status = assay_report_fleet(fleet, format, &cli->report, &cli->out, &cli->err);
    }
    if (status) {
        return status;
    }
    return fleet && fleet->n_reached + fleet->n_unread > 0 ? ASSAY_FINDING : ASSAY_OK;
}

static assay_status_t diagnose(cli_t *cli, const assay_host_rules_t *rules,
                               assay_report_format_t format) {
    assay_doctor_options_t options = {.threshold = ASSAY_SEVERITY_WARNING};
    assay_host_t *host;
    assay_diagnosis_t *diagnosis;
    assay_status_t status = cli_read_threshold(cli, &options.threshold);
    if (!status) {
        status = cli_read_words(cli, CLI_ONLY, &options.only, &options.n_only);
    }
    if (!status) {
        status = cli_read_words(cli, CLI_SKIP, &options.skip, &options.n_skip);
    }
    if (!status && cli->n_arg == 0 && cli_has(cli, CLI_FROM) &&
        assay_fleet_is(cli->value[CLI_FROM])) {
        return diagnose_fleet(cli, rules, &options, format);
    }
    if (!status) {
        status = cli_read_host(cli, rules, &host);
    }
    if (!status) {
        status = assay_doctor(cli->arena, rules, host, &options, &diagnosis, &cli->err);
    }
    if (!status) {
        status = assay_report_doctor(diagnosis, format, &cli->report, &cli->out, &cli->err);
    }
    if (status) {
        return status;
    }
    assay_message_t why;
    if (is_empty(host, diagnosis, &why)) {
        return assay_error_set(&cli->err, ASSAY_UNAVAILABLE, NULL, "%s",
                               assay_message(cli->lang, why));
    }
    return diagnosis->reached ? ASSAY_FINDING : ASSAY_OK;
}

/* --compare A B: each a folder, a file or a tree of software. */
static assay_status_t compare(cli_t *cli, const assay_host_rules_t *rules,
                              assay_report_format_t format) {
    const char *path[2] = {cli->value[CLI_COMPARE], cli->n_arg == 1 ? cli->arg[0] : NULL};
    assay_host_t *host[2] = {NULL, NULL};
    assay_comparison_t *comparison;
    assay_status_t status = ASSAY_OK;
    if (!path[1]) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--compare takes two files or folders");
        assay_error_next(&cli->err, "write: assay doctor --compare BEFORE AFTER");
        return ASSAY_USAGE;
    }
    for (int i = 0; !status && i < 2; i++) {
        status = assay_host_read_capture(cli->arena, rules, &path[i], 1, &host[i], &cli->err);
    }
    if (!status) {
        status = assay_host_compare(cli->arena, rules, host[0], host[1], &comparison, &cli->err);
    }
    if (!status) {
        status = assay_report_comparison(comparison, format, &cli->report, &cli->out, &cli->err);
    }
    return status ? status : comparison->n_worse > 0 ? ASSAY_FINDING : ASSAY_OK;
}

assay_status_t cli_run_doctor(cli_t *cli) {
    assay_report_format_t format;
    const char *const *dir;
    uint32_t n_dir;
    const assay_host_rules_t *rules;
    assay_status_t status = cli_format(cli, &format);
    if (!status) {
        status = cli_data_dirs(cli, &dir, &n_dir);
    }
    if (!status) {
        status = assay_host_rules_load(cli->arena, dir, n_dir, cli->lang, &rules, &cli->err);
    }
    if (status) {
        return status;
    }
    if (cli_has(cli, CLI_EXPLAIN)) {
        return explain(cli, rules, format);
    }
    if (cli_has(cli, CLI_LIST)) {
        uint32_t n;
        const assay_check_t *check = assay_host_rules_checks(rules, &n);
        return assay_report_checks(check, n, format, &cli->report, &cli->out, &cli->err);
    }
    return cli_has(cli, CLI_COMPARE) ? compare(cli, rules, format) : diagnose(cli, rules, format);
}
