#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# With the distribution's perf: run by it as "perf bench-ipi", and recorded by it.
. "$(dirname "$0")/lib.sh"

command -v perf > /dev/null || skip_all "needs perf: apt-get install linux-perf"
mkdir "$work/bin"
ln -s "$(readlink -f "$PERF_BENCH_IPI")" "$work/bin/perf-bench-ipi"
PATH=$work/bin:$PATH

run perf bench-ipi list
check "perf bench-ipi list: exit 0" status_is 0
check "perf bench-ipi list: scenarios" out_has "broadcast-lock"
run perf bench-ipi --backend fake -C 0-1 -l 10 -f simple
check "perf bench-ipi with options: exit 0" status_is 0
check "perf bench-ipi with options: rows" out_has "^normal"
run perf bench-ipi nonsense
check "perf passes the exit status on" status_is 129

if ! is_root; then
	skip "perf record" "needs root"
	plan
	exit
fi
events=irq_vectors:call_function_single_entry
[ "$(uname -m)" = x86_64 ] || events=ipi:ipi_entry
run perf record -q -a -e "$events" -o "$work/perf.data" -- \
	"$PERF_BENCH_IPI" normal -l 500 --no-trace
if [ "$status" != 0 ] && err_has "event syntax error|tracefs|Can't open event dir"; then
	skip "perf record" "perf can't use $events here: $(head -n 1 "$work/err")"
elif ! two_cpus; then
	skip "perf record" "needs two CPUs"
else
	check "perf record -- perf-bench-ipi: exit 0" status_is 0
	run perf script -i "$work/perf.data"
	check "perf record saw the IPIs" test "$(grep -c . "$work/out")" -ge 500
fi

plan
