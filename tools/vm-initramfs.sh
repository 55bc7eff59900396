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

busybox=$1
stage=$2
shift 2

die() {
	echo "vm-initramfs.sh: $*" >&2
	exit 125
}

# Programs for this machine find their libraries where they have them here.
libraries() {
	local program library

	while read -r program; do
		library=$(LC_ALL=C ldd "$program" 2> /dev/null) || continue
		if grep 'not found' <<< "$library" >&2; then
			die "$program needs this"
		fi
		grep -Eo '/[^ ]+ \(0x' <<< "$library" | cut -d ' ' -f 1
	done < <(find "$stage/share" -type f -perm -u+x) |
		sort -u |
		while read -r library; do
			mkdir -p "$stage${library%/*}"
			cp -L "$library" "$stage$library"
		done
}

mkdir -p "$stage"/{bin,etc,share}
cp "$busybox" "$stage/bin/busybox"
ln -sf busybox "$stage/bin/sh"
install -m 755 "$(dirname "$0")/vm-init.sh" "$stage/init"
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
