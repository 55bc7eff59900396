# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
#
# TAP for the scripts that run in a guest, under busybox's sh; to be sourced.
set -u

tests=0

# Passed if the command succeeds. What it prints is shown if it does not.
check() {	# WHAT COMMAND...
	check_what=$1
	shift
	tests=$((tests + 1))
	if "$@" > /tmp/check.out 2>&1; then
		echo "ok $tests - $check_what"
	else
		sed 's/^/# /' /tmp/check.out
		echo "not ok $tests - $check_what"
	fi
}

same() {	# WANTED FOUND
	[ "$1" = "$2" ] && return
	echo "wanted: $1"
	echo "found:  $2"
	return 1
}

skip() {	# WHAT WHY
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# The guest's kernel is of this version or a later one.
since() {	# MAJOR.MINOR
	printf '%s\n' "$1" "$(uname -r)" | sort -V -c 2> /dev/null
}

# Is a cell's line of JSON, of a run on idle targets, good, with nothing missing? Before 6.5 there is no
# event for a function that the idle loop ran before its interrupt came: deliveries are polled, or missing
# from the trace, and many of them refute the row. Then /proc/interrupts has to say that IPIs flew.
proved_idle() {	# LINE
	echo "$1"
	case $1 in
	*'"verdict": "ok"'*'"missing": 0,'* | *'"verdict": "ok"'*'"missing": 0}'*) return 0 ;;
	*'"missing": '[1-9]* | *'"polled": '[1-9]*)
		! since 6.5 &&
			echo "$1" | grep -Eq '"ipis_per_call": (0\.[5-9]|[1-9])'
		;;
	*) return 1 ;;
	esac
}

# A program that prints TAP, with a plan of its own. It ends with 1 if a test failed.
tap() {		# PROGRAM [ARGUMENT...]
	tap_status=0
	"$@" || tap_status=$?
	check "$1 runs to its end" test $tap_status -le 1
}

# A file that was just closed, by a process killed or not, may take a moment to be gone.
rmmod_soon() {
	for _ in $(seq 60); do
		rmmod ipi_bench && return
		sleep 1
	done
	return 1
}

plan() {
	echo "1..$tests"
}
