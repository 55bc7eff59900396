#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The program on more CPUs than any machine of ours has: does a whole run complete, with every target
# accounted for?
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

last=$((SMP - 1))

run() {
	perf-bench-ipi -C "0-$last" all -l 50 --json /tmp/r.json
}

# Of each row that has targets, that is of each line of the JSON that has: every delivery has a class.
accounted() {
	sed -n '/^{"scenario"/p' /tmp/r.json | awk '
		function number(key) {
			if (!match($0, "\"" key "\": [0-9]+"))
				return 0
			split(substr($0, RSTART, RLENGTH), part, ": ")
			return part[2] + 0
		}
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
			if (!targets || !number("calls_traced") || number("missing") ||
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

check "number of CPUs" same "$SMP" "$(nproc)"
check "a run on CPUs 0-$last completes" run
check "every target is accounted for" accounted
plan
