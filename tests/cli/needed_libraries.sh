#!/bin/sh
# Start-up stays instant: only libc, libm, libyaml, jansson, expat and SQLite are loaded (a sanitizer's run time aside).
# usage: needed_libraries.sh ASSAY
set -eu
extra=$(LC_ALL=C readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE '^(libc|libm|libyaml-0|libjansson|libexpat|libsqlite3|libasan|libubsan|libtsan|ld-linux-[a-z0-9-]+)\.so\.[0-9]+$' || true)
[ -z "$extra" ] || {
    printf 'loaded as well:\n%s\n' "$extra"
    exit 1
}
