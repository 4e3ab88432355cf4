#!/bin/sh
# Reads the includes of src/ and include/assay and fails on an arrow that points up or sideways.
# usage: include_direction.sh [ROOT]
set -eu
root=${1:-$(dirname -- "$0")/..}

check() { # ROOT: prints every include that is not allowed; status 1 when there is one
    (cd -- "$1" && find src include/assay -name '*.[ch]' -exec grep -nE '^ *# *include +"' /dev/null {} +) |
        awk '
    BEGIN {
        # Order of the modules; a module may include those of a smaller rank and itself.
        n = split("base 0 catalog 1 job 1 calibration 2 port 2 host 2 ledger 2 launch 2 resolve 3 physics 4 train 5 serve 5 sim 6 plan 7 memory 6 offers 7 money 8 " \
                  "decide 9 score 9 report 10 cli 11", word, " ")
        for (i = 1; i < n; i += 2) rank[word[i]] = word[i + 1]
        # Public headers whose name is not their module.
        n = split("archive base arena base csv base dist base error base fact base hooks base json base message base " \
                  "serve_step serve simulate sim serve_engine catalog serve_plan plan calibrate score " \
                  "message_list base node base pool base rng base schema base status base " \
                  "table base text base units base query base finding base doctor host host_compare host model catalog catalog_view catalog price_import ledger model_ops catalog model_file catalog image_ops catalog layout resolve machine resolve " \
                  "workload resolve money_input resolve run report report_scan report report_doctor report " \
                  "env host snapshot host topology host fleet host report_topology report report_fleet report " \
                  "report_launch report report_memory report oom_log memory serve_memory serve", word, " ")
        for (i = 1; i < n; i += 2) owner[word[i]] = word[i + 1]
        # These meet the chain through data: they stand on base and catalog alone.
        beside["port"] = beside["launch"] = beside["host"] = beside["ledger"] = 1
    }
    function module(path,   part, noun) {
        split(path, part, "/")
        if (part[1] != "assay") return part[1]
        noun = part[2]
        sub(/\.h$/, "", noun)
        return noun in owner ? owner[noun] : noun
    }
    function complain(text) {
        print place ": " text
        bad = 1
    }
    {
        split($0, field, ":")
        place = field[1] ":" field[2]
        from = field[1]
        sub(/^(src|include)\//, "", from)
        to = $0
        sub(/^[^"]*"/, "", to)
        sub(/".*/, "", to)
        a = module(from)
        b = module(to)
        if (to !~ /\//) complain("include \"" to "\" as \"MODULE/" to "\"")
        else if (!(a in rank)) complain("no module \"" a "\" in the order; add it to tests/include_direction.sh")
        else if (!(b in rank)) complain("\"" to "\" belongs to no module; add it to tests/include_direction.sh")
        else if (a in beside && a != b && b != "base" && b != "catalog")
            complain(a " stands on base and catalog only, not on " b)
        else if (a != b && rank[b] >= rank[a]) complain(a " must not include " to " (" b ")")
        seen++
    }
    END {
        if (!seen) { print "no includes found"; bad = 1 }
        exit bad
    }'
}

# The check itself: a planted tree with one arrow of each kind.
planted=$(mktemp -d)
trap 'rm -rf "$planted"' EXIT
mkdir -p "$planted/src/base" "$planted/src/decide" "$planted/include/assay"
cat >"$planted/src/base/up.c" <<'C'
#include "assay/arena.h"
#include "assay/money.h"
C
cat >"$planted/src/decide/side.c" <<'C'
#include "assay/plan.h"
#include "decide/rule.h"
#include "assay/score.h"
#include "rule.h"
C
found=$(check "$planted" | sort || true)
expected='src/base/up.c:2: base must not include assay/money.h (money)
src/decide/side.c:3: decide must not include assay/score.h (score)
src/decide/side.c:4: include "rule.h" as "MODULE/rule.h"'
if [ "$found" != "$expected" ]; then
    printf 'the check missed planted includes; it printed:\n%s\n' "$found"
    exit 1
fi

check "$root"
