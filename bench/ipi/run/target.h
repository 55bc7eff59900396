/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the targets do when hit: threads of ours that keep them in user mode or in system calls.
 * They run in bursts with a deadline of their own, so that none can keep a CPU, whatever becomes
 * of the sender.
 */
#ifndef IPI_RUN_TARGET_H
#define IPI_RUN_TARGET_H

#include <stdbool.h>
#include <linux/types.h>

#include "../ipi.h"
#include "sched.h"

struct ipi_cpus;
struct ipi_targets;
struct ipi_why;

/* How the threads are scheduled. */
enum ipi_target_policy {
	IPI_TARGET_POLICY_NORMAL,
	IPI_TARGET_POLICY_FIFO,
	IPI_TARGET_POLICY_IDLE,		/* SCHED_IDLE: a wake-up preempts them at once */
};

/**
 * ipi_targets__new - a thread on each CPU, asleep
 * @cpus:	the CPUs
 * @state:	IPI_TARGET_BUSY or IPI_TARGET_KERNEL; of the others nothing is created
 * @policy:	how they are scheduled
 * @why:	filled on failure
 *
 * Return: the targets, or NULL.
 */
struct ipi_targets *ipi_targets__new(const struct ipi_cpus *cpus, enum ipi_target state,
				     enum ipi_target_policy policy, struct ipi_why *why);
void ipi_targets__delete(struct ipi_targets *targets);

/**
 * ipi_targets__burst_ns - how long a burst may be
 * @targets:	may be NULL
 *
 * The more targets, the longer: where they are more than the machine has CPUs to run them on at the
 * same time (a guest's), a call to all of them takes as many turns.
 *
 * Return: ns.
 */
u64 ipi_targets__burst_ns(const struct ipi_targets *targets);

/**
 * ipi_targets__begin - start a burst and wait until each thread runs on its CPU
 * @targets:	may be NULL: nothing to start
 * @deadline_ns: when they leave the burst by themselves; at most ipi_targets__burst_ns() from now
 *
 * Return: 0, or -ETIMEDOUT where one did not get to run (its CPU is gone, or taken).
 */
int ipi_targets__begin(struct ipi_targets *targets, u64 deadline_ns);

/* End the burst and wait until all sleep again. */
void ipi_targets__end(struct ipi_targets *targets);

/**
 * struct ipi_burst - a burst with the calling thread as its sender
 * @targets:	the targets
 * @policy:	how the sender was scheduled before
 * @rt:		it is SCHED_FIFO meanwhile
 * @limit_ns:	when the targets leave
 */
struct ipi_burst {
	struct ipi_targets *targets;
	struct ipi_policy policy;
	bool rt;
	u64 limit_ns;
};

/**
 * ipi_burst__begin - start the targets, then raise the sender
 * @burst:	filled
 * @targets:	the targets, may be NULL
 * @rt:		make the sender SCHED_FIFO, where permitted
 *
 * Return: as ipi_targets__begin(), with nothing to end on an error.
 */
int ipi_burst__begin(struct ipi_burst *burst, struct ipi_targets *targets, bool rt);
void ipi_burst__end(struct ipi_burst *burst);

#endif
