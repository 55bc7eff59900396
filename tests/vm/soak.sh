#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# module-soak.c in a guest: a million broadcasts with a shared lock, and not a word of the kernel's.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# From the first call on: loading says that the module is not the kernel's own.
said() {
	dmesg | tail -n 1
}

check "insmod" insmod /share/ipi_bench.ko
before=$(said)
tap module-soak 1000000
check "the kernel says nothing meanwhile" same "$before" "$(said)"
check "rmmod" rmmod_soon
plan
