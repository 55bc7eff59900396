#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# As nobody: it still runs, without the split, and says so. What paranoid levels change.
. "$(dirname "$0")/lib.sh"

is_root || skip_all "needs root to become nobody"
command -v setpriv > /dev/null || skip_all "needs setpriv"
publish_program
json=$work/out.d/r.json
mkdir "$work/out.d"
chmod 777 "$work/out.d"

ipi_as_nobody -l 300 --json "$json"
check "as nobody: exit 0, or the CPU is taken" status_is_0_or_busy
check "as nobody: no split, and why" json_is "$json" '$r->{trace} ne ""'
check "as nobody: said in the text" out_has "no split"
check "as nobody: and on stderr, with a remedy" err_has "^perf bench ipi: .*(tracefs|tracing|ipi:|csd:).*: "
check "as nobody: dry run" json_is "$json" 'cell("dry-run")->{stages}{total}{count} == 300'
check "as nobody: no stage is made up" json_is "$json" \
	'!grep { exists $_->{stages}{send} || exists $_->{stages}{handle} } @{$r->{cells}}'
check "as nobody: broadcast-lock says what it needs" json_is "$json" '
	my $c = cell("broadcast-lock"); $c->{verdict} eq "unsupported" &&
	$c->{note} =~ /root|two CPUs/'
if two_cpus; then
	check "as nobody: normal busy is proved by /proc/interrupts, or refused" json_is "$json" '
		my $c = cell("normal", "busy");
		$c->{verdict} eq "ok" ? $c->{ipis_per_call} >= 0.95 : $c->{verdict} eq "refused"'
else
	skip "as nobody: normal busy" "needs two CPUs"
fi
ipi_as_nobody list
check "as nobody: list exits 0" status_is 0
check "as nobody: list says why not" out_has "why not: |none: "

paranoid=/proc/sys/kernel/perf_event_paranoid
for level in 2 3 4; do
	if ! set_knob "$paranoid" "$level"; then
		skip "perf_event_paranoid $level" "can't be set here"
		continue
	fi
	ipi_as_nobody -l 100 --json "$json"
	check "perf_event_paranoid $level, nobody: exit 0, or the CPU is taken" status_is_0_or_busy
	check "perf_event_paranoid $level, nobody: no split" json_is "$json" '$r->{trace} ne ""'
	ipi -l 100 --json "$json" normal
	check "perf_event_paranoid $level, root: exit 0" status_is 0
done

# Hidden addresses take away names, not the split: it joins on raw pointers.
if set_knob /proc/sys/kernel/kptr_restrict 2; then
	ipi -l 100 --json "$json" broadcast-lock
	check "kptr_restrict 2, root: an unnamed handler is not called missing" json_is "$json" \
		'!cell("broadcast-lock")->{classes} || !cell("broadcast-lock")->{classes}{missing}'
	ipi -l 200 --json "$json" normal --target busy
	check "kptr_restrict 2, root: exit 0" status_is 0
	if json_is "$json" '$r->{trace} eq "" && cell("normal")->{verdict} eq "ok"'; then
		check "kptr_restrict 2, root: still split" json_is "$json" \
			'cell("normal", "busy")->{stages}{send_latency}{count} > 0'
	else
		skip "kptr_restrict 2: split" "no split or no headline on this machine"
	fi
else
	skip "kptr_restrict 2" "can't be set here"
fi

plan
