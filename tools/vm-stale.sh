#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Watches a guest of x86-64 for a fault of QEMU's: is one of its CPUs stuck in an instruction that is no
# longer there? Then the guest is ended.
#
# The kernel changes its code at run time, events are turned on like that, and puts an int3 there
# meanwhile. QEMU's threads (7.2, tb_invalidate_phys_range_fast) drop the translation before the byte is
# written. Where another CPU translates it in between, as a busy host allows, that CPU has the int3 for
# good: its handler finds none, returns, and so on, with interrupts off.
#
# usage: vm-stale.sh CONSOLE MONITOR PID
#
# CONSOLE is the console's log, with the @@INT3 lines of vm-init.sh: address and end of what handles an
# int3. MONITOR.in and MONITOR.out are the pipes of QEMU's monitor. PID gets a SIGTERM, and MONITOR.stale
# is there from then on.
set -u

if [ $# -ne 3 ]; then
	sed -n 's/^# \(usage:\)/\1/p' "$0" >&2
	exit 129
fi
console=$1
monitor=$2
guest=$3

samples=20
LC_ALL=C

# For both directions: no open and no write waits for a QEMU that has ended.
exec {questions}<> "$monitor.in" {answers}<> "$monitor.out"

# Numbers of one length compare as texts.
inside() {	# PLACE
	local i

	for ((i = 0; i < ${#range[@]}; i += 2)); do
		[[ ! $1 < ${range[i]} && $1 < ${range[i + 1]} ]] && return
	done
	return 1
}

read_ranges() {
	local line

	range=()
	while read -r line; do
		[[ ! $line =~ @@INT3\ ([0-9a-f]{16})\ ([0-9a-f]{16}) ]] ||
			range+=("${BASH_REMATCH[@]:1}")
	done < "$console"
}

# Is one of the CPUs there, more than once? All is done by this shell: what ends it leaves no child.
in_handler() {
	local i line found=0

	read_ranges
	for ((i = 0; i < samples; i++)); do
		echo "info registers -a" >&"$questions"
		while read -r -t 0.1 -u "$answers" line; do
			if [[ $line =~ ^RIP=([0-9a-f]{16})\  ]] && inside "${BASH_REMATCH[1]}"; then
				found=$((found + 1))
			fi
		done
	done
	[ $found -ge 2 ]
}

pause() {	# SECONDS
	while read -r -t "$1" -u "$answers"; do
		:
	done
}

# A busy host may stop a CPU there for a moment.
until in_handler && pause 5 && in_handler; do
	pause 15
done
touch "$monitor.stale"
kill "$guest"
