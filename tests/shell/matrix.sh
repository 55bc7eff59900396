#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# perf bench ipi matrix: on the fake backend with the topology of a machine of 2 x 56 CPUs, on this
# machine, and what is refused.
. "$(dirname "$0")/lib.sh"

json=$work/r.json
tree=$work/sys

# A directory like /sys: two sockets of 28 cores, two threads each, numbered as Linux does.
make_tree() {	# DIRECTORY
	perl -e '
		use File::Path "make_path";
		my ($root) = @ARGV;
		sub put {
			my ($dir, $name, $text) = @_;
			make_path("$root/devices/system/$dir");
			open my $f, ">", "$root/devices/system/$dir/$name" or die;
			print $f "$text\n";
		}
		put("cpu", "online", "0-111");
		for my $cpu (0 .. 111) {
			my $core = $cpu % 56;
			my $socket = $core < 28 ? "0-27,56-83" : "28-55,84-111";
			my $smt = "$core," . ($core + 56);
			put("cpu/cpu$cpu/topology", "core_cpus_list", $smt);
			put("cpu/cpu$cpu/topology", "die_cpus_list", $socket);
			put("cpu/cpu$cpu/topology", "package_cpus_list", $socket);
			put("cpu/cpu$cpu/cache/index0", "level", 2);
			put("cpu/cpu$cpu/cache/index0", "shared_cpu_list", $smt);
			put("cpu/cpu$cpu/cache/index1", "level", 3);
			put("cpu/cpu$cpu/cache/index1", "shared_cpu_list", $socket);
		}
		put("node/node0", "cpulist", "0-27,56-83");
		put("node/node1", "cpulist", "28-55,84-111");' "$1"
}

make_tree "$tree"
ipi matrix --backend fake --sysfs "$tree" -l 20 --json "$json"
check "112 CPUs: exit 0" status_is 0
check "112 CPUs: quiet on stderr" err_empty
check "112 CPUs: what runs" out_has "^# Running 'ipi/matrix' benchmark:"
check "112 CPUs: projected first" out_has "^# projected: [0-9.]+ s \| all pairs, with --full: "
check "112 CPUs: a sample" out_has "^# 448 of 12432 pairs \| busy targets \| 3 repetitions of 20 "
check "pairs of siblings" out_has "^ +total +smt +112 +112 "
check "pairs of a cache" out_has "^ +total +llc +6048 +168 "
check "remote pairs" out_has "^ +total +remote +6272 +168 "
check "no other distances" test "$(grep -c '^ ' "$work/out")" = 3
check "topology" out_has "topology by .*: 112 CPUs \| 56 smt \| 2 llc \| 2 die \| 2 socket \| 2 node"
check "a map" out_has "^# p50 of total, ns, from row to column; a cell is the median"
check "nothing odd about a schedule" out_has "no CPU is an outlier \| total: no uneven pair among 224"
check "piped output has no escapes" out_lacks $'\033'
check "piped output: all but rows are comments" test "$(grep -Ecv '^(#|  total )' "$work/out")" = 0
check "piped output: no line over 100 columns" test "$(awk 'length > 100' "$work/out" | wc -l)" = 0
check "JSON: schema as ever" json_is "$json" '$r->{schema} eq "perf-bench-ipi/1"'
check "JSON: a cell for each pair and repetition" json_is "$json" '
	my %seen; $seen{"$_->{src}>$_->{dst}[0]"}++ for @{$r->{cells}};
	@{$r->{cells}} == 3 * 448 && keys %seen == 448 && !grep { $_ != 3 } values %seen'
check "JSON: cells of normal, each with its histogram" json_is "$json" '
	!grep { $_->{scenario} ne "normal" || $_->{verdict} ne "ok" ||
		$_->{stages}{total}{count} != 20 } @{$r->{cells}}'
check "JSON: repetitions interleaved" json_is "$json" '
	$r->{cells}[0]{repetition} == 0 && $r->{cells}[448]{repetition} == 1 &&
	$r->{cells}[448]{src} == $r->{cells}[0]{src}'
check "JSON: every CPU sends and is hit" json_is "$json" '
	my (%s, %d); $s{$_->{src}} = $d{$_->{dst}[0]} = 1 for @{$r->{cells}};
	keys %s == 112 && keys %d == 112'
check "JSON: topology" json_is "$json" '
	my $t = $r->{topology};
	@{$t->{cpus}} == 112 && @{$t->{levels}{smt}} == 56 && @{$t->{levels}{socket}} == 2 &&
	$t->{levels}{node}[1][28] == 84 && !@{$t->{unknown}}'

cp "$json" "$work/first.json"
ipi matrix --backend fake --sysfs "$tree" -l 20 --json "$json"
check "the same sample again" cmp -s "$json" "$work/first.json"

ipi matrix --backend fake --sysfs "$tree" -l 5 -r 1 --full --json "$json"
check "--full: exit 0" status_is 0
check "--full: every pair" json_is "$json" '@{$r->{cells}} == 12432'
check "--full: counts" out_has "^ +total +remote +6272 +6272 "
check "--full: a map of letters" out_has "^# from.to +[ 0-9]{50,}$"
check "--full: no line over 100 columns" test "$(awk 'length > 100' "$work/out" | wc -l)" = 0

ipi matrix --backend fake --sysfs "$tree" -C 0-3,56-59 -l 10 -r 2 --stage total,send,handle \
	--json "$json"
check "some CPUs: all their pairs" out_has "^# 56 of 56 pairs "
check "--stage: rows of each" test "$(grep -Ec '^  (total|send|handle) +(smt|llc) ' "$work/out")" = 6
check "--stage: a traced pass" json_is "$json" '
	!grep { $_->{stages}{send}{p50} < 290 || $_->{classes}{interrupt} != 10 } @{$r->{cells}}'
ipi matrix --backend fake --sysfs "$tree" -C 0-3 -l 10 -r 2 -v
check "-v: p99 as well" out_has "^# p99 of total"

ipi matrix --backend fake --sysfs "$tree" -C 0-3 -l 10 --json -
check "--json -: JSON alone" json_is "$work/out" '@{$r->{cells}} == 36'

rm -r "$tree"/devices/system/cpu/cpu*/cache
echo 0-55 > "$tree/devices/system/node/node1/cpulist"
ipi matrix --backend fake --sysfs "$tree"
check "a tree that contradicts itself: exit 1" status_is 1
check "a tree that contradicts itself: says where" err_has "CPU 0 is in the node groups"
rm -r "$tree/devices/system/node"
ipi matrix --backend fake --sysfs "$tree" -C 4-7,60-63 -l 10
check "what is not told is left out" out_has "^ +total +socket +48 "
check "and named" test "$(grep -Eo "(llc|node) not told" "$work/out" | wc -l)" = 2

ipi matrix --backend fake --sysfs "$work/nowhere"
check "no such directory: exit 1" status_is 1
check "no such directory: says so" err_has "nowhere/devices/system/cpu/online: No such file"
ipi matrix --backend fake --sysfs "$tree" -C 0-3,112
check "a CPU that the tree lacks" err_has "CPU 112: No such device"
ipi matrix --backend fake --sysfs "$tree" -C 0
check "one CPU: exit 3" status_is 3
check "one CPU: says what it needs" err_has "a matrix needs two CPUs"

bad() {		# WHAT STDERR ARGUMENT...
	local what=$1 words=$2
	shift 2
	ipi matrix "$@"
	check "$what: 129" status_is 129
	check "$what: said" err_has "$words"
	check "$what: nothing on stdout" test ! -s "$work/out"
}

bad "no such stage" "--stage: 'sending' is not understood" --stage sending
bad "one of two stages wrong" "--stage: 'total,x' is not understood" --stage total,x
bad "two states" "--target: a matrix has one state" --target busy,idle
bad "an argument" "matrix: 'normal' is no option" normal
bad "no such backend" "no backend 'pigeon'" --backend pigeon
bad "no such option" "unknown option" --classic
bad "no list" "--cpus: 'x' is no CPU" -C x
bad "-l 0" "--loop: '0' is out of range" -l 0
bad "-r 0" "--repeat: '0' is out of range" -r 0

# On a terminal: shades where it has 256 colours, letters and numbers alone where it is told so.
on_terminal() {	# COMMAND
	run script -qec "$1" /dev/null
}
make_tree "$work/other"
command="'$PERF_BENCH_IPI' matrix --backend fake --sysfs '$work/other' -C 0-7 -l 5 -r 1"
if command -v script > /dev/null; then
	on_terminal "env -u NO_COLOR TERM=xterm-256color $command"
	check "terminal of 256 colours: shades" out_has $'\033''\[48;5;[0-9]+m'
	on_terminal "env -u NO_COLOR -u COLORTERM TERM=xterm $command"
	check "terminal of 8 colours: no shades" out_lacks $'\033''\[48;'
	check "terminal of 8 colours: bold" out_has $'\033''\[1m'
	on_terminal "env NO_COLOR=1 TERM=xterm-256color $command"
	check "NO_COLOR: no escapes" out_lacks $'\033'
	on_terminal "env -u NO_COLOR TERM=xterm-256color $command --no-color"
	check "--no-color: no escapes" out_lacks $'\033'
	on_terminal "env -u NO_COLOR TERM=dumb $command"
	check "a dumb terminal: no escapes" out_lacks $'\033'
else
	skip "colours" "no script(1)"
fi

if two_cpus; then
	cpus=$(first_cpu),$(second_cpu)
	ipi matrix -C "$cpus" -r 2 --json "$json"
	check "live: exit 0" status_is_0_or_busy
	check "live: both ways" json_is "$json" '
		my @c = @{$r->{cells}};
		@c == 4 && $c[0]{src} == $c[1]{dst}[0] && $c[1]{src} == $c[0]{dst}[0]'
	check "live: proved" json_is "$json" '
		!grep { $_->{verdict} eq "ok" && $_->{ipis_per_call} < 0.95 } @{$r->{cells}}'
	check "live: the topology of this machine" json_is "$json" '
		$r->{topology}{source} eq "/sys" && @{$r->{topology}{cpus}} == 2'
	check "live: a table" out_has "^ +total +[a-z]+ +2 +[0-2] "
	if is_root && [ -e /sys/kernel/tracing/events ]; then
		ipi matrix -C "$cpus" -r 1 --stage deliver,handler_latency --json "$json"
		check "live: stages" json_is "$json" '
			!grep { $_->{verdict} eq "ok" && !$_->{calls_traced} } @{$r->{cells}}'
	else
		skip "live: stages" "needs root and tracefs"
	fi
	ipi matrix -C "$cpus" --target idle -r 1 -l 50 --json "$json"
	check "live: idle targets" json_is "$json" '
		@{$r->{cells}} == 2 && !grep { $_->{target_state} ne "idle" } @{$r->{cells}}'
else
	skip "live" "needs two CPUs"
fi

plan
