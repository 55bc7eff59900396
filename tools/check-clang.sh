#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does clang build the program and the unit tests without a warning? As TAP.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh

clang_build() {	# GOAL
	"${MAKE:-make}" -f Makefile.perf --no-print-directory -j"${JOBS:-$(nproc)}" CC=clang \
		O="${O:-build}/clang" "$1"
}

tap_run_tool clang "clang builds the program" clang_build all
tap_run_tool clang "clang builds the unit tests" clang_build tests
tap_end
