/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The front door, as main() and perf's builtin-bench.c see it.
 */
#ifndef BUILTIN_BENCH_IPI_H
#define BUILTIN_BENCH_IPI_H

/**
 * bench_ipi - "perf bench ipi"
 * @argc:	arguments, with the command's own name first
 * @argv:	them; parse_options() sorts them in place
 *
 * Return: the exit status: 0 done, 1 could not run or lost data, 2 a limit was exceeded, diff found
 * worse, 3 not supported here, 129 usage.
 * On an option it doesn't know and on --help libsubcmd exits with 129 itself.
 */
int bench_ipi(int argc, const char **argv);

#endif
