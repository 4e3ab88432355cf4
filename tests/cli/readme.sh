#!/bin/sh
# The example in README.md is what the program prints now: the verdict, then the paragraphs that
# README shows, each found by its first line; "..." stands for what is left out.
# usage: readme.sh [--update] ASSAY        --update writes them into README.md
set -eu
update=false
[ "$1" != --update ] || {
    update=true
    shift
}
case $1 in /*) assay=$1 ;; *) assay=$PWD/$1 ;; esac
cd -- "$(dirname -- "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset XDG_CONFIG_HOME ASSAY_DATA
HOME=$tmp NO_COLOR=1 LC_ALL=C "$assay" decide examples/seed-a-65b-training.yaml >"$tmp/printed"

# The block after "prints, cut" is written anew: a paragraph begins after a blank line or "...".
awk '
    FNR == NR {
        if (fresh && $0 != "") key = $0
        if (n++ == 0) verdict = key = $0
        fresh = $0 == ""
        if (!fresh) printed[key] = printed[key] $0 "\n"
        next
    }
    !seen && /prints, cut/ { seen = 1 }
    /^```/ && seen == 2 { seen = 3 }
    seen == 2 {
        if ($0 == "" || $0 == "...") { print; begins = 1; next }
        if (begins) printf "%s", first ? verdict_text() : ($0 in printed) ? printed[$0] : $0 "\n"
        begins = first = 0
        next
    }
    { print }
    /^```/ && seen == 1 { seen = 2; begins = first = 1 }
    function verdict_text() { return printed[verdict] }
' "$tmp/printed" README.md >"$tmp/README.md"

if $update; then
    cp "$tmp/README.md" README.md
elif ! diff -u README.md "$tmp/README.md"; then
    echo "README.md shows what the program no longer prints; ./dev test --update-golden mends it"
    exit 1
fi
