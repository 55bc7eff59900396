// SPDX-License-Identifier: GPL-2.0
/*
 * The hot path: makes the calls of a batch, and holds the functions that the IPIs run. What is
 * between the two stamps of a call is the operation and one store, no more; checks come after.
 *
 * Every delivery is checked. The sender stores the number of the call, then sends. The function
 * compares the number it sees with the one that is due on its CPU, which it counts itself: a
 * smaller one means that it runs once too often, that it is not a target, or that it does not see
 * the store, and such a run is refused. After a call that waits, the sender looks whether all
 * targets have counted it.
 */
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "clock.h"
#include "ipi_bench.h"
#include "trace.h"

/* A function that is not due: only counted. */
static noinline void ipi_bench_refuse(struct ipi_bench_batch *batch, struct ipi_bench_slot *slot)
{
	if (slot->at) {
		/* Pairs with ipi_bench_peer_idle(). */
		smp_store_release(&slot->refused, slot->refused + 1);
	} else {
		atomic_inc(&batch->wrong_cpu);
	}
}

static noinline void ipi_bench_spin(u64 ns)
{
	u64 until = ipi_bench_now() + ns;

	while (ipi_bench_now() < until)
		cpu_relax();
}

/* What a function does, but for the stamp that it starts with. */
static __always_inline void ipi_bench_body(struct ipi_bench_batch *batch, bool counter, u64 entry)
{
	struct ipi_bench_slot *slot = this_cpu_ptr(batch->slots);
	struct ipi_bench_delivery *at = slot->at;
	u32 next = slot->next;

	if (unlikely((s32)(READ_ONCE(batch->seq) - next) < 0)) {
		ipi_bench_refuse(batch, slot);
		return;
	}
	at->t_entry = entry;
	if (unlikely(batch->handler_ns))
		ipi_bench_spin(batch->handler_ns);
	at->t_exit = ipi_bench_stamp(counter);
	slot->at = at + 1;
	/* Last, the slot is the sender's from here on: pairs with ipi_bench_peer_idle(). */
	smp_store_release(&slot->next, next + 1);
}

/* The wait for the lock, and the delays of those that had it before, are part of the function. */
static __always_inline void ipi_bench_locked_body(struct ipi_bench_batch *batch, bool counter,
						  u64 entry)
{
	raw_spin_lock(&batch->lock);
	ipi_bench_body(batch, counter, entry);
	raw_spin_unlock(&batch->lock);
}

/* Each twice, so that the clock is known before the first line of the batch is touched. */
static void ipi_bench_func_counter(void *info)
{
	ipi_bench_body(info, true, ipi_bench_stamp(true));
}

static void ipi_bench_func_ktime(void *info)
{
	ipi_bench_body(info, false, ipi_bench_stamp(false));
}

static void ipi_bench_lock_func_counter(void *info)
{
	ipi_bench_locked_body(info, true, ipi_bench_stamp(true));
}

static void ipi_bench_lock_func_ktime(void *info)
{
	ipi_bench_locked_body(info, false, ipi_bench_stamp(false));
}

static void ipi_bench_work_counter(struct irq_work *work)
{
	ipi_bench_func_counter(container_of(work, struct ipi_bench_batch, work));
}

static void ipi_bench_work_ktime(struct irq_work *work)
{
	ipi_bench_func_ktime(container_of(work, struct ipi_bench_batch, work));
}

/* irq_work has no call that waits: spin as a waiting call would. */
static __always_inline void ipi_bench_self_ipi(struct ipi_bench_batch *batch, u32 due)
{
	const u32 *next = &batch->live[0]->slot->next;
	u64 limit = 0;

	irq_work_queue(&batch->work);
	/* Pairs with ipi_bench_body(). */
	while (smp_load_acquire(next) != due) {
		if (!limit)
			limit = ipi_bench_now() + IPI_BENCH_SELF_WAIT_NS;
		else if (ipi_bench_now() > limit)
			break;
		cpu_relax();
	}
}

static __always_inline void ipi_bench_send(struct ipi_bench_batch *batch, u32 due)
{
	switch (batch->scenario) {
	case IPI_BENCH_DRY_RUN:
		break;
	case IPI_BENCH_SELF_CALL:
	case IPI_BENCH_NORMAL:
		smp_call_function_single(batch->live[0]->cpu, batch->func, batch, !batch->nowait);
		break;
	case IPI_BENCH_SELF_IPI:
		ipi_bench_self_ipi(batch, due);
		break;
	default:
		smp_call_function_many(batch->online, batch->func, batch, !batch->nowait);
		break;
	}
}

/* Has every target run its function, once, and do we see it? */
static __always_inline bool ipi_bench_seen(const struct ipi_bench_batch *batch, u32 due)
{
	u32 i, wrong = 0;

	for (i = 0; i < batch->nr_live; i++) {
		const struct ipi_bench_slot *slot = batch->live[i]->slot;

		wrong |= (READ_ONCE(slot->next) ^ due) | READ_ONCE(slot->refused);
	}
	return !wrong;
}

static noinline void ipi_bench_note_early(struct ipi_bench_batch *batch, u32 due)
{
	u32 i;

	batch->ended = IPI_BENCH_ENDED_ERROR;
	for (i = 0; i < batch->nr_live; i++) {
		struct ipi_bench_peer *peer = batch->live[i];
		struct ipi_bench_slot *slot = peer->slot;

		peer->early = (s32)(READ_ONCE(slot->next) + READ_ONCE(slot->refused) - due) < 0;
	}
}

/* One call. Preemption is off for no longer, so that its CPU is known. */
static __always_inline bool ipi_bench_call(struct ipi_bench_batch *batch)
{
	struct ipi_bench_call *call = batch->call + batch->done;
	u32 seq = batch->base + batch->done;

	preempt_disable();
	if (unlikely(smp_processor_id() != batch->sender)) {
		preempt_enable();
		batch->migrated++;
		batch->ended = IPI_BENCH_ENDED_MIGRATED;
		return false;
	}
	/* A target that is held waits for it. */
	if (unlikely(batch->hold_ns))
		WRITE_ONCE(batch->hold_from, ipi_bench_now());

	WRITE_ONCE(batch->seq, seq);
	call->t_call = ipi_bench_stamp(batch->clock.counter);
	ipi_bench_send(batch, seq + 1);
	call->t_return = ipi_bench_stamp(batch->clock.counter);
	preempt_enable();

	batch->due = seq + 1;
	batch->done++;
	if (!batch->nowait && unlikely(!ipi_bench_seen(batch, seq + 1)))
		ipi_bench_note_early(batch, seq + 1);
	return true;
}

/* Tells tracers what became of the functions of the calls from @first on. None runs any more. */
static noinline void ipi_bench_trace_deliveries(const struct ipi_bench_batch *batch, u32 first)
{
	u32 i, seq;

	for (seq = first; seq < batch->done; seq++) {
		for (i = 0; i < batch->nr_live; i++) {
			const struct ipi_bench_peer *peer = batch->live[i];

			if (peer->deliveries[seq].t_entry)
				trace_delivery(batch, seq, peer->cpu, peer->deliveries + seq);
		}
		cond_resched();
	}
}

/* Tells tracers of the call that has been made. */
static noinline void ipi_bench_trace_return(const struct ipi_bench_batch *batch)
{
	u32 seq = batch->done - 1;

	trace_return(batch, seq, batch->call + seq);
	if (!batch->nowait)
		ipi_bench_trace_deliveries(batch, seq);
}

/* So that the targets fall idle again; others may run here meanwhile. */
static noinline void ipi_bench_gap(const struct ipi_bench_batch *batch)
{
	u64 until = ipi_bench_now() + batch->gap_ns;

	while (ipi_bench_now() < until && !signal_pending(current)) {
		cpu_relax();
		cond_resched();
	}
}

/* The calls of a chunk, and what is done before and after each. */
static void ipi_bench_chunk_calls(struct ipi_bench_batch *batch, u32 end)
{
	unsigned long tick = jiffies + 1;

	do {
		if (unlikely(batch->gap_ns))
			ipi_bench_gap(batch);
		if (unlikely(batch->traced))
			trace_call(batch, batch->done);
		if (unlikely(batch->hold_ns))
			ipi_bench_hold_arm(batch);
		if (!ipi_bench_call(batch))
			break;
		if (unlikely(batch->traced))
			ipi_bench_trace_return(batch);
		if (unlikely(batch->hold_ns))
			ipi_bench_hold_end(batch);
		cond_resched();
		if (unlikely(signal_pending(current)))
			break;
	} while (batch->done < end && !batch->ended && time_before(jiffies, tick));
}

/* Which targets are there? The others' slots refuse whatever comes. Nothing is in flight. */
static void ipi_bench_chunk_begin(struct ipi_bench_batch *batch)
{
	u32 i;

	batch->chunk_done = batch->done;
	batch->due = batch->base + batch->done;
	batch->nr_live = 0;
	cpumask_and(batch->online, batch->targets, cpu_online_mask);
	for (i = 0; i < batch->nr_targets; i++) {
		struct ipi_bench_peer *peer = batch->peers + i;
		struct ipi_bench_slot *slot = peer->slot;

		if (cpumask_test_cpu(peer->cpu, batch->online)) {
			slot->at = peer->deliveries + batch->done;
			slot->next = batch->due;
			batch->live[batch->nr_live++] = peer;
		} else {
			slot->at = NULL;
			slot->next = batch->base + batch->calls;
		}
	}
}

/* Up to so many calls, or to the next tick, at the CPUs that are online meanwhile. */
static void ipi_bench_chunk_run(struct ipi_bench_batch *batch)
{
	u32 end = batch->done + min(batch->calls - batch->done, (u32)IPI_BENCH_CHUNK_CALLS);

	cpus_read_lock();
	ipi_bench_chunk_begin(batch);
	if (batch->nr_live || !batch->nr_targets)
		ipi_bench_chunk_calls(batch, end);
	else
		batch->done = end;	/* nobody is there: not made */
	if (batch->nowait || batch->ended)
		ipi_bench_batch_settle(batch);
	if (batch->traced && batch->nowait && !batch->stuck)
		ipi_bench_trace_deliveries(batch, batch->chunk_done);
	ipi_bench_chunk_count(batch);
	cpus_read_unlock();
}

/**
 * ipi_bench_batch_funcs - choose the functions that the IPIs of a batch run
 * @batch:	the batch; its scenario and clock are known
 */
void ipi_bench_batch_funcs(struct ipi_bench_batch *batch)
{
	bool counter = batch->clock.counter;

	if (batch->scenario == IPI_BENCH_BROADCAST_LOCK)
		batch->func = counter ? ipi_bench_lock_func_counter : ipi_bench_lock_func_ktime;
	else
		batch->func = counter ? ipi_bench_func_counter : ipi_bench_func_ktime;
	irq_work_sync(&batch->work);
	batch->work = IRQ_WORK_INIT_HARD(counter ? ipi_bench_work_counter : ipi_bench_work_ktime);
}

/**
 * ipi_bench_batch_run - make the calls of a batch
 * @batch:	ready to go: its slots are empty, its part of the buffer zeroed
 *
 * Ends when all calls are made, time is up, a signal is pending, the caller has moved to another
 * CPU, or a delivery failed its check. Then no function runs any more, or the batch is stuck.
 *
 * Context: Task, may sleep.
 */
void ipi_bench_batch_run(struct ipi_bench_batch *batch)
{
	for (;;) {
		ipi_bench_chunk_run(batch);
		if (batch->ended || batch->done == batch->calls)
			break;
		if (signal_pending(current)) {
			batch->ended = IPI_BENCH_ENDED_SIGNAL;
			break;
		}
		if (ipi_bench_now() >= batch->deadline) {
			batch->ended = IPI_BENCH_ENDED_TIME;
			break;
		}
		cond_resched();
	}
	if (batch->nowait && !batch->stuck)
		ipi_bench_batch_flush(batch);
	/* Numbers of this batch, and the one that no call has, are not used again. */
	batch->base += batch->calls + 1;
}
