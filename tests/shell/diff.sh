#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Results compared: what a script may rely on, and what a reader sees. The fake backend's runs are all
# alike; a slower one is made of one of them.
. "$(dirname "$0")/lib.sh"

base=$work/base.json new=$work/new.json slow=$work/slow.json few=$work/few.json
ipi --backend fake -C 0-3 -r 5 -l 100 --json "$base" dry-run,normal,broadcast
ipi --backend fake -C 0-3 -r 5 -l 100 --json "$new" dry-run,normal,broadcast
ipi --backend fake -C 0-3 -l 100 --json "$few" dry-run,normal,broadcast
check "three results" test -s "$base" -a -s "$new" -a -s "$few"

# normal's totals become 3200 ns to the call, on another kernel.
perl -MJSON::PP -0777 -ne '
	my $r = decode_json($_);
	for my $c (grep { $_->{scenario} eq "normal" } @{$r->{cells}}) {
		my $n = $c->{stages}{total}{count};
		$c->{stages}{total} = { count => $n, min => 3200, max => 3200, mean => 3200.0,
					hist => [[3200, $n]] };
	}
	$r->{environment}{kernel} = "9.9";
	print encode_json($r);' "$base" > "$slow"

ipi diff "$base" "$new"
check "the same: exit 0" status_is 0
check "the same: nothing better or worse" out_has "^# [0-9]+ same \| 0 better \| 0 worse \| "
check "the same: quiet on stderr" err_empty
check "a row a stage" out_has "^  normal +busy +0>1 +total +[0-9]+ +[0-9]+ +1\.000 \[.*\] .* same$"
check "every line but rows is a comment" test "$(grep -Ecv '^(# |#$|  [a-z])' "$work/out")" = 0
check "nothing differs besides" out_lacks "^# differs"

ipi diff "$base" "$slow"
check "worse: exit 2" status_is 2
check "worse: in the total of normal" out_has "^  normal +busy .* total .* worse$"
check "worse: nowhere else" test "$(grep -c 'worse$' "$work/out")" = 2
check "another kernel is named" out_has "^# differs: kernel: .* / 9\.9$"
ipi diff "$slow" "$base"
check "the other way round: exit 0" status_is 0
check "better" out_has "^  normal +busy .* total .* better$"
ipi diff --threshold 200% "$base" "$slow"
check "--threshold 200%: exit 0" status_is 0
ipi diff --threshold 0.5 "$base" "$slow"
check "--threshold 0.5: exit 2" status_is 2

ipi diff "$few" "$slow"
check "one repetition: nothing is claimed, exit 0" status_is 0
check "one repetition: said" out_has "nothing is claimed of less than 3 repetitions"

ipi diff --table commit "$base" "$slow"
check "--table commit: change, interval and verdict" \
	out_has "^normal busy +15[0-9]+ +3200 +\+1[0-9]+\.[0-9] %  \[\+.*, \+.*\]  worse$"
check "--table commit: no line begins with #" out_lacks "^#"
check "--table commit: exit 2 all the same" status_is 2
ipi diff --normalize dry-run "$base" "$slow" "$new"
check "--normalize: a column each" out_has "^x dry-run +base +slow +new$"
check "--normalize: the dry run is 1" out_has "^dry-run +1\.0 +1\.0 +1\.0$"
ipi diff "$base" "$new" "$slow"
check "several: each compared with the base" test "$(grep -c '^# base: base | new: ' "$work/out")" = 2
check "several: worse in one is exit 2" status_is 2
run bash -c "cat '$base' | '$PERF_BENCH_IPI' diff - '$new'"
check "from a pipe" status_is 0

bad() {		# WHAT STATUS STDERR ARGUMENT...
	local what=$1 wanted=$2 words=$3
	shift 3
	ipi diff "$@"
	check "$what: exit $wanted" status_is "$wanted"
	check "$what: said" err_has "$words"
}
bad "one file" 129 "two results are needed" "$base"
bad "no share" 129 "--threshold: 'x'" --threshold x "$base" "$new"
bad "no table" 129 "--table: no table 'html'" --table html "$base" "$new"
bad "no file" 1 "can't read $work/none: No such file" "$base" "$work/none"
sed 's,perf-bench-ipi/1,perf-bench-ipi/7,' "$base" > "$work/newer.json"
bad "a newer schema" 1 "schema 'perf-bench-ipi/7' is not ours" "$base" "$work/newer.json"
head -c 1000 "$base" > "$work/cut.json"
bad "half a file" 1 "cut.json:[0-9]+: " "$base" "$work/cut.json"
bad "no JSON" 1 "magic|invalid|expected" "$base" /bin/true

ipi --backend fake -C 0-1 -l 10 --json "$work/wake.json" wake
ipi diff "$base" "$work/wake.json"
check "nothing in common: exit 3" status_is 3
check "nothing in common: said" out_has "^# nothing to compare"

plan
