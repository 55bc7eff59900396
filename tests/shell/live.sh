#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real IPIs on the running kernel: they flew, each is accounted for, the split is there. Counts only,
# never times.
. "$(dirname "$0")/lib.sh"

is_root || skip_all "needs root for per-CPU events and tracepoints"
json=$work/r.json
cpus="$(first_cpu),$(second_cpu)"

ipi -l 400 --json "$json"
check "default run: exit 0, or the CPU is taken" status_is_0_or_busy
check "default run: quiet on stderr" err_empty
check "dry run" json_is "$json" 'cell("dry-run")->{stages}{total}{count} == 400'
check "self-call sends no IPI" json_is "$json" 'cell("self-call")->{ipis_per_call} <= 0.05'
if json_is "$json" 'cell("self-ipi")->{verdict} ne "unsupported"'; then
	check "self-ipi interrupts its own CPU" json_is "$json" \
		'cell("self-ipi")->{ipis_per_call} >= 0.95'
else
	skip "self-ipi" "no irq_work interrupt here"
fi

if [ "$cpus" = "$(first_cpu)," ]; then
	check "one CPU: normal says so" json_is "$json" 'cell("normal")->{note} =~ /^needs two CPUs/'
	plan
	exit
fi

check "no row without a verdict in words" json_is "$json" \
	'!grep { $_->{verdict} ne "ok" && $_->{note} eq "" } @{$r->{cells}}'
check "wake: each call answered" json_is "$json" \
	'!grep { $_->{errors} } @{$r->{cells}}'
check "broadcast-lock says it is an approximation" json_is "$json" '
	my $c = cell("broadcast-lock");
	$c->{verdict} eq "unsupported" || $c->{note} =~ /approximation/'
if [ -e /sys/kernel/rcu_expedited ]; then
	check "rcu_expedited is as before" test "$(cat /sys/kernel/rcu_expedited)" = 0
fi

# Busy targets: an IPI per call by the kernel's own count, or no headline but the ledger.
ipi normal --target busy -C "$cpus" -l 4000 --json "$json"
check "normal busy: exit 0" status_is 0
check "normal busy: proved by /proc/interrupts, or refused in words" json_is "$json" '
	my $c = cell("normal", "busy");
	$c->{verdict} eq "ok" ? $c->{ipis_per_call} >= 0.95
			      : $c->{verdict} eq "refused" && $c->{note} =~ /\d/'
check "normal busy: 4000 calls" json_is "$json" 'cell("normal", "busy")->{calls} == 4000'

if json_is "$json" '$r->{trace} ne ""'; then
	skip "split of normal" "no tracepoints: $(perl -MJSON::PP -0777 -ne \
		'print decode_json($_)->{trace}' "$json")"
	plan
	exit
fi
check "normal busy: 99 % correlated" json_is "$json" '
	my $c = cell("normal", "busy"); my $k = $c->{classes};
	my $n = 0; $n += $_ for values %$k;
	$n == 4000 && $k->{missing} <= 40'
check "normal busy: nothing lost" json_is "$json" 'cell("normal", "busy")->{lost} == 0'
check "normal busy: no negative interval" json_is "$json" 'cell("normal", "busy")->{negative} == 0'
check "normal busy: send latency" json_is "$json" \
	'cell("normal", "busy")->{stages}{send_latency}{count} > 0'
check "normal busy: handler latency" json_is "$json" \
	'cell("normal", "busy")->{stages}{handler_latency}{count} > 0'
check "stages sum up: minima of the parts are below the total's maximum" json_is "$json" '
	my $s = cell("normal", "busy")->{stages};
	$s->{send_latency}{min} + $s->{handler_latency}{min} <= $s->{total_traced}{max}'
check "ledger: functions run on the target match the calls" json_is "$json" '
	my $c = cell("normal", "busy");
	my ($row) = grep { $_->{pass} eq "traced" && $_->{cpu} == $c->{dst}[0] } @{$c->{ledger}};
	!defined $row->{functions} || $row->{functions} >= 0.95 * 4000'
check "text and JSON say the same p50" bash -c '
	"$0" --backend fake -C 0-1 -l 50 normal --target busy --json "$1" > "$2" &&
	p50=$(perl -MJSON::PP -0777 -ne "print decode_json(\$_)->{cells}[0]{stages}{total}{p50}" "$1") &&
	grep -Eq "normal .* $p50 " "$2"' "$PERF_BENCH_IPI" "$work/f.json" "$work/f.txt"

ipi normal --target kernel -C "$cpus" -l 500 --json "$json"
check "normal kernel: runs" json_is "$json" 'cell("normal", "kernel")->{calls} == 500'
ipi normal --target any -C "$cpus" -l 500 --json "$json"
check "normal any: runs" json_is "$json" 'cell("normal", "any")->{calls} == 500'
ipi normal --target busy --no-rt -C "$cpus" -l 500 --json "$json"
check "--no-rt: runs" status_is 0
check "--no-rt: said" json_is "$json" '$r->{environment}{rt} eq "off"'
ipi normal --target busy --time 300ms -C "$cpus" -l 50 --json "$json"
check "--time: what was spent is told" json_is "$json" '
	$r->{environment}{spent_ms} >= 300 || @{$r->{cells}} == 3'
ipi self-ipi -l 500 --json "$json"
check "self-ipi: each call an interrupt" json_is "$json" '
	my $c = cell("self-ipi");
	$c->{verdict} ne "ok" || $c->{classes}{interrupt} >= 0.95 * 500'

plan
