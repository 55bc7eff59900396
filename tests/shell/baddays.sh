#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Bad days: a clear error, the right status, nothing left behind, nothing measured lost.
. "$(dirname "$0")/lib.sh"

json=$work/r.json

ipi --backend fake -C 0-1 -l 10 --json /dev/full normal
check "full disk: status 1" status_is 1
check "full disk: said" err_has "^perf bench ipi: .*/dev/full.*: No space left on device"
check "full disk: the text is still there" out_has "normal "

ipi --backend fake -C 0-1 -l 10 --json "$work/no/such/dir/r.json" normal
check "no such directory: status 1" status_is 1
check "no such directory: said" err_has "r.json.*: No such file or directory"
check "no such directory: before any work" test ! -s "$work/out"

echo precious > "$work/dir.json"
mkdir "$work/d"
ipi --backend fake -C 0-1 -l 10 --json "$work/d" normal
check "a directory for --json: status 1" status_is 1
check "a directory for --json: said" err_has ": Is a directory"
check "no temporary file left" test "$(find "$work" -name '*.json*' ! -name dir.json | wc -l)" = 0

"$PERF_BENCH_IPI" --backend fake -C 0-1 -l 10 normal > /dev/full 2> "$work/err"
status=$?
check "stdout full: status 1" status_is 1
check "stdout full: said" err_has "can't write the results: No space left on device"

"$PERF_BENCH_IPI" --backend fake -C 0-1 -l 10 --json "$json" 2> "$work/err" | true
check "broken pipe: the JSON is saved all the same" json_is "$json" '@{$r->{cells}} > 3'

# A run that is stopped prints and saves what it has, marked so.
stopped() {	# SIGNAL
	rm -f "$json"
	start -l 1000M --json "$json" dry-run,self-call
	sleep 1
	kill -s "$1" "$pid"
	wait "$pid"
	status=$?
	check "SIG$1: status 1" status_is 1
	check "SIG$1: marked in the text" out_has "interrupted"
	check "SIG$1: marked in the JSON" json_is "$json" '$r->{interrupted} && $r->{cells}[0]{interrupted}'
	check "SIG$1: what was measured is there" json_is "$json" \
		'$r->{cells}[0]{stages}{total}{count} > 0'
}
# In the background bash ignores SIGINT; as an interactive shell it does not.
set -m
stopped INT
stopped TERM
stopped HUP
set +m

if ! is_root; then
	skip "killed while a knob is changed" "needs root"
	skip "ring too large" "needs root"
	skip "CPU goes offline" "needs root"
	plan
	exit
fi

knob=/sys/kernel/rcu_expedited
if two_cpus && [ -w $knob ]; then
	before=$(cat $knob)
	set -m
	start -l 1000M broadcast-lock
	for _ in $(seq 100); do
		[ "$(cat $knob)" != "$before" ] && break
		sleep 0.05
	done
	check "broadcast-lock sets $knob" test "$(cat $knob)" = 1
	kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	set +m
	for _ in $(seq 100); do
		[ "$(cat $knob)" = "$before" ] && break
		sleep 0.05
	done
	check "killed by SIGKILL: $knob is put back" test "$(cat $knob)" = "$before"
	check "killed by SIGKILL: no process left" test -z "$(pgrep -x -r R,S,D ipi-keeper)"
else
	skip "killed while a knob is changed" "needs two CPUs and $knob"
fi

ipi -m 1048576 -C "$(first_cpu)" -l 10 --json "$json" self-call
check "ring too large: runs without the split, and says why" json_is "$json" '$r->{trace} ne ""'
ipi -m 2 -C "$(first_cpu)" -l 2000 --json "$json" self-call
# Batches are made to fit, but what others do on this CPU may not: then it is said, and status 1.
lost=$(perl -MJSON::PP -0777 -ne 'print decode_json($_)->{cells}[0]{lost} // "-"' "$json")
if [ "$lost" = 0 ] || [ "$lost" = - ]; then
	check "small ring: nothing lost, status 0" status_is 0
else
	check "small ring: $lost records lost, status 1" status_is 1
	check "small ring: the loss is printed" out_has "$lost records lost"
fi

# A CPU goes offline under the calls; the row keeps what came before.
cpu=$(second_cpu)
online=/sys/devices/system/cpu/cpu${cpu:-none}/online
if two_cpus && [ -w "$online" ]; then
	undo+=("echo 1 > $online")
	start -C "$(first_cpu),$cpu" -l 1000M --json "$json" normal --target busy
	sleep 1
	if echo 0 > "$online" 2> /dev/null; then
		wait "$pid"
		gone=$?
		cp "$work/out" "$work/gone.out"
		ipi -C "$cpu" dry-run
		check "an offline CPU: status 1" status_is 1
		check "an offline CPU: said" err_has "--cpus: CPU $cpu is offline"
		cp "$json" "$work/gone.json"
		ipi -C "$(first_cpu)" -l 100 --json "$json"
		check "one CPU online: exit 0" status_is 0
		check "one CPU online: self-call still calls" json_is "$json" \
			'cell("self-call")->{verdict} eq "ok"'
		echo 1 > "$online"
		status=$gone
		cp "$work/gone.json" "$json"
		cp "$work/gone.out" "$work/out"
		check "CPU offline in mid-run: status 1" status_is 1
		check "CPU offline in mid-run: said in the row" json_is "$json" \
			"cell('normal', 'busy')->{note} =~ /CPU $cpu went offline/"
		check "CPU offline in mid-run: what came before is kept" json_is "$json" '
			my $c = cell("normal", "busy");
			$c->{interrupted} && $c->{stages}{total}{count} > 0'
		check "CPU offline in mid-run: no count is made up" json_is "$json" \
			'!defined cell("normal", "busy")->{ipis_per_call}'
	else
		kill "$pid"
		wait "$pid"
		skip "CPU goes offline" "CPU $cpu can't be taken offline"
	fi
else
	skip "CPU goes offline" "needs a second CPU that can go offline"
fi

plan
