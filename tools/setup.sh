#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Installs the Debian packages of tools/packages that are missing, if run as root; names the command
# that does, if not.
#
# usage: setup.sh PURPOSE...		as "build check"
set -eu

cd "$(dirname "$0")/.."

lists=/var/lib/apt/lists

installed() {	# PACKAGE
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# With KSRC= the kernel source is the user's.
packages() {	# PURPOSE
	awk -v purpose="$1" -v ksrc="${KSRC:-}" '
		$1 == purpose && !($3 == "linux-source" && ksrc) { print $2 }' tools/packages
}

# A mirror that does not answer is given up.
fetch() {	# ARGUMENT...
	timeout -k 10 900 apt-get -q -o Acquire::Retries=2 -o Acquire::http::Timeout=30 \
		-o Acquire::https::Timeout=30 "$@" < /dev/null
}

# apt-get waits for the lock of the packages by itself, for that of the lists it does not. A list that
# can't be fetched is no reason to stop: the others may have what is missing.
update() {
	updated=y
	log=$(mktemp)
	for _ in $(seq 30); do
		LC_ALL=C fetch update > "$log" 2>&1 || true
		cat "$log"
		grep -q 'Could not get lock' "$log" || break
		echo "another apt-get is at work, waiting" >&2
		sleep 10
	done
	rm -f "$log"
}

# What is fetched may be given up, not what is being unpacked.
install() {
	# shellcheck disable=SC2086 # a list of packages
	fetch -y --no-install-recommends -o DPkg::Lock::Timeout=300 --download-only install $missing ||
		return
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 install $missing < /dev/null
}

if ! command -v dpkg-query > /dev/null; then
	echo "setup.sh: no Debian here; what has to be there, in Debian's names:" >&2
	awk '/^[a-z]/ { printf "%s%s", sep, $2; sep = " " } END { print "" }' tools/packages >&2
	exit 0
fi

missing=
for purpose; do
	for package in $(packages "$purpose"); do
		installed "$package" || missing="$missing $package"
	done
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
	echo "Packages are missing. This installs them:" >&2
	echo "  sudo apt-get install --no-install-recommends$missing" >&2
	exit 1
fi

echo "installing$missing"
updated=
# Lists that are missing, or weren't fetched for a day: their packages may be gone.
if [ -z "$(find "$lists" -maxdepth 1 -name '*_Packages*' -print -quit)" ] ||
   [ -n "$(find "$lists/partial" -maxdepth 0 -mtime +0)" ]; then
	update
fi
install || { [ -z "$updated" ] && update && install; }
