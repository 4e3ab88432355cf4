# What the acceptance scripts share; each sources it from the root of the tree.
# scratch: a folder that goes at the end; good, bad: counts of sentences that held and that did not.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
good=0
bad=0

section() { printf '\n== %s\n' "$1"; }
# show "sentence" command...: runs the command, prints its last line (LINES_SHOWN of them) and
# whether it held.
show() {
    sentence=$1
    shift
    if "$@" >"$scratch/out" 2>&1; then
        good=$((good + 1))
        printf 'ok    %s\n' "$sentence"
    else
        bad=$((bad + 1))
        printf 'FAIL  %s\n' "$sentence"
    fi
    tail -n "${LINES_SHOWN:-1}" "$scratch/out" | cut -c1-160 | sed 's/^/      /'
}
# json FILE PYTHON-EXPRESSION over the parsed object d
json() {
    python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); v=eval(sys.argv[2]); print(v); sys.exit(0 if v else 1)' "$1" "$2"
}
files() { for f in "$@"; do test -e "$f" || { echo "missing $f"; return 1; }; done; echo "$*"; }
# Every case of tests/cases through whole commands; the last line counts them.
run_cases() { build/asan/tests/case_run "$PWD/build/asan/assay" "$PWD/tests/cases" 2>&1; }
