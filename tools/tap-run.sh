#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs one test program for prove and puts its TAP in order: one plan, tests numbered through,
# cmocka's "not ok # SKIP" a skip, the reason for a skip in its line, and a failed test more where
# the program died, hung or stopped short. The same text goes to a log, which tools/check.sh counts.
#
# usage: IPI_TAP_LOGS=DIR [IPI_TAP_PREFIX="valgrind ..."] tap-run.sh PROGRAM
#
# IPI_TEST_TIMEOUT is the seconds a program may take.
set -u

program=$1
timeout=${IPI_TEST_TIMEOUT:-300}
name=$(basename "$program" .sh)
log=$IPI_TAP_LOGS/$name.tap
raw=$IPI_TAP_LOGS/$name.out

# In the background, so that a signal ends it at once and with all its children.
# shellcheck disable=SC2086 # the prefix is a command with arguments
timeout -k 10 "$timeout" ${IPI_TAP_PREFIX:-} "$program" > "$raw" 2>&1 &
pid=$!
trap 'kill "$pid"; exit 1' HUP INT TERM
wait "$pid"
status=$?

awk -v status="$status" -v timeout="$timeout" '
	function result(ok, what) {
		number++
		failed += !ok
		print (ok ? "ok " : "not ok ") number " - " what
	}

	/^1\.\.0/ {
		none = $0
		sub(/^1\.\.0[ \t]*(#[ \t]*)?([Ss][Kk][Ii][Pp][^ \t]*[ \t]*)?/, "", none)
		none = none == "" ? "nothing to test" : none
		next
	}
	/^1\.\.[0-9]+/ { planned += substr($1, 4); next }

	/^(not )?ok([ \t]|$)/ {
		ok = !/^not/
		what = $0
		sub(/^(not )?ok[ \t]*[0-9]*[ \t]*(-[ \t]*)?/, "", what)
		if (match(what, /#[ \t]*[Ss][Kk][Ii][Pp][^ \t]*[ \t]*/)) {
			before = substr(what, 1, RSTART - 1)
			after = substr(what, RSTART + RLENGTH)
			# cmocka has the name behind the word, and no reason: the line before it
			if (before == "") {
				before = after " "
				after = said
			}
			if (after == "")
				after = "no reason given"
			result(1, before "# SKIP " after)
		} else {
			result(ok, what)
		}
		said = ""
		next
	}

	/^Bail out!/ { result(0, $0); next }

	{
		line = $0
		sub(/^#[ \t]*/, "", line)
		if (line != "")
			said = line
		print "# " line
	}

	END {
		if (status == 124 || status == 137)
			result(0, "killed after " timeout " s")
		else if (status && !failed)
			result(0, "ends with status " status)
		else if (planned && number != planned && !failed)
			result(0, "planned " planned " tests, ran " number + 0)
		else if (!number && none == "")
			result(0, "prints no test result")
		if (number)
			print "1.." number
		else
			print "1..0 # SKIP " none
	}' "$raw" | tee "$log"
