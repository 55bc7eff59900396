#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A guest of 112 CPUs, as TAP: the program's own run on all of them. For developers, it takes many
# minutes. So many CPUs on few get to run so seldom that the guest's watchdogs bark at that alone:
# they are off.
#
# SMP= is another number of CPUs, ARCH= and KVER= are those of tools/vm.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh

for tool in qemu-system-x86_64 cpio; do
	if ! command -v "$tool" > /dev/null; then
		echo "1..0 # SKIP $tool is not installed: apt-get install $(package_of "$tool")"
		exit
	fi
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if ! tools/vm-module.sh "${ARCH:-x86_64}" "${KVER:-6.1}" "$work" > "$work/log" 2>&1; then
	sed 's/^/# /' "$work/log"
	echo "1..0 # SKIP no module for the guest: $(tail -n 1 "$work/log")"
	exit
fi
tools/vm --smp "${SMP:-112}" --timeout "${TIMEOUT:-3000}" --share "$work/ipi_bench.ko" \
	--append "nosoftlockup rcupdate.rcu_cpu_stall_suppress=1" --tap tests/vm/big.sh
