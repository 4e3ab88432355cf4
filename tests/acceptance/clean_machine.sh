#!/bin/sh
# Proof that a newcomer's machine is enough: a minimal Debian 12 tree, a clone of the committed state,
# `./dev run` and `./dev test` in it; says how many minutes and megabytes each took.
# usage: clean_machine.sh [FOLDER]      as root, needs debootstrap; FOLDER (default: a temporary one,
#                                       removed at the end) keeps the tree
# Packages come from wherever this machine's apt gets them.
set -eu
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
[ "$(id -u)" -eq 0 ] || {
    echo "clean_machine.sh: run it as root" >&2
    exit 2
}

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    tree=$(cd -- "$1" && pwd)
    keep=true
else
    tree=$(mktemp -d)
    keep=false
fi
tear_down() {
    for name in dev proc; do
        ! mountpoint -q "$tree/$name" || umount "$tree/$name"
    done
    $keep || rm -rf --one-file-system "$tree"
    rm -f "$table"
}
table=$(mktemp)
trap tear_down EXIT

megabytes() { du -smx "$tree" | cut -f 1; }
row() { printf '%-34s %8s %8s\n' "$1" "$2" "$3"; }
step() { # NAME COMMAND...: runs it and notes what it took
    name=$1
    shift
    before=$(megabytes)
    start=$(date +%s)
    "$@"
    seconds=$(($(date +%s) - start))
    row "$name" "$(awk "BEGIN { printf \"%.1f\", $seconds / 60 }")" "$(($(megabytes) - before))" >>"$table"
}
inside() { # COMMAND: in the tree, with nothing of this machine's environment but the way to packages
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" no_proxy="${no_proxy:-}" \
        chroot "$tree" /bin/sh -c "cd /root/assay && $1"
}

# shellcheck disable=SC2016 # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
step "minimal Debian 12 with git" debootstrap --variant=minbase --include=ca-certificates,git bookworm \
    "$tree" "${mirror:?apt has no source here}"

# The machine's way to its packages: sources, proxy, name service.
rm -f "$tree/etc/apt/sources.list"
cp -RL /etc/apt/apt.conf.d /etc/apt/sources.list.d /etc/apt/trusted.gpg.d "$tree/etc/apt/"
for file in hosts resolv.conf; do
    [ ! -e "/etc/$file" ] || cp -L "/etc/$file" "$tree/etc/$file"
done
mount --bind /proc "$tree/proc"
mount --bind /dev "$tree/dev"

step "git clone" git clone -q "$root" "$tree/root/assay"
step "./dev run (with its packages)" inside './dev run'
step "./dev run again" inside './dev run >/dev/null'
step "./dev test (with its packages)" inside './dev test'

echo
row "step" "minutes" "MB"
cat "$table"
