#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Without the libraries that the program can do without: does it build, does what needs one say so,
# does the rest work? As TAP. tools/check-perf.sh has the like for perf, if it is given NO_JANSSON=1.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

output=${O:-$PWD/build}/without
program=$output/perf-bench-ipi
work=$(mktemp -d) || exit 1
at_exit "rm -rf '$work'"

make_without() {	# VARIABLE=1... GOAL
	env "${@:1:$#-1}" "${MAKE:-make}" -s -f Makefile.perf --no-print-directory \
		-j"${JOBS:-$(nproc)}" O="$output" "${@: -1}"
}

links_none() {
	! ldd "$program" | grep -E 'jansson|kmod|elf'
}

says() {	# STATUS WORDS ARGUMENT...
	local wanted=$1 words=$2 status=0
	shift 2

	"$program" "$@" > "$work/out" 2> "$work/err" < /dev/null || status=$?
	[ $status -eq "$wanted" ] && grep -q -e "$words" "$work/err" && return
	echo "status $status, not $wanted, or no '$words':"
	cat "$work/out" "$work/err"
	return 1
}

rest_works() {
	"$program" -f simple --backend fake --cpus 0-1 -l 10 > "$work/out" &&
		grep -q '^normal/busy [0-9]' "$work/out"
}

no_file() {
	[ ! -e "$work/r.json" ]
}

passes() {	# PROGRAM
	PERF_BENCH_IPI=$program "$@" > "$work/out" 2>&1 && ! grep '^not ok' "$work/out" && return
	cat "$work/out"
	return 1
}

while read -r variable object; do
	tap_run "$object compiles with $variable=1" make_without "$variable=1" "bench/ipi/$object"
done <<-END
	NO_JANSSON report/json.o
	NO_LIBKMOD run/modload.o
	NO_LIBELF run/modfile.o
END
all=(NO_JANSSON=1 NO_LIBKMOD=1 NO_LIBELF=1)
tap_run "builds without any" make_without "${all[@]}" all
tap_run "is linked with none of them" links_none
tap_run "--json says what is missing" says 1 "built without JSON (jansson)" --backend fake \
	--cpus 0-1 --json "$work/r.json"
tap_run "and leaves no file" no_file
if [ -e /dev/ipi_bench ]; then
	tap_skip "--backend module says what is missing" "the module is there already"
else
	tap_run "--backend module says what is missing" says 3 "built without libkmod" \
		normal --backend module
fi
tap_run "tests/shell/usage.sh" passes tests/shell/usage.sh
tap_run "the rest works" rest_works
if "${PKG_CONFIG:-pkg-config}" --exists cmocka; then
	tap_run "unit tests build" make_without "${all[@]}" tests
	for name in json modfile; do
		tap_run "test-$name" passes "$output/tests/unit/test-$name"
	done
else
	tap_skip "unit tests" "cmocka is not installed: apt-get install $(package_of cmocka)"
fi
tap_end
