/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of threads in a recording, and the deliveries they caused: what a thread sent, from itself
 * and not from an interrupt, between the beginning and the end of a call of its. Stages then count
 * from the call, as in a run of the bench.
 */
#ifndef IPI_STATS_CALLS_H
#define IPI_STATS_CALLS_H

#include "kinds.h"

struct ipi_calls;

/**
 * struct ipi_calls_stats - what became of the calls
 * @calls:	whose beginning and end were seen: the others don't count
 * @sent:	those with at least one delivery
 * @deliveries:	that belong to a call
 */
struct ipi_calls_stats {
	u64 calls;
	u64 sent;
	u64 deliveries;
};

/* Deliveries of calls are added to @kinds, which must outlive it. NULL without memory. */
struct ipi_calls *ipi_calls__new(struct ipi_kinds *kinds);
void ipi_calls__delete(struct ipi_calls *calls);

/* Thread @tid begins a call on @cpu. Return: 0 or -ENOMEM; so the others. */
int ipi_calls__begin(struct ipi_calls *calls, int tid, int cpu, u64 time);

/* Records of @cpu are lost: which calls under way there ended, and which began, isn't known. */
void ipi_calls__lost(struct ipi_calls *calls, int cpu);

/**
 * ipi_calls__end - the call a thread is in ends
 * @calls:	the calls
 * @tid:	the thread
 * @time:	ns
 * @t_call:	ns, when it began and
 * @t_return:	ns, ended by stamps of its own; 0 if it has none
 */
int ipi_calls__end(struct ipi_calls *calls, int tid, u64 time, u64 t_call, u64 t_return);

/* A delivery, whosever it is: most come while their call goes on, some a little later. */
int ipi_calls__delivery(struct ipi_calls *calls, const struct ipi_delivery *delivery);

/* No more will come. */
int ipi_calls__flush(struct ipi_calls *calls);

const struct ipi_calls_stats *ipi_calls__stats(const struct ipi_calls *calls);

#endif
