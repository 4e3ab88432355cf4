#!/bin/sh
# A user's tables: catalog check names every wrong row, catalog diff what the right ones change,
# catalog path where they stand.
# usage: catalog.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"
unset ASSAY_DATA XDG_CONFIG_HOME XDG_DATA_HOME
export HOME="$tmp/home"

expect() { # WHAT EXIT-CODE PATTERN...: of the last run
    what=$1 want=$2
    shift 2
    if [ "$rc" -ne "$want" ]; then
        echo "$what: exit code $rc, expected $want: $(cat "$tmp/err")"
        bad=1
    fi
    for pattern in "$@"; do
        tr -s ' \n' '  ' <"$tmp/out" | grep -qE -- "$pattern" || {
            echo "$what: no \"$pattern\" in: $(cat "$tmp/out")"
            bad=1
        }
    done
}
run() {
    "$assay" "$@" >"$tmp/out" 2>"$tmp/err"
    rc=$?
}

mkdir "$tmp/own"
cat >"$tmp/own/prices.csv" <<'CSV'
id,provider,sku,region,accelerator,count,on_demand_usd_h,spot_usd_h,date,source
a-cheap,a,x,here,nvidia-b200-sxm-180g,8,0.08,,2026-01,test
a-spot,a,y,here,nvidia-h100-sxm5-80g,8,20,25,2026-01,test
a-ahead,a,z,here,nvidia-h100-sxm5-80g,8,20,,2999-01-01,test
a-fine,a,w,here,nvidia-h100-sxm5-80g,8,20,12,2026-01,test
CSV
run catalog check "$tmp/own"
expect check 1 'prices.csv:2: ' 'prices.csv:3: ' 'prices.csv:4: ' 'added from .*prices.csv:5' '3 rows are refused'
run catalog check "$tmp/own" --json
expect "check --json" 1 '"refused"' 'prices.csv:4'

sed -i 2,4d "$tmp/own/prices.csv"
run catalog check "$tmp/own"
expect "check of a good table" 0 'no row is refused'
run catalog diff --data "$tmp/own"
expect diff 0 'a-fine on_demand_usd_per_h unknown 20'
run catalog diff --data "$tmp/own" --json
expect "diff --json" 0 '"yours": 20'

# A file that is no table at all is one refusal, not two hundred.
echo 'id,nonsense' >"$tmp/own/prices.csv"
run catalog check "$tmp/own"
expect "check of a wrong header" 1 "unknown column 'nonsense'" "1 rows are refused"

run catalog path --data "$tmp/own"
expect path 0 "$tmp/own" "$tmp/home/.config/assay not there" "$tmp/home/.local/share/assay/ledger.db not there"
XDG_DATA_HOME=$tmp/share run catalog path --json
expect "path --json" 0 "\"ledger\": \"$tmp/share/assay/ledger.db\""

# Imports: all or nothing, and then over the built-in prices of every verb.
ledger=$tmp/share/assay/ledger.db
export XDG_DATA_HOME="$tmp/share"
run catalog import tests/import/wrong.csv
expect "import of wrong rows" 2
grep -q "4 rows cannot be right, nothing was kept" "$tmp/err" || {
    echo "import of wrong rows: $(cat "$tmp/err")"
    bad=1
}
[ ! -e "$ledger" ] || {
    echo "import of wrong rows made a ledger"
    bad=1
}
run catalog import tests/import/wrong.csv --dry-run
expect "dry run" 1 'wrong.csv:2: .*expected 0.02 to 40' 'wrong.csv:4: .*above on_demand' \
    'wrong.csv:5: .*lies ahead' 'wrong.csv:6: .*31 times the median' 'Nothing was kept'
run catalog import tests/import/wrong.csv --skip-wrong
expect "import without wrong rows" 0 '1 offers taken' 'ledger.db'
run catalog import tests/import/skypilot.csv --provider aws --date 2026-11-30 --json
expect "import of SkyPilot" 0 '"offers": 2' '"name": "M60"'
run catalog list prices --where 'id=aws-p4d.24xlarge-us-east-1'
expect "imported prices in a list" 0 '12.4 +2026-11-30' '3 imported offers, seen 2026-11-01 to 2026-11-30'
run catalog list prices --where 'id=aws-p4d.24xlarge-us-east-1' --ledger none
expect "without the ledger" 0 '2026-07-20'
run decide examples/flags-equivalent.yaml --json
expect "decide names the ledger" 0 '3 imported offers'
echo 'no data base' >"$ledger"
run catalog list prices
expect "a broken ledger" 2
exit $bad
