#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Puts what patches/sources names into a kernel tree. Only what differs is written, so that a build
# there compiles no more than what changed; what is gone here goes there.
#
# usage: graft-copy.sh TREE
#	 graft-copy.sh --list		prints each FILE and its place in the tree
set -eu -o pipefail

cd "$(dirname "$0")/.."

# Editors' leavings are none of our sources.
files() {	# DIRECTORY
	find "$1" -type f \( -name '*.[ch]' -o -name Build \) | sort
}

copy() {	# FILE TO
	cmp -s "$1" "$2" && return
	mkdir -p "$(dirname "$2")"
	install -m "$(stat -c %a "$1")" "$1" "$2"
}

copy_all() {	# DIRECTORY TO
	local file

	while read -r file; do
		copy "$file" "$2${file#"$1"}"
	done < <(files "$1")
	[ -d "$2" ] || return 0
	while read -r file; do
		[ -e "$1${file#"$2"}" ] || rm "$file"
	done < <(files "$2")
}

list() {	# FILE|DIRECTORY TO
	if [ -d "$1" ]; then
		files "$1" | sed "s,^$1\(.*\),$1\1 $2\1,"
	else
		echo "$1 $2"
	fi
}

while read -r from to; do
	if [ "$1" = --list ]; then
		list "$from" "$to"
	elif [ -d "$from" ]; then
		copy_all "$from" "$1/$to"
	else
		copy "$from" "$1/$to"
	fi
done < <(grep -v '^#' patches/sources)
