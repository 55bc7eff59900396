#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the program for arm64, statically linked, for the guests of tools/vm, and prints its name. The
# libraries are Debian's of arm64, unpacked into the cache and never installed.
#
# usage: cross-arm64.sh [GOAL...]	default: build/arm64/perf-bench-ipi
#
# With O= in DIR/arm64 instead. JOBS= and V= are make's.
set -eu

cd "$(dirname "$0")/.."
output=${O:-$PWD/build}/arm64

if ! command -v aarch64-linux-gnu-gcc > /dev/null; then
	tools/setup.sh cross >&2
fi
sysroot=$(tools/vm-fetch.sh tree arm64 sysroot \
	libtraceevent-dev libtraceevent1 libjansson-dev libjansson4)

# The linker warns of a dlopen(): libtraceevent loads plugins, which we use none of.
PKG_CONFIG_LIBDIR=$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot \
	"${MAKE:-make}" -f Makefile.perf --no-print-directory -j"${JOBS:-$(nproc)}" O="$output" \
		ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- LDFLAGS=-static \
		"${@:-all}" >&2
echo "$output/perf-bench-ipi"
