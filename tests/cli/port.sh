#!/bin/sh
# The rewrite as a diff that patch applies, in place with backups, and nothing the second time.
# usage: port.sh ASSAY
set -eu
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/tree/sub" "$tmp/copy"
cat >"$tmp/tree/a.cu" <<'CU'
#include <cuda_runtime.h>
// cudaMalloc in a comment stays
const char *text = "cudaFree in a string stays";
void f(float **x) {
    cudaMalloc((void **)x, 4);
}
CU
printf 'void g(void *x) { cudaFree(x); }' >"$tmp/tree/sub/b b.cu"
echo 'nothing here' >"$tmp/tree/notes.txt"
cp -R "$tmp/tree/." "$tmp/copy"
chmod 750 "$tmp/tree/a.cu"

cp "$tmp/tree/a.cu" "$tmp/original.cu"
"$assay" port --diff "$tmp/tree" >"$tmp/patch"
cmp -s "$tmp/tree/a.cu" "$tmp/copy/a.cu" # --diff changes nothing
grep -q '^+    hipMalloc((void \*\*)x, 4);$' "$tmp/patch"
if command -v patch >/dev/null; then
    (cd "$tmp/copy" && patch -s -p1 <"$tmp/patch")
fi

"$assay" port --write "$tmp/tree" >"$tmp/out"
grep -q 'in 2 files' "$tmp/out"
grep -q '^// cudaMalloc in a comment stays$' "$tmp/tree/a.cu"
grep -q 'cudaFree in a string stays' "$tmp/tree/a.cu"
grep -q 'cudaMalloc((void' "$tmp/tree/a.cu.orig"
[ "$(stat -c %a "$tmp/tree/a.cu" "$tmp/tree/a.cu.orig" | tr '\n' ' ')" = '750 750 ' ]
cmp "$tmp/tree/a.cu.orig" "$tmp/original.cu"
if command -v patch >/dev/null; then
    cmp "$tmp/tree/a.cu" "$tmp/copy/a.cu"
    cmp "$tmp/tree/sub/b b.cu" "$tmp/copy/sub/b b.cu"
fi
rm "$tmp/tree/a.cu.orig" "$tmp/tree/sub/b b.cu.orig"
[ -z "$("$assay" port --diff "$tmp/tree")" ]

# A link to a file stays one; the backup is of what it names.
mkdir "$tmp/linked"
echo 'void h(void *x) { cudaFree(x); }' >"$tmp/linked/real"
ln -s real "$tmp/linked/link.cu"
"$assay" port --write "$tmp/linked/link.cu" >"$tmp/out"
[ -L "$tmp/linked/link.cu" ]
grep -q hipFree "$tmp/linked/real"
grep -q cudaFree "$tmp/linked/link.cu.orig"

# An older backup is never overwritten; the file it belongs to stays as it is.
cp "$tmp/tree/a.cu" "$tmp/tree/a.cu.orig"
echo 'void h(void *x) { cudaFree(x); }' >>"$tmp/tree/a.cu"
cp "$tmp/tree/a.cu" "$tmp/before"
rc=0
"$assay" port --write "$tmp/tree" 2>"$tmp/err" || rc=$?
[ "$rc" = 2 ]
grep -q 'older backup' "$tmp/err"
cmp "$tmp/before" "$tmp/tree/a.cu"

# Nor is any other file changed then, whatever its place in the order.
mkdir "$tmp/order"
for name in a m z; do echo 'void h(void *x) { cudaFree(x); }' >"$tmp/order/$name.cu"; done
touch "$tmp/order/m.cu.orig"
rc=0
"$assay" port --write "$tmp/order" 2>"$tmp/err" || rc=$?
[ "$rc" = 2 ]
[ "$(grep -l cudaFree "$tmp/order"/*.cu | wc -l)" -eq 3 ]
[ ! -e "$tmp/order/a.cu.orig" ]

rc=0
"$assay" port "$tmp/tree" 2>"$tmp/err" || rc=$?
[ "$rc" = 2 ]
