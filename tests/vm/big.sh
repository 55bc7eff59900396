#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The program on more CPUs than any machine of ours has, with and without the module: does a whole run
# complete, with every target accounted for?
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

last=$((SMP - 1))
calls=50

run() {		# SCENARIOS [OPTION...]
	perf-bench-ipi -C "0-$last" -l "$calls" --json /tmp/r.json "$@"
}

# Of each row that was run, that is of each line of the JSON that has targets: every delivery has a
# class. On a kernel without csd events one that rode on another interrupt may be missing: up to a
# hundredth of them, or the row must be refused.
accounted() {
	sed -n '/^{"scenario"/p' /tmp/r.json | awk '
		function number(key) {
			if (!match($0, "\"" key "\": [0-9]+"))
				return 0
			split(substr($0, RSTART, RLENGTH), part, ": ")
			return part[2] + 0
		}
		/"verdict": "unsupported"/ { next }
		{
			scenario = $2
			match($0, /"dst": \[[^]]*\]/)
			targets = split(substr($0, RSTART + 8, RLENGTH - 9), dst, ",")
			classes = number("interrupt") + number("local") + number("polled") + \
				  number("coalesced") + number("missing")
		}
		scenario ~ /dry-run|self-call/ { next }
		scenario ~ /"broadcast"/ { broadcasts++; all += targets }
		{
			rows++
			missing = number("missing") * 100 > classes && !/"verdict": "refused"/
			if (!targets || !number("calls_traced") || missing ||
			    classes != number("calls_traced") * targets) {
				print scenario, targets " targets", number("calls_traced") " calls", \
				      classes " deliveries,", number("missing") " missing"
				bad = 1
			}
		}
		END {
			print rows " rows, " broadcasts + 0 " broadcasts"
			exit bad || !rows || !broadcasts || all != broadcasts * '"$last"'
		}'
}

# Of each scenario some row has a headline.
proved() {	# SCENARIO...
	for proved_scenario; do
		grep "^{\"scenario\": \"$proved_scenario\"" /tmp/r.json | grep -q '"verdict": "ok"' || {
			echo "$proved_scenario: not proved"
			return 1
		}
	done
}

check "number of CPUs" same "$SMP" "$(nproc)"
check "insmod" insmod /share/ipi_bench.ko
check "all on CPUs 0-$last with the module completes" run all --backend module
check "the module: every target is accounted for" accounted
check "the module: IPIs to all are proved" proved normal broadcast broadcast-lock multicast storm
check "the module: no error" sh -c "! grep -E '\"errors\": [1-9]' /tmp/r.json"
check "rmmod" rmmod ipi_bench
check "all on CPUs 0-$last without it completes" run all
check "all: every target is accounted for" accounted
check "all: IPIs to all are proved" proved normal broadcast multicast
plan
