#!/usr/bin/env bash
# Shows the data and the readers of workloads sentence by sentence: everything that exists and
# everything people bring. Run by hand from anywhere:   tests/acceptance/issue_3_data.sh
# SOURCE=DIR also counts every table against the published ones it was made from (catalog/, measured/);
# FUZZ=30 fuzzes every target of this part that many seconds.
set -u
cd "$(dirname "$0")/../.." || exit 2
assay=build/release/assay
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_DATA_HOME="$scratch/share" XDG_CONFIG_HOME="$scratch/config" NO_COLOR=1
unset ASSAY_DATA
good=0
bad=0

section() { printf '\n== %s\n' "$1"; }
# show "sentence" command...: runs the command, prints its last line and whether it held.
show() {
    sentence=$1
    shift
    if "$@" >"$scratch/out" 2>&1; then
        good=$((good + 1))
        printf 'ok    %s\n' "$sentence"
    else
        bad=$((bad + 1))
        printf 'FAIL  %s\n' "$sentence"
    fi
    tail -n 1 "$scratch/out" | cut -c1-160 | sed 's/^/      /'
}
# json FILE PYTHON-EXPRESSION over the parsed object d
json() {
    python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); v=eval(sys.argv[2]); print(v); sys.exit(0 if v else 1)' "$1" "$2"
}
files() { for f in "$@"; do test -e "$f" || { echo "missing $f"; return 1; }; done; echo "$*"; }
says() { # PATTERN COMMAND...: the output of the command, its errors too, holds the pattern
    pattern=$1
    shift
    "$@" >"$scratch/says" 2>&1
    grep -E -m 1 -- "$pattern" "$scratch/says" || { cat "$scratch/says"; return 1; }
}

show './dev build release' ./dev build release
$assay catalog list --json >"$scratch/tables.json"
rows() { json "$scratch/tables.json" "{t['name']: t['rows'] for t in d['tables']}['$1'] $2"; }

section 'Tables'
show 'accelerators: 68 and more' rows accelerators '>= 68'
show 'systems: 187 and one estimate of our own' rows systems '== 188'
show 'fabrics: 46 platforms' rows fabrics '== 46'
show 'fabric_pairs: 528 device pairs' rows fabric_pairs '== 528'
pairs() { python3 -c "
import csv; f={r['fabric'] for r in csv.DictReader(open('data/fabric_pairs.csv'))}; print(len(f), sorted(f)); assert len(f)==9 and 'frontier-node' in f"; }
show '... of the 9 non-uniform ones, Frontier among them' pairs
show 'the rest per pair in fabrics.csv: pair or device bandwidth of every fabric with links' python3 -c "
import csv; r=list(csv.DictReader(open('data/fabrics.csv'))); n=[x['id'] for x in r if x['kind'] not in ('none',) and not (x['pair_gb_s'] or x['device_gb_s'])]; print(len(r),'fabrics, without a rate:',n); assert len(n) <= 3"
show 'prices: 650 current' rows prices '== 650'
show 'price_history: 591 historic' rows price_history '== 591'
family() { $assay catalog list prices --json >"$scratch/prices.json" && python3 - "$scratch/prices.json" <<'PY'
import csv, json, sys
parts = {r['id'] for r in csv.DictReader(open('data/accelerators.csv'))}
rows = json.load(open(sys.argv[1]))['rows']
named = [r for r in rows if r['accelerator'] not in parts]
open_ = sum(r['variant'] == 'not stated' for r in named)
print(len(named), 'rows name a family,', open_, 'of them "variant not stated", the rest one board by another name')
assert len(rows) == 650 and len(named) == 218 and open_ >= 200
PY
}
show '218 rows name a family: all kept, resolved by the alias table, "variant not stated"' family
show 'every family is an alias' python3 -c "
import csv; a={r['id'] for r in csv.DictReader(open('data/aliases.csv'))}|{r['id'] for r in csv.DictReader(open('data/accelerators.csv'))}; m={r['accelerator'] for r in csv.DictReader(open('data/prices.csv'))}-a; print('not resolved:',m); assert not m"
show 'energy: 438' rows energy '== 438'
show 'models: 127 and more' rows models '>= 127'
show 'ROCm: 56 releases with targets, by part, by kernel' rows rocm '== 56'
show '... parts' rows rocm_parts '== 16'
show '... kernels' rows rocm_kernels '>= 11'
jump() { $assay catalog list rocm --where 'version>=7.14' --sort version --columns version --csv | tr '\n' ' ' | tee "$scratch/v"; grep -qx 'version 7.14.0 10.0.0 10.2.0 ' "$scratch/v"; }
show 'versions jump from 7.14 to 10.0 and are ordered part by part' jump
show 'CUDA: 28 toolkits' rows cuda '== 28'
show 'claims: both articles' json "$scratch/tables.json" "{t['name']: t['rows'] for t in d['tables']}['claims'] >= 127"
digest() { python3 - <<'PY'
import csv
have = {}
for r in csv.DictReader(open('data/claims.csv')):
    have.setdefault(r['set'], set()).update([r['value'], r['text']])
# figures of the digest that must stand somewhere, as value or in the text
want = {'seed-a': ['0.23', '0.7', '10', '30', '128000', '93000', '5.0', '2.5', '7.8', '4.9', '2.0', '3.2', '640', '1024', '5000', '8000', '220',
                   '0.83', '0.92', '1', '3', '2', '4', '0.65', '100', '6', '15000', '20000', '0.3', '150000', '0.15', '0.2', '0.12', '32', '64', '0.08',
                   '0.85', '0.75', '0.9', '0.1', '5', '15', '80', '0.05', '12', '8', '16'],
        'seed-b': ['304', '19456', '5', '128', '2.8', '300', '0.92', '0.75', '0.4', '383', '312', '756', '2.0', '3.0', '80', '400', '350', '32', '256',
                   '3e10', '64', '22.04', '5.15', '5.7', '3.2', '5.4', '1.7', '85', '780', '4', '4.8', '6.4', '0.00018', '0.00027', '0.00021', '2.6', '1.9', '3.1', '12000']}
missing = [(s, v) for s in want for v in want[s] if v not in have[s]]
print(sum(map(len, want.values())), 'figures looked for, missing:', missing)
assert not missing
PY
}
show 'claims hold every figure of the digest, and no catalog figure comes from them' digest
show 'measured: inference.csv has 5,136 rows' python3 -c "
import csv; n=[r['id'] for r in csv.DictReader(open('data/measured/inference.csv'))]; print(len(n)); assert len(n)==5136==len(set(n))"
show 'measured: training.csv has 1,033 rows' python3 -c "
import csv; n=[r['id'] for r in csv.DictReader(open('data/measured/training.csv'))]; print(len(n)); assert len(n)==1033"
source_counts() { python3 - "$SOURCE" <<'PY'
import csv, sys
s = sys.argv[1]
rows = lambda p: list(csv.DictReader(open(p)))
pairs = [('accelerators', 'catalog/accelerators'), ('fabrics', 'catalog/fabrics'), ('fabric_pairs', 'catalog/fabric_pairs'), ('prices', 'catalog/cloud_prices'),
         ('price_history', 'catalog/price_history'), ('energy', 'catalog/energy'), ('rocm', 'catalog/rocm_support'), ('rocm_parts', 'catalog/rocm_support_by_accelerator'),
         ('rocm_kernels', 'catalog/rocm_kernels'), ('cuda', 'catalog/cuda_support')]
for ours, theirs in pairs:
    a, b = len(rows(f'data/{ours}.csv')), len(rows(f'{s}/{theirs}.csv'))
    print(ours, a, b); assert a >= b, ours
for ours, theirs in [('accelerators', 'catalog/accelerators'), ('systems', 'catalog/systems'), ('models', 'catalog/models')]:
    lost = {r['id'] for r in rows(f'{s}/{theirs}.csv')} - {r['id'] for r in rows(f'data/{ours}.csv')}
    print(ours, 'lost:', lost); assert not lost
for t in ['training', 'gemm', 'collectives', 'membw', 'power', 'ratios', 'inference']:
    a, b = [r['id'] for r in rows(f'data/measured/{t}.csv')], [r['id'] for r in rows(f'{s}/measured/{t}.csv')]
    print(t, len(a), len(b)); assert set(b) <= set(a), t
p = rows(f'{s}/catalog/cloud_prices.csv'); q = rows('data/prices.csv')
assert sorted(float(r['on_demand_usd_h'] or 0) for r in p) == sorted(float(r['on_demand_usd_h'] or 0) for r in q)
print('every table counted; on-demand prices equal')
PY
}
if [ -n "${SOURCE:-}" ]; then
    show 'every table counted against its source, ids of measured rows identical' source_counts
else
    echo 'skip  tables against their sources (SOURCE=DIR with catalog/ and measured/)'
fi
key_figures() { python3 - <<'PY'
import csv
n = 0
for r in csv.DictReader(open('data/accelerators.csv')):
    if any(k in r['id'] for k in ('mi210', 'mi250', 'mi300', 'mi325', 'mi350x', 'mi355', 'a100', 'h100', 'h200', 'gh200', 'b200', 'b300')):
        assert r['verified'] in ('yes', 'partial') and r['verified_source'], r['id']
        n += 1
print(n, 'parts from MI210 to MI355X and A100 to GB300 name the documents that were read')
PY
}
show 'key figures of MI210..MI355X, A100..GB300 name what they were checked against' key_figures
show 'NOTICE.md names sources and licences' sh -c "grep -c '|' data/NOTICE.md && grep -q 'CC-BY 4.0' data/NOTICE.md && grep -q price_history data/NOTICE.md && grep -q rocm_kernels data/NOTICE.md"
show 'data-check derives what can be derived and lists disagreements' sh -c "./dev data-check >$scratch/check; grep -E 'figures derived again; 0 errors' $scratch/check"
show '... parameters' grep -m 1 'counts .* parameters' "$scratch/check"
show '... peaks = units x clock x operations' grep -m 1 'units x clock x operations' "$scratch/check"
show '... bandwidth = width x rate is asked of every row that says both' grep -c 'mem_pin_gbit_s' tools/data_check.c

section 'Sanity'
show 'each fault planted, refused at its line (test)' build/asan/tests/test_catalog
mkdir -p "$scratch/own"
planted() { # TABLE HEADER ROW PATTERN: catalog check refuses line 2 for that reason
    rm -f "$scratch/own"/*
    printf '%s\n%s\n' "$2" "$3" >"$scratch/own/$1"
    "$assay" catalog check "$scratch/own" >"$scratch/planted" 2>&1
    [ $? -eq 1 ] && tr -s ' \n' '  ' <"$scratch/planted" | grep -oE "$1:2: .*$4"
}
price='id,provider,sku,accelerator,count,on_demand_usd_h,spot_usd_h,date,source'
show 'B200 at 0.01 USD/h' planted prices.csv "$price" 'a,p,s,nvidia-b200-sxm-180g,1,0.01,,2026-01,s' '0.01 USD/h'
show 'spot above on demand' planted prices.csv "$price" 'a,p,s,nvidia-h100-sxm5-80g,8,20,24,2026-01,s' 'above on_demand'
show 'beyond 20 times the median' planted prices.csv "$price" 'a,p,s,nvidia-t4-16g,1,35,,2026-01,s' 'times the median'
show 'a date ahead' planted prices.csv "$price" 'a,p,s,nvidia-t4-16g,1,1,,2999-01-01,s' 'lies ahead'
show 'an id that does not resolve' planted prices.csv "$price" 'a,p,s,nvidia-t5-16g,1,1,,2026-01,s' 'unknown accelerator'
show 'doubled sparse peaks' planted accelerators.csv 'id,vendor,name,arch,devices,compute_units,clock_mhz,fp16_tflops,source,confidence' 'a,v,n,CDNA3,1,304,2100,2614.8,s,high' '2.00 times'
show '288 GB MI325X' planted accelerators.csv 'id,vendor,name,arch,devices,mem_gib,source,confidence' 'amd-mi325x-288g,AMD,Instinct MI325X,CDNA3,1,288,s,high' 'ships with 256'
show 'bandwidth, width and clock that do not fit' planted accelerators.csv 'id,vendor,name,arch,devices,mem_type,mem_gb_s,hbm_stacks,source,confidence' 'a,v,n,x,1,HBM3,53000,8,s,high' 'Gbit/s a pin'
odd() { printf '%s\na,p,s,nvidia-t4-16g,1,8,,2026-01,s\n' "$price" >"$scratch/own/prices.csv" && rm -f "$scratch/own/accelerators.csv" && $assay catalog check "$scratch/own" | grep -E 'odd: .*times the median'; }
show 'beyond 6 times the median: a warning' odd

section 'Catalog'
for t in accelerators systems fabrics prices models energy claims aliases price_history rocm rocm_parts rocm_kernels cuda fabric_pairs defaults envvars calibration; do
    for f in --json --csv --md ''; do $assay catalog list $t $f >"$scratch/list" || { echo "FAIL  list $t $f"; bad=$((bad + 1)); }; done
done
show 'list, every table, in text, JSON, CSV, Markdown' test -s "$scratch/list"
show 'filter: mem_gb>=128 and vendor=AMD' says 'amd-mi300x-192g' $assay catalog list accelerators --where 'mem_gb>=128 and vendor=AMD'
show '... with units' says '^2 of' $assay catalog list accelerators --where 'hbm_tb_s>=5 TB/s and tdp_w<=760 W and not vendor=NVIDIA'
show '... an error names place, column and what was meant' says "condition:1:20: no column 'vndor'; did you mean 'vendor'" $assay catalog list accelerators --where 'mem_gb>=100 GB and vndor=AMD'
show 'sort' says '^amd-mi455x' $assay catalog list accelerators --where vendor=AMD --sort -peak_bf16
show 'columns' says '^id,hbm_bytes' $assay catalog list accelerators --columns id,hbm_gib --csv
show 'show, each figure with its source' says '\[1\]' $assay catalog show amd-mi300x-192g
show 'search' says 'amd-mi300x-192g' $assay catalog search mi 300x
show 'diff of two rows' says 'hbm_bytes .* 192 .* 80' $assay catalog diff mi300x h100
show 'diff of own tables' says 'on_demand_usd_per_h' $assay catalog diff --data "$scratch/own"
show 'path' says 'ledger of imported prices' $assay catalog path
show 'alias h100, with a note' says 'sold as SXM5, PCIe and NVL' $assay catalog show h100
show 'alias mi300x' says 'amd-mi300x-192g' $assay catalog show mi300x
show 'alias a100-80g, with a note' says 'read as SXM4' $assay catalog show a100-80g
show "alias '8xH100 SXM', with a note" says 'hgx-h100-8|HGX' $assay catalog show '8xH100 SXM'
show 'did you mean' says 'did you mean' $assay catalog show mi300y
show 'rows of prices can be told apart: no two lines are equal' sh -c "$assay catalog list prices | sort | uniq -d | wc -l | grep -x 0"
show 'value views: per dollar, W per PFLOPS, USD per GiB' says 'W/PFLOPS' $assay catalog list accelerators --value --sort -bf16_tflops_per_kusd
show '... in every dimension' sh -c "$assay catalog list systems --csv | head -n 1 | tr ',' '\n' | grep -c '_per_'"
show '... of instances by the hour' says 'a GiB' $assay catalog list prices --value --where 'accelerator~mi300x'
show "the article's table beside the true one" says 'a3.a100.fp16 .* 5 .* 2.496' $assay catalog show --claims seed-a
show '... B2 too' says 'b2.mi350x.memory' $assay catalog show --claims seed-b
show '... and per dollar' says 'a3.mi250x.fp16' $assay catalog show --claims seed-a --value
show 'look-ups go by an index' files src/catalog/catalog_index.c

section 'Import and offers'
show 'SkyPilot CSV' says 'SkyPilot price list: 6 rows read, 2 offers' $assay catalog import tests/import/skypilot.csv --provider aws --date 2026-11-30
show 'gpuhunt CSV' says 'gpuhunt price list' $assay catalog import tests/import/gpuhunt.csv --provider lambda --date 2026-11-30
show 'gpuhunt JSON' says 'gpuhunt price list' $assay catalog import tests/import/gpuhunt.json --date 2026-11-30
show 'FOCUS rows' says 'FOCUS price list' $assay catalog import tests/import/focus.csv
show 'plain CSV' says 'assay price list' $assay catalog import tests/import/own.csv
show 'a date is needed' says 'say it with --date' $assay catalog import tests/import/skypilot.csv --provider aws
show 'sanity rules refuse, with file and line, and nothing is kept' says 'wrong.csv:[0-9]+: ' $assay catalog import tests/import/wrong.csv
show 'the ledger is SQLite' sh -c "head -c 15 $scratch/share/assay/ledger.db | grep -a 'SQLite format'"
show 'imported prices overlay the catalog and the output says so' says 'imported offers, seen' $assay catalog list prices --where 'provider=ourcloud'
show 'offers rank what fits a job' says 'tensorwave|ourcloud|dataoorts' $assay offers --for serve --model llama-3.1-70b
$assay offers --for serve --model llama-3.1-8b --json >"$scratch/offers.json"
show '... by cost' json "$scratch/offers.json" "all(a['usd_per_h'] <= b['usd_per_h'] for a, b in zip(d['offers'], d['offers'][1:])) and len(d['offers'])"
show '... with age, terms, count, host RAM, local NVMe, load time' json "$scratch/offers.json" "all(k in d['offers'][0] for k in ('age_days','term','count','instances','ram_bytes','nvme_bytes','load_s','date','source')) and {o['term'] for o in d['offers']}"
cat >"$scratch/many.yaml" <<'YAML'
assay: 1
workload:
  serve: {model: llama-3.1-8b, precision: bf16, max_model_len: 8192, models_per_host: 4}
data: {raw_bytes: 20 TB}
YAML
$assay offers "$scratch/many.yaml" --json >"$scratch/many.json"
show 'B3: several models on one host' json "$scratch/many.json" "d['models_per_host'] == 4 and len(d['offers'])"
show 'B3: storage-optimised types are told by their disks' json "$scratch/many.json" "[o['sku'] for o in d['offers'] if o['disk_holds'] == 'yes'][:4]"
show 'offers of a training job' says 'USD/EF' $assay offers examples/seed-a-65b-training.yaml

section 'Model readers'
show 'families, formats, exact counts (tests)' sh -c "for t in build/asan/tests/test_model*; do \$t >$scratch/t 2>&1 || { cat $scratch/t; exit 1; }; tail -n 1 $scratch/t; done"
section 'Workload readers and memory'
show 'memory: fits or not, by part' says 'kv_cache' $assay memory --for serve --model llama-3.1-8b --on '1x h100-sxm5'
show 'cases (test)' ctest --test-dir build/asan -R '^cases' --output-on-failure

section 'Fuzzing'
targets='query price_import csv config'
show 'fuzz targets of this part' sh -c "for t in $targets; do test -e tests/fuzz/fuzz_\$t.c && test -d tests/fuzz/corpus/\$t || { echo missing \$t; exit 1; }; done; echo $targets"
if [ "${FUZZ:-0}" -gt 0 ]; then
    # shellcheck disable=SC2086 # a list of words
    show "./dev fuzz $FUZZ: no finding" ./dev fuzz "$FUZZ" $targets
else
    echo 'skip  ./dev fuzz (FUZZ=30 runs it)'
fi
show 'help, man and completion of every verb form' sh -c "for v in 'catalog list' 'catalog show' 'catalog search' 'catalog diff' 'catalog check' 'catalog path' 'catalog import' offers; do $assay \$v --help | grep -q usage && $assay man \$v | grep -q '^.SH' && $assay completion bash | grep -q \"\${v##* }\" || { echo \$v; exit 1; }; done; echo all"

printf '\n%d shown, %d not\n' "$good" "$bad"
[ "$bad" -eq 0 ]
