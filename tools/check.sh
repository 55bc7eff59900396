#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs test suites, says what failed and why something was skipped, and ends with one line for all
# of them: "N passed, M failed, K skipped". A suite is a list of programs that print TAP.
#
# usage: check.sh SUITE...
#
# unit      every tests/unit/test-*.c
# shell     every tests/shell/*.sh but lib.sh
# asan      both with AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer
# valgrind  the unit tests under valgrind, the long ones cut short
# style, module, symbols, clang, install, libs, perf: tools/check-SUITE.sh
# series    the same; not part of "make check", it builds perf once for each patch
# vm, big   the same, of program and module in virtual machines; big takes long, and is not part of
#           "make check"
#
# V=1 shows all output. O= is make's, JOBS= how many programs run at once.
set -u
shopt -s extglob

cd "$(dirname "$0")/.." || exit 1

export O=${O:-}
export JOBS=${JOBS:-$(nproc)}
export MAKE=${MAKE:-make}
output=${O:-$PWD/build}
logs=$output/check
export PERF_BENCH_IPI=${O:-$PWD}/perf-bench-ipi
export IPI_TEST_DATA=$PWD/tests/data
export CMOCKA_MESSAGE_OUTPUT=TAP

# The suite can't even start: a result like any other.
failed_to() {	# SUITE WHAT
	printf 'not ok 1 - %s\n1..1\n' "$2" | tee "$logs/$1/start.tap"
}

build() {	# SUITE WHAT [VARIABLE=VALUE...] GOAL...
	local suite=$1 what=$2
	shift 2

	"$MAKE" -f Makefile.perf --no-print-directory -k -j"$JOBS" "$@" && return
	failed_to "$suite" "$what"
	return 1
}

run() {		# SUITE JOBS PROGRAM...
	local suite=$1 jobs=$2
	shift 2

	if [ ! -e "$1" ]; then
		failed_to "$suite" "find tests to run"
		return
	fi
	IPI_TAP_LOGS=$logs/$suite prove --quiet --jobs "$jobs" --exec tools/tap-run.sh "$@"
}

programs() {	# OUTPUT
	local source

	for source in tests/unit/test-*.c; do
		echo "$1/tests/unit/$(basename "$source" .c)"
	done
}

suite_unit() {
	build unit "build the unit tests" O="$O" tests || return
	# shellcheck disable=SC2046 # no blanks in these names, Makefile.perf sees to that
	run unit "$JOBS" $(programs "$output")
}

suite_asan() {
	local status=0

	build asan "build with sanitizers" O="$output/sanitize" SANITIZE=1 all tests || return
	export ASAN_OPTIONS=detect_stack_use_after_return=1
	if [ ! -e /proc/self/task ]; then
		echo "no leak check: /proc is not mounted"
		ASAN_OPTIONS+=:detect_leaks=0
	fi
	export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
	export UBSAN_OPTIONS=print_stacktrace=1
	# shellcheck disable=SC2046
	run asan "$JOBS" $(programs "$output/sanitize") || status=$?
	PERF_BENCH_IPI=$output/sanitize/perf-bench-ipi IPI_TEST_TIMEOUT=600 \
		run asan 1 tests/shell/!(lib).sh || status=$?
	unset ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
	return $status
}

suite_valgrind() {
	if ! command -v valgrind > /dev/null; then
		echo "1..0 # SKIP valgrind is not installed" > "$logs/valgrind/start.tap"
		return
	fi
	build valgrind "build the unit tests" O="$O" tests || return
	# shellcheck disable=SC2046
	IPI_TEST_QUICK=1 IPI_TEST_TIMEOUT=600 IPI_TAP_PREFIX="valgrind --quiet --error-exitcode=99
			--leak-check=full --errors-for-leak-kinds=definite,indirect,possible" \
		run valgrind "$JOBS" $(programs "$output")
}

suite_shell() {
	build shell "build the program" O="$O" all || return
	# One at a time: they measure, and they look at what was left behind.
	IPI_TEST_TIMEOUT=600 run shell 1 tests/shell/!(lib).sh
}

# In guests that QEMU interprets: minutes, on a busy machine many.
vm_suite() {	# SUITE
	build "$1" "build the program" O="$O" all || return
	IPI_TEST_TIMEOUT=${IPI_TEST_TIMEOUT:-3600} run "$1" 1 "tools/check-$1.sh"
}

tool_suite() {	# SUITE
	IPI_TEST_TIMEOUT=${IPI_TEST_TIMEOUT:-900} run "$1" 1 "tools/check-$1.sh"
}

count() {	# FILE...
	awk '/^ok .*# SKIP/ || /^1\.\.0 # SKIP/ { s++; next } /^ok / { p++ } /^not ok / { f++ }
	     END { print p + 0, f + 0, s + 0 }' "$@"
}

details() {	# SUITE
	local log

	for log in "$logs/$1"/*.tap; do
		if [ "${V:-0}" = 1 ] || grep -q '^not ok' "$log"; then
			echo "--- ${log#"$PWD/"}"
			cat "$log"
		else
			sed -n "/# SKIP/{ s/# SKIP /: /; s/^1\.\.0 /all/; s/^ok [0-9]* - //; s/ *: /: /
				s/^/  skipped in $(basename "$log" .tap): /; p }" "$log"
		fi
	done
}

if [ $# -eq 0 ]; then
	echo "usage: check.sh SUITE..." >&2
	exit 129
fi
if ! command -v prove > /dev/null; then
	echo "check.sh needs prove. On Debian: apt-get install perl" >&2
	exit 1
fi

trap 'exit 130' INT
trap 'exit 143' TERM

summary=
all_logs=()
for suite; do
	rm -rf "${logs:?}/$suite"
	mkdir -p "$logs/$suite"
	echo "=== $suite"
	start=$SECONDS
	case $suite in
	unit | asan | valgrind | shell)
		"suite_$suite"
		status=$?
		;;
	style | module | symbols | clang | install | libs | perf | series)
		tool_suite "$suite"
		status=$?
		;;
	vm | big)
		vm_suite "$suite"
		status=$?
		;;
	*)
		failed_to "$suite" "find a suite of that name"
		status=1
		;;
	esac
	details "$suite"
	read -r passed failed skipped <<< "$(count "$logs/$suite"/*.tap)"
	# prove saw something that the logs don't tell
	if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		printf 'not ok 1 - prove ends with status %s\n1..1\n' "$status" |
			tee "$logs/$suite/prove.tap"
		failed=1
	fi
	all_logs+=("$logs/$suite"/*.tap)
	summary+=$(printf '%-10s %4d passed %4d failed %4d skipped %5d s' "$suite" "$passed" \
		"$failed" "$skipped" $((SECONDS - start)))$'\n'
done

read -r passed failed skipped <<< "$(count "${all_logs[@]}")"
printf '=== summary, logs in %s\n%s\n' "${logs#"$PWD/"}" "$summary"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
