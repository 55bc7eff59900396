#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the fuzz target of the perf.data reader for TIME seconds, from small generated recordings of
# each kind and what it made of such before (tests/fuzz/corpus). What it finds is left in
# build/fuzz/found/, and is a failure.
set -u

cd "$(dirname "$0")/.." || exit 1

out=${O:-$PWD/build}/fuzz
generator=${O:-$PWD/build}/gen-perfdata
time=${TIME:-60}

mkdir -p "$out/corpus" "$out/found"
seed() {	# NAME ARGUMENT...
	local name=$1
	shift

	"$generator" "$out/corpus/seed-$name" "$@" > /dev/null || rm -f "$out/corpus/seed-$name"
}
seed file cpus=2 events=60
seed more cpus=4 events=200 loss=100
seed chain cpus=2 events=60 chain
seed pipe cpus=2 events=60 pipe loss=100
seed swapped cpus=3 events=60 swapped
seed swapped-pipe cpus=2 events=60 swapped pipe chain
seed calls cpus=2 events=100 calls pipe loss=20
seed zstd cpus=2 events=100 zstd

read -ra more <<< "${FUZZ_ARGS:-}"
exec "$out/fuzz-perfdata" "$out/corpus" tests/fuzz/corpus -max_total_time="$time" -max_len=65536 -timeout=20 \
	-rss_limit_mb=1024 -artifact_prefix="$out/found/" -print_final_stats=1 "${more[@]}"
