#!/bin/sh
# A signal stops long work soon, with exit code 3, one line on stderr and no output.
# usage: interrupt.sh ASSAY
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$1" decide examples/flags-equivalent.yaml --samples 1e7 --html "$tmp/half.html" >"$tmp/out" 2>"$tmp/err" &
pid=$!

catches_term() { # the program has installed its handler: bit 14 of the caught signals
    mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status")
    [ $((0x${mask:-0} & 0x4000)) -ne 0 ]
}
for _ in $(seq 200); do
    ! catches_term $pid || break
    sleep 0.05
done
kill -TERM $pid
wait $pid
rc=$?
if [ $rc -ne 3 ] || [ -s "$tmp/out" ] || [ -e "$tmp/half.html" ] || [ "$(wc -l <"$tmp/err")" -ne 1 ]; then
    echo "exit code $rc, expected 3"
    cat "$tmp/err" "$tmp/out"
    exit 1
fi
