#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a call costs in the module, beside the ipi_benchmark module of 2017: "make bench-module". Both
# in the deterministic guest (arm64, Linux 6.1, 4 CPUs), where time is the number of instructions and
# each run is the same. The 2017 module's figures were recorded there; they are measured again if it
# is at hand. Fails if ours costs more than it may.
#
# usage: bench-module.sh
#
#   CALLS=N	calls a scenario, default 20000
#   REF=FILE	the 2017 module, built for that guest's kernel: its init prints five lines
#   REF_CALLS=N	calls in each of those, default 100000
set -eu -o pipefail

cd "$(dirname "$0")/.."
. tools/at-exit.sh

calls=${CALLS:-20000}
ref=${REF:-}
ref_calls=${REF_CALLS:-100000}

for number in "$calls" "$ref_calls"; do
	if ! [[ $number =~ ^[1-9][0-9]{0,6}$ ]]; then
		echo "bench-module.sh: '$number' is no number of calls" >&2
		exit 129
	fi
done

work=$(mktemp -d)
at_exit "rm -rf '$work'"

if ! tools/build-module.sh arm64 6.1 "$work/module" > "$work/build"; then
	cat "$work/build" >&2
	exit 1
fi
mkdir "$work/share"
cp "$work/module/ipi_bench.ko" "$work/share"
aarch64-linux-gnu-gcc -O2 -std=gnu11 -D_GNU_SOURCE -static -o "$work/share/module-cost" \
	tests/vm/module-cost.c
[ -z "$ref" ] || cp "$ref" "$work/share/ref.ko"

# The 2017 module's init fails once it is done, so insmod tries twice: the first five lines count.
cat > "$work/share/bench" <<'END'
if [ -e ref.ko ]; then
	insmod ref.ko 2> /dev/null
	dmesg | sed -n 's/.*\(\(Dry-run\|Self-IPI\|Normal IPI\|Broadcast IPI\|Broadcast lock\): *[0-9]*,\)/ref \1/p'
fi
insmod ipi_bench.ko && module-cost "$1" judge
END

status=0
tools/vm --arch arm64 --kver 6.1 --smp 4 --icount --timeout 600 --share "$work/share" \
	sh bench "$calls" > "$work/out" || status=$?
if ! grep -q '^# broadcast-lock ' "$work/out"; then
	cat "$work/out" >&2
	echo "bench-module.sh: the guest measured nothing, status $status" >&2
	exit 1
fi

awk -v calls="$calls" -v ref="$ref" -v ref_calls="$ref_calls" '
	BEGIN {
		named["dry-run"] = "Dry-run"
		named["self-call"] = "Self-IPI"
		named["normal"] = "Normal IPI"
		named["broadcast"] = "Broadcast IPI"
		named["broadcast-lock"] = "Broadcast lock"
	}
	/^ref / {
		label = $0
		sub(/^ref /, "", label)
		sub(/:.*/, "", label)
		total = $0
		sub(/.*, */, "", total)
		if (!(label in here))
			here[label] = total / ref_calls
	}
	{
		good = !sub(/^not /, "")
	}
	/costs at most [0-9]+ %/ {
		bar[$4] = sprintf("%.2f", $8 / 100)
		over[$4] = good ? "" : " too much"
	}
	/^# [a-z-]+ +[0-9]/ {
		row[++rows] = $2
		whole[$2] = $3
		call[$2] = $4
		delivery[$2] = $5
		clock[$2] = $6
		old[$2] = $7
	}
	function ratio(a, b) {
		return a == "" || a == "-" || b == "" || b == "-" ? "-" : sprintf("%.3f", a / b)
	}
	END {
		printf "# arm64, Linux 6.1, 4 CPUs, instructions counted: virtual ns per call, %d calls\n", calls
		printf "# whole: of the loop, with all stamps and checks; call: between its two stamps; clock: a stamp\n"
		printf "# 2017: ipi_benchmark as it was recorded in this guest"
		print ref == "" ? "" : "; here: " ref ", run just now"
		printf "#\n# %-14s %9s %9s %9s %6s %7s %6s %6s", "scenario", "whole", "call", "delivery",
			"clock", "2017", "ratio", "bar"
		print ref == "" ? "" : sprintf(" %9s %6s", "here", "ratio")
		for (i = 1; i <= rows; i++) {
			s = row[i]
			printf "  %-14s %9s %9s %9s %6s %7s %6s %6s", s, whole[s], call[s], delivery[s],
				clock[s], old[s], ratio(whole[s], old[s]),
				s in bar ? bar[s] : "-"
			if (ref != "") {
				r = named[s] in here ? here[named[s]] : ""
				printf " %9s %6s", r == "" ? "-" : sprintf("%.1f", r), ratio(whole[s], r)
			}
			print over[s]
		}
	}' "$work/out"
exit "$status"
