/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far apart the clocks of two CPUs can be.
 */
#ifndef IPI_RUN_SKEW_H
#define IPI_RUN_SKEW_H

#include <stdbool.h>
#include <linux/types.h>

struct ipi_cpus;

/**
 * ipi_skew__bound - bound the clock skew between a CPU and others
 * @src:	the one
 * @others:	the others; @src among them is passed over
 * @rt:		use SCHED_FIFO meanwhile, so that a busy machine doesn't spoil it
 * @bound:	set to ns: no stamp of one CPU is off a stamp of @src by more
 *
 * A stamp is handed over through a cache line, both ways. With an offset d between the clocks the
 * shortest trip reads (latency + d) one way and (latency - d) the other; latencies are not
 * negative, so |d| is at most the larger of the two readings. Takes at most 2 ms a pair, 200 ms in
 * all.
 *
 * Return: 0, -ENODATA (no pair answered in time), -errno.
 */
int ipi_skew__bound(int src, const struct ipi_cpus *others, bool rt, u64 *bound);

#endif
