#!/usr/bin/env bash
# Shows serving sentence by sentence: how many of which accelerator, how fast, what a million tokens costs.
# Run by hand from anywhere:   tests/acceptance/issue_5_serving.sh
# Needs build/release (./dev build) and build/asan (./dev test builds it). Takes about two minutes.
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/common.sh
assay=build/release/assay
seed=examples/seed-b-llama3-8b-serving.yaml
unit() { build/asan/tests/"$1" 2>&1; }
answer() { # PYTHON-EXPRESSION verb arguments...
    local expression=$1
    shift
    $assay "$@" --json >"$scratch/answer.json" 2>"$scratch/err" || [ $? -eq 1 ] || { cat "$scratch/err"; return 1; }
    json "$scratch/answer.json" "$expression"
}
job() { # KEY: VALUE lines laid into the seed job's serve mapping
    sed "s|^    rate: 60.*|    rate: 60\n$1|" $seed >"$scratch/job.yaml"
}

section 'Step model'
show 'MHA, GQA, MLA, windows, hybrid layers, experts, weight and KV types, TP, PP, DP attention, EP, small all-reduces, host, drafts, LM head: by hand' unit test_serve_step
show 'KV blocks by engine rule, and the reported count instead; cases 01, 02, 03, 06, 09' run_cases
show 'engines are rows: vLLM and TensorRT-LLM by version, SGLang, llama.cpp, DeepSpeed-MII' sh -c "cut -d, -f1 data/engines.csv data/engine_memory.csv | sort -u | tr '\n' ' '"
show 'their constants are fitted by assay calibrate, few for each engine and accelerator' sh -c "$assay calibrate --data data/measured/inference.csv | head -1"

section 'Closed form'
show 'layouts of TP, PP, attention over DP with EP, budgets, replicas, prompts apart; Pareto; the fleet' answer 'len(d["candidates"][0]["layouts"]) > 3 and d["candidates"][0]["fleet"] is not None' decide $seed
show 'prompts on replicas of their own are among them, with rate matching' sh -c "$assay decide $seed | grep -m1 prefill"
show 'fewest replicas, dearer never cheaper, stricter never smaller: properties' unit test_serve_plan
several() { job '    models_per_host: 4' && answer 'd["verdict"]["choice"]' decide "$scratch/job.yaml"; }
show 'several models on one host (B3)' several
formats() { sed 's/precision: fp16/precision: [fp16, fp8]/' $seed >"$scratch/job.yaml" && answer 'len({l.get("precision") or l.get("weights") for c in d["candidates"] for l in c["layouts"]}) > 1' decide "$scratch/job.yaml"; }
show 'number formats are searched where the job leaves them open' formats

section 'Simulation'
show 'prefix cache, drafts, prompts apart, static batches, time-outs, loss, routers: same token times as one step at a time' unit test_simulate
show 'traces of Azure, BurstGPT, Mooncake: columns, units, errors with their place' unit test_request_trace
show 'TTFT, TPOT, ITL, E2E, goodput, KV, energy' sh -c "$assay simulate $seed --requests 2000 | head -12 | tail -2"
trace() { $assay simulate $seed --requests 500 --chrome-trace "$scratch/trace.json" >/dev/null && json "$scratch/trace.json" 'len(d["traceEvents"] if isinstance(d, dict) else d) > 100'; }
show 'Chrome trace' trace
show 'largest rate within the limits, by MLPerf'\''s binomial rule' sh -c "$assay simulate $seed --find-rate --requests 20000 | grep -i -m1 'rate'"
same() { $assay simulate $seed --requests 3000 --json >"$scratch/a" && build/asan/assay simulate $seed --requests 3000 --json >"$scratch/b" && cmp "$scratch/a" "$scratch/b" && echo 'two builds, same bytes'; }
show 'same seed, same bytes with another optimisation' same
drafts() { job '    speculation: {tokens: 4, acceptance: 0.7, draft_share: 0.1}' && $assay simulate "$scratch/job.yaml" --requests 1000 | head -3; }
show 'drafts in the simulation of a job' drafts
prefix() { job '    prefix_share: 0.5' && $assay simulate "$scratch/job.yaml" --requests 1000 | head -3; }
show 'a shared prefix in the simulation of a job' prefix

section 'Images'
show 'SDXL, SD 1.5, FLUX: parameters and FLOPs of their networks' unit test_image_ops
show 'images/s, latency, USD for 1,000 images, fleet' answer 'd["verdict"]["choice"]' decide examples/seed-b-sdxl.yaml
show 'against the MLPerf SDXL rows' sh -c "$assay score --data data/measured/inference.csv | grep MLP41"

section 'Accuracy'
./dev validate >"$scratch/validate" 2>&1
show './dev validate: every ceiling, own fit, families and accelerators left out' sh -c "! grep ABOVE $scratch/validate && grep -E 'worst_median|worst_p90|median@left_out|over_roofline' $scratch/validate | tail -3"
show 'data/calibration.csv holds the constants that the rows give' sh -c "! grep 'other constants' $scratch/validate && grep -c 'holds these constants' $scratch/validate"

section 'Decision'
show 'the article against the prediction: rate, P99, cost of a token, tokens a watt' answer 'len(d["claims"]) >= 6' decide $seed
show 'MI350X, A100 80GB, H100 PCIe; month, fleet, USD/M tokens in, out and cached' sh -c "$assay decide $seed | grep -m1 'h100-pcie'"
show 'the line that starts a replica, for its vendor' sh -c "$assay decide $seed | grep -A1 -m1 'start a replica'"
show 'one page, spreadsheet and Markdown too' sh -c "for k in html csv md; do $assay report $seed -o $scratch/r.\$k || exit 1; done; ls $scratch/r.html"
show 'all cases pass, 24, 25, 28, 32, 68, 70, 71, 73 among them' run_cases
LINES_SHOWN=4 show 'bench: steps, search, simulated requests' sh -c "./dev bench | grep -E 'serving|simulated'"

printf '\n%d shown, %d not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
