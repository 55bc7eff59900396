#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# CPU lists on the real machine: strict, each error naming the piece. A list that is none is a usage
# error (129), a CPU that can't be used is not (1).
. "$(dirname "$0")/lib.sh"

bad() {		# LIST STATUS WORDS
	ipi -C "$1" dry-run
	check "-C '$1': status $2" status_is "$2"
	check "-C '$1': $3" err_has "$3"
	check "-C '$1': nothing on stdout" test ! -s "$work/out"
}

bad 0-1,foo 129 "--cpus: 'foo' is no CPU"
bad 1- 129 "--cpus: '1-' is no CPU"
bad 010 129 "--cpus: '010' is no CPU"
bad "" 129 "--cpus: '' is no CPU"
bad 0,0 129 "--cpus: '0' names CPU 0 a second time"
bad 60000 1 "--cpus: there is no CPU 60000"
bad 70000 129 "beyond the highest CPU"

first=$(first_cpu)
ipi -C "$first" --src 60000 dry-run
check "--src outside --cpus" err_has "--src: CPU 60000 is not among --cpus"
ipi -C "$first" --dst 60000 dry-run
check "--dst outside --cpus" err_has "--dst: CPU 60000 is not among --cpus"

if two_cpus; then
	second=$(second_cpu)
	run taskset -c "$first" "$PERF_BENCH_IPI" -C "$second" dry-run
	check "a CPU outside our affinity" err_has \
		"--cpus: CPU $second is outside the CPUs this process may run on"
	run taskset -c "$first" "$PERF_BENCH_IPI" -l 100 --json "$work/r.json"
	check "the default is what we may use" json_is "$work/r.json" \
		"\$r->{environment}{cpus} eq '$first'"
	check "one usable CPU: exit 0" status_is 0
else
	skip "a CPU outside our affinity" "needs two CPUs"
fi

online=$(grep -l 0 /sys/devices/system/cpu/cpu*/online 2> /dev/null | sed 's/[^0-9]*//g' | head -n 1)
if [ -n "$online" ]; then
	ipi -C "$online" dry-run
	check "an offline CPU" err_has "--cpus: CPU $online is offline"
else
	skip "an offline CPU" "all CPUs of this machine are online (see baddays.sh)"
fi

plan
