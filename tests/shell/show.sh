#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Saved results in any output, limits, what CI systems read: the same from a run and from its file.
. "$(dirname "$0")/lib.sh"

json=$work/r.json
run_it() {
	ipi --backend fake -C 0-3 -l 50 --src 0 --dst 1,2,3 "$@" normal,broadcast,wake
}

# A result as the run printed it.
same_as_run() {		# WHAT OPTION...
	local what=$1
	shift
	run_it "$@" --json "$json"
	# The header knows more once all is measured: rows and what is under them.
	grep -v '^# ' "$work/out" > "$work/run.out"
	ipi show "$@" "$json"
	grep -v '^# ' "$work/out" > "$work/show.out"
	check "$what: exit 0" status_is 0
	check "$what: quiet on stderr" err_empty
	check "$what: there is something" test -s "$work/run.out"
	check "$what: as the run printed it" cmp -s "$work/run.out" "$work/show.out"
}
same_as_run "the table"
check "the table: its header" grep -q "^# Running 'ipi/normal,broadcast,wake' benchmark:" "$work/out"
same_as_run "-v" -v
same_as_run "--hist" --hist
same_as_run "--classic" --classic
same_as_run "-f simple" -f simple
run bash -c "cat '$json' | '$PERF_BENCH_IPI' show -f simple -"
check "from a pipe" out_has "^normal/busy [0-9]+$"

# -x: as many fields in every line, names in the first, the file in the last.
ipi show -x, "$json"
check "-x: exit 0" status_is 0
check "-x: its columns" out_has \
	'^# scenario,target_state,src,dst,.*,stage,count,min_ns,p50_ns,.*,mean_ns,result$'
check "-x: the same number of fields" test "$(awk -F, '{ print NF }' "$work/out" | sort -u | wc -l)" = 1
check "-x: a figure of the schedule" out_has '^normal,busy,0,1,0,ok,1\.00,-,send,50,300,300,300,300,300,300,300\.00,r$'
check "-x: a list without the separator" out_has '^broadcast,busy,0,1-3,0,ok,'
ipi show --field-separator '\t' "$json"
check "-x '\\t' is a tab" out_has "^normal	busy	0	1	"
run_it -x ';'
check "-x in a run: no file" out_has '^normal;busy;.*;-$'
ipi --backend fake -C 0 -x, normal
check "-x: what was not measured is -" out_has '^normal,busy,0,-,0,unsupported,-,-,total(,-){9}$'

# Lines of "OUTCOME NAME" of KTAP; fails unless every plan, number and indent is right.
ktap() {	# FILE
	perl -e '
		my @lines = <>;
		chomp @lines;
		sub level {
			my ($depth, $path) = @_;
			my $in = "  " x $depth;
			@lines && shift(@lines) eq "${in}KTAP version 1" or die "no version";
			@lines && shift(@lines) =~ /^${in}1\.\.(\d+)$/ or die "no plan";
			my ($plan, $nr, @below) = ($1, 0);
			while (@lines) {
				if ($lines[0] eq "$in  KTAP version 1") {
					@below and die "two levels in one test";
					@below = level($depth + 1);
				} elsif ($lines[0] =~ /^$in# /) {
					shift @lines;
				} elsif ($lines[0] =~ /^${in}(ok|not ok) (\d+) ([^#]*?)( # SKIP .+)?$/) {
					my ($result, $number, $name, $skip) = ($1, $2, $3, $4);
					shift @lines;
					$number == ++$nr or die "number $number";
					$result eq "not ok" && $skip and die "not ok and skipped";
					my $bad = grep { /^not ok / } @below;
					$bad && $result eq "ok" and die "ok over not ok: $name";
					push @out, $skip ? "skip $name" : "$result $name";
					push @out, map { s/^(ok|not ok|skip) /$1 $name: /r } @below;
					@below = ();
					$nr == $plan and last;
				} else {
					last;
				}
			}
			$nr == $plan or die "$nr of $plan";
			return $depth ? splice(@out, -$nr) : ();
		}
		level(0);
		@lines and die "left: $lines[0]";
		print "$_\n" for @out;' "$1" 2>> "$work/err"
}

valid_ktap() {	# FILE
	ktap "$1" > /dev/null
}

ipi show --ktap "$json"
check "--ktap: exit 0" status_is 0
check "--ktap: valid" valid_ktap "$work/out"
check "--ktap: a test for each row" test "$(ktap "$work/out" | wc -l)" = \
	"$(perl -MJSON::PP -0777 -ne 'print scalar @{decode_json($_)->{cells}}' "$json")"
check "--ktap: a TAP consumer takes it" prove -Q --exec cat "$work/out"
check "--ktap: rows of one kind by their CPUs" grep -q '^ok normal/busy 0>2$' <(ktap "$work/out")

limits=normal/busy.total.p99=20us,normal/idle.total.p50=100ns,wake.send.max=1ms
run_it --ktap --limit "$limits" --limit self-ipi.total.p50=1us
check "limit: exceeded in a run: exit 2" status_is 2
check "limit: valid KTAP" valid_ktap "$work/out"
ktap "$work/out" > "$work/tests"
check "limit: kept" grep -q '^ok normal/busy 0>1$' "$work/tests"
check "limit: its subtest" out_has '^  ok 1 total\.p99$'
check "limit: exceeded" grep -q '^not ok normal/idle 0>1$' "$work/tests"
check "limit: its subtest says so" out_has '^  not ok 1 total\.p50$'
check "limit: figure and limit stand before it" out_has '^  # total\.p50: 15[0-9]+ ns, limit 100 ns$'
check "limit: without a row skipped" grep -q '^skip self-ipi\.total\.p50=1us$' "$work/tests"
check "limit: a TAP consumer sees the failure" bash -c "! prove -Q --exec cat '$work/out' 2> /dev/null"
check "limit: named on stderr" err_has \
	'limit exceeded: normal/idle 0>1: total p50 is 15[0-9]+ ns, the limit 100 ns'
check "limit: that was not checked is named too" err_has 'not checked.*: self-ipi\.total\.p50=1us'
ipi show "$json" --limit normal.total.p99=1ns
check "limit: without --ktap, from a file: exit 2" status_is 2
check "limit: without --ktap: the table all the same" out_has "^ *normal +busy "
check "limit: said for each row" test "$(grep -c 'limit exceeded' "$work/err")" = 6
ipi show "$json" --limit normal.total.p99=1s
check "limit: kept: exit 0" status_is 0
check "limit: kept: quiet" err_empty
ipi show "$json" --limit storm.total.p99=1s
check "limit: nothing to check: exit 3" status_is 3

# Several files, one of them none.
sed 's,perf-bench-ipi/1,perf-bench-ipi/7,' "$json" > "$work/newer.json"
cp "$json" "$work/s.json"
ipi show -f simple "$json" "$work/newer.json" "$work/s.json"
check "a newer schema: exit 1" status_is 1
check "a newer schema: said" err_has "schema 'perf-bench-ipi/7' is not ours"
check "the others are shown" test "$(grep -c '^# result: [rs]$' "$work/out")" = 2
ipi show --ktap "$json" "$work/newer.json" "$work/s.json"
check "several: valid KTAP" valid_ktap "$work/out"
check "several: each is a test" out_has '^ok 3 s$'
check "several: one that can't be read has failed" out_has '^not ok 2 newer$'
ipi show -x, "$json" "$work/s.json"
check "several: one heading" test "$(grep -c '^#' "$work/out")" = 1
check "several: the last column says which" test "$(sed 's/.*,//' "$work/out" | sort -u | tr '\n' ' ')" = "r result s "

bad() {		# WHAT STATUS STDERR ARGUMENT...
	local what=$1 wanted=$2 words=$3
	shift 3
	ipi show "$@"
	check "$what: exit $wanted" status_is "$wanted"
	check "$what: said" err_has "$words"
	check "$what: nothing on stdout" test ! -s "$work/out"
}
bad "no file named" 129 "no result named"
bad "no file" 1 "can't read $work/none: No such file" "$work/none"
bad "a limit misspelt" 129 "--limit: 'normal.total.p95=1us' is not understood" --limit normal.total.p95=1us "$json"
bad "a limit without unit" 129 "--limit: .* is not understood" --limit normal.total.p99=1 "$json"
bad "a separator that fields have" 129 "--field-separator: '-' is" -x - "$json"
bad "two outputs" 129 "one of -f simple, -x, --classic and --ktap" --ktap -x, "$json"

plan
