#!/bin/sh
# The completion script, asked as bash asks it; zsh and fish at least read theirs, where installed.
# usage: completion.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"
ln -s "$assay" "$tmp/assay"
PATH=$tmp:$PATH
export PATH

offers() { # WORD WORD...: what is offered in place of the last word
    bash -c 'eval "$(assay completion bash)"
        COMP_WORDS=(assay "$@") COMP_CWORD=$#
        _assay; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
expect() { # OFFER WORD...
    offer=$1
    shift
    offers "$@" | grep -qxF -- "$offer" || {
        printf 'assay %s: %s is not offered; these are:\n' "$*" "$offer"
        offers "$@"
        bad=1
    }
}
expect decide de
expect list catalog ''
expect accelerators catalog list acc
expect --html decide --ht
expect --tokens decide --tok
expect 8x-mi250x-oam decide --on 8x-mi2
expect full decide --recompute ''
expect bash completion ba
expect amd-mi300x-192g catalog show amd-mi300x
expect decide help de
expect scan man sc
expect silent scan --fail-on s
expect critical doctor --threshold ""
expect warning env --threshold wa
expect --svg topo --sv
expect --no-scrub snapshot --no-s
expect README.md scan READ

# An id of a user's table is offered when it is a plain word, and never run.
mkdir -p "$tmp/config/assay"
sed -n '1p; /^8x-mi250x-oam,/p; /^8x-mi250x-oam,/s/^[^,]*/8x-mi2-mine/p' data/systems.csv >"$tmp/config/assay/systems.csv"
# shellcheck disable=SC2016 # it is to arrive as it is
sed -n '/^8x-mi250x-oam,/p' data/systems.csv |
    sed 's/^[^,]*/8x-mi2$(touch${IFS}'"$(printf %s "$tmp" | sed 's|/|\\/|g')"'\/ran)/' >>"$tmp/config/assay/systems.csv"
XDG_CONFIG_HOME=$tmp/config
export XDG_CONFIG_HOME
expect 8x-mi2-mine decide --on 8x-mi2
expect 8x-mi2-mine catalog show 8x-mi2
if [ -e "$tmp/ran" ]; then
    echo "completion ran a command from a table"
    bad=1
fi
unset XDG_CONFIG_HOME

for shell in zsh fish; do
    assay completion $shell >"$tmp/script" || bad=1
    ! command -v $shell >/dev/null || $shell -n "$tmp/script" || bad=1
done
exit $bad
