/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording of perf record, read once from its beginning to its end: normalised events come out
 * in time order. Files and pipes, compressed or not, of either byte order, whole or cut off.
 *
 * It is no struct ipi_source: a source is drained between batches, into a correlator made before,
 * while a recording says what it can deliver only once it was opened, and its reader wants more of
 * it than deliveries: who a thread was at that moment, and what could not be read.
 */
#ifndef IPI_TRACE_PERFDATA_H
#define IPI_TRACE_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "event.h"

struct ipi_perfdata;
struct ipi_why;

/**
 * struct ipi_perfdata_info - what a recording says of itself
 * @hostname:	these are NULL where it doesn't say
 * @osrelease:	of the kernel
 * @version:	of perf
 * @arch:	uname's machine
 * @cpudesc:	the processor
 * @cmdline:	perf's, words separated by blanks
 * @build_id:	of the kernel, in hex
 * @clock:	what its time stamps are, in words
 * @nr_cpus:	online when it was recorded, 0 where it doesn't say
 * @nr_build_ids: of all objects
 * @have:	IPI_EVENT_BIT() of what it can deliver
 * @irq_exit:	a bit per enum ipi_irq whose exit it can deliver
 * @max_cpus:	one more than the highest CPU number it can have, for a correlator
 * @missing:	what it lacks and what therefore can't be told apart, one item a line, "" if nothing
 * @kernel_ref:	address of symbol @kernel_ref_name in the recorded kernel, 0 where it doesn't say
 * @kernel_ref_name: "_text", "_stext"
 * @big_endian:	its byte order
 * @pipe:	written to a pipe
 * @compressed:	by zstd
 * @borrowed:	its formats are cut off: those of the running kernel stand in
 */
struct ipi_perfdata_info {
	char *hostname;
	char *osrelease;
	char *version;
	char *arch;
	char *cpudesc;
	char *cmdline;
	char build_id[41];
	const char *clock;
	u32 nr_cpus;
	u32 nr_build_ids;
	unsigned int have;
	unsigned int irq_exit;
	int max_cpus;
	char missing[512];
	u64 kernel_ref;
	char kernel_ref_name[16];
	bool big_endian;
	bool pipe;
	bool compressed;
	bool borrowed;
};

/**
 * struct ipi_perfdata_event - one event (evsel) of a recording
 * @name:	"ipi:ipi_send_cpu", or what else is known of it
 * @samples:	in the recording
 * @used:	it tells of IPIs
 */
struct ipi_perfdata_event {
	const char *name;
	u64 samples;
	bool used;
};

/**
 * struct ipi_perfdata_stats - what was read, and what could not be
 * @bytes:	of the recording
 * @records:	of any kind
 * @samples:	of any event
 * @rounds:	finished rounds
 * @lost:	told by LOST records
 * @lost_samples: told by LOST_SAMPLES records: the kernel's own count, which has the above in it
 * @bad:	records that contradict themselves, or their event's format
 * @stray:	samples with the id of no event
 * @late:	samples older than one already delivered
 * @truncated:	it ends in the middle
 * @t_first:	ns, time of the first event delivered, 0 if there was none
 * @t_last:	ns, of the last
 */
struct ipi_perfdata_stats {
	u64 bytes;
	u64 records;
	u64 samples;
	u64 rounds;
	u64 lost;
	u64 lost_samples;
	u64 bad;
	u64 stray;
	u64 late;
	bool truncated;
	u64 t_first;
	u64 t_last;
};

/**
 * ipi_perfdata__open - open a recording and read up to its first events
 * @path:	file, or "-" for stdin
 * @why:	filled on failure
 *
 * Return: the recording, info complete; or NULL.
 */
struct ipi_perfdata *ipi_perfdata__open(const char *path, struct ipi_why *why);
void ipi_perfdata__close(struct ipi_perfdata *data);

/**
 * ipi_perfdata__next - the next event in time
 * @data:	the recording
 * @event:	set to it; valid until the next call
 * @why:	filled on failure
 *
 * Return: 1, 0 at the end, -errno where the recording can't be read on (I/O, memory). A recording
 * that was cut off just ends there: see its stats.
 */
int ipi_perfdata__next(struct ipi_perfdata *data, const struct ipi_event **event,
		       struct ipi_why *why);

/* The name thread @tid had at the moment of the event returned last; NULL if not known. */
const char *ipi_perfdata__comm(const struct ipi_perfdata *data, int tid);

const struct ipi_perfdata_info *ipi_perfdata__info(const struct ipi_perfdata *data);
/* Complete at the end only. */
const struct ipi_perfdata_stats *ipi_perfdata__stats(const struct ipi_perfdata *data);

/* The kernel's symbols, as /proc/kallsyms; NULL if the recording has none, as perf's don't. */
const char *ipi_perfdata__kallsyms(const struct ipi_perfdata *data, size_t *size);

/* Its events, in the order of the recording: NULL behind the last. */
const struct ipi_perfdata_event *ipi_perfdata__event(const struct ipi_perfdata *data, int index);

#endif
