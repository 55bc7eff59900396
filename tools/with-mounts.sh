#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command with /proc, /sys, tracefs and /dev/pts in place, also in a bare chroot: as root, what
# is not there is mounted for as long as the command runs. Elsewhere it just runs it.
#
# usage: with-mounts.sh COMMAND [ARGUMENT...]
set -u

. "$(dirname "$0")/at-exit.sh"

have_proc() {
	[ -e /proc/self/stat ]
}

have_sys() {
	[ -d /sys/devices/system/cpu ]
}

have_pts() {
	[ -e /dev/pts/ptmx ]
}

if [ "$(id -u)" -ne 0 ] || { have_proc && have_sys && have_pts; }; then
	exec "$@"
fi

mounted=()

# shellcheck disable=SC2317 # called by at_exit
unmount() {
	local i

	for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do
		umount --no-mtab "${mounted[i]}" || umount --no-mtab --lazy "${mounted[i]}"
	done
}
at_exit unmount

try_mount() {	# TYPE DIRECTORY
	mount --no-mtab -t "$1" "$1" "$2" || return
	mounted+=("$2")
}

have_proc || try_mount proc /proc
have_sys || { try_mount sysfs /sys && try_mount tracefs /sys/kernel/tracing; }
have_pts || try_mount devpts /dev/pts

"$@"
