// SPDX-License-Identifier: GPL-2.0
/*
 * Turns a request of user space into a batch: checks every field, finds the targets, lays out the
 * result buffer, lets the batch run, and adds up what came of it. Sends nothing itself.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "ipi_bench.h"
#include "trace.h"

#define IPI_BENCH_FLAGS		(IPI_BENCH_RUN_NOWAIT | IPI_BENCH_RUN_TICK)

/* A mask of 65536 CPUs. */
#define IPI_BENCH_MASK_BYTES	8192

/* Parts of the buffer start here: no two CPUs write the same line, a prefetched pair included. */
#define IPI_BENCH_ALIGN		128

/* Batches so far, of all files. */
static atomic_t ipi_bench_batches;

/**
 * struct ipi_bench_scenario - what a scenario has and may have
 * @peers:	targets other than the caller's CPU
 * @func:	a function is run
 * @nowait:	a call need not wait
 * @hold:	targets may be held with interrupts off
 * @gate:	several callers start together
 * @first:	only the first targets are sent to
 *
 * A storm always waits: callers that don't have been seen to lock up machines with many CPUs. Nor
 * are its targets held: callers that hold each other's CPU would never come to make their call.
 */
struct ipi_bench_scenario {
	bool peers;
	bool func;
	bool nowait;
	bool hold;
	bool gate;
	bool first;
};

static const struct ipi_bench_scenario ipi_bench_scenarios[IPI_BENCH_SCENARIOS] = {
	[IPI_BENCH_DRY_RUN]		= { },
	[IPI_BENCH_SELF_CALL]		= { .func = true },
	[IPI_BENCH_SELF_IPI]		= { .func = true },
	[IPI_BENCH_NORMAL]		= { .func = true, .peers = true, .nowait = true,
					    .hold = true },
	[IPI_BENCH_BROADCAST]		= { .func = true, .peers = true, .nowait = true,
					    .hold = true },
	[IPI_BENCH_BROADCAST_LOCK]	= { .func = true, .peers = true, .hold = true },
	[IPI_BENCH_MULTICAST]		= { .func = true, .peers = true, .nowait = true,
					    .hold = true, .first = true },
	[IPI_BENCH_STORM]		= { .func = true, .peers = true, .gate = true },
};

static bool ipi_bench_inject_valid(const struct ipi_bench_run *run,
				   const struct ipi_bench_scenario *scenario)
{
	switch (run->inject) {
	case IPI_BENCH_INJECT_NONE:
		return !run->inject_ns;
	case IPI_BENCH_INJECT_HANDLER:
		break;
	case IPI_BENCH_INJECT_IRQOFF:
		if (!scenario->hold)
			return false;
		break;
	default:
		return false;
	}
	return scenario->func && run->inject_ns && run->inject_ns <= IPI_BENCH_MAX_INJECT_NS;
}

static bool ipi_bench_request_valid(const struct ipi_bench_run *run,
				    const struct ipi_bench_scenario *scenario)
{
	if (run->flags & ~IPI_BENCH_FLAGS || run->gap_ns > IPI_BENCH_MAX_GAP_NS)
		return false;
	if ((run->flags & IPI_BENCH_RUN_NOWAIT) && !scenario->nowait)
		return false;
	if (!run->calls || run->calls > IPI_BENCH_MAX_CALLS)
		return false;
	if (!run->max_ns || run->max_ns > IPI_BENCH_MAX_NS)
		return false;
	if (scenario->first ? !run->first : run->first)
		return false;
	if (!scenario->peers && (run->targets || run->targets_bytes))
		return false;
	if (scenario->gate ? !run->gate_callers || run->gate_callers > nr_cpu_ids :
			     run->gate_callers || run->gate_fd)
		return false;
	return ipi_bench_inject_valid(run, scenario);
}

/* The mask of user space as a cpumask. */
static int ipi_bench_read_mask(const struct ipi_bench_run *run, struct cpumask *mask)
{
	u32 bytes = run->targets_bytes;
	u64 *words;
	u32 i;

	if (!bytes || bytes % sizeof(*words) || bytes > IPI_BENCH_MASK_BYTES)
		return -EINVAL;
	words = memdup_user(u64_to_user_ptr(run->targets), bytes);
	if (IS_ERR(words))
		return PTR_ERR(words);

	for (i = 0; i < bytes / sizeof(*words); i++) {
		for (; words[i]; words[i] &= words[i] - 1) {
			u32 cpu = i * 64 + __ffs64(words[i]);

			if (cpu >= nr_cpu_ids || !cpu_possible(cpu)) {
				kfree(words);
				return -EINVAL;
			}
			cpumask_set_cpu(cpu, mask);
		}
	}
	kfree(words);
	return 0;
}

/* Fills the batch's mask and table of targets. */
static int ipi_bench_find_targets(struct ipi_bench_batch *batch, const struct ipi_bench_run *run,
				  const struct ipi_bench_scenario *scenario)
{
	int cpu, err;

	batch->nr_targets = 0;
	cpumask_clear(batch->targets);
	if (scenario->peers) {
		err = ipi_bench_read_mask(run, batch->targets);
		if (err)
			return err;
		cpumask_clear_cpu(batch->sender, batch->targets);
		if (cpumask_empty(batch->targets))
			return -ENODEV;
	} else if (scenario->func) {
		cpumask_set_cpu(batch->sender, batch->targets);
	}

	for_each_cpu(cpu, batch->targets) {
		struct ipi_bench_peer *peer = batch->peers + batch->nr_targets;

		if (run->first && batch->nr_targets == run->first) {
			cpumask_clear_cpu(cpu, batch->targets);
			continue;
		}
		peer->cpu = cpu;
		peer->slot = per_cpu_ptr(batch->slots, cpu);
		peer->early = false;
		batch->nr_targets++;
	}
	if (batch->nr_targets < run->first)
		return -EINVAL;
	if (run->scenario == IPI_BENCH_NORMAL && batch->nr_targets != 1)
		return -EINVAL;
	/* One after the other they spin, and the last one waits for all of them. */
	if (run->scenario == IPI_BENCH_BROADCAST_LOCK &&
	    run->inject_ns * batch->nr_targets > IPI_BENCH_MAX_LOCKED_NS)
		return -EINVAL;
	return 0;
}

static void ipi_bench_zero(void *buffer, u64 bytes)
{
	while (bytes) {
		size_t part = min_t(u64, bytes, 1024 * 1024);

		memset(buffer, 0, part);
		buffer += part;
		bytes -= part;
		cond_resched();
	}
}

/* Where everything goes in the buffer: table of targets, calls, deliveries target by target. */
static int ipi_bench_lay_out(struct ipi_bench_state *state, struct ipi_bench_run *run)
{
	struct ipi_bench_batch *batch = &state->batch;
	u64 end;
	u32 i;

	run->targets_offset = 0;
	run->calls_offset = ALIGN((u64)batch->nr_targets * sizeof(struct ipi_bench_target),
				  IPI_BENCH_ALIGN);
	run->deliveries_offset = run->calls_offset +
				 ALIGN((u64)run->calls * sizeof(struct ipi_bench_call),
				       IPI_BENCH_ALIGN);
	run->deliveries_stride = ALIGN((u64)run->calls * sizeof(struct ipi_bench_delivery),
				       IPI_BENCH_ALIGN);
	end = run->deliveries_offset + batch->nr_targets * run->deliveries_stride;
	if (end > state->bytes)
		return -ENOBUFS;

	ipi_bench_zero(state->buffer, end);
	batch->call = state->buffer + run->calls_offset;
	for (i = 0; i < batch->nr_targets; i++) {
		struct ipi_bench_peer *peer = batch->peers + i;

		peer->out = state->buffer + run->targets_offset + i * sizeof(*peer->out);
		peer->out->cpu = peer->cpu;
		peer->deliveries = state->buffer + run->deliveries_offset +
				   i * run->deliveries_stride;
	}
	return 0;
}

/* Is any of our events on? */
static bool ipi_bench_traced(void)
{
	return trace_call_enabled() || trace_return_enabled() || trace_delivery_enabled();
}

/* Nothing is in flight. */
static void ipi_bench_prepare(struct ipi_bench_batch *batch, const struct ipi_bench_run *run)
{
	bool handler = run->inject == IPI_BENCH_INJECT_HANDLER;
	bool irqoff = run->inject == IPI_BENCH_INJECT_IRQOFF;
	int cpu;

	batch->scenario = run->scenario;
	batch->nowait = run->flags & IPI_BENCH_RUN_NOWAIT;
	batch->async |= batch->nowait;
	batch->handler_ns = handler ? run->inject_ns : 0;
	batch->hold_ns = irqoff ? run->inject_ns : 0;
	batch->gap_ns = run->gap_ns;
	batch->calls = run->calls;
	batch->done = 0;
	batch->ended = IPI_BENCH_ENDED_CALLS;
	batch->stuck = false;
	batch->stuck_cpu = -1;
	batch->migrated = 0;
	batch->traced = ipi_bench_traced();
	batch->number = atomic_inc_return(&ipi_bench_batches);
	atomic_set(&batch->wrong_cpu, 0);
	for_each_possible_cpu(cpu) {
		struct ipi_bench_slot *slot = per_cpu_ptr(batch->slots, cpu);

		slot->at = NULL;
		slot->next = batch->base + batch->calls;
		slot->refused = 0;
	}
}

/* The batch itself, and how long it takes. */
static void ipi_bench_measure(struct ipi_bench_batch *batch, struct ipi_bench_run *run)
{
	u64 start;

	ipi_bench_clock_start(&batch->clock, batch->traced);
	ipi_bench_batch_funcs(batch);
	if (run->flags & IPI_BENCH_RUN_TICK)
		ipi_bench_tick_start(batch);
	start = ipi_bench_now();
	batch->deadline = start + run->max_ns;
	ipi_bench_batch_run(batch);
	run->elapsed_ns = ipi_bench_now() - start;
	if (run->flags & IPI_BENCH_RUN_TICK)
		ipi_bench_tick_stop(batch);
}

/* All stamps to ns. */
static int ipi_bench_convert(struct ipi_bench_batch *batch, struct ipi_bench_run *run)
{
	int err = ipi_bench_clock_stop(&batch->clock);
	u32 i;

	if (err)
		return err;
	ipi_bench_clock_convert(&batch->clock, (u64 *)batch->call,
				(size_t)batch->done * sizeof(*batch->call) / sizeof(u64));
	for (i = 0; i < batch->nr_targets; i++) {
		struct ipi_bench_delivery *deliveries = batch->peers[i].deliveries;

		ipi_bench_clock_convert(&batch->clock, (u64 *)deliveries,
					(size_t)batch->done * sizeof(*deliveries) / sizeof(u64));
	}
	return 0;
}

static int ipi_bench_pass_gate(const struct ipi_bench_run *run)
{
	struct file *file = fget(run->gate_fd);
	int err = -EBADF;

	if (!file)
		return err;
	if (file->f_op == &ipi_bench_fops) {
		struct ipi_bench_state *state = file->private_data;

		err = ipi_bench_gate_pass(&state->gate, run->gate_callers, run->max_ns);
	}
	fput(file);
	return err;
}

static void ipi_bench_add_up(const struct ipi_bench_batch *batch, struct ipi_bench_run *run)
{
	u32 i;

	run->done = batch->done;
	run->ended = batch->ended;
	run->sender = batch->sender;
	run->nr_targets = batch->nr_targets;
	run->delivered = 0;
	run->wrong_cpu = atomic_read(&batch->wrong_cpu);
	run->twice = 0;
	run->missing = 0;
	run->unseen = 0;
	run->offline = 0;
	run->migrated = batch->migrated;
	run->not_held = 0;
	run->stuck_cpu = batch->stuck_cpu;
	run->clock = batch->clock.counter ? IPI_BENCH_CLOCK_COUNTER : IPI_BENCH_CLOCK_KTIME;
	run->clock_ps = ipi_bench_clock_ps(&batch->clock);
	for (i = 0; i < batch->nr_targets; i++) {
		const struct ipi_bench_target *out = batch->peers[i].out;

		run->delivered += out->delivered;
		run->twice += out->twice;
		run->missing += out->missing;
		run->unseen += out->unseen;
		run->offline += out->offline;
		run->not_held += out->not_held;
	}
}

/**
 * ipi_bench_request - carry out one request to run a batch
 * @state:	of the open file, held busy by the caller
 * @run:	the request, whose output fields are filled
 *
 * Context: Task, may sleep.
 * Return: 0 if a batch ran, however it ended, or
 * -EINVAL (a field is wrong), -EFAULT or -ENOMEM (the mask), -ENODEV (no target but the caller's
 * CPU), -ENOBUFS (no buffer, or too small), -EBUSY (functions of the last batch still run),
 * -EBADF (the gate is no file of this device), -EINTR or -ETIMEDOUT (at the gate), -EAGAIN (the
 * kernel changed its clock source: the stamps mean nothing).
 */
int ipi_bench_request(struct ipi_bench_state *state, struct ipi_bench_run *run)
{
	struct ipi_bench_batch *batch = &state->batch;
	const struct ipi_bench_scenario *scenario;
	int err;

	if (run->scenario >= IPI_BENCH_SCENARIOS)
		return -EINVAL;
	scenario = ipi_bench_scenarios + run->scenario;
	if (!ipi_bench_request_valid(run, scenario))
		return -EINVAL;
	if (batch->stuck && !ipi_bench_batch_idle(batch))
		return -EBUSY;

	batch->nr_live = 0;
	batch->sender = raw_smp_processor_id();
	err = ipi_bench_find_targets(batch, run, scenario);
	if (err)
		return err;
	err = ipi_bench_lay_out(state, run);
	if (err)
		return err;
	ipi_bench_prepare(batch, run);
	if (scenario->gate) {
		err = ipi_bench_pass_gate(run);
		if (err)
			return err;
	}
	ipi_bench_measure(batch, run);
	err = ipi_bench_convert(batch, run);
	if (err)
		return err;
	ipi_bench_add_up(batch, run);
	return 0;
}
