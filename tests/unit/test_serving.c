/* Decisions about serving, from the job to what is written. */
#include "resolve_fixture.h"

#include "assay/decide.h"
#include "assay/report.h"
#include "assay/text.h"
#include "decide/fleet_money.h"

typedef struct {
    const char *model, *engine, *more; /* more: lines of workload.serve */
    const char *h100, *mi300x;         /* USD/h of a node */
    const char *after;                 /* lines of analysis */
} case_t;

static const case_t plain = {"llama-3.1-8b", "vllm-0.10", "", "20", "20", ""};

static assay_serving_decision_t *decide(const case_t *of) {
    assay_serving_decision_t *decision;
    assay_error_t err;
    const char *text = assay_arena_printf(
        arena,
        "assay: 1\nclaims: [seed-b]\nworkload:\n  serve:\n    model: %s\n    engine: %s\n"
        "    input_tokens: 1024\n    output_tokens: 256\n    rate: 40\n    max_model_len: 8192\n%s"
        "candidates:\n  - {system: hgx-h100-8, usd_per_h: %s USD/h}\n"
        "  - {system: 8x-mi300x-oam, usd_per_h: %s USD/h, needs_migration: false}\n"
        "analysis:\n  samples: 500\n%s",
        of->model, of->engine, of->more, of->h100, of->mi300x, of->after);
    assert_non_null(text);
    assert_int_equal(assay_decide_serving(arena, resolve_ok(text), NULL, 0, NULL, &decision, &err),
                     ASSAY_OK);
    return decision;
}

/* Rent of one node for a month of 730.5 hours; nothing else is paid. */
static void a_month_is_rent_around_the_clock(void **state) {
    (void)state;
    const assay_serving_decision_t *d = decide(&plain);
    for (uint32_t i = 0; i < d->n_candidate; i++) {
        const assay_serving_candidate_t *c = &d->candidate[i];
        assert_non_null(c->fleet);
        assay_test_close(c->month_usd, 20 * 730.5 * c->fleet->nodes, 1e-9, 0, "month");
        /* 40 x 256 tokens a second: USD/h / 3600 / (tokens/s) */
        assay_test_close(c->usd_per_million_output,
                         20.0 * c->fleet->nodes / 3600 / (40 * 256) * 1e6, 1e-9, 0, "output");
        /* apart they sum to the same money */
        assay_test_close(1024 * c->usd_per_million_input_apart +
                             256 * c->usd_per_million_output_apart,
                         256 * c->usd_per_million_output, 1e-9, 0, "apart");
        assert_false(c->has_cached);
    }
}

static void dearer_is_never_cheaper(void **state) {
    (void)state;
    case_t dearer = plain;
    dearer.h100 = "30";
    const assay_serving_decision_t *a = decide(&plain), *b = decide(&dearer);
    assert_true(b->candidate[0].month_usd > a->candidate[0].month_usd);
    assert_true(b->candidate[0].p_best <= a->candidate[0].p_best);
    assay_test_close(b->candidate[1].month_usd, a->candidate[1].month_usd, 1e-12, 0, "the other");
}

/* Half of each prompt from the cache: three prices, which sum to the bill. */
static void cached_tokens_have_a_price_of_their_own(void **state) {
    (void)state;
    case_t cached = plain;
    cached.more = "    prefix_share: 0.5\n";
    const assay_serving_decision_t *d = decide(&cached);
    const assay_serving_candidate_t *c = &d->candidate[0];
    assert_true(c->has_cached);
    assert_true(c->usd_per_million_cached_apart > 0);
    assert_true(c->usd_per_million_cached_apart < .2 * c->usd_per_million_input_apart);
    assay_test_close(512 * c->usd_per_million_input_apart + 512 * c->usd_per_million_cached_apart +
                         256 * c->usd_per_million_output_apart,
                     256 * c->usd_per_million_output, 1e-9, 0, "the bill");
}

/* Where the price of the choice flips, both cost the same. */
static void flips_lie_where_costs_are_equal(void **state) {
    (void)state;
    case_t uneven = plain;
    uneven.mi300x = "12";
    const assay_serving_decision_t *d = decide(&uneven);
    assert_int_equal(d->choice, 1);
    bool found = false;
    for (uint32_t i = 0; i < d->n_flip; i++) {
        const assay_flip_t *flip = &d->flip[i];
        if (strcmp(flip->variable, "usd_per_h") == 0 && flip->has_flip &&
            strcmp(flip->candidate, d->candidate[1].machine->id) == 0) {
            /* as many nodes of each: at the other's price */
            assay_test_close(flip->flip * d->candidate[1].fleet->nodes,
                             20.0 * d->candidate[0].fleet->nodes, 1e-3, 0, "price");
            found = true;
        }
    }
    assert_true(found);
}

/* Answers that are too long are not done in 8 s, on one part sooner than on the other: a map has no
   amount where one of them cannot do the work, and says who can. */
static void a_map_says_where_a_candidate_drops_out(void **state) {
    (void)state;
    case_t late = plain;
    late.more = "    slo: {e2e_p99: 8 s}\n";
    late.after = "  map: [\"output_tokens=64:8192\", \"usd_per_h:hgx-h100-8=10:30\"]\n";
    const assay_serving_decision_t *d = decide(&late);
    const assay_map_t *map = d->sensitivity->map;
    uint32_t n[4] = {0};
    for (uint32_t i = 0; i < map->x.n * map->y.n; i++) {
        const double delta = map->delta_usd[i], p = map->p_mover[i];
        const int kind = isnan(delta) ? 0 : isfinite(delta) ? 1 : delta > 0 ? 2 : 3;
        n[kind]++;
        assert_true(kind == 0 ? isnan(p) : p >= 0 && p <= 1.0 + 1e-9);
        assert_true(kind != 2 || p > 1.0 - 1e-9);
        assert_true(kind != 3 || !(p > 0));
    }
    assert_true(n[0] > 0 && n[1] > 0);
    /* longer answers never bring a candidate back */
    for (uint32_t i = 0; i + 1 < map->x.n; i++) {
        assert_true(isfinite(map->delta_usd[i]) || !isfinite(map->delta_usd[i + 1]));
    }
    assert_non_null(strstr(map->sentence, "can do the work"));
}

/* 40 requests/s of 256 tokens are 10,240 tokens/s: a replica that gives 3000 is needed four times,
   one that gives 700 fifteen times, and nothing is drawn about it any more. What was predicted,
   measured, changes nothing; a TPOT that is longer asks for no fewer. */
static void what_was_measured_of_a_replica_counts(void **state) {
    (void)state;
    const assay_serving_decision_t *predicted = decide(&plain);
    const assay_serve_fleet_t *fleet = predicted->candidate[0].fleet;
    const double tokens_per_s = fleet->rate_per_s * 256;
    const struct {
        const char *line;
        uint32_t replicas;
    } row[] = {
        {"tokens_per_s:hgx-h100-8=3000", 4},
        {"tokens_per_s:hgx-h100-8=700", 15},
        {assay_arena_printf(arena, "tokens_per_s:hgx-h100-8=%.6f", tokens_per_s), fleet->replicas},
        {assay_arena_printf(arena, "tpot:hgx-h100-8=%.9f s", fleet->tpot.p50_s), fleet->replicas}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        case_t of = plain;
        of.after = assay_arena_printf(arena, "  measured: [\"%s\"]\n", row[i].line);
        const assay_serving_decision_t *d = decide(&of);
        const assay_serve_fleet_t *now = d->candidate[0].fleet;
        assert_non_null(now);
        if (now->replicas != row[i].replicas) {
            fail_msg("%s: %u replicas, not %u", row[i].line, now->replicas, row[i].replicas);
        }
        assert_int_equal(now->way.layout.tp, fleet->way.layout.tp);
        assay_test_close(now->rel_p10, 1, 1e-12, 0, "known");
        assay_test_close(d->candidate[1].month_usd, predicted->candidate[1].month_usd, 1e-12, 0,
                         "the other");
        for (uint32_t k = 0; k < d->sensitivity->n_input; k++) {
            const assay_input_t *input = &d->sensitivity->input[k];
            assert_true(input->draw != ASSAY_DRAW_STEP_OWN || !input->candidate ||
                        strcmp(input->candidate, "hgx-h100-8") != 0);
        }
    }
    case_t slow = plain;
    slow.after = assay_arena_printf(arena, "  measured: [\"tpot:hgx-h100-8=%.9f s\"]\n",
                                    3 * fleet->tpot.p50_s);
    assert_true(decide(&slow)->candidate[0].fleet->replicas > fleet->replicas);
}

/* Three copies of 1.5 replicas of 2 devices, four of which fill a node of 8, and 0.5 replicas of 4:
   3 x 2 fill two nodes beside one node more; 1.4 times as slow 3 x ceil(2.1) = 9 fill three, and
   ceil(.7) is still one; of one size with the others both stand together. */
static void whole_replicas_fill_whole_nodes(void **state) {
    (void)state;
    const assay_machine_t machine = {.devices_per_node = 8};
    fleet_t fleet = {.machine = &machine,
                     .fits = true,
                     .part = {fleet_part(2, 1.5, 3, 2), fleet_part(1, (double)NAN, 1, 4)},
                     .n_part = 2};
    assay_test_close(fleet.part[1].needed, 0.5, 1e-12, 0, "within the last");
    assay_test_close(fleet_nodes_at(&fleet, 1), 3, 1e-12, 0, "as planned");
    assay_test_close(fleet_nodes_at(&fleet, 1.4), 4, 1e-12, 0, "slower");
    fleet.part[1].devices = 2;
    assay_test_close(fleet_nodes_at(&fleet, 1), 2, 1e-12, 0, "7 of one size");
    assay_test_close(fleet_nodes_at(&fleet, 1e-6), 1, 1e-12, 0, "one of each at least");
}

/* Whatever serves, a fleet has the nodes of its plan at the predicted speed, and never fewer for
   slower steps. */
static void slower_steps_never_need_fewer_nodes(void **state) {
    (void)state;
    static const char *const more[] = {
        "", "    models_per_host: 3\n",
        "    disaggregate: true\n    slo: {ttft_p99: 400 ms, tpot_p99: 15 ms}\n",
        "    disaggregate: true\n    models_per_host: 2\n    slo: {tpot_p99: 12 ms}\n"};
    uint32_t n = 0, n_split = 0;
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++) {
        case_t of = plain;
        of.more = more[k];
        const assay_serving_decision_t *d = decide(&of);
        for (uint32_t c = 0; c < d->n_candidate; c++) {
            assay_serving_candidate_t candidate = d->candidate[c];
            for (uint32_t i = 0; i < candidate.fleets.n_fleet; i++) {
                candidate.fleet = &candidate.fleets.fleet[i];
                if (candidate.fleet->verdict != ASSAY_SERVE_FLEET_FITS) {
                    continue;
                }
                const fleet_t fleet = fleet_of_serving(&candidate);
                assay_test_close(fleet_nodes_at(&fleet, 1), candidate.fleet->nodes, 1e-12, 0,
                                 "nodes of the plan");
                for (double slower = 0.5, before = 1; slower < 2; slower += 1.0 / 64) {
                    const double nodes = fleet_nodes_at(&fleet, slower);
                    assert_true(nodes >= before);
                    before = nodes;
                }
                n++;
                n_split += candidate.fleet->prefill_replicas > 0;
            }
        }
    }
    assert_true(n > 20 && n_split > 2);
}

/* Every argument is one that the table has for that engine and version. */
static void check_line(const char *line, const char *tool, const char *version) {
    assay_csv_t csv;
    assert_int_equal(assay_data_table(arena, "workload_args.csv", NULL, 0, &csv, NULL), ASSAY_OK);
    uint32_t n_checked = 0;
    for (const char *at = strstr(line, " --"); at; at = strstr(at + 1, " --")) {
        const size_t n = strcspn(at + 1, " ");
        bool known = false;
        for (uint32_t row = 0; row < csv.n_rows; row++) {
            const char *name = assay_csv_cell(&csv, row, 1), *range = assay_csv_cell(&csv, row, 2);
            const char *bound = strrchr(range, ' ');
            const int order = bound ? assay_text_version_order(version, bound + 1) : 0;
            const bool in_range = !bound || (strncmp(range, "since", 5) == 0   ? order >= 0
                                             : strncmp(range, "after", 5) == 0 ? order > 0
                                                                               : order <= 0);
            known = known || (strcmp(assay_csv_cell(&csv, row, 0), tool) == 0 &&
                              strlen(name) == n && strncmp(name, at + 1, n) == 0 && in_range);
        }
        if (!known) {
            fail_msg("%s has no %.*s", tool, (int)n, at + 1);
        }
        n_checked++;
    }
    assert_true(n_checked >= 5);
}

static void launch_lines_hold_known_arguments(void **state) {
    (void)state;
    static const struct {
        case_t of;
        const char *tool, *version, *holds;
    } row[] = {
        {{"llama-3.1-8b", "vllm-0.10", "    precision: fp8\n    kv_precision: fp8\n", "20", "20",
          ""},
         "vllm",
         "0.10",
         "--quantization fp8"},
        {{"llama-3.1-8b", "vllm-0.6.3", "    eager: true\n", "20", "20", ""},
         "vllm",
         "0.6.3",
         "--enforce-eager"},
        {{"llama-3.1-8b", "sglang-0.5", "", "20", "20", ""},
         "sglang",
         "0.5",
         "--mem-fraction-static"},
        {{"llama-3.1-8b", "trtllm-1.0", "", "20", "20", ""}, "trtllm", "1.0", "--max_batch_size"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const assay_serving_decision_t *d = decide(&row[i].of);
        const char *line = d->candidate[0].launch;
        assert_non_null(line);
        assert_non_null(strstr(line, row[i].holds));
        check_line(line, row[i].tool, row[i].version);
    }
}

/* The environment is the part's: AMD's advice does not reach NVIDIA's line. */
static void environment_follows_the_vendor(void **state) {
    (void)state;
    const assay_serving_decision_t *d = decide(&plain);
    assert_null(strstr(d->candidate[0].launch, "ROCM"));
    assert_non_null(strstr(d->candidate[1].launch, "VLLM_ROCM_USE_AITER=1"));
}

/* Lines of the terminal fit 100 columns; no format shows what is not a number. */
static void every_format_is_written(void **state) {
    (void)state;
    static const struct {
        assay_report_format_t format;
        const char *holds;
    } row[] = {{ASSAY_REPORT_TEXT, "Where the answer flips"},
               {ASSAY_REPORT_JSON, "\"pareto\""},
               {ASSAY_REPORT_CSV, "usd_per_million_cached_tokens_apart"},
               {ASSAY_REPORT_MARKDOWN, "## "},
               {ASSAY_REPORT_HTML, "chart-pareto"}};
    case_t several = plain;
    several.more = "    precision: [bf16, fp8]\n";
    const assay_serving_decision_t *d = decide(&several);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_buf_t out;
        assay_buf_init(&out, (size_t)64 << 20);
        assert_int_equal(assay_report_serving(d, row[i].format, NULL, &out, NULL), ASSAY_OK);
        assert_non_null(strstr(out.data, row[i].holds));
        assert_null(strstr(out.data, "nan"));
        for (const char *line = out.data; row[i].format == ASSAY_REPORT_TEXT && *line;
             line += strcspn(line, "\n") + 1) {
            if (strcspn(line, "\n") > 100) {
                fail_msg("longer than 100 columns: %.*s", (int)strcspn(line, "\n"), line);
            }
        }
        assay_buf_done(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_month_is_rent_around_the_clock),
        cmocka_unit_test(dearer_is_never_cheaper),
        cmocka_unit_test(cached_tokens_have_a_price_of_their_own),
        cmocka_unit_test(flips_lie_where_costs_are_equal),
        cmocka_unit_test(a_map_says_where_a_candidate_drops_out),
        cmocka_unit_test(what_was_measured_of_a_replica_counts),
        cmocka_unit_test(whole_replicas_fill_whole_nodes),
        cmocka_unit_test(slower_steps_never_need_fewer_nodes),
        cmocka_unit_test(launch_lines_hold_known_arguments),
        cmocka_unit_test(environment_follows_the_vendor),
        cmocka_unit_test(every_format_is_written),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
