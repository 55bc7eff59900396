#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the program for arm64, for the guests of tools/vm, and prints its name. The libraries are
# Debian's of arm64, unpacked into the cache and never installed; tools/vm takes them into the guest.
#
# usage: cross-arm64.sh [GOAL...]	default: all, which is build/arm64/perf-bench-ipi
#	 cross-arm64.sh --sysroot	prints where the libraries are
#
# With O= it is O=/arm64. JOBS= and V= are make's.
set -eu

cd "$(dirname "$0")/.."

sysroot=$(tools/vm-fetch.sh tree arm64 sysroot libc6 libcrypt1 libelf1 libelf-dev libjansson4 \
	libjansson-dev libkmod2 libkmod-dev liblzma5 libssl3 libtraceevent1 libtraceevent-dev libzstd1 \
	zlib1g zlib1g-dev)
if [ "${1:-}" = --sysroot ]; then
	echo "$sysroot"
	exit
fi

if ! command -v aarch64-linux-gnu-gcc > /dev/null; then
	tools/setup.sh cross >&2
fi

libraries=$sysroot/usr/lib/aarch64-linux-gnu
output=${O:-$PWD/build}/arm64
PKG_CONFIG_LIBDIR=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot \
	"${MAKE:-make}" -f Makefile.perf --no-print-directory -j"${JOBS:-$(nproc)}" O="$output" \
		ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- \
		LDFLAGS="-Wl,-rpath-link,$libraries:$sysroot/lib/aarch64-linux-gnu" "${@:-all}" >&2
echo "$output/perf-bench-ipi"
