#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# module-contract.c in a guest: what /dev/ipi_bench refuses and what it gives, request by request.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

check "insmod" insmod /share/ipi_bench.ko
tap module-contract
check "rmmod" rmmod_soon
plan
