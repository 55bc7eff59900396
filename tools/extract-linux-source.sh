#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Unpacks the part of a kernel source tarball that libperf and perf are built from, once, and prints
# the directory. It downloads nothing; tools/setup.sh installs the tarball.
#
# usage: extract-linux-source.sh TARBALL CACHE_DIR
#
# The directory's name carries the tarball's size and time, so that an upgraded package is unpacked
# anew. The tree appears under its name complete or not at all: two makes may do this at once.
set -eu

. "$(dirname "$0")/at-exit.sh"

die() {
	echo "extract-linux-source.sh: $*" >&2
	exit 1
}

[ $# -eq 2 ] || die "usage: extract-linux-source.sh TARBALL CACHE_DIR"
tarball=$1
cache=$2

name=$(basename "$tarball")
tree=$cache/${name%%.tar*}-$(stat -L -c %s-%Y "$tarball")

if [ -d "$tree" ]; then
	echo "$tree"
	exit 0
fi

# The nearest directory that exists: whoever owns it is to own what is made below.
above=$cache
while [ ! -d "$above" ]; do
	made=$above
	above=$(dirname "$above")
done
mkdir -p "$cache" || die "can't make the cache $cache; XDG_CACHE_HOME= or KSRC= choose another place"

# What a killed run left behind a day ago or more.
find "$cache" -mindepth 1 -maxdepth 1 -name '.unpack.*' -mtime +0 -exec rm -rf {} +

tmp=$(mktemp -d "$cache/.unpack.XXXXXX") || die "can't write to $cache"
at_exit "rm -rf '$tmp'"

echo "  UNPACK   $tarball" >&2
XZ_OPT=-T0 tar -xf "$tarball" -C "$tmp" --strip-components=1 --no-same-owner \
	--wildcards --no-wildcards-match-slash \
	--exclude='*/tools/testing' --exclude='*/tools/perf/pmu-events/arch' \
	'*/tools' '*/Makefile' '*/COPYING' '*/LICENSES' '*/scripts' '*/arch/arm64/tools' \
	'*/arch/*/include/uapi/asm/bpf_perf_event.h' '*/include/uapi/asm-generic/Kbuild' ||
	die "can't unpack $tarball"

# "make kernelversion" fails in a partial tree; perf takes its version from this file instead.
awk '/^VERSION/ { v = $3 } /^PATCHLEVEL/ { p = $3 } /^SUBLEVEL/ { s = $3 }
     END { printf "#define PERF_VERSION \"%s.%s.%s\"\n", v, p, s }' \
	"$tmp/Makefile" > "$tmp/PERF-VERSION-FILE"
chmod 755 "$tmp"

# Root unpacking into a user's home ("sudo make") leaves it to that user.
if [ "$(id -u)" -eq 0 ]; then
	chown -R --reference="$above" "$tmp" "${made:-$tmp}"
fi

if ! mv -T "$tmp" "$tree" 2>/dev/null && [ ! -d "$tree" ]; then
	die "can't rename $tmp to $tree"
fi
echo "$tree"
