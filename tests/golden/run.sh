#!/bin/sh
# Runs whole commands and compares what they print.
# usage: run.sh [--update] ASSAY [NAME...]       (no NAME: every case)
#
# A case is a folder NAME here:
#   cmd           arguments of one run of assay, as shell words; the source folder is the working
#                 folder; may redirect stdin
#   exit          expected exit code
#   stdout.exact  expected output, byte for byte; or
#   stdout.glob   a shell pattern over the whole output (* also matches line ends)
#   stderr.glob   the same for stderr
# A file that is absent means: prints nothing. --update rewrites exit and stdout.exact; globs are
# edited by hand.
set -u

update=false
[ "${1:-}" != --update ] || {
    update=true
    shift
}
[ $# -ge 1 ] || {
    echo "usage: run.sh [--update] ASSAY [NAME...]" >&2
    exit 2
}
case $1 in /*) assay=$1 ;; *) assay=$PWD/$1 ;; esac
shift
cd -- "$(dirname -- "$0")/../.." || exit 2
golden=tests/golden
if [ $# -eq 0 ]; then
    for file in "$golden"/*/cmd; do
        name=${file%/cmd}
        set -- "$@" "${name##*/}"
    done
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Nothing of the caller's machine may show: no configuration, no colour, no locale, no clock.
unset XDG_CONFIG_HOME XDG_DATA_HOME ASSAY_DATA
export HOME="$tmp" NO_COLOR=1 LC_ALL=C SOURCE_DATE_EPOCH=1796083200
export assay

matches_glob() { # PATTERN-FILE TEXT-FILE
    pattern=$(cat "$1")
    text=$(cat "$2")
    # shellcheck disable=SC2254 # it is a pattern
    case $text in $pattern) return 0 ;; esac
    return 1
}

compare() { # STREAM: prints the difference
    if [ -e "$dir/$1.exact" ]; then
        if $update; then cp "$tmp/$1" "$dir/$1.exact"; fi
        diff -u "$dir/$1.exact" "$tmp/$1"
    elif [ -e "$dir/$1.glob" ]; then
        matches_glob "$dir/$1.glob" "$tmp/$1" || {
            diff -u "$dir/$1.glob" "$tmp/$1"
            return 1
        }
    else
        diff -u /dev/null "$tmp/$1"
    fi
}

n_failed=0
for name in "$@"; do
    dir=$golden/$name
    [ -r "$dir/cmd" ] || {
        echo "$dir/cmd cannot be read"
        n_failed=$((n_failed + 1))
        continue
    }
    # shellcheck disable=SC2016 # the inner shell expands it
    sh -c '"$assay" '"$(cat "$dir/cmd")" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null
    rc=$?
    if $update; then echo "$rc" >"$dir/exit"; fi
    ok=true
    [ "$rc" = "$(cat "$dir/exit")" ] || {
        echo "exit code $rc, expected $(cat "$dir/exit")"
        ok=false
    }
    compare stdout || ok=false
    compare stderr || ok=false
    $ok || {
        echo "FAILED $name: assay $(cat "$dir/cmd")"
        n_failed=$((n_failed + 1))
    }
done
[ "$n_failed" -eq 0 ]
