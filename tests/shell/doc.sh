#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documents say what the program does: each option stands in --help and in the man page, each
# scenario and each exit status in the man page, each key of the JSON in its description.
. "$(dirname "$0")/lib.sh"

docs=$(cd "$(dirname "$0")/../.." && pwd)/Documentation
man=$docs/perf-bench-ipi.txt
format=$docs/result-format.txt

ipi --help
cat "$work/out" "$work/err" > "$work/help"
grep -Eo -- '--[a-z][a-z-]+' "$work/help" | sort -u > "$work/help.options"
# parse_options() takes --help without listing it.
grep -Eo -- '^--[a-z][a-z-]+' "$man" | grep -vx -- --help | sort -u > "$work/man.options"
check "--help lists options" test "$(wc -l < "$work/help.options")" -ge 15
while read -r option; do
	check "man page has $option" grep -qx -- "$option" "$work/man.options"
done < "$work/help.options"
while read -r option; do
	check "--help has $option of the man page" grep -qx -- "$option" "$work/help.options"
done < "$work/man.options"

ipi --backend fake -C 0-3 -l 10 --json "$work/r.json"
for scenario in $(perl -MJSON::PP -0777 -ne \
	'print join " ", keys %{{map {$_->{scenario} => 1} @{decode_json($_)->{cells}}}}' "$work/r.json"); do
	check "man page explains $scenario" grep -q "^$scenario::" "$man"
done
for code in 0 1 3 129; do
	check "man page has exit status $code" grep -q "^$code:: " "$man"
done

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
	keys_of($r);' "$work/r.json" | sort -u > "$work/keys"
check "the JSON has keys" test "$(wc -l < "$work/keys")" -ge 30
while read -r key; do
	check "result-format.txt explains $key" grep -Eq "(^|[^a-z_])$key([^a-z_]|\$)" "$format"
done < "$work/keys"

plan
