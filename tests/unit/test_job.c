#include "assay_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "assay/csv.h"
#include "assay/job.h"

static int set_up(void **state) {
    *state = assay_arena_create((size_t)64 << 20);
    return *state ? 0 : -1;
}

static int tear_down(void **state) {
    assay_arena_destroy(*state);
    return 0;
}

static char *read_file(void **state, const char *name, size_t *out_size) {
    char path[1024], line[1024], *data = NULL;
    assay_error_t err = {0};
    snprintf(path, sizeof path, "%s/%s", ASSAY_SOURCE_DIR, name);
    if (assay_file_read(*state, path, ASSAY_NODE_MAX_BYTES, &data, out_size, &err) != ASSAY_OK) {
        fail_msg("%s", assay_error_line(&err, line, sizeof line));
    }
    return data;
}

static assay_job_t *read_ok(void **state, const char *file, const char *text,
                            const assay_job_flag_t *flag, uint32_t n_flag) {
    assay_job_t *job = NULL;
    assay_error_t err = {0};
    const size_t n = text ? strlen(text) : 0;
    if (assay_job_read(*state, file, text, n, flag, n_flag, &job, &err) != ASSAY_OK) {
        char line[1024];
        fail_msg("%s", assay_error_line(&err, line, sizeof line));
    }
    return job;
}

static assay_job_t *read_example(void **state, const char *name) {
    size_t size = 0;
    const char *text = read_file(state, name, &size);
    return read_ok(state, name, text, NULL, 0);
}

static const assay_job_candidate_t *candidate(const assay_job_t *job, uint32_t i) {
    assert_true(i < job->candidates.n);
    return &((const assay_job_candidate_t *)job->candidates.item)[i];
}

/* Are two structs of one schema equal but for places? */
static bool same_struct(const assay_schema_t *schema, const void *a, const void *b);

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_list(const assay_field_t *field, const assay_list_t *a, const assay_list_t *b) {
    bool same = a->n == b->n && a->origin == b->origin;
    for (uint32_t i = 0; same && i < a->n; i++) {
        if (field->kind == ASSAY_FIELD_STRINGS) {
            same = same_text(((assay_string_t *)a->item)[i].s, ((assay_string_t *)b->item)[i].s);
        } else {
            const size_t at = i * field->sub->size;
            same = same_struct(field->sub, (const char *)a->item + at, (const char *)b->item + at);
        }
    }
    return same;
}

static bool same_field(const assay_field_t *field, const void *a, const void *b) {
    switch ((assay_field_kind_t)field->kind) {
    case ASSAY_FIELD_NUMBER: {
        const assay_number_t *x = a, *y = b;
        return x->origin == y->origin && memcmp(&x->v, &y->v, sizeof x->v) == 0;
    }
    case ASSAY_FIELD_STRING: {
        const assay_string_t *x = a, *y = b;
        return x->origin == y->origin && same_text(x->s, y->s);
    }
    case ASSAY_FIELD_BOOL:
    case ASSAY_FIELD_CHOICE: {
        const assay_choice_t *x = a, *y = b;
        return x->origin == y->origin && x->v == y->v;
    }
    case ASSAY_FIELD_STRINGS:
    case ASSAY_FIELD_LIST:
        return same_list(field, a, b);
    case ASSAY_FIELD_STRUCT:
        return same_struct(field->sub, a, b);
    case ASSAY_FIELD_NODE: {
        const assay_node_t *x = *(assay_node_t *const *)a, *y = *(assay_node_t *const *)b;
        return x && y ? x->kind == y->kind && same_text(x->text, y->text) : x == y;
    }
    case ASSAY_FIELD_LATER:
        break;
    }
    return true;
}

static bool same_struct(const assay_schema_t *schema, const void *a, const void *b) {
    for (uint32_t i = 0; i < schema->n_field; i++) {
        const assay_field_t *field = &schema->field[i];
        if (!same_field(field, (const char *)a + field->offset, (const char *)b + field->offset)) {
            print_error("%s.%s differs\n", schema->name, field->key);
            return false;
        }
    }
    return true;
}

/* Every figure as the article's job states it. */
static void the_seed_job_is_read(void **state) {
    const assay_job_t *job = read_example(state, "examples/seed-a-65b-training.yaml");
    const assay_job_train_t *train = &job->workload.train;
    assert_string_equal(job->file, "examples/seed-a-65b-training.yaml");
    assert_string_equal(job->name.s, "65B pre-training, MI250X or A100");
    assert_string_equal(job->prices.s, "seed-a");
    assert_string_equal(((assay_string_t *)job->claims.item)[0].s, "seed-a");
    assert_string_equal(train->model->text, "llama-65b");
    assay_test_close(train->dataset_tokens.v, 1.4e12, 0, 0, "tokens");
    assay_test_close(train->sequence.v, 2048, 0, 0, "sequence");
    assay_test_close(train->global_batch.v, 2048, 0, 0, "batch");
    assert_string_equal(train->precision.s, "bf16");
    assay_test_close(train->deadline_s.v, 30 * 86400.0, 0, 0, "30 d");
    assert_int_equal(job->candidates.n, 2);
    const assay_job_candidate_t *a100 = candidate(job, 0), *mi250x = candidate(job, 1);
    assert_string_equal(a100->system.s, "8x-a100-pcie-80g");
    assay_test_close(a100->nodes.v, 256, 0, 0, "nodes");
    assay_test_close(a100->buy_usd.v, 128000, 0, 0, "price");
    assert_string_equal(a100->network.kind.s, "ib");
    assay_test_close(a100->network.bits_per_s.v, 200e9, 1e-15, 0, "NIC");
    assay_test_close(a100->network.nics.v, 4, 0, 0, "NICs");
    assay_test_close(a100->node_power_w.v, 3600, 0, 0, "power");
    assert_int_equal(a100->retrofit_usd_per_rack.origin, ASSAY_UNKNOWN);
    assert_string_equal(mi250x->system.s, "8x-mi250x-oam");
    assay_test_close(mi250x->buy_usd.v, 93000, 0, 0, "price");
    assay_test_close(mi250x->node_power_w.v, 5700, 0, 0, "power");
    assay_test_close(mi250x->nodes_per_rack.v, 3, 0, 0, "rack");
    assay_test_close(mi250x->retrofit_usd_per_rack.v, 6500, 0, 0, "retrofit");
    assert_string_equal(job->money.currency.s, "USD");
    assay_test_close(job->money.years.v, 3, 0, 0, "years");
    assay_test_close(job->money.discount_rate.v, 0.09, 0, 0, "rate");
    assay_test_close(job->money.electricity_usd_kwh.v, 0.10, 0, 0, "electricity");
    assay_test_close(job->money.pue.v, 1.3, 0, 0, "PUE");
    assay_test_close(job->money.utilisation.v, 0.75, 0, 0, "utilisation");
    assert_string_equal(job->migration.from.s, "cuda");
    assert_string_equal(job->migration.to.s, "hip");
    /* 5 working days a person-week */
    assay_test_close(job->migration.level1_days.v, 10, 1e-15, 0, "2 pw");
    assay_test_close(job->migration.level2_days.v, 15, 1e-15, 0, "3 pw");
    assay_test_close(job->migration.level3_days.v, 30, 1e-15, 0, "6 pw");
    assay_test_close(job->migration.labour_usd_per_week.v, 4000, 0, 0, "labour");
    assay_test_close(job->team.rocm_debuggers.v, 2, 0, 0, "debuggers");
    assert_int_equal(job->team.hip_ci.v, 1);
    assert_int_equal(job->team.notebook_prototyping.v, 0);
    assert_int_equal(job->team.notebook_prototyping.origin, ASSAY_GIVEN);
    assert_string_equal(((assay_string_t *)job->team.needs.item)[0].s, "tensorrt");
    assay_test_close(job->data.raw_bytes.v, 120e12, 1e-15, 0, "120 TB");
}

/* In prices, and in the terms that are counted: the article's, and what is usual. */
static void the_public_job_differs_only_in_prices(void **state) {
    assay_job_t *seed = read_example(state, "examples/seed-a-65b-training.yaml");
    const assay_job_t *public_job = read_example(state, "examples/seed-a-65b-training-public.yaml");
    assert_string_equal(public_job->prices.s, "catalog");
    seed->prices.s = "catalog";
    assert_string_equal(((assay_string_t *)seed->money.terms.item)[0].s, "article");
    assert_int_equal(public_job->money.terms.n, 0);
    seed->money.terms = (assay_list_t){0};
    assay_job_candidate_t *item = seed->candidates.item;
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(candidate(public_job, i)->buy_usd.origin, ASSAY_UNKNOWN);
        item[i].buy_usd = (assay_number_t){0};
    }
    assert_true(same_struct(&assay_job_schema, seed, public_job));
}

/* Figures with a source are not in the schema: they stay unknown until resolve reads the table. */
static void defaults_of_form_are_filled_and_figures_are_not(void **state) {
    const assay_job_t *job = read_example(state, "examples/flags-equivalent.yaml");
    assay_test_close(job->version.v, 1, 0, 0, "version");
    assay_test_close(job->workload.train.epochs.v, 1, 0, 0, "epochs");
    assert_int_equal(job->workload.train.epochs.origin, ASSAY_DEFAULT);
    assert_string_equal(job->workload.train.precision.s, "bf16");
    assert_string_equal(job->prices.s, "catalog");
    assert_int_equal(job->prices.origin, ASSAY_DEFAULT);
    assert_string_equal(job->money.currency.s, "USD");
    assert_int_equal(job->money.tco_formula.v, 0);
    assay_test_close(job->analysis.samples.v, 4096, 0, 0, "samples");
    assay_test_close(job->analysis.seed.v, 1, 0, 0, "seed");
    assert_false(job->money.present);
    const assay_number_t *figure[] = {
        &job->money.years,
        &job->money.discount_rate,
        &job->money.pue,
        &job->money.electricity_usd_kwh,
        &job->money.utilisation,
        &job->money.residual,
        &job->money.contingency,
        &job->money.ops_usd_per_year,
        &job->migration.engineers,
        &job->migration.level1_days,
        &job->migration.hip_fit,
        &job->migration.labour_usd_per_week,
        &job->workload.train.sequence,
        &job->workload.train.global_batch,
    };
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        assert_int_equal(figure[i]->origin, ASSAY_UNKNOWN);
    }
}

static void flags_alone_give_the_same_job_as_a_file(void **state) {
    /* in any order */
    static const assay_job_flag_t flags[] = {
        {"candidates[].nodes", "256", "--nodes"},
        {"workload.train.model", "llama-65b", "--model"},
        {"workload.train.dataset_tokens", "1.4e12", "--tokens"},
        {"candidates", "8x-a100-pcie-80g,8x-mi250x-oam", "--on"},
    };
    const assay_job_t *job = read_ok(state, NULL, NULL, flags, 4);
    assert_null(job->file);
    assert_true(
        same_struct(&assay_job_schema, job, read_example(state, "examples/flags-equivalent.yaml")));
}

static void flags_override_the_file(void **state) {
    static const assay_job_flag_t flags[] = {
        {"workload.train.deadline", "10 d", "--deadline"},
        {"candidates[].layout.tp", "8", "--tp"},
        {"money.pue", "1.1", "--pue"},
        {"team.needs", "nccl, tensorrt", "--needs"},
    };
    size_t size = 0;
    const char *text = read_file(state, "examples/seed-a-65b-training.yaml", &size);
    const assay_job_t *job = read_ok(state, "j", text, flags, 4);
    assay_test_close(job->workload.train.deadline_s.v, 864000, 0, 0, "deadline");
    assert_string_equal(job->workload.train.deadline_s.at.file, "--deadline");
    assay_test_close(job->money.pue.v, 1.1, 0, 0, "PUE");
    assay_test_close(job->money.years.v, 3, 0, 0, "years of the file");
    assay_test_close(candidate(job, 0)->layout.tp.v, 8, 0, 0, "tp of the first");
    assay_test_close(candidate(job, 1)->layout.tp.v, 8, 0, 0, "tp of the second");
    assay_test_close(candidate(job, 1)->buy_usd.v, 93000, 0, 0, "price of the file");
    assert_int_equal(job->team.needs.n, 2);
}

static void the_flag_on_replaces_the_candidates(void **state) {
    static const assay_job_flag_t flags[] = {{"candidates", "a , b,c", "--on"}};
    size_t size = 0;
    const char *text = read_file(state, "examples/seed-a-65b-training.yaml", &size);
    const assay_job_t *job = read_ok(state, "j", text, flags, 1);
    assert_int_equal(job->candidates.n, 3);
    assert_string_equal(candidate(job, 0)->system.s, "a");
    assert_string_equal(candidate(job, 1)->system.s, "b");
    assert_string_equal(candidate(job, 2)->system.s, "c");
    assert_int_equal(candidate(job, 0)->buy_usd.origin, ASSAY_UNKNOWN);
    assay_test_close(candidate(job, 0)->nodes.v, 1, 0, 0, "nodes are the default again");
}

static void json_gives_the_same_job(void **state) {
    static const char json[] =
        "{\"workload\":{\"train\":{\"model\":\"llama-65b\",\"dataset_tokens\":1400000000000}},\n"
        "\t\"candidates\": [{\"system\": \"8x-a100-pcie-80g\", \"nodes\": 256},\n"
        "\t\t{\"system\": \"8x-mi250x-oam\", \"nodes\": 2.56e2}]}";
    const assay_job_t *job = read_ok(state, "job.json", json, NULL, 0);
    assert_true(
        same_struct(&assay_job_schema, job, read_example(state, "examples/flags-equivalent.yaml")));
}

#define TRAIN "workload: {train: {model: m}}\n"
#define ONE "candidates: [{system: s}]\n"

typedef struct {
    const char *text;
    uint32_t line, column;
    const char *what, *next;
} bad_t;

static const bad_t bad_jobs[] = {
    {TRAIN ONE "mony: {years: 3}\n", 3, 1, "unknown key 'mony' in 'job'", "did you mean 'money'?"},
    {"workload: {train: {model: m, epocs: 1}}\n" ONE, 1, 30, "unknown key 'epocs' in 'train'",
     "did you mean 'epochs'?"},
    {"workload: {train: {model: m, tokens: 1}}\n" ONE, 1, 30, "unknown key 'tokens'",
     "did you mean 'dataset_tokens'?"},
    {TRAIN "candidates:\n  - {system: s, nods: 1}\n", 3, 17, "unknown key 'nods' in 'candidates'",
     "did you mean 'nodes'?"},
    /* units and numbers */
    {"workload: {train: {model: m, deadline: 30}}\n" ONE, 1, 40, "a time", ""},
    {"workload: {train: {model: m, deadline: 30 GB}}\n" ONE, 1, 40, "a time, such as 30 d", ""},
    {"workload: {train: {model: m, dataset_tokens: nan}}\n" ONE, 1, 46, "a whole number", ""},
    {"workload: {train: {model: m, dataset_tokens: -1}}\n" ONE, 1, 46,
     "'dataset_tokens' must be from 1", "correct"},
    {"workload: {train: {model: m, dataset_tokens: 1e999}}\n" ONE, 1, 46, "a whole number", ""},
    {"workload: {train: {model: m, dataset_tokens: '1'}}\n" ONE, 1, 46, "a number in quotes",
     "remove the quotes: 1"},
    {"workload: {train: {model: m, sequence: 2048.5}}\n" ONE, 1, 40, "a whole number", ""},
    {TRAIN "candidates: [{system: s, node_power_w: 3,6 kW}]\n", 2, 42, "unknown key '6 kW'",
     "write 3.6 with a point"},
    {TRAIN "candidates: [{system: s, nodes: 0}]\n", 2, 33, "'nodes' must be from 1", "correct"},
    {TRAIN "candidates: [{system: s, network: {gbit_s: 25 GB/s}}]\n", 2, 44, "a network rate", ""},
    {TRAIN ONE "money: {pue: 0.5}\n", 3, 14, "'pue' must be from 1 to 5, not '0.5'", "correct"},
    {TRAIN ONE "money: {discount_rate: 9}\n", 3, 24, "'discount_rate' must be from 0", "correct"},
    {TRAIN ONE "money: {electricity_usd_kwh: 0.1 USD}\n", 3, 30, "an electricity price", ""},
    {TRAIN ONE "migration: {levels: {1: 2}}\n", 3, 25, "an amount of work", ""},
    {TRAIN ONE "migration: {levels: {4: 2 pw}}\n", 3, 22, "unknown key '4' in 'levels'",
     "known keys: 1, 2, 3"},
    {TRAIN ONE "data: {raw_bytes: 120 W}\n", 3, 19, "a size", ""},
    {TRAIN ONE "analysis: {seed: 9007199254740993}\n", 3, 18, "'seed'", ""},
    {"assay: 2\n" TRAIN ONE, 1, 8, "'assay' must be 1, not '2'", "write assay: 1"},
    /* kinds */
    {TRAIN "candidates: {system: s}\n", 2, 13, "'candidates' must be a list, not a mapping",
     "'- '"},
    {TRAIN "candidates: [s]\n", 2, 14,
     "an entry of 'candidates' must be a mapping of keys, not 's'", "{system: ...}"},
    {"workload: [train]\n" ONE, 1, 11, "'workload' must be a mapping of keys, not a list", ""},
    {"- " TRAIN, 1, 1, "'job' must be a mapping of keys, not a list", "key: value"},
    {"hello\n", 1, 1, "'job' must be a mapping of keys, not 'hello'", "space after the colon"},
    {TRAIN ONE "team: {hip_ci: yes}\n", 3, 16, "must be true or false, not 'yes'",
     "write true or false"},
    {TRAIN ONE "team: {hip_ci: 'true'}\n", 3, 16, "in quotes", "remove the quotes: true"},
    {TRAIN ONE "money: {currency: GBP}\n", 3, 19, "'currency' must be", "USD"},
    {TRAIN ONE "money: {tco_formula: artcle}\n", 3, 22, "not 'artcle'", "did you mean 'article'?"},
    {TRAIN ONE "migration: {from: Cuda}\n", 3, 19, "not 'Cuda'", "did you mean 'cuda'?"},
    {TRAIN "candidates: [{system: s, network: {kind: infiniband}}]\n", 2, 42,
     "'kind' must be ib, roce, slingshot, ethernet, efa or opa, not 'infiniband'", "write ib"},
    {TRAIN "candidates: [{system: s, layout: {zero: 4}}]\n", 2, 41, "from 0 to 3", "correct"},
    {TRAIN ONE "money:\n", 3, 7, "'money' has no value", "or remove the key"},
    /* too much and too little */
    {TRAIN "candidates: [{system: s, buy_usd: 1, usd_per_h: 2}]\n", 2, 49,
     "both 'buy_usd' and 'usd_per_h' are given", "keep one"},
    {TRAIN "candidates: [{system: s, usd_per_h: 2, buy_usd: 1}]\n", 2, 49, "both 'buy_usd'",
     "keep one"},
    {"workload: {train: {model: m, global_batch: 1, global_batch_tokens: 2}}\n" ONE, 1, 68,
     "both 'global_batch' and 'global_batch_tokens' are given", "keep one"},
    {ONE, 1, 1, "'workload' is missing in 'job'", "add workload.train.model, or give --model"},
    {"workload: {}\n" ONE, 1, 11, "no kind of work", "workload.train.model"},
    {"workload:\n  train: {epochs: 2}\n" ONE, 2, 10, "'model' is missing in 'train'",
     "or give --model"},
    {"workload: {finetune: {model: m}, serve: {model: m}}\n" ONE, 1, 11,
     "more than one kind of work", "a job for each"},
    {"workload: {train: {model: m, method: lora}}\n" ONE, 1, 30, "unknown key 'method'", ""},
    {"workload: {serve: {model: m, rate: 2, concurrency: 3}}\n" ONE, 1, 52, "both 'rate'",
     "keep one"},
    {"workload: {image: {model: m}, train: {model: m}}\n" ONE, 1, 11, "more than one kind of work",
     "a job for each"},
    {"workload: {image: {model: m, rate: 2, concurrency: 3}}\n" ONE, 1, 52, "both 'rate'",
     "keep one"},
    {"workload: {image: {model: m, guidance: yes}}\n" ONE, 1, 40, "'guidance'", ""},
    {"workload: {train: {model: m}, train: {model: m}}\n" ONE, 1, 31,
     "'train' is given twice, first in line 1", "remove one"},
    {TRAIN "candidates: []\n", 2, 13, "'candidates' has 0 entries", "add an entry"},
};

static bool is_refused(void **state, const bad_t *bad, const assay_job_flag_t *flag) {
    assay_job_t *job = NULL;
    assay_error_t err = {0};
    const assay_status_t status = assay_job_read(*state, "job.yaml", bad->text, strlen(bad->text),
                                                 flag, flag ? 1 : 0, &job, &err);
    const char *file = bad->line ? "job.yaml" : flag->flag;
    if (status == ASSAY_INPUT && !job && err.line == bad->line && err.column == bad->column &&
        strcmp(err.file, file) == 0 && strstr(err.what, bad->what) && strstr(err.next, bad->next) &&
        assay_status_exit_code(status) == 2) {
        return true;
    }
    char line[1024];
    print_error("%s: status %d, '%s'\n", bad->text, (int)status,
                assay_error_line(&err, line, sizeof line));
    return false;
}

static void bad_jobs_are_refused_at_their_place(void **state) {
    uint32_t n_wrong = 0;
    for (size_t i = 0; i < sizeof bad_jobs / sizeof *bad_jobs; i++) {
        n_wrong += !is_refused(state, &bad_jobs[i], NULL);
    }
    assert_int_equal(n_wrong, 0);
}

/* Line 0: the flag is the place. */
static const struct {
    bad_t bad;
    assay_job_flag_t flag;
} bad_flags[] = {
    {{TRAIN ONE, 0, 0, "a time, such as", ""}, {"workload.train.deadline", "30 x", "--deadline"}},
    {{TRAIN ONE, 0, 0, "'pue' must be from 1", "correct"}, {"money.pue", "0.1", "--pue"}},
    {{TRAIN ONE, 0, 0, "comma list is empty", "a,b"}, {"candidates", "a,,b", "--on"}},
    {{TRAIN ONE, 0, 0, "comma list is empty", "a,b"}, {"candidates", "", "--on"}},
    {{TRAIN ONE, 0, 0, "'nodes' has no value", ""}, {"candidates[].nodes", "", "--nodes"}},
    {{TRAIN ONE, 0, 0, "not UTF-8", "UTF-8"}, {"name", "\xff", "--name"}},
    {{"workload: {train: {model: m, global_batch: 1}}\n" ONE, 0, 0, "both 'global_batch'",
      "keep one"},
     {"workload.train.global_batch_tokens", "4096", "--global-batch-tokens"}},
    {{"workload: train\n" ONE, 1, 11, "expected a mapping of keys", "--pp"},
     {"workload.train.model", "m", "--pp"}},
    {{TRAIN "candidates: s\n", 2, 13, "expected a list for 'candidates'", "'- '"},
     {"candidates[].nodes", "2", "--nodes"}},
};

static void bad_flags_are_refused_by_name(void **state) {
    uint32_t n_wrong = 0;
    for (size_t i = 0; i < sizeof bad_flags / sizeof *bad_flags; i++) {
        n_wrong += !is_refused(state, &bad_flags[i].bad, &bad_flags[i].flag);
    }
    assert_int_equal(n_wrong, 0);
}

static void flags_alone_say_which_flag_is_missing(void **state) {
    static const assay_job_flag_t model = {"workload.train.model", "m", "--model"};
    assay_job_t *job = NULL;
    assay_error_t err = {0};
    char line[1024];
    assert_int_equal(assay_job_read(*state, NULL, NULL, 0, NULL, 0, &job, &err), ASSAY_INPUT);
    assert_string_equal(
        assay_error_line(&err, line, sizeof line),
        "command line: 'workload' is missing in 'job'; add workload.train.model, or give --model");
    /* Memory needs no machine: that one is missing is said by who does. */
    assert_int_equal(assay_job_read(*state, NULL, NULL, 0, &model, 1, &job, &err), ASSAY_OK);
    assert_int_equal(job->candidates.n, 0);
}

/* A flag of training is that key of whatever work the file, or another flag, speaks of. */
static void flags_reach_the_kind_of_work_that_is_there(void **state) {
    static const assay_job_flag_t flag[] = {
        {"workload.train.precision", "fp8", "--precision"},
        {"workload.serve.max_model_len", "8192", "--max-model-len"},
        {"workload.train.model", "m", "--model"},
    };
    static const char file[] = "workload: {finetune: {model: m, method: lora}}\n";
    assay_job_t *job = NULL;
    assay_error_t err;
    assert_int_equal(assay_job_read(*state, NULL, NULL, 0, flag, 3, &job, &err), ASSAY_OK);
    assert_true(job->workload.serve.present);
    assert_false(job->workload.train.present);
    assert_int_equal(job->workload.serve.precision.n, 1);
    assert_string_equal(((const assay_string_t *)job->workload.serve.precision.item)->s, "fp8");
    assert_int_equal(assay_job_read(*state, "f", file, sizeof file - 1, flag, 1, &job, &err),
                     ASSAY_OK);
    assert_true(job->workload.finetune.present);
    assert_string_equal(job->workload.finetune.precision.s, "fp8");
    assert_int_equal(job->workload.finetune.method.v, ASSAY_METHOD_LORA);
}

/* One candidate without a system is what all systems of the flag are like. */
static void the_flag_on_fills_a_pattern(void **state) {
    static const char file[] = TRAIN "candidates: [{nodes: 4, layout: {tp: 8}}]\n";
    static const assay_job_flag_t flag = {"candidates", "a,b", "--on"};
    assay_job_t *job = NULL;
    assay_error_t err;
    assert_int_equal(assay_job_read(*state, "f", file, sizeof file - 1, &flag, 1, &job, &err),
                     ASSAY_OK);
    const assay_job_candidate_t *candidate = job->candidates.item;
    assert_int_equal(job->candidates.n, 2);
    assert_string_equal(candidate[1].system.s, "b");
    assert_true(candidate[0].nodes.v == 4 && candidate[1].nodes.v == 4);
    assert_true(candidate[0].layout.tp.v == 8 && candidate[1].layout.tp.v == 8);
}

static void candidates_are_limited(void **state) {
    char text[64 * 16];
    size_t n = 0;
    for (int i = 0; i < 65; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%ss%d", i ? "," : "", i);
    }
    const assay_job_flag_t flags[] = {{"workload.train.model", "m", "--model"},
                                      {"candidates", text, "--on"}};
    assay_job_t *job = NULL;
    assay_error_t err = {0};
    assert_int_equal(assay_job_read(*state, NULL, NULL, 0, flags, 2, &job, &err), ASSAY_LIMIT);
    assert_string_equal(err.file, "--on");
    assert_non_null(strstr(err.what, "65 entries, at most 64"));
    *strrchr(text, ',') = '\0';
    assert_int_equal(read_ok(state, NULL, NULL, flags, 2)->candidates.n, 64);
}

static void arenas_that_are_too_small_are_a_limit(void **state) {
    size_t size = 0;
    const char *text = read_file(state, "examples/seed-a-65b-training.yaml", &size);
    static const assay_job_flag_t flags[] = {{"candidates", "a,b", "--on"},
                                             {"money.years", "4", "--years"}};
    assay_status_t status = ASSAY_LIMIT;
    for (size_t limit = 64; limit < (64 << 10); limit += 256) {
        assay_arena_t *arena = assay_arena_create(limit);
        assay_job_t *job = NULL;
        status = assay_job_read(arena, "j", text, size, flags, 2, &job, NULL);
        assert_true(status == ASSAY_OK || status == ASSAY_LIMIT);
        assay_arena_destroy(arena);
    }
    assert_int_equal(status, ASSAY_OK);
}

typedef struct {
    const char *name[256];
    size_t n;
} names_t;

static bool is_of_work(const char *path, const char *kind) {
    return strncmp(path, kind, strlen(kind)) == 0;
}

/* Kinds of work share keys, and so their flags. */
static void collect_flag(void *ctx, const assay_field_t *field, const char *path) {
    names_t *names = ctx;
    for (size_t i = 0; i < names->n && is_of_work(path, "workload.finetune."); i++) {
        if (strcmp(names->name[i], field->flag) == 0) {
            return;
        }
    }
    const char *both[] = {field->flag, field->flag_alias};
    for (int i = 0; i < 2; i++) {
        if (both[i]) {
            assert_true(names->n < 256);
            names->name[names->n++] = both[i];
        }
    }
}

static void flag_names_are_unique(void **state) {
    (void)state;
    static names_t names;
    assay_schema_flags(&assay_job_schema, collect_flag, &names);
    assert_true(names.n > 40);
    for (size_t i = 0; i < names.n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names.name[i], names.name[j]) == 0) {
                fail_msg("two flags are called --%s", names.name[i]);
            }
        }
    }
}

/* Each default lies within its bounds and is one that the job's own reader would take. */
static void default_figures_are_in_range(void **state) {
    static const struct {
        const char *key, *section, *name;
    } row[] = {
        {"money.years", "money", "years"},
        {"money.discount_rate", "money", "discount_rate"},
        {"money.electricity_usd_kwh", "money", "electricity_usd_kwh"},
        {"money.pue", "money", "pue"},
        {"money.utilisation", "money", "utilisation"},
        {"money.residual", "money", "residual"},
        {"money.contingency", "money", "contingency"},
        {"migration.labour_usd_per_week", "migration", "labour_usd_per_week"},
        {"migration.training_h_per_engineer", "migration", "training_h_per_engineer"},
        {"migration.engineers", "migration", "engineers"},
        {"migration.debt_days_per_year", "migration", "debt_days_per_year"},
    };
    size_t size = 0;
    const char *text = read_file(state, "data/defaults.csv", &size);
    assay_csv_t csv;
    assert_int_equal(assay_csv_parse(*state, "defaults.csv", text, size, &csv, NULL), ASSAY_OK);
    size_t n_found = 0;
    for (uint32_t i = 0; i < csv.n_rows; i++) {
        const char *key = assay_csv_cell(&csv, i, assay_csv_column(&csv, "key"));
        assert_true(assay_csv_cell(&csv, i, assay_csv_column(&csv, "source"))[0] != '\0');
        for (size_t j = 0; j < sizeof row / sizeof *row; j++) {
            static const char *const column[] = {"low", "value", "high"};
            double last = -INFINITY, value = 0;
            n_found += strcmp(row[j].key, key) == 0;
            for (int k = 0; k < 3 && strcmp(row[j].key, key) == 0; k++) {
                const char *cell = assay_csv_cell(&csv, i, assay_csv_column(&csv, column[k]));
                if (!cell[0]) {
                    assert_int_not_equal(k, 1);
                    continue;
                }
                assert_true(assay_text_to_double(cell, strlen(cell), &value) && value >= last);
                last = value;
                const char *job = assay_arena_printf(*state, TRAIN ONE "%s: {%s: %s}\n",
                                                     row[j].section, row[j].name, cell);
                (void)read_ok(state, key, job, NULL, 0);
            }
        }
    }
    assert_int_equal(n_found, sizeof row / sizeof *row);
}

#define KEYS_BEGIN "<!-- keys: begin -->\n"
#define KEYS_END "<!-- keys: end -->\n"

/* docs/job.md holds the table that the schema gives. ASSAY_WRITE_DOCS=1 writes it there. */
static void the_reference_is_current(void **state) {
    size_t size = 0;
    const char *text = read_file(state, "docs/job.md", &size);
    const char *begin = strstr(text, KEYS_BEGIN), *end = strstr(text, KEYS_END);
    assert_non_null(begin);
    assert_non_null(end);
    begin += strlen(KEYS_BEGIN);
    assay_buf_t table, whole;
    assay_buf_init(&table, 1 << 20);
    assay_buf_init(&whole, 1 << 20);
    assay_schema_markdown(&assay_job_schema, &table);
    assay_buf_add(&whole, text, (size_t)(begin - text));
    assay_buf_add(&whole, table.data, table.n);
    assay_buf_puts(&whole, end);
    assert_false(table.failed || whole.failed);
    const bool current = whole.n == size && memcmp(whole.data, text, size) == 0;
    if (!current && getenv("ASSAY_WRITE_DOCS")) {
        assert_int_equal(
            assay_file_write(ASSAY_SOURCE_DIR "/docs/job.md", whole.data, whole.n, NULL), ASSAY_OK);
    } else if (!current) {
        fail_msg("docs/job.md is not what the schema says: run this test with ASSAY_WRITE_DOCS=1");
    }
    assay_buf_done(&table);
    assay_buf_done(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_seed_job_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_public_job_differs_only_in_prices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(defaults_of_form_are_filled_and_figures_are_not, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(flags_alone_give_the_same_job_as_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flags_override_the_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_flag_on_replaces_the_candidates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(json_gives_the_same_job, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_jobs_are_refused_at_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_flags_are_refused_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flags_alone_say_which_flag_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flags_reach_the_kind_of_work_that_is_there, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_flag_on_fills_a_pattern, set_up, tear_down),
        cmocka_unit_test_setup_teardown(candidates_are_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arenas_that_are_too_small_are_a_limit, set_up, tear_down),
        cmocka_unit_test(flag_names_are_unique),
        cmocka_unit_test_setup_teardown(default_figures_are_in_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_reference_is_current, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
