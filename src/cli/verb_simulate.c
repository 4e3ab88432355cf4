#include <string.h>

#include "cli/cli.h"

#include "assay/decide.h"
#include "assay/report_simulate.h"
#include "assay/text.h"

#include "base/banned.h"

#define DEFAULT_REQUESTS 100000u
#define MAX_REQUESTS 1e9
#define TRACE_BYTES ((size_t)256 << 20)

/* 0: all of the job's trace. */
static assay_status_t read_requests(cli_t *cli, const assay_resolved_t *resolved, uint64_t *out) {
    const bool trace = resolved->n_machine > 0 && resolved->serving[0].traffic.trace;
    double requests = trace ? 0 : DEFAULT_REQUESTS;
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

static assay_status_t simulate(cli_t *cli, const assay_serving_candidate_t *c, uint64_t requests,
                               assay_chrome_trace_t *trace, assay_simulated_t *out) {
    assay_sim_result_t *result = assay_arena_alloc(cli->arena, sizeof *result);
    assay_serve_rate_t *rate = assay_arena_alloc(cli->arena, sizeof *rate);
    assay_serve_run_t run = {.requests = requests, .hooks = &cli->hooks};
    if (!result || !rate) {
        return assay_error_memory(&cli->err, NULL);
    }
    *out = (assay_simulated_t){c->machine, c->serving, c->fleet, result, NULL};
    if (cli_has(cli, CLI_FIND_RATE)) {
        out->rate = rate;
        const assay_status_t status = assay_serve_fleet_find_rate(c->machine, c->serving, c->fleet,
                                                                  &run, rate, result, &cli->err);
        if (status || !rate->found || !trace->out) {
            return status;
        }
        run.rate_per_s = rate->rate_per_s;
    }
    if (trace->out) {
        assay_chrome_trace_fleet(trace, c->machine->id,
                                 c->fleet->replicas * c->fleet->way.layout.pp);
        run.stepped = assay_chrome_trace_stepped;
        run.finished = assay_chrome_trace_finished;
        run.ctx = trace;
    }
    return assay_serve_fleet_simulate(cli->arena, c->machine, c->serving, c->fleet, &run, result,
                                      &cli->err);
}

static assay_status_t simulate_all(cli_t *cli, const assay_resolved_t *resolved,
                                   const assay_serving_decision_t *decision,
                                   assay_report_format_t format, assay_chrome_trace_t *trace) {
    assay_simulated_t *item = assay_arena_array(cli->arena, resolved->n_machine, sizeof *item);
    uint64_t requests;
    assay_status_t status = read_requests(cli, resolved, &requests);
    if (!status && !item) {
        status = assay_error_memory(&cli->err, NULL);
    }
    uint32_t n = 0;
    for (uint32_t i = 0; !status && i < decision->n_candidate; i++) {
        if (decision->candidate[i].fleet) {
            status = simulate(cli, &decision->candidate[i], requests, trace, &item[n++]);
        }
    }
    if (!status) {
        status = assay_report_simulated(item, n, format, &cli->report, &cli->out, &cli->err);
    }
    return !status && n == 0 ? ASSAY_NO_FIT : status;
}

assay_status_t cli_run_simulate(cli_t *cli) {
    assay_report_format_t format;
    cli_input_t input;
    assay_serving_decision_t *decision;
    assay_chrome_trace_t trace = {0};
    assay_buf_t steps;
    assay_status_t status = cli_format(cli, &format);
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
    assay_buf_init(&steps, TRACE_BYTES);
    if (cli_has(cli, CLI_CHROME_TRACE)) {
        assay_chrome_trace_begin(&trace, &steps);
    }
    status = status ? status : simulate_all(cli, input.resolved, decision, format, &trace);
    if (!status && trace.out) {
        assay_chrome_trace_end(&trace);
        status = steps.failed ? assay_error_memory(&cli->err, NULL)
                              : assay_file_write(cli->value[CLI_CHROME_TRACE], steps.data, steps.n,
                                                 &cli->err);
    }
    assay_buf_done(&steps);
    return status;
}
