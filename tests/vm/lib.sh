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

plan() {
	echo "1..$tests"
}
