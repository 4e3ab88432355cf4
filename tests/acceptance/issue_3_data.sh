#!/usr/bin/env bash
# Shows the data and the readers of workloads sentence by sentence: everything that exists and
# everything people bring. Run by hand from anywhere:   tests/acceptance/issue_3_data.sh
# SOURCE=DIR also counts every table against the published ones it was made from (catalog/, measured/);
# FUZZ=30 fuzzes every target of this part that many seconds.
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/common.sh
assay=build/release/assay
export XDG_DATA_HOME="$scratch/share" XDG_CONFIG_HOME="$scratch/config" NO_COLOR=1
unset ASSAY_DATA

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
# One published model of each family through the program: its parameters, and what follows from them.
cat >"$scratch/families.py" <<'PY'
import json, subprocess, sys
assay, scratch = sys.argv[1:3]
rows = [json.loads(line) for line in open('tests/models/published.jsonl')]
families = {'llama', 'mistral', 'mixtral', 'qwen2', 'qwen2_moe', 'qwen3', 'qwen3_moe', 'qwen3_next', 'gemma', 'gemma2', 'gemma3',
            'gemma3_text', 'phi3', 'gpt2', 'gpt_neox', 'opt', 'bloom', 'falcon', 'mpt', 'deepseek_v2', 'deepseek_v3', 'gpt_oss', 'glm4_moe'}
seen, exact = set(), 0
for row in rows:
    path = f'{scratch}/{row["name"]}.json'
    json.dump(row['config'], open(path, 'w'))
    run = subprocess.run([assay, 'catalog', 'show', path, '--json'], capture_output=True, text=True)
    assert run.returncode == 0, (row['name'], run.stderr)
    answer = json.loads(run.stdout)
    f = answer['figures']
    if 'parameters' in row:
        assert f['params'] == row['parameters'], (row['name'], f['params'], row['parameters'])
        exact += not row['source'].startswith('computed from')
    else:
        assert abs(f['params'] / row['billions'] / 1e9 - 1) < 0.01, row['name']
    assert f['params_active'] <= f['params'] and f['kv_bytes_per_token'] > 0 and f['forward_flops_per_token'] > 0, row['name']
    assert answer['checkpoint']['bytes'] > 0, row['name']
    seen.add(row['config']['model_type'])
assert families <= seen, families - seen
generations = {bool(r['config'].get('new_decoder_architecture')) for r in rows if r['config']['model_type'] == 'falcon'}
assert len(generations) == 2, generations
vision = sum('vision_config' in r['config'] for r in rows)
assert vision >= 5 and exact >= 40
print(len(rows), 'models of', len(seen), 'families,', exact, 'confirmed exactly,', vision, 'with a vision tower')
PY
show 'config.json: every family by name, >= 40 exact counts, the rest rounded' python3 "$scratch/families.py" "$assay" "$scratch"
show 'every source of an exact count says where it was seen, or that it was computed' python3 -c "
import json
for r in map(json.loads, open('tests/models/published.jsonl')): assert r['source'] and not r['source'].startswith('safetensors metadata of'), r['name']
print('all')"
kimi() { printf '%s' '{"model_type":"kimi_k2","hidden_size":7168,"intermediate_size":18432,"num_hidden_layers":61,"num_attention_heads":64,"num_key_value_heads":64,"vocab_size":163840,"q_lora_rank":1536,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_routed_experts":384,"num_experts_per_tok":8,"moe_intermediate_size":2048,"n_shared_experts":1,"first_k_dense_replace":1}' >"$scratch/kimi.json" &&
    $assay catalog show "$scratch/kimi.json" --json >"$scratch/kimi.out" && json "$scratch/kimi.out" "abs(d['figures']['params'] / 1.026e12 - 1) < 0.001 and abs(d['figures']['params_active'] / 32.9e9 - 1) < 0.01"; }
show 'kimi' kimi
$assay catalog show tests/models/qwen3-30b-a3b-fp8 --json >"$scratch/fp8.json"
show 'quantization_config: an fp8 checkpoint keeps tables, router, norms and head in 16 bit' json "$scratch/fp8.json" \
    "d['checkpoint']['dtype'] == 'fp8' and all(p['bytes'] == 2 * p['params'] for p in d['checkpoint']['parts'] if p['part'] in ('embedding', 'router', 'norms', 'head'))"
# A checkpoint whose headers say more than "FP8", 300 shards with an index, a truncated file, a GGUF file.
cat >"$scratch/weights.py" <<'PY'
import json, os, struct, sys
base = sys.argv[1]
config = {'model_type': 'llama', 'hidden_size': 64, 'intermediate_size': 128, 'num_hidden_layers': 300, 'num_attention_heads': 4, 'num_key_value_heads': 4, 'vocab_size': 512}
size = {'F8_E4M3': 1, 'BF16': 2, 'F32': 4}
def write(path, tensors):
    at, header = 0, {}
    for name, dtype, shape in tensors:
        n = size[dtype]
        for s in shape: n *= s
        header[name] = {'dtype': dtype, 'shape': shape, 'data_offsets': [at, at + n]}
        at += n
    text = json.dumps(header).encode()
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text)
        f.truncate(8 + len(text) + at)
    return list(header), at
for folder in ('shards', 'cut'):
    os.makedirs(f'{base}/{folder}', exist_ok=True)
    json.dump(config, open(f'{base}/{folder}/config.json', 'w'))
index, total = {}, 0
for i in range(300):
    p, name = f'model.layers.{i}.', f'model-{i + 1:05}-of-00300.safetensors'
    tensors = [(p + f'self_attn.{x}_proj.weight', 'F8_E4M3', [64, 64]) for x in 'qkvo']
    tensors += [(p + 'mlp.gate_proj.weight', 'F8_E4M3', [128, 64]), (p + 'mlp.up_proj.weight', 'F8_E4M3', [128, 64]), (p + 'mlp.down_proj.weight', 'F8_E4M3', [64, 128])]
    tensors += [(p + 'input_layernorm.weight', 'BF16', [64]), (p + 'post_attention_layernorm.weight', 'BF16', [64])]
    if i == 0: tensors += [('model.embed_tokens.weight', 'BF16', [512, 64]), ('lm_head.weight', 'BF16', [512, 64]), ('model.norm.weight', 'BF16', [64])]
    names, n = write(f'{base}/shards/{name}', tensors)
    index.update({x: name for x in names})
    total += n
json.dump({'metadata': {'total_size': total}, 'weight_map': index}, open(f'{base}/shards/model.safetensors.index.json', 'w'))
print(total)
write(f'{base}/cut/model.safetensors', [('model.embed_tokens.weight', 'BF16', [512, 64])])
os.truncate(f'{base}/cut/model.safetensors', 100)
os.makedirs(f'{base}/lead', exist_ok=True)
json.dump(config, open(f'{base}/lead/config.json', 'w'))
json.dump({'metadata': {}, 'weight_map': {'x': '../../../../etc/passwd'}}, open(f'{base}/lead/model.safetensors.index.json', 'w'))
def text(s): return struct.pack('<Q', len(s)) + s.encode()
def u32(key, v): return text(key) + struct.pack('<II', 4, v)
keys = [text('general.architecture') + struct.pack('<I', 8) + text('llama'), u32('llama.embedding_length', 64), u32('llama.block_count', 1), u32('llama.feed_forward_length', 128),
        u32('llama.attention.head_count', 4), u32('llama.attention.head_count_kv', 4), u32('llama.context_length', 2048), u32('llama.vocab_size', 512)]
tensors = [('token_embd.weight', [64, 512], 1), ('output.weight', [64, 512], 1), ('output_norm.weight', [64], 0)]
tensors += [('blk.0.' + n, s, t) for n, s, t in (('attn_q.weight', [64, 64], 8), ('attn_k.weight', [64, 64], 8), ('attn_v.weight', [64, 64], 8), ('attn_output.weight', [64, 64], 8),
            ('ffn_gate.weight', [64, 128], 8), ('ffn_up.weight', [64, 128], 8), ('ffn_down.weight', [128, 64], 8), ('attn_norm.weight', [64], 0), ('ffn_norm.weight', [64], 0))]
each = {0: (1, 4), 1: (1, 2), 8: (32, 34)}
head, at, data = b'', 0, 0
for n, s, t in tensors:
    head += text(n) + struct.pack('<I', len(s)) + b''.join(struct.pack('<Q', x) for x in s) + struct.pack('<IQ', t, at)
    count = 1
    for x in s: count *= x
    b = count // each[t][0] * each[t][1]
    data += b
    at += (b + 31) // 32 * 32
body = b'GGUF' + struct.pack('<IQQ', 3, len(tensors), len(keys)) + b''.join(keys) + head
body += b'\0' * (-len(body) % 32)
open(f'{base}/small.gguf', 'wb').write(body + b'\0' * at)
open(f'{base}/gguf.bytes', 'w').write(str(data))
PY
total=$(python3 "$scratch/weights.py" "$scratch")
true_bytes() { $assay catalog show "$scratch/shards" --json >"$scratch/shards.json" && json "$scratch/shards.json" "d['checkpoint']['measured'] and d['checkpoint']['bytes'] == $total and d['checkpoint']['dtype'] == 'fp8'"; }
show 'safetensors index and headers: true bytes, 16-bit tensors among fp8 counted as such' true_bytes
fast() { python3 - "$assay" "$scratch/shards" <<'PY'
import subprocess, sys, time
best = 1e9
for _ in range(20):
    start = time.perf_counter()
    subprocess.run([sys.argv[1], 'catalog', 'show', sys.argv[2]], stdout=subprocess.DEVNULL, check=True)
    best = min(best, time.perf_counter() - start)
print(f'300 shards: {1e3 * best:.1f} ms, start of the program included')
assert best < 0.020
PY
}
show 'an index of 300 shards reads in < 20 ms' fast
show 'a file that is cut off is refused by name' says 'cut/model.safetensors' $assay catalog show "$scratch/cut"
show 'an index that leads out of its folder is refused' says 'passwd' $assay catalog show "$scratch/lead"
gguf() { $assay catalog show "$scratch/small.gguf" --json >"$scratch/gguf.json" && json "$scratch/gguf.json" "d['checkpoint']['measured'] and d['checkpoint']['bytes'] == $(cat "$scratch/gguf.bytes") and d['figures']['params'] == 2 * 512 * 64 + 4 * 64 * 64 + 3 * 64 * 128 + 3 * 64"; }
show 'GGUF metadata: shape, and bytes by type of tensor' gguf
show 'diffusers: a pipeline of unet and vae' says 'unet .*2.57 B' $assay catalog show tests/models/sdxl
show 'op lists of networks on images (tests): ResNet-50, BERT, ViT' sh -c "build/asan/tests/test_image_ops 2>&1 | tail -n 1 | grep -E 'PASSED'"
ops() { $assay memory --for serve --model llama-3.1-8b --on '1x h100-sxm5' --json >"$scratch/ops.json" && json "$scratch/ops.json" "'131072' in open('$scratch/ops.json').read()"; }
show 'one op list: the cache of a served token is that of the catalog (131072 B)' ops

section 'Workload readers'
job() { # NAME PATTERN: the file of that name becomes a job file that holds the pattern and is valid
    "$assay" job from "$scratch/$1" --on 8x-h100-sxm5 >"$scratch/$1.job" 2>"$scratch/$1.err" || { cat "$scratch/$1.err"; return 1; }
    tr -s ' \n' ' ' <"$scratch/$1.job" | grep -oE -- "$2" | cut -c1-150
}
cat >"$scratch/megatron.sh" <<'SH'
torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 --group-query-attention --num-query-groups 8 --swiglu --vocab-size 128256 --seq-length 8192 --max-position-embeddings 8192 --micro-batch-size 1 --global-batch-size 128 --bf16 --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --use-distributed-optimizer --recompute-activations
SH
show 'Megatron-LM arguments' job megatron.sh 'tp: 4 .*pp: 2 '
show '... of the newer generation too (test)' sh -c "grep -q 'megatron,--recompute-granularity' data/workload_args.csv && grep -q 'megatron,--checkpoint-activations' data/workload_args.csv && build/asan/tests/test_launch 2>&1 | tail -n 1"
printf '%s' '{"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4, "zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}' >"$scratch/ds.json"
show 'DeepSpeed JSON' job ds.json 'zero: 3'
printf 'compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nfsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: true\nmixed_precision: bf16\nnum_machines: 2\nnum_processes: 16\n' >"$scratch/accelerate.yaml"
show 'accelerate / FSDP YAML' job accelerate.yaml 'framework: accelerate-fsdp2'
printf '[model]\nname = "llama3"\nflavor = "8B"\n[training]\nseq_len = 8192\nlocal_batch_size = 1\n[parallelism]\ntensor_parallel_degree = 2\n' >"$scratch/titan.toml"
show 'torchtitan, TOML' job titan.toml 'tp: 2'
printf 'from torchtitan.config import TrainingConfig\ndef llama3_8b():\n    return Trainer.Config(training=TrainingConfig(max_context_length=8192), parallelism=ParallelismConfig(tensor_parallel_degree=2))\n' >"$scratch/titan.py"
show '... and the newer form' job titan.py 'sequence: 8192'
echo 'vllm serve meta-llama/Llama-3.1-8B -tp 2 --max-model-len 32768 --gpu-memory-utilization 0.92 --kv-cache-dtype fp8 --enforce-eager' >"$scratch/vllm.sh"
show 'vLLM launch line' job vllm.sh 'max_model_len: 32768'
echo 'python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --moe-a2a-backend deepep --mem-fraction-static 0.85' >"$scratch/sglang.sh"
show 'SGLang launch line; a backend that spreads experts over tp' job sglang.sh 'ep: 8 '
echo 'trtllm-serve serve meta-llama/Llama-3.1-8B --tp_size 8 --max_num_tokens 8192' >"$scratch/trtllm.sh"
show 'TensorRT-LLM launch line' job trtllm.sh 'max_batch_tokens: 8192'
printf '#!/bin/bash\n#SBATCH -N 4\n#SBATCH --gpus-per-node=a100:8\n#SBATCH --time=2-12:00:00\nsrun vllm serve meta-llama/Llama-3.1-8B\n' >"$scratch/header.sbatch"
show 'sbatch header' job header.sbatch 'nodes: 4'
printf 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: llama\nspec:\n  replicas: 2\n  template:\n    spec:\n      containers:\n        - name: vllm\n          image: vllm/vllm-openai:v0.8.5\n          args: ["--model", "Qwen/Qwen2.5-7B", "--tensor-parallel-size=4"]\n          resources:\n            limits:\n              nvidia.com/gpu: "4"\n' >"$scratch/deploy.yaml"
show 'Kubernetes resources' job deploy.yaml 'engine: vllm-0.8.5'
show 'what was taken, with file and line' job vllm.sh '# -tp \([^)]*vllm.sh:1\)'
show '... and what was assumed' job vllm.sh '# assumed: '
show 'a job that was read fits memory as it stands' sh -c "$assay job from $scratch/vllm.sh --on 8x-h100-sxm5 | $assay memory - | grep -E 'fits on'"
rule() { grep -qE "^$1" data/framework_rules.csv && echo "$1"; }
show 'framework rules: accelerate >= 0.30 upcasts' rule 'accelerate,0.30,,zero3,fp32_weights'
show '... FSDP2 of 1.13 does not' rule 'accelerate-fsdp2,1.13,1.14,zero3,pure_bf16'
show '... ZeRO-2 does not shard parameters' rule 'deepspeed,,,zero2,note'
upcast() { # the same job takes fewer bytes in the version that leaves the upcast out
    python3 - "$assay" <<'PY'
import json, subprocess, sys
total = {}
for version in ('1.12', '1.13'):
    run = subprocess.run([sys.argv[1], 'memory', 'llama-2-7b', '--for', 'finetune', '--method', 'full', '--zero', '3', '--on', '8x a100-80g', '--sequence', '1024',
                          '--framework', 'accelerate-fsdp2-' + version, '--json'], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    total[version] = run.stdout
print('notes differ:', total['1.12'] != total['1.13'])
assert 'fp32' in total['1.12'] and total['1.12'] != total['1.13']
PY
}
show '... and versions change bytes' upcast
show '... paged optimizers' says 'managed memory' $assay memory llama-2-7b --for finetune --method qlora --lora-rank 16 --zero 0 --on '1x a100-80g' --sequence 4096 --optimizer paged --framework accelerate-1.13

section 'Memory'
show 'fits, by part' says 'kv_cache' $assay memory --for serve --model llama-3.1-8b --on '1x h100-sxm5'
show 'does not fit, exit code 1' sh -c "$assay memory --for serve --model llama-3.1-405b --on '1x h100-sxm5' >$scratch/no; [ \$? -eq 1 ] && head -n 1 $scratch/no"
show 'a config.json' says 'parameters|Weights' $assay memory tests/models/qwen3-30b-a3b-fp8/config.json --on '1x h200'
show 'steady and peak: load, wrap, first step' sh -c "$assay memory llama-2-7b --for train --on '8x h100-sxm5' --sequence 4096 --global-batch 64 >$scratch/train; grep -iE 'load' $scratch/train && grep -iE 'first' $scratch/train"
show 'largest micro-batch, fewest devices' sh -c "grep -iE 'micro-batch' $scratch/train && grep -iE 'fewest devices' $scratch/train"
show 'largest context' says 'longest sequence is' $assay memory --for serve --model llama-3.1-8b --on '1x h100-sxm5'
show 'explains a log of vLLM: part, cheapest fix, value to set' says 'gpu.memory.utilization|max.model.len' $assay memory --log tests/golden/memory_log/server.log
echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.10 GiB is free. Including non-PyTorch memory, this process has 78.00 GiB memory in use. Of the allocated memory 60.00 GiB is allocated by PyTorch, and 17.00 GiB is reserved by PyTorch but unallocated.' >"$scratch/torch.log"
show '... of PyTorch: reserved, not allocated' says 'expandable_segments' $assay memory --log "$scratch/torch.log"
printf 'File "deepspeed/runtime/zero/stage_1_and_2.py", line 500, in initialize_optimizer_states\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 25.10 GiB. GPU 0 has a total capacity of 79.15 GiB of which 20.00 GiB is free.\n' >"$scratch/deepspeed.log"
show '... of DeepSpeed' says 'zero_optimization' $assay memory --log "$scratch/deepspeed.log"
published() { # MODEL FORMAT LOW HIGH in GiB
    $assay memory --for serve --model "$1" --on '8x h200' >"$scratch/published"
    python3 - "$scratch/published" "$2" "$3" "$4" <<'PY'
import re, sys
m = re.search(r'Weights: ([\d.]+) GiB in (\w+), as published', open(sys.argv[1]).read())
print(m.group(0)); assert m.group(2) == sys.argv[2] and float(sys.argv[3]) <= float(m.group(1)) <= float(sys.argv[4])
PY
}
show 'a catalog model counts in the format it is published in: gpt-oss-120b, 65.2 GB' published gpt-oss-120b mxfp4 60.5 61
show '... DeepSeek-V3' published deepseek-v3 fp8 624 630
show '... Kimi-K2, 1.03 TB' published kimi-k2 fp8 955 962
show '... and the note says so' says 'what the model is published in' $assay memory --for serve --model gpt-oss-20b --on '1x h100-sxm5'

section 'Cases'
cases() { build/asan/tests/case_run "$PWD/build/asan/assay" tests/cases >"$scratch/cases" 2>&1; tail -n 3 "$scratch/cases"; for c in 01 02 03 06 09 11 13 14; do grep -E "(^| )$c-.*" "$scratch/cases" | grep -q pass || { echo "$c does not pass"; return 1; }; done; }
show 'memory cases 01-03, 06, 09, 11, 13, 14 pass, the rest shows its state' cases
show 'no arithmetic in the adapter: a value is found by its path and compared' sh -c "grep -c '^ *- *{* *path:' tests/cases/*/case.yaml | wc -l"

section 'Fuzzing'
targets='query price_import csv config image safetensors gguf launch launch_toml launch_python oom_log job archive'
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
