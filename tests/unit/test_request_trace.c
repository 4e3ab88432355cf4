#include "arena_fixture.h"
#include "assay_test.h"

#include <stdlib.h>
#include <string.h>

#include "assay/request_trace.h"

static assay_error_t err;

static assay_status_t parse(const char *text, assay_request_trace_t *out) {
    assay_arena_reset(arena);
    return assay_request_trace_parse(arena, "trace", text, strlen(text), out, &err);
}

/* First lines of AzureLLMInferenceTrace_conv.csv; the second is 4.3145790 s after the first. */
static void azure_of_2023(void **state) {
    (void)state;
    assay_request_trace_t trace;
    assert_int_equal(parse("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                           "2023-11-16 18:15:46.6805900,374,44\n"
                           "2023-11-16 18:15:50.9951690,396,109\n",
                           &trace),
                     ASSAY_OK);
    assert_string_equal(trace.format, "Azure");
    assert_int_equal(trace.n, 2);
    assert_true(llabs(trace.request[1].arrival_ns - 4314579000) < 500); /* doubles of 1.7e9 s */
    assert_int_equal(trace.request[1].input_tokens, 396);
    assert_int_equal(trace.request[1].output_tokens, 109);
    assay_test_close(trace.input_mean, 385, 1e-12, 0, "mean prompt");
}

/* 2024 has a zone; the night of a leap day lasts 86400 s. */
static void azure_of_2024(void **state) {
    (void)state;
    assay_request_trace_t trace;
    assert_int_equal(parse("TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                           "2024-02-28 12:00:00.009930+00:00,2162,5\r\n"
                           "2024-03-01 12:00:00.009930+00:00,2399,6\r\n",
                           &trace),
                     ASSAY_OK);
    assert_int_equal((trace.request[1].arrival_ns + 500000) / 1000000, 2 * 86400000ll);
}

/* Both layouts of BurstGPT; a request without an answer has failed. */
static void burst_gpt(void **state) {
    (void)state;
    assay_request_trace_t trace;
    assert_int_equal(parse("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                           "5,ChatGPT,472,18,490,Conversation log\n"
                           "45,ChatGPT,1087,0,1087,Conversation log\n"
                           "118,GPT-4,417,276,693,Conversation log\n",
                           &trace),
                     ASSAY_OK);
    assert_string_equal(trace.format, "BurstGPT");
    assert_int_equal(trace.n, 2);
    assert_int_equal(trace.failed, 1);
    assert_int_equal(trace.request[1].arrival_ns, 113000000000);
    assert_int_equal(parse("Timestamp,Session ID,Elapsed time,Model,Request tokens,Response "
                           "tokens,Total tokens,Log Type\n"
                           "19440110.0,1722ac82-0a46,43,GPT-4,906,446,1352,Conversation log\n",
                           &trace),
                     ASSAY_OK);
    assert_int_equal(trace.request[0].output_tokens, 446);
}

/* First lines of FAST25-release/traces/conversation_trace.jsonl, shortened. */
static void mooncake(void **state) {
    (void)state;
    assay_request_trace_t trace;
    assert_int_equal(
        parse("{\"timestamp\": 0, \"input_length\": 1000, \"output_length\": 500, \"hash_ids\": "
              "[0, 1]}\n"
              "{\"timestamp\": 3000, \"input_length\": 600, \"output_length\": 490, \"hash_ids\": "
              "[0, 14], \"type\": \"chat\"}\n",
              &trace),
        ASSAY_OK);
    assert_string_equal(trace.format, "Mooncake");
    assert_int_equal(trace.hash_tokens, 512);
    assert_int_equal(trace.request[1].arrival_ns, 3000000000);
    assert_int_equal(trace.request[1].n_hash, 2);
    assert_int_equal(trace.hash[trace.request[1].first_hash + 1], 14);
    assert_int_equal(trace.hash[trace.request[1].first_hash], trace.hash[0]);
}

static void lengths_alone(void **state) {
    (void)state;
    assay_request_trace_t trace;
    assert_int_equal(parse("num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n"
                           "3772,54,3826,69.85\n2015,156,2171,12.9\n",
                           &trace),
                     ASSAY_OK);
    assert_false(trace.timed);
    assert_int_equal(trace.request[1].input_tokens, 2015);
}

static void wrong_rows_are_named(void **state) {
    (void)state;
    static const struct {
        const char *text, *what;
        uint32_t line, column;
    } wrong[] = {
        {"a,b\n1,2\n", "no known trace", 1, 1},
        {"arrival_s,input_tokens,output_tokens\n0,10,5\n1,x,5\n", "number of tokens", 3, 3},
        {"arrival_s,input_tokens,output_tokens\n0,10\n", "ends before", 2, 5},
        {"arrival_s,input_tokens,output_tokens\n5,10,1\n4,10,1\n", "before the one above", 3, 1},
        {"arrival_s,input_tokens,output_tokens\n0,10,0\n", "no request", 2, 1},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-13-01 00:00:00,1,1\n", "date", 2, 1},
        {"{\"timestamp\": 0, \"input_length\": 5}\n", "missing", 1, 1},
        {"{\"timestamp\": 0, \"input_length\": 5, \"output_length\": 1, \"hash_ids\": [1,-2]}",
         "whole number", 1, 72},
        {"{\"timestamp\": 0, \"input_length\": 5, \"output_length\": 1", "expected '}'", 1, 55},
        {"", "no known trace", 1, 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_request_trace_t trace;
        assert_int_equal(parse(wrong[i].text, &trace), ASSAY_INPUT);
        if (!strstr(err.what, wrong[i].what)) {
            fail_msg("%zu: '%s'", i, err.what);
        }
        if (i != 4 && i != 9) {
            assert_int_equal(err.line, wrong[i].line);
            assert_int_equal(err.column, wrong[i].column);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(azure_of_2023), cmocka_unit_test(azure_of_2024),
        cmocka_unit_test(burst_gpt),     cmocka_unit_test(mooncake),
        cmocka_unit_test(lengths_alone), cmocka_unit_test(wrong_rows_are_named),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
