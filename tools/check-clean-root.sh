#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tries "make run" (or other goals) in a new, minimal Debian 12: does the README's promise hold where
# nothing is installed? For developers, as root; needs mmdebstrap. The Debian mirror and the options
# of apt are the host's.
#
# usage: check-clean-root.sh [--bare] [GOAL...]		default: run
#
# --bare	without /proc, /sys and /dev of the host
#
# Of the checkout, what git tracks or could track is copied. Nothing stays: the mounts are in a
# mount namespace of our own, the root is in a temporary directory.
set -eu

suite=bookworm

if [ "$(id -u)" -ne 0 ]; then
	echo "check-clean-root.sh: needs root" >&2
	exit 1
fi
if ! command -v mmdebstrap > /dev/null; then
	echo "check-clean-root.sh: needs mmdebstrap: apt-get install mmdebstrap" >&2
	exit 1
fi
if [ -z "${IPI_CLEAN_ROOT_NAMESPACE:-}" ]; then
	IPI_CLEAN_ROOT_NAMESPACE=y exec unshare --mount --propagation slave "$0" "$@"
fi

bare=
if [ "${1:-}" = --bare ]; then
	bare=y
	shift
fi
[ $# -gt 0 ] || set -- run

cd "$(dirname "$0")/.."
. tools/at-exit.sh
work=$(mktemp -d)
root=$work/root
mounted=()

# shellcheck disable=SC2317 # called by the trap
clean_up() {
	local i

	for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do
		umount --recursive --lazy "${mounted[i]}" || return
	done
	rm -rf --one-file-system "$work"
}
at_exit clean_up

# Debian's own of the host's apt sources, and how the host's apt gets at them.
# shellcheck disable=SC2016 # apt's names, not the shell's
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
	'Identifier: Packages' 'Origin: Debian' | grep " $suite" > "$work/sources.list" || {
	echo "check-clean-root.sh: apt knows no $suite here, or its lists were never fetched" >&2
	exit 1
}
apt-config dump | grep -E '^Acquire::((https?|Check)[^ ]*|Retries) ' > "$work/apt.conf" || true

SECONDS=0
mmdebstrap --quiet --variant=apt --include=make,git,ca-certificates --aptopt="$work/apt.conf" \
	"$suite" "$root" "$work/sources.list"
echo "=== $suite root made, $SECONDS s"

# What the host's apt has fetched already need not be fetched again.
cp --link /var/cache/apt/archives/*.deb "$root/var/cache/apt/archives/" 2> /dev/null || true

mkdir "$root/src"
git ls-files --cached --others --exclude-standard -z |
	tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory="$root/src"

if [ -z "$bare" ]; then
	for dir in proc sys dev; do
		mount --rbind "/$dir" "$root/$dir"
		mounted+=("$root/$dir")
	done
fi

status=0
for goal; do
	SECONDS=0
	chroot "$root" env -i PATH="$PATH" HOME=/root LANG=C.UTF-8 make -C /src "$goal" < /dev/null ||
		status=1
	echo "=== make $goal: $SECONDS s, status $status"
done
exit $status
