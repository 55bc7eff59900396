#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds for the guests of tools/vm what tries the module in them: ipi_bench.ko for the guest's kernel and
# the programs tests/vm/module-*.c, statically linked. The checkout stays as it is.
#
# usage: vm-module.sh ARCH KVER DIRECTORY		ARCH and KVER as tools/vm has them
set -eu

cd "$(dirname "$0")/.."
. tools/at-exit.sh

if [ $# -ne 3 ]; then
	sed -n 's/^# \(usage:\)/\1/p' "$0" >&2
	exit 129
fi
arch=$1
output=$(realpath -m "$3")

cc=${CC:-gcc}
if [ "$arch" != "$(uname -m | sed s/aarch64/arm64/)" ]; then
	case $arch in
	arm64) cc=aarch64-linux-gnu-gcc ;;
	*) cc=$arch-linux-gnu-gcc ;;
	esac
fi

work=$(mktemp -d)
at_exit "rm -rf '$work'"

tools/build-module.sh "$arch" "$2" "$work/module"
mkdir -p "$output"
cp "$work/module/ipi_bench.ko" "$output/"
for source in tests/vm/module-*.c; do
	"$cc" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -static -pthread \
		-o "$output/$(basename "$source" .c)" "$source"
done
