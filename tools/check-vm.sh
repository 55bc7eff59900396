#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Guests of tools/vm as TAP: does the runner keep its word, and does every kernel we test on boot to
# what tests/vm/boot.sh expects?
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh

# What a test leaves in here it leaves behind.
work=$(mktemp -d) || exit 1
trap 'trap "" HUP INT TERM; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/tmp"
export TMPDIR=$work/tmp

# The cheapest guest, for what is no matter of the guest.
small=(tools/vm --arch arm64 --icount --smp 1)

# The tests of a script in a guest, numbered on.
tap_vm() {	# SCRIPT ARCH KVER SMP [OPTION...]
	local script=$1 label="$2 $3 smp $4" line before=$tap_number
	local options=(--arch "$2" --kver "$3" --smp "$4" "${@:5}")

	while IFS= read -r line; do
		case $line in
		"ok "* | "not ok "*)
			tap_number=$((tap_number + 1))
			echo "${line%%ok *}ok $tap_number - $label: ${line#* - }"
			;;
		1..*) ;;
		*) echo "$line" ;;
		esac
	done < <(tools/vm "${options[@]}" --tap "$script" 2>&1)
	[ "$tap_number" -gt "$before" ] || tap_run "$label: boots" false
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
		grep -q 'kernel panicked' "$work/err"
}

tap_tells() {	# WANTED SCRIPT-LINE...
	local wanted=$1
	shift

	printf '%s\n' "$@" > "$work/script.sh"
	ends_with 1 "${small[@]}" --tap "$work/script.sh" &&
		is <(grep -v '^#' "$work/out") "$wanted"
}

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
nothing_left() {
	local cmdline left

	left=$(find "$TMPDIR" -mindepth 1 -maxdepth 1)
	for cmdline in /proc/[0-9]*/cmdline; do
		[[ $(tr '\0' ' ' 2> /dev/null < "$cmdline") != *"$TMPDIR"* ]] || left+=" $cmdline"
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
	for _ in $(seq 600); do
		grep -q up "$work/out" && break
		sleep 0.1
	done
	# All of them and more than once, as a terminal or timeout(1) does it.
	while kill -s "$1" -- "-$vm" 2> /dev/null; do
		:
	done
	wait "$vm" || status=$?
	[ $status -eq "$2" ] || echo "# status $status, not $2"
	is "$work/out" up && [ $status -eq "$2" ] && nothing_left
}

times_out() {
	ends_with 124 tools/vm --smp 1 --timeout 10 sleep 1000 && nothing_left
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

mkdir "$work/share"
echo shared > "$work/share/file"

tap_run "runner: arguments, shared files, output, error output and status" passes_on
tap_run "runner: says that a console is not clean" says_unclean
tap_run "runner: says that a kernel panicked" says_panic
tap_run "runner: a script's TAP, where it stops short and the console is not clean" tap_fails
tap_run "runner: instructions counted, two runs are the same" repeats
tap_run_tool depmod "runner: a module of the kernel's package, and those it needs" loads_module
tap_run "runner: ends a guest in time" times_out
tap_run "runner: ends with SIGTERM" ends_by TERM 143
tap_run "runner: ends with SIGHUP" ends_by HUP 129

# -- the guests ------------------------------------------------------------------------------------

for smp in 1 2 4; do
	tap_vm tests/vm/boot.sh x86_64 6.1 $smp
done
for smp in 1 4; do
	tap_vm tests/vm/boot.sh arm64 6.1 $smp --icount
done

# -- the program and the module --------------------------------------------------------------------

# ipi_bench.ko for a guest's kernel, in a copy: the checkout stays as it is.
build_module() {	# ARCH [VARIABLE=VALUE...]
	local arch=$1 headers
	shift

	headers=$(tools/vm --arch "$arch" --headers) || return
	cp -r module "$work/module-$arch"
	make -C "$headers" M="$work/module-$arch" "$@" modules > "$work/out" 2>&1 && return
	sed 's/^/# /' "$work/out"
	return 1
}

program_tests() {	# ARCH SMP [OPTION...]
	tap_vm tests/vm/program.sh "$1" 6.1 "$2" "${@:3}"
	tap_vm tests/vm/module.sh "$1" 6.1 "$2" --share "$work/module-$1/ipi_bench.ko" "${@:3}"
}

if [ ! -x "${O:-.}/perf-bench-ipi" ]; then
	tap_skip "the program in guests" "it is not built: make"
else
	tap_run "the module builds for x86_64 6.1" build_module x86_64
	for smp in 1 2 4; do
		program_tests x86_64 $smp
	done
fi
if ! command -v aarch64-linux-gnu-gcc > /dev/null; then
	tap_skip "the program in arm64 guests" "no cross compiler: tools/setup.sh cross"
else
	tap_run "the program builds for arm64" tools/cross-arm64.sh
	tap_run "the module builds for arm64 6.1" build_module arm64 ARCH=arm64 \
		CROSS_COMPILE=aarch64-linux-gnu-
	for smp in 1 4; do
		program_tests arm64 $smp --icount
	done
fi
tap_run "runner: nothing is left" nothing_left
tap_end
