#!/bin/sh
# Inputs that are too large or no files at all: one line on stderr, exit code 2, nothing on stdout.
# usage: hostile_input.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"

refused() { # NAME FILE
    "$assay" decide "$2" >"$tmp/out" 2>"$tmp/err"
    rc=$?
    if [ $rc -ne 2 ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
        printf '%s: exit code %s\n' "$1" "$rc"
        cat "$tmp/err" "$tmp/out"
        bad=1
    fi
}

truncate -s 1G "$tmp/huge.yaml"
refused "a file of 1 GB" "$tmp/huge.yaml"
mkfifo "$tmp/pipe"
refused "a pipe that nobody writes" "$tmp/pipe"
refused "a device" /dev/zero
refused "a folder" "$tmp"
printf 'assay: 1\0\n' >"$tmp/nul.yaml"
refused "a NUL byte" "$tmp/nul.yaml"
awk 'BEGIN { for (i = 0; i < 300000; i++) print "- " i }' >"$tmp/many.yaml"
refused "too many nodes" "$tmp/many.yaml"
# Every row of a user's table leaves a note; comparing each with each took minutes.
mkdir "$tmp/data"
awk 'BEGIN { print "id,kind,code,name,usd_per_kwh,source,confidence"
    for (i = 0; i < 100000; i++) print "e" i ",country,c,n,1,s,low" }' >"$tmp/data/energy.csv"
timeout 60 "$assay" job check examples/flags-equivalent.yaml --data "$tmp/data" >"$tmp/out" || {
    echo "100000 rows of a table: exit code $?"
    bad=1
}
# What is long or has many divisors is answered, and soon: each of these took a minute.
soon() { # WHAT ARGUMENT...
    what=$1
    shift
    timeout 30 "$assay" "$@" >"$tmp/out"
    rc=$?
    [ $rc -le 1 ] || {
        echo "$what: exit code $rc"
        bad=1
    }
}
awk 'BEGIN {
    id = sprintf("%4080s", ""); gsub(" ", "n", id)
    print "workload: {train: {model: llama-7b, dataset_tokens: 1e12}}\ncandidates:"
    for (i = 0; i < 64; i++) print "  - {system: 8x-mi300x-oam, buy_usd: " i ", id: " id i "}"
}' >"$tmp/names.yaml"
soon "names of 4 KB" decide "$tmp/names.yaml"
soon "names of 4 KB on a page" decide "$tmp/names.yaml" --html "$tmp/page.html"
awk 'BEGIN {
    print "workload:\n  train:\n    global_batch: 735134400\n    dataset_tokens: 1e12"
    print "    model: {layers: 3600, hidden: 40320, heads: 2520, head_dim: 64, ffn: 55440, vocab: 50400}"
    print "candidates:"
    for (i = 0; i < 16; i++) print "  - {system: 8x-mi300x-oam, buy_usd: 1, id: c" i ", nodes: " 262144 - i "}"
}' >"$tmp/divisors.yaml"
soon "many layouts" decide "$tmp/divisors.yaml"
# A name with an escape sequence must not reach the terminal.
printf 'assay: 1\n"\033[31mred": 1\n' >"$tmp/escape.yaml"
refused "an escape sequence" "$tmp/escape.yaml"
if grep -q "$(printf '\033')" "$tmp/err"; then
    echo "an escape sequence reached the terminal"
    bad=1
fi
exit $bad
