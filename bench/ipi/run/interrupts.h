/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own account: IPI counters of /proc/interrupts and steal time of /proc/stat.
 */
#ifndef IPI_RUN_INTERRUPTS_H
#define IPI_RUN_INTERRUPTS_H

#include "../stats/result.h"

struct ipi_why;

/**
 * struct ipi_interrupts - IPI counters at one moment
 * @have:	a bit per enum ipi_counter this kernel shows
 * @cpu:	the CPU of each column
 * @count:	counters by enum ipi_counter and column
 * @nr:		columns: the CPUs online at that moment
 */
struct ipi_interrupts {
	unsigned int have;
	int *cpu;
	u64 *count[IPI_COUNTER_NR];
	int nr;
};

/**
 * ipi_interrupts__read - read the counters now
 * @irqs:	filled; free with ipi_interrupts__free()
 * @path:	"/proc/interrupts" or a file of its form
 * @why:	filled on failure
 *
 * Columns are split at blanks: their width differs between kernels.
 *
 * Return: 0, -errno, or -EPROTO where the file is not of the form.
 */
int ipi_interrupts__read(struct ipi_interrupts *irqs, const char *path, struct ipi_why *why);
void ipi_interrupts__free(struct ipi_interrupts *irqs);

/* Has the CPU a column? An offline one has not. */
bool ipi_interrupts__has(const struct ipi_interrupts *irqs, int cpu);

/* A counter of a CPU; 0 where the CPU has no column. */
u64 ipi_interrupts__get(const struct ipi_interrupts *irqs, enum ipi_counter counter, int cpu);

/**
 * ipi_steal__read - steal time of some CPUs so far
 * @path:	"/proc/stat" or a file of its form
 * @cpus:	the CPUs
 *
 * Return: ms, summed over the CPUs; negative where the kernel doesn't say.
 */
double ipi_steal__read(const char *path, const struct ipi_cpus *cpus);

#endif
