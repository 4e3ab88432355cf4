#!/bin/sh
# Flags alone give the same JSON as a file that holds only these keys.
# usage: same_answer.sh ASSAY
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/job.yaml" <<'YAML'
assay: 1
workload:
  train:
    model: llama-65b
    dataset_tokens: 1.4e12
candidates:
  - {system: 8x-a100-pcie-80g, nodes: 256}
  - {system: 8x-mi250x-oam, nodes: 256}
YAML
"$1" decide "$tmp/job.yaml" --json >"$tmp/file.json"
"$1" decide --model llama-65b --on 8x-a100-pcie-80g,8x-mi250x-oam --nodes 256 --tokens 1.4e12 --json \
    >"$tmp/flags.json"
diff -u "$tmp/file.json" "$tmp/flags.json"
LC_ALL=de_DE.UTF-8 "$1" decide --nodes=256 --tokens=1.4e12 --model=llama-65b \
    --on=8x-a100-pcie-80g,8x-mi250x-oam --threads 1 --json >"$tmp/other.json"
diff -u "$tmp/file.json" "$tmp/other.json"
