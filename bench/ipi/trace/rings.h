/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf's ring buffers: opens tracepoints on CPUs, one ring for each CPU, and walks the records.
 * The only file pair that calls perf_evlist, perf_evsel and perf_mmap. Knows ids, not what they
 * mean; time order among rings is live.c's.
 */
#ifndef IPI_TRACE_RINGS_H
#define IPI_TRACE_RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

struct ipi_cpus;
struct ipi_rings;
struct ipi_why;

/**
 * struct ipi_record - one record of a ring
 * @type:	PERF_RECORD_*
 * @body:	behind its header; stays until ipi_rings__next() is called for this ring again
 * @size:	bytes in @body
 */
struct ipi_record {
	u32 type;
	const void *body;
	size_t size;
};

/**
 * ipi_rings__new - no events yet
 * @cpus:	the CPUs; ring N is that of the Nth
 * @pages:	data pages wanted per ring, a power of two
 * @why:	filled on failure
 *
 * Return: the rings, or NULL.
 */
struct ipi_rings *ipi_rings__new(const struct ipi_cpus *cpus, unsigned int pages,
				 struct ipi_why *why);
void ipi_rings__delete(struct ipi_rings *rings);

/**
 * ipi_rings__add - open a tracepoint on all CPUs, not yet enabled
 * @rings:	the rings, not yet mapped
 * @id:		the tracepoint's
 * @name:	as "ipi:ipi_send_cpu", for @why
 * @why:	filled on failure: names the event, and what would help
 *
 * Return: its index (0, 1, ...), or -errno.
 */
int ipi_rings__add(struct ipi_rings *rings, int id, const char *name, struct ipi_why *why);

/**
 * ipi_rings__map - map the rings and enable the events
 * @rings:	with all events added
 * @exact:	don't do with fewer pages where the mlock limit says no
 * @why:	filled on failure
 *
 * Return: data pages per ring, or -errno.
 */
int ipi_rings__map(struct ipi_rings *rings, bool exact, struct ipi_why *why);

/* All events on or off; both send IPIs to the other CPUs. */
void ipi_rings__enable(struct ipi_rings *rings);
void ipi_rings__disable(struct ipi_rings *rings);

/* See what has come since. */
void ipi_rings__begin(struct ipi_rings *rings, int ring);

/**
 * ipi_rings__next - take the next record of a ring
 * @rings:	the rings
 * @ring:	which one
 * @record:	set
 *
 * The record before goes back to the kernel, though not at once.
 *
 * Return: false if there is none.
 */
bool ipi_rings__next(struct ipi_rings *rings, int ring, struct ipi_record *record);

/* Give all that was taken back to the kernel: no record taken before may be used any more. */
void ipi_rings__release(struct ipi_rings *rings, int ring);

/* Does each event count what its rings lost (PERF_FORMAT_LOST, Linux 6.0)? */
bool ipi_rings__tell_lost(const struct ipi_rings *rings);

/**
 * ipi_rings__read - how often did an event happen on a CPU?
 * @rings:	the rings; disabled events need no IPI to be read
 * @event:	its index
 * @ring:	the CPU's
 * @count:	set
 * @lost:	set to how many of them found no room; 0 where the kernel doesn't tell
 *
 * Return: 0 or -errno.
 */
int ipi_rings__read(struct ipi_rings *rings, int event, int ring, u64 *count,
		    u64 *lost);

#endif
