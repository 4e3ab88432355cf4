#!/bin/sh
# A full disk, a closed pipe, a closed stdout and an unwritable file end with exit code 2; only the
# closed pipe is silent, and no file is left half written.
# usage: output_errors.sh ASSAY
set -u
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

expect() { # NAME RC WANTED-RC STDERR-PATTERN
    text=$(cat "$tmp/err")
    # shellcheck disable=SC2254 # it is a pattern
    case $text in $4) matched=true ;; *) matched=false ;; esac
    if [ "$2" -ne "$3" ] || ! $matched; then
        printf '%s: exit code %s, expected %s; stderr: %s\n' "$1" "$2" "$3" "$text"
        bad=1
    fi
}

"$assay" help >/dev/full 2>"$tmp/err"
expect "full disk" $? 2 "assay: standard output: *"

"$assay" help >&- 2>"$tmp/err"
expect "closed stdout" $? 2 "assay: standard output: *"

mkfifo "$tmp/pipe"
: <"$tmp/pipe" & # a reader that leaves at once
reader=$!
exec 3>"$tmp/pipe"
wait $reader
"$assay" help >&3 2>"$tmp/err"
expect "closed pipe" $? 2 ""
exec 3>&-

"$assay" help -o "$tmp/no/such/folder" >"$tmp/out" 2>"$tmp/err"
expect "unwritable file" $? 2 "assay: *no/such/folder*"
[ ! -s "$tmp/out" ] || {
    echo "something was printed before the failure"
    bad=1
}

"$assay" help -o "$tmp/file" >"$tmp/out" 2>"$tmp/err"
expect "output to a file" $? 0 ""
"$assay" help >"$tmp/stdout"
if [ -s "$tmp/out" ] || ! cmp -s "$tmp/file" "$tmp/stdout"; then
    echo "-o writes something else than stdout gets"
    bad=1
fi

[ -z "$("$assay" help --quiet)" ] || {
    echo "--quiet prints"
    bad=1
}
exit $bad
