#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# /init of the guests of tools/vm, run by busybox: mounts what there is to mount, runs /vm/run or a
# shell, says how that ended, powers off.
#
# The console is the kernel's alone. The command's output and error output have a serial line each.
# What is said to the host are lines of the kernel log, in their order among the kernel's own:
#   @@INIT, @@BEGIN, @@END status=N, @@DONE, or @@FAIL and why; @@INT3 for vm-stale.sh.
# Of a shell, which has the console, the status goes over the line of the output.

/bin/busybox mkdir -p /proc /sys /dev /tmp /run /root /share /sbin /usr/bin /usr/sbin
/bin/busybox --install -s /bin
export PATH=/share:/bin HOME=/root

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /tmp
mount -t tracefs tracefs /sys/kernel/tracing
mount -t debugfs debugfs /sys/kernel/debug
ip link set lo up

# Above every loglevel, and in one piece whatever else is written to the console.
say() {
	echo "<1>@@$*" > /dev/kmsg
}

end() {
	say "$@"
	poweroff -f
	sleep 60
}

# The serial lines that are PCI devices, first and second, whatever number the kernel gave them.
line() {	# NUMBER
	tty=$(for tty in /sys/class/tty/ttyS*; do readlink -f "$tty"; done | grep /pci |
		sort | sed -n "$1p")
	[ -n "$tty" ] || end "FAIL this kernel has no driver for PCI serial lines"
	stty -F "/dev/${tty##*/}" raw -echo
	echo "/dev/${tty##*/}"
}

# ARCH, KVER, SMP, ICOUNT, and what the terminal is.
# shellcheck disable=SC1091
. /vm/env

say "INIT uptime=$(cut -d ' ' -f 1 /proc/uptime) kernel=$(uname -r) cpus=$(nproc)"

if [ "$ARCH" = x86_64 ]; then
	awk 'from { print from, $1; from = "" }
	     $3 ~ /^(asm_exc_int3|exc_int3|poke_int3_handler)$/ { from = $1 }' /proc/kallsyms |
		while read -r range; do
			say "INT3 $range"
		done
fi

for module in /vm/modules/*; do
	[ ! -e "$module" ] || insmod "$module" || end "FAIL can't load ${module##*/}"
done

out=$(line 1)
err=$(line 2)
cd /share || end "FAIL no /share"

if [ ! -e /vm/run ]; then
	stty rows "$ROWS" columns "$COLUMNS"
	setsid cttyhack sh
	echo "@@END status=$?" > "$out"
	poweroff -f
	sleep 60
fi

# Pipes, since a program behaves otherwise on a terminal. What comes out of them last is waited for.
mkfifo /vm/out /vm/err
cat /vm/out > "$out" &
cat /vm/err > "$err" &
say BEGIN
sh /vm/run < /dev/null > /vm/out 2> /vm/err
status=$?
wait
say "END status=$status"
end "DONE uptime=$(cut -d ' ' -f 1 /proc/uptime)"
