#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Guests of tools/vm as TAP: does the runner keep its word, and does every kernel we test on pass the
# scripts in tests/vm? The guests of arm64, whose QEMU has one thread, run beside all else.
#
# What can't be had (QEMU, a kernel, a compiler) is a skip that says so.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

# What a test leaves in here it leaves behind.
work=$(mktemp -d) || exit 1
beside=

# shellcheck disable=SC2317 # called by at_exit
clean_up() {
	[ -z "$beside" ] || { kill -- "-$beside" && wait "$beside"; } 2> /dev/null
	rm -rf "$work"
}
at_exit clean_up
mkdir "$work/tmp"
export TMPDIR=$work/tmp

# The cheapest guest, for what is no matter of the guest.
small=(tools/vm --arch arm64 --icount --smp 1)

# TAP from stdin, numbered on.
pass_on() {	# LABEL
	local line

	while IFS= read -r line; do
		case $line in
		"ok "* | "not ok "*)
			tap_number=$((tap_number + 1))
			echo "${line%%ok *}ok $tap_number - $1${line#* - }"
			;;
		1..*) ;;
		*) echo "$line" ;;
		esac
	done
}

# -- the runner ------------------------------------------------------------------------------------

ends_with() {	# STATUS COMMAND...
	local wanted=$1 status=0
	shift

	"$@" > "$work/out" 2> "$work/err" || status=$?
	[ $status -eq "$wanted" ] && return
	sed 's/^/# /' "$work/out" "$work/err"
	echo "# status $status, not $wanted"
	return 1
}

is() {		# FILE TEXT
	[ "$(cat "$1")" = "$2" ] && return
	sed 's/^/# /' "$1"
	return 1
}

# shellcheck disable=SC2016 # for the guest's shell
passes_on() {
	ends_with 42 "${small[@]}" --share "$work/share" \
		sh -c 'cat file; echo "$1" >&2; exit 42' - "it's a \$1"' "b"' &&
		is "$work/out" shared && is "$work/err" "it's a \$1 \"b\""
}

says_unclean() {
	ends_with 0 "${small[@]}" sh -c 'echo "<4>WARNING: a test" > /dev/kmsg' &&
		grep -q 'WARNING: a test' "$work/err"
}

says_panic() {
	ends_with 125 "${small[@]}" sh -c 'echo c > /proc/sysrq-trigger' &&
		grep -q 'kernel panicked' "$work/err" && ! grep -q 'boot number' "$work/err"
}

# A kernel that never gets to its /init.
boots_again() {
	ends_with 125 "${small[@]}" --append rdinit=/none true &&
		is <(grep -o 'boot number .' "$work/err") $'boot number 2\nboot number 3' &&
		grep -q 'tools/vm: .*kernel panicked' "$work/err"
}

# A monitor that says where the CPUs are.
monitor_says() {	# RIP...
	local line

	while read -r line; do
		[ "$line" != "info registers -a" ] ||
			printf 'RIP=%s RFL=00000046 [---Z-P-]\r\n' "$@"
	done <> "$work/monitor.in" >> "$work/monitor.out"
}

stale_with() {	# RIP...
	local monitor guest status=0

	rm -f "$work"/monitor.*
	mkfifo "$work/monitor.in" "$work/monitor.out"
	printf '[    1.0] @@INT3 ffffffff99a00b50 ffffffff99a00b90\r\n' > "$work/console"
	monitor_says "$@" &
	monitor=$!
	sleep 1000 &
	guest=$!
	timeout 15 tools/vm-stale.sh "$work/console" "$work/monitor" $guest || status=$?
	kill $monitor $guest 2> /dev/null
	wait $monitor $guest 2> /dev/null
	[ -e "$work/monitor.stale" ] || status=1
	return $status
}

knows_stale() {
	stale_with ffffffff81000000 ffffffff99a00b50 &&
		! stale_with ffffffff99a00b4f ffffffff99a00b90
}

tap_tells() {	# WANTED SCRIPT-LINE...
	local wanted=$1
	shift

	printf '%s\n' "$@" > "$work/script.sh"
	ends_with 1 "${small[@]}" --tap "$work/script.sh" &&
		is <(grep -v '^#' "$work/out") "$wanted"
}

# shellcheck disable=SC2016 # for the guest's shell
tap_several() {
	printf '%s\n' 'echo "ok 1 - $1"' 'echo 1..1' > "$work/first.sh"
	printf '%s\n' 'echo "BUG: a test" > /dev/kmsg' 'echo 1..1' 'exit 3' > "$work/second.sh"
	ends_with 1 "${small[@]}" --tap "$work/first.sh" "a b" -- "$work/second.sh" -- "$work/first.sh" c &&
		is <(grep -v '^#' "$work/out") "$several"
}

several='ok 1 - first: a b
ok 2 - first: c
not ok 3 - the guest ran to its end
ok 4 - first: the console is clean
not ok 5 - second: the console is clean
ok 6 - first: the console is clean
1..6'

tap_fails() {
	tap_tells $'ok 1 - a\nnot ok 2 - the guest ran to its end\nnot ok 3 - the console is clean\n1..3' \
		'echo "ok 1 - a"' 'echo "BUG: a test" > /dev/kmsg' 'echo 1..2'
}

repeats() {
	ends_with 0 "${small[@]}" --smp 4 --console "$work/first" cat /proc/interrupts &&
		cp "$work/out" "$work/interrupts" &&
		ends_with 0 "${small[@]}" --smp 4 --console "$work/second" cat /proc/interrupts &&
		diff "$work/interrupts" "$work/out" && diff "$work/first" "$work/second"
}

loads_module() {
	ends_with 0 "${small[@]}" --module virtio_pci lsmod &&
		grep -q '^virtio_pci ' "$work/out" && grep -q '^virtio_ring ' "$work/out"
}

# No process, no file.
nothing_left() {	# DIRECTORY
	local cmdline left

	left=$(find "$1" -mindepth 1 -maxdepth 1)
	for cmdline in /proc/[0-9]*/cmdline; do
		[[ $(tr '\0' ' ' 2> /dev/null < "$cmdline") != *"$1/"* ]] || left+=" $cmdline"
	done
	[ -z "$left" ] || echo "# left: $left"
	[ -z "$left" ]
}

# A guest that is at work, until something ends it.
ends_by() {	# SIGNAL STATUS
	local vm status=0

	set -m
	tools/vm --smp 1 sh -c 'echo up; sleep 1000' > "$work/out" 2> "$work/err" &
	vm=$!
	set +m
	for _ in $(seq 3000); do
		grep -q up "$work/out" && break
		kill -0 $vm 2> /dev/null || break
		sleep 0.1
	done
	# All of them and more than once, as a terminal or timeout(1) does it.
	while kill -s "$1" -- "-$vm" 2> /dev/null; do
		:
	done
	wait "$vm" || status=$?
	[ $status -eq "$2" ] || echo "# status $status, not $2"
	is "$work/out" up && [ $status -eq "$2" ] && nothing_left "$TMPDIR"
}

times_out() {
	ends_with 124 tools/vm --smp 1 --timeout 10 sleep 1000 && nothing_left "$TMPDIR"
}

for tool in qemu-system-x86_64 qemu-system-aarch64 cpio; do
	if ! command -v "$tool" > /dev/null; then
		echo "1..0 # SKIP $tool is not installed: apt-get install $(package_of "$tool")"
		exit
	fi
done
for arch in x86_64 arm64; do
	if ! tools/vm --arch $arch --fetch > "$work/out" 2> "$work/err"; then
		sed 's/^/# /' "$work/err"
		echo "1..0 # SKIP the $arch kernel can't be fetched: $(tail -n 1 "$work/err")"
		exit
	fi
done

# -- the guests ------------------------------------------------------------------------------------

# Everything that a guest can run, in one boot of it.
guest() {	# ARCH SMP [OPTION...]
	local before=$tap_number names=(boot) options scripts=() name

	[ ! -e "$work/$1/program" ] || names+=(program)
	if [ -e "$work/$1/program" ] && [ -e "$work/$1/share/ipi_bench.ko" ]; then
		names+=(module contract trace inject)
		[ "$2" -lt 2 ] || names+=(life)
		[ "$1" != arm64 ] || [ "$2" -lt 4 ] || names+=(agree)
		[ "$2" -lt 4 ] || names+=(soak)
	fi
	for name in "${names[@]}"; do
		scripts+=(${scripts[@]+--} "tests/vm/$name.sh")
	done
	options=(--arch "$1" --kver 6.1 --smp "$2" --timeout 900 --share "$work/$1/share" "${@:3}")
	pass_on "$1 6.1 smp $2: " < <(tools/vm "${options[@]}" --tap "${scripts[@]}" 2>&1)
	[ "$tap_number" -gt "$before" ] || tap_run "$1 6.1 smp $2: boots" false
}

# Quiet if all goes well.
builds() {	# ARCH COMMAND...
	local log=$work/$1/build
	shift

	"$@" > "$log" 2>&1 && return
	sed 's/^/# /' "$log"
	return 1
}

build_module() {	# ARCH
	if ! tools/vm --arch "$1" --kver 6.1 --headers > /dev/null 2> "$work/$1/err"; then
		tap_skip "the module in $1 guests" \
			"its kernel's headers can't be fetched: $(tail -n 1 "$work/$1/err")"
		return
	fi
	tap_run "the module and its tests build for $1 6.1" \
		builds "$1" tools/vm-module.sh "$1" 6.1 "$work/$1/share"
}

x86_64_guests() {
	local smp

	if [ ! -x "${O:-.}/perf-bench-ipi" ]; then
		tap_skip "program and module in x86_64 guests" "the program is not built: make"
	else
		touch "$work/x86_64/program"
		build_module x86_64
	fi
	for smp in 1 2 4; do
		guest x86_64 $smp
	done
}

arm64_guests() {
	local smp

	if ! command -v aarch64-linux-gnu-gcc > /dev/null; then
		tap_skip "program and module in arm64 guests" \
			"no cross compiler: apt-get install $(package_of aarch64-linux-gnu-gcc)"
	elif ! tools/cross-arm64.sh --sysroot > /dev/null 2> "$work/arm64/err"; then
		tap_skip "program and module in arm64 guests" \
			"its libraries can't be fetched: $(tail -n 1 "$work/arm64/err")"
	else
		tap_run "the program builds for arm64" builds arm64 tools/cross-arm64.sh
		touch "$work/arm64/program"
		build_module arm64
	fi
	for smp in 1 4; do
		guest arm64 $smp --icount
	done
}

# -- all of it -------------------------------------------------------------------------------------

mkdir -p "$work/share" "$work"/{x86_64,arm64}/{share,tmp}
echo shared > "$work/share/file"

# In a process group of its own, to be ended with all its children.
set -m
TMPDIR=$work/arm64/tmp arm64_guests > "$work/arm64/tap" 2>&1 < /dev/null &
beside=$!
set +m

tap_run "runner: arguments, shared files, output, error output and status" passes_on
tap_run "runner: says that a console is not clean" says_unclean
tap_run "runner: says that a kernel panicked" says_panic
tap_run "runner: boots again what died before it ran anything, twice" boots_again
tap_run "runner: knows a CPU that QEMU gave stale code" knows_stale
tap_run "runner: a script's TAP, where it stops short and the console is not clean" tap_fails
tap_run "runner: the TAP of several scripts, one after the other" tap_several
tap_run "runner: instructions counted, two runs are the same" repeats
tap_run_tool depmod "runner: a module of the kernel's package, and those it needs" loads_module
tap_run "runner: ends a guest in time" times_out
tap_run "runner: ends with SIGTERM" ends_by TERM 143
tap_run "runner: ends with SIGHUP" ends_by HUP 129
x86_64_guests
wait "$beside"
beside=
pass_on "" < "$work/arm64/tap"
tap_run "runner: nothing is left" nothing_left "$TMPDIR"
tap_run "runner: nothing is left of arm64" nothing_left "$work/arm64/tmp"
tap_end
