/* ASSAY_MESSAGE(ID, "English sentence with {0}"). Included several times, so no guard; one row a
   sentence, grouped by the module that says it. */

/* resolve: the notes */
ASSAY_MESSAGE(RESOLVE_WITH_RANGE, "{0} ({1} to {2})")
ASSAY_MESSAGE(RESOLVE_LINKS, "{0} links")
ASSAY_MESSAGE(RESOLVE_PAIRS_DIFFER, "{0} of {1} pairs differ")
ASSAY_MESSAGE(RESOLVE_LINKS_FOUND,
              "found on {0}, in place of those of the catalog's fabric {1}; the "
              "rate of one link is the catalog's")
ASSAY_MESSAGE(RESOLVE_LINKS_KEPT,
              "the catalog's links are kept: they are no switch or mesh whose links can be counted")
ASSAY_MESSAGE(RESOLVE_SEQUENCE_LONG,
              "the sequence is longer than the {0} positions {1} was made for")
ASSAY_MESSAGE(RESOLVE_NET_UNSURE, "no measured run says how fast {0} trains: the interval is wide")
ASSAY_MESSAGE(RESOLVE_TOKENS, "{0} tokens")
ASSAY_MESSAGE(RESOLVE_SEQUENCES, "{0} sequences")
ASSAY_MESSAGE(RESOLVE_ENGINE_DOES, "what {0} {1} does by itself (engine_memory.csv)")
ASSAY_MESSAGE(RESOLVE_ENGINE_DOES_NOW, "what {0} of today does by itself (engine_memory.csv)")
ASSAY_MESSAGE(RESOLVE_NETWORK, "{0} network")
ASSAY_MESSAGE(RESOLVE_NETWORK_IS, "{0} x {1}, {2}")
ASSAY_MESSAGE(RESOLVE_NETWORK_FROM, "rate: {0}; number: {1}")
ASSAY_MESSAGE(RESOLVE_NODE_POWER, "{0} node power")
ASSAY_MESSAGE(RESOLVE_NODE_POWER_LOW,
              "node power {0} is below its accelerators' own {1}; the host is counted as 0")
ASSAY_MESSAGE(RESOLVE_PROVIDER_PRICES,
              "what {0} providers ask in {1} offers in prices.csv, the median of each")
ASSAY_MESSAGE(RESOLVE_TERMS_SET,
              "money.terms says {0}: only what is named or given counts beside the article's terms")
ASSAY_MESSAGE(RESOLVE_PURCHASE_PRICE, "{0} purchase price")
ASSAY_MESSAGE(RESOLVE_RENT, "{0} rent")
ASSAY_MESSAGE(RESOLVE_A_NODE, "{0} a node")
ASSAY_MESSAGE(RESOLVE_A_NODE_CLAIM, "{0} a node, a claim")
ASSAY_MESSAGE(RESOLVE_NODES, "{0} nodes")
ASSAY_MESSAGE(RESOLVE_GEMM_SHAPES, "{0} matrix products")
ASSAY_MESSAGE(RESOLVE_GEMM_SHAPES_ARE, "{0} measured shapes in {1} lead near them, else the model")
ASSAY_MESSAGE(RESOLVE_RESIDUAL_YEARS, "from the share after {0} years, falling at the same rate")
ASSAY_MESSAGE(RESOLVE_MEDIAN_PRICES, "median of {0} offers in prices.csv")
ASSAY_MESSAGE(RESOLVE_RENT_RESERVED_1Y, "{0} rent, reserved for a year")
ASSAY_MESSAGE(RESOLVE_RENT_RESERVED_3Y, "{0} rent, reserved for three years")
ASSAY_MESSAGE(RESOLVE_RENT_SPOT, "{0} rent, spot")
ASSAY_MESSAGE(RESOLVE_FX, "{0} {1} for 1 USD, {2}")
ASSAY_MESSAGE(RESOLVE_LONG_RUN, "counted because so long a run is stopped at least once")
ASSAY_MESSAGE(RESOLVE_CURVE, "by the curve that money.depreciation names")
ASSAY_MESSAGE(RESOLVE_FIT, "the work of the move follows what does not fit")
ASSAY_MESSAGE(RESOLVE_CLAIM, "{0}, {1}: the article says {2}, the catalog has {3} (factor {4})")
ASSAY_MESSAGE(RESOLVE_CLAIM_SPARSE,
              "{0}, {1}: the article says {2}, the catalog has {3} (factor {4}; "
              "twice the dense rate, as with 2:4 sparsity)")
ASSAY_MESSAGE(RESOLVE_CLAIM_BELOW,
              "{0}, {1}: the article says {2}, the catalog has {3} (factor {4}; "
              "below the public range)")
ASSAY_MESSAGE(RESOLVE_CLAIM_ABOVE,
              "{0}, {1}: the article says {2}, the catalog has {3} (factor {4}; "
              "above the public range)")
ASSAY_MESSAGE(RESOLVE_CLAIM_INSIDE,
              "{0}, {1}: the article says {2}, the catalog has {3} (factor {4}; "
              "inside the public range)")

/* decide */
ASSAY_MESSAGE(DECIDE_YES, "yes")
ASSAY_MESSAGE(DECIDE_NO, "no")
ASSAY_MESSAGE(DECIDE_JOIN, "{0}; {1}")
ASSAY_MESSAGE(DECIDE_RANGE, "{0} to {1}")
ASSAY_MESSAGE(DECIDE_ALMOST_SURE, "more than 99 %")
ASSAY_MESSAGE(DECIDE_ALMOST_NEVER, "less than 1 %")
ASSAY_MESSAGE(DECIDE_VERDICT_CHEAPER,
              "Choose {0}: {1} cheaper for this run than {2} ({3} against {4}), {5} sure; it takes "
              "{6} against {7}.")
ASSAY_MESSAGE(DECIDE_VERDICT_CLOSE,
              "Too close to call: {0} is {1} cheaper for this run than {2} ({3} against {4}), but "
              "only {5} sure; it takes {6} against {7}.")
ASSAY_MESSAGE(DECIDE_VERDICT_SAME,
              "Too close to call: {0} and {1} cost the same for this run ({2}); {0} comes out "
              "cheapest in {3} of the draws; it takes {4} against {5}.")
ASSAY_MESSAGE(DECIDE_VERDICT_ONLY,
              "{0} costs {1} for this run and takes {2}; there is nothing to compare it with.")
ASSAY_MESSAGE(DECIDE_VERDICT_ONLY_ELIGIBLE,
              "Choose {0}: the only candidate that fits the job and its deadline, {1} for this run "
              "in {2}.")
ASSAY_MESSAGE(DECIDE_VERDICT_NO_CANDIDATE, "There is no candidate.")
ASSAY_MESSAGE(DECIDE_VERDICT_NOTHING_FITS, "No candidate fits: {0}")
ASSAY_MESSAGE(DECIDE_VERDICT_ALL_LATE,
              "No candidate meets the deadline of {0}: the fastest, {1}, takes {2}, {3} times as "
              "long.")
ASSAY_MESSAGE(SERVING_NOTHING_FITS, "No candidate serves this demand within its limits.")
ASSAY_MESSAGE(SERVING_ONLY, "Only {0} serves this demand: {1} x {0}, {2} a month.")
ASSAY_MESSAGE(SERVING_VERDICT, "{1} x {0} serve this demand at the least cost, {2} a month; {3} "
                               "costs {4} % more over the years. "
                               "{0} is cheapest in {5} of the samples.")
ASSAY_MESSAGE(DECIDE_FLIP_FIT, "share of the code that fits HIP")
ASSAY_MESSAGE(DECIDE_FLIP_SHARE, "compute share of the device time")
ASSAY_MESSAGE(
    DECIDE_MAP_A2,
    "Map: at a compute share of {0}, {1} and {2} of the code fitting HIP {3} is cheaper than "
    "{4} in {5} of the samples (seed-a A2 says that it can pay).")
ASSAY_MESSAGE(DECIDE_MAP, "Map of {0} and {1}: {2} is cheaper than {3} in {4} of {5} cells.")
ASSAY_MESSAGE(DECIDE_MAP_OUT,
              "Map of {0} and {1}: {2} is cheaper than {3} in {4} of {5} cells; in {6} "
              "only {2} can do the work, in {7} only {3}, in {8} neither.")
ASSAY_MESSAGE(DECIDE_MAP_DAYS, "length of the run in days")
ASSAY_MESSAGE(DECIDE_MAP_PRICE, "price of {0}")
ASSAY_MESSAGE(DECIDE_MEASURE, "{0}: knowing it before choosing is worth {1}: {2}")
ASSAY_MESSAGE(DECIDE_MEASURE_OF, "{0} of {1}: knowing it before choosing is worth {2}: {3}")

/* images: decision and report */
ASSAY_MESSAGE(IMAGE_NOTHING_FITS, "No candidate makes these images within their limit.")
ASSAY_MESSAGE(IMAGE_ONLY,
              "Only {0} makes these images: {1} x {0}, {2} a month, {3} for 1,000 images.")
ASSAY_MESSAGE(IMAGE_VERDICT,
              "{1} x {0} make these images at the least cost, {2} a month, {3} for 1,000 "
              "images; {4} costs {5} % more over the years. {0} is cheapest in {6} of the "
              "samples.")
ASSAY_MESSAGE(IMAGE_FLIP_REQUEST, "request time of {0} over the predicted one")
ASSAY_MESSAGE(IMAGE_CLAIM_INSIDE,
              "{0}: the article says {1} for this request, predicted are {2} ({3} to {4}): "
              "inside the interval. It would reach {5} % of the part's dense peak.")
ASSAY_MESSAGE(IMAGE_CLAIM_OUTSIDE,
              "{0}: the article says {1} for this request, predicted are {2} ({3} to {4}): {6} "
              "times the prediction. It would reach {5} % of the part's dense peak.")
ASSAY_MESSAGE(IMAGE_JOB, "{0}, {1} x {2}, {3} steps, {4}, {5} images a request, {6}, {7}")
ASSAY_MESSAGE(IMAGE_GUIDED, "with guidance")
ASSAY_MESSAGE(IMAGE_UNGUIDED, "without guidance")
ASSAY_MESSAGE(IMAGE_AT_RATE, "{0} requests a second")
ASSAY_MESSAGE(IMAGE_AT_ONCE, "{0} requests at a time")
ASSAY_MESSAGE(IMAGE_FLEET, "{1} on {0}")
ASSAY_MESSAGE(IMAGE_RANGE, "{0} ({1} to {2})")
ASSAY_MESSAGE(IMAGE_HEADING_SPEED, "Speed and latency")
ASSAY_MESSAGE(IMAGE_COLUMN_FLEET, "devices on nodes")
ASSAY_MESSAGE(IMAGE_COLUMN_PRICE, "{0}/1000 images")
ASSAY_MESSAGE(IMAGE_COLUMN_BUSY, "if never idle")
ASSAY_MESSAGE(IMAGE_COLUMN_PER_W, "images/s/W")
ASSAY_MESSAGE(IMAGE_COLUMN_REQUEST, "a request alone")
ASSAY_MESSAGE(IMAGE_COLUMN_LATENCY, "p50 / p99")
ASSAY_MESSAGE(IMAGE_COLUMN_PER_DEVICE, "images/s/device")
ASSAY_MESSAGE(IMAGE_COLUMN_PEAK, "of peak")
ASSAY_MESSAGE(IMAGE_COLUMN_ENGINE, "engine, basis")
ASSAY_MESSAGE(IMAGE_NO_MEMORY,
              "{0}: weights of {1}, activations of {2} and {3} of context do not fit into {4} "
              "of one device.")
ASSAY_MESSAGE(IMAGE_NO_LIMITS, "{0}: a request alone takes {1}, longer than the limit of {2}.")
ASSAY_MESSAGE(IMAGE_NO_NODES, "{0}: {1} nodes are needed, there are {2}.")
ASSAY_MESSAGE(IMAGE_PART_MATRIX, "convolutions, linear layers")
ASSAY_MESSAGE(IMAGE_PART_ATTENTION, "attention")
ASSAY_MESSAGE(IMAGE_PART_STREAM, "norms, activations, residuals")
ASSAY_MESSAGE(IMAGE_PART_LAUNCH, "launches")
ASSAY_MESSAGE(IMAGE_PART_HOST, "waiting for the host")
ASSAY_MESSAGE(IMAGE_CHART_TITLE, "Where the time of a request goes")
ASSAY_MESSAGE(IMAGE_CHART_TAKEAWAY, "One request alone; the line is the interval of eight in ten.")

/* decide, of training */

/* decide, of training */
ASSAY_MESSAGE(DECIDE_REFUSED, "{0} does not fit: {1} (needs {2}, has {3}).")
ASSAY_MESSAGE(DECIDE_REFUSED_NO_LAYOUT, "{0} does not fit: no layout was left to try.")
ASSAY_MESSAGE(DECIDE_REASON_HARDWARE, "servers and accelerators, less what is left of them")
ASSAY_MESSAGE(DECIDE_REASON_SAVES, "{0}: {1} pays {2} less than {3}.")
ASSAY_MESSAGE(DECIDE_REASON_COSTS, "{0}: {1} pays {2} more than {3}.")
ASSAY_MESSAGE(DECIDE_REASON_SPEED, "{0} runs at {1} times the speed of {2}.")
ASSAY_MESSAGE(DECIDE_REASON_SAME_SPEED, "{0} and {1} are equally fast.")
ASSAY_MESSAGE(DECIDE_REASON_BASIS,
              "The prediction for {0} is {1}: its true step time is within {2} to {3} of the "
              "predicted one in 8 of 10 cases.")
ASSAY_MESSAGE(
    DECIDE_REASON_STOPS,
    "{0} is stopped {1} times in {2}, as expected: each time costs {3}; with a checkpoint "
    "every {4}, which wastes least, {5} of the hours are useful.")
ASSAY_MESSAGE(
    DECIDE_REASON_TOKEN,
    "A token on {0} takes {1} J at the meter ({2} to {3} in 8 of 10 cases), {4} J of them "
    "in the accelerators; the hosts draw {5} of a node's power.")
ASSAY_MESSAGE(DECIDE_REASON_DEADLINE,
              "{0} takes {1} of the {2} until the deadline, {3} sure to meet it.")
ASSAY_MESSAGE(DECIDE_REASON_LATE,
              "{0} takes {1} and misses the deadline of {2} (it would cost {3}).")
ASSAY_MESSAGE(DECIDE_FLIP_PURCHASE, "purchase price of one {0}")
ASSAY_MESSAGE(DECIDE_FLIP_RENT, "hourly price of one {0}")
ASSAY_MESSAGE(DECIDE_FLIP_RUN, "length of the run")
ASSAY_MESSAGE(DECIDE_FLIP_YEARS, "years that are counted")
ASSAY_MESSAGE(DECIDE_FLIP_ELECTRICITY, "electricity price")
ASSAY_MESSAGE(DECIDE_FLIP_UTILISATION, "utilisation of owned nodes")
ASSAY_MESSAGE(DECIDE_FLIP_STEP, "step time of {0} over the predicted one")
ASSAY_MESSAGE(DECIDE_FLIP_MIGRATION, "migration work in all")
ASSAY_MESSAGE(DECIDE_FLIP_AT, "{0}: now {1}; at {2} the choice becomes {3}.")
ASSAY_MESSAGE(DECIDE_FLIP_HERE, "{0}: now {1}; the least change makes {2} the choice.")
ASSAY_MESSAGE(DECIDE_FLIP_NOBODY, "{0}: now {1}; at {2} no candidate meets the deadline.")
ASSAY_MESSAGE(DECIDE_FLIP_NONE, "{0}: now {1}; the choice stands from {2} to {3}.")
ASSAY_MESSAGE(DECIDE_ANSWER_ROCM_DEBUGGERS, "people who know ROCm debugging")
ASSAY_MESSAGE(DECIDE_ANSWER_HIP_CI, "continuous integration checks HIP")
ASSAY_MESSAGE(DECIDE_ANSWER_CUDA_ONLY_SHARE, "CUDA-only share")
ASSAY_MESSAGE(DECIDE_ANSWER_HIP_FIT, "HIP fit")
ASSAY_MESSAGE(DECIDE_ANSWER_RAW_BYTES, "raw data")
ASSAY_MESSAGE(DECIDE_ANSWER_NOTEBOOKS, "prototyping in notebooks")
ASSAY_MESSAGE(DECIDE_ANSWER_NEEDS_TENSORRT, "TensorRT needed")
ASSAY_MESSAGE(DECIDE_ANSWER_HARDWARE_BUDGET_USD, "hardware budget")
ASSAY_MESSAGE(DECIDE_ANSWER_COMPUTE_SHARE, "compute share")
ASSAY_MESSAGE(DECIDE_ANSWER_RUN_DAYS, "run length")
ASSAY_MESSAGE(DECIDE_ANSWER_MFU, "FLOPs utilisation (MFU)")
ASSAY_MESSAGE(DECIDE_ANSWER_MIGRATION_OVER_SAVING, "cost of moving over what it saves")
ASSAY_MESSAGE(DECIDE_EVIDENCE_JOB, "{0}: {1} (from the job)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_PREDICTED, "{0}: {1} (predicted for {2})")
ASSAY_MESSAGE(DECIDE_EVIDENCE_BUDGET, "{0}: {1} (purchase of {2}, the cheapest to buy)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_PAYBACK,
              "moving costs {0}, purchase and 3 years of electricity save {1} (predicted)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_NO_SAVING,
              "moving costs {0}, and purchase and 3 years of electricity cost {1} more (predicted)")
ASSAY_MESSAGE(DECIDE_EVIDENCE_UNKNOWN, "unknown: give {0}")
ASSAY_MESSAGE(DECIDE_EVIDENCE_NO_PREDICTION, "unknown: no candidate fits, so nothing is predicted")
ASSAY_MESSAGE(DECIDE_RULES,
              "{0} Conditions that hold: {1}; recommendations: {2}; reasons to defer: {3}.")
ASSAY_MESSAGE(DECIDE_RULES_SHARE, "{0} of {1}")
ASSAY_MESSAGE(DECIDE_RULES_REMARK, "{0} {1}.")
ASSAY_MESSAGE(DECIDE_RULES_AGREE, "The article's rules and the money agree on {0} ({1}).")
ASSAY_MESSAGE(DECIDE_RULES_FOR_MOVE,
              "The article's rules and the money disagree: the rules speak for moving ({0}), the "
              "money for {1}. Money decides.")
ASSAY_MESSAGE(DECIDE_RULES_AGAINST_MOVE,
              "The article's rules and the money disagree: the rules speak against moving ({0}), "
              "the money for {1}. Money decides.")
ASSAY_MESSAGE(DECIDE_RULES_OPEN,
              "The article's rules leave it open ({0}); the money decides for {1}.")
ASSAY_MESSAGE(DECIDE_RULES_NO_MOVER,
              "No candidate that fits needs a port: the article's rules about moving do not apply.")
ASSAY_MESSAGE(DECIDE_RULES_NO_CHOICE,
              "No candidate is left to choose: the article's rules have nothing to agree with.")
ASSAY_MESSAGE(DECIDE_RULES_WHY_ALL, "all its conditions hold")
ASSAY_MESSAGE(DECIDE_RULES_WHY_FAILED, "not met: {0}; {1}")
ASSAY_MESSAGE(DECIDE_RULES_WHY_UNKNOWN, "unknown: {0}")
ASSAY_MESSAGE(DECIDE_SOURCE_OWN, "assumption of this project")
ASSAY_MESSAGE(DECIDE_SOURCE_PREDICTION, "prediction")
ASSAY_MESSAGE(DECIDE_NOTE_COMMON,
              "This share of the variance of ln(step time) is an error that all candidates have in "
              "common; it moves them together and does not blur who is cheaper.")
ASSAY_MESSAGE(DECIDE_NOTE_POWER, "The true mean draw of a node over the modelled one, p10 to p90.")
ASSAY_MESSAGE(DECIDE_NOTE_CONTINGENCY,
              "counted on the labour of moving (levels 1 to 3 and training), not on hardware")
ASSAY_MESSAGE(DECIDE_NOTE_DEBT, "counted for the years of the run, one year at least")
ASSAY_MESSAGE(DECIDE_NOTE_TRANSFERRED,
              "the prediction rests on measurements of a sibling: read its interval")
ASSAY_MESSAGE(DECIDE_NOTE_EXTRAPOLATED,
              "the prediction rests on a general prior, no measurement is near: read its "
              "interval")
ASSAY_MESSAGE(DECIDE_NOTE_OUTLIVES,
              "The run takes {1} of work on {0}, more than the {2} that its machines work in the "
              "years that are counted: they would have to be bought again.")
ASSAY_MESSAGE(DECIDE_CLOCK, "{0} clock")
ASSAY_MESSAGE(DECIDE_NOTE_CLOCK, "of the usual one, so that a package draws no more than {0}")
ASSAY_MESSAGE(DECIDE_NOTE_RACKS,
              "nodes_per_rack of {0} is not known: each node is taken to need a rack of its own.")

/* report */
ASSAY_MESSAGE(REPORT_TITLE, "Which accelerator for this job")
ASSAY_MESSAGE(REPORT_UNKNOWN, "unknown")
ASSAY_MESSAGE(REPORT_YES, "yes")
ASSAY_MESSAGE(REPORT_NO, "no")
ASSAY_MESSAGE(REPORT_TOTAL, "total")
ASSAY_MESSAGE(REPORT_OF, "of {0}")
ASSAY_MESSAGE(REPORT_HEADING_CANDIDATES, "Candidates")
ASSAY_MESSAGE(REPORT_HEADING_COST, "Cost of the job, and TCO over {0} at {1}")
ASSAY_MESSAGE(SERVING_HEADING_COST, "Cost around the clock, and TCO over {0}")
ASSAY_MESSAGE(SERVING_HEADING_LATENCY,
              "Latency at the demanded rate, of the fleet that is paid for")
ASSAY_MESSAGE(SERVING_HEADING_LAYOUTS, "Layouts of {0}")
ASSAY_MESSAGE(SERVING_LAUNCH, "start a replica: {0}")
ASSAY_MESSAGE(SERVING_COLUMN_FLEET, "replicas")
ASSAY_MESSAGE(SERVING_COLUMN_MONTH, "month")
ASSAY_MESSAGE(SERVING_COLUMN_TCO, "TCO p10-p90")
ASSAY_MESSAGE(SERVING_COLUMN_OUTPUT, "{0}/M output")
ASSAY_MESSAGE(SERVING_COLUMN_APART, "output apart")
ASSAY_MESSAGE(SERVING_COLUMN_PER_W, "tokens/s/W")
ASSAY_MESSAGE(SERVING_COLUMN_CHEAPEST, "cheapest")
ASSAY_MESSAGE(SERVING_COLUMN_TTFT, "TTFT p50 / p99")
ASSAY_MESSAGE(SERVING_COLUMN_TPOT, "TPOT p50 / p99")
ASSAY_MESSAGE(SERVING_COLUMN_E2E, "E2E p50 / p99")
ASSAY_MESSAGE(SERVING_COLUMN_LOAD, "load")
ASSAY_MESSAGE(SERVING_COLUMN_REPLICAS, "replicas")
ASSAY_MESSAGE(SERVING_COLUMN_RATE, "req/s")
ASSAY_MESSAGE(SERVING_COLUMN_PER_DEVICE, "tokens/s/device")
ASSAY_MESSAGE(SERVING_COLUMN_PER_USER, "tokens/s/user")
ASSAY_MESSAGE(SERVING_COLUMN_VERDICT, "verdict")
/* Fleets, prices apart, claims and charts of a service. */
ASSAY_MESSAGE(SERVING_IN_TURNS, ", in turns")
ASSAY_MESSAGE(SERVING_SPLIT, "{0} + {1} prefill")
ASSAY_MESSAGE(SERVING_ESTIMATED, "estimated")
ASSAY_MESSAGE(SERVING_FORMAT_KV, "{0}, {1} keys")
ASSAY_MESSAGE(SERVING_POINT, "{0}, {1} at a time")
ASSAY_MESSAGE(SERVING_HEADING_PRICE,
              "Cost of a million tokens in {0}, and what a watt and a device give")
ASSAY_MESSAGE(SERVING_HEADING_CLAIMS, "What the article says, and what is predicted for this job")
ASSAY_MESSAGE(SERVING_HEADING_LAUNCH, "How a replica is started")
ASSAY_MESSAGE(SERVING_COLUMN_NODES, "nodes")
ASSAY_MESSAGE(SERVING_COLUMN_INPUT, "input apart")
ASSAY_MESSAGE(SERVING_COLUMN_CACHED, "cached apart")
ASSAY_MESSAGE(SERVING_COLUMN_WEIGHTS, "weights")
ASSAY_MESSAGE(SERVING_COLUMN_TTFT_99, "TTFT p99")
ASSAY_MESSAGE(SERVING_COLUMN_TPOT_99, "TPOT p99")
ASSAY_MESSAGE(SERVING_COLUMN_CLAIM, "claim")
ASSAY_MESSAGE(SERVING_COLUMN_ARTICLE, "article")
ASSAY_MESSAGE(SERVING_COLUMN_HERE, "predicted")
ASSAY_MESSAGE(SERVING_COLUMN_UNIT, "unit")
ASSAY_MESSAGE(SERVING_COLUMN_FACTOR, "factor")
ASSAY_MESSAGE(SERVING_CLAIM, "{0}: {1}, {2}")
ASSAY_MESSAGE(SERVING_CLAIMS_MORE,
              "\"assay audit {0}\" holds the article's figures against each other.")
ASSAY_MESSAGE(SERVING_FLIP_RATE, "requests a second")
ASSAY_MESSAGE(SERVING_FLIP_YEARS, "length of the service in years")
ASSAY_MESSAGE(SERVING_FLIP_UTILISATION, "share of the hours in which owned nodes serve")
ASSAY_MESSAGE(SERVING_FLIP_OUTPUT, "output tokens of a request")
ASSAY_MESSAGE(SERVING_FLIP_NOBODY, "{0}: now {1}; at {2} no candidate serves it.")
ASSAY_MESSAGE(SERVING_CHART_PARETO, "What a device gives and what a user sees")
ASSAY_MESSAGE(SERVING_CHART_PARETO_SAYS,
              "Each point is a layout with so many sequences under way; nothing beats it in both.")
ASSAY_MESSAGE(SERVING_CHART_MONTH, "Cost of a month around the clock")
ASSAY_MESSAGE(
    SERVING_CHART_MONTH_SAYS,
    "Rent or hardware, electricity and operations of the fleet; the line spans p10 to p90.")
ASSAY_MESSAGE(SERVING_CHART_TTFT, "Time to the first token, p99")
ASSAY_MESSAGE(SERVING_CHART_TPOT, "Time of a later token, p99")
ASSAY_MESSAGE(SERVING_CHART_LATENCY_SAYS, "The line begins at the median; dashed: the job's limit.")
ASSAY_MESSAGE(SERVING_CHART_SPENT, "What has been paid")
ASSAY_MESSAGE(SERVING_CHART_SPENT_SAYS, "Moving once, then the bill of every month.")
ASSAY_MESSAGE(SERVING_AXIS_MONTHS, "months")
ASSAY_MESSAGE(SERVING_AXIS_TIME, "time")
ASSAY_MESSAGE(SERVING_MOVING, "{0}: the TCO holds {1} for moving, once; a month does not.")
ASSAY_MESSAGE(SERVING_BASIS, "{0}: {1}; true times are {2} to {3} of the predicted ones (80 %).")
ASSAY_MESSAGE(SIMULATE_HEADING, "{0}: {1}, {2} requests")
ASSAY_MESSAGE(SIMULATE_COLUMN_WHAT, "what")
ASSAY_MESSAGE(SIMULATE_COLUMN_MEAN, "mean")
ASSAY_MESSAGE(SIMULATE_TOKENS,
              "{0} requests/s, {1} output tokens/s; a replica steps {2} of the time and holds {3} "
              "tokens of {4}.")
ASSAY_MESSAGE(SIMULATE_EVENTS, "{0} preemptions; {1} requests refused as too long.")
ASSAY_MESSAGE(SIMULATE_GOOD, "{0} of the requests keep the limits of TTFT, TPOT and E2E.")
ASSAY_MESSAGE(SIMULATE_CACHE,
              "{0} of the prompts' tokens were found in the cache; {1} blocks were evicted.")
ASSAY_MESSAGE(SIMULATE_ABANDONED,
              "{0} clients gave up after {1}; {2} tokens were made that nobody waited for.")
ASSAY_MESSAGE(SIMULATE_LOST,
              "{0} requests moved from the lost replica to others; {1} found none to serve them.")
ASSAY_MESSAGE(SIMULATE_POWER,
              "The accelerators draw {0} W each, {1} J for a token of output, without their hosts.")
ASSAY_MESSAGE(SIMULATE_SUPPORT,
              "As they wait together, the requests are worth {0} independent ones; a percentile "
              "that rests on fewer than ten of these is not shown.")
ASSAY_MESSAGE(SIMULATE_GROWS,
              "Requests wait ever longer: more come than are served, and the percentiles only tell "
              "for how long that was simulated.")
ASSAY_MESSAGE(SIMULATE_RATE,
              "Largest rate within the limits: {0} requests/s; {1} is too high. Of {2} requests "
              "{3} were slower, {4} may be: then 99 in 100 keep each limit, at 99 % confidence "
              "(MLPerf's rule, as if requests were independent).")
ASSAY_MESSAGE(SIMULATE_NO_RATE, "No rate keeps the limits: even {0} requests/s is too high.")
ASSAY_MESSAGE(SERVING_FITS, "serves it")
ASSAY_MESSAGE(SERVING_NO_LAYOUT, "does not divide")
ASSAY_MESSAGE(SERVING_NO_MEMORY, "no memory")
ASSAY_MESSAGE(SERVING_NO_LIMITS, "too slow")
ASSAY_MESSAGE(SERVING_NO_NODES, "too few nodes")
ASSAY_MESSAGE(REPORT_HEADING_SPEED, "Speed and size")
ASSAY_MESSAGE(REPORT_HEADING_LAYOUT, "Layout")
ASSAY_MESSAGE(REPORT_HEADING_WHY, "Why")
ASSAY_MESSAGE(REPORT_HEADING_FLIPS, "Where the answer flips")
ASSAY_MESSAGE(REPORT_HEADING_BEHIND, "What stands behind it")
ASSAY_MESSAGE(REPORT_HEADING_RULES, "Rules of thumb")
ASSAY_MESSAGE(REPORT_HEADING_WARNINGS, "Warnings")
ASSAY_MESSAGE(REPORT_HEADING_ASSUMPTIONS, "Assumptions and their sources")
ASSAY_MESSAGE(REPORT_HEADING_REPRODUCE, "How to reproduce")
ASSAY_MESSAGE(REPORT_COLUMN_CANDIDATE, "candidate")
ASSAY_MESSAGE(REPORT_COLUMN_JOB, "job")
ASSAY_MESSAGE(REPORT_COLUMN_RANGE, "p10-p90")
ASSAY_MESSAGE(REPORT_COLUMN_EPOCH, "per epoch")
ASSAY_MESSAGE(REPORT_COLUMN_TCO, "TCO")
ASSAY_MESSAGE(REPORT_COLUMN_BEST, "cheapest")
ASSAY_MESSAGE(REPORT_COLUMN_DAYS, "time")
ASSAY_MESSAGE(REPORT_COLUMN_STEP, "step")
ASSAY_MESSAGE(REPORT_COLUMN_TOKENS, "tokens/s")
ASSAY_MESSAGE(REPORT_COLUMN_IMAGES, "images/s")
ASSAY_MESSAGE(REPORT_COLUMN_SEQUENCES, "sequences/s")
/* what is counted of training: one, many, so many */
ASSAY_MESSAGE(REPORT_WORK_TOKEN, "token")
ASSAY_MESSAGE(REPORT_WORK_IMAGE, "image")
ASSAY_MESSAGE(REPORT_WORK_SEQUENCE, "sequence")
ASSAY_MESSAGE(REPORT_WORK_TOKENS, "tokens")
ASSAY_MESSAGE(REPORT_WORK_IMAGES, "images")
ASSAY_MESSAGE(REPORT_WORK_SEQUENCES, "sequences")
ASSAY_MESSAGE(REPORT_WORK_N_TOKENS, "{0} tokens")
ASSAY_MESSAGE(REPORT_WORK_N_IMAGES, "{0} images")
ASSAY_MESSAGE(REPORT_WORK_N_SEQUENCES, "{0} sequences")
ASSAY_MESSAGE(REPORT_COLUMN_MFU, "MFU")
ASSAY_MESSAGE(REPORT_COLUMN_ENERGY, "energy")
ASSAY_MESSAGE(REPORT_COLUMN_TOKEN, "token")
ASSAY_MESSAGE(REPORT_COLUMN_MEMORY, "memory")
ASSAY_MESSAGE(REPORT_COLUMN_BASIS, "basis")
ASSAY_MESSAGE(REPORT_COLUMN_NODES, "nodes")
ASSAY_MESSAGE(REPORT_COLUMN_DEVICES, "devices")
ASSAY_MESSAGE(REPORT_COLUMN_MICRO_BATCH, "micro-batch")
ASSAY_MESSAGE(REPORT_COLUMN_RECOMPUTE, "recompute")
ASSAY_MESSAGE(REPORT_COLUMN_SEQUENCE_PARALLEL, "SP")
ASSAY_MESSAGE(REPORT_COLUMN_STATE, "met")
ASSAY_MESSAGE(REPORT_COLUMN_RULE, "rule")
ASSAY_MESSAGE(REPORT_COLUMN_EVIDENCE, "evidence")
ASSAY_MESSAGE(REPORT_COLUMN_SOURCE, "source")
ASSAY_MESSAGE(REPORT_COLUMN_SUBJECT, "what")
ASSAY_MESSAGE(REPORT_COLUMN_VALUE, "value")
ASSAY_MESSAGE(REPORT_COLUMN_OPERATION, "operation")
ASSAY_MESSAGE(REPORT_COLUMN_OF_ROOF, "of the roof")
ASSAY_MESSAGE(REPORT_JOB, "{0} ({1} parameters), {2} tokens, sequence {3}, global batch {4}, {5}. "
                          "Prices: {6}. Money over {7} years at {8}.")
ASSAY_MESSAGE(REPORT_JOB_IMAGES,
              "{0} ({1} parameters), {2} images of {3} pixels, global batch {4}, {5}. "
              "Prices: {6}. Money over {7} years at {8}.")
ASSAY_MESSAGE(REPORT_JOB_SEQUENCES,
              "{0} ({1} parameters), {2} sequences of {3} tokens, global batch {4}, {5}. "
              "Prices: {6}. Money over {7} years at {8}.")
ASSAY_MESSAGE(REPORT_TAG_CHOICE, "choice")
ASSAY_MESSAGE(REPORT_TILE_CHOICE, "Choice")
ASSAY_MESSAGE(REPORT_TILE_MACHINES, "nodes: {0}, devices: {1}")
ASSAY_MESSAGE(REPORT_TILE_CHANCE, "Chance it is cheapest")
ASSAY_MESSAGE(REPORT_TILE_CHANCE_MORE, "all uncertainties drawn together")
ASSAY_MESSAGE(REPORT_TILE_COST, "Cost of the job")
ASSAY_MESSAGE(REPORT_TILE_RANGE, "p10-p90: {0} {1}")
ASSAY_MESSAGE(REPORT_TILE_SAVED, "Saved")
ASSAY_MESSAGE(REPORT_TILE_SAVED_MORE, "{0} against {1}")
ASSAY_MESSAGE(REPORT_TILE_TIME, "Takes")
ASSAY_MESSAGE(REPORT_TILE_DEADLINE, "allowed {0}, met with {1}")
ASSAY_MESSAGE(REPORT_TILE_NO_DEADLINE, "no deadline given")
ASSAY_MESSAGE(REPORT_TILE_REGRET, "Expected regret")
ASSAY_MESSAGE(REPORT_TILE_REGRET_MORE, "mean cost of having chosen wrongly")
ASSAY_MESSAGE(REPORT_CANDIDATES_FOOT,
              "Small figures: p10-p90. Cheapest: share of the samples in which this candidate "
              "costs least. TCO: present value of owning or renting for all the years, whether the "
              "job fills them or not.")
ASSAY_MESSAGE(REPORT_LAYOUT, "TP {0}, PP {1}, DP {2}, micro-batch {3}, ZeRO {4}")
ASSAY_MESSAGE(REPORT_LAYOUT_RECOMPUTE, "{0}, recompute {1}")
ASSAY_MESSAGE(REPORT_LAYOUT_SEQUENCE, "{0}, SP")
ASSAY_MESSAGE(REPORT_NOTE_VALUE, "{0} = {1}")
ASSAY_MESSAGE(REPORT_NOTE, "{0}: {1}")
ASSAY_MESSAGE(REPORT_SOURCED, "{0} ({1})")
ASSAY_MESSAGE(REPORT_REFUSED_MEMORY, "{0} (needs {1}, has {2})")
ASSAY_MESSAGE(REPORT_REFUSED_MEMORY_BY, "{0} (by {1}, has {2})")
ASSAY_MESSAGE(REPORT_DOES_NOT_FIT, "{0} does not fit: {1}; nearest layout: {2}.")
ASSAY_MESSAGE(REPORT_NO_LAYOUT, "{0} does not fit: no layout is possible.")
ASSAY_MESSAGE(REPORT_MISSES_DEADLINE, "{0} misses the deadline: it takes {1}, allowed are {2}.")
ASSAY_MESSAGE(
    REPORT_TCO_DIFFERS,
    "Kept for {0} years whatever runs on it, {1} costs less to own ({2} against {3}); the "
    "choice is about this run, which pays for the hours that it takes.")
ASSAY_MESSAGE(REPORT_EVEN_NONE, "What has been spent by then.")
ASSAY_MESSAGE(REPORT_EVEN_AFTER,
              "{0} has paid back its higher one-time cost against {1} after {2} ({3} of the job).")
ASSAY_MESSAGE(REPORT_EVEN_UNTIL, "{0} is cheaper than {1} up to {2} ({3} of the job); "
                                 "beyond that its higher running cost weighs more.")
ASSAY_MESSAGE(REPORT_EVEN_ALWAYS, "{0} is cheaper than {1} from the first {2} on.")
ASSAY_MESSAGE(REPORT_EVEN_NEVER, "{0} is never cheaper than {1}, however long the job.")
ASSAY_MESSAGE(REPORT_CHARTS_SOME, "The charts show {0} of the {1} candidates that fit.")
ASSAY_MESSAGE(REPORT_AS_TABLE, "The figures as a table")
ASSAY_MESSAGE(REPORT_AXIS_UNIT, "{0} [{1}]")
ASSAY_MESSAGE(REPORT_AXIS_COST, "cost")
ASSAY_MESSAGE(REPORT_AXIS_SPENT, "spent")
ASSAY_MESSAGE(REPORT_AXIS_WORK, "{0} trained")
ASSAY_MESSAGE(REPORT_AXIS_TIME, "time of one step")
ASSAY_MESSAGE(REPORT_AXIS_MEMORY, "peak memory of the fullest device")
ASSAY_MESSAGE(REPORT_AXIS_INTENSITY, "work per byte of device memory [FLOP/byte]")
ASSAY_MESSAGE(REPORT_AXIS_FLOPS, "speed of a device [TFLOP/s]")
ASSAY_MESSAGE(REPORT_CHART_TOTAL, "{0} {1}")
ASSAY_MESSAGE(REPORT_CHART_WITH_RANGE, "{0} {1} ({2})")
ASSAY_MESSAGE(REPORT_CHART_OF_LIMIT, "{0} of {1} {2}")
ASSAY_MESSAGE(REPORT_CHART_PART, "{0}: {1} {2}")
ASSAY_MESSAGE(REPORT_CHART_OP, "{0}, {1}: {2} FLOP/byte, {3} TFLOP/s")
ASSAY_MESSAGE(REPORT_CHART_EVEN, "break-even at {0}")
ASSAY_MESSAGE(REPORT_CHART_TORNADO, "What moves the answer")
ASSAY_MESSAGE(REPORT_CHART_TORNADO_SAYS,
              "Lead of {0} over {1} with one input at its 10th and 90th percentile, the others as "
              "they are; below 0 the choice flips.")
ASSAY_MESSAGE(REPORT_AXIS_LEAD, "lead in cost")
ASSAY_MESSAGE(REPORT_CHART_MAP, "Which is cheaper where")
ASSAY_MESSAGE(REPORT_CHART_MAP_AT, "Which is cheaper where; {0}: {1} {2}")
ASSAY_MESSAGE(REPORT_CHART_MAP_WINS, "{0} is cheaper")
ASSAY_MESSAGE(REPORT_CHART_MAP_ALONE, "only {0} can do it")
ASSAY_MESSAGE(REPORT_CHART_MAP_NEITHER, "neither can do it")
ASSAY_MESSAGE(REPORT_CHART_YEARS, "Paid over the years")
ASSAY_MESSAGE(REPORT_CHART_YEARS_SAYS,
              "Present value of owning or renting up to then, whatever runs. Band: p10-p90.")
ASSAY_MESSAGE(REPORT_AXIS_YEARS, "since the start")
ASSAY_MESSAGE(REPORT_CHART_JOB_END, "end of the job")
ASSAY_MESSAGE(REPORT_CHART_POINT, "{0}, {1}: {2} {3}, {4} {5}")
ASSAY_MESSAGE(REPORT_CHART_SWING, "{0} to {1}")
ASSAY_MESSAGE(REPORT_CHART_LOW, "at the low value")
ASSAY_MESSAGE(REPORT_CHART_HIGH, "at the high value")
ASSAY_MESSAGE(REPORT_CHART_MAP_CORNER, "{0}; down: {1}, across: {2}")
ASSAY_MESSAGE(REPORT_CHART_EDGE, "boundary")
ASSAY_MESSAGE(REPORT_CHART_EDGE_BAND, "boundary, p10 and p90")
ASSAY_MESSAGE(REPORT_CHART_NOW, "this job")
ASSAY_MESSAGE(REPORT_CHART_PARETO, "Speed against memory")
ASSAY_MESSAGE(REPORT_CHART_PARETO_SAYS,
              "Layouts that no other beats in both: to the left less memory, below faster.")
ASSAY_MESSAGE(REPORT_CHART_CHANCE, "How sure the cost is")
ASSAY_MESSAGE(REPORT_CHART_CHANCE_SAYS,
              "Share of the samples in which the job costs at most so much; steep is sure.")
ASSAY_MESSAGE(REPORT_AXIS_CHANCE, "share of the samples")
ASSAY_MESSAGE(REPORT_CHART_JOB, "What the job costs")
ASSAY_MESSAGE(REPORT_CHART_JOB_SAYS, "This run alone: its share of the hardware, energy, people, "
                                     "and the whole cost of moving. Whisker: p10-p90.")
ASSAY_MESSAGE(REPORT_CHART_TCO, "Total cost of ownership")
ASSAY_MESSAGE(REPORT_CHART_TCO_SAYS, "Present value over {0} years at {1}. Whisker: p10-p90.")
ASSAY_MESSAGE(REPORT_CHART_CUMULATIVE, "Spent as the work proceeds")
ASSAY_MESSAGE(REPORT_CHART_STEP, "Where a training step spends its time")
ASSAY_MESSAGE(REPORT_CHART_STEP_SAYS,
              "Exposed time; what hides behind computing is not shown. Whisker: p10-p90.")
ASSAY_MESSAGE(REPORT_CHART_MEMORY, "Does it fit")
ASSAY_MESSAGE(REPORT_CHART_MEMORY_SAYS,
              "The fullest device at its peak; the dashed line is what it has.")
ASSAY_MESSAGE(REPORT_CHART_ROOFLINE, "Roofline of one device")
ASSAY_MESSAGE(REPORT_CHART_ROOFLINE_SAYS, "Lines: what dense {0} peak and memory bandwidth allow. "
                                          "Points: operations of one layer as predicted.")
ASSAY_MESSAGE(REPORT_REPRODUCE,
              "with assay {0}; {1} samples, seed {2}. The same question gives the same report.")
ASSAY_MESSAGE(REPORT_REPRODUCE_DATA, "Fingerprint of the tables: {0}.")
ASSAY_MESSAGE(REPORT_APPENDIX, "Appendix for engineers")
ASSAY_MESSAGE(REPORT_COLUMN_POWER, "a device")
ASSAY_MESSAGE(
    REPORT_MACHINES_FOOT,
    "Memory: peak of the fullest device. Basis: how the step time is backed, from measured "
    "to extrapolated.")
ASSAY_MESSAGE(REPORT_HEADING_TERMS, "Cost by term: the choice and the runner-up")
ASSAY_MESSAGE(REPORT_HEADING_INPUTS,
              "What the lead of the choice rests on, and what to measure first")
ASSAY_MESSAGE(REPORT_COLUMN_TERM, "term")
ASSAY_MESSAGE(REPORT_COLUMN_JOB_CHOICE, "job")
ASSAY_MESSAGE(REPORT_COLUMN_JOB_OTHER, "runner-up")
ASSAY_MESSAGE(REPORT_COLUMN_TCO_CHOICE, "TCO")
ASSAY_MESSAGE(REPORT_COLUMN_TCO_OTHER, "runner-up")
ASSAY_MESSAGE(REPORT_COLUMN_INPUT, "input")
ASSAY_MESSAGE(REPORT_COLUMN_INPUT_RANGE, "p10-p90")
ASSAY_MESSAGE(REPORT_COLUMN_LEAD_LOW, "at p10")
ASSAY_MESSAGE(REPORT_COLUMN_LEAD_HIGH, "at p90")
ASSAY_MESSAGE(REPORT_COLUMN_EXPLAINS, "share")
ASSAY_MESSAGE(REPORT_COLUMN_WORTH, "worth")
ASSAY_MESSAGE(REPORT_INPUT_OF, "{0}, {1}")
ASSAY_MESSAGE(REPORT_PERFECT, "Knowing everything before choosing would save {0} on average.")
ASSAY_MESSAGE(REPORT_INVEST_LESS,
              "{0} costs {2} less at the start than {1}; over {3} it is worth {4} more.")
ASSAY_MESSAGE(REPORT_INVEST_SAME,
              "{0} costs as much at the start as {1}; over {2} it is worth {3} more.")
ASSAY_MESSAGE(
    REPORT_INVEST_PAYS,
    "{0} costs {2} more at the start than {1}, pays back after {3} (discounted), and over "
    "{4} is worth {5}; internal rate of return: {6}.")
ASSAY_MESSAGE(REPORT_INVEST_LOSES,
              "{0} costs {2} more at the start than {1} and does not pay back in {3}: {4} are "
              "lost if it is kept for them.")
ASSAY_MESSAGE(REPORT_CROSSED,
              "{0} has cost less in all than {1} after {2} in half of the samples, in the end in "
              "{3}.")
ASSAY_MESSAGE(
    REPORT_CROSSED_START,
    "{0} has cost less in all than {1} from the start in most samples, in the end in {2}.")
ASSAY_MESSAGE(REPORT_CROSSED_SELDOM,
              "{0} has cost less in all than {1} in the end in {2} of the samples.")
ASSAY_MESSAGE(
    REPORT_MOVE_OVER,
    "The labour of moving, {0}, exceeds its contingency in {1} of the samples, then by {2} "
    "on average.")
ASSAY_MESSAGE(REPORT_TERM_CAPEX, "servers, less residual value")
ASSAY_MESSAGE(REPORT_TERM_CAPEX_GROSS, "servers")
ASSAY_MESSAGE(REPORT_TERM_RESIDUAL, "residual value")
ASSAY_MESSAGE(REPORT_TERM_RETROFIT, "rack retrofit")
ASSAY_MESSAGE(REPORT_TERM_RENT, "rent")
ASSAY_MESSAGE(REPORT_TERM_ENERGY, "electricity")
ASSAY_MESSAGE(REPORT_TERM_OPERATIONS, "staff and upkeep")
ASSAY_MESSAGE(REPORT_TERM_MIGRATION_1, "migration: interfaces")
ASSAY_MESSAGE(REPORT_TERM_MIGRATION_2, "migration: kernels")
ASSAY_MESSAGE(REPORT_TERM_MIGRATION_3, "migration: ecosystem")
ASSAY_MESSAGE(REPORT_TERM_TRAINING, "training of engineers")
ASSAY_MESSAGE(REPORT_TERM_DEBT, "technical debt")
ASSAY_MESSAGE(REPORT_TERM_CONTINGENCY, "contingency")
ASSAY_MESSAGE(REPORT_TERM_NETWORK, "network")
ASSAY_MESSAGE(REPORT_TERM_STORAGE, "storage")
ASSAY_MESSAGE(REPORT_TERM_RACK, "racks")
ASSAY_MESSAGE(REPORT_TERM_FACILITY, "data centre")
ASSAY_MESSAGE(REPORT_TERM_COLOCATION, "colocation")
ASSAY_MESSAGE(REPORT_TERM_DEMAND, "demand charge")
ASSAY_MESSAGE(REPORT_TERM_SUPPORT, "support contract")
ASSAY_MESSAGE(REPORT_TERM_SPARES, "spares and exchange")
ASSAY_MESSAGE(REPORT_TERM_LICENCE, "software licences")
ASSAY_MESSAGE(REPORT_TERM_DUTY, "duty and sales tax")
ASSAY_MESSAGE(REPORT_TERM_PROPERTY_TAX, "property tax")
ASSAY_MESSAGE(REPORT_TERM_EGRESS, "egress")
ASSAY_MESSAGE(REPORT_TERM_CARBON, "price of carbon")
ASSAY_MESSAGE(REPORT_TERM_WAIT, "machines that wait")
ASSAY_MESSAGE(REPORT_TERM_TAX, "income tax saved")
ASSAY_MESSAGE(REPORT_TIME_GEMM, "matrix products")
ASSAY_MESSAGE(REPORT_TIME_ATTENTION, "attention")
ASSAY_MESSAGE(REPORT_TIME_MEMORY_BOUND, "memory-bound")
ASSAY_MESSAGE(REPORT_TIME_RECOMPUTE, "recompute")
ASSAY_MESSAGE(REPORT_TIME_TP_COMM, "tensor-parallel traffic")
ASSAY_MESSAGE(REPORT_TIME_CP_COMM, "context-parallel traffic")
ASSAY_MESSAGE(REPORT_TIME_EP_COMM, "traffic of experts")
ASSAY_MESSAGE(REPORT_TIME_PP_BUBBLE, "pipeline bubble")
ASSAY_MESSAGE(REPORT_TIME_PP_COMM, "pipeline traffic")
ASSAY_MESSAGE(REPORT_TIME_DP_COMM, "gradient traffic")
ASSAY_MESSAGE(REPORT_TIME_OPTIMIZER, "optimizer")
ASSAY_MESSAGE(REPORT_TIME_OFFLOAD, "state in the host")
ASSAY_MESSAGE(REPORT_TIME_HOST, "host and framework")
ASSAY_MESSAGE(REPORT_MEMORY_WEIGHTS, "weights")
ASSAY_MESSAGE(REPORT_MEMORY_GRADIENTS, "gradients")
ASSAY_MESSAGE(REPORT_MEMORY_OPTIMIZER, "optimizer state")
ASSAY_MESSAGE(REPORT_MEMORY_ACTIVATIONS, "activations")
ASSAY_MESSAGE(REPORT_MEMORY_LOGITS, "logits")
ASSAY_MESSAGE(REPORT_MEMORY_GATHERED, "gathered layers")
ASSAY_MESSAGE(REPORT_MEMORY_CONTEXT, "context and libraries")
ASSAY_MESSAGE(REPORT_MEMORY_FRAGMENTATION, "fragmentation")
ASSAY_MESSAGE(REPORT_HEADING_PARETO, "Fastest layout first; each further one needs less memory")
ASSAY_MESSAGE(REPORT_HEADING_PARTS, "What the fastest one spends")
ASSAY_MESSAGE(REPORT_HEADING_REFUSALS, "Why the others were refused")
ASSAY_MESSAGE(REPORT_COLUMN_AMOUNT, "amount")
ASSAY_MESSAGE(REPORT_COLUMN_SHARE, "share")
ASSAY_MESSAGE(REPORT_COLUMN_TIME_PART, "time of a step")
ASSAY_MESSAGE(REPORT_COLUMN_MEMORY_PART, "memory at the peak")
ASSAY_MESSAGE(REPORT_COLUMN_LAYOUTS, "layouts")
ASSAY_MESSAGE(REPORT_COLUMN_REFUSED, "reason")
ASSAY_MESSAGE(REPORT_PLAN_VISITED, "{0}: {2} layouts of {1} devices visited, {3} legal")
ASSAY_MESSAGE(REPORT_PLAN_BEST, "Fastest: {0}; {1} a step ({2})")
ASSAY_MESSAGE(REPORT_PLAN_CLOCK,
              "To draw no more than {0} a package clocks at {1} of what it would.")
ASSAY_MESSAGE(REPORT_HEADING_GROUPS, "By group")
ASSAY_MESSAGE(REPORT_HEADING_RANKING, "Ranking of accelerators on equal work")
ASSAY_MESSAGE(REPORT_HEADING_SKIPPED, "Skipped rows")
ASSAY_MESSAGE(REPORT_COLUMN_BY, "by")
ASSAY_MESSAGE(REPORT_COLUMN_GROUP, "group")
ASSAY_MESSAGE(REPORT_COLUMN_ROWS, "rows")
ASSAY_MESSAGE(REPORT_COLUMN_MEDIAN_ERROR, "median |error|")
ASSAY_MESSAGE(REPORT_COLUMN_P90_ERROR, "p90 |error|")
ASSAY_MESSAGE(REPORT_COLUMN_BIAS, "bias")
ASSAY_MESSAGE(REPORT_COLUMN_COVERAGE, "in p10-p90")
ASSAY_MESSAGE(REPORT_COLUMN_SKIPPED, "reason")
ASSAY_MESSAGE(REPORT_COLUMN_LEFT_OUT, "left out")
ASSAY_MESSAGE(REPORT_COLUMN_ACCELERATOR, "accelerator")
ASSAY_MESSAGE(REPORT_COLUMN_ENGINE, "engine")
ASSAY_MESSAGE(REPORT_COLUMN_MEDIAN, "median")
ASSAY_MESSAGE(REPORT_COLUMN_P90, "p90")
ASSAY_MESSAGE(REPORT_COLUMN_ROOFLINE, "roofline")
ASSAY_MESSAGE(REPORT_CALIBRATE,
              "{0} constants fitted to {1}; |error| of what was left out of the fit, by median and "
              "90 of 100 rows, and the median of the roofline alone:")
ASSAY_MESSAGE(REPORT_SCORE_ROWS, "{0} rows: {1} predicted, {2} skipped")
ASSAY_MESSAGE(REPORT_SCORE_ERROR, "Error: median {0}, p90 {1}, mean of the sources' medians {2}; "
                                  "bias (median of ln predicted/measured) {3}.")
ASSAY_MESSAGE(REPORT_SCORE_INTERVAL, "The p10-p90 interval holds {0} of the measurements (80 % "
                                     "would be right); interval score {1}, of "
                                     "bands of one width {2}.")
ASSAY_MESSAGE(REPORT_SCORE_DOES_NOT_FIT,
              "{0} of the predicted rows do not fit, says the memory model, although they ran.")
ASSAY_MESSAGE(REPORT_SCORE_RANKING, "{0}: {1} pairs, {2} ranked right; higher bf16 peak alone: {3}")

/* cli */
ASSAY_MESSAGE(CLI_JOB_FINE, "{0} is fine: {1} candidates, {2} assumptions and warnings.")
ASSAY_MESSAGE(CLI_OVERLAY, "Your table: {0}")
ASSAY_MESSAGE(CLI_ROWS_OF, "{0} of {1} rows of {2}.")
ASSAY_MESSAGE(CLI_VALUE_OF,
              "TFLOPS (dense), GiB and GB/s: what {0} buys. W/PFLOPS: watts for dense bf16.")
ASSAY_MESSAGE(CLI_SEARCH_NOTHING, "Nothing in the catalog holds all of these words.")
ASSAY_MESSAGE(CLI_SEARCH_MORE, "{0} more; --all prints them.")
ASSAY_MESSAGE(CLI_DIFF_SAME, "Your tables change no figure.")
ASSAY_MESSAGE(CLI_DIFF_FACTOR, "factor: the right figure over the left one.")
ASSAY_MESSAGE(CLI_CHECK_FINE, "{0} tables, {1} rows: no row is refused, {2} look odd.")
ASSAY_MESSAGE(CLI_CHECK_REFUSED, "{0} rows are refused.")
ASSAY_MESSAGE(CLI_CHECK_ODD, "odd: {0}")
ASSAY_MESSAGE(CLI_IMPORT_READ,
              "{0} price list: {1} rows read, {2} offers taken, {3} of them of no single board.")
ASSAY_MESSAGE(CLI_IMPORT_WITHOUT, "{0} rows offer no accelerator by the hour.")
ASSAY_MESSAGE(CLI_IMPORT_UNKNOWN,
              "{0} rows are of accelerators that the catalog does not know: {1}.")
ASSAY_MESSAGE(CLI_IMPORT_REFUSED, "{0} rows cannot be right and are left out:")
ASSAY_MESSAGE(CLI_IMPORT_KEPT, "Kept in {0}; they stand over the built-in prices.")
ASSAY_MESSAGE(CLI_IMPORT_DRY, "Nothing was kept.")
ASSAY_MESSAGE(CLI_OFFERS_WORK,
              "USD/EF: for 10^18 operations at the dense peak of the job's precision. Weights of "
              "{0} GB, {1} models a host.")
ASSAY_MESSAGE(CLI_OFFERS_HOURS,
              "By USD/h of the instances that hold one replica. Weights of {0} GB, {1} models a "
              "host.")
ASSAY_MESSAGE(CLI_OFFERS_COLUMNS,
              "count: instances x accelerators. ~: the price does not say which board it is. load: "
              "seconds to read the weights. age: days since the price was seen. RAM in GiB, local "
              "disks in GB; !: too little for the weights or the data.")
ASSAY_MESSAGE(CLI_OFFERS_REST,
              "Left out: {0} prices of parts that lack the precision or on which it does not fit, "
              "{1} of parts of which only prices are known.")
ASSAY_MESSAGE(CLI_CLAIMS_PER_USD,
              "claimed: the claimed figure over the claimed price; catalog: the catalog's over its "
              "own price; factor: one over the other.")
ASSAY_MESSAGE(CLI_CLAIMS_FACTOR, "factor: claimed over catalog.")
ASSAY_MESSAGE(CLI_CLAIMS_REST,
              "{0} more claims of this set speak of no figure that the catalog holds; "
              "\"assay catalog list claims\" prints them.")
ASSAY_MESSAGE(CLI_REPORT_WRITTEN, "The full report: {0}")

#include "assay/message_host_list.h"

/* report: years by their number, and how to have nodes over a load curve */
ASSAY_MESSAGE(REPORT_YEAR, "{0} year")
ASSAY_MESSAGE(REPORT_YEARS, "{0} years")

#include "assay/message_audit_list.h"
#include "assay/message_diff_list.h"
#include "assay/message_explain_list.h"
#include "assay/message_head_list.h"
#include "assay/message_load_list.h"
#include "assay/message_roadmap_list.h"
