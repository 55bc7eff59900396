#!/bin/bash
# perf bench ipi (exclusive)
# SPDX-License-Identifier: GPL-2.0

set -e

err=0
dir=$(mktemp -d /tmp/__perf_test.bench_ipi.XXXXX)

cleanup() {
	rm -rf "${dir}"
	trap - EXIT TERM INT
}

trap_cleanup() {
	echo "Unexpected signal in ${FUNCNAME[1]}"
	cleanup
	exit 1
}
trap trap_cleanup EXIT TERM INT

status=0
run() {
	status=0
	perf bench "$@" > "${dir}/out" 2> "${dir}/err" || status=$?
}

# The exit status, and lines that have to be there.
expect() {	# WHAT STATUS [ERE...]
	local what=$1 wanted=$2 line failed=""
	shift 2

	[ "${status}" -eq "${wanted}" ] || failed="exit status ${status}, not ${wanted}"
	for line; do
		grep -Eq -- "${line}" "${dir}/out" "${dir}/err" || failed="no '${line}'"
	done
	# What perf bench prints of a collection that is run benchmark by benchmark.
	if grep -q "List of available benchmarks" "${dir}/out"; then
		failed="prints a list of benchmarks"
	fi
	if [ -z "${failed}" ]; then
		echo "${what} [Success]"
		return
	fi
	echo "${what} [Failed: ${failed}]"
	cat "${dir}/out" "${dir}/err"
	err=1
}

# Two CPUs that need not be there: this backend measures nothing.
fake=(--backend fake --cpus 0-1 -l 10)

test_dispatch() {
	run ipi "${fake[@]}"
	expect "options alone run all scenarios" 0 "^# Running 'ipi/all'" "^ *normal " \
		"^ *broadcast-lock "
	run ipi all "${fake[@]}"
	expect "all, with options" 0 "^# Running 'ipi/all'" "^ *broadcast-lock "
	run ipi normal,broadcast "${fake[@]}"
	expect "scenarios" 0 "^ *normal " "^ *broadcast "
	run ipi list
	expect "list" 0 "^ *broadcast-lock " "needs: "
	run -f simple -r 3 ipi normal "${fake[@]}"
	expect "perf bench's own options" 0 "^normal/busy [0-9]+"
	if [ "$(grep -c '^normal/busy ' "${dir}/out")" -ne 3 ]; then
		echo "a line per repetition [Failed]"
		err=1
	fi
}

test_status() {
	run ipi --no-such-option
	expect "unknown option" 129 "no-such-option"
	run ipi no-such-scenario
	expect "unknown scenario" 129 "no scenario 'no-such-scenario'"
	run ipi normal --backend fake --cpus 0
	expect "nothing can be measured" 3 "needs two CPUs"
	run ipi --json "${dir}/no/such/directory" "${fake[@]}"
	expect "nowhere to write to" 1 "perf bench ipi: "
}

test_json() {
	run ipi --json "${dir}/r.json" "${fake[@]}"
	if grep -q "built without JSON" "${dir}/err"; then
		expect "without jansson" 1
		return
	fi
	expect "JSON" 0
	if ! grep -q '"schema": "perf-bench-ipi/1"' "${dir}/r.json"; then
		echo "JSON has a schema [Failed]"
		err=1
	fi
}

# Without privilege, and whatever else the machine does: only that it works.
test_live() {
	run ipi --no-trace --no-rt -l 100
	if [ "${status}" -eq 3 ]; then
		echo "a real run [Skipped: not supported here]"
	elif [ "${status}" -eq 1 ] && grep -q "did not get to run" "${dir}/out"; then
		echo "a real run [Skipped: the CPUs are taken]"
	else
		expect "a real run" 0 "^# Running 'ipi/all'" "^ *dry-run .* [0-9]+"
	fi
}

if ! perf bench | grep -q "^ *ipi:"; then
	echo "perf bench ipi [Skipped: perf was built without libtraceevent]"
	cleanup
	exit 2
fi

test_dispatch
test_status
test_json
test_live

cleanup
exit ${err}
