// SPDX-License-Identifier: GPL-2.0
/*
 * The stand-alone program: perf.c's role. By its name it is also what a stock perf runs for
 * "perf bench-ipi". Not part of a perf build, whose own main() calls bench_ipi().
 */
#include <stdio.h>
#include <string.h>

#include "builtin-bench-ipi.h"
#include "bench/bench.h"

/* perf bench's defaults, which also mean "not given". */
int bench_format = BENCH_FORMAT_DEFAULT;
unsigned int bench_repeat = 10;

int main(int argc, const char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("perf-bench-ipi version %s\n", IPI_VERSION);
		return 0;
	}
	return bench_ipi(argc, argv);
}
