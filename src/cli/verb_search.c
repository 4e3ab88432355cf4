#include "cli/cli.h"

#include "assay/plan.h"

#include "base/banned.h"

assay_status_t cli_run_search(cli_t *cli) {
    assay_report_format_t format;
    cli_input_t input;
    assay_status_t status = cli_format(cli, &format);
    if (!status) {
        status = cli_read(cli, &input);
    }
    if (status) {
        return status;
    }
    const assay_resolved_t *resolved = input.resolved;
    if (resolved->kind == ASSAY_WORK_SERVE) {
        return cli_decide_serving(cli, &input, format);
    }
    assay_plan_t *plan = assay_arena_array(cli->arena, resolved->n_machine, sizeof *plan);
    if (!plan) {
        return assay_error_memory(&cli->err, NULL);
    }
    bool found = false;
    cli_progress_start(cli);
    for (uint32_t i = 0; i < resolved->n_machine; i++) {
        assay_plan_options_t options = assay_plan_defaults();
        options.pin = resolved->pin[i];
        options.hooks = &cli->hooks;
        status = assay_plan_search(cli->arena, &resolved->machine[i], &resolved->workload, &options,
                                   &plan[i], &cli->err);
        if (status) {
            return status;
        }
        found = found || plan[i].found;
    }
    status = assay_report_search(resolved, plan, format, &cli->report, &cli->out, &cli->err);
    if (status) {
        return status;
    }
    return found ? ASSAY_OK : ASSAY_NO_FIT;
}
