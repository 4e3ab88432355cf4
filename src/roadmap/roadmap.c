/* Phases, their work, their dates. */
#include "assay/roadmap.h"

#include <math.h>
#include <string.h>

#include "assay/catalog.h"
#include "assay/csv.h"
#include "assay/dist.h"
#include "assay/rng.h"
#include "assay/text.h"

#include "base/banned.h"

#define PHASES "roadmap.csv"
#define GATES "roadmap_gates.csv"
#define SAMPLES 4096u
#define DAYS_PER_WEEK 7.0
#define WORK_DAYS_PER_WEEK 5.0
#define STREAM 0x726f6164u /* of the draws */
enum { N_LEVEL = 3 };

const char *assay_role_name(assay_role_t role) {
    static const char *const name[ASSAY_ROLE_N] = {"application", "kernels", "platform", "all"};
    return name[role];
}

/* A row of roadmap.csv. */
typedef struct {
    double weeks_low, weeks_high, level[N_LEVEL], training;
} plan_row_t;

static const char *cell(const assay_csv_t *csv, uint32_t row, const char *column) {
    return assay_csv_cell(csv, row, assay_csv_column(csv, column));
}

static assay_status_t read_phase(const assay_csv_t *csv, uint32_t row, assay_phase_t *phase,
                                 plan_row_t *out, assay_error_t *err) {
    const struct {
        const char *column;
        double most, *out;
    } number[] = {{"weeks_low", 520, &out->weeks_low}, {"weeks_high", 520, &out->weeks_high},
                  {"level1", 1, &out->level[0]},       {"level2", 1, &out->level[1]},
                  {"level3", 1, &out->level[2]},       {"training", 1, &out->training}};
    *phase = (assay_phase_t){.id = cell(csv, row, "id"),
                             .name = cell(csv, row, "name"),
                             .rollback = cell(csv, row, "rollback"),
                             .source = cell(csv, row, "source"),
                             .endless = cell(csv, row, "weeks_low")[0] == '\0'};
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        const char *text = cell(csv, row, number[i].column);
        if (phase->endless && i < 2) {
            continue;
        }
        if (!assay_text_to_double(text, strlen(text), number[i].out) ||
            !(*number[i].out >= 0 && *number[i].out <= number[i].most)) {
            return assay_csv_refuse(csv, row, number[i].column,
                                    i < 2 ? "weeks" : "a share from 0 to 1", err);
        }
    }
    return out->weeks_high < out->weeks_low
               ? assay_csv_refuse(csv, row, "weeks_high", "no less than weeks_low", err)
               : ASSAY_OK;
}

/* ---- gates ---- */

/* The figures that a gate can ask for. */
static bool gate_value(const assay_roadmap_case_t *of, const char *measure, double threshold,
                       double *out) {
    if (strcmp(measure, "reference_speed") == 0) {
        *out = threshold * of->reference_per_s;
        return of->reference_per_s > 0;
    }
    if (strcmp(measure, "predicted_speed") == 0) {
        *out = threshold * of->target_per_s;
        return of->target_per_s > 0;
    }
    *out = threshold;
    return strcmp(measure, "share") == 0;
}

static assay_status_t add_gates(const assay_roadmap_case_t *of, const assay_csv_t *csv,
                                assay_phase_t *io, assay_error_t *err) {
    for (uint32_t row = 0; row < csv->n_rows; row++) {
        const char *text = cell(csv, row, "threshold");
        double threshold = 1;
        if (strcmp(cell(csv, row, "phase"), io->id) != 0) {
            continue;
        }
        if (text[0] && (!assay_text_to_double(text, strlen(text), &threshold) || threshold < 0)) {
            return assay_csv_refuse(csv, row, "threshold", "a number, or nothing", err);
        }
        if (io->n_gate == ASSAY_GATE_MAX) {
            return assay_csv_refuse(csv, row, "phase", "a phase with fewer gates", err);
        }
        assay_gate_t *gate = &io->gate[io->n_gate++];
        *gate = (assay_gate_t){.id = cell(csv, row, "id"), .text = cell(csv, row, "text")};
        gate->has_value = gate_value(of, cell(csv, row, "measure"), threshold, &gate->value);
    }
    return ASSAY_OK;
}

/* ---- draws ---- */

typedef struct {
    double weeks[ASSAY_PHASE_MAX][SAMPLES], end[ASSAY_PHASE_MAX][SAMPLES],
        days[ASSAY_PHASE_MAX][SAMPLES], all_weeks[SAMPLES], all_days[SAMPLES];
} draws_t;

static assay_range_t range_of(double value[SAMPLES]) {
    const assay_dist_t dist = assay_dist_of_sample(value, SAMPLES);
    return (assay_range_t){assay_dist_quantile(&dist, .1), assay_dist_quantile(&dist, .5),
                           assay_dist_quantile(&dist, .9)};
}

static assay_dist_t effort_of(const assay_fact_t *days) {
    if (!days->known || !(days->v > 0)) {
        return assay_dist_fixed(0);
    }
    return days->p10 > 0 && days->p10 <= days->v && days->v <= days->p90 && days->p90 > days->p10
               ? assay_dist_lognormal_p10_p50_p90(days->p10, days->v, days->p90)
               : assay_dist_fixed(days->v);
}

static double training_days(const assay_money_input_t *money) {
    return money->training_h_per_engineer * money->engineers / 8;
}

/* One draw: effort of the levels, weeks of the phases, one after another. */
static void draw(const assay_roadmap_t *map, const plan_row_t *plan, uint32_t sample,
                 draws_t *out) {
    const assay_money_input_t *money = &map->of.resolved->money;
    const uint64_t first = (uint64_t)sample * (N_LEVEL + ASSAY_PHASE_MAX);
    double level[N_LEVEL], now = 0, worked = 0;
    for (int k = 0; k < N_LEVEL; k++) {
        const assay_dist_t effort = effort_of(&money->level_days[k]);
        level[k] = assay_dist_quantile(
            &effort, assay_rng_uniform(map->of.seed, STREAM, first + (uint64_t)k));
    }
    for (uint32_t p = 0; p < map->n_phase; p++) {
        double days = plan[p].training * training_days(money);
        for (int k = 0; k < N_LEVEL; k++) {
            days += plan[p].level[k] * level[k];
        }
        const double u = assay_rng_uniform(map->of.seed, STREAM, first + N_LEVEL + p);
        const double weeks =
            map->phase[p].endless
                ? 0
                : fmax(plan[p].weeks_low + u * (plan[p].weeks_high - plan[p].weeks_low),
                       days / WORK_DAYS_PER_WEEK / map->of.team);
        now += DAYS_PER_WEEK * weeks;
        worked += days;
        out->weeks[p][sample] = weeks;
        out->days[p][sample] = days;
        out->end[p][sample] = now;
    }
    out->all_weeks[sample] = now / DAYS_PER_WEEK;
    out->all_days[sample] = worked;
}

static assay_range_t scaled(const assay_fact_t *days, double share) {
    const assay_dist_t effort = effort_of(days);
    return (assay_range_t){share * assay_dist_quantile(&effort, .1),
                           share * assay_dist_quantile(&effort, .5),
                           share * assay_dist_quantile(&effort, .9)};
}

static void settle(assay_roadmap_t *map, const plan_row_t *plan, draws_t *draws) {
    const assay_money_input_t *money = &map->of.resolved->money;
    double start = 0;
    for (uint32_t p = 0; p < map->n_phase; p++) {
        assay_phase_t *phase = &map->phase[p];
        for (int k = 0; k < N_LEVEL; k++) {
            phase->days[k] = scaled(&money->level_days[k], plan[p].level[k]);
        }
        const double training = plan[p].training * training_days(money);
        phase->days[ASSAY_ROLE_ALL] = (assay_range_t){training, training, training};
        phase->start = start;
        if (phase->endless) {
            const double debt = money->debt_days_per_year;
            phase->days[ASSAY_ROLE_PLATFORM] = (assay_range_t){debt, debt, debt};
            phase->total_days = phase->days[ASSAY_ROLE_PLATFORM];
            map->debt_usd_per_year = phase->usd = debt * money->labour_usd_per_day;
            continue;
        }
        phase->weeks = range_of(draws->weeks[p]);
        phase->end = range_of(draws->end[p]);
        phase->total_days = range_of(draws->days[p]);
        phase->usd = phase->total_days.p50 * money->labour_usd_per_day;
        map->usd += phase->usd;
        start = phase->end.p50;
    }
    map->weeks = range_of(draws->all_weeks);
    map->days = range_of(draws->all_days);
    map->contingency_usd = money->contingency.known ? money->contingency.v * map->usd : 0;
}

assay_status_t assay_roadmap(assay_arena_t *arena, const assay_roadmap_case_t *of,
                             const char *const *dir, uint32_t n_dir, assay_roadmap_t **out,
                             assay_error_t *err) {
    assay_csv_t phases, gates;
    plan_row_t plan[ASSAY_PHASE_MAX] = {0};
    assay_roadmap_t *map = assay_arena_alloc(arena, sizeof *map);
    draws_t *draws = assay_arena_alloc(arena, sizeof *draws);
    assay_status_t status = map && draws ? ASSAY_OK : assay_error_memory(err, NULL);
    status = status ? status : assay_data_table_keyed(arena, PHASES, dir, n_dir, &phases, err);
    status = status ? status : assay_data_table_keyed(arena, GATES, dir, n_dir, &gates, err);
    if (status) {
        return status;
    }
    *map = (assay_roadmap_t){.of = *of};
    for (uint32_t row = 0; row < phases.n_rows && !status; row++) {
        if (map->n_phase == ASSAY_PHASE_MAX) {
            return assay_csv_refuse(&phases, row, "id", "fewer phases", err);
        }
        assay_phase_t *phase = &map->phase[map->n_phase];
        status = read_phase(&phases, row, phase, &plan[map->n_phase], err);
        status = status ? status : add_gates(of, &gates, phase, err);
        map->n_phase++;
    }
    if (status) {
        return status;
    }
    for (uint32_t i = 0; i < SAMPLES; i++) {
        draw(map, plan, i, draws);
    }
    settle(map, plan, draws);
    *out = map;
    return ASSAY_OK;
}
