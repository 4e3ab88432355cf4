#!/bin/sh
# Rules of the tree that no compiler checks. Prints each breach as file:line: what; status 1 if any.
set -u
cd -- "$(dirname -- "$0")/.." || exit 2
bad=0
breaches=$(mktemp -u)
trap 'rm -f "$breaches"' EXIT
breach() {
    printf '%s\n' "$1"
    bad=1
}
report() { # WHAT: breaches from stdin, one a line; the end of a pipe, so a file remembers them
    while IFS= read -r line; do printf '%s: %s\n' "$line" "$1"; done | grep . && : >"$breaches"
}
files() { git ls-files -co --exclude-standard -- "$@"; }

files '*.c' '*.h' | xargs grep -nE \
    '(^|[^a-zA-Z0-9_>.])(strcpy|strcat|strncpy|v?sprintf|strtok|atoi|atol|atof|gets|gmtime|localtime|ctime|system|setlocale)\(' \
    /dev/null | grep -v '^tests/unit/test_text.c:.*setlocale' |
    report "banned function; assay/text.h and snprintf have what is needed"

files '*.c' '*.h' '*.sh' | sed 's|.*/||' | sort | uniq -d | report "file name is not unique in the tree"

files '*.c' '*.h' '*.sh' dev | xargs wc -l | awk '$2 != "total" && $1 > 800 { print $2 }' |
    report "more than 800 lines; split it"

# Hosts of package registries belong to the machine's configuration, not into the tree.
files | xargs grep -nIE \
    '(^|[^a-z])(deb|security|registry|pypi|proxy|files|ports|archive)[.](debian|ubuntu|npmjs|yarnpkg|golang|pythonhosted)[.]|(^|[^a-z])pypi[.]org|crates[.]io' \
    /dev/null | cut -c 1-160 | report "host name of a package registry"

files '*.c' '*.h' '*.sh' '*.py' dev | xargs grep -nE 'TODO|FIXME|\bXXX\b' /dev/null |
    grep -vE 'TODO\([0-9]+\)|tools/lint_tree[.]sh' | report "write TODO(issue number): what"

flags="-fsyntax-only -Wall -Werror -D_GNU_SOURCE -Iinclude -Isrc"
for header in $(files 'include/*.h' 'src/*.h' | grep -v '_list[.]h$'); do
    # shellcheck disable=SC2086 # a list of flags
    printf '#include "%s"\n' "${header#*/}" | gcc -x c -std=gnu17 $flags - ||
        breach "$header: does not compile alone as C"
    case $header in include/*)
        # shellcheck disable=SC2086
        printf '#include "%s"\n' "${header#*/}" | g++ -x c++ -std=c++17 $flags - ||
            breach "$header: does not compile alone as C++"
        ;;
    esac
done
[ ! -e "$breaches" ] || bad=1
exit $bad
