#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The program with the module: loaded and unloaded by it or left alone, every call accounted for, module
# and tracepoints agreed, injected delays in their own stage. Structure and counts; where a time is
# judged it is a known delay beside none, by medians of one guest.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

json=/tmp/r.json
out=/tmp/out
ko=/share/ipi_bench.ko

ipi() {
	perf-bench-ipi --json $json "$@" > $out 2>&1 || { cat $out; return 1; }
}

fails() {	# STATUS ERE ARGUMENT...
	fails_status=$1
	fails_words=$2
	shift 2
	perf-bench-ipi "$@" > $out 2>&1
	if echo $? | grep -Eqx "$fails_status" && grep -Eq "$fails_words" $out; then
		return
	fi
	cat $out
	return 1
}

cell() {	# SCENARIO ERE
	grep "\"scenario\": \"$1\"" $json | grep -Eq "$2" || { grep "\"scenario\": \"$1\"" $json; return 1; }
}

loaded() {
	grep -q '^ipi_bench ' /proc/modules
}

not_loaded() {
	! loaded
}

# p50 of a stage of a scenario, "" if it was not measured.
p50() {		# SCENARIO STAGE
	grep "\"scenario\": \"$1\"" $json |
		sed -n "s/.*\"$2\": {\"count\": [0-9]*, \"min\": [0-9]*, \"p50\": \([0-9]*\).*/\1/p"
}

# The known delay, within 5 % or 2 us, and what a TCG guest's own noise adds. A tick of its clock is
# 16 ns, by one of which an interval is shorter the next time.
delayed() {	# STAGE BASE NS SLACK
	now=$(p50 normal "$1")
	echo "$1: p50 $2 without, $now with $3 ns"
	[ -n "$now" ] && [ "$now" -ge $(($2 + $3 - $3 / 20 - 50)) ] &&
		[ "$now" -le $(($2 + $3 + $3 / 20 + $4)) ]
}

# An idle loop may run a function before its interrupt comes, which then comes during the next call or
# becomes one with it; kernels from 6.5 on tell. A busy CPU never does that, but with instructions counted
# a call to one costs hundreds of ms of real time.
state=busy
if [ "${ICOUNT:-0}" = 1 ]; then
	state=idle
fi

check "no module here yet" not_loaded
check "--backend module without one: status 3, in words" fails 3 \
	"no module ipi_bench for this kernel|built without libkmod" --backend module dry-run
check "--module of no module: in words" fails "[13]" \
	"is no module file|can't load module|built without libkmod" --module /bin/busybox dry-run
if perf-bench-ipi --module $ko -l 10 dry-run > $out 2>&1; then
	check "loaded by the program" grep -q "module backend (loaded from $ko)" $out
	check "and unloaded by it" not_loaded
else
	skip "loaded and unloaded by the program" "it was built without libkmod"
fi

check "insmod" insmod $ko
check "the device is root's alone" sh -c 'ls -l /dev/ipi_bench | grep -q "^crw-------"'
check "all scenarios" ipi --backend module -l 200 \
	dry-run,self-call,self-ipi,normal,broadcast,broadcast-lock --target $state
check "what was loaded stays" loaded
check "no error" sh -c "! grep -E '\"errors\": [1-9]' $json"
check "nothing lost" sh -c "! grep -E '\"lost\": [1-9]' $json"
check "200 calls each" sh -c "! grep '\"verdict\": \"ok\"' $json | grep -v '\"calls\": 200,'"
check "self-call: no IPI" cell self-call '"ipis_per_call": 0\.0'
check "self-call: stamped" cell self-call '"delivery": \{"count": 200,'
check "self-ipi: proved" cell self-ipi '"verdict": "ok"'
if [ "$SMP" = 1 ]; then
	check "normal needs two CPUs" cell normal '"note": "needs two CPUs"'
	check "rmmod" rmmod ipi_bench
	plan
	exit
fi
check "normal: proved" cell normal '"verdict": "ok"'
check "normal: delivery of every call" cell normal '"delivery": \{"count": 200,'
if [ $state = idle ]; then
	check "normal: nothing missing" proved_idle "$(grep '"scenario": "normal"' $json)"
else
	check "normal: nothing missing" cell normal '"missing": 0'
fi
check "broadcast: delivery of every target" cell broadcast \
	"\"delivery\": \{\"count\": $((200 * (SMP - 1))),"
check "broadcast-lock: delivery of every target" cell broadcast-lock \
	"\"delivery\": \{\"count\": $((200 * (SMP - 1))),"
if [ "$SMP" -gt 2 ]; then
	check "broadcast: who answered last" cell broadcast '"last_responders": \[\['
fi

if [ $state != idle ]; then
	check "a run on idle targets" ipi --backend module -l 200 normal,broadcast --target idle
	check "idle: no error" sh -c "! grep -E '\"errors\": [1-9]' $json"
	check "normal idle: delivery of every call" cell normal '"delivery": \{"count": 200,'
	check "broadcast idle: delivery of every target" cell broadcast \
		"\"delivery\": \{\"count\": $((200 * (SMP - 1))),"
	check "normal idle: proved" proved_idle "$(grep '"scenario": "normal"' $json)"
fi

# Several senders, calls to some of the targets, calls that don't wait.
check "storm and multicast" ipi --backend module -l 200 multicast,storm --target idle
check "storm and multicast: no error" sh -c "! grep -E '\"errors\": [1-9]' $json"
check "storm: 200 calls of the measured sender" cell storm '"calls": 200, "calls_traced": 200,'
check "storm: proved" cell storm '"verdict": "ok"'
check "storm: the others sent as well" cell storm '"calls_others": [1-9]'
check "storm: how many calls per second" cell storm '"storm_calls_per_s": [0-9.]*[1-9]'
check "storm: delivery of every target" cell storm \
	"\"delivery\": \{\"count\": $((200 * (SMP - 1))),"
if [ "$SMP" -gt 2 ]; then
	check "multicast: all of $SMP" same "$(grep -c '^{"scenario": "multicast"' $json)" 3
	check "multicast: delivery of the first" cell multicast '"dst": \[1\],.*"delivery": \{"count": 200,'
	check "multicast: delivery of all" cell multicast \
		"\"dst\": \[1, 2, 3\],.*\"delivery\": \{\"count\": 600,"
fi
check "no wait" ipi --backend module -l 100 --no-wait --gap 1ms normal --target idle
check "no wait: no error" sh -c "! grep -E '\"errors\": [1-9]' $json"
check "no wait: there is no ack" sh -c "! grep -q '\"ack\": {' $json"
check "no wait: delivery of every call" cell normal '"nowait": true,.*"delivery": \{"count": 100,'

handle=$(p50 normal handle)
check "inject handler=50us" ipi --backend module --inject handler=50us -l 100 normal --target idle
check "it shows in handle" delayed handle "$handle" 50000 2000
if [ "${ICOUNT:-0}" = 1 ]; then
	send=$(p50 normal send_latency)
	check "inject irqoff=50us" ipi --backend module --inject irqoff=50us -l 100 normal \
		--target idle
	check "it shows before the interrupt" delayed send_latency "$send" 50000 60000
	check "and not in handle" delayed handle "$handle" 0 2000
fi

# Somebody uses it: it can't go. Killed, he leaves nothing.
perf-bench-ipi --backend module -l 1000M normal --target idle > /dev/null 2>&1 &
busy=$!
in_use() {
	for _ in $(seq 60); do
		grep -q '^ipi_bench [0-9]* [1-9]' /proc/modules && return
		sleep 1
	done
	return 1
}
check "a run has it in use" in_use
check "rmmod during a run is refused" sh -c '! rmmod ipi_bench'
kill -KILL $busy
wait $busy
check "rmmod after kill -9" rmmod_soon
check "the device is gone" test ! -e /dev/ipi_bench
plan
