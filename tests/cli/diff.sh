#!/bin/sh
# usage: diff.sh ASSAY: two decisions, and which input made the other choice.
set -eu
assay=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    printf '%s\n' "$*"
    exit 1
}

job=examples/seed-a-65b-training.yaml
"$assay" decide "$job" --json -o "$dir/a.json"
# Three times the price of one server decides; a quarter more electricity does not.
sed 's/buy_usd: 93000/buy_usd: 279000/; s/electricity_usd_kwh: 0.10/electricity_usd_kwh: 0.125/' \
    "$job" >"$dir/b.yaml"
cmp -s "$job" "$dir/b.yaml" && fail "the example has no such price any more"
"$assay" decide "$dir/b.yaml" --json -o "$dir/b.json"
"$assay" diff "$dir/a.json" "$dir/b.json" >"$dir/out"
grep -q 'buy_usd: 93000 -> 279000. This alone makes' "$dir/out" || fail "$(cat "$dir/out")"
grep -q 'electricity_usd_kwh: .* -> 0.125. Alone: 8x-mi250x-oam is chosen' "$dir/out" ||
    fail "$(cat "$dir/out")"

# The way back is as plain, and the same against the same is nothing.
"$assay" diff "$dir/b.json" "$dir/a.json" | grep -q '279000 -> 93000. This alone makes' ||
    fail "not the other way round"
"$assay" diff "$dir/a.json" "$dir/a.json" | grep -q 'Nothing: the two are the same' ||
    fail "the same differs"

# A candidate that is not there on one side is one input.
sed '/system: 8x-a100-pcie-80g/,/nodes_per_rack: 4/d' "$job" >"$dir/c.yaml"
"$assay" decide "$dir/c.yaml" --json -o "$dir/c.json" || true
"$assay" diff "$dir/a.json" "$dir/c.json" --json >"$dir/out"
grep -q '"candidates\[8x-a100-pcie-80g\]"' "$dir/out" || fail "$(cat "$dir/out")"

# What is no decision is refused, with exit 2 and one line.
for text in '' '{' '[]' '{"verdict":{},"candidates":3}' '{"verdict":1,"candidates":[]}'; do
    printf '%s' "$text" >"$dir/bad.json"
    rc=0
    "$assay" diff "$dir/a.json" "$dir/bad.json" >"$dir/out" 2>"$dir/err" || rc=$?
    if [ "$rc" != 2 ] || [ -s "$dir/out" ] || [ "$(wc -l <"$dir/err")" != 1 ]; then
        fail "$text: $rc"
    fi
done
# A decision of which everything but the form is odd: nothing crashes.
printf '%s' '{"verdict":{"choice":7},"candidates":[1,{"id":null},{"id":"x","fits":true}],
"assumptions":[{"subject":3}],"job":{"a":[{"id":"]"},{}],"b":{"c":[1,2]}}}' >"$dir/odd.json"
"$assay" diff "$dir/odd.json" "$dir/a.json" >/dev/null
"$assay" diff "$dir/a.json" "$dir/odd.json" >/dev/null
