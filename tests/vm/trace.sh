#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# module-trace.c in a guest: the module's own trace events, record by record beside the result buffer.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

check "insmod" insmod /share/ipi_bench.ko
tap module-trace
check "rmmod" rmmod_soon
plan
