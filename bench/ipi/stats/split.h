/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From deliveries to stages: adds one attached delivery to a cell's classes and histograms.
 */
#ifndef IPI_STATS_SPLIT_H
#define IPI_STATS_SPLIT_H

#include "result.h"

/**
 * struct ipi_split - one call being split
 * @cell:	the cell
 * @call:	the call
 * @last_exit:	ns, when the last of its functions ended so far (ack counts from there)
 * @unended:	a delivery's end was not seen, or its stages don't count: no ack can be told
 * @target_pid:	process of our own target threads, to tell an off-state hit; 0 if there are none
 * @own_entry:	ns, the next delivery's function starts by its own stamp; 0 if it has none
 * @own_exit:	ns, it ends
 */
struct ipi_split {
	struct ipi_cell *cell;
	struct ipi_call call;
	u64 last_exit;
	bool unended;
	int target_pid;
	u64 own_entry;
	u64 own_exit;
};

void ipi_split__begin(struct ipi_split *split, struct ipi_cell *cell, const struct ipi_call *call,
		      int target_pid);

/**
 * ipi_split__delivery - add one delivery of the call
 * @split:	begun
 * @delivery:	NULL: missing
 *
 * Stages are recorded of deliveries of the scenario's class only (interrupt; local for self-call),
 * and only of those that hit the target in the state the cell names. A negative interval is
 * counted in cell->negative and not recorded.
 *
 * Handler latency ends with the function, or with the interrupt where no function shows (a bare
 * interrupt, a kernel without csd events).
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_split__delivery(struct ipi_split *split, const struct ipi_delivery *delivery);

/**
 * ipi_split__stamps - what the function of the next delivery says of itself
 * @split:	begun
 * @entry:	ns, it starts; 0 if it has no stamps
 * @exit:	ns, it ends
 *
 * Stands in for function tracepoints where the kernel has none, and is compared with them where
 * it has. Where it has none and the function was over when the interrupt came, the delivery was
 * polled (the idle loop was first), in a storm coalesced (another sender's interrupt was).
 */
void ipi_split__stamps(struct ipi_split *split, u64 entry, u64 exit);

/**
 * ipi_split__untraced - add one delivery of a stamped cell's untraced pass
 * @cell:	the cell: its delivery and handle are recorded
 * @call:	the call
 * @entry:	ns, the function starts
 * @exit:	ns, it ends
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_split__untraced(struct ipi_cell *cell, const struct ipi_call *call, u64 entry, u64 exit);

/**
 * ipi_split__end - the call is complete: record its traced total and its ack
 * @split:	begun, all its deliveries added
 *
 * The ack is the time from the end of the call's last function (of its last bare interrupt) to
 * the caller going on. It exists only where the caller waits for that end (self-call, normal,
 * broadcast; wake, whose caller waits for the woken thread to answer), and only of calls all of
 * whose deliveries had their stages recorded and their end seen. So a call that returns before
 * its handler ends (irq_work, a grace period) has no ack, rather than a negative one.
 *
 * Return: 0 or -ENOMEM.
 */
int ipi_split__end(struct ipi_split *split);

#endif
