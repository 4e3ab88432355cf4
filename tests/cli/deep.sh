#!/bin/sh
# scan --deep: without the grammars one clear sentence; with them what only a syntax tree tells, and
# everything else as without. The second part needs ./dev deps deep.
# usage: deep.sh ASSAY
set -eu
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir "$tmp/bin" "$tmp/tree"
cp "$assay" "$tmp/bin/assay"
rc=0
"$tmp/bin/assay" scan "$tmp/tree" --deep >"$tmp/out" 2>"$tmp/err" || rc=$?
if [ $rc != 3 ] || [ -s "$tmp/out" ] || ! grep -q 'run ./dev deps deep' "$tmp/err"; then
    echo "without grammars: exit code $rc"
    cat "$tmp/out" "$tmp/err"
    exit 1
fi
if ! "$assay" scan "$tmp/tree" --deep >"$tmp/out" 2>&1; then
    echo "skipped: $(cat "$tmp/out")"
    exit 0
fi

# Line 6: T is 4 bytes and PITCH 32 only where k<float, 32> is launched. Line 7: 64 bytes apart. Line 8
# and 9: the way goes over variables. Line 16: 96 threads, in a constant of the template. Line 17: 32
# for a parameter that is called warp_size. Line 20: three arguments, not four.
cat >"$tmp/tree/k.cu" <<'CU'
#define STEP (2 * 8)
template <typename T, int PITCH> __global__ void k(float *x, int n) {
    __shared__ T tile[32][PITCH];
    extern __shared__ float raw[];
    float *mine = raw + n;
    int t = threadIdx.x, column = t; x[t] = tile[column][0];
    int far = t * STEP; x[far] = 1;
    mine[far] = 2;
    for (int i = t; i < n; i += blockDim.x) x[i * n] = mine[i];
}
template <typename T, int warp_size> __device__ T sum(T v) { return v; }
template <typename T, int N> struct lanes { static constexpr unsigned long long mask = ~0ull; };
__global__ void plain(float *x) {
    x[threadIdx.x] = sum<float, 16>(x[threadIdx.x]);
}
template <int N = 96> void start(float *x) { plain<<<1, N>>>(x); k<float, 32><<<1, 64>>>(x, 1); }
__device__ float warp(float v) { return sum<float, 32>(v); }
__device__ float most(float v) {
    return fmaxf(v,
        __shfl_xor_sync(lanes<float, 2>::mask, v, 16));
}
#ifndef USE_ROCM
__global__ void cuda_only(float *x) { int far = threadIdx.x * 64; x[far] = 1; }
#endif
#ifdef USE_CUDA
__global__ void has_twin(float *x) { int far = threadIdx.x * 64; x[far] = 1; }
#endif
#ifdef USE_HIP
#endif
CU
cat >"$tmp/tree/train.py" <<'PY'
from torch.backends import cudnn as backend
import torch.version as build
backend.benchmark = True
print(build.cuda, build.hip)
PY
list() { # FLAG...: "file:line rule" of what is deep
    "$assay" scan "$tmp/tree" --json "$@" | sed -n 's/^ *"\(rule\|file\|line\|deep\)": "\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1 \2/p' |
        awk '$1 == "rule" {rule = $2} $1 == "file" {file = $2} $1 == "line" {line = $2}
            $1 == "deep" && $2 == "true" {print file ":" line, rule}'
}
list --deep >"$tmp/found"
cat >"$tmp/expected" <<'LIST'
k.cu:6 bank-conflict
k.cu:7 uncoalesced
k.cu:8 bank-conflict
k.cu:16 block-size-not-wave-multiple
k.cu:17 warp-size-assumed-32
k.cu:20 warp-size-assumed-32
train.py:3 torch-cudnn
train.py:4 torch-version-cuda
LIST
diff -u "$tmp/expected" "$tmp/found"

# Without --deep nothing is deep; with it everything else is the same.
[ -z "$(list)" ]
plain() { "$assay" scan "$tmp/tree" "$@" --write-baseline "$tmp/$1$$" -q && cat "$tmp/$1$$"; }
plain --threads=1 | sort >"$tmp/without"
plain --deep | sort >"$tmp/with"
[ "$(comm -23 "$tmp/without" "$tmp/with" | wc -l)" = 0 ]
[ "$(comm -13 "$tmp/without" "$tmp/with" | wc -l)" = "$(wc -l <"$tmp/found")" ]
