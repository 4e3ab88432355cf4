#!/usr/bin/env bash
# Shows money and decision sentence by sentence: what it costs, how sure, what would change it.
# Run by hand from anywhere:   tests/acceptance/issue_6_money.sh
# Needs build/release (./dev build) and build/asan (./dev test builds it). Takes about two minutes.
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/common.sh
assay=build/release/assay
seed=examples/seed-a-65b-training.yaml
unit() { build/asan/tests/"$1" 2>&1; }
answer() { # PYTHON-EXPRESSION verb arguments...
    local expression=$1
    shift
    $assay "$@" --json >"$scratch/answer.json" 2>"$scratch/err" || [ $? -eq 1 ] || { cat "$scratch/err"; return 1; }
    json "$scratch/answer.json" "$expression"
}

section 'Terms'
show 'every term by hand, parts sum to the whole, dearer never cheaper, limits' unit test_money_terms
show 'each visible in the report' answer 'len(d["candidates"][0]["cost_terms_usd"]) >= 27 and len(d["candidates"][0]["cost_terms_usd"])' decide $seed
public=examples/seed-a-65b-training-public.yaml
notes() { answer 'sorted(n["subject"] + ": " + n["value"] for n in d["assumptions"] if n["value"] and n["subject"].startswith("money."))' decide "$@"; }
LINES_SHOWN=3 show 'every term with figure, range and source, or why it is not counted' notes $public
show 'terms of owners count without asking, the article alone where the job says so' unit test_resolve_money
show 'figures of a place: Germany' notes tests/golden/decide_site/job.yaml
refused() { # verb arguments...: wrong input, exit 2, and what to do
    $assay "$@" >"$scratch/printed" 2>"$scratch/err"
    [ $? -eq 2 ] && [ ! -s "$scratch/printed" ] && cat "$scratch/err"
}
show 'facility as capex or colocation, never both' refused decide $seed --terms colocation,facility
show 'currencies at a dated rate' answer 'd["fx"]["currency"] == "EUR" and d["fx"]' decide $seed --currency EUR

section 'Engine'
show 'Sobol points equal an independent table; Monte Carlo against closed forms; shared errors once' unit test_sobol
show 'the same' unit test_sampler
show 'named distributions, a list of quotes, prices that move together' sh -c "$assay decide tests/golden/decide_correlated/job.yaml | head -2"
show 'correlations that cannot hold together are refused' sh -c "! $assay decide tests/golden/bad_correlation/job.yaml 2>&1"
LINES_SHOWN=2 show 'more than 2,000,000 samples a second and core; a scenario below 2 us' sh -c "./dev bench | grep -E 'montecarlo|scenario'"
show 'worth of knowing, the most valuable measurement, tornado, payback, IRR' sh -c "$assay decide $seed | grep -i -m1 'worth'"
show 'decided again with a measurement' answer 'd["verdict"]["choice"]' decide $seed --measured step_time:8x-mi250x-oam=9s
show 'a service, with the tokens a second of one replica: 15,360 of 500 are 31 replicas' answer 'd["candidates"][0]["fleet"]["replicas"] == 31 and d["verdict"]["choice"]' decide examples/seed-b-llama3-8b-serving.yaml --measured tokens_per_s:mi350x=500
show 'A2 as a map: duration, HIP fit, compute share' sh -c "$assay decide examples/seed-a-map.yaml | grep -i -m1 '%'"
serving=examples/seed-b-llama3-8b-serving.yaml images=examples/seed-b-sdxl.yaml
show 'where a service flips in one variable' answer 'd["flips"][0]["flip"] > 0 and d["flips"][0]["sentence"]' decide $images --flip usd_per_h:h100-pcie
owned() { sed 's/usd_per_h: 38.4 USD\/h/buy_usd: 150000, node_power_w: 6500/; s/years: 1/years: 2/' $images >"$scratch/owned.yaml" && echo "$scratch/owned.yaml"; }
show 'the length of a service is one' answer 'd["flips"][0]["variable"] == "years" and d["flips"][0]["sentence"]' decide "$(owned)" --flip years
show 'maps of a service: price x rate' answer 'len(d["sensitivity"]["maps"][0]["lead_usd"]) == 441 and d["sensitivity"]["maps"][0]["sentence"]' decide $serving --map usd_per_h,rate=10:100
show 'where one of the two cannot do the work no amount stands' answer 'None in d["sensitivity"]["maps"][0]["lead_usd"] and d["sensitivity"]["maps"][0]["sentence"]' decide $serving --map output_tokens=256:20000,usd_per_h
for job in $serving $images; do
    show "tornado, sensitivity and worth of knowing: $job" answer 'all(set(i) >= {"lead_at_p10_usd", "lead_at_p90_usd", "first_order", "worth_usd"} for i in d["sensitivity"]["inputs"]) and len(d["sensitivity"]["inputs"])' decide "$job"
done
show 'buy, reserve, rent, spot over a load curve' answer 'len(d["mix"]) > 0' decide examples/load-curve.yaml
show 'the load from a file of hours, what is missing said' answer '[n["text"] for n in d["warnings"] if n["subject"] == "money.load_file"]' decide examples/load-curve-hours.yaml
show 'a file that does not say percent or fraction is asked' refused decide tests/golden/bad_load_file_unit/job.yaml
show 'the few slices choose as all hours do' unit test_load_curve
LINES_SHOWN=4 show '14 owner cells within 10 %, published training costs inside their columns' sh -c "./dev validate 2>/dev/null | grep -E 'owner|inside|cells|published' | tail -4"

section 'Audit'
for set in seed-a seed-b; do
    show "assay audit $set" sh -c "$assay audit $set | tail -3; true"
done
show 'each computed figure: agrees in place of the claim, refuted at ten times or a tenth; the others name what is missing' \
    sh -c "build/asan/tests/test_audit 2>&1 | grep -E 'computed|PASSED'"
missing='all(c["missing"] or c["formula"] for c in d["claims"] if c["verdict"] == "not_reproducible") and len(d["claims"])'
show 'not reproducible comes with what is missing (A)' answer "$missing" audit seed-a
show 'not reproducible comes with what is missing (B)' answer "$missing" audit seed-b
show 'cases 11, 25, 29, 30, 33, 35 and the others' run_cases

section 'Decision, roadmap, report'
show 'assay diff: which input did it' sh -c "tests/cli/diff.sh $assay && echo 'what each change does alone'"
show '--why-not' sh -c "$assay decide $seed --why-not 8x-a100-pcie-80g | head -3"
LINES_SHOWN=3 show '--explain of any number: how many there are, one of each kind' sh -c "$assay decide $seed --explain list | wc -l; for p in verdict.probability 'flips[run_length].flip' candidates[8x-mi250x-oam].cost_total_usd; do $assay decide $seed --explain \"\$p\" | head -1 || exit 1; done"
show '--explain, and every number re-evaluates from its parts' unit test_explain
show 'assay roadmap: phases, dates, gates, roles, cost, way back' unit test_roadmap
roadmap() { $assay roadmap $seed --start 2026-12-01 --svg "$scratch/g.svg" --md >"$scratch/g.md" && grep -c '^- \[ \]' "$scratch/g.md"; }
show 'as text, Markdown, CSV and a Gantt chart' roadmap
for kind in html csv md json; do
    show "assay report to $kind" sh -c "$assay report $seed -o $scratch/r.$kind && wc -c <$scratch/r.$kind"
done
charts() { # every drawing of the list is there, each with title and description
    $assay report examples/seed-a-map.yaml -o "$scratch/charts.html" || [ $? -eq 1 ] || return 1
    local chart found=
    for chart in job spent tornado map-0-0 chance pareto roofline; do
        grep -q "id=\"chart-$chart-title\"" "$scratch/charts.html" && grep -q "id=\"chart-$chart-desc\"" "$scratch/charts.html" ||
            return 1
        found="$found $chart"
    done
    echo "$found"
}
show 'bars, cumulative cost, tornado, heat map, CDF, Pareto, roofline, each with title and description' charts
yuan() { # every amount but the rate's, and there are some
    $assay decide $images --currency CNY --lang zh >"$scratch/yuan" || [ $? -eq 1 ] || return 1
    ! grep -v money.currency "$scratch/yuan" | grep 美元 && grep -m1 元 "$scratch/yuan"
}
show 'amounts of a page in CNY, of text and tables too' yuan
show 'Chinese complete in every message and in every table with texts' unit test_message
show 'nothing English is left in Chinese reports' sh -c "tests/cli/chinese.sh $assay && echo none"
if command -v chromium >/dev/null && [ -d build/web ]; then
    LINES_SHOWN=3 show 'opened in Chromium, both languages: no clipped or overlapping text, axes with units' ./dev web-check
else
    printf '      not run: ./dev deps web, then ./dev web-check\n'
fi

printf '\n%d shown, %d not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
