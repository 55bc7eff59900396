/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of CPUs: strict parsing of lists, what is online, what we may use. The only file pair that
 * touches perf_cpu_map (libperf's own parser takes "0-1,foo" for 0-1 and "010" for CPU 8).
 */
#ifndef IPI_CPUS_H
#define IPI_CPUS_H

#include <stdbool.h>

struct ipi_why;
struct perf_cpu_map;

#define IPI_CPUS_MAX	65536	/* one more than the highest CPU number we take */

/**
 * struct ipi_cpus - a set of CPUs
 * @nr:		how many
 * @cpu:	their numbers, ascending, none twice
 */
struct ipi_cpus {
	int nr;
	int *cpu;
};

/**
 * ipi_cpus__parse - read a CPU list as "0-3,8"
 * @cpus:	filled; free with ipi_cpus__free()
 * @list:	the list: numbers and ascending ranges, comma separated, nothing else: no blanks, no
 *		signs, no leading zeros, no empty pieces, no CPU named twice
 * @option:	name of the option for the message, as "--cpus"
 * @why:	filled on error, names the piece
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int ipi_cpus__parse(struct ipi_cpus *cpus, const char *list, const char *option,
		    struct ipi_why *why);

/* Read a list from a file of sysfs ("" is an empty set). Return: 0 or -errno. */
int ipi_cpus__read(struct ipi_cpus *cpus, const char *path, struct ipi_why *why);

/* The online CPUs this process may run on. Return: 0 or -errno. */
int ipi_cpus__usable(struct ipi_cpus *cpus, struct ipi_why *why);

/**
 * ipi_cpus__check - are all of them online, and ours to use?
 * @cpus:	the set
 * @option:	name of the option for the message
 * @why:	filled on error: names the first CPU that is absent, offline or outside the cpuset
 *
 * Return: 0, -ENODEV (absent), -ENXIO (offline), -EPERM (outside the cpuset), -ENOMEM.
 */
int ipi_cpus__check(const struct ipi_cpus *cpus, const char *option, struct ipi_why *why);

bool ipi_cpus__has(const struct ipi_cpus *cpus, int cpu);
int ipi_cpus__copy(struct ipi_cpus *to, const struct ipi_cpus *from);
int ipi_cpus__add(struct ipi_cpus *cpus, int cpu);	/* keeps the order; 0 or -ENOMEM */
void ipi_cpus__free(struct ipi_cpus *cpus);

/* As "0-3,8" into @buf, always terminated, "..." at the end where it does not fit. Return: @buf. */
const char *ipi_cpus__format(const struct ipi_cpus *cpus, char *buf, unsigned long size);

/* For libperf; free with perf_cpu_map__put(). NULL without memory. */
struct perf_cpu_map *ipi_cpus__perf_map(const struct ipi_cpus *cpus);

#endif
