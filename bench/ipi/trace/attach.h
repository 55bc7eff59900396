/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which delivery belongs to which call of the bench: by the moment it began, by sender and by
 * target. A call's target without a delivery is a missing one; a delivery of nobody's call is
 * foreign: somebody else's IPI, counted as a disturbance.
 */
#ifndef IPI_TRACE_ATTACH_H
#define IPI_TRACE_ATTACH_H

#include <stddef.h>

#include "../ipi.h"

/**
 * struct ipi_attach_rule - what makes a delivery ours
 * @src:	the calling CPU
 * @tid:	the calling thread
 * @any_sender:	the kernel sends from a thread of its own (a grace period's): @src and @tid are not
 *		asked for, @func must match, where the delivery has one
 * @func:	kernel address of the function this trigger causes, 0 if it can't be told
 * @irqs:	a bit per enum ipi_irq that may carry it
 * @dst:	target CPUs, ascending; for a local call, the sender itself
 * @nr_dst:	how many
 * @async:	the call may return before its deliveries end (only matters to the open window: the
 *		last delivery of a call may end after its return)
 */
struct ipi_attach_rule {
	int src;
	int tid;
	bool any_sender;
	u64 func;
	unsigned int irqs;
	const int *dst;
	int nr_dst;
	bool async;
};

struct ipi_attach_ops {
	/* Once for each (call, target): @delivery is NULL where none was found (missing). */
	void (*delivery)(void *ctx, size_t call, int dst, const struct ipi_delivery *delivery);
	/* Once for each delivery that is nobody's. */
	void (*foreign)(void *ctx, const struct ipi_delivery *delivery);
};

/**
 * ipi_attach__batch - attach a batch's deliveries to its calls
 * @rule:	what makes a delivery ours
 * @calls:	the batch's calls, in time order
 * @nr_calls:	how many
 * @deliveries:	what the correlator emitted for the window; sorted here by when they began
 * @nr_deliveries: how many
 * @ops:	receives the result, calls in order, targets in the order of @rule->dst
 * @ctx:	passed to @ops
 *
 * Where several deliveries fit one (call, target), the first that began is the call's and the
 * others are foreign. Where no event names the sender (delivery->src -1), time, target and irq
 * decide.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_attach__batch(const struct ipi_attach_rule *rule, const struct ipi_call *calls,
		      size_t nr_calls, struct ipi_delivery *deliveries, size_t nr_deliveries,
		      const struct ipi_attach_ops *ops, void *ctx);

#endif
