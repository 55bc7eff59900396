#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "make install" and "make uninstall" in a directory of our own, and stock perf running what was
# installed. As TAP.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

root=$(mktemp -d) || exit 1
at_exit "rm -rf '$root'"
program=$root/opt/ipi/bin/perf-bench-ipi

make_goal() {	# GOAL
	"${MAKE:-make}" -f Makefile.perf --no-print-directory -j"${JOBS:-$(nproc)}" O="${O:-}" \
		DESTDIR="$root" prefix=/opt/ipi "$1"
}

installed() {
	[ -x "$program" ] && [ -r "$root/opt/ipi/share/doc/perf-bench-ipi/COPYING" ] &&
		"$program" list > "$root/alone"
}

# As a user types it: no command of perf's, so that perf looks along PATH.
stock_perf() {	# ARGUMENT...
	PATH=${program%/*}:$PATH perf bench-ipi "$@"
}

stock_perf_lists() {
	stock_perf list > "$root/by-perf" && diff "$root/alone" "$root/by-perf"
}

stock_perf_status() {
	local status

	stock_perf --no-such-option 2> /dev/null
	status=$?
	[ $status -eq 129 ] || echo "status $status, not 129"
	[ $status -eq 129 ]
}

completion_works() {
	# shellcheck source=tools/perf-bench-ipi.bash-completion
	(. "$root/opt/ipi/share/bash-completion/completions/perf-bench-ipi" &&
		complete -p perf-bench-ipi)
}

# What man shows, and what a browser does: the title, and every option of the text.
pages() {
	local option page

	for page in "$root/opt/ipi/share/man/man1/perf-bench-ipi.1" \
			"$root/opt/ipi/share/doc/perf-bench-ipi/perf-bench-ipi.html"; do
		for option in perf-bench-ipi $(sed -n 's/^\(--[a-z-]*\).*::$/\1/p' \
				Documentation/perf-bench-ipi.txt); do
			sed 's/\\-/-/g; s/&#45;/-/g' "$page" | grep -qF -e "$option" && continue
			echo "${page##*/} lacks $option"
			return 1
		done
	done
}

nothing_left() {
	local left

	left=$(find "$root/opt" ! -type d -o -name 'perf-bench-ipi*')
	[ -z "$left" ] || echo "left: $left"
	[ -z "$left" ]
}

tap_run "make install" make_goal install
tap_run "the program is there and runs" installed
tap_run "the completion for bash is there" completion_works
tap_run_tool asciidoctor "the man page is there, and its HTML" pages
tap_run_tool perf "stock perf runs it: perf bench-ipi list" stock_perf_lists
tap_run_tool perf "stock perf passes its exit status on" stock_perf_status
tap_run "make uninstall" make_goal uninstall
tap_run "uninstall leaves no file" nothing_left
tap_end
