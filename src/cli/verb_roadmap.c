#include <math.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"

#include "assay/decide.h"
#include "assay/decide_image.h"
#include "assay/report_roadmap.h"

#include "base/banned.h"

#define SECONDS_PER_DAY 86400
#define MAX_TEAM 1000

static assay_status_t read_start(cli_t *cli, assay_day_t *out) {
    if (!cli_has(cli, CLI_START)) {
        *out = (assay_day_t)(time(NULL) / SECONDS_PER_DAY);
        return ASSAY_OK;
    }
    if (assay_day_parse(cli->value[CLI_START], out)) {
        return ASSAY_OK;
    }
    assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--start is '%s', expected a date",
                    cli->value[CLI_START]);
    assay_error_next(&cli->err, "write it as 2026-12-01");
    return ASSAY_USAGE;
}

/* Who port: those the job trains, unless the command line says how many. */
static assay_status_t read_team(cli_t *cli, const assay_resolved_t *resolved, uint32_t *out) {
    const char *text = cli->value[CLI_TEAM];
    uint64_t team = (uint64_t)fmax(1, resolved->money.engineers);
    if (cli_has(cli, CLI_TEAM) &&
        (!assay_text_to_u64(text, strlen(text), &team) || team == 0 || team > MAX_TEAM)) {
        return assay_error_set(&cli->err, ASSAY_USAGE, NULL, "--team is '%s', expected 1 to %d",
                               text, MAX_TEAM);
    }
    *out = (uint32_t)(team > MAX_TEAM ? MAX_TEAM : team);
    return ASSAY_OK;
}

/* Predicted work of each candidate's card, all dies of it; 0: it does not fit. */
static assay_status_t find_speeds(cli_t *cli, const cli_input_t *input, double *out,
                                  double *out_cost) {
    const assay_resolved_t *resolved = input->resolved;
    if (resolved->kind == ASSAY_WORK_SERVE) {
        assay_serving_decision_t *decision;
        const assay_status_t status = assay_decide_serving(
            cli->arena, resolved, input->dir, input->n_dir, &cli->hooks, &decision, &cli->err);
        for (uint32_t i = 0; !status && i < resolved->n_machine; i++) {
            const assay_serving_candidate_t *c = &decision->candidate[i];
            const double dies = resolved->machine[i].devices_per_package;
            out[i] = c->fleet ? dies * c->fleet->output_tokens_per_s_per_device : 0;
            out_cost[i] = c->fleet ? c->point.tco_usd : (double)INFINITY;
        }
        return status;
    }
    if (resolved->kind == ASSAY_WORK_IMAGE) {
        assay_image_decision_t *decision;
        const assay_status_t status = assay_decide_images(
            cli->arena, resolved, input->dir, input->n_dir, &cli->hooks, &decision, &cli->err);
        for (uint32_t i = 0; !status && i < resolved->n_machine; i++) {
            const assay_image_candidate_t *c = &decision->candidate[i];
            const double dies = resolved->machine[i].devices_per_package;
            out[i] = c->fits ? dies * c->fleet.images_per_s_per_device : 0;
            out_cost[i] = c->fits ? c->point.tco_usd : (double)INFINITY;
        }
        return status;
    }
    assay_decision_t *decision;
    const assay_status_t status = assay_decide(cli->arena, resolved, input->dir, input->n_dir,
                                               &cli->hooks, &decision, &cli->err);
    for (uint32_t i = 0; !status && i < resolved->n_machine; i++) {
        const assay_candidate_t *c = &decision->candidate[i];
        out[i] = c->fits ? c->plan.best.tokens_per_s * c->machine->devices_per_package /
                               c->machine->devices
                         : 0;
        out_cost[i] = c->fits ? c->point.job_usd : (double)INFINITY;
    }
    return status;
}

/* The cheapest candidate that moves, or that stays; NULL: none. */
static const assay_machine_t *cheapest(const assay_resolved_t *resolved, const double *cost,
                                       bool moves) {
    const assay_machine_t *best = NULL;
    for (uint32_t i = 0; i < resolved->n_machine; i++) {
        const assay_machine_t *machine = &resolved->machine[i];
        if (machine->needs_migration == moves &&
            (!best || cost[i] < cost[best - resolved->machine])) {
            best = machine;
        }
    }
    return best;
}

static assay_status_t write_picture(cli_t *cli, const assay_roadmap_t *map) {
    assay_buf_t svg;
    assay_buf_init(&svg, (size_t)1 << 20);
    assay_status_t status = assay_report_roadmap_svg(map, &cli->report, &svg, &cli->err);
    if (!status) {
        status = assay_file_write(cli->value[CLI_SVG], svg.data, svg.n, &cli->err);
    }
    assay_buf_done(&svg);
    return status;
}

assay_status_t cli_run_roadmap(cli_t *cli) {
    assay_report_format_t format;
    cli_input_t input;
    assay_roadmap_case_t of = {.unit = "tokens/s"};
    assay_roadmap_t *map;
    assay_status_t status = cli_format(cli, &format);
    status = status ? status : read_start(cli, &of.start);
    status = status ? status : cli_read(cli, &input);
    status = status ? status : read_team(cli, input.resolved, &of.team);
    if (status) {
        return status;
    }
    const assay_resolved_t *resolved = of.resolved = input.resolved;
    double *speed = assay_arena_array(cli->arena, 2 * (size_t)resolved->n_machine, sizeof *speed);
    if (!speed) {
        return assay_error_memory(&cli->err, NULL);
    }
    double *cost = speed + resolved->n_machine;
    cli_progress_start(cli);
    status = find_speeds(cli, &input, speed, cost);
    if (status) {
        return status;
    }
    of.seed = resolved->seed;
    of.target = cheapest(resolved, cost, true);
    of.reference = cheapest(resolved, cost, false);
    if (!of.target) {
        assay_error_set(&cli->err, ASSAY_INPUT, NULL, "no candidate needs a migration");
        assay_error_next(&cli->err, "a candidate of another vendor does, or one with "
                                    "needs_migration: true");
        return ASSAY_INPUT;
    }
    of.target_per_s = speed[of.target - resolved->machine];
    of.reference_per_s = of.reference ? speed[of.reference - resolved->machine] : 0;
    status = assay_roadmap(cli->arena, &of, input.dir, input.n_dir, &map, &cli->err);
    if (!status && cli_has(cli, CLI_SVG)) {
        status = write_picture(cli, map);
    }
    return status ? status : assay_report_roadmap(map, format, &cli->report, &cli->out, &cli->err);
}
