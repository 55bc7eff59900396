#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A guest of 112 CPUs, as TAP: the program's own run on all of them, with the module and without. For
# developers, it takes some minutes.
#
# An arm64 guest that counts instructions: its CPUs take turns, and each gets its share of the guest's own
# time, however few CPUs are here. A turn ends with the next timer of any CPU: "skew_tick=1" spreads their
# ticks, or a turn lasts a whole tick and a busy target answers after 112 of them. The guest's watchdogs
# bark at that alone: they are off.
#
# SMP= is another number of CPUs. With ARCH=x86_64, whose CPUs run at the same time, busy targets don't
# get to run together on a machine that has but a few. KVER= is that of tools/vm.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

arch=${ARCH:-arm64}
options=(--arch "$arch" --kver "${KVER:-6.1}" --smp "${SMP:-112}" --timeout "${TIMEOUT:-3000}")
needs=(qemu-system-x86_64 cpio)
if [ "$arch" = arm64 ]; then
	options+=(--icount)
	needs=(qemu-system-aarch64 aarch64-linux-gnu-gcc cpio)
fi
for tool in "${needs[@]}"; do
	if ! command -v "$tool" > /dev/null; then
		echo "1..0 # SKIP $tool is not installed: apt-get install $(package_of "$tool")"
		exit
	fi
done
work=$(mktemp -d) || exit 1
at_exit "rm -rf '$work'"
if [ "$arch" = arm64 ] && ! tools/cross-arm64.sh > "$work/log" 2>&1; then
	sed 's/^/# /' "$work/log"
	echo "1..0 # SKIP no program for the guest: $(tail -n 1 "$work/log")"
	exit
fi
if ! tools/vm-module.sh "$arch" "${KVER:-6.1}" "$work" > "$work/log" 2>&1; then
	sed 's/^/# /' "$work/log"
	echo "1..0 # SKIP no module for the guest: $(tail -n 1 "$work/log")"
	exit
fi
tools/vm "${options[@]}" --share "$work/ipi_bench.ko" \
	--append "nosoftlockup rcupdate.rcu_cpu_stall_suppress=1 skew_tick=1" --tap tests/vm/big.sh
