#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packs the initramfs of a guest of tools/vm: busybox, tools/vm-init.sh as /init, the shared files in
# /share with the libraries they need, what the guest is to do in /vm.
#
# usage: vm-initramfs.sh BUSYBOX STAGE [PATH...] > INITRAMFS
#
# BUSYBOX is a statically linked one. STAGE is a directory to work in, with all that goes to /vm in
# STAGE/vm. Of a PATH that is a directory all that is in it is shared.
set -eu -o pipefail

tools=$(cd "$(dirname "$0")" && pwd)
busybox=$1
stage=$2
sysroot=
shift 2

die() {
	echo "vm-initramfs.sh: $*" >&2
	exit 125
}

# The libraries and the loader that a program or library asks for.
needed() {	# FILE
	LC_ALL=C readelf --wide --program-headers --dynamic "$1" 2> /dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p; s/.*program interpreter: \(.*\)\]$/\1/p'
}

# A program for this machine has its libraries where it has them here.
native_libraries() {	# LDD-OUTPUT
	local library

	if grep 'not found' <<< "$1" >&2; then
		die "a shared program needs these libraries"
	fi
	while read -r library; do
		mkdir -p "$stage${library%/*}"
		cp -L "$library" "$stage$library"
	done < <(grep -Eo '/[^ ]+ \(0x' <<< "$1" | cut -d ' ' -f 1)
}

# Those of a program that was built by tools/cross-arm64.sh are where that has them.
foreign_libraries() {	# FILE
	local name library

	while read -r name; do
		name=${name##*/}
		[ ! -e "$stage/lib/$name" ] || continue
		: "${sysroot:=$("$tools/cross-arm64.sh" --sysroot)}"
		library=$(find "$sysroot" -name "$name" -print -quit)
		[ -n "$library" ] || die "$(basename "$1") needs $name, which $sysroot has not"
		cp -L "$library" "$stage/lib/$name"
		foreign_libraries "$stage/lib/$name"
	done < <(needed "$1")
}

libraries() {
	local program list

	while read -r program; do
		if list=$(LC_ALL=C ldd "$program" 2> /dev/null); then
			native_libraries "$list"
		else
			foreign_libraries "$program"
		fi
	done < <(find "$stage/share" -type f -perm -u+x)
}

mkdir -p "$stage"/{bin,etc,lib,share}
cp "$busybox" "$stage/bin/busybox"
ln -sf busybox "$stage/bin/sh"
install -m 755 "$tools/vm-init.sh" "$stage/init"
printf '%s\n' root:x:0:0:root:/root:/bin/sh nobody:x:65534:65534:nobody:/:/bin/sh > "$stage/etc/passwd"
printf '%s\n' root:x:0: nogroup:x:65534: > "$stage/etc/group"

for path; do
	if [ -d "$path" ]; then
		cp -aL "$path/." "$stage/share"
	else
		cp -aL "$path" "$stage/share"
	fi
done
libraries

# The same files make the same archive, and so the same run where time is counted in instructions.
cd "$stage"
find . -exec touch --no-dereference --date=@0 {} +
find . -print0 | LC_ALL=C sort --zero-terminated |
	cpio --quiet --null --create --format=newc --owner=+0:+0 --reproducible
