#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Static checks of module/, as TAP: it builds without a warning (W=1), sparse and kernel-doc find
# nothing, it builds for a kernel without trace events. For x86-64 and arm64, with the headers of the
# kernels that tools/vm boots; KVER= is 6.1 or another version, as "make check-module KVER=7.3".
# Nothing is loaded or installed.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

O=${O:-}
kver=${KVER:-6.1}

work=$(mktemp -d) || exit 1
at_exit "rm -rf '$work'"

# Not about the module: another compiler than the kernel's, no BTF without vmlinux, another pahole.
harmless='compiler differs|kernel was built (by|with)|You are using|Skipping BTF|pahole version'

# A build that says nothing.
builds() {	# ARCH [VARIABLE=VALUE...]
	local arch=$1 status=0
	shift

	rm -rf "$work/build"
	tools/build-module.sh "$arch" "$kver" "$work/build" "$@" > "$work/out" 2>&1 || status=$?
	grep -vE "$harmless" "$work/out" | sed 's/^/# /' > "$work/said"
	cat "$work/said"
	[ $status -eq 0 ] && [ ! -s "$work/said" ]
}

# The headers of later kernels lack a script that the kernel's build runs sparse by.
sparse_runs() {	# ARCH
	local headers

	headers=$(tools/vm --arch "$1" --kver "$kver" --headers) || return
	! grep -q checker-valid.sh "$headers"/../*-common/Makefile ||
		[ -e "$(echo "$headers"/../*-common/scripts/checker-valid.sh)" ]
}

no_trace_events() {	# ARCH
	builds "$1" KCFLAGS=-DNOTRACE || return
	! LC_ALL=C nm "$work/build/ipi_bench.ko" | grep -i tracepoint
}

checks() {	# ARCH
	local arch=$1 label="$1 $kver"

	if ! tools/vm --arch "$arch" --kver "$kver" --headers > /dev/null 2> "$work/err"; then
		tap_skip "the module for $label" "no headers: $(tail -n 1 "$work/err")"
		return
	fi
	tap_run "W=1, no warning, $label" builds "$arch" W=1
	if sparse_runs "$arch"; then
		tap_run_tool sparse "sparse, $label" builds "$arch" C=2
	else
		tap_skip "sparse, $label" "the kernel's headers lack scripts/checker-valid.sh"
	fi
	tap_run "without trace events, $label" no_trace_events "$arch"
}

# -Wall is not known to the one of 6.1.
kernel_doc() {
	local tool=$1 strict=() said
	shift

	! "$tool" -h 2>&1 | grep -q -- -Wall || strict=(-Wall)
	said=$("$tool" "${strict[@]}" -none "$@" 2>&1)
	[ -z "$said" ] || printf '# %s\n' "$said"
	[ -z "$said" ]
}

checks x86_64
if command -v aarch64-linux-gnu-gcc > /dev/null; then
	checks arm64
else
	tap_skip "the module for arm64 $kver" "no cross compiler: tools/setup.sh cross"
fi
ksrc=$("${MAKE:-make}" -s -f Makefile.perf --no-print-directory O="$O" show-ksrc) || exit 1
tap_run_tool "$ksrc/scripts/kernel-doc" "kernel-doc" kernel_doc "$ksrc/scripts/kernel-doc" \
	module/*.[ch] module/include/uapi/linux/*.h
tap_end
