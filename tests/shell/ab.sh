#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two settings in turn: the commands are run as promised, whatever happens, and the results are those
# of diff.
. "$(dirname "$0")/lib.sh"

log=$work/log

ab() {
	: > "$log"
	ipi ab --backend fake -C 0-1 -l 50 --a "echo a >> '$log'" --b "echo b >> '$log'" "$@"
}

log_is() {	# LINES
	[ "$(tr '\n' ' ' < "$log")" = "$1 " ]
}

ab -r 3 normal
check "exit 0" status_is 0
check "in turn, the order changing" log_is "a b b a a b"
check "both settings named" out_has "^# a: echo a >>"
check "compared as diff does" out_has "^  normal +busy .* total .* same$"
check "three repetitions of either" out_has "repetitions: 3, 3"

ab -r 2 normal --after "echo end >> '$log'"
check "--after comes last" log_is "a b b a end"
ab -r 4 normal --json-a "$work/a.json" --json-b "$work/b.json"
check "--json-a: all repetitions, numbered" json_is "$work/a.json" '
	join(",", map { $_->{repetition} } grep { $_->{target_state} eq "busy" } @{$r->{cells}})
		eq "0,1,2,3"'
ipi diff "$work/a.json" "$work/b.json"
check "--json-a, --json-b: diff reads them" status_is 0
ab -r 3 --table commit normal
check "--table commit" out_has "^normal busy +[0-9]+ +[0-9]+ +\+0\.0 %"

ipi ab --backend fake -C 0-1 -l 50 -r 3 --a true --b "echo said; exit 7" \
	--after "echo end >> '$log'" normal
check "a command that fails: exit 1" status_is 1
check "a command that fails: named" err_has "'echo said; exit 7' ended with status 7"
check "a command's words are on stderr" err_has "^said$"
check "a command that fails: --after all the same" grep -q end "$log"
ab -r 2 normal --after "exit 3"
check "--after that fails: exit 1" status_is 1
check "--after that fails: said" err_has "'exit 3' ended with status 3"
ipi ab --backend fake -C 0-1 -l 50 -r 2 --a true --b 'kill -9 $$' normal
check "a command that is killed" err_has "was ended by signal 9"

# Ended by a signal while a command waits: what was measured is printed, --after run.
: > "$log"
waiting() {		# LINES
	local i

	for ((i = 0; i < 400; i++)); do
		[ "$(wc -l < "$log")" -ge "$1" ] && break
		sleep 0.05
	done
	kill -TERM "$pid"
	wait "$pid"
	status=$?
}
start ab --backend fake -C 0-1 -l 50 -r 5 --a true --b "echo b >> '$log'; sleep 1" \
	--after "echo end >> '$log'" normal
waiting 2
check "SIGTERM: exit 1" status_is 1
check "SIGTERM: --after" grep -q end "$log"
check "SIGTERM: marked" out_has "interrupted"
check "SIGTERM: what was measured is printed" out_has "^  normal +busy .* total "
: > "$log"
start ab --backend fake -C 0-1 -l 50 -r 5 --a true --b "echo b >> '$log'; sleep 1" normal
waiting 1
check "SIGTERM before both were run: exit 1" status_is 1
check "SIGTERM before both were run: said" err_has "interrupted before"

bad() {		# WHAT STDERR ARGUMENT...
	local what=$1 words=$2
	shift 2
	ipi ab "$@"
	check "$what: 129" status_is 129
	check "$what: said" err_has "$words"
}
bad "one setting" "two settings are needed" --a true
bad "no scenario" "no scenario 'x'" --a true --b true x
bad "no table" "no table 'x'" --a true --b true --table x
bad "no backend" "no backend 'x'" --a true --b true --backend x

plan
