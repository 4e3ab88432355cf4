#!/bin/sh
# Inputs that are too large or no files at all: one line on stderr, exit code 2, nothing on stdout.
# usage: hostile_input.sh ASSAY
set -u
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

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
# A name with an escape sequence must not reach the terminal.
printf 'assay: 1\n"\033[31mred": 1\n' >"$tmp/escape.yaml"
refused "an escape sequence" "$tmp/escape.yaml"
if grep -q "$(printf '\033')" "$tmp/err"; then
    echo "an escape sequence reached the terminal"
    bad=1
fi
exit $bad
