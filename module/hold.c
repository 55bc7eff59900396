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

	hold->failed = late || !from;
	while (!hold->failed && ipi_bench_now() < from + batch->hold_ns)
		cpu_relax();
	/* Last, the slot is the sender's from here on: pairs with ipi_bench_peer_idle(). */
	smp_store_release(&hold->done, hold->done + 1);
}

/**
 * ipi_bench_hold_init - make a slot ready to hold its CPU
 * @batch:	the batch it belongs to
 * @slot:	the slot, zeroed
 */
void ipi_bench_hold_init(struct ipi_bench_batch *batch, struct ipi_bench_slot *slot)
{
	INIT_CSD(&slot->hold.csd, ipi_bench_hold_func, batch);
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

/* Have all of them stayed until now? */
static bool ipi_bench_hold_kept(const struct ipi_bench_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nr_live; i++) {
		const struct ipi_bench_hold *hold = &batch->live[i]->slot->hold;

		if (READ_ONCE(hold->done) == hold->sent)
			return false;
	}
	return ipi_bench_hold_armed(batch);
}

static void ipi_bench_hold_send(struct ipi_bench_batch *batch)
{
	u32 i;

	WRITE_ONCE(batch->hold_from, 0);
	batch->async = true;
	for (i = 0; i < batch->nr_live; i++) {
		struct ipi_bench_peer *peer = batch->live[i];
		struct ipi_bench_hold *hold = &peer->slot->hold;

		hold->failed = true;
		if (!smp_call_function_single_async(peer->cpu, &hold->csd))
			hold->sent++;
	}
}

/**
 * ipi_bench_hold_arm - have all online targets keep their interrupts off for the next call
 * @batch:	the batch, all its functions done
 *
 * Comes back once they do. A sender that is not scheduled for a while finds that they have given up
 * waiting for it: it lets go of the rest and tries again, but not for ever.
 *
 * Context: Task, may sleep, CPU hotplug is locked out.
 */
void ipi_bench_hold_arm(struct ipi_bench_batch *batch)
{
	u64 limit = ipi_bench_now() + IPI_BENCH_STUCK_NS;
	int tries;

	for (tries = 0; tries < IPI_BENCH_HOLD_TRIES; tries++) {
		ipi_bench_hold_send(batch);
		while (!ipi_bench_hold_armed(batch) && ipi_bench_now() < limit) {
			if (signal_pending(current))
				return;
			cpu_relax();
			cond_resched();
		}
		if (ipi_bench_hold_kept(batch))
			return;
		WRITE_ONCE(batch->hold_from, 1);	/* long ago */
		if (!ipi_bench_batch_settle(batch))
			return;
	}
}

/**
 * ipi_bench_hold_end - after the call: wait for its functions, count targets that were not held
 * @batch:	the batch
 *
 * Context: Task, may sleep.
 */
void ipi_bench_hold_end(struct ipi_bench_batch *batch)
{
	u32 i;

	if (!ipi_bench_batch_settle(batch))
		return;
	for (i = 0; i < batch->nr_live; i++) {
		struct ipi_bench_peer *peer = batch->live[i];

		peer->out->not_held += peer->slot->hold.failed;
	}
}
