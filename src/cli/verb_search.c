#include "cli/cli.h"

#include "assay/emit.h"
#include "assay/plan.h"
#include "assay/report_emit.h"

#include "base/banned.h"

/* What runs the best layout of the only candidate. */
static assay_status_t emit(cli_t *cli, const cli_input_t *input, const assay_plan_t *plan,
                           assay_report_format_t format) {
    const char *name = cli->value[CLI_EMIT];
    const assay_resolved_t *resolved = input->resolved;
    assay_emit_tool_t tool;
    assay_emit_t *emitted;
    if (!assay_emit_parse(name, &tool)) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--emit knows no \"%s\"", name);
        assay_error_next(&cli->err,
                         "give one of megatron, torchtitan, deepspeed, accelerate, sbatch");
        return ASSAY_USAGE;
    }
    if (resolved->n_machine != 1) {
        assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--emit is for one candidate, the job has %u",
                        resolved->n_machine);
        assay_error_next(&cli->err, "choose one with --on");
        return ASSAY_USAGE;
    }
    if (!plan->found) {
        return ASSAY_NO_FIT;
    }
    const assay_emit_case_t of = {&resolved->machine[0], &resolved->workload, &plan->best,
                                  resolved->name};
    const assay_status_t status =
        assay_emit(cli->arena, tool, &of, input->dir, input->n_dir, &emitted, &cli->err);
    return status ? status : assay_report_emit(emitted, format, &cli->out, &cli->err);
}

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
    if (resolved->kind == ASSAY_WORK_IMAGE) {
        return cli_decide_images(cli, &input, format);
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
    if (cli_has(cli, CLI_EMIT)) {
        return emit(cli, &input, plan, format);
    }
    status = assay_report_search(resolved, plan, format, &cli->report, &cli->out, &cli->err);
    if (status) {
        return status;
    }
    return found ? ASSAY_OK : ASSAY_NO_FIT;
}
