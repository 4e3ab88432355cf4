# shellcheck shell=sh disable=SC2034 # the variables are for the test that reads this
# What a test of whole commands begins with: the program, a folder that is gone in the end, a failure
# that is told and does not end the test. A test ends with: exit $bad
set -u
assay=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() {
    printf '%s\n' "$1"
    bad=1
}
