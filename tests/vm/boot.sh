#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Is the guest what was asked for, and does its kernel have the tracepoints we believe it has?
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

events=/sys/kernel/tracing/events

version() {
	case $(uname -r) in
	"$KVER" | "$KVER"[!0-9]*) return 0 ;;
	esac
	uname -r
	return 1
}

# Of the kinds we know of, what this architecture and version have: DIRECTORY/EVENT a line, sorted.
expected() {
	case $ARCH in
	arm64) printf 'ipi/%s\n' ipi_entry ipi_exit ipi_raise ;;
	x86_64)
		for vector in call_function_single call_function reschedule irq_work; do
			printf "irq_vectors/${vector}_%s\n" entry exit
		done
		# Listed there for a time, though nothing on x86 raises them.
		if since 6.4 && ! since 6.17; then
			printf 'ipi/%s\n' ipi_entry ipi_exit ipi_raise
		fi
		;;
	esac
	if since 6.5; then
		printf 'ipi/%s\n' ipi_send_cpu ipi_send_cpumask
		printf 'csd/%s\n' csd_queue_cpu csd_function_entry csd_function_exit
	fi
}

found() {
	cd "$events" || return
	for event in ipi/* csd/* irq_vectors/*; do
		case $event in
		ipi/* | csd/* | irq_vectors/call_function_* | irq_vectors/resched* | \
		irq_vectors/irq_work_*)
			[ ! -e "$event/format" ] || echo "$event"
			;;
		esac
	done
}

event_ids() {
	for event in $(expected); do
		grep -qx '[0-9][0-9]*' "$events/$event/id" || return
	done
}

# A line for each kind of IPI, with a count for each CPU.
interrupts() {
	case $ARCH in
	arm64) row=' *IPI1:.*Function call interrupts' ;;
	*) row=' *CAL:.*Function call interrupts' ;;
	esac
	grep "^$row" /proc/interrupts |
		awk -v cpus="$SMP" '{ print } $(cpus + 1) !~ /^[0-9]+$/ || $(cpus + 2) ~ /^[0-9]+$/ { exit 1 }
				    END { exit NR != 1 }'
}

check "architecture" same "$ARCH" "$(uname -m | sed s/aarch64/arm64/)"
check "kernel version" version
check "number of CPUs" same "$SMP" "$(nproc)"
check "CPUs online" same "$SMP" "$(grep -c '^processor' /proc/cpuinfo)"
check "root" same 0 "$(id -u)"
check "tracefs is mounted" grep -q '^tracefs /sys/kernel/tracing tracefs' /proc/mounts
check "debugfs is mounted" grep -q '^debugfs /sys/kernel/debug debugfs' /proc/mounts
check "tracepoints of IPIs" same "$(expected | sort)" "$(found | sort)"
check "tracepoints have ids" event_ids
check "IPIs are counted for each CPU" interrupts
plan
