#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The program without the module, on a kernel of another version and architecture than the host's:
# IPIs are proved, what the kernel's tracepoints can tell is told, what they can't is named. Counts
# and structure only.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

json=/tmp/r.json
out=/tmp/out

ipi() {
	perf-bench-ipi --backend user --json $json "$@" > $out 2>&1 || { cat $out; return 1; }
}

# The JSON has a cell a line.
cell_line() {	# SCENARIO STATE
	grep "\"scenario\": \"$1\"" $json | grep "\"target_state\": \"$2\""
}

cell() {	# SCENARIO STATE ERE
	cell_line "$1" "$2" | grep -Eq "$3" || { cell_line "$1" "$2"; return 1; }
}

text_has() {	# ERE
	grep -Eq "$1" $out || { cat $out; return 1; }
}

# With instructions counted a call to a busy target costs hundreds of ms of real time.
if [ "${ICOUNT:-0}" = 1 ] && [ "$SMP" -gt 1 ]; then
	check "a run on idle targets ends with 0" ipi -l 50 --target idle
else
	check "the default run ends with 0" ipi -l 50
fi
check "nothing lost" sh -c "! grep -E '\"lost\": [1-9]' $json"
check "no negative interval" sh -c "! grep -E '\"negative\": [1-9]' $json"
check "no error" sh -c "! grep -E '\"errors\": [1-9]' $json"
check "self-call sends no IPI" cell self-call - '"ipis_per_call": 0\.0'
check "self-ipi is an interrupt" cell self-ipi - '"verdict": "ok"'

if [ "$SMP" = 1 ]; then
	check "normal says it needs two CPUs" cell normal busy '"note": "needs two CPUs"'
	check "broadcast says it needs two CPUs" cell broadcast busy '"note": "needs two CPUs"'
	plan
	exit
fi

check "normal idle: proved" proved_idle "$(cell_line normal idle)"
if [ "${ICOUNT:-0}" != 1 ]; then
	check "normal busy: proved" cell normal busy '"verdict": "ok"'
	check "normal busy: nothing missing" cell normal busy '"missing": 0'
fi
check "normal idle: send latency" cell normal idle '"send_latency": \{"count": [1-9]'
check "normal idle: handler latency" cell normal idle '"handler_latency": \{"count": [1-9]'
case $ARCH in
arm64)
	# ipi_raise and ipi_entry, their reasons by printk_formats.
	check "send and deliver apart" cell normal idle '"deliver": \{"count": [1-9]'
	;;
x86_64)
	if since 6.4; then
		check "send and deliver apart" cell normal idle '"deliver": \{"count": [1-9]'
	else
		check "send and deliver named as one" \
			text_has "send [+] deliver not separable: no ipi:ipi_send_cpu"
		check "and not made up" sh -c "! grep -q '\"deliver\": {' $json"
	fi
	;;
esac
since 6.5 || check "dispatch and handle named as one" \
	text_has "dispatch [+] handle not separable"
plan
