// SPDX-License-Identifier: GPL-2.0
/*
 * After the calls: waits until no function runs any more, and counts what became of them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/math64.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/processor.h>
#include <linux/sched.h>

#include "ipi_bench.h"

/* Has this target nothing in flight? */
static bool ipi_bench_peer_idle(const struct ipi_bench_batch *batch,
				const struct ipi_bench_peer *peer)
{
	const struct ipi_bench_slot *slot = peer->slot;
	u32 ran, held;

	/* Pairs with ipi_bench_refuse(). */
	ran = smp_load_acquire(&slot->refused);
	/* Pairs with ipi_bench_body(). */
	ran += smp_load_acquire(&slot->next);
	/* Pairs with ipi_bench_hold_func(). */
	held = smp_load_acquire(&slot->hold.done);
	return (s32)(ran - batch->due) >= 0 && held == slot->hold.sent;
}

static const struct ipi_bench_peer *ipi_bench_first_busy(const struct ipi_bench_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nr_live; i++)
		if (!ipi_bench_peer_idle(batch, batch->live[i]))
			return batch->live[i];
	return NULL;
}

/**
 * ipi_bench_batch_idle - does no function of a batch run any more?
 * @batch:	the batch
 *
 * Return: true if its memory is the caller's alone. For the text of the last function see
 * &ipi_bench_batch.async.
 */
bool ipi_bench_batch_idle(const struct ipi_bench_batch *batch)
{
	return !ipi_bench_first_busy(batch);
}

/**
 * ipi_bench_batch_settle - wait until no function of a batch runs any more
 * @batch:	the batch
 *
 * Gives up after IPI_BENCH_STUCK_NS; then the batch is stuck, and says on which CPU.
 *
 * Context: Task, may sleep.
 * Return: true if none runs.
 */
bool ipi_bench_batch_settle(struct ipi_bench_batch *batch)
{
	u64 limit = ipi_bench_now() + IPI_BENCH_STUCK_NS;
	const struct ipi_bench_peer *busy;

	if (batch->stuck)
		return false;
	for (;;) {
		busy = ipi_bench_first_busy(batch);
		if (!busy)
			return true;
		if (ipi_bench_now() > limit)
			break;
		cpu_relax();
		cond_resched();
	}
	batch->stuck = true;
	batch->async = true;
	batch->stuck_cpu = busy->cpu;
	batch->ended = IPI_BENCH_ENDED_STUCK;
	pr_warn_ratelimited("CPU %d has not run what was sent to it within %llu ms\n", busy->cpu,
			    div_u64(IPI_BENCH_STUCK_NS, NSEC_PER_MSEC));
	return false;
}

/*
 * A refused run is the one that was due if one is lacking: it did not see the sender's store.
 * Otherwise it is one too many.
 */
static void ipi_bench_peer_count(const struct ipi_bench_batch *batch, struct ipi_bench_peer *peer)
{
	struct ipi_bench_slot *slot = peer->slot;
	struct ipi_bench_target *out = peer->out;
	u32 first = batch->base + batch->chunk_done;
	u32 ran = READ_ONCE(slot->next) - first;
	u32 refused = READ_ONCE(slot->refused);
	u32 lacking = batch->due - first - ran;
	u32 unseen = min(refused, lacking);

	out->delivered += ran;
	out->unseen += unseen;
	out->twice += refused - unseen;
	out->missing += max(lacking - unseen, (u32)peer->early);
	/* A stuck one may still count: leave it alone. */
	if (!batch->stuck)
		slot->refused = 0;
	peer->early = false;
}

/**
 * ipi_bench_chunk_count - add what became of the calls of a chunk to the targets' lines
 * @batch:	the batch, settled or stuck
 */
void ipi_bench_chunk_count(struct ipi_bench_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nr_targets; i++) {
		struct ipi_bench_peer *peer = batch->peers + i;

		if (peer->slot->at)
			ipi_bench_peer_count(batch, peer);
		else
			peer->out->offline += batch->done - batch->chunk_done;
		if (peer->out->twice || peer->out->missing || peer->out->unseen)
			batch->ended = batch->ended ?: IPI_BENCH_ENDED_ERROR;
	}
	if (atomic_read(&batch->wrong_cpu))
		batch->ended = batch->ended ?: IPI_BENCH_ENDED_ERROR;
}

static void ipi_bench_nothing(void *info)
{
}

/**
 * ipi_bench_batch_flush - after calls that did not wait: let come what may still come
 * @batch:	the batch, settled and counted
 *
 * If a function ran twice, the count of its CPU is complete while the last one is still under way.
 * Whatever was sent before a call that waits has run when that returns, except in the very
 * interrupt that runs it, where those that are waited for come first. So there are two such calls.
 *
 * Context: Task.
 */
void ipi_bench_batch_flush(struct ipi_bench_batch *batch)
{
	int i;

	for (i = 0; i < 2; i++) {
		preempt_disable();
		smp_call_function_many(batch->online, ipi_bench_nothing, NULL, true);
		preempt_enable();
	}
	/* None is due any more. */
	batch->chunk_done = batch->done;
	ipi_bench_chunk_count(batch);
}
