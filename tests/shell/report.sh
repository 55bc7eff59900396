#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# "report": generated recordings whose truth is known, exactly; this machine's own, by as many
# samples of each event as perf script has; options; what can't be read.
. "$(dirname "$0")/lib.sh"

generator=${GEN_PERFDATA:-$(dirname "$PERF_BENCH_IPI")/build/gen-perfdata}
[ -x "$generator" ] || generator=$(dirname "$PERF_BENCH_IPI")/gen-perfdata

# Truth and report, number by number. Says what differs.
cat > "$work/truth.pl" << 'END'
use JSON::PP;
my ($truth, $report) = map { local $/; open my $file, '<', $_ or die; decode_json(<$file>) } @ARGV;
my ($bad, $compared) = (0, 0);
sub same {
	my ($what, $is, $says) = @_;
	$compared++;
	($is, $says) = ($is // 0, $says // 0);
	$is == $says or print("# $what: $is, reported $says\n"), $bad++;
}
same($_, $truth->{$_}, $report->{$_}) for qw(samples lost);
same("uncertain", $truth->{uncertain}, $report->{unjoined}{uncertain});
same($_, 0, $report->{unjoined}{$_})
	for grep { $_ ne "uncertain" } keys %{$report->{unjoined}};
my %kinds = map { ($_->{function} // $_->{irq}) => $_ } @{$report->{kinds}};
for my $name (keys %{$truth->{kinds}}) {
	my ($is, $says) = ($truth->{kinds}{$name}, $kinds{$name});
	same("$name handlers", $is->{handler_ns}, $says->{handler_ns});
	same("$name $_", $is->{classes}{$_}, $says->{classes}{$_}) for keys %{$is->{classes}};
	for my $stage (keys %{{%{$is->{stages}}, %{$says->{stages} // {}}}}) {
		same("$name $stage $_", $is->{stages}{$stage}{$_}, $says->{stages}{$stage}{$_})
			for qw(count sum min max);
	}
}
exit !(!$bad && $compared > 80);
END

truth() {	# ARGUMENT...
	"$generator" "$work/g.data" "$@" > "$work/truth.json" || { fail "generates $*"; return; }
	ipi report -i "$work/g.data" --by callback --json "$work/r.json"
	check "report of $* is right" test "$status" = 0
	perl "$work/truth.pl" "$work/truth.json" "$work/r.json" > "$work/out"
	status=$?
	check "report of $* is true" test "$status" = 0
}

if [ -x "$generator" ]; then
	truth cpus=2
	truth cpus=2 loss=50
	truth cpus=16 skew=400 loss=30
	truth cpus=128 events=200k chain
	truth cpus=1024 events=300k loss=5 skew=300
	truth cpus=3 pipe
	truth cpus=3 swapped
	truth cpus=4 swapped pipe chain loss=20
	if "$generator" "$work/g.data" cpus=2 events=100 zstd > "$work/out" 2> "$work/err"; then
		truth cpus=4 zstd loss=10
		truth cpus=4 zstd padded
		truth cpus=4 zstd pipe chain swapped
	else
		skip "compressed recordings are true" "built without libzstd"
	fi
else
	skip "generated recordings are true" "no gen-perfdata: make tests"
fi

# -- options, on a recording of known contents -----------------------------------------------------


json() {	# OPTION...
	ipi report -i "$work/g.data" --json "$work/r.json" "$@"
}

is() {	# WHAT PERL-EXPRESSION VALUE
	local value

	value=$(perl -MJSON::PP -e 'local $/; open my $f, "<", shift or die; $r = decode_json(<$f>);
		print eval(shift)' "$work/r.json" "$2")
	check "$1" test "$value" = "$3"
}

if [ -x "$generator" ]; then
	"$generator" "$work/g.data" cpus=4 events=20000 > "$work/truth.json"
	json
	all=$(perl -MJSON::PP -e 'local $/; open my $f, "<", shift; $r = decode_json(<$f>);
		print eval { my $n = 0; $n += $_ for values %{$r->{classes}}; $n }' "$work/r.json")
	check "names come from the recording" grep -q "names from the recording" "$work/out"
	check "names functions" grep -q "function_a" "$work/out"
	check "no address is printed" sh -c '! grep -q ffffffff8 "$1"' - "$work/out"
	is "host" '$r->{recording}{hostname}' generated
	is "by default by function and callsite" 'scalar @{$r->{kinds}}' 9
	for by in callback:5 callsite:3 src:4 dst:4 pair:16; do
		json --by "${by%:*}"
		is "--by ${by%:*}" 'scalar @{$r->{kinds}}' "${by#*:}"
		is "--by ${by%:*} counts all" 'my $n = 0; $n += $_->{count} for @{$r->{kinds}}; $n' "$all"
	done
	json --by sender
	is "--by sender names threads" 'join " ", sort keys %{{map {$_->{comm} // "-" => 1} @{$r->{kinds}}}}' \
		"sent_0 sent_1 sent_2 sent_3"
	json --cpu 1,3
	is "--cpu: only these are hit" \
		'join " ", sort keys %{{map {map {$_->{taken} ? ($_->{cpu} => 1) : ()} @{$_->{cpus}}} @{$r->{kinds}}}}' \
		"1 3"
	is "--cpu: the dearest first" \
		'my @t = map {$_->{handler_ns}} @{$r->{kinds}}; "@t" eq join " ", sort {$b <=> $a} @t' 1
	is "--cpu: the others are counted" \
		'my $n = $r->{choice}{left_out}; $n += $_->{count} for @{$r->{kinds}}; $n' "$all"
	json --by src --sort max
	is "--sort max" 'my @t = map {$_->{stages}{send_latency}{max} // 0} @{$r->{kinds}};
		"@t" eq join " ", sort {$b <=> $a} @t' 1
	json --time 1000.001,1000.002
	is "--time" '$r->{choice}{from_ns} . " " . $r->{choice}{to_ns}' "1000001000000 1000002000000"
	is "--time leaves the others out" \
		'my $n = $r->{choice}{left_out}; $n += $_->{count} for @{$r->{kinds}}; $n' "$all"
	check "--time is a part" test "$(perl -MJSON::PP -e 'local $/; open my $f, "<", shift;
		print decode_json(<$f>)->{choice}{left_out}' "$work/r.json")" -gt 10
	json --worst 7
	is "--worst" 'scalar @{$r->{worst}}' 7
	is "--worst, the longest first" \
		'my @t = map {$_->{ns}} @{$r->{worst}}; "@t" eq join " ", sort {$b <=> $a} @t' 1
	check "--worst shows their events" grep -q "function starts: function_" "$work/out"
	json --hist
	check "--hist" grep -q "samples, ns" "$work/out"
	json -v
	check "-v lists events" grep -Eq '^# +[0-9]+  csd:csd_queue_cpu$' "$work/out"
	echo "ffffffff81001000 T other_name" > "$work/kallsyms"
	json --kallsyms "$work/kallsyms"
	check "--kallsyms" grep -q other_name "$work/out"
	ipi report -i "$work/g.data" --json -
	check "--json - is JSON and nothing else" perl -MJSON::PP -0777 -ne 'decode_json($_)' "$work/out"
	for file in "$work/nothere" "$work" /dev/null "$work/kallsyms"; do
		ipi report -i "$file"
		check "$file can't be read" test "$status" = 1
		check "$file: says so" test -s "$work/err"
	done
	for wrong in "--by x" "--sort x" "--time 5" "--time 2,1" "--time ,": "--worst 0" "--cpu 1-" "a b"; do
		# shellcheck disable=SC2086
		ipi report $wrong
		check "$wrong is a matter of usage" test "$status" = 129
	done

	# The formats lie behind the records: those of another kernel can't be had.
	head -c 300000 "$work/g.data" > "$work/cut.data"
	ipi report -i "$work/cut.data"
	check "cut off formats: status" test "$status" = 1
	check "cut off formats: says so" grep -q "formats are cut off" "$work/err"
	"$generator" "$work/g.data" cpus=4 events=20000 pipe > "$work/truth.json"
	# In the middle of a record: they are multiples of eight long.
	head -c 899999 "$work/g.data" > "$work/cut.data"
	ipi report -i "$work/cut.data" --json "$work/r.json"
	check "cut off: status" test "$status" = 1
	check "cut off: says so" grep -q "read up to the cut" "$work/err"
	is "cut off: in JSON as well" '$r->{truncated} ? 1 : 0' 1
	check "cut off: what was before the cut counts" grep -Eq '[0-9]{4} interrupt' "$work/out"
fi

# -- this machine's own ----------------------------------------------------------------------------

events=(-e 'ipi:*' -e 'csd:*' -e 'irq_vectors:call_function*' -e 'irq_vectors:reschedule*')
case $(uname -m) in
x86_64)	;;
*)	events=(-e 'ipi:*') ;;
esac
record() {
	perf record -q -a "${events[@]}" "$@" > "$work/out" 2> "$work/err"
}

counts() {	# FILE: of each event, by perf script
	perf script -i "$1" 2> /dev/null | grep -oE ' (ipi|csd|irq_vectors):[a-z_]+: ' | sort |
		uniq -c | awk '{ sub(/:$/, "", $2); print $2, $1 }'
}

agrees() {	# WHAT FILE
	ipi report -i "$2" --json "$work/r.json"
	check "$1: report reads it" test "$status" = 0
	perl -MJSON::PP -e 'local $/; open my $f, "<", shift or die;
		for (sort {$a->{event} cmp $b->{event}} @{decode_json(<$f>)->{events}}) {
			print "$_->{event} $_->{samples}\n" if $_->{samples} }' \
		"$work/r.json" > "$work/reported"
	counts "$2" > "$work/scripted"
	check "$1: there are samples" test -s "$work/scripted"
	check "$1: as many of each event as perf script has" cmp -s "$work/reported" "$work/scripted"
}

work_hard="$PERF_BENCH_IPI normal -l 300 --no-trace"
if ! command -v perf > /dev/null; then
	skip "own recordings" "no perf"
elif ! record -o "$work/p.data" -- true; then
	skip "own recordings" "perf record can't: $(head -n 1 "$work/err")"
else
	# shellcheck disable=SC2086
	record -o "$work/p.data" -- $work_hard
	agrees "a file" "$work/p.data"
	check "a file: has names" grep -q "names from /proc/kallsyms" "$work/out"
	check "a file: IPIs of the bench" sh -c 'grep -Eq "__perf_event_read|ipi_rseq" "$1"' - "$work/out"
	# shellcheck disable=SC2086
	check "records with -k raw -g" record -k raw -g -o "$work/p.data" -- $work_hard
	agrees "-k raw -g" "$work/p.data"
	check "-k raw -g: says which clock" grep -q CLOCK_MONOTONIC_RAW "$work/out"
	# shellcheck disable=SC2086
	perf record -q -a "${events[@]}" -o - -- $work_hard 2> /dev/null > "$work/p.data"
	agrees "a pipe" "$work/p.data"
	perf record -q -a "${events[@]}" -o - -- sleep 0.2 2> /dev/null |
		"$PERF_BENCH_IPI" report -i - > "$work/out" 2> "$work/err"
	check "through a pipe" grep -q "written to a pipe" "$work/out"
	# shellcheck disable=SC2086
	if record -z -o "$work/p.data" -- $work_hard && "$generator" "$work/g.data" events=10 zstd \
		> /dev/null 2>&1; then
		agrees "-z" "$work/p.data"
		check "-z: says so" grep -q compressed "$work/out"
	else
		skip "-z" "no zstd in perf, or not in us"
	fi
	record --overwrite --switch-output=1s -o "$work/o.data" -- sleep 1.3
	for file in "$work"/o.data.*; do
		agrees "--overwrite --switch-output" "$file"
	done
	# shellcheck disable=SC2086
	record -o "$work/p.data" -- $work_hard
	head -c "$(($(stat -c %s "$work/p.data") / 2))" "$work/p.data" > "$work/cut.data"
	ipi report -i "$work/cut.data"
	check "cut off: status" test "$status" = 1
	check "cut off: read up to the cut" grep -q "cut off: read up to the cut" "$work/err"
	check "cut off: formats of this kernel" grep -q "formats of this kernel" "$work/out"
fi

# What the fuzzer found its ways by: an error in our words at worst, soon.
failed_well() {
	[ "$status" = 1 ] && [[ $(head -n 1 "$work/err") == "perf bench ipi: "* ]] &&
		! grep -q Sanitizer "$work/err"
}
wrong=0
for file in "$(dirname "$0")"/../fuzz/corpus/*; do
	ipi report -i "$file"
	if [ "$status" != 0 ] && ! failed_well; then
		wrong=$((wrong + 1))
		fail "damaged recording ${file##*/}"
	fi
done
check "damaged recordings give an error, never worse" test "$wrong" = 0

plan
