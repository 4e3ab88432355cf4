/* ASSAY_MESSAGE(ID, "English sentence with {0}"): what audit and bench say. A part of
   assay/message_list.h, which includes it. */

/* audit: claims recomputed */
ASSAY_MESSAGE(AUDIT_SUMMARY, "{0} claims: {1} reproduced, {2} contradicted, {3} not reproducible, "
                             "{4} implausible.")
ASSAY_MESSAGE(AUDIT_TITLE, "Audit of {0}")
ASSAY_MESSAGE(AUDIT_VERDICT_REPRODUCED, "reproduced")
ASSAY_MESSAGE(AUDIT_VERDICT_CONTRADICTED, "contradicted")
ASSAY_MESSAGE(AUDIT_VERDICT_NOT_REPRODUCIBLE, "not reproducible")
ASSAY_MESSAGE(AUDIT_VERDICT_IMPLAUSIBLE, "implausible")
ASSAY_MESSAGE(AUDIT_COLUMN_CLAIM, "claim")
ASSAY_MESSAGE(AUDIT_COLUMN_WHAT, "what")
ASSAY_MESSAGE(AUDIT_COLUMN_VERDICT, "verdict")
ASSAY_MESSAGE(AUDIT_COLUMN_FACTOR, "factor")
ASSAY_MESSAGE(AUDIT_REPRODUCED, "Claimed {0}; {1} gives {2}.")
ASSAY_MESSAGE(AUDIT_CONTRADICTED, "Claimed {0}; {1} gives {2}: the claim is {3} times that.")
ASSAY_MESSAGE(AUDIT_CONTRADICTED_BELOW, "Claimed {0}; {1} gives {2}, {3} times the claim.")
ASSAY_MESSAGE(AUDIT_ABOUT, "What that is: {0}.")
ASSAY_MESSAGE(AUDIT_KEEPS_LEAST, "Claimed {0}, not less than {1} allows, {2}.")
ASSAY_MESSAGE(AUDIT_KEEPS_MOST, "Claimed {0}, not more than {1} allows, {2}.")
ASSAY_MESSAGE(AUDIT_BELOW_LEAST, "Claimed {0}, but it cannot be less than {1}, {2}.")
ASSAY_MESSAGE(AUDIT_ABOVE_MOST, "Claimed {0}, but it cannot be more than {1}, {2}.")
ASSAY_MESSAGE(AUDIT_CLAIM_IMPOSSIBLE, "Claimed {0}; {1} has its limit at {2}, whatever the inputs.")
ASSAY_MESSAGE(AUDIT_RESULT_IMPOSSIBLE,
              "The inputs cannot all be right: {1} gives {0}, and its limit is {2}.")
ASSAY_MESSAGE(AUDIT_OTHER_DIMENSION,
              "Claimed {0}, in {1}; {2} gives {3}: the units do not go together.")
ASSAY_MESSAGE(AUDIT_LACKS, "It cannot be recomputed: what is missing is {0}.")
ASSAY_MESSAGE(AUDIT_GAP, "Claimed {0}; what is stated, {1}, adds up to {2}: {3} of it has no item.")
ASSAY_MESSAGE(AUDIT_TAKES_COUNT,
              "Claimed {0}; {1} gives {2} for one: it takes {4} {3}, which are not mentioned.")
ASSAY_MESSAGE(AUDIT_CONDITIONS_DECIDE, "Claimed {0}; {1} gives {2}: which of it is decided by {3}, "
                                       "and that is not stated.")
ASSAY_MESSAGE(AUDIT_NO_CONDITIONS, "Claimed {0}; {1} gives {2}, whatever {3}.")
ASSAY_MESSAGE(AUDIT_RANGE, "{0} to {1}")
ASSAY_MESSAGE(AUDIT_RULE_HOLDS, "It holds: {0} is {1}.")
ASSAY_MESSAGE(AUDIT_RULE_FAILS, "It does not hold: {0} is {1}.")
ASSAY_MESSAGE(AUDIT_RULE_OPEN, "Not decided: {0} is {1}. It depends on {2}.")
ASSAY_MESSAGE(AUDIT_NEEDS, "What would settle it: {0}.")
ASSAY_MESSAGE(AUDIT_CATALOG_AGREES, "Claimed {0}; the catalog has {1}.")
ASSAY_MESSAGE(AUDIT_CATALOG_SAYS, "Claimed {0}; the catalog says {1}.")
ASSAY_MESSAGE(AUDIT_CATALOG_DIFFERS,
              "Claimed {0}; the catalog has {1}: the claim is {2} times that.")
ASSAY_MESSAGE(AUDIT_CATALOG_DIFFERS_BELOW, "Claimed {0}; the catalog has {1}, {2} times the claim.")
ASSAY_MESSAGE(AUDIT_CATALOG_LACKS, "The catalog does not know {0}.")
ASSAY_MESSAGE(AUDIT_PRICE_INSIDE, "Claimed {0}; the catalog knows {1}, in the middle {2}.")
ASSAY_MESSAGE(AUDIT_PRICE_OUTSIDE,
              "Claimed {0}, outside of what the catalog knows, {1}, in the middle {2}.")
ASSAY_MESSAGE(AUDIT_OTHER_TYPE, "It is the dense rate for {0}.")
ASSAY_MESSAGE(AUDIT_OTHER_PART, "It is the figure of another part: {0}.")
ASSAY_MESSAGE(AUDIT_NO_SLIP, "No single slip of units gives a factor of {0}.")
ASSAY_MESSAGE(AUDIT_TOKEN_BASIS,
              "One figure counts tokens of input and output, the other those of {0} alone: they "
              "cannot be compared.")
ASSAY_MESSAGE(AUDIT_SLIP_SPARSE,
              "That is the factor of 2:4 sparsity: a peak with it stands where the dense one "
              "belongs.")
ASSAY_MESSAGE(AUDIT_SLIP_MAC, "That is the factor of counting a multiply-add as one operation.")
ASSAY_MESSAGE(AUDIT_SLIP_HOURS, "3600: hours and seconds are mixed.")
ASSAY_MESSAGE(AUDIT_SLIP_HOURS_THOUSAND,
              "3600/1000: hours and seconds are mixed, and a thousand is in between.")
ASSAY_MESSAGE(AUDIT_SLIP_MINUTES, "60: minutes are mixed with hours or seconds.")
ASSAY_MESSAGE(AUDIT_SLIP_DAYS, "24: days and hours are mixed.")
ASSAY_MESSAGE(AUDIT_SLIP_THOUSAND, "A thousand: one prefix is off, k for M or M for G.")
ASSAY_MESSAGE(AUDIT_SLIP_MILLION,
              "A million: a figure of one stands where one of a million belongs.")
ASSAY_MESSAGE(AUDIT_SLIP_BILLION, "A billion: three prefixes are off.")
ASSAY_MESSAGE(AUDIT_SLIP_PERCENT, "100: per cent and shares are mixed.")
ASSAY_MESSAGE(AUDIT_SLIP_BITS, "8: bits and bytes are mixed.")
ASSAY_MESSAGE(AUDIT_SLIP_DIRECTIONS, "2: both directions of a link are counted.")
ASSAY_MESSAGE(AUDIT_SLIP_TYPE, "That is the factor between number formats: FP32, FP16, FP8.")
ASSAY_MESSAGE(AUDIT_SLIP_BINARY, "That is the factor between GB and GiB, or TB and TiB.")
ASSAY_MESSAGE(AUDIT_SLIP_DEVICES,
              "That is the number of devices: one figure is of a node, the other of a device.")
ASSAY_MESSAGE(AUDIT_SLIP_TOKENS, "That is all tokens over those of the output: input+output is "
                                 "counted.")
ASSAY_MESSAGE(AUDIT_LACK_CONDITIONS,
              "It comes without its conditions (model, software, sizes, compared with what), so "
              "nothing can be recomputed.")
ASSAY_MESSAGE(AUDIT_LACK_RULE,
              "A rule of thumb: no data stand behind the threshold. \"assay decide\" weighs the "
              "job itself.")
ASSAY_MESSAGE(AUDIT_LACK_ESTIMATE, "An estimate of the author without its parts.")
ASSAY_MESSAGE(AUDIT_LACK_PREMISE, "A condition or a setting, not a result: nothing follows from it "
                                  "alone.")
ASSAY_MESSAGE(AUDIT_LACK_OPINION, "A judgement without a figure.")
ASSAY_MESSAGE(AUDIT_LACK_SOURCE, "No source is named, and the catalog keeps no such figure.")
ASSAY_MESSAGE(AUDIT_LACK_RATE, "The rate that it divides is not stated.")

/* bench: results of load generators */
ASSAY_MESSAGE(BENCH_RATE_REQUESTS, "{0} requests/s")
ASSAY_MESSAGE(BENCH_RATE_IN, "{0} tokens/s in")
ASSAY_MESSAGE(BENCH_RATE_OUT, "{0} tokens/s out")
ASSAY_MESSAGE(BENCH_RATE_TOTAL, "{0} tokens/s in all")
ASSAY_MESSAGE(BENCH_IN_FLIGHT, "{0} in flight on average")
ASSAY_MESSAGE(BENCH_AT_LIMIT, "Were the limit of concurrency always reached, a request would take "
                              "{0}, a token of its output {1}.")
ASSAY_MESSAGE(BENCH_BETWEEN, "{0} to {1}")
ASSAY_MESSAGE(BENCH_DISAGREES, "{0}: {1} is printed, and the other figures give {2}.")
ASSAY_MESSAGE(BENCH_FAILED, "{0} requests failed: they are not in the latencies.")
ASSAY_MESSAGE(
    BENCH_RETOKENIZED_LESS,
    "The text tokenized again has {0} % fewer tokens than the server counted; the rate is "
    "the server's.")
ASSAY_MESSAGE(BENCH_RETOKENIZED_MORE,
              "The text tokenized again has {0} % more tokens than the server counted; the rate is "
              "the server's.")
ASSAY_MESSAGE(BENCH_FEW_FOR_P99, "{0} requests are too few for a 99th percentile: it is their "
                                 "maximum or nearly so.")
ASSAY_MESSAGE(BENCH_FEW_WAVES,
              "{0} requests at a concurrency of {1}: filling and draining take much "
              "of the run, and the rates are below the steady ones.")
ASSAY_MESSAGE(BENCH_OVER_LIMIT, "{0} requests in flight on average are more than the limit of {1}.")
ASSAY_MESSAGE(BENCH_CHUNKED,
              "Median ITL is {0} ms and median TPOT {1} ms: several tokens came in a chunk, or the "
              "client could not keep up.")
ASSAY_MESSAGE(BENCH_REASONING,
              "The first token came after {0} s, the first of the answer after {1} s: "
              "the tokens before are of its reasoning.")
ASSAY_MESSAGE(BENCH_NO_START, "Times are since 1970, and no line gives request_start: no TTFT.")
ASSAY_MESSAGE(BENCH_FIRST_BUCKET,
              "The 99th percentile lies in the first bucket: all that is known is "
              "that it is at most {0} ms.")
ASSAY_MESSAGE(
    BENCH_DEFINES_VLLM,
    "TTFT counts from leaving the client's queue to the first chunk, even an empty one; "
    "TPOT is (E2E - TTFT)/(tokens - 1); ITL pools the gaps between chunks of all requests.")
ASSAY_MESSAGE(BENCH_DEFINES_SGLANG,
              "TTFT counts from leaving the client's queue to the first text; TPOT is (E2E - "
              "TTFT)/(tokens - 1); ITL pools the gaps between chunks; E2E ends with the last line.")
ASSAY_MESSAGE(BENCH_DEFINES_AIPERF,
              "TTFT ends with the first message of any kind; its inter-token latency is (E2E - "
              "TTFT)/(tokens - 1), a value a request, shown as TPOT; ITL are the gaps between "
              "chunks.")
ASSAY_MESSAGE(BENCH_DEFINES_GUIDELLM,
              "Its inter-token latency is (end - first)/(tokens - 1), a value a request, shown as "
              "TPOT; its time_per_output_token holds TTFT and is left out.")
ASSAY_MESSAGE(BENCH_DEFINES_LLAMA, "One sequence: pp is the prompt alone, tg the generation alone, "
                                   "without sampling and HTTP.")
ASSAY_MESSAGE(
    BENCH_DEFINES_STREAM,
    "TTFT is the first token of any kind, reasoning and tool calls included; a chunk counts "
    "as one token unless the server says how many there were.")
ASSAY_MESSAGE(
    BENCH_DEFINES_PROMETHEUS,
    "Since the engine's start. A mean is the sum over the count; a percentile is only known "
    "to lie in a bucket.")
