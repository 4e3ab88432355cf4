#!/bin/sh
# A user's tables come from the configuration folder, then $ASSAY_DATA, then --data; the last one
# wins, and every output names the row that was replaced.
# usage: overlay.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"

table() { # FOLDER PRICE: a table with one row, as the built-in one but for the price
    mkdir -p "$1"
    sed -n '1p; /^8x-mi250x-oam,/p' data/systems.csv | sed "s/,192560,/,$2,/" >"$1/systems.csv"
}
price() { "$assay" catalog show 8x-mi250x-oam --json "$@" | grep -A 1 '"capex_usd": {' | tr -dc 0-9; }
expect() { # WHAT VALUE EXPECTED
    [ "$2" = "$3" ] || {
        echo "$1: got $2, expected $3"
        bad=1
    }
}

table "$tmp/config/assay" 150001
table "$tmp/environment" 150002
table "$tmp/flag" 150003
unset ASSAY_DATA XDG_CONFIG_HOME
HOME=$tmp/home
export HOME
expect "built-in" "$(price)" 192560
export XDG_CONFIG_HOME="$tmp/config"
expect "configuration" "$(price)" 150001
export ASSAY_DATA="$tmp/environment"
expect "environment over configuration" "$(price)" 150002
expect "flag over environment" "$(price --data "$tmp/flag")" 150003

job="decide examples/flags-equivalent.yaml --data $tmp/flag"
for format in "" --json --md; do
    # shellcheck disable=SC2086 # lists of words
    "$assay" $job $format | tr -d '\n' | tr -s ' ' | grep -qF "8x-mi250x-oam replaced by $tmp/flag/systems.csv:2" || {
        echo "decide $format does not name the replaced row"
        bad=1
    }
done

# What was meant to be a table and is not read is an error.
refused() { # WHAT PATTERN
    "$assay" decide examples/flags-equivalent.yaml --data "$tmp/slip" >"$tmp/out" 2>"$tmp/err"
    rc=$?
    if ! grep -q "$2" "$tmp/err" || [ $rc -ne 2 ] || [ -s "$tmp/out" ]; then
        echo "$1: exit code $rc, $(cat "$tmp/err")"
        bad=1
    fi
}
mkdir "$tmp/slip"
refused "no table" "slip: holds no table"
touch "$tmp/slip/price.csv"
refused "a slip" "'price.csv' is no table; did you mean 'prices.csv'"
rm "$tmp/slip/price.csv"
ln -s nowhere "$tmp/slip/systems.csv"
refused "a link that leads nowhere" "systems.csv: cannot be opened"
mv "$tmp/slip/systems.csv" "$tmp/slip/calibration.csv"
refused "the same for the calibration" "calibration.csv: cannot be opened"
exit $bad
