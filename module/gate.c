// SPDX-License-Identifier: GPL-2.0
/*
 * A gate that several callers pass together. They sleep until the last one is there; then, since a
 * wake-up takes each a different time, they spin until all of them run.
 */
#include <linux/jiffies.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "ipi_bench.h"

/**
 * ipi_bench_gate_init - a gate at which nobody waits
 * @gate:	the gate
 */
void ipi_bench_gate_init(struct ipi_bench_gate *gate)
{
	spin_lock_init(&gate->lock);
	init_waitqueue_head(&gate->wait);
}

/* Counts the caller in. Return: true if it was the last one, and the gate is open. */
static bool ipi_bench_gate_arrive(struct ipi_bench_gate *gate)
{
	if (++gate->arrived < gate->expected)
		return false;
	atomic_set(&gate->running, gate->expected);
	gate->arrived = 0;
	WRITE_ONCE(gate->generation, gate->generation + 1);
	wake_up_all(&gate->wait);
	return true;
}

/*
 * Sleeps until the gate is open. A caller that gives up is counted out again, unless the gate was
 * opened meanwhile: then the others count on it.
 */
static int ipi_bench_gate_sleep(struct ipi_bench_gate *gate, u32 generation, u64 max_ns)
{
	unsigned long limit = nsecs_to_jiffies(max_ns) + 1;
	long left;
	int err = 0;

	left = wait_event_interruptible_timeout(gate->wait,
						READ_ONCE(gate->generation) != generation, limit);
	spin_lock(&gate->lock);
	if (gate->generation == generation) {
		gate->arrived--;
		err = left ? -EINTR : -ETIMEDOUT;
	}
	spin_unlock(&gate->lock);
	return err;
}

/*
 * Everybody that met counts down exactly once, so it comes to zero; only a caller that is not
 * scheduled delays it.
 */
static void ipi_bench_gate_spin(struct ipi_bench_gate *gate, u64 max_ns)
{
	u64 limit = ipi_bench_now() + max_ns;

	atomic_dec(&gate->running);
	while (atomic_read_acquire(&gate->running) > 0) {
		if (signal_pending(current) || ipi_bench_now() > limit)
			break;
		cpu_relax();
		cond_resched();
	}
}

/**
 * ipi_bench_gate_pass - wait at a gate until all are there
 * @gate:	the gate
 * @callers:	how many have to come, the same number from all of them
 * @max_ns:	give up after this time
 *
 * Context: Task, may sleep.
 * Return: 0, -EINVAL (others wait for another number of callers), -EINTR or -ETIMEDOUT.
 */
int ipi_bench_gate_pass(struct ipi_bench_gate *gate, u32 callers, u64 max_ns)
{
	u32 generation;
	bool last;
	int err;

	spin_lock(&gate->lock);
	if (gate->arrived && gate->expected != callers) {
		spin_unlock(&gate->lock);
		return -EINVAL;
	}
	gate->expected = callers;
	generation = gate->generation;
	last = ipi_bench_gate_arrive(gate);
	spin_unlock(&gate->lock);

	if (!last) {
		err = ipi_bench_gate_sleep(gate, generation, max_ns);
		if (err)
			return err;
	}
	ipi_bench_gate_spin(gate, max_ns);
	return 0;
}
