#!/bin/sh
# Reports in Chinese hold no English words but names, units, ids and what stands in code or citations.
# usage: chinese.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"
# Names of makers, products, techniques and people; abbreviations of the field; units.
cat >"$tmp/known" <<'WORDS'
AWS|Azure|GCP|Google|CoreWeave|Nebius|SemiAnalysis|ClusterMAX|CBRE|AMD|NVIDIA|ROCm|HIP|CUDA|TensorRT|vLLM|SGLang|Epoch|AI|BLS|ECEC|EIA|Meta|Uptime|Llama|Infinity|Cache
TP|PP|DP|CP|EP|SP|ZeRO|MFU|TCO|TTFT|TPOT|ITL|GEMM|PUE|PCIe|NVLink|FLOP|KV|LoRA|QLoRA|AdamW|LAMB
bf|fp|int|bit|byte|token|tokens|epoch|logits|notebook|query|value|cuda|hip|ib|roce|OAM|SXM|GCD|DEU
GiB|MiB|KiB|TiB|GB|MB|TB|kWh|MWh|GWh|kW|MW|USD|CNY|EUR|TFLOP|PFLOP|PFLOPS|TFLOPS|Gbit|ms|us|ns
GPU|NUMA|rank|XGMI|IOMMU|amdgpu|RoCE|verbs|performance|manager|hipBLASLt|fabric|Xid|TCP|RCCL|NCCL|PyTorch|MTU|MSCCL|MIG|IMEX|GSP|DKMS
critical|error|warning|info|silent|compile|slow|note|doctor|ID
PTX|LDS|SIMD|wmma|fragments|warp|wave|waves|hipify|rocWMMA|MFMA|JAX|TensorFlow|ONNX|Runtime|MIGraphX|wheel|torch|jax|fence|laneid|onnxruntime|cudaGraphConditionalHandle|warpSize|unsigned|long|runtime|device
week|weeks|pw|pm|year|nm|APU|Instinct|Radeon|SDXL|Ubuntu|LDS|bank|wavefront|SIMD|hipcc|UCX|MPI|Open|InfiniBand|NVSwitch|CDNA|Fabric|decide|BERT|PFLOP
sdxl|vllm|half|audit|shark|tensorrt|cfg|tp|dp|pp|cp|ep|arXiv|KV|QK|QKV|MLP|MI
optimizer|momentum|adam|shortcut|classes|downsample|upsample|hgx
Sobol|Joe|Kuo|host|GPU|CPU|NIC|RDMA|HBM|SLO|JSON|YAML|assay|ln|attention|tok|req|serve|price|pue|residual|DIR|scan
WORDS
words() { # text on stdin: what is left of it, one word a line
    # a job's own name, ids, paths, keys, versions and code hold digits, dots, dashes, slashes, underscores; a word does not
    tr -c 'A-Za-z0-9_./@:#()=+*[]-' '\n' | sed 's/^[(.:=]*//; s/[).,:;=]*$//' |
        grep -E '^[A-Za-z]{2,}$' | grep -vxE "$(tr '\n' '|' <"$tmp/known" | sed 's/|$//')" | sort -u
}
check() { # NAME: text on stdin
    left=$(words)
    [ -z "$left" ] || {
        printf '%s: English is left: %s\n' "$1" "$(printf '%s' "$left" | tr '\n' ' ')"
        : >"$tmp/bad" # the end of a pipe has no variables of ours
    }
}
for job in examples/*.yaml; do
    name=${job##*/}
    "$assay" decide "$job" --lang zh >"$tmp/text" || [ $? -eq 1 ] || bad=1
    # sources in the last column are citations in whatever language; a command line is code
    sed '/^假定及其来源/,$d; s/启动一个副本：.*//' "$tmp/text" | check "$name text"
    "$assay" decide "$job" --lang zh --json >"$tmp/json" || [ $? -eq 1 ] || bad=1
    grep -oE '"(sentence|text|evidence)": *"[^"]*"' "$tmp/json" | sed 's/^"[a-z]*"//' |
        check "$name json"
    "$assay" report "$job" --lang zh -o "$tmp/page.html" 2>"$tmp/error" || {
        grep -q 'no html output' "$tmp/error" || bad=1 # of this kind of work there is no page
        continue
    }
    grep -q '<html lang="zh-CN">' "$tmp/page.html" || bad=1
    tr '\n' ' ' <"$tmp/page.html" |
        sed -E 's~<style>.*</style>~~; s~<(title|h1)>[^<]*</(title|h1)>~~g; s~<span[^>]* lang="en">[^<]*</span>~~g
            s~<code>[^<]*</code>~~g; s~<[^>]*>~\n~g; s~&[a-z0-9#]*;~ ~g' | check "$name page"
done
# What other verbs say; what was read of a host, a command line and the names of replacements are quotations.
said() { # NAME ARGUMENT...
    name=$1
    shift
    "$assay" "$@" --lang zh >"$tmp/text" || [ $? -eq 1 ] || bad=1
    sed '/ 所见 /,/ 原因 /d; s/ 复查 .*//; s/ 处理 .*//; s/替代：.*//' "$tmp/text" | check "$name"
}
said 'audit seed-a' audit seed-a
said 'audit seed-b' audit seed-b
said 'audit md' audit seed-b --md
said 'roadmap' roadmap examples/seed-a-65b-training.yaml --start 2026-12-01
said 'scan' scan tests/rules --rocm 6.4 --target gfx942
said 'scan of frameworks' scan tests/port/frameworks
said 'doctor --list' doctor --list
said 'doctor' doctor --from tests/hosts/03-kfd-missing-in-container/capture
for path in verdict.probability 'candidates[1].layout.tp' sensitivity.investment.payback_years 'sensitivity.inputs[0].worth_usd' \
    'sensitivity.paid_by_month[0].p50_usd[3]' 'rules[compute_dense].value' 'candidates[0].step_time_s'; do
    said "explain $path" decide examples/seed-a-65b-training.yaml --explain "$path"
done
said 'search' search examples/flags-equivalent.yaml
said 'memory' memory llama-3-8b --on '1x h100-sxm5'
# Verbs that quote what they read (lines of logs, command lines, names of products) hold at most one
# English word in a row; these may stand beside each other: products, and commands to type.
cat >"$tmp/pairs" <<'WORDS'
AMD|Instinct|NVIDIA|GeForce|RTX|PRO|Blackwell|Server|Edition|Ultra|Gaudi|Ada|Tesla|Radeon|Frontier|HBM|HDR|Medium
GPU|CPU|NIC|NUMA|PCIE|PCIe|TP|PP|DP|TTFT|TPOT|ITL|USD|GiB|GB|MHz|kHz|RAM|Simple|ring|tree|vram|gtt
docker|podman|run|image|sudo|usermod|apt|assay|env|doctor|serve|inter|algbw|busbw|dkms|status|systemctl|ip|link|inspect|modinfo|uname|pip|list|mlxconfig|query
ROCm|Debian|Ubuntu|PyTorch|CUDA|RCCL|NCCL|XGMI|IOMMU|RDMA|RoCE
WORDS
rows() { # NAME: text on stdin; two words in a row that are not ours to write in English
    awk -v files="$tmp/known $tmp/pairs" '
        BEGIN {
            n = split(files, file, " ")
            for (i = 1; i <= n; i++)
                while ((getline line <file[i]) > 0) {
                    m = split(line, names, "|")
                    for (k = 1; k <= m; k++) known[names[k]] = 1
                }
        }
        {
            before = ""
            for (i = 1; i <= NF; i++) {
                word = $i
                gsub(/[.,;:()"]/, "", word)
                plain = word ~ /^[A-Za-z][A-Za-z]+$/ && !(word in known)
                if (plain && before != "") print before " " word
                before = plain ? word : ""
            }
        }' >"$tmp/left" || : >"$tmp/bad"
    [ ! -s "$tmp/left" ] || {
        printf '%s: English is left: %s\n' "$1" "$(sort -u "$tmp/left" | tr '\n' ';')"
        : >"$tmp/bad"
    }
}
quotes() { # NAME ARGUMENT...
    name=$1
    shift
    "$assay" "$@" --lang zh >"$tmp/text" || [ $? -eq 1 ] || {
        echo "$name: fails"
        bad=1
    }
    [ "$(LC_ALL=C tr -d '\000-\177' <"$tmp/text" | wc -c)" -gt 20 ] || {
        echo "$name: is not in Chinese"
        bad=1
    }
    rows "$name" <"$tmp/text"
}
"$assay" decide examples/flags-equivalent.yaml --json >"$tmp/a.json"
"$assay" decide examples/flags-equivalent.yaml --years 5 --json >"$tmp/b.json"
quotes 'diff' diff "$tmp/a.json" "$tmp/b.json"
quotes 'topo' topo --from tests/hosts/mutated-xgmi-pair-down/capture
quotes 'topo of the catalog' topo --system frontier-node
quotes 'simulate' simulate tests/golden/simulate_trace/job.yaml
quotes 'offers' offers --for serve --model llama-3.1-70b
bench=tests/fuzz/corpus/bench_result
quotes 'bench' bench $bench/vllm.json $bench/sglang.jsonl $bench/chunks.jsonl $bench/engine.prom
quotes 'bench of collectives' bench tests/hosts/61-nccl-tests-mi300x-healthy/capture/all_reduce_perf.txt --gpu mi300x
quotes 'env of a build' env examples/seed-a-build.sh --gpu mi250x
quotes 'env of a service' env examples/seed-b-serving.sh --gpu mi350x --rocm 7.0 --engine vllm
quotes 'env --list' env --list
quotes 'doctor of a fleet' doctor --from tests/golden/doctor_fleet/hosts/b --from tests/golden/doctor_fleet/hosts/c
quotes 'doctor --compare' doctor --compare tests/hosts/healthy-mi300x/capture tests/hosts/mutated-seed-variables/capture
quotes 'doctor --explain' doctor --explain NVD-012
# The groups of a score are names of the data.
"$assay" score --data data/measured/training.csv --lang zh | sed '1,/^跳过的行/d' >"$tmp/text"
[ -s "$tmp/text" ] || bad=1
rows 'score' <"$tmp/text"
# What the doctor saw, wherever it is no line of somebody's log.
for host in tests/hosts/healthy-* tests/hosts/mutated-* tests/hosts/0[1-9]-* tests/hosts/[1-5][0-9]-*; do
    "$assay" doctor --from "$host/capture" --lang zh --json >"$tmp/json" 2>"$tmp/error"
    grep -oE '"evidence": *"([^"\\]|\\.)*"' "$tmp/json" | sed 's/^"evidence": *//' |
        sed -E 's/(dmesg|journal|log|nccl|rccl|rccl-ras|torch|train|ucx|nvidia-smi|jax|hipinfo)[a-z0-9-]*\.(txt|log):.*//' |
        rows "doctor of ${host##*/}"
done
[ ! -e "$tmp/bad" ] || bad=1
exit $bad
