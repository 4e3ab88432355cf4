/* Every format on one decision, filled by hand: the contract's keys, no NaN, no overlong line,
   nothing of a hostile name taken as markup. */
#include <jansson.h>
#include <stdio.h>

#include "assay/csv.h"
#include "assay/report.h"
#include "assay/run.h"
#include "decision_fixture.h"

static fixture_t fixture;

/** The report; the caller frees it. */
static assay_buf_t report(assay_report_format_t format) {
    assay_buf_t buf;
    assay_buf_init(&buf, 8u << 20);
    assert_int_equal(assay_report_decision(&fixture.decision, format, NULL, &buf, NULL), ASSAY_OK);
    assert_true(buf.n > 0 && buf.data[buf.n] == '\0');
    return buf;
}

static int reset(void **state) {
    (void)state;
    fixture_init(&fixture);
    return 0;
}

/** An object has exactly these members first, in this order; more may follow. */
static void check_first_keys(json_t *object, const char *const *key, size_t n) {
    assert_true(json_is_object(object));
    void *at = json_object_iter(object);
    for (size_t i = 0; i < n; i++) {
        assert_non_null(at);
        assert_string_equal(json_object_iter_key(at), key[i]);
        at = json_object_iter_next(object, at);
    }
}

static double number(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static json_t *parse(const assay_buf_t *buf) {
    json_error_t error;
    json_t *root = json_loadb(buf->data, buf->n, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    return root;
}

static void json_keeps_the_contract(void **state) {
    (void)state;
    static const char *const top[] = {"verdict", "candidates", "flips", "reasons", "rules"};
    static const char *const later[] = {"assumptions", "warnings", "fx"};
    static const char *const verdict[] = {"choice", "probability", "regret_usd", "sentence"};
    static const char *const candidate[] = {"id",
                                            "layout",
                                            "step_time_s",
                                            "tokens_per_s",
                                            "mfu",
                                            "days",
                                            "energy_kwh",
                                            "cost_total_usd",
                                            "cost_per_epoch_usd",
                                            "tco_usd",
                                            "tco_p10_usd",
                                            "tco_p90_usd",
                                            "memory_bytes",
                                            "basis"};
    assay_buf_t buf = report(ASSAY_REPORT_JSON);
    json_t *root = parse(&buf);
    check_first_keys(root, top, sizeof top / sizeof top[0]);
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        assert_non_null(json_object_get(root, later[i]));
    }
    check_first_keys(json_object_get(root, "verdict"), verdict, 4);
    json_t *list = json_object_get(root, "candidates");
    assert_int_equal(json_array_size(list), 3);
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < sizeof candidate / sizeof candidate[0]; i++) {
            assert_non_null(json_object_get(json_array_get(list, c), candidate[i]));
        }
    }
    json_t *first = json_array_get(list, 0);
    assay_test_close(number(first, "step_time_s"), FIXTURE_STEP_S, 0.0, 0.0, "step");
    assay_test_close(number(first, "memory_bytes"), FIXTURE_MEMORY_BYTES, 0.0, 0.0, "memory");
    /* bit-equal: the shortest text that reads back to the same number */
    assay_test_close(number(first, "cost_total_usd"), fixture.candidate[0].point.job_usd, 0.0, 0.0,
                     "cost");
    assert_true(json_is_null(json_object_get(json_array_get(list, 2), "step_time_s")));
    assert_true(json_is_null(json_object_get(json_array_get(list, 2), "cost_total_usd")));
    json_t *flip = json_array_get(json_object_get(root, "flips"), 2);
    assert_true(json_is_null(json_object_get(flip, "flip"))); /* it does not flip */
    assert_null(strstr(buf.data, "nan"));
    assert_null(strstr(buf.data, "inf"));
    json_decref(root);
    assay_buf_done(&buf);
}

static double sum_of(json_t *object) {
    double sum = 0.0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        sum += json_number_value(value);
    }
    return sum;
}

static void json_parts_sum_to_totals(void **state) {
    (void)state;
    assay_buf_t buf = report(ASSAY_REPORT_JSON);
    json_t *root = parse(&buf);
    json_t *list = json_object_get(root, "candidates");
    for (size_t c = 0; c < 2; c++) {
        json_t *item = json_array_get(list, c);
        assay_test_close(sum_of(json_object_get(item, "time_s")), number(item, "step_time_s"),
                         1e-12, 0.0, "time");
        assay_test_close(sum_of(json_object_get(item, "cost_terms_usd")),
                         number(item, "cost_total_usd"), 1e-12, 0.0, "cost");
        assay_test_close(sum_of(json_object_get(item, "tco_terms_usd")), number(item, "tco_usd"),
                         1e-12, 0.0, "TCO");
        assay_test_close(sum_of(json_object_get(item, "memory_peak_parts_bytes")),
                         number(item, "memory_bytes"), 1e-12, 0.0, "memory");
    }
    json_decref(root);
    assay_buf_done(&buf);
}

static void json_of_nothing_fits(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        fixture.candidate[c].eligible = fixture.candidate[c].meets_deadline = false;
    }
    fixture.decision.choice = fixture.decision.runner_up = -1;
    assay_buf_t buf = report(ASSAY_REPORT_JSON);
    json_t *root = parse(&buf);
    json_t *verdict = json_object_get(root, "verdict");
    assert_true(json_is_null(json_object_get(verdict, "choice")));
    assert_true(json_is_null(json_object_get(verdict, "probability")));
    json_decref(root);
    assay_buf_done(&buf);
}

static void reports_are_repeatable(void **state) {
    (void)state;
    for (int format = ASSAY_REPORT_TEXT; format <= ASSAY_REPORT_HTML; format++) {
        assay_buf_t a = report((assay_report_format_t)format);
        assay_buf_t b = report((assay_report_format_t)format);
        assert_int_equal(a.n, b.n);
        assert_memory_equal(a.data, b.data, a.n);
        assay_buf_done(&a);
        assay_buf_done(&b);
    }
}

/** No line is wider, and nothing but the writer's own colours reaches the terminal. */
static void check_text(const char *text, size_t width, bool colour) {
    while (*text) {
        const size_t n = strcspn(text, "\n");
        char line[1024];
        size_t kept = 0;
        assert_true(n < sizeof line);
        for (size_t i = 0; i < n; i++) {
            if (text[i] == '\x1b') {
                assert_true(colour);
                i += strcspn(text + i, "m");
                continue;
            }
            assert_true((unsigned char)text[i] >= 0x20);
            line[kept++] = text[i];
        }
        line[kept] = '\0';
        if (assay_text_columns(line) > width) {
            fail_msg("%zu columns: %s", assay_text_columns(line), line);
        }
        text += n + (text[n] == '\n');
    }
}

static void text_fits_its_width(void **state) {
    (void)state;
    static const uint32_t width[] = {0, 100, 120};
    for (size_t i = 0; i < sizeof width / sizeof width[0]; i++) {
        const assay_report_options_t options = {.colour = i == 1, .width = width[i]};
        assay_buf_t buf;
        assay_buf_init(&buf, 1u << 20);
        assert_int_equal(
            assay_report_decision(&fixture.decision, ASSAY_REPORT_TEXT, &options, &buf, NULL),
            ASSAY_OK);
        check_text(buf.data, width[i] ? width[i] : 100, options.colour);
        assay_buf_done(&buf);
    }
}

static void text_breaks_words_that_are_too_long(void **state) {
    (void)state;
    char word[400];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    memcpy(word + 200, "\xe6\x88\x91\xe6\x88\x91", 6); /* two wide characters */
    fixture.decision.sentence = word;
    fixture.machine[2].id = word;
    fixture.note[0].subject = word;
    fixture.rule[0].evidence = word;
    assay_buf_t buf = report(ASSAY_REPORT_TEXT);
    check_text(buf.data, 100, false);
    assert_int_equal(assay_text_utf8_bad(buf.data, buf.n), buf.n);
    assay_buf_done(&buf);
}

static void text_is_in_order(void **state) {
    (void)state;
    static const char *const part[] = {"Choose 8x-mi250x-oam",
                                       "Cost of the job, and TCO over 3 years at 9 %",
                                       "> 8x-mi250x-oam",
                                       "does not fit:",
                                       "\nWhy\n",
                                       "Where the answer flips",
                                       "Rules of thumb",
                                       "unknown: give team.hip_ci",
                                       "Warnings",
                                       "Assumptions and their sources",
                                       "Uptime"};
    fixture.note[0].source = "Uptime";
    assay_buf_t buf = report(ASSAY_REPORT_TEXT);
    const char *at = buf.data;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        at = strstr(at, part[i]);
        if (!at) {
            fail_msg("not there, or not in order: %s", part[i]);
        }
    }
    assay_buf_done(&buf);
}

static void csv_has_one_row_a_candidate(void **state) {
    (void)state;
    assay_buf_t buf = report(ASSAY_REPORT_CSV);
    assay_arena_t *arena = assay_arena_create(1u << 20);
    assay_csv_t csv;
    assert_int_equal(assay_csv_parse(arena, "report", buf.data, buf.n, &csv, NULL), ASSAY_OK);
    assert_int_equal(csv.n_rows, 3);
    const int cost = assay_csv_column(&csv, "cost_total_usd");
    const int choice = assay_csv_column(&csv, "choice");
    assert_true(cost >= 0 && choice >= 0);
    const char *cell = assay_csv_cell(&csv, 1, cost);
    double value;
    assert_true(assay_text_to_double(cell, strlen(cell), &value));
    assay_test_close(value, fixture.candidate[1].point.job_usd, 0.0, 0.0, "cost");
    assert_string_equal(assay_csv_cell(&csv, 1, choice), "true");
    assert_string_equal(assay_csv_cell(&csv, 2, cost), ""); /* unknown */
    assert_string_equal(assay_csv_cell(&csv, 2, assay_csv_column(&csv, "candidate")),
                        fixture.machine[2].id);
    assay_arena_destroy(arena);
    assay_buf_done(&buf);
}

/* Rows add up to the candidate's total; ids stay what they are; no cell is a formula. */
static void focus_has_one_row_a_cost(void **state) {
    (void)state;
    fixture.machine[0].id = "=HYPERLINK(1)";
    assay_buf_t buf = report(ASSAY_REPORT_FOCUS);
    assay_arena_t *arena = assay_arena_create(1u << 20);
    assay_csv_t csv;
    assert_int_equal(assay_csv_parse(arena, "report", buf.data, buf.n, &csv, NULL), ASSAY_OK);
    const int id = assay_csv_column(&csv, "ResourceId");
    const int cost = assay_csv_column(&csv, "EffectiveCost");
    const int currency = assay_csv_column(&csv, "BillingCurrency");
    double sum = 0.0;
    for (uint32_t row = 0; row < csv.n_rows; row++) {
        double value;
        const char *cell = assay_csv_cell(&csv, row, cost);
        assert_true(assay_text_to_double(cell, strlen(cell), &value));
        const bool first = strcmp(assay_csv_cell(&csv, row, id), "'=HYPERLINK(1)") == 0;
        assert_true(first || strcmp(assay_csv_cell(&csv, row, id), fixture.machine[1].id) == 0);
        sum += first ? value : 0.0;
        assert_string_equal(assay_csv_cell(&csv, row, currency), "USD");
    }
    assay_test_close(sum, fixture.candidate[0].point.job_usd, 1e-12, 0.0, "sum of the terms");
    assay_arena_destroy(arena);
    assay_buf_done(&buf);
}

static void markdown_takes_nothing_for_markup(void **state) {
    (void)state;
    assay_buf_t buf = report(ASSAY_REPORT_MARKDOWN);
    /* every "<" is escaped, as an entity or with a backslash */
    for (const char *at = strchr(buf.data, '<'); at; at = strchr(at + 1, '<')) {
        assert_true(at > buf.data && at[-1] == '\\');
    }
    assert_non_null(strstr(buf.data, "| candidate | job [MUSD] |"));
    assay_buf_done(&buf);
}

/** Elements are closed in order; attributes are quoted. */
static void check_tags(const char *html) {
    static const char *const is_void[] = {"meta", "br"};
    const char *open[64];
    size_t length[64], depth = 0;
    for (const char *at = strchr(html, '<'); at; at = strchr(at, '<')) {
        const char *name = at + 1;
        const bool closing = *name == '/', declaration = *name == '!';
        name += closing;
        const size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
        const char *end = name;
        for (bool quoted = false; *end && (quoted || *end != '>'); end++) {
            quoted ^= *end == '"';
            assert_true(quoted || *end != '<');
        }
        assert_true(*end == '>');
        at = end + 1;
        if (declaration || end[-1] == '/') {
            continue;
        }
        assert_true(n > 0);
        bool skip = false;
        for (size_t i = 0; i < sizeof is_void / sizeof is_void[0]; i++) {
            skip |= strlen(is_void[i]) == n && memcmp(is_void[i], name, n) == 0;
        }
        if (skip) {
            continue;
        }
        if (closing) {
            assert_true(depth > 0);
            depth--;
            if (length[depth] != n || memcmp(open[depth], name, n) != 0) {
                fail_msg("</%.*s> closes <%.*s>", (int)n, name, (int)length[depth], open[depth]);
            }
        } else {
            assert_true(depth < 64);
            open[depth] = name;
            length[depth++] = n;
        }
        if (!closing && n == 5 && memcmp(name, "style", n) == 0) {
            at = strstr(at, "</style>");
            assert_non_null(at);
        }
    }
    assert_int_equal(depth, 0);
}

static uint32_t occurrences(const char *text, const char *what) {
    uint32_t n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
        n++;
    }
    return n;
}

static void html_is_well_formed_and_self_contained(void **state) {
    (void)state;
    assay_buf_t buf = report(ASSAY_REPORT_HTML);
    check_tags(buf.data);
    assert_null(strstr(buf.data, "<script"));
    assert_non_null(strstr(buf.data, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    /* the only address is the note's source, as text */
    assert_int_equal(occurrences(buf.data, "https://"), 1);
    assert_non_null(strstr(buf.data, ">https://example.org/pue, 2024</span>"));
    assert_int_equal(occurrences(buf.data, "http://"), 0);
    static const char *const network[] = {"src=", "href=", "url(", "@import"};
    for (size_t i = 0; i < sizeof network / sizeof network[0]; i++) {
        assert_null(strstr(buf.data, network[i]));
    }
    /* each drawing is named, described and repeated as a table */
    const uint32_t charts = occurrences(buf.data, "<svg ");
    assert_int_equal(charts, 8);
    assert_int_equal(occurrences(buf.data, "role=\"img\""), charts);
    assert_int_equal(occurrences(buf.data, "<desc "), charts);
    assert_int_equal(occurrences(buf.data, "<details>"), charts);
    assert_null(strstr(buf.data, "nan"));
    assay_buf_done(&buf);
}

static void html_of_hard_cases(void **state) {
    (void)state;
    /* nothing fits; then no work is asked: no choice, no money of a job, no chart of either */
    fixture.decision.choice = fixture.decision.runner_up = -1;
    fixture.candidate[0] = fixture.candidate[1] = fixture.candidate[2];
    assay_buf_t buf = report(ASSAY_REPORT_HTML);
    check_tags(buf.data);
    assay_buf_done(&buf);
    fixture_init(&fixture);
    fixture.resolved.workload.tokens = 0.0;
    fixture.decision.n_flip = fixture.decision.n_reason = fixture.decision.n_rule = 0;
    fixture.decision.n_note = 0;
    buf = report(ASSAY_REPORT_HTML);
    check_tags(buf.data);
    assert_null(strstr(buf.data, "nan"));
    assay_buf_done(&buf);
    fixture_init(&fixture);
    fixture.resolved.workload.epochs = 2.0;
    fixture.candidate[0].eligible = fixture.candidate[0].meets_deadline = false;
    fixture.resolved.workload.deadline_s = 86400.0;
    buf = report(ASSAY_REPORT_HTML);
    check_tags(buf.data);
    assert_non_null(strstr(buf.data, "misses the deadline"));
    assay_buf_done(&buf);
}

static void charts_show_the_choice_among_many(void **state) {
    (void)state;
    enum { N = 12 };
    assay_candidate_t candidate[N];
    assay_machine_t machine[N];
    char id[N][24];
    for (int i = 0; i < N; i++) {
        snprintf(id[i], sizeof id[i], "part-%d", i);
        machine[i] = fixture.machine[i % 2];
        machine[i].id = id[i];
        candidate[i] = fixture.candidate[i % 2];
        candidate[i].machine = &machine[i];
    }
    fixture.decision.candidate = candidate;
    fixture.decision.n_candidate = N;
    fixture.decision.choice = 11;
    fixture.decision.runner_up = 10;
    assay_buf_t buf = report(ASSAY_REPORT_HTML);
    check_tags(buf.data);
    char *chart = strstr(buf.data, "<svg ");
    *strstr(chart, "</svg>") = '\0';
    assert_non_null(strstr(chart, ">part-5<"));
    assert_null(strstr(chart, ">part-6<"));
    assert_non_null(strstr(chart, ">part-10<"));
    assert_non_null(strstr(chart, ">part-11<"));
    assay_buf_done(&buf);
    buf = report(ASSAY_REPORT_HTML);
    assert_non_null(strstr(buf.data, "The charts show 8 of the 12 candidates"));
    assay_buf_done(&buf);
}

static void ownership_that_speaks_against_the_choice_is_told(void **state) {
    (void)state;
    static const char told[] = "8x-a100-pcie-80g costs less to own";
    assay_buf_t buf = report(ASSAY_REPORT_TEXT);
    assert_null(strstr(buf.data, told));
    assay_buf_done(&buf);
    fixture.candidate[1].point.tco_usd = 2.0 * fixture.candidate[0].point.tco_usd;
    buf = report(ASSAY_REPORT_TEXT);
    assert_non_null(strstr(buf.data, told));
    assay_buf_done(&buf);
}

static void break_even_is_where_the_costs_cross(void **state) {
    (void)state;
    /* A: 0 + 10 a job, B: 2 + 6 a job: equal after half of the job (5 = 2 + 3). */
    fixture.candidate[0].point = (assay_money_result_t){.job_usd = 10.0, .one_time_usd = 0.0};
    fixture.candidate[1].point = (assay_money_result_t){.job_usd = 8.0, .one_time_usd = 2.0};
    assay_buf_t buf = report(ASSAY_REPORT_JSON);
    json_t *root = parse(&buf);
    json_t *verdict = json_object_get(root, "verdict");
    assert_string_equal(json_string_value(json_object_get(verdict, "break_even")), "after");
    assay_test_close(number(verdict, "break_even_tokens"), 0.7e12, 1e-12, 0.0, "tokens");
    json_decref(root);
    assay_buf_done(&buf);
}

static void a_full_buffer_leaves_nothing(void **state) {
    (void)state;
    assay_buf_t buf;
    assay_buf_init(&buf, 1000);
    assay_buf_puts(&buf, "before");
    assay_error_t err;
    assert_int_equal(assay_report_decision(&fixture.decision, ASSAY_REPORT_JSON, NULL, &buf, &err),
                     ASSAY_MEMORY);
    assert_string_equal(buf.data, "before");
    assay_buf_done(&buf);
}

static void plans_and_searches(void **state) {
    (void)state;
    const assay_plan_t plan[] = {fixture.candidate[0].plan, fixture.candidate[1].plan,
                                 fixture.candidate[2].plan};
    assay_buf_t buf;
    assay_buf_init(&buf, 1u << 20);
    assert_int_equal(
        assay_report_search(&fixture.resolved, plan, ASSAY_REPORT_JSON, NULL, &buf, NULL),
        ASSAY_OK);
    json_t *root = parse(&buf);
    json_t *list = json_object_get(root, "candidates");
    assert_int_equal(json_array_size(list), 3);
    json_t *best = json_object_get(json_array_get(list, 0), "best");
    assay_test_close(number(best, "step_time_s"), FIXTURE_STEP_S, 0.0, 0.0, "step");
    assert_true(json_is_null(json_object_get(json_array_get(list, 2), "best")));
    json_t *refused = json_object_get(json_array_get(list, 2), "refusals");
    assert_int_equal(json_array_size(refused), 2);
    json_decref(root);
    assay_buf_done(&buf);

    assay_buf_init(&buf, 1u << 20);
    assert_int_equal(
        assay_report_search(&fixture.resolved, plan, ASSAY_REPORT_TEXT, NULL, &buf, NULL),
        ASSAY_OK);
    check_text(buf.data, 100, false);
    assay_buf_done(&buf);

    assay_buf_init(&buf, 1u << 20);
    assay_error_t err;
    assert_int_equal(assay_report_plan(&fixture.machine[0], &fixture.resolved.workload, &plan[0],
                                       ASSAY_REPORT_HTML, NULL, &buf, &err),
                     ASSAY_USAGE);
    assert_int_equal(assay_report_decision(&fixture.decision, ASSAY_REPORT_SARIF, NULL, &buf, &err),
                     ASSAY_USAGE);
    assert_int_equal(assay_report_plan(&fixture.machine[0], &fixture.resolved.workload, &plan[0],
                                       ASSAY_REPORT_CSV, NULL, &buf, &err),
                     ASSAY_OK);
    assay_arena_t *arena = assay_arena_create(1u << 20);
    assay_csv_t csv;
    assert_int_equal(assay_csv_parse(arena, "plan", buf.data, buf.n, &csv, NULL), ASSAY_OK);
    assert_int_equal(csv.n_rows, 2); /* the Pareto front */
    assay_arena_destroy(arena);
    assay_buf_done(&buf);
}

static void scores(void **state) {
    (void)state;
    static const char *const top[] = {"rows",
                                      "predicted",
                                      "skipped",
                                      "does_not_fit",
                                      "median_abs_rel_error",
                                      "p90_abs_rel_error",
                                      "macro_median_by_source",
                                      "macro_p90_by_source",
                                      "bias",
                                      "interval_coverage",
                                      "interval_score",
                                      "interval_score_constant",
                                      "ranking",
                                      "groups",
                                      "items"};
    assay_score_group_t group = {"accelerator", "amd-mi250x-128g", 1, 0.12, 0.12, 0.11, 1.0};
    assay_score_item_t item[] = {{.id = "a",
                                  .source = "s",
                                  .metric = "tokens_per_s_per_device",
                                  .unit = "tokens/s",
                                  .measured = 100.0,
                                  .predicted = 112.0,
                                  .p10 = 90.0,
                                  .p90 = 130.0,
                                  .rel_error = 0.12},
                                 {.id = "b, \"quoted\"",
                                  .metric = "mfu",
                                  .unit = "1",
                                  .measured = 0.4,
                                  .skipped = "the row does not say the sequence"}};
    const assay_score_t score = {.rows = 2,
                                 .predicted = 1,
                                 .skipped = 1,
                                 .median_abs_rel_error = 0.12,
                                 .p90_abs_rel_error = 0.12,
                                 .macro_median_by_source = 0.12,
                                 .bias = 0.11,
                                 .interval_coverage = 1.0,
                                 .interval_score = 0.4,
                                 .ranking = {.key = "all"},
                                 .ranking_amd_nvidia = {.key = "AMD-NVIDIA"},
                                 .group = &group,
                                 .n_group = 1,
                                 .item = item,
                                 .n_item = 2};
    assay_buf_t buf;
    assay_buf_init(&buf, 1u << 20);
    assert_int_equal(assay_report_score(&score, ASSAY_REPORT_JSON, NULL, &buf, NULL), ASSAY_OK);
    json_t *root = parse(&buf);
    check_first_keys(root, top, sizeof top / sizeof top[0]);
    json_t *items = json_object_get(root, "items");
    assay_test_close(number(json_array_get(items, 0), "rel_error"), 0.12, 0.0, 0.0, "error");
    assert_null(json_object_get(json_array_get(items, 1), "predicted"));
    assert_non_null(json_object_get(json_array_get(items, 1), "skipped"));
    json_t *ranking = json_object_get(root, "ranking");
    assert_true(json_is_null(json_object_get(ranking, "accuracy"))); /* no pair */
    json_decref(root);
    assay_buf_done(&buf);

    assay_buf_init(&buf, 1u << 20);
    assert_int_equal(assay_report_score(&score, ASSAY_REPORT_TEXT, NULL, &buf, NULL), ASSAY_OK);
    check_text(buf.data, 100, false);
    assert_non_null(strstr(buf.data, "2 rows: 1 predicted, 1 skipped"));
    assay_buf_done(&buf);

    assay_buf_init(&buf, 1u << 20);
    assert_int_equal(assay_report_score(&score, ASSAY_REPORT_CSV, NULL, &buf, NULL), ASSAY_OK);
    assay_arena_t *arena = assay_arena_create(1u << 20);
    assay_csv_t csv;
    assert_int_equal(assay_csv_parse(arena, "score", buf.data, buf.n, &csv, NULL), ASSAY_OK);
    assert_string_equal(assay_csv_cell(&csv, 1, 0), "b, \"quoted\"");
    assay_arena_destroy(arena);
    assay_buf_done(&buf);
}

static uint32_t lacks_phrase(const char *english) {
    if (assay_phrase(ASSAY_LANG_ZH, english) != english) {
        return 0;
    }
    print_error("no Chinese in src/base/phrase_zh_list.h: \"%s\"\n", english);
    return 1;
}

/* What reports take from lists in code is there in Chinese. */
static void names_have_phrases(void **state) {
    (void)state;
    uint32_t bad = 0;
    for (int i = ASSAY_REJECT_NONE + 1; i < ASSAY_REJECT_N; i++) {
        bad += lacks_phrase(assay_reject_sentence((assay_reject_t)i));
    }
    for (int i = 0; i < ASSAY_BASIS_N; i++) {
        bad += lacks_phrase(assay_basis_name((assay_basis_t)i));
    }
    for (int i = 0; i < ASSAY_TERM_N; i++) {
        bad += lacks_phrase(assay_term_what((assay_term_t)i));
    }
    for (int i = 0; i < ASSAY_TIME_N; i++) {
        bad += lacks_phrase(assay_time_part_name((assay_time_part_t)i));
    }
    for (int i = 0; i < ASSAY_MEMORY_N; i++) {
        const char *name = assay_memory_part_name((assay_memory_part_t)i);
        bad += strcmp(name, "logits") == 0 ? 0 : lacks_phrase(name);
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(json_keeps_the_contract, reset),
        cmocka_unit_test_setup(json_parts_sum_to_totals, reset),
        cmocka_unit_test_setup(json_of_nothing_fits, reset),
        cmocka_unit_test_setup(reports_are_repeatable, reset),
        cmocka_unit_test_setup(text_fits_its_width, reset),
        cmocka_unit_test_setup(text_breaks_words_that_are_too_long, reset),
        cmocka_unit_test_setup(text_is_in_order, reset),
        cmocka_unit_test(names_have_phrases),
        cmocka_unit_test_setup(csv_has_one_row_a_candidate, reset),
        cmocka_unit_test_setup(focus_has_one_row_a_cost, reset),
        cmocka_unit_test_setup(markdown_takes_nothing_for_markup, reset),
        cmocka_unit_test_setup(html_is_well_formed_and_self_contained, reset),
        cmocka_unit_test_setup(html_of_hard_cases, reset),
        cmocka_unit_test_setup(charts_show_the_choice_among_many, reset),
        cmocka_unit_test_setup(ownership_that_speaks_against_the_choice_is_told, reset),
        cmocka_unit_test_setup(break_even_is_where_the_costs_cross, reset),
        cmocka_unit_test_setup(a_full_buffer_leaves_nothing, reset),
        cmocka_unit_test_setup(plans_and_searches, reset),
        cmocka_unit_test_setup(scores, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
