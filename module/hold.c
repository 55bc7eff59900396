// SPDX-License-Identifier: GPL-2.0
/*
 * IPI_BENCH_INJECT_IRQOFF: targets that have interrupts off when they are hit.
 *
 * Before each call every target gets a function of its own, sent asynchronously. Functions run with
 * interrupts off; this one says that it is there, waits until the sender says that it makes the
 * call, and stays until a known time after that. So the IPI of the call is raised meanwhile and
 * taken just then, however long sender and target take to find each other. The target keeps its
 * state: nothing but an interrupt came.
 */
#include <linux/percpu.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "ipi_bench.h"

static void ipi_bench_hold_func(void *info)
{
	struct ipi_bench_batch *batch = info;
	struct ipi_bench_hold *hold = &this_cpu_ptr(batch->slots)->hold;
	u64 limit = ipi_bench_now() + IPI_BENCH_HOLD_WAIT_NS;
	bool late = READ_ONCE(batch->hold_from);
	u64 from;

	/* Pairs with ipi_bench_hold_armed(). */
	smp_store_release(&hold->armed, hold->armed + 1);
	for (;;) {
		from = READ_ONCE(batch->hold_from);
		if (from || ipi_bench_now() > limit)
			break;
		cpu_relax();
	}

	if (from && !late) {
		while (ipi_bench_now() < from + batch->hold_ns)
			cpu_relax();
	} else {
		hold->failed++;
	}
	/* Last, the slot is the sender's from here on: pairs with ipi_bench_peer_idle(). */
	smp_store_release(&hold->done, hold->done + 1);
}

/**
 * ipi_bench_hold_init - make the slots ready to hold their CPUs
 * @batch:	the batch, whose slots are zeroed
 */
void ipi_bench_hold_init(struct ipi_bench_batch *batch)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct ipi_bench_hold *hold = &per_cpu_ptr(batch->slots, cpu)->hold;

		INIT_CSD(&hold->csd, ipi_bench_hold_func, batch);
	}
}

static bool ipi_bench_hold_armed(const struct ipi_bench_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nr_live; i++) {
		const struct ipi_bench_hold *hold = &batch->live[i]->slot->hold;

		/* Pairs with ipi_bench_hold_func(). */
		if (smp_load_acquire(&hold->armed) != hold->sent)
			return false;
	}
	return true;
}

/**
 * ipi_bench_hold_arm - have all online targets keep their interrupts off for the next call
 * @batch:	the batch, all its functions done
 *
 * Comes back once they do, or after a time long enough: a target that comes late, or has given up
 * waiting for the call, counts itself.
 *
 * Context: Task, may sleep, CPU hotplug is locked out.
 */
void ipi_bench_hold_arm(struct ipi_bench_batch *batch)
{
	u64 limit = ipi_bench_now() + IPI_BENCH_STUCK_NS;
	u32 i;

	WRITE_ONCE(batch->hold_from, 0);
	batch->async = true;
	for (i = 0; i < batch->nr_live; i++) {
		struct ipi_bench_peer *peer = batch->live[i];
		struct ipi_bench_hold *hold = &peer->slot->hold;

		if (!smp_call_function_single_async(peer->cpu, &hold->csd))
			hold->sent++;
		else
			peer->out->not_held++;
	}
	while (!ipi_bench_hold_armed(batch) && ipi_bench_now() < limit) {
		if (signal_pending(current))
			break;
		cond_resched();
		cpu_relax();
	}
}
