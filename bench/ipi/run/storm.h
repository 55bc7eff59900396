/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The other senders of a storm: threads that broadcast while the measured sender does, each through
 * a file of the module of its own.
 */
#ifndef IPI_RUN_STORM_H
#define IPI_RUN_STORM_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "plan.h"

struct ipi_bench_run;
struct ipi_storm;
struct ipi_why;

/**
 * ipi_storm__new - a thread on the CPU of each other sender, asleep
 * @spec:	the cell: its senders but @spec->src
 * @rt:		they are SCHED_FIFO
 * @why:	filled on failure
 *
 * Return: the storm, or NULL.
 */
struct ipi_storm *ipi_storm__new(const struct ipi_spec *spec, bool rt, struct ipi_why *why);
void ipi_storm__delete(struct ipi_storm *storm);

/* Calls that a batch of every sender can have. */
size_t ipi_storm__max_calls(const struct ipi_storm *storm);

/**
 * ipi_storm__begin - have all of them make the same batch
 * @storm:	at rest
 * @run:	the request of the measured sender, its gate set. The others meet it there
 */
void ipi_storm__begin(struct ipi_storm *storm, const struct ipi_bench_run *run);

/**
 * ipi_storm__end - wait until all have made their batch
 * @storm:	begun
 *
 * Return: 0, or -errno of the first whose batch failed.
 */
int ipi_storm__end(struct ipi_storm *storm);

/**
 * ipi_storm__window - when were all of them at it?
 * @storm:	ended
 * @from:	ns, raised to the latest first call
 * @to:		ns, lowered to the earliest last return; not after @from where they never met
 */
void ipi_storm__window(const struct ipi_storm *storm, u64 *from, u64 *to);

/**
 * ipi_storm__calls - calls of the last batch
 * @storm:	ended
 * @from:	ns, only those that began then or later
 * @to:		ns, and returned until then
 *
 * Return: how many of all threads together.
 */
u64 ipi_storm__calls(const struct ipi_storm *storm, u64 from, u64 to);

/* Failed checks of the last batch. */
u64 ipi_storm__errors(const struct ipi_storm *storm);

#endif
