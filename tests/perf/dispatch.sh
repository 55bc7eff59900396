#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What perf bench does with its arguments, as TAP: the builtin-bench.c of a kernel tree and ours of
# the copy that has our patches, each linked with stand-ins for all benchmarks, which say how they
# were called. Nothing but the ipi collection may differ.
#
# usage: dispatch.sh TREE COPY OBJECTS		OBJECTS is where perf was built from COPY
set -u

cd "$(dirname "$0")/../.." || exit 1
. tools/tap.sh
. tools/at-exit.sh

tree=$1
copy=$2
objects=$3
work=$(mktemp -d) || exit 1
at_exit "rm -rf '$work'"

stand_ins() {	# OBJECT
	cat <<-'END'
		#include <stdio.h>

		int cmd_bench(int argc, const char **argv);
		extern int bench_format;
		extern unsigned int bench_repeat;

		static int called(const char *name, int argc, const char **argv)
		{
			int i;

			printf("%s: format %d repeat %u:", name, bench_format, bench_repeat);
			for (i = 0; i < argc; i++)
				printf(" <%s>", argv[i]);
			printf("\n");
			return 42;
		}

		int main(int argc, const char **argv)
		{
			return cmd_bench(argc - 1, argv + 1);
		}

	END
	nm "$1" | sed -n 's/^ *U \(bench_.*\)/\1/p' | while read -r name; do
		printf 'int %s(int argc, const char **argv) { return called("%s", argc, argv); }\n' \
			"$name" "$name"
	done
}

# What of perf's libraries cmd_bench() calls.
build() {	# PROGRAM BUILTIN-BENCH.C DEFINE...
	local program=$1 source=$2 tools=$copy/tools
	shift 2

	local flags=(-D_GNU_SOURCE -I"$tools/perf" -I"$tools/perf/util" -I"$tools/lib"
		-I"$tools/include" -I"$tools/include/uapi")
	${CC:-gcc} "${flags[@]}" "${@/#/-D}" -c -o "$program.o" "$source" || return
	stand_ins "$program.o" > "$program.c"
	${CC:-gcc} "${flags[@]}" -o "$program" "$program.c" "$program.o" \
		"$tools/lib/string.c" "$tools/lib/ctype.c" "$tools/lib/vsprintf.c" \
		"$tools/lib/zalloc.c" "$tools/lib/str_error_r.c" \
		"$(find "$objects" -name libsubcmd.a -print -quit)"
}

# Every collection by itself and with what may follow its name, and common options.
command_lines() {
	local collection

	printf '%s\n' "" -h --help "-f simple" all "all all" "all --help" "-f simple -r 3 all" \
		nonsense "-f xml sched pipe" "-r 0 sched pipe" "--no-such"
	for collection in sched syscall mem numa futex epoll internals breakpoint uprobe; do
		for rest in "" -h --help all "all -h" "all --no-such" nonsense -l "-C 0" \
				messaging "messaging -l 3" "pipe all" basic memcpy hash wait; do
			printf '%s\n' "$collection $rest" "-f simple -r 3 $collection $rest"
		done
	done
}

all_lines() {	# PROGRAM
	local line

	command_lines | while read -r line; do
		echo "--- $line"
		# shellcheck disable=SC2086 # a line of words
		"$1" bench $line 2>&1
		echo "status $?"
	done
}

same_without() {
	all_lines "$work/before" > "$work/before.out"
	all_lines "$work/without" > "$work/without.out"
	diff "$work/before.out" "$work/without.out" | head -n 20
	cmp -s "$work/before.out" "$work/without.out"
}

# Of "perf bench all" its run, of lists its line.
same_but_for_ipi() {
	all_lines "$work/with" > "$work/with.out"
	diff "$work/before.out" "$work/with.out" | grep '^[<>]' > "$work/differs"
	grep -q '^> *ipi: Inter-processor interrupt benchmarks$' "$work/differs" &&
		! grep -v -e '^> *ipi: Inter-processor interrupt benchmarks$' \
			-e '^> # Running ipi/all benchmark\.\.\.$' -e '^> bench_ipi: .* <ipi-all>$' \
			-e '^> $' "$work/differs"
}

handed() {	# ARGUMENTS EXPECTED
	local said

	# shellcheck disable=SC2086
	said=$("$work/with" bench $1; echo "status $?")
	[ "$said" = "$2"$'\n'"status 42" ] && return
	echo "$said"
	return 1
}

# What perf finds out for itself: collections may depend on it.
defines=(HAVE_LIBNUMA_SUPPORT HAVE_EVENTFD_SUPPORT HAVE_PTHREAD_ATTR_SETAFFINITY_NP
	HAVE_PTHREAD_BARRIER)

plain="bench_ipi: format 0 repeat 10: <ipi-all>"
tap_run "builds before" build "$work/before" "$tree/tools/perf/builtin-bench.c" "${defines[@]}"
tap_run "builds without libtraceevent" build "$work/without" "$copy/tools/perf/builtin-bench.c" \
	"${defines[@]}"
tap_run "builds" build "$work/with" "$copy/tools/perf/builtin-bench.c" "${defines[@]}" \
	HAVE_LIBTRACEEVENT
tap_run "without libtraceevent nothing differs" same_without
tap_run "with it, no other collection does" same_but_for_ipi
tap_run "ipi" handed "ipi" "$plain"
tap_run "ipi all" handed "ipi all" "$plain <all>"
tap_run "ipi --cpus 0-1" handed "ipi --cpus 0-1" "$plain <--cpus> <0-1>"
tap_run "ipi -h" handed "ipi -h" "$plain <-h>"
tap_run "ipi all -C 3 --json x" handed "ipi all -C 3 --json x" "$plain <all> <-C> <3> <--json> <x>"
tap_run "ipi report -i -" handed "ipi report -i -" "$plain <report> <-i> <->"
tap_run "-f simple -r 3 ipi normal" handed "-f simple -r 3 ipi normal" \
	"bench_ipi: format 1 repeat 3: <ipi-all> <normal>"
tap_end
