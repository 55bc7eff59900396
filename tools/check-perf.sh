#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "make perf", and what it built: is every way to say "perf bench ipi" understood, does perf's own
# test pass, is the rest of perf bench as it was? As TAP. Objects of an earlier "make perf" are used.
#
# KVER= (default 6.1) and KSRC= are those of tools/graft-perf.sh.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

for tool in flex bison patch; do
	if ! command -v $tool > /dev/null; then
		echo "1..0 # SKIP $tool is not installed: apt-get install $(package_of $tool)"
		exit
	fi
done
if ! "${PKG_CONFIG:-pkg-config}" --exists zlib; then
	echo "1..0 # SKIP zlib is not installed: apt-get install $(package_of zlib)"
	exit
fi

output=${O:-$PWD/build}
work=$(mktemp -d) || exit 1
at_exit "rm -rf '$work'"

# The kernel tree, which may be somebody's, and the patches.
tree=$(tools/graft-perf.sh --source "$output" | head -n 1)
[ -n "$tree" ] || exit 1

# -- the build -------------------------------------------------------------------------------------

make_perf() {
	tools/graft-perf.sh "$output" > "$work/make.log" 2>&1 && return
	tail -n 40 "$work/make.log"
	return 1
}

untouched() {
	local files

	files=$(find "$tree" -newer "$work/start")
	[ -z "$files" ] || echo "$files"
	[ -z "$files" ]
}

# Just these objects are compiled.
compiles() {	# OBJECT...
	make_perf || return
	sed -n 's,^ *CC  *.*/bench/ipi/,,p; /^ *CC /{ /\/bench\/ipi\//!p }' "$work/make.log" |
		diff - <(printf '%s\n' "$@" | grep .)
}

touch "$work/start"
tap_run "make perf" make_perf
copy=$(tools/graft-perf.sh --tree "$output")
perf=${copy%/*}/perf
if [ ! -x "$perf" ]; then
	tap_end
	exit
fi
tap_run "the kernel tree is left alone" untouched
tap_run "make perf again compiles nothing" compiles ""
echo >> "$copy/tools/perf/bench/ipi/parse.c"
tap_run "what changed is compiled, and that alone" compiles parse.o

# -- perf bench ipi --------------------------------------------------------------------------------

status_of() {	# STATUS ERE ARGUMENT...
	local wanted=$1 line=$2 status=0
	shift 2

	"$perf" bench "$@" > "$work/out" 2>&1 < /dev/null || status=$?
	if [ $status -eq "$wanted" ] && grep -Eq -- "$line" "$work/out" &&
	   ! grep -q 'List of .* benchmark' "$work/out"; then
		return
	fi
	# Others kept a CPU to themselves.
	[ $status -eq 1 ] && [ "$wanted" -eq 0 ] && grep -q "did not get to run" "$work/out" && return
	echo "status $status, not $wanted, or no '$line':"
	cat "$work/out"
	return 1
}

# The tests of the program, with perf for a program.
by_perf() {	# TEST
	printf '#!/bin/sh\nexec "%s" bench ipi "$@"\n' "$perf" > "$work/perf-bench-ipi"
	chmod 755 "$work/perf-bench-ipi"
	PERF_BENCH_IPI=$work/perf-bench-ipi "tests/shell/$1.sh" > "$work/out" 2>&1
	! grep -v '^ok\|^1\.\.' "$work/out"
}

# It has to find its shell tests.
perf_test() {
	(cd "$copy/tools/perf" && "$perf" test "bench ipi") > "$work/out" 2>&1
	grep -Eq 'perf bench ipi.*: *Ok$' "$work/out" && return
	cat "$work/out"
	(cd "$copy/tools/perf" && PATH=${perf%/*}:$PATH tests/shell/bench_ipi.sh)
	return 1
}

lists_ipi() {
	"$perf" bench | grep -q '^ *ipi: Inter-processor interrupt benchmarks$'
}

# Without what a perf has only with certain libraries.
lists() {	# PERF
	"$1" bench | grep -v '^ *\(ipi\|numa\): '
	for collection in sched mem futex epoll internals breakpoint; do
		"$1" bench $collection
	done
	"$1" bench sched messaging --no-such-option
	echo "status $?"
	"$1" bench sched no-such-benchmark
	echo "status $?"
}

as_before() {
	diff <(lists perf 2>&1) <(lists "$perf" 2>&1)
}

tap_run "perf bench lists it" lists_ipi
tap_run "perf bench ipi" status_of 0 "^# Running 'ipi/all'" ipi
tap_run "perf bench ipi all" status_of 0 "^ *broadcast-lock " ipi all -l 100
tap_run "perf bench ipi --cpus" status_of 0 "^# CPUs 0-1," ipi --cpus 0-1 -l 100
tap_run "perf bench -f simple -r 3 ipi normal" status_of 0 "^normal/" -f simple -r 3 ipi normal
tap_run "perf bench ipi list" status_of 0 "^ *broadcast-lock " ipi list
tap_run "perf bench ipi --help" status_of 129 "perf bench ipi \[<scenario>" ipi --help
tap_run "a wrong option: 129" status_of 129 "no-such-option" ipi --no-such-option
tap_run "nothing can be measured: 3" status_of 3 "needs two CPUs" ipi normal --backend fake --cpus 0
if [ -z "${NO_JANSSON:-}" ]; then
	tap_run "nowhere to write to: 1" status_of 1 "cannot|can't" \
		ipi --backend fake --json /no/such/file
	for name in fake cpus; do
		tap_run "tests/shell/$name.sh by perf" by_perf $name
	done
else
	tap_run "NO_JANSSON=1: --json says so" status_of 1 "built without JSON" \
		ipi --backend fake --cpus 0-1 --json "$work/r.json"
fi
if [ -n "${NO_LIBKMOD:-}" ] && [ ! -e /dev/ipi_bench ]; then
	tap_run "NO_LIBKMOD=1: --backend module says so" status_of 3 "built without libkmod" \
		ipi normal --backend module
fi
tap_run "perf test 'bench ipi'" perf_test

# -- the rest of perf bench ------------------------------------------------------------------------

tap_run "perf bench sched messaging runs" status_of 0 "Total time" sched messaging -g 1 -l 10
# The installed one is from the same source, if it is of the same version.
same="lists and errors are those of the installed perf"
installed=$(perf version 2> /dev/null | sed -n 's/^perf version \([0-9]*\.[0-9]*\).*/\1/p')
if [ -z "$installed" ]; then
	tap_skip "$same" "perf is not installed: apt-get install $(package_of perf)"
elif [ "perf-$installed" != "$(basename "${copy%/*}")" ]; then
	tap_skip "$same" "the installed one is of version $installed"
else
	tap_run "$same" as_before
fi
while IFS= read -r line; do
	case $line in
	"ok "* | "not ok "*)
		tap_number=$((tap_number + 1))
		echo "${line%%ok *}ok $tap_number - dispatch: ${line#* - }"
		;;
	1..*) ;;
	*) echo "$line" ;;
	esac
done < <(tests/perf/dispatch.sh "$tree" "$copy" "${copy%/*}/objects" 2>&1)
tap_end
