#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds ipi_bench.ko for the kernel of a guest of tools/vm, in a copy of module/: the checkout stays
# as it is. What the build says goes to stdout; nothing else does.
#
# usage: build-module.sh ARCH KVER DIRECTORY [VARIABLE=VALUE...]	leaves DIRECTORY/ipi_bench.ko
#
# ARCH is x86_64 or arm64. W=1, C=2 and so on are the kernel's.
set -eu

cd "$(dirname "$0")/.."

if [ $# -lt 3 ]; then
	sed -n 's/^# \(usage:.*\)/\1/p' "$0" >&2
	exit 129
fi
arch=$1
kver=$2
directory=$3
shift 3

headers=$(tools/vm --arch "$arch" --kver "$kver" --headers)
if [ "$arch" = arm64 ]; then
	command -v aarch64-linux-gnu-gcc > /dev/null || tools/setup.sh cross >&2
	set -- ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "$@"
fi

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
cp -RT module "$directory"
make -s -C "$directory" clean
make -s -C "$headers" M="$directory" "$@" modules 2>&1
