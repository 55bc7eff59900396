#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fetches Debian packages for the guests of tools/vm into a cache outside the checkout and unpacks them
# there. Nothing is installed. Prints the directory.
#
# usage: vm-fetch.sh [--update] kernel ARCH KVER
#		the newest cloud kernel of version KVER ("6.1", "6.12", "6.1.0-57"):
#		DIR/vmlinuz, DIR/lib/modules/
#	 vm-fetch.sh [--update] headers ARCH KVER
#		what builds modules for it on this machine: make -C DIR M=...
#	 vm-fetch.sh [--update] source ARCH KVER
#		the part of its source that perf is built from, for tools/graft-perf.sh
#	 vm-fetch.sh [--update] tree ARCH NAME PACKAGE...
#		these packages in one tree, which is called NAME
#
# ARCH is x86_64 or arm64. What is in the cache is used as it is; --update looks for newer packages.
# apt's state is one of our own, with the mirror, the proxy and the keys of the host's.
#
# A directory appears under its name complete or not at all. One process at a time fetches. A mirror that
# does not answer, or not to the end, is given up after some minutes.
set -eu -o pipefail

. "$(dirname "$0")/at-exit.sh"

# Where kernels are looked for, each with its security updates and backports; trees are of the first.
releases="bookworm trixie"

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/perf-bench-ipi/vm

die() {
	echo "vm-fetch.sh: $*" >&2
	exit 125
}

usage() {
	sed -n '/^# usage:/,/^#$/s/^#\t\? \?//p' "$0" >&2
	exit 129
}

# -- apt -------------------------------------------------------------------------------------------

# The mirror the host has for Debian, and that for its security updates.
sources() {	# RELEASE
	local signed=
	[ ! -r "$keyring" ] || signed="[signed-by=$keyring] "

	# shellcheck disable=SC2016 # apt's names, not the shell's
	apt-get indextargets --format '$(RELEASE) $(REPO_URI)' \
		'Identifier: Packages' 'Origin: Debian' 'Component: main' |
		awk -v release="$1" -v signed="$signed" '
			$1 ~ /-security$/ { security = $2 }
			$1 !~ /-/ { archive = $2 }
			END {
				if (archive == "")
					exit 1
				print "deb " signed archive " " release " main"
				print "deb " signed archive " " release "-backports main"
				if (security != "")
					print "deb " signed security " " release "-security main"
			}'
}

# apt of another release and architecture, which leaves the host's alone. Fetches the lists first if
# there are none.
debian() {	# RELEASE DEBIAN_ARCH apt-get|apt-cache ARGUMENT...
	local state=$cache/apt/$1-$2
	local options=(-q
		-o APT::Architecture="$2" -o APT::Architectures="$2"
		-o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o Dir::State="$state" -o Dir::State::Lists="$state/lists"
		-o Dir::State::Status=/dev/null -o Dir::Cache="$state/cache"
		-o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none
		-o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
		-o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false
		-o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)

	if [ ! -e "$state/complete" ]; then
		mkdir -p "$state/lists/partial" "$state/cache/archives/partial" || return
		if ! sources "$1" > "$state/sources.list"; then
			echo "apt knows no Debian archive here, or its lists were never fetched:" \
				"apt-get update" >&2
			return 1
		fi
		echo "  FETCH    package lists of $1 for $2" >&2
		timeout -k 10 120 apt-get "${options[@]}" -o APT::Update::Error-Mode=any update >&2 ||
			return
		touch "$state/complete" || return
	fi
	shift 2
	timeout -k 10 300 "$1" "${options[@]}" "${@:2}"
}

forget_lists() {
	rm -f "$cache"/apt/*/complete
}

# Packages go into $tmp.
unpack() {	# RELEASE DEBIAN_ARCH PACKAGE...
	local release=$1 for_arch=$2 deb
	shift 2

	echo "  FETCH    $*" >&2
	mkdir "$tmp/debs" || return
	# The second time goes on where the first one stopped.
	(cd "$tmp/debs" && { debian "$release" "$for_arch" apt-get download "$@" >&2 ||
		debian "$release" "$for_arch" apt-get download "$@" >&2; }) || return
	for deb in "$tmp"/debs/*.deb; do
		dpkg -x "$deb" "$tmp" || return
	done
	rm -r "$tmp/debs"
}

# A link to a file of the packages is to one of this tree, not of this machine.
relative_links() {
	local link target

	while read -r link; do
		target=$tmp$(readlink "$link")
		[ ! -e "$target" ] || ln -sfnr "$target" "$link" || return
	done < <(find "$tmp" -type l -lname '/*')
}

unpack_tree() {	# PACKAGE...
	unpack "${releases%% *}" "$debian_arch" "$@" && relative_links
}

# The names a package depends on; of alternatives the first.
depends() {	# RELEASE PACKAGE
	debian "$1" "$debian_arch" apt-cache show --no-all-versions "$2" |
		sed -n '/^Depends:/{ s/^Depends: *//; s/, */\n/g; p }' | sed 's/ .*//'
}

# -- kernels ---------------------------------------------------------------------------------------

# The newest kernel of the version asked for, as "6.1.0-57-cloud-arm64".
newest_kernel() {	# RELEASE KVER
	debian "$1" "$debian_arch" apt-cache show --all-versions "linux-image-cloud-$debian_arch" |
		sed -n '/^Depends:/s/.*[ ,]linux-image-\([0-9][^ ,]*\).*/\1/p' |
		awk -v wanted="$2" '
			index($0, wanted) == 1 && substr($0, length(wanted) + 1) !~ /^[0-9]/' |
		sort --version-sort | tail -n 1
}

# The first release that has the version asked for, and the kernel.
find_kernel() {	# KVER
	local release kernel

	for release in $releases; do
		kernel=$(newest_kernel "$release" "$1") || return
		[ -z "$kernel" ] || break
	done
	if [ -z "$kernel" ]; then
		echo "KVER=$1: no such cloud kernel for $arch in Debian's $releases" >&2
		return 1
	fi
	echo "$release $kernel"
}

# 7.x has the kernel, its modules and their lists in packages of their own.
unpack_kernel() {	# RELEASE KERNEL
	local parts

	parts=$(depends "$1" "linux-image-$2") || return
	parts=$(grep -E '^linux-(base|binary|modules)-[0-9]' <<< "$parts" || true)
	# shellcheck disable=SC2086 # a list of packages
	unpack "$1" "$debian_arch" "linux-image-$2" $parts || return
	if [ ! -e "$tmp/lib/modules" ]; then
		mkdir -p "$tmp/lib" && ln -s ../usr/lib/modules "$tmp/lib/modules" || return
	fi
	if [ -e "$tmp/boot/vmlinuz-$2" ]; then
		ln -s "boot/vmlinuz-$2" "$tmp/vmlinuz"
	else
		ln -s "lib/modules/$2/vmlinuz" "$tmp/vmlinuz"
	fi
	test -r "$tmp/vmlinuz"
}

# -- headers ---------------------------------------------------------------------------------------

# Programs of the build that want a newer C library than this machine's run with that of their release.
wrap_programs() {	# RELEASE
	local program loader newer=()

	while read -r program; do
		if grep -q "version .GLIBC.* not found" <<< "$(LC_ALL=C ldd "$program" 2>&1)"; then
			newer+=("$program")
		fi
	done < <(find "$tmp"/usr/lib/linux-kbuild-* -type f -perm -u+x)
	[ ${#newer[@]} -gt 0 ] || return 0

	unpack "$1" "$host_arch" libc6 || return
	loader=$(find "$tmp" -name 'ld-linux*' -type f -print -quit)
	[ -n "$loader" ] || return
	for program in "${newer[@]}"; do
		mv "$program" "$program.wrapped" || return
		cat > "$program" <<-END || return
			#!/bin/sh
			here=\$(dirname "\$(readlink -f "\$0")")
			libs=\$here/$(realpath --relative-to="${program%/*}" "${loader%/*}")
			exec "\$libs/${loader##*/}" --library-path "\$libs" \\
				"\$here/${program##*/}.wrapped" "\$@"
		END
		chmod 755 "$program"
	done
}

# To work where they lie, with the compiler that is here: they name one, and have a feature of it.
# Without vmlinux a module gets no BTF, for which pahole would be needed.
adapt_headers() {	# DIRECTORY
	local compiler

	sed -i "s,/usr/src/,\$(CURDIR)/../," "$1/Makefile" || return
	rm -f "$1/vmlinux"
	compiler=$(sed -n 's/^CC = .*)//p' "$1/.kernelvariables")
	if ! command -v "$compiler" > /dev/null; then
		sed -i "s/^\(CC = .*)\)$compiler\$/\1gcc/" "$1/.kernelvariables" &&
			echo "override CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT :=" \
				>> "$1/.kernelvariables"
	fi
}

unpack_headers() {	# RELEASE KERNEL
	local parts

	parts=$(depends "$1" "linux-headers-$2") || return
	# shellcheck disable=SC2046 # a list of packages
	unpack "$1" "$debian_arch" "linux-headers-$2" \
		$(grep -E '^linux-headers-.*-common$' <<< "$parts") || return
	# shellcheck disable=SC2046
	unpack "$1" "$host_arch" $(grep '^linux-kbuild-' <<< "$parts") || return
	wrap_programs "$1" || return
	adapt_headers "$tmp/usr/src/linux-headers-$2" || return
	ln -s "usr/src/linux-headers-$2" "$tmp/build"
}

# -- source ----------------------------------------------------------------------------------------

# The first release that has the version.
find_source() {	# KVER
	local release

	for release in $releases; do
		if debian "$release" "$debian_arch" apt-cache show "linux-source-$1" > /dev/null 2>&1; then
			echo "$release"
			return
		fi
	done
	echo "KVER=$1: no linux-source-$1 in Debian's $releases" >&2
	return 1
}

unpack_source() {	# KVER
	local release found

	release=$(find_source "$1") || return
	unpack "$release" "$debian_arch" "linux-source-$1" || return
	found=$("${0%/*}/extract-linux-source.sh" "$tmp/usr/src/linux-source-$1.tar.xz" "$tmp/unpacked") ||
		return
	mv "$found" "$tmp/linux" && rm -r "${tmp:?}/usr" "${tmp:?}/unpacked"
}

# -- cache -----------------------------------------------------------------------------------------

# shellcheck disable=SC2317 # called by at_exit
clean_up() {
	[ -z "$tmp" ] || rm -rf "$tmp"
	[ "$(id -u)" -ne 0 ] || chown -hR --reference="$above" "${made:-$cache}"
}

# Has a command fill $tmp and puts that into the cache.
into_cache() {	# NAME COMMAND [ARGUMENT...]
	local name=$1
	shift

	[ ! -e "$cache/$name" ] || return 0
	tmp=$(mktemp -d "$cache/.unpack.XXXXXX") || return
	if ! chmod 755 "$tmp" || ! "$@" || ! mkdir -p "$cache/$(dirname "$name")" ||
	   ! mv -T "$tmp" "$cache/$name"; then
		rm -rf "$tmp"
		return 1
	fi
}

# What is asked for is a link to what was found: kernel/arm64-6.1 -> 6.1.0-57-cloud-arm64. What it named
# before stays, since a guest may be using it.
fetch() {	# KVER | NAME PACKAGE...
	local found release kernel

	if [ "$what" = tree ]; then
		into_cache "$wanted" unpack_tree "${@:2}"
		return
	fi
	if [ "$what" = source ]; then
		into_cache "$wanted" unpack_source "$1"
		return
	fi
	found=$(find_kernel "$1") || return
	read -r release kernel <<< "$found"
	into_cache "$what/$kernel" "unpack_$what" "$release" "$kernel" || return
	ln -sfnT "$kernel" "$cache/$wanted"
}

update=
if [ "${1:-}" = --update ]; then
	update=y
	shift
fi
[ $# -ge 3 ] || usage
what=$1
arch=$2
shift 2

case $arch in
x86_64) debian_arch=amd64 ;;
arm64) debian_arch=arm64 ;;
*) die "ARCH=$arch: there is x86_64 and arm64" ;;
esac
case $1 in
*[!A-Za-z0-9.+-]*) die "'$1' is no version and no name" ;;
esac
case $what in
kernel | headers | source | tree) wanted=$what/$arch-$1 ;;
*) usage ;;
esac

if [ -n "$update" ] || [ ! -e "$cache/$wanted" ]; then
	for tool in apt-get dpkg flock; do
		command -v $tool > /dev/null || die "needs $tool: fetches on Debian only"
	done
	host_arch=$(dpkg --print-architecture)

	# Whoever owns the nearest directory that exists owns what is made below ("sudo make").
	above=$cache
	while [ ! -d "$above" ]; do
		made=$above
		above=$(dirname "$above")
	done
	mkdir -p "$cache" || die "can't make the cache $cache; XDG_CACHE_HOME= chooses another place"

	tmp=
	at_exit clean_up
	exec {lock}> "$cache/.lock"
	flock "$lock"
	# What a killed run left behind a day ago or more.
	find "$cache" -mindepth 1 -maxdepth 1 -name '.unpack.*' -mtime +0 -exec rm -rf {} +

	failed="can't fetch $what $1 for $arch: no network, or none of Debian's mirrors in apt's sources?"
	if [ -n "$update" ]; then
		forget_lists
		case $what in
		source | tree) rm -rf "${cache:?}/$wanted" ;;
		esac
		fetch "$@" || die "$failed"
	elif [ ! -e "$cache/$wanted" ]; then
		had_lists=$(find "$cache" -path "*/apt/*" -name complete)
		# The lists may be older than the archive: once more with new ones.
		fetch "$@" || { [ -n "$had_lists" ] && forget_lists && fetch "$@"; } || die "$failed"
	fi
fi

case $what in
headers) realpath "$cache/$wanted/build" ;;
source) realpath "$cache/$wanted/linux" ;;
*) realpath "$cache/$wanted" ;;
esac
