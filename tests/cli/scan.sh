#!/bin/sh
# A scan feeds a decision; the gate of CI with a baseline; the files that a scan writes.
# usage: scan.sh ASSAY
set -eu
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/tree"
cat >"$tmp/tree/sum.cu" <<'CU'
#include <cuda_runtime.h>
__global__ void sum(float *x) {
    float v = x[threadIdx.x];
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffff, v, o);
    x[threadIdx.x] = v;
}
CU

expect() { # EXIT COMMAND...: the exit code is that one
    want=$1
    shift
    rc=0
    "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
    [ "$rc" = "$want" ] || {
        echo "exit code $rc, expected $want: $*"
        cat "$tmp/out" "$tmp/err"
        exit 1
    }
}

# The result is an input of decide: a tree this small costs the low end of level 1, one person-week
# of the default 4,000 USD.
expect 0 "$assay" scan "$tmp/tree" --json --summary -o "$tmp/scan.json"
expect 0 "$assay" decide --model llama-65b --on 8x-a100-pcie-80g,8x-mi250x-oam --nodes 256 \
    --tokens 1.4e12 --scan "$tmp/scan.json" --json
grep -q '"migration_1": 4000,' "$tmp/out"

# Found things are no failure unless asked for.
expect 0 "$assay" scan "$tmp/tree"
expect 1 "$assay" scan "$tmp/tree" --fail-on silent
expect 1 "$assay" scan "$tmp/tree" --fail-on compile --json

# A baseline takes what is known; lines may move; a new fault is new.
expect 0 "$assay" scan "$tmp/tree" --write-baseline "$tmp/known"
expect 0 "$assay" scan "$tmp/tree" --baseline "$tmp/known" --fail-on note
{
    echo '// one more line'
    cat "$tmp/tree/sum.cu"
} >"$tmp/moved" && mv "$tmp/moved" "$tmp/tree/sum.cu"
expect 0 "$assay" scan "$tmp/tree" --baseline "$tmp/known" --fail-on note
cat >>"$tmp/tree/sum.cu" <<'CU'
__device__ float most(float v) {
    for (int d = 16; d > 0; d >>= 1)
        v = fmaxf(v, __shfl_xor_sync(~0ull, v, d));
    return v;
}
CU
expect 1 "$assay" scan "$tmp/tree" --baseline "$tmp/known" --fail-on silent
echo nonsense >"$tmp/known"
expect 2 "$assay" scan "$tmp/tree" --baseline "$tmp/known"

# What a job reads needs no lists.
"$assay" scan "$tmp/tree" --json --summary >"$tmp/short"
grep -q '"effort"' "$tmp/short"
if grep -q '"findings"\|"path"' "$tmp/short"; then exit 1; fi

# Wrong words.
expect 2 "$assay" scan "$tmp/tree" --summary
expect 2 "$assay" scan "$tmp/tree" --fail-on bad
expect 2 "$assay" scan "$tmp/tree" --rocm six
expect 2 "$assay" scan "$tmp/tree" --team 0
expect 2 "$assay" scan "$tmp/tree" --json --sarif
expect 2 "$assay" scan "$tmp/missing"

# The page, and the same answer however many threads there are.
expect 0 "$assay" scan "$tmp/tree" --html "$tmp/page.html"
grep -q '<mark>0xffffffff</mark>' "$tmp/page.html"
"$assay" scan "$tmp/tree" --json --threads 1 >"$tmp/one"
"$assay" scan "$tmp/tree" --json --threads 7 >"$tmp/seven"
cmp "$tmp/one" "$tmp/seven"

# A package that the tree itself is need not be installed; the same import elsewhere must.
mkdir -p "$tmp/own/apex/optim" "$tmp/other"
echo 'import apex' >"$tmp/own/apex/optim/adam.py"
echo 'import apex' >"$tmp/other/train.py"
: >"$tmp/own/apex/__init__.py"
"$assay" scan "$tmp/own" --json >"$tmp/out"
if grep -q '"rule": "package-' "$tmp/out"; then exit 1; fi
echo 'name = "apex"' >"$tmp/own/pyproject.toml"
"$assay" scan "$tmp/own" --json >"$tmp/out"
if grep -q '"rule": "package-' "$tmp/out"; then exit 1; fi
mkdir -p "$tmp/user/vendor/a/apex"
: >"$tmp/user/vendor/a/apex/__init__.py" # a copy somewhere is not what the list asks for
echo apex >"$tmp/user/requirements.txt"
"$assay" scan "$tmp/user" --json >"$tmp/out"
grep -q '"rule": "package-' "$tmp/out"
"$assay" scan "$tmp/other" --json >"$tmp/out"
grep -q '"rule": "package-' "$tmp/out"
