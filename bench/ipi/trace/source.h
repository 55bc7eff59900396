/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where events come from: one interface, an ops table per source (live rings here; perf.data and
 * the tests' fake are others). A source delivers the events of all its CPUs merged in time order.
 */
#ifndef IPI_TRACE_SOURCE_H
#define IPI_TRACE_SOURCE_H

#include <linux/types.h>

#include "../cpus.h"
#include "event.h"

struct ipi_corr;
struct ipi_source;

/**
 * struct ipi_source_loss - what a source knows it did not deliver since the last reset
 * @lost:	records dropped for want of room, by PERF_FORMAT_LOST, else by LOST records
 * @vanished:	counted by the kernel, not delivered and not reported lost: the sum over (event,
 *		CPU) of count - samples - lost. Seen on para-virtual guests
 */
struct ipi_source_loss {
	u64 lost;
	u64 vanished;
};

struct ipi_source_ops {
	int (*drain)(struct ipi_source *source, struct ipi_corr *corr);
	int (*loss)(struct ipi_source *source, struct ipi_source_loss *loss);
	int (*reset)(struct ipi_source *source);
	void (*close)(struct ipi_source *source);
};

/**
 * struct ipi_source - base of every source
 * @ops:	its functions
 * @have:	IPI_EVENT_BIT() of what it can deliver
 * @irq_exit:	a bit per enum ipi_irq whose exit it can deliver
 * @missing:	in words, what this kernel lacks and what therefore can't be told apart, one item a
 *		line, "" if nothing: "send + deliver not separable: no ipi:ipi_send_cpu"
 * @ring_bytes:	bytes of ring per CPU, 0 if it has none: bounds the batch
 */
struct ipi_source {
	const struct ipi_source_ops *ops;
	unsigned int have;
	unsigned int irq_exit;
	char missing[512];
	u64 ring_bytes;
};

/* Feed what has come so far to @corr (NULL: throw it away). Return: 0 or -errno. */
static inline int ipi_source__drain(struct ipi_source *source, struct ipi_corr *corr)
{
	return source->ops->drain(source, corr);
}

/* Cheap enough for once per pass, not per batch: it reads a counter per (event, CPU). */
static inline int ipi_source__loss(struct ipi_source *source, struct ipi_source_loss *loss)
{
	return source->ops->loss(source, loss);
}

/* Drain into nothing and start the loss account anew. */
static inline int ipi_source__reset(struct ipi_source *source)
{
	return source->ops->reset(source);
}

static inline void ipi_source__close(struct ipi_source *source)
{
	if (source)
		source->ops->close(source);
}

struct ipi_why;

/**
 * ipi_live__open - open this kernel's IPI tracepoints on some CPUs and start them
 * @cpus:	the CPUs
 * @pages:	data pages of ring per CPU, a power of two; halved down to 16 where the mlock limit
 *		says no, unless @exact
 * @exact:	the user gave @pages
 * @why:	filled on failure
 *
 * Everything is open and enabled when it returns, no event wakes anybody (watermark), the clock is
 * CLOCK_MONOTONIC_RAW.
 *
 * Return: the source, or NULL.
 */
struct ipi_source *ipi_live__open(const struct ipi_cpus *cpus, unsigned int pages, bool exact,
				  struct ipi_why *why);

/**
 * ipi_live__probe - could ipi_live__open() work here, and with which events?
 * @line:	called for each tracepoint of this architecture's table: "ipi:ipi_send_cpu", whether
 *		it can be used, what it tells, and if it can't be used why not
 * @ctx:	passed to @line
 * @why:	filled where tracing as a whole can't work
 *
 * Return: 0 or -errno.
 */
int ipi_live__probe(void (*line)(void *ctx, const char *event, bool usable, const char *tells,
				 const char *reason),
		    void *ctx, struct ipi_why *why);

#endif
