# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# TAP for the checks in tools/, to be sourced.

tap_number=0

# The result of one test: passed if the command succeeds. Its output belongs to the test's.
tap_run() {	# WHAT COMMAND [ARGUMENT...]
	local what=$1 result=ok
	shift

	"$@" || result="not ok"
	tap_number=$((tap_number + 1))
	echo "$result $tap_number - $what"
}

tap_skip() {	# WHAT WHY
	tap_number=$((tap_number + 1))
	echo "ok $tap_number - $1 # SKIP $2"
}

# As tap_run, or a skip where the tool that makes the test is not installed.
tap_run_tool() {	# TOOL WHAT COMMAND [ARGUMENT...]
	local tool=$1 what=$2
	shift

	if command -v "$tool" > /dev/null; then
		tap_run "$@"
	else
		tap_skip "$what" "$tool is not installed: apt-get install $(package_of "$tool")"
	fi
}

package_of() {	# WORD, of the third column of tools/packages
	awk -v word="$1" '$3 == word { print $2; exit }' tools/packages
}

tap_end() {
	echo "1..$tap_number"
}
