#!/bin/sh
# A user's tables: catalog check names every wrong row, catalog diff what the right ones change,
# catalog path where they stand.
# usage: catalog.sh ASSAY
set -u
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
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
exit $bad
