#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The series of tools/make-series.sh, as TAP: is each patch clean for checkpatch, does git am take it
# on a tree of its version, does perf build and run after each, and is the end what "make perf" makes?
#
# KVER= (default 7.3) and KSRC= are those of tools/graft-perf.sh.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

export KVER=${KVER:-7.3}
output=${O:-$PWD/build}
work=$(mktemp -d) || exit 1
at_exit "rm -rf '$work'"

tree=$(tools/graft-perf.sh --source "$output" | head -n 1)
[ -n "$tree" ] || exit 1

make_series() {
	series=$(tools/make-series.sh "$output") && patches=("$series"/000[1-9]-* "$series"/00[1-9]?-*)
}

# FILE_PATH_CHANGES: MAINTAINERS has tools/perf/ whole.
# SPDX_LICENSE_TAG: perf's shell tests have their description in the second line.
checkpatch() {
	local ignore=FILE_PATH_CHANGES
	[[ $1 != *-perf-test-* ]] || ignore+=,SPDX_LICENSE_TAG

	"$tree/scripts/checkpatch.pl" --root="$tree" --no-tree --quiet --no-summary --show-types \
		--max-line-length=100 --ignore $ignore "$1"
}

git_in() {	# GIT_ARGUMENT...
	git -C "$work/linux" -c user.name=test -c user.email=test@example.com -c gc.auto=0 "$@"
}

# As whoever takes patches has it.
pristine() {
	mkdir "$work/linux" && (cd "$tree" && tar -cf - --exclude=.git tools scripts Makefile \
		arch/*/include/uapi/asm/bpf_perf_event.h arch/arm64/tools \
		include/uapi/asm-generic/Kbuild) | tar -xf - -C "$work/linux" &&
		git_in init --quiet && git_in add --all --force &&
		git_in commit --quiet --message base
}

# Lists collections, and all that works before still does.
builds() {
	tools/graft-perf.sh --make "$work/linux" "$work/objects" > "$work/log" 2>&1 || {
		tail -n 30 "$work/log"
		return 1
	}
	"$work/objects/perf" bench > "$work/out" && grep -q '^ *sched: ' "$work/out"
}

runs() {
	"$work/objects/perf" bench ipi all --backend fake --cpus 0-1 -l 10 > "$work/out" &&
		grep -q '^ *normal ' "$work/out"
}

same_as_grafted() {
	local grafted

	grafted=$(tools/graft-perf.sh --tree "$output") || return
	diff -r --brief --no-dereference "$work/linux/tools" "$grafted/tools"
}

# The last patch can be left out: nothing before it speaks of what comes with it.
self_contained() {
	! git_in grep -n 'bench ipi report' -- tools/perf
}

tap_run "make series" make_series
tap_run "a tree under git" pristine
tap_run "perf builds without it" builds
for patch in "${patches[@]}"; do
	name=$(basename "$patch" .patch)
	[[ $name != *-recording ]] || tap_run "works without $name" self_contained
	tap_run "$name: checkpatch" checkpatch "$patch"
	tap_run "$name: git am" git_in am --quiet "$patch"
	tap_run "$name: perf builds" builds
done
tap_run "perf bench ipi runs" runs
tap_run "the tree is that of make perf" same_as_grafted
tap_end
