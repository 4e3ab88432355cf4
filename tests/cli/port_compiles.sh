#!/bin/sh
# Small programs as assay port leaves them compile for gfx90a, where hipcc is.
# usage: port_compiles.sh ASSAY
set -eu
assay=$1
if ! command -v hipcc >/dev/null; then
    echo "skipped: needs hipcc"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$(dirname "$0")"/../port/*.cu "$tmp"
"$assay" port --write "$tmp" --rocm 5.2 --target gfx90a -q
for file in "$tmp"/*.cu; do
    if ! hipcc -x hip --offload-arch=gfx90a -std=c++17 -fsyntax-only "$file" >"$tmp/log" 2>&1; then
        cat "$tmp/log"
        exit 1
    fi
done
