/* Claims recomputed. Expected values are worked out in the comments. */
#include "resolve_fixture.h"

#include "assay/audit.h"
#include "assay/csv.h"
#include "audit/claim_set.h"

#include <math.h>
#include <string.h>

#include "base/banned.h"

/* ---- expressions ---- */

static assay_status_t find_none(void *ctx, audit_scope_t *scope, const char *name,
                                const assay_place_t *at, audit_value_t *out, bool *out_known,
                                const char **out_missing, assay_error_t *err) {
    (void)ctx;
    (void)scope;
    (void)out;
    *out_known = false;
    *out_missing = NULL;
    return assay_error_set(err, ASSAY_INPUT, at, "no %s", name);
}

static assay_status_t evaluate(const char *text, audit_value_t *out, assay_error_t *err) {
    audit_scope_t scope = {.arena = arena,
                           .catalog = catalog,
                           .predictions = audit_predictions_create(arena, catalog, NULL, 0),
                           .find = find_none};
    const assay_place_t at = {"test", 1, 1};
    bool known;
    return audit_expression(&scope, text, &at, out, &known, err);
}

static void units_multiply_out(void **state) {
    (void)state;
    static const struct {
        const char *text, *dim;
        double si;
    } row[] = {
        {"1 + 2 * 3 - 4 / 2", "1", 5},
        {"-(2 - 5)^2", "1", -9},
        {"3.2 USD/h / (780 token/s)", "USD/token", 3.2 / 3600 / 780},
        {"0.10 USD/kWh * 1 kW * 1 h", "USD", 0.10},
        {"200 Gbit/s * 1 s", "B", 25e9},
        {"80 GiB", "B", 85899345920.0},
        {"6 * 1e9 * 20e9 FLOP / (312 TFLOPS)", "s", 1.2e20 / 312e12},
        {"8 GPU * 2.5 USD per h", "USD/s", 20.0 / 3600},
        {"21 %", "1", 0.21},
        {"1.4 T", "1", 1.4e12},
        {"0.46 Mtoken", "token", 460000},
        {"min(3 s, 200 ms, 1 h)", "s", 0.2},
        {"max(1, 2)", "1", 2},
        {"sqrt(16 s^2)", "s", 4},
        {"abs(2 - 5)", "1", 3},
        {"ceil(1.02) * 93 kUSD", "USD", 186000},
        {"2 pw", "pd", 10},
        {"0.38 token/s/W", "token/J", 0.38}, /* a watt is J/s: seconds cancel */
        {"'accelerator:nvidia-a100-sxm4-80g:peak_bf16 x8' / 8", "FLOP/s", 312e12},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        audit_value_t value;
        assay_error_t err = {0};
        assert_int_equal(evaluate(row[i].text, &value, &err), ASSAY_OK);
        assay_test_close(value.low, row[i].si, 1e-12, 0, row[i].text);
        assay_test_close(value.high, row[i].si, 1e-12, 0, row[i].text);
        const audit_dim_t dim = value.dim;
        /* named by the bases, with the ones above the line first */
        assert_string_equal(audit_dim_text(arena, &dim), row[i].dim);
    }
}

static void mistakes_name_their_column(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
        uint32_t column;
    } row[] = {
        {"1 s + 2 USD", "s and USD cannot be added", 6},
        {"3 / (1 - 1)", "zero", 4},
        {"2 * (3", "bracket", 7},
        {"2 * ", "expected a number", 5},
        {"2 3", "operator", 3},
        {"5 parsec", "operator", 3},
        {"sqrt(2 s)", "root", 6},
        {"min(1, 2 s)", "like with like", 7},
        {"1e308 * 1e308", "beyond", 8},
        {"'nothing'", "catalog figure", 2},
        {"'accelerator", "quote", 1},
        {"ceil(2 s)", "rounded up", 6},
        {"'default:nothing'", "names no figure", 2},
        {"'calibration:*:nothing'", "names no figure", 2},
        {"'predict:nothing:x'", "names no figure", 2},
        {"'predict:seed-a:nothing:mfu'", "names no figure", 2},
        {"'predict:seed-a:8x-mi250x-oam:nothing'", "names no figure", 2},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        audit_value_t value;
        assay_error_t err = {0};
        assert_int_equal(evaluate(row[i].text, &value, &err), ASSAY_INPUT);
        if (!strstr(err.what, row[i].part) || err.column != row[i].column) {
            fail_msg("\"%s\": column %u: %s", row[i].text, err.column, err.what);
        }
    }
}

static void depth_and_length_are_bounded(void **state) {
    (void)state;
    char text[AUDIT_EXPRESSION_BYTES + 2];
    audit_value_t value;
    assay_error_t err;
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(evaluate(text, &value, &err), ASSAY_LIMIT); /* too long */
    text[AUDIT_EXPRESSION_BYTES] = '\0';
    assert_int_equal(evaluate(text, &value, &err), ASSAY_LIMIT); /* too deep */
    memset(text, '-', AUDIT_EXPRESSION_BYTES);
    assert_int_equal(evaluate(text, &value, &err), ASSAY_INPUT);
}

/* ---- claims files ---- */

static assay_status_t audit(const char *text, assay_audit_t **out, assay_error_t *err) {
    return assay_audit_file(arena, catalog, NULL, 0, "claims.yaml", text, strlen(text), out, err);
}

static const assay_audited_t *one(const char *text) {
    assay_audit_t *result;
    assay_error_t err = {0};
    if (audit(text, &result, &err) != ASSAY_OK) {
        fail_msg("%u:%u: %s; %s", err.line, err.column, err.what, err.next);
    }
    return &result->claim[result->n_claim - 1];
}

static void ranges_follow_interval_arithmetic(void **state) {
    (void)state;
    /* 300 to 350 plus 10 times 1 to 2 is 310 to 370; 350/1 over 300/2 at the ends */
    const assay_audited_t *claim =
        one("quantities: {buy: 300 USD to 350 USD, run: 1 USD/h to 2 USD/h}\n"
            "claims:\n"
            "  - {id: a, claimed: 310 USD to 370 USD, formula: buy + 10 h * run}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_REPRODUCED);
    assay_test_close(claim->computed_low, 310, 1e-12, 0, "low");
    assay_test_close(claim->computed_high, 370, 1e-12, 0, "high");
    claim = one("quantities: {buy: 300 USD to 350 USD, run: 1 USD/h to 2 USD/h}\n"
                "claims:\n"
                "  - {id: a, claimed: 200 h, formula: buy / run}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_REPRODUCED); /* inside 150 to 350 h */
    assay_test_close(claim->computed_low, 150, 1e-12, 0, "low");
    assay_test_close(claim->computed_high, 350, 1e-12, 0, "high");
}

static void slips_are_named(void **state) {
    static const struct {
        const char *claim, *slip;
        double factor;
    } row[] = {
        /* 4 USD/h over 150 token/s is 7.407e-6 USD/token */
        {"claimed: 0.0267 USD/token, formula: 4 USD/h / (150 token/s)", "hours_as_seconds", 3604.5},
        {"claimed: 0.0267 USD/ktoken, formula: 4 USD/h / (150 token/s)", "hours_and_thousand",
         3.6045},
        {"claimed: 8 GB, formula: 8 Gbit", "bits", 8},
        {"claimed: 80 GB, formula: 80 GiB, tolerance: 1 %", "binary_size", 0.93132},
        {"claimed: 28 GB, formula: 7e9 * 2 B", "bytes_of_type", 2},
        {"claimed: 900 GB/s, formula: 450 GB/s", "both_directions", 2},
        {"claimed: 50 FLOP, formula: 100 FLOP", "multiply_adds", 0.5},
        {"claimed: 0.46 Mtoken, formula: 460 Mtoken", "thousand", 0.001},
        {"claimed: 24 h, formula: 24 d", "days", 1 / 24.0},
        {"claimed: 3 USD/s, formula: 3 USD/min", "minutes", 60},
        {"claimed: 21, formula: 21 %", "percent", 100},
        {"claimed: 20 USD/h, formula: 2.5 USD/h * 8 GPU / 8", "devices", 8},
        {"claimed: 1979 TFLOPS, catalog: 'accelerator:nvidia-h100-sxm5-80g:peak_bf16'",
         "sparse_peak", 2},
        {"claimed: 156 TFLOPS, catalog: 'accelerator:nvidia-a100-sxm4-80g:peak_fp32'", "other_type",
         8}, /* TF32 */
        {"claimed: 304, catalog: 'accelerator:amd-mi350x-288g:compute_units'", "other_part",
         304.0 / 256},
        {"claimed: 2.6 token/W, formula: 780 token/s / (300 W)", "dimension", 0},
        {"claimed: 7 USD, formula: 3 USD", NULL, 7.0 / 3},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        (void)state;
        const assay_audited_t *claim =
            one(assay_arena_printf(arena, "claims:\n  - {id: a, %s}\n", row[i].claim));
        assert_int_equal(claim->verdict, ASSAY_VERDICT_CONTRADICTED);
        if (!row[i].slip ? claim->slip != NULL
                         : !claim->slip || strcmp(claim->slip, row[i].slip) != 0) {
            fail_msg("%s: slip %s", row[i].claim, claim->slip ? claim->slip : "none");
        }
        if (row[i].factor > 0) {
            assay_test_close(claim->factor, row[i].factor, 1e-3, 0, row[i].claim);
        }
    }
}

static void input_tokens_are_a_slip(void **state) {
    (void)state;
    /* 4 in flight at 8.4 ms are 476 token/s; 1024 in and 1024 out make 952 of all tokens */
    const assay_audited_t *claim = one("tokens: {input: 1024, output: 1024}\n"
                                       "claims:\n"
                                       "  - {id: a, claimed: 930 token/s, relation: decode_rate,\n"
                                       "     with: {concurrency: '4', tpot: 8.4 ms}}\n");
    assert_string_equal(claim->slip, "input_tokens");
    assert_string_equal(claim->counts, "input+output");
}

static void a_share_above_one_is_no_result(void **state) {
    (void)state;
    const assay_audited_t *claim =
        one("claims:\n"
            "  - {id: a, claimed: 60 %, relation: mfu, with: {achieved: 420 TFLOPS,\n"
            "     peak: 312 TFLOPS}}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_IMPLAUSIBLE);
    assert_false(claim->has_computed);
    assert_false(claim->has_factor);
}

static void what_nobody_states_is_listed(void **state) {
    (void)state;
    const assay_audited_t *claim = one("quantities: {staff: unknown, other: staff * 2}\n"
                                       "claims:\n"
                                       "  - {id: a, claimed: 1 USD, formula: 3 USD + other}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_NOT_REPRODUCIBLE);
    assert_int_equal(claim->n_missing, 1);
    assert_string_equal(claim->missing[0], "staff");
    claim = one("claims:\n"
                "  - {id: a, claimed: 1 USD/token, relation: cost_per_token,\n"
                "     with: {price: 3 USD/h}}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_NOT_REPRODUCIBLE);
    assert_true(strncmp(claim->missing[0], "rate (", 6) == 0);
}

static void bounds_and_partial_sums(void **state) {
    (void)state;
    const assay_audited_t *claim =
        one("claims:\n  - {id: a, claimed: 85 ms, at_least: 128 * 1 token / (780 token/s)}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_IMPLAUSIBLE); /* 164 ms */
    assay_test_close(claim->factor, 0.085 * 780 / 128, 1e-12, 0, "factor");
    claim = one("claims:\n  - {id: a, claimed: 85 ms, at_most: 100 ms}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_REPRODUCED);
    claim = one("claims:\n  - {id: a, claimed: 500 USD, formula: 400 USD, partial: true}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_NOT_REPRODUCIBLE);
    claim = one("claims:\n  - {id: a, claimed: 300 USD, formula: 400 USD, partial: true}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_CONTRADICTED);
}

static void rounding_is_no_contradiction(void **state) {
    (void)state;
    /* 0.7 stands for 0.65 to 0.75: 7 %, more than the tolerance */
    const assay_audited_t *claim = one("claims:\n  - {id: a, claimed: 0.7, formula: 0.66 * 1}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_REPRODUCED);
    claim = one("claims:\n  - {id: a, claimed: '0.70', formula: 0.66 * 1}\n");
    assert_int_equal(claim->verdict, ASSAY_VERDICT_CONTRADICTED);
}

static void wrong_files_say_where(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
        uint32_t line;
    } row[] = {
        {"claims:\n  - {id: a, claimed: 1}\n", "against nothing", 2},
        {"claims:\n  - {id: a, claimed: 1, formula: '1', at_most: '2'}\n", "several", 2},
        {"claims:\n  - {id: a, claimed: 1, relation: mfuu}\n", "no relation", 2},
        {"claims:\n  - {id: a, claimed: 1, relation: mfu, with: {rate: 2}}\n", "no input", 2},
        {"claims:\n  - {id: a, claimed: 1, formula: x}\n", "no quantity", 2},
        {"claims:\n  - {id: a, claimed: nothing, formula: '1'}\n", "no figure", 2},
        {"claims:\n  - {id: a, claimed: 3 USD to 1 USD, formula: '1'}\n", "low to high", 2},
        {"claims:\n  - {id: a, claimed: 1, formula: '1'}\n  - {id: a, claimed: 1, formula: '1'}\n",
         "twice", 3},
        {"quantities: {p: q, q: p}\nclaims:\n  - {id: a, claimed: 1, formula: p}\n", "itself", 1},
        {"quantities: {token: 3}\nclaims:\n  - {id: a, claimed: 1, formula: '1'}\n", "is a unit",
         1},
        {"quantities: {x: {iz: 3}}\nclaims:\n  - {id: a, claimed: 1, formula: x}\n", "unknown key",
         1},
        {"claims:\n  - {id: a, claimed: 1 USD, catalog: "
         "'accelerator:nvidia-a100-sxm4-80g:tdp_w'}\n",
         "is in USD", 2},
        {"claims: []\n", "", 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_audit_t *result;
        assay_error_t err = {0};
        const assay_status_t status = audit(row[i].text, &result, &err);
        assert_true(status == ASSAY_INPUT || status == ASSAY_NOT_FOUND);
        if (!strstr(err.what, row[i].part) || err.line != row[i].line) {
            fail_msg("%s: line %u: %s", row[i].text, err.line, err.what);
        }
    }
}

/* a0 = a1 + a1, a1 = a2 + a2, ...: each is evaluated once. */
static void names_within_names_take_no_time(void **state) {
    (void)state;
    const char *text = "quantities:\n";
    for (int i = 0; i < 30; i++) {
        text = assay_arena_printf(arena, "%s  a_%d: a_%d + a_%d\n", text, i, i + 1, i + 1);
    }
    text = assay_arena_printf(
        arena, "%s  a_30: '1'\nclaims:\n  - {id: a, claimed: 1073741824, formula: a_0}\n", text);
    assert_int_equal(one(text)->verdict, ASSAY_VERDICT_REPRODUCED); /* 2^30 */
}

/* ---- sets ---- */

static const assay_audited_t *find(const assay_audit_t *result, const char *id) {
    for (uint32_t i = 0; i < result->n_claim; i++) {
        if (strcmp(result->claim[i].id, id) == 0) {
            return &result->claim[i];
        }
    }
    fail_msg("no claim %s", id);
    return NULL;
}

static void every_claim_of_a_set_has_a_check(void **state) {
    (void)state;
    assay_csv_t checks;
    assert_int_equal(assay_data_table(arena, "claim_checks.csv", NULL, 0, &checks, NULL), ASSAY_OK);
    const int set = assay_csv_column(&checks, "set"), id = assay_csv_column(&checks, "id");
    for (uint32_t i = 0; i < catalog->n_claim; i++) {
        const assay_claim_t *claim = &catalog->claim[i];
        bool found = claim->field[0] != '\0';
        for (uint32_t row = 0; row < checks.n_rows; row++) {
            found = found || (strcmp(assay_csv_cell(&checks, row, set), claim->set) == 0 &&
                              strcmp(assay_csv_cell(&checks, row, id), claim->id) == 0);
        }
        if (!found) {
            fail_msg("%s %s has no check", claim->set, claim->id);
        }
    }
    for (uint32_t row = 0; row < checks.n_rows; row++) {
        assert_non_null(assay_catalog_claim(catalog, assay_csv_cell(&checks, row, set),
                                            assay_csv_cell(&checks, row, id)));
    }
}

/* Worked out by hand from the articles' figures. */
static void the_articles_are_judged(void **state) {
    static const struct {
        const char *set, *id;
        assay_verdict_t verdict;
        double factor, within;
    } row[] = {
        /* 3.2 USD/h at 780 token/s is 1.1396e-6 USD; 0.00018 over that */
        {"seed-b", "b10.mi350x.token_cost", ASSAY_VERDICT_CONTRADICTED, 157.95, 1e-3},
        /* 4.8 USD/h at 1.9 x 400 token/s, 6.4 at 3.1 x 350 */
        {"seed-b", "b10.a100.token_cost", ASSAY_VERDICT_CONTRADICTED, 153.9, 1e-3},
        {"seed-b", "b10.h100.token_cost", ASSAY_VERDICT_CONTRADICTED, 128.16, 1e-3},
        {"seed-b", "b8.llm.p99", ASSAY_VERDICT_IMPLAUSIBLE, 0.51797, 1e-3},
        /* 1.6 USD/h over 730.5 h is 1168.8 USD a card */
        {"seed-b", "b10.saving", ASSAY_VERDICT_NOT_REPRODUCIBLE, 10.267, 1e-3},
        {"seed-b", "b8.llm.rate", ASSAY_VERDICT_REPRODUCED, 1, 1e-9},
        {"seed-b", "b1.arch", ASSAY_VERDICT_CONTRADICTED, 0, 0},
        {"seed-b", "b4.rocm", ASSAY_VERDICT_IMPLAUSIBLE, 5.7 / 7, 1e-9},
        /* 1+2+4+8+4 and 2+4+6+12+4 weeks */
        {"seed-a", "a16.total_low", ASSAY_VERDICT_CONTRADICTED, 12.0 / 19, 1e-9},
        {"seed-a", "a16.total_high", ASSAY_VERDICT_CONTRADICTED, 16.0 / 28, 1e-9},
        /* 8 x 312 and 8 x 383 TFLOPS dense */
        {"seed-a", "a3.a100.fp16", ASSAY_VERDICT_CONTRADICTED, 5.0 / 2.496, 1e-3},
        {"seed-a", "a3.mi250x.fp16", ASSAY_VERDICT_CONTRADICTED, 7.8 / 3.064, 1e-3},
        {"seed-a", "a5.allreduce", ASSAY_VERDICT_NOT_REPRODUCIBLE, 0, 0},
        {"seed-a", "a5.fabric", ASSAY_VERDICT_NOT_REPRODUCIBLE, 0, 0},
        {"seed-a", "a9.flags_low", ASSAY_VERDICT_NOT_REPRODUCIBLE, 0, 0},
        {"seed-b", "b1.latency", ASSAY_VERDICT_NOT_REPRODUCIBLE, 0, 0},
        /* two servers of 1024 GiB for 70e9 x 16 bytes: 186,000 USD */
        {"seed-a", "a7.budget", ASSAY_VERDICT_IMPLAUSIBLE, 150.0 / 186, 1e-9},
        /* 35,000 USD x 42 d over 3 x 365.25 d */
        {"seed-a", "a7.saving_low", ASSAY_VERDICT_NOT_REPRODUCIBLE, 15000 / 1341.5469, 1e-6},
        /* half of (43 1/3 + 35) - (21 2/3 + 15) person-days, 800 USD each */
        {"seed-a", "a15.contingency_high", ASSAY_VERDICT_IMPLAUSIBLE,
         0.08 * 150000 / (0.5 * (78.333333333333 - 36.666666666667) * 800), 1e-9},
        /* 14 GB x 780 / 128 a second over 2.8 TB/s */
        {"seed-b", "b1.mbu", ASSAY_VERDICT_CONTRADICTED, 0.92 / (14e9 * 780 / 128 / 2.8e12), 1e-9},
        /* 780 token/s x 85 ms */
        {"seed-b", "b8.llm.requests", ASSAY_VERDICT_IMPLAUSIBLE, 128 / 66.3, 1e-9},
        /* 2.6 x 300/350 x 2 x 18/21: what its own costs ask for */
        {"seed-b", "b10.h100.efficiency", ASSAY_VERDICT_CONTRADICTED, 3.1 / 3.8204081633, 1e-9},
        {"seed-b", "b10.a100.efficiency", ASSAY_VERDICT_REPRODUCED, 1.9 / 1.95, 1e-9},
        {"seed-b", "b8.llm.params", ASSAY_VERDICT_CONTRADICTED, 7 / 8.0302612, 1e-3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        assay_audit_t *result;
        assert_int_equal(assay_audit_set(arena, catalog, NULL, 0, row[i].set, &result, NULL),
                         ASSAY_OK);
        const assay_audited_t *claim = find(result, row[i].id);
        assert_int_equal(claim->verdict, row[i].verdict);
        assert_true(claim->n_evidence > 0);
        if (row[i].factor > 0) {
            assay_test_close(claim->factor, row[i].factor, row[i].within, 0, row[i].id);
        }
        if (strcmp(row[i].id, "a3.a100.fp16") == 0) {
            assert_true(claim->peak_is_sparse);
        }
    }
}

static void set_claim(const assay_claim_t *claim, double value) {
    catalog->claim[claim - catalog->claim].v = value;
}

static uint8_t verdict_of(audit_set_t *set, const assay_claim_t *claim, assay_audited_t *out) {
    assay_error_t err = {0};
    if (audit_set_judge(set, claim, out, &err) != ASSAY_OK) {
        fail_msg("%s: %s", claim->id, err.what);
    }
    return out->verdict;
}

/* A verdict follows the number: the computed figure in place of the claim is not refuted, and ten
   times or a tenth of it is. */
static void verdicts_follow_the_figures(void **state) {
    (void)state;
    static const char *const sets[] = {"seed-a", "seed-b"};
    uint32_t n_computed = 0, n_stated = 0;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        audit_set_t *set;
        assert_int_equal(audit_set_open(arena, catalog, NULL, 0, sets[s], &set, NULL), ASSAY_OK);
        for (uint32_t i = 0; i < catalog->n_claim; i++) {
            const assay_claim_t *claim = &catalog->claim[i];
            assay_audited_t as_stated, mutated;
            if (strcmp(claim->set, sets[s]) != 0) {
                continue;
            }
            const uint8_t stated = verdict_of(set, claim, &as_stated);
            const double was = claim->v;
            if (!as_stated.has_computed) {
                /* no figure, or exactly what would settle it */
                if (stated == ASSAY_VERDICT_NOT_REPRODUCIBLE) {
                    n_stated++;
                    assert_true(as_stated.n_missing > 0 || claim->field[0]);
                }
                continue;
            }
            n_computed++;
            if (!as_stated.has_claimed) {
                continue;
            }
            const double computed = 0.5 * (as_stated.computed_low + as_stated.computed_high);
            set_claim(claim, computed);
            const uint8_t agreeing = verdict_of(set, claim, &mutated);
            set_claim(claim, 10 * computed);
            const uint8_t above = verdict_of(set, claim, &mutated);
            set_claim(claim, computed / 10);
            const uint8_t below = verdict_of(set, claim, &mutated);
            set_claim(claim, was);
            if (agreeing == ASSAY_VERDICT_CONTRADICTED || agreeing == ASSAY_VERDICT_IMPLAUSIBLE ||
                (above == agreeing && below == agreeing)) {
                fail_msg("%s %s: %s at %g, %s above, %s below", sets[s], claim->id,
                         assay_verdict_name(agreeing), computed, assay_verdict_name(above),
                         assay_verdict_name(below));
            }
        }
    }
    print_message("%u computed, %u not reproducible for what is named\n", n_computed, n_stated);
    assert_int_equal(n_computed + n_stated + 1, catalog->n_claim); /* and b1.arch */
    assert_true(n_computed >= 116);
}

/* What a claim stands on counts as well: a dearer MI250X turns the saving of A1 and the rule. */
static void verdicts_follow_what_they_stand_on(void **state) {
    (void)state;
    audit_set_t *set;
    assay_audited_t out;
    assert_int_equal(audit_set_open(arena, catalog, NULL, 0, "seed-a", &set, NULL), ASSAY_OK);
    const assay_claim_t *rule = assay_catalog_claim(catalog, "seed-a", "a7.rule");
    const assay_claim_t *price = assay_catalog_claim(catalog, "seed-a", "a3.mi250x.capex");
    const double was = price->v;
    assert_int_equal(verdict_of(set, rule, &out), ASSAY_VERDICT_NOT_REPRODUCIBLE);
    set_claim(price, 10 * was);
    assert_int_equal(verdict_of(set, rule, &out), ASSAY_VERDICT_CONTRADICTED);
    set_claim(price, -10 * was); /* paid to take it */
    assert_int_equal(verdict_of(set, rule, &out), ASSAY_VERDICT_REPRODUCED);
    set_claim(price, was);
}

/* A relation that cannot be evaluated would be found by its first user. */
static void every_relation_has_its_inputs(void **state) {
    (void)state;
    assay_csv_t table;
    assert_int_equal(assay_data_table(arena, "audit_relations.csv", NULL, 0, &table, NULL),
                     ASSAY_OK);
    for (uint32_t row = 0; row < table.n_rows; row++) {
        const char *id = table.cell[(size_t)row * table.n_columns];
        assay_audit_t *result;
        assay_error_t err = {0};
        const char *text =
            assay_arena_printf(arena, "claims:\n  - {id: a, claimed: 1, relation: %s}\n", id);
        if (audit(text, &result, &err) != ASSAY_OK) {
            fail_msg("%s: %s", id, err.what);
        }
        assert_int_equal(result->claim[0].verdict, ASSAY_VERDICT_NOT_REPRODUCIBLE);
        assert_true(result->claim[0].n_missing >= 2); /* all of its inputs, each described */
        for (uint32_t i = 0; i < result->claim[0].n_missing; i++) {
            assert_non_null(strchr(result->claim[0].missing[i], '('));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_multiply_out),
        cmocka_unit_test(mistakes_name_their_column),
        cmocka_unit_test(depth_and_length_are_bounded),
        cmocka_unit_test(ranges_follow_interval_arithmetic),
        cmocka_unit_test(slips_are_named),
        cmocka_unit_test(input_tokens_are_a_slip),
        cmocka_unit_test(a_share_above_one_is_no_result),
        cmocka_unit_test(what_nobody_states_is_listed),
        cmocka_unit_test(bounds_and_partial_sums),
        cmocka_unit_test(rounding_is_no_contradiction),
        cmocka_unit_test(wrong_files_say_where),
        cmocka_unit_test(names_within_names_take_no_time),
        cmocka_unit_test(every_claim_of_a_set_has_a_check),
        cmocka_unit_test(the_articles_are_judged),
        cmocka_unit_test(verdicts_follow_the_figures),
        cmocka_unit_test(verdicts_follow_what_they_stand_on),
        cmocka_unit_test(every_relation_has_its_inputs),
    };
    return cmocka_run_group_tests(tests, tables_set_up, arena_tear_down);
}
