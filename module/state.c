// SPDX-License-Identifier: GPL-2.0
/*
 * How long things live. All that belongs to an open file goes when it is closed, unless functions
 * still run, or have yet to run, on a stuck CPU: then it stays, and the module with it, until they
 * are done.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "ipi_bench.h"

static DEFINE_MUTEX(ipi_bench_orphans_lock);
static LIST_HEAD(ipi_bench_orphans);

static void ipi_bench_reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(ipi_bench_reaper, ipi_bench_reap);

static void ipi_bench_state_free(struct ipi_bench_state *state)
{
	struct ipi_bench_batch *batch = &state->batch;

	/* A function with its last count behind it still has to leave the text of this module. */
	if (batch->async)
		synchronize_rcu();
	irq_work_sync(&batch->work);
	vfree(state->buffer);
	kvfree(batch->live);
	kvfree(batch->peers);
	free_cpumask_var(batch->online);
	free_cpumask_var(batch->targets);
	free_percpu(batch->slots);
	kfree(state);
}

static void ipi_bench_reap(struct work_struct *work)
{
	struct ipi_bench_state *state, *next;

	mutex_lock(&ipi_bench_orphans_lock);
	list_for_each_entry_safe(state, next, &ipi_bench_orphans, orphan) {
		if (!ipi_bench_batch_idle(&state->batch))
			continue;
		list_del(&state->orphan);
		ipi_bench_state_free(state);
		module_put(THIS_MODULE);
	}
	if (!list_empty(&ipi_bench_orphans))
		schedule_delayed_work(&ipi_bench_reaper, HZ);
	mutex_unlock(&ipi_bench_orphans_lock);
}

/**
 * ipi_bench_state_alloc - make what an open file has
 *
 * Return: the state, without a result buffer, or NULL without memory.
 */
struct ipi_bench_state *ipi_bench_state_alloc(void)
{
	struct ipi_bench_state *state = kzalloc(sizeof(*state), GFP_KERNEL);
	struct ipi_bench_batch *batch;
	int cpu;

	if (!state)
		return NULL;
	mutex_init(&state->busy);
	ipi_bench_gate_init(&state->gate);

	batch = &state->batch;
	raw_spin_lock_init(&batch->lock);
	ipi_bench_batch_funcs(batch);
	batch->slots = alloc_percpu(struct ipi_bench_slot);
	batch->peers = kvcalloc(nr_cpu_ids, sizeof(*batch->peers), GFP_KERNEL);
	batch->live = kvcalloc(nr_cpu_ids, sizeof(*batch->live), GFP_KERNEL);
	if (!zalloc_cpumask_var(&batch->targets, GFP_KERNEL) ||
	    !zalloc_cpumask_var(&batch->online, GFP_KERNEL) ||
	    !batch->slots || !batch->peers || !batch->live) {
		ipi_bench_state_free(state);
		return NULL;
	}
	for_each_possible_cpu(cpu) {
		struct ipi_bench_slot *slot = per_cpu_ptr(batch->slots, cpu);

		ipi_bench_hold_init(batch, slot);
		ipi_bench_tick_init(slot);
	}
	return state;
}

/**
 * ipi_bench_state_release - the file is closed
 * @state:	its state
 *
 * Context: Task, may sleep. Never waits for a stuck CPU.
 */
void ipi_bench_state_release(struct ipi_bench_state *state)
{
	if (ipi_bench_batch_idle(&state->batch)) {
		ipi_bench_state_free(state);
		return;
	}
	__module_get(THIS_MODULE);
	mutex_lock(&ipi_bench_orphans_lock);
	list_add(&state->orphan, &ipi_bench_orphans);
	mutex_unlock(&ipi_bench_orphans_lock);
	schedule_delayed_work(&ipi_bench_reaper, HZ);
}

/**
 * ipi_bench_state_exit - the module goes: no file is open and no orphan left
 */
void ipi_bench_state_exit(void)
{
	cancel_delayed_work_sync(&ipi_bench_reaper);
}
