#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Do all who count IPIs agree? Over a whole run of the program with the module, for each kind of IPI and
# each CPU: the sends that ipi_raise tells, the interrupts that ipi_entry tells and the difference in
# /proc/interrupts are the same number, whoever sent. And in the program's own result each delivery
# that the module stamped is one that the tracepoints have seen.
#
# An idle loop may run a function before its interrupt comes, which then is that of no delivery (polled),
# or of the one behind it (missing). It still is sent and taken. Such runs are made again.
#
# Two CPUs' sends become one interrupt where the second is made before the first is taken: the trace tells
# them, and they are few. For kernels with ipi_raise and ipi_entry, in guests that count instructions:
# where CPUs run at the same time the trace doesn't tell what came first.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

tracing=/sys/kernel/tracing
json=/tmp/r.json
calls=200

# The rows of IPIs in /proc/interrupts, without a process more.
rows() {
	rows=
	while read -r row; do
		case $row in
		IPI*) rows="$rows$row
" ;;
		esac
	done < /proc/interrupts
}

# A mark in the trace at an instant in which no IPI came, and the counters of then in $rows.
mark() {	# NAME
	for mark_nr in $(seq 1000); do
		rows
		mark_rows=$rows
		echo "$1 $mark_nr" > $tracing/trace_marker
		rows
		if [ "$rows" = "$mark_rows" ]; then
			echo "$mark_nr" > "/tmp/$1.mark"
			echo "$rows" > "/tmp/$1.rows"
			return
		fi
	done
	echo "IPIs without end"
	return 1
}

traced_run() {
	echo 16384 > $tracing/buffer_size_kb
	echo > $tracing/trace
	echo 1 > $tracing/tracing_on
	echo 1 > $tracing/events/ipi/ipi_raise/enable
	echo 1 > $tracing/events/ipi/ipi_entry/enable
	mark begin || return
	perf-bench-ipi --backend module --json $json -C "0-$((SMP - 1))" -l $calls --target idle \
		self-ipi,normal,broadcast,broadcast-lock || return
	mark end || return
	echo 0 > $tracing/tracing_on
	cat $tracing/trace > /tmp/trace
	echo 0 > $tracing/events/ipi/enable
	cat $tracing/per_cpu/cpu*/stats > /tmp/stats
}

# A CPU whose turn it isn't takes an IPI that was sent before the mark after it, and nobody can see that
# at the mark: of a few runs, one that has none of these.
clean_run() {
	for clean_nr in 1 2 3 4 5 6; do
		sleep 0.0$clean_nr
		traced_run || return
		sends_agree > /tmp/edges && return
	done
	cat /tmp/edges
	return 1
}

# KIND CPU NUMBER, where there is one, from three sources.
counted() {
	awk -v cpus="$SMP" '
		{
			kind = $0
			sub(/^[^:]*:( *[0-9]+)+ */, "", kind)
			for (cpu = 0; cpu < cpus; cpu++)
				n[kind " " cpu] += NR == FNR ? -$(cpu + 2) : $(cpu + 2)
		}
		END { for (key in n) if (n[key]) print key, n[key] }' /tmp/begin.rows /tmp/end.rows |
		sort
}

between_marks() {
	awk -v begin="begin $(cat /tmp/begin.mark)" -v end="end $(cat /tmp/end.mark)" '
		/tracing_mark_write: / {
			sub(/.*tracing_mark_write: /, "")
			if ($0 == end)
				exit
			on = on || $0 == begin
		}
		on' /tmp/trace
}

# KIND CPU TAKEN SENT MERGED, of masks like "target_mask=00000000,0000000e (Function call interrupts)", the
# first CPUs last. MERGED are those sent while another of their kind was on its way to the same CPU. They
# may have come apart all the same: a send is recorded before it is made.
traced() {
	between_marks | awk '
		function send(key) {
			keys[key]
			sent[key]++
			merged[key] += coming[key]
			coming[key] = 1
		}
		/ ipi_entry: / {
			match($0, /\[[0-9]+\]/)
			cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
			sub(/.*ipi_entry: \(/, "")
			sub(/\).*/, "")
			keys[$0 " " cpu]
			taken[$0 " " cpu]++
			coming[$0 " " cpu] = 0
		}
		/ ipi_raise: / {
			mask = $0
			sub(/.*target_mask=/, "", mask)
			kind = mask
			sub(/ .*/, "", mask)
			sub(/.*\(/, "", kind)
			sub(/\).*/, "", kind)
			gsub(/,/, "", mask)
			for (i = length(mask); i > 0; i--) {
				digit = index("0123456789abcdef", substr(mask, i, 1)) - 1
				for (bit = 3; bit >= 0; bit--) {
					weight = substr("1248", bit + 1, 1) + 0
					if (digit < weight)
						continue
					digit -= weight
					send(kind " " (length(mask) - i) * 4 + bit)
				}
			}
		}
		END { for (key in keys) print key, taken[key] + 0, sent[key] + 0, merged[key] + 0 }' |
		sort
}

# KIND CPU TAKEN, of the last trace.
taken() {
	awk '$(NF - 2) { sub(/ [0-9]+ [0-9]+$/, ""); print }' /tmp/traced
}

# All kinds and CPUs at once; how many there were goes along.
counters_agree() {
	taken > /tmp/one
	counted > /tmp/other
	test -s /tmp/one && diff /tmp/one /tmp/other
}

# As many interrupts as sends, but for those that became one with another.
sends_agree() {
	traced > /tmp/traced
	test -s /tmp/traced && awk '
		$(NF - 2) > $(NF - 1) || $(NF - 2) < $(NF - 1) - $NF {
			print "taken, sent, merged: " $0
			bad = 1
		}
		END { exit bad }' /tmp/traced
}

# Or the above proves nothing.
few_merged() {
	awk '
		{ sent += $(NF - 1); merged += $NF }
		END {
			print merged + 0 " of " sent + 0 " sends may have become one interrupt with another"
			exit !sent || merged * 100 > sent
		}' /tmp/traced
}

# Of kind KIND on all CPUs at least so many: the run was in there.
at_least() {	# KIND NUMBER
	found=$(sed -n "s/^$1 [0-9]* //p" /tmp/one | awk '{ n += $1 } END { print n + 0 }')
	echo "$1: $found"
	[ "$found" -ge "$2" ]
}

# The ledger of a result: per CPU of the traced pass, interrupts taken by kind as the events tell and as
# /proc/interrupts does. No IPI can be kept from coming while that is read: of a few runs one.
ledger() {
	for ledger_run in 1 2 3 4 5; do
		perf-bench-ipi --backend module --json /tmp/ledger.json -C "0-$((SMP - 1))" \
			-l $((calls + ledger_run)) --target idle broadcast || return
		tr '{' '\n' < /tmp/ledger.json | awk '
			/"pass": / { traced = /"traced"/ }
			traced && /^"call": .*"other": / {
				gsub(/, "other".*/, "")
				taken = $0
			}
			traced && /^"call": .*"tlb": / {
				gsub(/, "tlb".*/, "")
				print taken, "|", $0
				rows++
				bad += taken != $0
			}
			END { exit bad || rows != '"$SMP"' }' && return
	done
	return 1
}

# A number of the JSON's line of a scenario.
value() {	# SCENARIO KEY
	grep "\"scenario\": \"$1\"" $json | sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p"
}

samples() {	# SCENARIO STAGE
	grep "\"scenario\": \"$1\"" $json | sed -n "s/.*\"$2\": {\"count\": \([0-9]*\).*/\1/p"
}

# A run in which no idle loop and no other interrupt was first, of a few.
run_of() {	# SCENARIO NUMBER
	for run_nr in 1 2 3 4 5 6 7 8; do
		sleep 0.0$run_nr
		perf-bench-ipi --backend module --json $json -C "0-$((SMP - 1))" -l $calls \
			--target idle "$1" || return
		[ "$(value "$1" interrupt)" = "$2" ] && return
		same "$2" $(($(value "$1" interrupt) + $(value "$1" coalesced) + \
			$(value "$1" polled) + $(value "$1" missing))) || return
	done
	echo "no run of $run_nr was without a delivery that its own interrupt didn't make"
	return 1
}

# What the module stamped lies between the interrupt's ends, or the times would come out negative.
each_delivery() {	# SCENARIO NUMBER
	check "$1: a run on idle targets" run_of "$1" "$2"
	check "$1: every call was traced" same $calls "$(value "$1" calls_traced)"
	check "$1: every delivery was an interrupt by the trace" same "$2" "$(value "$1" interrupt)"
	for stage in send deliver dispatch handle; do
		check "$1: every delivery has $stage" same "$2" "$(samples "$1" $stage)"
	done
	# No event tells of an irq_work's function.
	if since 6.5 && [ "$1" != self-ipi ]; then
		for stage in agree_delivery agree_handle; do
			check "$1: every delivery has $stage" same "$2" "$(samples "$1" $stage)"
		done
	fi
	for none in errors lost vanished uncertain negative local polled coalesced missing; do
		check "$1: $none" same 0 "$(value "$1" $none)"
	done
}

check "insmod" insmod /share/ipi_bench.ko
check "a run with the kernel's own trace" clean_run
check "no event was lost" sh -c "! grep -E '(overrun|dropped events): [1-9]' /tmp/stats"
check "sends and interrupts taken are the same" sends_agree
check "few sends became one interrupt with another" few_merged
check "interrupts taken and /proc/interrupts are the same" counters_agree
# Both passes of it: normal one target, broadcasts all the others.
check "function calls of the whole run" at_least "Function call interrupts" \
	$((2 * calls * (1 + 2 * (SMP - 1))))
check "irq_works of the whole run" at_least "IRQ work interrupts" $((2 * calls))
check "interrupts taken and /proc/interrupts are the same in the ledger" ledger
each_delivery self-ipi $calls
each_delivery normal $calls
each_delivery broadcast $((calls * (SMP - 1)))
each_delivery broadcast-lock $((calls * (SMP - 1)))
check "rmmod" rmmod_soon
plan
