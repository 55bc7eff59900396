#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds perf with "perf bench ipi" in it: OUTPUT/perf-VERSION/perf. The kernel tree is copied, the
# copy gets patches/VERSION/ and what patches/sources names, and perf's own Makefile does the rest.
# The tree given is only read.
#
# usage: graft-perf.sh [--source | --tree] OUTPUT
#	 graft-perf.sh --make TREE OBJECTS
#
# --source	just prints where the kernel tree and its patches are
# --tree	stops before the build and prints where the copy is
# --make	builds the perf of a tree as it is
#
# KSRC= is a tree or a tarball, KVER= the version of Debian's linux-source (default 6.1), which is
# fetched where it is neither installed nor in the cache. The environment reaches perf's Makefile:
# CC=, EXTRA_CFLAGS=, NO_JANSSON=1, NO_LIBELF=1, ...; JOBS= and V= are make's.
set -eu -o pipefail

cd "$(dirname "$0")/.."

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/perf-bench-ipi

# Of a perf that measures IPIs and works on recordings of them. An unknown one does no harm.
features=(NO_LIBPERL=1 NO_LIBPYTHON=1 NO_JVMTI=1 NO_LIBBPF=1 NO_SDT=1 NO_LIBUNWIND=1 NO_LIBCRYPTO=1
	NO_LIBAUDIT=1 NO_LIBBABELTRACE=1 NO_BABELTRACE2=1 NO_LIBDEBUGINFOD=1 NO_GTK2=1
	NO_LIBPFM4=1 NO_LIBCAP=1 NO_LZMA=1 NO_CAPSTONE=1 NO_LIBLLVM=1 NO_SHELLCHECK=1 NO_RUST=1
	NO_LIBNUMA=1 NO_SLANG=1 NO_JEVENTS=1 NO_LIBDW=1 NO_DWARF=1 NO_LIBDW_DWARF_UNWIND=1
	LIBTRACEEVENT_DYNAMIC=1)

# What perf is built from: that of tools/extract-linux-source.sh.
parts=(tools Makefile scripts arch/arm64/tools include/uapi/asm-generic/Kbuild)

die() {
	echo "graft-perf.sh: $*" >&2
	exit 1
}

version_of() {	# TREE
	awk '/^VERSION/ { v = $3 } /^PATCHLEVEL/ { p = $3 } p != "" { print v "." p; exit }' \
		"$1/Makefile"
}

# The newest of a version in the cache.
cached() {	# VERSION
	find "$cache" -maxdepth 1 -name "linux-source-$1-*" -printf '%T@ %p\n' 2> /dev/null |
		sort -n | sed -n '$s/^[^ ]* //p'
}

# Prints the tree.
find_tree() {
	local kver=${KVER:-6.1} tarball tree

	if [ -n "${KSRC:-}" ] && [ -d "$KSRC" ]; then
		realpath "$KSRC"
		return
	fi
	tarball=${KSRC:-/usr/src/linux-source-$kver.tar.xz}
	if [ -e "$tarball" ]; then
		tools/extract-linux-source.sh "$tarball" "$cache"
		return
	fi
	[ -z "${KSRC:-}" ] || die "KSRC=$KSRC: there is no such file or directory"
	tree=$(cached "$kver")
	if [ -n "$tree" ]; then
		echo "$tree"
	else
		tools/vm-fetch.sh source x86_64 "$kver"
	fi
}

# The patches of that version, or of the next older one that has some.
find_patches() {	# VERSION
	local best

	best=$({ basename -a patches/[0-9]*; echo "$1"; } | sort -uV | sed "/^${1//./\\.}\$/q" |
		while read -r version; do
			[ ! -d "patches/$version" ] || echo "$version"
		done | tail -n 1)
	[ -n "$best" ] || die "perf $1 is older than what there are patches for"
	echo "patches/$best"
}

# What the copy is made of: another one is made where this changes. The tree may be one that somebody
# works on, and builds in.
identity() {
	echo "$source"
	find "$source/tools" -name testing -prune -o -type f ! -name '.*' ! -name '*.[oad]' \
		-newer "$source/Makefile" -printf '%T@ %P\n' | sort | sha256sum
	awk 'FNR == 1 { diff = 0 } /^diff --git/ { diff = 1 } diff' "$patches"/*.patch | sha256sum
}

copy_tree() {
	rm -rf "$work"
	mkdir -p "$copy"
	(cd "$source" && tar -cf - --exclude=.git --exclude=tools/testing \
		--exclude=tools/perf/pmu-events/arch --exclude='*.o' --exclude='*.a' \
		--exclude='*.cmd' "${parts[@]}" \
		arch/*/include/uapi/asm/bpf_perf_event.h) | tar -xf - -C "$copy"
	# "make kernelversion" fails in a partial tree; perf takes its version from this file instead.
	awk '/^VERSION/ { v = $3 } /^PATCHLEVEL/ { p = $3 } /^SUBLEVEL/ { s = $3 }
	     END { printf "#define PERF_VERSION \"%s.%s.%s\"\n", v, p, s }' \
		"$copy/Makefile" > "$copy/PERF-VERSION-FILE"
}

# Those without a diff are for tools/make-series.sh.
apply_patches() {
	local file

	for file in "$patches"/*.patch; do
		grep -q '^diff --git' "$file" || continue
		patch -d "$copy" -p1 --quiet --force --no-backup-if-mismatch < "$file" ||
			die "$file does not fit $source"
	done
}

graft() {
	if ! identity | cmp -s - "$work/identity"; then
		echo "  GRAFT    $source" >&2
		copy_tree
		apply_patches
		identity > "$work/identity"
	fi
	tools/graft-copy.sh "$copy"
}

# Not what our own Makefile exports.
perf_make() {	# ARGUMENT...
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u OUTPUT -u srctree -u quiet -u Q -u CFLAGS \
		-u LDFLAGS -u KBUILD_OUTPUT -u O -u prefix -u DESTDIR \
		"${MAKE:-make}" -C "$copy/tools/perf" --no-print-directory \
		JOBS="${JOBS:-$(nproc)}" V="${V:-0}" O="$objects" "${features[@]}" "$@"
}

# Not wanted where it is not installed; from 6.12 on an error by itself.
without() {	# VARIABLE LIBRARY
	[ -n "${!1:-}" ] || "${PKG_CONFIG:-pkg-config}" --exists "$2" || features+=("$1=1")
}

usage() {
	sed -n '/^# usage:/,/^#$/s/^#\t\? \?//p' "$0" >&2
	exit 129
}

build() {
	mkdir -p "$objects"
	without NO_LIBELF libelf
	perf_make perf
}

goal=perf
case ${1:-} in
--make)
	[ $# -eq 3 ] || usage
	copy=$2
	objects=$3
	build
	exit
	;;
--source | --tree)
	goal=${1#--}
	shift
	;;
esac
[ $# -eq 1 ] || usage

source=$(find_tree)
[ -e "$source/tools/perf/builtin-bench.c" ] || die "$source has no tools/perf/builtin-bench.c"
version=$(version_of "$source")
patches=$(find_patches "$version")
work=$(realpath -m "$1")/perf-$version
copy=$work/linux
objects=$work/objects

if [ "$goal" = source ]; then
	printf '%s\n' "$source" "$patches"
	exit
fi
graft
if [ "$goal" = tree ]; then
	echo "$copy"
	exit
fi
build
ln -sfn objects/perf "$work/perf"
echo "  PERF     $work/perf" >&2
