/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two settings that perf bench hands to every benchmark. A twin of tools/perf/bench/bench.h:
 * same names, same values, so that bench/ipi/ compiles unchanged in a perf tree, where the
 * host's header is found instead of this one.
 */
#ifndef BENCH_H
#define BENCH_H

#define BENCH_FORMAT_DEFAULT_STR	"default"
#define BENCH_FORMAT_DEFAULT		0
#define BENCH_FORMAT_SIMPLE_STR		"simple"
#define BENCH_FORMAT_SIMPLE		1
#define BENCH_FORMAT_UNKNOWN		-1

extern int bench_format;
extern unsigned int bench_repeat;

#endif
