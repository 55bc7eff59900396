// SPDX-License-Identifier: GPL-2.0
/*
 * IPI_BENCH_RUN_TICK: targets that keep their tick.
 *
 * An idle CPU whose tick is stopped has more to do when an interrupt comes, and after it. Whether
 * it stops its tick depends on what else goes on in the machine, so that the same batch costs now
 * this and now that. A timer that is due at the next tick, always, keeps the tick where it is; it
 * runs when the tick does anyway. On a nohz_full CPU it starts the tick that was asked not to be
 * there.
 */
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/timer.h>

#include "compat.h"
#include "ipi_bench.h"

/* The wheel rounds up: "now" is the next tick, one later would be one too late to keep it. */
static void ipi_bench_tick_func(struct timer_list *timer)
{
	mod_timer(timer, jiffies);
}

/**
 * ipi_bench_tick_init - make a slot ready for it
 * @slot:	of a CPU
 */
void ipi_bench_tick_init(struct ipi_bench_slot *slot)
{
	timer_setup(&slot->tick, ipi_bench_tick_func, TIMER_PINNED);
}

/**
 * ipi_bench_tick_start - from here on all targets that are online keep their tick
 * @batch:	the batch
 *
 * Context: Task, may sleep.
 */
void ipi_bench_tick_start(struct ipi_bench_batch *batch)
{
	u32 i;

	cpus_read_lock();
	for (i = 0; i < batch->nr_targets; i++) {
		struct ipi_bench_peer *peer = batch->peers + i;

		if (!cpu_online(peer->cpu))
			continue;
		peer->slot->tick.expires = jiffies;
		add_timer_on(&peer->slot->tick, peer->cpu);
	}
	cpus_read_unlock();
}

/**
 * ipi_bench_tick_stop - targets do as they like again
 * @batch:	the batch
 *
 * Context: Task, may sleep.
 */
void ipi_bench_tick_stop(struct ipi_bench_batch *batch)
{
	u32 i;

	for (i = 0; i < batch->nr_targets; i++)
		ipi_bench_timer_delete_sync(&batch->peers[i].slot->tick);
}
