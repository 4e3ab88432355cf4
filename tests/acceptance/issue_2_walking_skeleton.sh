#!/usr/bin/env bash
# Shows the walking skeleton sentence by sentence: "train a 65B model: A100 or MI250X?", end to end.
# Run by hand from anywhere:   tests/acceptance/issue_2_walking_skeleton.sh
# CLEAN=1 also proves ./dev run and ./dev test in a fresh minimal Debian tree (root, network, minutes);
# FUZZ=60 fuzzes every target that many seconds.
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/common.sh
assay=build/release/assay

section 'The tree and the habits'
show 'layout: folders and documents are there' files README.md ARCHITECTURE.md CONTRIBUTING.md \
    CHANGELOG.md LICENSE dev CMakeLists.txt CMakePresets.json .clang-format .ci/run include/assay \
    src/base src/job src/catalog src/calibration src/resolve src/physics src/train src/plan src/money \
    src/decide src/score src/report src/cli data docs examples bench tests/unit tests/golden tests/fuzz
presets() { for p in dev asan tsan fuzz release; do grep -q "\"name\": \"$p\"" CMakePresets.json || return 1; done; echo dev asan tsan fuzz release; }
show 'CMakePresets: dev, asan, tsan, fuzz, release' presets
show 'include-direction test: no arrow points up, and a planted one is found' tests/include_direction.sh
verbs() { ./dev help >"$scratch/help"; for v in deps build run test bench validate data-check fuzz lint format install clean; do grep -q "^ *$v\\b" "$scratch/help" || { echo "no verb $v"; return 1; }; done; echo 'deps build run test bench validate data-check fuzz lint format install clean'; }
show './dev verbs' verbs
show './dev run: builds release and decides the seed job' ./dev run
show './dev test: last line N passed, N failed' sh -c './dev test | tail -n 1 | grep -E "^[0-9]+ passed, 0 failed"'
show './dev lint' ./dev lint
if [ "${CLEAN:-0}" = 1 ]; then
    show 'clean clone in a debootstrap tree: ./dev run and ./dev test' tests/acceptance/clean_machine.sh
else
    echo 'skip  clean clone in a debootstrap tree (CLEAN=1 runs it)'
fi
loaded() { readelf -d "$assay" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tee "$scratch/needed"; ! grep -Ev '^(libc|libm|libyaml-0|libjansson|libexpat|libsqlite3)\.so' "$scratch/needed"; }
show 'only libc, libm, libyaml, jansson, expat and SQLite are loaded at start' loaded
startup() { python3 - "$assay" <<'PY'
import subprocess, sys, time
t = []
for _ in range(50):
    a = time.perf_counter(); subprocess.run([sys.argv[1], "--version"], stdout=subprocess.DEVNULL); t.append(time.perf_counter() - a)
m = sorted(t)[len(t) // 2]; print(f"median of 50 starts {m*1e3:.2f} ms, process creation by Python included"); sys.exit(m > 5e-3)
PY
}
show 'start-up below 5 ms' startup
install_it() {
    ./dev install --prefix "$scratch/prefix" || return 1
    find "$scratch/prefix" \( -type f -o -type l \) -printf '%P ' >"$scratch/installed"
    for f in bin/assay libassay.a libassay.so assay.pc assay.1 bash-completion fish run.h; do
        grep -q "$f" "$scratch/installed" || { echo "no $f"; return 1; }
    done
    cat "$scratch/installed"
}
show 'libassay static and shared, pkg-config, man pages, completion are installed' install_it
show 'help, man page and completion come from the verb table' sh -c "$assay help && $assay decide --help | grep -q -i example && $assay man decide | grep -q '^.SH' && $assay completion bash | grep -q decide && $assay completion zsh | grep -q decide && $assay completion fish | grep -q decide && echo decide in all of them"

section 'The path'
show 'catalog list and show, with sources' sh -c "$assay catalog list accelerators && $assay catalog show amd-mi250x-128g | grep -i source"
show '8x-mi250x-oam: 16 devices, 8 x 14,500 x 1.66 USD, low confidence, no claim' sh -c "$assay catalog show 8x-mi250x-oam --json >$scratch/s.json && grep -E '192560' $scratch/s.json && grep -q low $scratch/s.json"
$assay decide examples/seed-a-65b-training.yaml --json >"$scratch/seed.json" 2>"$scratch/err"
$assay decide examples/seed-a-65b-training-public.yaml --json >"$scratch/public.json" 2>>"$scratch/err"
show 'every default that was used is in the assumptions list, with its source' json "$scratch/public.json" "len(d['assumptions']) >= 5 and all(a.get('source') for a in d['assumptions']) and len(d['assumptions'])"
cat >"$scratch/config.json" <<'JSON'
{"model_type": "llama", "hidden_size": 8192, "intermediate_size": 22016, "num_attention_heads": 64,
 "num_hidden_layers": 80, "vocab_size": 32000, "max_position_embeddings": 2048}
JSON
show 'Hugging Face config.json: the same shape gives the same step time as the catalog id' sh -c "
    $assay decide --model $scratch/config.json --on 8x-a100-pcie-80g --nodes 256 --tokens 1.4e12 --json >$scratch/hf.json
    $assay decide --model llama-65b --on 8x-a100-pcie-80g --nodes 256 --tokens 1.4e12 --json >$scratch/id.json
    python3 -c 'import json; a,b=[json.load(open(\"$scratch/\"+f))[\"candidates\"][0][\"step_time_s\"] for f in (\"hf.json\",\"id.json\")]; print(a,b); raise SystemExit(a!=b)'"
show 'MI250X is two devices a package: 4096 devices of 64 GiB' json "$scratch/seed.json" "[c.get('devices') for c in d['candidates']] == [2048, 4096] and d['candidates'][1]['memory_available_bytes'] == 64 * 2**30"
show 'basis and interval on each prediction' json "$scratch/seed.json" "all(c['basis'] in ('measured','calibrated','transferred','extrapolated') and c['tco_p10_usd'] < c['tco_usd'] < c['tco_p90_usd'] for c in d['candidates'])"
show 'the parts of the step sum to the step' json "$scratch/seed.json" "all(abs(sum(c['time_s'].values()) / c['step_time_s'] - 1) < 1e-9 for c in d['candidates'])"
show 'plan: best, Pareto, and a reason for every refused layout' sh -c "$assay search examples/seed-a-65b-training.yaml | grep -iE 'pareto|refused|memory'"
show 'score: every one of the 1,033 rows is predicted or skipped with a reason' sh -c "$assay score --data data/measured/training.csv --json >$scratch/score.json && python3 -c 'import json; d=json.load(open(\"$scratch/score.json\")); assert d[\"rows\"]==1033==d[\"predicted\"]+d[\"skipped\"]==len(d[\"items\"]); assert all(i.get(\"skipped\") or (i[\"p10\"]<=i[\"predicted\"]<=i[\"p90\"] and i[\"basis\"]) for i in d[\"items\"]); print(d[\"predicted\"],\"predicted\",d[\"skipped\"],\"skipped, median |error|\",d[\"median_abs_rel_error\"])'"
show 'TCO as A14 writes it and its literal form, both against hand calculations' sh -c 'build/asan/tests/test_money 2>&1 | grep -iE "article|tco|A14" | tail -n 1; build/asan/tests/test_money >/dev/null 2>&1'
show 'both forms are in the result' json "$scratch/seed.json" "all(c['tco_cash_flow_usd'] > c['tco_article_usd'] > 0 for c in d['candidates'])"
show 'shared errors are common to the candidates: P(best) differs from independent draws (test)' build/asan/tests/test_decide
show 'the three conditions and the tree are rules with evidence, threshold, source; unknown stays unknown' json "$scratch/seed.json" "len(d['rules']) >= 11 and all(r['evidence'] and r['source'] for r in d['rules']) and any(r['state'] == 'unknown' for r in d['rules']) and len(d['rules'])"
show 'where rules and money disagree the output says so' sh -c "$assay decide examples/seed-a-65b-training.yaml | grep -iE 'rules and the money|disagree|agree'"
widths() { $assay decide examples/seed-a-65b-training.yaml >"$scratch/text" || return 1; awk '{ if (length($0) > 100) { print "line " NR " has " length($0); bad = 1 } } END { print NR " lines, none over 100 columns"; exit bad }' "$scratch/text"; }
show 'text fits 100 columns' widths
formats() { for f in json csv md; do $assay decide examples/seed-a-65b-training.yaml --$f >"$scratch/x.$f" || return 1; test -s "$scratch/x.$f" || return 1; done; $assay decide examples/seed-a-65b-training.yaml --html "$scratch/x.html" >/dev/null && wc -c "$scratch"/x.* | tail -n 1; }
show 'json, csv, md, html' formats
html() { ! grep -nE '(src|href)="?https?://|<link|@import|url\(http' "$scratch/x.html" && grep -q '<svg' "$scratch/x.html" && grep -q 'prefers-color-scheme: *dark' "$scratch/x.html" && grep -q '@media print' "$scratch/x.html" && grep -c 'role="img"' "$scratch/x.html"; }
show 'one self-contained HTML: charts with text alternatives, light, dark, print' html

section 'Shows'
show 'the seed job answers under the article'"'"'s prices' json "$scratch/seed.json" "d['verdict']['sentence']"
show 'and under public prices' json "$scratch/public.json" "d['verdict']['sentence']"
show 'and says which figures of the article disagree with the catalog' sh -c "$assay decide examples/seed-a-65b-training.yaml --json | grep -E 'the catalog has' | head -n 20 | tee $scratch/claims && test \$(wc -l <$scratch/claims) -ge 4"
same() {
    $assay decide --model llama-65b --on 8x-a100-pcie-80g,8x-mi250x-oam --nodes 256 --tokens 1.4e12 --json >"$scratch/flags.json" &&
        $assay decide examples/flags-equivalent.yaml --json >"$scratch/file.json" && cmp "$scratch/flags.json" "$scratch/file.json" && echo 'byte-identical'
}
show 'flags only give the same result JSON as a file that holds only these keys' same

# One line with file:line:column, what was expected, what to do; exit 2; bounded memory; nothing on stdout.
refuse() {
    what=$1
    file=$2
    (ulimit -v 2000000; timeout 20 $assay decide "$file" --html "$scratch/half.html" >"$scratch/o" 2>"$scratch/e")
    code=$?
    lines=$(wc -l <"$scratch/e")
    if [ $code -eq 2 ] && [ "$lines" -eq 1 ] && [ ! -s "$scratch/o" ] && [ ! -e "$scratch/half.html" ]; then
        good=$((good + 1))
        printf 'ok    bad input: %s\n      %s\n' "$what" "$(sed "s|$scratch/||" "$scratch/e" | cut -c1-190)"
    else
        bad=$((bad + 1))
        printf 'FAIL  bad input: %s (exit %s, %s lines, %s bytes on stdout)\n' "$what" "$code" "$lines" "$(wc -c <"$scratch/o")"
        head -n 3 "$scratch/e"
    fi
}
job=examples/flags-equivalent.yaml
grep -v '^#' $job >"$scratch/job.yaml"
edit() { sed "$1" "$scratch/job.yaml" >"$scratch/$2.yaml"; }
edit 's/dataset_tokens/dataset_tokes/' typo; refuse 'a typo in a key' "$scratch/typo.yaml"
edit 's/1\.4e12/1.4e12 kWh/' unit; refuse 'a wrong unit' "$scratch/unit.yaml"
edit 's/llama-65b/llama-56b/' id; refuse 'an unknown id' "$scratch/id.yaml"
edit 's/1\.4e12/NaN/' nan; refuse 'NaN' "$scratch/nan.yaml"
edit 's/1\.4e12/-1/' negative; refuse 'a negative number' "$scratch/negative.yaml"
edit 's/1\.4e12/1e999/' overflow; refuse '1e999' "$scratch/overflow.yaml"
{ cat "$scratch/job.yaml"; printf 'workload: {}\n'; } >"$scratch/duplicate.yaml"; refuse 'a duplicate key' "$scratch/duplicate.yaml"
{ cat "$scratch/job.yaml"; printf 'team:\n\trocm_debuggers: 2\n'; } >"$scratch/tab.yaml"; refuse 'tab indentation' "$scratch/tab.yaml"
{ printf '\357\273\277'; cat "$scratch/job.yaml"; } >"$scratch/bom.yaml"; refuse 'a byte-order mark' "$scratch/bom.yaml"
sed 's/$/\r/' "$scratch/job.yaml" >"$scratch/crlf.yaml"; refuse 'CRLF line ends' "$scratch/crlf.yaml"
{ cat "$scratch/job.yaml"; printf 'name: \377\376\n'; } >"$scratch/utf8.yaml"; refuse 'not UTF-8' "$scratch/utf8.yaml"
python3 -c "print('assay: 1\nworkload: ' + '[' * 200 + ']' * 200)" >"$scratch/deep.yaml"; refuse '200-deep nesting' "$scratch/deep.yaml"
truncate -s 1G "$scratch/big.yaml"; refuse 'a 1 GB file' "$scratch/big.yaml"

show 'fuzz targets for job, config.json, CSV' files tests/fuzz/fuzz_job.c tests/fuzz/fuzz_config.c tests/fuzz/fuzz_csv.c tests/fuzz/corpus/job tests/fuzz/corpus/config tests/fuzz/corpus/csv
if [ "${FUZZ:-0}" -gt 0 ]; then show "./dev fuzz $FUZZ: no finding" ./dev fuzz "$FUZZ"; else echo 'skip  ./dev fuzz (FUZZ=60 runs it)'; fi
show '.ci/run replays the corpora' sh -c "ctest --preset asan -N | grep -E 'fuzz_(job|config|csv)' | tr -s ' ' | tr '\n' ' '"
show './dev bench: at least 100,000 layouts/s/core, start-up and memory stated' sh -c "./dev bench --json >$scratch/bench.json && python3 -c 'import json; d={r[\"name\"]:r for r in json.load(open(\"$scratch/bench.json\"))}; print({k:float(\"%.3g\" % v[\"median\"]) for k,v in d.items()}); assert d[\"layouts\"][\"median\"]>=1e5 and \"step_estimates\" in d and \"startup_s\" in d and \"peak_rss_bytes\" in d'"

printf '\n%d shown, %d not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
