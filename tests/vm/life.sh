#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# module-life.c in a guest: load, open, kill, signals, hotplug, storms; 10 000 times open, run and
# close where there are most CPUs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cycles=1000
[ "$SMP" -lt 4 ] || cycles=10000

tap module-life /share/ipi_bench.ko $cycles
check "no module is left" sh -c '! grep -q "^ipi_bench " /proc/modules'
check "no device is left" test ! -e /dev/ipi_bench
plan
