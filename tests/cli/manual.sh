#!/bin/sh
# A manual page for every verb, without roff warnings where groff is installed.
# usage: manual.sh ASSAY
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$1" man --dir "$tmp"
for page in assay assay-decide assay-search assay-catalog-list assay-catalog-show assay-score assay-audit assay-bench \
    assay-doctor assay-env assay-snapshot assay-topo assay-job-check assay-job-schema assay-help assay-man assay-completion; do
    [ -s "$tmp/$page.1" ] || {
        echo "no page $page"
        exit 1
    }
done
"$1" man decide | cmp - "$tmp/assay-decide.1"
! command -v groff >/dev/null || groff -man -Tutf8 -ww -z "$tmp"/*.1 2>"$tmp/warnings" || exit 1
[ ! -s "$tmp/warnings" ] || {
    cat "$tmp/warnings"
    exit 1
}
