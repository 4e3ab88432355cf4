#include <string.h>

#include "cli/cli.h"

#include "assay/decide.h"
#include "assay/text.h"

#include "base/banned.h"

#define DEFAULT_REQUESTS 100000u
#define MAX_REQUESTS 1e9

static assay_status_t read_requests(cli_t *cli, uint64_t *out) {
    double requests = DEFAULT_REQUESTS;
    const char *text = cli->value[CLI_REQUESTS];
    if (cli_has(cli, CLI_REQUESTS) && !(assay_text_to_double(text, strlen(text), &requests) &&
                                        requests >= 1 && requests <= MAX_REQUESTS)) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--requests is '%s', expected 1 to 1e9",
                        text);
        return ASSAY_USAGE;
    }
    *out = (uint64_t)requests;
    return ASSAY_OK;
}

assay_status_t cli_run_simulate(cli_t *cli) {
    assay_report_format_t format;
    cli_input_t input;
    assay_serving_decision_t *decision;
    uint64_t requests;
    assay_status_t status = cli_format(cli, &format);
    status = status ? status : read_requests(cli, &requests);
    status = status ? status : cli_read(cli, &input);
    if (status) {
        return status;
    }
    if (input.resolved->kind != ASSAY_WORK_SERVE) {
        assay_error_set(&cli->err, ASSAY_INPUT, NULL, "the job does not serve: nothing arrives");
        assay_error_next(&cli->err, "give workload.serve; \"assay search\" is about training");
        return ASSAY_INPUT;
    }
    cli_progress_start(cli);
    status = assay_decide_serving(cli->arena, input.resolved, input.dir, input.n_dir, &cli->hooks,
                                  &decision, &cli->err);
    assay_simulated_t *item =
        assay_arena_array(cli->arena, input.resolved->n_machine, sizeof *item);
    if (!status && !item) {
        status = assay_error_memory(&cli->err, NULL);
    }
    uint32_t n = 0;
    for (uint32_t i = 0; !status && i < decision->n_candidate; i++) {
        const assay_serving_candidate_t *c = &decision->candidate[i];
        assay_sim_result_t *result = assay_arena_alloc(cli->arena, sizeof *result);
        if (!result) {
            return assay_error_memory(&cli->err, NULL);
        }
        if (c->fleet) {
            status = assay_serve_fleet_simulate(cli->arena, c->machine, c->serving, c->fleet,
                                                requests, &cli->hooks, result, &cli->err);
            item[n++] = (assay_simulated_t){c->machine, c->serving, c->fleet, result};
        }
    }
    if (!status) {
        status = assay_report_simulated(item, n, format, &cli->report, &cli->out, &cli->err);
    }
    if (!status && n == 0) {
        status = ASSAY_NO_FIT;
    }
    return status;
}
