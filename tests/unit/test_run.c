/* One question in, one answer out, as JSON. */
#include <stdio.h>

#include <jansson.h>

#include "assay/run.h"
#include "assay_test.h"

#define JOB                                                                                        \
    "{\"assay\": 1, \"workload\": {\"train\": {\"model\": \"llama-7b\", \"dataset_tokens\": 1e11," \
    " \"sequence\": 2048, \"global_batch\": 512}},"                                                \
    " \"candidates\": [{\"system\": \"8x-a100-pcie-80g\", \"nodes\": 2},"                          \
    " {\"system\": \"8x-mi250x-oam\", \"nodes\": 2}], \"analysis\": {\"samples\": 200}}"

typedef struct {
    assay_status_t status;
    assay_buf_t out;
    assay_error_t err;
} answer_t;

static answer_t ask(const char *request) {
    answer_t a = {0};
    assay_buf_init(&a.out, 8u << 20);
    a.status = assay_run(request, strlen(request), NULL, &a.out, &a.err);
    return a;
}

static void decide_answers(void **state) {
    (void)state;
    answer_t a = ask("{\"verb\": \"decide\", \"job\": " JOB "}");
    if (a.status) {
        fail_msg("%s; %s", a.err.what, a.err.next);
    }
    json_t *root = json_loadb(a.out.data, a.out.n, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_true(json_is_string(json_object_get(json_object_get(root, "verdict"), "choice")));
    assert_int_equal(json_array_size(json_object_get(root, "candidates")), 2);
    json_decref(root);
    /* the same question, the same bytes */
    answer_t b = ask("{\"job\": " JOB ", \"data\": [], \"verb\": \"decide\"}");
    assert_int_equal(b.status, ASSAY_OK);
    assert_string_equal(a.out.data, b.out.data);
    assay_buf_done(&a.out);
    assay_buf_done(&b.out);
}

/* What the schema lets through must be computable: the longest and the shortest horizon. */
static void years_at_their_limits(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        char request[640];
        snprintf(
            request, sizeof request,
            "{\"verb\": \"decide\", \"job\": {\"workload\": {\"train\": {\"model\": \"llama-7b\","
            " \"dataset_tokens\": 1e11, \"global_batch\": 512}}, \"candidates\": [{\"system\":"
            " \"8x-a100-pcie-80g\"}], \"money\": {\"years\": %s}}}",
            i == 0 ? "0.1" : "50");
        answer_t a = ask(request);
        assert_int_equal(a.status, ASSAY_OK);
        assay_buf_done(&a.out);
    }
}

/* Serving has an answer about memory, with its exit code; fine-tuning has one about speed. */
static void memory_answers(void **state) {
    (void)state;
#define SERVE                                                                                      \
    "\"job\": {\"workload\": {\"serve\": {\"model\": \"llama-3-70b\", \"max_model_len\": 8192}}, " \
    "\"candidates\": [{\"system\": \"1x h100\"}]}}"
    answer_t a = ask("{\"verb\": \"memory\", " SERVE);
    assert_int_equal(a.status, ASSAY_NO_FIT);
    json_t *root = json_loadb(a.out.data, a.out.n, JSON_REJECT_DUPLICATES, NULL);
    json_t *first = json_array_get(json_object_get(root, "candidates"), 0);
    assert_true(json_is_false(json_object_get(first, "fits")));
    assert_string_equal(json_string_value(json_object_get(first, "limiting")), "weights");
    json_decref(root);
    assay_buf_done(&a.out);
    a = ask("{\"verb\": \"decide\", \"job\": {\"workload\": {\"finetune\": {\"model\": "
            "\"llama-2-7b\", \"method\": \"lora\", \"dataset_tokens\": 1e9}}, "
            "\"candidates\": [{\"system\": \"8x-a100-pcie-80g\"}]}}");
    assert_int_equal(assay_status_exit_code(a.status), 0);
    assay_buf_done(&a.out);
}

static void search_answers(void **state) {
    (void)state;
    answer_t a = ask("{\"verb\": \"search\", \"job\": " JOB "}");
    assert_int_equal(a.status, ASSAY_OK);
    json_t *root = json_loadb(a.out.data, a.out.n, JSON_REJECT_DUPLICATES, NULL);
    json_t *first = json_array_get(json_object_get(root, "candidates"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "id")), "8x-a100-pcie-80g");
    assert_true(json_is_object(json_object_get(first, "best")));
    json_decref(root);
    assay_buf_done(&a.out);
}

static void nothing_fits_comes_with_an_answer(void **state) {
    (void)state;
    answer_t a = ask("{\"verb\": \"decide\", \"job\": {\"workload\": {\"train\": {\"model\":"
                     " \"llama-65b\", \"dataset_tokens\": 1e11, \"deadline\": \"1 h\"}},"
                     " \"candidates\": [{\"system\": \"8x-a100-pcie-80g\", \"nodes\": 1}],"
                     " \"analysis\": {\"samples\": 100}}}");
    assert_int_equal(a.status, ASSAY_NO_FIT);
    json_t *root = json_loadb(a.out.data, a.out.n, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_true(json_is_null(json_object_get(json_object_get(root, "verdict"), "choice")));
    json_decref(root);
    assay_buf_done(&a.out);
}

static void bad_requests_say_what_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *request;
        assay_status_t status;
        const char *what, *next;
    } bad[] = {
        {"", ASSAY_INPUT, "not JSON", ""},
        {"{\"verb\": \"decide\",}", ASSAY_INPUT, "not JSON", ""},
        {"[]", ASSAY_INPUT, "not an object", ""},
        {"{\"verb\": \"decide\", \"verb\": \"decide\"}", ASSAY_INPUT, "duplicate", ""},
        {"{\"verb\": \"decide\"}", ASSAY_INPUT, "\"job\" is missing", "verb"},
        {"{\"job\": {}}", ASSAY_INPUT, "\"verb\" is missing", ""},
        {"{\"verb\": \"decied\", \"job\": {}}", ASSAY_INPUT, "no verb decied", "\"decide\""},
        {"{\"verb\": 1, \"job\": {}}", ASSAY_INPUT, "not a string", ""},
        {"{\"verb\": \"decide\", \"jbo\": {}}", ASSAY_INPUT, "unknown key \"jbo\"", "\"job\""},
        {"{\"verb\": \"decide\", \"job\": 3}", ASSAY_INPUT, "job: not an object", ""},
        {"{\"verb\": \"decide\", \"job\": {}, \"data\": \"x\"}", ASSAY_INPUT, "data: expected", ""},
        {"{\"verb\": \"decide\", \"job\": {}, \"data\": [1]}", ASSAY_INPUT, "item 1", ""},
        {"{\"verb\": \"decide\", \"job\": {\"workload\": {\"train\": {\"modle\": \"x\"}}}}",
         ASSAY_INPUT, "modle", "model"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        answer_t a = ask(bad[i].request);
        char line[1024];
        assay_error_line(&a.err, line, sizeof line);
        assert_int_equal(a.status, bad[i].status);
        if (!strstr(a.err.what, bad[i].what) || !strstr(a.err.next, bad[i].next)) {
            fail_msg("%s: %s", bad[i].request, line);
        }
        assert_int_equal(a.out.n, 0);
        assay_buf_done(&a.out);
    }
}

static void a_job_error_has_no_foreign_line(void **state) {
    (void)state;
    answer_t a = ask("\n\n{\"verb\": \"decide\", \"job\": {\"wrkload\": 1}}");
    assert_int_equal(a.status, ASSAY_INPUT);
    assert_string_equal(a.err.file, "request");
    assert_int_equal(a.err.line, 0);
    assay_buf_done(&a.out);
}

static void version_is_three_numbers(void **state) {
    (void)state;
    assert_int_equal(strspn(assay_version(), "0123456789."), strlen(assay_version()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decide_answers),
        cmocka_unit_test(years_at_their_limits),
        cmocka_unit_test(search_answers),
        cmocka_unit_test(memory_answers),
        cmocka_unit_test(nothing_fits_comes_with_an_answer),
        cmocka_unit_test(bad_requests_say_what_is_wrong),
        cmocka_unit_test(a_job_error_has_no_foreign_line),
        cmocka_unit_test(version_is_three_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
