#!/bin/sh
# A variable of the environment that cannot be read is an error, as a flag would be.
# usage: environment.sh ASSAY
set -u
bad=0
threads() { # VALUE WANTED-RC
    ASSAY_THREADS=$1 "$assay" decide examples/flags-equivalent.yaml --quiet 2>/dev/null
    rc=$?
    [ $rc -eq "$2" ] || {
        echo "ASSAY_THREADS=$1: exit code $rc, expected $2"
        bad=1
    }
}
assay=$1
threads 2 0
threads "" 0
threads 0 2
threads 1e9 2
threads many 2
ASSAY_THREADS=many "$assay" decide examples/flags-equivalent.yaml --quiet --threads 2 || bad=1
exit $bad
