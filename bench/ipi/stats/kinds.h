/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The IPIs of a recording by kind: who sent what to whom, how often, how each went, how long its
 * stages took, and how long it kept its targets. What makes a kind is chosen before.
 *
 * Memory follows the number of kinds and CPUs, not that of deliveries, and is bounded: what has no
 * room any more as a kind of its own is counted in one for all others.
 */
#ifndef IPI_STATS_KINDS_H
#define IPI_STATS_KINDS_H

#include <linux/types.h>

#include "../ipi.h"
#include "hist.h"

#define IPI_COMM_LEN	16
#define IPI_KINDS_MAX	32768

/* What two deliveries of one kind have in common. */
enum ipi_by {
	IPI_BY_KIND,		/* interrupt, function and callsite */
	IPI_BY_CALLBACK,	/* interrupt and function */
	IPI_BY_CALLSITE,
	IPI_BY_SRC,
	IPI_BY_DST,
	IPI_BY_PAIR,
	IPI_BY_SENDER,		/* as KIND, and the name of the sending thread */
	IPI_BY_NR,
};

enum ipi_sort {
	IPI_SORT_COUNT,
	IPI_SORT_TIME,		/* in handlers */
	IPI_SORT_LATENCY,	/* p99 of the send latency */
	IPI_SORT_MAX,		/* its maximum */
	IPI_SORT_NR,
};

/**
 * struct ipi_kind_stage - a stage of a kind
 * @count:	intervals
 * @sum:	ns
 * @min:	ns
 * @max:	ns
 * @hist:	NULL where there was no memory to spend on one more
 */
struct ipi_kind_stage {
	u64 count;
	u64 sum;
	u64 min;
	u64 max;
	struct ipi_hist *hist;
};

/**
 * struct ipi_kind - one kind
 * @func:	function, 0 for a bare interrupt; these are 0, -1 or "" where they don't matter
 * @callsite:	who asked
 * @src:	sending CPU
 * @dst:	target CPU
 * @irq:	enum ipi_irq, IPI_IRQ_NR if it doesn't matter
 * @others:	it stands for all that had no room
 * @comm:	the sender's name
 * @count:	deliveries
 * @classes:	by enum ipi_class
 * @handler_ns:	in their handlers: functions, or whole interrupts where no function shows
 * @negative:	intervals that went backwards: not recorded
 * @stage:	by enum ipi_stage
 */
struct ipi_kind {
	u64 func;
	u64 callsite;
	int src;
	int dst;
	u8 irq;
	bool others;
	char comm[IPI_COMM_LEN];
	u64 count;
	u64 classes[IPI_CLASS_NR];
	u64 handler_ns;
	u64 negative;
	struct ipi_kind_stage stage[IPI_STAGE_NR];
};

/**
 * struct ipi_kind_cpu - a CPU's part in a kind
 * @kind:	index of the kind
 * @cpu:	the CPU
 * @sent:	deliveries it sent
 * @taken:	deliveries it was the target of
 * @handler_ns:	in its handlers
 */
struct ipi_kind_cpu {
	u32 kind;
	u32 cpu;
	u64 sent;
	u64 taken;
	u64 handler_ns;
};

struct ipi_kinds;

struct ipi_kinds *ipi_kinds__new(enum ipi_by by);	/* NULL without memory */
void ipi_kinds__delete(struct ipi_kinds *kinds);

/**
 * ipi_kinds__add - count a delivery
 * @kinds:	the kinds
 * @delivery:	it
 * @comm:	the sender's name, NULL if not known
 *
 * Stages are recorded of interrupts; of what ran without one, that which has a meaning. Coalesced
 * deliveries are counted, and their functions' time once, however many rode on one run.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_kinds__add(struct ipi_kinds *kinds, const struct ipi_delivery *delivery,
		   const char *comm);

/* An interval of the kind the last delivery was of: what it alone doesn't tell. */
void ipi_kinds__stage(struct ipi_kinds *kinds, enum ipi_stage stage, u64 from, u64 to);

/* In the order wanted; afterwards nothing may be added. Return: 0 or -ENOMEM. */
int ipi_kinds__sort(struct ipi_kinds *kinds, enum ipi_sort sort);

size_t ipi_kinds__nr(const struct ipi_kinds *kinds);
/* The one at @rank of the order; the one for all others, if there is one, is last. */
const struct ipi_kind *ipi_kinds__get(const struct ipi_kinds *kinds, size_t rank);
/* All deliveries together. */
const struct ipi_kind *ipi_kinds__total(const struct ipi_kinds *kinds);

/* The CPUs of the kind at @rank, ascending, one after the other: NULL at the end. @pos from 0. */
const struct ipi_kind_cpu *ipi_kinds__cpu(const struct ipi_kinds *kinds, size_t rank, size_t *pos);

/* Of a stage of a kind, in 1/10000: as ipi_hist__percentile(); 0 where it has no histogram. */
u64 ipi_kind__percentile(const struct ipi_kind *kind, enum ipi_stage stage,
			 unsigned int permille10);

const char *ipi_by__name(enum ipi_by by);
int ipi_by__find(const char *name);	/* -1 if it is none that can be asked for */
const char *ipi_sort__name(enum ipi_sort sort);
int ipi_sort__find(const char *name);

#endif
