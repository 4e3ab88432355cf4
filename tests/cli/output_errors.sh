#!/bin/sh
# A full disk, a closed pipe, a closed stdout and an unwritable file end with exit code 2; only the
# closed pipe is silent, and no file is left half written.
# usage: output_errors.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"

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

"$assay" help -o - >"$tmp/out" 2>"$tmp/err"
expect "-o -" $? 0 ""
cmp -s "$tmp/out" "$tmp/stdout" || {
    echo "-o - is not standard output"
    bad=1
}

# Nothing is written over what was read, or twice to one file, or to a name that is not there.
job=$tmp/job.yaml
cp examples/flags-equivalent.yaml "$job"
ln -s job.yaml "$tmp/link.yaml"
"$assay" decide "$job" -o "$tmp/link.yaml" >"$tmp/out" 2>"$tmp/err"
expect "output over the job" $? 2 "assay: *link.yaml: would be written over what is read*"
cmp -s "$job" examples/flags-equivalent.yaml || {
    echo "the job was replaced"
    bad=1
}
"$assay" decide "$job" -o "$tmp/one" --html "$tmp/one" >"$tmp/out" 2>"$tmp/err"
expect "two outputs in one file" $? 2 "assay: *one: would be written over another output*"
"$assay" decide "$job" --html - >"$tmp/out" 2>"$tmp/err"
expect "a page on standard output" $? 2 "assay: -: *"
"$assay" decide "$job" -o "" >"$tmp/out" 2>"$tmp/err"
expect "no name" $? 2 "assay: -o needs a value*"
"$assay" decide "" >"$tmp/out" 2>"$tmp/err"
expect "no name of a job" $? 2 'assay: "": *'
long=$(printf '%0250d' 0)
"$assay" help -o "$tmp/$long" >"$tmp/out" 2>"$tmp/err"
expect "the longest name" $? 0 ""
[ -s "$tmp/$long" ] || bad=1

[ -z "$("$assay" help --quiet)" ] || {
    echo "--quiet prints"
    bad=1
}
exit $bad
