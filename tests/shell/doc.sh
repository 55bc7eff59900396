#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documents say what the program does: each option stands in --help and in the man page, each
# scenario and each exit status in the man page, each key of the JSON in its description.
. "$(dirname "$0")/lib.sh"

docs=$(cd "$(dirname "$0")/../.." && pwd)/Documentation
man=$docs/perf-bench-ipi.txt
format=$docs/result-format.txt

# The text under a heading, up to the next one.
section() {	# HEADING
	awk -v heading="$1" '
		NR > 1 && /^-+$/ { on = before == heading; before = ""; next }
		{ if (on && before != "") print before; before = $0 }
		END { if (on) print before }' "$man"
}

# The options of a command and those of its section in the man page are the same.
same_options() {	# HEADING LEAST [COMMAND]
	local what=${3:-run}

	ipi ${3:+"$3"} --help
	cat "$work/out" "$work/err" > "$work/help"
	grep -Eo -- '--[a-z][a-z-]+' "$work/help" | sort -u > "$work/help.options"
	# parse_options() takes --help without listing it.
	section "$1" | grep -Eo -- '^--[a-z][a-z-]+' | grep -vx -- --help | sort -u \
		> "$work/man.options"
	check "$what: --help lists options" test "$(wc -l < "$work/help.options")" -ge "$2"
	while read -r option; do
		check "$what: man page has $option" grep -qx -- "$option" "$work/man.options"
	done < "$work/help.options"
	while read -r option; do
		check "$what: --help has $option of the man page" grep -qx -- "$option" \
			"$work/help.options"
	done < "$work/man.options"
}

same_options OPTIONS 15
# Every sub-command that the usage names; list has none.
ipi --help
commands=$(cat "$work/out" "$work/err" | sed -n 's/.*perf bench ipi \([a-z][a-z]*\).*/\1/p' |
	grep -vx list)
check "--help names sub-commands" test -n "$commands"
for command in $commands; do
	check "man page: synopsis of $command" grep -q "^'perf bench ipi $command'" "$man"
	same_options "${command^^}" 2 "$command"
done

ipi --backend fake -C 0-3 -l 10 --json "$work/r.json"
for scenario in $(perl -MJSON::PP -0777 -ne \
	'print join " ", keys %{{map {$_->{scenario} => 1} @{decode_json($_)->{cells}}}}' "$work/r.json"); do
	check "man page explains $scenario" grep -q "^$scenario::" "$man"
done
for code in 0 1 2 3 129; do
	check "man page has exit status $code" grep -q "^$code:: " "$man"
done

if two_cpus; then
	ipi matrix --backend fake -C "$(first_cpu),$(second_cpu)" -l 10 --json "$work/m.json"
else
	skip "keys of a matrix" "needs two CPUs"
fi

# Every key at any depth, but those of environment and options, which are free.
perl -MJSON::PP -0777 -ne '
	sub keys_of {
		my ($v) = @_;
		if (ref $v eq "HASH") { print "$_\n", keys_of($v->{$_}) for keys %$v }
		elsif (ref $v eq "ARRAY") { keys_of($_) for @$v }
		return "";
	}
	my $r = decode_json($_);
	delete @$r{qw(environment options)};
	keys_of($r);' "$work"/[mr].json | sort -u > "$work/keys"
check "the JSON has keys" test "$(wc -l < "$work/keys")" -ge 30
while read -r key; do
	check "result-format.txt explains $key" grep -Eq "(^|[^a-z_])$key([^a-z_]|\$)" "$format"
done < "$work/keys"

# The same of a report.
generator=$(dirname "$PERF_BENCH_IPI")/build/gen-perfdata
[ -x "$generator" ] || generator=$(dirname "$PERF_BENCH_IPI")/gen-perfdata
if "$generator" "$work/g.data" events=1000 > "$work/out" 2> "$work/err"; then
	ipi report -i "$work/g.data" --worst 2 --json "$work/r.json"
	perl -MJSON::PP -0777 -ne '
		sub keys_of {
			my ($v) = @_;
			if (ref $v eq "HASH") { print "$_\n", keys_of($v->{$_}) for keys %$v }
			elsif (ref $v eq "ARRAY") { keys_of($_) for @$v }
			return "";
		}
		keys_of(decode_json($_));' "$work/r.json" | sort -u > "$work/keys"
	check "the report has keys" test "$(wc -l < "$work/keys")" -ge 60
	while read -r key; do
		check "result-format.txt explains $key of a report" \
			grep -Eq "(^|[^a-z_])$key([^a-z_]|\$)" "$format"
	done < "$work/keys"
else
	skip "result-format.txt explains a report" "no gen-perfdata: make tests"
fi

plan
