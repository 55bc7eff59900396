/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events in time order go in, deliveries come out. Knows no rings, files, calls or statistics.
 * trace/attach.h then says which delivery belongs to which call of the bench.
 */
#ifndef IPI_TRACE_CORRELATE_H
#define IPI_TRACE_CORRELATE_H

#include "event.h"

struct ipi_corr;

/**
 * struct ipi_corr_conf - how to set up a correlator
 * @max_cpus:	one more than the highest CPU number to come; events beyond are counted as bad
 * @have:	IPI_EVENT_BIT() of each kind the source can deliver on this kernel: what an absent
 *		event means depends on it (no SEND seen is "coalesced" only where SEND exists)
 * @irq_exit:	a bit per enum ipi_irq whose exit the source can deliver, as struct ipi_source has
 *		it: the others are complete with their entry. 0: all, if @have has the exit at all
 * @list_func:	address of sched_ttwu_pending(), 0 if it isn't known. Wake-ups of tasks are queued
 *		one by one and run as one list, of which the first csd alone shows. Where it isn't
 *		known any function may be such a list: what rode on one is told with less certainty
 * @emit:	called for each delivery when nothing more of it can come: completed at interrupt
 *		exit (or function exit outside of one) and, if no send was seen for it, by the next
 *		event of its sender; or given up, by ipi_corr__flush() at the latest
 * @ctx:	passed to @emit
 */
struct ipi_corr_conf {
	int max_cpus;
	unsigned int have;
	unsigned int irq_exit;
	u64 list_func;
	void (*emit)(void *ctx, const struct ipi_delivery *delivery);
	void *ctx;
};

/**
 * struct ipi_corr_cpu - events seen on one CPU, for the ledger
 * @queued:	functions queued by this CPU
 * @sent:	IPIs sent by this CPU, each target of a mask counted
 * @entries:	interrupts taken by this CPU, by enum ipi_irq
 * @functions:	functions run on this CPU, local runs included
 */
struct ipi_corr_cpu {
	u64 queued;
	u64 sent;
	u64 entries[IPI_IRQ_NR];
	u64 functions;
};

/**
 * struct ipi_corr_stats - what could not be joined, by reason
 * @events:	events fed
 * @lost:	records the rings said they dropped
 * @uncertain:	deliveries given up because a loss on their path may hide a record of theirs:
 *		never emitted, never guessed
 * @orphan_entry: interrupt entries without exit (their exit was lost, or another entry came)
 * @orphan_exit: interrupt or function exits without entry
 * @requeued:	csds queued again before their function was seen to run
 * @unordered:	events older than the one before
 * @bad:	events with a CPU out of range
 */
struct ipi_corr_stats {
	u64 events;
	u64 lost;
	u64 uncertain;
	u64 orphan_entry;
	u64 orphan_exit;
	u64 requeued;
	u64 unordered;
	u64 bad;
};

/* NULL without memory (errno set). */
struct ipi_corr *ipi_corr__new(const struct ipi_corr_conf *conf);
void ipi_corr__delete(struct ipi_corr *corr);

/**
 * ipi_corr__feed - take one event
 * @corr:	the correlator
 * @event:	events of all CPUs must come in time order
 *
 * Return: 0, or -ENOMEM (the event is dropped, the correlator stays usable).
 */
int ipi_corr__feed(struct ipi_corr *corr, const struct ipi_event *event);

/**
 * ipi_corr__flush - the window ends: what is still open is emitted as it stands
 * @corr:	the correlator
 *
 * A delivery queued or sent whose function or interrupt never came goes out as
 * IPI_CLASS_MISSING; one whose function ran but whose interrupt exit is still to come goes out
 * complete but for that. Frames of interrupts still open are kept. Counters stay.
 */
void ipi_corr__flush(struct ipi_corr *corr);

/**
 * ipi_corr__cut - the records end, though what they tell of went on
 * @corr:	the correlator
 *
 * As a loss on every CPU at once: what is still open is uncertain, not missing. To be followed by
 * ipi_corr__flush().
 */
void ipi_corr__cut(struct ipi_corr *corr);

/* Forget everything open and zero all counters: between a warm-up and a measurement. */
void ipi_corr__reset(struct ipi_corr *corr);

const struct ipi_corr_cpu *ipi_corr__cpu(const struct ipi_corr *corr, int cpu);
const struct ipi_corr_stats *ipi_corr__stats(const struct ipi_corr *corr);

#endif
