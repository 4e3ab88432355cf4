#!/bin/sh
# What a file or a folder is called, or a user's table holds, neither moves the cursor of a terminal
# nor reorders what it shows, in any format.
# usage: hostile_text.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"
# ESC [ 3 1 m, the same as one C1 character, a right-to-left override
folder=$(printf '%s/\033[31m\302\2332m\342\200\256x' "$tmp")
mkdir "$folder"
printf 'id,kind,code,name,usd_per_kwh,source,confidence\nmine,country,X1,=1+1,0.1,me,low\n' >"$folder/energy.csv"
cp examples/flags-equivalent.yaml "$folder/job.yaml"

clean() { # FILE WHAT
    if LC_ALL=C grep -q "$(printf '\033\\|\302\233\\|\342\200\256')" "$1"; then
        echo "$2: a control character or an override stands in the output"
        bad=1
    fi
}
run() { # ARGUMENT...
    "$assay" "$@" --data "$folder" >"$tmp/out" 2>"$tmp/err" || {
        echo "$*: $(cat "$tmp/err")"
        bad=1
    }
    clean "$tmp/out" "$*"
}
for format in "" --json --csv --md; do
    # shellcheck disable=SC2086 # none or one word
    run decide "$folder/job.yaml" $format
done
run decide "$folder/job.yaml" --html "$folder/page.html"
clean "$folder/page.html" "the page"
run job check "$folder/job.yaml"
run search "$folder/job.yaml"
run catalog list energy
run catalog list energy --csv
grep -q "^mine,.*,'=1+1," "$tmp/out" || {
    echo "a formula stands in the CSV:"
    grep "^mine," "$tmp/out"
    bad=1
}
"$assay" decide "$folder/no.yaml" 2>"$tmp/err"
clean "$tmp/err" "the error"
exit $bad
