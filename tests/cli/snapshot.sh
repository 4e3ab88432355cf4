#!/bin/sh
# A snapshot of this machine: in time, without its names, and the doctor answers from it as here.
# usage: snapshot.sh ASSAY
# shellcheck source=tests/cli/lib/begin.sh
. "$(dirname "$0")/lib/begin.sh"
USER=somebody-else-42
export USER
start=$(date +%s)
"$assay" snapshot --no-tools -o "$tmp/host.tar" >"$tmp/said" 2>"$tmp/errors"
rc=$?
if [ $rc -eq 3 ]; then # no libarchive here
    exit 0
fi
[ $rc -eq 0 ] || fail "exit $rc: $(cat "$tmp/errors")"
[ $(($(date +%s) - start)) -le 5 ] || fail "took longer than five seconds"
grep -q 'names and numbers replaced' "$tmp/said" || fail "does not say what it hid"
! grep -aq somebody-else-42 "$tmp/host.tar" || fail "a user's name is in it"
name=$(uname -n)
[ ${#name} -lt 4 ] || ! grep -aqw -- "$name" "$tmp/host.tar" || fail "the host's name is in it"

statuses() { grep -E '^      "(id|status)"'; }
"$assay" doctor --json 2>/dev/null | statuses >"$tmp/live"
"$assay" doctor --from "$tmp/host.tar" --json 2>/dev/null | statuses >"$tmp/read"
[ -s "$tmp/live" ] || fail "the doctor says nothing"
diff -u "$tmp/live" "$tmp/read" || fail "the doctor answers otherwise from the snapshot"
mkdir "$tmp/unpacked" && tar -xf "$tmp/host.tar" -C "$tmp/unpacked"
"$assay" doctor --from "$tmp/unpacked" --json 2>/dev/null | statuses | cmp -s - "$tmp/read" ||
    fail "the doctor answers otherwise from the unpacked snapshot"
# A member that leaves the archive: nothing else of it is believed.
echo x >"$tmp/f"
tar -C "$tmp" -cPf "$tmp/escape.tar" --transform='s,^f$,../../f,' f
"$assay" doctor --from "$tmp/escape.tar" >/dev/null 2>"$tmp/errors"
[ $? -eq 2 ] || fail "an archive with a path that leaves it is read"
grep -q "leaves the archive" "$tmp/errors" || fail "does not say what is wrong with the archive"
exit $bad
