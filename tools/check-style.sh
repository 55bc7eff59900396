#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Style and static analysis of every source in the repository, as TAP: checkpatch, cppcheck,
# clang-tidy, shellcheck, and the rules that no tool knows.
set -u

cd "$(dirname "$0")/.." || exit 1
. tools/tap.sh

O=${O:-}
JOBS=${JOBS:-$(nproc)}

show() {	# WHAT, of Makefile.perf
	"${MAKE:-make}" -s -f Makefile.perf --no-print-directory O="$O" "show-$1"
}

ksrc=$(show ksrc) || exit 1
read -ra cflags <<< "$(show cflags)"

shopt -s globstar nullglob
sources=(*.c bench/**/*.c tools/*.c)
headers=(*.h bench/**/*.h tools/*.h)
module=(module/*.[ch] module/include/uapi/linux/*.h)
tests=(tests/**/*.c)
test_headers=(tests/**/*.h)
scripts=(tools/*.sh tools/vm tools/*.bash-completion tests/**/*.sh .ci/run)
builds=(Makefile* Build bench/**/Build)

# PREFER_KERNEL_TYPES: not asked for in the kernel's own tools/.
# CAMELCASE: cmocka's names.
# It leaves a file where it runs: not in the checkout.
checkpatch() {
	local ignore=$1 top=$PWD
	shift

	(cd "${O:-build}" && GIT_DIR=/nonexistent "$ksrc/scripts/checkpatch.pl" --root="$ksrc" \
		--no-tree --strict --max-line-length=100 --quiet --no-summary --show-types \
		--terse --ignore "$ignore" -f "${@/#/$top/}")
}

# variableScope: declarations stand at the top of a function, as in the kernel.
# unusedStructMember: some structs are the kernel's records.
# With the kernel's headers, since list_for_each_entry() is no syntax without.
cppcheck_all() {
	cppcheck --quiet --std=c11 --error-exitcode=1 -j "$JOBS" --inline-suppr \
		--enable=warning,style,performance,portability \
		--suppress=variableScope --suppress=unusedStructMember "--suppress=*:$ksrc/*" \
		-I . -I "$ksrc/tools/include" -D_GNU_SOURCE -DHAVE_JANSSON_SUPPORT "$@"
}

clang_tidy_all() {
	local errors=${O:-build}/clang-tidy.err

	printf '%s\0' "$@" |
		xargs -0 -I '{}' -P "$JOBS" clang-tidy --quiet '{}' -- "${cflags[@]}" \
			'-DIPI_VERSION=""' 2> "$errors" && return
	grep -v ' warnings\? generated' "$errors"
	return 1
}

# The licence in the first line, of a script in the second, of a test of perf in the third.
spdx() {
	local file bad=0

	for file; do
		if ! head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0'; then
			echo "$file: no SPDX line"
			bad=1
		fi
	done
	return $bad
}

# One job, one file.
short() {
	wc -l "$@" | awk '$2 != "total" && $1 >= 500 { print $2 ": " $1 " lines"; bad = 1 }
			  END { exit bad }'
}

# The names of libelf and libzstd are in CamelCase, and in few files.
camels=(bench/ipi/run/modfile.c bench/ipi/trace/perfdata-zstd.c tools/gen-perfdata-zstd.c)
plain=()
for source in "${sources[@]}"; do
	[[ " ${camels[*]} " == *" $source "* ]] || plain+=("$source")
done

tap_run "checkpatch, program" checkpatch PREFER_KERNEL_TYPES "${plain[@]}" "${headers[@]}"
tap_run "checkpatch, program, but for libraries' names" checkpatch PREFER_KERNEL_TYPES,CAMELCASE \
	"${camels[@]}"
tap_run "checkpatch, module" checkpatch "" "${module[@]}"
tap_run "checkpatch, unit tests" checkpatch PREFER_KERNEL_TYPES,CAMELCASE "${tests[@]}" \
	"${test_headers[@]}"
tap_run_tool cppcheck "cppcheck" cppcheck_all "${sources[@]}" "${tests[@]}"
tap_run_tool clang-tidy "clang-tidy" clang_tidy_all "${sources[@]}" "${tests[@]}"
tap_run_tool shellcheck "shellcheck" shellcheck -x -P SCRIPTDIR "${scripts[@]}"
tap_run "a licence in every file" spdx "${sources[@]}" "${headers[@]}" "${tests[@]}" \
	"${test_headers[@]}" "${scripts[@]}" "${builds[@]}"
tap_run "no source of 500 lines" short "${sources[@]}" "${headers[@]}"
tap_end
