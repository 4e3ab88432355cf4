/* The article's rules on a decision, and the tables that a user lays over ours. */
#include "decide_fixture.h"

#include <stdlib.h>
#include <unistd.h>

static void test_rules_yes_no_unknown(void **state) {
    world_t *w = *state;
    add_pair(w);
    answer(w, ASSAY_ANSWER_ROCM_DEBUGGERS, 1.0);
    answer(w, ASSAY_ANSWER_HIP_CI, 1.0);
    answer(w, ASSAY_ANSWER_RAW_BYTES, 100e12);
    answer(w, ASSAY_ANSWER_HIP_FIT, 0.85);
    answer(w, ASSAY_ANSWER_NOTEBOOKS, 0.0);
    const assay_decision_t *d = decide(w);
    const struct {
        const char *id;
        assay_rule_state_t state;
        const char *evidence; /* part of it */
    } row[] = {
        {"compute_dense", ASSAY_RULE_YES, "80 %"}, /* 0.8 > 0.7 */
        {"hip_ready", ASSAY_RULE_NO, "85 %"},      /* 0.85 < 0.95 */
        {"long_run", ASSAY_RULE_YES, "41.7 d"},    /* 41.7 d > 10 d */
        {"interaction", ASSAY_RULE_YES, "85 %"},   /* 80 %, 41.7 d, 85 % */
        {"utilisation", ASSAY_RULE_NO, "45 %"},    /* 0.45 < 0.65 */
        {"raw_data", ASSAY_RULE_YES, "100 TB"},    /* >= */
        {"debuggers", ASSAY_RULE_NO, "1 (from the job)"},
        {"cuda_only", ASSAY_RULE_UNKNOWN, "give migration.cuda_only_share"},
        {"hip_ci", ASSAY_RULE_YES, "yes"},
        {"small_budget", ASSAY_RULE_NO, "mover"}, /* 657,450 USD for the cheaper one */
        {"payback", ASSAY_RULE_YES, "30"},        /* 30,000 < 657,450 */
        {"notebooks", ASSAY_RULE_NO, "no"},
        {"tensorrt", ASSAY_RULE_UNKNOWN, "give team.needs"},
    };
    assert_int_equal(d->n_rule, sizeof row / sizeof *row);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const assay_rule_t *r = rule(d, row[k].id);
        if (r->state != row[k].state || !strstr(r->evidence, row[k].evidence)) {
            fail_msg("%s: state %d, evidence %s", r->id, r->state, r->evidence);
        }
    }
    assay_test_close(rule(d, "payback")->value, 30000.0 / 657450.0, 1e-12, 0.0, "ratio");
    assay_test_close(rule(d, "long_run")->threshold, 10.0, 1e-12, 0.0, "days");
    assay_test_close(rule(d, "raw_data")->threshold, 100e12, 1e-12, 0.0, "bytes");
    /* one condition fails, the interaction makes up for it, nothing defers: move; so does the money
     */
    assert_true(d->rules_decided && d->rules_agree);
    /* the rule that hardly any run meets is told */
    assert_non_null(strstr(d->rules_sentence, "37.5 %"));
}

static void test_rules_against_the_money(void **state) {
    world_t *w = *state;
    add_pair(w);
    answer(w, ASSAY_ANSWER_NEEDS_TENSORRT, 1.0);
    const assay_decision_t *d = decide(w);
    assert_true(d->rules_decided);
    assert_false(d->rules_agree);
    assert_non_null(strstr(d->rules_sentence, "TensorRT"));
    assert_non_null(strstr(d->rules_sentence, "Money decides"));
    assert_int_equal(d->choice, 1);
}

static void test_rules_stay_open_on_the_unknown(void **state) {
    world_t *w = *state;
    add_pair(w);
    const assay_decision_t *d = decide(w);
    assert_false(d->rules_decided);
    assert_non_null(strstr(d->rules_sentence, "leave it open"));
    assert_non_null(strstr(d->rules_sentence, "already runs on HIP"));
    /* of several conditions only the unknown one is asked for */
    const char *evidence = rule(d, "interaction")->evidence;
    assert_non_null(strstr(evidence, "give migration.hip_fit"));
    assert_null(strstr(evidence, "give workload.train.dataset_tokens"));
}

static void test_no_saving_is_no_payback(void **state) {
    world_t *w = *state;
    add_owned(w, "incumbent", 65745.0, false);
    add_owned(w, "mover", 131490.0, true);
    const assay_decision_t *d = decide(w);
    const assay_rule_t *r = rule(d, "payback");
    assert_int_equal(r->state, ASSAY_RULE_NO);
    assert_false(r->has_value);
    assert_non_null(strstr(r->evidence, "more"));
    assert_int_equal(d->choice, 0);
}

/* A user's tables: one with rows of its own, the others wrong in one place each. */
static void test_users_tables(void **state) {
    world_t *w = *state;
    static const struct {
        const char *name, *text, *what; /* what NULL: fine */
    } file[] = {
        {"decide.csv", "key,value,source,note\nclose_call,0.9,me,\n", NULL},
        {"decide.csv", "key,value,source,note\ncommon_share,1.5,me,\n", "common_share"},
        {"decide.csv", "key,value,source,note\npower_p90,much,me,\n", "power_p90"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "utilisation,recommended,x,mfu,>,30,%,move,,,me\n",
         NULL},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,moon_phase,>,30,%,move,,,me\n",
         "moon_phase"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu,~,30,%,move,,,me\n",
         "\"~\""},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu,>,30,TB,move,,,me\n",
         "TB"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu;hip_fit,>,30,%,move,,,me\n",
         "as many parts"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,maybe,x,mfu,>,30,%,move,,,me\n",
         "maybe"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,mfu,>,30,%,wait,,,me\n",
         "wait"},
        {"rules.csv",
         "id,group,text,answer,op,threshold,unit,favours,unknown_hint,remark,source\n"
         "mine,recommended,x,hip_ci,=,perhaps,,move,,,me\n",
         "perhaps"},
    };
    char dir[] = "/tmp/assay-test-decide-XXXXXX";
    assert_non_null(mkdtemp(dir));
    const char *const data_dir[] = {dir};
    w->resolved.samples = 10;
    for (size_t k = 0; k < sizeof file / sizeof *file; k++) {
        char *path = assay_arena_printf(w->arena, "%s/%s", dir, file[k].name);
        assert_int_equal(assay_file_write(path, file[k].text, strlen(file[k].text), NULL), 0);
        memset(w->candidate, 0, sizeof w->candidate);
        w->n = 0;
        add_pair(w);
        w->resolved.machine = w->machine;
        for (uint32_t c = 0; c < w->n; c++) {
            w->candidate[c].machine = &w->machine[c];
        }
        w->ctx.data_dir = data_dir;
        w->ctx.n_data_dir = 1;
        assay_error_t err = {0};
        assay_status_t status =
            assay_decide_settings(w->arena, data_dir, 1, &w->ctx.settings, &err);
        if (status == ASSAY_OK) {
            status = assay_decide_settle(&w->ctx, w->candidate, w->n, 1, &w->decision, &err);
        }
        (void)unlink(path);
        if (!file[k].what) {
            assert_int_equal(status, ASSAY_OK);
        } else if (status != ASSAY_INPUT || !strstr(err.what, file[k].what) || err.line != 2) {
            fail_msg("file %zu: status %d, line %u, %s", k, (int)status, err.line, err.what);
        }
        if (k == 0) {
            assay_test_close(w->ctx.settings.close_call.v, 0.9, 0.0, 0.0, "laid over ours");
        } else if (k == 3) {
            assert_int_equal(rule(w->decision, "utilisation")->state, ASSAY_RULE_YES);
            assert_string_equal(rule(w->decision, "utilisation")->source, "me");
        }
    }
    (void)rmdir(dir);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DECIDE_TEST(test_rules_yes_no_unknown),
        DECIDE_TEST(test_rules_against_the_money),
        DECIDE_TEST(test_rules_stay_open_on_the_unknown),
        DECIDE_TEST(test_no_saving_is_no_payback),
        DECIDE_TEST(test_users_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
