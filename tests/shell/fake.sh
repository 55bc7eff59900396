#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The whole program on the fake backend: every output, the same on every machine.
. "$(dirname "$0")/lib.sh"

json=$work/r.json

ipi --backend fake -C 0-111 -l 50 --json "$json"
check "112 CPUs: exit 0" status_is 0
check "112 CPUs: quiet on stderr" err_empty
check "the first line says what runs" out_has "^# Running 'ipi/all' benchmark:"
check "a row for each scenario" out_has "^ *broadcast-lock +busy "
check "every delivery accounted for" json_is "$json" \
	'cell("broadcast")->{classes}{interrupt} == 111 * 50'
check "nothing missing" json_is "$json" \
	'!grep { $_->{classes}{missing} } @{$r->{cells}}'
check "all targets named" json_is "$json" '@{cell("broadcast")->{dst}} == 111'
check "schema" json_is "$json" '$r->{schema} eq "perf-bench-ipi/1"'
check "stages of the schedule, to the ns where a histogram is exact" json_is "$json" '
	my $s = cell("normal", "busy")->{stages};
	$s->{send}{min} == 300 && $s->{deliver}{max} == 600 && $s->{dispatch}{p50} == 100 &&
	$s->{handle}{count} == 50 && $s->{send_latency}{min} == 900 &&
	$s->{handler_latency}{max} == 300'
check "observer's cost" json_is "$json" \
	'abs(cell("normal", "busy")->{observer_ns} - 200) <= 16'
check "self-call is local" json_is "$json" \
	'cell("self-call")->{classes}{local} == 50 && cell("self-call")->{ipis_per_call} == 0'
check "dry-run has no deliveries and no send stage" json_is "$json" '
	my $c = cell("dry-run"); !exists $c->{stages}{send} && $c->{stages}{total}{count} == 50'

check "multicast: a row a step" json_is "$json" '
	join(",", map { scalar @{$_->{dst}} } grep { $_->{scenario} eq "multicast" } @{$r->{cells}})
		eq "1,2,4,8,16,32,64,111"'
check "storm: a row a step" json_is "$json" '
	join(",", map { scalar @{$_->{senders}} } grep { $_->{scenario} eq "storm" } @{$r->{cells}})
		eq "2,4,8,16,32,64,112"'
check "storm: the others' calls" json_is "$json" '
	!grep { $_->{calls_others} != 50 * (@{$_->{senders}} - 1) || !$_->{storm_calls_per_s} }
		grep { $_->{scenario} eq "storm" } @{$r->{cells}}'
check "their steps in the table" out_has "^ *multicast:16 +busy +0>1-16 +16\.00 "

ipi --backend fake -C 0-1 -l 100 -f simple normal,broadcast
check "simple: exit 0" status_is 0
check "simple: a line a row, name and number" test "$(grep -Ecv '^[a-z/-]+ [0-9]+$' "$work/out")" = 0
check "simple: no header" out_lacks "^#"

ipi --backend fake -C 0-1 -l 100 --classic
check "classic: five lines" test "$(wc -l < "$work/out")" = 5
check "classic: a script of 2017 parses it" test "$(grep -Ec \
	'^(Dry-run|Self-IPI|Normal IPI|Broadcast IPI|Broadcast lock): +[0-9]+, +[0-9]+ ns$' \
	"$work/out")" = 5
ipi --backend fake -C 0 -l 100 --classic
check "classic: one CPU" out_has "^Normal IPI FAILED: -2$"
check "classic: one CPU, exit 0" status_is 0

ipi --backend fake -C 0 -l 100
check "one CPU: exit 0" status_is 0
check "one CPU: normal says what it needs" out_has "normal .*needs two CPUs"
check "one CPU: broadcast says what it needs" out_has "broadcast .*needs two CPUs"
check "one CPU: wake says what it needs" out_has "wake .*needs two CPUs"
check "one CPU: the rest runs" out_has "self-call .* [0-9]+"

ipi --backend fake -C 0 normal
check "nothing at all can run: exit 3" status_is 3

ipi --backend fake -C 0-3 -l 100 --normalize
check "normalize says so" out_has "multiples of the dry run"
ipi --backend fake -C 0-3 -l 100 --hist normal
check "hist draws bars" out_has "\|[*#@=]+"

ipi --backend fake -C 0-3 -r 3 -l 20 --json "$json" normal
check "repetitions are kept apart" json_is "$json" '
	join(",", map { $_->{repetition} } @{$r->{cells}}) eq "0,0,1,1,2,2"'

ipi --backend fake -C 0-3 --time 1s -l 20 --json "$json" normal
check "--time: repetitions that all agree are three" json_is "$json" '
	join(",", map { $_->{repetition} } grep { $_->{target_state} eq "busy" } @{$r->{cells}})
		eq "0,1,2" && $r->{options}{time_ms} == 1000'
check "--time: what it came to" out_has "normal busy: [0-9.]+ ns \+- 0\.0 % of 3"
ipi --backend fake -C 0-1 --precision 1% -l 20 --json "$json" normal --target busy
check "--precision: three repetitions will do" json_is "$json" '
	@{$r->{cells}} == 3 && $r->{options}{precision} eq "0.01"'

ipi --backend fake -C 0-3 --src 2 --dst 0,3 -l 20 --json "$json" normal,broadcast --target busy
check "--src and --dst" json_is "$json" '
	my @n = grep { $_->{scenario} eq "normal" } @{$r->{cells}};
	@n == 2 && $n[0]{dst}[0] == 0 && $n[1]{dst}[0] == 3 && $n[1]{src} == 2 &&
	join(",", @{cell("broadcast")->{dst}}) eq "0,3"'

ipi --backend fake -C 0-3 -l 20 --no-trace --json "$json" normal
check "--no-trace: totals only" json_is "$json" '
	my $c = cell("normal", "busy");
	$c->{stages}{total}{count} == 20 && !exists $c->{stages}{send} &&
	!defined $c->{observer_ns}'

ipi --backend fake -C 0-1 -l 20 --json - -f simple normal
check "--json - goes to stdout" grep -q '"schema": *"perf-bench-ipi/1"' "$work/out"

plan
