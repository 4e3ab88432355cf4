#!/bin/sh
# Reads the includes of src/ and include/assay and fails on an arrow that points up or sideways.
# usage: include_direction.sh [ROOT]
set -eu
root=${1:-$(dirname -- "$0")/..}
modules=$(cd -- "$(dirname -- "$0")" && pwd)/include_modules.txt

check() { # ROOT: prints every include that is not allowed; status 1 when there is one
    (cd -- "$1" && find src include/assay -name '*.[ch]' -exec grep -nE '^ *# *include +"' /dev/null {} +) |
        awk -v modules="$modules" '
    BEGIN {
        while ((getline line < modules) > 0) {
            if (line ~ /^#/) continue
            n = split(line, word, " ")
            rank[word[1]] = word[2]
            for (i = 3; i <= n; i++) owner[word[i]] = word[1]
        }
        # These meet the chain through data: they stand on base and catalog alone.
        beside["port"] = beside["launch"] = beside["host"] = beside["ledger"] = beside["bench"] = 1
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
        else if (!(a in rank)) complain("no module \"" a "\" in the order; add it to tests/include_modules.txt")
        else if (!(b in rank)) complain("\"" to "\" belongs to no module; add it to tests/include_modules.txt")
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
