#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The completion for bash knows what the program takes: every scenario of list, every sub-command,
# option and value of --help.
. "$(dirname "$0")/lib.sh"

. "$(dirname "$0")/../../tools/perf-bench-ipi.bash-completion"

# What pressing the tabulator behind these words offers, one a line.
completes() {	# WORD...
	COMP_WORDS=("$PERF_BENCH_IPI" "$@")
	COMP_CWORD=$#
	_perf_bench_ipi "$PERF_BENCH_IPI" "${COMP_WORDS[COMP_CWORD]}" \
		"${COMP_WORDS[COMP_CWORD - 1]}" 2> "$work/err"
	printf '%s\n' "${COMPREPLY[@]}" | sort > "$work/out"
}

offers() {	# WORD...
	printf '%s\n' "$@" | sort | diff - "$work/out" > "$work/diff"
}

check "bash knows the function" test "$(complete -p perf-bench-ipi)" = \
	"complete -F _perf_bench_ipi perf-bench-ipi"

ipi list
mapfile -t scenarios < <(sed -n '/^# Scenarios/,/^# Events/s/^  \([a-z][a-z-]*\)  .*/\1/p' \
	"$work/out" | sort -u)
check "list has scenarios" test ${#scenarios[@]} -ge 7
ipi --help
cat "$work/out" "$work/err" > "$work/help"
mapfile -t commands < <(sed -n 's/.*perf bench ipi \([a-z]\+\).*/\1/p' "$work/help")
check "--help has sub-commands" test ${#commands[@]} -ge 1
mapfile -t options < <(grep -E '^ +-' "$work/help" | grep -Eo -- '(^ +|, )--?[A-Za-z][A-Za-z-]*' |
	sed 's/^[ ,]*//')
check "--help has options" test ${#options[@]} -ge 20

completes ""
check "first word: all scenarios, all sub-commands" offers all "${scenarios[@]}" "${commands[@]}"
completes "-"
check "all options" offers --help "${options[@]}"
completes normal "--no-t"
check "an option behind a scenario" offers --no-trace
completes "br"
check "the scenarios of that beginning" offers broadcast broadcast-lock
completes "normal,wa"
check "one more in a list" offers normal,wake
completes normal ""
check "behind a scenario no sub-command" offers all "${scenarios[@]}"
completes list ""
check "behind list nothing" offers ""

# Every <a|b|...>; the last word of a list likewise.
while read -r option values; do
	completes "$option" ""
	# shellcheck disable=SC2086
	check "values of $option" offers $values
done < <(sed -n 's/^.*\(--[a-z-]*\) <\([a-z|]*|[a-z|]*\)>.*/\1 \2/p' "$work/help" | tr '|' ' ')
completes --format = s
check "--format=s" offers simple
completes --target ""
check "states" offers busy kernel idle any
completes --target busy,k
check "one more state" offers busy,kernel
completes --inject ""
check "forms of --inject" offers handler= irqoff=
mkdir -p "$work/some/directory"
completes --json "$work/some/di"
check "files" offers "$work/some/directory"
completes --cpus ""
check "CPUs" grep -qx 0 "$work/out"
completes --loop ""
check "a number is not guessed" offers ""

plan
