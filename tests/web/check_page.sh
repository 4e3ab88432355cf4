#!/bin/sh
# The pages of the examples in a browser: see check_page.mjs. Needs ./dev deps web.
# usage: check_page.sh ASSAY [--shots DIR]
set -eu
assay=$1
shift
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
modules=$root/build/web
ASSAY_CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$ASSAY_CHROMIUM" ] || [ ! -d "$modules/node_modules/playwright-core" ]; then
    echo "skipped: no browser here; run ./dev deps web"
    exit 77
fi
pages=$modules/pages
rm -rf "$pages"
mkdir -p "$pages"
cd -- "$root"
write_page() { # NAME JOB ARGUMENT...
    page=$pages/$1.html
    shift
    rc=0
    "$assay" report "$@" -o "$page" 2>"$pages/error" || rc=$?
    if [ $rc -gt 1 ]; then
        grep -q 'no html output' "$pages/error" && return
        cat "$pages/error"
        exit 1
    fi
}
# In English the money is the job's; in Chinese it is CNY.
for job in examples/*.yaml; do
    name=${job##*/}
    write_page "${name%.yaml}-en" "$job" --lang en
    write_page "${name%.yaml}-zh" "$job" --lang zh --currency CNY
done
for lang in en zh; do
    "$assay" scan tests/rules --rocm 6.4 --target gfx942 --lang $lang --html "$pages/scan-$lang.html" -q
done
ASSAY_WEB_MODULES=$modules ASSAY_CHROMIUM=$ASSAY_CHROMIUM \
    node "$root/tests/web/check_page.mjs" "$@" "$pages"/*.html
