#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a lab of many machines reads: metrics, the law of a sweep, hosts that are off.
. "$(dirname "$0")/lib.sh"

json=$work/r.json metrics=$work/ipi.prom
ipi --backend fake -C 0-111 -l 50 -r 2 --openmetrics "$metrics" --json "$json"
check "--openmetrics: exit 0" status_is 0
check "--openmetrics: quiet on stderr" err_empty
check "--openmetrics: the table all the same" out_has "^ *2 +normal +busy "
check "--openmetrics: no other file is left" test "$(ls "$work"/ipi.prom*)" = "$metrics"

# What both formats ask for, and Prometheus' rules of naming.
format() {	# FILE
	perl -e '
		my (%help, %type, %unit, %done, %series, %quantile, $now, $end);
		my $name = qr/[a-z][a-z0-9]*(?:_[a-z0-9]+)*/;
		my $label = qr/$name="(?:[^"\\\n]|\\["\\n])*"/;
		while (<>) {
			chomp;
			$end and die "something after # EOF";
			if (/^# (HELP|TYPE|UNIT) ($name) (.+)$/) {
				my $into = { HELP => \%help, TYPE => \%type, UNIT => \%unit }->{$1};
				exists $into->{$2} and die "$1 of $2 twice";
				$into->{$2} = $3;
				$done{$2} and die "$2 is not in one piece";
				$now ne $2 and $now and $done{$now} = 1;
				$now = $2;
			} elsif ($_ eq "# EOF") {
				$end = 1;
			} elsif (/^($name)((?:\{$label(?:,$label)*\})?) (\S+)$/) {
				my ($metric, $labels, $value) = ($1, $2, $3);
				my $base = $metric;
				$base =~ s/_(sum|count)$// if ($type{$now} // "") eq "summary";
				$base eq $now or die "$metric below $now";
				$help{$now} && $type{$now} or die "$now has no HELP or TYPE";
				$series{"$metric$labels"}++ and die "twice: $metric$labels";
				$value =~ /^-?\d+(\.\d+)?(e[-+]\d+)?$/ or die "value $value";
				my @keys = $labels =~ /[{,]($name)=/g;
				my %keys = map { $_ => 1 } @keys;
				@keys == keys %keys or die "a label twice: $labels";
				if ($keys{quantile}) {
					$type{$now} eq "summary" && $base eq $metric or die "quantile";
					my ($q) = $labels =~ /quantile="(\d\.\d+)"/ or die "quantile";
					$labels =~ s/,quantile="[^"]*"//;
					my ($before, $was) = @{$quantile{$labels} // [-1, 0]};
					$q > $before && $value >= $was or die "order: $_";
					$quantile{$labels} = [$q, $value];
				}
			} else {
				die "line: $_";
			}
		}
		$end or die "no # EOF";
		for (keys %type) {
			/^perf_bench_ipi_/ or die "name $_";
			$type{$_} =~ /^(gauge|summary)$/ or die "type of $_";
			/(^|_)(ns|us|ms|s|nanoseconds)(_|$)/ and die "unit in $_";
			$unit{$_} && !/_$unit{$_}$/ and die "unit of $_ is not in its name";
			/_(total|bucket|sum|count)$/ and die "reserved: $_";
		}
		for (keys %quantile) {
			$series{"perf_bench_ipi_stage_seconds_sum$_"} &&
			$series{"perf_bench_ipi_stage_seconds_count$_"} or die "no sum or count: $_";
		}
		%quantile or die "no quantiles";' "$1" 2>> "$work/err"
}
check "metrics: well-formed" format "$metrics"
ask_promtool() {	# WHAT FILE
	if command -v promtool > /dev/null; then
		run bash -c "promtool check metrics < '$2'"
		# Warnings of its linter don't show in its status.
		check "$1: promtool says nothing against it" \
			test "$status" = 0 -a ! -s "$work/out" -a ! -s "$work/err"
	else
		skip "$1: promtool" "promtool is not installed (Debian package prometheus)"
	fi
}
ask_promtool "metrics" "$metrics"
labels='scenario="normal",target_state="busy",backend="fake",src="0",dst="1",targets="1",class="interrupt"'
check "metrics: seconds of the schedule" grep -qxF \
	"perf_bench_ipi_stage_seconds{$labels,stage=\"deliver\",quantile=\"0.5\"} 6e-07" "$metrics"
check "metrics: repetitions together" grep -qxF \
	"perf_bench_ipi_stage_seconds_count{$labels,stage=\"total\"} 100" "$metrics"
check "metrics: storm's rate" grep -q \
	'^perf_bench_ipi_storm_calls_per_second{.*senders="112".*} [0-9.]*$' "$metrics"
ipi show "$json" --openmetrics "$work/again.prom" -f simple
check "show --openmetrics: the same" cmp -s "$metrics" "$work/again.prom"
ipi --backend fake -C 0 -l 10 --openmetrics "$work/one.prom" normal,self-call
check "one CPU: well-formed" format "$work/one.prom"
check "one CPU: the row is not valid" grep -q '^perf_bench_ipi_row_valid{scenario="normal".*} 0$' "$work/one.prom"
check "one CPU: and has no figures" test "$(grep -c 'stage.*scenario="normal"' "$work/one.prom")" = 0
before=$(cat "$metrics")
ipi --backend fake -C 0-1 -l 10 --openmetrics "$metrics" bogus
check "a run that fails leaves the old file" test "$(cat "$metrics")" = "$before"
ipi --backend fake -C 0-1 -l 10 --openmetrics "$work/none/x.prom" normal
check "no directory: exit 1" status_is 1
check "no directory: said" err_has "cannot write $work/none/x.prom: No such file"
check "no directory: before it runs" test ! -s "$work/out"

# The fake backend's law is 1500 + 50 ns for each target after the first, plus 0 to 49 of jitter.
ipi show "$json"
check "law: printed" out_has '^# multicast busy: 14[67][0-9] \+ 50\.[0-9] ns per target \(\+- [0-9.]+, \+- 0\.[0-9]\)$'
check "law: in JSON" json_is "$json" '
	my ($f) = @{$r->{fits}};
	@{$r->{fits}} == 1 && $f->{scenario} eq "multicast" && $f->{rows} == 16 && !@{$f->{knees}} &&
	abs($f->{slope_ns} - 50) < 1 && abs($f->{base_ns} - 1475) < 20'
check "law: storm's rate and p99 for each number of senders" test \
	"$(grep -Eo 'storm:[0-9]+ any, repetition 1: [0-9]+ \([0-9]+\)' "$work/out" | wc -l)" = 7
# From 16 targets on each takes 100 ns more.
perl -MJSON::PP -0777 -ne '
	my $r = decode_json($_);
	for my $c (grep { $_->{scenario} eq "multicast" && @{$_->{dst}} > 16 } @{$r->{cells}}) {
		my $ns = 100 * (@{$c->{dst}} - 16);
		my $t = $c->{stages}{total};
		my $v = $t->{p50} + $ns;
		my $w = $v < 128 ? 1 : 2 ** (int(log($v) / log(2) + 1e-9) - 6);
		$v -= $v % $w;
		$c->{stages}{total} = { count => $t->{count}, min => $v, max => $v, mean => $v + 0.0,
					hist => [[$v, $t->{count}]] };
	}
	print encode_json($r);' "$json" > "$work/knee.json"
ipi show "$work/knee.json"
check "knee: printed" out_has '^# multicast busy: .* \| knee at 16: then 1(4[5-9]|5[0-5]) \(\+- '
ipi show "$work/knee.json" --openmetrics "$work/knee.prom" -f simple
check "knee: a slope from there on" test "$(grep -c '^perf_bench_ipi_fanout_slope_seconds{.*from="16"} 1[.][45]' "$work/knee.prom")" = 1
check "knee: well-formed" format "$work/knee.prom"

# Six hosts, the third with a slow row, of its deliver stage, the fifth without it.
for host in 1 2 3 4 5 6; do
	ipi --backend fake -C 0-3 -l 50 -r 2 --json "$work/h$host.json" normal,broadcast
done
slow_down() {	# FILE SCENARIO
	perl -MJSON::PP -0777 -e '
		my ($file, $scenario) = @ARGV;
		open my $in, "<", $file or die;
		my $r = decode_json(<$in>);
		for my $c (grep { $_->{scenario} eq $scenario } @{$r->{cells}}) {
			for (qw(total deliver)) {
				my $n = $c->{stages}{$_}{count};
				$c->{stages}{$_} = { count => $n, min => 3200, max => 3200, mean => 3200.0,
						     hist => [[3200, $n]] };
			}
		}
		$r->{environment}{governor} = "powersave";
		open my $out, ">", $file or die;
		print $out encode_json($r);' "$@"
}
ipi diff --outliers "$work"/h?.json
check "alike: exit 0" status_is 0
check "alike: nobody is off" out_has "^# 0 of 6 hosts are off$"
check "alike: a row for p50 and p99" out_has "^  normal/busy +p99 +6 +[0-9]+ .* -$"
check "alike: lines are rows or comments" test "$(grep -Ecv '^(# |#$|  [a-z])' "$work/out")" = 0
slow_down "$work/h3.json" normal
ipi --backend fake -C 0-3 -l 50 -r 2 --json "$work/h5.json" normal
ipi diff --outliers "$work"/h?.json
check "outlier: exit 2" status_is 2
check "outlier: in its row" out_has "^  normal/busy +p50 .* h3 \+1[01][0-9] %$"
check "outlier: in no other" test "$(grep -c '^  .* h3' "$work/out")" = 4
check "outlier: named, with its stage" out_has "^# outlier h3: 4 of 6 figures off \| .* in deliver: "
check "outlier: nobody else" test "$(grep -c '^# outlier ' "$work/out")" = 1
check "outlier: what it has that others don't" out_has "h3: governor: powersave, most have -$"
check "a row that one lacks" out_has "^# h5 has no headline in 1 rows that most have: broadcast/busy$"
check "the sum of it" out_has "^# 1 of 6 hosts are off$"
ipi diff --outliers --threshold 300% "$work"/h?.json
check "--threshold: off by less doesn't matter" status_is 0
mkdir "$work/a" "$work/b"
cp "$work/h1.json" "$work/a/"
cp "$work/h3.json" "$work/b/h1.json"
ipi diff --outliers "$work"/h[246].json "$work"/[ab]/h1.json
check "files of one name go by their path" out_has "^# outlier $work/b/h1.json: "

bad() {		# WHAT STATUS STDERR ARGUMENT...
	local what=$1 wanted=$2 words=$3
	shift 3
	ipi diff --outliers "$@"
	check "$what: exit $wanted" status_is "$wanted"
	check "$what: said" err_has "$words"
	check "$what: nothing on stdout" test ! -s "$work/out"
}
bad "three hosts" 129 "of 4 hosts are needed" "$work"/h[123].json
bad "another table" 129 "a table of its own" --table commit "$work"/h?.json
sed 's,perf-bench-ipi/1,perf-bench-ipi/7,' "$work/h1.json" > "$work/newer.json"
bad "a newer schema" 1 "schema 'perf-bench-ipi/7' is not ours" "$work"/h?.json "$work/newer.json"

plan
