#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# module-inject.c in a guest: known delays, and where they land. Judged sample by sample where
# instructions are counted, by medians elsewhere.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

check "insmod" insmod /share/ipi_bench.ko
if [ "${ICOUNT:-0}" = 1 ]; then
	tap module-inject 500 judge
else
	tap module-inject 500
fi
check "rmmod" rmmod_soon
plan
