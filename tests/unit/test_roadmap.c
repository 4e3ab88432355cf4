#include "arena_fixture.h"
#include "assay_test.h"

#include "assay/roadmap.h"

static assay_roadmap_t *plan(double level_days, uint32_t team) {
    static assay_resolved_t resolved;
    static assay_machine_t target, reference;
    resolved = (assay_resolved_t){.seed = 1};
    for (int k = 0; k < 3; k++) {
        resolved.money.level_days[k] = assay_fact_exact(level_days, "test");
    }
    resolved.money.labour_usd_per_day = 800;
    resolved.money.training_h_per_engineer = 80;
    resolved.money.engineers = 2;
    resolved.money.debt_days_per_year = 15;
    resolved.money.contingency = assay_fact_exact(0.05, "test");
    target = (assay_machine_t){.id = "amd"};
    reference = (assay_machine_t){.id = "nvidia"};
    const assay_roadmap_case_t of = {.resolved = &resolved,
                                     .target = &target,
                                     .reference = &reference,
                                     .target_per_s = 900,
                                     .reference_per_s = 1000,
                                     .unit = "tokens/s",
                                     .team = team,
                                     .seed = 1};
    assay_roadmap_t *map = NULL;
    assay_error_t err;
    assert_int_equal(assay_roadmap(arena, &of, NULL, 0, &map, &err), ASSAY_OK);
    return map;
}

/* Little work: the article's weeks decide. 1-2, 2-4, 4-6, 8-12 and 4 weeks, each uniform: mean
   1.5 + 3 + 5 + 10 + 4 = 23.5, between 19 and 28. */
static void little_work_takes_the_weeks_of_the_article(void **state) {
    (void)state;
    const assay_roadmap_t *map = plan(1, 2);
    assert_int_equal(map->n_phase, 6);
    assay_test_close(map->weeks.p50, 23.5, 0.01, 0, "weeks");
    assert_true(map->weeks.p10 > 19 && map->weeks.p90 < 28);
    /* 3 levels of a day, and 2 x 80 h of training */
    assay_test_close(map->days.p50, 3 + 20, 1e-9, 0, "person-days");
    assay_test_close(map->usd, 23 * 800.0, 1e-9, 0, "cost");
    assay_test_close(map->contingency_usd, 0.05 * 23 * 800, 1e-9, 0, "reserve");
    assay_test_close(map->debt_usd_per_year, 15 * 800.0, 1e-9, 0, "a year");
    double usd = 0, days = 0;
    for (uint32_t i = 0; i < map->n_phase; i++) {
        usd += map->phase[i].endless ? 0 : map->phase[i].usd;
        days += map->phase[i].endless ? 0 : map->phase[i].total_days.p50;
        assert_true(i == 0 || map->phase[i].start == map->phase[i - 1].end.p50);
    }
    assay_test_close(usd, map->usd, 1e-12, 0, "phases sum to the whole");
    assay_test_close(days, map->days.p50, 1e-12, 0, "so do their days");
}

/* Much work: 1000 days a level. Of one person: feasibility .1 + .05 = 150 days, 30 weeks; skills 20
   days, 4 weeks; prototype .9 + .4 + .2 = 1500, 300; migration 1200, 240; production 150, 30. */
static void much_work_takes_as_long_as_it_takes_the_team(void **state) {
    (void)state;
    assay_test_close(plan(1000, 1)->weeks.p50, 30 + 4 + 300 + 240 + 30, 1e-3, 0, "one");
    assay_test_close(plan(1000, 4)->weeks.p50, (30 + 300 + 240 + 30) / 4.0 + 3, 0.02, 0, "four");
}

/* 85 % of 1000 and of 900. */
static void gates_are_figures(void **state) {
    (void)state;
    const assay_roadmap_t *map = plan(1, 2);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < map->n_phase; i++) {
        for (uint32_t k = 0; k < map->phase[i].n_gate; k++) {
            const assay_gate_t *gate = &map->phase[i].gate[k];
            if (strcmp(gate->id, "speed") == 0) {
                assay_test_close(gate->value, 850, 1e-12, 0, "of the reference");
                seen++;
            } else if (strcmp(gate->id, "benchmark") == 0) {
                assay_test_close(gate->value, 765, 1e-12, 0, "of the prediction");
                seen++;
            }
        }
    }
    assert_int_equal(seen, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_work_takes_the_weeks_of_the_article),
        cmocka_unit_test(much_work_takes_as_long_as_it_takes_the_team),
        cmocka_unit_test(gates_are_figures),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
